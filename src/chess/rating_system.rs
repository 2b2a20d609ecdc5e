//! [`RatingSystem`]: the system that a game's Elo tags belong to.

use std::fmt;

use crate::chess::time_control::TimeClass;

/// The rating system of a game's Elo tags. Ratings of different systems are not comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RatingSystem {
    /// Ratings of a federation, for games over the board.
    OverTheBoard,
    /// Ratings of a server, for games of one speed.
    Server {
        /// The address of the server.
        server: &'static str,
        /// The speed, if known: on lichess by the time control, otherwise by the tag `Event`.
        speed: Option<TimeClass>,
    },
}

impl RatingSystem {
    pub const LICHESS: &str = "lichess.org";

    const SERVERS: [&str; 3] = [RatingSystem::LICHESS, "chess.com", "freechess.org"];

    /// Returns the rating system of a game by its tags. The tag `Site` determines the server; if it names no
    /// known server, the ratings count as [`RatingSystem::OverTheBoard`]. On lichess, the tag `TimeControl`
    /// determines the speed, by lichess's rule. If `TimeControl` cannot be parsed, or on another server, the
    /// tag `Event` determines the speed.
    pub fn of_tags(site: Option<&str>, event: Option<&str>, time_control: Option<&str>) -> RatingSystem {
        let lower = |tag: Option<&str>| tag.unwrap_or_default().to_ascii_lowercase();
        let (site, event) = (lower(site), lower(event));
        match RatingSystem::SERVERS.into_iter().find(|server| site.contains(server)) {
            None => RatingSystem::OverTheBoard,
            Some(server) => {
                // The bounds are those of lichess. On other servers, a time control such as 300+5 may have
                // another speed.
                let control = time_control.filter(|_| server == RatingSystem::LICHESS);
                let named = || TimeClass::ALL.into_iter().find(|speed| event.contains(speed.name()));
                RatingSystem::Server { server, speed: control.and_then(TimeClass::of).or_else(named) }
            }
        }
    }

    /// Returns whether a server gave the ratings.
    pub fn is_of_server(self) -> bool {
        self != RatingSystem::OverTheBoard
    }

    /// Returns the rating system with this name, as formatted by `to_string`; `None` if there is none.
    pub fn named(name: &str) -> Option<RatingSystem> {
        let of_server = |server| {
            let speeds = TimeClass::ALL.into_iter().map(Some).chain([None]);
            speeds.map(move |speed| RatingSystem::Server { server, speed })
        };
        let servers = RatingSystem::SERVERS.into_iter().flat_map(of_server);
        servers.chain([RatingSystem::OverTheBoard]).find(|system| system.to_string() == name)
    }
}

impl fmt::Display for RatingSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RatingSystem::OverTheBoard => f.write_str("over the board"),
            RatingSystem::Server { server, speed: None } => f.write_str(server),
            RatingSystem::Server { server, speed: Some(speed) } => write!(f, "{server} {speed}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Tags;

    #[test]
    fn a_kind_of_game_is_no_event_and_tells_the_system_of_the_ratings() {
        let tags = |event: &str, site: &str| -> Tags {
            [("Event", event), ("Site", site)]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into_iter()
                .collect()
        };
        let blitz = tags("Rated Blitz game", "https://lichess.org/abcdefgh");
        assert_eq!(blitz.event(), None);
        let of_blitz = RatingSystem::Server { server: "lichess.org", speed: Some(TimeClass::Blitz) };
        assert_eq!(blitz.rating_system(), of_blitz);
        assert_eq!(tags("Live Chess", "Chess.com").event(), None);
        let arena =
            tags("Rated Blitz tournament https://lichess.org/tournament/x", "https://lichess.org/abcdefgh");
        assert!(arena.event().is_some() && arena.rating_system() == of_blitz);
        let timed = |site: &str| {
            let mut tags = tags("Friday night", site);
            tags.set("TimeControl", "300+5");
            tags.rating_system()
        };
        assert_eq!(
            timed("https://lichess.org/abcdefgh"),
            RatingSystem::Server { server: "lichess.org", speed: Some(TimeClass::Rapid) }
        );
        let by_mail = tags("Rated Correspondence game", "https://lichess.org/abcdefgh").rating_system();
        assert_eq!(by_mail.to_string(), "lichess.org correspondence");
        for system in [of_blitz, by_mail, timed("Chess.com"), RatingSystem::OverTheBoard] {
            assert_eq!(RatingSystem::named(&system.to_string()), Some(system));
        }
        assert_eq!(timed("Chess.com"), RatingSystem::Server { server: "chess.com", speed: None });
        let candidates = tags("FIDE Candidates Tournament 2013", "London ENG");
        assert_eq!(candidates.event(), Some("FIDE Candidates Tournament 2013"));
        assert_eq!(candidates.rating_system(), RatingSystem::OverTheBoard);
    }
}
