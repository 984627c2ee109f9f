//! Names in columns.

/// The narrowest column, the gap behind it included.
const NARROWEST: usize = 3;
/// Blanks between columns.
const GAP: usize = 2;

/// Widths of as many columns as fit into `line` for names of these widths, laid downwards or `across`.
pub(super) fn fit(widths: &[usize], line: usize, across: bool) -> Vec<usize> {
    let most = (line / NARROWEST).clamp(1, widths.len().max(1));
    let mut columns = Vec::new();
    for count in (1..=most).rev() {
        let rows = widths.len().div_ceil(count);
        columns.clear();
        columns.resize(count, NARROWEST);
        for (at, width) in widths.iter().enumerate() {
            let column = if across { at % count } else { at / rows };
            let gap = if column == count - 1 { 0 } else { GAP };
            columns[column] = columns[column].max(width + gap);
        }
        if columns.iter().sum::<usize>() < line {
            break;
        }
    }
    columns
}

/// Blanks from column `from` to column `to`, with tabs where a tab stop (every `tab` columns; 0 is none) allows.
pub(super) fn indent(mut from: usize, to: usize, tab: usize) -> String {
    let mut text = String::new();
    while from < to {
        if tab != 0 && to / tab > (from + 1) / tab {
            text.push('\t');
            from += tab - from % tab;
        } else {
            text.push(' ');
            from += 1;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_columns_as_fit() {
        assert_eq!(fit(&[5, 5, 5, 5], 80, false), [7, 7, 7, 5]);
        assert_eq!(fit(&[5, 5, 5, 5], 13, false), [7, 5]);
        assert_eq!(fit(&[5, 5, 5, 5], 12, false), [5]);
        assert_eq!(fit(&[90, 1], 80, true), [90]);
    }

    #[test]
    fn tabs_stand_for_more_than_one_blank() {
        assert_eq!(indent(5, 7, 8), "  ");
        assert_eq!(indent(5, 9, 8), "\t ");
        assert_eq!(indent(7, 8, 8), " ");
        assert_eq!(indent(3, 16, 0), "             ");
    }
}
