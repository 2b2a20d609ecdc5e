//! Correlation coefficients of values and of ranks.

/// Returns the product-moment correlation of paired values (Pearson 1895), from −1 to 1.
///
/// `None` if there are fewer than two pairs, if `x` or `y` is constant, or if a value is not finite.
///
/// # Panics
///
/// If `x` and `y` are of different lengths.
pub fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    has_correlation(x, y).then(|| cosine(&deviations(x), &deviations(y)))
}

/// Returns the rank correlation ρ of paired values (Spearman 1904), from −1 to 1. It is Pearson's coefficient
/// of the [`midranks`], so ties are allowed.
///
/// `None` as for [`pearson`].
///
/// # Panics
///
/// If `x` and `y` are of different lengths.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    has_correlation(x, y).then(|| cosine(&deviations(&midranks(x)), &deviations(&midranks(y))))
}

/// Returns the rank correlation τ-b of paired values (Kendall 1945), from −1 to 1. Its numerator is the
/// number of concordant minus the number of discordant pairs of observations. Its denominator is the
/// geometric mean of two counts: pairs untied in `x`, and pairs untied in `y`. The time grows with the square
/// of the number of observations.
///
/// `None` as for [`pearson`].
///
/// # Panics
///
/// If `x` and `y` are of different lengths.
pub fn kendall(x: &[f64], y: &[f64]) -> Option<f64> {
    has_correlation(x, y).then(|| {
        let (mut surplus, mut untied_x, mut untied_y) = (0i64, 0i64, 0i64);
        for i in 1..x.len() {
            for j in 0..i {
                let (in_x, in_y) = (order(x[i], x[j]), order(y[i], y[j]));
                surplus += in_x * in_y;
                untied_x += in_x * in_x;
                untied_y += in_y * in_y;
            }
        }
        (surplus as f64 / (untied_x as f64 * untied_y as f64).sqrt()).clamp(-1.0, 1.0)
    })
}

/// Returns the rank of each value, in the order of `values`. The smallest value has rank 1; equal values
/// share the mean of their ranks.
pub fn midranks(values: &[f64]) -> Vec<f64> {
    let mut ascending: Vec<usize> = (0..values.len()).collect();
    ascending.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for equal in ascending.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = below as f64 + (equal.len() + 1) as f64 / 2.0;
        equal.iter().for_each(|&index| ranks[index] = rank);
        below += equal.len();
    }
    ranks
}

/// Returns the pairs in which the values of `x` and `y` are both known.
pub fn both_known(x: &[Option<f64>], y: &[Option<f64>]) -> (Vec<f64>, Vec<f64>) {
    x.iter().zip(y).filter_map(|(&x, &y)| x.zip(y)).unzip()
}

/// Returns whether all values are finite, and neither `x` nor `y` is constant.
fn has_correlation(x: &[f64], y: &[f64]) -> bool {
    assert_eq!(x.len(), y.len(), "values in pairs");
    [x, y]
        .iter()
        .all(|side| side.iter().all(|value| value.is_finite()) && side.iter().any(|value| *value != side[0]))
}

/// Returns the deviations from the mean, divided by the largest absolute deviation. So their squares neither
/// overflow nor all become 0.
fn deviations(values: &[f64]) -> Vec<f64> {
    let largest = |values: &[f64]| values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    // The values are scaled first because their sum may overflow too.
    let scale = largest(values);
    let scaled: Vec<f64> = values.iter().map(|value| value / scale).collect();
    let mean = scaled.iter().sum::<f64>() / scaled.len() as f64;
    let deviations: Vec<f64> = scaled.iter().map(|value| value - mean).collect();
    let scale = largest(&deviations);
    deviations.iter().map(|deviation| deviation / scale).collect()
}

/// Returns the cosine of the angle between two nonzero vectors.
fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    (dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()).clamp(-1.0, 1.0)
}

/// Returns 1 if `a` is above `b`, −1 if it is below, 0 if they are equal.
fn order(a: f64, b: f64) -> i64 {
    i64::from(a > b) - i64::from(a < b)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Coefficient = fn(&[f64], &[f64]) -> Option<f64>;

    const ALL: [Coefficient; 3] = [pearson, spearman, kendall];

    #[track_caller]
    fn assert_coefficients(x: &[f64], y: &[f64], expected: [f64; 3]) {
        for (coefficient, expected) in ALL.iter().zip(expected) {
            let value = coefficient(x, y).expect("a correlation");
            assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
        }
    }

    #[test]
    fn three_pairs_by_hand() {
        // Deviations (−1, 0, 1) and (−2, 3, −1): 1/√(2·14). Ranks 1 2 3 and 1 3 2: 1 − 6·2/24.
        // Of three pairs of pairs two are concordant.
        assert_coefficients(&[1.0, 2.0, 3.0], &[2.0, 7.0, 3.0], [1.0 / 28f64.sqrt(), 0.5, 1.0 / 3.0]);
    }

    #[test]
    fn scipy_agrees_on_values_with_ties() {
        // from scipy.stats import pearsonr, spearmanr, kendalltau   # scipy 1.17.1
        // a, b = [1,1,2,3,3,3,4,7], [2,5,2,2,9,4,4,9]
        // [float(f(a, b)[0]) for f in (pearsonr, spearmanr, kendalltau)]
        let a = [1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 4.0, 7.0];
        let b = [2.0, 5.0, 2.0, 2.0, 9.0, 4.0, 4.0, 9.0];
        assert_coefficients(&a, &b, [0.608277573078071, 0.4458689170643706, 0.3830654388414369]);
    }

    #[test]
    fn scipy_agrees_on_elo_and_expected_score_of_ferreiras_table_5() {
        // x = [2872,2810,2747,2809,2740,2764,2757,2793]
        // y = [0.370287,0.369384,0.365234,0.355482,0.353357,0.352007,0.338358,0.313953]
        // [float(f(x, y)[0]) for f in (pearsonr, spearmanr, kendalltau)]   # scipy 1.17.1
        let x = [2872.0, 2810.0, 2747.0, 2809.0, 2740.0, 2764.0, 2757.0, 2793.0];
        let y = [0.370287, 0.369384, 0.365234, 0.355482, 0.353357, 0.352007, 0.338358, 0.313953];
        assert_coefficients(&x, &y, [0.2809935055513193, 0.4761904761904762, 0.3571428571428571]);
    }

    #[test]
    fn equal_values_share_the_mean_of_their_ranks() {
        // scipy.stats.rankdata([8.5,8.5,8,8,6.5,6.5,6,4])
        let points = [8.5, 8.5, 8.0, 8.0, 6.5, 6.5, 6.0, 4.0];
        assert_eq!(midranks(&points), [7.5, 7.5, 5.5, 5.5, 3.5, 3.5, 2.0, 1.0]);
        assert_eq!(midranks(&[0.0, -0.0, -1.0]), [2.5, 2.5, 1.0]);
        assert!(midranks(&[]).is_empty());
    }

    #[test]
    fn what_does_not_vary_has_no_correlation() {
        for coefficient in ALL {
            assert_eq!(coefficient(&[], &[]), None);
            assert_eq!(coefficient(&[1.0], &[2.0]), None);
            // The mean of three times 0.1 is not 0.1 in binary.
            assert_eq!(coefficient(&[0.1, 0.1, 0.1], &[1.0, 2.0, 3.0]), None);
            assert_eq!(coefficient(&[1.0, 2.0, 3.0], &[0.1, 0.1, 0.1]), None);
            assert_eq!(coefficient(&[1.0, f64::NAN, 3.0], &[1.0, 2.0, 3.0]), None);
            assert_eq!(coefficient(&[1.0, 2.0, 3.0], &[1.0, 2.0, f64::INFINITY]), None);
        }
    }

    #[test]
    fn very_large_and_very_small_values_have_a_correlation_too() {
        let x = [1e308, -1e308, 1.7e308];
        let y = [1e-300, -1e-300, 1.7e-300];
        assert_coefficients(&x, &y, [1.0; 3]);
    }

    /// Returns paired values with many ties, of which neither the first nor the second values are constant.
    fn pairs() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
        prop::collection::vec((-6i32..6, -6i32..6), 2..40)
            .prop_map(|pairs| pairs.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).unzip())
            .prop_filter("varies", |(x, y): &(Vec<f64>, Vec<f64>)| has_correlation(x, y))
    }

    proptest! {
        #[test]
        fn a_coefficient_is_symmetric_bounded_and_turns_its_sign_with_one_side((x, y) in pairs()) {
            let mirrored: Vec<f64> = y.iter().map(|value| -value).collect();
            for coefficient in ALL {
                let value = coefficient(&x, &y).expect("a correlation");
                prop_assert!((-1.0..=1.0).contains(&value));
                prop_assert!((coefficient(&y, &x).expect("a correlation") - value).abs() < 1e-12);
                prop_assert!((coefficient(&x, &mirrored).expect("a correlation") + value).abs() < 1e-12);
                prop_assert!((coefficient(&x, &x).expect("a correlation") - 1.0).abs() < 1e-12);
            }
        }

        #[test]
        fn a_monotone_change_of_scale_leaves_the_rank_correlations((x, y) in pairs()) {
            let cubed: Vec<f64> = x.iter().map(|value| value.powi(3) + 5.0).collect();
            prop_assert_eq!(spearman(&cubed, &y), spearman(&x, &y));
            prop_assert_eq!(kendall(&cubed, &y), kendall(&x, &y));
        }

        #[test]
        fn midranks_sum_to_that_of_all_ranks(values in prop::collection::vec(-9i32..9, 0..60)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let n = values.len() as f64;
            prop_assert_eq!(midranks(&values).iter().sum::<f64>(), n * (n + 1.0) / 2.0);
        }
    }
}
