//! All lines of the input, and their order.
use super::key::{Rules, Slot};
use crate::{Call, Output, Result};
use std::cmp::Ordering;

/// The lines, in one buffer.
pub(super) struct Lines {
    end: u8,
    text: Vec<u8>,
    /// Where the line that is being read begins.
    open: usize,
    spans: Vec<(usize, usize)>,
    /// `keys` slots a line.
    slots: Vec<Slot>,
    keys: usize,
    order: Vec<Entry>,
}

/// A line by its number, with what orders most pairs at once.
#[derive(Clone, Copy)]
struct Entry {
    head: u64,
    line: u32,
}

/// Lines sorted between two looks at whether the run was stopped.
const STRETCH: usize = 1 << 16;

impl Lines {
    pub(super) fn new(end: u8) -> Lines {
        Lines { end, text: Vec::new(), open: 0, spans: Vec::new(), slots: Vec::new(), keys: 0, order: Vec::new() }
    }

    /// Add bytes of a file.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let before = self.text.len();
        self.text.extend_from_slice(bytes);
        for at in memchr::memchr_iter(self.end, bytes) {
            self.spans.push((self.open, before + at));
            self.open = before + at + 1;
        }
    }

    /// The file has ended; a last line without its end is a line.
    pub(super) fn end_line(&mut self) {
        if self.open < self.text.len() {
            self.spans.push((self.open, self.text.len()));
            self.open = self.text.len();
        }
    }

    fn line(&self, entry: Entry) -> (&[u8], &[Slot]) {
        let at = entry.line as usize;
        let (start, end) = self.spans[at];
        (&self.text[start..end], &self.slots[at * self.keys..(at + 1) * self.keys])
    }

    /// Bytes that the place of a line takes.
    pub(super) const SPAN: usize = size_of::<(usize, usize)>();

    /// How many lines there are.
    pub(super) fn count(&self) -> usize {
        self.spans.len()
    }

    /// Put the lines in order.
    pub(super) fn sort(&mut self, rules: &Rules, call: &mut Call<'_>) -> Result<()> {
        let count = self.spans.len();
        let each = size_of::<Entry>() + rules.keys() * size_of::<Slot>();
        call.memory.take(count * each)?;
        self.keys = rules.keys();
        let mut order = Vec::with_capacity(count);
        self.slots.reserve(count * self.keys);
        for (line, &(start, end)) in self.spans.iter().enumerate() {
            let text = &self.text[start..end];
            let slots = rules.slots(text);
            order.push(Entry { head: rules.head(text, &slots), line: line as u32 });
            self.slots.extend(slots);
            if line % STRETCH == 0 {
                call.cancel.check()?;
            }
        }
        let compare =
            |a: &Entry, b: &Entry| a.head.cmp(&b.head).then_with(|| rules.compare(self.line(*a), self.line(*b)));
        for stretch in order.chunks_mut(STRETCH) {
            stretch.sort_by(compare);
            call.cancel.check()?;
        }
        // What is left is to merge sorted stretches, which this sort finds by itself.
        order.sort_by(compare);
        self.order = order;
        Ok(())
    }

    /// Write them, of equal ones only the first where that was asked for.
    pub(super) fn write(&self, rules: &Rules, out: &mut Output) -> Result<()> {
        let mut last: Option<Entry> = None;
        for &entry in &self.order {
            if rules.unique
                && last.is_some_and(|last| rules.compare(self.line(last), self.line(entry)) == Ordering::Equal)
            {
                continue;
            }
            last = Some(entry);
            rules.write(self.line(entry).0, self.end, out)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    fn sorted(flags: &str, stdin: &str) -> String {
        let (stdout, ..) = crate::testing::run(&[], &format!("sort {flags}"), stdin.replace(' ', "\n").as_bytes());
        String::from_utf8_lossy(&stdout).trim_end().replace('\n', " ")
    }

    #[test]
    fn every_kind_of_order() {
        assert_eq!(sorted("", "b a C é B"), "B C a b é");
        assert_eq!(sorted("-n", "10 9 1e3 -5 x 0.5 .25"), "-5 x .25 0.5 1e3 9 10");
        assert_eq!(sorted("-g", "10 9 1e3 -5 x nan inf"), "x nan -5 9 10 1e3 inf");
        assert_eq!(sorted("-h", "1G 2K 1M 512 -1K 0"), "-1K 0 512 2K 1M 1G");
        assert_eq!(sorted("-M", "Mar Jan feb xyz Dec"), "xyz Jan feb Mar Dec");
        assert_eq!(sorted("-V", "1.10 1.9 2.0.0-rc.1 2.0.0"), "1.9 1.10 2.0.0 2.0.0-rc.1");
        assert_eq!(sorted("-f", "b A a B"), "A a B b");
        assert_eq!(sorted("-d", "b-a ba b_"), "b_ b-a ba");
        assert_eq!(sorted("-rn", "1 3 2"), "3 2 1");
        assert_eq!(sorted("-R -u", "a b a b").len(), 3);
    }

    #[test]
    fn equal_keys_are_ordered_by_the_whole_line_or_not_at_all() {
        let rows = "b_2 a_9 b_1 a_1";
        assert_eq!(sorted("-t_ -k1,1", rows), "a_1 a_9 b_1 b_2");
        assert_eq!(sorted("-t_ -k1,1 -s", rows), "a_9 a_1 b_2 b_1");
        assert_eq!(sorted("-t_ -k1,1 -u", rows), "a_9 b_2");
        assert_eq!(sorted("-t_ -k1,1 -r", rows), "b_2 b_1 a_9 a_1");
        assert_eq!(sorted("-t_ -k1,1r -k2n", rows), "b_1 b_2 a_1 a_9");
        assert_eq!(sorted("+1 -2 -t_", "x_2_a y_1_b"), "y_1_b x_2_a");
    }

    #[test]
    fn order_is_checked() {
        check_with_stdin(
            &[],
            "sort -c",
            "a\nc\nb\n",
            expect![[r#"
            [stderr]
            sort: -:3: disorder: b
            [status 1]
        "#]],
        );
        check_with_stdin(
            &[],
            "sort -C",
            "a\nc\nb\n",
            expect![[r#"
            [status 1]
        "#]],
        );
        check_with_stdin(
            &[],
            "sort -cu",
            "a\na\n",
            expect![[r#"
            [stderr]
            sort: -:2: disorder: a
            [status 1]
        "#]],
        );
    }

    #[test]
    fn files_are_merged() {
        check(
            &[("a", "1\n3\n"), ("b", "2\n3\n4")],
            "sort -mu a b",
            expect![[r#"
            1
            2
            3
            4
        "#]],
        );
    }

    #[test]
    fn trouble_has_status_2() {
        check(
            &[("a", ""), ("d/e", "")],
            "sort a nosuch",
            expect![[r#"
            [stderr]
            sort: cannot read: nosuch: No such file or directory
            [status 2]
        "#]],
        );
        check(
            &[("a", ""), ("d/e", "")],
            "sort d",
            expect![[r#"
            [stderr]
            sort: read failed: d: Is a directory
            [status 2]
        "#]],
        );
        check(
            &[("a", "")],
            "sort -o out a",
            expect![[r#"
            [stderr]
            sort: open failed: out: Read-only file system
            [status 2]
        "#]],
        );
        check(
            &[],
            "sort -k x",
            expect![[r#"
            [stderr]
            sort: invalid number at field start: invalid count at start of ‘x’
            [status 2]
        "#]],
        );
        check(
            &[],
            "sort -hn",
            expect![[r#"
            [stderr]
            sort: options '-hn' are incompatible
            [status 2]
        "#]],
        );
    }
}
