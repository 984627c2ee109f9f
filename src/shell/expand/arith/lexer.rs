//! The tokens of an expression.
use super::number;
use std::ops::Range;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    End,
    Number(i64),
    /// A variable and its subscript, as places in the text.
    Name(Range<usize>, Option<Range<usize>>),
    /// `=`, or `+=` and its kin.
    Assign(Option<Operator>),
    Operator(Operator),
    Increment,
    Decrement,
    Not,
    Complement,
    Open,
    Close,
    Question,
    Colon,
    Comma,
}

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Left,
    Right,
    Plus,
    Minus,
    Times,
    Divide,
    Remainder,
    Power,
}

impl Operator {
    /// How tightly it binds, from 1.
    pub(super) fn precedence(self) -> u8 {
        match self {
            Operator::Or => 1,
            Operator::And => 2,
            Operator::BitOr => 3,
            Operator::BitXor => 4,
            Operator::BitAnd => 5,
            Operator::Equal | Operator::Unequal => 6,
            Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => 7,
            Operator::Left | Operator::Right => 8,
            Operator::Plus | Operator::Minus => 9,
            Operator::Times | Operator::Divide | Operator::Remainder => 10,
            Operator::Power => 11,
        }
    }
}

const OPERATORS: [(&str, Token); 36] = {
    use Operator::*;
    [
        ("<<=", Token::Assign(Some(Left))),
        (">>=", Token::Assign(Some(Right))),
        ("**", Token::Operator(Power)),
        ("||", Token::Operator(Or)),
        ("&&", Token::Operator(And)),
        ("==", Token::Operator(Equal)),
        ("!=", Token::Operator(Unequal)),
        ("<=", Token::Operator(LessOrEqual)),
        (">=", Token::Operator(GreaterOrEqual)),
        ("<<", Token::Operator(Left)),
        (">>", Token::Operator(Right)),
        ("+=", Token::Assign(Some(Plus))),
        ("-=", Token::Assign(Some(Minus))),
        ("*=", Token::Assign(Some(Times))),
        ("/=", Token::Assign(Some(Divide))),
        ("%=", Token::Assign(Some(Remainder))),
        ("&=", Token::Assign(Some(BitAnd))),
        ("|=", Token::Assign(Some(BitOr))),
        ("^=", Token::Assign(Some(BitXor))),
        ("+", Token::Operator(Plus)),
        ("-", Token::Operator(Minus)),
        ("*", Token::Operator(Times)),
        ("/", Token::Operator(Divide)),
        ("%", Token::Operator(Remainder)),
        ("&", Token::Operator(BitAnd)),
        ("|", Token::Operator(BitOr)),
        ("^", Token::Operator(BitXor)),
        ("<", Token::Operator(Less)),
        (">", Token::Operator(Greater)),
        ("=", Token::Assign(None)),
        ("!", Token::Not),
        ("~", Token::Complement),
        ("(", Token::Open),
        (")", Token::Close),
        ("?", Token::Question),
        (":", Token::Colon),
    ]
};

/// Reads tokens one by one.
pub(super) struct Lexer<'t> {
    pub(super) text: &'t str,
    at: usize,
    /// Where the last token began; the end of the text is none.
    pub(super) start: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, at: 0, start: 0 }
    }

    /// The next token after `before`.
    pub(super) fn next(&mut self, before: &Token) -> Result<Token, &'static str> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return Ok(Token::End) };
        self.start = self.at;
        match first {
            '0'..='9' => {
                let length = length(rest, |c| c.is_ascii_alphanumeric() || matches!(c, '#' | '@' | '_'));
                self.at += length;
                number::parse(&rest[..length]).map(Token::Number)
            }
            _ if is_name_start(first) => self.name(),
            '+' | '-' if self.doubled(first, before) => {
                self.at += 2;
                Ok(if first == '+' { Token::Increment } else { Token::Decrement })
            }
            ',' => {
                self.at += 1;
                Ok(Token::Comma)
            }
            _ => match OPERATORS.iter().find(|(text, _)| rest.starts_with(text)) {
                Some((text, token)) => {
                    self.at += text.len();
                    Ok(token.clone())
                }
                None => Err(match before {
                    Token::Number(_) | Token::Name(..) | Token::Close | Token::Increment | Token::Decrement => {
                        "syntax error: invalid arithmetic operator"
                    }
                    _ => "syntax error: operand expected",
                }),
            },
        }
    }

    /// Double quotes are blanks: they have done their work when the text was expanded.
    fn skip_blanks(&mut self) {
        self.at += length(&self.text[self.at..], |c| matches!(c, ' ' | '\t' | '\n' | '"'));
    }

    /// Whether `++` or `--` stands here as such: after a variable, or before one.
    fn doubled(&self, sign: char, before: &Token) -> bool {
        let rest = &self.text[self.at..];
        rest[1..].starts_with(sign)
            && (matches!(before, Token::Name(..))
                || rest[2..].trim_start_matches([' ', '\t', '\n']).starts_with(is_name_start))
    }

    fn name(&mut self) -> Result<Token, &'static str> {
        let start = self.at;
        self.at += length(&self.text[start..], |c| is_name_start(c) || c.is_ascii_digit());
        let name = start..self.at;
        if !self.text[self.at..].starts_with('[') {
            return Ok(Token::Name(name, None));
        }
        let inside = self.at + 1;
        match closing(&self.text[inside..]) {
            Some(0) | None => Err("bad array subscript"),
            Some(length) => {
                self.at = inside + length + 1;
                Ok(Token::Name(name, Some(inside..inside + length)))
            }
        }
    }
}

/// Whether a variable's name may begin with `c`.
fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// Where the `]` stands that closes a subscript which `text` is in.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut quote = None;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match (c, quote) {
            ('\\', _) => drop(chars.next()),
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('[', None) => depth += 1,
            (']', None) if depth == 0 => return Some(at),
            (']', None) => depth -= 1,
            _ => {}
        }
    }
    None
}
