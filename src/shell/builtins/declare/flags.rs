//! The options of the declaration commands.
use super::Kind;
use crate::shell::expand::Argument;
use docsh_builtins::{Attributes, Value};

/// What the options ask for.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    /// Attributes to set and to take away.
    pub on: Attributes,
    pub off: Attributes,
    /// `-a`
    pub indexed: bool,
    /// `-A`
    pub associative: bool,
    /// `-g`
    pub global: bool,
    /// `-I`: a local variable begins as the one it hides.
    pub inherit: bool,
    /// `-p`
    pub print: bool,
    /// `-f`
    pub functions: bool,
    /// `-F`
    pub function_names: bool,
}

impl Flags {
    /// Read the options before the operands; `Err` names one that there is not.
    pub(super) fn read(arguments: &[Argument], kind: Kind) -> Result<(Flags, &[Argument]), String> {
        let mut flags = Flags::default();
        let mut rest = arguments;
        while let Some((Argument::Word(word), after)) = rest.split_first() {
            let on = word.starts_with('-');
            if word == "--" {
                rest = after;
                break;
            }
            let Some(letters) = word.strip_prefix(['-', '+']).filter(|letters| !letters.is_empty()) else { break };
            for letter in letters.chars() {
                if !flags.take(letter, on, kind) {
                    return Err(format!("{}{letter}", if on { '-' } else { '+' }));
                }
            }
            rest = after;
        }
        if flags.on.lower && flags.on.upper {
            (flags.on.lower, flags.on.upper) = (false, false);
        }
        match kind {
            Kind::Export if flags.off.exported => {}
            Kind::Export => flags.on.exported = true,
            Kind::Readonly => flags.on.readonly = true,
            Kind::Declare | Kind::Local => {}
        }
        Ok((flags, rest))
    }

    fn take(&mut self, letter: char, on: bool, kind: Kind) -> bool {
        let known = match kind {
            Kind::Declare | Kind::Local => "aAfFgiIlnrtuxcp",
            Kind::Export => "fnp",
            Kind::Readonly => "aAfp",
        };
        if !known.contains(letter) || (!on && matches!(kind, Kind::Export | Kind::Readonly)) {
            return false;
        }
        let attributes = if on { &mut self.on } else { &mut self.off };
        match letter {
            'a' => self.indexed = on,
            'A' => self.associative = on,
            'f' => self.functions = true,
            'F' => self.function_names = true,
            'g' => self.global = true,
            'I' => self.inherit = true,
            'p' => self.print = true,
            'n' if kind == Kind::Export => self.off.exported = true,
            'n' => attributes.nameref = true,
            'i' => attributes.integer = true,
            'l' => attributes.lower = true,
            'u' => attributes.upper = true,
            'c' => attributes.capital = true,
            'r' => attributes.readonly = true,
            't' => attributes.trace = true,
            _ => attributes.exported = true,
        }
        true
    }

    /// Whether a variable has all that the options name.
    pub(super) fn select(&self, attributes: &Attributes, value: &Value) -> bool {
        let wanted = &self.on;
        (!self.indexed || matches!(value, Value::Indexed(_)))
            && (!self.associative || matches!(value, Value::Assoc(_)))
            && (!wanted.exported || attributes.exported)
            && (!wanted.readonly || attributes.readonly)
            && (!wanted.integer || attributes.integer)
            && (!wanted.lower || attributes.lower)
            && (!wanted.upper || attributes.upper)
            && (!wanted.capital || attributes.capital)
            && (!wanted.nameref || attributes.nameref)
            && (!wanted.trace || attributes.trace)
    }

    /// `attributes` as the options change them, apart from `readonly`, which comes last.
    pub(super) fn change(&self, attributes: &mut Attributes) {
        let (on, off) = (&self.on, &self.off);
        attributes.exported = (attributes.exported || on.exported) && !off.exported;
        attributes.integer = (attributes.integer || on.integer) && !off.integer;
        attributes.nameref = (attributes.nameref || on.nameref) && !off.nameref;
        attributes.trace = (attributes.trace || on.trace) && !off.trace;
        if on.lower || on.upper || on.capital {
            (attributes.lower, attributes.upper, attributes.capital) = (on.lower, on.upper, on.capital);
        }
        attributes.lower &= !off.lower;
        attributes.upper &= !off.upper;
        attributes.capital &= !off.capital;
    }
}
