//! Which files are searched, and in which order they are read.
use super::{
    colour::{self, paint},
    options::{Folders, Report, Settings},
    print::Printer,
};
use crate::{
    Call, Cancel, ErrorKind, FsError, Kind, Meta, Result, VPath,
    candidates::{self, Ahead, Candidate, candidates},
    in_order::Kept,
    pattern::Pattern,
    scan::{Binary, Scan},
    walk::{Naming, Walk},
};
use bytes::Bytes;
use std::{borrow::Cow, io::Write, ops::ControlFlow};

/// Operands up to this many bytes are read in bulk.
const SMALL: u64 = 1 << 20;

/// The search of all operands.
pub(super) struct Files<'f, 'c> {
    call: &'f mut Call<'c>,
    settings: &'f Settings,
    pattern: &'f Pattern,
    /// Whether names are printed for operands that are files.
    names: bool,
    printed: bool,
    /// A line was selected.
    pub(super) selected: bool,
    /// Something could not be searched.
    pub(super) trouble: bool,
    done: bool,
}

/// A file to be read, and its name as it is printed.
struct Page {
    path: VPath,
    name: Name,
    /// Whether its name is printed before its lines.
    named: bool,
}

enum Name {
    /// As it was typed.
    Typed(String),
    /// As a walk tells it.
    Walked(Naming),
}

/// What was found in a text, apart from its lines.
#[derive(Default)]
struct Found {
    /// Selected lines.
    count: u64,
    has_null: bool,
    /// A line that is not UTF-8 was kept back.
    kept_back: bool,
}

impl Found {
    fn of(scan: &Scan<'_>) -> Found {
        Found { count: scan.count, has_null: scan.null.is_some(), kept_back: false }
    }
}

/// What another thread has found in a page, and would have printed.
struct FoundAhead {
    found: Found,
    out: Vec<u8>,
}

impl Page {
    fn name(&self) -> Cow<'_, str> {
        match &self.name {
            Name::Typed(name) => name.into(),
            Name::Walked(naming) => naming.name(&self.path).into(),
        }
    }

    /// Search the page's `text`, and print its lines to `out`.
    fn search(
        &self,
        text: &[u8],
        (settings, pattern): (&Settings, &Pattern),
        cancel: &Cancel,
        printed: &mut bool,
        out: &mut dyn Write,
    ) -> Result<Found> {
        let name = self.named.then(|| self.name());
        let mut scan = Scan::new(pattern, &settings.rules);
        let mut printer = Printer::new(settings, pattern, name.as_deref(), Some(text.len() as u64), printed, out);
        scan.page(text, cancel, &mut printer)?;
        Ok(Found { kept_back: printer.kept_back, ..Found::of(&scan) })
    }

    /// The same before its turn has come; `None` when its lines are too many to be kept until then, or when something
    /// is wrong: whoever searches it again will see.
    fn search_ahead(&self, text: &[u8], what: (&Settings, &Pattern), cancel: &Cancel) -> Option<FoundAhead> {
        let mut out = Kept::default();
        let found = self.search(text, what, cancel, &mut false, &mut out).ok()?;
        Some(FoundAhead { found, out: out.into_bytes() })
    }
}

impl<'f, 'c> Files<'f, 'c> {
    pub(super) fn new(call: &'f mut Call<'c>, settings: &'f Settings, pattern: &'f Pattern) -> Files<'f, 'c> {
        let names = settings.names.unwrap_or(settings.operands.len() > 1);
        Files { call, settings, pattern, names, printed: false, selected: false, trouble: false, done: false }
    }

    /// Search every operand; without any, stdin or the tree.
    pub(super) fn search_all(&mut self) -> Result<()> {
        let settings = self.settings;
        if settings.operands.is_empty() {
            return match settings.folders {
                Folders::Recurse => {
                    let here = self.call.session.cwd.clone();
                    self.folder(here, "")
                }
                _ => self.stdin(),
            };
        }
        let mut pages = Vec::new();
        for operand in &settings.operands {
            if let Some(page) = self.small_page(operand) {
                pages.push(page);
                continue;
            }
            self.pages(std::mem::take(&mut pages))?;
            if !self.done {
                self.operand(operand)?;
            }
        }
        self.pages(pages)
    }

    /// An operand that is a file which can be read together with others.
    fn small_page(&self, operand: &str) -> Option<Page> {
        if operand == "-" || self.settings.operands.len() < 2 {
            return None;
        }
        let path = self.call.resolve(operand).ok()?;
        let meta = self.call.fs.stat(&path).ok()?;
        let is_small = meta.kind == Kind::File && meta.size.is_some_and(|size| size <= SMALL);
        let is_wanted = is_small && !self.settings.excludes_file(operand);
        is_wanted.then(|| Page { path, name: Name::Typed(operand.to_string()), named: self.names })
    }

    fn operand(&mut self, operand: &str) -> Result<()> {
        if operand == "-" {
            return self.stdin();
        }
        let meta = match self.call.stat(operand) {
            Ok(meta) => meta,
            Err(error) => return self.complain(operand, &error),
        };
        match (meta.kind, self.settings.folders) {
            (Kind::Dir, Folders::Skip) => Ok(()),
            (Kind::Dir, _) if self.settings.excludes_folder(operand) => Ok(()),
            (Kind::Dir, Folders::Read) => {
                // GNU grep opens it, and finds no line in what it cannot read.
                let here = self.call.session.cwd.join(operand);
                self.complain(operand, &ErrorKind::IsADirectory.at(&here))?;
                self.report_matchless(operand, self.names)
            }
            (Kind::Dir, Folders::Recurse) => match self.call.resolve(operand) {
                Ok(path) => {
                    let name = operand.trim_end_matches('/');
                    let name = if name.len() < operand.len() { format!("{name}/") } else { operand.to_string() };
                    self.folder(path, &name)
                }
                Err(error) => self.complain(operand, &error),
            },
            (Kind::Device, _) if self.settings.skip_devices => Ok(()),
            _ if self.settings.excludes_file(operand) => Ok(()),
            _ if self.is_output(&meta) => self.complain_of_output(operand),
            _ => {
                let name = self.names.then_some(operand);
                match self.call.open(operand) {
                    Ok(mut input) => self.stream(&mut input, operand, name, meta.size),
                    Err(error) => self.complain(operand, &error),
                }
            }
        }
    }

    fn stdin(&mut self) -> Result<()> {
        let mut input = self.call.stdin.clone();
        let label = &self.settings.label;
        let name = self.names.then_some(&label[..]);
        self.stream(&mut input, label, name, None)
    }

    /// Search what is read from `input`.
    fn stream(&mut self, input: &mut crate::Input, label: &str, name: Option<&str>, size: Option<u64>) -> Result<()> {
        let call = &mut *self.call;
        let mut scan = Scan::new(self.pattern, &self.settings.rules);
        let mut printer = Printer::new(self.settings, self.pattern, name, size, &mut self.printed, &mut call.stdout);
        let result = scan.stream(input, &mut call.memory, &call.cancel, &mut printer);
        let kept_back = printer.kept_back;
        if let Err(error) = result {
            return self.complain(label, &FsError::within(error)?);
        }
        self.report(label, name.is_some(), Found { kept_back, ..Found::of(&scan) })
    }

    /// Search every file below the folder `path`; `name` stands before their names.
    fn folder(&mut self, path: VPath, name: &str) -> Result<()> {
        let mut walk = Walk::new(self.call.fs.clone(), path, name);
        let mut pages = Vec::new();
        while let Some(place) = walk.next() {
            self.call.cancel.check()?;
            match place {
                Ok(place) if place.kind == Kind::Dir => {
                    if self.settings.excludes_folder(place.base()) {
                        walk.prune();
                    }
                }
                Ok(place) => {
                    if !self.settings.excludes_file(place.base()) {
                        let named = self.settings.names.unwrap_or(true);
                        pages.push(Page { path: place.path, name: Name::Walked(place.naming), named });
                    }
                }
                Err(error) => self.complain(error.path.clone().as_str(), &error)?,
            }
        }
        self.pages(pages)
    }

    /// Search whole pages, in order, those that may match.
    fn pages(&mut self, pages: Vec<Page>) -> Result<()> {
        if pages.is_empty() || self.done {
            return Ok(());
        }
        let paths = pages.iter().map(|page| page.path.clone()).collect();
        let needles = if self.settings.may_narrow() { self.pattern.needles() } else { None };
        let cancel = self.call.cancel.clone();
        let reads = candidates(&*self.call.fs, paths, needles.as_ref(), &cancel)?;
        let what = (self.settings, self.pattern);
        let ahead = |page: &Page, text: &Bytes| page.search_ahead(text, what, &cancel);
        let ahead = self.settings.is_independent().then_some(&ahead as Ahead<'_, _, _>);
        candidates::search(&pages, reads, ahead, &mut |page, read, found| {
            self.candidate(page, read, found)?;
            Ok(if self.done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
    }

    /// A page that may match; what is `ahead` has been found in it.
    fn candidate(&mut self, page: &Page, read: Candidate, ahead: Option<FoundAhead>) -> Result<()> {
        if self.call.stdout.inode().is_some() && self.call.fs.stat(&page.path).is_ok_and(|meta| self.is_output(&meta)) {
            return self.complain_of_output(&page.name());
        }
        match (read, ahead) {
            // Nothing would be said of it.
            (Candidate::Matchless, _) if self.settings.report == Report::Lines => Ok(()),
            (Candidate::Matchless, _) => self.report_matchless(&page.name(), page.named),
            (Candidate::Read(Ok(_)), Some(FoundAhead { found, out })) => {
                self.printed |= !out.is_empty();
                self.call.stdout.write_all(&out)?;
                self.report(&page.name(), page.named, found)
            }
            (Candidate::Read(Ok(text)), None) => self.page(page, &text),
            (Candidate::Read(Err(error)), _) => self.complain(&page.name(), &error),
        }
    }

    /// Whether a file that is searched is the one that its lines are printed to.
    fn is_output(&self, meta: &Meta) -> bool {
        self.settings.report == Report::Lines && self.settings.rules.most != Some(1) && self.call.prints_to(meta)
    }

    fn complain_of_output(&mut self, name: &str) -> Result<()> {
        self.trouble = true;
        match self.settings.silent {
            true => Ok(()),
            false => self.call.warn(format_args!("{name}: input file is also the output")),
        }
    }

    fn page(&mut self, page: &Page, text: &[u8]) -> Result<()> {
        let Files { call, settings, pattern, printed, .. } = self;
        let found = page.search(text, (settings, pattern), &call.cancel, printed, &mut call.stdout)?;
        self.report(&page.name(), page.named, found)
    }

    /// Say of a file that no line of it is selected.
    fn report_matchless(&mut self, label: &str, named: bool) -> Result<()> {
        self.report(label, named, Found::default())
    }

    /// Say of a file that has been searched what is not said line by line.
    fn report(&mut self, label: &str, named: bool, found: Found) -> Result<()> {
        let s = self.settings;
        let Found { count, has_null, kept_back } = found;
        let is_null_match = has_null && count > 0 && s.report == Report::Lines;
        self.printed |= is_null_match;
        self.selected |= count > 0;
        let out = &mut self.call.stdout;
        match s.report {
            Report::Count => {
                if named {
                    paint(out, s.colour, colour::NAME, label.as_bytes())?;
                    match s.null_after_name {
                        true => out.write_all(b"\0")?,
                        false => paint(out, s.colour, colour::SEPARATOR, b":")?,
                    }
                }
                writeln!(out, "{count}")?;
            }
            Report::FilesWith | Report::FilesWithout => {
                if (count > 0) == (s.report == Report::FilesWith) {
                    paint(out, s.colour, colour::NAME, label.as_bytes())?;
                    out.write_all(if s.null_after_name { b"\0" } else { b"\n" })?;
                }
            }
            Report::Quiet => self.done = count > 0,
            Report::Lines => {}
        }
        if s.line_buffered {
            self.call.stdout.flush()?;
        }
        if is_null_match || kept_back && s.rules.binary == Binary::Message {
            self.call.warn(format_args!("{label}: binary file matches"))?;
        }
        Ok(())
    }

    fn complain(&mut self, name: &str, error: &FsError) -> Result<()> {
        if let ErrorKind::Stopped(stop) = error.kind {
            return Err(stop.into());
        }
        self.trouble = true;
        if !self.settings.silent {
            self.call.warn(format_args!("{name}: {error}"))?;
        }
        Ok(())
    }
}
