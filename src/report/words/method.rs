//! Notes on the choices of method, and warnings of a weak engine or a shallow search.

use crate::chess::{Clip, Metric};
use crate::engine::builtin::{STRENGTH, is_builtin};
use crate::measure::{EngineHistogram, Method};
use crate::numbers::EloCurve;

pub fn filters(method: &Method) -> Option<String> {
    let filters = method.filter.names();
    (!filters.is_empty()).then(|| format!("Filters: {}.", filters.join("; ")))
}

pub fn clip(method: &Method) -> Option<String> {
    let cp = method.clip.cp();
    (method.clip != Clip::default()).then(|| format!("Evaluations are clamped to ±{cp} centipawns."))
}

pub fn curve(method: &Method) -> Option<String> {
    (method.curve != EloCurve::default())
        .then(|| "Expected scores are converted to Elo differences by the logistic curve.".to_owned())
}

/// Returns a note on each choice of method that differs from the paper's, except the width of bins.
pub fn counted(method: &Method) -> Vec<String> {
    let metric = match method.metric {
        Metric::Centipawns => None,
        Metric::WinProbability => Some("Gains are differences in winning chances."),
        Metric::Wdl => Some(
            "Gains are differences in expected score, computed from the win, draw and loss chances that the engine reports.",
        ),
    };
    [
        filters(method),
        clip(method),
        metric.map(str::to_owned),
        (method.engine_histogram == EngineHistogram::Own).then(|| {
            "Players are compared with the engine's own best moves in all counted positions.".to_owned()
        }),
        (method.band.tie() > 0).then(|| {
            let unit = method.metric.unit();
            format!(
                "A gain counts as a tie if it differs from the engine's gain by at most {} {unit}.",
                method.band.tie()
            )
        }),
        curve(method),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the notes on the choices that affect measures of moves.
pub fn counted_moves(method: &Method) -> Vec<String> {
    filters(method).into_iter().chain(clip(method)).collect()
}

/// The smallest depth without a warning. At depth 5, an engine reports 29 blunders by Carlsen in four games.
const LEAST_DEPTH: u32 = 8;

/// Returns a warning of a shallow search, or of the built-in engine.
pub fn judge_warning(judge: &str) -> Option<String> {
    let shallow = depth(judge).filter(|depth| *depth < LEAST_DEPTH).map(|depth| {
        format!(
            "Depth {depth} says little about quality: below depth {LEAST_DEPTH} an engine reports false mistakes and misses real \
             ones. Search deeper before you draw conclusions (--depth {LEAST_DEPTH} or more)."
        )
    });
    let builtin = is_builtin(judge).then(|| {
        format!(
            "Evaluated by the built-in engine, {judge} ({STRENGTH}). \
             For club players, lost winning chances and blunders are useful. For masters, its numbers mean little: \
             evaluate the games with Stockfish."
        )
    });
    let warnings: Vec<String> = shallow.into_iter().chain(builtin).collect();
    (!warnings.is_empty()).then(|| warnings.join(" "))
}

/// Returns the depth in the description of a search, as 10 in `Stockfish 15.1, depth 10, forward`.
fn depth(judge: &str) -> Option<u32> {
    judge.split(", ").find_map(|part| part.strip_prefix("depth ")?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builtin::NAME;

    #[test]
    fn the_engine_within_is_warned_of_and_no_other() {
        let text = judge_warning(&format!("{NAME}, depth 10")).expect("a warning");
        assert!(text.contains(NAME) && text.contains("depth 10") && text.contains(STRENGTH), "{text}");
        assert_eq!(judge_warning("Stockfish 15.1, depth 20"), None);
        assert_eq!(judge_warning("Stockfish 15.1, depth 8, forward"), None);
        let shallow = judge_warning("Stockfish 15.1, depth 5, forward").expect("a warning");
        assert!(shallow.contains("Depth 5 says little"), "{shallow}");
        assert_eq!(judge_warning("recorded evaluations"), None);
    }
}
