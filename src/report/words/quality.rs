//! Owns what is said of the quality of play: who played best, what that is worth, why there are no ratings, and whose play
//! is far from the rating.

use super::{
    method,
    numbers::{MISSING, SIGNIFICANT, p_equals, p_value, with_margin},
};
use crate::chess::text::{counted, cut, printable, rounded};
use crate::measure::{
    Form, PlayPart, QualityBasis, QualityOfPlay, QualityRow, RankedPairs, RatingOfPlay, RatingRefusal,
    Statistic, quality::LOSS_WEIGHT,
};

/// Players that cannot be told from the first one and are named.
const LEVEL_NAMED: usize = 3;

const NAMED: usize = 8;

/// The most letters of a name.
const NAME: usize = 60;

/// Returns the name of a player as a sentence has it: "Carlsen, Magnus" is Magnus Carlsen.
///
/// A name with several commas stays, and so does one with digits behind its comma, as engines and teams have.
pub fn spoken(player: &str) -> String {
    let turned = player.split_once(',').map(|(last, first)| (last.trim(), first.trim()));
    let is_name = |part: &str| !part.is_empty() && !part.contains(|c: char| c == ',' || c.is_ascii_digit());
    let spoken = match turned {
        Some((last, first)) if is_name(last) && is_name(first) => format!("{first} {last}"),
        _ => player.to_owned(),
    };
    cut(&printable(&spoken), NAME)
}

/// Returns the first `most` of the names with commas, and how many more there are.
pub fn spoken_list(players: &[String], most: usize) -> String {
    let named: Vec<String> = players.iter().take(most).map(|name| spoken(name)).collect();
    match (named.as_slice(), players.len().saturating_sub(named.len())) {
        ([], _) => String::new(),
        (named, more @ 1..) => format!("{} and {more} more", named.join(", ")),
        ([only], 0) => only.clone(),
        ([head @ .., last], 0) => format!("{} and {last}", head.join(", ")),
    }
}

fn name(row: &QualityRow) -> String {
    spoken(&row.player)
}

pub fn title(quality: &QualityOfPlay) -> &'static str {
    match quality.basis {
        QualityBasis::Rating { .. } => "Rating of play: what the moves are worth on a scale of ratings",
        QualityBasis::Statistics { .. } => {
            "Quality of play: first choices of the engine, and loss of winning chances a move"
        }
    }
}

/// Returns who played best and how sure that is, and with ratings what such a number is.
pub fn sentences(quality: &QualityOfPlay) -> Vec<String> {
    best(quality).or_else(|| headline(quality)).into_iter().chain(meaning(quality)).collect()
}

/// Says whether the players' differences are more than chance, and who cannot be told apart; nothing of fewer than two.
pub fn differences(quality: &QualityOfPlay) -> Vec<String> {
    let placed = placed(quality);
    let compared = (placed.len() > 1).then(|| [more_than_chance(quality), apart(quality, &placed)]);
    compared.into_iter().flatten().collect()
}

/// Returns who played best, with the rating, and how many others surely played less well; `None` without ratings, and where
/// several share the first place or nobody could be compared with it.
fn best(quality: &QualityOfPlay) -> Option<String> {
    let rows = placed(quality);
    let first = *rows.first().filter(|row| quality.is_rated() && row.rating.is_some())?;
    let others = rows.len() - 1;
    if others == 0 || quality.apart.pairs == 0 || rows[1].rank == first.rank {
        return None;
    }
    let below = others - quality.apart.level_with_first.len().min(others);
    let sure = match (others, below) {
        (1, 1) => "The other surely played less well".to_owned(),
        (1, _) => "It is not sure that the other played less well".to_owned(),
        (others, 0) => format!("Of none of the {others} others is it sure that they played less well"),
        (others, below) if below == others => format!("All {others} others surely played less well"),
        (others, below) => format!("{below} of the {others} others surely played less well"),
    };
    Some(format!("{} played best: {}. {sure}.", name(first), worth(first)))
}

/// Says what the number is, and how far such numbers were off where ratings are known; `None` without ratings.
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
            " Ratings by {moves} moves were off by {error} points in {}s of known ratings (root mean square).",
            scale.event()
        )
    });
    Some(format!(
        "{number} means: such moves are usual of players rated {number}{on}{when}, by {judge}.{off}"
    ))
}

/// Returns the error of the number of moves that is nearest to that, in proportion.
fn nearest(errors: &[(f64, f64)], moves: u64) -> Option<(f64, f64)> {
    let distance = |(known, _): &(f64, f64)| (known / moves.max(1) as f64).ln().abs();
    errors.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// Returns the players with a rank; where nobody has one, all.
fn placed(quality: &QualityOfPlay) -> Vec<&QualityRow> {
    let placed: Vec<&QualityRow> = quality.rows.iter().filter(|row| row.rank.is_some()).collect();
    if placed.is_empty() { quality.rows.iter().collect() } else { placed }
}

/// Returns who played best and who least well; `None` without players.
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
                1 => "is the only player with moves that count",
                _ => "alone has games enough for a place",
            };
            return Some(format!("{} {is_what}: {}.", name(first), worth(first)));
        }
        // The same place need not be the same play.
        (players, _) if leaders == players => {
            return Some(format!("By {by}, all {players} players are level {}.", bracketed(first)));
        }
        (_, 1) => name(first),
        (_, several) => format!("{several} players"),
    };
    let (best, least) = (bracketed(first), bracketed(last));
    Some(format!("By {by}, {lead} played best {best} and {} least well {least}.", name(last)))
}

/// Says why nobody has a rank.
fn unranked(quality: &QualityOfPlay) -> String {
    let players = quality.rows.len();
    let games = counted(quality.min_games as u64, "game");
    match quality.rows.iter().any(|row| row.games >= quality.min_games) {
        true if quality.is_rated() => {
            format!("None of the {players} players has the 100 moves and 3 games that a rating takes.")
        }
        true => format!("None of the {players} players has two games that differ, which a rank takes."),
        false => format!("None of the {players} players has the {games} that a rank takes."),
    }
}

fn bracketed(row: &QualityRow) -> String {
    let worth = worth(row);
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

fn worth(row: &QualityRow) -> String {
    if let Some(rating) = &row.rating {
        return brief(rating);
    }
    let measure = |statistic| row.measures.get(statistic);
    let lost = measure(Statistic::WinLoss)
        .map(|loss| format!("{} points of winning chances lost a move", rounded(loss.value, 2)));
    let chosen =
        measure(Statistic::FirstChoice).map(|share| format!("{} % first choices", rounded(share.value, 1)));
    chosen.into_iter().chain(lost).collect::<Vec<_>>().join(", ")
}

/// Returns a rating with its interval, and what stands in its place where it is refused.
pub(super) fn rated(rating: &RatingOfPlay) -> String {
    let estimate = rating.outright.filter(|_| !rating.is_too_short()).unwrap_or(rating.shrunken);
    let interval = estimate.interval.map_or(String::new(), |interval| {
        format!(", 95 %: {} to {}", rounded(interval.low, 0), rounded(interval.high, 0))
    });
    match &rating.refusal {
        // The number beyond the calibrated range is an extrapolation: the range alone is known.
        Some(refusal @ (RatingRefusal::Above { .. } | RatingRefusal::Below { .. })) => refusal.to_string(),
        Some(refusal) => format!("{}{interval}, {refusal}", rounded(estimate.value, 0)),
        None => format!("{}{interval}", rounded(estimate.value, 0)),
    }
}

/// Returns a rating in a few characters: the outright one, in brackets the one to be expected where there is none, or on which
/// side of all that was calibrated it is.
pub fn brief(rating: &RatingOfPlay) -> String {
    match (&rating.refusal, rating.outright) {
        (None, Some(outright)) => with_margin(outright, 0),
        (Some(RatingRefusal::Above { elo }), _) => format!("above {elo}"),
        (Some(RatingRefusal::Below { elo }), _) => format!("below {elo}"),
        (Some(RatingRefusal::NoModel { .. }), _) => MISSING.to_owned(),
        // By so few moves alone it could be any rating.
        _ if !rating.is_drawn_to_mean() => MISSING.to_owned(),
        _ => format!("({})", with_margin(rating.shrunken, 0)),
    }
}

/// Returns the ratings of White's and Black's play in one game; `None` where there are none.
///
/// One game is too short for a rating, which elsewhere is said in words: here the margin beside it says so.
pub fn of_game(sides: [Option<&RatingOfPlay>; 2]) -> Option<String> {
    let outright = sides.map(|rating| rating?.outright);
    outright.iter().any(Option::is_some).then(|| {
        let [white, black] =
            outright.map(|estimate| estimate.map_or(MISSING.to_owned(), |estimate| with_margin(estimate, 0)));
        format!("rating of play {white} and {black}")
    })
}

pub fn parts_title(quality: &QualityOfPlay) -> &'static str {
    match quality.parts.iter().any(|row| row.part == PlayPart::Event) {
        true => "By colour, phase and event",
        false => "By colour and phase",
    }
}

/// Says whether the play of all players can be the same: of those alone who have games enough for the test.
fn more_than_chance(quality: &QualityOfPlay) -> String {
    let Some(test) = quality.homogeneity else {
        return match quality.apart.pairs {
            0 => "There are too few games to say whether one of them played better than another.",
            _ => "There are too few games to test all of them at once.",
        }
        .to_owned();
    };
    let who = if test.observations == quality.rows.len() { "" } else { " who have games enough" };
    let (differences, are) = match test.observations {
        2 => (format!("The difference between the two players{who}"), "is"),
        players => (format!("Taken together, the differences among the {players} players{who}"), "are"),
    };
    match test.p < SIGNIFICANT {
        true => format!("{differences} {are} more than chance ({}).", p_equals(test.p)),
        false => format!("{differences} could be chance alone ({}).", p_equals(test.p)),
    }
}

/// Says who cannot be told apart from whom.
///
/// All at once and two by two are two questions: where their answers differ, the second sentence says so.
fn apart(quality: &QualityOfPlay, placed: &[&QualityRow]) -> String {
    let RankedPairs { pairs, apart, level_with_first } = &quality.apart;
    let all_differ = quality.homogeneity.map(|test| test.p < SIGNIFICANT);
    let is_surprise = all_differ.is_some_and(|differ| differ != (*apart > 0));
    match (*pairs, *apart) {
        (0, _) => {
            "Nobody can be told apart from anybody yet: that takes two games or more of each.".to_owned()
        }
        (1, apart) => {
            let can = if apart == 0 { "cannot" } else { "can" };
            match is_surprise {
                true => format!("But by {} the two {can} be told apart.", ranked_by(quality)),
                false => format!("The two {can} be told apart."),
            }
        }
        (pairs, 0) if is_surprise => format!(
            "But of no two of them is it sure who played better: each of {pairs} differences alone could be chance (p after Holm)."
        ),
        (pairs, 0) => format!("No two of them can be told apart (none of {pairs} pairs, p after Holm)."),
        (pairs, apart) => {
            let first = placed.first().map_or(String::new(), |row| name(row));
            let by_two = if is_surprise { "But taken two by two, of" } else { "Of" };
            let of = format!("{by_two} {pairs} pairs of players {apart} can be told apart (p after Holm)");
            match level_with_first.as_slice() {
                [] => format!("{of}, {first} from all others."),
                level => {
                    format!("{of}; {first} cannot be told apart from {}.", spoken_list(level, LEVEL_NAMED))
                }
            }
        }
    }
}

/// Returns what stands below the table; `in_brief` below one that fills the terminal: without the reason why there are no
/// ratings of play.
pub fn notes(quality: &QualityOfPlay, in_brief: bool) -> Vec<String> {
    let order = |source: &str| Some(format!("In order of {}{source}.", merit()));
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

/// Said of players of a server or a speed without a calibration.
const FOREIGN: &str = " These players' own ratings are on another scale: the two do not compare.";

/// Added where the calibration is over the board.
const BY_LICHESS: &str = "For ratings on a scale of lichess name its calibration (--calibration).";

fn rated_by(quality: &QualityOfPlay) -> Option<String> {
    let QualityBasis::Rating { scale, judge, events, others, is_foreign, .. } = &quality.basis else {
        return None;
    };
    let lasting = quality.rows.iter().find_map(|row| Some(row.rating.as_ref()?.lasting));
    let lasting = lasting.map_or(String::new(), |lasting| {
        format!(" Of each margin ± {} would stay with endless games.", rounded(lasting, 0))
    });
    let undated =
        quality.rows.iter().filter(|row| row.rating.as_ref().is_some_and(|one| one.undated > 0)).count();
    let undated = match undated {
        0 => String::new(),
        some => format!(
            " Games of {} have no date: they are rated as if played in the calibration's mean year, less surely.",
            counted(some as u64, "player")
        ),
    };
    let others = match (is_foreign, others) {
        (true, _) if scale.is_over_the_board() => format!("{FOREIGN} {BY_LICHESS}"),
        (true, _) => FOREIGN.to_owned(),
        (false, 0) => String::new(),
        (false, &others) => format!(
            " Not counted: {} on another scale (--time-control blitz, say, chooses a scale).",
            counted(others as u64, "game")
        ),
    };
    Some(format!(
        "Ratings on {} by first choices and centipawns lost, calibrated on {}; evaluations by {judge}.{others}{lasting}{undated}",
        scale.title(),
        counted(*events as u64, scale.event())
    ))
}

/// Says what the number given the field is; `None` where nobody has one.
fn field(quality: &QualityOfPlay) -> Option<String> {
    quality.rows.iter().any(|row| row.field.is_some()).then(|| {
        "Given the field: by the moves and by the others' ratings and moves, without the own rating; what is common to the event \
         cancels. Ranked is by play alone."
            .to_owned()
    })
}

/// Says what the rank among players of the same rating is; `None` where nobody has one.
fn among_peers(quality: &QualityOfPlay) -> Option<String> {
    let standing = quality.rows.iter().find_map(|row| row.peers.as_ref())?;
    let place = if standing.is_over_the_board { " over the board" } else { "" };
    Some(format!(
        "Accuracy rank: better than so many % of single games{place} by players of the same rating; 50 is usual."
    ))
}

/// Says why there are no ratings of play; `None` where there are, or nobody asked for them.
pub fn without_rating(quality: &QualityOfPlay) -> Option<String> {
    match &quality.basis {
        QualityBasis::Statistics { reason: Some(reason) } => Some(format!("No ratings of play: {reason}.")),
        _ => None,
    }
}

/// Returns what the number is that players are put in order by without ratings.
pub fn merit() -> String {
    format!("first choices in percent less {LOSS_WEIGHT} times the loss")
}

fn few_games(quality: &QualityOfPlay) -> Option<String> {
    let few = quality.rows.iter().filter(|row| row.games < quality.min_games).count();
    let without = counted(few as u64, "player");
    (few > 0).then(|| format!("{without} with fewer than {} games without a rank, last.", quality.min_games))
}

/// Says what the numbers in brackets are; `None` where there are none.
pub fn too_short(quality: &QualityOfPlay) -> Option<String> {
    let mut short =
        quality.rows.iter().filter_map(|row| row.rating.as_ref()).filter(|one| one.is_too_short());
    let without = "fewer than 100 moves or 3 games make no rating";
    Some(match short.next()?.is_drawn_to_mean() {
        true => format!(
            "In brackets: {without}; what is to be expected then is drawn to the mean of all players."
        ),
        false => format!("– stands for none: {without}."),
    })
}

/// Returns a form as a table shows it, with a star where it is beyond chance.
pub fn form(form: Form) -> String {
    let star = if form.is_significant() { "*" } else { "" };
    let margin = form.difference.interval.map_or(0.0, |interval| interval.half_width());
    let sign = if form.difference.value >= 0.0 { "+" } else { "−" };
    format!("{sign}{} ± {}{star}", rounded(form.difference.value.abs(), 0), rounded(margin, 0))
}

/// Says whose play is far from the rating, and what that is not; `None` where nobody's is known.
pub fn forms(quality: &QualityOfPlay) -> Option<String> {
    let known: Vec<(&QualityRow, Form)> =
        quality.rows.iter().filter_map(|row| Some((row, row.form?))).collect();
    let least = known.iter().map(|(_, form)| form.p_holm).min_by(f64::total_cmp)?;
    let of = counted(known.len() as u64, "player");
    let far: Vec<String> = known
        .iter()
        .filter(|(_, form)| form.is_significant())
        .take(NAMED)
        .map(|(row, form)| {
            let side = if form.z > 0.0 { "above" } else { "below" };
            format!(
                "{} {side} it ({}, z = {}, adjusted {})",
                name(row),
                rounded(form.difference.value, 0),
                rounded(form.z, 1),
                p_equals(form.p_holm)
            )
        })
        .collect();
    Some(match far.is_empty() {
        true => format!(
            "Form (rating of play minus rating): nobody of {of} played above or below the rating by more than chance \
             (smallest Holm-adjusted p {}).",
            p_value(least)
        ),
        false => format!(
            "Form (rating of play minus rating): of {of}, beyond chance (Holm-adjusted p below {SIGNIFICANT:.2}): {}. By \
             itself this is no evidence of cheating: a rating may lag behind, and so may an event's.",
            far.join("; ")
        ),
    })
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

    fn field(rows: Vec<QualityRow>, homogeneity: Option<Welch>, apart: RankedPairs) -> QualityOfPlay {
        QualityOfPlay {
            basis: QualityBasis::Statistics { reason: None },
            rows,
            parts: Vec::new(),
            homogeneity,
            apart,
            min_games: 1,
            method: Method::default(),
        }
    }

    /// A field of nobody in particular, of which these are known: players, the test of all at once, pairs and those apart.
    fn said(players: usize, tested: Option<(usize, f64)>, pairs: usize, apart: usize) -> [String; 2] {
        let homogeneity = tested.map(|(observations, p)| Welch {
            observations,
            left_out: players - observations,
            f: 1.0,
            freedom: (observations - 1, 9.0),
            p,
        });
        let apart = RankedPairs { pairs, apart, level_with_first: Vec::new() };
        let quality = field(vec![row(); players], homogeneity, apart);
        let placed = placed(&quality);
        [more_than_chance(&quality), super::apart(&quality, &placed)]
    }

    #[test]
    fn all_at_once_and_two_by_two_never_contradict_each_other() {
        let [all, two] = said(8, Some((8, 0.0001)), 28, 0);
        assert_eq!(
            all,
            "Taken together, the differences among the 8 players are more than chance (p < 0.001)."
        );
        assert!(two.starts_with("But of no two of them is it sure who played better"), "{two}");
        let [all, two] = said(8, Some((8, 0.3)), 28, 2);
        assert!(all.ends_with("could be chance alone (p = 0.300)."), "{all}");
        assert!(two.starts_with("But taken two by two, of 28 pairs"), "{two}");
        // Two games of each make pairs, and five are needed for the test of all at once.
        let [all, two] = said(3, None, 3, 1);
        assert_eq!(all, "There are too few games to test all of them at once.");
        assert!(two.starts_with("Of 3 pairs of players 1 can be told apart"), "{two}");
        let [all, two] = said(3, None, 0, 0);
        assert_eq!(all, "There are too few games to say whether one of them played better than another.");
        assert!(two.starts_with("Nobody can be told apart"), "{two}");
    }

    #[test]
    fn players_without_a_rank_are_not_said_to_be_level() {
        let row = |player: &str, games| QualityRow { rank: None, player: player.to_owned(), games, ..row() };
        let mut quality = field(vec![row("A", 2), row("B", 2)], None, RankedPairs::default());
        assert_eq!(
            headline(&quality).as_deref(),
            Some("None of the 2 players has two games that differ, which a rank takes.")
        );
        quality.min_games = 5;
        assert_eq!(
            headline(&quality).as_deref(),
            Some("None of the 2 players has the 5 games that a rank takes.")
        );
        quality.rows.iter_mut().for_each(|row| row.rank = Some(1));
        assert!(headline(&quality).is_some_and(|said| said.contains("all 2 players are level")));
    }

    #[test]
    fn the_test_is_said_of_those_who_were_in_it() {
        let [all, _] = said(8, Some((3, 0.5)), 3, 0);
        assert_eq!(
            all,
            "Taken together, the differences among the 3 players who have games enough could be chance alone (p = 0.500)."
        );
        let [all, _] = said(4, Some((2, 0.01)), 1, 1);
        assert_eq!(
            all,
            "The difference between the two players who have games enough is more than chance (p = 0.010)."
        );
    }

    #[test]
    fn a_first_name_behind_a_comma_comes_first() {
        let cases = [
            ("Carlsen, Magnus", "Magnus Carlsen"),
            ("Carlsen,M", "M Carlsen"),
            ("Vachier-Lagrave, Maxime", "Maxime Vachier-Lagrave"),
            ("DrNykterstein", "DrNykterstein"),
            ("Stockfish 15, 64-bit", "Stockfish 15, 64-bit"),
            ("King, Jr, Martin", "King, Jr, Martin"),
            ("Anand,", "Anand,"),
            ("李雷", "李雷"),
        ];
        assert_eq!(cases.map(|(written, _)| spoken(written)), cases.map(|(_, said)| said));
    }

    #[test]
    fn a_list_ends_with_how_many_more_there_are() {
        let names = ["A, B", "C", "D"].map(str::to_owned);
        assert_eq!(spoken_list(&names, 3), "B A, C and D");
        assert_eq!(spoken_list(&names, 2), "B A, C and 1 more");
        assert_eq!([spoken_list(&names[..1], 2), spoken_list(&[], 2)], ["B A".to_owned(), String::new()]);
    }
}
