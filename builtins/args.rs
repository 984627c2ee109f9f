//! Command-line options as GNU's `getopt_long` reads them.
//!
//! Short options cluster (`-la`), take their argument attached or apart (`-n5`, `-n 5`), long options may be cut short
//! while they stay unambiguous (`--recur`), options and operands mix unless the command says otherwise, `--` ends the
//! options. A command's options are data ([`Opt`]): `--help` and completion read the same table.
use crate::{Call, Error, Result};

/// One option of a command.
#[derive(Clone, Copy, Debug)]
pub struct Opt {
    /// What [`Parsed`] calls it: the long name, or the short letter where there is no long name.
    pub key: &'static str,
    /// The letter after one dash.
    pub short: Option<char>,
    /// Long names; the first is the one that help shows.
    pub long: &'static [&'static str],
    /// Whether an argument follows.
    pub takes: Takes,
    /// One line for `--help`; empty hides it there.
    pub help: &'static str,
}

/// The key of an option that asks for help, whatever it is called besides `--help`.
pub const HELP: &str = "--help";
/// The key of an option that asks for the version, whatever it is called besides `--version`.
pub const VERSION: &str = "--version";

/// The key of a digit that is an option: [`Opt::DIGITS`].
pub const DIGIT: &str = "digit";
/// The key of an operand that stands among the options: [`Order::InPlace`].
pub const OPERAND: &str = "operand";

/// Whether an option takes an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Never.
    Nothing,
    /// Always; the word names it in help, e.g. `"NUM"`.
    Value(&'static str),
    /// Only attached: `--color=always`, `-x5`.
    Optional(&'static str),
}

/// Where options may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Anywhere before `--`.
    Anywhere,
    /// Before the first operand: `xargs`, `env`, `timeout`.
    BeforeOperands,
    /// Anywhere before `--`, and an operand there keeps its place: it is an option whose key is [`OPERAND`].
    InPlace,
}

impl Opt {
    /// Each of `-0` to `-9`: an option whose key is [`DIGIT`] and whose argument is the digit.
    pub const DIGITS: Opt = Opt::flag('0', &[], DIGIT, "");

    /// A flag: `Opt::flag('l', "long", "use a long listing")`.
    pub const fn flag(short: char, long: &'static [&'static str], key: &'static str, help: &'static str) -> Opt {
        Opt { key, short: Some(short), long, takes: Takes::Nothing, help }
    }

    /// An option with an argument.
    pub const fn value(
        short: char,
        long: &'static [&'static str],
        key: &'static str,
        value: &'static str,
        help: &'static str,
    ) -> Opt {
        Opt { key, short: Some(short), long, takes: Takes::Value(value), help }
    }

    /// The same option without a letter.
    pub const fn long_only(self) -> Opt {
        Opt { short: None, ..self }
    }

    /// The same option with an argument that may be left out.
    pub const fn optional(self, value: &'static str) -> Opt {
        Opt { takes: Takes::Optional(value), ..self }
    }
}

/// A command line, taken apart.
#[derive(Debug, Default)]
pub struct Parsed {
    /// Each option in the order it was given: its key and its argument.
    pub options: Vec<(&'static str, Option<String>)>,
    /// What is not an option.
    pub operands: Vec<String>,
    /// Whether `--` was seen.
    pub dashes: bool,
}

impl Parsed {
    /// Whether the option `key` was given.
    pub fn has(&self, key: &str) -> bool {
        self.options.iter().any(|(name, _)| *name == key)
    }

    /// The argument of the last option `key`.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.options.iter().rev().find(|(name, _)| *name == key)?.1.as_deref()
    }
}

/// Take the words of `call` apart by its own table of options.
pub fn parse(call: &Call<'_>, order: Order) -> Result<Parsed> {
    parse_words(&call.args[1..], call.builtin.options, order)
}

/// Take `words` (without the command's name) apart by `table`.
pub fn parse_words(words: &[String], table: &[Opt], order: Order) -> Result<Parsed> {
    let mut parsed = Parsed::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            parsed.dashes = true;
            break;
        } else if let Some(long) = word.strip_prefix("--") {
            parsed.options.push(read_long(long, table, &mut words)?);
        } else if word.len() > 1 && word.starts_with('-') {
            read_cluster(&word[1..], table, &mut words, &mut parsed.options)?;
        } else if order == Order::InPlace {
            parsed.options.push((OPERAND, Some(word.clone())));
        } else {
            parsed.operands.push(word.clone());
            if order == Order::BeforeOperands {
                break;
            }
        }
    }
    parsed.operands.extend(words.cloned());
    Ok(parsed)
}

type Words<'a> = std::slice::Iter<'a, String>;

fn read_long(text: &str, table: &[Opt], words: &mut Words<'_>) -> Result<(&'static str, Option<String>)> {
    let (name, attached) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_string())),
        None => (text, None),
    };
    let names = || table.iter().flat_map(|opt| opt.long.iter().map(move |long| (*long, opt)));
    let exact = names().find(|(long, _)| *long == name);
    let (long, opt) = match exact {
        Some(found) => found,
        None => {
            if name.is_empty() {
                return Err(Error::usage(format!("unrecognized option '--{text}'")));
            }
            let mut begun = names().filter(|(long, _)| long.starts_with(name));
            match (begun.next(), name) {
                (None, "help") => return Err(Error::Help),
                (None, "version") => return Err(Error::Version),
                (None, _) => return Err(Error::usage(unrecognized(name, table))),
                (Some(first), _) => {
                    if names().any(|(long, opt)| long.starts_with(name) && opt.key != first.1.key) {
                        let all: Vec<String> = names()
                            .filter(|(long, _)| long.starts_with(name))
                            .map(|(long, _)| format!("'--{long}'"))
                            .collect();
                        let message = format!("option '--{name}' is ambiguous; possibilities: {}", all.join(" "));
                        return Err(Error::usage(message));
                    }
                    first
                }
            }
        }
    };
    asks_of_itself(opt)?;
    let value = match (opt.takes, attached) {
        (Takes::Nothing, Some(_)) => {
            return Err(Error::usage(format!("option '--{long}' doesn't allow an argument")));
        }
        (Takes::Value(_), None) => match words.next() {
            Some(word) => Some(word.clone()),
            None => return Err(Error::usage(format!("option '--{long}' requires an argument"))),
        },
        (_, attached) => attached,
    };
    Ok((opt.key, value))
}

/// Help and the version end the reading of options at once.
fn asks_of_itself(opt: &Opt) -> Result<()> {
    match opt.key {
        HELP => Err(Error::Help),
        VERSION => Err(Error::Version),
        _ => Ok(()),
    }
}

fn unrecognized(name: &str, table: &[Opt]) -> String {
    let names = table.iter().flat_map(|opt| opt.long.iter().copied());
    match crate::nearest(name, names) {
        Some(near) => format!("unrecognized option '--{name}' (did you mean '--{near}'?)"),
        None => format!("unrecognized option '--{name}'"),
    }
}

fn read_cluster(
    cluster: &str,
    table: &[Opt],
    words: &mut Words<'_>,
    options: &mut Vec<(&'static str, Option<String>)>,
) -> Result<()> {
    let mut letters = cluster.chars();
    while let Some(letter) = letters.next() {
        let is_meant = |opt: &&Opt| opt.short == Some(letter) || opt.key == DIGIT && letter.is_ascii_digit();
        let Some(opt) = table.iter().find(is_meant) else {
            return Err(Error::usage(format!("invalid option -- '{letter}'")));
        };
        asks_of_itself(opt)?;
        let rest = letters.as_str();
        let value = match opt.takes {
            Takes::Nothing => (opt.key == DIGIT).then(|| letter.to_string()),
            Takes::Optional(_) => (!rest.is_empty()).then(|| rest.to_string()),
            Takes::Value(_) if !rest.is_empty() => Some(rest.to_string()),
            Takes::Value(_) => match words.next() {
                Some(word) => Some(word.clone()),
                None => return Err(Error::usage(format!("option requires an argument -- '{letter}'"))),
            },
        };
        options.push((opt.key, value));
        if opt.takes != Takes::Nothing {
            break;
        }
    }
    Ok(())
}

/// The row of `table` that `value` names, whole or cut short without ambiguity. `option` is what the message calls it.
pub fn choice<T: Copy + PartialEq>(call: &Call<'_>, option: &str, value: &str, table: &[(&str, T)]) -> Result<T> {
    if let Some((_, chosen)) = table.iter().find(|(name, _)| *name == value) {
        return Ok(*chosen);
    }
    let mut begun = table.iter().filter(|(name, _)| name.starts_with(value));
    let kind = match begun.next() {
        Some((_, first)) if begun.all(|(_, other)| other == first) => return Ok(*first),
        Some(_) => "ambiguous",
        None => "invalid",
    };
    let mut message = format!("{kind} argument ‘{value}’ for ‘{option}’\nValid arguments are:");
    let mut shown: Option<T> = None;
    for (name, meaning) in table {
        let separator = if shown == Some(*meaning) { "," } else { "\n  -" };
        message += &format!("{separator} ‘{name}’");
        shown = Some(*meaning);
    }
    message += &format!("\nTry '{} --help' for more information.", call.name());
    Err(Error::failed(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Opt] = &[
        Opt::flag('a', &["all"], "all", ""),
        Opt::flag('l', &[], "l", ""),
        Opt::value('n', &["lines"], "lines", "NUM", ""),
        Opt::flag('c', &["color", "colour"], "color", "").optional("WHEN"),
        Opt::flag('i', &["initial"], "initial", "").long_only(),
        Opt::flag('k', &["initialise"], "initialise", ""),
    ];

    fn read(line: &str, order: Order) -> std::result::Result<(String, String), String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        let parsed = parse_words(&words, TABLE, order).map_err(|error| error.to_string())?;
        let options: Vec<String> =
            parsed.options.iter().map(|(key, value)| format!("{key}={}", value.as_deref().unwrap_or("-"))).collect();
        Ok((options.join(" "), parsed.operands.join(" ")))
    }

    #[test]
    fn options_and_operands_mix() {
        let expected = ("all=- l=- lines=5 color=always".to_string(), "x y -a".to_string());
        assert_eq!(read("x -al -n5 y --color=always -- -a", Order::Anywhere), Ok(expected));
    }

    #[test]
    fn options_may_have_to_come_first() {
        assert_eq!(read("-a cmd -l", Order::BeforeOperands), Ok(("all=-".into(), "cmd -l".into())));
    }

    #[test]
    fn operands_may_keep_their_place() {
        let expected = ("operand=x all=- operand=y".to_string(), "-l".to_string());
        assert_eq!(read("x -a y -- -l", Order::InPlace), Ok(expected));
    }

    #[test]
    fn long_options_may_be_cut_short() {
        assert_eq!(read("--li 3 --colou", Order::Anywhere), Ok(("lines=3 color=-".into(), String::new())));
        assert_eq!(read("--initial", Order::Anywhere), Ok(("initial=-".into(), String::new())));
    }

    #[test]
    fn wrong_words_are_named() {
        let message = |line| read(line, Order::Anywhere).unwrap_err();
        assert_eq!(message("-z"), "invalid option -- 'z'");
        assert_eq!(message("-n"), "option requires an argument -- 'n'");
        assert_eq!(message("--lines"), "option '--lines' requires an argument");
        assert_eq!(message("--all=x"), "option '--all' doesn't allow an argument");
        assert_eq!(message("--init"), "option '--init' is ambiguous; possibilities: '--initial' '--initialise'");
        assert_eq!(message("--linse"), "unrecognized option '--linse' (did you mean '--lines'?)");
        assert_eq!(message("--zzzzzz"), "unrecognized option '--zzzzzz'");
    }
}
