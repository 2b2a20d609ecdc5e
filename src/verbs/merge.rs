//! The verb `merge`: parts of an archive that were counted separately, added up and reported together.

use std::{collections::BTreeMap, path::PathBuf};

use clap::{Args, ValueHint};

use crate::base::output::RunClock;
use crate::chess::Aliases;
use crate::files::{Part, formats::part};
use crate::numbers::EloCurve;
use crate::verbs::{
    archive::ArchiveOutput, archive::Counted, args::CalibrationArgs, args::ConsoleArgs, args::ResultArgs,
    error::Result, error::VerbError, input, runs::Finished, runs::Viewer,
};

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Part files of `archive --partial` with equal counting options.
    #[arg(value_name = "PART.parquet", required = true, value_hint = ValueHint::FilePath)]
    pub parts: Vec<PathBuf>,
    /// Also add parts that counted the same file; its games then count twice.
    #[arg(long)]
    pub allow_overlap: bool,
    /// Also write the merged counts, for another merge.
    #[arg(long, value_name = "PART.parquet", value_hint = ValueHint::FilePath)]
    pub partial: Option<PathBuf>,
    /// Curve from expected score to Elo difference.
    #[arg(long, value_enum, default_value_t)]
    pub elo_curve: EloCurve,
    #[command(flatten)]
    pub calibration: CalibrationArgs,
    #[command(flatten)]
    pub console: ConsoleArgs,
    #[command(flatten)]
    pub results: ResultArgs,
}

pub fn run(args: &MergeArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let clock = RunClock::start();
    let Part { identity: key, inputs, tally: counts } =
        part::merge(&args.parts, args.allow_overlap)?.ok_or_else(VerbError::no_input)?;
    let name = input::name_together(&args.parts);
    let output = ArchiveOutput::new(&args.results, &name, args.partial.as_deref())?;
    let out = output.publication(&key)?;
    let counted = Counted {
        counts,
        inputs,
        key,
        aliases: Aliases::default(),
        curve: args.elo_curve,
        calibrations: args.calibration.plan().load()?,
        links: BTreeMap::new(),
    };
    output.write(out, counted, &clock, viewer)
}
