//! [`Screening`]: the players of one event by how far their moves are above their ratings, relative to the other players.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::chess::Phase;
use crate::measure::{
    calibration::Calibration, calibration::GamePlay, calibration::Other, calibration::Screen,
    calibration::ScreenLead, tournament::MoveSample, tournament::facts::MoveFacts,
};
use crate::numbers::stats::multiple::holm;

/// The players of an event, the largest z first.
#[derive(Debug, Clone, PartialEq)]
pub struct Screening {
    pub rows: Vec<ScreenedPlayer>,
    /// Number of players with too few moves or games, without a rating, or without enough others.
    pub left_out: usize,
    /// Number of honest players on which p is counted.
    pub honest: usize,
    /// The z that p below each of [`Screening::LEVELS`] needs.
    needed: [f64; Screening::LEVELS.len()],
}

#[derive(Debug, Clone, PartialEq)]
pub struct ScreenedPlayer {
    pub player: String,
    pub elo: f64,
    pub games: usize,
    /// Number of counted moves of whole games.
    pub moves: u64,
    pub lead: ScreenLead,
    /// Share of honest players with at least this z: (k + 1)/(n + 1) for k of n players.
    pub p: f64,
    /// False if no honest player had such a z, so that `p` is an upper bound.
    pub is_counted: bool,
    /// `p`, adjusted for the number of screened players (Holm 1979).
    pub holm: f64,
}

/// The reason why an event is not screened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ScreeningRefusal {
    #[error(
        "no screening: its false alarms were measured only over the board, by engines that are calibrated on all events"
    )]
    NotMeasured,
    #[error("no screening: the ratings belong to several systems, or to another pool than the calibration's")]
    OtherPool,
    #[error("no screening: the games are of several events; screen one event at a time")]
    SeveralEvents,
    #[error(
        "no screening: no player has a rating, {games} games or {moves} moves, {later} moves from the 12th on, and four other \
         rated players with 1000 moves",
        games = Screening::LEAST_GAMES,
        moves = Screening::LEAST_MOVES,
        later = Screen::LEAST_OWN
    )]
    NoPlayers,
}

impl Screening {
    /// Smallest number of games of a screened player who has fewer than [`Screening::LEAST_MOVES`] moves.
    pub const LEAST_GAMES: usize = 7;

    pub const LEAST_MOVES: u64 = 250;

    /// The levels for which false alarms are told.
    pub const LEVELS: [f64; 3] = [0.05, 0.01, 0.001];

    /// Screens the players of `sample`, whose ratings are `elo`.
    pub fn of(
        sample: &MoveSample,
        calibration: &Calibration,
        elo: &[Option<f64>],
    ) -> Result<Screening, ScreeningRefusal> {
        if elo.iter().all(Option::is_none) {
            return Err(ScreeningRefusal::NoPlayers);
        }
        let screen = calibration.screen.as_ref().ok_or(ScreeningRefusal::NotMeasured)?;
        if !sample.has_one_rating_system() || !calibration.is_of(sample) {
            return Err(ScreeningRefusal::OtherPool);
        }
        if !sample.is_one_field() {
            return Err(ScreeningRefusal::SeveralEvents);
        }
        let is_after_opening = |facts: &&MoveFacts| facts.phase != Phase::Opening;
        let count = sample.players.len();
        let whole = GamePlay::of_players(count, &sample.moves, calibration.filter);
        let later = sample.moves.iter().filter(is_after_opening);
        let later = GamePlay::of_players(count, later, calibration.filter);
        let rating = |place: usize| elo[place].filter(|_| !sample.players[place].is_nobody);
        let all: Vec<(usize, Other)> = (0..count)
            .filter_map(|place| {
                Some((place, Other { rating: rating(place)?, total: later[place].iter().sum() }))
            })
            .collect();
        let row = |place: usize| {
            let moves = whole[place].iter().map(GamePlay::moves).sum();
            let games = whole[place].len();
            if moves < Screening::LEAST_MOVES && games < Screening::LEAST_GAMES {
                return None;
            }
            let others = all.iter().filter(|(other, _)| *other != place).map(|(_, other)| *other);
            let lead = screen.lead(rating(place)?, &later[place], others)?;
            if lead.moves < Screen::LEAST_OWN {
                return None;
            }
            let (p, is_counted) = share(screen, lead.z());
            let player = sample.players[place].name.clone();
            Some(ScreenedPlayer { player, elo: rating(place)?, games, moves, lead, p, is_counted, holm: p })
        };
        let mut rows: Vec<ScreenedPlayer> = (0..count).filter_map(row).collect();
        if rows.is_empty() {
            return Err(ScreeningRefusal::NoPlayers);
        }
        rows.sort_by(|a, b| b.lead.z().total_cmp(&a.lead.z()));
        let adjusted = holm(&rows.iter().map(|row| row.p).collect::<Vec<_>>());
        rows.iter_mut().zip(adjusted).for_each(|(row, holm)| row.holm = holm);
        let left_out = sample.players.iter().filter(|player| !player.is_nobody).count() - rows.len();
        let needed = Screening::LEVELS.map(|level| screen.needed(level));
        Ok(Screening { left_out, honest: screen.players, needed, rows })
    }

    /// Returns the rows of some players.
    pub fn rows_of(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<ScreenedPlayer> {
        self.rows.iter().filter(|row| is_wanted(&row.player)).cloned().collect()
    }

    /// Returns the probability that an honest field of this size has a p as small as the smallest one here.
    pub fn chance_of_highest(&self) -> f64 {
        let least = self.rows.first().map_or(1.0, |row| row.p);
        1.0 - (1.0 - least).powi(self.rows.len() as i32)
    }

    /// Returns the probability, on average over the players, that a player who takes this share of the moves from an
    /// engine has a p below a level. `share` and `level` are places in [`SHARES`] and [`Screening::LEVELS`].
    pub fn power(&self, share: usize, level: usize) -> f64 {
        let needed = self.needed[level];
        let of = |row: &ScreenedPlayer| {
            Normal::standard().sf(needed - planted(row.elo, share) / row.lead.standard_error)
        };
        self.rows.iter().map(of).sum::<f64>() / self.rows.len() as f64
    }
}

/// Returns the share of honest players with at least this z, and whether there is one.
pub fn share(screen: &Screen, z: f64) -> (f64, bool) {
    match screen.as_high(z) {
        Some(above) => ((above + 1) as f64 / (screen.players + 1) as f64, above > 0),
        None => (Normal::standard().sf(z), true),
    }
}

/// The shares of moves from the 12th on that were replaced by an engine's moves.
pub const SHARES: [f64; 4] = [0.2, 0.3, 0.5, 1.0];

/// The mean rise of the lead, in Elo points, for each of [`SHARES`], at five mean ratings: engine moves of twelve players
/// each. A test computes it from tests/screening/planted.csv.zst.
pub const PLANTED: [(f64, [f64; SHARES.len()]); 5] = [
    (1726.0, [252.0, 383.0, 678.0, 1524.0]),
    (1957.0, [240.0, 319.0, 616.0, 1338.0]),
    (2303.0, [187.0, 259.0, 444.0, 979.0]),
    (2501.0, [142.0, 209.0, 367.0, 755.0]),
    (2738.0, [87.0, 135.0, 224.0, 438.0]),
];

/// Returns the rise of the lead at this rating, interpolated between those of [`PLANTED`].
fn planted(elo: f64, share: usize) -> f64 {
    let next = PLANTED.iter().position(|(rating, _)| *rating > elo).unwrap_or(PLANTED.len());
    let [(low, below), (high, above)] =
        [next.saturating_sub(1), next.min(PLANTED.len() - 1)].map(|at| PLANTED[at]);
    let part = if high > low { (elo - low) / (high - low) } else { 0.0 };
    below[share] + part * (above[share] - below[share])
}
