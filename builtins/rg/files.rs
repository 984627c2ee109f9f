//! Which files are searched, in which order, and what is said of each.
use super::{
    filter::Filter,
    json,
    options::{Mode, Settings, SortBy},
    search::{Found, FoundAhead, Search, Text},
    stats::Stats,
};
use crate::{
    Call, ErrorKind, FsError, Input, InputKind, Kind, Result, VPath,
    candidates::{self, Ahead, Candidate, candidates},
    gzip::inflate::Inflated,
    pattern::Pattern,
    walk::Walk,
};
use bytes::Bytes;
use std::{
    cmp::Reverse,
    io::{BufReader, Write},
    ops::ControlFlow,
    time::Instant,
};

/// The search of all paths.
pub(super) struct Files<'f, 'c> {
    call: &'f mut Call<'c>,
    settings: &'f Settings,
    /// `None` where files are only listed.
    search: Option<Search<'f>>,
    printed: bool,
    stats: Stats,
    begun: Instant,
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

impl<'f, 'c> Files<'f, 'c> {
    pub(super) fn new(call: &'f mut Call<'c>, settings: &'f Settings, pattern: Option<&'f Pattern>) -> Files<'f, 'c> {
        let is_one = match &settings.paths_given[..] {
            [] => settings.searches_stdin(),
            [one] => one == "-" || call.stat(one).is_ok_and(|meta| !meta.is_dir()),
            _ => false,
        };
        let paths = settings.printing.paths.unwrap_or(!is_one);
        let search = pattern.map(|pattern| Search { settings, pattern, paths });
        Files {
            call,
            settings,
            search,
            printed: false,
            stats: Stats::default(),
            begun: Instant::now(),
            matched: false,
            trouble: false,
            done: false,
        }
    }

    /// Search every path; without any, stdin or the working directory.
    pub(super) fn search_all(&mut self) -> Result<()> {
        let s = self.settings;
        let given = &s.paths_given;
        let mut filter = Filter::new(self.call, &s.selection)?;
        let mut pages = Vec::new();
        if s.searches_stdin() {
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
                Ok(mut input) => self.stream(name, true, &mut input),
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
        if s.selection.depth == Some(0) {
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
                if excluded || s.selection.depth.is_some_and(|most| place.depth >= most) {
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
        let Some(largest) = self.settings.selection.largest else {
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
        match (s.selection.sort, s.selection.reverse) {
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
        let Some(search) = self.search else {
            return Ok(());
        };
        let paths = pages.iter().map(|page| page.path.clone()).collect();
        let needles = if s.may_narrow() { search.pattern.needles() } else { None };
        let cancel = self.call.cancel.clone();
        let reads = candidates(&*self.call.fs, paths, needles.as_ref(), &cancel)?;
        let ahead = |page: &Page, text: &Bytes| match s.is_zipped(&page.name) {
            true => None,
            false => search.ahead(&page.name, page.named, text, &cancel),
        };
        let ahead = s.is_independent().then_some(&ahead as Ahead<'_, _, _>);
        candidates::search(&pages, reads, ahead, &mut |page, read, found| {
            self.candidate(page, read, found)?;
            Ok(if self.done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
    }

    /// A page that may match; what is `ahead` has been found in it.
    fn candidate(&mut self, page: &Page, read: Candidate, ahead: Option<FoundAhead>) -> Result<()> {
        match (read, ahead) {
            (Candidate::Matchless, _) => Ok(()),
            // What it prints to is not searched.
            _ if self.is_output(&page.path) => Ok(()),
            (Candidate::Read(Ok(_)), Some(FoundAhead { found, out })) => {
                self.printed |= !out.is_empty();
                self.call.stdout.write_all(&out)?;
                self.report(&page.name, found)
            }
            (Candidate::Read(Ok(text)), None) => self.page(page, text),
            (Candidate::Read(Err(error)), _) => self.complain(&page.name, &error),
        }
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
        match self.settings.printing.colour {
            true => write!(self.call.stdout, "\x1b[0m\x1b[35m{name}\x1b[0m")?,
            false => self.call.stdout.write_all(name.as_bytes())?,
        }
        Ok(())
    }

    fn page(&mut self, page: &Page, text: Bytes) -> Result<()> {
        if self.settings.is_zipped(&page.name) {
            return match Inflated::new(Input::bytes(text)) {
                Ok(inflated) => {
                    let mut input = Input::new(BufReader::new(inflated), InputKind::Pipe);
                    self.stream(&page.name, page.named, &mut input)
                }
                Err(error) => self.ended(&page.name, Err(error)),
            };
        }
        let Files { call, search: Some(search), printed, .. } = self else {
            return Ok(());
        };
        let text = Text::Page(&text);
        let found = search.run(&page.name, page.named, text, &call.cancel, printed, &mut call.stdout);
        self.ended(&page.name, found)
    }

    fn stdin(&mut self) -> Result<()> {
        let mut input = self.call.stdin.clone();
        self.stream("<stdin>", true, &mut input)
    }

    fn stream(&mut self, name: &str, named: bool, input: &mut Input) -> Result<()> {
        let Files { call, search: Some(search), printed, .. } = self else {
            return Ok(());
        };
        let text = Text::Stream(input, &mut call.memory);
        let found = search.run(name, named, text, &call.cancel, printed, &mut call.stdout);
        self.ended(name, found)
    }

    /// Whether what is printed goes to this file.
    fn is_output(&self, path: &VPath) -> bool {
        let call = &*self.call;
        call.stdout.inode().is_some() && call.fs.stat(path).is_ok_and(|meta| call.prints_to(&meta))
    }

    /// The search of a file has ended.
    fn ended(&mut self, name: &str, found: Result<Found>) -> Result<()> {
        match found {
            Ok(found) => self.report(name, found),
            Err(error) => self.complain(name, &FsError::within(error)?),
        }
    }

    /// Say of a file that has been searched what is not said line by line.
    fn report(&mut self, name: &str, found: Found) -> Result<()> {
        let s = self.settings;
        let Found { count, null, stats } = found;
        let found = count > 0;
        let paths = self.search.is_some_and(|search| search.paths);
        if s.mode != Mode::Json || found {
            self.stats.add(&stats);
        }
        match s.mode {
            Mode::Count | Mode::CountMatches => {
                self.matched |= found;
                let number = if s.mode == Mode::Count { count } else { stats.matches };
                if number > 0 || s.printing.include_zero {
                    if paths {
                        self.path(name)?;
                        self.call.stdout.write_all(if s.printing.null { b"\0" } else { b":" })?;
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
                if let (true, Some(at), Mode::Standard) = (found, null, s.mode) {
                    if paths {
                        self.path(name)?;
                        self.call.stdout.write_all(b": ")?;
                    }
                    writeln!(self.call.stdout, "binary file matches (found \"\\0\" byte around offset {at})")?;
                }
            }
        }
        if s.printing.line_buffered {
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
