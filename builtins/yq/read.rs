//! YAML (1.2, core schema) as JSON text.
//!
//! The parser's events are written down as they come, so nothing is as deep as the stack. An anchor keeps the text of
//! its value; what aliases repeat is accounted for.
use crate::{Purse, Result};
use saphyr::{Scalar, ScalarStyle, Tag};
use saphyr_parser::{Event, Parser};
use std::collections::HashMap;

/// A list or a map that has begun.
struct Open {
    /// Its keys and values so far, or its items.
    count: usize,
    is_map: bool,
    anchor: usize,
    start: usize,
}

/// Each document of `text` as JSON; or where and why it is no YAML.
pub(super) fn documents(text: &str, memory: &mut Purse) -> Result<Result<Vec<String>, String>> {
    let mut documents = Vec::new();
    let mut writer = Writer::default();
    for event in Parser::new_from_str(text) {
        let event = match event {
            Ok((event, _)) => event,
            Err(mistake) => return Ok(Err(mistake.to_string())),
        };
        let before = writer.json.len();
        if let Event::DocumentEnd = event {
            documents.push(std::mem::take(&mut writer.json));
            writer.anchors.clear();
            continue;
        }
        if let Err(mistake) = writer.write(event) {
            return Ok(Err(mistake.to_string()));
        }
        memory.take(writer.json.len().saturating_sub(before))?;
    }
    Ok(Ok(documents))
}

#[derive(Default)]
struct Writer {
    json: String,
    open: Vec<Open>,
    anchors: HashMap<usize, String>,
}

impl Writer {
    fn write(&mut self, event: Event<'_>) -> Result<(), &'static str> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_key = self.separate();
                let start = self.json.len();
                let tag = tag.as_deref();
                match is_key {
                    true => push_text(&mut self.json, &text),
                    false => self.json.push_str(&scalar(&text, style, tag)),
                }
                self.name(anchor, start);
            }
            Event::Alias(anchor) => {
                let is_key = self.separate();
                let value = self.anchors.get(&anchor).ok_or("unknown anchor")?;
                match is_key && !value.starts_with('"') {
                    true if value.starts_with(['[', '{']) => return Err(KEY),
                    true => push_text(&mut self.json, value),
                    false => self.json.push_str(value),
                }
            }
            Event::SequenceStart(anchor, _) => self.begin(false, anchor)?,
            Event::MappingStart(anchor, _) => self.begin(true, anchor)?,
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop() {
                    self.json.push(if open.is_map { '}' } else { ']' });
                    self.name(open.anchor, open.start);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, is_map: bool, anchor: usize) -> Result<(), &'static str> {
        if self.separate() {
            return Err(KEY);
        }
        self.open.push(Open { count: 0, is_map, anchor, start: self.json.len() });
        self.json.push(if is_map { '{' } else { '[' });
        Ok(())
    }

    /// Write what stands before the next node; whether that is a key.
    fn separate(&mut self) -> bool {
        let Some(open) = self.open.last_mut() else { return false };
        let is_key = open.is_map && open.count.is_multiple_of(2);
        match (open.count, open.is_map && !is_key) {
            (_, true) => self.json.push(':'),
            (0, _) => {}
            _ => self.json.push(','),
        }
        open.count += 1;
        is_key
    }

    /// Keep what has been written from `start` on, when it has an anchor.
    fn name(&mut self, anchor: usize, start: usize) {
        if anchor > 0 {
            self.anchors.insert(anchor, self.json[start..].to_string());
        }
    }
}

const KEY: &str = "a key that is a list or a map is not supported";

/// A scalar as JSON.
fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> String {
    let is_text = tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "str");
    if style == ScalarStyle::Plain && !is_text {
        // The digits of a number stay as they are where JSON can have them.
        let is_number = || text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) && is_json(text);
        match Scalar::parse_from_cow(text.into()) {
            Scalar::Null => return "null".to_string(),
            Scalar::Boolean(value) => return value.to_string(),
            Scalar::Integer(_) | Scalar::FloatingPoint(_) if is_number() => return text.to_string(),
            Scalar::Integer(value) => return value.to_string(),
            Scalar::FloatingPoint(value) if value.is_finite() => return value.to_string(),
            Scalar::FloatingPoint(value) if value.is_nan() => return "null".to_string(),
            Scalar::FloatingPoint(value) => return format!("{:e}", value.0.clamp(f64::MIN, f64::MAX)),
            Scalar::String(_) if text.is_empty() => return "null".to_string(),
            Scalar::String(_) => {}
        }
    }
    let mut json = String::new();
    push_text(&mut json, text);
    json
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn push_text(json: &mut String, text: &str) {
    json.push_str(&serde_json::Value::from(text).to_string());
}
