//! Owns the way back from a report's folder to all that the report was made of.

use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, de::DeserializeOwned};
use shakmaty::{CastlingMode, Chess, Color, FromSetup, fen::Fen, san::SanPlus, uci::UciMove};

use super::moves::{self, Cells, Moves, Ply, RESULT, RereadError, Table};
use crate::{
    evaluated_game::{EvaluatedGame, JUDGE},
    evaluation::Evaluation,
    formats::facts::{EvaluationSource, GamesRead, RunInfo},
    game::{Game, GameResult, GameSource, PlayedMove, Tags},
    score::Score,
    text::brief,
};

/// A report as its folder holds it.
#[derive(Debug)]
pub struct Restored {
    /// The games with their evaluations, in the order of the files that they came from.
    pub games: Vec<EvaluatedGame>,
    /// What the tables do not tell.
    pub summary: RestoredSummary,
    /// How the run went; `None` where no file tells it.
    pub run: Option<RunInfo>,
    /// Ratings that the games themselves do not tell.
    pub elo: BTreeMap<String, f64>,
    /// Whether games, and ratings game by game, are in a table of their own.
    pub has_games: bool,
}

/// The part of `summary.json` that does not follow from the tables.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RestoredSummary {
    /// Who evaluated the positions.
    pub evaluations: EvaluationSource,
    /// What became of the games.
    pub games: GamesRead,
    /// Positions of the games analysed.
    pub positions: u64,
    /// Nodes of the evaluations, where they are known.
    pub nodes: Option<u64>,
    players: Vec<Rated>,
}

/// A player's rating as the summary has it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Rated {
    player: String,
    elo: Option<f64>,
    elo_origin: Option<String>,
}

/// The report in `folder`.
///
/// Without the table of games, as older reports are, the games without a move are missing, and a
/// player's rating is the one that the summary has.
///
/// # Errors
///
/// If a file that it takes is missing or cannot be read, or if games or moves are missing.
pub fn report(folder: &Path) -> Result<Restored, RereadError> {
    let summary: RestoredSummary =
        json(&folder.join("summary.json"))?.ok_or_else(|| RereadError::NoSummary(folder.to_owned()))?;
    let run = json(&folder.join("run.json"))?;
    let moves = moves::moves(folder)?;
    let table = Table::find(folder, "games")?;
    let (headings, elo) = match &table {
        Some(table) => (headings(table)?, BTreeMap::new()),
        None => older_headings(&moves, &summary),
    };
    let games = games(headings, moves, table.as_ref(), folder)?;
    let analysed = summary.games.analysed;
    if table.is_some() && games.len() as u64 != analysed {
        return Err(RereadError::Games { folder: folder.to_owned(), held: games.len(), analysed });
    }
    Ok(Restored { games, summary, run, elo, has_games: table.is_some() })
}

/// The value in a file; `None` where there is no such file.
fn json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, RereadError> {
    if !path.is_file() {
        return Ok(None);
    }
    let text = fs::read_to_string(path).map_err(|error| RereadError::Io(path.to_owned(), error))?;
    serde_json::from_str(&text).map(Some).map_err(|error| RereadError::Facts(path.to_owned(), error))
}

/// A game but for its moves.
struct Heading {
    number: usize,
    tags: Tags,
    result: GameResult,
    plies: usize,
    start: Option<String>,
}

fn headings(table: &Table) -> Result<Vec<Heading>, RereadError> {
    let cells = Cells::of(table, "games", &["game", "white", "black", "result", "plies", "start_fen"])?;
    (0..table.height()).map(|row| heading(&cells, row)).collect()
}

fn heading(cells: &Cells<'_>, row: usize) -> Result<Heading, RereadError> {
    let mut tags = Tags::default();
    let players = cells.players(row);
    let named = [("White", Some(players.white)), ("Black", Some(players.black))];
    let columns = [
        ("Event", "event"),
        ("Site", "site"),
        ("Date", "date"),
        ("Round", "round"),
        ("WhiteElo", "white_elo"),
        ("BlackElo", "black_elo"),
        (JUDGE, "evaluated_by"),
    ];
    let others = columns.map(|(tag, column)| (tag, cells.tag(column, row)));
    for (tag, value) in named.into_iter().chain(others) {
        value.iter().for_each(|value| tags.set(tag, value));
    }
    Ok(Heading {
        number: cells.needed("game", row)?,
        tags,
        result: cells.parsed("result", row, RESULT)?.unwrap_or(GameResult::Unknown),
        plies: cells.needed("plies", row)?,
        start: cells.tag("start_fen", row),
    })
}

/// The headings that the moves tell, and the ratings that no tag of one game can have.
fn older_headings(moves: &Moves, summary: &RestoredSummary) -> (Vec<Heading>, BTreeMap<String, f64>) {
    let tagged = |rated: &&Rated| rated.elo_origin.as_deref() == Some("tag");
    let (tags, others): (Vec<&Rated>, Vec<&Rated>) = summary.players.iter().partition(tagged);
    let by_name = |rated: Vec<&Rated>| -> BTreeMap<String, f64> {
        rated.into_iter().filter_map(|rated| Some((rated.player.clone(), rated.elo?))).collect()
    };
    let (tags, others) = (by_name(tags), by_name(others));
    let headings = moves.games.iter().map(|(&number, plies)| older_heading(number, plies, &tags));
    (headings.collect(), others)
}

fn older_heading(number: usize, plies: &[Ply], elo: &BTreeMap<String, f64>) -> Heading {
    let (first, mut tags) = (&plies[0], Tags::default());
    let rating = |color| elo.get(first.players.get(color)).map(ToString::to_string);
    let pairs = [
        ("Round", first.round.clone()),
        ("White", Some(first.players.white.clone())),
        ("Black", Some(first.players.black.clone())),
        ("WhiteElo", rating(Color::White)),
        ("BlackElo", rating(Color::Black)),
    ];
    for (tag, value) in pairs {
        value.iter().for_each(|value| tags.set(tag, value));
    }
    Heading {
        number,
        tags,
        result: first.result.unwrap_or(GameResult::Unknown),
        plies: plies.len(),
        start: Some(first.fen.clone()),
    }
}

/// Puts headings and moves together.
fn games(
    headings: Vec<Heading>,
    moves: Moves,
    table: Option<&Table>,
    folder: &Path,
) -> Result<Vec<EvaluatedGame>, RereadError> {
    let Moves { path, games: mut plies } = moves;
    let mut games = Vec::new();
    for heading in headings {
        let plies = plies.remove(&heading.number).unwrap_or_default();
        if plies.len() != heading.plies {
            let ply = plies.len().min(heading.plies) + 1;
            return Err(RereadError::Ply { path, game: heading.number, ply });
        }
        games.push(Scribe { path: &path, file: folder.display().to_string(), heading }.game(plies)?);
    }
    match (plies.into_keys().next(), table) {
        (Some(game), Some(table)) => Err(RereadError::Game { path: table.path.clone(), game }),
        _ => Ok(games),
    }
}

/// Writes one game down again.
struct Scribe<'a> {
    /// The table of its moves, for messages.
    path: &'a Path,
    /// What stands for the file that it came from.
    file: String,
    heading: Heading,
}

impl Scribe<'_> {
    fn game(self, plies: Vec<Ply>) -> Result<EvaluatedGame, RereadError> {
        let (start, mode) = self.start(&plies)?;
        let moves = self.moves(start.clone(), &plies)?;
        let Heading { number, tags, result, .. } = self.heading;
        let source = GameSource { file: self.file, number, ordinal: number };
        let game = Game { source, tags, start, mode, moves, result, preamble: Vec::new(), start_eval: None };
        let own: Option<Vec<Evaluation>> = plies.iter().map(|ply| ply.own.clone()).collect();
        // Nothing depends on the one position of a game without a move, and no table tells of it.
        let last = plies.last().map_or(Evaluation::of_score(Score::DRAW), |ply| ply.after.clone());
        let game = EvaluatedGame::new(game, moves::evaluations(plies, last));
        Ok(match own {
            Some(own) if !own.is_empty() => game.with_choices(own),
            _ => game,
        })
    }

    fn start(&self, plies: &[Ply]) -> Result<(Chess, CastlingMode), RereadError> {
        let Some(fen) = plies.first().map(|ply| &ply.fen).or(self.heading.start.as_ref()) else {
            return Ok((Chess::default(), CastlingMode::Standard));
        };
        let start = || {
            let setup = fen.parse::<Fen>().ok()?.into_setup();
            let mode = CastlingMode::detect(&setup);
            Some((Chess::from_setup(setup, mode).ok()?, mode))
        };
        let (path, game) = (self.path.to_owned(), self.heading.number);
        start().ok_or_else(|| RereadError::Start { path, game, fen: brief(fen) })
    }

    fn moves(&self, mut position: Chess, plies: &[Ply]) -> Result<Vec<PlayedMove>, RereadError> {
        let played = plies.iter().zip(1..).map(|(row, ply)| {
            let uci = row.uci.parse::<UciMove>().ok();
            let found = uci.and_then(|uci| Some((uci, uci.to_move(&position).ok()?)));
            let (uci, m) = found.ok_or_else(|| self.illegal(ply, &row.uci))?;
            let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
            Ok(PlayedMove { san, uci, annotations: Vec::new(), eval: None, clock: None, elapsed: None })
        });
        played.collect()
    }

    fn illegal(&self, ply: usize, uci: &str) -> RereadError {
        let (path, game) = (self.path.to_owned(), self.heading.number);
        RereadError::Move { path, game, ply, uci: brief(uci) }
    }
}
