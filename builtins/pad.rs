//! Filling up to a width that a user chooses. The standard formats panic above 65,535 columns or digits; these do not.
//! They never cut.

/// `text` at the end of `width` characters.
pub fn before(text: &str, width: usize, fill: char) -> String {
    let mut padded = filling(text, width, fill);
    padded.push_str(text);
    padded
}

/// `text` at the start of `width` characters, blanks behind it.
pub(crate) fn behind(text: &str, width: usize) -> String {
    format!("{text}{}", filling(text, width, ' '))
}

fn filling(text: &str, width: usize, fill: char) -> String {
    std::iter::repeat_n(fill, width.saturating_sub(text.chars().count())).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::run;

    #[test]
    fn texts_are_filled_up_and_never_cut() {
        assert_eq!(super::before("7", 3, '0'), "007");
        assert_eq!(super::before("é", 2, ' '), " é");
        assert_eq!(super::behind("ab", 4), "ab  ");
        assert_eq!(super::before("1234", 3, '0'), "1234");
    }

    #[test]
    fn any_width_is_filled() {
        let lines: &[(&str, usize)] = &[
            ("printf %.70000d 1", 70_000),
            ("printf %70000d 1", 70_000),
            ("printf %.70000f 1.5", 70_002),
            ("nl -w 70000 f", 70_003),
            ("nl -w 70000 -n rz f", 70_003),
            ("nl -w 70000 -n ln f", 70_003),
            ("numfmt --format=%070000f 1", 70_001),
            ("numfmt --padding=70000 1", 70_001),
            ("awk 'BEGIN { printf \"%.70000f\", 1.5 }'", 70_002),
            ("awk 'BEGIN { printf \"%.70000e\", 1.5 }'", 70_006),
            ("awk 'BEGIN { printf \"%.70000d\", 1 }'", 70_000),
            ("awk 'BEGIN { OFMT = \"%.70000g\"; print 1.5 }'", 4),
            ("diff --unchanged-line-format=%.70000dn f f", 70_000),
            ("seq -f %.70000f 1 1", 70_003),
            ("stat -c %70000s f", 70_001),
            ("hexdump -n 1 -e '\"%.70000d\"' f", 70_000),
        ];
        for (line, length) in lines {
            let (stdout, stderr, _) = run(&[("f", "x\n")], line, b"");
            assert_eq!((stdout.len(), String::from_utf8_lossy(&stderr).as_ref()), (*length, ""), "{line}");
        }
    }
}
