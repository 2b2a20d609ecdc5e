//! Owns `results.csv` of several entrants: their records by name, one row a game, in the order of the schedule.

use std::io;

use serde::{Deserialize, Serialize};

use super::{
    entrants::EntrantNumber,
    game_record::{Ending, GameRecord},
    results::{ResultsError, digits, finished, line_of, read_rows, write_rows},
};

/// A row as it is written; the columns are its fields in their order.
#[derive(Debug, Serialize, Deserialize)]
struct EntrantResultRow {
    game: u32,
    white: String,
    black: String,
    /// Empty where the game began at the start.
    opening: Option<u32>,
    result: String,
    ending: Ending,
    plies: u32,
    /// Sixteen hexadecimal digits.
    line: String,
}

/// Writes a header and a row for each record of entrants with these names.
pub fn write(records: &[GameRecord<EntrantNumber>], names: &[String], out: impl io::Write) -> io::Result<()> {
    let name = |number: EntrantNumber| names[number.place()].clone();
    let row = |record: &GameRecord<EntrantNumber>| EntrantResultRow {
        game: record.game,
        white: name(record.white),
        black: name(record.black),
        opening: record.opening,
        result: record.result.to_string(),
        ending: record.ending,
        plies: record.plies,
        line: digits(record.line),
    };
    write_rows(records.iter().map(row), out)
}

/// Records of several files together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamedRecords {
    /// All who played, in the order in which they first did.
    pub names: Vec<String>,
    /// The games, numbered on from file to file.
    pub records: Vec<GameRecord<EntrantNumber>>,
}

impl NamedRecords {
    /// Adds the rows of a file. Its openings are taken to be those of the other files.
    ///
    /// # Errors
    ///
    /// If it does not hold the results of entrants; the text names the line.
    pub fn read(&mut self, text: impl io::Read) -> Result<(), ResultsError> {
        let first = self.records.iter().map(|record| record.game + 1).max().unwrap_or_default();
        let records = read_rows(text, |row| self.record(row, first))?;
        self.records.extend(records);
        Ok(())
    }

    fn record(&mut self, row: EntrantResultRow, first: u32) -> Result<GameRecord<EntrantNumber>, String> {
        let (white, black) = (self.number(row.white), self.number(row.black));
        if white == black {
            return Err("White and Black have the same name".to_owned());
        }
        let game = first.checked_add(row.game).ok_or("there are more games than can be counted")?;
        Ok(GameRecord {
            game,
            white,
            black,
            opening: row.opening,
            result: finished(&row.result)?,
            ending: row.ending,
            plies: row.plies,
            line: line_of(&row.line)?,
        })
    }

    fn number(&mut self, name: String) -> EntrantNumber {
        let place = self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        EntrantNumber(u32::try_from(place).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::GameResult;

    const HEADER: &str = "game,white,black,opening,result,ending,plies,line\n";

    fn read(rows: &[&str]) -> Result<NamedRecords, ResultsError> {
        let mut found = NamedRecords::default();
        rows.iter().try_for_each(|rows| found.read([HEADER, rows].concat().as_bytes())).map(|()| found)
    }

    #[test]
    fn games_are_read_as_they_were_written_and_numbered_on_in_the_next_file() {
        let rows = "0,\"a, the first\",b,,1-0,checkmate,31,00000000000000ff\n1,b,\"a, the first\",3,1/2-1/2,repetition,60,0000000000000001\n";
        let found = read(&[rows]).expect("results");
        assert_eq!(found.names, ["a, the first", "b"]);
        assert_eq!((found.records[1].opening, found.records[1].result), (Some(3), GameResult::Draw));
        let mut text = Vec::new();
        write(&found.records, &found.names, &mut text).expect("bytes in memory");
        assert_eq!(String::from_utf8(text).expect("text"), [HEADER, rows].concat());
        let twice = read(&[rows, &rows.replace(",b", ",c")]).expect("results");
        assert_eq!(twice.names, ["a, the first", "b", "c"]);
        assert!(twice.records.iter().map(|record| record.game).eq(0..4));
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        let good = "0,a,b,,1-0,checkmate,31,00000000000000ff\n";
        let error = |row: &str| crate::chess::text::with_causes(&read(&[row]).expect_err("a bad row"));
        assert!(error(&good.replace("1-0", "*")).starts_with("line 2: result * is none"));
        assert!(error(&good.replace("a,b", "a,a")).starts_with("line 2: White and Black"));
        assert!(error(&good.replace("00ff", "ff")).contains("16 hexadecimal digits"));
        let mut found = NamedRecords::default();
        let other = found.read("game,white,white_depth\n1,engine,3\n".as_bytes()).expect_err("another table");
        assert!(crate::chess::text::with_causes(&other).contains("missing field"), "{other}");
    }
}
