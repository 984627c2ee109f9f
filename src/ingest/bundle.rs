//! The build script: writes the bundled site, `fixtures/acme`, down as a table of pages for `store/memory/bundled.rs`,
//! read by the same rules as `docsh ingest`.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a build script reads files, talks to cargo on stdout, and may panic"
)]
#![allow(dead_code, unreachable_pub, reason = "the shared files offer more than the build needs")]
#[path = "folder.rs"]
mod folder;
#[path = "frontmatter.rs"]
mod frontmatter;
#[path = "../yaml.rs"]
mod yaml;

use std::{env, fmt::Write, fs, path::Path};

/// Link the binary where it will run. A position-independent one has 25,000 addresses to mend at each start, which
/// touches most of its data: half a millisecond, as much as all else that a start does.
fn link_at_a_fixed_address() {
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let is_static = target("FEATURE").split(',').any(|feature| feature == "crt-static");
    if target("OS") == "linux" && target("ENV") == "gnu" && !is_static {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

fn main() {
    link_at_a_fixed_address();
    let manifest = env::var("CARGO_MANIFEST_DIR").unwrap();
    let dir = Path::new(&manifest).join("fixtures/acme");
    println!("cargo::rerun-if-changed=fixtures/acme");
    println!("cargo::rerun-if-changed=src/ingest/bundle.rs");
    println!("cargo::rerun-if-changed=src/ingest/folder.rs");
    println!("cargo::rerun-if-changed=src/ingest/frontmatter.rs");
    println!("cargo::rerun-if-changed=src/yaml.rs");
    let (found, faults) = folder::walk(&dir, folder::Choice::default()).unwrap();
    assert!(faults.is_empty(), "{faults:?}");
    let mut table = String::from("static PAGES: &[Bundled] = &[\n");
    for file in found {
        let Ok(text) = fs::read_to_string(&file.path) else { continue };
        let front = frontmatter::Frontmatter::of(&file.slug, &text);
        if front.hidden || front.draft || front.fault.is_some() {
            continue;
        }
        writeln!(
            table,
            "    Bundled {{ slug: {:?}, title: {:?}, is_public: {}, groups: &{:?}, mtime: {:?}, view: {}, body: include_bytes!({:?}) }},",
            file.slug,
            front.title(None),
            front.public.unwrap_or(true),
            front.groups,
            front.updated,
            frontmatter::is_view(&file.slug, &text),
            file.path.to_str().unwrap(),
        )
        .unwrap();
    }
    table.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("bundled.rs"), table).unwrap();
}
