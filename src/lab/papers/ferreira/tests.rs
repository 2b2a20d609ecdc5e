//! The paper's tables follow from its own numbers, except misprints.

use super::{fits::fit, *};
use crate::lab::papers::{CellVerdict, Paper, VerdictCounts, tally};

#[test]
fn every_table_comes_out_but_for_the_known_misprints() {
    let tables = tables(&Paper::Ferreira2013.data());
    for table in &tables {
        let wrong = table.cells().filter(|cell| cell.verdict() == CellVerdict::Differs);
        assert_eq!(wrong.collect::<Vec<_>>(), Vec::<&PaperCell>::new(), "{}", table.title);
    }
    assert_eq!(tally(&tables), VerdictCounts { agreeing: 691 - 6, explained: 6, differing: 0 });
}

#[test]
fn a_wrong_cell_is_found_out_wherever_it_is() {
    let with = |table, row, name, text| Paper::Ferreira2013.data().with(table, row, name, text);
    let wrong = [
        with("table2_white_scores", 3, "9", "0.55").with("table2_white_scores", 2, "13", "0.06"),
        with("table4_fit", 14, "eta", "66.4"),
        with("table5_exact_counts", 0, "half_points", "492"),
        with("table8_depth_strength", 9, "lo", "2210"),
        with("text", 0, "value", "107.6"),
    ];
    for data in wrong {
        assert!(tally(&tables(&data)).differing > 0, "{data:?}");
    }
}

#[test]
fn the_three_fits_are_those_of_scipy_and_statsmodels() {
    // python on the same 400ths R, d = np.arange(6, 21.), K = 200*2**.5   # statsmodels 0.15.0
    // X: a row a pair with 1 at i and -1 at j, without the last column; s = R[i, j]*200
    // r = sm.GLM(np.column_stack([s, 200 - s]), X, family=sm.families.Binomial(
    //     link=sm.families.links.Probit())).fit(tol=1e-14, maxiter=200); K*r.params, K*r.bse
    // depth 6: -1278.9889521506893 21.57750128499566, depth 13: -459.06779083068113
    let data = Paper::Ferreira2013.data();
    let rated = ratings(&data, Fit::Pairwise).differences.expect("ratings");
    let ratings: Vec<Estimate> = rated.into_iter().flatten().collect();
    let error = ratings[0].interval.expect("an interval").standard_error;
    assert!((ratings[0].value + 1278.9889521506893).abs() < 1e-5, "{:?}", ratings[0]);
    assert!((ratings[7].value + 459.06779083068113).abs() < 1e-5, "{:?}", ratings[7]);
    assert!((error - 21.57750128499566).abs() < 1e-5, "{error}");
    // curve_fit gives σ(20) = 4.2689485835, so that depth 6 is at −14·66.2558: Table 8's −928.
    let [sigma, eta, ..] = row(fit(&depths(&data), &exact_scores(&data)[14]));
    assert!((sigma - 4.2689485835).abs() < 1e-7 && (14.0 * eta - 927.5816).abs() < 1e-3, "{sigma} {eta}");
}

#[test]
fn a_column_without_a_fit_leaves_the_others_standing() {
    let fits = Fits::of(&[6.0, 7.0, 8.0], &[vec![0.0, 0.0, 1.0], vec![0.2, 0.5, 0.9]]);
    assert_eq!(fits.curves[0], Err(FitError::NoFiniteSpread));
    assert!(fits.rows()[1].iter().take(2).all(|value| value.is_finite()));
}
