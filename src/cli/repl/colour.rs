//! A line in colours while it is typed: what is a command, what is not one, quotes, expansions, comments.
use crate::syntax::outline::{Class, Span};

/// A line of more bytes than this is shown as it is: every key would colour and write all of it anew, which for a line
/// that comes as fast as a terminal pastes it takes the square of its length.
pub const LONG: usize = 1024;

const GREEN: &str = "32";
const RED: &str = "31";
const YELLOW: &str = "33";
const BLUE: &str = "34";
const MAGENTA: &str = "35";
const CYAN: &str = "36";
const GREY: &str = "90";
const PLAIN: &str = "0";

/// `line` in the colours of its outline; `is_command` tells whether a name would run something.
pub fn paint(line: &str, spans: &[Span], is_command: impl Fn(&str) -> bool) -> String {
    let mut styles = vec![PLAIN; line.len()];
    for span in spans {
        let text = &line[span.start..span.end];
        let style = match span.class {
            Class::Command if !is_plain(text) || is_command(text) => GREEN,
            Class::Command => RED,
            Class::Keyword => MAGENTA,
            Class::Operator => BLUE,
            Class::Quoted => YELLOW,
            Class::Expansion => CYAN,
            Class::Comment => GREY,
            Class::Name | Class::Argument | Class::Assignment | Class::Target => PLAIN,
        };
        styles[span.start..span.end].fill(style);
    }
    let mut painted = String::with_capacity(line.len() * 2);
    let mut current = PLAIN;
    for (at, c) in line.char_indices() {
        if styles[at] != current {
            current = styles[at];
            painted.push_str(&code(current));
        }
        painted.push(c);
    }
    if current != PLAIN {
        painted.push_str(&code(PLAIN));
    }
    painted
}

/// `text` in grey: a hint.
pub fn faint(text: &str) -> String {
    format!("{}{text}{}", code(GREY), code(PLAIN))
}

fn code(style: &str) -> String {
    format!("\u{1b}[{style}m")
}

/// Whether a command's name is written as it is, so that it can be looked up.
fn is_plain(name: &str) -> bool {
    !name.contains(['\'', '"', '\\', '$', '`', '*', '?', '[', '{', '~'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::outline::outline;

    #[test]
    fn each_part_has_its_colour() {
        let painted = |line| paint(line, &outline(line, true), |name| name == "cat").replace('\u{1b}', "^");
        assert_eq!(painted("cat 'a' | grpe"), "^[32mcat^[0m ^[33m'a'^[0m ^[34m|^[0m ^[31mgrpe^[0m");
        assert_eq!(
            painted("if cat \"$(cat x)\""),
            "^[35mif^[0m ^[32mcat^[0m ^[33m\"^[36m$(^[32mcat^[36m ^[0mx^[34m)^[33m\"^[0m"
        );
        assert_eq!(painted("plain text"), "^[31mplain^[0m text");
    }
}
