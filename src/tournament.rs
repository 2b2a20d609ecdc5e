//! Owns the tables of a tournament: what each player's gains say of their play, and of the engine.

use std::collections::BTreeMap;

use shakmaty::Color;

use crate::{
    gain::{EngineHistogram, EvaluatedGame},
    game::{Game, GameResult},
    score::Clip,
    stats::{
        elo::{EloCurve, EloDifference},
        estimate::{Estimate, LEVEL},
        expected_score::ExpectedScore,
        histogram::{BinWidth, Histogram},
    },
    text::fold_spaces,
};

/// The choices of method that a table depends on.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Method {
    /// Bound of an evaluation before a gain is taken.
    pub clip: Clip,
    /// Width of a bin of gain, in centipawns.
    pub bin: BinWidth,
    /// From expected score to Elo.
    pub curve: EloCurve,
    /// Which gains are taken to be the engine's own.
    pub engine_histogram: EngineHistogram,
}

/// A tournament's tables: Ferreira's Tables 5, 6 and 7.
#[derive(Debug, Clone, PartialEq)]
pub struct Tournament {
    /// In order of expected score, best first; those without a move last.
    pub players: Vec<Player>,
    /// Mean over the rated players of Elo − difference, with its 95 % interval (Table 6); `None`
    /// when no player with a move has an Elo.
    pub engine_strength: Option<Estimate>,
    /// Means over the players who make up `engine_strength`.
    pub average: Option<Average>,
    /// What was chosen.
    pub method: Method,
}

/// The last row of Table 6: means over the rated players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Average {
    /// Elo points.
    pub elo: f64,
    /// Elo difference between a player and the engine.
    pub elo_difference: f64,
}

/// One player's row.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// As the games have it, white space folded.
    pub name: String,
    /// Place in the order of expected scores, from 1; `None` for a player without a move.
    pub rank: Option<usize>,
    /// The rating; `None` where neither a tag nor the user gives one.
    pub elo: Option<PlayerElo>,
    /// Games played.
    pub games: u32,
    /// Half-points scored in the games whose result is known.
    pub half_points: u32,
    /// Gains of all moves in centipawns.
    pub histogram: Histogram,
    /// The expected score against the engine (Eq. 8); `None` for a player without a move.
    pub expected_score: Option<ExpectedScore>,
    /// Its Elo difference (Eq. 2), negative when the engine is stronger.
    pub elo_difference: Option<EloDifference>,
    /// The engine's strength as seen from this player: Elo − difference (Table 6).
    pub engine_strength: Option<f64>,
    /// Mean engine strength + difference (Table 7).
    pub performance: Option<f64>,
}

/// What a player's row follows from.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerRecord {
    /// As the games have it, white space folded.
    pub name: String,
    /// The rating, where it is known.
    pub elo: Option<PlayerElo>,
    /// Games played.
    pub games: u32,
    /// Half-points scored in the games whose result is known.
    pub half_points: u32,
    /// Gains of all moves in centipawns.
    pub histogram: Histogram,
}

/// A player's rating and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayerElo {
    /// Elo points.
    pub value: f64,
    /// Where it comes from.
    pub origin: EloOrigin,
}

/// Where a rating comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EloOrigin {
    /// The same tag in every game that has one.
    Tag,
    /// The mean over games whose tags differ.
    MeanOfTags {
        /// The lowest tag.
        low: u32,
        /// The highest tag.
        high: u32,
    },
    /// The user's word.
    Given,
}

impl Player {
    /// Moves whose gain was counted.
    pub fn moves(&self) -> u64 {
        self.histogram.total()
    }

    /// Points scored.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }
}

impl Tournament {
    /// The tables of `games`. `elo` overrides the ratings of the players named in it, names as
    /// [`player_name`] has them.
    pub fn of(games: &[EvaluatedGame], elo: &BTreeMap<String, f64>, method: Method) -> Tournament {
        let records = counts(games, method).into_iter().map(|(name, counts)| {
            let given = elo.get(&name).map(|&value| PlayerElo { value, origin: EloOrigin::Given });
            let elo = given.or_else(|| mean_elo(&counts.elo_tags));
            let Counts { games, half_points, histogram, .. } = counts;
            PlayerRecord { name, elo, games, half_points, histogram }
        });
        Tournament::from_records(records, method)
    }

    /// The tables of players whose moves have been counted already. Players of equal score stay
    /// in the order given.
    ///
    /// # Panics
    ///
    /// If a histogram has bins of another width than `method`.
    pub fn from_records(records: impl IntoIterator<Item = PlayerRecord>, method: Method) -> Tournament {
        let players = records.into_iter().map(|record| Player::new(record, method));
        Tournament::from_players(players.collect(), method)
    }

    /// Orders the players, averages the engine's strength and adds performances.
    fn from_players(mut players: Vec<Player>, method: Method) -> Tournament {
        // Stable: rows of equal score stay in the order in which they come.
        players.sort_by(|a, b| {
            let value = |player: &Player| player.expected_score.map_or(-1.0, ExpectedScore::value);
            value(b).total_cmp(&value(a))
        });
        let strengths: Vec<f64> = players.iter().filter_map(|player| player.engine_strength).collect();
        let engine_strength = Estimate::mean(&strengths, LEVEL);
        let average = Average::of(&players);
        for (index, player) in players.iter_mut().enumerate() {
            player.rank = player.expected_score.map(|_| index + 1);
            player.performance = engine_strength
                .zip(player.elo_difference)
                .map(|(engine, difference)| engine.value + difference.value);
        }
        Tournament { players, engine_strength, average, method }
    }

    /// The same tables with the rows of those players alone whose name `keeps` wants; ranks and
    /// the engine's strength stay those of the whole.
    pub fn narrowed(&self, keeps: impl Fn(&str) -> bool) -> Tournament {
        let players = self.players.iter().filter(|player| keeps(&player.name)).cloned().collect();
        Tournament { players, ..*self }
    }
}

impl Average {
    fn of(players: &[Player]) -> Option<Average> {
        let rated: Vec<(f64, f64)> = players
            .iter()
            .filter_map(|player| Some((player.elo?.value, player.elo_difference?.value)))
            .collect();
        let mean = |sum: f64| sum / rated.len() as f64;
        (!rated.is_empty()).then(|| Average {
            elo: mean(rated.iter().map(|(elo, _)| elo).sum()),
            elo_difference: mean(rated.iter().map(|(_, difference)| difference).sum()),
        })
    }
}

impl Player {
    fn new(record: PlayerRecord, method: Method) -> Player {
        let PlayerRecord { name, elo, games, half_points, histogram } = record;
        let engine = Histogram::delta(method.bin);
        let expected_score = histogram
            .distribution()
            .zip(engine.distribution())
            .map(|(player, engine)| ExpectedScore::of(player, engine));
        let elo_difference = expected_score.map(|p| EloDifference::of(p, histogram.total(), method.curve));
        Player {
            engine_strength: elo.zip(elo_difference).map(|(elo, difference)| elo.value - difference.value),
            name,
            rank: None,
            elo,
            games,
            half_points,
            histogram,
            expected_score,
            elo_difference,
            performance: None,
        }
    }
}

/// What is counted of a player, game by game.
struct Counts {
    games: u32,
    half_points: u32,
    elo_tags: Vec<u32>,
    histogram: Histogram,
}

/// The counts of each player, by name.
fn counts(games: &[EvaluatedGame], method: Method) -> BTreeMap<String, Counts> {
    let mut players = BTreeMap::new();
    for evaluated in games {
        for color in Color::ALL {
            let counts = players
                .entry(player_name(evaluated.game(), color))
                .or_insert_with(|| Counts::new(method.bin));
            counts.count_game(evaluated.game(), color);
            counts.count_moves(evaluated, color, method.clip);
        }
    }
    players
}

impl Counts {
    fn new(bin: BinWidth) -> Counts {
        Counts { games: 0, half_points: 0, elo_tags: Vec::new(), histogram: Histogram::new(bin) }
    }

    fn count_game(&mut self, game: &Game, color: Color) {
        self.games += 1;
        self.half_points += GameResult::half_points(game.result, color).unwrap_or_default();
        self.elo_tags.extend(game.elo(color));
    }

    fn count_moves(&mut self, evaluated: &EvaluatedGame, color: Color, clip: Clip) {
        let gains = evaluated.game().movers().zip(evaluated.gains(clip));
        for (_, gain) in gains.filter(|&(mover, _)| mover == color) {
            self.histogram.add(i64::from(gain));
        }
    }
}

/// The name of the player of `color`, white space folded, so that one player is one row.
pub fn player_name(game: &Game, color: Color) -> String {
    fold_spaces(game.player(color))
}

/// The mean of the tags, each game counting once.
fn mean_elo(tags: &[u32]) -> Option<PlayerElo> {
    let (low, high) = (*tags.iter().min()?, *tags.iter().max()?);
    let sum: f64 = tags.iter().map(|&elo| f64::from(elo)).sum();
    Some(PlayerElo {
        value: sum / tags.len() as f64,
        origin: if low == high { EloOrigin::Tag } else { EloOrigin::MeanOfTags { low, high } },
    })
}
