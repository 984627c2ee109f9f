//! The build script: writes the bundled site, `fixtures/acme`, down as a table of pages for `store/memory/bundled.rs`,
//! read by the same rules as `docsh ingest`.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a build script reads files, asks the compiler, talks to cargo on stdout, and may panic"
)]
#![allow(dead_code, unreachable_pub, reason = "the shared files offer more than the build needs")]
#[path = "folder.rs"]
mod folder;
#[path = "frontmatter.rs"]
mod frontmatter;
#[path = "../timestamp.rs"]
mod timestamp;
#[path = "../yaml.rs"]
mod yaml;

use std::{env, fmt::Write, fs, path::Path, process::Command};

/// Link the binary where it will run. A position-independent one has 25,000 addresses to mend at each start, which
/// touches most of its data: half a millisecond, as much as all else that a start does.
fn link_at_a_fixed_address() {
    if is_dynamic_gnu_linux() {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// Take what unwinds the stack into the binary. As a library of its own it costs each start its loading, and asks the
/// processor for its features, which a virtual machine answers slowly: a tenth of a millisecond together.
///
/// rustc names the library `gcc_s`; a folder of ours, which linkers look into first, says that this is `libgcc_eh.a`.
/// Where the C compiler has no such archive nothing is changed.
fn link_the_unwinder_into_the_binary(out: &Path) {
    let is_native = env::var("TARGET").ok() == env::var("HOST").ok();
    if !is_dynamic_gnu_linux() || !is_native {
        return;
    }
    println!("cargo::rerun-if-env-changed=CC");
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    let Ok(answer) = Command::new(compiler).arg("-print-file-name=libgcc_eh.a").output() else { return };
    let archive = String::from_utf8_lossy(&answer.stdout).trim().to_string();
    // A compiler that does not know the file answers with its bare name.
    if Path::new(&archive).is_absolute() && Path::new(&archive).is_file() {
        let folder = out.join("unwinder");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("libgcc_s.so"), format!("INPUT({archive})\n")).unwrap();
        println!("cargo::rustc-link-search=native={}", folder.display());
    }
}

/// Whether the binary is for Linux with glibc, and loads its libraries when it starts.
fn is_dynamic_gnu_linux() -> bool {
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let is_static = target("FEATURE").split(',').any(|feature| feature == "crt-static");
    target("OS") == "linux" && target("ENV") == "gnu" && !is_static
}

fn main() {
    let out = env::var("OUT_DIR").unwrap();
    let out = Path::new(&out);
    link_at_a_fixed_address();
    link_the_unwinder_into_the_binary(out);
    let manifest = env::var("CARGO_MANIFEST_DIR").unwrap();
    let dir = Path::new(&manifest).join("fixtures/acme");
    println!("cargo::rerun-if-changed=fixtures/acme");
    println!("cargo::rerun-if-changed=src/ingest/bundle.rs");
    println!("cargo::rerun-if-changed=src/ingest/folder.rs");
    println!("cargo::rerun-if-changed=src/ingest/frontmatter.rs");
    println!("cargo::rerun-if-changed=src/timestamp.rs");
    println!("cargo::rerun-if-changed=src/yaml.rs");
    let (found, faults) = folder::walk(&dir, folder::Choice::default()).unwrap();
    assert!(faults.is_empty(), "{faults:?}");
    // Where the pages are is asked when the table is compiled: a checkout may have moved since.
    let mut table = String::from(
        "macro_rules! body {\n    ($path:literal) => { include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/\", $path)) };\n}\n\
         static PAGES: &[Bundled] = &[\n",
    );
    for file in found {
        let Ok(text) = fs::read_to_string(&file.path) else { continue };
        let front = frontmatter::Frontmatter::of(&file.slug, &text);
        if front.hidden || front.draft || front.fault.is_some() {
            continue;
        }
        writeln!(
            table,
            "    Bundled {{ slug: {:?}, title: {:?}, is_public: {}, groups: &{:?}, mtime: {:?}, view: {}, body: body!({:?}) }},",
            file.slug,
            front.title(None),
            front.public.unwrap_or(true),
            front.groups,
            front.updated,
            frontmatter::is_view(&file.slug, &text),
            file.path.strip_prefix(&manifest).unwrap().to_str().unwrap(),
        )
        .unwrap();
    }
    table.push_str("];\n");
    fs::write(out.join("bundled.rs"), table).unwrap();
}
