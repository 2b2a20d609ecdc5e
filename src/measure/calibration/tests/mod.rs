//! Tests of calibrations. One of them makes the shipped calibrations again from their sums.

mod documented;
mod equating;
mod lichess;
mod screening;
mod simulated;
mod tables;
mod year;

use std::{fs, path::Path};

use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};
use shakmaty::Color;
use statrs::distribution::{ContinuousCDF, Normal};

use super::{
    fitting::Fitting, model::FittedStatistic, phase_means::PhaseMeans, sample::CalibrationPlay,
    sample::digest, screen::ScreenTrial, trials::Trial, within::others, *,
};
use crate::base::{seal::Seal, work::event_loop};
use crate::chess::{Game, Limit, Order, pgn::parse_games};
use crate::engine::{Behavior, EngineChoice, EngineCommand, Setup};
use crate::measure::tournament::statistics::{Sign, Statistic};
use crate::numbers::{stats::bootstrap::below, stats::correlation::pearson};

/// Reads the sums of a shipped calibration from the file `name`.
fn sums(name: &str) -> CalibrationData {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/calibration").join(name);
    let packed = fs::read(path).expect("sums that are part of the project");
    let text = String::from_utf8(zstd::decode_all(packed.as_slice()).expect("zstd")).expect("utf-8");
    CalibrationData::parse(&text).expect("sums")
}

const NODE: &str = "stockfish-19-lite-depth-10";

const STOCKFISH: &str = "sums-stockfish-15.1-depth-10.csv.zst";

fn design_of(calibration: &Calibration) -> CalibrationDesign {
    CalibrationDesign {
        scale: calibration.scale,
        statistics: calibration.model.statistics.iter().map(|fitted| fitted.name).collect(),
        direction: calibration.direction,
        block: calibration.block,
        drift_from: calibration.model.drift.as_ref().map(|drift| drift.from),
    }
}

/// Returns the predictions for all blocks, each by a model that was fitted without the block's event.
fn trials(fitting: &Fitting<'_>) -> Vec<Trial> {
    let models = fitting.models(fitting.variance().expect("errors")).expect("models");
    fitting.trials(&models).expect("trials")
}

/// Returns the test of a design in its own direction.
fn validation(design: &CalibrationDesign, sample: &CalibrationSample) -> Validation {
    let fitting = Fitting::of(design, sample, None);
    let models = fitting.models(fitting.variance().expect("errors")).expect("models");
    let [blocks, players] =
        [fitting.trials(&models), fitting.player_trials(&models)].map(|all| all.expect("trials"));
    Validation::of(design.direction, &blocks, &players)
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
        let made = match &shipped.equated {
            Some(_) => data.equated(&anchor_sums(), ANCHOR),
            None => design_of(shipped).calibrate(&data),
        };
        let made = made.expect("a calibration");
        let made = Calibration { made_by: shipped.made_by.clone(), ..made };
        assert_eq!(made.to_json(), shipped.to_json(), "{name}");
        let events = shipped.events.len();
        let is_of_all = shipped.scale.is_over_the_board() && shipped.equated.is_none();
        assert_eq!(events, if is_of_all { 85 } else { 5 }, "{name}");
        let is_whole = |tried: &Validation| tried.lengths.len() == 5 && tried.events.len() == events;
        assert!(shipped.validation.iter().all(is_whole), "{name}");
    }
}

#[test]
fn the_usual_depth_of_an_engine_is_one_that_it_is_calibrated_at() {
    use crate::engine::EngineChoice;
    let depth_of =
        |name: &str| Calibration::shipped_as(name).expect("a calibration of the program").protocol.limit;
    assert_eq!(["stockfish-15.1-depth-10", "builtin-depth-10"].map(depth_of), [EngineChoice::USUAL_LIMIT; 2]);
}

#[test]
fn the_events_within_the_program_are_those_of_every_shipped_calibration_over_the_board() {
    let events: Vec<(&str, Vec<Game>)> = shipped_events().collect();
    let games = || events.iter().flat_map(|(_, games)| games);
    assert_eq!(games().count(), 6254);
    assert_eq!(games().map(|game| game.moves.len() + 1).sum::<usize>(), 534_876);
    let digests: Vec<(&str, String)> =
        events.iter().map(|(name, games)| (*name, digest(games.iter()))).collect();
    let is_of_all = |one: &Calibration| one.scale.is_over_the_board() && one.equated.is_none();
    for calibration in Calibration::shipped().into_iter().filter(is_of_all) {
        let told: Vec<(&str, String)> =
            calibration.events.iter().map(|event| (event.name.as_str(), event.digest.clone())).collect();
        assert_eq!(told, digests, "{}", calibration.kind());
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
    // The built-in engine has no calibration for blitz, and Stockfish at depth 8 has none for lichess.
    let of_blitz = [RatingScale::LichessBlitz, RatingScale::LichessRapid, RatingScale::Fide2024];
    assert_eq!(scales(&[blitz, blitz]), of_blitz);
    assert_eq!(scales(&[blitz, blitz, rapid]), of_blitz);
    // Other servers have no scale. The nearest is lichess's scale of the same speed, or of rapid if lichess
    // has no scale of that speed.
    assert_eq!(scales(&[elsewhere, elsewhere]), both);
    assert_eq!(scales(&[("Chess.com", "180"), ("Chess.com", "180")]), of_blitz);
    assert_eq!(scales(&[("https://lichess.org/abcdefgh", "1800+20")]), both);
    let named = vec![stockfish()];
    assert_eq!(Calibration::for_games(named.clone(), std::iter::empty()), named);
}

#[test]
fn the_engine_within_behaves_as_it_was_calibrated() {
    // A failure here means that the search or the evaluation has changed. docs/calibration.md has the command
    // that makes the file.
    let choice = EngineChoice::Builtin { is_named: true };
    let command = EngineCommand::new(&choice, &Setup::default()).expect("a command");
    let work = async {
        let mut engine = command.start().await.expect("the engine");
        let behavior = Behavior::of(&mut engine).await.expect("a search");
        (engine.identity().clone(), behavior.digest)
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
    let mut online = data.clone();
    online.sample.plays[0].is_of_server = true;
    assert_eq!(CalibrationData::parse(&online.to_csv().expect("memory")).expect("sums"), online);
    let told = |text: &str| {
        crate::base::text::with_causes(&CalibrationData::parse(text).expect_err("no sums of a calibration"))
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
    // K. W. Regan, "Intrinsic Ratings Compendium", 2012: agreement of 42.9 % at 1600 and of 56.3 % at 2700, with
    // Rybka 3: 1.22 points for 100 Elo.
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
        let [one, other] = [half(0), half(1)].map(|games| calibration.model.rate(&games));
        if [&one, &other].iter().any(|half| half.moves < RatingRefusal::LEAST_MOVES || half.games < 3) {
            continue;
        }
        let [one, other] = [one, other].map(|half| half.outright.expect("moves"));
        // Both halves share the error of the event and the error of the tag.
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
    let told = format!("For {:.1} % of {pairs} players", 100.0 * share);
    assert!(documented::documentation_of_tests().contains(&told), "{told}");
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
            usual: PhaseMeans::default(),
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
    assert_eq!(refusal(&[game(70.0); 9]), Some(RatingRefusal::Above { elo: 2720 }));
    assert_eq!(refusal(&[game(20.0); 9]), Some(RatingRefusal::Below { elo: 1280 }));
    // 64 first choices of 100 are beyond 60 + 3, but 2760 points are within the range.
    let wider = RatingModel { elo_range: [1400.0, 2800.0], ..model.clone() };
    let odd = wider.rate(&[game(64.0); 9]).refusal.expect("a refusal");
    assert_eq!(odd.to_string(), "top moves outside the range of the calibration");
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
    let CalibratedEngine { behavior, options, .. } = &calibration.engine;
    let protocol = calibration.protocol;
    assert_eq!(calibration.check(behavior, options, &protocol), Ok(()));
    let told = |refused: Result<(), RatingRefusal>| refused.expect_err("a refusal").to_string();
    assert_eq!(
        told(calibration.check("another", options, &protocol)),
        "the engine does not behave like Stockfish 15.1, whose evaluations were calibrated"
    );
    let deeper = Protocol { limit: Limit::Depth(12), ..protocol };
    assert_eq!(
        told(calibration.check(behavior, options, &deeper)),
        "calibrated with depth 10, forward, segments of 16, but evaluated with depth 12, forward, segments of 16"
    );
    let mut other = options.clone();
    other.insert("Hash".to_owned(), "128".to_owned());
    assert_eq!(
        told(calibration.check(behavior, &other, &protocol)),
        "calibrated with Hash = 64, but evaluated with Hash = 128"
    );
    let mut hurried = options.clone();
    hurried.insert("Move Overhead".to_owned(), "300".to_owned());
    hurried.remove("UCI_ShowWDL");
    // A build without endgame tables.
    hurried.retain(|name, _| !name.starts_with("Syzygy"));
    assert_eq!(calibration.check(behavior, &hurried, &protocol), Ok(()));
    hurried.insert("SyzygyPath".to_owned(), "tables".to_owned());
    assert!(told(calibration.check(behavior, &hurried, &protocol)).contains("Syzygy"));
    let of_node = calibration.kind().replace("15.1", "15.1 WASM");
    assert!(calibration.is_of_judge(&of_node) && !calibration.is_of_judge(&of_node.replace("10", "8")));
}

#[test]
fn a_file_is_read_as_it_is_written_and_refused_where_it_cannot_be_right() {
    let calibration = stockfish();
    assert_eq!(Calibration::parse(&calibration.to_json()).expect("a calibration"), calibration);
    let told =
        |text: &str| crate::base::text::with_causes(&Calibration::parse(text).expect_err("no calibration"));
    assert!(told("{}").starts_with("it is not a calibration: missing field `calibration`"), "{}", told("{}"));
    let changed = |change: &dyn Fn(&mut Calibration)| {
        let mut other = calibration.clone();
        change(&mut other);
        told(&other.to_json())
    };
    assert_eq!(
        changed(&|other| other.calibration = 7),
        "it is a calibration of version 7, but this program reads version 4; calibrate again"
    );
    assert!(
        changed(&|other| other.model.statistics[0].coefficient = -3.0)
            .ends_with("the coefficient of first_choice_percent has the wrong sign: -3")
    );
    assert!(changed(&|other| other.model.tau = -1.0).ends_with("tau is -1, expected 0 or more"));
    assert!(changed(&|other| other.events.truncate(3)).contains("it has 3 events"));
    let sealed = calibration.to_json();
    let other = Seal::JSON
        .seal(&Seal::JSON.open(&sealed).expect("a digest").replace("\"depth 10\"", "\"movetime 5\""));
    assert!(
        told(&other).contains("\"movetime 5\" is not of the form \"depth N\" or \"nodes N\""),
        "{}",
        told(&other)
    );
    // The changed digit still gives a valid number.
    let edited = sealed.replacen("\"intercept\": 3", "\"intercept\": 2", 1);
    assert_ne!(edited, sealed);
    assert!(told(&edited).starts_with("it has changed since gainalyze wrote it"), "{}", told(&edited));
    let unsealed = Seal::JSON.open(&sealed).expect("a digest");
    assert!(told(&unsealed).starts_with("it has no digest"), "{}", told(&unsealed));
}
