//! Filters as types. Chroma answers *everything* to a filter that is `null`, empty or misspelt, so none is ever made
//! from text or from parts that might be missing.
use serde::{Serialize, Serializer, ser::SerializeMap};

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
