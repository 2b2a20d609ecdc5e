//! Owns the tables of a round robin: who scored what against whom, how strong each is, and how sure that is.

use crate::chess::text::rounded;
use crate::lab::{PairGames, RoundRobin, SequentialMatch};
use crate::measure::{Quantity, Unit};
use crate::numbers::{Estimate, GamePairs, MatchRecord};
use crate::report::{
    table::{
        ColumnPart, Table, head,
        layout::{Layout, every_second},
    },
    words::{
        numbers::{MISSING, number},
        round_robin::name,
    },
};

/// What only whoever played knows of an entrant.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct EntrantFacts {
    /// The engine's `id name`.
    pub engine: Option<String>,
    /// What it might spend on a move.
    pub limit: Option<String>,
}

/// An entrant and what is told of it.
pub(in crate::report) struct EntrantRow {
    name: String,
    facts: EntrantFacts,
    games: PairGames,
    elo: Option<Estimate>,
}

/// Returns all entrants, the strongest first.
pub(in crate::report) fn entrant_rows(found: &RoundRobin, facts: &[EntrantFacts]) -> Vec<EntrantRow> {
    let row = |place: usize| EntrantRow {
        name: found.name(place).to_owned(),
        facts: facts.get(place).cloned().unwrap_or_default(),
        games: found.total(place),
        elo: found.elo(place),
    };
    found.standing().into_iter().map(row).collect()
}

fn score(games: &PairGames) -> Option<f64> {
    games.record().map(MatchRecord::score)
}

/// Returns the file of entrants.
pub(in crate::report) fn entrant_table(rows: &[EntrantRow]) -> Table {
    Table::of("entrants", "One row an entrant, the strongest first.", rows)
        .column("entrant", "Its name.", |row| row.name.clone())
        .column("engine", "What its engine calls itself", |row| row.facts.engine.clone())
        .more("; empty of recorded results.")
        .column("limit", "What it may spend on a move", |row| row.facts.limit.clone())
        .more("; empty of recorded results.")
        .column("games", "Games that have ended.", |row| row.games.games())
        .column("wins", "Games won.", |row| row.games.wins)
        .column("draws", "Games drawn.", |row| row.games.draws)
        .column("losses", "Games lost.", |row| row.games.losses)
        .column("forfeits", "Games lost by an illegal move, a crash or a stall", |row| row.games.forfeits)
        .more(", by either side.")
        .number("score", Unit::Score, "Points a game.", |row| score(&row.games))
        .number("elo", Unit::Elo, "Elo points by maximum likelihood over all games", |row| row.elo)
        .more(
            ", logistic curve: above the mean of all, or on the scale of the anchors. A pair of games of \
             one opening is the unit of the scatter. Empty where no finite rating fits.",
        )
        .table()
}

/// Two entrants and their games, seen from the first.
pub(in crate::report) struct MeetingRow {
    names: [String; 2],
    games: PairGames,
    score: Option<Estimate>,
    difference: Option<Estimate>,
    superiority: Option<f64>,
    pairs: Option<GamePairs>,
}

/// Returns every two entrants who met, from either side.
pub(in crate::report) fn meeting_rows(found: &RoundRobin) -> Vec<MeetingRow> {
    let places = found.standing();
    let both = places.iter().flat_map(|&one| places.iter().map(move |&other| (one, other)));
    let met = both.filter(|&(one, other)| one != other && found.meeting(one, other).games() > 0);
    let row = |(one, other)| MeetingRow {
        names: [one, other].map(|place| found.name(place).to_owned()),
        games: found.meeting(one, other),
        score: found.score(one, other),
        difference: found.difference(one, other),
        superiority: found.superiority(one, other),
        pairs: found.game_pairs(one, other),
    };
    met.map(row).collect()
}

/// Returns the file of meetings.
pub(in crate::report) fn meeting_table(rows: &[MeetingRow]) -> Table {
    let table =
        Table::of("meetings", "One row an entrant and another that it met, seen from the first.", rows)
            .column("entrant", "Whose wins are counted.", |row| row.names[0].clone())
            .column("opponent", "Against whom.", |row| row.names[1].clone())
            .column("games", "Games that have ended.", |row| row.games.games())
            .column("different", "Games that are not move for move the same.", |row| row.games.different)
            .column("wins", "Wins of the first.", |row| row.games.wins)
            .column("draws", "Draws.", |row| row.games.draws)
            .column("losses", "Losses of the first.", |row| row.games.losses)
            .column("forfeits", "Games lost by an illegal move", |row| row.games.forfeits)
            .more(", a crash or a stall.")
            .number("mean_moves", Unit::Moves, "Mean length of a game.", |row| row.games.mean_moves())
            .number("score", Unit::Score, "Score of the first", |row| row.score)
            .more("; its interval by pairs of games where all are in pairs.")
            .number("elo_difference", Unit::Elo, "By how much the rating of the first is higher.", |row| {
                row.difference
            })
            .number(
                "superiority",
                Unit::Probability,
                "The likelihood that the first is the stronger one, by the ratings.",
                |row| row.superiority,
            );
    (0..5)
        .fold(table, |table, half_points| {
            let meaning =
                "Game pairs with so many half-points of the first; empty where not all games are in pairs.";
            table.column(format!("pairs_{half_points}"), meaning, move |row: &MeetingRow| {
                row.pairs.map(|pairs| pairs.counts()[half_points])
            })
        })
        .table()
}

/// Returns the tables in their order.
pub(in crate::report) fn layouts(found: &RoundRobin) -> Vec<Layout> {
    let mut tables = vec![cross(found), elo(found)];
    tables.extend((found.entrants() > 1).then(|| superiority(found)));
    tables.extend(found.sequential.as_ref().map(sequential));
    tables
}

/// A row of the cross table.
enum CrossTableRow {
    Against(usize),
    Points,
    Wins,
    Draws,
    Losses,
}

/// Returns who scored what against whom (Paulsen and Fürnkranz 2010, Table 4): row the opponent, column the player.
fn cross(found: &RoundRobin) -> Layout {
    let places = found.standing();
    let sums = [CrossTableRow::Points, CrossTableRow::Wins, CrossTableRow::Draws, CrossTableRow::Losses];
    let rows: Vec<CrossTableRow> =
        places.iter().map(|&place| CrossTableRow::Against(place)).chain(sums).collect();
    let label = |row: &CrossTableRow| match row {
        CrossTableRow::Against(place) => name(found, *place),
        CrossTableRow::Points => "points".to_owned(),
        CrossTableRow::Wins => "wins".to_owned(),
        CrossTableRow::Draws => "draws".to_owned(),
        CrossTableRow::Losses => "losses".to_owned(),
    };
    let mut table = Table::shown(&rows).beside("against", label);
    for (column, &player) in places.iter().enumerate() {
        let total = found.total(player);
        let cell = |row: &CrossTableRow| match row {
            CrossTableRow::Against(opponent) => score(&found.meeting(player, *opponent))
                .map_or(MISSING.to_owned(), |score| rounded(100.0 * score, 1)),
            CrossTableRow::Points => rounded(total.record().map_or(0.0, MatchRecord::points), 1),
            CrossTableRow::Wins => total.wins.to_string(),
            CrossTableRow::Draws => total.draws.to_string(),
            CrossTableRow::Losses => total.losses.to_string(),
        };
        table =
            table.said_beside(head(name(found, player)).gives_way(every_second(column, places.len())), cell);
    }
    let notes = vec![
        "Percent of the points that the column's entrant scored against the row's; below, its points and games against all."
            .to_owned(),
    ];
    table.layout("Who scored what against whom", notes)
}

/// Returns how strong each is.
fn elo(found: &RoundRobin) -> Layout {
    let places = found.standing();
    let table = Table::shown(&places)
        .beside("Entrant", |&place| name(found, place))
        .number_beside(ColumnPart::Value.under("Elo").decimals(0), Unit::Elo, |&place| found.elo(place))
        .heading(ColumnPart::HalfWidth.under("±").decimals(0))
        .beside("Games", |&place| found.total(place).games())
        .number_beside(ColumnPart::Percent.under("Score, %").decimals(1), Quantity::GAME_SCORE, |&place| {
            score(&found.total(place))
        })
        .beside(head("W").gives_way(1), |&place| found.total(place).wins)
        .beside(head("D").gives_way(1), |&place| found.total(place).draws)
        .beside(head("L").gives_way(1), |&place| found.total(place).losses)
        .beside(head("differ").gives_way(2), |&place| found.total(place).different);
    table.layout("Elo of all entrants by maximum likelihood", vec![scale(found), ERRORS.to_owned()])
}

const ERRORS: &str = "A draw is half a win, the curve is logistic. 95 % intervals by pairs of games of one opening, Student's t: \
    a pair is the unit, and what two games of one opening have in common does not count twice.";

/// Says what the points are counted from.
fn scale(found: &RoundRobin) -> String {
    let anchors: Vec<String> =
        found.anchors().map(|(place, elo)| format!("{} ({})", name(found, place), rounded(elo, 0))).collect();
    match anchors.as_slice() {
        [] => "Elo points above the mean of all who are rated.".to_owned(),
        [one] => format!("On the scale of {one}; intervals are those of the distance from it."),
        several => format!(
            "On the scale on which the mean of {} is that of these numbers; intervals are those of the distance from it.",
            several.join(", ")
        ),
    }
}

/// Returns how likely each is stronger than each.
fn superiority(found: &RoundRobin) -> Layout {
    let places = found.standing();
    let mut table = Table::shown(&places).beside("Entrant", |&place| name(found, place));
    for (column, &other) in places.iter().enumerate() {
        let cell = |&place: &usize| number(found.superiority(place, other).map(|chance| 100.0 * chance), 1);
        table =
            table.said_beside(head(name(found, other)).gives_way(every_second(column, places.len())), cell);
    }
    let note = "In percent: the likelihood that the row's entrant is stronger than the column's, Φ of the difference of their \
        ratings in standard errors.";
    table.layout("Likelihood of superiority", vec![note.to_owned()])
}

/// Returns how the sequential test stands.
fn sequential(found: &SequentialMatch) -> Layout {
    let rows = [found];
    let [low, high] = found.test().bounds();
    let counts = found.game_pairs().map_or([0; 5], GamePairs::counts);
    let table = Table::shown(&rows)
        .beside("Test", |test| test.test().to_string())
        .beside("Pairs", |test| test.pairs())
        .said_beside("pairs of\n0·½·1·1½·2\npoints", |_| {
            counts.map(|count| count.to_string()).join("·")
        })
        .said_beside("LLR", |test| rounded(test.log_likelihood_ratio(), 3))
        .said_beside("bounds\nof H0", |_| rounded(low, 3))
        .said_beside("\nof H1", |_| rounded(high, 3))
        .beside("Verdict", |test| test.verdict().to_string());
    let note = "Elo by the logistic curve; LLR: the logarithm of the ratio of the likelihoods of H1 and H0, pairs of games being the \
        observations (pentanomial). Pairs count in the order of the schedule up to the one that decides.";
    table.layout("Sequential test", vec![note.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{GameResult, text::width};
    use crate::lab::{Ending, EntrantAnchor, EntrantNumber, GameRecord};
    use crate::numbers::Sprt;
    use crate::report::publish::text;
    use crate::report::table::Screen;
    use crate::report::words::round_robin::{notes, sentences};

    fn told(found: &RoundRobin, columns: u16) -> String {
        let said = [sentences(found), notes(found)].concat();
        text(&layouts(found), &said, Screen::of_columns(columns))
    }

    /// Ten games of each pair among so many, with exchanged colours: who comes first in the list wins the first `won` of
    /// them, and the rest is drawn.
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
        assert!(text.contains("number 0 comes out first"), "it may be chance: {text}");
        let text = shown(3, 9, &[]);
        assert!(text.contains("number 0 is the strongest"), "{text}");
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
        assert!(text.contains("the mean of number 0 (1500), number 2 (1400)"), "{text}");
        assert!(shown(2, 10, &[]).contains("There are no ratings"), "all games won");
    }

    #[test]
    fn a_sequential_test_says_how_it_stands() {
        let mut test = SequentialMatch::new(Sprt { elo1: 100.0, ..Sprt::default() });
        let games = played(2, 6);
        games.iter().for_each(|game| test.add(game));
        let found = RoundRobin::of(names(2), &games, &[], Some(test)).expect("games");
        let text = told(&found, 100);
        assert!(text.contains("has not decided after 5 pairs of games"), "{text}");
        assert!(text.contains("0·0·2·0·3"), "{text}");
    }
}
