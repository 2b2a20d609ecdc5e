//! Words on the reference games, with which a player's games are compared.

use std::collections::BTreeSet;

use super::peers::of_groups;
use crate::base::text::rounded;
use crate::measure::peers::{GameOdds, GamePart, PeerStanding, PlayMeasure, Reference};

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
    let rank = standing.ranks.iter().find(|rank| rank.part == GamePart::Whole).or(standing.ranks.first());
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

/// Returns the share of games at least as good: `1 in 356`, or a percentage above one in ten.
pub fn how_many(odds: &GameOdds) -> String {
    match odds.share().value {
        0.0 => "None".to_owned(),
        share if is_common(share) => format!("{} %", rounded(100.0 * share, 0)),
        share => format!("1 in {}", rounded(share.recip(), 0)),
    }
}

/// Returns how rare a game is: `1 in 356 games of 30 or more moves by players rated 1600–1799 in rapid (42 of 14936) was
/// as accurate`.
pub fn odds(odds: &GameOdds) -> String {
    let of = match odds.share().value {
        0.0 => "of the ",
        share if is_common(share) => "of ",
        _ => "",
    };
    let was = if is_common(odds.share().value) { "were" } else { "was" };
    let speed = match odds.speed {
        Some(speed) => format!(" in {}", speed.name()),
        None if odds.is_over_the_board => " over the board".to_owned(),
        None => String::new(),
    };
    let (many, [low, high]) = (how_many(odds), odds.elo);
    let GameOdds { least_moves, as_good, games, .. } = odds;
    let good = match odds.measure {
        PlayMeasure::Accuracy => format!("{was} as accurate"),
        PlayMeasure::CentipawnLoss => "lost as few centipawns per move".to_owned(),
        PlayMeasure::FirstChoice => "had as many top moves".to_owned(),
        PlayMeasure::Blunders => "had as few blunders".to_owned(),
        PlayMeasure::Time => "took as long per move".to_owned(),
    };
    format!(
        "{many} {of}games of {least_moves} or more moves by players rated {low}–{high}{speed} ({as_good} of {games}) {good}"
    )
}

fn is_common(share: f64) -> bool {
    share > 0.1
}

/// Returns the 95 % interval of odds: `1 in 264 to 1 in 482`.
pub fn odds_range(odds: &GameOdds) -> Option<String> {
    let interval = odds.share().interval?;
    let one_in = |share: f64| format!("1 in {}", rounded(share.recip(), 0));
    Some(match odds.as_good {
        _ if is_common(odds.share().value) => {
            format!("{} to {} %", rounded(100.0 * interval.low, 0), rounded(100.0 * interval.high, 0))
        }
        0 => format!("rarer than {}", one_in(interval.high)),
        _ => format!("{} to {}", one_in(interval.high), one_in(interval.low)),
    })
}

pub fn kind_in_words(kind: &str) -> &str {
    if kind == crate::measure::group::UNKNOWN { "those in the games" } else { kind }
}
