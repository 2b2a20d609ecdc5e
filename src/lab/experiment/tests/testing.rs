//! Artificial games for tests, and games that match the papers' numbers.

use crate::chess::{Ending, GameResult};
use crate::lab::experiment::ScoreMatrix;
use crate::lab::papers::printed_table::PrintedTable;
use crate::lab::selfplay::{Contender, GameRecord, Side};
use crate::numbers::Estimate;

/// Returns the contender of the engine at a depth.
pub fn depth(depth: u32) -> Contender {
    Contender { side: Side::Engine, depth }
}

/// Returns a game of 126 plies between the depths `white` and `black`.
pub fn game([white, black]: [u32; 2], result: GameResult, line: u64) -> GameRecord {
    GameRecord {
        game: 0,
        white: depth(white),
        black: depth(black),
        opening: None,
        result,
        ending: Ending::Checkmate,
        plies: 126,
        line,
    }
}

/// Returns games of depth `deep` against depth `shallow`, all with different moves. The colors alternate. The
/// counts are from the view of `deep`.
pub fn games_of([deep, shallow]: [u32; 2], (wins, draws, losses): (u32, u32, u32)) -> Vec<GameRecord> {
    let results = [(wins, Some(true)), (draws, None), (losses, Some(false))];
    let results = results.into_iter().flat_map(|(count, won)| std::iter::repeat_n(won, count as usize));
    let of = |(number, won): (u64, Option<bool>)| {
        let has_white = number.is_multiple_of(2);
        let result = match won {
            None => GameResult::Draw,
            Some(won) if won == has_white => GameResult::WhiteWins,
            Some(_) => GameResult::BlackWins,
        };
        let sides = if has_white { [deep, shallow] } else { [shallow, deep] };
        GameRecord { game: number as u32, ..game(sides, result, number) }
    };
    (0..).zip(results).map(of).collect()
}

/// Returns the games of matches between neighboring depths: 2 against 1, 3 against 2, and so on.
pub fn series(records: &[(u32, u32, u32)]) -> Vec<GameRecord> {
    (1..).zip(records).flat_map(|(below, &record)| games_of([below + 1, below], record)).collect()
}

/// Returns the seven matches of Heinz's Table 5.
pub fn heinz() -> Vec<GameRecord> {
    let sheet = PrintedTable::parse(include_str!("../../../../data/papers/heinz_table5_matches.csv"));
    let counts = |name: &str| sheet.counts(name);
    let records = counts("wins").into_iter().zip(counts("draws")).zip(counts("losses"));
    let shallow = counts("d_low").into_iter();
    let games = shallow.zip(records).map(|(low, ((w, d), l))| games_of([low + 1, low], (w, d, l)));
    games.flatten().collect()
}

/// Returns half-points of 200 games of each pair of Ferreira's depths.
fn ferreira_sheet() -> PrintedTable {
    PrintedTable::parse(include_str!("../../../../data/papers/ferreira_table3_reconstructed_x400.csv"))
}

/// Returns Ferreira's scores.
pub fn ferreira() -> ScoreMatrix {
    let columns: Vec<Vec<u32>> =
        ferreira_sheet().columns().iter().map(|name| ferreira_sheet().counts(name)).collect();
    ScoreMatrix::new((6..=20).map(depth).collect(), |row, column| (columns[column][row], 200))
}

/// Returns the scores of depths 1 to 4, with ten games per pair. Depth 1 lost every game.
pub fn one_loser() -> ScoreMatrix {
    ScoreMatrix::new((1..=4).map(depth).collect(), |row, column| match (row, column) {
        (0, _) => (0, 10),
        (_, 0) => (20, 10),
        (row, column) if row > column => (13, 10),
        _ => (7, 10),
    })
}

/// Returns games that give Ferreira's scores, with as few draws as their half-points allow.
pub fn ferreira_games() -> Vec<GameRecord> {
    let sheet = ferreira_sheet();
    let columns: Vec<Vec<u32>> = sheet.columns().iter().map(|name| sheet.counts(name)).collect();
    let pairs = (0..columns.len()).flat_map(|deep| (0..deep).map(move |shallow| (deep, shallow)));
    let games = pairs.flat_map(|(deep, shallow)| {
        let points = columns[shallow][deep];
        let (wins, draws) = (points / 2, points % 2);
        games_of([deep as u32 + 6, shallow as u32 + 6], (wins, draws, 200 - wins - draws))
    });
    games.collect()
}

/// Returns half of the width of an estimate's interval.
pub fn half_width(estimate: Estimate) -> f64 {
    estimate.interval.expect("an interval").half_width()
}
