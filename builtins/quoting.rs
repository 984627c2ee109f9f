//! Names in quotes, in the styles of GNU's `--quoting-style`: what `ls`, `stat`, `du` and messages print.

/// A quoting style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// As it is.
    Literal,
    /// Shell quotes where the shell would need them.
    Shell,
    /// Shell quotes always.
    ShellAlways,
    /// Shell quotes where needed, control characters as `$'\t'`.
    ShellEscape,
    /// Shell quotes always, control characters as `$'\t'`.
    ShellEscapeAlways,
    /// A C string.
    C,
    /// A C string where one is needed.
    CMaybe,
    /// A C string without its quotes; blanks are escaped.
    Escape,
    /// ‘x’, escaped as in C.
    Locale,
}

impl Quoting {
    /// Every style by its name.
    pub const NAMES: &[(&str, Quoting)] = &[
        ("literal", Quoting::Literal),
        ("shell", Quoting::Shell),
        ("shell-always", Quoting::ShellAlways),
        ("shell-escape", Quoting::ShellEscape),
        ("shell-escape-always", Quoting::ShellEscapeAlways),
        ("c", Quoting::C),
        ("c-maybe", Quoting::CMaybe),
        ("escape", Quoting::Escape),
        ("locale", Quoting::Locale),
        ("clocale", Quoting::Locale),
    ];

    /// Whether it quotes some names and not others.
    pub fn is_selective(self) -> bool {
        matches!(self, Quoting::Shell | Quoting::ShellEscape | Quoting::CMaybe)
    }

    /// `name` in this style.
    pub fn quote(self, name: &str) -> String {
        match self {
            Quoting::Literal => name.to_string(),
            Quoting::Shell | Quoting::ShellEscape if is_plain(name, self) => name.to_string(),
            Quoting::Shell | Quoting::ShellAlways => shell(name, false),
            Quoting::ShellEscape | Quoting::ShellEscapeAlways => shell(name, true),
            Quoting::C => format!("\"{}\"", escape(name, &['"'])),
            Quoting::CMaybe if escape(name, &['"']) == name => name.to_string(),
            Quoting::CMaybe => format!("\"{}\"", escape(name, &['"'])),
            Quoting::Escape => escape(name, &[' ']),
            Quoting::Locale => format!("‘{}’", escape(name, &['’'])),
        }
    }
}

/// `name` as findutils and most of coreutils' messages have it: ‘name’.
pub fn curly(name: &str) -> String {
    Quoting::Locale.quote(name)
}

/// `name` in a C string without the quotes: control characters, backslashes and `special` escaped.
pub(crate) fn escape(name: &str, special: &[char]) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            '\\' => text += "\\\\",
            c if special.contains(&c) => text.extend(['\\', c]),
            c if c.is_control() => escape_char(c, &mut text),
            c => text.push(c),
        }
    }
    text
}

fn escape_char(c: char, text: &mut String) {
    match c {
        '\x07' => *text += "\\a",
        '\x08' => *text += "\\b",
        '\x0c' => *text += "\\f",
        '\n' => *text += "\\n",
        '\r' => *text += "\\r",
        '\t' => *text += "\\t",
        '\x0b' => *text += "\\v",
        c => {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                *text += &format!("\\{byte:03o}");
            }
        }
    }
}

/// Whether the shell reads `name` as one word that means itself.
fn is_plain(name: &str, style: Quoting) -> bool {
    let brace = name == "{" || name == "}";
    let special =
        |c: char| " !\"$&()*;<=>[^`|'?\\\n\t\r".contains(c) || (style == Quoting::ShellEscape && c.is_control());
    !(name.is_empty() || brace || name.starts_with(['#', '~']) || name.contains(special))
}

/// In shell quotes: double ones when a single quote is the only trouble.
fn shell(name: &str, escapes: bool) -> String {
    let unsafe_in_double = |(at, c): (usize, char)| {
        "!\"$&()*;<=>[^`|\\?".contains(c) || c.is_control() || ("#~".contains(c) && at > 0) || "{}".contains(c)
    };
    if name.contains('\'') && !name.char_indices().any(unsafe_in_double) {
        return format!("\"{name}\"");
    }
    let mut text = String::from("'");
    let mut in_escape = false;
    for c in name.chars() {
        if escapes && c.is_control() {
            if !in_escape {
                text += "'$'";
                in_escape = true;
            }
            escape_char(c, &mut text);
            continue;
        }
        if std::mem::take(&mut in_escape) {
            text += "''";
        }
        match c {
            '\'' => text += "'\\''",
            c => text.push(c),
        }
    }
    text + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style() {
        let all = |name| Quoting::NAMES.iter().map(|(_, style)| style.quote(name)).collect::<Vec<_>>().join(" ");
        assert_eq!(all("b.sh"), r#"b.sh b.sh 'b.sh' b.sh 'b.sh' "b.sh" b.sh b.sh ‘b.sh’ ‘b.sh’"#);
        assert_eq!(all("e'f"), r#"e'f "e'f" "e'f" "e'f" "e'f" "e'f" e'f e'f ‘e'f’ ‘e'f’"#);
        assert_eq!(Quoting::ShellEscape.quote("i'$j"), r"'i'\''$j'");
        assert_eq!(Quoting::ShellEscape.quote("t\tb"), r"'t'$'\t''b'");
        assert_eq!(Quoting::ShellEscape.quote("\n"), r"''$'\n'");
        assert_eq!(Quoting::Shell.quote("quick start (legacy).md"), "'quick start (legacy).md'");
        assert_eq!(Quoting::ShellEscape.quote("日本語"), "日本語");
        assert_eq!(Quoting::C.quote("a\"\t"), r#""a\"\t""#);
        assert_eq!(Quoting::Escape.quote("c d\\"), r"c\ d\\");
    }
}
