//! [`ClusteredRatings`]: ratings fitted to games, with errors that allow for clusters of dependent games.

use super::{FitError, pairwise::PairwiseScore, pairwise::comparable, pairwise::games_of, pairwise::solve};
use crate::numbers::{
    rating::elo::EloCurve, stats::estimate::Estimate, stats::estimate::Interval, stats::multiple::student_p,
};

/// The logistic curve, as in rating lists of engines.
const CURVE: EloCurve = EloCurve::Logistic;

/// Ratings of sides by maximum likelihood, with covariances from clusters of games.
///
/// A game is one trial; a draw is half a success and half a failure (E. Zermelo, Mathematische Zeitschrift
/// 29, 1929; R. A. Bradley and M. E. Terry, Biometrika 39, 1952). A cluster is one observation, usually two
/// games of one opening with exchanged colors. The covariances are C/(C − 1) · I⁻¹ · Σ g(c)·g(c)ᵀ · I⁻¹
/// (K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986). Here g(c) is the gradient of the log-likelihood of the
/// games of cluster c, I is the information matrix, and C is the number of clusters.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusteredRatings {
    /// One rating per side; `None` for a side that cannot be compared with the largest comparable group.
    ratings: Vec<Option<f64>>,
    /// The covariances of the ratings in squared Elo points, with a row and a column for each side.
    covariances: Vec<Vec<f64>>,
    games: Vec<usize>,
    /// Degrees of freedom: the number of clusters, minus the number of ratings that are estimated (all but
    /// one). `None` if it is not positive.
    freedom: Option<usize>,
}

impl ClusteredRatings {
    /// Rates `sides` sides. Each of the `clusters` has games between two sides.
    ///
    /// A side gets no rating if it won or lost all games against the largest comparable group, or never met
    /// it. Returns an error if no two sides can be compared, if a side has more points than games, or if the
    /// fit does not converge.
    ///
    /// # Panics
    ///
    /// If a cluster names a side that does not exist.
    pub fn of(sides: usize, clusters: &[PairwiseScore]) -> Result<ClusteredRatings, FitError> {
        let rated = comparable(sides, clusters);
        if rated.len() < 2 {
            return Err(FitError::NoFiniteRating(0));
        }
        let place = |side: usize| rated.iter().position(|&other| other == side);
        let placed: Vec<PairwiseScore> = clusters
            .iter()
            .filter(|cluster| cluster.games > 0)
            .filter_map(|cluster| {
                Some(PairwiseScore {
                    sides: [place(cluster.sides[0])?, place(cluster.sides[1])?],
                    ..*cluster
                })
            })
            .collect();
        let found = solve(rated.len(), &placed, 0, CURVE)?;
        let mut ratings = vec![None; sides];
        let mut covariances = vec![vec![0.0; sides]; sides];
        let spread = covariances_of(&placed, &found.ratings, &found.inverse);
        for (one, &side) in rated.iter().enumerate() {
            ratings[side] = Some(found.ratings[one]);
            rated
                .iter()
                .enumerate()
                .for_each(|(other, &column)| covariances[side][column] = spread[one][other]);
        }
        Ok(ClusteredRatings {
            ratings,
            covariances,
            games: (0..sides).map(|side| games_of(side, clusters)).collect(),
            freedom: (placed.len() + 1).checked_sub(rated.len()).filter(|&freedom| freedom > 0),
        })
    }

    pub fn is_rated(&self, side: usize) -> bool {
        self.ratings[side].is_some()
    }

    /// Returns the rating of a side minus the mean rating of `others`, in Elo points. The interval, if there
    /// are enough clusters, is Student's t over clusters. `None` if any of these sides has no rating, or if
    /// `others` is empty.
    pub fn above(&self, side: usize, others: &[usize]) -> Option<Estimate> {
        let mut weights = vec![0.0; self.ratings.len()];
        others.iter().for_each(|&other| weights[other] -= 1.0 / others.len() as f64);
        weights[side] += 1.0;
        let is_known = |side: &usize| self.is_rated(*side);
        let is_all_known = !others.is_empty() && is_known(&side) && others.iter().all(is_known);
        is_all_known.then(|| self.contrast(&weights, self.games[side]))
    }

    /// Returns the likelihood of superiority of `side` over `other`: Student's t distribution function at the
    /// rating difference divided by its standard error. The intervals have equally many degrees of freedom.
    /// `None` if a side has no rating, if `side` equals `other`, or if the error is unknown.
    pub fn superiority(&self, side: usize, other: usize) -> Option<f64> {
        let difference = self.above(side, &[other]).filter(|_| side != other)?;
        let error = difference.interval?.standard_error;
        let p = student_p(difference.value / error, self.freedom.filter(|_| error > 0.0)?);
        Some(if difference.value > 0.0 { 1.0 - p / 2.0 } else { p / 2.0 })
    }

    /// Returns the weighted sum of the ratings, with its interval. The `weights` add up to 0.
    fn contrast(&self, weights: &[f64], observations: usize) -> Estimate {
        let value =
            weights.iter().zip(&self.ratings).map(|(weight, rating)| weight * rating.unwrap_or(0.0)).sum();
        // Usually two sides of many.
        let weighted: Vec<usize> = (0..weights.len()).filter(|&side| weights[side] != 0.0).collect();
        let spread = |&one: &usize| -> f64 {
            let row = |&other: &usize| weights[one] * self.covariances[one][other] * weights[other];
            weighted.iter().map(row).sum()
        };
        let variance: f64 = weighted.iter().map(spread).sum();
        let is_certain = weighted.is_empty();
        // Rounding may give a variance below 0. No scatter at all means too few clusters to see any, not
        // certainty.
        let error = variance.max(0.0).sqrt();
        let interval = match self.freedom {
            _ if is_certain => Some(Interval::normal(value, 0.0)),
            Some(freedom) if error > LEAST_ERROR => Interval::clustered(value, error, freedom + 1),
            _ => None,
        };
        Estimate { value, observations, interval }
    }
}

/// A standard error below this, in Elo points, is rounding error and counts as 0.
const LEAST_ERROR: f64 = 1e-6;

fn covariances_of(clusters: &[PairwiseScore], ratings: &[f64], inverse: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = ratings.len();
    let mut gradients = vec![vec![0.0; n]; n];
    for cluster in clusters {
        let [a, b] = cluster.sides;
        let pull = cluster.pull(ratings[a] - ratings[b], CURVE);
        for (one, other, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
            gradients[one][other] += sign * pull * pull;
        }
    }
    let count = clusters.len() as f64;
    let few = if clusters.len() > 1 { count / (count - 1.0) } else { 1.0 };
    let mut spread = product(&product(inverse, &gradients), inverse);
    spread.iter_mut().flatten().for_each(|entry| *entry *= few);
    spread
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry =
        |row: &Vec<f64>, column: usize| row.iter().zip(b).map(|(entry, other)| entry * other[column]).sum();
    a.iter().map(|row| (0..b.len()).map(|column| entry(row, column)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};

    use super::*;
    use crate::numbers::rating::fit::pairwise::ratings;

    fn cluster(sides: [usize; 2], half_points: u32, games: u32) -> PairwiseScore {
        PairwiseScore { sides, half_points, games }
    }

    #[test]
    fn two_sides_by_hand() {
        // Pairs of 1, 2, 2, 3 and 4 half-points of 4: 12 of 20, a score of .6, so 400·log₁₀(1.5) = 70.437 points. Points a
        // pair less 1.2: −.7, −.2, −.2, .3, .8, squares .49 + .04 + .04 + .09 + .64 = 1.3; slope 400/(ln 10·.24) = 723.82, and
        // √(5/4·1.3)/10 = .127475 of score is 92.27 points.
        let pairs: Vec<PairwiseScore> =
            [1, 2, 2, 3, 4].map(|half_points| cluster([0, 1], half_points, 2)).into();
        let found = ClusteredRatings::of(2, &pairs).expect("ratings");
        let above = found.above(0, &[1]).expect("a rating");
        let interval = above.interval.expect("five pairs");
        assert!((above.value - 70.437).abs() < 1e-3, "{above:?}");
        assert!((interval.standard_error - 92.27).abs() < 0.01, "{interval:?}");
        // scipy.stats.t.cdf(70.437/92.27, 4)   # scipy 1.17.1
        assert!((found.superiority(0, 1).expect("an error") - 0.756_110).abs() < 1e-5);
        assert_eq!(found.above(0, &[0]).expect("itself").value, 0.0);
    }

    #[test]
    fn statsmodels_has_the_same_ratings_and_errors_by_clusters() {
        // X has a row for each game, with 1 and −1 for the two sides of the game, and no column for the third side.
        // y has the half-points of the game's pair divided by 4, and g has the pair's number. # statsmodels 0.15.0
        // r = sm.GLM(y, X, family=sm.families.Binomial()).fit(tol=1e-14, maxiter=200, cov_type="cluster",
        //     cov_kwds={"groups": g, "use_correction": False}); K = 400/np.log(10)
        // v = r.cov_params()*K*K*12/11; K*r.params, np.sqrt(np.diag(v)), np.sqrt(v[0, 0] + v[1, 1] - 2*v[0, 1])
        let pairs = [([0, 1], [3, 1, 4, 2].as_slice()), ([0, 2], &[2, 4, 3, 1]), ([1, 2], &[2, 1, 4, 0])];
        let of =
            |(sides, points): ([usize; 2], &'static [u32])| points.iter().map(move |&h| cluster(sides, h, 2));
        let games: Vec<PairwiseScore> = pairs.into_iter().flat_map(of).collect();
        let found = ClusteredRatings::of(3, &games).expect("ratings");
        for (side, other, value, error) in [
            (0, 2, 74.08518942, 91.82139309),
            (1, 2, -29.62452267, 104.35464535),
            (0, 1, 74.08518942 + 29.62452267, 93.94119619505666),
        ] {
            let above = found.above(side, &[other]).expect("a rating");
            assert!((above.value - value).abs() < 1e-6, "{above:?}");
            let interval = above.interval.expect("twelve pairs");
            assert!((interval.standard_error - error).abs() < 1e-6, "{interval:?}");
        }
    }

    #[test]
    fn who_lost_every_game_has_no_rating_and_the_others_have_theirs() {
        let games =
            [cluster([0, 1], 3, 4), cluster([0, 1], 5, 4), cluster([0, 2], 8, 4), cluster([1, 2], 8, 4)];
        let found = ClusteredRatings::of(3, &games).expect("ratings");
        assert_eq!([0, 1, 2].map(|side| found.is_rated(side)), [true, true, false]);
        assert_eq!(
            (found.above(2, &[0]), found.above(0, &[1, 2]), found.superiority(0, 2)),
            (None, None, None)
        );
        assert!(found.above(0, &[1]).is_some());
        assert!(ClusteredRatings::of(2, &[cluster([0, 1], 8, 4)]).is_err());
        assert!(ClusteredRatings::of(3, &[]).is_err());
    }

    #[test]
    fn pairs_that_are_all_alike_have_a_rating_without_an_interval() {
        let alike: Vec<PairwiseScore> = vec![cluster([0, 1], 3, 2); 9];
        let above = ClusteredRatings::of(2, &alike).expect("ratings").above(0, &[1]).expect("a rating");
        assert_eq!(above.interval, None);
        let one = ClusteredRatings::of(2, &[cluster([0, 1], 3, 4)]).expect("ratings");
        assert_eq!((one.above(0, &[1]).expect("a rating").interval, one.superiority(0, 1)), (None, None));
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut uniform = || random.next_u64() as f64 / u64::MAX as f64;
        let truth = [0.0, 60.0, 150.0];
        let (mut held, mut plain, mut all) = (0, 0, 0);
        for _ in 0..300 {
            let mut games = Vec::new();
            // Each opening favors White by its own number of points, and there are no draws.
            for sides in [[0, 1], [0, 2], [1, 2]] {
                for _ in 0..40 {
                    let bias = 500.0 * (uniform() - 0.5);
                    let ahead = truth[sides[0]] - truth[sides[1]];
                    let won =
                        [ahead + bias, ahead - bias].map(|points| uniform() < CURVE.expected_score(points));
                    games.push(cluster(sides, won.into_iter().map(|won| 2 * u32::from(won)).sum(), 2));
                }
            }
            let found = ClusteredRatings::of(3, &games).expect("ratings");
            // The expected difference over all openings, on the scale of the fit.
            let steps: Vec<f64> =
                (0..100).map(|step| 500.0 * ((f64::from(step) + 0.5) / 100.0 - 0.5)).collect();
            let mean = |points: f64| {
                CURVE.difference(
                    steps.iter().map(|bias| CURVE.expected_score(points + bias)).sum::<f64>() / 100.0,
                )
            };
            for (side, other) in [(1, 0), (2, 1), (2, 0)] {
                let above = found.above(side, &[other]).expect("a rating");
                let interval = above.interval.expect("pairs");
                let off = (above.value - mean(truth[side] - truth[other])).abs();
                held += u32::from(off < interval.half_width());
                let alone = ratings(3, &games, other, CURVE).expect("ratings")[side];
                plain += u32::from(off < alone.interval.expect("games").half_width());
                all += 1;
            }
        }
        // 900 differences, three of each sample: a share of .95 has a standard error of about .01.
        let share = |count: u32| f64::from(count) / f64::from(all);
        assert!((0.92..0.975).contains(&share(held)), "{held} of {all}");
        assert!(
            plain > held,
            "games taken for independent make intervals too wide here: {plain} and {held} of {all}"
        );
    }

    proptest! {
        #[test]
        fn the_order_of_sides_makes_no_difference(half_points in prop::collection::vec(0u32..5, 12..40)) {
            let pairs = [[0, 1], [0, 2], [1, 2], [2, 3], [3, 0]];
            let games: Vec<PairwiseScore> =
                half_points.iter().zip(pairs.iter().cycle()).map(|(&points, &sides)| cluster(sides, points, 2)).collect();
            let turned: Vec<PairwiseScore> = games
                .iter()
                .map(|game| cluster([3 - game.sides[1], 3 - game.sides[0]], 4 - game.half_points, 2))
                .collect();
            let [one, other] = [games, turned].map(|games| ClusteredRatings::of(4, &games));
            prop_assert_eq!(one.as_ref().err(), other.as_ref().err());
            let rated = |found: &ClusteredRatings| (0..4).filter(|&side| found.is_rated(side)).count();
            prop_assert_eq!(one.as_ref().map(rated), other.as_ref().map(rated));
            // Sides that never lost, or never won, cannot be compared.
            prop_assume!(one.as_ref().map(rated) == Ok(4));
            let (one, other) = (one.expect("ratings"), other.expect("ratings"));
            for side in 1..4 {
                let here = one.above(side, &[0]).expect("a rating");
                let there = other.above(3 - side, &[3]).expect("a rating");
                prop_assert!((here.value - there.value).abs() < 1e-5);
                let error = |estimate: Estimate| estimate.interval.map_or(0.0, |interval| interval.standard_error);
                prop_assert!((error(here) - error(there)).abs() < 1e-5);
            }
        }
    }
}
