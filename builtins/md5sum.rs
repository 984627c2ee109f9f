//! `md5sum`, `sha1sum`, `sha224sum`, `sha256sum`, `sha384sum`, `sha512sum`, `b2sum`: one command for each sum.
use crate::{
    Builtin, Opt, Status,
    checksum::{self, Algorithm},
};

macro_rules! sum {
    ($row:ident, $name:literal, $about:literal, $algorithm:expr) => {
        pub(crate) static $row: Builtin = Builtin {
            name: $name,
            synopsis: "[OPTION]... [FILE]...",
            about: $about,
            options: checksum::OPTIONS,
            trouble: Status(1),
            run: |call| checksum::run_single(call, $algorithm),
        };
    };
}

sum!(MD5SUM, "md5sum", "Print or check MD5 (128-bit) checksums.", Algorithm::Md5);
sum!(SHA1SUM, "sha1sum", "Print or check SHA1 (160-bit) checksums.", Algorithm::Sha1);
sum!(SHA224SUM, "sha224sum", "Print or check SHA224 (224-bit) checksums.", Algorithm::Sha224);
sum!(SHA256SUM, "sha256sum", "Print or check SHA256 (256-bit) checksums.", Algorithm::Sha256);
sum!(SHA384SUM, "sha384sum", "Print or check SHA384 (384-bit) checksums.", Algorithm::Sha384);
sum!(SHA512SUM, "sha512sum", "Print or check SHA512 (512-bit) checksums.", Algorithm::Sha512);

pub(crate) static B2SUM: Builtin = Builtin {
    name: "b2sum",
    synopsis: "[OPTION]... [FILE]...",
    about: "Print or check BLAKE2b (512-bit) checksums.",
    options: &{
        let mut options = [checksum::OPTIONS[0]; checksum::OPTIONS.len() + 1];
        let mut at = 0;
        while at < checksum::OPTIONS.len() {
            options[at] = checksum::OPTIONS[at];
            at += 1;
        }
        options[at] = Opt::value('l', &["length"], "length", "BITS", "digest length in bits; a multiple of 8");
        options
    },
    trouble: Status(1),
    run: |call| checksum::run_single(call, Algorithm::Blake2b(512)),
};

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    #[test]
    fn sums_of_files_and_stdin() {
        check_with_stdin(
            &[("a", "abc")],
            "md5sum a nosuch -",
            "",
            expect![[r#"
            900150983cd24fb0d6963f7d28e17f72  a
            d41d8cd98f00b204e9800998ecf8427e  -
            [stderr]
            md5sum: nosuch: No such file or directory
            [status 1]
        "#]],
        );
        check(
            &[("a", "abc")],
            "sha1sum --tag a",
            expect![[r#"
            SHA1 (a) = a9993e364706816aba3e25717850c26c9cd0d89d
        "#]],
        );
        check(
            &[("a", "abc")],
            "b2sum -l 64 a",
            expect![[r#"
            d8bb14d833d59559  a
        "#]],
        );
    }

    #[test]
    fn lists_are_checked() {
        let list = "900150983cd24fb0d6963f7d28e17f72  a\nMD5 (b) = 900150983cd24fb0d6963f7d28e17f72\nrubbish\n\
                    900150983cd24fb0d6963f7d28e17f72 *nosuch\n";
        check_with_stdin(
            &[("a", "abc"), ("b", "x")],
            "md5sum -c",
            list,
            expect![[r#"
                a: OK
                b: FAILED
                nosuch: FAILED open or read
                [stderr]
                md5sum: nosuch: No such file or directory
                md5sum: WARNING: 1 line is improperly formatted
                md5sum: WARNING: 1 listed file could not be read
                md5sum: WARNING: 1 computed checksum did NOT match
                [status 1]
            "#]],
        );
        check_with_stdin(
            &[("a", "abc")],
            "sha256sum -c",
            list,
            expect![[r#"
            [stderr]
            sha256sum: 'standard input': no properly formatted checksum lines found
            [status 1]
        "#]],
        );
    }
}
