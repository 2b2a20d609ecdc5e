//! Changes of the best move from one iteration of a search to the next.
//!
//! The method follows the "go deep" experiments of M. Newborn (ICCA Journal 8, 1985), R. Hyatt and M. Newborn
//! (ICCA Journal 20, 1997) and E. A. Heinz (ICCA Journal 21, 1998), with one iterative search per position.

use std::{collections::BTreeSet, num::NonZeroUsize};

use serde::Serialize;
use shakmaty::{EnPassantMode, Position, fen::Epd};

use crate::chess::{BestMoves, Evaluator, Game, Limit, Order, Protocol, Segment};
use crate::engine::Stop;
use crate::numbers::Estimate;
use crate::store::{PoolEvent, Task, evaluate::pool, evaluate::pool::PAUSE};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionFilter {
    /// Number of moves of each side to skip at the start of a game.
    pub skip_moves: u32,
    /// Step between the remaining positions: 1 takes every position, 2 takes every second position.
    pub every: NonZeroUsize,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Positions {
    /// The chosen positions. Each position is searched separately, with an empty transposition table.
    pub chosen: Vec<Segment>,
    /// For each game with a chosen position, the number of positions chosen up to the end of that game.
    pub ends: Vec<usize>,
    /// Number of positions with one legal move, whose best move cannot change.
    pub forced: usize,
    pub repeated: usize,
}

impl Positions {
    /// Selects positions of `games`, in order, by the filter `choice`. The player to move must have at least
    /// two legal moves. Equal positions are selected once.
    pub fn of(games: &[Game], choice: PositionFilter) -> Positions {
        // One position per segment. Otherwise the transposition table would already hold results for the next
        // position, and its search would begin with a known best move.
        let protocol = Protocol::new(Limit::Depth(1), Order::Forward, 1);
        let (mut found, mut seen, mut left) = (Positions::default(), BTreeSet::new(), 0usize);
        for game in games {
            let segments = Segment::cut(game, &protocol);
            let mut segments = segments.into_iter().peekable();
            for (ply, position) in game.positions().enumerate() {
                let Some(segment) = segments.next_if(|segment| segment.first() == ply) else { continue };
                if position.fullmoves().get() <= choice.skip_moves {
                    continue;
                }
                if position.legal_moves().len() == 1 {
                    found.forced += 1;
                } else if !seen.insert(Epd::from_position(&position, EnPassantMode::Legal).to_string()) {
                    found.repeated += 1;
                } else {
                    if left.is_multiple_of(choice.every.get()) {
                        found.chosen.push(segment);
                    }
                    left += 1;
                }
            }
            let end = found.chosen.len();
            if found.ends.last().copied().unwrap_or_default() < end {
                found.ends.push(end);
            }
        }
        found
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoDeepSearches {
    /// The best moves of each completely searched position, by iteration. The positions have no order.
    pub best_moves: Vec<BestMoves>,
    pub failed: usize,
}

#[derive(Debug)]
pub enum GoDeepNotice<'a> {
    /// Number of finished positions, including positions whose search failed.
    Advanced(usize),
    /// An engine was restarted, or failed for the last time.
    Trouble(&'a str),
}

/// Searches all `positions` to `depth`, with one worker per evaluator. Ends when all positions are done or
/// `stop` is requested.
pub async fn search<E: Evaluator + 'static>(
    positions: Vec<Segment>,
    depth: u32,
    evaluators: Vec<E>,
    stop: &Stop,
    searched: &mut GoDeepSearches,
    mut watch: impl FnMut(GoDeepNotice<'_>),
) {
    // Each position is a separate task, so a failure does not affect other positions.
    let tasks: Vec<Task> =
        positions.into_iter().enumerate().map(|(game, segment)| Task { game, segment }).collect();
    let sink = |event: PoolEvent<'_>| -> Result<(), std::convert::Infallible> {
        match event {
            PoolEvent::Begins { .. } => return Ok(()),
            PoolEvent::Done { result, .. } => searched.best_moves.extend(result.iterations),
            PoolEvent::Retried { error, .. } | PoolEvent::Retired { error } => {
                watch(GoDeepNotice::Trouble(&error));
                return Ok(());
            }
            PoolEvent::Failed { error, .. } => {
                watch(GoDeepNotice::Trouble(&format!("a position is left out: {error}")));
                searched.failed += 1;
            }
        }
        watch(GoDeepNotice::Advanced(searched.best_moves.len() + searched.failed));
        Ok(())
    };
    let protocol = Protocol::new(Limit::Depth(depth), Order::Forward, 1);
    match pool::run(evaluators, tasks, protocol, PAUSE, stop, sink).await {
        Ok(()) => {}
        Err(never) => match never {},
    }
}

/// The changes of the best moves from the previous iteration to the iteration of `depth`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Iteration {
    /// The iteration's depth in plies, at least 2.
    pub depth: u32,
    /// Positions whose best move is known at this depth and at all smaller depths.
    pub positions: u64,
    /// Positions whose best move differs from the previous iteration's.
    pub changed: u64,
    /// Positions whose best move was never best before.
    pub fresh: u64,
    /// Positions that changed back to the best move of two iterations before.
    pub two_ago: u64,
    /// Positions that changed back to the best move of three iterations before, while the best move of two
    /// iterations before was another.
    pub three_ago: u64,
}

/// Counts the changes of best moves at each depth from 2 to `depth`.
pub fn iterations(best_moves: &[BestMoves], depth: u32) -> Vec<Iteration> {
    (2..=depth).map(|depth| Iteration::of(best_moves, depth)).collect()
}

impl Iteration {
    fn of(best_moves: &[BestMoves], depth: u32) -> Iteration {
        let mut counts = Iteration { depth, ..Iteration::default() };
        for moves in best_moves {
            let known = moves.get(..depth as usize).and_then(|moves| moves.iter().copied().collect());
            let Some::<Vec<_>>(moves) = known else { continue };
            let [before @ .., best] = moves.as_slice() else { continue };
            // Counted backwards from the last iteration: 0 if the best move has not changed.
            let ago = before.iter().rev().position(|earlier| earlier == best);
            counts.positions += 1;
            counts.changed += u64::from(ago != Some(0));
            counts.fresh += u64::from(ago.is_none());
            counts.two_ago += u64::from(ago == Some(1));
            counts.three_ago += u64::from(ago == Some(2));
        }
        counts
    }

    /// Returns `changed`, `fresh`, `two_ago` and `three_ago` as shares of the positions, with Wilson's 95 %
    /// intervals; `None` without positions.
    pub fn rates(&self) -> Option<[Estimate; 4]> {
        let share = |count: u64| Estimate::share(count, self.positions);
        Some([share(self.changed)?, share(self.fresh)?, share(self.two_ago)?, share(self.three_ago)?])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::pgn::parse_games;

    /// Returns one best move for each letter; `-` is an iteration without a known best move.
    fn moves(letters: &str) -> BestMoves {
        let best =
            |letter: char| (letter != '-').then(|| format!("{letter}2{letter}3").parse().expect("a move"));
        letters.chars().map(best).collect()
    }

    #[test]
    fn changes_are_told_by_when_the_move_was_best() {
        let of = |letters: &str| {
            let depth = letters.len() as u32;
            let one = Iteration::of(&[moves(letters)], depth);
            (one.positions, one.changed, one.fresh, one.two_ago, one.three_ago)
        };
        assert_eq!(of("aa"), (1, 0, 0, 0, 0));
        assert_eq!(of("ab"), (1, 1, 1, 0, 0));
        assert_eq!(of("aba"), (1, 1, 0, 1, 0));
        assert_eq!(of("abca"), (1, 1, 0, 0, 1));
        assert_eq!(of("abcda"), (1, 1, 0, 0, 0), "four ago is neither fresh nor any of the two");
        assert_eq!(of("abab"), (1, 1, 0, 1, 0));
        assert_eq!(of("a-a"), (0, 0, 0, 0, 0));
        assert_eq!(Iteration::of(&[moves("ab")], 3).positions, 0, "not searched so deep");
        assert_eq!(Iteration::default().rates(), None);
    }

    fn chosen(pgn: &str, choice: PositionFilter) -> (Vec<usize>, usize, usize) {
        let games: Vec<Game> =
            parse_games(pgn, "test").into_iter().map(|game| game.expect("a game")).collect();
        let found = Positions::of(&games, choice);
        (found.chosen.iter().map(Segment::first).collect(), found.forced, found.repeated)
    }

    fn every(every: usize, skip_moves: u32) -> PositionFilter {
        PositionFilter { skip_moves, every: NonZeroUsize::new(every).expect("above 0") }
    }

    #[test]
    fn positions_are_taken_once_and_only_where_there_is_a_choice() {
        // Fool's mate: the last position is over.
        let mate = "1. f3 e5 2. g4 Qh4# 0-1\n\n";
        assert_eq!(chosen(mate, every(1, 0)), (vec![0, 1, 2, 3], 0, 0));
        assert_eq!(chosen(&mate.repeat(2), every(1, 0)), (vec![0, 1, 2, 3], 0, 4));
        assert_eq!(chosen(mate, every(3, 0)), (vec![0, 3], 0, 0));
        assert_eq!(chosen(mate, every(1, 1)), (vec![2, 3], 0, 0));
        // The check leaves one move.
        let forced = "[FEN \"7k/8/8/8/8/8/r7/1r5K w - - 0 1\"]\n\n*";
        assert_eq!(chosen(forced, every(1, 0)), (vec![], 0, 0), "mate");
        let forced = "[FEN \"7k/8/8/8/8/8/8/r6K w - - 0 1\"]\n\n*";
        assert_eq!(chosen(forced, every(1, 0)).1, 0, "two squares");
        let forced = "[FEN \"7k/8/8/8/8/7p/8/r6K w - - 0 1\"]\n\n*";
        assert_eq!(chosen(forced, every(1, 0)), (vec![], 1, 0));
    }

    proptest! {
        #[test]
        fn a_fresh_or_returning_move_is_a_change(
            lists in prop::collection::vec("[abc-]{0,9}", 0..20), depth in 2u32..10,
        ) {
            let all: Vec<BestMoves> = lists.iter().map(|letters| moves(letters)).collect();
            for one in iterations(&all, depth) {
                prop_assert!(one.fresh + one.two_ago + one.three_ago <= one.changed);
                prop_assert!(one.changed <= one.positions && one.positions <= all.len() as u64);
            }
        }
    }
}
