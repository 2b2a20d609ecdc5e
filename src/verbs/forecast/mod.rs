//! [`Forecast`]: the expected time of a search, in words for the user, and the time with another limit.

mod pace;

use std::time::Duration;

pub use self::pace::Pace;
use self::pace::{QuickerChoice, is_reported, is_worth_measuring};
use crate::base::text::{about, counted};
use crate::chess::Limit;
use crate::store::{Search, SearchProgress};

/// The limit to suggest as an alternative when a search is announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherLimit {
    /// No alternative: the user cannot choose the limit.
    None,
    /// A quicker limit than the user's.
    Quicker,
    /// A deeper limit, because the user chose none.
    Deep,
}

/// The depth of Ferreira's searches.
const DEEP: Limit = Limit::Depth(20);

fn missing(search: &Search) -> u64 {
    let SearchProgress { positions, positions_done, .. } = search.progress();
    positions - positions_done
}

/// A search to forecast, together with the search for ratings of play, if that comes first.
pub struct Forecast {
    /// Number of positions without evaluation, and the limit of their searches.
    search: (u64, Limit),
    rating: Option<(u64, Limit)>,
    other: OtherLimit,
    engines: usize,
}

impl Forecast {
    pub fn of(search: &Search, rating: Option<&Search>, other: OtherLimit, engines: usize) -> Forecast {
        let positions = |search: &Search| (missing(search), search.origin().protocol.limit);
        Forecast { search: positions(search), rating: rating.map(positions), other, engines }
    }

    /// Returns whether the time may be worth measuring. `probe` is the engine's time per position at depth 6.
    pub fn is_wanted(&self, probe: Duration) -> bool {
        let (missing, limit) = self.search;
        let deepest = if self.other == OtherLimit::Deep { DEEP } else { limit };
        let is_long = |(positions, limit)| is_worth_measuring(positions, limit, probe, self.engines);
        is_long((missing, deepest)) || self.rating.is_some_and(is_long)
    }

    /// Returns a sentence on the expected time at this pace; `None` if the time is unknown, or if it is short and
    /// no deeper limit is to be suggested.
    pub fn told(&self, pace: &Pace) -> Option<String> {
        let (missing, limit) = self.search;
        let takes = |(positions, limit)| pace.takes(positions, limit, self.engines);
        let own = takes((missing, limit))?;
        let rated = self.rating.and_then(takes).unwrap_or_default();
        let deep = takes((missing, DEEP)).filter(|_| self.other == OtherLimit::Deep && limit != DEEP);
        if !is_reported(own + rated) && deep.is_none() {
            return None;
        }
        let with_rating = match self.rating.filter(|_| !rated.is_zero()) {
            Some((_, limit)) => format!(", including the search at {limit} for the ratings of play"),
            None => String::new(),
        };
        let told = format!(
            "{} to search at {limit}: about {} on {}{with_rating}",
            counted(missing, "position"),
            about(own + rated),
            counted(self.engines as u64, "core")
        );
        let quicker =
            pace.quicker(missing, limit, self.engines).filter(|_| self.other == OtherLimit::Quicker);
        let other =
            quicker.map(|QuickerChoice { limit, takes }| (limit, takes)).or(deep.map(|takes| (DEEP, takes)));
        Some(match other {
            Some((limit, takes)) => format!("{told}; --{limit} takes about {}", about(takes)),
            None => told,
        })
    }
}
