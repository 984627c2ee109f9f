//! API descriptions with parts for some visitors only.
//!
//! A part is an operation, a path, a property, an option, any object that says `x-mint: { groups: [...] }`; and an enum
//! value that `x-mint-enum: { VALUE: [GROUP, ...] }` names. What the visitor may not see is cut out, with the names of
//! cut properties in `required` and the paths that have lost their last operation, before anything else sees the file;
//! its size, `wc` and `grep` agree with what is left. A file from which nothing is cut is served byte for byte. One
//! that cannot be parsed is served to nobody: nobody knows what it hides.
mod json;
mod yaml;

use crate::tree::access::{Class, Visitor};
use bytes::Bytes;
use std::borrow::Cow;

/// The members of a path that are its operations.
const OPERATIONS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// The key under which YAML merges other maps into a map.
const MERGED: &str = "<<";

/// The file as `visitor` sees it; or why it cannot be told, as the end of a sentence.
pub(super) fn view(path: &str, text: Bytes, visitor: &Visitor) -> Result<Bytes, String> {
    let Ok(source) = std::str::from_utf8(&text) else { return Err("is not UTF-8".into()) };
    let left = match path.ends_with(".json") {
        true => json::cut(source, visitor)?,
        false => yaml::cut(source, visitor)?,
    };
    Ok(left.map_or(text, Bytes::from))
}

/// A value of a description, with where it stands in its source.
struct Part<'s, T> {
    at: T,
    value: Value<'s, T>,
    is_hidden: bool,
}

enum Value<'s, T> {
    Map(Vec<Entry<'s, T>>),
    List(Vec<Part<'s, T>>),
    Text(Cow<'s, str>),
    Other,
}

struct Entry<'s, T> {
    key: Cow<'s, str>,
    /// Where the key begins.
    start: usize,
    part: Part<'s, T>,
}

impl<'s, T> Part<'s, T> {
    fn new(at: T, value: Value<'s, T>) -> Part<'s, T> {
        Part { at, value, is_hidden: false }
    }

    /// The members of a map with this key: readers differ in which one counts, should it be there twice, so all do.
    fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a Part<'s, T>> {
        let entries = if let Value::Map(entries) = &self.value { entries.as_slice() } else { &[] };
        entries.iter().filter(move |entry| entry.key == key).map(|entry| &entry.part)
    }

    fn all_mut<'a>(&'a mut self, key: &'a str) -> impl Iterator<Item = &'a mut Part<'s, T>> {
        self.entries_mut().iter_mut().filter(move |entry| entry.key == key).map(|entry| &mut entry.part)
    }

    /// Whether the part itself, or what is merged into it, says that this visitor may not see it.
    fn is_forbidden(&self, visitor: &Visitor) -> bool {
        let is_hidden_from = |list: &Part<'_, T>| !visitor.sees(&class(list));
        let is_named = self.all("x-mint").any(|mint| {
            let metadata = mint.all("metadata").flat_map(|metadata| metadata.all("groups"));
            mint.all("groups").chain(metadata).any(is_hidden_from)
        });
        is_named
            || self.all(MERGED).any(|merged| match &merged.value {
                Value::List(parts) => parts.iter().any(|part| part.is_forbidden(visitor)),
                _ => merged.is_forbidden(visitor),
            })
    }

    /// The members of a map; none of anything else.
    fn entries_mut(&mut self) -> &mut [Entry<'s, T>] {
        if let Value::Map(entries) = &mut self.value { entries } else { &mut [] }
    }

    /// Mark what this visitor may not see; whether anything was.
    fn hide(&mut self, visitor: &Visitor) -> bool {
        let mut any = false;
        match &mut self.value {
            Value::Map(entries) => {
                for Entry { part, .. } in entries {
                    part.is_hidden = part.is_forbidden(visitor);
                    any |= part.is_hidden || part.hide(visitor);
                }
            }
            Value::List(parts) => {
                for part in parts {
                    part.is_hidden = part.is_forbidden(visitor);
                    any |= part.is_hidden || part.hide(visitor);
                }
            }
            Value::Text(_) | Value::Other => {}
        }
        for paths in ["paths", "webhooks"] {
            any |= self.hide_emptied_paths(paths);
        }
        self.hide_names("properties", "required", |part| part.is_hidden);
        any | self.hide_names("x-mint-enum", "enum", |part| !visitor.sees(&class(part)))
    }

    /// Hide each path of the map `paths` that has lost its last operation, as a folder without pages is hidden: its
    /// name would tell. Whether any was.
    fn hide_emptied_paths(&mut self, paths: &str) -> bool {
        let mut any = false;
        for Entry { part, .. } in self.all_mut(paths).flat_map(Part::entries_mut) {
            let Value::Map(members) = &part.value else { continue };
            let mut operations = members.iter().filter(|member| OPERATIONS.contains(&&*member.key)).peekable();
            if operations.peek().is_some() && operations.all(|operation| operation.part.is_hidden) {
                part.is_hidden = true;
                any = true;
            }
        }
        any
    }

    /// Hide the entries of the map `from` that are to be hidden, and their keys in the list `list`; whether any was.
    fn hide_names(&mut self, from: &str, list: &str, is_hidden: impl Fn(&Part<'s, T>) -> bool) -> bool {
        let mut names = Vec::new();
        for entry in self.all_mut(from).flat_map(Part::entries_mut).filter(|entry| is_hidden(&entry.part)) {
            entry.part.is_hidden = true;
            names.push(entry.key.clone());
        }
        for list in self.all_mut(list) {
            let Value::List(parts) = &mut list.value else { continue };
            for part in parts {
                part.is_hidden |= matches!(&part.value, Value::Text(text) if names.contains(text));
            }
        }
        !names.is_empty()
    }
}

/// The rule that a list of groups is; one of the wrong type is nobody's.
fn class<T>(list: &Part<'_, T>) -> Class {
    let Value::List(parts) = &list.value else { return Class::Nobody };
    let name = |part: &Part<'_, T>| match &part.value {
        Value::Text(text) => Some(text.to_string()),
        _ => None,
    };
    match parts.iter().map(name).collect::<Option<Vec<String>>>() {
        Some(groups) => Class::of(true, groups),
        None => Class::Nobody,
    }
}

#[cfg(test)]
mod tests;
