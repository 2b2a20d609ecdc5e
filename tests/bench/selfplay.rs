//! Measures the playing of games: what a ply costs beside the engine, how busy the engines are, and
//! what 100,000 games take.
//!
//! `cargo bench --bench selfplay` takes seconds, with `-- many` some minutes and half a gigabyte of
//! disk, with `-- engine` some minutes of an engine.

use std::{
    fs, io,
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use gainalyze::{
    engine::{
        play::{Choice, Line, Player},
        pool::Stop,
    },
    evaluation::Limit,
    score::Score,
    selfplay::{
        Contender, Side,
        adjudicate::Adjudication,
        crew::{self, Event, Restart, Stable, Work},
        journal::Journal,
        openings,
        record::{self, Header},
        schedule::{Fixture, Pair, schedule},
    },
};
use shakmaty::{CastlingMode, uci::UciMove};

/// How often a figure is taken.
const RUNS: usize = 5;

/// Moves of each side in a game of scripted players.
const MOVES: u32 = 50;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let asked = |what: &str| args.iter().any(|arg| arg == what);
    let folder = tempfile::tempdir().expect("a temporary folder");
    scripted(1000, folder.path());
    if asked("many") {
        many(100_000, folder.path());
    }
    if asked("engine") {
        for (depths, games) in [("1", "100"), ("2", "100"), ("3", "100"), ("4", "100"), ("1-4", "20")] {
            with_engine(depths, "1", "never", games, folder.path());
        }
        for (depth, games) in [("8", "60"), ("10", "30"), ("12", "12")] {
            for restart in ["never", "game"] {
                with_engine(depth, "2", restart, games, folder.path());
            }
        }
    }
}

/// A player who knows the moves of every game by heart.
struct Reciter {
    lines: Arc<Vec<Vec<UciMove>>>,
    game: usize,
    /// The place of the next move in the game; unknown before the first.
    place: Option<usize>,
}

#[derive(Debug, thiserror::Error)]
#[error("the game has no more moves")]
struct NoMove;

impl Player for Reciter {
    type Error = NoMove;

    async fn new_game(&mut self, _: CastlingMode) -> Result<(), NoMove> {
        self.game += 1;
        self.place = None;
        Ok(())
    }

    async fn choose(&mut self, line: &Line, _: Limit) -> Result<Choice, NoMove> {
        let place = self.place.unwrap_or(line.turn().fold_wb(0, 1));
        self.place = Some(place + 2);
        let best = self.lines[self.game % self.lines.len()].get(place).copied();
        let best = Some(best.ok_or(NoMove)?);
        Ok(Choice { best, score: Some(Score::Cp(31)), depth: Some(4), time: Duration::ZERO })
    }

    fn is_stall(_: &NoMove) -> bool {
        false
    }
}

/// Where reciters come from.
struct Reciters(Arc<Vec<Vec<UciMove>>>);

impl Stable for Reciters {
    type Player = Reciter;

    async fn fetch(&self, _: Side) -> Result<Reciter, NoMove> {
        Ok(Reciter { lines: self.0.clone(), game: 0, place: None })
    }

    async fn dismiss(&self, _: Reciter) {}
}

fn reciters() -> Reciters {
    let games = openings::random(2 * MOVES, 200, 1);
    Reciters(Arc::new(games.into_iter().map(|opening| opening.moves).collect()))
}

fn fixtures(games: u32) -> Vec<Fixture> {
    let depth = |depth| Contender { side: Side::Engine, depth };
    schedule(&[Pair { first: depth(1), second: depth(2) }], games, 0, 1)
}

fn header() -> Header {
    let (engine, date) = ("Reciter".to_owned(), "2026.01.31".to_owned());
    Header { engine, opponent: None, adjudication: String::new(), date }
}

/// Plays the games into a file; the half-moves in them.
fn recite(reciters: &Reciters, fixtures: &[Fixture], folder: &Path) -> u64 {
    let header = header();
    let (mut journal, _) = Journal::open(folder, &header, fixtures).expect("a new file");
    let (adjudication, restart) =
        (Adjudication { max_moves: Some(MOVES), ..Adjudication::default() }, Restart::Never);
    let work = Work { fixtures, openings: &[], adjudication, restart, jobs: 1 };
    let (mut plies, mut outcomes) = (0, Vec::new());
    let played = crew::run(reciters, work, &Stop::default(), std::future::pending(), |event| {
        if let Event::Finished { game, .. } = event {
            plies += game.moves.len() as u64;
            outcomes.push(game.outcome());
            journal.append(&record::write(&game, &header)).map_err(io::Error::other)?;
        }
        Ok::<(), io::Error>(())
    });
    played.expect("room for the games");
    assert_eq!(outcomes.len(), fixtures.len());
    plies
}

fn scripted(games: u32, folder: &Path) {
    let (reciters, fixtures) = (reciters(), fixtures(games));
    let mut costs: Vec<f64> = (0..RUNS)
        .map(|run| {
            let folder = folder.join(format!("scripted-{run}"));
            fs::create_dir(&folder).expect("a folder");
            let start = Instant::now();
            let plies = recite(&reciters, &fixtures, &folder);
            start.elapsed().as_secs_f64() * 1e6 / plies as f64
        })
        .collect();
    costs.sort_by(f64::total_cmp);
    println!(
        "players without an engine, one job, games.pgn written: {:.1} µs a ply (from {:.1} to {:.1}, {RUNS} runs of \
         {games} games)",
        costs[RUNS / 2],
        costs[0],
        costs[RUNS - 1]
    );
}

fn many(games: u32, folder: &Path) {
    let folder = folder.join("many");
    fs::create_dir(&folder).expect("a folder");
    let (reciters, fixtures) = (reciters(), fixtures(games));
    let start = Instant::now();
    recite(&reciters, &fixtures, &folder);
    let played = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let (_, found) = Journal::open(&folder, &header(), &fixtures).expect("our own file");
    assert_eq!(found.outcomes.len(), games as usize);
    println!(
        "{games} games of {} plies: played in {played:.0} s, read again in {:.0} s, peak {} MB",
        2 * MOVES,
        start.elapsed().as_secs_f64(),
        status("/proc/self/status", "VmHWM:") / 1024
    );
}

/// Kilobytes as Linux counts them; elsewhere 0.
fn status(path: &str, key: &str) -> u64 {
    let text = fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// Seconds of processor time of a process, its children's left out, as Linux counts it in
/// hundredths; elsewhere 0.
fn processor_seconds(id: u32) -> f64 {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let fields = text.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let times = fields.split_whitespace().skip(11).take(2).filter_map(|time| time.parse::<f64>().ok());
    times.sum::<f64>() / 100.0
}

fn with_engine(depths: &str, jobs: &str, restart: &str, games: &str, folder: &Path) {
    let output = folder.join(format!("depths-{depths}-{restart}"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_gainalyze"))
        .args(["selfplay", "--quiet", "--random-plies", "6", "--depths", depths, "--jobs", jobs])
        .args(["--restart", restart, "--games", games, "--output"])
        .arg(&output)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let (mut own, mut peak) = (0.0_f64, 0);
    while child.try_wait().expect("a child").is_none() {
        own = own.max(processor_seconds(child.id()));
        peak = peak.max(status(&format!("/proc/{}/status", child.id()), "VmHWM:"));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.wait().expect("a child").success(), "the games are played");
    let text = fs::read_to_string(output.join("run.json")).expect("run.json is written");
    let run: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let number = |key: &str| run[key].as_f64().unwrap_or_default();
    println!(
        "depth {depths}, {jobs} at a time, restart {restart}, {} games: {:.0} plies a second, engines busy {:.2} % of \
         jobs × wall time ({:.2} % starting), {:.0} µs of own processor time a ply, peak {} MB without engines",
        run["games"],
        number("plies_per_second"),
        100.0 * number("engine_busy_share"),
        100.0 * number("engine_start_share"),
        own * 1e6 / number("plies"),
        peak / 1024,
    );
}
