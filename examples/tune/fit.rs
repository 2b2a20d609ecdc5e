//! Fits the weights of the evaluation. Each position has two win probabilities: one computed from the
//! evaluation, and one from the label. The fit minimizes the cross-entropy between them.

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rayon::prelude::*;
use shakmaty::{Color, Position, Square};

use crate::labels::LabeledPosition;
use gainalyze::chess::SignedScore;
use gainalyze::engine::chess_engine::{Blend, Network, Sink, Tapered, Term, Weights, emit_terms};
use gainalyze::numbers::stats::bootstrap::below;

/// The settings of a fit. With the same settings and positions, the weights are the same on any number of
/// threads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitPlan {
    /// Number of passes over the positions that are not held out.
    pub epochs: u32,
    /// Number of positions for each step of the descent.
    pub batch: usize,
    /// The length of the first steps, in centipawns. Later steps are shorter.
    pub rate: f64,
    /// Strength of the pull of each weight toward its initial value. It keeps the weights of rare terms near
    /// their initial values.
    pub decay: f64,
    /// The advantage, in centipawns, at which wins are e times as frequent as losses.
    pub scale: f64,
    /// One in this many positions is held out for testing. 0 and 1 count as 2.
    pub held_out_in: usize,
    /// Random seed for the order of positions.
    pub seed: u64,
}

impl Default for FitPlan {
    fn default() -> FitPlan {
        FitPlan {
            epochs: 40,
            batch: 8192,
            rate: 3.0,
            decay: 1e-5,
            scale: f64::from(Network::CENTIPAWNS),
            held_out_in: 20,
            seed: 1,
        }
    }
}

/// Fitted weights, and the distance of their evaluations from the labels.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedWeights {
    /// The weights, in whole centipawns.
    pub weights: Weights,
    /// The distance in the positions used for the fit.
    pub fitted: Distance,
    /// The distance in the held-out positions.
    pub held_out: Distance,
}

/// The distance of evaluations from labels, over some positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    pub positions: usize,
    /// Root mean square of the differences between the win probabilities from the evaluation and from the
    /// label.
    pub rmse: f64,
    /// Mean cross-entropy between the win probabilities from the evaluation and from the label, in nats.
    pub loss: f64,
}

/// Weights during the fit: a middlegame and an endgame value for each term, in the order of the terms'
/// indices.
type Vector = Vec<[f64; 2]>;

/// The decay rates β₁ and β₂ of the running means of gradients and squared gradients (D. P. Kingma and J. Ba,
/// "Adam: A Method for Stochastic Optimization", 2015).
pub const FORGET: (f64, f64) = (0.9, 0.999);

/// Number of positions in a partial sum. The partial sums are added in a fixed order, so the total does not
/// depend on the number of threads.
const CHUNK: usize = 512;

impl FitPlan {
    /// Fits weights, starting at `start`. Terms that [`Term::is_fitted`] excludes keep their initial weights.
    /// After each epoch, `progress` receives the number of the epoch, from 1, and the distance in the
    /// held-out positions.
    pub fn fit(
        &self,
        positions: &[LabeledPosition],
        start: &Weights,
        mut progress: impl FnMut(u32, Distance),
    ) -> FittedWeights {
        let rows: Vec<PositionRow> =
            positions.par_iter().map(|position| PositionRow::of(position, self.scale)).collect();
        let is_held_out = |index: &usize| index.is_multiple_of(self.held_out_in.max(2));
        let (held_out, mut order): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(is_held_out);
        let begun = vector(start);
        let mut descent = Descent::from(begun.clone());
        let set: Vec<Term> = (0..).map_while(Term::from_index).filter(|term| !term.is_fitted()).collect();
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        for epoch in 0..self.epochs {
            shuffle(&mut order, &mut random);
            // A quarter of a cosine: long steps at first, none at the end.
            let share = f64::from(epoch) / f64::from(self.epochs);
            let rate = self.rate * (share * std::f64::consts::FRAC_PI_2).cos();
            for batch in order.chunks(self.batch) {
                let mut gradient = gradient(&rows, batch, &descent.place, self.scale);
                self.add_decay(&mut gradient, &descent.place, &begun);
                set.iter().for_each(|term| gradient[term.index()] = [0.0; 2]);
                descent.step(&gradient, rate);
            }
            progress(epoch + 1, distance(&rows, &held_out, &descent.place, self.scale));
        }
        let weights = rounded(&descent.place);
        let place = vector(&weights);
        order.sort_unstable();
        FittedWeights {
            fitted: distance(&rows, &order, &place, self.scale),
            held_out: distance(&rows, &held_out, &place, self.scale),
            weights,
        }
    }

    /// Returns the distance of the evaluations with these weights from the labels.
    #[cfg(test)]
    fn distance(&self, positions: &[LabeledPosition], weights: &Weights) -> Distance {
        let rows: Vec<PositionRow> =
            positions.par_iter().map(|position| PositionRow::of(position, self.scale)).collect();
        let all: Vec<usize> = (0..rows.len()).collect();
        distance(&rows, &all, &vector(weights), self.scale)
    }

    fn add_decay(&self, gradient: &mut Vector, place: &Vector, begun: &Vector) {
        for ((gradient, place), begun) in gradient.iter_mut().zip(place).zip(begun) {
            for part in 0..2 {
                // Division by the square of the scale converts the pull to the unit of the gradient.
                gradient[part] += self.decay * (place[part] - begun[part]) / self.scale.powi(2);
            }
        }
    }
}

/// A position as input of the fit.
struct PositionRow {
    /// Index of each term whose counts differ, with White's count minus Black's count.
    counts: Vec<(u16, i16)>,
    blend: Blend,
    /// White's win probability by the label; a draw counts half.
    label: f64,
}

impl PositionRow {
    fn of(position: &LabeledPosition, scale: f64) -> PositionRow {
        struct TermCounts(Vec<i16>);
        impl Sink for TermCounts {
            fn add(&mut self, term: Term, color: Color, count: i32, _at: Option<Square>) {
                self.0[term.index()] += color.fold_wb(count, -count) as i16;
            }
        }
        let mut counts = TermCounts(vec![0; Term::COUNT]);
        emit_terms(&position.chess, &mut counts);
        let own = win_probability(position.label.score, scale);
        let numbered = (0..).zip(counts.0).filter(|(_, count)| *count != 0);
        PositionRow {
            counts: numbered.collect(),
            blend: Blend::of(&position.chess),
            label: position.chess.turn().fold_wb(own, 1.0 - own),
        }
    }

    /// Returns the evaluation from White's view. Also returns the derivatives of the evaluation with respect
    /// to the middlegame and endgame values of a weight, for a term with the count 1.
    fn evaluate(&self, place: &Vector) -> (f64, [f64; 2]) {
        let mut sums = [0.0; 2];
        for &(term, count) in &self.counts {
            let weight = place[usize::from(term)];
            sums[0] += weight[0] * f64::from(count);
            sums[1] += weight[1] * f64::from(count);
        }
        let phase = self.blend.phase;
        let scales = self.blend.scales_of(sums[0] >= 0.0, sums[1] >= 0.0);
        let [middlegame, endgame] = [phase * scales[0], (Blend::MIDDLEGAME - phase) * scales[1]]
            .map(|share| f64::from(share) / f64::from(Blend::MIDDLEGAME * Blend::FULL_SCALE));
        (sums[0] * middlegame + sums[1] * endgame, [middlegame, endgame])
    }
}

/// Returns the win probability of the side whose score this is. A draw counts half.
pub fn win_probability(score: SignedScore, scale: f64) -> f64 {
    match score {
        SignedScore::Cp(centipawns) => logistic(f64::from(centipawns) / scale),
        SignedScore::Mate(moves) => f64::from(u8::from(moves > 0)),
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Returns the gradient of the mean loss over a batch with respect to the weights.
fn gradient(rows: &[PositionRow], batch: &[usize], place: &Vector, scale: f64) -> Vector {
    let of_chunk = |chunk: &[usize]| {
        let mut sum = vec![[0.0; 2]; place.len()];
        for &index in chunk {
            let row = &rows[index];
            let (value, counting) = row.evaluate(place);
            let difference = (logistic(value / scale) - row.label) / scale;
            for &(term, count) in &row.counts {
                let by = difference * f64::from(count);
                sum[usize::from(term)][0] += by * counting[0];
                sum[usize::from(term)][1] += by * counting[1];
            }
        }
        sum
    };
    let sums: Vec<Vector> = batch.par_chunks(CHUNK).map(of_chunk).collect();
    let mut mean = vec![[0.0; 2]; place.len()];
    for (place, sum) in sums.iter().flat_map(|sum| sum.iter().enumerate()) {
        mean[place][0] += sum[0] / batch.len() as f64;
        mean[place][1] += sum[1] / batch.len() as f64;
    }
    mean
}

fn distance(rows: &[PositionRow], indices: &[usize], place: &Vector, scale: f64) -> Distance {
    let of_chunk = |chunk: &[usize]| {
        chunk.iter().fold((0.0, 0.0), |(squares, loss), &index| {
            let row = &rows[index];
            let x = row.evaluate(place).0 / scale;
            // ln(1 + eˣ) without overflow.
            let log_sum = x.max(0.0) + (-x.abs()).exp().ln_1p();
            (squares + (logistic(x) - row.label).powi(2), loss + log_sum - row.label * x)
        })
    };
    let sums: Vec<(f64, f64)> = indices.par_chunks(CHUNK).map(of_chunk).collect();
    let (squares, loss) = sums.iter().fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
    let positions = indices.len();
    Distance { positions, rmse: (squares / positions as f64).sqrt(), loss: loss / positions as f64 }
}

/// Gradient descent by Adam, which adapts the step length of each weight.
struct Descent {
    place: Vector,
    mean: Vector,
    square: Vector,
    steps: i32,
}

impl Descent {
    fn from(place: Vector) -> Descent {
        let zero = vec![[0.0; 2]; place.len()];
        Descent { place, mean: zero.clone(), square: zero, steps: 0 }
    }

    fn step(&mut self, gradient: &Vector, rate: f64) {
        self.steps += 1;
        let unbiased = (1.0 - FORGET.0.powi(self.steps), 1.0 - FORGET.1.powi(self.steps));
        let state = self.place.iter_mut().zip(&mut self.mean).zip(&mut self.square);
        for (((place, mean), square), gradient) in state.zip(gradient) {
            for (part, &slope) in gradient.iter().enumerate() {
                mean[part] = FORGET.0 * mean[part] + (1.0 - FORGET.0) * slope;
                square[part] = FORGET.1 * square[part] + (1.0 - FORGET.1) * slope.powi(2);
                let length = (square[part] / unbiased.1).sqrt();
                if length > 0.0 {
                    place[part] -= rate * (mean[part] / unbiased.0) / length;
                }
            }
        }
    }
}

fn vector(weights: &Weights) -> Vector {
    weights.iter().map(|(_, weight)| [weight.middlegame, weight.endgame].map(f64::from)).collect()
}

fn rounded(place: &Vector) -> Weights {
    let mut weights = Weights::zero();
    for (term, [middlegame, endgame]) in (0..).map_while(Term::from_index).zip(place) {
        let whole = |part: f64| part.round() as i32;
        weights.set(term, Tapered { middlegame: whole(*middlegame), endgame: whole(*endgame) });
    }
    weights
}

pub fn shuffle(order: &mut [usize], random: &mut ChaCha8Rng) {
    for last in (1..order.len()).rev() {
        order.swap(last, below(random, last + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{labels::Label, positions::PositionPlan};
    use gainalyze::engine::{Stop, chess_engine::evaluate};

    /// Returns positions labeled by the evaluation with `weights`.
    fn labeled_by(weights: &Weights, count: usize) -> Vec<LabeledPosition> {
        let plan = PositionPlan { count, seed: 3, nodes: 4 };
        let label =
            |chess: &shakmaty::Chess| Label { score: SignedScore::Cp(evaluate(chess, weights)), wdl: None };
        plan.make(&Weights::default(), &Stop::default(), |_| {})
            .into_iter()
            .map(|chess| LabeledPosition { label: label(&chess), chess })
            .collect()
    }

    #[test]
    fn weights_that_made_the_labels_are_found_again() {
        let mut true_weights = Weights::material();
        let names = ["material queen", "bishop pair", "tempo", "passed pawn rank 5"];
        let terms = names.map(|name| name.parse::<Term>().expect("a term"));
        for (term, by) in terms.into_iter().zip([-150, 60, 30, 45]) {
            true_weights.set(term, true_weights.get(term) + Tapered { middlegame: by, endgame: by });
        }
        let positions = labeled_by(&true_weights, 1500);
        let plan = FitPlan { epochs: 150, batch: 128, decay: 0.0, ..FitPlan::default() };
        let fit = plan.fit(&positions, &Weights::material(), |_, _| {});
        assert!(fit.held_out.rmse < 0.02, "{:?}", fit.held_out);
        assert!(fit.held_out.rmse < plan.distance(&positions, &Weights::material()).rmse / 3.0);
        let tempo = terms[2];
        assert!((fit.weights.get(tempo).middlegame - 30).abs() <= 6, "{:?}", fit.weights.get(tempo));
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let rows: Vec<PositionRow> = labeled_by(&Weights::default(), 40)
            .iter()
            .map(|position| PositionRow::of(position, 200.0))
            .collect();
        let all: Vec<usize> = (0..rows.len()).collect();
        let mut place = vector(&Weights::material());
        // Equal material has a sum of 0, where the loss has a kink if the two sides have different scales.
        place.iter_mut().flatten().for_each(|weight| *weight += 0.5);
        let slopes = gradient(&rows, &all, &place, 200.0);
        for term in [0, 4, 100, 400, Term::COUNT - 3] {
            for part in 0..2 {
                let at = |by: f64| {
                    let mut moved = place.clone();
                    moved[term][part] += by;
                    distance(&rows, &all, &moved, 200.0).loss
                };
                let slope = (at(0.01) - at(-0.01)) / 0.02;
                assert!((slope - slopes[term][part]).abs() < 1e-7, "{term}: {slope} {}", slopes[term][part]);
            }
        }
    }

    #[test]
    fn the_fit_sees_a_position_as_the_evaluation_does() {
        let weights = Weights::default();
        let place = vector(&weights);
        for position in labeled_by(&weights, 100) {
            let value = f64::from(position.chess.turn().fold_wb(1, -1) * evaluate(&position.chess, &weights));
            // The evaluation rounds toward zero twice.
            assert!((PositionRow::of(&position, 200.0).evaluate(&place).0 - value).abs() < 2.0);
        }
    }

    #[test]
    fn a_fit_is_the_same_on_any_number_of_threads() {
        let positions = labeled_by(&Weights::default(), 300);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let plan = FitPlan { epochs: 3, batch: 100, ..FitPlan::default() };
            pool.install(|| plan.fit(&positions, &Weights::material(), |_, _| {}))
        };
        assert_eq!(on(1), on(3));
    }

    #[test]
    fn a_mate_is_a_win_for_certain() {
        assert_eq!(win_probability(SignedScore::Mate(3), 200.0), 1.0);
        assert_eq!(win_probability(SignedScore::Mate(-3), 200.0), 0.0);
        assert_eq!(win_probability(SignedScore::Cp(0), 200.0), 0.5);
        assert!((win_probability(SignedScore::Cp(200), 200.0) - 0.731_058_578_630_004_9).abs() < 1e-15);
    }
}
