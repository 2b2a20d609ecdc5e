//! Tests that the tables of docs/calibration.md, docs/calibration-tests.md and docs/lab.md are those of the shipped
//! calibrations.

use statrs::distribution::Beta;

use super::{tables::*, *};

/// Returns the name of a calibration's engine in the documentation.
fn engine_of(calibration: &Calibration) -> String {
    let name = match calibration.engine.name.as_str() {
        builtin if builtin.starts_with("gainalyze") => "built-in",
        "Stockfish 19 Lite WASM" => "Stockfish 19 lite",
        other => other.trim_end_matches(" WASM"),
    };
    match calibration.protocol.limit {
        Limit::Depth(10) => name.to_owned(),
        limit => format!("{name}, {limit}"),
    }
}

fn over_the_board() -> Vec<Calibration> {
    let is_taken = |one: &Calibration| one.scale.is_over_the_board() && one.equated.is_none();
    Calibration::shipped().into_iter().filter(is_taken).collect()
}

fn tried(calibration: &Calibration, direction: Direction) -> &Validation {
    let mut all = calibration.validation.iter();
    all.find(|tried| tried.direction == direction).expect("a test of this direction")
}

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
    let installed = ("stockfish-15.1-depth-10", "Stockfish 15.1");
    let pairs = [[installed, ("builtin-depth-10", "built-in")], [(NODE, "Stockfish 19 lite"), installed]];
    for both in pairs {
        let [one, other] = both.map(|(name, _)| trials_of(name));
        let pairs: Vec<[Trial; 2]> = one.into_iter().zip(other).map(|(one, other)| [one, other]).collect();
        let is_one_block =
            |[a, b]: &[Trial; 2]| (a.event, a.length, a.moves, a.elo) == (b.event, b.length, b.moves, b.elo);
        assert!(pairs.iter().all(is_one_block), "the same blocks by both");
        let of_length = |length| {
            let of_length = pairs.iter().filter(|pair| pair[0].length == Some(length));
            row_of_both(&of_length.copied().collect::<Vec<_>>())
        };
        let [first, second] = both.map(|(_, name)| name);
        let (within, weight) = ("within, %", format!("weight of {first}"));
        let headings = [
            "moves",
            first,
            within,
            second,
            within,
            "their mean",
            within,
            "best mean",
            within,
            &weight,
            "gain, %",
        ];
        let rows: Vec<_> = [row(headings)].into_iter().chain([144, 271, 526, 1015].map(of_length)).collect();
        check_table("lab.md", &format!("{first} and {second}"), &rows);
    }
}

/// Returns a row of the documentation's table: the mean number of moves; errors and coverage of the
/// predictions by the first engine, by the second engine, by their mean, and by their mean with the best
/// weight; the average of the best weights; and the reduction of the first engine's error in percent.
fn row_of_both(pairs: &[[Trial; 2]]) -> Vec<String> {
    let n = pairs.len() as f64;
    let columns = [Some(1.0), Some(0.0), Some(0.5), None].map(|weight| {
        let found = together(pairs, weight);
        let error = (found.iter().map(|one| one.error().powi(2)).sum::<f64>() / n).sqrt();
        let covered = found.iter().filter(|one| one.is_covered()).count() as f64;
        (error, 100.0 * covered / n, found.iter().map(|one| one.weight).sum::<f64>() / n)
    });
    let moves = pairs.iter().map(|pair| pair[0].moves as f64).sum::<f64>() / n;
    let gain = 100.0 * (1.0 - columns[3].0 / columns[0].0);
    let errors = columns.iter().flat_map(|(error, covered, _)| [rounded(*error), number(*covered, 1)]);
    let ends = [number(columns[3].2, 2), number(gain, 1)];
    [rounded(moves)].into_iter().chain(errors).chain(ends).collect()
}

#[test]
fn errors_of_ten_games_are_those_that_the_documentation_compares_with_others() {
    let scales = [
        ("over the board", "stockfish-15.1-depth-10"),
        ("`lichess-rapid`", "stockfish-15.1-depth-10-lichess-rapid"),
        ("`lichess-blitz`", "stockfish-15.1-depth-10-lichess-blitz"),
    ];
    let of_scale = |(scale, name): (&str, &str)| {
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
        vec![
            scale.to_owned(),
            rounded(n),
            rounded(mean(&classical, &|trial| trial.moves as f64)),
            rounded(mean(&classical, &|trial| error(trial).abs())),
            rounded(mean(&regression, &|trial| error(trial).abs())),
            number(told, 2),
            percent(covered),
        ]
    };
    let headings = [
        "<scale",
        "blocks",
        "moves",
        "mean absolute error, classical",
        "regression",
        "R², regression",
        "within 80 %, classical",
    ];
    let rows: Vec<_> = [row(headings)].into_iter().chain(scales.map(of_scale)).collect();
    check_table("lab.md", "errors of some ten games", &rows);
}

#[test]
fn errors_over_the_board_are_those_of_the_documentation() {
    let all = over_the_board();
    let lengths = |direction| tried(&stockfish(), direction).lengths.clone();
    let classical = lengths(Direction::Classical);
    let moves = classical.iter().map(|row| match row.length {
        Some(_) => rounded(row.moves),
        None => format!("{} (whole events)", rounded(row.moves)),
    });
    let headings: Vec<String> = ["<evaluated by".to_owned()].into_iter().chain(moves.clone()).collect();
    let of_engine = |calibration: &Calibration| {
        let errors = tried(calibration, Direction::Classical).lengths.iter().map(|row| rounded(row.rmse));
        [engine_of(calibration)].into_iter().chain(errors).collect::<Vec<_>>()
    };
    let blocks = classical.iter().map(|row| rounded(row.blocks as f64));
    let blocks = ["blocks".to_owned()].into_iter().chain(blocks).collect();
    let rows: Vec<_> = [headings, blocks].into_iter().chain(all.iter().map(of_engine)).collect();
    check_table("calibration.md", "errors", &rows);

    let without = CalibrationDesign { drift_from: None, ..CalibrationDesign::default() };
    let without = validation(&without, &sums(STOCKFISH).sample).lengths;
    let regression = lengths(Direction::Regression);
    let of_length = |(place, moves): (usize, String)| {
        let row = &classical[place];
        vec![
            moves,
            rounded(row.rmse),
            rounded(row.mae),
            signed(row.bias),
            percent(row.coverage),
            rounded(row.shrunken_rmse),
            rounded(without[place].rmse),
            rounded(regression[place].rmse),
        ]
    };
    let headings =
        ["moves", "error", "mean error", "bias", "within, %", "shrunken", "without the year", "regression"];
    let rows: Vec<_> = [row(headings)].into_iter().chain(moves.enumerate().map(of_length)).collect();
    check_table("calibration-tests.md", "directions", &rows);
}

/// Returns the 95 % interval of a share of which `found` of `all` were observed (Clopper and Pearson).
pub fn binomial(found: f64, all: f64) -> [f64; 2] {
    let end = |a: f64, b: f64, p| Beta::new(a, b).expect("a share between 0 and 1").inverse_cdf(p);
    [end(found, all - found + 1.0, 0.025), end(found + 1.0, all - found, 0.975)]
}

#[test]
fn errors_of_single_players_are_those_of_the_documentation() {
    let all = over_the_board();
    let names = all.iter().flat_map(|one| [engine_of(one), "within, %".to_owned()]);
    let headings = row(["at least", "players", "moves"]).into_iter().chain(names).collect();
    let mut rows: Vec<Vec<String>> = vec![headings];
    let (mut shares, mut beyond) = (0, Vec::new());
    for (place, class) in tried(&all[0], Direction::Classical).players.iter().enumerate() {
        let mut cells =
            [class.length.expect("a class") as f64, class.blocks as f64, class.moves].map(rounded).to_vec();
        for calibration in &all {
            let of = &tried(calibration, Direction::Classical).players[place];
            let [low, high] = binomial(of.coverage * of.blocks as f64, of.blocks as f64);
            shares += usize::from(of.blocks >= 100);
            if of.blocks >= 100 && !(low..=high).contains(&0.95) {
                beyond.push(format!("{} from {:?} moves", engine_of(calibration), of.length));
            }
            cells.extend([rounded(of.rmse), percent(of.coverage)]);
        }
        rows.push(cells);
    }
    // By chance, one interval in twenty misses.
    assert_eq!(beyond, ["Stockfish 19 lite from Some(100) moves"]);
    let told = format!("{} of the {shares} shares", shares - beyond.len());
    assert!(documentation_of_tests().contains(&told), "{told}");
    check_table("calibration.md", "single players", &rows);
}

#[test]
fn expected_errors_of_equated_engines_are_those_of_the_documentation() {
    let of_engine = |calibration: &Calibration| {
        let equated = calibration.equated.as_ref()?;
        let [low, high] = equated.error_range.map(rounded);
        let correlations = equated.correlations.values().map(|r| number(*r, 2));
        let error = [engine_of(calibration), rounded(equated.error), format!("{low} to {high}")];
        Some(error.into_iter().chain(correlations).collect::<Vec<_>>())
    };
    let all = Calibration::shipped();
    let headings = row(["<evaluated by", "expected error", "95 % interval", "r of top moves", "r of losses"]);
    let rows: Vec<_> = [headings].into_iter().chain(all.iter().filter_map(of_engine)).collect();
    check_table("calibration.md", "equated engines", &rows);
}

#[test]
fn errors_by_rating_are_those_of_the_documentation() {
    let shipped = stockfish();
    let [classical, regression] =
        [Direction::Classical, Direction::Regression].map(|one| tried(&shipped, one));
    let headings = ["<ratings", "blocks", "mean", "bias", "error", "within, %", "bias, regression"];
    let of_band = |band: &BandRow| {
        let bias = |by: &Validation| {
            let found = by.bands.iter().find(|other| other.from == band.from);
            signed(found.expect("the same bands").bias)
        };
        vec![
            format!("{:.0} to {:.0}", band.from, band.to - 1.0),
            rounded(band.blocks as f64),
            rounded(band.elo),
            signed(band.bias),
            rounded(band.rmse),
            percent(band.coverage),
            bias(regression),
        ]
    };
    let rows: Vec<_> = [row(headings)].into_iter().chain(classical.bands.iter().map(of_band)).collect();
    check_table("calibration-tests.md", "errors by rating", &rows);
}

#[test]
fn errors_on_lichess_are_those_of_the_documentation() {
    let is_taken = |one: &Calibration| !one.scale.is_over_the_board() && !one.is_of_lichess();
    let all: Vec<Calibration> = Calibration::shipped().into_iter().filter(is_taken).collect();
    let headings = ["<scale", "<engine", "moves", "blocks", "error", "bias", "within, %", "shrunken"];
    let rows = all.iter().flat_map(|one| {
        tried(one, one.direction).lengths[1..4].iter().map(|row| {
            vec![
                format!("`{}`", one.scale),
                engine_of(one),
                rounded(row.moves),
                row.blocks.to_string(),
                rounded(row.rmse),
                signed(row.bias),
                percent(row.coverage),
                rounded(row.shrunken_rmse),
            ]
        })
    });
    check_table("calibration.md", "lichess", &[row(headings)].into_iter().chain(rows).collect::<Vec<_>>());

    let of_stockfish: Vec<&Calibration> =
        all.iter().filter(|one| one.engine.name == "Stockfish 15.1").collect();
    let bands = |one: &Calibration| tried(one, one.direction).bands.clone();
    let headings = of_stockfish.iter().flat_map(|one| {
        let speed = one.scale.to_string().replace("lichess-", "");
        [format!("{speed}: blocks"), "bias".to_owned(), "error".to_owned()]
    });
    let headings = ["<ratings".to_owned()].into_iter().chain(headings).collect();
    let firsts: BTreeSet<u32> =
        of_stockfish.iter().flat_map(|one| bands(one)).map(|band| band.from as u32).collect();
    let of_band = |from: u32| {
        let cells = of_stockfish.iter().flat_map(|one| {
            let found = bands(one).into_iter().find(|band| band.from as u32 == from);
            found.map_or_else(
                || row(["", "", ""]),
                |band| vec![band.blocks.to_string(), signed(band.bias), rounded(band.rmse)],
            )
        });
        [format!("{from} to {}", from + 399)].into_iter().chain(cells).collect()
    };
    let rows: Vec<Vec<String>> = [headings].into_iter().chain(firsts.into_iter().map(of_band)).collect();
    check_table("calibration-tests.md", "lichess by rating", &rows);
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
    assert!(documentation().contains(&told), "{told}");
}

/// Returns one model for each event, fitted to the other events.
pub fn left_out(calibration: &Calibration, sample: &CalibrationSample) -> Vec<RatingModel> {
    let design = design_of(calibration);
    let fitting = Fitting::of(&design, sample, None);
    fitting.models(fitting.variance().expect("errors")).expect("models")
}

pub fn rms(errors: &[f64]) -> f64 {
    (errors.iter().map(|error| error.powi(2)).sum::<f64>() / errors.len() as f64).sqrt()
}

/// Returns the documentation of calibrations without line breaks.
fn documentation() -> String {
    include_str!("../../../../docs/calibration.md").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the documentation of the calibrations' tests without line breaks.
pub fn documentation_of_tests() -> String {
    include_str!("../../../../docs/calibration-tests.md").split_whitespace().collect::<Vec<_>>().join(" ")
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
    let kind = |name: &str, of: &dyn Fn(&Missed) -> bool| {
        let kept: Vec<&Missed> = all.iter().filter(|one| of(one)).collect();
        let errors = [0, 1, 2].map(|at| rms(&kept.iter().map(|one| one.by[at]).collect::<Vec<_>>()));
        [name.to_owned(), kept.len().to_string()].into_iter().chain(errors.map(rounded)).collect::<Vec<_>>()
    };
    let rows = [
        row(["<", "players", "rating of play", "mean of the others", "field-adjusted rating"]),
        kind("170 to 299 moves", &|one| one.moves < 300),
        kind("300 to 549 moves", &|one| (300..550).contains(&one.moves)),
        kind("550 moves and more", &|one| one.moves >= 550),
        kind("standard deviation below 80 points", &|one| one.spread < 80.0),
        kind("80 to 140 points", &|one| (80.0..140.0).contains(&one.spread)),
        kind("140 points and more", &|one| one.spread >= 140.0),
        kind("all", &|_| true),
    ];
    check_table("calibration.md", "field", &rows);
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
