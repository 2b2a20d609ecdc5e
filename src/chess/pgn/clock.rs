//! Parses and formats times in comments: `1:02:03.5`, and plain seconds.

use std::{fmt, time::Duration};

/// A time that is formatted as hours, minutes and seconds, with as many decimals as needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClockTime(pub Duration);

impl fmt::Display for ClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        match self.0.subsec_nanos() {
            0 => Ok(()),
            nanos => write!(f, ".{}", format!("{nanos:09}").trim_end_matches('0')),
        }
    }
}

/// Parses hours, minutes and seconds, separated by colons. `None` for anything else, and for minutes or
/// seconds from 60 on.
pub(super) fn read_clock(text: &str) -> Option<Duration> {
    let mut parts = text.splitn(3, ':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    let below_60 = |time: &Duration| *time < Duration::from_secs(60);
    let hours = Duration::from_secs(3600 * u64::from(digits(hours)?));
    let minutes = Duration::from_secs(u64::from(digits(minutes).filter(|minutes| *minutes < 60)?) * 60);
    Some(hours + minutes + read_seconds(seconds).filter(below_60)?)
}

/// Parses seconds with up to nine decimals, the precision of a [`Duration`].
pub(super) fn read_seconds(text: &str) -> Option<Duration> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    if decimals.len() > 9 {
        return None;
    }
    let scale = 10_u32.pow(9 - u32::try_from(decimals.len()).ok()?);
    Some(Duration::new(digits(whole)?.into(), digits(decimals)? * scale))
}

/// Returns a time in hundredths of a second, rounded down, and at most [`u32::MAX`].
pub fn hundredths(time: Duration) -> u32 {
    let whole = time.as_secs().saturating_mul(100).saturating_add(u64::from(time.subsec_millis() / 10));
    u32::try_from(whole).unwrap_or(u32::MAX)
}

/// Parses a number that consists of digits only. The parser of the standard library would also accept a sign.
pub(super) fn digits(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn millis(text: &str) -> Option<u128> {
        read_clock(text).map(|time| time.as_millis())
    }

    #[test]
    fn a_clock_is_hours_minutes_and_seconds() {
        assert_eq!(millis("1:02:03"), Some(3_723_000));
        assert_eq!(millis("0:03:00.5"), Some(180_500));
        assert_eq!(millis("00:00:00.04"), Some(40));
        assert_eq!(millis("336:00:00"), Some(1_209_600_000));
        for odd in
            ["3:00", "0:60:00", "0:00:60", "-0:00:01", "0:00:1.", "0:00:0.1234567891", "", "1:2:3:4", "::"]
        {
            assert_eq!(read_clock(odd), None, "{odd}");
        }
    }

    #[test]
    fn plain_seconds_may_be_more_than_a_minute() {
        assert_eq!(read_seconds("75.25"), Some(Duration::from_millis(75_250)));
        assert_eq!(read_seconds("4294967296"), None);
    }

    proptest! {
        #[test]
        fn writing_and_reading_are_inverses(seconds in 0..u64::from(u32::MAX), nanos in 0..1_000_000_000u32) {
            let time = Duration::new(seconds, nanos);
            prop_assert_eq!(read_clock(&ClockTime(time).to_string()), Some(time));
        }
    }
}
