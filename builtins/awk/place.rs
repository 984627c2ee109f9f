//! Variables, fields, elements: what is in them, and how it is put there.
use super::{
    array::{Array, ArrayRef, Element},
    ast::{ArrayPath, Expr, Place, Variable},
    interpreter::Interpreter,
    value::{Slot, Value},
};
use crate::Result;
use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
};

/// Bytes of a string that are worth accounting for.
const LONG: usize = 1 << 16;
/// About what a field takes besides its text.
const FIELD: usize = 32;

impl<'p> Interpreter<'p, '_, '_> {
    pub(super) fn field_index(&mut self, expr: &'p Expr) -> Result<usize> {
        let number = self.number(expr)?;
        if number < 0.0 {
            return Err(self.fatal(format!("attempt to access field {}", number.trunc())));
        }
        Ok(number as usize)
    }

    pub(super) fn slot(&self, variable: Variable) -> &Slot {
        match variable {
            Variable::Global(place) => &self.globals[place],
            Variable::Local(place) => &self.stack[self.base + place],
        }
    }

    pub(super) fn slot_mut(&mut self, variable: Variable) -> &mut Slot {
        match variable {
            Variable::Global(place) => &mut self.globals[place],
            Variable::Local(place) => &mut self.stack[self.base + place],
        }
    }

    fn name(&self, variable: Variable) -> String {
        match variable {
            Variable::Global(place) => self.program.globals[place].to_string(),
            Variable::Local(place) => {
                let parameter = self.function.and_then(|function| function.parameters.get(place));
                parameter.map_or(String::new(), |name| name.to_string())
            }
        }
    }

    pub(super) fn variable(&mut self, variable: Variable) -> Result<Value> {
        match self.slot(variable) {
            Slot::Value(value) => Ok(value.clone()),
            Slot::Untyped(array) if array.get().is_none() => Ok(Value::Unset),
            _ => Err(self.fatal(format!("attempt to use array `{}' in a scalar context", self.name(variable)))),
        }
    }

    pub(super) fn get(&mut self, place: &'p Place) -> Result<Value> {
        match place {
            Place::Variable(variable) => self.variable(*variable),
            Place::Special(special) => self.special(*special),
            Place::Field(index) => {
                let index = self.field_index(index)?;
                self.record.value(index)
            }
            Place::Element(path, subscript) => {
                let array = self.array(path)?;
                let key = self.key(subscript)?;
                let value = self.element(&array, &key);
                self.give_back(key);
                value
            }
        }
    }

    /// The element at `key`, made when it is missing.
    pub(super) fn element(&mut self, array: &ArrayRef, key: &[u8]) -> Result<Value> {
        let mut array = array.borrow_mut();
        let (element, made) = array.entry(key);
        match element {
            Element::Value(value) => {
                let value = value.clone();
                if made {
                    array.pay(&self.call.memory, key)?;
                }
                Ok(value)
            }
            Element::Array(_) => Err(self.fatal("attempt to use array in a scalar context")),
        }
    }

    pub(super) fn get_path(&mut self, path: &'p ArrayPath) -> Result<Value> {
        match path.path.split_last() {
            None => self.variable(path.variable),
            Some((last, before)) => {
                let array = self.walk(path.variable, before)?;
                let key = self.key(last)?;
                let value = self.element(&array, &key);
                self.give_back(key);
                value
            }
        }
    }

    /// The array of a path; what was never used before becomes one.
    pub(super) fn array(&mut self, path: &'p ArrayPath) -> Result<ArrayRef> {
        self.walk(path.variable, &path.path)
    }

    fn walk(&mut self, variable: Variable, path: &'p [Vec<Expr>]) -> Result<ArrayRef> {
        let mut array = match self.slot(variable) {
            Slot::Array(array) => array.clone(),
            Slot::Value(Value::Unset) | Slot::Untyped(_) => {
                let new = || Rc::new(RefCell::new(Array::default()));
                let array = match self.slot(variable) {
                    Slot::Untyped(shared) => shared.get_or_init(new).clone(),
                    _ => new(),
                };
                *self.slot_mut(variable) = Slot::Array(array.clone());
                array
            }
            Slot::Value(_) => {
                let kind = if matches!(variable, Variable::Local(_)) { "scalar parameter" } else { "scalar" };
                return Err(self.fatal(format!("attempt to use {kind} `{}' as an array", self.name(variable))));
            }
        };
        for subscript in path {
            let key = self.key(subscript)?;
            let inner = match array.borrow_mut().entry(&key).0 {
                Element::Array(inner) => Some(inner.clone()),
                element @ Element::Value(Value::Unset) => {
                    let inner: ArrayRef = Rc::new(RefCell::new(Array::default()));
                    *element = Element::Array(inner.clone());
                    Some(inner)
                }
                Element::Value(_) => None,
            };
            match inner {
                Some(inner) => array = inner,
                None => {
                    let key = String::from_utf8_lossy(&key).into_owned();
                    return Err(self.fatal(format!("attempt to use scalar `[\"{key}\"]' as an array")));
                }
            }
            self.give_back(key);
        }
        Ok(array)
    }

    /// The key that subscripts make, in a buffer to be given back.
    pub(super) fn key(&mut self, subscript: &'p [Expr]) -> Result<Vec<u8>> {
        let mut key = self.buffer();
        for (at, part) in subscript.iter().enumerate() {
            if at > 0 {
                key.extend_from_slice(&self.specials.subsep);
            }
            self.text(part, &mut key)?;
        }
        Ok(key)
    }

    /// Put `value` into a place.
    pub(super) fn assign(&mut self, place: &'p Place, value: Value) -> Result<()> {
        match place {
            Place::Variable(variable) => match self.slot_mut(*variable) {
                Slot::Value(old) => *old = value,
                slot @ Slot::Untyped(_) => *slot = Slot::Value(value),
                Slot::Array(_) => {
                    let name = self.name(*variable);
                    return Err(self.fatal(format!("attempt to use array `{name}' in a scalar context")));
                }
            },
            Place::Special(special) => self.set_special(*special, value)?,
            Place::Field(index) => {
                let index = self.field_index(index)?;
                self.set_field(index, value)?;
            }
            Place::Element(path, subscript) => {
                let array = self.array(path)?;
                let key = self.key(subscript)?;
                if !array.borrow_mut().put(&self.call.memory, &key, value)? {
                    return Err(self.fatal("attempt to use array in a scalar context"));
                }
                self.give_back(key);
            }
        }
        Ok(())
    }

    /// The same for a place that may also be an array.
    pub(super) fn assign_path(&mut self, path: &'p ArrayPath, value: Value) -> Result<()> {
        let Some((last, before)) = path.path.split_last() else {
            let slot = self.slot_mut(path.variable);
            if matches!(slot, Slot::Array(_)) {
                let name = self.name(path.variable);
                return Err(self.fatal(format!("attempt to use array `{name}' in a scalar context")));
            }
            *slot = Slot::Value(value);
            return Ok(());
        };
        let array = self.walk(path.variable, before)?;
        let key = self.key(last)?;
        array.borrow_mut().put(&self.call.memory, &key, value)?;
        self.give_back(key);
        Ok(())
    }

    /// What an argument is: an array, or a value.
    pub(super) fn slot_of(&mut self, argument: &'p Expr) -> Result<Slot> {
        match self.argument(argument)? {
            Slot::Untyped(shared) => Ok(shared.get().map_or(Slot::UNSET, |array| Slot::Array(array.clone()))),
            slot => Ok(slot),
        }
    }

    fn set_field(&mut self, index: usize, value: Value) -> Result<()> {
        let text = value.to_text(&self.specials.convfmt);
        if index == 0 {
            self.record.set(&text);
            return Ok(());
        }
        self.grow_record(index)?;
        self.record.set_field(index, value, text)
    }

    /// Account for the fields that must be made so that there are `count`.
    pub(super) fn grow_record(&mut self, count: usize) -> Result<()> {
        let more = count.saturating_sub(self.record.count()?);
        self.call.memory.take(more.saturating_mul(FIELD))
    }

    /// Change the number in a place; the answer is the number before and after.
    pub(super) fn update(&mut self, place: &'p Place, change: impl FnOnce(f64) -> f64) -> Result<(f64, f64)> {
        match place {
            Place::Variable(variable) => {
                if let Slot::Value(value) = self.slot_mut(*variable) {
                    let before = value.number();
                    let after = change(before);
                    *value = Value::Number(after);
                    return Ok((before, after));
                }
                let before = self.variable(*variable)?.number();
                let after = change(before);
                self.assign(place, Value::Number(after))?;
                Ok((before, after))
            }
            Place::Element(path, subscript) => {
                let array = self.array(path)?;
                let key = self.key(subscript)?;
                let changed = {
                    let mut array = array.borrow_mut();
                    let (element, made) = array.entry(&key);
                    match element {
                        Element::Value(value) => {
                            let before = value.number();
                            let after = change(before);
                            let held = std::mem::replace(value, Value::Number(after)).held();
                            Some((before, after, made, held))
                        }
                        Element::Array(_) => None,
                    }
                };
                let Some((before, after, made, held)) = changed else {
                    return Err(self.fatal("attempt to use array in a scalar context"));
                };
                if made {
                    array.borrow_mut().pay(&self.call.memory, &key)?;
                }
                array.borrow_mut().settle(&self.call.memory, 0, held)?;
                self.give_back(key);
                Ok((before, after))
            }
            Place::Field(index) => {
                let index = self.field_index(index)?;
                let before = self.record.value(index)?.number();
                let after = change(before);
                self.set_field(index, Value::Number(after))?;
                Ok((before, after))
            }
            Place::Special(special) => {
                let before = self.special(*special)?.number();
                let after = change(before);
                self.set_special(*special, Value::Number(after))?;
                Ok((before, after))
            }
        }
    }

    /// `a = a more`, without copying `a` where nobody else holds it.
    pub(super) fn append(&mut self, variable: Variable, more: &'p Expr) -> Result<Value> {
        let mut added = self.buffer();
        self.text(more, &mut added)?;
        let before = self.variable(variable)?;
        *self.slot_mut(variable) = Slot::UNSET;
        let mut text = match before {
            Value::Text(text) | Value::Input(text) => text,
            other => other.to_text(&self.specials.convfmt),
        };
        let grown = Rc::make_mut(&mut text);
        let before = grown.capacity();
        if added.len() > LONG {
            // What is added is there twice for a moment.
            self.call.memory.take(2 * added.len())?;
        }
        grown.extend_from_slice(&added);
        let more = grown.capacity() - before;
        if added.len() > LONG {
            self.call.memory.give(2 * added.len());
        }
        if more > LONG {
            self.call.memory.take(more)?;
        }
        self.give_back(added);
        *self.slot_mut(variable) = Slot::Value(Value::Text(text.clone()));
        Ok(Value::Text(text))
    }

    /// An argument: arrays are shared, and what is unset may become an array that is.
    pub(super) fn argument(&mut self, argument: &'p Expr) -> Result<Slot> {
        let Expr::Whole(path) = argument else { return self.eval(argument).map(Slot::Value) };
        let Some((last, before)) = path.path.split_last() else {
            let slot = self.slot(path.variable).clone();
            return Ok(match slot {
                Slot::Value(Value::Unset) => {
                    let shared = Rc::new(OnceCell::new());
                    *self.slot_mut(path.variable) = Slot::Untyped(shared.clone());
                    Slot::Untyped(shared)
                }
                Slot::Untyped(shared) => match shared.get() {
                    Some(array) => Slot::Array(array.clone()),
                    None => Slot::Untyped(shared),
                },
                slot => slot,
            });
        };
        let array = self.walk(path.variable, before)?;
        let key = self.key(last)?;
        let inner = match array.borrow().get(&key) {
            Some(Element::Array(inner)) => Some(inner.clone()),
            _ => None,
        };
        let slot = match inner {
            Some(inner) => Slot::Array(inner),
            None => Slot::Value(self.element(&array, &key)?),
        };
        self.give_back(key);
        Ok(slot)
    }
}
