//! `gzip -l`: sizes before and after.
use super::{Options, inflate::Inflated};
use crate::{Call, Moment, Result};
use std::io::Write;

/// What has been listed so far.
#[derive(Default)]
pub(super) struct Sums {
    files: u64,
    packed: u64,
    text: u64,
    /// Of the last file, as gzip reckons the ratio of them all.
    overhead: u64,
}

impl Sums {
    pub(super) fn print(
        &mut self,
        call: &mut Call<'_>,
        options: &Options,
        name: &str,
        mtime: Option<i64>,
        inflated: &Inflated,
    ) -> Result<()> {
        let (packed, text) = (inflated.packed(), inflated.text());
        if self.files == 0 && !options.quiet {
            let verbose = if options.verbose { "method  crc     date  time  " } else { "" };
            writeln!(call.stdout, "{verbose}         compressed        uncompressed  ratio uncompressed_name")?;
        }
        if options.verbose {
            let seconds = match inflated.mtime() {
                0 => mtime.unwrap_or_else(|| call.now()),
                seconds => seconds.into(),
            };
            let date = Moment::utc(seconds).format("%b %e %H:%M");
            write!(call.stdout, "defla {:08x} {date} ", inflated.crc())?;
        }
        let name = match mtime {
            Some(_) => name.strip_suffix(&options.suffix).unwrap_or(name),
            None => "stdout",
        };
        self.overhead = inflated.overhead();
        self.line(call, packed, text, name)?;
        self.files += 1;
        self.packed += packed;
        self.text += text;
        Ok(())
    }

    /// The last line, when there are several files.
    pub(super) fn print_totals(&self, call: &mut Call<'_>, options: &Options) -> Result<()> {
        if self.files < 2 {
            return Ok(());
        }
        if options.verbose {
            call.stdout.write_all(b"                            ")?;
        }
        self.line(call, self.packed, self.text, "(totals)")
    }

    fn line(&self, call: &mut Call<'_>, packed: u64, text: u64, name: &str) -> Result<()> {
        let ratio = ratio(text, packed.saturating_sub(self.overhead));
        writeln!(call.stdout, "{packed:19} {text:19} {ratio} {name}")?;
        Ok(())
    }
}

/// How much of `text` bytes is saved when they are packed in so many.
pub(super) fn ratio(text: u64, packed: u64) -> String {
    let saved = if text == 0 { 0.0 } else { 100.0 * (text as f64 - packed as f64) / text as f64 };
    format!("{saved:5.1}%")
}
