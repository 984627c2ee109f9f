//! Reading the arguments: the options of a subcommand may stand before its name as well as after it, as in
//! `docsh --config FILE sites`; and what is no subcommand, option or operand is refused with what was probably meant.
use super::{
    Refusal,
    flags::{Arguments, Flags, Visiting},
};
use clap::{CommandFactory, Parser};
use docsh_builtins::{TOOLS, nearest, quoted, quoted_if_odd};
use std::ffi::OsString;

/// What these arguments say, the program's name first.
///
/// A line that begins with an option and has a `-c` names no subcommand. Then only the options are looked at: to build
/// what reads the others takes longer than all else that a short run does. Whatever is wrong is told by the whole.
pub fn read(args: &[OsString]) -> Result<Arguments, clap::Error> {
    if let Some(flags) = plain(args) {
        return Ok(Arguments { flags, mode: None });
    }
    if args.get(1).is_some_and(|arg| arg.as_encoded_bytes().starts_with(b"-"))
        && let Ok(flags) = Flags::try_parse_from(args)
        && flags.command.is_some()
    {
        return Ok(Arguments { flags, mode: None });
    }
    let arguments = Arguments::try_parse_from(args)?;
    match mode_at(&arguments, args) {
        Some(at) => Arguments::try_parse_from(mode_first(args, at)),
        None => Ok(arguments),
    }
}

/// The flags of `docsh [--site NAME] -c COMMAND [NAME ARG…]`, which is how agents call it; `None` for every other line.
/// It is read here, since to build what reads all other lines is a fifth of a short run.
fn plain(args: &[OsString]) -> Option<Flags> {
    let words: Vec<&str> = args.iter().skip(1).map(|arg| arg.to_str()).collect::<Option<_>>()?;
    let is_value = |word: &str| !word.starts_with('-');
    let (site, words) = match &words[..] {
        ["--site", site, rest @ ..] if is_value(site) => (Some(site.to_string()), rest),
        all => (None, all),
    };
    match words {
        ["-c", command, operands @ ..]
            if is_value(command) && operands.first().is_none_or(|operand| is_value(operand)) =>
        {
            Some(Flags {
                command: Some(command.to_string()),
                visiting: Visiting { site, ..Visiting::default() },
                operands: operands.iter().map(|operand| operand.to_string()).collect(),
                ..Flags::default()
            })
        }
        _ => None,
    }
}

/// Where the name of a mode stands that was taken for an operand, since options came before it. Behind `-c` or `--` it
/// is one.
fn mode_at(Arguments { flags, mode }: &Arguments, args: &[OsString]) -> Option<usize> {
    let name = flags.operands.first().filter(|_| flags.command.is_none() && mode.is_none())?;
    let at = args.len().checked_sub(flags.operands.len())?;
    (args[at - 1] != "--" && modes().contains(name)).then_some(at)
}

/// The arguments with the options before the mode's name behind all others, where it decides about them.
fn mode_first(args: &[OsString], at: usize) -> Vec<OsString> {
    let (before, after) = args.split_at(at);
    let (program, options) = before.split_at(1);
    let end = after.iter().position(|arg| arg == "--").unwrap_or(after.len());
    [program, &after[..end], options, &after[end..]].concat()
}

/// The names of the modes.
fn modes() -> Vec<String> {
    Arguments::command().get_subcommands().map(|mode| mode.get_name().to_string()).collect()
}

/// Whether arguments of which something is wrong ask for JSON: with a `--json` that is no mode's.
pub fn ask_for_json(args: &[OsString]) -> bool {
    let modes = modes();
    let is_end = |arg: &OsString| arg == "--" || modes.iter().any(|mode| arg == mode.as_str());
    args.iter().skip(1).take_while(|arg| !is_end(arg)).any(|arg| arg == "--json")
}

/// Words that are neither a mode nor behind `-c`.
pub fn stray(words: &[String]) -> Refusal {
    let word = words.first().map_or("", String::as_str);
    let modes = modes();
    if TOOLS.iter().any(|tool| tool.name == word) {
        let line: Vec<String> = words.iter().map(|word| quoted_if_odd(word)).collect();
        return Refusal::usage(format_args!("{word}: use docsh -c {}", quoted(&line.join(" "))));
    }
    let hint = match nearest(word, modes.iter().map(String::as_str)) {
        Some(near) => format!("did you mean docsh {near}?"),
        None => "a command line is run with docsh -c 'COMMAND'; docsh --help tells what else there is".to_string(),
    };
    Refusal::usage(format_args!("{word}: docsh has no such subcommand; {hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::flags::Mode;

    fn arguments(words: &[&str]) -> Arguments {
        let args: Vec<OsString> = ["docsh"].iter().chain(words).map(OsString::from).collect();
        read(&args).unwrap()
    }

    #[test]
    fn a_plain_line_is_read_as_every_other_line() {
        let lines: [&[&str]; 15] = [
            &["-c", "true"],
            &["-c", ""],
            &["-c", "ls", "a", "--json", "-c", "x"],
            &["-c", "ls", ""],
            &["--site", "x", "-c", "ls / | wc"],
            &["--site", "", "-c", "ls", "b", "--"],
            &["--site", "x", "--site", "y", "-c", "ls"],
            &["-c", "ls", "--json"],
            &["-c", "ls", "--"],
            &["-c", "ls", "--", "-x"],
            &["-c", "ls", "-"],
            &["-c", "-x"],
            &["-c"],
            &["--site", "-c", "ls"],
            &["--site", "x"],
        ];
        let mut plain_ones = 0;
        for line in lines {
            let args: Vec<OsString> = ["docsh"].iter().chain(line).map(OsString::from).collect();
            let Some(flags) = plain(&args) else { continue };
            plain_ones += 1;
            let whole = Arguments::try_parse_from(&args).unwrap();
            assert_eq!(format!("{:?}", Arguments { flags, mode: None }), format!("{whole:?}"), "{line:?}");
        }
        assert_eq!(plain_ones, 6);
    }

    #[test]
    fn options_stand_before_or_behind_a_mode() {
        for line in [["--config", "F", "sites"], ["sites", "--config", "F"]] {
            let Arguments { flags, mode } = arguments(&line);
            assert!(matches!(mode, Some(Mode::Sites)), "{line:?}");
            assert_eq!(flags.config.as_deref(), Some("F".as_ref()), "{line:?}");
        }
        let ingest = arguments(&["--native-certs", "--config=F", "ingest", "--site", "x", "--", "-docs"]);
        assert!(ingest.flags.native_certs && ingest.flags.config.is_some());
        assert!(matches!(ingest.mode, Some(Mode::Ingest(args)) if args.dir == Some("-docs".into())));
        let warm = arguments(&["--site", "x", "cache", "warm"]);
        assert!(matches!(warm.mode, Some(Mode::Cache(_))));
    }

    #[test]
    fn a_mode_decides_about_the_options_before_it() {
        let args = ["docsh", "--site", "x", "sites"].map(OsString::from);
        assert!(read(&args).unwrap_err().to_string().contains("'--site'"));
    }

    #[test]
    fn json_is_asked_for_before_the_operands_and_by_no_mode() {
        let asks =
            |words: &[&str]| ask_for_json(&["docsh"].iter().chain(words).map(OsString::from).collect::<Vec<_>>());
        assert!(asks(&["--json", "--nosuch", "-c", "ls"]) && asks(&["-c", "--json"]) && asks(&["--json", "sites"]));
        assert!(!asks(&["check", "--json", "--nosuch"]) && !asks(&["--nosuch", "--", "--json"]));
    }

    #[test]
    fn behind_a_command_line_the_name_of_a_mode_is_an_operand() {
        let run = arguments(&["-c", "echo $0", "sites", "--config", "F"]);
        assert_eq!(run.flags.operands, ["sites", "--config", "F"]);
        assert!(run.mode.is_none() && run.flags.config.is_none());
        assert_eq!(arguments(&["--", "sites"]).flags.operands, ["sites"]);
    }

    #[test]
    fn strays_are_told_what_to_type() {
        let told = |words: &[&str]| stray(&words.iter().map(|word| word.to_string()).collect::<Vec<_>>()).message;
        assert_eq!(told(&["ls", "/a b"]), "ls: use docsh -c \"ls '/a b'\"");
        assert_eq!(told(&["site"]), "site: docsh has no such subcommand; did you mean docsh sites?");
        assert!(told(&["kubectl"]).contains("docsh -c 'COMMAND'"));
    }
}
