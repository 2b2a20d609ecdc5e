//! Tests that a run avoids useless work and output: it skips searches of games that cannot count, and prints
//! one sentence instead of many lines.

use crate::program::Bench;

/// Returns the number of searched positions. Positions without legal moves need no engine.
fn searches(bench: &Bench) -> u64 {
    bench.run_json("reports/games")["searches"]["made"].as_u64().expect("a number")
}

#[test]
fn games_of_rounds_that_do_not_count_are_not_searched() {
    let all = Bench::of_games();
    all.run(&["games.pgn", "--plots", "none", "--no-html"]).ended_with(0);
    let (third, rest) = (Bench::of_games(), Bench::of_games());
    let choose = ["games.pgn", "--plots", "none", "--no-html", "--rounds"];
    third
        .run(&[&choose[..], &["3"]].concat())
        .ended_with(0)
        .said(&["1 of 3 games chosen; not chosen: 2 by --rounds", "4 positions of 1 game"]);
    assert_eq!(searches(&third), 4, "the fifth is mate");
    rest.run(&[&choose[..], &["1-2"]].concat()).ended_with(0);
    assert_eq!(searches(&all), searches(&third) + searches(&rest));
    // The numbers equal those after a search of all games.
    let scores = |bench: &Bench| {
        let rows = bench.table("reports/games/moves.csv", &["round", "ply", "after_cp", "gain_cp"]);
        rows.into_iter().filter(|row| row[0] == "3").collect::<Vec<_>>()
    };
    assert_eq!(scores(&third), scores(&all));
}

#[test]
fn a_filter_that_leaves_nothing_is_an_error_before_any_search() {
    // An engine that cannot even be started is not needed here.
    let bench = Bench::of_games().with("GAINALYZE_ENGINE", "/no/such/engine");
    for (options, told) in [
        (
            &["--rounds", "77"][..],
            "error: games.pgn: no game fits; the options leave out 3 games: 3 by --rounds (with \"1\", \"2\", \"3\")",
        ),
        (&["--skip-moves", "300"], "error: no move passes the filters: without moves 1 to 300"),
        (
            &["--phase", "endgame", "--color", "white"],
            "error: no move passes the filters: White's moves; phase endgame",
        ),
    ] {
        bench.run(&[&["games.pgn"], options].concat()).ended_with(2).said(&[told]);
        assert!(!bench.path("reports").exists(), "{options:?}");
    }
}

#[test]
fn games_without_any_evaluation_are_told_of_in_one_sentence() {
    let bench = Bench::of_games();
    let run = bench.run(&["games.pgn", "--evals", "pgn"]).ended_with(2);
    assert_eq!(
        run.stderr,
        "error: none of 3 games has an [%eval] comment: leave out --evals pgn to search the games with an engine\n"
    );
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_recorded_with_what_can_be_read_of_it() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let bench = Bench::of_games();
    let name = OsStr::from_bytes(b"g\xff.pgn");
    std::fs::rename(bench.path("games.pgn"), bench.path("").join(name)).expect("a file");
    let rest = ["--depth", "3", "--output", "out"].map(OsStr::new);
    bench.run_with(&[&[OsStr::new("go-deep"), name], &rest[..]].concat()).ended_with(0);
    assert_eq!(bench.run_json("out")["command"][2], "g\u{fffd}.pgn");
}
