//! Whether a site has become another one for a visitor since its last command. What changes only for others is no news:
//! it would tell that there is something.
use super::{Site, Visitor};
use crate::tree::{PageId, Tree};
use std::sync::Arc;

/// The site as a visitor has seen it last.
#[derive(Clone, Debug)]
pub struct Seen(Arc<Tree>);

impl Site {
    /// The site as it is now.
    pub fn seen(&self) -> Seen {
        Seen(self.shared.snapshots.tree())
    }

    /// Whether what `visitor` may see has changed since `seen`, which is the site as it is now from then on.
    pub fn has_news(&self, seen: &mut Seen, visitor: &Visitor) -> bool {
        let Seen(new) = self.seen();
        let old = std::mem::replace(&mut seen.0, new.clone());
        !Arc::ptr_eq(&old, &new) && old.version() != new.version() && !is_same(&old, &new, visitor)
    }
}

/// Whether two trees are the same to `visitor`, as far as they say.
fn is_same(old: &Tree, new: &Tree, visitor: &Visitor) -> bool {
    let [mut one, mut other] = [old, new].map(|tree| {
        let visible = tree.classes().visible(visitor);
        tree.pages().filter(move |&page| tree.sees_page(page, &visible)).map(move |page| looks(tree, page))
    });
    one.by_ref().eq(other.by_ref())
}

/// What is known of a page that exists for a visitor. Of one with parts for some visitors only, nothing but that it is
/// there: the parts of others may be what has changed.
fn looks(tree: &Tree, page: PageId) -> (&str, Option<impl PartialEq + use<'_>>) {
    let facts = (tree.hash(page), tree.size(page), tree.mtime(page), tree.title(page), tree.lazy(page));
    (tree.path(page), (!tree.is_view(page)).then_some(facts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Layout, Rules, TreeVersion};

    fn tree(json: &str) -> Tree {
        Tree::from_record(json.as_bytes(), Layout::default(), Rules::Required, TreeVersion("1".into())).unwrap()
    }

    #[test]
    fn what_changes_for_others_is_no_news() {
        let old = tree(r#"{"a": {"isPublic": true, "size": 1}, "b": {"groups": ["eng"]}}"#);
        let rows = [
            (r#"{"a": {"isPublic": true, "size": 1}, "b": {"groups": ["eng"]}}"#, true, true),
            (r#"{"a": {"isPublic": true, "size": 2}, "b": {"groups": ["eng"]}}"#, false, false),
            (r#"{"a": {"isPublic": true, "size": 1}, "b": {"groups": ["eng"], "size": 7}}"#, true, false),
            (r#"{"a": {"isPublic": true, "size": 1}, "c": {"groups": ["eng"]}}"#, true, false),
            (r#"{"a": {"isPublic": true, "size": 1}, "b": {"isPublic": true}}"#, false, true),
        ];
        for (json, for_all, for_engineers) in rows {
            let new = tree(json);
            assert_eq!(is_same(&old, &new, &Visitor::Anonymous), for_all, "{json}");
            assert_eq!(is_same(&old, &new, &Visitor::member(["eng"])), for_engineers, "{json}");
        }
    }
}
