//! From the text of a shell pattern to its tokens.
use super::{
    Glob, GlobFlags,
    class::{self, Item, List},
};

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// This character.
    Char(char),
    /// `?`
    Any,
    /// `*`
    Star,
    /// `[…]`
    List(List),
    /// `?(…)` and its kin.
    Group(Times, Vec<Vec<Token>>),
}

/// How often the choices of a group match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    /// `?(…)`
    Optional,
    /// `*(…)`
    Any,
    /// `+(…)`
    Some,
    /// `@(…)`
    Once,
    /// `!(…)`: anything but a choice.
    Not,
}

impl Token {
    /// Whether it, or a token in it, `is` so.
    pub(super) fn holds(&self, is: &dyn Fn(&Token) -> bool) -> bool {
        is(self) || matches!(self, Token::Group(_, choices) if choices.iter().flatten().any(|token| token.holds(is)))
    }
}

/// The tokens of `pattern`, and whether groups nest too deeply in it.
pub(super) fn parse(pattern: &str, flags: GlobFlags) -> (Vec<Token>, bool) {
    let chars: Vec<char> = pattern.chars().collect();
    let mut parser = Parser { chars: &chars, at: 0, flags, depth: 0, too_deep: false };
    let mut tokens = Vec::new();
    while let Some(token) = parser.token() {
        if token != Token::Star || tokens.last() != Some(&Token::Star) {
            tokens.push(token);
        }
    }
    (tokens, parser.too_deep)
}

struct Parser<'a> {
    chars: &'a [char],
    at: usize,
    flags: GlobFlags,
    depth: usize,
    too_deep: bool,
}

impl Parser<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn token(&mut self) -> Option<Token> {
        let first = self.peek(0)?;
        if self.flags.extended && self.peek(1) == Some('(') {
            let times = match first {
                '?' => Some(Times::Optional),
                '*' => Some(Times::Any),
                '+' => Some(Times::Some),
                '@' => Some(Times::Once),
                '!' => Some(Times::Not),
                _ => None,
            };
            if let Some(group) = times.and_then(|times| self.group(times)) {
                return Some(group);
            }
        }
        self.at += 1;
        Some(match first {
            '?' => Token::Any,
            '*' => Token::Star,
            '[' => self.list().map_or(Token::Char('['), Token::List),
            '\\' => match self.peek(0) {
                Some(escaped) => {
                    self.at += 1;
                    Token::Char(escaped)
                }
                None => Token::Char('\\'),
            },
            other => Token::Char(other),
        })
    }

    /// A group from its operator on; `None`, and nothing read, when it never ends.
    fn group(&mut self, times: Times) -> Option<Token> {
        let start = self.at;
        if self.depth == Glob::DEPTH {
            self.too_deep = true;
            return None;
        }
        if !ends(&self.chars[start + 2..]) {
            return None;
        }
        self.at += 2;
        self.depth += 1;
        let mut choices = vec![Vec::new()];
        loop {
            match self.peek(0) {
                None => {
                    self.depth -= 1;
                    self.at = start;
                    return None;
                }
                Some(')') => break,
                Some('|') => {
                    self.at += 1;
                    choices.push(Vec::new());
                }
                Some(_) => {
                    if let (Some(token), Some(choice)) = (self.token(), choices.last_mut()) {
                        choice.push(token);
                    }
                }
            }
        }
        self.at += 1;
        self.depth -= 1;
        Some(Token::Group(times, choices))
    }

    /// A list after its `[`; `None`, and nothing read, when it never ends.
    fn list(&mut self) -> Option<List> {
        let start = self.at;
        let list = self.items();
        if list.is_none() {
            self.at = start;
        }
        list
    }

    fn items(&mut self) -> Option<List> {
        let negated = matches!(self.peek(0), Some('!' | '^'));
        self.at += usize::from(negated);
        let mut items = Vec::new();
        let mut first = true;
        loop {
            let c = self.peek(0)?;
            if c == ']' && !first {
                self.at += 1;
                return Some(List { negated, items });
            }
            first = false;
            if c == '/' && self.flags.pathname {
                return None; // a slash ends a name, so it ends the list's chance too
            }
            if c == '['
                && self.peek(1) == Some(':')
                && let Some(name) = self.symbol(':')
            {
                items.extend(class::named(&name).map(Item::Class));
                continue;
            }
            let low = self.member()?;
            if self.peek(0) == Some('-') && !matches!(self.peek(1), Some(']') | None) {
                self.at += 1;
                let high = self.member()?;
                items.push(Item::Range(low, high));
            } else {
                items.push(Item::Range(low, low));
            }
        }
    }

    /// One character of a list, however it is written.
    fn member(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        if c == '[' {
            for close in ['.', '='] {
                if self.peek(1) == Some(close) {
                    let start = self.at;
                    let name = self.symbol(close).unwrap_or_default();
                    let mut chars = name.chars();
                    if let (Some(c), None) = (chars.next(), chars.next()) {
                        return Some(c);
                    }
                    self.at = start;
                }
            }
        }
        self.at += 1;
        if c == '\\' {
            let escaped = self.peek(0)?;
            self.at += 1;
            return Some(escaped);
        }
        Some(c)
    }

    /// What stands between `[:` and `:]`, or their like; nothing is read when it does not end.
    fn symbol(&mut self, mark: char) -> Option<String> {
        let rest = &self.chars[self.at + 2..];
        let end = rest.windows(2).position(|pair| pair == [mark, ']'])?;
        self.at += 2 + end + 2;
        Some(rest[..end].iter().collect())
    }
}

/// Whether a group whose `(` stands before `chars` is closed. Rows of unclosed ones must not be read again and again.
fn ends(chars: &[char]) -> bool {
    let mut depth = 1;
    let mut chars = chars.iter();
    while let Some(c) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return true;
        }
    }
    false
}
