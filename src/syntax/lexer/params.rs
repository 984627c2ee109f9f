//! `$name`, `${…}`, and what else a `$` begins.
use super::quotes::{Quoted, Quotes};
use super::source::{Res, Source, name_length};
use super::words::Unquoted;
use crate::syntax::ast::{Param, ParamOp, Part, Which, Word};
use crate::syntax::outline::Class;

/// Parameters of one character.
const SPECIAL: &str = "@*#?-$!";

impl Source<'_> {
    /// At `$` or a backquote: the expansion, or `None`, with the `$` consumed, when it is only a character.
    pub(super) fn dollar(&mut self, quotes: Quotes) -> Res<Option<Part>> {
        let begun = self.begin(Class::Expansion);
        let part = self.expansion(quotes)?;
        match part {
            Some(_) => self.end(begun),
            None => self.notes.forget(begun),
        }
        Ok(part)
    }

    fn expansion(&mut self, quotes: Quotes) -> Res<Option<Part>> {
        if self.peek() == Some('`') {
            return self.deeper(|source| source.backquoted(quotes)).map(Some);
        }
        self.pos += 1;
        while self.eat_continuation() {}
        let rest = self.rest();
        let named = |name: &str| Some(Part::Param(Box::new(get(name))));
        Ok(match self.peek() {
            Some('(') => match self.dollar_arithmetic()? {
                Some(expression) => Some(Part::Arith(expression)),
                None => Some(Part::Command(self.substitution()?)),
            },
            Some('[') => Some(Part::Arith(self.deeper(Self::bracket_arithmetic)?)),
            Some('{') => Some(Part::Param(Box::new(self.deeper(|source| source.braced(quotes))?))),
            Some(c) if c.is_ascii_digit() || SPECIAL.contains(c) => {
                self.pos += 1;
                named(&rest[..1])
            }
            _ => match name_length(rest) {
                0 => None,
                _ => named(&self.name()),
            },
        })
    }

    /// The name here, which a continuation may interrupt.
    pub(super) fn name(&mut self) -> String {
        let mut name = String::new();
        loop {
            let rest = self.rest();
            let part = rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            name.push_str(&rest[..part]);
            self.pos += part;
            if !self.rest().starts_with("\\\n") {
                return name;
            }
            self.eat_continuation();
        }
    }

    /// At the `{` of `${`. What no expansion accepts is only an error when it is reached.
    fn braced(&mut self, quotes: Quotes) -> Res<Param> {
        let open = self.pos;
        self.pos += 1;
        while self.eat_continuation() {}
        let (text, depth) = (self.text, self.depth);
        match self.braced_param(quotes) {
            Ok(Some(param)) => {
                while self.eat_continuation() {}
                if self.eat("}") {
                    return Ok(param);
                }
            }
            Ok(None) => {}
            // What seemed to open something in there need not.
            Err(error) if error.incomplete && std::ptr::eq(self.text, text) => {}
            Err(error) => return Err(error),
        }
        (self.text, self.pos, self.depth) = (text, open, depth);
        let text = self.matched(open)?;
        self.pos += text.len();
        Ok(bad_substitution(format!("${text}")))
    }

    /// After `${`, up to what should be the `}`.
    fn braced_param(&mut self, quotes: Quotes) -> Res<Option<Param>> {
        let length = self.is_prefix('#');
        let indirect = !length && self.is_prefix('!');
        self.pos += usize::from(length || indirect);
        let Some(name) = self.param_name() else { return Ok(None) };
        let index = match self.peek() {
            Some('[') if name_length(&name) > 0 => Some(self.index()?),
            _ => None,
        };
        // `${#^}` is nothing, though `#` is a parameter and `^` an operator.
        if matches!(name.as_str(), "#" | "?" | "-") && self.rest().starts_with(['^', ',', '~']) {
            return Ok(None);
        }
        let op = if length { Some(ParamOp::Len) } else { self.param_op(quotes, indirect, index.as_ref())? };
        Ok(op.map(|op| {
            let indirect = indirect && !matches!(op, ParamOp::Keys | ParamOp::Names(_));
            Param { name, bare: false, indirect, index, op }
        }))
    }

    /// Whether the `#` or `!` here says something about the parameter after it, rather than being one.
    fn is_prefix(&self, prefix: char) -> bool {
        let Some(after) = self.rest().strip_prefix(prefix) else { return false };
        match after.chars().next() {
            Some(c) if c == '_' || c.is_ascii_alphanumeric() => true,
            Some('\\') => after.starts_with("\\\n"),
            Some('@' | '*') => true,
            Some(c) if SPECIAL.contains(c) => after[1..].starts_with('}'),
            _ => false,
        }
    }

    fn param_name(&mut self) -> Option<String> {
        while self.eat_continuation() {}
        let rest = self.rest();
        let c = rest.chars().next()?;
        if name_length(rest) > 0 {
            return Some(self.name());
        }
        let length = match c {
            '0'..='9' => rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()),
            c if SPECIAL.contains(c) => 1,
            _ => return None,
        };
        self.pos += length;
        Some(rest[..length].to_owned())
    }

    /// What is done with the parameter; `None` if it is nothing that bash knows.
    fn param_op(&mut self, quotes: Quotes, indirect: bool, index: Option<&Word>) -> Res<Option<ParamOp>> {
        while self.eat_continuation() {}
        let rest = self.rest();
        if indirect {
            if rest.starts_with('}') && index.is_some_and(is_whole) {
                return Ok(Some(ParamOp::Keys));
            }
            if rest.starts_with("@}") || rest.starts_with("*}") {
                self.pos += 1;
                return Ok(Some(ParamOp::Names(if rest.starts_with('@') { '@' } else { '*' })));
            }
        }
        let (colon, operator) = match rest.strip_prefix(':') {
            Some(rest) => (true, rest.chars().next()),
            None => (false, rest.chars().next()),
        };
        let op = match operator {
            Some(op @ ('-' | '=' | '?' | '+')) => {
                self.pos += 1 + usize::from(colon);
                ParamOp::Default { colon, op, word: self.operand(quotes)? }
            }
            None => return Ok(None),
            Some('}') if colon => return Ok(None),
            Some(_) if colon => {
                self.pos += 1;
                let offset = self.slice_expression(true)?;
                let len = if self.eat(":") { Some(self.slice_expression(false)?) } else { None };
                ParamOp::Slice { offset, len }
            }
            Some('}') => ParamOp::Get,
            Some(op @ ('#' | '%')) => {
                let longest = self.doubled();
                ParamOp::Trim { suffix: op == '%', longest, pattern: self.pattern("}")? }
            }
            Some('/') => self.replacement()?,
            Some(op @ ('^' | ',' | '~')) => {
                let all = self.doubled();
                ParamOp::Case { op, all, pattern: self.pattern("}")? }
            }
            Some('@') => {
                let mut chars = rest[1..].chars();
                match (chars.next(), chars.next()) {
                    (Some(op), Some('}')) if op != '}' => {
                        self.pos += 1 + op.len_utf8();
                        ParamOp::Transform(op)
                    }
                    _ => return Ok(None),
                }
            }
            Some(_) => return Ok(None),
        };
        Ok(Some(op))
    }

    /// Steps over an operator that may be written twice; true if it is.
    fn doubled(&mut self) -> bool {
        let twice = self.rest().as_bytes().get(1) == self.rest().as_bytes().first();
        self.pos += 1 + usize::from(twice);
        twice
    }

    /// At the `/` of a replacement.
    fn replacement(&mut self) -> Res<ParamOp> {
        self.pos += 1;
        let which = match self.peek() {
            Some('/') => Which::All,
            Some('#') => Which::Prefix,
            Some('%') => Which::Suffix,
            _ => Which::First,
        };
        self.pos += usize::from(which != Which::First);
        // `${x////y}`: a slash right after the doubled one is what is looked for.
        let slash = which == Which::All && self.eat("/");
        let mut pattern = self.pattern("/}")?;
        if slash {
            pattern.0.insert(0, Part::Lit("/".to_string()));
        }
        let with = if self.eat("/") { self.pattern("}")? } else { Word::default() };
        Ok(ParamOp::Replace { which, pattern, with })
    }

    /// A pattern or what replaces it: quotes count, even within double quotes.
    fn pattern(&mut self, end: &str) -> Res<Word> {
        self.parts(self.style(), &mut |c, _| end.contains(c)).map(Word)
    }

    /// The word of `${name:-word}`.
    fn operand(&mut self, quotes: Quotes) -> Res<Word> {
        let parts = match quotes {
            Quotes::None => self.parts(self.style(), &mut |c, _| c == '}')?,
            quotes => self.quoted_parts(Quoted::Operand(quotes), &mut |c| c == '}')?,
        };
        Ok(Word(parts))
    }

    /// A subscript that is all there is to read.
    pub(in crate::syntax) fn whole_subscript(&mut self) -> Res<Word> {
        self.parts(Unquoted::PLAIN, &mut |_, _| false).map(Word)
    }

    /// At `[`: the subscript, and past the `]`.
    pub(super) fn index(&mut self) -> Res<Word> {
        let open = self.pos;
        self.pos += 1;
        let mut nest = 0;
        let parts = self.parts(Unquoted::PLAIN, &mut |c, _| unnested(c, ('[', ']'), &mut nest))?;
        if !self.eat("]") {
            return Err(self.unclosed(open, "]"));
        }
        Ok(Word(parts))
    }
}

/// Whether `c` is the closing bracket that none of those before it opened.
pub(super) fn unnested(c: char, (open, close): (char, char), nest: &mut usize) -> bool {
    if c == open {
        *nest += 1;
    } else if c == close {
        if *nest == 0 {
            return true;
        }
        *nest -= 1;
    }
    false
}

/// What fails when it is reached.
pub(super) fn bad_substitution(text: String) -> Param {
    Param { name: String::new(), bare: false, indirect: false, index: None, op: ParamOp::Bad(text) }
}

/// `$name`
fn get(name: &str) -> Param {
    Param { name: name.to_owned(), bare: true, indirect: false, index: None, op: ParamOp::Get }
}

/// The subscripts `@` and `*`.
fn is_whole(index: &Word) -> bool {
    matches!(index.0.as_slice(), [Part::Lit(text)] if text == "@" || text == "*")
}
