//! [`RatingBand`]: players of similar rating, and [`BandGames`], their games and decisions.

use std::{fmt, str::FromStr};

use super::decision::Decision;

/// Players whose rating is within `tolerance` of `elo`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RatingBand {
    pub elo: u32,
    pub tolerance: u32,
}

impl RatingBand {
    pub fn has(self, elo: u32) -> bool {
        elo.abs_diff(self.elo) <= self.tolerance
    }

    /// Returns the index of the band that contains a rating. If several bands contain the rating, returns the
    /// nearest of these bands, and at equal distance the first.
    pub fn find(bands: &[RatingBand], elo: u32) -> Option<usize> {
        let fitting = bands.iter().enumerate().filter(|(_, band)| band.has(elo));
        fitting.min_by_key(|(_, band)| elo.abs_diff(band.elo)).map(|(index, _)| index)
    }
}

impl fmt::Display for RatingBand {
    /// Formats the rating in the middle of the band, which is its name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.elo.fmt(f)
    }
}

impl FromStr for RatingBand {
    type Err = String;

    /// Parses the rating in the middle of a band; the tolerance is 0.
    fn from_str(text: &str) -> Result<RatingBand, String> {
        let elo = text.trim().parse().ok().filter(|elo| (1..=4000).contains(elo));
        elo.map(|elo| RatingBand { elo, tolerance: 0 }).ok_or_else(|| {
            format!("{:?} is not a rating from 1 to 4000", text.chars().take(40).collect::<String>())
        })
    }
}

#[derive(Debug, Clone)]
pub struct BandGames {
    pub band: RatingBand,
    /// For each game with a decision, in the order of the files, true if the game is held out for testing
    /// weights.
    pub games: Vec<bool>,
    /// The decisions; decisions of one game are adjacent.
    pub decisions: Vec<Decision>,
}

impl BandGames {
    pub fn new(band: RatingBand) -> BandGames {
        BandGames { band, games: Vec::new(), decisions: Vec::new() }
    }

    /// Lists the decisions of the held-out games if `held_out` is true, else of the training games.
    pub fn part(&self, held_out: bool) -> impl Iterator<Item = &Decision> {
        self.decisions.iter().filter(move |one| self.games[one.game as usize] == held_out)
    }

    /// Counts the held-out games if `held_out` is true, else the training games.
    pub fn count(&self, held_out: bool) -> usize {
        self.games.iter().filter(|&&game| game == held_out).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_belongs_to_the_nearest_band_that_has_it() {
        let bands = [1000, 1200].map(|elo| RatingBand { elo, tolerance: 100 });
        let found = |elo| RatingBand::find(&bands, elo);
        assert_eq!(
            [899, 900, 1100, 1101, 1300, 1301].map(found),
            [None, Some(0), Some(0), Some(1), Some(1), None]
        );
        assert_eq!("1400".parse(), Ok(RatingBand { elo: 1400, tolerance: 0 }));
        assert!("0".parse::<RatingBand>().is_err() && "beginners".parse::<RatingBand>().is_err());
    }
}
