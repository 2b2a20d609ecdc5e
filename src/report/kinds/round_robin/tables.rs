//! The tables of a round robin: scores against each other, and strengths with intervals.

use super::words::name;
use crate::report::kinds::experiment::tables::files::pair_counts;

use crate::base::text::rounded;
use crate::lab::{PairGames, RoundRobin};
use crate::measure::{Quantity, Unit};
use crate::numbers::MatchRecord;
use crate::report::kinds::every_second;
use crate::report::table::{ColumnPart, Table, head, layout::Layout};
use crate::report::words::numbers::number;

#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct EntrantFacts {
    pub engine: Option<String>,
    pub limit: Option<String>,
}

fn score(games: PairGames) -> Option<f64> {
    games.record().map(MatchRecord::score)
}

pub(in crate::report) fn entrant_table(found: Option<&RoundRobin>, facts: &[EntrantFacts]) -> Table {
    let places = |found| RoundRobin::standing(found).into_iter().map(move |place| (found, place));
    let rows: Vec<(&RoundRobin, usize)> = found.into_iter().flat_map(places).collect();
    let total = |(found, place): &(&RoundRobin, usize)| found.total(*place);
    Table::of("entrants", "One row per entrant, the strongest first.", &rows)
        .column("entrant", "Name of the entrant.", |(found, place)| found.name(*place))
        .column("engine", "", |&(_, place)| facts.get(place).and_then(|known| known.engine.as_deref()))
        .means("Name of the entrant's engine; empty for recorded results.")
        .column("limit", "", |&(_, place)| facts.get(place).and_then(|known| known.limit.as_deref()))
        .means("Limit per move; empty for recorded results.")
        .column("games", "Finished games.", |row| total(row).games())
        .column("wins", "Games won.", |row| total(row).wins)
        .column("draws", "Games drawn.", |row| total(row).draws)
        .column("losses", "Games lost.", |row| total(row).losses)
        .column("forfeits", "", |row| total(row).forfeits)
        .means("Games lost by an illegal move, a crash or a stall, by either side.")
        .number("score", Unit::Score, "Points per game.", |row| score(total(row)))
        .number("elo", Unit::Elo, "", |row| row.0.elo(row.1))
        .means("Elo points by maximum likelihood over all games (logistic curve)")
        .means(", above the mean of all entrants or on the scale of the anchors. ")
        .means("Errors are computed from pairs of games of one opening. Empty if no finite rating fits.")
        .table()
}

/// Returns the table `meetings`. Each pair of entrants that met has two rows, one from each entrant's view.
pub(in crate::report) fn meeting_table(found: Option<&RoundRobin>) -> Table {
    let places = found.map(RoundRobin::standing).unwrap_or_default();
    let both = places.iter().flat_map(|&one| places.iter().map(move |&other| (one, other)));
    let both = both.filter(|(one, other)| one != other);
    let rows = found.into_iter().flat_map(|found| both.clone().map(move |(one, other)| (found, one, other)));
    type Met<'a> = (&'a RoundRobin, usize, usize);
    let games = |&(found, one, other): &Met<'_>| found.meeting(one, other);
    let rows: Vec<Met<'_>> = rows.filter(|met| games(met).games() > 0).collect();
    let table = Table::of("meetings", "One row per entrant and opponent, from the entrant's view.", &rows)
        .column("entrant", "Entrant, the first side in other columns.", |&(found, one, _)| found.name(one))
        .column("opponent", "The opponent.", |&(found, _, other)| found.name(other))
        .column("games", "Finished games.", |met| games(met).games())
        .column("different", "Distinct games: games with the same moves count once.", |met| games(met).different)
        .column("wins", "Wins of the first side.", |met| games(met).wins)
        .column("draws", "Draws.", |met| games(met).draws)
        .column("losses", "Losses of the first side.", |met| games(met).losses)
        .column("forfeits", "Games lost by an illegal move, a crash or a stall.", |met| games(met).forfeits)
        .number("mean_moves", Unit::Moves, "Mean length of a game.", |met| games(met).mean_moves())
        .number("score", Unit::Score, "", |&(found, one, other)| found.score(one, other))
        .means("Score of the entrant. For the interval (Student's t), the two games from one opening are one observation.")
        .number("elo_difference", Unit::Elo, "", |met| met.0.difference(met.1, met.2))
        .means("Rating of the entrant minus rating of the opponent.")
        .number("superiority", Unit::Probability, "", |met| met.0.superiority(met.1, met.2))
        .means("Probability that the entrant is stronger than the opponent, computed from their ratings.");
    pair_counts(table, |&(found, one, other)| found.game_pairs(one, other)).table()
}

/// Returns the tables, without those that would repeat the facts of a match of two entrants.
pub(in crate::report) fn layouts(found: &RoundRobin) -> Vec<Layout> {
    match (found.entrants(), found.anchors().next()) {
        (2, None) => Vec::new(),
        (2, Some(_)) => vec![elo(found)],
        _ => vec![cross(found), elo(found), superiority(found)],
    }
}

/// The largest number of entrants for which a cross table is easy to read.
const FEW: usize = 8;

pub(in crate::report) fn brief(found: &RoundRobin) -> Vec<Layout> {
    match found.entrants() <= FEW {
        true => layouts(found),
        false => vec![elo(found)],
    }
}

/// A row of the cross table: the scores against one entrant, by its index, or a total over all games.
enum CrossTableRow {
    Against(usize),
    Sum(&'static str, fn(PairGames) -> String),
}

const SUMS: [CrossTableRow; 4] = [
    CrossTableRow::Sum("points", |total| rounded(total.record().map_or(0.0, MatchRecord::points), 1)),
    CrossTableRow::Sum("wins", |total| total.wins.to_string()),
    CrossTableRow::Sum("draws", |total| total.draws.to_string()),
    CrossTableRow::Sum("losses", |total| total.losses.to_string()),
];

/// Returns the cross table of scores (Paulsen and Fürnkranz 2010, Table 4). A cell has the score of the
/// column's entrant against the row's entrant. The last rows have totals.
fn cross(found: &RoundRobin) -> Layout {
    let places = found.standing();
    let rows: Vec<CrossTableRow> =
        places.iter().map(|&place| CrossTableRow::Against(place)).chain(SUMS).collect();
    let mut table = Table::shown(&rows).display("against", |row| match row {
        CrossTableRow::Against(place) => name(found, *place),
        CrossTableRow::Sum(name, _) => (*name).to_owned(),
    });
    for (column, &player) in places.iter().enumerate() {
        let heading = head(name(found, player)).gives_way(every_second(column, places.len()));
        table = table.display_text(heading, |row| match row {
            CrossTableRow::Against(opponent) => {
                number(score(found.meeting(player, *opponent)).map(|score| 100.0 * score), 1)
            }
            CrossTableRow::Sum(_, of) => of(found.total(player)),
        });
    }
    let note = "Score of the column's entrant against the row's entrant, in percent. The last rows are the points, \
        wins, draws and losses of the column's entrant against all others.";
    table.layout("Score of each entrant against every other", vec![note.to_owned()])
}

fn elo(found: &RoundRobin) -> Layout {
    let places = found.standing();
    let table = Table::shown(&places)
        .display("Entrant", |&place| name(found, place))
        .display_number(ColumnPart::Value.under("Elo").decimals(0), Unit::Elo, |&place| found.elo(place))
        .heading(ColumnPart::HalfWidth.under("±").decimals(0))
        .display("Games", |&place| found.total(place).games())
        .display_number(ColumnPart::Percent.under("Score, %").decimals(1), Quantity::GAME_SCORE, |&place| {
            score(found.total(place))
        })
        .display(head("W").gives_way(1), |&place| found.total(place).wins)
        .display(head("D").gives_way(1), |&place| found.total(place).draws)
        .display(head("L").gives_way(1), |&place| found.total(place).losses)
        .display(head("differ").gives_way(2), |&place| found.total(place).different);
    table.layout("Elo of all entrants by maximum likelihood", vec![scale(found), ERRORS.to_owned()])
}

const ERRORS: &str = "A draw counts as half a win; the curve is logistic. For the 95 % intervals (Student's t), the \
    two games from one opening are one observation, because their results are not independent.";

fn scale(found: &RoundRobin) -> String {
    let anchors: Vec<String> =
        found.anchors().map(|(place, elo)| format!("{} ({})", name(found, place), rounded(elo, 0))).collect();
    match anchors.as_slice() {
        [] => "Elo points above the mean of all rated entrants.".to_owned(),
        [one] => format!(
            "Elo points on the scale of the anchor {one}. The intervals are for the difference from the \
            anchor."
        ),
        several => format!(
            "Elo points on the scale of the anchors {}: the mean of the anchors is the mean of these numbers. The \
             intervals are for the difference from this mean.",
            several.join(", ")
        ),
    }
}

fn superiority(found: &RoundRobin) -> Layout {
    let places = found.standing();
    let mut table = Table::shown(&places).display("Entrant", |&place| name(found, place));
    for (column, &other) in places.iter().enumerate() {
        let cell = |&place: &usize| number(found.superiority(place, other).map(|chance| 100.0 * chance), 1);
        table =
            table.display_text(head(name(found, other)).gives_way(every_second(column, places.len())), cell);
    }
    let note = "Likelihood in percent that the row's entrant is stronger than the column's entrant: F(d/SE), where d \
        is the difference of the two ratings, SE is the standard error of d, and F is the distribution function of \
        Student's t.";
    table.layout("Likelihood of superiority", vec![note.to_owned()])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::base::text::width;
    use crate::chess::{Ending, GameResult};
    use crate::lab::{EntrantAnchor, EntrantNumber, GameRecord, SequentialMatch};
    use crate::numbers::Sprt;
    use crate::report::kinds::{round_robin::RoundRobinFacts, round_robin::report, round_robin::tables::*};
    use crate::report::table::Screen;

    fn told(found: &RoundRobin, columns: u16) -> String {
        let facts = RoundRobinFacts {
            title: "Games".to_owned(),
            entrants: Vec::new(),
            conditions: BTreeMap::new(),
            command: Vec::new(),
        };
        report(found, &facts).text(Screen::of_columns(columns))
    }

    /// Returns ten games of each pair of entrants, with alternating colors. The entrant with the lower number
    /// wins the first `won` games of the pair; the other games are drawn.
    fn played(entrants: u32, won: u32) -> Vec<GameRecord<EntrantNumber>> {
        let pairs = (0..entrants).flat_map(|first| (first + 1..entrants).map(move |second| (first, second)));
        let games = pairs.flat_map(|pair| (0..10).map(move |turn| (pair, turn)));
        let record = |(game, ((first, second), turn)): (u32, ((u32, u32), u32))| {
            let has_white = turn.is_multiple_of(2);
            let (white, black) = if has_white { (first, second) } else { (second, first) };
            let result = match (turn < won, has_white) {
                (false, _) => GameResult::Draw,
                (true, true) => GameResult::WhiteWins,
                (true, false) => GameResult::BlackWins,
            };
            GameRecord {
                game,
                white: EntrantNumber(white),
                black: EntrantNumber(black),
                opening: Some(turn / 2),
                result,
                ending: Ending::Checkmate,
                plies: 80,
                line: u64::from(game),
            }
        };
        (0..).zip(games).map(record).collect()
    }

    fn names(entrants: u32) -> Vec<String> {
        (0..entrants).map(|number| format!("number {number}")).collect()
    }

    fn shown(entrants: u32, won: u32, anchors: &[EntrantAnchor]) -> String {
        let found = RoundRobin::of(names(entrants), &played(entrants, won), anchors, None).expect("games");
        told(&found, 80)
    }

    #[test]
    fn rows_are_opponents_and_columns_players_with_their_sums() {
        let text = shown(3, 3, &[]);
        // Three wins and seven draws of ten: 65 %; the first has 13 points of 20, the second 10, the third 7.
        for line in [
            "number 0         –      35.0      35.0",
            "number 2      65.0      65.0         –",
            "points        13.0      10.0       7.0",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
        assert!(text.contains("number 0 is ahead of number 1, but not sig"), "it may be chance: {text}");
        let text = shown(3, 9, &[]);
        assert!(text.contains("number 0 is the strongest"), "{text}");
        let level = shown(2, 0, &[]);
        assert!(level.contains("number 0 and number 1 are level."), "{level}");
    }

    #[test]
    fn no_table_is_wider_than_a_usual_terminal() {
        for entrants in [2, 5, 16] {
            let text = shown(entrants, 4, &[]);
            assert!(text.lines().all(|line| width(line) <= 80), "{text}");
        }
    }

    #[test]
    fn a_scale_names_its_anchors_and_what_has_no_rating_is_said() {
        let anchor = |name: &str, elo: f64| EntrantAnchor { name: name.to_owned(), elo };
        let text = shown(3, 3, &[anchor("number 0", 1500.0), anchor("number 2", 1400.0)]);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("the anchors number 0 (1500), number 2 (1400)"), "{text}");
        assert!(shown(2, 10, &[]).contains("No ratings"), "all games won");
    }

    #[test]
    fn a_match_of_two_is_a_finding_and_five_facts() {
        // Three wins and seven draws: 6.5 of 10 points are 400·log₁₀(65/35) = 107.5 Elo. The pairs have 2, 1½, 1, 1 and 1
        // points, a mean of .65 a game, and σ = .2: 347.4356·.15/(√2·.2) = 184.3, ± 1.96·347.4356/√10 = 215.3.
        let text = shown(2, 3, &[]);
        for line in [
            "number 0 is ahead of number 1, but not significantly.",
            "Elo    107.5 ±",
            ", normalized 184.3 ± 215.3",
            "LOS    ",
            "Games  10: 3 won, 7 drawn, 0 lost; 6.5 points (65.0 %)",
            "Pairs  5: 0, 0, 3, 1, 1 with 0, ½, 1, 1½, 2 points",
            "Draws  70.0 %",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
        assert!(!text.contains("against") && !text.contains("superiority"), "nothing is said twice: {text}");
        assert!(shown(2, 9, &[]).contains("number 0 is stronger than number 1."));
        assert!(shown(2, 10, &[]).contains("number 0 won all of its 10 games against number 1."));
    }

    #[test]
    fn a_sequential_test_says_how_it_stands() {
        let mut test = SequentialMatch::new(Sprt { elo1: 100.0, ..Sprt::default() });
        let games = played(2, 6);
        games.iter().for_each(|game| test.add(game));
        let found = RoundRobin::of(names(2), &games, &[], Some(test)).expect("games");
        let text = told(&found, 100);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(
            "has not decided between H0 (0 normalized Elo) and H1 (100 normalized Elo) as the lead of number 0 over number 1."
        ));
        assert!(text.contains("after 5 pairs; bounds -2.94 (H0) and 2.94 (H1)"), "{text}");
        let test = SequentialMatch::of_recorded(Sprt::default(), &played(2, 10).repeat(40));
        let found = RoundRobin::of(names(2), &games, &[], Some(test)).expect("games");
        let words = told(&found, 1000);
        assert!(
            words.contains("accepts H1 (10 normalized Elo) rather than H0 (0 normalized Elo) as"),
            "{words}"
        );
    }
}
