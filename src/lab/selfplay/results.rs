//! `results.csv`: the records of games, one per row, in the order of the schedule.

use std::{collections::HashSet, io, iter};

use serde::Deserialize;

use super::{entrants::EntrantNumber, game_record::Contender, game_record::GameRecord, game_record::Side};
use crate::base::{seal::Seal, seal::SealError, text::escape_formula, text::unescape_formula};
use crate::chess::{Ending, GameResult};

pub const FILE: &str = "results.csv";

#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    #[error("not a valid CSV table")]
    Csv(#[from] csv::Error),
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The file is another table, or its columns have changed.
    #[error("its columns are not {expected}")]
    Columns { expected: String },
    /// A field with an impossible value. Lines are counted from 1, including the header.
    #[error("line {line}: {problem}")]
    Row { line: u64, problem: String },
}

/// Writes a header and a row for each record, or nothing without records. Each of the two contenders takes
/// two columns.
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

/// Writes a header and a row for each record of entrants with these names, or nothing without records.
pub fn write_entrants(
    records: &[GameRecord<EntrantNumber>],
    names: &[String],
    out: impl io::Write,
) -> io::Result<()> {
    write_rows(records, [["white"], ["black"]], |number| [escape_formula(&names[number.place()])], out)
}

fn write_rows<C: Copy, const N: usize>(
    records: &[GameRecord<C>],
    columns: [[&str; N]; 2],
    player: impl Fn(C) -> [String; N],
    mut out: impl io::Write,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    if !records.is_empty() {
        let players = columns.iter().flatten().copied();
        writer.write_record(iter::once("game").chain(players).chain(REST)).map_err(io::Error::other)?;
    }
    for &GameRecord { game, white, black, opening, result, ending, plies, line } in records {
        let players = [white, black].into_iter().flat_map(&player);
        // Empty for a game from the initial position.
        let opening = opening.map(|place| place.to_string()).unwrap_or_default();
        let rest = [
            opening,
            result.to_string(),
            ending.to_string(),
            plies.to_string(),
            format!("{line:016x}"),
            // The seal of the whole table fills this field in the last row.
            String::new(),
        ];
        writer
            .write_record(iter::once(game.to_string()).chain(players).chain(rest))
            .map_err(io::Error::other)?;
    }
    let rows = writer.into_inner().map_err(|error| error.into_error())?;
    if rows.is_empty() {
        return Ok(());
    }
    out.write_all(Seal::CELL.seal(&String::from_utf8(rows).map_err(io::Error::other)?).as_bytes())
}

const REST: [&str; 6] = ["opening", "result", "ending", "plies", "line", "digest"];

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
    /// All players, in the order of their first game.
    pub names: Vec<String>,
    /// The games. Their numbers continue from file to file.
    pub records: Vec<GameRecord<EntrantNumber>>,
    /// Number of games left out of the records because an earlier file has them.
    pub copies: u32,
}

/// The key by which a game is recognized in another file: players, moves and ending.
type GameKey = (EntrantNumber, EntrantNumber, u64, u32, GameResult, Ending);

fn key(record: &GameRecord<EntrantNumber>) -> GameKey {
    (record.white, record.black, record.line, record.plies, record.result, record.ending)
}

impl NamedRecords {
    /// Adds the rows of a file of entrants' results. The same opening number must mean the same opening in
    /// all files; this is not checked.
    ///
    /// A file with a column `digest` must be unchanged; a file without it may be written by hand. A game that
    /// is also in an earlier file is left out as a copy. Equal games within one file all count.
    pub fn read(&mut self, text: &str) -> Result<(), ResultsError> {
        let first = self.records.iter().map(|record| record.game + 1).max().unwrap_or_default();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let mut row = csv::StringRecord::new();
        let header = reader.headers()?.clone();
        let columns: Vec<&str> = ["game", "white", "black"].into_iter().chain(REST).collect();
        match header.iter().collect::<Vec<_>>() {
            found if found == columns => {
                Seal::CELL.open(text)?;
            }
            found if found == columns[..columns.len() - 1] => {}
            _ => return Err(ResultsError::Columns { expected: columns.join(",") }),
        }
        let known: HashSet<GameKey> = self.records.iter().map(key).collect();
        let mut records = Vec::new();
        while reader.read_record(&mut row)? {
            let line = row.position().map_or(0, csv::Position::line);
            let record = self.record(row.deserialize(Some(&header))?, first);
            records.push(record.map_err(|problem| ResultsError::Row { line, problem })?);
        }
        let read = records.len();
        records.retain(|record| !known.contains(&key(record)));
        self.copies += (read - records.len()) as u32;
        self.records.extend(records);
        Ok(())
    }

    fn record(&mut self, row: EntrantRow, first: u32) -> Result<GameRecord<EntrantNumber>, String> {
        let (white, black) =
            (self.number(unescape_formula(&row.white)), self.number(unescape_formula(&row.black)));
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
                GameResult::Unknown | GameResult::BothLose => {
                    return Err(format!(
                        "result {} is invalid: a finished game has 1-0, 0-1 or 1/2-1/2",
                        row.result
                    ));
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

    fn number(&mut self, name: &str) -> EntrantNumber {
        let place = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
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
        const HEADER: &str =
            "game,white,white_depth,black,black_depth,opening,result,ending,plies,line,digest\n";
        let row = "7,engine,3,opponent,12,,1/2-1/2,fifty-moves,231,000000000000001f,\n";
        assert_eq!(text(&[record]), Seal::CELL.seal(&[HEADER, row].concat()));
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
        rows.iter().try_for_each(|rows| found.read(&[ENTRANTS, rows].concat())).map(|()| found)
    }

    #[test]
    fn games_are_read_as_they_were_written_and_numbered_on_in_the_next_file() {
        let rows = "0,\"a, the first\",b,,1-0,checkmate,31,00000000000000ff\n1,b,\"a, the first\",3,1/2-1/2,repetition,60,0000000000000001\n";
        let found = read_entrants(&[rows]).expect("results");
        assert_eq!(found.names, ["a, the first", "b"]);
        assert_eq!((found.records[1].opening, found.records[1].result), (Some(3), GameResult::Draw));
        let mut text = Vec::new();
        write_entrants(&found.records, &found.names, &mut text).expect("bytes in memory");
        let text = String::from_utf8(text).expect("text");
        assert_eq!(without_digest(&text), [ENTRANTS, rows].concat());
        let other = rows.replace(",b", ",c").replace("\n1,b,", "\n1,c,");
        let twice = read_entrants(&[rows, &other]).expect("results");
        assert_eq!(twice.names, ["a, the first", "b", "c"]);
        assert!(twice.records.iter().map(|record| record.game).eq(0..4));
    }

    /// Returns the table without digests, as a person would write it.
    fn without_digest(text: &str) -> String {
        let cut = |line: &str| line.rsplit_once(',').map(|(rest, _)| format!("{rest}\n"));
        text.lines().filter_map(cut).collect()
    }

    const ROWS: &str = "0,a,b,,1-0,checkmate,31,00000000000000ff\n\
                        1,b,a,3,1/2-1/2,repetition,60,0000000000000001\n\
                        2,a,b,,1-0,checkmate,31,00000000000000ff\n";

    #[test]
    fn a_game_that_an_earlier_file_has_counts_once() {
        let once = read_entrants(&[ROWS]).expect("results");
        assert_eq!((once.records.len(), once.copies), (3, 0), "in one file it was played twice");
        let part = ROWS.lines().nth(1).expect("a row").to_owned() + "\n";
        for (again, copies) in [(ROWS, 3), (&part, 1)] {
            let both = read_entrants(&[ROWS, again]).expect("results");
            assert_eq!((both.records, both.copies), (once.records.clone(), copies));
        }
        let other = read_entrants(&[ROWS, &ROWS.replace("1-0,", "0-1,")]).expect("results");
        assert_eq!((other.records.len(), other.copies), (5, 1), "the draw is the same game");
    }

    #[test]
    fn what_has_changed_since_it_was_written_is_refused() {
        let found = read_entrants(&[ROWS]).expect("results");
        let mut text = Vec::new();
        write_entrants(&found.records, &found.names, &mut text).expect("bytes in memory");
        let text = String::from_utf8(text).expect("text");
        let read = |text: &str| NamedRecords::default().read(text).map_err(|error| error.to_string());
        assert_eq!(read(&text), Ok(()));
        let lines: Vec<&str> = text.lines().collect();
        let swapped = [lines[0], lines[2], lines[1], lines[3], ""].join("\n");
        for other in [text.replacen("31", "37", 1), text.replacen("1-0", "0-1", 1), swapped] {
            let error = read(&other).expect_err("changed");
            assert!(error.starts_with("it has changed since gainalyze wrote it"), "{error}");
        }
        let cut = lines[..3].join("\n") + "\n";
        assert!(read(&cut).is_err(), "a row is missing");
        let renamed = read(&text.replace("digest", "digess")).expect_err("another column");
        assert!(renamed.starts_with("its columns are not game,"), "{renamed}");
    }

    #[test]
    fn a_name_that_a_spreadsheet_would_run_is_disarmed_and_read_back() {
        let names = ["@SUM(1)", "=1+1"].map(str::to_owned);
        let found = read_entrants(&[ROWS]).expect("results");
        let mut text = Vec::new();
        write_entrants(&found.records, &names, &mut text).expect("bytes in memory");
        let text = String::from_utf8(text).expect("text");
        assert!(text.contains("\n0,'@SUM(1),'=1+1,"), "{text}");
        let mut again = NamedRecords::default();
        again.read(&text).expect("its own rows");
        assert_eq!(again.names, names);
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        let good = "0,a,b,,1-0,checkmate,31,00000000000000ff\n";
        let error =
            |row: &str| crate::base::text::with_causes(&read_entrants(&[row]).expect_err("a bad row"));
        assert!(error(&good.replace("1-0", "*")).starts_with("line 2: result * is invalid"));
        assert_eq!(
            error(&good.replace("1-0", "2-0")),
            "line 2: result \"2-0\" is not 1-0, 0-1, 1/2-1/2, 0-0 or *"
        );
        assert!(error(&good.replace("checkmate", "boredom")).contains("line: 2"));
        assert!(error("7,a\n").contains("line: 2"));
        assert!(error(&good.replace("a,b", "a,a")).starts_with("line 2: White and Black"));
        assert!(error(&good.replace("00ff", "ff")).contains("16 hexadecimal digits"));
        let mut found = NamedRecords::default();
        for other in ["round,player\n1,Anand\n", "game,white,white_depth\n1,engine,3\n"] {
            let error = found.read(other).expect_err("another table").to_string();
            assert!(error.contains("its columns are not game,white,black,opening"), "{error}");
        }
    }
}
