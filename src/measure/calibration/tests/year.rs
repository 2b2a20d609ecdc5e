//! Tests of the year's term: the tables of docs/calibration-tests.md, and years that tell nothing.

use super::super::statistic::jackknife_variance;
use super::{tables::*, *};
use crate::chess::Phase;

/// Returns the root mean square error of the ratings of whole events. Each event is rated by a model that was
/// fitted to the other events.
fn error_of_events(design: &CalibrationDesign, sample: &CalibrationSample) -> f64 {
    let fitting = Fitting::of(design, sample, None);
    let trials = trials(&fitting);
    let errors: Vec<f64> = trials
        .iter()
        .filter(|trial| trial.length.is_none())
        .map(|trial| (trial.predicted - trial.elo).powi(2))
        .collect();
    (errors.iter().sum::<f64>() / errors.len() as f64).sqrt()
}

/// Returns the number of events in `years` and the mean of predicted − real rating over them. The model is
/// fitted to the moves of all other years.
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
fn each_period_is_rated_by_the_others_as_the_documentation_has_it() {
    let sample = sums(STOCKFISH).sample;
    let periods = [
        ("before 2000", 1900..2000),
        ("2000 to 2009", 2000..2010),
        ("2010 to 2014", 2010..2015),
        ("2015 to 2019", 2015..2020),
        ("from 2020 on", 2020..2100),
    ];
    let of_period = |(name, years): (&str, std::ops::Range<u16>)| {
        let found = [None, Some(0), Some(2005)].map(|from| bias_of_era(&sample, years.clone(), from));
        let biases = found.map(|(_, bias)| signed(bias));
        [name.to_owned(), found[0].0.to_string()].into_iter().chain(biases).collect::<Vec<_>>()
    };
    let headings = ["<left out", "events", "never", "always", "from 2005 on"];
    let rows: Vec<_> = [row(headings)].into_iter().chain(periods.map(of_period)).collect();
    check_table("calibration-tests.md", "periods left out", &rows);
}

#[test]
fn the_year_counts_as_the_documentation_has_it() {
    let sample = sums(STOCKFISH).sample;
    let of = |drift_from| {
        let design = CalibrationDesign { drift_from, ..CalibrationDesign::default() };
        (validation(&design, &sample), Fitting::of(&design, &sample, None).model().expect("a model"))
    };
    let (never, default) = (of(None), of(CalibrationDesign::default().drift_from));
    let of_period = |place: usize| {
        let [without, with] = [&never, &default].map(|(tried, _)| tried.periods().swap_remove(place));
        let cell = |row: &PeriodRow| match row.standard_error {
            Some(error) => format!("{} ± {}", signed(row.bias), rounded(error)),
            None => signed(row.bias),
        };
        let years = format!("{} to {}", without.from, without.from + Validation::PERIOD - 1);
        vec![years, without.events.to_string(), cell(&without), cell(&with)]
    };
    let headings = ["<years", "events", "without the year", "with the year"];
    let periods = (0..never.0.periods().len()).map(of_period);
    let rows: Vec<_> = [row(headings)].into_iter().chain(periods).collect();
    check_table("calibration-tests.md", "bias by year", &rows);

    let of_first = |from: Option<u16>| {
        let (tried, model) = of(from);
        let errors = tried.lengths.iter().skip(1).map(|row| rounded(row.rmse)).collect::<Vec<_>>().join(" ");
        let c = model.drift.map_or_else(String::new, |drift| {
            format!("{} ± {}", number(drift.coefficient, 1), number(drift.standard_error, 1))
        });
        let bias = |from| {
            let found = tried.periods().into_iter().find(|period| period.from == from);
            found.map_or_else(String::new, |period| signed(period.bias))
        };
        let name = match from {
            None => "never".to_owned(),
            Some(0) => "always (`--drift-from 0`)".to_owned(),
            Some(year) => format!("from {year} on"),
        };
        vec![name, errors, c, bias(2010), bias(2015), bias(2020), bias(2025)]
    };
    let headings =
        ["<the year counts", "<errors", "c", "2010 to 2014", "2015 to 2019", "2020 to 2024", "2025"];
    let firsts = [None, Some(0), Some(2005), Some(2010), Some(2019), Some(2021)];
    let rows: Vec<_> = [row(headings)].into_iter().chain(firsts.map(of_first)).collect();
    check_table("calibration-tests.md", "first year", &rows);

    let shipped = stockfish();
    let of_phase = |phase: Phase| {
        let drift = shipped.phases[&phase.to_string()].drift.clone().expect("a term of the year");
        vec![format!("{phase}s"), number(drift.coefficient, 1), number(drift.standard_error, 1)]
    };
    let rows: Vec<_> =
        [row(["<moves of", "c", "standard error"])].into_iter().chain(Phase::ALL.map(of_phase)).collect();
    check_table("calibration-tests.md", "year by phase", &rows);

    let without = |phase| -> Vec<f64> {
        let (design, drift) =
            (CalibrationDesign::default(), |model: RatingModel| model.drift.map(|one| one.coefficient));
        let fitting = Fitting::of(&design, &sample, Some(phase));
        let models = fitting.models(fitting.variance().expect("errors")).expect("models");
        models.into_iter().map(|model| drift(model).expect("a term of the year")).collect()
    };
    let of = [Phase::Opening, Phase::Endgame].map(without);
    let apart: Vec<f64> = of[0].iter().zip(&of[1]).map(|(one, other)| one - other).collect();
    let mean = apart.iter().sum::<f64>() / apart.len() as f64;
    let told = format!(
        "differ by {}, with a standard error of {:.1}. If the events",
        number(mean, 1),
        jackknife_variance(&apart).sqrt()
    );
    assert!(documented::documentation_of_tests().contains(&told), "{told}");

    let means: Vec<f64> = default.0.events.iter().map(|event| event.elo).collect();
    let of_level = |(name, elos): (&str, std::ops::Range<f64>)| {
        let events: Vec<usize> = (0..means.len()).filter(|&event| elos.contains(&means[event])).collect();
        let (design, of_events) = (CalibrationDesign::default(), sample.of_events(&events));
        let drift = Fitting::of(&design, &of_events, None).model().and_then(|model| model.drift);
        let drift = drift.expect("a term of the year");
        vec![
            name.to_owned(),
            events.len().to_string(),
            number(drift.coefficient, 1),
            number(drift.standard_error, 1),
        ]
    };
    let levels = [("below 2100", 0.0..2100.0), ("2100 to 2400", 2100.0..2400.0), ("above 2400", 2400.0..9e9)];
    let headings = row(["<mean rating of the event", "events", "c", "standard error"]);
    let rows: Vec<_> = [headings].into_iter().chain(levels.map(of_level)).collect();
    check_table("calibration-tests.md", "year by level", &rows);
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
