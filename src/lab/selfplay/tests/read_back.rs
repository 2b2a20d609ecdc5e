//! Reads contenders' records back, for the unit tests and the tests in tests/suite. The program itself does
//! not read them.

use std::io;

use gainalyze::chess::Ending;
use gainalyze::lab::{Contender, GameRecord, Side};
use serde::Deserialize;

/// A row as written; its fields are the columns.
#[derive(Debug, Deserialize)]
struct ResultRow {
    game: u32,
    white: Side,
    white_depth: u32,
    black: Side,
    black_depth: u32,
    opening: Option<u32>,
    result: String,
    ending: Ending,
    plies: u32,
    line: String,
}

/// Returns the records in the order of their rows.
pub fn read(text: impl io::Read) -> Vec<GameRecord> {
    let mut reader = csv::Reader::from_reader(text);
    let record = |row: Result<ResultRow, csv::Error>| {
        let row = row.expect("the results of an experiment");
        GameRecord {
            game: row.game,
            white: Contender { side: row.white, depth: row.white_depth },
            black: Contender { side: row.black, depth: row.black_depth },
            opening: row.opening,
            result: row.result.parse().expect("a result"),
            ending: row.ending,
            plies: row.plies,
            line: u64::from_str_radix(&row.line, 16).expect("hexadecimal digits"),
        }
    };
    reader.deserialize().map(record).collect()
}
