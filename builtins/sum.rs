//! `sum`: the checksums of old, BSD's or System V's.
use crate::{
    Builtin, Call, Opt, Result, Status,
    args::{self, Order},
    checksum::{self, Algorithm, Format},
};

pub(crate) static SUM: Builtin = Builtin {
    name: "sum",
    synopsis: "[OPTION]... [FILE]...",
    about: "Print checksum and block counts for each FILE.",
    options: &[
        Opt::flag('r', &[], "r", "use BSD sum algorithm (the default), use 1K blocks"),
        Opt::flag('s', &["sysv"], "s", "use System V sum algorithm, use 512 bytes blocks"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let algorithm = match parsed.options.last() {
        Some((key, _)) if *key == "s" => Algorithm::Sysv,
        _ => Algorithm::Bsd,
    };
    checksum::print(call, algorithm, Format::default(), &parsed.operands)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn both_kinds() {
        check(
            &[("a", "abc\n")],
            "sum a",
            expect![[r#"
            08288     1 a
        "#]],
        );
        check(
            &[("a", "abc\n")],
            "sum -s a",
            expect![[r#"
            304 1 a
        "#]],
        );
    }
}
