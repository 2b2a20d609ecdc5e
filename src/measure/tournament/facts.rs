//! Facts of a tournament's moves and players, before any choice of method.

use shakmaty::Color;

use crate::chess::{Clip, ExactScale, Metric, MoveEvals, MoveVerdict, Phase, Score, Valuation};

#[derive(Debug, Clone, PartialEq)]
pub struct PlayerFacts {
    pub name: String,
    /// True for a placeholder name such as `NN`, if another player has a real name. Such a player has no row,
    /// and is compared with no one.
    pub is_nobody: bool,
    /// The player's Elo tag in each game with such a tag.
    pub elo_tags: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Appearance {
    pub game: u32,
    pub player: u32,
    pub color: Color,
    pub round: Option<u32>,
    /// True if the game has moves.
    pub is_played: bool,
    pub half_points: Option<u32>,
    /// The player's accuracy in the whole game by lichess's formula, in percent; `None` without a move that
    /// counts in the formula.
    pub accuracy: Option<f64>,
}

/// A move with all facts that a choice of method may use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveFacts {
    /// Index of the game among the games of the sample.
    pub game: u32,
    /// Index of the mover among the players.
    pub player: u32,
    /// The side that moved.
    pub mover: Color,
    /// The move number, from 1.
    pub number: u32,
    /// The round of the game, if its tag has one.
    pub round: Option<u32>,
    /// The year of the game, if its tags give it.
    pub year: Option<u16>,
    /// The phase of the game before the move.
    pub phase: Phase,
    /// True if the move was the only legal move.
    pub forced: bool,
    /// The evaluation before the move; `None` for a first move if the start position has no evaluation.
    pub before: Option<Valuation>,
    /// The evaluation after the move.
    pub after: Valuation,
    /// True if the move was the engine's best move; `None` if unknown.
    pub first_choice: Option<bool>,
    /// The evaluation after the engine's best move; `None` if not requested.
    pub own: Option<Valuation>,
    /// lichess's verdict on the move.
    pub verdict: MoveVerdict,
    /// The factor of [`crate::chess::EvaluatedGame::rescaled`].
    pub factor: f64,
}

/// The facts from which a filter decides whether a move counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveContext {
    pub mover: Color,
    /// The move number, from 1.
    pub number: u32,
    pub round: Option<u32>,
    pub phase: Phase,
    pub forced: bool,
    /// Distance from 0 of the evaluation before the move, in centipawns; see [`distance_from_level`].
    pub level: Option<u32>,
}

/// Returns the distance of a score from 0, in centipawns; `None` for a mate or an unknown score.
pub fn distance_from_level(score: Option<Score>) -> Option<u32> {
    score?.cp().map(i32::unsigned_abs)
}

impl MoveFacts {
    /// Returns the facts with evaluations on the scale of centipawns of today's Stockfishes.
    pub fn rescaled(&self) -> MoveFacts {
        if self.factor == 1.0 {
            return *self;
        }
        let of = |valuation: Valuation| Valuation { score: valuation.score.times(self.factor), ..valuation };
        MoveFacts {
            before: self.before.map(of),
            after: of(self.after),
            own: self.own.map(of),
            factor: 1.0,
            ..*self
        }
    }

    /// Returns the evaluations before and after the move; `None` if the evaluation before the move is missing.
    pub fn evals(&self) -> Option<MoveEvals<Valuation>> {
        Some(MoveEvals { mover: self.mover, before: self.before?, after: self.after })
    }

    /// Returns the evaluations before and after the engine's best move; `None` if one of them is missing.
    pub fn own_evals(&self) -> Option<MoveEvals<Valuation>> {
        Some(MoveEvals { mover: self.mover, before: self.before?, after: self.own? })
    }

    /// Returns the gain of the move in the metric's unit, mover's view; `None` if an evaluation is missing,
    /// or if it lacks the chances that the metric needs.
    pub fn gain(&self, metric: Metric, clip: Clip) -> Option<i64> {
        self.evals()?.gain(&ExactScale { metric, clip }).map(i64::from)
    }

    /// Returns the gain of the engine's best move in the metric's unit, mover's view; `None` if unknown.
    pub fn own_gain(&self, metric: Metric, clip: Clip) -> Option<i64> {
        self.own_evals()?.gain(&ExactScale { metric, clip }).map(i64::from)
    }

    /// Returns the facts for a filter.
    pub fn context(&self) -> MoveContext {
        let MoveFacts { mover, number, round, phase, forced, .. } = *self;
        MoveContext { mover, number, round, phase, forced, level: self.level() }
    }

    /// Returns the evaluation's distance from 0 before the move, in centipawns; see `distance_from_level`.
    pub fn level(&self) -> Option<u32> {
        distance_from_level(self.before.map(|before| before.score))
    }
}
