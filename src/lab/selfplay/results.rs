//! Owns `results.csv`: the records of an experiment, one row a game, in the order of the schedule.

use std::io;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::game_record::{Contender, Ending, GameRecord, Side};
use crate::chess::GameResult;

/// The name of the file in the folder of an experiment.
pub const FILE: &str = "results.csv";

/// A file that does not hold the records of an experiment.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The columns are others, or a field is not what its column holds.
    #[error("not the results of an experiment")]
    Csv(#[from] csv::Error),
    /// A field of the right type with an impossible value.
    #[error("line {line}: {problem}")]
    Row {
        /// Counted from 1, the header included.
        line: u64,
        /// What is wrong, and what would be right.
        problem: String,
    },
}

/// A row as it is written; the columns are its fields in their order.
#[derive(Debug, Serialize, Deserialize)]
struct ResultRow {
    game: u32,
    white: Side,
    white_depth: u32,
    black: Side,
    black_depth: u32,
    /// Empty where the game began at the start.
    opening: Option<u32>,
    result: String,
    ending: Ending,
    plies: u32,
    /// Sixteen hexadecimal digits.
    line: String,
}

/// Writes a header and a row for each record.
pub fn write(records: &[GameRecord], out: impl io::Write) -> io::Result<()> {
    write_rows(records.iter().map(ResultRow::from), out)
}

pub(super) fn write_rows(rows: impl Iterator<Item = impl Serialize>, out: impl io::Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for row in rows {
        writer.serialize(row).map_err(io::Error::other)?;
    }
    writer.flush()
}

/// Returns the records in the order of their rows.
pub fn read(text: impl io::Read) -> Result<Vec<GameRecord>, ResultsError> {
    read_rows(text, ResultRow::record)
}

/// Returns what `record` makes of each row, in their order; its errors say what is wrong with a field.
pub(super) fn read_rows<R: DeserializeOwned, T>(
    text: impl io::Read,
    mut record: impl FnMut(R) -> Result<T, String>,
) -> Result<Vec<T>, ResultsError> {
    let mut reader = csv::Reader::from_reader(text);
    let mut records = Vec::new();
    let mut row = csv::StringRecord::new();
    let header = reader.headers()?.clone();
    while reader.read_record(&mut row)? {
        let line = row.position().map_or(0, csv::Position::line);
        let record = record(row.deserialize(Some(&header))?);
        records.push(record.map_err(|problem| ResultsError::Row { line, problem })?);
    }
    Ok(records)
}

impl From<&GameRecord> for ResultRow {
    fn from(record: &GameRecord) -> ResultRow {
        let GameRecord { game, white, black, opening, result, ending, plies, line } = *record;
        ResultRow {
            game,
            white: white.side,
            white_depth: white.depth,
            black: black.side,
            black_depth: black.depth,
            opening,
            result: result.to_string(),
            ending,
            plies,
            line: digits(line),
        }
    }
}

impl ResultRow {
    /// Returns the record; otherwise what is wrong with a field.
    fn record(self) -> Result<GameRecord, String> {
        Ok(GameRecord {
            game: self.game,
            white: Contender { side: self.white, depth: self.white_depth },
            black: Contender { side: self.black, depth: self.black_depth },
            opening: self.opening,
            result: finished(&self.result)?,
            ending: self.ending,
            plies: self.plies,
            line: line_of(&self.line)?,
        })
    }
}

/// Reads the result of a finished game.
pub(super) fn finished(text: &str) -> Result<GameResult, String> {
    match text.parse().map_err(|error| format!("result {error}"))? {
        GameResult::Unknown => Err("result * is none: a finished game has 1-0, 0-1 or 1/2-1/2".to_owned()),
        result => Ok(result),
    }
}

/// Writes the digest of a game's moves.
pub(super) fn digits(line: u64) -> String {
    format!("{line:016x}")
}

/// Reads what [`digits`] wrote.
pub(super) fn line_of(text: &str) -> Result<u64, String> {
    let line = u64::from_str_radix(text, 16).ok().filter(|_| text.len() == 16);
    line.ok_or_else(|| format!("line {text:?} is not 16 hexadecimal digits"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(records: &[GameRecord]) -> String {
        let mut bytes = Vec::new();
        write(records, &mut bytes).expect("bytes in memory");
        String::from_utf8(bytes).expect("text")
    }

    fn contender(side: Side, depth: u32) -> Contender {
        Contender { side, depth }
    }

    #[test]
    fn a_game_is_a_row_that_a_person_can_read() {
        let mut record = GameRecord {
            game: 7,
            white: contender(Side::Engine, 3),
            black: contender(Side::Opponent, 12),
            opening: None,
            result: GameResult::Draw,
            ending: Ending::FiftyMoves,
            plies: 231,
            line: 0x1f,
        };
        const HEADER: &str = "game,white,white_depth,black,black_depth,opening,result,ending,plies,line\n";
        let row = "7,engine,3,opponent,12,,1/2-1/2,fifty-moves,231,000000000000001f\n";
        assert_eq!(text(&[record]), [HEADER, row].concat());
        record.opening = Some(4);
        assert!(text(&[record]).contains(",12,4,1/2-1/2,"));
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        let good = "7,engine,3,engine,4,,1-0,checkmate,31,00000000000000ff\n";
        let header = "game,white,white_depth,black,black_depth,opening,result,ending,plies,line\n";
        let error = |row: &str| {
            let text = [header, good, row].concat();
            crate::chess::text::with_causes(&read(text.as_bytes()).expect_err("a bad row"))
        };
        assert_eq!(
            error(&good.replace("1-0", "2-0")),
            "line 3: result \"2-0\" is not 1-0, 0-1, 1/2-1/2 or *"
        );
        assert!(error(&good.replace("1-0", "*")).starts_with("line 3: result * is none"));
        assert!(error(&good.replace("00ff", "ff")).contains("16 hexadecimal digits"));
        assert!(error(&good.replace("checkmate", "boredom")).contains("line: 3"));
        assert!(error("7,engine\n").contains("line: 3"));
        let other = read("round,player\n1,Anand\n".as_bytes()).expect_err("another table");
        assert!(crate::chess::text::with_causes(&other).contains("missing field"));
    }

    fn any_contender() -> impl Strategy<Value = Contender> {
        let side = prop_oneof![Just(Side::Engine), Just(Side::Opponent)];
        (side, 1u32..245).prop_map(|(side, depth)| Contender { side, depth })
    }

    prop_compose! {
        fn any_outcome()(
            game in any::<u32>(), white in any_contender(), black in any_contender(),
            opening in prop::option::of(any::<u32>()), ending in prop::sample::select(Ending::ALL.to_vec()), plies in any::<u32>(),
            result in prop::sample::select(vec![GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw]),
            line in any::<u64>(),
        ) -> GameRecord {
            GameRecord { game, white, black, opening, result, ending, plies, line }
        }
    }

    proptest! {
        #[test]
        fn outcomes_are_read_as_they_were_written(records in prop::collection::vec(any_outcome(), 0..20)) {
            prop_assert_eq!(read(text(&records).as_bytes()).expect("our own file"), records);
        }
    }
}
