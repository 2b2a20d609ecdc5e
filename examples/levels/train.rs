//! Training of the network: the mean log-loss of the moves played is minimized by Adam (Kingma & Ba 2015)
//! with decoupled weight decay (Loshchilov & Hutter 2019).

use gainalyze::engine::levels::{ChoiceNetwork, HIDDEN, INPUTS, Units, WEIGHTS};
use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};
use rayon::{iter::ParallelIterator, slice::ParallelSlice};

use crate::choices::Choice;

const SEED: u64 = 1;
const EPOCHS: usize = 8;

/// Number of positions in a step.
const BATCH: usize = 256;

/// Number of positions that a thread takes at a time. It is fixed, so the sums do not depend on the number of
/// threads.
const CHUNK: usize = 32;

const LARGEST_STEP: f32 = 2e-3;
const WEIGHT_DECAY: f32 = 1e-5;

/// The share of all steps, from the first, in which the step size rises.
const WARM_UP: f32 = 0.1;

/// The decays of the running means of gradients and of their squares.
const DECAYS: (f32, f32) = (0.9, 0.999);

/// Returns a network trained on `choices`.
pub fn trained(choices: &[Choice], provenance: String) -> ChoiceNetwork {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut network = ChoiceNetwork { provenance, weights: initial(&mut random) };
    let mut adam = Adam { mean: vec![0.0; WEIGHTS], square: vec![0.0; WEIGHTS], step: 0 };
    let mut order: Vec<&Choice> = choices.iter().collect();
    let steps = EPOCHS * (order.len() / BATCH).max(1);
    for epoch in 0..EPOCHS {
        shuffle(&mut order, &mut random);
        let (mut sum, mut count) = (0.0, 0);
        for batch in order.chunks_exact(BATCH.min(order.len())) {
            let (loss, gradient) = gradient(&network, batch);
            adam.step(&mut network.weights, &gradient, steps);
            (sum, count) = (sum + loss, count + batch.len());
        }
        eprintln!("epoch {}: mean log-loss in training {:.4}", epoch + 1, sum / count.max(1) as f64);
    }
    network
}

/// Returns small random weights, and biases of 0.
fn initial(random: &mut ChaCha8Rng) -> Vec<f32> {
    let mut weights = vec![0.0; WEIGHTS];
    let [first, second, last] = ChoiceNetwork::layers();
    for (layer, biases, inputs) in
        [(first, HIDDEN[0], INPUTS), (second, HIDDEN[1], HIDDEN[0]), (last, 0, HIDDEN[1])]
    {
        let reach = (1.0 / inputs as f32).sqrt();
        for weight in &mut weights[layer][biases..] {
            *weight = reach * (2.0 * share(random) - 1.0);
        }
    }
    weights
}

fn share(random: &mut ChaCha8Rng) -> f32 {
    (random.next_u32() >> 8) as f32 / (1u32 << 24) as f32
}

fn shuffle<T>(all: &mut [T], random: &mut ChaCha8Rng) {
    for place in (1..all.len()).rev() {
        all.swap(place, (random.next_u64() % (place as u64 + 1)) as usize);
    }
}

/// Returns the sum of the log-losses of a batch, and the gradient of their mean.
fn gradient(network: &ChoiceNetwork, batch: &[&Choice]) -> (f64, Vec<f32>) {
    let parts: Vec<(f64, Vec<f32>)> = batch
        .par_chunks(CHUNK)
        .map(|chunk| {
            let mut gradient = vec![0.0; WEIGHTS];
            (chunk.iter().map(|choice| add_gradient(network, choice, &mut gradient)).sum(), gradient)
        })
        .collect();
    let (mut loss, mut sum) = (0.0, vec![0.0; WEIGHTS]);
    for (part, gradient) in &parts {
        loss += part;
        sum.iter_mut().zip(gradient).for_each(|(sum, part)| *sum += part / batch.len() as f32);
    }
    (loss, sum)
}

/// Adds the gradient of a choice's log-loss, and returns the log-loss.
fn add_gradient(network: &ChoiceNetwork, choice: &Choice, gradient: &mut [f32]) -> f64 {
    let units: Vec<Units> = choice.inputs.iter().map(|inputs| network.forward(inputs)).collect();
    let most = units.iter().map(|units| units.output).fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = units.iter().map(|units| (units.output - most).exp()).sum();
    for (place, (units, inputs)) in units.iter().zip(&choice.inputs).enumerate() {
        let probability = (units.output - most).exp() / sum;
        let error = if place == choice.played { probability - 1.0 } else { probability };
        if error.abs() > 1e-6 {
            propagate(network, (inputs, units), error, gradient);
        }
    }
    f64::from(sum.ln() - (units[choice.played].output - most))
}

/// Adds to `gradient` the gradient of a move's output, multiplied by `error`.
fn propagate(
    network: &ChoiceNetwork,
    (inputs, units): (&[f32; INPUTS], &Units),
    error: f32,
    gradient: &mut [f32],
) {
    let [first, second, last] = ChoiceNetwork::layers();
    let (a, b) = &units.hidden;
    let mut of_b = [0.0; HIDDEN[1]];
    let weights = &network.weights[last.clone()];
    for (unit, of_unit) in of_b.iter_mut().enumerate() {
        gradient[last.start + unit] += error * b[unit];
        *of_unit = if b[unit] > 0.0 { error * weights[unit] } else { 0.0 };
    }
    let mut of_a = [0.0; HIDDEN[0]];
    let weights = &network.weights[second.clone()][HIDDEN[1]..];
    for (unit, of_unit) in of_a.iter_mut().enumerate().filter(|(unit, _)| a[*unit] > 0.0) {
        let row = &weights[unit * HIDDEN[1]..][..HIDDEN[1]];
        *of_unit = row.iter().zip(&of_b).map(|(weight, of_b)| weight * of_b).sum();
    }
    add_layer(&mut gradient[second], &of_b, a);
    add_layer(&mut gradient[first], &of_a, inputs);
}

/// Adds the gradient of a layer's weights: biases first, then the weights of each input.
fn add_layer(gradient: &mut [f32], of_units: &[f32], inputs: &[f32]) {
    let (biases, weights) = gradient.split_at_mut(of_units.len());
    biases.iter_mut().zip(of_units).for_each(|(bias, of_unit)| *bias += of_unit);
    for (row, &input) in weights.chunks_exact_mut(of_units.len()).zip(inputs) {
        if input != 0.0 {
            row.iter_mut().zip(of_units).for_each(|(weight, of_unit)| *weight += of_unit * input);
        }
    }
}

struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    step: i32,
}

impl Adam {
    /// Makes one of `steps` steps.
    fn step(&mut self, weights: &mut [f32], gradient: &[f32], steps: usize) {
        self.step += 1;
        let done = self.step as f32 / steps as f32;
        let height = match done < WARM_UP {
            true => done / WARM_UP,
            false => (1.0 + (std::f32::consts::PI * (done - WARM_UP) / (1.0 - WARM_UP)).cos()) / 2.0,
        };
        let rate = LARGEST_STEP * height;
        let (first, second) = DECAYS;
        let (of_mean, of_square) = (1.0 - first.powi(self.step), 1.0 - second.powi(self.step));
        for (place, (weight, &slope)) in weights.iter_mut().zip(gradient).enumerate() {
            let (mean, square) = (&mut self.mean[place], &mut self.square[place]);
            *mean += (1.0 - first) * (slope - *mean);
            *square += (1.0 - second) * (slope * slope - *square);
            let change = (*mean / of_mean) / ((*square / of_square).sqrt() + 1e-8);
            *weight -= rate * (change + WEIGHT_DECAY * *weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(random: &mut ChaCha8Rng, moves: usize) -> Choice {
        let inputs = (0..moves).map(|_| std::array::from_fn(|_| 2.0 * share(random) - 1.0)).collect();
        Choice { game: 0, ply: 0, elo: 1500, inputs, played: 1, losses: vec![0.0; moves], expected: 0.5 }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let example = choice(&mut random, 4);
        let mut network = ChoiceNetwork { provenance: String::new(), weights: initial(&mut random) };
        let (_, slopes) = gradient(&network, &[&example]);
        let [first, second, last] = ChoiceNetwork::layers();
        for place in [0, 7, first.start + 1000, second.start + 3, second.start + 500, last.start + 5] {
            let mut loss = |change: f32| {
                network.weights[place] += change;
                let loss = gradient(&network, &[&example]).0;
                network.weights[place] -= change;
                loss
            };
            let slope = (loss(0.01) - loss(-0.01)) / 0.02;
            let found = f64::from(slopes[place]);
            assert!(
                (slope - found).abs() < 0.003 + 0.05 * found.abs(),
                "weight {place}: {slope} and {found}"
            );
        }
    }

    #[test]
    fn a_rule_is_learned_and_the_same_one_again() {
        // The move with the greatest third input is played.
        let mut random = ChaCha8Rng::seed_from_u64(9);
        let ruled = |random: &mut ChaCha8Rng| {
            let mut example = choice(random, 5);
            let third = |place: &usize| example.inputs[*place][2];
            example.played = (0..5).max_by(|a, b| third(a).total_cmp(&third(b))).unwrap_or(0);
            example
        };
        let examples: Vec<Choice> = (0..3000).map(|_| ruled(&mut random)).collect();
        let network = trained(&examples[..2500], "a test".to_owned());
        let hits = examples[2500..].iter().filter(|example| {
            let output = |place: &usize| network.forward(&example.inputs[*place]).output;
            (0..5).max_by(|a, b| output(a).total_cmp(&output(b))) == Some(example.played)
        });
        let hits = hits.count();
        assert!(hits > 200, "{hits} of 500, and 100 by chance");
        assert_eq!(trained(&examples[..2500], "a test".to_owned()), network);
        assert_eq!(network.to_string().parse::<ChoiceNetwork>().map(|read| read.weights.len()), Ok(WEIGHTS));
    }
}
