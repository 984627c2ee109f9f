//! The table of whole numbers from 0 on.
use super::{Element, Table, strings::Strings, whole::Whole};
use crate::awk::value::Value;
use std::collections::BTreeMap;

/// The table of whole numbers from 0 on, in leaves that are dense enough.
#[derive(Debug, Default)]
pub(super) struct Counted {
    /// By the first number of a leaf.
    leaves: BTreeMap<u32, Leaf>,
    pub(super) len: usize,
    /// Room in all leaves together.
    capacity: usize,
    /// What is no such number, and numbers too sparse for leaves.
    pub(super) rest: Option<Box<Table>>,
}

#[derive(Debug)]
struct Leaf {
    slots: Vec<Option<Element>>,
    used: usize,
}

/// Numbers below `1 << HAT` share one block of leaves.
const HAT: u32 = 10;
/// Empty room that leaves may have before further numbers go elsewhere.
const SPARE: usize = 1 << (HAT + 1);

#[derive(Clone, Copy)]
pub(super) struct Place {
    first: u32,
    slot: usize,
}

/// The leaf and slot of a number from 0 on.
pub(super) fn place(number: Option<i32>) -> Option<Place> {
    let number = u32::try_from(number?).ok()?;
    let size = 1 << leaf_bits(number);
    Some(Place { first: number / size * size, slot: (number % size) as usize })
}

impl Counted {
    pub(super) fn rest(&mut self, number: Option<i32>) -> &mut Table {
        self.rest.get_or_insert_with(|| {
            Box::new(match number {
                Some(_) => Table::Whole(Whole::default()),
                None => Table::Strings(Strings::default()),
            })
        })
    }

    pub(super) fn get(&self, number: Option<i32>) -> Option<&Element> {
        let place = place(number)?;
        self.leaves.get(&place.first)?.slots[place.slot].as_ref()
    }

    pub(super) fn slot(&mut self, place: Place) -> &mut Element {
        let size = 1 << leaf_bits(place.first);
        let leaf = self.leaves.entry(place.first).or_insert_with(|| Leaf::new(size));
        leaf.slots[place.slot].get_or_insert(Element::Value(Value::Unset))
    }

    pub(super) fn install(&mut self, key: &[u8], number: Option<i32>) {
        if let (Some(place), Some(number)) = (place(number), number) {
            let likely = 1 << likely_leaf_bits(number as u32);
            if self.capacity + likely - self.len <= SPARE {
                let size = 1 << leaf_bits(place.first);
                let leaf = self.leaves.entry(place.first).or_insert_with(|| {
                    self.capacity += size;
                    Leaf::new(size)
                });
                leaf.slots[place.slot] = Some(Element::Value(Value::Unset));
                leaf.used += 1;
                self.len += 1;
                return;
            }
        }
        self.rest(number).install(key, number);
    }

    /// Whether the number was here.
    pub(super) fn remove(&mut self, number: Option<i32>) -> bool {
        let Some(place) = place(number) else { return false };
        let Some(leaf) = self.leaves.get_mut(&place.first) else { return false };
        if leaf.slots[place.slot].take().is_none() {
            return false;
        }
        leaf.used -= 1;
        self.len -= 1;
        if leaf.used == 0 {
            self.capacity -= leaf.slots.len();
            self.leaves.remove(&place.first);
        }
        true
    }

    pub(super) fn each(&self, visit: &mut dyn FnMut(&[u8])) {
        for (first, leaf) in &self.leaves {
            for (slot, element) in leaf.slots.iter().enumerate() {
                if element.is_some() {
                    visit((*first as usize + slot).to_string().as_bytes());
                }
            }
        }
    }
}

impl Leaf {
    pub(super) fn new(size: usize) -> Leaf {
        Leaf { slots: vec![None; size], used: 0 }
    }
}

/// The highest bit of a number, in whose block of leaves it is.
fn block(number: u32) -> u32 {
    number.checked_ilog2().unwrap_or(0).max(HAT)
}

/// A leaf of the block holds the square root of the block, taken again while it is large.
fn leaf_bits(number: u32) -> u32 {
    let mut bits = block(number).div_ceil(2);
    while bits > HAT {
        bits = bits.div_ceil(2);
    }
    bits
}

/// gawk's guess at [`leaf_bits`] before there is a leaf, which is too low for two blocks.
fn likely_leaf_bits(number: u32) -> u32 {
    let mut bits = block(number);
    while bits >= HAT {
        bits = bits.div_ceil(2);
    }
    bits
}
