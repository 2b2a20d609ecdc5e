//! [`CalibrationSample`]: the games of rated players for a calibration.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sha2::{Digest, Sha256};
use shakmaty::Color;
use xxhash_rust::xxh3::xxh3_128;

use super::{CalibrationEvent, counted::CountedMoves, play::GamePlay, scale::RatingScale};
use crate::base::digest::hex;
use crate::chess::{Date, EvaluatedGame, Game, Phase};
use crate::measure::{tournament::MoveSample, tournament::facts::MoveFacts, tournament::player_name};
use crate::numbers::stats::estimate::mean_of;

#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationPlay {
    pub event: u32,
    pub game: u32,
    pub color: Color,
    pub player: String,
    pub elo: u32,
    /// True if a server gave the rating.
    pub is_of_server: bool,
    pub date: Option<Date>,
    /// The player's accuracy in the game by lichess's formula, in percent.
    pub accuracy: Option<f64>,
    /// The sums of each phase, in the order of [`Phase::ALL`].
    pub phases: [GamePlay; Phase::ALL.len()],
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct CalibrationSample {
    pub counted: CountedMoves,
    pub events: Vec<CalibrationEvent>,
    /// The sums of each player in each game, in the order of events and games, White before Black. Players
    /// without a rating or without a counted move are left out.
    pub plays: Vec<CalibrationPlay>,
}

impl CalibrationSample {
    pub fn add(&mut self, name: &str, games: &[EvaluatedGame]) {
        let event = self.events.len() as u32;
        let before = self.plays.len();
        let plays = CalibrationPlay::of_games(games, self.counted);
        self.plays.extend(plays.into_iter().map(|play| CalibrationPlay { event, ..play }));
        let plays = &self.plays[before..];
        let mut with_rated: Vec<u32> = plays.iter().map(|play| play.game).collect();
        with_rated.dedup();
        self.events.push(CalibrationEvent {
            name: name.to_owned(),
            games: with_rated.len(),
            moves: plays.iter().map(|play| play.all().moves()).sum(),
            digest: digest(games.iter().map(EvaluatedGame::game)),
        });
    }

    /// Deals games into `sets` sets of nearly equal size, so that every set has games of all ratings. The games
    /// of players who met, directly or through other players, go into one set. Among copies of a game,
    /// recognized by equal moves and ratings, the first is used.
    pub fn dealt(games: impl Iterator<Item = EvaluatedGame>, sets: usize) -> Vec<Vec<EvaluatedGame>> {
        let elo = |game: &EvaluatedGame| Color::ALL.map(|color| game.game().elo(color));
        let mut known = BTreeSet::new();
        let mut is_first = |game: &EvaluatedGame| known.insert((moves(game.game()), elo(game)));
        let games: Vec<EvaluatedGame> = games.filter(|game| is_first(game)).collect();
        // For each game, the first of the games that share players with it, directly or through other games.
        let mut joined: Vec<usize> = (0..games.len()).collect();
        let first = |joined: &[usize], mut place: usize| {
            while joined[place] != place {
                place = joined[place];
            }
            place
        };
        let mut seen = BTreeMap::new();
        for (place, game) in games.iter().enumerate() {
            for color in Color::ALL {
                let earlier = *seen.entry(player_name(game.game(), color)).or_insert(place);
                let ends = [place, earlier].map(|place| first(&joined, place));
                joined[ends[0].max(ends[1])] = ends[0].min(ends[1]);
            }
        }
        let mut groups: BTreeMap<usize, Vec<EvaluatedGame>> = BTreeMap::new();
        for (place, game) in games.into_iter().enumerate() {
            groups.entry(first(&joined, place)).or_default().push(game);
        }
        let mean = |games: &[EvaluatedGame]| {
            let ratings: Vec<f64> = games.iter().flat_map(elo).flatten().map(f64::from).collect();
            mean_of(&ratings).unwrap_or_default()
        };
        let mut groups: Vec<Vec<EvaluatedGame>> = groups.into_values().collect();
        groups.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
        let mut dealt = vec![Vec::new(); sets];
        for games in groups {
            if let Some(least) = dealt.iter_mut().min_by_key(|set: &&mut Vec<EvaluatedGame>| set.len()) {
                least.extend(games);
            }
        }
        dealt
    }

    /// Returns the sample without the moves of openings.
    pub fn after_opening(&self) -> CalibrationSample {
        let mut sample = self.clone();
        sample.plays.iter_mut().for_each(|play| play.phases[Phase::Opening as usize] = GamePlay::default());
        sample.plays.retain(|play| play.all().moves() > 0);
        sample
    }

    /// Returns the rated players of each event: the mean rating on `scale`, weighted by moves, and the games.
    pub fn players(&self, scale: RatingScale) -> Vec<Vec<(f64, Vec<GamePlay>)>> {
        let mut events = vec![BTreeMap::<&str, Vec<(f64, GamePlay)>>::new(); self.events.len()];
        for play in &self.plays {
            if let Some(rating) = play.rating(scale) {
                events[play.event as usize].entry(&play.player).or_default().push((rating, play.all()));
            }
        }
        let player = |games: Vec<(f64, GamePlay)>| {
            let moves: u64 = games.iter().map(|(_, play)| play.moves()).sum();
            let rating = games.iter().map(|(rating, play)| rating * play.moves() as f64).sum::<f64>();
            (rating / moves as f64, games.into_iter().map(|(_, play)| play).collect())
        };
        events.into_iter().map(|players| players.into_values().map(player).collect()).collect()
    }

    /// Returns two copies of a game, each by event and number, the earlier copy first; `None` if no game is
    /// repeated. Copies have the same players, ratings, date and sums. If a game of a test event is also in the
    /// training data, the errors in that event are too small.
    pub fn repeated(&self) -> Option<[(&str, u32); 2]> {
        let mut seen = HashMap::new();
        for game in self.plays.chunk_by(|one, next| (one.event, one.game) == (next.event, next.game)) {
            let facts = |play: &CalibrationPlay| {
                let CalibrationPlay { color, player, elo, date, accuracy, phases, .. } = play;
                format!("{color:?} {player:?} {elo} {date:?} {accuracy:?} {phases:?}")
            };
            let key = xxh3_128(game.iter().map(facts).collect::<String>().as_bytes());
            if let Some(earlier) = seen.insert(key, &game[0]) {
                let place = |play: &CalibrationPlay| (play.event as usize, play.game + 1);
                return Some(
                    [place(earlier), place(&game[0])]
                        .map(|(event, game)| (self.events[event].name.as_str(), game)),
                );
            }
        }
        None
    }
}

impl CalibrationPlay {
    /// Returns the sums of each rated player in each game, in the order of the games, White before Black. The event
    /// is the first one.
    pub fn of_games(games: &[EvaluatedGame], counted: CountedMoves) -> Vec<CalibrationPlay> {
        let sample = MoveSample::of(games);
        let of_game = |(place, evaluated): (usize, &EvaluatedGame)| {
            let play = |color| rated_play(&sample, evaluated.game(), place, color, counted);
            Color::ALL.map(play).into_iter().flatten().collect::<Vec<_>>()
        };
        games.iter().enumerate().flat_map(of_game).collect()
    }

    pub fn all(&self) -> GamePlay {
        self.phases.iter().sum()
    }

    pub fn of(&self, phase: Option<Phase>) -> GamePlay {
        phase.map_or_else(|| self.all(), |phase| self.phases[phase as usize])
    }

    /// Returns the player's rating on a scale; `None` for a placeholder.
    pub fn rating(&self, scale: RatingScale) -> Option<f64> {
        scale.of_tag(self.elo, self.date, self.is_of_server)
    }
}

fn rated_play(
    sample: &MoveSample,
    game: &Game,
    place: usize,
    color: Color,
    counted: CountedMoves,
) -> Option<CalibrationPlay> {
    let elo = game.elo(color)?;
    let is_of = |phase: Phase| move |facts: &&MoveFacts| facts.mover == color && facts.phase == phase;
    let phases = Phase::ALL
        .map(|phase| GamePlay::of_moves(sample.moves_of(place).iter().filter(is_of(phase)), counted));
    let appearance = sample.appearances.get(2 * place + color.fold_wb(0, 1))?;
    let play = CalibrationPlay {
        event: 0,
        game: place as u32,
        color,
        player: player_name(game, color),
        elo,
        is_of_server: game.tags.rating_system().is_of_server(),
        date: game.tags.date(),
        accuracy: appearance.accuracy.map(to_ten_thousandths),
        phases,
    };
    (play.all().moves() > 0).then_some(play)
}

/// Rounds to four decimals, the precision of the file.
fn to_ten_thousandths(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// Returns the SHA-256 of players, ratings, start positions and moves of an event's games, in hexadecimal.
pub(super) fn digest<'g>(games: impl Iterator<Item = &'g Game>) -> String {
    let mut hasher = Sha256::new();
    games.for_each(|game| digest_game(&mut hasher, game));
    hex(&hasher.finalize())
}

/// Adds the identity of a game to a hash: its players, their ratings, its start position and its moves.
fn digest_game(hasher: &mut Sha256, game: &Game) {
    let mut take = |text: &str| {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text);
    };
    for color in Color::ALL {
        take(&player_name(game, color));
        take(&game.elo(color).map_or_else(String::new, |elo| elo.to_string()));
    }
    take(game.tags.get("FEN").unwrap_or_default());
    take(&moves(game));
}

fn moves(game: &Game) -> String {
    game.moves.iter().map(|played| played.uci.to_string()).collect::<Vec<_>>().join(" ")
}
