//! Orders of elements: `PROCINFO["sorted_in"]`, `asort` and `asorti`.
use super::{
    array::{ArrayRef, Element},
    ast::{Expr, Function},
    interpreter::Interpreter,
    value::{Slot, Text, Value},
};
use crate::{Result, merge_sort::merge_sort};
use std::cmp::Ordering;

/// An element, taken out to be put in order.
#[derive(Clone)]
struct Item {
    key: Text,
    element: Element,
}

/// What is compared, and in which direction.
enum Order<'p> {
    Table,
    Key { numeric: bool, descending: bool },
    Value { kind: ValueOrder, descending: bool },
    Function(&'p Function),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueOrder {
    Type,
    Text,
    Number,
}

const PROCINFO: usize = 1;

impl<'p> Interpreter<'p, '_, '_> {
    /// The keys in the order that `for (k in a)` meets them.
    pub(super) fn ordered_keys(&mut self, array: &ArrayRef) -> Result<Vec<Text>> {
        let how = match &self.globals[PROCINFO] {
            Slot::Array(_) => self.global_element(PROCINFO, b"sorted_in"),
            _ => None,
        };
        let order = match how {
            Some(how) => self.order_named(&how.to_text(&self.specials.convfmt))?,
            None => Order::Table,
        };
        Ok(self.sorted(array, &order)?.into_iter().map(|item| item.key).collect())
    }

    fn order_named(&self, name: &[u8]) -> Result<Order<'p>> {
        let text = String::from_utf8_lossy(name).into_owned();
        let (what, descending) = match (text.strip_suffix("_asc"), text.strip_suffix("_desc")) {
            (Some(what), _) => (what, false),
            (_, Some(what)) => (what, true),
            _ => (text.as_str(), false),
        };
        Ok(match what {
            "@unsorted" | "" => Order::Table,
            "@ind_str" => Order::Key { numeric: false, descending },
            "@ind_num" => Order::Key { numeric: true, descending },
            "@val_type" => Order::Value { kind: ValueOrder::Type, descending },
            "@val_str" => Order::Value { kind: ValueOrder::Text, descending },
            "@val_num" => Order::Value { kind: ValueOrder::Number, descending },
            _ => {
                let functions = &self.program.functions;
                match functions.iter().position(|function| *function.name == *text) {
                    Some(place) => Order::Function(&functions[place]),
                    None => return Err(self.fatal(format!("sort comparison function `{text}' is not defined"))),
                }
            }
        })
    }

    fn sorted(&mut self, array: &ArrayRef, order: &Order<'p>) -> Result<Vec<Item>> {
        let items: Vec<Item> = {
            let array = array.borrow();
            let element = |key: &Text| array.get(key).cloned().unwrap_or(Element::Value(Value::Unset));
            array.keys().into_iter().map(|key| Item { element: element(&key), key }).collect()
        };
        match order {
            Order::Table => Ok(items),
            order => merge_sort(items, &mut |left, right| self.compare_items(order, left, right)),
        }
    }

    fn compare_items(&mut self, order: &Order<'p>, left: &Item, right: &Item) -> Result<Ordering> {
        let (ordering, descending) = match order {
            Order::Table => (Ordering::Equal, false),
            Order::Key { numeric, descending } => {
                let by_number = || {
                    let number = |item: &Item| Value::Input(item.key.clone()).number();
                    number(left).total_cmp(&number(right))
                };
                let ordering = if *numeric { by_number() } else { Ordering::Equal };
                (ordering.then_with(|| left.key.cmp(&right.key)), *descending)
            }
            Order::Value { kind, descending } => {
                // Equals stay in the order of the table, whichever the direction.
                (self.compare_values(*kind, &left.element, &right.element), *descending)
            }
            Order::Function(function) => {
                let base = self.stack.len();
                for item in [left, right] {
                    self.stack.push(Slot::Value(Value::Input(item.key.clone())));
                    self.stack.push(match &item.element {
                        Element::Value(value) => Slot::Value(value.clone()),
                        Element::Array(array) => Slot::Array(array.clone()),
                    });
                }
                let answer = self.call_function(function, base)?.number();
                return Ok(answer.partial_cmp(&0.0).unwrap_or(Ordering::Equal));
            }
        };
        Ok(if descending { ordering.reverse() } else { ordering })
    }

    /// Numbers come before strings, and strings before arrays.
    fn compare_values(&self, kind: ValueOrder, left: &Element, right: &Element) -> Ordering {
        let (Element::Value(left), Element::Value(right)) = (left, right) else {
            let is_array = |element: &Element| matches!(element, Element::Array(_));
            return is_array(left).cmp(&is_array(right));
        };
        let convfmt = &self.specials.convfmt;
        let text = || left.to_text(convfmt).cmp(&right.to_text(convfmt));
        match kind {
            ValueOrder::Text => text(),
            ValueOrder::Number => left.number().total_cmp(&right.number()).then_with(text),
            ValueOrder::Type => match (left.comparable(), right.comparable()) {
                (Some(left), Some(right)) => left.total_cmp(&right),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => text(),
            },
        }
    }

    /// `asort`, or with `keys` `asorti`.
    pub(super) fn asort(&mut self, arguments: &'p [Expr], keys: bool) -> Result<f64> {
        let name = if keys { "asorti" } else { "asort" };
        let source = self.array_argument(name, &arguments[0])?;
        let target = match arguments.get(1) {
            Some(target) => self.array_argument(name, target)?,
            None => source.clone(),
        };
        let order = match arguments.get(2) {
            Some(how) => {
                let how = self.string(how)?;
                self.order_named(&how)?
            }
            None if keys => Order::Key { numeric: false, descending: false },
            None => Order::Value { kind: ValueOrder::Type, descending: false },
        };
        let items = self.sorted(&source, &order)?;
        let mut target = target.borrow_mut();
        target.clear();
        for (at, item) in items.iter().enumerate() {
            let key = (at + 1).to_string();
            let element = if keys { Element::Value(Value::Text(item.key.clone())) } else { item.element.clone() };
            match element {
                Element::Value(value) => drop(target.put(&self.call.memory, key.as_bytes(), value)?),
                array => *target.entry(key.as_bytes()).0 = array,
            }
        }
        Ok(items.len() as f64)
    }
}
