//! The words of a program.
use super::number;
use std::rc::Rc;

/// One word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Text(Rc<Vec<u8>>),
    Name(Rc<str>),
    /// A name with `(` right behind it.
    FunctionName(Rc<str>),
    Word(Word),
    /// An operator or a bracket, by its text.
    Sign(&'static str),
    Newline,
    End,
}

/// The words that a language has for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Begin,
    BeginFile,
    Break,
    Case,
    Continue,
    Default,
    Delete,
    Do,
    Else,
    End,
    EndFile,
    Exit,
    For,
    Function,
    Getline,
    If,
    In,
    Next,
    NextFile,
    Print,
    Printf,
    Return,
    Switch,
    While,
}

impl Word {
    fn named(name: &str) -> Option<Word> {
        Some(match name {
            "BEGIN" => Word::Begin,
            "BEGINFILE" => Word::BeginFile,
            "break" => Word::Break,
            "case" => Word::Case,
            "continue" => Word::Continue,
            "default" => Word::Default,
            "delete" => Word::Delete,
            "do" => Word::Do,
            "else" => Word::Else,
            "END" => Word::End,
            "ENDFILE" => Word::EndFile,
            "exit" => Word::Exit,
            "for" => Word::For,
            "func" | "function" => Word::Function,
            "getline" => Word::Getline,
            "if" => Word::If,
            "in" => Word::In,
            "next" => Word::Next,
            "nextfile" => Word::NextFile,
            "print" => Word::Print,
            "printf" => Word::Printf,
            "return" => Word::Return,
            "switch" => Word::Switch,
            "while" => Word::While,
            _ => return None,
        })
    }
}

/// Longest first.
const SIGNS: [&str; 46] = [
    "**=", "&&", "||", "==", "!=", "<=", ">=", "!~", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", ">>", "|&",
    "{", "}", "(", ")", "[", "]", ";", ",", "+", "-", "*", "/", "%", "^", "!", "<", ">", "|", "?", ":", "~", "$", "=",
    "@", "&", ".", "\\",
];

/// A mistake in the text: where, and what.
#[derive(Debug)]
pub(super) struct Mistake {
    pub(super) at: usize,
    pub(super) message: String,
}

/// Reads words from a program. Only the parser knows whether `/` divides or begins a regex, so it asks.
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    /// Where the next word is looked for.
    pub(super) at: usize,
    /// Where the word read last begins.
    pub(super) start: usize,
    /// Backslashes that mean nothing: where their strings begin, and the letters behind them.
    pub(super) warnings: Vec<(usize, u8)>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8]) -> Lexer<'a> {
        Lexer { text, at: 0, start: 0, warnings: Vec::new() }
    }

    fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    fn mistake(&self, at: usize, message: impl Into<String>) -> Mistake {
        Mistake { at, message: message.into() }
    }

    /// The next word.
    pub(super) fn next(&mut self) -> Result<Token, Mistake> {
        self.skip_blanks();
        self.start = self.at;
        let Some(&first) = self.rest().first() else { return Ok(Token::End) };
        match first {
            b'\n' => {
                self.at += 1;
                Ok(Token::Newline)
            }
            b'"' => self.string(),
            b'0'..=b'9' => Ok(self.number()),
            b'.' if self.rest().get(1).is_some_and(u8::is_ascii_digit) => Ok(self.number()),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => Ok(self.name()),
            _ => self.sign(first),
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\r', ..] => self.at += 1,
                [b'\\', b'\n', ..] => self.at += 2,
                [b'\\', b'\r', b'\n', ..] => self.at += 3,
                [b'#', ..] => {
                    self.at += memchr::memchr(b'\n', self.rest()).unwrap_or(self.rest().len());
                }
                _ => return,
            }
        }
    }

    fn number(&mut self) -> Token {
        let rest = self.rest();
        if let [b'0', b'x' | b'X', digits @ ..] = rest {
            let length = digits.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            if length > 0 {
                self.at += 2 + length;
                return Token::Number(number::any_base(&rest[..2 + length]));
            }
        }
        let (decimal, length) = number::prefix(rest);
        self.at += length.max(1);
        let digits = &rest[..length];
        let is_octal =
            digits.len() > 1 && digits[0] == b'0' && digits.iter().all(|digit| (b'0'..=b'7').contains(digit));
        Token::Number(if is_octal { number::any_base(digits) } else { decimal })
    }

    fn name(&mut self) -> Token {
        let rest = self.rest();
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        self.at += length;
        let name = std::str::from_utf8(&rest[..length]).unwrap_or_default();
        match Word::named(name) {
            Some(word) => Token::Word(word),
            None if rest.get(length) == Some(&b'(') => Token::FunctionName(name.into()),
            None => Token::Name(name.into()),
        }
    }

    fn sign(&mut self, first: u8) -> Result<Token, Mistake> {
        let rest = self.rest();
        match SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
            Some(sign) => {
                self.at += sign.len();
                Ok(Token::Sign(match *sign {
                    "**" => "^",
                    "**=" => "^=",
                    sign => sign,
                }))
            }
            None => Err(self.mistake(self.at, format!("invalid char '{}' in expression", char::from(first)))),
        }
    }

    fn string(&mut self) -> Result<Token, Mistake> {
        let start = self.at;
        self.at += 1;
        let mut end = self.at;
        loop {
            match self.text.get(end) {
                None | Some(b'\n') => {
                    return Err(self.mistake(start, "unterminated string"));
                }
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
            }
        }
        let raw = &self.text[self.at..end];
        self.at = end + 1;
        let text = unescape(raw, |letter| self.warnings.push((start, letter)));
        Ok(Token::Text(Rc::new(text)))
    }

    /// The regex whose opening `/` has just been read (as `/` or `/=`); its `\/` are plain.
    pub(super) fn regex(&mut self) -> Result<Vec<u8>, Mistake> {
        let start = self.start;
        self.at = start + 1;
        let mut text = Vec::new();
        let mut in_list = false;
        loop {
            match self.rest() {
                [] | [b'\n', ..] => return Err(self.mistake(start + 1, "unterminated regexp")),
                [b'/', ..] if !in_list => break,
                [b'\\', b'/', ..] => {
                    text.push(b'/');
                    self.at += 2;
                    continue;
                }
                [b'\\', b'\n', ..] => {
                    self.at += 2;
                    continue;
                }
                [b'\\', next, ..] => {
                    text.extend([b'\\', *next]);
                    self.at += 2;
                    continue;
                }
                [b'[', after @ ..] if !in_list => {
                    in_list = closes(after);
                    if in_list {
                        // A bracket right at the start of a list is one of its characters.
                        text.push(b'[');
                        self.at += 1;
                        for first in [b'^', b']'] {
                            if self.rest().first() == Some(&first) {
                                text.push(first);
                                self.at += 1;
                            }
                        }
                        continue;
                    }
                }
                [b'[', b':', ..] => {
                    if let Some(end) = self.rest().windows(2).position(|pair| pair == b":]") {
                        text.extend_from_slice(&self.rest()[..end + 2]);
                        self.at += end + 2;
                        continue;
                    }
                }
                [b']', ..] => in_list = false,
                _ => {}
            }
            text.push(self.rest()[0]);
            self.at += 1;
        }
        self.at += 1;
        Ok(text)
    }
}

/// Whether the list begun before `rest` is closed on its line.
fn closes(rest: &[u8]) -> bool {
    let rest = rest.strip_prefix(b"^").unwrap_or(rest);
    let rest = rest.strip_prefix(b"]").unwrap_or(rest);
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.contains(&b']')
}

/// The text of a string constant, of `-v` and of operands like `var=text`.
/// `warn` hears of each letter whose backslash meant nothing.
pub(super) fn unescape(raw: &[u8], mut warn: impl FnMut(u8)) -> Vec<u8> {
    let mut text = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'\\' {
            text.push(byte);
            continue;
        }
        let Some((&letter, tail)) = rest.split_first() else {
            text.push(b'\\');
            break;
        };
        rest = tail;
        match letter {
            b'a' => text.push(7),
            b'b' => text.push(8),
            b'f' => text.push(12),
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b't' => text.push(b'\t'),
            b'v' => text.push(11),
            b'"' | b'\\' => text.push(letter),
            b'\n' => {}
            b'0'..=b'7' => {
                let more = rest.iter().take(2).take_while(|digit| (b'0'..=b'7').contains(digit)).count();
                let digits = std::iter::once(&letter).chain(&rest[..more]);
                text.push(digits.fold(0u32, |value, digit| value * 8 + u32::from(digit - b'0')) as u8);
                rest = &rest[more..];
            }
            b'x' => {
                let length = rest.iter().take(2).take_while(|digit| digit.is_ascii_hexdigit()).count();
                if length == 0 {
                    text.push(b'x');
                }
                let digits = std::str::from_utf8(&rest[..length]).unwrap_or_default();
                text.extend(u8::from_str_radix(digits, 16));
                rest = &rest[length..];
            }
            letter => {
                warn(letter);
                text.push(letter);
            }
        }
    }
    text
}
