//! Tests of the verb `learn`: from players' moves to weights that the engine can use.

use crate::program::Bench;

/// Options for few games, few positions and one objective. A run takes seconds in a debug build.
const QUICK: [&str; 17] = [
    "learn",
    "games.pgn.zst",
    "--band",
    "1400,1600",
    "--tolerance",
    "60",
    "--every",
    "60",
    "--plies-from",
    "12",
    "--max-games",
    "24",
    "--bootstrap",
    "0",
    "--objective",
    "logit",
    "--jobs",
];

fn bench() -> Bench {
    let bench = Bench::of_games();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/data/learning/lichess-2021.pgn.zst");
    bench.write("games.pgn.zst", &std::fs::read(games).expect("the games of the repository"));
    bench
}

#[test]
fn weights_are_learned_that_the_engine_plays_by_and_again_the_same() {
    let bench = bench();
    let run = bench.run(&[&QUICK[..], &["2", "--output", "a"]].concat()).ended_with(0);
    assert!(run.stdout.contains("Prediction of the moves of tested games"), "{}", run.stdout);
    assert!(run.stdout.contains("weights learned from a band of ratings "), "{}", run.stdout);
    run.said(&["1400: 24, 1600: 24"]);
    let weights = bench.text("a/weights-1600-logit.txt");
    assert!(weights.starts_with("# gainalyze linear weights, version 1\n"), "{weights}");
    for line in ["# band: 1600 ± 60", "# objective: logit", "# seed: 1", "# digest: "] {
        assert!(weights.contains(line), "{line}: {weights}");
    }
    bench.run(&["engine", "bench", "1", "--weights", "a/weights-1600-logit.txt"]).ended_with(0);
    for row in bench.table("a/learning-weights.csv", &["raw", "centipawns"]) {
        assert!(
            row[0].parse::<f64>().is_ok(),
            "a raw weight is a number in CSV, also a negative one: {}",
            row[0]
        );
    }
    let rows = bench.table("a/learning-predictions.csv", &["predictor", "trained_on", "band", "pairwise"]);
    let right = |predictor: &str, trained_on: &str| -> f64 {
        let is_meant = |row: &&Vec<String>| row[0] == predictor && row[1] == trained_on && row[2] == "all";
        rows.iter().find(is_meant).expect("a row")[3].parse().expect("a number")
    };
    assert_eq!(right("chance", ""), 0.5);
    assert!(right("logit", "all") > 0.6, "{rows:?}");
    // The resumed run and a run on one thread give the same bytes, except for the record of the run.
    let files = |folder: &str| {
        let mut files = bench.files(folder);
        files.remove("run.json");
        // The page has the command.
        files.remove("report.html");
        files
    };
    let first = files("a");
    bench.run(&[&QUICK[..], &["2", "--output", "a"]].concat()).ended_with(0);
    assert!(files("a") == first, "gone on with");
    bench.run(&[&QUICK[..], &["1", "--output", "b"]].concat()).ended_with(0);
    assert!(files("b") == first, "on one thread");
}

#[test]
fn weights_are_tested_on_other_games_without_training_and_each_move_has_a_probability() {
    let bench = bench();
    let game = |elo: u32, clock: &str| {
        format!(
            "[White \"a{elo}\"]\n[Black \"b\"]\n[Date \"2021.01.01\"]\n[Result \"*\"]\n[WhiteElo \"{elo}\"]\n\n\
             1. e4 {{ [%clk 0:03:00] }} e5 2. Nf3 {{ [%clk {clock}] }} Nc6 3. Bb5 {{ [%clk 0:01:00] }} a6 *\n\n"
        )
    };
    let games: String = (1390..1410).map(|elo| game(elo, "0:02:30")).collect();
    bench.write("other.pgn", games.as_bytes());
    bench.run(&[&QUICK[..], &["2", "--output", "a"]].concat()).ended_with(0);
    let weights = ["--test-only", "other.pgn", "--weights", "a/weights-all-logit.txt", "handmade"];
    let options = ["--band", "1400", "--every", "1", "--choices", "--format", "csv,parquet", "--output", "t"];
    let run = bench.run(&[&["learn"], &weights[..], &options].concat()).ended_with(0);
    assert!(
        run.stdout.contains("(60 positions of 20 games): they rank the player's move first in"),
        "{}",
        run.stdout
    );
    assert!(bench.files("t").contains_key("learning-choices.parquet"));
    let columns = ["predictor", "game", "ply", "elo", "clock_seconds", "move", "probability", "played"];
    let rows = bench.table("t/learning-choices.csv", &columns);
    // 20, 29 and 27 legal moves for White.
    let of = |predictor: &str, game: &str, ply: &str| -> Vec<Vec<String>> {
        let is_meant = |row: &&Vec<String>| row[0] == predictor && row[1] == game && row[2] == ply;
        rows.iter().filter(is_meant).cloned().collect()
    };
    for (ply, moves, clock, played) in
        [("1", 20, "", "e2e4"), ("3", 29, "180.00", "g1f3"), ("5", 27, "150.00", "f1b5")]
    {
        let position = of("a/weights-all-logit.txt", "3", ply);
        assert_eq!(
            (position.len(), position[0][3].as_str(), position[0][4].as_str()),
            (moves, "1392", clock)
        );
        let sum: f64 = position.iter().map(|row| row[6].parse::<f64>().expect("a number")).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        let chosen: Vec<&str> =
            position.iter().filter(|row| row[7] == "true").map(|row| row[5].as_str()).collect();
        assert_eq!(chosen, [played]);
    }
    // The log-loss is that of these probabilities, the slices add up to all positions, and so do the bins.
    let loss = |row: &Vec<String>| -row[6].parse::<f64>().expect("a number").ln();
    let played: Vec<f64> =
        rows.iter().filter(|row| row[0] == "handmade" && row[7] == "true").map(loss).collect();
    let predictions = bench.table("t/learning-predictions.csv", &["predictor", "positions", "log_loss"]);
    let told = predictions.iter().rfind(|row| row[0] == "handmade").expect("a row");
    let mean = played.iter().sum::<f64>() / 60.0;
    assert!(
        told[1] == "60" && (told[2].parse::<f64>().expect("a number") - mean).abs() < 2e-4,
        "{told:?} {mean}"
    );
    let slices = bench.table("t/learning-slices.csv", &["predictor", "by", "slice", "positions"]);
    let of = |by: &str| -> Vec<(String, String)> {
        let is_meant = |row: &&Vec<String>| row[0] == "chance" && row[1] == by;
        slices.iter().filter(is_meant).map(|row| (row[2].clone(), row[3].clone())).collect()
    };
    let slice = |name: &str, positions: &str| (name.to_owned(), positions.to_owned());
    assert_eq!(of("clock"), [slice("2 to 5 min", "40")]);
    assert_eq!(of("moves"), [slice("20 to 29", "60")]);
    let bins = bench.table("t/learning-calibration.csv", &["predictor", "moves"]);
    let moves =
        bins.iter().filter(|row| row[0] == "handmade").map(|row| row[1].parse::<usize>().expect("a number"));
    assert_eq!(moves.sum::<usize>(), 20 * (20 + 29 + 27));
    let none = bench.run(&["learn", "--test-only", "other.pgn", "--weights", "games.pgn.zst"]).ended_with(2);
    none.said(&["--weights games.pgn.zst: "]);
    let last = bench.run(&["learn", "--test-only", "--weights", "handmade", "other.pgn"]).ended_with(2);
    last.said(&["--weights other.pgn: ", "write files of games before --weights"]);
    // A test does not replace the weights that it tests.
    let same = ["--band", "1400", "--output", "a"];
    let refused = bench.run(&[&["learn"], &weights[..], &same].concat()).ended_with(2);
    refused.said(&["weights learned from moves"]);
    assert!(bench.files("a").contains_key("weights-all-logit.txt"));
}

#[test]
fn parts_learned_by_several_machines_make_the_report_of_one() {
    let bench = bench();
    let learn = |more: &[&str]| bench.run(&[&QUICK[..], &["2"], more].concat());
    learn(&["--output", "whole"]).ended_with(0);
    let part = |name: &str, folder: &str| learn(&["--shard", name, "--output", folder]);
    let told = part("1/2", "first").ended_with(0).stdout;
    assert!(told.starts_with("Part 1/2: 2 weights files in "), "{told}");
    let none = learn(&["--gather", "first", "games", "--output", "all"]).ended_with(2);
    none.said(&["games: no weights from `gainalyze learn`"]);
    let holes = learn(&["--gather", "first", "--output", "all"]).ended_with(2);
    holes.said(&["no folder has these weights from the same games, options and version of the program: "]);
    part("2/2", "second").ended_with(0);
    let other = learn(&["--gather", "first", "second", "--output", "all", "--seed", "2"]).ended_with(2);
    other.said(&["no folder has these weights"]);
    learn(&["--gather", "first", "second", "--output", "all"]).ended_with(0);
    let files = |folder: &str| {
        let mut files = bench.files(folder);
        // The page has the command.
        ["run.json", "report.html"].iter().for_each(|name| drop(files.remove(*name)));
        files
    };
    assert!(files("all") == files("whole"), "of parts as of one");
    learn(&["--shard", "1/2", "--seed", "2", "--output", "other"]).ended_with(0);
    let twice = learn(&["--gather", "first", "other", "--output", "all"]).ended_with(2);
    twice.said(&[".txt differs from the file of the same name in an earlier folder of --gather"]);
    for (folder, name) in [("first", "run.json"), ("second", "no run.json")] {
        let weights =
            bench.files(folder).into_keys().find(|name| name.starts_with("weights-")).expect("a file");
        let text = bench.text(&format!("{folder}/{weights}"));
        if name != "run.json" {
            std::fs::remove_file(bench.path(&format!("{folder}/run.json"))).expect("a record");
        }
        bench.write(&format!("{folder}/{weights}"), text.replacen("# seed: 1", "# seed: 7", 1).as_bytes());
        let changed = learn(&["--gather", "first", "second", "--output", "all"]).ended_with(2);
        changed.said(&[&weights, "has changed since"]);
        bench.write(&format!("{folder}/{weights}"), text.as_bytes());
    }
    learn(&["--shard", "1/2", "--rounds", "2", "--output", "x"]).ended_with(2).said(&["--rounds 1"]);
}

#[test]
fn bands_of_no_games_and_of_few_are_refused_with_what_there_is() {
    let bench = bench();
    let args = ["learn", "games.pgn.zst", "--band", "300,1600", "--tolerance", "5", "--bootstrap", "0"];
    let run = bench.run(&args).ended_with(2);
    run.said(&["the band 300 ± 5 has 0 games", "300: 0, 1600: ", "--band"]);
    let two = |more: &[&str]| {
        let args =
            ["learn", "games.pgn.zst", "--band", "1600", "--max-games", "4", "--every", "100", "--c", "0.1"];
        let rest = [
            "--objective",
            "svm",
            "--bootstrap",
            "0",
            "--held-out",
            "0.5",
            "--plots",
            "none",
            "--output",
            "few",
        ];
        bench.run(&[&args[..], &rest[..], more].concat())
    };
    two(&[]).ended_with(2).said(&["the band 1600 ± 25 has 4 games, but needs at least 20", "--force"]);
    two(&["--force", "--seed", "28"]).ended_with(2).said(&[
        "the band 1600 ± 25 has 0 for training and 4 for testing, but needs at least one for each",
        "--held-out",
    ]);
    two(&["--force"]).ended_with(0);
    assert!(bench.files("few").contains_key("weights-1600-svm.txt"));
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let bench = bench();
    for (options, problem) in [
        (&["--band", "novices"][..], "is not a rating from 1 to 4000"),
        (&["--band", "1600,1600"], "--band has 1600 twice"),
        (&["--objective", "svn"], "is not svm, svm-per-position or logit"),
        (&["--c", "0"], "write a number above 0"),
        (&["--start-weights", "nowhere.txt"], "--start-weights nowhere.txt: No such file"),
        (&["--start-weights", ""], "not weights of the linear evaluation"),
    ] {
        let run = bench.run(&[&["learn", "games.pgn.zst"], options].concat()).ended_with(2);
        assert!(run.stderr.contains(problem), "{options:?}: {}", run.stderr);
    }
    bench.write("empty.pgn", b"");
    bench.run(&["learn", "empty.pgn"]).ended_with(2).said(&["empty.pgn"]);
}
