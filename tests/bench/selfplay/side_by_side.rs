//! Comparison with other programs that let the same engine play the same games: fastchess, and a bare loop
//! over pipes.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use gainalyze::chess::pgn::parse_games;
use gainalyze::lab::{Opening, PlayedGame, Restart};
use shakmaty::{EnPassantMode, Position, fen::Fen};

use super::{Match, Place, contestants, openings, play, spread};

/// Number of games of a match. Each game has its own opening.
const GAMES: u32 = 95;

/// Number of simultaneous games.
const JOBS: usize = 2;

/// Size of each engine's hash table in megabytes.
const HASH: u32 = 16;

/// Plays matches at depths 2, 4 and 8, in turn by this program, by the bare loop, and by fastchess if
/// `$FASTCHESS` names it. Prints this program's plies per second, and their percentage of the other programs'
/// plies per second.
pub fn side_by_side(engine: &Path, place: &mut Place) {
    let fastchess = std::env::var_os("FASTCHESS").map(PathBuf::from);
    let (book, text) = book();
    for (depth, rounds) in [(2, 5), (4, 5), (8, 3)] {
        let (mut own, mut of_bare, mut of_fastchess) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let folder = place.next();
            let mut games = Vec::new();
            let (pairs, restart) = (depth..=depth, Restart::Never);
            let what = Match {
                depths: pairs,
                games: GAMES,
                openings: book.clone(),
                max_moves: None,
                restart,
                jobs: JOBS,
            };
            let effort = play(&contestants(engine.to_owned(), Some(HASH)), &what, &folder, |game| {
                games.push(Questions::of(game, depth))
            });
            let speed = effort.plies as f64 / effort.wall;
            own.push(speed);
            of_bare.push(100.0 * speed / bare(engine, &games));
            if let Some(program) = &fastchess {
                let (plies, seconds) = fastchess_match(program, engine, depth, &text, &folder);
                assert_eq!(plies, effort.plies, "the same games");
                of_fastchess.push(100.0 * speed * seconds / plies as f64);
            }
        }
        println!(
            "depth {depth}, {JOBS} at a time: {} plies a second ({rounds} runs of {GAMES} games)",
            spread(own.into_iter())
        );
        println!("  of a bare loop over the pipes: {} %", spread(of_bare.into_iter()));
        if !of_fastchess.is_empty() {
            println!("  of fastchess: {} %", spread(of_fastchess.into_iter()));
        }
    }
}

/// Returns the positions after eight random plies, as openings and as the text of an openings file.
fn book() -> (Vec<Opening>, String) {
    let ends = openings::random(8, GAMES, 1).into_iter().map(|opening| {
        let position = opening.moves.iter().fold(opening.start, |mut position, uci| {
            position.play_unchecked(uci.to_move(&position).expect("a legal move"));
            position
        });
        Fen::from_position(&position, EnPassantMode::Legal).to_string() + "\n"
    });
    let text: String = ends.collect();
    (openings::read(&text, "book", None).openings, text)
}

/// A game as a list of questions to the engines.
struct Questions {
    start: String,
    moves: Vec<String>,
    depth: u32,
}

impl Questions {
    fn of(game: &PlayedGame, depth: u32) -> Questions {
        let start = Fen::from_position(&game.start, EnPassantMode::Legal).to_string();
        Questions { start, moves: game.moves.iter().map(|ply| ply.uci.to_string()).collect(), depth }
    }

    /// Returns the UCI commands that ask for each move.
    fn lines(&self) -> impl Iterator<Item = String> {
        (0..self.moves.len()).map(|played| {
            let moves = if played == 0 {
                String::new()
            } else {
                format!(" moves {}", self.moves[..played].join(" "))
            };
            format!("position fen {}{moves}\ngo depth {}\n", self.start, self.depth)
        })
    }
}

/// Asks engines for the moves of known games with as little code as possible. Returns plies per second.
fn bare(engine: &Path, games: &[Questions]) -> f64 {
    let next = AtomicUsize::new(0);
    let begun = Instant::now();
    thread::scope(|scope| {
        for _ in 0..JOBS {
            scope.spawn(|| {
                let mut players = [Pipe::to(engine), Pipe::to(engine)];
                while let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                    players.iter_mut().for_each(|player| player.ask("ucinewgame\nisready\n", "readyok"));
                    for (ply, question) in game.lines().enumerate() {
                        players[ply % 2].ask(&question, "bestmove");
                    }
                }
                players.iter_mut().for_each(|player| player.child.kill().expect("a process"));
            });
        }
    });
    games.iter().map(|game| game.moves.len()).sum::<usize>() as f64 / begun.elapsed().as_secs_f64()
}

/// An engine at the end of two pipes.
struct Pipe {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
}

impl Pipe {
    fn to(engine: &Path) -> Pipe {
        let mut child =
            Command::new(engine).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("an engine");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut pipe = Pipe { child, input, output, line: String::new() };
        pipe.ask(&format!("uci\nsetoption name Hash value {HASH}\nisready\n"), "readyok");
        pipe
    }

    /// Sends `question`, and reads up to the line that begins with `last`.
    fn ask(&mut self, question: &str, last: &str) {
        self.input.write_all(question.as_bytes()).expect("an engine that reads");
        self.line.clear();
        while !self.line.starts_with(last) {
            self.line.clear();
            assert_ne!(self.output.read_line(&mut self.line).expect("text"), 0, "an engine that answers");
        }
    }
}

/// Plays the match with fastchess. Returns plies and seconds.
fn fastchess_match(program: &Path, engine: &Path, depth: u32, book: &str, folder: &Path) -> (u64, f64) {
    fs::write(folder.join("book.epd"), book).expect("a file");
    let engine = format!("cmd={}", engine.display());
    let begun = Instant::now();
    let status = Command::new(program)
        .current_dir(folder)
        .args(["-engine", &engine, "name=a", "-engine", &engine, "name=b"])
        .args(["-each", &format!("depth={depth}"), &format!("option.Hash={HASH}")])
        .args(["-rounds", &GAMES.to_string(), "-games", "1", "-concurrency", &JOBS.to_string()])
        .args(["-openings", "file=book.epd", "format=epd", "order=sequential", "-pgnout", "file=played.pgn"])
        .args(["-ratinginterval", "0", "-scoreinterval", "0"])
        .stdout(Stdio::null())
        .status();
    let seconds = begun.elapsed().as_secs_f64();
    assert!(status.expect("fastchess").success(), "fastchess plays");
    let text = fs::read_to_string(folder.join("played.pgn")).expect("games");
    let plies =
        parse_games(&text, "played.pgn").into_iter().map(|game| game.expect("a game").moves.len() as u64);
    (plies.sum(), seconds)
}
