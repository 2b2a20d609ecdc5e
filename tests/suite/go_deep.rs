//! Tests of the verb `go-deep`, with a scripted engine and with a real engine.

use crate::program::Bench;
use crate::real_engine;

fn rows(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

/// Returns six columns of each row: `depth`, `positions`, `changed`, `fresh`, `two_ago` and `three_ago`.
fn counts(csv: &str) -> Vec<[u64; 6]> {
    let number = |text: &str| text.parse().expect("a whole number");
    rows(csv).iter().map(|row| [0, 1, 2, 7, 12, 17].map(|place| number(row[place]))).collect()
}

#[test]
fn best_moves_are_counted_by_when_they_were_best() {
    let bench = Bench::of_games().with_fault("deepen");
    let args =
        ["go-deep", "games.pgn", "--depth", "6", "--skip-moves", "1", "--output", "out", "--jobs", "2"];
    let run = bench.run(&args).ended_with(0);
    // The best moves are e2e4 d2d4 e2e4 g1f3 e2e4 d2d4 in every position.
    let found = counts(&bench.text("out/go-deep.csv"));
    let n = found[0][1];
    assert_eq!(
        found,
        [[2, n, n, n, 0, 0], [3, n, n, 0, n, 0], [4, n, n, n, 0, 0], [5, n, n, 0, n, 0], [6, n, n, 0, 0, 0],]
    );
    assert!(run.stdout.contains("How often the best move changes"), "{}", run.stdout);
    let summary: serde_json::Value =
        serde_json::from_str(&bench.text("out/go-deep-summary.json")).expect("json");
    assert_eq!((summary["positions"].as_u64(), summary["depth"].as_u64()), (Some(n), Some(6)));
    assert_eq!(summary["engine"]["name"], "Scripted 1.0");
    assert!(bench.files("out").contains_key("go-deep.png"));
}

#[test]
fn one_of_k_positions_is_taken() {
    let bench = Bench::of_games().with_fault("deepen");
    let positions = |every: &str| {
        let args =
            ["go-deep", "games.pgn", "--depth", "2", "--every", every, "--output", every, "--plots", "none"];
        bench.run(&args).ended_with(0);
        counts(&bench.text(&format!("{every}/go-deep.csv")))[0][1]
    };
    let all = positions("1");
    assert_eq!(positions("4"), all.div_ceil(4));
}

#[test]
fn a_position_that_the_engine_fails_on_costs_no_other() {
    let bench = Bench::of_games().with_fault("crash-on=f2f3 e7e5 g2g4");
    let args = ["go-deep", "games.pgn", "--depth", "2", "--output", "out", "--plots", "none", "--jobs", "1"];
    let run = bench.run(&args).ended_with(3);
    assert!(run.stdout.contains("1 on which the engine failed"), "{}", run.stdout);
    run.said(&["a position is left out"]);
}

#[test]
fn what_cannot_be_counted_is_said_in_a_line() {
    let bench = Bench::of_games();
    bench.run(&["go-deep", "--depth", "3"]).ended_with(2).said(&["no PGN was given"]);
    bench.run(&["go-deep", "games.pgn"]).ended_with(2).said(&["--depth"]);
    bench
        .run(&["go-deep", "games.pgn", "--depth", "1"])
        .ended_with(2)
        .said(&["write a whole number from 2 to 245"]);
    bench.run(&["go-deep", "games.pgn", "--depth", "3", "--every", "0"]).ended_with(2).said(&["--every"]);
    let run = bench.run(&["go-deep", "games.pgn", "--depth", "3", "--skip-moves", "99"]).ended_with(2);
    run.said(&["no position after move 99 of each side has two or more legal moves"]);
    let run = bench.run(&["go-deep", "games.pgn", "--depth", "3", "--plots", "none,png"]).ended_with(2);
    run.said(&["--plots none cannot go with another format"]);
    let run =
        bench.run(&["go-deep", "games.pgn", "--depth", "3", "--engine", "/no/such/engine"]).ended_with(2);
    run.said(&["/no/such/engine"]);
}

#[test]
fn stockfish_counts_the_same_whatever_the_number_of_processes() {
    let Some(bench) = real_engine::bench(2) else { return };
    let run = |jobs: &str, output: &str| {
        let args =
            ["go-deep", "games.pgn", "--depth", "7", "--every", "5", "--jobs", jobs, "--output", output];
        let run = bench.run(&[&args[..], &["--hash", "16", "--plots", "svg"]].concat()).ended_with(0);
        run.stdout
    };
    assert_eq!(run("1", "one"), run("2", "two"));
    assert_eq!(bench.text("one/go-deep.csv"), bench.text("two/go-deep.csv"));
    let found = counts(&bench.text("one/go-deep.csv"));
    assert_eq!(found.len(), 6);
    assert!(found.iter().all(|row| row[1] > 10 && row[2] > 0 && row[2] < row[1]), "{found:?}");
    assert_eq!(found[0][2], found[0][3], "at depth 2 every change is fresh");
}
