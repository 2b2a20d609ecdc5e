//! Tests of the study: cases by hand, and figures that a program in Python computed independently.

use std::{cell::RefCell, fs, path::Path, sync::LazyLock};

use shakmaty::Color;

use super::*;
use crate::chess::{EvaluatedGame, pgn::parse_games, recorded_evaluations};
use crate::measure::{CountedMoves, MoveFacts, MoveSample, Statistic};

fn text_of(name: &str) -> String {
    let packed = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a file of the project");
    String::from_utf8(zstd::decode_all(packed.as_slice()).expect("zstd")).expect("text")
}

/// The study from the files of the repository.
pub static STUDY: LazyLock<History> = LazyLock::new(|| {
    let data = ["stockfish-15.1", "builtin", "stockfish-16"].map(|engine| {
        let text = text_of(&format!("data/calibration/sums-{engine}-depth-10.csv.zst"));
        CalibrationData::parse(&text).expect("sums")
    });
    History::of(&data).expect("a study")
});

fn cell(name: &str, rating: f64, year: f64, [t, l]: [f64; 2]) -> Cell {
    let values = [t, l, f64::NAN, f64::NAN, f64::NAN];
    Cell { name: name.to_owned(), rating, year, is_new: false, players: 2, values }
}

#[test]
fn four_cells_by_hand() {
    // T is 50 + 1·rating/100 + 0.5·decade, and L is 3 − 0.1·rating/100 − 0.03·decade: 50 and 30 Elo a decade.
    let cells = vec![
        cell("a", 2300.0, 2015.0, [50.0, 3.0]),
        cell("b", 2400.0, 2015.0, [51.0, 2.9]),
        cell("c", 2300.0, 2025.0, [50.5, 2.97]),
        cell("d", 2400.0, 2025.0, [51.5, 2.87]),
    ];
    let asked = Asked { figure: Figure::Change, lost: 3, terms: vec![(1.0, cells.clone(), cells.clone())] };
    let close =
        |found: Option<f64>, expected: f64| assert!((found.expect("E") - expected).abs() < 1e-6, "{found:?}");
    close(asked.usual(), 40.0);
    close(asked.value(&[T], false, &|_| true), 50.0);
    // Cell d is on the line of the others, ten years after 2015.
    let base: Vec<&Cell> = cells.iter().collect();
    close(level(&cells[3], &base, T), 50.0);
    close(slope(&base, T), 0.5);
}

#[test]
fn shuffled_years_tell_nothing() {
    let found = RefCell::new(Vec::new());
    shuffled_p(&STUDY.divisions[0][0], 70.0, |cells| {
        let e = mean_over(&[T, L], |at| line(cells, at, None).map(|line| 100.0 * line[2] / line[1]));
        found.borrow_mut().extend(e);
        e
    });
    let mean = found.borrow().iter().sum::<f64>() / found.borrow().len() as f64;
    assert!(mean.abs() < 1.0, "{mean}");
}

/// Returns a change as `+70 (+49 to +90)`.
fn said(change: &Change, decimals: usize) -> String {
    let Estimate { value, interval, .. } = change.estimate;
    let interval = interval.expect("an interval");
    format!("{value:+.decimals$} ({:+.decimals$} to {:+.decimals$})", interval.low, interval.high)
}

#[test]
fn the_answers_are_those_of_another_program() {
    let expected = [
        ("+70 (+49 to +90)", "+78 (+49 to +106)", "+70 (+48 to +92)", 85, 3282, true),
        ("+61 (+40 to +81)", "+69 (+39 to +99)", "+59 (+36 to +83)", 85, 3273, true),
        ("+203 (+110 to +296)", "+267 (+134 to +401)", "+204 (+100 to +308)", 32, 942, true),
        ("+111 (+73 to +148)", "+130 (+78 to +181)", "+116 (+81 to +150)", 38, 670, true),
        ("+62 (+11 to +113)", "+64 (-1 to +129)", "+51 (-8 to +109)", 43, 690, false),
        ("+42 (+12 to +72)", "+35 (-0 to +70)", "+40 (+8 to +71)", 39, 613, false),
        ("+54 (+19 to +89)", "+62 (+13 to +111)", "+55 (+23 to +87)", 29, 326, true),
        ("+99 (+64 to +135)", "+118 (+58 to +178)", "+114 (+69 to +160)", 85, 3282, true),
        ("+68 (+46 to +90)", "+75 (+46 to +105)", "+67 (+45 to +90)", 85, 3273, true),
        ("+23 (-27 to +72)", "+20 (-64 to +104)", "+9 (-47 to +64)", 85, 2314, false),
        ("+77 (+10 to +144)", "+98 (-10 to +206)", "+106 (+28 to +183)", 85, 3282, false),
        ("+69 (+32 to +107)", "+111 (+54 to +169)", "+72 (+32 to +112)", 85, 2560, true),
        ("+88 (+10 to +166)", "+134 (+22 to +245)", "+101 (+20 to +181)", 85, 3282, false),
        ("-74 (-171 to +24)", "-164 (-360 to +32)", "-72 (-213 to +69)", 18, 593, false),
    ];
    for ((answer, question), (main, second, third, events, players, is_robust)) in
        STUDY.answers.iter().zip(&QUESTIONS).zip(expected)
    {
        let found: Vec<String> = answer.changes.iter().map(|change| said(change, 0)).collect();
        assert_eq!(found, [main, second, third], "{}", question.0);
        let counts = (answer.changes[0].estimate.observations, answer.players, answer.failed.is_empty());
        assert_eq!(counts, (events, players, is_robust), "{} {:?}", question.0, answer.failed);
    }
    let adjusted = |at: usize| (1e4 * STUDY.answers[at].adjusted.expect("p")).round() / 1e4;
    assert_eq!([0, 2, 4, 5, 6, 9, 11].map(adjusted), [0.0001, 0.001, 0.095, 0.047, 0.0252, 0.3648, 0.0032]);
    assert_eq!(span(STUDY.answers[0].conditions.iter().map(|one| one.1.round())), [61.0, 96.0]);
    assert_eq!(said(&STUDY.answers[14].changes[0], 1), "-3.3 (-6.4 to -0.2)");
    assert_eq!(said(&STUDY.answers[15].changes[0], 1), "-3.6 (-7.0 to -0.2)");
    assert_eq!(said(&STUDY.without_year, 0), "+71 (+50 to +92)");
    let alone = |at: usize| [0, 1].map(|of: usize| STUDY.answers[at].conditions[of].1.round());
    assert_eq!([7, 8, 9].map(alone), [[116.0, 83.0], [75.0, 61.0], [-44.0, 89.0]], "T and L alone");
    // With the slope of the 16 events themselves; +55 with that of all events.
    assert_eq!(said(&STUDY.regan, 0), "+52 (-5 to +110)");
}

#[test]
fn the_trends_of_title_matches_are_those_of_another_program() {
    let found: Vec<String> = STUDY.trends.iter().map(|trend| said(trend, 3)).collect();
    let expected = [
        "+0.596 (+0.442 to +0.751)",
        "-0.046 (-0.056 to -0.036)",
        "+0.537 (+0.383 to +0.691)",
        "-0.046 (-0.056 to -0.035)",
    ];
    assert_eq!(found, expected);
    assert!(STUDY.trends.iter().all(|trend| (trend.p - 0.0004).abs() < 1e-9));
    assert_eq!(STUDY.matches[0].iter().filter(|cell| !cell.is_aside()).count(), 49);
}

const TITLE_GAMES: &str = "data/history/title-matches-stockfish-15.1-depth-10.pgn.zst";

/// Returns the sums of the games of the title matches, by match, player and phase, as in title-sums.csv.
fn sums_of_games() -> BTreeMap<(String, String, String), GamePlay> {
    let games = parse_games(&text_of(TITLE_GAMES), TITLE_GAMES).into_iter().map(|game| {
        let game = game.expect("a legal game");
        let evaluations = recorded_evaluations(&game, None).expect("evaluations");
        EvaluatedGame::new(game, evaluations)
    });
    let games: Vec<EvaluatedGame> = games.collect();
    let sample = MoveSample::of(&games);
    let mut sums: BTreeMap<_, GamePlay> = BTreeMap::new();
    for (place, game) in games.iter().map(EvaluatedGame::game).enumerate() {
        for (color, phase) in Color::ALL.into_iter().flat_map(|color| Phase::ALL.map(|phase| (color, phase)))
        {
            let is_of = |facts: &&MoveFacts| (facts.mover, facts.phase) == (color, phase);
            let play =
                GamePlay::of_moves(sample.moves_of(place).iter().filter(is_of), CountedMoves::default());
            let event = game.tags.get("Event").expect("an event").to_owned();
            *sums.entry((event, game.player(color).to_owned(), phase.to_string())).or_default() += play;
        }
    }
    sums.retain(|_, play| play.moves() > 0);
    sums
}

#[test]
fn the_sums_of_title_matches_are_those_of_their_games() {
    // The package does not contain the games.
    if !Path::new(env!("CARGO_MANIFEST_DIR")).join(TITLE_GAMES).exists() {
        return;
    }
    let found = sums_of_games();
    let row = |((event, player, phase), play): ((String, String, String), GamePlay)| MatchSums {
        event,
        player,
        phase,
        moves: play.moves(),
        top_moves: (play.sum(Statistic::FirstChoice) / 100.0).round() as u64,
        win_loss_percent: (play.sum(Statistic::WinLoss) * 1e4).round() / 1e4,
        evaluation_loss_cp: play.sum(Statistic::EvaluationLoss).round() as u64,
    };
    let mut table = csv::Writer::from_writer(Vec::new());
    found.into_iter().map(row).for_each(|row| table.serialize(row).expect("a row"));
    let table = String::from_utf8(table.into_inner().expect("rows")).expect("text");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/history/title-sums.csv");
        fs::write(path, &table).expect("a written table");
    }
    assert!(table == TITLE_SUMS, "UPDATE_DOCS=1 writes title-sums.csv");
}

#[test]
fn the_sources_are_those_of_the_calibration_games() {
    let rows = csv::Reader::from_reader(SOURCES.as_bytes()).into_deserialize();
    let sources: BTreeMap<String, u32> = rows.collect::<Result<_, _>>().expect("rows");
    let listed = include_str!("../../../data/calibration/README.md").lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let name = cells.get(1)?.strip_prefix('`')?.strip_suffix('`')?;
        let source = cells.iter().rev().find_map(|cell| cell.split_once(": ")?.0.parse().ok())?;
        Some((name.to_owned(), source))
    });
    let listed: BTreeMap<String, u32> = listed.collect();
    let own = ["candidates-2013", "london-chess-classic-2011"];
    for (name, source) in &sources {
        let expected = if own.contains(&&**name) { Some(&0) } else { listed.get(name) };
        assert_eq!(Some(source), expected, "{name}");
    }
    assert_eq!(sources.len(), 85);
}

/// The numbers in the texts of the page.
#[test]
fn the_words_of_the_page_are_true() {
    let before = |year: f64, at: usize| STUDY.divisions[at][0].iter().filter(|cell| cell.year < year).count();
    assert_eq!((STUDY.divisions[0][0].len(), before(2000.0, 0), before(2013.0, 2)), (85, 4, 0));
    assert_eq!((STUDY.answers[5].changes[1].p * 1e4).round(), 502.0, "2400 to 2599 by the built-in engine");
    let without =
        |name: &str| STUDY.answers[2].conditions.iter().find(|one| one.0 == name).expect("a condition").1;
    assert_eq!(without("without source 1").round(), 116.0);
    assert!([14, 15].iter().all(|&at| STUDY.answers[at].changes[1].p > SIGNIFICANT), "Voigt's players");
    let regan = STUDY.regan.estimate.interval.expect("an interval");
    let main = STUDY.answers[0].changes[0].estimate.value;
    assert!(regan.low < 0.0 && regan.high > main);
    let docs = include_str!("../../../docs/papers.md").split_whitespace().collect::<Vec<_>>().join(" ");
    let percent = 100.0 * STUDY.trends[1].estimate.value.exp_m1();
    for words in [
        format!("by {main:.0} Elo points a decade (95 % interval 49 to 90; 85 events, 1982 to 2025)"),
        "the change is 61 (40 to 81)".to_owned(),
        format!("the loss fell by {:.1} % a decade", -percent),
    ] {
        assert!(docs.contains(&words), "{words}");
    }
}
