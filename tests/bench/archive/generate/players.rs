//! [`Players`]: the pairings, and the players' strengths.

use shakmaty::ByColor;
use statrs::distribution::{ContinuousCDF, Normal};

use super::dice::Dice;

/// A field of players from the weakest to the strongest, with normally distributed ratings.
pub struct Players {
    ratings: Normal,
}

/// A player in a game.
pub struct Player {
    pub name: String,
    pub elo: u32,
    pub title: Option<&'static str>,
}

/// White, Black, and their time control.
pub struct Pairing {
    pub players: ByColor<Player>,
    pub control: TimeControl,
}

/// A time control in seconds.
#[derive(Clone, Copy)]
pub struct TimeControl {
    pub base: u32,
    pub increment: u32,
}

const CONTROLS: [TimeControl; 10] = {
    const fn of(base: u32, increment: u32) -> TimeControl {
        TimeControl { base, increment }
    }
    [
        of(60, 0),
        of(120, 1),
        of(180, 0),
        of(180, 2),
        of(300, 0),
        of(300, 3),
        of(600, 0),
        of(600, 5),
        of(900, 10),
        of(1800, 20),
    ]
};

/// The share of games with each time control.
const POPULARITY: [f64; 10] = [0.27, 0.06, 0.16, 0.12, 0.1, 0.07, 0.13, 0.04, 0.04, 0.01];

const WORDS: [&str; 12] = [
    "pawn",
    "Knight",
    "bishop",
    "Rook",
    "queen",
    "King",
    "castling",
    "Gambit",
    "fianchetto",
    "Zugzwang",
    "tempo",
    "En_Passant",
];

impl Players {
    pub const COUNT: u64 = 50_000;

    pub fn new() -> Players {
        Players { ratings: Normal::new(1650.0, 340.0).expect("a width above 0") }
    }

    /// Returns two players of nearly equal strength; the difference grows with `round`. Two pairings are
    /// equal only if round and White are the same.
    pub fn pairing(&self, round: u64, dice: &mut Dice) -> Pairing {
        let white = dice.below(Players::COUNT as usize) as u64;
        let apart = 1 + round / 2;
        let apart = if round.is_multiple_of(2) { apart } else { Players::COUNT - apart };
        let players = ByColor { white, black: (white + apart) % Players::COUNT };
        let players = players.map(|place| self.player(place, dice));
        Pairing { players, control: CONTROLS[dice.weighted(&POPULARITY)] }
    }

    fn player(&self, place: u64, dice: &mut Dice) -> Player {
        let share = (place as f64 + 0.5) / Players::COUNT as f64;
        let today = 120.0 * (dice.unit() - 0.5);
        let elo = (self.ratings.inverse_cdf(share) + today).max(400.0) as u32;
        let title = (elo > 2250 && place.is_multiple_of(3)).then_some(match elo {
            ..2350 => "CM",
            2350..2450 => "FM",
            2450..2550 => "IM",
            _ => "GM",
        });
        let word = WORDS[place as usize % WORDS.len()];
        Player { name: format!("{word}{place}"), elo, title }
    }
}

impl TimeControl {
    /// Returns the speed by lichess's rule, from the base time and forty increments.
    pub fn speed(self) -> &'static str {
        match self.base + 40 * self.increment {
            ..180 => "Bullet",
            180..480 => "Blitz",
            480..1500 => "Rapid",
            _ => "Classical",
        }
    }
}
