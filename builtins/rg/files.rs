//! Which files are searched, in which order, and what is said of each.
use super::{
    filter::Filter,
    json::{self, Json},
    options::{Mode, Settings, SortBy},
    print::{Printer, matches},
    stats::Stats,
};
use crate::{
    Call, ErrorKind, FsError, Input, InputKind, Kind, Result, VPath,
    candidates::{Candidate, candidates},
    gzip::inflate::Inflated,
    pattern::Pattern,
    scan::{Binary, Line, Rules, Scan, Sink},
    walk::Walk,
};
use std::{
    cmp::Reverse,
    io::{BufReader, Write},
    time::Instant,
};

/// The search of all paths.
pub(super) struct Files<'f, 'c> {
    call: &'f mut Call<'c>,
    settings: &'f Settings,
    pattern: Option<&'f Pattern>,
    /// What is asked of a file that was named: a binary one is not left out.
    named_rules: Rules,
    /// Whether paths are printed.
    paths: bool,
    printed: bool,
    stats: Stats,
    begun: Instant,
    /// Files looked at.
    count: u64,
    /// Something was found.
    pub(super) matched: bool,
    /// Something could not be searched.
    pub(super) trouble: bool,
    done: bool,
}

/// A file to be searched.
struct Page {
    path: VPath,
    /// How it is called.
    name: String,
    /// It was named on the command line.
    named: bool,
}

/// What is searched: a page, or a stream.
enum Text<'t> {
    Page(&'t [u8]),
    Stream(&'t mut Input),
}

impl<'f, 'c> Files<'f, 'c> {
    pub(super) fn new(call: &'f mut Call<'c>, settings: &'f Settings, pattern: Option<&'f Pattern>) -> Files<'f, 'c> {
        let binary = if settings.rules.binary == Binary::Skip { Binary::Message } else { settings.rules.binary };
        Files {
            call,
            settings,
            pattern,
            named_rules: Rules { binary, ..settings.rules.clone() },
            paths: true,
            printed: false,
            stats: Stats::default(),
            begun: Instant::now(),
            count: 0,
            matched: false,
            trouble: false,
            done: false,
        }
    }

    /// Search every path; without any, stdin or the working directory.
    pub(super) fn search_all(&mut self) -> Result<()> {
        let s = self.settings;
        let given = &s.paths_given;
        let from_stdin = given.is_empty() && s.reads_stdin && s.mode != Mode::Files;
        let is_one = match &given[..] {
            [] => from_stdin,
            [one] => one == "-" || self.call.stat(one).is_ok_and(|meta| !meta.is_dir()),
            _ => false,
        };
        self.paths = s.paths.unwrap_or(!is_one);
        let mut filter = Filter::new(self.call, s)?;
        let mut pages = Vec::new();
        if from_stdin {
            self.stdin()?;
        } else if given.is_empty() {
            let here = self.call.session.cwd.clone();
            self.folder(&mut filter, here, "", &mut pages)?;
            if pages.is_empty() && s.mode != Mode::Files {
                self.trouble = true;
                self.complain_apart(
                    "No files were searched, which means ripgrep probably applied a filter you didn't expect.\n\
                     Running with --debug will show why files are being skipped.",
                )?;
            }
        }
        for name in given {
            self.named(&mut filter, name, &mut pages)?;
        }
        self.pages(pages)?;
        self.finish()
    }

    /// A path of the command line.
    fn named(&mut self, filter: &mut Filter<'_>, name: &str, pages: &mut Vec<Page>) -> Result<()> {
        if name == "-" {
            self.pages(std::mem::take(pages))?;
            return if self.done { Ok(()) } else { self.stdin() };
        }
        match self.call.stat(name) {
            Ok(meta) if meta.is_dir() => match self.call.resolve(name) {
                Ok(path) => self.folder(filter, path, name, pages),
                Err(error) => self.complain(name, &error),
            },
            Ok(meta) if meta.kind == Kind::Device => match self.call.open(name) {
                Ok(mut input) => self.search(name, &self.named_rules.clone(), Text::Stream(&mut input)),
                Err(error) => self.complain(name, &error),
            },
            Ok(_) => match self.call.resolve(name) {
                Ok(path) => {
                    pages.push(Page { path, name: name.to_string(), named: true });
                    Ok(())
                }
                Err(error) => self.complain(name, &error),
            },
            Err(error) => self.complain(name, &error),
        }
    }

    /// Every file below the folder `path` that the filter lets through; `name` stands before their names.
    fn folder(&mut self, filter: &mut Filter<'_>, path: VPath, name: &str, pages: &mut Vec<Page>) -> Result<()> {
        let s = self.settings;
        if s.depth == Some(0) {
            return Ok(());
        }
        filter.begin(&path);
        let mut walk = Walk::new(self.call.fs.clone(), path, name);
        while let Some(place) = walk.next() {
            self.call.cancel.check()?;
            let place = match place {
                Ok(place) => place,
                Err(error) => {
                    self.complain(error.path.clone().as_str(), &error)?;
                    continue;
                }
            };
            let excluded = filter.excludes(&place);
            if place.kind == Kind::Dir {
                if excluded || s.depth.is_some_and(|most| place.depth >= most) {
                    walk.prune();
                }
            } else if !excluded && !self.is_too_large(&place.path)? {
                let name = place.name();
                pages.push(Page { path: place.path, name, named: false });
            }
        }
        Ok(())
    }

    fn is_too_large(&self, path: &VPath) -> Result<bool> {
        let Some(largest) = self.settings.largest else {
            return Ok(false);
        };
        let size = match self.call.fs.stat(path)?.size {
            Some(size) => size,
            None => self.call.fs.size(path, &self.call.cancel)?,
        };
        Ok(size > largest)
    }

    /// Put the pages in order and search them.
    fn pages(&mut self, mut pages: Vec<Page>) -> Result<()> {
        let (s, fs) = (self.settings, self.call.fs.clone());
        let time = |page: &Page| fs.stat(&page.path).map_or((0, 0), |meta| meta.time());
        match (s.sort, s.reverse) {
            (SortBy::Path, false) => {}
            (SortBy::Path, true) => {
                pages.sort_by_cached_key(|page| Reverse(page.name.split('/').map(str::to_string).collect::<Vec<_>>()))
            }
            (SortBy::Time, false) => pages.sort_by_cached_key(time),
            (SortBy::Time, true) => pages.sort_by_cached_key(|page| Reverse(time(page))),
        }
        if s.mode == Mode::Files {
            return self.list(&pages);
        }
        let Some(pattern) = self.pattern else {
            return Ok(());
        };
        let paths = pages.iter().map(|page| page.path.clone()).collect();
        let needles = if s.may_narrow() { pattern.needles() } else { None };
        let cancel = self.call.cancel.clone();
        let mut reads = candidates(&*self.call.fs, paths, needles.as_ref(), &cancel)?;
        let named_rules = self.named_rules.clone();
        for page in &pages {
            let rules = if page.named { &named_rules } else { &s.rules };
            match reads.next() {
                Some(Ok(Candidate::Matchless)) => self.count += 1,
                // What it prints to is not searched.
                Some(Ok(_)) if self.is_output(&page.path) => {}
                Some(Ok(Candidate::Read(Ok(text)))) => self.search(&page.name, rules, Text::Page(&text))?,
                Some(Ok(Candidate::Read(Err(error)))) => self.complain(&page.name, &error)?,
                Some(Err(stop)) => return Err(stop),
                None => break,
            }
            if self.done {
                break;
            }
        }
        Ok(())
    }

    /// `--files`.
    fn list(&mut self, pages: &[Page]) -> Result<()> {
        self.matched |= !pages.is_empty();
        for page in pages {
            self.path(&page.name)?;
            self.call.stdout.write_all(&[self.settings.path_end()])?;
        }
        Ok(())
    }

    fn path(&mut self, name: &str) -> Result<()> {
        match self.settings.colour {
            true => write!(self.call.stdout, "\x1b[0m\x1b[35m{name}\x1b[0m")?,
            false => self.call.stdout.write_all(name.as_bytes())?,
        }
        Ok(())
    }

    fn stdin(&mut self) -> Result<()> {
        let mut input = self.call.stdin.clone();
        self.search("<stdin>", &self.named_rules.clone(), Text::Stream(&mut input))
    }

    /// Whether what is printed goes to this file.
    fn is_output(&self, path: &VPath) -> bool {
        let call = &*self.call;
        call.stdout.inode().is_some() && call.fs.stat(path).is_ok_and(|meta| call.prints_to(&meta))
    }

    /// Search one text, and say what is not said line by line.
    fn search(&mut self, name: &str, rules: &Rules, text: Text<'_>) -> Result<()> {
        let (s, Some(pattern)) = (self.settings, self.pattern) else {
            return Ok(());
        };
        self.count += 1;
        let begun = Instant::now();
        let path = self.paths.then_some(name);
        let call = &mut *self.call;
        let mut scan = Scan::new(pattern, rules);
        let run = |sink: &mut dyn Sink| match text {
            Text::Page(text) if s.unzips && is_zipped(name) => {
                let inflated = Inflated::new(Input::bytes(text.to_vec()))?;
                let mut input = Input::new(BufReader::new(inflated), InputKind::Pipe);
                scan.stream(&mut input, &mut call.memory, &call.cancel, sink)
            }
            Text::Page(text) => scan.page(text, &call.cancel, sink),
            Text::Stream(input) => scan.stream(input, &mut call.memory, &call.cancel, sink),
        };
        let mut stats = Stats { searches: 1, ..Stats::default() };
        let result = match s.mode {
            Mode::Standard => {
                let mut printer = Printer::new(s, pattern, path, &mut self.printed, &mut call.stdout);
                let result = run(&mut printer);
                (stats.bytes_printed, stats.matches) = (printer.bytes, printer.matches);
                stats.matched_lines = printer.lines;
                result
            }
            Mode::Json => {
                let mut printer = Json::new(pattern, rules.multiline, name, &mut call.stdout);
                let result = run(&mut printer);
                (stats.matches, stats.matched_lines) = (printer.matches, printer.lines);
                stats.elapsed = begun.elapsed();
                stats.searches_with_match = u64::from(scan.count > 0);
                stats.bytes_searched = scan.searched;
                printer.end(&stats, scan.null)?;
                stats.bytes_printed = printer.bytes;
                result
            }
            _ => {
                let mut counter = Counter { pattern, invert: rules.invert, multiline: rules.multiline, matches: 0 };
                let result = run(&mut counter);
                (stats.matches, stats.matched_lines) = (counter.matches, scan.count);
                result
            }
        };
        if let Err(error) = result {
            return self.complain(name, &FsError::within(error)?);
        }
        stats.elapsed = begun.elapsed();
        stats.searches_with_match = u64::from(scan.count > 0);
        stats.bytes_searched = scan.searched;
        if s.mode != Mode::Json || scan.count > 0 {
            self.stats.add(&stats);
        }
        let null = scan.null.filter(|_| scan.count > 0);
        self.report(name, scan.count, stats.matches, null)
    }

    /// Say of a file that has been searched what is not said line by line; `null` is where a binary one's NUL is.
    fn report(&mut self, name: &str, count: u64, matches: u64, null: Option<u64>) -> Result<()> {
        let s = self.settings;
        let found = count > 0;
        match s.mode {
            Mode::Count | Mode::CountMatches => {
                self.matched |= found;
                let number = if s.mode == Mode::Count { count } else { matches };
                if number > 0 || s.include_zero {
                    if self.paths {
                        self.path(name)?;
                        self.call.stdout.write_all(if s.null { b"\0" } else { b":" })?;
                    }
                    write!(self.call.stdout, "{number}{}", char::from(s.end()))?;
                }
            }
            Mode::FilesWith | Mode::FilesWithout => {
                if found == (s.mode == Mode::FilesWith) {
                    self.matched = true;
                    self.path(name)?;
                    self.call.stdout.write_all(&[s.path_end()])?;
                }
            }
            Mode::Quiet => {
                self.matched |= found;
                self.done = found && !s.stats;
            }
            _ => {
                self.matched |= found;
                if let (Some(at), Mode::Standard) = (null, s.mode) {
                    if self.paths {
                        self.path(name)?;
                        self.call.stdout.write_all(b": ")?;
                    }
                    writeln!(self.call.stdout, "binary file matches (found \"\\0\" byte around offset {at})")?;
                }
            }
        }
        if s.line_buffered {
            self.call.stdout.flush()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        let total = self.begun.elapsed();
        let text = match self.settings.mode {
            Mode::Json => json::summary(&self.stats, total),
            Mode::Files | Mode::TypeList => return Ok(()),
            _ if self.settings.stats => self.stats.text(total),
            _ => return Ok(()),
        };
        Ok(self.call.stdout.write_all(text.as_bytes())?)
    }

    fn complain(&mut self, name: &str, error: &FsError) -> Result<()> {
        if let ErrorKind::Stopped(stop) = error.kind {
            return Err(stop.into());
        }
        self.trouble = true;
        self.complain_apart(&format!("{name}: {error}"))
    }

    fn complain_apart(&mut self, message: &str) -> Result<()> {
        if self.settings.silent { Ok(()) } else { self.call.warn(message) }
    }
}

/// Whether a file of this name holds what `-z` uncompresses.
fn is_zipped(name: &str) -> bool {
    name.ends_with(".gz") || name.ends_with(".tgz")
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
