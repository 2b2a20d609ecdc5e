//! The verb `spar`: an opponent that keeps the game even, by UCI or in the terminal, and a measurement of
//! that evenness.

mod begun;
mod board_game;
mod evaluation;
mod game_file;
mod review;
mod seat;

use std::{fs, hash::BuildHasher, hash::RandomState, io, io::IsTerminal, path::PathBuf, time::Duration};

use clap::{Args, ValueEnum, ValueHint};
use etcetera::BaseStrategy;

use crate::base::text::with_causes;
use crate::engine::{EngineCommand, levels::Level};
use crate::lab::{
    BoardTime, MoveLog, OpponentMemory, SkillFunction, SparNotes, SparOptions, SparSettings, spar,
};
use crate::verbs::{
    args::ConsoleArgs, args::OneEngineArgs, args::ResultArgs, args::values, error::Result, error::VerbError,
    runs::Finished, runs::Viewer,
};

/// Default number of games against each opponent, as in Kennedy's paper.
const GAMES: u32 = 30;

/// Default number of games between every two opponents. With four games, the strongest opponent won all its
/// games and the weakest lost all, so no finite Elo fits.
const STRENGTH_GAMES: u32 = 10;

/// The engine's timeout while a person waits for the move.
const ENGINE_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Args)]
pub struct SparArgs {
    /// Skill function: `even` keeps the expected score even; `meant` and `printed` follow the text and
    /// the formula of Kennedy's ChallengeMate (2018); `fixed:DEPTH:P` plays the second-best move with probability
    /// P; `level:ELO` plays like people of that rating; `random` plays any legal move.
    ///
    /// With --evaluate, several may be separated by commas.
    #[arg(
        long,
        value_name = "even|meant|printed|fixed:DEPTH:P|level:ELO|random",
        value_delimiter = ',',
        default_value = "even",
        add = values(["even", "meant", "printed", "random"])
    )]
    pub skill: Vec<SkillFunction>,
    /// Play like lichess blitz players of this rating (800 to 2400) instead of by --skill.
    #[arg(long, value_name = "ELO", conflicts_with_all = ["skill", "evaluate"], value_parser = clap::value_parser!(Level))]
    pub level: Option<Level>,
    /// Random seed [default: that of the resumed game, 1 with --evaluate, or a new one].
    ///
    /// Without a clock and with the same memory of you, the same moves get the same replies.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Assumed rating of an unknown opponent.
    #[arg(long, value_name = "ELO", default_value_t = 1500, value_parser = clap::value_parser!(u32).range(100..=4000))]
    pub opponent_elo: u32,
    /// Node limit per search (approximate).
    #[arg(long, value_name = "N", default_value_t = SparSettings::default().nodes, value_parser = clap::value_parser!(u64).range(1000..))]
    pub max_nodes: u64,
    /// Log file of how each move was chosen, one JSON line per move.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub log: Option<PathBuf>,
    /// Record of known opponents, or `none` [default with --play: opponents.json].
    ///
    /// The record has the average loss of each opponent. The default file is in your data folder; without
    /// --play, there is no default.
    #[arg(long, value_name = "FILE|none", value_hint = ValueHint::FilePath)]
    pub memory: Option<PathBuf>,
    /// Play a game in the terminal; enter moves such as Nf3 or g1f3. The PGN is written after each move, and a
    /// summary at the end.
    #[arg(long, conflicts_with = "evaluate")]
    pub play: bool,
    #[command(flatten)]
    pub game: GameArgs,
    /// Measure how even the games are, against twelve opponents of known strength; resumes a stopped run.
    #[arg(long, conflicts_with_all = ["log", "memory"])]
    pub evaluate: bool,
    #[command(flatten)]
    pub evaluation: EvaluationArgs,
    #[command(flatten)]
    pub engine: OneEngineArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlayedSide {
    /// White.
    White,
    /// Black.
    Black,
    /// White or Black, drawn by the random seed.
    Random,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Game in the terminal")]
pub struct GameArgs {
    /// Your side: white, black or random [default: white].
    ///
    /// A resumed game keeps its side and its name.
    #[arg(long, value_enum, requires = "play", hide_possible_values = true)]
    pub side: Option<PlayedSide>,
    /// Your name in the PGN and --memory [default: You].
    #[arg(long, value_name = "NAME", requires = "play")]
    pub name: Option<String>,
    /// PGN file, resumed if unfinished [default: spar-DATE-TIME.pgn].
    #[arg(long, value_name = "FILE", requires = "play", value_hint = ValueHint::FilePath)]
    pub pgn: Option<PathBuf>,
    /// Clock of each side: minutes, and seconds per move [default: none].
    #[arg(long, value_name = "MIN+SEC", requires = "play")]
    pub time: Option<BoardTime>,
    /// Start: a FEN, or moves such as "e4 c5" [default: the initial position].
    #[arg(long, value_name = "FEN|MOVES", requires = "play")]
    pub start: Option<String>,
    /// Show pieces as letters (the default if the locale has no Unicode).
    #[arg(long, requires = "play")]
    pub ascii: bool,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Evaluation")]
pub struct EvaluationArgs {
    /// Games against each opponent.
    #[arg(long, value_name = "N", requires = "evaluate", default_value_t = GAMES, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub games: u32,
    /// Games between every two opponents, for their ratings.
    #[arg(long, value_name = "N", requires = "evaluate", default_value_t = STRENGTH_GAMES, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub strength_games: u32,
    #[command(flatten)]
    pub results: ResultArgs,
    #[command(flatten)]
    pub console: ConsoleArgs,
}

impl SparArgs {
    pub fn command(&self) -> Result<EngineCommand, String> {
        let mut plan = self.engine.plan();
        plan.setup.timeout = plan.setup.timeout.min(ENGINE_TIMEOUT);
        EngineCommand::new(&plan.choice, &plan.setup).map_err(|error| with_causes(&error))
    }

    fn one_skill(&self) -> Result<SkillFunction, String> {
        match (self.level, self.skill.as_slice()) {
            (Some(level), _) => Ok(SkillFunction::Level(level)),
            (None, [skill]) => Ok(*skill),
            _ => Err("--skill: a game uses one skill function; several need --evaluate".to_owned()),
        }
    }

    /// Returns the settings. `seed` gives the random seed if the arguments have none.
    fn settings(&self, seed: impl FnOnce() -> u64) -> SparSettings {
        let seed = self.seed.unwrap_or_else(seed);
        SparSettings { seed, elo: self.opponent_elo.into(), nodes: self.max_nodes }
    }

    /// Opens the log and the memory of opponents, if they are wanted.
    pub fn notes(&self) -> Result<SparNotes, String> {
        let log = |path: &PathBuf| {
            let failed =
                |error| format!("--log {} cannot be written: {}", path.display(), with_causes(&error));
            MoveLog::open(path).map_err(failed)
        };
        let memory = |path: PathBuf| {
            OpponentMemory::open(&path)
                .map_err(|error| format!("--memory {}: {}", path.display(), with_causes(&error)))
        };
        Ok(SparNotes {
            log: self.log.as_ref().map(log).transpose()?,
            memory: self.memory_path().map(memory).transpose()?,
            ..SparNotes::default()
        })
    }

    /// Returns the path of the file of opponents: the path in `--memory`, or with `--play` a file in the
    /// user's data folder, which is created if missing. `None` for `--memory none`, and without both options.
    fn memory_path(&self) -> Option<PathBuf> {
        match &self.memory {
            Some(path) if path.as_os_str() == "none" => None,
            Some(path) => Some(path.clone()),
            None if self.play => {
                let folder = etcetera::choose_base_strategy().ok()?.data_dir().join("gainalyze");
                fs::create_dir_all(&folder).ok()?;
                Some(folder.join("opponents.json"))
            }
            None => None,
        }
    }
}

/// Draws a random seed with at most six digits, so that a person can type it.
fn new_seed() -> u64 {
    1 + RandomState::new().hash_one(0) % 999_999
}

pub fn run(args: &SparArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    if args.evaluate {
        return evaluation::run(args, viewer);
    }
    if args.play {
        let skill = args.one_skill()?;
        board_game::run(args, skill, (args.command()?, args.notes()?), viewer)?;
    } else {
        let (command, notes) = (args.command()?, args.notes()?);
        if io::stdin().is_terminal() {
            viewer.note("this is UCI, for a chess program; to play here: gainalyze spar --play");
        }
        let options = SparOptions::new(args.one_skill()?, args.settings(new_seed));
        spar::serve(io::stdin().lock(), io::stdout(), command, options, notes)
            .map_err(|error| VerbError::system("talk to the user interface", error))?;
    }
    Ok(Finished::complete(String::new()))
}
