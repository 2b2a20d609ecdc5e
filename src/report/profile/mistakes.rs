//! Owns `mistakes.pgn`: the positions before a player's mistakes, each a game of its own to train on.

use shakmaty::{Chess, Color};

use crate::chess::pgn::{variation, write_game};
use crate::chess::{Annotation, EvaluatedGame, Game, GameResult, GameSource, PlayedMove, Tags};
use crate::measure::DearMove;
use crate::report::{html::key_moves::evaluation, words::numbers::chances};

/// Plies of the engine's line, as far as the search tells it.
const PLIES: usize = 12;

/// The tags of the game that are kept, beside the roster.
const KEPT: &str = "WhiteElo BlackElo WhiteTitle BlackTitle UTCDate TimeControl ECO Opening Variant";

/// Returns each of `moves` as a game that begins with the position before it: the move that was played with its glyph and what
/// it cost, and as a variation what the engine would have played.
pub(super) fn pgn(games: &[EvaluatedGame], moves: &[DearMove]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, dear) in (1..).zip(moves) {
        if let Some(game) = training(&games[dear.turn.game], dear, number) {
            write_game(&game, &mut bytes).expect("a vector takes every byte");
        }
    }
    bytes
}

fn training(evaluated: &EvaluatedGame, dear: &DearMove, number: usize) -> Option<Game> {
    let game = evaluated.game();
    let position = game.positions().nth(dear.turn.ply)?;
    let played = &game.moves[dear.turn.ply];
    let annotations = annotations(evaluated, dear, &position);
    let mut tags: Tags = roster(game, number).into_iter().collect();
    let kept = KEPT.split(' ').filter_map(|name| Some((name, game.tags.get(name)?)));
    kept.for_each(|(name, value)| tags.set(name, value));
    let moves = vec![PlayedMove { annotations, eval: None, ..played.clone() }];
    Some(Game {
        source: GameSource::default(),
        tags,
        start: position,
        mode: game.mode,
        moves,
        // What came of the game says nothing of the position.
        result: GameResult::Unknown,
        preamble: Vec::new(),
        start_eval: None,
    })
}

/// Returns the tags that every game has. Sites that are links lead to the game.
fn roster(game: &Game, number: usize) -> [(String, String); 6] {
    let tag = |name: &str, missing: &str| game.tags.get(name).unwrap_or(missing).to_owned();
    [
        ("Event".to_owned(), format!("Mistake {number}: {}", tag("Event", "?"))),
        ("Site".to_owned(), tag("Site", "?")),
        ("Date".to_owned(), tag("Date", "????.??.??")),
        ("Round".to_owned(), tag("Round", "?")),
        ("White".to_owned(), game.player(Color::White).to_owned()),
        ("Black".to_owned(), game.player(Color::Black).to_owned()),
    ]
}

fn annotations(evaluated: &EvaluatedGame, dear: &DearMove, position: &Chess) -> Vec<Annotation> {
    let before = evaluated.evaluations().at(dear.turn.ply);
    let says = before.map(|before| {
        let [before, after] = [before.score, dear.facts.after.score].map(evaluation);
        Annotation::Comment(format!(
            "winning chances {}; evaluation {before} before, {after} after",
            chances(dear.turn.chances)
        ))
    });
    let line = before.map(|before| match before.pv.as_slice() {
        [] => variation(position, before.best.as_slice(), 1),
        pv => variation(position, pv, PLIES),
    });
    let line = line.filter(|line| !line.is_empty()).map(Annotation::Variation);
    let glyph = dear.facts.verdict.judgement.map(|judgement| Annotation::Nag(judgement.nag()));
    glyph.into_iter().chain(says).chain(line).collect()
}
