//! Tests of the report of an experiment: from a table of results to files, pictures and page.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    path::{Path, PathBuf},
};

use gainalyze::base::output::{NoFacts, OutputFolder, Overwrite, RunClock, RunKind};
use gainalyze::chess::{Ending, GameResult};
use gainalyze::files::{Format, PictureFormat, read_anchor};
use gainalyze::lab::{Choices, Contender, Experiment, Fit, GameRecord, RatingAnchor, Side};
use gainalyze::numbers::{Estimate, Interval};
use gainalyze::report::table::Screen;
use gainalyze::report::{kinds::experiment::EXPERIMENT, kinds::experiment::Facts, kinds::experiment::report};
use gainalyze::report::{publish::ReportFormats, writing::publish};

use crate::read_back;

fn formats() -> ReportFormats {
    ReportFormats {
        tables: BTreeSet::from([Format::Csv]),
        // PNG files would take much of a test's time.
        pictures: BTreeSet::from([PictureFormat::Svg]),
        scale: 1,
        page: true,
        ..ReportFormats::default()
    }
}

fn facts() -> Facts {
    Facts {
        title: "Scripted 1.0, depths 1 to 5".to_owned(),
        engine: "Scripted 1.0".to_owned(),
        command: ["gainalyze", "selfplay", "--depths", "1..=5"].map(str::to_owned).to_vec(),
        ..Facts::default()
    }
}

/// Returns games with the results of Ferreira's experiment: 200 games per pair that give the reconstructed
/// half-points, with as few draws as possible.
fn ferreira() -> Vec<GameRecord> {
    let sheet = include_str!("../../data/papers/ferreira_table3_reconstructed_x400.csv");
    let rows: Vec<Vec<u32>> = sheet
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|field| field.parse().expect("a whole number")).collect())
        .collect();
    let pairs = (0..rows.len()).flat_map(|deep| (0..deep).map(move |shallow| (deep, shallow)));
    let games = pairs.flat_map(|(deep, shallow)| {
        let points = rows[deep][shallow + 1];
        (0..200u32).map(move |number| (deep, shallow, number, points.saturating_sub(2 * number).min(2)))
    });
    let game = |(number, (deep, shallow, place, points)): (u32, (usize, usize, u32, u32))| {
        let [deep, shallow] =
            [deep, shallow].map(|place| Contender { side: Side::Engine, depth: place as u32 + 6 });
        let has_white = place % 2 == 0;
        GameRecord {
            game: number,
            white: if has_white { deep } else { shallow },
            black: if has_white { shallow } else { deep },
            opening: None,
            result: match (points, has_white) {
                (1, _) => GameResult::Draw,
                (2, true) | (0, false) => GameResult::WhiteWins,
                _ => GameResult::BlackWins,
            },
            ending: Ending::Checkmate,
            plies: 120,
            line: u64::from(number),
        }
    };
    (0..).zip(games).map(game).collect()
}

/// Returns the table `name` of the folder as rows of named fields.
fn table(dir: &Path, name: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(dir.join(name)).expect("a table");
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let row = |line: &str| {
        let fields = header.iter().map(|name| name.to_string()).zip(line.split(',').map(str::to_owned));
        fields.collect()
    };
    lines.map(row).collect()
}

fn written(outcomes: &[GameRecord], choices: &Choices) -> (tempfile::TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let experiment = Experiment::of(outcomes, choices).expect("games");
    let shown = write_into(folder.path(), &experiment, &formats());
    let path = folder.path().to_owned();
    (folder, path, shown)
}

/// Writes the report of an experiment into a folder, and returns its tables as text.
fn write_into(folder: &Path, experiment: &Experiment, formats: &ReportFormats) -> String {
    let names = EXPERIMENT.file_names(formats, []);
    let folder = OutputFolder::claim(folder, RunKind::Selfplay, Overwrite::Ours, names).expect("a folder");
    let out = folder.publication().expect("room");
    let report = report(experiment, &facts());
    publish(&report, &out, formats).expect("a report");
    out.finish(&RunClock::start().record(RunKind::Selfplay, NoFacts::default())).expect("a report");
    report.text(Screen::default())
}

#[test]
fn ferreiras_games_give_his_tables_3_4_and_8() {
    // Table 6: 2893.9, 2858.5 to 2929.3 at depth 20.
    let interval = Interval::of_margin(2893.9, 35.4);
    let elo = Estimate { value: 2893.9, observations: 8, interval: Some(interval) };
    let anchor = Some(RatingAnchor { depth: 20, elo });
    let choices = Choices { anchor, fit: Fit::Lsq, ..Choices::default() };
    let (_folder, dir, shown) = written(&ferreira(), &choices);
    // Table 3: depth 13 against depth 6, 396 of 400 half-points.
    let scores = table(&dir, "scores.csv");
    assert_eq!(scores.len(), 15 * 14);
    let row = scores.iter().find(|row| row["row_depth"] == "13" && row["column_depth"] == "6");
    assert_eq!(row.expect("a pair")["score"], "0.990000");
    // Table 4: σ(20) is 4.2689. η(20) is 66.3, with an interval from 60.4 to 73.4.
    let print = include_str!("../../data/papers/ferreira_table4_fit.csv");
    let fits = table(&dir, "fits.csv");
    for (line, fit) in print.lines().skip(1).zip(fits.iter().filter(|fit| fit["fit"] == "lsq")) {
        let printed: Vec<f64> = line.split(',').map(|field| field.parse().expect("a number")).collect();
        let number = |name: &str| fit[name].parse::<f64>().expect("a number");
        assert_eq!(number("column_depth"), printed[0]);
        // Off by one in the last digit, as `reproduce` reports for four cells.
        assert!((number("sigma") - printed[1]).abs() < 1.6e-4, "{line} {fit:?}");
        for (name, printed) in [("eta", printed[2]), ("eta_low", printed[3]), ("eta_high", printed[4])] {
            assert!((number(name) - printed).abs() < 0.16, "{line} {fit:?}");
        }
    }
    // Every row of Table 8, which begins with depth 20.
    let print = include_str!("../../data/papers/ferreira_table8_depth_strength.csv");
    let strengths = table(&dir, "strength.csv");
    let chosen: Vec<_> = strengths.iter().filter(|row| row["chosen"] == "true").collect();
    for (line, row) in print.lines().skip(1).zip(chosen.iter().rev()) {
        let printed: Vec<f64> = line.split(',').map(|field| field.parse().expect("a number")).collect();
        let number = |name: &str| row[name].parse::<f64>().expect("a number");
        assert_eq!(number("contender_depth"), printed[0]);
        for (name, printed) in [
            ("elo_difference", printed[2]),
            ("strength", printed[3]),
            ("strength_low", printed[4]),
            ("strength_high", printed[5]),
        ] {
            assert!((number(name) - printed).abs() < 0.56, "{line} {row:?}");
        }
    }
    let sixth = |fit: &str| {
        let row = strengths.iter().find(|row| row["contender_depth"] == "6" && row["fit"] == fit);
        row.expect("depth 6")["elo_difference"].parse::<f64>().expect("a number").round()
    };
    assert_eq!(["lsq", "probit", "pairwise"].map(sixth), [-928.0, -952.0, -1279.0]);
    for words in ["Strength by depth (Table 8)", "Heinz's rule shows diminishing returns at 95 %"] {
        assert!(shown.contains(words), "{words} is not in {shown}");
    }
}

/// A small experiment with all special cases: paired openings, repeated games, a forfeit, a depth that loses
/// every game, an incomplete pair.
const ODD: &str = include_str!("odd-results.csv");

fn odd_games() -> Vec<GameRecord> {
    read_back::read(ODD.as_bytes())
}

#[test]
fn the_tables_of_an_odd_experiment_are_shown() {
    let choices = Choices { calibrate: Some(3), ..Choices::default() };
    let (_folder, dir, shown) = written(&odd_games(), &choices);
    insta::assert_snapshot!(shown);
    let summary = fs::read_to_string(dir.join("summary.json")).expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("json");
    assert_eq!(summary["games"], 64);
    assert_eq!(summary["forfeits"], 1);
    let first = table(&dir, "fits.csv").into_iter().find(|fit| fit["column_depth"] == "1").expect("a column");
    assert!(first["problem"].contains("0 or 1 at all depths"), "{first:?}");
}

#[test]
fn the_page_is_whole_and_asks_nothing_of_the_network() {
    let (_folder, dir, _) = written(&odd_games(), &Choices::default());
    let page = fs::read_to_string(dir.join("report.html")).expect("a page");
    assert!(page.contains("default-src 'none'") && !page.contains("src="));
    assert!(page.matches("<svg").count() >= 5 && page.matches("<table").count() >= 8, "{page}");
    for part in page.split("http").skip(1) {
        assert!(!part.starts_with("://") && !part.starts_with("s://"), "a link: {}", &part[..40]);
    }
    for name in ["scores.svg", "elo-curve.svg", "curves.svg", "returns.svg", "elo-by-depth.svg", "rates.svg"]
    {
        assert!(dir.join(name).is_file(), "{name}");
    }
}

#[test]
fn a_second_report_leaves_no_picture_of_the_first_and_no_game_is_touched() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path();
    std::fs::write(dir.join("results.csv"), ODD).expect("a new file");
    std::fs::write(dir.join("scores.txt"), "mine").expect("a new file");
    let games = odd_games();
    let experiment = Experiment::of(&games, &Choices::default()).expect("games");
    write_into(dir, &experiment, &formats());
    let tables = BTreeSet::from([Format::Parquet]);
    let fewer = ReportFormats {
        tables,
        pictures: BTreeSet::new(),
        scale: 1,
        page: false,
        ..ReportFormats::default()
    };
    write_into(dir, &experiment, &fewer);
    let left: BTreeSet<String> = std::fs::read_dir(dir)
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a name"))
        .collect();
    let expected = [
        "fits.parquet",
        "heinz.parquet",
        "results.csv",
        "run.json",
        "scores.parquet",
        "scores.txt",
        "strength.parquet",
        "summary.json",
        "white-scores.parquet",
    ];
    assert_eq!(left.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn the_games_of_the_repository_give_its_tables() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let games = File::open(root.join("data/selfplay-stockfish-15.1/results.csv")).expect("the games");
    let games = read_back::read(games);
    let found = read_anchor(&root.join("reports/published/candidates-2013-depth-8")).expect("a report");
    let anchor = RatingAnchor { depth: found.depth, elo: found.elo };
    let choices =
        Choices { anchor: Some(anchor), fit: Fit::Pairwise, calibrate: Some(8), ..Choices::default() };
    let (_folder, dir, _) = written(&games, &choices);
    for table in ["white-scores.csv", "scores.csv", "fits.csv", "strength.csv", "heinz.csv"] {
        let kept = root.join("reports/published/selfplay-stockfish-15.1").join(table);
        let [kept, again] = [kept, dir.join(table)].map(|path| fs::read_to_string(path).expect("a table"));
        assert_eq!(kept, again, "{table}");
    }
}
