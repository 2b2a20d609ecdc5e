//! The finding: the sentence on the first player, the sentence below it, and the meaning of the rating.

use super::{names::natural_list, names::natural_name, numbers::MISSING, numbers::with_margin, rating};
use crate::base::text::{counted, rounded};
use crate::measure::{
    BoundSide, QualityBasis, QualityOfPlay, QualityRow, RankedPairs, Statistic, TestedErrors,
};

/// Largest number of players that are named as worse than the first or as level with the first.
const LEVEL_NAMED: usize = 3;

fn name(row: &QualityRow) -> String {
    natural_name(&row.player)
}

/// Returns a sentence on the first player, and a sentence on the meaning of the rating.
pub fn sentences(quality: &QualityOfPlay) -> Vec<String> {
    finding(quality, true).into_iter().chain(meaning(quality)).collect()
}

/// Returns a sentence on the first player, with the player's number if `has_number`. It names a winner only if the
/// test of all players at once and the tests of pairs support it.
pub fn finding(quality: &QualityOfPlay, has_number: bool) -> Option<String> {
    let rows = placed(quality);
    let first = *rows.first()?;
    let leaders = rows.iter().take_while(|row| row.rank == first.rank).count();
    if rows.len() > 1 && first.rank.is_none() {
        return Some(unranked(quality));
    }
    let worth = if has_number { format!(" ({})", worth(first, quality)) } else { String::new() };
    let (who, others) = (name(first), rows.len() - 1);
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

/// Returns the meaning of the first player's rating, and the error of such ratings in tests.
fn meaning(quality: &QualityOfPlay) -> Option<String> {
    let QualityBasis::Rating { scale, judge, year, range: [_, highest], errors, .. } = &quality.basis else {
        return None;
    };
    let rating = placed(quality).first()?.rating.as_ref()?;
    let (number, bound) = rating.bounded().filter(|_| !rating.is_too_short())?;
    let when = year.map_or_else(String::new, |year| format!(" in {year}"));
    let on = if scale.is_over_the_board() { String::new() } else { format!(" on {}", scale.title()) };
    let off = nearest(&errors.by_moves, rating.moves).map_or_else(String::new, |(moves, error)| {
        let (moves, error) = (rounded(moves, 0), rounded(error, 0));
        let (of, more) = tested(errors);
        let (begins, had) = match errors.is_expected {
            true => ("By a comparison of engines,", "are expected to have"),
            false if scale.is_over_the_board() => ("In tests on other events,", "had"),
            false => ("In tests on other players,", "had"),
        };
        format!(" {begins} ratings of {of} from {moves} moves {had} a root mean square error of {error} Elo.{more}")
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

/// Returns whose ratings were tested, and what a reader of the errors must know besides.
pub fn tested(errors: &TestedErrors) -> (&'static str, &'static str) {
    if errors.is_of_players {
        ("single players", "")
    } else {
        ("groups of similar players", " Single players scatter more.")
    }
}

/// Returns the entry of the error table whose number of moves is nearest to `moves`, by ratio.
fn nearest(errors: &[(f64, f64)], moves: u64) -> Option<(f64, f64)> {
    let distance = |(known, _): &(f64, f64)| (known / moves.max(1) as f64).ln().abs();
    errors.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
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

pub(super) fn placed(quality: &QualityOfPlay) -> Vec<&QualityRow> {
    let placed: Vec<&QualityRow> = quality.rows.iter().filter(|row| row.rank.is_some()).collect();
    if placed.is_empty() { quality.rows.iter().collect() } else { placed }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::measure::{JointTest, Measures, Method};
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
    pub fn field(players: usize, tested: Option<(usize, f64)>, pairs: usize, below: usize) -> QualityOfPlay {
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
        let said = |players, tested, pairs, below| {
            finding(&field(players, tested, pairs, below), true).expect("players")
        };
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
    fn players_without_a_rank_are_not_said_to_be_level() {
        let row = |player: &str, games| QualityRow { rank: None, games, ..row(player, 1, 50.0) };
        let mut field = quality(vec![row("A", 2), row("B", 2)], None, RankedPairs::default());
        assert_eq!(
            finding(&field, true).as_deref(),
            Some("None of the 2 players has two different games, which a rank needs.")
        );
        field.min_games = 5;
        assert_eq!(
            finding(&field, true).as_deref(),
            Some("None of the 2 players has the 5 games that a rank needs.")
        );
        field.rows.iter_mut().for_each(|row| row.rank = Some(1));
        assert_eq!(
            finding(&field, true).as_deref(),
            Some("No player stood out: all 2 players share the first place (50.0 % top moves).")
        );
    }
}
