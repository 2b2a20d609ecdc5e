//! Paulsen and Fürnkranz's Tables 2 to 5: the numbers that follow from other numbers in the paper.

use super::{
    cell::{PaperCell, PaperColumn, PaperTable},
    printed_table::{PaperData, PrintedTable},
};

/// The learned players, named by the rating of the players in their training games, in the order of Table 4's
/// rows and columns.
const PLAYERS: [&str; 4] = ["1000", "1200", "1400", "1600"];

/// Number of games of each pair in Table 4. With 100 games, points are percentages.
const GAMES: f64 = 100.0;

pub fn tables(data: &PaperData) -> Vec<PaperTable> {
    let matches = [
        (1, "Table 4 at 1 ply: points, sums and games"),
        (2, "Table 4 at 2 plies: points, sums and games"),
        (4, "Table 4 at 4 plies: points, sums and games"),
    ];
    let matches = matches.map(|(plies, title)| results(title, plies, &data["table4_matches"]));
    [training(&data["table2_data"]), estimates(&data["table3_xialpha"])]
        .into_iter()
        .chain(matches)
        .chain([server(&data["table5_fics"])])
        .collect()
}

fn training(printed: &PrintedTable) -> PaperTable {
    let [games, positions, examples] = ["games", "positions", "examples"].map(|name| printed.numbers(name));
    let ratio = |of: &[f64], by: &[f64]| -> Vec<f64> { of.iter().zip(by).map(|(of, by)| of / by).collect() };
    PaperTable::new(
        "Table 2: the training data",
        "Elo",
        vec![
            PaperColumn::unprinted("positions a\ngame", 2, ratio(&positions, &games)),
            PaperColumn::unprinted("examples a\nposition", 2, ratio(&examples, &positions)),
        ],
        printed.names(),
    )
    .noted(
        "No number of the table follows from other numbers. Every tenth ply of a game was taken, and every \
             alternative to the move played gave an example. The ratios mean about 70 half-moves per game \
             and 30 alternatives per position, which is usual in chess.",
    )
}

/// Returns the share of positive examples that is consistent with error, recall and precision. With recall R,
/// precision P and a share π, the error is π·(1 − R) + π·R·(1/P − 1).
fn implied_share(error: f64, recall: f64, precision: f64) -> f64 {
    error / ((1.0 - recall) + recall * (1.0 / precision - 1.0))
}

fn estimates(printed: &PrintedTable) -> PaperTable {
    let shares = |name| printed.numbers(name).into_iter().map(|percent| percent / 100.0).collect::<Vec<_>>();
    let [error, recall, precision] = ["error_pct", "recall_pct", "precision_pct"].map(shares);
    let each = error.iter().zip(&recall).zip(&precision).map(|((&e, &r), &p)| 100.0 * implied_share(e, r, p));
    PaperTable::new(
        "Table 3: estimates of error, recall and precision",
        "Elo",
        vec![PaperColumn::unprinted("positive\nexamples, %", 1, each)],
        printed.names(),
    )
    .noted(
        "No number of the table follows from other numbers. If one classifier had all three values, the \
             column would be the share of positive examples: near 58 % for all four models, although pairs \
             in both directions would give 50 %. But ξα-estimates are separate bounds: upper bounds of the \
             error, lower bounds of recall and precision.",
    )
}

struct GroupColumn {
    name: String,
    points: Vec<Option<f64>>,
    sum: f64,
    record: [f64; 3],
}

/// The name of the row of sums, which follows the opponents' rows.
const SUM: &str = "SUM";
const RECORD: [&str; 3] = ["wins", "draws", "losses"];

fn column(printed: &PrintedTable, plies: u32, player: &str) -> GroupColumn {
    let texts = printed.column(&format!("{plies}ply_{player}"));
    let of = |name: &str| {
        let row = printed.names().iter().position(|row| row == name).expect("a row of Table 4");
        texts[row].clone()
    };
    let number = |name: &str| of(name).parse::<f64>().expect("a number in Table 4");
    let opponents = opponents(printed);
    GroupColumn {
        name: player.to_owned(),
        points: opponents.iter().map(|opponent| of(opponent).parse().ok()).collect(),
        sum: number(SUM),
        record: RECORD.map(number),
    }
}

fn opponents(printed: &PrintedTable) -> Vec<String> {
    printed.names().into_iter().take_while(|name| name != SUM).collect()
}

/// Returns the numbers that follow from other numbers: a player's points from the opponents' points, the sum
/// from the points and from wins and draws, and the losses from the number of games.
fn results(title: &'static str, plies: u32, printed: &PrintedTable) -> PaperTable {
    let columns: Vec<GroupColumn> = PLAYERS.iter().map(|player| column(printed, plies, player)).collect();
    let opponents = opponents(printed);
    let mirrored = |player: usize, opponent: usize| -> PaperCell {
        let print = columns[player].points[opponent];
        let theirs = columns.get(opponent).and_then(|other| other.points[player]);
        match (theirs, print) {
            (Some(theirs), Some(print)) => PaperCell::of(GAMES - theirs, &format!("{print:.1}")),
            _ => PaperCell::unprinted(None),
        }
    };
    let cells = |player: usize| -> Vec<PaperCell> {
        let GroupColumn { points, sum, record: [wins, draws, losses], .. } = &columns[player];
        let games = GAMES * points.iter().flatten().count() as f64;
        let sum_of_points: f64 = points.iter().flatten().sum();
        let derived = [
            PaperCell::of(sum_of_points, &format!("{sum:.1}")),
            PaperCell::of(wins + draws / 2.0, &format!("{sum:.1}")),
            PaperCell::of(games - wins - draws, &format!("{losses}")),
        ];
        (0..opponents.len()).map(|opponent| mirrored(player, opponent)).chain(derived).collect()
    };
    let table_columns =
        (0..columns.len()).map(|player| PaperColumn::of_cells(columns[player].name.clone(), cells(player)));
    let against = opponents.iter().map(|opponent| format!("against {opponent}"));
    let derived = ["sum of points", "wins + draws/2", "losses"].map(str::to_owned);
    PaperTable::new(title, "100 games each", table_columns.collect(), against.chain(derived).collect())
        .below()
        .noted(
            "Points against another player: 100 minus that player's points. Losses: the games minus wins and \
                 draws. TSCP's own points are not printed, so points against TSCP do not follow from other \
                 numbers.",
        )
}

fn server(printed: &PrintedTable) -> PaperTable {
    let ratings: Vec<Vec<f64>> = ["blitz_1ply", "std_1ply", "blitz_flex", "std_flex"]
        .iter()
        .map(|name| printed.numbers(name))
        .collect();
    let mean = |row: usize| -> f64 {
        ratings.iter().map(|column| column[row] - column[0]).sum::<f64>() / ratings.len() as f64
    };
    let rows = printed.names();
    PaperTable::new(
        "Table 5: ratings on an internet chess server",
        "Elo",
        vec![PaperColumn::of("mean\ndifference", (0..rows.len()).map(mean), &printed.column("avg_diff"))],
        rows,
    )
    .noted(
        "Difference from the rating of the player that was learned from games of players rated 1000: mean of the \
         four kinds of rating.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::papers::{Paper, VerdictCounts, tally};

    #[test]
    fn every_number_that_follows_from_others_comes_out() {
        // Each of the three depths has 12 points against other players and 12 derived numbers. Table 5 has 4
        // means.
        let counts = tally(&tables(&Paper::Paulsen2010.data()));
        assert_eq!(counts, VerdictCounts { agreeing: 3 * 24 + 4, explained: 0, differing: 0 });
    }

    #[test]
    fn a_wrong_number_is_found_out() {
        let wrong = |row: usize, name: &str, text: &str| {
            tally(&tables(&Paper::Paulsen2010.data().with("table4_matches", row, name, text))).differing
        };
        assert_eq!(wrong(0, "1ply_1200", "48.5"), 3, "the mirrored points, those themselves, and the sum");
        assert_eq!(wrong(6, "4ply_1600", "172"), 2, "wins + draws/2, and losses");
        let server = Paper::Paulsen2010.data().with("table5_fics", 1, "std_flex", "2076");
        assert_eq!(tally(&tables(&server)).differing, 1);
    }

    #[test]
    fn error_recall_and_precision_of_one_classifier_give_back_its_share() {
        // 60 positive and 40 negative examples; 45 and 10 of them are classified as positive. So error .25,
        // recall .75, precision 45/55.
        assert!((implied_share(0.25, 0.75, 45.0 / 55.0) - 0.6).abs() < 1e-12);
    }
}
