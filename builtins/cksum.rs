//! `cksum`: sums of every kind, POSIX's CRC by default.
use crate::{
    Builtin, Call, Error, Opt, Result, Status,
    args::{self, Order},
    checksum::{self, Algorithm, Checking, Format},
};

pub(crate) static CKSUM: Builtin = Builtin {
    name: "cksum",
    synopsis: "[OPTION]... [FILE]...",
    about: "Print or verify checksums, by default the 32 bit CRC checksum.",
    options: &[
        Opt::value('a', &["algorithm"], "algorithm", "TYPE", "select the digest type to use"),
        Opt::flag('6', &["debug"], "debug", "(ignored)").long_only(),
        Opt::flag('c', &["check"], "check", "read checksums from the FILEs and check them"),
        Opt::value('l', &["length"], "length", "BITS", "digest length in bits; must be a multiple of 8"),
        Opt::flag('0', &["tag"], "tag", "create a BSD-style checksum (the default)").long_only(),
        Opt::flag('5', &["untagged"], "untagged", "create a reversed style checksum, without digest type").long_only(),
        Opt::flag('z', &["zero"], "zero", "end each output line with NUL, not newline"),
        Opt::flag('1', &["ignore-missing"], "ignore-missing", "don't fail or report status for missing files")
            .long_only(),
        Opt::flag('2', &["quiet"], "quiet", "don't print OK for each successfully verified file").long_only(),
        Opt::flag('3', &["status"], "status", "don't output anything, status code shows success").long_only(),
        Opt::flag('4', &["strict"], "strict", "exit non-zero for improperly formatted checksum lines").long_only(),
        Opt::flag('w', &["warn"], "warn", "warn about improperly formatted checksum lines"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let chosen = match parsed.value("algorithm") {
        Some(name) => Some(args::choice(call, "--algorithm", name, Algorithm::NAMES)?),
        None => None,
    };
    let mut algorithm = chosen.unwrap_or(Algorithm::Crc);
    if let Some(length) = parsed.value("length") {
        if !matches!(algorithm, Algorithm::Blake2b(_)) {
            return Err(Error::failed("--length is only supported with --algorithm=blake2b"));
        }
        algorithm = algorithm.with_length(checksum::read_length(call, length)?);
    }
    let checking = Checking::read(&parsed)?;
    if parsed.has("check") {
        if matches!(chosen, Some(Algorithm::Bsd | Algorithm::Sysv | Algorithm::Crc)) {
            return Err(Error::failed("--check is not supported with --algorithm={bsd,sysv,crc}"));
        }
        return checksum::check(call, chosen.map(|_| algorithm), &checking, &parsed.operands);
    }
    let style = parsed.options.iter().rev().find(|(key, _)| matches!(*key, "tag" | "untagged"));
    let tag = style.is_none_or(|(key, _)| *key == "tag");
    checksum::print(call, algorithm, Format { tag, binary: false, zero: parsed.has("zero") }, &parsed.operands)
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    #[test]
    fn crc_with_the_size() {
        check_with_stdin(
            &[],
            "cksum",
            "abc",
            expect![[r#"
            1219131554 3
        "#]],
        );
    }

    #[test]
    fn another_algorithm_is_tagged() {
        check(
            &[("a", "abc")],
            "cksum -a md5 a",
            expect![[r#"
            MD5 (a) = 900150983cd24fb0d6963f7d28e17f72
        "#]],
        );
    }
}
