//! Owns [`Refusal`]: what a game is not wanted for.

use std::{fmt, str::FromStr};

/// What a game is not wanted for: an option of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refusal {
    /// Nobody of that name plays.
    GamesOf,
    /// Nobody of that name plays, whose moves alone an archive is counted for.
    Player,
    /// A player has less, or no known Elo.
    MinElo,
    /// A player has more, or no known Elo.
    MaxElo,
    /// It is older, or its date is unknown or too vague to be certain.
    Since,
    /// It is younger, or its date is unknown or too vague to be certain.
    Until,
    /// Another event.
    Event,
    /// Another time control.
    TimeControl,
    /// Another result.
    Result,
    /// Another round, or none that is known.
    Rounds,
    /// Its lot was not drawn.
    Sample,
    /// There were enough before it.
    MaxGames,
}

impl Refusal {
    /// All of them, in the order in which a game is tried.
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
}

impl fmt::Display for Refusal {
    /// Returns the option's name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::GamesOf => "--games-of",
            Refusal::Player => "--player",
            Refusal::MinElo => "--min-elo",
            Refusal::MaxElo => "--max-elo",
            Refusal::Since => "--since",
            Refusal::Until => "--until",
            Refusal::Event => "--event",
            Refusal::TimeControl => "--time-control",
            Refusal::Result => "--result",
            Refusal::Rounds => "--rounds",
            Refusal::Sample => "--sample",
            Refusal::MaxGames => "--max-games",
        })
    }
}

/// A text that names no such option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no option that chooses games")]
pub struct UnknownRefusal(String);

impl FromStr for Refusal {
    type Err = UnknownRefusal;

    fn from_str(text: &str) -> Result<Refusal, UnknownRefusal> {
        let found = Refusal::ALL.into_iter().find(|refusal| refusal.to_string() == text);
        found.ok_or_else(|| UnknownRefusal(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_read_as_they_are_written() {
        for refusal in Refusal::ALL {
            assert_eq!(refusal.to_string().parse(), Ok(refusal));
        }
        assert!("--depth".parse::<Refusal>().is_err());
    }
}
