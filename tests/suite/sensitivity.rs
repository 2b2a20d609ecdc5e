//! Tests of the verb `sensitivity`: tables by other choices of method, and the comparison with another run.

use crate::program::Bench;
use crate::program::GAMES;
use crate::program::Run;

const RECORDED: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/data/candidates-2013-stockfish-15.1-depth-20-backward.pgn");

/// Returns the rows of a table in the folder `out`, each with its cells by the names of their columns.
fn rows(bench: &Bench, table: &str) -> Vec<serde_json::Value> {
    serde_json::from_str(&bench.text(&format!("out/{table}.json"))).expect("JSON")
}

/// Returns the row of that statistic and choice.
fn row(rows: &[serde_json::Value], statistic: &str, choice: &str) -> serde_json::Value {
    let found = rows.iter().find(|row| row["statistic"] == statistic && row["choice"] == choice);
    found.unwrap_or_else(|| panic!("{statistic}, {choice}: {rows:?}")).clone()
}

/// Runs `sensitivity` with its tables as JSON in `out`.
fn study(bench: &Bench, args: &[&str]) -> Run {
    bench.run(&[&["sensitivity"], args, &["--output", "out", "--format", "json"]].concat())
}

/// Returns a bench with the scripted engine's evaluations of [`GAMES`] in `recorded.pgn`, and their report in
/// `reports/games`.
fn searched() -> Bench {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--annotate", "recorded.pgn", "--plots", "none"]).ended_with(0);
    bench
}

#[test]
fn the_recorded_candidates_tournament_under_each_choice_of_method() {
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    let run = bench.run(&["sensitivity", RECORDED, "--output", "out", "--quiet"]).ended_with(0);
    insta::assert_snapshot!("candidates_2013_sensitivity", run.stdout);
    assert_eq!(run.stderr, "");
    let names: Vec<String> = bench.files("out").into_keys().collect();
    assert_eq!(names, ["sensitivity-players.csv", "sensitivity.csv"]);
    let players = bench.text("out/sensitivity-players.csv");
    // The numbers equal those of `analyze` to the last digit.
    bench.run(&[RECORDED, "--output", "tie", "--plots", "none", "--tie", "20"]).ended_with(0);
    let analyzed = bench.table("tie/players.csv", &["player", "expected_score"]);
    let score = analyzed.iter().find(|row| row[0] == "Carlsen, Magnus").map(|row| &row[1]).expect("a player");
    assert!(players.contains(&format!("tie 20,\"Carlsen, Magnus\",{score},")), "{score} in {players}");
}

#[test]
fn a_run_against_itself_repeats_every_number() {
    let bench = Bench::new("");
    study(&bench, &[RECORDED, "--against", RECORDED]).ended_with(0);
    let found = rows(&bench, "repeatability");
    assert_eq!(found.len(), 14);
    for row in &found {
        assert_eq!((&row["games"], &row["players"]), (&56.into(), &8.into()), "{row}");
        assert!((row["pearson"].as_f64().expect("a number") - 1.0).abs() < 1e-12, "{row}");
        assert!((row["spearman"].as_f64().expect("a number") - 1.0).abs() < 1e-12, "{row}");
        assert_eq!(row["mean_difference"], 0.0);
    }
    let judges = rows(&bench, "judges");
    assert_eq!(judges.len(), 5);
    for row in &judges {
        assert!((row["pearson"].as_f64().expect("a number") - 1.0).abs() < 1e-9, "{row}");
        assert_eq!(row["mean"], row["mean_other"]);
    }
    let observations = judges.iter().map(|row| row["observations"].as_u64().expect("a count"));
    // 4,827 moves, and both sides of 56 games.
    assert_eq!(observations.collect::<Vec<_>>(), [4827, 4827, 4827, 112, 112]);
    for row in rows(&bench, "blunders") {
        assert_eq!((&row["recall"], &row["precision"]), (&1.0.into(), &1.0.into()), "{row}");
        assert!(row["blunders"].as_u64() > Some(10) && row["blunders"] == row["blunders_other"], "{row}");
    }
}

#[test]
fn the_engine_within_is_compared_with_a_better_judge() {
    let club = concat!(env!("CARGO_MANIFEST_DIR"), "/data/club-games-stockfish-15.1-depth-12.pgn");
    let bench = Bench::new("");
    let args = [club, "--max-games", "6", "--evals", "engine", "--engine", "builtin", "--depth", "4"];
    let files = ["--calibration", "none", "--plots", "none", "--no-html"];
    bench.run(&[&args[..], &files].concat()).ended_with(0);
    let run = study(&bench, &[&args[..], &["--against", club]].concat()).ended_with(0);
    assert!(run.stdout.contains("Blunders by this engine and by the other"), "{}", run.stdout);
    let judges = rows(&bench, "judges");
    let evaluation = judges.iter().find(|row| row["number"] == "evaluation_cp").expect("a row");
    // A search of four plies sees which side is winning.
    assert!(evaluation["pearson"].as_f64() > Some(0.7), "{evaluation}");
    assert!(rows(&bench, "blunders")[1]["recall"].as_f64() > Some(0.4));
}

#[test]
fn a_report_in_any_form_is_another_run_as_good_as_its_pgn() {
    let bench = searched();
    for format in ["csv", "parquet", "json"] {
        let args = ["games.pgn", "--output", format, "--format", format, "--plots", "none"];
        bench.run(&args).ended_with(0);
        let run = study(&bench, &["games.pgn", "--against", format]).ended_with(0);
        assert!(run.stdout.contains(&format!("{format} has the same 3 games.")), "{}", run.stdout);
        let found = rows(&bench, "repeatability");
        assert_eq!(row(&found, "expected_score", "")["players"], 3);
        assert_eq!(row(&found, "wdl_loss_percent", "")["mean_difference"], 0.0);
    }
    study(&bench, &["games.pgn", "--against", "recorded.pgn"]).ended_with(0);
    let found = rows(&bench, "repeatability");
    assert_eq!(row(&found, "centipawn_loss", "")["mean_difference"], 0.0);
    let plain = bench.text("recorded.pgn").replace("wdl", "chances");
    bench.write("plain.pgn", plain.as_bytes());
    let run = study(&bench, &["games.pgn", "--against", "plain.pgn"]).ended_with(0);
    assert!(run.stdout.contains("Unknown in at least one run: Loss by WDL, %"), "{}", run.stdout);
    assert!(row(&rows(&bench, "repeatability"), "wdl_loss_percent", "")["mean_difference"].is_null());
}

#[test]
fn what_is_stored_is_found_and_nothing_is_searched() {
    // The engine exits as soon as a search is requested.
    let bench = searched().with_fault("crash");
    let run = study(&bench, &["games.pgn"]).ended_with(0);
    run.said(&["34 positions of 3 games, 34 of them already evaluated"]);
    let run = study(&bench, &["games.pgn", "--depth", "7", "--order", "backward"]).ended_with(2);
    run.said(&[
        "by Scripted 1.0 (depth 7, backward, segments of 16) are missing for 34 positions of 3 games",
        "to search them, run gainalyze PGN --depth 7 --order backward",
    ]);
    let more = [GAMES, "[White \"Alpha, Anna\"]\n[Black \"Beta, Bert\"]\n\n1. a4 a5 *\n"].concat();
    bench.write("more.pgn", more.as_bytes());
    study(&bench, &["more.pgn"]).ended_with(2).said(&["are missing for 3 positions of 1 game"]);
    study(&bench, &["games.pgn", "--no-store"])
        .ended_with(2)
        .said(&["34 positions of 3 games", "--no-store"]);
    study(&bench, &["games.pgn", "--evals", "pgn"])
        .ended_with(2)
        .said(&["none of 3 games has an [%eval] comment"]);
}

#[test]
fn the_engines_own_histogram_is_a_choice_once_its_moves_are_stored() {
    let bench = Bench::of_games().with("CHOOSES", "1");
    bench.run(&["games.pgn", "--plots", "none"]).ended_with(0);
    let run = study(&bench, &["games.pgn"]).ended_with(0);
    run.said(&["the store lacks evaluations after some of the engine's own moves"]);
    let own = ["games.pgn", "--engine-histogram", "self"];
    study(&bench, &own).ended_with(2).said(&["are missing for", "to search them, run gainalyze"]);
    bench
        .run(&[&own[..], &["--output", "own", "--plots", "none", "--format", "json"]].concat())
        .ended_with(0);
    let bench = bench.with_fault("crash");
    study(&bench, &["games.pgn"]).ended_with(0);
    let found = rows(&bench, "sensitivity");
    let choice = row(&found, "expected_score", "engine-histogram self");
    study(&bench, &own).ended_with(0);
    let base = row(&rows(&bench, "sensitivity"), "expected_score", "");
    for number in ["mean", "highest", "engine_strength"] {
        let [choice, base] = [&choice, &base].map(|row| row[number].as_f64().expect("a number"));
        assert!((choice - base).abs() < 1e-9, "{number}: {choice} is not {base}");
    }
    let analyzed: Vec<serde_json::Value> =
        serde_json::from_str(&bench.text("own/players.json")).expect("JSON");
    let mean = analyzed.iter().filter_map(|player| player["expected_score"].as_f64()).sum::<f64>() / 3.0;
    assert!((base["mean"].as_f64().expect("a number") - mean).abs() < 1e-12, "{base}");
}

#[test]
fn another_run_that_cannot_be_read_is_refused_by_name() {
    let bench = searched();
    let refused = |other: &str, words: &[&str]| {
        let run = study(&bench, &["recorded.pgn", "--against", other]).ended_with(2);
        assert_eq!(run.stdout, "");
        run.said(words);
    };
    refused("nowhere", &["nowhere: no such file or folder"]);
    std::fs::create_dir(bench.path("empty")).expect("a folder");
    refused("empty", &["empty: not the folder of a report"]);
    refused("games.pgn", &["no game has all of its evaluations recorded", "no position of the game has"]);
    bench.run(&["games.pgn", "--output", "beta", "--player", "gamma", "--plots", "none"]).ended_with(0);
    refused("beta", &["game 2 has no row for ply 1", "make it again without --player"]);
}

#[test]
fn games_that_only_one_run_has_are_named_and_the_others_compared() {
    let bench = searched();
    let recorded = bench.text("recorded.pgn");
    let last = recorded.rfind("[Event").expect("a game");
    bench.write("first.pgn", &recorded.as_bytes()[..last]);
    let run = study(&bench, &["recorded.pgn", "--against", "first.pgn"]).ended_with(0);
    let note = "first.pgn has 2 of the 3 games. The first missing game is recorded.pgn, game 3 (Gamma, Gus – \
                Alpha, Anna).";
    let shown = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains(note), "{shown}");
    assert_eq!(row(&rows(&bench, "repeatability"), "mean_gain_cp", "")["games"], 2);
    let other = bench.path("reports/games");
    let run = study(&bench, &["first.pgn", "--against", &other.to_string_lossy()]).ended_with(0);
    let shown = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("Not compared: 1 game that only"), "{shown}");
    bench.write("last.pgn", &recorded.as_bytes()[last..]);
    let run = study(&bench, &["first.pgn", "--against", "last.pgn"]).ended_with(2);
    assert!(run.stdout.contains("baseline"), "the rest of the report is there: {}", run.stdout);
    run.said(&[
        "last.pgn: no game in common: 1 game there, 2 games in this run; the first game of this run is first.pgn, game 1",
    ]);
    assert!(!bench.path("out/repeatability.json").exists(), "those of an earlier run are gone");
}

#[test]
fn one_player_and_nobody_rated_still_have_a_table() {
    let bench =
        Bench::new("{ [%eval 0.2] } 1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 2. f4 { [%eval -0.2] } *\n");
    let run = study(&bench, &["games.pgn", "--against", "games.pgn"]).ended_with(0).said(&["--elo"]);
    let on_one_line = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["no rated player has a counted move", "Players without a counted move: skip-moves 8"] {
        assert!(on_one_line.contains(words), "{words:?} is not in {}", run.stdout);
    }
    assert!(run.stdout.contains("1 player: an interval of r needs at least four."), "{}", run.stdout);
    assert!(!run.stdout.contains("NaN") && !run.stdout.contains("inf"), "{}", run.stdout);
    let found = rows(&bench, "sensitivity");
    let tie = row(&found, "expected_score", "tie 20");
    assert!(tie["spearman"].is_null() && tie["engine_strength"].is_null(), "{tie}");
    assert_eq!((&tie["players"], &tie["first"]), (&1.into(), &"?".into()));
    let repeated = row(&rows(&bench, "repeatability"), "mean_gain_cp", "");
    assert!(repeated["pearson"].is_null() && repeated["mean_difference"] == 0.0, "{repeated}");
}

#[test]
fn a_study_and_a_report_share_a_folder_and_leave_each_other_alone() {
    let bench = searched();
    bench.run(&["recorded.pgn", "--plots", "none"]).ended_with(0);
    let report = bench.files("reports/recorded");
    bench.run(&["sensitivity", "recorded.pgn", "--against", "recorded.pgn"]).ended_with(0);
    let both = bench.files("reports/recorded");
    assert!(report.iter().all(|(name, bytes)| both.get(name) == Some(bytes)), "the report is as it was");
    let added: Vec<&String> = both.keys().filter(|name| !report.contains_key(*name)).collect();
    assert_eq!(
        added,
        ["blunders.csv", "judges.csv", "repeatability.csv", "sensitivity-players.csv", "sensitivity.csv"]
    );
    bench.run(&["recorded.pgn", "--plots", "none"]).ended_with(0);
    assert_eq!(bench.files("reports/recorded"), both, "a report written anew leaves the study");
    bench.run(&["sensitivity", "recorded.pgn", "--format", "parquet"]).ended_with(0);
    let names: Vec<String> = bench.files("reports/recorded").into_keys().collect();
    let study: Vec<&String> = names.iter().filter(|name| !report.contains_key(*name)).collect();
    assert_eq!(
        study,
        ["sensitivity-players.parquet", "sensitivity.parquet"],
        "but an older study is replaced"
    );
}

#[test]
fn a_filter_of_the_base_line_is_named_in_every_table() {
    let bench = Bench::new("");
    let args = [RECORDED, "--skip-moves", "8", "--tie", "10", "--against", RECORDED];
    let run = study(&bench, &args).ended_with(0);
    let named = run.stdout.matches("Filters: without moves 1 to 8.").count();
    assert_eq!(named, 5, "{}", run.stdout);
    let found = rows(&bench, "sensitivity");
    assert_eq!(row(&found, "expected_score", "")["filter"], "without moves 1 to 8");
    assert_eq!(row(&found, "expected_score", "skip-moves 0")["filter"], "");
    assert_eq!(row(&found, "expected_score", "skip-moves 0")["moves"], 4827);
}

#[test]
fn a_narrow_terminal_gets_tables_of_sensitivity_that_fit() {
    use gainalyze::chess::recorded_evaluations;
    use gainalyze::chess::{EvaluatedGame, pgn};
    use gainalyze::measure::{Method, MoveSample, Sensitivity, tournament::repeatability};
    use gainalyze::report::{kinds::sensitivity::tables, table};
    let text = std::fs::read_to_string(RECORDED).expect("a file of the repository");
    let evaluated = |game: gainalyze::chess::game::Game| {
        let evaluations = recorded_evaluations(&game, None).expect("evaluations of every position");
        EvaluatedGame::new(game, evaluations)
    };
    let games: Vec<EvaluatedGame> =
        pgn::parse_games(&text, "test").into_iter().map(|game| evaluated(game.expect("a game"))).collect();
    let (sample, method) = (MoveSample::of(&games), Method::default());
    let found = Sensitivity::of(&sample, &Default::default(), &method);
    let repeated = repeatability::rows(&sample, &sample, &method);
    for columns in [40, 60, 80, 100] {
        let shown = tables::sensitivity(&found, table::Screen::of_columns(columns))
            + &tables::repeatability(&repeated, "Both.", table::Screen::of_columns(columns));
        let widest = shown.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(usize::from(columns)), "{columns} columns\n{shown}");
        assert!(shown.contains("metric win, tie 200") && shown.contains("0.438"), "{shown}");
    }
}
