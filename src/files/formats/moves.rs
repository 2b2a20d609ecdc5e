//! Reading of evaluations from a report's table of moves.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::{collections::BTreeMap, fs::File, str::FromStr, time::Duration};

use polars::prelude::{Column, DataFrame, DataType, PolarsError, StringChunked};
use polars_io::{SerReader, csv::read::CsvReadOptions, mmap::MmapBytesReader};
use serde_json::Value;
use shakmaty::{ByColor, Color, uci::UciMove};
use thiserror::Error;

use crate::base::output::{RecordedFileError, RecordedFolder, RunKind};
use crate::base::text::{brief, full_path, unescape_formula};
use crate::chess::{Evaluation, Evaluations, Score, SignedScore, Wdl};
use crate::files::{formats::Format, formats::parquet, rerun::RecordedGame};

/// The reason why a report cannot be read back. Rows and games count from 1, and ply 0 is the start position.
#[derive(Debug, Error)]
pub enum RereadError {
    #[error("{}: not the folder of a report: it has no moves.csv, moves.parquet or moves.json", full_path(.0))]
    NoMoves(PathBuf),
    #[error("{}: cannot be read", full_path(.0))]
    Io(PathBuf, #[source] std::io::Error),
    #[error("{}: not a readable table", full_path(.0))]
    Table(PathBuf, #[source] PolarsError),
    #[error("{}: not a readable table", full_path(.0))]
    Json(PathBuf, #[source] serde_json::Error),
    #[error("{}: has no column {column:?}, so it is not a report's table of {what}", full_path(path))]
    Column { path: PathBuf, column: &'static str, what: &'static str },
    #[error("{}, row {row}: {column} is {found}, expected {expected}", full_path(path))]
    Cell { path: PathBuf, row: usize, column: &'static str, found: String, expected: &'static str },
    #[error("{}, row {row}: {column} is {found}, but the other columns give {expected}", full_path(path))]
    Contradiction { path: PathBuf, row: usize, column: String, found: String, expected: String },
    /// The score before a move differs from the score after the preceding move in the `previous` row.
    #[error(
        "{}, row {row}: the score before the move is {before}, but row {previous} has {after} for the same \
         position",
        full_path(path)
    )]
    Scores { path: PathBuf, row: usize, previous: usize, before: Score, after: Score },
    #[error(transparent)]
    RecordedFileError(#[from] RecordedFileError),
    #[error("{}: game {game} has no row for ply {ply}", full_path(path))]
    Ply { path: PathBuf, game: usize, ply: usize },
    #[error("{}: game {game}, ply {ply}: {uci:?} is not a legal move", full_path(path))]
    Move { path: PathBuf, game: usize, ply: usize, uci: String },
    #[error("{}: game {game}: {fen:?} is not a valid start position", full_path(path))]
    Start { path: PathBuf, game: usize, fen: String },
    #[error(
        "{}: game {game} is missing, but the table of moves has it; both tables must be from one report",
        full_path(path)
    )]
    Game { path: PathBuf, game: usize },
    #[error("{}: has {held} games, but its summary counts {analysed}", full_path(folder))]
    Games { folder: PathBuf, held: usize, analysed: u64 },
    /// A file next to the tables is not a valid part of a report.
    #[error("{}: not a valid file of a report", full_path(.0))]
    Facts(PathBuf, #[source] serde_json::Error),
    #[error(
        "{} has {kind}, not a report that can be rewritten; `gainalyze {}` with the options in its run.json continues or \
         makes it",
        full_path(folder),
        kind.verb()
    )]
    OtherKind { folder: PathBuf, kind: RunKind },
    #[error("{}: not the folder of a report: it has no {what}", full_path(folder))]
    Missing { folder: PathBuf, what: &'static str },
}

/// Returns the games of the report in `folder`, from its table of moves: `moves.csv`, `moves.parquet` or
/// `moves.json`. The first of these files that exists and that the report's record lists is read; without a
/// record, the first that exists.
pub fn games(folder: &Path) -> Result<Vec<RecordedGame>, RereadError> {
    let moves = moves(&RecordedFolder::open(folder)?, folder)?;
    moves.table.check_is_as_written()?;
    let games = moves.games.into_iter();
    Ok(games.map(|(number, plies)| recorded(number, plies)).collect())
}

pub(super) struct Moves {
    pub table: StoredTable,
    /// Moves by game number: all moves of the game in order, at least one.
    pub games: BTreeMap<usize, Vec<StoredPly>>,
}

pub(super) fn moves(recorded: &RecordedFolder, folder: &Path) -> Result<Moves, RereadError> {
    let Some(table) = StoredTable::find(recorded, folder, "moves")? else {
        return Err(RereadError::NoMoves(folder.to_owned()));
    };
    let mut games: BTreeMap<usize, Vec<StoredPly>> = BTreeMap::new();
    for row in table.plies()? {
        games.entry(row.game).or_default().push(row);
    }
    for (&number, plies) in &mut games {
        table.put_in_order(number, plies)?;
    }
    Ok(Moves { table, games })
}

fn recorded(number: usize, plies: Vec<StoredPly>) -> RecordedGame {
    let last = plies.last().expect("a row of each game");
    let (players, start, end) = (last.players.clone(), plies[0].fen.clone(), last.after.clone());
    let moves = plies.iter().map(|row| row.uci.clone()).collect();
    RecordedGame { number, players, start, moves, evaluations: evaluations(plies, end) }
}

/// Returns the evaluations of a game with the moves `plies`. `end` is the evaluation of the last position.
pub(super) fn evaluations(plies: Vec<StoredPly>, end: Evaluation) -> Evaluations {
    if plies.is_empty() {
        return vec![end].into();
    }
    let mut before = plies.into_iter().map(|row| row.before);
    let start = before.next().flatten();
    Evaluations::new(start, before.flatten().chain([end]).collect())
}

/// Returns a table with every cell as text, so that each cell can be parsed as its column requires.
pub(super) fn texts(
    path: &Path,
    format: Format,
    bytes: impl MmapBytesReader,
) -> Result<DataFrame, RereadError> {
    let frame = match format {
        Format::Csv => {
            let options = CsvReadOptions::default().with_infer_schema_length(Some(0));
            options.into_reader_with_file_handle(bytes).finish()
        }
        Format::Parquet => parquet::read_whole(bytes).and_then(|frame| {
            let columns = frame.columns().iter().map(|column| column.cast(&DataType::String));
            DataFrame::new(frame.height(), columns.collect::<Result<_, _>>()?)
        }),
        Format::Json => {
            let mut text = String::new();
            let read = BufReader::new(bytes).read_to_string(&mut text);
            read.map_err(|error| RereadError::Io(path.to_owned(), error))?;
            let rows: Vec<_> =
                serde_json::from_str(&text).map_err(|error| RereadError::Json(path.to_owned(), error))?;
            json_texts(&rows)
        }
    };
    frame.map_err(|error| RereadError::Table(path.to_owned(), error))
}

fn json_texts(rows: &[BTreeMap<String, Value>]) -> Result<DataFrame, PolarsError> {
    let cell = |row: &BTreeMap<String, Value>, name: &str| match row.get(name)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let names = rows.first().into_iter().flat_map(BTreeMap::keys);
    let columns = names.map(|name| {
        Column::new(name.into(), rows.iter().map(|row| cell(row, name)).collect::<Vec<Option<String>>>())
    });
    DataFrame::new(rows.len(), columns.collect())
}

#[derive(Debug)]
pub struct StoredTable {
    pub path: PathBuf,
    pub format: Format,
    pub(super) frame: DataFrame,
    /// The table's path if the table has changed since it was written. Faults in rows are reported first.
    changed: Option<PathBuf>,
}

/// A row of the table of moves.
pub(super) struct StoredPly {
    /// Row number, from 1.
    row: usize,
    game: usize,
    ply: usize,
    pub players: ByColor<String>,
    pub uci: String,
    pub fen: String,
    /// The evaluation before the move. Only the first move of a game may lack it.
    pub before: Option<Evaluation>,
    /// The evaluation after the move. For all but the last move, the next row has the same evaluation in more
    /// detail.
    pub after: Evaluation,
    /// The evaluation after the engine's best move, if known.
    pub own: Option<Evaluation>,
    /// The mover's clock after the move, if known.
    pub left: Option<Duration>,
    pub spent: Option<Duration>,
}

impl StoredTable {
    /// Returns the table `name` in `folder`; `None` if there is none. It is read in the first format that
    /// exists and that the folder's record lists; without a record, in the first that exists.
    pub(super) fn find(
        recorded: &RecordedFolder,
        folder: &Path,
        name: &str,
    ) -> Result<Option<StoredTable>, RereadError> {
        let mut files: Vec<(Format, String)> =
            Format::ALL.map(|format| (format, format!("{name}.{format}"))).into();
        files.retain(|(_, file)| folder.join(file).is_file());
        files.sort_by_key(|(_, file)| !recorded.lists(file));
        let Some((format, file)) = files.into_iter().next() else { return Ok(None) };
        let changed = match recorded.check(&file) {
            Ok(()) => None,
            Err(RecordedFileError::Changed(path)) => Some(path),
            Err(fault) => return Err(fault.into()),
        };
        let path = folder.join(file);
        let bytes = File::open(&path).map_err(|error| RereadError::Io(path.clone(), error))?;
        let mut frame = texts(&path, format, bytes)?;
        // Cells are read one by one, which is slow in a column of many chunks.
        frame.rechunk_mut();
        Ok(Some(StoredTable { path, format, frame, changed }))
    }

    pub fn check_is_as_written(&self) -> Result<(), RereadError> {
        self.changed.clone().map_or(Ok(()), |path| Err(RecordedFileError::Changed(path).into()))
    }

    pub fn height(&self) -> usize {
        self.frame.height()
    }

    fn plies(&self) -> Result<Vec<StoredPly>, RereadError> {
        let cells = StoredCells::of(self, "moves", &NEEDED)?;
        (0..self.frame.height()).map(|row| cells.ply(row)).collect()
    }

    /// Sorts the rows of a game. Checks that the plies count from 1 without a gap, and that consecutive rows
    /// agree.
    fn put_in_order(&self, number: usize, plies: &mut [StoredPly]) -> Result<(), RereadError> {
        plies.sort_by_key(|row| row.ply);
        if let Some((ply, _)) = (1..).zip(&*plies).find(|(ply, row)| row.ply != *ply) {
            return Err(RereadError::Ply { path: self.path.clone(), game: number, ply });
        }
        plies.windows(2).try_for_each(|pair| self.check_scores(&pair[0], &pair[1]))
    }

    /// Checks that two consecutive rows agree on the score of the position between their moves.
    fn check_scores(&self, previous: &StoredPly, next: &StoredPly) -> Result<(), RereadError> {
        let (after, path) = (previous.after.score, self.path.clone());
        match next.before.as_ref().map(|before| before.score) {
            Some(before) if before != after => {
                Err(RereadError::Scores { path, row: next.row, previous: previous.row, before, after })
            }
            _ => Ok(()),
        }
    }
}

const NEEDED: [&str; 11] = [
    "game",
    "white",
    "black",
    "ply",
    "color",
    "uci",
    "fen",
    "before_cp",
    "before_mate",
    "after_cp",
    "after_mate",
];

/// Columns that are empty if the first move of a game has no evaluation before it.
const GAINED: [&str; 3] = ["before_cp", "before_mate", "gain_cp"];

pub(super) struct StoredCells<'a> {
    path: &'a Path,
    columns: BTreeMap<&'a str, &'a StringChunked>,
}

impl<'a> StoredCells<'a> {
    /// Returns the cells of `table`, the report's table of `what`, after checking that it has the columns
    /// `needed`.
    pub fn of(
        table: &'a StoredTable,
        what: &'static str,
        needed: &[&'static str],
    ) -> Result<StoredCells<'a>, RereadError> {
        let columns = table.frame.columns().iter();
        let columns: BTreeMap<&str, &StringChunked> =
            columns.filter_map(|column| Some((column.name().as_str(), column.str().ok()?))).collect();
        match needed.iter().find(|column| !columns.contains_key(*column)) {
            Some(column) => Err(RereadError::Column { path: table.path.clone(), column, what }),
            None => Ok(StoredCells { path: &table.path, columns }),
        }
    }

    fn ply(&self, row: usize) -> Result<StoredPly, RereadError> {
        let mover = match self.text("color", row) {
            Some("white") => Color::White,
            Some("black") => Color::Black,
            _ => return Err(self.wrong("color", row, "white or black")),
        };
        let ply = self.needed("ply", row)?;
        // A row with a gain but without the evaluation before the move is an error.
        let is_known = ply > 1 || GAINED.iter().any(|column| self.text(column, row).is_some());
        let after = ["after_cp", "after_mate", "after_win", "after_draw", "after_loss"];
        let after = self.said(after, row, !mover)?;
        let text = |column| self.text(column, row).unwrap_or_default().to_owned();
        Ok(StoredPly {
            row: row + 1,
            game: self.needed("game", row)?,
            ply,
            players: self.players(row),
            own: self.own(row, mover)?,
            left: self.seconds("left_s", row)?,
            spent: self.seconds("spent_s", row)?,
            uci: text("uci"),
            fen: text("fen"),
            before: is_known.then(|| self.before(row, mover)).transpose()?,
            after,
        })
    }

    fn before(&self, row: usize, mover: Color) -> Result<Evaluation, RereadError> {
        let before = ["before_cp", "before_mate", "before_win", "before_draw", "before_loss"];
        Ok(Evaluation {
            depth: self.number("depth", row)?,
            nodes: self.number("nodes", row)?,
            best: self.parsed("best_uci", row, "a move in the notation of UCI")?,
            pv: self.line(row)?,
            ..self.said(before, row, mover)?
        })
    }

    fn line(&self, row: usize) -> Result<Vec<UciMove>, RereadError> {
        let words = self.text("line_uci", row).unwrap_or_default().split(' ').filter(|word| !word.is_empty());
        let line: Result<Vec<UciMove>, _> = words.map(str::parse).collect();
        line.map_err(|_| self.wrong("line_uci", row, "moves in the notation of UCI"))
    }

    /// Returns the evaluation after the engine's best move; `None` if the report does not have it.
    fn own(&self, row: usize, mover: Color) -> Result<Option<Evaluation>, RereadError> {
        let own = ["own_cp", "own_mate", "own_win", "own_draw", "own_loss"];
        let is_known = own[..2].iter().any(|column| self.text(column, row).is_some());
        is_known.then(|| self.said(own, row, !mover)).transpose()
    }

    pub fn players(&self, row: usize) -> ByColor<String> {
        let player = |column| self.tag(column, row).unwrap_or_default();
        ByColor { white: player("white"), black: player("black") }
    }

    /// Returns a cell as the text of the game's tag, without the apostrophe that CSV files put before a text
    /// like a formula. Returns `None` if the cell is empty or the column is missing.
    pub fn tag(&self, column: &str, row: usize) -> Option<String> {
        self.text(column, row).map(|text| unescape_formula(text).to_owned())
    }

    pub fn needed<T: FromStr>(&self, column: &'static str, row: usize) -> Result<T, RereadError> {
        self.number(column, row)?.ok_or_else(|| self.wrong(column, row, WHOLE))
    }

    /// Returns the evaluation of a position from its score and its chances, both in White's view. `turn` is
    /// the side to move.
    fn said(
        &self,
        [cp, mate, win, draw, loss]: [&'static str; 5],
        row: usize,
        turn: Color,
    ) -> Result<Evaluation, RereadError> {
        let chances = (self.number(win, row)?, self.number(draw, row)?, self.number(loss, row)?);
        let wdl = match chances {
            (Some(win), Some(draw), Some(loss)) => Some(Wdl { win, draw, loss }),
            _ => None,
        };
        let signed = match (self.number(cp, row)?, self.number::<i32>(mate, row)?) {
            (Some(cp), None) => SignedScore::Cp(cp),
            // The smallest i32 has no positive counterpart.
            (None, Some(moves)) if moves > i32::MIN => SignedScore::Mate(moves),
            _ => return Err(self.wrong(cp, row, "centipawns here, or moves to mate in the next column")),
        };
        Ok(Evaluation { wdl, ..Evaluation::of_score(Score::from_white_view(signed, turn)) })
    }

    fn seconds(&self, column: &'static str, row: usize) -> Result<Option<Duration>, RereadError> {
        let expected = "seconds";
        let time = self.parsed::<f64>(column, row, expected)?.map(Duration::try_from_secs_f64);
        time.transpose().map_err(|_| self.wrong(column, row, expected))
    }

    pub fn number<T: FromStr>(&self, column: &'static str, row: usize) -> Result<Option<T>, RereadError> {
        self.parsed(column, row, WHOLE)
    }

    /// Parses a cell; `None` if it is empty or the column is missing.
    pub fn parsed<T: FromStr>(
        &self,
        column: &'static str,
        row: usize,
        expected: &'static str,
    ) -> Result<Option<T>, RereadError> {
        let cell = self.text(column, row).map(|text| text.parse().ok());
        cell.map(|value| value.ok_or_else(|| self.wrong(column, row, expected))).transpose()
    }

    fn text(&self, column: &str, row: usize) -> Option<&'a str> {
        self.columns.get(column)?.get(row).filter(|text| !text.is_empty())
    }

    fn wrong(&self, column: &'static str, row: usize, expected: &'static str) -> RereadError {
        let cell = self.text(column, row).map(|text| format!("{:?}", brief(text)));
        let found = cell.unwrap_or("empty".to_owned());
        RereadError::Cell { path: self.path.to_owned(), row: row + 1, column, found, expected }
    }
}

const WHOLE: &str = "a whole number";

/// The possible values of a result cell, for messages.
pub(super) const RESULT: &str = "1-0, 0-1, 1/2-1/2 or *";

#[cfg(test)]
mod tests;
