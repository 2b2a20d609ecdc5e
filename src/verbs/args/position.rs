//! Positions and moves that users write on the command line.

use shakmaty::{CastlingMode, Chess, uci::UciMove};

use crate::base::text::printable;
use crate::chess::{Game, game::fen, pgn::parse_games};
use crate::verbs::error::VerbError;

pub fn position_of(fen: &str) -> Result<(Chess, CastlingMode), VerbError> {
    let game = parsed_game(&format!("[FEN \"{}\"]\n\n*\n", fen.replace(['"', '\n'], " ")))
        .map_err(|error| VerbError::new(format!("\"{}\" is not a position: {error}", printable(fen))))?;
    Ok((game.start, game.mode))
}

/// Reads a line of moves from the position `from`. `option` is the name of the option that has `moves` as its
/// value.
pub fn more_moves(option: &str, from: &Chess, moves: &str) -> Result<Vec<UciMove>, VerbError> {
    if moves.trim().is_empty() {
        return Ok(Vec::new());
    }
    let game = parsed_game(&format!("[FEN \"{}\"]\n\n{moves} *\n", fen(from))).map_err(|error| {
        let moves = printable(moves);
        VerbError::new(format!("{option} \"{moves}\": {error}; write moves like \"e4 e5 Nf3\""))
    })?;
    Ok(game.moves.iter().map(|played| played.uci).collect())
}

pub fn parsed_game(pgn: &str) -> Result<Game, String> {
    match parse_games(pgn, "position").into_iter().next() {
        Some(Ok(game)) => Ok(game),
        Some(Err(bad)) => Err(bad.fault()),
        None => Err("nothing can be read".to_owned()),
    }
}
