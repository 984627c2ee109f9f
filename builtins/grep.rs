//! `grep`: the lines that match a pattern, of files, of whole trees, of a stream.
//!
//! Pages are searched whole: one search finds the next matching line in a page, and lines are told apart only around
//! what was found. A stream is searched as it arrives, in whole lines. A recursive search asks the store first which
//! pages may match at all ([`crate::Fs::narrow`]) and reads those in bulk.
mod colour;
mod files;
mod options;
mod print;
#[cfg(test)]
mod tests;

use crate::{Builtin, Call, Error, Opt, Result, Status};
use options::{Report, Settings};

const SYNOPSIS: &str = "[OPTION]... PATTERNS [FILE]...";

pub(crate) static GREP: Builtin = row("grep", "Search for PATTERNS in each FILE.");

pub(crate) static EGREP: Builtin = row("egrep", "Do grep -E.");

pub(crate) static FGREP: Builtin = row("fgrep", "Do grep -F.");

const fn row(name: &'static str, about: &'static str) -> Builtin {
    Builtin { name, synopsis: SYNOPSIS, about, options: OPTIONS, trouble: Status(2), run }
}

const OPTIONS: &[Opt] = &[
    Opt::flag('E', &["extended-regexp"], "extended", "PATTERNS are extended regular expressions"),
    Opt::flag('F', &["fixed-strings", "fixed-regexp"], "fixed", "PATTERNS are strings"),
    Opt::flag('G', &["basic-regexp"], "basic", "PATTERNS are basic regular expressions"),
    Opt::flag('P', &["perl-regexp"], "perl", "PATTERNS are Perl regular expressions"),
    Opt::value('e', &["regexp"], "regexp", "PATTERNS", "use PATTERNS for matching"),
    Opt::value('f', &["file"], "file", "FILE", "take PATTERNS from FILE"),
    Opt::flag('i', &["ignore-case"], "ignore-case", "ignore case distinctions in patterns and data"),
    Opt::flag('y', &[], "ignore-case", ""),
    Opt::flag('-', &["no-ignore-case"], "no-ignore-case", "do not ignore case distinctions (default)").long_only(),
    Opt::flag('w', &["word-regexp"], "word", "match only whole words"),
    Opt::flag('x', &["line-regexp"], "line", "match only whole lines"),
    Opt::flag('z', &["null-data"], "null-data", "a data line ends in 0 byte, not newline"),
    Opt::flag('s', &["no-messages"], "no-messages", "suppress error messages"),
    Opt::flag('v', &["invert-match"], "invert", "select non-matching lines"),
    Opt::flag('V', &["version"], "version", "display version information and exit"),
    Opt::value('m', &["max-count"], "max-count", "NUM", "stop after NUM selected lines"),
    Opt::flag('b', &["byte-offset"], "byte-offset", "print the byte offset with output lines"),
    Opt::flag('n', &["line-number"], "line-number", "print line number with output lines"),
    Opt::flag('-', &["line-buffered"], "line-buffered", "flush output on every line").long_only(),
    Opt::flag('H', &["with-filename"], "with-filename", "print file name with output lines"),
    Opt::flag('h', &["no-filename"], "no-filename", "suppress the file name prefix on output"),
    Opt::value('-', &["label"], "label", "LABEL", "use LABEL as the standard input file name prefix").long_only(),
    Opt::flag('o', &["only-matching"], "only-matching", "show only nonempty parts of lines that match"),
    Opt::flag('q', &["quiet", "silent"], "quiet", "suppress all normal output"),
    Opt::value('-', &["binary-files"], "binary-files", "TYPE", "TYPE is 'binary', 'text', or 'without-match'")
        .long_only(),
    Opt::flag('a', &["text"], "text", "equivalent to --binary-files=text"),
    Opt::flag('I', &[], "I", "equivalent to --binary-files=without-match"),
    Opt::value('d', &["directories"], "directories", "ACTION", "ACTION is 'read', 'recurse', or 'skip'"),
    Opt::value('D', &["devices"], "devices", "ACTION", "ACTION is 'read' or 'skip'"),
    Opt::flag('r', &["recursive"], "recursive", "like --directories=recurse"),
    Opt::flag('R', &["dereference-recursive"], "recursive", "likewise, but follow all symlinks"),
    Opt::value('-', &["include"], "include", "GLOB", "search only files that match GLOB").long_only(),
    Opt::value('-', &["exclude"], "exclude", "GLOB", "skip files that match GLOB").long_only(),
    Opt::value('-', &["exclude-from"], "exclude-from", "FILE", "skip files that match any file pattern from FILE")
        .long_only(),
    Opt::value('-', &["exclude-dir"], "exclude-dir", "GLOB", "skip directories that match GLOB").long_only(),
    Opt::flag('L', &["files-without-match"], "files-without", "print only names of FILEs with no selected lines"),
    Opt::flag('l', &["files-with-matches"], "files-with", "print only names of FILEs with selected lines"),
    Opt::flag('c', &["count"], "count", "print only a count of selected lines per FILE"),
    Opt::flag('T', &["initial-tab"], "initial-tab", "make tabs line up (if needed)"),
    Opt::flag('Z', &["null"], "null", "print 0 byte after FILE name"),
    Opt::value('B', &["before-context"], "before", "NUM", "print NUM lines of leading context"),
    Opt::value('A', &["after-context"], "after", "NUM", "print NUM lines of trailing context"),
    Opt::value('C', &["context"], "context", "NUM", "print NUM lines of output context (also -NUM)"),
    Opt::DIGITS,
    Opt::value('-', &["group-separator"], "separator", "SEP", "print SEP on line between matches with context")
        .long_only(),
    Opt::flag('-', &["no-group-separator"], "no-separator", "do not print separator for matches with context")
        .long_only(),
    Opt::flag('-', &["color", "colour"], "colour", "use markers to highlight the matching strings")
        .optional("WHEN")
        .long_only(),
    Opt::flag('U', &["binary"], "binary", "(ignored)"),
    Opt::flag('u', &["unix-byte-offsets"], "unix-byte-offsets", "(ignored)"),
];

fn run(call: &mut Call<'_>) -> Result<Status> {
    let settings = Settings::read(call)?;
    let pattern = settings.pattern(call)?;
    if settings.rules.most == Some(0) || settings.selects_nothing() {
        return Ok(Status(1));
    }
    let mut files = files::Files::new(call, &settings, &pattern);
    files.search_all()?;
    let status = match (files.selected, files.trouble) {
        (true, _) if settings.report == Report::Quiet => Status::OK,
        (_, true) => Status(2),
        (selected, false) => Status::from(selected),
    };
    Ok(status)
}

/// Wrong words as GNU grep says them: the usage line is said too.
fn usage(call: &mut Call<'_>) -> Error {
    let name = call.name();
    let text = format!("Usage: {name} {SYNOPSIS}\nTry '{name} --help' for more information.\n");
    // A stderr that is gone must not end the command.
    let _ = std::io::Write::write_all(&mut call.stderr, text.as_bytes());
    Error::Quiet(Status(2))
}
