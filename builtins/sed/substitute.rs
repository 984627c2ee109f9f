//! `s/regex/replacement/flags` over the pattern space.
use super::{
    exec::Machine,
    output::Target,
    script::{Regex, Substitution},
};
use crate::{Error, Result, limits::Growth, pattern::Pattern, successive::Successive};
use std::mem;

impl<'m> Machine<'m, '_> {
    pub(super) fn substitute(&mut self, substitution: &'m Substitution) -> Result<()> {
        let regex = self.regex(&substitution.regex)?;
        let groups = substitution.replacement.groups;
        if groups > regex.groups() {
            let message = format!("-e expression #1, char 0: invalid reference \\{groups} on `s' command's RHS");
            return Err(Error::failed(message));
        }
        let text = &self.pattern.text;
        let out = &mut self.scratch;
        out.clear();
        let mut captures = (groups > 0).then(|| regex.captures());
        let mut matches = Successive::new(text);
        // `copied`: up to where `text` has been copied.
        let (mut copied, mut count, mut replaced) = (0, 0, false);
        let mut growth = Growth::new(&self.call.memory);
        while let Some(found) = matches.next(regex, captures.as_mut())? {
            self.call.cancel.check()?;
            count += 1;
            if count < substitution.nth {
                continue;
            }
            replaced = true;
            let group = |n| match (n, &captures) {
                (0, _) => &text[found.clone()],
                (n, Some(captures)) => captures.get(n).map_or(&b""[..], |place| &text[place]),
                (_, None) => &b""[..],
            };
            growth.reach(out.len() + (found.start - copied) + substitution.replacement.length(group))?;
            out.extend_from_slice(&text[copied..found.start]);
            substitution.replacement.write(out, group);
            copied = found.end;
            if !substitution.global {
                break;
            }
        }
        if !replaced {
            return Ok(());
        }
        out.extend_from_slice(&text[copied..]);
        mem::swap(&mut self.pattern.text, &mut self.scratch);
        drop(growth);
        self.account()?;
        self.substituted = true;
        if substitution.print {
            self.print(Target::Main)?;
        }
        if let Some(target) = substitution.target {
            self.print(target)?;
        }
        Ok(())
    }

    /// The regex meant by a pattern: itself, or the one used last.
    pub(super) fn regex(&mut self, regex: &'m Regex) -> Result<&'m Pattern> {
        let regex = regex.as_ref().or(self.last_regex);
        self.last_regex = regex;
        regex.ok_or_else(|| Error::failed("-e expression #1, char 0: no previous regular expression"))
    }
}
