//! Reading a tree from its record: a JSON object of pages, plain or base64(gzip(JSON)). No value of it is kept as JSON;
//! each entry goes straight into the tree. Packed JSON that is large is never in memory as a whole: it is read as it is
//! inflated.
mod entry;
mod source;

use super::{Builder, Hash, Layout, Refusal, Rules, Tree, TreeVersion};
use entry::{Entry, Text};
use serde::de::{self, DeserializeSeed, Error as _, MapAccess, Visitor};
use serde_json::Deserializer;
use source::{Allowance, Source};
use std::{
    fmt,
    io::{BufReader, Read},
};

/// JSON that is read as a whole, which is quicker, up to so many bytes.
const WHOLE: u64 = 16 << 20;

impl Tree {
    /// The tree in `record`.
    pub fn from_record(record: &[u8], layout: Layout, rules: Rules, version: TreeVersion) -> Result<Tree, Refusal> {
        // docsh names its trees by their hash; other writers by anything.
        let named = Hash::from_hex(&version.0).filter(|_| layout.is_own);
        let builder = Builder::new(layout, rules);
        let text = record.trim_ascii();
        let builder = if text.starts_with(b"{") { plain(text, builder, named) } else { packed(text, builder, named) };
        builder?.finish(version)
    }
}

/// Add the pages of a record that is JSON, whose hash is `named` if anything is.
fn plain(text: &[u8], builder: Builder, named: Option<Hash>) -> Result<Builder, Refusal> {
    if named.is_some_and(|named| named != Hash::of(text)) {
        return Err(Refusal::Torn);
    }
    let allowance = Allowance::default();
    let builder = read(Deserializer::from_slice(text), builder, &allowance)?;
    allowance.check(text.len() as u64).map(|()| builder)
}

/// Add the pages of a record that is base64 of gzip of JSON.
fn packed(text: &[u8], builder: Builder, named: Option<Hash>) -> Result<Builder, Refusal> {
    let (bytes, allowance) = (source::unpack(text)?, Allowance::default());
    let mut source = Source::new(&bytes, &allowance, named);
    // How long the JSON is, gzip says at its end. It need not be true.
    let stated = bytes.last_chunk().map_or(0, |length| u64::from(u32::from_le_bytes(*length)));
    let mut start = Vec::with_capacity((stated + 1).min(WHOLE) as usize);
    let begun = source.by_ref().take(WHOLE).read_to_end(&mut start);
    begun.map_err(|error| source.fault(Refusal::Format(error.to_string())))?;
    if (start.len() as u64) < WHOLE {
        source.check_hash()?;
        return read(Deserializer::from_slice(&start), builder, &allowance);
    }
    let all = BufReader::new(start.chain(&mut source));
    let built = read(Deserializer::from_reader(all), builder, &allowance);
    let built = built.map_err(|refusal| source.fault(refusal))?;
    source.check_hash().map(|()| built)
}

/// Add the pages that `json` holds.
fn read<'de, R: serde_json::de::Read<'de>>(
    mut json: Deserializer<R>,
    mut builder: Builder,
    allowance: &Allowance,
) -> Result<Builder, Refusal> {
    let mut refusal = None;
    let read = Pages { builder: &mut builder, refusal: &mut refusal, allowance }.deserialize(&mut json);
    let read = read.and_then(|()| json.end());
    match (refusal, read) {
        (Some(refusal), _) => Err(refusal),
        (None, Err(error)) => Err(Refusal::Format(error.to_string())),
        (None, Ok(())) => Ok(builder),
    }
}

/// The object of all pages.
struct Pages<'a> {
    builder: &'a mut Builder,
    refusal: &'a mut Option<Refusal>,
    allowance: &'a Allowance,
}

impl<'de> DeserializeSeed<'de> for Pages<'_> {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Pages<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of pages")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((slug, entry)) = map.next_entry::<Text<'de>, Entry<'de>>()? {
            if let Err(refusal) = self.builder.add(entry.facts(&slug.0)) {
                let error = A::Error::custom(&refusal);
                *self.refusal = Some(refusal);
                return Err(error);
            }
            self.allowance.page();
        }
        Ok(())
    }
}
