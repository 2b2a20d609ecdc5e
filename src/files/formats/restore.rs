//! Restoration of the games and facts of a report from the files in its folder.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use shakmaty::{CastlingMode, Chess, FromSetup, fen::Fen, san::SanPlus, uci::UciMove};

use super::moves::{self, Moves, RESULT, RereadError, StoredCells, StoredPly, StoredTable};
use crate::base::input_file;
use crate::base::output::{RecordedFolder, RunKind, RunRecord, read_record};
use crate::base::text::brief;
use crate::chess::{
    Date, EvaluatedGame, Evaluation, Game, GameResult, GameSource, PlayedMove, Repairs, Score, Tags,
    evaluated_game::JUDGE,
};
use crate::files::formats::facts::{EvaluationSource, SummaryFacts};

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SearchFacts {
    pub searches: Searches,
    /// Nodes searched per second of wall time; null if nothing was searched.
    pub nodes_per_second: Option<f64>,
    /// Share of the engines' time spent searching, between 0 and 1; null if nothing was searched.
    pub engine_busy_share: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Searches {
    /// Number of positions searched in this run.
    pub made: u64,
    pub from_store: u64,
    pub recorded: u64,
    /// The positions of `made` and `from_store` that only the histogram of the engine's own moves needs.
    pub own_moves: OwnMoves,
}

/// Counts of positions that arise from the engine's best moves and do not occur in the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OwnMoves {
    /// Number of positions searched in this run or found in the store.
    pub evaluated: u64,
    pub searched: u64,
}

#[derive(Debug)]
pub struct Restored {
    /// The games with their evaluations, in the order of their original files.
    pub games: Vec<EvaluatedGame>,
    pub summary: SummaryFacts,
    pub run: RunRecord<SearchFacts>,
    pub moves: StoredTable,
    pub headings: StoredTable,
    /// The names of all files that the report's records list.
    pub files: Vec<String>,
}

pub fn report(folder: &Path) -> Result<Restored, RereadError> {
    let recorded = RecordedFolder::open(folder)?;
    if let Some(kind) = recorded.of_another_kind(RunKind::Report) {
        return Err(RereadError::OtherKind { folder: folder.to_owned(), kind });
    }
    let summary: SummaryFacts = json(folder, SUMMARY)?;
    let run = json(folder, RunKind::Report.record())?;
    recorded.check(SUMMARY)?;
    let Moves { table: moves, games: plies } = moves::moves(&recorded, folder)?;
    let table = StoredTable::find(&recorded, folder, "games")?;
    let table = table.ok_or_else(|| missing(folder, "table of games"))?;
    let games = games(headings(&table)?, plies, (&moves, &table), folder)?;
    let analysed = summary.games.analysed;
    if games.len() as u64 != analysed {
        return Err(RereadError::Games { folder: folder.to_owned(), held: games.len(), analysed });
    }
    let files = recorded.names().map(str::to_owned).collect();
    Ok(Restored { games, summary, run, moves, headings: table, files })
}

/// Returns the source of the evaluations of the report in `folder`. Returns `None` if there is no report, or
/// if its summary has changed or is not valid.
pub fn evaluations(folder: &Path) -> Option<EvaluationSource> {
    RecordedFolder::open(folder).ok()?.check(SUMMARY).ok()?;
    read_record::<SearchFacts>(folder, RunKind::Report)?;
    json::<SummaryFacts>(folder, SUMMARY).ok().map(|summary| summary.evaluations)
}

const SUMMARY: &str = "summary.json";

fn json<T: DeserializeOwned>(folder: &Path, name: &'static str) -> Result<T, RereadError> {
    let path = folder.join(name);
    if !path.is_file() {
        return Err(missing(folder, name));
    }
    let text = input_file::read_text(&path, input_file::SETTINGS);
    let text = text.map_err(|error| RereadError::Io(path.clone(), error))?;
    serde_json::from_str(&text).map_err(|error| RereadError::Facts(path, error))
}

fn missing(folder: &Path, what: &'static str) -> RereadError {
    RereadError::Missing { folder: folder.to_owned(), what }
}

/// A game without its moves.
struct GameHeading {
    number: usize,
    tags: Tags,
    result: GameResult,
    plies: usize,
    book_plies: Option<usize>,
    start: Option<String>,
}

fn headings(table: &StoredTable) -> Result<Vec<GameHeading>, RereadError> {
    let cells = StoredCells::of(table, "games", &["game", "white", "black", "result", "plies", "start_fen"])?;
    (0..table.height()).map(|row| heading(&cells, row)).collect()
}

/// The tags that a table of games contains, with their columns. The players' tags are not in this list.
const TAGS: [(&str, &str); 15] = [
    ("Event", "event"),
    ("Site", "site"),
    ("Round", "round"),
    ("WhiteElo", "white_elo"),
    ("BlackElo", "black_elo"),
    ("WhiteTitle", "white_title"),
    ("BlackTitle", "black_title"),
    ("ECO", "eco"),
    ("Opening", "opening"),
    ("TimeControl", "time_control"),
    ("Termination", "termination"),
    ("UTCTime", "utc_time"),
    (JUDGE, "evaluated_by"),
    ("Date", "date"),
    ("UTCDate", "utc_date"),
];

fn heading(cells: &StoredCells<'_>, row: usize) -> Result<GameHeading, RereadError> {
    let mut tags = Tags::default();
    let players = cells.players(row);
    tags.set("White", &players.white);
    tags.set("Black", &players.black);
    for (tag, column) in TAGS {
        // A text that is not a date is kept as the tag's value.
        let day = |text: &String| Date::of_tag(text).filter(|_| tag.ends_with("Date")).map(Date::to_tag);
        cells.tag(column, row).iter().for_each(|text| tags.set(tag, &day(text).unwrap_or(text.clone())));
    }
    Ok(GameHeading {
        number: cells.needed("game", row)?,
        tags,
        result: cells.parsed("result", row, RESULT)?.unwrap_or(GameResult::Unknown),
        plies: cells.needed("plies", row)?,
        book_plies: cells.number("book_plies", row)?,
        start: cells.tag("start_fen", row),
    })
}

fn games(
    headings: Vec<GameHeading>,
    mut plies: BTreeMap<usize, Vec<StoredPly>>,
    (moves, table): (&StoredTable, &StoredTable),
    folder: &Path,
) -> Result<Vec<EvaluatedGame>, RereadError> {
    let path = moves.path.clone();
    let mut games = Vec::new();
    for heading in headings {
        let plies = plies.remove(&heading.number).unwrap_or_default();
        if plies.len() != heading.plies {
            let ply = plies.len().min(heading.plies) + 1;
            return Err(RereadError::Ply { path, game: heading.number, ply });
        }
        games.push(heading.game(plies, folder.display().to_string(), &path)?);
    }
    match plies.into_keys().next() {
        Some(game) => Err(RereadError::Game { path: table.path.clone(), game }),
        None => Ok(games),
    }
}

impl GameHeading {
    /// Returns the game with the moves `plies`. `file` is stored as the game's source. Errors name the table
    /// of moves at `path`.
    fn game(self, plies: Vec<StoredPly>, file: String, path: &Path) -> Result<EvaluatedGame, RereadError> {
        let (start, mode) = self.start(&plies, path)?;
        let moves = self.moves(start.clone(), &plies, path)?;
        let GameHeading { number, tags, result, book_plies, .. } = self;
        let source = GameSource { file, number, ordinal: number };
        let preamble = Vec::new();
        let game = Game {
            source,
            tags,
            start,
            mode,
            moves,
            result,
            preamble,
            start_eval: None,
            book_plies,
            repairs: Repairs::default(),
        };
        let own: Option<Vec<Evaluation>> = plies.iter().map(|ply| ply.own.clone()).collect();
        // A game without moves has one position. Its evaluation is in no table and affects nothing.
        let last = plies.last().map_or(Evaluation::of_score(Score::DRAW), |ply| ply.after.clone());
        let game = EvaluatedGame::new(game, moves::evaluations(plies, last));
        Ok(match own {
            Some(own) if !own.is_empty() => game.with_choices(own),
            _ => game,
        })
    }

    fn start(&self, plies: &[StoredPly], path: &Path) -> Result<(Chess, CastlingMode), RereadError> {
        let Some(fen) = plies.first().map(|ply| &ply.fen).or(self.start.as_ref()) else {
            return Ok((Chess::default(), CastlingMode::Standard));
        };
        let start = || {
            let setup = fen.parse::<Fen>().ok()?.into_setup();
            let mode = CastlingMode::detect(&setup);
            Some((Chess::from_setup(setup, mode).ok()?, mode))
        };
        let (path, game) = (path.to_owned(), self.number);
        start().ok_or_else(|| RereadError::Start { path, game, fen: brief(fen) })
    }

    fn moves(
        &self,
        mut position: Chess,
        plies: &[StoredPly],
        path: &Path,
    ) -> Result<Vec<PlayedMove>, RereadError> {
        let illegal = |ply: usize, uci: &str| {
            let (path, game) = (path.to_owned(), self.number);
            RereadError::Move { path, game, ply, uci: brief(uci) }
        };
        let played = plies.iter().zip(1..).map(|(row, ply)| {
            let uci = row.uci.parse::<UciMove>().ok();
            let found = uci.and_then(|uci| Some((uci, uci.to_move(&position).ok()?)));
            let (uci, m) = found.ok_or_else(|| illegal(ply, &row.uci))?;
            let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
            let (clock, elapsed) = (row.left, row.spent);
            Ok(PlayedMove { san, uci, annotations: Vec::new(), eval: None, clock, elapsed })
        });
        played.collect()
    }
}
