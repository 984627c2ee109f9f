//! What is to be drawn: chosen, counted and sorted before the first line is printed, since a folder that `--prune`
//! takes away or `--du` sums up is known only after all below it.
use super::options::{First, Options, Sort};
use crate::{Call, Error, Glob, Kind, Meta, Result, VPath, version};
use std::cmp::Ordering;

/// A file or folder to be drawn.
pub(super) struct Item {
    /// As it is shown, without quotes.
    pub(super) name: String,
    /// The name with its folders, as typed.
    pub(super) full: String,
    pub(super) path: VPath,
    /// `None` for an operand that does not exist.
    pub(super) meta: Option<Meta>,
    pub(super) size: u64,
    /// What stands behind the name of a folder that is not opened.
    pub(super) trouble: Option<String>,
    pub(super) children: Vec<Item>,
    /// Something is below it, shown or not, although it may not be a folder: in a list of paths.
    pub(super) is_branch: bool,
}

/// What the report tells.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) folders: usize,
    pub(super) files: usize,
    pub(super) size: u64,
}

impl Item {
    /// What looks like a folder.
    pub(super) fn is_folder(&self) -> bool {
        self.meta.as_ref().is_some_and(Meta::is_dir)
    }

    /// What counts as a folder.
    pub(super) fn holds_items(&self) -> bool {
        self.is_folder() || self.is_branch
    }
}

impl Totals {
    /// Count `root` and all below it. A root in which nothing is shown does not count.
    pub(super) fn add_root(&mut self, root: &Item, options: &Options) {
        if !options.from_file {
            self.size += root.size;
            if root.is_folder() && root.children.is_empty() && root.trouble.is_none() {
                return;
            }
        }
        let mut waiting = vec![root];
        while let Some(item) = waiting.pop() {
            if item.holds_items() {
                self.folders += 1;
            } else if item.meta.is_some() {
                self.files += 1;
            }
            waiting.extend(&item.children);
        }
    }
}

/// The operand `name` with all below it.
pub(super) fn root(call: &mut Call<'_>, name: &str, options: &Options) -> Result<Item> {
    let mut item = operand(call, name, options)?;
    fill(call, &mut item, options)?;
    Ok(item)
}

/// The operand `name` with nothing below it.
pub(super) fn operand(call: &Call<'_>, name: &str, options: &Options) -> Result<Item> {
    let mut item = Item {
        full: name.to_string(),
        name: name.to_string(),
        path: call.session.cwd.join(name),
        meta: None,
        size: 0,
        trouble: Some("error opening dir".to_string()),
        children: Vec::new(),
        is_branch: false,
    };
    let Ok(path) = call.resolve(name) else { return Ok(item) };
    let Ok(meta) = call.fs.stat(&path) else { return Ok(item) };
    item.size = size(call, &path, &meta, options)?;
    item.path = path;
    if meta.is_dir() {
        item.trouble = None;
    }
    item.meta = Some(meta);
    Ok(item)
}

fn size(call: &Call<'_>, path: &VPath, meta: &Meta, options: &Options) -> Result<u64> {
    match options.size || options.sort == Sort::Size {
        true => call.size(path, meta).map_err(|error| Error::Io(error.into())),
        false => Ok(0),
    }
}

/// Fill the folder `root`, and those in it. The stack is ours: a site may be deep.
fn fill(call: &mut Call<'_>, root: &mut Item, options: &Options) -> Result<()> {
    /// A folder being filled: what is still to be opened in it, last first, and whether all in it is wanted.
    struct Frame {
        item: Item,
        waiting: Vec<Item>,
        wants_all: bool,
    }
    if !root.is_folder() {
        return Ok(());
    }
    let placeholder = Item {
        name: String::new(),
        full: String::new(),
        path: root.path.clone(),
        meta: None,
        size: 0,
        trouble: None,
        children: Vec::new(),
        is_branch: false,
    };
    let item = std::mem::replace(root, placeholder);
    let mut frames = vec![open(call, item, 1, false, options)?];
    fn open(call: &mut Call<'_>, mut item: Item, depth: usize, wants_all: bool, options: &Options) -> Result<Frame> {
        let mut waiting = Vec::new();
        if options.deepest.is_none_or(|deepest| depth <= deepest) {
            waiting = list(call, &mut item, wants_all, options)?;
            waiting.reverse();
        }
        Ok(Frame { item, waiting, wants_all })
    }
    loop {
        call.cancel.check()?;
        let depth = frames.len();
        let Some(frame) = frames.last_mut() else { return Ok(()) };
        match frame.waiting.pop() {
            Some(child) if child.is_folder() => {
                let wants_all = frame.wants_all || wants_all_of(&child.name, options);
                frames.push(open(call, child, depth + 1, wants_all, options)?);
            }
            Some(child) => frame.item.children.push(child),
            None => {
                let Some(done) = frames.pop() else { return Ok(()) };
                let item = finish(done.item, options);
                match frames.last_mut() {
                    Some(_) if options.prunes && item.children.is_empty() => {}
                    Some(outer) => outer.item.children.push(item),
                    None => {
                        *root = item;
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// A folder whose children are complete.
fn finish(mut item: Item, options: &Options) -> Item {
    if options.sums {
        item.size += item.children.iter().map(|child| child.size).sum::<u64>();
        if options.sort == Sort::Size {
            sort(&mut item.children, options);
        }
    }
    item
}

/// What is in `folder`, chosen and sorted.
fn list(call: &mut Call<'_>, folder: &mut Item, wants_all: bool, options: &Options) -> Result<Vec<Item>> {
    let entries = match call.fs.list(&folder.path) {
        Ok(entries) => entries,
        Err(error) => {
            crate::FsError::within(Error::Io(error.into()))?;
            folder.trouble = Some("error opening dir".to_string());
            return Ok(Vec::new());
        }
    };
    let entries: Vec<_> =
        entries.into_iter().filter(|entry| is_wanted(&entry.name, entry.kind, false, wants_all, options)).collect();
    if options.most_entries.is_some_and(|most| entries.len() > most) {
        folder.trouble = Some(format!("{} entries exceeds filelimit, not opening dir", entries.len()));
        return Ok(Vec::new());
    }
    let mut items = Vec::with_capacity(entries.len());
    for entry in entries {
        let path = folder.path.child(&entry.name);
        let meta = call.fs.stat(&path).map_err(|error| Error::Io(error.into()))?;
        let full = join(&folder.full, &entry.name);
        call.memory.take(full.len() + entry.name.len() + size_of::<Item>())?;
        let size = size(call, &path, &meta, options)?;
        items.push(Item {
            name: entry.name,
            full,
            path,
            meta: Some(meta),
            size,
            trouble: None,
            children: Vec::new(),
            is_branch: false,
        });
    }
    sort(&mut items, options);
    Ok(items)
}

/// The path of `name` in `folder`.
pub(super) fn join(folder: &str, name: &str) -> String {
    let slash = if folder.ends_with('/') { "" } else { "/" };
    format!("{folder}{slash}{name}")
}

/// Whether everything in the folder `name` is listed: `--matchdirs`.
pub(super) fn wants_all_of(name: &str, options: &Options) -> bool {
    options.matches_folders && options.wanted.iter().any(|glob| glob.matches(name))
}

/// Whether `name` is listed. With `may_be_hidden` a dot in front does not matter.
pub(super) fn is_wanted(name: &str, kind: Kind, may_be_hidden: bool, wants_all: bool, options: &Options) -> bool {
    let matches = |globs: &[Glob]| globs.iter().any(|glob| glob.matches(name));
    if (!options.shows_hidden && !may_be_hidden && name.starts_with('.')) || matches(&options.unwanted) {
        return false;
    }
    match kind {
        Kind::Dir => true,
        _ => !options.folders_only && (wants_all || options.wanted.is_empty() || matches(&options.wanted)),
    }
}

pub(super) fn sort(items: &mut [Item], options: &Options) {
    items.sort_by(|a, b| {
        let times = |item: &Item| item.meta.as_ref().map_or((0, 0), Meta::time);
        let by_name = a.name.cmp(&b.name);
        let order = match options.sort {
            Sort::None => Ordering::Equal,
            Sort::Name => by_name,
            Sort::Version => version::compare_bytes(a.name.as_bytes(), b.name.as_bytes()).then(by_name),
            Sort::Size => b.size.cmp(&a.size).then(by_name),
            Sort::Time => times(a).cmp(&times(b)).then(by_name),
        };
        let order = if options.reverse { order.reverse() } else { order };
        match options.first {
            First::Neither => order,
            First::Folders => b.holds_items().cmp(&a.holds_items()).then(order),
            First::Files => a.holds_items().cmp(&b.holds_items()).then(order),
        }
    });
}
