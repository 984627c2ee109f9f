//! YAML: what is left after a cut is written anew, without comments, which might speak of what was cut.
use super::{Entry, Part, Value};
use crate::{tree::access::Visitor, yaml};
use saphyr::{Yaml, YamlEmitter};

/// `source` without what `visitor` may not see; `None` when that is nothing.
pub(super) fn cut(source: &str, visitor: &Visitor) -> Result<Option<String>, String> {
    let mut documents = yaml::load(source).map_err(|error| format!("is not YAML: {error}"))?;
    let mut any = false;
    for document in &mut documents {
        let mut root = part(document);
        if root.is_forbidden(visitor) {
            *document = Yaml::Mapping(Default::default());
            any = true;
        } else if root.hide(visitor) {
            prune(document, &root);
            any = true;
        }
    }
    if !any {
        return Ok(None);
    }
    let mut text = String::new();
    for document in &documents {
        YamlEmitter::new(&mut text).dump(document).map_err(|error| format!("cannot be written: {error}"))?;
        text.push('\n');
    }
    Ok(Some(text))
}

fn part(yaml: &Yaml<'_>) -> Part<'static, ()> {
    let value = match yaml {
        Yaml::Mapping(fields) => {
            let entry = |(key, value): (&Yaml<'_>, &Yaml<'_>)| Entry {
                key: text(key).unwrap_or_default().into(),
                start: 0,
                part: part(value),
            };
            Value::Map(fields.iter().map(entry).collect())
        }
        Yaml::Sequence(items) => Value::List(items.iter().map(part).collect()),
        Yaml::Tagged(_, inner) => return part(inner),
        scalar => text(scalar).map_or(Value::Other, |text| Value::Text(text.into())),
    };
    Part::new((), value)
}

/// A scalar as text: `200` is as good a key as `"200"`.
fn text(yaml: &Yaml<'_>) -> Option<String> {
    let number = || yaml.as_integer().map(|number| number.to_string());
    let truth = || yaml.as_bool().map(|truth| truth.to_string());
    match yaml {
        Yaml::Tagged(_, inner) => text(inner),
        _ => yaml.as_str().map(str::to_string).or_else(number).or_else(truth),
    }
}

/// Take what is hidden out of `yaml`, which has the shape of `part`, child by child in the same order.
fn prune(yaml: &mut Yaml<'_>, part: &Part<'_, ()>) {
    match (yaml, &part.value) {
        (Yaml::Mapping(fields), Value::Map(entries)) => {
            let all = std::mem::take(fields).into_iter().zip(entries);
            for ((key, mut value), entry) in all.filter(|(_, entry)| !entry.part.is_hidden) {
                prune(&mut value, &entry.part);
                fields.insert(key, value);
            }
        }
        (Yaml::Sequence(items), Value::List(parts)) => {
            let all = std::mem::take(items).into_iter().zip(parts);
            for (mut item, part) in all.filter(|(_, part)| !part.is_hidden) {
                prune(&mut item, part);
                items.push(item);
            }
        }
        (Yaml::Tagged(_, inner), _) => prune(inner, part),
        _ => {}
    }
}
