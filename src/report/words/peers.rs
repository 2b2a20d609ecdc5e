//! Sentences that compare a player's games with games of other players of the same rating at the same speed.

use std::collections::BTreeSet;

use crate::base::text::rounded;
use crate::measure::{
    group::SpeedAndElo,
    peers::{PeerRank, PeerStanding, PlayMeasure, Reference},
};

pub fn sentence(standing: &PeerStanding) -> Option<String> {
    let rank = standing.rank(PlayMeasure::Accuracy, None)?;
    let range = rank.above.interval.map_or_else(String::new, |interval| {
        format!(" ({} to {} %)", percent(interval.low), percent(interval.high))
    });
    Some(format!(
        "The mean accuracy is {} %. A game of this player is more accurate than {} %{range} of {} games by players \
         rated {}.",
        rounded(rank.value, 1),
        percent(rank.above.value),
        rank.peer_games,
        of_groups(standing, &rank.groups),
    ))
}

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
    format!("no accuracy rank: the reference games {why}")
}

/// Returns the percentage of the other players' games that were worse, with its interval: `63 (60–66)`.
pub fn brief(rank: &PeerRank) -> String {
    let range = rank.above.interval.map_or_else(String::new, |interval| {
        format!(" ({}–{})", percent(interval.low), percent(interval.high))
    });
    format!("{}{range}", percent(rank.above.value))
}

pub fn of_groups(standing: &PeerStanding, groups: &[SpeedAndElo]) -> String {
    let lows = || groups.iter().filter_map(|group| group.low());
    let (low, high) = (lows().min().unwrap_or_default(), lows().max().unwrap_or_default());
    let mut speeds: Vec<&str> = groups
        .iter()
        .map(|group| match group.speed() {
            Some(speed) => speed.name(),
            None if standing.is_over_the_board => "",
            None => "games of unknown speed",
        })
        .collect();
    speeds.sort_unstable();
    speeds.dedup();
    let band = format!("{low}–{}", high + standing.width - 1);
    match speeds.as_slice() {
        [""] => format!("{band} over the board"),
        speeds => format!("{band} in {}", speeds.join(" and ")),
    }
}

pub fn title(measure: PlayMeasure) -> &'static str {
    match measure {
        PlayMeasure::Accuracy => "Accuracy, %",
        PlayMeasure::CentipawnLoss => "Centipawns lost per move",
        PlayMeasure::FirstChoice => "First choices, %",
        PlayMeasure::Blunders => "Blunders, % of moves",
        PlayMeasure::Time => "Seconds per move (% of games that were faster)",
    }
}

pub const TITLE: &str =
    "Percentage of games by players of the same rating that were worse than a game of this player";

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

fn percent(share: f64) -> String {
    rounded(100.0 * share, 0)
}
