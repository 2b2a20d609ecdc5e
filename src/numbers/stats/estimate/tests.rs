//! Intervals of estimates agree with textbooks, R, SciPy and statsmodels.

use proptest::prelude::*;

use super::*;

#[test]
fn the_expansion_of_students_t_goes_on_from_its_quantiles() {
    // scipy 1.17.1: t.ppf(0.975, 100_000) is 1.959987708, t.ppf(0.975, 1e6) is 1.959966357.
    assert!((student_quantile(100_000) - 1.959_987_708).abs() < 1e-8);
    assert!((student_quantile(1_000_000) - 1.959_966_357).abs() < 1e-8);
}

#[test]
fn three_values_have_the_interval_of_a_textbook() {
    // mean 2, s = 1, t(0.975, 2) = 4.303: 2 ± 4.303/√3.
    let estimate = Estimate::mean(&[1.0, 2.0, 3.0]).expect("values");
    let interval = estimate.interval.expect("more than one value");
    assert_eq!(estimate.value, 2.0);
    assert!((interval.half_width() - 4.302653 / 3f64.sqrt()).abs() < 1e-5);
}

#[test]
fn one_value_has_no_interval_and_none_has_no_mean() {
    assert_eq!(Estimate::mean(&[7.0]).expect("a value").interval, None);
    assert_eq!(Estimate::mean(&[]), None);
    assert_eq!(Interval::clustered(0.5, 0.1, 1), None);
    assert_eq!(Interval::percentile(vec![1.0]), None);
}

#[test]
fn a_share_of_nothing_in_ten_has_the_exact_interval_of_r() {
    // R 4.3: binom.test(0, 10)$conf.int is 0.0000000 0.3084971.
    let interval = Interval::certain(0.0, 10);
    assert_eq!(interval.low, 0.0);
    assert!((interval.high - 0.3084971).abs() < 1e-6, "{interval:?}");
    let mirrored = Interval::certain(1.0, 10);
    assert!((mirrored.low - (1.0 - 0.3084971)).abs() < 1e-6 && mirrored.high == 1.0);
}

#[test]
fn a_known_error_of_one_has_the_interval_of_the_normal_distribution() {
    // from statistics import NormalDist   # python 3.11
    // NormalDist().inv_cdf(0.975), NormalDist().inv_cdf(0.95)
    let (z, interval) = (1.9599639845400536, Interval::normal(10.0, 2.0));
    assert!((interval.high - 10.0 - 2.0 * z).abs() < 1e-9, "{interval:?}");
    assert!((interval.low - 10.0 + 2.0 * z).abs() < 1e-9, "{interval:?}");
    assert!((normal_quantile(0.9) - 1.6448536269514715).abs() < 1e-9);
}

#[test]
fn percentiles_are_those_of_r() {
    // R 4.3: quantile(c(1, 2, 4, 8, 16), c(0.025, 0.975)) is 1.1 15.2 (type 7).
    let interval = Interval::percentile(vec![16.0, 1.0, 8.0, 2.0, 4.0]).expect("values");
    assert!((interval.low - 1.1).abs() < 1e-12 && (interval.high - 15.2).abs() < 1e-12);
    assert!((interval.standard_error - 37.2f64.sqrt()).abs() < 1e-12, "R: var() is 37.2");
}

#[test]
fn a_correlation_has_the_interval_of_scipy() {
    // scipy.stats.pearsonr(x, y).confidence_interval(0.95)   # scipy 1.17.1; Elo and expected
    // score of Ferreira's Table 5, r = 0.2809935055513193 of 8 pairs
    let interval = Interval::of_correlation(0.2809935055513193, 8).expect("four pairs or more");
    assert!((interval.low + 0.5282841919938503).abs() < 1e-9, "{interval:?}");
    assert!((interval.high - 0.8227541127385798).abs() < 1e-9, "{interval:?}");
    // python: (1 - r*r)/5**0.5
    assert!((interval.standard_error - 0.4119028).abs() < 1e-6, "{interval:?}");
    assert_eq!(Interval::of_correlation(0.9, 3), None);
    for r in [1.0, -1.0] {
        let certain = Interval::of_correlation(r, 4).expect("four pairs");
        assert_eq!((certain.low, certain.high, certain.standard_error), (r, r, 0.0));
    }
}

#[test]
fn margins_of_three_and_four_make_five() {
    let term = |value: f64, margin: f64| {
        let interval = Interval { low: value - margin, high: value + margin, ..Interval::certain(0.0, 2) };
        (value, interval)
    };
    let sum = Interval::of_sum(10.0, [term(2.0, 3.0), term(8.0, 4.0)]);
    assert_eq!((sum.low, sum.high), (5.0, 15.0));
}

#[test]
fn statsmodels_has_the_same_interval_of_a_share() {
    // statsmodels.stats.proportion.proportion_confint(k, n, method='wilson')   # statsmodels 0.15.0
    for (k, n, low, high) in [
        (0, 10, 0.0, 0.27753279986288926),
        (7, 50, 0.06950833427016288, 0.26186193710585537),
        (81, 263, 0.2552885198782742, 0.36620957698280004),
    ] {
        let share = Estimate::share(k, n).expect("trials");
        let ends = share.interval.expect("an interval");
        assert!((ends.low - low).abs() < 1e-9 && (ends.high - high).abs() < 1e-9, "{share:?}");
    }
    assert_eq!(Estimate::share(0, 0), None);
}

#[test]
fn added_margins_of_three_and_four_make_seven() {
    let around = |value: f64, margin: f64| Interval {
        low: value - margin,
        high: value + margin,
        ..Interval::certain(0.0, 2)
    };
    let sum = Interval::of_added([around(2.0, 3.0), around(8.0, 4.0)]);
    assert_eq!((sum.low, sum.high), (3.0, 17.0));
}

proptest! {
    #[test]
    fn the_interval_moves_along_with_the_values(
        values in prop::collection::vec(-500f64..500.0, 2..30), shift in -500f64..500.0,
    ) {
        let moved: Vec<f64> = values.iter().map(|value| value + shift).collect();
        let (here, there) = (Estimate::mean(&values), Estimate::mean(&moved));
        let width = |e: Option<Estimate>| e.and_then(|e| e.interval).expect("an interval").half_width();
        prop_assert!((width(here) - width(there)).abs() < 1e-6);
    }
}
