//! The words of `diff`.
use super::text::{Ignored, Space};
use crate::{
    Call, Error, Opt, Quoting, Result, Status,
    args::{self, Order, Takes},
    glob::{Glob, GlobFlags},
    number,
    pattern::{self, Dialect, Pattern, Syntax},
    quoted,
};
use std::io::BufRead;

pub(super) const TABLE: &[Opt] = &[
    Opt::flag('0', &["normal"], "normal", "output a normal diff (the default)").long_only(),
    Opt::flag('v', &[], args::VERSION, "output version information"),
    Opt::flag('q', &["brief"], "brief", "report only when files differ"),
    Opt::flag('s', &["report-identical-files"], "identical", "report when two files are the same"),
    Opt::flag('c', &[], "c", "output 3 lines of copied context"),
    Opt::value('C', &[], "C", "NUM", "output NUM lines of copied context"),
    Opt::flag('1', &["context"], "c", "the same").long_only().optional("NUM"),
    Opt::flag('u', &[], "u", "output 3 lines of unified context"),
    Opt::value('U', &[], "U", "NUM", "output NUM lines of unified context"),
    Opt::flag('2', &["unified"], "u", "the same").long_only().optional("NUM"),
    Opt::flag('e', &["ed"], "ed", "output an ed script"),
    Opt::flag('f', &["forward-ed"], "forward-ed", "output something like an ed script, forwards"),
    Opt::flag('n', &["rcs"], "rcs", "output an RCS format diff"),
    Opt::flag('y', &["side-by-side"], "side", "output in two columns"),
    Opt::value('W', &["width"], "width", "NUM", "output at most NUM (default 130) print columns"),
    Opt::flag('3', &["left-column"], "left-column", "output only the left column of common lines").long_only(),
    Opt::flag('4', &["suppress-common-lines"], "no-common", "do not output common lines").long_only(),
    Opt::flag('p', &["show-c-function"], "p", "show which C function each change is in"),
    Opt::value('F', &["show-function-line"], "F", "RE", "show the most recent line matching RE"),
    Opt::value('L', &["label"], "label", "LABEL", "use LABEL instead of file name and timestamp"),
    Opt::flag('t', &["expand-tabs"], "expand-tabs", "expand tabs to spaces in output"),
    Opt::flag('T', &["initial-tab"], "initial-tab", "make tabs line up by prepending a tab"),
    Opt::value('5', &["tabsize"], "tabsize", "NUM", "tab stops every NUM (default 8) print columns").long_only(),
    Opt::flag('6', &["suppress-blank-empty"], "no-blank", "suppress space or tab before empty output lines")
        .long_only(),
    Opt::flag('l', &["paginate"], "paginate", ""),
    Opt::flag('r', &["recursive"], "recursive", "recursively compare any subdirectories found"),
    Opt::flag('7', &["no-dereference"], "no-dereference", "(ignored)").long_only(),
    Opt::flag('N', &["new-file"], "new-file", "treat absent files as empty"),
    Opt::flag('P', &["unidirectional-new-file"], "new-first", "treat absent first files as empty"),
    Opt::flag('8', &["ignore-file-name-case"], "name-case", "ignore case when comparing file names").long_only(),
    Opt::flag('9', &["no-ignore-file-name-case"], "no-name-case", "consider case when comparing file names")
        .long_only(),
    Opt::value('x', &["exclude"], "exclude", "PAT", "exclude files that match PAT"),
    Opt::value('X', &["exclude-from"], "exclude-from", "FILE", "exclude files that match any pattern in FILE"),
    Opt::value('S', &["starting-file"], "starting-file", "FILE", "start with FILE when comparing directories"),
    Opt::value('a', &["from-file"], "from-file", "FILE1", "compare FILE1 to all operands").long_only(),
    Opt::value('b', &["to-file"], "to-file", "FILE2", "compare all operands to FILE2").long_only(),
    Opt::flag('i', &["ignore-case"], "ignore-case", "ignore case differences in file contents"),
    Opt::flag('E', &["ignore-tab-expansion"], "E", "ignore changes due to tab expansion"),
    Opt::flag('Z', &["ignore-trailing-space"], "Z", "ignore white space at line end"),
    Opt::flag('b', &["ignore-space-change"], "b", "ignore changes in the amount of white space"),
    Opt::flag('w', &["ignore-all-space"], "w", "ignore all white space"),
    Opt::flag('B', &["ignore-blank-lines"], "B", "ignore changes where lines are all blank"),
    Opt::value('I', &["ignore-matching-lines"], "I", "RE", "ignore changes where all lines match RE"),
    Opt::flag('a', &["text"], "text", "treat all files as text"),
    Opt::flag('c', &["strip-trailing-cr"], "strip-cr", "strip trailing carriage return on input").long_only(),
    Opt::value('D', &["ifdef"], "ifdef", "NAME", "output merged file with '#ifdef NAME' diffs"),
    Opt::value('d', &["old-group-format"], "old-group", "GFMT", "format groups of lines of FILE1").long_only(),
    Opt::value('e', &["new-group-format"], "new-group", "GFMT", "format groups of lines of FILE2").long_only(),
    Opt::value('f', &["unchanged-group-format"], "same-group", "GFMT", "format groups of common lines").long_only(),
    Opt::value('g', &["changed-group-format"], "changed-group", "GFMT", "format changed groups").long_only(),
    Opt::value('h', &["line-format"], "line", "LFMT", "format all input lines with LFMT").long_only(),
    Opt::value('i', &["old-line-format"], "old-line", "LFMT", "format lines of FILE1").long_only(),
    Opt::value('j', &["new-line-format"], "new-line", "LFMT", "format lines of FILE2").long_only(),
    Opt::value('k', &["unchanged-line-format"], "same-line", "LFMT", "format common lines").long_only(),
    Opt::flag('d', &["minimal"], "minimal", "try hard to find a smaller set of changes"),
    Opt::value('l', &["horizon-lines"], "horizon", "NUM", "keep NUM lines of the common prefix and suffix").long_only(),
    Opt::flag('H', &["speed-large-files"], "speed", "(ignored)"),
    Opt::flag('m', &["color", "colour"], "color", "color output; WHEN is never, always, or auto")
        .long_only()
        .optional("WHEN"),
    Opt::value('n', &["palette"], "palette", "PALETTE", "(ignored)").long_only(),
];

/// How changes are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Normal,
    Context,
    Unified,
    SideBySide,
    Ed,
    ForwardEd,
    Rcs,
    /// By the formats of groups and lines.
    Merged,
}

/// The formats of `--*-group-format` and `--*-line-format`, where they were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formats {
    pub(crate) old_group: Option<String>,
    pub(crate) new_group: Option<String>,
    pub(crate) same_group: Option<String>,
    pub(crate) changed_group: Option<String>,
    pub(crate) old_line: Option<String>,
    pub(crate) new_line: Option<String>,
    pub(crate) same_line: Option<String>,
}

/// What is asked for.
pub(crate) struct Options {
    pub(crate) style: Style,
    pub(crate) brief: bool,
    pub(crate) identical: bool,
    pub(crate) context: usize,
    pub(crate) width: usize,
    pub(crate) left_column: bool,
    pub(crate) no_common: bool,
    pub(crate) function: Option<Pattern>,
    pub(crate) labels: Vec<String>,
    pub(crate) expand_tabs: bool,
    pub(crate) initial_tab: bool,
    pub(crate) no_blank: bool,
    pub(crate) recursive: bool,
    pub(crate) new_file: bool,
    pub(crate) new_first: bool,
    pub(crate) name_case: bool,
    pub(crate) exclude: Vec<Glob>,
    pub(crate) starting_file: Option<String>,
    pub(crate) ignored: Ignored,
    pub(crate) blank_lines: bool,
    pub(crate) matching: Option<Pattern>,
    pub(crate) text: bool,
    pub(crate) minimal: bool,
    pub(crate) horizon: usize,
    pub(crate) formats: Formats,
    pub(crate) colour: bool,
    /// Whether what is printed of two files goes through `pr`.
    pub(crate) paginate: bool,
    /// The options as they were typed, for the lines `diff -r a b`.
    pub(crate) typed: String,
}

impl Options {
    /// Nothing asked for.
    pub(crate) fn new() -> Options {
        Options {
            style: Style::Normal,
            brief: false,
            identical: false,
            context: 3,
            width: 130,
            left_column: false,
            no_common: false,
            function: None,
            labels: Vec::new(),
            expand_tabs: false,
            initial_tab: false,
            no_blank: false,
            recursive: false,
            new_file: false,
            new_first: false,
            name_case: false,
            exclude: Vec::new(),
            starting_file: None,
            ignored: Ignored { tab_size: 8, ..Ignored::default() },
            blank_lines: false,
            matching: None,
            text: false,
            minimal: false,
            horizon: 0,
            formats: Formats::default(),
            colour: false,
            paginate: false,
            typed: String::new(),
        }
    }

    /// What file `at`, 0 or 1, is called: `name`, unless a label was given.
    pub(crate) fn label<'l>(&'l self, at: usize, name: &'l str) -> &'l str {
        self.labels.get(at).map_or(name, String::as_str)
    }

    /// Whether some changes are passed over.
    pub(crate) fn passes_over(&self) -> bool {
        self.blank_lines || self.matching.is_some()
    }
}

/// The operands, and what they are compared to when `--from-file` or `--to-file` says so.
pub(super) struct Operands {
    pub(super) files: Vec<String>,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
}

/// The end of a command with wrong words.
fn wrong(call: &mut Call<'_>, message: impl std::fmt::Display) -> Error {
    call.warn_apart(message);
    call.warn_apart(format_args!("Try '{} --help' for more information.", call.name()));
    Error::Quiet(Status(2))
}

/// Read the words of `call`.
pub(super) fn read(call: &mut Call<'_>) -> Result<(Options, Operands)> {
    let (words, old_context) = without_digits(&call.args[1..]);
    let parsed = args::parse_words(&words, TABLE, Order::Anywhere)?;
    let mut options = Options::new();
    let mut style: Option<Style> = None;
    let (mut context, mut is_counted): (Option<usize>, bool) = (None, false);
    let (mut functions, mut matching): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut ifdef = None;
    let mut operands = Operands { files: parsed.operands.clone(), from: None, to: None };
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        let formats = &mut options.formats;
        let mut chosen = None;
        match *key {
            "normal" => chosen = Some(Style::Normal),
            "brief" => options.brief = true,
            "identical" => options.identical = true,
            "c" | "C" | "u" | "U" => {
                chosen = Some(if key.eq_ignore_ascii_case("c") { Style::Context } else { Style::Unified });
                if value.is_some() {
                    is_counted = true;
                    match number::parse(text, "") {
                        Ok(lines) => context = context.max(Some(usize::try_from(lines).unwrap_or(usize::MAX))),
                        Err(_) => return Err(wrong(call, format_args!("invalid context length {}", quoted(text)))),
                    }
                } else {
                    context = context.max(Some(3));
                }
            }
            "ed" => chosen = Some(Style::Ed),
            "forward-ed" => chosen = Some(Style::ForwardEd),
            "rcs" => chosen = Some(Style::Rcs),
            "side" => chosen = Some(Style::SideBySide),
            "width" => match number::parse(text, "") {
                Ok(width) if width > 0 => options.width = usize::try_from(width).unwrap_or(usize::MAX).min(1 << 20),
                _ => return Err(wrong(call, format_args!("invalid width {}", quoted(text)))),
            },
            "left-column" => options.left_column = true,
            "no-common" => options.no_common = true,
            "p" => functions.push("^[[:alpha:]$_]"),
            "F" => functions.push(text),
            "label" => options.labels.push(text.to_string()),
            "expand-tabs" => options.expand_tabs = true,
            "initial-tab" => options.initial_tab = true,
            "tabsize" => match number::parse(text, "") {
                Ok(size) if size > 0 => {
                    options.ignored.tab_size = usize::try_from(size).unwrap_or(usize::MAX).min(1 << 20)
                }
                _ => return Err(wrong(call, format_args!("invalid tabsize {}", quoted(text)))),
            },
            "no-blank" => options.no_blank = true,
            "paginate" => options.paginate = true,
            "recursive" => options.recursive = true,
            "new-file" => options.new_file = true,
            "new-first" => options.new_first = true,
            "name-case" => options.name_case = true,
            "no-name-case" => options.name_case = false,
            "exclude" => options.exclude.push(exclusion(text)),
            "exclude-from" => {
                let patterns = exclusions(call, text)?;
                options.exclude.extend(patterns);
            }
            "starting-file" => options.starting_file = Some(text.to_string()),
            "from-file" => operands.from = Some(text.to_string()),
            "to-file" => operands.to = Some(text.to_string()),
            "ignore-case" => options.ignored.case = true,
            "E" => options.ignored.space = options.ignored.space.and(Space::TabExpansion),
            "Z" => options.ignored.space = options.ignored.space.and(Space::Trailing),
            "b" => options.ignored.space = options.ignored.space.and(Space::Amount),
            "w" => options.ignored.space = Space::All,
            "B" => options.blank_lines = true,
            "I" => matching.push(text),
            "text" => options.text = true,
            "strip-cr" => options.ignored.trailing_cr = true,
            "ifdef" => (ifdef, chosen) = (Some(text), Some(Style::Merged)),
            "old-group" => formats.old_group = Some(text.to_string()),
            "new-group" => formats.new_group = Some(text.to_string()),
            "same-group" => formats.same_group = Some(text.to_string()),
            "changed-group" => formats.changed_group = Some(text.to_string()),
            "line" => {
                formats.old_line = Some(text.to_string());
                formats.new_line = Some(text.to_string());
                formats.same_line = Some(text.to_string());
            }
            "old-line" => formats.old_line = Some(text.to_string()),
            "new-line" => formats.new_line = Some(text.to_string()),
            "same-line" => formats.same_line = Some(text.to_string()),
            "minimal" => options.minimal = true,
            "horizon" => match number::parse(text, "") {
                Ok(lines) => options.horizon = usize::try_from(lines).unwrap_or(usize::MAX),
                Err(_) => return Err(wrong(call, format_args!("invalid horizon length {}", quoted(text)))),
            },
            "color" => {
                let when = if text.is_empty() { "auto" } else { text };
                options.colour = match when {
                    "always" => true,
                    "auto" => call.stdout.terminal().is_some_and(|terminal| terminal.colour),
                    "never" => false,
                    _ => return Err(wrong(call, format_args!("invalid color {}", quoted(text)))),
                };
            }
            _ => {}
        }
        if matches!(
            *key,
            "old-group" | "new-group" | "same-group" | "changed-group" | "line" | "old-line" | "new-line" | "same-line"
        ) {
            chosen = Some(Style::Merged);
        }
        match (style, chosen) {
            (Some(style), Some(chosen)) if style != chosen => {
                return Err(wrong(call, "conflicting output style options"));
            }
            (None, Some(_)) => style = chosen,
            _ => {}
        }
    }
    options.style = match style {
        // A bare `-p` asks for context; `-F` does not.
        None if parsed.has("p") => Style::Context,
        None => Style::Normal,
        Some(style) => style,
    };
    if let Some(lines) = old_context.filter(|_| matches!(style, Some(Style::Context | Style::Unified)))
        && (!is_counted || context.is_none_or(|context| context < lines))
    {
        context = Some(lines);
    }
    options.context = context.unwrap_or(3);
    options.function = compile(call, &functions)?;
    options.matching = compile(call, &matching)?;
    if let Some(name) = ifdef {
        options.formats.define(name);
    }
    options.typed = typed_options(&call.args[1..]);
    check_operands(call, &operands)?;
    Ok((options, operands))
}

fn check_operands(call: &mut Call<'_>, operands: &Operands) -> Result<()> {
    match (&operands.from, &operands.to, operands.files.as_slice()) {
        (Some(_), Some(_), _) => Err(Error::Failed("--from-file and --to-file both specified".to_string(), Status(2))),
        (None, None, files) if files.len() < 2 => {
            let last = files.last().map_or(call.name().to_string(), String::clone);
            Err(wrong(call, format_args!("missing operand after {}", quoted(&last))))
        }
        (None, None, [_, _, extra, ..]) => {
            let message = format!("extra operand {}", quoted(extra));
            Err(wrong(call, message))
        }
        _ => Ok(()),
    }
}

/// The options among `words`, each after a blank, as the lines `diff -r a b` repeat them.
fn typed_options(words: &[String]) -> String {
    let takes_word = |word: &str| {
        let Some(cluster) = word.strip_prefix('-').filter(|cluster| !cluster.starts_with('-')) else {
            return false;
        };
        let taker = cluster.find(|letter| "CUWFLxXSIDF".contains(letter));
        taker.is_some_and(|at| at + 1 == cluster.len())
    };
    let mut typed = String::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        if word.len() < 2 || !word.starts_with('-') {
            continue;
        }
        typed += &format!(" {}", Quoting::Shell.quote(word));
        if takes_word(word)
            && let Some(value) = words.next()
        {
            typed += &format!(" {}", Quoting::Shell.quote(value));
        }
    }
    typed
}

pub(crate) fn compile(call: &Call<'_>, patterns: &[&str]) -> Result<Option<Pattern>> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let options = pattern::Options { size: call.limits.regex, ..pattern::Options::default() };
    Ok(Some(Pattern::new(patterns, Dialect::Posix(Syntax::GREP), options)?))
}

fn exclusion(pattern: &str) -> Glob {
    Glob::new(pattern, GlobFlags::default())
}

fn exclusions(call: &mut Call<'_>, file: &str) -> Result<Vec<Glob>> {
    let opened = if file == "-" { Ok(call.stdin.clone()) } else { call.open(file) };
    let input = opened.map_err(|error| Error::Failed(format!("{file}: {error}"), Status(2)))?;
    let mut patterns = Vec::new();
    for line in input.lines() {
        let line = line?;
        if !line.is_empty() {
            patterns.push(exclusion(&line));
        }
    }
    Ok(patterns)
}

/// The words without the digits among their letters, which are the old way to write a number of context lines: `-2`,
/// `-u0`.
fn without_digits(words: &[String]) -> (Vec<String>, Option<usize>) {
    let takes_value =
        |letter: char| TABLE.iter().any(|opt| opt.short == Some(letter) && matches!(opt.takes, Takes::Value(_)));
    let mut context: Option<String> = None;
    let mut dashes = false;
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        dashes |= word == "--";
        let cluster = word.strip_prefix('-').filter(|cluster| !dashes && !cluster.starts_with('-'));
        let Some(cluster) = cluster.filter(|cluster| !cluster.is_empty()) else {
            kept.push(word.clone());
            continue;
        };
        // From a letter that takes a value on, the cluster is that value.
        let value = cluster.find(takes_value).unwrap_or(cluster.len());
        let (letters, value) = cluster.split_at(value);
        let mut follows_digit = false;
        for digit in letters.chars() {
            if digit.is_ascii_digit() {
                let digits = context.get_or_insert_default();
                if !std::mem::replace(&mut follows_digit, true) {
                    digits.clear();
                }
                digits.push(digit);
            } else {
                follows_digit = false;
            }
        }
        let letters: String = letters.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        if !letters.is_empty() || !value.is_empty() {
            kept.push(format!("-{letters}{value}"));
        }
        if value.chars().count() == 1 {
            kept.extend(words.next().cloned());
        }
    }
    (kept, context.map(|digits| digits.parse().unwrap_or(usize::MAX)))
}
