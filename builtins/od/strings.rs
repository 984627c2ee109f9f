//! `-S`: strings of printable characters that a NUL ends, or the place where `-N` says to stop.
use super::options::{Options, Radix};
use crate::{Call, Result, concatenation::Concatenation};
use std::io::Write;

/// Print each string of at least `least` characters.
pub(super) fn print(call: &mut Call<'_>, options: &Options, stream: &mut Concatenation, least: u64) -> Result<()> {
    let mut found: Vec<u8> = Vec::new();
    let mut start = options.skip;
    let mut offset = options.skip;
    let mut block = Vec::new();
    let mut taken = 64 * 1024;
    loop {
        stream.fill(call, &mut block, 4096)?;
        if block.is_empty() {
            let is_cut = options.skip.checked_add(options.count) == Some(offset);
            if is_cut && found.len() as u64 > least {
                // GNU tells the place before it.
                show(call, options, start.saturating_sub(1), &found)?;
            }
            return Ok(());
        }
        for &byte in &block {
            match byte {
                b' '..=b'~' => {
                    if found.is_empty() {
                        start = offset;
                    }
                    found.push(byte);
                }
                byte => {
                    if byte == 0 && found.len() as u64 >= least {
                        show(call, options, start, &found)?;
                    }
                    found.clear();
                }
            }
            offset += 1;
        }
        if found.len() > taken {
            call.memory.take(found.len() - taken)?;
            taken = found.len();
        }
    }
}

fn show(call: &mut Call<'_>, options: &Options, start: u64, text: &[u8]) -> Result<()> {
    if options.radix != Radix::None {
        write!(call.stdout, "{} ", options.address(start))?;
    }
    call.stdout.write_all(text)?;
    call.stdout.write_all(b"\n")?;
    Ok(())
}
