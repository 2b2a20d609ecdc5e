//! [`BuiltinEngine`]: the built-in engine as an evaluator and player. It adds a clock, which the search
//! itself lacks.

use std::{ops::ControlFlow, time::Duration};

use shakmaty::{CastlingMode, Chess, Color, Move, Position, uci::UciMove};

use crate::base::work::Stop;
use crate::chess::{
    BestMoves, ChosenMove, Evaluation, GameSoFar, IsOver, Limit, MoveLimit, Protocol, RankedLine,
    RankingLimits, Score, Segment, SegmentResult, SignedScore, Wdl,
};
use crate::engine::builtin::thinking_time::Instant;
use crate::engine::builtin::thinking_time::{Stopwatch, ThinkingTime};
use crate::engine::chess_engine::{
    ChessEngine, EngineWeights, IllegalMove, Limits, Root, SearchHooks, SearchResult, Variation,
};

/// Delay between the engine and its clock: none, because they share a process.
const OVERHEAD: Duration = Duration::ZERO;

/// The built-in engine on the caller's thread; wrap it in `Blocking` to await it.
///
/// Each segment starts with an empty transposition table. So equal segments get equal evaluations, except for
/// times.
pub struct BuiltinEngine {
    engine: ChessEngine,
}

/// The reason why the engine did not search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BuiltinError {
    /// A move that is not legal in its position: a move of the game, or a move requested for the search.
    #[error("the move {0} is illegal")]
    IllegalMove(UciMove),
}

impl BuiltinEngine {
    /// Makes an engine with a transposition table of `megabytes` (at least 1).
    pub fn new(megabytes: usize) -> BuiltinEngine {
        BuiltinEngine { engine: ChessEngine::new(megabytes) }
    }

    /// Makes an engine with these weights and a transposition table of `megabytes` (at least 1).
    pub fn with_weights(megabytes: usize, weights: impl Into<EngineWeights>) -> BuiltinEngine {
        let mut engine = ChessEngine::new(megabytes);
        engine.set_weights(weights);
        BuiltinEngine { engine }
    }

    fn search(&mut self, root: &Root, limits: &Limits, watch: &mut SearchWatch<'_>) -> SearchResult {
        self.engine.search(root, limits, watch)
    }

    fn evaluate_ply(
        &mut self,
        segment: &Segment,
        ply: usize,
        protocol: &Protocol,
        stop: &Stop,
    ) -> Result<(Evaluation, BestMoves), BuiltinError> {
        let root = replay(segment.position(0), segment.moves_to(ply))?;
        let chess = root.position().chess();
        let search_moves = legal_moves(chess, segment.root_moves())?;
        let multi_pv = protocol.lines.get() as usize;
        let limits = Limits { multi_pv, search_moves, ..limits(protocol.limit) };
        let mut watch = SearchWatch::new(stop, None, segment.mode());
        let result = self.search(&root, &limits, &mut watch);
        let turn = segment.turn(ply);
        let evaluation = evaluation(&result, turn, segment.mode(), watch.clock.elapsed());
        let wdl = result.variations.first().and_then(|line| self.wdl(&root, line.score, turn));
        Ok((Evaluation { wdl, ..evaluation }, watch.best_moves))
    }

    /// Evaluates the positions of a segment. After a request to `stop`, it returns early and the result must
    /// not be used.
    pub fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
        stop: &Stop,
    ) -> Result<SegmentResult, BuiltinError> {
        let begun = Instant::now();
        self.engine.clear();
        let mut result =
            SegmentResult { evaluations: Vec::new(), iterations: Vec::new(), busy: Duration::ZERO };
        for &ply in segment.searches() {
            let (evaluation, best_moves) = self.evaluate_ply(segment, ply, protocol, stop)?;
            result.evaluations.push((ply, evaluation));
            result.iterations.push(best_moves);
        }
        result.busy = begun.elapsed();
        Ok(result)
    }

    /// Forgets the previous game.
    pub fn new_game(&mut self) {
        self.engine.clear();
    }

    /// Chooses a move. A request to `stop` ends the search at once.
    pub fn choose(
        &mut self,
        game: &GameSoFar,
        limit: MoveLimit,
        stop: &Stop,
    ) -> Result<ChosenMove, BuiltinError> {
        let root = replay(game.start().clone(), game.moves())?;
        let (limits, time) = match limit {
            MoveLimit::Search(limit) => (limits(limit), None),
            MoveLimit::Time(time) => (Limits::default(), Some(ThinkingTime::exactly(time, OVERHEAD))),
            MoveLimit::Clock(clock) => {
                let time = ThinkingTime::of_clock(&clock, game.turn(), OVERHEAD);
                (Limits::default(), Some(time.among(root.position().chess().legal_moves().len())))
            }
        };
        let mut watch = SearchWatch::new(stop, time, game.mode());
        let result = self.search(&root, &limits, &mut watch);
        let best = result.variations.first();
        Ok(ChosenMove {
            best: best.and_then(|line| line.moves.first()).map(|m| m.to_uci(game.mode())),
            score: best.map(|line| Score::from_side_to_move(line.score, game.turn())),
            depth: Some(result.depth),
            nodes: None,
            time: watch.clock.elapsed(),
        })
    }

    /// Ranks the moves of the position at the end of a segment.
    pub fn rank(
        &mut self,
        segment: &Segment,
        limits: &RankingLimits,
        stop: &Stop,
    ) -> Result<Evaluation, BuiltinError> {
        let root = replay(segment.position(0), segment.moves())?;
        let limits_of_search = Limits {
            depth: Some(limits.depth),
            nodes: limits.nodes,
            multi_pv: limits.lines.get() as usize,
            search_moves: legal_moves(root.position().chess(), segment.root_moves())?,
        };
        let begun = Instant::now();
        let mut watch = UntilOver { stop, is_over: &limits.is_over };
        let result = self.engine.search(&root, &limits_of_search, &mut watch);
        Ok(evaluation(&result, segment.turn(segment.moves().len()), segment.mode(), begun.elapsed()))
    }

    /// Returns the chances of a win, a draw and a loss for White. `score` is in the view of `turn`, the side
    /// to move.
    fn wdl(&self, root: &Root, score: SignedScore, turn: Color) -> Option<Wdl> {
        let [win, draw, loss] = self.engine.chances(root.position(), score);
        let (white, black) = turn.fold_wb((win, loss), (loss, win));
        Wdl::new(white, draw, black)
    }
}

/// Ends a search when the time is over or the result is no longer needed.
struct UntilOver<'a> {
    stop: &'a Stop,
    is_over: &'a IsOver,
}

impl SearchHooks for UntilOver<'_> {
    fn should_stop(&mut self, _: u64) -> bool {
        self.stop.is_requested() || (self.is_over)()
    }
}

fn limits(limit: Limit) -> Limits {
    match limit {
        Limit::Depth(depth) => Limits::depth(depth),
        Limit::Nodes(nodes) => Limits::nodes(nodes),
    }
}

/// Replays a game for the search; an error if a move is illegal.
pub(crate) fn replay(start: Chess, moves: &[UciMove]) -> Result<Root, BuiltinError> {
    let mut root = Root::new(start);
    for &uci in moves {
        let illegal = BuiltinError::IllegalMove(uci);
        let m = uci.to_move(root.position().chess()).map_err(|_| illegal)?;
        root.play(m).map_err(|IllegalMove(_)| illegal)?;
    }
    Ok(root)
}

fn legal_moves(chess: &Chess, moves: &[UciMove]) -> Result<Vec<Move>, BuiltinError> {
    moves.iter().map(|&uci| uci.to_move(chess).map_err(|_| BuiltinError::IllegalMove(uci))).collect()
}

fn evaluation(result: &SearchResult, turn: Color, mode: CastlingMode, time: Duration) -> Evaluation {
    let mut lines =
        (1..).zip(&result.variations).filter_map(|(rank, line)| ranked_line(rank, line, turn, mode));
    let Some(first) = lines.next() else {
        let terminal = result.variations.first().map(|line| Score::from_side_to_move(line.score, turn));
        return Evaluation::of_score(terminal.unwrap_or(Score::DRAW));
    };
    Evaluation {
        depth: Some(result.depth),
        seldepth: Some(result.deepest_ply),
        nodes: Some(result.nodes),
        time_ms: u64::try_from(time.as_millis()).ok(),
        best: Some(first.best),
        pv: first.pv,
        alternatives: lines.collect(),
        ..Evaluation::of_score(first.score)
    }
}

fn ranked_line(rank: u32, line: &Variation, turn: Color, mode: CastlingMode) -> Option<RankedLine> {
    let pv: Vec<UciMove> = line.moves.iter().map(|m| m.to_uci(mode)).collect();
    Some(RankedLine { rank, best: *pv.first()?, score: Score::from_side_to_move(line.score, turn), pv })
}

/// Stops a search by its clock or on request, and records the best move of each depth.
struct SearchWatch<'a> {
    stop: &'a Stop,
    clock: Stopwatch,
    mode: CastlingMode,
    best_moves: BestMoves,
}

impl SearchWatch<'_> {
    fn new(stop: &Stop, time: Option<ThinkingTime>, mode: CastlingMode) -> SearchWatch<'_> {
        SearchWatch { stop, clock: Stopwatch::start(Instant::now(), time), mode, best_moves: Vec::new() }
    }
}

impl SearchHooks for SearchWatch<'_> {
    fn should_stop(&mut self, _: u64) -> bool {
        self.stop.is_requested() || self.clock.is_over()
    }

    fn depth_finished(&mut self, result: &SearchResult) -> ControlFlow<()> {
        let best = result.variations.first().and_then(|line| line.moves.first()).copied();
        self.best_moves.push(best.map(|m| m.to_uci(self.mode)));
        self.clock.depth_finished(best)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::chess::{Clock, Mate, Order, pgn::parse_games};

    fn segments(pgn: &str, protocol: &Protocol) -> Vec<Segment> {
        let game = parse_games(pgn, "test").remove(0).expect("a game");
        Segment::cut(&game, protocol)
    }

    fn evaluated(segment: &Segment, protocol: &Protocol) -> SegmentResult {
        let mut result =
            BuiltinEngine::new(1).evaluate(segment, protocol, &Stop::default()).expect("a result");
        result.busy = Duration::ZERO;
        result.evaluations.iter_mut().for_each(|(_, evaluation)| evaluation.time_ms = None);
        result
    }

    fn protocol(depth: u32) -> Protocol {
        Protocol::new(Limit::Depth(depth), Order::Backward, 16)
    }

    #[test]
    fn every_search_of_a_segment_is_answered_and_the_same_the_second_time() {
        let protocol = protocol(3);
        let segment = segments("1. e4 e5 2. Nf3 Nc6 3. Bb5 *", &protocol).remove(0);
        let result = evaluated(&segment, &protocol);
        let plies: Vec<usize> = result.evaluations.iter().map(|(ply, _)| *ply).collect();
        assert_eq!(plies, segment.searches());
        assert!(result.evaluations.iter().all(|(_, evaluation)| evaluation.depth == Some(3)));
        assert!(result.iterations.iter().all(|moves| moves.len() == 3));
        assert!(
            result
                .evaluations
                .iter()
                .all(|(_, evaluation)| evaluation.pv.first() == evaluation.best.as_ref())
        );
        assert_eq!(evaluated(&segment, &protocol), result);
    }

    #[test]
    fn scores_are_whites_view_whoever_is_to_move() {
        let protocol = protocol(2);
        // Fool's mate, one move before it, and one before that.
        let segment = segments("1. f3 e5 2. g4 Qh4# 0-1", &protocol).remove(0);
        let result = evaluated(&segment, &protocol);
        let after_g4 = result.evaluations.iter().find(|(ply, _)| *ply == 3).expect("the position after g4");
        assert_eq!(after_g4.1.score, Score::Mate(Mate { winner: Color::Black, moves: 1 }));
        assert_eq!(after_g4.1.best, "d8h4".parse().ok());
    }

    #[test]
    fn chances_are_those_of_white_whoever_moves() {
        // White is a rook ahead, first with White to move and then with Black to move.
        let pgn = "[SetUp \"1\"]\n[FEN \"4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K3 w - - 0 1\"]\n\n1. Rd1 *";
        let protocol = protocol(3);
        let segment = segments(pgn, &protocol).remove(0);
        for (ply, evaluation) in evaluated(&segment, &protocol).evaluations {
            let wdl = evaluation.wdl.expect("chances");
            assert!(wdl.win > 2 * wdl.loss + 100, "ply {ply}: {wdl:?}");
        }
    }

    #[test]
    fn as_many_lines_are_given_as_the_protocol_asks_for() {
        let protocol = Protocol { lines: NonZeroU32::new(3).expect("three"), ..protocol(2) };
        let segment = segments("1. e4 *", &protocol).remove(0);
        let (_, evaluation) = evaluated(&segment, &protocol).evaluations.remove(0);
        assert_eq!(evaluation.alternatives.iter().map(|line| line.rank).collect::<Vec<_>>(), [2, 3]);
        let firsts: Vec<UciMove> = evaluation.lines().map(|line| line.best).collect();
        assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2]);
    }

    #[test]
    fn only_the_root_moves_of_a_segment_are_searched() {
        let game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        let only: UciMove = "h2h4".parse().expect("a move");
        let segment =
            Segment::end_of(&game).and_then(|segment| segment.restricted_to(&[only])).expect("a segment");
        assert_eq!(evaluated(&segment, &protocol(3)).evaluations[0].1.best, Some(only));
    }

    #[test]
    fn a_player_moves_by_depth_by_time_and_by_clock() {
        let mut engine = BuiltinEngine::new(1);
        engine.new_game();
        let mut game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        for uci in ["f2f3", "e7e5", "g2g4"] {
            game.push(uci.parse().expect("a move"));
        }
        let second = Duration::from_secs(1);
        let clock = Clock {
            left: shakmaty::ByColor { white: second, black: second },
            increment: shakmaty::ByColor { white: Duration::ZERO, black: Duration::ZERO },
            moves_to_go: None,
        };
        let time = Duration::from_millis(30);
        for limit in [MoveLimit::Search(Limit::Depth(2)), MoveLimit::Time(time), MoveLimit::Clock(clock)] {
            let chosen = engine.choose(&game, limit, &Stop::default()).expect("a move");
            assert_eq!(chosen.best, "d8h4".parse().ok());
        }
    }

    #[test]
    fn a_requested_stop_ends_the_search() {
        let stop = Stop::default();
        stop.request();
        let game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        let chosen = BuiltinEngine::new(1).choose(&game, MoveLimit::Search(Limit::Depth(100)), &stop);
        assert!(chosen.expect("a move").best.is_some());
    }

    #[test]
    fn an_illegal_game_is_an_error_that_names_the_move() {
        let mut game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        game.push("e2e5".parse().expect("a move"));
        let error = BuiltinEngine::new(1).choose(&game, MoveLimit::Search(Limit::Depth(1)), &Stop::default());
        assert_eq!(error.expect_err("an illegal move").to_string(), "the move e2e5 is illegal");
    }
}
