//! Sentences on the quality of play.

use super::{
    method, names::natural_list, names::natural_name, numbers::SIGNIFICANT, numbers::p_equals,
    numbers::p_value, rating, rating::FOREIGN, tournament::too_many_to_pair,
};
use crate::base::text::{counted, rounded};
use crate::measure::{
    Form, PlayPart, QualityBasis, QualityOfPlay, QualityRow, RankedPairs, Statistic, quality::LOSS_WEIGHT,
};

/// Largest number of players that are named as not significantly different from the first.
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
        QualityBasis::Statistics { .. } => {
            "Quality of play: agreement with the engine's first choice, and winning chances lost per move"
        }
    }
}

pub fn sentences(quality: &QualityOfPlay) -> Vec<String> {
    best(quality).or_else(|| headline(quality)).into_iter().chain(meaning(quality)).collect()
}

/// Returns the tests of all players at once, and of pairs.
pub fn differences(quality: &QualityOfPlay) -> Vec<String> {
    let placed = placed(quality);
    if placed.len() < 2 {
        return Vec::new();
    }
    [more_than_chance(quality)].into_iter().chain(significant_pairs(quality, &placed)).collect()
}

/// Returns the name and rating of the best player, and the number of other players that played significantly
/// worse.
///
/// `None` without ratings, if several players share the first place, or if no pair was compared.
fn best(quality: &QualityOfPlay) -> Option<String> {
    let rows = placed(quality);
    let first = *rows.first().filter(|row| quality.is_rated() && row.rating.is_some())?;
    let others = rows.len() - 1;
    if others == 0 || quality.pairs.pairs == 0 || rows[1].rank == first.rank {
        return None;
    }
    let below = others - quality.pairs.level_with_first.len().min(others);
    let sure = match (others, below) {
        (1, 1) => "The other player played significantly worse".to_owned(),
        (1, _) => "The other player did not play significantly worse".to_owned(),
        (others, 0) => format!("None of the other {others} players played significantly worse"),
        (others, below) if below == others => {
            format!("All other {others} players played significantly worse")
        }
        (others, below) => format!("{below} of the other {others} players played significantly worse"),
    };
    Some(format!(
        "{} played best (rating of play {}). {sure}.",
        name(first),
        worth(first, "points of winning chances")
    ))
}

/// Returns the meaning of the first player's rating, and the error of such ratings in tests.
fn meaning(quality: &QualityOfPlay) -> Option<String> {
    let QualityBasis::Rating { scale, judge, year, errors, .. } = &quality.basis else { return None };
    let rows = placed(quality);
    let rating = rows.first()?.rating.as_ref().filter(|rating| rating.refusal.is_none())?;
    let number = rounded(rating.outright?.value, 0);
    let when = year.map_or_else(String::new, |year| format!(" in {year}"));
    let on = if scale.is_over_the_board() { String::new() } else { format!(" on {}", scale.title()) };
    let off = nearest(errors, rating.moves).map_or_else(String::new, |(moves, error)| {
        let (moves, error) = (rounded(moves, 0), rounded(error, 0));
        format!(
            " In tests with players of known rating, ratings of play computed from {moves} moves had a root mean square \
             error of {error} points."
        )
    });
    Some(format!(
        "A rating of play of {number} means: players rated {number}{on}{when} usually play moves of this quality \
         (evaluated by {judge}).{off}"
    ))
}

/// Returns the entry of the error table whose number of moves is nearest to `moves`, by ratio.
fn nearest(errors: &[(f64, f64)], moves: u64) -> Option<(f64, f64)> {
    let distance = |(known, _): &(f64, f64)| (known / moves.max(1) as f64).ln().abs();
    errors.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

fn placed(quality: &QualityOfPlay) -> Vec<&QualityRow> {
    let placed: Vec<&QualityRow> = quality.rows.iter().filter(|row| row.rank.is_some()).collect();
    if placed.is_empty() { quality.rows.iter().collect() } else { placed }
}

pub fn headline(quality: &QualityOfPlay) -> Option<String> {
    let rows = placed(quality);
    let (first, last) = (*rows.first()?, *rows.last()?);
    let leaders = rows.iter().take_while(|row| row.rank == first.rank).count();
    let by = ranked_by(quality);
    if rows.len() > 1 && first.rank.is_none() {
        return Some(unranked(quality));
    }
    let lead = match (rows.len(), leaders) {
        (1, _) => {
            let is_what = match quality.rows.len() {
                1 => "is the only player with counted moves",
                _ => "is the only player with enough games for a rank",
            };
            let noun = if first.rating.is_some() { "rating of play " } else { "" };
            return Some(format!(
                "{} {is_what}: {noun}{}.",
                name(first),
                worth(first, "points of winning chances")
            ));
        }
        (players, _) if leaders == players => {
            return Some(format!("By {by}, all {players} players are tied {}.", bracketed(first)));
        }
        (_, 1) => name(first),
        (_, several) => format!("{several} players"),
    };
    let (best, least) = (bracketed(first), bracketed(last));
    Some(format!("By {by}, {lead} played best {best}, {} worst {least}.", name(last)))
}

fn unranked(quality: &QualityOfPlay) -> String {
    let players = quality.rows.len();
    let games = counted(quality.min_games as u64, "game");
    match quality.rows.iter().any(|row| row.games >= quality.min_games) {
        true if quality.is_rated() => {
            format!("None of the {players} players has the 100 moves and 3 games that a rating needs.")
        }
        true => format!("None of the {players} players has two different games, which a rank needs."),
        false => format!("None of the {players} players has the {games} that a rank needs."),
    }
}

/// Returns, in brackets, the rating of a player, or the measures if there is no rating.
fn bracketed(row: &QualityRow) -> String {
    let worth = worth(row, "points");
    if worth.starts_with('(') { worth } else { format!("({worth})") }
}

fn ranked_by(quality: &QualityOfPlay) -> &'static str {
    let knows_choices = quality.rows.iter().any(|row| row.measures.get(Statistic::FirstChoice).is_some());
    match (quality.is_rated(), knows_choices) {
        (true, _) => "the rating of play",
        (false, true) => "first choices and losses of winning chances",
        (false, false) => "losses of winning chances",
    }
}

fn worth(row: &QualityRow, unit: &str) -> String {
    if let Some(rating) = &row.rating {
        return rating::brief(rating);
    }
    let measure = |statistic| row.measures.get(statistic);
    let lost =
        measure(Statistic::WinLoss).map(|loss| format!("{} {unit} lost per move", rounded(loss.value, 2)));
    let chosen =
        measure(Statistic::FirstChoice).map(|share| format!("{} % first choices", rounded(share.value, 1)));
    chosen.into_iter().chain(lost).collect::<Vec<_>>().join(", ")
}

pub fn parts_title(quality: &QualityOfPlay) -> &'static str {
    match quality.parts.iter().any(|row| row.part == PlayPart::Event) {
        true => "By color, phase and event",
        false => "By color and phase",
    }
}

fn more_than_chance(quality: &QualityOfPlay) -> String {
    let Some(test) = quality.homogeneity else {
        return match quality.pairs.pairs {
            0 => "There are too few games to compare the players.",
            _ => "There are too few games to test all players at once.",
        }
        .to_owned();
    };
    let with = if test.observations == quality.rows.len() { "" } else { " with enough games" };
    let (players, all) = match test.observations {
        2 => (format!("The two players{with}"), ""),
        players => (format!("The {players} players{with}"), " all"),
    };
    match test.p < SIGNIFICANT {
        true => format!("{players} did not{all} play equally well ({}).", p_equals(test.p)),
        false => format!("{players} may{all} have played equally well ({}).", p_equals(test.p)),
    }
}

/// Returns the results of the tests of pairs, or the reason why there are too many players to compare in
/// pairs; `None` if no pair was tested for another reason.
///
/// The text begins with "But" if it contradicts the test of all players at once.
fn significant_pairs(quality: &QualityOfPlay, placed: &[&QualityRow]) -> Option<String> {
    let RankedPairs { pairs, significant, level_with_first } = &quality.pairs;
    let all_differ = quality.homogeneity.map(|test| test.p < SIGNIFICANT);
    let is_surprise = all_differ.is_some_and(|differ| differ != (*significant > 0));
    if let Some(reason) = too_many_to_pair(placed.len()) {
        return Some(reason);
    }
    Some(match (*pairs, *significant) {
        (0, _) => return None,
        (1, significant) => {
            let differ = if significant == 0 { "do not differ" } else { "differ" };
            match is_surprise {
                true => format!("But by {} the two {differ} significantly.", ranked_by(quality)),
                false => format!("The two {differ} significantly."),
            }
        }
        (pairs, 0) => {
            let but = if is_surprise { "But no" } else { "No" };
            format!("{but} two of them differ significantly ({pairs} pairs, Holm-adjusted).")
        }
        (pairs, significant) => {
            let first = placed.first().map_or(String::new(), |row| name(row));
            let but = if is_surprise { "But " } else { "" };
            let differ = if significant == 1 { "differs" } else { "differ" };
            let of = format!("{but}{significant} of {pairs} pairs {differ} significantly (Holm-adjusted)");
            match level_with_first.as_slice() {
                [] => format!("{of}. {first} differs significantly from all others."),
                level => {
                    let level = natural_list(level, LEVEL_NAMED);
                    format!("{of}. {first} does not differ significantly from {level}.")
                }
            }
        }
    })
}

/// Returns the notes below the table; `in_brief` without reason and reference.
pub fn notes(quality: &QualityOfPlay, in_brief: bool) -> Vec<String> {
    let order = |source: &str| Some(format!("Ranked by merit: {}{source}.", merit()));
    let [reason, basis] = match quality.is_rated() {
        true => [None, rated_by(quality)],
        false if in_brief => [None, order("")],
        false => [without_rating(quality), order(" (docs/calibration.md)")],
    };
    let basis = reason.into_iter().chain(basis).collect::<Vec<_>>().join(" ");
    [
        Some(basis),
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
        format!(" Even with unlimited games, each margin would stay at ± {}.", rounded(lasting, 0))
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
        "Ratings of play are computed from first choices and centipawn losses. The ratings are on {} (calibrated on {}). \
         Evaluations: {judge}.{others}{lasting}{undated}",
        scale.title(),
        counted(*events as u64, scale.event())
    ))
}

fn field(quality: &QualityOfPlay) -> Option<String> {
    quality.rows.iter().any(|row| row.field.is_some()).then(|| {
        "Given the field: a rating from the player's moves, and from the ratings and moves of the other players. The player's own \
         rating is not used. Errors that all players of the event share cancel out. The rank is by the rating of play, not \
         by this rating."
            .to_owned()
    })
}

fn among_peers(quality: &QualityOfPlay) -> Option<String> {
    let standing = quality.rows.iter().find_map(|row| row.peers.as_ref())?;
    let place = if standing.is_over_the_board { " over the board" } else { "" };
    Some(format!(
        "Accuracy rank: the percentage of games{place} by players of the same rating that were less accurate than a \
         game of this player. 50 is usual."
    ))
}

fn without_rating(quality: &QualityOfPlay) -> Option<String> {
    match &quality.basis {
        QualityBasis::Statistics { reason: Some(reason) } => Some(format!("No ratings of play: {reason}.")),
        _ => None,
    }
}

/// Returns the formula by which players are ranked without ratings.
pub fn merit() -> String {
    format!(
        "percentage of first choices minus {LOSS_WEIGHT} times the percentage points of winning chances lost per \
        move"
    )
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

/// Returns the text of a form (rating of play minus rating) in a table, with a star if it is significant.
pub fn form(form: Form) -> String {
    let star = if form.is_significant() { "*" } else { "" };
    let margin = form.difference.interval.map_or(0.0, |interval| interval.half_width());
    let sign = if form.difference.value >= 0.0 { "+" } else { "−" };
    format!("{sign}{} ± {}{star}", rounded(form.difference.value.abs(), 0), rounded(margin, 0))
}

pub fn forms(quality: &QualityOfPlay) -> Option<String> {
    let known: Vec<(&QualityRow, Form)> =
        quality.rows.iter().filter_map(|row| Some((row, row.form?))).collect();
    let least = known.iter().map(|(_, form)| form.p_holm).min_by(f64::total_cmp)?;
    let of = counted(known.len() as u64, "player");
    let significant: Vec<_> = known.iter().filter(|(_, form)| form.is_significant()).collect();
    let mut far: Vec<String> = significant
        .iter()
        .take(NAMED)
        .map(|(row, form)| {
            let side = if form.z > 0.0 { "above the rating" } else { "below the rating" };
            format!(
                "{} {} points {side} (z = {}, adjusted {})",
                name(row),
                rounded(form.difference.value.abs(), 0),
                rounded(form.z, 1),
                p_equals(form.p_holm)
            )
        })
        .collect();
    if let more @ 1.. = significant.len().saturating_sub(NAMED) {
        far.push(format!("and {more} more"));
    }
    let found = match far.is_empty() {
        true => format!(
            "No form differs significantly from 0 ({of}, smallest Holm-adjusted p {}).",
            p_value(least)
        ),
        false => format!(
            "Form differs significantly from 0 for these players ({of} tested, Holm-adjusted p below \
             {SIGNIFICANT:.2}): {}. This alone is no evidence of cheating: a rating may lag behind the player's \
             strength, and so may the ratings of a whole event.",
            far.join("; ")
        ),
    };
    Some(format!(
        "Form is the rating of play minus the rating. If the table has ratings given the field, both numbers are \
         relative to the other players. {found}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Measures, Method};
    use crate::numbers::{Estimate, Welch};

    fn row() -> QualityRow {
        QualityRow {
            field: None,
            peers: None,
            rank: Some(1),
            player: "A".to_owned(),
            elo: None,
            games: 5,
            moves: 200,
            measures: Measures::default(),
            merit: Estimate { value: 0.0, observations: 200, interval: None },
            rating: None,
            form: None,
        }
    }

    fn field(rows: Vec<QualityRow>, homogeneity: Option<Welch>, ranked: RankedPairs) -> QualityOfPlay {
        QualityOfPlay {
            basis: QualityBasis::Statistics { reason: None },
            rows,
            parts: Vec::new(),
            homogeneity,
            pairs: ranked,
            min_games: 1,
            method: Method::default(),
        }
    }

    /// Returns the sentences on the differences in an artificial field. `tested` has the number of players in
    /// the test of all at once, and its p-value.
    fn said(players: usize, tested: Option<(usize, f64)>, pairs: usize, significant: usize) -> [String; 2] {
        let homogeneity = tested.map(|(observations, p)| Welch {
            observations,
            left_out: players - observations,
            f: 1.0,
            freedom: (observations - 1, 9.0),
            p,
        });
        let ranked = RankedPairs { pairs, significant, level_with_first: Vec::new() };
        let quality = field(vec![row(); players], homogeneity, ranked);
        let placed = placed(&quality);
        [more_than_chance(&quality), super::significant_pairs(&quality, &placed).unwrap_or_default()]
    }

    #[test]
    fn all_at_once_and_two_by_two_never_contradict_each_other() {
        let [all, two] = said(8, Some((8, 0.0001)), 28, 0);
        assert_eq!(all, "The 8 players did not all play equally well (p < 0.001).");
        assert_eq!(two, "But no two of them differ significantly (28 pairs, Holm-adjusted).");
        let [all, two] = said(8, Some((8, 0.3)), 28, 2);
        assert_eq!(all, "The 8 players may all have played equally well (p = 0.300).");
        assert!(two.starts_with("But 2 of 28 pairs differ significantly (Holm-adjusted)"), "{two}");
        // Two games of each player suffice for pairs, but the test of all players at once needs five.
        let [all, two] = said(3, None, 3, 1);
        assert_eq!(all, "There are too few games to test all players at once.");
        assert!(two.starts_with("1 of 3 pairs differs significantly (Holm-adjusted)"), "{two}");
        let [all, two] = said(3, None, 0, 0);
        assert_eq!(all, "There are too few games to compare the players.");
        assert_eq!(two, "", "the games needed depend on the number that ranks");
    }

    #[test]
    fn players_without_a_rank_are_not_said_to_be_level() {
        let row = |player: &str, games| QualityRow { rank: None, player: player.to_owned(), games, ..row() };
        let mut quality = field(vec![row("A", 2), row("B", 2)], None, RankedPairs::default());
        assert_eq!(
            headline(&quality).as_deref(),
            Some("None of the 2 players has two different games, which a rank needs.")
        );
        quality.min_games = 5;
        assert_eq!(
            headline(&quality).as_deref(),
            Some("None of the 2 players has the 5 games that a rank needs.")
        );
        quality.rows.iter_mut().for_each(|row| row.rank = Some(1));
        assert!(headline(&quality).is_some_and(|said| said.contains("all 2 players are tied")));
    }

    #[test]
    fn the_test_is_said_of_those_who_were_in_it() {
        let [all, _] = said(8, Some((3, 0.5)), 3, 0);
        assert_eq!(all, "The 3 players with enough games may all have played equally well (p = 0.500).");
        let [all, _] = said(4, Some((2, 0.01)), 1, 1);
        assert_eq!(all, "The two players with enough games did not play equally well (p = 0.010).");
    }
}
