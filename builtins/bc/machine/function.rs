//! Calls of functions: what they are given, and what their parameters and local names hide until they return.
use super::{Array, Fault, Flow, Machine, Run};
use crate::{
    Call, Error, Status,
    bc::{
        math,
        number::Number,
        syntax::{Argument, Function, Local},
    },
};
use std::{cell::RefCell, rc::Rc};

/// Calls within each other.
const DEEPEST: usize = 10_000;

/// What a name means: in a call, or outside of it, to be put back.
enum Meaning {
    Variable(String, Option<Number>),
    Array(String, Option<Array>),
}

impl Machine {
    /// Call the function `name`: one that was defined, or one of `-l`.
    pub(super) fn call(&mut self, call: &mut Call<'_>, name: &str, arguments: &[Argument]) -> Run<Number> {
        let Some(function) = self.functions.get(name).cloned() else {
            return self.call_native(call, name, arguments);
        };
        if function.parameters.len() != arguments.len() {
            return Err(mismatch());
        }
        if self.depth >= DEEPEST {
            return Err(Fault::Fatal(Error::Failed("call depth limit reached".to_string(), Status(126))));
        }
        let locals = self.locals(call, &function, arguments)?;
        // What is put into a place gives out what was there, to be put back in the opposite order.
        let mut hidden: Vec<Meaning> = locals.into_iter().map(|local| self.exchange(local)).collect();
        self.depth += 1;
        let flow = stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.run_all(call, &function.body));
        self.depth = self.depth.saturating_sub(1);
        while let Some(hidden) = hidden.pop() {
            self.exchange(hidden);
        }
        match flow? {
            Flow::Return(value) => Ok(value),
            Flow::Halt => Err(Fault::Fatal(Error::Quiet(Status::OK))),
            _ => Ok(Number::default()),
        }
    }

    /// Call one of the functions that come with `-l`.
    fn call_native(&mut self, call: &mut Call<'_>, name: &str, arguments: &[Argument]) -> Run<Number> {
        let Some(native) = math::Function::named(name).filter(|_| self.math) else {
            return Err(Fault::Runtime(format!("Function {name} not defined.")));
        };
        let mut values = Vec::new();
        for argument in arguments {
            let Argument::Value(expr) = argument else { return Err(mismatch()) };
            values.push(self.value(call, expr)?);
        }
        if values.len() != native.parameters() {
            return Err(mismatch());
        }
        Ok(math::value(native, &values, self.scale, &call.cancel)?)
    }

    /// What the function's own names mean when it begins.
    fn locals(&mut self, call: &mut Call<'_>, function: &Function, arguments: &[Argument]) -> Run<Vec<Meaning>> {
        let mut locals = Vec::new();
        for (local, argument) in function.parameters.iter().zip(arguments) {
            locals.push(match (local, argument) {
                (Local::Variable(name), Argument::Value(expr)) => {
                    Meaning::Variable(name.clone(), Some(self.value(call, expr)?))
                }
                (Local::Array(name), Argument::Array(from)) => {
                    let copy = self.arrays.get(from).map(|array| array.borrow().clone()).unwrap_or_default();
                    Meaning::Array(name.clone(), Some(Rc::new(RefCell::new(copy))))
                }
                (Local::Reference(name), Argument::Array(from)) => {
                    Meaning::Array(name.clone(), Some(self.arrays.entry(from.clone()).or_default().clone()))
                }
                _ => return Err(Fault::Runtime("Parameter type mismatch".to_string())),
            });
        }
        locals.extend(function.locals.iter().map(|local| match local {
            Local::Variable(name) => Meaning::Variable(name.clone(), None),
            Local::Array(name) | Local::Reference(name) => Meaning::Array(name.clone(), None),
        }));
        Ok(locals)
    }

    /// Give a name the meaning that is kept, and keep the one it had.
    fn exchange(&mut self, hidden: Meaning) -> Meaning {
        match hidden {
            Meaning::Variable(name, value) => {
                let old = match value {
                    Some(value) => self.variables.insert(name.clone(), value),
                    None => self.variables.remove(&name),
                };
                Meaning::Variable(name, old)
            }
            Meaning::Array(name, array) => {
                let old = match array {
                    Some(array) => self.arrays.insert(name.clone(), array),
                    None => self.arrays.remove(&name),
                };
                Meaning::Array(name, old)
            }
        }
    }
}

fn mismatch() -> Fault {
    Fault::Runtime("Parameter number mismatch".to_string())
}
