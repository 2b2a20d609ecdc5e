//! The data for the page's script: games to step through.

use shakmaty::Chess;

use crate::base::text::{cut, printable};
use crate::chess::{Game, Judgment, Metric, game, game::fen, game::in_san, game::san};
use crate::report::{
    html::game::first, html::key_moves, pictures::Source, plots::game::clock_text, plots::histogram::signed,
    summary::object, tables::moves::LINE, words::numbers::chances,
};

/// The data of a move, as a list without names, because names would double its size.
///
/// In order: the move in SAN and in UCI; the FEN after it; the evaluation after it; the gain; the engine's
/// choice in UCI and in SAN, empty if unknown or equal to the move; the judgment's symbol; the mover's clock;
/// a judged move's winning chances before and after it; the line that the engine expects after it.
type PlyData = (String, String, String, String, String, String, String, &'static str, String, String, String);

/// Returns all data as JSON that is safe in a page: nothing in it ends a script.
pub fn json(source: &Source<'_>, chosen: &[usize]) -> String {
    let data = Data { source, chosen };
    serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c")
}

object! {
    struct Data<'a> { source: &'a Source<'a>, chosen: &'a [usize] } =>
    "games": chosen.iter().map(|&place| GameData { source, game: source.games[place].game(), place }).collect::<Vec<_>>(),
}

object! {
    /// The data of a game. `first` is twice the number of the first move, plus one if it is Black's.
    struct GameData<'a> { source: &'a Source<'a>, game: &'a Game, place: usize } =>
    "number": game.source.ordinal,
    "first": first(game),
    "start": fen(&game.start),
    // A game without a move has nothing to step through, and no evaluation in the tables.
    "evaluation": source.findings.sample.moves_of(*place).first().and_then(|first| first.before)
        .map_or(String::new(), |before| key_moves::evaluation(before.score)),
    "line": line(source, *place, 0, &game.start),
    "book": game.book_plies.unwrap_or_default(),
    "result": game.result.to_string(),
    "tags": tags(game),
    "plies": plies(source, *place),
}

fn plies(source: &Source<'_>, place: usize) -> Vec<PlyData> {
    let evaluated = &source.games[place];
    let game = evaluated.game();
    let positions: Vec<_> = game.positions().collect();
    let method = &source.findings.analysis.tournament.method;
    let plies = game.moves.iter().zip(source.findings.sample.moves_of(place)).enumerate();
    let plies = plies.map(|(ply, (played, facts))| {
        let best = evaluated.evaluations().at(ply).and_then(|before| before.best);
        let better = best.filter(|&best| best != played.uci);
        let gain = facts.gain(Metric::Centipawns, method.clip);
        let judged = facts.verdict.judgment.and_then(|_| facts.evals());
        (
            played.san.to_string(),
            played.uci.to_string(),
            fen(&positions[ply + 1]),
            key_moves::evaluation(facts.after.score),
            gain.map_or(String::new(), signed),
            better.map_or(String::new(), |best| best.to_string()),
            better.and_then(|best| san(&positions[ply], best)).unwrap_or_default(),
            facts.verdict.judgment.map_or("", Judgment::symbol),
            played.clock.map_or(String::new(), |clock| clock_text(clock.as_secs_f64())),
            judged.map_or(String::new(), |evals| chances(evals.chances(&method.scale()))),
            line(source, place, ply + 1, &positions[ply + 1]),
        )
    });
    plies.collect()
}

/// Returns the moves that the engine expects in the position before `ply`, at most [`LINE`], or only the
/// engine's choice if no more is known. Empty for the last position of the game, or without an evaluation.
fn line(source: &Source<'_>, place: usize, ply: usize, position: &Chess) -> String {
    let evaluated = &source.games[place];
    let Some(said) = evaluated.evaluations().at(ply).filter(|_| ply < evaluated.game().moves.len()) else {
        return String::new();
    };
    let expected = if said.pv.is_empty() { said.best.as_slice() } else { &said.pv };
    in_san(position, &expected[..expected.len().min(LINE)]).join(" ")
}

/// The tags in the PGN that a reader copies from the page, except the result and the start position. The
/// table of games has these tags too, so a report made again from its files has the same page.
const COPIED: [&str; 2] = [
    "Event Site Date Round White Black",
    "WhiteElo BlackElo WhiteTitle BlackTitle ECO Opening TimeControl Termination UTCDate UTCTime",
];

fn tags(game: &Game) -> Vec<(String, String)> {
    let tag = |key: &str| Some((key.to_owned(), cut(&printable(game.tags.get(key)?), TAG)));
    let [roster, others] = COPIED.map(|keys| keys.split(' ').filter_map(tag));
    let result = ("Result".to_owned(), game.result.to_string());
    let start = game::start_fen(&game.start)
        .map(|fen| [("SetUp".to_owned(), "1".to_owned()), ("FEN".to_owned(), fen)])
        .into_iter()
        .flatten();
    roster.chain([result]).chain(others).chain(start).collect()
}

const TAG: usize = 90;
