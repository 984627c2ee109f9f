//! Where the lines of a site's sessions are kept: `$XDG_STATE_HOME/docsh/NAME`, for its user alone.
use rustyline::history::{FileHistory, History};
use std::{
    fs::DirBuilder,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

/// Lines kept at most.
pub const LENGTH: usize = 10_000;

/// The file for the site `name`, or none where there is no home.
pub fn file(name: &str) -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    Some(state.join("docsh").join(name.replace('/', "_")))
}

/// Add what is new in `history` to `file`, which the editor's library makes with mode 0600.
pub fn append(history: &mut FileHistory, file: &Path) -> rustyline::Result<()> {
    if let Some(folder) = file.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    history.append(file)
}
