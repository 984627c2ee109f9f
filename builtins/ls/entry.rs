//! One line of a listing, and the order of lines.
use super::options::{Hidden, Options, Sort};
use crate::{Call, Kind, Meta, Result, VPath, path::Location, version};
use std::cmp::Ordering;

/// A name with what is known of it.
pub(super) struct Item {
    /// As it is listed: a bare name, or an operand as it was typed.
    pub(super) name: String,
    /// Where it is; a device is nowhere.
    location: Option<Location>,
    pub(super) meta: Meta,
    /// In bytes; 0 when nobody asks.
    pub(super) size: u64,
    /// Columns of the name as it is shown; 0 when nobody asks.
    pub(super) width: usize,
}

impl Item {
    /// The operand `name`.
    pub(super) fn operand(call: &Call<'_>, name: &str, options: &Options) -> crate::FsResult<Item> {
        let meta = call.stat(name)?;
        let location = if meta.kind == Kind::Device { None } else { Some(Location::At(call.resolve(name)?)) };
        Item::new(call, name.to_string(), location, meta, options)
    }

    fn new(
        call: &Call<'_>,
        name: String,
        location: Option<Location>,
        meta: Meta,
        options: &Options,
    ) -> crate::FsResult<Item> {
        let size = match &location {
            Some(location) if options.needs_size() => call.size(&location.path(&name), &meta)?,
            _ => 0,
        };
        let width = if options.needs_width() { options.names.width(&name, &meta) } else { 0 };
        Ok(Item { name, location, meta, size, width })
    }

    /// Where it is; a device is nowhere.
    pub(super) fn path(&self) -> Option<VPath> {
        self.location.as_ref().map(|location| location.path(&self.name))
    }

    /// Bytes of the blocks it takes.
    pub(super) fn allocated(&self) -> u64 {
        Meta::allocated(self.size)
    }
}

/// What is in the folder `dir`, chosen and sorted.
pub(super) fn folder(call: &mut Call<'_>, dir: &VPath, options: &Options) -> Result<Vec<Item>> {
    let read = |error: crate::FsError| crate::Error::Io(error.into());
    let mut items = Vec::new();
    if options.hidden == Hidden::ShownWithDots {
        for (name, path) in [(".", dir.clone()), ("..", dir.parent())] {
            let meta = call.fs.stat(&path).map_err(read)?;
            let location = Some(Location::At(path));
            items.push(Item::new(call, name.to_string(), location, meta, options).map_err(read)?);
        }
    }
    let mut held = 0;
    for (name, meta) in call.fs.stat_all(dir).map_err(read)? {
        if is_left_out(&name, options) {
            continue;
        }
        call.cancel.check()?;
        held += name.len() + size_of::<Item>();
        let location = Some(Location::In(dir.clone()));
        items.push(Item::new(call, name, location, meta, options).map_err(read)?);
    }
    call.memory.take(held)?;
    sort(&mut items, options);
    call.memory.give(held);
    Ok(items)
}

fn is_left_out(name: &str, options: &Options) -> bool {
    options.hidden == Hidden::Left && (name.starts_with('.') || options.hides.iter().any(|glob| glob.matches(name)))
        || options.ignored.iter().any(|glob| glob.matches(name))
}

/// Sort by what was asked for, equal ones by name.
pub(super) fn sort(items: &mut [Item], options: &Options) {
    if options.sort == Sort::None {
        return;
    }
    items.sort_by(|a, b| {
        let order = match options.sort {
            Sort::Name | Sort::None => Ordering::Equal,
            Sort::Time => b.meta.time().cmp(&a.meta.time()),
            Sort::Size => b.size.cmp(&a.size),
            Sort::Extension => extension(&a.name).cmp(extension(&b.name)),
            Sort::Version => version::compare(a.name.as_bytes(), b.name.as_bytes()),
            Sort::Width => a.width.cmp(&b.width),
        };
        let order = order.then_with(|| a.name.cmp(&b.name));
        let order = if options.reverse { order.reverse() } else { order };
        match options.folders_first {
            true => b.meta.is_dir().cmp(&a.meta.is_dir()).then(order),
            false => order,
        }
    });
}

fn extension(name: &str) -> &str {
    name.rfind('.').map_or("", |at| &name[at..])
}
