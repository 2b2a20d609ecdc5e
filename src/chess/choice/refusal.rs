//! Owns [`Refusal`]: what a game is not wanted for.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::named::read_by_name;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Refusal {
    /// Nobody of that name plays.
    GamesOf,
    /// Nobody of that name plays, whose moves alone an archive is counted for.
    Player,
    /// A player has less, or no known Elo.
    MinElo,
    MaxElo,
    /// It is older, or its date is unknown or too vague to be certain.
    Since,
    /// It is younger, or its date is unknown or too vague to be certain.
    Until,
    Event,
    TimeControl,
    Result,
    /// Another round, or none that is known.
    Rounds,
    Sample,
    /// There were enough before it.
    MaxGames,
}

impl Refusal {
    pub const ALL: [Refusal; 12] = [
        Refusal::GamesOf,
        Refusal::Player,
        Refusal::MinElo,
        Refusal::MaxElo,
        Refusal::Since,
        Refusal::Until,
        Refusal::Event,
        Refusal::TimeControl,
        Refusal::Result,
        Refusal::Rounds,
        Refusal::Sample,
        Refusal::MaxGames,
    ];

    pub fn key(self) -> &'static str {
        self.in_words().0
    }

    /// Returns its name in files, and what of a game, or of the choice, speaks against it.
    fn in_words(self) -> (&'static str, &'static str) {
        match self {
            Refusal::GamesOf => ("games-of", "the names of the players"),
            Refusal::Player => ("player", "the names of the players counted"),
            Refusal::MinElo => ("min-elo", "the least Elo"),
            Refusal::MaxElo => ("max-elo", "the greatest Elo"),
            Refusal::Since => ("since", "the first day"),
            Refusal::Until => ("until", "the last day"),
            Refusal::Event => ("event", "the event"),
            Refusal::TimeControl => ("time-control", "the time control"),
            Refusal::Result => ("result", "the result"),
            Refusal::Rounds => ("rounds", "the round"),
            Refusal::Sample => ("sample", "the random sample"),
            Refusal::MaxGames => ("max-games", "the number of games wanted"),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.in_words().1)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is nothing that games are chosen by")]
pub struct UnknownRefusal(String);

read_by_name!(Refusal, key, UnknownRefusal);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_read_by_the_keys_that_they_have_in_files() {
        for refusal in Refusal::ALL {
            assert_eq!(refusal.key().parse(), Ok(refusal));
        }
        assert!("depth".parse::<Refusal>().is_err());
    }
}
