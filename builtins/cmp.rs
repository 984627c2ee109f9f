//! `cmp`: two files byte by byte.
use crate::{
    Builtin, Call, Device, Error, FsError, Input, Opt, Result, Status,
    args::{self, Order},
    number, quoted, quoted_if_odd,
};
use std::io::{self, BufRead, Write};

pub(crate) static CMP: Builtin = Builtin {
    name: "cmp",
    synopsis: "[OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]",
    about: "Compare two files byte by byte.",
    options: &[
        Opt::flag('b', &["print-bytes"], "bytes", "print differing bytes"),
        Opt::value('i', &["ignore-initial"], "skip", "SKIP1[:SKIP2]", "skip first SKIP bytes of the files"),
        Opt::flag('l', &["verbose"], "all", "output byte numbers and differing byte values"),
        Opt::value('n', &["bytes"], "limit", "LIMIT", "compare at most LIMIT bytes"),
        Opt::flag('s', &["quiet", "silent"], "silent", "suppress all normal output"),
        Opt::flag('v', &[], args::VERSION, "output version information"),
    ],
    trouble: Status(2),
    run,
};

/// The status of trouble.
const TROUBLE: Status = Status(2);

struct Options {
    bytes: bool,
    all: bool,
    silent: bool,
    skip: [u64; 2],
    limit: u64,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut options = Options {
        bytes: parsed.has("bytes"),
        all: parsed.has("all"),
        silent: parsed.has("silent"),
        skip: [0, 0],
        limit: u64::MAX,
    };
    if options.all && options.silent {
        return Err(call.refuse("options -l and -s are incompatible"));
    }
    if let Some(skips) = parsed.value("skip") {
        let (first, second) = skips.split_once(':').unwrap_or((skips, skips));
        options.skip = [skip(call, first)?, skip(call, second)?];
    }
    if let Some(limit) = parsed.value("limit") {
        match number::parse(limit, "kKMGTPEZY0") {
            Ok(limit) => options.limit = limit,
            Err(number::Malformed::Overflow) => {}
            Err(number::Malformed::Invalid) => {
                return Err(call.refuse(format_args!("invalid --bytes value {}", quoted(limit))));
            }
        }
    }
    let operands = &parsed.operands;
    let names = match operands.as_slice() {
        [] => return Err(call.refuse(format_args!("missing operand after {}", quoted(call.name())))),
        [_, _, first, second, extra, ..] => {
            skip(call, first)?;
            skip(call, second)?;
            return Err(call.refuse(format_args!("extra operand {}", quoted(extra))));
        }
        [only] => [only.as_str(), "-"],
        [first, second, ..] => [first.as_str(), second.as_str()],
    };
    for (at, text) in operands.iter().skip(2).enumerate() {
        options.skip[at] = options.skip[at].max(skip(call, text)?);
    }
    compare(call, &options, names)
}

fn skip(call: &mut Call<'_>, text: &str) -> Result<u64> {
    match number::parse(text, "kKMGTPEZY0") {
        Ok(count) => Ok(count),
        Err(number::Malformed::Overflow) => Ok(u64::MAX),
        Err(number::Malformed::Invalid) => {
            Err(call.refuse(format_args!("invalid --ignore-initial value {}", quoted(text))))
        }
    }
}

/// A file being compared.
struct Side {
    input: Input,
    /// Its size, where the tree tells it.
    size: Option<u64>,
    path: Option<crate::VPath>,
}

fn open(call: &Call<'_>, name: &str) -> Result<Side, FsError> {
    if name == "-" || Device::named(name).is_some() {
        let input = if name == "-" { call.stdin.clone() } else { call.open(name)? };
        return Ok(Side { input, size: None, path: None });
    }
    let path = call.resolve(name)?;
    let size = call.fs.stat(&path)?.size;
    Ok(Side { input: call.open(name)?, size, path: Some(path) })
}

fn compare(call: &mut Call<'_>, options: &Options, names: [&str; 2]) -> Result<Status> {
    let mut sides = Vec::new();
    for name in names {
        match open(call, name) {
            Ok(side) => sides.push(side),
            Err(error) => {
                let cause = FsError::within(Error::Io(io::Error::from(error)))?;
                if !options.silent || !matches!(cause.kind, crate::ErrorKind::NotFound) {
                    call.warn(format_args!("{}: {cause}", quoted_if_odd(name)))?;
                }
                return Ok(TROUBLE);
            }
        }
    }
    let (Some(mut second), Some(mut first)) = (sides.pop(), sides.pop()) else {
        return Ok(TROUBLE);
    };
    let left = |size: Option<u64>, skip: u64| size.map(|size| size.saturating_sub(skip));
    let sizes = [left(first.size, options.skip[0]), left(second.size, options.skip[1])];
    if options.skip[0] == options.skip[1] && first.path.is_some() && first.path == second.path {
        return Ok(Status::OK);
    }
    if let ([Some(a), Some(b)], true) = (sizes, options.silent)
        && a != b
        && a.min(b) < options.limit
    {
        return Ok(Status::FAILURE);
    }
    let most = sizes.iter().flatten().min().copied().unwrap_or(i64::MAX as u64).min(options.limit);
    let width = most.to_string().len();
    pass(&mut first.input, options.skip[0])?;
    pass(&mut second.input, options.skip[1])?;
    let (mut byte, mut newlines): (u64, u64) = (0, 0);
    let mut ended_line = true;
    let mut status = Status::OK;
    loop {
        let (a, b) = (first.input.fill_buf()?, second.input.fill_buf()?);
        let room = usize::try_from(options.limit - byte).unwrap_or(usize::MAX);
        let count = a.len().min(b.len()).min(room);
        if count == 0 {
            if room == 0 || (a.is_empty() && b.is_empty()) {
                return Ok(status);
            }
            let name = if a.is_empty() { names[0] } else { names[1] };
            if !options.silent {
                let place = match (byte, options.all) {
                    (0, _) => "which is empty".to_string(),
                    (_, true) => format!("after byte {byte}"),
                    (_, false) if ended_line => format!("after byte {byte}, line {newlines}"),
                    (_, false) => format!("after byte {byte}, in line {}", newlines + 1),
                };
                call.warn(format_args!("EOF on {} {place}", quoted_if_odd(name)))?;
            }
            return Ok(Status::FAILURE);
        }
        if a[..count] == b[..count] {
            newlines += memchr::memchr_iter(b'\n', &a[..count]).count() as u64;
        } else {
            status = Status::FAILURE;
            if options.silent {
                return Ok(status);
            }
            for (at, (x, y)) in a[..count].iter().zip(&b[..count]).enumerate() {
                if x != y {
                    let number = byte + at as u64 + 1;
                    let out = &mut call.stdout;
                    let line = newlines + 1;
                    match (options.all, options.bytes) {
                        (true, true) => {
                            writeln!(out, "{number:width$} {x:3o} {:<4} {y:3o} {}", shown(*x), shown(*y))?;
                        }
                        (true, false) => writeln!(out, "{number:width$} {x:3o} {y:3o}")?,
                        (false, bytes) => {
                            let [first, second] = names.map(quoted_if_odd);
                            write!(out, "{first} {second} differ: byte {number}, line {line}")?;
                            if bytes {
                                write!(out, " is {x:3o} {} {y:3o} {}", shown(*x), shown(*y))?;
                            }
                            writeln!(out)?;
                            return Ok(status);
                        }
                    }
                }
                newlines += u64::from(*x == b'\n');
            }
        }
        ended_line = a[count - 1] == b'\n';
        byte += count as u64;
        first.input.consume(count);
        second.input.consume(count);
    }
}

fn pass(input: &mut Input, mut count: u64) -> Result<()> {
    while count > 0 {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        let used = bytes.len().min(usize::try_from(count).unwrap_or(usize::MAX));
        input.consume(used);
        count -= used as u64;
    }
    Ok(())
}

/// A byte in `^` and `M-` notation.
fn shown(byte: u8) -> String {
    let (meta, low) = if byte >= 0x80 { ("M-", byte & 0x7f) } else { ("", byte) };
    match low {
        0..32 => format!("{meta}^{}", char::from(low + 64)),
        127 => format!("{meta}^?"),
        low => format!("{meta}{}", char::from(low)),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TREE: &[(&str, &str)] = &[("a", "a\nb\nc\n"), ("b", "a\nx\nc"), ("empty", "")];

    #[test]
    fn the_first_difference_or_all() {
        check(
            TREE,
            "cmp a b",
            expect![[r#"
            a b differ: byte 3, line 2
            [status 1]
        "#]],
        );
        check(
            TREE,
            "cmp -lb a b",
            expect![[r#"
            3 142 b    170 x
            [stderr]
            cmp: EOF on b after byte 5
            [status 1]
        "#]],
        );
        check(
            TREE,
            "cmp -s a b",
            expect![[r#"
            [status 1]
        "#]],
        );
    }

    #[test]
    fn parts_are_compared() {
        check(TREE, "cmp -n 2 a b", expect![""]);
        check(
            TREE,
            "cmp -i 3 a b",
            expect![[r#"
            [stderr]
            cmp: EOF on b after byte 2, in line 2
            [status 1]
        "#]],
        );
    }

    #[test]
    fn trouble_has_status_2() {
        check(
            TREE,
            "cmp a nosuch",
            expect![[r#"
            [stderr]
            cmp: nosuch: No such file or directory
            [status 2]
        "#]],
        );
        check(
            TREE,
            "cmp a empty",
            expect![[r#"
            [stderr]
            cmp: EOF on empty which is empty
            [status 1]
        "#]],
        );
    }
}
