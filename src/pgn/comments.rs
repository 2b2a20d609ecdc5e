//! Owns the grammar of the commands in comments that tell what an engine said.

use std::fmt;

use shakmaty::uci::UciMove;

use crate::{evaluation::Wdl, game::RecordedEval, score::SignedScore, text::fold_spaces};

/// An evaluation in its written form: `[%eval 0.17,20] [%wdl 120,800,80] [%best e2e4]`, of which
/// the last two stand only where they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct EvalCommands(pub RecordedEval);

/// One command that tells of the position that its comment stands after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Command {
    /// `[%eval 0.17,20]`, `[%eval #-3]`: pawns with two decimals or moves to mate, White's view;
    /// the number after the comma is the depth.
    ///
    /// A whole number without a point counts centipawns if a depth follows (`[%eval 17,20]`,
    /// ChessBase's way) and pawns if none does. Further decimals are rounded half away from zero.
    Eval { score: SignedScore, depth: Option<u32> },
    /// `[%wdl 120,800,80]`: the chances of a win, a draw and a loss per mille, White's view.
    Wdl(Wdl),
    /// `[%best e2e4]`: the engine's choice for the next move, in the notation of UCI.
    Best(UciMove),
}

impl fmt::Display for EvalCommands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EvalCommands(RecordedEval { score, depth, wdl, best }) = *self;
        Command::Eval { score, depth }.fmt(f)?;
        for command in wdl.map(Command::Wdl).into_iter().chain(best.map(Command::Best)) {
            write!(f, " {command}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Eval { score, depth } => {
                f.write_str("[%eval ")?;
                write_score(*score, f)?;
                match depth {
                    Some(depth) => write!(f, ",{depth}]"),
                    None => f.write_str("]"),
                }
            }
            Command::Wdl(Wdl { win, draw, loss }) => write!(f, "[%wdl {win},{draw},{loss}]"),
            Command::Best(best) => write!(f, "[%best {best}]"),
        }
    }
}

fn write_score(score: SignedScore, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match score {
        SignedScore::Cp(cp) => {
            let (sign, size) = (if cp < 0 { "-" } else { "" }, cp.unsigned_abs());
            write!(f, "{sign}{}.{:02}", size / 100, size % 100)
        }
        SignedScore::Mate(moves) => write!(f, "#{moves}"),
    }
}

impl Command {
    /// What a text from one bracket to the other says; `None` for what is no such command.
    fn read(text: &str) -> Option<Command> {
        let inner = text.strip_prefix('[')?.strip_suffix(']')?;
        let (name, body) = inner.trim().strip_prefix('%')?.split_once(char::is_whitespace)?;
        match name {
            "eval" => read_eval(body),
            "wdl" => read_wdl(body).map(Command::Wdl),
            "best" => body.trim().parse().ok().map(Command::Best),
            _ => None,
        }
    }
}

fn read_eval(body: &str) -> Option<Command> {
    let (score, depth) = match body.split_once(',') {
        Some((score, depth)) => (score, Some(unsigned(depth.trim())?)),
        None => (body, None),
    };
    let score = signed_score(score.trim(), depth.is_some())?;
    Some(Command::Eval { score, depth })
}

fn read_wdl(body: &str) -> Option<Wdl> {
    let mut chances = body.split(',').map(|chance| u16::try_from(unsigned(chance.trim())?).ok());
    let wdl = Wdl::new(chances.next()??, chances.next()??, chances.next()??)?;
    chances.next().is_none().then_some(wdl)
}

fn signed_score(text: &str, has_depth: bool) -> Option<SignedScore> {
    if let Some(moves) = text.strip_prefix('#') {
        let (negative, moves) = sign(moves);
        return with_sign(negative, u64::from(unsigned(moves)?)).map(SignedScore::Mate);
    }
    let (negative, size) = sign(text);
    let cp = match size.split_once('.') {
        Some((whole, decimals)) => hundredths(whole, decimals)?,
        None if has_depth => u64::from(unsigned(size)?),
        None => u64::from(unsigned(size)?) * 100,
    };
    with_sign(negative, cp).map(SignedScore::Cp)
}

/// Whether a minus sign leads, and what follows the sign.
fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// `i32::MIN` is out of range too: a score must have a negative.
fn with_sign(negative: bool, size: u64) -> Option<i32> {
    let size = i32::try_from(size).ok()?;
    Some(if negative { -size } else { size })
}

/// A number of nothing but digits: the parser of the standard library would take a sign.
fn unsigned(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

fn hundredths(whole: &str, decimals: &str) -> Option<u64> {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !digits(decimals) || (whole.is_empty() && decimals.is_empty()) {
        return None;
    }
    let whole = if whole.is_empty() { 0 } else { u64::from(unsigned(whole)?) };
    let mut places = decimals.bytes().map(|b| u64::from(b - b'0')).chain(std::iter::repeat(0));
    let (tenths, hundredths, next) = (places.next()?, places.next()?, places.next()?);
    Some(whole * 100 + tenths * 10 + hundredths + u64::from(next >= 5))
}

/// The text of a comment without its evaluations, and the last of these.
///
/// Chances and a best move are those of the evaluation before them in the comment; where there is
/// none, they are text. White space is folded: a run of it becomes one space, none is left at the
/// ends. What looks like one of these commands and is none (`[%eval high]`, numbers out of range)
/// stays in the text.
pub(super) fn split_eval(comment: &str) -> (String, Option<RecordedEval>) {
    let (mut text, mut eval) = (String::with_capacity(comment.len()), None);
    let mut rest = comment;
    while let Some(open) = rest.find('[') {
        let (before, command) = rest.split_at(open);
        text.push_str(before);
        // Up to the next bracket of either kind, so that a text of nothing but `[` takes linear time.
        let end = command[1..].find(['[', ']']).map_or(command.len(), |at| at + 1);
        let close = end + usize::from(command[end..].starts_with(']'));
        let taken = Command::read(&command[..close]).is_some_and(|command| take(command, &mut eval));
        text.push_str(if taken { " " } else { &command[..close] });
        rest = &command[close..];
    }
    text.push_str(rest);
    (fold_spaces(&text), eval)
}

/// Whether a comment is what a program that lets engines play leaves of the mover's own engine:
/// `+0.31/20 1.2s`.
pub(super) fn is_own_engines(comment: &str) -> bool {
    let Some((score, rest)) = comment.trim().split_once('/') else { return false };
    let score = score.trim_start_matches(['+', '-']).trim_start_matches('M');
    let number =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    number(score) && rest.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Adds what `command` tells; false where there is no evaluation that it could be about.
fn take(command: Command, eval: &mut Option<RecordedEval>) -> bool {
    match (command, eval) {
        (Command::Eval { score, depth }, eval) => {
            *eval = Some(RecordedEval { score, depth, wdl: None, best: None });
        }
        (Command::Wdl(wdl), Some(eval)) => eval.wdl = Some(wdl),
        (Command::Best(best), Some(eval)) => eval.best = Some(best),
        (Command::Wdl(_) | Command::Best(_), None) => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn eval(text: &str) -> Option<(SignedScore, Option<u32>)> {
        match Command::read(text) {
            Some(Command::Eval { score, depth }) => Some((score, depth)),
            _ => None,
        }
    }

    fn bare(cp: i32, depth: Option<u32>) -> RecordedEval {
        RecordedEval { score: SignedScore::Cp(cp), depth, wdl: None, best: None }
    }

    #[test]
    fn an_evaluation_is_pawns_or_moves_to_mate_and_perhaps_a_depth() {
        assert_eq!(eval("[%eval 0.17]"), Some((SignedScore::Cp(17), None)));
        assert_eq!(eval("[%eval -1.5,20]"), Some((SignedScore::Cp(-150), Some(20))));
        assert_eq!(eval("[%eval #-3]"), Some((SignedScore::Mate(-3), None)));
        assert_eq!(eval("[%eval #-3,20]"), Some((SignedScore::Mate(-3), Some(20))));
        assert_eq!(eval("[%eval #0]"), Some((SignedScore::Mate(0), None)));
        assert_eq!(eval("[ %eval   +0.05 , 9 ]"), Some((SignedScore::Cp(5), Some(9))));
    }

    #[test]
    fn a_whole_number_is_centipawns_only_beside_a_depth() {
        assert_eq!(eval("[%eval 17,20]"), Some((SignedScore::Cp(17), Some(20))));
        assert_eq!(eval("[%eval -2]"), Some((SignedScore::Cp(-200), None)));
        assert_eq!(eval("[%eval 2.,3]"), Some((SignedScore::Cp(200), Some(3))));
    }

    #[test]
    fn further_decimals_round_half_away_from_zero() {
        assert_eq!(eval("[%eval 0.125]"), Some((SignedScore::Cp(13), None)));
        assert_eq!(eval("[%eval -0.125]"), Some((SignedScore::Cp(-13), None)));
        assert_eq!(eval("[%eval .1249999]"), Some((SignedScore::Cp(12), None)));
        assert_eq!(eval("[%eval 0.999]"), Some((SignedScore::Cp(100), None)));
    }

    #[test]
    fn what_is_out_of_range_or_no_number_is_no_evaluation() {
        for text in
            ["21474836.48", "-21474836.48", "99999999999", "#2147483648", "high", "", ".", "1,", "--1", "1e3"]
        {
            assert_eq!(eval(&format!("[%eval {text}]")), None, "{text}");
        }
        assert_eq!(eval("[%eval0.1]"), None);
    }

    #[test]
    fn values_between_minus_one_and_nought_keep_their_sign() {
        assert_eq!(EvalCommands(bare(-5, Some(20))).to_string(), "[%eval -0.05,20]");
    }

    #[test]
    fn only_the_evaluation_leaves_the_comment_and_the_last_one_counts() {
        let (text, eval) = split_eval(" [%eval 0.1] [%clk 0:01:00]\n good [%eval 0.2,4]");
        assert_eq!(text, "[%clk 0:01:00] good");
        assert_eq!(eval, Some(bare(20, Some(4))));
        assert_eq!(split_eval("[%ev[%eval 0.1]al 0.2]").0, "[%ev al 0.2]");
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
        let spaced = "[%eval 0.17,20][%clk 0:01:00] sharp [ %best  e7e8q ]\n[%wdl 120 , 800 ,80]";
        assert_eq!(split_eval(spaced), ("[%clk 0:01:00] sharp".to_owned(), Some(known)));
        let said_anew = format!("{written} [%eval 0.20,21] [%best e7e8q]");
        let last = RecordedEval { best: known.best, ..bare(20, Some(21)) };
        assert_eq!(split_eval(&said_anew), (String::new(), Some(last)), "chances of another evaluation");
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
