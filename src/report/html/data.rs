//! Owns the data that the page hands to its script: histograms to lay over each other, and games to step through.

use serde::Serialize;
use shakmaty::Position;

use crate::chess::{ExactScale, Judgement, Metric, game, game::fen, game::san, text::cut, text::printable};
use crate::measure::MoveFacts;
use crate::report::{
    html::key_moves, html::name, pictures::Source, plots::gains::Gains, plots::gains::Scale,
    plots::game::clock_text, plots::game::span, words::numbers::chances,
};

/// Players whose histograms can be laid over each other.
const PLAYERS: usize = 300;

#[derive(Serialize)]
struct Data {
    /// The gain axis ends at plus and minus this many centipawns.
    range: i64,
    /// The share of moves at the upper edge.
    top: f64,
    /// The share of moves between two grid lines.
    tick: f64,
    players: Vec<PlayerData>,
    games: Vec<GameData>,
}

#[derive(Serialize)]
struct PlayerData {
    name: String,
    moves: u64,
    /// Moves of gain exactly 0.
    zero: u64,
    /// The centre of each bar in centipawns, with its moves.
    bars: Vec<(i64, u64)>,
}

#[derive(Serialize)]
struct GameData {
    number: usize,
    /// Twice the number of the first move, and one more where it is Black's.
    first: u32,
    start: String,
    evaluation: String,
    /// Where the graph has the first position, and how far apart it has two, in its units.
    graph: (f64, f64),
    result: String,
    /// Names and values, for who takes the game elsewhere.
    tags: Vec<(String, String)>,
    plies: Vec<PlyData>,
}

/// A move: in the notation of games, in UCI, the position after it as FEN, what the engine said of that, the gain, the engine's
/// other choice in UCI and as players write it (empty where it is the move played, or not known), the symbol of its judgement, what
/// the mover's clock showed, and of a move that is judged the mover's chances of winning before it and after it. A list, since its names would weigh as much as all it says.
type PlyData = (String, String, String, String, String, String, String, &'static str, String, String);

/// Returns all of it as JSON that can stand in a page: nothing in it ends a script.
pub fn json(source: &Source<'_>, chosen: &[usize]) -> String {
    let tournament = &source.analysis.tournament;
    let names: Vec<&str> = source
        .options
        .players
        .of(tournament)
        .iter()
        .take(PLAYERS)
        .map(|player| player.name.as_str())
        .collect();
    let gains = Gains::of_players(&names, source.sample, &tournament.method);
    let Scale { range, top, tick } = Scale::of(&gains);
    let data = Data {
        range,
        top,
        tick,
        players: gains.iter().map(PlayerData::of).collect(),
        games: chosen.iter().map(|&place| GameData::of(source, place)).collect(),
    };
    serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c")
}

impl PlayerData {
    fn of(gains: &Gains) -> PlayerData {
        PlayerData {
            name: name(&gains.player),
            moves: gains.moves,
            zero: gains.zeros,
            bars: gains.bars().into_iter().map(|(centre, bar)| (centre, bar.moves())).collect(),
        }
    }
}

/// Returns the left edge and the step of the graph of a game of so many moves.
fn graph(moves: usize) -> (f64, f64) {
    let ((left, right), positions) = span(moves);
    (f64::from(left), f64::from(right - left) / positions as f64)
}

/// Returns the mover's chances before and after a move with which something is wrong; `None` of any other.
fn judged_chances(facts: &MoveFacts, scale: &ExactScale) -> Option<String> {
    facts.verdict.judgement?;
    Some(chances(facts.evals()?.chances(scale)))
}

impl GameData {
    fn of(source: &Source<'_>, place: usize) -> GameData {
        let evaluated = &source.games[place];
        let game = evaluated.game();
        let facts = source.sample.moves_of(place);
        let positions: Vec<_> = game.positions().collect();
        let method = &source.analysis.tournament.method;
        let gain = |facts: &MoveFacts| facts.gain(Metric::Centipawns, method.clip);
        let plies = game.moves.iter().zip(facts).enumerate().map(|(ply, (played, facts))| {
            let best = evaluated.evaluations().at(ply).and_then(|before| before.best);
            let better = best.filter(|&best| best != played.uci);
            (
                played.san.to_string(),
                played.uci.to_string(),
                fen(&positions[ply + 1]),
                key_moves::evaluation(facts.after.score),
                gain(facts).map_or(String::new(), key_moves::centipawns),
                better.map_or(String::new(), |best| best.to_string()),
                better.and_then(|best| san(&positions[ply], best)).unwrap_or_default(),
                facts.verdict.judgement.map_or("", Judgement::symbol),
                played.clock.map_or(String::new(), |clock| clock_text(clock.as_secs_f64())),
                judged_chances(facts, &method.scale()).unwrap_or_default(),
            )
        });
        GameData {
            number: game.source.ordinal,
            first: 2 * game.start.fullmoves().get() + game.start.turn().fold_wb(0, 1),
            graph: graph(facts.len()),
            plies: plies.collect(),
            start: fen(&positions[0]),
            result: game.result.to_string(),
            tags: tags(game),
            // A game without a move has nothing to step through, nor an evaluation in the tables.
            evaluation: facts
                .first()
                .and_then(|first| first.before)
                .map_or(String::new(), |before| key_moves::evaluation(before.score)),
        }
    }
}

/// The tags that a game is copied with, but for its result and start: those that the table of games keeps too, so that the
/// page of a report that is made again is the same.
const COPIED: [&str; 16] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "WhiteElo",
    "BlackElo",
    "WhiteTitle",
    "BlackTitle",
    "ECO",
    "Opening",
    "TimeControl",
    "Termination",
    "UTCDate",
    "UTCTime",
];

/// Returns the tags of a game, cut to a length that pages have room for; the result stands seventh, as PGN wants it.
fn tags(game: &game::Game) -> Vec<(String, String)> {
    let tag = |key: &&str| Some(((*key).to_owned(), cut(&printable(game.tags.get(key)?), TAG)));
    let (roster, others) = COPIED.split_at(6);
    let result = ("Result".to_owned(), game.result.to_string());
    let start = game::start_fen(&game.start)
        .map(|fen| [("SetUp".to_owned(), "1".to_owned()), ("FEN".to_owned(), fen)])
        .into_iter()
        .flatten();
    roster.iter().filter_map(tag).chain([result]).chain(others.iter().filter_map(tag)).chain(start).collect()
}

/// Columns of the value of a tag.
const TAG: usize = 90;
