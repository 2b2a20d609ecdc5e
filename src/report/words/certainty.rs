//! The certainty of the finding: the tests of all players and of pairs, the error of ratings, and other orders.

use super::{
    finding::placed, names::natural_list, names::natural_name, numbers::p_equals, numbers::p_value,
    quality::ranked_by, tournament::welch,
};
use crate::base::text::{counted, rounded};
use crate::measure::{
    Form, JointTest, PairSummary, QualityOfPlay, QualityRow, RankedPairs, Standing, Statistic,
};

/// Largest numbers of players that a sentence names: by another order, and above or below their ratings.
const NAMED: [usize; 2] = [3, 8];

/// Returns sentences on the test of all players at once and on the tests of pairs; empty without a test.
pub fn how_sure(quality: &QualityOfPlay) -> Vec<String> {
    if placed(quality).len() < 2 || (quality.homogeneity.is_none() && quality.pairs.pairs == 0) {
        return Vec::new();
    }
    [at_once(quality)].into_iter().chain(in_pairs(quality)).collect()
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

/// Returns the players who play significantly above or below their ratings; `None` if no player has a
/// [`Form`].
pub fn forms(quality: &QualityOfPlay) -> Option<String> {
    let known: Vec<(&QualityRow, Form)> =
        quality.rows.iter().filter_map(|row| Some((row, row.form?))).collect();
    let least = known.iter().map(|(_, form)| form.p_holm).min_by(f64::total_cmp)?;
    let of = counted(known.len() as u64, "player");
    let significant: Vec<_> = known.iter().filter(|(_, form)| form.is_significant()).collect();
    let far = significant.iter().take(NAMED[1]).map(|(row, form)| {
        let more = if form.bound.is_some() { "more than " } else { "" };
        let side = if form.z > 0.0 { "above" } else { "below" };
        format!(
            "{} {more}{} {side} ({})",
            natural_name(&row.player),
            rounded(form.difference.value.abs(), 0),
            p_equals(form.p_holm)
        )
    });
    let mut far: Vec<String> = far.collect();
    if let more @ 1.. = significant.len().saturating_sub(NAMED[1]) {
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

/// Returns the rows of the error table: the number of moves, the error, and the error as a share of the largest.
pub fn error_rows(errors: &[(f64, f64)]) -> Vec<(String, String, String)> {
    let largest = errors.iter().map(|(_, error)| *error).fold(1.0, f64::max);
    let row = |(moves, error): &(f64, f64)| {
        (rounded(*moves, 0), rounded(*error, 0), format!("{:.0}%", 60.0 * error / largest))
    };
    errors.iter().map(row).collect()
}

/// Returns the first players by top moves in percent, if their order is another one; `None` if top moves are unknown.
/// `judge` evaluated the moves, at another depth than the moves behind the ratings or at the same.
pub fn other_order(standings: &[Standing<'_>], judge: String) -> Option<String> {
    let ranked = || standings.iter().filter(|row| row.quality.is_some_and(|row| row.rank.is_some()));
    let mut by_top_moves: Vec<(f64, &str)> = ranked()
        .map(|row| Some((row.measures.get(Statistic::FirstChoice)?.value, row.result.name.as_str())))
        .collect::<Option<_>>()?;
    by_top_moves.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let [other, shown] = [
        by_top_moves.iter().map(|(_, name)| *name).collect::<Vec<_>>(),
        ranked().map(|row| row.result.name.as_str()).collect(),
    ]
    .map(|names: Vec<&str>| names.into_iter().take(NAMED[0]).map(str::to_owned).collect::<Vec<_>>());
    (other != shown && other.len() > 1).then(|| {
        format!(
            "By top moves in percent, evaluated by {judge}, the first players are {}.",
            natural_list(&other, NAMED[0])
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{super::finding::tests::field, *};

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
}
