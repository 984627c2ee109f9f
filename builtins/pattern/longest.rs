//! Leftmost-longest matching, as POSIX wants it, on the engines of `regex-automata`.
//!
//! The leftmost start is the same for every semantics, so the fast leftmost-first engine finds it. From there a lazy
//! DFA that keeps all ends finds the longest one. Groups, and what makes a lazy DFA give up, are for the PikeVM.
//! The two latter are built when first asked for: whoever only selects lines never pays for them.
use super::{Captures, PatternError, parse::TOO_BIG};
use regex_automata::{
    Anchored, HalfMatch, Input, MatchKind,
    hybrid::dfa::{self, DFA},
    meta,
    nfa::thompson::{self, WhichCaptures, pikevm::PikeVM},
    util::pool::Pool,
};
use regex_syntax::hir::Hir;
use std::{
    ops::Range,
    panic::{RefUnwindSafe, UnwindSafe},
    sync::OnceLock,
};

/// A pattern that a finite automaton can match.
pub(super) struct Longest {
    hir: Hir,
    first: meta::Regex,
    /// All matches have one length: the first found is the longest.
    one_length: bool,
    ends: OnceLock<Option<Ends>>,
}

struct Ends {
    dfa: DFA,
    dfa_caches: Caches<dfa::Cache>,
    pike: PikeVM,
    pike_caches: Caches<regex_automata::nfa::thompson::pikevm::Cache>,
}

type Caches<T> = Pool<T, Box<dyn Fn() -> T + Send + Sync + UnwindSafe + RefUnwindSafe>>;

impl Longest {
    /// Compile `hir` into at most `limit` bytes.
    pub(super) fn new(hir: Hir, limit: usize) -> Result<Longest, PatternError> {
        let properties = hir.properties();
        let one_length = properties.minimum_len().is_some() && properties.minimum_len() == properties.maximum_len();
        let first = compile(&hir, limit)?;
        Ok(Longest { hir, first, one_length, ends: OnceLock::new() })
    }

    pub(super) fn hir(&self) -> &Hir {
        &self.hir
    }

    pub(super) fn is_match(&self, text: &[u8]) -> bool {
        self.first.is_match(text)
    }

    /// A place inside the first line from `start` on that holds a match; for patterns that match no newline.
    pub(super) fn line_at(&self, text: &[u8], start: usize) -> Option<usize> {
        let input = Input::new(text).range(start..).earliest(true);
        self.first.search_half(&input).map(|half| half.offset())
    }

    /// The leftmost-longest match from `start` on.
    pub(super) fn find_at(&self, text: &[u8], start: usize) -> Result<Option<Range<usize>>, PatternError> {
        let Some(found) = self.first.search(&Input::new(text).range(start..)) else {
            return Ok(None);
        };
        if self.one_length {
            return Ok(Some(found.range()));
        }
        let end = self.ends()?.longest(text, found.start()).unwrap_or(found.end());
        Ok(Some(found.start()..end))
    }

    /// The same with its groups.
    pub(super) fn captures_at(&self, text: &[u8], start: usize, captures: &mut Captures) -> Result<bool, PatternError> {
        let Some(found) = self.find_at(text, start)? else {
            return Ok(false);
        };
        let Ends { pike, pike_caches, .. } = self.ends()?;
        let input = Input::new(text).range(found.clone()).anchored(Anchored::Yes);
        captures.slots.fill(None);
        pike.search_slots(&mut pike_caches.get(), &input, &mut captures.slots);
        captures.set_whole(found);
        Ok(true)
    }

    fn ends(&self) -> Result<&Ends, PatternError> {
        self.ends.get_or_init(|| Ends::new(&self.hir)).as_ref().ok_or_else(|| TOO_BIG.into())
    }
}

/// The leftmost-first engine for `hir`, in at most `limit` bytes.
pub(super) fn compile(hir: &Hir, limit: usize) -> Result<meta::Regex, PatternError> {
    let config = meta::Config::new().utf8_empty(false).nfa_size_limit(Some(limit));
    meta::Builder::new().configure(config).build_from_hir(hir).map_err(|error| match error.size_limit() {
        Some(_) => TOO_BIG.into(),
        None => error.to_string().into(),
    })
}

impl Ends {
    fn new(hir: &Hir) -> Option<Ends> {
        // No size limit: the same expression has been compiled within it before.
        let config = thompson::Config::new().utf8(false).which_captures(WhichCaptures::All);
        let nfa = thompson::Compiler::new().configure(config).build_from_hir(hir).ok()?;
        let config =
            DFA::config().match_kind(MatchKind::All).unicode_word_boundary(true).skip_cache_capacity_check(true);
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa.clone()).ok()?;
        let config = PikeVM::config().match_kind(MatchKind::All);
        let pike = PikeVM::builder().configure(config).build_from_nfa(nfa).ok()?;
        let (for_dfa, for_pike) = (dfa.clone(), pike.clone());
        Some(Ends {
            dfa,
            dfa_caches: Pool::new(Box::new(move || for_dfa.create_cache())),
            pike,
            pike_caches: Pool::new(Box::new(move || for_pike.create_cache())),
        })
    }

    /// The longest end of a match that starts at `start`.
    fn longest(&self, text: &[u8], start: usize) -> Option<usize> {
        let input = Input::new(text).range(start..).anchored(Anchored::Yes);
        if let Ok(half) = self.dfa.try_search_fwd(&mut self.dfa_caches.get(), &input) {
            return half.map(|half: HalfMatch| half.offset());
        }
        let mut slots = [None, None];
        self.pike.search_slots(&mut self.pike_caches.get(), &input, &mut slots);
        slots[1].map(|end| end.get())
    }
}
