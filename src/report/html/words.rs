//! Owns the result in plain words: the title of the page and the sentences below it.

use super::{Source, name};
use crate::{
    report::summary::EvaluationSource,
    text::{counted, printable, rounded},
    tournament::{Contrast, Tournament, kept::KeptRow},
};

/// The event, where all games have the same one, else the name that the user gave.
pub fn title(source: &Source<'_>) -> String {
    let mut events = source.games.iter().map(|game| game.game().tags.get("Event"));
    let first = events.next().flatten();
    match first.filter(|_| events.all(|event| event == first)) {
        Some(event) => name(event),
        None => name(&source.facts.name),
    }
}

/// Who was judged and by whom, who comes first, and what that is worth.
pub fn sentences(source: &Source<'_>) -> Vec<String> {
    [Some(judged(source)), ranked(source), engine(source)].into_iter().flatten().collect()
}

fn judged(source: &Source<'_>) -> String {
    let tournament = &source.analysis.tournament;
    let moves: u64 = tournament.players.iter().map(|player| player.moves()).sum();
    let players = tournament.players.iter().filter(|player| player.moves() > 0).count();
    let judge = match &source.summary.evaluations {
        EvaluationSource::Engine { engine, protocol, .. } => {
            format!("{} ({})", printable(&engine.name), protocol.limit)
        }
        EvaluationSource::Recorded => recorded_judge(source),
    };
    format!(
        "{judge} has judged {} of {} in {}.",
        counted(moves, "move"),
        counted(players as u64, "player"),
        counted(source.games.len() as u64, "game")
    )
}

/// Whom the games name that brought their evaluations along.
fn recorded_judge(source: &Source<'_>) -> String {
    let mut judges = source.games.iter().map(|game| game.game().tags.get(crate::gain::JUDGE));
    let first = judges.next().flatten();
    match first.filter(|_| judges.all(|judge| judge == first)) {
        Some(judge) => format!("{} (recorded in the games)", name(judge)),
        None => "An engine, whose evaluations the games record,".to_owned(),
    }
}

/// First and last by the score kept, and whether that means anything.
fn ranked(source: &Source<'_>) -> Option<String> {
    let rows = &source.analysis.kept.rows;
    let (first, last) = (rows.first()?, rows.last()?);
    let score = |row: &KeptRow| rounded(row.score.value, 3);
    if rows.len() == 1 {
        let player = name(&first.player);
        return Some(format!(
            "The moves of {player}, who alone has any that count, kept {} of an even game.",
            score(first)
        ));
    }
    let leaders: Vec<&KeptRow> = rows.iter().take_while(|row| row.rank == 1).collect();
    let lead = match leaders.as_slice() {
        [leader] => format!("{} comes first ({})", name(&leader.player), score(leader)),
        several => format!("{} players share the first place ({})", several.len(), score(first)),
    };
    Some(format!(
        "By what the moves kept of an even game, {lead} and {} last ({}){}",
        name(&last.player),
        score(last),
        worth(&source.analysis.tournament)
    ))
}

/// What the pairs of players say of such an order.
fn worth(tournament: &Tournament) -> String {
    let Contrast { pairs, apart, smallest } = tournament.contrast;
    match (apart, smallest) {
        (_, None) => "; there are too few games to tell anybody from anybody.".to_owned(),
        (0, _) => ", but by their gains nobody can be told from anybody: the order may be chance.".to_owned(),
        (apart, _) => format!(
            "; by their gains {apart} of {} can be told apart, the others only by chance.",
            counted(pairs as u64, "pair")
        ),
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
