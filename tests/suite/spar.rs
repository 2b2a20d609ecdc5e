//! Tests of the verb `spar`: an opponent that keeps the game even, with good engines and with bad ones.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use crate::program::Bench;
use crate::program::scripted_engine;

/// Time limit of each wait in a test. No answer takes so long.
const TIME_LIMIT: Duration = Duration::from_secs(90);

/// A user interface with the program as its engine.
struct Spar {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Spar {
    fn start(bench: &Bench, args: &[&str], script: &str) -> Spar {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gainalyze"))
            .current_dir(bench.path("."))
            .env("SCRIPT", script)
            .env("SCRIPT_FILE", bench.path("stalled"))
            .env("CHOOSES", "1")
            .arg("spar")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Spar { child, input, lines }
    }

    fn send(&mut self, text: &str) {
        self.input.write_all(format!("{text}\n").as_bytes()).expect("it reads");
    }

    /// Returns all lines up to one that begins with this text.
    fn until(&self, start: &str) -> Vec<String> {
        let mut heard = Vec::new();
        let end = Instant::now() + TIME_LIMIT;
        while let Ok(line) = self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            heard.push(line);
            if heard.last().is_some_and(|line| line.starts_with(start)) {
                return heard;
            }
        }
        panic!("no {start} in {heard:#?}");
    }

    /// Sends lines, and returns the move of the answer with the lines before it.
    fn play(&mut self, text: &str) -> (String, Vec<String>) {
        self.send(text);
        let heard = self.until("bestmove ");
        let best = heard.last().and_then(|line| line.split(' ').nth(1)).expect("a move").to_owned();
        (best, heard)
    }

    fn end(mut self) {
        self.send("quit");
        assert!(self.child.wait().expect("an end").success());
    }
}

const BUILTIN: [&str; 4] = ["--engine", "builtin", "--seed", "1"];

#[test]
fn an_evaluation_that_cannot_be_is_refused_with_what_it_lacks() {
    let bench = Bench::new("");
    let refused = |args: &[&str]| bench.run(&[&["spar"], args].concat()).ended_with(2);
    refused(&["--evaluate", "--engine", "builtin", "--output", "out"])
        .said(&["level 1350", "UCI_LimitStrength"]);
    refused(&["--evaluate", "--skill", "even,meant,even"]).said(&["--skill: even is given twice"]);
    refused(&["--skill", "even,meant"]).said(&["several need --evaluate"]);
    refused(&["--games", "30"]).said(&["--evaluate"]);
    refused(&["--evaluate", "--games", "1"]).said(&["write a whole number from 2 to 100000"]);
}

fn has(heard: &[String], part: &str) -> bool {
    heard.iter().any(|line| line.contains(part))
}

#[test]
fn the_same_seed_and_moves_give_the_same_game_and_another_seed_another() {
    let game = |seed: &str| {
        let bench = Bench::of_games();
        let mut spar = Spar::start(&bench, &["--engine", "builtin", "--seed", seed], "");
        spar.send("ucinewgame");
        let mut moves = String::new();
        for reply in ["e2e4", "d2d4", "g1f3", "b1c3", "a2a3", "h2h3"] {
            moves += &format!(" {reply}");
            let (best, heard) = spar.play(&format!("position startpos moves{moves}\ngo depth 4"));
            if heard.iter().any(|line| line.contains("is illegal")) {
                break;
            }
            moves += &format!(" {best}");
        }
        spar.end();
        moves
    };
    let first = game("1");
    assert_eq!(first, game("1"));
    assert!((2..6).any(|seed| game(&seed.to_string()) != first), "{first}");
}

#[test]
fn a_move_says_how_it_came_about_and_the_log_and_the_memory_have_it() {
    let bench = Bench::of_games();
    for (skill, part) in [
        ("even", "aim="),
        ("meant", "skill s="),
        ("printed", "skill s="),
        ("fixed:3:1", "depth=3 p=1.000 blunder=yes"),
    ] {
        let log = format!("{}.jsonl", &skill[..4]);
        let args = ["--skill", skill, "--log", &log, "--memory", "memory.json"];
        let mut spar = Spar::start(&bench, &[&BUILTIN[..], &args].concat(), "");
        spar.send("setoption name UCI_Opponent value none none human Ann");
        let (best, heard) = spar.play("ucinewgame\nposition startpos moves e2e4\ngo depth 4");
        assert!(has(&heard, part) && has(&heard, "blunder="), "{skill}: {heard:?}");
        spar.end();
        let text = fs::read_to_string(bench.path(&log)).expect("a log");
        let line: serde_json::Value = serde_json::from_str(text.trim()).expect("a line of JSON");
        assert_eq!((line["move"].as_str(), line["skill"].as_str()), (Some(&*best), Some(skill)), "{text}");
    }
    let memory = fs::read_to_string(bench.path("memory.json")).expect("a memory");
    assert!(memory.contains("\"Ann\""), "{memory}");
}

#[test]
fn a_random_mover_needs_no_engine() {
    let bench = Bench::of_games();
    let mut spar = Spar::start(&bench, &["--engine", "./no-such-engine", "--skill", "random"], "");
    let (best, heard) = spar.play("position startpos\ngo movetime 1000");
    assert!(best.len() == 4 && !has(&heard, "answers instead"), "{heard:?}");
    spar.end();
}

#[test]
fn a_level_needs_no_engine_and_the_same_seed_gives_the_same_moves() {
    let bench = Bench::of_games();
    let game = |args: &[&str], set: &str| {
        let mut spar = Spar::start(&bench, &[&["--engine", "./no-such-engine"], args].concat(), "");
        spar.send(set);
        let moves: Vec<String> = (1..4)
            .map(|fullmove| {
                let start = format!("4r1k1/pp3ppp/2n2q2/3p4/3P4/2N2Q2/PP3PPP/4R1K1 w - - 0 {fullmove}");
                let (best, heard) = spar.play(&format!("position fen {start}\ngo movetime 1000"));
                assert!(has(&heard, "skill s=") && !has(&heard, "answers instead"), "{heard:?}");
                best
            })
            .collect();
        spar.end();
        moves
    };
    let by_option = game(&["--level", "1200", "--seed", "4"], "ucinewgame");
    let by_interface =
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1200\nucinewgame";
    assert_eq!(by_option, game(&["--seed", "4"], by_interface));
    let others = (5..9).map(|seed| game(&["--level", "1200", "--seed", &seed.to_string()], "ucinewgame"));
    assert!(others.into_iter().any(|other| other != by_option), "{by_option:?}");
    bench.run(&["spar", "--level", "700"]).ended_with(2).said(&["a level is a rating from 800 to 2400"]);
    bench.run(&["spar", "--level", "1500", "--skill", "even"]).ended_with(2).said(&["cannot be used with"]);
}

#[test]
fn an_engine_that_ignores_searchmoves_is_not_dropped_and_no_loss_is_left_unchecked() {
    let bench = Bench::of_games();
    let program = env!("CARGO_BIN_EXE_gainalyze");
    let deaf = format!(
        "#!/bin/sh\nsed -uE 's/ searchmoves( [a-h][1-8][a-h][1-8][qrbn]?)+//' | '{program}' engine\n"
    );
    bench.write("deaf.sh", deaf.as_bytes());
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(bench.path("deaf.sh"), executable).expect("a file of ours");
    // Against such a weak opponent, losses of more than five points are drawn all the time.
    let args = ["--engine", "./deaf.sh", "--seed", "1", "--opponent-elo", "900", "--max-nodes", "3000"];
    let mut spar = Spar::start(&bench, &args, "");
    let mut checked = 0;
    for fullmove in 8..20 {
        let start = format!("r1bqr1k1/pp3ppp/2n2n2/3p4/3P4/2N2N2/PP3PPP/R2QRBK1 w - - 0 {fullmove}");
        let (_, heard) = spar.play(&format!("ucinewgame\nposition fen {start}\ngo nodes 3000"));
        assert!(!has(&heard, "answers instead"), "{heard:?}");
        let loss =
            heard.iter().find_map(|line| line.split(" loss=").nth(1)?.split(' ').next()?.parse::<f64>().ok());
        assert!(loss.is_some_and(|loss| loss < 5.05), "{heard:?}");
        checked += usize::from(has(&heard, "searchmoves"));
    }
    spar.end();
    assert!(checked <= 1, "{checked}");
}

#[test]
fn whatever_the_engine_does_the_move_is_made_in_time_and_it_is_said() {
    for (script, part) in [
        ("", "MultiPV"),
        ("gone", "answers instead"),
        ("not-uci", "answers instead"),
        ("crash", "the engine stopped"),
        ("stall", "did not answer in time"),
        ("babble", "answers instead"),
        ("repeat", "answers instead"),
        ("no-score", "answers instead"),
        ("illegal", "answers instead"),
    ] {
        let bench = Bench::of_games();
        let engine = scripted_engine();
        let skill = if script.is_empty() { "even" } else { "fixed:3:0" };
        let mut spar = Spar::start(&bench, &["--engine", &engine, "--skill", skill], script);
        let begun = Instant::now();
        let (best, heard) = spar.play("position startpos moves g1f3\ngo movetime 1500");
        // The process must start too. A stall alone would take ten seconds.
        assert!(begun.elapsed() < Duration::from_secs(8), "{script}: {:?}", begun.elapsed());
        assert!(best != "0000" && has(&heard, part), "{script}: {heard:?}");
        let (again, heard) = spar.play("position startpos moves g1f3 d7d5 e2e3\ngo movetime 500");
        assert!(again != "0000", "{script}: {heard:?}");
        spar.end();
    }
}

#[test]
fn a_board_full_of_queens_gets_its_move_in_time() {
    let bench = Bench::of_games();
    let mut spar = Spar::start(&bench, &BUILTIN, "");
    spar.send("ucinewgame\nisready");
    spar.until("readyok");
    let begun = Instant::now();
    let queens = "position fen qqqqk3/1qqqqq2/8/8/8/8/1QQQQQ2/QQQQK3 w - - 0 1";
    let (best, heard) = spar.play(&format!("{queens}\ngo movetime 500"));
    assert!(best != "0000" && begun.elapsed() < Duration::from_secs(8), "{heard:?}");
    spar.end();
}

#[test]
fn garbage_and_commands_out_of_order_get_an_answer_and_never_end_it() {
    let bench = Bench::of_games();
    let mut spar = Spar::start(&bench, &BUILTIN, "");
    spar.send(&"x".repeat(1_000_000));
    spar.send(&"y".repeat(3_000_000));
    spar.send("stop\nponderhit\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1\nsetoption name Skill value odd\nsetoption name MaxNodes value 1\neval");
    let (best, _) = spar.play("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3");
    assert_eq!(best, "0000");
    spar.send("position startpos\ngo infinite\ngo depth 2");
    spar.until("bestmove ");
    spar.until("bestmove ");
    spar.send("go infinite\nisready");
    spar.until("readyok");
    let (best, _) = spar.play("stop");
    assert_eq!(best.len(), 4);
    let (best, _) =
        spar.play("position startpos moves e2e4 e2e5\ngo ponder wtime 1000 btime 1000\nponderhit");
    assert_eq!(best.len(), 4);
    let (best, _) = spar.play("go wtime 100 btime 100 winc 0 binc 0");
    assert_eq!(best.len(), 4);
    let (best, _) = spar.play("go searchmoves h7h5 depth 3");
    assert_eq!(best, "h7h5");
    spar.end();
}

#[test]
fn a_new_seed_is_drawn_and_announced_unless_one_is_given() {
    let bench = Bench::of_games();
    let announced = |args: &[&str]| {
        let mut spar = Spar::start(&bench, args, "");
        spar.send("uci");
        let heard = spar.until("uciok");
        spar.end();
        heard.into_iter().find(|line| line.starts_with("option name Seed ")).expect("an option")
    };
    assert!(announced(&["--engine", "builtin", "--seed", "7"]).contains("default 7 "));
    let unseeded = ["--engine", "builtin"];
    assert_ne!(announced(&unseeded), announced(&unseeded));
}

#[test]
fn on_a_clock_it_searches_and_does_not_lose_on_time() {
    let bench = Bench::of_games();
    let mut spar = Spar::start(&bench, &BUILTIN, "");
    spar.send("ucinewgame\nisready");
    spar.until("readyok");
    let begun = Instant::now();
    let (_, heard) =
        spar.play("position startpos moves e2e4 e7e5 g1f3\ngo wtime 20000 btime 20000 winc 20 binc 20");
    // The move takes a small share of the clock, so this holds on a busy machine too.
    assert!(begun.elapsed() < Duration::from_millis(19_900), "{:?}", begun.elapsed());
    assert!(!has(&heard, "answers instead"), "{heard:?}");
    spar.end();
}

#[test]
fn the_weights_of_peoples_moves_are_those_of_the_published_report() {
    let read = |path: &str| fs::read(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).expect("a file");
    let published = read("reports/published/learning/weights-all-logit.txt");
    assert!(read("data/spar/weights-all-logit.txt") == published);
}

#[test]
fn what_cannot_be_begun_with_is_said() {
    let bench = Bench::of_games();
    bench.write("memory.json", b"{");
    for (args, part) in [
        (&["--skill", "odd"][..], "is not a skill: write even, meant, printed, random, fixed:DEPTH:P"),
        (&["--memory", "memory.json"], "not a file of opponents"),
        (&["--log", "no/such/folder/log"], "cannot be written"),
        (&["--opponent-elo", "1"], "from 100 to 4000"),
        (&["--engine", "builtin", "--engine-option", "Bench=1"], "Bench"),
    ] {
        let run = bench.run(&[&["spar"], args].concat()).ended_with(2);
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
}
