//! Tests of the screening: false alarms among honest players, and planted engine moves that are found.

use std::collections::BTreeMap;

use super::{tables::*, *};
use crate::chess::Date;
use crate::measure::quality::screening::{PLANTED, SHARES, Screening, share};

fn levels(z: impl Iterator<Item = f64> + Clone) -> [usize; 3] {
    let needed = Screening::LEVELS.map(|level| Normal::standard().inverse_cdf(1.0 - level));
    needed.map(|needed| z.clone().filter(|z| *z >= needed).count())
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
    type Group = (&'static str, Box<dyn Fn(&ScreenTrial) -> bool>);
    let rated = |low: f64, high: f64| move |trial: &ScreenTrial| (low..high).contains(&trial.1);
    let moves = |low: u64, high: u64| move |trial: &ScreenTrial| (low..high).contains(&trial.2.moves);
    let years: Vec<u16> = (0..data.sample.events.len()).map(year).collect();
    let of_years = |low: u16, high: u16| {
        let years = years.clone();
        move |trial: &ScreenTrial| (low..high).contains(&years[trial.0])
    };
    let groups: Vec<Group> = vec![
        ("all", Box::new(|_| true)),
        ("rated below 2000", Box::new(rated(0.0, 2000.0))),
        ("2000–2299", Box::new(rated(2000.0, 2300.0))),
        ("2300–2499", Box::new(rated(2300.0, 2500.0))),
        ("2500 and more", Box::new(rated(2500.0, 4000.0))),
        ("100–149 moves from the 12th on", Box::new(moves(100, 150))),
        ("150–249", Box::new(moves(150, 250))),
        ("250 and more", Box::new(moves(250, 10_000))),
        ("before 2005", Box::new(of_years(0, 2005))),
        ("2005–2019", Box::new(of_years(2005, 2020))),
        ("from 2020", Box::new(of_years(2020, 3000))),
    ];
    let mut rows =
        vec![row(["<honest players", "number", "p < 0.05, %", "p < 0.01, %", "p < 0.001, %", "highest z"])];
    for (name, is_of) in &groups {
        let z: Vec<f64> = trials.iter().filter(|trial| is_of(trial)).map(|trial| trial.2.z()).collect();
        let percent =
            |count: usize| format!("{} ({count})", number(100.0 * count as f64 / z.len() as f64, 1));
        let highest = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let cells = [(*name).to_owned(), rounded(z.len() as f64)].into_iter();
        let alarms = levels(z.iter().copied()).map(percent);
        rows.push(cells.chain(alarms).chain([number(highest, 1)]).collect());
        // Within three standard errors of the nominal level, and 1 more.
        for (count, level) in levels(z.iter().copied()).into_iter().zip(Screening::LEVELS) {
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
    rise: f64,
    p: f64,
}

fn planted_players() -> Vec<PlantedPlayer> {
    let (data, shipped) = (sums(STOCKFISH).sample.after_opening(), stockfish());
    let screen = shipped.screen.as_ref().expect("a screen");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screening/planted.csv.zst");
    let text = zstd::decode_all(fs::read(path).expect("sums").as_slice()).expect("zstd");
    /// Event, player, plan, percent and seed.
    type Key = (String, String, String, u32, u32);
    let mut found: BTreeMap<Key, (u32, GamePlay)> = BTreeMap::new();
    for row in csv::Reader::from_reader(text.as_slice()).deserialize() {
        let row: PlantedRow = row.expect("a row");
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
        let rise = found.lead - lead(own.1).lead;
        PlantedPlayer { level, plan, percent, rating: mean(own), rise, p: share(screen, found.z()).0 }
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
