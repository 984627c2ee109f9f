//! The options of old, `-s` and `-w`, whose meaning depends on each other and on the newer `-S` and `-W`.
use super::{Options, value::measure};
use crate::Result;

/// What was said of them.
#[derive(Default)]
pub(super) struct Old {
    /// Any of them.
    given: bool,
    /// `-w`, and no `-W` since.
    width: bool,
    /// `-s`, and no `-S` since.
    separator: bool,
    /// `-S`.
    string: bool,
    /// How many columns were asked for.
    pub(super) columns: Option<usize>,
}

impl Old {
    /// One of the four.
    pub(super) fn set(&mut self, options: &mut Options, key: &str, value: Option<String>) -> Result<()> {
        let text = value.as_deref().unwrap_or_default();
        match key {
            "s" => {
                (self.given, self.separator) = (true, true);
                if !self.string && value.is_some() {
                    options.separator = value;
                }
            }
            "S" => {
                (self.separator, self.string) = (false, true);
                options.separator = Some(text.to_string());
            }
            "w" => {
                (self.given, self.width) = (true, true);
                let width = measure(text, 1, "'-w PAGE_WIDTH' invalid number of characters")?;
                if !options.truncate {
                    options.width = width;
                }
            }
            _ => {
                (self.width, options.truncate) = (false, true);
                options.width = measure(text, 1, "'-W PAGE_WIDTH' invalid number of characters")?;
            }
        }
        Ok(())
    }

    /// Say with the newer options what the old ones mean.
    pub(super) fn translate(self, options: &mut Options) {
        let in_columns = options.parallel || self.columns.is_some();
        let mut said = self.string;
        if self.given && self.width {
            if in_columns {
                options.truncate = true;
                said |= self.separator;
            } else {
                options.join = true;
            }
        } else if self.given && !said && self.separator && in_columns {
            if options.truncate {
                said = true;
            } else {
                options.join = true;
                said = options.separator.as_ref().is_some_and(|text| !text.is_empty());
            }
        }
        options.separator = said.then(|| options.separator.take().unwrap_or_default());
    }
}
