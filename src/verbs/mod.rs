//! Owns the command line and the list of verbs: a file is a verb, with its options, and with its run behind them.

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
mod console;
mod error;
mod help;
mod runs;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::{
    analyze::AnalyzeArgs, app::plan::Plan, archive::ArchiveArgs, args::GamesArgs, args::ReportArgs,
    calibrate::CalibrateArgs, completions::CompletionsArgs, deep::DeepArgs, engine::ServerArgs,
    expect::ExpectArgs, go_deep::GoDeepArgs, help::EXAMPLES, help::EXIT_CODES, help::LONG_VERSION,
    help::MEASURES, learn::LearnArgs, man::ManArgs, merge::MergeArgs, player::ProfileArgs, rate::RateArgs,
    report::RemakeArgs, reproduce::ReproduceArgs, runs::Finished, runs::RunEnding, runs::Viewer,
    schema::SchemaArgs, selfplay::args::SelfplayArgs, sensitivity::SensitivityArgs, spar::SparArgs,
    store::UpkeepAction, watch::WatchArgs,
};
pub use self::{
    app::Interrupts, app::Observer, app::Steps, app::plan::EnginePlan, args::ConsoleArgs, args::ProcessArgs,
    args::engine_choice, console::Console, error::VerbError,
};
#[cfg(feature = "postgres")]
use self::{status::StatusArgs, work::WorkArgs};
use crate::chess::text::{brief, full_path};
use crate::engine::work::bound_threads;
use crate::report::table::TableForm;

/// Measure the quality of play in chess games.
///
/// Replays the games, asks a UCI engine for the evaluation of every position, takes the gain of
/// each move, and rates the players by it, after D. R. Ferreira (ICGA Journal, 2013).
#[derive(Debug, Parser)]
#[command(name = "gainalyze", version, long_version = LONG_VERSION.as_str(), args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(after_help = EXAMPLES, after_long_help = [EXAMPLES, MEASURES, EXIT_CODES].concat())]
pub struct Cli {
    /// What to do; without a verb, `analyze`.
    #[command(subcommand)]
    pub verb: Option<Verb>,
    #[command(flatten)]
    pub analyze: AnalyzeArgs,
}

/// The verbs.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "a process has one command line")]
pub enum Verb {
    /// Rate the players of a tournament by the gain of their moves (the default).
    #[command(alias = "analyse")]
    Analyze(AnalyzeArgs),
    /// Rate players by their play alone: a quick search, the ratings, the page.
    ///
    /// Every position is searched at the setting that the engine is calibrated at, which takes half a minute for 56 games
    /// on two cores. First choices and losses then tell at which rating such moves are usual, with an interval that held
    /// for events that had no part in it.
    Rate(Box<RateArgs>),
    /// Tell how one player plays: over time, by opening, phase, colour and clock.
    ///
    /// The games of the player are searched as those of a tournament are, or judged by what they record. The page has
    /// losses with their intervals, and the moves that cost most on boards; mistakes.pgn has the positions before
    /// mistakes, with the engine's line, to train on: a study on lichess.org takes the file as it is.
    Player(Box<ProfileArgs>),
    /// Follow games that are still being played: search each new move, write the page anew.
    ///
    /// A PGN that grows, as a broadcast saved by any tool does, or a folder of them is read again when it changes. New moves are
    /// searched, the whole report is written anew, and its page reloads itself. An unfinished last line or game is read as
    /// far as it goes. It ends with Ctrl-C, or with --until-done when every game has a result.
    Watch(Box<WatchArgs>),
    /// Count recorded evaluations by group, however many games there are.
    ///
    /// The games of an archive stream by and none is kept: who gains what is counted by player, band of Elo points,
    /// time control, speed, title, year or event.
    Archive(Box<ArchiveArgs>),
    /// Add up the counts of several parts of an archive, and report them as one.
    ///
    /// The parts are files that archive with --partial has written, of different months or on different
    /// machines. Games that are in two parts are counted twice.
    Merge(MergeArgs),
    /// Show how ratings move with each choice of method, and with another run.
    ///
    /// Nothing is searched: the evaluations are those recorded in the PGN, or those that an earlier
    /// run with the same engine and options has stored.
    Sensitivity(SensitivityArgs),
    /// Make a report again from its folder or a store, without an engine.
    ///
    /// From a folder, without the PGN too: the games and their evaluations are those in its tables of
    /// moves and games, and the method is that of the command line in its run.json. From a store: the
    /// games are those of the PGN files, and those that are not in it as a whole are left out. What a folder
    /// recorded stays as it is unless it is asked for anew: formats, pictures, splits, and games drawn.
    Report(RemakeArgs),
    /// Let an engine play itself at fixed depths, or entrants each other.
    ///
    /// Ferreira's experiment: every depth plays every other, and who scores how much against whom tells
    /// what a ply is worth. Entrants of any kind are rated by a round robin. Games are written to games.pgn as they end, and an experiment that was stopped goes on with the same
    /// command.
    Selfplay(Box<SelfplayArgs>),
    /// Learn an evaluation from the moves of players.
    ///
    /// Positions after the moves played are preferred to those after all others, by 332 features of the boards that captures
    /// lead to. Weights are written for each band of ratings, with how well they foresee moves of games that they have not
    /// seen. A run that was stopped goes on with the same command.
    Learn(Box<LearnArgs>),
    /// Be a chess engine that speaks UCI.
    ///
    /// The engine within: it searches on one thread, and with equal limits of depth or nodes it finds the same on every
    /// machine. It reads commands from standard input and answers on standard output.
    Engine(ServerArgs),
    /// Play so that the game stays even, over any engine.
    ///
    /// An engine for chess programs, by UCI on standard input and output, that looks at how its opponent plays and plays as
    /// well, with mistakes as people of that strength make them. A game that stands well late is won, one that stands ill
    /// is lost.
    Spar(Box<SparArgs>),
    /// Search for the queue of a store in PostgreSQL, as one of any number of machines.
    ///
    /// What `--queue` of another command puts there is searched by the engines of this machine, and each result is stored in the moment
    /// in which its segment leaves the queue. Workers come and go as they like: what one has in work that is gone waits again.
    /// The engine must behave as that of the run does, with the same options.
    #[cfg(feature = "postgres")]
    Work(Box<WorkArgs>),
    /// Tell how the queue of a store in PostgreSQL is: runs, workers, failures, time left.
    #[cfg(feature = "postgres")]
    Status(StatusArgs),
    /// Look after a store of evaluations: check, count, prune, export, merge.
    ///
    /// What is read from a store is right by its seals, or is named and put aside; this verb reads all of it at once.
    #[command(subcommand)]
    Store(UpkeepAction),
    /// Tell what the columns of the tables mean.
    ///
    /// Type, unit and meaning of each column of each table, as docs/files.md has them and Parquet files carry them. To read
    /// about one: gainalyze schema players
    Schema(SchemaArgs),
    /// Print what makes a shell complete this command line.
    ///
    /// For bash: gainalyze completions bash > ~/.local/share/bash-completion/completions/gainalyze
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each verb.
    ///
    /// To read it: gainalyze man | man -l -
    Man(ManArgs),
    /// Analyse one position deeply, as a tree of stored engine values.
    ///
    /// Each move is searched on its own to a fixed depth, and what was searched is kept for every other tree. Moves within the
    /// distance of the best are gone into; each gets an idea score, which the tree makes of it, and an alpha score, by
    /// which repetitions are draws. A tree that was stopped goes on with the same command.
    Deep(Box<DeepArgs>),
    /// Research: count how often the best move changes with depth.
    ///
    /// Every position of the games is searched once, iteration by iteration, with an empty hash table.
    /// Fresh best moves, which no iteration before had, tell what a deeper search still finds.
    GoDeep(Box<GoDeepArgs>),
    /// Tell which losses, blunders and accuracy are usual at a rating.
    ///
    /// For coaches and arbiters: the usual numbers of so many moves of a player of that rating, and between which ends
    /// nineteen in twenty are, by the events that ratings of play are calibrated on.
    Expect(ExpectArgs),
    /// Calibrate ratings of play: what moves are worth in Elo points.
    ///
    /// The games are of players whose ratings the tags tell, each file an event; data/calibration has
    /// 56 of them. The engine searches every position to depth 8 unless asked otherwise, and what it
    /// found is kept: the same command goes on where it was stopped.
    Calibrate(Box<CalibrateArgs>),
    /// Research: recompute every table of a paper, beside the print.
    ///
    /// Cells that differ are marked, and known misprints explained. The numbers come with the program, and
    /// no engine is asked. Ends with 1 if a cell that should agree does not.
    Reproduce(ReproduceArgs),
}

/// Does what the command line asks for, and returns the exit code of the program.
pub fn main() -> ExitCode {
    // Whatever makes a table, even one of no rows, starts threads.
    bound_threads();
    let command = || help::shortened(Cli::command());
    completions::answer(command);
    let cli = Cli::from_arg_matches(&command().get_matches()).unwrap_or_else(|error| error.exit());
    #[cfg(feature = "postgres")]
    crate::store::server::waiting::listen(console::say);
    let finished = run(&cli.verb.unwrap_or(Verb::Analyze(cli.analyze)));
    match finished {
        Ok(ending) => ending.into(),
        Err(error) => {
            console::say_error(&error, &help::afterword(&error, &Cli::command()));
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
            shown(Console::of(&args.console), |told: Told| report::run(args, recorded_plan, told))
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

/// Reads the command line of a run that made a report; says what is wrong where it is not one of this version or its options do not
/// go together.
fn recorded_plan(command: &[String]) -> Result<Plan, String> {
    let cli = Cli::try_parse_from(command).map_err(|error| {
        let error = error.to_string();
        let first = error.lines().next().unwrap_or_default().trim_start_matches("error: ");
        format!("its command is not one of this version: {}", brief(first))
    })?;
    // The folder holds the games, and the file of aliases that they were chosen by may be gone.
    let without_choice = |mut args: AnalyzeArgs| {
        args.tournament.taken = GamesArgs::default();
        args.plan()
    };
    let plan = match cli.verb {
        None => without_choice(cli.analyze),
        Some(Verb::Analyze(args)) => without_choice(args),
        Some(Verb::Rate(args)) => RateArgs { taken: GamesArgs::default(), ..*args }.plan(),
        Some(Verb::Report(args)) => {
            args.report.apply(&ReportArgs::default()).map(|report| Plan { report, ..Plan::default() })
        }
        Some(_) => Err("it is not one that makes a report".to_owned()),
    };
    plan.map_err(|problem| format!("its command cannot be taken: {problem}"))
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

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};

    use super::*;
    use crate::chess::Limit;
    use crate::engine::EngineChoice;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_short_help_fits_on_a_screen_and_the_long_one_has_every_option() {
        let (short, long) = (
            help::shortened(Cli::command()).render_help().to_string(),
            help::shortened(Cli::command()).render_long_help().to_string(),
        );
        assert!(short.lines().count() <= 40, "{} lines\n{short}", short.lines().count());
        let program = Cli::command();
        let shown = program.get_arguments().filter(|option| !option.is_hide_set());
        for option in shown.filter_map(Arg::get_long) {
            assert!(long.contains(&format!("--{option}")), "{option}");
        }
        assert!(short.contains("--depth") && !short.contains("--tie"), "{short}");
    }

    #[test]
    fn the_short_help_of_each_verb_and_of_what_it_does_fits_on_a_screen() {
        fn check(command: &mut Command) -> usize {
            let short = command.render_help().to_string();
            assert!(short.lines().count() <= 40, "{} lines\n{short}", short.lines().count());
            1 + command.get_subcommands_mut().map(check).sum::<usize>()
        }
        let mut program = help::shortened(Cli::command());
        let verbs = program.get_subcommands().count();
        assert!(check(&mut program) > 1 + verbs, "`store stats` is a verb's");
    }

    #[test]
    fn no_verb_is_the_same_as_analyze() {
        let plain = Cli::parse_from(["gainalyze", "a.pgn", "--depth", "12"]);
        let verb = Cli::parse_from(["gainalyze", "analyze", "a.pgn", "--depth", "12"]);
        let Some(Verb::Analyze(args)) = verb.verb else { panic!("a verb") };
        assert_eq!(format!("{:?}", plain.analyze), format!("{args:?}"));
        assert_eq!(args.tournament.source.engine.protocol().limit, Limit::Depth(12));
    }

    #[test]
    fn engines_are_named_one_by_one() {
        let cli = Cli::parse_from(["gainalyze", "--engine", "./a", "x.pgn", "--engine=./b", "y.pgn"]);
        let engines = ["./a", "./b"].map(|path| EngineChoice::Program(path.into()));
        assert_eq!(cli.analyze.tournament.source.engine.engines, engines);
        assert_eq!(cli.analyze.pgn.len(), 2);
    }

    #[test]
    fn depth_and_nodes_exclude_each_other() {
        assert!(Cli::try_parse_from(["gainalyze", "a.pgn", "--depth", "3", "--nodes", "4"]).is_err());
        assert!(Cli::try_parse_from(["gainalyze", "a.pgn", "--depth", "0"]).is_err());
    }
}
