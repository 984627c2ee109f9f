//! `-v VAR`: what was printed goes to a variable, or to an element of one.
use crate::{Call, Result, Session, Status, Value};

/// What `-v` names.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    name: &'a str,
    /// Of `name[subscript]`.
    subscript: Option<&'a str>,
}

impl<'a> Target<'a> {
    /// `None` for a word that can name no variable.
    pub(super) fn read(word: &'a str) -> Option<Target<'a>> {
        let (name, subscript) = match word.strip_suffix(']').and_then(|word| word.split_once('[')) {
            Some((name, subscript)) if !subscript.is_empty() => (name, Some(subscript)),
            _ => (word, None),
        };
        let valid = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        valid.then_some(Target { name, subscript })
    }

    /// Assign what was printed; a status when that failed.
    pub(super) fn assign(self, call: &mut Call<'_>, out: &[u8]) -> Result<Option<Status>> {
        let text = String::from_utf8_lossy(out).replace('\0', "");
        match self.subscript {
            Some(subscript) => self.assign_element(call, subscript, text),
            None => Ok(call.session.vars.set(self.name, text).err().map(|readonly| {
                call.warn_apart(readonly);
                Status::FAILURE
            })),
        }
    }

    fn assign_element(self, call: &mut Call<'_>, subscript: &str, text: String) -> Result<Option<Status>> {
        let name = self.name;
        let index = index(call.session, subscript).parse();
        let variable = call.session.vars.variable_mut(name);
        match &mut variable.value {
            _ if variable.attributes.readonly => {
                call.warn(format_args!("{name}: readonly variable"))?;
                return Ok(Some(Status::FAILURE));
            }
            Value::Assoc(map) => map.insert(subscript.to_string(), text),
            value => {
                let Ok(index) = index else {
                    call.warn(format_args!("{name}[{subscript}]: bad array subscript"))?;
                    return Ok(Some(Status::FAILURE));
                };
                let mut array = match std::mem::take(value) {
                    Value::Indexed(array) => array,
                    Value::Scalar(first) => [(0, first)].into_iter().collect(),
                    Value::Unset | Value::Assoc(_) => Default::default(),
                };
                array.insert(index, text);
                *value = Value::Indexed(array);
            }
        }
        Ok(None)
    }
}

/// A subscript that is a number, or names a variable that holds one.
fn index<'a>(session: &'a Session, subscript: &'a str) -> &'a str {
    session.var(subscript.trim_start_matches('$')).unwrap_or(subscript)
}
