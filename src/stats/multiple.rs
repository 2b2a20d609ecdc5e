//! Owns p-values of single comparisons, adjusted where several are made at once.

use std::f64::consts::SQRT_2;

use statrs::function::erf::erfc;

/// The chance of a standard normal value at least as far from 0 as `z`.
///
/// From the complementary error function, so that far tails keep their digits. 1 where `z` is not
/// a number: no difference over no error sets nothing apart.
pub fn two_sided_p(z: f64) -> f64 {
    if z.is_nan() { 1.0 } else { erfc(z.abs() / SQRT_2) }
}

/// The p-values adjusted by the step-down method of S. Holm, "A Simple Sequentially Rejective
/// Multiple Test Procedure" (Scandinavian Journal of Statistics 6, 1979), in the order given.
///
/// The smallest of m is multiplied by m, the next by m − 1, and so on; none is below the adjusted
/// value of a smaller one, and none above 1. Rejecting all those up to α holds the chance of any
/// false rejection to α, however the tests depend on each other.
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
    fn assert_close(values: &[f64], expected: &[f64]) {
        assert_eq!(values.len(), expected.len());
        for (value, expected) in values.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
        }
    }

    #[test]
    fn three_p_values_by_hand() {
        // 3·0.01, then 2·0.02, then 1·0.03, lifted to the 0.04 before it.
        assert_close(&holm(&[0.03, 0.01, 0.02]), &[0.04, 0.03, 0.04]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn statsmodels_agrees() {
        // from statsmodels.stats.multitest import multipletests   # statsmodels 0.15.0
        // multipletests([0.01,0.04,0.03,0.005,0.04,0.6,0.9], method='holm')[1]
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005, 0.04, 0.6, 0.9]);
        assert_close(&adjusted, &[0.06, 0.16, 0.15, 0.035, 0.16, 1.0, 1.0]);
    }

    #[test]
    fn scipy_agrees_far_into_the_tails() {
        // from scipy.stats import norm   # scipy 1.17.1
        // [(z, 2 * norm.sf(z)) for z in (0.5, 1.959963984540054, 5, 10, 30, 37)]
        let foreign = [
            (0.5, 0.6170750774519738),
            (1.959963984540054, 0.05),
            (5.0, 5.733031437583866e-07),
            (10.0, 1.523970604832094e-23),
            (30.0, 9.813427854295816e-198),
            (37.0, 1.1451142445047853e-299),
        ];
        // statrs keeps ten digits of the error function.
        for (z, p) in foreign {
            for z in [z, -z] {
                assert!((two_sided_p(z) / p - 1.0).abs() < 1e-10, "z = {z}: {}", two_sided_p(z));
            }
        }
    }

    #[test]
    fn no_z_has_a_p_that_is_not_one() {
        assert_eq!(two_sided_p(0.0), 1.0);
        assert_eq!(two_sided_p(f64::NAN), 1.0);
        assert_eq!(two_sided_p(f64::NEG_INFINITY), 0.0);
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
        fn a_larger_z_never_has_a_larger_p(z in 0.0f64..50.0, step in 0.0f64..5.0) {
            let (near, far) = (two_sided_p(z), two_sided_p(z + step));
            prop_assert!((0.0..=1.0).contains(&near) && far >= 0.0 && far <= near * (1.0 + 1e-9));
        }
    }
}
