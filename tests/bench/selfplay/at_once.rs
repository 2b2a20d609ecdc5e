//! A UCI engine that takes no time. It plays a random legal move, and sends each answer in one write.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use shakmaty::{CastlingMode, Chess, Position, uci::UciMove};

/// The executable's name when it acts as this engine.
const NAME: &str = "answers-at-once";

/// Returns whether this process was started as the engine.
pub fn is_asked_for() -> bool {
    let name = std::env::args_os().next().map(PathBuf::from);
    name.is_some_and(|path| path.file_stem().is_some_and(|stem| stem == NAME))
}

/// Makes the executable of the engine in `folder`: this program by another name. Returns its path.
pub fn executable(folder: &Path) -> PathBuf {
    let path = folder.join(NAME);
    let own = std::env::current_exe().expect("a path");
    std::fs::hard_link(&own, &path).or_else(|_| std::fs::copy(&own, &path).map(|_| ())).expect("a copy");
    path
}

/// Plays until it receives `quit`.
pub fn answer() -> io::Result<()> {
    let mut game = Game::default();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for line in io::stdin().lines() {
        let answer = match line?.as_str() {
            "uci" => "id name Answers at once\nuciok\n".to_owned(),
            "isready" => "readyok\n".to_owned(),
            "quit" => break,
            "ucinewgame" => {
                game = Game::default();
                continue;
            }
            line if line.starts_with("go") => {
                let moves = game.position.legal_moves();
                let chosen = moves[random.next_u32() as usize % moves.len()].to_uci(CastlingMode::Standard);
                format!("info depth 1 score cp 0 nodes {} pv {chosen}\nbestmove {chosen}\n", moves.len())
            }
            line => {
                if line.starts_with("position") {
                    game.go_on(line);
                }
                continue;
            }
        };
        io::stdout().write_all(answer.as_bytes())?;
        io::stdout().flush()?;
    }
    Ok(())
}

/// A game from the initial position, as far as the engine knows it.
#[derive(Default)]
struct Game {
    position: Chess,
    plies: usize,
}

impl Game {
    /// Plays the new moves of a command `position startpos moves …`.
    fn go_on(&mut self, command: &str) {
        for word in command.split(' ').skip(3 + self.plies) {
            let m = word.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.position).ok());
            self.position.play_unchecked(m.expect("a move of the game"));
            self.plies += 1;
        }
    }
}
