//! Owns the result in plain words: the title of the page and the sentences below it.

use super::{Source, name};
use crate::chess::{
    evaluated_game::recorded_judge,
    text::{counted, printable},
};
use crate::files::EvaluationSource;
use crate::report::words;

/// Returns the event, where all games have the same one, else the name that the user gave.
pub fn title(source: &Source<'_>) -> String {
    let mut events = source.games.iter().map(|game| game.game().tags.event());
    let first = events.next().flatten();
    match first.filter(|_| events.all(|event| event == first)) {
        Some(event) => name(event),
        None => name(&source.options.page.name),
    }
}

/// Says who was judged and by whom, who comes first, and what that is worth; one sentence where no move
/// counts.
pub fn sentences(source: &Source<'_>) -> Vec<String> {
    if source.analysis.tournament.players.iter().all(|player| player.moves() == 0) {
        return vec![nothing(source)];
    }
    let who = words::quality::sentences(source.quality);
    let before = [Some(judged(source)), source.facts.warning.clone()];
    before.into_iter().flatten().chain(who).chain(words::quality::forms(source.quality)).collect()
}

fn nothing(source: &Source<'_>) -> String {
    let games = counted(source.games.len() as u64, "game");
    let filters = source.analysis.tournament.method.filter.names();
    match filters.is_empty() {
        true => format!("{games} without a move: there is nothing to judge."),
        false => format!(
            "No move of {games} counts, so there is nothing to judge. Counted: {}.",
            filters.join("; ")
        ),
    }
}

fn judged(source: &Source<'_>) -> String {
    let tournament = &source.analysis.tournament;
    let moves: u64 = tournament.players.iter().map(|player| player.moves()).sum();
    let players = tournament.players.iter().filter(|player| player.moves() > 0).count();
    let judge = match &source.facts.evaluations {
        EvaluationSource::Engine { engine, protocol, .. } => {
            format!("{} ({})", printable(&engine.name), protocol.limit)
        }
        EvaluationSource::Recorded => recorded(source),
    };
    format!(
        "{judge} has judged {} of {} in {}.",
        counted(moves, "move"),
        counted(players as u64, "player"),
        counted(source.games.len() as u64, "game")
    )
}

/// Returns the same as the subject of a sentence.
fn recorded(source: &Source<'_>) -> String {
    match recorded_judge(source.games) {
        Some(judge) => format!("{} (recorded in the games)", name(judge)),
        None => "An engine, whose evaluations the games record,".to_owned(),
    }
}
