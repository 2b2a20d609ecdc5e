//! [`LevelPlayer`]: a player that chooses each move with about the probability that people of a given rating
//! choose it.

use std::{fmt, ops::RangeInclusive, str::FromStr, sync::LazyLock};

use shakmaty::Move;

use super::{ChoiceFeatures, ChoiceNetwork, ChoosingPlayer, features, features::DEPTHS};
use crate::chess::{GameSoFar, SignedScore};
use crate::engine::chess_engine::{ChessEngine, Root};

/// The network as printed by `examples/levels`.
const NETWORK: &str = include_str!("../../../data/spar/levels.txt");

static SHIPPED: LazyLock<ChoiceNetwork> =
    LazyLock::new(|| NETWORK.parse().expect("a network that a test reads"));

/// The network's input for the expected time of a game, in seconds: the time of a blitz game.
const BLITZ: f64 = 300.0;

/// The level that uses the network's probabilities unchanged, except for [`LEAST_SHARE`].
const CENTER: f64 = 1600.0;

/// Widens the differences between levels. A level uses the network's probabilities to the power of
/// e^(`SPREAD` · (level − [`CENTER`])), normalized. The network sees less of a position than people do. So
/// without this power, two levels would differ in Elo by only 40 % of the difference of their ratings. With
/// this power, levels that differ by 400 Elo score like players who differ by 400 Elo (docs/spar.md).
const SPREAD: f64 = 0.0005;

/// Smallest probability of a move, relative to the likeliest move. Smaller probabilities become 0, because
/// otherwise some of the many moves that people never play would be drawn in each game.
const LEAST_SHARE: f64 = 0.005;

/// The strength of a player, as a rating in blitz on lichess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level(u32);

/// The error for a text that is not a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a level is a rating from {} to {}", Level::RANGE.start(), Level::RANGE.end())]
pub struct NoLevel;

impl FromStr for Level {
    type Err = NoLevel;

    fn from_str(text: &str) -> Result<Level, NoLevel> {
        text.parse().ok().and_then(Level::new).ok_or(NoLevel)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Level {
    /// The default of the UCI option `UCI_Elo`.
    pub const USUAL: Level = Level(1500);

    /// The ratings that are levels.
    pub const RANGE: RangeInclusive<u32> = 800..=2400;

    /// Returns the level nearest to a rating.
    pub fn nearest(elo: f64) -> Level {
        Level((elo.round() as u32).clamp(*Level::RANGE.start(), *Level::RANGE.end()))
    }

    /// Returns the level of a rating; `None` outside [`Level::RANGE`].
    pub fn new(elo: u32) -> Option<Level> {
        Level::RANGE.contains(&elo).then_some(Level(elo))
    }

    /// Returns the rating.
    pub fn elo(self) -> u32 {
        self.0
    }

    /// Returns the probabilities with which a player of this level chooses the moves of `features`. Very
    /// unlikely moves have a probability of 0.
    pub fn probabilities(self, features: &ChoiceFeatures) -> Vec<f64> {
        let elo = f64::from(self.0);
        let people = SHIPPED.probabilities(features, ChoosingPlayer { elo, seconds: BLITZ });
        let power = (SPREAD * (elo - CENTER)).exp();
        let weights: Vec<f64> = people.iter().map(|probability| probability.powf(power)).collect();
        let most = weights.iter().copied().fold(0.0, f64::max);
        let weight = |weight: f64| if weight < LEAST_SHARE * most { 0.0 } else { weight };
        let sum: f64 = weights.iter().copied().map(weight).sum();
        weights.into_iter().map(|one| weight(one) / sum).collect()
    }
}

/// A chosen move, and the evaluation of the position before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelChoice {
    /// The move.
    pub chosen: Move,
    /// The probability with which it was chosen.
    pub probability: f64,
    /// The score of the chosen move, from the view of its player.
    pub score: SignedScore,
    /// The score of the best move, from the same view.
    pub best: SignedScore,
    /// The expected score after the best move, 0 to 1.
    pub expected: f64,
    /// The loss of the move in percentage points of the expected score.
    pub loss: f64,
}

/// A player at any level, with a built-in engine of its own. The engine evaluates by terms alone, as it did
/// when the network of choices was trained.
pub struct LevelPlayer(ChessEngine);

impl Default for LevelPlayer {
    fn default() -> LevelPlayer {
        LevelPlayer(ChessEngine::by_terms(1))
    }
}

impl LevelPlayer {
    /// The depth of the scores, in plies.
    pub const DEPTH: u32 = DEPTHS as u32;

    /// Reads the network and the learned weights before a clock runs.
    pub fn load() {
        LazyLock::force(&SHIPPED);
        features::load();
    }

    /// Returns the legal moves in the last position of `game` with their features. The searches end early if
    /// `is_over` returns true. `None` if the game has an illegal move.
    pub fn features(&mut self, game: &GameSoFar, is_over: &dyn Fn() -> bool) -> Option<ChoiceFeatures> {
        let mut root = Root::new(game.start().clone());
        let mut last = [None; 2];
        for uci in game.moves() {
            let m = uci.to_move(root.position().chess()).ok()?;
            root.play(m).ok()?;
            last = [Some(m), last[0]];
        }
        Some(ChoiceFeatures::of(&mut self.0, &root, last, is_over))
    }

    /// Chooses a move in the last position of `game`. `among` has the moves to choose from; an empty list
    /// means all legal moves. The random number `share`, from 0 to 1, decides: the same number chooses the
    /// same move. `None` if there is no move to choose, or if the game has an illegal move.
    pub fn choose(
        &mut self,
        game: &GameSoFar,
        level: Level,
        among: &[Move],
        share: f64,
    ) -> Option<LevelChoice> {
        let features = self.features(game, &|| false)?;
        let mut probabilities = level.probabilities(&features);
        for (probability, m) in probabilities.iter_mut().zip(&features.moves) {
            if !among.is_empty() && !among.contains(m) {
                *probability = 0.0;
            }
        }
        let sum: f64 = probabilities.iter().sum();
        // All moves to choose from may have a probability of 0.
        let place = match drawn(&probabilities, share) {
            Some(place) => place,
            None => features.moves.iter().position(|m| among.contains(m))?,
        };
        let best = features.expected().fold(0.0, f64::max);
        let place_of_best = features.expected().position(|expected| expected == best)?;
        let expected = features.expected().nth(place)?;
        Some(LevelChoice {
            chosen: features.moves[place],
            probability: probabilities[place] / sum.max(f64::MIN_POSITIVE),
            score: features.scores[place],
            best: features.scores[place_of_best],
            expected: best,
            loss: 100.0 * (best - expected),
        })
    }
}

/// Returns a random index of `weights`, with probabilities in proportion to the weights. `share`, a random
/// number from 0 to 1, decides. `None` if all weights are 0.
pub fn drawn(weights: &[f64], share: f64) -> Option<usize> {
    let share = share * weights.iter().sum::<f64>();
    let mut sum = 0.0;
    let last = weights.iter().rposition(|&weight| weight > 0.0)?;
    let place = weights.iter().position(|weight| {
        sum += weight;
        sum > share
    });
    Some(place.unwrap_or(last).min(last))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::*;

    fn game(fen: &str, moves: &str) -> GameSoFar {
        let start: Chess =
            fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position");
        let mut game = GameSoFar::new(start, CastlingMode::Standard);
        moves.split_whitespace().for_each(|uci| game.push(uci.parse().expect("a move")));
        game
    }

    fn level(elo: u32) -> Level {
        Level::new(elo).expect("a level")
    }

    #[test]
    fn stronger_levels_lose_less() {
        for fen in [
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 10",
            "r4rk1/1bq1bppp/p2ppn2/1p6/3NPP2/1BN5/PPP1Q1PP/2KR3R w - - 0 15",
        ] {
            let root = Root::new(game(fen, "").position());
            let features = ChoiceFeatures::of(&mut ChessEngine::by_terms(1), &root, [None; 2], &|| false);
            let expected: Vec<f64> = features.expected().collect();
            let mean = |elo| {
                let probabilities = level(elo).probabilities(&features);
                assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                probabilities.iter().zip(&expected).map(|(p, expected)| p * expected).sum::<f64>()
            };
            let [weak, strong] = [900, 2300].map(mean);
            assert!(weak + 0.005 < strong && strong < weak + 0.2, "{fen}: {weak} and {strong}");
        }
    }

    #[test]
    fn what_was_taken_is_taken_back_as_a_rule() {
        let game = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4 d7d5 b1c3 d5e4");
        let mut player = LevelPlayer::default();
        let chosen: Vec<LevelChoice> = (0..10)
            .filter_map(|share| player.choose(&game, level(1500), &[], f64::from(share) / 10.0))
            .collect();
        let takes = chosen.iter().filter(|choice| choice.chosen.is_capture()).count();
        assert!(chosen.len() == 10 && takes > 7, "{takes} of 10");
        let first = chosen.iter().find(|choice| choice.chosen.is_capture()).expect("a capture");
        assert!(first.probability > 0.7 && (first.loss == 0.0) == (first.score == first.best), "{first:?}");
    }

    #[test]
    fn equal_shares_choose_equal_moves_and_only_moves_that_are_asked_for() {
        let game = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "");
        let mut player = LevelPlayer::default();
        let first = player.choose(&game, level(1200), &[], 0.3);
        player.choose(&game, level(2000), &[], 0.9);
        assert_eq!(player.choose(&game, level(1200), &[], 0.3), first);
        let only: Vec<Move> = game.position().legal_moves().into_iter().take(1).collect();
        for share in [0.0, 0.999] {
            assert_eq!(
                player.choose(&game, level(1200), &only, share).map(|found| found.chosen),
                Some(only[0])
            );
        }
        let over = self::game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "");
        assert_eq!(player.choose(&over, level(1200), &[], 0.5), None);
    }

    #[test]
    fn many_captures_take_no_longer() {
        let queens = game("qqqqk3/1qqqqq2/8/8/8/8/1QQQQQ2/QQQQK3 w - - 0 1", "");
        assert!(LevelPlayer::default().choose(&queens, level(1200), &[], 0.5).is_some());
    }

    #[test]
    fn shares_draw_places_by_hand() {
        let place = |share: f64| drawn(&[0.4, 0.0, 1.0], share / 0.7);
        assert_eq!([0.0, 0.19, 0.21, 0.69, 0.7, 1.0].map(place), [0, 0, 2, 2, 2, 2].map(Some));
        assert_eq!(drawn(&[0.0, 0.0], 0.0), None);
        assert_eq!(drawn(&[], 0.0), None);
    }

    #[test]
    fn levels_are_ratings_within_a_range() {
        assert_eq!("1500".parse::<Level>(), Ok(Level::USUAL));
        for text in ["799", "2401", "", "strong", "-1500", "1500.5"] {
            let error = text.parse::<Level>().expect_err("no level").to_string();
            assert_eq!(error, "a level is a rating from 800 to 2400");
        }
    }
}
