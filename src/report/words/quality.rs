//! The names of the numbers that rank players, and the notes below their table.

use super::{method, numbers::mark, rating, rating::FOREIGN};
use crate::base::text::{counted, rounded};
use crate::chess::evaluated_game::LICHESS;
use crate::measure::{Form, PlayPart, QualityBasis, QualityOfPlay, Statistic};

pub fn title(quality: &QualityOfPlay) -> &'static str {
    match quality.basis {
        QualityBasis::Rating { .. } => {
            "Rating of play: the Elo rating at which moves of this quality are usual"
        }
        QualityBasis::Statistics { by: Statistic::FirstChoice, .. } => {
            "Top moves: the share of moves that the engine also prefers, in percent"
        }
        QualityBasis::Statistics { .. } => "Winning chances lost per move, in percentage points",
    }
}

/// Returns the name of the number that ranks the players.
pub fn ranked_by(quality: &QualityOfPlay) -> &'static str {
    match quality.basis {
        QualityBasis::Rating { .. } => "rating of play",
        QualityBasis::Statistics { by: Statistic::FirstChoice, .. } => "top moves in percent",
        QualityBasis::Statistics { .. } => "winning chances lost per move, in percentage points",
    }
}

pub fn parts_title(quality: &QualityOfPlay) -> &'static str {
    match quality.parts.iter().any(|row| row.part == PlayPart::Event) {
        true => "By color, phase and event",
        false => "By color and phase",
    }
}

/// Returns the notes below the table. `in_brief` leaves out the reason for missing ratings.
pub fn notes(quality: &QualityOfPlay, in_brief: bool) -> Vec<String> {
    let basis = match quality.is_rated() {
        true => rated_by(quality),
        false => {
            let reason =
                without_rating(quality).filter(|_| !in_brief).map_or(String::new(), |why| format!("{why} "));
            Some(format!("{reason}Ranked by {}.", ranked_by(quality)))
        }
    };
    [
        basis,
        field(quality),
        among_peers(quality),
        few_games(quality),
        too_short(quality),
        method::filters(&quality.method),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Text added to [`FOREIGN`] if the calibration is made from games over the board.
const BY_LICHESS: &str = "A rating on a scale of lichess needs evaluations at depth 10 by Stockfish 15.1 or by the \
    built-in engine or, for rapid games, lichess's analysis.";

fn rated_by(quality: &QualityOfPlay) -> Option<String> {
    let QualityBasis::Rating { scale, judge, events, others, is_foreign, .. } = &quality.basis else {
        return None;
    };
    let lasting = quality.rows.iter().find_map(|row| Some(row.rating.as_ref()?.lasting));
    let lasting = lasting.map_or(String::new(), |lasting| {
        let differ = if scale.is_over_the_board() { "events" } else { "players" };
        format!(" Even with unlimited games, each margin would stay at ± {}, because {differ} differ and Elo is not exact.", rounded(lasting, 0))
    });
    let undated =
        quality.rows.iter().filter(|row| row.rating.as_ref().is_some_and(|one| one.undated > 0)).count();
    let undated = match undated {
        0 => String::new(),
        some => format!(
            " Some games of {} have no date. These games are rated as games of the calibration's mean year, which widens \
             the margin.",
            counted(some as u64, "player")
        ),
    };
    let others = match (is_foreign, others) {
        (true, _) if scale.is_over_the_board() => format!("{FOREIGN} {BY_LICHESS}"),
        (true, _) => FOREIGN.to_owned(),
        (false, 0) => String::new(),
        (false, &others) => format!(
            " Not counted: {} on another scale (choose a scale with, for example, --time-control blitz).",
            counted(others as u64, "game")
        ),
    };
    let statistics = if judge == LICHESS { "" } else { "top moves and " };
    Some(format!(
        "Ratings of play are computed from {statistics}evaluation losses. They are on {} (calibrated on {}). \
         Evaluations: {judge}.{others}{lasting}{undated}",
        scale.title(),
        counted(*events as u64, scale.event())
    ))
}

fn field(quality: &QualityOfPlay) -> Option<String> {
    quality.rows.iter().any(|row| row.field.is_some()).then(|| {
        "Field-adjusted rating: from the player's moves, and from the ratings and moves of the other players. The \
         player's own rating is not used, and errors that all players of the event share cancel out. It does not \
         determine the rank."
            .to_owned()
    })
}

fn among_peers(quality: &QualityOfPlay) -> Option<String> {
    let standing = quality.rows.iter().find_map(|row| row.peers.as_ref())?;
    let place = if standing.is_over_the_board { " over the board" } else { "" };
    Some(format!(
        "Better than peers: percentage of games{place} by players of the same rating that were less accurate than a \
         game of this player. 50 is usual."
    ))
}

fn without_rating(quality: &QualityOfPlay) -> Option<String> {
    match &quality.basis {
        QualityBasis::Statistics { reason: Some(reason), .. } => {
            Some(format!("No ratings of play: {reason}."))
        }
        _ => None,
    }
}

fn few_games(quality: &QualityOfPlay) -> Option<String> {
    let few = quality.rows.iter().filter(|row| row.games < quality.min_games).count();
    let without = counted(few as u64, "player");
    (few > 0).then(|| {
        format!("Without a rank and listed last: {without} with fewer than {} games.", quality.min_games)
    })
}

fn too_short(quality: &QualityOfPlay) -> Option<String> {
    rating::too_short(quality.rows.iter().filter_map(|row| row.rating.as_ref()))
}

/// Returns the difference from the rating (see [`Form`]) as a cell of a table, with a star if it is
/// significant.
pub fn form(form: Form) -> String {
    let star = if form.is_significant() { "*" } else { "" };
    let sign = if form.difference.value >= 0.0 { "+" } else { "−" };
    let margin = match (form.bound, form.difference.interval) {
        (None, Some(interval)) => format!(" ± {}", rounded(interval.half_width(), 0)),
        _ => String::new(),
    };
    format!("{}{sign}{}{margin}{star}", mark(form.bound), rounded(form.difference.value.abs(), 0))
}
