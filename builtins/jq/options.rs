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
    let mut options = Options { indent: Some("  ".to_string()), ..Options::default() };
    let mut from_file = false;
    let mut further = Further::Files;
    let mut only_words = false;
    let words: Vec<String> = call.args[1..].to_vec();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        // `-1` is a filter.
        let is_option = word.starts_with('-') && word[1..].starts_with(|c: char| c == '-' || c.is_ascii_alphabetic());
        if only_words || !is_option {
            match (&options.program, further) {
                (None, _) => options.program = Some(word),
                (_, Further::Files) => options.files.push(word),
                (_, Further::Texts) => options.positional.push(Value::text(word)),
                (_, Further::Values) => options.positional.push(json("--jsonargs", &word)?),
            }
            continue;
        }
        if word == "--" {
            only_words = true;
            continue;
        }
        let mut next = |count: &str| {
            words.next().ok_or_else(|| wrong(format!("{word} takes {count} (e.g. {word} {})", example(&word))))
        };
        if let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.starts_with('-')) {
            for letter in letters.chars() {
                match letter {
                    's' => options.mode.slurp = true,
                    'r' => options.raw_output = true,
                    'j' => (options.raw_output, options.join) = (true, true),
                    'a' => options.ascii = true,
                    'c' => options.indent = None,
                    'C' => options.colour = Some(true),
                    'M' => options.colour = Some(false),
                    'S' => options.sort = true,
                    'e' => options.exit_status = true,
                    'f' => from_file = true,
                    'n' => options.null = true,
                    'R' => options.mode.raw = true,
                    'h' => return Err(Error::Help),
                    'V' => return Err(Error::Version),
                    'L' => drop(next("a parameter")?),
                    _ => return Err(unknown(&word)),
                }
            }
            continue;
        }
        match word.as_str() {
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
            "--from-file" => from_file = true,
            "--null-input" => options.null = true,
            "--raw-input" => options.mode.raw = true,
            "--stream" => options.mode.stream = true,
            "--seq" => options.sequence = true,
            "--unbuffered" => options.unbuffered = true,
            "--tab" => options.indent = Some("\t".to_string()),
            "--help" => return Err(Error::Help),
            "--version" => return Err(Error::Version),
            "--args" => further = Further::Texts,
            "--jsonargs" => further = Further::Values,
            "--indent" => {
                let width = next("one parameter")?;
                match width.parse::<i64>() {
                    Ok(width @ 0..=7) => {
                        options.indent = (width > 0).then(|| " ".repeat(width as usize));
                    }
                    Ok(0..) => return Err(wrong("Cannot indent more than 7 characters")),
                    _ => return Err(wrong("Cannot indent less than zero")),
                }
            }
            "--arg" => {
                let name = next("two parameters")?;
                options.named.push((name, Value::text(next("two parameters")?)));
            }
            "--argjson" => {
                let name = next("two parameters")?;
                let text = next("two parameters")?;
                options.named.push((name, json("--argjson", &text)?));
            }
            "--slurpfile" | "--rawfile" => {
                let name = next("two parameters")?;
                let file = next("two parameters")?;
                let text = contents(call, &file).map_err(|cause| {
                    wrong(format!("error: Bad JSON in --{} {name} {file}: Could not open {file}: {cause}", &word[2..]))
                })?;
                let value =
                    match word.as_str() {
                        "--rawfile" => Value::text(String::from_utf8_lossy(&text)),
                        _ => Value::array(read::all(&text).map_err(|mistake| {
                            wrong(format!("error: Bad JSON in {word} {name} {file}: {}", mistake.0))
                        })?),
                    };
                options.named.push((name, value));
            }
            _ => return Err(unknown(&word)),
        }
    }
    if from_file {
        let Some(file) = options.program.take() else { return Err(wrong("-f takes a file")) };
        let text = contents(call, &file).map_err(|cause| wrong(format!("error: Could not open {file}: {cause}")))?;
        options.program = Some(String::from_utf8_lossy(&text).into_owned());
    }
    Ok(options)
}

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
