//! Sentences that compare a player's games with games of other players of the same rating at the same speed.

use crate::base::text::rounded;
use crate::measure::{
    group::SpeedAndElo,
    peers::{GamePart, PeerRank, PeerStanding, PlayMeasure},
};

pub fn sentence(standing: &PeerStanding) -> Option<String> {
    let rank = standing.rank(PlayMeasure::Accuracy, GamePart::Whole)?;
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

fn percent(share: f64) -> String {
    rounded(100.0 * share, 0)
}
