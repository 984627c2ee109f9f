//! Words in the quotes that bash's `printf %q` gives them.

/// `word` so that the shell reads it as itself: backslashes, or `$'…'` when it holds what cannot be printed.
pub fn for_shell(word: &str) -> String {
    if word.is_empty() {
        return "''".to_string();
    }
    if word.chars().any(char::is_control) {
        return ansi_c(word);
    }
    let mut text = String::with_capacity(word.len() + 8);
    let mut before = None;
    for c in word.chars() {
        let special = match c {
            '#' => before.is_none(),
            '~' => matches!(before, None | Some(':' | '=')),
            c => " '\"\\|&;()<>!{}*[]?^$`,".contains(c),
        };
        if special {
            text.push('\\');
        }
        text.push(c);
        before = Some(c);
    }
    text
}

/// `word` as `$'…'`, its control characters as escapes.
pub fn ansi_c(word: &str) -> String {
    let mut text = String::from("$'");
    for c in word.chars() {
        match c {
            '\x1b' => text += "\\E",
            '\x07' => text += "\\a",
            '\x08' => text += "\\b",
            '\x0b' => text += "\\v",
            '\x0c' => text += "\\f",
            '\n' => text += "\\n",
            '\r' => text += "\\r",
            '\t' => text += "\\t",
            '\\' | '\'' => text.extend(['\\', c]),
            c if c.is_control() => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    text += &format!("\\{byte:03o}");
                }
            }
            c => text.push(c),
        }
    }
    text.push('\'');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_as_bash_would_type_them() {
        for (word, quoted) in [
            ("", "''"),
            ("plain/a-b.c_d=e%@+", "plain/a-b.c_d=e%@+"),
            ("it's a $x", r"it\'s\ a\ \$x"),
            ("#a#", r"\#a#"),
            ("~a~:~", r"\~a~:\~"),
            ("a\te\u{1b}\u{1}'", r"$'a\te\E\001\''"),
            ("日本 語", r"日本\ 語"),
        ] {
            assert_eq!(for_shell(word), quoted);
        }
    }
}
