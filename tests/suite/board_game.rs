//! `spar --play`: a game at the board, with moves from a pipe and from a terminal.

use std::{
    fs,
    io::{Read, Write},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use crate::program::Bench;
use crate::program::Run;

/// Time limit of each wait in a test. No answer takes so long.
const TIME_LIMIT: Duration = Duration::from_secs(120);

const QUICK: &str = "spar --play --engine builtin --max-nodes 1000 --skill fixed:1:0";

fn play(bench: &Bench, more: &[&str], input: &str) -> Run {
    play_in(bench, "game.pgn", more, input)
}

/// Plays a game in this file.
fn play_in(bench: &Bench, file: &str, more: &[&str], input: &str) -> Run {
    let args: Vec<&str> = QUICK.split(' ').chain(["--pgn", file]).chain(more.iter().copied()).collect();
    bench.run_with_input(&args, input)
}

/// Returns a bench whose locale has Unicode.
fn bench() -> Bench {
    Bench::new("").with("LC_ALL", "C.UTF-8").with("TERM", "xterm")
}

#[test]
fn a_list_of_moves_in_a_pipe_is_a_game_with_its_report_at_the_end() {
    let bench = bench();
    let run = play(&bench, &[], "1. e4\nNf3\nsave\nsave copy.pgn\nresign\n").ended_with(0);
    for part in [
        "White: You. Black: gainalyze spar (fixed:1:0) over gainalyze engine",
        "♖  ♘  ♗  ♕  ♔",
        "1… ",
        "the game so far is in game.pgn",
        "saved to copy.pgn",
        "You lose (resignation) after 2 moves, 0–1.",
        "Accuracy",
        "the evaluations of gainalyze engine 0.2.0, depth 10",
        "The game: game.pgn",
    ] {
        assert!(run.stdout.contains(part), "{part:?} is not in:\n{}", run.stdout);
    }
    assert!(
        !run.stdout.contains('\u{1b}') && !run.stdout.contains("\n2. "),
        "no colors, no questions: {}",
        run.stdout
    );
    let pgn = bench.text("game.pgn");
    assert!(
        pgn.contains("[Result \"0-1\"]")
            && pgn.contains("[Ending \"resignation\"]")
            && pgn.contains("2. Nf3 "),
        "{pgn}"
    );
    // Another run reads the file like any game.
    bench.run(&["game.pgn", "--engine", "builtin", "--depth", "1", "--plots", "none"]).ended_with(0);
}

#[test]
fn save_overwrites_nothing_not_even_a_link_to_a_missing_file() {
    let bench = bench();
    std::os::unix::fs::symlink("missing.pgn", bench.path("link.pgn")).expect("a link");
    let run = play(&bench, &[], "e4\nsave link.pgn\nsave no/copy.pgn\nresign\n").ended_with(0);
    for part in ["link.pgn already exists: name another file", "cannot write no/copy.pgn"] {
        assert!(run.stdout.contains(part), "{part:?} is not in:\n{}", run.stdout);
    }
    assert!(bench.path("link.pgn").is_symlink() && !bench.path("missing.pgn").exists());
}

#[test]
fn what_is_no_move_is_said_and_the_game_goes_on() {
    let bench = bench();
    let input = "e5\nhello\nNd2\nundo\nhelp\nhint\ne4 undo undo\nd4 Ke4 e4\ndraw\nquit\n";
    let run = play(&bench, &["--ascii"], input).ended_with(0);
    for part in [
        "\"e5\" is not a legal move here: the pawn on e2 cannot go to e5",
        "\"hello\" is not a move",
        "\"Nd2\" is not a legal move here: your own piece is on d2",
        "you have no move to take back",
        "undo, redo   take back",
        " is a good move",
        "no draw: the game continues",
        "the game so far is in game.pgn",
    ] {
        assert!(run.stdout.contains(part), "{part:?} is not in:\n{}", run.stdout);
    }
    assert!(run.stdout.contains("R  N  B  Q  K") && !run.stdout.contains('♔'), "{}", run.stdout);
    let pgn = bench.text("game.pgn");
    // The moves after the illegal one were not played.
    assert!(pgn.contains("1. d4 ") && !pgn.contains("2. ") && pgn.contains("[Result \"*\"]"), "{pgn}");
}

#[test]
fn a_game_that_is_not_over_goes_on_and_one_that_is_does_not() {
    let bench = bench();
    play(&bench, &["--side", "black", "--name", "Ann"], "d5\n").ended_with(0);
    let first = bench.text("game.pgn");
    assert!(
        first.contains("[Black \"Ann\"]") && first.contains("[White \"gainalyze spar (fixed:1:0)\"]"),
        "{first}"
    );
    let other = play(&bench, &["--name", "Ben"], "a6\n").ended_with(2);
    other.said(&["game.pgn: the game in this file is Ann's", "--name Ann"]);
    assert_eq!(bench.text("game.pgn"), first);
    let run = play(&bench, &[], "a6\nresign\n").ended_with(0);
    assert!(run.stdout.contains("The game continues after 2 moves"), "{}", run.stdout);
    // Black is at the bottom.
    assert!(run.stdout.contains("h  g  f  e  d  c  b  a"), "{}", run.stdout);
    let last = bench.text("game.pgn");
    assert!(
        last.contains("[Result \"1-0\"]") && last.contains("[Black \"Ann\"]") && last.contains(" a6 "),
        "{last}"
    );
    play(&bench, &["--side", "black"], "a5\n")
        .ended_with(2)
        .said(&["game.pgn: the game in this file is over (1-0)"]);
    assert_eq!(bench.text("game.pgn"), last);
    bench.write("game.pgn", b"[White \"A\"]\n\n1. e4 *\n");
    play(&bench, &[], "e5\n").ended_with(2).said(&["was not played against gainalyze spar"]);
    bench.write("game.pgn", crate::program::GAMES.as_bytes());
    play(&bench, &[], "e5\n").ended_with(2).said(&["the file does not have exactly one game"]);
}

#[test]
fn the_other_side_of_a_game_that_is_resumed_is_refused() {
    let bench = bench();
    play(&bench, &[], "e4\n").ended_with(0);
    let first = bench.text("game.pgn");
    let run = play(&bench, &["--side", "black"], "a6\n").ended_with(2);
    run.said(&["game.pgn: you are White in this game: leave out --side black, or name another file"]);
    assert_eq!(bench.text("game.pgn"), first);
    play(&bench, &["--side", "white"], "d4\n").ended_with(0);
}

#[test]
fn a_seed_repeats_a_game_and_a_new_one_is_drawn_and_kept_otherwise() {
    let bench = bench();
    let even = "spar --play --engine builtin --max-nodes 1000 --memory none --pgn";
    let game = |file: &str, more: &[&str], input: &str| {
        let args: Vec<&str> = even.split(' ').chain([file]).chain(more.iter().copied()).collect();
        bench.run_with_input(&args, input).ended_with(0);
        bench.text(file)
    };
    let moves = |text: &str| text.rsplit("\n\n").nth(1).unwrap_or_default().to_owned();
    // With this seed, the person is Black.
    let input = "e5\na6\nh6\n";
    let first = game("a.pgn", &["--seed", "7", "--side", "random"], input);
    assert!(first.contains("[Seed \"7\"]") && first.contains("[OpponentElo \"1500\"]"), "{first}");
    assert_eq!(moves(&first), moves(&game("b.pgn", &["--seed", "7", "--side", "random"], input)));
    let seeds: Vec<String> = ["c.pgn", "d.pgn"]
        .iter()
        .map(|file| {
            let text = game(file, &[], "e4\n");
            text.lines().find(|line| line.starts_with("[Seed ")).expect("a seed").to_owned()
        })
        .collect();
    assert_ne!(seeds[0], seeds[1]);
    // A resumed game keeps its seed, and what the opponent saw.
    let resumed = game("c.pgn", &[], "a3\n");
    assert!(resumed.contains(&seeds[0]) && resumed.matches("[%spar=").count() == 2, "{resumed}");
    assert!(resumed.contains("[OpponentBefore \"lost "), "{resumed}");
}

#[test]
fn a_game_begins_with_given_moves_or_in_a_given_position() {
    let bench = bench();
    let run = play(&bench, &["--start", "e4 c5"], "Nf3\nmoves\nfen\n").ended_with(0);
    assert!(run.stdout.contains("The game continues after 1 move"), "{}", run.stdout);
    assert!(run.stdout.contains("\n1. e4 c5 2. Nf3 ") && run.stdout.contains(" w KQkq - "), "{}", run.stdout);
    let fen = "4k3/8/8/8/8/8/q7/R3K3 b Q - 0 1";
    let start = ["--pgn", "rook.pgn", "--start", fen];
    let args = ["spar", "--play", "--engine", "builtin", "--skill", "fixed:1:0"];
    let run = bench.run_with_input(&[&args[..], &start[..]].concat(), "undo\nquit\n").ended_with(0);
    assert!(run.stdout.contains("you have no move to take back"), "{}", run.stdout);
    let pgn = bench.text("rook.pgn");
    assert!(pgn.contains(&format!("[FEN \"{fen}\"]")) && pgn.contains("\n1... "), "{pgn}");
    // A resumed game has begun already.
    bench.run_with_input(&[&args[..], &start[..]].concat(), "").ended_with(2).said(&["leave out --start"]);
    bench.run_with_input(&[&args[..], &start[..2]].concat(), "quit\n").ended_with(0);
    assert_eq!(bench.text("rook.pgn"), pgn);
    for (start, problem) in [
        ("e5", "--start \"e5\""),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "is not a position"),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "the game is over"),
    ] {
        play_in(&bench, "other.pgn", &["--start", start], "").ended_with(2).said(&[problem]);
    }
}

#[test]
fn another_game_begins_with_the_other_side_in_its_own_file() {
    let bench = bench();
    let run = play(&bench, &[], "e4\nnew\nresign\nnew\nquit\n").ended_with(0);
    assert!(run.stdout.contains("the game so far is in game.pgn"), "{}", run.stdout);
    assert!(run.stdout.contains("White: gainalyze spar (fixed:1:0) over"), "{}", run.stdout);
    assert!(run.stdout.contains("The game: game-2.pgn"), "{}", run.stdout);
    assert_eq!(run.stdout.matches("Type a move, or help.").count(), 3, "{}", run.stdout);
    assert!(bench.text("game.pgn").contains("[White \"You\"]"));
    assert!(bench.text("game-2.pgn").contains("[Black \"You\"]"));
}

#[test]
fn clocks_run_and_their_times_are_in_the_file() {
    let bench = bench();
    let run = play(&bench, &["--time", "5+3"], "e4\nd4\nundo\nquit\n").ended_with(0);
    assert!(run.stdout.contains("You  5:0") && run.stdout.contains("(fixed:1:0)  5:0"), "{}", run.stdout);
    let pgn = bench.text("game.pgn");
    assert!(pgn.contains("[TimeControl \"300+3\"]") && pgn.contains("[%clk 0:05:0"), "{pgn}");
    play(&bench, &["--time", "5+2"], "").ended_with(2).said(&["300+3", "leave out --time"]);
    let other = ["spar", "--play", "--engine", "builtin", "--level", "1200", "--pgn", "game.pgn"];
    bench.run_with_input(&other, "").ended_with(2).said(&["your opponent in this game is", "(fixed:1:0)"]);
    play_in(&bench, "b.pgn", &["--time", "soon"], "").ended_with(2).said(&["MINUTES+SECONDS"]);
    let Some(mut terminal) = Terminal::with(&bench, "TERM=xterm", "--pgn late.pgn --time 0.02") else {
        return;
    };
    terminal.until("\n1. ");
    thread::sleep(Duration::from_millis(1200));
    terminal.types("e4");
    let shown = terminal.until("The game: late.pgn");
    terminal.types("quit");
    terminal.child.wait().expect("an end");
    assert!(shown.contains("You lose (on time) after 0 moves"), "{shown}");
    assert!(bench.text("late.pgn").contains("[Termination \"time forfeit\"]"));
}

#[test]
fn an_opponent_that_is_lost_for_good_resigns() {
    let bench = bench();
    let args = ["spar", "--play", "--engine", "builtin", "--skill", "fixed:1:0", "--pgn", "lost.pgn"];
    let start = ["--start", "7k/5ppp/8/8/8/8/PPP5/KRQR4 b - - 0 1"];
    let run = bench.run_with_input(&[&args[..], &start[..]].concat(), "Qd2\nQc1\nQd2\nQc1\n").ended_with(0);
    assert!(run.stdout.contains("Your opponent resigns."), "{}", run.stdout);
    assert!(run.stdout.contains("You win (resignation)"), "{}", run.stdout);
}

#[test]
fn how_moves_came_about_is_logged_and_the_opponent_is_remembered_by_name() {
    let bench = bench();
    let notes = ["--log", "log.jsonl", "--memory", "memory.json", "--name", "Ann"];
    let even = |file: &str, more: &[&str]| {
        let args = "spar --play --engine builtin --max-nodes 1000 --seed 1 --pgn";
        let args: Vec<&str> = args.split(' ').chain([file]).collect();
        bench.run_with_input(&[&args[..], more].concat(), "e4\nd4\nNf3\n").ended_with(0)
    };
    even("game.pgn", &notes);
    assert_eq!(bench.text("log.jsonl").lines().count(), 3);
    assert!(bench.text("memory.json").contains("\"Ann\""));
    // Without the option, the opponent remembers in the user's data folder.
    let own = ".local/share/gainalyze/opponents.json";
    even("a.pgn", &["--memory", "none"]);
    play_in(&bench, "c.pgn", &[], "e4\n").ended_with(0);
    assert!(!bench.path(own).exists(), "only even estimates its opponent");
    let run = even("b.pgn", &[]);
    assert!(run.stdout.contains("Your strength is remembered in ") && bench.path(own).exists());
}

#[test]
fn what_cannot_be_is_refused_before_the_game() {
    let bench = bench();
    bench.run(&["spar", "--side", "black"]).ended_with(2).said(&["--play"]);
    bench.run(&["spar", "--play", "--evaluate"]).ended_with(2).said(&["cannot be used with"]);
    bench.run(&["spar", "--play", "--skill", "even,meant"]).ended_with(2).said(&["several need --evaluate"]);
    let run = bench.run(&["spar", "--play", "--engine", "builtin", "--pgn", "none/game.pgn"]).ended_with(2);
    run.said(&["the folder none is missing"]);
}

#[test]
fn a_game_to_mate_says_so() {
    let bench = bench();
    // With this seed, the random mover allows the scholar's mate. The moves were found by playing.
    let args =
        "spar --play --engine builtin --skill random --pgn game.pgn --log log.jsonl --memory memory.json";
    let args: Vec<&str> = args.split(' ').collect();
    let mates = |seed: &u32| {
        let _ = fs::remove_file(bench.path("game.pgn"));
        let seed = seed.to_string();
        let args = [&args[..], &["--seed", &seed]].concat();
        let run = bench.run_with_input(&args, "e4\nQh5\nBc4\nQxf7\n").ended_with(0);
        run.stdout.contains("checkmate").then_some(run.stdout)
    };
    let told = (1..200).find_map(|seed| mates(&seed)).expect("one of 200 random movers is mated at once");
    assert!(told.contains("You win (checkmate) after 4 moves, 1–0."), "{told}");
    assert!(bench.text("game.pgn").contains("Qxf7# 1-0"));
}

/// The program on its own terminal, with its output so far.
struct Terminal {
    child: Child,
    shown: Arc<Mutex<String>>,
}

impl Terminal {
    /// Starts the program, and writes its process number into the file `pid`. `None` if the program `script`,
    /// which provides the terminal, is missing.
    fn start(bench: &Bench, environment: &str) -> Option<Terminal> {
        Terminal::with(bench, environment, "--pgn game.pgn")
    }

    /// Starts the program with the options `more`.
    fn with(bench: &Bench, environment: &str, more: &str) -> Option<Terminal> {
        let program = env!("CARGO_BIN_EXE_gainalyze");
        let line = format!(
            "stty cols 100 rows 40 -echo; echo $$ > pid; exec env {environment} {program} {QUICK} {more}"
        );
        let mut child = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .current_dir(bench.path("."))
            .env("TERM", "xterm")
            .env("LC_ALL", "C.UTF-8")
            .env("SHELL", "/bin/sh")
            .env("XDG_CACHE_HOME", bench.path("cache"))
            .env("XDG_DATA_HOME", bench.path("data"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let mut output = child.stdout.take().expect("a pipe");
        let shown = Arc::new(Mutex::new(String::new()));
        let heard = shown.clone();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                heard
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        Some(Terminal { child, shown })
    }

    fn shown(&self) -> String {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for the text `part` on the terminal. Returns the whole output so far.
    fn until(&self, part: &str) -> String {
        let end = Instant::now() + TIME_LIMIT;
        while Instant::now() < end {
            let shown = self.shown();
            if shown.contains(part) {
                return shown;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("no {part:?} in {}", self.shown());
    }

    fn types(&mut self, text: &str) {
        let input = self.child.stdin.as_mut().expect("a pipe");
        input.write_all(format!("{text}\n").as_bytes()).and_then(|()| input.flush()).expect("it reads");
    }
}

fn signal(bench: &Bench, name: &str) {
    let pid = bench.text("pid").trim().to_owned();
    assert!(Command::new("kill").args([name, &pid]).status().expect("kill").success());
}

fn wait_for(path: &Path) {
    let end = Instant::now() + TIME_LIMIT;
    while !path.exists() && Instant::now() < end {
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_terminal_shows_a_board_in_colors_asks_for_moves_and_keeps_the_game_through_a_kill() {
    let bench = bench();
    let Some(mut terminal) = Terminal::start(&bench, "TERM=xterm") else { return };
    terminal.until("\n1. ");
    terminal.types("e4");
    let shown = terminal.until("\n2. ");
    assert!(shown.contains("\u{1b}[48;5;") && shown.contains('♚'), "{shown}");
    terminal.types("d4");
    terminal.until("\n3. ");
    signal(&bench, "-KILL");
    terminal.child.wait().expect("an end");
    let pgn = bench.text("game.pgn");
    assert!(pgn.contains("1. e4 ") && pgn.contains("2. d4 ") && pgn.contains("[Result \"*\"]"), "{pgn}");
    assert_eq!(pgn.matches(" d4 ").count(), 1);
    // The game continues from there, and Ctrl-C keeps it too.
    fs::remove_file(bench.path("pid")).expect("a file");
    let mut terminal = Terminal::start(&bench, "TERM=xterm").expect("a terminal");
    wait_for(&bench.path("pid"));
    terminal.until("The game continues after 2 moves");
    terminal.until("\n3. ");
    terminal.types("\u{3}");
    terminal.until("the game so far is in game.pgn");
    terminal.child.wait().expect("an end");
    assert_eq!(bench.text("game.pgn"), pgn);
}

#[test]
fn a_game_on_a_terminal_ends_with_its_report_and_has_no_colors_for_who_is_against_them() {
    let bench = bench();
    let Some(mut terminal) = Terminal::start(&bench, "TERM=xterm") else { return };
    terminal.until("\n1. ");
    terminal.types("e4 d4");
    terminal.until("\n3. ");
    terminal.types("resign");
    let shown = terminal.until("Another game?");
    terminal.types("quit");
    assert!(shown.contains("You lose (resignation)") && shown.contains("How the game was played"), "{shown}");
    terminal.child.wait().expect("an end");
    fs::remove_file(bench.path("game.pgn")).expect("a file");
    let Some(mut plain) = Terminal::start(&bench, "NO_COLOR=1 LC_ALL=C") else { return };
    plain.until("\n1. ");
    plain.types("quit");
    plain.child.wait().expect("an end");
    let shown = plain.shown();
    assert!(shown.contains(" R  N  B ") && !shown.contains('\u{1b}'), "the locale has no Unicode: {shown}");
}

#[test]
fn what_somebody_else_has_written_into_the_file_of_a_game_stays() {
    let bench = bench();
    play(&bench, &[], "e4\nquit\n").ended_with(0);
    let ours = bench.text("game.pgn");
    // A comment before the first move is kept in place.
    let commented = ours.replacen("\n\n1. e4", "\n\n{ my best opening } 1. e4", 1);
    assert_ne!(commented, ours);
    bench.write("game.pgn", commented.as_bytes());
    play(&bench, &[], "Nf3\nquit\n").ended_with(0);
    let games: Vec<String> = ["game.pgn", "game-2.pgn"]
        .iter()
        .filter(|name| bench.path(name).exists())
        .map(|name| bench.text(name))
        .collect();
    assert!(games.iter().any(|game| game.contains("my best opening") && game.contains("Nf3")), "{games:?}");
    // A second copy of the game, and a variation, may not be dropped: this program did not write them.
    for more in [ours.clone(), ours.replacen("1. e4", "1. e4 (1. d4)", 1)] {
        let bench = self::bench();
        let text = format!("{}{more}", if more == ours { &*ours } else { "" });
        bench.write("game.pgn", text.as_bytes());
        let run = play(&bench, &[], "Nf3\nquit\n");
        assert_eq!(bench.text("game.pgn"), text, "{}", run.stderr);
        assert!(
            run.stderr.contains("other games") || run.stdout.contains("the game continues in game-2.pgn"),
            "{}",
            run.stdout
        );
    }
}
