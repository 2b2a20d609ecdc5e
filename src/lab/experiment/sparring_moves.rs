//! [`SparringMoves`]: the evaluations in games of skill functions, and the losses of their moves, compared
//! with the losses of people with the same mean loss. All evaluations are by one engine.

use std::{collections::BTreeMap, ops::Range};

use serde::Serialize;
use shakmaty::Color;

use crate::chess::EvaluatedGame;
use crate::lab::spar::candidate::{centipawns, expected};
use crate::lab::spar::human::{BLUNDER, HumanLosses};
use crate::measure::{MoveFacts, MoveSample};
use crate::numbers::{Band, BinWidth, ExpectedScore, Histogram, stats::estimate::mean_of};

/// A move counts if the player's expected score before it is in this range, as in the table of people's
/// losses.
const LIVE: Range<f64> = 0.1..0.9;

/// Gains are counted in tenths of a percentage point.
const TENTHS: f64 = 10.0;

/// Number of people's moves in a simulated distribution.
const PEOPLE: u32 = 1000;

/// Number of moves of each game that the report shows. Few games last longer.
const MOVES: u32 = 80;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct SparringMoves {
    pub judge: String,
    pub skills: Vec<SkillMoves>,
    /// Evaluations by move, one [`Course`] per pairing, from the first player's view. The first pairing is of
    /// two fixed players of unequal strength; in the others, a skill function plays the weaker fixed player.
    pub courses: Vec<Course>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SkillMoves {
    pub name: String,
    /// The sizes of the skill function's losses; `None` if none of its moves counts.
    pub losses: Option<LossSizes>,
    /// The mean losses of the skill function and of its opponents, by move number.
    pub by_move: Vec<MoveLoss>,
}

/// The sizes of a skill function's losses, compared with the losses of people with the same mean loss.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LossSizes {
    /// Number of moves that count: the player had a choice, and an expected score between 10 and 90 %.
    pub moves: u64,
    /// The mean loss of these moves, in percentage points.
    pub mean: f64,
    /// The rating of people with the same mean loss.
    pub elo: f64,
    /// The probability that a move of the skill function gains more than a move of these people; a tie counts
    /// half.
    pub exceeds: f64,
    /// The probability `exceeds` for blunders only; `None` if the skill function or the people make no
    /// blunders.
    pub blunder_exceeds: Option<f64>,
    /// The shares of blunders: the skill function's and people's.
    pub blunders: [f64; 2],
    /// The mean losses of blunders, in percentage points: the skill function's and people's.
    pub blunder_means: [Option<f64>; 2],
    /// The gains (losses with a minus sign) in tenths of a percentage point: the skill function's and
    /// people's.
    #[serde(skip)]
    pub gains: [Histogram; 2],
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveLoss {
    /// The move number, from 1.
    pub number: u32,
    /// The skill function's moves that count: their number, and their mean loss in percentage points.
    pub own: (u32, f64),
    /// The opponents' moves that count: their number, and their mean loss in percentage points.
    pub opponents: (u32, f64),
}

/// The evaluations in the games of two players, move by move.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    pub names: [String; 2],
    /// For each game, the evaluation in centipawns after each of the first 80 full moves, within ±1000.
    pub games: Vec<Vec<i32>>,
}

impl SkillMoves {
    /// Computes the results of the skill function `name` from its games.
    pub fn of(name: &str, games: &[EvaluatedGame]) -> SkillMoves {
        let sample = MoveSample::of(games);
        let is_own = |facts: &MoveFacts| sample.players[facts.player as usize].name == name;
        let mut by_move: BTreeMap<u32, [(u32, f64); 2]> = BTreeMap::new();
        let mut losses = Vec::new();
        for facts in &sample.moves {
            let Some(loss) = loss(facts) else { continue };
            let sides = by_move.entry(facts.number).or_default();
            let side = &mut sides[usize::from(!is_own(facts))];
            *side = (side.0 + 1, side.1 + loss);
            losses.extend(is_own(facts).then_some(loss));
        }
        let mean = |(moves, sum): (u32, f64)| (moves, sum / f64::from(moves.max(1)));
        let by_move = by_move.into_iter().take_while(|(number, _)| *number <= MOVES);
        let by_move = by_move.map(|(number, [own, opponents])| MoveLoss {
            number,
            own: mean(own),
            opponents: mean(opponents),
        });
        SkillMoves { name: name.to_owned(), losses: LossSizes::of(&losses), by_move: by_move.collect() }
    }
}

/// Returns the loss of a move in percentage points; `None` if it does not count.
fn loss(facts: &MoveFacts) -> Option<f64> {
    let before = expected(facts.before?.score.seen_by(facts.mover));
    let after = expected(facts.after.score.seen_by(facts.mover));
    (!facts.forced && LIVE.contains(&before)).then(|| 100.0 * (before - after).max(0.0))
}

impl LossSizes {
    /// Computes the statistics of losses in percentage points; `None` without losses.
    pub fn of(losses: &[f64]) -> Option<LossSizes> {
        let mean = mean_of(losses)?;
        let people = HumanLosses::shipped();
        let probability = |place: u32| (f64::from(place) + 0.5) / f64::from(PEOPLE);
        let theirs: Vec<f64> = (0..PEOPLE).map(|place| people.loss(mean, probability(place))).collect();
        let all = [losses.to_vec(), theirs];
        let large =
            all.clone().map(|losses| losses.into_iter().filter(|&loss| loss >= BLUNDER).collect::<Vec<_>>());
        let share = |side: usize| large[side].len() as f64 / all[side].len() as f64;
        let gains = [0, 1].map(|side| gains(&all[side]));
        Some(LossSizes {
            moves: losses.len() as u64,
            mean,
            elo: people.rating(mean),
            exceeds: exceeds(&gains)?,
            blunder_exceeds: exceeds(&[0, 1].map(|side| self::gains(&large[side]))),
            blunders: [share(0), share(1)],
            blunder_means: [0, 1].map(|side| mean_of(&large[side])),
            gains,
        })
    }
}

fn gains(losses: &[f64]) -> Histogram {
    Histogram::of(BinWidth::default(), losses.iter().map(|loss| -(TENTHS * loss).round() as i64))
}

/// Returns the probability that a gain of the first histogram exceeds a gain of the second; a tie counts half
/// (Ferreira, Eq. 8).
fn exceeds([own, theirs]: &[Histogram; 2]) -> Option<f64> {
    Some(ExpectedScore::of(own.distribution()?, theirs.distribution()?, Band::within(0)).value())
}

impl Course {
    /// Returns the evaluations in the games between the two players `names`, with either color.
    pub fn of(names: [&str; 2], games: &[EvaluatedGame]) -> Course {
        let courses = games.iter().filter_map(|game| course(names, game)).collect();
        Course { names: names.map(str::to_owned), games: courses }
    }

    /// Returns the mean centipawns after each move, as long as five games last, or all if there are fewer.
    pub fn means(&self) -> Vec<f64> {
        let turns = self.games.iter().map(Vec::len).max().unwrap_or_default();
        let least = self.games.len().min(5);
        let at = |turn: usize| {
            let scores: Vec<f64> =
                self.games.iter().filter_map(|game| game.get(turn)).map(|&score| score.into()).collect();
            mean_of(&scores).filter(|_| scores.len() >= least)
        };
        (0..turns).map_while(at).collect()
    }
}

fn course([first, second]: [&str; 2], game: &EvaluatedGame) -> Option<Vec<i32>> {
    let sides = Color::ALL.map(|color| game.game().player(color));
    let color = match sides {
        [white, black] if [white, black] == [first, second] => Color::White,
        [white, black] if [white, black] == [second, first] => Color::Black,
        _ => return None,
    };
    let after = game.evaluations().after_moves().iter().skip(1).step_by(2);
    Some(after.take(MOVES as usize).map(|said| centipawns(said.score.seen_by(color))).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{pgn::parse_games, recorded_evaluations};

    fn judged(pgn: &str) -> Vec<EvaluatedGame> {
        let games = parse_games(pgn, "test").into_iter().flatten();
        let judged = |game| {
            let evaluations = recorded_evaluations(&game, None).expect("every position has one");
            EvaluatedGame::new(game, evaluations)
        };
        games.map(judged).collect()
    }

    const GAME: &str = "[White \"even\"]\n[Black \"b\"]\n\n{ [%eval 0.00] } 1. e4 { [%eval -1.00] } e5 { [%eval -1.00] } \
        2. Nf3 { [%eval -1.00] } Nc6 { [%eval 2.00] } *\n\n";

    #[test]
    fn losses_are_counted_by_side_and_number_as_chances_before_less_chances_after() {
        let found = SkillMoves::of("even", &judged(GAME));
        // 100·(1/2 − 1/(1 + e^0.368208)) = 9.1026; Black's 1/(1 + e^−0.368208) = 0.591026 becomes 1/(1 + e^0.736416) = 0.323788.
        let losses = found.losses.expect("two moves");
        assert!(losses.moves == 2 && (losses.mean - 9.1026 / 2.0).abs() < 1e-3, "{losses:?}");
        assert_eq!(losses.blunders[0], 0.0);
        let by_move = &found.by_move;
        assert!((by_move[0].own.1 - 9.1026).abs() < 1e-3 && by_move[0].opponents == (1, 0.0));
        assert!((by_move[1].opponents.1 - 26.7238).abs() < 1e-3 && by_move[1].own == (1, 0.0), "{by_move:?}");
    }

    #[test]
    fn the_course_of_a_game_is_seen_from_the_first_whatever_the_colors() {
        let turned = GAME.replace("\"even\"", "\"x\"").replace("\"b\"", "\"even\"").replace("\"x\"", "\"b\"");
        let other = "[White \"even\"]\n[Black \"c\"]\n\n{ [%eval 0.00] } 1. e4 { [%eval 0.00] } *\n\n";
        let games = judged(&format!("{GAME}{turned}{other}"));
        let course = Course::of(["even", "b"], &games);
        assert_eq!(course.games, [[-100, 200], [100, -200]]);
        assert_eq!(course.means(), [0.0, 0.0]);
    }

    #[test]
    fn who_loses_like_people_is_told_from_them_by_nothing() {
        let people = HumanLosses::shipped();
        let like: Vec<f64> =
            (0..1000).map(|probability| people.loss(4.0, (f64::from(probability) + 0.5) / 1000.0)).collect();
        let found = LossSizes::of(&like).expect("losses");
        assert!((found.exceeds - 0.5).abs() < 0.02, "{found:?}");
        assert!(found.blunder_exceeds.is_some_and(|exceeds| (exceeds - 0.5).abs() < 0.05), "{found:?}");
        // If all losses are equal, people have small losses and blunders that this player lacks.
        let flat = LossSizes::of(&[4.0; 50]).expect("losses");
        assert!(flat.blunders[0] == 0.0 && flat.blunders[1] > 0.05 && flat.blunder_exceeds.is_none());
        assert!(flat.exceeds < 0.4, "most of their moves lose less: {}", flat.exceeds);
        assert_eq!(LossSizes::of(&[]), None);
    }

    proptest! {
        #[test]
        fn shares_and_chances_are_between_0_and_1(losses in prop::collection::vec(0f64..60.0, 1..80)) {
            let found = LossSizes::of(&losses).expect("losses");
            let all = [found.exceeds, found.blunders[0], found.blunders[1], found.blunder_exceeds.unwrap_or(0.5)];
            prop_assert!(all.iter().all(|share| (0.0..=1.0).contains(share)), "{found:?}");
            prop_assert_eq!(found.gains[0].total(), losses.len() as u64);
        }
    }
}
