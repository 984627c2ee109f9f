//! What one visitor sees of pages that hold parts for some visitors only. Making such a view parses a whole file, so
//! the last ones are kept; of the others their size is, since listings ask for it again and again.
use crate::tree::PageId;
use bytes::Bytes;
use std::collections::{HashMap, VecDeque};

/// The most bytes of views that a session keeps.
const CAPACITY: usize = 16 << 20;

/// The views of a session.
#[derive(Debug, Default)]
pub(super) struct Views {
    sizes: HashMap<PageId, u64>,
    /// The oldest first.
    kept: VecDeque<(PageId, Bytes)>,
    bytes: usize,
}

impl Views {
    /// The text of a view that is still kept.
    pub(super) fn text(&self, page: PageId) -> Option<Bytes> {
        self.kept.iter().find(|(kept, _)| *kept == page).map(|(_, text)| text.clone())
    }

    /// The size of a view that has been made.
    pub(super) fn size(&self, page: PageId) -> Option<u64> {
        self.sizes.get(&page).copied()
    }

    /// Keep a view, in place of the oldest ones where there is no room.
    pub(super) fn keep(&mut self, page: PageId, text: Bytes) {
        self.sizes.insert(page, text.len() as u64);
        if self.text(page).is_some() {
            return;
        }
        self.bytes += text.len();
        self.kept.push_back((page, text));
        while self.bytes > CAPACITY
            && let Some((_, oldest)) = self.kept.pop_front()
        {
            self.bytes -= oldest.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_and_their_sizes_stay() {
        let mut views = Views::default();
        let half = Bytes::from(vec![b'x'; CAPACITY / 2]);
        for page in 0..3 {
            views.keep(PageId(page), half.clone());
        }
        let kept = [0, 1, 2].map(|page| views.text(PageId(page)).is_some());
        assert_eq!((kept, views.size(PageId(0))), ([false, true, true], Some(CAPACITY as u64 / 2)));
        // One that is larger than all the room is not kept at all.
        views.keep(PageId(9), vec![b'x'; CAPACITY + 1].into());
        assert_eq!((views.text(PageId(9)), views.bytes, views.kept.len()), (None, 0, 0));
    }
}
