//! Prompt strings: the escapes of `PS1` and `${x@P}`.
use super::here_document;
use crate::{
    shell::{
        interp::{Interp, Mode},
        jump::Outcome,
    },
    syntax,
};
use std::time::{SystemTime, UNIX_EPOCH};

/// What `\[` becomes at a prompt: characters that take no room on the screen begin.
pub(crate) const UNSEEN_BEGINS: char = '\u{1}';
/// What `\]` becomes.
pub(crate) const UNSEEN_ENDS: char = '\u{2}';

/// `text` as bash prompts with it: its escapes, then (with `promptvars`) its parameters and substitutions.
pub(crate) fn expand(shell: &mut Interp, text: &str) -> Outcome<String> {
    let decoded = decode(shell, text);
    if !shell.env.options.shopt.promptvars || !decoded.contains(['$', '`', '\\']) {
        return Ok(decoded);
    }
    match syntax::parse_double_quoted(&decoded) {
        Ok(word) => here_document(shell, &word),
        Err(error) => {
            shell.complain(error);
            Ok(decoded)
        }
    }
}

fn decode(shell: &Interp, text: &str) -> String {
    let session = &shell.env.session;
    let mut decoded = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            decoded.push(c);
            continue;
        }
        match chars.next() {
            None => decoded.push('\\'),
            Some('a') => decoded.push('\u{7}'),
            Some('e') => decoded.push('\u{1b}'),
            Some('n') => decoded.push('\n'),
            Some('r') => decoded.push('\r'),
            Some('\\') => decoded.push('\\'),
            // Only a line editor wants to know which characters take no room.
            Some('[') if shell.mode == Mode::Interactive => decoded.push(UNSEEN_BEGINS),
            Some(']') if shell.mode == Mode::Interactive => decoded.push(UNSEEN_ENDS),
            Some('[' | ']') => {}
            Some('$') => decoded.push('#'),
            Some('!' | '#') => decoded.push('1'),
            Some('j') => decoded.push_str(&shell.jobs.running().to_string()),
            Some('l') => decoded.push_str("tty"),
            Some('s') => decoded.push_str(session.name.rsplit('/').next().unwrap_or_default()),
            Some('u') => decoded.push_str("root"),
            Some('h' | 'H') => decoded.push_str(session.var("HOSTNAME").unwrap_or("docsh")),
            Some('v') => decoded.push_str("5.2"),
            Some('V') => decoded.push_str("5.2.15"),
            Some('w') => decoded.push_str(&folder(shell)),
            Some('W') => {
                let folder = folder(shell);
                let last = folder.rsplit('/').find(|name| !name.is_empty());
                decoded.push_str(last.unwrap_or("/"));
            }
            Some(form @ ('d' | 't' | 'T' | '@' | 'A')) => decoded.push_str(&now(form)),
            Some(digit @ '0'..='7') => {
                let mut value = digit.to_digit(8).unwrap_or_default();
                for _ in 0..2 {
                    let Some(next) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + next;
                    chars.next();
                }
                decoded.push(char::from(value as u8));
            }
            Some(other) => decoded.extend(['\\', other]),
        }
    }
    decoded
}

/// The working directory, with `~` for `HOME`.
fn folder(shell: &Interp) -> String {
    let cwd = shell.env.session.cwd.as_str();
    match shell.env.session.var("HOME") {
        Some(home) if home != "/" && !home.is_empty() => match cwd.strip_prefix(home) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
            _ => cwd.to_string(),
        },
        _ => cwd.to_string(),
    }
}

/// The time (UTC) as one of the prompt's letters shows it.
fn now(form: char) -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    show(seconds, form)
}

fn show(seconds: u64, form: char) -> String {
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let short = match hour % 12 {
        0 => 12,
        hour => hour,
    };
    match form {
        't' => format!("{hour:02}:{minute:02}:{second:02}"),
        'T' => format!("{short:02}:{minute:02}:{second:02}"),
        '@' => format!("{short:02}:{minute:02} {}", if hour < 12 { "AM" } else { "PM" }),
        'A' => format!("{hour:02}:{minute:02}"),
        _ => {
            const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
            const MONTHS: [&str; 12] =
                ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
            let days = seconds / 86_400;
            let (month, day) = month_and_day(days);
            format!("{} {} {day:02}", DAYS[(days % 7) as usize], MONTHS[month])
        }
    }
}

/// The month from 0 and the day from 1, `days` after the epoch. Years are counted from March, so that the leap day ends
/// one.
fn month_and_day(days: u64) -> (usize, u64) {
    let of_era = (days + 719_468) % 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    (((from_march + 2) % 12) as usize, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_as_in_bash() {
        // date -u -d @1736942399 and @1709164800 (a leap day)
        assert_eq!(show(1_736_942_399, 'd'), "Wed Jan 15");
        assert_eq!(show(1_736_942_399, 't'), "11:59:59");
        assert_eq!(show(1_736_942_400, '@'), "12:00 PM");
        assert_eq!(show(1_709_164_800, 'd'), "Thu Feb 29");
        assert_eq!(show(0, 'T'), "12:00:00");
    }
}
