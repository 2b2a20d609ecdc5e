//! Calibrations of simulated players, and of shuffled ratings.

use super::*;

#[test]
fn shuffled_ratings_tell_nothing_and_intervals_are_as_wide_as_what_is_known_before() {
    let mut data = sums(STOCKFISH);
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let of = |play: &CalibrationPlay| (play.event, play.player.clone());
    let given: BTreeMap<_, _> =
        data.sample.plays.iter().map(|play| (of(play), (play.elo, play.date))).collect();
    let mut others: Vec<_> = given.values().copied().collect();
    for last in (1..others.len()).rev() {
        others.swap(last, below(&mut random, last + 1));
    }
    let others: BTreeMap<_, _> = given.into_keys().zip(others).collect();
    for play in &mut data.sample.plays {
        (play.elo, play.date) = others[&of(play)];
    }
    let design = CalibrationDesign { direction: Direction::Regression, ..CalibrationDesign::default() };
    let fitting = Fitting::of(&design, &data.sample, None);
    let trials = trials(&fitting);
    let of_500 = trials.iter().filter(|trial| trial.length == Some(Validation::BAND_LENGTH));
    let (real, found): (Vec<f64>, Vec<f64>) = of_500.map(|trial| (trial.elo, trial.predicted)).unzip();
    let r = pearson(&real, &found).expect("they vary");
    assert!(r.abs() < 0.15, "{r}");
    let model = fitting.model().expect("a model");
    let error = (model.tau.powi(2) + model.s.powi(2) / 500.0).sqrt();
    assert!((error / model.prior_sd - 1.0).abs() < 0.1, "{error} and {}", model.prior_sd);
}

/// A generator of random numbers.
struct Random(ChaCha8Rng);

impl Random {
    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        Normal::standard().inverse_cdf(self.uniform().clamp(1e-12, 1.0 - 1e-12))
    }

    /// Returns a random game of 40 moves by a player of this `strength`. Each move is a top move or not, and
    /// has a loss. A random part of the strength is common to all moves of a game.
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
        is_of_server: false,
        date: "2025".parse().ok(),
        accuracy: None,
        phases: [GamePlay::default(), sums, GamePlay::default()],
    }
}

/// Standard deviation of the strength that is added to all players of an event, in Elo points.
const OF_EVENT: f64 = 90.0;

/// Returns simulated events of the years 1996 to 2025. From 2020 on, players with the same rating play better
/// each year, by `drift` Elo points.
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

fn simulated_data(sample: CalibrationSample) -> CalibrationData {
    let name = "Simulated".to_owned();
    let engine = CalibratedEngine { name, behavior: String::new(), options: BTreeMap::new() };
    let protocol = Protocol::new(Limit::Depth(8), Order::Forward, Protocol::SEGMENT);
    CalibrationData { engine, protocol, sample }
}

#[test]
fn a_simulated_drift_is_found_within_its_interval_in_every_direction() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(12));
    for drift in [0.0, 60.0] {
        let sample = simulated(&mut random, drift);
        for direction in Direction::ALL {
            let design =
                CalibrationDesign { direction, drift_from: Some(2019), ..CalibrationDesign::default() };
            let made = design.calibrate(&simulated_data(sample.clone())).expect("a calibration");
            let found = made.model.drift.expect("events of early and late years");
            let error = found.standard_error;
            assert!((found.coefficient + drift).abs() < 1.96 * error, "{direction}: {drift}, {found:?}");
            assert!((2.0..20.0).contains(&error) && found.years == [1996, 2025], "{found:?}");
            // First choices rise and losses fall with the year, because play gets better.
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
    let (old, new, unknown) = (rated(Some(drift.from)), rated(Some(drift.from + 4)), rated(None));
    assert!((value(&new) - value(&old) - 4.0 * drift.coefficient).abs() < 1e-9);
    assert!((value(&unknown) - value(&old) - drift.mean * drift.coefficient).abs() < 1e-9);
    let unsure = (drift.sd * drift.coefficient).powi(2) - (drift.mean * drift.standard_error).powi(2);
    assert!((variance(&unknown) - variance(&old) - unsure).abs() < 1e-6);
    assert_eq!([old.undated, new.undated, unknown.undated], [0, 0, 480]);
}

#[test]
fn intervals_cover_simulated_players_of_known_strength() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(2));
    let made = CalibrationDesign::default()
        .calibrate(&simulated_data(simulated(&mut random, 0.0)))
        .expect("a calibration");
    let mut covered = 0;
    const PLAYERS: u32 = 1000;
    for _ in 0..PLAYERS {
        let (elo, shift) = (1400.0 + 1400.0 * random.uniform(), OF_EVENT * random.normal());
        let games: Vec<GamePlay> = (0..15).map(|_| random.game(elo + shift)).collect();
        let around = made.model.rate(&games).outright.expect("moves").interval.expect("an interval");
        covered += u32::from((around.low..=around.high).contains(&elo));
    }
    let share = f64::from(covered) / f64::from(PLAYERS);
    assert!((share - 0.95).abs() <= 0.02, "{share}");
    assert!((made.model.tau / OF_EVENT - 1.0).abs() < 0.25, "{}", made.model.tau);
}

#[test]
fn a_direction_without_a_relation_is_left_out_beside_the_chosen_one_and_refused_as_the_chosen_one() {
    // The higher the rating, the worse the play.
    let mut random = Random(ChaCha8Rng::seed_from_u64(7));
    let mut sample = simulated(&mut random, 0.0);
    sample.plays.iter_mut().for_each(|play| play.elo = 4000 - play.elo);
    let design = |direction| CalibrationDesign { direction, ..CalibrationDesign::default() };
    let tried = design(Direction::Regression).validations(&sample).expect("the mean rating");
    let directions: Vec<Direction> = tried.iter().map(|tried| tried.direction).collect();
    assert_eq!(directions, [Direction::Regression]);
    let refused = design(Direction::Classical).calibrate(&simulated_data(sample));
    let refused = refused.expect_err("no relation").to_string();
    assert_eq!(refused, "the statistics do not predict the ratings of these players");
}

#[test]
fn errors_that_do_not_fall_with_the_moves_are_refused_and_not_written() {
    // Only the long events have a shift, so long blocks have larger errors than short ones.
    let mut random = Random(ChaCha8Rng::seed_from_u64(9));
    let mut sample = CalibrationSample::default();
    for event in 0..40u32 {
        let (games, shift) = if event % 2 == 0 { (4, 0.0) } else { (60, 2.0 * OF_EVENT * random.normal()) };
        for game in 0..games {
            let elo = f64::from(1400 + 30 * event + game);
            let u = (elo + shift - 2000.0) / 400.0;
            let (first, loss) = (18.4 + 2.0 * u, 40.0 * (3.5 - 0.25 * u).exp());
            let sums = GamePlay::from_sums(40, [100.0 * first, loss / 10.0, loss, 0.0, 0.0]);
            sample.plays.push(play(event, game, elo, sums));
        }
        let (name, moves) = (format!("event {event}"), u64::from(40 * games));
        sample.events.push(CalibrationEvent { name, games: games as usize, moves, digest: String::new() });
    }
    let refused = CalibrationDesign::default().calibrate(&simulated_data(sample.clone()));
    let refused = refused.expect_err("a spread of 0").to_string();
    assert_eq!(refused, "these games give an invalid calibration: s and prior_sd should be above 0");
}

#[test]
fn too_little_is_refused_with_what_would_do() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(3));
    let mut sample = simulated(&mut random, 0.0);
    sample.plays.retain(|play| play.event < 2);
    let design = CalibrationDesign { scale: RatingScale::LichessBlitz, ..CalibrationDesign::default() };
    let error = design.calibrate(&simulated_data(sample.clone())).expect_err("two events").to_string();
    assert_eq!(
        error,
        "2 events with 4800 moves of rated players are too few for the scale lichess-blitz, which needs at \
             least 5 events with 15000 moves together"
    );
}
