//! [`PawnTable`]: a cache of the terms that depend only on pawns and kings.

use shakmaty::{Bitboard, ByColor, Square};

use super::{WeightedSum, emit::emit_pawns_and_kings, view::View, weights::TaperedSum, weights::Weights};

/// Number of entries. They fit into the processor's fast caches.
const ENTRIES: usize = 1 << 11;

/// The value of pawns and kings, and their squares, because other positions can have the same index.
#[derive(Clone, Copy)]
struct PawnEntry {
    pawns: ByColor<Bitboard>,
    kings: ByColor<Square>,
    sum: TaperedSum,
}

impl PawnEntry {
    /// Makes an entry that matches no position: both kings are on the same square.
    fn empty() -> PawnEntry {
        let kings = ByColor::new_with(|_| Square::A1);
        PawnEntry { pawns: ByColor::default(), kings, sum: TaperedSum::default() }
    }
}

/// A table of fixed size. It must be cleared when the weights change.
pub(in crate::engine::chess_engine) struct PawnTable {
    entries: Vec<PawnEntry>,
}

impl PawnTable {
    pub(in crate::engine::chess_engine) fn new() -> PawnTable {
        PawnTable { entries: vec![PawnEntry::empty(); ENTRIES] }
    }

    pub(in crate::engine::chess_engine) fn clear(&mut self) {
        self.entries.fill(PawnEntry::empty());
    }

    /// Returns the value of a position's pawns and kings, White's minus Black's. `key` is the key of its
    /// pawns.
    #[inline(always)]
    pub(super) fn value(&mut self, key: u64, view: &View<'_>, weights: &Weights) -> TaperedSum {
        let kings = 64 * view.kings.white.to_usize() + view.kings.black.to_usize();
        let entry = &mut self.entries[(key as usize ^ kings) % ENTRIES];
        if entry.pawns != view.pawns || entry.kings != view.kings {
            let mut sum = WeightedSum::of(weights);
            emit_pawns_and_kings(view, &mut sum);
            *entry = PawnEntry { pawns: view.pawns, kings: view.kings, sum: sum.total };
        }
        entry.sum
    }
}
