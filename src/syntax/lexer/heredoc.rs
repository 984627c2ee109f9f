//! Here-documents: `<<EOF`, `<<-EOF`, `<<'EOF'`. Their bodies begin after the line they are named on.
use super::params::bad_substitution;
use super::quotes::Quoted;
use super::source::{Res, Source};
use crate::syntax::ast::{Part, Word};
use crate::syntax::error::Warning;
use std::cell::RefCell;
use std::rc::Rc;

/// Where the body goes once it is read.
pub(super) type Body = Rc<RefCell<Option<Word>>>;

/// A here-document whose body has not been read.
#[derive(Debug)]
pub(super) struct PendingDoc {
    delimiter: String,
    quoted: bool,
    strip_tabs: bool,
    line: u32,
    body: Body,
}

impl Source<'_> {
    /// After `<<` or `<<-`: the delimiter. The body follows the line.
    pub(super) fn heredoc(&mut self, strip_tabs: bool) -> Res<Body> {
        let line = self.line_here();
        self.blanks();
        let start = self.pos;
        let origin = self.origin(start);
        self.target()?;
        let raw = self.text.get(start..self.pos);
        // An alias in a substitution in the delimiter has moved the text.
        let raw = raw.or_else(|| self.original.get(origin..self.origin(self.pos))).unwrap_or_default();
        let (delimiter, quoted) = unquoted(raw);
        let body = Body::default();
        self.docs.push(PendingDoc { delimiter, quoted, strip_tabs, line, body: body.clone() });
        Ok(body)
    }

    /// At the start of a line: reads the bodies of the here-documents that the line before it named.
    pub(super) fn read_docs(&mut self) -> Res<()> {
        for doc in std::mem::take(&mut self.docs) {
            let first_line = self.line_here();
            let text = self.doc_text(&doc);
            let part = if doc.quoted {
                Part::Quoted(text)
            } else {
                let read = |source: &mut Source<'_>| source.quoted_parts(Quoted::Document, &mut |_| false);
                match self.nested(&text, first_line, read) {
                    Ok(parts) => Part::DoubleQuoted(parts),
                    Err(error) if error.beyond_limit => return Err(error),
                    // bash only notices when it expands the body.
                    Err(_) => Part::Param(Box::new(bad_substitution(text))),
                }
            };
            doc.body.replace(Some(Word(vec![part])));
        }
        Ok(())
    }

    /// A substitution closes whose here-documents follow the line that it is on: reads them now, since it is about to
    /// be handed out, after those that were named before it, and remembers to skip them. As in bash, with a warning.
    pub(super) fn read_docs_ahead(&mut self) -> Res<()> {
        let count = self.docs.len();
        let plural = if count == 1 { "" } else { "s" };
        let message = format!("command substitution: {count} unterminated here-document{plural}");
        self.notes.warnings.push(Warning { line: self.line_here(), message });
        let inner = std::mem::take(&mut self.docs);
        for held in &mut self.held_docs {
            self.docs.append(held);
        }
        self.docs.extend(inner);
        let here = self.pos;
        let rest = self.rest();
        let newline = here + memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        self.pos = newline;
        if !self.rest().is_empty() {
            self.newline();
        }
        let result = self.read_docs();
        self.skip = Some((newline, self.pos));
        self.pos = here;
        result
    }

    /// The lines up to the delimiter, which is consumed, or up to the end of the text.
    fn doc_text(&mut self, doc: &PendingDoc) -> String {
        let mut text = String::new();
        let mut continued = false;
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                let message =
                    format!("here-document at line {} delimited by end-of-file (wanted `{}')", doc.line, doc.delimiter);
                self.notes.warnings.push(Warning { line: self.line_here(), message });
                self.notes.unfinished = true;
                return text;
            }
            let end = memchr::memchr(b'\n', rest.as_bytes());
            let mut line = &rest[..end.unwrap_or(rest.len())];
            self.pos += end.map_or(rest.len(), |end| end + 1);
            if doc.strip_tabs && !continued {
                line = line.trim_start_matches('\t');
            }
            if line == doc.delimiter && !continued {
                return text;
            }
            text.push_str(line);
            text.push('\n');
            let backslashes = line.bytes().rev().take_while(|&byte| byte == b'\\').count();
            continued = !doc.quoted && backslashes % 2 == 1;
        }
    }
}

/// A delimiter without its quotes, and whether it had any.
fn unquoted(raw: &str) -> (String, bool) {
    let mut text = String::new();
    let mut quote = None;
    let mut quoted = false;
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None) => {
                let next = chars.next();
                quoted |= next != Some('\n');
                text.extend(next.filter(|&c| c != '\n'));
            }
            ('\\', Some('"')) if chars.peek().is_some_and(|c| "$`\"\\".contains(*c)) => text.extend(chars.next()),
            ('$', None) if matches!(chars.peek(), Some('\'' | '"')) => {}
            ('\'' | '"', None) => {
                quote = Some(c);
                quoted = true;
            }
            (c, Some(open)) if c == open => quote = None,
            (c, _) => text.push(c),
        }
    }
    (text, quoted)
}
