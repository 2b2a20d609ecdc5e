//! Owns the program: a file is a verb, with its options, and with its run behind them.

mod analyze;
mod archive;
mod calibrate;
mod completions;
mod deep;
mod engine;
mod expect;
mod go_deep;
mod learn;
mod man;
mod merge;
mod player;
mod rate;
mod report;
mod reproduce;
mod schema;
mod selfplay;
mod sensitivity;
mod spar;
#[cfg(feature = "postgres")]
mod status;
mod store;
mod watch;
#[cfg(feature = "postgres")]
mod work;

mod app;
mod args;
pub mod cli;
mod console;
mod error;
mod runs;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

pub use self::{
    app::Interrupts, app::Observer, app::Steps, app::plan::EnginePlan, args::ConsoleArgs, args::ProcessArgs,
    args::engine_choice, console::Console, error::VerbError,
};
use self::{cli::Cli, cli::Verb, runs::Finished, runs::RunEnding, runs::Viewer, store::UpkeepAction};
use crate::chess::text::full_path;
use crate::engine::work::bound_threads;
use crate::report::table::TableForm;

/// Does what the command line asks for, and returns the exit code of the program.
pub fn main() -> ExitCode {
    // The help lists the tables of every report, and making one, even of no rows, starts threads.
    bound_threads();
    completions::answer(cli::command);
    let cli = Cli::from_arg_matches(&cli::command().get_matches()).unwrap_or_else(|error| error.exit());
    #[cfg(feature = "postgres")]
    crate::store::server::waiting::listen(console::say);
    let finished = run(&cli.verb.unwrap_or(Verb::Analyze(cli.analyze)));
    match finished {
        Ok(ending) => ending.into(),
        Err(error) => {
            console::say_error(&error, &cli::afterword(&error));
            error.exit_code()
        }
    }
}

/// Runs a verb, and shows what it leaves to be shown.
fn run(verb: &Verb) -> Result<RunEnding, VerbError> {
    type Told<'a> = &'a mut dyn Viewer;
    let usual = || Console::new(TableForm::default());
    match verb {
        Verb::Analyze(args) => shown(Console::of(&args.console), |told: Told| analyze::run(args, told)),
        Verb::Archive(args) => shown(Console::of(&args.console), |told: Told| archive::run(args, told)),
        Verb::Sensitivity(args) => {
            shown(Console::of(&args.console), |told: Told| sensitivity::run(args, told))
        }
        Verb::Report(args) => {
            shown(Console::of(&args.console), |told: Told| report::run(args, cli::recorded_plan, told))
        }
        Verb::Rate(args) => shown(Console::of(&args.console), |told: Told| rate::run(args, told)),
        Verb::Player(args) => shown(Console::of(&args.console), |told: Told| player::run(args, told)),
        Verb::Watch(args) => shown(Console::of(&args.analyze.console), |told: Told| watch::run(args, told)),
        Verb::Merge(args) => shown(Console::of(&args.console), |told: Told| merge::run(args, told)),
        Verb::Deep(args) => shown(Console::of(&args.console), |told: Told| deep::run(args, told)),
        Verb::GoDeep(args) => shown(Console::of(&args.console), |told: Told| go_deep::run(args, told)),
        Verb::Learn(args) => shown(Console::of(&args.console), |told: Told| learn::run(args, told)),
        Verb::Selfplay(args) => shown(Console::of(&args.console), |told: Told| selfplay::run(args, told)),
        Verb::Spar(args) => shown(Console::of(&args.evaluation.console), |told: Told| spar::run(args, told)),
        #[cfg(feature = "postgres")]
        Verb::Work(args) => shown(Console::of(&args.console), |told: Told| work::run(args, told)),
        #[cfg(feature = "postgres")]
        Verb::Status(args) => shown(Console::of(&args.console), |told: Told| status::run(args, told)),
        Verb::Calibrate(args) => shown(Console::of(&args.console), |told: Told| calibrate::run(args, told)),
        Verb::Reproduce(args) => {
            shown(Console::new(args.export.form()), |told: Told| reproduce::run(args, told))
        }
        Verb::Expect(args) => shown(Console::new(args.export.form()), |told: Told| expect::run(args, told)),
        Verb::Store(action) => {
            let console = match action {
                UpkeepAction::Stats { export, .. } => Console::new(export.form()),
                _ => usual(),
            };
            shown(console, |told: Told| store::run(action, told))
        }
        Verb::Schema(args) => shown(usual(), |told: Told| schema::run(args, told)),
        Verb::Engine(args) => shown(usual(), |_: Told| engine::run(args)),
        Verb::Completions(args) => shown(usual(), |_: Told| completions::run(args)),
        Verb::Man(args) => shown(usual(), |_: Told| man::run(args, Cli::command())),
    }
}

/// Shows what a run leaves to be shown, and where its report is. That comes last, since files do not depend on a terminal
/// that may be gone.
fn shown(
    mut console: Console,
    run: impl FnOnce(&mut dyn Viewer) -> Result<Finished, VerbError>,
) -> Result<RunEnding, VerbError> {
    let Finished { tables, ending, failure, report } = run(&mut console)?;
    console::print(&tables)?;
    failure.map_or(Ok(()), Err)?;
    if let Some(report) = report {
        console.note(&format!("the whole report: {}", full_path(&report)));
    }
    Ok(ending)
}

impl From<RunEnding> for ExitCode {
    fn from(ending: RunEnding) -> ExitCode {
        ExitCode::from(match ending {
            RunEnding::Complete => 0,
            RunEnding::Disagrees => 1,
            RunEnding::GamesFailed => 3,
            // 128 + SIGINT, as a shell reports it.
            RunEnding::Interrupted => 130,
        })
    }
}
