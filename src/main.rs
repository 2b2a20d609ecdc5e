//! Owns the program's entry: reads the command line, dispatches the verb, sets the exit code.

use std::process::ExitCode;

use clap::FromArgMatches;
use gainalyze::engine::work;
use gainalyze::verbs::cli::{Cli, Verb};
use gainalyze::verbs::{cli, cmd};
use mimalloc::MiMalloc;

// What one worker makes of an archive's games another may count, and give its memory back.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cmd::completions::answer();
    let cli = Cli::from_arg_matches(&cli::command().get_matches()).unwrap_or_else(|error| error.exit());
    work::bound_threads();
    cmd::tell_of_servers();
    let result = match &cli.verb {
        Some(Verb::Archive(args)) => cmd::archive::run(args),
        Some(Verb::Sensitivity(args)) => cmd::sensitivity::run(args),
        Some(Verb::Report(args)) => cmd::report::run(args),
        Some(Verb::Rate(args)) => cmd::rate::run(args),
        Some(Verb::Player(args)) => cmd::player::run(args),
        Some(Verb::Watch(args)) => cmd::watch::run(args),
        Some(Verb::Merge(args)) => cmd::merge::run(args),
        Some(Verb::Reproduce(args)) => cmd::reproduce::run(args),
        Some(Verb::Deep(args)) => cmd::deep::run(args),
        Some(Verb::GoDeep(args)) => cmd::go_deep::run(args),
        Some(Verb::Learn(args)) => cmd::learn::run(args),
        Some(Verb::Selfplay(args)) => cmd::selfplay::run(args),
        Some(Verb::Engine(args)) => cmd::engine::run(args),
        Some(Verb::Spar(args)) => cmd::spar::run(args),
        #[cfg(feature = "postgres")]
        Some(Verb::Work(args)) => cmd::work::run(args),
        #[cfg(feature = "postgres")]
        Some(Verb::Status(args)) => cmd::status::run(args),
        Some(Verb::Store(args)) => cmd::store::run(args),
        Some(Verb::Expect(args)) => cmd::expect::run(args),
        Some(Verb::Calibrate(args)) => cmd::calibrate::run(args),
        Some(Verb::Schema(args)) => cmd::schema::run(args),
        Some(Verb::Completions(args)) => cmd::completions::run(args),
        Some(Verb::Man(args)) => cmd::man::run(args),
        Some(Verb::Analyze(args)) => cmd::analyze::run(args),
        None => cmd::analyze::run(&cli.analyze),
    };
    match result {
        Ok(ending) => ending.into(),
        Err(error) => {
            cmd::say_error(&error);
            error.exit_code()
        }
    }
}
