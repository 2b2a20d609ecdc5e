//! The engine that evaluated a report's games, and its search settings, in words.

use crate::chess::{EvaluatedGame, evaluated_game::judge_of, evaluated_game::recorded_judge};
use crate::files::EvaluationSource;

pub fn caption(source: &EvaluationSource, games: &[EvaluatedGame]) -> String {
    match (source, named(source, games)) {
        (EvaluationSource::Engine { .. }, judge) => judge.unwrap_or_default(),
        (EvaluationSource::Recorded, Some(judge)) => format!("recorded evaluations, {judge}"),
        (EvaluationSource::Recorded, None) => "recorded evaluations".to_owned(),
    }
}

/// Returns the engine and its settings; `None` if the games' tags name different ones.
pub fn named(source: &EvaluationSource, games: &[EvaluatedGame]) -> Option<String> {
    match source {
        EvaluationSource::Engine { engine, protocol, .. } => Some(judge_of(&engine.name, &protocol.brief())),
        EvaluationSource::Recorded => recorded_judge(games).map(str::to_owned),
    }
}
