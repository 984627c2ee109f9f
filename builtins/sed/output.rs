//! Where lines go, and the newline that the last of them may lack.
use super::{Options, script::Script};
use crate::{Call, Output, Result};
use std::{io::Write, mem};

/// Where a line goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Where the script prints.
    Main,
    /// `w /dev/stdout`: the same stream, which knows of its own unfinished lines only.
    Stdout,
    /// `w /dev/stderr`
    Stderr,
    /// `w` of the file at this place in the script's list.
    File(usize),
}

/// The streams of a script. A line that the input left without a newline gets none, until more follows it.
pub(super) struct Writer {
    delimiter: u8,
    unbuffered: bool,
    /// Whether the last line to [`Target::Main`], `Stdout`, `Stderr` lacks its newline.
    unfinished: [bool; 3],
    /// The files of `w`, each with whether its last line lacks its newline.
    files: Vec<(Output, bool)>,
    /// The file that is edited in place, where the script prints then.
    pub(super) edited: Option<Output>,
}

impl Writer {
    pub(super) fn new(options: &Options, script: &Script) -> Writer {
        Writer {
            delimiter: options.delimiter,
            unbuffered: options.unbuffered,
            unfinished: [false; 3],
            files: script.outputs.iter().map(|(_, output)| (output.clone(), false)).collect(),
            edited: None,
        }
    }

    /// Where the script prints.
    pub(super) fn main<'w>(&'w mut self, call: &'w mut Call<'_>) -> &'w mut Output {
        self.edited.as_mut().unwrap_or(&mut call.stdout)
    }

    /// Print to this from now on: the file that is edited in place.
    pub(super) fn edit(&mut self, output: Output) {
        self.edited = Some(output);
        self.unfinished[0] = false;
    }

    /// Write `text` as it is to where the script prints.
    pub(super) fn text(&mut self, call: &mut Call<'_>, text: &[u8]) -> Result<()> {
        self.write(call, Target::Main, text, None)
    }

    /// Write a line, `ended` by a delimiter or not.
    pub(super) fn line(&mut self, call: &mut Call<'_>, target: Target, text: &[u8], ended: bool) -> Result<()> {
        self.write(call, target, text, Some(ended))
    }

    fn write(&mut self, call: &mut Call<'_>, target: Target, text: &[u8], ended: Option<bool>) -> Result<()> {
        let (out, unfinished) = match target {
            Target::Main => (self.edited.as_mut().unwrap_or(&mut call.stdout), &mut self.unfinished[0]),
            Target::Stdout => (&mut call.stdout, &mut self.unfinished[1]),
            Target::Stderr => (&mut call.stderr, &mut self.unfinished[2]),
            Target::File(at) => {
                let (file, unfinished) = &mut self.files[at];
                (file, unfinished)
            }
        };
        if mem::replace(unfinished, ended == Some(false)) {
            out.write_all(&[self.delimiter])?;
        }
        out.write_all(text)?;
        if ended == Some(true) {
            out.write_all(&[self.delimiter])?;
        }
        if self.unbuffered {
            out.flush()?;
        }
        Ok(())
    }
}
