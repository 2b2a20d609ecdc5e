//! Owns the table of who won how often against whom.

use crate::lab::PairCount;
use crate::measure::Quantity;
use crate::report::table::{Screen, Table};

/// Returns wins, draws and losses of each pair, with games that are the same as others and games forfeited.
pub fn matches(pairs: &[PairCount], screen: Screen) -> String {
    Table::shown(pairs)
        .beside("depth", |pair| pair.first.to_string())
        .beside("against", |pair| pair.second.to_string())
        .beside("games", |pair| pair.games)
        .beside("different", |pair| pair.different)
        .gives_way(1)
        .beside("wins", |pair| pair.wins)
        .beside("draws", |pair| pair.draws)
        .beside("losses", |pair| pair.losses)
        .number_beside(Quantity::GAME_SCORE, |pair| pair.score())
        .heading("score")
        .beside("forfeits", |pair| pair.forfeits)
        .gives_way(2)
        .layout("Games by pair of depths", vec!["Of a depth against itself the wins are White's.".to_owned()])
        .shown(screen)
}
