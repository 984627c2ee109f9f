//! What the words of an `ls` command ask for.
use super::{
    SERIOUS,
    names::{Indicator, Names},
};
use crate::{
    Call, Error, Glob, GlobFlags, Opt, Quoting, Result, Unit,
    args::{self, Order},
};

/// The layout of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Long,
    OnePerLine,
    Columns,
    Across,
    Commas,
}

/// What names are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Name,
    None,
    Time,
    Size,
    Extension,
    Version,
    Width,
}

/// Which dot files are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hidden {
    Left,
    /// `-A`: all but `.` and `..`.
    Shown,
    /// `-a`.
    ShownWithDots,
}

/// The forms of a time: of one older than six months or in the future, and of a recent one.
#[derive(Clone, Debug)]
pub(super) struct TimeStyle {
    pub(super) old: String,
    pub(super) recent: String,
}

/// All that a command line says.
pub(super) struct Options {
    pub(super) format: Format,
    pub(super) sort: Sort,
    pub(super) reverse: bool,
    pub(super) folders_first: bool,
    pub(super) hidden: Hidden,
    /// Left out always (`-I`, `-B`).
    pub(super) ignored: Vec<Glob>,
    /// Left out unless `-a` or `-A` is given (`--hide`).
    pub(super) hides: Vec<Glob>,
    pub(super) directory: bool,
    pub(super) recursive: bool,
    pub(super) inode: bool,
    pub(super) blocks: bool,
    pub(super) numeric: bool,
    pub(super) owner: bool,
    pub(super) group: bool,
    pub(super) author: bool,
    pub(super) context: bool,
    pub(super) block_unit: Unit,
    pub(super) size_unit: Unit,
    pub(super) time: TimeStyle,
    pub(super) names: Names,
    /// Columns of a line; 0 is no limit.
    pub(super) width: usize,
    pub(super) tab: usize,
    /// What ends a line.
    pub(super) end: char,
    /// Whether the places of the names are told behind the listing.
    pub(super) dired: bool,
}

impl Options {
    /// Whether the size of a file is shown, or sorted by.
    pub(super) fn needs_size(&self) -> bool {
        self.format == Format::Long || self.blocks || self.sort == Sort::Size
    }

    /// Whether it matters how wide names are.
    pub(super) fn needs_width(&self) -> bool {
        let side_by_side = matches!(self.format, Format::Columns | Format::Across | Format::Commas);
        side_by_side || self.sort == Sort::Width
    }
}

const fn flag(letter: char, long: &'static [&'static str], key: &'static str, help: &'static str) -> Opt {
    Opt::flag(letter, long, key, help)
}

const fn long(name: &'static [&'static str], key: &'static str, help: &'static str) -> Opt {
    Opt::flag(' ', name, key, help).long_only()
}

const fn long_value(name: &'static [&'static str], key: &'static str, value: &'static str, help: &'static str) -> Opt {
    Opt::value(' ', name, key, value, help).long_only()
}

pub(super) const TABLE: &[Opt] = &[
    flag('a', &["all"], "a", "do not ignore entries starting with ."),
    flag('A', &["almost-all"], "A", "do not list implied . and .."),
    long(&["author"], "author", "with -l, print the author of each file"),
    flag('b', &["escape"], "b", "print C-style escapes for nongraphic characters"),
    long_value(&["block-size"], "block-size", "SIZE", "scale sizes by SIZE before printing them"),
    flag('B', &["ignore-backups"], "B", "do not list implied entries ending with ~"),
    flag('c', &[], "c", "sort by, or show, the time of last change"),
    flag('C', &[], "C", "list entries by columns"),
    long(&["color"], "color", "colour the output WHEN: always, auto or never").optional("WHEN"),
    flag('d', &["directory"], "d", "list directories themselves, not their contents"),
    flag('D', &["dired"], "D", "generate output designed for Emacs' dired mode"),
    flag('f', &[], "f", "list all entries in directory order"),
    flag('F', &[], "F", "append indicator (one of */) to entries"),
    long(&["classify"], "F", "append indicator (one of */) to entries WHEN").optional("WHEN"),
    long(&["file-type"], "file-type", "likewise, except do not append '*'"),
    long_value(
        &["format"],
        "format",
        "WORD",
        "across -x, commas -m, horizontal -x, long -l, single-column -1, verbose -l, vertical -C",
    ),
    long(&["full-time"], "full-time", "like -l --time-style=full-iso"),
    flag('g', &[], "g", "like -l, but do not list owner"),
    long(&["group-directories-first"], "folders-first", "group directories before files"),
    flag('G', &["no-group"], "G", "in a long listing, don't print group names"),
    flag('h', &["human-readable"], "h", "with -l and -s, print sizes like 1K 234M 2G etc."),
    long(&["si"], "si", "likewise, but use powers of 1000 not 1024"),
    flag('H', &["dereference-command-line"], "links", "a site has no symbolic links"),
    long(&["dereference-command-line-symlink-to-dir"], "links", ""),
    long_value(&["hide"], "hide", "PATTERN", "do not list implied entries matching PATTERN (overridden by -a or -A)"),
    long(&["hyperlink"], "hyperlink", "hyperlink file names WHEN: always, auto or never").optional("WHEN"),
    long_value(
        &["indicator-style"],
        "indicator",
        "WORD",
        "append indicator with style WORD: none, slash (-p), file-type, classify (-F)",
    ),
    flag('i', &["inode"], "i", "print the index number of each file"),
    Opt::value('I', &["ignore"], "I", "PATTERN", "do not list implied entries matching PATTERN"),
    flag('k', &["kibibytes"], "k", "default to 1024-byte blocks"),
    flag('l', &[], "l", "use a long listing format"),
    flag('L', &["dereference"], "links", "a site has no symbolic links"),
    flag('m', &[], "m", "fill width with a comma separated list of entries"),
    flag('n', &["numeric-uid-gid"], "n", "like -l, but list numeric user and group IDs"),
    flag('N', &["literal"], "N", "print entry names without quoting"),
    flag('o', &[], "o", "like -l, but do not list group information"),
    flag('p', &[], "p", "append / indicator to directories"),
    flag('q', &["hide-control-chars"], "q", "print ? instead of nongraphic characters"),
    long(&["show-control-chars"], "show-control-chars", "show nongraphic characters as-is"),
    flag('Q', &["quote-name"], "Q", "enclose entry names in double quotes"),
    long_value(&["quoting-style"], "quoting", "WORD", "use quoting style WORD for entry names"),
    flag('r', &["reverse"], "r", "reverse order while sorting"),
    flag('R', &["recursive"], "R", "list subdirectories recursively"),
    flag('s', &["size"], "s", "print the allocated size of each file, in blocks"),
    flag('S', &[], "S", "sort by file size, largest first"),
    long_value(
        &["sort"],
        "sort",
        "WORD",
        "sort by WORD: none (-U), size (-S), time (-t), version (-v), extension (-X), name, width",
    ),
    long_value(&["time"], "time", "WORD", "which time to show or sort by; a page has one"),
    long_value(&["time-style"], "time-style", "STYLE", "full-iso, long-iso, iso, locale, or +FORMAT as in date"),
    flag('t', &[], "t", "sort by time, newest first"),
    Opt::value('T', &["tabsize"], "T", "COLS", "assume tab stops at each COLS instead of 8"),
    flag('u', &[], "c", "sort by, or show, the time of last access"),
    flag('U', &[], "U", "do not sort; list entries in directory order"),
    flag('v', &[], "v", "natural sort of (version) numbers within text"),
    Opt::value('w', &["width"], "w", "COLS", "set output width to COLS; 0 means no limit"),
    flag('x', &[], "x", "list entries by lines instead of by columns"),
    flag('X', &[], "X", "sort alphabetically by entry extension"),
    flag('Z', &["context"], "Z", "print any security context of each file"),
    long(&["zero"], "zero", "end each output line with NUL, not newline"),
    flag('1', &[], "1", "list one file per line"),
];

const FORMATS: &[(&str, Format)] = &[
    ("verbose", Format::Long),
    ("long", Format::Long),
    ("commas", Format::Commas),
    ("horizontal", Format::Across),
    ("across", Format::Across),
    ("vertical", Format::Columns),
    ("single-column", Format::OnePerLine),
];
const SORTS: &[(&str, Sort)] = &[
    ("none", Sort::None),
    ("time", Sort::Time),
    ("size", Sort::Size),
    ("extension", Sort::Extension),
    ("version", Sort::Version),
    ("name", Sort::Name),
    ("width", Sort::Width),
];
const INDICATORS: &[(&str, Indicator)] = &[
    ("none", Indicator::None),
    ("slash", Indicator::Slash),
    ("file-type", Indicator::FileType),
    ("classify", Indicator::Classify),
];
const TIMES: &[(&str, u8)] = &[
    ("atime", 0),
    ("access", 0),
    ("use", 0),
    ("ctime", 1),
    ("status", 1),
    ("mtime", 2),
    ("modification", 2),
    ("birth", 3),
    ("creation", 3),
];
/// `always`, `never` or, on a terminal, `auto`.
const WHENS: &[(&str, Option<bool>)] = &[
    ("always", Some(true)),
    ("yes", Some(true)),
    ("force", Some(true)),
    ("never", Some(false)),
    ("no", Some(false)),
    ("none", Some(false)),
    ("auto", None),
    ("tty", None),
    ("if-tty", None),
];

/// The options and the operands of `call`.
pub(super) fn read(call: &Call<'_>) -> Result<(Options, Vec<String>)> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let terminal = call.stdout.terminal();
    let mut options = Options {
        format: if terminal.is_some() { Format::Columns } else { Format::OnePerLine },
        sort: Sort::Name,
        reverse: false,
        folders_first: false,
        hidden: Hidden::Left,
        ignored: Vec::new(),
        hides: Vec::new(),
        directory: false,
        recursive: false,
        inode: false,
        blocks: false,
        numeric: false,
        owner: true,
        group: true,
        author: false,
        context: false,
        block_unit: Unit::KIB,
        size_unit: Unit::BYTES,
        time: time_style("locale")?,
        names: Names::new(terminal.is_some()),
        width: terminal.map_or(80, |terminal| usize::from(terminal.columns)),
        tab: 8,
        end: '\n',
        dired: false,
    };
    if let Some(columns) = call.session.env("COLUMNS").and_then(|columns| columns.parse().ok()) {
        options.width = columns;
    }
    let (mut sort, mut times_asked, mut style) = (None, false, call.session.env("TIME_STYLE").map(str::to_string));
    for (key, value) in &parsed.options {
        let value = value.as_deref();
        let text = value.unwrap_or_default();
        let when = |option| value.map_or(Ok(Some(true)), |value| args::choice(call, option, value, WHENS));
        match *key {
            "a" => options.hidden = Hidden::ShownWithDots,
            "A" => options.hidden = Hidden::Shown,
            "author" => options.author = true,
            "B" => options.ignored.extend([name_glob("*~"), name_glob(".*~")]),
            "I" => options.ignored.push(name_glob(text)),
            "hide" => options.hides.push(name_glob(text)),
            "c" => times_asked = true,
            "time" => {
                args::choice(call, "--time", text, TIMES)?;
                times_asked = true;
            }
            "block-size" => {
                let unit = Unit::parse(text)
                    .ok_or_else(|| Error::Failed(format!("invalid --block-size argument '{text}'"), SERIOUS))?;
                (options.block_unit, options.size_unit) = (unit, unit);
            }
            "h" => (options.block_unit, options.size_unit) = (Unit::Human(1024), Unit::Human(1024)),
            "si" => (options.block_unit, options.size_unit) = (Unit::Human(1000), Unit::Human(1000)),
            "C" => options.format = Format::Columns,
            "x" => options.format = Format::Across,
            "m" => options.format = Format::Commas,
            "1" if options.format != Format::Long => options.format = Format::OnePerLine,
            "l" => options.format = Format::Long,
            "g" => (options.format, options.owner) = (Format::Long, false),
            "o" => (options.format, options.group) = (Format::Long, false),
            "n" => (options.format, options.numeric) = (Format::Long, true),
            "format" => options.format = args::choice(call, "--format", text, FORMATS)?,
            "full-time" => {
                options.format = Format::Long;
                style = Some("full-iso".to_string());
            }
            "time-style" => style = Some(text.to_string()),
            "d" => options.directory = true,
            "D" => {
                (options.format, options.dired) = (Format::Long, true);
                options.names.links = false;
            }
            "R" => options.recursive = true,
            "f" => (options.hidden, sort) = (Hidden::ShownWithDots, Some(Sort::None)),
            "folders-first" => options.folders_first = true,
            "G" => options.group = false,
            "i" => options.inode = true,
            "s" => options.blocks = true,
            "Z" => options.context = true,
            "r" => options.reverse = true,
            "S" => sort = Some(Sort::Size),
            "t" => sort = Some(Sort::Time),
            "U" => sort = Some(Sort::None),
            "v" => sort = Some(Sort::Version),
            "X" => sort = Some(Sort::Extension),
            "sort" => sort = Some(args::choice(call, "--sort", text, SORTS)?),
            "T" => options.tab = count(text, "tab size")?,
            "w" => options.width = count(text, "line width")?,
            "zero" => {
                options.end = '\0';
                options.names.plain();
                if options.format != Format::Long {
                    options.format = Format::OnePerLine;
                }
            }
            "b" => options.names.quoting = Quoting::Escape,
            "N" => options.names.quoting = Quoting::Literal,
            "Q" => options.names.quoting = Quoting::C,
            "quoting" => options.names.quoting = args::choice(call, "--quoting-style", text, Quoting::NAMES)?,
            "q" => options.names.question_marks = true,
            "show-control-chars" => options.names.question_marks = false,
            "p" => options.names.indicator = Indicator::Slash,
            "file-type" => options.names.indicator = Indicator::FileType,
            "indicator" => options.names.indicator = args::choice(call, "--indicator-style", text, INDICATORS)?,
            "F" if when("--classify")?.unwrap_or(terminal.is_some()) => options.names.indicator = Indicator::Classify,
            "color" => {
                let auto = terminal.is_some_and(|terminal| terminal.colour);
                options.names.colour = when("--color")?.unwrap_or(auto);
            }
            "hyperlink" => options.names.links = when("--hyperlink")?.unwrap_or(terminal.is_some()),
            _ => {}
        }
    }
    options.dired &= options.format == Format::Long && !options.names.links;
    if options.dired && options.end == '\0' {
        return Err(Error::Failed("--dired and --zero are incompatible".to_string(), SERIOUS));
    }
    let times_sort = if times_asked && options.format != Format::Long { Sort::Time } else { Sort::Name };
    options.sort = sort.unwrap_or(times_sort);
    if options.names.colour {
        options.names.colour = has_colours(call);
        options.tab = 0;
    }
    if let Some(style) = style.filter(|_| options.format == Format::Long) {
        options.time = time_style(&style)?;
    }
    options.names.aligned = match options.format {
        Format::Long => true,
        Format::Columns | Format::Across => options.width > 0,
        Format::OnePerLine | Format::Commas => false,
    };
    Ok((options, parsed.operands))
}

/// Whether the environment speaks of a terminal with colours.
fn has_colours(call: &Call<'_>) -> bool {
    const NAMES: [&str; 13] = [
        "ansi",
        "alacritty",
        "cygwin",
        "dtterm",
        "gnome",
        "konsole",
        "linux",
        "putty",
        "rxvt",
        "screen",
        "tmux",
        "vt100",
        "xterm",
    ];
    let says = |name| call.session.env(name).unwrap_or_default();
    let terminal = says("TERM");
    !(says("COLORTERM").is_empty() && says("LS_COLORS").is_empty())
        || terminal.contains("color")
        || NAMES.iter().any(|name| terminal.starts_with(name))
}

/// A pattern for whole names, in which a leading dot must be written.
fn name_glob(pattern: &str) -> Glob {
    Glob::new(pattern, GlobFlags { period: true, ..GlobFlags::default() })
}

fn count(text: &str, what: &str) -> Result<usize> {
    let number = match text.strip_prefix("0x") {
        Some(hex) => usize::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    };
    number.ok_or_else(|| Error::Failed(format!("invalid {what}: ‘{text}’"), SERIOUS))
}

fn time_style(style: &str) -> Result<TimeStyle> {
    // In the C locale, which docsh speaks, `posix-` asks for the default.
    let style = if style.starts_with("posix-") { "locale" } else { style };
    let (old, recent) = match style {
        "full-iso" => ("%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M:%S.%N %z"),
        "long-iso" => ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M"),
        "iso" => ("%Y-%m-%d ", "%m-%d %H:%M"),
        "locale" => ("%b %e  %Y", "%b %e %H:%M"),
        custom => match custom.strip_prefix('+') {
            Some(format) => format.split_once('\n').unwrap_or((format, format)),
            None => {
                let message = format!(
                    "invalid argument ‘{style}’ for ‘time style’\nValid arguments are:\n  - [posix-]full-iso\n  - \
                     [posix-]long-iso\n  - [posix-]iso\n  - [posix-]locale\n  - +FORMAT (e.g., +%H:%M) for a \
                     'date'-style format"
                );
                return Err(Error::Usage(message));
            }
        },
    };
    Ok(TimeStyle { old: old.to_string(), recent: recent.to_string() })
}
