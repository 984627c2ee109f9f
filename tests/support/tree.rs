//! The fixtures as folders on the disk, with the times and modes that the expected answers were made with: git keeps
//! neither.
use std::{
    fs::{self, File},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// 2025-01-15 12:00 UTC: the time of every fixture.
const TIME: u64 = 1_736_942_400;

/// A folder of this repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A temporary copy of a fixture's tree; it goes with its value.
pub(crate) fn copy_of(fixture: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder");
    copy_dir(&repository(fixture), copy.path());
    copy
}

/// A temporary folder that holds these files (path, text).
pub(crate) fn literal<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().expect("below the folder")).unwrap();
        fs::write(&file, text).unwrap();
        settle(&file);
    }
    folder
}

fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).expect("a fixture") {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_dir(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
            settle(&target);
        }
    }
    // After what is in it, since every new name moves a folder's time.
    settle(to);
}

/// Give a file or folder the mode and time it was listed with.
fn settle(path: &Path) {
    let executable = path.is_dir() || path.extension().is_some_and(|extension| extension == "sh");
    fs::set_permissions(path, fs::Permissions::from_mode(if executable { 0o755 } else { 0o644 })).unwrap();
    File::open(path).unwrap().set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(TIME)).unwrap();
}
