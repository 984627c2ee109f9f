//! `sed`: GNU sed 4.9. `-i` and `w FILE` write where the tree lets anything be written, `e` runs nothing.
mod address;
mod edit;
mod escape;
mod exec;
mod input;
mod list;
mod output;
mod parse;
mod reader;
mod replace;
mod script;
mod select;
mod substitute;
mod text;
mod transliterate;

use crate::{
    Builtin, Call, Error, FsError, Opt, Result, Status,
    args::{self, Order, Parsed},
};
use reader::{Place, Source};
use std::io::Read;

pub(crate) static SED: Builtin = Builtin {
    name: "sed",
    synopsis: "[OPTION]... {script-only-if-no-other-script} [input-file]...",
    about: "Filter and transform text.",
    options: &[
        Opt::flag('n', &["quiet", "silent"], "quiet", "suppress automatic printing of pattern space"),
        Opt::flag(' ', &["debug"], "debug", "annotate program execution").long_only(),
        Opt::value('e', &["expression"], "expression", "SCRIPT", "add the script to the commands to be executed"),
        Opt::value('f', &["file"], "file", "FILE", "add the contents of FILE to the commands to be executed"),
        Opt::flag(' ', &["follow-symlinks"], "follow-symlinks", "follow symlinks when processing in place").long_only(),
        Opt::flag('i', &["in-place"], "in-place", "edit files in place (a site is read-only)").optional("SUFFIX"),
        Opt::value('l', &["line-length"], "line-length", "N", "specify the line-wrap length for the `l' command"),
        Opt::flag(' ', &["posix"], "posix", "disable all GNU extensions").long_only(),
        Opt::flag('E', &["regexp-extended"], "extended", "use extended regular expressions in the script"),
        Opt::flag('r', &[], "extended", ""),
        Opt::flag('s', &["separate"], "separate", "consider files as separate rather than as one stream"),
        Opt::flag(' ', &["sandbox"], "sandbox", "operate in sandbox mode (disable e/r/w commands)").long_only(),
        Opt::flag('u', &["unbuffered"], "unbuffered", "hand output on line by line"),
        Opt::flag('z', &["null-data", "zero-terminated"], "null-data", "separate lines by NUL characters"),
        Opt::flag('b', &["binary"], "binary", ""),
    ],
    trouble: Status(1),
    run,
};

/// How a script is read and run.
struct Options {
    quiet: bool,
    extended: bool,
    posix: bool,
    sandbox: bool,
    separate: bool,
    unbuffered: bool,
    delimiter: u8,
    line_length: usize,
    /// `-i`, and the suffix of what stays.
    in_place: Option<String>,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let mut parsed = args::parse(call, Order::Anywhere)?;
    if parsed.has("debug") {
        return Err(Error::usage("--debug is not supported"));
    }
    let mut options = Options {
        quiet: parsed.has("quiet"),
        extended: parsed.has("extended"),
        posix: parsed.has("posix"),
        sandbox: parsed.has("sandbox"),
        separate: parsed.has("separate") || parsed.has("in-place"),
        unbuffered: parsed.has("unbuffered"),
        delimiter: if parsed.has("null-data") { 0 } else { b'\n' },
        line_length: parsed.value("line-length").map_or(70, leading_number),
        in_place: parsed.has("in-place").then(|| parsed.value("in-place").unwrap_or_default().to_string()),
    };
    let sources = sources(call, &mut parsed)?;
    let script = parse::parse(call, sources, &options)?;
    options.quiet |= script.quiet;
    let mut status = Status::OK;
    if options.in_place.is_some() {
        (parsed.operands, status) = edit::editable(call, parsed.operands)?;
        if parsed.operands.is_empty() {
            return Ok(status);
        }
    }
    let ended = exec::Machine::new(call, &script, &options, parsed.operands).run()?;
    Ok(if ended.is_ok() { status } else { ended })
}

/// The scripts of `-e` and `-f` in their order, or else the first operand.
fn sources(call: &mut Call<'_>, parsed: &mut Parsed) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    let mut expressions = 0;
    for (key, value) in &parsed.options {
        let value = value.as_deref().unwrap_or_default();
        match *key {
            "expression" => {
                expressions += 1;
                sources.push(Source { place: Place::Expression(expressions), text: value.as_bytes().to_vec() });
            }
            "file" => sources.push(Source { place: Place::File(value.to_string()), text: script_file(call, value)? }),
            _ => {}
        }
    }
    if sources.is_empty() {
        if parsed.operands.is_empty() {
            return Err(Error::usage("no script specified"));
        }
        let script = parsed.operands.remove(0);
        sources.push(Source { place: Place::Expression(1), text: script.into_bytes() });
    }
    Ok(sources)
}

fn script_file(call: &mut Call<'_>, name: &str) -> Result<Vec<u8>> {
    let failed = |cause: FsError| Error::Failed(format!("couldn't open file {name}: {cause}"), Status(4));
    let mut input = if name == "-" { call.stdin.clone() } else { call.open(name).map_err(failed)? };
    let mut text = Vec::new();
    if let Err(error) = input.read_to_end(&mut text) {
        return Err(failed(FsError::within(Error::Io(error))?));
    }
    call.memory.take(text.len())?;
    Ok(text)
}

/// The number a text begins with, as C's `atoi` reads it.
fn leading_number(text: &str) -> usize {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    text[..digits].parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin, run};
    use expect_test::expect;

    const LINES: &str = "one\ntwo\nthree\nfour\nfive\n";

    /// The lines of the answer to a script over one to five, joined by spaces.
    fn lines(arguments: &str) -> String {
        let (stdout, stderr, _) = run(&[("f", LINES)], &format!("sed {arguments} f"), b"");
        String::from_utf8([stdout, stderr].concat()).unwrap().trim_end().replace('\n', " ")
    }

    #[test]
    fn ranges_look_for_their_end_from_the_next_line_on() {
        assert_eq!(lines("-n '2,4p'"), "two three four");
        assert_eq!(lines("-n '4,2p'"), "four");
        assert_eq!(lines("-n '/o/,/o/p'"), "one two four five");
        assert_eq!(lines("-n '0,/o/p'"), "one");
        assert_eq!(lines("-n '1,/o/p'"), "one two");
        assert_eq!(lines("-n '/t/,+1p'"), "two three");
        assert_eq!(lines("-n '2,~4p'"), "two three four");
        assert_eq!(lines("-n '2,2~2p'"), "two");
        assert_eq!(lines("-n '1,2~2p'"), "one two");
        assert_eq!(lines("-n '1~2p'"), "one three five");
        assert_eq!(lines("-n '2,3!p'"), "one four five");
        assert_eq!(lines("-n '$p'"), "five");
    }

    #[test]
    fn a_range_that_n_has_jumped_past_is_over() {
        assert_eq!(lines("-n '2,3{n;n;p}'"), "four");
        assert_eq!(lines("-n '2{n;n;n};2,4p'"), "");
        assert_eq!(lines("-n '2{n;n};1,3p'"), "one");
        assert_eq!(lines("-n '2{n;n};1,+2p'"), "one four");
    }

    #[test]
    fn a_range_whose_first_line_was_jumped_past_begins_late() {
        assert_eq!(lines("-n '1n;1,3p'"), "two three");
        assert_eq!(lines("-n '1n;1,+1p'"), "two three");
        assert_eq!(lines("-n '1{n;n};2,$p'"), "three four five");
    }

    #[test]
    fn spaces_are_held_and_exchanged() {
        assert_eq!(lines("-n '1!G;h;$p'"), "five four three two one");
        assert_eq!(lines(r"':a;N;$!ba;s/\n/,/g'"), "one,two,three,four,five");
        assert_eq!(lines("'$!N;P;D'"), "one two three four five");
        assert_eq!(lines("'x;1d;$G'"), "one two three four five");
    }

    #[test]
    fn substitutions_count_repeat_and_change_case() {
        assert_eq!(lines("-n 's/[aeiou]/<&>/2p'"), "on<e> thre<e> fo<u>r fiv<e>");
        assert_eq!(lines("-n '1s/x*/-/gp'"), "-o-n-e-");
        assert_eq!(lines(r"-n '3s/\(t\)\(.*\)/\2\U\1\E!\u\2/p'"), "hreeT!Hree");
        assert_eq!(lines(r"-nE '2s/(t)(w)|x/[\2\1]/p'"), "[wt]o");
        assert_eq!(lines("-n '/four/s//4/p'"), "4");
        assert_eq!(lines("'s/o/0/;t;d'"), "0ne tw0 f0ur");
    }

    #[test]
    fn text_comes_where_it_belongs() {
        assert_eq!(lines(r"-e '2a c\' -e 'd'"), "one two c d three four five");
        assert_eq!(lines(r"-e '1i\  a b' -e '$!d'"), "  a b five");
        assert_eq!(lines(r"'2,4c\changed'"), "one changed five");
        assert_eq!(lines("-n '2{=;F;l 3}'"), "2 f tw\\ o$");
    }

    #[test]
    fn a_missing_newline_stays_missing_until_more_follows() {
        let stdout = |line| String::from_utf8(run(&[("a", "x"), ("b", "y\n")], line, b"").0).unwrap();
        assert_eq!(stdout("sed p a"), "x\nx");
        assert_eq!(stdout("sed -s = a b"), "1\nx\n1\ny\n");
        assert_eq!(stdout("sed 'a z' a"), "x\nz\n");
        assert_eq!(stdout("sed 'r a' b"), "y\nx");
        assert_eq!(stdout("sed G a"), "x\n\n");
        assert_eq!(stdout("sed 'h;G' a"), "x\nx");
        assert_eq!(stdout("sed 'H;x' a"), "\nx");
    }

    #[test]
    fn inserted_text_ends_as_lines_do() {
        let stdout = |line| String::from_utf8(run(&[("a", "x")], line, b"").0).unwrap();
        assert_eq!(stdout("sed -z 'i foo' a"), "foo\0x");
        assert_eq!(stdout("sed -z 'c foo' a"), "foo\0");
        assert_eq!(stdout("sed -z 'a foo' a"), "x\0foo\n");
    }

    #[test]
    fn a_folder_looked_into_is_empty_and_one_read_from_a_mistake() {
        let answer = |line| {
            let (stdout, _, status) = run(&[("a", "x\n"), ("d/b", "y\n")], line, b"");
            (String::from_utf8(stdout).unwrap(), status)
        };
        assert_eq!(answer("sed p a d"), ("x\nx\n".to_string(), crate::Status(4)));
        assert_eq!(answer("sed '$p' a d"), ("x\nx\n".to_string(), crate::Status(0)));
        assert_eq!(answer("sed -s '$p' a d"), ("x\nx\n".to_string(), crate::Status(4)));
        assert_eq!(answer("sed '$!d' a d a"), ("x\n".to_string(), crate::Status(0)));
    }

    #[test]
    fn quitting_has_a_status_and_takes_no_more_input() {
        check_with_stdin(
            &[],
            "sed '2{s/$/!/;q5}'",
            LINES,
            expect![[r#"
                one
                two!
                [status 5]
            "#]],
        );
    }

    #[test]
    fn mistakes_are_named_in_gnus_words() {
        let said = |script: &str| lines(&format!("'{script}'"));
        assert_eq!(said("s/a/b"), "sed: -e expression #1, char 5: unterminated `s' command");
        assert_eq!(said("p;k"), "sed: -e expression #1, char 3: unknown command: `k'");
        assert_eq!(said("{p"), "sed: -e expression #1, char 0: unmatched `{'");
        assert_eq!(said("s/a/\\1/"), "sed: -e expression #1, char 7: invalid reference \\1 on `s' command's RHS");
        assert_eq!(said("0p"), "sed: -e expression #1, char 2: invalid usage of line address 0");
        assert_eq!(said("/[/p"), "sed: -e expression #1, char 4: unterminated address regex");
        assert_eq!(said("b x"), "sed: can't find label for jump to `x'");
        assert_eq!(said("e ls"), "sed: -e expression #1, char 1: e/r/w commands disabled in sandbox mode");
    }

    #[test]
    fn nothing_is_written() {
        check(
            &[("d/f", LINES)],
            "sed -i s/o/0/ d/f",
            expect![[r#"
                [stderr]
                sed: couldn't open temporary file d/sedXXXXXX: Read-only file system
                [status 4]
            "#]],
        );
        check(
            &[("d/f", LINES)],
            "sed 'w d/new' d/f",
            expect![[r#"
                [stderr]
                sed: couldn't open file d/new: Read-only file system
                [status 4]
            "#]],
        );
        check(
            &[("f", "a\n")],
            "sed -n 'w /dev/stdout' f",
            expect![[r#"
                a
            "#]],
        );
    }

    #[test]
    fn a_missing_file_does_not_stop_the_rest() {
        check(
            &[("f", "a\n")],
            "sed -n '$=' nosuch f",
            expect![[r#"
                1
                [stderr]
                sed: can't read nosuch: No such file or directory
                [status 2]
            "#]],
        );
    }
}
