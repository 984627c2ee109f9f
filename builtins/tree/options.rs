//! What the words of a `tree` command ask for.
use crate::{
    Call, Device, Error, Glob, GlobFlags, Opt, Result,
    args::{self, Order},
};

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Text,
    Json,
    Xml,
}

/// What the lines of the drawing are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    Unicode,
    Ascii,
    /// The line drawing characters of a VT100, which two sequences turn on and off: `-A`.
    Vt100,
    /// The code page of the IBM PC: `-S`.
    Cp437,
}

/// What names are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Name,
    Version,
    Size,
    Time,
    None,
}

/// Which kind comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    Neither,
    Folders,
    Files,
}

/// All that a command line says.
pub(super) struct Options {
    pub(super) layout: Layout,
    pub(super) sort: Sort,
    pub(super) reverse: bool,
    pub(super) first: First,
    pub(super) shows_hidden: bool,
    pub(super) folders_only: bool,
    pub(super) full_path: bool,
    pub(super) indents: bool,
    /// What is known of a file stands before the lines of the drawing.
    pub(super) facts_first: bool,
    pub(super) deepest: Option<usize>,
    /// Files that are listed; all when there is none.
    pub(super) wanted: Vec<Glob>,
    pub(super) unwanted: Vec<Glob>,
    /// `-P` and `-I` mean folders too.
    pub(super) matches_folders: bool,
    pub(super) prunes: bool,
    pub(super) most_entries: Option<usize>,
    pub(super) inode: bool,
    pub(super) device: bool,
    pub(super) mode: bool,
    pub(super) owner: bool,
    pub(super) group: bool,
    pub(super) size: bool,
    /// The base of sizes for people.
    pub(super) human: Option<u64>,
    /// A folder's size is that of all below it.
    pub(super) sums: bool,
    pub(super) time: bool,
    pub(super) time_format: Option<String>,
    pub(super) indicators: bool,
    pub(super) quotes: bool,
    pub(super) question_marks: bool,
    pub(super) colour: bool,
    pub(super) lines: Lines,
    /// The operands are lists of paths.
    pub(super) from_file: bool,
    pub(super) has_report: bool,
    /// Seconds since the epoch.
    pub(super) now: i64,
}

const fn flag(letter: char, key: &'static str, help: &'static str) -> Opt {
    Opt::flag(letter, &[], key, help)
}

const fn value(letter: char, key: &'static str, name: &'static str, help: &'static str) -> Opt {
    Opt::value(letter, &[], key, name, help)
}

const fn long(name: &'static [&'static str], key: &'static str, help: &'static str) -> Opt {
    Opt::flag(' ', name, key, help).long_only()
}

const fn long_value(name: &'static [&'static str], key: &'static str, word: &'static str, help: &'static str) -> Opt {
    Opt::value(' ', name, key, word, help).long_only()
}

pub(super) const TABLE: &[Opt] = &[
    flag('a', "a", "all files are listed"),
    flag('d', "d", "list directories only"),
    flag('l', "ignored", ""),
    flag('f', "f", "print the full path prefix for each file"),
    flag('x', "ignored", ""),
    value('L', "L", "LEVEL", "descend only LEVEL directories deep"),
    flag('R', "ignored", ""),
    value('P', "P", "PATTERN", "list only those files that match the pattern given"),
    value('I', "I", "PATTERN", "do not list files that match the given pattern"),
    long(&["gitignore"], "ignored", ""),
    long_value(&["gitfile"], "ignored", "FILE", ""),
    long(&["ignore-case"], "ignore-case", "ignore case when pattern matching"),
    long(&["matchdirs"], "matchdirs", "include directory names in -P pattern matching"),
    long(&["metafirst"], "metafirst", "print meta-data at the beginning of each line"),
    long(&["prune"], "prune", "prune empty directories from the output"),
    long(&["info"], "ignored", ""),
    long_value(&["infofile"], "ignored", "FILE", ""),
    long(&["noreport"], "noreport", "turn off file/directory count at end of tree listing"),
    long_value(&["charset"], "charset", "NAME", "ascii draws with |-- instead of lines"),
    long_value(&["filelimit"], "filelimit", "N", "do not descend dirs with more than N files in them"),
    value('o', "o", "FILENAME", "a site cannot be written to"),
    flag('q', "q", "print non-printable characters as '?'"),
    flag('N', "N", "print non-printable characters as is"),
    flag('Q', "Q", "quote filenames with double quotes"),
    flag('p', "p", "print the protections for each file"),
    flag('u', "u", "display file owner"),
    flag('g', "g", "display file group owner"),
    flag('s', "s", "print the size in bytes of each file"),
    flag('h', "h", "print the size in a more human readable way"),
    long(&["si"], "si", "like -h, but use in SI units (powers of 1000)"),
    long(&["du"], "du", "compute size of directories by their contents"),
    flag('D', "D", "print the date of last modification"),
    flag('c', "c", "sort by, and show, the time of last change"),
    long_value(&["timefmt"], "timefmt", "FORMAT", "print and format time according to FORMAT"),
    flag('F', "F", "appends '/' or '*' as per ls -F"),
    long(&["inodes"], "inodes", "print inode number of each file"),
    long(&["device"], "device", "print device ID number to which each file belongs"),
    flag('v', "v", "sort files alphanumerically by version"),
    flag('t', "t", "sort files by last modification time"),
    flag('U', "U", "leave files unsorted"),
    flag('r', "r", "reverse the order of the sort"),
    long(&["dirsfirst"], "dirsfirst", "list directories before files"),
    long(&["filesfirst"], "filesfirst", "list files before directories"),
    long_value(&["sort"], "sort", "NAME", "sort by name, version, size, mtime, ctime or none"),
    flag('i', "i", "don't print indentation lines"),
    flag('A', "A", "draw with the line graphics of a VT100"),
    flag('S', "S", "draw with the line graphics of code page 437"),
    flag('n', "n", "turn colorization off always"),
    flag('C', "C", "turn colorization on always"),
    flag('X', "X", "prints out an XML representation of the tree"),
    flag('J', "J", "prints out a JSON representation of the tree"),
    value('H', "H", "HREF", ""),
    value('T', "ignored", "TITLE", ""),
    long(&["nolinks"], "ignored", ""),
    long(&["fromfile"], "fromfile", "read paths from files (.=stdin)"),
    long(&["fflinks"], "ignored", ""),
];

/// The options and the operands of `call`.
pub(super) fn read(call: &mut Call<'_>) -> Result<(Options, Vec<String>)> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut options = Options {
        layout: Layout::Text,
        sort: Sort::Name,
        reverse: parsed.has("r"),
        first: First::Neither,
        shows_hidden: parsed.has("a"),
        folders_only: parsed.has("d"),
        full_path: parsed.has("f"),
        indents: !parsed.has("i"),
        facts_first: parsed.has("metafirst"),
        deepest: None,
        wanted: Vec::new(),
        unwanted: Vec::new(),
        matches_folders: parsed.has("matchdirs"),
        prunes: parsed.has("prune"),
        most_entries: None,
        inode: parsed.has("inodes"),
        device: parsed.has("device"),
        mode: parsed.has("p"),
        owner: parsed.has("u"),
        group: parsed.has("g"),
        size: parsed.has("s") || parsed.has("h") || parsed.has("si") || parsed.has("du"),
        human: None,
        sums: parsed.has("du"),
        time: parsed.has("D") || parsed.has("timefmt"),
        time_format: parsed.value("timefmt").map(str::to_string),
        indicators: parsed.has("F"),
        quotes: parsed.has("Q"),
        question_marks: parsed.has("q"),
        colour: call.stdout.terminal().is_some_and(|terminal| terminal.colour),
        lines: Lines::Unicode,
        from_file: parsed.has("fromfile"),
        has_report: !parsed.has("noreport"),
        now: call.now(),
    };
    let ignore_case = parsed.has("ignore-case");
    // A pattern is several, apart by bars.
    let globs = |text: &str| -> Vec<Glob> {
        let flags = GlobFlags { ignore_case, ..GlobFlags::default() };
        text.split('|').map(|part| Glob::new(part.trim_end_matches('/'), flags)).collect()
    };
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        match *key {
            "L" => {
                let level = text.parse().ok().filter(|level| *level > 0);
                options.deepest = Some(level.ok_or_else(|| Error::failed("Invalid level, must be greater than 0."))?);
            }
            "P" => options.wanted.extend(globs(text)),
            "I" => options.unwanted.extend(globs(text)),
            "filelimit" => options.most_entries = text.parse().ok().filter(|most| *most > 0),
            "h" => options.human = options.human.or(Some(1024)),
            "si" => options.human = Some(1000),
            "v" => options.sort = Sort::Version,
            "t" | "c" => options.sort = Sort::Time,
            "U" => options.sort = Sort::None,
            "sort" => {
                options.sort = match text {
                    "name" => Sort::Name,
                    "version" => Sort::Version,
                    "size" => Sort::Size,
                    "mtime" | "ctime" => Sort::Time,
                    "none" => Sort::None,
                    _ => {
                        let message = "not valid, should be one of: name,version,size,mtime,ctime,none";
                        return Err(Error::failed(format!("Sort type '{text}' {message}")));
                    }
                }
            }
            "dirsfirst" => options.first = First::Folders,
            "filesfirst" => options.first = First::Files,
            "charset" => {
                options.lines = match text.to_ascii_lowercase() {
                    name if name.starts_with("utf") => Lines::Unicode,
                    name if ["ibm437", "ibm850", "cp437", "cp850"].contains(&&*name) => Lines::Cp437,
                    _ => Lines::Ascii,
                }
            }
            "S" => options.lines = Lines::Cp437,
            "n" => options.colour = false,
            "C" => options.colour = true,
            "X" => options.layout = Layout::Xml,
            "J" => options.layout = Layout::Json,
            "o" if Device::named(text).is_none() => {
                let opened = call.create(text);
                call.stdout = opened.map_err(|error| Error::failed(format!("invalid filename '{text}': {error}")))?;
            }
            "H" => return Err(Error::failed("-H is not supported; -J and -X are for programs")),
            _ => {}
        }
    }
    if parsed.has("A") {
        options.lines = Lines::Vt100;
    }
    options.colour &= call.session.env("TERM").is_some();
    Ok((options, parsed.operands))
}
