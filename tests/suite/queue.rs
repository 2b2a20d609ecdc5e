//! Tests of workers that share a queue: the report equals the report of one process, whatever happens to the
//! workers.

use std::{
    process::{Child, Command},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::postgres_relay::Mischief;
use crate::postgres_relay::Relay;
use crate::postgres_server::Server;
use crate::program::Bench;
use crate::program::Run;
use crate::program::scripted_engine;
use crate::real_engine;

/// Returns a server and its address; `None` if PostgreSQL is not installed.
fn server() -> Option<(Server, String)> {
    let server = Server::start()?;
    let address = server.address("postgres") + "?sslmode=disable";
    Some((server, address))
}

/// The options of a run of three games.
pub const SEARCH: [&str; 9] =
    ["games.pgn", "--depth", "3", "--evals", "engine", "--segment", "3", "--calibration", "none"];

/// Starts a run, and waits until its segments are in the queue.
pub fn coordinate(bench: &Bench, server: &Server, address: &str, args: &[&str]) -> Child {
    let child = bench.start(&[&SEARCH[..], &["--store", address, "--queue"], args].concat());
    wait("all is put", || number(server, "SELECT count(*) FROM gainalyze.tasks") > 10);
    child
}

/// Starts a worker with one engine.
pub fn work(bench: &Bench, address: &str, args: &[&str]) -> Child {
    bench.start(&[&["work", address, "--jobs", "1", "--lease", "1"][..], args].concat())
}

/// Waits until a program has ended.
pub fn end_of(child: Child) -> Run {
    Run::new(child.wait_with_output().expect("the program ends"))
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

fn wait(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "not within a minute: {what}");
        sleep(Duration::from_millis(50));
    }
}

/// Returns the number that a query gives; 0 while the tables are missing.
fn number(server: &Server, query: &str) -> u64 {
    let is_there = "SELECT to_regclass('gainalyze.failures') IS NOT NULL";
    match server.sql("games", is_there).as_str() {
        "t" => server.sql("games", query).parse().expect("a number"),
        _ => 0,
    }
}

fn done(server: &Server) -> u64 {
    number(server, "SELECT coalesce(sum(segments), 0) FROM gainalyze.work_done")
}

/// Asserts that the queue is empty, and that every segment put into it is done and stored once.
pub fn is_worked_off(server: &Server) {
    assert_eq!(number(server, "SELECT count(*) FROM gainalyze.tasks"), 0);
    let put = number(server, "SELECT sum(segments) FROM gainalyze.runs");
    assert_eq!((done(server), number(server, "SELECT count(*) FROM gainalyze.segments")), (put, put));
}

/// Runs three workers, kills one of them in the middle, and compares the result with the result of one
/// process.
fn three_workers_make_what_one_process_makes(bench: &Bench) {
    let Some((server, address)) = server() else { return };
    bench.run(&[&SEARCH[..], &["--no-store", "--output", "whole"]].concat()).ended_with(0);
    let coordinator = coordinate(bench, &server, &address, &["--output", "queued"]);
    let mut workers: Vec<Child> = (0..3).map(|_| work(bench, &address, &["--until-empty"])).collect();
    wait("something is done", || done(&server) > 0);
    workers[1].kill().expect("a living child");
    end_of(coordinator).ended_with(0);
    assert_eq!(bench.files("whole"), bench.files("queued"));
    for (place, worker) in workers.into_iter().enumerate() {
        let run = end_of(worker);
        assert!(place == 1 || run.code == Some(0), "{run:?}");
    }
    is_worked_off(&server);
}

#[test]
fn three_workers_make_the_report_of_one_process_though_one_is_killed() {
    let bench = Bench::of_games().with("SCRIPT", "slow");
    three_workers_make_what_one_process_makes(&bench);
}

#[test]
fn stockfish_on_three_workers_makes_the_report_of_one_process() {
    let Some(bench) = real_engine::bench(3) else { return };
    three_workers_make_what_one_process_makes(&bench);
}

#[test]
fn the_engines_own_moves_and_ratings_go_through_the_queue_too() {
    let Some((server, address)) = server() else { return };
    let bench = Bench::of_games();
    let search = ["--engine", "builtin", "--engine-histogram", "self"];
    let search = [&["games.pgn", "--depth", "3", "--evals", "engine"], &search[..]].concat();
    bench.run(&[&search[..], &["--no-store", "--output", "whole"]].concat()).ended_with(0);
    let queued = [&search[..], &["--store", &address, "--queue", "--output", "queued"]].concat();
    let coordinator = bench.start(&queued);
    wait("something waits", || number(&server, "SELECT count(*) FROM gainalyze.tasks") > 0);
    let worker = work(&bench, &address, &["--engine", "builtin", "--until-empty"]);
    end_of(coordinator).ended_with(0);
    end_of(worker).ended_with(0);
    assert_eq!(bench.files("whole"), bench.files("queued"));
    is_worked_off(&server);
    let limits = server.sql("games", "SELECT DISTINCT search_limit FROM gainalyze.origins ORDER BY 1");
    assert_eq!(limits.lines().count(), 2, "the user's limit and the calibration's: {limits}");
}

#[test]
fn an_engine_that_no_run_is_for_is_refused_before_it_takes_anything() {
    let Some((server, address)) = server() else { return };
    let bench = Bench::of_games();
    let coordinator = coordinate(&bench, &server, &address, &["--output", "queued"]);
    let other = Bench::of_games().with("SCRIPT_FACTOR", "2");
    let builtin = end_of(work(&bench, &address, &["--engine", "builtin"])).ended_with(2);
    builtin.said(&["no run needs this engine", "is required, but this engine is gainalyze engine"]);
    end_of(work(&other, &address, &[]))
        .ended_with(2)
        .said(&["is required with other behavior: the digest of the engine's results "]);
    assert_eq!(number(&server, "SELECT count(*) FROM gainalyze.workers"), 0, "none was let in");
    signal(&coordinator, "INT");
    end_of(coordinator).ended_with(130).said(&["the queue stays as it is"]);
    assert!(number(&server, "SELECT count(*) FROM gainalyze.tasks") > 10);
    assert!(!bench.path("queued/players.csv").exists());
    // The same command resumes.
    let coordinator = coordinate(&bench, &server, &address, &["--output", "queued"]);
    end_of(work(&bench, &address, &["--until-empty"])).ended_with(0);
    end_of(coordinator).ended_with(0);
    is_worked_off(&server);
    assert_eq!(number(&server, "SELECT count(*) FROM gainalyze.runs"), 1, "one run");
}

#[test]
fn what_is_finished_while_it_is_put_again_is_not_searched_twice() {
    let Some((server, address)) = server() else { return };
    let bench = Bench::of_games();
    let coordinator = coordinate(&bench, &server, &address, &["--output", "queued"]);
    end_of(work(&bench, &address, &["--until-empty"])).ended_with(0);
    end_of(coordinator).ended_with(0);
    let stored = number(&server, "SELECT count(*) FROM gainalyze.segments");
    server.sql("games", "CREATE TABLE kept AS TABLE gainalyze.segments; DELETE FROM gainalyze.segments");
    let coordinator = coordinate(&bench, &server, &address, &["--output", "queued"]);
    signal(&coordinator, "INT");
    end_of(coordinator).ended_with(130);
    assert_eq!(number(&server, "SELECT sum(segments) FROM gainalyze.runs"), 2 * stored);
    let finish = "DELETE FROM gainalyze.tasks; INSERT INTO gainalyze.segments TABLE kept; SELECT pg_sleep(3)";
    std::thread::scope(|scope| {
        scope.spawn(|| server.sql("games", finish));
        sleep(Duration::from_millis(300));
        let again = [&SEARCH[..], &["--store", &address, "--queue", "--output", "queued"]].concat();
        let mut coordinator = bench.start(&again);
        wait("it ends without a worker", || coordinator.try_wait().expect("a child").is_some());
        end_of(coordinator).ended_with(0);
    });
    assert_eq!(number(&server, "SELECT count(*) FROM gainalyze.tasks"), 0);
    assert_eq!(number(&server, "SELECT sum(segments) FROM gainalyze.runs"), 2 * stored);
}

#[test]
fn a_segment_that_fails_three_times_is_set_aside_with_the_engines_words_and_can_be_tried_again() {
    let Some((server, address)) = server() else { return };
    let bench = Bench::of_games().with("SCRIPT", "crash-on=f2f3 e7e5");
    let whole = bench.run(&[&SEARCH[..], &["--no-store", "--output", "whole"]].concat()).ended_with(3);
    let coordinator = coordinate(&bench, &server, &address, &["--output", "queued"]);
    end_of(work(&bench, &address, &["--until-empty"])).ended_with(0).said(&["the engine failed on it"]);
    let queued = end_of(coordinator).ended_with(3);
    let told = |run: &Run| run.stderr.lines().find(|line| line.contains("left out")).map(str::to_owned);
    assert_eq!(told(&whole), told(&queued), "what one process says");
    assert_eq!(bench.files("whole"), bench.files("queued"));
    let status = bench.run(&["status", &address]).ended_with(0).stdout;
    for words in ["set aside", "the engine stopped (exit status: 9)", "f2f3 e7e5"] {
        assert!(status.contains(words), "{words}: {status}");
    }
    bench.run(&["status", &address, "--retry"]).ended_with(0).said(&["put back into the queue: "]);
    assert_eq!(number(&server, "SELECT count(*) FROM gainalyze.tasks WHERE is_set_aside"), 0);
    // The engine is repaired. Its script is no part of its identity.
    let mended = Bench::of_games();
    let again = ["--store", &address, "--queue", "--output", "queued"];
    let coordinator = mended.start(&[&SEARCH[..], &again].concat());
    wait("it goes on", || {
        number(&server, "SELECT count(*) FROM gainalyze.runs WHERE finished_at IS NULL") == 1
    });
    end_of(work(&mended, &address, &["--until-empty"])).ended_with(0);
    end_of(coordinator).ended_with(0);
    is_worked_off(&server);
}

#[test]
fn an_engine_that_fails_its_fixed_positions_is_not_queued() {
    let Some((server, address)) = server() else { return };
    let bench = Bench::of_games().with("SCRIPT", "crash");
    let run = bench.run(&[&SEARCH[..], &["--store", &address, "--queue", "--output", "queued"]].concat());
    run.ended_with(3).said(&["Scripted 1.0 fails on the fixed positions", "nothing was queued"]);
    assert_eq!(number(&server, "SELECT count(*) FROM gainalyze.runs"), 0);
}

#[test]
fn rows_that_a_worker_has_forged_end_no_run() {
    let Some((server, address)) = server() else { return };
    let bench = Bench::of_games();
    let coordinator = coordinate(&bench, &server, &address, &["--output", "queued"]);
    for (seen, lease) in [("infinity", "1 s"), ("-infinity", "1 s"), ("now", "170000000 years")] {
        server.sql(
            "games",
            &format!(
                "INSERT INTO gainalyze.workers (host, process, jobs, engine, options, behaviour, engine_digest, program, lease, \
                 seen_at) SELECT 'forged', 1, 2147483647, engine, options, behaviour, 'x', '0', '{lease}', '{seen}' \
                 FROM gainalyze.runs"
            ),
        );
    }
    server.sql(
        "games",
        "INSERT INTO gainalyze.work_done SELECT runs.id, workers.id, 9223372036854775807, 9223372036854775807, \
         9223372036854775807, 9223372036854775807 FROM gainalyze.runs, gainalyze.workers WHERE host = 'forged'; \
         INSERT INTO gainalyze.failures (run, key, worker, failed_at, words) SELECT runs.id, tasks.key, workers.id, 'infinity', 'x' \
         FROM gainalyze.runs, gainalyze.workers, gainalyze.tasks WHERE host = 'forged'; \
         UPDATE gainalyze.runs SET segments = 9223372036854775807; UPDATE gainalyze.tasks SET tries = 32767; \
         UPDATE gainalyze.tasks SET worker = 999999 WHERE place = (SELECT min(place) FROM gainalyze.tasks); \
         UPDATE gainalyze.tasks SET worker = (SELECT id FROM gainalyze.workers WHERE seen_at = '-infinity') \
         WHERE place = (SELECT max(place) FROM gainalyze.tasks)",
    );
    bench.run(&["status", &address]).ended_with(0);
    bench.run(&["status", &address, "--json"]).ended_with(0);
    bench.run(&["status", &address, "--retry"]).ended_with(0);
    let worker = work(&bench, &address, &[]);
    // The segment was set aside: the lost worker had its last attempt.
    end_of(coordinator).ended_with(3);
    signal(&worker, "INT");
    end_of(worker).ended_with(130);
    bench.run(&["status", &address]).ended_with(0);
}

#[test]
fn a_worker_that_commits_late_changes_nothing_and_goes_on() {
    let Some((server, address)) = server() else { return };
    let bench = Bench::of_games().with("SCRIPT", "slow");
    bench.run(&[&SEARCH[..], &["--no-store", "--output", "whole"]].concat()).ended_with(0);
    let coordinator = coordinate(&bench, &server, &address, &["--output", "queued"]);
    let sleeper = work(&bench, &address, &["--until-empty"]);
    wait("something is done", || done(&server) > 0);
    signal(&sleeper, "STOP");
    let other = work(&bench, &address, &["--until-empty"]);
    end_of(coordinator).ended_with(0);
    signal(&sleeper, "CONT");
    end_of(other).ended_with(0);
    let woken = end_of(sleeper).ended_with(0).said(&["was counted as lost"]);
    assert!(woken.stdout.contains("already stored by other workers"), "{}", woken.stdout);
    assert_eq!(bench.files("whole"), bench.files("queued"));
    is_worked_off(&server);
    assert_eq!(number(&server, "SELECT count(*) FROM gainalyze.workers WHERE ending = 'lost'"), 1);
}

#[test]
fn a_server_that_restarts_and_connections_that_are_cut_are_borne() {
    let Some((server, address)) = server() else { return };
    let bench = Bench::of_games().with("SCRIPT", "slow");
    bench.run(&[&SEARCH[..], &["--no-store", "--output", "whole"]].concat()).ended_with(0);
    let coordinator = coordinate(&bench, &server, &address, &["--output", "queued"]);
    let worker = work(&bench, &address, &["--until-empty"]);
    wait("something is done", || done(&server) > 0);
    server.end();
    sleep(Duration::from_millis(700));
    server.begin();
    let before = done(&server);
    wait("it goes on", || done(&server) > before);
    server.sql(
        "games",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'gainalyze%'",
    );
    end_of(coordinator).ended_with(0).said(&["trying again in"]);
    end_of(worker).ended_with(0).said(&["trying again in"]);
    assert_eq!(bench.files("whole"), bench.files("queued"));
    is_worked_off(&server);
}

#[test]
fn a_worker_whose_commits_are_cut_off_finishes_each_segment_once() {
    let Some((server, address)) = server() else { return };
    let bench = Bench::of_games().with("SCRIPT", "slow");
    bench.run(&[&SEARCH[..], &["--no-store", "--output", "whole"]].concat()).ended_with(0);
    let coordinator = coordinate(&bench, &server, &address, &["--output", "queued"]);
    // The first commit succeeds, but the worker does not hear of it. The second does not reach the server.
    let cut = Mischief::Cut { asked: "COMMIT\0", answered: "COMMIT\0", times: 4 };
    let relay = Relay::before(&server, cut);
    let worker = bench.start(&["work", &relay.address("postgres"), "--jobs", "1", "--until-empty"]);
    end_of(coordinator).ended_with(0);
    let run = end_of(worker).ended_with(0).said(&["the connection was lost", "trying again in"]);
    assert_eq!(relay.cuts(), 4, "{}", run.stderr);
    assert_eq!(bench.files("whole"), bench.files("queued"));
    is_worked_off(&server);
    assert_eq!(number(&server, "SELECT count(*) FROM gainalyze.failures"), 0, "no try was lost");
}

#[test]
fn urgent_runs_go_first_and_equal_ones_take_turns() {
    let Some((server, address)) = server() else { return };
    let [first, second, urgent] =
        ["3", "4", "5"].map(|depth| (Bench::of_games().with("SCRIPT", "slow"), depth));
    let args = ["games.pgn", "--evals", "engine", "--calibration", "none", "--store", &address, "--queue"];
    let put = |(bench, depth): &(Bench, &str), priority: &str, runs: u64| {
        let child =
            bench.start(&[&args[..], &["--depth", depth, "--segment", "3", "--priority", priority]].concat());
        wait("it is put", || number(&server, "SELECT count(DISTINCT run) FROM gainalyze.tasks") == runs);
        child
    };
    let coordinators = [put(&first, "0", 1), put(&second, "0", 2), put(&urgent, "7", 3)];
    let worker = work(&first.0, &address, &["--until-empty"]);
    let done = |run: &str| {
        number(
            &server,
            &format!(
                "SELECT coalesce(sum(work_done.segments), 0) FROM gainalyze.work_done JOIN gainalyze.runs ON id = run \
                                  WHERE {run}"
            ),
        )
    };
    wait("the others begin", || done("priority = 0") > 3);
    assert_eq!(
        done("priority = 7"),
        number(&server, "SELECT segments FROM gainalyze.runs WHERE priority = 7")
    );
    let halves = [done("id = 1"), done("id = 2")];
    assert!(halves[0].abs_diff(halves[1]) <= 1, "{halves:?}");
    for coordinator in coordinators {
        end_of(coordinator).ended_with(0);
    }
    end_of(worker).ended_with(0);
    is_worked_off(&server);
}

#[test]
fn the_state_of_a_queue_is_told_as_tables_as_json_and_as_a_page() {
    let Some((server, address)) = server() else { return };
    let bench = Bench::of_games();
    let none = bench.run(&["status", &address]);
    assert!(none.stdout.is_empty());
    none.said(&["the database has no store yet"]);
    let coordinator = coordinate(&bench, &server, &address, &[]);
    let run = bench.run(&["status", &address, "--json", "--page", "queue.html"]).ended_with(0);
    let state: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(state["runs"][0]["name"], "games.pgn, 3 games");
    assert_eq!(
        state["runs"][0]["waiting"].as_u64(),
        Some(number(&server, "SELECT count(*) FROM gainalyze.tasks"))
    );
    assert_eq!(state["runs"][0]["done"], 0);
    let page = bench.text("queue.html");
    assert!(
        page.contains("data-heading=\"Games\"><bdi>games.pgn, 3 games"),
        "a phone names each cell: {page}"
    );
    bench.run(&["status", &address, "--cancel", "9"]).ended_with(2).said(&["the queue has no run 9"]);
    signal(&coordinator, "INT");
    end_of(coordinator).ended_with(130);
    bench.run(&["status", &address, "--cancel", "1"]).ended_with(0).said(&["run 1 was removed with"]);
    assert_eq!(bench.run(&["status", &address]).ended_with(0).stdout, "The queue is empty.\n");
    let files = ["--queue", "--store", "evaluations.sqlite"];
    bench
        .run(&[&SEARCH[..], &files].concat())
        .ended_with(2)
        .said(&["--queue needs a PostgreSQL store", "postgres://"]);
    bench.run(&["work", "evaluations.sqlite", "--engine", &scripted_engine()]).ended_with(2);
}

#[test]
fn a_queue_that_is_watched_is_told_again_until_a_signal_ends_it() {
    let Some((server, address)) = server() else { return };
    let bench = Bench::of_games();
    let coordinator = coordinate(&bench, &server, &address, &[]);
    let watching = ["status", &address, "--watch", "1", "--page", "queue.html"].map(str::to_owned).join("\n");
    let mut watcher = bench.start(&watching.lines().collect::<Vec<_>>());
    let mut told = std::io::BufReader::new(watcher.stdout.take().expect("a pipe"));
    let mut next = |words: &str| {
        let mut line = String::new();
        while !line.contains(words) {
            line.clear();
            let length = std::io::BufRead::read_line(&mut told, &mut line).expect("text");
            assert!(length > 0, "it ends before it says {words:?}");
        }
        line
    };
    let first = next("games.pgn, 3 games");
    let worker = work(&bench, &address, &["--until-empty"]);
    let put = number(&server, "SELECT sum(segments) FROM gainalyze.runs");
    end_of(coordinator).ended_with(0);
    end_of(worker).ended_with(0);
    wait("all is done", || done(&server) == put);
    let second = next("games.pgn, 3 games");
    assert_ne!(first, second, "what has changed is told");
    next("games.pgn, 3 games");
    assert!(bench.text("queue.html").contains("games.pgn, 3 games"));
    // Not SIGINT: a script's background processes and their children ignore it.
    signal(&watcher, "TERM");
    let ended = std::os::unix::process::ExitStatusExt::signal(&watcher.wait().expect("a process"));
    assert_eq!(ended, Some(15), "it ends at once");
    let mut said = String::new();
    std::io::Read::read_to_string(&mut watcher.stderr.take().expect("a pipe"), &mut said).expect("text");
    assert_eq!(said, "the queue as a page: queue.html\n", "where the page is, once");
}

#[test]
fn a_page_is_not_written_over_another_file() {
    let bench = Bench::new("");
    bench.write(
        "report.html",
        b"<meta name=\"generator\" content=\"gainalyze 0.2.0\"><title>Candidates: the ranking</title>",
    );
    let before = bench.text("report.html");
    let run = bench.run(&["status", "postgres://localhost:1/games", "--page", "report.html"]).ended_with(2);
    run.said(&["report.html already exists, but gainalyze status --page did not write it", "--force"]);
    assert_eq!(bench.text("report.html"), before);
}
