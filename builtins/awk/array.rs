//! Associative arrays whose order is gawk's.
//!
//! The order in which `for (k in a)` meets the elements is what gawk's three tables make of it: whole numbers from 0 on
//! in leaves by size ([`Counted`]), other whole numbers in a hash table ([`Whole`]), strings in another ([`Strings`]).
//! Whatever came first decides which table an array is; what does not fit goes to a second table inside of it.
mod counted;
mod strings;
mod whole;

use super::value::{Text, Value};
use crate::{Purse, Result};
use counted::{Counted, place};
use std::{cell::RefCell, rc::Rc};
use strings::Strings;
use whole::Whole;

/// A shared array.
pub(super) type ArrayRef = Rc<RefCell<Array>>;

/// What an element holds.
#[derive(Clone, Debug)]
pub(super) enum Element {
    Value(Value),
    Array(ArrayRef),
}

/// An array.
#[derive(Debug, Default)]
pub(super) struct Array {
    table: Option<Table>,
    /// What has been paid for its elements.
    paid: Option<Purse>,
}

/// About what an element takes, besides its texts.
const ELEMENT: usize = 128;

#[derive(Debug)]
enum Table {
    Strings(Strings),
    Whole(Whole),
    Counted(Counted),
}

impl Array {
    /// How many elements there are.
    pub(super) fn len(&self) -> usize {
        self.table.as_ref().map_or(0, Table::len)
    }

    /// The element at `key`.
    pub(super) fn get(&self, key: &[u8]) -> Option<&Element> {
        self.table.as_ref()?.get(key, number(key))
    }

    /// The element at `key`, made (unset) when it is missing; and whether it was made.
    pub(super) fn entry(&mut self, key: &[u8]) -> (&mut Element, bool) {
        let number = number(key);
        let table = self.table.get_or_insert_with(|| Table::fitting(number));
        let made = table.get(key, number).is_none();
        if made {
            table.install(key, number);
        }
        (table.slot(key, number), made)
    }

    /// Set the element at `key`, and pay for it out of `memory`'s account. The array gives back what was paid when the
    /// element is changed or taken out, and when the array is dropped. `false`: an array stands there, and stays.
    pub(super) fn put(&mut self, memory: &Purse, key: &[u8], value: Value) -> Result<bool> {
        let more = value.held();
        let (element, made) = self.entry(key);
        let Element::Value(old) = element else { return Ok(false) };
        let less = std::mem::replace(old, value).held();
        self.settle(memory, if made { ELEMENT + key.len() + more } else { more }, less)?;
        Ok(true)
    }

    /// Take back what was paid for `less` bytes, and pay for `more`.
    pub(super) fn settle(&mut self, memory: &Purse, more: usize, less: usize) -> Result<()> {
        if more == less {
            return Ok(());
        }
        let paid = self.paid.get_or_insert_with(|| memory.another());
        paid.give(less);
        paid.take(more)
    }

    /// Take the element at `key` out.
    pub(super) fn remove(&mut self, key: &[u8]) {
        if let Some(table) = &mut self.table {
            let number = number(key);
            if let (Some(paid), Some(element)) = (&mut self.paid, table.get(key, number)) {
                let held = match element {
                    Element::Value(value) => value.held(),
                    Element::Array(_) => 0,
                };
                paid.give(ELEMENT + key.len() + held);
            }
            table.remove(key, number);
            self.table = self.table.take().and_then(Table::settled);
        }
    }

    /// Take everything out.
    pub(super) fn clear(&mut self) {
        self.table = None;
        self.paid = None;
    }

    /// Pay for an element with `key` that was made.
    pub(super) fn pay(&mut self, memory: &Purse, key: &[u8]) -> Result<()> {
        self.settle(memory, ELEMENT + key.len(), 0)
    }

    /// The keys in gawk's order.
    pub(super) fn keys(&self) -> Vec<Text> {
        let mut keys = Vec::with_capacity(self.len());
        if let Some(table) = &self.table {
            table.each(&mut |key| keys.push(Rc::new(key.to_vec())));
        }
        keys
    }
}

impl Table {
    /// The table that takes `number`, or a key that is none, as its first.
    fn fitting(number: Option<i32>) -> Table {
        match number {
            Some(0..) => Table::Counted(Counted::default()),
            Some(_) => Table::Whole(Whole::default()),
            None => Table::Strings(Strings::default()),
        }
    }

    fn len(&self) -> usize {
        match self {
            Table::Strings(table) => table.len,
            Table::Whole(table) => table.len + table.rest.as_ref().map_or(0, |rest| rest.len),
            Table::Counted(table) => table.len + table.rest.as_ref().map_or(0, |rest| rest.len()),
        }
    }

    fn get(&self, key: &[u8], number: Option<i32>) -> Option<&Element> {
        match self {
            Table::Strings(table) => table.get(key),
            Table::Whole(table) => match number {
                Some(number) => table.get(number),
                None => table.rest.as_ref()?.get(key),
            },
            Table::Counted(table) => table.get(number).or_else(|| table.rest.as_ref()?.get(key, number)),
        }
    }

    /// The element at `key`, which is there.
    fn slot(&mut self, key: &[u8], number: Option<i32>) -> &mut Element {
        match self {
            Table::Strings(table) => table.slot(key),
            Table::Whole(table) => match number {
                Some(number) => table.slot(number),
                None => table.rest.get_or_insert_default().slot(key),
            },
            Table::Counted(table) => match place(number) {
                Some(place) if table.get(number).is_some() => table.slot(place),
                _ => table.rest(number).slot(key, number),
            },
        }
    }

    /// Make an unset element at `key`, which is not there.
    fn install(&mut self, key: &[u8], number: Option<i32>) {
        match self {
            Table::Strings(table) => table.install(key),
            Table::Whole(table) => match number {
                Some(number) => table.install(number),
                None => table.rest.get_or_insert_default().install(key),
            },
            Table::Counted(table) => table.install(key, number),
        }
    }

    fn remove(&mut self, key: &[u8], number: Option<i32>) {
        match self {
            Table::Strings(table) => table.remove(key),
            Table::Whole(table) => match (number, &mut table.rest) {
                (Some(number), _) => table.remove(number),
                (None, Some(rest)) => rest.remove(key),
                (None, None) => {}
            },
            Table::Counted(table) => {
                if !table.remove(number)
                    && let Some(mut rest) = table.rest.take()
                {
                    rest.remove(key, number);
                    table.rest = rest.settled().map(Box::new);
                }
            }
        }
    }

    /// An emptied table is none; one that has only its second table left becomes that.
    fn settled(self) -> Option<Table> {
        if self.len() == 0 {
            return None;
        }
        Some(match self {
            Table::Whole(Whole { len: 0, rest: Some(rest), .. }) => Table::Strings(rest),
            Table::Whole(mut table) => {
                table.rest = table.rest.filter(|rest| rest.len > 0);
                Table::Whole(table)
            }
            Table::Counted(Counted { len: 0, rest: Some(rest), .. }) => *rest,
            table => table,
        })
    }

    fn each(&self, visit: &mut dyn FnMut(&[u8])) {
        match self {
            Table::Strings(table) => table.each(visit),
            Table::Whole(table) => {
                if let Some(rest) = &table.rest {
                    rest.each(visit);
                }
                table.each(visit);
            }
            Table::Counted(table) => {
                if let Some(rest) = &table.rest {
                    rest.each(visit);
                }
                table.each(visit);
            }
        }
    }
}

/// The whole number that `key` is the usual text of.
fn number(key: &[u8]) -> Option<i32> {
    let (first, rest) = key.split_first()?;
    let canonical = match first {
        b'0' => rest.is_empty(),
        b'1'..=b'9' => rest.iter().all(u8::is_ascii_digit),
        b'-' => rest.first().is_some_and(|digit| *digit != b'0') && rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    if canonical && key.len() <= 11 { std::str::from_utf8(key).ok()?.parse().ok() } else { None }
}

/// The sizes that hash tables grow through.
const SIZES: [usize; 21] = [
    13, 127, 1021, 8191, 16381, 32749, 65497, 131101, 262147, 524309, 1048583, 2097169, 4194319, 8388617, 16777259,
    33554467, 67108879, 134217757, 268435459, 536870923, 1073741827,
];
/// Elements of a chain, on average, before a table grows.
const CHAIN: usize = 2;

fn larger(size: usize) -> Option<usize> {
    SIZES.into_iter().find(|larger| *larger > size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    fn order(keys: &str) -> String {
        let mut array = Array::default();
        for key in keys.split(' ') {
            match key.strip_prefix('!') {
                Some(key) => array.remove(key.as_bytes()),
                None => drop(array.entry(key.as_bytes())),
            }
        }
        let keys = array.keys();
        keys.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect::<Vec<_>>().join(" ")
    }

    /// Each as gawk 5.2 answers `for (k in a)`.
    #[test]
    fn the_order_is_gawks() {
        assert_eq!(order("x y z foo bar 1 2 10"), "x foo y z 10 1 2 bar");
        assert_eq!(order("-1 -2 5 0 x 7 100"), "x 0 7 5 -1 -2 100");
        assert_eq!(order("404 200 500 301 302"), "200 301 302 404 500");
        assert_eq!(order("200 - 404 x 5"), "x - 5 200 404");
        assert_eq!(
            order("1.5 2.5 3 1000000 10000000 2147483648 1099511627776"),
            "1099511627776 2147483648 10000000 1.5 1000000 2.5 3"
        );
    }

    #[test]
    fn what_was_paid_comes_back() {
        let memory = Memory::new(3 * ELEMENT as u64).purse();
        let mut array = Array::default();
        for round in 0..100 {
            array.put(&memory, b"1", Value::Number(f64::from(round))).unwrap();
            array.put(&memory, b"x", Value::text([b'x'; 50])).unwrap();
            array.put(&memory, b"x", Value::text([b'y'; 60])).unwrap();
            array.remove(b"x");
            array.remove(b"x");
            array.clear();
        }
        array.put(&memory, b"1", Value::Unset).unwrap();
        array.put(&memory, b"2", Value::Unset).unwrap();
        assert!(array.put(&memory, b"3", Value::Unset).is_err());
    }

    #[test]
    fn the_text_of_an_element_is_paid_for() {
        let memory = Memory::new(3 * ELEMENT as u64).purse();
        let mut array = Array::default();
        assert!(array.put(&memory, b"1", Value::text([b'x'; 3 * ELEMENT])).is_err());
    }

    #[test]
    fn elements_come_and_go() {
        assert_eq!(order("a b c !b"), order("a c"));
        assert_eq!(order("1 2 x !1 !2 y"), order("x y"));
        assert_eq!(order("1 !1 x 1"), order("x 1"));
        let mut array = Array::default();
        for number in 0..5000 {
            *array.entry(format!("{}", number * 7919).as_bytes()).0 = Element::Value(Value::Number(f64::from(number)));
        }
        assert_eq!(array.len(), 5000);
        for number in 0..5000 {
            array.remove(format!("{}", number * 7919).as_bytes());
        }
        assert_eq!(array.len(), 0);
    }
}
