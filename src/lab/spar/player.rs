//! [`SparPlayer`]: a player that uses any engine. Its moves are as good as its skill function demands.

mod by_even;
mod by_level;
mod check;

use std::{fmt, time::Instant};

use shakmaty::{CastlingMode, uci::UciMove};

use super::{
    candidate::Candidate, candidate::centipawns, course::CourseMove, course::OpponentRecord,
    even::EvenController, human_moves, opinion::OpinionSource, question::Allowance, question::ChoiceQuestion,
    question::MoveRng, question::SkillReport, question::SparMove, question::at_random, skill::FixedSkill,
    skill::SkillFunction, skill::meant, skill::printed,
};
use crate::chess::{ChosenMove, Evaluation, GameSoFar, Limit, MoveLimit, Player, RankingLimits, Segment};
use crate::engine::{Command, Engine, EngineCommand, EngineError, levels::LevelPlayer};

/// Search depth in plies for the score that some skill functions use.
const LOOK: u32 = 6;

/// A ranking and a check may each search the allowed number of positions divided by this number. The rest is
/// for a search of the best move alone.
const RANKING: u64 = 2;

/// Search depth in plies for the best move, if the player intends to lose almost nothing.
const DEPTH_OF_THE_BEST: u32 = 13;

/// The choice is searched more deeply if the intended mean loss or the largest allowed loss is below this, in
/// percentage points.
const NEGLIGIBLE_LOSS: f64 = 1.2;

/// The share of a move's time after which the first search by the engine ends.
const FIRST: f64 = 0.5;

/// The share of a move's time after which the search for the chances of the candidates ends. This search
/// comes before the first search by the engine.
const CHANCES: f64 = FIRST / 2.0;

/// A ply for random numbers that belong to no move.
const NO_PLY: u64 = u64::MAX;

/// Number of moves of each side before the player accepts a draw.
const MOVES_BEFORE_A_DRAW: usize = 20;

/// The player offers a draw after this number of moves of each side, if its last scores are near 0.
const MOVES_BEFORE_AN_OFFER: usize = 35;

/// The player offers a draw if this number of its last scores are at most this many centipawns from 0.
const DRAWN: (usize, i32) = (8, 25);

/// The player resigns if this number of its last scores are at most this number of centipawns.
const LOST: (usize, i32) = (4, -900);

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
        self.lot(0) < 0.5
    }

    /// Draws a number from 0 to 1 for the game of this key.
    fn lot(&self, key: u64) -> f64 {
        MoveRng::of(self.seed, key, NO_PLY).share()
    }
}

impl fmt::Display for SparSettings {
    /// Formats as `seed 1, somebody unknown taken for 1500`: the settings besides the search limit.
    /// Experiments store this text and compare it, so it must not change.
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
    /// The moves so far, including the player's last move.
    so_far: GameSoFar,
    key: u64,
    /// A random number from 0 to 1 that stays the same for the whole game.
    lot: f64,
    first: usize,
    begun: OpponentRecord,
    course: Vec<CourseMove>,
}

impl SparGame {
    fn controller(&self) -> EvenController {
        EvenController::after(self.begun, self.lot, &self.course)
    }
}

pub struct SparPlayer {
    source: OpinionSource,
    skill: SkillFunction,
    settings: SparSettings,
    opponent: Option<OpponentRecord>,
    /// The number of the game among the games of this process, or 0 if games are not counted.
    number: u64,
    sparring: Option<SparGame>,
    reports: Vec<SkillReport>,
    levels: LevelPlayer,
}

impl SparPlayer {
    pub fn new(command: EngineCommand, skill: SkillFunction, settings: SparSettings) -> SparPlayer {
        let source = OpinionSource::new(command);
        SparPlayer {
            source,
            skill,
            settings,
            opponent: None,
            number: 0,
            sparring: None,
            reports: Vec::new(),
            levels: LevelPlayer::default(),
        }
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

    /// Sets the settings. The assumed rating of an unknown opponent applies from the next game on, the limit
    /// of searches at once. The seed applies at once to the choice of moves, and from the next game on to the
    /// decision which side is to win.
    pub fn set(&mut self, settings: SparSettings) {
        self.settings = settings;
    }

    pub fn meet(&mut self, opponent: Option<OpponentRecord>) {
        self.opponent = opponent;
        self.sparring = None;
    }

    /// Returns the current record of the opponent; `None` before the player's first move in the game, and
    /// with a skill function that does not estimate the opponent.
    pub fn opponent(&self) -> Option<OpponentRecord> {
        self.estimated().map(|sparring| sparring.controller().opponent())
    }

    /// Begins a game with a number that distinguishes it from earlier games.
    pub async fn begin(&mut self, number: u64, mode: CastlingMode) {
        self.number = number;
        (self.sparring, self.reports) = (None, Vec::new());
        self.load();
        match self.skill.needs_engine() {
            true => self.source.new_game(mode).await,
            false => self.source.set_mode(mode),
        }
    }

    /// Reads the tables of the skill function, so that no clock runs while they are read.
    fn load(&self) {
        match self.skill {
            SkillFunction::Even => {
                human_moves::load();
                LevelPlayer::load();
            }
            SkillFunction::Level(_) => LevelPlayer::load(),
            _ => {}
        }
    }

    pub async fn prepare(&mut self) {
        self.load();
        if self.skill.needs_engine() {
            self.source.prepare().await;
        }
    }

    pub fn take_remarks(&mut self) -> Vec<String> {
        self.source.take_remarks()
    }

    pub async fn quit(&mut self) {
        self.source.quit().await;
    }

    /// Finds a move in the last position of `game`. Fails only if the built-in engine fails, too.
    pub async fn think(&mut self, game: &GameSoFar, allowance: &Allowance) -> Result<SparMove, EngineError> {
        let found = self.chosen(game, allowance).await?;
        self.reports.retain(|report| report.ply < game.moves().len() as u64);
        self.reports.extend(found.report);
        Ok(found)
    }

    /// Returns the report of the player's last move in `game`; `None` without one.
    pub fn last_report(&self, game: &GameSoFar) -> Option<&SkillReport> {
        self.reports.iter().rev().find(|report| report.ply < game.moves().len() as u64)
    }

    /// Returns the controller's numbers for the game's last move; `None` if the controller did not choose it.
    pub fn last_of_course(&self) -> Option<CourseMove> {
        let sparring = self.sparring.as_ref()?;
        let last = sparring.course.last().copied();
        last.filter(|last| last.ply + 1 == sparring.so_far.moves().len() as u64)
    }

    /// Returns the game in which the opponent is estimated, if there is one.
    fn estimated(&self) -> Option<&SparGame> {
        self.sparring.as_ref().filter(|_| self.skill == SkillFunction::Even)
    }

    /// Returns the record of the opponent before the game; `None` like [`SparPlayer::opponent`].
    pub fn opponent_before(&self) -> Option<OpponentRecord> {
        self.estimated().map(|sparring| sparring.begun)
    }

    /// Continues a game of an earlier process after the moves `course`, against an opponent with the record
    /// `begun` before the game.
    pub fn resume(&mut self, game: &GameSoFar, begun: OpponentRecord, course: Vec<CourseMove>) {
        let Some(first) = course.first().map(|played| played.ply as usize) else { return };
        let mut opening = GameSoFar::new(game.start().clone(), game.mode());
        game.moves().iter().take(first).for_each(|&uci| opening.push(uci));
        let key = self.key(&opening);
        let lot = self.settings.lot(key);
        self.sparring = Some(SparGame { so_far: game.clone(), key, lot, first, begun, course });
    }

    /// Finds the engine's best move in the last position of `game`, whatever the skill, as a hint.
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
    /// expected score is known and at most 50 %. A random player, whose expected score is unknown, always
    /// accepts after these moves.
    pub fn agrees_to_a_draw(&self, game: &GameSoFar) -> bool {
        let last = self.sparring.as_ref().and_then(|sparring| sparring.course.last());
        let expected = self.last_report(game).map(|report| report.expected);
        let expected = expected.or(last.map(|last| last.expected));
        game.moves().len() >= 2 * MOVES_BEFORE_A_DRAW
            && match expected {
                Some(expected) => expected <= 0.5,
                None => self.skill == SkillFunction::Random,
            }
    }

    /// Returns whether the player offers a draw: late in the game, if its last scores were all near 0.
    pub fn offers_a_draw(&self, game: &GameSoFar) -> bool {
        let (count, most) = DRAWN;
        game.moves().len() >= 2 * MOVES_BEFORE_AN_OFFER && self.last_scores(count, |s| s.abs() <= most)
    }

    /// Returns whether the player resigns: its last scores are all at most the score in `LOST`.
    pub fn resigns(&self) -> bool {
        let (count, most) = LOST;
        self.last_scores(count, |s| s <= most)
    }

    /// Returns whether the player has `count` scores, and `holds` is true for the last `count` of them.
    fn last_scores(&self, count: usize, holds: impl Fn(i32) -> bool) -> bool {
        let last = self.reports.len().checked_sub(count).map(|first| &self.reports[first..]);
        last.is_some_and(|last| last.iter().all(|report| holds(report.s)))
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
            SkillFunction::Level(level) => Ok(self.by_level(question, level)),
        }
    }

    /// Follows the player's game to the position of `game`, and returns the key of its random numbers. A game
    /// from another start is a new game, and so is a game that lacks the player's first move. A new game
    /// begins with the opponent's record at the end of the last game. After a takeback, the course ends at
    /// the last move that is still on the board.
    fn follow(&mut self, game: &GameSoFar) -> u64 {
        let (key, plies) = (self.key(game), game.moves().len());
        let sparring = match self.sparring.take() {
            Some(sparring) if sparring.so_far.start() == game.start() => sparring,
            other => {
                let known = other.map(|other| other.controller().opponent()).or(self.opponent);
                let begun = known.unwrap_or_else(|| OpponentRecord::of_rating(self.settings.elo));
                let lot = self.settings.lot(key);
                SparGame { so_far: game.clone(), key, lot, first: plies, begun, course: Vec::new() }
            }
        };
        let pairs = sparring.so_far.moves().iter().zip(game.moves());
        let common = pairs.take_while(|(before, now)| before == now).count();
        let sparring = self.sparring.insert(sparring);
        if common < sparring.first || plies == 0 && !sparring.course.is_empty() {
            sparring.begun = sparring.controller().opponent();
            (sparring.key, sparring.lot, sparring.first) = (key, self.settings.lot(key), plies);
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

    /// Searches to a small depth, and returns the score in centipawns from the player's view.
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

    /// Returns the largest number of positions in one search.
    fn nodes(&self, allowance: &Allowance) -> u64 {
        allowance.nodes.unwrap_or(u64::MAX).min(self.settings.nodes)
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
            MoveLimit::Clock(clock) => Allowance::clock(begun, &clock, game.turn()),
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
