//! Owns the verb `spar`: an opponent that keeps the game even, by UCI, in the terminal, and how even its games are.

mod board_game;
mod evaluation;
mod moves;
mod seat;

use std::{io, path::PathBuf, time::Duration};

use clap::{Args, ValueEnum, ValueHint};
use shakmaty::Color;

use self::{board_game::BoardGamePlan, evaluation::SparringPlan, seat::TerminalSeat};
use crate::chess::text::with_causes;
use crate::engine::EngineCommand;
use crate::lab::{MoveLog, OpponentMemory, SkillFunction, SparNotes, SparOptions, SparSettings, spar};
use crate::verbs::{
    args::ConsoleArgs, args::OneEngineArgs, args::ResultArgs, error::VerbError, runs::Finished, runs::Viewer,
};

const EXAMPLES: &str = "\
Examples:
  gainalyze spar                        for a user interface: command gainalyze, argument spar
  gainalyze spar --skill meant --seed 7 the function of Kennedy's text, other lots
  gainalyze spar --memory spar.json     begins where the last games with the same opponent ended
  gainalyze spar --play                 a game in the terminal; help there tells what may be typed
  gainalyze spar --play --side black --pgn game.pgn
                                        with Black, into that file, or goes on with the game there
  gainalyze spar --evaluate --skill printed,meant,even --games 30
                                        how even the games are with twelve opponents

";

/// The longest time that an engine may be silent: somebody waits for the move.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct SparArgs {
    /// How well a move is played: even keeps the game even by the expected score, meant and printed are the functions of
    /// Kennedy's ChallengeMate (2018), fixed:DEPTH:P plays the second best move with probability P, random any legal one.
    /// Several, separated by commas, are measured one after the other with --evaluate.
    #[arg(
        long,
        value_name = "even|meant|printed|fixed:DEPTH:P|random",
        value_delimiter = ',',
        default_value = "even"
    )]
    pub skill: Vec<SkillFunction>,
    /// Draw by these random numbers: the same moves get the same answers, where no clock ends the search.
    #[arg(long, value_name = "N", default_value_t = SparSettings::default().seed)]
    pub seed: u64,
    /// Take somebody unknown for a player of this rating.
    #[arg(long, value_name = "ELO", default_value_t = 1500, value_parser = clap::value_parser!(u32).range(100..=4000))]
    pub opponent_elo: u32,
    /// Search about so many nodes at most.
    #[arg(long, value_name = "N", default_value_t = SparSettings::default().nodes, value_parser = clap::value_parser!(u64).range(1000..))]
    pub max_nodes: u64,
    /// Write how each move came about to this file, a line of JSON each.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub log: Option<PathBuf>,
    /// Remember in this file what opponents lose by a move, and begin with that the next time.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub memory: Option<PathBuf>,
    /// Play a game in the terminal, with moves as in Nf3 or g1f3. The PGN is written after each move, and at the end stands how
    /// the game was played.
    #[arg(long, conflicts_with = "evaluate")]
    pub play: bool,
    #[command(flatten)]
    pub game: GameArgs,
    /// Measure how even the games are: play against twelve opponents of known strength, or go on with that.
    #[arg(long, conflicts_with_all = ["log", "memory"])]
    pub evaluate: bool,
    #[command(flatten)]
    pub evaluation: EvaluationArgs,
    #[command(flatten)]
    pub engine: OneEngineArgs,
}

/// A side of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum PlayedSide {
    /// White.
    #[default]
    White,
    /// Black.
    Black,
}

/// A game in the terminal.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Game in the terminal")]
pub struct GameArgs {
    /// Your side.
    #[arg(long, value_enum, requires = "play", default_value_t)]
    pub side: PlayedSide,
    /// Your name, in the PGN and for --memory.
    #[arg(long, value_name = "NAME", requires = "play", default_value = "You")]
    pub name: String,
    /// Write the game to this file, or go on with the one there if it is not over [default: a new file,
    /// spar-DATE-TIME.pgn].
    #[arg(long, value_name = "FILE", requires = "play", value_hint = ValueHint::FilePath)]
    pub pgn: Option<PathBuf>,
    /// Show pieces as letters, as where the locale has no Unicode.
    #[arg(long, requires = "play")]
    pub ascii: bool,
}

/// What is measured of skill functions.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Evaluation")]
pub struct EvaluationArgs {
    /// Play so many games against each opponent.
    #[arg(long, value_name = "N", requires = "evaluate", default_value_t = SparringPlan::GAMES, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub games: u32,
    /// Let every two opponents play so many games, for their strengths.
    #[arg(long, value_name = "N", requires = "evaluate", default_value_t = SparringPlan::STRENGTH_GAMES, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub strength_games: u32,
    #[command(flatten)]
    pub results: ResultArgs,
    #[command(flatten)]
    pub console: ConsoleArgs,
}

impl SparArgs {
    /// Returns what starts the engine below; says what it does not take.
    pub fn command(&self) -> Result<EngineCommand, String> {
        let mut plan = self.engine.plan();
        plan.setup.timeout = plan.setup.timeout.min(PATIENCE);
        EngineCommand::new(&plan.choice, &plan.setup).map_err(|error| with_causes(&error))
    }

    /// Returns what the player begins with; says so where that is not one.
    pub fn options(&self) -> Result<SparOptions, String> {
        Ok(SparOptions::new(self.one_skill()?, self.settings()))
    }

    fn one_skill(&self) -> Result<SkillFunction, String> {
        match self.skill.as_slice() {
            [skill] => Ok(*skill),
            _ => {
                Err("--skill: a game is played by one skill function; several are for --evaluate".to_owned())
            }
        }
    }

    /// Returns the game in the terminal; says what is wrong where options do not go together.
    pub fn game_plan(&self) -> Result<BoardGamePlan, String> {
        Ok(BoardGamePlan {
            person: match self.game.side {
                PlayedSide::White => Color::White,
                PlayedSide::Black => Color::Black,
            },
            name: self.game.name.clone(),
            file: self.game.pgn.clone(),
            skill: self.one_skill()?,
            settings: self.settings(),
            engine: self.engine.plan(),
            is_engine_named: self.engine.engine.is_some(),
        })
    }

    fn settings(&self) -> SparSettings {
        SparSettings { seed: self.seed, elo: self.opponent_elo.into(), nodes: self.max_nodes }
    }

    /// Returns the experiment; says what is wrong where options do not go together.
    pub fn evaluation_plan(&self) -> Result<SparringPlan, String> {
        let EvaluationArgs { games, strength_games, results, .. } = &self.evaluation;
        let double = (1..self.skill.len()).find(|&place| self.skill[..place].contains(&self.skill[place]));
        if let Some(place) = double {
            return Err(format!("--skill: {} is there twice", self.skill[place]));
        }
        results.pictures.check()?;
        Ok(SparringPlan {
            skills: self.skill.clone(),
            settings: self.settings(),
            engine: self.engine.plan(),
            games: *games,
            strength_games: *strength_games,
            results: results.clone(),
        })
    }

    /// Opens the log and the memory of opponents, where there are to be any.
    pub fn notes(&self) -> Result<SparNotes, String> {
        let log = |path: &PathBuf| {
            MoveLog::open(path)
                .map_err(|error| format!("--log {} cannot be written: {error}", path.display()))
        };
        let memory = |path: &PathBuf| {
            OpponentMemory::open(path)
                .map_err(|error| format!("--memory {}: {}", path.display(), with_causes(&error)))
        };
        Ok(SparNotes {
            log: self.log.as_ref().map(log).transpose()?,
            memory: self.memory.as_ref().map(memory).transpose()?,
            ..SparNotes::default()
        })
    }
}

/// Speaks UCI until the input ends, or plays the experiment.
pub fn run(args: &SparArgs, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    if args.evaluate {
        return evaluation::run(&args.evaluation_plan()?, viewer);
    }
    if args.play {
        return play(args, viewer);
    }
    let command = args.command()?;
    let notes = args.notes()?;
    spar::serve(io::stdin().lock(), io::stdout(), command, args.options()?, notes)
        .map_err(|error| VerbError::system("talk to the user interface", error))?;
    Ok(Finished::complete(String::new()))
}

/// Plays a game in the terminal.
fn play(args: &SparArgs, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let plan = args.game_plan()?;
    let command = args.command()?;
    let notes = args.notes()?;
    let mut seat = TerminalSeat::new(args.game.ascii);
    board_game::run(&plan, (command, notes), &mut seat, viewer)?;
    Ok(Finished::complete(String::new()))
}
