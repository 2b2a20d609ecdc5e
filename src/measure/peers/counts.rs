//! [`PlayCounts`]: counts of each value of each measure in the games of a group of players.

use std::ops::AddAssign;

use super::{
    PARTS,
    side_play::{PlayMeasure, SidePlay},
};
use crate::chess::Phase;
use crate::numbers::ValueCounts;

/// For each measure and each part of a game, the number of game sides with each value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlayCounts([[ValueCounts; PARTS.len()]; PlayMeasure::ALL.len()]);

impl PlayCounts {
    /// Returns the number of game sides with each value of `measure` in `part`. Values are in tenths of the
    /// measure's unit.
    pub fn of(&self, measure: PlayMeasure, part: Option<Phase>) -> &ValueCounts {
        &self.0[measure as usize][place(part)]
    }

    /// Adds `sides` game sides with the value `tenths`. Returns `None` if the value is larger than
    /// [`PlayMeasure::most`].
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
