//! Chunks into a page: every record is checked before its text counts as the page's.
use super::client::Record;
use crate::{
    store::PageRef,
    tree::{Hash, access::Class},
};
use bytes::Bytes;
use serde_json::Value;

/// The names of the metadata fields of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Holds the slug of a chunk's page.
    pub page: String,
    /// Holds the number of a chunk in its page.
    pub index: String,
}

impl Default for Fields {
    fn default() -> Fields {
        Fields { page: "page_slug".into(), index: "chunk_index".into() }
    }
}

/// The text of `page` from its records, or what is wrong with them, as the end of a sentence.
pub(super) fn join(page: &PageRef<'_>, mut records: Vec<Record>, fields: &Fields) -> Result<Bytes, String> {
    if records.is_empty() && page.chunks != Some(0) {
        return Err("is not in the store".into());
    }
    let mut numbers = Vec::with_capacity(records.len());
    for record in &records {
        if slug_of(record, fields) != Some(page.slug) {
            return Err("has a chunk that belongs to another page".into());
        }
        let Some(number) = number_of(record, fields) else {
            return Err(format!("has a chunk without a number in `{}`", fields.index));
        };
        let own = access(record.metadata.get("isPublic"), record.metadata.get("groups"));
        if let (Some(class), Some(own)) = (page.class, own)
            && !implies(class, &own)
        {
            return Err("has a chunk that fewer may see than the tree says".into());
        }
        numbers.push(number);
    }
    let total = page.chunks.map(u64::from);
    let mut order: Vec<usize> = (0..records.len()).collect();
    order.sort_by_key(|&at| numbers[at]);
    for (expected, &at) in (0u64..).zip(&order) {
        match numbers[at] {
            number if number < expected => return Err(format!("has two chunks number {number}")),
            number if number > expected => {
                return Err(format!("is incomplete: its chunk number {expected} is missing"));
            }
            _ => {}
        }
    }
    let count = records.len() as u64;
    match total {
        Some(total) if count < total => return Err(format!("is incomplete: {count} of its {total} chunks are there")),
        Some(total) if count > total => return Err(format!("has {count} chunks where the tree says {total}")),
        _ => {}
    }
    let mut text = String::new();
    for (n, at) in order.into_iter().enumerate() {
        let Some(document) = records[at].document.take() else {
            return Err(format!("has no text in its chunk number {n}"));
        };
        if n > 0 {
            text.push_str(&page.layout.joiner);
        }
        text.push_str(&document);
    }
    if page.hash.is_some_and(|hash| hash != Hash::of(text.as_bytes())) {
        return Err("is not the version that the tree speaks of".into());
    }
    Ok(text.into())
}

/// The slug that a record names.
pub(super) fn slug_of<'a>(record: &'a Record, fields: &Fields) -> Option<&'a str> {
    record.metadata.get(&fields.page).and_then(Value::as_str)
}

/// The number of a record's chunk in its page.
pub(super) fn number_of(record: &Record, fields: &Fields) -> Option<u64> {
    number(record.metadata.get(&fields.index))
}

/// A chunk's number: an integer, a whole float, or digits.
pub(super) fn number(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::Number(number) => number.as_u64().or_else(|| {
            let float = number.as_f64()?;
            (float >= 0.0 && float.fract() == 0.0 && float < 9e15).then_some(float as u64)
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// What a record itself says of who may see it, if it says anything.
pub(super) fn access(public: Option<&Value>, groups: Option<&Value>) -> Option<Class> {
    if public.is_none() && groups.is_none() {
        return None;
    }
    let public = match public {
        None => Some(true), // what only names groups is as open as those groups
        Some(Value::Bool(public)) => Some(*public),
        Some(_) => None,
    };
    let groups = match groups {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Array(names)) => names.iter().map(|name| name.as_str().map(str::to_string)).collect(),
        Some(_) => None,
    };
    match (public, groups) {
        (Some(public), Some(groups)) => Some(Class::of(public, groups)),
        _ => Some(Class::Nobody),
    }
}

/// Whether everybody whom `tree` lets in may also see what `own` says.
pub(super) fn implies(tree: &Class, own: &Class) -> bool {
    match (tree, own) {
        (Class::Nobody, _) | (_, Class::Public) => true,
        (Class::SignedIn | Class::Groups(_), Class::SignedIn) => true,
        (Class::Groups(tree), Class::Groups(own)) => tree.iter().all(|group| own.contains(group)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Layout, TreeVersion};
    use serde_json::{Map, json};

    fn record(slug: &str, number: Value, text: &str, more: Value) -> Record {
        let mut metadata = Map::new();
        metadata.insert("page_slug".into(), slug.into());
        metadata.insert("chunk_index".into(), number);
        metadata.extend(more.as_object().cloned().unwrap_or_default());
        Record { id: String::new(), document: Some(text.into()), metadata }
    }

    fn joined(chunks: Option<u32>, hash: Option<&str>, class: &Class, records: Vec<Record>) -> Result<String, String> {
        let layout = Layout { joiner: "|".into(), ..Layout::default() };
        let hash = hash.map(|text| Hash::of(text.as_bytes()));
        let page = PageRef {
            slug: "a.md",
            chunks,
            hash,
            class: Some(class),
            asker: None,
            layout: &layout,
            version: &TreeVersion("1".into()),
        };
        join(&page, records, &Fields::default()).map(|text| String::from_utf8(text.to_vec()).unwrap())
    }

    fn chunk(number: impl Into<Value>, text: &str) -> Record {
        record("a.md", number.into(), text, Value::Null)
    }

    #[test]
    fn chunks_are_joined_by_number_however_it_is_written() {
        let records = vec![chunk("2", "c"), chunk(0, "a"), chunk(1.0, "b")];
        assert_eq!(joined(Some(3), Some("a|b|c"), &Class::Public, records.clone()), Ok("a|b|c".into()));
        assert_eq!(joined(None, None, &Class::Public, records), Ok("a|b|c".into()));
        assert_eq!(joined(Some(0), Some(""), &Class::Public, vec![]), Ok(String::new()));
    }

    #[test]
    fn what_is_not_the_page_is_never_served() {
        let public = &Class::Public;
        let rows: Vec<(Result<String, String>, &str)> = vec![
            (joined(None, None, public, vec![]), "is not in the store"),
            (joined(Some(2), None, public, vec![chunk(0, "a")]), "is incomplete: 1 of its 2 chunks are there"),
            (joined(Some(2), None, public, vec![chunk(1, "b")]), "is incomplete: its chunk number 0 is missing"),
            (
                joined(None, None, public, vec![chunk(0, "a"), chunk(2, "c")]),
                "is incomplete: its chunk number 1 is missing",
            ),
            (joined(None, None, public, vec![chunk(0, "a"), chunk(0, "a")]), "has two chunks number 0"),
            (joined(Some(1), None, public, vec![chunk(0, "a"), chunk(1, "b")]), "has 2 chunks where the tree says 1"),
            (joined(None, None, public, vec![chunk("x", "a")]), "has a chunk without a number in `chunk_index`"),
            (joined(None, None, public, vec![chunk(-1, "a")]), "has a chunk without a number in `chunk_index`"),
            (
                joined(None, None, public, vec![record("b.md", 0.into(), "", Value::Null)]),
                "has a chunk that belongs to another page",
            ),
            (joined(Some(1), Some("b"), public, vec![chunk(0, "a")]), "is not the version that the tree speaks of"),
        ];
        for (joined, expected) in rows {
            assert_eq!(joined, Err(expected.to_string()));
        }
        let empty = Record { document: None, ..chunk(0, "") };
        assert_eq!(joined(None, None, public, vec![empty]), Err("has no text in its chunk number 0".into()));
    }

    #[test]
    fn a_chunk_that_fewer_may_see_than_the_tree_says_is_an_error() {
        let eng = Class::of(false, ["eng".to_string()]);
        let rows = [
            (&Class::Public, json!({"isPublic": true}), true),
            (&Class::Public, json!({"isPublic": false}), false),
            (&Class::Public, json!({"groups": ["eng"]}), false),
            (&Class::Public, json!({"isPublic": "false"}), false),
            (&Class::SignedIn, json!({"isPublic": false}), true),
            (&eng, json!({"isPublic": false}), true),
            (&eng, json!({"isPublic": false, "groups": ["eng", "ops"]}), true),
            (&eng, json!({"isPublic": false, "groups": ["ops"]}), false),
            (&eng, json!({"groups": "eng"}), false),
            (&eng, json!({}), true),
        ];
        for (class, metadata, is_served) in rows {
            let result = joined(None, None, class, vec![record("a.md", 0.into(), "text", metadata.clone())]);
            assert_eq!(result.is_ok(), is_served, "{class:?} {metadata}");
        }
    }
}
