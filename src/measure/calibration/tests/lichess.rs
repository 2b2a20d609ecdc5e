//! Tests of the calibration of lichess's analysis: its errors by number of games and by rating, and the scale of the
//! evaluations.

use super::{documented::binomial, documented::left_out, documented::rms, tables::*, *};
use crate::chess::{EvaluatedGame, recorded_evaluations};
use crate::numbers::stats::estimate::mean_of;

const NAME: &str = "lichess-analysis-lichess-rapid";

/// Consecutive games of a player, rated by calibrations of the other players.
struct Run {
    player: String,
    elo: f64,
    moves: f64,
    /// Errors of the rating and of the shrunken rating.
    errors: [f64; 2],
    /// The error divided by its standard error.
    deviation: f64,
}

/// Returns the runs of `length` consecutive games of each player, the latest run first. `models` has a model for each set,
/// fitted without the players of this set.
fn runs(sample: &CalibrationSample, models: &[RatingModel], length: usize) -> Vec<Run> {
    let mut players: BTreeMap<&str, Vec<&CalibrationPlay>> = BTreeMap::new();
    for play in &sample.plays {
        players.entry(&play.player).or_default().push(play);
    }
    let mut runs = Vec::new();
    for (player, mut plays) in players {
        plays.sort_by_key(|play| play.date.map(|date| (date.year(), date.month(), date.day())));
        for run in plays.rchunks_exact(length) {
            let games: Vec<GamePlay> = run.iter().map(|play| play.all()).collect();
            let elo = run.iter().map(|play| f64::from(play.elo)).sum::<f64>() / length as f64;
            let found = models[run[0].event as usize].rate(&games);
            let outright = found.outright.expect("moves");
            runs.push(Run {
                player: player.to_owned(),
                elo,
                moves: found.moves as f64,
                errors: [outright.value, found.shrunken.value].map(|rating| rating - elo),
                deviation: (outright.value - elo) / outright.interval.expect("an interval").standard_error,
            });
        }
    }
    runs
}

fn mean(runs: &[&Run], of: impl Fn(&Run) -> f64) -> f64 {
    mean_of(&runs.iter().map(|run| of(run)).collect::<Vec<_>>()).expect("a run")
}

fn within(runs: &[&Run], width: f64) -> usize {
    runs.iter().filter(|run| run.deviation.abs() <= width).count()
}

/// The half-widths of the 80 % and the 95 % interval of a standard normal distribution.
const WIDTHS: [f64; 2] = [1.281_552, 1.959_964];

#[test]
fn ratings_by_lichess_have_the_errors_of_the_documentation() {
    let shipped = Calibration::shipped_as(NAME).expect("a calibration");
    let sample = sums(&format!("sums-{NAME}.csv.zst")).sample;
    let models = left_out(&shipped, &sample);
    let all: Vec<(usize, Vec<Run>)> =
        [1, 3, 5, 10, 20].map(|length| (length, runs(&sample, &models, length))).into();
    let headings = ["games", "<players rated", "runs", "moves", "spread", "rating", "shrunken", "within, %"];
    let mut rows = vec![row(headings)];
    for (length, runs) in &all {
        for (name, from, to) in [("all", 0.0, 4000.0), ("1000 to 2199", 1000.0, 2200.0)] {
            let kept: Vec<&Run> = runs.iter().filter(|run| run.elo >= from && run.elo < to).collect();
            let elo = mean(&kept, |run| run.elo);
            let spread = mean(&kept, |run| (run.elo - elo).powi(2)).sqrt();
            let errors = [0, 1].map(|at| mean(&kept, |run| run.errors[at].abs()));
            let [of_80, of_95] = WIDTHS.map(|width| within(&kept, width) as f64 / kept.len() as f64);
            if *length == 10 {
                assert!(errors[1] < 165.0, "{name}: {errors:?}");
            }
            let numbers = [mean(&kept, |run| run.moves), spread, errors[0], errors[1]].map(rounded);
            let cells = [length.to_string(), name.to_owned(), number(kept.len() as f64, 0)]
                .into_iter()
                .chain(numbers);
            rows.push(cells.chain([format!("{} / {}", percent(of_80), percent(of_95))]).collect());
        }
    }
    check_table("calibration.md", "lichess's analysis by games", &rows);

    // The last ten games of each player.
    let ten = &all.iter().find(|(length, _)| *length == 10).expect("runs").1;
    let mut players = BTreeSet::new();
    let last: Vec<&Run> = ten.iter().filter(|run| players.insert(&run.player)).collect();
    let mut rows =
        vec![row(["<rated", "players", "bias", "error", "within, %", "<95 % interval of this share"])];
    for from in (800..2800).step_by(200).map(f64::from) {
        let kept: Vec<&Run> =
            last.iter().copied().filter(|run| run.elo >= from && run.elo < from + 200.0).collect();
        if kept.len() < 50 {
            continue;
        }
        let [_, found] = WIDTHS.map(|width| within(&kept, width) as f64);
        let interval = binomial(found, kept.len() as f64);
        let is_tested = kept.len() >= 100;
        assert!(!is_tested || (interval[0]..=interval[1]).contains(&0.95), "{from}: {interval:?}");
        rows.push(vec![
            format!("{from} to {}", from + 199.0),
            kept.len().to_string(),
            signed(mean(&kept, |run| run.errors[0])),
            rounded(rms(&kept.iter().map(|run| run.errors[0]).collect::<Vec<_>>())),
            percent(found / kept.len() as f64),
            format!("{} to {}", percent(interval[0]), percent(interval[1])),
        ]);
    }
    check_table("calibration-tests.md", "lichess's analysis by rating", &rows);

    // Fewer moves or games would give an interval that is wider than the spread of all players.
    let game =
        sample.plays.iter().map(|play| play.all().moves()).sum::<u64>() as f64 / sample.plays.len() as f64;
    let margin = |moves: f64| (shipped.model.tau.powi(2) + shipped.model.s.powi(2) / moves).sqrt();
    assert!(margin(RatingRefusal::LEAST_MOVES as f64) < 1.1 * shipped.model.prior_sd);
    assert!(margin((RatingRefusal::LEAST_GAMES - 1) as f64 * game) > 1.1 * shipped.model.prior_sd);
}

fn evaluated(name: &str) -> Vec<EvaluatedGame> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lichess").join(name);
    let text = zstd::decode_all(fs::read(path).expect("games").as_slice()).expect("zstd");
    let games = parse_games(&String::from_utf8(text).expect("utf-8"), name).into_iter();
    let evaluated = games.map(|game| {
        let game = game.expect("a game");
        let evaluations = recorded_evaluations(&game, None).expect("evaluations");
        EvaluatedGame::new(game, evaluations)
    });
    evaluated.collect()
}

/// Returns the number of counted moves of each game, and their losses in centipawns.
fn losses(games: &[EvaluatedGame]) -> Vec<[f64; 2]> {
    let of = |game: &EvaluatedGame| {
        let sample = MoveSample::of(std::slice::from_ref(game));
        let play = GamePlay::of_moves(&sample.moves, CountedMoves::Undecided);
        let moves = play.moves() as f64;
        [moves, moves * play.mean(Statistic::EvaluationLoss).unwrap_or_default()]
    };
    games.iter().map(of).collect()
}

#[test]
fn games_of_two_years_lose_the_same_by_lichess_and_by_one_stockfish_on_one_scale() {
    // Games of lichess's database of October 2021 and May 2025 that lichess has analyzed, and their evaluations by
    // Stockfish 15.1 at depth 10.
    let [old, new] = ["october-2021", "may-2025"].map(|name| {
        let games = evaluated(&format!("{name}.pgn.zst"));
        let scale = CentipawnScale::of(&games).expect("a known scale");
        let rescaled: Vec<EvaluatedGame> = games.iter().map(|game| scale.rescale(game.clone())).collect();
        let by_stockfish = losses(&evaluated(&format!("{name}-by-stockfish.pgn.zst")));
        let ratio = |games: &[EvaluatedGame]| {
            let by_lichess = losses(games);
            let sum = |all: &[[f64; 2]], at: usize| all.iter().map(|game| game[at]).sum::<f64>();
            let mean = |all| sum(all, 1) / sum(all, 0);
            // The influence of a game on the logarithm of the ratio.
            let share =
                |all: &[[f64; 2]], game: usize| all[game][1] / sum(all, 1) - all[game][0] / sum(all, 0);
            let influence = |game: usize| share(&by_lichess, game) - share(&by_stockfish, game);
            let squares: f64 = (0..by_lichess.len()).map(|game| influence(game).powi(2)).sum();
            let ratio = mean(&by_lichess) / mean(&by_stockfish);
            (ratio, ratio * squares.sqrt())
        };
        (rescaled[0].factor(), ratio(&games), ratio(&rescaled))
    });
    assert!((0.55..0.7).contains(&old.0) && (0.9..1.1).contains(&new.0), "{old:?}, {new:?}");
    let apart = |one: (f64, f64), other: (f64, f64)| (one.0 - other.0).abs() / one.1.hypot(other.1);
    assert!(apart(old.2, new.2) < 2.0, "{old:?}, {new:?}");
    assert!(apart(old.1, new.1) > 4.0, "without a common scale: {old:?}, {new:?}");
    // lichess searches deeper than depth 10 and finds smaller losses.
    assert!((0.85..1.05).contains(&old.2.0) && (0.85..1.05).contains(&new.2.0), "{old:?}, {new:?}");
}
