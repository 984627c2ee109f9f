//! The search of one text: what is printed line by line, and what is found apart from that.
use super::{
    json::Json,
    options::{Mode, Settings},
    print::{Printer, matches},
    stats::Stats,
};
use crate::{
    Cancel, Input, Purse, Result,
    in_order::Kept,
    pattern::Pattern,
    scan::{Binary, Line, Scan, Sink},
};
use std::{io::Write, time::Instant};

/// What is asked of every text.
#[derive(Clone, Copy)]
pub(super) struct Search<'s> {
    pub(super) settings: &'s Settings,
    pub(super) pattern: &'s Pattern,
    /// Whether paths are printed.
    pub(super) paths: bool,
}

/// What is searched.
pub(super) enum Text<'t> {
    Page(&'t [u8]),
    Stream(&'t mut Input, &'t mut Purse),
}

/// What was found in a text, apart from what is printed line by line.
pub(super) struct Found {
    /// Selected lines.
    pub(super) count: u64,
    /// Where the first NUL of a binary file is.
    pub(super) null: Option<u64>,
    pub(super) stats: Stats,
}

/// What another thread has found in a page, and would have printed.
pub(super) struct FoundAhead {
    pub(super) found: Found,
    pub(super) out: Vec<u8>,
}

impl Search<'_> {
    /// Search `text`, which is called `name`, and print its lines to `out`; `printed` says whether anything was printed
    /// of the texts before it. A binary file that was `named` on the command line is not left out.
    pub(super) fn run(
        &self,
        name: &str,
        named: bool,
        text: Text<'_>,
        cancel: &Cancel,
        printed: &mut bool,
        out: &mut dyn Write,
    ) -> Result<Found> {
        let Search { settings, pattern, paths } = *self;
        let begun = Instant::now();
        let mut rules = settings.rules().clone();
        if named && rules.binary == Binary::Skip {
            rules.binary = Binary::Message;
        }
        let mut scan = Scan::new(pattern, &rules);
        let run = |sink: &mut dyn Sink| match text {
            Text::Page(text) => scan.page(text, cancel, sink),
            Text::Stream(input, memory) => scan.stream(input, memory, cancel, sink),
        };
        let mut stats = Stats { searches: 1, ..Stats::default() };
        match settings.mode {
            Mode::Standard => {
                let mut printer = Printer::new(settings, pattern, paths.then_some(name), printed, out);
                run(&mut printer)?;
                (stats.bytes_printed, stats.matches) = (printer.bytes, printer.matches);
                stats.matched_lines = printer.lines;
            }
            Mode::Json => {
                let mut printer = Json::new(pattern, rules.multiline, name, out);
                let result = run(&mut printer);
                (stats.matches, stats.matched_lines) = (printer.matches, printer.lines);
                stats.finish(&scan, begun);
                printer.end(&stats, scan.null)?;
                stats.bytes_printed = printer.bytes;
                result?;
            }
            _ => {
                let mut counter = Counter { pattern, invert: rules.invert, multiline: rules.multiline, matches: 0 };
                run(&mut counter)?;
                (stats.matches, stats.matched_lines) = (counter.matches, scan.count);
            }
        }
        stats.finish(&scan, begun);
        Ok(Found { count: scan.count, null: scan.null, stats })
    }

    /// Search a page before its turn has come; `None` when its lines are too many to be kept until then, or when
    /// something is wrong: whoever searches it again will see.
    pub(super) fn ahead(&self, name: &str, named: bool, text: &[u8], cancel: &Cancel) -> Option<FoundAhead> {
        let mut out = Kept::default();
        let found = self.run(name, named, Text::Page(text), cancel, &mut false, &mut out).ok()?;
        Some(FoundAhead { found, out: out.into_bytes() })
    }
}

/// Counts matches, and shows nothing.
struct Counter<'p> {
    pattern: &'p Pattern,
    invert: bool,
    multiline: bool,
    matches: u64,
}

impl Sink for Counter<'_> {
    fn line(&mut self, line: &Line<'_>) -> Result<bool> {
        self.matches += match self.invert {
            true => 1,
            false => matches(self.pattern, line, self.multiline)?.len() as u64,
        };
        Ok(true)
    }

    fn gap(&mut self) -> Result<()> {
        Ok(())
    }

    fn wait(&mut self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::run;

    /// The lines of a page that are more than are kept until its turn has come; only each hundredth page has them.
    fn large(before: &str, page: usize) -> String {
        let count = if page.is_multiple_of(100) { 120_000 } else { 0 };
        format!("{before}large {page}\n").repeat(count)
    }

    #[test]
    fn many_pages_are_printed_in_their_order() {
        // More than one thread looks at so many.
        let filler = "nothing to see here\n".repeat(100);
        let page = |at| (format!("p/{at:03}.md"), format!("{filler}number {at} and number\n{}", large("", at)));
        let pages: Vec<(String, String)> = (0..300).map(page).collect();
        let tree: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let run = |command: &str| {
            let (stdout, _, status) = run(&tree, command, b"");
            (String::from_utf8(stdout).unwrap(), status.0)
        };
        let each = |line: &dyn Fn(usize) -> String| (0..300).map(line).collect::<String>();
        let numbered = each(&|at| format!("p/{at:03}.md:101:number {at} and number\n"));
        assert_eq!(run("rg -n number p"), (numbered, 0));
        assert_eq!(run("rg -o number p"), (each(&|at| format!("p/{at:03}.md:number\n").repeat(2)), 0));
        assert_eq!(run("rg -l number p"), (each(&|at| format!("p/{at:03}.md\n")), 0));
        let counted = each(&|at| format!("p/{at:03}.md:{}\n", if at.is_multiple_of(100) { 120_000 } else { 0 }));
        assert_eq!(run("rg -c --include-zero large p"), (counted, 0));
        let first = each(&|at| format!("p/{at:03}.md:nothing to see here\n"));
        assert_eq!(run("rg -m1 'number|here' p nosuch"), (first, 2));
        let everything =
            each(&|at| format!("p/{at:03}.md:number {at} and number\n{}", large(&format!("p/{at:03}.md:"), at)));
        assert!(run("rg '^(large|number)' p") == (everything, 0));
        // A line apart where the next file begins.
        assert_eq!(run("rg --heading '^number' p").0.lines().count(), 300 * 3 - 1);
        assert_eq!(run("rg -q number p"), (String::new(), 0));
        let sums = "\n600 matches\n300 matched lines\n300 files contained matches\n300 files searched\n";
        assert!(run("rg --stats -q number p").0.contains(sums));
    }
}
