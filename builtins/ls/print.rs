//! A list of items in one of the layouts.
use super::{
    columns,
    dired::Dired,
    entry::Item,
    options::{Format, Options},
};
use crate::{Kind, Moment, Output, Quoting, Result, Unit, VPath, mode};
use std::io::Write;

/// Half a year in seconds: a time older than that is shown with its year.
const HALF_A_YEAR: i64 = 31_556_952 / 2;

/// Prints lists; a colour is reset before the first one only.
pub(super) struct Printer<'a> {
    options: &'a Options,
    now: i64,
    has_coloured: bool,
    /// Where names stand, when that is asked for.
    dired: Option<Dired>,
}

/// Widths of the fields of one list.
#[derive(Default)]
struct Widths {
    inode: usize,
    blocks: usize,
    links: usize,
    owner: usize,
    size: usize,
    /// Whether some name of the list stands in quotes.
    quotes: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn new(options: &'a Options, now: i64) -> Printer<'a> {
        Printer { options, now, has_coloured: false, dired: options.dired.then(Dired::default) }
    }

    /// The blank line between two parts of a listing.
    pub(super) fn blank(&mut self, out: &mut Output) -> Result<()> {
        self.count(1);
        writeln!(out)?;
        Ok(())
    }

    /// The name of the folder `name`, above what is in it.
    pub(super) fn header(&mut self, out: &mut Output, name: &str, path: &VPath) -> Result<()> {
        let names = &self.options.names;
        if let Some(dired) = &mut self.dired {
            write!(out, "{}", dired.margin())?;
            dired.folder(names.quote(name).len());
            dired.skip(":\n".len());
        }
        writeln!(out, "{}:", names.linked(name, &|| Some(path.clone())))?;
        Ok(())
    }

    /// What stands behind the whole listing.
    pub(super) fn finish(&self, out: &mut Output) -> Result<()> {
        let quoting = Quoting::NAMES.iter().find(|(_, quoting)| *quoting == self.options.names.quoting);
        match (&self.dired, quoting) {
            (Some(dired), Some((name, _))) => dired.finish(out, name),
            _ => Ok(()),
        }
    }

    fn count(&mut self, bytes: usize) {
        if let Some(dired) = &mut self.dired {
            dired.skip(bytes);
        }
    }

    fn margin(&mut self) -> &'static str {
        self.dired.as_mut().map_or("", Dired::margin)
    }

    /// The line `total N` before the items of a folder.
    pub(super) fn total(&mut self, out: &mut Output, items: &[Item]) -> Result<()> {
        if self.options.format == Format::Long || self.options.blocks {
            let total = items.iter().map(Item::allocated).sum();
            let line = format!("total {}{}", self.options.block_unit.show(total), self.options.end);
            write!(out, "{}{line}", self.margin())?;
            self.count(line.len());
        }
        Ok(())
    }

    /// The items in the layout asked for. The fields are as wide as those of `beside` need too.
    pub(super) fn list(&mut self, out: &mut Output, items: &[Item], beside: &[Item]) -> Result<()> {
        if items.is_empty() {
            return Ok(());
        }
        let widths = self.measure(items, beside);
        match self.options.format {
            Format::Long => {
                for item in items {
                    let (fields, name) = (self.long(item, &widths), self.name(item, &widths));
                    write!(out, "{}{fields}{name}{}", self.margin(), self.options.end)?;
                    self.place(item, fields.len(), &widths);
                }
            }
            Format::OnePerLine => {
                for item in items {
                    let line = self.short(item, &widths);
                    out.write_all(line.as_bytes())?;
                    out.write_all(self.options.end.encode_utf8(&mut [0; 4]).as_bytes())?;
                }
            }
            Format::Columns if self.options.width > 0 => self.columns(out, items, &widths)?,
            Format::Across if self.options.width > 0 => self.across(out, items, &widths)?,
            Format::Columns | Format::Across => self.separated(out, items, " ", &widths)?,
            Format::Commas => self.separated(out, items, ",", &Widths::default())?,
        }
        Ok(())
    }

    fn measure(&self, items: &[Item], beside: &[Item]) -> Widths {
        let most = |length: &dyn Fn(&Item) -> usize| items.iter().chain(beside).map(length).max().unwrap_or(0);
        let is_long = self.options.format == Format::Long;
        let shown = |is_shown, length: &dyn Fn(&Item) -> usize| if is_shown { most(length) } else { 0 };
        Widths {
            inode: shown(self.options.inode, &|item| item.meta.inode.to_string().len()),
            blocks: shown(self.options.blocks, &|item| self.blocks(item).len()),
            links: shown(is_long, &|item| item.meta.links.to_string().len()),
            owner: self.owner().len(),
            size: shown(is_long, &|item| self.size(item).len()),
            quotes: items.iter().chain(beside).any(|item| self.options.names.is_quoted(&item.name)),
        }
    }

    fn owner(&self) -> &'static str {
        if self.options.numeric { "0" } else { "root" }
    }

    fn blocks(&self, item: &Item) -> String {
        self.options.block_unit.show(item.allocated())
    }

    fn size(&self, item: &Item) -> String {
        match (item.meta.kind, self.options.size_unit) {
            (Kind::Device, _) => "1, 3".to_string(),
            (_, Unit::BYTES) => item.size.to_string(),
            (_, unit) => unit.show(item.size),
        }
    }

    /// What stands before a name in every layout.
    fn frills(&self, item: &Item, widths: &Widths) -> String {
        let mut text = String::new();
        if self.options.inode {
            text += &format!("{:>1$} ", item.meta.inode, widths.inode);
        }
        if self.options.blocks {
            text += &format!("{:>1$} ", self.blocks(item), widths.blocks);
        }
        if self.options.context && self.options.format != Format::Long {
            text += "? ";
        }
        text
    }

    fn name(&mut self, item: &Item, widths: &Widths) -> String {
        let names = &self.options.names;
        let mut text = names.show(&item.name, &|| item.path(), &item.meta, &mut self.has_coloured);
        if widths.quotes && !names.is_quoted(&item.name) {
            text.insert(0, ' ');
        }
        text
    }

    /// Take down where the name of `item` stands, behind `fields` bytes of its line.
    fn place(&mut self, item: &Item, fields: usize, widths: &Widths) {
        let names = &self.options.names;
        if let Some(dired) = &mut self.dired {
            dired.skip(fields + usize::from(widths.quotes && !names.is_quoted(&item.name)));
            dired.name(names.quote(&item.name).len());
            dired.skip(usize::from(names.mark(&item.meta).is_some()) + 1);
        }
    }

    fn short(&mut self, item: &Item, widths: &Widths) -> String {
        let mut text = self.name(item, widths);
        text.insert_str(0, &self.frills(item, widths));
        text
    }

    /// What stands before the name in a long line.
    fn long(&self, item: &Item, widths: &Widths) -> String {
        let options = self.options;
        let mut line = self.frills(item, widths);
        line += &format!("{} {:>2$} ", mode::string(&item.meta), item.meta.links, widths.links);
        // An author is an owner here, as everywhere but on the Hurd.
        for shown in [options.owner, options.group, options.author] {
            if shown {
                line += &format!("{:1$} ", self.owner(), widths.owner);
            }
        }
        if options.context {
            line += "? ";
        }
        let is_recent = item.meta.mtime > self.now - HALF_A_YEAR && item.meta.mtime <= self.now;
        let style = if is_recent { &options.time.recent } else { &options.time.old };
        let time = Moment::of(&item.meta).format(style);
        line + &format!("{:>2$} {} ", self.size(item), time, widths.size)
    }

    /// Columns that each item takes.
    fn lengths(&self, items: &[Item], widths: &Widths) -> Vec<usize> {
        let length = |item: &Item| {
            let indent = usize::from(widths.quotes && !self.options.names.is_quoted(&item.name));
            self.frills(item, widths).len() + indent + item.width
        };
        items.iter().map(length).collect()
    }

    fn columns(&mut self, out: &mut Output, items: &[Item], widths: &Widths) -> Result<()> {
        let lengths = self.lengths(items, widths);
        let columns = columns::fit(&lengths, self.options.width, false);
        let rows = items.len().div_ceil(columns.len());
        for row in 0..rows {
            let mut at = 0;
            for (index, column) in (row..items.len()).step_by(rows).zip(&columns) {
                let text = self.short(&items[index], widths);
                out.write_all(text.as_bytes())?;
                if index + rows < items.len() {
                    let blanks = columns::indent(at + lengths[index], at + column, self.options.tab);
                    out.write_all(blanks.as_bytes())?;
                }
                at += column;
            }
            write!(out, "{}", self.options.end)?;
        }
        Ok(())
    }

    fn across(&mut self, out: &mut Output, items: &[Item], widths: &Widths) -> Result<()> {
        let lengths = self.lengths(items, widths);
        let columns = columns::fit(&lengths, self.options.width, true);
        for (row, length) in items.chunks(columns.len()).zip(lengths.chunks(columns.len())) {
            let mut at = 0;
            for (index, item) in row.iter().enumerate() {
                let text = self.short(item, widths);
                out.write_all(text.as_bytes())?;
                if index + 1 < row.len() {
                    let blanks = columns::indent(at + length[index], at + columns[index], self.options.tab);
                    out.write_all(blanks.as_bytes())?;
                }
                at += columns[index];
            }
            write!(out, "{}", self.options.end)?;
        }
        Ok(())
    }

    /// One after the other, broken where the line is full.
    fn separated(&mut self, out: &mut Output, items: &[Item], separator: &str, widths: &Widths) -> Result<()> {
        let lengths = self.lengths(items, widths);
        let line = self.options.width;
        let mut at = 0;
        for (index, (item, length)) in items.iter().zip(lengths).enumerate() {
            if index > 0 {
                let fits = line == 0 || at + length + 2 < line;
                at = if fits { at + 2 } else { 0 };
                write!(out, "{separator}{}", if fits { ' ' } else { self.options.end })?;
            }
            let text = self.short(item, widths);
            out.write_all(text.as_bytes())?;
            at += length;
        }
        write!(out, "{}", self.options.end)?;
        Ok(())
    }
}
