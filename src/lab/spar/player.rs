//! [`SparPlayer`]: a player that uses any engine. Its moves are as good as its skill function demands.

use std::{fmt, time::Duration, time::Instant};

use shakmaty::{CastlingMode, uci::UciMove};

use super::{
    candidate::Candidate, candidate::centipawns, candidate::expected, even, even::CourseMove, even::EvenAim,
    even::EvenChoice, even::EvenController, even::OpponentRecord, human_moves, human_moves::first_move,
    opinion::OpinionSource, question::Allowance, question::ChoiceQuestion, question::MoveRng,
    question::SkillReport, question::SparMove, question::at_random, skill::FixedSkill, skill::SkillFunction,
    skill::meant, skill::printed,
};
use crate::chess::{ChosenMove, Evaluation, GameSoFar, Limit, MoveLimit, Player, RankingLimits, Segment};
use crate::engine::{Command, Engine, EngineCommand, EngineError, ThinkingTime};

/// Search depth in plies for the score that some skill functions use.
const LOOK: u32 = 6;

/// Number of moves ranked for a choice by loss.
const CANDIDATES: u32 = 10;

/// Number of moves ranked if the losses of the first ten were too small.
const MANY_CANDIDATES: u32 = 30;

/// Search depth of the ranked moves, in plies. It is small, because there are ten moves.
const DEPTH_OF_CANDIDATES: u32 = 8;

/// The ranking may search the allowed number of positions divided by this number. The rest is for a search of
/// the best move alone.
const RANKING: u64 = 2;

/// Search depth in plies for the best move, if the player intends to lose almost nothing.
const DEPTH_OF_THE_BEST: u32 = 13;

/// The best move is searched more deeply if the intended mean loss is below this, in percentage points.
const NEGLIGIBLE_LOSS: f64 = 1.2;

/// Loss in percentage points from which the chosen move is searched again.
const CHECKED_LOSS: f64 = 5.0;

/// Search depth of a chosen loss, in plies.
const DEPTH_OF_CHECKS: u32 = 12;

/// Largest number of chosen losses that are searched again.
const MOST_CHECKS: u32 = 3;

/// The share of a move's time for the first search.
const FIRST: f64 = 0.5;

/// Number of moves of each side before the player accepts a draw.
const MOVES_BEFORE_A_DRAW: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SparSettings {
    pub seed: u64,
    /// Assumed rating of an unknown opponent.
    pub elo: f64,
    /// Largest number of positions in one search.
    pub nodes: u64,
}

impl SparSettings {
    /// Draws White or Black by the seed.
    pub fn draws_white(&self) -> bool {
        // No move has this ply.
        MoveRng::of(self.seed, 0, u64::MAX).share() < 0.5
    }
}

impl fmt::Display for SparSettings {
    /// Formats as `seed 1, somebody unknown taken for 1500`: the settings besides the search limit. Experiments
    /// store this text and compare it, so it must not change.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}, somebody unknown taken for {}", self.seed, self.elo)
    }
}

impl Default for SparSettings {
    fn default() -> SparSettings {
        SparSettings { seed: 1, elo: 1500.0, nodes: 2_000_000 }
    }
}

struct SparGame {
    /// The moves so far, with the own last move.
    so_far: GameSoFar,
    key: u64,
    /// The ply of the first own move.
    first: usize,
    /// The record of the opponent before the game.
    begun: OpponentRecord,
    /// The own moves that are still on the board.
    course: Vec<CourseMove>,
}

impl SparGame {
    fn controller(&self, seed: u64) -> EvenController {
        // No move has this ply.
        let lot = MoveRng::of(seed, self.key, u64::MAX).share();
        EvenController::after(self.begun, lot, &self.course)
    }
}

pub struct SparPlayer {
    source: OpinionSource,
    skill: SkillFunction,
    settings: SparSettings,
    /// The record of the opponent, if there is one.
    opponent: Option<OpponentRecord>,
    /// The number of the game among the games of this process, or 0 if games are not counted.
    number: u64,
    sparring: Option<SparGame>,
    /// The expected score before the last own move, 0 to 1.
    expected: Option<f64>,
}

impl SparPlayer {
    pub fn new(command: EngineCommand, skill: SkillFunction, settings: SparSettings) -> SparPlayer {
        let source = OpinionSource::new(command);
        SparPlayer { source, skill, settings, opponent: None, number: 0, sparring: None, expected: None }
    }

    /// Makes a player with a running engine, which `command` restarts if it fails.
    pub fn with_engine(
        command: EngineCommand,
        engine: Engine,
        skill: SkillFunction,
        settings: SparSettings,
    ) -> SparPlayer {
        let player = SparPlayer::new(command, skill, settings);
        SparPlayer { source: player.source.with(engine), ..player }
    }

    pub fn set_skill(&mut self, skill: SkillFunction) {
        self.skill = skill;
    }

    /// Sets the settings. The assumed rating of an unknown opponent applies from the next game on, the other
    /// settings at once.
    pub fn set(&mut self, settings: SparSettings) {
        self.settings = settings;
    }

    pub fn meet(&mut self, opponent: Option<OpponentRecord>) {
        self.opponent = opponent;
        self.sparring = None;
    }

    /// Returns the current record of the opponent; `None` before the player's first move in the game.
    pub fn opponent(&self) -> Option<OpponentRecord> {
        self.sparring.as_ref().map(|sparring| sparring.controller(self.settings.seed).opponent())
    }

    /// Begins a game with a number that distinguishes it from earlier games.
    pub async fn begin(&mut self, number: u64, mode: CastlingMode) {
        self.number = number;
        self.sparring = None;
        if self.skill == SkillFunction::Even {
            human_moves::load();
        }
        self.source.new_game(mode).await;
    }

    pub async fn prepare(&mut self) {
        if self.skill == SkillFunction::Even {
            human_moves::load();
        }
        if self.skill != SkillFunction::Random {
            self.source.prepare().await;
        }
    }

    pub fn take_remarks(&mut self) -> Vec<String> {
        self.source.take_remarks()
    }

    pub async fn quit(&mut self) {
        self.source.quit().await;
    }

    /// Finds a move in the last position of `game`. Fails only if the built-in engine cannot replace a failed
    /// engine.
    pub async fn think(&mut self, game: &GameSoFar, allowance: &Allowance) -> Result<SparMove, EngineError> {
        let found = self.chosen(game, allowance).await?;
        self.expected = found.report.map(|report| report.expected);
        Ok(found)
    }

    /// Returns what the controller saw at the last own move; `None` if the controller did not choose the move.
    pub fn last_of_course(&self) -> Option<CourseMove> {
        self.sparring.as_ref()?.course.last().copied()
    }

    /// Returns the record of the opponent before the game; `None` before the first own move.
    pub fn opponent_before(&self) -> Option<OpponentRecord> {
        self.sparring.as_ref().map(|sparring| sparring.begun)
    }

    /// Continues a game of an earlier process, in which the controller saw `course`, against an opponent with
    /// the record `begun` before the game.
    pub fn resume(&mut self, game: &GameSoFar, begun: OpponentRecord, course: Vec<CourseMove>) {
        let Some(first) = course.first().map(|played| played.ply as usize) else { return };
        let mut opening = GameSoFar::new(game.start().clone(), game.mode());
        game.moves().iter().take(first).for_each(|&uci| opening.push(uci));
        let key = self.key(&opening);
        self.sparring = Some(SparGame { so_far: game.clone(), key, first, begun, course });
    }

    /// Finds the engine's best move in the last position of `game`, whatever the skill, as a hint for a
    /// person.
    pub async fn hint(
        &mut self,
        game: &GameSoFar,
        allowance: &Allowance,
    ) -> Result<Option<UciMove>, EngineError> {
        let Ok(segment) = Segment::end_of(game) else { return Ok(None) };
        let limits = allowance.limits(1, DEPTH_OF_THE_BEST, 1.0, self.settings.nodes);
        Ok(self.source.rank(&segment, &limits, allowance.grace).await?.best)
    }

    /// Returns whether the player accepts a draw: after `MOVES_BEFORE_A_DRAW` moves of each side, if its
    /// expected score is at most 50 %.
    pub fn agrees_to_a_draw(&self, game: &GameSoFar) -> bool {
        game.moves().len() >= 2 * MOVES_BEFORE_A_DRAW && self.expected.is_none_or(|expected| expected <= 0.5)
    }

    pub fn engine_name(&self) -> Option<&str> {
        self.source.engine_name()
    }

    async fn chosen(&mut self, game: &GameSoFar, allowance: &Allowance) -> Result<SparMove, EngineError> {
        // The game is over or has an illegal move, so there is no move to play.
        let Ok(segment) = Segment::end_of(game) else { return Ok(SparMove::NONE) };
        let segment = segment.clone().restricted_to(&allowance.moves).unwrap_or(segment);
        let key = self.follow(game);
        let ply = game.moves().len() as u64;
        let random = MoveRng::of(self.settings.seed, key, ply);
        let question = ChoiceQuestion { segment, game, allowance, random, ply };
        match self.skill {
            SkillFunction::Random => Ok(at_random(question)),
            SkillFunction::Fixed(skill) => self.by_fixed(question, skill, None, true).await,
            SkillFunction::Printed => {
                let s = self.look(&question).await?;
                let (depth, blunder) = printed(s);
                // One ply for the move itself, and `depth` more plies.
                let skill = FixedSkill { depth: depth + 1, blunder: blunder.unwrap_or(0.0) };
                self.by_fixed(question, skill, Some(s), true).await
            }
            SkillFunction::Meant => {
                let s = self.look(&question).await?;
                self.by_fixed(question, meant(s), Some(s), false).await
            }
            SkillFunction::Even => self.by_even(question).await,
        }
    }

    /// Returns the seed of a game's random numbers. A game from another start is a new game. After a takeback,
    /// the course ends at the last move that is still on the board.
    fn follow(&mut self, game: &GameSoFar) -> u64 {
        let (key, plies) = (self.key(game), game.moves().len());
        let sparring = match self.sparring.take() {
            Some(sparring) if sparring.so_far.start() == game.start() => sparring,
            _ => {
                let unknown = || OpponentRecord::of_rating(self.settings.elo);
                let begun = self.opponent.unwrap_or_else(unknown);
                SparGame { so_far: game.clone(), key, first: plies, begun, course: Vec::new() }
            }
        };
        let pairs = sparring.so_far.moves().iter().zip(game.moves());
        let common = pairs.take_while(|(before, now)| before == now).count();
        let sparring = self.sparring.insert(sparring);
        if common < sparring.first {
            (sparring.key, sparring.first) = (key, plies);
        }
        sparring.course.retain(|played| (played.ply as usize) < common);
        sparring.so_far = game.clone();
        sparring.key
    }

    fn key(&self, game: &GameSoFar) -> u64 {
        Command::line_digest(game).wrapping_add(self.number)
    }

    async fn rank(
        &mut self,
        question: &ChoiceQuestion<'_>,
        limits: &RankingLimits,
    ) -> Result<Evaluation, EngineError> {
        self.source.rank(&question.segment, limits, question.allowance.grace).await
    }

    /// Searches to a small depth, and returns the own side's score in centipawns.
    async fn look(&mut self, question: &ChoiceQuestion<'_>) -> Result<i32, EngineError> {
        let limits = question.allowance.limits(1, LOOK, FIRST, self.settings.nodes);
        let evaluation = self.rank(question, &limits).await?;
        Ok(centipawns(evaluation.score.seen_by(question.game.turn())))
    }

    /// Searches to the depth of `skill`, and plays the second-best move with the probability `skill.blunder`.
    /// If `always` is false and one of the two moves has a mate score, it plays the best move.
    async fn by_fixed(
        &mut self,
        mut question: ChoiceQuestion<'_>,
        skill: FixedSkill,
        s: Option<i32>,
        always: bool,
    ) -> Result<SparMove, EngineError> {
        let falls = question.random.share() < skill.blunder;
        let lines = if falls { 2 } else { 1 };
        let limits = question.allowance.limits(lines, skill.depth, 1.0, self.settings.nodes);
        let evaluation = self.rank(&question, &limits).await?;
        let candidates = question.candidates(&evaluation);
        let sees_mate = |candidate: &Candidate| candidate.mates_in().or(candidate.is_mated_in()).is_some();
        let place = match candidates.as_slice() {
            [best, second, ..] if falls && (always || !sees_mate(best) && !sees_mate(second)) => 1,
            _ => 0,
        };
        let report = |best: &Candidate, chosen: &Candidate| SkillReport {
            ply: question.ply,
            s: s.unwrap_or_else(|| centipawns(best.score)),
            depth: skill.depth,
            searched: evaluation.depth,
            p: skill.blunder,
            blunder: place == 1,
            expected: best.expected,
            loss: chosen.loss(best),
            aim: None,
            elo: None,
        };
        Ok(question.played(&evaluation, &candidates, place, report))
    }

    /// Chooses among `candidates`. A chosen loss is searched more deeply, because the move that seems to lose
    /// just enough at a small depth often loses more. If it loses too much, another move is chosen.
    async fn checked(
        &mut self,
        question: &ChoiceQuestion<'_>,
        aim: EvenAim,
        candidates: &mut [Candidate],
    ) -> Result<EvenChoice, EngineError> {
        let nodes = question.allowance.nodes.unwrap_or(u64::MAX).min(self.settings.nodes);
        let mut checks = 0;
        loop {
            // The same random numbers each time, so that only the checked move changes the choice.
            let choice = even::choose(aim, candidates, &mut question.random.clone());
            let chosen = candidates[choice.place];
            if choice.place == 0 || choice.loss < CHECKED_LOSS {
                return Ok(choice);
            }
            if checks == MOST_CHECKS {
                return Ok(EvenChoice { place: 0, loss: 0.0 });
            }
            checks += 1;
            let share = FIRST + (1.0 - FIRST) * f64::from(checks) / f64::from(MOST_CHECKS);
            let limits = question.allowance.limits(1, DEPTH_OF_CHECKS, share, nodes / RANKING);
            let Ok(alone) = question.segment.clone().restricted_to(&[chosen.uci]) else { return Ok(choice) };
            let evaluation = self.source.rank(&alone, &limits, question.allowance.grace).await?;
            let score = evaluation.score.seen_by(question.game.turn());
            let (score, expected) = (score, expected(score).min(candidates[0].expected));
            let checked = Candidate { score, expected, ..chosen };
            candidates[choice.place] = checked;
            if even::is_allowed(aim, &checked, &candidates[0]) {
                return Ok(EvenChoice { loss: checked.loss(&candidates[0]), ..choice });
            }
        }
    }

    /// Ranks the moves, and plays the controller's choice.
    async fn by_even(&mut self, mut question: ChoiceQuestion<'_>) -> Result<SparMove, EngineError> {
        let nodes = question.allowance.nodes.unwrap_or(u64::MAX).min(self.settings.nodes);
        let mut controller = match &self.sparring {
            Some(sparring) => sparring.controller(self.settings.seed),
            None => return Ok(SparMove::NONE),
        };
        let lines = if controller.lacks_losses() { MANY_CANDIDATES } else { CANDIDATES };
        let limits = question.allowance.limits(lines, DEPTH_OF_CANDIDATES, FIRST, nodes / RANKING);
        let mut evaluation = self.rank(&question, &limits).await?;
        let mut candidates = question.candidates_with_traits(&evaluation);
        let Some(best) = candidates.first().copied() else { return Ok(SparMove::NONE) };
        let aim = controller.aim(best.expected);
        let position = question.position();
        let first = first_move(&position, question.ply, &candidates, aim.most, question.random.share());
        let choice = match first {
            Some(place) => EvenChoice { place, loss: candidates[place].loss(&best) },
            None => self.checked(&question, aim, &mut candidates).await?,
        };
        let (mut place, mut after) = (choice.place, candidates[choice.place].expected);
        let mut depth = limits.depth;
        if place == 0 && aim.loss.min(aim.most) < NEGLIGIBLE_LOSS && candidates.len() > 1 {
            let limits = question.allowance.limits(1, DEPTH_OF_THE_BEST, 1.0, nodes);
            depth = limits.depth;
            evaluation = self.rank(&question, &limits).await?;
            let deeper = question.candidates(&evaluation);
            if let Some(best) = deeper.first() {
                (after, place) = (best.expected, 0);
                candidates = deeper;
            }
        }
        if let Some(sparring) = &mut self.sparring {
            let (expected, loss) = (best.expected, choice.loss);
            sparring.course.push(CourseMove { ply: question.ply, expected, loss, after });
            sparring.so_far.push(candidates[place].uci);
        }
        let report = |_: &Candidate, _: &Candidate| SkillReport {
            ply: question.ply,
            s: centipawns(best.score),
            depth,
            searched: evaluation.depth,
            p: super::human::HumanLosses::shipped().share_of_blunders(aim.loss),
            blunder: choice.loss >= super::human::BLUNDER,
            expected: best.expected,
            loss: choice.loss,
            aim: Some(aim.loss),
            elo: Some(aim.elo),
        };
        Ok(question.played(&evaluation, &candidates, place, report))
    }
}

impl Player for SparPlayer {
    type Error = EngineError;

    async fn new_game(&mut self, mode: CastlingMode) -> Result<(), EngineError> {
        self.begin(0, mode).await;
        Ok(())
    }

    async fn choose(&mut self, game: &GameSoFar, limit: MoveLimit) -> Result<ChosenMove, EngineError> {
        let begun = Instant::now();
        let allowance = match limit {
            MoveLimit::Search(Limit::Depth(depth)) => {
                Allowance { depth: Some(depth), ..Allowance::endless() }
            }
            MoveLimit::Search(Limit::Nodes(nodes)) => {
                Allowance { nodes: Some(nodes), ..Allowance::endless() }
            }
            MoveLimit::Time(time) => Allowance::time(begun, time),
            MoveLimit::Clock(clock) => {
                Allowance::time(begun, ThinkingTime::of_clock(&clock, game.turn(), Duration::ZERO).usual())
            }
        };
        let found = self.think(game, &allowance).await?;
        Ok(ChosenMove {
            best: found.best,
            score: found.score,
            depth: found.report.and_then(|report| report.searched),
            nodes: None,
            time: begun.elapsed(),
        })
    }

    fn is_stall(error: &EngineError) -> bool {
        Engine::is_stall(error)
    }
}

#[cfg(test)]
mod tests;
