//! A request for a move, with its limits and random numbers, and the answer: a [`SparMove`] with a [`SkillReport`].

use std::{collections::HashSet, fmt, num::NonZeroU32, sync::Arc, time::Duration, time::Instant};

use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};
use serde::Serialize;
use shakmaty::{Chess, Color, Position, uci::UciMove};

use super::{candidate::Candidate, candidate::MoveTraits, human_moves, human_moves::place_of};
use crate::chess::{Clock, Evaluation, GameSoFar, RankingLimits, Score, Segment};
use crate::engine::ThinkingTime;
use crate::numbers::stats::bootstrap::{below, share};

#[derive(Debug, Clone, PartialEq)]
pub struct SparMove {
    pub best: Option<UciMove>,
    /// The expected reply, if the search gave one.
    pub ponder: Option<UciMove>,
    pub score: Option<Score>,
    /// The report of the choice; `None` without a choice.
    pub report: Option<SkillReport>,
}

impl SparMove {
    pub(super) const NONE: SparMove = SparMove { best: None, ponder: None, score: None, report: None };
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SkillReport {
    pub ply: u64,
    /// The score behind the choice: centipawns for the player before the move, within ±1000.
    pub s: i32,
    pub depth: u32,
    pub searched: Option<u32>,
    pub p: f64,
    pub blunder: bool,
    /// The expected score before the move, 0 to 1.
    pub expected: f64,
    /// The loss of the move, in percentage points of the expected score.
    pub loss: f64,
    /// The mean loss aimed at; `None` if the move was not chosen by its loss.
    pub aim: Option<f64>,
    pub elo: Option<f64>,
}

impl fmt::Display for SkillReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SkillReport { s, depth, p, expected, loss, .. } = self;
        let blunder = if self.blunder { "yes" } else { "no" };
        write!(
            f,
            "skill s={s} depth={depth} p={p:.3} blunder={blunder} expected={expected:.3} loss={loss:.1}"
        )?;
        match (self.aim, self.elo) {
            (Some(aim), Some(elo)) => write!(f, " aim={aim:.1} elo={elo:.0}"),
            _ => Ok(()),
        }
    }
}

pub(super) struct ChoiceQuestion<'a> {
    pub segment: Segment,
    pub game: &'a GameSoFar,
    pub allowance: &'a Allowance,
    pub random: MoveRng,
    pub ply: u64,
}

impl ChoiceQuestion<'_> {
    /// Returns the moves ranked by an engine, from their player's view, without their traits.
    pub fn candidates(&self, evaluation: &Evaluation) -> Vec<Candidate> {
        Candidate::of(evaluation, self.game.turn(), |_| MoveTraits::default())
    }

    /// Returns the moves ranked by an engine, from their player's view, with their traits.
    pub fn candidates_with_traits(&self, evaluation: &Evaluation) -> Vec<Candidate> {
        let position = self.position();
        let seen = positions(self.game);
        Candidate::of(evaluation, self.game.turn(), |line| {
            let Ok(m) = line.best.to_move(&position) else { return MoveTraits::default() };
            let mut after = position.clone();
            after.play_unchecked(m);
            MoveTraits {
                repeats: seen.contains(&place_of(&after)),
                hangs: human_moves::hangs(&position, &line.pv),
                ..MoveTraits::default()
            }
        })
    }

    pub fn position(&self) -> Chess {
        self.segment.position(self.segment.moves().len())
    }

    /// Returns the candidate at `place`, and a report that compares it with the best candidate.
    pub fn played(
        &self,
        evaluation: &Evaluation,
        candidates: &[Candidate],
        place: usize,
        report: impl Fn(&Candidate, &Candidate) -> SkillReport,
    ) -> SparMove {
        let (Some(best), Some(chosen)) = (candidates.first(), candidates.get(place)) else {
            return SparMove::NONE;
        };
        let line = evaluation.lines().find(|line| line.best == chosen.uci);
        SparMove {
            best: Some(chosen.uci),
            ponder: line.as_ref().and_then(|line| line.pv.get(1).copied()),
            score: line.map(|line| line.score),
            report: Some(report(best, chosen)),
        }
    }
}

pub(super) fn at_random(mut question: ChoiceQuestion<'_>) -> SparMove {
    let position = question.position();
    let legal = position.legal_moves().into_iter().map(|m| m.to_uci(question.game.mode()));
    let asked = question.segment.root_moves();
    let moves: Vec<UciMove> = legal.filter(|uci| asked.is_empty() || asked.contains(uci)).collect();
    let place = question.random.below(moves.len().max(1));
    SparMove { best: moves.get(place).copied(), ..SparMove::NONE }
}

pub(super) fn positions(game: &GameSoFar) -> HashSet<String> {
    let mut position = game.start().clone();
    let mut seen = HashSet::from([place_of(&position)]);
    for uci in game.moves() {
        if let Ok(m) = uci.to_move(&position) {
            position.play_unchecked(m);
            seen.insert(place_of(&position));
        }
    }
    seen
}

/// The share of a move's time in which an engine may search. [`GRACE`] is a part of the rest.
pub(super) const THINKING: f64 = 0.75;

/// The share of a move's time to wait for an engine that was asked to end its search.
pub(super) const GRACE: f64 = 0.15;

/// Shortest time on a clock to wait for an engine that was asked to end its search. A busy machine may delay
/// the engine's answer; the reserve of clocks allows for that.
pub(super) const LEAST_GRACE: Duration = Duration::from_millis(100);

#[derive(Clone)]
pub struct Allowance {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// The moves to choose from; empty for all.
    pub moves: Vec<UciMove>,
    /// Returns whether the given share of the move's time is over.
    pub is_over: Arc<dyn Fn(f64) -> bool + Send + Sync>,
    /// Time to wait for an engine that was asked to end its search, before the built-in engine replaces it.
    pub grace: Duration,
}

impl Allowance {
    pub fn endless() -> Allowance {
        let grace = Duration::from_secs(1);
        Allowance { depth: None, nodes: None, moves: Vec::new(), is_over: Arc::new(|_| false), grace }
    }

    /// Allows `time` from `begun` on. A part of it is kept for replacing an engine that does not answer.
    pub fn time(begun: Instant, time: Duration) -> Allowance {
        let thinking = time.mul_f64(THINKING);
        let is_over = Arc::new(move |share: f64| begun.elapsed() >= thinking.mul_f64(share));
        Allowance { is_over, grace: time.mul_f64(GRACE), ..Allowance::endless() }
    }

    /// Allows the usual time of a move on a clock, from `begun` on.
    pub fn clock(begun: Instant, clock: &Clock, side: Color) -> Allowance {
        let allowance = Allowance::time(begun, ThinkingTime::of_clock(clock, side, Duration::ZERO).usual());
        Allowance { grace: allowance.grace.max(LEAST_GRACE), ..allowance }
    }

    /// Returns the limits of one search: number of lines, depth, share of the time, and number of positions.
    pub(super) fn limits(&self, lines: u32, depth: u32, share: f64, most_nodes: u64) -> RankingLimits {
        let is_over = self.is_over.clone();
        RankingLimits {
            lines: NonZeroU32::new(lines).unwrap_or(NonZeroU32::MIN),
            depth: self.depth.map_or(depth, |most| most.min(depth)).max(1),
            nodes: Some(self.nodes.map_or(most_nodes, |nodes| nodes.min(most_nodes)).max(1)),
            is_over: Arc::new(move || is_over(share)),
        }
    }
}

#[derive(Debug, Clone)]
pub struct MoveRng(ChaCha8Rng);

impl MoveRng {
    pub fn of(seed: u64, game: u64, ply: u64) -> MoveRng {
        let mut key = [0; 32];
        for (bytes, number) in key.chunks_exact_mut(8).zip([seed, game, ply]) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        MoveRng(ChaCha8Rng::from_seed(key))
    }

    /// Draws a number from 0 (inclusive) to 1 (exclusive).
    pub fn share(&mut self) -> f64 {
        share(self.0.next_u64())
    }

    pub fn below(&mut self, end: usize) -> usize {
        below(&mut self.0, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_game_and_ply_each_make_another_lot_and_the_same_ones_the_same() {
        let first = |seed, game, ply| MoveRng::of(seed, game, ply).share();
        assert_eq!(first(1, 2, 3), first(1, 2, 3));
        let others = [first(1, 2, 3), first(2, 2, 3), first(1, 3, 3), first(1, 2, 4), first(3, 2, 1)];
        assert!((0..5).all(|a| (0..a).all(|b| others[a] != others[b])), "{others:?}");
    }

    #[test]
    fn shares_fill_the_unit_interval_evenly() {
        let mut random = MoveRng::of(1, 0, 0);
        let shares: Vec<f64> = (0..10_000).map(|_| random.share()).collect();
        let mean = shares.iter().sum::<f64>() / 10_000.0;
        assert!(shares.iter().all(|share| (0.0..1.0).contains(share)));
        // Three standard errors of √(1/12/10000).
        assert!((mean - 0.5).abs() < 0.0087, "{mean}");
    }
}
