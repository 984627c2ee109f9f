//! Who sees what: access classes, and the visitors they are tested against.
//!
//! The distinct access rules of a site are few. Each is interned once as a class; a session is the set of classes that
//! its visitor may see, so that starting one costs the number of classes and checking a page is a bit test.
//! Who may not see a page sees nothing of it: everything in `site/` asks [`Visible`] before it answers.
use std::collections::{BTreeSet, HashMap};

/// Who looks at the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visitor {
    /// No token.
    Anonymous,
    /// A valid token, and the groups that it names (perhaps none).
    SignedIn {
        /// Group names, matched exactly.
        groups: BTreeSet<String>,
    },
}

impl Visitor {
    /// Signed in, and a member of `groups`.
    pub fn member<S: Into<String>>(groups: impl IntoIterator<Item = S>) -> Visitor {
        Visitor::SignedIn { groups: groups.into_iter().map(Into::into).collect() }
    }

    /// What `--as` says: `anonymous`, `signed-in`, or `groups:a,b`.
    pub fn named(text: &str) -> Option<Visitor> {
        match text {
            "anonymous" => Some(Visitor::Anonymous),
            "signed-in" => Some(Visitor::member::<String>([])),
            _ => {
                let groups = text.strip_prefix("groups:")?;
                let groups: Vec<&str> = groups.split(',').map(str::trim).filter(|group| !group.is_empty()).collect();
                (!groups.is_empty()).then(|| Visitor::member(groups))
            }
        }
    }

    /// Whether this visitor may see a page of the class.
    pub fn sees(&self, class: &Class) -> bool {
        match (self, class) {
            (_, Class::Public) => true,
            (_, Class::Nobody) | (Visitor::Anonymous, _) => false,
            (Visitor::SignedIn { .. }, Class::SignedIn) => true,
            (Visitor::SignedIn { groups }, Class::Groups(allowed)) => allowed.iter().any(|name| groups.contains(name)),
        }
    }
}

/// What a visitor may see, in the words of a store's records: for stores that are told who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asker {
    /// What is public.
    Anonymous,
    /// That, what is for everybody who signed in, and what is for one of these groups.
    SignedIn {
        /// The visitor's groups.
        held: Vec<String>,
        /// All others that the site speaks of.
        other: Vec<String>,
    },
}

/// One distinct access rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// `isPublic: true` and no groups.
    Public,
    /// Neither public nor for groups: everybody who signed in.
    SignedIn,
    /// Signed in, and a member of one of these groups, sorted.
    Groups(Box<[String]>),
    /// The rule is wrongly written: invisible to everybody.
    Nobody,
}

impl Class {
    /// The rule of a page that says `isPublic` and `groups`.
    pub fn of(is_public: bool, groups: impl IntoIterator<Item = String>) -> Class {
        let mut groups: Vec<String> = groups.into_iter().collect();
        groups.sort_unstable();
        groups.dedup();
        match (groups.is_empty(), is_public) {
            (false, _) => Class::Groups(groups.into()),
            (true, true) => Class::Public,
            (true, false) => Class::SignedIn,
        }
    }
}

/// The number of a class in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u16);

/// The classes of a tree, each once.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    all: Vec<Class>,
    ids: HashMap<Class, ClassId>,
}

impl Classes {
    /// The number of `class`; `None` past 65,536 distinct rules.
    pub fn intern(&mut self, class: Class) -> Option<ClassId> {
        // Most pages have the rule of the page before, and many a site has only one.
        if self.all.last() == Some(&class) {
            return Some(ClassId(self.all.len() as u16 - 1));
        }
        if let Some(&id) = self.ids.get(&class) {
            return Some(id);
        }
        let id = ClassId(u16::try_from(self.all.len()).ok()?);
        self.all.push(class.clone());
        self.ids.insert(class, id);
        Some(id)
    }

    /// Every class, in the order of its number.
    pub fn all(&self) -> &[Class] {
        &self.all
    }

    /// What `visitor` may see, as a store is told.
    pub fn asker(&self, visitor: &Visitor) -> Asker {
        let Visitor::SignedIn { groups } = visitor else { return Asker::Anonymous };
        let named = self.all.iter().filter_map(|class| match class {
            Class::Groups(groups) => Some(groups.iter()),
            Class::Public | Class::SignedIn | Class::Nobody => None,
        });
        let other: BTreeSet<&String> = named.flatten().filter(|name| !groups.contains(*name)).collect();
        Asker::SignedIn { held: groups.iter().cloned().collect(), other: other.into_iter().cloned().collect() }
    }

    /// Which of them `visitor` may see.
    pub fn visible(&self, visitor: &Visitor) -> Visible {
        let mut words = vec![0u64; self.all.len().div_ceil(64)];
        for (at, class) in self.all.iter().enumerate() {
            words[at / 64] |= u64::from(visitor.sees(class)) << (at % 64);
        }
        Visible(words.into())
    }
}

/// The classes that a session may see.
#[derive(Clone, Debug)]
pub struct Visible(Box<[u64]>);

impl Visible {
    /// Whether pages of this class exist for the session.
    pub fn has(&self, class: ClassId) -> bool {
        let at = usize::from(class.0);
        self.0.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of access: three kinds of visitor, and every way a page may be marked.
    #[test]
    fn who_sees_what() {
        let visitors = [
            Visitor::Anonymous,
            Visitor::member::<String>([]),
            Visitor::member(["eng"]),
            Visitor::member(["ops", "billing"]),
        ];
        let groups = |names: &[&str]| names.iter().map(|&name| name.to_string()).collect::<Vec<_>>();
        let rows = [
            (Class::of(true, []), [true, true, true, true]),
            (Class::of(false, []), [false, true, true, true]),
            (Class::of(true, groups(&["eng"])), [false, false, true, false]),
            (Class::of(false, groups(&["eng"])), [false, false, true, false]),
            (Class::of(false, groups(&["billing", "eng"])), [false, false, true, true]),
            (Class::of(true, groups(&["Eng"])), [false, false, false, false]),
            (Class::Nobody, [false, false, false, false]),
        ];
        let mut classes = Classes::default();
        for (class, expected) in rows {
            let id = classes.intern(class.clone()).unwrap();
            let seen = visitors.each_ref().map(|visitor| classes.visible(visitor).has(id));
            assert_eq!(seen, expected, "{class:?}");
        }
    }

    #[test]
    fn a_rule_is_one_class_however_it_is_written() {
        let mut classes = Classes::default();
        let first = classes.intern(Class::of(true, ["b".into(), "a".into()]));
        let second = classes.intern(Class::of(false, ["a".into(), "b".into(), "a".into()]));
        assert_eq!(first, second);
    }

    #[test]
    fn visitors_by_name() {
        assert_eq!(Visitor::named("anonymous"), Some(Visitor::Anonymous));
        assert_eq!(Visitor::named("signed-in"), Some(Visitor::member::<String>([])));
        assert_eq!(Visitor::named("groups:a, b"), Some(Visitor::member(["a", "b"])));
        assert_eq!(Visitor::named("groups:"), None);
        assert_eq!(Visitor::named("owner"), None);
    }

    #[test]
    fn more_than_a_word_of_classes() {
        let mut classes = Classes::default();
        let ids: Vec<ClassId> =
            (0..200).map(|n| classes.intern(Class::of(false, [format!("g{n}")])).unwrap()).collect();
        let visible = classes.visible(&Visitor::member(["g130"]));
        assert_eq!(ids.iter().filter(|&&id| visible.has(id)).copied().collect::<Vec<_>>(), [ClassId(130)]);
    }
}
