//! `mistakes.pgn`: the positions before a player's mistakes, as games for training.

use shakmaty::{Chess, Color, san::SanPlus};

use crate::chess::pgn::{variation, write_game};
use crate::chess::{
    Annotation, EvaluatedGame, Game, GameResult, GameSource, Judgment, PlayedMove, Repairs, Tags,
};
use crate::measure::{CostlyMove, PlayGrouping};
use crate::report::{html::key_moves::evaluation, words::numbers::chances};

const PLIES: usize = 12;

/// The tags copied from the game, in addition to the [`roster`].
const KEPT: &str = "WhiteElo BlackElo WhiteTitle BlackTitle UTCDate TimeControl ECO Opening Variant";

/// Returns one game for each of `moves`. Each game begins with the position before the move. The main line is
/// the engine's line, which the reader is to find. The move played is a variation, with its glyph and its
/// cost. If no better move is known, the move played is the main line.
pub(super) fn pgn(games: &[EvaluatedGame], moves: &[CostlyMove]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, costly) in (1..).zip(moves) {
        if let Some(game) = training(&games[costly.turn.game], costly, number) {
            write_game(&game, &mut bytes).expect("a vector takes every byte");
        }
    }
    bytes
}

fn training(evaluated: &EvaluatedGame, costly: &CostlyMove, number: usize) -> Option<Game> {
    let game = evaluated.game();
    let position = game.positions().nth(costly.turn.ply)?;
    let played = &game.moves[costly.turn.ply];
    let glyph = costly.facts.verdict.judgment.map(Judgment::nag);
    let cost = cost(evaluated, costly);
    let mut moves = solution(evaluated, costly, &position, played);
    match moves.first_mut() {
        Some(first) => {
            let glyph = glyph.map_or(String::new(), |nag| format!(" ${nag}"));
            let cost = cost.map_or(String::new(), |cost| format!(" {{ {cost} }}"));
            let line = variation(&position, &[played.uci], 1);
            first.annotations = vec![Annotation::Variation(line + &glyph + &cost)];
        }
        None => {
            let annotations = glyph.map(Annotation::Nag).into_iter().chain(cost.map(Annotation::Comment));
            moves.push(PlayedMove { annotations: annotations.collect(), eval: None, ..played.clone() });
        }
    }
    let mut tags: Tags = roster(game, number).into_iter().collect();
    let kept = KEPT.split(' ').filter_map(|name| Some((name, game.tags.get(name)?)));
    kept.for_each(|(name, value)| tags.set(name, value));
    tags.set("Theme", &themes(game, costly).join(", "));
    Some(Game {
        source: GameSource::default(),
        tags,
        start: position,
        mode: game.mode,
        moves,
        // The game's result says nothing about the position.
        result: GameResult::Unknown,
        preamble: Vec::new(),
        start_eval: None,
        book_plies: None,
        repairs: Repairs::default(),
    })
}

/// Returns the start of the engine's line; empty if it is unknown, or begins with the move played.
fn solution(
    evaluated: &EvaluatedGame,
    costly: &CostlyMove,
    position: &Chess,
    played: &PlayedMove,
) -> Vec<PlayedMove> {
    let Some(before) = evaluated.evaluations().at(costly.turn.ply) else { return Vec::new() };
    let line = if before.pv.is_empty() { before.best.as_slice() } else { before.pv.as_slice() };
    if line.first().is_none_or(|first| *first == played.uci) {
        return Vec::new();
    }
    let mut position = position.clone();
    let moves = line.iter().take(PLIES).map_while(|&uci| {
        let m = uci.to_move(&position).ok()?;
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        Some(PlayedMove { uci, san, eval: None, clock: None, elapsed: None, annotations: Vec::new() })
    });
    moves.collect()
}

fn themes(game: &Game, costly: &CostlyMove) -> Vec<String> {
    let judgment = costly.facts.verdict.judgment.map(|judgment| judgment.to_string());
    let of = |by: PlayGrouping| by.group(game, costly.turn.ply, &costly.facts).map(|group| group.name);
    let had_mate = costly.facts.before.and_then(|before| before.score.mate()).is_some_and(|mate| {
        let is_of_white = mate > 0;
        is_of_white == costly.facts.mover.is_white()
    });
    let mate = had_mate.then(|| "missed mate".to_owned());
    let clock = of(PlayGrouping::Clock).map(|left| format!("{left} left"));
    [judgment, mate, of(PlayGrouping::Phase), of(PlayGrouping::Position), clock]
        .into_iter()
        .flatten()
        .collect()
}

/// Returns the tags that every game has. If a site is a link, it leads to the player's game.
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

fn cost(evaluated: &EvaluatedGame, costly: &CostlyMove) -> Option<String> {
    let before = evaluated.evaluations().at(costly.turn.ply)?;
    let [before, after] = [before.score, costly.facts.after.score].map(evaluation);
    Some(format!(
        "winning chances {}; evaluation {before} before, {after} after",
        chances(costly.turn.chances)
    ))
}
