//! The words of `sort`: its flags, its keys, and what does not go together.
use crate::{
    Call, Error, Opt, Result, Status,
    args::{self, Order},
    curly, number,
};

pub(super) const TABLE: &[Opt] = &[
    Opt::flag('b', &["ignore-leading-blanks"], "b", "ignore leading blanks"),
    Opt::flag('d', &["dictionary-order"], "d", "consider only blanks and alphanumeric characters"),
    Opt::flag('f', &["ignore-case"], "f", "fold lower case to upper case characters"),
    Opt::flag('g', &["general-numeric-sort"], "g", "compare according to general numerical value"),
    Opt::flag('i', &["ignore-nonprinting"], "i", "consider only printable characters"),
    Opt::flag('M', &["month-sort"], "M", "compare (unknown) < 'JAN' < ... < 'DEC'"),
    Opt::flag('h', &["human-numeric-sort"], "h", "compare human readable numbers (e.g., 2K 1G)"),
    Opt::flag('n', &["numeric-sort"], "n", "compare according to string numerical value"),
    Opt::flag('R', &["random-sort"], "R", "shuffle, but group identical keys"),
    Opt::value('1', &["random-source"], "random-source", "FILE", "get random bytes from FILE").long_only(),
    Opt::flag('r', &["reverse"], "r", "reverse the result of comparisons"),
    Opt::value('2', &["sort"], "sort", "WORD", "sort according to WORD: general-numeric, human-numeric, month, ...")
        .long_only(),
    Opt::flag('V', &["version-sort"], "V", "natural sort of (version) numbers within text"),
    Opt::value('3', &["batch-size"], "batch-size", "NMERGE", "(ignored)").long_only(),
    Opt::flag('c', &[], "check", "check for sorted input; do not sort"),
    Opt::flag('4', &["check"], "check", "the same; with =quiet or =silent as -C").long_only().optional("WORD"),
    Opt::flag('C', &[], "C", "like -c, but do not report first bad line"),
    Opt::value('5', &["compress-program"], "compress", "PROG", "(ignored: nothing is kept in files)").long_only(),
    Opt::flag('6', &["debug"], "debug", "underline what each key is, and warn of questionable usage").long_only(),
    Opt::value('7', &["files0-from"], "files0-from", "F", "read input from the NUL-terminated names in file F")
        .long_only(),
    Opt::value('k', &["key"], "key", "KEYDEF", "sort via a key; KEYDEF gives location and type"),
    Opt::flag('m', &["merge"], "merge", "merge already sorted files; do not sort"),
    Opt::value('o', &["output"], "output", "FILE", "write result to FILE instead of standard output"),
    Opt::flag('s', &["stable"], "stable", "stabilize sort by disabling last-resort comparison"),
    Opt::value('S', &["buffer-size"], "buffer-size", "SIZE", "(ignored)"),
    Opt::value('t', &["field-separator"], "separator", "SEP", "use SEP instead of non-blank to blank transition"),
    Opt::value('T', &["temporary-directory"], "temporary", "DIR", "(ignored: nothing is kept in files)"),
    Opt::value('8', &["parallel"], "parallel", "N", "change the number of threads that sort to N").long_only(),
    Opt::flag(
        'u',
        &["unique"],
        "unique",
        "with -c, check for strict ordering; else output only the first of an equal run",
    ),
    Opt::flag('z', &["zero-terminated"], "zero", "line delimiter is NUL, not newline"),
];

/// How the bytes of a key are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    General,
    Human,
    Month,
    Numeric,
    Random,
    Version,
}

/// The bytes of a key that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    All,
    /// `-d`
    Dictionary,
    /// `-i`
    Printable,
}

/// One key: where it lies in a line, and how it is compared.
#[derive(Clone, Debug)]
pub(super) struct Key {
    /// Fields and bytes before it.
    pub(super) start: (usize, usize),
    /// Fields before its end and bytes into the next; without an end it reaches to the end of the line.
    pub(super) end: Option<(usize, usize)>,
    pub(super) start_blanks: bool,
    pub(super) end_blanks: bool,
    kinds: Vec<Kind>,
    pub(super) counted: Counted,
    pub(super) fold: bool,
    pub(super) reverse: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    Loud,
    Silent,
}

/// What is asked for.
pub(super) struct Options {
    pub(super) keys: Vec<Key>,
    /// `-r` for the last comparison, of whole lines.
    pub(super) reverse: bool,
    pub(super) separator: Option<u8>,
    pub(super) end: u8,
    pub(super) stable: bool,
    pub(super) unique: bool,
    pub(super) merge: bool,
    pub(super) check: Option<Check>,
    pub(super) output: Option<String>,
    pub(super) files_from: Option<String>,
    pub(super) random_source: Option<String>,
    pub(super) debug: bool,
    /// Threads that sort; `None` leaves it to the number of lines.
    pub(super) threads: Option<usize>,
    /// The letters that stand outside of keys.
    pub(super) global: Key,
    /// Whether they alone make the one key there is.
    pub(super) is_global: bool,
}

impl Key {
    const WHOLE: Key = Key {
        start: (0, 0),
        end: None,
        start_blanks: false,
        end_blanks: false,
        kinds: Vec::new(),
        counted: Counted::All,
        fold: false,
        reverse: false,
    };

    /// How it is compared.
    pub(super) fn kind(&self) -> Kind {
        // A key may be both `V` and `R`; the shuffle wins.
        match self.kinds.as_slice() {
            [] => Kind::Text,
            kinds if kinds.contains(&Kind::Random) => Kind::Random,
            kinds => kinds[0],
        }
    }

    /// Apply the letter of an option; `false` when it is none.
    fn apply(&mut self, letter: char, at_end: Option<bool>) -> bool {
        let kind = match letter {
            'b' => {
                self.start_blanks |= at_end != Some(true);
                self.end_blanks |= at_end != Some(false);
                return true;
            }
            'd' => {
                self.counted = Counted::Dictionary;
                return true;
            }
            'i' => {
                if self.counted == Counted::All {
                    self.counted = Counted::Printable;
                }
                return true;
            }
            'f' => {
                self.fold = true;
                return true;
            }
            'r' => {
                self.reverse = true;
                return true;
            }
            'g' => Kind::General,
            'h' => Kind::Human,
            'M' => Kind::Month,
            'n' => Kind::Numeric,
            'R' => Kind::Random,
            'V' => Kind::Version,
            _ => return false,
        };
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
        true
    }

    /// Whether all bytes of its text count as they are.
    pub(super) fn is_plain(&self) -> bool {
        self.counted == Counted::All && !self.fold
    }

    /// Whether it is compared as a number of some kind.
    pub(super) fn is_numeric(&self) -> bool {
        matches!(self.kind(), Kind::Numeric | Kind::General | Kind::Human)
    }

    /// The field that it ends in, counted from 0.
    fn last_field(&self) -> Option<usize> {
        self.end.map(|(fields, bytes)| if bytes == 0 { fields - 1 } else { fields })
    }

    /// Whether it ends before it starts.
    pub(super) fn is_empty(&self) -> bool {
        self.last_field().is_some_and(|last| last < self.start.0)
    }

    /// Whether it reaches beyond the field that it starts in.
    pub(super) fn spans_fields(&self) -> bool {
        self.last_field().is_none_or(|last| self.start.0 < last)
    }

    /// The letters of this key that none of `keys` has as well.
    pub(super) fn letters_not_in(&self, keys: &[Key]) -> String {
        let any = |has: &dyn Fn(&Key) -> bool| has(self) && !keys.iter().any(has);
        let kind = |kind: Kind| any(&|key: &Key| key.kinds.contains(&kind));
        let letters = [
            ('b', any(&|key: &Key| key.start_blanks || key.end_blanks)),
            ('d', any(&|key: &Key| key.counted == Counted::Dictionary)),
            ('f', any(&|key: &Key| key.fold)),
            ('g', kind(Kind::General)),
            ('h', kind(Kind::Human)),
            ('i', any(&|key: &Key| key.counted == Counted::Printable)),
            ('M', kind(Kind::Month)),
            ('n', kind(Kind::Numeric)),
            ('R', kind(Kind::Random)),
            ('r', any(&|key: &Key| key.reverse)),
            ('V', kind(Kind::Version)),
        ];
        letters.iter().filter(|(_, unused)| *unused).map(|(letter, _)| *letter).collect()
    }

    /// Whether it says nothing of how it is compared, `reverse` and blanks aside.
    fn is_default(&self) -> bool {
        self.kinds.is_empty() && self.is_plain()
    }

    fn check(&self) -> Result<()> {
        let numbers = [Kind::Numeric, Kind::General, Kind::Human, Kind::Month];
        let texts = self.kinds.iter().any(|kind| matches!(kind, Kind::Version | Kind::Random));
        let count = self.kinds.iter().filter(|kind| numbers.contains(kind)).count();
        if count + usize::from(texts || self.counted != Counted::All) <= 1 {
            return Ok(());
        }
        let has = |kind| self.kinds.contains(&kind);
        let letters = [
            ('d', self.counted == Counted::Dictionary),
            ('f', self.fold),
            ('g', has(Kind::General)),
            ('h', has(Kind::Human)),
            ('i', self.counted == Counted::Printable),
            ('M', has(Kind::Month)),
            ('n', has(Kind::Numeric)),
            ('R', has(Kind::Random)),
            ('V', has(Kind::Version)),
        ];
        let letters: String = letters.iter().filter(|(_, set)| *set).map(|(letter, _)| *letter).collect();
        Err(failed(format!("options '-{letters}' are incompatible")))
    }
}

fn failed(message: String) -> Error {
    Error::Failed(message, Status(2))
}

/// The options and the files.
pub(super) fn read(call: &Call<'_>) -> Result<(Options, Vec<String>)> {
    let words = modern(&call.args[1..]);
    let parsed = args::parse_words(&words, TABLE, Order::Anywhere)?;
    let mut global = Key::WHOLE;
    let mut options = Options {
        keys: Vec::new(),
        reverse: false,
        separator: None,
        end: b'\n',
        stable: false,
        unique: false,
        merge: false,
        check: None,
        output: None,
        files_from: None,
        random_source: None,
        debug: false,
        threads: None,
        global: Key::WHOLE,
        is_global: false,
    };
    for (name, value) in &parsed.options {
        let value = value.as_deref().unwrap_or_default();
        match *name {
            "sort" => {
                let words = [
                    ("general-numeric", 'g'),
                    ("human-numeric", 'h'),
                    ("month", 'M'),
                    ("numeric", 'n'),
                    ("random", 'R'),
                    ("version", 'V'),
                ];
                global.apply(args::choice(call, "--sort", value, &words)?, None);
            }
            "check" => {
                let words = [("quiet", Check::Silent), ("silent", Check::Silent), ("diagnose-first", Check::Loud)];
                options.set_check(if value.is_empty() {
                    Check::Loud
                } else {
                    args::choice(call, "--check", value, &words)?
                })?;
            }
            "C" => options.set_check(Check::Silent)?,
            "debug" => options.debug = true,
            "key" => options.keys.push(read_key(value)?),
            "merge" => options.merge = true,
            "output" => match &options.output {
                Some(file) if file != value => return Err(failed("multiple output files specified".to_string())),
                _ => options.output = Some(value.to_string()),
            },
            "stable" => options.stable = true,
            "unique" => options.unique = true,
            "zero" => options.end = 0,
            "separator" => options.set_separator(value)?,
            "files0-from" => options.files_from = Some(value.to_string()),
            "random-source" => options.random_source = Some(value.to_string()),
            "parallel" => match number::parse(value, "") {
                Ok(0) => return Err(failed("number in parallel must be nonzero".to_string())),
                Ok(count) => options.threads = Some(usize::try_from(count).unwrap_or(usize::MAX)),
                Err(number::Malformed::Overflow) => options.threads = Some(usize::MAX),
                Err(number::Malformed::Invalid) => {
                    return Err(failed(format!("invalid --parallel argument {}", curly(value))));
                }
            },
            "batch-size" => match number::parse(value, "") {
                Ok(0 | 1) => {
                    let message =
                        format!("invalid --batch-size argument {}\nminimum --batch-size argument is ‘2’", curly(value));
                    return Err(failed(message));
                }
                Ok(_) | Err(number::Malformed::Overflow) => {}
                Err(number::Malformed::Invalid) => {
                    return Err(failed(format!("invalid --batch-size argument {}", curly(value))));
                }
            },
            "buffer-size" => {
                let plain = value.strip_suffix('%').unwrap_or(value);
                if number::parse(plain, "bEgGkKmMPQRtTYZ") == Err(number::Malformed::Invalid) {
                    return Err(failed(format!("invalid -S argument {}", curly(value))));
                }
            }
            letter => {
                global.apply(letter.chars().next().unwrap_or_default(), None);
            }
        }
    }
    for key in &mut options.keys {
        if key.is_default() && !key.reverse && !key.start_blanks && !key.end_blanks {
            *key = Key { start: key.start, end: key.end, ..global.clone() };
        }
        key.check()?;
    }
    if options.keys.is_empty() && (global.start_blanks || !global.is_default()) {
        global.check()?;
        options.keys.push(global.clone());
        options.is_global = true;
    }
    options.reverse = global.reverse;
    options.global = global;
    if options.check.is_some() && options.output.is_some() {
        let letter = if options.check == Some(Check::Loud) { 'c' } else { 'C' };
        return Err(failed(format!("options '-{letter}o' are incompatible")));
    }
    let silent = match (options.check, &options.output) {
        (Some(Check::Loud), _) => Some('c'),
        (Some(Check::Silent), _) => Some('C'),
        (None, Some(_)) => Some('o'),
        (None, None) => None,
    };
    if let Some(letter) = silent.filter(|_| options.debug) {
        return Err(failed(format!("options '-{letter} --debug' are incompatible")));
    }
    Ok((options, parsed.operands))
}

impl Options {
    fn set_check(&mut self, check: Check) -> Result<()> {
        match self.check {
            Some(other) if other != check => Err(failed("options '-cC' are incompatible".to_string())),
            _ => {
                self.check = Some(check);
                Ok(())
            }
        }
    }

    fn set_separator(&mut self, text: &str) -> Result<()> {
        let byte = match text.as_bytes() {
            [] => return Err(failed("empty tab".to_string())),
            [byte] => *byte,
            b"\\0" => 0,
            _ => return Err(failed(format!("multi-character tab {}", curly(text)))),
        };
        match self.separator {
            Some(other) if other != byte => Err(failed("incompatible tabs".to_string())),
            _ => {
                self.separator = Some(byte);
                Ok(())
            }
        }
    }
}

/// `POS1[,POS2]`, each `F[.C][OPTIONS]`.
fn read_key(text: &str) -> Result<Key> {
    let wrong = |why: &str| failed(format!("{why}: invalid field specification {}", curly(text)));
    let mut key = Key::WHOLE;
    let (field, mut rest) = count(text, "invalid number at field start")?;
    if field == 0 {
        return Err(wrong("field number is zero"));
    }
    let mut byte = 1;
    if let Some(after) = rest.strip_prefix('.') {
        (byte, rest) = count(after, "invalid number after ‘.’")?;
        if byte == 0 {
            return Err(wrong("character offset is zero"));
        }
    }
    key.start = (field - 1, byte - 1);
    let letters = rest.trim_start_matches(|letter| key.apply(letter, Some(false)));
    if let Some(end) = letters.strip_prefix(',') {
        let (field, mut rest) = count(end, "invalid number after ‘,’")?;
        if field == 0 {
            return Err(wrong("field number is zero"));
        }
        let mut byte = 0;
        if let Some(after) = rest.strip_prefix('.') {
            (byte, rest) = count(after, "invalid number after ‘.’")?;
        }
        key.end = Some(if byte == 0 { (field, 0) } else { (field - 1, byte) });
        if !rest.trim_start_matches(|letter| key.apply(letter, Some(true))).is_empty() {
            return Err(wrong("stray character in field spec"));
        }
    } else if !letters.is_empty() {
        return Err(wrong("stray character in field spec"));
    }
    Ok(key)
}

/// The count that `text` begins with, and what follows it. One too large to be held means the end of any line.
fn count<'a>(text: &'a str, why: &str) -> Result<(usize, &'a str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &text[..text.len() - rest.len()];
    match digits.is_empty() {
        true => Err(failed(format!("{why}: invalid count at start of {}", curly(text)))),
        false => Ok((digits.parse().unwrap_or(usize::MAX), rest)),
    }
}

/// The old spelling `+POS1 [-POS2]`, counted from 0, as `-k`.
fn modern(words: &[String]) -> Vec<String> {
    let mut modern = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        if word == "--" {
            modern.push(word.clone());
            modern.extend(words.by_ref().cloned());
            break;
        }
        let Some(start) = word.strip_prefix('+').and_then(|start| old_position(start, true)) else {
            modern.push(word.clone());
            continue;
        };
        let end = words.peek().and_then(|word| old_position(word.strip_prefix('-')?, false));
        match end {
            Some(end) => {
                words.next();
                modern.push(format!("-k{start},{end}"));
            }
            None => modern.push(format!("-k{start}")),
        }
    }
    modern
}

/// `F[.C][OPTIONS]` counted from 0, counted from 1.
fn old_position(text: &str, start: bool) -> Option<String> {
    let number = |text: &str| {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (digits, rest) = text.split_at(text.len() - rest);
        Some((digits.parse::<usize>().ok()?, rest.to_string()))
    };
    let (field, rest) = number(text)?;
    let (byte, letters) = match rest.strip_prefix('.') {
        Some(rest) => number(rest)?,
        None => (0, rest),
    };
    if !letters.chars().all(|letter| "bdfgiMhnRrV".contains(letter)) {
        return None;
    }
    Some(match (start, byte) {
        (true, byte) => format!("{}.{}{letters}", field + 1, byte + 1),
        (false, 0) => format!("{field}{letters}"),
        (false, byte) => format!("{}.{byte}{letters}", field + 1),
    })
}
