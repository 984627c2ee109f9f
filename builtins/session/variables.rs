//! Variables with bash's attributes, and the dynamic scopes of `local`.
use super::{Array, Assoc};
use std::{collections::HashMap, fmt};

/// A variable's value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Value {
    /// Declared, without a value.
    #[default]
    Unset,
    /// One string.
    Scalar(String),
    /// An indexed array.
    Indexed(Array),
    /// An associative array.
    Assoc(Assoc),
}

impl Value {
    /// What an element of an array takes besides its text: its string, its key, its share of a tree's node, and what
    /// the allocator adds.
    pub const ELEMENT: usize = 96;

    /// What a scalar of so many bytes takes. Short ones are not counted: there cannot be enough of them.
    pub fn scalar_bytes(len: usize) -> usize {
        const SHORT: usize = 256;
        if len < SHORT { 0 } else { len }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        match self {
            Value::Unset => 0,
            Value::Scalar(text) => Value::scalar_bytes(text.len()),
            Value::Indexed(array) => array.values().map(|text| text.len() + Value::ELEMENT).sum(),
            Value::Assoc(map) => map.iter().map(|(key, text)| key.len() + text.len() + Value::ELEMENT).sum(),
        }
    }
}

/// What `declare` may say of a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// `-x`: commands see it.
    pub exported: bool,
    /// `-r`: it cannot be assigned or unset.
    pub readonly: bool,
    /// `-i`: what is assigned is evaluated.
    pub integer: bool,
    /// `-l`: what is assigned becomes lower case.
    pub lower: bool,
    /// `-u`: what is assigned becomes upper case.
    pub upper: bool,
    /// `-c`: the first letter of what is assigned becomes upper case.
    pub capital: bool,
    /// `-n`: the value is another variable's name.
    pub nameref: bool,
    /// An array that was declared and never assigned; shown by `declare -p` without a value.
    pub unassigned: bool,
    /// `-t`: no meaning for variables; shown by `declare -p`.
    pub trace: bool,
}

/// One variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// Its value.
    pub value: Value,
    /// Its attributes.
    pub attributes: Attributes,
}

impl Variable {
    /// As `$name` expands: the string, or element 0 of an array.
    pub fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Unset => None,
            Value::Scalar(text) => Some(text),
            Value::Indexed(array) => array.get(&0).map(String::as_str),
            Value::Assoc(map) => map.get("0"),
        }
    }
}

/// An assignment to a readonly variable, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readonly(pub String);

impl fmt::Display for Readonly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: readonly variable", self.0)
    }
}

/// All variables of a session.
///
/// Scoping is dynamic: `local` saves the outer variable in the running function's frame, and the end of the function
/// puts it back. Look-ups therefore never walk scopes.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    map: HashMap<String, Variable>,
    /// One frame a running function: what its locals hide.
    frames: Vec<Vec<(String, Option<Variable>)>>,
}

impl Variables {
    /// The value as `$name` expands; namerefs are not followed.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.map.get(name)?.scalar()
    }

    /// The variable itself.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.map.get(name)
    }

    /// The variable itself, made when it is missing. The caller has checked that it is not readonly.
    pub fn variable_mut(&mut self, name: &str) -> &mut Variable {
        self.map.entry(name.to_string()).or_default()
    }

    /// `name=value`; an array's element 0 when it is an array. No attribute but `readonly` is looked at.
    pub fn set(&mut self, name: &str, value: impl Into<String>) -> Result<(), Readonly> {
        let variable = self.variable_mut(name);
        if variable.attributes.readonly {
            return Err(Readonly(name.to_string()));
        }
        match &mut variable.value {
            Value::Indexed(array) => drop(array.insert(0, value.into())),
            Value::Assoc(map) => map.insert("0".to_string(), value.into()),
            Value::Unset | Value::Scalar(_) => variable.value = Value::Scalar(value.into()),
        }
        Ok(())
    }

    /// Set and export a variable, whatever it was.
    pub fn export(&mut self, name: &str, value: &str) {
        let variable = self.variable_mut(name);
        variable.value = Value::Scalar(value.to_string());
        variable.attributes.exported = true;
    }

    /// `unset name`.
    pub fn unset(&mut self, name: &str) -> Result<(), Readonly> {
        match self.map.get(name) {
            Some(variable) if variable.attributes.readonly => Err(Readonly(name.to_string())),
            _ => {
                self.map.remove(name);
                Ok(())
            }
        }
    }

    /// Remove a variable, whatever its attributes. When it is local to a function further out, what it hid shows again.
    pub fn forget(&mut self, name: &str) {
        self.map.remove(name);
        let Some((running, outer)) = self.frames.split_last_mut() else { return };
        if running.iter().any(|(hidden, _)| hidden == name) {
            return;
        }
        for frame in outer.iter_mut().rev() {
            if let Some(at) = frame.iter().position(|(hidden, _)| hidden == name) {
                if let (_, Some(variable)) = frame.remove(at) {
                    self.map.insert(name.to_string(), variable);
                }
                return;
            }
        }
    }

    /// The names of all variables, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.map.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// About how many bytes all values take, those that locals hide included.
    pub fn bytes(&self) -> usize {
        let hidden = self.frames.iter().flatten().filter_map(|(_, variable)| variable.as_ref());
        self.map.values().chain(hidden).map(|variable| variable.value.bytes()).sum()
    }

    /// The exported variables alone.
    pub fn exported(&self) -> Variables {
        let exported = self.map.iter().filter(|(_, variable)| variable.attributes.exported);
        Variables {
            map: exported.map(|(name, variable)| (name.clone(), variable.clone())).collect(),
            ..Variables::default()
        }
    }

    /// What a command's environment holds: exported names and their values, sorted by name.
    pub fn environment(&self) -> Vec<(&str, &str)> {
        let exported = self.map.iter().filter(|(_, variable)| variable.attributes.exported);
        let mut all: Vec<(&str, &str)> =
            exported.filter_map(|(name, variable)| Some((name.as_str(), variable.scalar()?))).collect();
        all.sort_unstable();
        all
    }

    /// A function begins.
    pub fn push_frame(&mut self) {
        self.frames.push(Vec::new());
    }

    /// A function ends: what its locals hid comes back. Gives the bytes that the locals took.
    pub fn pop_frame(&mut self) -> usize {
        let mut bytes = 0;
        for (name, hidden) in self.frames.pop().unwrap_or_default().into_iter().rev() {
            let local = match hidden {
                Some(variable) => self.map.insert(name, variable),
                None => self.map.remove(&name),
            };
            bytes += local.map_or(0, |variable| variable.value.bytes());
        }
        bytes
    }

    /// How many functions are running.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Whether `name` is local to the running function.
    pub fn is_local(&self, name: &str) -> bool {
        self.frames.last().is_some_and(|frame| frame.iter().any(|(hidden, _)| hidden == name))
    }

    /// Whether a running function's local hides an outer variable of this name, or the place of one.
    pub fn is_shadowed(&self, name: &str) -> bool {
        self.frames.iter().flatten().any(|(hidden, _)| hidden == name)
    }

    /// Make `name` local to the running function, unset, and give it to be filled. `None` outside of functions.
    /// A name that is local already keeps its value.
    pub fn make_local(&mut self, name: &str) -> Option<&mut Variable> {
        if !self.is_local(name) {
            let hidden = self.map.remove(name);
            self.frames.last_mut()?.push((name.to_string(), hidden));
        }
        Some(self.variable_mut(name))
    }

    /// The variable as the outermost scope holds it (`declare -g`), made when it is missing.
    pub fn global_mut(&mut self, name: &str) -> &mut Variable {
        let slot = self.frames.iter_mut().flatten().find(|(hidden, _)| hidden == name);
        match slot {
            Some((_, hidden)) => hidden.get_or_insert_default(),
            None => self.map.entry(name.to_string()).or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locals_hide_and_come_back() {
        let mut vars = Variables::default();
        vars.set("x", "outer").unwrap();
        vars.push_frame();
        vars.make_local("x").unwrap().value = Value::Scalar("inner".into());
        vars.global_mut("x").value = Value::Scalar("global".into());
        assert_eq!(vars.get("x"), Some("inner"));
        vars.pop_frame();
        assert_eq!(vars.get("x"), Some("global"));
    }

    #[test]
    fn forgetting_an_outer_local_shows_what_it_hid() {
        let mut vars = Variables::default();
        vars.set("x", "global").unwrap();
        vars.push_frame();
        vars.make_local("x").unwrap().value = Value::Scalar("local".into());
        vars.push_frame();
        vars.forget("x");
        assert_eq!(vars.get("x"), Some("global"));
        vars.pop_frame();
        vars.pop_frame();
        assert_eq!(vars.get("x"), Some("global"));
    }

    #[test]
    fn readonly_variables_stay() {
        let mut vars = Variables::default();
        vars.set("x", "1").unwrap();
        vars.variable_mut("x").attributes.readonly = true;
        assert_eq!(vars.set("x", "2").unwrap_err().to_string(), "x: readonly variable");
        assert_eq!(vars.unset("x").unwrap_err(), Readonly("x".into()));
    }
}
