use super::*;

fn options() -> Options {
    Options::default()
}

/// Every match of `pattern` in `text`, as `sed 's/…/<&>/g'` would mark it.
fn marked(pattern: &str, syntax: Syntax, text: &str) -> String {
    let pattern = match Pattern::posix(pattern, syntax, options()) {
        Ok(pattern) => pattern,
        Err(error) => return format!("error: {error}"),
    };
    let (mut out, mut at, mut last) = (String::new(), 0, None);
    while let Some(found) = pattern.find_at(text.as_bytes(), at).unwrap() {
        out += &text[at..found.start];
        if !found.is_empty() || last != Some(found.start) {
            out += &format!("<{}>", &text[found.clone()]);
        }
        at = found.end;
        last = Some(at);
        if found.is_empty() {
            let Some(next) = text[at..].chars().next() else { return out };
            out.push(next);
            at += next.len_utf8();
        }
    }
    out + &text[at..]
}

fn table(syntax: Syntax, text: &str, cases: &[(&str, &str)]) {
    for (pattern, expected) in cases {
        assert_eq!(&marked(pattern, syntax, text), expected, "{pattern}");
    }
}

#[test]
fn words_are_of_letters_digits_and_underscores() {
    // A mark, a joiner, a tie and a variation selector are no part of a word; a vowel sign is.
    let text = "fo\u{301} fo\u{200d}fo fo\u{203f}x fo\u{fe0f} fo\u{345} xfo";
    let cases = [
        (r"\bfo\b", "<fo>\u{301} <fo>\u{200d}<fo> <fo>\u{203f}x <fo>\u{fe0f} fo\u{345} xfo"),
        (r"fo\>", "<fo>\u{301} <fo>\u{200d}<fo> <fo>\u{203f}x <fo>\u{fe0f} fo\u{345} x<fo>"),
        (r"\<fo", "<fo>\u{301} <fo>\u{200d}<fo> <fo>\u{203f}x <fo>\u{fe0f} <fo>\u{345} xfo"),
        (r"o\B", "fo\u{301} fo\u{200d}fo fo\u{203f}x fo\u{fe0f} f<o>\u{345} xfo"),
        (r"\(f\)o\b\1*", "<fo>\u{301} <fo>\u{200d}<fo> <fo>\u{203f}x <fo>\u{fe0f} fo\u{345} x<fo>"),
        (r"\b[a-z]*\b", "<fo>\u{301} <fo>\u{200d}<fo> <fo>\u{203f}<x> <fo>\u{fe0f} <>fo\u{345}<> <xfo>"),
    ];
    table(Syntax::SED, text, &cases);
    table(Syntax::SED, "x\u{301}", &[(r"\B", "x\u{301}<>"), (r"\(y*\)\1", "<>x<>\u{301}<>")]);
}

#[test]
fn lines_with_words() {
    let whole = Options { lines: true, whole: Whole::Word, ..options() };
    let pattern = Pattern::posix("fo*", Syntax::GREP, whole).unwrap();
    let text = "xfo\nfo\u{fe0f}\nx\u{301}\nfo1\n_fo\u{301}\n\u{301}fo";
    let mut lines = Vec::new();
    let mut at = 0;
    while let Some(found) = pattern.line_at(text.as_bytes(), at).unwrap() {
        let start = text[..found].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[found..].find('\n').map_or(text.len(), |newline| found + newline);
        lines.push(&text[start..end]);
        at = end + 1;
    }
    assert_eq!(lines, ["fo\u{fe0f}", "\u{301}fo"]);
    assert_eq!(pattern.is_match("xfo\nfo\u{301}".as_bytes()), Ok(true));
    assert_eq!(pattern.is_match("xfo\nfo\u{345}\u{301}".as_bytes()), Ok(false));
}

#[test]
fn basic_patterns_are_read_as_sed_reads_them() {
    table(
        Syntax::SED,
        "aab*a+b",
        &[
            (r"*a", "aab<*a>+b"),
            (r"\(*a\)", "aab<*a>+b"),
            (r"^*a", "aab*a+b"),
            (r"a**", "error: Invalid preceding regular expression"),
            (r"\{1\}a", "error: Invalid preceding regular expression"),
            (r"\|a", "<a><a>b<>*<a>+<>b<>"),
            (r"a^b", "aab*a+b"),
            (r"a$b", "aab*a+b"),
            (r"\+a", "aab*a+b"),
            (r"a\|*b", "<a><a>b*<a>+b"),
            (r"a*\{2\}", "error: Invalid preceding regular expression"),
            (r"\(^a\)", "<a>ab*a+b"),
            (r"x$\|b", "aa<b>*a+<b>"),
            (r"\(b$\)", "aab*a+<b>"),
            (r"\`a", "<a>ab*a+b"),
            (r"b\'", "aab*a+<b>"),
            (r"\x61", "<a><a>b*<a>+b"),
            (r"\d97", "<a><a>b*<a>+b"),
            (r"\o141", "<a><a>b*<a>+b"),
            (r"a\{1", r"error: Unmatched \{"),
            (r"a\{2,1\}", r"error: Invalid content of \{\}"),
            (r"a\{x\}", r"error: Invalid content of \{\}"),
            (r"\(a", r"error: Unmatched ( or \("),
            (r"a\)", r"error: Unmatched ) or \)"),
            (r"a\", "error: Trailing backslash"),
            (r"[a", "error: Unmatched [, [^, [:, [., or [="),
            (r"[[:foo:]]", "error: Invalid character class name"),
            (r"[[.foo.]]", "error: Invalid collation character"),
            (r"[z-a]", "error: Invalid range end"),
            (r"[a-c-e]", "error: Invalid range end"),
            (r"\1", "error: Invalid back reference"),
            (r"a\{32768\}", "error: Regular expression too big"),
            (r"\(a\)\1", "<aa>b*a+b"),
            (r"[*+]a\?", "aab<*a><+>b"),
            (r"[]b]", "aa<b>*a+<b>"),
            (r"[^]ab]", "aab<*>a<+>b"),
        ],
    );
    assert_eq!(marked(r"\n[\n\t]", Syntax::SED, "a\n\tb"), "a<\n\t>b");
}

#[test]
fn extended_patterns_are_read_as_sed_reads_them() {
    table(
        Syntax::SED_EXTENDED,
        "aab*a+b{1}a",
        &[
            ("a{1", r"error: Unmatched \{"),
            ("a{x}", r"error: Invalid content of \{\}"),
            ("a)", r"error: Unmatched ) or \)"),
            ("*a", "error: Invalid preceding regular expression"),
            ("^*a", "error: Invalid preceding regular expression"),
            ("a|*b", "error: Invalid preceding regular expression"),
            ("{1}a", "error: Invalid preceding regular expression"),
            ("(^a)", "<a>ab*a+b{1}a"),
            ("a^b", "aab*a+b{1}a"),
            ("a{1}{2}", "<aa>b*a+b{1}a"),
            (r"\{", "aab*a+b<{>1}a"),
            ("}", "aab*a+b{1<}>a"),
            (r"(a)\1", "<aa>b*a+b{1}a"),
            ("(a)(b)\\3", "error: Invalid back reference"),
            ("a|ab", "<a><ab>*<a>+b{1}<a>"),
        ],
    );
}

#[test]
fn grep_takes_what_makes_no_sense_as_text() {
    table(
        Syntax::EGREP,
        "aab*a+b{1}a",
        &[
            ("a{1", "aab*a+b{1}a"),
            ("b{1}a{", "aab*a+b{1}a"),
            (r"b\{1}a", "aab*a+<b{1}a>"),
            ("{1", "aab*a+b<{1>}a"),
            ("a)", "aab*a+b{1}a"),
            ("*b", "aa<b>*a+<b>{1}a"),
            ("{1}b", "aa<b>*a+<b>{1}a"),
            ("a{2,1}", r"error: Invalid content of \{\}"),
            ("[:alpha:]", "error: character class syntax is [[:space:]], not [:space:]"),
        ],
    );
    table(Syntax::GREP, "a{1}b", &[(r"\{1\}b", "a<{1}b>"), ("a|b", "a{1}b"), (r"a**", "<a>{<>1<>}<>b<>")]);
    let pattern = Pattern::posix("*b|+c|{1}d", Syntax::EGREP, options()).unwrap();
    assert_eq!(
        pattern.warnings(),
        ["* at start of expression", "+ at start of expression", "{...} at start of expression"]
    );
}

#[test]
fn awk_has_its_own_escapes() {
    table(
        Syntax::AWK,
        "aab*a+b{1}a",
        &[
            ("*a", "aab<*a>+b{1}a"),
            ("{1}a", "aab*a+b<{1}a>"),
            (r"\ya", "<a>ab*<a>+b{1}<a>"),
            (r"\Ba", "a<a>b*a+b{1}a"),
            (r"a\>", "aab*<a>+b{1}<a>"),
            (r"[\]a]", "<a><a>b*<a>+b{1}<a>"),
            (r"a\53", "aab*<a+>b{1}a"),
            (r"(a)\1", "aab*a+b{1}a"),
        ],
    );
}

#[test]
fn the_longest_of_the_leftmost_wins() {
    table(
        Syntax::EGREP,
        "abcd",
        &[("a|ab|abc", "<abc>d"), ("(a|ab)(c|bcd)", "<abcd>"), ("b*|b", "<>a<b>c<>d<>"), (r"\bab?|abcd", "<abcd>")],
    );
    let many = Pattern::new(&["ab", r"\(b\)\1", "abb"], Dialect::Posix(Syntax::GREP), options()).unwrap();
    assert_eq!(many.find_at(b"xabbx", 0), Ok(Some(1..4)));
    let fixed = Pattern::new(&["a.", "a.c"], Dialect::Fixed, options()).unwrap();
    assert_eq!(fixed.find_at(b"aba.c", 0), Ok(Some(2..5)));
    let none = Pattern::new(&[] as &[&str], Dialect::Fixed, options()).unwrap();
    assert_eq!(none.is_match(b""), Ok(false));
}

#[test]
fn groups_are_those_of_the_longest_match() {
    let groups = |pattern: &str, syntax: Syntax, text: &str| {
        let pattern = Pattern::posix(pattern, syntax, options()).unwrap();
        let mut captures = pattern.captures();
        assert!(pattern.captures_at(text.as_bytes(), 0, &mut captures).unwrap());
        let group = |at| captures.get(at).map_or("-".to_string(), |range| text[range].to_string());
        (0..captures.len()).map(group).collect::<Vec<_>>().join("|")
    };
    assert_eq!(groups("(a|ab)(c|bcd)(d*)", Syntax::SED_EXTENDED, "xabcd"), "abcd|a|bcd|");
    assert_eq!(groups("(x)?(b)", Syntax::SED_EXTENDED, "ab"), "b|-|b");
    assert_eq!(groups(r"\(.\)\(.\)\2\1", Syntax::SED, "xabba"), "abba|a|b");
    assert_eq!(groups(r"é\(.*\)$", Syntax::SED, "aéb"), "éb|b");
}

#[test]
fn bytes_that_are_not_utf8_are_matched_by_nothing() {
    let pattern = |text| Pattern::posix(text, Syntax::GREP, options()).unwrap();
    assert_eq!(pattern("a.b").is_match(b"a\xffb"), Ok(false));
    assert_eq!(pattern("a[^x]").is_match(b"a\xffb"), Ok(false));
    assert_eq!(pattern("b").find_at(b"a\xffb", 0), Ok(Some(2..3)));
    assert_eq!(pattern(r"\(b\)\1").find_at(b"a\xffbb", 0), Ok(Some(2..4)));
    assert_eq!(Pattern::new(&["b+"], Dialect::Perl, options()).unwrap().find_at(b"\xffabb", 0), Ok(Some(2..4)));
}

#[test]
fn options_say_where_a_match_may_be() {
    let with = |text, options| Pattern::posix(text, Syntax::EGREP, options).unwrap();
    let word = Options { whole: Whole::Word, ..options() };
    assert_eq!(with("a+|aab", word).find_at(b"aab aa", 0), Ok(Some(0..3)));
    assert_eq!(with("a+", word).find_at(b"aab aa", 0), Ok(Some(4..6)));
    let line = Options { whole: Whole::Line, lines: true, ..options() };
    assert_eq!(with("a|ab", line).find_at(b"abc\nab\n", 0), Ok(Some(4..6)));
    let text = Options { whole: Whole::Line, ..options() };
    assert_eq!(with("a|ab", text).is_match(b"abc\nab"), Ok(false));
    let folded = Options { ignore_case: true, ..options() };
    assert_eq!(with("é[^a-c]", folded).find_at("ÉAÉD".as_bytes(), 0), Ok(Some(3..6)));
    assert_eq!(with("(a)\\1", folded).is_match(b"aA"), Ok(true));
    let anchors = Options { anchors_at_newlines: true, ..options() };
    assert_eq!(with("^b.*", anchors).find_at(b"a\nb\nc", 0), Ok(Some(2..5)));
}

#[test]
fn lines_are_found_in_a_whole_page() {
    let lines = Options { lines: true, ..options() };
    let at =
        |text: &str, page: &[u8], from| Pattern::posix(text, Syntax::GREP, lines).unwrap().line_at(page, from).unwrap();
    assert_eq!(at("b", b"a\nb\n", 0), Some(3));
    assert_eq!(at("^$", b"a\nb\n", 0), None);
    assert_eq!(at("^$", b"a\n\nb", 0), Some(2));
    assert_eq!(at("b$", b"a\nb", 0), Some(3));
    assert_eq!(at("a[^x]*b", b"a\nb\n", 0), None);
    assert_eq!(at("x*", b"a\n", 2), None);
    assert_eq!(at(r"\(b\)\1", b"ab\nbb\n", 0), Some(3));
    let perl = Pattern::new(&[r"^\s*b"], Dialect::Perl, lines).unwrap();
    assert_eq!(perl.line_at(b"a\n\n b\n", 0), Ok(Some(3)));
}

#[test]
fn what_takes_too_long_is_an_error() {
    let slow = Pattern::posix(r"\(a*\)\(a*\)\(a*\)\(a*\)b\1\2\3\4c", Syntax::GREP, options()).unwrap();
    let error = slow.is_match(("a".repeat(300) + "b" + &"a".repeat(299) + "c").as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "too many steps to match the pattern");
    let perl = Pattern::new(&["(x+x+)+[yz]"], Dialect::Perl, options()).unwrap();
    let error = perl.is_match("x".repeat(4000).as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "exceeded PCRE's backtracking limit");
    let big = Pattern::posix(r"\(\(a\{1000\}\)\{1000\}\)\{1000\}", Syntax::GREP, options()).unwrap_err();
    assert_eq!(big.to_string(), "Regular expression too big");
    let deep = "(".repeat(5000) + &")".repeat(5000);
    assert!(Pattern::posix(&deep, Syntax::EGREP, options()).is_err());
}

#[test]
fn rusts_dialect_is_leftmost_first_and_keeps_to_lines() {
    let lines = Options { lines: true, ..options() };
    let rust = |patterns: &[&str], options| Pattern::new(patterns, Dialect::Rust, options);
    assert_eq!(rust(&["a|ab"], lines).unwrap().find_at(b"xab", 0), Ok(Some(1..2)));
    assert_eq!(rust(&[r"b\s+c|^d$"], lines).unwrap().line_at(b"b\nc\nd\n", 0), Ok(Some(5)));
    assert!(rust(&["a\\nb"], lines).unwrap_err().to_string().starts_with("the literal \"\\n\" is not allowed"));
    assert_eq!(rust(&["b\\s+c"], options()).unwrap().find_at(b"b\nc", 0), Ok(Some(0..3)));
    let many = rust(&["(x)1", "(?<n>y)2"], options()).unwrap();
    let mut captures = many.captures();
    assert_eq!(many.captures_at(b"-y2", 0, &mut captures), Ok(true));
    assert_eq!((captures.get(1), captures.get(2)), (None, Some(1..2)));
    assert_eq!(many.names(), [None, None, Some("n".to_string())]);
    assert_eq!(rust(&["("], lines).unwrap_err().to_string().lines().last(), Some("error: unclosed group"));
}

#[test]
fn perl_says_what_pcre_says() {
    let error = |text| Pattern::new(&[text], Dialect::Perl, options()).unwrap_err().to_string();
    assert_eq!(error("(a"), "missing closing parenthesis");
    let digits = Pattern::new(&[r"\d+"], Dialect::Perl, options()).unwrap();
    assert_eq!(digits.find_at("٣12".as_bytes(), 0), Ok(Some(2..4)));
    let settings = Pattern::new(&["(*UCP)(*NO_START_OPT)a(*COMMIT)b"], Dialect::Perl, options()).unwrap();
    assert_eq!(settings.is_match(b"ab"), Ok(true));
    let any = Pattern::new(&[r"\d+"], Dialect::Perl, Options { unicode_digits: true, ..options() }).unwrap();
    assert_eq!(any.find_at("٣12".as_bytes(), 0), Ok(Some(0..4)));
    let words = Pattern::new(&[r"(?<w>\w+)"], Dialect::Perl, options()).unwrap();
    assert_eq!(words.find_at("é1".as_bytes(), 0), Ok(Some(0..3)));
    assert_eq!(words.names(), [None, Some("w".to_string())]);
}
