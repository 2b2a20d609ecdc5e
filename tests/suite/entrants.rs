//! Matches of several entrants, most of them on the built-in engine: games, files, sequential tests, ratings.

use std::fs;

use gainalyze::lab::NamedRecords;

use crate::program::Bench;
use crate::program::Run;

/// Three entrants that need no other engine, and openings that make their games different.
const THREE: [&str; 8] = [
    "--entrant",
    "one=builtin@1",
    "--entrant",
    "two=builtin@2",
    "--entrant",
    "few=builtin@nodes=50",
    "--random-plies",
    "8",
];

fn selfplay(bench: &Bench, args: &[&str]) -> Run {
    bench.run(&[&["selfplay", "--hash", "1", "--max-moves", "40", "--plots", "none"], args].concat())
}

fn three(bench: &Bench, output: &str, args: &[&str]) -> Run {
    selfplay(bench, &[&THREE[..], &["--output", output, "--games", "4"], args].concat())
}

fn results(bench: &Bench, output: &str) -> NamedRecords {
    let mut found = NamedRecords::default();
    found.read(&bench.text(&format!("{output}/results.csv"))).expect("results");
    found
}

#[test]
fn everybody_meets_everybody_with_both_colors_and_is_rated() {
    let bench = Bench::new("");
    let run = three(&bench, "out", &[]).ended_with(0);
    let run = run.said(&["3 entrants: 3 pairs with 4 games each"]);
    for words in [
        "Score of each entrant against every other",
        "Elo of all entrants",
        "Likelihood of superiority",
        "points",
    ] {
        assert!(run.stdout.contains(words), "{words} is not in {}", run.stdout);
    }
    let found = results(&bench, "out");
    assert_eq!((found.records.len(), found.names.len()), (12, 3));
    let games = |white: &str, black: &str| {
        let is = |number: gainalyze::lab::EntrantNumber, name: &str| found.names[number.place()] == name;
        found.records.iter().filter(|game| is(game.white, white) && is(game.black, black)).count()
    };
    assert_eq!((games("one", "two"), games("two", "one"), games("few", "one")), (2, 2, 2));
    let pgn = bench.text("out/games.pgn");
    assert!(pgn.contains("[White \"few\"]") && pgn.contains("[Event \"Games of several entrants\"]"));
    let summary = bench.summary("out");
    let elos: f64 = summary["entrants"]
        .as_array()
        .expect("entrants")
        .iter()
        .map(|one| one["elo"]["value"].as_f64().expect("Elo"))
        .sum();
    assert!(elos.abs() < 1e-6, "above the mean of all");
    assert!(bench.text("out/report.html").contains("Strength by games against each other"));
}

#[test]
fn jobs_restarts_and_an_interruption_do_not_change_games_or_ratings() {
    let bench = Bench::new("");
    three(&bench, "one", &["--jobs", "1", "--restart", "never"]).ended_with(0);
    three(&bench, "three", &["--jobs", "3", "--restart", "pair"]).ended_with(0);
    let same = |other: &str| {
        for file in ["results.csv", "entrants.csv", "meetings.csv"] {
            assert_eq!(bench.read(&format!("one/{file}")), bench.read(&format!("{other}/{file}")), "{file}");
        }
    };
    same("three");
    let games = bench.text("three/games.pgn");
    let end = games.match_indices("[Event ").nth(5).expect("six games").0;
    bench.write("three/games.pgn", &games.as_bytes()[..end + 30]);
    let again = three(&bench, "three", &["--jobs", "2", "--restart", "pair"]).ended_with(0);
    again.said(&["the unfinished game of an earlier run", "already played: 5;"]);
    same("three");
}

#[test]
fn skill_functions_play_the_same_games_again_whoever_plays_beside_them_and_others_by_another_seed() {
    let bench = Bench::new("");
    let play = |output: &str, even: &str, args: &[&str]| {
        let entrants = ["--entrant", even, "--entrant", "fixed=spar:fixed:3:0.3@nodes=3000"];
        let others = ["--entrant", "any=spar:random", "--games", "2", "--random-plies", "4"];
        selfplay(&bench, &[&entrants[..], &others, &["--output", output], args].concat()).ended_with(0)
    };
    play("one", "even=spar:even@nodes=1000", &["--jobs", "1", "--restart", "never"]);
    play("two", "even=spar:even@nodes=1000", &["--jobs", "2", "--restart", "game"]);
    let games = bench.read("one/results.csv");
    assert_eq!(games, bench.read("two/results.csv"));
    let design = bench.text("one/experiment.json");
    for words in ["nodes 1000 a search, skill even, seed 1", "skill fixed:3:0.3", "skill random"] {
        assert!(design.contains(words), "{words} is not in {design}");
    }
    play("other", "even=spar:even,seed=2@nodes=1000", &[]);
    assert_ne!(games, bench.read("other/results.csv"));
    let text = bench.text("two/games.pgn");
    let end = text.match_indices("[Event ").nth(3).expect("four games").0;
    bench.write("two/games.pgn", &text.as_bytes()[..end + 30]);
    let again = play("two", "even=spar:even@nodes=1000", &["--jobs", "1", "--restart", "game"]);
    again.said(&["the unfinished game of an earlier run", "already played: 3;"]);
    assert_eq!(games, bench.read("two/results.csv"), "it goes on where it was");
    let refused = play_other_seed(&bench);
    refused.said(&["contains another experiment", "entrants"]);
}

/// Runs the entrants of earlier games again in the same folder, but one entrant with another seed. Asserts
/// that the run is refused.
fn play_other_seed(bench: &Bench) -> Run {
    let even =
        ["--entrant", "even=spar:even,seed=3@nodes=1000", "--entrant", "fixed=spar:fixed:3:0.3@nodes=3000"];
    let others = ["--entrant", "any=spar:random", "--games", "2", "--random-plies", "4", "--output", "one"];
    selfplay(bench, &[&even[..], &others].concat()).ended_with(2)
}

#[test]
fn a_gauntlet_is_the_first_entrant_against_the_others() {
    let bench = Bench::new("");
    three(&bench, "out", &["--gauntlet"]).ended_with(0).said(&["2 pairs with 4 games"]);
    let found = results(&bench, "out");
    assert!(
        found
            .records
            .iter()
            .all(|game| found.names[game.white.place()] == "one" || found.names[game.black.place()] == "one")
    );
}

#[test]
fn a_sequential_test_ends_the_match_at_the_same_game_for_any_number_of_jobs() {
    let bench = Bench::new("");
    let args = [
        "--entrant",
        "weak=builtin@nodes=1",
        "--entrant",
        "strong=builtin@2",
        "--random-plies",
        "6",
        "--games",
        "300",
        "--sprt=elo0=0,elo1=200",
    ];
    let play = |output: &str, jobs: &str| {
        let run =
            selfplay(&bench, &[&args[..], &["--output", output, "--jobs", jobs]].concat()).ended_with(0);
        assert!(run.stdout.contains("The sequential test accepts H0"), "{}", run.stdout);
    };
    play("one", "1");
    play("three", "3");
    let games = results(&bench, "one").records.len();
    assert!(games < 300 && games.is_multiple_of(2), "{games}");
    for file in ["results.csv", "summary.json", "entrants.csv", "meetings.csv"] {
        assert_eq!(bench.read(&format!("one/{file}")), bench.read(&format!("three/{file}")), "{file}");
    }
    assert_eq!(bench.summary("one")["sprt"]["verdict"], "H0");
    assert_eq!(bench.summary("one")["sprt"]["test"]["model"], "normalized");
    let again = selfplay(&bench, &[&args[..], &["--output", "one"]].concat()).ended_with(0);
    assert!(again.stdout.contains("The sequential test accepts H0"), "the same command plays no other game");
    let recorded = |test: &str| {
        let args =
            ["selfplay", "--output", "recorded", "--plots", "none", "--recorded", "one/results.csv", test];
        let run = bench.run(&args).ended_with(0);
        (run.stdout, bench.summary("recorded")["sprt"].clone())
    };
    let (words, test) = recorded("--sprt=elo0=0,elo1=200");
    assert_eq!(test, bench.summary("one")["sprt"], "recorded games are tested as they were when played");
    assert!(words.starts_with("Findings"), "{words}");
    let [played, rated] = ["one", "recorded"].map(|folder| bench.text(&format!("{folder}/entrants.csv")));
    assert_eq!(played, rated, "the file has the engines and limits of experiment.json");
    assert!(words.contains("accepts H0 (0 normalized Elo) rather than H1 (200 normalized Elo)"), "{words}");
    let (words, test) = recorded("--sprt=model=logistic,elo1=200");
    assert_eq!((&test["test"]["model"], &test["verdict"]), (&"logistic".into(), &"open".into()));
    assert!(words.contains("(200 logistic Elo)"), "{words}");
}

#[test]
fn recorded_results_are_rated_together_on_the_scale_of_an_anchor() {
    let bench = Bench::new("");
    three(&bench, "out", &[]).ended_with(0);
    let files = ["--recorded", "out/results.csv", "out/results.csv"];
    let rated = |args: &[&str]| {
        bench.run(&[&["selfplay", "--output", "rated", "--plots", "none"], &files[..], args].concat())
    };
    rated(&["--anchor", "one=2000"]).ended_with(0).said(&["12 games of 3 entrants"]);
    let entrants = bench.text("rated/entrants.csv");
    assert!(entrants.contains("one,,,8,") && entrants.contains(",2000.00,"), "{entrants}");
    rated(&["--sprt"]).ended_with(2).said(&["--sprt needs exactly two entrants, not 3"]);
    rated(&["--anchor", "nobody=2000"])
        .ended_with(2)
        .said(&["nobody of --anchor is not an entrant; the entrants are", "--anchor"]);
    let over = bench.run(&["selfplay", "--output", "out", "--recorded", "out/results.csv"]).ended_with(2);
    over.said(&["holds played games"]);
    fs::write(bench.path("bad.csv"), "a,b\n1,2\n").expect("a file");
    bench.run(&["selfplay", "--recorded", "bad.csv"]).ended_with(2).said(&["bad.csv: not the results.csv"]);
    bench.run(&["selfplay", "--recorded", "none.csv"]).ended_with(2).said(&["none.csv: cannot be read"]);
}

#[test]
fn entrants_that_make_no_match_are_refused_with_what_would() {
    let bench = Bench::new("");
    let refused = |args: &[&str]| selfplay(&bench, &[&["--output", "out"], args].concat()).ended_with(2);
    refused(&["--entrant", "a=builtin@1"])
        .said(&["a single entrant has no opponent: name at least two entrants"]);
    refused(&["--entrant", "a=builtin@1", "--entrant", "a=builtin@2"])
        .said(&["two entrants have the name \"a\""]);
    let three = ["--entrant", "a=builtin@1", "--entrant", "b=builtin@2", "--entrant", "c=builtin@3"];
    refused(&[&three[..], &["--sprt"]].concat()).said(&["--sprt needs exactly two entrants, not 3"]);
    refused(&[&three[..], &["--sprt=elo0=5,elo1=1"]].concat()).said(&["elo0 below elo1"]);
    refused(&["--entrant", "a=builtin@x", "--entrant", "b=builtin"])
        .said(&["is not a limit: write a depth from 1 to"]);
    refused(&["--entrant", "a", "--entrant", "b=builtin"]).said(&["write NAME=ENGINE"]);
    refused(&["--entrant", "a=builtin@1", "--entrant", "w=no/weights.txt@1"]).said(&[
        "entrant w",
        "no/weights.txt: no such file: write builtin, an engine's program or a file of weights",
    ]);
    refused(&["--entrant", "a=builtin@1", "--entrant", "w=mine.weights@1"])
        .said(&["entrant w", "mine.weights: no such file: write builtin"]);
    bench.write("cut.txt", b"# gainalyze weights\nmaterial pawn = 1\n");
    refused(&["--entrant", "a=builtin@1", "--entrant", "w=cut.txt@1"]).said(&["entrant w", "cut.txt"]);
    refused(&["--entrant", "a=builtin@1", "--entrant", "b=builtin,Wings=2"])
        .said(&["entrant b", "no option \"Wings\""]);
    refused(&["--entrant", "a=builtin", "--depths", "4"]).said(&["cannot be used with"]);
    refused(&["--depths", "4", "--sprt"]).said(&["cannot be used with"]);
    refused(&["--sprt"]).said(&["--entrant", "--recorded"]);
    assert!(!bench.path("out").exists());
}

#[test]
fn a_folder_of_another_match_is_refused() {
    let bench = Bench::new("");
    three(&bench, "out", &[]).ended_with(0);
    let before = bench.files("out");
    three(&bench, "out", &["--gauntlet"]).ended_with(2).said(&["differs in pairs"]);
    three(&bench, "out", &["--seed", "5"]).ended_with(2).said(&["another experiment"]);
    selfplay(&bench, &["--depths", "1", "--games", "2", "--output", "out"])
        .ended_with(2)
        .said(&["another experiment"]);
    assert_eq!(bench.files("out"), before);
}

#[test]
fn a_file_of_weights_is_an_entrant_of_its_own() {
    let bench = Bench::new("");
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/chess_engine/evaluation/weights.txt");
    fs::copy(shipped, bench.path("shipped.txt")).expect("a copy");
    let args = [
        "--entrant",
        "own=builtin@2",
        "--entrant",
        "file=shipped.txt@2",
        "--games",
        "2",
        "--random-plies",
        "4",
    ];
    selfplay(&bench, &[&args[..], &["--output", "out"]].concat()).ended_with(0);
    let found = results(&bench, "out");
    assert_eq!(
        found.records[0].line, found.records[1].line,
        "the same weights play the same game with either color"
    );
}

#[test]
fn a_tree_of_searches_plays_by_the_engine_within_and_tells_what_its_moves_cost() {
    let bench = Bench::new("");
    let tree = |output: &str, jobs: &str| {
        let entrants =
            ["--entrant", "tree=deep:depth=2,distance=20,plies=2,searches=30", "--entrant", "one=builtin@1"];
        let rest = ["--random-plies", "8", "--games", "4", "--output", output, "--jobs", jobs];
        selfplay(&bench, &[&entrants[..], &rest[..]].concat()).ended_with(0)
    };
    tree("one", "1");
    tree("two", "2");
    assert_eq!(
        bench.read("one/results.csv"),
        bench.read("two/results.csv"),
        "its moves follow from the game alone"
    );
    let experiment = bench.text("one/experiment.json");
    assert!(
        experiment.contains("\"depth 2 a search, tree of 2 plies, distance 20, at most 30 searches\""),
        "{experiment}"
    );
    let games = bench.text("one/games.pgn");
    assert!(games.contains("/2 ") && games.contains("s, n="), "{games}");
    // A move of a search has no note of its nodes.
    let notes = |who: &str| games.matches(who).count();
    assert!(notes("s, n=") < notes("s}") + notes("s, n="));
}

#[test]
fn a_tree_may_be_of_stockfish() {
    let Some(stockfish) = crate::real_engine::path() else { return };
    let bench = Bench::new("");
    let tree = format!("tree=deep:{stockfish},distance=10,plies=1@1");
    let args = ["--entrant", &tree, "--entrant", "one=builtin@1", "--games", "2", "--output", "out"];
    bench.run(&[&["selfplay", "--plots", "none", "--max-moves", "5"], &args[..]].concat()).ended_with(0);
    assert!(bench.text("out/games.pgn").contains("s, n="));
}

#[test]
fn a_tree_of_an_engine_that_cannot_be_asked_about_single_moves_is_refused() {
    let bench = Bench::new("").with("CHOOSES", "1");
    let tree = format!("tree=deep:{},depth=1", crate::program::scripted_engine());
    let refused = selfplay(&bench, &["--entrant", &tree, "--entrant", "one=builtin@1", "--output", "out"]);
    refused.ended_with(2).said(&["entrant tree", "does not support UCI's searchmoves"]);
    assert!(!bench.path("out").exists());
}

#[test]
fn an_entrant_may_have_a_clock_of_its_own() {
    let bench = Bench::of_games();
    let entrants = ["--entrant", "clock=builtin@tc=2+0.05", "--entrant", "depth=builtin@1"];
    let rules =
        ["--games", "2", "--max-moves", "12", "--random-plies", "4", "--output", "out", "--plots", "none"];
    bench.run(&[&["selfplay"], &entrants[..], &rules[..]].concat()).ended_with(0);
    let rows = bench.table("out/entrants.csv", &["entrant", "limit", "forfeits"]);
    let row = |name: &str| rows.iter().find(|row| row[0] == name).expect("an entrant").clone();
    assert_eq!((row("clock")[1].as_str(), row("depth")[1].as_str()), ("tc=2+0.05", "depth 1"));
    assert!(rows.iter().all(|row| row[2] == "0"), "{rows:?}");
}
