//! The constructs with a body: groups, subshells, conditions, loops, `case`, `select`, `[[ ]]` and `(( ))`.
use super::{
    expand,
    interp::Interp,
    jump::{Jump, Outcome},
};
use crate::syntax::ast::{CaseArm, CaseEnd, Compound, Part, Script, Word};
use docsh_builtins::Status;
use std::io::Write;

impl Interp {
    /// Run a construct.
    pub fn compound(&mut self, compound: &Compound) -> Outcome {
        match compound {
            Compound::Brace(body) => self.script(body),
            Compound::Subshell(body) => {
                let mut shell = self.fork()?;
                shell.run_to_end(|shell| shell.script(body))
            }
            Compound::If { arms, otherwise } => {
                for (guard, body) in arms {
                    if self.unchecked(|shell| shell.script(guard))?.is_ok() {
                        return self.script(body);
                    }
                }
                otherwise.as_ref().map_or(Ok(Status::OK), |body| self.script(body))
            }
            Compound::Loop { until, guard, body } => self.looping(|shell| {
                if shell.unchecked(|shell| shell.script(guard))?.is_ok() == *until {
                    return Ok(None);
                }
                shell.script(body).map(Some)
            }),
            Compound::For { name, .. } | Compound::Select { name, .. } if !expand::is_name(name) => {
                self.complain(format_args!("`{name}': not a valid identifier"));
                Ok(Status::FAILURE)
            }
            Compound::For { name, words, body } => {
                let words = self.loop_words(words.as_deref())?;
                let _paid = self.pay_for(&words)?;
                let mut words = words.into_iter();
                let mut failed = false;
                let status = self.looping(|shell| {
                    let Some(word) = words.next() else { return Ok(None) };
                    if !expand::set_var(shell, name, word)? {
                        failed = true;
                        return Ok(None);
                    }
                    shell.script(body).map(Some)
                })?;
                Ok(if failed { Status::FAILURE } else { status })
            }
            Compound::Select { name, words, body } => self.select(name, words.as_deref(), body),
            Compound::ArithFor { clauses, body } => self.arith_for(clauses, body),
            Compound::Case { word, arms } => self.case(word, arms),
            Compound::Arith(word) => {
                let value = expand::arith_checked(self, word, "((")?;
                Ok(Status::from(value.is_some_and(|value| value != 0)))
            }
            Compound::Cond(cond) => self.cond(cond),
        }
    }

    /// Turns of a loop until `turn` answers `None` or a jump leaves it; `break` and `continue` are settled here.
    fn looping(&mut self, mut turn: impl FnMut(&mut Interp) -> Outcome<Option<Status>>) -> Outcome {
        let mut status = Status::OK;
        self.loops += 1;
        let result = loop {
            if let Err(stop) = self.cancel.check() {
                break Err(stop.into());
            }
            match turn(self) {
                Ok(Some(turned)) => status = turned,
                Ok(None) => break Ok(status),
                Err(Jump::Break(0 | 1)) => break Ok(Status::OK),
                Err(Jump::Break(n)) => break Err(Jump::Break(n - 1)),
                Err(Jump::Continue(0 | 1)) => status = Status::OK,
                Err(Jump::Continue(n)) => break Err(Jump::Continue(n - 1)),
                Err(jump) => break Err(jump),
            }
        };
        self.loops -= 1;
        result
    }

    fn loop_words(&mut self, words: Option<&[Word]>) -> Outcome<Vec<String>> {
        match words {
            Some(words) => expand::words(self, words),
            None => Ok(self.env.session.positional.clone()),
        }
    }

    fn arith_for(&mut self, clauses: &[Word; 3], body: &Script) -> Outcome {
        let [first, test, step] = clauses;
        // An expression that is wrong ends the loop with status 1.
        let value = |shell: &mut Interp, clause: &Word, empty| match is_blank(clause) {
            true => Ok(Some(empty)),
            false => expand::arith_checked(shell, clause, "(("),
        };
        if value(self, first, 0)?.is_none() {
            return Ok(Status::FAILURE);
        }
        let (mut begun, mut failed) = (false, false);
        let status = self.looping(|shell| {
            if std::mem::replace(&mut begun, true) && value(shell, step, 0)?.is_none() {
                failed = true;
                return Ok(None);
            }
            match value(shell, test, 1)? {
                Some(0) => Ok(None),
                Some(_) => shell.script(body).map(Some),
                None => {
                    failed = true;
                    Ok(None)
                }
            }
        })?;
        Ok(if failed { Status::FAILURE } else { status })
    }

    fn case(&mut self, word: &Word, arms: &[CaseArm]) -> Outcome {
        let text = expand::single(self, word)?;
        let mut status = Status::OK;
        let mut falling = false;
        for arm in arms {
            let mut matches = falling;
            for pattern in &arm.patterns {
                if matches {
                    break;
                }
                matches = expand::pattern(self, pattern)?.matches(&text);
            }
            if !matches {
                continue;
            }
            status = self.script(&arm.body)?;
            match arm.end {
                CaseEnd::Break => return Ok(status),
                CaseEnd::FallThrough => falling = true,
                CaseEnd::TestNext => falling = false,
            }
        }
        Ok(status)
    }

    fn select(&mut self, name: &str, words: Option<&[Word]>, body: &Script) -> Outcome {
        let words = self.loop_words(words)?;
        let _paid = self.pay_for(&words)?;
        if words.is_empty() {
            return Ok(Status::OK);
        }
        let menu: String = words.iter().enumerate().map(|(at, word)| format!("{}) {word}\n", at + 1)).collect();
        let mut show = true;
        self.looping(|shell| {
            let prompt = shell.env.session.var("PS3").unwrap_or("#? ").to_string();
            let menu = if std::mem::take(&mut show) { menu.as_str() } else { "" };
            let _ = shell.stderr().write_all(format!("{menu}{prompt}").as_bytes());
            let Some(reply) = super::builtins::read_line(shell)? else {
                shell.write_all("select", b"\n")?;
                return Err(Jump::Break(1));
            };
            let choice = reply.trim().parse::<usize>().ok().and_then(|n| words.get(n.checked_sub(1)?));
            let choice = choice.cloned().unwrap_or_default();
            expand::set_var(shell, "REPLY", reply.clone())?;
            if reply.is_empty() {
                show = true;
                return Ok(Some(Status::OK));
            }
            expand::set_var(shell, name, choice)?;
            shell.script(body).map(Some)
        })
    }
}

/// Whether a clause of `for ((;;))` holds nothing but white space.
fn is_blank(clause: &Word) -> bool {
    match clause.0.as_slice() {
        [] => true,
        [Part::Lit(text)] => text.trim().is_empty(),
        _ => false,
    }
}
