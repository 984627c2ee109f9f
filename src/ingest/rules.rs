//! Rules of access in a file, for pages that do not say themselves who may see them: `--access-from rules.toml`.
//!
//! ```toml
//! [[rule]]
//! paths = ["internal/**"]
//! groups = ["admin"]
//!
//! [[rule]]
//! paths = ["**"]
//! public = true
//! ```
//!
//! The first rule whose `paths` match a page decides; `*` stays within a folder, `**` does not. A page that no rule
//! matches is nobody's business here.
use crate::tree::access::Class;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::Deserialize;

/// Rules, in their order.
pub struct AccessRules(Vec<(GlobSet, Class)>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    rule: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    paths: Vec<String>,
    public: Option<bool>,
    #[serde(default)]
    groups: Vec<String>,
}

impl AccessRules {
    /// The rules in the text of such a file, or what is wrong with it.
    pub fn parse(text: &str) -> Result<AccessRules, String> {
        let file: File = toml::from_str(text).map_err(|error| error.message().to_string())?;
        if file.rule.is_empty() {
            return Err("there is no [[rule]] in it".into());
        }
        file.rule.into_iter().map(Rule::read).collect::<Result<_, _>>().map(AccessRules)
    }

    /// Who may see the page with this path, if a rule says so.
    pub fn class(&self, path: &str) -> Option<&Class> {
        self.0.iter().find(|(paths, _)| paths.is_match(path)).map(|(_, class)| class)
    }
}

impl Rule {
    fn read(self) -> Result<(GlobSet, Class), String> {
        if self.public.is_none() && self.groups.is_empty() {
            return Err(format!("the rule for {:?} says neither `public` nor `groups`", self.paths));
        }
        let mut paths = GlobSetBuilder::new();
        for path in &self.paths {
            let glob = GlobBuilder::new(path.trim_start_matches('/')).literal_separator(true).build();
            paths.add(glob.map_err(|error| error.to_string())?);
        }
        let paths = paths.build().map_err(|error| error.to_string())?;
        Ok((paths, Class::of(self.public.unwrap_or(false), self.groups)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_matches_decides() {
        let rules = AccessRules::parse(
            "[[rule]]\npaths = [\"internal/**\", \"*.secret\"]\ngroups = [\"admin\"]\n\
             [[rule]]\npaths = [\"/staff/*\"]\npublic = false\n[[rule]]\npaths = [\"**\"]\npublic = true\n",
        )
        .unwrap_or_else(|error| panic!("{error}"));
        let admin = Class::of(false, ["admin".to_string()]);
        let rows = [
            ("internal/a/b.md", &admin),
            ("x.secret", &admin),
            ("a/x.secret", &Class::Public),
            ("staff/a.md", &Class::SignedIn),
            ("staff/a/b.md", &Class::Public),
        ];
        for (path, class) in rows {
            assert_eq!(rules.class(path), Some(class), "{path}");
        }
    }

    #[test]
    fn a_file_that_says_nothing_is_refused() {
        for text in [
            "",
            "[[rule]]\npaths = [\"a\"]\n",
            "[[rule]]\npath = \"a\"\n",
            "[[rule]]\npaths = [\"[\"]\npublic = true\n",
        ] {
            assert!(AccessRules::parse(text).is_err(), "{text}");
        }
        let only =
            AccessRules::parse("[[rule]]\npaths = [\"a\"]\npublic = true\n").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(only.class("b"), None);
    }
}
