//! Owns [`PawnTable`]: what the structure of pawns weighs, kept for the next position that has the same pawns.

use shakmaty::{Bitboard, ByColor, Color};

use super::{
    WeightedSum, pawns,
    view::View,
    weights::{TaperedSum, Weights},
};

/// Few enough to stay in the processor's nearer caches.
const ENTRIES: usize = 1 << 11;

/// The pawns themselves tell structures apart, so that no two are ever taken for each other.
#[derive(Clone, Copy, Default)]
struct PawnEntry {
    pawns: ByColor<Bitboard>,
    sum: TaperedSum,
}

/// A table of fixed size for weights that do not change: with other ones it is to be cleared. Empty, it knows the structure of
/// no pawns at all, which is nothing.
pub(in crate::engine::chess_engine) struct PawnTable {
    entries: Vec<PawnEntry>,
}

impl PawnTable {
    pub(in crate::engine::chess_engine) fn new() -> PawnTable {
        PawnTable { entries: vec![PawnEntry::default(); ENTRIES] }
    }

    pub(in crate::engine::chess_engine) fn clear(&mut self) {
        self.entries.fill(PawnEntry::default());
    }

    /// Weighs the structure of a position's pawns, White's less Black's.
    pub(super) fn structure(&mut self, key: u64, view: &View<'_>, weights: &Weights) -> TaperedSum {
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.pawns != view.pawns {
            let mut sum = WeightedSum::of(weights);
            pawns::emit_structure(view, Color::White, &mut sum);
            pawns::emit_structure(view, Color::Black, &mut sum);
            *entry = PawnEntry { pawns: view.pawns, sum: sum.total };
        }
        entry.sum
    }
}
