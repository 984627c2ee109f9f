//! `IFS`: where unquoted expansions are cut.
use docsh_builtins::Session;

/// The characters of `IFS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ifs(Option<String>);

/// What a character is to field splitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Text.
    No,
    /// Space, tab or newline of `IFS`: any run of them is one delimiter, and none at either end.
    White,
    /// Any other character of `IFS`: each ends a field.
    Hard,
}

impl Ifs {
    /// As the session has it; unset is space, tab, newline.
    pub(crate) fn of(session: &Session) -> Ifs {
        match session.var("IFS") {
            None | Some(" \t\n") => Ifs(None),
            Some(chars) => Ifs(Some(chars.to_string())),
        }
    }

    /// What `c` is.
    pub(crate) fn cut(&self, c: char) -> Cut {
        let listed = match &self.0 {
            None => matches!(c, ' ' | '\t' | '\n'),
            Some(chars) => chars.contains(c),
        };
        match c {
            _ if !listed => Cut::No,
            ' ' | '\t' | '\n' => Cut::White,
            _ => Cut::Hard,
        }
    }

    /// Whether nothing is ever cut.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.as_deref() == Some("")
    }

    /// What `"$*"` joins with: the first character, or nothing.
    pub(crate) fn joint(&self) -> &str {
        match &self.0 {
            None => " ",
            Some(chars) => chars.chars().next().map_or("", |first| &chars[..first.len_utf8()]),
        }
    }
}
