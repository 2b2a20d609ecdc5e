//! Owns `results.csv`: the records of games, one row a game, in the order of the schedule.

use std::{io, iter};

use serde::Deserialize;

use super::{
    entrants::EntrantNumber,
    game_record::{Contender, Ending, GameRecord, Side},
};
use crate::chess::GameResult;

pub const FILE: &str = "results.csv";

/// A file that does not hold the results of entrants.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    #[error("not the results of an experiment")]
    Csv(#[from] csv::Error),
    /// A field of the right type with an impossible value; lines are counted from 1, the header included.
    #[error("line {line}: {problem}")]
    Row { line: u64, problem: String },
}

/// Writes a header and a row for each record of contenders, who take two columns each.
pub fn write(records: &[GameRecord], out: impl io::Write) -> io::Result<()> {
    let columns = [["white", "white_depth"], ["black", "black_depth"]];
    let side = |side| match side {
        Side::Engine => "engine",
        Side::Opponent => "opponent",
    };
    write_rows(
        records,
        columns,
        |Contender { side: of, depth }| [side(of).to_owned(), depth.to_string()],
        out,
    )
}

/// Writes a header and a row for each record of entrants with these names.
pub fn write_entrants(
    records: &[GameRecord<EntrantNumber>],
    names: &[String],
    out: impl io::Write,
) -> io::Result<()> {
    write_rows(records, [["white"], ["black"]], |number| [names[number.place()].clone()], out)
}

fn write_rows<C: Copy, const N: usize>(
    records: &[GameRecord<C>],
    columns: [[&str; N]; 2],
    player: impl Fn(C) -> [String; N],
    out: impl io::Write,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    if !records.is_empty() {
        let players = columns.iter().flatten().copied();
        let rest = ["opening", "result", "ending", "plies", "line"];
        writer.write_record(iter::once("game").chain(players).chain(rest)).map_err(io::Error::other)?;
    }
    for &GameRecord { game, white, black, opening, result, ending, plies, line } in records {
        let players = [white, black].into_iter().flat_map(&player);
        // Empty where the game began at the start.
        let opening = opening.map(|place| place.to_string()).unwrap_or_default();
        let rest =
            [opening, result.to_string(), ending.to_string(), plies.to_string(), format!("{line:016x}")];
        writer
            .write_record(iter::once(game.to_string()).chain(players).chain(rest))
            .map_err(io::Error::other)?;
    }
    writer.flush()
}

#[derive(Debug, Deserialize)]
struct EntrantRow {
    game: u32,
    white: String,
    black: String,
    opening: Option<u32>,
    result: String,
    ending: Ending,
    plies: u32,
    line: String,
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
    /// Adds the rows of a file of entrants' results. Its openings are taken to be those of the other files.
    pub fn read(&mut self, text: impl io::Read) -> Result<(), ResultsError> {
        let first = self.records.iter().map(|record| record.game + 1).max().unwrap_or_default();
        let mut reader = csv::Reader::from_reader(text);
        let mut row = csv::StringRecord::new();
        let header = reader.headers()?.clone();
        let mut records = Vec::new();
        while reader.read_record(&mut row)? {
            let line = row.position().map_or(0, csv::Position::line);
            let record = self.record(row.deserialize(Some(&header))?, first);
            records.push(record.map_err(|problem| ResultsError::Row { line, problem })?);
        }
        self.records.extend(records);
        Ok(())
    }

    fn record(&mut self, row: EntrantRow, first: u32) -> Result<GameRecord<EntrantNumber>, String> {
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
            result: match row.result.parse().map_err(|error| format!("result {error}"))? {
                GameResult::Unknown => {
                    return Err("result * is none: a finished game has 1-0, 0-1 or 1/2-1/2".to_owned());
                }
                result => result,
            },
            ending: row.ending,
            plies: row.plies,
            line: u64::from_str_radix(&row.line, 16)
                .ok()
                .filter(|_| row.line.len() == 16)
                .ok_or_else(|| format!("line {:?} is not 16 hexadecimal digits", row.line))?,
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
#[path = "tests/read_back.rs"]
mod read_back;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{read_back::read, *};

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
            prop_assert_eq!(read(text(&records).as_bytes()), records);
        }
    }

    const ENTRANTS: &str = "game,white,black,opening,result,ending,plies,line\n";

    fn read_entrants(rows: &[&str]) -> Result<NamedRecords, ResultsError> {
        let mut found = NamedRecords::default();
        rows.iter().try_for_each(|rows| found.read([ENTRANTS, rows].concat().as_bytes())).map(|()| found)
    }

    #[test]
    fn games_are_read_as_they_were_written_and_numbered_on_in_the_next_file() {
        let rows = "0,\"a, the first\",b,,1-0,checkmate,31,00000000000000ff\n1,b,\"a, the first\",3,1/2-1/2,repetition,60,0000000000000001\n";
        let found = read_entrants(&[rows]).expect("results");
        assert_eq!(found.names, ["a, the first", "b"]);
        assert_eq!((found.records[1].opening, found.records[1].result), (Some(3), GameResult::Draw));
        let mut text = Vec::new();
        write_entrants(&found.records, &found.names, &mut text).expect("bytes in memory");
        assert_eq!(String::from_utf8(text).expect("text"), [ENTRANTS, rows].concat());
        let twice = read_entrants(&[rows, &rows.replace(",b", ",c")]).expect("results");
        assert_eq!(twice.names, ["a, the first", "b", "c"]);
        assert!(twice.records.iter().map(|record| record.game).eq(0..4));
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        let good = "0,a,b,,1-0,checkmate,31,00000000000000ff\n";
        let error =
            |row: &str| crate::chess::text::with_causes(&read_entrants(&[row]).expect_err("a bad row"));
        assert!(error(&good.replace("1-0", "*")).starts_with("line 2: result * is none"));
        assert_eq!(
            error(&good.replace("1-0", "2-0")),
            "line 2: result \"2-0\" is not 1-0, 0-1, 1/2-1/2 or *"
        );
        assert!(error(&good.replace("checkmate", "boredom")).contains("line: 2"));
        assert!(error("7,a\n").contains("line: 2"));
        assert!(error(&good.replace("a,b", "a,a")).starts_with("line 2: White and Black"));
        assert!(error(&good.replace("00ff", "ff")).contains("16 hexadecimal digits"));
        let mut found = NamedRecords::default();
        let foreign = found.read("round,player\n1,Anand\n".as_bytes()).expect_err("another table");
        assert!(crate::chess::text::with_causes(&foreign).contains("missing field"));
        let other = found.read("game,white,white_depth\n1,engine,3\n".as_bytes()).expect_err("another table");
        assert!(crate::chess::text::with_causes(&other).contains("missing field"), "{other}");
    }
}
