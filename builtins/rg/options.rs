//! What the words of a command line ask of rg.
//!
//! An option says something of what matches ([`Matching`]), of how texts are looked through ([`Scanning`]), of what is
//! printed ([`Printing`]) or of the files that are searched ([`Selection`]); what is left it says of the whole search
//! ([`Settings`]). What several of them decide together is settled when all have been read.
mod matching;
mod printing;
mod scanning;
mod selection;
mod value;

pub(super) use selection::{Selection, SortBy};

use crate::{
    Call, Error, InputKind, Result, Status,
    args::{self, Order},
    pattern::Pattern,
    scan::{Binary, Rules},
};
use matching::Matching;
use printing::Printing;
use scanning::Scanning;

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Lines.
    Standard,
    Json,
    Count,
    CountMatches,
    FilesWith,
    FilesWithout,
    Quiet,
    /// No search: the files that would be searched.
    Files,
    TypeList,
}

/// All of it.
pub(super) struct Settings {
    pub(super) mode: Mode,
    matching: Matching,
    scanning: Scanning,
    pub(super) printing: Printing,
    pub(super) selection: Selection,
    is_quiet: bool,
    /// How often `-u` was given.
    unrestricted: u32,
    pub(super) stats: bool,
    /// What cannot be searched is not said.
    pub(super) silent: bool,
    /// Compressed files are searched as what they hold.
    unzips: bool,
    pub(super) paths_given: Vec<String>,
    /// Search stdin and not the tree, when no path is given.
    reads_stdin: bool,
}

impl Settings {
    /// Read the words of `call`, and the files of patterns they name.
    pub(super) fn read(call: &mut Call<'_>) -> Result<Settings> {
        let parsed = args::parse(call, Order::Anywhere)?;
        let mut settings = Settings::new(call);
        for (key, value) in &parsed.options {
            let value = value.as_deref().unwrap_or_default();
            let is_taken = settings.matching.set(key, value, call)?
                || settings.scanning.set(key, value)?
                || settings.printing.set(key, value)?
                || settings.selection.set(key, value)?;
            if !is_taken {
                settings.set(key, value)?;
            }
        }
        settings.settle();
        settings.take_operands(parsed.operands)?;
        Ok(settings)
    }

    fn new(call: &Call<'_>) -> Settings {
        Settings {
            mode: Mode::Standard,
            matching: Matching::new(),
            scanning: Scanning::new(),
            printing: Printing::new(call),
            selection: Selection::new(),
            is_quiet: false,
            unrestricted: 0,
            stats: false,
            silent: false,
            unzips: false,
            paths_given: Vec::new(),
            reads_stdin: matches!(call.stdin.kind(), InputKind::Pipe | InputKind::File),
        }
    }

    /// Take an option of the whole search; those that change nothing here are none.
    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        match key {
            "files" => self.mode = Mode::Files,
            "type-list" => self.mode = Mode::TypeList,
            "files-with-matches" => self.set_mode(Mode::FilesWith),
            "files-without-match" => self.set_mode(Mode::FilesWithout),
            "count" => self.set_mode(Mode::Count),
            "count-matches" => self.set_mode(Mode::CountMatches),
            "quiet" => self.is_quiet = true,
            "json" => self.set_mode(Mode::Json),
            "unrestricted" => self.restrict_less(),
            "stats" => self.stats = true,
            "no-stats" => self.stats = false,
            "no-messages" => self.silent = true,
            "messages" => self.silent = false,
            "search-zip" => self.unzips = true,
            "no-search-zip" => self.unzips = false,
            "version" => return Err(Error::Version),
            "help" => return Err(Error::Help),
            "encoding" if matches!(value, "auto" | "none" | "utf-8" | "utf8" | "UTF-8" | "UTF8") => {}
            "encoding" => return Err(Error::Failed(format!("unsupported encoding: {value}"), Status(2))),
            // Paths have no other separator.
            "path-separator" if value == "/" => {}
            "pre" | "path-separator" => {
                return Err(Error::Failed(format!("--{key} is not supported"), Status(2)));
            }
            _ => {}
        }
        Ok(())
    }

    fn set_mode(&mut self, mode: Mode) {
        if self.searches() {
            self.mode = mode;
        }
    }

    /// `-u`, `-uu`, `-uuu`.
    fn restrict_less(&mut self) {
        self.unrestricted += 1;
        match self.unrestricted {
            1 => (self.selection.dot_ignore, self.selection.git_ignore) = (false, false),
            2 => self.selection.hidden = true,
            _ => self.scanning.rules.binary = Binary::Message,
        }
    }

    /// What follows from several options together.
    fn settle(&mut self) {
        if self.is_quiet {
            self.set_mode(Mode::Quiet);
        }
        let invert = self.rules().invert;
        self.mode = match self.mode {
            Mode::Count if self.printing.only_matching && !invert => Mode::CountMatches,
            Mode::CountMatches if invert => Mode::Count,
            mode => mode,
        };
        self.printing.settle(self.mode, self.reads_stdin);
        self.scanning.settle(self.mode, self.printing.line_number, self.stats);
        self.selection.settle();
    }

    /// The operands: paths, after the pattern where no option gave one.
    fn take_operands(&mut self, operands: Vec<String>) -> Result<()> {
        let mut operands = operands.into_iter();
        if self.searches() && self.matching.patterns.is_none() {
            let Some(pattern) = operands.next() else {
                let message = "ripgrep requires at least one pattern to execute a search";
                return Err(Error::Failed(message.to_string(), Status(2)));
            };
            self.matching.patterns = Some(vec![pattern]);
        }
        self.paths_given = operands.collect();
        Ok(())
    }

    /// Whether anything is searched at all.
    fn searches(&self) -> bool {
        !matches!(self.mode, Mode::Files | Mode::TypeList)
    }

    /// The matcher of what was asked for; none when nothing is searched.
    pub(super) fn pattern(&self, call: &Call<'_>) -> Result<Option<Pattern>> {
        if self.searches() { self.matching.pattern(self.rules(), call.limits.regex).map(Some) } else { Ok(None) }
    }

    /// How a text is looked through.
    pub(super) fn rules(&self) -> &Rules {
        &self.scanning.rules
    }

    /// Whether a file that has no match need not be read.
    pub(super) fn may_narrow(&self) -> bool {
        let rules = self.rules();
        let odd = rules.null_data
            || self.unzips
            || rules.invert
            || rules.multiline
            || rules.all
            || self.stats
            || self.printing.include_zero;
        !odd && !matches!(self.mode, Mode::Json | Mode::FilesWithout)
    }

    /// Whether what is printed of a file says nothing of the files before it, and is not waited for.
    pub(super) fn is_independent(&self) -> bool {
        let Printing { line_buffered, heading, .. } = self.printing;
        self.mode != Mode::Quiet && !line_buffered && !heading && !self.has_context()
    }

    /// Whether a file of this name is searched as what it holds, uncompressed.
    pub(super) fn is_zipped(&self, name: &str) -> bool {
        self.unzips && (name.ends_with(".gz") || name.ends_with(".tgz"))
    }

    /// Whether stdin is searched for want of any path.
    pub(super) fn searches_stdin(&self) -> bool {
        self.paths_given.is_empty() && self.reads_stdin && self.mode != Mode::Files
    }

    /// What ends a line.
    pub(super) fn end(&self) -> u8 {
        if self.rules().null_data { 0 } else { b'\n' }
    }

    /// What ends the path of a file that nothing else is said of.
    pub(super) fn path_end(&self) -> u8 {
        if self.printing.null { 0 } else { self.end() }
    }

    /// Whether lines are printed with what is around them.
    pub(super) fn has_context(&self) -> bool {
        self.rules().before > 0 || self.rules().after > 0
    }
}
