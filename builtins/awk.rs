//! `awk`: the language of gawk 5.2. Commands that a program runs are docsh's own, files are read-only, and the
//! environment is the guest's.
mod array;
mod ast;
mod command;
mod evaluate;
mod execute;
mod expression;
mod files;
mod float;
mod format;
mod functions;
mod input;
mod interpreter;
mod lexer;
mod number;
mod operand;
mod output;
mod parser;
mod place;
mod random;
mod reader;
mod record;
mod regex;
mod sort;
mod special;
mod statement;
mod strings;
mod value;

use crate::{
    Builtin, Call, Error, FsError, Opt, Result, Status,
    args::{self, Order, Parsed},
};
use ast::Special;
use interpreter::Interpreter;
use parser::Source;
use std::io::{Read, Write};
use value::Value;

/// Stack that must be left before a program's nesting goes deeper, and what is added when it is not.
const RED_ZONE: usize = 128 * 1024;
const GROWTH: usize = 2 * 1024 * 1024;
/// Programs longer than this are not read.
const LONGEST: usize = 256 * 1024;

const OPTIONS: &[Opt] = &[
    Opt::value('F', &["field-separator"], "field-separator", "FS", "set the field separator FS"),
    Opt::value('v', &["assign"], "assign", "VAR=VAL", "set a variable before the program runs"),
    Opt::value('f', &["file"], "file", "PROGFILE", "read the program from PROGFILE"),
    Opt::value('e', &["source"], "source", "PROGRAM", "use PROGRAM as a part of the program"),
    Opt::value('E', &["exec"], "exec", "FILE", "like -f, and the last option"),
    Opt::flag('b', &["characters-as-bytes"], "bytes", ""),
    Opt::flag('c', &["traditional"], "traditional", ""),
    Opt::flag('n', &["non-decimal-data"], "non-decimal-data", ""),
    Opt::flag('N', &["use-lc-numeric"], "ignored", ""),
    Opt::flag('O', &["optimize"], "ignored", ""),
    Opt::flag('P', &["posix"], "posix", "be strict (accepted, without effect)"),
    Opt::flag('r', &["re-interval"], "ignored", ""),
    Opt::flag('s', &["no-optimize"], "ignored", ""),
    Opt::flag('S', &["sandbox"], "ignored", ""),
    Opt::flag('t', &["lint-old"], "ignored", ""),
    Opt::flag('L', &["lint"], "ignored", "").optional("VALUE"),
    Opt::flag('V', &["version"], "version", "output version information and exit"),
    Opt::flag('h', &["help"], "help", "display this help and exit"),
];

const fn row(name: &'static str) -> Builtin {
    Builtin {
        name,
        synopsis: "[OPTION]... [-f PROGFILE | 'PROGRAM'] [FILE]...",
        about: "Scan for patterns and process what matches.",
        options: OPTIONS,
        trouble: Status(2),
        run,
    }
}

pub(crate) static AWK: Builtin = row("awk");
pub(crate) static GAWK: Builtin = row("gawk");
pub(crate) static MAWK: Builtin = row("mawk");

fn run(call: &mut Call<'_>) -> Result<Status> {
    let mut parsed = args::parse(call, Order::BeforeOperands)?;
    for (key, _) in &parsed.options {
        match *key {
            "help" => return Err(Error::Help),
            "version" => {
                let version = env!("CARGO_PKG_VERSION");
                writeln!(call.stdout, "GNU Awk 5.2.1 (docsh {version})")?;
                return Ok(Status::OK);
            }
            "bytes" | "traditional" | "non-decimal-data" => {
                return Err(Error::usage(format!("option '--{key}' is not supported")));
            }
            _ => {}
        }
    }
    let mut sources = Vec::new();
    for (key, value) in &parsed.options {
        let value = value.as_deref().unwrap_or_default();
        match *key {
            "source" => sources.push(Source { name: "cmd. line".to_string(), text: value.as_bytes().to_vec() }),
            "file" | "exec" => sources.push(Source { name: value.to_string(), text: program_file(call, value)? }),
            _ => {}
        }
    }
    if sources.is_empty() {
        if parsed.operands.is_empty() {
            return Err(Error::usage("no program text"));
        }
        let text = parsed.operands.remove(0).into_bytes();
        sources.push(Source { name: "cmd. line".to_string(), text });
    }
    let length: usize = sources.iter().map(|source| source.text.len()).sum();
    if length > LONGEST {
        return Err(Error::Failed("fatal: program is too long".to_string(), Status(2)));
    }
    // A sum of many terms is as deep as it is long.
    let deepest = RED_ZONE + length * 2048;
    stacker::maybe_grow(deepest, deepest + GROWTH, || run_program(call, &parsed, &sources))
}

fn run_program(call: &mut Call<'_>, parsed: &Parsed, sources: &[Source]) -> Result<Status> {
    let read = parser::parse(call.name(), sources, call.limits.regex)?;
    for warning in &read.warnings {
        call.warn(warning)?;
    }
    let name = call.name();
    let source = sources.first().map_or(String::new(), |source| source.name.clone());
    let mut interpreter = Interpreter::new(call, &read.program, source);
    interpreter.set_environment();
    interpreter.set_operands(name, &parsed.operands);
    for (key, value) in &parsed.options {
        let value = value.as_deref().unwrap_or_default();
        match *key {
            "field-separator" => {
                let fs = lexer::unescape(value.as_bytes(), |_| ());
                interpreter.set_special(Special::Fs, Value::text(fs))?;
            }
            "assign" if !interpreter.assign_operand(value.as_bytes())? => {
                let name = value.split('=').next().unwrap_or_default();
                let message = format!("fatal: `{name}' is not a legal variable name");
                return Err(Error::Failed(message, Status(2)));
            }
            _ => {}
        }
    }
    interpreter.run()
}

fn program_file(call: &mut Call<'_>, name: &str) -> Result<Vec<u8>> {
    let failed = |cause: FsError| {
        Error::Failed(format!("fatal: cannot open source file `{name}' for reading: {cause}"), Status(2))
    };
    let mut input = match name {
        "-" | "/dev/stdin" => call.stdin.clone(),
        name => call.open(name).map_err(failed)?,
    };
    let mut text = Vec::new();
    if let Err(error) = input.read_to_end(&mut text) {
        return Err(failed(FsError::within(Error::Io(error))?));
    }
    call.memory.take(text.len())?;
    Ok(text)
}

impl Interpreter<'_, '_, '_> {
    /// `ENVIRON` holds what the guest has exported, `PROCINFO` what a program may want to know of its interpreter.
    fn set_environment(&mut self) {
        let exported: Vec<(String, String)> = self
            .call
            .session
            .vars
            .environment()
            .into_iter()
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .collect();
        for (name, value) in exported {
            self.set_global_element(0, name.as_bytes(), Value::input(value));
        }
        for (name, value) in
            [("version", "5.2.1"), ("FS", "FS"), ("platform", "posix"), ("strftime", "%a %b %e %H:%M:%S %Z %Y")]
        {
            self.set_global_element(1, name.as_bytes(), Value::text(value));
        }
        for (name, value) in [("pid", 1.0), ("ppid", 0.0), ("uid", 0.0), ("gid", 0.0), ("euid", 0.0), ("egid", 0.0)] {
            self.set_global_element(1, name.as_bytes(), Value::Number(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin, run};
    use expect_test::expect;

    const TREE: &[(&str, &str)] = &[("f", "one 1\ntwo 22\nthree 3\n"), ("g", "a:b\nc:d\n")];

    /// What a program answers over the tree, its messages behind its output, lines joined by `|`.
    fn answer(arguments: &str) -> String {
        let (stdout, stderr, _) = run(TREE, &format!("awk {arguments}"), b"");
        String::from_utf8([stdout, stderr].concat()).unwrap().trim_end_matches('\n').replace('\n', "|")
    }

    #[test]
    fn rules_select_records() {
        assert_eq!(answer("'NR==2' f"), "two 22");
        assert_eq!(answer("'/two/,/three/{print NR}' f"), "2|3");
        assert_eq!(answer("'/o/,/e/{print NR}' f"), "1|2|3");
        assert_eq!(answer("'$2 > 2' f"), "two 22|three 3");
        assert_eq!(answer("'$2 > \"2\"' f"), "two 22|three 3");
        assert_eq!(answer("'END{print NR, $0}' f g"), "5 c:d");
        assert_eq!(answer("'FNR==1{print FILENAME} FNR==2{nextfile}' f g"), "f|g");
    }

    #[test]
    fn fields_are_split_and_rebuilt() {
        assert_eq!(answer("'{$3=\"x\"} 1' f"), "one 1 x|two 22 x|three 3 x");
        assert_eq!(answer("-v OFS=- '{$1=$1; NF=1; print; print NF}' g"), "a:b|1|c:d|1");
        assert_eq!(answer("-F: '{print $2 $1, NF}' g"), "ba 2|dc 2");
        assert_eq!(answer("'{print $1; FS=\":\"}' g"), "a:b|c");
        assert_eq!(answer("'{print $NF, $(NF-1)}' f"), "1 one|22 two|3 three");
        assert_eq!(answer("'BEGIN{FPAT=\"[a-z]\"} {print NF}' f g"), "3|3|5|2|2");
        assert_eq!(answer("'BEGIN{FIELDWIDTHS=\"1 2 *\"} {print $3}' f"), " 1| 22|ee 3");
    }

    #[test]
    fn records_are_ended_as_asked() {
        assert_eq!(answer("'BEGIN{RS=\":\"} {print NR \"=\" $0}' g"), "1=a|2=b|c|3=d");
        assert_eq!(answer("'BEGIN{RS=\"[0-9]+\"} {print RT}' f"), "1|22|3");
        let stdin = "\n\na b\nc\n\n\n\nd\n";
        check_with_stdin(
            &[],
            "awk -v RS= '{print NR, NF, $1 $3}'",
            stdin,
            expect![[r#"
                1 3 ac
                2 1 d
            "#]],
        );
    }

    #[test]
    fn numbers_and_strings_compare_by_what_they_look_like() {
        assert_eq!(answer("'BEGIN{print (\"10\" < \"9\"), (10 < 9), (2 < 10), (x < 1), (x == \"\")}'"), "1 0 1 1 1");
        assert_eq!(
            answer("'BEGIN{print 5 \" \" -1; print 1e6, 1e17, 0.1+0.2, 2^53}'"),
            "5-1|1000000 100000000000000000 0.3 9007199254740992"
        );
        assert_eq!(answer("'BEGIN{print -2^2, 2^3^2, 7%3, -7%3, !x+1}'"), "-4 512 1 -1 2");
        assert_eq!(
            answer("'BEGIN{print substr(\"hello\",0,3), substr(\"hello\",2), index(\"日本\",\"本\"), length(\"é\")}'"),
            "hel ello 2 1"
        );
    }

    #[test]
    fn functions_share_arrays_and_copy_the_rest() {
        assert_eq!(answer("'function f(a, b) {a[1]=2; b=3} BEGIN{f(x, y); print x[1] y \"|\"}'"), "2|");
        assert_eq!(answer("'function f(n) {return n<2?1:n*f(n-1)} BEGIN{print f(10)}'"), "3628800");
        assert_eq!(answer("'function f() {exit 3} {f(); print} END{print \"e\"}' f"), "e");
        assert_eq!(
            answer("'function f(n) {return f(n+1)} BEGIN{f(0)}'"),
            "awk: function call depth limit of 1000 reached"
        );
    }

    #[test]
    fn texts_are_searched_and_replaced() {
        assert_eq!(answer("'BEGIN{s=\"hello\"; print gsub(/l/,\"[&]\",s), s}'"), "2 he[l][l]o");
        assert_eq!(answer("'BEGIN{s=\"baaac\"; gsub(/a*/,\"x\",s); print s}'"), "xbxcx");
        assert_eq!(answer(r#"'BEGIN{s="a&b"; sub(/&/,"\\&\\&",s); print s}'"#), "a&&b");
        assert_eq!(answer(r#"'BEGIN{print gensub(/(a)(b)/,"\\2\\1","g","abab")}'"#), "baba");
        assert_eq!(answer("'BEGIN{print match(\"xabc\",/a(b)c/,m), m[1], m[1,\"start\"], RLENGTH}'"), "2 b 3 3");
        assert_eq!(answer("'BEGIN{n=split(\"a1b22c\",p,/[0-9]+/,s); print n, p[3], s[2]}'"), "3 c 22");
    }

    #[test]
    fn elements_come_in_the_order_asked_for() {
        assert_eq!(answer("'{a[$1]=$2} END{for (k in a) print k, a[k]}' f"), "three 3|two 22|one 1");
        assert_eq!(
            answer("'{a[$1]=$2} END{PROCINFO[\"sorted_in\"]=\"@val_num_desc\"; for (k in a) print k}' f"),
            "two|three|one"
        );
        assert_eq!(answer("'{a[NR]=$1} END{n=asort(a); for (i=1;i<=n;i++) print a[i]}' f"), "one|three|two");
    }

    #[test]
    fn lines_are_got_from_wherever() {
        assert_eq!(answer("'{getline x < \"g\"; print $1, x}' f"), "one a:b|two c:d|three c:d");
        assert_eq!(answer("'NR==1{getline; print} ' f"), "two 22");
        assert_eq!(answer("'BEGIN{print (getline x < \"nosuch\"), ERRNO}'"), "-1 No such file or directory");
        assert_eq!(answer("'{print $v}' v=1 f v=2 f"), "one|two|three|1|22|3");
    }

    #[test]
    fn nothing_is_written() {
        check(
            TREE,
            "awk '{print > \"/dev/stdout\"; print > \"out\"}' f",
            expect![[r#"
                one 1
                [stderr]
                awk: cmd. line:1: (FILENAME=f FNR=1) fatal: cannot redirect to `out': Read-only file system
                [status 2]
            "#]],
        );
    }

    #[test]
    fn mistakes_are_named_in_gawks_words() {
        check(
            TREE,
            "awk '{print $1' f",
            expect![[r#"
                [stderr]
                awk: cmd. line:1: {print $1
                awk: cmd. line:1:          ^ unexpected newline or end of string
                [status 1]
            "#]],
        );
        check(
            TREE,
            "awk '{print}' nosuch f",
            expect![[r#"
                [stderr]
                awk: fatal: cannot open file `nosuch' for reading: No such file or directory
                [status 2]
            "#]],
        );
        assert_eq!(
            answer("'BEGIN{printf \"%s\"}'"),
            "awk: cmd. line:1: fatal: not enough arguments to satisfy format string|\t`%s'|\t ^ ran out for this one"
        );
        check(
            &[],
            "awk 'BEGIN{next}'",
            expect![[r#"
                [stderr]
                awk: cmd. line:1: error: `next' used in BEGIN action
                [status 1]
            "#]],
        );
        assert_eq!(
            answer("'BEGIN{a[1]; print a+1}'"),
            "awk: cmd. line:1: fatal: attempt to use array `a' in a scalar context"
        );
    }

    #[test]
    fn fields_are_split_as_last_asked_for() {
        let run = |words: &str| String::from_utf8(crate::testing::run(&[], words, b"ab cd\n").0).unwrap();
        assert_eq!(run("awk -v FIELDWIDTHS='2 3' -v IGNORECASE=1 '{print $2 \"|\"}'"), " cd|\n");
        assert_eq!(run("awk -v FPAT='[a-c]' -v RS=d '{print $3}'"), "c\n\n");
        assert_eq!(run("awk 'BEGIN{$2=\"z\"; print length($0), split($0, p, \"\")}'"), "2 2\n");
        assert_eq!(run("awk '{print FILENAME, RLENGTH}'"), "- 0\n");
    }

    #[test]
    fn long_texts_that_are_made_and_dropped_do_not_add_up() {
        let program = r#"BEGIN { x = sprintf("%99000d", 0); for (i = 0; i < 3000; i++) { y = x; n += sub(/^ /, x, y) } print n }"#;
        check(&[], &format!("awk '{program}'"), expect!["3000\n"]);
    }
}
