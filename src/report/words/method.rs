//! Owns what is said of the choices of method in force.

use crate::chess::{Clip, Metric};
use crate::measure::{EngineHistogram, Method};
use crate::numbers::EloCurve;

/// Says which moves count, where that is not all of them.
pub fn filters(method: &Method) -> Option<String> {
    let filters = method.filter.names();
    (!filters.is_empty()).then(|| format!("Counted: {}.", filters.join("; ")))
}

/// Says where evaluations are clamped, if not at the bound of the paper.
pub fn clip(method: &Method) -> Option<String> {
    let cp = method.clip.cp();
    (method.clip != Clip::default()).then(|| format!("Evaluations are clamped to ±{cp} centipawns."))
}

/// Says from which curve differences in Elo are, if not from the paper's.
pub fn curve(method: &Method) -> Option<String> {
    (method.curve != EloCurve::default()).then(|| "Differences in Elo follow the logistic curve.".to_owned())
}

/// Says what a table counts and how, where that is not every gain as in the paper.
pub fn counted(method: &Method) -> Vec<String> {
    let metric = match method.metric {
        Metric::Centipawns => None,
        Metric::WinProbability => Some("Gains are of the chance of winning that an evaluation stands for."),
        Metric::Wdl => {
            Some("Gains are of the expected result, by the engine's chances of a win, a draw and a loss.")
        }
    };
    let engine = match method.engine_histogram {
        EngineHistogram::Delta => None,
        EngineHistogram::Own => {
            Some("Players are compared with the engine's own best moves in all positions that count.")
        }
    };
    [
        filters(method),
        clip(method),
        metric.map(str::to_owned),
        engine.map(str::to_owned),
        (method.band.tie() > 0).then(|| {
            let unit = method.metric.unit();
            format!("Gains within ±{} {unit} of the engine's count as a tie.", method.band.tie())
        }),
        curve(method),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the choices in force that touch these measures: metric, ties and the engine's histogram do not.
pub fn counted_moves(method: &Method) -> Vec<String> {
    filters(method).into_iter().chain(clip(method)).collect()
}
