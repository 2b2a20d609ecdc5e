//! Owns [`GameCounts`]: what a game adds to the counts of an archive.

use compact_str::CompactString;
use shakmaty::{ByColor, Color};

use super::{
    board::Replayed,
    clocks::GameClocks,
    options::{ClipTable, CountOptions},
    reading::LeftOutReason,
};
use crate::{
    choice::{Fingerprint, Headers, MoveText},
    pgn::FastMove,
    phase::Phase,
    score::{Score, SignedScore},
    tournament::{
        filter::Filter,
        sample::{Appearance, MoveFacts, Valuation},
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
    pub moves: &'a [FastMove<'a>],
    pub move_text: &'a MoveText,
    pub board: Replayed,
    pub has_player_evals: bool,
    pub odd_evals: u32,
}

/// A game that counts: sums, so that to count it is little work.
#[derive(Debug, Clone, PartialEq)]
pub struct GameCounts {
    /// By what copies of it are known.
    pub fingerprint: Fingerprint,
    /// Its players; `None` for one whose moves do not count.
    pub sides: ByColor<Option<SideCounts>>,
    /// The moves that count, by clocks.
    pub clocks: GameClocks,
    /// The moves that count, in the order played; empty unless they are wanted one by one.
    pub moves: Vec<CountedMove>,
    /// Moves that would count, had the position before them an evaluation.
    pub without_gain: u64,
    /// `[%eval]` commands in no known form.
    pub odd_evals: u64,
    /// Moves after which a clock showed more than it can.
    pub clocks_backwards: u64,
}

/// A player in a game.
#[derive(Debug, Clone, PartialEq)]
pub struct SideCounts {
    /// The group of the moves.
    pub group: CompactString,
    /// As the tags have it; `None` unless the moves are wanted one by one.
    pub name: Option<Box<str>>,
    /// The Elo tag.
    pub elo: Option<u32>,
    /// Half-points scored, where the result is known.
    pub half_points: Option<u32>,
    /// The gains of the moves that count, in the metric's unit: the centres of their bins.
    pub gains: Vec<i32>,
    /// The sum of max(0, −gain) in centipawns, whatever the metric.
    pub loss_cp: u64,
    /// Half-points of the moves against a player who never gains and never loses.
    pub score: u32,
    /// What the moves that count keep of ½, in units of [`KEPT_UNIT`]; `None` without a move.
    pub kept: Option<u32>,
}

/// The unit in which the score kept of a game is rounded, so that sums of it are whole numbers.
pub const KEPT_UNIT: f64 = 1e-5;

/// A move that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedMove {
    /// Its place in the game, from 1.
    pub ply: u32,
    /// As written.
    pub san: Box<str>,
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
        Fingerprint::new(&self.headers, self.move_text)
    }

    /// The evaluation after each move in centipawns within the clip, White's view; `None` where one is
    /// missing. That of a last position without legal moves follows from the rules.
    fn evaluations(&self, scale: &ClipTable) -> Option<Vec<i32>> {
        let (last, others) = self.moves.split_last()?;
        // Mate on the board in a position that has moves is a slip of whoever wrote it.
        let told = |played: &FastMove<'_>| played.eval.filter(|eval| *eval != SignedScore::Mate(0));
        let mut evaluations = Vec::with_capacity(self.moves.len());
        for played in others {
            evaluations.push(scale.clipped(told(played)?));
        }
        let end = self.board.end.map(|end| scale.terminal(end));
        evaluations.push(end.or_else(|| told(last).map(|eval| scale.clipped(eval)))?);
        Some(evaluations)
    }

    /// Why not every position after a move has an evaluation.
    fn gap(&self) -> LeftOutReason {
        let some = self.moves.iter().any(|played| played.eval.is_some());
        match (some, self.has_player_evals) {
            (true, _) => LeftOutReason::Incomplete,
            (false, true) => LeftOutReason::OwnEngines,
            (false, false) => LeftOutReason::NoEvaluations,
        }
    }
}

impl GameCounts {
    /// What the game adds by `options`, or why it adds nothing.
    pub(super) fn of(
        facts: &GameFacts<'_>,
        options: &CountOptions,
        scale: &ClipTable,
    ) -> Result<Box<GameCounts>, LeftOutReason> {
        if facts.moves.is_empty() {
            return Err(LeftOutReason::NoMoves);
        }
        // Seen to before anything is made of a game: most games of an archive have no evaluations.
        let evaluations = facts.evaluations(scale).ok_or_else(|| facts.gap())?;
        let mut entry = Box::new(GameCounts {
            fingerprint: facts.fingerprint(),
            sides: ByColor::new_with(|color| SideCounts::of(facts, color, options)),
            clocks: GameClocks::default(),
            moves: Vec::new(),
            without_gain: 0,
            odd_evals: u64::from(facts.odd_evals),
            clocks_backwards: 0,
        });
        entry.add_moves(facts, &evaluations, options, scale);
        Ok(entry)
    }

    fn add_moves(
        &mut self,
        facts: &GameFacts<'_>,
        evaluations: &[i32],
        options: &CountOptions,
        scale: &ClipTable,
    ) {
        let filters = options.method.filter != Filter::default();
        let mut hands = ClockHands::of(facts);
        let mut kept = ByColor { white: 0.5, black: 0.5 };
        let mut before = facts.start_eval.map(|eval| scale.clipped(eval));
        for (index, (played, &after)) in facts.moves.iter().zip(evaluations).enumerate() {
            let mover = facts.mover(index);
            let by_clock = hands.spent(mover, played.clock, &mut self.clocks_backwards);
            let known = before.replace(after);
            let Some(side) = self.sides.get_mut(mover) else { continue };
            let Some(known) = known else {
                self.without_gain += 1;
                continue;
            };
            if filters && !keeps(facts, options, index, after) {
                continue;
            }
            *kept.get_mut(mover) *= scale.share(mover, known, after);
            let gain = options.gain(mover, scale.worth(known), scale.worth(after));
            let half_points = options.half_points(gain);
            side.add(gain, half_points, mover.fold_wb(known - after, after - known));
            let spent = played.elapsed.or(by_clock);
            self.clocks.add(played.clock, spent, gain, half_points);
            if options.keep_moves {
                self.moves.push(CountedMove {
                    ply: index as u32 + 1,
                    san: played.san.into(),
                    mover,
                    gain,
                    before: known,
                    after,
                    left: played.clock,
                    spent,
                });
            }
        }
        for (side, kept) in self.sides.iter_mut().zip(kept) {
            if let Some(side) = side.as_mut().filter(|side| !side.gains.is_empty()) {
                side.kept = Some((kept / KEPT_UNIT).round() as u32);
            }
        }
    }
}

impl SideCounts {
    fn of(facts: &GameFacts<'_>, color: Color, options: &CountOptions) -> Option<SideCounts> {
        let name = facts.player(color);
        let half_points = facts.headers.result.half_points(color);
        let appearance =
            Appearance { game: 0, player: 0, color, round: facts.round, half_points, accuracy: None };
        let counts = options.wants_player(name) && options.method.filter.keeps_game(&appearance);
        counts.then(|| SideCounts {
            group: options.by.key(facts, color),
            name: options.keep_moves.then(|| name.into()),
            elo: *facts.headers.elo.get(color),
            half_points,
            gains: Vec::with_capacity(facts.moves.len().div_ceil(2)),
            loss_cp: 0,
            score: 0,
            kept: None,
        })
    }

    /// Adds a move that gains so much, scores so many half-points and loses so many centipawns.
    fn add(&mut self, gain: i32, half_points: u32, loss_cp: i32) {
        self.gains.push(gain);
        self.score += half_points;
        self.loss_cp += u64::from(loss_cp.max(0).unsigned_abs());
    }
}

/// Whether no filter leaves the move at `index` out.
fn keeps(facts: &GameFacts<'_>, options: &CountOptions, index: usize, after: i32) -> bool {
    if options.method.filter == Filter::default() {
        return true;
    }
    let told = match index.checked_sub(1) {
        Some(previous) => facts.moves[previous].eval,
        None => facts.start_eval,
    };
    let turn = facts.mover(index);
    let (phase, forced) = facts.board.positions.get(index).copied().unwrap_or((Phase::Opening, false));
    options.method.filter.keeps(&MoveFacts {
        game: 0,
        player: 0,
        mover: turn,
        number: facts.number(index),
        round: facts.round,
        phase,
        forced,
        before: told.map(|told| Valuation { score: Score::from_white_view(told, turn), wdl: None }),
        after: Valuation { score: Score::Cp(after), wdl: None },
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

    /// Hundredths of a second that the move took, by what the clock shows after it.
    fn spent(&mut self, mover: Color, left: Option<u32>, backwards: &mut u64) -> Option<u32> {
        let shown = std::mem::replace(self.shown.get_mut(mover), left);
        let (shown, left) = shown.zip(left)?;
        let before = shown.saturating_add(self.increment?);
        if left > before.saturating_add(ROUNDING) {
            *backwards += 1;
            return None;
        }
        Some(before.saturating_sub(left))
    }
}
