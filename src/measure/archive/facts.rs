//! [`GameFacts`]: the facts of a game of an archive, from the fast or the careful reader; and [`LeftOut`], the
//! reason why a game cannot be counted. The module also replays the games of the fast reader.

use compact_str::{CompactString, ToCompactString};
use shakmaty::{ByColor, Chess, Color, Position, san::SanPlus};

use super::{clip_table::ClipTable, entrants::event_key};
use crate::base::{named::named, text::folded_name};
use crate::chess::{
    BadGame, ClockHands, Date, Evaluation, FastMove, Fingerprint, Headers, Judgment, MoveText, MoveVerdict,
    Phase, RatingSystem, Repairs, Score, SignedScore, TimeClass, Valuation, evaluated_game::LICHESS,
    is_nobody, name_with_id,
};
use crate::measure::{
    calibration::CountedMoves, calibration::GamePlay, calibration::usual_factor, group::Grouping,
    group::SpeedAndElo, group::UNKNOWN, peers::MeasuredMove, tournament::facts::MoveContext,
    tournament::facts::MoveFacts, tournament::facts::distance_from_level,
};

/// A game that cannot be counted.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    /// The reason why the game is not counted.
    pub reason: LeftOutReason,
    /// The error in an unreadable game. The game number in the error is always 1; it is not the number in the
    /// file.
    pub bad: Option<Box<BadGame>>,
}

named! {
    /// The reason why a chosen game is not counted.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum LeftOutReason: in_words {
        /// No position has an evaluation.
        NoEvaluations => "without evaluations",
        /// Some positions have no evaluation.
        Incomplete => "some positions without an evaluation",
        /// The evaluations come from the playing engines.
        OwnEngines => "evaluations of the players' own engines",
        /// The evaluations cannot be read.
        UnknownForm => "evaluations in an unknown form",
        /// The game has no moves.
        NoMoves => "without moves",
        /// The text is not PGN or not chess.
        Unreadable => "unreadable",
        /// The text exceeds the size limit of a game.
        TooLarge => "larger than 4 MiB",
        /// The file breaks off in the game.
        CutOff => "cut off by the end of the file",
    }
}

impl LeftOutReason {
    /// Returns whether the text of the game is faulty: unreadable, too large or cut off.
    pub fn is_fault(self) -> bool {
        matches!(self, LeftOutReason::Unreadable | LeftOutReason::TooLarge | LeftOutReason::CutOff)
    }
}

impl From<LeftOutReason> for LeftOut {
    fn from(reason: LeftOutReason) -> LeftOut {
        LeftOut { reason, bad: None }
    }
}

pub struct GameFacts<'a> {
    pub headers: Headers<'a>,
    /// Returns the value of a tag by its name.
    pub tag: &'a dyn Fn(&'static str) -> Option<&'a str>,
    pub titles: ByColor<Option<&'a str>>,
    pub round: Option<u32>,
    /// The side that plays the first move.
    pub first: Color,
    /// The move number of the first move.
    pub first_number: u32,
    pub start_eval: Option<SignedScore>,
    pub moves: &'a [FastMove<'a>],
    pub move_text: &'a MoveText,
    pub board: Replayed,
    pub has_player_evals: bool,
    pub odd_evals: u32,
    pub repairs: Repairs,
    /// The evaluations' engine and settings, as in [`crate::chess::evaluated_game::judge_of_game`].
    pub judge: Option<&'a str>,
    /// For each move, whether it is the engine's best move; `None` if the best move is unknown. Empty if not
    /// requested, or if an evaluation is missing.
    pub choices: Vec<Option<bool>>,
    /// The kind of the evaluations and the moves that count, if they are summed for ratings of play.
    pub rated: Option<(&'a str, CountedMoves)>,
}

impl<'a> GameFacts<'a> {
    pub fn player(&self, color: Color) -> &'a str {
        match color {
            Color::White => self.headers.white,
            Color::Black => self.headers.black,
        }
    }

    pub fn mover(&self, index: usize) -> Color {
        if index.is_multiple_of(2) { self.first } else { !self.first }
    }

    fn number(&self, index: usize) -> u32 {
        let later = index + usize::from(self.first == Color::Black);
        self.first_number.saturating_add((later / 2) as u32)
    }

    pub fn context(&self, index: usize) -> MoveContext {
        let before = match index.checked_sub(1) {
            Some(previous) => self.moves[previous].eval.and_then(Score::of_comment),
            None => self.start_score(),
        };
        let mover = self.mover(index);
        let (phase, forced) = self.board.positions.get(index).copied().unwrap_or((Phase::Opening, false));
        MoveContext {
            mover,
            number: self.number(index),
            round: self.round,
            phase,
            forced,
            level: distance_from_level(before),
        }
    }

    /// Returns the score after a move; `None` if it is unknown.
    pub fn score_after(&self, index: usize) -> Option<Score> {
        let last = self.moves.len().saturating_sub(1);
        let told = || Score::of_comment(self.moves[index].eval?);
        self.board.end.filter(|_| index == last).or_else(told)
    }

    /// Returns whether a move is a blunder by lichess's rule.
    pub fn is_blunder(&self, index: usize) -> bool {
        let before = index.checked_sub(1).map_or_else(|| self.start_score(), |index| self.score_after(index));
        let judged = before.zip(self.score_after(index));
        judged.and_then(|(before, after)| Judgment::of_move(self.mover(index), before, after))
            == Some(Judgment::Blunder)
    }

    /// Returns the factor from the evaluations to the scale of centipawns in ratings and comparisons: the usual one of
    /// the year for lichess's evaluations, and 1 for others. `None` for lichess's evaluations of an undated game.
    pub fn factor(&self) -> Option<f64> {
        match self.judge {
            Some(LICHESS) => self.headers.date.map(|date| usual_factor(date.year())),
            _ => Some(1.0),
        }
    }

    /// Returns each side's sums for a rating of play, as in calibrations. `None` if an evaluation or the scale of the
    /// evaluations is unknown, and without positions in `board`.
    pub fn plays(&self, counted: CountedMoves) -> Option<ByColor<GamePlay>> {
        let factor = self.factor().filter(|_| self.board.positions.len() == self.moves.len())?;
        let mut before = self.start_score();
        let mut moves = Vec::with_capacity(self.moves.len());
        for index in 0..self.moves.len() {
            let MoveContext { mover, number, round, phase, forced, .. } = self.context(index);
            let after = self.score_after(index)?;
            let said = |score| Valuation { score, wdl: None };
            moves.push(MoveFacts {
                game: 0,
                player: mover as u32,
                mover,
                number,
                round,
                year: self.headers.date.map(Date::year),
                phase,
                forced,
                before: before.replace(after).map(said),
                after: said(after),
                first_choice: self.choices.get(index).copied().flatten(),
                own: None,
                verdict: MoveVerdict::default(),
                factor,
            });
        }
        let own = |color| GamePlay::of_moves(moves.iter().filter(|facts| facts.mover == color), counted);
        Some(ByColor::new_with(own))
    }

    /// Returns the moves of the game before the first move that has no evaluation after it. Returns no moves
    /// if `board` has no positions.
    pub fn measured(&self) -> Vec<MeasuredMove> {
        let mut hands = ClockHands::of(self.headers.time_control);
        let mut backwards = 0;
        let factor = self.factor().unwrap_or(1.0);
        let moves = self.moves.iter().zip(&self.board.positions).enumerate();
        let measured = moves.map_while(|(index, (played, &(phase, _)))| {
            let mover = self.mover(index);
            let by_clock = hands.spent(mover, played.clock, &mut backwards);
            Some(MeasuredMove {
                mover,
                after: self.score_after(index)?.times(factor),
                phase,
                is_choice: self.choices.get(index).copied().flatten(),
                spent: played.elapsed.or(by_clock),
            })
        });
        measured.collect()
    }

    /// Returns the group of the moves of `color` in a game with ratings of this system. A property that the tags do not give is
    /// named [`UNKNOWN`]; players without a title are in the group `none`. Blitz and rapid games over the board are events of
    /// their own.
    pub fn group(&self, by: Grouping, color: Color, system: RatingSystem) -> CompactString {
        let or_unknown = |key: Option<CompactString>| key.unwrap_or(CompactString::const_new(UNKNOWN));
        let folded = |text: &str| CompactString::from(folded_name(text));
        let class = || self.headers.time_control.and_then(TimeClass::of);
        match by {
            Grouping::Player => match self.headers.players()[color.fold_wb(0, 1)] {
                (name, Some(id)) => name_with_id(&folded_name(name), id).into(),
                (name, None) if is_nobody(name) => CompactString::const_new(UNKNOWN),
                (name, None) => folded(name),
            },
            Grouping::EloBand(width) => {
                or_unknown(self.headers.elo.get(color).map(|elo| (elo / width * width).to_compact_string()))
            }
            Grouping::SpeedAndElo(width) => {
                SpeedAndElo::of(class(), *self.headers.elo.get(color), width).key().into()
            }
            Grouping::TimeControl => or_unknown(self.headers.time_control.map(folded)),
            Grouping::Speed => or_unknown(class().map(|class| class.to_compact_string())),
            Grouping::Title => self.titles.get(color).map_or(CompactString::const_new("none"), folded),
            Grouping::Year => or_unknown(self.headers.date.map(|date| date.year().to_compact_string())),
            Grouping::Event => event_key(
                &self.headers,
                system,
                self.moves.iter().take(2).filter_map(|played| played.clock).max(),
            ),
        }
    }

    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::new(&self.headers, self.move_text)
    }

    /// Returns the evaluation after each move in centipawns within the clip, White's view; `None` if an
    /// evaluation is missing or the game has no moves. The evaluation of a last position without legal moves
    /// follows from the rules.
    pub fn evaluations(&self, table: &ClipTable) -> Option<Vec<i32>> {
        let (last, others) = self.moves.split_last()?;
        let told = |played: &FastMove<'_>| Score::of_comment(played.eval?);
        let mut evaluations = Vec::with_capacity(self.moves.len());
        for played in others {
            evaluations.push(table.clipped(told(played)?));
        }
        evaluations.push(table.clipped(self.board.end.or_else(|| told(last))?));
        Some(evaluations)
    }

    /// Returns the score before the first move; `None` if no score is recorded there, or if the recorded
    /// score is mate on the board.
    pub fn start_score(&self) -> Option<Score> {
        Score::of_comment(self.start_eval?)
    }

    /// Returns the reason why evaluations are missing.
    pub fn gap(&self) -> LeftOutReason {
        let some = self.moves.iter().any(|played| played.eval.is_some());
        match self.has_player_evals {
            _ if some => LeftOutReason::Incomplete,
            _ if self.odd_evals > 0 => LeftOutReason::UnknownForm,
            true => LeftOutReason::OwnEngines,
            false => LeftOutReason::NoEvaluations,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Replayed {
    /// The score of the last position, if it has no legal moves.
    pub end: Option<Score>,
    /// For each position in which a move was played, its phase, and whether the move was forced. Empty if not
    /// requested. The fast reader finds forced moves only if the filter needs them.
    pub positions: Vec<(Phase, bool)>,
}

/// Plays `moves` from the initial position. Returns `None` if a move is illegal, or if the last move is
/// marked as mate but does not mate.
pub fn replay(moves: &[FastMove<'_>], tell_positions: bool, tell_forced: bool) -> Option<Replayed> {
    let mut position = Chess::default();
    let mut positions = Vec::with_capacity(if tell_positions { moves.len() } else { 0 });
    for played in moves {
        if tell_positions {
            // The test for a forced move generates all legal moves, which takes most of the time.
            positions.push((Phase::of(&position), tell_forced && position.legal_moves().len() == 1));
        }
        let san: SanPlus = played.san.parse().ok()?;
        let m = san.san.to_move(&position).ok()?;
        position.play_unchecked(m);
    }
    let end = Evaluation::terminal(&position).map(|terminal| terminal.score);
    let says_mate = moves.last().is_some_and(|last| last.san.ends_with('#'));
    (!says_mate || position.is_checkmate()).then_some(Replayed { end, positions })
}
