//! Reads operands: constants, fields, variables and their elements, calls, `getline`, and what stands in brackets.
use super::{
    ast::{ArrayPath, Builtin, Expr, Place, RegexConstant, Source},
    lexer::{Mistake, Token, Word},
    parser::Parser,
    regex,
};
use crate::Result;
use std::{cell::OnceCell, rc::Rc};

impl Parser<'_> {
    /// An operand.
    pub(super) fn primary(&mut self) -> Result<Expr> {
        match self.token.clone() {
            Token::Number(number) => {
                self.advance()?;
                Ok(Expr::Number(number))
            }
            Token::Text(text) => {
                self.advance()?;
                Ok(Expr::Text(text))
            }
            Token::Sign("/" | "/=") => Ok(Expr::MatchRecord(self.regex()?)),
            Token::Sign("$") => {
                self.advance()?;
                let field = self.nested(Self::field)?;
                Ok(Expr::Get(Place::Field(field.into())))
            }
            Token::Sign(sign @ ("++" | "--")) => {
                self.advance()?;
                match self.nested(Self::primary)? {
                    Expr::Get(place) => Ok(Expr::Step(place, if sign == "++" { 1.0 } else { -1.0 }, false)),
                    _ => Err(self.unexpected()),
                }
            }
            Token::Sign("(") => self.group(),
            Token::Sign("@") => self.at_sign(),
            Token::Word(Word::Getline) => self.getline(),
            Token::Name(name) | Token::FunctionName(name) => self.named(&name),
            _ => Err(self.unexpected()),
        }
    }

    /// `getline` or `getline < file`, with the place it reads into.
    fn getline(&mut self) -> Result<Expr> {
        let place = self.getline_place()?;
        if !self.take("<")? {
            if let Some(rule @ ("BEGINFILE" | "ENDFILE")) = self.rule {
                return Err(self.error(format!("error: non-redirected `getline' invalid inside `{rule}' rule")));
            }
            return Ok(Expr::Getline(Source::Input, place));
        }
        // A file takes no concatenation.
        let file = self.nested(Self::additive)?;
        Ok(Expr::Getline(Source::File(file.into()), place))
    }

    /// What `$` takes: `$i++` increments the field, `$++i` the number of it.
    fn field(&mut self) -> Result<Expr> {
        match self.token {
            Token::Sign("-") => {
                self.advance()?;
                Ok(Expr::Negate(self.nested(Self::field)?.into()))
            }
            Token::Sign("+") => {
                self.advance()?;
                self.nested(Self::field)
            }
            Token::Sign("!") => {
                self.advance()?;
                Ok(Expr::Not(self.nested(Self::field)?.into()))
            }
            _ => self.primary(),
        }
    }

    /// An expression in brackets, or the list of them that `in` takes.
    fn group(&mut self) -> Result<Expr> {
        self.advance()?;
        let in_print = std::mem::replace(&mut self.in_print, false);
        let mut list = self.list(")")?;
        self.in_print = in_print;
        match list.len() {
            0 => Err(self.unexpected()),
            1 => Ok(match list.remove(0) {
                // In brackets it can no longer be assigned to.
                place @ Expr::Get(_) => Expr::Group(place.into()),
                other => other,
            }),
            _ if self.token == Token::Word(Word::In) => Ok(Expr::List(list)),
            _ => Err(self.unexpected()),
        }
    }

    /// Expressions between commas, up to and with `close`.
    pub(super) fn list(&mut self, close: &str) -> Result<Vec<Expr>> {
        let mut list = Vec::new();
        self.skip_newlines()?;
        while !self.take(close)? {
            if !list.is_empty() {
                self.expect(",")?;
                self.skip_newlines()?;
            }
            list.push(self.expr()?);
            self.skip_newlines()?;
        }
        Ok(list)
    }

    /// `[...]`, whose `[` is the current word.
    pub(super) fn subscript(&mut self) -> Result<Vec<Expr>> {
        self.advance()?;
        let in_print = std::mem::replace(&mut self.in_print, false);
        let subscript = self.list("]")?;
        self.in_print = in_print;
        if subscript.is_empty() { Err(self.unexpected()) } else { Ok(subscript) }
    }

    /// `@/re/` or `@name(...)`.
    fn at_sign(&mut self) -> Result<Expr> {
        self.advance()?;
        match self.token.clone() {
            Token::Sign("/" | "/=") => Ok(Expr::TypedRegex(self.regex()?)),
            Token::FunctionName(name) => {
                let variable = Expr::Get(self.place(&name));
                self.advance()?;
                Ok(Expr::CallNamed(variable.into(), self.arguments()?))
            }
            _ => Err(self.unexpected()),
        }
    }

    /// The regex whose first `/` is the current word.
    fn regex(&mut self) -> Result<RegexConstant> {
        let text = match self.lexer.regex() {
            Ok(text) => text,
            Err(mistake) => return Err(self.mistake(&mistake)),
        };
        let pattern = regex::compile(&text, false, self.size)
            .map_err(|error| self.error(format!("error: {error}: /{}/", String::from_utf8_lossy(&text))))?;
        self.advance()?;
        Ok(RegexConstant { text: Rc::new(text), pattern: Rc::new(pattern), ignoring_case: OnceCell::new() })
    }

    /// The place that `getline`, the current word, reads into.
    pub(super) fn getline_place(&mut self) -> Result<Option<Box<Place>>> {
        self.advance()?;
        let begins = match &self.token {
            Token::Name(name) => !is_builtin(name) && !self.is_function(name),
            Token::Sign("$") => true,
            _ => false,
        };
        if !begins {
            return Ok(None);
        }
        match self.primary()? {
            Expr::Get(place) => Ok(Some(place.into())),
            _ => Err(self.unexpected()),
        }
    }

    /// What a call is given, brackets and all.
    fn arguments(&mut self) -> Result<Vec<Expr>> {
        self.expect("(")?;
        let in_print = std::mem::replace(&mut self.in_print, false);
        let arguments = self.list(")")?;
        self.in_print = in_print;
        Ok(arguments.into_iter().map(whole).collect())
    }

    /// A variable, an element, or a call.
    fn named(&mut self, name: &Rc<str>) -> Result<Expr> {
        let builtin = Builtin::ALL.iter().find(|(word, ..)| **word == **name);
        if let Some((_, builtin, fewest, most)) = builtin {
            self.advance()?;
            return self.builtin(name, *builtin, *fewest, *most);
        }
        let is_call = matches!(self.token, Token::FunctionName(_));
        if is_call || self.is_function(name) {
            self.advance()?;
            if !is_call {
                return Err(self.error(format!(
                    "error: function `{name}' called with space between name and `(',\nor used as a variable or an array"
                )));
            }
            let place = self.function_place(name);
            return Ok(Expr::Call(place, self.arguments()?));
        }
        let place = self.place(name);
        self.advance()?;
        if !self.is("[") {
            return Ok(Expr::Get(place));
        }
        let variable = self.variable(name);
        let mut path = vec![self.subscript()?];
        while self.is("[") {
            path.push(self.subscript()?);
        }
        let last = path.pop().unwrap_or_default();
        Ok(Expr::Get(Place::Element(ArrayPath { variable, path }, last)))
    }

    /// A call of awk's own function `name`, which takes `fewest` to `most` arguments.
    fn builtin(&mut self, name: &str, builtin: Builtin, fewest: usize, most: usize) -> Result<Expr> {
        let arguments = match (self.is("("), builtin) {
            (true, _) => self.arguments()?,
            (false, Builtin::Length) => Vec::new(),
            _ => return Err(self.unexpected()),
        };
        if arguments.len() < fewest || arguments.len() > most {
            let count = arguments.len();
            let message = format!("{count} is invalid as number of arguments for {name}");
            return Err(self.mistake(&Mistake { at: self.before, message }));
        }
        Ok(Expr::Builtin(builtin, arguments))
    }
}

/// An argument that may be an array: a variable or an element is handed over as it is.
fn whole(argument: Expr) -> Expr {
    match argument {
        Expr::Get(Place::Variable(variable)) => Expr::Whole(ArrayPath { variable, path: Vec::new() }),
        Expr::Get(Place::Element(mut array, subscript)) => {
            array.path.push(subscript);
            Expr::Whole(array)
        }
        other => other,
    }
}

fn is_builtin(name: &str) -> bool {
    Builtin::ALL.iter().any(|(word, ..)| *word == name)
}
