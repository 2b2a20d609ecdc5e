//! Tests of calibrations from a few events.

use super::{super::equating::Equating, tables::check_table, *};

fn anchor() -> CalibrationData {
    anchor_sums()
}

#[test]
fn an_engine_equated_with_itself_has_the_same_model() {
    let anchor = anchor();
    let fitted = Calibration::shipped_as(ANCHOR).expect("the anchor");
    let found = anchor.clone().equated(&anchor, ANCHOR).expect("a calibration");
    let equated = found.equated.as_ref().expect("a comparison");
    assert!(equated.correlations.values().all(|r| (r - 1.0).abs() < 1e-6), "{equated:?}");
    assert_eq!(found.events.len(), 5);
    // Among the errors by number of moves, that of blocks of some 550 moves is the expected error.
    let told = found.tested_errors();
    assert!(
        told.is_expected && told.by_moves.iter().any(|(_, error)| (error / equated.error - 1.0).abs() < 1e-9)
    );
    let is_near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-6;
    for (one, other) in found.model.statistics.iter().zip(&fitted.model.statistics) {
        assert!(is_near(one.coefficient, other.coefficient), "{one:?} and {other:?}");
    }
    assert!(is_near(found.model.s, fitted.model.s) && found.model.tau >= fitted.model.tau);
    let play = |first, loss| GamePlay::from_sums(100, [100.0 * first, 0.0, 100.0 * loss, 0.0, 0.0]);
    for total in [play(40.0, 40.0), play(55.0, 12.0)] {
        let [one, other] = [&found, &fitted].map(|by| by.model.elo(&total, &[total]).expect("moves"));
        assert!((one - other).abs() < 0.1, "{one} and {other}");
    }
}

/// Returns the root mean square errors of blocks of 548 moves in events that are not compared: by the equated
/// calibration, and by the engine's own calibration. Each event is left out of both fits.
fn errors(name: &str) -> [f64; 2] {
    let (anchor, data) = (anchor(), sums(&format!("sums-{name}.csv.zst")));
    let compared = anchor.sample.compared().expect("the compared events");
    let (design, few) =
        (CalibrationDesign::default(), |data: &CalibrationData| data.sample.of_events(&compared));
    let [there, here] = [few(&anchor), few(&data)];
    let equating = Equating::of(&design, [&anchor.sample, &there, &here], &compared, None);
    let variance = Fitting::of(&design, &anchor.sample, None).variance().expect("errors");
    let all = Fitting::of(&design, &data.sample, None);
    let equated = all.trials(&equating.models(variance).expect("models")).expect("trials");
    let own = trials(&all);
    [equated, own].map(|trials| {
        let errors: Vec<f64> = trials
            .iter()
            .filter(|trial| trial.length == Some(Validation::BAND_LENGTH) && !compared.contains(&trial.event))
            .map(|trial| trial.predicted - trial.elo)
            .collect();
        (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt()
    })
}

#[test]
fn five_events_rate_nearly_as_well_as_all_as_the_documentation_has_it() {
    let of = |name: &str| {
        let [equated, own] = errors(name);
        assert!(equated < 1.05 * own, "{name}: {equated} and {own}");
        vec![format!("`{name}`"), format!("{equated:.0}"), format!("{own:.0}")]
    };
    let headings = ["<calibration", "from five events", "from all events"].map(str::to_owned).to_vec();
    let names = ["stockfish-15.1-depth-10", "stockfish-15.1-depth-8", "stockfish-16-depth-10"];
    let rows = [headings].into_iter().chain(names.map(of));
    check_table("calibration-tests.md", "five events", &rows.collect::<Vec<_>>());
}

#[test]
fn an_engine_that_judges_otherwise_is_refused() {
    let anchor = anchor();
    let refusal = |data: CalibrationData| data.equated(&anchor, ANCHOR).expect_err("a refusal").to_string();
    // Losses that belong to other players.
    let mut other = anchor.clone();
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let plays = &mut other.sample.plays;
    for last in (1..plays.len()).rev() {
        let place = below(&mut random, last + 1);
        (plays[last].phases, plays[place].phases) = (plays[place].phases, plays[last].phases);
    }
    let found = refusal(other);
    assert!(found.contains("without --quick") || found.contains("do not predict"), "{found}");
    let mut fewer = anchor.clone();
    fewer.sample.events.retain(|event| event.name != "wijk-aan-zee-1999");
    assert!(refusal(fewer).starts_with("the games are not those of the calibration"));
}

#[test]
fn the_compared_events_are_those_that_the_rule_chooses() {
    let sample = anchor().sample;
    let of_event = |(event, players): (usize, &Vec<(f64, Vec<GamePlay>)>)| {
        let total: GamePlay = players.iter().flat_map(|(_, games)| games).sum();
        let mean_of = |of: &dyn Fn(f64) -> f64| {
            let moves = |games: &[GamePlay]| games.iter().map(GamePlay::moves).sum::<u64>() as f64;
            players.iter().map(|(rating, games)| moves(games) * of(*rating)).sum::<f64>()
                / total.moves() as f64
        };
        let mean = mean_of(&|rating| rating);
        (total.year()? < 2020.0).then(|| (mean, mean_of(&|rating| (rating - mean).powi(2)), event))
    };
    let players = sample.players(CalibrationDesign::default().scale);
    let mut events: Vec<(f64, f64, usize)> = players.iter().enumerate().filter_map(of_event).collect();
    events.sort_by(|a, b| a.0.total_cmp(&b.0));
    let widest = (0..COMPARED.len()).map(|group| {
        let [first, end] = [group, group + 1].map(|group| group * events.len() / COMPARED.len());
        let is_short = |event: &&(f64, f64, usize)| sample.events[event.2].moves <= 7000;
        let short = events[first..end].iter().filter(is_short);
        short.max_by(|a, b| a.1.total_cmp(&b.1)).map_or("", |event| &sample.events[event.2].name)
    });
    assert_eq!(widest.collect::<Vec<_>>(), COMPARED);
}
