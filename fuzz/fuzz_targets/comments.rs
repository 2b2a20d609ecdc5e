//! Any comment to its pieces: together they are all of it, and what is understood is written and read
//! as the same.

#![no_main]

use gainalyze::pgn::{Piece, is_own_evaluation, pieces};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|comment: &str| {
    let mut all = String::new();
    for piece in pieces(comment) {
        if let Piece::Known { command, .. } = piece {
            let written = command.to_string();
            let mut again = pieces(&written);
            assert!(matches!(again.next(), Some(Piece::Known { command: again, .. }) if again == command));
            assert!(again.next().is_none());
        }
        all += match piece {
            Piece::Text(text) | Piece::Known { text, .. } | Piece::Odd { text, .. } => text,
        };
    }
    assert_eq!(all, comment);
    is_own_evaluation(comment);
});
