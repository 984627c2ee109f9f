//! The folder over the bundled site: what commands cannot show, or only by the way.
use super::*;
use crate::site::{Site, Visitor};
use docsh_builtins::Needle;
use std::io::{Read, Write};

fn over(capacity: u64) -> Arc<dyn Fs> {
    let site = Site::bundled().unwrap().session(&Visitor::Anonymous);
    Scratch::new(capacity).over(site)
}

fn path(text: &str) -> VPath {
    VPath::root().join(text)
}

fn write(fs: &dyn Fs, name: &str, opening: Opening, text: &str) -> Result<(), String> {
    let mut output = fs.create(&path(name), opening, 0o644).map_err(|error| error.to_string())?;
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).map_err(|error| error.to_string())
}

fn read(fs: &dyn Fs, name: &str) -> String {
    let mut text = String::new();
    fs.open(&path(name), 0, &Cancel::new()).unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn what_is_full_takes_what_fits_and_is_free_again_when_it_is_removed() {
    let fs = over(3 * 4096);
    let half = "x".repeat(5000);
    assert_eq!(write(&*fs, "/tmp/a", Opening::Anew, &half), Ok(()));
    // A file of 5,000 bytes takes two blocks, a name its part of the third.
    assert_eq!(write(&*fs, "/tmp/b", Opening::Anew, "y"), Err("write error: No space left on device".into()));
    assert_eq!(fs.stat(&path("/tmp/b")).unwrap().size, Some(0));
    assert_eq!(write(&*fs, "/tmp/a", Opening::Append, &half), Err("write error: No space left on device".into()));
    assert_eq!(read(&*fs, "/tmp/a").len(), 8192, "what fits the last block is written");
    fs.change(&path("/tmp/a"), Change::Remove).unwrap();
    assert_eq!(write(&*fs, "/tmp/b", Opening::Anew, &half), Ok(()));
}

#[test]
fn what_all_share_is_there_again_when_a_folder_goes() {
    let shared = SharedRoom::new(4 * 4096);
    let site = || Site::bundled().unwrap().session(&Visitor::Anonymous);
    let over = || Scratch::sharing(3 * 4096, &shared).over(site());
    let room = |fs: &dyn Fs| fs.volumes().last().map(|own| (own.size, own.free));
    let (first, second) = (over(), over());
    assert_eq!(write(&*first, "/tmp/a", Opening::Anew, &"x".repeat(5000)), Ok(()));
    assert_eq!(
        (room(&*first), room(&*second)),
        (Some((12_288, 12_288 - 8192 - 257)), Some((12_288, 16_384 - 8192 - 257)))
    );
    assert_eq!(
        write(&*second, "/tmp/b", Opening::Anew, &"y".repeat(8192)),
        Err("write error: No space left on device".into())
    );
    second.change(&path("/tmp/b"), Change::Remove).unwrap();
    drop(first);
    assert_eq!(write(&*second, "/tmp/b", Opening::Anew, &"y".repeat(8192)), Ok(()));
    assert_eq!(
        write(&*over(), "/tmp/c", Opening::Anew, &"z".repeat(8192)),
        Err("write error: No space left on device".into())
    );
    drop(second);
    assert_eq!(room(&*over()), Some((12_288, 12_288)));
}

#[test]
fn names_are_not_free() {
    let fs = over(1024);
    let made = |n: usize| fs.create(&path(&format!("/tmp/{n}")), Opening::Anew, 0o644).is_ok();
    assert_eq!((0..100).filter(|n| made(*n)).count(), 3);
}

#[test]
fn a_file_without_a_name_lives_until_it_is_closed_and_then_gives_its_room_back() {
    let fs = over(2 * 4096);
    write(&*fs, "/tmp/a", Opening::Anew, "held").unwrap();
    let mut reader = fs.open(&path("/tmp/a"), 2, &Cancel::new()).unwrap();
    fs.change(&path("/tmp/a"), Change::Remove).unwrap();
    assert!(write(&*fs, "/tmp/b", Opening::Anew, &"x".repeat(5000)).is_err());
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "ld");
    drop(reader);
    let fs = over(2 * 4096);
    assert_eq!(write(&*fs, "/tmp/b", Opening::Anew, &"x".repeat(4096)), Ok(()));
}

#[test]
fn what_was_cut_off_does_not_come_back() {
    let fs = over(1 << 20);
    write(&*fs, "/tmp/a", Opening::Anew, "secret").unwrap();
    fs.change(&path("/tmp/a"), Change::Resize(2)).unwrap();
    fs.change(&path("/tmp/a"), Change::Resize(4)).unwrap();
    assert_eq!(read(&*fs, "/tmp/a"), "se\0\0");
    assert!(fs.change(&path("/tmp/a"), Change::Resize(u64::MAX)).is_err());
}

#[test]
fn a_renamed_folder_takes_all_with_it_and_leaves_its_neighbours() {
    let fs = over(1 << 20);
    for folder in ["/tmp/a", "/tmp/a/b", "/tmp/a-b"] {
        fs.change(&path(folder), Change::MakeFolder(0o755)).unwrap();
    }
    write(&*fs, "/tmp/a/b/c", Opening::Anew, "c").unwrap();
    write(&*fs, "/tmp/a-b/d", Opening::Anew, "d").unwrap();
    let names =
        |dir: &str| -> Vec<String> { fs.list(&path(dir)).unwrap().into_iter().map(|entry| entry.name).collect() };
    assert_eq!(names("/tmp"), ["a", "a-b"]);
    let inside = path("/tmp/a/x");
    assert!(
        matches!(fs.change(&path("/tmp/a"), Change::Rename(&inside)), Err(error) if error.to_string() == "Invalid argument")
    );
    let full = path("/tmp/a-b");
    assert!(
        matches!(fs.change(&path("/tmp/a"), Change::Rename(&full)), Err(error) if error.to_string() == "Directory not empty")
    );
    fs.change(&path("/tmp/a"), Change::Rename(&path("/tmp/much-longer"))).unwrap();
    assert_eq!(
        (names("/tmp"), names("/tmp/much-longer/b")),
        (vec!["a-b".into(), "much-longer".into()], vec!["c".into()])
    );
    assert_eq!(read(&*fs, "/tmp/much-longer/b/c"), "c");
}

#[test]
fn everything_else_stays_read_only() {
    let fs = over(1 << 20);
    let refused = |result: FsResult<()>| result.unwrap_err().to_string();
    for page in ["/new.md", "/tmp2", "/auth/new.md"] {
        let opened = fs.create(&path(page), Opening::Anew, 0o644).map(drop);
        assert_eq!(refused(opened), "Read-only file system", "{page}");
        assert_eq!(refused(fs.change(&path(page), Change::MakeFolder(0o755))), "Read-only file system", "{page}");
    }
    for change in [Change::Remove, Change::SetTime(0, 0), Change::SetMode(0), Change::Rename(&path("/temp"))] {
        assert_eq!(refused(fs.change(&path("/tmp"), change)), "Read-only file system");
    }
    assert!(!fs.is_writable(&path("/auth")) && fs.is_writable(&path("/tmp")) && !fs.is_writable(&path("/tmp/nosuch")));
}

#[test]
fn a_search_of_the_whole_site_looks_into_the_folder() {
    let fs = over(1 << 20);
    write(&*fs, "/tmp/note", Opening::Anew, "needle\n").unwrap();
    let needles = Needles { any: vec![Needle::Literal("needle".into())] };
    if let Some(found) = fs.narrow(&[VPath::root()], &needles, &Cancel::new()).unwrap() {
        assert!(found.contains(&path("/tmp/note")), "{found:?}");
    }
    let found = fs.narrow(&[path("/tmp")], &needles, &Cancel::new()).unwrap();
    assert_eq!(found, Some(vec![path("/tmp/note")]));
    let both = vec![path("/tmp/note"), path("/quickstart.mdx")];
    let read: Vec<VPath> = fs.read_many(both.clone(), &Cancel::new()).map(|(path, _)| path).collect();
    assert_eq!(read, both);
}
