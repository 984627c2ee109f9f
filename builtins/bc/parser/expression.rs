//! Expressions, by the precedences of GNU's bc: comparisons bind looser than assignments, a sign tighter than a power.
use super::{DEEPEST, Parse, Parser, RESERVED, Wrong};
use crate::bc::{
    lexer::Token,
    syntax::{Argument, Expr, Op, Place, Relation},
};

/// How tightly operators bind, loosest first.
const OR: u8 = 1;
const AND: u8 = 2;
const RELATION: u8 = 4;
const ASSIGN: u8 = 5;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;
const POWER: u8 = 8;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        self.binary(OR)
    }

    /// An expression of operators that bind at least as tightly as `loosest`.
    fn binary(&mut self, loosest: u8) -> Parse<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Wrong::Syntax);
        }
        let mut left = self.prefixed()?;
        while let Some(Token::Sign(sign)) = self.peek() {
            let Some(level) = level(sign).filter(|level| *level >= loosest) else { break };
            self.at += 1;
            let right = Box::new(self.binary(if level == POWER { POWER } else { level + 1 })?);
            let boxed = Box::new(left);
            left = match level {
                OR => Expr::Or(boxed, right),
                AND => Expr::And(boxed, right),
                RELATION => Expr::Compare(boxed, relation(sign), right),
                _ => Expr::Binary(boxed, operator(sign), right),
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn prefixed(&mut self) -> Parse<Expr> {
        if self.take("!") {
            return Ok(Expr::Not(Box::new(self.binary(RELATION)?)));
        }
        if self.take("-") {
            return Ok(Expr::Negative(Box::new(self.binary(POWER + 1)?)));
        }
        for (sign, up) in [("++", true), ("--", false)] {
            if self.take(sign) {
                return match self.primary()? {
                    Expr::Place(place) => Ok(Expr::Step { place, up, before: true }),
                    _ => Err(Wrong::Syntax),
                };
            }
        }
        let primary = self.primary()?;
        let (Expr::Place(place), Some(Token::Sign(sign))) = (&primary, self.peek()) else { return Ok(primary) };
        let place = place.clone();
        match *sign {
            "++" | "--" => {
                self.at += 1;
                Ok(Expr::Step { place, up: *sign == "++", before: false })
            }
            "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" => {
                self.at += 1;
                let op = sign.strip_suffix('=').filter(|op| !op.is_empty()).map(operator);
                Ok(Expr::Assign(place, op, Box::new(self.binary(ASSIGN)?)))
            }
            _ => Ok(primary),
        }
    }

    fn primary(&mut self) -> Parse<Expr> {
        let Some(token) = self.peek() else { return Err(Wrong::Unfinished) };
        match token {
            Token::Number(digits) => {
                self.at += 1;
                Ok(if digits == "." { Expr::Place(Place::Last) } else { Expr::Number(digits.clone()) })
            }
            Token::Sign("(") => {
                self.at += 1;
                let value = self.expression()?;
                self.expect(")")?;
                Ok(Expr::Group(Box::new(value)))
            }
            Token::Name(name) => {
                self.at += 1;
                self.named(name)
            }
            _ => Err(Wrong::Syntax),
        }
    }

    /// What begins with a name, which has been read.
    fn named(&mut self, name: &str) -> Parse<Expr> {
        let place = |place| Ok(Expr::Place(place));
        match name {
            "ibase" => return place(Place::Ibase),
            "obase" => return place(Place::Obase),
            "last" => return place(Place::Last),
            "scale" if !self.is("(") => return place(Place::Scale),
            "length" | "scale" | "sqrt" | "read" => {
                self.expect("(")?;
                if name == "read" {
                    self.expect(")")?;
                    return Ok(Expr::Read);
                }
                let value = Box::new(self.expression()?);
                self.expect(")")?;
                return Ok(match name {
                    "length" => Expr::Length(value),
                    "scale" => Expr::Scale(value),
                    _ => Expr::Sqrt(value),
                });
            }
            _ if RESERVED.contains(&name) => {
                self.at -= 1;
                return Err(Wrong::Syntax);
            }
            _ => {}
        }
        if self.take("[") {
            let index = self.expression()?;
            self.expect("]")?;
            return place(Place::Element(name.to_string(), Box::new(index)));
        }
        if !self.take("(") {
            return place(Place::Variable(name.to_string()));
        }
        let mut arguments = Vec::new();
        while !self.take(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            arguments.push(self.argument()?);
        }
        Ok(Expr::Call(name.to_string(), arguments))
    }

    fn argument(&mut self) -> Parse<Argument> {
        if let [Token::Name(name), Token::Sign("["), Token::Sign("]"), ..] = &self.tokens[self.at..] {
            self.at += 3;
            return Ok(Argument::Array(name.clone()));
        }
        self.expression().map(Argument::Value)
    }
}

fn level(sign: &str) -> Option<u8> {
    Some(match sign {
        "||" => OR,
        "&&" => AND,
        "<" | "<=" | ">" | ">=" | "==" | "!=" => RELATION,
        "+" | "-" => SUM,
        "*" | "/" | "%" => PRODUCT,
        "^" => POWER,
        _ => return None,
    })
}

fn relation(sign: &str) -> Relation {
    match sign {
        "<" => Relation::Less,
        "<=" => Relation::LessOrEqual,
        ">" => Relation::Greater,
        ">=" => Relation::GreaterOrEqual,
        "==" => Relation::Equal,
        _ => Relation::NotEqual,
    }
}

fn operator(sign: &str) -> Op {
    match sign {
        "+" => Op::Add,
        "-" => Op::Subtract,
        "*" => Op::Multiply,
        "/" => Op::Divide,
        "%" => Op::Remainder,
        _ => Op::Power,
    }
}
