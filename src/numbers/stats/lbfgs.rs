//! Minimization of smooth functions of many variables by L-BFGS, without second derivatives.

use std::collections::VecDeque;

/// The number of most recent steps from which the curvature is estimated (J. Nocedal and S. Wright,
/// "Numerical Optimization", Section 7.2, advise 3 to 20).
const MEMORY: usize = 10;

/// The descent ends when [`Minimum::slope`] is at most this.
const SLOPE: f64 = 1e-4;

/// The descent ends after this many steps at the latest.
const MOST_STEPS: u32 = 500;

#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    pub place: Vec<f64>,
    pub value: f64,
    /// The length of the gradient at the minimum, divided by the larger of 1 and the length of `place`.
    pub slope: f64,
    pub evaluations: u32,
    pub converged: bool,
}

/// A step and the change of the gradient along it.
struct Curvature {
    step: Vec<f64>,
    change: Vec<f64>,
    /// 1 / (step · change).
    inverse: f64,
}

/// Descends from `start`, using value and gradient of `function`. Each step satisfies Armijo's condition.
/// Returns `None` if a call of `function` returns `None`.
///
/// `bend` approximates the second derivative with respect to each variable. Its values are above 0; use 1 if
/// they are unknown. If the second derivatives differ by orders of magnitude, good values of `bend` save most
/// of the steps.
pub fn minimize(
    start: Vec<f64>,
    bend: &[f64],
    mut function: impl FnMut(&[f64]) -> Option<(f64, Vec<f64>)>,
) -> Option<Minimum> {
    let mut place = start;
    let (mut value, mut gradient) = function(&place)?;
    let (mut evaluations, mut memory) = (1, VecDeque::with_capacity(MEMORY));
    for _ in 0..MOST_STEPS {
        if slope(&place, &gradient) <= SLOPE {
            break;
        }
        let direction = direction(&gradient, bend, &memory);
        let descent = dot(&direction, &gradient);
        // The first step has length 1 at most, because the curvature is still unknown.
        let mut length = if memory.is_empty() { 1.0 / norm(&direction).max(1.0) } else { 1.0 };
        let found = loop {
            let next: Vec<f64> = place.iter().zip(&direction).map(|(at, by)| at + length * by).collect();
            let there = function(&next)?;
            evaluations += 1;
            if there.0 <= value + 1e-4 * length * descent {
                break Some((next, there));
            }
            length *= 0.5;
            if length < 1e-12 {
                break None;
            }
        };
        let Some((next, there)) = found else { break };
        remember(&mut memory, difference(&next, &place), difference(&there.1, &gradient));
        (place, (value, gradient)) = (next, there);
    }
    let slope = slope(&place, &gradient);
    Some(Minimum { place, value, slope, evaluations, converged: slope <= SLOPE })
}

fn slope(place: &[f64], gradient: &[f64]) -> f64 {
    norm(gradient) / norm(place).max(1.0)
}

fn remember(memory: &mut VecDeque<Curvature>, step: Vec<f64>, change: Vec<f64>) {
    let curvature = dot(&step, &change);
    // If the function is not convex along the step, the step gives no curvature.
    if curvature > 1e-12 {
        if memory.len() == MEMORY {
            memory.pop_front();
        }
        memory.push_back(Curvature { step, change, inverse: 1.0 / curvature });
    }
}

/// Returns −H·gradient. H approximates the inverse Hessian from the last steps (the two loops of Nocedal and
/// Wright's Algorithm 7.4). The initial H is diagonal: 1/`bend`, scaled by the last step (Eq. 7.20 with a
/// diagonal).
fn direction(gradient: &[f64], bend: &[f64], memory: &VecDeque<Curvature>) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|slope| -slope).collect();
    let mut shares = Vec::with_capacity(memory.len());
    for known in memory.iter().rev() {
        let share = known.inverse * dot(&known.step, &direction);
        add(&mut direction, -share, &known.change);
        shares.push(share);
    }
    let scale = memory.back().map_or(1.0, |last| {
        let change: f64 = last.change.iter().zip(bend).map(|(part, bend)| part * part / bend).sum();
        1.0 / (last.inverse * change)
    });
    direction.iter_mut().zip(bend).for_each(|(part, bend)| *part *= scale / bend);
    for (known, share) in memory.iter().zip(shares.into_iter().rev()) {
        let back = known.inverse * dot(&known.change, &direction);
        add(&mut direction, share - back, &known.step);
    }
    direction
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn add(to: &mut [f64], times: f64, what: &[f64]) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += times * what);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_valley_of_rosenbrock_is_followed_to_its_end() {
        // (1 − x)² + 100(y − x²)², with its minimum at (1, 1) (H. Rosenbrock, Computer Journal 3, 1960).
        let found = minimize(vec![-1.2, 1.0], &[1.0; 2], |at| {
            let (x, y) = (at[0], at[1]);
            let bend = y - x * x;
            let gradient = vec![-2.0 * (1.0 - x) - 400.0 * x * bend, 200.0 * bend];
            Some(((1.0 - x).powi(2) + 100.0 * bend * bend, gradient))
        });
        let found = found.expect("a minimum");
        assert!(found.converged && found.evaluations < 100, "{found:?}");
        assert!((found.place[0] - 1.0).abs() < 1e-3 && (found.place[1] - 1.0).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn where_variables_bend_by_orders_of_magnitude_it_helps_to_say_so() {
        // Σ bᵢ·(xᵢ² + xᵢ⁴) about (1, …, 1), bᵢ from 1 to 10⁶.
        let bend: Vec<f64> = (0..60).map(|at| 10f64.powf(at as f64 / 10.0)).collect();
        let steps = |told: &[f64]| {
            let found = minimize(vec![0.0; bend.len()], told, |place| {
                let off: Vec<f64> = place.iter().map(|x| x - 1.0).collect();
                let value = off.iter().zip(&bend).map(|(x, b)| b * (x * x + x.powi(4))).sum();
                Some((value, off.iter().zip(&bend).map(|(x, b)| b * (2.0 * x + 4.0 * x.powi(3))).collect()))
            });
            found.map(|found| (found.converged, found.evaluations)).expect("a minimum")
        };
        let (told, untold) = (steps(&bend), steps(&vec![1.0; bend.len()]));
        assert!(told.0 && 4 * told.1 < untold.1, "{told:?} {untold:?}");
    }

    #[test]
    fn a_function_that_gives_up_ends_the_descent() {
        let mut calls = 0;
        let found = minimize(vec![5.0], &[1.0], |at| {
            calls += 1;
            (calls < 2).then(|| (at[0] * at[0], vec![2.0 * at[0]]))
        });
        assert_eq!(found, None);
    }

    proptest! {
        #[test]
        fn the_least_of_a_square_is_where_it_is(center in prop::collection::vec(-9f64..9.0, 1..30)) {
            let stretch = |at: usize| 1.0 + at as f64;
            let function = |place: &[f64]| {
                let off = difference(place, &center);
                let value = off.iter().enumerate().map(|(at, off)| stretch(at) * off * off).sum();
                Some((value, off.iter().enumerate().map(|(at, off)| 2.0 * stretch(at) * off).collect()))
            };
            let told: Vec<f64> = (0..center.len()).map(|at| 2.0 * stretch(at)).collect();
            for bend in [vec![1.0; center.len()], told] {
                let found = minimize(vec![0.0; center.len()], &bend, function).expect("a minimum");
                prop_assert!(found.converged);
                prop_assert!(difference(&found.place, &center).iter().all(|off| off.abs() < 1e-2));
            }
        }
    }
}
