//! Piece letters of other languages than English, and figurines.

use std::collections::BTreeSet;

use shakmaty::san::San;

use super::{
    split::GameText,
    tokens::{Token, WrittenMove, split_san},
};

/// The letters of king, queen, rook, bishop and knight in one language.
pub(super) type Letters = [&'static str; 5];

const ENGLISH: Letters = ["K", "Q", "R", "B", "N"];

/// The piece letters of each language, from translations of the FIDE Handbook and from national federations:
/// German (and Danish, Swedish, Croatian), French, Spanish (and Italian), Portuguese, Dutch, Polish, Czech,
/// Hungarian, Finnish, Romanian, Icelandic, Russian; and figurines.
const LANGUAGES: [Letters; 13] = [
    ["K", "D", "T", "L", "S"],
    ["R", "D", "T", "F", "C"],
    ["R", "D", "T", "A", "C"],
    ["R", "D", "T", "B", "C"],
    ["K", "D", "T", "L", "P"],
    ["K", "H", "W", "G", "S"],
    ["K", "D", "V", "S", "J"],
    ["K", "V", "B", "F", "H"],
    ["K", "D", "T", "L", "R"],
    ["R", "D", "T", "N", "C"],
    ["K", "D", "H", "B", "R"],
    ["Кр", "Ф", "Л", "С", "К"],
    ["♔", "♕", "♖", "♗", "♘"],
];

/// Returns the languages in which every word of the game has the form of a move. Returns none if all words
/// are moves in English. In different languages, the same words can mean different moves.
pub(super) fn languages(game: &GameText<'_>) -> impl Iterator<Item = Letters> {
    let words = game.tokens.iter().filter_map(|token| match token {
        Token::Move { mv, .. } if matches!(mv.san.san, San::Castle(_)) => None,
        Token::Move { written, .. } | Token::Unknown(written) => Some(*written),
        _ => None,
    });
    let is_foreign = game.tokens.iter().any(|token| matches!(token, Token::Unknown(_)));
    let words: BTreeSet<&str> = words.filter(|_| is_foreign).collect();
    LANGUAGES.into_iter().filter(move |letters| {
        !words.is_empty() && words.iter().all(|word| in_language(word, *letters).is_some())
    })
}

/// Parses a move with the piece letters `letters`, for the piece that moves and for a promotion.
pub(super) fn in_language(word: &str, letters: Letters) -> Option<WrittenMove> {
    let (mut english, mut rest) = (String::with_capacity(word.len()), word);
    let white_figurine = |c: char| match c {
        '♚'..='♞' => char::from_u32(u32::from(c) - 6),
        _ => None,
    };
    let figurines = word.replace(|c| white_figurine(c).is_some(), "");
    let word: String = word.chars().map(|c| white_figurine(c).unwrap_or(c)).collect();
    if figurines.len() < rest.len() {
        rest = &word;
    }
    while let Some(c) = rest.chars().next() {
        let piece = letters.iter().position(|letter| rest.starts_with(letter));
        match piece {
            Some(piece) => {
                english.push_str(ENGLISH[piece]);
                rest = &rest[letters[piece].len()..];
            }
            None if c.is_uppercase() && c != 'O' => return None,
            None => {
                english.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    split_san(&english).map(|(mv, _)| mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Game, Repair, pgn::parse_games};

    fn read(moves: &str) -> Option<Game> {
        parse_games(&format!("[White \"a\"]\n\n{moves} *\n"), "test").remove(0).ok()
    }

    #[test]
    fn a_game_is_read_in_the_one_language_in_which_it_is_legal() {
        let english =
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 Qd7 9. Qe2 Kf8";
        let expected = read(english).expect("a game");
        assert_eq!(expected.repairs.iter().count(), 0);
        let translated = |letters: Letters| -> String {
            let letter = |c: char| ENGLISH.iter().position(|english| english.starts_with(c));
            english
                .chars()
                .map(|c| letter(c).map_or(c.to_string(), |piece| letters[piece].to_owned()))
                .collect()
        };
        for letters in LANGUAGES {
            let game = read(&translated(letters)).expect("a game");
            assert_eq!(game.moves, expected.moves, "{letters:?}");
            assert_eq!(game.repairs.iter().collect::<Vec<_>>(), [Repair::PieceLetters], "{letters:?}");
        }
        let black_figurines = read("1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 ♝c5").expect("a game");
        assert_eq!(black_figurines.moves[3].san.to_string(), "Nc6");
    }

    #[test]
    fn a_promotion_has_a_letter_too_and_two_languages_in_one_game_are_none() {
        let game = read("1. a4 b5 2. axb5 a6 3. bxa6 Lb7 4. axb7 Sc6 5. bxa8=D Dxa8").expect("a game");
        assert_eq!(game.moves[8].san.to_string(), "bxa8=Q");
        assert_eq!(read("1. e4 e5 2. Sf3 Cc6"), None);
    }
}
