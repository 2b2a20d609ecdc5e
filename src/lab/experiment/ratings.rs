//! [`Ratings`]: Elo points of the contenders by one of three fits, and strengths from an anchor.

use std::str::FromStr;

use super::score_matrix::ScoreMatrix;
use crate::base::named::named;
use crate::lab::selfplay::Side;
use crate::numbers::{EloCurve, Estimate, FitError, Interval, rating::fit::pairwise};

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub enum Fit: name {
        /// The paper's fit: η, the Elo points per ply, by least squares from the scores against the reference
        /// (Ferreira 2013).
        Lsq => "lsq",
        /// η by maximum likelihood from the games against the reference.
        Probit => "probit",
        /// One rating for each contender from the games of all pairs.
        #[default]
        Pairwise => "pairwise",
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingAnchor {
    pub depth: u32,
    pub elo: Estimate,
}

/// Elo points of each contender above the reference by one fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    pub fit: Fit,
    /// The difference of each contender; `None` for a contender outside the fit. An error if the fit fails.
    pub differences: Result<Vec<Option<Estimate>>, FitError>,
}

impl FromStr for Fit {
    type Err = String;

    fn from_str(name: &str) -> Result<Fit, String> {
        let fit = Fit::ALL.into_iter().find(|fit| fit.name() == name);
        fit.ok_or_else(|| format!("unknown fit {name:?}, expected lsq, probit or pairwise"))
    }
}

impl Ratings {
    /// Returns the Elo points of the contender at an index; `None` if it is outside the fit.
    pub fn difference(&self, place: usize) -> Option<Estimate> {
        *self.differences.as_ref().ok()?.get(place)?
    }

    /// Returns the Elo points of all contenders above contender `reference` (an index), by `fit`.
    ///
    /// With [`Fit::Lsq`] and [`Fit::Probit`], the distance from the reference is the number of plies times η,
    /// the Elo points per ply (Ferreira 2013, Table 8). Only contenders of the reference's own engine get Elo
    /// points.
    ///
    /// With [`Fit::Pairwise`], the contenders comparable with the reference get Elo points. A contender that
    /// won or lost all its games against the other comparable contenders gets none.
    pub fn of(scores: &ScoreMatrix, fit: Fit, reference: usize) -> Ratings {
        let side = scores.contenders()[reference].side;
        let differences = match fit {
            Fit::Lsq => along(scores, reference, scores.fit(side, reference).lsq.map(|c| c.elo_per_ply())),
            Fit::Probit => {
                along(scores, reference, scores.fit(side, reference).probit.map(|c| c.elo_per_ply()))
            }
            Fit::Pairwise => ratings(scores, reference),
        };
        Ratings { fit, differences }
    }

    /// Returns the strength of each contender: the strength `anchor` of the reference plus the contender's
    /// Elo difference. The margins of these two numbers are added, as in Ferreira's Table 8. The list is
    /// empty if the fit failed.
    pub fn strengths(&self, anchor: Estimate) -> Vec<Option<Estimate>> {
        let above = |difference: Estimate| {
            let intervals = anchor.interval.zip(difference.interval);
            Estimate {
                value: anchor.value + difference.value,
                interval: intervals.map(|(a, b)| Interval::of_added([a, b])),
                ..difference
            }
        };
        let each = |differences: &Vec<Option<Estimate>>| {
            differences.iter().map(|difference| difference.map(above)).collect()
        };
        self.differences.as_ref().map(each).unwrap_or_default()
    }
}

/// Returns `plies` times `eta`, the Elo points per ply. For 0 plies, the result is exactly 0.
fn times(eta: Estimate, plies: f64) -> Estimate {
    if plies == 0.0 {
        return Estimate { value: 0.0, interval: Some(Interval::normal(0.0, 0.0)), ..eta };
    }
    let interval = eta.interval.map(|interval| {
        let ends = [plies * interval.low, plies * interval.high];
        Interval {
            standard_error: plies.abs() * interval.standard_error,
            low: ends[0].min(ends[1]),
            high: ends[0].max(ends[1]),
            ..interval
        }
    });
    Estimate { value: plies * eta.value, interval, ..eta }
}

fn along(
    scores: &ScoreMatrix,
    reference: usize,
    eta: Result<Estimate, FitError>,
) -> Result<Vec<Option<Estimate>>, FitError> {
    let eta = eta?;
    let there = scores.contenders()[reference];
    let each = scores.contenders().iter().map(|contender| {
        let plies = f64::from(contender.depth) - f64::from(there.depth);
        (contender.side == there.side).then(|| times(eta, plies))
    });
    Ok(each.collect())
}

fn ratings(scores: &ScoreMatrix, reference: usize) -> Result<Vec<Option<Estimate>>, FitError> {
    let all = scores.contenders().len();
    let mut places: Vec<usize> = (0..all).collect();
    loop {
        let anchor = places
            .iter()
            .position(|&place| place == reference)
            .expect("the reference among comparable contenders");
        let rated = pairwise::ratings(places.len(), &scores.pairings(&places), anchor, EloCurve::Normal);
        match rated {
            Ok(rated) => {
                let mut each = vec![None; all];
                places.iter().zip(rated).for_each(|(&place, rating)| each[place] = Some(rating));
                return Ok(each);
            }
            Err(FitError::NoFiniteRating(side)) if side != anchor => {
                places.remove(side);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Returns the index of the deepest contender of the engine, or of the opponent if the engine has none. This
/// contender is the reference if no strength is known.
pub fn deepest(scores: &ScoreMatrix) -> Option<usize> {
    let places = (0..scores.contenders().len()).map(|place| (scores.contenders()[place], place));
    let key = |(contender, _): &(crate::lab::selfplay::Contender, usize)| {
        (contender.side == Side::Engine, contender.depth)
    };
    places.max_by_key(key).map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::experiment::testing::{ferreira, half_width, one_loser};

    #[test]
    fn depth_6_is_where_each_fit_puts_it() {
        let scores = ferreira();
        assert_eq!(deepest(&scores), Some(14));
        for (fit, points) in [(Fit::Lsq, -928.0), (Fit::Probit, -952.0), (Fit::Pairwise, -1279.0)] {
            let ratings = Ratings::of(&scores, fit, 14).differences.expect("ratings");
            assert_eq!(ratings[0].expect("depth 6").value.round(), points, "{fit}");
            assert_eq!(ratings[14].expect("depth 20").value, 0.0);
        }
    }

    #[test]
    fn table_8_comes_out() {
        // Ferreira 2013, Tables 6 and 8: 2893.9 ± 35.4 at depth 20; depth 6 is at 1966.3, 1854.6 to 2078.0.
        let interval = Interval { low: 2858.5, high: 2929.3, ..Interval::normal(2893.9, 15.0) };
        let anchor = Estimate { value: 2893.9, observations: 8, interval: Some(interval) };
        let strengths = Ratings::of(&ferreira(), Fit::Lsq, 14).strengths(anchor);
        let sixth = strengths[0].expect("depth 6");
        assert_eq!(sixth.value.round(), 1966.0);
        assert_eq!(half_width(sixth).round(), 111.0);
        assert_eq!(strengths[14].expect("depth 20").value, 2893.9);
        let plain = Estimate { interval: None, ..anchor };
        assert_eq!(
            Ratings::of(&ferreira(), Fit::Lsq, 14).strengths(plain)[0].expect("depth 6").interval,
            None
        );
    }

    #[test]
    fn who_lost_every_game_has_no_rating_and_the_others_have_theirs() {
        let scores = one_loser();
        let rated = Ratings::of(&scores, Fit::Pairwise, 3).differences.expect("ratings");
        assert_eq!(rated[0], None);
        assert!(rated[1..].iter().all(Option::is_some));
        assert!(
            Ratings::of(&scores, Fit::Pairwise, 0).differences.is_err(),
            "no contender can be compared with depth 1"
        );
    }

    #[test]
    fn names_are_read_back() {
        for fit in Fit::ALL {
            assert_eq!(fit.to_string().parse(), Ok(fit));
        }
        assert!("grid".parse::<Fit>().is_err());
    }
}
