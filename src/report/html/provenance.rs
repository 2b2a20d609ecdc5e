//! Texts of a tournament's page: its title, its sentences on the result, and the origin of its numbers.

use shakmaty::Color;

use crate::base::text::{brief, counted, cut, games_path, printable, shell_quoted};
use crate::chess::evaluated_game::recorded_judge;
use crate::files::{EngineFacts, EvaluationSource, GamesRead, LeftOutGame};
use crate::measure::Method;
use crate::numbers::Bootstrap;
use crate::report::{html::game::accuracy, pictures::Source, publish::Fact, words, words::names::name};

const COMMAND: usize = 600;

pub fn facts(source: &Source<'_>) -> Vec<Fact> {
    let run = source.facts;
    let named = |(label, text): (&str, String)| (label.to_owned(), text);
    let choices = run.games.choice.iter().map(|choice| choice.choices.join("; "));
    let choices = choices.filter(|asked| !asked.is_empty()).map(|asked| ("Chosen", printable(&asked)));
    let nodes = run.nodes.map_or(String::new(), |nodes| format!(", {nodes} nodes"));
    let positions = ("Positions", format!("{}{nodes}", run.positions));
    let read = std::iter::once(("Games", games(&run.games))).chain(choices).chain([positions]);
    let evaluated = judge(source).into_iter().map(named);
    evaluated
        .chain(method_facts(&source.findings.analysis.tournament.method))
        .chain(read.map(named))
        .collect()
}

pub(in crate::report) fn method_facts(of: &Method) -> [Fact; 3] {
    let facts = [("Method", method(of)), ("Intervals", intervals(of)), ("Filters", filters(of))];
    facts.map(|(label, text)| (label.to_owned(), text))
}

/// Returns `lines` followed by the command, if any, and the version of the program.
pub fn making(mut lines: Vec<Fact>, arguments: &[String]) -> Vec<Fact> {
    // In a browser, there is no command.
    lines.extend((!arguments.is_empty()).then(|| ("Command".to_owned(), command(arguments))));
    lines.push(("Version".to_owned(), concat!("gainalyze ", env!("CARGO_PKG_VERSION")).to_owned()));
    lines
}

fn judge(source: &Source<'_>) -> Vec<(&'static str, String)> {
    match &source.facts.evaluations {
        EvaluationSource::Recorded => {
            let judge = recorded_judge(source.games).map_or_else(|| "not recorded".to_owned(), name);
            vec![
                ("Evaluations", "recorded in the games, used unchanged".to_owned()),
                ("Engine, search", judge),
                ("Digest (SHA-256)", "not recorded".to_owned()),
            ]
        }
        EvaluationSource::Engine { engine, protocol, recorded_games } => {
            let recorded = match recorded_games {
                0 => String::new(),
                games => format!("; {} with recorded evaluations", counted(*games as u64, "game")),
            };
            vec![
                ("Engine", name(&engine.name)),
                ("Digest (SHA-256)", engine.digests()),
                ("Engine options", options(engine)),
                (
                    "Search",
                    format!(
                        "{}, {}, in segments of {}{recorded}",
                        protocol.limit,
                        protocol.order,
                        counted(protocol.segment as u64, "position")
                    ),
                ),
            ]
        }
    }
}

pub fn options(engine: &EngineFacts) -> String {
    let option = |(name, value): (&String, &String)| format!("{} {}", printable(name), brief(value));
    engine.options.iter().map(option).collect::<Vec<_>>().join(", ")
}

fn method(method: &Method) -> String {
    let Method { clip, metric, band, engine_histogram, curve, .. } = method;
    let (bin, tie, unit) = (band.width().get(), band.tie(), metric.unit());
    format!(
        "evaluations clamped to ±{} centipawns; metric {}, bins of {bin} and ties within ±{tie} {unit}; engine's \
         histogram: {}; Elo curve: {}",
        clip.cp(),
        metric.name(),
        engine_histogram.name(),
        curve.name()
    )
}

fn intervals(method: &Method) -> String {
    let Bootstrap { samples, seed } = method.bootstrap;
    match samples {
        0 => "95 %, by game".to_owned(),
        samples => format!("95 %, by game; {samples} samples of whole games, seed {seed}"),
    }
}

fn filters(method: &Method) -> String {
    let filters = method.filter.names();
    if filters.is_empty() { "every move".to_owned() } else { filters.join("; ") }
}

fn games(games: &GamesRead) -> String {
    let shown =
        format!("{} read, {} analyzed, {} left out", games.read, games.analysed, games.count_left_out());
    let shown = match games.unplayed {
        0 => shown,
        unplayed => format!("{shown}, {unplayed} without moves"),
    };
    let Some(choice) = &games.choice else { return shown };
    let not_chosen =
        choice.not_chosen.iter().map(|(refusal, games)| format!("{games} not chosen by {refusal}"));
    let again = (choice.duplicates > 0).then(|| format!("{} ignored as copies", choice.duplicates));
    std::iter::once(shown).chain(not_chosen).chain(again).collect::<Vec<_>>().join(", ")
}

/// Returns the command line in shell syntax, with `gainalyze` as the program, cut to [`COMMAND`] columns.
fn command(arguments: &[String]) -> String {
    let rest = arguments.iter().skip(1).map(|argument| shell_quoted(argument));
    let line: Vec<String> = std::iter::once("gainalyze".to_owned()).chain(rest).collect();
    cut(&line.join(" "), COMMAND)
}

pub fn left_out(game: &LeftOutGame) -> String {
    let LeftOutGame { file, game: number, white, black, ply, written, reason } = game;
    let players = match (white, black) {
        (None, None) => String::new(),
        (white, black) => {
            let [white, black] = [white, black].map(|player| player.as_deref().map_or("?".to_owned(), brief));
            format!(" ({white} – {black})")
        }
    };
    let ply = ply.map_or(String::new(), |ply| format!(", ply {ply}"));
    let written = written.as_deref().map_or(String::new(), |text| format!(" “{}”", brief(text)));
    format!("{}, game {number}{players}{ply}{written}: {}", games_path(file), printable(reason))
}

/// Returns the title of the page. For a profile, it is the player's name. For a tournament, it is the event
/// if all games have the same event, otherwise the name that the user gave.
pub fn title(source: &Source<'_>) -> String {
    if let Some(own) = source.own() {
        return name(&own.player);
    }
    let mut events = source.games.iter().map(|game| game.game().tags.event());
    let first = events.next().flatten();
    match first.filter(|_| events.all(|event| event == first)) {
        Some(event) => name(event),
        None => name(&source.options.name),
    }
}

/// Returns sentences on the result: for a profile on its player, otherwise on the best player and the
/// meaning of the rating. Further sentences name the engine that evaluated the moves. If no move
/// counts, there is one sentence, with the reason. The number of games in progress comes first.
pub fn sentences(source: &Source<'_>) -> Vec<String> {
    let (open, all) = (source.in_progress(), source.games.len());
    let of = if open == all { String::new() } else { format!("{open} of ") };
    let is_or_are = if open == 1 { "is" } else { "are" };
    let progress = format!("{of}{} {is_or_are} in progress.", counted(all as u64, "game"));
    let has_progress = open > 0 && !source.is_one();
    has_progress.then_some(progress).into_iter().chain(findings(source)).collect()
}

fn findings(source: &Source<'_>) -> Vec<String> {
    if source.findings.analysis.tournament.players.iter().all(|player| player.moves() == 0) {
        return vec![nothing(source)];
    }
    if let Some(own) = source.own() {
        let said = words::profile::sentences(own);
        return said.into_iter().chain([judged(source)]).chain(source.facts.warning.clone()).collect();
    }
    if let Some(headline) = of_one(source) {
        let said = [headline, ACCURACIES.to_owned(), judged(source)];
        return said.into_iter().chain(source.facts.warning.clone()).collect();
    }
    let quality = &source.findings.quality;
    let said = words::finding::finding(quality, false).into_iter().chain(words::finding::standfirst(quality));
    said.chain(source.facts.warning.clone()).collect()
}

/// Returns the headline of a report on a single game; `None` for other reports.
pub fn of_one(source: &Source<'_>) -> Option<String> {
    let one = source.games.first().filter(|_| source.is_one())?;
    let accuracies = Color::ALL.map(|color| accuracy(source, 0, color));
    let method = &source.findings.analysis.tournament.method;
    let unknown = if source.in_progress() > 0 { "in progress" } else { "without a result" };
    let facts = source.findings.sample.moves_of(0);
    Some(words::game::headline((one.game(), unknown), accuracies, facts, method))
}

/// The meaning of the two numbers in the headline of a single game.
const ACCURACIES: &str = "The numbers are accuracies in percent, computed as on lichess.";

fn nothing(source: &Source<'_>) -> String {
    let games = counted(source.games.len() as u64, "game");
    let filters = source.findings.analysis.tournament.method.filter.names();
    match filters.is_empty() {
        true => format!("{games} without a move: there is nothing to evaluate."),
        false => format!(
            "No move of {games} passes the filters ({}), so there is nothing to report.",
            filters.join("; ")
        ),
    }
}

/// Returns the engine that evaluated the moves of all tables but the ratings of play, and its depth.
pub fn evaluated_by(source: &Source<'_>) -> String {
    match &source.facts.evaluations {
        EvaluationSource::Engine { engine, protocol, .. } => {
            format!("{} ({})", printable(&engine.name), protocol.limit)
        }
        EvaluationSource::Recorded => match recorded_judge(source.games) {
            Some(judge) => format!("{} (recorded in the games)", name(judge)),
            None => "an engine that the games do not name".to_owned(),
        },
    }
}

/// Returns a sentence on the engine and the number of moves, players and games.
pub fn judged(source: &Source<'_>) -> String {
    let tournament = &source.findings.analysis.tournament;
    let moves: u64 = tournament.players.iter().map(|player| player.moves()).sum();
    let players = tournament.players.iter().filter(|player| player.moves() > 0).count();
    let judge = evaluated_by(source).replacen("an engine that", "An engine that", 1);
    format!(
        "{judge} evaluated {} of {} in {}.",
        counted(moves, "move"),
        counted(players as u64, "player"),
        counted(source.games.len() as u64, "game")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_given_to_a_shell_again() {
        let arguments = ["/usr/bin/gainalyze", "my games.pgn", "--elo", "O'Hara=2500"].map(str::to_owned);
        assert_eq!(command(&arguments), r"gainalyze 'my games.pgn' --elo 'O'\''Hara=2500'");
    }
}
