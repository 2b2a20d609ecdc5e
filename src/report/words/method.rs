//! Owns what is said of the choices of method in force.

use crate::{
    gain::Metric,
    rating::elo::EloCurve,
    score::Clip,
    tournament::{EngineHistogram, Method},
};

/// Which moves count, where that is not all of them.
pub fn filters(method: &Method) -> Option<String> {
    let filters = method.filter.names();
    (!filters.is_empty()).then(|| format!("Counted: {}.", filters.join("; ")))
}

/// Where evaluations are clamped, if not at the bound of the paper.
pub fn clip(method: &Method) -> Option<String> {
    let cp = method.clip.cp();
    (method.clip != Clip::default()).then(|| format!("Evaluations are clamped to ±{cp} centipawns."))
}

/// From which curve differences in Elo are, if not from the paper's.
pub fn curve(method: &Method) -> Option<String> {
    (method.curve != EloCurve::default()).then(|| "Differences in Elo by the logistic curve.".to_owned())
}

/// What a table counts and how, where that is not every gain as in the paper.
pub fn counted(method: &Method) -> Vec<String> {
    let metric = match method.metric {
        Metric::Centipawns => None,
        Metric::WinProbability => Some("Gains of the chance of winning that the evaluation stands for."),
        Metric::Wdl => {
            Some("Gains of the expected result by the engine's chances of a win, a draw and a loss.")
        }
    };
    let engine = match method.engine_histogram {
        EngineHistogram::Delta => None,
        EngineHistogram::Own => Some(
            "Compared with the gains of the engine's own best moves, of all positions that count together.",
        ),
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

/// The choices in force that touch these measures: metric, ties and the engine's histogram do not.
pub fn counted_moves(method: &Method) -> Vec<String> {
    filters(method).into_iter().chain(clip(method)).collect()
}
