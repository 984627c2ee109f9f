//! The options of `ls`, as rows.
use crate::Opt;

const fn flag(letter: char, long: &'static [&'static str], key: &'static str, help: &'static str) -> Opt {
    Opt::flag(letter, long, key, help)
}

const fn long(name: &'static [&'static str], key: &'static str, help: &'static str) -> Opt {
    Opt::flag(' ', name, key, help).long_only()
}

const fn long_value(name: &'static [&'static str], key: &'static str, value: &'static str, help: &'static str) -> Opt {
    Opt::value(' ', name, key, value, help).long_only()
}

pub(in crate::ls) const TABLE: &[Opt] = &[
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
