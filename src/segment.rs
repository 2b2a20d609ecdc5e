//! Owns [`Segment`]: consecutive positions of one game that one engine process searches with one
//! hash table, the unit of searching, storing and resuming.

use std::sync::Arc;

use shakmaty::{CastlingMode, Chess, Color, Position, uci::UciMove};

use crate::{
    evaluation::{Evaluation, Order, Protocol},
    game::{self, Game},
};

/// Consecutive positions of a game, and all that an engine must be told to search them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    line: Arc<Line>,
    /// First ply of the segment.
    first: usize,
    /// Last ply of the segment, itself included.
    last: usize,
    /// The plies to search, in the order of searching.
    searches: Vec<usize>,
}

/// A game as UCI sees it.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    start: Chess,
    mode: CastlingMode,
    moves: Vec<UciMove>,
}

/// The evaluation of the position after so many plies.
pub type PlyEvaluation = (usize, Evaluation);

impl Segment {
    /// Cuts the positions of a game: for [`Order::Backward`] from its end, for
    /// [`Order::Forward`] from its start, the remainder at the other end being shorter. Positions
    /// without legal moves need no search, and a segment of nothing else is left out.
    pub fn cut(game: &Game, protocol: &Protocol) -> Vec<Segment> {
        let line = Arc::new(Line {
            start: game.start.clone(),
            mode: game.mode,
            moves: game.moves.iter().map(|played| played.uci).collect(),
        });
        let positions: Vec<Chess> = game.positions().collect();
        let searchable = |ply: &usize| Evaluation::terminal(&positions[*ply]).is_none();
        let segments = ranges(positions.len(), protocol).into_iter().map(|(first, last)| {
            let mut searches: Vec<usize> = (first..=last).filter(searchable).collect();
            if protocol.order == Order::Backward {
                searches.reverse();
            }
            Segment { line: line.clone(), first, last, searches }
        });
        segments.filter(|segment| !segment.searches.is_empty()).collect()
    }

    /// The plies to search, in the order of searching.
    pub fn searches(&self) -> &[usize] {
        &self.searches
    }

    /// The segment's first ply.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The FEN of the game's start; `None` for the usual position.
    pub fn start_fen(&self) -> Option<String> {
        // Texts, since positions are equal whatever their counters of moves say.
        let fen = game::fen(&self.line.start);
        (fen != game::fen(&Chess::default())).then_some(fen)
    }

    /// How castling is played and written.
    pub fn mode(&self) -> CastlingMode {
        self.line.mode
    }

    /// The moves that lead from the game's start to the position after `ply` of them.
    pub fn moves_to(&self, ply: usize) -> &[UciMove] {
        &self.line.moves[..ply]
    }

    /// The moves that lead to the segment's last position: with the start they determine the
    /// segment.
    pub fn moves(&self) -> &[UciMove] {
        self.moves_to(self.last)
    }

    /// The side to move after `ply` moves.
    pub fn turn(&self, ply: usize) -> Color {
        let first = self.line.start.turn();
        if ply.is_multiple_of(2) { first } else { !first }
    }

    /// The position after `ply` moves.
    pub fn position(&self, ply: usize) -> Chess {
        let mut position = self.line.start.clone();
        for uci in self.moves_to(ply) {
            let m = uci.to_move(&position).expect("a move that was replayed when read");
            position.play_unchecked(m);
        }
        position
    }
}

/// First and last ply of each segment of a game with `positions` positions.
fn ranges(positions: usize, protocol: &Protocol) -> Vec<(usize, usize)> {
    let length = protocol.segment.max(1);
    match protocol.order {
        Order::Forward => {
            (0..positions).step_by(length).map(|first| (first, (first + length).min(positions) - 1)).collect()
        }
        Order::Backward => {
            (1..=positions).rev().step_by(length).map(|end| (end.saturating_sub(length), end - 1)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evaluation::Limit;

    fn protocol(order: Order, segment: usize) -> Protocol {
        Protocol { limit: Limit::Depth(1), order, segment }
    }

    #[test]
    fn backward_cuts_from_the_end_and_forward_from_the_start() {
        assert_eq!(ranges(20, &protocol(Order::Backward, 16)), [(4, 19), (0, 3)]);
        assert_eq!(ranges(20, &protocol(Order::Forward, 16)), [(0, 15), (16, 19)]);
        assert_eq!(ranges(16, &protocol(Order::Backward, 16)), [(0, 15)]);
        assert_eq!(ranges(1, &protocol(Order::Forward, 16)), [(0, 0)]);
    }

    proptest! {
        #[test]
        fn every_position_is_in_one_segment(positions in 1usize..300, length in 1usize..40) {
            for order in [Order::Backward, Order::Forward] {
                let ranges = ranges(positions, &protocol(order, length));
                let mut plies: Vec<usize> = ranges.iter().flat_map(|&(first, last)| first..=last).collect();
                prop_assert!(ranges.iter().all(|(first, last)| last - first < length));
                plies.sort_unstable();
                prop_assert_eq!(plies, (0..positions).collect::<Vec<_>>());
            }
        }
    }
}
