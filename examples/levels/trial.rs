//! A test of a network: its predictions of the moves of held-out games, and a comparison of people's losses
//! with the losses of moves drawn from the network.

use gainalyze::engine::levels::{ChoiceNetwork, drawn as place_drawn};
use gainalyze::numbers::stats::bootstrap::share;
use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::choices::Choice;

/// The lower ends of the rating bands, and the upper end of the last band.
const BANDS: [u32; 9] = [800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// The plies at which the second and the third part of a game begin.
const PARTS: [usize; 2] = [20, 60];

/// Range of expected scores in which losses are compared. Outside it, there is little to lose.
const LIVE: std::ops::Range<f64> = 0.1..0.9;

/// A held-out choice with the prediction of the network.
struct Predicted<'a> {
    choice: &'a Choice,
    probabilities: Vec<f64>,
}

impl Predicted<'_> {
    fn log_loss(&self) -> f64 {
        -self.probabilities[self.choice.played].ln()
    }

    fn is_first(&self) -> f64 {
        let played = self.probabilities[self.choice.played];
        let better = self.probabilities.iter().filter(|&&other| other > played).count();
        if better == 0 { 1.0 } else { 0.0 }
    }
}

pub fn report(network: &ChoiceNetwork, held_out: &[Choice]) {
    let predicted: Vec<Predicted> = held_out
        .par_iter()
        .map(|choice| Predicted { choice, probabilities: network.probabilities_of(&choice.inputs) })
        .collect();
    eprintln!("\nrating     positions  first choice       log-loss           chance");
    let line = |name: &str, part: &[&Predicted]| {
        let (first, loss) = (mean(part, &|one| one.is_first()), mean(part, &|one| one.log_loss()));
        let chance = mean(part, &|one| (one.probabilities.len() as f64).ln());
        eprintln!(
            "{name:10} {:9}  {:.3} ± {:.3}      {:.3} ± {:.3}      {:.3}",
            part.len(),
            first.0,
            first.1,
            loss.0,
            loss.1,
            chance.0
        );
    };
    for band in BANDS.windows(2) {
        let is_in = |one: &&Predicted| (band[0]..band[1]).contains(&one.choice.elo);
        line(&format!("{}–{}", band[0], band[1] - 1), &predicted.iter().filter(is_in).collect::<Vec<_>>());
    }
    line("all", &predicted.iter().collect::<Vec<_>>());
    losses(&predicted);
}

/// Returns a mean, and half the width of its 95 % interval. Games count as independent.
fn mean(part: &[&Predicted], value: &dyn Fn(&Predicted<'_>) -> f64) -> (f64, f64) {
    let count = part.len().max(1) as f64;
    let mean = part.iter().map(|one| value(one)).sum::<f64>() / count;
    let mut of_games = std::collections::BTreeMap::<usize, f64>::new();
    for one in part {
        *of_games.entry(one.choice.game).or_default() += value(one) - mean;
    }
    let square: f64 = of_games.values().map(|sum| sum * sum).sum();
    (mean, 1.96 * square.sqrt() / count)
}

/// Compares the losses of the moves played with the losses of moves drawn from the network, by rating and by
/// part of the game.
fn losses(predicted: &[Predicted]) {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    eprintln!(
        "\nrating     plies    positions  mean loss: people, drawn   > 10 points   > 20 points   KS distance, p"
    );
    for band in [[800, 1200], [1200, 1600], [1600, 2000], [2000, 2500]] {
        for (from, to) in [(0, PARTS[0]), (PARTS[0], PARTS[1]), (PARTS[1], usize::MAX)] {
            let part = predicted.iter().filter(|one| {
                (band[0]..band[1]).contains(&one.choice.elo)
                    && (from..to).contains(&one.choice.ply)
                    && LIVE.contains(&one.choice.expected)
            });
            let (mut people, mut drawn) = (Vec::new(), Vec::new());
            for one in part {
                let losses = &one.choice.losses;
                people.push(losses[one.choice.played]);
                drawn.extend(
                    place_drawn(&one.probabilities, share(random.next_u64())).map(|place| losses[place]),
                );
            }
            let above = |losses: &[f32], most: f32| {
                100.0 * losses.iter().filter(|&&loss| loss > most).count() as f64 / losses.len().max(1) as f64
            };
            let mean = |losses: &[f32]| losses.iter().sum::<f32>() / losses.len().max(1) as f32;
            let (distance, p) = kolmogorov_smirnov(&mut people, &mut drawn);
            eprintln!(
                "{}–{}  {from:3}–{:3}  {:9}  {:.2}, {:.2}                 {:.1}, {:.1} %    {:.1}, {:.1} %    {distance:.3}, {p:.3}",
                band[0],
                band[1] - 1,
                if to == usize::MAX { "…".to_owned() } else { (to - 1).to_string() },
                people.len(),
                mean(&people),
                mean(&drawn),
                above(&people, 10.0),
                above(&drawn, 10.0),
                above(&people, 20.0),
                above(&drawn, 20.0),
            );
        }
    }
}

/// Returns the two-sample statistic of Kolmogorov and Smirnov, and its p-value by Smirnov's asymptotic
/// distribution (Smirnov 1948).
fn kolmogorov_smirnov(a: &mut [f32], b: &mut [f32]) -> (f64, f64) {
    a.sort_by(f32::total_cmp);
    b.sort_by(f32::total_cmp);
    let below = |sorted: &[f32], x: f32| sorted.partition_point(|&y| y <= x) as f64 / sorted.len() as f64;
    let distance = a.iter().chain(b.iter()).map(|&x| (below(a, x) - below(b, x)).abs()).fold(0.0, f64::max);
    let (n, m) = (a.len() as f64, b.len() as f64);
    let lambda = distance * (n * m / (n + m)).sqrt();
    let term =
        |k: i32| f64::from(if k % 2 == 1 { 1 } else { -1 }) * (-2.0 * (f64::from(k) * lambda).powi(2)).exp();
    (distance, if lambda < 0.2 { 1.0 } else { (2.0 * (1..100).map(term).sum::<f64>()).clamp(0.0, 1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_samples_by_hand() {
        // The distributions differ most at 2: 2/4 and 0/4.
        let (distance, p) = kolmogorov_smirnov(&mut [1.0, 2.0, 3.0, 4.0], &mut [3.0, 4.0, 5.0, 6.0]);
        assert!((distance - 0.5).abs() < 1e-12);
        // λ = 0.5 · √2; 2 (e^−1 − e^−4 + e^−9 …) = 0.6994.
        assert!((p - 0.6994).abs() < 1e-3, "{p}");
        // scipy.stats.ks_2samp(range(100), range(5, 105), method="asymp"): 0.05, 0.9996 (1.15).
        let mut a: Vec<f32> = (0u8..100).map(f32::from).collect();
        let mut b: Vec<f32> = (5u8..105).map(f32::from).collect();
        let (distance, p) = kolmogorov_smirnov(&mut a, &mut b);
        assert!((distance - 0.05).abs() < 1e-9 && p > 0.99, "{distance} {p}");
    }
}
