//! [`CommentFacts`]: the evaluation and the times in a comment.

use std::time::Duration;

use super::comments::{CommentCommand, CommentPart, comment_parts};
use crate::base::text::fold_spaces;
use crate::chess::game::{Annotation, Game, RecordedEval};

/// Returns the texts of a game's evaluation commands that are malformed or have numbers out of range.
pub fn odd_evaluations(game: &Game) -> impl Iterator<Item = &str> {
    let moves = game.moves.iter().flat_map(|played| &played.annotations);
    let comments = game.preamble.iter().chain(moves).filter_map(Annotation::comment);
    comments.flat_map(comment_parts).filter_map(|piece| match piece {
        CommentPart::Odd { name: "eval", text } => Some(text),
        _ => None,
    })
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct CommentFacts {
    /// The comment without the commands that the other fields store. Each run of white space is a single
    /// space, and white space at the ends is removed.
    pub text: String,
    /// The last evaluation in the comment, with its chances and best move.
    pub eval: Option<RecordedEval>,
    pub clock: Option<Duration>,
    pub elapsed: Option<Duration>,
    /// True if a clock or the time of a move is malformed, such as `[%clk 1:29]`, which may be hours or minutes.
    pub has_odd_clock: bool,
}

impl CommentFacts {
    /// Parses a comment after a move.
    ///
    /// Chances and a best move belong to the evaluation before them in the comment. Without such an
    /// evaluation, they stay in the text. Commands that are malformed (`[%eval high]`) or out of range also
    /// stay in the text.
    pub fn behind_a_move(comment: &str) -> CommentFacts {
        CommentFacts::of(comment, true)
    }

    /// Parses a comment before the first move. Clock commands stay in the text, because they have no move to
    /// refer to.
    pub fn before_all_moves(comment: &str) -> CommentFacts {
        CommentFacts::of(comment, false)
    }

    fn of(comment: &str, has_mover: bool) -> CommentFacts {
        let (mut facts, mut left) = (CommentFacts::default(), String::with_capacity(comment.len()));
        let mut open = false;
        for piece in comment_parts(comment) {
            facts.has_odd_clock |= matches!(piece, CommentPart::Odd { name: "clk" | "emt", .. });
            let text = match piece {
                // When a command is removed, the texts around it must not join to form a new command.
                CommentPart::Known { command, .. } if facts.take(command, has_mover) => {
                    if open {
                        " [] "
                    } else {
                        " "
                    }
                }
                CommentPart::Known { text, .. } | CommentPart::Odd { text, .. } | CommentPart::Text(text) => {
                    text
                }
            };
            open = text.rfind(['[', ']']).map_or(open, |at| text[at..].starts_with('['));
            left.push_str(text);
        }
        CommentFacts { text: fold_spaces(&left), ..facts }
    }

    /// Stores the value of `command`. Returns false if the command has no evaluation or move to refer to.
    fn take(&mut self, command: CommentCommand, has_mover: bool) -> bool {
        match (command, &mut self.eval) {
            (CommentCommand::Eval { score, depth }, eval) => {
                *eval = Some(RecordedEval { score, depth, wdl: None, best: None });
            }
            (CommentCommand::Wdl(wdl), Some(eval)) => eval.wdl = Some(wdl),
            (CommentCommand::Best(best), Some(eval)) => eval.best = Some(best),
            (CommentCommand::Wdl(_) | CommentCommand::Best(_), None) => return false,
            (CommentCommand::Clock(_) | CommentCommand::Elapsed(_), _) if !has_mover => return false,
            (CommentCommand::Clock(left), _) => self.clock = Some(left),
            (CommentCommand::Elapsed(spent), _) => self.elapsed = Some(spent),
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{evaluation::Wdl, pgn::comments::EvalCommands, score::SignedScore};

    /// Returns the remaining text of a comment after a move, and the comment's evaluation.
    fn split_eval(comment: &str) -> (String, Option<RecordedEval>) {
        let facts = CommentFacts::behind_a_move(comment);
        (facts.text, facts.eval)
    }

    fn bare(cp: i32, depth: Option<u32>) -> RecordedEval {
        RecordedEval { score: SignedScore::Cp(cp), depth, wdl: None, best: None }
    }

    #[test]
    fn only_what_is_understood_leaves_the_comment_and_the_last_one_counts() {
        let (text, eval) = split_eval(" [%eval 0.1] [%csl Gd4]\n good [%eval 0.2,4]");
        assert_eq!(text, "[%csl Gd4] good");
        assert_eq!(eval, Some(bare(20, Some(4))));
        assert_eq!(split_eval("[%ev[%eval 0.1]al 0.2]").0, "[%ev [] al 0.2]");
        let twice = split_eval("[%eval [%eval 0.1]0.2]");
        assert_eq!(twice, ("[%eval [] 0.2]".to_owned(), Some(bare(10, None))));
        assert_eq!(split_eval(&twice.0), (twice.0.clone(), None));
        assert_eq!(split_eval("[%eval high] [[x"), ("[%eval high] [[x".to_owned(), None));
    }

    #[test]
    fn chances_and_a_best_move_stand_behind_their_evaluation() {
        let known = RecordedEval {
            wdl: Wdl::new(120, 800, 80),
            best: Some("e7e8q".parse().expect("a move")),
            ..bare(17, Some(20))
        };
        let written = "[%eval 0.17,20] [%wdl 120,800,80] [%best e7e8q]";
        assert_eq!(EvalCommands(known).to_string(), written);
        let spaced = "[%eval 0.17,20][%cal Ge2e4] sharp [ %best  e7e8q ]\n[%wdl 120 , 800 ,80]";
        assert_eq!(split_eval(spaced), ("[%cal Ge2e4] sharp".to_owned(), Some(known)));
        let said_anew = format!("{written} [%eval 0.20,21] [%best e7e8q]");
        let last = RecordedEval { best: known.best, ..bare(20, Some(21)) };
        assert_eq!(split_eval(&said_anew), (String::new(), Some(last)), "chances of another evaluation");
    }

    #[test]
    fn clocks_are_those_of_the_move_that_they_stand_behind() {
        let times = |comment| {
            let facts = CommentFacts::behind_a_move(comment);
            (facts.text, facts.clock, facts.elapsed)
        };
        let seconds = Duration::from_secs_f64;
        let both = times("[%emt 0:00:05] fast[%clk 1:02:03.5]");
        assert_eq!(both, ("fast".to_owned(), Some(seconds(3723.5)), Some(seconds(5.0))));
        assert_eq!(times("[%emt 75.25]"), (String::new(), None, Some(seconds(75.25))));
        assert_eq!(times("[ %clk\t0:00:09 ] [%clk 0:00:08]"), (String::new(), Some(seconds(8.0)), None));
        for odd in ["[%clk 5]", "[%clk 0:61:00]", "[%clk]", "[%emt soon]", "[%clk -0:00:01]"] {
            assert_eq!(times(odd), (odd.to_owned(), None, None));
        }
        let before = CommentFacts::before_all_moves("[%clk 1:00:00] [%eval 0.3]");
        assert_eq!((before.text.as_str(), before.clock), ("[%clk 1:00:00]", None));
        assert_eq!(before.eval, Some(bare(30, None)));
    }

    #[test]
    fn chances_and_a_best_move_without_an_evaluation_are_text() {
        for text in ["[%wdl 120,800,80] [%best e2e4]", "[%best e2e4]", "[%eval high] [%wdl 0,1000,0]"] {
            assert_eq!(split_eval(text), (text.to_owned(), None));
        }
        let before = "[%wdl 120,800,80] [%eval 0.17]";
        assert_eq!(split_eval(before), ("[%wdl 120,800,80]".to_owned(), Some(bare(17, None))));
    }

    #[test]
    fn what_are_no_chances_and_no_move_stays_in_the_text() {
        for text in [
            "[%wdl 120,800,-80]",
            "[%wdl 120,800]",
            "[%wdl 120,800,80,0]",
            "[%wdl 12,80,8]",
            "[%wdl 0.12,0.8,0.08]",
            "[%wdl 65656,800,80]",
            "[%wdl ]",
            "[%wdl 120,800,80",
            "[%WDL 120,800,80]",
            "[%wdl120,800,80]",
            "[%best Nf3]",
            "[%best e2]",
            "[%best ]",
            "[%best e2e4 e7e5]",
            "[%bestmove e2e4]",
        ] {
            let comment = format!("[%eval 0.17] {text}");
            assert_eq!(split_eval(&comment), (text.to_owned(), Some(bare(17, None))));
        }
    }

    prop_compose! {
        fn chances()(win in 0..=1000u16, share in 0.0..=1.0) -> Option<Wdl> {
            let draw = (f64::from(1000 - win) * share) as u16;
            Wdl::new(win, draw, 1000 - win - draw)
        }
    }

    proptest! {
        #[test]
        fn writing_and_reading_are_inverses(
            mate: bool,
            size in -i32::MAX..=i32::MAX,
            depth: Option<u32>,
            wdl in prop_oneof![Just(None), chances()],
            best in proptest::option::of("[a-h][1-8][a-h][1-8][nbrq]?"),
        ) {
            let score = if mate { SignedScore::Mate(size) } else { SignedScore::Cp(size) };
            let best = best.map(|best| best.parse().expect("a move in UCI's notation"));
            let eval = RecordedEval { score, depth, wdl, best };
            prop_assert_eq!(split_eval(&EvalCommands(eval).to_string()), (String::new(), Some(eval)));
        }

        #[test]
        fn no_comment_is_too_odd_to_read(text: String) {
            let (left, _) = split_eval(&text);
            prop_assert_eq!(fold_spaces(&left), left);
        }
    }
}
