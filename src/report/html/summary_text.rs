//! Owns the result in plain words: the title of the page and the sentences below it.

use super::{Source, name};
use crate::{
    evaluated_game::recorded_judge,
    formats::facts::EvaluationSource,
    report::words::numbers::p_equals,
    stats::{estimate::LEVEL, heterogeneity::Welch},
    text::{counted, printable, rounded},
    tournament::kept::KeptRow,
};

/// Returns the event, where all games have the same one, else the name that the user gave.
pub fn title(source: &Source<'_>) -> String {
    let mut events = source.games.iter().map(|game| game.game().tags.get("Event"));
    let first = events.next().flatten();
    match first.filter(|_| events.all(|event| event == first)) {
        Some(event) => name(event),
        None => name(&source.page.name),
    }
}

/// Says who was judged and by whom, who comes first, and what that is worth; one sentence where no move
/// counts.
pub fn sentences(source: &Source<'_>) -> Vec<String> {
    if source.analysis.tournament.players.iter().all(|player| player.moves() == 0) {
        return vec![nothing(source)];
    }
    [Some(judged(source)), source.facts.warning.clone(), ranked(source), engine(source)]
        .into_iter()
        .flatten()
        .collect()
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

/// Returns first and last by the score kept, and whether that means anything.
fn ranked(source: &Source<'_>) -> Option<String> {
    let all = &source.analysis.kept.rows;
    // A single game makes nobody first or last, unless nobody has more.
    let told: Vec<&KeptRow> = all.iter().filter(|row| row.score.interval.is_some()).collect();
    let rows = if told.len() > 1 { told } else { all.iter().collect() };
    let (first, last) = (*rows.first()?, *rows.last()?);
    let score = |row: &KeptRow| rounded(row.score.value, 3);
    if rows.len() == 1 {
        let player = name(&first.player);
        return Some(format!(
            "{player} is the only player with moves that count: they kept {} of an even game.",
            score(first)
        ));
    }
    let leaders: Vec<&KeptRow> = rows.iter().copied().take_while(|row| row.rank == first.rank).collect();
    let lead = match leaders.as_slice() {
        [leader] => format!("{} comes first ({})", name(&leader.player), score(leader)),
        several => format!("{} players share the first place ({})", several.len(), score(first)),
    };
    Some(format!(
        "By what the moves kept of an even game, {lead} and {} last ({}){}",
        name(&last.player),
        score(last),
        worth(source.analysis.kept.homogeneity)
    ))
}

/// Says what such an order is worth: whether all players can have one score.
fn worth(test: Option<Welch>) -> String {
    match test {
        None => "; there are too few games to say whether that is more than chance.".to_owned(),
        Some(test) if test.p < 1.0 - LEVEL => {
            format!(", and that is more than chance: they are not all equal ({}).", p_equals(test.p))
        }
        Some(test) => format!(", but the order may be chance: all could be equal ({}).", p_equals(test.p)),
    }
}

fn engine(source: &Source<'_>) -> Option<String> {
    let engine = source.analysis.tournament.engine_strength?;
    let margin = engine
        .interval
        .map_or(String::new(), |interval| format!(", give or take {}", rounded(interval.half_width(), 0)));
    Some(format!(
        "Measured by the ratings of {}, the engine plays at {} Elo points{margin}.",
        counted(engine.observations as u64, "player"),
        rounded(engine.value, 0)
    ))
}
