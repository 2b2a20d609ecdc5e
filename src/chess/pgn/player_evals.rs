//! Recognizes comments in which a playing engine evaluates its own move.

use crate::chess::game::{Annotation, Game};

/// Returns the first comment of the game in which a playing engine evaluates its own move; `None` if there is
/// none.
pub fn player_eval(game: &Game) -> Option<&str> {
    let annotations = game.moves.iter().flat_map(|played| &played.annotations);
    annotations.filter_map(Annotation::comment).find(|comment| is_player_eval(comment))
}

/// Returns whether a comment has the form of a playing engine's evaluation of its own move. The known forms
/// are those of cutechess and fastchess (`+0.31/20 1.2s` or `-M5/20 0.1s, White mates`), and of TCEC (`d=30,
/// sd=45, wv=0.31`).
///
/// The comment `book`, for a move without a search, does not count.
pub fn is_player_eval(comment: &str) -> bool {
    let comment = comment.trim();
    is_score_depth_time(comment) || is_keys_and_values(comment)
}

/// Returns whether the comment begins with a score, a slash, a depth, a space, and a time in seconds or
/// milliseconds. Other text may follow after a comma or a space.
fn is_score_depth_time(comment: &str) -> bool {
    let Some((score, rest)) = comment.split_once('/') else { return false };
    let Some((depth, rest)) = rest.split_once(' ') else { return false };
    let time = rest.trim_start().split([',', ' ']).next().unwrap_or_default();
    let unsigned = score.strip_prefix(['+', '-']).unwrap_or(score);
    let is_score = match unsigned.strip_prefix('M') {
        Some(moves) => is_digits(moves),
        None => is_decimal(unsigned),
    };
    let is_time = time.strip_suffix('s').is_some_and(|time| {
        let time = time.strip_suffix('m').unwrap_or(time);
        is_digits(time) || is_decimal(time)
    });
    is_score && is_digits(depth) && is_time
}

/// Returns whether the comment has pairs `key=value`, separated by commas, for a depth (`d`) and for a score
/// (`wv` or `ev`).
fn is_keys_and_values(comment: &str) -> bool {
    let has = |key: &str| {
        comment.split(',').any(|pair| {
            let pair = pair.trim_start().split_once('=');
            pair.is_some_and(|(found, value)| found.trim_end() == key && !value.trim().is_empty())
        })
    };
    has("d") && (has("wv") || has("ev"))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether the text is a number with a decimal point and with digits on both sides of the point.
fn is_decimal(text: &str) -> bool {
    text.split_once('.').is_some_and(|(whole, decimals)| is_digits(whole) && is_digits(decimals))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::parse_games;

    #[test]
    fn what_engines_say_of_their_own_moves_is_recognized() {
        for comment in [
            "+0.31/20 1.2s",
            "-0.05/9 0.014s",
            "0.00/1 0s",
            "-M5/20 0.1s",
            "+M1/245 0s, White mates",
            "0.00/1 0s, draw by 3-fold repetition",
            "+0.31/20 12ms, n=12345, sd=31",
            "d=30, sd=45, mt=12345, tl=1234567, s=1000, n=123456, pv=Nf6 d4, tb=0, R50=49, wv=0.31",
            "ev=0.00, d=1, mt=00:00:00, tl=02:00:00",
        ] {
            assert!(is_player_eval(comment), "{comment}");
        }
    }

    #[test]
    fn words_results_and_evaluations_by_one_judge_are_none() {
        for comment in [
            "book",
            "",
            "1/2 1.2s",
            "0.5/2 points after two rounds",
            "+0.31/20",
            "+0.31",
            "e4/d4 5s",
            "[%eval 0.31,20]",
            "[%clk 0:01:02]",
            "d=30",
            "with wv=0.31 and no depth",
            "+0.31/20 soon",
        ] {
            assert!(!is_player_eval(comment), "{comment}");
        }
    }

    #[test]
    fn of_a_game_the_first_is_shown_and_variations_are_not_looked_at() {
        let pgn =
            "{ +0.10/1 0s } 1. e4 {book} (1. d4 {+0.20/2 0s}) e5 { +0.31/20 1.2s } 2. Nf3 {+0.40/4 1s} *";
        let game = parse_games(pgn, "test").remove(0).expect("a game");
        assert_eq!(player_eval(&game), Some("+0.31/20 1.2s"));
    }
}
