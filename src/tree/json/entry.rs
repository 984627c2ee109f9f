//! What the JSON of a tree says of one page.
use crate::{
    timestamp::seconds,
    tree::{Facts, Hash, Lazy, access::Class},
};
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::{borrow::Cow, fmt};

/// The most chunks of a page. What a tree says beyond is not believed: each is an id to ask for.
const MAX_CHUNKS: u64 = 1 << 18;

/// A string, borrowed where it has no escapes.
pub(super) struct Text<'de>(pub(super) Cow<'de, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text<'de>, D::Error> {
        match Loose::deserialize(deserializer)? {
            Loose::Text(text) => Ok(Text(text)),
            _ => Err(D::Error::custom("expected a string")),
        }
    }
}

/// A value of any type, with no more detail than a page's fields need.
enum Loose<'de> {
    Null,
    Bool(bool),
    Count(u64),
    Text(Cow<'de, str>),
    List(Vec<Loose<'de>>),
    Map(Vec<(Cow<'de, str>, Loose<'de>)>),
    Other,
}

impl<'de> Deserialize<'de> for Loose<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Loose<'de>, D::Error> {
        deserializer.deserialize_any(AnyType)
    }
}

struct AnyType;

impl<'de> Visitor<'de> for AnyType {
    type Value = Loose<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E>(self) -> Result<Loose<'de>, E> {
        Ok(Loose::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Loose<'de>, E> {
        Ok(Loose::Bool(value))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Loose<'de>, E> {
        Ok(Loose::Count(value))
    }
    fn visit_i64<E>(self, _: i64) -> Result<Loose<'de>, E> {
        Ok(Loose::Other)
    }
    fn visit_f64<E>(self, value: f64) -> Result<Loose<'de>, E> {
        // Some writers have only one kind of number.
        let whole = value >= 0.0 && value.fract() == 0.0 && value <= 9e15;
        Ok(if whole { Loose::Count(value as u64) } else { Loose::Other })
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Loose<'de>, E> {
        Ok(Loose::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Loose<'de>, E> {
        Ok(Loose::Text(Cow::Owned(text.to_string())))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Loose<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = seq.next_element()? {
            list.push(item);
        }
        Ok(Loose::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Loose<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some((Text(name), value)) = map.next_entry()? {
            fields.push((name, value));
        }
        Ok(Loose::Map(fields))
    }
}

/// What a page's entry says. Everything is optional; what has the wrong type is as good as absent, except for access,
/// where it makes the page invisible.
#[derive(Default)]
pub(super) struct Entry<'de> {
    is_public: Option<bool>,
    groups: Vec<String>,
    is_marked: bool,
    is_wrong: bool,
    size: Option<u64>,
    mtime: Option<i64>,
    title: Option<Cow<'de, str>>,
    address: Option<Cow<'de, str>>,
    order: Option<u32>,
    chunks: Option<u32>,
    hash: Option<Hash>,
    view: bool,
    broken_lines: bool,
    executable: bool,
    lazy: Option<Lazy>,
}

impl Entry<'_> {
    /// What it says, of the page `slug`.
    pub(super) fn facts<'a>(&'a self, slug: &'a str) -> Facts<'a> {
        let class = match self.is_wrong {
            true => Class::Nobody,
            false => Class::of(self.is_public.unwrap_or(false), self.groups.iter().cloned()),
        };
        Facts {
            class,
            is_marked: self.is_marked,
            size: self.size,
            mtime: self.mtime,
            title: self.title.as_deref(),
            address: self.address.as_deref(),
            order: self.order,
            chunks: self.chunks,
            hash: self.hash,
            view: self.view,
            broken_lines: self.broken_lines,
            lazy: self.lazy.clone(),
            mode: if self.executable { 0o755 } else { 0o644 },
            ..Facts::new(slug)
        }
    }
}

impl<'de> Deserialize<'de> for Entry<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entry<'de>, D::Error> {
        deserializer.deserialize_any(EntryVisitor)
    }
}

struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = Entry<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object that describes a page")
    }

    fn visit_unit<E>(self) -> Result<Entry<'de>, E> {
        Ok(Entry::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entry<'de>, A::Error> {
        let mut entry = Entry::default();
        let (mut publics, mut group_lists) = (0, 0);
        while let Some(Text(field)) = map.next_key()? {
            match &*field {
                "isPublic" => {
                    publics += 1;
                    match map.next_value()? {
                        Loose::Bool(value) => entry.is_public = Some(value),
                        _ => entry.is_wrong = true,
                    }
                }
                "groups" => {
                    group_lists += 1;
                    match names(map.next_value()?) {
                        Some(groups) => entry.groups = groups,
                        None => entry.is_wrong = true,
                    }
                }
                "size" => entry.size = count(map.next_value()?),
                "chunks" => {
                    let chunks = count(map.next_value()?).filter(|&chunks| chunks <= MAX_CHUNKS);
                    entry.chunks = chunks.and_then(|chunks| chunks.try_into().ok());
                }
                "updated_at" => entry.mtime = text(map.next_value()?).and_then(|text| seconds(&text)),
                "title" => entry.title = text(map.next_value()?),
                "url" => entry.address = text(map.next_value()?),
                "order" => entry.order = count(map.next_value()?).and_then(|order| order.try_into().ok()),
                "hash" => entry.hash = text(map.next_value()?).and_then(|text| Hash::from_hex(&text)),
                "view" => entry.view = !matches!(map.next_value()?, Loose::Null),
                "line_aligned" => entry.broken_lines = matches!(map.next_value()?, Loose::Bool(false)),
                "executable" => entry.executable = matches!(map.next_value()?, Loose::Bool(true)),
                "lazy" => match pointer(map.next_value()?) {
                    Some((lazy, size)) => {
                        entry.size = size.or(entry.size);
                        entry.lazy = Some(lazy);
                    }
                    None => return Err(A::Error::custom("`lazy` needs a `url`")),
                },
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        // Two rules for one page are no rule.
        entry.is_wrong |= publics > 1 || group_lists > 1;
        entry.is_marked = publics + group_lists > 0;
        Ok(entry)
    }
}

fn names(value: Loose<'_>) -> Option<Vec<String>> {
    let Loose::List(list) = value else { return None };
    list.into_iter().map(|name| text(name).map(Cow::into_owned)).collect()
}

fn text(value: Loose<'_>) -> Option<Cow<'_, str>> {
    match value {
        Loose::Text(text) => Some(text),
        _ => None,
    }
}

fn count(value: Loose<'_>) -> Option<u64> {
    match value {
        Loose::Count(count) => Some(count),
        _ => None,
    }
}

fn pointer(value: Loose<'_>) -> Option<(Lazy, Option<u64>)> {
    let Loose::Map(fields) = value else { return None };
    let (mut url, mut etag, mut size) = (None, None, None);
    for (name, value) in fields {
        match &*name {
            "url" => url = text(value),
            "etag" => etag = text(value),
            "size" => size = count(value),
            _ => {}
        }
    }
    Some((Lazy { url: (*url?).into(), etag: etag.map(|etag| (*etag).into()) }, size))
}
