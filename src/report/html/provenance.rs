//! Owns how the page says it was made: engine, protocol, method, filters, command and games.

use super::{Source, name};
use crate::chess::{
    evaluated_game::recorded_judge,
    text::{brief, counted, cut, path_text, printable},
};
use crate::files::{EvaluationSource, GamesRead, LeftOutGame, SummaryFacts};
use crate::measure::Method;
use crate::numbers::Bootstrap;

pub type Fact = (String, String);

/// Columns that a command line may take.
const COMMAND: usize = 600;

/// Returns everything that another run needs to come to the same numbers.
pub fn facts(source: &Source<'_>) -> Vec<Fact> {
    let (run, method_of_run) = (source.facts, &source.analysis.tournament.method);
    let mut facts = judge(source);
    facts.extend([
        ("Method", method(method_of_run)),
        ("Intervals", intervals(method_of_run)),
        ("Counted", filters(method_of_run)),
        ("Games", games(&run.games)),
    ]);
    facts.extend(chosen(&run.games).map(|chosen| ("Chosen", chosen)));
    facts.push(("Positions", positions(run)));
    making(
        facts.into_iter().map(|(label, text)| (label.to_owned(), text)).collect(),
        &source.options.page.command,
    )
}

/// Returns these lines with the command, and the version of the program.
pub fn making(mut lines: Vec<Fact>, arguments: &[String]) -> Vec<Fact> {
    lines.push(("Command".to_owned(), command(arguments)));
    lines.push(("Version".to_owned(), concat!("gainalyze ", env!("CARGO_PKG_VERSION")).to_owned()));
    lines
}

fn judge(source: &Source<'_>) -> Vec<(&'static str, String)> {
    match &source.facts.evaluations {
        EvaluationSource::Recorded => {
            let judge = recorded_judge(source.games).map_or_else(|| "not recorded".to_owned(), name);
            vec![
                ("Evaluations", "recorded in the games, taken as they are".to_owned()),
                ("Engine, search", judge),
                ("Digest (SHA-256)", "not recorded".to_owned()),
            ]
        }
        EvaluationSource::Engine { engine, protocol, recorded_games } => {
            let options: Vec<String> = engine
                .options
                .iter()
                .map(|(name, value)| format!("{} {}", printable(name), brief(value)))
                .collect();
            let recorded = match recorded_games {
                0 => String::new(),
                games => format!("; {} with recorded evaluations", counted(*games as u64, "game")),
            };
            vec![
                ("Engine", name(&engine.name)),
                ("Digest (SHA-256)", engine.digests()),
                ("Engine options", options.join(", ")),
                (
                    "Search",
                    format!(
                        "{}, {} through segments of {}{recorded}",
                        protocol.limit,
                        protocol.order,
                        counted(protocol.segment as u64, "position")
                    ),
                ),
            ]
        }
    }
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
        format!("{} read, {} analysed, {} left out", games.read, games.analysed, games.count_left_out());
    let Some(choice) = &games.choice else { return shown };
    let not_chosen =
        choice.not_chosen.iter().map(|(refusal, games)| format!("{games} not chosen by {refusal}"));
    let again = (choice.duplicates > 0).then(|| format!("{} counted once, being copies", choice.duplicates));
    std::iter::once(shown).chain(not_chosen).chain(again).collect::<Vec<_>>().join(", ")
}

/// Says what was asked of the games, where anything was.
fn chosen(games: &GamesRead) -> Option<String> {
    let choice = games.choice.as_ref()?;
    (!choice.choices.is_empty()).then(|| printable(&choice.choices.join("; ")))
}

fn positions(facts: &SummaryFacts) -> String {
    let nodes = facts.nodes.map_or(String::new(), |nodes| format!(", {nodes} nodes"));
    format!("{}{nodes}", facts.positions)
}

/// Returns the command line as a shell takes it, the program by its name alone.
fn command(arguments: &[String]) -> String {
    let rest = arguments.iter().skip(1).map(|argument| quoted(&printable(argument)));
    let line: Vec<String> = std::iter::once("gainalyze".to_owned()).chain(rest).collect();
    cut(&line.join(" "), COMMAND)
}

fn quoted(argument: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./=,:+@%".contains(letter);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

pub fn left_out(source: &Source<'_>, most: usize) -> Vec<String> {
    source.facts.games.left_out.iter().take(most).map(left_out_line).collect()
}

fn left_out_line(game: &LeftOutGame) -> String {
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
    format!("{}, game {number}{players}{ply}{written}: {}", path_text(file), printable(reason))
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
