//! `gzip`, `gunzip` and `zcat`: to the compressed form and back, of streams and of files; onto standard output, or in
//! the place of the file where the tree lets anything be written.
//!
//! The steps: [`inflate`] reads a compressed stream, [`list`] tells of one.
pub(crate) mod inflate;
mod list;

use crate::{
    Builtin, Call, Change, Error, ErrorKind, FsError, Input, Meta, Opt, Result, Status,
    args::{self, Order},
    quoted_if_odd,
};
use flate2::{Compression, GzBuilder, write::GzEncoder};
use inflate::{Counted, Inflated};
use list::Sums;
use std::{
    io::{BufRead, Read, Write},
    mem,
};

pub(crate) static GZIP: Builtin =
    row("gzip", "Compress FILEs, or with -d uncompress them; with -c onto standard output.");

pub(crate) static GUNZIP: Builtin = row("gunzip", "Uncompress FILEs; with -c onto standard output.");

pub(crate) static ZCAT: Builtin = row("zcat", "Uncompress FILEs to standard output.");

const fn row(name: &'static str, about: &'static str) -> Builtin {
    Builtin { name, synopsis: "[OPTION]... [FILE]...", about, options: OPTIONS, trouble: Status(1), run }
}

const OPTIONS: &[Opt] = &[
    Opt::flag('c', &["stdout", "to-stdout"], "stdout", "write on standard output, keep original files unchanged"),
    Opt::flag('d', &["decompress", "uncompress"], "decompress", "decompress"),
    Opt::flag('f', &["force"], "force", "with -dc, hand through what is not compressed"),
    Opt::flag('h', &["help"], "help", "give this help"),
    Opt::flag('k', &["keep"], "keep", "keep input files"),
    Opt::flag('l', &["list"], "list", "list compressed file contents"),
    Opt::flag('n', &["no-name"], "no-name", "do not save the original name and timestamp"),
    Opt::flag('N', &["name"], "name", "save the original name and timestamp"),
    Opt::flag('q', &["quiet"], "quiet", "suppress all warnings"),
    Opt::value('S', &["suffix"], "suffix", "SUF", "use suffix SUF on compressed files"),
    Opt::flag('t', &["test"], "test", "test compressed file integrity"),
    Opt::flag('v', &["verbose"], "verbose", "verbose mode"),
    Opt::flag('V', &["version"], "version", "display version number"),
    Opt::flag('1', &["fast"], "1", "compress faster"),
    Opt::flag('2', &[], "2", ""),
    Opt::flag('3', &[], "3", ""),
    Opt::flag('4', &[], "4", ""),
    Opt::flag('5', &[], "5", ""),
    Opt::flag('6', &[], "6", ""),
    Opt::flag('7', &[], "7", ""),
    Opt::flag('8', &[], "8", ""),
    Opt::flag('9', &["best"], "9", "compress better"),
];

/// The status of a file that was passed over; a failure outweighs it.
const WARNING: Status = Status(2);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Compress,
    Decompress,
    List,
    Test,
}

struct Options {
    mode: Mode,
    /// Onto standard output, not into a file beside.
    stdout: bool,
    force: bool,
    name: bool,
    keep: bool,
    quiet: bool,
    verbose: bool,
    suffix: String,
    level: u32,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.has("help") {
        return Err(Error::Help);
    }
    if parsed.has("version") {
        return Err(Error::Version);
    }
    let decompress = parsed.has("decompress") || call.builtin.name != "gzip";
    let last = |keys: &[&str]| parsed.options.iter().rev().map(|(key, _)| *key).find(|key| keys.contains(key));
    let options = Options {
        mode: match last(&["list", "test"]) {
            Some("list") => Mode::List,
            Some(_) => Mode::Test,
            None if decompress => Mode::Decompress,
            None => Mode::Compress,
        },
        stdout: parsed.has("stdout") || call.builtin.name == "zcat",
        force: parsed.has("force"),
        name: last(&["name", "no-name"]) != Some("no-name"),
        keep: parsed.has("keep"),
        quiet: parsed.has("quiet"),
        verbose: parsed.has("verbose"),
        suffix: parsed.value("suffix").unwrap_or(".gz").to_string(),
        level: last(&["1", "2", "3", "4", "5", "6", "7", "8", "9"]).and_then(|level| level.parse().ok()).unwrap_or(6),
    };
    let mut work = Work { options, status: Status::OK, sums: Sums::default(), goal: "stdout".to_string() };
    match parsed.operands.is_empty() {
        true => work.stream(call, "stdin", None)?,
        false => {
            for file in &parsed.operands {
                work.file(call, file)?;
            }
        }
    }
    work.sums.print_totals(call, &work.options)?;
    Ok(work.status)
}

struct Work {
    options: Options,
    status: Status,
    sums: Sums,
    /// What the output takes the place of, as `-v` tells it.
    goal: String,
}

impl Work {
    fn fail(&mut self, call: &mut Call<'_>, message: impl std::fmt::Display) -> Result<()> {
        self.status = Status::FAILURE;
        call.warn(message)
    }

    fn pass_over(&mut self, call: &mut Call<'_>, message: impl std::fmt::Display) -> Result<()> {
        if self.options.quiet {
            return Ok(());
        }
        if self.status.is_ok() {
            self.status = WARNING;
        }
        call.warn(message)
    }

    fn file(&mut self, call: &mut Call<'_>, operand: &str) -> Result<()> {
        if operand == "-" {
            return self.stream(call, "stdin", None);
        }
        let compresses = self.options.mode == Mode::Compress;
        let name = match call.stat(operand) {
            // `gunzip page` means `page.gz`.
            Err(FsError { kind: ErrorKind::NotFound, .. }) if !compresses => {
                format!("{operand}{}", self.options.suffix)
            }
            _ => operand.to_string(),
        };
        let meta = match call.stat(&name) {
            Ok(meta) => meta,
            Err(error) => {
                let cause = FsError::within(Error::Io(error.into()))?;
                return self.fail(call, format_args!("{}: {cause}", quoted_if_odd(&name)));
            }
        };
        if meta.is_dir() {
            return self.pass_over(call, format_args!("{name} is a directory -- ignored"));
        }
        let reads_only = self.options.stdout || matches!(self.options.mode, Mode::List | Mode::Test);
        if !reads_only {
            return self.replace(call, &name, &meta);
        }
        self.stream(call, &name, Some(meta.mtime))
    }

    /// Write what comes of `name` beside it, in its place.
    fn replace(&mut self, call: &mut Call<'_>, name: &str, meta: &Meta) -> Result<()> {
        let suffix = self.options.suffix.clone();
        let target = match (self.options.mode, name.strip_suffix(&suffix)) {
            (Mode::Compress, None) => format!("{name}{suffix}"),
            (Mode::Compress, Some(_)) => {
                return self.pass_over(call, format_args!("{name} already has {suffix} suffix -- unchanged"));
            }
            (_, Some(target)) => target.to_string(),
            (_, None) => return self.pass_over(call, format_args!("{name}: unknown suffix -- ignored")),
        };
        if !self.options.force && call.stat(&target).is_ok() {
            return self.pass_over(call, format_args!("{target} already exists;\tnot overwritten"));
        }
        let file = match call.create(&target) {
            Ok(file) => file,
            Err(why) => return self.fail(call, format_args!("{target}: {why}")),
        };
        let stdout = mem::replace(&mut call.stdout, file);
        let status = mem::replace(&mut self.status, Status::OK);
        self.goal.clone_from(&target);
        let done = self.stream(call, name, Some(meta.mtime));
        let done = done.and_then(|()| Ok(call.stdout.flush()?));
        call.stdout = stdout;
        if done.is_err() || self.status == Status::FAILURE {
            call.remove(&target)?;
            return done;
        }
        if status != Status::OK {
            self.status = status;
        }
        call.change(&target, Change::SetMode(meta.mode))?;
        call.change(&target, Change::SetTime(meta.mtime, meta.nanos))?;
        if self.options.keep { Ok(()) } else { Ok(call.remove(name)?) }
    }

    /// Do to one file, or to stdin, what is to be done. A file that cannot be read through costs only itself.
    fn stream(&mut self, call: &mut Call<'_>, name: &str, mtime: Option<i64>) -> Result<()> {
        let opened = if mtime.is_none() { Ok(call.stdin.clone()) } else { call.open(name) };
        let result = match opened {
            Ok(input) if self.options.mode == Mode::Compress => self.compress(call, name, mtime, input),
            Ok(input) => self.decompress(call, name, mtime, input),
            Err(error) => Err(Error::Io(error.into())),
        };
        let Err(error) = result else { return Ok(()) };
        let cause = match inflate::Damage::of(&error) {
            Some(damage) => damage.to_string(),
            None => FsError::within(error)?.to_string(),
        };
        self.fail(call, format_args!("{}: {cause}", quoted_if_odd(name)))
    }

    fn compress(&mut self, call: &mut Call<'_>, name: &str, mtime: Option<i64>, mut input: Input) -> Result<()> {
        let mut header = GzBuilder::new();
        if let Some(mtime) = mtime.filter(|_| self.options.name) {
            let base = name.rsplit('/').next().unwrap_or(name);
            header = header.filename(base).mtime(u32::try_from(mtime).unwrap_or(0));
        }
        let mut encoder: GzEncoder<_> =
            header.write(Counted { inner: call.stdout.clone(), count: 0 }, Compression::new(self.options.level));
        let mut text: u64 = 0;
        loop {
            let bytes = input.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            encoder.write_all(bytes)?;
            let used = bytes.len();
            text += used as u64;
            input.consume(used);
        }
        encoder.try_finish()?;
        encoder.get_mut().flush()?;
        if self.options.verbose {
            let ratio = list::ratio(text, encoder.get_ref().count);
            writeln!(call.stderr, "{name}:\t{ratio} -- replaced with {}", self.goal)?;
        }
        Ok(())
    }

    fn decompress(&mut self, call: &mut Call<'_>, name: &str, mtime: Option<i64>, input: Input) -> Result<()> {
        let mut inflated = Inflated::new(input)?;
        if !inflated.is_compressed() {
            if self.options.force && self.options.mode == Mode::Decompress {
                std::io::copy(&mut inflated.into_source(), &mut call.stdout)?;
                return Ok(());
            }
            return Err(inflated.damage());
        }
        let prints = self.options.mode == Mode::Decompress;
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let count = inflated.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            if prints {
                call.stdout.write_all(&buffer[..count])?;
            }
        }
        if inflated.has_garbage() {
            self.pass_over(call, format_args!("{name}: decompression OK, trailing garbage ignored"))?;
        }
        match self.options.mode {
            Mode::List => self.sums.print(call, &self.options, name, mtime, &inflated)?,
            Mode::Test if self.options.verbose => writeln!(call.stderr, "{name}:\t OK")?,
            Mode::Decompress if self.options.verbose => {
                let ratio = list::ratio(inflated.text(), inflated.packed() - inflated.overhead());
                writeln!(call.stderr, "{name}:\t{ratio} -- replaced with {}", self.goal)?;
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, run};
    use expect_test::expect;

    const TREE: &[(&str, &str)] = &[("a.txt", "hello\nworld\n"), ("d/b.gz", "no\n"), ("c", ""), ("c.gz", "")];

    fn packed() -> Vec<u8> {
        run(TREE, "gzip -cn a.txt", b"").0
    }

    #[test]
    fn a_stream_is_packed_and_unpacked() {
        let packed = packed();
        assert!(packed.starts_with(b"\x1f\x8b"));
        let (text, complaints, status) = run(&[], "zcat", &[packed.clone(), packed.clone()].concat());
        assert_eq!((&text[..], &complaints[..], status.0), (&b"hello\nworld\nhello\nworld\n"[..], &b""[..], 0));
        let (text, complaints, status) = run(&[], "gunzip", &[&packed[..], b"junk"].concat());
        assert_eq!(text, b"hello\nworld\n");
        assert_eq!(complaints, b"gunzip: stdin: decompression OK, trailing garbage ignored\n");
        assert_eq!(status.0, 2);
    }

    #[test]
    fn what_is_damaged_is_said() {
        let packed = packed();
        let complain = |bytes: &[u8]| String::from_utf8(run(&[], "gzip -t", bytes).1).unwrap();
        assert_eq!(complain(&packed[..20]), "gzip: stdin: unexpected end of file\n");
        assert_eq!(complain(b"text"), "gzip: stdin: not in gzip format\n");
        let mut wrong = packed.clone();
        let at = wrong.len() - 6;
        wrong[at] ^= 1;
        assert_eq!(complain(&wrong), "gzip: stdin: invalid compressed data--crc error\n");
    }

    #[test]
    fn a_stream_is_listed() {
        let listed = run(&[], "gzip -l", &packed()).0;
        assert_eq!(
            String::from_utf8(listed).unwrap(),
            "         compressed        uncompressed  ratio uncompressed_name\n\
             \u{20}                32                  12 -16.7% stdout\n"
        );
    }

    #[test]
    fn files_beside_cannot_be_made() {
        check(
            TREE,
            "gzip a.txt c d nosuch",
            expect![[r#"
                [stderr]
                gzip: a.txt.gz: Read-only file system
                gzip: c.gz already exists;	not overwritten
                gzip: d is a directory -- ignored
                gzip: nosuch: No such file or directory
                [status 1]
            "#]],
        );
        check(
            TREE,
            "gunzip d/b a.txt nosuch",
            expect![[r#"
                [stderr]
                gunzip: d/b: Read-only file system
                gunzip: a.txt: unknown suffix -- ignored
                gunzip: nosuch.gz: No such file or directory
                [status 1]
            "#]],
        );
        check(
            TREE,
            "zcat -f a.txt",
            expect![[r#"
            hello
            world
        "#]],
        );
    }
}
