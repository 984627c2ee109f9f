//! `l`: a line with everything in it made visible.

/// Write `text` so that no byte of it is ambiguous, in lines of at most `width` columns, each ended by `delimiter`; a
/// width of 0 is without end.
pub(super) fn list(text: &[u8], width: usize, delimiter: u8, out: &mut Vec<u8>) {
    let mut column = 0;
    for &byte in text {
        let shown = show(byte);
        if width > 0 && column + shown.len() > width - 1 {
            out.extend_from_slice(&[b'\\', delimiter]);
            column = 0;
        }
        column += shown.len();
        out.extend_from_slice(shown.as_bytes());
    }
    out.extend_from_slice(&[b'$', delimiter]);
}

fn show(byte: u8) -> String {
    match byte {
        b'\\' => "\\\\".to_string(),
        7 => "\\a".to_string(),
        8 => "\\b".to_string(),
        12 => "\\f".to_string(),
        b'\n' => "\\n".to_string(),
        b'\r' => "\\r".to_string(),
        b'\t' => "\\t".to_string(),
        11 => "\\v".to_string(),
        b' '..=b'~' => char::from(byte).to_string(),
        byte => format!("\\{byte:03o}"),
    }
}
