//! `dd`: copy blocks of bytes, converting them on the way. What is written to is a device, or a file where the tree
//! lets anything be written.
mod options;

use crate::{Builtin, Call, Device, Error, FsError, Input, Result, Status, quoted};
use options::{Case, Options};
use std::{
    io::{BufRead, Read, Write},
    time::Instant,
};

pub(crate) static DD: Builtin = Builtin {
    name: "dd",
    synopsis: "[OPERAND]...",
    about: "Copy a file, converting and formatting according to the operands.\n\
            if=FILE of=FILE bs=BYTES ibs=BYTES obs=BYTES count=N skip=N conv=lcase,ucase,swab,sync\n\
            status=none,noxfer iflag=count_bytes,skip_bytes",
    options: &[],
    trouble: Status(1),
    run,
};

/// Blocks that went through: whole ones and others.
#[derive(Default)]
struct Records {
    whole: u64,
    partial: u64,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let options = options::read(call)?;
    let begin = Instant::now();
    let mut input = match &options.input {
        None => call.stdin.clone(),
        Some(file) => match call.open(file) {
            Ok(input) => input,
            // A folder can be opened, but not read.
            Err(error) if matches!(error.kind, crate::ErrorKind::IsADirectory) => {
                call.warn(format_args!("error reading {}: {error}", quoted(file)))?;
                report(call, &options, &Records::default(), &Records::default(), 0, begin)?;
                return Ok(Status::FAILURE);
            }
            Err(error) => return Err(Error::failed(format!("failed to open {}: {error}", quoted(file)))),
        },
    };
    let mut output = match &options.output {
        None => call.stdout.clone(),
        Some(file) => {
            let opened = call.open_to_write(file, options.opening);
            let output = opened.map_err(|error| Error::failed(format!("failed to open {}: {error}", quoted(file))))?;
            if options.seek > 0 && Device::named(file).is_none() {
                return Err(Error::failed("seek= is not supported"));
            }
            output
        }
    };
    call.memory.take(options.input_block)?;
    let mut status = Status::OK;
    let (mut read_in, mut written, mut bytes) = (Records::default(), Records::default(), 0_u64);
    let mut left = options.count_in_bytes.then_some(options.count).flatten();
    if let Err(error) = skip(call, &mut input, options.skip) {
        complain(call, &options, error)?;
        status = Status::FAILURE;
    }
    while status.is_ok()
        && (options.count_in_bytes || options.count.is_none_or(|most| read_in.whole + read_in.partial < most))
    {
        call.cancel.check()?;
        let wanted = left.map_or(options.input_block as u64, |left| left.min(options.input_block as u64));
        let mut block = Vec::new();
        if let Err(error) = (&mut input).take(wanted).read_to_end(&mut block) {
            complain(call, &options, error.into())?;
            status = Status::FAILURE;
        }
        if block.is_empty() {
            break;
        }
        left = left.map(|left| left - block.len() as u64);
        let is_whole = block.len() == options.input_block;
        read_in.whole += u64::from(is_whole);
        read_in.partial += u64::from(!is_whole);
        convert(&mut block, &options);
        output.write_all(&block)?;
        bytes += block.len() as u64;
        if options.output_block.is_none() {
            written.whole += u64::from(block.len() == options.input_block);
            written.partial += u64::from(block.len() != options.input_block);
        }
    }
    output.flush()?;
    if let Some(size) = options.output_block {
        written = Records { whole: bytes / size as u64, partial: u64::from(bytes % size as u64 > 0) };
    }
    report(call, &options, &read_in, &written, bytes, begin)?;
    Ok(status)
}

fn complain(call: &mut Call<'_>, options: &Options, error: Error) -> Result<()> {
    let cause = FsError::within(error)?;
    let name = options.input.as_deref().unwrap_or("standard input");
    call.warn(format_args!("error reading {}: {cause}", quoted(name)))
}

/// Pass over so many bytes.
fn skip(call: &Call<'_>, input: &mut Input, mut bytes: u64) -> Result<()> {
    while bytes > 0 {
        call.cancel.check()?;
        let ready = input.fill_buf()?.len() as u64;
        if ready == 0 {
            return Ok(());
        }
        let step = ready.min(bytes);
        input.consume(step as usize);
        bytes -= step;
    }
    Ok(())
}

fn convert(block: &mut Vec<u8>, options: &Options) {
    match options.case {
        Some(Case::Lower) => block.make_ascii_lowercase(),
        Some(Case::Upper) => block.make_ascii_uppercase(),
        None => {}
    }
    if options.swaps {
        block.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
    }
    if options.pads {
        block.resize(options.input_block, 0);
    }
}

/// What was copied, on stderr.
fn report(
    call: &mut Call<'_>,
    options: &Options,
    read: &Records,
    written: &Records,
    bytes: u64,
    begin: Instant,
) -> Result<()> {
    if options.is_silent {
        return Ok(());
    }
    writeln!(call.stderr, "{}+{} records in", read.whole, read.partial)?;
    writeln!(call.stderr, "{}+{} records out", written.whole, written.partial)?;
    if options.tells_no_time {
        return Ok(());
    }
    let seconds = begin.elapsed().as_secs_f64().max(1e-6);
    let scaled = |value: f64, base: f64, suffix: &str| {
        let letters = ["", if base > 1000.0 { "K" } else { "k" }, "M", "G", "T", "P", "E"];
        let power = (0..6).find(|power| value < base.powi(power + 1)).unwrap_or(6);
        let number = value / base.powi(power);
        let number = if number < 10.0 && power > 0 { format!("{number:.1}") } else { format!("{number:.0}") };
        format!("{number} {}{suffix}", letters[power as usize])
    };
    let sizes = match bytes {
        0..1000 => String::new(),
        1000..1024 => format!(" ({})", scaled(bytes as f64, 1000.0, "B")),
        _ => format!(" ({}, {})", scaled(bytes as f64, 1000.0, "B"), scaled(bytes as f64, 1024.0, "iB")),
    };
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    let speed = scaled(bytes as f64 / seconds, 1000.0, "B/s");
    writeln!(call.stderr, "{bytes} {unit}{sizes} copied, {seconds:.6} s, {speed}")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    #[test]
    fn blocks_are_counted_and_converted() {
        let tree = &[("a", "abcdefghij")];
        check(
            tree,
            "dd if=a bs=4 skip=1 count=1 status=none",
            expect![[r#"
            efgh[no newline]
        "#]],
        );
        check(
            tree,
            "dd if=a ibs=3 obs=4 conv=ucase,swab status=noxfer",
            expect![[r#"
            BACEDFHGIJ[no newline]
            [stderr]
            3+1 records in
            2+1 records out
        "#]],
        );
        check(
            tree,
            "dd if=a iflag=skip_bytes,count_bytes skip=2 count=3 status=none",
            expect![[r#"
            cde[no newline]
        "#]],
        );
        check_with_stdin(
            tree,
            "dd bs=2k status=noxfer of=/dev/null",
            "text",
            expect![[r#"
            [stderr]
            0+1 records in
            0+1 records out
        "#]],
        );
    }

    #[test]
    fn what_cannot_be_opened_is_said() {
        let tree = &[("a/b", "")];
        check(
            tree,
            "dd if=nosuch",
            expect![[r#"
            [stderr]
            dd: failed to open 'nosuch': No such file or directory
            [status 1]
        "#]],
        );
        check(
            tree,
            "dd of=new",
            expect![[r#"
            [stderr]
            dd: failed to open 'new': Read-only file system
            [status 1]
        "#]],
        );
        check(
            tree,
            "dd bs=x",
            expect![[r#"
            [stderr]
            dd: invalid number: ‘x’
            [status 1]
        "#]],
        );
        check(
            tree,
            "dd what",
            expect![[r#"
            [stderr]
            dd: unrecognized operand ‘what’
            Try 'dd --help' for more information.
            [status 1]
        "#]],
        );
    }
}
