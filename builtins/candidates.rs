//! Reading many pages for a search: those that may match, in order, after asking the store which these are.
use crate::{Cancel, ErrorKind, Fs, FsResult, Needles, Result, VPath};
use bytes::Bytes;
use std::collections::HashSet;

/// Pages for which it does not pay to ask.
const FEW: usize = 2;

/// A page of a search.
pub(crate) enum Candidate {
    /// It is known that nothing in it matches.
    Matchless,
    /// It has been read, or cannot be.
    Read(FsResult<Bytes>),
}

/// The pages `paths`, one by one. With `needles`, pages that hold none of them are not read.
pub(crate) fn candidates<'c>(
    fs: &dyn Fs,
    paths: Vec<VPath>,
    needles: Option<&Needles>,
    cancel: &'c Cancel,
) -> Result<impl Iterator<Item = Result<Candidate>> + use<'c>> {
    let narrowed = match needles {
        Some(needles) if paths.len() >= FEW => match fs.narrow(&paths, needles, cancel) {
            Ok(narrowed) => narrowed.map(HashSet::<VPath>::from_iter),
            Err(error) => match error.kind {
                ErrorKind::Stopped(stop) => return Err(stop.into()),
                _ => None, // reading the pages will tell what is wrong, if anything is
            },
        },
        _ => None,
    };
    let may_match: Vec<bool> =
        paths.iter().map(|path| narrowed.as_ref().is_none_or(|narrowed| narrowed.contains(path))).collect();
    let mut kept = may_match.iter();
    let wanted = paths.into_iter().filter(|_| kept.next() == Some(&true)).collect();
    let mut reads = fs.read_many(wanted, cancel);
    Ok(may_match.into_iter().map_while(move |may_match| {
        if let Err(stop) = cancel.check() {
            return Some(Err(stop.into()));
        }
        if !may_match {
            return Some(Ok(Candidate::Matchless));
        }
        reads.next().map(|(_, read)| Ok(Candidate::Read(read)))
    }))
}
