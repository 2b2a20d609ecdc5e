//! [`MovePicker`]: legal moves, the most promising first.

use shakmaty::{Move, MoveList, Role};

use super::{
    exchange::{exchange_value, gains_at_least},
    history::QuietCounts,
    packed_move::{PackedMove, is_quiet},
    position::KeyedPosition,
};

/// An upper bound of legal moves; the maximum is 218.
const MOST_MOVES: usize = 256;

/// The class of a move, which determines its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveClass {
    /// The best move of an earlier search.
    Table,
    /// A capture or promotion that loses nothing by exchange.
    Gain,
    Quiet,
    /// A capture or promotion that loses material by exchange.
    Loss,
}

/// Picks legal moves, the most promising first. Quiet moves are scored only when needed.
pub(super) struct MovePicker<'a> {
    moves: &'a mut MoveList,
    scores: [i32; MOST_MOVES],
    next: usize,
    /// End of the sorted captures and promotions. Those that lose material by exchange are moved to their
    /// end.
    gains: usize,
    /// Start of the quiet moves, after the captures and promotions.
    quiets: usize,
    table_move: PackedMove,
    phase: PickerStage,
}

/// The next stage of the picker.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PickerStage {
    Begin,
    Gains,
    Quiets,
    Losses,
}

impl MovePicker<'_> {
    /// Orders `moves`, which may be some of the position's moves.
    pub(super) fn new(moves: &mut MoveList, table_move: PackedMove) -> MovePicker<'_> {
        let scores = [0; MOST_MOVES];
        MovePicker { moves, scores, next: 0, gains: 0, quiets: 0, table_move, phase: PickerStage::Begin }
    }

    /// Returns the next move. `counts` is called when quiet moves are to be ordered.
    pub(super) fn next<'c>(
        &mut self,
        position: &KeyedPosition,
        counts: impl FnOnce() -> QuietCounts<'c>,
    ) -> Option<(Move, MoveClass)> {
        if self.phase == PickerStage::Begin {
            let has_table_move = self.put_table_move_first();
            self.score_gains();
            self.phase = PickerStage::Gains;
            if has_table_move {
                return Some((self.moves[0], MoveClass::Table));
            }
        }
        if self.phase == PickerStage::Gains {
            while self.next < self.gains {
                let m = self.take_best(self.gains);
                if gains_at_least(position, m, 0) {
                    return Some((m, MoveClass::Gain));
                }
                self.set_aside_loss();
            }
            self.next = self.quiets;
            if self.quiets < self.moves.len() {
                self.score_quiets(&counts());
            }
            self.phase = PickerStage::Quiets;
        }
        if self.phase == PickerStage::Quiets {
            if self.next < self.moves.len() {
                return Some((self.take_best(self.moves.len()), MoveClass::Quiet));
            }
            self.next = self.gains;
            self.phase = PickerStage::Losses;
        }
        (self.next < self.quiets).then(|| (self.take_best(self.quiets), MoveClass::Loss))
    }

    /// Takes the move with the highest score before `end`.
    fn take_best(&mut self, end: usize) -> Move {
        // Score and place in one 32-bit number are compared without a branch, four at a time. The first of
        // equals wins.
        let places = self.next as i32..;
        let keys = self.scores[self.next..end]
            .iter()
            .zip(places)
            .map(|(&score, place)| (score << 8) + (0xff - place));
        let best = 0xff - (keys.fold(i32::MIN, i32::max) & 0xff) as usize;
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        self.moves[self.next - 1]
    }

    /// Moves the last move taken from the gains to the losses.
    fn set_aside_loss(&mut self) {
        self.next -= 1;
        self.gains -= 1;
        self.moves.swap(self.next, self.gains);
        self.scores.swap(self.next, self.gains);
    }

    fn put_table_move_first(&mut self) -> bool {
        if self.table_move.is_none() {
            return false;
        }
        let found = self.moves.iter().position(|&m| PackedMove::new(m) == self.table_move);
        if let Some(index) = found {
            self.moves.swap(0, index);
            self.next = 1;
        }
        found.is_some()
    }

    /// Puts captures and promotions before all others and scores them. An underpromotion counts as a loss.
    fn score_gains(&mut self) {
        self.quiets = self.next;
        for index in self.next..self.moves.len() {
            let m = self.moves[index];
            if !is_quiet(m) {
                self.moves.swap(index, self.quiets);
                self.scores[self.quiets] = victim_and_attacker(m);
                self.quiets += 1;
            }
        }
        self.gains = self.quiets;
        for index in (self.next..self.quiets).rev() {
            if is_poor_promotion(self.moves[index]) {
                self.gains -= 1;
                self.moves.swap(index, self.gains);
                self.scores.swap(index, self.gains);
            }
        }
    }

    fn score_quiets(&mut self, counts: &QuietCounts<'_>) {
        for index in self.quiets..self.moves.len() {
            self.scores[index] = counts.of(self.moves[index]);
        }
    }
}

/// Returns whether a move is an underpromotion, which is hardly ever best.
fn is_poor_promotion(m: Move) -> bool {
    m.promotion().is_some_and(|role| role != Role::Queen)
}

/// Scores by most valuable victim, then least valuable attacker.
fn victim_and_attacker(m: Move) -> i32 {
    let victim = m.capture().map_or(0, exchange_value);
    let promotion = m.promotion().map_or(0, exchange_value);
    16 * (victim + promotion) - m.role() as i32
}
