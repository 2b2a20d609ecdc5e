//! [`RatingSystem`]: the system that a game's Elo tags belong to.

use std::fmt;

use crate::chess::{repair::Repair, time_control::TimeClass, time_control::read_time_control};

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

    /// Returns the rating system of a game. `tag` returns the value of a tag by its name. The first of these
    /// signs decides:
    ///
    /// 1. A server held the game. The tags have the change of a rating (`WhiteRatingDiff`), or the game's
    ///    address on chess.com (`Link`). Or `Event` has a kind of game ("Rated Blitz game", "Live Chess") or
    ///    an address on lichess. The ratings are the server's.
    /// 2. The game has the FIDE id of a player, or comes from a broadcast (`BroadcastName`, `BroadcastURL`, or
    ///    `Site`). The ratings are of [`RatingSystem::OverTheBoard`].
    /// 3. A player's name has a comma or a space, so it is not the name of an account. The ratings are of
    ///    [`RatingSystem::OverTheBoard`].
    /// 4. `Site` names a server. The ratings are the server's.
    /// 5. Otherwise, the ratings are of [`RatingSystem::OverTheBoard`].
    ///
    /// The `Site` of a study or an imported game is on lichess, even if the game was played over the board.
    /// So the second and third sign precede `Site`. Titles and high ratings are no signs, because servers
    /// have both too.
    ///
    /// On lichess, the tag `TimeControl` determines the speed, by lichess's rule. If `TimeControl` cannot be
    /// parsed, or on another server, the tag `Event` determines the speed.
    ///
    /// Also returns a repair if later signs contradict the sign that decides. The `Site` of a study or
    /// broadcast contradicts nothing.
    pub fn of_tags<'a>(tag: impl Fn(&'static str) -> Option<&'a str>) -> (RatingSystem, Option<Repair>) {
        let lower = |name| tag(name).unwrap_or_default().to_ascii_lowercase();
        let (site, event) = (lower("Site"), lower("Event"));
        let of_site = named(&site);
        let is_of_fide = is_of_fide(&tag) || site.contains("/broadcast");
        let is_account = |name| tag(name).is_none_or(|name| !name.contains([',', ' ']));
        let are_accounts = is_account("White") && is_account("Black");
        let is_changed = || CHANGES.iter().any(|name| tag(name).is_some());
        let (server, is_disputed) = match host(&event, &lower("Link"), of_site, is_changed) {
            Some(host) => (Some(host), is_of_fide),
            None if are_accounts && !is_of_fide => (of_site, false),
            None => {
                let is_shown = ["/study/", "/broadcast"].iter().any(|part| site.contains(part));
                (None, of_site.is_some() && !is_shown)
            }
        };
        let Some(server) = server else {
            return (RatingSystem::OverTheBoard, is_disputed.then_some(Repair::RatedOverTheBoard));
        };
        // The bounds are those of lichess. On other servers, a time control such as 300+5 may have another
        // speed.
        let control = read_time_control(&tag).filter(|_| server == RatingSystem::LICHESS);
        let named = || TimeClass::ALL.into_iter().find(|speed| event.contains(speed.name()));
        let speed = control.and_then(TimeClass::of).or_else(named);
        (RatingSystem::Server { server, speed }, is_disputed.then_some(Repair::RatedByServer))
    }

    /// Returns whether the tags of a game have an address on lichess: of the game, of a chapter of a study, or of a
    /// broadcast.
    pub fn is_on_lichess<'a>(tag: impl Fn(&'static str) -> Option<&'a str>) -> bool {
        ADDRESSES.iter().filter_map(|name| tag(name)).any(|address| address.contains("lichess.org/"))
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

/// Returns whether the tags have a FIDE id, or are those of a broadcast.
pub(in crate::chess) fn is_of_fide<'a>(tag: impl Fn(&'static str) -> Option<&'a str>) -> bool {
    FIDE.iter().any(|name| tag(name).is_some())
}

/// Tags with a FIDE id, and tags of broadcasts. They show that the Elo tags are ratings over the board,
/// unless a server held the game.
const FIDE: [&str; 4] = ["WhiteFideId", "BlackFideId", "BroadcastName", "BroadcastURL"];

/// Tags with the change of a rating by the game.
const CHANGES: [&str; 2] = ["WhiteRatingDiff", "BlackRatingDiff"];

/// Tags with addresses of a game.
const ADDRESSES: [&str; 4] = ["Site", "GameURL", "ChapterURL", "BroadcastURL"];

/// Returns the server that a text in lower case names.
fn named(text: &str) -> Option<&'static str> {
    RatingSystem::SERVERS.into_iter().find(|server| text.contains(server))
}

/// Returns the server that held a game; `None` if the game may have been held elsewhere. `event` and `link`
/// are in lower case. If a server held the game, but `event` and `link` do not name the server, returns
/// `of_site`, or else lichess.
fn host(
    event: &str,
    link: &str,
    of_site: Option<&'static str>,
    is_changed: impl Fn() -> bool,
) -> Option<&'static str> {
    let of_link = named(link).filter(|_| link.contains("/game/"));
    let of_event = server_of_kind(event);
    // "Rated game" may be a kind of game on any server.
    let told = of_link.or(of_event.filter(|server| *server != RatingSystem::LICHESS));
    let is_held = || of_event.is_some() || event.contains("lichess.org/") || is_changed();
    told.or_else(|| is_held().then(|| of_site.unwrap_or(RatingSystem::LICHESS)))
}

/// Returns the server that writes such an `Event` tag; `None` if the tag names an event, not a kind of game.
/// Kinds of games are "Rated Blitz game" on lichess, "Live Chess" on chess.com, and "FICS rated blitz game".
/// `event` is in lower case.
pub(super) fn server_of_kind(event: &str) -> Option<&'static str> {
    let is_kind = event.ends_with(" game") && ["rated", "casual"].iter().any(|kind| event.contains(kind));
    match event.trim_end_matches('!') {
        _ if is_kind && event.contains("fics") => Some("freechess.org"),
        _ if is_kind => Some(RatingSystem::LICHESS),
        "live chess" | "let's play" | "let\u{2019}s play" | "online game" => Some("chess.com"),
        _ => None,
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

    fn tags(text: &str) -> Tags {
        let pairs = text.split('\n').filter_map(|line| line.trim().split_once(' '));
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// Returns the system of the Elo tags. Its name ends with "!" if the tags disagree.
    fn system(text: &str) -> String {
        let tags = tags(text);
        let (system, dispute) = RatingSystem::of_tags(|name| tags.get(name));
        assert_eq!(tags.rating_system(), system);
        assert_eq!(RatingSystem::named(&system.to_string()), Some(system));
        let taken = [Repair::RatedOverTheBoard, Repair::RatedByServer][usize::from(system.is_of_server())];
        assert!(dispute.is_none_or(|dispute| dispute == taken));
        format!("{system}{}", if dispute.is_some() { "!" } else { "" })
    }

    const ACCOUNTS: &str = "White ann_1\nBlack Ben-2\nWhiteElo 1500\nBlackElo 1490";
    const PEOPLE: &str = "White Kern, Ann\nBlack Lund B\nWhiteElo 2500\nBlackElo 2490";

    #[test]
    fn the_first_sign_in_the_tags_tells_the_system_of_the_ratings() {
        let otb = "over the board";
        for (people, text, expected) in [
            // Games of lichess, as lichess exports them: of a user, with a computer, of an arena, without ratings.
            (ACCOUNTS, "Event Rated Blitz game\n{lichess}\nWhiteRatingDiff +5", "lichess.org blitz"),
            (ACCOUNTS, "Event rated blitz game\n{lichess}", "lichess.org blitz"),
            (
                "White lichess AI level 3\nBlack ann_1",
                "Event Casual Blitz game\n{lichess}",
                "lichess.org blitz",
            ),
            (ACCOUNTS, "Event Hourly SuperBlitz Arena\n{lichess}\nBlackRatingDiff -7", "lichess.org blitz"),
            (ACCOUNTS, "Event Team Battle\n{lichess}\nWhiteTitle FM", "lichess.org blitz"),
            (ACCOUNTS, "Event Rated Rapid game\nTimeControl 600+0", "lichess.org rapid"),
            (
                ACCOUNTS,
                "Event Rated Bullet tournament https://lichess.org/tournament/abcdefgh",
                "lichess.org bullet",
            ),
            (
                ACCOUNTS,
                "Event Rated Correspondence game\nSite https://lichess.org/abcdefgh",
                "lichess.org correspondence",
            ),
            // Other servers.
            (ACCOUNTS, "Event Live Chess\nSite Chess.com\nTimeControl 300+5", "chess.com"),
            (ACCOUNTS, "Event Let's Play!\nSite Chess.com\nTimeControl 1/259200", "chess.com"),
            (
                ACCOUNTS,
                "Event Club Rapid\nSite Chess.com\nLink https://www.chess.com/game/live/1",
                "chess.com rapid",
            ),
            (ACCOUNTS, "Event FICS rated blitz game\nSite FICS freechess.org", "freechess.org blitz"),
            (ACCOUNTS, "Event FICS rated blitz game", "freechess.org blitz"),
            (ACCOUNTS, "Event Live Chess\n{study}\nTimeControl 600", "chess.com"),
            // Games over the board, in the tags of servers.
            (PEOPLE, "Event Candidates\n{broadcast}\nWhiteFideId 123\nBroadcastName Candidates", otb),
            ("White ann\nBlack ben", "Event Candidates\n{broadcast}", otb),
            (
                "White ann\nBlack ben",
                "Event Round 1: ann - ben\nBroadcastURL https://lichess.org/broadcast/open",
                otb,
            ),
            (PEOPLE, "Event Round 1: Game 1\n{study}", otb),
            ("White ann\nBlack ben", "{study}\nBlackFideId 123", otb),
            (ACCOUNTS, "Event Round 1: Game 1\n{study}\nTimeControl 600+5", "lichess.org rapid"),
            (PEOPLE, "{imported}", "over the board!"),
            (ACCOUNTS, "{imported}", "lichess.org"),
            (PEOPLE, "Event Candidates\n{com}", "over the board!"),
            (ACCOUNTS, "Event Titled Tuesday\n{com}\nWhiteFideId 123", "over the board!"),
            (
                PEOPLE,
                "Event Titled Tue\nSite chess.com INT\nLink https://www.chess.com/events/1",
                "over the board!",
            ),
            (ACCOUNTS, "Event Titled Tuesday\n{com}", "chess.com"),
            (PEOPLE, "Event Candidates\nSite London ENG\nWhiteTitle GM", otb),
            (ACCOUNTS, "Event Open\nSite Town", otb),
            // What the server wrote about this game comes before the persons' FIDE ids.
            (PEOPLE, "Event Rated Blitz game\n{lichess}\nWhiteFideId 123", "lichess.org blitz!"),
            (ACCOUNTS, "WhiteRatingDiff +5\nWhiteFideId 123\nTimeControl 60+0", "lichess.org bullet!"),
        ] {
            let text = [
                ("{lichess}", "Site https://lichess.org/abcdefgh\nTimeControl 180+2"),
                ("{imported}", "Site https://lichess.org/abcdefgh\nTimeControl -\nEvent Town Open"),
                (
                    "{study}",
                    "Site https://lichess.org/study/abcdefgh/ijklmnop\nStudyName Open\nChapterName Round 1",
                ),
                (
                    "{broadcast}",
                    "Site https://lichess.org/broadcast/open/round-1/abcdefgh\nTimeControl 120+30",
                ),
                ("{com}", "Site Chess.com\nTimeControl 15+10"),
            ]
            .iter()
            .fold(format!("{text}\n{people}"), |text, (short, tags)| text.replace(short, tags));
            assert_eq!(system(&text), expected, "{text}");
        }
    }

    #[test]
    fn a_kind_of_game_is_no_event() {
        for kind in
            ["Rated Blitz game", "casual rapid game", "Live Chess", "Let's Play!", "FICS rated blitz game"]
        {
            assert_eq!(tags(&format!("Event {kind}")).event(), None, "{kind}");
        }
        for event in
            ["Rated Blitz tournament https://lichess.org/tournament/x", "Candidates 2013", "The Last Game"]
        {
            assert_eq!(tags(&format!("Event {event}")).event(), Some(event));
        }
    }
}
