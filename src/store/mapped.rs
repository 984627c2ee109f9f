//! Bytes as they lie in a file, which is not read but mapped: to copy a megabyte takes longer, since the system gives
//! out memory page by page. But what is mapped changes with a file that somebody writes in place.
#![allow(clippy::disallowed_types, reason = "the files are those that stores keep")]
use bytes::Bytes;
use memmap2::MmapOptions;
use std::{fs::File, io, os::unix::fs::FileExt};

/// From this size on it pays to map.
const MAPPED: usize = 32 << 10;

/// So many bytes of a file from `start` on, read.
pub(super) fn copy(file: &File, start: u64, len: usize) -> io::Result<Bytes> {
    if start.saturating_add(len as u64) > file.metadata()?.len() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut bytes = vec![0; len];
    file.read_exact_at(&mut bytes, start)?;
    Ok(bytes.into())
}

/// The same, mapped where that pays. The file must not be changed in place while the bytes are in use: what docsh keeps
/// is replaced by a file of the same name. One that is cut short nevertheless ends the process when it is looked at.
#[allow(unsafe_code, reason = "whoever writes these files, docsh alone, renames them into their places")]
pub(super) fn part(file: &File, start: u64, len: usize) -> io::Result<Bytes> {
    if len < MAPPED {
        return copy(file, start, len);
    }
    if start.saturating_add(len as u64) > file.metadata()?.len() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    // SAFETY: the file is not changed while it is mapped.
    let map = unsafe { MmapOptions::new().offset(start).len(len).map_copy_read_only(file)? };
    Ok(Bytes::from_owner(map))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn small_and_large_parts_are_what_the_file_says() {
        let mut file = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..MAPPED + 5000).map(|at| at as u8).collect();
        file.write_all(&bytes).unwrap();
        for (start, len) in [(0, 0), (3, 7), (5, MAPPED - 1), (5, MAPPED), (4097, MAPPED + 100), (0, bytes.len())] {
            let part = part(&file, start as u64, len).unwrap();
            assert_eq!(part, bytes[start..start + len]);
            assert_eq!(copy(&file, start as u64, len).unwrap(), part);
        }
        for len in [20_000, 40_000] {
            assert!(part(&file, 20_000, len).is_err() && copy(&file, 20_000, len).is_err());
        }
    }
}
