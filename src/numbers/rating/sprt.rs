//! [`Sprt`]: the sequential test that ends a match when one of two Elo differences is accepted; and
//! [`GamePairs`], its observations.

use std::{f64::consts::LN_10, f64::consts::SQRT_2, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::elo::EloCurve;
use crate::base::named::named;
use crate::numbers::{Estimate, Interval};

/// A sequential probability ratio test between two Elo differences (A. Wald, Annals of Mathematical
/// Statistics 16, 1945). It is generalized to scores of unknown spread (J. Bartroff and others, "Sequential
/// Experimentation in Clinical Trials", Springer 2013); its observations are pairs of games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The scale of the Elo differences.
    pub model: SprtModel,
    /// The Elo difference under H0, on the scale of the model.
    pub elo0: f64,
    /// The Elo difference under H1, larger than under H0.
    pub elo1: f64,
    /// The probability of accepting H1 when H0 holds.
    pub alpha: f64,
    /// The probability of accepting H0 when H1 holds.
    pub beta: f64,
}

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum SprtModel: name {
        /// The Elo difference is 800/ln 10 · (μ − ½)/σ, with the mean μ of a game's points and their standard
        /// deviation σ. Pairs give σ: it is √2 times the standard deviation of a pair's points per game (M.
        /// Van den Bergh, "Normalized Elo").
        Normalized => "normalized",
        /// The Elo difference on the logistic curve.
        Logistic => "logistic",
    }
}

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    pub enum SprtVerdict: name {
        /// More games are needed.
        #[serde(rename = "open")]
        Open => "open",
        /// H0 is accepted, and H1 rejected.
        H0 => "H0",
        /// H1 is accepted, and H0 rejected.
        H1 => "H1",
    }
}

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt { model: SprtModel::Normalized, elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 }
    }
}

/// The count used for a kind of pair that never occurred, because [`likeliest`] needs shares above 0.
const NEVER: f64 = 1e-3;

/// The points per game of a pair with 0 to 4 half-points.
const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Sprt {
    /// Returns the log-likelihood ratios (natural logarithm) at which H0 and H1 are accepted: ln(β/(1 − α))
    /// and ln((1 − β)/α).
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// Returns the log-likelihood ratio of H1 to H0 for `pairs`. For each hypothesis, the ratio uses the
    /// best-fitting distribution of pairs that has the Elo difference of that hypothesis.
    ///
    /// A kind of pair that never occurred counts as a thousandth of a pair.
    pub fn log_likelihood_ratio(&self, pairs: GamePairs) -> f64 {
        let counts = pairs.counts().map(|count| if count == 0 { NEVER } else { f64::from(count) });
        let all: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / all);
        let [h0, h1] = [self.elo0, self.elo1].map(|elo| match self.model {
            SprtModel::Normalized => likeliest_normalized(shares, elo),
            SprtModel::Logistic => {
                let mean = EloCurve::Logistic.expected_score(elo);
                likeliest(shares, POINTS.map(|points| points - mean))
            }
        });
        (0..5).map(|kind| counts[kind] * (h1[kind] / h0[kind]).ln()).sum()
    }

    /// Returns the verdict for a log-likelihood ratio.
    pub fn verdict(&self, log_likelihood_ratio: f64) -> SprtVerdict {
        let [low, high] = self.bounds();
        match log_likelihood_ratio {
            ratio if ratio <= low => SprtVerdict::H0,
            ratio if ratio >= high => SprtVerdict::H1,
            _ => SprtVerdict::Open,
        }
    }
}

/// Returns the distribution of pairs that makes `shares` (all above 0) most likely, on the condition that the
/// mean of `offsets` is 0. Each probability is share/(1 + x·offset), with the x that meets the condition (A.
/// B. Owen, "Empirical Likelihood", 2001). Some offsets are below 0 and some above.
fn likeliest(shares: [f64; 5], offsets: [f64; 5]) -> [f64; 5] {
    let [least, most] = [f64::min, f64::max].map(|of| offsets.into_iter().fold(0.0, of));
    // All shares stay above 0 in this range, and the mean falls from one end to the other.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let surplus =
        |x: f64| -> f64 { (0..5).map(|kind| shares[kind] * offsets[kind] / (1.0 + x * offsets[kind])).sum() };
    // A hundred bisections reach the precision of an f64.
    for _ in 0..100 {
        let middle = low + (high - low) / 2.0;
        if surplus(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = low + (high - low) / 2.0;
    std::array::from_fn(|kind| shares[kind] / (1.0 + x * offsets[kind]))
}

/// Returns the distribution of pairs that makes `shares` (all above 0) most likely, on the condition that the
/// normalized Elo difference is `elo`. This condition, μ − ½ = t·σ, is not linear, so each round makes it
/// linear at the latest distribution (M. Van den Bergh, "Comments on Normalized Elo", Section 4.1).
fn likeliest_normalized(shares: [f64; 5], elo: f64) -> [f64; 5] {
    let t = elo * SQRT_2 * LN_10 / 800.0;
    let mut found = [0.2; 5];
    // In trials, 103 rounds were enough for any counts and any difference up to 200.
    for _ in 0..200 {
        let mean =
            |of: &dyn Fn(f64) -> f64| -> f64 { (0..5).map(|kind| found[kind] * of(POINTS[kind])).sum() };
        let mu = mean(&|points| points);
        let sigma = mean(&|points| (points - mu).powi(2)).sqrt();
        let offset = |points: f64| points - 0.5 - t * sigma * (1.0 + ((points - mu) / sigma).powi(2)) / 2.0;
        let last = std::mem::replace(&mut found, likeliest(shares, POINTS.map(offset)));
        if (0..5).all(|kind| (found[kind] - last[kind]).abs() < 1e-9) {
            break;
        }
    }
    found
}

impl fmt::Display for Sprt {
    /// Formats as on the command line: `model=normalized,elo0=0,elo1=10,alpha=0.05,beta=0.05`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { model, elo0, elo1, alpha, beta } = self;
        write!(f, "model={model},elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")
    }
}

/// The error for a text that does not describe a sequential test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?}: write model=normalized,elo0=0,elo1=10,alpha=.05,beta=.05, with elo0 below elo1, both from -200 to 200 \
    (model=logistic: from -1000 to 1000), and alpha and beta above 0 and below .5; missing keys keep these values"
)]
pub struct ParseSprtError(String);

impl FromStr for Sprt {
    type Err = ParseSprtError;

    /// Parses a test. Missing keys keep their default.
    fn from_str(text: &str) -> Result<Sprt, ParseSprtError> {
        let mut sprt = Sprt::default();
        for part in text.split(',') {
            let bad = || ParseSprtError(part.to_owned());
            let (key, value) = part.split_once('=').ok_or_else(bad)?;
            let number = || value.trim().parse::<f64>().map_err(|_| bad());
            match key.trim() {
                "model" => {
                    let named = SprtModel::ALL.into_iter().find(|model| model.name() == value.trim());
                    sprt.model = named.ok_or_else(bad)?;
                }
                "elo0" => sprt.elo0 = number()?,
                "elo1" => sprt.elo1 = number()?,
                "alpha" => sprt.alpha = number()?,
                "beta" => sprt.beta = number()?,
                _ => return Err(bad()),
            }
        }
        // Beyond 200, the fit of normalized differences may not converge.
        let most = if sprt.model == SprtModel::Normalized { 200.0 } else { 1000.0 };
        let are_elos = -most <= sprt.elo0 && sprt.elo0 < sprt.elo1 && sprt.elo1 <= most;
        let are_chances = [sprt.alpha, sprt.beta].iter().all(|&chance| chance > 0.0 && chance < 0.5);
        if are_elos && are_chances { Ok(sprt) } else { Err(ParseSprtError(text.to_owned())) }
    }
}

/// Counts of game pairs by one side's half-points, 0 to 4; at least one pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GamePairs {
    counts: [u32; 5],
}

impl GamePairs {
    /// Makes counts from `counts[h]` pairs with `h` half-points; `None` without a pair.
    pub fn new(counts: [u32; 5]) -> Option<GamePairs> {
        let pairs = GamePairs { counts };
        (pairs.pairs() > 0).then_some(pairs)
    }

    /// Returns the number of pairs for each number of half-points, from 0 to 4.
    pub fn counts(self) -> [u32; 5] {
        self.counts
    }

    /// Returns the total number of pairs.
    pub fn pairs(self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }

    /// Returns w, the points per game, between 0 and 1.
    pub fn score(self) -> f64 {
        self.mean(|points| points)
    }

    /// Returns the standard error of w with the pair as unit, √(Σ n_h·(h/4 − w)²/(N(N − 1))). Of the N pairs,
    /// n_h have h half-points. It is 0 for a single pair.
    ///
    /// Each side has each color once in a pair. If the opening favors one color, a pair therefore scatters
    /// less than two independent games.
    pub fn standard_error(self) -> f64 {
        let w = self.score();
        (self.mean(|points| (points - w).powi(2)) / self.pairs().saturating_sub(1).max(1) as f64).sqrt()
    }

    /// Returns the normalized Elo difference 800/ln 10·(w − ½)/(√2·σ). σ is the standard deviation of a pair's points
    /// per game (M. Van den Bergh, "Normalized Elo"). The standard error is that of w, as in fastchess. `None` if
    /// all pairs have the same points.
    pub fn normalized_elo(self) -> Option<Estimate> {
        let w = self.score();
        let sigma = self.mean(|points| (points - w).powi(2)).sqrt();
        let value = 800.0 / LN_10 * (w - 0.5) / (SQRT_2 * sigma);
        let error = 800.0 / LN_10 / (2.0 * self.pairs() as f64).sqrt();
        let interval = Some(Interval::normal(value, error));
        (sigma > 0.0).then_some(Estimate { value, observations: self.pairs() as usize, interval })
    }

    /// Applies `of` to the points per game of each pair, and returns the mean.
    fn mean(self, of: impl Fn(f64) -> f64) -> f64 {
        let sum: f64 =
            (0u32..).zip(self.counts).map(|(h, count)| f64::from(count) * of(f64::from(h) / 4.0)).sum();
        sum / self.pairs() as f64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairs(counts: [u32; 5]) -> GamePairs {
        GamePairs::new(counts).expect("a pair")
    }

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt { model: SprtModel::Logistic, elo0, elo1, ..Sprt::default() }
    }

    fn normalized(elo0: f64, elo1: f64, counts: [u32; 5]) -> f64 {
        Sprt { elo0, elo1, ..Sprt::default() }.log_likelihood_ratio(pairs(counts))
    }

    #[test]
    fn two_kinds_of_pairs_by_hand() {
        // Half of the pairs have 0 points, half have 2 points, and next to none have other points. So the
        // distribution with the mean s is (1 − s, s). The ratio of 100 pairs is 50·ln((1 − s1)/(1 − s0)) +
        // 50·ln(s1/s0), with s0 = ½ and s1 = 1/(1 + 10^(−¼)) = .640065.
        let hand = 50.0 * (0.359_935f64 / 0.5).ln() + 50.0 * (0.640_065f64 / 0.5).ln();
        let found = test(0.0, 100.0).log_likelihood_ratio(pairs([50, 0, 0, 0, 50]));
        assert!((found - hand).abs() < 0.01, "{found} is not {hand}");
        let [low, high] = Sprt::default().bounds();
        assert!((high - 19.0f64.ln()).abs() < 1e-12 && (low + high).abs() < 1e-12);
    }

    #[test]
    fn fastchess_has_the_same_ratios() {
        // Disservin/fastchess, app/tests/sprt_test.cpp, "logistic pentanomial 1" and "2": to 1 % there.
        for (counts, elo0, elo1, expected) in [
            ([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, -3.07),
            ([871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0, -4.98),
        ] {
            let found = test(elo0, elo1).log_likelihood_ratio(pairs(counts));
            assert!((found - expected).abs() < 0.006, "{found} is not {expected}");
        }
    }

    #[test]
    fn fastchess_has_the_same_ratios_by_its_default_model() {
        // Disservin/fastchess, app/tests/sprt_test.cpp, "normalized pentanomial 1" to "3": to 1 % there.
        for (counts, elo0, elo1, expected) in [
            ([365, 16618, 36029 + 200, 16974, 390], 0.0, 2.0, 2.25),
            ([127, 4883, 10311 + 401, 5150, 104], -1.75, 0.25, 3.01),
            ([0, 0, 0, 0, 5550], 0.0, 5.0, 111.82),
        ] {
            let found = normalized(elo0, elo1, counts);
            assert!((found / expected - 1.0).abs() < 0.003, "{found} is not {expected}");
        }
    }

    #[test]
    fn a_general_solver_finds_the_same_normalized_ratios() {
        // scipy 1.17.1: minimize(-(q*log(u)).sum(), method="SLSQP") for each of the two differences. q has the
        // shares of the counts c; a count of 0 is .001. The conditions are u.sum() == 1 and
        // u@a - .5 == t*sqrt(u@a**2 - (u@a)**2), with a = arange(5)/4 and t = sqrt(2)*elo*log(10)/800. The ratio
        // is sum(c*log(u1/u0)).
        for (counts, elo1, expected) in [
            ([7, 31, 120, 68, 24], 10.0, 2.8194357639),
            ([1, 2, 3, 2, 1], 10.0, -0.0074534784),
            ([0, 1, 1, 1, 1], 100.0, 0.4111300608),
            ([50, 0, 0, 0, 50], 100.0, -7.6656517156),
        ] {
            let found = normalized(0.0, elo1, counts);
            assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
        }
    }

    #[test]
    fn a_normalized_difference_by_hand() {
        // Half of the pairs have 0 points, and half have 2 points. With the mean s per game, σ of a pair is
        // √(s(1 − s)). So s − ½ = t·√(s(1 − s)), and s = ½ + t/(2·√(1 + t²)). For 100 Elo, t = 100·√2·ln
        // 10/800 = .407043 and s = .688504.
        let hand = 50.0 * (0.311_496f64 / 0.5).ln() + 50.0 * (0.688_504f64 / 0.5).ln();
        let found = normalized(0.0, 100.0, [50, 0, 0, 0, 50]);
        assert!((found - hand).abs() < 0.01, "{found} is not {hand}");
    }

    #[test]
    fn a_match_has_its_normalized_difference() {
        // Points a game ¾ and 1: mean ⅞, σ = ⅛, so 800/ln 10·⅜/(√2·⅛) = 347.4356·3/√2 = 737.0; the error is
        // 347.4356/√4 = 173.7.
        let found = pairs([0, 0, 0, 1, 1]).normalized_elo().expect("two results");
        assert!((found.value - 737.0).abs() < 0.1, "{found:?}");
        let interval = found.interval.expect("an interval");
        assert!((interval.standard_error - 173.7).abs() < 0.1, "{found:?}");
        assert_eq!(pairs([0, 0, 9, 0, 0]).normalized_elo(), None);
    }

    #[test]
    fn a_ratio_beyond_a_bound_decides() {
        let sprt = Sprt::default();
        let all_won = pairs([0, 0, 0, 0, 200]);
        assert_eq!(sprt.verdict(sprt.log_likelihood_ratio(all_won)), SprtVerdict::H1);
        assert_eq!(sprt.verdict(sprt.log_likelihood_ratio(pairs([200, 0, 0, 0, 0]))), SprtVerdict::H0);
        assert_eq!(sprt.verdict(sprt.log_likelihood_ratio(pairs([1, 2, 3, 2, 1]))), SprtVerdict::Open);
    }

    #[test]
    fn a_test_is_read_as_it_is_written_and_others_are_refused() {
        let sprt: Sprt = "elo1=5, alpha=.1".parse().expect("a test");
        assert_eq!(sprt, Sprt { elo1: 5.0, alpha: 0.1, ..Sprt::default() });
        assert_eq!(sprt.to_string().parse(), Ok(sprt));
        let logistic: Sprt = "elo1=900, model=logistic".parse().expect("a test");
        assert_eq!(logistic, test(0.0, 900.0));
        assert_eq!(logistic.to_string().parse(), Ok(logistic));
        for bad in [
            "",
            "elo0",
            "elo0=10",
            "alpha=0",
            "beta=.5",
            "elo1=nan",
            "elo2=4",
            "elo0=5,elo1=-5",
            "model=bayesian",
            "elo1=201",
            "elo1=1e9,model=logistic",
        ] {
            let error = bad.parse::<Sprt>().expect_err(bad).to_string();
            assert!(error.contains("model=normalized,elo0=0,elo1=10,alpha=.05,beta=.05"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn the_other_side_with_the_hypotheses_exchanged_has_the_opposite_ratio(
            counts in prop::array::uniform5(0u32..60), elo0 in -20f64..0.0, elo1 in 0.1f64..20.0,
        ) {
            let mut turned = counts;
            turned.reverse();
            if let (Some(one), Some(other)) = (GamePairs::new(counts), GamePairs::new(turned)) {
                for model in SprtModel::ALL {
                    let here = Sprt { model, ..test(elo0, elo1) }.log_likelihood_ratio(one);
                    let there = Sprt { model, ..test(-elo1, -elo0) }.log_likelihood_ratio(other);
                    prop_assert!((here + there).abs() < 1e-6 * (1.0 + here.abs()), "{} and {}", here, there);
                }
            }
        }

        #[test]
        fn the_other_side_has_the_opposite_normalized_difference(counts in prop::array::uniform5(0u32..60)) {
            let mut turned = counts;
            turned.reverse();
            let value = |counts| Some(GamePairs::new(counts)?.normalized_elo()?.value);
            let (one, other) = (value(counts).unwrap_or_default(), value(turned).unwrap_or_default());
            prop_assert!((one + other).abs() < 1e-6 * (1.0 + one.abs()), "{} and {}", one, other);
        }

        #[test]
        fn the_likeliest_distribution_has_its_mean(counts in prop::array::uniform5(1u32..60), mean in 0.05f64..0.95) {
            let all: u32 = counts.iter().sum();
            let found =
                likeliest(counts.map(|count| f64::from(count) / f64::from(all)), POINTS.map(|points| points - mean));
            prop_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let score: f64 = (0..5).map(|kind| found[kind] * kind as f64 / 4.0).sum();
            prop_assert!((score - mean).abs() < 1e-9);
        }

        #[test]
        fn the_likeliest_distribution_has_its_normalized_difference(
            counts in prop::array::uniform5(0u32..400), elo in -200f64..200.0,
        ) {
            let counts = counts.map(|count| if count == 0 { NEVER } else { f64::from(count) });
            let all: f64 = counts.iter().sum();
            let found = likeliest_normalized(counts.map(|count| count / all), elo);
            let mean = |of: &dyn Fn(f64) -> f64| -> f64 { (0..5).map(|kind| found[kind] * of(POINTS[kind])).sum() };
            let mu = mean(&|points| points);
            let sigma = mean(&|points| (points - mu).powi(2)).sqrt();
            prop_assert!(((mu - 0.5) / (SQRT_2 * sigma) * 800.0 / LN_10 - elo).abs() < 1e-4);
        }
    }

    #[test]
    fn four_pairs_by_hand() {
        // Points a game ¼, ½, ½, ¾: mean ½, squares 1/16 + 0 + 0 + 1/16 = 1/8; √(1/8/3)/√4.
        let four = pairs([0, 1, 2, 1, 0]);
        assert_eq!((four.pairs(), four.score()), (4, 0.5));
        assert!((four.standard_error() - (1.0f64 / 24.0).sqrt() / 2.0).abs() < 1e-15);
        assert_eq!(GamePairs::new([0; 5]), None);
        assert_eq!(pairs([0, 1, 0, 0, 0]).standard_error(), 0.0);
        assert_eq!(pairs([0, 0, 9, 0, 0]).standard_error(), 0.0);
    }

    #[test]
    fn scipy_has_the_same_error() {
        // x = np.repeat(np.arange(5)/4, [7, 31, 120, 68, 24])   # scipy 1.17.1
        // x.mean(), scipy.stats.sem(x)
        let many = pairs([7, 31, 120, 68, 24]);
        assert!((many.score() - 0.571).abs() < 1e-14, "{}", many.score());
        assert!((many.standard_error() - 0.014270620253150824).abs() < 1e-14, "{}", many.standard_error());
    }

    proptest! {
        #[test]
        fn pairs_of_independent_games_scatter_as_the_games_do(w in 0u32..40, d in 0u32..40, l in 1u32..40) {
            // All products of the three outcomes, as often as two independent games give them.
            let of = |a: u32, b: u32| a * b;
            let counts = [of(l, l), 2 * of(l, d), 2 * of(w, l) + of(d, d), 2 * of(w, d), of(w, w)];
            let n = f64::from(w + d + l);
            let share = |count: u32| f64::from(count) / n;
            let variance = share(w) + share(d) / 4.0 - (share(w) + share(d) / 2.0).powi(2);
            let expected = (variance.max(0.0) / (2.0 * (n * n - 1.0).max(1.0))).sqrt();
            prop_assert!((pairs(counts).standard_error() - expected).abs() < 1e-7);
        }

        #[test]
        fn the_other_side_mirrors(counts in prop::array::uniform5(0u32..50)) {
            let mut turned = counts;
            turned.reverse();
            if let (Some(one), Some(other)) = (GamePairs::new(counts), GamePairs::new(turned)) {
                prop_assert!((one.score() + other.score() - 1.0).abs() < 1e-12);
                prop_assert!((one.standard_error() - other.standard_error()).abs() < 1e-12);
            }
        }
    }
}
