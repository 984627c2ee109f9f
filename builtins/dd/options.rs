//! The operands of `dd`.
use crate::{Call, Error, Opening, Result, curly};

/// All that a command line says.
pub(super) struct Options {
    pub(super) input: Option<String>,
    pub(super) output: Option<String>,
    pub(super) input_block: usize,
    /// `None`: each block is written as it was read.
    pub(super) output_block: Option<usize>,
    pub(super) count: Option<u64>,
    pub(super) count_in_bytes: bool,
    /// In bytes.
    pub(super) skip: u64,
    /// In bytes, of a file that is written to.
    pub(super) seek: u64,
    pub(super) opening: Opening,
    pub(super) case: Option<Case>,
    pub(super) swaps: bool,
    pub(super) pads: bool,
    pub(super) is_silent: bool,
    pub(super) tells_no_time: bool,
}

/// What becomes of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Lower,
    Upper,
}

/// Blocks are no larger than this.
const LARGEST: u64 = 64 << 20;

pub(super) fn read(call: &Call<'_>) -> Result<Options> {
    let mut options = Options {
        input: None,
        output: None,
        input_block: 512,
        output_block: Some(512),
        count: None,
        count_in_bytes: false,
        skip: 0,
        seek: 0,
        opening: Opening::Anew,
        case: None,
        swaps: false,
        pads: false,
        is_silent: false,
        tells_no_time: false,
    };
    let (mut skip, mut skip_in_bytes, mut block) = (0, false, None);
    for word in call.args[1..].iter().filter(|word| *word != "--") {
        let unknown = || Error::usage(format!("unrecognized operand {}", curly(word)));
        let (key, text) = match word.split_once('=') {
            Some(pair) => pair,
            None if word == "--help" => return Err(Error::Help),
            None if word == "--version" => return Err(Error::Version),
            None => return Err(unknown()),
        };
        match key {
            "if" => options.input = Some(text.to_string()),
            "of" => options.output = Some(text.to_string()),
            "bs" => block = Some(size(text)?),
            "ibs" => options.input_block = size(text)?,
            "obs" => options.output_block = Some(size(text)?),
            "cbs" => drop(size(text)?),
            "count" => {
                options.count = Some(number(text)?);
                options.count_in_bytes |= text.ends_with('B');
            }
            "skip" | "iseek" => {
                skip = number(text)?;
                skip_in_bytes |= text.ends_with('B');
            }
            "seek" | "oseek" => options.seek = number(text)?,
            "status" => match text {
                "none" => options.is_silent = true,
                "noxfer" => options.tells_no_time = true,
                "progress" => {}
                _ => return Err(Error::usage(format!("invalid status level: {}", curly(text)))),
            },
            "conv" => {
                for name in text.split(',') {
                    match name {
                        "lcase" => options.case = Some(Case::Lower),
                        "ucase" => options.case = Some(Case::Upper),
                        "swab" => options.swaps = true,
                        "sync" => options.pads = true,
                        "notrunc" => options.opening = Opening::Over,
                        "noerror" | "nocreat" | "excl" | "fsync" | "fdatasync" | "sparse" => {}
                        "ascii" | "ebcdic" | "ibm" | "block" | "unblock" => {
                            return Err(Error::failed(format!("conversion {} is not supported", curly(name))));
                        }
                        _ => return Err(Error::usage(format!("invalid conversion: {}", curly(name)))),
                    }
                }
            }
            "iflag" | "oflag" => {
                for name in text.split(',') {
                    match name {
                        "count_bytes" => options.count_in_bytes = true,
                        "skip_bytes" => skip_in_bytes = true,
                        "append" => options.opening = Opening::Append,
                        "seek_bytes" | "fullblock" | "direct" | "directory" | "dsync" | "sync" | "noatime"
                        | "nocache" | "nofollow" | "nonblock" | "noctty" => {}
                        _ => {
                            let kind = if key == "iflag" { "input" } else { "output" };
                            return Err(Error::usage(format!("invalid {kind} flag: {}", curly(name))));
                        }
                    }
                }
            }
            _ => return Err(unknown()),
        }
    }
    if let Some(block) = block {
        (options.input_block, options.output_block) = (block, None);
    }
    options.skip = if skip_in_bytes { skip } else { skip.saturating_mul(options.input_block as u64) };
    Ok(options)
}

fn size(text: &str) -> Result<usize> {
    match number(text)? {
        size @ 1..=LARGEST => Ok(size as usize),
        0 => Err(Error::failed(format!("invalid number: {}", curly(text)))),
        _ => Err(Error::failed(format!("blocks of {text} bytes are larger than the {} MiB allowed", LARGEST >> 20))),
    }
}

/// `512`, `2k`, `1MB`, `3x512`.
fn number(text: &str) -> Result<u64> {
    let product = text.split('x').try_fold(1_u64, |product, factor| product.checked_mul(factor_of(factor)?));
    product.ok_or_else(|| Error::failed(format!("invalid number: {}", curly(text))))
}

fn factor_of(text: &str) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let count: u64 = text[..digits].parse().ok()?;
    let suffix = &text[digits..];
    let power = |letter: u8| b"kMGTPE".iter().position(|known| *known == letter).map(|at| at as u32 + 1);
    let unit = match suffix {
        "" | "c" | "B" => 1,
        "w" => 2,
        "b" => 512,
        "K" | "KiB" => 1024,
        "KB" => 1000,
        suffix => {
            let power = power(suffix.as_bytes()[0])?;
            match &suffix[1..] {
                "" | "iB" => 1024_u64.pow(power),
                "B" => 1000_u64.pow(power),
                _ => return None,
            }
        }
    };
    count.checked_mul(unit)
}
