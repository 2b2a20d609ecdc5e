//! Fits the network that corrects the evaluation by terms. Each position has two win probabilities: one
//! computed from the corrected evaluation, and one from the label. The fit minimizes the squared difference
//! between them.

use std::ops::Range;

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use rayon::prelude::*;
use shakmaty::{Chess, Position};

use crate::fit::{FORGET, shuffle, win_probability};
use crate::labels::LabeledPosition;
use gainalyze::engine::chess_engine::{Network, NetworkRow, Weights, evaluate};

/// The settings of a fit. With the same settings and positions, the network is the same on any number of
/// threads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetworkPlan {
    /// Number of passes over the positions that are not held out.
    pub epochs: u32,
    /// Number of positions for each step of the descent.
    pub batch: usize,
    /// The length of the first steps. Later steps are shorter.
    pub rate: f32,
    /// One in this many positions is held out for testing. 0 and 1 count as 2. Positions of the same game are
    /// in both parts, so other games have a larger distance than the held-out positions.
    pub held_out_in: usize,
    /// Random seed for the first weights and the order of positions.
    pub seed: u64,
}

impl Default for NetworkPlan {
    fn default() -> NetworkPlan {
        NetworkPlan { epochs: 40, batch: 16_384, rate: 0.004, held_out_in: 50, seed: 1 }
    }
}

/// A fitted network, and the root mean square of the differences between the win probabilities from the
/// corrected evaluation and from the label.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedNetwork {
    pub network: Network,
    /// The distance in the positions used for the fit, and their number.
    pub fitted: (f64, usize),
    /// The distance in the held-out positions, and their number.
    pub held_out: (f64, usize),
}

const HIDDEN: usize = Network::HIDDEN;
const BIASES: usize = Network::INPUTS * HIDDEN;
const OUTPUTS: usize = BIASES + HIDDEN;
const OUTPUT: usize = 2 * HIDDEN + 1;
const PARAMETERS: usize = OUTPUTS + Network::OUTPUTS * OUTPUT;

/// Number of partial sums of a batch. They are added in a fixed order, so the total does not depend on the
/// number of threads.
const PARTS: usize = 8;

/// The decay of the weights in each step, as a multiple of its length (I. Loshchilov and F. Hutter, "Decoupled
/// Weight Decay Regularization", 2019).
const WEIGHT_DECAY: f32 = 0.01;

/// The steps of the descent that are shorter, because its running means are not yet reliable.
const FIRST_STEPS: f32 = 200.0;

/// The share of the first steps' length that the last steps have.
const LAST_RATE: f32 = 0.02;

/// A position as input of the fit.
pub struct TrainingRow {
    /// The inputs of the side to move and of the other side.
    inputs: [[u16; 32]; 2],
    pieces: u8,
    output: u8,
    /// The evaluation by terms and the label, both from the view of the side to move.
    by_terms: f32,
    label: f32,
}

impl TrainingRow {
    /// Makes a row; `None` if the position is evaluated by terms alone, or a king is missing. `label` is the
    /// win probability of the side to move.
    pub fn of(chess: &Chess, terms: &Weights, label: f64) -> Option<TrainingRow> {
        let board = chess.board();
        if Network::leaves_alone(board) {
            return None;
        }
        let mut inputs = [[0; 32]; 2];
        for (inputs, color) in inputs.iter_mut().zip([chess.turn(), !chess.turn()]) {
            let king = board.king_of(color)?;
            for (input, (square, piece)) in inputs.iter_mut().zip(board.iter()) {
                *input = Network::input(color, king, piece.color, piece.role, square) as u16;
            }
        }
        Some(TrainingRow {
            inputs,
            pieces: board.occupied().count() as u8,
            output: Network::output(board) as u8,
            by_terms: evaluate(chess, terms) as f32 / Network::CENTIPAWNS as f32,
            label: label as f32,
        })
    }

    fn inputs(&self, side: usize) -> impl Iterator<Item = usize> + '_ {
        self.inputs[side][..usize::from(self.pieces)].iter().map(|&input| usize::from(input))
    }

    /// Returns the difference between the win probabilities from the corrected evaluation and from the label.
    /// Adds the derivatives of its square to `gradient`.
    fn difference(&self, place: &[f32], gradient: Option<&mut [f32]>) -> f32 {
        let biases: [f32; HIDDEN] = std::array::from_fn(|unit| place[BIASES + unit]);
        let mut units = [biases; 2];
        for (side, units) in units.iter_mut().enumerate() {
            for input in self.inputs(side) {
                add(units, &place[input * HIDDEN..][..HIDDEN]);
            }
        }
        let output = OUTPUTS + usize::from(self.output) * OUTPUT;
        let weights = &place[output..][..OUTPUT];
        let mut value = self.by_terms + weights[OUTPUT - 1];
        for (units, weights) in units.iter().zip(weights.chunks(HIDDEN)) {
            let clamped = units.iter().map(|unit| unit.clamp(0.0, 1.0));
            value += clamped.zip(weights).map(|(unit, weight)| unit * unit * weight).sum::<f32>();
        }
        let probability = 1.0 / (1.0 + (-value).exp());
        let difference = probability - self.label;
        let Some(gradient) = gradient else { return difference };
        let by_value = 2.0 * difference * probability * (1.0 - probability);
        gradient[output + OUTPUT - 1] += by_value;
        for (side, units) in units.iter().enumerate() {
            let by_weights = &mut gradient[output + side * HIDDEN..][..HIDDEN];
            let mut by_units = [0.0; HIDDEN];
            for unit in 0..HIDDEN {
                let clamped = units[unit].clamp(0.0, 1.0);
                by_weights[unit] += by_value * clamped * clamped;
                let slope = if clamped == units[unit] { 2.0 * clamped } else { 0.0 };
                by_units[unit] = by_value * slope * weights[side * HIDDEN + unit];
            }
            add(&mut gradient[BIASES..][..HIDDEN], &by_units);
            for input in self.inputs(side) {
                add(&mut gradient[input * HIDDEN..][..HIDDEN], &by_units);
            }
        }
        difference
    }
}

fn add(sums: &mut [f32], more: &[f32]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

impl NetworkPlan {
    /// Fits the network that corrects the evaluation with the weights `terms`. After each epoch, `progress`
    /// receives the number of the epoch, from 1, and the distance in the held-out positions.
    pub fn fit(
        &self,
        positions: &[LabeledPosition],
        terms: &Weights,
        progress: impl FnMut(u32, f64),
    ) -> FittedNetwork {
        let row = |position: &LabeledPosition| {
            let label = win_probability(position.label.score, f64::from(Network::CENTIPAWNS));
            TrainingRow::of(&position.chess, terms, label)
        };
        self.fit_rows(&positions.par_iter().filter_map(row).collect::<Vec<_>>(), progress)
    }

    /// Fits a network to rows.
    pub fn fit_rows(&self, rows: &[TrainingRow], mut progress: impl FnMut(u32, f64)) -> FittedNetwork {
        let is_held_out = |index: &usize| index.is_multiple_of(self.held_out_in.max(2));
        let (held_out, mut order): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(is_held_out);
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut descent = Descent::begin(&mut random);
        let steps = f64::from(self.epochs) * order.len().div_ceil(self.batch) as f64;
        for epoch in 0..self.epochs {
            shuffle(&mut order, &mut random);
            for batch in order.chunks(self.batch) {
                // Half of a cosine: long steps at first, short ones at the end.
                let share = (f64::from(descent.steps) / steps) as f32;
                let cosine = 0.5 * (1.0 + (std::f32::consts::PI * share).cos());
                descent.step(rows, batch, self.rate * (LAST_RATE + (1.0 - LAST_RATE) * cosine));
            }
            progress(epoch + 1, distance(rows, &held_out, &descent.place));
        }
        let network = network_of(&descent.place);
        FittedNetwork {
            fitted: (distance(rows, &order, &descent.place), order.len()),
            held_out: (distance(rows, &held_out, &descent.place), held_out.len()),
            network,
        }
    }
}

/// Returns the root mean square of the differences in the rows with these indices.
fn distance(rows: &[TrainingRow], indices: &[usize], place: &[f32]) -> f64 {
    let squares: Vec<f64> =
        indices.par_iter().map(|&index| f64::from(rows[index].difference(place, None)).powi(2)).collect();
    (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt()
}

/// The state of the descent: the parameters, and the running means of the gradient and of its square.
struct Descent {
    place: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    parts: Vec<Vec<f32>>,
    steps: u32,
}

impl Descent {
    /// Begins with random weights. The correction is small at first, so the evaluation is that by terms.
    fn begin(random: &mut ChaCha8Rng) -> Descent {
        let mut place = vec![0.0; PARAMETERS];
        let mut within = |most: f32| ((random.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0) * most;
        for row in NetworkRow::all() {
            let parameters = &mut place[range(row)];
            match row {
                NetworkRow::Input(_) => parameters.iter_mut().for_each(|weight| *weight = within(0.06)),
                NetworkRow::Biases => parameters.fill(0.15),
                NetworkRow::Output(_) => {
                    parameters[..OUTPUT - 1].iter_mut().for_each(|weight| *weight = within(0.15));
                }
            }
        }
        let zeros = vec![0.0; PARAMETERS];
        let parts = vec![zeros.clone(); PARTS];
        Descent { place, means: zeros.clone(), squares: zeros, parts, steps: 0 }
    }

    /// Makes a step by the mean gradient of a batch.
    fn step(&mut self, rows: &[TrainingRow], batch: &[usize], rate: f32) {
        let Descent { place, means, squares, parts, steps } = self;
        *steps += 1;
        let indices = batch.par_chunks(batch.len().div_ceil(PARTS));
        parts.par_iter_mut().zip(indices).for_each(|(part, indices)| {
            indices.iter().for_each(|&index| _ = rows[index].difference(place, Some(part)));
        });
        let step = *steps as f32;
        let (forget, forget_square) = (FORGET.0 as f32, FORGET.1 as f32);
        let rate = rate * (step / FIRST_STEPS).min(1.0);
        let [unbiased, unbiased_square] = [forget, forget_square].map(|forget| 1.0 - forget.powf(step));
        for index in 0..PARAMETERS {
            let sum: f32 = parts.iter_mut().map(|part| std::mem::take(&mut part[index])).sum();
            let gradient = sum / batch.len() as f32;
            means[index] += (1.0 - forget) * (gradient - means[index]);
            squares[index] += (1.0 - forget_square) * (gradient * gradient - squares[index]);
            let length = (squares[index] / unbiased_square).sqrt() + 1e-8;
            let step = means[index] / unbiased / length + WEIGHT_DECAY * place[index];
            place[index] = (place[index] - rate * step).clamp(-MOST, MOST);
        }
    }
}

/// Largest absolute value of a parameter, so that the integers of the network are within their limits.
const MOST: f32 = 127.0 / Network::OUTPUT_UNIT as f32;

/// Returns the place of a row among the parameters.
fn range(row: NetworkRow) -> Range<usize> {
    let start = match row {
        NetworkRow::Input(input) => usize::from(input) * HIDDEN,
        NetworkRow::Biases => BIASES,
        NetworkRow::Output(output) => OUTPUTS + usize::from(output) * OUTPUT,
    };
    start..start + row.count()
}

/// Rounds the parameters to the integers of a network.
fn network_of(place: &[f32]) -> Network {
    let mut network = Network::zero();
    for row in NetworkRow::all() {
        let unit = |index: usize| match row {
            NetworkRow::Output(_) if index == OUTPUT - 1 => Network::UNIT * Network::OUTPUT_UNIT,
            NetworkRow::Output(_) => Network::OUTPUT_UNIT,
            NetworkRow::Input(_) | NetworkRow::Biases => Network::UNIT,
        };
        let numbers = place[range(row)].iter().enumerate();
        let numbers: Vec<i32> =
            numbers.map(|(index, parameter)| (parameter * unit(index) as f32).round() as i32).collect();
        network.set_row(row, &numbers);
    }
    network
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{labels::Label, positions::PositionPlan};
    use gainalyze::chess::SignedScore;
    use gainalyze::engine::{Stop, chess_engine::WeightsFile};

    const PLAN: NetworkPlan = NetworkPlan { epochs: 30, batch: 128, rate: 0.01, held_out_in: 5, seed: 1 };

    /// Returns positions labeled by the evaluation by terms, and 150 centipawns for each bishop that the side
    /// to move has more than the other side.
    fn labeled() -> Vec<LabeledPosition> {
        let made = PositionPlan { count: 1_500, seed: 3, nodes: 4 };
        let positions = made.make(&Weights::default(), &Stop::default(), |_| {});
        let label = |chess: &Chess| {
            let bishops = |color| (chess.board().by_color(color) & chess.board().bishops()).count() as i32;
            let more = bishops(chess.turn()) - bishops(!chess.turn());
            let score = SignedScore::Cp(evaluate(chess, &Weights::default()) + 150 * more);
            Label { score, wdl: None }
        };
        let corrected = positions.iter().filter(|chess| !Network::leaves_alone(chess.board()));
        corrected.map(|chess| LabeledPosition { chess: chess.clone(), label: label(chess) }).collect()
    }

    #[test]
    fn what_the_terms_miss_is_learned() {
        let (labeled, mut distances) = (labeled(), Vec::new());
        let fit = PLAN.fit(&labeled, &Weights::default(), |_, distance| distances.push(distance));
        assert_eq!(distances.len(), 30);
        assert!(fit.held_out.0 < 0.5 * distances[0], "{distances:?}");
        assert_eq!(fit.fitted.1 + fit.held_out.1, labeled.len());
        // The integers of the network give nearly the same distance as the parameters.
        let file = WeightsFile { network: Some(fit.network), ..WeightsFile::default() };
        let scale = f64::from(Network::CENTIPAWNS);
        let squares = labeled.iter().step_by(5).map(|position| {
            let value = SignedScore::Cp(file.evaluate(&position.chess));
            (win_probability(value, scale) - win_probability(position.label.score, scale)).powi(2)
        });
        let distance = (squares.sum::<f64>() / fit.held_out.1 as f64).sqrt();
        assert!((distance - fit.held_out.0).abs() < 0.005, "{distance} and {}", fit.held_out.0);
    }

    #[test]
    fn the_network_is_the_same_on_any_number_of_threads() {
        let labeled = labeled();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let plan = NetworkPlan { epochs: 2, ..PLAN };
            pool.install(|| plan.fit(&labeled, &Weights::default(), |_, _| {}))
        };
        assert_eq!(on(1), on(3));
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_squared_difference() {
        let chess = &labeled()[7].chess;
        let row = TrainingRow::of(chess, &Weights::default(), 0.8).expect("a row");
        let place = Descent::begin(&mut ChaCha8Rng::seed_from_u64(2)).place;
        let mut gradient = vec![0.0; PARAMETERS];
        row.difference(&place, Some(&mut gradient));
        let output = OUTPUTS + usize::from(row.output) * OUTPUT;
        for index in [0, 1]
            .map(|side| row.inputs(side).next().expect("an input") * HIDDEN + 5)
            .into_iter()
            .chain([BIASES + 5, output + 5, output + HIDDEN + 5, output + OUTPUT - 1])
        {
            let squared = |step: f32| {
                let mut place = place.clone();
                place[index] += step;
                row.difference(&place, None).powi(2)
            };
            let slope = (squared(0.01) - squared(-0.01)) / 0.02;
            assert!(
                (slope - gradient[index]).abs() < 0.02 * slope.abs() + 1e-4,
                "{index}: {slope}, {}",
                gradient[index]
            );
        }
    }
}
