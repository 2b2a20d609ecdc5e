//! Tests that the errors in docs/calibration.md and docs/lab.md are those of the shipped calibrations.

use super::*;

/// Returns the predictions for the blocks of all events. Each event is predicted by a calibration of the other
/// events.
fn trials_of(name: &str) -> Vec<Trial> {
    trials_in(name, Direction::default())
}

/// Returns the predictions of [`trials_of`], but by a calibration in this `direction`.
fn trials_in(name: &str, direction: Direction) -> Vec<Trial> {
    let shipped = Calibration::shipped_as(name).expect("a calibration");
    let design = CalibrationDesign { direction, ..design_of(&shipped) };
    let data = sums(&format!("sums-{name}.csv.zst"));
    let fitting = Fitting::of(&design, &data.sample, None);
    trials(&fitting)
}

/// Two predictions for one block and their weighted mean; `weight` is the weight of the first prediction.
struct Together<'a> {
    both: [&'a Trial; 2],
    weight: f64,
    /// The correlation between the errors of the two predictions in the other events.
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

/// Returns the pairs of predictions combined with `weight`. If `weight` is `None`, each pair gets the weight
/// that is best in the other events.
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
    let installed = "stockfish-15.1-depth-10";
    for [one, other] in [[installed, "builtin-depth-10"], [NODE, installed]].map(|both| both.map(trials_of)) {
        let table = table_of_both(one, other);
        assert!(include_str!("../../../../docs/lab.md").contains(&table), "{table}");
    }
}

fn table_of_both(one: Vec<Trial>, other: Vec<Trial>) -> String {
    let pairs: Vec<[Trial; 2]> = one.into_iter().zip(other).map(|(one, other)| [one, other]).collect();
    let is_one_block =
        |[a, b]: &[Trial; 2]| (a.event, a.length, a.moves, a.elo) == (b.event, b.length, b.moves, b.elo);
    assert!(pairs.iter().all(is_one_block), "the same blocks by both");
    let row = |length| {
        let of_length = pairs.iter().filter(|pair| pair[0].length == Some(length));
        row_of_both(&of_length.copied().collect::<Vec<_>>())
    };
    [144, 271, 526, 1015].map(row).concat()
}

/// Returns a row of the documentation's table: the mean number of moves; errors and coverage of the
/// predictions by the first engine, by the second engine, by their mean, and by their mean with the best
/// weight; the average of the best weights; and the reduction of the first engine's error in percent.
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
    // Adding 0 makes a −0 of the rounding 0.
    let gain = (1000.0 * (1.0 - columns[3].0 / columns[0].0)).round() / 10.0 + 0.0;
    let weight = columns[3].2;
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
    assert!(include_str!("../../../../docs/lab.md").contains(&table), "{table}");
}

/// Returns a bias as the documentation prints it: rounded, with a sign unless it is 0.
fn signed(bias: f64) -> String {
    format!("{bias:+.0}").replace('-', "−").replace("+0", "0").replace("−0", "0")
}

#[test]
fn errors_over_the_board_are_those_of_the_documentation() {
    let shipped = stockfish();
    let of = |direction: Direction| {
        let tried = shipped.validation.iter().find(|tried| tried.direction == direction);
        &tried.expect("a trial of this direction").lengths
    };
    let [classical, corrected, regression] =
        [Direction::Classical, Direction::Corrected, Direction::Regression].map(of);
    let docs = include_str!("../../../../docs/calibration.md").replace(',', "");
    for ((row, corrected), regression) in classical.iter().zip(corrected).zip(regression).take(4) {
        let begin = format!("| {:.0} | {} | {:.0} | ", row.moves, row.blocks, row.rmse);
        // The column between, without the year, is of another fit.
        let end = format!(
            " | {:.0} | {} | {:.1} | {:.0} | {:.0} | {:.0} |",
            row.mae,
            signed(row.bias),
            100.0 * row.coverage,
            row.shrunken_rmse,
            corrected.rmse,
            regression.rmse
        );
        let is_there = docs.lines().any(|line| line.starts_with(&begin) && line.ends_with(&end));
        assert!(is_there, "{begin}…{end}");
    }
}

#[test]
fn errors_on_lichess_and_under_node_are_those_of_the_documentation() {
    let docs = include_str!("../../../../docs/calibration.md");
    let has_other_docs = |name: &&str| name.contains("lichess") || *name == NODE;
    for shipped in shipped_names().filter(has_other_docs).filter_map(Calibration::shipped_as) {
        let tried = shipped.validation.iter().find(|tried| tried.direction == shipped.direction);
        for row in &tried.expect("a trial of the direction in force").lengths[1..4] {
            let told = format!(
                "| `{}` | {} | {:.0} | {} | {:.0} | {:.0} | {} | {:.1} | {:.0} |\n",
                shipped.scale,
                shipped.engine.name.replace("gainalyze engine 0.2.0", "built-in"),
                row.moves,
                row.blocks,
                row.rmse,
                row.mae,
                signed(row.bias),
                100.0 * row.coverage,
                row.shrunken_rmse
            );
            // The documentation has commas in thousands.
            assert!(docs.replace(',', "").contains(&told), "{told}");
        }
    }
}

#[test]
fn single_players_of_lichess_are_within_their_intervals_as_the_documentation_has_it() {
    let name = "stockfish-15.1-depth-10-lichess-rapid";
    let calibration = Calibration::shipped_as(name).expect("a calibration");
    let players = sums(&format!("sums-{name}.csv.zst")).sample.players(calibration.scale);
    let rated = players.iter().flatten().map(|(rating, games)| (rating, calibration.model.rate(games)));
    let long: Vec<(&f64, RatingOfPlay)> = rated.filter(|(_, found)| !found.is_too_short()).collect();
    let is_within = |(rating, found): &&(&f64, RatingOfPlay)| {
        let around = found.outright.and_then(|outright| outright.interval).expect("an interval");
        (around.low..=around.high).contains(*rating)
    };
    let moves = long.iter().map(|(_, found)| found.moves).sum::<u64>() as f64 / long.len() as f64;
    let told =
        format!("{} of {} players with {moves:.0} moves", long.iter().filter(is_within).count(), long.len());
    assert!(include_str!("../../../../docs/calibration.md").contains(&told), "{told}");
}

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
fn each_era_is_rated_by_the_others_as_the_documents_say() {
    // docs/calibration.md has these numbers. Without the years from 2020 on, no drift can be seen.
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

/// Returns one model for each event, fitted to the other events.
fn left_out(calibration: &Calibration, sample: &CalibrationSample) -> Vec<RatingModel> {
    let design = design_of(calibration);
    let fitting = Fitting::of(&design, sample, None);
    fitting.models(fitting.variance().expect("errors")).expect("models")
}

fn rms(errors: &[f64]) -> f64 {
    (errors.iter().map(|error| error.powi(2)).sum::<f64>() / errors.len() as f64).sqrt()
}

/// Returns the documentation of calibrations without line breaks.
fn documentation() -> String {
    include_str!("../../../../docs/calibration.md").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the number of blocks of 548 moves on average, the mean number of players in them, and the number of
/// blocks with only one player.
fn players_of_blocks(sample: &CalibrationSample, scale: RatingScale) -> (usize, f64, usize) {
    let blocks = CalibrationBlock::cut(sample, scale, None, 526);
    let mut counts = Vec::new();
    for event in 0..sample.events.len() as u32 {
        let plays = sample.plays.iter().filter(|play| play.event == event && play.of(None).moves() > 0);
        let mut plays: Vec<(f64, &str)> =
            plays.filter_map(|play| Some((play.rating(scale)?, play.player.as_str()))).collect();
        plays.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut rest = plays.as_slice();
        for block in blocks.iter().filter(|block| block.event == event) {
            let (own, later) = rest.split_at(block.games.len());
            counts.push(own.iter().map(|(_, player)| player).collect::<BTreeSet<_>>().len());
            rest = later;
        }
        assert!(rest.is_empty(), "every game is in a block");
    }
    let ones = counts.iter().filter(|&&players| players == 1).count();
    (counts.len(), counts.iter().sum::<usize>() as f64 / counts.len() as f64, ones)
}

#[test]
fn single_players_miss_by_more_than_blocks_as_the_documentation_has_it() {
    let (calibration, data) = (stockfish(), sums(STOCKFISH));
    let models = left_out(&calibration, &data.sample);
    // The moves and the error of each player of a left-out event, and whether the interval has the rating.
    let mut players = Vec::new();
    for (event, model) in data.sample.players(calibration.scale).iter().zip(&models) {
        for (rating, games) in event {
            let moves = games.iter().map(GamePlay::moves).sum::<u64>();
            let found = model.rate(games).outright.filter(|_| moves >= 100);
            let Some((value, around)) = found.and_then(|found| Some((found.value, found.interval?))) else {
                continue;
            };
            players.push((moves as f64, value - rating, (around.low..=around.high).contains(rating)));
        }
    }
    let pairs: Vec<(f64, f64)> = players.iter().map(|(moves, error, _)| (*moves, *error)).collect();
    let tau = VarianceByCount::fit(&pairs, 0.0).expect("players").lasting;
    let of_long = |least: f64| {
        let long: Vec<_> = players.iter().filter(|(moves, ..)| *moves >= least).collect();
        let count = long.len() as f64;
        let covered = long.iter().filter(|(.., is_covered)| *is_covered).count() as f64;
        let errors: Vec<f64> = long.iter().map(|(_, error, _)| *error).collect();
        let moves = long.iter().map(|(moves, ..)| moves).sum::<f64>() / count;
        (long.len(), 100.0 * covered / count, rms(&errors), moves)
    };
    let (blocks, mean, ones) = players_of_blocks(&data.sample, calibration.scale);
    let ((all, covered, ..), (long, covered_long, error, moves)) = (of_long(0.0), of_long(450.0));
    let (thousands, all) = (all / 1000, all % 1000);
    let told = format!(
        "A block of 548 moves has {mean:.1} players on average; {ones} of the {blocks} blocks have one \
         player. The calibration's τ is {:.0} points. For the {thousands},{all:03} single players with at least \
         100 moves, τ is {tau:.0} points, and {covered:.1} % of their ratings in the tags are within the \
         interval. For the {long} players with at least 450 moves ({moves:.0} on average), this share is \
         {covered_long:.1} %, and the error is {error:.0} points.",
        calibration.model.tau
    );
    assert!(documentation().contains(&told), "{told}");
}

/// The errors of three estimates of a player's rating: the rating of the player's own play, the mean rating of
/// the other players, and the field-adjusted rating.
struct Missed {
    moves: u64,
    spread: f64,
    by: [f64; 3],
    is_covered: bool,
    /// True if the player's lead over the others in play differs from the lead in rating by more than 1.96
    /// standard errors.
    is_alarm: bool,
}

/// Rates each player from the player's own play and the ratings of the other players, by a fit to the other
/// events. Returns the errors for players with at least 170 moves.
fn in_fields(calibration: &Calibration, sample: &CalibrationSample) -> Vec<Missed> {
    let events = sample.players(calibration.scale);
    let mut missed = Vec::new();
    for (event, model) in left_out(calibration, sample).iter().enumerate() {
        let players = &events[event];
        let rest = [&events[..event], &events[event + 1..]].concat();
        let fit = WithinEvents::fit(model, &rest).expect("players of events");
        for (place, (rating, games)) in players.iter().enumerate() {
            let moves = games.iter().map(GamePlay::moves).sum::<u64>();
            let found = fit.seen_from(model, games, others(players, place)).filter(|_| moves >= 170);
            let Some(found) = found else { continue };
            let theirs: Vec<f64> = others(players, place).map(|other| other.rating).collect();
            let mean = theirs.iter().sum::<f64>() / theirs.len() as f64;
            let own = model.rate(games).outright.expect("moves").value;
            let around = found.rating.interval.expect("an interval");
            missed.push(Missed {
                moves,
                spread: rms(&theirs.iter().map(|one| one - mean).collect::<Vec<_>>()),
                by: [own - rating, found.mean - rating, found.rating.value - rating],
                is_covered: (around.low..=around.high).contains(rating),
                is_alarm: (found.mean + found.above - rating).abs() > 1.96 * found.standard_error,
            });
        }
    }
    missed
}

#[test]
fn field_adjusted_ratings_miss_as_the_documents_say() {
    let (calibration, data) = (stockfish(), sums(STOCKFISH));
    let all = in_fields(&calibration, &data.sample);
    let row = |name: &str, of: &dyn Fn(&Missed) -> bool| {
        let kept: Vec<&Missed> = all.iter().filter(|one| of(one)).collect();
        let [play, mean, both] =
            [0, 1, 2].map(|at| rms(&kept.iter().map(|one| one.by[at]).collect::<Vec<_>>()));
        format!("| {name} | {} | {play:.1} | {mean:.1} | {both:.1} |\n", kept.len())
    };
    let table = [
        row("170 to 299 moves", &|one| one.moves < 300),
        row("300 to 549 moves", &|one| (300..550).contains(&one.moves)),
        row("550 moves and more", &|one| one.moves >= 550),
        row("standard deviation below 80 points", &|one| one.spread < 80.0),
        row("80 to 140 points", &|one| (80.0..140.0).contains(&one.spread)),
        row("140 points and more", &|one| one.spread >= 140.0),
        row("all", &|_| true),
    ]
    .concat();
    assert!(include_str!("../../../../docs/calibration.md").contains(&table), "{table}");
    let share = |of: &dyn Fn(&Missed) -> bool| {
        100.0 * all.iter().filter(|one| of(one)).count() as f64 / all.len() as f64
    };
    let told = format!("For {:.1} % of the {} players", share(&|one| one.is_covered), all.len());
    assert!(documentation().contains(&told), "{told}");
    let told = format!("{:.1} % of these {}", share(&|one| one.is_alarm), all.len());
    assert!(include_str!("../../../../docs/method.md").contains(&told), "{told}");
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
