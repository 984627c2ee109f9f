//! `tr`: bytes of stdin translated, deleted, squeezed.
mod set;
mod table;

use crate::{
    Builtin, Call, Error, Opt, Result, Status,
    args::{self, Order},
    curly,
};
use std::io::{BufRead, Write};
use table::Plan;

pub(crate) static TR: Builtin = Builtin {
    name: "tr",
    synopsis: "[OPTION]... STRING1 [STRING2]",
    about: "Translate, squeeze, and/or delete characters from standard input, writing to standard output.",
    options: &[
        Opt::flag('c', &["complement"], "complement", "use the complement of STRING1"),
        Opt::flag('C', &[], "complement", "the same"),
        Opt::flag('d', &["delete"], "delete", "delete characters in STRING1, do not translate"),
        Opt::flag('s', &["squeeze-repeats"], "squeeze", "replace each sequence of a repeated character by one"),
        Opt::flag('t', &["truncate-set1"], "truncate", "first truncate STRING1 to length of STRING2"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::BeforeOperands)?;
    let (delete, squeeze) = (parsed.has("delete"), parsed.has("squeeze"));
    let strings = parsed.operands;
    check_operands(&strings, delete, squeeze)?;
    let complement = parsed.options.iter().any(|(key, _)| *key == "complement");
    let truncate = parsed.options.iter().any(|(key, _)| *key == "truncate");
    let plan = Plan::new(call, &strings, complement, delete, squeeze, truncate)?;
    let mut input = call.stdin.clone();
    let mut last = None;
    let mut changed = Vec::new();
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(Status::OK);
        }
        changed.clear();
        plan.apply(bytes, &mut last, &mut changed);
        let used = bytes.len();
        input.consume(used);
        call.stdout.write_all(&changed)?;
    }
}

fn check_operands(strings: &[String], delete: bool, squeeze: bool) -> Result<()> {
    let (least, most) = (1 + usize::from(delete == squeeze), 1 + usize::from(delete <= squeeze));
    match strings {
        [] => Err(Error::usage("missing operand")),
        _ if strings.len() < least => {
            let why = match squeeze {
                true => "Two strings must be given when both deleting and squeezing repeats.",
                false => "Two strings must be given when translating.",
            };
            let last = curly(&strings[strings.len() - 1]);
            Err(Error::usage(format!("missing operand after {last}\n{why}")))
        }
        _ if strings.len() > most => {
            let why = match strings.len() {
                2 => "\nOnly one string may be given when deleting without squeezing repeats.",
                _ => "",
            };
            Err(Error::usage(format!("extra operand {}{why}", curly(&strings[most]))))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    fn tr(words: &str, stdin: &str) -> String {
        let (stdout, stderr, _) = crate::testing::run(&[], &format!("tr {words}"), stdin.as_bytes());
        String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned()
    }

    #[test]
    fn translation() {
        assert_eq!(tr("a-z A-Z", "héllo"), "HéLLO");
        assert_eq!(tr("[:lower:] [:upper:]", "abc"), "ABC");
        assert_eq!(tr("abc xy", "aabbcc"), "xxyyyy");
        assert_eq!(tr("-t abc xy", "aabbcc"), "xxyycc");
        assert_eq!(tr("-c a-z .", "ab1 cd"), "ab..cd");
        assert_eq!(tr("abcd '[x*3]y'", "abcd"), "xxxy");
        assert_eq!(tr("abcd 'z[x*]y'", "abcd"), "zxxy");
        assert_eq!(tr("a é", "banana"), "b\u{fffd}n\u{fffd}n\u{fffd}");
    }

    #[test]
    fn deletion_and_squeezing() {
        assert_eq!(tr("-d aeiou", "education"), "dctn");
        assert_eq!(tr("-cd '0-9\\n'", "tel 12\n"), "12\n");
        assert_eq!(tr("-s ' '", "a   b  c"), "a b c");
        assert_eq!(tr("-s a-z A-Z", "aabbc"), "ABC");
        assert_eq!(tr("-ds a b", "aabbcc"), "bcc");
        assert_eq!(tr(r"'\n' ' '", "a\nb\n"), "a b ");
    }

    #[test]
    fn wrong_sets_are_named() {
        assert_eq!(tr("z-a x", ""), "tr: range-endpoints of 'z-a' are in reverse collating sequence order\n");
        assert_eq!(tr("[:foo:] x", ""), "tr: invalid character class ‘foo’\n");
        assert_eq!(tr("a ''", ""), "tr: when not truncating set1, string2 must be non-empty\n");
        assert_eq!(tr("a[:lower:] xy[:upper:]", ""), "tr: misaligned [:upper:] and/or [:lower:] construct\n");
        check(
            &[],
            "tr a",
            expect![[r#"
            [stderr]
            tr: missing operand after ‘a’
            Two strings must be given when translating.
            Try 'tr --help' for more information.
            [status 1]
        "#]],
        );
    }
}
