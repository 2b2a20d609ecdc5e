//! Owns the verb `spar`: an opponent that keeps the game even, on standard input and output, in the terminal, and how even its games
//! are.

use std::io;

use super::{console::Console, seat::TerminalSeat, show};
use crate::lab::spar;
use crate::verbs::error::VerbError;
use crate::verbs::{cli::SparArgs, runs, runs::RunEnding};

/// Speaks UCI until the input ends, or plays the experiment.
pub fn run(args: &SparArgs) -> Result<RunEnding, VerbError> {
    if args.evaluate {
        let plan = args.evaluation_plan()?;
        let mut console = Console::of(&args.evaluation.console);
        return show(runs::sparring::run(&plan, &mut console)?);
    }
    if args.play {
        return play(args);
    }
    let command = args.command()?;
    let notes = args.notes()?;
    spar::serve(io::stdin().lock(), io::stdout(), command, args.options()?, notes)
        .map_err(|error| VerbError::system("talk to the user interface", error))?;
    Ok(RunEnding::Complete)
}

/// Plays a game in the terminal.
fn play(args: &SparArgs) -> Result<RunEnding, VerbError> {
    let plan = args.game_plan()?;
    let command = args.command()?;
    let notes = args.notes()?;
    let mut console = Console::of(&args.evaluation.console);
    let mut seat = TerminalSeat::new(args.game.ascii);
    runs::board_game::run(&plan, (command, notes), &mut seat, &mut console)
}
