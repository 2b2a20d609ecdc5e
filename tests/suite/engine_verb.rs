//! Tests of the verb `engine`: the built-in engine as a program, used by the program's own UCI client.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::fs::PermissionsExt,
    process::{Command, Stdio},
};

use gainalyze::engine::builtin::bench::{BENCH_DEPTH, BENCH_NODES};

use crate::program::Bench;

/// Returns a folder with the games and a program `engine.sh` that runs the verb.
fn bench() -> Bench {
    let bench = Bench::of_games();
    let script = format!("#!/bin/sh\nexec '{}' engine\n", env!("CARGO_BIN_EXE_gainalyze"));
    bench.write("engine.sh", script.as_bytes());
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(bench.path("engine.sh"), executable).expect("a file of ours");
    bench
}

#[test]
fn the_bench_counts_the_nodes_that_this_version_is_known_by() {
    for args in [&["engine", "bench"][..], &["engine", "bench", &BENCH_DEPTH.to_string()]] {
        let run = Bench::of_games().run(args).ended_with(0);
        let lines: Vec<&str> = run.stdout.lines().collect();
        assert!(lines[0].starts_with(&format!("50 positions to depth {BENCH_DEPTH} in ")), "{lines:?}");
        assert!(lines[1].starts_with(&format!("{BENCH_NODES} nodes ")), "{lines:?}");
    }
}

#[test]
fn the_engine_begins_with_the_weights_of_a_file_or_says_what_is_wrong_with_it() {
    let linear = Bench::of_games().run(&["engine", "bench", "3", "--weights", "handmade"]).ended_with(0);
    let own = Bench::of_games().run(&["engine", "bench", "3"]).ended_with(0);
    let nodes = |text: &str| text.lines().nth(1).and_then(|line| line.split(' ').next()).map(str::to_owned);
    assert_ne!(nodes(&linear.stdout), nodes(&own.stdout));
    let bench = Bench::of_games();
    bench.write("other.txt", b"# gainalyze linear weights, version 7\n");
    for (file, problem) in [("other.txt", "version 7"), ("no.txt", "No such file")] {
        let run = bench.run(&["engine", "--weights", file]).ended_with(2);
        assert!(run.stderr.starts_with(&format!("error: --weights {file}: ")), "{}", run.stderr);
        assert!(run.stderr.contains(problem), "{}", run.stderr);
    }
}

#[test]
fn a_limited_engine_plays_legal_moves_of_people_at_once() {
    let input = "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1000\n\
                 position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6\ngo movetime 100000\n\
                 go searchmoves b5c6 infinite\nstop\nposition fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3\n";
    let run = Bench::of_games().run_with_input(&["engine"], input).ended_with(0);
    let best: Vec<&str> = run.stdout.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert_eq!(best.len(), 3, "{}", run.stdout);
    assert!(best[0].len() == 4 && best[1..] == ["b5c6", "(none)"], "{best:?}");
    assert!(run.stdout.contains("info depth 5 "), "{}", run.stdout);
}

#[test]
fn a_dialogue_ends_with_its_input_and_with_nothing_on_standard_error() {
    for input in
        ["uci\nisready\nnonsense\nposition startpos moves e2e4 e2e4\ngo infinite\n", "uci\nquit\n", ""]
    {
        let run = Bench::of_games().run_with_input(&["engine"], input).ended_with(0);
        assert_eq!(run.stderr, "");
        let has = |start: &str| run.stdout.lines().any(|line| line.starts_with(start));
        assert_eq!(has("uciok"), input.contains("uci"), "{}", run.stdout);
        assert_eq!(has("bestmove "), input.contains("go"), "{}", run.stdout);
        assert_eq!(has("info string \"nonsense\""), input.contains("nonsense"), "{}", run.stdout);
    }
}

#[test]
fn a_search_without_end_is_heard_of_line_by_line_and_can_be_stopped() {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_gainalyze"));
    let mut child = engine
        .arg("engine")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut until = |start: &str| lines.by_ref().find(|line| line.as_ref().expect("text").starts_with(start));
    input.write_all(b"go infinite\n").expect("it reads");
    assert!(until("info depth 2 ").is_some());
    input.write_all(b"isready\n").expect("it reads");
    assert!(until("readyok").is_some());
    input.write_all(b"stop\n").expect("it reads");
    assert!(until("bestmove ").is_some());
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn our_client_gets_from_the_verb_what_it_gets_from_the_engine_within() {
    let bench = bench();
    for limit in [["--depth", "3"], ["--nodes", "700"]] {
        let run = |engine: &str, output: &str| {
            let args = [
                "games.pgn",
                "--engine",
                engine,
                "--segment",
                "3",
                "--no-store",
                "--force",
                "--output",
                output,
            ];
            bench.run(&[&args[..], &limit[..]].concat()).ended_with(0);
        };
        run("builtin", "within");
        run("./engine.sh", "verb");
        let columns = ["game", "ply", "before_cp", "before_mate", "after_cp", "best_uci", "depth", "nodes"];
        let rows = |folder: &str| bench.table(&format!("{folder}/moves.csv"), &columns);
        assert_eq!(rows("verb").len(), 33);
        assert_eq!(rows("verb"), rows("within"));
        let engine = bench.summary("verb")["evaluations"]["engine"]["name"].clone();
        assert_eq!(engine, bench.summary("within")["evaluations"]["engine"]["name"]);
    }
}

#[test]
fn the_verb_plays_the_games_that_the_engine_within_plays() {
    let bench = bench();
    let play = |engine: &str, output: &str| {
        let args = ["selfplay", "--depths", "1-2", "--games", "2", "--random-plies", "4", "--jobs", "1"];
        bench.run(&[&args[..], &["--engine", engine, "--output", output]].concat()).ended_with(0);
        // The table has a digest of the moves of each game.
        bench.text(&format!("{output}/results.csv"))
    };
    let within = play("builtin", "within");
    assert_eq!(within.lines().count(), 1 + 6);
    assert_eq!(play("./engine.sh", "verb"), within);
}
