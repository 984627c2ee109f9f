//! Permission bits: as `ls -l` shows them, and as `chmod`, `find -perm` and `umask` read them.
use crate::{Kind, Meta};

/// Ten characters: `drwxr-xr-x`.
pub fn string(meta: &Meta) -> String {
    let kind = match meta.kind {
        Kind::File => '-',
        Kind::Dir => 'd',
        Kind::Device => 'c',
    };
    let bits = meta.mode;
    let mut text = String::from(kind);
    for (shift, special, letter) in [(6, 0o4000, 's'), (3, 0o2000, 's'), (0, 0o1000, 't')] {
        let three = bits >> shift;
        text.push(if three & 4 != 0 { 'r' } else { '-' });
        text.push(if three & 2 != 0 { 'w' } else { '-' });
        text.push(match (bits & special != 0, three & 1 != 0) {
            (false, false) => '-',
            (false, true) => 'x',
            (true, true) => letter,
            (true, false) => letter.to_ascii_uppercase(),
        });
    }
    text
}

/// The bits that `text` makes of `old`: octal (`644`), or symbolic (`u+x,go-w`). `None` when it is neither.
pub fn apply(text: &str, old: u32, is_dir: bool, umask: u32) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    if text.bytes().all(|digit| digit.is_ascii_digit()) {
        return u32::from_str_radix(text, 8).ok().filter(|bits| *bits <= 0o7777);
    }
    text.split(',').try_fold(old, |bits, clause| apply_clause(clause, bits, is_dir, umask))
}

fn apply_clause(clause: &str, mut bits: u32, is_dir: bool, umask: u32) -> Option<u32> {
    let at = clause.find(['+', '-', '='])?;
    let mut who = 0;
    for letter in clause[..at].chars() {
        who |= match letter {
            'u' => 0o4700,
            'g' => 0o2070,
            'o' => 0o1007,
            'a' => 0o7777,
            _ => return None,
        };
    }
    let (affected, masked) = if who == 0 { (0o7777, umask) } else { (who, 0) };
    let mut rest = &clause[at..];
    while let Some(operator) = rest.chars().next() {
        if !"+-=".contains(operator) {
            return None;
        }
        let end = rest[1..].find(['+', '-', '=']).map_or(rest.len(), |at| at + 1);
        let value = permissions(&rest[1..end], bits, is_dir)? & affected & !masked;
        bits = match operator {
            '+' => bits | value,
            '-' => bits & !value,
            // A folder keeps its set-id bits unless they are named.
            _ => (bits & !(affected & 0o777 & !masked) & if is_dir { 0o7777 } else { !(affected & 0o7000) }) | value,
        };
        rest = &rest[end..];
    }
    Some(bits)
}

fn permissions(letters: &str, old: u32, is_dir: bool) -> Option<u32> {
    let copied = |shift: u32| (old >> shift & 7) * 0o111;
    match letters {
        "u" => return Some(copied(6)),
        "g" => return Some(copied(3)),
        "o" => return Some(copied(0)),
        _ => {}
    }
    if !letters.is_empty() && letters.bytes().all(|digit| digit.is_ascii_digit()) {
        return u32::from_str_radix(letters, 8).ok().filter(|bits| *bits <= 0o7777);
    }
    letters.chars().try_fold(0, |bits, letter| {
        Some(
            bits | match letter {
                'r' => 0o444,
                'w' => 0o222,
                'x' => 0o111,
                'X' if is_dir || old & 0o111 != 0 => 0o111,
                'X' => 0,
                's' => 0o6000,
                't' => 0o1000,
                _ => return None,
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_read_in_both_forms() {
        let file = |text| apply(text, 0o644, false, 0o022);
        assert_eq!(file("755"), Some(0o755));
        assert_eq!(file("u+x,go-r"), Some(0o700));
        assert_eq!(file("a=rx"), Some(0o555));
        assert_eq!(file("+w"), Some(0o644));
        assert_eq!(file("g=u"), Some(0o664));
        assert_eq!(file("+X"), Some(0o644));
        assert_eq!(file("u+x+s"), Some(0o4744));
        assert_eq!(file("999"), None);
        assert_eq!(file("u+q"), None);
    }
}
