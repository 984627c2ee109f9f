//! The word before the cursor: what its text means so far, and how a name is written in its place.
use docsh_builtins::{Session, quote};

/// The quotes that a name stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quote {
    /// None: special characters have a backslash.
    None,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
}

impl Quote {
    /// `name` as it is typed between these quotes.
    pub fn write(self, name: &str) -> String {
        match self {
            Quote::None => quote::for_shell(name),
            Quote::Single => name.replace('\'', "'\\''"),
            Quote::Double => {
                let mut text = String::with_capacity(name.len());
                for c in name.chars() {
                    if matches!(c, '"' | '$' | '`' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
                text
            }
        }
    }

    /// What ends them.
    pub fn close(self) -> &'static str {
        match self {
            Quote::None => "",
            Quote::Single => "'",
            Quote::Double => "\"",
        }
    }
}

/// A path that is being typed.
#[derive(Debug, PartialEq, Eq)]
pub struct Typed {
    /// The folder, with its last slash; empty for the working directory.
    pub folder: String,
    /// The beginning of the name in it.
    pub name: String,
    /// Where in the word the name begins, in bytes: behind the quote that it stands in.
    pub name_at: usize,
    /// The quotes that are open there.
    pub quote: Quote,
}

impl Typed {
    /// Read the word `raw`, which may end within quotes. `None` when it holds what only a run could tell: a pattern, a
    /// substitution, `${x%y}`.
    pub fn read(raw: &str, session: &Session) -> Option<Typed> {
        let mut typed = Typed { folder: String::new(), name: String::new(), name_at: 0, quote: Quote::None };
        let mut open = Quote::None;
        let mut rest = raw;
        if raw.starts_with("~/") {
            typed.name.push_str(session.var("HOME")?);
            rest = &raw[1..];
        }
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            match (c, open) {
                ('\'', Quote::None) => typed.open(&mut open, Quote::Single, raw.len() - rest.len()),
                ('"', Quote::None) => typed.open(&mut open, Quote::Double, raw.len() - rest.len()),
                ('\'', Quote::Single) | ('"', Quote::Double) => open = Quote::None,
                ('/', _) => {
                    typed.folder.push_str(&std::mem::take(&mut typed.name));
                    typed.folder.push('/');
                    (typed.name_at, typed.quote) = (raw.len() - rest.len(), open);
                }
                ('\\', Quote::None | Quote::Double) => {
                    let Some(quoted) = rest.chars().next() else { break };
                    if open == Quote::Double && !matches!(quoted, '"' | '$' | '`' | '\\') {
                        typed.name.push('\\');
                    }
                    typed.name.push(quoted);
                    rest = &rest[quoted.len_utf8()..];
                }
                ('$', Quote::None | Quote::Double) => {
                    let (name, after) = variable(rest)?;
                    typed.name.push_str(session.var(name)?);
                    rest = after;
                    if typed.name.ends_with('/') {
                        typed.folder.push_str(&std::mem::take(&mut typed.name));
                        (typed.name_at, typed.quote) = (raw.len() - rest.len(), open);
                    }
                }
                ('`', Quote::None | Quote::Double) | ('*' | '?' | '[' | '{' | '(', Quote::None) => return None,
                (c, _) => typed.name.push(c),
            }
        }
        // A slash in here came out of a variable: there is no place in the word where the name begins.
        (!typed.name.contains('/')).then_some(typed)
    }

    /// A quote opens. Before a name it stays where it is.
    fn open(&mut self, open: &mut Quote, quote: Quote, after: usize) {
        *open = quote;
        if self.name.is_empty() {
            (self.name_at, self.quote) = (after, quote);
        }
    }
}

/// The variable of `NAME…` or `{NAME}…`, and what follows it.
fn variable(text: &str) -> Option<(&str, &str)> {
    let is_other = |c: char| c != '_' && !c.is_ascii_alphanumeric();
    match text.strip_prefix('{') {
        Some(text) => text.split_once('}').filter(|(name, _)| !name.contains(is_other)),
        None => Some(text.split_at(text.find(is_other).unwrap_or(text.len()))).filter(|(name, _)| !name.is_empty()),
    }
}
