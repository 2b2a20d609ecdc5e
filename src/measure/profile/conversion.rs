//! [`Conversion`]: the results of games in which a side had a won position.

use shakmaty::Color;

use super::tally::difference;
use crate::chess::{Clip, EvaluatedGame, win_probability};
use crate::measure::tournament::MoveSample;
use crate::numbers::{ClusteredMean, Estimate};

/// The results of games with a won position, for a player and for the opponents in the same games.
///
/// A side had a won position if its winning chances were [`WINNING_CHANCES`] or more after at least one of its
/// own moves, so a chance that it let pass at once does not count. The chances are by [`win_probability::of_score`] with
/// evaluations clamped to ±10 pawns; a mate counts as 10 pawns. Both sides may have had one in the same game.
/// Only games with a known result count. Filters of moves do not apply.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conversion {
    pub player: WonPositions,
    pub opponents: WonPositions,
    /// The player's share of won games minus the opponents' share, from −1 to 1. Errors are clustered by
    /// game. `None` if a side has no such game; without an interval if a side has fewer than [`FEWEST`].
    pub more: Option<Estimate>,
    /// Probability of a difference at least as large, in either direction, if both shares are equal; `None`
    /// without an interval.
    pub p: Option<f64>,
}

/// The games of one side that had a won position, by their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WonPositions {
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
}

/// Smallest winning chances in a won position.
pub const WINNING_CHANCES: f64 = 0.8;

/// Smallest number of games of each side for an interval of the difference.
const FEWEST: u64 = 10;

impl WonPositions {
    pub fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Returns the share of these games that the side won, with Wilson's interval; `None` without games.
    pub fn share(self) -> Option<Estimate> {
        Estimate::share(self.won, self.games())
    }

    fn add(&mut self, half_points: u32) {
        *match half_points {
            2 => &mut self.won,
            1 => &mut self.drawn,
            _ => &mut self.lost,
        } += 1;
    }
}

impl Conversion {
    /// Returns the results for `player` and the opponents; `None` if no side had a won position.
    pub(super) fn of(games: &[EvaluatedGame], sample: &MoveSample, player: u32) -> Option<Conversion> {
        let mut sides: [(WonPositions, ClusteredMean); 2] = Default::default();
        for side in sample.appearances.iter().filter(|side| side.player == player) {
            let game = &games[side.game as usize];
            for (color, (results, won)) in [side.color, !side.color].into_iter().zip(&mut sides) {
                let half_points =
                    game.game().result.half_points(color).filter(|_| had_won_position(game, color));
                if let Some(half_points) = half_points {
                    results.add(half_points);
                    won.add(side.game, f64::from(u8::from(half_points == 2)));
                }
            }
        }
        let [(player, own), (opponents, other)] = sides;
        let is_enough = player.games().min(opponents.games()) >= FEWEST;
        let compared = difference(&own, &other);
        let more =
            compared.map(|(more, _)| Estimate { interval: more.interval.filter(|_| is_enough), ..more });
        let p = compared.and_then(|(more, p)| p.filter(|_| is_enough && more.interval.is_some()));
        (player.games() + opponents.games() > 0).then_some(Conversion { player, opponents, more, p })
    }
}

fn had_won_position(game: &EvaluatedGame, color: Color) -> bool {
    let moves = game.game().movers().zip(game.evaluations().after_moves());
    moves.filter(|(mover, _)| *mover == color).any(|(_, after)| {
        let white = win_probability::of_score(after.score, Clip::TEN_PAWNS);
        color.fold_wb(white, 1.0 - white) >= WINNING_CHANCES
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{Evaluation, Score, pgn::parse_games};

    /// Returns games of A, who has White in games with even numbers. Each has its result from White's view, in
    /// half-points, and White's evaluations after the two moves.
    fn games(played: &[(u32, [i32; 2])]) -> Vec<EvaluatedGame> {
        let game = |(number, (half_points, scores)): (usize, &(u32, [i32; 2]))| {
            let result = ["0-1", "1/2-1/2", "1-0"][*half_points as usize];
            let [white, black] = if number % 2 == 0 { ["A", "B"] } else { ["B", "A"] };
            let text = format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n"
            );
            let scores = [0].iter().chain(scores).map(|&cp| Evaluation::of_score(Score::Cp(cp)));
            EvaluatedGame::new(
                parse_games(&text, "test").remove(0).expect("a game"),
                scores.collect::<Vec<_>>(),
            )
        };
        played.iter().enumerate().map(game).collect()
    }

    fn of_player(games: &[EvaluatedGame], player: &str) -> Option<Conversion> {
        let sample = MoveSample::of(games);
        Conversion::of(games, &sample, sample.place(player) as u32)
    }

    #[test]
    fn five_games_by_hand() {
        // 1/(1 + e^(−0.00368208·377)) = 0.8003, and 0.7997 at 376 centipawns.
        let games =
            games(&[(2, [377, 0]), (2, [0, -377]), (1, [400, -400]), (0, [376, -376]), (0, [-377, 377])]);
        let found = of_player(&games, "A").expect("won positions");
        // A has Black in the second and fourth games: there −377 is won, and −376 is not. In the last game, each
        // side had its chance only before its own move.
        assert_eq!(found.player, WonPositions { won: 1, drawn: 1, lost: 1 });
        assert_eq!(found.opponents, WonPositions { won: 0, drawn: 1, lost: 0 });
        let more = found.more.expect("both sides");
        assert!(
            (more.value - 1.0 / 3.0).abs() < 1e-12 && more.interval.is_none() && found.p.is_none(),
            "{more:?}"
        );
        assert_eq!(of_player(&games[3..], "A"), None);
    }

    proptest! {
        #[test]
        fn the_opponents_results_are_the_players_results_turned_around(
            played in prop::collection::vec((0_u32..3, [-900..900_i32, -900..900_i32]), 1..40)
        ) {
            let games = games(&played);
            let [a, b] = ["A", "B"].map(|player| of_player(&games, player));
            let turned = a.map(|found| (found.opponents, found.player, found.more.map(|more| -more.value)));
            prop_assert_eq!(turned.map(|(own, other, _)| (own, other)), b.map(|found| (found.player, found.opponents)));
            if let Some(found) = a {
                prop_assert!(found.player.games() <= played.len() as u64);
                if let (Some(own), Some(other)) = (found.player.share(), found.opponents.share()) {
                    let more = found.more.expect("both sides");
                    prop_assert!((more.value - own.value + other.value).abs() < 1e-9);
                    prop_assert!(more.interval.is_none_or(|ends| ends.low <= more.value && more.value <= ends.high));
                    prop_assert_eq!(more.interval.is_some(), found.p.is_some());
                }
            }
        }
    }
}
