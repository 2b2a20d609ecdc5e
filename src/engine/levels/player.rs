//! [`LevelPlayer`]: a player who chooses moves with the probabilities of people of a rating.

use std::{fmt, ops::RangeInclusive, str::FromStr, sync::LazyLock};

use shakmaty::Move;

use super::{ChoiceFeatures, ChoiceNetwork, ChoosingPlayer, features::DEPTHS};
use crate::chess::{GameSoFar, SignedScore};
use crate::engine::chess_engine::{ChessEngine, Root};

/// The network as printed by `examples/levels`.
const NETWORK: &str = include_str!("../../../data/spar/levels.txt");

static SHIPPED: LazyLock<ChoiceNetwork> =
    LazyLock::new(|| NETWORK.parse().expect("a network that a test reads"));

/// The time of a game of blitz for which players choose, in seconds.
const BLITZ: f64 = 300.0;

/// The rating in the network, by level: points between which it is interpolated. The first number is the
/// level. The ratings are more spread than the levels, because a player that draws its moves is weaker than
/// the people whose moves it predicts, and the more so the stronger they are (docs/spar.md).
const RATINGS: [(f64, f64); 2] = [(800.0, 800.0), (2400.0, 2400.0)];

/// Probabilities below this share of the likeliest move's are 0. A move is drawn from hundreds in a game, so
/// that what nobody plays would otherwise be played.
const LEAST_SHARE: f64 = 0.005;

/// The strength of a player, as a rating in blitz on lichess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level(u32);

/// A number that is no level.
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
    /// The default of options.
    pub const USUAL: Level = Level(1500);

    /// The levels.
    pub const RANGE: RangeInclusive<u32> = 800..=2400;

    /// Returns the level of a rating; `None` outside [`Level::RANGE`].
    pub fn new(elo: u32) -> Option<Level> {
        Level::RANGE.contains(&elo).then_some(Level(elo))
    }

    /// Returns the rating.
    pub fn elo(self) -> u32 {
        self.0
    }

    /// Returns the player whose choices the network predicts for this level.
    fn player(self) -> ChoosingPlayer {
        let level = f64::from(self.0);
        let next = RATINGS.partition_point(|(point, _)| *point < level).clamp(1, RATINGS.len() - 1);
        let ((low, from), (high, to)) = (RATINGS[next - 1], RATINGS[next]);
        ChoosingPlayer { elo: from + (level - low) / (high - low) * (to - from), seconds: BLITZ }
    }
}

/// A chosen move, with its position's evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelChoice {
    /// The move.
    pub chosen: Move,
    /// The probability with which it was chosen.
    pub probability: f64,
    /// The score of the chosen move, in the view of its player.
    pub score: SignedScore,
    /// The score of the best move.
    pub best: SignedScore,
    /// The expected score after the best move, 0 to 1.
    pub expected: f64,
    /// The loss of the move in percentage points of the expected score.
    pub loss: f64,
}

/// A player with its own engine.
pub struct LevelPlayer(ChessEngine);

impl Default for LevelPlayer {
    fn default() -> LevelPlayer {
        LevelPlayer(ChessEngine::new(1))
    }
}

impl LevelPlayer {
    /// The depth of the scores, in plies.
    pub const DEPTH: u32 = DEPTHS as u32;

    /// Reads the network before a clock runs.
    pub fn load() {
        LazyLock::force(&SHIPPED);
    }

    /// Chooses a move in the last position of `game`. `among` are the moves to choose from, all if it is
    /// empty. `share`, from 0 to 1, decides: equal shares choose equal moves. `None` if there is no move to
    /// choose, or if the game has an illegal move.
    pub fn choose(
        &mut self,
        game: &GameSoFar,
        level: Level,
        among: &[Move],
        share: f64,
    ) -> Option<LevelChoice> {
        let mut root = Root::new(game.start().clone());
        let mut last = [None; 2];
        for uci in game.moves() {
            let m = uci.to_move(root.position().chess()).ok()?;
            root.play(m).ok()?;
            last = [Some(m), last[0]];
        }
        let features = ChoiceFeatures::of(&mut self.0, &root, last);
        let mut probabilities = SHIPPED.probabilities(&features, level.player());
        for (probability, m) in probabilities.iter_mut().zip(&features.moves) {
            if !among.is_empty() && !among.contains(m) {
                *probability = 0.0;
            }
        }
        let most = probabilities.iter().copied().fold(0.0, f64::max);
        probabilities.iter_mut().filter(|p| **p < LEAST_SHARE * most).for_each(|p| *p = 0.0);
        let sum: f64 = probabilities.iter().sum();
        let place = drawn(&probabilities, share * sum)?;
        let best = features.expected().fold(0.0, f64::max);
        let place_of_best = features.expected().position(|expected| expected == best)?;
        let expected = features.expected().nth(place)?;
        Some(LevelChoice {
            chosen: features.moves[place],
            probability: probabilities[place] / sum,
            score: features.scores[place],
            best: features.scores[place_of_best],
            expected: best,
            loss: 100.0 * (best - expected),
        })
    }
}

/// Returns the place in which the running sum of `weights` exceeds `share`; `None` if all weights are 0.
fn drawn(weights: &[f64], share: f64) -> Option<usize> {
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

    /// Returns the mean loss of the moves that a level draws, over many shares.
    fn mean_loss(game: &GameSoFar, elo: u32) -> f64 {
        let mut player = LevelPlayer::default();
        let losses = (0..50).map(|share| {
            let choice = player.choose(game, level(elo), &[], (f64::from(share) + 0.5) / 50.0);
            choice.expect("a move").loss
        });
        losses.sum::<f64>() / 50.0
    }

    #[test]
    fn stronger_levels_lose_less() {
        let middlegame = game("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 10", "");
        let attack = game("r4rk1/1bq1bppp/p2ppn2/1p6/3NPP2/1BN5/PPP1Q1PP/2KR3R w - - 0 15", "");
        for game in [middlegame, attack] {
            let [weak, strong] = [900, 2300].map(|elo| mean_loss(&game, elo));
            assert!(strong < weak && weak < 30.0, "{weak} and {strong}");
        }
    }

    #[test]
    fn what_was_taken_is_taken_back_as_a_rule() {
        let game = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4 d7d5 b1c3 d5e4");
        let mut player = LevelPlayer::default();
        let chosen: Vec<LevelChoice> = (0..40)
            .filter_map(|share| player.choose(&game, level(1500), &[], f64::from(share) / 40.0))
            .collect();
        let takes = chosen.iter().filter(|choice| choice.chosen.is_capture()).count();
        assert!(chosen.len() == 40 && takes > 30, "{takes} of 40");
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
            assert_eq!(player.choose(&game, level(1200), &only, share).map(|found| found.chosen), Some(only[0]));
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
        let place = |share: f64| drawn(&[0.2, 0.0, 0.5], share);
        assert_eq!([0.0, 0.19, 0.2, 0.69, 0.7, 1.0].map(place), [0, 0, 2, 2, 2, 2].map(Some));
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
        let ratings: Vec<f64> = (800..=2400).step_by(100).map(|elo| level(elo).player().elo).collect();
        assert!(ratings.is_sorted(), "{ratings:?}");
    }
}
