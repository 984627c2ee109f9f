//! What the words of a command line ask of grep.
use crate::{
    Call, Error, FsError, Parsed, Result, Status,
    args::{self, Order},
    glob::{Glob, GlobFlags},
    pattern::{Dialect, Options, Pattern, Syntax, Whole},
    scan::{Binary, Rules},
};
use std::io::Read;

/// What is printed of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Report {
    Lines,
    Count,
    FilesWith,
    FilesWithout,
    Quiet,
}

/// What is done with a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folders {
    /// It is an error.
    Read,
    Recurse,
    Skip,
}

/// All of it.
pub(super) struct Settings {
    dialect: Dialect,
    patterns: Vec<String>,
    ignore_case: bool,
    whole: Whole,
    pub(super) rules: Rules,
    pub(super) report: Report,
    pub(super) only_matching: bool,
    /// What is printed between lines that do not follow each other, when context was asked for.
    pub(super) separator: Option<String>,
    pub(super) offset: bool,
    /// Whether names are printed before lines; `None` leaves it to the operands.
    pub(super) names: Option<bool>,
    pub(super) null_after_name: bool,
    pub(super) tab: bool,
    pub(super) folders: Folders,
    pub(super) skip_devices: bool,
    pub(super) silent: bool,
    pub(super) colour: bool,
    pub(super) line_buffered: bool,
    pub(super) label: String,
    /// `--include` and `--exclude` in order; the former are `true`.
    pub(super) globs: Vec<(Glob, bool)>,
    pub(super) folder_globs: Vec<Glob>,
    pub(super) operands: Vec<String>,
}

impl Settings {
    /// Read the words of `call`, and the files of patterns they name.
    pub(super) fn read(call: &mut Call<'_>) -> Result<Settings> {
        let parsed = args::parse(call, Order::Anywhere)?;
        let mut settings = Settings::new(call);
        let mut patterns: Option<Vec<String>> = None;
        let mut matcher = match call.name() {
            "egrep" => Some("extended"),
            "fgrep" => Some("fixed"),
            _ => None,
        };
        let (mut context, mut before, mut after) = (None, None, None);
        let mut separator = Some("--".to_string());
        let mut digits = String::new();
        let mut last_was_digit = false;
        for (key, value) in &parsed.options {
            let value = value.as_deref().unwrap_or_default();
            let is_digit = *key == args::DIGIT;
            if is_digit {
                if !last_was_digit {
                    digits.clear();
                }
                digits.push_str(value);
                context = Some(length(&digits)?);
            }
            last_was_digit = is_digit;
            match *key {
                "extended" | "fixed" | "basic" | "perl" => {
                    if matcher.is_some_and(|matcher| matcher != *key) {
                        return Err(Error::Failed("conflicting matchers specified".to_string(), Status(2)));
                    }
                    matcher = Some(key);
                }
                "regexp" => patterns.get_or_insert_default().extend(value.split('\n').map(str::to_string)),
                "file" => patterns.get_or_insert_default().extend(lines_of(call, value)?),
                "before" => before = Some(length(value)?),
                "after" => after = Some(length(value)?),
                "context" => context = Some(length(value)?),
                "separator" => separator = Some(value.to_string()),
                "no-separator" => separator = None,
                "exclude-from" => {
                    for line in lines_of(call, value)?.iter().filter(|line| !line.is_empty()) {
                        settings.globs.push((file_glob(line), false));
                    }
                }
                key => settings.set(call, key, value)?,
            }
        }
        settings.dialect = match matcher {
            Some("extended") => Dialect::Posix(Syntax::EGREP),
            Some("fixed") => Dialect::Fixed,
            Some("perl") => Dialect::Perl,
            _ => Dialect::Posix(Syntax::GREP),
        };
        settings.rules.before = before.or(context).unwrap_or(0);
        settings.rules.after = after.or(context).unwrap_or(0);
        if before.or(after).or(context).is_some() {
            settings.separator = separator;
        }
        settings.rules.quiet = settings.report != Report::Lines;
        settings.rules.first_only = !matches!(settings.report, Report::Lines | Report::Count);
        settings.take_operands(call, parsed, patterns)?;
        Ok(settings)
    }

    fn new(call: &Call<'_>) -> Settings {
        Settings {
            dialect: Dialect::Fixed,
            patterns: Vec::new(),
            ignore_case: false,
            whole: Whole::Any,
            rules: Rules::default(),
            report: Report::Lines,
            only_matching: false,
            separator: None,
            offset: false,
            names: None,
            null_after_name: false,
            tab: false,
            folders: Folders::Read,
            skip_devices: false,
            silent: false,
            colour: false,
            line_buffered: call.stdout.terminal().is_some(),
            label: "(standard input)".to_string(),
            globs: Vec::new(),
            folder_globs: Vec::new(),
            operands: Vec::new(),
        }
    }

    /// One option that stands for itself.
    fn set(&mut self, call: &Call<'_>, key: &str, value: &str) -> Result<()> {
        match key {
            "ignore-case" => self.ignore_case = true,
            "no-ignore-case" => self.ignore_case = false,
            "word" if self.whole == Whole::Any => self.whole = Whole::Word,
            "line" => self.whole = Whole::Line,
            "null-data" => self.rules.null_data = true,
            "no-messages" => self.silent = true,
            "invert" => self.rules.invert = true,
            "version" => return Err(Error::Version),
            "max-count" => self.rules.most = most(value)?,
            "byte-offset" => self.offset = true,
            "line-number" => self.rules.numbers = true,
            "line-buffered" => self.line_buffered = true,
            "with-filename" => self.names = Some(true),
            "no-filename" => self.names = Some(false),
            "label" => self.label = value.to_string(),
            "only-matching" => self.only_matching = true,
            "quiet" => self.report = Report::Quiet,
            "files-with" if self.report != Report::Quiet => self.report = Report::FilesWith,
            "files-without" if self.report != Report::Quiet => self.report = Report::FilesWithout,
            "count" if self.report == Report::Lines => self.report = Report::Count,
            "binary-files" => {
                self.rules.binary = match value {
                    "binary" => Binary::Message,
                    "text" => Binary::Text,
                    "without-match" => Binary::Skip,
                    _ => return Err(Error::Failed("unknown binary-files type".to_string(), Status(2))),
                }
            }
            "text" => self.rules.binary = Binary::Text,
            "I" => self.rules.binary = Binary::Skip,
            "directories" => {
                self.folders = match value {
                    "read" => Folders::Read,
                    "recurse" => Folders::Recurse,
                    "skip" => Folders::Skip,
                    _ => return Err(Error::usage(format!("invalid argument ‘{value}’ for ‘--directories’"))),
                }
            }
            "recursive" => self.folders = Folders::Recurse,
            "devices" => {
                self.skip_devices = match value {
                    "read" => false,
                    "skip" => true,
                    _ => return Err(Error::Failed("unknown devices method".to_string(), Status(2))),
                }
            }
            "include" => self.globs.push((file_glob(value), true)),
            "exclude" => self.globs.push((file_glob(value), false)),
            "exclude-dir" => {
                let trimmed = value.trim_end_matches('/');
                self.folder_globs.push(file_glob(if trimmed.is_empty() { value } else { trimmed }));
            }
            "initial-tab" => self.tab = true,
            "null" => self.null_after_name = true,
            "colour" => {
                self.colour = match value {
                    "always" | "yes" | "force" => true,
                    "never" | "no" | "none" => false,
                    "" | "auto" | "tty" | "if-tty" => call.stdout.terminal().is_some_and(|terminal| terminal.colour),
                    _ => return Err(Error::Help),
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether what is printed of a file says nothing of the files before it, and is not waited for.
    pub(super) fn is_independent(&self) -> bool {
        let Rules { before, after, all, .. } = self.rules;
        self.report != Report::Quiet && !self.line_buffered && !all && (before, after) == (0, 0)
    }

    /// Whether no line can be selected, since the empty pattern matches all: then GNU grep reads nothing, not even a
    /// file that is not there.
    pub(super) fn selects_nothing(&self) -> bool {
        let all_match = self.whole == Whole::Any && self.patterns.iter().all(String::is_empty);
        self.rules.invert && !self.patterns.is_empty() && all_match && self.report != Report::FilesWithout
    }

    fn take_operands(&mut self, call: &mut Call<'_>, parsed: Parsed, patterns: Option<Vec<String>>) -> Result<()> {
        let mut operands = parsed.operands.into_iter();
        self.patterns = match patterns {
            Some(patterns) => patterns,
            None => match operands.next() {
                Some(text) => text.split('\n').map(str::to_string).collect(),
                None => return Err(super::usage(call)),
            },
        };
        self.operands = operands.collect();
        Ok(())
    }

    /// The matcher of what was asked for; what is odd about it is said.
    pub(super) fn pattern(&self, call: &mut Call<'_>) -> Result<Pattern> {
        if matches!(self.dialect, Dialect::Perl) && self.patterns.len() > 1 {
            return Err(Error::Failed("the -P option only supports a single pattern".to_string(), Status(2)));
        }
        let options = Options {
            ignore_case: self.ignore_case,
            lines: !self.rules.null_data,
            whole: self.whole,
            size: call.limits.regex,
            ..Options::default()
        };
        let pattern = Pattern::new(&self.patterns, self.dialect, options)?;
        for warning in pattern.warnings() {
            call.warn(format_args!("warning: {warning}"))?;
        }
        Ok(pattern)
    }

    /// Whether a file that has no match need not be read.
    pub(super) fn may_narrow(&self) -> bool {
        !self.rules.invert && !self.rules.null_data && self.report != Report::FilesWithout
    }

    /// Whether the options leave out the file called `name`; `name` is a whole operand or a bare name.
    pub(super) fn excludes_file(&self, name: &str) -> bool {
        let matched = self.globs.iter().rev().find(|(glob, _)| matches_suffix(glob, name));
        match (matched, self.globs.first()) {
            (Some((_, include)), _) => !include,
            (None, Some((_, include))) => *include,
            (None, None) => false,
        }
    }

    /// Whether the options leave out the folder called `name`.
    pub(super) fn excludes_folder(&self, name: &str) -> bool {
        let trimmed = name.trim_end_matches('/');
        let name = if trimmed.is_empty() { name } else { trimmed };
        self.folder_globs.iter().any(|glob| matches_suffix(glob, name))
    }
}

fn file_glob(pattern: &str) -> Glob {
    Glob::new(pattern, GlobFlags::default())
}

/// Whether `glob` matches the name or what stands after one of its slashes.
fn matches_suffix(glob: &Glob, name: &str) -> bool {
    let ends = name.match_indices('/').map(|(at, _)| &name[at + 1..]);
    glob.matches(name) || ends.filter(|end| !end.starts_with('/')).any(|end| glob.matches(end))
}

/// A number of lines of context.
fn length(text: &str) -> Result<usize> {
    match text.parse::<u64>() {
        Ok(number) => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
        Err(_) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(usize::MAX),
        Err(_) => Err(Error::Failed(format!("{text}: invalid context length argument"), Status(2))),
    }
}

/// The number of `-m`; a negative one is no limit.
fn most(text: &str) -> Result<Option<u64>> {
    match text.parse::<i64>() {
        Ok(number) => Ok(u64::try_from(number).ok()),
        Err(_) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(None),
        Err(_) => Err(Error::Failed("invalid max count".to_string(), Status(2))),
    }
}

/// The lines of a file of patterns; `-` is stdin.
fn lines_of(call: &mut Call<'_>, name: &str) -> Result<Vec<String>> {
    let mut bytes = Vec::new();
    let mut input = match name {
        "-" => call.stdin.clone(),
        _ => call.open(name).map_err(|error| trouble(name, &error))?,
    };
    match input.read_to_end(&mut bytes) {
        Ok(_) => call.memory.take(bytes.len())?,
        Err(error) => return Err(trouble(name, &FsError::within(error.into())?)),
    }
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_suffix('\n').map_or(&text[..], |text| text);
    Ok(if bytes.is_empty() { Vec::new() } else { text.split('\n').map(str::to_string).collect() })
}

fn trouble(name: &str, error: &FsError) -> Error {
    Error::Failed(format!("{name}: {error}"), Status(2))
}
