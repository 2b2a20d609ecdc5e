//! Fits the curves that convert the engine's scores to chances of a win, a draw and a loss. The curves are
//! fitted to the chances that another engine reports in the same positions.

use rayon::prelude::*;
use shakmaty::Chess;

use crate::labels::LabeledPosition;
use gainalyze::chess::SignedScore;
use gainalyze::engine::chess_engine::{Blend, Chances, ChessEngine, Limits, Root, Tapered, WeightsFile};
use gainalyze::numbers::stats::newton::{Objective, minimum};

/// A position: the engine's score, the share of the middlegame, and the other engine's chances of a win and
/// of a loss.
struct ChanceRow {
    centipawns: f64,
    middlegame: f64,
    chances: [f64; 2],
}

/// Fits the curves by least squares to the positions whose labels have chances. The engine's scores come from
/// searches of `nodes` nodes with the weights of `file`. Returns `None` if fewer than 100 positions have both
/// chances and a score in centipawns, or if the fit does not converge.
pub fn fit(positions: &[LabeledPosition], file: &WeightsFile, nodes: u64) -> Option<Chances> {
    let engine = || {
        let mut engine = ChessEngine::new(1);
        engine.set_weights(file.clone());
        engine
    };
    let rows: Vec<ChanceRow> = positions
        .par_iter()
        .map_init(engine, |engine, position| row(engine, position, nodes))
        .flatten()
        .collect();
    fit_rows(&rows)
}

fn row(engine: &mut ChessEngine, position: &LabeledPosition, nodes: u64) -> Option<ChanceRow> {
    let [win, _, loss] = position.label.wdl?;
    engine.clear();
    let found = engine.search(&Root::new(position.chess.clone()), &Limits::nodes(nodes), &mut ());
    let SignedScore::Cp(centipawns) = found.variations.first()?.score else { return None };
    let chances = [win, loss].map(|chance| f64::from(chance) / 1000.0);
    Some(ChanceRow { centipawns: f64::from(centipawns), middlegame: middlegame(&position.chess), chances })
}

fn middlegame(chess: &Chess) -> f64 {
    f64::from(Blend::of(chess).phase) / f64::from(Blend::MIDDLEGAME)
}

/// Fits the four numbers of [`Chances`]: `half` and `spread`, each for the middlegame and the endgame.
fn fit_rows(rows: &[ChanceRow]) -> Option<Chances> {
    if rows.len() < 100 {
        return None;
    }
    let (place, _) = minimum(vec![150.0, 150.0, 80.0, 80.0], |place| objective(rows, place))?;
    let whole = |index: usize| place[index].round() as i32;
    Some(Chances {
        half: Tapered { middlegame: whole(0), endgame: whole(1) },
        spread: Tapered { middlegame: whole(2).max(1), endgame: whole(3).max(1) },
    })
}

/// Returns the sum of the squared differences between fitted and given chances. The gradient is that of half
/// the sum; the Hessian is its Gauss–Newton approximation.
fn objective(rows: &[ChanceRow], place: &[f64]) -> Objective {
    let mut sum = Objective { value: 0.0, gradient: vec![0.0; 4], hessian: vec![vec![0.0; 4]; 4] };
    for row in rows {
        let parts = [row.middlegame, 1.0 - row.middlegame];
        let half = place[0] * parts[0] + place[1] * parts[1];
        let spread = (place[2] * parts[0] + place[3] * parts[1]).max(1.0);
        for (x, chance) in [row.centipawns, -row.centipawns].into_iter().zip(row.chances) {
            let z = (x - half) / spread;
            let win = 1.0 / (1.0 + (-z).exp());
            let slope = win * (1.0 - win) / spread;
            let by = [-slope * parts[0], -slope * parts[1], -slope * z * parts[0], -slope * z * parts[1]];
            let difference = win - chance;
            sum.value += difference * difference;
            for (i, first) in by.iter().enumerate() {
                sum.gradient[i] += difference * first;
                for (j, second) in by.iter().enumerate() {
                    sum.hessian[i][j] += first * second;
                }
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_that_made_the_rows_are_found_again() {
        let logistic = |z: f64| 1.0 / (1.0 + (-z).exp());
        let rows: Vec<ChanceRow> = (0..400)
            .map(|index| {
                let (centipawns, middlegame) =
                    (f64::from(index % 80 - 40) * 10.0, f64::from(index % 7) / 6.0);
                let half = 130.0 * middlegame + 60.0 * (1.0 - middlegame);
                let spread = 70.0 * middlegame + 40.0 * (1.0 - middlegame);
                let chances = [centipawns, -centipawns].map(|x| logistic((x - half) / spread));
                ChanceRow { centipawns, middlegame, chances }
            })
            .collect();
        let expected = Chances {
            half: Tapered { middlegame: 130, endgame: 60 },
            spread: Tapered { middlegame: 70, endgame: 40 },
        };
        assert_eq!(fit_rows(&rows), Some(expected));
        assert_eq!(fit_rows(&rows[..50]), None);
    }
}
