//! The games of the shipped over-the-board calibrations. They are part of the program.

use std::borrow::Cow;

use crate::chess::{Game, pgn::parse_games};

/// Events of `data/calibration`, packed with zstd.
macro_rules! packed {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_bytes!(concat!("../../../data/calibration/", $name, ".pgn.zst")).as_slice())),*]
    };
}

const PACKED: [(&str, &[u8]); 83] = packed![
    "armenia-1-league-2011",
    "armenia-women-hl-2022",
    "austria-bundesliga-mitte-2014",
    "bialystok-2016",
    "bucharest-2022",
    "bucharest-2023",
    "budapest-elo-2006",
    "catalonia-league-2022",
    "catalunya-ec-2014",
    "chigorin-2014",
    "china-ch-2025",
    "china-women-2025",
    "colombia-sf-2010",
    "costa-rica-ch-q-2005",
    "dortmund-1996",
    "euro-indiv-2018",
    "euro-indiv-2022",
    "euro-indiv-2025-high",
    "euro-indiv-2025-low",
    "european-club-cup-2018",
    "fide-gp-jermuk-2009",
    "fide-gp-moscow-2017",
    "france-open-2008",
    "gibraltar-2019",
    "grand-swiss-2023",
    "grand-swiss-women-2023",
    "hastings-1995",
    "heraklion-2017",
    "hong-kong-open-2014",
    "india-ch-2002",
    "iran-ch-2012",
    "israel-league-2023",
    "italian-ch-2025",
    "kazchess-masters-2025",
    "malopolska-winter-2022",
    "mar-del-plata-1982",
    "marienbad-open-2022",
    "mixed-2024-1850",
    "mixed-2024-2200",
    "mixed-2024-2400",
    "mixed-2025-2400",
    "mongolia-ch-2009",
    "new-zealand-ch-2017",
    "norm-events-november-2024",
    "norway-open-2025",
    "olympiad-2022-high",
    "olympiad-2022-low",
    "olympiad-2024-low",
    "penang-2013",
    "petah-tikva-2020",
    "poland-ch-2015",
    "poland-u16-2004",
    "reykjavik-2025-high",
    "reykjavik-2025-low",
    "ricany-open-2014",
    "romania-youth-2014",
    "romania-youth-low-2014",
    "russia-ch-2020",
    "russia-hl-2025",
    "russia-women-hl-2025",
    "san-viator-22",
    "san-viator-23",
    "sant-marti-b-2014",
    "sarajevo-2000",
    "seniors-50-2024",
    "seniors-50-teams-2022",
    "serbia-sf-2022",
    "slovak-extraliga-2014",
    "us-senior-ch-2019",
    "vojvodina-open-2025",
    "wachtebeke-2022",
    "wijk-aan-zee-1999",
    "wijk-aan-zee-2019",
    "wijk-aan-zee-2022",
    "wijk-aan-zee-2023",
    "wijk-aan-zee-2024",
    "wijk-aan-zee-2025",
    "wlc-weekender-2025",
    "women-gp-munich-2023",
    "world-seniors-65-2014",
    "world-youth-u16-2014",
    "yugoslavia-women-2000",
    "lebanon-ch-2025",
];

const PLAIN: [(&str, &[u8]); 2] = [
    ("candidates-2013", include_bytes!("../../../data/candidates-2013.pgn").as_slice()),
    ("london-chess-classic-2011", include_bytes!("../../../data/london-chess-classic-2011.pgn").as_slice()),
];

/// Returns the name and the games of each of the 85 over-the-board events: 6,254 games with 535,000 positions.
pub fn shipped_events() -> impl Iterator<Item = (&'static str, Vec<Game>)> {
    let unpacked = |bytes| Cow::from(zstd::decode_all(bytes).expect("an event that a test unpacks"));
    let events = PACKED.into_iter().map(move |(name, bytes)| (name, unpacked(bytes)));
    events.chain(PLAIN.map(|(name, bytes)| (name, bytes.into()))).map(|(name, text)| {
        let text = std::str::from_utf8(&text).expect("an event that a test reads");
        let games: Result<Vec<Game>, _> = parse_games(text, name).into_iter().collect();
        (name, games.expect("games that a test reads"))
    })
}
