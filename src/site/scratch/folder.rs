//! What a scratch folder holds: files and folders by their paths below it.
use super::file::{File, Room, Stamp};
use docsh_builtins::{Change, Entry, ErrorKind, Kind};
use parking_lot::Mutex;
use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// Bytes that a name costs besides itself: an empty file is not free.
const NAME: u64 = 256;

/// The first inode number; those of a site are smaller.
const INODES: u64 = 1 << 62;

/// A file or a folder.
#[derive(Clone)]
pub enum Node {
    File(Arc<File>),
    Folder(Stamp),
}

/// The whole folder.
pub struct Folder {
    /// By path, `a/b` for the file `b` in the folder `a`. The folder itself is not among them.
    nodes: Mutex<Nodes>,
    stamp: Stamp,
    /// The inode number that was given out last.
    inodes: AtomicU64,
    room: Arc<Room>,
}

/// The nodes, and how many folders are directly in each folder: a kernel has that at hand, and every look at a folder
/// asks for it.
#[derive(Default)]
struct Nodes {
    all: BTreeMap<String, Node>,
    subfolders: HashMap<String, usize>,
}

impl Nodes {
    fn get(&self, path: &str) -> Option<&Node> {
        self.all.get(path)
    }

    /// Put a node where there is none.
    fn insert(&mut self, path: String, node: Node) {
        if matches!(node, Node::Folder(_)) {
            *self.subfolders.entry(parent(&path).to_string()).or_default() += 1;
        }
        self.all.insert(path, node);
    }

    fn remove(&mut self, path: &str) -> Option<Node> {
        let node = self.all.remove(path)?;
        if matches!(node, Node::Folder(_))
            && let Some(count) = self.subfolders.get_mut(parent(path))
        {
            *count -= 1;
            if *count == 0 {
                self.subfolders.remove(parent(path));
            }
        }
        Some(node)
    }

    /// The paths below `dir`.
    fn within<'a>(&'a self, dir: &'a str) -> impl Iterator<Item = (&'a String, &'a Node)> {
        // Names may sort between `dir` and what is in it: `a-b` comes before `a/b`.
        let start = if dir.is_empty() { String::new() } else { format!("{dir}/") };
        self.all.range(start..).take_while(move |(path, _)| below(dir, path).is_some())
    }
}

/// The folder that `path` is in, empty for the scratch folder itself.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Whether `path` is directly in the folder `dir`, both below the scratch folder; `dir` is empty for that itself.
fn child<'a>(dir: &str, path: &'a str) -> Option<&'a str> {
    below(dir, path).filter(|rest| !rest.contains('/'))
}

/// What of `path` is below `dir`.
fn below<'a>(dir: &str, path: &'a str) -> Option<&'a str> {
    match dir {
        "" => Some(path),
        dir => path.strip_prefix(dir)?.strip_prefix('/'),
    }
}

impl Folder {
    pub fn new(room: Room) -> Folder {
        Folder {
            nodes: Mutex::default(),
            stamp: Stamp::new(0o1777, INODES),
            inodes: AtomicU64::new(INODES),
            room: Arc::new(room),
        }
    }

    /// The bytes in all, and those that may still be taken.
    pub fn room(&self) -> (u64, u64) {
        self.room.look()
    }

    /// What is at `path`; the folder itself for the empty one.
    pub fn find(&self, path: &str) -> Option<Node> {
        match path {
            "" => Some(Node::Folder(self.stamp)),
            path => self.nodes.lock().get(path).cloned(),
        }
    }

    /// The folders directly in `dir`.
    pub fn subfolders(&self, dir: &str) -> usize {
        self.nodes.lock().subfolders.get(dir).copied().unwrap_or(0)
    }

    pub fn list(&self, dir: &str) -> Vec<Entry> {
        let nodes = self.nodes.lock();
        let mut entries: Vec<Entry> = nodes
            .within(dir)
            .filter_map(|(path, node)| {
                let name = child(dir, path)?.to_string();
                Some(Entry { name, kind: if matches!(node, Node::File(_)) { Kind::File } else { Kind::Dir } })
            })
            .collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        entries
    }

    /// The files below `dir`, or the file `dir` itself.
    pub fn files(&self, dir: &str) -> Vec<String> {
        let nodes = self.nodes.lock();
        let is_file = |node: &Node| matches!(node, Node::File(_));
        let own = nodes.get(dir).filter(|node| is_file(node)).map(|_| dir.to_string());
        own.into_iter()
            .chain(nodes.within(dir).filter(|(_, node)| is_file(node)).map(|(path, _)| path.clone()))
            .collect()
    }

    /// The file at `path`, made with the permission bits `mode` if there is none.
    pub fn file(&self, path: &str, mode: u32) -> Result<Arc<File>, ErrorKind> {
        let mut nodes = self.nodes.lock();
        match nodes.get(path) {
            Some(Node::File(file)) => Ok(file.clone()),
            Some(Node::Folder(_)) => Err(ErrorKind::IsADirectory),
            None => {
                let file = Arc::new(File::new(self.stamp(mode), self.room.clone()));
                self.insert(&mut nodes, path, Node::File(file.clone()))?;
                Ok(file)
            }
        }
    }

    /// What is told of something new.
    fn stamp(&self, mode: u32) -> Stamp {
        Stamp::new(mode, self.inodes.fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn insert(&self, nodes: &mut Nodes, path: &str, node: Node) -> Result<(), ErrorKind> {
        self.room.take(NAME + path.len() as u64)?;
        nodes.insert(path.to_string(), node);
        Ok(())
    }

    /// Take `path` away; whether it was there.
    fn take(&self, nodes: &mut Nodes, path: &str) -> bool {
        let was_there = nodes.remove(path).is_some();
        if was_there {
            self.room.give(NAME + path.len() as u64);
        }
        was_there
    }

    /// Change what is at `path`, other than to rename it.
    pub fn change(&self, path: &str, change: Change<'_>) -> Result<(), ErrorKind> {
        let mut nodes = self.nodes.lock();
        let set = |nodes: &mut Nodes, change: &dyn Fn(&mut Stamp)| match nodes.all.get_mut(path) {
            Some(Node::File(file)) => {
                file.set(change);
                Ok(())
            }
            Some(Node::Folder(stamp)) => {
                change(stamp);
                Ok(())
            }
            None => Err(ErrorKind::NotFound),
        };
        match change {
            Change::MakeFolder(mode) => match nodes.get(path).is_some() {
                true => Err(ErrorKind::Exists),
                false => self.insert(&mut nodes, path, Node::Folder(self.stamp(mode))),
            },
            // There is nobody but root, and there are files and folders only.
            Change::MakeSpecial | Change::SetOwner => Err(ErrorKind::NotPermitted),
            Change::Remove if nodes.within(path).next().is_some() => Err(ErrorKind::NotEmpty),
            Change::Remove if self.take(&mut nodes, path) => Ok(()),
            Change::Remove => Err(ErrorKind::NotFound),
            Change::Resize(size) => match nodes.get(path) {
                Some(Node::File(file)) => file.resize(size),
                Some(Node::Folder(_)) => Err(ErrorKind::IsADirectory),
                None => Err(ErrorKind::NotFound),
            },
            Change::SetTime(seconds, nanos) => set(&mut nodes, &|stamp| stamp.time = (seconds, nanos)),
            Change::SetMode(mode) => set(&mut nodes, &|stamp| stamp.mode = mode),
            Change::Rename(_) => Err(ErrorKind::CrossDevice),
        }
    }

    /// Call what is at `from` from now on `to`, in place of what is there.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), ErrorKind> {
        if from == to {
            return Ok(());
        }
        if below(from, to).is_some() {
            return Err(ErrorKind::Invalid);
        }
        let mut nodes = self.nodes.lock();
        match (nodes.get(from).ok_or(ErrorKind::NotFound)?, nodes.get(to)) {
            (Node::File(_), Some(Node::Folder(_))) => return Err(ErrorKind::IsADirectory),
            (Node::Folder(_), Some(Node::File(_))) => return Err(ErrorKind::NotADirectory),
            (Node::Folder(_), Some(_)) if nodes.within(to).next().is_some() => return Err(ErrorKind::NotEmpty),
            _ => {}
        }
        let mut moved = vec![from.to_string()];
        moved.extend(nodes.within(from).map(|(path, _)| path.clone()));
        let cost = |own: &str| (own.len() * moved.len()) as u64;
        match cost(to).checked_sub(cost(from)) {
            Some(more) => self.room.take(more)?,
            None => self.room.give(cost(from) - cost(to)),
        }
        self.take(&mut nodes, to);
        for path in moved {
            if let Some(node) = nodes.remove(&path) {
                nodes.insert(format!("{to}{}", &path[from.len()..]), node);
            }
        }
        Ok(())
    }
}
