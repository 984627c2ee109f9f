//! Reads expressions, from what binds least to what binds most. What operators stand between is `operand`'s.
use super::{
    ast::{Arithmetic, Comparison, Expr, Place, Regex, Source, Variable},
    lexer::{Token, Word},
    parser::Parser,
};
use crate::Result;

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

    pub(super) fn additive(&mut self) -> Result<Expr> {
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
