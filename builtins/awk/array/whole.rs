//! The table of whole numbers that are negative, or too sparse for leaves.
use super::{CHAIN, Element, larger, strings::Strings};
use crate::awk::value::Value;

/// The table of whole numbers: chains of pairs, the newest pair first.
#[derive(Debug, Default)]
pub(super) struct Whole {
    chains: Vec<Vec<Pair>>,
    pub(super) len: usize,
    /// What is no whole number.
    pub(super) rest: Option<Strings>,
}

/// One or two elements. A chain holds its newest pair last.
type Pair = Vec<(i32, Element)>;

impl Whole {
    pub(super) fn chain(&self, number: i32) -> usize {
        let mut hash = number as u32;
        hash ^= hash << 3;
        hash = hash.wrapping_add(hash >> 5);
        hash ^= hash << 4;
        hash = hash.wrapping_add(hash >> 17);
        hash ^= hash << 25;
        hash = hash.wrapping_add(hash >> 6);
        hash as usize % self.chains.len()
    }

    pub(super) fn get(&self, number: i32) -> Option<&Element> {
        if self.chains.is_empty() {
            return None;
        }
        let pairs = &self.chains[self.chain(number)];
        pairs.iter().flatten().find(|(key, _)| *key == number).map(|(_, element)| element)
    }

    pub(super) fn slot(&mut self, number: i32) -> &mut Element {
        if self.get(number).is_none() {
            self.install(number);
        }
        let chain = self.chain(number);
        let place = self.chains[chain]
            .iter()
            .enumerate()
            .find_map(|(pair, slots)| slots.iter().position(|(key, _)| *key == number).map(|slot| (pair, slot)));
        let (pair, slot) = place.unwrap_or_default();
        &mut self.chains[chain][pair][slot].1
    }

    pub(super) fn install(&mut self, number: i32) {
        self.len += 1;
        if self.chains.is_empty() || self.len / self.chains.len() > CHAIN {
            self.grow();
        }
        self.insert(number, Element::Value(Value::Unset));
    }

    pub(super) fn insert(&mut self, number: i32, element: Element) {
        let chain = self.chain(number);
        match self.chains[chain].last_mut() {
            Some(pair) if pair.len() < 2 => pair.push((number, element)),
            _ => self.chains[chain].push(vec![(number, element)]),
        }
    }

    pub(super) fn grow(&mut self) {
        let Some(size) = larger(self.chains.len()) else { return };
        let old = std::mem::take(&mut self.chains);
        self.chains.resize_with(size, Vec::new);
        for chain in old {
            for (number, element) in chain.into_iter().rev().flatten() {
                self.insert(number, element);
            }
        }
    }

    pub(super) fn remove(&mut self, number: i32) {
        if self.chains.is_empty() {
            return;
        }
        let chain = self.chain(number);
        let pairs = &mut self.chains[chain];
        for pair in 0..pairs.len() {
            if let Some(slot) = pairs[pair].iter().position(|(key, _)| *key == number) {
                pairs[pair].remove(slot);
                if pairs[pair].is_empty() {
                    pairs.remove(pair);
                }
                self.len -= 1;
                return;
            }
        }
    }

    pub(super) fn each(&self, visit: &mut dyn FnMut(&[u8])) {
        for chain in &self.chains {
            for (number, _) in chain.iter().rev().flatten() {
                visit(number.to_string().as_bytes());
            }
        }
    }
}
