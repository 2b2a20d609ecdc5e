//! [`Drift`]: the change, over the years, of the rating that corresponds to a given quality of play.

use serde::{Deserialize, Serialize};

use super::play::GamePlay;

/// The term coefficient·max(0, y − from), which is added to a rating of play in year y. The term corrects for
/// the years: at equal ratings, players of later years play better.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drift {
    /// The last year without drift.
    pub from: u16,
    /// Elo points for each year after `from`.
    pub coefficient: f64,
    /// Standard error of the coefficient, by leaving out one event at a time (jackknife).
    pub standard_error: f64,
    /// The mean of max(0, y − from) over the blocks of the fit, assumed for games without a date.
    pub mean: f64,
    /// The standard deviation of max(0, y − from) over the blocks.
    pub sd: f64,
    /// The first and the last year of the events.
    pub years: [u16; 2],
}

/// Number of years before the first event and after the last event over which the drift continues. A year
/// further away counts as the nearest year of this range.
const BEYOND: f64 = 3.0;

/// Returns the number of years by which `year` is later than `from`; 0 if it is earlier.
pub(super) fn since(year: f64, from: u16) -> f64 {
    (year - f64::from(from)).max(0.0)
}

impl Drift {
    /// Returns the term for the rating of these games, and the variance of the term. The variance comes from
    /// the error of the coefficient, times the distance from the mean year of the fit, and from unknown years.
    pub fn shift(&self, games: &[GamePlay]) -> (f64, f64) {
        let (mut moves, mut dated, mut years) = (0.0, 0.0, 0.0);
        for game in games {
            moves += game.moves() as f64;
            dated += game.dated() as f64;
            years += game.year().map_or(0.0, |year| game.dated() as f64 * self.years_since(year));
        }
        if moves == 0.0 {
            return self.of(self.mean, 1.0);
        }
        let unknown = 1.0 - dated / moves;
        self.of(years / moves + unknown * self.mean, unknown)
    }

    fn of(&self, years: f64, unknown: f64) -> (f64, f64) {
        let errors = [self.standard_error * (years - self.mean), self.coefficient * self.sd * unknown];
        (self.coefficient * years, errors.iter().map(|error| error * error).sum())
    }

    pub(super) fn years_since(&self, year: f64) -> f64 {
        let [first, last] = self.years.map(f64::from);
        since(year.clamp(first - BEYOND, last + BEYOND), self.from)
    }

    pub(super) fn fault(&self) -> Option<String> {
        let numbers = [self.coefficient, self.standard_error, self.mean, self.sd];
        let is_sound = numbers.iter().all(|number| number.is_finite())
            && self.standard_error >= 0.0
            && self.sd >= 0.0
            && self.years[0] <= self.years[1];
        (!is_sound).then(|| {
            "the drift should have finite numbers, errors of 0 or more, and years in ascending order"
                .to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_by_hand() {
        let drift = Drift {
            from: 2019,
            coefficient: -20.0,
            standard_error: 4.0,
            mean: 1.5,
            sd: 2.0,
            years: [1982, 2025],
        };
        let game = |moves: u64, year: Option<u16>| GamePlay::from_sums(moves, [0.0; 5]).in_year(year);
        assert_eq!(drift.shift(&[game(40, Some(2013))]), (0.0, 36.0));
        assert_eq!(drift.shift(&[game(40, Some(2024))]), (-100.0, 196.0));
        // Three years after the last event is 2028, so 2031 counts as 2028.
        assert_eq!(drift.shift(&[game(40, Some(2031))]), (-180.0, 900.0));
        assert_eq!(drift.shift(&[game(30, Some(2013)), game(10, Some(2023))]), (-20.0, 4.0));
        // Without a date, the term is 20·1.5 with a deviation of 20·2. Both are half as large if half of the
        // moves have a date.
        assert_eq!(drift.shift(&[game(40, None)]), (-30.0, 1600.0));
        assert_eq!(drift.shift(&[game(20, None), game(20, Some(2019))]), (-15.0, 409.0));
        assert_eq!(drift.shift(&[]), (-30.0, 1600.0));
    }
}
