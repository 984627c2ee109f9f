//! Random regular expressions that every release of GNU's tools reads alike, and that often match something.

/// How a pattern is written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Dialect {
    Basic,
    Extended,
}

/// Words of the example site, and pieces of its markup.
const WORDS: &[&str] = &[
    "token", "API", "api", "key", "error", "Error", "the", "a", "an", "Acme", "invoice", "project", "id", "401", "20",
    "user", "http", "https", "title", "rate", "limit", "OAuth", "scope", "e", "in", "or", "on", "event", "webhook",
    "-", "#", "`", ":", "json", "é", "認証", "→", "=", "\"", "type", "string", "name", "get", "GET", "200", "00", "s",
    "ing",
];

const CLASSES: &[&str] = &[
    "[a-z]",
    "[A-Z]",
    "[0-9]",
    "[^a-z]",
    "[^ ]",
    "[aeiou]",
    "[[:alpha:]]",
    "[[:digit:]]",
    "[[:space:]]",
    "[[:upper:]]",
    "[[:punct:]]",
    "[^[:alnum:]]",
    "[]a]",
    "[^]b]",
    "[a-]",
    "[[:alnum:]_]",
    "[é-]",
    "[A-Za-z0-9_]",
    "[\\w]",
];

/// A literal: what the site holds here and there.
pub(super) fn word(random: &mut fastrand::Rng) -> &'static str {
    WORDS[random.usize(..WORDS.len())]
}

/// A pattern of a few atoms.
pub(super) fn pattern(random: &mut fastrand::Rng, dialect: Dialect) -> String {
    if random.u8(..15) == 0 {
        return repeated(random, dialect);
    }
    let mut text = String::new();
    if random.u8(..6) == 0 {
        text.push('^');
    }
    let branches = if random.u8(..5) == 0 { 2 } else { 1 };
    for branch in 0..branches {
        if branch > 0 {
            text += if dialect == Dialect::Basic { "\\|" } else { "|" };
        }
        for _ in 0..1 + random.usize(..2) {
            piece(random, dialect, &mut text, 0);
        }
    }
    if random.u8(..8) == 0 {
        text.push('$');
    }
    text
}

/// Something that comes twice. Only as simple as this: glibc itself misses matches where a back-reference stands beside
/// an alternative or after a group that may be empty.
fn repeated(random: &mut fastrand::Rng, dialect: Dialect) -> String {
    let what = ["[a-z]", ".", "[0-9]", "[a-z][a-z]", "[a-z]+", "[^ ]"][random.usize(..6)];
    let between = ["", "", ".", " ", "[a-z]"][random.usize(..5)];
    match dialect {
        Dialect::Basic => format!("\\({}\\){between}\\1", what.replace('+', "\\{1,\\}")),
        Dialect::Extended => format!("({what}){between}\\1"),
    }
}

/// A pattern for `-w`: words side by side. The real grep misses words where a match could be shorter or empty.
pub(super) fn word_pattern(random: &mut fastrand::Rng) -> String {
    let mut text = literal(word(random));
    for _ in 0..random.usize(..2) {
        text += [" ", ".", "[a-z]", "[^ ]"][random.usize(..4)];
        text += &literal(word(random));
    }
    text
}

fn piece(random: &mut fastrand::Rng, dialect: Dialect, text: &mut String, depth: u8) {
    match random.u8(..20) {
        0..9 => *text += &literal(word(random)),
        9..11 => text.push('.'),
        11..14 => *text += CLASSES[random.usize(..CLASSES.len())],
        14 => *text += ["\\w", "\\W", "\\s", "\\S"][random.usize(..4)],
        // Edges take no repetition.
        15 => return *text += ["\\b", "\\<", "\\>", "\\B"][random.usize(..4)],
        16..18 if depth < 2 => group(random, dialect, text, depth),
        _ => *text += &literal(&word(random).chars().take(1).collect::<String>()),
    }
    repetition(random, dialect, text);
}

fn group(random: &mut fastrand::Rng, dialect: Dialect, text: &mut String, depth: u8) {
    let (open, or, close) = if dialect == Dialect::Basic { ("\\(", "\\|", "\\)") } else { ("(", "|", ")") };
    *text += open;
    piece(random, dialect, text, depth + 1);
    if random.bool() {
        *text += or;
        piece(random, dialect, text, depth + 1);
    }
    *text += close;
}

fn repetition(random: &mut fastrand::Rng, dialect: Dialect, text: &mut String) {
    let basic = dialect == Dialect::Basic;
    *text += match random.u8(..16) {
        0 | 1 => "*",
        2 if basic => "\\+",
        2 => "+",
        3 if basic => "\\?",
        3 => "?",
        4 if basic => "\\{2\\}",
        4 => "{2}",
        5 if basic => "\\{1,3\\}",
        5 => "{1,3}",
        6 if basic => "\\{0,1\\}",
        6 => "{2,}",
        _ => "",
    };
}

/// A word as a pattern that matches it, in both dialects.
fn literal(word: &str) -> String {
    word.replace('.', "\\.").replace('*', "\\*")
}
