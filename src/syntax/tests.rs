//! Trees, lines, errors, and what no text may do.
mod show;

use super::ast::*;
use super::*;
use docsh_builtins::Status;
use std::fmt::Write;

fn options() -> ParseOptions<'static> {
    ParseOptions { extglob: true, aliases: None }
}

/// The tree of `text`, or the error.
fn tree(text: &str) -> String {
    match parse(text, &options()) {
        Ok(script) => show::script(&script),
        Err(error) => format!("{}: {error}", error.line),
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(tree(text), *expected, "{text}");
    }
}

#[test]
fn words_keep_their_quoting() {
    check(&[
        (r#"echo a 'b c' "d $e" f\ g"#, r#"[echo a 'b c' "d +${e}" f+' '+g]"#),
        (r#"echo "a\"b\$c\d" '' """#, r#"[echo "a"b$c\d" '' ""]"#),
        (r#"echo $'a\tb\x41\u00e9\101\'' $"loc""#, "[echo 'a\tbAéA'' \"loc\"]"),
        (r"echo $'a\0b' $'\x{41}' $'\cA'", "[echo 'a' 'A' '\u{1}']"),
        ("ec\\\nho a\\\nb", "[echo ab]"),
        ("echo a#b #c", "[echo a#b]"),
        ("echo {a,'b'}*~", "[echo {a,+'b'+}*~]"),
        ("echo $ a$ \"$\"", "[echo $ a$ \"$\"]"),
        ("echo a\\", "[echo a+'\\']"),
    ]);
}

#[test]
fn expansions_are_parsed() {
    check(&[
        ("echo $x ${x} $1a ${10} $@ $#", "[echo ${x} ${x} ${1}+a ${10} ${@} ${#}]"),
        ("echo ${#x} ${#} ${##} ${#-} ${#-x} ${#@}", "[echo ${#x} ${#} ${##} ${#-} ${#-x} ${#@}]"),
        ("echo ${!x} ${!x*} ${!x@} ${!a[@]} ${!}", "[echo ${!x} ${names x*} ${names x@} ${keys a[@]} ${!}]"),
        ("echo ${x:-a b} ${x-} ${x:?'m'}", "[echo ${x:-a b} ${x-} ${x:?'m'}]"),
        (r#"echo "${x:-"a b"}" "${x:-'}'}""#, r#"[echo "${x:-"a b"}" "${x:-''}''}"]"#),
        ("echo ${x##*/} ${x%.md} ${x%%'a'}", "[echo ${x##*/} ${x%.md} ${x%%'a'}]"),
        ("echo ${x/a/b} ${x//\\//-} ${x/#a} ${x/%a/}", "[echo ${x/a/b} ${x//'/'/-} ${x/#a/} ${x/%a/}]"),
        ("echo ${x: -1} ${x:1:2} ${x:a?1:2:3}", "[echo ${x: -1} ${x:1:2} ${x:a?1:2:3}]"),
        ("echo ${x^} ${x,,[a]} ${x@Q}", "[echo ${x^} ${x,,[a]} ${x@Q}]"),
        ("echo ${a[1]} ${a[$i+1]} ${#a[@]} ${a[\"x y\"]}", "[echo ${a[1]} ${a[${i}++1]} ${#a[@]} ${a[\"x y\"]}]"),
        ("echo ${x y} ${} ${x:} \"${a'b}'}\"", "[echo bad ${x y} bad ${} bad ${x:} \"bad ${a'b}'}\"]"),
        ("echo $(a | b) `c $(d)` \"`e \\\"f\\\"`\"", "[echo $([a] | [b]) $([c $([d])]) \"$([e \"f\"])\"]"),
        ("echo `a \\`b\\`` $()", "[echo $([a $([b])]) $()]"),
        ("echo $((1+(2*x))) $[1+2] $(( \"3\" ))", "[echo $((1+(2*x))) $((1+2)) $(( +\"3\"+ ))]"),
        ("echo $((a); (b))", "[echo $(( [a] ); ( [b] ))]"),
        ("diff <(a) >(b) c<(d)", "[diff <([a]) >([b]) c+<([d])]"),
        ("echo @(a|b*)c !(x)", "[echo @(a|b*)+c !(x)]"),
        ("echo $(case x in a) b;; (c) d;; esac)", "[echo $(case x in (a) [b] ;; (c) [d] ;; esac)]"),
        ("echo $(a # it's )\n)", "[echo $([a])]"),
    ]);
}

#[test]
fn commands_are_parsed() {
    check(&[
        ("a; b & c && d || e\n! f | g", "[a]; [b] &; [c] && [d] || [e]; ! [f] | [g]"),
        ("a |& b", "[a 2>&1] | [b]"),
        ("x=1 y=~ env >f 2>&1 <g", "[x=1 y=~ env >f 2>&1 <g]"),
        ("a &>f; a &>>f; a >&f; a >&2; a 2>&f; a {fd}>f", "[a &>f]; [a &>>f]; [a &>f]; [a >&2]; [a 2>&f]; [a {fd}>f]"),
        ("a <<<'x' 3<>f >|g <&- 2>&1-", "[a <<<'x' 3<>f >|g <&- 2>&1-]"),
        ("a2>f; a 2 >f", "[a2 >f]; [a 2 >f]"),
        ("if a; then b; elif c; then d; else e; fi >f", "if [a] then [b] if [c] then [d] else [e] fi >f"),
        ("while a; do b; done; until a\ndo b\ndone", "while [a] do [b] done; until [a] do [b] done"),
        ("for x in a $b; do c; done", "for x in a ${b} do [c] done"),
        ("for x; do c; done; for x\nin a\ndo c; done", "for x in \"$@\" do [c] done; for x in a do [c] done"),
        ("for x in a; { b; }; for ((;;)) { b; }", "for x in a do [b] done; for ((;;)) do [b] done"),
        ("for ((i=0; i<3; i++)); do b; done", "for ((i=0; i<3; i++)) do [b] done"),
        ("select x in a b; do c; done", "select x in a b do [c] done"),
        (
            "case $x in a|b) c;; (d) e;& f) ;;& *) g\nesac",
            "case ${x} in (a|b) [c] ;; (d) [e] ;& (f)  ;;& (*) [g] ;; esac",
        ),
        ("case x in esac; case x in esac) b;; esac", "1: syntax error near unexpected token `)'"),
        ("{ a; } | (b; c)", "{ [a] } | ( [b]; [c] )"),
        ("((x=1)) && ((a)&&(b)); ( (a) )", "((x=1)) && ( ( [a] ) && ( [b] ) ); ( ( [a] ) )"),
        ("((a); (b))", "( ( [a] ); ( [b] ) )"),
        ("f() { a; } >g; my-f() (b)", "function f { [a] } >g; function my-f ( [b] )"),
        ("function f { a; }; function g() if b; then c; fi", "function f { [a] }; function g if [b] then [c] fi"),
        ("f() [[ a ]]; g() ((1)) >h", "function f [[ -n a ]]; function g ((1)) >h"),
        ("time a | b; time -p a; ! ! a; time; ! ", "time [a] | [b]; time -p [a]; [a]; time []; ! []"),
        ("time ! { a; }; a | time b", "time ! { [a] }; [a] | [time b]"),
        ("echo if then fi { } ! [[ do", "[echo if then fi { } ! [[ do]"),
        ("(a) >f; { (a) }; if (a) then b; fi", "( [a] ) >f; { ( [a] ) }; if ( [a] ) then [b] fi"),
        ("a &\\\n& b", "[a] && [b]"),
    ]);
}

#[test]
fn assignments_are_parsed() {
    check(&[
        ("a=b c+=d e[1]=f g[x y]+=h", "[a=b c+=d e[1]=f g[x y]+=h]"),
        ("a=(1 'b c' [3]=d [k]+=e [f]* # g\n h)", "[a=(1 'b c' [3]=d [k]+=e [f]* h)]"),
        ("a=() b=", "[a=() b=]"),
        ("declare -a x=(1 2) y[1]=z \"w=1\"", "[declare -a <x=(1 2)> <y[1]=z> \"w=1\"]"),
        ("export a=$b; FOO=1 local c=~", "[export <a=${b}>]; [FOO=1 local <c=~>]"),
        ("command export a=$b; echo a=$b", "[command export <a=${b}>]; [echo a=+${b}]"),
        ("declare a[1 2]=x", "[declare a[1 2]=x]"),
        ("a[1]b c", "[a[1]b c]"),
        ("na\\\nme=1", "[name=1]"),
        ("echo a=(1)", "1: syntax error near unexpected token `('"),
    ]);
}

#[test]
fn conditions_are_parsed() {
    check(&[
        ("[[ -f a && ! b || c ]]", "[[ ((-f a && !(-n b)) || -n c) ]]"),
        ("[[ $x == *.md ]]; [[ a = b ]]; [[ a != 'b' ]]", "[[ ${x} == *.md ]]; [[ a == b ]]; [[ a != 'b' ]]"),
        ("[[ $x =~ ^(a|b c)+[0-9]$ ]]", "[[ ${x} =~ ^(a|b c)+[0-9]$ ]]"),
        ("[[ ( a<b ) && 1 -lt 2 ]]", "[[ (a < b && 1 -lt 2) ]]"),
        ("[[ a == @(b|c) ]] >f", "[[ a == @(b|c) ]] >f"),
        ("[[\n a\n]]", "2: unexpected token `newline', conditional binary operator expected"),
        ("[[ -f a\n&&\nb ]]", "[[ (-f a && -n b) ]]"),
        ("[[ -f == ]]", "[[ -f == ]]"),
        ("[[ a b ]]", "1: conditional binary operator expected"),
    ]);
}

#[test]
fn extended_globs_need_the_option_outside_of_conditions() {
    let tree = |text| match parse(text, &ParseOptions::default()) {
        Ok(script) => show::script(&script),
        Err(error) => error.to_string(),
    };
    assert_eq!(tree("[[ a == @(a|b) ]]"), "[[ -n @(a|b) ]]".replace("-n", "a =="));
    assert_eq!(tree("echo @(a|b)"), "syntax error near unexpected token `('");
    assert_eq!(tree("! (a); echo ${x##*(}"), "! ( [a] ); [echo ${x##*(}]");
}

#[test]
fn here_documents_are_filled_in() {
    check(&[
        ("cat <<A; b\n$x 'y' \"z\" \\$w\nA\nc", "[cat <<\"${x}+ 'y' \"z\" $w\n\"]; [b]; [c]"),
        ("cat <<'A'\n$x\nA\n", "[cat <<'$x\n']"),
        ("cat <<-A\n\ta\n\t\tA\n", "[cat <<\"a\n\"]"),
        ("cat <<A <<B | c\na\nA\nb\nB\n", "[cat <<\"a\n\" <<\"b\n\"] | [c]"),
        ("{ cat <<A; }; { b; }\na\nA\n", "{ [cat <<\"a\n\"] }; { [b] }"),
        ("cat <<A\na", "[cat <<\"a\n\"]"),
        ("x=$(cat <<A\nit's )\nA\n)", "[x=$([cat <<\"it's )\n\"])]"),
        ("x=$(cat <<A) <<B\na\nA\nb\nB\nc", "[x=$([cat <<\"a\n\"]) <<\"b\n\"]; [c]"),
        ("cat <<A $(b <<C)\na\nA\nc\nC\nd", "[cat $([b <<\"c\n\"]) <<\"a\n\"]; [d]"),
        ("cat <<A\na\\\nA\nA\n", "[cat <<\"aA\n\"]"),
        ("cat <<A\n$(if)\nA\n", "[cat <<bad $(if)\n]"),
    ]);
}

#[test]
fn errors_are_bash_s() {
    check(&[
        ("fi", "1: syntax error near unexpected token `fi'"),
        ("a\nif b; then c; done", "2: syntax error near unexpected token `done'"),
        ("a &&\n;", "2: syntax error near unexpected token `;'"),
        ("(a) b", "1: syntax error near unexpected token `b'"),
        ("a (b)", "1: syntax error near unexpected token `b'"),
        ("a b (c)", "1: syntax error near unexpected token `('"),
        ("for x in a b c do d; done", "1: syntax error near unexpected token `done'"),
        ("{ }", "1: syntax error near unexpected token `}'"),
        ("a >", "1: syntax error near unexpected token `newline'"),
        ("a | ! b", "1: syntax error near unexpected token `!'"),
        ("case x in a b) c;; esac", "1: syntax error near unexpected token `b'"),
        ("a ;; b", "1: syntax error near unexpected token `;;'"),
        ("$(if)", "1: syntax error near unexpected token `)'"),
        ("if a; then", "2: syntax error: unexpected end of file"),
        ("echo 'a\n\"", "1: unexpected EOF while looking for matching `''"),
        ("a \"b $(c", "1: unexpected EOF while looking for matching `)'"),
        ("for ((i=0;i<1)); do b; done", "1: syntax error: arithmetic expression required"),
        ("coproc a", "1: coproc: not supported"),
    ]);
    let error = parse("a\n  b )", &options()).unwrap_err();
    assert_eq!((error.line, error.column, error.source.as_deref()), (2, 5, Some("  b )")));
    assert_eq!((error.status(), error.incomplete), (Status(2), false));
}

#[test]
fn lines_are_kept() {
    let script = parse("a\n\nif b\nthen c <<E\nx\nE\n  d; fi\n$(\ne\n)", &options()).unwrap();
    let mut seen = String::new();
    let [a, conditional, last] = &*script else { panic!("three lists") };
    write!(seen, "{} {} {}", a.line, conditional.line, last.line).unwrap();
    let CommandKind::Compound(Compound::If { arms, .. }) = &conditional.list.first.commands[0].kind else {
        panic!("an if")
    };
    let [(guard, body)] = arms.as_slice() else { panic!("one arm") };
    write!(seen, " | {} {} {}", guard[0].line, body[0].line, body[1].line).unwrap();
    assert_eq!(seen, "1 3 8 | 3 4 7");
}

/// The lines that a reader hands out, and where it stands after each.
fn lines(text: &str, options: &ParseOptions<'_>) -> Vec<String> {
    let mut reader = Reader::new(text, 1);
    let mut lines = Vec::new();
    loop {
        match reader.next(options) {
            Ok(Some(script)) => {
                lines.push(format!("{} @{} line {}", show::script(&script), reader.offset(), reader.line()));
            }
            Ok(None) => return lines,
            Err(error) => {
                lines.push(format!("{}: {error}", error.line));
                return lines;
            }
        }
    }
}

#[test]
fn a_reader_stops_after_each_line() {
    assert_eq!(
        lines("a; b &\n\n# c\nif d\nthen e\nfi; f\ncat <<E; g\nx\nE\n(h\n)", &options()),
        [
            "[a]; [b] & @7 line 2",
            "if [d] then [e] fi; [f] @30 line 7",
            "[cat <<\"x\n\"]; [g] @45 line 10",
            "( [h] ) @49 line 11",
        ]
    );
    assert_eq!(lines("a\nb; )\nc", &options()), ["[a] @2 line 2", "2: syntax error near unexpected token `)'"]);
}

#[test]
fn aliases_are_expanded_where_commands_begin() {
    let aliases = [
        ("ll", "ls -l"),
        ("ls", "ls -F"),
        ("sudo", "sudo "),
        ("begin", "{"),
        ("end", "}"),
        ("loop", "for x in"),
        ("a", "b"),
        ("b", "a"),
        ("two", "x; y"),
        ("lines", "x\ny"),
        ("quote", "echo 'a"),
    ];
    let aliases = aliases.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let options = ParseOptions { extglob: false, aliases: Some(&aliases) };
    let tree = |text: &str| match parse(text, &options) {
        Ok(script) => show::script(&script),
        Err(error) => error.to_string(),
    };
    assert_eq!(tree("ll x"), "[ls -F -l x]");
    assert_eq!(tree("echo ll; x=1 ll | 'll' \\ll"), "[echo ll]; [x=1 ls -F -l] | ['ll' 'l'+l]");
    assert_eq!(tree("sudo ll x ll"), "[sudo ls -F -l x ll]");
    assert_eq!(tree("begin ll; end"), "{ [ls -F -l] }");
    assert_eq!(tree("loop a b; do c; done"), "for x in a b do [c] done");
    assert_eq!(tree("a; b"), "[a]; [b]");
    assert_eq!(tree("two z && $(ll)"), "[x]; [y z] && [$([ls -F -l])]");
    assert_eq!(tree("quote b' ll"), "[echo 'a b' ll]");
    assert_eq!(tree("ll <<E; c\nx\nE\nd"), "[ls -F -l <<\"x\n\"]; [c]; [d]");
    assert_eq!(tree("$(ll; x <<E)\ny\nE\nd"), "[$([ls -F -l]; [x <<\"y\n\"])]; [d]");
    assert_eq!(tree("ll\n)"), "syntax error near unexpected token `)'");
    assert_eq!(lines("lines z\nll", &options), ["[x]; [y z] @8 line 2", "[ls -F -l] @10 line 2"]);
    let error = parse("c\nll; (", &options).unwrap_err();
    assert_eq!((error.line, error.incomplete), (3, true));
}

#[test]
fn aliases_cannot_multiply_without_end() {
    let aliases = (0..40).map(|n| (format!("a{n}"), format!("a{0}; a{0}", n + 1))).collect();
    let options = ParseOptions { extglob: false, aliases: Some(&aliases) };
    assert_eq!(parse("a0", &options).unwrap_err().message, "command of more than 250000 words and parts of them");
    let filler = "x".repeat(1000);
    let aliases = (0..40).map(|n| (format!("a{n}"), format!("a{0}; a{0} {filler}", n + 1))).collect();
    let options = ParseOptions { extglob: false, aliases: Some(&aliases) };
    let message = parse("a0", &options).unwrap_err().message;
    assert!(message.ends_with(": alias expansion is too long"), "{message}");
}

#[test]
fn a_command_has_so_many_words_at_most() {
    let long = [" a".repeat(250_001), ":;".repeat(250_001), format!("\"{}\"", "$a".repeat(250_001))];
    for text in long.iter().chain(&[format!(": $({})", long[0]), format!("x=({})", "a ".repeat(250_001))]) {
        let error = parse(text, &options()).err().unwrap();
        assert_eq!(
            (error.message.as_str(), error.status()),
            ("command of more than 250000 words and parts of them", Status(126))
        );
    }
    assert!(parse(&": a b c\n".repeat(9_000), &options()).is_ok());
    assert!(parse(&" a".repeat(90_000), &options()).is_ok());
}

#[test]
fn texts_and_subscripts_of_the_run_are_parsed() {
    assert_eq!(
        show::word(&parse_double_quoted("a \"$b\" 'c' \\$ \\w `d`").unwrap()),
        "\"a \"+${b}+\" 'c' $ \\w +$([d])\""
    );
    assert_eq!(show::word(&parse_subscript("$i+1").unwrap()), "${i}++1");
    assert_eq!(show::word(&parse_subscript("'a b' c]").unwrap()), "'a b'+ c]");
    assert!(parse_double_quoted("$(").unwrap_err().incomplete);
}

#[test]
fn what_wants_another_line_is_told_from_what_is_wrong() {
    let verdict = |text| match completeness(text, &options()) {
        Completeness::Complete => '+',
        Completeness::Incomplete => '…',
        Completeness::Wrong(_) => '-',
    };
    for text in ["", "\n", "a", "a;", "a &", "# a \\", "cat <<E\nE", "a 'b\nc'", "! "] {
        assert_eq!(verdict(text), '+', "{text}");
    }
    for text in [
        "a |",
        "a &&\n",
        "a \\",
        "a \\\n",
        "'a",
        "cat <<E",
        "cat <<E\na",
        "for x in a",
        "f()",
        "a=(",
        "[[ a &&",
        "[[ -f a",
    ] {
        assert_eq!(verdict(text), '…', "{text}");
    }
    for text in [")", "a;;", "for", "a >", "[[ a", "if ; then", "cat <<E; )"] {
        assert_eq!(verdict(text), '-', "{text}");
    }
}

#[test]
fn nesting_has_a_limit_that_the_stack_never_meets() {
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    let kinds = [
        ("( ", "a", " )"),
        ("{ ", "a;", " };"),
        ("if ", "a;", "then b; fi;"),
        ("while a; do ", "b;", "done;"),
        ("case x in x) ", "a", ";; esac"),
        ("f() { ", "a;", "};"),
        ("$(", "a", ")"),
        ("<(", "a", ")"),
        ("${x:-", "a", "}"),
        ("$((", "1", "))"),
        ("@(", "a", ")"),
        ("${a[", "1", "]}"),
    ];
    for (open, inner, close) in kinds {
        assert!(parse(&nested(open, inner, close, 100), &options()).is_ok(), "{open}");
        let error = parse(&nested(open, inner, close, 101), &options()).unwrap_err();
        assert_eq!((error.message.as_str(), error.status()), ("nesting deeper than 100", Status(126)), "{open}");
        assert!(parse(&nested(open, inner, close, 50_000), &options()).is_err(), "{open}");
    }
    let both = nested("\"$(echo \"${x:-$((", "1", "))}\")\"", 33);
    assert!(parse(&both, &options()).is_ok());
}

#[test]
fn long_texts_of_each_kind_are_parsed() {
    let texts = [
        format!("cat <<E\n{}E\n", "a line with $x in it\n".repeat(40_000)),
        "a b; ".repeat(16_000),
        "a[1]=2 ".repeat(11_000),
        "echo $((1+(2))); ((a));".repeat(6_000),
        format!("x='{}'", "a b; ".repeat(1_000_000)),
    ];
    for text in texts {
        assert!(parse(&text, &options()).is_ok(), "{:.40}", text);
    }
    let mut lines = "for f in a b; do wc -l \"$f\" | sort >>x; done # c\n".repeat(50_000);
    lines += "fi";
    let mut reader = Reader::new(&lines, 1);
    let error = std::iter::from_fn(|| reader.next(&options()).transpose()).find_map(Result::err).unwrap();
    assert_eq!((error.line, error.message.as_str()), (50_001, "syntax error near unexpected token `fi'"));
}

#[test]
fn no_text_makes_the_parser_panic_or_hang() {
    const SOUP: [&str; 84] = [
        "a",
        "x=1",
        "if ",
        "then ",
        "else ",
        "elif ",
        "fi",
        "for ",
        "in ",
        "do ",
        "done",
        "while ",
        "case ",
        "esac",
        "select ",
        "function ",
        "f()",
        "()",
        "(",
        ")",
        "{ ",
        "}",
        "[[ ",
        " ]]",
        "((",
        "))",
        "$((",
        "$(",
        "${",
        "}",
        "${x:-",
        "${x/",
        "`",
        "'",
        "\"",
        "$'",
        "\\",
        "\\\n",
        "\n",
        ";",
        ";;",
        ";&",
        "&",
        "&&",
        "||",
        "|",
        "|&",
        " ",
        "<",
        ">",
        "<<",
        "<<-",
        "<<<",
        ">>",
        ">&",
        "&>",
        "2>",
        "{fd}>",
        "EOF",
        "\nEOF\n",
        "<<EOF\n",
        "! ",
        "time ",
        "a=(",
        "a[",
        "]",
        "]=",
        "+=",
        "#",
        "$",
        "*(",
        "@(",
        "==",
        "=~",
        "-f ",
        "<(",
        ">(",
        "declare ",
        "é",
        "al ",
        "be ",
        "\0",
        "\r",
        "\u{10ffff}",
    ];
    let aliases = [("al", "echo 'a "), ("be", "a; ("), ("a", "a ")];
    let aliases = aliases.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..20_000 {
        let text: String = (0..2 + random(24)).map(|_| SOUP[random(SOUP.len())]).collect();
        let options = ParseOptions { extglob: random(2) == 0, aliases: (random(2) == 0).then_some(&aliases) };
        let whole = parse(&text, &options);
        let mut reader = Reader::new(&text, 1);
        let mut offset = 0;
        while let Ok(Some(_)) = reader.next(&options) {
            assert!(reader.offset() > offset, "{text:?}");
            offset = reader.offset();
        }
        if let Err(error) = whole {
            assert!(error.line >= 1 && error.column >= 1 && !error.message.is_empty(), "{text:?}");
        }
        let _ = (parse_double_quoted(&text), parse_subscript(&text), completeness(&text, &options));
    }
}
