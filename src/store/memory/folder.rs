//! A folder of the host as a site, as it is: every text file (compressed by gzip too), with its time and mode, names
//! that begin with a dot included; no rules, no frontmatter. Symbolic links are not followed. It is read once, whole,
//! at the start; afterwards the host's disk is never touched again.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the folder that the user named is the host's")]
use super::{File, Memory};
use crate::{
    store::StoreError,
    tree::{Layout, access::Class},
};
use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

/// A file that is not in the site although it is in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its path below the folder, made readable.
    pub path: String,
    /// Why.
    pub reason: String,
}

impl Memory {
    /// The folder `dir` as it is, and what could not be taken from it. Files that are not text (they hold a NUL) are
    /// left out without a word, as are symbolic links.
    pub fn folder(dir: &OsStr) -> Result<(Memory, Vec<Skipped>), StoreError> {
        let (mut files, mut skipped) = (Vec::new(), Vec::new());
        let root = Path::new(dir);
        let failed = |error: io::Error| StoreError::Folder { folder: dir.display().to_string(), cause: cause(&error) };
        read_folder(root, "", &mut files, &mut skipped).map_err(failed)?;
        Ok((Memory::new("the folder", files, Layout { is_plain: true, ..Layout::default() }), skipped))
    }
}

/// Bytes at the begin of a file that tell whether it is text.
const LOOKED_AT: u64 = 8192;

/// Everything in `dir`, whose path below the root is `prefix`.
fn read_folder(dir: &Path, prefix: &str, files: &mut Vec<File>, skipped: &mut Vec<Skipped>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let mut skip = |reason: &str| {
            let path = format!("{prefix}{}", name.display());
            skipped.push(Skipped { path, reason: reason.to_string() });
        };
        let Some(text) = name.to_str() else {
            skip("its name is not UTF-8");
            continue;
        };
        if text.contains('\n') {
            skip("its name has a newline in it");
            continue;
        }
        let path = format!("{prefix}{text}");
        let kind = entry.file_type()?;
        let result = if kind.is_dir() {
            read_folder(&entry.path(), &format!("{path}/"), files, skipped)
        } else if kind.is_file() {
            read_file(&entry, path).map(|file| files.extend(file))
        } else {
            Ok(())
        };
        if let Err(error) = result {
            let path = format!("{prefix}{text}");
            skipped.push(Skipped { path, reason: cause(&error) });
        }
    }
    Ok(())
}

/// The file, if it is text, or what `zcat` makes text of.
fn read_file(entry: &fs::DirEntry, slug: String) -> io::Result<Option<File>> {
    let meta = entry.metadata()?;
    let mut file = fs::File::open(entry.path())?;
    // A folder may hold far more bytes of programs than of text: of those no more is read than tells what they are.
    let mut body = Vec::new();
    file.by_ref().take(LOOKED_AT).read_to_end(&mut body)?;
    let is_gzip = body.starts_with(&[0x1f, 0x8b]);
    if !is_gzip && body.contains(&0) {
        return Ok(None);
    }
    file.read_to_end(&mut body)?;
    Ok(Some(File {
        slug: slug.into(),
        body: body.into(),
        title: None,
        address: None,
        order: None,
        class: Class::Public,
        mtime: Some(meta.mtime()),
        mode: (meta.permissions().mode() & 0o7777) as u16,
        view: false,
    }))
}

/// The system's words, without `(os error 13)`.
fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{Site, Visitor};
    use docsh_builtins::{Kind, VPath};
    use std::os::unix::{ffi::OsStrExt, fs::symlink};

    #[test]
    fn a_folder_is_taken_as_it_is() {
        let root = std::env::temp_dir().join(format!("docsh-folder-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("a/b")).unwrap();
        for (name, text) in
            [("a/b/x.md", "---\npublic: false\n---\n"), (".hidden", ""), ("run.sh", "#!/bin/sh\n"), ("image", "a\0b")]
        {
            fs::write(root.join(name), text).unwrap();
        }
        fs::write(root.join(OsStr::from_bytes(b"bad\xff")), "x").unwrap();
        fs::set_permissions(root.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_736_942_400);
        fs::File::open(root.join("run.sh")).unwrap().set_modified(time).unwrap();
        symlink("/etc", root.join("link")).unwrap();
        symlink("run.sh", root.join("link.sh")).unwrap();

        let (site, skipped) = Site::dir(root.as_os_str()).unwrap();
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(skipped, [Skipped { path: "bad\u{fffd}".into(), reason: "its name is not UTF-8".into() }]);
        let site = site.session(&Visitor::Anonymous);
        let names = |dir| site.list(&VPath::root().join(dir)).unwrap().into_iter().map(|entry| entry.name);
        assert_eq!(names("/").collect::<Vec<_>>(), [".hidden", "a", "run.sh"]);
        assert_eq!(names("/a/b").collect::<Vec<_>>(), ["x.md"]);
        let run = site.stat(&VPath::root().join("run.sh")).unwrap();
        assert_eq!((run.kind, run.mode, run.mtime, run.size), (Kind::File, 0o755, 1_736_942_400, Some(10)));
        assert_eq!(site.suffixed(&VPath::root().join("a/b/x")), None);
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = Site::dir(OsStr::new("/no/such/folder")).map(drop).unwrap_err();
        assert_eq!((error.to_string(), error.status()), ("/no/such/folder: No such file or directory".into(), 78));
    }
}
