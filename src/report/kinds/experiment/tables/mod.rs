//! The tables of an experiment for a terminal and a page.

mod cross;
pub(in crate::report) mod files;
mod heinz;
mod strength;

use crate::lab::{Contender, Experiment, Match, PairGames};
use crate::measure::Quantity;
use crate::report::table::{Screen, Table, head, layout::Layout};

pub(in crate::report) use crate::report::kinds::experiment::words::{notes, sentences};

/// Returns all tables that have data: Ferreira's, then Heinz's.
pub(in crate::report) fn layouts(experiment: &Experiment) -> Vec<Layout> {
    let mut tables =
        vec![cross::games(experiment), cross::white_scores(experiment), cross::scores(experiment)];
    tables.extend(cross::diagonal(experiment));
    if !experiment.fits.is_empty() {
        tables.push(strength::fits(experiment));
    }
    if experiment.table.contenders().len() > 1 {
        tables.push(strength::three_fits(experiment));
        tables.extend(strength::table_8(experiment));
    }
    if !experiment.matches.is_empty() {
        tables.push(heinz::matches("Neighboring depths (Heinz's Table 5)", &experiment.matches));
        tables.push(heinz::statistics("Precision of these scores (Heinz's Table 6)", &experiment.matches));
        tables.extend(heinz::intersections(experiment));
    }
    let calibration: Vec<Match> = experiment.calibration.into_iter().collect();
    if !calibration.is_empty() {
        tables.push(heinz::matches("Calibration: White against Black (Heinz's Table 3)", &calibration));
        tables.push(heinz::statistics("Precision of the calibration score (Heinz's Table 4)", &calibration));
    }
    tables
}

/// Returns the table of scores. If there are several contenders, also returns their Elo points and, with an
/// anchor, their strengths.
pub(in crate::report) fn brief(experiment: &Experiment) -> Vec<Layout> {
    let mut tables = vec![cross::scores(experiment)];
    if experiment.table.contenders().len() > 1 {
        tables.push(strength::three_fits(experiment));
        tables.extend(strength::table_8(experiment));
    }
    tables
}

pub fn matches(pairs: &[([Contender; 2], PairGames)], screen: Screen) -> String {
    Table::shown(pairs)
        .display("depth", |([first, _], _)| first.to_string())
        .display("against", |([_, second], _)| second.to_string())
        .display("games", |(_, games)| games.games())
        .display(head("different").gives_way(1), |(_, games)| games.different)
        .display("wins", |(_, games)| games.wins)
        .display("draws", |(_, games)| games.draws)
        .display("losses", |(_, games)| games.losses)
        .display_number("score", Quantity::GAME_SCORE, |(_, games)| games.score())
        .display(head("forfeits").gives_way(2), |(_, games)| games.forfeits)
        .layout("Games by pair of depths", vec!["If a depth plays itself, the wins are White's.".to_owned()])
        .shown(screen)
}
