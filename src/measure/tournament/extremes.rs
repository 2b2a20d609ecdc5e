//! Moves that changed a game most, for listing in a report.

use super::{Method, MoveSample, facts::MoveFacts};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    pub game: usize,
    pub ply: usize,
    /// Change of the mover's winning chance, from −1 to 1, by [`crate::chess::win_probability::of_score`].
    pub change: f64,
    /// The mover's winning chances before and after the move, between 0 and 1.
    pub chances: [f64; 2],
    pub is_choice: bool,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extremes {
    /// The most costly moves, the worst first. The engine's best moves are excluded, even if the engine changed
    /// its opinion one move later.
    pub costly: Vec<Turn>,
    /// The moves that gained most, the best first.
    pub gained: Vec<Turn>,
}

impl Extremes {
    /// Finds up to `count` moves of each kind, among the moves that count by `method` and that `shows` accepts.
    ///
    /// Winning chances decide, not centipawns: a pawn matters in a level game, but not in a won one.
    pub fn of(
        sample: &MoveSample,
        method: &Method,
        count: usize,
        shows: impl Fn(&MoveFacts) -> bool,
    ) -> Extremes {
        let mut turns: Vec<Turn> = Vec::new();
        for game in sample.moves.chunk_by(|a, b| a.game == b.game) {
            let counted = game.iter().enumerate().filter(|(_, facts)| method.keeps(facts) && shows(facts));
            turns.extend(counted.filter_map(|(ply, facts)| {
                let evals = facts.evals()?;
                let (change, chances) =
                    (evals.win_probability_gain(&method.scale()), evals.chances(&method.scale()));
                let is_choice = facts.first_choice == Some(true);
                Some(Turn { game: facts.game as usize, ply, change, chances, is_choice })
            }));
        }
        // Stable, so that of equal moves the first played comes first.
        turns.sort_by(|a, b| a.change.total_cmp(&b.change));
        let costly =
            turns.iter().take_while(|turn| turn.change < 0.0).filter(|turn| !turn.is_choice).take(count);
        let costly = costly.copied().collect();
        turns.sort_by(|a, b| b.change.total_cmp(&a.change));
        let gained = turns.iter().take_while(|turn| turn.change > 0.0).take(count).copied().collect();
        Extremes { costly, gained }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{EvaluatedGame, pgn::parse_games, recorded_evaluations};

    #[test]
    fn a_pawn_counts_more_in_a_level_game_than_in_one_that_is_won() {
        // White loses 100 centipawns at 0 and 150 at +900; Black gains 20 in between.
        let pgn = "{ [%eval 0.00] } 1. e4 { [%eval -1.00] } e5 { [%eval -1.20] } 2. Nf3 { [%eval 9.00] } \
                   Nc6 { [%eval 9.00] } 3. Bb5 { [%eval 7.50] } *";
        let games = parse_games(pgn, "test").into_iter().flatten().map(|game| {
            let evaluations = recorded_evaluations(&game, None).expect("every position has one");
            EvaluatedGame::new(game, evaluations)
        });
        let sample = MoveSample::of(&games.collect::<Vec<_>>());
        let found = Extremes::of(&sample, &Method::default(), 5, |_| true);
        let plies = |turns: &[Turn]| turns.iter().map(|turn| turn.ply).collect::<Vec<_>>();
        assert_eq!((plies(&found.costly), plies(&found.gained)), (vec![0, 4], vec![2, 1]));
        // 1/(1 + e^0.368208) = 0.408974.
        assert!((found.costly[0].change + 0.5 - 0.408_974).abs() < 1e-6);
        assert_eq!(plies(&Extremes::of(&sample, &Method::default(), 1, |_| true).costly), [0]);
        // 1/(1 + e^−0.368208) and 1/(1 + e^−0.4418496), from Black's view of −1.00 and −1.20.
        let [before, after] = found.gained[1].chances;
        assert!((before - 0.591_026).abs() < 1e-6 && (after - 0.608_700).abs() < 1e-6, "{before} {after}");
        // The engine's best move is never a costly one.
        let mut chosen = sample.clone();
        chosen.moves[0].first_choice = Some(true);
        assert_eq!(plies(&Extremes::of(&chosen, &Method::default(), 5, |_| true).costly), [4]);
    }
}
