//! Owns the facts of a tournament's moves and players, before any choice of method.

use shakmaty::Color;

use crate::chess::{Clip, ExactScale, Metric, MoveEvals, MoveVerdict, Phase, Score, Valuation};

#[derive(Debug, Clone, PartialEq)]
pub struct PlayerFacts {
    pub name: String,
    /// The Elo tag of each game that has one.
    pub elo_tags: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Appearance {
    pub game: u32,
    pub player: u32,
    pub color: Color,
    pub round: Option<u32>,
    pub half_points: Option<u32>,
    /// The accuracy of the whole game in percent; `None` without a move.
    pub accuracy: Option<f64>,
}

/// A move, as far as some choice of method depends on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveFacts {
    /// The game's place among the games.
    pub game: u32,
    /// The mover's place among the players.
    pub player: u32,
    /// The side that moved.
    pub mover: Color,
    /// The move's number, from 1.
    pub number: u32,
    /// The round of the game, where its tag has one.
    pub round: Option<u32>,
    /// The year of the game, where its tags tell.
    pub year: Option<u16>,
    /// The phase of the game before the move.
    pub phase: Phase,
    /// Whether it was the only legal move.
    pub forced: bool,
    /// What the engine said before it; `None` of a first move before which nothing is recorded.
    pub before: Option<Valuation>,
    /// What the engine said after it.
    pub after: Valuation,
    /// Whether it was the engine's choice; `None` where that is not known.
    pub first_choice: Option<bool>,
    /// What the engine said after its own choice; `None` where nobody asked.
    pub own: Option<Valuation>,
    /// What lichess makes of it.
    pub verdict: MoveVerdict,
}

/// What decides whether a move counts: a move in its game, without its gain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveContext {
    pub mover: Color,
    /// The move's number, from 1.
    pub number: u32,
    pub round: Option<u32>,
    pub phase: Phase,
    pub forced: bool,
    /// How far from level the position before the move was; see [`distance_from_level`].
    pub level: Option<u32>,
}

/// Returns how far from level a position of that score is, in centipawns; `None` for a mate, and where the
/// score is not known.
pub fn distance_from_level(score: Option<Score>) -> Option<u32> {
    score?.cp().map(i32::unsigned_abs)
}

impl MoveFacts {
    /// Returns the evaluations that the gain of the move is taken between; `None` where nothing is
    /// recorded before it.
    pub fn evals(&self) -> Option<MoveEvals<Valuation>> {
        Some(MoveEvals { mover: self.mover, before: self.before?, after: self.after })
    }

    /// Returns the evaluations that the gain of the engine's own choice is taken between.
    pub fn own_evals(&self) -> Option<MoveEvals<Valuation>> {
        Some(MoveEvals { mover: self.mover, before: self.before?, after: self.own? })
    }

    /// Returns the gain of the move in the metric's unit, mover's view.
    pub fn gain(&self, metric: Metric, clip: Clip) -> Option<i64> {
        self.evals()?.gain(&ExactScale { metric, clip }).map(i64::from)
    }

    /// Returns the gain that the engine's own choice would have been.
    pub fn own_gain(&self, metric: Metric, clip: Clip) -> Option<i64> {
        self.own_evals()?.gain(&ExactScale { metric, clip }).map(i64::from)
    }

    /// Returns what a filter looks at.
    pub fn context(&self) -> MoveContext {
        let MoveFacts { mover, number, round, phase, forced, .. } = *self;
        MoveContext { mover, number, round, phase, forced, level: self.level() }
    }

    /// Returns how far from level the position before the move was; see `distance_from_level`.
    pub fn level(&self) -> Option<u32> {
        distance_from_level(self.before.map(|before| before.score))
    }
}
