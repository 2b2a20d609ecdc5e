//! Owns [`Entry`]: what a game adds to the counts of an archive.

use std::time::Duration;

use shakmaty::{ByColor, Color};

use super::{
    board::Replayed,
    reading::Reason,
    terms::{Scale, Terms},
};
use crate::{
    choice::{Fingerprint, FingerprintBuilder, Headers},
    pgn::SkimmedMove,
    phase::Phase,
    score::{Score, SignedScore},
    tournament::{
        filter::Filter,
        sample::{Appearance, MoveFacts, Said},
    },
};

/// What is known of a game, however it was read.
#[derive(Debug)]
pub struct GameFacts<'a> {
    pub headers: Headers<'a>,
    pub titles: ByColor<Option<&'a str>>,
    pub round: Option<u32>,
    /// The side that makes the first move.
    pub first: Color,
    /// The number of the first move.
    pub first_number: u32,
    pub start_eval: Option<SignedScore>,
    pub moves: &'a [SkimmedMove<'a>],
    pub board: Replayed,
    pub by_own_engines: bool,
    pub odd_evals: u32,
}

/// A game that counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// By what copies of it are known.
    pub fingerprint: Fingerprint,
    /// Its players; `None` for one whose moves do not count.
    pub sides: ByColor<Option<SideOfGame>>,
    /// The moves that count, in the order played.
    pub moves: Vec<Move>,
    /// Moves that would count, had the position before them an evaluation.
    pub without_gain: u64,
    /// `[%eval]` commands in no known form.
    pub odd_evals: u64,
    /// Moves after which a clock showed more than it can.
    pub clocks_backwards: u64,
}

/// A player in a game.
#[derive(Debug, Clone, PartialEq)]
pub struct SideOfGame {
    /// The group of the moves.
    pub group: String,
    /// As the tags have it.
    pub name: String,
    /// The Elo tag.
    pub elo: Option<u32>,
    /// Half-points scored, where the result is known.
    pub half_points: Option<u32>,
    /// What the moves that count keep of ½, in units of [`KEPT_UNIT`]; `None` without a move.
    pub kept: Option<u32>,
}

/// The unit in which the score kept of a game is rounded, so that sums of it are whole numbers.
pub const KEPT_UNIT: f64 = 1e-5;

/// A move that counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// Its place in the game, from 1.
    pub ply: u32,
    /// Who played it.
    pub mover: Color,
    /// The centre of the bin of its gain, in the metric's unit, mover's view.
    pub gain: i32,
    /// Centipawns within the clip before it, White's view.
    pub before: i32,
    /// Centipawns within the clip after it, White's view.
    pub after: i32,
    /// Time left to the mover after it, in hundredths of a second.
    pub left: Option<u32>,
    /// Time spent on it, in hundredths of a second.
    pub spent: Option<u32>,
    /// As written; `None` unless the moves are wanted one by one.
    pub san: Option<Box<str>>,
}

impl<'a> GameFacts<'a> {
    /// The player of `color`.
    pub fn player(&self, color: Color) -> &'a str {
        match color {
            Color::White => self.headers.white,
            Color::Black => self.headers.black,
        }
    }

    fn mover(&self, index: usize) -> Color {
        if index.is_multiple_of(2) { self.first } else { !self.first }
    }

    fn number(&self, index: usize) -> u32 {
        let later = index + usize::from(self.first == Color::Black);
        self.first_number.saturating_add((later / 2) as u32)
    }

    /// By what copies of the game are known.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut builder = FingerprintBuilder::new(&self.headers);
        self.moves.iter().for_each(|skimmed| builder.san(skimmed.san.as_bytes()));
        builder.finish()
    }

    /// The evaluations after each move, in centipawns within the clip; that of a last position without
    /// legal moves follows from the rules.
    fn evaluations(&self, scale: &Scale) -> Result<Vec<i32>, Reason> {
        let last = self.moves.len().saturating_sub(1);
        let score = |(index, skimmed): (usize, &SkimmedMove<'_>)| match self.board.end {
            Some(end) if index == last => Some(scale.terminal(end)),
            // Mate on the board in a position that has moves is a slip of whoever wrote it.
            _ => skimmed.eval.filter(|eval| *eval != SignedScore::Mate(0)).map(|eval| scale.clipped(eval)),
        };
        let evaluations: Option<Vec<i32>> = self.moves.iter().enumerate().map(score).collect();
        evaluations.ok_or_else(|| {
            let some = self.moves.iter().any(|skimmed| skimmed.eval.is_some());
            match (some, self.by_own_engines) {
                (true, _) => Reason::Incomplete,
                (false, true) => Reason::OwnEngines,
                (false, false) => Reason::NoEvaluations,
            }
        })
    }
}

impl Entry {
    /// What the game adds by `terms`, or why it adds nothing.
    pub(super) fn of(facts: &GameFacts<'_>, terms: &Terms, scale: &Scale) -> Result<Entry, Reason> {
        if facts.moves.is_empty() {
            return Err(Reason::NoMoves);
        }
        let after = facts.evaluations(scale)?;
        let mut clocks = ClockHands::of(facts);
        let mut entry = Entry {
            fingerprint: facts.fingerprint(),
            sides: ByColor::new_with(|color| SideOfGame::of(facts, color, terms)),
            moves: Vec::with_capacity(facts.moves.len()),
            without_gain: 0,
            odd_evals: u64::from(facts.odd_evals),
            clocks_backwards: 0,
        };
        let mut kept = ByColor { white: None, black: None };
        let mut before = facts.start_eval.map(|eval| scale.clipped(eval));
        for (index, skimmed) in facts.moves.iter().enumerate() {
            let (mover, after) = (facts.mover(index), after[index]);
            let left = skimmed.clock.map(hundredths);
            let spent = clocks.spent(mover, skimmed, &mut entry.clocks_backwards);
            let Some(known) = before.replace(after) else {
                entry.without_gain += u64::from(entry.sides.get(mover).is_some());
                continue;
            };
            if entry.sides.get(mover).is_none() || !keeps(facts, terms, index, after) {
                continue;
            }
            let sign = mover.fold_wb(1, -1);
            let chance = |cp| mover.fold_wb(scale.chance(cp), 1.0 - scale.chance(cp));
            let share = (chance(after) / chance(known)).min(1.0);
            *kept.get_mut(mover) = Some(kept.get(mover).unwrap_or(0.5) * share);
            let gain = sign * (scale.worth(after) - scale.worth(known));
            entry.moves.push(Move {
                ply: index as u32 + 1,
                mover,
                gain: terms.method.bin.centre(i64::from(gain)) as i32,
                before: known,
                after,
                left,
                spent,
                san: terms.keep_moves.then(|| skimmed.san.into()),
            });
        }
        for color in Color::ALL {
            if let (Some(side), Some(kept)) = (entry.sides.get_mut(color).as_mut(), kept.get(color)) {
                side.kept = Some((kept / KEPT_UNIT).round() as u32);
            }
        }
        Ok(entry)
    }
}

impl SideOfGame {
    fn of(facts: &GameFacts<'_>, color: Color, terms: &Terms) -> Option<SideOfGame> {
        let name = facts.player(color);
        let half_points = facts.headers.result.half_points(color);
        let appearance =
            Appearance { game: 0, player: 0, color, round: facts.round, half_points, accuracy: None };
        let counts = terms.wants_player(name) && terms.method.filter.keeps_game(&appearance);
        counts.then(|| SideOfGame {
            group: terms.by.key(facts, color),
            name: name.to_owned(),
            elo: *facts.headers.elo.get(color),
            half_points,
            kept: None,
        })
    }
}

/// Whether no filter leaves the move at `index` out.
fn keeps(facts: &GameFacts<'_>, terms: &Terms, index: usize, after: i32) -> bool {
    if terms.method.filter == Filter::default() {
        return true;
    }
    let told = match index.checked_sub(1) {
        Some(previous) => facts.moves[previous].eval,
        None => facts.start_eval,
    };
    let turn = facts.mover(index);
    let (phase, forced) = facts.board.positions.get(index).copied().unwrap_or((Phase::Opening, false));
    terms.method.filter.keeps(&MoveFacts {
        game: 0,
        player: 0,
        mover: turn,
        number: facts.number(index),
        round: facts.round,
        phase,
        forced,
        before: told.map(|told| Said { score: Score::from_white_view(told, turn), wdl: None }),
        after: Said { score: Score::Cp(after), wdl: None },
        first_choice: None,
        own: None,
    })
}

/// What the clocks of a game tell of the time spent.
struct ClockHands {
    /// Hundredths of a second after each move, where the time control tells it.
    increment: Option<u32>,
    /// What each clock showed last; `None` before the first move, which runs no clock.
    shown: ByColor<Option<u32>>,
}

/// A clock that shows whole seconds may seem to run backwards by that much.
const ROUNDING: u32 = 100;

impl ClockHands {
    fn of(facts: &GameFacts<'_>) -> ClockHands {
        let control = facts.headers.time_control.map(str::trim);
        let increment = control.and_then(|control| match control.split_once('+') {
            Some((base, increment)) => base.parse::<u32>().ok().and(increment.parse::<u32>().ok()),
            None => control.parse::<u32>().ok().map(|_| 0),
        });
        ClockHands {
            increment: increment.and_then(|seconds| seconds.checked_mul(100)),
            shown: ByColor { white: None, black: None },
        }
    }

    /// Hundredths of a second that the move took.
    fn spent(&mut self, mover: Color, skimmed: &SkimmedMove<'_>, backwards: &mut u64) -> Option<u32> {
        let left = skimmed.clock.map(hundredths);
        let shown = std::mem::replace(self.shown.get_mut(mover), left);
        let by_clock = shown.zip(left).zip(self.increment).and_then(|((shown, left), increment)| {
            let before = shown.saturating_add(increment);
            if left > before.saturating_add(ROUNDING) {
                *backwards += 1;
                return None;
            }
            Some(before.saturating_sub(left))
        });
        skimmed.elapsed.map(hundredths).or(by_clock)
    }
}

fn hundredths(time: Duration) -> u32 {
    u32::try_from(time.as_millis() / 10).unwrap_or(u32::MAX)
}
