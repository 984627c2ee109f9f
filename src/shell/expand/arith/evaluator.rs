//! Parses and evaluates at once, by precedence.
use super::{
    Fault,
    lexer::{Lexer, Operator, Token},
    variable::Place,
};
use crate::shell::{interp::Interp, jump::Jump};

type Result<T> = std::result::Result<T, Fault>;

/// How deeply parentheses, branches and variables that name variables may nest.
const DEPTH: usize = 1024;

/// The value of `text`; blank is 0.
pub(super) fn evaluate(shell: &mut Interp, text: &str, who: &str, depth: usize) -> Result<i64> {
    let text = text.trim_start_matches([' ', '\t', '\n']);
    if text.is_empty() {
        return Ok(0);
    }
    let mut evaluator = Evaluator { shell, lexer: Lexer::new(text), token: Token::End, who, depth, skipping: 0 };
    if depth > DEPTH {
        return evaluator.fail("expression recursion level exceeded");
    }
    evaluator.shell.cancel.check().map_err(Jump::from)?;
    evaluator.step()?;
    let value = roomy(|| evaluator.comma())?;
    match evaluator.token {
        Token::End => Ok(value),
        _ => evaluator.fail("syntax error in expression"),
    }
}

/// `body` with enough stack for one level.
fn roomy<T>(body: impl FnOnce() -> T) -> T {
    crate::stack::with_room(64 * 1024, 1024 * 1024, body)
}

struct Evaluator<'s, 't> {
    shell: &'s mut Interp,
    lexer: Lexer<'t>,
    token: Token,
    /// Whose expression it is, for messages.
    who: &'t str,
    depth: usize,
    /// Greater than 0 in what a `&&`, `||` or `?:` passes over.
    skipping: usize,
}

/// A value, and the variable it came from when it is nothing else.
struct Operand {
    value: i64,
    place: Option<Place>,
}

impl From<i64> for Operand {
    fn from(value: i64) -> Operand {
        Operand { value, place: None }
    }
}

impl Evaluator<'_, '_> {
    fn fail<T>(&self, message: &str) -> Result<T> {
        self.fail_at(self.lexer.start, message)
    }

    fn fail_at<T>(&self, start: usize, message: &str) -> Result<T> {
        let text = self.lexer.text;
        let who = if self.who.is_empty() { String::new() } else { format!("{}: ", self.who) };
        self.shell.complain(format_args!("{who}{text}: {message} (error token is \"{}\")", &text[start..]));
        Err(Fault::Said)
    }

    fn step(&mut self) -> Result<()> {
        match self.lexer.next(&self.token) {
            Ok(token) => self.token = token,
            Err(message) => return self.fail(message),
        }
        Ok(())
    }

    /// One level deeper.
    fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail("expression recursion level exceeded");
        }
        let result = roomy(|| body(self));
        self.depth -= 1;
        result
    }

    /// `body` without effects when `skip` holds.
    fn skipping<T>(&mut self, skip: bool, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.skipping += usize::from(skip);
        let result = body(self);
        self.skipping -= usize::from(skip);
        result
    }

    fn comma(&mut self) -> Result<i64> {
        let mut value = self.assignment()?;
        while self.token == Token::Comma {
            self.step()?;
            value = self.assignment()?;
        }
        Ok(value)
    }

    fn assignment(&mut self) -> Result<i64> {
        let left = self.conditional()?;
        let Token::Assign(operator) = self.token else { return Ok(left.value) };
        if left.place.is_none() && self.skipping == 0 {
            return self.fail("attempted assignment to non-variable");
        }
        self.step()?;
        let start = self.lexer.start;
        let right = self.nested(Self::assignment)?;
        let value = match operator {
            None => right,
            Some(operator) => self.apply(operator, left.value, right, start)?,
        };
        self.store(left.place.as_ref(), value)?;
        Ok(value)
    }

    fn store(&mut self, place: Option<&Place>, value: i64) -> Result<()> {
        match place {
            Some(place) if self.skipping == 0 => place.assign(self.shell, value),
            _ => Ok(()),
        }
    }

    fn conditional(&mut self) -> Result<Operand> {
        let condition = self.binary(1)?;
        if self.token != Token::Question {
            return Ok(condition);
        }
        let condition = condition.value != 0;
        self.step()?;
        if matches!(self.token, Token::End | Token::Colon) {
            return self.fail("expression expected");
        }
        let yes = self.nested(|this| this.skipping(!condition, Self::comma))?;
        if self.token != Token::Colon {
            return self.fail("`:' expected for conditional expression");
        }
        self.step()?;
        if self.token == Token::End {
            return self.fail("expression expected");
        }
        let no = self.nested(|this| this.skipping(condition, |this| this.conditional().map(|no| no.value)))?;
        Ok(Operand::from(if condition { yes } else { no }))
    }

    /// Operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Result<Operand> {
        let mut left = self.unary()?;
        while let Token::Operator(operator) = self.token {
            let precedence = operator.precedence();
            if precedence < least {
                break;
            }
            self.step()?;
            let start = self.lexer.start;
            let value = left.value;
            left = Operand::from(match operator {
                Operator::And => {
                    let right = self.skipping(value == 0, |this| this.binary(precedence + 1))?.value;
                    i64::from(value != 0 && right != 0)
                }
                Operator::Or => {
                    let right = self.skipping(value != 0, |this| this.binary(precedence + 1))?.value;
                    i64::from(value != 0 || right != 0)
                }
                Operator::Power => {
                    let right = self.nested(|this| this.binary(precedence))?.value;
                    self.apply(operator, value, right, start)?
                }
                operator => {
                    let right = self.binary(precedence + 1)?.value;
                    self.apply(operator, value, right, start)?
                }
            });
        }
        Ok(left)
    }

    /// The result of an operator whose right operand begins at `start`.
    fn apply(&mut self, operator: Operator, left: i64, right: i64, start: usize) -> Result<i64> {
        Ok(match operator {
            Operator::Or => i64::from(left != 0 || right != 0),
            Operator::And => i64::from(left != 0 && right != 0),
            Operator::BitOr => left | right,
            Operator::BitXor => left ^ right,
            Operator::BitAnd => left & right,
            Operator::Equal => i64::from(left == right),
            Operator::Unequal => i64::from(left != right),
            Operator::Less => i64::from(left < right),
            Operator::LessOrEqual => i64::from(left <= right),
            Operator::Greater => i64::from(left > right),
            Operator::GreaterOrEqual => i64::from(left >= right),
            Operator::Left => left.wrapping_shl(right as u32),
            Operator::Right => left.wrapping_shr(right as u32),
            Operator::Plus => left.wrapping_add(right),
            Operator::Minus => left.wrapping_sub(right),
            Operator::Times => left.wrapping_mul(right),
            Operator::Divide | Operator::Remainder if right == 0 => match self.skipping {
                0 => return self.fail_at(start, "division by 0"),
                _ => 0,
            },
            Operator::Divide => left.wrapping_div(right),
            Operator::Remainder => left.wrapping_rem(right),
            Operator::Power if right < 0 => match self.skipping {
                0 => return self.fail("exponent less than 0"),
                _ => 0,
            },
            Operator::Power => power(left, right as u64),
        })
    }

    fn unary(&mut self) -> Result<Operand> {
        // A row of signs is read in a loop, however long it is.
        let mut signs = Vec::new();
        while let Token::Not
        | Token::Complement
        | Token::Operator(Operator::Plus | Operator::Minus)
        | Token::Increment
        | Token::Decrement = self.token
        {
            signs.push(self.token.clone());
            self.step()?;
        }
        let mut operand = self.primary()?;
        while let Some(sign) = signs.pop() {
            let value = operand.value;
            operand = Operand::from(match sign {
                Token::Not => i64::from(value == 0),
                Token::Complement => !value,
                Token::Operator(Operator::Minus) => value.wrapping_neg(),
                Token::Increment | Token::Decrement => {
                    if operand.place.is_none() && self.skipping == 0 {
                        return self.fail("syntax error: operand expected");
                    }
                    let step = if sign == Token::Increment { 1 } else { -1 };
                    let value = value.wrapping_add(step);
                    self.store(operand.place.as_ref(), value)?;
                    value
                }
                _ => value,
            });
        }
        Ok(operand)
    }

    fn primary(&mut self) -> Result<Operand> {
        match self.token.clone() {
            Token::Number(value) => {
                self.step()?;
                Ok(Operand::from(value))
            }
            Token::Name(name, subscript) => {
                let text = self.lexer.text;
                self.step()?;
                if self.skipping > 0 {
                    if matches!(self.token, Token::Increment | Token::Decrement) {
                        self.step()?;
                    }
                    return Ok(Operand::from(0));
                }
                let place = Place::new(self.shell, &text[name], subscript.map(|range| &text[range]), self.depth)?;
                // What is only assigned need not have a value.
                if self.token == Token::Assign(None) {
                    return Ok(Operand { value: 0, place: Some(place) });
                }
                let value = place.value(self.shell, self.who, self.depth)?;
                let step = match self.token {
                    Token::Increment => 1,
                    Token::Decrement => -1,
                    _ => return Ok(Operand { value, place: Some(place) }),
                };
                self.step()?;
                place.assign(self.shell, value.wrapping_add(step))?;
                Ok(Operand::from(value))
            }
            Token::Open => {
                self.step()?;
                let value = self.nested(Self::comma)?;
                if self.token != Token::Close {
                    return self.fail("missing `)'");
                }
                self.step()?;
                Ok(Operand::from(value))
            }
            _ => self.fail("syntax error: operand expected"),
        }
    }
}

fn power(base: i64, exponent: u64) -> i64 {
    let (mut result, mut square, mut left) = (1i64, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        left >>= 1;
    }
    result
}
