//! The one tool of the MCP server: its name, its arguments, the shape of its results, and what a model reads of it.
use super::server::Terms;
use crate::cli::{answer::Answer, portrait::Portrait};
use docsh_builtins::Unit;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// The most bytes of a description: clients cut longer ones.
const DESCRIBED: usize = 2000;

/// The tool's arguments.
#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    pub(super) command: String,
    pub(super) cwd: Option<String>,
}

impl Arguments {
    /// Those of a request, or what is wrong with them.
    pub(super) fn read(arguments: Option<JsonObject>) -> Result<Arguments, String> {
        let wrong =
            |error| format!("wrong arguments: {error}; use {{\"command\": \"ls /\", \"cwd\": \"/\"}}, `cwd` optional");
        serde_json::from_value(Value::Object(arguments.unwrap_or_default())).map_err(wrong)
    }
}

/// The tool for the site of `portrait`, whose calls are run under `terms`.
pub(super) fn tool(portrait: &Portrait, terms: &Terms) -> Tool {
    let annotations = ToolAnnotations::with_title(format!("Query the {} docs", portrait.site));
    let annotations =
        annotations.read_only(true).destructive(false).idempotent(terms.scratch.is_none()).open_world(false);
    Tool::new(portrait.tool(), description(portrait, terms.shown, terms.scratch), arguments())
        .with_raw_output_schema(Arc::new(result()))
        .with_annotations(annotations)
}

/// What a model is told of the tool: under [`DESCRIBED`] bytes, whatever the site is like.
fn description(portrait: &Portrait, shown: usize, scratch: Option<u64>) -> String {
    let apis = portrait.described_apis().map_or(String::new(), |apis| format!("OpenAPI files: {apis}.\n"));
    let top = portrait.top();
    let top = if top.is_empty() { String::new() } else { format!("Top folders: {top}.\n") };
    let written = match scratch {
        None => "Nothing can be written".to_string(),
        Some(size) => {
            let size = Unit::Human(1024).show(size);
            format!("Only /tmp can be written: it is this session's own, holds {size}, and stays between calls")
        }
    };
    let mut text = format!(
        "Search and read the documentation of {} ({}) with a read-only bash shell: pages are files, sections are \
         folders. `command` is any command line of bash and GNU tools (ls, tree, find, grep -r, rg, cat, head, sed, \
         awk, jq, sort, wc, pipes, loops). Each call starts in /, or in `cwd`, and keeps no state. {written}, \
         and there is no network.\n{top}{apis}At most {shown} bytes of output are shown, head and tail: \
         narrow with grep, head or sed -n. To be exact, grep first, then read the page.\nExamples: {}",
        portrait.site,
        portrait.count(),
        portrait.examples().join(" ; "),
    );
    text.truncate(text.floor_char_boundary(DESCRIBED - 1));
    text
}

/// The schema of [`Arguments`].
fn arguments() -> JsonObject {
    object(json!({
        "type": "object",
        "properties": {
            "command": {
                "type": "string",
                "description": "A bash command line, e.g. grep -rn 'refresh token' /auth | head",
            },
            "cwd": { "type": "string", "description": "The folder to start in; / unless given" },
        },
        "required": ["command"],
        "additionalProperties": false,
    }))
}

/// The schema of [`Answer`].
fn result() -> JsonObject {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let count = |about: &str| json!({ "type": "integer", "minimum": 0, "description": about });
    let whole = |properties: Value| {
        let required: Vec<&String> = properties.as_object().into_iter().flat_map(|map| map.keys()).collect();
        json!({ "type": "object", "required": required, "properties": properties })
    };
    object(whole(json!({
        "stdout": text("The output"),
        "stderr": text("The messages"),
        "exitCode": count("The exit status; 0 is success"),
        "truncated": whole(json!({
            "stdout": count("Bytes of output that are not shown"),
            "stderr": count("Bytes of messages that are not shown"),
        })),
        "durationMs": count("Milliseconds that it took"),
        "cwd": text("The folder that the command ended in"),
        "stats": whole(json!({
            "requests": count("Requests to the site's store"),
            "pagesRead": count("Pages read"),
            "cacheHits": count("Pages that were in a cache"),
            "bytes": count("Bytes of pages read"),
        })),
    })))
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(map) => map,
        _ => JsonObject::new(),
    }
}

/// An answer as a result: structured, and as text. A command that fails is a result like any other.
pub(super) fn shown(answer: &Answer) -> CallToolResult {
    let mut text = answer.stdout.clone();
    for part in [answer.stderr.as_str(), &status(answer.exit_code)] {
        if !text.is_empty() && !text.ends_with('\n') && !part.is_empty() {
            text.push('\n');
        }
        text.push_str(part);
    }
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = serde_json::to_value(answer).ok();
    result
}

/// What is said of a status: of success without output too, lest silence look like a fault.
fn status(code: u8) -> String {
    if code == 0 { String::new() } else { format!("[exit status {code}]\n") }
}

/// A call that could not be run at all.
pub(super) fn failed(message: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(message)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn portrait(folders: usize) -> Portrait {
        Portrait {
            site: "acme".into(),
            pages: 94,
            folders: (0..folders).map(|n| format!("/folder é {n}")).collect(),
            apis: (0..folders).map(|n| format!("/openapi/{n}.json")).collect(),
            ..Portrait::default()
        }
    }

    #[test]
    fn a_description_tells_of_the_site_and_fits() {
        let text = description(&portrait(1), 30_000, None);
        for part in ["documentation of acme (94 pages)", "/folder é 0", "/openapi/0.json", "30000 bytes", "starts in /"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(description(&portrait(500), 30_000, Some(16 << 20)).len() < 2000);
        assert!(!description(&portrait(0), 1, None).contains("OpenAPI"));
        assert!(description(&portrait(0), 1, Some(16 << 20)).contains("Only /tmp can be written"));
    }

    #[test]
    fn arguments_are_the_ones_of_the_schema() {
        let read = |value: Value| Arguments::read(Some(object(value)));
        assert_eq!(read(json!({ "command": "ls" })), Ok(Arguments { command: "ls".into(), cwd: None }));
        assert!(Arguments::read(None).unwrap_err().contains("missing field `command`"));
        assert!(read(json!({ "command": "ls", "path": "/" })).unwrap_err().contains("unknown field `path`"));
        assert!(read(json!({ "command": 5 })).is_err());
    }
}
