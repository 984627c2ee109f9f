//! The order of pages: as the navigation lists them, or as folders of pages order themselves.

/// Where a page stands among the others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::ingest) enum Place {
    /// In a list, after so many others.
    Listed(usize),
    /// In folders that order themselves: for each name of its path where that stands in its folder. What is listed
    /// comes first.
    Sorted(Vec<(Position, String)>),
}

/// Where a name stands in its folder; equal positions are ordered by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::ingest) enum Position {
    /// The folder's own page.
    Index,
    /// At this place, in thousandths: authors put pages between others.
    At(i64),
    /// After those whose position is known.
    Last,
}

/// The order of what has a place: each gets its number, from 0.
pub(in crate::ingest) fn ranked(places: Vec<Option<Place>>) -> Vec<Option<u32>> {
    let mut order: Vec<usize> = (0..places.len()).filter(|&at| places[at].is_some()).collect();
    // The sort is stable: what has the same place stays as it came.
    order.sort_by(|&a, &b| places[a].cmp(&places[b]));
    let mut ranks = vec![None; places.len()];
    for (rank, at) in (0..).zip(order) {
        ranks[at] = Some(rank);
    }
    ranks
}
