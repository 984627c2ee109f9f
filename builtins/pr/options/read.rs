//! Reads the words of `pr`, option by option.
use super::{
    Numbers, Options, Unprintable,
    old::Old,
    value::{column_count, measure, page_range, read_tab},
};
use crate::{
    Call, Error, Result,
    args::{self, Order},
    curly,
};

/// Read the words of `call`.
pub(in crate::pr) fn read(call: &Call<'_>) -> Result<Options> {
    let parsed = args::parse(call, Order::InPlace)?;
    let mut options = Options::default();
    let mut old = Old::default();
    let mut digits = Digits::default();
    let mut pages = None;
    for (key, value) in parsed.options {
        let text = value.as_deref().unwrap_or_default();
        if key == args::DIGIT {
            digits.push(text);
            continue;
        }
        digits.ended = true;
        match key {
            args::OPERAND => match text.strip_prefix('+').filter(|_| pages.is_none()) {
                None => options.files.push(text.to_string()),
                Some(range) => match page_range(range, "+")? {
                    None => options.files.push(text.to_string()),
                    range => pages = range,
                },
            },
            "pages" => {
                pages = Some(
                    page_range(text, "--pages")?
                        .ok_or_else(|| Error::failed(format!("invalid page range {}", curly(text))))?,
                );
            }
            "columns" => {
                old.columns = Some(column_count(text)?);
                digits.text.clear();
            }
            "s" | "S" | "w" | "W" => old.set(&mut options, key, value)?,
            key => options.set(key, value.as_deref())?,
        }
    }
    options.files.extend(parsed.operands);
    if !digits.text.is_empty() {
        old.columns = Some(column_count(&digits.text)?);
    }
    (options.first, options.last) = pages.unwrap_or((1, u64::MAX));
    options.columns = old.columns.unwrap_or(1);
    if options.parallel && old.columns.is_some() {
        return Err(Error::failed("cannot specify number of columns when printing in parallel"));
    }
    if options.parallel && options.across {
        return Err(Error::failed("cannot specify both printing across and printing in parallel"));
    }
    old.translate(&mut options);
    Ok(options)
}

/// A number of columns that is written as an option: `-12`.
#[derive(Default)]
struct Digits {
    text: String,
    /// Another option or an operand came after them: the next digit begins a new number.
    ended: bool,
}

impl Digits {
    fn push(&mut self, digit: &str) {
        if std::mem::take(&mut self.ended) {
            self.text.clear();
        }
        self.text.push_str(digit);
    }
}

impl Options {
    /// One option that stands for itself.
    fn set(&mut self, key: &str, given: Option<&str>) -> Result<()> {
        let text = given.unwrap_or_default();
        match key {
            "a" => self.across = true,
            "c" => self.unprintable = Unprintable::Hat,
            "d" => self.double = true,
            "D" => self.date = text.to_string(),
            "e" => {
                self.expand = true;
                read_tab('e', given, &mut self.input_tab.byte, &mut self.input_tab.width)?;
            }
            "F" => self.form_feed = true,
            "h" => self.header = Some(text.to_string()),
            "i" => {
                self.unexpand = true;
                read_tab('i', given, &mut self.output_tab.byte, &mut self.output_tab.width)?;
            }
            "J" => self.join = true,
            "l" => self.length = measure(text, 1, "'-l PAGE_LENGTH' invalid number of lines")?,
            "m" => self.parallel = true,
            "n" => {
                let numbers = self.numbers.get_or_insert(Numbers { separator: b'\t', digits: 5 });
                read_tab('n', given, &mut numbers.separator, &mut numbers.digits)?;
            }
            "N" => {
                self.counts_skipped = false;
                self.start = measure(text, i32::MIN.into(), "'-N NUMBER' invalid starting line number")? as i32;
            }
            "o" => self.margin = measure(text, 0, "'-o MARGIN' invalid line offset")?,
            "r" => self.quiet = true,
            "t" => (self.framed, self.keeps_form_feeds) = (false, true),
            "T" => (self.framed, self.keeps_form_feeds) = (false, false),
            "v" => self.unprintable = Unprintable::Octal,
            _ => {} // -b: columns are always balanced
        }
        Ok(())
    }
}
