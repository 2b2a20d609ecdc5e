//! Owns the options of archives: games by the million, counted as they stream by.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::AnalyzeArgs;
use crate::{app::plan::EvaluationsFrom, archive::Grouping, gain::Metric, tournament::EngineHistogram};

/// How an archive is counted.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Archives")]
pub struct ArchiveArgs {
    /// Count recorded evaluations by group, in one pass and little memory, however many games there
    /// are: player, elo-band (or elo-band:200), time-control, speed, title, year, event.
    #[arg(long, value_name = "GROUP")]
    pub by: Option<Grouping>,
    /// With --by: replay every move, so that games with illegal ones are left out.
    #[arg(long, requires = "by")]
    pub check_moves: bool,
    /// With --by: write the moves too, as table archive-moves in each format.
    #[arg(long, requires = "by")]
    pub moves: bool,
    /// With --by: write the counts themselves to a Parquet file, for the verb merge.
    #[arg(long, requires = "by", value_name = "PART.parquet", value_hint = ValueHint::FilePath)]
    pub partial: Option<PathBuf>,
    /// Stop at the first game that cannot be read.
    #[arg(long)]
    pub strict: bool,
}

impl AnalyzeArgs {
    /// Says which option does not go with --by, where there is one.
    pub fn archive_problem(&self) -> Option<String> {
        let engine = &self.engine;
        let asks = [
            ("--separately", self.separately, "count each file on its own, or --by event"),
            (
                "--evals engine",
                self.source.evals == EvaluationsFrom::Engine,
                "an archive's evaluations are recorded",
            ),
            ("--engine", !engine.engines.is_empty(), "an archive's evaluations are recorded"),
            ("--depth", engine.depth.is_some(), "an archive's evaluations count whatever their depth"),
            ("--nodes", engine.nodes.is_some(), "an archive's evaluations are recorded"),
            ("--annotate", self.report.annotate.is_some(), "an archive is read and not kept"),
            (
                "--split",
                !self.report.split.is_empty(),
                "choose one class after the other with --phase or --color",
            ),
            ("--game", !self.report.game.is_empty(), "choose the game and leave out --by"),
            ("--elo", !self.method.elo.is_empty(), "an archive's ratings are those of its tags"),
            (
                "--engine-histogram self",
                self.method.engine_histogram == EngineHistogram::Own,
                "recorded evaluations do not tell what the engine's own moves lead to",
            ),
            ("--metric wdl", self.method.metric == Metric::Wdl, "take cp or win"),
        ];
        let (option, _, instead) = asks.into_iter().find(|(_, asked, _)| *asked)?;
        Some(format!("{option} cannot go with --by: {instead}"))
    }
}
