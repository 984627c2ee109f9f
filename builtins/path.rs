//! Absolute, normal paths of the site. A [`VPath`] is only a name: it never reaches the host's disk.
use crate::basename;
use std::{fmt, sync::Arc};

/// An absolute path without `.`, `..`, `//` or a trailing slash; the root is `/`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VPath(Arc<str>);

impl VPath {
    /// The longest name of one component, in bytes (Linux's `NAME_MAX`).
    pub const NAME_MAX: usize = 255;
    /// The longest path, in bytes (Linux's `PATH_MAX`).
    pub const PATH_MAX: usize = 4096;

    /// The root directory.
    pub fn root() -> VPath {
        VPath("/".into())
    }

    /// `text` read from `self` as working directory. Lexical, and total: `..` at the root stays there.
    ///
    /// An operand of a command is not lexical (`nosuch/../x` does not exist): resolve it with [`crate::Call::resolve`].
    pub fn join(&self, text: &str) -> VPath {
        let mut parts: Vec<&str> = match text.starts_with('/') {
            true => Vec::new(),
            false => self.parts().collect(),
        };
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name),
            }
        }
        VPath(format!("/{}", parts.join("/")).into())
    }

    /// The child `name` of this directory. `name` is one component, neither empty nor `.` nor `..`.
    pub fn child(&self, name: &str) -> VPath {
        let dir = if self.is_root() { "" } else { &*self.0 };
        let mut path = String::with_capacity(dir.len() + 1 + name.len());
        path.push_str(dir);
        path.push('/');
        path.push_str(name);
        VPath(path.into())
    }

    /// The directory this path is in; the root's is the root.
    pub fn parent(&self) -> VPath {
        match self.0.rfind('/') {
            None | Some(0) => VPath::root(),
            Some(at) => VPath(self.0[..at].into()),
        }
    }

    /// Whether this is `/`.
    pub fn is_root(&self) -> bool {
        &*self.0 == "/"
    }

    /// Whether this path is `dir` or below it.
    pub fn is_within(&self, dir: &VPath) -> bool {
        dir.is_root() || self.0.strip_prefix(&*dir.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The names on the way from the root.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/').filter(|part| !part.is_empty())
    }

    /// The last name; `None` for the root.
    pub fn name(&self) -> Option<&str> {
        let slash = self.0.rfind('/')?;
        Some(&self.0[slash + 1..]).filter(|name| !name.is_empty())
    }

    /// The path as text, beginning with `/`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path without its leading slash: a page's slug.
    pub fn slug(&self) -> &str {
        &self.0[1..]
    }
}

/// Where something is that was listed. Most of it is never opened: its path is put together when it is asked for.
#[derive(Clone, Debug)]
pub(crate) enum Location {
    /// Here.
    At(VPath),
    /// In this folder.
    In(VPath),
}

impl Location {
    /// The path of what is called `name`, with or without what stands before its bare name.
    pub(crate) fn path(&self, name: &str) -> VPath {
        match self {
            Location::At(path) => path.clone(),
            Location::In(folder) => folder.child(basename::last(name)),
        }
    }
}

impl fmt::Display for VPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(dir: &str, text: &str) -> String {
        VPath::root().join(dir).join(text).to_string()
    }

    #[test]
    fn joining_is_lexical_and_total() {
        assert_eq!(join("/auth", "oauth.mdx"), "/auth/oauth.mdx");
        assert_eq!(join("/auth", "../../.."), "/");
        assert_eq!(join("/auth", "/guides//a/./b/"), "/guides/a/b");
        assert_eq!(join("/", ""), "/");
    }

    #[test]
    fn within_compares_whole_names() {
        let within = |path: &str, dir: &str| VPath::root().join(path).is_within(&VPath::root().join(dir));
        assert!(within("/auth/oauth", "/auth"));
        assert!(within("/auth", "/auth"));
        assert!(within("/auth", "/"));
        assert!(!within("/authors", "/auth"));
    }

    #[test]
    fn parents_end_at_the_root() {
        assert_eq!(VPath::root().join("a/b").parent().as_str(), "/a");
        assert_eq!(VPath::root().join("a").parent().as_str(), "/");
        assert_eq!(VPath::root().parent().as_str(), "/");
        assert_eq!(VPath::root().child("a").child("b").as_str(), "/a/b");
    }
}
