//! Measures the playing of games: the cost of a ply outside the engine, the share of time that the engines
//! search, and the cost of 100,000 games.
//!
//! `cargo bench --bench selfplay` takes a minute. `-- shallow` and `-- deep` take several minutes with
//! Stockfish. `-- many` takes several minutes and half a gigabyte of disk. `-- side-by-side` takes several
//! minutes; it compares this program with a bare loop over pipes, and with fastchess if `$FASTCHESS` names
//! it. Use one core for one game at a time (`taskset -c 0`): only one of two players thinks, and an idle core
//! takes long to wake up.

mod at_once;
mod side_by_side;

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use gainalyze::chess::{ChosenMove, GameSoFar, MoveLimit, Player, Score};
use gainalyze::engine::{EngineCommand, ProcessCommand, Purpose, Setup, Stop, installed_stockfishes};
use gainalyze::lab::selfplay::schedule::{openings_needed, schedule};
use gainalyze::lab::selfplay::{contestants, game_pgn, game_pool, openings};
use gainalyze::lab::{
    Adjudication, Contender, Contestants, GameHeader, GameLog, GamePoolEvent, GamesToPlay, KnownEngine,
    Matchup, Opening, PlayedGame, PlayerFactory, Restart, ScheduledGame, Seat, Side,
};
use shakmaty::{ByColor, CastlingMode, uci::UciMove};

/// Number of measurements of each figure.
const RUNS: usize = 5;

/// Number of moves of each side in a game without a real engine.
const MOVES: u32 = 50;

fn main() {
    if at_once::is_asked_for() {
        return at_once::answer().expect("a listener");
    }
    let args: Vec<String> = std::env::args().collect();
    let asked = |what: &str| args.iter().any(|arg| arg == what);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut place = Place { folder: folder.path(), taken: 0 };
    by_heart(&mut place);
    at_once(&mut place);
    if asked("shallow") {
        for (depths, games) in [(1..=1, 100), (2..=2, 100), (3..=3, 100), (4..=4, 100), (1..=4, 20)] {
            stockfish(depths, games, Restart::Never, 1, &mut place);
        }
    }
    if asked("deep") {
        for (depth, games) in [(8, 60), (10, 30), (12, 12)] {
            for restart in [Restart::Never, Restart::Game] {
                stockfish(depth..=depth, games, restart, 2, &mut place);
            }
        }
    }
    if asked("side-by-side") {
        side_by_side::side_by_side(
            &installed_stockfishes().into_iter().next().expect("Stockfish"),
            &mut place,
        );
    }
    if asked("many") {
        many(100_000, &mut place);
    }
}

/// The folder of the games, with a folder for each match.
struct Place<'a> {
    folder: &'a Path,
    taken: u32,
}

impl Place<'_> {
    fn next(&mut self) -> PathBuf {
        self.taken += 1;
        let path = self.folder.join(self.taken.to_string());
        fs::create_dir(&path).expect("a folder");
        path
    }
}

/// A player that repeats the moves of known games.
struct Reciter {
    lines: Arc<Vec<Vec<UciMove>>>,
    game: usize,
    /// Index of the next move in the game; unknown before the first move.
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

    async fn choose(&mut self, game: &GameSoFar, _: MoveLimit) -> Result<ChosenMove, NoMove> {
        let place = self.place.unwrap_or(game.turn().fold_wb(0, 1));
        self.place = Some(place + 2);
        let best = self.lines[self.game % self.lines.len()].get(place).copied();
        let best = Some(best.ok_or(NoMove)?);
        Ok(ChosenMove { best, score: Some(Score::Cp(31)), depth: Some(4), nodes: None, time: Duration::ZERO })
    }

    fn is_stall(_: &NoMove) -> bool {
        false
    }
}

/// The factory of reciters.
struct Reciters(Arc<Vec<Vec<UciMove>>>);

impl PlayerFactory for Reciters {
    type Player = Reciter;
    type Contender = Contender;

    fn seats(&self, scheduled: &ScheduledGame) -> ByColor<Seat> {
        contestants::seats(scheduled)
    }

    fn limit(&self, contender: Contender) -> MoveLimit {
        contender.limit()
    }

    async fn start(&self, _: Seat) -> Result<Reciter, NoMove> {
        Ok(Reciter { lines: self.0.clone(), game: 0, place: None })
    }

    async fn stop(&self, _: Reciter) {}
}

fn reciters() -> Reciters {
    let games = openings::random(2 * MOVES, 200, 1);
    Reciters(Arc::new(games.into_iter().map(|opening| opening.moves).collect()))
}

/// The games to play: each depth against itself and every other depth.
struct Match {
    depths: std::ops::RangeInclusive<u32>,
    games: u32,
    openings: Vec<Opening>,
    max_moves: Option<u32>,
    restart: Restart,
    jobs: usize,
}

impl Match {
    fn pairs(&self) -> Vec<Matchup> {
        let contender = |depth| Contender { side: Side::Engine, depth };
        let depths = || self.depths.clone();
        let pair = |first, second| Matchup { first: contender(first), second: contender(second) };
        depths().flat_map(|a| depths().filter(move |&b| b >= a).map(move |b| pair(a, b))).collect()
    }
}

fn header(pairs: &[Matchup]) -> GameHeader {
    let contenders = pairs.iter().flat_map(|pair| [pair.first, pair.second]);
    GameHeader { date: "2026.01.31".to_owned(), ..GameHeader::of_depths("Engine", None, contenders) }
}

/// The cost of playing a match.
#[derive(Default)]
struct Effort {
    games: usize,
    plies: u64,
    wall: f64,
    /// Processor time of this process in seconds, without the engines.
    processor: f64,
    playing: Duration,
    starting: Duration,
}

impl Effort {
    fn micros_a_ply(&self, seconds: f64) -> f64 {
        seconds * 1e6 / self.plies as f64
    }
}

/// Plays a match into a file, as the verb `selfplay` does, and hands each game to `sink`.
fn play<S: PlayerFactory<Contender = Contender>>(
    factory: &S,
    what: &Match,
    folder: &Path,
    mut sink: impl FnMut(&PlayedGame),
) -> Effort {
    let pairs = what.pairs();
    let header = header(&pairs);
    let scheduled_games = schedule(&pairs, what.games, what.openings.len() as u32, 1);
    let (mut game_log, _) = GameLog::open(folder, &header, &scheduled_games).expect("a new file");
    let work = GamesToPlay {
        scheduled_games: &scheduled_games,
        openings: &what.openings,
        adjudication: Adjudication { max_moves: what.max_moves, ..Adjudication::default() },
        restart: what.restart,
        jobs: what.jobs,
    };
    let (mut effort, mut outcomes) = (Effort::default(), Vec::new());
    let (processor, begun) = (processor_seconds(), Instant::now());
    let played = game_pool::run(factory, work, &Stop::default(), std::future::pending(), |event| {
        if let GamePoolEvent::Finished { game, starting } = event {
            effort.plies += game.moves.iter().filter(|ply| ply.thought.is_some()).count() as u64;
            effort.playing += game.busy;
            effort.starting += starting;
            outcomes.push(game.record());
            sink(&game);
            game_log.append(&game_pgn::write(&game, &header)).map_err(io::Error::other)?;
        }
        Ok::<(), io::Error>(())
    });
    played.expect("room for the games");
    effort.wall = begun.elapsed().as_secs_f64();
    effort.processor = processor_seconds() - processor;
    effort.games = outcomes.len();
    assert_eq!(effort.games, scheduled_games.len(), "all games are played");
    assert!(outcomes.iter().all(|outcome| !outcome.ending.is_forfeit()), "by the rules");
    effort
}

/// Returns a match of `games` games with fifty moves of each side, played one after the other.
fn long_match(games: u32) -> Match {
    let (openings, max_moves) = (Vec::new(), Some(MOVES));
    Match { depths: 1..=1, games, openings, max_moves, restart: Restart::Never, jobs: 1 }
}

fn by_heart(place: &mut Place) {
    let (reciters, games) = (reciters(), 1000);
    let efforts: Vec<Effort> =
        (0..RUNS).map(|_| play(&reciters, &long_match(games), &place.next(), |_| ())).collect();
    println!(
        "players without a process: {} µs a ply by the clock ({RUNS} runs of {games} games)",
        spread(efforts.iter().map(|effort| effort.micros_a_ply(effort.wall)))
    );
}

fn at_once(place: &mut Place) {
    let engine = contestants(at_once::executable(place.folder), None);
    let games = 200;
    let efforts: Vec<Effort> =
        (0..RUNS).map(|_| play(&engine, &long_match(games), &place.next(), |_| ())).collect();
    let of = |seconds: fn(&Effort) -> f64| {
        spread(efforts.iter().map(|effort| effort.micros_a_ply(seconds(effort))))
    };
    println!(
        "an engine that answers at once: {} µs of own processor time a ply, {} µs by the clock ({RUNS} runs of {games} \
         games)",
        of(|effort| effort.processor),
        of(|effort| effort.wall)
    );
}

/// Returns the median of an odd number of figures, and the extremes.
fn spread(figures: impl Iterator<Item = f64>) -> String {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let last = figures.len() - 1;
    format!("{:.1} (from {:.1} to {:.1})", figures[last / 2], figures[0], figures[last])
}

fn many(games: u32, place: &mut Place) {
    let (reciters, folder, what) = (reciters(), place.next(), long_match(games));
    let effort = play(&reciters, &what, &folder, |_| ());
    let scheduled_games = schedule(&what.pairs(), games, 0, 1);
    let start = Instant::now();
    let (_, found) = GameLog::open(&folder, &header(&what.pairs()), &scheduled_games).expect("our own file");
    assert_eq!(found.records.len(), games as usize);
    println!(
        "{games} games of {} plies: played in {:.0} s, read again in {:.0} s, peak {} MB",
        2 * MOVES,
        effort.wall,
        start.elapsed().as_secs_f64(),
        peak_megabytes()
    );
}

/// Returns the largest memory of this process in megabytes, by Linux's count; elsewhere 0.
fn peak_megabytes() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: Option<u64> = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    kilobytes.unwrap_or_default() / 1024
}

/// Returns the processor time of this process in seconds, without its children, by Linux's count in
/// hundredths; elsewhere 0.
fn processor_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let times = fields.split_whitespace().skip(11).take(2).filter_map(|time| time.parse::<f64>().ok());
    times.sum::<f64>() / 100.0
}

/// Returns the contestants for an engine against itself, with the options that the verb `selfplay` sets.
/// `hash` is the size of the table in megabytes, if given.
fn contestants(path: PathBuf, hash: Option<u32>) -> Contestants {
    let mut setup = Setup::default();
    setup.hash = hash;
    setup.purpose = Purpose::Play;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("an event loop");
    let engine =
        runtime.block_on(KnownEngine::identify(EngineCommand::Program(ProcessCommand { path, setup })));
    Contestants { engine: engine.expect("an engine"), opponent: None }
}

fn stockfish(
    depths: std::ops::RangeInclusive<u32>,
    games: u32,
    restart: Restart,
    jobs: usize,
    place: &mut Place,
) {
    let engine = contestants(installed_stockfishes().into_iter().next().expect("Stockfish"), None);
    let mut what = Match { depths, games, openings: Vec::new(), max_moves: None, restart, jobs };
    what.openings = openings::random(6, openings_needed(&what.pairs(), games), 1);
    let effort = play(&engine, &what, &place.next(), |_| ());
    let share = |time: Duration| 100.0 * time.as_secs_f64() / (jobs as f64 * effort.wall);
    println!(
        "depths {:?}, {jobs} at a time, restart {restart:?}, {} games: {:.0} plies a second, engines busy {:.2} % of \
         jobs × wall time ({:.2} % starting), {:.0} µs of own processor time a ply",
        what.depths,
        effort.games,
        effort.plies as f64 / effort.wall,
        share(effort.playing + effort.starting),
        share(effort.starting),
        effort.micros_a_ply(effort.processor),
    );
}
