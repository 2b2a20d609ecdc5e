//! Tests of the screening: false alarms among honest players, and planted engine moves that are found.

use std::collections::BTreeMap;

use super::{tables::*, *};
use crate::chess::Date;
use crate::measure::quality::screening::{PLANTED, SHARES, Screening, share};
use crate::numbers::stats::estimate::{mean_of, standard_deviation};

/// Reads the rows of a file of tests/screening.
fn read<T: serde::de::DeserializeOwned>(name: &str) -> Vec<T> {
    let bytes =
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screening").join(name)).expect("a file");
    let text = if name.ends_with(".zst") { zstd::decode_all(bytes.as_slice()).expect("zstd") } else { bytes };
    csv::Reader::from_reader(text.as_slice()).deserialize().map(|row| row.expect("a row")).collect()
}

/// Returns the row of a group of honest players: their number, and at each level the share and number of those above it.
fn alarms(group: &str, z: &[f64], levels: &[f64]) -> Vec<String> {
    let above = |level: &f64| {
        let needed = Normal::standard().inverse_cdf(1.0 - level);
        let count = z.iter().filter(|z| **z >= needed).count();
        format!(
            "{} ({count})",
            number(100.0 * count as f64 / z.len() as f64, if *level < 0.01 { 2 } else { 1 })
        )
    };
    let highest = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let cells = [group.to_owned(), rounded(z.len() as f64)].into_iter().chain(levels.iter().map(above));
    cells.chain([number(highest, 1)]).collect()
}

/// A test that a player belongs to a group.
type IsOf = Box<dyn Fn(&ScreenTrial) -> bool>;

fn rated(low: f64, high: f64) -> IsOf {
    Box::new(move |trial| (low..high).contains(&trial.1))
}

#[test]
fn honest_players_give_as_many_false_alarms_as_the_documentation_has() {
    let data = sums(STOCKFISH);
    let shipped = stockfish();
    let (screen, trials) = Screen::fit(&design_of(&shipped), &data.sample).expect("a screen");
    assert_eq!(shipped.screen, Some(screen));
    let year = |event: usize| {
        let plays = data.sample.plays.iter().filter(|play| play.event as usize == event);
        plays.filter_map(|play| play.date).map(Date::year).min().unwrap_or_default()
    };
    let moves = |low: u64, high: u64| -> IsOf { Box::new(move |trial| (low..high).contains(&trial.2.moves)) };
    let years: Vec<u16> = (0..data.sample.events.len()).map(year).collect();
    let of_years = |low: u16, high: u16| -> IsOf {
        let years = years.clone();
        Box::new(move |trial| (low..high).contains(&years[trial.0]))
    };
    let groups: Vec<(&str, IsOf)> = vec![
        ("all", Box::new(|_| true)),
        ("rated below 2000", rated(0.0, 2000.0)),
        ("2000–2299", rated(2000.0, 2300.0)),
        ("2300–2499", rated(2300.0, 2500.0)),
        ("2500 and more", rated(2500.0, 4000.0)),
        ("100–149 moves from the 12th on", moves(100, 150)),
        ("150–249", moves(150, 250)),
        ("250 and more", moves(250, 10_000)),
        ("before 2005", of_years(0, 2005)),
        ("2005–2019", of_years(2005, 2020)),
        ("from 2020", of_years(2020, 3000)),
    ];
    let mut rows =
        vec![row(["<honest players", "number", "z > 1.64, %", "z > 2.33, %", "z > 3.09, %", "highest z"])];
    for (name, is_of) in &groups {
        let z: Vec<f64> = trials.iter().filter(|trial| is_of(trial)).map(|trial| trial.2.z()).collect();
        rows.push(alarms(name, &z, &Screening::LEVELS));
        // Within three standard errors of the nominal level, and 1 more.
        for level in Screening::LEVELS {
            let needed = Normal::standard().inverse_cdf(1.0 - level);
            let count = z.iter().filter(|z| **z >= needed).count();
            let expected = level * z.len() as f64;
            let is_usual = (count as f64 - expected).abs() <= 3.0 * expected.sqrt() + 1.0;
            assert!(is_usual, "{name}: {count} for {expected}");
        }
    }
    check_table("screening.md", "false alarms", &rows);
    let screen = shipped.screen.expect("a screen");
    for level in Screening::LEVELS {
        let needed = screen.needed(level);
        assert!(
            share(&screen, needed + 1e-6).0 < level && share(&screen, needed).0 >= level,
            "{level}: {needed}"
        );
    }
}

/// Sums of a player's moves from the 12th on in an event. A move without loss stands for a top move, because the best
/// moves are not known.
#[derive(serde::Deserialize)]
struct PlayerRow {
    event: u32,
    elo: u32,
    year: u16,
    depth: u32,
    middlegame_moves: u64,
    middlegame_without_loss: u64,
    middlegame_win_loss_percent: f64,
    endgame_moves: u64,
    endgame_without_loss: u64,
    endgame_win_loss_percent: f64,
}

#[test]
fn honest_players_of_other_events_and_engines_give_the_false_alarms_of_the_documentation() {
    let mut sample = CalibrationSample::default();
    let mut depths = Vec::new();
    for (game, row) in (0..).zip(read::<PlayerRow>("over-the-board-2012-2018.csv.zst")) {
        if row.event as usize > depths.len() {
            depths.push(row.depth);
            sample.events.push(CalibrationEvent::named(row.event.to_string()));
        }
        let play = |phase, moves, without_loss: u64, win_loss| {
            GamePlay::from_sums(moves, [100.0 * without_loss as f64, win_loss, 0.0, 0.0, 0.0])
                .in_phase(phase)
                .in_year(Some(row.year))
        };
        sample.plays.push(CalibrationPlay {
            event: row.event - 1,
            game,
            color: Color::White,
            player: game.to_string(),
            elo: row.elo,
            is_of_server: false,
            date: Date::of_tag(&row.year.to_string()),
            accuracy: None,
            phases: [
                GamePlay::default(),
                play(
                    Phase::Middlegame,
                    row.middlegame_moves,
                    row.middlegame_without_loss,
                    row.middlegame_win_loss_percent,
                ),
                play(
                    Phase::Endgame,
                    row.endgame_moves,
                    row.endgame_without_loss,
                    row.endgame_win_loss_percent,
                ),
            ],
        });
    }
    let design = CalibrationDesign { drift_from: None, ..design_of(&stockfish()) };
    let (_, trials) = Screen::fit(&design, &sample).expect("a screen");
    let of_depths = |low: u32, high: u32| -> IsOf {
        let depths = depths.clone();
        Box::new(move |trial| (low..=high).contains(&depths[trial.0]))
    };
    let groups: Vec<(&str, IsOf)> = vec![
        ("all", Box::new(|_| true)),
        ("rated below 2000", rated(0.0, 2000.0)),
        ("2000–2299", rated(2000.0, 2300.0)),
        ("2300–2499", rated(2300.0, 2500.0)),
        ("2500 and more", rated(2500.0, 4000.0)),
        ("depth 14 or 15", of_depths(14, 15)),
        ("depth 16 or 20", of_depths(16, 20)),
    ];
    let levels = [Screening::LEVELS.as_slice(), &[0.0001]].concat();
    let heads = [
        "<honest players",
        "number",
        "p < 0.05, %",
        "p < 0.01, %",
        "p < 0.001, %",
        "p < 0.0001, %",
        "highest z",
    ];
    let of = |(name, is_of): &(&str, IsOf)| {
        let z: Vec<f64> = trials.iter().filter(|trial| is_of(trial)).map(|trial| trial.2.z()).collect();
        alarms(name, &z, &levels)
    };
    let rows: Vec<_> = [row(heads)].into_iter().chain(groups.iter().map(of)).collect();
    check_table("screening.md", "false alarms elsewhere", &rows);
}

/// Sums of a player's moves from the 12th on, with some of the moves replaced by an engine's.
#[derive(serde::Deserialize)]
struct PlantedRow {
    event: String,
    player: String,
    level: u32,
    plan: String,
    percent: u32,
    seed: u32,
    phase: String,
    moves: u64,
    first_choice_percent: f64,
    win_loss_percent: f64,
}

/// The mean rating, the rise of the lead, and p of a player with planted moves.
struct PlantedPlayer {
    level: u32,
    plan: String,
    percent: u32,
    rating: f64,
    honest: f64,
    rise: f64,
    p: f64,
}

fn planted_players() -> Vec<PlantedPlayer> {
    let (data, shipped) = (sums(STOCKFISH).sample.after_opening(), stockfish());
    let screen = shipped.screen.as_ref().expect("a screen");
    /// Event, player, plan, percent and seed.
    type Key = (String, String, String, u32, u32);
    let mut found: BTreeMap<Key, (u32, GamePlay)> = BTreeMap::new();
    for row in read::<PlantedRow>("planted.csv.zst") {
        let sums = [row.first_choice_percent, row.win_loss_percent, 0.0, 0.0, 0.0];
        let play = GamePlay::from_sums(row.moves, sums).in_phase(row.phase.parse().expect("a phase"));
        let key = (row.event, row.player, row.plan, row.percent, row.seed);
        found.entry(key).or_insert((row.level, GamePlay::default())).1 += play;
    }
    let mut fields: BTreeMap<&str, BTreeMap<&str, (f64, GamePlay)>> = BTreeMap::new();
    for play in &data.plays {
        let Some(rating) = play.rating(shipped.scale) else { continue };
        let field = fields.entry(&data.events[play.event as usize].name).or_default();
        let (sum, total) = field.entry(&play.player).or_default();
        *sum += rating * play.all().moves() as f64;
        *total += play.all();
    }
    let player = |((event, player, plan, percent, _), (level, planted)): (Key, (u32, GamePlay))| {
        let field = &fields[event.as_str()];
        let mean = |(sum, total): &(f64, GamePlay)| sum / total.moves() as f64;
        let own = &field[player.as_str()];
        let lead = |play: GamePlay| {
            let others = field.iter().filter(|(name, _)| **name != player);
            let others = others.map(|(_, other)| Other { rating: mean(other), total: other.1 });
            screen.lead(mean(own), &[play], others).expect("a lead")
        };
        let found = lead(planted.in_year(own.1.year().map(|year| year.round() as u16)));
        let honest = lead(own.1).lead;
        let rise = found.lead - honest;
        PlantedPlayer { level, plan, percent, rating: mean(own), honest, rise, p: share(screen, found.z()).0 }
    };
    found.into_iter().map(player).collect()
}

#[test]
fn planted_engine_moves_are_found_as_often_as_the_documentation_has() {
    let players = planted_players();
    let of = |level: Option<u32>, plan: &str, percent: u32| -> Vec<&PlantedPlayer> {
        let is_of = |one: &&PlantedPlayer| {
            level.is_none_or(|level| one.level == level) && one.plan == plan && one.percent == percent
        };
        players.iter().filter(is_of).collect()
    };
    let mean = |all: &[&PlantedPlayer], value: fn(&PlantedPlayer) -> f64| {
        all.iter().map(|one| value(one)).sum::<f64>() / all.len() as f64
    };
    const RATINGS: [u32; 5] = [1600, 2000, 2300, 2500, 2700];
    for (level, (rating, rises)) in RATINGS.into_iter().zip(PLANTED) {
        for (share, rise) in SHARES.into_iter().zip(rises) {
            let all = of(Some(level), "random", (100.0 * share).round() as u32);
            let found = [mean(&all, |one| one.rating), mean(&all, |one| one.rise)];
            // The years of an event's games are averaged here.
            let is_near = (found[0] - rating).abs() < 0.5 && (found[1] - rise).abs() < 1.5;
            assert!(is_near, "{level}, {share}: {found:?}");
        }
    }
    let plans = [
        ("random", "at random"),
        ("within 3", "at random, evaluation within ±3"),
        ("costliest", "at the costliest moves"),
    ];
    let heads = ["<engine moves", "%", "1726", "1957", "2303", "2501", "2738"].into_iter();
    let mut rows =
        vec![heads.chain(["all, p < 0.01, %", "p < 0.001, %"]).map(str::to_owned).collect::<Vec<_>>()];
    for (plan, name) in plans {
        let mut percents: Vec<u32> =
            players.iter().filter(|one| one.plan == plan).map(|one| one.percent).collect();
        percents.sort_unstable();
        percents.dedup();
        for percent in percents {
            let found = |level: Option<u32>, p: f64| {
                let all = of(level, plan, percent);
                rounded(100.0 * all.iter().filter(|one| one.p < p).count() as f64 / all.len() as f64)
            };
            let by_level = RATINGS.map(|level| found(Some(level), 0.01));
            let all = [found(None, 0.01), found(None, 0.001)];
            rows.push(
                [name.to_owned(), percent.to_string()].into_iter().chain(by_level).chain(all).collect(),
            );
        }
    }
    check_table("screening.md", "power", &rows);
}

/// Usual measures of a player's games in an event, with a percentage of the moves from the 12th on replaced by an engine's.
/// Undecided: unforced moves from the 10th on in positions within ±200 centipawns.
#[derive(serde::Deserialize)]
struct MeasuredRow {
    elo: f64,
    percent: u32,
    top_moves: f64,
    top_moves_undecided: f64,
    loss: f64,
    loss_undecided: f64,
    accuracy: f64,
}

/// A rating, the percentage of planted moves and a measure that is larger for better play.
type Measured = (f64, u32, f64);

/// Returns, for each percentage of planted moves, the mean z and the percentage of players above the z of p = 0.01. z is the
/// deviation from a straight line in the rating through the players without planted moves, in their standard deviations.
fn seen(all: &[Measured]) -> Vec<String> {
    let (x, y): (Vec<f64>, Vec<f64>) = all.iter().filter(|one| one.1 == 0).map(|one| (one.0, one.2)).unzip();
    let mean = |values: &[f64]| mean_of(values).expect("values");
    let (x_mean, y_mean) = (mean(&x), mean(&y));
    let slope = pearson(&x, &y).expect("a correlation") * standard_deviation(&y) / standard_deviation(&x);
    let expected = |x: f64| y_mean + slope * (x - x_mean);
    let squares: f64 = x.iter().zip(&y).map(|(x, y)| (y - expected(*x)).powi(2)).sum();
    let scatter = (squares / (x.len() - 2) as f64).sqrt();
    let needed = Normal::standard().inverse_cdf(0.99);
    let of = |percent: u32| {
        let z: Vec<f64> = all
            .iter()
            .filter(|one| one.1 == percent)
            .map(|one| (one.2 - expected(one.0)) / scatter)
            .collect();
        let above = z.iter().filter(|z| **z >= needed).count() as f64 / z.len() as f64;
        [number(mean(&z), 1), rounded(100.0 * above)]
    };
    [30, 50, 100].into_iter().flat_map(of).collect()
}

#[test]
fn usual_measures_see_less_as_the_documentation_has_it() {
    let rows = read::<MeasuredRow>("measures.csv.zst");
    let of = |value: fn(&MeasuredRow) -> f64| -> Vec<Measured> {
        rows.iter().map(|row| (row.elo, row.percent, value(row))).collect()
    };
    let planted = planted_players();
    let random = planted.iter().filter(|one| one.plan == "random");
    let honest = random.clone().filter(|one| one.percent == 100).map(|one| (one.rating, 0, one.honest));
    let leads = honest.chain(random.map(|one| (one.rating, one.percent, one.honest + one.rise))).collect();
    let measures = [
        ("lead over the other players (`--screen`)", leads),
        ("top moves, all moves", of(|row| row.top_moves)),
        ("top moves, undecided and unforced from move 10", of(|row| row.top_moves_undecided)),
        ("logarithm of the mean loss, all moves", of(|row| -row.loss.ln())),
        ("the same, undecided and unforced from move 10", of(|row| -row.loss_undecided.ln())),
        ("lichess's accuracy, mean of the games", of(|row| row.accuracy)),
    ];
    let heads = ["<measure", "30 %: z", "z > 2.33, %", "50 %: z", "z > 2.33, %", "100 %: z", "z > 2.33, %"];
    let line = |(name, all): &(&str, Vec<Measured>)| [vec![(*name).to_owned()], seen(all)].concat();
    let table: Vec<_> = [row(heads)].into_iter().chain(measures.iter().map(line)).collect();
    check_table("screening.md", "measures", &table);
}

/// A move from the 12th on, and the move of another engine (`planted`), by searches of depths 10 and 18: 1 for a top move, and
/// the loss of winning chances in percent.
#[derive(serde::Deserialize)]
struct JudgedRow {
    level: u32,
    top_10: f64,
    planted_top_10: f64,
    loss_10: f64,
    planted_loss_10: f64,
    top_18: f64,
    planted_top_18: f64,
    loss_18: f64,
    planted_loss_18: f64,
}

#[test]
fn a_deeper_search_tells_more_as_the_documentation_has_it() {
    let rows = read::<JudgedRow>("depths.csv.zst");
    let heads = ["mean rating", "moves", "top moves at 10", "at 18", "loss at 10", "at 18"];
    let mut table = vec![row(heads)];
    for (level, (rating, _)) in [1600, 2000, 2300, 2500, 2700].into_iter().zip(PLANTED) {
        let of = |value: fn(&JudgedRow) -> f64| -> Vec<f64> {
            rows.iter().filter(|row| row.level == level).map(value).collect()
        };
        let mean = |values: &[f64]| mean_of(values).expect("moves");
        let rise = |own: fn(&JudgedRow) -> f64, planted: fn(&JudgedRow) -> f64| {
            let own = of(own);
            (mean(&of(planted)) - mean(&own)) / standard_deviation(&own)
        };
        let rises = [
            rise(|row| row.top_10, |row| row.planted_top_10),
            rise(|row| row.top_18, |row| row.planted_top_18),
            -rise(|row| row.loss_10, |row| row.planted_loss_10),
            -rise(|row| row.loss_18, |row| row.planted_loss_18),
        ];
        let cells = [rounded(rating), rounded(of(|_| 1.0).len() as f64)].into_iter();
        table.push(cells.chain(rises.map(|rise| number(rise, 2))).collect());
    }
    check_table("screening.md", "depths", &table);
}
