//! Owns the words of every advice: which option to change.

use super::CmdError;
use crate::chess::{Order, Protocol, ReadError, text::about};
use crate::files::{AnchorError, FileError, NotAsWritten, PartError, RereadError};
use crate::lab::{ConfigError, ExperimentError, GameLogError, RoundRobinError};
use crate::report::ReportError;
use crate::verbs::app::{Advice, AppError};
use crate::verbs::cli::{EXAMPLES, nearest_verb};
use crate::verbs::runs::RunError;

/// What to do without a file; examples stand below it.
const NAME_FILES: &str = ": name one or more files, or - for standard input (-h has all verbs)";

/// Returns what stands behind the sentence that an advice goes with.
pub fn in_words(advice: Advice) -> String {
    let words = match advice {
        Advice::NameFiles => return format!("{NAME_FILES}\n\n{}", EXAMPLES.trim_end()),
        Advice::ReadOn => " (--strict stops here)",
        Advice::TakeMoreGames => " (--max-games)",
        Advice::KeepCopies => " (--keep-duplicates counts each)",
        Advice::TakeUnknownNodes => " for --nodes (--evals pgn takes them)",
        Advice::TakeDelta => " for --engine-histogram self (delta takes them)",
        Advice::LetAnEngineSearch => ": leave out --evals pgn, and an engine searches them",
        Advice::SearchOrTakeDelta => {
            ", which --engine-histogram self needs: let the engine search with --evals engine, or choose \
             --engine-histogram delta"
        }
        Advice::TakeOneKind => " (--evals engine and --evals pgn take one kind only)",
        Advice::KeepAStore => " (--no-store)",
        Advice::Search { protocol, own_moves } => return search(&protocol, own_moves),
        Advice::SearchLess { limit, takes } => {
            return format!("; --{limit} takes about {}", about(takes));
        }
        Advice::AllowTheSearch => {
            "; the same command without --no-search searches them, and with --shard K/N it tells whether a part is whole"
        }
        Advice::Calibrate => {
            " (gainalyze calibrate data/calibration/*.pgn.zst --engine PATH, and then --calibration FILE)"
        }
        Advice::NameACalibration => " (--calibration FILE)",
        Advice::Rate => " (gainalyze rate searches so)",
        Advice::WidenChoice(refusal) => return format!(" (--{})", refusal.key()),
        Advice::SearchOwnMoves => " (gainalyze with --engine-histogram self searches them)",
        Advice::GiveElo => " (--elo \"Name=2700\" gives one)",
        Advice::GiveAnchor(depth) => return format!(" (--anchor {depth}=ELO±CI gives one)"),
        Advice::NameAStore => ": name a store with --store PATH, or use --no-store",
        Advice::ChooseAStore => ", or choose another with --store PATH",
        Advice::NameAServer => ": name one with --store postgres://HOST/DATABASE",
        Advice::StartWorkers => {
            ": gainalyze work postgres://HOST/DATABASE, with the same engine and its options, is one"
        }
        Advice::NameAnEngine => ", or with --engine PATH",
        Advice::ChooseAnEngine => ": choose another engine with --engine",
        Advice::NameAFasterBuild => " (--engine PATH)",
        Advice::MoreProcesses => "; for speed, use --jobs: it runs several engines of one thread",
        Advice::MoreGamesAtATime => "; for speed, use --jobs",
        Advice::NameOpenings => ": --openings FILE or --random-plies N make games differ",
        Advice::ChooseOpenings => ": choose another engine or other openings",
        Advice::ChoosePairs => ": see --depths and --pairs",
        Advice::PlayFewerGames => ": see --games",
        Advice::WriteTheWholeName => ": write the whole name",
    };
    words.to_owned()
}

fn search(protocol: &Protocol, own_moves: bool) -> String {
    let mut options = format!("--{}", protocol.limit);
    if protocol.order != Order::default() {
        options += &format!(" --order {}", protocol.order);
    }
    if protocol.segment != Protocol::SEGMENT {
        options += &format!(" --segment {}", protocol.segment);
    }
    if own_moves {
        options += " --engine-histogram self";
    }
    format!("; gainalyze PGN {options} searches them (with the same options of engine and store, if any)")
}

/// Returns what stands behind the message of an error; nothing where there is nothing to ask for.
pub fn behind(error: &CmdError) -> String {
    match error {
        CmdError::Run(error) => behind_run(error),
        CmdError::Usage(_) | CmdError::System(..) => String::new(),
    }
}

fn behind_run(error: &RunError) -> String {
    match error {
        RunError::Report(ReportError::File(FileError::Foreign { .. }))
        | RunError::File(FileError::Foreign { .. }) => {
            ": name another folder with --output, or let --force overwrite them".to_owned()
        }
        RunError::Report(ReportError::File(FileError::OtherKind { .. }))
        | RunError::File(FileError::OtherKind { .. }) => {
            ": name another folder with --output, or let --force replace it".to_owned()
        }
        RunError::Report(ReportError::File(FileError::ForeignBeside { .. }))
        | RunError::File(FileError::ForeignBeside { .. })
        | RunError::Exists { .. } => ": choose another name, or let --force overwrite it".to_owned(),
        RunError::Design(ConfigError::Foreign { .. } | ConfigError::Unknown { .. })
        | RunError::App(AppError::GameLog(GameLogError::Game { .. })) => {
            ": name another folder with --output".to_owned()
        }
        RunError::NoneCounted { refusal: Some(refusal), .. } => in_words(Advice::WidenChoice(*refusal)),
        // The first word may be a file or a verb.
        RunError::App(AppError::Read(ReadError::NotFound(path))) => nearest_verb(path)
            .map_or(String::new(), |verb| format!(", and no verb either: did you mean gainalyze {verb}?")),
        RunError::App(error) => error.advice().map(in_words).unwrap_or_default(),
        other => option_of(other).to_owned(),
    }
}

/// Returns the option that asks for what cannot be had, or another to ask with.
fn option_of(error: &RunError) -> &'static str {
    match error {
        RunError::Experiment(ExperimentError::Anchor { .. }) => " (--anchor)",
        RunError::Experiment(ExperimentError::Row { .. }) => " (--rows)",
        RunError::Experiment(ExperimentError::Calibrate { .. }) => " (--calibrate)",
        RunError::Anchor(AnchorError::Recorded { .. }) => ": write --anchor DEPTH=ELO±CI",
        RunError::Anchor(_) | RunError::RoundRobin(RoundRobinError::Anchor { .. }) => " (--anchor)",
        RunError::Part(PartError::TooLarge) => " (--clip)",
        RunError::Part(PartError::Overlap { .. }) => " (--allow-overlap adds them up all the same)",
        RunError::Part(PartError::Changed { .. } | PartError::Order { .. } | PartError::Fault { .. }) => {
            ": count it again with archive --partial, or take the file from a copy"
        }
        RunError::Part(PartError::Foreign { .. } | PartError::Unsealed { .. }) => {
            " (archive --partial writes them)"
        }
        RunError::Reread(RereadError::Ply { .. } | RereadError::Games { .. }) => " (without --player)",
        RunError::Reread(RereadError::NotAsWritten(NotAsWritten::OfTwoRuns(_))) => {
            ": repeat the command that was to make them"
        }
        RunError::Reread(
            RereadError::NotAsWritten(NotAsWritten::Changed(_))
            | RereadError::Contradiction { .. }
            | RereadError::Scores { .. },
        ) => ": make the report again from its games, or take the file from a copy",
        RunError::OverInput { .. } => ": choose another name for --annotate",
        RunError::NotDrawn { .. } => " (--game)",
        RunError::NothingToSearch { after, .. } if !after.is_empty() => " (--skip-moves)",
        RunError::StoreWithoutGames { .. } => ": name the PGN files behind it",
        RunError::SeveralEvaluations { .. } => {
            "\nchoose with --engine-name, --depth or --nodes, --order, --segment, --engine-option"
        }
        RunError::FewGames { games: 0, .. } => " (--band, --tolerance, and the choice of games)",
        RunError::FewGames { .. } => " (--tolerance takes more, --force as few)",
        RunError::PlayersAlone { .. } => ": name another folder with --output, or leave out --player",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::chess::Refusal;
    use crate::verbs::cli::Cli;

    #[test]
    fn what_games_are_chosen_by_is_asked_for_by_an_option_of_the_same_name() {
        let program = Cli::command();
        let archive = program.find_subcommand("archive").expect("a verb");
        let options: Vec<&str> = archive.get_arguments().filter_map(|option| option.get_long()).collect();
        for refusal in Refusal::ALL {
            assert!(options.contains(&refusal.key()), "{refusal}");
        }
    }
}
