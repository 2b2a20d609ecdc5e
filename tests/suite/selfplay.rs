//! Tests of whole games of an experiment: endings, files, and no loss of games.

use std::{fs, os::unix::fs::PermissionsExt, time::Duration};

use gainalyze::chess::{Ending, GameResult, pgn::parse_games};
use gainalyze::lab::{GameRecord, Side};

use crate::interruption::signal;
use crate::interruption::wait_until;
use crate::program::Bench;
use crate::program::Run;
use crate::program::scripted_engine;
use crate::{read_back, real_engine};

const FOOLS_MATE: &str = "f2f3 e7e5 g2g4 d8h4";

/// Sam Loyd's shortest stalemate.
const STALEMATE: &str = "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 a5c7 a6h6 h2h4 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 \
    b8c8 f7g6 c8e6";

/// Returns a folder in which the scripted engine plays `game`.
fn bench(game: &str) -> Bench {
    Bench::new("").with("GAME", game)
}

/// Returns the records of the games in the folder `out`.
fn outcomes(bench: &Bench) -> Vec<GameRecord> {
    read_back::read(bench.read("out/results.csv").as_slice())
}

/// Runs an experiment into the folder `out`.
fn selfplay(bench: &Bench, args: &[&str]) -> Run {
    bench.run(&[&["selfplay", "--output", "out"], args].concat())
}

/// Plays one game at depth 1, in which the scripted engine plays `moves`. The game begins at `opening`, if
/// this is not empty.
fn one_game(moves: &str, opening: &str, args: &[&str]) -> (Bench, Run) {
    let bench = bench(moves);
    bench.write("book.epd", opening.as_bytes());
    let book: &[&str] = if opening.is_empty() { &[] } else { &["--openings", "book.epd"] };
    let run = selfplay(&bench, &[&["--depths", "1", "--games", "1"], book, args].concat());
    (bench, run)
}

#[test]
fn games_end_as_the_rules_of_chess_have_it() {
    let back_and_forth = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    for (moves, opening, ending, result) in [
        (FOOLS_MATE, "", Ending::Checkmate, GameResult::BlackWins),
        (STALEMATE, "", Ending::Stalemate, GameResult::Draw),
        (back_and_forth, "", Ending::Repetition, GameResult::Draw),
        ("h1h2 e8d8", "4k3/8/8/8/8/8/8/4K2R w - - 98 90", Ending::FiftyMoves, GameResult::Draw),
        ("a1b2", "k7/8/8/8/8/8/1p6/K7 w - - 0 1", Ending::InsufficientMaterial, GameResult::Draw),
    ] {
        let (bench, run) = one_game(moves, opening, &[]);
        run.ended_with(0);
        let [outcome] = outcomes(&bench).try_into().expect("one game");
        assert_eq!((outcome.ending, outcome.result), (ending, result), "{moves}");
        assert_eq!(outcome.plies as usize, moves.split_whitespace().count());
        assert!(bench.text("out/games.pgn").contains("[Termination \"normal\"]"));
    }
}

#[test]
fn one_depth_without_openings_is_warned_of_equal_games() {
    let warning =
        "depth 1 plays only itself, and most engines then play the same game 2 times: add --random-plies 8";
    let warned = |args: &[&str]| {
        let args = [&["--depths", "1"], args].concat();
        selfplay(&bench(FOOLS_MATE), &args).ended_with(0).stderr.contains(warning)
    };
    assert!(warned(&["--games", "2"]));
    assert!(!warned(&["--games", "1"]));
}

#[test]
fn rules_that_end_games_early_are_told() {
    let (bench, run) = one_game(STALEMATE, "", &["--max-moves", "3"]);
    run.ended_with(0).said(&["rules that end games early: max-moves 3"]);
    assert_eq!((outcomes(&bench)[0].ending, outcomes(&bench)[0].plies), (Ending::MoveLimit, 6));
    let pgn = bench.text("out/games.pgn");
    assert!(pgn.contains("[Termination \"adjudication\"]") && pgn.contains("[Adjudication \"max-moves 3\"]"));
    // The scripted engine's scores are within 30 centipawns.
    let (bench, run) = one_game(STALEMATE, "", &["--adjudicate-draw=from=2,moves=1,cp=30"]);
    run.ended_with(0);
    assert_eq!((outcomes(&bench)[0].ending, outcomes(&bench)[0].plies), (Ending::DrawRule, 4));
}

#[test]
fn what_other_tools_read_stands_behind_each_move() {
    let (bench, run) = one_game(FOOLS_MATE, "", &[]);
    run.ended_with(0);
    let text = bench.text("out/games.pgn");
    let first = text.split_once("1. f3 {").expect("the first move").1;
    let (score, rest) = first.split_once("/1 ").expect("the depth that the engine tells");
    assert!(score.starts_with(['+', '-']) && score.parse::<f64>().is_ok(), "{score}");
    let (seconds, _) = rest.split_once("s}").expect("the time");
    assert!(seconds.parse::<f64>().is_ok(), "{seconds}");
    let game = parse_games(&text, "games.pgn").remove(0).expect("a game that our reader takes");
    assert_eq!(game.moves.len(), 4);
}

#[test]
fn notes_of_two_players_are_not_taken_for_evaluations_of_one_judge() {
    let (bench, run) = one_game(FOOLS_MATE, "", &[]);
    run.ended_with(0);
    bench.run(&["out/games.pgn", "--output", "judged", "--plots", "none"]).ended_with(0);
    assert_eq!(bench.summary("judged")["evaluations"]["engine"]["name"], "Scripted 1.0");
    assert_eq!(bench.run_json("judged")["searches"]["recorded"], 0);
}

#[test]
fn an_illegal_move_a_crash_and_a_stall_lose_by_forfeit() {
    for (fault, ending, termination) in [
        ("illegal", Ending::IllegalMove, "rules infraction"),
        ("crash", Ending::Crash, "abandoned"),
        ("stall", Ending::Stall, "time forfeit"),
        ("babble", Ending::Stall, "time forfeit"),
        ("drift", Ending::Stall, "time forfeit"),
        ("repeat", Ending::Stall, "time forfeit"),
    ] {
        let bench = bench(FOOLS_MATE).with_fault(fault);
        let args = ["--depths", "1,2", "--pairs", "1-2", "--games", "2", "--engine-timeout", "1"];
        let run = selfplay(&bench, &args).ended_with(3);
        run.said(&["0-1 by forfeit", "2 games ended by forfeit"]);
        let games = outcomes(&bench);
        assert!(games.iter().all(|game| game.ending == ending && game.result == GameResult::BlackWins));
        let pgn = bench.text("out/games.pgn");
        assert!(pgn.contains(&format!("[Termination \"{termination}\"]")), "{pgn}");
        assert!(pgn.contains(&format!("White forfeits ({})", ending.words())), "{pgn}");
        let again = selfplay(&bench, &args).ended_with(3);
        assert!(again.stderr.contains("already played: 2;"), "a forfeit is a result");
        assert_eq!(outcomes(&bench), games);
    }
}

#[test]
fn an_opponent_that_fails_loses_with_either_color() {
    let bench = bench(STALEMATE);
    let broken = format!("#!/bin/sh\nSCRIPT=crash-on=h5a5 SCRIPT_NAME=Broken exec {}\n", scripted_engine());
    bench.write("broken", broken.as_bytes());
    fs::set_permissions(bench.path("broken"), fs::Permissions::from_mode(0o755)).expect("a file of ours");
    let args = ["--opponent", "./broken", "--depths", "3", "--games", "4", "--restart", "never"];
    selfplay(&bench, &args).ended_with(3);
    for game in outcomes(&bench) {
        let (loser, plies) = match game.result {
            GameResult::WhiteWins => (game.black, 5),
            _ => (game.white, 6),
        };
        assert_eq!((loser.side, game.ending, game.plies), (Side::Opponent, Ending::Crash, plies));
    }
    assert!(bench.text("out/games.pgn").contains("[White \"Broken depth 3\"]"));
}

#[test]
fn an_engine_that_forfeits_without_end_is_given_up() {
    let bench = bench(FOOLS_MATE).with_fault("illegal");
    let run = selfplay(&bench, &["--depths", "1-4", "--jobs", "1"]).ended_with(3);
    run.said(&["10 games in a row were forfeited; the last fault: the move a1h8 is illegal"]);
    assert!((10..=11).contains(&outcomes(&bench).len()), "one may have begun meanwhile");
}

#[test]
fn an_engine_that_cannot_be_started_plays_no_game() {
    let bench = bench(FOOLS_MATE);
    let error = |args: &[&str]| selfplay(&bench, &[&["--depths", "1"], args].concat()).ended_with(2);
    error(&["--engine", "./none"]).said(&["engine ./none cannot be started: no such file"]);
    error(&["--opponent", "./none"]).said(&["engine ./none cannot be started: no such file"]);
    error(&["--engine-option", "Wings=2"]).said(&["no option \"Wings\""]);
    assert!(!bench.path("out").exists());
}

#[test]
fn depths_pairs_and_games_that_make_no_experiment_are_refused() {
    let bench = bench(FOOLS_MATE);
    let error = |args: &[&str]| selfplay(&bench, args).ended_with(2);
    error(&["--depths", "8..=6"]).said(&["depth 8 comes after depth 6"]);
    error(&["--depths", "1,2,1"]).said(&["depth 1 is given twice"]);
    error(&["--depths", ""]).said(&["a depth is missing"]);
    error(&["--depths", "1-3", "--pairs", "1-9"]).said(&["pair 1-9 has a depth that is not in --depths"]);
    error(&["--depths", "1-3", "--pairs", "some"]).said(&["write all, adjacent, diagonal or A-B"]);
    error(&["--depths", "4", "--pairs", "adjacent"]).said(&["no pairs to play"]);
    error(&["--depths", "1-200", "--games", "9999999"]).said(&["more than the limit of 50000000"]);
    error(&["--depths", "1", "--games", "0"]).said(&["--games"]);
    assert!(!bench.path("out").exists());
}

#[test]
fn openings_that_cannot_be_played_are_named_and_the_others_have_both_colors() {
    let bench = bench("a2a3 a7a6");
    let book = "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1\n7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n4k3/p7/8 w - - 0 1\n\
        4k3/p7/8/8/8/8/P7/4K3 w - - 12 34\n3k4/p7/8/8/8/8/P7/3K4 w - - 0 1\n";
    bench.write("book.epd", book.as_bytes());
    let args = ["--depths", "1,2", "--pairs", "1-2", "--games", "4", "--openings", "book.epd"];
    let run = selfplay(&bench, &[&args[..], &["--max-moves", "1"]].concat()).ended_with(0);
    run.said(&[
        "left out: book.epd, line 2: the game is over (checkmate)",
        "book.epd, line 3: ",
        "left out: 1 opening with the same position as an earlier opening",
    ]);
    let mut games: Vec<_> =
        outcomes(&bench).iter().map(|game| (game.opening, game.white.depth, game.line)).collect();
    games.sort_unstable();
    let [a, b, c, d] = games[..] else { panic!("four games: {games:?}") };
    assert_eq!([(a.0, a.1), (b.0, b.1)], [(Some(0), 1), (Some(0), 2)]);
    assert_eq!([(c.0, c.1), (d.0, d.1)], [(Some(1), 1), (Some(1), 2)]);
    assert!(a.2 == b.2 && c.2 == d.2 && a.2 != c.2, "one game from each opening");
    bench.write("bad.epd", b"7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n");
    let none = selfplay(&bench, &["--depths", "1", "--openings", "bad.epd"]).ended_with(2);
    none.said(&["bad.epd: no playable opening"]);
    selfplay(&bench, &["--depths", "1", "--openings", "nowhere.pgn"]).ended_with(2).said(&["no such file"]);
}

/// Options for eight games.
const SLOW: [&str; 8] = ["--depths", "1-2", "--pairs", "1-2", "--games", "8", "--jobs", "2"];

fn slow() -> Bench {
    bench(FOOLS_MATE).with_fault("slow")
}

/// Returns the results of an uninterrupted run with [`SLOW`].
fn undisturbed() -> Vec<u8> {
    let bench = bench(FOOLS_MATE);
    selfplay(&bench, &SLOW).ended_with(0);
    bench.read("out/results.csv")
}

fn start(bench: &Bench, more: &[&str]) -> std::process::Child {
    let child = bench.start(&[&["selfplay", "--output", "out"], &SLOW[..], more].concat());
    let games = || fs::read_to_string(bench.path("out/games.pgn")).unwrap_or_default();
    wait_until("the end of a game", || games().contains("0-1\n\n"));
    child
}

/// Returns the numbers of the games in `games.pgn`, in the order of the file.
fn numbers(bench: &Bench) -> Vec<String> {
    let text = bench.text("out/games.pgn");
    let number = |part: &str| part.split_once('"').expect("a tag").0.to_owned();
    text.split("[GameId \"").skip(1).map(number).collect()
}

#[test]
fn after_kill_9_the_games_are_those_of_a_run_that_nobody_disturbed() {
    let bench = slow();
    let mut child = start(&bench, &[]);
    child.kill().expect("it runs");
    assert_eq!(child.wait().expect("it ends").code(), None, "it was killed");
    let kept = bench.text("out/games.pgn");
    bench.write("out/games.pgn", [&kept, &kept[..40]].concat().as_bytes());
    let run = selfplay(&bench, &SLOW).ended_with(0).said(&["the unfinished game of an earlier run"]);
    assert!(!run.stderr.contains("already played: 0;"), "{}", run.stderr);
    assert!(bench.text("out/games.pgn").starts_with(&kept), "what was there has stayed");
    assert_eq!(bench.read("out/results.csv"), undisturbed());
    let mut games = numbers(&bench);
    games.sort();
    assert_eq!(games, ["0", "1", "2", "3", "4", "5", "6", "7"], "each game once");
}

#[test]
fn ctrl_c_lets_the_games_in_play_end_and_the_same_command_goes_on() {
    let bench = slow();
    let child = start(&bench, &[]);
    signal(&child, "INT");
    let run = Run::new(child.wait_with_output().expect("it ends")).ended_with(130);
    run.said(&["the running games will be finished and recorded", "the same command resumes"]);
    let kept = outcomes(&bench).len();
    assert!((1..8).contains(&kept), "{kept} games");
    selfplay(&bench, &SLOW).ended_with(0).said(&[&format!("already played: {kept};")]);
    assert_eq!(bench.read("out/results.csv"), undisturbed());
}

#[test]
fn a_pause_of_the_program_forfeits_no_game() {
    let bench = slow();
    let child = start(&bench, &["--engine-timeout", "1"]);
    for _ in 0..3 {
        signal(&child, "STOP");
        std::thread::sleep(Duration::from_millis(2_500));
        signal(&child, "CONT");
        std::thread::sleep(Duration::from_millis(150));
    }
    Run::new(child.wait_with_output().expect("it ends")).ended_with(0);
    assert_eq!(bench.read("out/results.csv"), undisturbed());
}

#[test]
fn an_engine_that_crashes_at_fixed_nodes_ends_the_match() {
    let bench = bench(FOOLS_MATE);
    for (name, fault) in [("broken", "crash"), ("sound", "")] {
        let script = format!("#!/bin/sh\nSCRIPT={fault} SCRIPT_NAME={name} exec {}\n", scripted_engine());
        bench.write(name, script.as_bytes());
        fs::set_permissions(bench.path(name), fs::Permissions::from_mode(0o755)).expect("a file of ours");
    }
    let entrants = ["--entrant", "broken=./broken@nodes=5000", "--entrant", "sound=./sound@nodes=5000"];
    let run = selfplay(&bench, &[&entrants[..], &["--games", "4"]].concat()).ended_with(3);
    run.said(&["4 games ended by forfeit"]);
    assert_eq!(bench.text("out/games.pgn").matches("[Termination \"abandoned\"]").count(), 4);
}

#[test]
fn a_second_ctrl_c_drops_the_games_in_play() {
    let bench = bench(FOOLS_MATE).with_fault("stall");
    let child = bench.start(&[&["selfplay", "--output", "out"], &SLOW[..]].concat());
    wait_until("a search", || bench.path("fault-happened").exists());
    signal(&child, "INT");
    // Two equal signals that come at once count as one.
    std::thread::sleep(Duration::from_secs(1));
    let second = std::time::Instant::now();
    signal(&child, "INT");
    Run::new(child.wait_with_output().expect("it ends")).ended_with(130);
    assert!(second.elapsed() < Duration::from_secs(20), "the engine would be silent for a minute");
    assert_eq!(bench.text("out/games.pgn"), "");
}

#[test]
fn a_folder_of_another_experiment_is_refused_and_stays_as_it_is() {
    let bench = bench(FOOLS_MATE);
    let args = ["--depths", "1,2", "--games", "2"];
    selfplay(&bench, &args).ended_with(0);
    let before = bench.files("out");
    let refused = |args: &[&str]| selfplay(&bench, args).ended_with(2);
    refused(&["--depths", "1,2", "--games", "4"]).said(&["another experiment", "games (2 there, 4 here)"]);
    refused(&["--depths", "1,3", "--games", "2"]).said(&["differs in pairs"]);
    refused(&[&args[..], &["--seed", "7"]].concat()).said(&["seed (1 there, 7 here)"]);
    refused(&[&args[..], &["--hash", "16"]].concat()).said(&["differs in engine"]);
    refused(&[&args[..], &["--max-moves", "9"]].concat()).said(&["differs in adjudication"]);
    assert_eq!(bench.files("out"), before);
    fs::remove_file(bench.path("out/experiment.json")).expect("a file");
    refused(&args).said(&["out contains games.pgn but no experiment.json"]);
}

#[test]
fn jobs_restarts_and_a_kill_do_not_change_the_games_of_stockfish() {
    let Some(engine) = real_engine::path() else { return };
    let bench = Bench::new("").with("GAINALYZE_ENGINE", &engine);
    let args = ["selfplay", "--depths", "1-2", "--games", "4", "--random-plies", "4", "--hash", "1"];
    let results = |more: &[&str], output: &str| {
        bench.run(&[&args[..], more, &["--output", output]].concat()).ended_with(0);
        bench.text(&format!("{output}/results.csv"))
    };
    let one = results(&["--jobs", "1"], "one");
    assert_eq!(one.lines().count(), 13);
    assert_eq!(one, results(&["--jobs", "3"], "three"));
    assert_eq!(one, results(&["--jobs", "2", "--restart", "pair"], "pair"));
    assert_eq!(one, results(&["--jobs", "2", "--restart", "game"], "game"));
    let mut child = bench.start(&[&args[..], &["--output", "killed"]].concat());
    let games = || fs::read_to_string(bench.path("killed/games.pgn")).unwrap_or_default();
    wait_until("the end of two games", || games().matches("[Event ").count() >= 2);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert_eq!(one, results(&[], "killed"));
}
