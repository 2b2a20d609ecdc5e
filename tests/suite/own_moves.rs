//! Tests of the engine's own histogram: a second search, of the positions after its own moves.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use crate::interruption::signal;
use crate::interruption::stored;
use crate::interruption::wait_until;
use crate::program::Bench;
use crate::program::Run;
use crate::real_engine;

/// Options for one engine process. So the positions that two games share are in the store before the second
/// game begins.
const ARGS: [&str; 7] = ["games.pgn", "--jobs", "1", "--segment", "3", "--engine-histogram", "self"];

/// Number of positions with legal moves in the games.
const POSITIONS: u64 = 34;

/// Number of the engine's own moves that were not played. Only e2e4 in the first game and the mate in the
/// last game were played.
const OWN_MOVES: u64 = 33 - 2;

/// Number of distinct positions after these moves. In the second and in the third game, the own move e2e4
/// leads to the same position.
const OWN_POSITIONS: u64 = OWN_MOVES - 1;

fn bench() -> Bench {
    Bench::of_games().with("CHOOSES", "1")
}

fn searches(bench: &Bench) -> Value {
    bench.run_json("reports/games")["searches"].clone()
}

/// Returns the rows of a query of the store of `bench`.
fn rows<T>(bench: &Bench, sql: &str, row: impl Fn(&rusqlite::Row<'_>) -> rusqlite::Result<T>) -> Vec<T> {
    let store = bench.path("cache/gainalyze/evaluations.sqlite");
    let connection = Connection::open_with_flags(store, OpenFlags::SQLITE_OPEN_READ_WRITE).expect("a store");
    let mut statement = connection.prepare(sql).expect("good SQL");
    let rows = statement.query_map([], |found| row(found)).expect("rows");
    rows.collect::<Result<_, _>>().expect("values")
}

#[test]
fn every_own_move_that_was_not_played_is_one_more_search_and_none_the_second_time() {
    let bench = bench();
    bench.run(&ARGS).ended_with(0).said(&["that were not played: 31 positions, 0 of them already evaluated"]);
    let made = POSITIONS + OWN_POSITIONS;
    let own_moves = json!({ "evaluated": OWN_MOVES, "searched": OWN_POSITIONS });
    assert_eq!(
        searches(&bench),
        json!({ "made": made, "from_store": 1, "recorded": 0, "own_moves": own_moves })
    );
    let files = bench.files("reports/games");
    bench.run(&ARGS).ended_with(0);
    let own_moves = json!({ "evaluated": OWN_MOVES, "searched": 0 });
    assert_eq!(
        searches(&bench),
        json!({ "made": 0, "from_store": POSITIONS + OWN_MOVES, "recorded": 0, "own_moves": own_moves })
    );
    assert_eq!(bench.files("reports/games"), files);
    assert_eq!(bench.summary("reports/games")["method"]["engine_histogram"], "self");
}

#[test]
fn with_the_peak_at_0_nothing_more_is_searched() {
    let bench = bench();
    bench.run(&ARGS[..5]).ended_with(0);
    let own_moves = json!({ "evaluated": 0, "searched": 0 });
    assert_eq!(
        searches(&bench),
        json!({ "made": POSITIONS, "from_store": 0, "recorded": 0, "own_moves": own_moves })
    );
    assert_eq!(bench.summary("reports/games")["method"]["engine_histogram"], "delta");
    bench.run(&ARGS).ended_with(0);
    assert_eq!(searches(&bench)["made"], OWN_POSITIONS, "the games are known");
}

#[test]
fn an_own_move_is_searched_like_the_end_of_a_game_in_segments_of_one_position() {
    let bench = bench();
    bench.run(&ARGS).ended_with(0);
    let sql = "SELECT moves, ply FROM evaluations JOIN segments ON segments.id = segment \
               WHERE segment_length = 1 ORDER BY length(moves)";
    let found = rows(&bench, sql, |row| Ok((row.get::<_, String>(0)?, row.get::<_, usize>(1)?)));
    assert_eq!(found.len() as u64, OWN_POSITIONS);
    assert_eq!(found[0], ("e2e4".to_owned(), 1));
    assert!(found.contains(&("f2f3 e7e5 a2a3".to_owned(), 3)), "{found:?}");
    // The position after e2e4 occurs in the first game. In segments of one position it has the same key.
    let made_alone = |bench: &Bench| {
        bench.run(&["games.pgn", "--jobs", "1", "--segment", "1"]).ended_with(0);
        searches(bench)["made"].as_u64().expect("a number")
    };
    assert_eq!(made_alone(&bench), made_alone(&self::bench()) - 1);
}

#[test]
fn ctrl_c_in_the_second_search_keeps_all_and_the_same_command_goes_on() {
    let bench = bench().with_fault("slow");
    let child = bench.start(&ARGS);
    wait_until("the second search", || stored(&bench) >= POSITIONS);
    signal(&child, "INT");
    let run = Run::new(child.wait_with_output().expect("it ends")).ended_with(130);
    run.said(&["the running searches will be finished and stored", "the same command resumes"]);
    assert!(!bench.path("reports/games/run.json").exists());
    let kept = stored(&bench);
    assert!((POSITIONS..POSITIONS + OWN_POSITIONS).contains(&kept), "{kept}");
    bench.run(&ARGS).ended_with(0);
    assert_eq!(searches(&bench)["made"], POSITIONS + OWN_POSITIONS - kept);
    let undisturbed = self::bench();
    undisturbed.run(&ARGS).ended_with(0);
    assert_eq!(bench.files("reports/games"), undisturbed.files("reports/games"));
}

#[test]
fn a_game_on_whose_own_moves_the_engine_fails_is_left_out_with_the_reason() {
    let bench = bench().with_fault("crash-on=f2f3 e7e5 a2a3");
    let run = bench.run(&ARGS).ended_with(3);
    run.said(&["left out: games.pgn, game 3 (Gamma, Gus – Alpha, Anna)", "after the engine's own move"]);
    let games = &bench.summary("reports/games")["games"];
    assert_eq!((&games["read"], &games["analysed"]), (&3.into(), &2.into()));
    assert_eq!(games["left_out"][0]["game"], 3);
    let reason = games["left_out"][0]["reason"].as_str().expect("a reason").to_owned();
    assert!(reason.starts_with("the engine failed: after the engine's own move: "), "{reason}");
    assert!(reason.contains("exit status: 9"), "{reason}");
}

#[test]
fn a_game_that_failed_in_the_first_search_is_not_in_the_second() {
    let bench = bench().with_fault("crash-on=e2e4 e7e5");
    bench.run(&ARGS).ended_with(3);
    let summary = bench.summary("reports/games");
    assert_eq!(summary["games"]["left_out"][0]["game"], 1);
    assert_eq!(summary["games"]["analysed"], 2);
    assert_eq!(searches(&bench)["own_moves"]["evaluated"], 22 + 3);
}

#[test]
fn an_engine_that_names_no_move_has_no_histogram_of_its_own() {
    let bench = Bench::of_games();
    let run = bench.run(&ARGS).ended_with(3);
    run.said(&["left out", "the engine named no best move after 0 plies", "no game could be evaluated"]);
}

#[test]
fn recorded_evaluations_do_not_tell_what_the_own_move_leads_to() {
    let bench = bench();
    bench.run(&["games.pgn", "--annotate", "annotated.pgn"]).ended_with(0);
    let own = |evals: &str| bench.run(&["annotated.pgn", "--engine-histogram", "self", "--evals", evals]);
    own("pgn").ended_with(2).said(&[
        "have no evaluations of the engine's own moves",
        "--evals engine",
        "delta",
    ]);
    assert!(!bench.path("reports/annotated").exists(), "nothing is written for bad usage");
    let all = own("auto").ended_with(0);
    assert_eq!(all.stderr.matches("[%eval]").count(), 1, "{}", all.stderr);
    all.said(&["3 games are searched despite [%eval] comments: --engine-histogram self needs"]);
    assert_eq!(bench.run_json("reports/annotated")["searches"]["recorded"], 0);
    assert!(!own("engine").ended_with(0).stderr.contains("[%eval]"));
}

/// Lets Stockfish search a position with an empty hash table, without the program's own code. Returns `cp` or
/// `mate`, the number from the mover's view, and the chances of win, draw and loss.
fn ask(engine: &str, moves: &str, depth: u32) -> (String, i64, [i64; 3]) {
    let mut child =
        Command::new(engine).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Stockfish starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    write!(
        stdin,
        "uci\nsetoption name Threads value 1\nsetoption name Hash value 64\n\
         setoption name UCI_AnalyseMode value true\nsetoption name UCI_ShowWDL value true\n\
         ucinewgame\nposition startpos moves {moves}\ngo depth {depth}\n"
    )
    .expect("Stockfish reads");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    let searched: Vec<String> = lines.take_while(|line| !line.starts_with("bestmove")).collect();
    drop(stdin);
    child.wait().expect("Stockfish leaves");
    let last = searched.iter().rfind(|line| line.contains(" score ") && !line.contains("bound"));
    let words: Vec<&str> = last.expect("a score").split(' ').collect();
    let after = |key: &str, offset: usize| {
        let at = words.iter().position(|word| *word == key).expect("a key of the line");
        words[at + offset].to_owned()
    };
    let number = |text: String| text.parse().expect("a number");
    let wdl = [1, 2, 3].map(|offset| number(after("wdl", offset)));
    (after("score", 1), number(after("score", 2)), wdl)
}

#[test]
fn stockfish_says_the_same_of_its_own_moves_to_whoever_asks() {
    let Some(bench) = real_engine::bench(1) else { return };
    bench.run(&["games.pgn", "--depth", "7", "--engine-histogram", "self"]).ended_with(0);
    let sql = "SELECT moves, ply, cp, mate, win, draw, loss FROM evaluations \
               JOIN segments ON segments.id = segment WHERE segment_length = 1 ORDER BY ply";
    let found = rows(&bench, sql, |row| {
        let (cp, mate): (Option<i64>, Option<i64>) = (row.get(2)?, row.get(3)?);
        let wdl: [i64; 3] = [row.get(4)?, row.get(5)?, row.get(6)?];
        Ok((row.get::<_, String>(0)?, row.get::<_, u32>(1)?, cp, mate, wdl))
    });
    assert!(found.len() > 20, "{} of its choices were not played", found.len());
    for (moves, ply, cp, mate, [win, draw, loss]) in found.into_iter().step_by(5) {
        let (unit, value, [wins, draws, losses]) = ask(&real_engine::path().expect("Stockfish"), &moves, 7);
        let white_to_move = ply % 2 == 0;
        let value = if white_to_move { value } else { -value };
        let wdl = if white_to_move { [wins, draws, losses] } else { [losses, draws, wins] };
        let stored = if unit == "cp" { cp } else { mate };
        assert_eq!((stored, [win, draw, loss]), (Some(value), wdl), "{moves}");
    }
}
