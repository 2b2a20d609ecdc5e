//! Splits arbitrary comments into parts. The parts together must equal the comment, and a command must be the
//! same after it is written and parsed again.

#![no_main]

use gainalyze::chess::pgn::{comment_parts, is_player_eval};
use gainalyze::chess::CommentPart;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|comment: &str| {
    let mut all = String::new();
    for piece in comment_parts(comment) {
        if let CommentPart::Known { command, .. } = piece {
            let written = command.to_string();
            let mut again = comment_parts(&written);
            assert!(matches!(again.next(), Some(CommentPart::Known { command: again, .. }) if again == command));
            assert!(again.next().is_none());
        }
        all += match piece {
            CommentPart::Text(text) | CommentPart::Known { text, .. } | CommentPart::Odd { text, .. } => text,
        };
    }
    assert_eq!(all, comment);
    is_player_eval(comment);
});
