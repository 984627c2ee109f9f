//! Reads expressions, from what binds least to what binds most.
use super::{
    ast::{Arithmetic, ArrayPath, Builtin, Comparison, Expr, Place, Regex, RegexConstant, Source, Variable},
    lexer::{Mistake, Token, Word},
    parser::Parser,
    regex,
};
use crate::Result;
use std::{cell::OnceCell, rc::Rc};

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Result<Expr> {
        self.nested(Self::conditional)
    }

    fn conditional(&mut self) -> Result<Expr> {
        let condition = self.or()?;
        if !self.take("?")? {
            return Ok(condition);
        }
        self.skip_newlines()?;
        let yes = self.expr()?;
        self.skip_newlines()?;
        self.expect(":")?;
        self.skip_newlines()?;
        let no = self.expr()?;
        Ok(Expr::Conditional(condition.into(), yes.into(), no.into()))
    }

    fn or(&mut self) -> Result<Expr> {
        let mut left = self.and()?;
        while self.take("||")? {
            self.skip_newlines()?;
            left = Expr::Or(left.into(), self.and()?.into());
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expr> {
        let mut left = self.membership()?;
        while self.take("&&")? {
            self.skip_newlines()?;
            left = Expr::And(left.into(), self.membership()?.into());
        }
        Ok(left)
    }

    fn membership(&mut self) -> Result<Expr> {
        let mut left = self.matching()?;
        while self.token == Token::Word(Word::In) {
            self.advance()?;
            let Token::Name(name) = self.token.clone() else { return Err(self.unexpected()) };
            let array = self.array(&name)?;
            let subscript = match left {
                Expr::List(subscript) => subscript,
                subscript => vec![subscript],
            };
            left = Expr::In(subscript, array);
        }
        if matches!(left, Expr::List(_)) { Err(self.unexpected()) } else { Ok(left) }
    }

    fn matching(&mut self) -> Result<Expr> {
        let mut left = self.comparison()?;
        loop {
            let negated = match self.token {
                Token::Sign("~") => false,
                Token::Sign("!~") => true,
                _ => return Ok(left),
            };
            self.advance()?;
            let regex = match self.comparison()? {
                Expr::MatchRecord(regex) => Regex::Constant(regex),
                text => Regex::Dynamic(text.into()),
            };
            left = Expr::Match(left.into(), regex, negated);
        }
    }

    fn comparison(&mut self) -> Result<Expr> {
        let left = self.common()?;
        let comparison = match self.token {
            Token::Sign("<") => Comparison::Less,
            Token::Sign("<=") => Comparison::LessEqual,
            Token::Sign("==") => Comparison::Equal,
            Token::Sign("!=") => Comparison::NotEqual,
            Token::Sign(">") if !self.in_print => Comparison::Greater,
            Token::Sign(">=") => Comparison::GreaterEqual,
            _ => return Ok(left),
        };
        self.advance()?;
        let right = self.common()?;
        Ok(Expr::Compare(comparison, left.into(), right.into()))
    }

    /// A concatenation, a command to get a line from, or an assignment, which may stand wherever these may.
    fn common(&mut self) -> Result<Expr> {
        let mut left = self.concatenation()?;
        loop {
            if self.is("|") && !self.in_print && self.getline_follows()? {
                let place = self.getline_place()?;
                left = Expr::Getline(Source::Command(left.into()), place);
            } else if self.is("|&") && !self.in_print {
                return Err(self.error("fatal: `|&' is not supported"));
            } else if let Expr::Get(place) = left {
                return self.assignment(place);
            } else {
                return Ok(left);
            }
        }
    }

    /// Pass over `|` if `getline` is behind it.
    fn getline_follows(&mut self) -> Result<bool> {
        let (at, start, token) = (self.lexer.at, self.lexer.start, self.token.clone());
        self.advance()?;
        let follows = self.token == Token::Word(Word::Getline);
        if !follows {
            self.rewind(at, start, token);
        }
        Ok(follows)
    }

    fn assignment(&mut self, place: Place) -> Result<Expr> {
        let arithmetic = match self.token {
            Token::Sign("=") => None,
            Token::Sign("+=") => Some(Arithmetic::Add),
            Token::Sign("-=") => Some(Arithmetic::Subtract),
            Token::Sign("*=") => Some(Arithmetic::Multiply),
            Token::Sign("/=") => Some(Arithmetic::Divide),
            Token::Sign("%=") => Some(Arithmetic::Modulo),
            Token::Sign("^=") => Some(Arithmetic::Power),
            _ => return Ok(Expr::Get(place)),
        };
        self.advance()?;
        self.skip_newlines()?;
        let value = self.expr()?;
        Ok(match (arithmetic, place, value) {
            (Some(arithmetic), place, value) => Expr::Update(arithmetic, place, value.into()),
            (None, Place::Variable(variable), value @ Expr::Concat(..)) => match without_first(variable, value) {
                Ok(rest) => Expr::Append(variable, rest.into()),
                Err(value) => Expr::Assign(Place::Variable(variable), value.into()),
            },
            (None, place, value) => Expr::Assign(place, value.into()),
        })
    }

    pub(super) fn concatenation(&mut self) -> Result<Expr> {
        let mut left = self.additive()?;
        while self.begins_operand() {
            let right = self.additive()?;
            left = Expr::Concat(left.into(), right.into());
        }
        Ok(left)
    }

    fn begins_operand(&self) -> bool {
        match self.token {
            Token::Number(_) | Token::Text(_) | Token::Name(_) | Token::FunctionName(_) => true,
            Token::Sign(sign) => matches!(sign, "$" | "!" | "(" | "-" | "+" | "++" | "--" | "@"),
            _ => false,
        }
    }

    fn additive(&mut self) -> Result<Expr> {
        let mut left = self.multiplicative()?;
        loop {
            let arithmetic = match self.token {
                Token::Sign("+") => Arithmetic::Add,
                Token::Sign("-") => Arithmetic::Subtract,
                _ => return Ok(left),
            };
            self.advance()?;
            left = Expr::Arithmetic(arithmetic, left.into(), self.multiplicative()?.into());
        }
    }

    fn multiplicative(&mut self) -> Result<Expr> {
        let mut left = self.unary()?;
        loop {
            let arithmetic = match self.token {
                Token::Sign("*") => Arithmetic::Multiply,
                Token::Sign("/") => Arithmetic::Divide,
                Token::Sign("%") => Arithmetic::Modulo,
                _ => return Ok(left),
            };
            self.advance()?;
            let right = self.unary()?;
            match (arithmetic, &right) {
                (Arithmetic::Divide, Expr::Number(0.0)) => {
                    return Err(self.error("error: division by zero attempted"));
                }
                (Arithmetic::Modulo, Expr::Number(0.0)) => {
                    return Err(self.error("error: division by zero attempted in `%'"));
                }
                _ => left = Expr::Arithmetic(arithmetic, left.into(), right.into()),
            }
        }
    }

    pub(super) fn unary(&mut self) -> Result<Expr> {
        match self.token {
            Token::Sign("!") => {
                self.advance()?;
                let operand = match self.nested(Self::unary)? {
                    Expr::Get(place) => self.assignment(place)?,
                    operand => operand,
                };
                Ok(Expr::Not(operand.into()))
            }
            Token::Sign("-") => {
                self.advance()?;
                Ok(match self.nested(Self::unary)? {
                    Expr::Number(number) => Expr::Number(-number),
                    operand => Expr::Negate(operand.into()),
                })
            }
            Token::Sign("+") => {
                self.advance()?;
                Ok(Expr::Plus(self.nested(Self::unary)?.into()))
            }
            _ => self.power(),
        }
    }

    fn power(&mut self) -> Result<Expr> {
        let base = self.postfix()?;
        if !self.take("^")? {
            return Ok(base);
        }
        let exponent = self.nested(Self::unary)?;
        Ok(Expr::Arithmetic(Arithmetic::Power, base.into(), exponent.into()))
    }

    fn postfix(&mut self) -> Result<Expr> {
        let operand = self.primary()?;
        let Expr::Get(place) = operand else { return Ok(operand) };
        if self.take("++")? {
            return Ok(Expr::Step(place, 1.0, true));
        }
        if self.take("--")? {
            return Ok(Expr::Step(place, -1.0, true));
        }
        Ok(Expr::Get(place))
    }

    fn primary(&mut self) -> Result<Expr> {
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
            Token::Word(Word::Getline) => {
                let place = self.getline_place()?;
                if !self.take("<")? {
                    if let Some(rule @ ("BEGINFILE" | "ENDFILE")) = self.rule {
                        return Err(self.error(format!("error: non-redirected `getline' invalid inside `{rule}' rule")));
                    }
                    return Ok(Expr::Getline(Source::Input, place));
                }
                let file = self.getline_file()?;
                Ok(Expr::Getline(Source::File(file.into()), place))
            }
            Token::Name(name) | Token::FunctionName(name) => self.named(&name),
            _ => Err(self.unexpected()),
        }
    }

    /// The file of `getline < file`: it takes no concatenation.
    fn getline_file(&mut self) -> Result<Expr> {
        self.nested(Self::additive)
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
    fn getline_place(&mut self) -> Result<Option<Box<Place>>> {
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

/// What is behind `variable` in a concatenation that begins with it; else the value as it was.
fn without_first(variable: Variable, value: Expr) -> Result<Expr, Expr> {
    let Expr::Concat(left, right) = value else { return Err(value) };
    match *left {
        Expr::Get(Place::Variable(first)) if first == variable => Ok(*right),
        left => match without_first(variable, left) {
            Ok(rest) => Ok(Expr::Concat(rest.into(), right)),
            Err(left) => Err(Expr::Concat(left.into(), right)),
        },
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
