//! Groups of options shared by several verbs, and values that several verbs read: completions, positions and moves.

mod engine;
mod evaluations;
mod games;
mod method;
mod report;

use std::{ffi::OsStr, fmt::Display};

use clap::Args;
use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use shakmaty::{CastlingMode, Chess, uci::UciMove};

pub use self::{
    engine::EngineArgs, engine::NamedEngine, engine::OneEngineArgs, engine::ProcessArgs,
    engine::engine_choice, engine::or_cores, engine::parse_jobs, evaluations::CalibrationArgs,
    evaluations::ReferenceArgs, evaluations::ShardArgs, evaluations::SourceArgs, evaluations::StoreArgs,
    evaluations::StoredArgs, games::GamesArgs, games::ReadingArgs, games::player_name, method::BootstrapArgs,
    method::FilterArgs, method::GainArgs, method::MethodArgs, method::TournamentArgs, report::AlsoArgs,
    report::NO_WEBASSEMBLY, report::PictureArgs, report::ReportArgs, report::ResultArgs, report::ShownArgs,
    report::TableArgs, report::TerminalArgs, report::TerminalTables, report::check_mixed, report::picture,
};
use crate::base::text::printable;
use crate::chess::{Game, game::fen, pgn::parse_games};
use crate::report::table::TableForm;
use crate::verbs::error::{Result, VerbError};

#[derive(Debug, Clone, Args)]
pub struct ConsoleArgs {
    /// No progress or notes on standard error, only warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub export: ExportArgs,
}

#[derive(Debug, Clone, Copy, Args)]
pub struct ExportArgs {
    /// Print tables in this form, at full width.
    #[arg(long, value_name = "FORM", value_enum)]
    export: Option<TableForm>,
}

impl ExportArgs {
    pub fn form(self) -> TableForm {
        self.export.unwrap_or_default()
    }
}

/// Returns a completer that offers words as well as files.
pub fn words_or_files(words: impl IntoIterator<Item = &'static str>) -> ArgValueCompleter {
    let words: Vec<&str> = words.into_iter().collect();
    ArgValueCompleter::new(move |typed: &OsStr| {
        let begins = |word: &&str| typed.to_str().is_some_and(|typed| word.starts_with(typed));
        let words = words.iter().copied().filter(begins).map(CompletionCandidate::new);
        words.chain(PathCompleter::any().complete(typed)).collect::<Vec<_>>()
    })
}

/// Returns `values` as candidates for completion. The option may accept other values too.
pub fn values<T: Display + Copy + Send + Sync + 'static, const N: usize>(
    values: [T; N],
) -> ArgValueCandidates {
    ArgValueCandidates::new(move || values.map(|value| CompletionCandidate::new(value.to_string())).into())
}

pub fn position_of(fen: &str) -> Result<(Chess, CastlingMode)> {
    let game = parsed_game(&format!("[FEN \"{}\"]\n\n*\n", fen.replace(['"', '\n'], " ")))
        .map_err(|error| VerbError::new(format!("\"{}\" is not a position: {error}", printable(fen))))?;
    Ok((game.start, game.mode))
}

/// Reads a line of moves from the position `from`. `option` is the name of the option that has `moves` as its
/// value.
pub fn more_moves(option: &str, from: &Chess, moves: &str) -> Result<Vec<UciMove>> {
    if moves.trim().is_empty() {
        return Ok(Vec::new());
    }
    let game = parsed_game(&format!("[FEN \"{}\"]\n\n{moves} *\n", fen(from))).map_err(|error| {
        let moves = printable(moves);
        VerbError::new(format!("{option} \"{moves}\": {error}; write moves like \"e4 e5 Nf3\""))
    })?;
    Ok(game.moves.iter().map(|played| played.uci).collect())
}

fn parsed_game(pgn: &str) -> Result<Game, String> {
    match parse_games(pgn, "position").into_iter().next() {
        Some(Ok(game)) => Ok(game),
        Some(Err(bad)) => Err(bad.fault()),
        None => Err("nothing can be read".to_owned()),
    }
}
