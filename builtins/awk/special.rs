//! The variables that the language looks at itself: `NR`, `FS`, `RSTART` and their kind.
use super::{
    ast::Special,
    interpreter::Interpreter,
    reader::Separator,
    record::Splitter,
    value::{Text, Value},
};
use crate::Result;
use std::rc::Rc;

/// Their values, as the interpreter needs them.
pub(super) struct Specials {
    pub(super) nr: f64,
    pub(super) fnr: f64,
    pub(super) ors: Text,
    pub(super) subsep: Text,
    pub(super) convfmt: Text,
    pub(super) ofmt: Text,
    pub(super) filename: Text,
    pub(super) rstart: f64,
    pub(super) rlength: f64,
    pub(super) ignore_case: bool,
    pub(super) errno: Text,
    pub(super) argind: f64,
    /// What ended the record.
    pub(super) rt: Vec<u8>,
    pub(super) separator: Separator,
    fs: Value,
    rs: Value,
    ignorecase: Value,
    fieldwidths: Value,
    fpat: Value,
    /// Whether `exit` has been met, and whether `END` rules run.
    pub(super) exiting: bool,
    pub(super) in_end: bool,
}

impl Specials {
    pub(super) fn new() -> Specials {
        let text = |text: &str| Rc::new(text.as_bytes().to_vec());
        Specials {
            nr: 0.0,
            fnr: 0.0,
            ors: text("\n"),
            subsep: text("\x1c"),
            convfmt: text("%.6g"),
            ofmt: text("%.6g"),
            filename: text(""),
            rstart: 0.0,
            rlength: 0.0,
            ignore_case: false,
            errno: text(""),
            argind: 0.0,
            rt: Vec::new(),
            separator: Separator::Byte(b'\n'),
            fs: Value::text(" "),
            rs: Value::text("\n"),
            ignorecase: Value::Number(0.0),
            fieldwidths: Value::text(""),
            fpat: Value::text("[^[:space:]]+"),
            exiting: false,
            in_end: false,
        }
    }
}

impl<'p> Interpreter<'p, '_, '_> {
    pub(super) fn special(&mut self, special: Special) -> Result<Value> {
        let specials = &self.specials;
        Ok(match special {
            Special::Nf => Value::Number(self.record.count()? as f64),
            Special::Nr => Value::Number(specials.nr),
            Special::Fnr => Value::Number(specials.fnr),
            Special::Fs => specials.fs.clone(),
            Special::Ofs => Value::Text(self.record.ofs.clone()),
            Special::Ors => Value::Text(specials.ors.clone()),
            Special::Rs => specials.rs.clone(),
            Special::Rt => Value::text(specials.rt.as_slice()),
            Special::Subsep => Value::Text(specials.subsep.clone()),
            Special::Convfmt => Value::Text(specials.convfmt.clone()),
            Special::Ofmt => Value::Text(specials.ofmt.clone()),
            Special::Rstart => Value::Number(specials.rstart),
            Special::Rlength => Value::Number(specials.rlength),
            Special::Filename => Value::Input(specials.filename.clone()),
            Special::Ignorecase => specials.ignorecase.clone(),
            Special::Fieldwidths => specials.fieldwidths.clone(),
            Special::Fpat => specials.fpat.clone(),
            Special::Errno => Value::Text(specials.errno.clone()),
            Special::Argind => Value::Number(specials.argind),
        })
    }

    pub(super) fn set_special(&mut self, special: Special, value: Value) -> Result<()> {
        let text = |interpreter: &Self| value.to_text(&interpreter.specials.convfmt);
        match special {
            Special::Nf => {
                let count = value.number();
                if count < 0.0 {
                    return Err(self.fatal("NF set to negative value"));
                }
                self.grow_record(count as usize)?;
                self.record.set_count(count as usize)?;
            }
            Special::Nr => self.specials.nr = value.number(),
            Special::Fnr => self.specials.fnr = value.number(),
            Special::Ofs => {
                let ofs = text(self);
                // What has changed so far is joined by the old one.
                self.record.whole();
                self.record.ofs = ofs;
            }
            Special::Ors => self.specials.ors = text(self),
            Special::Subsep => self.specials.subsep = text(self),
            Special::Convfmt => self.specials.convfmt = text(self),
            Special::Ofmt => self.specials.ofmt = text(self),
            Special::Rstart => self.specials.rstart = value.number(),
            Special::Rlength => self.specials.rlength = value.number(),
            Special::Filename => self.specials.filename = text(self),
            Special::Errno => self.specials.errno = text(self),
            Special::Argind => self.specials.argind = value.number(),
            Special::Rt => self.specials.rt = text(self).to_vec(),
            Special::Ignorecase => {
                self.specials.ignore_case = value.is_true();
                self.specials.ignorecase = value;
                self.set_record_separator()?;
                self.renew_splitter()?;
            }
            Special::Rs => {
                self.specials.rs = value;
                self.set_record_separator()?;
                self.renew_splitter()?;
            }
            Special::Fs => {
                self.specials.fs = value;
                self.set_field_separator()?;
            }
            Special::Fieldwidths => {
                let widths = self.widths(&text(self))?;
                self.specials.fieldwidths = value;
                self.resplit(Splitter::Widths(Rc::new(widths)))?;
            }
            Special::Fpat => {
                let pattern = self.compile(&text(self))?;
                self.specials.fpat = value;
                self.resplit(Splitter::Content(pattern))?;
            }
        }
        Ok(())
    }

    /// From the next record on; the current one is split as it would have been.
    fn resplit(&mut self, splitter: Splitter) -> Result<()> {
        self.record.count()?;
        self.record.splitter = splitter;
        Ok(())
    }

    fn set_record_separator(&mut self) -> Result<()> {
        let rs = self.specials.rs.to_text(&self.specials.convfmt);
        self.specials.separator = match rs.as_slice() {
            [] => Separator::BlankLines,
            [byte] if !(self.specials.ignore_case && byte.is_ascii_alphabetic()) => Separator::Byte(*byte),
            _ => Separator::Regex(self.compile(&rs)?),
        };
        Ok(())
    }

    /// What splits records goes on doing so, by the rules that hold now.
    fn renew_splitter(&mut self) -> Result<()> {
        match self.record.splitter {
            Splitter::Widths(_) => Ok(()),
            Splitter::Content(_) => {
                let pattern = self.compile(&self.specials.fpat.to_text(&self.specials.convfmt))?;
                self.resplit(Splitter::Content(pattern))
            }
            _ => self.set_field_separator(),
        }
    }

    fn set_field_separator(&mut self) -> Result<()> {
        let fs = self.specials.fs.to_text(&self.specials.convfmt);
        let newlines = matches!(self.specials.separator, Separator::BlankLines);
        let splitter = self.splitter(&fs, newlines)?;
        self.resplit(splitter)
    }

    /// What `FS`, or the third argument of `split`, makes of a text.
    pub(super) fn splitter(&mut self, fs: &Text, newlines: bool) -> Result<Splitter> {
        Ok(match fs.as_slice() {
            b" " => Splitter::Blanks,
            [] => Splitter::Characters,
            // Where newlines separate too, gawk forgets IGNORECASE.
            [byte] if newlines || !(self.specials.ignore_case && byte.is_ascii_alphabetic()) => {
                Splitter::Byte(*byte, newlines)
            }
            _ => Splitter::Regex(self.compile(fs)?),
        })
    }

    /// `FIELDWIDTHS`: numbers, each perhaps with `skip:` before it, and perhaps `*` at the end.
    fn widths(&self, text: &[u8]) -> Result<Vec<(usize, Option<usize>)>> {
        let text = String::from_utf8_lossy(text).into_owned();
        let read = |word: &str| {
            let (skip, width) = word.split_once(':').unwrap_or(("0", word));
            let width = if width == "*" { None } else { Some(width.parse().ok()?) };
            Some((skip.parse().ok()?, width))
        };
        let mut widths = Vec::new();
        for (at, word) in text.split_whitespace().enumerate() {
            match read(word) {
                Some(width) => widths.push(width),
                None => {
                    let field = at + 1;
                    return Err(self.fatal(format!("invalid FIELDWIDTHS value, for field {field}, near `{word}'")));
                }
            }
        }
        Ok(widths)
    }
}
