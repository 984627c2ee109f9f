//! What the words of an `fd` command ask for.
use super::{exec::Exec, failed};
use crate::{
    Call, Error, Glob, GlobFlags, Kind, Meta, Moment, Opt, Result, VPath,
    args::{self, Order},
    pattern::{self, Dialect, Pattern},
    sleep::duration,
    walk::Place,
};

const fn long(name: &'static [&'static str], key: &'static str, help: &'static str) -> Opt {
    Opt::flag(' ', name, key, help).long_only()
}

const fn long_value(name: &'static [&'static str], key: &'static str, word: &'static str, help: &'static str) -> Opt {
    Opt::value(' ', name, key, word, help).long_only()
}

pub(super) const TABLE: &[Opt] = &[
    Opt::flag('H', &["hidden"], "hidden", "search hidden files and directories"),
    Opt::flag('I', &["no-ignore"], "ignored", ""),
    Opt::flag('u', &["unrestricted"], "hidden", "the same as -H: there are no ignore files here"),
    long(&["no-ignore-vcs"], "ignored", ""),
    Opt::flag('s', &["case-sensitive"], "case-sensitive", "case-sensitive search (default: smart case)"),
    Opt::flag('i', &["ignore-case"], "ignore-case", "case-insensitive search (default: smart case)"),
    Opt::flag('g', &["glob"], "glob", "glob-based search (default: regular expression)"),
    long(&["regex"], "regex", ""),
    Opt::flag('F', &["fixed-strings", "literal"], "fixed", "treat pattern as literal string"),
    long_value(&["and"], "and", "PATTERN", "additional search patterns that need to be matched"),
    Opt::flag('a', &["absolute-path"], "absolute", "show absolute instead of relative paths"),
    Opt::flag('l', &["list-details"], "list", "use a detailed listing format like 'ls -l'"),
    Opt::flag('L', &["follow"], "ignored", ""),
    Opt::flag('p', &["full-path"], "full-path", "search full abs. path (default: filename only)"),
    Opt::flag('0', &["print0"], "print0", "separate search results by the null character"),
    Opt::value('d', &["max-depth"], "max-depth", "DEPTH", "set maximum search depth (default: none)"),
    long_value(&["min-depth"], "min-depth", "DEPTH", "only show results starting at this depth"),
    long_value(&["exact-depth"], "exact-depth", "DEPTH", "only show results at this depth"),
    Opt::value('E', &["exclude"], "exclude", "PATTERN", "exclude entries that match the given glob pattern"),
    long(&["prune"], "prune", "do not go into directories that match"),
    Opt::value(
        't',
        &["type"],
        "type",
        "FILETYPE",
        "filter by type: file (f), directory (d), executable (x), empty (e)",
    ),
    Opt::value('e', &["extension"], "extension", "EXT", "filter by file extension"),
    Opt::value('S', &["size"], "size", "SIZE", "limit results based on the size of files: +1k, -2M, 5b"),
    long_value(
        &["changed-within", "newer", "change-newer-than"],
        "within",
        "DATE|DUR",
        "filter by modification time (newer than)",
    ),
    long_value(
        &["changed-before", "older", "change-older-than"],
        "before",
        "DATE|DUR",
        "filter by modification time (older than)",
    ),
    Opt::value('o', &["owner"], "owner", "USER:GROUP", ""),
    long_value(&["format"], "format", "FMT", "print results according to template: {} {/} {//} {.} {/.}"),
    Opt::value('x', &["exec"], "exec", "CMD", "execute a command for each search result"),
    Opt::value('X', &["exec-batch"], "exec-batch", "CMD", "execute a command with all search results at once"),
    long_value(&["batch-size"], "ignored", "SIZE", ""),
    long_value(&["ignore-file"], "ignored", "PATH", ""),
    Opt::value('c', &["color"], "color", "WHEN", "when to use colors: auto, always, never"),
    Opt::value('j', &["threads"], "ignored", "NUM", ""),
    long_value(&["max-results"], "max-results", "COUNT", "limit the number of search results"),
    Opt::flag('1', &[], "one", "limit search to a single result"),
    Opt::flag('q', &["quiet", "has-results"], "quiet", "print nothing, exit code 0 if match found, 1 otherwise"),
    long(&["show-errors"], "ignored", ""),
    long_value(&["base-directory"], "base", "PATH", "change current working directory"),
    long_value(&["search-path"], "search-path", "PATH", "provides paths to search, instead of the arguments"),
    long(&["strip-cwd-prefix"], "ignored", "").optional("WHEN"),
    long(&["one-file-system"], "ignored", ""),
];

/// All that a command line says.
pub(super) struct Options {
    /// All of them must match.
    pub(super) patterns: Vec<Pattern>,
    pub(super) extensions: Vec<String>,
    pub(super) full_path: bool,
    pub(super) absolute: bool,
    pub(super) min_depth: Option<usize>,
    pub(super) max_depth: Option<usize>,
    pub(super) prunes: bool,
    pub(super) quiet: bool,
    pub(super) most: Option<usize>,
    pub(super) exec: Option<Exec>,
    pub(super) format: Option<String>,
    pub(super) base: Option<String>,
    pub(super) end: char,
    hidden: bool,
    excluded: Vec<(Glob, bool)>,
    kinds: Vec<char>,
    sizes: Vec<(char, u64)>,
    within: Option<i64>,
    before: Option<i64>,
    colour: bool,
}

impl Options {
    /// Whether neither `place` nor what is in it is looked at, in a search from `start`.
    pub(super) fn is_left_out(&self, place: &Place, start: &VPath) -> bool {
        let below = place.path.as_str().strip_prefix(start.as_str()).unwrap_or_default().trim_start_matches('/');
        (!self.hidden && place.base().starts_with('.'))
            || self.excluded.iter().any(|(glob, has_slash)| glob.matches(if *has_slash { below } else { place.base() }))
    }

    /// Whether the kind, the size and the time of `place` are wanted.
    pub(super) fn has_kind(&self, call: &Call<'_>, place: &Place) -> Result<bool> {
        let by_kind = !self.kinds.is_empty() || !self.sizes.is_empty();
        if !by_kind && self.within.is_none() && self.before.is_none() {
            return Ok(true);
        }
        let read = |error: crate::FsError| Error::from(error);
        let meta = call.fs.stat(&place.path).map_err(read)?;
        let size = |meta: &Meta| call.size(&place.path, meta).map_err(read);
        let is_dir = place.kind == Kind::Dir;
        // `e` narrows the other kinds, or stands for files and folders both.
        let (wants_empty, wants_runnable) = (self.kinds.contains(&'e'), self.kinds.contains(&'x'));
        let plain: Vec<char> = self.kinds.iter().copied().filter(|kind| !"ex".contains(*kind)).collect();
        if !plain.is_empty() && !plain.contains(if is_dir { &'d' } else { &'f' }) {
            return Ok(false);
        }
        if wants_runnable && (is_dir || meta.mode & 0o111 == 0) {
            return Ok(false);
        }
        if wants_empty {
            let is_empty = match is_dir {
                true => call.fs.list(&place.path).map_err(read)?.is_empty(),
                false => size(&meta)? == 0,
            };
            if !is_empty {
                return Ok(false);
            }
        }
        for (sign, limit) in &self.sizes {
            let size = if is_dir { return Ok(false) } else { size(&meta)? };
            let fits = match sign {
                '+' => size >= *limit,
                '-' => size <= *limit,
                _ => size == *limit,
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(self.within.is_none_or(|limit| meta.mtime > limit) && self.before.is_none_or(|limit| meta.mtime < limit))
    }

    pub(super) fn coloured(&self, text: &str, place: &Place) -> String {
        match (self.colour, place.kind) {
            (true, Kind::Dir) => format!("\x1b[1;34m{text}\x1b[0m"),
            (true, _) => {
                let at = text.len() - place.base().len();
                match at {
                    0 => text.to_string(),
                    at => format!("\x1b[1;34m{}\x1b[0m{}", &text[..at], &text[at..]),
                }
            }
            _ => text.to_string(),
        }
    }
}

/// The options and the paths of `call`.
pub(super) fn read(call: &Call<'_>) -> Result<(Options, Vec<String>)> {
    let (words, exec) = cut_command(&call.args[1..])?;
    let parsed = args::parse_words(&words, TABLE, Order::Anywhere)?;
    let mut options = Options {
        patterns: Vec::new(),
        extensions: Vec::new(),
        full_path: parsed.has("full-path"),
        absolute: parsed.has("absolute"),
        min_depth: None,
        max_depth: None,
        prunes: parsed.has("prune"),
        quiet: parsed.has("quiet"),
        most: parsed.has("one").then_some(1),
        exec,
        format: parsed.value("format").map(str::to_string),
        base: parsed.value("base").map(str::to_string),
        end: if parsed.has("print0") { '\0' } else { '\n' },
        hidden: parsed.has("hidden"),
        excluded: Vec::new(),
        kinds: Vec::new(),
        sizes: Vec::new(),
        within: None,
        before: None,
        colour: call.stdout.terminal().is_some_and(|terminal| terminal.colour),
    };
    let mut operands = parsed.operands.clone();
    let mut patterns = vec![if operands.is_empty() { String::new() } else { operands.remove(0) }];
    let mut paths = operands;
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        let wrong = |option: &str| Error::usage(format!("invalid value '{text}' for '{option}'"));
        let depth = |option| text.parse::<usize>().map_err(|_| wrong(option));
        match *key {
            "and" => patterns.push(text.to_string()),
            "max-depth" => options.max_depth = Some(depth("--max-depth <depth>")?),
            "min-depth" => options.min_depth = Some(depth("--min-depth <depth>")?),
            "exact-depth" => {
                let depth = depth("--exact-depth <depth>")?;
                (options.min_depth, options.max_depth) = (Some(depth), Some(depth));
            }
            "max-results" => options.most = Some(depth("--max-results <count>")?).filter(|most| *most > 0),
            "exclude" => {
                let flags = GlobFlags { pathname: true, ..GlobFlags::default() };
                let pattern = text.trim_start_matches('/').trim_end_matches('/');
                options.excluded.push((Glob::new(pattern, flags), text.trim_end_matches('/').contains('/')));
            }
            "type" => options.kinds.push(kind(text).ok_or_else(|| wrong("--type <filetype>"))?),
            "extension" => options.extensions.push(format!(".{}", text.trim_start_matches('.').to_lowercase())),
            "size" => options.sizes.push(
                size(text)
                    .ok_or_else(|| failed(format!("'{text}' is not a valid size constraint. See 'fd --help'.")))?,
            ),
            "within" | "before" => {
                let limit = limit(text, call.now());
                let limit = limit
                    .ok_or_else(|| failed(format!("'{text}' is not a valid date or duration. See 'fd --help'.")))?;
                *(if *key == "within" { &mut options.within } else { &mut options.before }) = Some(limit);
            }
            "color" => {
                options.colour = match text {
                    "always" => true,
                    "never" => false,
                    "auto" => options.colour,
                    _ => return Err(wrong("--color <when>")),
                }
            }
            "list" => {
                let words = ["ls", "-l", "-h", "-d", "--"].map(str::to_string).to_vec();
                options.exec = Some(Exec::new(words, true));
            }
            "search-path" => paths.push(text.to_string()),
            "owner" => return Err(failed("--owner is not supported: everything is root's".to_string())),
            _ => {}
        }
    }
    if parsed.has("search-path") && !parsed.operands.is_empty() {
        // With --search-path every argument but the pattern is one too many.
        paths.retain(|path| !parsed.operands[1..].contains(path));
    }
    check_separator(&patterns[0], options.full_path || parsed.has("glob") && patterns[0].contains("**"), call)?;
    let dialect = if parsed.has("fixed") { Dialect::Fixed } else { Dialect::Rust };
    for text in &patterns {
        let text = if parsed.has("glob") && !text.is_empty() { regex_of(text) } else { text.clone() };
        let has_upper = text.chars().any(char::is_uppercase);
        let ignore_case = parsed.has("ignore-case") || !(has_upper || parsed.has("case-sensitive"));
        let settings = pattern::Options { ignore_case, size: call.limits.regex, ..pattern::Options::default() };
        options.patterns.push(Pattern::new(&[text], dialect, settings).map_err(|error| failed(error.to_string()))?);
    }
    Ok((options, paths))
}

/// Take `-x CMD… ;` out of the words.
fn cut_command(words: &[String]) -> Result<(Vec<String>, Option<Exec>)> {
    let is_exec = |word: &&String| matches!(word.as_str(), "-x" | "--exec" | "-X" | "--exec-batch");
    let Some(at) = words.iter().take_while(|word| *word != "--").position(|word| is_exec(&word)) else {
        return Ok((words.to_vec(), None));
    };
    let end = words[at..].iter().position(|word| word == ";").map_or(words.len(), |end| at + end);
    let command = words[at + 1..end].to_vec();
    if command.is_empty() {
        return Err(Error::usage(format!("a value is required for '{} <cmd>...' but none was supplied", words[at])));
    }
    let is_batch = matches!(words[at].as_str(), "-X" | "--exec-batch");
    let mut rest = words[..at].to_vec();
    rest.extend(words[end..].iter().skip(1).cloned());
    Ok((rest, Some(Exec::new(command, is_batch))))
}

fn check_separator(pattern: &str, is_path: bool, call: &Call<'_>) -> Result<()> {
    if is_path || !pattern.contains('/') {
        return Ok(());
    }
    let hint = match call.is_folder(pattern) {
        true => format!(
            "\n\nIf you want to search for all files inside the '{pattern}' directory, use a match-all pattern:\n\n  fd . '{pattern}'"
        ),
        false => String::new(),
    };
    Err(failed(format!(
        "The search pattern '{pattern}' contains a path-separation character ('/') and will not lead to any search \
         results.{hint}\n\nInstead, if you want your pattern to match the full file path, use:\n\n  fd --full-path \
         '{pattern}'"
    )))
}

/// The regular expression that a glob stands for.
fn regex_of(glob: &str) -> String {
    let mut regex = String::from("^");
    let mut chars = glob.chars().peekable();
    let mut braces = 0;
    while let Some(c) = chars.next() {
        match c {
            '*' if chars.peek() == Some(&'*') => {
                chars.next();
                match chars.next_if_eq(&'/') {
                    Some(_) => regex += "(?:.*/)?",
                    None => regex += ".*",
                }
            }
            '*' => regex += "[^/]*",
            '?' => regex += "[^/]",
            '[' => {
                regex.push('[');
                if chars.next_if(|c| matches!(c, '!' | '^')).is_some() {
                    regex.push('^');
                }
                while let Some(c) = chars.next_if(|c| *c != ']') {
                    if matches!(c, '[' | '\\' | '&' | '~') {
                        regex.push('\\');
                    }
                    regex.push(c);
                }
                regex.extend(chars.next());
            }
            '{' => {
                braces += 1;
                regex += "(?:";
            }
            '}' if braces > 0 => {
                braces -= 1;
                regex.push(')');
            }
            ',' if braces > 0 => regex.push('|'),
            '\\' => regex.extend(['\\', chars.next().unwrap_or('\\')]),
            c if "().+^$|#&-~]}".contains(c) => regex.extend(['\\', c]),
            c => regex.push(c),
        }
    }
    regex + "$"
}

fn kind(text: &str) -> Option<char> {
    Some(match text {
        "f" | "file" => 'f',
        "d" | "dir" | "directory" => 'd',
        "x" | "executable" => 'x',
        "e" | "empty" => 'e',
        // There are none of these.
        "l" | "symlink" | "s" | "socket" | "p" | "pipe" | "b" | "block-device" | "c" | "char-device" => 'l',
        _ => return None,
    })
}

/// `+1k`, `-2MiB`, `5b`.
fn size(text: &str) -> Option<(char, u64)> {
    let (sign, rest) = match text.chars().next()? {
        sign @ ('+' | '-') => (sign, &text[1..]),
        _ => ('=', text),
    };
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let count: u64 = rest[..digits].parse().ok()?;
    let unit = match rest[digits..].to_ascii_lowercase().as_str() {
        "b" => 1,
        "k" | "kb" => 1000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "ki" | "kib" => 1 << 10,
        "mi" | "mib" => 1 << 20,
        "gi" | "gib" => 1 << 30,
        _ => return None,
    };
    Some((sign, count.checked_mul(unit)?))
}

/// A moment: a duration back from `now` (`2weeks`, `10h`, `1d`), or a date.
fn limit(text: &str, now: i64) -> Option<i64> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let weeks = match text[digits..].trim() {
        "w" | "week" | "weeks" => Some(7),
        "day" | "days" => Some(1),
        "M" | "month" | "months" => Some(30),
        "y" | "year" | "years" => Some(365),
        _ => None,
    };
    if let (Some(days), Ok(count)) = (weeks, text[..digits].parse::<i64>()) {
        return now.checked_sub(count.checked_mul(days * 86_400)?);
    }
    let short = text.trim_end_matches("min").trim_end_matches("ours").trim_end_matches("our");
    let short = if text.ends_with("min") { format!("{short}m") } else { short.to_string() };
    match duration(&short) {
        Some(time) if !text.contains('-') && digits < text.len() => {
            now.checked_sub(i64::try_from(time.as_secs()).ok()?)
        }
        _ => Moment::read(text, now).map(|moment| moment.seconds),
    }
}
