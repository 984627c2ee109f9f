//! The files of a docs folder that become pages, before anything is read of them. The build script walks the bundled
//! site with it too, so this file names nothing else of the crate.
#![allow(clippy::disallowed_types, reason = "the folder that the user named is the host's")]
use ignore::{DirEntry, gitignore::Gitignore};
use std::path::{Path, PathBuf};

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its path below the folder, with `/`.
    pub slug: String,
    /// Where it is on the host.
    pub path: PathBuf,
}

/// Which files count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Every file, as it is.
    pub all: bool,
    /// Navigation and configuration files too.
    pub include_config: bool,
}

/// Files that say how a site is built. They name its hidden pages.
const CONFIG: &[&str] = &[
    "docs.json",
    "mint.json",
    "mkdocs.yml",
    "mkdocs.yaml",
    "sidebars.js",
    "sidebars.ts",
    "sidebars.cjs",
    "sidebars.mjs",
    "sidebars.json",
    "sidebars.yml",
    "sidebars.yaml",
    "_sidebar.md",
    "docusaurus.config.js",
    "docusaurus.config.ts",
    "docusaurus.config.cjs",
    "docusaurus.config.mjs",
    "_category_.json",
    "_category_.yml",
    "_category_.yaml",
];

/// What Mintlify never builds, unless `.mintignore` says otherwise (`!README.md`). Its further names begin with a dot.
const MINTLIFY_IGNORES: &[&str] = &[
    "node_modules",
    "build",
    "dist",
    "coverage",
    "tmp",
    "temp",
    "README.md",
    "LICENSE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
];

/// The files of `dir`, sorted, and what could not be looked at, in words. Names that begin with a dot and what
/// `.mintignore` and `.gitignore` name are left out unless all are wanted, and in a folder of Mintlify what that never
/// builds. Symbolic links are never followed.
pub fn walk(dir: &Path, choice: Choice) -> Result<(Vec<Found>, Vec<String>), String> {
    let mut walk = ignore::WalkBuilder::new(dir);
    walk.standard_filters(false).follow_links(false);
    if !choice.all {
        walk.hidden(true).git_ignore(true).require_git(false).add_custom_ignore_filename(".mintignore");
        if ["docs.json", "mint.json"].iter().any(|name| dir.join(name).is_file()) {
            // What cannot be parsed of the file, the walk complains of.
            let (wanted, _) = Gitignore::new(dir.join(".mintignore"));
            walk.filter_entry(move |entry| entry.depth() == 0 || is_built(entry, &wanted));
        }
    }
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for (at, entry) in walk.build().enumerate() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if at == 0 => return Err(error.to_string()),
            Err(error) => {
                faults.push(error.to_string());
                continue;
            }
        };
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.into_path();
        let relative = path.strip_prefix(dir).unwrap_or(&path);
        let parts: Option<Vec<&str>> = relative.iter().map(|part| part.to_str()).collect();
        let Some(parts) = parts else {
            faults.push(format!("{}: its name is not UTF-8", relative.display()));
            continue;
        };
        let is_config = parts.last().is_some_and(|name| CONFIG.contains(name));
        if choice.all || choice.include_config || !is_config {
            found.push(Found { slug: parts.join("/"), path });
        }
    }
    found.sort_by(|a, b| a.slug.cmp(&b.slug));
    Ok((found, faults))
}

/// Whether Mintlify builds this, as far as its name tells.
fn is_built(entry: &DirEntry, wanted: &Gitignore) -> bool {
    let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
    let is_ignored = entry.file_name().to_str().is_some_and(|name| MINTLIFY_IGNORES.contains(&name));
    !is_ignored || wanted.matched(entry.path(), is_dir).is_whitelist()
}
