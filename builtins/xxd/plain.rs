//! The dumps that hold nothing but bytes: plain digits, and an array of C.
use super::{Bytes, options::Options};
use crate::{Call, Result};
use std::io::Write;

/// Bytes that are looked at in one go where a line may be of any length.
const BLOCK: usize = 4096;

/// `-p`: digits without anything between them.
pub(super) fn digits(call: &mut Call<'_>, options: &Options, bytes: &mut Bytes<'_>) -> Result<()> {
    let mut block = Vec::new();
    let mut column = 0;
    let mut shown = false;
    loop {
        bytes.next(&mut block, BLOCK)?;
        if block.is_empty() {
            break;
        }
        for byte in &block {
            call.stdout.write_all(&options.digits(*byte))?;
            column += 1;
            if column == options.columns {
                call.stdout.write_all(b"\n")?;
                column = 0;
            }
        }
        shown = true;
    }
    if column > 0 || (options.columns == 0 && !shown) {
        call.stdout.write_all(b"\n")?;
    }
    Ok(())
}

/// `-i`: the definition of an array; of what has no name, its items only.
pub(super) fn include(call: &mut Call<'_>, options: &Options, bytes: &mut Bytes<'_>) -> Result<()> {
    let name = options.name.as_deref().or(options.file.as_deref().filter(|name| *name != "-"));
    let name = name.map(|name| identifier(name, options.capitals));
    if let Some(name) = &name {
        writeln!(call.stdout, "unsigned char {name}[] = {{")?;
    }
    let mut block = Vec::new();
    let mut count: usize = 0;
    loop {
        bytes.next(&mut block, BLOCK)?;
        if block.is_empty() {
            break;
        }
        for byte in &block {
            let before = match count {
                0 => "  ",
                count if count.is_multiple_of(options.columns) => ",\n  ",
                _ => ", ",
            };
            match options.upper {
                true => write!(call.stdout, "{before}0X{byte:02X}")?,
                false => write!(call.stdout, "{before}0x{byte:02x}")?,
            }
            count += 1;
        }
    }
    if count > 0 {
        call.stdout.write_all(b"\n")?;
    }
    if let Some(name) = &name {
        let length = if options.capitals { "LEN" } else { "len" };
        writeln!(call.stdout, "}};\nunsigned int {name}_{length} = {count};")?;
    }
    Ok(())
}

/// `name` as a name of C.
fn identifier(name: &str, capitals: bool) -> String {
    let mut identifier = String::new();
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        identifier.push_str("__");
    }
    identifier.extend(name.bytes().map(|byte| if byte.is_ascii_alphanumeric() { byte as char } else { '_' }));
    if capitals { identifier.to_ascii_uppercase() } else { identifier }
}
