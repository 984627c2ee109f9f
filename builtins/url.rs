//! `url`: where a page is on the web. docsh's own: no other shell has pages with addresses. A heading may be named by
//! its anchor (`page#first-steps`) or by its text (`'page#First steps'`), and must be there.
use crate::{
    Builtin, Call, Error, Result, Status,
    args::{self, Order},
    quoted_if_odd,
};
use std::{
    collections::HashMap,
    io::{Read, Write},
};

pub(crate) static URL: Builtin = Builtin {
    name: "url",
    synopsis: "PAGE[#HEADING]...",
    about: "Print the address of each PAGE on the web.",
    options: &[],
    trouble: Status(1),
    run,
};

/// The page that stands for its folder.
const INDEX: [&str; 3] = ["index.mdx", "index.md", "README.md"];

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    let mut status = Status::OK;
    for operand in &parsed.operands {
        match address(call, operand)? {
            Ok(address) => writeln!(call.stdout, "{address}")?,
            Err(message) => {
                call.warn(format_args!("{}: {message}", quoted_if_odd(operand)))?;
                status = Status::FAILURE;
            }
        }
    }
    Ok(status)
}

/// An address, or why there is none.
type Answer = std::result::Result<String, String>;

/// The address of what `operand` names, or why it has none.
fn address(call: &mut Call<'_>, operand: &str) -> Result<Answer> {
    // A page may have a `#` in its name.
    let (page, heading) = match operand.rsplit_once('#') {
        Some((page, heading)) if call.stat(operand).is_err() => (page, Some(heading)),
        _ => (operand, None),
    };
    let meta = match call.stat(page) {
        Ok(meta) => meta,
        Err(error) => return Ok(Err(error.to_string())),
    };
    if meta.is_dir() {
        let index = INDEX.iter().map(|name| format!("{}/{name}", page.trim_end_matches('/')));
        let Some(index) = index.into_iter().find(|index| call.stat(index).is_ok()) else {
            return Ok(Err("Is a directory, and has no page of its own".to_string()));
        };
        let heading = heading.map(|heading| format!("#{heading}")).unwrap_or_default();
        return address(call, &format!("{index}{heading}"));
    }
    let about = call.resolve(page).and_then(|path| call.fs.about(&path));
    let Some(url) = about.map_err(|error| Error::Io(error.into()))?.url else {
        return Ok(Err("the site has no address on the web; its `base_url` is not set".to_string()));
    };
    let Some(heading) = heading else { return Ok(Ok(url)) };
    let mut text = Vec::new();
    match call.open(page) {
        Ok(mut input) => input.read_to_end(&mut text)?,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let anchor = anchors(&String::from_utf8_lossy(&text))
        .into_iter()
        .find(|(anchor, title)| anchor == heading || title == heading);
    Ok(anchor.map(|(anchor, _)| format!("{url}#{anchor}")).ok_or_else(|| format!("there is no heading {heading:?}")))
}

/// The headings of a page of Markdown: their anchors, as sites make them, and their text.
fn anchors(text: &str) -> Vec<(String, String)> {
    let (mut anchors, mut seen, mut fenced) = (Vec::new(), HashMap::new(), false);
    for line in text.lines() {
        let bare = line.trim_start();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            fenced = !fenced;
        }
        let marks = line.bytes().take_while(|byte| *byte == b'#').count();
        if fenced || !(1..=6).contains(&marks) || !line[marks..].starts_with(' ') {
            continue;
        }
        let title = match line[marks..].trim().rsplit_once(' ') {
            Some((title, end)) if end.bytes().all(|byte| byte == b'#') => title.trim_end(),
            _ => line[marks..].trim(),
        };
        // `## Title {#anchor}` names its anchor itself.
        let own = title.rsplit_once(" {#").and_then(|(title, id)| Some((title, id.strip_suffix('}')?)));
        let (title, anchor) = own.map_or_else(|| (title, slug(title)), |(title, id)| (title, id.to_string()));
        let count = seen.entry(anchor.clone()).and_modify(|count| *count += 1).or_insert(0);
        let anchor = if *count == 0 { anchor } else { format!("{anchor}-{count}") };
        anchors.push((anchor, title.to_string()));
    }
    anchors
}

/// A title as GitHub, and what follows it, makes an anchor of it.
fn slug(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn headings_have_anchors() {
        let text = "# The `x` API!\n## Set-up\n```sh\n# no heading\n```\n## Set-up ##\n## Ende für alle {#end}\n#no\n";
        let found = anchors(text);
        let found: Vec<(&str, &str)> = found.iter().map(|(anchor, title)| (anchor.as_str(), title.as_str())).collect();
        let expected =
            [("the-x-api", "The `x` API!"), ("set-up", "Set-up"), ("set-up-1", "Set-up"), ("end", "Ende für alle")];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_has_no_address_is_told() {
        check(
            &[("a/b.md", "# B\n"), ("c.md", "")],
            "url c.md nosuch a nosuch#x",
            expect![[r"
            [stderr]
            url: c.md: the site has no address on the web; its `base_url` is not set
            url: nosuch: No such file or directory
            url: a: Is a directory, and has no page of its own
            url: nosuch#x: No such file or directory
            [status 1]
        "]],
        );
        check(
            &[],
            "url",
            expect![[r"
            [stderr]
            url: missing operand
            Try 'url --help' for more information.
            [status 1]
        "]],
        );
    }
}
