//! The answer to a `go`: a search that is watched and reported, or the choice of a player at a level.

use std::{
    hash::BuildHasher, hash::RandomState, io::Write, num::NonZeroU32, ops::ControlFlow, time::Duration,
    time::Instant,
};

use shakmaty::{ByColor, CastlingMode, Chess, Move, Position};

use super::{output::Output, settings::Settings, worker::Control};
use crate::chess::{Clock, GameSoFar, SignedScore};
use crate::engine::builtin::bench::nodes_a_second;
use crate::engine::builtin::thinking_time::{Stopwatch, ThinkingTime};
use crate::engine::chess_engine::{Chances, ChessEngine, Limits, Root, SearchHooks, SearchResult, Variation};
use crate::engine::levels::{Level, LevelPlayer};
use crate::engine::uci::command::Go;
use crate::engine::uci::engine_line::{EngineLine, Info};

/// Interval of the lines that show progress between two depths.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

pub(super) struct SearchTask {
    root: Root,
    limits: Limits,
    time: Option<ThinkingTime>,
    mate: Option<u32>,
    ponder: bool,
    /// True if the best move is reported only after a stop.
    until_stop: bool,
    mode: CastlingMode,
    /// The conversion of scores to chances; `None` if chances are not reported.
    chances: Option<Chances>,
    begun: Instant,
}

impl SearchTask {
    /// Makes a search from a `go` received at `begun`.
    pub(super) fn new(
        go: &Go,
        root: Root,
        settings: &Settings,
        chances: Chances,
        begun: Instant,
    ) -> SearchTask {
        let time = thinking_time(go, root.position().chess(), settings.overhead);
        let is_limited = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || time.is_some();
        let search_moves = legal_moves(go, &root);
        SearchTask {
            limits: Limits {
                depth: go.depth.filter(|_| !go.infinite),
                nodes: go.nodes.filter(|_| !go.infinite),
                multi_pv: settings.multi_pv,
                search_moves,
            },
            time: time.filter(|_| !go.infinite),
            mate: go.mate.filter(|_| !go.infinite),
            ponder: go.ponder,
            until_stop: go.infinite || !is_limited,
            mode: settings.mode,
            chances: settings.shows_chances.then_some(chances),
            root,
            begun,
        }
    }

    /// Returns true if moves were requested but none of them is legal. All moves are then searched.
    pub(super) fn has_no_move_asked_for(&self, go: &Go) -> bool {
        !go.searchmoves.is_empty() && self.limits.search_moves.is_empty()
    }

    /// Searches, waits for `stop` or `ponderhit` if necessary, and reports the best move.
    pub(super) fn run<W: Write>(self, engine: &mut ChessEngine, control: &Control, output: &Output<W>) {
        let clock = match self.ponder {
            true => Stopwatch::pondering(self.begun, self.time),
            false => Stopwatch::start(self.begun, self.time),
        };
        let mut watch = TaskWatch { task: &self, control, output, clock, told: None, alive: self.begun };
        let result = engine.search(&self.root, &self.limits, &mut watch);
        if watch.told.as_ref() != Some(&result) {
            watch.tell(&result);
        }
        if self.until_stop || self.ponder {
            control.wait_for_stop(!self.until_stop);
        }
        let moves = result.variations.first().map_or(&[][..], |line| line.moves.as_slice());
        let uci = |ply: usize| moves.get(ply).map(|m| m.to_uci(self.mode));
        output.say(&EngineLine::BestMove { best: uci(0), ponder: uci(1) });
    }
}

/// Returns the time for the move, if it is limited. `movetime` takes precedence over the clocks. If only the
/// opponent's clock is given, the side to move has no time left.
pub(crate) fn thinking_time(go: &Go, chess: &Chess, overhead: Duration) -> Option<ThinkingTime> {
    if let Some(time) = go.movetime {
        return Some(ThinkingTime::exactly(Duration::from_millis(time), overhead));
    }
    go.wtime.or(go.btime)?;
    let left = |time: Option<i64>| Duration::from_millis(time.and_then(|ms| ms.try_into().ok()).unwrap_or(0));
    let increment = |time: Option<u64>| Duration::from_millis(time.unwrap_or(0));
    let clock = Clock {
        left: ByColor { white: left(go.wtime), black: left(go.btime) },
        increment: ByColor { white: increment(go.winc), black: increment(go.binc) },
        moves_to_go: go.movestogo.and_then(NonZeroU32::new),
    };
    Some(ThinkingTime::of_clock(&clock, chess.turn(), overhead).among(chess.legal_moves().len()))
}

/// Returns the requested moves that are legal. If there are none, all moves are searched.
fn legal_moves(go: &Go, root: &Root) -> Vec<Move> {
    let chess = root.position().chess();
    go.searchmoves.iter().filter_map(|uci| uci.to_move(chess).ok()).collect()
}

/// Watches a search and reports its progress.
struct TaskWatch<'a, W> {
    task: &'a SearchTask,
    control: &'a Control,
    output: &'a Output<W>,
    clock: Stopwatch,
    told: Option<SearchResult>,
    alive: Instant,
}

impl<W: Write> TaskWatch<'_, W> {
    fn tell(&mut self, result: &SearchResult) {
        for (rank, line) in (1..).zip(&result.variations) {
            self.output.say(&EngineLine::Info(self.info(result, rank, line)));
        }
        self.told = Some(result.clone());
        self.alive = Instant::now();
    }

    fn info(&self, result: &SearchResult, rank: u32, line: &Variation) -> Info {
        Info {
            depth: Some(result.depth),
            seldepth: Some(result.deepest_ply),
            multipv: Some(rank),
            score: Some(line.score),
            wdl: self.chances(line),
            hashfull: Some(result.table_permille),
            pv: line.moves.iter().map(|m| m.to_uci(self.task.mode)).collect(),
            ..self.speed(result.nodes)
        }
    }

    /// Returns the chances for a line's score, if they are to be reported. A line without moves and without a
    /// mate is a draw: the game is over.
    fn chances(&self, line: &Variation) -> Option<[u16; 3]> {
        let chances = self.task.chances?;
        match line.score {
            SignedScore::Cp(_) if line.moves.is_empty() => Some([0, 1000, 0]),
            score => Some(chances.of(self.task.root.position().chess(), score)),
        }
    }

    /// Returns nodes, speed and time, the data of a progress line between two depths.
    fn speed(&self, nodes: u64) -> Info {
        let time = self.task.begun.elapsed();
        Info {
            nodes: Some(nodes),
            nps: Some(nodes_a_second(nodes, time)),
            time_ms: u64::try_from(time.as_millis()).ok(),
            ..Info::default()
        }
    }

    /// Returns whether the search has found the requested mate.
    fn has_mate(&self, result: &SearchResult) -> bool {
        let score = result.variations.first().map(|line| line.score);
        match (self.task.mate, score) {
            (Some(wanted), Some(SignedScore::Mate(moves))) => moves > 0 && moves.unsigned_abs() <= wanted,
            _ => false,
        }
    }
}

impl<W: Write> SearchHooks for TaskWatch<'_, W> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        if let Some(at) = self.control.hit_at() {
            self.clock.start_clock(at);
        }
        if self.alive.elapsed() >= SIGN_OF_LIFE {
            self.output.say(&EngineLine::Info(self.speed(nodes)));
            self.alive = Instant::now();
        }
        self.control.is_stopped() || self.clock.is_over()
    }

    fn depth_finished(&mut self, result: &SearchResult) -> ControlFlow<()> {
        self.tell(result);
        let best = result.variations.first().and_then(|line| line.moves.first()).copied();
        if self.has_mate(result) || self.control.is_stopped() {
            return ControlFlow::Break(());
        }
        self.clock.depth_finished(best)
    }
}

/// A request for a move at a level. The choice takes a few milliseconds, whatever the limits of the search.
pub(super) struct LevelTask {
    game: GameSoFar,
    level: Level,
    /// The moves to choose from; empty for all legal moves.
    among: Vec<Move>,
    ponder: bool,
    until_stop: bool,
    begun: Instant,
}

impl LevelTask {
    pub(super) fn new(go: &Go, game: &GameSoFar, level: Level, begun: Instant) -> LevelTask {
        let position = game.position();
        let among = go.searchmoves.iter().filter_map(|uci| uci.to_move(&position).ok()).collect();
        LevelTask { game: game.clone(), level, among, ponder: go.ponder, until_stop: go.infinite, begun }
    }

    /// Returns true if moves were requested but none of them is legal. All moves are then possible.
    pub(super) fn has_no_move_asked_for(&self, go: &Go) -> bool {
        !go.searchmoves.is_empty() && self.among.is_empty()
    }

    /// Chooses a move, waits for `stop` or `ponderhit` if necessary, and reports the move.
    pub(super) fn run<W: Write>(self, control: &Control, output: &Output<W>) {
        // A random number from 0 to below 1, made of 32 bits.
        let lot = f64::from(RandomState::new().hash_one(0) as u32) / 2f64.powi(32);
        let chosen = LevelPlayer::default().choose(&self.game, self.level, &self.among, lot);
        let best = chosen.map(|choice| choice.chosen.to_uci(self.game.mode()));
        if let Some(choice) = chosen {
            output.say(&EngineLine::Info(Info {
                depth: Some(LevelPlayer::DEPTH),
                score: Some(choice.score),
                time_ms: u64::try_from(self.begun.elapsed().as_millis()).ok(),
                pv: best.into_iter().collect(),
                ..Info::default()
            }));
        }
        if self.until_stop || self.ponder {
            control.wait_for_stop(!self.until_stop);
        }
        output.say(&EngineLine::BestMove { best, ponder: None });
    }
}
