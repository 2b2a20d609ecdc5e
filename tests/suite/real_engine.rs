//! Tests of the whole program with a real engine, if Stockfish is installed.

use std::path::Path;

use gainalyze::engine::installed_stockfishes;

use crate::program::{Bench, Run, installed};

/// Returns the path of Stockfish; `None` if it is not installed.
pub fn path() -> Option<String> {
    installed("Stockfish", installed_stockfishes().into_iter().next())
        .map(|engine| engine.display().to_string())
}

/// Returns a bench with the first `games` games of the Candidates Tournament, and with Stockfish as the
/// engine; `None` if Stockfish is not installed.
pub fn bench(games: usize) -> Option<Bench> {
    let engine = path()?;
    Some(candidates(games).with("GAINALYZE_ENGINE", &engine))
}

/// Returns a bench with the first `games` games of the Candidates Tournament.
pub fn candidates(games: usize) -> Bench {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/candidates-2013.pgn");
    let pgn = std::fs::read_to_string(data).expect("a file of the repository");
    let end = pgn.match_indices("[Event ").nth(games).map_or(pgn.len(), |(at, _)| at);
    Bench::new(&pgn[..end])
}

#[test]
fn a_long_search_is_told_with_its_time_and_a_quicker_one_before_it_begins() {
    let Some(bench) = bench(20) else { return };
    // The search ends as soon as it can report a result.
    let script = "f() { \"$@\" 2>told & for i in $(seq 600); do grep -q 'to search at' told && break; sleep 0.1; done; kill $!; }; f";
    let args = "games.pgn --depth 30 --no-store --calibration none --jobs 1";
    bench.run_in_shell(script, args, "; true").ended_with(0);
    let told = bench.text("told");
    let line = told.lines().find(|line| line.contains("to search at")).unwrap_or_else(|| panic!("{told}"));
    assert!(
        line.contains(" positions to search at depth 30: about ") && line.contains(" on 1 core; --depth "),
        "{line}"
    );
    assert!(line.contains(" takes about "), "{line}");
    let short =
        bench.run(&["games.pgn", "--depth", "4", "--no-store", "--calibration", "none", "--output", "short"]);
    assert!(!short.ended_with(0).stderr.contains("to search at"));
}

#[test]
fn stockfish_gives_the_same_bytes_whatever_the_number_of_processes() {
    let Some(bench) = bench(4) else { return };
    let run = |jobs: &str, output: &str| -> Run {
        let args = ["games.pgn", "--depth", "6", "--no-store", "--jobs", jobs, "--output", output];
        bench.run(&args).ended_with(0)
    };
    assert_eq!(run("1", "one").stdout, run("3", "three").stdout);
    assert_eq!(bench.files("one"), bench.files("three"));
    let moves = bench.text("one/moves.csv");
    let header: Vec<&str> = moves.lines().next().expect("a header").split(',').collect();
    let from_the_end = header.len() - header.iter().position(|name| *name == "nodes").expect("a column");
    // The line is split from its end, because a name may contain a comma.
    let nodes =
        |line: &str| line.rsplit(',').nth(from_the_end - 1).and_then(|nodes| nodes.parse::<u64>().ok());
    assert!(moves.lines().skip(1).all(|line| nodes(line) > Some(0)), "every position was searched");
}

#[test]
fn what_stockfish_said_is_read_back_from_the_annotated_file() {
    let Some(bench) = bench(2) else { return };
    // Ratings of play would come from a search of their own, not from the file.
    let run = |args: &[&str]| {
        bench.run(&[args, &["--depth", "5", "--calibration", "none", "--also", "all"]].concat()).ended_with(0)
    };
    let searched = run(&["games.pgn", "--annotate", "annotated.pgn", "--output", "searched"]);
    let recorded = run(&["annotated.pgn", "--evals", "pgn", "--output", "recorded"]);
    assert_eq!(searched.stdout, recorded.stdout);
    for table in ["players.csv", "statistics.csv", "pairs.csv", "histograms.csv"] {
        assert_eq!(
            bench.text(&format!("searched/{table}")),
            bench.text(&format!("recorded/{table}")),
            "{table}"
        );
    }
    let statistics = bench.text("recorded/statistics.csv");
    for statistic in ["first_choice_percent", "wdl_loss_percent"] {
        let value = |line: &str| line.split(&format!(",{statistic},")).nth(1).map(str::to_owned);
        let known =
            |line: &str| value(line).is_some_and(|value| value.starts_with(|c: char| c.is_ascii_digit()));
        assert!(statistics.lines().any(known), "{statistics}");
    }
}

#[test]
fn stockfish_at_two_depths_agrees_with_itself_in_part() {
    let Some(bench) = bench(12) else { return };
    for depth in ["4", "6"] {
        let args = ["games.pgn", "--depth", depth, "--output", depth, "--plots", "none", "--bootstrap", "0"];
        bench.run(&args).ended_with(0);
    }
    let args =
        ["sensitivity", "games.pgn", "--depth", "6", "--against", "4", "--output", "out", "--format", "json"];
    bench.run(&args).ended_with(0);
    let rows: Vec<serde_json::Value> =
        serde_json::from_str(&bench.text("out/repeatability.json")).expect("JSON");
    assert_eq!(rows.len(), 14);
    for row in &rows {
        let number = |name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{name} in {row}"));
        let (low, r, high) = (number("pearson_low"), number("pearson"), number("pearson_high"));
        assert!(-1.0 <= low && low < r && r < high && high <= 1.0, "{row}");
        assert!(number("mean_difference") > 0.0, "two depths are two opinions: {row}");
        if row["statistic"] == "centipawn_loss" {
            assert!(r > 0.0, "a blunder is seen at either depth: {row}");
        }
    }
}

#[test]
fn an_option_out_of_range_is_refused_by_name() {
    let Some(bench) = bench(1) else { return };
    let run = bench.run(&["games.pgn", "--depth", "2", "--engine-option", "Skill Level=99"]).ended_with(2);
    run.said(&["Skill Level cannot be \"99\"", "from 0 to 20"]);
}
