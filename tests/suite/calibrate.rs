//! Tests of the verb `calibrate`: the shipped file is made again from its sums, and unusable input is
//! refused.

use std::fs;

use gainalyze::measure::LOSS_WEIGHT;

use crate::program::Bench;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/calibration");

fn sums() -> String {
    format!("{FOLDER}/sums-stockfish-15.1-depth-10.csv.zst")
}

#[test]
fn the_sums_of_the_project_make_the_file_of_the_project_without_an_engine() {
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    let args = [
        "calibrate",
        "--sums",
        &sums(),
        "--output",
        "made.json",
        "--plots",
        "svg",
        "--keep-sums",
        "again.csv.zst",
    ];
    let run = bench.run(&args).ended_with(0);
    insta::assert_snapshot!("calibrated_by_stockfish", run.stdout);
    // The shipped file may have been made by an earlier version.
    let of_any_version = |text: &str| -> serde_json::Value {
        let mut json: serde_json::Value = serde_json::from_str(text).expect("JSON");
        for field in ["made_by", "digest"] {
            json.as_object_mut().and_then(|file| file.remove(field)).expect(field);
        }
        json
    };
    let shipped = fs::read_to_string(format!("{FOLDER}/stockfish-15.1-depth-10.json")).expect("a file");
    assert_eq!(of_any_version(&bench.text("made.json")), of_any_version(&shipped));
    for picture in ["predicted", "errors", "first-choices", "accuracy"] {
        let svg = bench.text(&format!("made-{picture}.svg"));
        assert!(roxmltree::Document::parse(&svg).is_ok(), "{picture}");
    }
    bench.run(&["calibrate", "--sums", "again.csv.zst", "--output", "again.json", "-q"]).ended_with(0);
    assert_eq!(bench.text("again.json"), bench.text("made.json"));
}

#[test]
fn losses_weigh_as_much_against_first_choices_as_the_events_say() {
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    let statistics = "first_choice_percent,win_loss_percent";
    let sums = format!("{FOLDER}/sums-stockfish-15.1-depth-8.csv.zst");
    let args = ["calibrate", "--sums", &sums, "--direction", "regression", "--statistics", statistics, "-q"];
    bench.run(&args).ended_with(0);
    let made: serde_json::Value =
        serde_json::from_str(&bench.text("calibration.json")).expect("a calibration");
    let coefficient =
        |place: usize| made["model"]["statistics"][place]["coefficient"].as_f64().expect("a number");
    let ratio = -coefficient(1) / coefficient(0);
    // docs/calibration.md says why the weight from the first 23 events is kept.
    assert!((ratio - 10.86).abs() < 0.05 && (ratio / LOSS_WEIGHT - 1.0).abs() < 0.2, "{ratio}");
}

#[test]
fn games_that_are_too_few_are_refused_before_any_search() {
    let bench = Bench::of_games().with("GAINALYZE_ENGINE", "/no/such/engine");
    let run = bench.run(&["calibrate", "games.pgn", "--scale", "lichess-rapid"]).ended_with(2);
    assert!(
        run.stderr.contains(
            "are too few for the scale lichess-rapid, which needs at least 5 events with 15000 \
                 moves"
        ),
        "{}",
        run.stderr
    );
    assert!(!bench.path("calibration.json").exists());
}

#[test]
fn what_is_no_sums_is_refused_by_name() {
    let bench = Bench::of_games();
    for (file, told) in [
        ("games.pgn", "games.pgn: its first line shows that it is not a file of calibration sums"),
        ("none.csv", "none.csv: cannot be read"),
    ] {
        let run = bench.run(&["calibrate", "--sums", file]).ended_with(2);
        assert!(run.stderr.contains(told), "{}", run.stderr);
    }
    let run = bench.run(&["calibrate", "--sums", &sums(), "--output", "nowhere/made.json"]).ended_with(2);
    assert!(run.stderr.contains("the folder nowhere is missing"), "{}", run.stderr);
    let twice = ["calibrate", "games.pgn", "--statistics", "first_choice_percent,first_choice_percent"];
    assert!(bench.run(&twice).ended_with(2).stderr.contains("--statistics has first_choice_percent twice"));
}

#[test]
fn files_that_the_verb_has_not_written_stay_and_its_own_are_made_again() {
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    let calibrate = |more: &[&str]| {
        let sums = sums();
        bench.run(&[&["calibrate", "-q", "--sums", &sums, "--statistics", "win_loss_percent"], more].concat())
    };
    let mine = b"my own notes";
    for name in ["mine.json", "mine.zst", "made-errors.svg", "linked"] {
        bench.write(name, mine);
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(bench.path("linked"), bench.path("link.json")).expect("a link");
    let refused = [
        &["--output", "mine.json"][..],
        &["--output", "made.json", "--keep-sums", "mine.zst"],
        &["--output", "made.json", "--plots", "svg"],
        #[cfg(unix)]
        &["--output", "link.json"],
    ];
    for more in refused {
        calibrate(more).ended_with(2).said(&["did not write it, or it has changed since", "--force"]);
    }
    for name in ["mine.json", "mine.zst", "made-errors.svg", "linked"] {
        assert_eq!(bench.read(name), mine, "{name}");
    }
    let all = ["--output", "made.json", "--keep-sums", "kept.csv.zst", "--plots", "svg"];
    calibrate(&[&all[..], &["--force"]].concat()).ended_with(0);
    calibrate(&all).ended_with(0);
    let over = ["calibrate", "--sums", "kept.csv.zst", "--keep-sums", "./kept.csv.zst", "--force"];
    bench.run(&over).ended_with(2).said(&["--keep-sums and --sums name the same file"]);
}
