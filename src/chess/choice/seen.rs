//! [`Seen`]: a summary of the tag values of refused games.

use std::fmt;

use super::{Headers, Refusal, Spellings};
use crate::base::text::{brief, folded_name};
use crate::chess::date::Date;

/// The values of refused games in the tag that caused the refusal. They show the user which values would
/// match.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// The lowest and highest rating.
    elo: Option<(u32, u32)>,
    /// The earliest and the latest date. If two dates may be the same day, the date seen first is kept.
    dates: Option<(Date, Date)>,
    /// Number of games that were refused by their dates and have no known date.
    pub undated: u64,
    /// The first few values of other tags, in the order seen.
    names: Vec<String>,
    /// The players' names, for suggestions.
    players: Spellings,
}

const EXAMPLES: usize = 5;

/// Limit on the number of players remembered for suggestions, so that a large collection of games does not
/// fill the memory.
const PLAYERS: usize = 10_000;

impl Seen {
    pub fn note(&mut self, refusal: Refusal, headers: &Headers<'_>) {
        match refusal {
            Refusal::GamesOf | Refusal::Player => {
                self.add_names([headers.white, headers.black]);
                self.add_players([headers.white, headers.black]);
            }
            Refusal::MinElo | Refusal::MaxElo => {
                headers.elo.into_iter().flatten().for_each(|elo| self.add_elos(elo, elo));
            }
            Refusal::Since | Refusal::Until => {
                self.undated += u64::from(headers.date.is_none());
                headers.date.into_iter().for_each(|date| self.add_dates(date, date));
            }
            Refusal::Event => self.add_names(headers.event),
            Refusal::TimeControl => self.add_names(headers.time_control.or(Some("no tag TimeControl"))),
            Refusal::Result => self.add_names([headers.result.to_string().as_str()]),
            Refusal::Rounds => self.add_names(headers.round.map(|round| round.to_string()).as_deref()),
            Refusal::Sample | Refusal::MaxGames => {}
        }
    }

    pub fn add(&mut self, later: &Seen) {
        later.elo.into_iter().for_each(|(low, high)| self.add_elos(low, high));
        self.undated += later.undated;
        later.dates.into_iter().for_each(|(first, last)| self.add_dates(first, last));
        self.add_names(later.names.iter().map(String::as_str));
        self.add_players(later.players.iter().map(|(name, _)| name.as_str()));
    }

    /// Returns the players of the games that were refused because of their players, up to a limit.
    #[cfg(feature = "program")]
    pub fn players(&self) -> &Spellings {
        &self.players
    }

    fn add_players<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        for name in names {
            if self.players.len() < PLAYERS {
                self.players.insert((folded_name(name), folded_name(name)));
            }
        }
    }

    fn add_elos(&mut self, low: u32, high: u32) {
        let (lowest, highest) = self.elo.unwrap_or((low, high));
        self.elo = Some((lowest.min(low), highest.max(high)));
    }

    fn add_dates(&mut self, first: Date, last: Date) {
        let (earliest, latest) = self.dates.unwrap_or((first, last));
        let earliest = if earliest.is_after(first) { first } else { earliest };
        self.dates = Some((earliest, if last.is_after(latest) { last } else { latest }));
    }

    fn add_names<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        for name in names {
            if self.names.len() < EXAMPLES && self.names.iter().all(|known| known != name) {
                self.names.push(name.to_owned());
            }
        }
    }
}

impl fmt::Display for Seen {
    /// Formats the values as ` (dated from 2000 to 2005)`, with the space; empty if no value is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let undated = format!("{} of unknown or uncertain date", self.undated);
        let more = if self.undated > 0 { format!("; {undated}") } else { String::new() };
        match (self.elo, self.dates) {
            (Some((low, high)), _) if low == high => write!(f, " (with an Elo of {low})"),
            (Some((low, high)), _) => write!(f, " (with Elos from {low} to {high})"),
            (_, Some((first, last))) if first == last => write!(f, " (dated {first}{more})"),
            (_, Some((first, last))) => write!(f, " (dated from {first} to {last}{more})"),
            _ if self.undated > 0 => write!(f, " ({undated})"),
            _ if self.names.is_empty() => Ok(()),
            _ => {
                let mut names: Vec<String> =
                    self.names.iter().map(|name| format!("\"{}\"", brief(name))).collect();
                names.sort();
                write!(f, " (with {})", names.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_part_by_part_is_what_is_seen_at_once() {
        let names = ["c", "a", "c", "e", "b", "f", "d"];
        let note = |names: &[&str]| {
            let mut seen = Seen::default();
            for event in names {
                let date = format!("20{:02}", event.as_bytes()[0] - b'a').parse().ok();
                let headers = Headers { event: Some(event), date, ..Headers::default() };
                seen.note(Refusal::Event, &headers);
                seen.note(Refusal::Since, &headers);
            }
            seen
        };
        for cut in 0..names.len() {
            let mut parts = note(&names[..cut]);
            parts.add(&note(&names[cut..]));
            assert_eq!(parts, note(&names));
        }
        assert_eq!(note(&names).to_string(), " (dated from 2000 to 2005)");
        let mut events = Seen::default();
        names.iter().for_each(|event| events.add_names([*event]));
        assert_eq!(events.to_string(), " (with \"a\", \"b\", \"c\", \"e\", \"f\")");
    }
}
