//! `jq`: the language and the command line of jq 1.7. The syntax is jaq's; everything a filter can reach is here: files
//! of the site, the guest's variables, and nothing of the host.
mod access;
mod assign;
mod compile;
mod construct;
mod draft;
mod environment;
mod evaluate;
mod events;
mod filter;
mod fold;
mod format;
mod functions;
mod input;
mod math;
mod meter;
mod natives;
mod number;
mod options;
mod outputs;
mod path;
mod read;
mod regex;
mod time;
mod value;
mod write;

use crate::{Builtin, Call, Error, Opt, Output, Result, Status};
use draft::Sink;
use evaluate::{Interpreter, Item, Stop};
use options::Options;
use std::io::Write;
use value::Value;
use write::Style;

pub(crate) static JQ: Builtin = Builtin {
    name: "jq",
    synopsis: "[OPTIONS] FILTER [FILE]...",
    about: "Process JSON.",
    options: &[
        Opt::flag('n', &["null-input"], "null-input", "use `null` as the single input value"),
        Opt::flag('R', &["raw-input"], "raw-input", "read each line as string instead of JSON"),
        Opt::flag('s', &["slurp"], "slurp", "read all inputs into an array and use it as the single input value"),
        Opt::flag('c', &["compact-output"], "compact-output", "compact instead of pretty-printed output"),
        Opt::flag('r', &["raw-output"], "raw-output", "output strings without escapes and quotes"),
        Opt::flag('j', &["join-output"], "join-output", "implies -r and outputs without newline after each output"),
        Opt::flag('a', &["ascii-output"], "ascii-output", "output strings by only ASCII characters"),
        Opt::flag('S', &["sort-keys"], "sort-keys", "sort keys of each object on output"),
        Opt::flag('C', &["color-output"], "color-output", "colorize JSON output"),
        Opt::flag('M', &["monochrome-output"], "monochrome-output", "disable colored output"),
        Opt::flag(' ', &["tab"], "tab", "use tabs for indentation").long_only(),
        Opt::value(' ', &["indent"], "indent", "n", "use n spaces for indentation (max 7 spaces)").long_only(),
        Opt::flag(' ', &["unbuffered"], "unbuffered", "flush output stream after each output").long_only(),
        Opt::flag(' ', &["stream"], "stream", "parse the input value in streaming fashion").long_only(),
        Opt::flag(' ', &["seq"], "seq", "parse input/output as application/json-seq").long_only(),
        Opt::value('f', &["from-file"], "from-file", "file", "load filter from the file"),
        Opt::flag('e', &["exit-status"], "exit-status", "set exit status code based on the output"),
        Opt::value(' ', &["arg"], "arg", "name value", "set $name to the string value").long_only(),
        Opt::value(' ', &["argjson"], "argjson", "name value", "set $name to the JSON value").long_only(),
        Opt::value(' ', &["slurpfile"], "slurpfile", "name file", "set $name to an array of JSON values").long_only(),
        Opt::value(' ', &["rawfile"], "rawfile", "name file", "set $name to string contents of file").long_only(),
        Opt::flag(' ', &["args"], "args", "consume remaining arguments as positional string values").long_only(),
        Opt::flag(' ', &["jsonargs"], "jsonargs", "consume remaining arguments as positional JSON values").long_only(),
    ],
    trouble: Status(2),
    run,
};

/// Programs longer than this are not read.
const LONGEST: usize = 256 * 1024;

fn run(call: &mut Call<'_>) -> Result<Status> {
    let options = options::parse(call)?;
    let text = options.program.clone().unwrap_or_else(|| ".".to_string());
    if text.len() > LONGEST {
        return Err(Error::Failed("error: program is too long".to_string(), Status(2)));
    }
    // Reading a program takes stack by how deep it is nested, which is no more than its length.
    stacker::grow(meter::GROWTH + text.len() * 2048, || run_program(call, &options, &text))
}

fn run_program(call: &mut Call<'_>, options: &Options, text: &str) -> Result<Status> {
    let _watch = meter::Watch::new(call);
    let variables = variables(call, options);
    let names: Vec<String> = variables.iter().map(|(name, _)| name.clone()).collect();
    let program = match compile::compile(text, &names) {
        Ok(program) => program,
        Err(compile::Mistakes(mistakes)) => {
            for mistake in &mistakes {
                call.warn_apart(format_args!("error: {mistake}"));
            }
            let errors = if mistakes.len() == 1 { "error" } else { "errors" };
            call.warn_apart(format_args!("{} compile {errors}", mistakes.len()));
            return Err(Error::Quiet(Status(3)));
        }
    };
    let env = variables.into_iter().fold(None, |env, (_, value)| environment::bind(&env, value));
    let inputs = input::Inputs::new(options.files.clone(), options.mode);
    let mut interpreter = Interpreter::new(call, &program, inputs);
    let mut printer = Printer::new(interpreter.call, options);
    let mut status = Status::OK;
    let mut null = options.null;
    loop {
        let input = match std::mem::take(&mut null) {
            true => Some(Value::Null),
            false if options.null => None,
            false => match interpreter.next_input() {
                Ok(input) => input,
                Err(stop) => return finish(&mut interpreter, stop),
            },
        };
        let Some(input) = input else { break };
        let result = interpreter.eval(&program.main, &env, Item::plain(input), &mut |interpreter, item| {
            printer.print(interpreter.call, &item.value)
        });
        match result {
            Ok(()) => {}
            Err(Stop::Error(error)) => {
                let (place, message) = (interpreter.inputs.place(), evaluate::message(&error));
                let (space, message) = match message.strip_prefix("(not a string)") {
                    Some(rest) => (" (not a string)", rest.trim_start_matches(": ").to_string()),
                    None => ("", message),
                };
                interpreter.call.warn_apart(format_args!("error (at {place}){space}: {message}"));
                status = Status(5);
            }
            Err(Stop::Break(_)) => {
                let place = interpreter.inputs.place();
                interpreter.call.warn_apart(format_args!("error (at {place}): break"));
                status = Status(5);
            }
            Err(stop) => return finish(&mut interpreter, stop),
        }
    }
    if interpreter.inputs.failed {
        status = Status(2);
    }
    Ok(match (options.exit_status && status.is_ok(), printer.last) {
        (true, None) => Status(4),
        (true, Some(false)) => Status(1),
        _ => status,
    })
}

/// The end of a run before its inputs are through.
fn finish(interpreter: &mut Interpreter<'_, '_, '_>, stop: Stop) -> Result<Status> {
    match stop {
        Stop::Halt(status, value) => {
            let text = match &value {
                None => String::new(),
                Some(Value::Text(text)) => text.text.clone(),
                Some(other) => write::compact(other).unwrap_or_else(|_| write::excerpt(other)) + "\n",
            };
            interpreter.call.stdout.flush()?;
            interpreter.call.stderr.write_all(text.as_bytes())?;
            Ok(Status(status))
        }
        Stop::Error(error) => Err(Error::Failed(format!("error: {}", evaluate::message(&error)), Status(5))),
        Stop::Break(_) => Err(Error::Failed("error: break".to_string(), Status(5))),
        Stop::Fatal(error) => Err(error),
    }
}

/// `$ENV`, `$__prog_args` and what the command line names.
fn variables(call: &Call<'_>, options: &Options) -> Vec<(String, Value)> {
    let exported = call.session.vars.environment();
    let env = Value::object(exported.into_iter().map(|(name, value)| (name.into(), Value::text(value))));
    let named = Value::object(options.named.iter().map(|(name, value)| (name.as_str().into(), value.clone())));
    let positional = Value::array(options.positional.clone());
    let arguments = Value::object([("positional".into(), positional), ("named".into(), named)]);
    let mut variables = vec![("ENV".to_string(), env), ("ARGS".to_string(), arguments)];
    variables.extend(options.named.iter().cloned());
    variables
}

/// Prints outputs.
struct Printer {
    style: Style,
    raw: bool,
    after: &'static str,
    before: &'static str,
    unbuffered: bool,
    /// Whether the last output was neither false nor null.
    last: Option<bool>,
}

impl Printer {
    fn new(call: &Call<'_>, options: &Options) -> Printer {
        let terminal = call.stdout.terminal().is_some_and(|terminal| terminal.colour);
        let style = Style {
            indent: options.indent.clone(),
            sort: options.sort,
            ascii: options.ascii,
            colour: options.colour.unwrap_or(terminal),
        };
        Printer {
            style,
            raw: options.raw_output,
            after: match (options.zero, options.join) {
                (true, _) => "\0",
                (_, true) => "",
                _ => "\n",
            },
            before: if options.sequence { "\x1e" } else { "" },
            unbuffered: options.unbuffered,
            last: None,
        }
    }

    fn print(&mut self, call: &mut Call<'_>, value: &Value) -> evaluate::Result {
        self.last = Some(value.is_true());
        let out = &mut call.stdout;
        out.put(self.before)?;
        match value {
            Value::Text(text) if self.raw && !self.style.ascii => out.put(&text.text)?,
            Value::Text(text) if self.raw => write::quoted(&text.text, true, out)?,
            value => write::write(value, &self.style, out)?,
        }
        out.put(self.after)?;
        if self.unbuffered {
            call.stdout.flush()?;
        }
        Ok(())
    }
}

/// What is printed is written piece by piece, however long it is.
impl Sink for Output {
    fn put(&mut self, piece: &str) -> evaluate::Result {
        meter::step()?;
        Ok(self.write_all(piece.as_bytes())?)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin, run};
    use expect_test::expect;

    /// What a filter answers, compactly, without input; outputs and messages joined by blanks.
    fn answer(filter: &str) -> String {
        let (stdout, stderr, _) = run(&[], &format!("jq -nc '{filter}'"), b"");
        String::from_utf8([stdout, stderr].concat()).unwrap().trim_end().replace('\n', " ")
    }

    #[test]
    fn values_are_printed_as_they_were_written() {
        check_with_stdin(
            &[],
            "jq .",
            r#"{"b":1.000,"a":[1.5e10,12345678901234567890],"c":{},"d":[],"e":"\u00e9\u001f"}"#,
            expect![[r#"
                {
                  "b": 1.000,
                  "a": [
                    1.5E+10,
                    12345678901234567890
                  ],
                  "c": {},
                  "d": [],
                  "e": "é\u001f"
                }
            "#]],
        );
        assert_eq!(
            answer("1.0 + 0, 1e3, 10 / 3, 1e17 + 0, 12345678901234567890 + 0"),
            "1 1E+3 3.3333333333333335 1e+17 12345678901234567000"
        );
    }

    #[test]
    fn streams_come_in_jqs_order() {
        assert_eq!(answer("[(1,2) + (10,20)]"), "[11,12,21,22]");
        assert_eq!(answer(r#""\(1,2)-\("a","b")""#), r#""1-a" "2-a" "1-b" "2-b""#);
        assert_eq!(answer("[range(0,1;3,4)]"), "[0,1,2,0,1,2,3,1,2,1,2,3]");
        assert_eq!(answer(r#"{("a","b"): (1,2)}"#), r#"{"a":1} {"a":2} {"b":1} {"b":2}"#);
        assert_eq!(answer("[limit(3; repeat(1))], first(range(5; 9)), [label $f | 1, break $f, 2]"), "[1,1,1] 5 [1]");
        assert_eq!(answer("[foreach range(4) as $i (0; . + $i; [$i, .])]"), "[[0,0],[1,1],[2,3],[3,6]]");
    }

    #[test]
    fn paths_lead_to_what_is_changed() {
        assert_eq!(answer("null | .a.b[1] = 2"), r#"{"a":{"b":[null,2]}}"#);
        assert_eq!(answer("[1,2,3,4] | .[] |= empty"), "[]");
        assert_eq!(answer("[1,2,3] | del(.[0,2])"), "[2]");
        assert_eq!(answer("{a: [1,2]} | [paths]"), r#"[["a"],["a",0],["a",1]]"#);
        assert_eq!(answer("{a: [1,2]} | .a[] += 1"), r#"{"a":[2,3]}"#);
        assert_eq!(answer("[[1,2],[3]] | .[0][1:] = [9,9]"), "[[1,9,9],[3]]");
        assert_eq!(answer("try path(1) catch ."), r#""Invalid path expression with result 1""#);
    }

    #[test]
    fn names_mean_what_is_nearest() {
        assert_eq!(answer("def f(g; $x): g + $x; 3 | f(. * 2; 1, 10)"), "7 16");
        assert_eq!(answer("def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; 10 | fac"), "3628800");
        assert_eq!(answer("1 as $x | 2 as $y | [$x, $y, (3 as $x | $x)]"), "[1,2,3]");
        assert_eq!(answer("[[1, {a: 2}]] | .[] as [$x, {a: $y}] | $x + $y"), "3");
    }

    #[test]
    fn texts_are_matched_and_formatted() {
        assert_eq!(
            answer(r#""foo bar" | [match("(?<x>o)(z)?"; "g") | .offset], gsub("(?<v>[aeiou])"; "<\(.v)>")"#),
            r#"[1,2] "f<o><o> b<a>r""#
        );
        assert_eq!(
            answer(r#""a1b22" | [scan("[0-9]+")], [splits("[0-9]+")], test("B"; "i")"#),
            r#"["1","22"] ["a","b",""] true"#
        );
        assert_eq!(
            answer(r#"[1, "a \"b", null] | @csv, @tsv, @sh, @json"#),
            r#""1,\"a \"\"b\"," "1\ta \"b\t" "1 'a \"b' null" "[1,\"a \\\"b\",null]""#
        );
        assert_eq!(answer(r#""ü/&" | @uri, @base64, (@base64 | @base64d)"#), r#""%C3%BC%2F%26" "w7wvJg==" "ü/&""#);
        assert_eq!(
            answer(r#"1425599507 | todate, gmtime, (todate | fromdate)"#),
            r#""2015-03-05T23:51:47Z" [2015,2,5,23,51,47,4,63] 1425599507"#
        );
    }

    #[test]
    fn nothing_of_the_host_is_seen() {
        assert_eq!(answer("$ENV.CARGO_PKG_NAME, env.CARGO_PKG_NAME"), "null null");
    }

    #[test]
    fn errors_are_jqs_and_do_not_stop_the_next_input() {
        check_with_stdin(
            &[],
            "jq -c .a",
            "\"x\"\n{\"a\":1}\n[1\n",
            expect![[r#"
                1
                [stderr]
                jq: error (at <stdin>:1): Cannot index string with string "a"
                jq: parse error: Unfinished JSON term at EOF at line 4, column 0
                [status 5]
            "#]],
        );
        check(
            &[("f", "{}")],
            "jq .a nosuch f",
            expect![[r#"
                null
                [stderr]
                jq: error: Could not open file nosuch: No such file or directory
                [status 2]
            "#]],
        );
        check(
            &[],
            "jq -n 'nosuch'",
            expect![[r#"
                [stderr]
                jq: error: nosuch/0 is not defined at <top-level>, line 1:
                nosuch
                jq: 1 compile error
                [status 3]
            "#]],
        );
    }

    #[test]
    fn what_never_ends_is_ended() {
        let status = |filter: &str| run(&[], &format!("jq -n '{filter}'"), b"").2.0;
        assert_eq!(status("def f: 1 + f; f"), 126);
        assert_eq!(status("[repeat(1)]"), 126);
        assert_eq!(status("reduce range(100000) as $i (1; [.]) | 1"), 0);
        // Small in memory, since the parts are shared, and without end when written.
        assert_eq!(status("reduce range(60) as $i (1; [., .]) | tojson"), 126);
        assert_eq!(status("try error(reduce range(60) as $i (1; [., .]) | .a) catch 1"), 0);
    }

    #[test]
    fn outputs_come_back_from_any_depth() {
        let rows = [
            ("(.-1|f)+1", "2000"),
            ("-(.-1|f)", "0"),
            ("(.-1|f) as $x | $x+1", "2000"),
            ("((.-1|f) // 1)", "0"),
            ("try (.-1|f) catch 1", "0"),
            ("((.-1|f) and true)", "true"),
            ("((.-1|f) == 1)", "false"),
            ("({a:(.-1|f)}|.a)", "0"),
            ("\"\\(.-1|f)\"", "0"),
            ("(. as $n | [0,1] | .[($n-1|f)])", "0"),
            ("(reduce (.-1|f) as $x (0; $x))", "0"),
            ("(foreach (.-1|f) as $x (0; $x))", "0"),
            ("limit(1; .-1|f)", "0"),
            ("pow((.-1|f); 1)", "0"),
            ("(.-1|f|tostring|tonumber)", "0"),
        ];
        for (deeper, result) in rows {
            let program = format!("def f: if .<1 then 0 else {deeper} end; 2000|f");
            let (stdout, _, status) = run(&[], &format!("jq -nr '{program}'"), b"");
            assert_eq!((String::from_utf8(stdout).unwrap().trim_end(), status.0), (result, 0), "{program}");
        }
    }

    #[test]
    fn what_is_too_deep_is_marked() {
        let (stdout, _, status) = run(&[], "jq -nc 'reduce range(258) as $i (0; [.])'", b"");
        let expected = format!("{}<skipped: too deep>{}\n", "[".repeat(257), "]".repeat(257));
        assert_eq!((String::from_utf8(stdout).unwrap(), status.0), (expected, 0));
    }

    #[test]
    fn options_cluster_and_take_words() {
        let stdout = |line: &str, stdin: &str| String::from_utf8(run(&[], line, stdin.as_bytes()).0).unwrap();
        assert_eq!(stdout("jq -rc '.[]'", r#"["a",{"b":1}]"#), "a\n{\"b\":1}\n");
        assert_eq!(stdout("jq -n --arg x 1 --argjson y '[2]' '[$x, $y, $ARGS.named.x]' -c", ""), "[\"1\",[2],\"1\"]\n");
        assert_eq!(stdout("jq -nc --args '$ARGS.positional' a b", ""), "[\"a\",\"b\"]\n");
        assert_eq!(stdout("jq -Rs 'length'", "a\nb\n"), "4\n");
        assert_eq!(stdout("jq -j '.[]'", "[1,\"x\"]"), "1x");
        assert_eq!(stdout("jq -S --tab . ", "{\"b\":1,\"a\":2}"), "{\n\t\"a\": 2,\n\t\"b\": 1\n}\n");
        assert_eq!(stdout("jq -c --tab .", "[1]"), "[\n\t1\n]\n");
        assert_eq!(stdout("jq --indent 3 -c .", "[1]"), "[1]\n");
        assert_eq!(run(&[], "jq -e .a", b"{}").2.0, 1);
    }

    #[test]
    fn what_goes_on_may_go_on_in_several_ways() {
        assert_eq!(answer("[1|while(.<4; .+1,.+2)]"), "[1,2,3,3]");
        assert_eq!(answer("[1|until(.>3; .+1,.+2)]"), "[4,5,4,4,5]");
        assert_eq!(answer("[1|recurse(if .<3 then .+1,.+2 else empty end)]"), "[1,2,3,4,3]");
    }
}
