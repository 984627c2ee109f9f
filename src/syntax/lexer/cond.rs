//! `[[ … ]]`, term by term as bash reads it: where it takes a newline, where it wants a word.
use super::params::unnested;
use super::source::{Res, Source, is_meta};
use super::words::Unquoted;
use crate::syntax::ast::{Cond, Part, Word};
use crate::syntax::error::SyntaxError;

const UNARY: &str = "abcdefghknoprstuvwxzGLNORS";
const BINARY: [&str; 13] = ["==", "=", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];

/// Where a word is wanted.
enum Wanted {
    /// After an operator with one operand.
    Unary,
    /// On the right of an operator with two.
    Binary,
}

impl Source<'_> {
    /// After `[[`, past the `]]`.
    pub(super) fn cond(&mut self) -> Res<Cond> {
        let open = self.pos;
        let cond = self.deeper(Self::cond_or)?;
        if self.closes_cond() {
            self.pos += 2;
            return Ok(cond);
        }
        Err(match self.peek() {
            None => {
                let error = self.error(open, "unexpected EOF while looking for `]]'");
                SyntaxError { incomplete: true, ..error }
            }
            Some(_) => self.cond_error("syntax error in conditional expression: unexpected token `", "'"),
        })
    }

    fn cond_or(&mut self) -> Res<Cond> {
        let mut terms = vec![self.cond_and()?];
        while self.eat("||") {
            terms.push(self.cond_and()?);
        }
        Ok(balanced(terms, Cond::Or))
    }

    fn cond_and(&mut self) -> Res<Cond> {
        let mut terms = vec![self.cond_term()?];
        while self.eat("&&") {
            terms.push(self.cond_term()?);
        }
        Ok(balanced(terms, Cond::And))
    }

    /// One term, and the newlines after it.
    fn cond_term(&mut self) -> Res<Cond> {
        self.blank_lines();
        if self.peek() == Some('!') && self.rest()[1..].starts_with(is_meta) {
            self.pos += 1;
            return Ok(Cond::Not(Box::new(self.deeper(Self::cond_term)?)));
        }
        if self.eat("(") {
            let cond = self.deeper(Self::cond_or)?;
            if !self.eat(")") {
                return Err(self.cond_error("unexpected token `", "', expected `)'"));
            }
            self.blank_lines();
            return Ok(cond);
        }
        if self.closes_cond() {
            return Err(self.cond_error("unexpected token `", "' in conditional command"));
        }
        let left = self.word_of(Unquoted::COND)?;
        if left.is_empty() {
            return Err(self.cond_error("unexpected token `", "' in conditional command"));
        }
        self.blanks();
        if let [Part::Lit(operator)] = left.as_slice()
            && operator.len() == 2
            && operator.starts_with('-')
            && UNARY.contains(&operator[1..])
        {
            let word = self.cond_word(&Wanted::Unary)?;
            self.blank_lines();
            return Ok(Cond::Unary(operator.clone(), word));
        }
        if self.closes_cond()
            || self.rest().starts_with("&&")
            || self.rest().starts_with("||")
            || self.peek() == Some(')')
        {
            return Ok(Cond::Unary("-n".to_owned(), Word(left)));
        }
        let Some(operator) = self.cond_operator()? else {
            const EXPECTED: &str = "conditional binary operator expected";
            if !self.peek().is_none_or(is_meta) {
                return Err(self.error(self.pos, EXPECTED.to_owned()));
            }
            return Err(self.cond_error("unexpected token `", &format!("', {EXPECTED}")));
        };
        self.blanks();
        let right = if operator == "=~" { self.regex()? } else { self.cond_word(&Wanted::Binary)? };
        self.blank_lines();
        let operator = if operator == "=" { "==" } else { operator };
        Ok(Cond::Binary(operator.to_owned(), Word(left), right))
    }

    /// `<`, `>`, or a word that is an operator; `None`, with nothing consumed, if there is neither.
    fn cond_operator(&mut self) -> Res<Option<&'static str>> {
        for operator in ["<", ">"] {
            if self.rest().as_bytes().get(1) != Some(&b'(') && self.eat(operator) {
                return Ok(Some(operator));
            }
        }
        let rest = self.rest();
        let length = rest.find(is_meta).unwrap_or(rest.len());
        let operator = BINARY.into_iter().find(|operator| *operator == &rest[..length]);
        self.pos += operator.map_or(0, str::len);
        Ok(operator)
    }

    fn cond_word(&mut self, wanted: &Wanted) -> Res<Word> {
        if !self.closes_cond() {
            let word = self.word_of(Unquoted::COND)?;
            if !word.is_empty() {
                return Ok(Word(word));
            }
        }
        Err(self.cond_error(
            "unexpected argument `",
            match wanted {
                Wanted::Unary => "' to conditional unary operator",
                Wanted::Binary => "' to conditional binary operator",
            },
        ))
    }

    /// The right side of `=~`, in which `|` and balanced parentheses are part of the word.
    fn regex(&mut self) -> Res<Word> {
        let start = self.pos;
        let mut nest = 0;
        let stop = &mut |c, _: &str| {
            unnested(c, ('(', ')'), &mut nest) || (nest == 0 && is_meta(c) && !matches!(c, '(' | ')' | '|'))
        };
        let parts = self.parts(Unquoted::PLAIN, stop)?;
        if nest > 0 {
            return Err(self.unclosed(start, ")"));
        }
        if parts.is_empty() {
            return Err(self.cond_error("unexpected argument `", "' to conditional binary operator"));
        }
        Ok(Word(parts))
    }

    fn closes_cond(&self) -> bool {
        self.rest().strip_prefix("]]").is_some_and(|after| after.chars().next().is_none_or(is_meta))
    }

    /// An error about the token here. At the end of the text more of it may help, except where bash wants something on
    /// the same line.
    fn cond_error(&self, before: &str, after: &str) -> SyntaxError {
        let token = match self.token_here() {
            "" => "EOF",
            "\n" => "newline",
            token => token,
        };
        let same_line = after.ends_with("operator") || after.ends_with("expected");
        let incomplete = self.rest().is_empty() && !same_line;
        let token = if token == "EOF" && !incomplete { "newline" } else { token };
        SyntaxError { incomplete, ..self.error(self.pos, format!("{before}{token}{after}")) }
    }
}

/// Joins terms into a tree that is as shallow as can be; the order in which they are looked at stays.
fn balanced(mut terms: Vec<Cond>, join: fn(Box<Cond>, Box<Cond>) -> Cond) -> Cond {
    if terms.len() > 1 {
        let right = terms.split_off(terms.len() / 2);
        return join(Box::new(balanced(terms, join)), Box::new(balanced(right, join)));
    }
    terms.pop().unwrap_or_else(|| Cond::Unary("-n".to_owned(), Word::default()))
}
