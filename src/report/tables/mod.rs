//! The tables of reports: for terminals, pages and files.

pub(super) mod columns;
pub(crate) mod comparison;
pub mod ferreira;
pub mod games;
pub(crate) mod measures;
pub mod moves;
#[cfg(feature = "program")]
pub(crate) mod peers;
pub mod players;
pub(crate) mod profile;
pub mod ranking;
#[cfg(feature = "program")]
pub(crate) mod screening;

use super::{table::Screen, table::layout::note, words};
use crate::measure::{Analysis, QualityOfPlay, Tournament};

pub fn all(summary: String, analysis: &Analysis, ranked: &QualityOfPlay, screen: Screen) -> String {
    let tournament = &analysis.tournament;
    let mut parts = vec![summary];
    parts.extend(ranking::quality(ranked, screen));
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

/// Returns Ferreira's Tables 5, 6 and 7, or a note instead of Tables 6 and 7.
pub fn paper(tournament: &Tournament, screen: Screen) -> String {
    let mut parts = vec![ferreira::expected_scores(tournament, screen)];
    match tournament.engine_strength {
        Some(engine) => {
            parts.push(ferreira::engine_strength(tournament, engine, screen));
            parts.push(ferreira::performances(tournament, engine, screen));
        }
        None => parts.push(note(&without_engine(tournament), screen) + "\n"),
    }
    parts.join("\n")
}

fn without_engine(tournament: &Tournament) -> String {
    // Compared pairs have moves, even if the players with these moves are not shown.
    let moved =
        tournament.pair_summary.pairs > 0 || tournament.players.iter().any(|player| player.moves() > 0);
    let why =
        if moved { words::tournament::without_strength(tournament) } else { "no move passes the filters" };
    format!("Tables 6 and 7 (strength of the engine, performance of the players) are missing: {why}.")
}
