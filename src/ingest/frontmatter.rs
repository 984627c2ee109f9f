//! What a page says of itself: in the YAML between `---` lines at its top, or in the extensions of an API description.
//! The build script reads it too, so this file names nothing else of the crate but `timestamp` and `yaml`.
//!
//! What cannot be parsed, or has the wrong type where it decides who may see the page, hides the page: an author's slip
//! must never publish anything.
use crate::timestamp::seconds;
use saphyr::{Scalar, Yaml};

/// The fields that docsh knows, and the page's first heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontmatter {
    /// `title`.
    pub title: Option<String>,
    /// `sidebarTitle` or `sidebar_label`: what the navigation calls the page.
    pub label: Option<String>,
    /// The first heading of the first level.
    pub heading: Option<String>,
    /// `public`.
    pub public: Option<bool>,
    /// `groups`.
    pub groups: Vec<String>,
    /// `hidden`, `noindex`, `unlisted`, or `searchable: false`: out of the site unless asked for.
    pub hidden: bool,
    /// `draft`: not to be published yet.
    pub draft: bool,
    /// `id`: the last part of the name that Docusaurus's sidebars use.
    pub id: Option<String>,
    /// `slug`: where Docusaurus publishes the page.
    pub slug: Option<String>,
    /// `sidebar_position`, in thousandths: where Docusaurus puts the page in its folder.
    pub position: Option<i64>,
    /// `openapi`: the operation that Mintlify shows on the page, `[FILE] METHOD PATH`.
    pub openapi: Option<String>,
    /// `updated` or `date`, in seconds since the epoch.
    pub updated: Option<i64>,
    /// Why nobody may see the page.
    pub fault: Option<String>,
}

impl Frontmatter {
    /// The frontmatter of the page called `slug`, if it is of a kind that has any: Markdown.
    pub fn of(slug: &str, text: &str) -> Frontmatter {
        let extension = slug.rsplit_once('.').map_or("", |(_, extension)| extension);
        if !matches!(extension.to_ascii_lowercase().as_str(), "md" | "mdx" | "markdown") {
            return Frontmatter::default();
        }
        match block(text) {
            Ok(None) => Frontmatter { heading: heading(text), ..Frontmatter::default() },
            Ok(Some((yaml, rest))) => Frontmatter { heading: heading(rest), ..Frontmatter::parse(yaml) },
            Err(fault) => Frontmatter { fault: Some(fault.to_string()), ..Frontmatter::default() },
        }
    }

    /// What the page is called: by itself, by its navigation (`named`), or by its first heading.
    pub fn title(&self, named: Option<&str>) -> Option<String> {
        let own = [&self.title, &self.label].into_iter().flatten().next().map(String::as_str);
        own.or(named).or(self.heading.as_deref()).map(str::to_string)
    }

    fn parse(yaml: &str) -> Frontmatter {
        let mut front = Frontmatter::default();
        let documents = match crate::yaml::load(yaml) {
            Ok(documents) => documents,
            Err(error) => {
                front.fault = Some(format!("its frontmatter cannot be parsed: {error}"));
                return front;
            }
        };
        let fields = match documents.as_slice() {
            [] | [Yaml::Value(Scalar::Null)] => return front,
            [Yaml::Mapping(fields)] => fields,
            _ => {
                front.fault = Some("its frontmatter is not a list of `key: value`".into());
                return front;
            }
        };
        let mut dates = [None, None];
        for (key, value) in fields {
            match key.as_str() {
                Some("title") => front.title = word(value),
                Some("sidebarTitle" | "sidebar_label") => front.label = word(value),
                Some("id") => front.id = word(value),
                Some("slug") => front.slug = word(value),
                Some("openapi") => front.openapi = word(value),
                Some("sidebar_position") => {
                    let number = value.as_integer().map(|number| number as f64).or(value.as_floating_point());
                    front.position = number.map(|number| (number * 1000.0) as i64);
                }
                Some("public") => match value.as_bool() {
                    Some(public) => front.public = Some(public),
                    None => front.fault = Some("`public` is neither true nor false".into()),
                },
                Some("groups") => match names(value) {
                    Some(groups) => front.groups = groups,
                    None => front.fault = Some("`groups` is not a list of names".into()),
                },
                Some("hidden" | "noindex" | "unlisted") => front.hidden |= value.as_bool() != Some(false),
                Some("draft") => front.draft |= value.as_bool() != Some(false),
                Some("searchable") => front.hidden |= value.as_bool() != Some(true),
                Some("updated") => dates[0] = value.as_str().and_then(seconds),
                Some("date") => dates[1] = value.as_str().and_then(seconds),
                _ => {}
            }
        }
        front.updated = dates[0].or(dates[1]);
        front
    }

    /// Whether the page is public where `default` is what pages are that say nothing; `None` when nobody may see it.
    pub fn is_public(&self, default: bool) -> Option<bool> {
        match self.fault {
            None => Some(self.public.unwrap_or(default)),
            Some(_) => None,
        }
    }
}

/// Whether a file may describe an API with parts for some visitors only.
pub fn is_view(slug: &str, text: &str) -> bool {
    [".json", ".yaml", ".yml"].iter().any(|suffix| slug.ends_with(suffix)) && text.contains("x-mint")
}

/// The text between the first line `---` and the next one, and what follows.
fn block(text: &str) -> Result<Option<(&str, &str)>, &'static str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return Ok(None);
    };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Ok(Some((&rest[..at], &rest[at + line.len()..])));
        }
        at += line.len();
    }
    Err("its frontmatter has no end")
}

/// The first heading of the first level, as Markdown writes it with `#`.
fn heading(text: &str) -> Option<String> {
    let mut fenced = false;
    for line in text.trim_start_matches('\u{feff}').lines() {
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
        } else if let Some(heading) = line.strip_prefix("# ").filter(|_| !fenced) {
            // Without closing `#`s, and without the `{#anchor}` of Docusaurus and MkDocs.
            let heading = heading.split(" {#").next().unwrap_or(heading);
            let heading = match heading.trim().rsplit_once(' ') {
                Some((heading, marks)) if marks.bytes().all(|byte| byte == b'#') => heading.trim_end(),
                _ => heading.trim(),
            };
            return (!heading.is_empty()).then(|| heading.to_string());
        }
    }
    None
}

/// A scalar as text.
fn word(value: &Yaml<'_>) -> Option<String> {
    value.as_str().map(str::to_string).or_else(|| value.as_integer().map(|number| number.to_string()))
}

fn names(value: &Yaml<'_>) -> Option<Vec<String>> {
    let Yaml::Sequence(list) = value else { return None };
    list.iter().map(|name| name.as_str().map(str::to_string)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(yaml: &str) -> Frontmatter {
        Frontmatter::of("a.mdx", &format!("---\n{yaml}\n---\n# Text\n"))
    }

    #[test]
    fn fields_are_read() {
        let read =
            front("title: \"A: b\"\npublic: false\ngroups: [\"eng\", ops]\nupdated: 2026-01-15\nother: {x: [1]}");
        let expected = Frontmatter {
            title: Some("A: b".into()),
            public: Some(false),
            groups: vec!["eng".into(), "ops".into()],
            updated: Some(1_768_435_200),
            heading: Some("Text".into()),
            ..Frontmatter::default()
        };
        assert_eq!(read, expected);
        assert_eq!(front("date: 2026-01-15T01:00:00+01:00").updated, Some(1_768_435_200));
    }

    #[test]
    fn most_pages_have_none() {
        for text in ["", "## Title\n", "--- \nno", "----\na: b\n----\n"] {
            assert_eq!(Frontmatter::of("a.md", text), Frontmatter::default(), "{text:?}");
        }
        assert_eq!(Frontmatter::of("spec.yaml", "---\npublic: 7\n"), Frontmatter::default());
    }

    #[test]
    fn a_slip_hides_the_page() {
        let rows = [
            "public: yes please",
            "public: \"true\"",
            "public:",
            "groups: eng",
            "groups: [1]",
            "groups:",
            "groups: {a: b}",
            "groups: [\"a\"\npublic: : maybe",
            "- a",
            "just text",
            "public: true\npublic: false",
        ];
        for yaml in rows {
            assert_eq!(front(yaml).is_public(true), None, "{yaml}");
        }
        assert_eq!(Frontmatter::of("a.md", "---\ntitle: x\n").is_public(true), None);
    }

    #[test]
    fn a_page_is_called_by_itself_by_its_navigation_or_by_its_heading() {
        let title = |text: &str, named| Frontmatter::of("a.md", text).title(named);
        assert_eq!(title("---\ntitle: 2026\nsidebar_label: b\n---\n# H\n", Some("n")).as_deref(), Some("2026"));
        assert_eq!(title("---\nsidebarTitle: b\n---\n# H\n", Some("n")).as_deref(), Some("b"));
        assert_eq!(title("# H\n", Some("n")).as_deref(), Some("n"));
        let headings = [
            ("text\n\n# H #\n", Some("H")),
            ("# More C# {#csharp}\n", Some("More C#")),
            ("```sh\n# comment\n```\n# H\n", Some("H")),
            ("#no\n## H\n", None),
        ];
        for (text, heading) in headings {
            assert_eq!(title(text, None).as_deref(), heading, "{text}");
        }
    }

    #[test]
    fn hidden_pages_are_told_in_four_ways() {
        for yaml in ["hidden: true", "noindex: true", "unlisted: true", "searchable: false", "hidden: \"yes\""] {
            assert!(front(yaml).hidden, "{yaml}");
        }
        assert!(front("draft: true").draft && front("draft: maybe").draft && !front("draft: false").draft);
        for yaml in ["hidden: false", "noindex: false\nsearchable: true", "title: hidden"] {
            assert!(!front(yaml).hidden, "{yaml}");
        }
    }

    #[test]
    fn windows_lines_and_marks_are_fine() {
        let read = Frontmatter::of("a.md", "\u{feff}---\r\ntitle: T\r\npublic: false\r\n---\r\ntext");
        assert_eq!((read.title.as_deref(), read.is_public(true)), (Some("T"), Some(false)));
    }
}
