//! [`SidePlay`]: the measures of one side of a game, as a whole and by phase; and [`PlayCounts`], the counts of
//! these measures in many games.

use std::{fmt, ops::AddAssign};

use shakmaty::{ByColor, Color};

use crate::base::named::named;
use crate::chess::{GameAccuracy, Judgment, MoveChances, MoveVerdict, Phase, Score, judgment};
use crate::numbers::{ValueCounts, stats::estimate::mean_of};

named! {
    /// A measure for comparing the games of players. Values are counted in tenths of the measure's unit.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum PlayMeasure: name {
        /// lichess's accuracy, in percent.
        Accuracy => "accuracy_percent",
        /// Centipawns lost per move, by lichess's count.
        CentipawnLoss => "centipawn_loss",
        /// The share of top moves, in percent, if the best move is known for at least nine of ten moves.
        FirstChoice => "first_choice_percent",
        /// The share of blunders by lichess's rule, in percent.
        Blunders => "blunder_percent",
        /// Seconds per move, if the time of at least nine of ten moves is known.
        Time => "seconds_a_move",
    }
}

impl PlayMeasure {
    /// The step to which values are rounded, in units of the measure. A value is stored as its number of
    /// steps.
    pub const STEP: f64 = 0.1;

    /// Returns the largest counted value, in tenths of the unit: a day per move, 2,000 centipawns, or 100
    /// percent. [`SidePlay`] reduces larger values to it.
    pub const fn most(self) -> u32 {
        match self {
            PlayMeasure::Accuracy | PlayMeasure::FirstChoice | PlayMeasure::Blunders => 1_000,
            PlayMeasure::CentipawnLoss => 20_000,
            PlayMeasure::Time => 864_000,
        }
    }

    /// Returns whether a smaller value is better.
    pub const fn is_loss(self) -> bool {
        matches!(self, PlayMeasure::CentipawnLoss | PlayMeasure::Blunders)
    }
}

/// The moves of one side of a game over which a measure is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GamePart {
    /// The whole game.
    Whole,
    /// The moves of one phase.
    Phase(Phase),
    /// The whole game, if its number of moves is in the class of `LENGTHS` with this place.
    Length(usize),
}

/// The smallest number of moves of one side in each class of games by length.
pub const LENGTHS: [u32; 5] = [10, 20, 30, 40, 60];

impl GamePart {
    /// The whole game, and each phase.
    pub const SHOWN: [GamePart; 4] = [
        GamePart::Whole,
        GamePart::Phase(Phase::Opening),
        GamePart::Phase(Phase::Middlegame),
        GamePart::Phase(Phase::Endgame),
    ];

    const COUNT: usize = GamePart::SHOWN.len() + LENGTHS.len();

    /// Returns every part, the [`GamePart::SHOWN`] first.
    pub fn all() -> impl Iterator<Item = GamePart> {
        GamePart::SHOWN.into_iter().chain((0..LENGTHS.len()).map(GamePart::Length))
    }

    fn place(self) -> usize {
        match self {
            GamePart::Whole => 0,
            GamePart::Phase(phase) => 1 + phase as usize,
            GamePart::Length(class) => GamePart::SHOWN.len() + class,
        }
    }

    /// The smallest number of moves for which a side's measures are computed. Without this limit, a game of three
    /// book moves would be perfect.
    fn least_moves(self) -> usize {
        if matches!(self, GamePart::Phase(_)) { 5 } else { LENGTHS[0] as usize }
    }
}

impl fmt::Display for GamePart {
    /// Formats the part as `game`, as the name of the phase, or as `game of 20 to 29 moves`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            GamePart::Whole => f.write_str("game"),
            GamePart::Phase(phase) => phase.fmt(f),
            GamePart::Length(class) => match LENGTHS.get(class + 1) {
                Some(next) => write!(f, "game of {} to {} moves", LENGTHS[class], next - 1),
                None => write!(f, "game of {} moves or more", LENGTHS[class]),
            },
        }
    }
}

/// Returns the class of games of `moves` moves in [`LENGTHS`]; `None` for shorter games.
pub fn length_class(moves: usize) -> Option<usize> {
    LENGTHS.iter().rposition(|&least| least as usize <= moves)
}

/// A move of a game with the data for all measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredMove {
    /// The side that played the move.
    pub mover: Color,
    /// The score after the move.
    pub after: Score,
    /// The phase of the position before the move.
    pub phase: Phase,
    /// True if the move is the engine's best move; `None` if unknown.
    pub is_choice: Option<bool>,
    /// Time spent on the move, in hundredths of a second.
    pub spent: Option<u32>,
}

/// The measures of one side of a game, in tenths, for each part with enough moves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SidePlay(Vec<(PlayMeasure, GamePart, u32)>);

impl SidePlay {
    /// Returns the measures of each side of a game with these `moves`, in order from the first.
    pub fn of_game(moves: &[MeasuredMove]) -> ByColor<SidePlay> {
        let chances = MoveChances::of_game(moves.iter().map(|played| (played.mover, played.after)));
        let before = std::iter::once(judgment::START).chain(moves.iter().map(|played| played.after));
        let verdict = |(played, before): (&MeasuredMove, Score)| {
            MoveVerdict::of(played.mover, before, played.after, played.is_choice == Some(true))
        };
        let verdicts: Vec<MoveVerdict> = moves.iter().zip(before).map(verdict).collect();
        let mut sides: ByColor<SidePlay> = ByColor::default();
        for part in GamePart::SHOWN {
            let is_in = |phase| part == GamePart::Whole || part == GamePart::Phase(phase);
            let places: Vec<usize> = (0..moves.len()).filter(|&place| is_in(moves[place].phase)).collect();
            let of_part: Vec<MoveChances> = places.iter().filter_map(|&place| chances[place]).collect();
            let accuracy = GameAccuracy::of_moves(&of_part);
            for color in Color::ALL {
                let own: Vec<(&MeasuredMove, MoveVerdict)> = places
                    .iter()
                    .filter(|&&place| moves[place].mover == color)
                    .map(|&place| (&moves[place], verdicts[place]))
                    .collect();
                sides.get_mut(color).add(part, accuracy.for_color(color), &own);
            }
        }
        sides
    }

    fn add(&mut self, part: GamePart, accuracy: Option<f64>, own: &[(&MeasuredMove, MoveVerdict)]) {
        if own.len() < part.least_moves() {
            return;
        }
        let length = length_class(own.len()).filter(|_| part == GamePart::Whole).map(GamePart::Length);
        let losses: Vec<f64> =
            own.iter().filter_map(|(_, verdict)| verdict.centipawn_loss.map(f64::from)).collect();
        let blunders = own.iter().filter(|(_, verdict)| verdict.judgment == Some(Judgment::Blunder)).count();
        // A measure of only a few of the moves would not be comparable.
        let known = |value: fn(&MeasuredMove) -> Option<f64>| -> Option<f64> {
            let values: Vec<f64> = own.iter().filter_map(|(played, _)| value(played)).collect();
            mean_of(&values).filter(|_| 10 * values.len() >= 9 * own.len())
        };
        let percent = |count: usize| 100.0 * count as f64 / own.len() as f64;
        let values = [
            accuracy,
            mean_of(&losses),
            known(|played| Some(100.0 * f64::from(u8::from(played.is_choice?)))),
            Some(percent(blunders)),
            known(|played| Some(f64::from(played.spent?) / 100.0)),
        ];
        for (measure, value) in PlayMeasure::ALL.into_iter().zip(values) {
            let tenths = value.map(|value| (value / PlayMeasure::STEP).round() as u32);
            let parts = || [part].into_iter().chain(length.filter(|_| measure != PlayMeasure::Time));
            self.0.extend(
                tenths
                    .into_iter()
                    .flat_map(|tenths| parts().map(move |part| (measure, part, tenths.min(measure.most())))),
            );
        }
    }

    /// Returns each known measure, of each part, in tenths of its unit.
    pub fn iter(&self) -> impl Iterator<Item = (PlayMeasure, GamePart, u32)> + '_ {
        self.0.iter().copied()
    }

    /// Returns a measure over a part of the game, in tenths of its unit; `None` if it is unknown.
    pub fn of(&self, measure: PlayMeasure, part: GamePart) -> Option<u32> {
        self.iter().find(|&(of, at, _)| (of, at) == (measure, part)).map(|(.., tenths)| tenths)
    }

    /// Returns the class of the game's length in `LENGTHS`; `None` without measures of the whole game.
    pub fn length(&self) -> Option<usize> {
        self.iter().find_map(|(_, part, _)| match part {
            GamePart::Length(class) => Some(class),
            _ => None,
        })
    }
}

impl FromIterator<(PlayMeasure, GamePart, u32)> for SidePlay {
    fn from_iter<I: IntoIterator<Item = (PlayMeasure, GamePart, u32)>>(values: I) -> SidePlay {
        SidePlay(values.into_iter().collect())
    }
}

/// For each measure and each part of a game, the number of sides (players, once per game) with each value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlayCounts([[ValueCounts; GamePart::COUNT]; PlayMeasure::ALL.len()]);

impl PlayCounts {
    /// Returns the number of sides with each value of `measure`, in tenths of its unit, in `part`.
    pub fn of(&self, measure: PlayMeasure, part: GamePart) -> &ValueCounts {
        &self.0[measure as usize][part.place()]
    }

    /// Adds `sides` to the number of sides (players, once per game) with the value `tenths`. Returns `None`
    /// if the value is larger than [`PlayMeasure::most`].
    pub fn add(&mut self, measure: PlayMeasure, part: GamePart, tenths: u32, sides: u64) -> Option<()> {
        let tenths = i32::try_from(tenths).ok().filter(|_| tenths <= measure.most())?;
        self.0[measure as usize][part.place()].add(tenths, sides);
        Some(())
    }

    /// Adds the measures of one side of a game.
    pub fn add_side(&mut self, side: &SidePlay) {
        for (measure, part, tenths) in side.iter() {
            self.add(measure, part, tenths, 1);
        }
    }

    /// Returns the counts of each measure for each part of a game.
    pub fn iter(&self) -> impl Iterator<Item = (PlayMeasure, GamePart, &ValueCounts)> {
        PlayMeasure::ALL
            .into_iter()
            .flat_map(move |measure| GamePart::all().map(move |part| (measure, part, self.of(measure, part))))
    }
}

impl AddAssign<&PlayCounts> for PlayCounts {
    fn add_assign(&mut self, more: &PlayCounts) {
        for (counts, more) in self.0.iter_mut().flatten().zip(more.0.iter().flatten()) {
            more.iter().for_each(|(tenths, sides)| counts.add(tenths, sides));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a game of 12 moves of each side at +0.15, in which White's last move loses seven pawns.
    fn game() -> Vec<MeasuredMove> {
        let played = |ply: u32| MeasuredMove {
            mover: if ply.is_multiple_of(2) { Color::White } else { Color::Black },
            after: if ply < 22 { Score::Cp(15) } else { Score::Cp(-685) },
            phase: if ply < 12 { Phase::Opening } else { Phase::Middlegame },
            is_choice: Some(ply != 22),
            spent: (ply > 1).then_some(100 * ply),
        };
        (0..24).map(played).collect()
    }

    #[test]
    fn a_game_by_hand() {
        let white = SidePlay::of_game(&game()).white;
        let of =
            |measure, part: Option<Phase>| white.of(measure, part.map_or(GamePart::Whole, GamePart::Phase));
        assert_eq!(of(PlayMeasure::CentipawnLoss, None), Some(583), "700 / 12 moves");
        assert_eq!(of(PlayMeasure::CentipawnLoss, Some(Phase::Middlegame)), Some(1167), "700 / 6 moves");
        assert_eq!(of(PlayMeasure::CentipawnLoss, Some(Phase::Opening)), Some(0));
        assert_eq!(of(PlayMeasure::Accuracy, Some(Phase::Opening)), Some(1000));
        assert_eq!(of(PlayMeasure::Blunders, None), Some(83), "1 of 12 moves");
        assert_eq!(of(PlayMeasure::FirstChoice, None), Some(917), "11 of 12 moves");
        // The plies 2, 4, … 22 have 2 to 22 s: 12 s on average.
        assert_eq!(of(PlayMeasure::Time, None), Some(120));
        assert_eq!(of(PlayMeasure::Accuracy, Some(Phase::Endgame)), None);
        assert_eq!(
            white.length().map(|class| GamePart::Length(class).to_string()),
            Some("game of 10 to 19 moves".into())
        );
        assert_eq!(white.of(PlayMeasure::Blunders, GamePart::Length(0)), Some(83));
        assert_eq!([9, 10, 29, 30, 99].map(length_class), [None, Some(0), Some(1), Some(2), Some(4)]);
    }

    #[test]
    fn short_games_and_phases_tell_nothing() {
        let few = SidePlay::of_game(&game()[..18]);
        assert!(few.white.iter().all(|(_, part, _)| part == GamePart::Phase(Phase::Opening)));
        assert_eq!(SidePlay::of_game(&[]).white, SidePlay::default());
    }

    #[test]
    fn quantiles_of_a_hundred_games_are_their_places() {
        let mut counts = PlayCounts::default();
        for tenths in 1..=100 {
            counts.add(PlayMeasure::Accuracy, GamePart::Whole, tenths, 1);
        }
        let of = |share| counts.of(PlayMeasure::Accuracy, GamePart::Whole).quantile(share);
        assert_eq!([0.05, 0.25, 0.5, 0.9, 1.0].map(of), [5, 25, 50, 90, 100].map(Some));
        assert_eq!(counts.of(PlayMeasure::Time, GamePart::Whole).quantile(0.5), None);
        assert_eq!(
            counts.add(PlayMeasure::Accuracy, GamePart::Whole, 1001, 1),
            None,
            "no accuracy is above 100 %"
        );
    }
}
