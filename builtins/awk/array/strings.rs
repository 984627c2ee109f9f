//! The table of strings.
use super::{CHAIN, Element, larger};
use crate::awk::value::{Text, Value};
use std::rc::Rc;

/// No entry.
const NONE: u32 = u32::MAX;

/// The table of strings: chains with the newest entry first.
#[derive(Debug, Default)]
pub(super) struct Strings {
    heads: Vec<u32>,
    entries: Vec<Entry>,
    free: Vec<u32>,
    pub(super) len: usize,
}

#[derive(Debug)]
struct Entry {
    key: Text,
    hash: u32,
    next: u32,
    element: Element,
}

impl Strings {
    pub(super) fn hash(key: &[u8]) -> u32 {
        key.iter().fold(0u32, |hash, byte| hash.wrapping_mul(65599).wrapping_add(*byte as i8 as u32))
    }

    pub(super) fn find(&self, key: &[u8]) -> Option<usize> {
        if self.heads.is_empty() {
            return None;
        }
        let hash = Strings::hash(key);
        let mut at = self.heads[hash as usize % self.heads.len()];
        while at != NONE {
            let entry = &self.entries[at as usize];
            if entry.hash == hash && entry.key.as_slice() == key {
                return Some(at as usize);
            }
            at = entry.next;
        }
        None
    }

    pub(super) fn get(&self, key: &[u8]) -> Option<&Element> {
        self.find(key).map(|at| &self.entries[at].element)
    }

    pub(super) fn slot(&mut self, key: &[u8]) -> &mut Element {
        let at = match self.find(key) {
            Some(at) => at,
            None => {
                self.install(key);
                self.find(key).unwrap_or_default()
            }
        };
        &mut self.entries[at].element
    }

    pub(super) fn install(&mut self, key: &[u8]) {
        self.len += 1;
        if self.heads.is_empty() || self.len / self.heads.len() > CHAIN {
            self.grow();
        }
        let hash = Strings::hash(key);
        let chain = hash as usize % self.heads.len();
        let entry =
            Entry { key: Rc::new(key.to_vec()), hash, next: self.heads[chain], element: Element::Value(Value::Unset) };
        let at = match self.free.pop() {
            Some(at) => {
                self.entries[at as usize] = entry;
                at
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        };
        self.heads[chain] = at;
    }

    pub(super) fn grow(&mut self) {
        let Some(size) = larger(self.heads.len()) else { return };
        let old = std::mem::replace(&mut self.heads, vec![NONE; size]);
        for mut at in old {
            while at != NONE {
                let entry = &mut self.entries[at as usize];
                let next = entry.next;
                let chain = &mut self.heads[entry.hash as usize % size];
                entry.next = std::mem::replace(chain, at);
                at = next;
            }
        }
    }

    pub(super) fn remove(&mut self, key: &[u8]) {
        let Some(at) = self.find(key) else { return };
        let next = self.entries[at].next;
        let chain = self.entries[at].hash as usize % self.heads.len();
        if self.heads[chain] == at as u32 {
            self.heads[chain] = next;
        } else {
            let mut before = self.heads[chain] as usize;
            while self.entries[before].next != at as u32 {
                before = self.entries[before].next as usize;
            }
            self.entries[before].next = next;
        }
        self.entries[at].key = Text::default();
        self.entries[at].element = Element::Value(Value::Unset);
        self.free.push(at as u32);
        self.len -= 1;
    }

    pub(super) fn each(&self, visit: &mut dyn FnMut(&[u8])) {
        for head in &self.heads {
            let mut at = *head;
            while at != NONE {
                let entry = &self.entries[at as usize];
                visit(&entry.key);
                at = entry.next;
            }
        }
    }
}
