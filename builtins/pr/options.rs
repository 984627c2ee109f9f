//! What the words of `pr` ask for.
use crate::{
    Call, Error, Opt, Result,
    args::{self, Order},
    curly, number,
};

pub(super) const TABLE: &[Opt] = &[
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

/// What was asked for.
pub(super) struct Options {
    /// `-` is standard input; none is too.
    pub(super) files: Vec<String>,
    /// The first and the last page to print.
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) columns: usize,
    /// Columns are filled by rows.
    pub(super) across: bool,
    /// Each file is a column.
    pub(super) parallel: bool,
    pub(super) double: bool,
    /// How the date of the head is written, as `date` does.
    pub(super) date: String,
    /// What the head says instead of the file's name.
    pub(super) header: Option<String>,
    /// Pages have a head and a foot.
    pub(super) framed: bool,
    /// A form feed of the text ends a page without a frame, too.
    pub(super) keeps_form_feeds: bool,
    /// A form feed ends a page, instead of empty lines.
    pub(super) form_feed: bool,
    /// Lines of a page.
    pub(super) length: i64,
    pub(super) margin: i64,
    pub(super) width: i64,
    pub(super) truncate: bool,
    pub(super) join: bool,
    /// What stands between columns, where that was said.
    pub(super) separator: Option<String>,
    /// What the text calls a tab; it becomes blanks where `expand` says so.
    pub(super) input_tab: Tab,
    pub(super) expand: bool,
    /// What blanks become, where `unexpand` says so.
    pub(super) output_tab: Tab,
    pub(super) unexpand: bool,
    pub(super) unprintable: Unprintable,
    pub(super) numbers: Option<Numbers>,
    /// The number of the first line.
    pub(super) start: i32,
    /// The lines of pages that are not printed have numbers.
    pub(super) counts_skipped: bool,
    /// Nothing is said of a file that cannot be opened.
    pub(super) quiet: bool,
}

/// A byte that reaches to the next multiple of `width`.
#[derive(Clone, Copy)]
pub(super) struct Tab {
    pub(super) byte: u8,
    pub(super) width: i64,
}

/// Numbers before lines.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    pub(super) separator: u8,
    pub(super) digits: i64,
}

/// What becomes of bytes that do not print.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unprintable {
    AsIs,
    /// `\007`
    Octal,
    /// `^G`, and `\351` above ASCII.
    Hat,
}

/// Read the words of `call`.
pub(super) fn read(call: &Call<'_>) -> Result<Options> {
    let parsed = args::parse(call, Order::InPlace)?;
    let mut options = Options::default();
    let mut old = Old::default();
    let (mut digits, mut digits_end) = (String::new(), true);
    let mut pages = None;
    for (key, value) in parsed.options {
        let given = value.as_deref();
        let text = given.unwrap_or_default();
        if key == args::DIGIT {
            if digits_end {
                digits.clear();
            }
            digits.push_str(text);
            digits_end = false;
            continue;
        }
        digits_end = true;
        match key {
            args::OPERAND => match text.strip_prefix('+').filter(|_| pages.is_none()) {
                None => options.files.push(text.to_string()),
                Some(range) => match page_range(range, "+")? {
                    None => options.files.push(text.to_string()),
                    range => pages = range,
                },
            },
            "pages" => {
                pages = Some(
                    page_range(text, "--pages")?
                        .ok_or_else(|| Error::failed(format!("invalid page range {}", curly(text))))?,
                );
            }
            "columns" => {
                old.columns = Some(column_count(text)?);
                digits.clear();
            }
            "a" => options.across = true,
            "c" => options.unprintable = Unprintable::Hat,
            "d" => options.double = true,
            "D" => options.date = text.to_string(),
            "e" => {
                options.expand = true;
                read_tab('e', given, &mut options.input_tab.byte, &mut options.input_tab.width)?;
            }
            "F" => options.form_feed = true,
            "h" => options.header = Some(text.to_string()),
            "i" => {
                options.unexpand = true;
                read_tab('i', given, &mut options.output_tab.byte, &mut options.output_tab.width)?;
            }
            "J" => options.join = true,
            "l" => options.length = measure(text, 1, "'-l PAGE_LENGTH' invalid number of lines")?,
            "m" => options.parallel = true,
            "n" => {
                let numbers = options.numbers.get_or_insert(Numbers { separator: b'\t', digits: 5 });
                read_tab('n', given, &mut numbers.separator, &mut numbers.digits)?;
            }
            "N" => {
                options.counts_skipped = false;
                options.start = measure(text, i32::MIN.into(), "'-N NUMBER' invalid starting line number")? as i32;
            }
            "o" => options.margin = measure(text, 0, "'-o MARGIN' invalid line offset")?,
            "r" => options.quiet = true,
            "s" => {
                (old.given, old.separator) = (true, true);
                if !old.string && given.is_some() {
                    options.separator = value;
                }
            }
            "S" => {
                (old.separator, old.string) = (false, true);
                options.separator = Some(text.to_string());
            }
            "t" => (options.framed, options.keeps_form_feeds) = (false, true),
            "T" => (options.framed, options.keeps_form_feeds) = (false, false),
            "v" => options.unprintable = Unprintable::Octal,
            "w" => {
                (old.given, old.width) = (true, true);
                let width = measure(text, 1, "'-w PAGE_WIDTH' invalid number of characters")?;
                if !options.truncate {
                    options.width = width;
                }
            }
            "W" => {
                (old.width, options.truncate) = (false, true);
                options.width = measure(text, 1, "'-W PAGE_WIDTH' invalid number of characters")?;
            }
            _ => {} // -b: columns are always balanced
        }
    }
    options.files.extend(parsed.operands);
    if !digits.is_empty() {
        old.columns = Some(column_count(&digits)?);
    }
    (options.first, options.last) = pages.unwrap_or((1, u64::MAX));
    options.columns = old.columns.unwrap_or(1);
    if options.parallel && old.columns.is_some() {
        return Err(Error::failed("cannot specify number of columns when printing in parallel"));
    }
    if options.parallel && options.across {
        return Err(Error::failed("cannot specify both printing across and printing in parallel"));
    }
    old.translate(&mut options);
    Ok(options)
}

/// The options of old, whose meaning depends on each other.
#[derive(Default)]
struct Old {
    /// Any of them.
    given: bool,
    /// `-w`, and no `-W` since.
    width: bool,
    /// `-s`, and no `-S` since.
    separator: bool,
    /// `-S`.
    string: bool,
    /// How many columns were asked for.
    columns: Option<usize>,
}

impl Old {
    /// Say with the newer options what the old ones mean.
    fn translate(self, options: &mut Options) {
        let in_columns = options.parallel || self.columns.is_some();
        let mut said = self.string;
        if self.given && self.width {
            if in_columns {
                options.truncate = true;
                said |= self.separator;
            } else {
                options.join = true;
            }
        } else if self.given && !said && self.separator && in_columns {
            if options.truncate {
                said = true;
            } else {
                options.join = true;
                said = options.separator.as_ref().is_some_and(|text| !text.is_empty());
            }
        }
        options.separator = said.then(|| options.separator.take().unwrap_or_default());
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            files: Vec::new(),
            first: 1,
            last: u64::MAX,
            columns: 1,
            across: false,
            parallel: false,
            double: false,
            date: "%Y-%m-%d %H:%M".to_string(),
            header: None,
            framed: true,
            keeps_form_feeds: false,
            form_feed: false,
            length: 66,
            margin: 0,
            width: 72,
            truncate: false,
            join: false,
            separator: None,
            input_tab: Tab { byte: b'\t', width: 8 },
            expand: false,
            output_tab: Tab { byte: b'\t', width: 8 },
            unexpand: false,
            unprintable: Unprintable::AsIs,
            numbers: None,
            start: 1,
            counts_skipped: true,
            quiet: false,
        }
    }
}

/// A number of lines or characters, at least `least`; `what` begins the message.
fn measure(text: &str, least: i64, what: &str) -> Result<i64> {
    let wrong = |why: &str| Err(Error::failed(format!("{what}: {}{why}", curly(text))));
    let (digits, sign) = text.strip_prefix('-').map_or((text, 1), |digits| (digits, -1));
    match number::parse(digits, "") {
        Err(number::Malformed::Invalid) => wrong(""),
        Ok(count) if i64::try_from(count).is_ok_and(|count| count <= i32::MAX.into()) => {
            let value = sign * count as i64;
            if value < least { wrong(": Numerical result out of range") } else { Ok(value) }
        }
        _ => wrong(": Value too large for defined data type"),
    }
}

fn column_count(text: &str) -> Result<usize> {
    Ok(measure(text, 1, "invalid number of columns")? as usize)
}

/// `[CHAR[WIDTH]]` of the option `letter`.
fn read_tab(letter: char, text: Option<&str>, byte: &mut u8, width: &mut i64) -> Result<()> {
    let text = text.unwrap_or_default().as_bytes();
    let digits = match text.split_first() {
        Some((first, rest)) if !first.is_ascii_digit() => {
            *byte = *first;
            rest
        }
        _ => text,
    };
    if digits.is_empty() {
        return Ok(());
    }
    let digits = String::from_utf8_lossy(digits);
    let wrong = |why: &str| {
        let what = format!("'-{letter}' extra characters or invalid number in the argument");
        Err(Error::usage(format!("{what}: {}{why}", curly(&digits))))
    };
    match number::parse(&digits, "") {
        Ok(0) | Err(number::Malformed::Invalid) => wrong(""),
        Ok(count) if count <= i32::MAX as u64 => {
            *width = count as i64;
            Ok(())
        }
        _ => wrong(": Value too large for defined data type"),
    }
}

/// `FIRST[:LAST]`; none when it is a number, or two, but no range.
fn page_range(text: &str, option: &str) -> Result<Option<(u64, u64)>> {
    let argument = match option {
        "+" => "+ argument",
        _ => "--pages argument",
    };
    // A number, and what follows it.
    let leading = |digits: &'_ str| -> Result<(u64, usize)> {
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        match number::parse(&digits[..length], "") {
            Ok(page) => Ok((page, length)),
            Err(number::Malformed::Invalid) => Err(Error::failed(format!("invalid {argument} '{text}'"))),
            Err(number::Malformed::Overflow) => Err(Error::failed(format!("{argument} '{text}' too large"))),
        }
    };
    let (first, length) = leading(text)?;
    let last = match text[length..].strip_prefix(':') {
        None if length < text.len() => return Ok(None),
        None => u64::MAX,
        Some(rest) => {
            let (last, length) = leading(rest)?;
            if length < rest.len() {
                return Err(Error::failed(format!("invalid suffix in {argument} '{text}'")));
            }
            last
        }
    };
    Ok((first > 0 && first <= last).then_some((first, last)))
}
