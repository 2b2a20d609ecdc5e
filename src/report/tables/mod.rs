//! Owns the tables as a terminal shows them.

mod archive;
mod columns;
mod comparison;
mod deep;
pub(super) mod experiment;
mod ferreira;
mod games;
mod go_deep;
mod judges;
mod learning;
mod measures;
mod moves;
mod papers;
mod players;
mod profile;
mod ranking;
pub(in crate::report) mod results;
mod round_robin;
mod sensitivity;
mod several;
pub(in crate::report) mod sparring;
pub(in crate::report) mod sparring_moves;

pub(super) use self::{
    archive::group_table,
    comparison::{moved, score_of},
    ferreira::paper_page,
    learning::learning_layouts,
    moves::move_table,
    profile::profile_division,
    ranking::{parts, ranking},
    round_robin::{entrant_table, layouts as round_robin_layouts, meeting_table},
    sensitivity::choice_table,
};
pub use self::{
    archive::{archive, clocks, group_histograms},
    comparison::pair_table,
    deep::{deep, deep_tree, known_lines, store_shares},
    experiment::matches,
    ferreira::{engine_strength, expected_scores, performances},
    games::games,
    go_deep::{go_deep, iterations},
    judges::{blunder_table, judge_table, judges},
    learning::{
        BandFacts, cross_training, learned_weights, learning_data, learning_models, learning_predictions,
    },
    measures::{SPLITS, score_kept_table, splits_table, statistics_table},
    moves::{MOVES, moves},
    papers::papers,
    players::{ENGINE, histograms, players},
    profile::{profile, profile_table},
    ranking::{live_ranking, quality, quality_parts_table, quality_table, summary},
    round_robin::EntrantFacts,
    sensitivity::{choice_file, player_choices, repeatability, repeatability_table, sensitivity},
    several::{EventComparison, correlation_file, engine_file, engines, event_file, events},
};
use super::{
    table::{Screen, layout::note},
    words,
};
use crate::measure::{Analysis, QualityOfPlay, Tournament};
pub use crate::report::words::numbers::p_equals;

/// Returns all tables with their notes, no wider than `screen` where that can be, behind the `summary`: the quality of play,
/// the paper's three, who can be told from whom, the known measures, and the splits asked for.
pub fn all(summary: String, analysis: &Analysis, ranked: &QualityOfPlay, screen: Screen) -> String {
    let tournament = &analysis.tournament;
    let mut parts = vec![summary];
    parts.extend(quality(ranked, screen));
    parts.push(paper(tournament, screen));
    parts.extend(comparison::ranks(tournament, screen));
    parts.extend(comparison::pairs(tournament, screen));
    parts.extend(measures::statistics(analysis, screen));
    parts.extend(measures::score_kept(&analysis.kept, &tournament.method, screen));
    parts.extend(measures::splits(&analysis.splits, &tournament.method, screen));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

pub fn with_splits(summary: String, analysis: &Analysis, screen: Screen) -> String {
    let splits = measures::splits(&analysis.splits, &analysis.tournament.method, screen);
    let parts = [summary].into_iter().chain(splits).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n")
}

/// Returns Ferreira's Tables 5, 6 and 7.
pub fn paper(tournament: &Tournament, screen: Screen) -> String {
    let mut parts = vec![expected_scores(tournament, screen)];
    match tournament.engine_strength {
        Some(engine) => {
            parts.push(engine_strength(tournament, engine, screen));
            parts.push(performances(tournament, engine, screen));
        }
        None => parts.push(note(&without_engine(tournament), screen) + "\n"),
    }
    parts.join("\n")
}

fn without_engine(tournament: &Tournament) -> String {
    // Where pairs were compared, there are moves of players who are not shown.
    let moved =
        tournament.pair_summary.pairs > 0 || tournament.players.iter().any(|player| player.moves() > 0);
    let why = if moved { words::tournament::without_strength(tournament) } else { "no move counts" };
    format!("Tables 6 and 7 (strength of the engine, performance of the players) are missing: {why}.")
}
