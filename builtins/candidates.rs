//! Reading many pages for a search: those that may match, in order, after asking the store which these are; and
//! searching them in several threads.
use crate::{Cancel, ErrorKind, Fs, FsResult, Needles, Result, VPath, in_order::in_order};
use bytes::Bytes;
use std::ops::ControlFlow;

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

/// Looks at the text of a page before its turn has come; `None` leaves the page to whoever takes it.
pub(crate) type Ahead<'a, P, A> = &'a (dyn Fn(&P, &Bytes) -> Option<A> + Sync);

/// Takes a page in its turn, with what was found in it ahead of that.
pub(crate) type Take<'a, P, A> = &'a mut dyn FnMut(&P, Candidate, Option<A>) -> Result<ControlFlow<()>>;

/// Hand `pages`, as `reads` gives them, to `take` in order, until it breaks or fails. With `ahead` they are looked at
/// in several threads, and `take` is told what was found.
pub(crate) fn search<P: Sync, A: Send>(
    pages: &[P],
    reads: impl Iterator<Item = Result<Candidate>>,
    ahead: Option<Ahead<'_, P, A>>,
    take: Take<'_, P, A>,
) -> Result<()> {
    let mut reads = pages.iter().zip(reads).map(|(page, read)| {
        let read = read?;
        let weight = if let Candidate::Read(Ok(text)) = &read { text.len() } else { 0 };
        Ok(((page, read), weight))
    });
    let Some(ahead) = ahead else {
        for read in reads {
            let ((page, read), _) = read?;
            if take(page, read, None)?.is_break() {
                break;
            }
        }
        return Ok(());
    };
    let look = |(page, read)| {
        let found = if let Candidate::Read(Ok(text)) = &read { ahead(page, text) } else { None };
        (page, read, found)
    };
    in_order(&mut reads, &look, &mut |(page, read, found)| take(page, read, found))
}
