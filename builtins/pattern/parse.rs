//! From the text of a POSIX pattern to its [`Node`]s, by the rules of a [`Syntax`].
//!
//! What is an operator depends on where it stands (`*` at the start of a BRE is a star, `^` in the middle is a caret);
//! the rules are those of glibc's `regcomp`, whose errors these are, word for word.
use super::{
    PatternError,
    ast::{Look, Node},
    bracket, class,
    syntax::{Escapes, Leading, Syntax, Written},
};

/// Groups and repeats inside each other, at most.
const DEPTH: usize = 250;
/// glibc's `RE_DUP_MAX`.
const REPEATS: u32 = 0x7fff;

pub(super) const TOO_BIG: &str = "Regular expression too big";

/// What a text means.
pub(super) struct Parsed {
    pub(super) node: Node,
    /// How many groups it has.
    pub(super) groups: u32,
    /// glibc would search for it byte by byte, so that an empty match can lie within a character: there is nothing in
    /// it that needs characters, which classes, ranges and word edges do (`optimize_utf8` in its `regcomp.c`).
    pub(super) bytewise: bool,
    /// What grep would say on stderr.
    pub(super) warnings: Vec<String>,
}

/// Parse `text`.
pub(super) fn parse(text: &str, syntax: &Syntax) -> Result<Parsed, PatternError> {
    let mut parser = Parser {
        text,
        at: 0,
        syntax,
        groups: 0,
        closed: Vec::new(),
        open: 0,
        depth: 0,
        bytewise: true,
        warnings: Vec::new(),
    };
    let node = parser.alternatives()?;
    Ok(Parsed { node, groups: parser.groups, bytewise: parser.bytewise, warnings: parser.warnings })
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    syntax: &'a Syntax,
    groups: u32,
    /// The groups that are complete, which a back-reference may name.
    closed: Vec<u32>,
    /// Groups begun and not ended here.
    open: usize,
    depth: usize,
    bytewise: bool,
    warnings: Vec<String>,
}

/// The next thing in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    End,
    Char(char),
    Any,
    List,
    Open,
    Close,
    Or,
    Star,
    Plus,
    Question,
    Interval,
    Caret,
    Dollar,
    Look(Look),
    Word { negated: bool },
    Space { negated: bool },
    BackReference(u32),
    TrailingBackslash,
}

impl Token {
    fn needs_characters(self) -> bool {
        match self {
            Token::Word { .. } | Token::Space { .. } => true,
            Token::Look(look) => {
                matches!(look, Look::WordEdge | Look::NotWordEdge | Look::WordStart | Look::WordEnd)
            }
            _ => false,
        }
    }
}

impl Parser<'_> {
    fn alternatives(&mut self) -> Result<Node, PatternError> {
        let mut branches = vec![self.branch()?];
        while self.take(Token::Or) {
            branches.push(self.branch()?);
        }
        Ok(match branches.len() {
            1 => branches.remove(0),
            _ => Node::Alternate(branches),
        })
    }

    fn branch(&mut self) -> Result<Node, PatternError> {
        let mut parts = Vec::new();
        loop {
            match self.peek().0 {
                Token::End | Token::Or => break,
                Token::Close if self.open > 0 => break,
                _ => match self.piece()? {
                    Node::Empty => {}
                    node => parts.push(node),
                },
            }
        }
        Ok(match parts.len() {
            0 => Node::Empty,
            1 => parts.remove(0),
            _ => Node::Concat(parts),
        })
    }

    /// One atom with what repeats it.
    fn piece(&mut self) -> Result<Node, PatternError> {
        let (token, length) = self.peek();
        let start = self.at;
        self.at += length;
        self.bytewise &= !token.needs_characters();
        let atom = match token {
            Token::Char(c) => Node::Char(c),
            Token::Any => Node::Any,
            Token::List => self.list(start)?,
            Token::Open => self.group()?,
            // An anchor cannot be repeated: what follows it stands at the start of an expression. Only grep repeats
            // `$`.
            Token::Caret => return Ok(Node::Look(Look::LineStart)),
            Token::Dollar if self.syntax.warns => Node::Look(Look::LineEnd),
            Token::Dollar => return Ok(Node::Look(Look::LineEnd)),
            Token::Look(look) => return Ok(Node::Look(look)),
            Token::Word { negated } => Node::Set { class: class::word().clone(), negated },
            Token::Space { negated } => {
                let class = class::posix("space").cloned().unwrap_or_else(regex_syntax::hir::ClassUnicode::empty);
                Node::Set { class, negated }
            }
            Token::BackReference(n) if self.closed.contains(&n) => Node::BackReference(n),
            Token::BackReference(_) => return Err("Invalid back reference".into()),
            Token::TrailingBackslash => return Err("Trailing backslash".into()),
            Token::Close if self.syntax.stray_close_is_text => Node::Char(')'),
            Token::Close => return Err("Unmatched ) or \\)".into()),
            Token::Star | Token::Plus | Token::Question | Token::Interval => {
                return self.nothing_to_repeat(start, token);
            }
            Token::End | Token::Or => return Ok(Node::Empty),
        };
        self.repeated(atom)
    }

    /// `*` and its kin at the start of an expression.
    fn nothing_to_repeat(&mut self, start: usize, token: Token) -> Result<Node, PatternError> {
        if token == Token::Interval && self.syntax.strict_repeats {
            return Err("Invalid preceding regular expression".into());
        }
        let leading = match (token, self.syntax.leading) {
            (Token::Interval, Leading::Skipped) if self.interval()?.is_none() => Leading::Literal,
            (_, leading) => leading,
        };
        match leading {
            Leading::Invalid => Err("Invalid preceding regular expression".into()),
            Leading::Skipped => {
                if self.syntax.warns {
                    let what = match token {
                        Token::Interval => "{...}",
                        _ => &self.text[start..self.at],
                    };
                    self.warnings.push(format!("{what} at start of expression"));
                }
                self.repeated(Node::Empty)
            }
            Leading::Literal => {
                let character = self.text[..self.at].chars().next_back().unwrap_or_default();
                self.repeated(Node::Char(character))
            }
        }
    }

    /// `atom` with the repeats that follow it.
    fn repeated(&mut self, atom: Node) -> Result<Node, PatternError> {
        let mut node = atom;
        let mut count = 0;
        loop {
            let (token, length) = self.peek();
            let start = self.at;
            self.at += length;
            let (min, max) = match token {
                Token::Star => (0, None),
                Token::Plus => (1, None),
                Token::Question => (0, Some(1)),
                Token::Interval => match self.interval()? {
                    Some(bounds) => bounds,
                    None => {
                        // Taken as text: the brace begins the next atom.
                        self.at = start + length;
                        let brace = self.repeated(Node::Char('{'))?;
                        return Ok(Node::Concat(vec![node, brace]));
                    }
                },
                _ => {
                    self.at = start;
                    return Ok(node);
                }
            };
            let strict = self.syntax.strict_repeats && count > 0 && matches!(token, Token::Star | Token::Interval);
            if strict {
                return Err("Invalid preceding regular expression".into());
            }
            count += 1;
            if count > DEPTH {
                return Err(TOO_BIG.into());
            }
            node = match node {
                Node::Empty => Node::Empty,
                // `a**` is `a*`, however long the row of stars.
                Node::Repeat { node, min: 0, max: None } if max.is_none() => Node::Repeat { node, min: 0, max: None },
                node => Node::Repeat { node: Box::new(node), min, max },
            };
        }
    }

    /// The bounds of an interval after its brace. `None` when it makes no sense and is text; the place is then
    /// behind the brace.
    fn interval(&mut self) -> Result<Option<(u32, Option<u32>)>, PatternError> {
        let brace = self.at;
        let invalid = |parser: &mut Self, message: &'static str| {
            parser.at = brace;
            if parser.syntax.bad_interval_is_text { Ok(None) } else { Err(message.into()) }
        };
        let first = self.number();
        let (min, max) =
            if self.take_char(',') { (first.unwrap_or(0), self.number()) } else { (first.unwrap_or(0), first) };
        if first.is_none() && self.text[brace..self.at].is_empty() {
            let ended = self.at == self.text.len();
            return invalid(self, if ended { "Unmatched \\{" } else { "Invalid content of \\{\\}" });
        }
        let close = if self.syntax.intervals == Written::Bare { "}" } else { "\\}" };
        if !self.text[self.at..].starts_with(close) {
            let ended = self.at == self.text.len()
                || self.syntax.intervals == Written::Escaped && !self.text[self.at..].contains(close);
            return invalid(self, if ended { "Unmatched \\{" } else { "Invalid content of \\{\\}" });
        }
        self.at += close.len();
        if max.is_some_and(|max| min > max) {
            return Err("Invalid content of \\{\\}".into());
        }
        if max.unwrap_or(min) > REPEATS {
            return Err(TOO_BIG.into());
        }
        Ok(Some((min, max)))
    }

    fn number(&mut self) -> Option<u32> {
        let rest = &self.text[self.at..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        self.at += digits;
        match digits {
            0 => None,
            _ => Some(rest[..digits].parse().unwrap_or(u32::MAX)),
        }
    }

    fn group(&mut self) -> Result<Node, PatternError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(TOO_BIG.into());
        }
        self.groups += 1;
        let number = self.groups;
        self.open += 1;
        let node = self.alternatives()?;
        self.open -= 1;
        if !self.take(Token::Close) {
            return Err("Unmatched ( or \\(".into());
        }
        self.depth -= 1;
        self.closed.push(number);
        Ok(Node::Group(number, Box::new(node)))
    }

    fn list(&mut self, start: usize) -> Result<Node, PatternError> {
        let bracket = bracket::parse(&self.text[self.at..], self.syntax)?;
        self.at += bracket.length;
        self.bytewise &= bracket.simple;
        let list = &self.text[start..self.at];
        if self.syntax.warns && list.len() > 3 && list.starts_with("[:") && list.ends_with(":]") {
            return Err("character class syntax is [[:space:]], not [:space:]".into());
        }
        Ok(bracket.node)
    }

    fn take(&mut self, wanted: Token) -> bool {
        let (token, length) = self.peek();
        if token == wanted {
            self.at += length;
        }
        token == wanted
    }

    fn take_char(&mut self, wanted: char) -> bool {
        let found = self.text[self.at..].starts_with(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// The token that begins here and its length in bytes.
    fn peek(&mut self) -> (Token, usize) {
        let syntax = self.syntax;
        let rest = &self.text[self.at..];
        let mut chars = rest.chars();
        let Some(first) = chars.next() else {
            return (Token::End, 0);
        };
        let bare = |written: Written, token: Token| if written == Written::Bare { token } else { Token::Char(first) };
        let token = match first {
            '\\' => return self.peek_escape(chars.next()),
            '.' => Token::Any,
            '[' => Token::List,
            '*' => Token::Star,
            '+' => bare(syntax.plus, Token::Plus),
            '?' => bare(syntax.plus, Token::Question),
            '{' => bare(syntax.intervals, Token::Interval),
            '(' => bare(syntax.groups, Token::Open),
            ')' => bare(syntax.groups, Token::Close),
            '|' => bare(syntax.alternation, Token::Or),
            '\n' if syntax.newline_alternates => Token::Or,
            '^' if syntax.anchors_anywhere || self.caret_may_anchor() => Token::Caret,
            '$' if syntax.anchors_anywhere || self.dollar_may_anchor() => Token::Dollar,
            other => Token::Char(other),
        };
        (token, first.len_utf8())
    }

    fn peek_escape(&mut self, second: Option<char>) -> (Token, usize) {
        let syntax = self.syntax;
        let Some(second) = second else {
            return (Token::TrailingBackslash, 1);
        };
        let escaped =
            |written: Written, token: Token| if written == Written::Escaped { token } else { Token::Char(second) };
        if let Some((token, length)) = escape(&self.text[self.at..], syntax.escapes) {
            return (token, length);
        }
        let token = match second {
            '(' => escaped(syntax.groups, Token::Open),
            ')' => escaped(syntax.groups, Token::Close),
            '{' => escaped(syntax.intervals, Token::Interval),
            '|' => escaped(syntax.alternation, Token::Or),
            '+' => escaped(syntax.plus, Token::Plus),
            '?' => escaped(syntax.plus, Token::Question),
            '1'..='9' if syntax.back_references => Token::BackReference(second as u32 - '0' as u32),
            '<' if syntax.gnu_operators => Token::Look(Look::WordStart),
            '>' if syntax.gnu_operators => Token::Look(Look::WordEnd),
            'b' if syntax.gnu_operators => Token::Look(Look::WordEdge),
            'B' if syntax.gnu_operators => Token::Look(Look::NotWordEdge),
            '`' if syntax.gnu_operators => Token::Look(Look::TextStart),
            '\'' if syntax.gnu_operators => Token::Look(Look::TextEnd),
            'w' if syntax.gnu_operators => Token::Word { negated: false },
            'W' if syntax.gnu_operators => Token::Word { negated: true },
            's' if syntax.gnu_operators => Token::Space { negated: false },
            'S' if syntax.gnu_operators => Token::Space { negated: true },
            other => Token::Char(other),
        };
        (token, 1 + second.len_utf8())
    }

    /// In a BRE a caret anchors at the start, after `\(`, `\|` and a newline.
    fn caret_may_anchor(&self) -> bool {
        let before = &self.text[..self.at];
        let group = before.strip_suffix("\\(").or_else(|| before.strip_suffix("\\|"));
        before.is_empty()
            || group.is_some_and(|rest| trailing_backslashes(rest).is_multiple_of(2))
            || self.syntax.newline_alternates && before.ends_with('\n')
    }

    /// In a BRE a dollar anchors at the end, before `\)`, `\|` and a newline.
    fn dollar_may_anchor(&self) -> bool {
        let after = &self.text[self.at + 1..];
        after.is_empty()
            || after.starts_with("\\)") && self.syntax.groups == Written::Escaped
            || after.starts_with("\\|") && self.syntax.alternation == Written::Escaped
            || self.syntax.newline_alternates && after.starts_with('\n')
    }
}

fn trailing_backslashes(text: &str) -> usize {
    text.len() - text.trim_end_matches('\\').len()
}

/// The character (or, for awk, the word edge) that the backslash sequence at the start of `text` stands for.
fn escape(text: &str, escapes: Escapes) -> Option<(Token, usize)> {
    if escapes == Escapes::Awk && text.starts_with("\\y") {
        return Some((Token::Look(Look::WordEdge), 2));
    }
    let (character, length) = escaped_char(text, escapes)?;
    Some((Token::Char(character), length))
}

/// The character that the backslash sequence at the start of `text` stands for, and its length in bytes.
pub(super) fn escaped_char(text: &str, escapes: Escapes) -> Option<(char, usize)> {
    let second = *text.as_bytes().get(1)?;
    let simple = match (second, escapes) {
        (_, Escapes::None) => return None,
        (b'n', _) => '\n',
        (b't', _) => '\t',
        (b'a', _) => '\x07',
        (b'f', _) => '\x0c',
        (b'v', _) => '\x0b',
        (b'r', _) => '\r',
        (b'b', Escapes::Awk) => '\x08',
        (b'x', _) => return coded(text, 2, 16, 2),
        (b'd', Escapes::Sed) => return coded(text, 2, 10, 3),
        (b'o', Escapes::Sed) => return coded(text, 2, 8, 3),
        (b'0'..=b'7', Escapes::Awk) => return coded(text, 1, 8, 3),
        (b'c', Escapes::Sed) => {
            let control = text.as_bytes().get(2).filter(|byte| byte.is_ascii() && **byte != b'\\')?;
            return Some((char::from(control.to_ascii_uppercase() ^ 0x40), 3));
        }
        _ => return None,
    };
    Some((simple, 2))
}

/// A character by its number: up to `most` digits from `start` on. Numbers past ASCII are taken as code points.
fn coded(text: &str, start: usize, base: u32, most: usize) -> Option<(char, usize)> {
    let digits = text[start..].chars().take(most).take_while(|c| c.is_digit(base)).count();
    let value = u32::from_str_radix(&text[start..start + digits], base).ok()?;
    Some((char::from(value as u8), start + digits))
}
