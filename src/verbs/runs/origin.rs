//! Owns where the evaluations of a report came from, as its files and pictures tell it.

use std::time::Duration;

use crate::chess::{EvaluatedGame, evaluated_game::recorded_judge};
use crate::files::{EngineFacts, EvaluationSource, OwnMoves, ProtocolFacts, SearchFacts, Searches};
use crate::store::SearchCounts;
use crate::verbs::{app::evaluated::Evaluated, app::evaluated::InputGames, app::plan::Plan};

pub fn source(input_games: &InputGames, evaluated: &Evaluated, plan: &Plan) -> EvaluationSource {
    match evaluated.engine.as_ref().filter(|_| input_games.searched > 0) {
        None => EvaluationSource::Recorded,
        Some(engine) => EvaluationSource::Engine {
            engine: EngineFacts::of(engine, &evaluated.programs),
            protocol: ProtocolFacts::from(plan.evaluations.protocol),
            recorded_games: input_games.recorded,
        },
    }
}

/// Returns who evaluated, for the pictures.
pub fn judge(source: &EvaluationSource, games: &[EvaluatedGame]) -> String {
    match (source, the_judge(source, games)) {
        (EvaluationSource::Engine { .. }, judge) => judge.unwrap_or_default(),
        (EvaluationSource::Recorded, Some(judge)) => format!("recorded evaluations, {judge}"),
        (EvaluationSource::Recorded, None) => "recorded evaluations".to_owned(),
    }
}

/// Returns the engine that was asked, or the one that the games name, with how it was asked.
pub fn the_judge(source: &EvaluationSource, games: &[EvaluatedGame]) -> Option<String> {
    match source {
        EvaluationSource::Engine { engine, protocol, .. } => {
            Some(format!("{}, {}", engine.name, protocol.brief()))
        }
        EvaluationSource::Recorded => recorded_judge(games).map(str::to_owned),
    }
}

/// Returns who evaluated all games, whether now or when they were recorded.
pub fn one_judge(source: &EvaluationSource, games: &[EvaluatedGame]) -> Option<String> {
    match source {
        EvaluationSource::Engine { recorded_games: 1.., .. } => None,
        source => the_judge(source, games),
    }
}

/// Tells where the evaluations of a run came from.
pub fn search_facts(evaluated: &Evaluated, plan: &Plan) -> SearchFacts {
    let SearchCounts { stored, searched, nodes, busy, wall } = evaluated.counts;
    let own = evaluated.own_moves;
    let own_moves = OwnMoves { evaluated: own.stored + own.searched, searched: own.searched };
    let per_second = |amount: f64, time: Duration| amount / time.as_secs_f64();
    SearchFacts {
        searches: Searches { made: searched, from_store: stored, recorded: evaluated.recorded, own_moves },
        nodes_per_second: (searched > 0).then(|| per_second(nodes as f64, wall)),
        engine_busy_share: (searched > 0)
            .then(|| per_second(busy.as_secs_f64(), wall) / plan.evaluations.engine.jobs as f64),
    }
}
