//! Owns [`MovePicker`]: legal moves in the order in which they are likely to be best.

use shakmaty::{Move, MoveList, Role};

use super::{
    exchange::{exchange_value, gains_at_least},
    packed_move::{PackedMove, is_quiet},
    position::KeyedPosition,
};

/// More than the moves of any position.
const MOST_MOVES: usize = 270;

const CAPTURE: i32 = 1 << 24;
const FIRST_KILLER: i32 = 1 << 22;
const SECOND_KILLER: i32 = FIRST_KILLER - 1;
const LOSING: i32 = -CAPTURE;

/// Why a move comes when it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The best move of an earlier search.
    Table,
    /// A capture or promotion that loses nothing by exchange.
    Gain,
    /// A quiet move that refuted a sister position.
    Killer,
    Quiet,
    /// A capture or promotion that loses material by exchange.
    Loss,
}

/// Hands out legal moves, the most promising first; equal ones in the order they were generated in.
pub(super) struct MovePicker<'a> {
    moves: &'a mut MoveList,
    scores: [i32; MOST_MOVES],
    next: usize,
    table_move: PackedMove,
    killers: [PackedMove; 2],
    scored: bool,
}

impl MovePicker<'_> {
    /// Orders `moves`, which need not be all moves of the position.
    pub(super) fn new(
        moves: &mut MoveList,
        table_move: PackedMove,
        killers: [PackedMove; 2],
    ) -> MovePicker<'_> {
        MovePicker { moves, scores: [0; MOST_MOVES], next: 0, table_move, killers, scored: false }
    }

    /// Hands out the next move. `history` scores a quiet one, within ±2²⁰; it is asked only when quiet moves may be needed.
    pub(super) fn next(
        &mut self,
        position: &KeyedPosition,
        history: impl Fn(Move) -> i32,
    ) -> Option<(Move, Stage)> {
        if self.next == 0 && self.put_table_move_first() {
            self.next = 1;
            return Some((self.moves[0], Stage::Table));
        }
        if !self.scored {
            self.score(history);
        }
        while let Some(best) = self.best_left() {
            let m = self.moves[best];
            let stage = stage(self.scores[best]);
            if stage == Stage::Gain && !gains_at_least(position, m, 0) {
                self.scores[best] += 2 * LOSING;
                continue;
            }
            self.moves.swap(self.next, best);
            self.scores.swap(self.next, best);
            self.next += 1;
            return Some((m, stage));
        }
        None
    }

    /// Finds the place of the move with the highest score, the first of equals.
    fn best_left(&self) -> Option<usize> {
        // One number for score and place is compared without a branch.
        let scores = self.scores[..self.moves.len()].iter().enumerate().skip(self.next);
        let best = scores.map(|(index, &score)| (i64::from(score) << 16) + (0xffff - index as i64)).max()?;
        Some(0xffff - (best & 0xffff) as usize)
    }

    fn put_table_move_first(&mut self) -> bool {
        if self.scored || self.table_move.is_none() {
            return false;
        }
        let found = self.moves.iter().position(|&m| PackedMove::new(m) == self.table_move);
        if let Some(index) = found {
            self.moves.swap(0, index);
        }
        found.is_some()
    }

    fn score(&mut self, history: impl Fn(Move) -> i32) {
        for index in self.next..self.moves.len() {
            let m = self.moves[index];
            self.scores[index] = match is_quiet(m) {
                false => CAPTURE * if is_poor_promotion(m) { -1 } else { 1 } + victim_and_attacker(m),
                true if PackedMove::new(m) == self.killers[0] => FIRST_KILLER,
                true if PackedMove::new(m) == self.killers[1] => SECOND_KILLER,
                true => history(m),
            };
        }
        self.scored = true;
    }
}

fn stage(score: i32) -> Stage {
    match score {
        _ if score > FIRST_KILLER => Stage::Gain,
        _ if score >= SECOND_KILLER => Stage::Killer,
        _ if score > -FIRST_KILLER => Stage::Quiet,
        _ => Stage::Loss,
    }
}

/// Tells whether a pawn becomes something else than a queen, which is hardly ever best.
fn is_poor_promotion(m: Move) -> bool {
    m.promotion().is_some_and(|role| role != Role::Queen)
}

/// Scores the most valuable victim first, and of its attackers the least valuable.
fn victim_and_attacker(m: Move) -> i32 {
    let victim = m.capture().map_or(0, exchange_value);
    let promotion = m.promotion().map_or(0, exchange_value);
    16 * (victim + promotion) - m.role() as i32
}
