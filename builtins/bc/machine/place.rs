//! What can be assigned to: variables, elements of arrays, and the numbers that say how bc works.
use super::{Fault, Machine, Run};
use crate::{
    Call,
    bc::{number::Number, say, syntax::Place},
};
use num_bigint::BigInt;

/// Elements that an array may have.
const DIMENSION: u32 = 16_777_215;

impl Machine {
    /// The index of an element; 0 for what is none.
    pub(super) fn index(&mut self, call: &mut Call<'_>, place: &Place) -> Run<u32> {
        let Place::Element(name, index) = place else { return Ok(0) };
        let index = self.value(call, index)?.whole();
        match u32::try_from(&index) {
            Ok(index) if index <= DIMENSION => Ok(index),
            _ => Err(Fault::Runtime(format!("Array {name} subscript out of bounds."))),
        }
    }

    pub(super) fn load(&self, place: &Place, index: u32) -> Number {
        match place {
            Place::Variable(name) => self.variables.get(name).cloned().unwrap_or_default(),
            Place::Element(name, _) => {
                self.arrays.get(name).and_then(|array| array.borrow().get(&index).cloned()).unwrap_or_default()
            }
            Place::Scale => Number::new(self.scale, 0),
            Place::Ibase => Number::new(self.ibase, 0),
            Place::Obase => Number::new(BigInt::from(self.obase.clone()), 0),
            Place::Last => self.last.clone(),
        }
    }

    /// Keep `value`; the bases and the scale take what is possible of it.
    pub(super) fn store(&mut self, call: &mut Call<'_>, place: &Place, index: u32, value: &mut Number) -> Run<()> {
        match place {
            Place::Variable(name) => {
                self.variables.insert(name.clone(), value.clone());
            }
            Place::Element(name, _) => {
                call.memory.take(size_of::<(u32, Number)>())?;
                let array = self.arrays.entry(name.clone()).or_default();
                array.borrow_mut().insert(index, value.clone());
            }
            Place::Scale => self.scale = self.special(call, "scale", value, 0, 100_000)? as usize,
            Place::Ibase => self.ibase = self.special(call, "ibase", value, 2, 36)?,
            Place::Obase => self.obase = self.special(call, "obase", value, 2, i32::MAX as u32)?.into(),
            Place::Last => self.last = value.clone(),
        }
        Ok(())
    }

    /// The whole number that `value` is, kept between `least` and `most`, with a word where it was not.
    fn special(&self, call: &mut Call<'_>, name: &str, value: &Number, least: u32, most: u32) -> Run<u32> {
        let whole = value.whole();
        let (kept, trouble) = match u32::try_from(&whole) {
            Ok(kept) if kept < least => (least, Some("small")),
            Ok(kept) if kept > most => (most, Some("large")),
            Ok(kept) => (kept, None),
            Err(_) if value.is_negative() => (least, Some("small")),
            Err(_) => (most, Some("large")),
        };
        if let Some(trouble) = trouble {
            say(call, format_args!("Runtime warning (func=(main), adr=0): {name} too {trouble}, set to {kept}"))?;
        }
        Ok(kept)
    }
}
