//! [`PawnTable`]: a cache of pawn structure values by pawn configuration.

use shakmaty::{Bitboard, ByColor, Color};

use super::{
    WeightedSum, pawns,
    view::View,
    weights::{TaperedSum, Weights},
};

/// Number of entries. They fit into the processor's fast caches.
const ENTRIES: usize = 1 << 11;

/// The value of a pawn structure. The pawns are stored because another structure can have the same index.
#[derive(Clone, Copy, Default)]
struct PawnEntry {
    pawns: ByColor<Bitboard>,
    sum: TaperedSum,
}

/// A table of fixed size. It must be cleared when the weights change. An empty entry is right for positions
/// without pawns, whose structure has the value 0.
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

    /// Returns the value of a position's pawn structure, White's minus Black's.
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
