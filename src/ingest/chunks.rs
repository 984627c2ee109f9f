//! Cutting a page into chunks: at headings, else at paragraphs, else at lines; never inside a line, unless it alone is
//! larger than a chunk may be, and never inside a character. The chunks in their order are the page, byte for byte.
use std::ops::Range;

/// What a chunk should weigh, in bytes.
const TARGET: usize = 1500;
/// The most that it may weigh: Chroma Cloud takes 16,384 bytes.
const MOST: usize = 16_000;

/// Where a page is cut, and whether a line had to be.
pub(super) struct Cut {
    pub(super) chunks: Vec<Range<usize>>,
    pub(super) line_aligned: bool,
}

/// How good a place to cut the start of a line is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Line,
    Paragraph,
    Heading,
}

/// Cut `text`; an empty page has no chunk.
pub(super) fn cut(text: &str) -> Cut {
    let mut cut = Cut { chunks: Vec::new(), line_aligned: true };
    let (mut start, mut at) = (0, 0);
    // The places where the chunk that begins at `start` could end.
    let mut places: Vec<(usize, Place)> = Vec::new();
    let (mut after_blank, mut fence) = (false, false);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start();
        let place = match () {
            () if !fence && bare.starts_with('#') && line.starts_with('#') => Place::Heading,
            () if after_blank => Place::Paragraph,
            () => Place::Line,
        };
        fence ^= bare.starts_with("```") || bare.starts_with("~~~");
        after_blank = bare.is_empty();
        if at > start {
            places.push((at, place));
        }
        let end = at + line.len();
        while end - start > TARGET
            && let Some(place) = best(&places, start)
        {
            cut.chunks.push(start..place);
            start = place;
            places.retain(|(at, _)| *at > place);
        }
        // What is left is the line alone, perhaps too long.
        while end - start > MOST {
            let stop = text.floor_char_boundary(start + MOST);
            cut.chunks.push(start..stop);
            start = stop;
            cut.line_aligned = false;
            places.clear();
        }
        at = end;
    }
    if start < text.len() {
        cut.chunks.push(start..text.len());
    }
    cut
}

/// The best place to end a chunk: the last heading, paragraph or line, if it leaves a chunk worth having.
fn best(places: &[(usize, Place)], start: usize) -> Option<usize> {
    let last_of = |least| places.iter().rev().find(|(_, place)| *place >= least).map(|(at, _)| *at);
    [Place::Heading, Place::Paragraph]
        .into_iter()
        .filter_map(last_of)
        .find(|at| at - start >= TARGET / 4)
        .or_else(|| last_of(Place::Line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Vec<&str> {
        let cut = cut(text);
        let chunks: Vec<&str> = cut.chunks.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(chunks.concat(), text);
        assert!(chunks.iter().all(|chunk| !chunk.is_empty() && chunk.len() <= MOST));
        let aligned = chunks.iter().rev().skip(1).all(|chunk| chunk.ends_with('\n'));
        assert_eq!(cut.line_aligned, aligned);
        chunks
    }

    #[test]
    fn small_pages_are_one_chunk() {
        assert_eq!(check(""), [""; 0]);
        assert_eq!(check("a"), ["a"]);
        assert_eq!(check("# A\n\n# B\n"), ["# A\n\n# B\n"]);
    }

    #[test]
    fn cuts_are_at_headings_then_paragraphs_then_lines() {
        let words = "word ".repeat(120) + "\n";
        let text = format!("# A\n{words}\n{words}## B\n{words}\n{words}\n{words}");
        let chunks = check(&text);
        assert!(chunks[1].starts_with("## B"), "{chunks:?}");
        assert!(chunks[2].starts_with("word"), "{chunks:?}");
        let lines = "a line\n".repeat(1000);
        let chunks = check(&lines);
        let (_, full) = chunks.split_last().unwrap();
        assert!(full.iter().all(|chunk| chunk.len() <= TARGET && chunk.len() > TARGET - 10));
    }

    #[test]
    fn a_heading_inside_a_fence_is_none() {
        let code = format!("```sh\n{}# comment\n{}```\n\ntext\n", "x\n".repeat(400), "y\n".repeat(600));
        assert!(check(&code).iter().all(|chunk| !chunk.starts_with("# comment")));
    }

    #[test]
    fn a_line_longer_than_a_chunk_is_cut_between_characters() {
        let long = "é".repeat(20_000);
        assert_eq!(check(&long).len(), 3);
        let around = format!("before\n{long}\nafter\n");
        let chunks = check(&around);
        assert_eq!(chunks[0], "before\n");
        assert!(cut(&"x".repeat(MOST)).line_aligned);
    }
}
