//! Owns the table of who won how often against whom.

use crate::{
    report::table::{
        Screen,
        layout::{Field, Layout},
    },
    selfplay::tally::PairCount,
};

/// Wins, draws and losses of each pair, with games that are the same as others and games forfeited.
pub fn matches(pairs: &[PairCount], screen: Screen) -> String {
    let text = |cell: &dyn Fn(&PairCount) -> String| pairs.iter().map(cell).collect::<Vec<_>>();
    let count = |header: &'static str, number: fn(&PairCount) -> u64| {
        Field::number(header, text(&|pair| number(pair).to_string()))
    };
    Layout {
        title: "Games by pair of depths",
        columns: vec![
            Field::text("depth", text(&|pair| pair.first.to_string())),
            Field::text("against", text(&|pair| pair.second.to_string())),
            count("games", |pair| pair.games),
            count("different", |pair| pair.different).dropped(1),
            count("wins", |pair| pair.wins),
            count("draws", |pair| pair.draws),
            count("losses", |pair| pair.losses),
            Field::number("score", text(&|pair| format!("{:.3}", pair.score()))),
            count("forfeits", |pair| pair.forfeits).dropped(2),
        ],
        notes: vec!["Of a depth against itself the wins are White's.".to_owned()],
    }
    .shown(screen)
}
