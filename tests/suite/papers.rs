//! Tests of the papers' tables, computed from the papers' own numbers and from recorded evaluations.

use std::path::Path;

use gainalyze::numbers::EloCurve;
use gainalyze::numbers::stats::correlation::{pearson, spearman};

use crate::program::Bench;

fn reproduced(paper: &str) -> String {
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    let run = bench.run(&["reproduce", paper]).ended_with(0);
    assert_eq!(run.stderr, "");
    run.stdout
}

fn assert_ends_with(shown: &str, line: &str) {
    assert_eq!(shown.lines().last(), Some(line), "{shown}");
}

#[test]
fn ferreiras_tables_come_out() {
    let shown = reproduced("ferreira-2013");
    assert_ends_with(&shown, "691 cells: 685 agreeing, 6 known misprints or roundings, 0 other differences.");
    for title in ["Table 3 from", "Table 4 from", "Table 5", "Table 6", "Table 7", "Table 8", "three fits"] {
        assert!(shown.contains(title), "{title} is not in {shown}");
    }
    // Four cells of Table 4, and two numbers of the text.
    assert_eq!(shown.matches("* ").count() - shown.matches(": * is").count(), 6, "{shown}");
}

#[test]
fn heinzs_tables_come_out() {
    let shown = reproduced("heinz-2000");
    assert_ends_with(&shown, "123 cells: 117 agreeing, 6 known misprints or roundings, 0 other differences.");
    for title in ["Table 3", "Table 4", "Table 5", "Table 6", "Table 6, intersections"] {
        assert!(shown.contains(title), "{title} is not in {shown}");
    }
}

#[test]
fn paulsens_tables_come_out() {
    let shown = reproduced("paulsen-2010");
    assert_ends_with(&shown, "76 cells: 76 agreeing, 0 known misprints or roundings, 0 other differences.");
    for title in
        ["Table 2", "Table 3", "Table 4 at 1 ply", "Table 4 at 2 plies", "Table 4 at 4 plies", "Table 5"]
    {
        assert!(shown.contains(title), "{title} is not in {shown}");
    }
}

#[test]
fn kennedys_numbers_come_out() {
    let shown = reproduced("kennedy-2018");
    assert_ends_with(&shown, "2 cells: 1 agreeing, 1 known misprints or roundings, 0 other differences.");
    for words in ["112", "167", "81", "2.536", "6.8", "39.4", "0.000045"] {
        assert!(shown.contains(words), "{words} is not in {shown}");
    }
}

#[test]
fn the_documents_count_the_cells_of_all_papers() {
    let papers = ["ferreira-2013", "heinz-2000", "paulsen-2010", "kennedy-2018"];
    let (mut cells, mut agreeing) = (0, 0);
    for shown in papers.map(reproduced) {
        let mut words = shown.lines().last().expect("counts").split(' ');
        let mut number = || words.find_map(|word| word.parse::<u32>().ok()).expect("a number");
        (cells, agreeing) = (cells + number(), agreeing + number());
    }
    let told = format!("Of {cells} computed cells, {agreeing} equal print.");
    assert!(include_str!("../../docs/papers.md").contains(&told), "{told}");
}

#[test]
fn a_paper_is_also_written_as_a_page_but_not_over_another_file() {
    let bench = Bench::new("");
    for _ in 0..2 {
        bench.run(&["reproduce", "ferreira-2013", "--page", "paper.html"]).ended_with(0);
    }
    let page = bench.text("paper.html");
    assert!(page.contains("other differences</h1>") && page.contains("Table 7"), "{page}");
    std::fs::write(bench.path("own.html"), "mine").expect("a writable file");
    bench.run(&["reproduce", "ferreira-2013", "--page", "own.html"]).ended_with(2);
    assert_eq!(bench.text("own.html"), "mine");
}

#[test]
fn another_paper_is_an_error_that_names_those_there_are() {
    let run = Bench::new("").run(&["reproduce", "elo-1978"]).ended_with(2);
    run.said(&["ferreira-2013", "heinz-2000", "paulsen-2010", "kennedy-2018"]);
}

#[test]
fn the_study_needs_the_sums_of_the_repository() {
    let run = Bench::new("").run(&["reproduce", "history"]).ended_with(2);
    run.said(&["sums-stockfish-15.1-depth-10.csv.zst", "clone of the repository", "--sums"]);
}

/// Returns the arguments of the command in docs/papers.md that begins with these words.
fn documented_command(begins: &str) -> Vec<String> {
    let page = include_str!("../../docs/papers.md").replace("\\\n", " ");
    let mut commands = page.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let command = commands.find(|words| words.join(" ").starts_with(begins)).expect("a command of the page");
    command.into_iter().skip(1).map(str::to_owned).collect()
}

/// Runs a command on the project's recordings of the Candidates Tournament, and returns the bench with its
/// report in `out`.
fn bench_of(command: &[String]) -> Bench {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let here = |arg: &String| match arg.strip_prefix("data/") {
        Some(file) => root.join("data").join(file).display().to_string(),
        None => arg.clone(),
    };
    let args: Vec<String> = command.iter().map(here).collect();
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    let output = ["--output", "out", "--plots", "none", "--no-html"].map(str::to_owned);
    bench.run(&[&args[..], &output].concat().iter().map(String::as_str).collect::<Vec<_>>()).ended_with(0);
    bench
}

/// Returns `value` as the pages print it: rounded, with a plus or minus sign unless it is 0.
fn signed(value: f64) -> String {
    format!("{value:+.0}").replace('-', "−").replace("+0", "0").replace("−0", "0")
}

#[test]
fn the_candidates_of_2013_by_the_panel_are_those_of_the_documents() {
    let command = documented_command("gainalyze data/candidates-2013.pgn --engine data/");
    let bench = bench_of(&command);

    let number = |text: &String| text.parse::<f64>().expect("a number");
    let paper = include_str!("../../data/papers/ferreira_table5_candidates2013.csv").lines().skip(1);
    let paper: Vec<Vec<&str>> = paper.map(|line| line.split(',').collect()).collect();
    let scores: Vec<f64> = paper.iter().map(|row| row[3].parse().expect("a score")).collect();
    let differences: Vec<f64> = scores.iter().map(|&score| EloCurve::Normal.difference(score)).collect();
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    let columns = ["player", "rank", "panel_difference", "panel_difference_low", "panel_difference_high"];
    let panel = bench.table("out/panel.csv", &columns);
    let engines =
        bench.table("out/engines.csv", &["engine", "player", "rank", "expected_score", "above_field"]);
    let stockfish = "Stockfish 15.1, depth 20, forward";
    let of = |rows: &[Vec<String>], engine: Option<&str>, player: &str| -> Vec<String> {
        let place = usize::from(engine.is_some());
        let is_wanted = |row: &&Vec<String>| {
            row[place].starts_with(player) && engine.is_none_or(|engine| row[0] == engine)
        };
        rows.iter().find(is_wanted).expect("a row").clone()
    };
    let (mut table, mut together, mut largest) = (String::new(), Vec::new(), 0.0f64);
    for (place, row) in paper.iter().enumerate() {
        let (by_panel, alone) = (of(&panel, None, row[0]), of(&engines, Some(stockfish), row[0]));
        let (difference, margin) =
            (number(&by_panel[2]), (number(&by_panel[4]) - number(&by_panel[3])) / 2.0);
        table += &format!(
            "| {} | {} | {} | {} | {} ± {margin:.0} | {} | {} | {} | {} |\n",
            row[0],
            row[1],
            row[2],
            signed(differences[place] - mean),
            signed(difference),
            signed(number(&alone[4])),
            place + 1,
            by_panel[1],
            alone[2],
        );
        largest = largest.max((EloCurve::Normal.expected_score(mean + difference) - scores[place]).abs());
        together.push(difference);
    }
    let correlation =
        |x: &[f64], of: fn(&[f64], &[f64]) -> Option<f64>, y: &[f64]| of(x, y).expect("they vary");
    let said = format!(
        "no paper score is more than {largest:.3} from the paper's, and Spearman's ρ of the orders is {:.2}",
        correlation(&together, spearman, &scores)
    );
    let summary: serde_json::Value =
        serde_json::from_str(&bench.text("out/engines-summary.json")).expect("JSON");
    let comparison = &summary["comparisons"][0];
    let judges = comparison["engines"].as_array().expect("judges").iter();
    let files = command.iter().filter(|arg| arg.starts_with("data/")).skip(1);
    let mut rows = String::new();
    for (judge, file) in judges.zip(files) {
        let name = judge["engine"].as_str().expect("a name");
        let own: Vec<f64> = paper.iter().map(|row| number(&of(&engines, Some(name), row[0])[3])).collect();
        let [zero, strength, low, high] = [
            &judge["zero_share"],
            &judge["engine_strength"]["value"],
            &judge["engine_strength"]["interval"]["low"],
            &judge["engine_strength"]["interval"]["high"],
        ]
        .map(|value| value.as_f64().expect("a number"));
        rows += &format!(
            "| {name} | {:.2} | {:.2} | {:.1} % | {strength:.1} ± {:.1} | `gainalyze {file} --tables paper` |\n",
            correlation(&own, pearson, &scores),
            correlation(&own, spearman, &scores),
            100.0 * zero,
            (high - low) / 2.0,
        );
    }
    rows += &format!(
        "| **the panel** | **{:.2}** | **{:.2}** | | | the command above |\n",
        correlation(&together, pearson, &differences),
        correlation(&together, spearman, &differences),
    );
    let reliability = &comparison["reliability"];
    let [one, all] = ["one", "mean"].map(|of| reliability[of]["value"].as_f64().expect("a number"));
    let reliable = format!("{one:.2} for one engine and {all:.2} for the panel");
    let page = include_str!("../../docs/papers.md").split_whitespace().collect::<Vec<_>>().join(" ");
    for what in [&table, &said, &rows, &reliable] {
        let what = what.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.contains(&what), "not in the documents:\n{table}\n{said}\n{rows}\n{reliable}");
    }
}

#[test]
fn a_deeper_search_of_an_engine_of_the_papers_years_agrees_with_it_as_documented() {
    let bench = bench_of(&documented_command(
        "gainalyze data/candidates-2013.pgn --engine data/candidates-2013-robbolito-0.085g3-depth-14.pgn",
    ));
    let paper = include_str!("../../data/papers/ferreira_table5_candidates2013.csv").lines().skip(1);
    let engines = bench.table("out/engines.csv", &["engine", "player", "expected_score"]);
    let score = |depth: &str, player: &str| -> f64 {
        let is_wanted = |row: &&Vec<String>| row[0].contains(depth) && row[1].starts_with(player);
        engines.iter().find(is_wanted).expect("a row")[2].parse().expect("a score")
    };
    let scores: Vec<[f64; 3]> = paper
        .map(|line| {
            let row: Vec<&str> = line.split(',').collect();
            [score("depth 14", row[0]), score("depth 12", row[0]), row[3].parse().expect("a score")]
        })
        .collect();
    let [deeper, usual, printed] =
        [0, 1, 2].map(|place| scores.iter().map(|row| row[place]).collect::<Vec<f64>>());
    let told = format!(
        "correlate at {:.2} (Pearson) and {:.2} (Spearman) with Table 5, and at {:.2} with the scores from depth 12",
        pearson(&deeper, &printed).expect("they vary"),
        spearman(&deeper, &printed).expect("they vary"),
        pearson(&deeper, &usual).expect("they vary"),
    );
    let page = include_str!("../../docs/papers.md").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains(&told), "{told}");
}
