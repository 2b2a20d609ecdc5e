//! [`Segment`]: consecutive positions of one game that one engine searches with one transposition table. A
//! segment is the unit of searching, storing and resuming.

use std::sync::Arc;

use shakmaty::{CastlingMode, Chess, Color, Move, Position, uci::UciMove};

use crate::chess::{
    evaluation::Evaluation, evaluation::Order, evaluation::Protocol, game, game::Game, player::GameSoFar,
};

/// Consecutive positions of a game, with everything an engine needs to search them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    line: Arc<UciGame>,
    first: usize,
    /// Last ply of the segment, inclusive.
    last: usize,
    searches: Vec<usize>,
    /// The moves searched at the root; empty for all.
    root_moves: Vec<UciMove>,
}

#[derive(Debug, PartialEq, Eq)]
struct UciGame {
    start: Chess,
    mode: CastlingMode,
    moves: Vec<UciMove>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnsearchableError {
    #[error("ply {ply}: the move {written} is illegal")]
    IllegalMove { ply: usize, written: UciMove },
    #[error("the position has no legal move")]
    NoMoves,
    #[error("a search limited to certain moves needs one position, not {positions}")]
    SeveralPositions { positions: usize },
}

/// A ply and the evaluation of the position after that many plies.
pub type PlyEvaluation = (usize, Evaluation);

impl Segment {
    /// Cuts the positions of a game into segments: from its start for [`Order::Forward`], from its end for
    /// [`Order::Backward`]. The last segment may be shorter. Positions without legal moves need no search,
    /// and a segment of only such positions is left out.
    pub fn cut(game: &Game, protocol: &Protocol) -> Vec<Segment> {
        let line = Arc::new(UciGame {
            start: game.start.clone(),
            mode: game.mode,
            moves: game.moves.iter().map(|played| played.uci).collect(),
        });
        let positions: Vec<Chess> = game.positions().collect();
        let segments = ranges(positions.len(), protocol).into_iter();
        segments.filter_map(|range| Segment::of_range(&line, &positions, range, protocol.order)).collect()
    }

    /// Returns the segment from ply `first` to the last position of the game of `moves`. Given the start,
    /// moves, first ply and order of a segment from [`Segment::cut`], returns an equal segment. `None` if a
    /// move is illegal, or if no position needs a search.
    pub fn of_line(
        start: Chess,
        mode: CastlingMode,
        moves: Vec<UciMove>,
        first: usize,
        order: Order,
    ) -> Option<Segment> {
        let mut positions = vec![start.clone()];
        for uci in &moves {
            let mut position = positions.last()?.clone();
            let m = uci.to_move(&position).ok()?;
            position.play_unchecked(m);
            positions.push(position);
        }
        let last = moves.len();
        Segment::of_range(&Arc::new(UciGame { start, mode, moves }), &positions, (first, last), order)
    }

    /// Returns the segment from `first` to `last` of a line, if at least one of its positions needs a search.
    /// `positions` has all positions of the line.
    fn of_range(
        line: &Arc<UciGame>,
        positions: &[Chess],
        (first, last): (usize, usize),
        order: Order,
    ) -> Option<Segment> {
        let searchable = |ply: &usize| Evaluation::terminal(&positions[*ply]).is_none();
        let mut searches: Vec<usize> = (first..=last).filter(searchable).collect();
        if order == Order::Backward {
            searches.reverse();
        }
        let segment = Segment { line: line.clone(), first, last, searches, root_moves: Vec::new() };
        (!segment.searches.is_empty()).then_some(segment)
    }

    /// Returns a segment of one position: the position after the game's first `ply` moves and `best`. It
    /// equals the segment that [`Segment::cut`] makes for the last position of a game with only these moves,
    /// if segments have one position.
    pub fn choice(game: &Game, ply: usize, best: Move) -> Segment {
        let played = game.moves[..ply].iter().map(|played| played.uci);
        let moves = played.chain([best.to_uci(game.mode)]).collect();
        Segment::last_of(UciGame { start: game.start.clone(), mode: game.mode, moves })
    }

    /// Returns a segment of only the last position of a game so far. It is an error if a move is illegal, or
    /// if the last position has no legal move.
    pub fn end_of(game: &GameSoFar) -> Result<Segment, UnsearchableError> {
        let mut position = game.start().clone();
        let mut moves = Vec::with_capacity(game.moves().len());
        for (ply, &written) in game.moves().iter().enumerate() {
            let illegal = || UnsearchableError::IllegalMove { ply: ply + 1, written };
            let m = written.to_move(&position).map_err(|_| illegal())?;
            moves.push(m.to_uci(game.mode()));
            position.play_unchecked(m);
        }
        if Evaluation::terminal(&position).is_some() {
            return Err(UnsearchableError::NoMoves);
        }
        Ok(Segment::last_of(UciGame { start: game.start().clone(), mode: game.mode(), moves }))
    }

    fn last_of(line: UciGame) -> Segment {
        let ply = line.moves.len();
        Segment { line: Arc::new(line), first: ply, last: ply, searches: vec![ply], root_moves: Vec::new() }
    }

    /// Restricts the search to `moves`, in this order. It is an error unless the segment searches exactly one
    /// position and each move is legal in it.
    pub fn restricted_to(mut self, moves: &[UciMove]) -> Result<Segment, UnsearchableError> {
        let &[ply] = self.searches.as_slice() else {
            return Err(UnsearchableError::SeveralPositions { positions: self.searches.len() });
        };
        let position = self.position(ply);
        let legal = moves.iter().map(|&written| {
            let illegal = UnsearchableError::IllegalMove { ply: ply + 1, written };
            game::legal_uci(written, &position, self.mode()).ok_or(illegal)
        });
        self.root_moves = legal.collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Returns the segment with only its first `positions` searches.
    pub fn beginning(&self, positions: usize) -> Segment {
        let mut segment = self.clone();
        segment.searches.truncate(positions);
        segment
    }

    /// Returns the moves searched at the root; empty for all.
    pub fn root_moves(&self) -> &[UciMove] {
        &self.root_moves
    }

    /// Returns the plies to search, in the order of searching.
    pub fn searches(&self) -> &[usize] {
        &self.searches
    }

    /// Returns the segment's first ply.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Returns the FEN of the game's start; `None` for the usual start position.
    pub fn start_fen(&self) -> Option<String> {
        game::start_fen(&self.line.start)
    }

    /// Returns the rules of castling.
    pub fn mode(&self) -> CastlingMode {
        self.line.mode
    }

    /// Returns the first `ply` moves of the game.
    pub fn moves_to(&self, ply: usize) -> &[UciMove] {
        &self.line.moves[..ply]
    }

    /// Returns the game's moves up to the segment's last position.
    pub fn moves(&self) -> &[UciMove] {
        self.moves_to(self.last)
    }

    /// Returns the side to move after `ply` moves.
    pub fn turn(&self, ply: usize) -> Color {
        let first = self.line.start.turn();
        if ply.is_multiple_of(2) { first } else { !first }
    }

    /// Returns the positions of the segment, each with the number of plies before it.
    pub fn positions(&self) -> impl Iterator<Item = (usize, Chess)> {
        let plies = self.first..=self.last;
        let mut position = self.position(self.first);
        plies.map(move |ply| {
            if ply > self.first {
                play(&mut position, self.line.moves[ply - 1]);
            }
            (ply, position.clone())
        })
    }

    /// Returns the position after `ply` moves.
    pub fn position(&self, ply: usize) -> Chess {
        let mut position = self.line.start.clone();
        self.moves_to(ply).iter().for_each(|&uci| play(&mut position, uci));
        position
    }
}

fn play(position: &mut Chess, uci: UciMove) {
    let m = uci.to_move(position).expect("a move that was replayed when read");
    position.play_unchecked(m);
}

/// Returns the first and last ply of each segment of a game with `positions` positions.
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
    use shakmaty::CastlingSide;

    use super::*;
    use crate::chess::{evaluation::Limit, pgn::parse_games};

    fn protocol(order: Order, segment: usize) -> Protocol {
        Protocol::new(Limit::Depth(1), order, segment)
    }

    #[test]
    fn backward_cuts_from_the_end_and_forward_from_the_start() {
        assert_eq!(ranges(20, &protocol(Order::Backward, 16)), [(4, 19), (0, 3)]);
        assert_eq!(ranges(20, &protocol(Order::Forward, 16)), [(0, 15), (16, 19)]);
        assert_eq!(ranges(16, &protocol(Order::Backward, 16)), [(0, 15)]);
        assert_eq!(ranges(1, &protocol(Order::Forward, 16)), [(0, 0)]);
    }

    /// Returns the last segment of a game of `moves`, if each segment has one position.
    fn last_alone(moves: &str, order: Order) -> Segment {
        let game = parse_games(moves, "test").remove(0).expect("a game");
        let segments = Segment::cut(&game, &protocol(order, 1));
        segments.into_iter().max_by_key(Segment::first).expect("a segment")
    }

    #[test]
    fn a_segment_is_made_again_of_its_line() {
        let moves = "1. f3 e5 2. g4 Qh4# *";
        let game = parse_games(moves, "test").remove(0).expect("a game");
        for order in [Order::Backward, Order::Forward] {
            for segment in Segment::cut(&game, &protocol(order, 2)) {
                let start = game.start.clone();
                let moves = segment.moves().to_vec();
                let again =
                    Segment::of_line(start, game.mode, moves, segment.first(), order).expect("a segment");
                let parts = |s: &Segment| (s.first(), s.searches().to_vec(), s.moves().to_vec());
                assert_eq!(parts(&again), parts(&segment));
            }
        }
        let mated: Vec<UciMove> = game.moves.iter().map(|played| played.uci).collect();
        assert_eq!(Segment::of_line(game.start.clone(), game.mode, mated.clone(), 4, Order::Forward), None);
        let illegal = vec![mated[0]; 2];
        assert_eq!(Segment::of_line(game.start, game.mode, illegal, 0, Order::Forward), None);
    }

    #[test]
    fn a_choice_is_the_last_segment_of_a_game_that_ends_with_it() {
        let game = parse_games("1. e4 e5 2. Nf3 Nc6 *", "test").remove(0).expect("a game");
        let position = game.positions().nth(2).expect("a position");
        let best = "f2f4".parse::<UciMove>().expect("a move").to_move(&position).expect("a legal one");
        let choice = Segment::choice(&game, 2, best);
        for order in [Order::Backward, Order::Forward] {
            assert_eq!(choice, last_alone("1. e4 e5 2. f4 *", order));
        }
        assert_eq!((choice.first(), choice.searches()), (3, [3].as_slice()));
    }

    fn so_far(moves: &str) -> GameSoFar {
        let mut game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        moves.split_whitespace().for_each(|uci| game.push(uci.parse().expect("a move")));
        game
    }

    #[test]
    fn the_end_of_a_game_so_far_is_a_segment_of_its_own() {
        let end = Segment::end_of(&so_far("e2e4 e7e5 f2f4")).expect("a position");
        assert_eq!(end, last_alone("1. e4 e5 2. f4 *", Order::Forward));
        let error = |moves: &str| Segment::end_of(&so_far(moves)).expect_err("unsearchable").to_string();
        assert_eq!(error("e2e4 e2e4"), "ply 2: the move e2e4 is illegal");
        assert_eq!(error("f2f3 e7e5 g2g4 d8h4"), "the position has no legal move");
    }

    #[test]
    fn a_search_of_some_moves_needs_one_position_that_has_them() {
        let end = || Segment::end_of(&so_far("e2e4")).expect("a position");
        let moves = ["e7e5", "c7c5"].map(|uci| uci.parse().expect("a move"));
        let some = end().restricted_to(&moves).expect("legal moves");
        assert_eq!((some.root_moves(), some.moves()), (moves.as_slice(), end().moves()));
        assert_ne!(some, end());
        assert_eq!(end().restricted_to(&[]), Ok(end()));
        let error = end().restricted_to(&["e2e4".parse().expect("a move")]).expect_err("White's").to_string();
        assert_eq!(error, "ply 2: the move e2e4 is illegal");
        let game = parse_games("1. e4 e5 *", "test").remove(0).expect("a game");
        let several = Segment::cut(&game, &protocol(Order::Backward, 16)).remove(0);
        let error = several.restricted_to(&moves).expect_err("three positions").to_string();
        assert_eq!(error, "a search limited to certain moves needs one position, not 3");
    }

    #[test]
    fn castling_is_written_as_the_game_has_it() {
        const SHUFFLED: &str =
            "[Variant \"Chess960\"]\n[FEN \"rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1\"]\n\n*";
        const USUAL: &str = "[FEN \"4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1\"]\n\n*";
        for (pgn, castles) in [(SHUFFLED, "b1e1"), (USUAL, "e1g1")] {
            let game = parse_games(pgn, "test").remove(0).expect("a game");
            let moves = game.start.legal_moves();
            let castling = moves.into_iter().find(|m| m.castling_side() == Some(CastlingSide::KingSide));
            let choice = Segment::choice(&game, 0, castling.expect("a legal move"));
            assert_eq!(choice.moves(), [castles.parse().expect("a move")]);
        }
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
