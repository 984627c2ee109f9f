//! `expr`: an expression whose words are the arguments; numbers of any size, POSIX patterns.
use crate::{
    Builtin, Call, Error, Result, Status, curly,
    pattern::{Options, Pattern, Syntax},
};
use num_bigint::BigInt;
use std::{cmp::Ordering, io::Write};

pub(crate) static EXPR: Builtin = Builtin {
    name: "expr",
    synopsis: "EXPRESSION",
    about: "Print the value of EXPRESSION to standard output.",
    options: &[],
    trouble: Status(2),
    run,
};

/// Brackets within brackets.
const DEPTH: usize = 500;

fn run(call: &mut Call<'_>) -> Result<Status> {
    let words = match &call.args[1..] {
        [only] if only == "--help" => return Err(Error::Help),
        [only] if only == "--version" => return Err(Error::Version),
        [dashes, rest @ ..] if dashes == "--" => rest,
        words => words,
    };
    if words.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    let mut reader = Reader { words, at: 0, depth: 0, limit: call.limits.regex };
    let value = reader.or(true)?;
    if let Some(extra) = reader.peek() {
        return Err(failed(format!("syntax error: unexpected argument {}", curly(extra))));
    }
    writeln!(call.stdout, "{value}")?;
    Ok(Status::from(!is_null(&value)))
}

fn failed(message: String) -> Error {
    Error::Failed(message, Status(2))
}

/// Whether a value counts as false: empty, or a number that is zero.
fn is_null(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    value.is_empty() || (!digits.is_empty() && digits.bytes().all(|byte| byte == b'0'))
}

fn integer(value: &str) -> Option<BigInt> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let is = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is.then(|| BigInt::parse_bytes(value.as_bytes(), 10)).flatten()
}

/// Reads the words, operator by operator. Where `live` is false the value is not wanted, only where it ends.
struct Reader<'a> {
    words: &'a [String],
    at: usize,
    depth: usize,
    limit: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).map(String::as_str)
    }

    fn takes(&mut self, word: &str) -> bool {
        let is = self.peek() == Some(word);
        self.at += usize::from(is);
        is
    }

    fn takes_one_of(&mut self, words: &[&'static str]) -> Option<&'static str> {
        words.iter().find(|word| self.takes(word)).copied()
    }

    fn or(&mut self, live: bool) -> Result<String> {
        let mut left = self.and(live)?;
        while self.takes("|") {
            let right = self.and(live && is_null(&left))?;
            if is_null(&left) {
                left = if is_null(&right) { "0".to_string() } else { right };
            }
        }
        Ok(left)
    }

    fn and(&mut self, live: bool) -> Result<String> {
        let mut left = self.comparison(live)?;
        while self.takes("&") {
            let right = self.comparison(live && !is_null(&left))?;
            if is_null(&left) || is_null(&right) {
                left = "0".to_string();
            }
        }
        Ok(left)
    }

    fn comparison(&mut self, live: bool) -> Result<String> {
        let mut left = self.sum(live)?;
        while let Some(operator) = self.takes_one_of(&["<=", "<", "==", "=", "!=", ">=", ">"]) {
            let right = self.sum(live)?;
            let order = match (integer(&left), integer(&right)) {
                (Some(left), Some(right)) => left.cmp(&right),
                _ => left.cmp(&right),
            };
            let holds = match operator {
                "<" => order == Ordering::Less,
                "<=" => order != Ordering::Greater,
                "=" | "==" => order == Ordering::Equal,
                "!=" => order != Ordering::Equal,
                ">=" => order != Ordering::Less,
                _ => order == Ordering::Greater,
            };
            left = u8::from(holds).to_string();
        }
        Ok(left)
    }

    fn sum(&mut self, live: bool) -> Result<String> {
        let mut left = self.product(live)?;
        while let Some(operator) = self.takes_one_of(&["+", "-"]) {
            let right = self.product(live)?;
            if live {
                left = arithmetic(&left, operator, &right)?;
            }
        }
        Ok(left)
    }

    fn product(&mut self, live: bool) -> Result<String> {
        let mut left = self.matched(live)?;
        while let Some(operator) = self.takes_one_of(&["*", "/", "%"]) {
            let right = self.matched(live)?;
            if live {
                left = arithmetic(&left, operator, &right)?;
            }
        }
        Ok(left)
    }

    fn matched(&mut self, live: bool) -> Result<String> {
        let mut left = self.function(live)?;
        while self.takes(":") {
            let pattern = self.function(live)?;
            if live {
                left = self.find(&left, &pattern)?;
            }
        }
        Ok(left)
    }

    fn function(&mut self, live: bool) -> Result<String> {
        if self.takes("+") {
            return self.operand();
        }
        if self.takes("length") {
            return Ok(self.function(live)?.chars().count().to_string());
        }
        if self.takes("match") {
            let (text, pattern) = (self.function(live)?, self.function(live)?);
            return if live { self.find(&text, &pattern) } else { Ok(text) };
        }
        if self.takes("index") {
            let (text, letters) = (self.function(live)?, self.function(live)?);
            let found = text.chars().position(|letter| letters.contains(letter));
            return Ok(found.map_or(0, |at| at + 1).to_string());
        }
        if self.takes("substr") {
            let (text, start, length) = (self.function(live)?, self.function(live)?, self.function(live)?);
            let count = |text: &str| match integer(text) {
                Some(number) if number > BigInt::ZERO => Some(usize::try_from(&number).unwrap_or(usize::MAX)),
                _ => None,
            };
            return Ok(match (count(&start), count(&length)) {
                (Some(start), Some(length)) => text.chars().skip(start - 1).take(length).collect(),
                _ => String::new(),
            });
        }
        self.atom(live)
    }

    fn operand(&mut self) -> Result<String> {
        let Some(word) = self.peek() else {
            let before = curly(&self.words[self.at - 1]);
            return Err(failed(format!("syntax error: missing argument after {before}")));
        };
        self.at += 1;
        Ok(word.to_string())
    }

    fn atom(&mut self, live: bool) -> Result<String> {
        if self.takes("(") {
            self.depth += 1;
            if self.depth > DEPTH {
                return Err(Error::Failed(format!("limit of {DEPTH} nested brackets reached"), Status(126)));
            }
            let value = self.or(live)?;
            self.depth -= 1;
            return match self.peek() {
                Some(")") => {
                    self.at += 1;
                    Ok(value)
                }
                Some(other) => Err(failed(format!("syntax error: expecting ')' instead of {}", curly(other)))),
                None => {
                    let before = curly(&self.words[self.at - 1]);
                    Err(failed(format!("syntax error: expecting ')' after {before}")))
                }
            };
        }
        match self.peek() {
            Some(")") => Err(failed("syntax error: unexpected ')'".to_string())),
            _ => self.operand(),
        }
    }

    /// `text : pattern`: the first group, or how many characters match from the beginning on.
    fn find(&self, text: &str, pattern: &str) -> Result<String> {
        let options = Options { size: self.limit, anchors_at_newlines: true, ..Options::default() };
        let pattern = Pattern::posix(pattern, Syntax::POSIX_BASIC, options)?;
        let mut captures = pattern.captures();
        let found = pattern.captures_at(text.as_bytes(), 0, &mut captures)?;
        // The leftmost match begins at the beginning if any does.
        let whole = captures.get(0).filter(|whole| found && whole.start == 0);
        Ok(match (whole, pattern.groups()) {
            (None, 0) => "0".to_string(),
            (None, _) => String::new(),
            (Some(whole), 0) => text[whole].chars().count().to_string(),
            (Some(_), _) => captures.get(1).map_or(String::new(), |group| text[group].to_string()),
        })
    }
}

fn arithmetic(left: &str, operator: &str, right: &str) -> Result<String> {
    let (Some(a), Some(b)) = (integer(left), integer(right)) else {
        return Err(failed("non-integer argument".to_string()));
    };
    if matches!(operator, "/" | "%") && b == BigInt::ZERO {
        return Err(failed("division by zero".to_string()));
    }
    Ok(match operator {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        _ => a % b,
    }
    .to_string())
}

#[cfg(test)]
mod tests {
    fn expr(words: &str) -> String {
        let (stdout, stderr, status) = crate::testing::run(&[], &format!("expr {words}"), b"");
        format!(
            "{}{} {}",
            String::from_utf8_lossy(&stdout).trim_end(),
            String::from_utf8_lossy(&stderr).trim_end(),
            status.0
        )
    }

    #[test]
    fn arithmetic_and_comparison() {
        assert_eq!(expr("3 + 4 '*' 2"), "11 0");
        assert_eq!(expr("'(' 3 + 4 ')' '*' 2"), "14 0");
        assert_eq!(expr("-7 / 2"), "-3 0");
        assert_eq!(expr("99999999999999999999 '*' 10"), "999999999999999999990 0");
        assert_eq!(expr("10 '<' 9"), "0 1");
        assert_eq!(expr("10 '<' a"), "1 0");
        assert_eq!(expr("1 - 1"), "0 1");
    }

    #[test]
    fn texts() {
        assert_eq!(expr("length héllo"), "5 0");
        assert_eq!(expr("substr hello 2 3"), "ell 0");
        assert_eq!(expr("index hello lo"), "3 0");
        assert_eq!(expr(r"hello : 'h\(.\)'"), "e 0");
        assert_eq!(expr("hello : 'h.*l'"), "4 0");
        assert_eq!(expr("hello : l"), "0 1");
        assert_eq!(expr("'' '|' b"), "b 0");
        assert_eq!(expr("a '&' 0"), "0 1");
        assert_eq!(expr("1 '|' 1 / 0"), "1 0");
    }

    #[test]
    fn wrong_expressions_have_status_2() {
        assert_eq!(expr("7 / 0"), "expr: division by zero 2");
        assert_eq!(expr("a + 1"), "expr: non-integer argument 2");
        assert_eq!(expr("'(' 3"), "expr: syntax error: expecting ')' after ‘3’ 2");
        assert_eq!(expr("3 +"), "expr: syntax error: missing argument after ‘+’ 2");
        assert_eq!(expr("1 2"), "expr: syntax error: unexpected argument ‘2’ 2");
    }
}
