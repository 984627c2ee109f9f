//! How a name is shown: quotes, colour, the mark behind it.
use crate::{Kind, Meta, Quoting, VPath, uname::HOST, width};

/// The mark behind a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Indicator {
    None,
    /// `/` behind folders.
    Slash,
    /// What is neither a plain file nor executable.
    FileType,
    /// The same, and `*` behind executable files.
    Classify,
}

/// The look of names.
pub(super) struct Names {
    pub(super) quoting: Quoting,
    pub(super) question_marks: bool,
    pub(super) indicator: Indicator,
    pub(super) colour: bool,
    /// Names are links to their files, for terminals that follow them.
    pub(super) links: bool,
    /// Whether names without quotes stand under the text of those with quotes.
    pub(super) aligned: bool,
}

impl Names {
    pub(super) fn new(on_terminal: bool) -> Names {
        let quoting = if on_terminal { Quoting::ShellEscape } else { Quoting::Literal };
        Names {
            quoting,
            question_marks: on_terminal,
            indicator: Indicator::None,
            colour: false,
            links: false,
            aligned: false,
        }
    }

    /// No quotes, no colour: `--zero`.
    pub(super) fn plain(&mut self) {
        (self.quoting, self.question_marks, self.colour) = (Quoting::Literal, false, false);
    }

    /// The name in its quotes.
    pub(super) fn quote(&self, name: &str) -> String {
        let text = self.quoting.quote(name);
        match self.question_marks {
            true => text.replace(|c: char| c.is_control(), "?"),
            false => text,
        }
    }

    /// Whether quotes stand around `name` that do not stand around others.
    pub(super) fn is_quoted(&self, name: &str) -> bool {
        self.aligned && self.quoting.is_selective() && self.quoting.quote(name).starts_with(['\'', '"'])
    }

    /// Columns of the name with its mark.
    pub(super) fn width(&self, name: &str, meta: &Meta) -> usize {
        width::of(&self.quote(name)) + usize::from(self.mark(meta).is_some())
    }

    /// The name in its quotes, as a link to its `path` where names are links. Quotes that others lack are no part of
    /// it.
    pub(super) fn linked(&self, name: &str, path: &dyn Fn() -> Option<VPath>) -> String {
        let text = self.quote(name);
        let Some(path) = self.links.then(path).flatten() else { return text };
        let (quote, shown) = match self.is_quoted(name) {
            true => (&text[..1], &text[1..text.len() - 1]),
            false => ("", text.as_str()),
        };
        let mut link = String::new();
        for byte in path.to_string().bytes() {
            match byte {
                b'/' | b'-' | b'.' | b'_' | b'~' => link.push(char::from(byte)),
                _ if byte.is_ascii_alphanumeric() => link.push(char::from(byte)),
                _ => link += &format!("%{byte:02x}"),
            }
        }
        format!("{quote}\x1b]8;;file://{HOST}{link}\x07{shown}\x1b]8;;\x07{quote}")
    }

    /// The name with its colour and its mark. `has_coloured` is whether a colour has been used before.
    pub(super) fn show(
        &self,
        name: &str,
        path: &dyn Fn() -> Option<VPath>,
        meta: &Meta,
        has_coloured: &mut bool,
    ) -> String {
        let mut text = self.linked(name, path);
        if let Some(colour) = self.colour(meta) {
            let reset = if std::mem::replace(has_coloured, true) { "" } else { "\x1b[0m" };
            text = format!("{reset}\x1b[{colour}m{text}\x1b[0m");
        }
        text.extend(self.mark(meta));
        text
    }

    /// The mark behind the name of what `meta` tells of.
    pub(super) fn mark(&self, meta: &Meta) -> Option<char> {
        match (self.indicator, meta.kind) {
            (Indicator::None, _) => None,
            (_, Kind::Dir) => Some('/'),
            (Indicator::Classify, Kind::File) if meta.mode & 0o111 != 0 => Some('*'),
            _ => None,
        }
    }

    /// The colours that `ls` has when `LS_COLORS` is not set.
    fn colour(&self, meta: &Meta) -> Option<&'static str> {
        match meta.kind {
            _ if !self.colour => None,
            Kind::Dir => Some("01;34"),
            Kind::Device => Some("33;01"),
            Kind::File if meta.mode & 0o111 != 0 => Some("01;32"),
            Kind::File => None,
        }
    }
}
