//! [`MovePicker`]: legal moves, the most promising first.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Move, MoveList, Role, attacks};

use super::{
    exchange::gain_at_once, exchange::gains_at_least, history::MoveCounts, packed_move::PackedMove,
    packed_move::destination, packed_move::is_quiet, position::KeyedPosition, processor, processor::Task,
};

/// An upper bound on the number of legal moves. A position reachable in a game has at most 218.
const MOST_MOVES: usize = 256;

/// The bonus of a quiet move that gives check. It exceeds the sum of all counts, so that checks come first.
const CHECK_BONUS: i32 = 1 << 18;

/// The class of a move, which determines its place in the move order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveClass {
    /// The best move of an earlier search of the position.
    Table,
    /// A capture or promotion that loses no material in exchanges.
    Gain,
    /// A quiet move that gives check with the moved piece.
    Check,
    Quiet,
    /// A capture or promotion that loses material in exchanges, or an underpromotion.
    Loss,
}

/// Picks legal moves, the most promising first. Quiet moves are scored only when needed.
pub(super) struct MovePicker<'a> {
    moves: &'a mut MoveList,
    scores: ArrayVec<i32, MOST_MOVES>,
    next: usize,
    /// End of the gains. Captures and promotions that prove to be losses are moved behind it.
    gains: usize,
    /// Start of the quiet moves, which follow all captures and promotions.
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
    /// Makes a picker for `moves`, which need not be all moves of the position.
    pub(super) fn new(moves: &mut MoveList, table_move: PackedMove) -> MovePicker<'_> {
        MovePicker {
            moves,
            scores: ArrayVec::new(),
            next: 0,
            gains: 0,
            quiets: 0,
            table_move,
            phase: PickerStage::Begin,
        }
    }

    /// Returns the next move and its class; `None` after the last move. `counts` is called only when moves
    /// must be scored.
    pub(super) fn next<'c>(
        &mut self,
        position: &KeyedPosition,
        counts: impl Fn() -> MoveCounts<'c>,
    ) -> Option<(Move, MoveClass)> {
        if self.phase == PickerStage::Begin {
            self.phase = PickerStage::Gains;
            let has_table_move = self.put_table_move_first();
            self.put_gains_next();
            if has_table_move {
                return Some((self.moves[0], MoveClass::Table));
            }
        }
        if self.phase == PickerStage::Gains {
            if self.scores.len() < self.quiets {
                self.score_gains(&counts());
            }
            while self.next < self.gains {
                let m = self.take_best(self.gains);
                if gains_at_least(position, m, 0) {
                    return Some((m, MoveClass::Gain));
                }
                self.set_aside_loss();
            }
            self.next = self.quiets;
            if self.quiets < self.moves.len() {
                self.score_quiets(position, &counts());
            }
            self.phase = PickerStage::Quiets;
        }
        if self.phase == PickerStage::Quiets {
            if self.next < self.moves.len() {
                let m = self.take_best(self.moves.len());
                let is_check = self.scores[self.next - 1] > CHECK_BONUS / 2;
                return Some((m, if is_check { MoveClass::Check } else { MoveClass::Quiet }));
            }
            self.skip_quiets();
        }
        (self.next < self.quiets).then(|| (self.take_best(self.quiets), MoveClass::Loss))
    }

    /// Skips the remaining quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.next = self.gains;
        self.phase = PickerStage::Losses;
    }

    /// Takes the move with the highest score among the remaining moves before the index `end`.
    fn take_best(&mut self, end: usize) -> Move {
        let best = self.next + processor::run(FirstHighest(&self.scores[self.next..end]));
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        self.moves[self.next - 1]
    }

    /// Moves the last picked move from the gains to the losses.
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

    /// Puts captures and promotions before the quiet moves. Among the captures and promotions,
    /// underpromotions come last, with the losses.
    fn put_gains_next(&mut self) {
        self.quiets = self.next;
        for index in self.next..self.moves.len() {
            if !is_quiet(self.moves[index]) {
                self.moves.swap(index, self.quiets);
                self.quiets += 1;
            }
        }
        self.gains = self.quiets;
        for index in (self.next..self.quiets).rev() {
            if is_poor_promotion(self.moves[index]) {
                self.gains -= 1;
                self.moves.swap(index, self.gains);
            }
        }
    }

    fn score_gains(&mut self, counts: &MoveCounts<'_>) {
        let scored = self.scores.len();
        let scores = self.moves[scored..self.quiets].iter().map(|&m| victim_and_success(m, counts));
        self.scores.extend(scores);
    }

    fn score_quiets(&mut self, position: &KeyedPosition, counts: &MoveCounts<'_>) {
        let checks = CheckSquares::of(position);
        let scores = self.moves[self.quiets..].iter().map(|&m| {
            let bonus = if checks.contains(m) { CHECK_BONUS } else { 0 };
            counts.of_quiet(m) + bonus
        });
        self.scores.extend(scores);
    }
}

/// A task that finds the index of the highest score. Of equal scores, the first counts.
struct FirstHighest<'a>(&'a [i32]);

impl Task for FirstHighest<'_> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        // Each key is one 32-bit number with a score and a place, so that many are compared at a time.
        let keys = self.0.iter().zip(0..).map(|(&score, place)| (score << 8) + (0xff - place));
        0xff - (keys.fold(i32::MIN, i32::max) & 0xff) as usize
    }
}

/// The squares from which the side to move would attack the enemy king, for each kind of piece.
struct CheckSquares([Bitboard; 5]);

impl CheckSquares {
    fn of(position: &KeyedPosition) -> CheckSquares {
        let Some(king) = position.board().king_of(!position.turn()) else {
            return CheckSquares([Bitboard::EMPTY; 5]);
        };
        let occupied = position.board().occupied();
        let (lines, files) = (attacks::bishop_attacks(king, occupied), attacks::rook_attacks(king, occupied));
        let pawns = attacks::pawn_attacks(!position.turn(), king);
        CheckSquares([pawns, attacks::knight_attacks(king), lines, files, lines | files])
    }

    /// Returns whether a quiet move gives check with the piece that moves.
    fn contains(&self, m: Move) -> bool {
        self.0.get(m.role() as usize - 1).is_some_and(|squares| squares.contains(destination(m)))
    }
}

/// Returns whether a move is an underpromotion, which is hardly ever best.
fn is_poor_promotion(m: Move) -> bool {
    m.promotion().is_some_and(|role| role != Role::Queen)
}

/// Scores a capture or promotion by the material it gains at once and by its success in other positions.
fn victim_and_success(m: Move, counts: &MoveCounts<'_>) -> i32 {
    16 * gain_at_once(m) + counts.of_capture(m)
}
