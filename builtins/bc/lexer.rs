//! Text as tokens, line by line.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Number(String),
    Name(String),
    Text(String),
    /// An operator, a bracket, a separator.
    Sign(&'static str),
    Newline,
}

/// The longest come first.
const SIGNS: &[&str] = &[
    "+=", "-=", "*=", "/=", "%=", "^=", "++", "--", "&&", "||", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "^",
    "=", "<", ">", "!", "(", ")", "[", "]", "{", "}", ",", ";",
];

/// Reads lines; what a line leaves open (a comment, a text, a continued line) the next goes on with.
#[derive(Default)]
pub(super) struct Lexer {
    pub(super) tokens: Vec<Token>,
    /// Characters that mean nothing, for complaints.
    pub(super) illegal: Vec<char>,
    /// Lines read.
    pub(super) line: usize,
    /// Text that was not closed on its line.
    held: String,
    /// Braces opened and not closed.
    depth: usize,
}

impl Lexer {
    /// Whether the tokens surely do not end a statement.
    pub(super) fn is_open(&self) -> bool {
        self.depth > 0 || !self.held.is_empty()
    }

    /// Add the tokens of a line.
    pub(super) fn feed(&mut self, line: &str) {
        self.line += 1;
        let text = std::mem::take(&mut self.held) + line;
        let mut rest = &text[..];
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '\n' => self.push(Token::Newline, 1),
                ' ' | '\t' | '\r' => 1,
                '\\' if rest.starts_with("\\\n") => 2,
                '#' => rest.find('\n').unwrap_or(rest.len()),
                '"' => match rest[1..].find('"') {
                    Some(end) => self.push(Token::Text(rest[1..=end].to_string()), end + 2),
                    None => return self.held.push_str(rest),
                },
                '/' if rest.starts_with("/*") => match rest[2..].find("*/") {
                    Some(end) => end + 4,
                    None => return self.held.push_str(rest),
                },
                '0'..='9' | 'A'..='Z' | '.' => match number(rest) {
                    Some((digits, length)) => self.push(Token::Number(digits), length),
                    None => return self.held.push_str(rest),
                },
                'a'..='z' => {
                    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                    self.push(Token::Name(rest[..length].to_string()), length)
                }
                _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                    Some(sign) => self.push(Token::Sign(sign), sign.len()),
                    None => {
                        self.illegal.push(first);
                        first.len_utf8()
                    }
                },
            };
            rest = &rest[length..];
        }
    }

    fn push(&mut self, token: Token, length: usize) -> usize {
        match token {
            Token::Sign("{") => self.depth += 1,
            Token::Sign("}") => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.tokens.push(token);
        length
    }

    /// Forget the first `count` tokens.
    pub(super) fn drop_front(&mut self, count: usize) {
        self.tokens.drain(..count);
        self.depth = self.tokens.iter().fold(0, |depth: usize, token| match token {
            Token::Sign("{") => depth + 1,
            Token::Sign("}") => depth.saturating_sub(1),
            _ => depth,
        });
    }
}

/// The number that `text` begins with, without the backslashes that continue it on the next line, and its length;
/// `None` when that line is not here yet.
fn number(text: &str) -> Option<(String, usize)> {
    let mut digits = String::new();
    let mut at = 0;
    let mut point = false;
    while let Some(next) = text[at..].chars().next() {
        match next {
            '0'..='9' | 'A'..='Z' => digits.push(next),
            '.' if !point => {
                point = true;
                digits.push(next);
            }
            '\\' if text[at..].starts_with("\\\n") => {
                at += 2;
                if at == text.len() {
                    return None;
                }
                continue;
            }
            _ => break,
        }
        at += 1;
    }
    Some((digits, at))
}
