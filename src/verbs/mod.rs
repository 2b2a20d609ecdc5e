//! The command line and the list of verbs. Each verb has a file with its options and its run.

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
mod page;
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

mod args;
mod console;
mod error;
mod evaluations;
mod forecast;
mod help;
mod input;
mod mistakes;
mod observer;
mod outputs;
mod plan;
mod runs;

use std::{env, process::ExitCode};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::{
    analyze::AnalyzeArgs, args::GamesArgs, args::ReportArgs, help::EXAMPLES, help::EXIT_CODES,
    help::LONG_VERSION, help::MEASURES, rate::RateArgs, runs::Finished, runs::Plan, runs::RunEnding,
    runs::Viewer, store::UpkeepAction,
};
pub use self::{
    args::ConsoleArgs, args::ProcessArgs, args::engine_choice, console::Console, error::VerbError,
    observer::Interrupts, observer::Observer, observer::Steps, plan::EnginePlan,
};
use crate::base::address::{PASSWORD_IN_ADDRESS, is_secret};
use crate::base::text::{brief, full_path, legible};
use crate::base::work::{bound_threads, end_at_limits};
use crate::report::{html::ENGINE, table::TableForm};

/// Measure the quality of play in chess games.
///
/// Replays the games, lets a UCI engine evaluate every position, and rates the players by their top moves and losses. The
/// method extends D. R. Ferreira's (ICGA Journal, 2013). Without a command, gainalyze runs `analyze`.
#[derive(Debug, Parser)]
#[command(name = "gainalyze", version, long_version = LONG_VERSION.as_str(), args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(after_help = EXAMPLES, after_long_help = [EXAMPLES, MEASURES, EXIT_CODES].concat())]
pub struct Cli {
    #[command(subcommand)]
    pub verb: Option<Verb>,
    #[command(flatten)]
    pub analyze: AnalyzeArgs,
}

/// The verbs.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "a process has one command line")]
pub enum Verb {
    /// Analyze a tournament: ranking, the paper's tables, files and a page (the default).
    #[command(alias = "analyse")]
    Analyze(AnalyzeArgs),
    /// Rate players by their moves alone, after a quick search.
    ///
    /// The engine searches every position at the depth that it is calibrated for: 56 games take about a minute on two cores.
    /// Top moves and losses then give the rating at which such moves are usual, with a 95 % interval that was tested on
    /// events left out of the calibration.
    Rate(Box<RateArgs>),
    /// Profile one player: by year, opening, phase, color and clock.
    ///
    /// Uses the evaluations that the games record, and searches the other games. The page shows losses with their
    /// intervals, and the costliest moves on boards. mistakes.pgn has the positions before mistakes, with the engine's
    /// line, to train on.
    Player(Box<player::ProfileArgs>),
    /// Follow live games: search each new move and update the page.
    ///
    /// Reads a growing PGN (a saved broadcast), or a folder of them, whenever it changes; searches the new moves and
    /// rewrites the report, whose page reloads itself. An unfinished game counts up to its last move. Press Ctrl-C to
    /// stop, or let --until-done stop when every game has a result.
    Watch(Box<watch::WatchArgs>),
    /// Count recorded evaluations by group, in archives of any size.
    ///
    /// Games stream through without being kept. Gains are counted by player, Elo band, time control, speed, title, year
    /// or event.
    Archive(Box<archive::ArchiveArgs>),
    /// Merge part files of `archive --partial` into one report.
    ///
    /// Parts may cover different months or come from different machines. A game in two parts counts twice, so
    /// parts of the same file are refused.
    Merge(merge::MergeArgs),
    /// Show how ratings change with each choice of method, or in another run.
    ///
    /// Searches nothing. Evaluations come from the PGN, or from the store if a run with the same engine and options
    /// filled it.
    Sensitivity(sensitivity::SensitivityArgs),
    /// Rewrite a report from its folder or from a store, without an engine.
    ///
    /// From a folder: games and evaluations come from its tables, the method from its run.json; no PGN is needed. Formats,
    /// pictures and splits stay as recorded unless you name others. From a store: games come from PGN files; a game
    /// without all its evaluations is left out.
    Report(report::RemakeArgs),
    /// Play an engine against itself at fixed depths, or several engines in a round robin.
    ///
    /// With --depths, every depth plays every other, and the scores show what a ply is worth (Ferreira's experiment). With
    /// --entrant, players of any kind are rated by a round robin. Finished games go to games.pgn at once; the same command
    /// resumes a stopped experiment.
    Selfplay(Box<selfplay::args::SelfplayArgs>),
    /// Learn an evaluation from players' moves.
    ///
    /// Finds weights of 332 features that value the position after the played move above the positions after all
    /// other moves. Captures are played out before the features are counted. Writes the weights of each
    /// rating band, and reports how well they predict the moves of held-out games. The same command resumes a stopped
    /// run.
    Learn(Box<learn::LearnArgs>),
    /// Run the built-in engine (UCI).
    ///
    /// Reads UCI commands from standard input and answers on standard output. It searches on one thread; equal limits of
    /// depth or nodes give equal results on every machine.
    Engine(engine::ServerArgs),
    /// Play an opponent that adapts to your strength (UCI, or in the terminal with --play).
    ///
    /// Over UCI it is an engine for any chess program. It estimates your strength from your moves and plays about as well,
    /// with mistakes that people of that strength make. After 36 moves, it plays for a decision: the better its
    /// position, the more often it plays to win.
    Spar(Box<spar::SparArgs>),
    /// Work for the queue of a PostgreSQL store, as one of many machines.
    ///
    /// Searches the segments (successive positions of a game) that other commands queue with `--queue`. One
    /// transaction stores a result and takes its segment off the queue. Workers may come and go: the work of a lost
    /// worker returns to the queue. A worker's engine must have the behavior and the options of the run's engine.
    #[cfg(feature = "postgres")]
    Work(Box<work::WorkArgs>),
    /// Show the status of a PostgreSQL queue: runs, workers, failures, time left.
    #[cfg(feature = "postgres")]
    Status(status::StatusArgs),
    /// Manage an evaluation store: check, stats, prune, export, merge.
    ///
    /// Every evaluation in a store has a seal. Damaged evaluations are reported and set aside when they are read;
    /// `check` reads the whole store.
    #[command(subcommand)]
    Store(UpkeepAction),
    /// Print a page that analyzes games in a browser.
    ///
    /// The page is one file of HTML: gainalyze page > analyze.html. Drop a PGN file on it, and the built-in engine analyzes
    /// the games in the browser. On its boards, readers can try other moves, and play games against the engine. Nothing is
    /// installed or sent.
    Page,
    /// Describe the columns of the tables: type, unit, meaning.
    Schema(schema::SchemaArgs),
    /// Print a shell completion script.
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or write one page for each command.
    Man(man::ManArgs),
    /// Analyze one position deeply, as a tree of stored evaluations.
    ///
    /// Searches each move to a fixed depth, and stores every search for other trees. The tree grows where moves lie
    /// within --distance of the best move. Each move gets an idea score (its value in the tree) and an alpha score (the
    /// same with repetitions as draws). The same command resumes a stopped tree.
    Deep(Box<deep::DeepArgs>),
    /// Count how often the best move changes with depth (Heinz).
    ///
    /// Searches every position once, iteration by iteration, with an empty hash table. Fresh best moves (best in no earlier
    /// iteration) show what a deeper search still finds.
    GoDeep(Box<go_deep::GoDeepArgs>),
    /// Show the losses, blunders and accuracy that are usual at a rating.
    ///
    /// For coaches and arbiters: the expected values over a number of moves, and their 95 % ranges, from the events of
    /// the calibration.
    Expect(expect::ExpectArgs),
    /// Calibrate the rating of play for an engine.
    ///
    /// Each file is an event, with its players' ratings in the tags; data/calibration in the repository has 50 events
    /// with FIDE ratings, and 6 sets of games from lichess. Evaluations are stored: the same command resumes a stopped run.
    Calibrate(Box<calibrate::CalibrateArgs>),
    /// Recompute the tables of a paper and compare them with the printed ones.
    ///
    /// Marks cells that differ and explains known misprints. The numbers come with the program; no engine is used. Exits
    /// with 1 if a cell that should agree does not.
    ///
    /// `history` makes the project's study of quality and the year again, from files of the repository.
    Reproduce(reproduce::ReproduceArgs),
}

/// Runs the command line, and returns the exit code of the program.
pub fn main() -> ExitCode {
    // Every table starts threads, even a table without rows. The environment must have the number of threads
    // before the first table.
    end_at_limits(|limit| console::print_error(&VerbError::new(limit), ""));
    let bounded = bound_threads();
    let command = || help::completed(Cli::command());
    completions::answer(command);
    let words = words();
    if let Err(error) = bounded.map_err(VerbError::new).and_then(|()| check_words(&words)) {
        console::print_error(&error, "");
        return error.exit_code();
    }
    let parsed =
        command().try_get_matches().and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = parsed.unwrap_or_else(|error| exit(&mistakes::explained(error, command(), &words)));
    crate::store::waiting::listen(console::say);
    let finished = outputs::check(&matches, &Cli::command());
    match finished.and_then(|()| run(&cli.verb.unwrap_or(Verb::Analyze(cli.analyze)))) {
        Ok(ending) => ending.into(),
        Err(error) => {
            console::print_error(&error, &mistakes::afterword(&error, &Cli::command(), &words));
            error.exit_code()
        }
    }
}

fn words() -> Vec<String> {
    env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Refuses a command line that contains a server's password, before any output repeats the password. Every
/// user of the machine can read the command line in the list of processes.
fn check_words(words: &[String]) -> Result<(), VerbError> {
    match words.iter().any(|word| is_secret(word)) {
        true => Err(VerbError::new(PASSWORD_IN_ADDRESS)),
        false => Ok(()),
    }
}

/// Ends the process with clap's message. If the message quotes escape sequences from the command line, it is
/// printed without them and without clap's colors.
fn exit(error: &clap::Error) -> ! {
    let plain = error.render().to_string();
    let safe = legible(&plain);
    if !error.use_stderr() || safe.split_whitespace().eq(plain.split_whitespace()) {
        error.exit();
    }
    console::say(safe.trim_end());
    std::process::exit(error.exit_code())
}

fn run(verb: &Verb) -> Result<RunEnding, VerbError> {
    let (of, usual) = (Console::of, || Console::new(TableForm::default()));
    match verb {
        Verb::Analyze(args) => shown(of(&args.console), |viewer| analyze::run(args, viewer)),
        Verb::Archive(args) => shown(of(&args.console), |viewer| archive::run(args, viewer)),
        Verb::Sensitivity(args) => shown(of(&args.console), |viewer| sensitivity::run(args, viewer)),
        Verb::Report(args) => shown(of(&args.console), |viewer| report::run(args, recorded_plan, viewer)),
        Verb::Rate(args) => shown(of(&args.console), |viewer| rate::run(args, viewer)),
        Verb::Player(args) => shown(of(&args.console), |viewer| player::run(args, viewer)),
        Verb::Watch(args) => shown(of(&args.analyze.console), |viewer| watch::run(args, viewer)),
        Verb::Merge(args) => shown(of(&args.console), |viewer| merge::run(args, viewer)),
        Verb::Deep(args) => shown(of(&args.console), |viewer| deep::run(args, viewer)),
        Verb::GoDeep(args) => shown(of(&args.console), |viewer| go_deep::run(args, viewer)),
        Verb::Learn(args) => shown(of(&args.console), |viewer| learn::run(args, viewer)),
        Verb::Selfplay(args) => shown(of(&args.console), |viewer| selfplay::run(args, viewer)),
        Verb::Spar(args) => shown(of(&args.evaluation.console), |viewer| spar::run(args, viewer)),
        #[cfg(feature = "postgres")]
        Verb::Work(args) => shown(of(&args.console), |viewer| work::run(args, viewer)),
        #[cfg(feature = "postgres")]
        Verb::Status(args) => shown(of(&args.console), |viewer| status::run(args, viewer)),
        Verb::Calibrate(args) => shown(of(&args.console), |viewer| calibrate::run(args, viewer)),
        Verb::Reproduce(args) => {
            shown(Console::new(args.export.form()), |viewer| reproduce::run(args, viewer))
        }
        Verb::Expect(args) => shown(Console::new(args.export.form()), |viewer| expect::run(args, viewer)),
        Verb::Store(action) => {
            let console = match action {
                UpkeepAction::Stats { export, .. } => Console::new(export.form()),
                _ => usual(),
            };
            shown(console, |viewer| store::run(action, viewer))
        }
        Verb::Page => shown(usual(), |_| page::run()),
        Verb::Schema(args) => shown(usual(), |viewer| schema::run(args, viewer)),
        Verb::Engine(args) => shown(usual(), |_| engine::run(args)),
        Verb::Completions(args) => shown(usual(), |_| completions::run(args)),
        Verb::Man(args) => shown(usual(), |_| man::run(args, help::completed(Cli::command()))),
    }
}

/// Returns the plan of a recorded command line, without its choice of games. Fails if this version does not
/// accept the command line, if its verb makes no report, or if its options do not fit together.
fn recorded_plan(command: &[String]) -> Result<Plan, String> {
    // A page can also be written without the engine, which this build may not contain.
    let words = command.iter().filter(|word| *word != "--with-engine" || !ENGINE.is_empty());
    let cli = Cli::try_parse_from(words).map_err(|error| {
        let error = error.to_string();
        let first = error.lines().next().unwrap_or_default().trim_start_matches("error: ");
        format!("this version does not accept the recorded command: {}", brief(first))
    })?;
    // The folder has the games. The file of aliases that chose them may no longer exist.
    let without_choice = |mut args: AnalyzeArgs| {
        args.tournament.taken = GamesArgs::default();
        args.plan()
    };
    let plan = match cli.verb {
        None => without_choice(cli.analyze),
        Some(Verb::Analyze(args)) => without_choice(args),
        Some(Verb::Watch(args)) => without_choice(args.analyze),
        Some(Verb::Archive(args)) if args.separately => {
            archive::ArchiveArgs { taken: GamesArgs::default(), ..*args }.plan()
        }
        Some(Verb::Rate(args)) => RateArgs { taken: GamesArgs::default(), ..*args }.plan(),
        Some(Verb::Report(args)) => {
            args.report.apply(&ReportArgs::default()).map(|report| Plan { report, ..Plan::default() })
        }
        Some(_) => Err("the command makes no report".to_owned()),
    };
    plan.map_err(|problem| format!("the recorded command cannot be used: {problem}"))
}

/// Performs a run, then shows its tables, and its failure or the place of its report. The output comes last,
/// because the files must be complete even if the terminal has closed.
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

    use super::args::NamedEngine;
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
            help::completed(Cli::command()).render_help().to_string(),
            help::completed(Cli::command()).render_long_help().to_string(),
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
        let mut program = help::completed(Cli::command());
        let verbs = program.get_subcommands().count();
        assert!(check(&mut program) > 1 + verbs, "`store stats` is a verb's");
    }

    #[test]
    fn each_command_is_in_one_group_and_its_short_help_names_options_that_it_has() {
        let program = help::completed(Cli::command());
        let short = help::completed(Cli::command()).render_help().to_string();
        for verb in program.get_subcommands().filter(|verb| !verb.is_hide_set()) {
            let name = verb.get_name();
            let groups = help::GROUPS.iter().filter(|(_, names)| names.contains(&name));
            assert_eq!(groups.count(), 1, "{name}");
            assert!(short.contains(name), "{name}");
        }
        for (name, options, examples) in help::BRIEFS {
            let verb = program.find_subcommand(name).unwrap_or_else(|| panic!("no command {name}"));
            for option in options.split_whitespace() {
                assert!(verb.get_arguments().any(|arg| arg.get_id() == option), "{name} {option}");
            }
            assert!(options.split_whitespace().count() <= 10, "{name}");
            let commands = examples.lines().filter(|line| line.contains("gainalyze ")).count();
            assert!(commands >= 2, "{name}: {examples}");
        }
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
        let engine = |label: Option<&str>, path: &str| NamedEngine {
            label: label.map(str::to_owned),
            choice: EngineChoice::Program(path.into()),
        };
        assert_eq!(
            cli.analyze.tournament.source.engine.engines,
            ["./a", "./b"].map(|path| engine(None, path))
        );
        assert_eq!(cli.analyze.pgn.len(), 2);
        let named = Cli::parse_from(["gainalyze", "x.pgn", "--engine", "new=./a", "--engine", "./b=c"]);
        let engines = named.analyze.tournament.source.engine.engines;
        assert_eq!(engines, [engine(Some("new"), "./a"), engine(None, "./b=c")], "a path may have a sign");
    }

    #[test]
    fn depth_and_nodes_exclude_each_other() {
        assert!(Cli::try_parse_from(["gainalyze", "a.pgn", "--depth", "3", "--nodes", "4"]).is_err());
        assert!(Cli::try_parse_from(["gainalyze", "a.pgn", "--depth", "0"]).is_err());
    }
}
