//! The judge of a report's games: the engine and its search settings, in words.

use crate::chess::{
    EvaluatedGame, evaluated_game::JUDGE, evaluated_game::judge_of, evaluated_game::recorded_judge,
};
use crate::files::EvaluationSource;
use crate::measure::group::UNKNOWN;

/// Returns the kind as in the tag [`JUDGE`]; `None` if the run searched some games but not all.
pub fn of_game(source: &EvaluationSource, game: &EvaluatedGame) -> Option<String> {
    match source {
        EvaluationSource::Engine { recorded_games: 1.., .. } => None,
        EvaluationSource::Engine { engine, protocol, .. } => Some(judge_of(&engine.name, &protocol.brief())),
        EvaluationSource::Recorded => Some(game.game().tags.get(JUDGE).unwrap_or(UNKNOWN).to_owned()),
    }
}

pub fn caption(source: &EvaluationSource, games: &[EvaluatedGame]) -> String {
    match (source, named(source, games)) {
        (EvaluationSource::Engine { .. }, judge) => judge.unwrap_or_default(),
        (EvaluationSource::Recorded, Some(judge)) => format!("recorded evaluations, {judge}"),
        (EvaluationSource::Recorded, None) => "recorded evaluations".to_owned(),
    }
}

/// Returns the engine and its settings; `None` if the games' tags [`JUDGE`] differ.
pub fn named(source: &EvaluationSource, games: &[EvaluatedGame]) -> Option<String> {
    match source {
        EvaluationSource::Engine { engine, protocol, .. } => Some(judge_of(&engine.name, &protocol.brief())),
        EvaluationSource::Recorded => recorded_judge(games).map(str::to_owned),
    }
}

/// Returns the judge of all games; `None` if it is unknown, or if the run searched only some of the games.
pub fn of_all(source: &EvaluationSource, games: &[EvaluatedGame]) -> Option<String> {
    match source {
        EvaluationSource::Engine { recorded_games: 1.., .. } => None,
        source => named(source, games),
    }
}
