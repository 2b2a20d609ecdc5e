//! Notes on a tournament's numbers and their origin, and the verdict on differences between players.

use super::{
    method::counted,
    numbers::{NAME, SIGNIFICANT, listed, p_equals, p_value},
};
use crate::base::text::{counted as count_of, cut, printable, rounded};
use crate::measure::{EloOrigin, PairSummary, PlayerResult, Tournament};
use crate::numbers::Welch;

pub fn notes(tournament: &Tournament) -> Vec<String> {
    let players = &tournament.players;
    let named = |player: &PlayerResult| cut(&printable(&player.name), NAME);
    let tags = players.iter().filter_map(|player| match player.elo?.origin {
        EloOrigin::MeanOfTags { low, high } => Some(format!("{} ({low} to {high})", named(player))),
        _ => None,
    });
    let given = players
        .iter()
        .filter(|player| player.elo.is_some_and(|elo| elo.origin == EloOrigin::Given))
        .map(named);
    let bin = i64::from(tournament.method.band.width().get());
    let half = (bin - 1) / 2;
    let bins = (half > 0).then(|| {
        format!(
            "Bins of {bin} {}: a gain from -{half} to +{half} counts as 0.",
            tournament.method.metric.unit()
        )
    });
    let unbounded =
        players.iter().any(|p| p.elo_difference.is_some_and(|difference| difference.bound.is_some()));
    let unmoved = players.iter().filter(|player| player.moves() == 0).map(named);
    let has_score = |clustered: bool| {
        let mut scores = players.iter().filter_map(|player| player.expected_score);
        scores.any(|score| score.intervals.cluster.is_some() == clustered)
    };
    let clustered = has_score(true);
    [
        clustered.then(|| CLUSTERED.to_owned()),
        (has_score(false) && (clustered || tournament.pair_summary.pairs > 0)).then(|| ONE_GAME.to_owned()),
        listed(
            "These players' rating tags differ between games, so their Elo is the mean of the tags: ",
            tags,
            ", ",
        ),
        listed("Elo given by option: ", given, ", "),
        unbounded.then(|| UNBOUNDED.to_owned()),
        listed("Players without a counted move: ", unmoved, ", "),
        bins,
    ]
    .into_iter()
    .flatten()
    .chain(own_gains(tournament))
    .chain(without_gain(tournament))
    .chain(counted(&tournament.method))
    .collect()
}

const CLUSTERED: &str =
    "The 95 % intervals treat a game as one observation, because its moves are not independent.";

const ONE_GAME: &str = "Players with moves in one game only, or with identical games, have no interval.";

fn own_gains(tournament: &Tournament) -> Option<String> {
    let engine = tournament.engine.as_ref()?;
    let margin = engine.against_zero.interval.map_or(String::new(), |interval| {
        format!(" (95 % interval {} to {})", rounded(interval.low, 4), rounded(interval.high, 4))
    });
    Some(format!(
        "The engine's own best moves in these {} positions score {}{margin} against an engine whose gains are all 0. \
         Evaluations without errors would give ½.",
        engine.histogram.total(),
        rounded(engine.against_zero.value, 4),
    ))
}

fn without_gain(tournament: &Tournament) -> impl Iterator<Item = String> {
    let without = [
        (
            tournament.without_gain,
            count_of(tournament.without_gain, "move"),
            "the evaluations lack win, draw and loss chances",
        ),
        (
            tournament.without_start,
            format!("the first move of {}", count_of(tournament.without_start, "game")),
            "the start position has no evaluation, as in games from lichess",
        ),
    ];
    let without = without.into_iter().filter(|&(moves, ..)| moves > 0);
    without.map(|(_, what, why)| format!("Not counted: {what}, because {why}."))
}

pub fn without_strength(tournament: &Tournament) -> &'static str {
    let is_rated = tournament.players.iter().any(|player| player.moves() > 0 && player.elo.is_some());
    if is_rated { SEVERAL_SYSTEMS } else { UNRATED }
}

pub const SEVERAL_SYSTEMS: &str = "the players' ratings come from several systems and share no scale";

pub const UNRATED: &str = "no rated player has a counted move";

pub const UNBOUNDED: &str = "An expected score of 0 or 1 has no finite Elo difference. The number after > or < \
    is computed with one more move, counted half for the player and half for the engine.";

/// Returns the results of the tests of all players, shown or not; `None` without a counted move.
pub fn verdict(tournament: &Tournament) -> Option<String> {
    let PairSummary { pairs, significant, smallest } = tournament.pair_summary;
    let moved = tournament.players.iter().filter(|player| player.moves() > 0).count();
    if pairs == 0 {
        return (moved > 0).then(|| too_many_to_pair(moved).unwrap_or_else(|| ONE_PLAYER.to_owned()));
    }
    let common = tournament.homogeneity.map_or(String::new(), |test| {
        let is_surprise = (test.p < SIGNIFICANT) != (significant > 0);
        let the = if is_surprise { "Overall, however, the" } else { "The" };
        format!(" {the} {}", may_be_equal("paper score", test))
    });
    let of_pairs = count_of(pairs as u64, "pair");
    Some(match (significant, smallest) {
        (_, None) => {
            format!(
                "{of_pairs} of players cannot be compared, because there are too few games or the games are \
                identical."
            )
        }
        (0, Some(p)) => format!(
            "By paper score, no two players differ significantly ({of_pairs}, smallest Holm-adjusted p {}).{common}",
            p_value(p)
        ),
        (significant, _) => {
            let differ = if significant == 1 { "differs" } else { "differ" };
            format!(
                "By paper score, {significant} of {of_pairs} {differ} significantly (Holm-adjusted p below {SIGNIFICANT:.2}).{common}"
            )
        }
    })
}

/// Returns the reason why no pairs are compared; `None` for at most [`PairSummary::FIELD`] players.
pub fn too_many_to_pair(players: usize) -> Option<String> {
    let most = PairSummary::FIELD;
    let none =
        || format!("There are {players} players. Pairs are compared only if there are at most {most}.");
    (players > most).then(none)
}

const ONE_PLAYER: &str = "Only one player has counted moves, so no pair can be compared.";

/// Returns the result of the test of the hypothesis that all players have the same value of `what`.
pub fn equal(what: &str, test: Welch) -> String {
    format!("The {}", may_be_equal(what, test))
}

fn may_be_equal(what: &str, test: Welch) -> String {
    let may = if test.p < SIGNIFICANT { "do not all have the same" } else { "may all have the same" };
    let left_out = match test.left_out {
        0 => String::new(),
        left_out => format!("; left out: {} {TOO_FEW}", count_of(left_out as u64, "player")),
    };
    format!("players {may} {what} ({}, {}{left_out}).", welch(test), p_equals(test.p))
}

pub const TOO_FEW: &str = "with fewer than 5 games or with identical games";

pub fn welch(test: Welch) -> String {
    format!("Welch's F({}, {}) = {}", test.freedom.0, rounded(test.freedom.1, 1), rounded(test.f, 2))
}
