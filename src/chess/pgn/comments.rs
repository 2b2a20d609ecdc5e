//! Parses and formats commands for evaluations and clocks, such as `[%eval 0.17]`, in comments.

use std::{fmt, time::Duration};

use shakmaty::uci::UciMove;

use super::clock::{ClockTime, digits as unsigned, read_clock, read_seconds};
use crate::chess::{evaluation::Wdl, game::PlayedMove, game::RecordedEval, score::SignedScore};

/// An evaluation that is formatted as commands: `[%eval 0.17,20] [%wdl 120,800,80] [%best e2e4]`. The last
/// two are written only if they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct EvalCommands(pub RecordedEval);

/// A command in a comment. It refers to the position at the comment's place in the game, or to the move
/// before the comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommentCommand {
    /// `[%eval 0.17,20]`, `[%eval #-3]`: the score from White's view, in pawns with two decimals or in moves
    /// to mate (`#-3` or `-M3`). The number after the comma or slash is the depth.
    ///
    /// A number without a point is in centipawns if a depth follows (`[%eval 17,20]`, as in ChessBase), and
    /// in pawns otherwise. If there are more than two decimals, the score is rounded, half away from zero.
    Eval { score: SignedScore, depth: Option<u32> },
    /// `[%wdl 120,800,80]`: White's chances of a win, a draw and a loss, in thousandths.
    Wdl(Wdl),
    /// `[%best e2e4]`: the engine's best move in the position, in UCI notation.
    Best(UciMove),
    /// `[%clk 0:03:00.5]`: the mover's clock after the move.
    Clock(Duration),
    /// `[%emt 0:00:05]`, `[%emt 5.2]`: the time spent on the move.
    Elapsed(Duration),
}

/// A part of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentPart<'a> {
    /// Text, including commands that only other programs know.
    Text(&'a str),
    /// A well-formed command.
    Known {
        /// The parsed command.
        command: CommentCommand,
        /// The command as written.
        text: &'a str,
    },
    /// A known command that is malformed or has numbers out of range.
    Odd {
        /// The name of the command without the percent sign, such as `eval`.
        name: &'a str,
        /// The command as written.
        text: &'a str,
    },
}

const NAMES: [&str; 5] = ["eval", "wdl", "best", "clk", "emt"];

/// Formats the commands for a comment after a move, the clock commands last. The text is empty if there are
/// none.
pub(super) fn commands_after(played: &PlayedMove) -> String {
    let eval = played.eval.map(|eval| EvalCommands(eval).to_string());
    let clock = played.clock.map(|left| CommentCommand::Clock(left).to_string());
    let elapsed = played.elapsed.map(|spent| CommentCommand::Elapsed(spent).to_string());
    [eval, clock, elapsed].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

impl fmt::Display for EvalCommands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EvalCommands(RecordedEval { score, depth, wdl, best }) = *self;
        CommentCommand::Eval { score, depth }.fmt(f)?;
        for command in wdl.map(CommentCommand::Wdl).into_iter().chain(best.map(CommentCommand::Best)) {
            write!(f, " {command}")?;
        }
        Ok(())
    }
}

impl fmt::Display for CommentCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommentCommand::Eval { score, depth } => {
                f.write_str("[%eval ")?;
                write_score(*score, f)?;
                match depth {
                    Some(depth) => write!(f, ",{depth}]"),
                    None => f.write_str("]"),
                }
            }
            CommentCommand::Wdl(Wdl { win, draw, loss }) => write!(f, "[%wdl {win},{draw},{loss}]"),
            CommentCommand::Best(best) => write!(f, "[%best {best}]"),
            CommentCommand::Clock(left) => write!(f, "[%clk {}]", ClockTime(*left)),
            CommentCommand::Elapsed(spent) => write!(f, "[%emt {}]", ClockTime(*spent)),
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

impl CommentCommand {
    fn read(text: &str) -> Option<CommentCommand> {
        let inner = text.strip_prefix('[')?.strip_suffix(']')?;
        let (name, body) = inner.trim().strip_prefix('%')?.split_once(char::is_whitespace)?;
        match name {
            "eval" => read_eval(body),
            "wdl" => read_wdl(body).map(CommentCommand::Wdl),
            "best" => body.trim().parse().ok().map(CommentCommand::Best),
            "clk" => read_clock(body.trim()).map(CommentCommand::Clock),
            "emt" => {
                read_clock(body.trim()).or_else(|| read_seconds(body.trim())).map(CommentCommand::Elapsed)
            }
            _ => None,
        }
    }
}

fn read_eval(body: &str) -> Option<CommentCommand> {
    let (score, depth) = match body.split_once([',', '/']) {
        // A signed zero is the whole part of a number with a decimal comma.
        Some((score, _)) if matches!(score.trim(), "-0" | "+0") => return None,
        Some((score, depth)) => (score, Some(unsigned(depth.trim())?)),
        None => (body, None),
    };
    let score = signed_score(score.trim(), depth.is_some())?;
    Some(CommentCommand::Eval { score, depth })
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
    if let Some(moves) = size.strip_prefix(['M', '#']) {
        return with_sign(negative, u64::from(unsigned(moves)?)).map(SignedScore::Mate);
    }
    let cp = match size.split_once('.') {
        Some((whole, decimals)) => hundredths(whole, decimals)?,
        None if has_depth => u64::from(unsigned(size)?),
        None => u64::from(unsigned(size)?) * 100,
    };
    with_sign(negative, cp).map(SignedScore::Cp)
}

/// Returns whether the text begins with a minus sign, and the text without its sign.
fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Returns the number with its sign; `None` if it is out of range. `i32::MIN` is out of range too, because it
/// cannot be negated.
fn with_sign(negative: bool, size: u64) -> Option<i32> {
    let size = i32::try_from(size).ok()?;
    Some(if negative { -size } else { size })
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

/// Returns the parts of a comment in order. Their texts together equal the comment.
pub fn comment_parts(comment: &str) -> impl Iterator<Item = CommentPart<'_>> {
    let mut rest = comment;
    std::iter::from_fn(move || {
        let end = match rest.find('[') {
            None => rest.len(),
            // The part ends at the next bracket of either kind. So a text of many `[` takes linear time.
            Some(0) => match rest[1..].find(['[', ']']) {
                Some(at) => at + 1 + usize::from(rest[at + 1..].starts_with(']')),
                None => rest.len(),
            },
            Some(open) => open,
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then(|| CommentPart::of(piece))
    })
}

impl CommentPart<'_> {
    fn of(text: &str) -> CommentPart<'_> {
        if let Some(command) = CommentCommand::read(text) {
            return CommentPart::Known { command, text };
        }
        let inner = text.strip_prefix('[').and_then(|inner| inner.trim_start().strip_prefix('%'));
        let name = inner.and_then(|inner| inner.split(|c: char| c.is_whitespace() || c == ']').next());
        match name.filter(|name| NAMES.contains(name)) {
            Some(name) => CommentPart::Odd { name, text },
            None => CommentPart::Text(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn eval(text: &str) -> Option<(SignedScore, Option<u32>)> {
        match CommentCommand::read(text) {
            Some(CommentCommand::Eval { score, depth }) => Some((score, depth)),
            _ => None,
        }
    }

    #[test]
    fn an_evaluation_is_pawns_or_moves_to_mate_and_perhaps_a_depth() {
        assert_eq!(eval("[%eval 0.17]"), Some((SignedScore::Cp(17), None)));
        assert_eq!(eval("[%eval -1.5,20]"), Some((SignedScore::Cp(-150), Some(20))));
        assert_eq!(eval("[%eval #-3]"), Some((SignedScore::Mate(-3), None)));
        assert_eq!(eval("[%eval #-3,20]"), Some((SignedScore::Mate(-3), Some(20))));
        assert_eq!(eval("[%eval #0]"), Some((SignedScore::Mate(0), None)));
        assert_eq!(eval("[%eval 0.16/16]"), Some((SignedScore::Cp(16), Some(16))));
        assert_eq!(eval("[%eval -M1]"), Some((SignedScore::Mate(-1), None)));
        assert_eq!(eval("[%eval +M55/9]"), Some((SignedScore::Mate(55), Some(9))));
        assert_eq!(eval("[%eval -#3]"), Some((SignedScore::Mate(-3), None)));
        assert_eq!(
            (eval("[%eval -0,60]"), eval("[%eval 0,24]")),
            (None, Some((SignedScore::Cp(0), Some(24))))
        );
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
        assert_eq!(
            CommentCommand::Eval { score: SignedScore::Cp(-5), depth: Some(20) }.to_string(),
            "[%eval -0.05,20]"
        );
    }

    #[test]
    fn commands_in_no_known_form_are_told_apart_from_those_of_other_programs() {
        let odd = |comment| {
            let odd = |piece| match piece {
                CommentPart::Odd { name, text } => Some((name, text)),
                _ => None,
            };
            comment_parts(comment).filter_map(odd).collect::<Vec<_>>()
        };
        let comment = "a [%eval high] [%csl Gd4][%eval 0.1] [%clk 1] [%evaluation 3] [%eval 99999999999] [x";
        assert_eq!(
            odd(comment),
            [("eval", "[%eval high]"), ("clk", "[%clk 1]"), ("eval", "[%eval 99999999999]")]
        );
        assert_eq!(odd("[%eval 0.1"), [("eval", "[%eval 0.1")]);
        assert_eq!(odd("[%eval]"), [("eval", "[%eval]")]);
    }

    proptest! {
        #[test]
        fn the_pieces_of_a_comment_are_all_of_it(comment in r"([a ]|\[%|\[|\]|eval 0.1|clk 0:00:01|#3){0,12}") {
            let texts = comment_parts(&comment).map(|piece| match piece {
                CommentPart::Text(text) | CommentPart::Known { text, .. } | CommentPart::Odd { text, .. } => text,
            });
            prop_assert_eq!(texts.collect::<String>(), comment);
        }
    }
}
