//! Tests of ratings of play: the engine, its calibration, and the message if no rating is possible.

use crate::program::Bench;
use crate::program::scripted_engine;
use crate::real_engine;

#[test]
fn an_engine_without_a_calibration_rates_nobody_and_one_sentence_says_how_it_could() {
    let bench = Bench::of_games();
    let engine = scripted_engine();
    let args =
        ["rate", "games.pgn", "--engine", &engine, "--engine-option", "Style=Very Risky", "--hash", "32"];
    bench.run(&args[..4]).ended_with(2).said(&[
        "no rating of play: Scripted 1.0 does not behave like any calibrated engine",
        &format!(
            ", run gainalyze calibrate --quick --engine {engine}, then add --calibration calibration.json"
        ),
    ]);
    let run = bench.run(&["games.pgn", "--plots", "none"]).ended_with(0);
    run.said(&[
        "no rating of play: Scripted 1.0 does not behave like any calibrated engine",
        "gainalyze calibrate",
    ]);
    let none = bench.run(&["games.pgn", "--plots", "none", "--calibration", "none"]).ended_with(0);
    assert!(!none.stderr.contains("rating of play"), "{}", none.stderr);
    bench
        .run(&["rate", "games.pgn", "--calibration", "none"])
        .ended_with(2)
        .said(&["no calibration is available"]);
}

#[test]
fn the_file_of_a_calibration_is_read_before_any_search_or_named_with_what_is_wrong() {
    let bench = Bench::of_games();
    for verb in [&["rate"][..], &[]] {
        let run =
            |file: &str| bench.run(&[verb, &["games.pgn", "--calibration", file]].concat()).ended_with(2);
        run("missing.json").said(&["missing.json", "No such file"]);
        bench.write("other.json", b"{\"calibration\": 99}");
        run("other.json").said(&["other.json: it is a calibration of version 99"]);
    }
}

#[test]
fn games_whose_evaluations_are_of_a_calibrated_kind_are_rated_without_an_engine() {
    let Some(bench) = real_engine::bench(3) else { return };
    let args =
        ["games.pgn", "--depth", "8", "--annotate", "recorded.pgn", "--output", "out", "--plots", "none"];
    let run = bench.run(&args).ended_with(0);
    assert!(!run.stderr.contains("for the rating of play"), "one search is enough: {}", run.stderr);
    let bench = bench.with("GAINALYZE_ENGINE", "/no/such/engine");
    let rated = bench.run(&["rate", "recorded.pgn", "--output", "rated", "--plots", "none"]).ended_with(0);
    rated.said(&["3 games come from [%eval] comments"]);
    bench.run(&["rate", "games.pgn", "--output", "rated", "--plots", "none"]).ended_with(2);
}

#[test]
fn a_calibration_within_the_program_is_chosen_by_its_name() {
    let Some(bench) = real_engine::bench(3) else { return };
    let by = |name: &str| {
        let run =
            bench.run(&["rate", "games.pgn", "--calibration", name, "--output", "out", "--plots", "none"]);
        run.ended_with(0).stderr
    };
    assert!(by("stockfish-15.1-depth-8").contains("depth 8, forward, segments of 16"));
    assert!(by("stockfish-15.1-depth-10").contains("depth 10, forward, segments of 16"));
    let of_another = ["rate", "games.pgn", "--calibration", "builtin-depth-10"];
    bench
        .run(&of_another)
        .ended_with(0)
        .said(&["gainalyze engine 0.2.0 searches the games, because Stockfish 15.1"]);
}

#[test]
fn a_deep_job_is_rated_by_a_search_of_its_own_beside_it() {
    let Some(bench) = real_engine::bench(3) else { return };
    let args = ["games.pgn", "--depth", "4", "--output", "out", "--plots", "none"];
    let run = bench.run(&args).ended_with(0);
    run.said(&["for the rating of play (depth 10, forward, segments of 16)", "0 of them already evaluated"]);
    assert_eq!(bench.summary("out")["evaluations"]["protocol"]["limit"], "depth 4");
    let quality = bench.summary("out")["quality"].clone();
    assert!(quality.to_string().contains("rating"), "{quality}");
    bench.run(&["report", "out", "--plots", "none"]).ended_with(0);
    assert_eq!(bench.summary("out")["quality"], quality, "made again without an engine");
    let again = bench.run(&["rate", "games.pgn", "--output", "rated", "--plots", "none"]).ended_with(0);
    assert!(again.stderr.contains("depth 10, forward"), "{}", again.stderr);
    assert_eq!(bench.summary("rated")["evaluations"]["protocol"]["limit"], "depth 10");
    let searches = &bench.run_json("rated")["searches"];
    assert_eq!(searches["made"], 0, "the store knows them: {searches}");
}

#[test]
fn a_refused_rating_is_no_number_in_a_file_or_on_the_page() {
    let bench = Bench::of_games();
    bench
        .run(&["rate", "games.pgn", "--engine", "builtin", "--output", "out", "--plots", "none"])
        .ended_with(0);
    for table in ["players", "quality", "quality-parts"] {
        let rows =
            bench.table(&format!("out/{table}.csv"), &["rating_of_play", "rating_of_play_low", "refused"]);
        assert!(rows.len() >= 3);
        for row in rows {
            assert_eq!([row[0].as_str(), &row[1]], ["", ""], "{table}");
            assert!(row[2].starts_with("fewer than 100 moves"), "{table}: {row:?}");
        }
    }
    let page = bench.text("out/report.html");
    assert!(!page.contains("<td class=\"measured\">("), "no number drawn to the mean of all players");
    assert!(page.contains("–: no rating of play (fewer than 100 moves, fewer than 3 games"));
}

#[test]
fn a_field_is_screened_with_the_alarms_that_honest_players_give() {
    let bench = Bench::new("");
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/data/candidates-2013-stockfish-15.1-depth-10.pgn");
    let run = bench.run(&["rate", games, "--screen", "-o", "out"]).ended_with(0);
    assert!(run.stdout.starts_with(
        "Play above the rating, relative to the other players: a reason to look, not a verdict\n"
    ));
    let told = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "An honest field of 8 players is expected to have 0.4 below p = 0.05, 0.1 below p = 0.01, 0.0 below p = 0.001.",
        "Of players like these who take 20, 30, 50, 100 % of their moves from an engine,",
        "p: share of 1509 honest players in other events whose z was as high",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let rows = bench.table("out/screening.csv", &["player", "games", "z", "p", "p_holm"]);
    assert!(rows.len() == 8 && rows.iter().all(|row| row[1] == "14"), "{rows:?}");
    let number = |row: &[String], place: usize| row[place].parse::<f64>().expect("a number");
    assert!(rows.windows(2).all(|pair| number(&pair[0], 2) >= number(&pair[1], 2)), "the highest z first");
    assert!(rows.iter().all(|row| number(row, 3) > 0.01 && number(row, 4) >= number(row, 3)), "{rows:?}");

    let lichess = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lichess/rapid.pgn.zst");
    let refused = bench.run(&["rate", lichess, "--screen", "-o", "rapid"]).ended_with(0);
    refused.said(&["no screening: its false alarms were measured only over the board"]);
}
