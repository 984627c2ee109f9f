//! What matches: the patterns, and how they are meant.
use super::value::unrecognized;
use crate::{
    Call, Error, FsError, Result, Status,
    pattern::{Dialect, Options, Pattern, PatternError, Whole},
    rg::smart,
    scan::Rules,
};
use std::io::Read;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    Rust,
    Perl,
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Sensitive,
    Insensitive,
    Smart,
}

/// What the options say of it.
pub(super) struct Matching {
    /// `None` until an option gives one: else the first operand is the pattern.
    pub(super) patterns: Option<Vec<String>>,
    engine: Engine,
    case: Case,
    fixed: bool,
    whole: Whole,
    multiline_dotall: bool,
    crlf: bool,
    unicode: bool,
}

impl Matching {
    pub(super) fn new() -> Matching {
        Matching {
            patterns: None,
            engine: Engine::Rust,
            case: Case::Sensitive,
            fixed: false,
            whole: Whole::Any,
            multiline_dotall: false,
            crlf: false,
            unicode: true,
        }
    }

    /// Take an option, and read the file of patterns that it names; `false` when it says nothing of what matches.
    pub(super) fn set(&mut self, key: &str, value: &str, call: &mut Call<'_>) -> Result<bool> {
        match key {
            "regexp" => self.patterns.get_or_insert_default().push(value.to_string()),
            "file" => self.patterns.get_or_insert_default().extend(lines_of(call, value)?),
            "case-sensitive" => self.case = Case::Sensitive,
            "ignore-case" => self.case = Case::Insensitive,
            "smart-case" => self.case = Case::Smart,
            "fixed-strings" => self.fixed = true,
            "no-fixed-strings" => self.fixed = false,
            "word-regexp" => self.whole = Whole::Word,
            "line-regexp" => self.whole = Whole::Line,
            "pcre2" => self.engine = Engine::Perl,
            "no-pcre2" => self.engine = Engine::Rust,
            "auto-hybrid-regex" => self.engine = Engine::Auto,
            "engine" => {
                self.engine = match value {
                    "default" => Engine::Rust,
                    "pcre2" => Engine::Perl,
                    "auto" => Engine::Auto,
                    _ => return Err(unrecognized(key, value)),
                }
            }
            "multiline-dotall" => self.multiline_dotall = true,
            "no-multiline-dotall" => self.multiline_dotall = false,
            "crlf" => self.crlf = true,
            "no-crlf" => self.crlf = false,
            "no-unicode" => self.unicode = false,
            "unicode" => self.unicode = true,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The matcher of all patterns, for texts that are looked through by `rules`; `size` bytes are its limit.
    pub(super) fn pattern(&self, rules: &Rules, size: usize) -> Result<Pattern> {
        let patterns = self.patterns.as_deref().unwrap_or_default();
        let ignore_case = match self.case {
            Case::Sensitive => false,
            Case::Insensitive => true,
            Case::Smart => smart::ignores_case(patterns, self.fixed),
        };
        let options = Options {
            ignore_case,
            lines: !(rules.multiline || rules.null_data),
            anchors_at_newlines: rules.multiline || rules.null_data,
            dot_matches_newline: rules.multiline && self.multiline_dotall,
            unicode_digits: true,
            ascii: !self.unicode,
            crlf: self.crlf,
            whole: self.whole,
            size,
        };
        let compile = |dialect| Pattern::new(patterns, dialect, options);
        let perl = || match patterns {
            [_] => compile(Dialect::Perl),
            many => {
                let joined = many.iter().map(|text| format!("(?:{text})")).collect::<Vec<_>>().join("|");
                Pattern::new(&[joined], Dialect::Perl, options)
            }
        };
        let pattern = match self.engine {
            _ if self.fixed => compile(Dialect::Fixed),
            Engine::Rust => compile(Dialect::Rust),
            Engine::Perl => perl(),
            Engine::Auto => compile(Dialect::Rust).or_else(|error: PatternError| perl().map_err(|_| error)),
        };
        Ok(pattern?)
    }
}

/// The lines of a file of patterns; `-` is stdin.
fn lines_of(call: &mut Call<'_>, name: &str) -> Result<Vec<String>> {
    let trouble = |error: &FsError| Error::Failed(format!("{name}: {error}"), Status(2));
    let mut bytes = Vec::new();
    let mut input = match name {
        "-" => call.stdin.clone(),
        _ => call.open(name).map_err(|error| trouble(&error))?,
    };
    match input.read_to_end(&mut bytes) {
        Ok(_) => call.memory.take(bytes.len())?,
        Err(error) => return Err(trouble(&FsError::within(error.into())?)),
    }
    Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect())
}
