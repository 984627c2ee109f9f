//! `cmp`: two files byte by byte.
use crate::{
    Builtin, Call, Device, Error, ErrorKind, FsError, Input, Opt, Result, Status,
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

/// A number of bytes to leave out.
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

/// The file `name`; `None` when it does not open, which is said.
fn opened(call: &mut Call<'_>, options: &Options, name: &str) -> Result<Option<Side>> {
    match open(call, name) {
        Ok(side) => Ok(Some(side)),
        Err(error) => {
            let cause = FsError::within(Error::Io(io::Error::from(error)))?;
            if !options.silent || !matches!(cause.kind, ErrorKind::NotFound) {
                call.warn(format_args!("{}: {cause}", quoted_if_odd(name)))?;
            }
            Ok(None)
        }
    }
}

fn compare(call: &mut Call<'_>, options: &Options, names: [&str; 2]) -> Result<Status> {
    let Some(mut first) = opened(call, options, names[0])? else { return Ok(TROUBLE) };
    let Some(mut second) = opened(call, options, names[1])? else { return Ok(TROUBLE) };
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
    pass(&mut first.input, options.skip[0])?;
    pass(&mut second.input, options.skip[1])?;
    let width = most.to_string().len();
    Comparison { options, names, width, byte: 0, newlines: 0, ended_line: true }.run(call, first.input, second.input)
}

/// How far two files have been compared.
struct Comparison<'a> {
    options: &'a Options,
    names: [&'a str; 2],
    /// Columns of the number of a byte.
    width: usize,
    /// The bytes that have been compared, and the newlines among those of the first file.
    byte: u64,
    newlines: u64,
    /// Whether the last of them was a newline.
    ended_line: bool,
}

impl Comparison<'_> {
    fn run(mut self, call: &mut Call<'_>, mut first: Input, mut second: Input) -> Result<Status> {
        let mut status = Status::OK;
        loop {
            let (a, b) = (first.fill_buf()?, second.fill_buf()?);
            let room = usize::try_from(self.options.limit - self.byte).unwrap_or(usize::MAX);
            let count = a.len().min(b.len()).min(room);
            if count == 0 {
                if room == 0 || (a.is_empty() && b.is_empty()) {
                    return Ok(status);
                }
                let name = if a.is_empty() { self.names[0] } else { self.names[1] };
                if !self.options.silent {
                    self.tell_end(call, name)?;
                }
                return Ok(Status::FAILURE);
            }
            let (a, b) = (&a[..count], &b[..count]);
            if a == b {
                self.newlines += memchr::memchr_iter(b'\n', a).count() as u64;
            } else {
                status = Status::FAILURE;
                if self.options.silent || self.tell_differences(call, a, b)? {
                    return Ok(status);
                }
            }
            self.ended_line = a[count - 1] == b'\n';
            self.byte += count as u64;
            first.consume(count);
            second.consume(count);
        }
    }

    /// Say that the file `name` is the shorter one.
    fn tell_end(&self, call: &mut Call<'_>, name: &str) -> Result<()> {
        let place = match (self.byte, self.options.all) {
            (0, _) => "which is empty".to_string(),
            (byte, true) => format!("after byte {byte}"),
            (byte, false) if self.ended_line => format!("after byte {byte}, line {}", self.newlines),
            (byte, false) => format!("after byte {byte}, in line {}", self.newlines + 1),
        };
        call.warn(format_args!("EOF on {} {place}", quoted_if_odd(name)))
    }

    /// Say where `a` and `b`, which are as long as each other, differ; whether that is all that is asked for.
    fn tell_differences(&mut self, call: &mut Call<'_>, a: &[u8], b: &[u8]) -> Result<bool> {
        let (out, width) = (&mut call.stdout, self.width);
        for (at, (x, y)) in a.iter().zip(b).enumerate() {
            if x != y {
                let number = self.byte + at as u64 + 1;
                match (self.options.all, self.options.bytes) {
                    (true, true) => {
                        writeln!(out, "{number:width$} {x:3o} {:<4} {y:3o} {}", shown(*x), shown(*y))?;
                    }
                    (true, false) => writeln!(out, "{number:width$} {x:3o} {y:3o}")?,
                    (false, bytes) => {
                        let [first, second] = self.names.map(quoted_if_odd);
                        write!(out, "{first} {second} differ: byte {number}, line {}", self.newlines + 1)?;
                        if bytes {
                            write!(out, " is {x:3o} {} {y:3o} {}", shown(*x), shown(*y))?;
                        }
                        writeln!(out)?;
                        return Ok(true);
                    }
                }
            }
            self.newlines += u64::from(*x == b'\n');
        }
        Ok(false)
    }
}

/// Leave out the first `count` bytes.
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
