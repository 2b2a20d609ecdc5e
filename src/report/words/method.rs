//! Owns what is said of the choices of method in force, and of a judge that may be weaker than the players.

use crate::chess::{Clip, Metric};
use crate::engine::within::{STRENGTH, is_within};
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
    [
        filters(method),
        clip(method),
        metric.map(str::to_owned),
        (method.engine_histogram == EngineHistogram::Own).then(|| {
            "Players are compared with the engine's own best moves in all positions that count.".to_owned()
        }),
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

/// Warns of a judge, its name with its limit behind, that is the engine within; `None` of any other.
pub fn judge_warning(judge: &str) -> Option<String> {
    is_within(judge).then(|| {
        format!(
            "Judged by {judge} ({STRENGTH}). A judge below the players tells little of them: by it the paper's expected \
             scores, the strength of the engine and the performances (Tables 5 to 7) are worth little, average losses and \
             blunders of club players more (docs/method.md). Where players are stronger, let a stronger engine judge."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::within::NAME;

    #[test]
    fn the_engine_within_is_warned_of_and_no_other() {
        let text = judge_warning(&format!("{NAME}, depth 10")).expect("a warning");
        assert!(text.contains(NAME) && text.contains("depth 10") && text.contains(STRENGTH), "{text}");
        assert_eq!(judge_warning("Stockfish 15.1, depth 20"), None);
        assert_eq!(judge_warning("recorded evaluations"), None);
    }
}
