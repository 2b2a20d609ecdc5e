//! [`Broadcasts`]: any number of artificial games in the form of lichess's monthly files of broadcasts
//! (<https://database.lichess.org/#broadcasts>), with what is unclean in them.

use std::io::{self, Write};

use shakmaty::{ByColor, Color};

use super::{
    Archive,
    course::Course,
    dice::Dice,
    players::{Pairing, Player, TimeControl},
};

/// A month of broadcasts, of one event after the other.
pub struct Broadcasts {
    archive: Archive,
}

/// An event of a month.
struct Event {
    number: u64,
    name: String,
    /// Number of players and rounds.
    players: u64,
    rounds: u64,
    /// Mean rating.
    elo: u32,
    control: TimeControl,
    /// The tag `TimeControl`, which writes minutes, seconds or words; empty if the tag is missing.
    written: &'static str,
}

/// Players and rounds of events: round robins, Swiss events and opens.
const SIZES: [(u64, u64); 5] = [(10, 9), (8, 7), (24, 7), (60, 9), (120, 9)];

/// Time controls in seconds, as broadcasts write them.
const CONTROLS: [(u32, u32, &str); 7] = [
    (5400, 30, "5400+30"),
    (
        5400,
        30,
        ": 90 minutes for the first 40 moves, followed by 30 minutes for the rest of the game with an increment of 30 seconds per move",
    ),
    (7200, 30, "120+30"),
    (900, 10, "900+10"),
    (180, 2, "180+2"),
    (5400, 30, "40/5400+30:1800+30"),
    (600, 5, ""),
];

impl Broadcasts {
    pub fn new(seed: u64, sheets: u64) -> Broadcasts {
        Broadcasts { archive: Archive::new(seed, 1.0, sheets) }
    }

    /// Writes `count` games.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written.
    pub fn write(&self, count: u64, out: &mut impl Write) -> io::Result<()> {
        let mut first = 0;
        for number in 0.. {
            let event = Event::of(number);
            let games = event.rounds * event.players / 2;
            for place in 0..games.min(count - first) {
                self.game(&event, place, first + place, out)?;
            }
            first += games;
            if first >= count {
                break;
            }
        }
        Ok(())
    }

    fn game(&self, event: &Event, place: u64, number: u64, out: &mut impl Write) -> io::Result<()> {
        let mut dice = Dice::new(self.archive.seed, number);
        let boards = event.players / 2;
        let (round, board) = (place / boards + 1, place % boards + 1);
        // Everybody is paired with one player in each round, and with another one in the next.
        let turned = |place: u64| (place * 2 + round * 3) % event.players;
        let [one, other] = [turned(board - 1), (turned(board - 1) + 1) % event.players];
        let ids = ByColor { white: event.person(one), black: event.person(other) };
        let players = ByColor { white: event.player(one, round), black: event.player(other, round) };
        let pairing = Pairing { players, control: event.control };
        let sheet = &self.archive.sheets[(number % self.archive.sheets.len() as u64) as usize];
        // Some boards have no evaluations, and some games were never played.
        let course = Course::of(sheet, &pairing, &self.archive.gains, !dice.chance(0.02), &mut dice);
        let is_forfeit = dice.chance(0.01);
        self.tags(
            event,
            (round, board),
            (&pairing.players, ids),
            &course.result.to_string(),
            &mut dice,
            out,
        )?;
        let text = if is_forfeit { course.result.to_string().into_bytes() } else { course.movetext };
        out.write_all(&text)?;
        out.write_all(b"\n\n\n")
    }

    fn tags(
        &self,
        event: &Event,
        (round, board): (u64, u64),
        (players, ids): (&ByColor<Player>, ByColor<u64>),
        result: &str,
        dice: &mut Dice,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let Event { number, name, .. } = event;
        let names = ByColor { white: &players.white.name, black: &players.black.name };
        let day = format!("2026.10.{:02}", 1 + (number + round) % 28);
        // Each kind of event is exported in another way.
        let (title, broadcast) = match number % 3 {
            0 => (name.clone(), name.clone()),
            1 => (format!("Round {round}: {} - {}", names.white, names.black), format!("{name} | Open")),
            _ => (name.clone(), format!("{name} | Round {round}")),
        };
        let path =
            format!("https://lichess.org/broadcast/event-{number}/round-{round}/r{number:03}{round:04}");
        writeln!(out, "[Event \"{title}\"]")?;
        // Monthly files have no place and no date, unlike the files of single rounds.
        let is_monthly = number.is_multiple_of(2);
        if !is_monthly {
            writeln!(out, "[Site \"{path}/{}\"]\n[Date \"{day}\"]", dice.letters(8))?;
        }
        let board_of_round = if is_monthly { format!("{round:02}") } else { format!("{round}.{board}") };
        writeln!(
            out,
            "[Round \"{board_of_round}\"]\n[White \"{}\"]\n[Black \"{}\"]",
            names.white, names.black
        )?;
        writeln!(out, "[Result \"{result}\"]")?;
        for color in Color::ALL {
            let (side, Player { elo, title, .. }) = (color.fold_wb("White", "Black"), players.get(color));
            writeln!(out, "[{side}Elo \"{elo}\"]")?;
            if let Some(title) = title {
                writeln!(out, "[{side}Title \"{title}\"]")?;
            }
            writeln!(out, "[{side}FideId \"{}\"]", 10_000_000 + ids.get(color))?;
        }
        if !event.written.is_empty() {
            writeln!(out, "[TimeControl \"{}\"]", event.written)?;
        }
        if is_monthly {
            writeln!(
                out,
                "[Board \"{board}\"]\n[StudyName \"Round {round}\"]\n[ChapterName \"{} - {}\"]",
                names.white, names.black
            )?;
        }
        writeln!(out, "[Variant \"Standard\"]\n[UTCDate \"{day}\"]\n[UTCTime \"13:00:{:02}\"]", board % 60)?;
        writeln!(
            out,
            "[BroadcastName \"{broadcast}\"]\n[BroadcastURL \"{path}\"]\n[GameURL \"{path}/{}\"]\n",
            dice.letters(8)
        )
    }
}

impl Event {
    fn of(number: u64) -> Event {
        let (players, rounds) = SIZES[(number % 5) as usize];
        let (base, increment, written) = CONTROLS[(number % 7) as usize];
        let elo = [2650, 2350, 2100, 1850, 2480, 2000][(number % 6) as usize];
        Event {
            number,
            name: format!("Open {}", number + 1),
            players,
            rounds,
            elo,
            control: TimeControl { base, increment },
            written,
        }
    }

    /// Returns a player. Some players write their first names in full in every second round.
    fn player(&self, place: u64, round: u64) -> Player {
        let spread = (place * 2 * 300 / self.players) as u32;
        let elo = self.elo + 300 - spread.min(600);
        let person = self.person(place);
        let first = ["Anna", "A"][usize::from(person.is_multiple_of(5) && round.is_multiple_of(2))];
        let title = match elo {
            2500.. => Some("GM"),
            2400.. => Some("IM"),
            2300.. => Some("FM"),
            _ => None,
        };
        Player { name: format!("{}, {first}", surname(person)), elo, title }
    }

    /// Returns the number of a player among all people.
    fn person(&self, place: u64) -> u64 {
        self.number % 40 * 120 + place
    }
}

/// Returns a surname that no other number has.
fn surname(number: u64) -> String {
    const SYLLABLES: [&str; 10] = ["ba", "do", "fe", "ka", "li", "mo", "na", "ro", "su", "ve"];
    let spelled: String =
        number.to_string().bytes().map(|digit| SYLLABLES[usize::from(digit - b'0')]).collect();
    let (first, rest) = spelled.split_at(1);
    format!("{}{rest}n", first.to_uppercase())
}
