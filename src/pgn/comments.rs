//! Owns the grammar of the `[%eval …]` command that stands in comments.

use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::{game::RecordedEval, score::SignedScore, text::fold_spaces};

/// An evaluation in its written form: `[%eval 0.17,20]`, `[%eval #-3]`.
///
/// Pawns have two decimals and White's view; the number after the comma is the depth. A whole
/// number without a point counts centipawns if a depth follows (`[%eval 17,20]`, ChessBase's way)
/// and pawns if none does. Further decimals are rounded half away from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EvalTag(pub RecordedEval);

/// The text is not an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not an evaluation such as [%eval 0.17,20] or [%eval #-3]")]
pub struct ParseEvalError;

impl fmt::Display for EvalTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.score {
            SignedScore::Cp(cp) => {
                let (sign, size) = (if cp < 0 { "-" } else { "" }, cp.unsigned_abs());
                write!(f, "[%eval {sign}{}.{:02}", size / 100, size % 100)?;
            }
            SignedScore::Mate(moves) => write!(f, "[%eval #{moves}")?,
        }
        match self.0.depth {
            Some(depth) => write!(f, ",{depth}]"),
            None => f.write_str("]"),
        }
    }
}

impl FromStr for EvalTag {
    type Err = ParseEvalError;

    fn from_str(text: &str) -> Result<EvalTag, ParseEvalError> {
        let inner = text.trim().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let body = inner.and_then(|text| text.trim().strip_prefix("%eval")).ok_or(ParseEvalError)?;
        if !body.starts_with(char::is_whitespace) {
            return Err(ParseEvalError);
        }
        let (score, depth) = match body.split_once(',') {
            Some((score, depth)) => (score.trim(), Some(unsigned(depth.trim()).ok_or(ParseEvalError)?)),
            None => (body.trim(), None),
        };
        let score = signed_score(score, depth.is_some()).ok_or(ParseEvalError)?;
        Ok(EvalTag(RecordedEval { score, depth }))
    }
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
/// White space is folded: a run of it becomes one space, none is left at the ends. What looks
/// like an evaluation and is none (`[%eval high]`, numbers out of range) stays in the text.
pub fn split_eval(comment: &str) -> (String, Option<RecordedEval>) {
    let (mut text, mut eval) = (String::with_capacity(comment.len()), None);
    let mut rest = comment;
    while let Some(open) = rest.find('[') {
        let (before, command) = rest.split_at(open);
        text.push_str(before);
        // Up to the next bracket of either kind, so that a text of nothing but `[` takes linear time.
        let end = command[1..].find(['[', ']']).map_or(command.len(), |at| at + 1);
        let close = end + usize::from(command[end..].starts_with(']'));
        match command[..close].parse::<EvalTag>() {
            Ok(EvalTag(found)) => {
                eval = Some(found);
                text.push(' ');
            }
            Err(ParseEvalError) => text.push_str(&command[..close]),
        }
        rest = &command[close..];
    }
    text.push_str(rest);
    (fold_spaces(&text), eval)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn eval(text: &str) -> Option<(SignedScore, Option<u32>)> {
        text.parse().ok().map(|EvalTag(eval)| (eval.score, eval.depth))
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
        let tag = EvalTag(RecordedEval { score: SignedScore::Cp(-5), depth: Some(20) });
        assert_eq!(tag.to_string(), "[%eval -0.05,20]");
    }

    #[test]
    fn only_the_evaluation_leaves_the_comment_and_the_last_one_counts() {
        let (text, eval) = split_eval(" [%eval 0.1] [%clk 0:01:00]\n good [%eval 0.2,4]");
        assert_eq!(text, "[%clk 0:01:00] good");
        assert_eq!(eval, Some(RecordedEval { score: SignedScore::Cp(20), depth: Some(4) }));
        assert_eq!(split_eval("[%ev[%eval 0.1]al 0.2]").0, "[%ev al 0.2]");
        assert_eq!(split_eval("[%eval high] [[x"), ("[%eval high] [[x".to_owned(), None));
    }

    proptest! {
        #[test]
        fn writing_and_reading_are_inverses(
            mate: bool, size in -i32::MAX..=i32::MAX, depth: Option<u32>,
        ) {
            let score = if mate { SignedScore::Mate(size) } else { SignedScore::Cp(size) };
            let tag = EvalTag(RecordedEval { score, depth });
            prop_assert_eq!(tag.to_string().parse(), Ok(tag));
        }

        #[test]
        fn no_comment_is_too_odd_to_read(text: String) {
            let (left, _) = split_eval(&text);
            prop_assert_eq!(fold_spaces(&left), left);
        }
    }
}
