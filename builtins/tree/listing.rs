//! `--fromfile`: what is drawn comes from a list of paths, as `find` prints it, and not from the site.
//!
//! What has something below it in the list is a folder, and what a slash follows. Nothing is known of sizes, modes and
//! times; all are 0.
use super::{
    gather::{self, Item},
    options::Options,
};
use crate::{Call, Error, ErrorKind, FsError, Kind, Meta, Result, Status, VPath, records::Records};
use std::{collections::HashMap, io};

/// Names of the list. What is below a name stands after it.
type Names = Vec<Name>;

struct Name {
    text: String,
    /// The place of the name above; the root is above the first ones.
    above: Option<usize>,
    /// A slash follows it where it was last named.
    is_folder: bool,
    has_names_below: bool,
}

/// The tree of the list in the file `operand`; `.` is stdin.
pub(super) fn root(call: &mut Call<'_>, operand: &str, options: &Options) -> Result<Item> {
    let mut root = gather::operand(call, operand, options)?;
    if root.meta.is_none() {
        return Ok(root);
    }
    match read(call, operand) {
        Ok(names) => {
            (root.trouble, root.is_branch) = (None, true);
            root.children = items(call, names, &root, options)?;
        }
        Err(error) => {
            let error = FsError::within(error)?;
            if !matches!(error.kind, ErrorKind::IsADirectory) {
                return Err(Error::Io(error.into()));
            }
            // A folder is no list.
            root.trouble = Some("error opening dir".to_string());
        }
    }
    Ok(root)
}

/// The names of the list `operand`, each once.
fn read(call: &mut Call<'_>, operand: &str) -> Result<Names> {
    let mut input = match operand {
        "." => call.stdin.clone(),
        name => call.open(name).map_err(io::Error::from)?,
    };
    let (mut names, mut places) = (Names::new(), HashMap::new());
    let mut lines = Records::lines(false);
    while let Some(line) = lines.next_bare(&mut input, &mut call.memory)? {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() >= VPath::PATH_MAX {
            return Err(Error::Failed(format!("{operand}: {}", ErrorKind::NameTooLong), Status::FAILURE));
        }
        let line = String::from_utf8_lossy(line);
        let mut above = None;
        for part in line.split_inclusive('/').filter(|part| *part != "/") {
            let (text, is_folder) = part.strip_suffix('/').map_or((part, false), |text| (text, true));
            let place = match places.get(&(above, text.to_string())) {
                Some(place) => *place,
                None => {
                    call.memory.take(2 * text.len() + COST)?;
                    places.insert((above, text.to_string()), names.len());
                    names.push(Name { text: text.to_string(), above, is_folder, has_names_below: false });
                    if let Some(above) = above {
                        let above: &mut Name = &mut names[above];
                        above.has_names_below = true;
                    }
                    names.len() - 1
                }
            };
            names[place].is_folder = is_folder;
            above = Some(place);
        }
    }
    Ok(names)
}

/// What a name costs while it is in the list, beside its text.
const COST: usize = size_of::<Name>() + size_of::<((Option<usize>, String), usize)>();

/// What is shown of `names` below `root`.
fn items(call: &mut Call<'_>, names: Names, root: &Item, options: &Options) -> Result<Vec<Item>> {
    // From the top down: the whole path of each, how deep it is, and whether all below it is wanted.
    let mut shown: Vec<(String, usize, bool)> = Vec::with_capacity(names.len());
    for name in &names {
        let (path, depth, wants_all) = match name.above {
            Some(above) => (&*shown[above].0, shown[above].1, shown[above].2),
            None => (&*root.full, 0, false),
        };
        let full = gather::join(path, &name.text);
        call.memory.take(full.len() + size_of::<Item>())?;
        let wants_all = wants_all || gather::wants_all_of(&name.text, options);
        shown.push((full, depth + 1, wants_all));
    }
    // From the bottom up: what is below a name is complete when its turn comes.
    let mut below: Vec<Vec<Item>> = Vec::new();
    below.resize_with(names.len(), Vec::new);
    let mut top = Vec::new();
    for name in names.into_iter().rev() {
        call.cancel.check()?;
        let children = arranged(below.pop().unwrap_or_default(), options);
        let Some((full, depth, wants_all)) = shown.pop() else { continue };
        if !is_wanted(&name, depth, wants_all, options) {
            continue;
        }
        let kind = if name.is_folder { Kind::Dir } else { Kind::File };
        let meta = Meta { kind, size: Some(0), mtime: 0, nanos: 0, mode: 0, links: 0, inode: 0 };
        let item = Item {
            name: name.text,
            full,
            path: root.path.clone(),
            meta: Some(meta),
            size: 0,
            trouble: None,
            children,
            is_branch: name.has_names_below,
        };
        match name.above {
            Some(above) => below[above].push(item),
            None => top.push(item),
        }
    }
    Ok(arranged(top, options))
}

fn arranged(mut items: Vec<Item>, options: &Options) -> Vec<Item> {
    items.sort_by(|a, b| a.name.cmp(&b.name));
    gather::sort(&mut items, options);
    items
}

/// Whether a name is shown. Those at the top are shown even where they begin with a dot, as in `./a`.
fn is_wanted(name: &Name, depth: usize, wants_all: bool, options: &Options) -> bool {
    if options.deepest.is_some_and(|deepest| depth > deepest) {
        return false;
    }
    let kind = if name.is_folder || name.has_names_below { Kind::Dir } else { Kind::File };
    let is_empty = name.is_folder && !name.has_names_below;
    gather::is_wanted(&name.text, kind, depth == 1, wants_all, options) && !(options.prunes && is_empty)
}
