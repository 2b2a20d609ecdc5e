//! Tests of engines that give impossible answers, never end, or leave processes behind. Each such fault is
//! reported as a fault of the engine.

use std::time::{Duration, Instant};

use crate::interruption::signal;
use crate::interruption::wait_until;
use crate::program::Bench;
use crate::program::GAMES;
use crate::program::Run;

/// Returns a bench with the last game of [`GAMES`], and with an engine that has this `fault`.
fn one_game(fault: &str) -> Bench {
    Bench::new(&GAMES[GAMES.rfind("[Event").expect("a game")..]).with_fault(fault)
}

#[test]
fn answers_that_cannot_be_leave_the_game_out_and_say_why() {
    for (fault, problem) in [
        ("shallow", "to depth 1 instead of 10"),
        ("huge", "score cp 2147483647 for the position after"),
        ("no-depth", "the engine's depth -5 is impossible"),
    ] {
        let run = one_game(fault).run(&["games.pgn"]).ended_with(3);
        run.said(&[problem, "left out", "no game could be evaluated"]);
    }
}

#[test]
fn a_search_that_gets_nowhere_ends_with_its_deadline_whatever_the_engine_says() {
    let run = one_game("endless").run(&["games.pgn", "--engine-timeout", "1"]).ended_with(3);
    run.said(&["reached no new depth for 1 s", "left out"]);
}

#[test]
fn the_first_signal_ends_a_search_that_never_ends_itself() {
    let bench = one_game("endless");
    for name in ["TERM", "INT"] {
        let child = bench.start(&["games.pgn"]);
        wait_until("the search has begun", || !processes_of(&bench).is_empty());
        std::thread::sleep(Duration::from_millis(500));
        let asked = Instant::now();
        signal(&child, name);
        Run::new(child.wait_with_output().expect("it ends")).ended_with(130).said(&["stopping: "]);
        assert!(asked.elapsed() < Duration::from_secs(40), "five seconds, on a machine that has time");
        wait_until("the engine is gone", || processes_of(&bench).is_empty());
    }
}

/// Returns the processes of engines that a run of this bench has started. They are recognized by their
/// environment.
fn processes_of(bench: &Bench) -> Vec<u32> {
    let marker = format!("SCRIPT_FILE={}", bench.path("fault-happened").display());
    let is_of_bench = |id: &u32| {
        let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        let command = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let is_engine = String::from_utf8_lossy(&command).contains("scripted-engine");
        is_engine && environment.split(|&byte| byte == 0).any(|entry| entry == marker.as_bytes())
    };
    let names = std::fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter_map(|name| name.to_str()?.parse().ok()).filter(is_of_bench).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn what_an_engine_has_started_ends_with_it_even_when_the_program_is_killed() {
    let bench = one_game("child");
    let mut run = bench.start(&["games.pgn"]);
    let child = || std::fs::read_to_string(bench.path("fault-happened")).ok()?.trim().parse::<u32>().ok();
    wait_until("the engine has a child", || child().is_some());
    let child = child().expect("a process");
    assert!(std::path::Path::new(&format!("/proc/{child}")).exists());
    run.kill().expect("a process");
    run.wait().expect("it is gone");
    // A process that has ended but is not awaited by its parent remains as a name.
    let is_gone = || {
        let status = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        status.is_empty() || status.contains(") Z ")
    };
    wait_until("the child is gone", is_gone);
    wait_until("the engine is gone", || processes_of(&bench).is_empty());
}

#[test]
fn options_without_end_are_cut_off_before_memory_is_short() {
    one_game("flood").run(&["games.pgn"]).ended_with(2).said(&["before \"uciok\": not a UCI engine"]);
}

#[test]
fn an_engine_that_says_nothing_has_no_last_words() {
    let run = one_game("mute").run(&["games.pgn"]).ended_with(3);
    assert!(run.stderr.contains("exit status: 9") && !run.stderr.contains("last output"), "{}", run.stderr);
}

#[test]
fn more_workers_than_a_machine_can_bear_are_refused_and_more_threads_are_not_started() {
    let bench = Bench::of_games();
    let run = bench.run(&["games.pgn", "--jobs", "100000"]).ended_with(2);
    run.said(&["--jobs", "write a number from 1 to ", "this machine has "]);
    bench.with("RAYON_NUM_THREADS", "1000000").run(&["games.pgn"]).ended_with(0);
}

#[test]
fn a_number_of_threads_that_is_none_is_refused() {
    for value in ["many", "-1", "18446744073709551615"] {
        let run = Bench::of_games().with("RAYON_NUM_THREADS", value).run(&["games.pgn"]).ended_with(2);
        let fault =
            format!("the environment variable RAYON_NUM_THREADS is {value:?}, but it must be a number of");
        run.said(&[&fault]);
    }
}

#[test]
fn an_engine_with_scores_of_another_view_or_unit_is_refused_before_its_work() {
    for (score, fault) in [
        ("cp -900", "from White's side instead of from the side to move"),
        ("mate -7", "from White's side"),
        ("cp 90000", "a hundred times larger than centipawns"),
        ("cp 9", "a hundred times smaller than centipawns"),
    ] {
        let bench = Bench::of_games().with("SCRIPT_QUEEN", score);
        let without_behavior = ["games.pgn", "--no-store", "--calibration", "none"];
        let tree = ["deep", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", "--depth", "2", "--searches", "1"];
        for args in [
            &["games.pgn"][..],
            &without_behavior,
            &["rate", "games.pgn"],
            &["go-deep", "games.pgn", "--depth", "2"],
            &tree,
        ] {
            bench.run(args).ended_with(3).said(&[
                "Scripted 1.0 cannot be used",
                fault,
                "should have a score from cp 50 to cp 20000 or a mate",
                &format!("the engine reports {score}; choose another engine"),
            ]);
        }
        assert!(!bench.path("reports").exists());
    }
    for score in ["cp 300", "cp 2500", "mate 7"] {
        let bench = Bench::of_games().with("SCRIPT_QUEEN", score);
        bench.run(&["games.pgn", "--plots", "none", "--no-html"]).ended_with(0);
    }
}

#[test]
fn an_engine_without_a_score_for_a_queen_ahead_is_not_refused() {
    // The line has no score, as if the engine could not search this position.
    let bench = Bench::of_games().with("SCRIPT_QUEEN", "none");
    bench.run(&["games.pgn", "--plots", "none", "--no-html"]).ended_with(0);
}
