//! [`GamePlay`]: sums over a player's moves in one game, the input of ratings.

use std::{iter::Sum, ops::AddAssign};

use super::{counted::CountedMoves, statistic::SUMMED, statistic::named};
use crate::chess::Phase;
use crate::measure::{tournament::Method, tournament::facts::MoveFacts, tournament::statistics::Statistic};

/// Sums over the counted moves of one player in one game. Games are kept separate, because the differences
/// between them determine the error of a rating.
///
/// Sums are whole millionths, so that they do not depend on the order of moves, and survive writing and
/// reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GamePlay {
    moves: u64,
    /// Number of moves in games with a known year.
    dated: u64,
    /// Sum of the games' years over the moves in `dated`.
    years: u64,
    /// Number of moves in each phase, in the order of [`Phase::ALL`].
    phases: [u64; Phase::ALL.len()],
    millionths: [i64; SUMMED.len()],
}

const MOVES: &str = "moves";
const DATED: &str = "dated_moves";
const YEARS: &str = "years";
/// In the order of [`Phase::ALL`].
const PHASES: [&str; Phase::ALL.len()] = ["opening_moves", "middlegame_moves", "endgame_moves"];

/// A sum of 1 in a statistic's unit is stored as this number: sums are in millionths.
const UNIT: f64 = 1e6;

impl GamePlay {
    /// Returns the sums of each player in each game, for `players` players, over the `moves` that count. Games
    /// without such moves are left out. The moves of a game are adjacent.
    pub fn of_players<'a>(
        players: usize,
        moves: impl IntoIterator<Item = &'a MoveFacts>,
        counted: CountedMoves,
    ) -> Vec<Vec<GamePlay>> {
        let method = counted.method();
        let mut players: Vec<Vec<(u32, GamePlay)>> = vec![Vec::new(); players];
        for facts in moves {
            let games = &mut players[facts.player as usize];
            match games.last_mut() {
                Some((game, play)) if *game == facts.game => play.add(facts, counted, &method),
                _ => {
                    let mut play = GamePlay::default();
                    play.add(facts, counted, &method);
                    games.push((facts.game, play));
                }
            }
        }
        let with_moves = |games: Vec<(u32, GamePlay)>| {
            games.into_iter().map(|(_, play)| play).filter(|play| play.moves > 0).collect()
        };
        players.into_iter().map(with_moves).collect()
    }

    /// Returns the sums over the `moves` that count.
    pub fn of_moves<'a>(moves: impl IntoIterator<Item = &'a MoveFacts>, counted: CountedMoves) -> GamePlay {
        let (mut play, method) = (GamePlay::default(), counted.method());
        moves.into_iter().for_each(|facts| play.add(facts, counted, &method));
        play
    }

    /// Returns the sums over `moves` moves as written in a file. `sums` has the sum of each statistic of
    /// [`SUMMED`], in the statistic's unit.
    pub fn from_sums(moves: u64, sums: [f64; SUMMED.len()]) -> GamePlay {
        let millionths = sums.map(|sum| (sum * UNIT).round() as i64);
        GamePlay { moves, millionths, ..GamePlay::default() }
    }

    /// Sets the year of the moves.
    pub fn in_year(self, year: Option<u16>) -> GamePlay {
        let dated = year.map_or(0, |_| self.moves);
        GamePlay { dated, years: u64::from(year.unwrap_or_default()) * dated, ..self }
    }

    /// Sets the phase of the moves.
    pub fn in_phase(self, phase: Phase) -> GamePlay {
        let mut phases = [0; Phase::ALL.len()];
        phases[phase as usize] = self.moves;
        GamePlay { phases, ..self }
    }

    /// Adds a move if it counts and its statistics are known. The best move of the engine may be unknown if
    /// `counted` does not need it; the move then counts as no first choice.
    fn add(&mut self, facts: &MoveFacts, counted: CountedMoves, method: &Method) {
        let facts = &facts.rescaled();
        let value = |statistic: Statistic| {
            let unknown = (statistic == Statistic::FirstChoice && !counted.needs_best_moves()).then_some(0.0);
            statistic.of_move(facts, method).or(unknown)
        };
        let values = SUMMED.map(value);
        if method.keeps(facts) && values.iter().all(Option::is_some) {
            let known = values.map(Option::unwrap_or_default);
            *self += GamePlay::from_sums(1, known).in_year(facts.year).in_phase(facts.phase);
        }
    }

    /// Returns the name and the value of each number: the moves, the moves with a known year, the sum of these
    /// years, the moves in each phase, and the sum of each statistic in millionths of its unit.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, i64)> {
        let counts = [(MOVES, self.moves), (DATED, self.dated), (YEARS, self.years)];
        let counts = counts.into_iter().chain(PHASES.into_iter().zip(self.phases));
        let counts = counts.map(|(name, count)| (name, i64::try_from(count).unwrap_or(i64::MAX)));
        let sums = SUMMED.into_iter().zip(self.millionths);
        counts.chain(sums.map(|(statistic, sum)| (statistic.name(), sum)))
    }

    /// Adds `value` to the number named `part`. Returns `None` if there is no such number, if `value` is
    /// negative, or if the sum is too large.
    pub fn add_part(&mut self, part: &str, value: i64) -> Option<()> {
        let value = u64::try_from(value).ok()?;
        let count = match part {
            MOVES => Some(&mut self.moves),
            DATED => Some(&mut self.dated),
            YEARS => Some(&mut self.years),
            _ => PHASES.iter().position(|name| *name == part).map(|phase| &mut self.phases[phase]),
        };
        if let Some(count) = count {
            *count = count.checked_add(value)?;
            return Some(());
        }
        let statistic = named(part, SUMMED)?;
        let sum = &mut self.millionths[place(statistic)?];
        *sum = sum.checked_add_unsigned(value)?;
        Some(())
    }

    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns the number of moves in games with a known year.
    pub fn dated(&self) -> u64 {
        self.dated
    }

    /// Returns the mean year of the moves, if any is known.
    pub fn year(&self) -> Option<f64> {
        (self.dated > 0).then(|| self.years as f64 / self.dated as f64)
    }

    /// Returns the number of moves in each phase, in the order of [`Phase::ALL`].
    pub fn phases(&self) -> [u64; Phase::ALL.len()] {
        self.phases
    }

    /// Returns whether the number of moves with a known year and the sum of the years are possible, and
    /// whether each move has a phase.
    pub fn is_possible(&self) -> bool {
        let of_phases = self.phases.iter().map(|&moves| u128::from(moves)).sum::<u128>();
        self.dated <= self.moves
            && self.year().is_none_or(|year| year <= f64::from(u16::MAX))
            && of_phases == u128::from(self.moves)
    }

    /// Returns the sum of a statistic over the moves; 0 for a statistic that is not one of [`SUMMED`].
    pub fn sum(&self, statistic: Statistic) -> f64 {
        place(statistic).map_or(0.0, |place| self.millionths[place] as f64 / UNIT)
    }

    /// Returns the mean of a statistic; `None` without moves, and for a statistic that is not one of
    /// [`SUMMED`].
    pub fn mean(&self, statistic: Statistic) -> Option<f64> {
        (self.moves > 0 && place(statistic).is_some()).then(|| self.sum(statistic) / self.moves as f64)
    }
}

fn place(statistic: Statistic) -> Option<usize> {
    SUMMED.iter().position(|summed| *summed == statistic)
}

impl Statistic {
    /// Returns the statistic's value for the sums of some games; `None` if it is unknown.
    #[cfg(feature = "program")]
    pub(super) fn of_play(self, total: &GamePlay) -> Option<f64> {
        Some(self.at(total.mean(self.summed())?))
    }
}

impl AddAssign for GamePlay {
    fn add_assign(&mut self, more: GamePlay) {
        self.moves += more.moves;
        self.dated += more.dated;
        self.years += more.years;
        self.phases.iter_mut().zip(more.phases).for_each(|(moves, more)| *moves += more);
        self.millionths.iter_mut().zip(more.millionths).for_each(|(sum, more)| *sum += more);
    }
}

impl<'a> Sum<&'a GamePlay> for GamePlay {
    fn sum<I: Iterator<Item = &'a GamePlay>>(games: I) -> GamePlay {
        games.fold(GamePlay::default(), |mut sum, game| {
            sum += *game;
            sum
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{EvaluatedGame, Evaluation, Score, pgn::parse_games};
    use crate::measure::tournament::MoveSample;

    /// Returns a game with these evaluations, and with `best` as the engine's best move in every position.
    fn game(moves: &str, scores: &[i32], best: &str) -> EvaluatedGame {
        let pgn = format!("[White \"A\"]\n[Black \"B\"]\n\n{moves} *\n");
        let game = parse_games(&pgn, "test").remove(0).expect("a legal game");
        let best = best.parse().expect("a move");
        let evaluations = scores
            .iter()
            .map(|&cp| Evaluation { best: Some(best), ..Evaluation::of_score(Score::Cp(cp)) })
            .collect::<Vec<_>>();
        EvaluatedGame::new(game, evaluations)
    }

    #[test]
    fn two_moves_of_a_side_by_hand() {
        // White: e2e4 (the choice) from +20 to +20 loses nothing, d2d4 from +130 to −70 loses 200 centipawns and
        // W(130) − W(−70) = 0.61741 − 0.43591 = 18.15 points. Black gains nothing and loses 110, then 0.
        let game = game("1. e4 e5 2. d4 d5", &[20, 20, 130, -70, -70], "e2e4");
        let players = GamePlay::of_players(2, &MoveSample::of(&[game]).moves, CountedMoves::All);
        let [white, black] = [players[0][0], players[1][0]];
        assert_eq!((white.moves(), black.moves()), (2, 2));
        assert_eq!(white.mean(Statistic::FirstChoice), Some(50.0));
        assert_eq!(white.sum(Statistic::EvaluationLoss), 200.0);
        assert_eq!(white.mean(Statistic::Blunder200), Some(50.0));
        assert!((white.sum(Statistic::WinLoss) - 18.150).abs() < 1e-2, "{white:?}");
        assert_eq!(black.mean(Statistic::EvaluationLoss), Some(55.0));
        assert_eq!(black.mean(Statistic::Blunder100), Some(50.0));
    }

    #[test]
    fn moves_without_a_known_choice_do_not_count() {
        let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 *\n";
        let game = parse_games(pgn, "test").remove(0).expect("a legal game");
        let scores = vec![Evaluation::of_score(Score::Cp(7)); 3];
        let sample = MoveSample::of(&[EvaluatedGame::new(game, scores)]);
        assert_eq!(GamePlay::of_players(2, &sample.moves, CountedMoves::All), [vec![], vec![]]);
        assert_eq!(GamePlay::of_moves(&sample.moves, CountedMoves::All).mean(Statistic::WinLoss), None);
    }

    proptest! {
        #[test]
        fn sums_are_the_same_in_any_order_and_read_as_they_are_written(
            moves in prop::collection::vec((0f64..100.0, 0f64..97.5, 0f64..2000.0), 1..60),
        ) {
            let play = |&(a, b, c): &(f64, f64, f64)| GamePlay::from_sums(1, [a, b, c, 0.0, 100.0]);
            let forward: Vec<GamePlay> = moves.iter().map(play).collect();
            let backward: Vec<GamePlay> = moves.iter().rev().map(play).collect();
            let [there, back] = [forward, backward].map(|games| games.iter().sum::<GamePlay>());
            prop_assert_eq!(there, back);
            let written = SUMMED.map(|statistic| format!("{:.6}", there.sum(statistic)));
            let read = written.map(|text| text.parse().expect("a number"));
            prop_assert_eq!(GamePlay::from_sums(there.moves(), read), there);
        }
    }
}
