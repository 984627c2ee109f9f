//! `rg`: ripgrep's search, over the tree or what stands before it in a pipeline.
//!
//! Without a path it searches the working directory, or its stdin when that is a pipe or a file. Hidden names, binary
//! files and what `.ignore`, `.rgignore` and (in a git repository) `.gitignore` name are left out. Files come in the
//! order of their paths' bytes.
mod files;
mod filter;
mod json;
mod options;
mod print;
mod replace;
mod search;
mod smart;
mod stats;
#[cfg(test)]
mod tests;

use crate::{Builtin, Call, Opt, Result, Status};
use options::{Mode, Settings};
use std::io::Write;

pub(crate) static RG: Builtin = Builtin {
    name: "rg",
    synopsis: "[OPTIONS] PATTERN [PATH ...]",
    about: "Search the tree for lines that match a regular expression.",
    options: OPTIONS,
    trouble: Status(2),
    run,
};

/// An option that only has a long name.
const fn long(name: &'static [&'static str], key: &'static str, help: &'static str) -> Opt {
    Opt::flag('-', name, key, help).long_only()
}

/// The same with an argument.
const fn long_value(name: &'static [&'static str], key: &'static str, value: &'static str, help: &'static str) -> Opt {
    Opt::value('-', name, key, value, help).long_only()
}

const OPTIONS: &[Opt] = &[
    Opt::value('e', &["regexp"], "regexp", "PATTERN", "A pattern to search for."),
    Opt::value('f', &["file"], "file", "PATTERNFILE", "Search for patterns from the given file."),
    Opt::flag('s', &["case-sensitive"], "case-sensitive", "Search case sensitively (default)."),
    Opt::flag('i', &["ignore-case"], "ignore-case", "Case insensitive search."),
    Opt::flag('S', &["smart-case"], "smart-case", "Smart case search."),
    Opt::flag('F', &["fixed-strings"], "fixed-strings", "Treat all patterns as literals."),
    long(&["no-fixed-strings"], "no-fixed-strings", ""),
    Opt::flag('w', &["word-regexp"], "word-regexp", "Show matches surrounded by word boundaries."),
    Opt::flag('x', &["line-regexp"], "line-regexp", "Show matches surrounded by line boundaries."),
    Opt::flag('v', &["invert-match"], "invert-match", "Invert matching."),
    long(&["no-invert-match"], "no-invert-match", ""),
    Opt::flag('P', &["pcre2"], "pcre2", "Enable PCRE2 matching."),
    long(&["no-pcre2"], "no-pcre2", ""),
    long_value(&["engine"], "engine", "ENGINE", "Specify which regex engine to use."),
    long(&["auto-hybrid-regex"], "auto-hybrid-regex", ""),
    Opt::flag('U', &["multiline"], "multiline", "Enable searching across multiple lines."),
    long(&["no-multiline"], "no-multiline", ""),
    long(&["multiline-dotall"], "multiline-dotall", "Make '.' match line terminators."),
    long(&["no-multiline-dotall"], "no-multiline-dotall", ""),
    long(&["crlf"], "crlf", "Use CRLF line terminators (nice for Windows)."),
    long(&["no-crlf"], "no-crlf", ""),
    Opt::value('m', &["max-count"], "max-count", "NUM", "Limit the number of matching lines."),
    Opt::flag('a', &["text"], "text", "Search binary files as if they were text."),
    long(&["no-text"], "no-text", ""),
    long(&["binary"], "binary", "Search binary files."),
    long(&["no-binary"], "no-binary", ""),
    Opt::flag('u', &["unrestricted"], "unrestricted", "Reduce the level of \"smart\" filtering."),
    Opt::flag('.', &["hidden"], "hidden", "Search hidden files and directories."),
    long(&["no-hidden"], "no-hidden", ""),
    long(&["no-ignore"], "no-ignore", "Don't use ignore files."),
    long(&["ignore"], "ignore", ""),
    long(&["no-ignore-dot"], "no-ignore-dot", "Don't use .ignore or .rgignore files."),
    long(&["no-ignore-vcs"], "no-ignore-vcs", "Don't use ignore files from source control."),
    long(&["no-ignore-parent"], "no-ignore-parent", "Don't use ignore files in parent directories."),
    long(&["no-ignore-files"], "no-ignore-files", "Don't use --ignore-file arguments."),
    long(&["no-ignore-exclude", "no-ignore-global", "no-ignore-messages"], "ignored", ""),
    long(&["no-require-git"], "no-require-git", "Use .gitignore outside of git repositories."),
    long_value(&["ignore-file"], "ignore-file", "PATH", "Specify additional ignore files."),
    Opt::value('g', &["glob"], "glob", "GLOB", "Include or exclude file paths."),
    long_value(&["iglob"], "iglob", "GLOB", "Include/exclude paths case insensitively."),
    long(&["glob-case-insensitive"], "glob-case-insensitive", "Process all glob patterns case insensitively."),
    Opt::value('t', &["type"], "type", "TYPE", "Only search files matching TYPE."),
    Opt::value('T', &["type-not"], "type-not", "TYPE", "Do not search files matching TYPE."),
    long_value(&["type-add"], "type-add", "TYPESPEC", "Add a new glob for a file type."),
    long_value(&["type-clear"], "type-clear", "TYPE", "Clear globs for a file type."),
    long(&["type-list"], "type-list", "Show all supported file types."),
    Opt::value('d', &["max-depth", "maxdepth"], "max-depth", "NUM", "Descend at most NUM directories."),
    long_value(&["max-filesize"], "max-filesize", "NUM+SUFFIX?", "Ignore files larger than NUM in size."),
    Opt::flag('L', &["follow"], "follow", "Follow symbolic links."),
    long(&["no-follow", "one-file-system", "no-one-file-system"], "ignored", ""),
    long(&["files"], "files", "Print each file that would be searched."),
    Opt::flag('l', &["files-with-matches"], "files-with-matches", "Print the paths with at least one match."),
    long(&["files-without-match"], "files-without-match", "Print the paths that contain zero matches."),
    Opt::flag('c', &["count"], "count", "Show count of matching lines for each file."),
    long(&["count-matches"], "count-matches", "Show count of every match for each file."),
    long(&["include-zero"], "include-zero", "Include zero matches in summary output."),
    Opt::flag('o', &["only-matching"], "only-matching", "Print only matched parts of a line."),
    Opt::flag('q', &["quiet"], "quiet", "Do not print anything to stdout."),
    long(&["json"], "json", "Show search results in a JSON Lines format."),
    long(&["vimgrep"], "vimgrep", "Print results in a vim compatible format."),
    Opt::value('A', &["after-context"], "after-context", "NUM", "Show NUM lines after each match."),
    Opt::value('B', &["before-context"], "before-context", "NUM", "Show NUM lines before each match."),
    Opt::value('C', &["context"], "context", "NUM", "Show NUM lines before and after each match."),
    long(&["passthru", "passthrough"], "passthru", "Print both matching and non-matching lines."),
    long_value(&["context-separator"], "context-separator", "SEP", "Set the separator for contextual chunks."),
    long(&["no-context-separator"], "no-context-separator", ""),
    long_value(&["field-match-separator"], "field-match-separator", "SEP", "Set the field match separator."),
    long_value(&["field-context-separator"], "field-context-separator", "SEP", "Set the field context separator."),
    Opt::flag('n', &["line-number"], "line-number", "Show line numbers."),
    Opt::flag('N', &["no-line-number"], "no-line-number", "Suppress line numbers."),
    long(&["column"], "column", "Show column numbers."),
    long(&["no-column"], "no-column", ""),
    Opt::flag('b', &["byte-offset"], "byte-offset", "Print the byte offset for each matching line."),
    Opt::flag('H', &["with-filename"], "with-filename", "Print the file path with each matching line."),
    Opt::flag('I', &["no-filename"], "no-filename", "Never print the path with each matching line."),
    long(&["heading"], "heading", "Print matches grouped by each file."),
    long(&["no-heading"], "no-heading", ""),
    Opt::flag('0', &["null"], "null", "Print a NUL byte after file paths."),
    Opt::value('r', &["replace"], "replace", "REPLACEMENT", "Replace matches with the given text."),
    long(&["trim"], "trim", "Trim prefix whitespace from matches."),
    long(&["no-trim"], "no-trim", ""),
    Opt::value('M', &["max-columns"], "max-columns", "NUM", "Omit lines longer than this limit."),
    long(&["max-columns-preview"], "max-columns-preview", "Show preview for lines exceeding the limit."),
    long(&["no-max-columns-preview"], "no-max-columns-preview", ""),
    Opt::flag('p', &["pretty"], "pretty", "Alias for colors, headings and line numbers."),
    long_value(&["color"], "color", "WHEN", "When to use color."),
    long_value(&["colors"], "ignored", "SPEC", "(ignored)"),
    long_value(&["sort"], "sort", "SORTBY", "Sort results in ascending order."),
    long_value(&["sortr"], "sortr", "SORTBY", "Sort results in descending order."),
    long(&["sort-files"], "ignored", ""),
    long(&["stats"], "stats", "Print statistics about the search."),
    long(&["no-stats"], "no-stats", ""),
    long(&["no-messages"], "no-messages", "Suppress some error messages."),
    long(&["messages"], "messages", ""),
    long(&["line-buffered"], "line-buffered", "Force line buffering."),
    long(&["no-line-buffered", "block-buffered", "no-block-buffered"], "no-line-buffered", ""),
    Opt::value('E', &["encoding"], "encoding", "ENCODING", "Specify the text encoding (auto, none, utf-8)."),
    Opt::value('j', &["threads"], "ignored", "NUM", "(ignored)"),
    long(&["no-config", "mmap", "no-mmap", "no-encoding", "debug", "trace"], "ignored", ""),
    long_value(&["dfa-size-limit", "regex-size-limit"], "ignored", "NUM+SUFFIX?", ""),
    Opt::flag('V', &["version"], "version", "Print ripgrep's version."),
    Opt::flag('h', &["help"], "help", "Show help output."),
    Opt::flag('z', &["search-zip"], "search-zip", "Search in gzip-compressed files."),
    long(&["no-search-zip"], "no-search-zip", ""),
    long(&["null-data"], "null-data", "Use NUL as a line terminator."),
    long(&["no-unicode", "no-pcre2-unicode"], "no-unicode", "Disable Unicode mode."),
    long(&["unicode", "pcre2-unicode"], "unicode", ""),
    long_value(&["pre"], "pre", "COMMAND", ""),
    long_value(&["pre-glob"], "pre-glob", "GLOB", ""),
    long_value(&["path-separator"], "path-separator", "SEP", ""),
    long_value(&["hyperlink-format"], "ignored", "FORMAT", ""),
];

fn run(call: &mut Call<'_>) -> Result<Status> {
    let settings = Settings::read(call)?;
    if settings.mode == Mode::TypeList {
        for definition in settings.selection.types.definitions() {
            writeln!(call.stdout, "{}: {}", definition.name(), definition.globs().join(", "))?;
        }
        return Ok(Status::OK);
    }
    let pattern = settings.pattern(call)?;
    let mut files = files::Files::new(call, &settings, pattern.as_ref());
    files.search_all()?;
    Ok(match (files.matched, files.trouble) {
        (true, trouble) if !trouble || settings.mode == Mode::Quiet => Status::OK,
        (_, true) => Status(2),
        (matched, false) => Status::from(matched),
    })
}
