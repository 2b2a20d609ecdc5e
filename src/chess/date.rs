//! [`Date`]: the date of a game, as precise as its tag.

use std::{collections::BTreeSet, fmt, str::FromStr};

use super::repair::Repair;

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

    /// Parses a date in an unusual form, such as `13.03.2013` or `20130313`. Returns the known part as a PGN
    /// tag, and the kind of reading. If the text has several readings, the game's other dates (`others`) may
    /// decide. `None` if the text has the usual form, or means an unknown date.
    pub fn reading(text: &str, others: &[Date]) -> Option<(String, Repair)> {
        let usual = || Date::of_tag(text).filter(|date| date.year >= FIRST_YEAR);
        let is_usual = is_usual(text.as_bytes()) || usual().is_some_and(Date::is_possible);
        if is_usual || !text.contains(|c| matches!(c, '1'..='9')) {
            return None;
        }
        let all = readings(text);
        let is_near = |date: Date| {
            others.iter().any(|other| date.days_apart(*other).is_some_and(|days| days <= NEARBY))
        };
        let near: Vec<_> = all.iter().copied().filter(|(date, _)| is_near(*date)).collect();
        if let ([one], _) | (_, [one]) = (all.as_slice(), near.as_slice()) {
            return Some((one.0.to_tag(), one.1));
        }
        // A year is certain if all readings have this year. Without readings, it is certain if the text has
        // no other year.
        let written = text.split(|c: char| !c.is_ascii_digit()).filter(|part| part.len() == 4);
        let years: BTreeSet<u16> = match all.is_empty() {
            true => written.filter_map(|year| number(year).ok()).filter(|year| *year >= FIRST_YEAR).collect(),
            false => all.iter().map(|(date, _)| date.year).collect(),
        };
        let year = years.first().filter(|_| years.len() == 1);
        Some((year.map_or("????.??.??".to_owned(), |year| format!("{year}.??.??")), Repair::DateUnknown))
    }

    /// Returns the number of days between two dates; `None` if a day is unknown.
    pub fn days_apart(self, other: Date) -> Option<u32> {
        Some(self.day_number()?.abs_diff(other.day_number()?))
    }

    /// Returns the number of days since 1 March of year 0. A year counted from March has its leap day at the
    /// end.
    fn day_number(self) -> Option<u32> {
        let (month, day) = (u32::from(self.month?), u32::from(self.day?));
        let year = u32::from(self.year) - u32::from(month < 3);
        Some(365 * year + year / 4 - year / 100 + year / 400 + (153 * ((month + 9) % 12) + 2) / 5 + day - 1)
    }

    /// Returns whether the month has the day, in a leap year.
    fn is_possible(self) -> bool {
        let days = |month: u8| [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][usize::from(month - 1)];
        self.month.zip(self.day).is_none_or(|(month, day)| day <= days(month))
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

/// The earliest accepted year. A smaller number is a year without its century.
const FIRST_YEAR: u16 = 1000;

/// Largest number of days between two dates of one game. If a date has several readings, a reading is chosen
/// only if another date of the game is this near.
const NEARBY: u32 = 20;

/// Returns whether a tag is a date such as `2013.03.15`, with a day from 1 to 28, which every month has. Most
/// tags have this form.
fn is_usual(tag: &[u8]) -> bool {
    let [b'1'..=b'9', a, b, c, b'.', m, month, b'.', d, day] = *tag else { return false };
    let are_digits = [a, b, c, m, month, d, day].iter().all(u8::is_ascii_digit);
    are_digits && (b"01"..=b"12").contains(&&[m, month]) && (b"01"..=b"28").contains(&&[d, day])
}

/// Returns the different dates that a text in an unusual form can mean, each with the order of year, month
/// and day.
fn readings(text: &str) -> Vec<(Date, Repair)> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let orders = match parts.collect::<Vec<_>>().as_slice() {
        [all] if all.len() == 8 => vec![([&all[..4], &all[4..6], &all[6..]], Repair::DateOrder)],
        [a, b, c] => vec![
            ([*a, b, c], Repair::DateOrder),
            ([*c, b, a], Repair::DayFirst),
            ([*c, a, b], Repair::MonthFirst),
        ],
        _ => Vec::new(),
    };
    let mut readings: Vec<(Date, Repair)> = Vec::new();
    for (parts, order) in orders {
        let is_new = |date: &Date| readings.iter().all(|(known, _)| known != date);
        readings.extend(of_parts(parts).filter(is_new).map(|date| (date, order)));
    }
    readings
}

/// Returns the date of a year, a month and a day. A year has four digits, or two digits for 1950 to 2049. A
/// month is a number or an English name. Letters may follow the day, as in `15th`.
fn of_parts([year, month, day]: [&str; 3]) -> Option<Date> {
    const MONTHS: &str = "janfebmaraprmayjunjulaugsepoctnovdec";
    let century = match (year.len(), number(year).ok()?) {
        (4, FIRST_YEAR..) => "",
        (2, ..50) => "20",
        (2, _) => "19",
        _ => return None,
    };
    let named = month.get(..3).and_then(|name| MONTHS.find(&name.to_ascii_lowercase()));
    let month = named.filter(|at| at % 3 == 0).map_or(month.to_owned(), |at| (at / 3 + 1).to_string());
    let day = day.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    Date::of_tag(&format!("{century}{year}-{month}-{day}"))
        .filter(|date| date.day.is_some() && date.is_possible())
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
    fn a_date_in_another_form_is_read_where_it_can_be_only_one_date() {
        use Repair::{DateOrder, DateUnknown, DayFirst, MonthFirst};
        for (text, other, expected) in [
            // The usual form, also with other separators and unknown parts, needs no reading.
            ("2013.03.15", "", None),
            ("2013-3-5", "", None),
            ("2013/03/05", "", None),
            ("2013.??.??", "", None),
            ("2000.02.29", "", None),
            ("????.??.??", "", None),
            ("0000.00.00", "", None),
            ("unknown", "", None),
            ("13.03.2013", "", Some(("2013.03.13", DayFirst))),
            ("13/3/2013", "", Some(("2013.03.13", DayFirst))),
            ("31.12.1999", "", Some(("1999.12.31", DayFirst))),
            ("03/13/2013", "", Some(("2013.03.13", MonthFirst))),
            ("3/13/13", "", Some(("2013.03.13", MonthFirst))),
            ("20130313", "", Some(("2013.03.13", DateOrder))),
            ("13 Mar 2013", "", Some(("2013.03.13", DayFirst))),
            ("March 13th, 2013", "", Some(("2013.03.13", MonthFirst))),
            ("2013-Mar-13", "", Some(("2013.03.13", DateOrder))),
            ("5-SEP-98", "", Some(("1998.09.05", DayFirst))),
            ("98.05.03", "", Some(("1998.05.03", DateOrder))),
            ("2013.00.00", "", Some(("2013.??.??", DateUnknown))),
            // Two orders give the same date.
            ("13.03.13", "", Some(("2013.03.13", DateOrder))),
            ("1.1.2013", "", Some(("2013.01.01", DayFirst))),
            // Several readings, of which another date of the game can settle one.
            ("15.03.13", "", Some(("????.??.??", DateUnknown))),
            ("15.03.13", "2013.03.14", Some(("2013.03.15", DayFirst))),
            ("15.03.13", "2015.03.01", Some(("2015.03.13", DateOrder))),
            ("15.03.13", "2013", Some(("????.??.??", DateUnknown))),
            ("3/5/13", "", Some(("2013.??.??", DateUnknown))),
            ("3/5/13", "2013.04.30", Some(("2013.05.03", DayFirst))),
            ("3/5/13", "2013.03.05", Some(("2013.03.05", MonthFirst))),
            ("03.05.2013", "2013.04.04", Some(("2013.??.??", DateUnknown))),
            ("03.05.2013", "2014.05.03", Some(("2013.??.??", DateUnknown))),
            // No date, and at most a year.
            ("2013.02.30", "", Some(("2013.??.??", DateUnknown))),
            ("2013.13.01", "", Some(("2013.??.??", DateUnknown))),
            ("Summer 2013", "", Some(("2013.??.??", DateUnknown))),
            ("2013-03-13T18:00", "", Some(("2013.??.??", DateUnknown))),
            ("03.??.2013", "", Some(("2013.??.??", DateUnknown))),
            ("2013/2014", "", Some(("????.??.??", DateUnknown))),
            ("13", "", Some(("????.??.??", DateUnknown))),
            ("0015.03.13", "", Some(("????.??.??", DateUnknown))),
            ("213.03.13", "", Some(("????.??.??", DateUnknown))),
            ("é1.1.2013.é", "", Some(("2013.01.01", DayFirst))),
        ] {
            let others: Vec<Date> = Date::of_tag(other).into_iter().collect();
            let expected = expected.map(|(tag, repair)| (tag.to_owned(), repair));
            assert_eq!(Date::reading(text, &others), expected, "{text} with {other:?}");
        }
        for (number, name) in
            (1..).zip(["Jan", "feb", "MAR", "April", "may", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"])
        {
            assert_eq!(of_parts(["2013", name, "5"]), Some(date(&format!("2013-{number}-5"))));
        }
    }

    #[test]
    fn days_are_counted_over_months_and_years() {
        for (one, other, days) in [
            ("2013.03.15", "2013.03.15", Some(0)),
            ("2012.02.28", "2012.03.01", Some(2)),
            ("2013.02.28", "2013.03.01", Some(1)),
            ("2013.01.01", "2012.12.31", Some(1)),
            ("1900.03.01", "2000.03.01", Some(36_525)),
            ("0001.01.01", "1970.01.01", Some(719_162)),
            ("2013.03.??", "2013.03.15", None),
        ] {
            assert_eq!(date(one).days_apart(date(other)), days, "{one} {other}");
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
        fn a_reading_is_a_tag_that_needs_none(text in "[0-9]{1,4}[./ -]([0-9]{1,2}|[A-Z][a-z]{2})[./ -][0-9?]{1,4}|\\PC{0,12}", other in dates()) {
            if let Some((tag, _)) = Date::reading(&text, &[other]) {
                prop_assert_eq!(Date::reading(&tag, &[]), None);
            }
        }

        #[test]
        fn nothing_is_both_before_and_after(date in dates(), since in dates(), until in dates()) {
            if until.last_day() < since.first_day() {
                prop_assert!(!(date.is_since(since) && date.is_until(until)));
            }
        }
    }
}
