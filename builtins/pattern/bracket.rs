//! Bracket expressions: `[a-z]`, `[^]"]`, `[[:alpha:]_-]`, `[[.-.][=e=]]`.
use super::{PatternError, ast::Node, class, parse::escaped_char, syntax::Syntax};
use regex_syntax::hir::ClassUnicode;

const UNMATCHED: &str = "Unmatched [, [^, [:, [., or [=";

/// A list that has been read.
pub(super) struct Bracket {
    pub(super) node: Node,
    /// Its length up to and with the `]`.
    pub(super) length: usize,
    /// It only names ASCII characters one by one: glibc's simple brackets.
    pub(super) simple: bool,
}

/// Parse the list whose `[` stands before `text`.
pub(super) fn parse(text: &str, syntax: &Syntax) -> Result<Bracket, PatternError> {
    let mut list = List { text, at: 0, syntax, simple: true };
    let negated = list.take("^");
    let mut class = ClassUnicode::empty();
    let mut first = true;
    while first || !list.take("]") {
        list.item(first, &mut class)?;
        first = false;
    }
    let simple = list.simple && !negated;
    Ok(Bracket { node: Node::Set { class, negated }, length: list.at, simple })
}

struct List<'a> {
    text: &'a str,
    at: usize,
    syntax: &'a Syntax,
    simple: bool,
}

/// One element of a list.
enum Element {
    Char(char),
    /// A class, an equivalence class: it cannot end a range.
    Class(ClassUnicode),
}

impl List<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn take(&mut self, wanted: &str) -> bool {
        let found = self.rest().starts_with(wanted);
        if found {
            self.at += wanted.len();
        }
        found
    }

    /// One element, or a range of two, added to `class`.
    fn item(&mut self, first: bool, class: &mut ClassUnicode) -> Result<(), PatternError> {
        // A hyphen stands for itself at either end only.
        let hyphen = self.rest().starts_with('-');
        if hyphen && !first && !self.rest().starts_with("-]") && !self.rest().starts_with("--") {
            return Err("Invalid range end".into());
        }
        let start = self.element()?;
        if !self.rest().starts_with('-') || self.rest().starts_with("-]") {
            match start {
                Element::Char(c) => {
                    self.simple &= c.is_ascii();
                    class.union(&class::range(c, c));
                }
                Element::Class(set) => {
                    self.simple = false;
                    class.union(&set);
                }
            }
            return Ok(());
        }
        self.simple = false;
        self.at += 1;
        let end = self.element()?;
        match (start, end) {
            (Element::Char(start), Element::Char(end)) if start <= end => class.union(&class::range(start, end)),
            (Element::Char(_), Element::Char(_)) if !self.syntax.strict_ranges => {}
            _ => return Err("Invalid range end".into()),
        }
        Ok(())
    }

    fn element(&mut self) -> Result<Element, PatternError> {
        let mut chars = self.rest().chars();
        let first = chars.next().ok_or(UNMATCHED)?;
        if first == '\\' {
            if let Some((character, length)) = escaped_char(self.rest(), self.syntax.escapes) {
                self.at += length;
                return Ok(Element::Char(character));
            }
            if self.syntax.list_escapes {
                let second = chars.next().ok_or(UNMATCHED)?;
                self.at += 1 + second.len_utf8();
                return Ok(Element::Char(second));
            }
        }
        if first == '[' {
            match chars.next() {
                Some(':') if self.syntax.classes => {
                    let name = self.symbol(":]")?;
                    return match class::posix(name) {
                        Some(class) => Ok(Element::Class(class.clone())),
                        None => Err("Invalid character class name".into()),
                    };
                }
                Some('.') => return self.symbol(".]").and_then(single).map(Element::Char),
                Some('=') => {
                    let character = self.symbol("=]").and_then(single)?;
                    return Ok(Element::Class(class::range(character, character)));
                }
                _ => {}
            }
        }
        self.at += first.len_utf8();
        Ok(Element::Char(first))
    }

    /// What stands between `[:` and `:]`, or their like.
    fn symbol(&mut self, close: &str) -> Result<&str, PatternError> {
        let start = self.at + 2;
        let length = self.text[start..].find(close).ok_or(UNMATCHED)?;
        self.at = start + length + close.len();
        Ok(&self.text[start..start + length])
    }
}

/// A collating symbol: only characters are, in the C.UTF-8 locale.
fn single(name: &str) -> Result<char, PatternError> {
    let mut chars = name.chars();
    match (chars.next(), chars.next()) {
        (Some(character), None) => Ok(character),
        _ => Err("Invalid collation character".into()),
    }
}
