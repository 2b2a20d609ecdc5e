use proptest::prelude::*;

use super::*;
use crate::chess::pgn::{parse_games, split::GameSplitter};

/// Returns the number of tokens that pgn-reader has not read.
fn unread(text: &str) -> Vec<usize> {
    let games = GameSplitter { text, at: 0 };
    games.map(|game| Reading::of(&game, game.tokens.len()).expect("usual start").tokens.len()).collect()
}

#[test]
fn pgn_reader_reads_what_it_knows_and_the_tokens_are_the_rest() {
    let game = "[White \"a\"]\n\n1. e4! {b} (1. d4 $5 {c}) 1... e5\n2. Nf3+ O-O 1/2-1/2\n\n";
    assert_eq!(unread(&game.replace("Nf3+ O-O", "Nf3 Nc6").repeat(2)), [0, 0]);
    assert_eq!(unread(game), [2], "an illegal move");
    for (odd, tokens) in [("Nf3 e7-e6", 2), ("\n\nNf3", 3), ("Sf3", 2), ("; d\n", 2), ("{d", 1), ("3. d4", 0)]
    {
        assert_eq!(unread(&game.replace("Nf3+ O-O", odd)), [tokens], "{odd}");
    }
}

proptest! {
    #[test]
    fn a_game_is_the_same_without_pgn_reader(
        text in r"(1\. |e4 |e7-e5 |e5|Sf3 |Nf3!|\$1|\{a|\}|; b\n|\(|\) |\n\n|--|1-0|Nc6+ |%c\n|\[){0,12}",
        strict: bool,
    ) {
        for game in (GameSplitter { text: &text, at: 0 }) {
            prop_assert_eq!(replay(&GameText { moves: "", ..game.clone() }, strict), replay(&game, strict));
        }
    }
}

/// Returns the number of moves of a valid main line from the initial position, or from that position at
/// Black's move 17. For an invalid main line, the error has the ply and the token of the fault.
fn walk(moves: &str, is_later: bool) -> Result<usize, (Option<usize>, Option<String>)> {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 17";
    let start = if is_later { format!("[FEN \"{fen}\"]\n\n") } else { String::new() };
    let game = parse_games(&format!("{start}{moves}"), "test").remove(0);
    game.map(|game| game.moves.len()).map_err(|bad| (bad.ply, bad.token))
}

fn fault(ply: usize, token: &str) -> Result<usize, (Option<usize>, Option<String>)> {
    Err((Some(ply), Some(token.to_owned())))
}

#[test]
fn a_number_must_be_that_of_the_moves_counted() {
    assert_eq!(walk("1. e4 e5 2. Nf3 2... Nc6 Bb5 3… a6", false), Ok(6));
    assert_eq!(walk("1. e4 2. Nf3", false), fault(2, "2."));
    assert_eq!(walk("1. e4 e5 2... Nf3 0. Nc6 17. d4", false), Ok(5), "every move is legal");
}

#[test]
fn a_game_from_a_position_may_be_numbered_from_it_or_from_one() {
    assert_eq!(walk("17... Nf6 18. e4", true), Ok(2));
    assert_eq!(walk("1... Nf6 2. e4", true), Ok(2));
    assert_eq!(walk("1... Nf6 18. Nf6", true), fault(2, "18."));
}

#[test]
fn variations_are_left_alone_but_must_end() {
    assert_eq!(walk("1. e4 (9. Sf3 (--) foo) e5", false), Ok(2));
    assert_eq!(walk("1. e4 ) e5", false), fault(2, ")"));
    assert_eq!(walk("1. e4 (e5", false), Err((Some(2), None)));
}
