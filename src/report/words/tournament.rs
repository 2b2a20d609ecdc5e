//! Owns what is said of a tournament: where its numbers come from, and who can be told from whom.

use super::{
    method::counted,
    numbers::{NAME, SIGNIFICANT, listed, p_equals, p_value},
};
use crate::chess::text::{counted as count_of, cut, printable, rounded};
use crate::measure::{EloOrigin, PairSummary, PlayerResult, Tournament};
use crate::numbers::Welch;

/// Says where ratings come from and what the marks mean, for the players it concerns.
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
        listed("The Elo tags differ from game to game, so their mean stands for: ", tags, ", "),
        listed("Elo given by option: ", given, ", "),
        unbounded.then(|| UNBOUNDED.to_owned()),
        listed("Players without a move that counts: ", unmoved, ", "),
        bins,
    ]
    .into_iter()
    .flatten()
    .chain(own_gains(tournament))
    .chain(without_gain(tournament))
    .chain(counted(&tournament.method))
    .collect()
}

const CLUSTERED: &str = "Intervals of 95 %, the game being the unit: moves of one game are not independent.";

const ONE_GAME: &str =
    "A player with moves in one game only, or with games that do not differ at all, has no interval.";

/// Says what the engine's own gains say of the engine.
fn own_gains(tournament: &Tournament) -> Option<String> {
    let engine = tournament.engine.as_ref()?;
    let margin = engine.against_zero.interval.map_or(String::new(), |interval| {
        format!(" (95 %: {} to {})", rounded(interval.low, 4), rounded(interval.high, 4))
    });
    Some(format!(
        "The engine's own best moves in these {} positions score {}{margin} against one peak at 0. Evaluations without \
         noise would give ½.",
        engine.histogram.total(),
        rounded(engine.against_zero.value, 4),
    ))
}

/// Says which moves have no gain.
fn without_gain(tournament: &Tournament) -> impl Iterator<Item = String> {
    let without = [
        (
            tournament.without_gain,
            "move",
            " evaluated without the engine's chances of a win, a draw and a loss",
        ),
        (
            tournament.without_start,
            "first move",
            ", for want of an evaluation before, as in games from lichess",
        ),
    ];
    let without = without.into_iter().filter(|&(moves, ..)| moves > 0);
    without.map(|(moves, what, why)| format!("Not counted: {}{why}.", count_of(moves, what)))
}

pub fn without_strength(tournament: &Tournament) -> &'static str {
    let is_rated = tournament.players.iter().any(|player| player.moves() > 0 && player.elo.is_some());
    if is_rated { SEVERAL_SYSTEMS } else { UNRATED }
}

const SEVERAL_SYSTEMS: &str = "the ratings of the players are of several systems, which are no one scale";

pub const UNRATED: &str = "no player with a move has an Elo, neither by a tag of the games nor as given";

pub const UNBOUNDED: &str = "An expected score of 0 or 1 has no finite difference in Elo; the number behind > or < \
    is the difference with half a move added to each side.";

/// Says who can be told from whom among all players, those who are not shown included, in words; `None`
/// where nobody has a move that counts.
pub fn verdict(tournament: &Tournament) -> Option<String> {
    let PairSummary { pairs, apart, smallest } = tournament.pair_summary;
    let moved = tournament.players.iter().filter(|player| player.moves() > 0).count();
    if pairs == 0 {
        return (moved > 0).then(|| too_many_to_pair(moved).unwrap_or_else(|| ONE_PLAYER.to_owned()));
    }
    // All at once and two by two are two questions: where their answers differ, the second one says so.
    let common = tournament.homogeneity.map_or(String::new(), |test| {
        let is_surprise = (test.p < SIGNIFICANT) != (apart > 0);
        let the = if is_surprise { "Taken together, though, the" } else { "The" };
        format!(" {the} {}", may_be_equal("expected score", test))
    });
    let of_pairs = count_of(pairs as u64, "pair");
    Some(match (apart, smallest) {
        (_, None) => format!(
            "{of_pairs} of players cannot be compared: there are too few games, or games that do not differ."
        ),
        (0, Some(p)) => format!(
            "By expected score no two players can be told apart: of {of_pairs} none has a Holm-adjusted p below {SIGNIFICANT:.2} (the \
             smallest is {}).{common}",
            p_value(p)
        ),
        (apart, _) => {
            let can = if apart == 1 { "one can" } else { &format!("{apart} can") };
            format!(
                "By expected score, of {of_pairs} {can} be told apart (Holm-adjusted p below {SIGNIFICANT:.2}).{common}"
            )
        }
    })
}

/// Says that nobody is compared with anybody in a field above [`PairSummary::FIELD`]; `None` of a smaller one.
pub fn too_many_to_pair(players: usize) -> Option<String> {
    let most = PairSummary::FIELD;
    let none =
        || format!("Pairs are compared in fields of up to {most} players, and this one has {players}.");
    (players > most).then(none)
}

const ONE_PLAYER: &str = "Only one player has moves that count, so there is nobody to compare with.";

/// Says whether all players may have one value of `what`.
pub fn equal(what: &str, test: Welch) -> String {
    format!("The {}", may_be_equal(what, test))
}

fn may_be_equal(what: &str, test: Welch) -> String {
    let may = if test.p < SIGNIFICANT { "do not all have the same" } else { "may all have the same" };
    let left_out = match test.left_out {
        0 => String::new(),
        left_out => format!("; {} left out, {TOO_FEW}", count_of(left_out as u64, "player")),
    };
    format!("players {may} {what} ({}, {}{left_out}).", welch(test), p_equals(test.p))
}

pub const TOO_FEW: &str = "with fewer than 5 games or with games that do not differ";

/// Returns the statistic of the test as papers print it.
pub fn welch(test: Welch) -> String {
    format!("Welch's F({}, {}) = {}", test.freedom.0, rounded(test.freedom.1, 1), rounded(test.f, 2))
}
