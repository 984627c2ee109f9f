//! Prompt strings: the escapes of `PS1` and `${x@P}`.
use super::here_document;
use crate::{
    shell::{
        interp::{Interp, Mode},
        jump::Outcome,
    },
    syntax,
};
use docsh_builtins::Moment;
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
            Some('d') => decoded.push_str(&now("%a %b %d")),
            Some('t') => decoded.push_str(&now("%H:%M:%S")),
            Some('T') => decoded.push_str(&now("%I:%M:%S")),
            Some('@') => decoded.push_str(&now("%I:%M %p")),
            Some('A') => decoded.push_str(&now("%H:%M")),
            Some('D') if chars.peek() == Some(&'{') => {
                chars.next();
                let template: String = chars.by_ref().take_while(|c| *c != '}').collect();
                decoded.push_str(&now(if template.is_empty() { "%H:%M:%S" } else { &template }));
            }
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

/// The time (UTC), as `date +template` shows it.
fn now(template: &str) -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Moment::utc(seconds as i64).format(template)
}
