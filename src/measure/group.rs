//! [`Grouping`]: the property by which the moves of an archive are grouped, such as the mover's Elo.

use std::{cmp::Ordering, fmt, mem::discriminant, str::FromStr};

use crate::chess::TimeClass;

/// The property by which the moves of an archive are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// The mover's name.
    Player,
    /// The mover's Elo, in bands of this width.
    EloBand(u32),
    /// The class of the time control, and within it the mover's Elo in bands of this width.
    SpeedAndElo(u32),
    /// The tag `TimeControl`.
    TimeControl,
    /// The class of the time control, as on lichess.
    Speed,
    /// The mover's title.
    Title,
    /// The year of the game.
    Year,
    /// The tag `Event`.
    Event,
}

/// The name of the group of moves whose tags lack the property.
pub(crate) const UNKNOWN: &str = "?";

/// Default width of a band in Elo points.
pub const BAND: u32 = 100;

/// All groupings with default widths, each with its name on the command line and its column heading.
const ROWS: [(Grouping, &str, &str); 8] = [
    (Grouping::Player, "player", "Player"),
    (Grouping::EloBand(BAND), "elo-band", "Elo"),
    (Grouping::SpeedAndElo(BAND), "speed,elo-band", "Speed, Elo"),
    (Grouping::TimeControl, "time-control", "Time control"),
    (Grouping::Speed, "speed", "Speed"),
    (Grouping::Title, "title", "Title"),
    (Grouping::Year, "year", "Year"),
    (Grouping::Event, "event", "Event"),
];

impl Grouping {
    /// The names of the groupings for users. Groupings by bands of Elo points are named without the width of
    /// the bands.
    pub(crate) const NAMES: [&str; 8] =
        [ROWS[0].1, ROWS[1].1, ROWS[2].1, ROWS[3].1, ROWS[4].1, ROWS[5].1, ROWS[6].1, ROWS[7].1];

    /// Compares the groups `a` and `b` by their order in tables. The unknown group is the last.
    pub fn order(self, a: &str, b: &str) -> Ordering {
        if let (Grouping::SpeedAndElo(_), Some(a), Some(b)) =
            (self, SpeedAndElo::parse(a), SpeedAndElo::parse(b))
        {
            return a.cmp(&b);
        }
        let place = |key: &str| match self {
            _ if key == UNKNOWN => u64::MAX,
            Grouping::EloBand(_) | Grouping::Year => key.parse().unwrap_or(u64::MAX - 1),
            Grouping::Speed => TimeClass::ALL
                .iter()
                .position(|class| class.to_string() == key)
                .map_or(u64::MAX - 1, |at| at as u64),
            Grouping::SpeedAndElo(_)
            | Grouping::Player
            | Grouping::TimeControl
            | Grouping::Title
            | Grouping::Event => 0,
        };
        place(a).cmp(&place(b)).then_with(|| a.cmp(b))
    }

    /// Returns whether the groups have a natural order, as years do. Other groups are sorted by their results.
    pub fn has_order(self) -> bool {
        match self {
            Grouping::EloBand(_) | Grouping::SpeedAndElo(_) | Grouping::Year | Grouping::Speed => true,
            Grouping::Player | Grouping::TimeControl | Grouping::Title | Grouping::Event => false,
        }
    }

    /// Returns the name of the group `key` for readers, such as `1500–1599`.
    pub fn label(self, key: &str) -> String {
        let band = |low: &str, width: u32| {
            low.parse::<u32>().map_or_else(|_| low.to_owned(), |low| format!("{low}–{}", low + width - 1))
        };
        match (self, key.split_once(BETWEEN)) {
            (Grouping::EloBand(width), _) => band(key, width),
            (Grouping::SpeedAndElo(width), Some((speed, low))) => format!("{speed}, {}", band(low, width)),
            _ => key.to_owned(),
        }
    }

    /// Returns the column heading of the groups.
    pub fn title(self) -> &'static str {
        self.row().2
    }

    fn row(self) -> (Grouping, &'static str, &'static str) {
        let is_of_kind = |(of, ..): &&(Grouping, _, _)| discriminant(of) == discriminant(&self);
        *ROWS.iter().find(is_of_kind).expect("a row for each")
    }
}

impl fmt::Display for Grouping {
    /// Formats the grouping as on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Grouping::EloBand(width) | Grouping::SpeedAndElo(width) if *width != BAND => {
                write!(f, "{}:{width}", self.row().1)
            }
            usual => f.write_str(usual.row().1),
        }
    }
}

/// A class of time control and a band of Elo points. Games of the same class and band are comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpeedAndElo {
    /// A pair: true if the class of the time control is unknown, and the class. Such games are sorted last.
    speed: (bool, Option<TimeClass>),
    /// The lower end of the band; `u32::MAX` for an unknown rating.
    low: u32,
}

/// The separator of class and band in the name of a group.
const BETWEEN: &str = ", ";

impl SpeedAndElo {
    pub fn of(speed: Option<TimeClass>, elo: Option<u32>, width: u32) -> SpeedAndElo {
        SpeedAndElo { speed: (speed.is_none(), speed), low: elo.map_or(u32::MAX, |elo| elo / width * width) }
    }

    pub fn speed(self) -> Option<TimeClass> {
        self.speed.1
    }

    /// Returns the lower end of the band; `None` if the rating is unknown.
    pub fn low(self) -> Option<u32> {
        Some(self.low).filter(|&low| low != u32::MAX)
    }

    /// Returns the group's name: `blitz, 1700`.
    pub fn key(self) -> String {
        let speed = self.speed().map_or(UNKNOWN, TimeClass::name);
        let low = self.low().map_or_else(|| UNKNOWN.to_owned(), |low| low.to_string());
        [speed, &low].join(BETWEEN)
    }

    fn parse(key: &str) -> Option<SpeedAndElo> {
        let (speed, low) = key.split_once(BETWEEN)?;
        let speed = TimeClass::ALL.into_iter().find(|class| class.name() == speed);
        Some(SpeedAndElo::of(speed, low.parse().ok(), 1))
    }
}

impl FromStr for Grouping {
    type Err = String;

    fn from_str(text: &str) -> Result<Grouping, String> {
        if let Some((usual, ..)) = ROWS.iter().find(|(_, name, _)| *name == text) {
            return Ok(*usual);
        }
        let unknown = || {
            let names = Grouping::NAMES.join(", ");
            format!("{text:?} is not a grouping; write {names}, or elo-band:200 for other widths")
        };
        let (name, width) = text.rsplit_once(':').ok_or_else(unknown)?;
        let width = width.parse().ok().filter(|width| (1..=5000).contains(width)).ok_or_else(unknown)?;
        match name.parse()? {
            Grouping::EloBand(_) => Ok(Grouping::EloBand(width)),
            Grouping::SpeedAndElo(_) => Ok(Grouping::SpeedAndElo(width)),
            _ => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groupings_are_read_as_they_are_written() {
        for name in Grouping::NAMES.into_iter().chain(["elo-band:50", "speed,elo-band:200"]) {
            assert_eq!(name.parse::<Grouping>().expect("a grouping").to_string(), name);
        }
        for bad in ["elo", "elo-band,speed", "speed:100", "elo-band:0", "elo-band:x", "Player", ""] {
            assert!(bad.parse::<Grouping>().is_err(), "{bad}");
        }
        assert_eq!("elo-band:100".parse(), Ok(Grouping::EloBand(BAND)));
    }

    #[test]
    fn bands_are_in_the_order_of_their_numbers_and_the_unknown_is_last() {
        let mut bands = ["1000", "?", "900", "2500"];
        let band = Grouping::EloBand(BAND);
        bands.sort_by(|a, b| band.order(a, b));
        assert_eq!(bands.map(|key| band.label(key)), ["900–999", "1000–1099", "2500–2599", "?"]);
        let mut speeds = ["rapid", "bullet", "?", "blitz"];
        speeds.sort_by(|a, b| Grouping::Speed.order(a, b));
        assert_eq!(speeds, ["bullet", "blitz", "rapid", "?"]);
        let both = Grouping::SpeedAndElo(100);
        let mut groups = ["blitz, ?", "?, 1500", "rapid, 900", "blitz, 1000", "blitz, 900"];
        groups.sort_by(|a, b| both.order(a, b));
        let labels = groups.map(|key| both.label(key));
        assert_eq!(
            labels,
            ["blitz, 900–999", "blitz, 1000–1099", "blitz, ?", "rapid, 900–999", "?, 1500–1599"]
        );
    }
}
