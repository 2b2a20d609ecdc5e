//! p-values of single comparisons, and their adjustment for several comparisons.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Returns the two-sided p-value of a Student's t statistic with `freedom` degrees of freedom, at least 1.
pub fn student_p(t: f64, freedom: usize) -> f64 {
    let distribution = StudentsT::new(0.0, 1.0, freedom as f64).expect("at least one degree of freedom");
    (2.0 * distribution.sf(t.abs())).min(1.0)
}

/// Returns the two-sided p-value of a standard normal statistic.
pub fn normal_p(z: f64) -> f64 {
    (2.0 * Normal::standard().sf(z.abs())).min(1.0)
}

/// Returns the p-values in their order, adjusted by the step-down method of S. Holm, "A Simple Sequentially
/// Rejective Multiple Test Procedure" (Scandinavian Journal of Statistics 6, 1979).
///
/// The smallest of m p-values is multiplied by m, the next by m − 1, and so on. No adjusted value is above 1
/// or below that of a smaller p-value. If all hypotheses with adjusted values up to α are rejected, the
/// probability of any false rejection is at most α, for any dependence between the tests.
///
/// # Panics
///
/// If a p-value is not between 0 and 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    assert!(p_values.iter().all(|p| (0.0..=1.0).contains(p)), "p-values between 0 and 1");
    let mut ascending: Vec<usize> = (0..p_values.len()).collect();
    ascending.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (step, &index) in ascending.iter().enumerate() {
        let untested = (p_values.len() - step) as f64;
        least = least.max(untested * p_values[index]).min(1.0);
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn assert_close(values: &[f64], expected: &[f64], tolerance: f64) {
        assert_eq!(values.len(), expected.len());
        for (value, expected) in values.iter().zip(expected) {
            assert!((value - expected).abs() < tolerance, "{value} is not {expected}");
        }
    }

    #[test]
    fn three_p_values_by_hand() {
        // 3·0.01, then 2·0.02, then 1·0.03, raised to the preceding 0.04.
        assert_close(&holm(&[0.03, 0.01, 0.02]), &[0.04, 0.03, 0.04], 1e-12);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn statsmodels_agrees() {
        // from statsmodels.stats.multitest import multipletests   # statsmodels 0.15.0
        // multipletests([0.01,0.04,0.03,0.005,0.04,0.6,0.9], method='holm')[1]
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005, 0.04, 0.6, 0.9]);
        assert_close(&adjusted, &[0.06, 0.16, 0.15, 0.035, 0.16, 1.0, 1.0], 1e-12);
    }

    #[test]
    fn the_p_of_a_t_is_that_of_scipy() {
        // 2*scipy.stats.t.sf([2.0, 3.5], [13, 2])   # scipy 1.17.1
        assert_close(&[student_p(-2.0, 13), student_p(3.5, 2)], &[0.066_840_36, 0.072_827_35], 1e-8);
        assert_eq!(student_p(0.0, 5), 1.0);
        // 2*scipy.stats.norm.sf([1.96, 3.5])   # scipy 1.17.1
        assert_close(&[normal_p(-1.96), normal_p(3.5)], &[0.049_995_79, 0.000_465_26], 1e-8);
        assert_eq!(normal_p(0.0), 1.0);
    }

    proptest! {
        #[test]
        fn adjusting_keeps_the_order_and_lies_between_one_test_and_bonferroni(
            p_values in prop::collection::vec(0.0f64..=1.0, 1..30),
        ) {
            let adjusted = holm(&p_values);
            let m = p_values.len() as f64;
            for (i, &p) in p_values.iter().enumerate() {
                prop_assert!(adjusted[i] >= p && adjusted[i] <= (m * p).min(1.0));
                for (j, &other) in p_values.iter().enumerate() {
                    prop_assert!(p > other || adjusted[i] <= adjusted[j]);
                }
            }
        }

        #[test]
        fn a_larger_t_never_has_a_larger_p(t in 0.0f64..50.0, step in 0.0f64..5.0, freedom in 1usize..40) {
            let (near, far) = (student_p(t, freedom), student_p(t + step, freedom));
            prop_assert!((0.0..=1.0).contains(&near) && far >= 0.0 && far <= near);
        }
    }
}
