//! `yq`: YAML by the filters of `jq`. The command line and the output are those of Mike Farah's yq; the filters are
//! jq's, so what only its own language has (comments, styles, `eval-all`) is left out.
//!
//! A document is read as JSON ([`read`]), handed to docsh's `jq`, and what comes out is written as YAML again
//! ([`write`]). Numbers keep the digits they were written with; comments and styles are lost.
mod read;
mod write;

use crate::{
    Builtin, Call, Error, FsError, Input, Opening, Opt, Output, Result, Status, Stdio,
    args::{self, Order, Parsed},
    quoted_if_odd,
};
use std::{
    io::{Read, Write},
    mem,
};

pub(crate) static YQ: Builtin = Builtin {
    name: "yq",
    synopsis: "[eval] [OPTION]... [FILTER] [FILE]...",
    about: "Process YAML with the filters of jq; the output is YAML unless -o says otherwise.\n\
            The options are those of mikefarah's yq. For JSON as the yq of Python prints it: yq -o json FILTER FILE.",
    options: &[
        Opt::flag(
            'e',
            &["exit-status"],
            "exit-status",
            "status 1 when the last output is null or false, or there is none",
        ),
        Opt::value('f', &["front-matter"], "front-matter", "extract", "read what stands between --- lines at the top"),
        Opt::value('I', &["indent"], "indent", "N", "indent JSON by N blanks (default 2; 0 is compact)"),
        Opt::flag('i', &["inplace"], "inplace", "write the result back to the first file"),
        Opt::flag('j', &["tojson"], "json", "the same as -o json"),
        Opt::flag('M', &["no-colors"], "plain", "print without colours (always)"),
        Opt::flag('N', &["no-doc"], "no-doc", "do not print document separators (---)"),
        Opt::flag('n', &["null-input"], "null", "do not read input"),
        Opt::value('o', &["output-format"], "output", "FORMAT", "yaml (y), json (j)"),
        Opt::value('p', &["input-format"], "input", "FORMAT", "yaml (y), json (j), auto (a)"),
        Opt::flag('P', &["prettyPrint"], "pretty", "print in the usual style (always)"),
        Opt::flag('r', &["unwrapScalar"], "raw", "print a string without quotes (default for YAML)").optional("BOOL"),
    ],
    trouble: Status(1),
    run,
};

struct Options {
    json: bool,
    indent: String,
    /// Strings are printed bare.
    raw: bool,
    front_matter: bool,
    separators: bool,
    filter: String,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut words = parsed.operands.clone().into_iter().peekable();
    if words.next_if(|word| word == "eval" || word == "e").is_none()
        && words.next_if(|word| word == "eval-all" || word == "ea").is_some()
    {
        return Err(Error::failed("eval-all is not supported; the documents are taken one by one"));
    }
    let null = parsed.has("null");
    // A single word that names a file is one: `yq page.yaml`.
    let filter = match words.next() {
        Some(word) if !null && words.peek().is_none() && !word.starts_with('.') && call.stat(&word).is_ok() => {
            words = vec![word].into_iter().peekable();
            ".".to_string()
        }
        Some(word) => word,
        None => ".".to_string(),
    };
    let files: Vec<String> = words.collect();
    let options = read_options(&parsed, filter)?;
    if parsed.has("inplace") {
        return in_place(call, files, &parsed, &options);
    }
    query(call, &files, &parsed, &options)
}

/// Write the result of the first of `files` back to it.
fn in_place(call: &mut Call<'_>, files: Vec<String>, parsed: &Parsed, options: &Options) -> Result<Status> {
    let name = files.into_iter().next().unwrap_or("-".to_string());
    let failed = |why: FsError| Error::failed(format!("{name}: {why}"));
    call.open_to_write(&name, Opening::Over).map_err(failed)?;
    let (whole, written) = Output::capture();
    let stdout = mem::replace(&mut call.stdout, whole);
    let status = query(call, std::slice::from_ref(&name), parsed, options).and_then(|status| {
        call.stdout.flush()?;
        Ok(status)
    });
    call.stdout = stdout;
    let status = status?;
    if status.is_ok() {
        let text = written.take();
        call.memory.take(text.len())?;
        let mut file = call.create(&name).map_err(failed)?;
        file.write_all(&text)?;
        file.flush()?;
    }
    Ok(status)
}

/// Print what the filter makes of each of `files`.
fn query(call: &mut Call<'_>, files: &[String], parsed: &Parsed, options: &Options) -> Result<Status> {
    let null = parsed.has("null");
    let mut last = None;
    let mut status = Status::OK;
    if null {
        status = evaluate(call, options, "null", &mut last)?;
    } else {
        let mut printed = false;
        let answer = call.each_input(files, |call, name, input| {
            let mut bytes = Vec::new();
            input.read_to_end(&mut bytes)?;
            call.memory.take(bytes.len())?;
            let text = String::from_utf8_lossy(&bytes);
            let text = if options.front_matter { front_matter(&text) } else { &text };
            let documents = match read::documents(text, &mut call.memory)? {
                Ok(documents) => documents,
                Err(mistake) => {
                    call.warn(format_args!("bad file '{}': yaml: {mistake}", quoted_if_odd(name)))?;
                    status = Status::FAILURE;
                    return Ok(());
                }
            };
            for document in &documents {
                if mem::replace(&mut printed, true) && options.separators && !options.json {
                    call.stdout.write_all(b"---\n")?;
                }
                let answer = evaluate(call, options, document, &mut last)?;
                if !answer.is_ok() {
                    status = answer;
                }
            }
            call.memory.give(bytes.len() + documents.iter().map(String::len).sum::<usize>());
            Ok(())
        })?;
        if !answer.is_ok() {
            status = answer;
        }
    }
    if status.is_ok() && parsed.has("exit-status") && last != Some(true) {
        return Err(Error::failed("no matches found"));
    }
    Ok(status)
}

fn read_options(parsed: &Parsed, filter: String) -> Result<Options> {
    // `-o=json` is how its manual writes it.
    let value = |key: &str| parsed.value(key).map(|value| value.strip_prefix('=').unwrap_or(value));
    let is_json = |key: &str, formats: &[&str]| match value(key) {
        None | Some("yaml" | "y") => Ok(false),
        Some("json" | "j") => Ok(true),
        Some(format) if formats.contains(&format) => Ok(false),
        Some(format) => Err(Error::failed(format!("unknown format '{format}' please use [yaml|json]"))),
    };
    // JSON is YAML.
    is_json("input", &["auto", "a"])?;
    let json = is_json("output", &["auto", "a"])? || parsed.has("json");
    let indent = value("indent").unwrap_or("2");
    if !matches!(indent.parse::<u8>(), Ok(0..=7)) {
        return Err(Error::failed(format!("invalid indent '{indent}'; it must be 0 to 7")));
    }
    let front_matter = match value("front-matter") {
        None => false,
        Some("extract") => true,
        Some(action) => return Err(Error::failed(format!("front matter action '{action}' is not supported"))),
    };
    let raw = match parsed.has("raw") {
        true => value("raw") != Some("false"),
        false => !json,
    };
    Ok(Options { json, indent: indent.to_string(), raw, front_matter, separators: !parsed.has("no-doc"), filter })
}

/// The lines between the `---` that a page begins with and the next.
fn front_matter(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("---\n").or(text.strip_prefix("---\r\n")) else { return text };
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            break;
        }
        end += line.len();
    }
    &rest[..end]
}

/// Run the filter over one document, and print what comes out. `last` is whether that was neither null nor false.
fn evaluate(call: &mut Call<'_>, options: &Options, document: &str, last: &mut Option<bool>) -> Result<Status> {
    let mut words = vec!["jq".to_string(), "-M".to_string()];
    match options.json {
        true if options.indent == "0" => words.push("-c".to_string()),
        true => words.extend(["--indent".to_string(), options.indent.clone()]),
        false => words.push("-c".to_string()),
    }
    if options.json && options.raw {
        words.push("-r".to_string());
    }
    words.push(options.filter.clone());
    call.stdout.flush()?;
    let (stdout, found) = Output::capture();
    let stdin = Input::bytes(document.as_bytes().to_vec());
    let io = Stdio { stdin, stdout, stderr: call.stderr.clone() };
    let status = call.shell.run(&words, io, &mut call.session.of_child(), &call.cancel);
    call.cancel.check()?;
    let found = found.take();
    call.memory.take(found.len())?;
    if options.json {
        call.stdout.write_all(&found)?;
    }
    // What jq writes is JSON unless it was asked for bare strings.
    for line in found.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        *last = Some(!matches!(line, b"null" | b"false"));
        if !options.json {
            let yaml = write::document(line, options.raw);
            call.stdout.write_all(yaml.as_bytes())?;
        }
    }
    call.memory.give(found.len());
    Ok(if status.is_ok() { status } else { Status::FAILURE })
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    const TREE: &[(&str, &str)] = &[
        (
            "site.yaml",
            "name: Acme # ours\nversion: 1.10\ntags: [a, \"true\"]\nnested:\n  text: |\n    one\n    two\n  empty: {}\n",
        ),
        ("page.md", "---\ntitle: Tokens\n---\n# Text\n"),
        ("bad.yaml", "a: [1\n"),
    ];

    #[test]
    fn yaml_comes_out_of_yaml() {
        check(
            TREE,
            "yq . site.yaml",
            expect![[r#"
            name: Acme
            version: 1.10
            tags:
              - a
              - "true"
            nested:
              text: |
                one
                two
              empty: {}
        "#]],
        );
        check(
            TREE,
            "yq '.name, .version, .tags' site.yaml",
            expect![[r#"
            Acme
            1.10
            - a
            - "true"
        "#]],
        );
        check(
            TREE,
            "yq eval '.nested.text' site.yaml",
            expect![[r#"
            one
            two

        "#]],
        );
    }

    #[test]
    fn json_when_it_is_asked_for() {
        check(
            TREE,
            "yq -o json -I0 . site.yaml",
            expect![[r#"
            {"name":"Acme","version":1.10,"tags":["a","true"],"nested":{"text":"one\ntwo\n","empty":{}}}
        "#]],
        );
        check(
            TREE,
            "yq -o=json '.tags' site.yaml",
            expect![[r#"
                [
                  "a",
                  "true"
                ]
            "#]],
        );
        check_with_stdin(
            &[],
            "yq -p json .a",
            "{\"a\": {\"b\": [1, null]}}",
            expect![[r#"
            b:
              - 1
              - null
        "#]],
        );
    }

    #[test]
    fn documents_are_taken_one_by_one() {
        check_with_stdin(
            &[],
            "yq .a",
            "a: 1\n---\na: &x [2]\nb: *x\n",
            expect![[r#"
            1
            ---
            - 2
        "#]],
        );
        check(
            TREE,
            "yq --front-matter=extract .title page.md",
            expect![[r#"
            Tokens
        "#]],
        );
    }

    #[test]
    fn what_goes_wrong_is_said() {
        check(
            TREE,
            "yq . bad.yaml nosuch",
            expect![[r#"
            [stderr]
            yq: bad file 'bad.yaml': yaml: while parsing a flow sequence, expected ',' or ']' at byte 6 line 2 column 1
            yq: nosuch: No such file or directory
            [status 1]
        "#]],
        );
        check(
            TREE,
            "yq -e .nosuch site.yaml",
            expect![[r#"
            null
            [stderr]
            yq: no matches found
            [status 1]
        "#]],
        );
        check(
            TREE,
            "yq -i '.a = 1' site.yaml",
            expect![[r#"
            [stderr]
            yq: site.yaml: Read-only file system
            [status 1]
        "#]],
        );
    }
}
