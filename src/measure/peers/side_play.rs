//! [`SidePlay`]: the measures of one side of a game, as a whole and by phase; and [`PlayCounts`], the counts of
//! these measures in many games.

use std::ops::AddAssign;

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

/// The parts of a game: the whole game, and each phase.
pub const PARTS: [Option<Phase>; 4] =
    [None, Some(Phase::Opening), Some(Phase::Middlegame), Some(Phase::Endgame)];

/// Returns the name of a part of a game: `game`, or the name of the phase.
pub fn part_name(part: Option<Phase>) -> String {
    part.map_or_else(|| "game".to_owned(), |phase| phase.to_string())
}

/// The smallest number of moves for which a side's measures are computed, in a game and in a phase. Without
/// this limit, a game of three book moves would be perfect.
const LEAST_MOVES: [usize; 2] = [10, 5];

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
pub struct SidePlay(Vec<(PlayMeasure, Option<Phase>, u32)>);

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
        for part in PARTS {
            let places: Vec<usize> = (0..moves.len())
                .filter(|&place| part.is_none_or(|phase| moves[place].phase == phase))
                .collect();
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

    fn add(&mut self, part: Option<Phase>, accuracy: Option<f64>, own: &[(&MeasuredMove, MoveVerdict)]) {
        if own.len() < LEAST_MOVES[usize::from(part.is_some())] {
            return;
        }
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
            self.0.extend(tenths.map(|tenths| (measure, part, tenths.min(measure.most()))));
        }
    }

    /// Returns each known measure, of each part, in tenths of its unit.
    pub fn iter(&self) -> impl Iterator<Item = (PlayMeasure, Option<Phase>, u32)> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<(PlayMeasure, Option<Phase>, u32)> for SidePlay {
    fn from_iter<I: IntoIterator<Item = (PlayMeasure, Option<Phase>, u32)>>(values: I) -> SidePlay {
        SidePlay(values.into_iter().collect())
    }
}

/// For each measure and each part of a game, the number of sides (players, once per game) with each value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlayCounts([[ValueCounts; PARTS.len()]; PlayMeasure::ALL.len()]);

impl PlayCounts {
    /// Returns the number of sides with each value of `measure`, in tenths of its unit, in `part`.
    pub fn of(&self, measure: PlayMeasure, part: Option<Phase>) -> &ValueCounts {
        &self.0[measure as usize][place(part)]
    }

    /// Adds `sides` to the number of sides (players, once per game) with the value `tenths`. Returns `None`
    /// if the value is larger than [`PlayMeasure::most`].
    pub fn add(&mut self, measure: PlayMeasure, part: Option<Phase>, tenths: u32, sides: u64) -> Option<()> {
        let tenths = i32::try_from(tenths).ok().filter(|_| tenths <= measure.most())?;
        self.0[measure as usize][place(part)].add(tenths, sides);
        Some(())
    }

    /// Adds the measures of one side of a game.
    pub fn add_side(&mut self, side: &SidePlay) {
        for (measure, part, tenths) in side.iter() {
            self.add(measure, part, tenths, 1);
        }
    }

    /// Returns the counts of each measure for each part of a game.
    pub fn iter(&self) -> impl Iterator<Item = (PlayMeasure, Option<Phase>, &ValueCounts)> {
        PlayMeasure::ALL
            .into_iter()
            .flat_map(move |measure| PARTS.map(|part| (measure, part, self.of(measure, part))))
    }
}

fn place(part: Option<Phase>) -> usize {
    part.map_or(0, |phase| 1 + phase as usize)
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
        let of = |measure, part| white.iter().find(|row| (row.0, row.1) == (measure, part)).map(|row| row.2);
        assert_eq!(of(PlayMeasure::CentipawnLoss, None), Some(583), "700 / 12 moves");
        assert_eq!(of(PlayMeasure::CentipawnLoss, Some(Phase::Middlegame)), Some(1167), "700 / 6 moves");
        assert_eq!(of(PlayMeasure::CentipawnLoss, Some(Phase::Opening)), Some(0));
        assert_eq!(of(PlayMeasure::Accuracy, Some(Phase::Opening)), Some(1000));
        assert_eq!(of(PlayMeasure::Blunders, None), Some(83), "1 of 12 moves");
        assert_eq!(of(PlayMeasure::FirstChoice, None), Some(917), "11 of 12 moves");
        // The plies 2, 4, … 22 have 2 to 22 s: 12 s on average.
        assert_eq!(of(PlayMeasure::Time, None), Some(120));
        assert_eq!(of(PlayMeasure::Accuracy, Some(Phase::Endgame)), None);
    }

    #[test]
    fn short_games_and_phases_tell_nothing() {
        let few = SidePlay::of_game(&game()[..18]);
        assert!(few.white.iter().all(|(_, part, _)| part == Some(Phase::Opening)));
        assert_eq!(SidePlay::of_game(&[]).white, SidePlay::default());
    }

    #[test]
    fn quantiles_of_a_hundred_games_are_their_places() {
        let mut counts = PlayCounts::default();
        for tenths in 1..=100 {
            counts.add(PlayMeasure::Accuracy, None, tenths, 1);
        }
        let of = |share| counts.of(PlayMeasure::Accuracy, None).quantile(share);
        assert_eq!([0.05, 0.25, 0.5, 0.9, 1.0].map(of), [5, 25, 50, 90, 100].map(Some));
        assert_eq!(counts.of(PlayMeasure::Time, None).quantile(0.5), None);
        assert_eq!(counts.add(PlayMeasure::Accuracy, None, 1001, 1), None, "no accuracy is above 100 %");
    }
}
