//! What the parts of a line are, for who shows or completes it while it is typed.
//!
//! The lexer notes each part as it reads it, so an outline and the tree never disagree; of a text that is not complete,
//! or wrong, it says what was read until then. What stands in backquotes and here-documents is not looked into.
use super::{
    ParseOptions,
    lexer::{Extent, Notes, read},
    with_notes,
};

/// A part of a text. Parts nest; the outer one comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends; the end of the text while it is open.
    pub end: usize,
    /// What it is.
    pub class: Class,
    /// How many constructs it stands in: the words of one command have the same depth.
    pub depth: u32,
}

/// What a part of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The name of a command.
    Command,
    /// A reserved word.
    Keyword,
    /// The name of a function where it is defined, or of a variable after `for`.
    Name,
    /// Any other word of a command.
    Argument,
    /// `name=value` before a command.
    Assignment,
    /// The word of a redirection.
    Target,
    /// `|`, `&&`, `;`, the sign of a redirection.
    Operator,
    /// A quoted part of a word.
    Quoted,
    /// `$name`, `${…}`, `$(…)` and the like in a word.
    Expansion,
    /// A comment.
    Comment,
}

impl Class {
    /// Whether it is a word of its own, not a part of one.
    pub fn is_word(self) -> bool {
        matches!(self, Class::Command | Class::Name | Class::Argument | Class::Assignment | Class::Target)
    }
}

/// The parts of `text`, in the order in which they begin.
pub fn outline(text: &str, extglob: bool) -> Vec<Span> {
    let options = ParseOptions { extglob, aliases: None };
    let notes = Notes { spans: Some(Vec::new()), ..Notes::default() };
    let (_, notes) = with_notes(text, &options, notes, |source| read(source, Extent::All));
    notes.spans.unwrap_or_default()
}

/// A [`Span`] that has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun(usize);

impl Notes {
    /// A part begins. It reaches to the end of the text unless it is [ended](Notes::end).
    pub(super) fn begin(&mut self, start: usize, text_end: usize, class: Class, depth: u32) -> Begun {
        let Some(spans) = &mut self.spans else { return Begun(0) };
        spans.push(Span { start, end: text_end, class, depth });
        Begun(spans.len() - 1)
    }

    /// It ends here; an empty one was none.
    pub(super) fn end(&mut self, Begun(at): Begun, end: usize) {
        match self.spans.as_mut().and_then(|spans| spans.get_mut(at)) {
            Some(span) if span.start < end => span.end = end,
            Some(_) => self.forget(Begun(at)),
            None => {}
        }
    }

    /// It was none.
    pub(super) fn forget(&mut self, Begun(at): Begun) {
        if let Some(spans) = &mut self.spans {
            spans.truncate(at);
        }
    }

    /// It turned out to be this.
    pub(super) fn classify(&mut self, Begun(at): Begun, class: Class) {
        if let Some(span) = self.spans.as_mut().and_then(|spans| spans.get_mut(at)) {
            span.class = class;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each part as `Class text`.
    fn parts(text: &str) -> Vec<String> {
        let show = |span: &Span| format!("{:?} {}", span.class, &text[span.start..span.end]);
        outline(text, true).iter().map(show).collect()
    }

    #[test]
    fn a_line_is_told_apart() {
        assert_eq!(
            parts("if A=1 grep -r 'a b' \"$x\" >out | wc; then # done"),
            [
                "Keyword if",
                "Assignment A=1",
                "Command grep",
                "Argument -r",
                "Argument 'a b'",
                "Quoted 'a b'",
                "Argument \"$x\"",
                "Quoted \"$x\"",
                "Expansion $x",
                "Operator >",
                "Target out",
                "Operator |",
                "Command wc",
                "Operator ;",
                "Keyword then",
                "Comment # done",
            ]
        );
        assert_eq!(
            parts("f() { for i in a; do :; done; }"),
            [
                "Name f",
                "Keyword {",
                "Keyword for",
                "Name i",
                "Keyword in",
                "Argument a",
                "Operator ;",
                "Keyword do",
                "Command :",
                "Operator ;",
                "Keyword done",
                "Operator ;",
                "Keyword }",
            ]
        );
    }

    #[test]
    fn what_is_open_reaches_to_the_end() {
        assert_eq!(parts("cat 'a b"), ["Command cat", "Argument 'a b", "Quoted 'a b"]);
        assert_eq!(
            parts("echo $(cat fo"),
            ["Command echo", "Argument $(cat fo", "Expansion $(cat fo", "Command cat", "Argument fo"]
        );
        assert_eq!(parts("echo ${HO"), ["Command echo", "Argument ${HO", "Expansion ${HO"]);
        assert_eq!(parts("cat <"), ["Command cat", "Operator <"]);
    }

    #[test]
    fn the_words_of_a_command_have_its_depth() {
        let spans = outline("a $(b c) d", true);
        let depths: Vec<u32> = spans.iter().filter(|span| span.class.is_word()).map(|span| span.depth).collect();
        // a, $(b c), b, c, d
        assert_eq!(depths, [0, 0, 1, 1, 0]);
    }
}
