//! [`GameAccuracy`]: the accuracy of each side in one game, in percent, as computed by lichess.
//!
//! The formula for a move is explained at <https://lichess.org/page/accuracy>. The formula for a game is
//! documented only in lichess's source (`AccuracyPercent.scala`).

use shakmaty::Color;

use crate::chess::{
    evaluated_game::EvaluatedGame, gain, judgment, score::Clip, score::Score, win_probability,
};

/// Lower and upper bounds of a move's weight, which is the volatility of the winning chances around the move,
/// in percent.
const WEIGHTS: (f64, f64) = (0.5, 12.0);

/// The smallest accuracy in the harmonic mean. Lower accuracies are raised to this value, because a single 0
/// would make the mean 0.
const LEAST_IN_HARMONIC_MEAN: f64 = 1.0;

/// The accuracy of both sides in one game, in percent from 0 to 100; `None` for a side without a
/// move that counts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GameAccuracy {
    /// The accuracy of White's moves.
    pub white: Option<f64>,
    /// The accuracy of Black's moves.
    pub black: Option<f64>,
}

impl GameAccuracy {
    /// Returns the accuracy of each side: the average of a weighted mean and a harmonic mean of the
    /// accuracies of its moves. The weight of a move is the volatility of the winning chances around it.
    ///
    /// The position before the first move counts as +0.15. A checkmating move does not count, because lichess
    /// has no evaluation of the position after it.
    pub fn of(game: &EvaluatedGame) -> GameAccuracy {
        let scores = game.evaluations().after_moves().iter().map(|evaluation| evaluation.score);
        let moves: Vec<MoveChances> =
            MoveChances::of_game(game.game().movers().zip(scores)).into_iter().flatten().collect();
        GameAccuracy::of_moves(&moves)
    }

    /// Returns the accuracy of each side in a part of a game. The first move of the part is compared with the
    /// actual chances before it. lichess has computed the phases of a game in this way since September 2026
    /// (lila, pull request 21658). Before that date, each phase started at +0.15.
    pub fn of_moves(moves: &[MoveChances]) -> GameAccuracy {
        let start = moves.first().map(|first| first.before);
        let percents: Vec<f64> = start.into_iter().chain(moves.iter().map(|played| played.after)).collect();
        let weighted: Vec<WeightedMove> =
            moves.iter().zip(weights(&percents)).map(|(played, weight)| played.weighted(weight)).collect();
        GameAccuracy { white: of_side(&weighted, Color::White), black: of_side(&weighted, Color::Black) }
    }

    /// Returns the accuracy of one side; `None` if no move of this side counts.
    pub fn for_color(self, color: Color) -> Option<f64> {
        color.fold_wb(self.white, self.black)
    }
}

/// Returns the accuracy of a move, from the mover's winning chances before and after the move, all in
/// percent. A move that does not lower the chances has an accuracy of 100.
pub fn of_move(win_before: f64, win_after: f64) -> f64 {
    if win_after >= win_before {
        return 100.0;
    }
    let fitted =
        103.1668100711649 * (-0.04354415386753951 * (win_before - win_after)).exp() - 3.166924740191411;
    // lichess adds one percent because its analysis is not perfect.
    (fitted + 1.0).clamp(0.0, 100.0)
}

/// A move, with White's winning chances before and after it, in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveChances {
    mover: Color,
    before: f64,
    after: f64,
}

impl MoveChances {
    /// Returns the moves of a game with their chances; a checkmating move is `None`. `moves` has the mover of
    /// each move and the score after it.
    pub fn of_game(moves: impl Iterator<Item = (Color, Score)>) -> Vec<Option<MoveChances>> {
        let chance = |score| 100.0 * win_probability::of_score(score, Clip::TEN_PAWNS);
        let mut before = chance(judgment::START);
        let chances = moves.map(|(mover, score)| {
            let after = chance(score);
            (!is_checkmate(score)).then(|| MoveChances {
                mover,
                before: std::mem::replace(&mut before, after),
                after,
            })
        });
        chances.collect()
    }

    fn weighted(self, weight: f64) -> WeightedMove {
        let [before, after] = [self.before, self.after].map(|white| gain::part_of(self.mover, white, 100.0));
        WeightedMove { mover: self.mover, accuracy: of_move(before, after), weight }
    }
}

struct WeightedMove {
    mover: Color,
    accuracy: f64,
    weight: f64,
}

fn is_checkmate(score: Score) -> bool {
    score.mate() == Some(0)
}

/// Returns the weight of each move. It is the standard deviation of the winning chances in a window of
/// positions that ends with the position after the move, limited by [`WEIGHTS`]. The first moves share the
/// first full window. `percents` has the chances in all positions, from before the first move to after the
/// last.
fn weights(percents: &[f64]) -> impl Iterator<Item = f64> {
    let moves = percents.len().saturating_sub(1);
    let window = (moves / 10).clamp(2, 8);
    (0..moves).map(move |index| {
        let first = (index + 2).saturating_sub(window);
        let (low, high) = WEIGHTS;
        standard_deviation(&percents[first..first + window]).clamp(low, high)
    })
}

/// Returns the standard deviation of a whole population, not of a sample.
fn standard_deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt()
}

fn of_side(moves: &[WeightedMove], color: Color) -> Option<f64> {
    let side = || moves.iter().filter(move |m| m.mover == color);
    let count = side().count();
    if count == 0 {
        return None;
    }
    let weighted = side().map(|m| m.weight * m.accuracy).sum::<f64>() / side().map(|m| m.weight).sum::<f64>();
    let reciprocals: f64 = side().map(|m| m.accuracy.max(LEAST_IN_HARMONIC_MEAN).recip()).sum();
    // Rounding may push the mean of perfect moves slightly above 100.
    Some(((weighted + count as f64 / reciprocals) / 2.0).min(100.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{evaluation::Evaluation, pgn::parse_games, recorded_evaluations};

    // The expected numbers come from this Python code, which follows lichess's steps one by one
    // (its windows are lists, not indices). `cps` has the evaluations after the moves:
    //
    // def w(cp): return 50 + 50*(2/(1 + math.exp(-0.00368208*max(-1000, min(1000, cp)))) - 1)
    // def acc(b, a): return 100 if a >= b else max(0, min(100,
    //     103.1668100711649*math.exp(-0.04354415386753951*(b - a)) - 3.166924740191411 + 1))
    // def game(cps, white_starts=True):
    //     v = [w(15)] + [w(c) for c in cps]; size = max(2, min(8, len(cps)//10))
    //     windows = [v[:size]]*(min(size, len(v)) - 2) + [v[i:i+size] for i in range(len(v)-size+1)]
    //     weights = [max(.5, min(12, statistics.pstdev(x))) for x in windows]
    //     side = {True: [], False: []}
    //     for i, (p, n) in enumerate(zip(v, v[1:])):
    //         white = (i % 2 == 0) == white_starts
    //         side[white].append((acc(p, n) if white else acc(n, p), weights[i]))
    //     def one(m): return m and (sum(a*x for a, x in m)/sum(x for _, x in m)
    //         + len(m)/sum(1/max(1, a) for a, _ in m))/2
    //     return one(side[True]), one(side[False])
    const CPS: [i32; 30] = [
        25, 30, 10, 40, 35, -20, 0, 15, -60, -45, -150, -40, -90, 60, 55, 180, 120, 310, 260, -80, -75, 420,
        400, 650, 500, 1500, 980, -1000, -1000, 120,
    ];

    const PART: [f64; 4] = [88.43878307156065, 95.84673081468131, 83.84449135981986, 42.783911739439226];

    /// Returns a game of knight moves back and forth, with these evaluations after its moves.
    fn knights(starts: Color, after_moves: &[Score]) -> EvaluatedGame {
        let white = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let cycle = starts.fold_wb(white, ["Nf6", "Nf3", "Ng8", "Ng1"]);
        let moves: Vec<&str> = cycle.into_iter().cycle().take(after_moves.len()).collect();
        let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {} KQkq - 0 1", starts.char());
        let pgn = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{} *\n", moves.join(" "));
        let game = parse_games(&pgn, "knights.pgn").remove(0).expect("a legal game");
        // The start position's evaluation does not count.
        let scores = std::iter::once(Score::Cp(-777)).chain(after_moves.iter().copied());
        EvaluatedGame::new(game, scores.map(Evaluation::of_score).collect::<Vec<_>>())
    }

    fn accuracy(starts: Color, cps: &[i32]) -> GameAccuracy {
        let scores: Vec<Score> = cps.iter().copied().map(Score::Cp).collect();
        GameAccuracy::of(&knights(starts, &scores))
    }

    fn assert_close(accuracy: GameAccuracy, white: Option<f64>, black: Option<f64>) {
        for (color, expected) in [(Color::White, white), (Color::Black, black)] {
            match (accuracy.for_color(color), expected) {
                (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-9, "{found}"),
                (found, expected) => assert_eq!(found, expected),
            }
        }
    }

    #[test]
    fn a_move_that_loses_ten_percent_has_an_accuracy_of_65() {
        // By hand: 103.1668·e^(−0.43544) − 3.1669 + 1 = 103.1668·0.64698 − 2.1669 = 64.58.
        assert!((of_move(50.0, 40.0) - 64.58).abs() < 0.005);
        assert_eq!(of_move(40.0, 50.0), 100.0);
        assert_eq!(of_move(50.0, 50.0), 100.0);
        // A loss of a hundredth of a percent does not lower the accuracy; a loss of the whole game makes it 0.
        assert_eq!(of_move(50.0, 49.99), 100.0);
        assert_eq!(of_move(100.0, 0.0), 0.0);
    }

    #[test]
    fn a_game_of_thirty_moves_has_the_accuracies_that_python_finds() {
        let white_starts = accuracy(Color::White, &CPS);
        assert_close(white_starts, Some(90.65213055046246), Some(49.019739227468555));
        let black_starts = accuracy(Color::Black, &CPS);
        assert_close(black_starts, Some(44.1746426972677), Some(99.43478568140733));
    }

    #[test]
    fn a_part_begins_with_the_last_evaluation_before_it() {
        let moves: Vec<MoveChances> = {
            let scores = CPS.iter().map(|&cp| Score::Cp(cp));
            let movers = [Color::White, Color::Black].into_iter().cycle();
            MoveChances::of_game(movers.zip(scores)).into_iter().flatten().collect()
        };
        let close =
            |found: GameAccuracy, white: f64, black: f64| assert_close(found, Some(white), Some(black));
        // Python: game(cps) of the first ten moves; for the other moves, the same with v = [w(c) for c in cps[9:]].
        close(GameAccuracy::of_moves(&moves[..10]), PART[0], PART[1]);
        close(GameAccuracy::of_moves(&moves[10..]), PART[2], PART[3]);
        assert_eq!(GameAccuracy::of_moves(&moves), accuracy(Color::White, &CPS));
    }

    #[test]
    fn games_of_one_and_two_moves_have_an_accuracy() {
        assert_close(accuracy(Color::White, &[]), None, None);
        assert_close(accuracy(Color::White, &[-400]), Some(22.64149201255526), None);
        let both = accuracy(Color::White, &[-400, 700]);
        assert_close(both, Some(22.64149201255526), Some(1.8944511076050778));
        assert_close(accuracy(Color::Black, &[1000]), None, Some(11.653688328702078));
    }

    #[test]
    fn a_mate_counts_ten_pawns_and_a_checkmating_move_does_not_count() {
        let mate_in = |winner, moves| Score::Mate(crate::chess::score::Mate { winner, moves });
        let game = [Score::Cp(40), mate_in(Color::White, 1), Score::checkmate(Color::Black)];
        let found = GameAccuracy::of(&knights(Color::White, &game));
        assert_eq!(found, accuracy(Color::White, &[40, 1000]));
        let black_mates = [mate_in(Color::Black, 7)];
        assert_eq!(GameAccuracy::of(&knights(Color::White, &black_mates)), accuracy(Color::White, &[-2000]));
    }

    #[test]
    fn the_candidates_have_the_accuracies_that_python_finds() {
        // Python: means of game(cps) over the games, their minimum, and White in the first game. `cps` has the
        // `%eval`s of a game in centipawns without the first one; a mate is ±1000.
        let file = "candidates-2013-stockfish-15.1-depth-20-backward.pgn";
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(file);
        let text = std::fs::read_to_string(path).expect("recorded games");
        let games: Vec<GameAccuracy> = parse_games(&text, file)
            .into_iter()
            .map(|game| {
                let game = game.expect("a legal game");
                let evaluations = recorded_evaluations(&game, None).expect("evaluations");
                GameAccuracy::of(&EvaluatedGame::new(game, evaluations))
            })
            .collect();
        let of = |color| games.iter().map(move |game| game.for_color(color).expect("a game with moves"));
        let mean = |color| of(color).sum::<f64>() / games.len() as f64;
        assert_eq!(games.len(), 56);
        assert!((mean(Color::White) - 94.85636529194839).abs() < 1e-9);
        assert!((mean(Color::Black) - 94.79396445944454).abs() < 1e-9);
        let all = || of(Color::White).chain(of(Color::Black));
        assert!(all().all(|accuracy| (0.0..=100.0).contains(&accuracy)));
        assert!((all().fold(100.0, f64::min) - 82.4860638249403).abs() < 1e-9);
        assert!((games[0].white.expect("moves") - 97.8398635904791).abs() < 1e-9);
    }

    #[test]
    fn rounding_makes_nobody_better_than_perfect() {
        let cps = [
            -438, -572, 0, -150, 0, -252, 270, 70, -31, -217, 957, 328, -616, -994, 0, -274, 829, 0, 0, -276,
            0, 0,
        ];
        let found = accuracy(Color::White, &cps);
        assert!([found.white, found.black].into_iter().flatten().all(|side| side <= 100.0), "{found:?}");
    }

    proptest! {
        #[test]
        fn a_side_that_moved_has_a_percentage(
            cps in prop::collection::vec(-1500i32..1500, 0..120)
        ) {
            let found = accuracy(Color::White, &cps);
            prop_assert_eq!(found.white.is_some(), !cps.is_empty());
            prop_assert_eq!(found.black.is_some(), cps.len() > 1);
            for side in [found.white, found.black].into_iter().flatten() {
                prop_assert!((0.0..=100.0).contains(&side));
            }
        }

        #[test]
        fn a_game_that_nobody_spoils_is_perfect(plies in 2usize..100) {
            let found = accuracy(Color::White, &vec![15; plies]);
            assert_close(found, Some(100.0), Some(100.0));
        }

        #[test]
        fn a_larger_loss_is_never_more_accurate(before in 0f64..=100.0, a in 0f64..=100.0, b in 0f64..=100.0) {
            prop_assert!(of_move(before, a.min(b)) <= of_move(before, a.max(b)));
        }
    }
}
