//! `s/regex/replacement/flags` over the pattern space.
use super::{
    exec::Machine,
    output::Target,
    script::{Regex, Substitution},
    transliterate::characters,
};
use crate::{Error, Result, pattern::Pattern};
use std::{mem, ops::Range};

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
        // `copied`: up to where `text` has been copied; `from`: where the next match may begin.
        let (mut copied, mut from, mut count) = (0, 0, 0);
        let mut found = regex.captures();
        let mut previous = None;
        let mut replaced = false;
        while from <= text.len() {
            self.call.cancel.check()?;
            if !regex.captures_at(text, from, &mut found)? {
                break;
            }
            let Range { start, end } = found.get(0).unwrap_or(from..from);
            // An empty match right behind another match is none.
            if !(start == end && previous == Some(start)) {
                count += 1;
                if count >= substitution.nth {
                    replaced = true;
                    out.extend_from_slice(&text[copied..start]);
                    let group = |n| found.get(n).map_or(&b""[..], |place| &text[place]);
                    substitution.replacement.write(out, group);
                    copied = end;
                    if !substitution.global {
                        break;
                    }
                }
            }
            previous = Some(end);
            from = match start == end {
                true => end + characters(&text[end..]).next().map_or(1, <[u8]>::len),
                false => end,
            };
        }
        if !replaced {
            return Ok(());
        }
        out.extend_from_slice(&text[copied..]);
        mem::swap(&mut self.pattern.text, &mut self.scratch);
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
