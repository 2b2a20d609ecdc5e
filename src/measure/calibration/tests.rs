//! Tests of whole calibrations: those that are shipped, from the sums that they were made from, and of simulated players.

use std::{fs, path::Path};

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use shakmaty::Color;
use statrs::distribution::{ContinuousCDF, Normal};

use super::{
    fitting::Fitting, model::FittedStatistic, sample::CalibrationPlay, sample::digest, trials::Trial,
    within::others, *,
};
use crate::chess::{Game, Limit, Order, pgn::parse_games, seal::Seal};
use crate::engine::{Behaviour, EngineChoice, EngineCommand, Setup, work::event_loop};
use crate::measure::tournament::statistics::{Sign, Statistic};
use crate::numbers::{stats::bootstrap::below, stats::correlation::pearson};

/// Returns the sums that a shipped calibration was made from.
fn sums(name: &str) -> CalibrationData {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/calibration").join(name);
    let packed = fs::read(path).expect("sums that are part of the project");
    let text = String::from_utf8(zstd::decode_all(packed.as_slice()).expect("zstd")).expect("utf-8");
    CalibrationData::parse(&text).expect("sums")
}

const STOCKFISH: &str = "sums-stockfish-15.1-depth-10.csv.zst";

/// Returns how a calibration was made.
fn design_of(calibration: &Calibration) -> CalibrationDesign {
    CalibrationDesign {
        scale: calibration.scale,
        statistics: calibration.model.statistics.iter().map(|fitted| fitted.name).collect(),
        direction: calibration.direction,
        block: calibration.block,
        drift_from: calibration.model.drift.as_ref().map(|drift| drift.from),
    }
}

fn stockfish() -> Calibration {
    let shipped = Calibration::shipped();
    shipped
        .into_iter()
        .find(|one| one.engine.name == "Stockfish 15.1")
        .expect("a calibration of Stockfish 15.1")
}

#[test]
fn shipped_calibrations_follow_from_their_sums_to_the_digit() {
    let shipped = Calibration::shipped();
    for (shipped, name) in shipped.iter().zip(shipped_names()) {
        let data = sums(&format!("sums-{name}.csv.zst"));
        assert_eq!(Calibration::shipped_as(name).as_ref(), Some(shipped));
        let made = design_of(shipped).calibrate(&data.sample, data.engine, data.protocol);
        assert_eq!(made.expect("a calibration").to_json(), shipped.to_json(), "{name}");
        let events = if shipped.scale.is_over_the_board() { 52 } else { 5 };
        let is_whole = |tried: &Validation| tried.lengths.len() == 5 && tried.events.len() == events;
        assert!(shipped.validation.iter().all(is_whole), "{name}");
    }
}

#[test]
fn the_usual_depth_of_an_engine_is_one_that_it_is_calibrated_at() {
    use crate::engine::EngineChoice;
    let depth_of =
        |name: &str| Calibration::shipped_as(name).expect("a calibration of the program").protocol.limit;
    let program = EngineChoice::named(std::ffi::OsStr::new("/usr/games/stockfish"));
    assert_eq!(depth_of("stockfish-15.1-depth-10"), program.usual_limit());
    assert_eq!(depth_of("builtin-depth-8"), EngineChoice::Builtin { is_named: true }.usual_limit());
}

#[test]
fn the_events_within_the_program_are_those_of_every_shipped_calibration_over_the_board() {
    let events: Vec<(&str, Vec<Game>)> = shipped_events().collect();
    let games = || events.iter().flat_map(|(_, games)| games);
    assert_eq!(games().count(), 4049);
    assert_eq!(games().map(|game| game.moves.len() + 1).sum::<usize>(), 343_981);
    let digests: Vec<(&str, String)> =
        events.iter().map(|(name, games)| (*name, digest(games.iter()))).collect();
    for calibration in Calibration::shipped().into_iter().filter(|one| one.scale.is_over_the_board()) {
        let told = calibration.events.iter().map(|event| (event.name.as_str(), event.digest.clone()));
        assert_eq!(told.collect::<Vec<_>>(), digests, "{}", calibration.kind());
    }
}

#[test]
fn games_are_rated_on_the_scale_of_most_of_them() {
    let scales = |tags: &[(&str, &str)]| -> Vec<RatingScale> {
        let game = |(site, control): &(&str, &str)| {
            let text = format!("[Site \"{site}\"]\n[TimeControl \"{control}\"]\n\n1. e4 *\n");
            parse_games(&text, "test").remove(0).expect("a game")
        };
        let games: Vec<Game> = tags.iter().map(game).collect();
        let chosen = Calibration::for_games(Calibration::shipped(), games.iter());
        let kinds: BTreeSet<String> = chosen.iter().map(Calibration::kind).collect();
        assert_eq!(kinds.len(), chosen.len(), "one of each kind");
        let mut scales: Vec<RatingScale> = chosen.iter().map(|calibration| calibration.scale).collect();
        scales.dedup();
        scales
    };
    let (rapid, blitz) =
        (("https://lichess.org/abcdefgh", "600+0"), ("https://lichess.org/abcdefgh", "180+0"));
    let (board, elsewhere) = (("Wijk aan Zee", ""), ("Chess.com", "600"));
    let both = [RatingScale::LichessRapid, RatingScale::Fide2024];
    assert_eq!(scales(&[rapid, rapid, board]), both);
    assert_eq!(scales(&[rapid, board, board]), both[1..]);
    assert_eq!(scales(&[]), both[1..]);
    // The built-in engine has no scale of blitz, and Stockfish to depth 8 none of lichess.
    let of_blitz = [RatingScale::LichessBlitz, RatingScale::LichessRapid, RatingScale::Fide2024];
    assert_eq!(scales(&[blitz, blitz]), of_blitz);
    assert_eq!(scales(&[blitz, blitz, rapid]), of_blitz);
    // Another server has no scale: the nearest is lichess's of that speed, and that of rapid where the speed has none.
    assert_eq!(scales(&[elsewhere, elsewhere]), both);
    assert_eq!(scales(&[("Chess.com", "180"), ("Chess.com", "180")]), of_blitz);
    assert_eq!(scales(&[("https://lichess.org/abcdefgh", "1800+20")]), both);
    let named = vec![stockfish()];
    assert_eq!(Calibration::for_games(named.clone(), std::iter::empty()), named);
}

#[test]
fn the_engine_within_behaves_as_it_was_calibrated() {
    // Where this fails, its search or its evaluation has changed: docs/calibration.md has the command that makes its file.
    let choice = EngineChoice::Builtin { is_named: true };
    let command = EngineCommand::new(&choice, &Setup::default()).expect("a command");
    let work = async {
        let mut engine = command.start().await.expect("the engine");
        let behaviour = Behaviour::of(&mut engine).await.expect("a search");
        (engine.identity().clone(), behaviour.digest)
    };
    let (identity, digest) = event_loop().expect("an event loop").block_on(work);
    let fits = |one: &Calibration| one.check(&digest, identity.options.values(), &one.protocol).is_ok();
    assert!(Calibration::shipped().iter().any(fits), "{digest}");
}

#[test]
fn sums_are_read_as_they_are_written() {
    let data = sums(STOCKFISH);
    let written = data.to_csv().expect("memory");
    assert_eq!(CalibrationData::parse(&written).expect("sums"), data);
    let told = |text: &str| {
        crate::chess::text::with_causes(&CalibrationData::parse(text).expect_err("no sums of a calibration"))
    };
    let row = written.find("\nbucharest").expect("an event") + 1;
    let digit = row + written[row..].find(",opening,").expect("a phase") + ",opening,".len();
    for at in [digit, written.find("\"games\":").expect("a number of games") + 8] {
        let other = if written[at..].starts_with('5') { "6" } else { "5" };
        let edited = [&written[..at], other, &written[at + 1..]].concat();
        assert!(told(&edited).starts_with("it has changed since gainalyze wrote it"), "{}", told(&edited));
    }
    let end = written.rfind("# digest").expect("a digest");
    assert!(told(&written[..end]).starts_with("it has no digest"), "{}", told(&written[..end]));
}

#[test]
fn a_game_of_two_events_is_found_by_its_sums() {
    let mut sample = sums(STOCKFISH).sample;
    assert_eq!(sample.repeated(), None);
    let of_first = |play: &&CalibrationPlay| play.event == 0 && play.game < 2;
    let copies: Vec<CalibrationPlay> = sample.plays.iter().filter(of_first).cloned().collect();
    let event = sample.events.len() as u32;
    sample.events.push(CalibrationEvent { name: "again".to_owned(), ..sample.events[0].clone() });
    sample.plays.extend(copies.into_iter().map(|play| CalibrationPlay {
        event,
        game: play.game + 5,
        ..play
    }));
    assert_eq!(sample.repeated(), Some([(sample.events[0].name.as_str(), 1), ("again", 6)]));
}

#[test]
fn ratings_rise_with_first_choices_and_fall_with_losses() {
    let calibration = stockfish();
    let elo = |first: f64, loss: f64| {
        let play = GamePlay::from_sums(1, [first, 2.0, loss, 0.0, 0.0]);
        calibration.model.elo(&play, &[play]).expect("a move")
    };
    for first in 20..80 {
        for loss in 5..80 {
            let (first, loss) = (f64::from(first), f64::from(loss));
            assert!(elo(first + 1.0, loss) > elo(first, loss) && elo(first, loss + 1.0) < elo(first, loss));
        }
    }
}

#[test]
fn first_choices_rise_with_the_rating_as_regan_found() {
    // K. W. Regan, "Intrinsic Ratings Compendium", 2012: agreement of 42.9 % at 1600 and of 56.3 % at 2700, with Rybka 3:
    // 1.22 points for 100 Elo.
    let calibration = stockfish();
    let first = |elo: f64| calibration.expected(elo, 1000, None).expect("a rating within the range")[0].mean;
    let slope = (first(2700.0) - first(1600.0)) / 11.0;
    assert!((slope - 1.22).abs() < 0.25, "{slope}");
}

#[test]
fn odd_and_even_games_of_a_player_agree_within_their_interval() {
    let (calibration, data) = (stockfish(), sums(STOCKFISH));
    let mut players: BTreeMap<(u32, &str), Vec<GamePlay>> = BTreeMap::new();
    for play in &data.sample.plays {
        players.entry((play.event, &play.player)).or_default().push(play.all());
    }
    let (mut pairs, mut agree) = (0, 0);
    for games in players.values() {
        let half = |odd: usize| games.iter().skip(odd).step_by(2).copied().collect::<Vec<_>>();
        let [one, other] = [half(0), half(1)].map(|games| calibration.rate(&games));
        if [&one, &other].iter().any(|half| half.moves < RatingRefusal::LEAST_MOVES || half.games < 3) {
            continue;
        }
        let [one, other] = [one, other].map(|half| half.outright.expect("moves"));
        // Event and tag are the same for both.
        let shared = 2.0 * calibration.model.tau.powi(2);
        let variance: f64 = [one, other]
            .iter()
            .map(|half| half.interval.expect("an interval").standard_error.powi(2))
            .sum::<f64>()
            - shared;
        pairs += 1;
        agree += usize::from((one.value - other.value).abs() <= 1.96 * variance.sqrt());
    }
    let share = agree as f64 / f64::from(pairs);
    assert!(pairs > 150 && (0.93..=0.98).contains(&share), "{agree} of {pairs}");
}

/// Returns what a shipped calibration predicts of the blocks of each event by all other events.
fn trials_of(name: &str) -> Vec<Trial> {
    trials_in(name, Direction::default())
}

/// Returns the same of a calibration in another direction.
fn trials_in(name: &str, direction: Direction) -> Vec<Trial> {
    let (shipped, data) =
        (Calibration::shipped_as(name).expect("a calibration"), sums(&format!("sums-{name}.csv.zst")));
    let design = CalibrationDesign { direction, ..design_of(&shipped) };
    let fitting = Fitting::of(&design, &data.sample, None);
    fitting.trials(fitting.variance().expect("errors")).expect("trials")
}

/// Two predictions of one block, and that of both with `weight` for the first one.
struct Together<'a> {
    both: [&'a Trial; 2],
    weight: f64,
    /// The correlation of the errors of both in the other events.
    correlation: f64,
}

impl Together<'_> {
    fn weights(&self) -> [f64; 2] {
        [self.weight, 1.0 - self.weight]
    }

    fn error(&self) -> f64 {
        self.both
            .iter()
            .zip(self.weights())
            .map(|(trial, weight)| weight * (trial.predicted - trial.elo))
            .sum()
    }

    fn is_covered(&self) -> bool {
        let [a, b] = [0, 1].map(|one| self.weights()[one] * self.both[one].error);
        self.error().abs() <= 1.959_964 * (a * a + b * b + 2.0 * self.correlation * a * b).sqrt()
    }
}

/// Returns the pairs of predictions with the weight that is given, or with the best one of the other events.
fn together<'a>(pairs: &'a [[Trial; 2]], weight: Option<f64>) -> Vec<Together<'a>> {
    let of = |both: &'a [Trial; 2]| {
        let others = pairs.iter().filter(|other| other[0].event != both[0].event);
        let (mut along, mut apart, mut product, mut count) = (0.0, 0.0, 0.0, 0.0);
        for other in others {
            let [a, b] = other.map(|trial| trial.predicted - trial.elo);
            (along, apart) = (along + b * (b - a), apart + (a - b).powi(2));
            (product, count) = (product + a / other[0].error * b / other[1].error, count + 1.0);
        }
        let weight = weight.unwrap_or((along / apart).clamp(0.0, 1.0));
        Together { both: both.each_ref(), weight, correlation: product / count }
    };
    pairs.iter().map(of).collect()
}

#[test]
fn two_engines_together_rate_as_the_documentation_has_it() {
    let [one, other] = ["stockfish-15.1-depth-10", "builtin-depth-8"].map(trials_of);
    let pairs: Vec<[Trial; 2]> = one.into_iter().zip(other).map(|(one, other)| [one, other]).collect();
    let is_one_block =
        |[a, b]: &[Trial; 2]| (a.event, a.length, a.moves, a.elo) == (b.event, b.length, b.moves, b.elo);
    assert!(pairs.iter().all(is_one_block), "the same blocks by both");
    let row = |length| {
        let of_length = pairs.iter().filter(|pair| pair[0].length == Some(length));
        row_of_both(&of_length.copied().collect::<Vec<_>>())
    };
    let table: String = [144, 271, 526, 1015].map(row).concat();
    assert!(include_str!("../../../docs/calibration.md").contains(&table), "{table}");
}

/// Returns errors and coverage of one, of the other, of their mean and of their best mean, as the documentation has them.
fn row_of_both(pairs: &[[Trial; 2]]) -> String {
    let n = pairs.len() as f64;
    let columns = [Some(1.0), Some(0.0), Some(0.5), None].map(|weight| {
        let found = together(pairs, weight);
        let error = (found.iter().map(|one| one.error().powi(2)).sum::<f64>() / n).sqrt();
        let covered = found.iter().filter(|one| one.is_covered()).count() as f64;
        (error, 100.0 * covered / n, found.iter().map(|one| one.weight).sum::<f64>() / n)
    });
    let [first, second, equal, best] =
        columns.map(|(error, covered, _)| format!("{error:.0} | {covered:.1}"));
    let moves = pairs.iter().map(|pair| pair[0].moves as f64).sum::<f64>() / n;
    let (weight, gain) = (columns[3].2, 100.0 * (1.0 - columns[3].0 / columns[0].0));
    format!("| {moves:.0} | {first} | {second} | {equal} | {best} | {weight:.2} | {gain:.1} |\n")
}

#[test]
fn errors_of_ten_games_are_those_that_the_documentation_compares_with_others() {
    let scales = [
        ("over the board", "stockfish-15.1-depth-10"),
        ("`lichess-rapid`", "stockfish-15.1-depth-10-lichess-rapid"),
        ("`lichess-blitz`", "stockfish-15.1-depth-10-lichess-blitz"),
    ];
    let row = |(scale, name)| {
        let [classical, regression] = [Direction::Classical, Direction::Regression].map(|direction| {
            let trials = trials_in(name, direction).into_iter().filter(|trial| trial.length == Some(271));
            trials.collect::<Vec<Trial>>()
        });
        let n = classical.len() as f64;
        let mean = |trials: &[Trial], of: &dyn Fn(&Trial) -> f64| trials.iter().map(of).sum::<f64>() / n;
        let error = |trial: &Trial| trial.predicted - trial.elo;
        let elo = mean(&classical, &|trial| trial.elo);
        let told = 1.0
            - mean(&regression, &|trial| error(trial).powi(2))
                / mean(&regression, &|trial| (trial.elo - elo).powi(2));
        // An interval of 80 % is ± 1.2816 standard errors.
        let covered = mean(&classical, &|trial| f64::from(error(trial).abs() <= 1.281_552 * trial.error));
        format!(
            "| {scale} | {n} | {:.0} | {:.0} | {:.0} | {told:.2} | {:.1} |\n",
            mean(&classical, &|trial| trial.moves as f64),
            mean(&classical, &|trial| error(trial).abs()),
            mean(&regression, &|trial| error(trial).abs()),
            100.0 * covered
        )
    };
    let table: String = scales.map(row).concat();
    assert!(include_str!("../../../docs/calibration.md").contains(&table), "{table}");
}

#[test]
fn errors_on_the_scales_of_lichess_are_those_of_the_documentation() {
    let docs = include_str!("../../../docs/calibration.md");
    for shipped in Calibration::shipped().iter().filter(|one| !one.scale.is_over_the_board()) {
        let tried = shipped.validation.iter().find(|tried| tried.direction == shipped.direction);
        for row in &tried.expect("a trial of the direction in force").lengths[1..4] {
            let bias = if row.bias < -0.5 {
                "−"
            } else if row.bias < 0.5 {
                ""
            } else {
                "+"
            };
            let told = format!(
                "| `{}` | {} | {:.0} | {} | {:.0} | {:.0} | {bias}{:.0} | {:.1} | {:.0} |\n",
                shipped.scale,
                shipped.engine.name.replace("gainalyze engine 0.1.0", "built-in"),
                row.moves,
                row.blocks,
                row.rmse,
                row.mae,
                row.bias.abs(),
                100.0 * row.coverage,
                row.shrunken_rmse
            );
            // Thousands have a comma there.
            assert!(docs.replace(',', "").contains(&told), "{told}");
        }
    }
}

#[test]
fn single_players_of_lichess_are_within_their_intervals_as_the_documentation_has_it() {
    let name = "stockfish-15.1-depth-10-lichess-rapid";
    let calibration = Calibration::shipped_as(name).expect("a calibration");
    let players = sums(&format!("sums-{name}.csv.zst")).sample.players(calibration.scale);
    let rated = players.iter().flatten().map(|(rating, games)| (rating, calibration.rate(games)));
    let long: Vec<(&f64, RatingOfPlay)> = rated.filter(|(_, found)| !found.is_too_short()).collect();
    let is_within = |(rating, found): &&(&f64, RatingOfPlay)| {
        let around = found.outright.and_then(|outright| outright.interval).expect("an interval");
        (around.low..=around.high).contains(*rating)
    };
    let moves = long.iter().map(|(_, found)| found.moves).sum::<u64>() as f64 / long.len() as f64;
    let told =
        format!("{} of {} players with {moves:.0} moves", long.iter().filter(is_within).count(), long.len());
    assert!(include_str!("../../../docs/calibration.md").contains(&told), "{told}");
}

#[test]
fn shuffled_ratings_tell_nothing_and_intervals_are_as_wide_as_what_is_known_before() {
    let mut data = sums(STOCKFISH);
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let plays = &mut data.sample.plays;
    for last in (1..plays.len()).rev() {
        let other = below(&mut random, last + 1);
        let (a, b) = ((plays[last].elo, plays[last].date), (plays[other].elo, plays[other].date));
        (plays[last].elo, plays[last].date) = b;
        (plays[other].elo, plays[other].date) = a;
    }
    let design = CalibrationDesign { direction: Direction::Regression, ..CalibrationDesign::default() };
    let fitting = Fitting::of(&design, &data.sample, None);
    let trials = fitting.trials(fitting.variance().expect("errors")).expect("trials");
    let of_500 = trials.iter().filter(|trial| trial.length == Some(Validation::BAND_LENGTH));
    let (real, found): (Vec<f64>, Vec<f64>) = of_500.map(|trial| (trial.elo, trial.predicted)).unzip();
    let r = pearson(&real, &found).expect("they vary");
    assert!(r.abs() < 0.15, "{r}");
    let model = fitting.model().expect("a model");
    let error = (model.tau.powi(2) + model.s.powi(2) / 500.0).sqrt();
    assert!((error / model.prior_sd - 1.0).abs() < 0.1, "{error} and {}", model.prior_sd);
}

/// Draws numbers.
struct Random(ChaCha8Rng);

impl Random {
    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        Normal::standard().inverse_cdf(self.uniform().clamp(1e-12, 1.0 - 1e-12))
    }

    /// Draws a game of 40 moves of a player of that strength: each move the first choice or not, each with a loss, in a
    /// game that may go better or worse.
    fn game(&mut self, strength: f64) -> GamePlay {
        let u = (strength - 2000.0) / 400.0;
        let (form, chance) = (self.normal(), 0.46 + 0.05 * u);
        let first = (0..40).filter(|_| self.uniform() < chance + 0.04 * form).count() as f64;
        let mean = (3.5 - 0.25 * u - 0.3 * form).exp();
        // Losses of moves are far from normal: an exponential distribution.
        let loss: f64 = (0..40).map(|_| -mean * (1.0 - self.uniform()).ln()).sum();
        GamePlay::from_sums(40, [100.0 * first, loss / 10.0, loss, 0.0, 0.0])
    }
}

fn play(event: u32, game: u32, elo: f64, sums: GamePlay) -> CalibrationPlay {
    CalibrationPlay {
        event,
        game,
        color: Color::White,
        player: format!("player {game}"),
        elo: elo.round() as u32,
        date: "2025".parse().ok(),
        accuracy: None,
        phases: [GamePlay::default(), sums, GamePlay::default()],
    }
}

/// Strength added to all players of an event, in Elo points.
const OF_EVENT: f64 = 90.0;

/// Returns events of the years 1996 to 2025, whose players play as those of `drift` Elo points more did a year earlier, from 2019 on.
fn simulated(random: &mut Random, drift: f64) -> CalibrationSample {
    let mut sample = CalibrationSample::default();
    for event in 0..60 {
        let year = 1996 + u16::try_from(event / 2).expect("a few years");
        let later = drift * f64::from(year.saturating_sub(2019));
        let (level, shift) = (1400.0 + 1400.0 * random.uniform(), OF_EVENT * random.normal());
        for game in 0..60 {
            let elo = level + 200.0 * (random.uniform() - 0.5);
            let sums = random.game(elo + shift + later).in_year(Some(year));
            sample.plays.push(play(event, game, elo, sums));
        }
        let name = format!("event {event}");
        sample.events.push(CalibrationEvent { name, games: 60, moves: 2400, digest: String::new() });
    }
    sample
}

fn simulated_engine() -> (CalibratedEngine, Protocol) {
    let name = "Simulated".to_owned();
    let engine = CalibratedEngine { name, behaviour: String::new(), options: BTreeMap::new() };
    (engine, Protocol::new(Limit::Depth(8), Order::Forward, Protocol::SEGMENT))
}

#[test]
fn a_simulated_drift_is_found_within_its_interval_in_every_direction() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(12));
    let (engine, protocol) = simulated_engine();
    for drift in [0.0, 60.0] {
        let sample = simulated(&mut random, drift);
        for direction in Direction::ALL {
            // Short games of simulated players scatter much: longer blocks leave the corrected direction something to correct.
            let design = CalibrationDesign { direction, block: 1200, ..CalibrationDesign::default() };
            let made = design.calibrate(&sample, engine.clone(), protocol).expect("a calibration");
            let found = made.model.drift.expect("events of early and late years");
            let error = found.standard_error;
            assert!((found.coefficient + drift).abs() < 1.96 * error, "{direction}: {drift}, {found:?}");
            assert!((2.0..20.0).contains(&error) && found.years == [1996, 2025], "{found:?}");
            // Where play gets better, first choices rise and losses fall with the year.
            let [first, loss] = [0, 1].map(|at| made.model.slopes[at].year.expect("a slope"));
            assert!(drift == 0.0 || first > 0.0 && loss < 0.0, "{:?}", made.model.slopes);
        }
    }
}

#[test]
fn a_game_without_a_date_is_rated_as_in_the_mean_year_and_less_surely() {
    let model = stockfish().model;
    let drift = model.drift.clone().expect("a drift");
    let game = |year: Option<u16>| GamePlay::from_sums(60, [3000.0, 90.0, 1200.0, 0.0, 0.0]).in_year(year);
    let rated = |year| model.rate(&[game(year); 8]);
    let value = |rated: &RatingOfPlay| rated.outright.expect("moves").value;
    let variance = |rated: &RatingOfPlay| {
        rated.outright.expect("moves").interval.expect("an interval").standard_error.powi(2)
    };
    let (old, new, unknown) = (rated(Some(2013)), rated(Some(drift.from + 4)), rated(None));
    assert!((value(&new) - value(&old) - 4.0 * drift.coefficient).abs() < 1e-9);
    assert!((value(&unknown) - value(&old) - drift.mean * drift.coefficient).abs() < 1e-9);
    let unsure = (drift.sd * drift.coefficient).powi(2) + (drift.mean * drift.standard_error).powi(2);
    assert!((variance(&unknown) - variance(&old) - unsure).abs() < 1e-6);
    assert_eq!([old.undated, new.undated, unknown.undated], [0, 0, 480]);
}

/// Returns the root mean square error of whole events, each left out.
fn error_of_events(design: &CalibrationDesign, sample: &CalibrationSample) -> f64 {
    let fitting = Fitting::of(design, sample, None);
    let trials = fitting.trials(fitting.variance().expect("errors")).expect("trials");
    let errors: Vec<f64> = trials
        .iter()
        .filter(|trial| trial.length.is_none())
        .map(|trial| (trial.predicted - trial.elo).powi(2))
        .collect();
    (errors.iter().sum::<f64>() / errors.len() as f64).sqrt()
}

/// The mean of predicted − real over whole events of some years, by a calibration of all other years.
fn bias_of_era(
    sample: &CalibrationSample,
    years: std::ops::Range<u16>,
    drift_from: Option<u16>,
) -> (usize, f64) {
    let is_in = |play: &CalibrationPlay| play.date.is_some_and(|date| years.contains(&date.year()));
    let design = CalibrationDesign { drift_from, ..CalibrationDesign::default() };
    let mut others = sample.clone();
    others.plays.retain(|play| !is_in(play));
    let model = Fitting::of(&design, &others, None).model().expect("a model");
    let mut era = sample.clone();
    era.plays.retain(is_in);
    let errors: Vec<f64> = era
        .players(design.scale)
        .iter()
        .filter(|players| !players.is_empty())
        .map(|players| {
            let games: Vec<GamePlay> = players.iter().flat_map(|(_, games)| games.iter().copied()).collect();
            let moves = |games: &[GamePlay]| games.iter().map(GamePlay::moves).sum::<u64>() as f64;
            let rating =
                players.iter().map(|(rating, games)| rating * moves(games)).sum::<f64>() / moves(&games);
            model.elo(&games.iter().sum(), &games).expect("moves") - rating
        })
        .collect();
    (errors.len(), errors.iter().sum::<f64>() / errors.len() as f64)
}

#[test]
fn each_era_is_rated_by_the_others_as_the_documents_say() {
    // docs/calibration.md has these numbers. Without the years from 2020 on nothing tells a drift.
    let expected = [
        (1900..2000, 4, [-117, 37, -88]),
        (2000..2010, 9, [-77, 4, -44]),
        (2010..2015, 19, [-104, -82, -35]),
        (2015..2020, 10, [20, -29, 59]),
        (2020..2100, 10, [147, 90, 147]),
    ];
    let sample = sums(STOCKFISH).sample;
    for (years, events, biases) in expected {
        let found = [None, Some(0), Some(2019)].map(|from| bias_of_era(&sample, years.clone(), from));
        assert_eq!(found.map(|(events, _)| events), [events; 3]);
        assert_eq!(found.map(|(_, bias)| bias.round() as i32), biases, "{years:?}");
    }
}

#[test]
fn years_shuffled_among_events_tell_nothing() {
    let data = sums(STOCKFISH);
    let without = CalibrationDesign { drift_from: None, ..CalibrationDesign::default() };
    let with = CalibrationDesign::default();
    let plain = error_of_events(&without, &data.sample);
    let real = error_of_events(&with, &data.sample);
    assert!(real < 0.95 * plain, "{real} and {plain}");
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut shuffled = Vec::new();
    for _ in 0..10 {
        let mut years: Vec<Option<u16>> = (0..data.sample.events.len() as u32)
            .map(|event| {
                let play = data.sample.plays.iter().find(|play| play.event == event);
                play.and_then(|play| Some(play.date?.year()))
            })
            .collect();
        for last in (1..years.len()).rev() {
            years.swap(last, below(&mut random, last + 1));
        }
        let mut sample = data.sample.clone();
        for play in &mut sample.plays {
            let year = years[play.event as usize];
            play.phases = play.phases.map(|phase| phase.in_year(year));
        }
        shuffled.push(error_of_events(&with, &sample));
    }
    let mean = shuffled.iter().sum::<f64>() / shuffled.len() as f64;
    assert!(mean > 0.99 * plain, "{shuffled:?} and {plain}");
}

/// The errors of three numbers as a player's rating, in turn: own play, the mean of the others' ratings, and the rating given the
/// field; and whether the interval of the last holds it.
struct Missed {
    moves: u64,
    spread: f64,
    by: [f64; 3],
    is_covered: bool,
    /// Better or worse than the others by more than 1.96 standard errors beyond the rating.
    is_alarm: bool,
}

/// Rates each player of the sums' events by the others.
fn in_fields(calibration: &Calibration, sample: &CalibrationSample) -> Vec<Missed> {
    let fit = calibration.within.as_ref().expect("players of events");
    let mut missed = Vec::new();
    for players in sample.players(calibration.scale) {
        for (place, (rating, games)) in players.iter().enumerate() {
            let moves = games.iter().map(GamePlay::moves).sum::<u64>();
            let Some(found) = fit.seen_from(&calibration.model, games, others(&players, place)) else {
                continue;
            };
            if moves < 170 {
                continue;
            }
            let theirs: Vec<f64> = others(&players, place).map(|other| other.rating).collect();
            let mean = theirs.iter().sum::<f64>() / theirs.len() as f64;
            let spread = theirs.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / theirs.len() as f64;
            let own = calibration.rate(games).outright.expect("moves").value;
            let around = found.rating.interval.expect("an interval");
            missed.push(Missed {
                moves,
                spread: spread.sqrt(),
                by: [own - rating, mean - rating, found.rating.value - rating],
                is_covered: (around.low..=around.high).contains(rating),
                is_alarm: (found.mean + found.above - rating).abs() > 1.96 * found.standard_error,
            });
        }
    }
    missed
}

#[test]
fn a_rating_given_the_field_misses_less_than_play_or_the_field_alone() {
    let (calibration, data) = (stockfish(), sums(STOCKFISH));
    let all = in_fields(&calibration, &data.sample);
    let rms = |of: &dyn Fn(&Missed) -> bool| -> [f64; 3] {
        let kept: Vec<&Missed> = all.iter().filter(|one| of(one)).collect();
        [0, 1, 2]
            .map(|at| (kept.iter().map(|one| one.by[at].powi(2)).sum::<f64>() / kept.len() as f64).sqrt())
    };
    let share =
        |of: &dyn Fn(&Missed) -> bool| all.iter().filter(|one| of(one)).count() as f64 / all.len() as f64;
    // docs/calibration.md has these numbers: by moves, and by the standard deviation of the others' ratings.
    let moves = |low: u64, high: u64| rms(&move |one: &Missed| (low..high).contains(&one.moves));
    let spread = |low: f64, high: f64| rms(&move |one: &Missed| (low..high).contains(&one.spread));
    let found =
        [moves(170, 300), moves(300, 550), spread(0.0, 80.0), spread(80.0, 140.0), spread(140.0, 1e3)];
    let expected = [[231, 110, 96], [195, 92, 79], [204, 72, 65], [230, 107, 96], [204, 143, 115]];
    assert_eq!(found.map(|row| row.map(|error| error.round() as i32)), expected);
    let [play, mean, both] = rms(&|_| true);
    assert!(all.len() > 400 && both < 0.95 * mean && mean < play, "{play}, {mean}, {both}");
    let covered = share(&|one| one.is_covered);
    assert!((0.92..0.98).contains(&covered), "{covered}");
    let alarms = share(&|one| one.is_alarm);
    assert!((0.02..0.08).contains(&alarms), "{alarms}");
}

#[test]
fn a_players_own_rating_has_no_part_in_the_rating_given_the_field() {
    let (calibration, data) = (stockfish(), sums(STOCKFISH));
    let fit = calibration.within.as_ref().expect("players of events");
    let mut players = data.sample.players(calibration.scale).remove(0);
    let given = |players: &[(f64, Vec<GamePlay>)], place: usize| {
        fit.seen_from(&calibration.model, &players[place].1, others(players, place)).expect("a field")
    };
    let (own, other) = (given(&players, 0), given(&players, 1));
    players[0].0 += 400.0;
    assert_eq!(given(&players, 0), own);
    assert!(given(&players, 1).mean > other.mean + 5.0, "the others' ratings count");
    assert_eq!(
        fit.seen_from(&calibration.model, &players[0].1, others(&players[..4], 0)),
        None,
        "three others"
    );
}

#[test]
fn intervals_cover_simulated_players_of_known_strength() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(2));
    let (engine, protocol) = simulated_engine();
    let made = CalibrationDesign::default()
        .calibrate(&simulated(&mut random, 0.0), engine, protocol)
        .expect("a calibration");
    let mut covered = 0;
    const PLAYERS: u32 = 1000;
    for _ in 0..PLAYERS {
        let (elo, shift) = (1400.0 + 1400.0 * random.uniform(), OF_EVENT * random.normal());
        let games: Vec<GamePlay> = (0..15).map(|_| random.game(elo + shift)).collect();
        let around = made.rate(&games).outright.expect("moves").interval.expect("an interval");
        covered += u32::from((around.low..=around.high).contains(&elo));
    }
    let share = f64::from(covered) / f64::from(PLAYERS);
    assert!((share - 0.95).abs() <= 0.02, "{share}");
    assert!((made.model.tau / OF_EVENT - 1.0).abs() < 0.25, "{}", made.model.tau);
}

#[test]
fn a_direction_without_a_relation_is_left_out_beside_the_chosen_one_and_refused_as_the_chosen_one() {
    // Every player has a good game and a bad one: the scatter of games is larger than all that blocks differ by, and the corrected
    // direction takes the statistics for noise.
    let mut random = Random(ChaCha8Rng::seed_from_u64(7));
    let mut sample = CalibrationSample::default();
    for event in 0..20u32 {
        let shift = OF_EVENT * random.normal();
        for game in 0..60u32 {
            let elo = f64::from(1400 + 70 * event + 5 * (game / 2));
            let (u, better) = ((elo + shift - 2000.0) / 400.0, if game % 2 == 0 { 1.0 } else { -1.0 });
            let first = 18.4 + 2.0 * u + 12.0 * better + random.normal();
            let loss = 40.0 * (3.5 - 0.25 * u - 0.6 * better).exp();
            let sums = GamePlay::from_sums(40, [100.0 * first, loss / 10.0, loss, 0.0, 0.0]);
            sample.plays.push(play(event, game, elo, sums));
        }
        let name = format!("event {event}");
        sample.events.push(CalibrationEvent { name, games: 60, moves: 2400, digest: String::new() });
    }
    let (engine, protocol) = simulated_engine();
    let made = |direction| {
        let design = CalibrationDesign { direction, block: 480, ..CalibrationDesign::default() };
        design.calibrate(&sample, engine.clone(), protocol)
    };
    let tried = made(Direction::Classical).expect("a calibration").validation;
    let directions: Vec<Direction> = tried.iter().map(|tried| tried.direction).collect();
    assert_eq!(directions, [Direction::Classical, Direction::Regression]);
    let refused = made(Direction::Corrected).expect_err("no relation").to_string();
    assert_eq!(refused, "the statistics tell nothing about the ratings of these players");
}

#[test]
fn too_little_is_refused_with_what_would_do() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(3));
    let mut sample = simulated(&mut random, 0.0);
    sample.plays.retain(|play| play.event < 2);
    let engine = stockfish().engine;
    let protocol = stockfish().protocol;
    let design = CalibrationDesign { scale: RatingScale::LichessBlitz, ..CalibrationDesign::default() };
    let error = design.calibrate(&sample, engine, protocol).expect_err("two events").to_string();
    assert_eq!(
        error,
        "2 events with 4800 moves of rated players are too little for the scale lichess-blitz, which needs 5 events with \
         15000 moves together"
    );
}

#[test]
fn a_rating_by_hand() {
    let calibration = stockfish();
    let model = RatingModel {
        statistics: vec![FittedStatistic {
            name: Statistic::FirstChoice,
            sign: Sign::Positive,
            mean: 50.0,
            sd: 5.0,
            coefficient: 40.0,
            range: [30.0, 60.0],
        }],
        intercept: 200.0,
        drift: None,
        tau: 100.0,
        s: 3000.0,
        scatter: 9e6,
        prior_mean: 2200.0,
        prior_sd: 200.0,
        elo_range: [1400.0, 2600.0],
        ..calibration.model
    };
    let game = |first: f64| GamePlay::from_sums(100, [100.0 * first, 0.0, 0.0, 0.0, 0.0]);
    // 52 first choices of 100 in each of nine games: 200 + 40·52 = 2280, and 100² + 3000²/900 = 20,000.
    let found = model.rate(&[game(52.0); 9]);
    let outright = found.outright.expect("moves");
    assert_eq!((outright.value, outright.observations, found.games), (2280.0, 900, 9));
    assert!((outright.interval.expect("an interval").standard_error - 20_000f64.sqrt()).abs() < 1e-9);
    assert!((found.lasting - 196.0).abs() < 0.1 && found.refusal.is_none(), "{found:?}");
    // Weights 1/20,000 and 1/40,000: two thirds of the way.
    assert!((found.shrunken.value - (2.0 * 2280.0 + 2200.0) / 3.0).abs() < 1e-9);
    let refusal = |games: &[GamePlay]| model.rate(games).refusal;
    assert_eq!(refusal(&[game(52.0); 2]), Some(RatingRefusal::FewGames { games: 2 }));
    assert_eq!(refusal(&[game(70.0); 9]), Some(RatingRefusal::Above { elo: 2600 }));
    assert_eq!(refusal(&[game(20.0); 9]), Some(RatingRefusal::Below { elo: 1400 }));
    let few = model.rate(&[GamePlay::from_sums(42, [2100.0, 0.0, 0.0, 0.0, 0.0])]);
    assert_eq!(few.refusal, Some(RatingRefusal::FewMoves { moves: 42 }));
    assert!(few.outright.is_some());
    // 1.96·√(100² + 6000²/100) = 1192.
    let wide = RatingModel { s: 6000.0, ..model.clone() }.rate_total(&game(52.0), 3);
    assert_eq!(wide.refusal, Some(RatingRefusal::Wide { margin: 1192 }));
    let none = model.rate(&[]);
    assert_eq!((none.outright, none.shrunken.value), (None, 2200.0));
}

#[test]
fn another_engine_and_another_setting_are_refused_by_name() {
    let calibration = stockfish();
    let CalibratedEngine { behaviour, options, .. } = &calibration.engine;
    let protocol = calibration.protocol;
    assert_eq!(calibration.check(behaviour, options, &protocol), Ok(()));
    let told = |refused: Result<(), RatingRefusal>| refused.expect_err("a refusal").to_string();
    assert_eq!(
        told(calibration.check("another", options, &protocol)),
        "the engine behaves otherwise than Stockfish 15.1, whose evaluations were calibrated"
    );
    let deeper = Protocol { limit: Limit::Depth(12), ..protocol };
    assert_eq!(
        told(calibration.check(behaviour, options, &deeper)),
        "calibrated with depth 10, forward, segments of 16, and evaluated with depth 12, forward, segments of 16"
    );
    let mut other = options.clone();
    other.insert("Hash".to_owned(), "128".to_owned());
    assert_eq!(
        told(calibration.check(behaviour, &other, &protocol)),
        "calibrated with Hash = 64, and evaluated with Hash = 128"
    );
    let mut hurried = options.clone();
    hurried.insert("Move Overhead".to_owned(), "300".to_owned());
    hurried.remove("UCI_ShowWDL");
    assert_eq!(calibration.check(behaviour, &hurried, &protocol), Ok(()));
}

#[test]
fn a_file_is_read_as_it_is_written_and_refused_where_it_cannot_be_right() {
    let calibration = stockfish();
    assert_eq!(Calibration::parse(&calibration.to_json()).expect("a calibration"), calibration);
    let told =
        |text: &str| crate::chess::text::with_causes(&Calibration::parse(text).expect_err("no calibration"));
    assert!(told("{}").starts_with("it is no calibration: missing field `calibration`"), "{}", told("{}"));
    let changed = |change: &dyn Fn(&mut Calibration)| {
        let mut other = calibration.clone();
        change(&mut other);
        told(&other.to_json())
    };
    assert_eq!(
        changed(&|other| other.calibration = 7),
        "it is a calibration of version 7, and this program reads version 3: make it again"
    );
    assert!(
        changed(&|other| other.model.statistics[0].coefficient = -3.0)
            .ends_with("the coefficient of first_choice_percent has the wrong sign: -3")
    );
    assert!(changed(&|other| other.model.tau = -1.0).ends_with("tau is -1, and should be 0 or more"));
    assert!(changed(&|other| other.events.truncate(3)).contains("it is of 3 events"));
    let sealed = calibration.to_json();
    let other = Seal::JSON
        .seal(&Seal::JSON.open(&sealed).expect("a digest").replace("\"depth 10\"", "\"movetime 5\""));
    assert!(told(&other).contains("\"movetime 5\" is not depth N or nodes N"), "{}", told(&other));
    // A digit that nothing else speaks against.
    let edited = sealed.replacen("\"intercept\": 3", "\"intercept\": 2", 1);
    assert_ne!(edited, sealed);
    assert!(told(&edited).starts_with("it has changed since gainalyze wrote it"), "{}", told(&edited));
    let unsealed = Seal::JSON.open(&sealed).expect("a digest");
    assert!(told(&unsealed).starts_with("it has no digest"), "{}", told(&unsealed));
}
