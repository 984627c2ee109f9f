//! Configuration files as one kind of value, whatever they are written in: JSON, YAML, or the object that a file of
//! JavaScript exports.
use crate::yaml;
use saphyr::{Scalar, Yaml};
use serde_json::{Map, Number, Value};

/// The value in the file called `name`.
pub(super) fn parse(name: &str, text: &str) -> Result<Value, String> {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "json" => serde_json::from_str(text).map_err(|error| error.to_string()),
        "yml" | "yaml" => {
            let documents = yaml::load(text)?;
            Ok(documents.first().map_or(Value::Null, of_yaml))
        }
        _ => of_script(text),
    }
}

/// YAML as JSON has it; what JSON has no word for is null.
fn of_yaml(yaml: &Yaml<'_>) -> Value {
    match yaml {
        Yaml::Value(Scalar::Boolean(value)) => Value::Bool(*value),
        Yaml::Value(Scalar::Integer(value)) => Value::Number((*value).into()),
        Yaml::Value(Scalar::FloatingPoint(value)) => Number::from_f64(**value).map_or(Value::Null, Value::Number),
        Yaml::Value(Scalar::String(text)) => Value::String(text.to_string()),
        Yaml::Sequence(items) => Value::Array(items.iter().map(of_yaml).collect()),
        Yaml::Mapping(fields) => {
            let field = |(name, value): (&Yaml<'_>, &Yaml<'_>)| Some((name_of(name)?, of_yaml(value)));
            Value::Object(fields.iter().filter_map(field).collect::<Map<_, _>>())
        }
        Yaml::Tagged(_, value) => of_yaml(value),
        _ => Value::Null,
    }
}

fn name_of(key: &Yaml<'_>) -> Option<String> {
    match of_yaml(key) {
        Value::String(name) => Some(name),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The first object that a script assigns or exports, if it is written out: a call or a `...spread` inside is not run.
fn of_script(text: &str) -> Result<Value, String> {
    let starts = text.match_indices('{').map(|(at, _)| at).filter(|&at| {
        let before = text[..at].trim_end();
        before.ends_with('=') || before.ends_with("export default")
    });
    let mut fault = "it exports no object that is written out".to_string();
    for start in starts {
        let Some(end) = end_of_object(&text[start..]) else { continue };
        match json5::from_str(&text[start..start + end]) {
            Ok(value) => return Ok(value),
            Err(error) => fault = error.to_string(),
        }
    }
    Err(fault)
}

/// Where the object that `text` begins with ends.
fn end_of_object(text: &str) -> Option<usize> {
    let (mut depth, mut quote, mut chars) = (0, None, text.char_indices().peekable());
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => drop(chars.next()),
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '/') if chars.peek().is_some_and(|(_, next)| *next == '/') => {
                while chars.next_if(|(_, c)| *c != '\n').is_some() {}
            }
            (None, '/') if chars.peek().is_some_and(|(_, next)| *next == '*') => {
                let end = text[at..].find("*/")? + at;
                while chars.next_if(|(here, _)| *here < end).is_some() {}
            }
            (None, '{') => depth += 1,
            (None, '}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_same_value_in_three_languages() {
        let expected = json!({ "nav": [{ "Home": "index.md" }, 7, true, null], "x": 1.5 });
        let rows = [
            ("a.json", r#"{"nav": [{"Home": "index.md"}, 7, true, null], "x": 1.5}"#),
            ("a.yml", "nav:\n- Home: index.md\n- 7\n- true\n- ~\nx: !custom 1.5\n"),
            (
                "a.js",
                "// @ts-check {\n/** @type {X} */\nconst a = {nav: [{Home: 'index.md'}, 7, true, null /* } */], x: 1.5,};\n\
                 export default a;\n",
            ),
        ];
        for (name, text) in rows {
            assert_eq!(parse(name, text), Ok(expected.clone()), "{name}");
        }
        assert_eq!(
            parse("a.ts", "export default { a: '}', b: \"it's\" } satisfies B;"),
            Ok(json!({"a": "}", "b": "it's"}))
        );
    }

    #[test]
    fn what_is_not_written_out_is_told() {
        assert!(parse("a.json", "{").is_err());
        assert!(parse("a.yml", "nav: [\n").is_err());
        assert!(parse("a.js", "module.exports = { ...require('./b') };").is_err());
        assert!(parse("a.js", "module.exports = make({});").is_err());
    }
}
