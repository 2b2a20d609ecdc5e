//! Ratings of all sides, fitted together by maximum likelihood.

use super::FitError;
use crate::numbers::rating::elo::EloCurve;
use crate::numbers::stats::estimate::{Estimate, Interval};
use crate::numbers::stats::newton::{Objective, inverse, minimum};

/// The result of the games between two sides. Sides are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairwiseScore {
    pub sides: [usize; 2],
    /// Half-points of the first side.
    pub half_points: u32,
    pub games: u32,
}

impl PairwiseScore {
    fn score(&self) -> f64 {
        f64::from(self.half_points) / (2.0 * f64::from(self.games))
    }

    /// Returns the derivative of the log-likelihood with respect to the first side's rating, if that rating
    /// is `distance` above the second side's. `distance` is at most [`FARTHEST`] in either direction.
    pub(super) fn pull(&self, distance: f64, curve: EloCurve) -> f64 {
        let (win, loss) = (curve.expected_score(distance), curve.expected_score(-distance));
        let rise = 1.0 / curve.slope(-distance.abs());
        f64::from(self.games) * rise * (self.score() / win - (1.0 - self.score()) / loss)
    }
}

/// Returns the maximum-likelihood ratings of `sides` sides, in Elo points above `anchor`. A game is one
/// trial, a draw is half a success and half a failure, and `curve` gives the probability of success. Sources:
/// E. Zermelo, Mathematische Zeitschrift 29, 1929 (logistic curve); L. L. Thurstone, Psychological Review 34,
/// 1927 (normal curve).
///
/// The observations of a rating are the side's games. The intervals are normal, from the inverse of the
/// information. They are intervals of the difference from the anchor, whose own rating is 0 ± 0. Games of a
/// side against itself do not count.
///
/// Returns an error for fewer than three sides, for a score above 1, or if the fit does not converge. It also
/// returns an error if the sides split into two groups, of which one never met the other or won all games
/// against it (L. R. Ford, American Mathematical Monthly 64, 1957).
///
/// # Panics
///
/// If the anchor or a pairing names a side that does not exist.
pub fn ratings(
    sides: usize,
    pairings: &[PairwiseScore],
    anchor: usize,
    curve: EloCurve,
) -> Result<Vec<Estimate>, FitError> {
    if sides < 3 {
        return Err(FitError::TooFewDepths(sides));
    }
    let found = solve(sides, pairings, anchor, curve)?;
    let each = (0..sides).zip(&found.ratings);
    Ok(each
        .map(|(side, &value)| {
            let interval = Some(Interval::normal(value, found.inverse[side][side].sqrt()));
            Estimate { value, observations: games_of(side, pairings), interval }
        })
        .collect())
}

/// The maximum-likelihood ratings above the anchor, and the inverse of their information matrix. The inverse
/// has a row and a column for each side. The row and the column of the anchor are 0.
pub(super) struct Solution {
    pub ratings: Vec<f64>,
    pub inverse: Vec<Vec<f64>>,
}

/// Finds the maximum-likelihood ratings of two or more sides.
pub(super) fn solve(
    sides: usize,
    pairings: &[PairwiseScore],
    anchor: usize,
    curve: EloCurve,
) -> Result<Solution, FitError> {
    let pairings: Vec<PairwiseScore> = played(pairings).copied().collect();
    check(sides, &pairings, anchor)?;
    // The index of each side among the unknowns; the anchor's is past the end.
    let place = |side: usize| match side.cmp(&anchor) {
        std::cmp::Ordering::Less => side,
        std::cmp::Ordering::Equal => sides - 1,
        std::cmp::Ordering::Greater => side - 1,
    };
    let placed: Vec<PairwiseScore> = pairings
        .iter()
        .map(|pairing| PairwiseScore { sides: pairing.sides.map(place), ..*pairing })
        .collect();
    let start = vec![0.0; sides - 1];
    let (best, objective) =
        minimum(start, |at| likelihood(&placed, curve, at)).ok_or(FitError::NotConverged)?;
    let inverse = inverse(&objective.hessian).ok_or(FitError::NotConverged)?;
    let entry = |one: usize, other: usize| -> f64 {
        inverse.get(place(one)).and_then(|row| row.get(place(other))).copied().unwrap_or(0.0)
    };
    Ok(Solution {
        ratings: (0..sides).map(|side| best.get(place(side)).copied().unwrap_or(0.0)).collect(),
        inverse: (0..sides).map(|one| (0..sides).map(|other| entry(one, other)).collect()).collect(),
    })
}

/// Returns the pairings with games between two different sides. Other pairings carry no information.
fn played(pairings: &[PairwiseScore]) -> impl Iterator<Item = &PairwiseScore> {
    pairings.iter().filter(|pairing| pairing.games > 0 && pairing.sides[0] != pairing.sides[1])
}

pub(super) fn games_of(side: usize, pairings: &[PairwiseScore]) -> usize {
    let own = played(pairings).filter(|pairing| pairing.sides.contains(&side));
    own.map(|pairing| pairing.games as usize).sum()
}

/// Returns an error if a score is above 1, or if the games do not determine a finite rating of each side
/// relative to `anchor`.
fn check(sides: usize, pairings: &[PairwiseScore], anchor: usize) -> Result<(), FitError> {
    if let Some(bad) = pairings.iter().find(|pairing| pairing.score() > 1.0) {
        return Err(FitError::NotAScore(bad.score()));
    }
    let [beats, beaten] = arrows(pairings);
    let unreached = |arrows| reached(sides, arrows, anchor).iter().position(|reached| !reached);
    match unreached(&beats).or_else(|| unreached(&beaten)) {
        Some(side) => Err(FitError::NoFiniteRating(side)),
        None => Ok(()),
    }
}

/// Returns the arrows of two graphs. In the first, an arrow leads from each side to every opponent from which
/// it took points. In the second, all arrows are reversed.
fn arrows(pairings: &[PairwiseScore]) -> [Vec<[usize; 2]>; 2] {
    let scored = pairings.iter().filter(|pairing| pairing.half_points > 0).map(|pairing| pairing.sides);
    let conceded = pairings
        .iter()
        .filter(|pairing| pairing.score() < 1.0)
        .map(|pairing| [pairing.sides[1], pairing.sides[0]]);
    let beats: Vec<[usize; 2]> = scored.chain(conceded).collect();
    let beaten = beats.iter().map(|&[from, to]| [to, from]).collect();
    [beats, beaten]
}

/// Returns the largest group of sides with finite ratings relative to each other. If several groups have this
/// size, returns the first.
pub(super) fn comparable(sides: usize, pairings: &[PairwiseScore]) -> Vec<usize> {
    let pairings: Vec<PairwiseScore> = played(pairings).copied().collect();
    let [beats, beaten] = arrows(&pairings);
    let group = |side: usize| -> Vec<usize> {
        let (above, below) = (reached(sides, &beats, side), reached(sides, &beaten, side));
        (0..sides).filter(|&other| above[other] && below[other]).collect()
    };
    // `max_by_key` returns the last of several maxima.
    (0..sides).rev().map(group).max_by_key(Vec::len).unwrap_or_default()
}

/// Marks the sides that can be reached from `start` along the arrows.
fn reached(sides: usize, arrows: &[[usize; 2]], start: usize) -> Vec<bool> {
    let mut reached = vec![false; sides];
    let mut ahead = vec![start];
    while let Some(side) = ahead.pop() {
        if !std::mem::replace(&mut reached[side], true) {
            ahead.extend(arrows.iter().filter(|[from, _]| *from == side).map(|&[_, to]| to));
        }
    }
    reached
}

/// The limit for rating differences, in Elo points. Somewhat farther out, the normal curve rounds expected
/// scores to 0, and their logarithm is infinite.
const FARTHEST: f64 = 8000.0;

/// Returns the negative log-likelihood with its gradient and the expected information. A side past the last
/// rating of `at` is the anchor.
fn likelihood(pairings: &[PairwiseScore], curve: EloCurve, at: &[f64]) -> Objective {
    let n = at.len();
    let mut objective = Objective { value: 0.0, gradient: vec![0.0; n], hessian: vec![vec![0.0; n]; n] };
    for pairing in pairings {
        let [a, b] = pairing.sides;
        let rating = |side: usize| at.get(side).copied().unwrap_or(0.0);
        let distance = (rating(a) - rating(b)).clamp(-FARTHEST, FARTHEST);
        let (win, loss) = (curve.expected_score(distance), curve.expected_score(-distance));
        let (games, score, rise) =
            (f64::from(pairing.games), pairing.score(), 1.0 / curve.slope(-distance.abs()));
        objective.value -= games * (score * win.ln() + (1.0 - score) * loss.ln());
        let pull = pairing.pull(distance, curve);
        let weight = games * (rise / win) * (rise / loss);
        for (side, sign) in [(a, 1.0), (b, -1.0)].into_iter().filter(|(side, _)| *side < n) {
            objective.gradient[side] -= sign * pull;
            objective.hessian[side][side] += weight;
        }
        if a < n && b < n {
            objective.hessian[a][b] -= weight;
            objective.hessian[b][a] -= weight;
        }
    }
    objective
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairing(sides: [usize; 2], half_points: u32, games: u32) -> PairwiseScore {
        PairwiseScore { sides, half_points, games }
    }

    fn error(estimate: &Estimate) -> f64 {
        estimate.interval.expect("an interval").standard_error
    }

    #[test]
    fn a_chain_of_three_is_the_sum_of_its_links() {
        // Without a third pair each link fits its own score: 10 of 16 half-points and 12 of 16.
        let chain = [pairing([1, 0], 10, 8), pairing([2, 1], 12, 8)];
        for curve in [EloCurve::Normal, EloCurve::Logistic] {
            let found = ratings(3, &chain, 0, curve).expect("ratings");
            let links = [0.0, curve.difference(0.625), curve.difference(0.625) + curve.difference(0.75)];
            for (found, expected) in found.iter().zip(links) {
                assert!((found.value - expected).abs() < 1e-7, "{curve:?}: {found:?} is not {expected}");
            }
            // se² of the first link: slope²·p(1 − p)/8.
            let expected = curve.slope(links[1]) * (0.625f64 * 0.375 / 8.0).sqrt();
            assert!((error(&found[1]) / expected - 1.0).abs() < 1e-7);
            assert_eq!((error(&found[0]), found[1].observations), (0.0, 16));
        }
    }

    #[test]
    fn statsmodels_rates_three_sides_alike() {
        // X = np.array([[1., -1], [1, 0], [0, 1]]); n = np.array([100, 100, 50])   # statsmodels 0.15.0
        // s = np.array([30, 20.5, 18]); F = sm.families; K = 200*2**.5, 400/np.log(10)
        // r = sm.GLM(np.column_stack([s, n - s]), X, family=F.Binomial(link=L)).fit(tol=1e-14, maxiter=200)
        // K*r.params, K*r.bse for L = F.links.Probit() and F.links.Logit()
        let pairings = [pairing([0, 1], 60, 100), pairing([0, 2], 41, 100), pairing([1, 2], 36, 50)];
        for (curve, expected) in FOREIGN {
            let found = ratings(3, &pairings, 2, curve).expect("ratings");
            let found = [found[0].value, found[1].value, error(&found[0]), error(&found[1])];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found / expected - 1.0).abs() < 1e-8, "{curve:?}: {found} is not {expected}");
            }
        }
    }

    const FOREIGN: [(EloCurve, [f64; 4]); 2] = [
        (EloCurve::Normal, [-237.8286131093016, -93.6108445860209, 34.04476215141192, 37.42232444973241]),
        (EloCurve::Logistic, [-239.13641515542554, -94.7830790774534, 35.76779552905578, 38.13542809286002]),
    ];

    #[test]
    fn sides_without_a_finite_rating_are_named() {
        let all_won = [pairing([0, 1], 3, 4), pairing([0, 2], 8, 4), pairing([1, 2], 8, 4)];
        assert_eq!(ratings(3, &all_won, 0, EloCurve::Normal), Err(FitError::NoFiniteRating(2)));
        let never_met = [pairing([0, 1], 3, 4), pairing([2, 2], 4, 4), pairing([1, 2], 0, 0)];
        assert_eq!(ratings(3, &never_met, 0, EloCurve::Normal), Err(FitError::NoFiniteRating(2)));
        assert_eq!(ratings(2, &all_won[..1], 0, EloCurve::Normal), Err(FitError::TooFewDepths(2)));
        let too_many = [pairing([0, 1], 9, 4)];
        assert_eq!(ratings(3, &too_many, 0, EloCurve::Normal), Err(FitError::NotAScore(9.0 / 8.0)));
    }

    proptest! {
        #[test]
        fn another_anchor_moves_all_ratings_alike_and_the_order_of_sides_does_not_matter(
            points in prop::collection::vec(1u32..40, 6),
        ) {
            let met = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
            let all: Vec<PairwiseScore> = met.iter().zip(&points).map(|(&sides, &p)| pairing(sides, p, 20)).collect();
            let turned: Vec<PairwiseScore> =
                all.iter().map(|p| pairing([p.sides[1], p.sides[0]], 40 - p.half_points, 20)).collect();
            for curve in [EloCurve::Normal, EloCurve::Logistic] {
                let first = ratings(4, &all, 0, curve).expect("ratings");
                let last = ratings(4, &turned, 3, curve).expect("ratings");
                for side in 0..4 {
                    prop_assert!((first[side].value - first[3].value - last[side].value).abs() < 1e-5);
                }
                prop_assert!((error(&first[3]) / error(&last[0]) - 1.0).abs() < 1e-5);
            }
        }
    }
}
