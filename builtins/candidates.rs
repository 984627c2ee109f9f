//! Reading many pages for a search: those that may match, in order, after asking the store which these are.
use crate::{Cancel, ErrorKind, Fs, FsResult, Needles, Result, VPath};
use bytes::Bytes;

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
            Ok(narrowed) => narrowed.map(|mut pages| {
                pages.sort_unstable();
                pages
            }),
            Err(error) => match error.kind {
                ErrorKind::Stopped(stop) => return Err(stop.into()),
                _ => None, // reading the pages will tell what is wrong, if anything is
            },
        },
        _ => None,
    };
    let is_wanted = |path: &VPath| narrowed.as_ref().is_none_or(|narrowed| narrowed.binary_search(path).is_ok());
    let paths: Vec<(VPath, bool)> = paths
        .into_iter()
        .map(|path| {
            let is_wanted = is_wanted(&path);
            (path, is_wanted)
        })
        .collect();
    let wanted = paths.iter().filter(|(_, is_wanted)| *is_wanted).map(|(path, _)| path.clone()).collect();
    let mut reads = fs.read_many(wanted, cancel);
    Ok(paths.into_iter().map(move |(path, is_wanted)| {
        cancel.check()?;
        if !is_wanted {
            return Ok(Candidate::Matchless);
        }
        let read =
            reads.next().map_or_else(|| Err(ErrorKind::Io("it was not read".into()).at(&path)), |(_, read)| read);
        Ok(Candidate::Read(read))
    }))
}
