//! Filters as types. Chroma answers *everything* to a filter that is `null`, empty or misspelt, so none is ever made
//! from text or from parts that might be missing.
use crate::tree::access::Asker;
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Value, json};
use std::iter;

/// A filter over metadata: the records of these pages, of those that the asker may see, or both.
#[derive(Clone, Copy, Debug)]
pub(super) enum Where<'a> {
    Pages(OfPages<'a>),
    Seen(&'a Asker),
    PagesSeen(OfPages<'a>, &'a Asker),
}

impl<'a> Where<'a> {
    /// The filter of these parts; none of neither.
    pub(super) fn of(pages: Option<OfPages<'a>>, asker: Option<&'a Asker>) -> Option<Where<'a>> {
        match (pages, asker) {
            (Some(pages), Some(asker)) => Some(Where::PagesSeen(pages, asker)),
            (Some(pages), None) => Some(Where::Pages(pages)),
            (None, Some(asker)) => Some(Where::Seen(asker)),
            (None, None) => None,
        }
    }
}

impl Serialize for Where<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Where::Pages(pages) => pages.serialize(serializer),
            Where::Seen(asker) => seen_by(asker).serialize(serializer),
            Where::PagesSeen(pages, asker) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("$and", &(pages, seen_by(asker)))?;
                map.end()
            }
        }
    }
}

/// The records that the asker may see. Chroma has no way to ask for records without groups: they are those of none of
/// the groups that the site speaks of.
fn seen_by(asker: &Asker) -> Value {
    let is_public = |public: bool| json!({ "isPublic": { "$eq": public } });
    let Asker::SignedIn { held, other } = asker else { return is_public(true) };
    let groups = |operator: &str, name: &String| json!({ "groups": { operator: name } });
    let rest = other.iter().map(|name| groups("$not_contains", name));
    let for_signed_in = match other.is_empty() {
        true => is_public(false),
        false => json!({ "$and": iter::once(is_public(false)).chain(rest).collect::<Vec<Value>>() }),
    };
    let held = held.iter().map(|name| groups("$contains", name));
    let any: Vec<Value> = [is_public(true), for_signed_in].into_iter().chain(held).collect();
    json!({ "$or": any })
}

/// A filter over metadata: the records of these pages.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfPages<'a> {
    /// The metadata field that holds a record's slug.
    pub(super) field: &'a str,
    /// The slugs. Never empty: an empty list is not asked for.
    pub(super) slugs: &'a [&'a str],
}

impl Serialize for OfPages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        enum Operator<'a> {
            #[serde(rename = "$eq")]
            Eq(&'a str),
            #[serde(rename = "$in")]
            In(&'a [&'a str]),
        }
        let operator = match self.slugs {
            [slug] => Operator::Eq(slug),
            slugs => Operator::In(slugs),
        };
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.field, &operator)?;
        map.end()
    }
}

/// A filter over text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Text {
    /// The text holds exactly this.
    #[serde(rename = "$contains")]
    Contains(String),
    /// The text holds a match of this.
    #[serde(rename = "$regex")]
    Regex(String),
    /// One of these holds. Two or more.
    #[serde(rename = "$or")]
    Any(Vec<Text>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_written_as_chroma_reads_them() {
        let json = |value: &dyn erased::Json| value.json();
        let pages = |slugs| OfPages { field: "page_slug", slugs };
        assert_eq!(json(&pages(&["a"])), r#"{"page_slug":{"$eq":"a"}}"#);
        assert_eq!(json(&pages(&["a", "b\"c"])), r#"{"page_slug":{"$in":["a","b\"c"]}}"#);
        let where_of = |pages, asker| json(&Where::of(pages, asker).unwrap());
        let anonymous = r#"{"isPublic":{"$eq":true}}"#;
        assert_eq!(where_of(None, Some(&Asker::Anonymous)), anonymous);
        let both = format!(r#"{{"$and":[{{"page_slug":{{"$eq":"a"}}}},{anonymous}]}}"#);
        assert_eq!(where_of(Some(pages(&["a"])), Some(&Asker::Anonymous)), both);
        let member = Asker::SignedIn { held: vec!["eng".into()], other: vec!["ops".into()] };
        assert_eq!(
            where_of(None, Some(&member)),
            r#"{"$or":[{"isPublic":{"$eq":true}},{"$and":[{"isPublic":{"$eq":false}},{"groups":{"$not_contains":"ops"}}]},{"groups":{"$contains":"eng"}}]}"#
        );
        let nobody_else = Asker::SignedIn { held: vec![], other: vec![] };
        let signed_in = r#"{"$or":[{"isPublic":{"$eq":true}},{"isPublic":{"$eq":false}}]}"#;
        assert_eq!(where_of(None, Some(&nobody_else)), signed_in);
        assert!(Where::of(None, None).is_none());
        let any = Text::Any(vec![Text::Contains("x".into()), Text::Regex("(?m)^y".into())]);
        assert_eq!(json(&any), r#"{"$or":[{"$contains":"x"},{"$regex":"(?m)^y"}]}"#);
    }

    mod erased {
        pub(super) trait Json {
            fn json(&self) -> String;
        }
        impl<T: serde::Serialize> Json for T {
            fn json(&self) -> String {
                serde_json::to_string(self).unwrap()
            }
        }
    }
}
