//! `[[ ]]`: expressions over words that are neither split nor globbed.
use super::{expand, interp::Interp, jump::Outcome, tools};
use crate::syntax::ast::{Cond, Word};
use docsh_builtins::{
    Array, Status, Value,
    pattern::{Options, Pattern, Syntax},
};

impl Interp {
    /// The status of an expression: 0 when it holds, 1 when it does not, 2 for a regular expression that is none.
    pub fn cond(&mut self, cond: &Cond) -> Outcome {
        Ok(match cond {
            Cond::Not(inner) => match self.cond(inner)? {
                Status(0) => Status::FAILURE,
                Status(1) => Status::OK,
                status => status,
            },
            Cond::And(left, right) => match self.cond(left)? {
                Status(0) => self.cond(right)?,
                status => status,
            },
            Cond::Or(left, right) => match self.cond(left)? {
                Status(0) => Status::OK,
                _ => self.cond(right)?,
            },
            Cond::Unary(op, word) => self.cond_unary(op, word)?,
            Cond::Binary(op, left, right) => self.cond_binary(op, left, right)?,
        })
    }
}

impl Interp {
    fn cond_unary(&mut self, op: &str, word: &Word) -> Outcome {
        let text = expand::single(self, word)?;
        Ok(match op {
            "-n" => Status::from(!text.is_empty()),
            "-z" => Status::from(text.is_empty()),
            "-v" => Status::from(expand::is_set(self, &text)?),
            "-R" => {
                let variable = self.env.session.vars.variable(&text);
                Status::from(variable.is_some_and(|variable| variable.attributes.nameref))
            }
            "-o" => Status::from(self.env.options.set.get(&text) == Some(true)),
            // Files are asked for in the words of `test`, which knows them all.
            op => self.ask_test(vec![op.to_string(), text]),
        })
    }

    fn cond_binary(&mut self, op: &str, left: &Word, right: &Word) -> Outcome {
        let text = expand::single(self, left)?;
        Ok(match op {
            "==" | "=" => Status::from(expand::pattern(self, right)?.matches(&text)),
            "!=" => Status::from(!expand::pattern(self, right)?.matches(&text)),
            "=~" => {
                let regex = expand::regex(self, right)?;
                self.cond_regex(&text, &regex)?
            }
            "<" | ">" => {
                let other = expand::single(self, right)?;
                Status::from(if op == "<" { text < other } else { text > other })
            }
            "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" => {
                let Some(left) = expand::arith_text_checked(self, &text, "[[")? else { return Ok(Status::FAILURE) };
                let right = expand::single(self, right)?;
                let Some(right) = expand::arith_text_checked(self, &right, "[[")? else { return Ok(Status::FAILURE) };
                Status::from(match op {
                    "-eq" => left == right,
                    "-ne" => left != right,
                    "-lt" => left < right,
                    "-le" => left <= right,
                    "-gt" => left > right,
                    _ => left >= right,
                })
            }
            op => {
                let other = expand::single(self, right)?;
                self.ask_test(vec![text, op.to_string(), other])
            }
        })
    }

    fn ask_test(&mut self, mut words: Vec<String>) -> Status {
        words.insert(0, "test".to_string());
        tools::find("test").map_or(Status(2), |test| tools::run(self, test, &words))
    }

    /// `text =~ regex`: POSIX extended, the leftmost longest match and its groups in `BASH_REMATCH`.
    fn cond_regex(&mut self, text: &str, regex: &str) -> Outcome {
        let options = Options { ignore_case: self.env.options.shopt.nocasematch, ..Options::default() };
        let Ok(pattern) = Pattern::posix(regex, Syntax::POSIX_EXTENDED, options) else {
            return Ok(Status(2));
        };
        let mut captures = pattern.captures();
        let groups: Array = match pattern.captures_at(text.as_bytes(), 0, &mut captures) {
            Ok(true) => (0..captures.len())
                .map(|at| {
                    let group = captures.get(at).and_then(|range| text.get(range));
                    (at as u64, group.unwrap_or_default().to_string())
                })
                .collect(),
            Ok(false) => Array::new(),
            Err(_) => return Ok(Status(2)),
        };
        let status = Status::from(!groups.is_empty());
        let variable = self.env.session.vars.variable_mut("BASH_REMATCH");
        variable.value = Value::Indexed(groups);
        Ok(status)
    }
}
