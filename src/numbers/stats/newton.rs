//! Minimization of smooth functions by Newton's method with the damping of Levenberg and Marquardt.

/// An objective function and its derivatives at one point.
pub struct Objective {
    /// The value to minimize.
    pub value: f64,
    /// The first derivatives of half the value for a sum of squares, or of the value for a likelihood.
    pub gradient: Vec<f64>,
    /// The second derivatives of the same function, or their expectation (Gauss; Fisher's information). The
    /// matrix is symmetric and positive definite.
    pub hessian: Vec<Vec<f64>>,
}

/// Maximum number of steps, including rejected steps that led upwards.
const STEPS: usize = 500;

/// The iteration ends when a step is expected, to first order, to decrease the value by at most this. For a
/// likelihood, the decrease is the squared length of the step in standard errors, so the last step is about
/// 10⁻¹⁰ standard errors. A limit relative to a parameter would be below the rounding error for a parameter
/// near 0.
const DECREMENT: f64 = 1e-20;

/// Returns the minimum reached from `start`, with its derivatives; `None` if the steps do not converge, or if
/// a damped Hessian is not positive definite.
///
/// The Hessian's diagonal is multiplied by 1 + λ, where the damping λ grows while steps lead upwards (D. W.
/// Marquardt, "An Algorithm for Least-Squares Estimation of Nonlinear Parameters", SIAM Journal 11, 1963).
/// With λ = 0 the steps are those of Gauss and Newton, or Fisher's scoring.
pub fn minimum(start: Vec<f64>, objective: impl Fn(&[f64]) -> Objective) -> Option<(Vec<f64>, Objective)> {
    let (mut place, mut damping) = (start, 1e-3);
    let mut here = objective(&place);
    for _ in 0..STEPS {
        let step = damped_step(&here, damping)?;
        let next: Vec<f64> = place.iter().zip(&step).map(|(at, by)| at + by).collect();
        let is_last = -dot(&step, &here.gradient) <= DECREMENT;
        let there = objective(&next);
        if there.value <= here.value {
            (place, here, damping) = (next, there, damping / 10.0);
        } else {
            damping *= 10.0;
        }
        if is_last {
            return Some((place, here));
        }
    }
    None
}

fn damped_step(here: &Objective, damping: f64) -> Option<Vec<f64>> {
    let mut raised = here.hessian.clone();
    raised.iter_mut().enumerate().for_each(|(i, row)| row[i] *= 1.0 + damping);
    let downwards: Vec<f64> = here.gradient.iter().map(|slope| -slope).collect();
    Some(Cholesky::of(&raised)?.solve(&downwards))
}

/// Returns the inverse of a symmetric matrix; `None` if the matrix is not positive definite.
pub fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let factor = Cholesky::of(matrix)?;
    let unit = |i: usize| (0..matrix.len()).map(|j| if i == j { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    Some((0..matrix.len()).map(|i| factor.solve(&unit(i))).collect())
}

/// The lower triangle L of A = L·Lᵀ.
struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    fn of(matrix: &[Vec<f64>]) -> Option<Cholesky> {
        let mut lower: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
        for (i, row) in matrix.iter().enumerate() {
            let mut entries: Vec<f64> = Vec::with_capacity(i + 1);
            for j in 0..i {
                entries.push((row[j] - dot(&entries, &lower[j][..j])) / lower[j][j]);
            }
            let rest = row[i] - dot(&entries, &entries);
            // NaN is not above 0 either.
            if rest.is_nan() || rest <= 0.0 {
                return None;
            }
            entries.push(rest.sqrt());
            lower.push(entries);
        }
        Some(Cholesky(lower))
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let lower = &self.0;
        let mut forward: Vec<f64> = Vec::with_capacity(right.len());
        for (row, value) in lower.iter().zip(right) {
            forward.push((value - dot(row, &forward)) / row[forward.len()]);
        }
        let mut solution = vec![0.0; right.len()];
        for i in (0..right.len()).rev() {
            let known: f64 = (i + 1..right.len()).map(|k| lower[k][i] * solution[k]).sum();
            solution[i] = (forward[i] - known) / lower[i][i];
        }
        solution
    }
}

/// Returns the dot product over the length of the shorter vector.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        // By hand: 1/(4·3 − 2·2) · [[3, −2], [−2, 4]].
        let inverse = inverse(&[vec![4.0, 2.0], vec![2.0, 3.0]]).expect("positive definite");
        for (row, expected) in inverse.iter().zip([[0.375, -0.25], [-0.25, 0.5]]) {
            assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{inverse:?}");
        }
        assert_eq!(super::inverse(&[vec![1.0, 2.0], vec![2.0, 1.0]]), None);
        assert_eq!(super::inverse(&[vec![f64::NAN]]), None);
    }

    #[test]
    fn the_way_down_ends_at_the_bottom_or_not_at_all() {
        let bowl = |at: &[f64]| Objective {
            value: (at[0] - 3.0).powi(4),
            gradient: vec![4.0 * (at[0] - 3.0).powi(3)],
            hessian: vec![vec![12.0 * (at[0] - 3.0).powi(2) + 1e-9]],
        };
        let (place, _) = minimum(vec![0.0], bowl).expect("a bottom");
        assert!((place[0] - 3.0).abs() < 1e-3, "{place:?}");
        let slide = |at: &[f64]| Objective { value: -at[0], gradient: vec![-1.0], hessian: vec![vec![1e-3]] };
        assert!(minimum(vec![0.0], slide).is_none());
    }
}
