//! Parses evaluations and clocks quickly, in the forms that programs write.

use crate::chess::score::SignedScore;

pub(super) fn digit(bytes: &[u8], at: usize) -> Option<u32> {
    let digit = bytes.get(at)?.wrapping_sub(b'0');
    (digit < 10).then_some(digit.into())
}

#[inline]
pub(super) fn number(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let (mut number, mut end) = (digit(bytes, at)?, at + 1);
    while let Some(digit) = digit(bytes, end) {
        if end == at + 6 {
            return None;
        }
        number = 10 * number + digit;
        end += 1;
    }
    Some((number, end))
}

/// Parses a score such as `0.17`, `-12.5` or `#-3` at byte `at`. Returns the score from White's view, and the
/// byte after the score; `None` for a score in another form.
#[inline]
pub(super) fn score(bytes: &[u8], at: usize) -> Option<(SignedScore, usize)> {
    let is_mate = bytes.get(at) == Some(&b'#');
    let sign = at + usize::from(is_mate);
    let is_minus = bytes.get(sign) == Some(&b'-');
    let (whole, point) = number(bytes, sign + usize::from(is_minus))?;
    let signed = |size: u32| if is_minus { -(size as i32) } else { size as i32 };
    if is_mate {
        return Some((SignedScore::Mate(signed(whole)), point));
    }
    if bytes.get(point) != Some(&b'.') {
        return None;
    }
    let tenths = digit(bytes, point + 1)?;
    let hundredths = digit(bytes, point + 2);
    let end = point + 2 + usize::from(hundredths.is_some());
    // A score with more decimals must be rounded by the careful reader.
    let plain = hundredths.is_none() || digit(bytes, end).is_none();
    let cp = 100 * whole + 10 * tenths + hundredths.unwrap_or_default();
    plain.then_some((SignedScore::Cp(signed(cp)), end))
}

/// Parses a time below ten hours, such as `0:03:00`, at byte `at`. Returns the time in hundredths of a
/// second, and the byte after the time; `None` for a time in another form.
pub(super) fn clock(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    const ZERO: u64 = u64::from_le_bytes(*b"0:00:00\0");
    const SIX: u64 = u64::from_le_bytes([6, 0, 6, 6, 0, 6, 6, 0]);
    const NOT_IN_DIGITS: u64 = u64::from_le_bytes([0xf0, 0xff, 0xf0, 0xf0, 0xff, 0xf0, 0xf0, 0]);
    let word = u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?);
    // Each byte is now the value of its digit, or 0 for a colon. Adding six makes values above nine exceed 15.
    let parts = word ^ ZERO;
    if (parts | parts.wrapping_add(SIX)) & NOT_IN_DIGITS != 0 {
        return None;
    }
    let part = |at: u32| (parts >> (8 * at)) as u32 & 0xff;
    let (minutes, seconds) = (10 * part(2) + part(3), 10 * part(5) + part(6));
    let total = 3600 * part(0) + 60 * minutes + seconds;
    (minutes < 60 && seconds < 60).then_some((100 * total, at + 7))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::pgn::{CommentCommand, CommentPart, comment_parts, hundredths};

    /// Parses a command by the careful parser of comments.
    fn careful(command: &str) -> Option<CommentCommand> {
        match comment_parts(command).collect::<Vec<_>>()[..] {
            [CommentPart::Known { command, .. }] => Some(command),
            _ => None,
        }
    }

    #[test]
    fn a_score_is_in_centipawns_or_moves_to_mate() {
        let read = |text: &str| score(text.as_bytes(), 0);
        assert_eq!(read("0.17]"), Some((SignedScore::Cp(17), 4)));
        assert_eq!(read("-12.5]"), Some((SignedScore::Cp(-1250), 5)));
        assert_eq!(read("#-3]"), Some((SignedScore::Mate(-3), 3)));
        for odd in ["", "-", "#", "1", "1.", ".5", "1.234", "+1.2", "1234567.0", "x"] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_clock_is_in_hundredths_of_a_second() {
        let read = |text: &str| clock(text.as_bytes(), 0);
        assert_eq!(read("1:02:03]"), Some((372_300, 7)));
        assert_eq!(read("9:59:59.5"), Some((3_599_900, 7)));
        for odd in
            ["0:60:00]", "0:00:60]", "0;00:00]", "0:0:0:0]", "10:00:00", "0:00:00", "0:0/:00]", "0:0::00]"]
        {
            assert_eq!(read(odd), None, "{odd}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_the_grammar_of_comments_has(text in "[-#]?[0-9]{0,3}[.:]?[0-9]{0,4}", odd in "[0-9:;/.]{8}") {
            let command = careful(&format!("[%eval {text}]"));
            if let Some((read, end)) = score(format!("{text}]").as_bytes(), 0).filter(|&(_, end)| end == text.len()) {
                prop_assert_eq!(command, Some(CommentCommand::Eval { score: read, depth: None }), "{}", end);
            }
            for text in [odd.clone(), format!("{}:{}:{}", &odd[..1], &odd[2..4], &odd[4..6])] {
                let read = clock(format!("{text}] ").as_bytes(), 0).filter(|&(_, end)| end == text.len());
                if let Some((read, _)) = read {
                    let Some(CommentCommand::Clock(time)) = careful(&format!("[%clk {text}]")) else {
                        return Err(TestCaseError::fail(text));
                    };
                    prop_assert_eq!(read, hundredths(time));
                }
            }
        }
    }
}
