//! What the words of a command line ask of rg.
use super::smart;
use crate::{
    Call, Error, FsError, InputKind, Parsed, Result, Status,
    args::{self, Order},
    pattern::{Dialect, Options, Pattern, PatternError, Whole},
    scan::{Binary, Rules},
};
use ignore::types::TypesBuilder;
use std::io::Read;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    Rust,
    Perl,
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Sensitive,
    Insensitive,
    Smart,
}

/// By what files are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SortBy {
    Path,
    Time,
}

/// All of it.
pub(super) struct Settings {
    patterns: Vec<String>,
    engine: Engine,
    case: Case,
    fixed: bool,
    whole: Whole,
    multiline_dotall: bool,
    crlf: bool,
    unicode: bool,
    is_quiet: bool,
    /// Compressed files are searched as what they hold.
    unzips: bool,
    pub(super) mode: Mode,
    pub(super) rules: Rules,
    pub(super) include_zero: bool,
    pub(super) only_matching: bool,
    pub(super) vimgrep: bool,
    pub(super) replace: Option<String>,
    pub(super) line_number: bool,
    pub(super) column: bool,
    pub(super) byte_offset: bool,
    /// Whether paths are printed; `None` leaves it to the operands.
    pub(super) paths: Option<bool>,
    pub(super) heading: bool,
    pub(super) null: bool,
    pub(super) trim: bool,
    pub(super) most_columns: Option<usize>,
    pub(super) preview: bool,
    pub(super) context_separator: Option<String>,
    pub(super) match_separator: String,
    pub(super) context_field_separator: String,
    pub(super) colour: bool,
    pub(super) stats: bool,
    pub(super) silent: bool,
    pub(super) line_buffered: bool,
    pub(super) hidden: bool,
    pub(super) dot_ignore: bool,
    pub(super) git_ignore: bool,
    pub(super) parent_ignore: bool,
    pub(super) require_git: bool,
    pub(super) ignore_files: Vec<String>,
    /// `-g` and `--iglob` in order; the latter are `true`.
    pub(super) globs: Vec<(String, bool)>,
    pub(super) types: TypesBuilder,
    pub(super) depth: Option<usize>,
    pub(super) largest: Option<u64>,
    pub(super) sort: SortBy,
    pub(super) reverse: bool,
    pub(super) paths_given: Vec<String>,
    /// Search stdin and not the tree, when no path is given.
    reads_stdin: bool,
}

impl Settings {
    /// Read the words of `call`, and the files of patterns they name.
    pub(super) fn read(call: &mut Call<'_>) -> Result<Settings> {
        let parsed = args::parse(call, Order::Anywhere)?;
        let mut settings = Settings::new(call);
        let mut patterns: Option<Vec<String>> = None;
        let (mut unrestricted, mut numbers, mut heading) = (0, None, None);
        let (mut context, mut before, mut after) = (0, None, None);
        let mut fold_globs = false;
        for (key, value) in &parsed.options {
            let value = value.as_deref().unwrap_or_default();
            match *key {
                "regexp" => patterns.get_or_insert_default().push(value.to_string()),
                "file" => patterns.get_or_insert_default().extend(lines_of(call, value)?),
                "unrestricted" => {
                    unrestricted += 1;
                    settings.restrict_less(unrestricted);
                }
                "line-number" => numbers = Some(true),
                "no-line-number" => numbers = Some(false),
                "heading" => heading = Some(true),
                "no-heading" => heading = Some(false),
                "pretty" => (settings.colour, heading, numbers) = (true, Some(true), Some(true)),
                "context" => context = number(key, value)?,
                "before-context" => before = Some(number(key, value)?),
                "after-context" => after = Some(number(key, value)?),
                "glob-case-insensitive" => fold_globs = true,
                "color" => {
                    settings.colour = match value {
                        "always" | "ansi" => true,
                        "never" => false,
                        "auto" => terminal_colour(call),
                        _ => return Err(choice("color", value)),
                    }
                }
                key => settings.set(key, value)?,
            }
        }
        settings.rules.before = before.unwrap_or(context);
        settings.rules.after = after.unwrap_or(context);
        settings.globs.iter_mut().for_each(|(_, fold)| *fold |= fold_globs);
        settings.finish(call, numbers, heading);
        settings.take_operands(parsed, patterns)?;
        Ok(settings)
    }

    fn new(call: &Call<'_>) -> Settings {
        let mut types = TypesBuilder::new();
        types.add_defaults();
        Settings {
            patterns: Vec::new(),
            engine: Engine::Rust,
            case: Case::Sensitive,
            fixed: false,
            whole: Whole::Any,
            multiline_dotall: false,
            crlf: false,
            unicode: true,
            is_quiet: false,
            unzips: false,
            mode: Mode::Standard,
            rules: Rules { binary: Binary::Skip, ..Rules::default() },
            include_zero: false,
            only_matching: false,
            vimgrep: false,
            replace: None,
            line_number: false,
            column: false,
            byte_offset: false,
            paths: None,
            heading: false,
            null: false,
            trim: false,
            most_columns: None,
            preview: false,
            context_separator: Some("--".to_string()),
            match_separator: ":".to_string(),
            context_field_separator: "-".to_string(),
            colour: terminal_colour(call),
            stats: false,
            silent: false,
            line_buffered: call.stdout.terminal().is_some(),
            hidden: false,
            dot_ignore: true,
            git_ignore: true,
            parent_ignore: true,
            require_git: true,
            ignore_files: Vec::new(),
            globs: Vec::new(),
            types,
            depth: None,
            largest: None,
            sort: SortBy::Path,
            reverse: false,
            paths_given: Vec::new(),
            reads_stdin: matches!(call.stdin.kind(), InputKind::Pipe | InputKind::File),
        }
    }

    /// One option that stands for itself.
    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        match key {
            "case-sensitive" => self.case = Case::Sensitive,
            "ignore-case" => self.case = Case::Insensitive,
            "smart-case" => self.case = Case::Smart,
            "fixed-strings" => self.fixed = true,
            "no-fixed-strings" => self.fixed = false,
            "word-regexp" => self.whole = Whole::Word,
            "line-regexp" => self.whole = Whole::Line,
            "invert-match" => self.rules.invert = true,
            "no-invert-match" => self.rules.invert = false,
            "pcre2" => self.engine = Engine::Perl,
            "no-pcre2" => self.engine = Engine::Rust,
            "auto-hybrid-regex" => self.engine = Engine::Auto,
            "engine" => {
                self.engine = match value {
                    "default" => Engine::Rust,
                    "pcre2" => Engine::Perl,
                    "auto" => Engine::Auto,
                    _ => return Err(choice(key, value)),
                }
            }
            "multiline" => self.rules.multiline = true,
            "no-multiline" => self.rules.multiline = false,
            "multiline-dotall" => self.multiline_dotall = true,
            "no-multiline-dotall" => self.multiline_dotall = false,
            "crlf" => self.crlf = true,
            "no-crlf" => self.crlf = false,
            "max-count" => self.rules.most = Some(number(key, value)?),
            "text" => self.rules.binary = Binary::Text,
            "binary" => self.rules.binary = Binary::Message,
            "no-text" | "no-binary" => self.rules.binary = Binary::Skip,
            "files" => self.mode = Mode::Files,
            "type-list" => self.mode = Mode::TypeList,
            "files-with-matches" => self.set_mode(Mode::FilesWith),
            "files-without-match" => self.set_mode(Mode::FilesWithout),
            "count" => self.set_mode(Mode::Count),
            "count-matches" => self.set_mode(Mode::CountMatches),
            "quiet" => self.is_quiet = true,
            "json" => self.set_mode(Mode::Json),
            "include-zero" => self.include_zero = true,
            "only-matching" => self.only_matching = true,
            "vimgrep" => (self.vimgrep, self.paths) = (true, Some(true)),
            "passthru" => self.rules.all = true,
            "replace" => self.replace = Some(value.to_string()),
            "column" => self.column = true,
            "no-column" => self.column = false,
            "byte-offset" => self.byte_offset = true,
            "with-filename" => self.paths = Some(true),
            "no-filename" => self.paths = Some(false),
            "null" => self.null = true,
            "trim" => self.trim = true,
            "no-trim" => self.trim = false,
            "max-columns" => self.most_columns = Some(number(key, value)?).filter(|&most| most > 0),
            "max-columns-preview" => self.preview = true,
            "no-max-columns-preview" => self.preview = false,
            "context-separator" => self.context_separator = Some(unescape(value)),
            "no-context-separator" => self.context_separator = None,
            "field-match-separator" => self.match_separator = unescape(value),
            "field-context-separator" => self.context_field_separator = unescape(value),
            "stats" => self.stats = true,
            "no-stats" => self.stats = false,
            "no-messages" => self.silent = true,
            "messages" => self.silent = false,
            "line-buffered" => self.line_buffered = true,
            "no-line-buffered" => self.line_buffered = false,
            "version" => return Err(Error::Version),
            "help" => return Err(Error::Help),
            "encoding" if matches!(value, "auto" | "none" | "utf-8" | "utf8" | "UTF-8" | "UTF8") => {}
            "encoding" => return Err(Error::Failed(format!("unsupported encoding: {value}"), Status(2))),
            // Only with --pre does it choose anything, and paths have no other separator.
            "pre-glob" => {}
            "path-separator" if value == "/" => {}
            "search-zip" => self.unzips = true,
            "no-search-zip" => self.unzips = false,
            "null-data" => self.rules.null_data = true,
            "no-unicode" => self.unicode = false,
            "unicode" => self.unicode = true,
            "pre" | "path-separator" => {
                return Err(Error::Failed(format!("--{key} is not supported"), Status(2)));
            }
            key => self.set_filter(key, value)?,
        }
        Ok(())
    }

    /// One option that says which files are searched.
    fn set_filter(&mut self, key: &str, value: &str) -> Result<()> {
        let type_error = |error: ignore::Error| Error::Failed(error.to_string(), Status(2));
        match key {
            "hidden" => self.hidden = true,
            "no-hidden" => self.hidden = false,
            "no-ignore" => (self.dot_ignore, self.git_ignore) = (false, false),
            "ignore" => (self.dot_ignore, self.git_ignore) = (true, true),
            "no-ignore-dot" => self.dot_ignore = false,
            "no-ignore-vcs" => self.git_ignore = false,
            "no-ignore-parent" => self.parent_ignore = false,
            "no-ignore-files" => self.ignore_files.clear(),
            "no-require-git" => self.require_git = false,
            "ignore-file" => self.ignore_files.push(value.to_string()),
            "glob" => self.globs.push((value.to_string(), false)),
            "iglob" => self.globs.push((value.to_string(), true)),
            "type" => drop(self.types.select(value)),
            "type-not" => drop(self.types.negate(value)),
            "type-add" => drop(self.types.add_def(value).map_err(type_error)?),
            "type-clear" => drop(self.types.clear(value)),
            "max-depth" => self.depth = Some(number(key, value)?),
            "max-filesize" => self.largest = Some(size(key, value)?),
            "sort" | "sortr" => {
                self.reverse = key == "sortr";
                self.sort = match value {
                    "path" | "none" => SortBy::Path,
                    "modified" | "accessed" | "created" => SortBy::Time,
                    _ => return Err(choice(key, value)),
                };
                self.reverse &= value != "none";
            }
            _ => {}
        }
        Ok(())
    }

    fn set_mode(&mut self, mode: Mode) {
        if !matches!(self.mode, Mode::Files | Mode::TypeList) {
            self.mode = mode;
        }
    }

    /// `-u`, `-uu`, `-uuu`.
    fn restrict_less(&mut self, level: u32) {
        match level {
            1 => (self.dot_ignore, self.git_ignore) = (false, false),
            2 => self.hidden = true,
            _ => self.rules.binary = Binary::Message,
        }
    }

    /// What follows from several options together.
    fn finish(&mut self, call: &Call<'_>, numbers: Option<bool>, heading: Option<bool>) {
        let terminal = call.stdout.terminal().is_some();
        if self.is_quiet {
            self.set_mode(Mode::Quiet);
        }
        if self.mode == Mode::Count && self.only_matching && !self.rules.invert {
            self.mode = Mode::CountMatches;
        }
        if self.mode == Mode::CountMatches && self.rules.invert {
            self.mode = Mode::Count;
        }
        let standard = self.mode == Mode::Standard;
        self.column |= self.vimgrep;
        self.heading = standard && heading.unwrap_or(terminal) && !self.vimgrep;
        let shown = numbers.unwrap_or(terminal && !self.reads_stdin || self.column);
        self.line_number = shown;
        self.rules.numbers = standard && shown || self.mode == Mode::Json;
        if self.mode == Mode::Json {
            self.colour = false;
        }
        let quiet = !matches!(self.mode, Mode::Standard | Mode::Json | Mode::CountMatches);
        self.rules.quiet = quiet && !self.stats;
        self.rules.first_only = matches!(self.mode, Mode::FilesWith | Mode::FilesWithout | Mode::Quiet) && !self.stats;
        if self.mode == Mode::CountMatches || quiet {
            (self.rules.before, self.rules.after, self.rules.all) = (0, 0, false);
        }
    }

    fn take_operands(&mut self, parsed: Parsed, patterns: Option<Vec<String>>) -> Result<()> {
        let mut operands = parsed.operands.into_iter();
        self.patterns = match patterns {
            _ if matches!(self.mode, Mode::Files | Mode::TypeList) => Vec::new(),
            Some(patterns) => patterns,
            None => match operands.next() {
                Some(pattern) => vec![pattern],
                None => {
                    let message = "ripgrep requires at least one pattern to execute a search";
                    return Err(Error::Failed(message.to_string(), Status(2)));
                }
            },
        };
        self.paths_given = operands.collect();
        Ok(())
    }

    /// The matcher of what was asked for; none when nothing is searched.
    pub(super) fn pattern(&self, call: &Call<'_>) -> Result<Option<Pattern>> {
        if matches!(self.mode, Mode::Files | Mode::TypeList) {
            return Ok(None);
        }
        let ignore_case = match self.case {
            Case::Sensitive => false,
            Case::Insensitive => true,
            Case::Smart => smart::ignores_case(&self.patterns, self.fixed),
        };
        let options = Options {
            ignore_case,
            lines: !(self.rules.multiline || self.rules.null_data),
            anchors_at_newlines: self.rules.multiline || self.rules.null_data,
            dot_matches_newline: self.rules.multiline && self.multiline_dotall,
            unicode_digits: true,
            ascii: !self.unicode,
            crlf: self.crlf,
            whole: self.whole,
            size: call.limits.regex,
        };
        let compile = |dialect| Pattern::new(&self.patterns, dialect, options);
        let perl = || match &self.patterns[..] {
            [_] => compile(Dialect::Perl),
            many => {
                let joined = many.iter().map(|text| format!("(?:{text})")).collect::<Vec<_>>().join("|");
                Pattern::new(&[joined], Dialect::Perl, options)
            }
        };
        let pattern = match self.engine {
            _ if self.fixed => compile(Dialect::Fixed),
            Engine::Rust => compile(Dialect::Rust),
            Engine::Perl => perl(),
            Engine::Auto => compile(Dialect::Rust).or_else(|error: PatternError| perl().map_err(|_| error)),
        };
        Ok(Some(pattern?))
    }

    /// Whether a file that has no match need not be read.
    pub(super) fn may_narrow(&self) -> bool {
        let odd = self.rules.null_data
            || self.unzips
            || self.rules.invert
            || self.rules.multiline
            || self.rules.all
            || self.stats
            || self.include_zero;
        !odd && !matches!(self.mode, Mode::Json | Mode::FilesWithout)
    }

    /// Whether what is printed of a file says nothing of the files before it, and is not waited for.
    pub(super) fn is_independent(&self) -> bool {
        self.mode != Mode::Quiet && !self.line_buffered && !self.heading && !self.has_context()
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
        if self.rules.null_data { 0 } else { b'\n' }
    }

    /// What ends the path of a file that nothing else is said of.
    pub(super) fn path_end(&self) -> u8 {
        if self.null { 0 } else { self.end() }
    }

    /// Whether lines are printed with what is around them.
    pub(super) fn has_context(&self) -> bool {
        self.rules.before > 0 || self.rules.after > 0
    }
}

fn terminal_colour(call: &Call<'_>) -> bool {
    call.stdout.terminal().is_some_and(|terminal| terminal.colour)
}

fn choice(key: &str, value: &str) -> Error {
    Error::Failed(format!("error parsing flag --{key}: choice '{value}' is unrecognized"), Status(2))
}

fn number<N: std::str::FromStr>(key: &str, value: &str) -> Result<N> {
    value.parse().map_err(|_| {
        Error::Failed(format!("error parsing flag --{key}: value is not a valid number: {value:?}"), Status(2))
    })
}

/// A number of bytes with `K`, `M` or `G` behind it.
fn size(key: &str, value: &str) -> Result<u64> {
    let (digits, shift) = match value.as_bytes().last() {
        Some(b'K') => (&value[..value.len() - 1], 10),
        Some(b'M') => (&value[..value.len() - 1], 20),
        Some(b'G') => (&value[..value.len() - 1], 30),
        _ => (value, 0),
    };
    Ok(number::<u64>(key, digits)?.saturating_mul(1 << shift))
}

/// `\n`, `\t`, `\xFF` in a separator.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 2..at + 4).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let (character, length) = match (rest.as_bytes().get(at + 1), code) {
            (Some(b'n'), _) => ('\n', 2),
            (Some(b't'), _) => ('\t', 2),
            (Some(b'r'), _) => ('\r', 2),
            (Some(b'0'), _) => ('\0', 2),
            (Some(b'\\'), _) => ('\\', 2),
            (Some(b'x'), Some(code)) if code.is_ascii() => (char::from(code), 4),
            _ => ('\\', 1),
        };
        out.push(character);
        rest = &rest[at + length..];
    }
    out + rest
}

/// The lines of a file of patterns; `-` is stdin.
fn lines_of(call: &mut Call<'_>, name: &str) -> Result<Vec<String>> {
    let trouble = |error: &FsError| Error::Failed(format!("{name}: {error}"), Status(2));
    let mut bytes = Vec::new();
    let mut input = match name {
        "-" => call.stdin.clone(),
        _ => call.open(name).map_err(|error| trouble(&error))?,
    };
    match input.read_to_end(&mut bytes) {
        Ok(_) => call.memory.take(bytes.len())?,
        Err(error) => return Err(trouble(&FsError::within(error.into())?)),
    }
    Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect())
}
