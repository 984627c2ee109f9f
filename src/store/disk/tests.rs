use super::*;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

fn key(name: &str, is_lasting: bool) -> ShelfKey {
    ShelfKey { id: Hash::of(name.as_bytes()), is_lasting }
}

fn get(disk: &Disk, key: ShelfKey) -> Option<Bytes> {
    disk.get(&[key], &Cancel::new()).pop().flatten()
}

#[test]
fn what_is_kept_is_found_by_the_next_process() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("cache/v1");
    let disk = Disk::new(folder.as_os_str(), Duration::ZERO, 1 << 20);
    let (lasting, passing) = (key("a", true), key("b", false));
    disk.put(&[(lasting, "text".into()), (passing, "text".into())], &Cancel::new());
    disk.put_tree(&lasting.id, &[b"tr", b"ee"]);
    let next = Disk::new(folder.as_os_str(), Duration::ZERO, 1 << 20);
    assert_eq!((get(&next, lasting), get(&next, passing)), (Some("text".into()), None));
    assert_eq!(get(&Disk::new(folder.as_os_str(), Duration::from_secs(60), 1 << 20), passing), Some("text".into()));
    assert_eq!(next.tree(&lasting.id).map(|(tree, _)| tree.to_vec()), Some(b"tree".to_vec()));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&next.tree_file(&lasting.id))), (0o700, 0o600));
}

#[test]
fn a_torn_file_is_a_miss() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::new(dir.path().as_os_str(), Duration::ZERO, 1 << 20);
    let key = key("a", true);
    disk.put(&[(key, "some text".into())], &Cancel::new());
    let file = disk.page_file(&key);
    let whole = fs::read(&file).unwrap();
    for length in 0..whole.len() {
        fs::write(&file, &whole[..length]).unwrap();
        assert_eq!(get(&disk, key), None, "{length} bytes");
    }
    let mut flipped = whole;
    flipped[3] ^= 1;
    fs::write(&file, flipped).unwrap();
    assert_eq!(get(&disk, key), None);
}

#[test]
fn pages_that_come_together_are_one_file_and_go_together() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::new(dir.path().as_os_str(), Duration::from_secs(60), 1 << 20);
    // The first and the last have no text; one is as large as all the others.
    let pages: Vec<(ShelfKey, Bytes)> =
        (0..70).map(|n| (key(&n.to_string(), n % 2 == 0), format!("{n:02}").repeat(n * (69 - n)).into())).collect();
    disk.put(&pages, &Cancel::new());
    let all = |disk: &Disk| disk.get(&pages.iter().map(|(key, _)| *key).collect::<Vec<_>>(), &Cancel::new());
    let whole: Vec<Option<Bytes>> = pages.iter().map(|(_, text)| Some(text.clone())).collect();
    assert_eq!(all(&disk), whole);
    let text: usize = pages.iter().map(|(_, text)| text.len()).sum();
    let held = disk.stats();
    // No file has more than 16 KiB here; a row of each page, and what stands behind the rows of a file.
    let files: std::collections::HashSet<u64> =
        pages.iter().map(|(key, _)| fs::metadata(disk.page_file(key)).unwrap().ino()).collect();
    assert_eq!((held.pages, held.bytes), (70, (text + 70 * 56 + files.len() * 12) as u64));
    assert_eq!(files.len(), 7);
    assert!(!fs::read_dir(dir.path()).unwrap().any(|entry| entry.unwrap().path().is_file()), "nothing is unfinished");

    // One that comes again takes its name with it, and leaves the others.
    disk.put(&pages[3..4], &Cancel::new());
    disk.put(&pages[10..12], &Cancel::new());
    assert_eq!((all(&disk), disk.stats().pages), (whole.clone(), 70));

    // A bit in the text of one page is the loss of that page alone.
    let damaged = disk.page_file(&pages[30].0);
    let mut bytes = fs::read(&damaged).unwrap();
    let at = bytes.windows(pages[30].1.len()).position(|part| part == pages[30].1).unwrap();
    bytes[at] ^= 1;
    fs::write(&damaged, bytes).unwrap();
    let found = all(&disk);
    let lost: Vec<usize> = (0..70).filter(|&at| found[at] != whole[at]).collect();
    assert_eq!((lost, &found[30]), (vec![30], &None));
    disk.put(&pages[30..31], &Cancel::new());
    assert_eq!(all(&disk), whole);
    assert_eq!((disk.clear().unwrap().pages, disk.stats()), (70, DiskStats::default()));
}

#[test]
fn what_cannot_be_written_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::new(dir.path().as_os_str(), Duration::ZERO, 1 << 20);
    let key = key("a", true);
    // A folder is where the file should be.
    fs::create_dir_all(disk.page_file(&key)).unwrap();
    disk.put(&[(key, "text".into())], &Cancel::new());
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!((left.as_slice(), get(&disk, key)), ([OsStr::new(PAGES).into()].as_slice(), None));
}

#[test]
fn the_oldest_go_when_it_is_full() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::new(dir.path().as_os_str(), Duration::ZERO, 1000);
    let keys: Vec<ShelfKey> = (0..20).map(|n| key(&n.to_string(), true)).collect();
    for (age, key) in keys.iter().enumerate() {
        disk.put(&[(*key, vec![b'x'; 100 - 56 - 12].into())], &Cancel::new());
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(age as u64);
        let _ = fs::File::options().write(true).open(disk.page_file(key)).and_then(|file| file.set_modified(time));
    }
    // What a process left that was killed, what one is writing, and what is none of the cache's.
    let [stray, busy] = [u32::MAX, process::id()].map(|process| dir.path().join(format!("new-{process}-1")));
    let others = dir.path().join("photos");
    fs::create_dir(&others).unwrap();
    let other = others.join("x".repeat(64));
    for file in [&stray, &busy, &other] {
        fs::write(file, "x").unwrap();
        fs::File::options().write(true).open(file).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    }
    disk.sweep();
    let kept: Vec<usize> = (0..20).filter(|&n| get(&disk, keys[n]).is_some()).collect();
    assert_eq!(kept, (13..20).collect::<Vec<_>>());
    assert_eq!([&stray, &busy, &other].map(|file| file.exists()), [false, true, true]);
    let held = DiskStats { pages: 7, trees: 0, folders: 0, bytes: 700 };
    assert_eq!((disk.stats(), disk.clear().unwrap(), disk.stats()), (held, held, DiskStats::default()));
    assert!(other.exists());
}

#[test]
fn many_short_processes_sweep_as_often_as_a_long_one() {
    let disk = Disk::new(OsStr::new("/nowhere"), Duration::ZERO, 64 * 1000);
    let sweeps = (0..100).filter(|_| disk.is_time_to_sweep(100)).count();
    assert_eq!(sweeps, 10);
}
