//! Owns the correction history: how far searches came from the evaluations of positions with the same pawns or pieces.

use shakmaty::Color;

use super::position::KeyedPosition;

/// Few enough for the tables to stay in the processor's nearer caches.
const ENTRIES: usize = 1 << 12;

/// A correction in 256ths of a centipawn is bounded by this.
const MAX_CORRECTION: i32 = 64 * GRAIN;
const GRAIN: i32 = 256;

/// Running means of "value less evaluation", for each side to move by the pawns and by each side's pieces.
pub(super) struct CorrectionHistory {
    means: Vec<[i16; 3]>,
}

impl CorrectionHistory {
    pub(super) fn new() -> CorrectionHistory {
        CorrectionHistory { means: vec![[0; 3]; 2 * ENTRIES] }
    }

    pub(super) fn clear(&mut self) {
        self.means.fill([0; 3]);
    }

    /// Finds what to add to the evaluation of a position, in centipawns.
    pub(super) fn correction(&self, position: &KeyedPosition) -> i32 {
        let [pawns, own, their] = places(position).map(|(entry, kind)| i32::from(self.means[entry][kind]));
        (2 * pawns + own + their) / (4 * GRAIN)
    }

    /// Moves the means towards what a search of `depth` found, by more the deeper it was.
    pub(super) fn learn(&mut self, position: &KeyedPosition, depth: i32, difference: i32) {
        let target = (difference * GRAIN).clamp(-MAX_CORRECTION, MAX_CORRECTION);
        let weight = (depth + 1).clamp(1, 16);
        for (entry, kind) in places(position) {
            let mean = &mut self.means[entry][kind];
            let now = i32::from(*mean);
            *mean = (now + (target - now) * weight / 256) as i16;
        }
    }
}

fn places(position: &KeyedPosition) -> [(usize, usize); 3] {
    let turn = position.turn();
    let entry = |key: u64| key as usize % ENTRIES + if turn == Color::White { 0 } else { ENTRIES };
    [(position.pawn_key(), 0), (position.piece_key(turn), 1), (position.piece_key(!turn), 2)]
        .map(|(key, kind)| (entry(key), kind))
}
