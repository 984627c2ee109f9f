//! What the chunks of a collection say of its pages, for `docsh ingest --tree-only`: a collection that somebody else's
//! pipeline has filled, and that lacks only the record of the tree.
use super::{
    ChromaWriter, Include, Which,
    record::{access, number, slug_of},
};
use crate::{
    store::{StoreError, TREE_ID},
    timestamp::seconds,
    tree::access::Class,
};
use docsh_builtins::Cancel;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The names of the metadata fields that tell of a page, beside those of its chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurveyFields {
    /// Whether everybody may see it.
    pub public: String,
    /// The groups that may see it: a list, or names with commas between them.
    pub groups: String,
    /// Its title.
    pub title: String,
    /// Its last change: a date, a time, or seconds since the epoch.
    pub updated: String,
}

impl Default for SurveyFields {
    fn default() -> SurveyFields {
        let [public, groups, title, updated] = ["isPublic", "groups", "title", "updated_at"].map(str::to_string);
        SurveyFields { public, groups, title, updated }
    }
}

/// What the chunks of a page say of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surveyed {
    /// Who may see it, if they say so.
    pub class: Option<Class>,
    /// Its title.
    pub title: Option<String>,
    /// Seconds since the epoch.
    pub updated: Option<i64>,
    /// Why it cannot be read, as the end of a sentence.
    pub problem: Option<String>,
    numbers: Vec<u64>,
    chunks: usize,
}

/// Every page of a collection, by slug.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The pages.
    pub pages: BTreeMap<String, Surveyed>,
    /// Records that belong to no page.
    pub strangers: usize,
}

impl ChromaWriter {
    /// Look at the metadata of every chunk.
    pub fn survey(&self, fields: &SurveyFields, cancel: &Cancel) -> Result<Survey, StoreError> {
        let records = self.store.with(cancel, async |client, collection| {
            self.store.all(client, collection, Which::All, None, Include::Metadata, u32::MAX).await
        })?;
        let mut survey = Survey::default();
        for record in records.iter().filter(|record| !record.id.starts_with(TREE_ID)) {
            let Some(slug) = slug_of(record, &self.store.config.fields) else {
                survey.strangers += 1;
                continue;
            };
            let page = survey.pages.entry(slug.to_string()).or_default();
            page.add(&record.metadata, &self.store.config.fields.index, fields);
        }
        survey.pages.values_mut().for_each(Surveyed::finish);
        Ok(survey)
    }
}

impl Surveyed {
    fn add(&mut self, metadata: &Map<String, Value>, index: &str, fields: &SurveyFields) {
        match number(metadata.get(index)) {
            Some(number) => self.numbers.push(number),
            None => self.problem = Some(format!("has a chunk without a number in `{index}`")),
        }
        let class = access(metadata.get(&fields.public), listed(metadata.get(&fields.groups)).as_ref());
        self.chunks += 1;
        if self.chunks > 1 && self.class != class {
            self.problem = Some("has chunks that say different things about who may see it".into());
        }
        self.class = class;
        let text = |name: &str| metadata.get(name).and_then(Value::as_str);
        self.title = self.title.take().or_else(|| text(&fields.title).map(str::to_string));
        let updated = || text(&fields.updated).and_then(seconds).or_else(|| metadata.get(&fields.updated)?.as_i64());
        self.updated = self.updated.or_else(updated);
    }

    fn finish(&mut self) {
        self.numbers.sort_unstable();
        let is_whole = self.numbers.iter().zip(0u64..).all(|(number, expected)| *number == expected);
        if !is_whole {
            self.problem.get_or_insert_with(|| "lacks a chunk, or has one twice".into());
        }
        if self.class == Some(Class::Nobody) {
            self.problem.get_or_insert_with(|| "says wrongly who may see it".into());
        }
    }
}

/// Groups as a list: pipelines write names with commas where their server takes no lists.
fn listed(groups: Option<&Value>) -> Option<Value> {
    match groups? {
        Value::String(names) => {
            let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
            Some(names.map(Value::from).collect::<Vec<_>>().into())
        }
        other => Some(other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn page(chunks: &[Value]) -> Surveyed {
        let mut page = Surveyed::default();
        for chunk in chunks {
            page.add(chunk.as_object().unwrap(), "n", &SurveyFields::default());
        }
        page.finish();
        page
    }

    #[test]
    fn chunks_tell_of_their_page() {
        let found = page(&[
            json!({"n": 1, "groups": "eng, ops", "updated_at": 1_700_000_000}),
            json!({"n": 0, "groups": ["ops", "eng"], "title": "T"}),
        ]);
        assert_eq!(found.class, Some(Class::of(false, ["eng".to_string(), "ops".to_string()])));
        assert_eq!((found.title.as_deref(), found.updated, found.problem), (Some("T"), Some(1_700_000_000), None));
        assert_eq!(page(&[json!({"n": 0})]).class, None);
        assert_eq!(page(&[json!({"n": 0, "isPublic": true})]).class, Some(Class::Public));
    }

    #[test]
    fn what_cannot_be_served_is_told() {
        let rows = [
            (vec![json!({"n": 0}), json!({"n": 2})], "lacks a chunk, or has one twice"),
            (vec![json!({"n": 0}), json!({"n": 0})], "lacks a chunk, or has one twice"),
            (vec![json!({})], "has a chunk without a number in `n`"),
            (vec![json!({"n": 0, "isPublic": "yes"})], "says wrongly who may see it"),
            (
                vec![json!({"n": 0, "isPublic": true}), json!({"n": 1})],
                "has chunks that say different things about who may see it",
            ),
        ];
        for (chunks, problem) in rows {
            assert_eq!(page(&chunks).problem.as_deref(), Some(problem), "{chunks:?}");
        }
    }
}
