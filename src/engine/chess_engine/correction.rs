//! [`Corrections`]: learned differences between search values and static evaluations of similar positions.

use shakmaty::Color;

use super::{history::PieceTo, position::KeyedPosition};

/// Number of entries for each table and side to move.
const ENTRIES: usize = 1 << 14;

/// The largest absolute value of an entry. Updates toward this limit shrink as an entry approaches it.
const MAX_ENTRY: i32 = 1024;

/// The largest absolute value of an update.
const MAX_UPDATE: i32 = MAX_ENTRY / 4;

/// The sum of a position's entries that corrects its evaluation by one centipawn.
const PER_CENTIPAWN: i32 = 14;

/// The depth at which a search's difference has weight 1. The weight is proportional to the depth.
const FULL_DEPTH: i32 = 8;

/// Number of ways in which positions can be similar: equal pawns; equal king and pieces of White; equal king
/// and pieces of Black; equal last two moves. Each has its own table.
const SIMILARITIES: usize = 4;

/// The index of a position's entry in each table.
pub(super) struct CorrectionPlaces([usize; SIMILARITIES]);

/// The learned differences between search values and static evaluations, one table for each similarity.
pub(super) struct Corrections([Box<[i16]>; SIMILARITIES]);

impl CorrectionPlaces {
    /// Finds the entries of a position by its keys and the last two moves.
    pub(super) fn of(position: &KeyedPosition, last: [Option<PieceTo>; 2]) -> CorrectionPlaces {
        let moves = last.map(|m| m.map_or(0, |m| m.index() as u64 + 1));
        // Spreads pairs of moves over the table (the multiplier is 2⁶⁴ divided by the golden ratio).
        let moves = (moves[0] * 1024 + moves[1]).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let keys = position.piece_keys();
        let side = if position.turn() == Color::White { 0 } else { ENTRIES };
        CorrectionPlaces(
            [position.pawn_key(), keys.white, keys.black, moves].map(|key| side + key as usize % ENTRIES),
        )
    }
}

impl Corrections {
    pub(super) fn new() -> Corrections {
        Corrections(std::array::from_fn(|_| vec![0; 2 * ENTRIES].into()))
    }

    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|table| table.fill(0));
    }

    /// Returns the centipawns to add to a static evaluation.
    pub(super) fn of(&self, places: &CorrectionPlaces) -> i32 {
        let entries = self.0.iter().zip(places.0).map(|(table, place)| i32::from(table[place]));
        entries.sum::<i32>() / PER_CENTIPAWN
    }

    /// Updates the entries with `difference`: the value of a search to `depth` minus the corrected static
    /// evaluation, in centipawns.
    pub(super) fn learn(&mut self, places: &CorrectionPlaces, difference: i32, depth: i32) {
        let update = (difference * depth / FULL_DEPTH).clamp(-MAX_UPDATE, MAX_UPDATE);
        for (table, place) in self.0.iter_mut().zip(places.0) {
            let entry = i32::from(table[place]);
            table[place] = (entry + update - entry * update.abs() / MAX_ENTRY) as i16;
        }
    }
}
