//! Reads the words of `ls`, option by option.
use super::{Format, Hidden, Options, Sort, TimeStyle};
use crate::{
    Call, Error, Glob, GlobFlags, Quoting, Result, Unit,
    args::{self, Order},
    ls::{
        SERIOUS,
        names::{Indicator, Names},
    },
};

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

/// What is decided when all words are known.
struct Asked {
    sort: Option<Sort>,
    /// Another time than the usual one.
    time: bool,
    time_style: Option<String>,
}

/// The options and the operands of `call`.
pub(in crate::ls) fn read(call: &Call<'_>) -> Result<(Options, Vec<String>)> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut options = Options::new(call)?;
    let time_style = call.session.env("TIME_STYLE").map(str::to_string);
    let mut asked = Asked { sort: None, time: false, time_style };
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        options.set_entries(key, text);
        options.set_format(call, key, text)?;
        options.set_shown(key, text)?;
        options.names.set(call, key, value.as_deref())?;
        asked.set(call, key, text)?;
    }
    options.settle(call, asked)?;
    Ok((options, parsed.operands))
}

impl Asked {
    /// What entries are sorted by, and how their times are shown.
    fn set(&mut self, call: &Call<'_>, key: &str, text: &str) -> Result<()> {
        match key {
            "f" | "U" => self.sort = Some(Sort::None),
            "S" => self.sort = Some(Sort::Size),
            "t" => self.sort = Some(Sort::Time),
            "v" => self.sort = Some(Sort::Version),
            "X" => self.sort = Some(Sort::Extension),
            "sort" => self.sort = Some(args::choice(call, "--sort", text, SORTS)?),
            "c" => self.time = true,
            "time" => {
                args::choice(call, "--time", text, TIMES)?;
                self.time = true;
            }
            "full-time" => self.time_style = Some("full-iso".to_string()),
            "time-style" => self.time_style = Some(text.to_string()),
            _ => {}
        }
        Ok(())
    }
}

impl Options {
    fn new(call: &Call<'_>) -> Result<Options> {
        let terminal = call.stdout.terminal();
        let columns = call.session.env("COLUMNS").and_then(|columns| columns.parse().ok());
        Ok(Options {
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
            time: TimeStyle::named("locale")?,
            names: Names::new(terminal.is_some()),
            width: columns.unwrap_or(terminal.map_or(80, |terminal| usize::from(terminal.columns))),
            tab: 8,
            end: '\n',
            dired: false,
        })
    }

    /// Which entries are listed, and in which order beside that of the sort.
    fn set_entries(&mut self, key: &str, text: &str) {
        match key {
            "a" | "f" => self.hidden = Hidden::ShownWithDots,
            "A" => self.hidden = Hidden::Shown,
            "B" => self.ignored.extend([name_glob("*~"), name_glob(".*~")]),
            "I" => self.ignored.push(name_glob(text)),
            "hide" => self.hides.push(name_glob(text)),
            "d" => self.directory = true,
            "R" => self.recursive = true,
            "folders-first" => self.folders_first = true,
            "r" => self.reverse = true,
            _ => {}
        }
    }

    /// The layout, and what an option that asks for a long listing leaves out of it.
    fn set_format(&mut self, call: &Call<'_>, key: &str, text: &str) -> Result<()> {
        match key {
            "C" => self.format = Format::Columns,
            "x" => self.format = Format::Across,
            "m" => self.format = Format::Commas,
            "1" | "zero" if self.format != Format::Long => self.format = Format::OnePerLine,
            "l" | "full-time" => self.format = Format::Long,
            "g" => (self.format, self.owner) = (Format::Long, false),
            "o" => (self.format, self.group) = (Format::Long, false),
            "n" => (self.format, self.numeric) = (Format::Long, true),
            "D" => (self.format, self.dired) = (Format::Long, true),
            "format" => self.format = args::choice(call, "--format", text, FORMATS)?,
            _ => {}
        }
        Ok(())
    }

    /// What is shown beside names, in which units and columns.
    fn set_shown(&mut self, key: &str, text: &str) -> Result<()> {
        match key {
            "author" => self.author = true,
            "G" => self.group = false,
            "i" => self.inode = true,
            "s" => self.blocks = true,
            "Z" => self.context = true,
            "block-size" => {
                let unit = Unit::parse(text)
                    .ok_or_else(|| Error::Failed(format!("invalid --block-size argument '{text}'"), SERIOUS))?;
                (self.block_unit, self.size_unit) = (unit, unit);
            }
            "h" => (self.block_unit, self.size_unit) = (Unit::Human(1024), Unit::Human(1024)),
            "si" => (self.block_unit, self.size_unit) = (Unit::Human(1000), Unit::Human(1000)),
            "T" => self.tab = count(text, "tab size")?,
            "w" => self.width = count(text, "line width")?,
            "zero" => self.end = '\0',
            _ => {}
        }
        Ok(())
    }

    /// Decide what depends on several words.
    fn settle(&mut self, call: &Call<'_>, asked: Asked) -> Result<()> {
        self.dired &= self.format == Format::Long && !self.names.links;
        if self.dired && self.end == '\0' {
            return Err(Error::Failed("--dired and --zero are incompatible".to_string(), SERIOUS));
        }
        let usual = if asked.time && self.format != Format::Long { Sort::Time } else { Sort::Name };
        self.sort = asked.sort.unwrap_or(usual);
        if self.names.colour {
            self.names.colour = has_colours(call);
            self.tab = 0;
        }
        if let Some(style) = asked.time_style.filter(|_| self.format == Format::Long) {
            self.time = TimeStyle::named(&style)?;
        }
        self.names.aligned = match self.format {
            Format::Long => true,
            Format::Columns | Format::Across => self.width > 0,
            Format::OnePerLine | Format::Commas => false,
        };
        Ok(())
    }
}

impl Names {
    /// How names are written.
    fn set(&mut self, call: &Call<'_>, key: &str, value: Option<&str>) -> Result<()> {
        let terminal = call.stdout.terminal();
        let text = value.unwrap_or_default();
        let when = |option, auto| match value {
            Some(value) => Ok(args::choice(call, option, value, WHENS)?.unwrap_or(auto)),
            None => Ok::<bool, Error>(true),
        };
        match key {
            "zero" => self.plain(),
            "b" => self.quoting = Quoting::Escape,
            "N" => self.quoting = Quoting::Literal,
            "Q" => self.quoting = Quoting::C,
            "quoting" => self.quoting = args::choice(call, "--quoting-style", text, Quoting::NAMES)?,
            "q" => self.question_marks = true,
            "show-control-chars" => self.question_marks = false,
            "p" => self.indicator = Indicator::Slash,
            "file-type" => self.indicator = Indicator::FileType,
            "indicator" => self.indicator = args::choice(call, "--indicator-style", text, INDICATORS)?,
            "F" if when("--classify", terminal.is_some())? => self.indicator = Indicator::Classify,
            "color" => self.colour = when("--color", terminal.is_some_and(|terminal| terminal.colour))?,
            "hyperlink" => self.links = when("--hyperlink", terminal.is_some())?,
            "D" => self.links = false,
            _ => {}
        }
        Ok(())
    }
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

/// A number of columns; `what` they are is said when it is none.
fn count(text: &str, what: &str) -> Result<usize> {
    let number = match text.strip_prefix("0x") {
        Some(hex) => usize::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    };
    number.ok_or_else(|| Error::Failed(format!("invalid {what}: ‘{text}’"), SERIOUS))
}
