//! What every text that matches must contain, for a store that can search before pages are read.
use crate::Needles;
use regex_syntax::hir::Hir;

/// The needles of a choice of expressions.
pub(super) fn needles(_: &[&Hir]) -> Option<Needles> {
    None
}
