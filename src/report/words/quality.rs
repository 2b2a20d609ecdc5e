//! Sentences on the quality of play.

use super::{
    method, names::natural_list, names::natural_name, numbers::MISSING, numbers::mark, numbers::p_equals,
    numbers::p_value, numbers::with_margin, rating, rating::FOREIGN, tournament::welch,
};
use crate::base::text::{counted, rounded};
use crate::measure::{
    BoundSide, Form, JointTest, PairSummary, PlayPart, QualityBasis, QualityOfPlay, QualityRow, RankedPairs,
    Standing, Statistic,
};

/// Largest number of players that are named as worse than the first or as level with the first.
const LEVEL_NAMED: usize = 3;

const NAMED: usize = 8;

fn name(row: &QualityRow) -> String {
    natural_name(&row.player)
}

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

/// Returns a sentence on the first player, and a sentence on the meaning of the rating.
pub fn sentences(quality: &QualityOfPlay) -> Vec<String> {
    headline(quality).into_iter().chain(meaning(quality)).collect()
}

/// Returns sentences on the test of all players at once and on the tests of pairs; empty without a test.
pub fn how_sure(quality: &QualityOfPlay) -> Vec<String> {
    if placed(quality).len() < 2 || (quality.homogeneity.is_none() && quality.pairs.pairs == 0) {
        return Vec::new();
    }
    [at_once(quality)].into_iter().chain(in_pairs(quality)).collect()
}

/// Returns the meaning of the first player's rating, and the error of such ratings in tests.
fn meaning(quality: &QualityOfPlay) -> Option<String> {
    let QualityBasis::Rating { scale, judge, year, range: [_, highest], errors, .. } = &quality.basis else {
        return None;
    };
    let rating = placed(quality).first()?.rating.as_ref()?;
    let (number, bound) = rating.bounded().filter(|_| !rating.is_too_short())?;
    let when = year.map_or_else(String::new, |year| format!(" in {year}"));
    let on = if scale.is_over_the_board() { String::new() } else { format!(" on {}", scale.title()) };
    let off = nearest(errors, rating.moves).map_or_else(String::new, |(moves, error)| {
        let (moves, error) = (rounded(moves, 0), rounded(error, 0));
        format!(
            " In tests on other events, ratings of groups of similar players from {moves} moves had a root mean square \
             error of {error} Elo. Single players scatter more."
        )
    });
    let (elo, highest) = (rounded(number.value, 0), rounded(*highest, 0));
    let means = match bound {
        None if number.value <= highest.parse().unwrap_or(f64::INFINITY) => {
            format!(
                "A rating of play of {elo} means: players rated {elo}{on}{when} usually play moves of this quality"
            )
        }
        Some(BoundSide::Below) => format!("A rating of play below {elo} is beyond the scale{on}"),
        _ => format!(
            "A rating of play above {highest} is beyond the scale: no player of the calibration{on} was rated higher"
        ),
    };
    Some(format!("{means} (evaluated by {judge}).{off}"))
}

/// Returns the entry of the error table whose number of moves is nearest to `moves`, by ratio.
fn nearest(errors: &[(f64, f64)], moves: u64) -> Option<(f64, f64)> {
    let distance = |(known, _): &(f64, f64)| (known / moves.max(1) as f64).ln().abs();
    errors.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// Returns the rows of the error table: the number of moves, the error, and the error as a share of the largest.
pub fn error_rows(errors: &[(f64, f64)]) -> Vec<(String, String, String)> {
    let largest = errors.iter().map(|(_, error)| *error).fold(1.0, f64::max);
    let row = |(moves, error): &(f64, f64)| {
        (rounded(*moves, 0), rounded(*error, 0), format!("{:.0}%", 60.0 * error / largest))
    };
    errors.iter().map(row).collect()
}

/// Returns the first players by top moves in percent, if their order is another one; `None` if top moves are unknown.
pub fn other_order(standings: &[Standing<'_>]) -> Option<String> {
    let ranked = || standings.iter().filter(|row| row.quality.is_some_and(|row| row.rank.is_some()));
    let mut by_top_moves: Vec<(f64, &str)> = ranked()
        .map(|row| Some((row.measures.get(Statistic::FirstChoice)?.value, row.result.name.as_str())))
        .collect::<Option<_>>()?;
    by_top_moves.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let [other, shown] = [
        by_top_moves.iter().map(|(_, name)| *name).collect::<Vec<_>>(),
        ranked().map(|row| row.result.name.as_str()).collect(),
    ]
    .map(|names: Vec<&str>| names.into_iter().take(LEVEL_NAMED).map(str::to_owned).collect::<Vec<_>>());
    (other != shown && other.len() > 1).then(|| {
        format!(
            "By top moves in percent, from the evaluations of all moves, the first players are {}.",
            natural_list(&other, LEVEL_NAMED)
        )
    })
}

fn placed(quality: &QualityOfPlay) -> Vec<&QualityRow> {
    let placed: Vec<&QualityRow> = quality.rows.iter().filter(|row| row.rank.is_some()).collect();
    if placed.is_empty() { quality.rows.iter().collect() } else { placed }
}

/// Returns a sentence on the first player. It names a winner only if the test of all players at once and the
/// tests of pairs support it.
pub fn headline(quality: &QualityOfPlay) -> Option<String> {
    said_of_first(quality, |row| format!(" ({})", worth(row, quality)))
}

/// Returns the [`headline`] without numbers.
pub fn finding(quality: &QualityOfPlay) -> Option<String> {
    said_of_first(quality, |_| String::new())
}

/// Returns a sentence on the numbers of the first and the last player, and on the pairs that differ; `None` for
/// fewer than two ranked players.
pub fn standfirst(quality: &QualityOfPlay) -> Option<String> {
    let rows: Vec<&QualityRow> = quality.rows.iter().filter(|row| row.rank.is_some()).collect();
    let [first, .., last] = rows.as_slice() else { return None };
    let usual = |row: &QualityRow| row.rating.as_ref().map_or(MISSING.to_owned(), rating::brief);
    let moves = counted(first.moves, "move");
    let ends = match quality.basis {
        QualityBasis::Rating { .. } => format!(
            "{}'s {moves} are usual for a player rated {}, {}'s for {}.",
            name(first),
            usual(first),
            name(last),
            usual(last)
        ),
        QualityBasis::Statistics { .. } => {
            format!("{}: {}. {}: {}.", name(first), worth(first, quality), name(last), worth(last, quality))
        }
    };
    let pairs = match (quality.pairs.pairs, quality.pairs.significant) {
        (0, _) => String::new(),
        (_, 0) => format!(" Their games separate no two of the {} players for certain.", rows.len()),
        (1, _) => " The difference is significant.".to_owned(),
        (pairs, 1) => format!(" One of {pairs} pairs of players differs significantly."),
        (pairs, some) => format!(" {some} of {pairs} pairs of players differ significantly."),
    };
    Some(ends + &pairs)
}

/// Returns the [`headline`], with the text that `worth` returns after the first player.
fn said_of_first(quality: &QualityOfPlay, worth: impl Fn(&QualityRow) -> String) -> Option<String> {
    let rows = placed(quality);
    let first = *rows.first()?;
    let leaders = rows.iter().take_while(|row| row.rank == first.rank).count();
    if rows.len() > 1 && first.rank.is_none() {
        return Some(unranked(quality));
    }
    let (who, worth, others) = (name(first), worth(first), rows.len() - 1);
    if others == 0 {
        let is_what = match quality.rows.len() {
            1 => "is the only player with counted moves",
            _ => "is the only player with enough games for a rank",
        };
        return Some(format!("{who} {is_what}{worth}."));
    }
    if leaders > 1 {
        let all = if leaders == rows.len() { "all " } else { "" };
        return Some(format!("No player stood out: {all}{leaders} players share the first place{worth}."));
    }
    let RankedPairs { pairs, below_first, level_with_first, .. } = &quality.pairs;
    let rank_first = format!("{}'s moves rank first{worth}", who);
    let differ = quality.homogeneity.map_or(!below_first.is_empty(), |test| test.is_significant());
    Some(match (below_first.len(), others) {
        _ if *pairs == 0 => format!("{rank_first}. There are too few games to compare the players."),
        _ if !differ => format!("No player stood out: {rank_first}, too close to call."),
        (0, _) => format!(
            "The players did not all play equally well, but the lead is too close to call: {rank_first}."
        ),
        (1, 1) => format!("{who} played best{worth}, significantly better than {}.", name(rows[1])),
        (below, others) if below == others => {
            let all = if others == 2 { "both".to_owned() } else { format!("all {others}") };
            format!("{who} played best{worth}, significantly better than {all} other players.")
        }
        (below, others) => {
            let surpassed = match below {
                1..=LEVEL_NAMED => natural_list(below_first, LEVEL_NAMED),
                _ => format!("{below} of the {others} other players"),
            };
            let open = match level_with_first.as_slice() {
                [] => String::new(),
                level => format!(" It is too close to call against {}.", natural_list(level, LEVEL_NAMED)),
            };
            format!("{who} leads{worth} and played significantly better than {surpassed}.{open}")
        }
    })
}

fn unranked(quality: &QualityOfPlay) -> String {
    let players = quality.rows.len();
    let games = counted(quality.min_games as u64, "game");
    match quality.rows.iter().any(|row| row.games >= quality.min_games) {
        true => format!("None of the {players} players has two different games, which a rank needs."),
        false => format!("None of the {players} players has the {games} that a rank needs."),
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

/// Returns the number that ranks the player, with its name or unit.
fn worth(row: &QualityRow, quality: &QualityOfPlay) -> String {
    let by = match quality.basis {
        QualityBasis::Rating { .. } => {
            return row
                .rating
                .as_ref()
                .map_or(MISSING.to_owned(), |rating| format!("rating of play {}", rating::brief(rating)));
        }
        QualityBasis::Statistics { by, .. } => by,
    };
    let number =
        row.measures.get(by).map_or(MISSING.to_owned(), |share| with_margin(share, by.facts().decimals()));
    match by {
        Statistic::FirstChoice => format!("{number} % top moves"),
        _ => format!("{number} percentage points of winning chances lost per move"),
    }
}

pub fn parts_title(quality: &QualityOfPlay) -> &'static str {
    match quality.parts.iter().any(|row| row.part == PlayPart::Event) {
        true => "By color, phase and event",
        false => "By color and phase",
    }
}

fn at_once(quality: &QualityOfPlay) -> String {
    let Some(test) = quality.homogeneity else {
        return "There are too few games to test all players at once.".to_owned();
    };
    let (players, p) = test.players_and_p();
    let with = if players == quality.rows.len() { "" } else { " with enough games" };
    let (players, all) = match players {
        2 => (format!("The two players{with}"), ""),
        players => (format!("The {players} players{with}"), " all"),
    };
    let found = match test.is_significant() {
        true => format!("did not{all} play equally well"),
        false => format!("may{all} have played equally well"),
    };
    let statistic = match test {
        JointTest::Ratings { test, .. } => format!("Cochran's Q({}) = {}", test.freedom, rounded(test.q, 1)),
        JointTest::Means(test) => welch(test),
    };
    format!("{players} {found} ({}: {statistic}, {}).", ranked_by(quality), p_equals(p))
}

/// Returns the results of the tests of pairs; `None` if no pair was tested.
///
/// The text begins with "But" if it contradicts the test of all players at once.
fn in_pairs(quality: &QualityOfPlay) -> Option<String> {
    let RankedPairs { pairs, significant, .. } = &quality.pairs;
    let is_surprise = quality.homogeneity.is_some_and(|test| test.is_significant() != (*significant > 0));
    let but = |text: &str| {
        let (first, rest) = text.split_at(1);
        if is_surprise { format!("But {}{rest}", first.to_lowercase()) } else { text.to_owned() }
    };
    let ranked = quality.rows.iter().filter(|row| row.rank.is_some()).count();
    let of = match ranked > PairSummary::FIELD {
        true => format!(" ({pairs} comparisons with the first player, Holm-adjusted)"),
        false => format!(" ({pairs} pairs, Holm-adjusted)"),
    };
    let differ = match (*pairs, *significant) {
        (0, _) => return None,
        (1, 0) => but("The two do not differ significantly"),
        (1, _) => but("The two differ significantly"),
        (_, 0) => but("No two players differ significantly") + &of,
        (_, 1) => but("One pair of players differs significantly") + &of,
        (_, significant) => but(&format!("{significant} pairs of players differ significantly")) + &of,
    };
    Some(differ + ".")
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
    built-in engine.";

fn rated_by(quality: &QualityOfPlay) -> Option<String> {
    let QualityBasis::Rating { scale, judge, events, others, is_foreign, .. } = &quality.basis else {
        return None;
    };
    let lasting = quality.rows.iter().find_map(|row| Some(row.rating.as_ref()?.lasting));
    let lasting = lasting.map_or(String::new(), |lasting| {
        format!(" Even with unlimited games, each margin would stay at ± {}, because ratings of whole events differ.", rounded(lasting, 0))
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
    Some(format!(
        "Ratings of play are computed from top moves and evaluation losses. They are on {} (calibrated on {}). \
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

/// Returns the players who play significantly above or below their ratings; `None` if no player has a
/// [`Form`].
pub fn forms(quality: &QualityOfPlay) -> Option<String> {
    let known: Vec<(&QualityRow, Form)> =
        quality.rows.iter().filter_map(|row| Some((row, row.form?))).collect();
    let least = known.iter().map(|(_, form)| form.p_holm).min_by(f64::total_cmp)?;
    let of = counted(known.len() as u64, "player");
    let significant: Vec<_> = known.iter().filter(|(_, form)| form.is_significant()).collect();
    let far = significant.iter().take(NAMED).map(|(row, form)| {
        let more = if form.bound.is_some() { "more than " } else { "" };
        let side = if form.z > 0.0 { "above" } else { "below" };
        format!(
            "{} {more}{} {side} ({})",
            name(row),
            rounded(form.difference.value.abs(), 0),
            p_equals(form.p_holm)
        )
    });
    let mut far: Vec<String> = far.collect();
    if let more @ 1.. = significant.len().saturating_sub(NAMED) {
        far.push(format!("{more} more"));
    }
    let within = if known.iter().any(|(row, _)| row.field.is_some()) {
        ", both relative to the other players"
    } else {
        ""
    };
    Some(match far.is_empty() {
        true => format!(
            "Above or below the rating (rating of play minus Elo{within}): no player significantly ({of}, smallest \
             Holm-adjusted p {}).",
            p_value(least)
        ),
        false => format!(
            "Significantly above or below the rating (rating of play minus Elo{within}; {of}, Holm-adjusted p): {}. This \
             alone is no evidence of cheating: ratings may lag behind the strength of a player, or of a whole event.",
            far.join("; ")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Measures, Method};
    use crate::numbers::{Estimate, Welch};

    fn row(player: &str, rank: usize, share: f64) -> QualityRow {
        let share = Estimate { value: share, observations: 200, interval: None };
        QualityRow {
            field: None,
            peers: None,
            rank: Some(rank),
            player: player.to_owned(),
            elo: None,
            games: 5,
            moves: 200,
            measures: [(Statistic::FirstChoice, Some(share))].into_iter().collect::<Measures>(),
            merit: share,
            rating: None,
            form: None,
        }
    }

    fn quality(rows: Vec<QualityRow>, homogeneity: Option<JointTest>, pairs: RankedPairs) -> QualityOfPlay {
        QualityOfPlay {
            basis: QualityBasis::Statistics { by: Statistic::FirstChoice, reason: None },
            rows,
            parts: Vec::new(),
            homogeneity,
            pairs,
            min_games: 1,
            method: Method::default(),
        }
    }

    /// Returns the ranking of `players` players, "So, W" first. `tested` has the number of players in the test of
    /// all at once, and its p-value. The players `below` are significantly worse than the first.
    fn field(players: usize, tested: Option<(usize, f64)>, pairs: usize, below: usize) -> QualityOfPlay {
        let homogeneity = tested.map(|(observations, p)| {
            let left_out = players - observations;
            JointTest::Means(Welch { observations, left_out, f: 1.0, freedom: (observations - 1, 9.0), p })
        });
        let names = || ["So, W", "Gukesh D", "Anna", "B", "C", "D", "E", "F"].into_iter().take(players);
        let rows = (1..).zip(names()).map(|(rank, name)| row(name, rank, 60.0 - rank as f64)).collect();
        let others: Vec<String> = names().skip(1).map(str::to_owned).collect();
        let (level, worse) = others.split_at(others.len() - below);
        let ranked = RankedPairs {
            pairs,
            significant: below,
            level_with_first: level.to_vec(),
            below_first: worse.to_vec(),
        };
        quality(rows, homogeneity, ranked)
    }

    #[test]
    fn no_winner_is_named_that_the_tests_do_not_see() {
        let said =
            |players, tested, pairs, below| headline(&field(players, tested, pairs, below)).expect("players");
        let first = "W. So's moves rank first (59.0 % top moves)";
        assert_eq!(
            said(3, Some((3, 0.770)), 3, 0),
            format!("No player stood out: {first}, too close to call.")
        );
        assert_eq!(
            said(3, Some((3, 0.06)), 3, 1),
            format!("No player stood out: {first}, too close to call.")
        );
        assert_eq!(
            said(3, Some((3, 0.01)), 3, 0),
            format!("The players did not all play equally well, but the lead is too close to call: {first}.")
        );
        assert_eq!(
            said(3, Some((3, 0.01)), 3, 1),
            "W. So leads (59.0 % top moves) and played significantly better than Anna. It is too close to call \
             against D. Gukesh."
        );
        assert_eq!(
            said(3, Some((3, 0.01)), 3, 2),
            "W. So played best (59.0 % top moves), significantly better than both other players."
        );
        assert_eq!(
            said(2, Some((2, 0.01)), 1, 1),
            "W. So played best (59.0 % top moves), significantly better than D. Gukesh."
        );
        assert_eq!(
            said(8, Some((8, 0.01)), 28, 5),
            "W. So leads (59.0 % top moves) and played significantly better than 5 of the 7 other players. It is \
             too close to call against D. Gukesh and Anna."
        );
        assert_eq!(said(3, None, 0, 0), format!("{first}. There are too few games to compare the players."));
        assert_eq!(said(1, None, 0, 0), "W. So is the only player with counted moves (59.0 % top moves).");
    }

    #[test]
    fn all_at_once_and_two_by_two_never_contradict_each_other() {
        let said = |players, tested, pairs, below| how_sure(&field(players, tested, pairs, below)).join(" ");
        assert_eq!(
            said(8, Some((8, 0.0001)), 28, 0),
            "The 8 players did not all play equally well (top moves in percent: Welch's F(7, 9.0) = 1.00, p < 0.001). \
             But no two players differ significantly (28 pairs, Holm-adjusted)."
        );
        assert_eq!(
            said(8, Some((3, 0.3)), 28, 2),
            "The 3 players with enough games may all have played equally well (top moves in percent: Welch's \
             F(2, 9.0) = 1.00, p = 0.300). But 2 pairs of players differ significantly (28 pairs, Holm-adjusted)."
        );
        assert_eq!(
            said(2, Some((2, 0.01)), 1, 1),
            "The two players did not play equally well (top moves in percent: Welch's F(1, 9.0) = 1.00, p = 0.010). \
             The two differ significantly."
        );
        // Three games of each player suffice for pairs, but the test of all players at once needs five.
        assert_eq!(
            said(3, None, 3, 1),
            "There are too few games to test all players at once. One pair of players differs significantly (3 pairs, \
             Holm-adjusted)."
        );
        assert_eq!(said(3, None, 0, 0), "", "the headline says that there are too few games");
        assert_eq!(said(1, None, 0, 0), "");
    }

    #[test]
    fn players_without_a_rank_are_not_said_to_be_level() {
        let row = |player: &str, games| QualityRow { rank: None, games, ..row(player, 1, 50.0) };
        let mut field = quality(vec![row("A", 2), row("B", 2)], None, RankedPairs::default());
        assert_eq!(
            headline(&field).as_deref(),
            Some("None of the 2 players has two different games, which a rank needs.")
        );
        field.min_games = 5;
        assert_eq!(
            headline(&field).as_deref(),
            Some("None of the 2 players has the 5 games that a rank needs.")
        );
        field.rows.iter_mut().for_each(|row| row.rank = Some(1));
        assert_eq!(
            headline(&field).as_deref(),
            Some("No player stood out: all 2 players share the first place (50.0 % top moves).")
        );
    }
}
