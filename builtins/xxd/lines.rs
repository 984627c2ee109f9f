//! The dump in lines: position, digits in groups, characters.
use super::{
    Bytes,
    options::{Form, Options},
};
use crate::{Call, Result};
use std::io::Write;

/// Print what `bytes` holds; its first byte stands at `start`.
pub(super) fn print(call: &mut Call<'_>, options: &Options, bytes: &mut Bytes<'_>, start: u64) -> Result<()> {
    let mut position = start.wrapping_add_signed(options.shift);
    let mut block = Vec::new();
    let mut nuls = Nuls::default();
    loop {
        bytes.next(&mut block, options.columns)?;
        if block.is_empty() {
            break;
        }
        let line = line(options, position, &block);
        let whole = block.len() == options.columns;
        if options.autoskip && whole && block.iter().all(|byte| *byte == 0) {
            nuls.add(call, line)?;
        } else {
            nuls.end(call)?;
            call.stdout.write_all(&line)?;
        }
        position = position.wrapping_add(block.len() as u64);
        if !whole {
            break;
        }
    }
    if let Some(last) = nuls.take_last() {
        nuls.end(call)?;
        call.stdout.write_all(&last)?;
    }
    Ok(())
}

/// Lines of NULs, one after the other: the first is shown, the ones that follow it are a star; a second that is alone
/// is shown, and so is the last line of the dump.
#[derive(Default)]
struct Nuls {
    count: u64,
    second: Vec<u8>,
    last: Vec<u8>,
}

impl Nuls {
    fn add(&mut self, call: &mut Call<'_>, line: Vec<u8>) -> Result<()> {
        self.count += 1;
        match self.count {
            1 => call.stdout.write_all(&line)?,
            2 => self.second.clone_from(&line),
            _ => {}
        }
        self.last = line;
        Ok(())
    }

    fn end(&mut self, call: &mut Call<'_>) -> Result<()> {
        match std::mem::take(&mut self.count) {
            0 | 1 => {}
            2 => call.stdout.write_all(&self.second)?,
            _ => call.stdout.write_all(b"*\n")?,
        }
        Ok(())
    }

    /// The last line, when it has not been shown: it then no longer counts.
    fn take_last(&mut self) -> Option<Vec<u8>> {
        (self.count > 1).then(|| {
            self.count -= 1;
            std::mem::take(&mut self.last)
        })
    }
}

fn line(options: &Options, position: u64, block: &[u8]) -> Vec<u8> {
    let digits = if options.form == Form::Bits { 8 } else { 2 };
    let address = if options.decimal { format!("{position:08}: ") } else { format!("{position:08x}: ") };
    let mut out = address.into_bytes();
    let start = out.len();
    let reversed = options.form == Form::LittleEndian;
    // Groups that are read from their end are always whole.
    let slots = if reversed { options.columns.next_multiple_of(options.group) } else { options.columns };
    let groups = options.columns.div_ceil(options.group);
    out.resize(start + slots * digits + groups - 1, b' ');
    for (at, byte) in block.iter().enumerate() {
        let slot = if reversed { at ^ (options.group - 1) } else { at };
        let column = start + slot * digits + slot / options.group;
        match options.form {
            Form::Bits => out[column..column + 8].copy_from_slice(format!("{byte:08b}").as_bytes()),
            _ => out[column..column + 2].copy_from_slice(&options.digits(*byte)),
        }
    }
    out.extend_from_slice(b"  ");
    out.extend(block.iter().map(|byte| {
        let shown = if options.ebcdic { ebcdic(*byte) } else { *byte };
        if (b' '..=b'~').contains(&shown) { shown } else { b'.' }
    }));
    out.push(b'\n');
    out
}

/// The character of a byte in EBCDIC; `.` where it has none.
fn ebcdic(byte: u8) -> u8 {
    const FROM_64: &[u8; 192] = b" ...........<(+|&.........!$*);~-/.........,%_>?.........`:#@'=\"\
        .abcdefghi.......jklmnopqr^.......stuvwxyz...[...............]..\
        {ABCDEFGHI......}JKLMNOPQR......\\.STUVWXYZ......0123456789......";
    byte.checked_sub(64).map_or(b'.', |at| FROM_64[usize::from(at)])
}
