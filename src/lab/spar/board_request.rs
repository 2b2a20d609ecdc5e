//! [`BoardRequest`]: a person's input at the board, a command or a move in SAN or UCI notation.

use std::path::PathBuf;

use shakmaty::{Chess, Move, Position, san::San, san::SanError, san::SanPlus, uci::UciMove};

use super::illegal;
use crate::base::text::{brief, first_named};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardRequest {
    Play(Move),
    /// Take back the person's last move and the reply to it.
    Undo,
    /// Play the moves that were taken back last.
    Redo,
    Hint,
    Resign,
    Draw,
    Flip,
    Board,
    Moves,
    Fen,
    /// Show how strong the opponent plays.
    Level,
    /// Leave this game and begin another.
    New,
    /// Save a copy of the game to this file. Without a file, show the path of the game's file.
    Save(Option<PathBuf>),
    Help,
    /// Leave without ending the game.
    Quit,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRequest {
    #[error("{word:?} is not a legal move here: {why}")]
    Illegal { word: String, why: String },
    #[error("{word:?} is ambiguous: {}", first_named(moves, " or "))]
    Ambiguous { word: String, moves: Vec<String> },
    #[error(
        "{0:?} is not a move (such as Nf3, exd5, O-O, g1f3 or e7e8q) or a command; type help for the \
             list"
    )]
    Unknown(String),
}

/// Splits a line into requests, so that one line may have several moves. Move numbers and a result at the end
/// are ignored.
pub fn requests(line: &str) -> Vec<String> {
    let line = line.trim();
    let mut words = line.split_whitespace();
    if words.next().is_some_and(|word| word.eq_ignore_ascii_case("save")) {
        return vec![line.to_owned()];
    }
    let words = line.split_whitespace().map(without_number).filter(|word| !word.is_empty());
    words.filter(|word| !["1-0", "0-1", "1/2-1/2", "*"].contains(word)).map(str::to_owned).collect()
}

/// Removes a move number: returns `e4` for `1.e4`, and an empty text for `1.` and `12...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

impl BoardRequest {
    /// Parses the player's input: a command, `save` with an optional path, or a move in `position`.
    pub fn read(word: &str, position: &Chess) -> Result<BoardRequest, BadRequest> {
        let (name, rest) = word.trim().split_once(char::is_whitespace).unwrap_or((word.trim(), ""));
        Ok(match name.to_ascii_lowercase().as_str() {
            "undo" | "u" => BoardRequest::Undo,
            "redo" => BoardRequest::Redo,
            "hint" => BoardRequest::Hint,
            "resign" => BoardRequest::Resign,
            "draw" => BoardRequest::Draw,
            "flip" => BoardRequest::Flip,
            "board" => BoardRequest::Board,
            "moves" => BoardRequest::Moves,
            "fen" => BoardRequest::Fen,
            "level" => BoardRequest::Level,
            "new" => BoardRequest::New,
            "help" | "?" => BoardRequest::Help,
            "quit" | "exit" => BoardRequest::Quit,
            "save" => {
                BoardRequest::Save(Some(rest.trim()).filter(|path| !path.is_empty()).map(PathBuf::from))
            }
            _ => BoardRequest::Play(read_move(name, position)?),
        })
    }
}

fn read_move(word: &str, position: &Chess) -> Result<Move, BadRequest> {
    let bare = word.trim_end_matches(['!', '?', '+', '#']);
    if let Ok(uci) = bare.to_ascii_lowercase().parse::<UciMove>() {
        // Both notations of castling are accepted, as in user interfaces.
        let why = || illegal::of_uci(position, uci);
        return uci.to_move(position).map_err(|_| BadRequest::Illegal { word: brief(word), why: why() });
    }
    // First as written, then corrected: pieces in capitals, castling with letters.
    let meant = [bare.to_owned(), with_capitals(bare)];
    let mut found = Err(BadRequest::Unknown(brief(word)));
    for san in meant.iter().filter_map(|text| text.parse::<San>().ok()) {
        // A capture may lack its x.
        let found_move = san.to_move(position).or_else(|error| match error {
            SanError::IllegalSan => with_capture(&san).to_move(position),
            other => Err(other),
        });
        match found_move {
            Ok(m) => return Ok(m),
            Err(SanError::AmbiguousSan) => found = Err(ambiguous(word, &san, position)),
            Err(SanError::IllegalSan) if matches!(found, Err(BadRequest::Unknown(_))) => {
                let why = illegal::of_san(position, &san);
                found = Err(BadRequest::Illegal { word: brief(word), why });
            }
            Err(SanError::IllegalSan) => {}
        }
    }
    found
}

fn with_capture(san: &San) -> San {
    match *san {
        San::Normal { role, file, rank, to, promotion, .. } => {
            San::Normal { role, file, rank, capture: true, to, promotion }
        }
        other => other,
    }
}

/// Returns castling with letters for zeros, and other moves with capitals for piece and promotion.
fn with_capitals(word: &str) -> String {
    let castling = word.to_ascii_uppercase().replace('0', "O");
    if castling == "O-O" || castling == "O-O-O" {
        return castling;
    }
    let mut text = String::new();
    let mut letters = word.chars();
    text.extend(letters.next().map(|first| first.to_ascii_uppercase()));
    text.push_str(letters.as_str());
    // A pawn move keeps its file, and its promotion may lack `=`.
    let is_pawn = word.starts_with(|c: char| ('a'..='h').contains(&c)) && !word.starts_with('b');
    let mut text = if is_pawn { word.to_owned() } else { text };
    if let Some(last) = text.pop() {
        let promotes = text.ends_with(['1', '8', '=']) && "qrbnQRBN".contains(last);
        if promotes && !text.ends_with('=') {
            text.push('=');
        }
        text.push(if promotes { last.to_ascii_uppercase() } else { last });
    }
    text
}

fn ambiguous(word: &str, san: &San, position: &Chess) -> BadRequest {
    let moves = position.legal_moves().into_iter().filter(|m| san.matches(*m));
    let moves = moves.map(|m| SanPlus::from_move(position.clone(), m).to_string()).collect();
    BadRequest::Ambiguous { word: brief(word), moves }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a legal position")
    }

    fn read(word: &str, position: &Chess) -> Result<BoardRequest, BadRequest> {
        BoardRequest::read(word, position)
    }

    fn san(word: &str, position: &Chess) -> String {
        match read(word, position) {
            Ok(BoardRequest::Play(m)) => SanPlus::from_move(position.clone(), m).to_string(),
            other => panic!("{word}: {other:?}"),
        }
    }

    #[test]
    fn moves_are_read_as_people_and_programs_write_them() {
        let start = Chess::default();
        for word in ["Nf3", "nf3", "g1f3", "G1F3", "Nf3!", "Nf3+?!"] {
            assert_eq!(san(word, &start), "Nf3");
        }
        let castles = position("r3k2r/P6p/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for word in ["O-O", "o-o", "0-0", "e1g1", "e1h1"] {
            assert_eq!(san(word, &castles), "O-O", "{word}");
        }
        assert_eq!(san("0-0-0", &castles), "O-O-O");
        let promotes = position("8/P6k/8/8/8/8/8/K7 w - - 0 1");
        for word in ["a8=Q", "a8Q", "a8q", "a8=q", "a7a8q"] {
            assert_eq!(san(word, &promotes), "a8=Q", "{word}");
        }
        // The x of a capture may be missing.
        let capture = position("4k3/8/8/4p3/3P4/5N2/8/4K3 w - - 0 1");
        assert_eq!((san("Ne5", &capture), san("de5", &capture)), ("Nxe5".to_owned(), "dxe5".to_owned()));
        // A pawn capture takes precedence over a bishop's.
        let both = position("4k3/8/8/2p5/1P6/8/5B2/4K3 w - - 0 1");
        assert_eq!((san("bxc5", &both), san("Bxc5", &both)), ("bxc5".to_owned(), "Bxc5".to_owned()));
    }

    #[test]
    fn what_is_no_move_says_why() {
        let start = Chess::default();
        let said = |word: &str, position: &Chess| read(word, position).expect_err("no request").to_string();
        assert_eq!(said("e5", &start), "\"e5\" is not a legal move here: the pawn on e2 cannot go to e5");
        assert!(said("hello", &start).starts_with("\"hello\" is not a move"));
        let knights = position("4k3/8/8/8/8/8/8/1N1NK3 w - - 0 1");
        let told = said("Nc3", &knights);
        assert!(told.contains("Nbc3") && told.contains(" or ") && told.contains("Ndc3"), "{told}");
        let long = said(&"x".repeat(1_000_000), &start);
        assert!(long.len() < 300, "{}", long.len());
    }

    #[test]
    fn an_illegal_move_says_what_is_in_its_way() {
        let pinned = "4r1k1/8/8/b7/4b3/4N3/1n1N4/R3K2R w KQ - 0 1";
        let check = "4r1k1/8/8/8/8/8/3N1P2/R3K2R w KQ - 0 1";
        let through = "3r2k1/8/8/8/8/8/5P2/R3K2R w KQ - 0 1";
        let promotes = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (fen, word, why) in [
            (start, "e3e4", "there is no piece on e3"),
            (start, "e7e5", "the pawn on e7 is your opponent's"),
            (start, "a1a3", "the piece on a2 blocks the rook on a1"),
            (start, "Ra3", "the piece on a2 blocks the rook on a1"),
            (start, "Rb4", "none of your rooks can go to b4"),
            (start, "Bc1", "none of your bishops can go to c1"),
            (start, "d1d2", "your own piece is on d2"),
            (start, "Nd2", "your own piece is on d2"),
            (start, "exd3", "there is nothing to capture on d3"),
            (start, "O-O", "the piece on f1 blocks castling"),
            (pinned, "Nf3", "the knight on d2 is pinned: your king would be in check"),
            (pinned, "Qd4", "you have no queen"),
            (pinned, "Kd1", "your king would be in check on d1"),
            (check, "Nb3", "your king is in check and would stay in check"),
            (check, "O-O", "the king may not castle out of check"),
            (through, "e1c1", "d1 is attacked: a castling king may not cross it or land on it"),
            (through, "e1e3", "the king on e1 cannot go to e3"),
            (promotes, "a7a8", "the pawn promotes on a8: add a piece, such as q for a queen"),
            (promotes, "O-O", "you may not castle on that side: the king or the rook has moved"),
            (promotes, "bxa8=Q", "you have no pawn there"),
            (promotes, "a7a8k", "there is no such promotion"),
            (start, "e2e4q", "there is no such promotion"),
            (start, "Nxf3", "there is nothing to capture on f3"),
        ] {
            let told = read(word, &position(fen)).expect_err("no legal move").to_string();
            assert_eq!(told, format!("\"{word}\" is not a legal move here: {why}"), "{fen}");
        }
    }

    #[test]
    fn words_are_known_in_any_case_and_a_line_may_have_several() {
        let start = Chess::default();
        for (word, request) in [
            ("undo", BoardRequest::Undo),
            ("Resign", BoardRequest::Resign),
            ("?", BoardRequest::Help),
            ("save", BoardRequest::Save(None)),
            ("save my game.pgn", BoardRequest::Save(Some("my game.pgn".into()))),
            ("quit", BoardRequest::Quit),
        ] {
            assert_eq!(read(word, &start), Ok(request));
        }
        assert_eq!(requests("1. e4 e5 2.Nf3 12... flip 1-0"), ["e4", "e5", "Nf3", "flip"]);
        assert_eq!(requests(" save my game.pgn "), ["save my game.pgn"]);
        assert!(requests("  ").is_empty() && requests("1/2-1/2").is_empty());
    }

    proptest! {
        #[test]
        fn every_legal_move_is_understood_in_either_notation(choices in prop::collection::vec(0usize..1000, 0..60)) {
            let mut position = Chess::default();
            for choice in choices {
                let legal = position.legal_moves();
                let Some(&m) = legal.get(choice % legal.len().max(1)) else { break };
                let written = [SanPlus::from_move(position.clone(), m).to_string(), m.to_uci(CastlingMode::Standard).to_string()];
                for word in written {
                    prop_assert_eq!(read(&word, &position), Ok(BoardRequest::Play(m)), "{}", word);
                }
                position.play_unchecked(m);
            }
        }

        #[test]
        fn no_line_is_too_odd(line in ".{0,60}") {
            for word in requests(&line) {
                let _ = read(&word, &Chess::default());
            }
        }
    }
}
