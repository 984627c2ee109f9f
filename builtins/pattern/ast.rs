//! A POSIX pattern, parsed: what every engine and the search for needles are made from.
use regex_syntax::hir::ClassUnicode;

/// A pattern or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// Matches the empty string.
    Empty,
    /// This character.
    Char(char),
    /// Any character; of a newline the dialect and the caller decide.
    Any,
    /// A character of `class`, or one that is not. Negated last, since case is folded first.
    Set { class: ClassUnicode, negated: bool },
    /// A place.
    Look(Look),
    /// A group, counted from 1.
    Group(u32, Box<Node>),
    /// One after the other.
    Concat(Vec<Node>),
    /// One of them; the longest wins.
    Alternate(Vec<Node>),
    /// `min` to `max` times; no `max` is without end.
    Repeat { node: Box<Node>, min: u32, max: Option<u32> },
    /// What the group of that number has matched.
    BackReference(u32),
}

/// A place between characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// `^`
    LineStart,
    /// `$`
    LineEnd,
    /// `` \` ``
    TextStart,
    /// `\'`
    TextEnd,
    /// `\b`
    WordEdge,
    /// `\B`
    NotWordEdge,
    /// `\<`
    WordStart,
    /// `\>`
    WordEnd,
}

impl Look {
    /// Whether it is an edge of a word, or where none is.
    pub(super) fn is_edge(self) -> bool {
        matches!(self, Look::WordEdge | Look::NotWordEdge | Look::WordStart | Look::WordEnd)
    }
}

impl Node {
    /// Whether a back-reference is anywhere in it.
    pub(super) fn refers_back(&self) -> bool {
        self.any(&|node| matches!(node, Node::BackReference(_)))
    }

    /// Whether an edge of a word is anywhere in it.
    pub(super) fn has_edges(&self) -> bool {
        self.any(&|node| matches!(node, Node::Look(look) if look.is_edge()))
    }

    /// Whether this node, or any within it, `is` so.
    fn any(&self, is: &impl Fn(&Node) -> bool) -> bool {
        is(self)
            || match self {
                Node::Group(_, node) | Node::Repeat { node, .. } => node.any(is),
                Node::Concat(nodes) | Node::Alternate(nodes) => nodes.iter().any(|node| node.any(is)),
                _ => false,
            }
    }

    /// The group of that number.
    pub(super) fn group(&self, number: u32) -> Option<&Node> {
        match self {
            Node::Group(n, node) if *n == number => Some(node),
            Node::Group(_, node) | Node::Repeat { node, .. } => node.group(number),
            Node::Concat(nodes) | Node::Alternate(nodes) => nodes.iter().find_map(|node| node.group(number)),
            _ => None,
        }
    }
}
