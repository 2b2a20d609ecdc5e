//! Measures the main job in whole processes: time and memory with recorded evaluations, and the share of time
//! that the engines search.
//!
//! `cargo bench` takes seconds. `cargo bench -- field` also analyzes 1,000 games of 100 players, and 10,000
//! games of 1,000 players. `cargo bench -- engine` searches the 56 games, which takes minutes; `cargo bench
//! -- engine 14` sets the depth.

mod process;

use std::{fs, path::Path, process::Command};

use self::process::Measured;

/// Number of counted runs of each command, after one uncounted run.
const RUNS: usize = 9;

const RECORDED: &str = "data/candidates-2013-stockfish-15.1-depth-20.pgn";
const PLAIN: &str = "data/candidates-2013.pgn";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let all = ["--split", "phase,color,eval"];
    let tables = [&all[..], &["--plots", "none", "--no-html"]].concat();
    recorded(
        "all tables, splits, CSV, page, plots as PNG and SVG",
        &[&all[..], &["--plots", "png,svg"]].concat(),
        folder.path(),
    );
    recorded(
        "the same with the page and without plots",
        &[&all[..], &["--plots", "none"]].concat(),
        folder.path(),
    );
    recorded("the same without page and plots", &tables, folder.path());
    recorded(
        "the same without page, plots and bootstrap",
        &[&tables[..], &["--bootstrap", "0"]].concat(),
        folder.path(),
    );
    if args.first().is_some_and(|arg| arg == "field") {
        field((1_000, 100), &["--plots", "png,svg"], "page and plots", folder.path());
        field((10_000, 1_000), &["--plots", "none", "--no-html"], "without page and plots", folder.path());
    }
    if args.first().is_some_and(|arg| arg == "engine") {
        let depth = args.get(1).map_or("14", String::as_str);
        with_engine(depth, folder.path());
    }
}

fn measure(args: &[&str], output: &Path) -> Measured {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gainalyze"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).args(["--quiet", "--output"]).arg(output);
    process::measure(&mut command)
}

fn recorded(title: &str, more: &[&str], output: &Path) {
    let args = [&[RECORDED][..], more].concat();
    measure(&args, output);
    let mut runs: Vec<Measured> = (0..RUNS).map(|_| measure(&args, output)).collect();
    runs.sort_by_key(|run| run.wall);
    let seconds = |run: &Measured| run.wall.as_secs_f64();
    println!(
        "56 games from recorded evaluations, {title}: median {:.3} s (from {:.3} to {:.3}, {RUNS} runs), peak {} MB",
        seconds(&runs[RUNS / 2]),
        seconds(&runs[0]),
        seconds(&runs[RUNS - 1]),
        runs.iter().map(|run| run.peak_kb).max().unwrap_or_default() / 1024,
    );
}

/// Measures the main job on a field of this many games and players. The 56 games are repeated with changed
/// evaluations, and the players are drawn by lot.
fn field((games, players): (usize, usize), more: &[&str], title: &str, folder: &Path) {
    let pgn = folder.join("field.pgn");
    fs::write(&pgn, shaken_games(games, players)).expect("room for the games");
    let args =
        [&[pgn.to_str().expect("a path in UTF-8"), "--split", "phase,color,eval", "--keep-duplicates"], more]
            .concat();
    let run = measure(&args, &folder.join("field"));
    println!(
        "{games} games of {players} players, all tables, splits and CSV, {title}: {:.1} s, peak {} MB",
        run.wall.as_secs_f64(),
        run.peak_kb / 1024
    );
}

fn shaken_games(count: usize, players: usize) -> String {
    let recorded =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(RECORDED)).expect("the games");
    let movetexts: Vec<&str> =
        recorded.split("[Event ").skip(1).filter_map(|game| Some(game.split_once("]\n\n")?.1)).collect();
    let mut random = Random(1);
    let mut games = String::new();
    for number in 0..count {
        let white = random.below(players);
        let black = (white + 1 + random.below(players - 1)) % players;
        for (tag, player) in [("White", white), ("Black", black)] {
            games += &format!("[{tag} \"Player {player:04}\"]\n[{tag}Elo \"{}\"]\n", 2000 + player % 700);
        }
        let (skill, text) = (white % 40, movetexts[number % movetexts.len()]);
        games += &format!(
            "[Round \"{}\"]\n\n{}\n\n",
            number * 10 / count + 1,
            shaken(text, skill, &mut random).trim_end()
        );
    }
    games
}

/// Returns the movetext with each evaluation changed by up to `most` centipawns. Mates stay as they are.
fn shaken(movetext: &str, most: usize, random: &mut Random) -> String {
    let mut parts = movetext.split("[%eval ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (eval, rest) = part.split_once([',', ']']).expect("an evaluation");
        let end = &part[eval.len()..part.len() - rest.len()];
        let shake = random.below(2 * most + 1) as f64 - most as f64;
        let eval =
            eval.parse::<f64>().map_or(eval.to_owned(), |pawns| format!("{:.2}", pawns + shake / 100.0));
        text += &format!("[%eval {eval}{end}{rest}");
    }
    text
}

/// Marsaglia's xorshift generator, so that the games are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as usize % end
    }
}

fn with_engine(depth: &str, output: &Path) {
    let run = measure(&[PLAIN, "--depth", depth, "--no-store"], output);
    let text = fs::read_to_string(output.join("run.json")).expect("run.json is written");
    let info: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    println!(
        "56 games at depth {depth}: {:.1} s, engines busy {:.2} % of jobs × wall time, peak {} MB without them",
        run.wall.as_secs_f64(),
        100.0 * info["engine_busy_share"].as_f64().unwrap_or_default(),
        run.peak_kb / 1024,
    );
}
