//! Where the lines of a paragraph end: the breaks whose costs add up to the least.
//!
//! The costs are those of GNU's `fmt`, in squares of tenths of a column: of a line that is shorter than the goal, of
//! neighbours that differ, of sentences torn from their first or last word.

/// A word of a paragraph.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    pub(super) text: Vec<u8>,
    /// Blanks after it.
    pub(super) space: usize,
    /// It begins with an opening bracket or quote.
    pub(super) paren: bool,
    /// It ends a sentence, as far as its last character tells.
    pub(super) period: bool,
    /// It ends with punctuation.
    pub(super) punct: bool,
    /// It ends a sentence: two blanks follow, or the line ends.
    pub(super) last: bool,
    /// Where the line that begins with this word ends best: the first word of the next line.
    pub(super) next: usize,
    /// Columns of that line.
    line: i64,
    /// Of that line and all after it.
    pub(super) cost: i64,
}

/// What a flush looks for: breaks near the end are better by this much each.
pub(super) const LINE_CREDIT: i64 = square(3);
pub(super) const MAX_COST: i64 = i64::MAX;

const LINE_COST: i64 = square(70);
const SENTENCE_BONUS: i64 = square(50);
const NO_BREAK_COST: i64 = square(600);
const PAREN_BONUS: i64 = square(40);
const PUNCT_BONUS: i64 = square(40);

const fn square(n: i64) -> i64 {
    n * n
}

fn short_cost(columns: i64) -> i64 {
    square(columns * 10)
}

fn ragged_cost(columns: i64) -> i64 {
    short_cost(columns) / 2
}

impl Word {
    pub(super) fn new(text: Vec<u8>) -> Word {
        let closed = |byte: &u8| b")]'\"".contains(byte);
        let finish = text.iter().rposition(|byte| !closed(byte)).unwrap_or(0);
        Word {
            paren: text.first().is_some_and(|byte| b"(['`\"".contains(byte)),
            punct: text.last().is_some_and(u8::is_ascii_punctuation),
            period: text.get(finish).is_some_and(|byte| b".?!".contains(byte)),
            text,
            ..Word::default()
        }
    }

    fn length(&self) -> i64 {
        self.text.len() as i64
    }
}

/// The columns that lines are to have.
pub(super) struct Measure {
    pub(super) width: i64,
    pub(super) goal: i64,
    /// Before the first line and before the others.
    pub(super) first_indent: i64,
    pub(super) other_indent: i64,
    /// Of the line that was printed before; 0 for none.
    pub(super) before: i64,
}

/// Find for each word where a line that begins with it ends best.
pub(super) fn choose(words: &mut [Word], measure: &Measure) {
    let end = words.len();
    for start in (0..end).rev() {
        let mut best = MAX_COST;
        let mut length = if start == 0 { measure.first_indent } else { measure.other_indent };
        length += words[start].length();
        let mut next = start;
        loop {
            next += 1;
            let after = if next == end { 0 } else { words[next].cost };
            let mut cost = line_cost(words, next, length, measure) + after;
            if start == 0 && measure.before > 0 {
                cost += ragged_cost(length - measure.before);
            }
            if cost < best {
                best = cost;
                words[start].next = next;
                words[start].line = length;
            }
            if next == end {
                break;
            }
            length += words[next - 1].space as i64 + words[next].length();
            if length >= measure.width {
                break;
            }
        }
        words[start].cost = best + base_cost(words, start);
    }
}

/// Of a line of `length` columns before which the next line begins with the word `next`.
fn line_cost(words: &[Word], next: usize, length: i64, measure: &Measure) -> i64 {
    let Some(word) = words.get(next) else { return 0 };
    let mut cost = short_cost(measure.goal - length);
    if word.next != words.len() {
        cost += ragged_cost(length - word.line);
    }
    cost
}

/// Of beginning a line with the word `at`.
fn base_cost(words: &[Word], at: usize) -> i64 {
    let mut cost = LINE_COST;
    let word = &words[at];
    if let Some(before) = at.checked_sub(1).map(|at| &words[at]) {
        if before.period {
            cost += if before.last { -SENTENCE_BONUS } else { NO_BREAK_COST };
        } else if before.punct {
            cost -= PUNCT_BONUS;
        } else if at > 1 && words[at - 2].last {
            cost += square(200) / (before.length() + 2);
        }
    }
    if word.paren {
        cost -= PAREN_BONUS;
    } else if word.last {
        cost += square(150) / (word.length() + 2);
    }
    cost
}
