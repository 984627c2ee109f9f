//! A site with something to hide in every place where it might show: beside a page of nearly the same name, alone in a
//! folder, as the newest or largest of its folder, in parts of an API description.
use docsh::{
    ingest::{self, Folder, Reading},
    site::Visitor,
    tree::access::Class,
};
use std::collections::BTreeMap;

/// One of the six visitors: the groups of its token, if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing(Option<&'static [&'static str]>);

impl Standing {
    /// Anonymous, signed in, three memberships, all groups.
    pub(super) fn all() -> [Standing; 6] {
        [None, Some(&[][..]), Some(&["eng"]), Some(&["billing"]), Some(&["partners", "Eng"]), Some(EVERY_GROUP)]
            .map(Standing)
    }

    pub(super) fn visitor(self) -> Visitor {
        match self.0 {
            None => Visitor::Anonymous,
            Some(groups) => Visitor::member(groups.iter().copied()),
        }
    }

    /// Whether a page with this rule exists for the visitor: the table of the contract, written once more.
    fn sees(self, rule: &str) -> bool {
        match rule {
            "public" => true,
            "signed-in" => self.0.is_some(),
            groups => self.0.is_some_and(|held| groups.split('|').any(|group| held.contains(&group))),
        }
    }
}

/// 2026-01-01, in seconds since the epoch.
const NEW_YEAR: i64 = 1_767_225_600;

const EVERY_GROUP: &[&str] = &["eng", "ops", "billing", "partners"];

/// Path, who may see it, last change as a day of 2026.
const PAGES: &[(&str, &str, i64)] = &[
    ("index.mdx", "public", 1),
    ("index.md", "billing", 8),
    ("guides/page.mdx", "partners", 31),
    ("guides/page.md", "public", 5),
    ("auth/index.mdx", "public", 2),
    // The page that `/auth/oauth` means for engineers, and the one for everybody else.
    ("auth/oauth.mdx", "eng", 31),
    ("auth/oauth.md", "public", 4),
    // The page that `/auth/keys` is, and the one it means where that does not exist.
    ("auth/keys", "billing", 32),
    ("auth/keys.mdx", "public", 5),
    ("auth/tokens.mdx", "public", 6),
    ("auth/tokens.mdx.md", "partners", 7),
    ("guides/start.md", "public", 9),
    ("guides/advanced.md", "signed-in", 59),
    ("guides/two words.md", "eng|ops", 60),
    ("guides/zz-last.md", "eng", 120),
    ("guides/deep/er/secret.mdx", "partners", 90),
    ("guides/deep/er/bill.mdx", "billing", 91),
    ("guides/deep-dive.md", "public", 10),
    ("guides.md", "eng", 11),
    ("internal/runbook.md", "signed-in", 40),
    ("internal/eng/one.md", "eng", 41),
    ("internal/eng/two.md", "eng|ops", 42),
    ("internal/billing/dunning.md", "billing", 43),
    ("internal/partners/list/2026/q1.md", "partners", 44),
    ("data/a.json", "eng", 19),
    ("data/b.csv", "billing", 20),
    ("data/run.sh", "partners", 21),
    ("data/words.txt", "public", 22),
    ("lib/vars.sh", "signed-in", 23),
    ("big/large.txt", "eng", 24),
    ("big/small.txt", "public", 25),
    ("日本/認証.md", "signed-in", 26),
    ("日本/概要.md", "public", 27),
    ("empty-for-most/only.md", "billing", 151),
];

/// The rules of an API description, one operation a line, so that hiding one is deleting its line.
const SPEC: &[(&str, &str)] = &[
    ("public", "{"),
    ("public", "  \"paths\": {"),
    ("public", "    \"/open\": {\"get\": {\"summary\": \"OPEN-PART\"}},"),
    ("eng", "    \"/eng\": {\"get\": {\"x-mint\": {\"groups\": [\"eng\"]}, \"summary\": \"ENG-PART\"}},"),
    ("billing", "    \"/bill\": {\"post\": {\"x-mint\": {\"groups\": [\"billing\"]}, \"summary\": \"BILL-PART\"}},"),
    ("partners", "    \"/deal\": {\"x-mint\": {\"groups\": [\"partners\"]}, \"get\": {\"summary\": \"DEAL-PART\"}},"),
    ("public", "    \"/last\": {\"get\": {\"summary\": \"LAST-PART\"}}"),
    ("public", "  }"),
    ("public", "}"),
];

/// Every page, with the text that a visitor who sees everything reads, and its rule.
fn pages() -> BTreeMap<String, (String, &'static str, i64)> {
    let mut pages: BTreeMap<String, _> =
        PAGES.iter().map(|&(path, rule, day)| (path.to_string(), (text(path, rule), rule, day))).collect();
    // Enough of them that a search pays, every fifth for somebody only.
    for n in 0..40 {
        let rule = if n % 5 == 0 { EVERY_GROUP[n / 5 % 4] } else { "public" };
        let path = format!("bulk/p{n:02}.md");
        pages.insert(path.clone(), (text(&path, rule), rule, 29));
    }
    pages
}

fn text(path: &str, rule: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    // No text here starts a pipeline when it is run, whose stages would complain in any order.
    let rule = rule.replace('|', "+");
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "json" => format!("{{\"name\": {name:?}, \"token\": [1, 2, 3], \"rule\": {rule:?}}}\n"),
        "csv" => "name,amount\nalpha,10\nbeta,20\ntoken,30\n".into(),
        "sh" => format!("RULE={rule}\necho ran {name}\n"),
        "txt" => "token words\nbanana\napple\n".repeat(if rule == "public" { 3 } else { 900 }),
        _ => format!(
            "---\ntitle: Of {name}\n---\n# {name}\n\nThe token of {rule}: WORD-{rule}.\n\nLast line of {path}\n"
        ),
    }
}

/// The whole site.
pub(super) fn whole() -> Folder {
    let spec: String = SPEC.iter().map(|(_, line)| format!("{line}\n")).collect();
    folder(pages(), &spec)
}

/// The site without what does not exist for this visitor.
pub(super) fn rest(standing: &Standing) -> Folder {
    let mut pages = pages();
    pages.retain(|_, (_, rule, _)| standing.sees(rule));
    let lines = SPEC.iter().filter(|(rule, _)| standing.sees(rule));
    let spec: String = lines.map(|(_, line)| format!("{line}\n")).collect();
    folder(pages, &spec)
}

fn folder(mut pages: BTreeMap<String, (String, &'static str, i64)>, spec: &str) -> Folder {
    pages.insert("api/spec.json".into(), (spec.to_string(), "public", 14));
    let files = pages.iter().map(|(path, (text, ..))| (path.as_str(), text.as_str()));
    let dir = crate::support::tree::literal(files);
    let mut folder = ingest::read(dir.path(), Reading::default()).unwrap();
    assert_eq!(folder.sources.len(), pages.len());
    for source in &mut folder.sources {
        let (_, rule, day) = &pages[&source.page.slug];
        source.page.class = match *rule {
            "public" => Class::Public,
            "signed-in" => Class::SignedIn,
            groups => Class::of(true, groups.split('|').map(str::to_string)),
        };
        source.updated = Some(NEW_YEAR + day * 24 * 3600);
        source.view |= source.page.slug == "api/spec.json";
    }
    folder
}
