//! The options of `pr`, as rows.
use crate::Opt;

pub(in crate::pr) const TABLE: &[Opt] = &[
    Opt::value(
        'p',
        &["pages"],
        "pages",
        "FIRST[:LAST]",
        "begin [stop] printing with page FIRST [LAST]; so does +FIRST[:LAST]",
    )
    .long_only(),
    Opt::value(
        'C',
        &["columns"],
        "columns",
        "COLUMNS",
        "output COLUMNS columns and print columns down, unless -a is used; so does -COLUMNS",
    )
    .long_only(),
    Opt::DIGITS,
    Opt::flag('a', &["across"], "a", "print columns across rather than down"),
    Opt::flag('b', &[], "b", ""),
    Opt::flag('c', &["show-control-chars"], "c", "use hat notation (^G) and octal backslash notation"),
    Opt::flag('d', &["double-space"], "d", "double space the output"),
    Opt::value('D', &["date-format"], "D", "FORMAT", "use FORMAT for the header date"),
    Opt::flag('e', &["expand-tabs"], "e", "expand input CHARs (TABs) to tab WIDTH (8)").optional("CHAR[WIDTH]"),
    Opt::flag('F', &["form-feed"], "F", "use form feeds instead of newlines to separate pages"),
    Opt::flag('f', &[], "F", ""),
    Opt::value('h', &["header"], "h", "HEADER", "use a centered HEADER instead of filename in page header"),
    Opt::flag('i', &["output-tabs"], "i", "replace spaces with CHARs (TABs) to tab WIDTH (8)").optional("CHAR[WIDTH]"),
    Opt::flag('J', &["join-lines"], "J", "merge full lines, turn off -W line truncation, no column alignment"),
    Opt::value('l', &["length"], "l", "LENGTH", "set the page length to LENGTH (66) lines"),
    Opt::flag('m', &["merge"], "m", "print all files in parallel, one in each column, truncate lines"),
    Opt::flag('n', &["number-lines"], "n", "number lines, use DIGITS (5) digits, then SEP (TAB)")
        .optional("SEP[DIGITS]"),
    Opt::value(
        'N',
        &["first-line-number"],
        "N",
        "NUMBER",
        "start counting with NUMBER at 1st line of first page printed",
    ),
    Opt::value('o', &["indent"], "o", "MARGIN", "offset each line with MARGIN (zero) spaces"),
    Opt::flag('r', &["no-file-warnings"], "r", "omit warning when a file cannot be opened"),
    Opt::flag('s', &["separator"], "s", "separate columns by a single character, no truncation except with -w")
        .optional("CHAR"),
    Opt::flag('S', &["sep-string"], "S", "separate columns by STRING").optional("STRING"),
    Opt::flag('t', &["omit-header"], "t", "omit page headers and trailers; implied if LENGTH <= 10"),
    Opt::flag('T', &["omit-pagination"], "T", "omit page headers and trailers, eliminate any pagination by form feeds"),
    Opt::flag('v', &["show-nonprinting"], "v", "use octal backslash notation"),
    Opt::value('w', &["width"], "w", "WIDTH", "set page width to WIDTH (72) for multiple text-column output only"),
    Opt::value(
        'W',
        &["page-width"],
        "W",
        "WIDTH",
        "set page width to WIDTH (72) always, truncate lines, except with -J",
    ),
];
