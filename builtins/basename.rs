//! `basename`: a path without its folders, and without a suffix.
use crate::{
    Builtin, Call, Error, Opt, Result, Status,
    args::{self, Order},
    curly,
};
use std::io::Write;

pub(crate) static BASENAME: Builtin = Builtin {
    name: "basename",
    synopsis: "NAME [SUFFIX] | OPTION... NAME...",
    about: "Print NAME with any leading directory components removed; also a trailing SUFFIX.",
    options: &[
        Opt::flag('a', &["multiple"], "multiple", "support multiple arguments, each as a NAME"),
        Opt::value('s', &["suffix"], "suffix", "SUFFIX", "remove a trailing SUFFIX; implies -a"),
        Opt::flag('z', &["zero"], "zero", "end each output line with NUL, not newline"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::BeforeOperands)?;
    let mut suffix = parsed.value("suffix").unwrap_or_default();
    let mut names = &parsed.operands[..];
    if names.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    if !parsed.has("multiple") && !parsed.has("suffix") {
        if let Some(extra) = names.get(2) {
            return Err(Error::usage(format!("extra operand {}", curly(extra))));
        }
        suffix = names.get(1).map_or("", String::as_str);
        names = &names[..1];
    }
    let end = if parsed.has("zero") { '\0' } else { '\n' };
    for name in names {
        let base = last(name);
        let stem = base.strip_suffix(suffix).filter(|stem| !stem.is_empty()).unwrap_or(base);
        write!(call.stdout, "{stem}{end}")?;
    }
    Ok(Status::OK)
}

/// The last name of `path`, without the slashes around it; the root's is `/`.
pub(crate) fn last(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match memchr::memrchr(b'/', trimmed.as_bytes()) {
        _ if trimmed.is_empty() && !path.is_empty() => "/",
        Some(slash) => &trimmed[slash + 1..],
        None => trimmed,
    }
}

#[cfg(test)]
mod tests {
    use super::last;
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn the_last_name_has_no_slashes() {
        assert_eq!(["a/b", "a/b//", "/", "//", "", "a"].map(last), ["b", "b", "/", "/", "", "a"]);
    }

    #[test]
    fn a_suffix_goes_unless_it_is_all() {
        check(
            &[],
            "basename -s .md a/x.md b/y.md .md",
            expect![[r#"
            x
            y
            .md
        "#]],
        );
        check(
            &[],
            "basename a b c",
            expect![[r#"
            [stderr]
            basename: extra operand ‘c’
            Try 'basename --help' for more information.
            [status 1]
        "#]],
        );
    }
}
