//! Tests of several engines on the same games, and of several events by one engine.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use crate::program::Bench;
use crate::program::GAMES;
use crate::program::Run;
use crate::program::scripted_engine;

/// Writes an engine into the folder of `bench`: the lines `before`, then the script of the scripted engine.
fn engine(bench: &Bench, file: &str, before: &str) {
    bench.write(file, format!("#!/bin/sh\n{before}\n. {}\n", scripted_engine()).as_bytes());
    fs::set_permissions(bench.path(file), fs::Permissions::from_mode(0o755)).expect("a file of ours");
}

/// Returns a bench with two engines, which have different names and scores.
fn two_engines() -> Bench {
    let bench = Bench::of_games();
    engine(&bench, "one", "SCRIPT_NAME='One 1.0'");
    engine(&bench, "two", "SCRIPT_NAME='Two/2.0' SCRIPT_FACTOR=11");
    bench
}

const BOTH: [&str; 5] = ["games.pgn", "--engine", "./one", "--engine", "./two"];

const PANEL: &str = "reports/games-panel";

/// Returns the printed text from the first occurrence of `first` on.
fn printed_from<'a>(run: &'a Run, first: &str) -> &'a str {
    &run.stdout[run.stdout.find(first).unwrap_or_else(|| panic!("no {first:?} in {}", run.stdout))..]
}

fn summary(bench: &Bench) -> serde_json::Value {
    serde_json::from_str(&bench.text(&format!("{PANEL}/engines-summary.json"))).expect("JSON")
}

#[test]
fn two_engines_are_a_panel_and_each_has_a_report() {
    let bench = two_engines();
    let run = bench.run(&[&BOTH[..], &["--tables", "all"]].concat()).ended_with(0);
    insta::assert_snapshot!("panel", printed_from(&run, "By a panel of 2 engines"));
    for file in ["panel", "engines", "engine-correlations"] {
        insta::assert_snapshot!(format!("{file}_csv"), bench.text(&format!("{PANEL}/{file}.csv")));
    }
    let page = bench.text(&format!("{PANEL}/report.html"));
    for said in [
        "By a panel of 2 engines",
        "One 1.0",
        "Table 7. Performance of each player",
        "<svg",
        "Spearman–Brown",
    ] {
        assert!(page.contains(said), "{said}");
    }
    assert!(bench.path(&format!("{PANEL}/panel.png")).exists());
    let panel = &summary(&bench)["comparisons"][0];
    assert_eq!(panel["players"].as_array().map(Vec::len), Some(3));
    assert!(
        panel["reliability"]["mean"]["value"].is_number()
            && panel["players"][0]["panel_difference"].is_object()
    );
    // Each report equals that of a run with this engine alone.
    for (file, folder) in [("./one", "one-1-0"), ("./two", "two-2-0")] {
        let args = ["games.pgn", "--engine", file, "--output", folder];
        bench.run(&args).ended_with(0);
        assert_eq!(bench.files(folder), bench.files(&format!("{PANEL}/{folder}")));
        assert_eq!(bench.run_json(folder)["searches"]["made"], 0, "the store has the evaluations of both");
    }
    let players = ["one-1-0", "two-2-0"].map(|folder| bench.text(&format!("{PANEL}/{folder}/players.csv")));
    assert_ne!(players[0], players[1]);
}

#[test]
fn the_terminal_shows_as_much_of_a_panel_as_is_asked_for() {
    let bench = two_engines();
    let shown = |tables: &str| {
        let args = ["--plots", "none", "--no-html", "--tables", tables];
        bench.run(&[&BOTH[..], &args].concat()).ended_with(0).stdout
    };
    let summary = shown("summary");
    assert!(summary.contains("The panel: Elo points") && !summary.contains("Table 5."), "{summary}");
    assert!(
        !summary.contains("rank first (rating"),
        "the engines' own tables are in their reports: {summary}"
    );
    let paper = shown("paper");
    assert!(!paper.contains("The panel: Elo points") && paper.contains("Table 7"), "{paper}");
    assert!(!shown("none").contains("panel"));
}

#[test]
fn a_player_filter_narrows_the_panel_and_not_its_means_and_correlations() {
    let bench = two_engines();
    bench.run(&BOTH).ended_with(0);
    let correlations = bench.text(&format!("{PANEL}/engine-correlations.csv"));
    let whole = bench.text(&format!("{PANEL}/panel.csv"));
    let run = bench.run(&[&BOTH[..], &["--player", "beta"]].concat()).ended_with(0);
    assert!(!printed_from(&run, "The panel").contains("Gamma"), "{}", run.stdout);
    assert_eq!(bench.text(&format!("{PANEL}/engines.csv")).lines().count(), 1 + 2);
    assert_eq!(bench.text(&format!("{PANEL}/engine-correlations.csv")), correlations);
    let narrowed = bench.text(&format!("{PANEL}/panel.csv"));
    assert!(narrowed.lines().count() == 2 && narrowed.lines().all(|line| whole.contains(line)), "{narrowed}");
}

#[test]
fn engines_of_one_name_are_told_apart_by_how_they_behave() {
    let bench = Bench::of_games();
    engine(&bench, "one", "SCRIPT_FACTOR=7");
    engine(&bench, "two", "SCRIPT_FACTOR=11");
    bench.run(&[&BOTH[..], &["--no-store"]].concat()).ended_with(0);
    let apart = bench.files(&format!("{PANEL}/scripted-1-0-2"));
    bench.run(&BOTH).ended_with(0);
    assert_eq!(
        bench.files(&format!("{PANEL}/scripted-1-0-2")),
        apart,
        "none has the evaluations of the other"
    );
    let moves =
        ["scripted-1-0", "scripted-1-0-2"].map(|folder| bench.text(&format!("{PANEL}/{folder}/moves.csv")));
    assert_ne!(moves[0], moves[1]);
    let summary = summary(&bench);
    let engines = [0, 1].map(|place| &summary["engines"][place]);
    assert_eq!(engines.map(|engine| &engine["engine"]), ["Scripted 1.0", "Scripted 1.0 (2)"]);
    assert_eq!(engines.map(|engine| &engine["folder"]), ["scripted-1-0", "scripted-1-0-2"]);
    assert!(bench.path(&format!("{PANEL}/scripted-1-0-2/players.csv")).exists());
}

#[test]
fn what_goes_with_one_engine_only_is_refused_before_anything_is_done() {
    let bench = two_engines();
    let refused = |more: &[&str]| bench.run(&[&BOTH[..], more].concat()).ended_with(2);
    refused(&["--evals", "pgn"]).said(&["--evals pgn does not work with several engines"]);
    refused(&["--annotate", "out.pgn"])
        .said(&["--annotate does not work with several engines", "one engine at a time"]);
    refused(&["--engine", "./none"]).said(&["engine ./none cannot be started: no such file"]);
    refused(&["--engine", "none.pgn"]).said(&["none.pgn"]);
    refused(&["--engine", "games.pgn"]).said(&["games.pgn: no game has an [%eval] comment after every move"]);
    bench
        .run(&["games.pgn", "--engine", "games.pgn"])
        .ended_with(2)
        .said(&["--engine FILE.pgn compares the evaluations in FILE.pgn with other engines"]);
    bench.write("two", format!("#!/bin/sh\n{} | sed -u /Style/d\n", scripted_engine()).as_bytes());
    refused(&["--engine-option", "Style=Risky"]).said(&["engine ./two", "no option \"Style\""]);
    bench.write("two", format!("#!/bin/sh\n{} | sed -u /960/d\n", scripted_engine()).as_bytes());
    let chess960 = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
        [FEN \"rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 2 9\"]\n\n9. O-O *\n";
    bench.write("games.pgn", chess960.as_bytes());
    refused(&[]).said(&["no option UCI_Chess960"]);
    assert!(!bench.path("cache/gainalyze/evaluations.sqlite").exists(), "nothing was searched");
    assert!(!bench.path(&format!("{PANEL}/engines.csv")).exists());
}

#[test]
fn a_judge_that_fails_leaves_the_panel_with_a_word() {
    let bench = two_engines();
    engine(&bench, "bad", "SCRIPT_NAME=Bad SCRIPT=crash");
    let run = bench.run(&[&["--engine", "./bad"], &BOTH[..]].concat()).ended_with(3);
    let run = run.said(&["warning: no report by Bad: no game could be evaluated"]);
    let left = "Bad is not on the panel: no game could be evaluated";
    let shown = printed_from(&run, "By a panel of 2 engines");
    assert!(shown.contains("Two/2.0") && shown.replace('\n', " ").contains(left), "{}", run.stdout);
    assert!(bench.text(&format!("{PANEL}/report.html")).contains(left));
    let summary = summary(&bench);
    let reason = summary["engines"][0]["failed"].as_str().expect("a reason");
    assert!(reason.contains("no game could be evaluated"));
    assert!(summary["engines"][1]["failed"].is_null());
    assert_eq!(summary["comparisons"][0]["engines"].as_array().map(Vec::len), Some(2));
    assert_eq!(summary["comparisons"][0]["left_panel"][0]["engine"], "Bad");
    assert!(!bench.path(&format!("{PANEL}/bad/players.csv")).exists());
    let args = ["games.pgn", "--engine", "./bad", "--engine", "./one", "--output", "lone"];
    let lone = bench.run(&args).ended_with(3).said(&["warning: nothing to compare"]);
    assert!(lone.stdout.contains("rank first") && !bench.path("lone/engines.csv").exists());
    assert!(bench.path("lone/one-1-0/players.csv").exists());
    engine(&bench, "worse", "SCRIPT_NAME=Worse SCRIPT=no-score");
    bench
        .run(&["games.pgn", "--engine", "./bad", "--engine", "./worse"])
        .ended_with(3)
        .said(&["nothing to report"]);
}

#[test]
fn a_panel_counts_the_games_that_all_of_its_engines_evaluated() {
    let bench = two_engines();
    engine(&bench, "two", "SCRIPT_NAME=Two SCRIPT='crash-on=f2f3 e7e5'");
    let run = bench.run(&BOTH).ended_with(3);
    let said = "The panel counts only the games that all of its engines evaluated: 2 games of 3.";
    assert!(run.stdout.contains(said), "{}", run.stdout);
    // An engine with fewer than half as many games removes no games of the others.
    engine(&bench, "two", "SCRIPT_NAME=Few SCRIPT_FACTOR=5 SCRIPT='crash-on=e7e5'");
    engine(&bench, "three", "SCRIPT_NAME=Three SCRIPT_FACTOR=3");
    let run = bench.run(&[&BOTH[..], &["--engine", "./three"]].concat()).ended_with(3);
    let left = "Few is not on the panel: it evaluated 1 of 3 games";
    assert!(
        run.stdout.replace('\n', " ").contains(left) && !run.stdout.contains("panel counts"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_panel_is_not_replaced_by_the_report_of_one_engine() {
    let bench = two_engines();
    bench.run(&[&BOTH[..], &["--output", "out"]].concat()).ended_with(0);
    let panel = bench.text("out/report.html");
    let alone = ["games.pgn", "--engine", "./one", "--output", "out"];
    bench.run(&alone).ended_with(2).said(&["the report of a panel of engines", "--force"]);
    assert_eq!(bench.text("out/report.html"), panel);
    bench.run(&[&alone[..], &["--force"]].concat()).ended_with(0);
    assert!(!bench.path("out/panel.csv").exists(), "what is forced is replaced");
    // Without named folders, they have no file in common.
    bench.run(&BOTH).ended_with(0);
    let panel = bench.files(PANEL);
    bench.run(&["games.pgn", "--engine", "./one"]).ended_with(0);
    assert_eq!(bench.files(PANEL), panel);
}

#[test]
fn a_file_of_recorded_evaluations_sits_on_the_panel_as_its_engine_does() {
    let bench = two_engines();
    bench.run(&BOTH).ended_with(0);
    let of_engines = bench.text(&format!("{PANEL}/panel.csv"));
    bench.run(&["games.pgn", "--engine", "./one", "--annotate", "annotated.pgn"]).ended_with(0);
    // Games are found by their moves, whatever their order and tags.
    let recorded = bench.text("annotated.pgn");
    let games: Vec<&str> = recorded.split("[Event ").skip(1).collect();
    let other = |games: &[&str]| -> String {
        games.iter().rev().map(|game| format!("[Event {}", game.replace("Beta, Bert", "B."))).collect()
    };
    bench.write("recorded.pgn", other(&games).as_bytes());
    let args = ["games.pgn", "--engine", "recorded.pgn", "--engine", "./two"];
    let run = bench.run(&args).ended_with(0);
    assert_eq!(bench.text(&format!("{PANEL}/panel.csv")), of_engines);
    assert!(printed_from(&run, "The engines").contains("One 1.0, depth"), "{}", run.stdout);
    let folder = format!("{PANEL}/one-1-0-depth-10-forward");
    assert_eq!(bench.run_json(&folder)["searches"]["recorded"], 36);
    assert_eq!(bench.run_json(&format!("{PANEL}/two-2-0"))["searches"]["made"], 0);
    bench.write("recorded.pgn", other(&games[..2]).as_bytes());
    let run = bench.run(&args).ended_with(0);
    let run = run.said(&["recorded.pgn: missing games: 1 of 3; the first is "]);
    assert!(
        run.stdout
            .contains("The panel counts only the games that all of its engines evaluated: 2 games of 3."),
        "{}",
        run.stdout
    );
    bench.write("other.pgn", b"1. a3 a6 *");
    bench.run(&["other.pgn", "--annotate", "elsewhere.pgn"]).ended_with(0);
    let none = ["games.pgn", "--engine", "elsewhere.pgn", "--engine", "./two"];
    bench
        .run(&none)
        .ended_with(2)
        .said(&["elsewhere.pgn: contains none of your 3 games; games are matched by their moves"]);
}

#[test]
fn recorded_evaluations_are_not_taken_for_those_of_several_engines() {
    let bench = two_engines();
    bench.run(&["games.pgn", "--engine", "./one", "--annotate", "annotated.pgn"]).ended_with(0);
    let args = ["annotated.pgn", "--engine", "./one", "--engine", "./two", "--output", "out"];
    let run = bench.run(&args).ended_with(0);
    assert_eq!(run.stderr.matches("[%eval]").count(), 1, "{}", run.stderr);
    for folder in ["out/one-1-0", "out/two-2-0"] {
        assert_eq!(bench.run_json(folder)["searches"]["recorded"], 0);
    }
}

#[test]
fn several_engines_on_several_events_have_a_folder_each() {
    let bench = two_engines();
    let cut = GAMES.rfind("[Event").expect("a game");
    bench.write("first.pgn", &GAMES.as_bytes()[..cut]);
    bench.write("last.pgn", &GAMES.as_bytes()[cut..]);
    let files = ["first.pgn", "last.pgn", "--separately", "--output", "out", "--plots", "none"];
    let run = bench.run(&[&files[..], &BOTH[1..]].concat()).ended_with(0);
    for folder in ["one-1-0", "two-2-0"] {
        assert!(bench.path(&format!("out/{folder}/first/players.csv")).exists());
        assert_eq!(bench.text(&format!("out/{folder}/events.csv")).lines().count(), 1 + 2);
    }
    let engines = bench.text("out/engines.csv");
    assert!(engines.starts_with("event,engine,player,rank,"), "{engines}");
    assert_eq!(engines.lines().filter(|line| line.starts_with("last,")).count(), 2 * 2);
    assert_eq!(run.stdout.matches("By a panel of 2 engines").count(), 2);
    assert!(!bench.path("out/report.html").exists(), "a page is of one event");
}

/// Returns the games of `text` in two halves.
fn halves(text: &str) -> [&str; 2] {
    let games: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let (first, second) = text.split_at(games[games.len() / 2]);
    [first, second]
}

/// Returns a bench with three files: two halves of the recorded Candidates Tournament, and a game in which
/// only one player has a rating.
fn events() -> Bench {
    let data = "data/candidates-2013-stockfish-15.1-depth-20-backward.pgn";
    let data = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(data))
        .expect("a file of the repository");
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    let [first, second] = halves(&data);
    bench.write("first.pgn", first.as_bytes());
    bench.write("second.pgn", second.as_bytes());
    let game = &first[..first.match_indices("[Event ").nth(1).expect("a second game").0];
    let lone: String =
        game.lines().filter(|line| !line.contains("WhiteElo")).map(|l| format!("{l}\n")).collect();
    // Not a copy of the game in the first event.
    let lone = lone.replace("2013.", "2014.");
    bench.write("lone.pgn", lone.as_bytes());
    bench
}

const EVENTS: [&str; 7] =
    ["first.pgn", "second.pgn", "lone.pgn", "--separately", "--plots", "none", "--output"];

#[test]
fn the_strength_of_the_engine_is_pooled_over_events() {
    let bench = events();
    let run = bench.run(&[&EVENTS[..], &["out"]].concat()).ended_with(0);
    insta::assert_snapshot!("strength_by_event", printed_from(&run, "Strength of the engine by event"));
    insta::assert_snapshot!("events_csv", bench.text("out/events.csv"));
    let summary: serde_json::Value =
        serde_json::from_str(&bench.text("out/events-summary.json")).expect("JSON");
    // The pooled strength is computed by hand from the two reports.
    let strengths =
        ["first", "second"].map(|event| bench.summary(&format!("out/{event}"))["engine_strength"].clone());
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let weights = strengths.clone().map(|s| number(&s["standard_error"]).powi(-2));
    let mean: f64 = strengths.iter().zip(weights).map(|(s, w)| w * number(&s["mean"])).sum::<f64>()
        / weights.iter().sum::<f64>();
    let pooled = &summary["pooled"];
    assert!((number(&pooled["engine_strength"]["value"]) - mean).abs() < 1e-9, "{pooled}");
    assert_eq!(pooled["heterogeneity"]["freedom"], 1);
    assert_eq!(pooled["shared_players"].as_array().map(Vec::len), Some(8));
    assert!(summary["events"][2]["weight"].is_null());
}

#[test]
fn strengths_that_different_judges_give_are_listed_and_not_pooled() {
    let bench = events();
    let other =
        bench.text("second.pgn").replace("[EvaluatedBy \"Stockfish 15.1,", "[EvaluatedBy \"Other 1.0,");
    bench.write("second.pgn", other.as_bytes());
    let run = bench.run(&[&EVENTS[..], &["out"]].concat()).ended_with(0);
    let shown = printed_from(&run, "Strength of the engine by event");
    assert!(
        shown.contains("The events are not pooled")
            && shown.contains("second (Other 1.0, depth 20, backward)"),
        "{shown}"
    );
    assert!(!shown.contains("\nPooled"), "{shown}");
}

#[test]
fn tables_of_events_in_formats_of_an_earlier_run_are_removed() {
    let bench = events();
    fs::create_dir(bench.path("out")).expect("a folder");
    bench.write("out/events.parquet", b"somebody's own");
    let run = |format: &str| bench.run(&[&EVENTS[..], &["out", "--format", format]].concat()).ended_with(0);
    run("json");
    run("csv");
    let left = |name: &str| bench.path(name).exists();
    assert!(left("out/events.csv") && !left("out/events.json"));
    assert_eq!(bench.text("out/events.parquet"), "somebody's own", "no run has listed it as its own");
}

#[test]
fn one_event_is_not_compared_with_itself() {
    let bench = Bench::of_games();
    bench.write("copy.pgn", bench.text("games.pgn").as_bytes());
    let run = bench.run(&["games.pgn", "copy.pgn", "--separately", "--output", "both"]).ended_with(0);
    assert!(!run.stdout.contains("Strength of the engine by event"), "{}", run.stdout);
    run.said(&["copy: 3 games left out, copied from earlier games"]);
    let run = bench.run(&["games.pgn", "--separately", "--output", "out"]).ended_with(0);
    assert!(
        !run.stdout.contains("Strength of the engine by event") && !bench.path("out/events.csv").exists()
    );
}
