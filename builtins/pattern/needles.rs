//! What every text that matches must contain, for a store that can search before pages are read.
//!
//! An expression is walked for runs of characters that no match can do without. A place where few characters may stand
//! (`[Tt]`, a letter under `-i`) is kept as such and makes a small expression of the needle; a choice makes several
//! needles, of which one must be there. Whatever is not certain ends a run, so a needle may be weak but never wrong.
use crate::{Needle, Needles};
use regex_syntax::hir::{Class, Hir, HirKind};

/// Characters that a needle must have at least, and has at most.
const SHORTEST: usize = 3;
const LONGEST: usize = 256;
/// Characters that may stand in one place.
const CHOICES: usize = 6;
/// Runs kept side by side while an expression is walked.
const RUNS: usize = 16;
/// Needles of a whole list of patterns (`-f`).
const NEEDLES: usize = 100;

/// The needles of a choice of expressions; `None` when a text may match without any.
pub(super) fn needles<'a>(hirs: impl IntoIterator<Item = &'a Hir>) -> Option<Needles> {
    let mut all: Vec<Run> = Vec::new();
    for hir in hirs {
        let choices = match hir.kind() {
            HirKind::Alternation(choices) => &choices[..],
            _ => std::slice::from_ref(hir),
        };
        for choice in choices {
            for run in Required::of(choice).into_best()? {
                // Who looks for `rate` need not look for `rates`.
                if !all.iter().any(|known| is_within(known, &run)) {
                    all.retain(|known| !is_within(&run, known));
                    all.push(run);
                }
            }
            if all.len() > NEEDLES {
                return None;
            }
        }
    }
    (!all.is_empty()).then(|| Needles { any: all.iter().map(needle).collect() })
}

/// Whether each text that holds `longer` holds `shorter`.
fn is_within(shorter: &Run, longer: &Run) -> bool {
    longer
        .windows(shorter.len())
        .any(|part| part.iter().zip(shorter).all(|(place, wider)| place.iter().all(|c| wider.contains(c))))
}

/// The characters that may stand in one place, sorted.
type Place = Vec<char>;
/// Places one after the other.
type Run = Vec<Place>;

/// What is known of the texts that an expression matches.
enum Required {
    /// They are exactly one of these.
    Exact(Vec<Run>),
    /// They contain one of these; `None`: nothing is known.
    Within(Option<Vec<Run>>),
}

impl Required {
    fn of(hir: &Hir) -> Required {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => Required::Exact(vec![Run::new()]),
            HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
                Ok(text) => Required::Exact(vec![text.chars().map(|c| vec![c]).collect()]),
                Err(_) => Required::Within(None),
            },
            HirKind::Class(class) => Required::of_class(class),
            HirKind::Capture(capture) => Required::of(&capture.sub),
            HirKind::Repetition(repetition) => match (repetition.min, repetition.max) {
                (0, Some(1)) => match Required::of(&repetition.sub) {
                    Required::Exact(mut runs) if runs.len() < RUNS => {
                        runs.push(Run::new());
                        Required::Exact(runs)
                    }
                    _ => Required::Within(None),
                },
                (0, _) => Required::Within(None),
                _ => Required::of_all(std::slice::from_ref(hir)),
            },
            HirKind::Concat(parts) => Required::of_all(parts),
            HirKind::Alternation(choices) => Required::of_any(choices),
        }
    }

    fn of_class(class: &Class) -> Required {
        let Class::Unicode(class) = class else {
            return Required::Within(None);
        };
        let count: usize = class.ranges().iter().map(|range| range.len()).sum();
        if count == 0 || count > CHOICES {
            return Required::Within(None);
        }
        let place: Place = class.ranges().iter().flat_map(|range| range.start()..=range.end()).collect();
        Required::Exact(vec![vec![place]])
    }

    fn of_any(choices: &[Hir]) -> Required {
        let all: Vec<Required> = choices.iter().map(Required::of).collect();
        let exact = all.iter().map(|one| if let Required::Exact(runs) = one { runs.len() } else { RUNS + 1 });
        if exact.sum::<usize>() <= RUNS {
            let runs = all.into_iter().flat_map(|one| if let Required::Exact(runs) = one { runs } else { Vec::new() });
            return Required::Exact(runs.collect());
        }
        let best: Option<Vec<Vec<Run>>> = all.into_iter().map(Required::into_best).collect();
        Required::Within(best.map(|runs| runs.concat()).filter(|runs| runs.len() <= NEEDLES))
    }

    /// Of parts one after the other.
    fn of_all(parts: &[Hir]) -> Required {
        let mut walk = Walk { runs: vec![Run::new()], exact: true, best: None };
        for part in parts {
            walk.part(part);
        }
        if walk.exact {
            return Required::Exact(walk.runs);
        }
        walk.cut(Vec::new());
        Required::Within(walk.best)
    }

    /// The runs of which one must be contained, when each is long enough.
    fn into_best(self) -> Option<Vec<Run>> {
        match self {
            Required::Exact(runs) => usable(runs),
            Required::Within(best) => best,
        }
    }
}

/// The walk along a concatenation.
struct Walk {
    /// What the text may be since the last cut.
    runs: Vec<Run>,
    /// Whether there was no cut so far.
    exact: bool,
    best: Option<Vec<Run>>,
}

impl Walk {
    fn part(&mut self, part: &Hir) {
        if let HirKind::Repetition(repetition) = part.kind()
            && repetition.min > 0
        {
            // The first ones are certain, and so is that the last one stands before what follows.
            let mut count = 0;
            while count < repetition.min && self.exact_or_short() {
                self.part(&repetition.sub);
                count += 1;
            }
            if count < repetition.min || repetition.max != Some(repetition.min) {
                match Required::of(&repetition.sub) {
                    Required::Exact(runs) => self.cut(runs),
                    Required::Within(_) => self.cut(vec![Run::new()]),
                }
            }
            return;
        }
        match Required::of(part) {
            Required::Exact(next) => {
                if self.runs.len() * next.len() > RUNS {
                    self.cut(next);
                    return;
                }
                let pairs = self.runs.iter().flat_map(|run| next.iter().map(move |more| [&run[..], more].concat()));
                self.runs = pairs.collect();
            }
            Required::Within(best) => {
                self.cut(vec![Run::new()]);
                self.offer(best);
            }
        }
    }

    /// Whether it is worth it to make the runs longer.
    fn exact_or_short(&self) -> bool {
        self.runs.iter().all(|run| run.len() < LONGEST)
    }

    /// End the runs here, and go on with `next`.
    fn cut(&mut self, next: Vec<Run>) {
        self.exact = false;
        let runs = std::mem::replace(&mut self.runs, next);
        self.offer(usable(runs));
    }

    fn offer(&mut self, candidate: Option<Vec<Run>>) {
        let worth = |runs: &Vec<Run>| (runs.iter().map(Vec::len).min().unwrap_or(0), usize::MAX - runs.len());
        if candidate.as_ref().map(worth) > self.best.as_ref().map(worth) {
            self.best = candidate;
        }
    }
}

/// The runs, each cut to what a store can look for; `None` when one of them is too short for that.
fn usable(runs: Vec<Run>) -> Option<Vec<Run>> {
    let forbidden = |place: &Place| place.iter().any(|c| matches!(c, '\0' | '\n'));
    runs.into_iter()
        .map(|run| {
            let longest = run.split(forbidden).max_by_key(|part| part.len())?;
            let part = &longest[..longest.len().min(LONGEST)];
            (part.len() >= SHORTEST).then(|| part.to_vec())
        })
        .collect::<Option<Vec<Run>>>()
        .filter(|runs| !runs.is_empty())
}

fn needle(run: &Run) -> Needle {
    if run.iter().all(|place| place.len() == 1) {
        return Needle::Literal(run.iter().flatten().collect());
    }
    let mut expression = String::from("(?m)");
    for place in run {
        let text: String = place.iter().collect();
        match place.len() {
            1 => regex_syntax::escape_into(&text, &mut expression),
            _ => {
                expression.push('[');
                regex_syntax::escape_into(&text, &mut expression);
                expression.push(']');
            }
        }
    }
    Needle::Regex(expression)
}

#[cfg(test)]
mod tests {
    use crate::{
        Needle,
        pattern::{Dialect, Options, Pattern, Syntax, Whole},
    };
    use regex_automata::meta;

    fn shown(patterns: &[&str], dialect: Dialect, options: Options) -> String {
        let pattern = Pattern::new(patterns, dialect, options).unwrap();
        let Some(needles) = pattern.needles() else { return "nothing".to_string() };
        let show = |needle: &Needle| match needle {
            Needle::Literal(text) => format!("{text:?}"),
            Needle::Regex(text) => format!("/{text}/"),
        };
        needles.any.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    fn extended(pattern: &str) -> String {
        shown(&[pattern], Dialect::Posix(Syntax::EGREP), Options { lines: true, ..Options::default() })
    }

    #[test]
    fn literals_are_taken_from_the_pattern() {
        assert_eq!(extended("token"), r#""token""#);
        assert_eq!(extended("api_key.*value"), r#""api_key""#);
        assert_eq!(extended(r"\<rate[- ]?limit(s|ed)?\>"), r#"/(?m)rate[ \-]limit/ "ratelimit""#);
        assert_eq!(extended("^(GET|POST) /v[0-9]+"), r#""GET /v" "POST /v""#);
        assert_eq!(extended("[Tt]oken"), "/(?m)[Tt]oken/");
        assert_eq!(extended("ab+cd"), r#""bcd""#);
        assert_eq!(extended("(abc){2,}d"), r#""abcabc""#);
        assert_eq!(extended("(err)(or) \\1\\2"), r#""error error""#);
        assert_eq!(extended("x(foo|bar|[0-9]+quux)y"), r#""foo" "bar" "quux""#);
    }

    #[test]
    fn what_is_not_certain_is_nothing() {
        for pattern in ["", "ab", "a.b.c", "x*", "(abc)?", "^$", "abc|d", "[a-z]+", "(abc|)", "a{0}", ".*"] {
            assert_eq!(extended(pattern), "nothing", "{pattern}");
        }
    }

    #[test]
    fn several_patterns_are_a_choice() {
        let basic = Dialect::Posix(Syntax::GREP);
        assert_eq!(shown(&["one", "two\\|three"], basic, Options::default()), r#""one" "two" "three""#);
        assert_eq!(shown(&["one", "x"], basic, Options::default()), "nothing");
        let long = "é".repeat(300);
        assert_eq!(shown(&[&long], Dialect::Fixed, Options::default()), format!("{:?}", "é".repeat(256)));
        assert_eq!(shown(&["a.c-d"], Dialect::Fixed, Options::default()), r#""a.c-d""#);
    }

    #[test]
    fn case_is_folded_as_the_matcher_folds_it() {
        let folded = Options { ignore_case: true, ..Options::default() };
        assert_eq!(shown(&["ask-1"], Dialect::Fixed, folded), "/(?m)[Aa][Ss\u{17f}][Kk\u{212a}]\\-1/");
    }

    #[test]
    fn of_perl_only_what_both_engines_read_alike_is_taken() {
        let perl = |pattern: &str| shown(&[pattern], Dialect::Perl, Options::default());
        assert_eq!(perl(r"(?<=a)token"), "nothing");
        assert_eq!(perl(r"token(?= id)"), "nothing");
        assert_eq!(perl(r"a\-\>bcd"), "nothing");
        assert_eq!(perl(r"token_\d+"), r#""token_""#);
        assert_eq!(perl(r"rate\.limit\s+x"), r#""rate.limit""#);
    }

    /// Numbers that look random, the same in each run (an xorshift).
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % end as u64) as usize
        }

        fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
            from[self.below(from.len())]
        }

        /// A random extended pattern, over few letters so that it often matches.
        fn pattern(&mut self, depth: usize) -> String {
            let mut text = String::new();
            for _ in 0..1 + self.below(4) {
                let atom = match self.below(if depth == 0 { 8 } else { 10 }) {
                    0..=4 => self.pick(&["a", "b", "abc", "abc", "bca", "ak", "K", "éa", "-"]).to_string(),
                    5 => self.pick(&["[ab]", "[^a]", "[a-c]", "[Kk]", "[[:alpha:]]", ".", r"\w", "[-a]"]).to_string(),
                    6 => self.pick(&[r"\b", "^", "$", r"\<", r"\>", "()"]).to_string(),
                    7 => self.pick(&["(ab)\\1", "(a|b)c", "x{2}", "(é)?"]).to_string(),
                    8 => format!("({})", self.pattern(depth - 1)),
                    _ => format!("({}|{})", self.pattern(depth - 1), self.pattern(depth - 1)),
                };
                text += &atom;
                if !atom.ends_with(['b', '^', '$', '<', '>']) {
                    text += self.pick(&["", "", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}"]);
                }
            }
            text
        }

        fn text(&mut self) -> String {
            let parts = [
                "a", "b", "c", "abc", "abc", "abca", "bca", "ab", "éa", "ak", "k", "K", "\u{212a}", "é", "É", "-", " ",
                "\n", "x", "A", "B",
            ];
            let length = 1 + self.below(14);
            (0..length).map(|_| self.pick(&parts)).collect()
        }
    }

    #[test]
    fn no_match_is_ever_missed() {
        let mut random = Random(0x5eed_cafe);
        let (mut matches, mut proven) = (0, 0);
        for _ in 0..2500 {
            let text = random.pattern(2);
            let back_reference = text.contains("\\1") && !text.starts_with("(ab)\\1");
            let options = Options {
                ignore_case: random.below(3) == 0,
                lines: true,
                whole: [Whole::Any, Whole::Any, Whole::Word, Whole::Line][random.below(4)],
                ..Options::default()
            };
            let dialect = if random.below(5) == 0 { Dialect::Fixed } else { Dialect::Posix(Syntax::EGREP) };
            if back_reference {
                continue; // the group it names is another one: mostly an error
            }
            let Ok(pattern) = Pattern::new(&[&text], dialect, options) else { continue };
            let needles = pattern.needles();
            for _ in 0..40 {
                let page = random.text();
                if pattern.is_match(page.as_bytes()) != Ok(true) {
                    continue;
                }
                matches += 1;
                let Some(needles) = &needles else { continue };
                proven += 1;
                let found = needles.any.iter().any(|needle| match needle {
                    Needle::Literal(literal) => page.contains(literal),
                    Needle::Regex(regex) => meta::Regex::new(regex).unwrap().is_match(&page),
                });
                assert!(found, "{text:?} matches {page:?}, which has none of {needles:?}");
            }
        }
        assert!(matches > 3000 && proven > 500, "{matches} {proven}");
    }
}
