//! [`Date`]: the date of a game, as precise as its tag.

use std::{fmt, str::FromStr};

/// A year, a month of a year, or a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Date {
    year: u16,
    month: Option<u8>,
    /// Always `None` if the month is unknown.
    day: Option<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("write a year, a month or a day, as in 2013, 2013-03 or 2013-03-15")]
pub struct NoDate;

impl Date {
    /// Parses a tag such as `2013.03.15` or `2013.??.??`. `None` if the year is unknown or the text is not a
    /// date.
    pub fn of_tag(value: &str) -> Option<Date> {
        value.parse().ok()
    }

    /// Returns the date of a game: that of the first of the tags `Date`, `UTCDate` and `EventDate` with a
    /// known year; `None` if there is none.
    pub fn of_tags<'a>(tag: impl Fn(&'static str) -> Option<&'a str>) -> Option<Date> {
        ["Date", "UTCDate", "EventDate"].into_iter().find_map(|name| Date::of_tag(tag(name)?))
    }

    /// Formats the date as a PGN tag: `2013.03.15`, `2013.03.??` or `2013.??.??`.
    pub fn to_tag(self) -> String {
        let part = |part: Option<u8>| part.map_or("??".to_owned(), |part| format!("{part:02}"));
        format!("{:04}.{}.{}", self.year, part(self.month), part(self.day))
    }

    /// Formats the known part of the date by ISO 8601: `2013-03-15`, `2013-03` or `2013`.
    pub fn to_iso(self) -> String {
        self.to_string().replace('.', "-")
    }

    /// Returns whether a game with this date was certainly played on or after the first day of `since`.
    pub fn is_since(self, since: Date) -> bool {
        self.first_day() >= since.first_day()
    }

    /// Returns whether a game with this date was certainly played on or before the last day of `until`.
    pub fn is_until(self, until: Date) -> bool {
        self.last_day() <= until.last_day()
    }

    /// Returns whether this date is certainly later than `other`.
    pub fn is_after(self, other: Date) -> bool {
        self.first_day() > other.last_day()
    }

    /// Returns the year.
    pub fn year(self) -> u16 {
        self.year
    }

    /// Returns the month, from 1, if it is known.
    pub fn month(self) -> Option<u8> {
        self.month
    }

    /// Returns the day of the month, from 1, if it is known.
    pub fn day(self) -> Option<u8> {
        self.day
    }

    /// Returns the earliest possible day, as year, month and day.
    fn first_day(self) -> (u16, u8, u8) {
        (self.year, self.month.unwrap_or(1), self.day.unwrap_or(1))
    }

    /// Returns the latest possible day, as year, month and day. Every month has 31 days here. This makes a
    /// difference only if a date without a day is compared with the last day of a shorter month:
    /// [`Date::is_until`] is then false.
    fn last_day(self) -> (u16, u8, u8) {
        (self.year, self.month.unwrap_or(12), self.day.unwrap_or(31))
    }
}

impl FromStr for Date {
    type Err = NoDate;

    /// Parses year, month and day, separated by points, hyphens or slashes. The month and the day may be
    /// missing or question marks. A day without a month is ignored.
    fn from_str(text: &str) -> Result<Date, NoDate> {
        let mut parts = text.trim().split(['.', '-', '/']);
        let mut part = |digits: usize| match parts.next() {
            None => Ok(None),
            Some(part) if part.bytes().all(|byte| byte == b'?') => Ok(None),
            Some(part) if part.len() <= digits => number(part).map(Some),
            Some(_) => Err(NoDate),
        };
        let year = part(4)?.filter(|&year| year > 0).ok_or(NoDate)?;
        let (month, day) = (part(2)?, part(2)?);
        let within = |part: Option<u16>, most: u16| match part {
            Some(part) if (1..=most).contains(&part) => Ok(u8::try_from(part).ok()),
            Some(_) => Err(NoDate),
            None => Ok(None),
        };
        let (month, day) = (within(month, 12)?, within(day, 31)?);
        if parts.next().is_some() {
            return Err(NoDate);
        }
        Ok(Date { year, month, day: day.filter(|_| month.is_some()) })
    }
}

fn number(text: &str) -> Result<u16, NoDate> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().ok_or(NoDate)
}

impl fmt::Display for Date {
    /// Formats the known part with the points of PGN: `2013.03.15`, `2013.03` or `2013`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        for part in self.month.into_iter().chain(self.day) {
            write!(f, ".{part:02}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    #[test]
    fn a_date_is_known_as_far_as_its_tag_tells_it() {
        assert_eq!(date("2013.03.15").to_string(), "2013.03.15");
        assert_eq!(date("2013-3-5"), date("2013/03/05"));
        assert_eq!(date("2013.??.??"), date("2013"));
        assert_eq!(date("2013.03.??"), date("2013-03"));
        assert_eq!(date("2013.??.15"), date("2013"), "a day of no month");
        for none in
            ["????.??.??", "", "?", "03.15.2013", "2013.13.01", "2013.00.01", "2013.03.15.1", "+013", "20131"]
        {
            assert_eq!(Date::of_tag(none), None, "{none}");
        }
    }

    #[test]
    fn a_date_is_written_for_games_and_for_tables_and_is_the_same_read_back() {
        for (tag, iso) in [("2013.03.05", "2013-03-05"), ("2013.03.??", "2013-03"), ("2013.??.??", "2013")] {
            let known = date(tag);
            assert_eq!((known.to_tag(), known.to_iso()), (tag.to_owned(), iso.to_owned()));
            assert_eq!(date(iso), known);
        }
    }

    #[test]
    fn a_date_too_vague_to_be_certain_is_neither_since_nor_until() {
        let (vague, year) = (date("2013.??.??"), date("2013"));
        assert!(vague.is_since(year) && vague.is_until(year));
        assert!(!vague.is_since(date("2013-03")) && !vague.is_until(date("2013-03")));
        assert!(vague.is_since(date("2012.12.31")) && vague.is_until(date("2014.01.01")));
    }

    #[test]
    fn the_whole_of_a_month_or_year_is_within_its_bounds() {
        for bound in ["2013", "2013-03", "2013.03.15"].map(date) {
            assert!(date("2013.03.15").is_since(bound) && date("2013.03.15").is_until(bound));
        }
        assert!(!date("2013.03.15").is_since(date("2013.03.16")));
        assert!(!date("2013.03.15").is_until(date("2013.03.14")));
    }

    prop_compose! {
        fn dates()(year in 1u16..10_000, month in prop::option::of(1u8..=12), day in prop::option::of(1u8..=31)) -> Date {
            Date { year, month, day: day.filter(|_| month.is_some()) }
        }
    }

    proptest! {
        #[test]
        fn writing_and_reading_are_inverses(date in dates()) {
            prop_assert_eq!(date.to_string().parse(), Ok(date));
        }

        #[test]
        fn nothing_is_both_before_and_after(date in dates(), since in dates(), until in dates()) {
            if until.last_day() < since.first_day() {
                prop_assert!(!(date.is_since(since) && date.is_until(until)));
            }
        }
    }
}
