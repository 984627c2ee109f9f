//! The command line of jq, which is not GNU's: options may stand anywhere, and some take two words.
use super::{input::Mode, read, value::Value};
use crate::{Call, Error, FsError, Result, Status};
use std::io::Read;

/// What the words of a command line ask for.
#[derive(Default)]
pub(super) struct Options {
    pub(super) program: Option<String>,
    pub(super) files: Vec<String>,
    pub(super) mode: Mode,
    /// `-n`
    pub(super) null: bool,
    /// `-r`
    pub(super) raw_output: bool,
    /// `-j`
    pub(super) join: bool,
    /// `--raw-output0`
    pub(super) zero: bool,
    pub(super) ascii: bool,
    pub(super) sort: bool,
    pub(super) colour: Option<bool>,
    /// `-e`
    pub(super) exit_status: bool,
    pub(super) sequence: bool,
    pub(super) unbuffered: bool,
    /// What a level is indented with; `None` keeps a value on one line. Of `-c`, `--tab` and `--indent` the last
    /// counts.
    pub(super) indent: Option<String>,
    /// `--arg` and its kind.
    pub(super) named: Vec<(String, Value)>,
    /// What stands behind `--args` and `--jsonargs`.
    pub(super) positional: Vec<Value>,
}

/// The status of wrong words, and of files that cannot be read.
const TROUBLE: Status = Status(2);

/// What further words without a dash are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Further {
    Files,
    Texts,
    Values,
}

fn wrong(message: impl Into<String>) -> Error {
    Error::Failed(message.into(), TROUBLE)
}

/// Read the words of `call`.
pub(super) fn parse(call: &mut Call<'_>) -> Result<Options> {
    let words = call.args[1..].iter();
    let options = Options { indent: Some("  ".to_string()), ..Options::default() };
    let mut reader = Reader { words, options, further: Further::Files, from_file: false };
    let mut only_words = false;
    while let Some(word) = reader.words.next() {
        // `-1` is a filter.
        let is_option = word.starts_with('-') && word[1..].starts_with(|c: char| c == '-' || c.is_ascii_alphabetic());
        if only_words || !is_option {
            reader.operand(word)?;
        } else if word == "--" {
            only_words = true;
        } else if word.starts_with("--") {
            reader.option(call, word, word)?;
        } else {
            for letter in word[1..].chars() {
                let name = long_name(letter).ok_or_else(|| unknown(word))?;
                reader.option(call, name, word)?;
            }
        }
    }
    let Reader { mut options, from_file, .. } = reader;
    if from_file {
        let Some(file) = options.program.take() else { return Err(wrong("-f takes a file")) };
        let text = contents(call, &file).map_err(|cause| wrong(format!("error: Could not open {file}: {cause}")))?;
        options.program = Some(String::from_utf8_lossy(&text).into_owned());
    }
    Ok(options)
}

/// The words that are left, and what the others have asked for.
struct Reader<'w> {
    words: std::slice::Iter<'w, String>,
    options: Options,
    further: Further,
    /// `-f`
    from_file: bool,
}

impl Reader<'_> {
    fn operand(&mut self, word: &str) -> Result<()> {
        let options = &mut self.options;
        match (&options.program, self.further) {
            (None, _) => options.program = Some(word.to_string()),
            (_, Further::Files) => options.files.push(word.to_string()),
            (_, Further::Texts) => options.positional.push(Value::text(word)),
            (_, Further::Values) => options.positional.push(json("--jsonargs", word)?),
        }
        Ok(())
    }

    /// The next word, which `word` takes; `count` says how many it takes.
    fn next(&mut self, word: &str, count: &str) -> Result<String> {
        let next = self.words.next().cloned();
        next.ok_or_else(|| wrong(format!("{word} takes {count} (e.g. {word} {})", example(word))))
    }

    /// The option `name`, for which `word` stands.
    fn option(&mut self, call: &mut Call<'_>, name: &str, word: &str) -> Result<()> {
        let options = &mut self.options;
        match name {
            "--slurp" => options.mode.slurp = true,
            "--raw-output" => options.raw_output = true,
            "--raw-output0" => (options.raw_output, options.zero) = (true, true),
            "--join-output" => (options.raw_output, options.join) = (true, true),
            "--ascii-output" => options.ascii = true,
            "--compact-output" => options.indent = None,
            "--color-output" => options.colour = Some(true),
            "--monochrome-output" => options.colour = Some(false),
            "--sort-keys" => options.sort = true,
            "--exit-status" => options.exit_status = true,
            "--from-file" => self.from_file = true,
            "--null-input" => options.null = true,
            "--raw-input" => options.mode.raw = true,
            "--stream" => options.mode.stream = true,
            "--seq" => options.sequence = true,
            "--unbuffered" => options.unbuffered = true,
            "--tab" => options.indent = Some("\t".to_string()),
            "--help" => return Err(Error::Help),
            "--version" => return Err(Error::Version),
            "--args" => self.further = Further::Texts,
            "--jsonargs" => self.further = Further::Values,
            "-L" => drop(self.next(word, "a parameter")?),
            "--indent" => {
                let width = self.next(word, "one parameter")?;
                self.options.indent = indent(&width)?;
            }
            "--arg" | "--argjson" | "--slurpfile" | "--rawfile" => {
                let variable = self.next(word, "two parameters")?;
                let text = self.next(word, "two parameters")?;
                let value = match name {
                    "--arg" => Value::text(text),
                    "--argjson" => json(name, &text)?,
                    _ => from_file(call, name, &variable, &text)?,
                };
                self.options.named.push((variable, value));
            }
            _ => return Err(unknown(word)),
        }
        Ok(())
    }
}

/// The option that a letter is short for; `-L` has no other name.
fn long_name(letter: char) -> Option<&'static str> {
    Some(match letter {
        's' => "--slurp",
        'r' => "--raw-output",
        'j' => "--join-output",
        'a' => "--ascii-output",
        'c' => "--compact-output",
        'C' => "--color-output",
        'M' => "--monochrome-output",
        'S' => "--sort-keys",
        'e' => "--exit-status",
        'f' => "--from-file",
        'n' => "--null-input",
        'R' => "--raw-input",
        'h' => "--help",
        'V' => "--version",
        'L' => "-L",
        _ => return None,
    })
}

/// What `--indent` says: that many blanks, or a value on one line.
fn indent(width: &str) -> Result<Option<String>> {
    match width.parse::<i64>() {
        Ok(width @ 0..=7) => Ok((width > 0).then(|| " ".repeat(width as usize))),
        Ok(0..) => Err(wrong("Cannot indent more than 7 characters")),
        _ => Err(wrong("Cannot indent less than zero")),
    }
}

/// The value of `--rawfile` or `--slurpfile`, for `variable`.
fn from_file(call: &mut Call<'_>, option: &str, variable: &str, file: &str) -> Result<Value> {
    let bad = |option: &str, cause| wrong(format!("error: Bad JSON in {option} {variable} {file}: {cause}"));
    let text = contents(call, file).map_err(|cause| bad(option, format!("Could not open {file}: {cause}")))?;
    match option {
        "--rawfile" => Ok(Value::text(String::from_utf8_lossy(&text))),
        _ => read::all(&text).map(Value::array).map_err(|mistake| bad(option, mistake.0.to_string())),
    }
}

/// What an option takes, for its message.
fn example(word: &str) -> &'static str {
    match word {
        "--indent" => "n",
        "--slurpfile" | "--rawfile" => "varname filename",
        _ => "varname value",
    }
}

fn unknown(word: &str) -> Error {
    wrong(format!("Unknown option: {word}\nUse jq --help for help with command-line options"))
}

fn json(option: &str, text: &str) -> Result<Value> {
    read::single(text).map_err(|_| wrong(format!("Invalid JSON text passed to {option}")))
}

fn contents(call: &mut Call<'_>, name: &str) -> std::result::Result<Vec<u8>, String> {
    let mut input =
        if name == "-" { call.stdin.clone() } else { call.open(name).map_err(|cause| cause.to_string())? };
    let mut text = Vec::new();
    if let Err(error) = input.read_to_end(&mut text) {
        return Err(FsError::within(Error::Io(error)).map_or_else(|error| error.to_string(), |cause| cause.to_string()));
    }
    call.memory.take(text.len()).map_err(|error| error.to_string())?;
    Ok(text)
}
