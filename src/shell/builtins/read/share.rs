//! A record shared out among variables, by `IFS`.
use super::record::Record;
use crate::shell::expand::{Cut, Ifs};

/// What is left of a record.
pub(super) struct Share<'r> {
    record: &'r Record,
    ifs: &'r Ifs,
    at: usize,
}

impl<'r> Share<'r> {
    pub(super) fn new(record: &'r Record, ifs: &'r Ifs) -> Share<'r> {
        let mut share = Share { record, ifs, at: 0 };
        share.skip_white();
        share
    }

    /// The next field; empty when there is none.
    pub(super) fn field(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|cut| cut == Cut::No) {
            self.step();
        }
        let field = self.record.text[start..self.at].to_string();
        // One delimiter: white space around at most one other character.
        self.skip_white();
        if self.peek() == Some(Cut::Hard) {
            self.step();
            self.skip_white();
        }
        field
    }

    /// All that is left, for the last variable: without white space at its end, and without a delimiter that only ends
    /// its one field.
    pub(super) fn rest(mut self) -> String {
        let start = self.at;
        let field = self.field();
        if self.at == self.record.text.len() {
            return field;
        }
        let mut end = self.record.text.len();
        while let Some((at, _)) = self.record.text[start..end].char_indices().next_back() {
            if self.cut_at(start + at) != Some(Cut::White) {
                break;
            }
            end = start + at;
        }
        self.record.text[start..end].to_string()
    }

    fn skip_white(&mut self) {
        while self.peek() == Some(Cut::White) {
            self.step();
        }
    }

    fn peek(&self) -> Option<Cut> {
        self.cut_at(self.at)
    }

    fn cut_at(&self, at: usize) -> Option<Cut> {
        let c = self.record.text[at..].chars().next()?;
        match self.record.escaped.binary_search(&at) {
            Ok(_) => Some(Cut::No),
            Err(_) => Some(self.ifs.cut(c)),
        }
    }

    fn step(&mut self) {
        self.at += self.record.text[self.at..].chars().next().map_or(0, char::len_utf8);
    }
}

/// Every field of a record, for `read -a`.
pub(super) fn fields(record: &Record, ifs: &Ifs) -> Vec<String> {
    let mut share = Share::new(record, ifs);
    let mut fields = Vec::new();
    while share.at < record.text.len() {
        fields.push(share.field());
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use docsh_builtins::Session;

    fn share(ifs: &str, text: &str, escaped: &[usize]) -> (String, String) {
        let mut session = Session::new();
        session.vars.set("IFS", ifs).unwrap();
        let record = Record { text: text.into(), escaped: escaped.to_vec(), ..Record::default() };
        let ifs = Ifs::of(&session);
        let mut share = Share::new(&record, &ifs);
        (share.field(), share.rest())
    }

    #[test]
    fn the_last_variable_gets_what_is_left() {
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        assert_eq!(share(" \t\n", "1 2 3 ", &[]), pair("1", "2 3"));
        assert_eq!(share(":", "1:2:", &[]), pair("1", "2"));
        assert_eq!(share(":", "1:2::", &[]), pair("1", "2::"));
        assert_eq!(share(":", "1:2:3:", &[]), pair("1", "2:3:"));
        assert_eq!(share(":", ":x", &[]), pair("", "x"));
        assert_eq!(share(" :", " 1 : 2 : 3 ", &[]), pair("1", "2 : 3"));
        assert_eq!(share(" ", "x y z", &[1]), pair("x y", "z"));
        assert_eq!(share("", "  x  ", &[]), pair("  x  ", ""));
    }
}
