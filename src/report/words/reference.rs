//! Words on the reference games, with which a player's games are compared.

use std::collections::BTreeSet;

use super::peers::of_groups;
use crate::measure::peers::{PeerStanding, PlayMeasure, Reference};

/// Returns the reason why games with these kinds of evaluations cannot be compared with the reference.
pub fn without(reference: &Reference, kinds: &BTreeSet<String>) -> String {
    let known = reference.kinds();
    let why = if kinds.iter().any(|kind| known.contains(kind.as_str())) {
        let place = if reference.is_over_the_board() {
            "are over the board, and none have"
        } else {
            "do not include"
        };
        format!("{place} this speed and rating")
    } else {
        format!(
            "have other evaluations ({})",
            known.into_iter().map(kind_in_words).collect::<Vec<_>>().join("; ")
        )
    };
    format!("no comparison with peers: the reference games {why}")
}

pub fn title(measure: PlayMeasure) -> &'static str {
    match measure {
        PlayMeasure::Accuracy => "Accuracy, %",
        PlayMeasure::CentipawnLoss => "Centipawns lost per move",
        PlayMeasure::FirstChoice => "Top moves, %",
        PlayMeasure::Blunders => "Blunders, % of moves",
        PlayMeasure::Time => "Seconds per move (% of games that were faster)",
    }
}

pub const TITLE: &str = "How this player's games compare with games by players of the same rating (% that were worse; 50 is usual)";

pub fn notes(standing: &PeerStanding) -> Vec<String> {
    let rank = standing.ranks.iter().find(|rank| rank.part.is_none()).or(standing.ranks.first());
    let of = rank.map(|rank| {
        format!(
            "Each game of the player is compared with {} games of the same speed by players of the same rating ({}). \
             50 is usual. Brackets: 95 % intervals. Evaluations: {}.",
            rank.peer_games,
            of_groups(standing, &rank.groups),
            standing.kinds.iter().map(|kind| kind_in_words(kind)).collect::<Vec<_>>().join("; ")
        )
    });
    of.into_iter().collect()
}

pub fn kind_in_words(kind: &str) -> &str {
    if kind == crate::measure::group::UNKNOWN { "those in the games" } else { kind }
}
