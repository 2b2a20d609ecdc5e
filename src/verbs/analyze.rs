//! The default verb, `analyze`: from PGN files to the tables, files and pictures of a tournament.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::base::output::RunClock;
use crate::verbs::{
    args::BootstrapArgs, args::CalibrationArgs, args::ConsoleArgs, args::MethodArgs, args::ReportArgs,
    args::ShardArgs, args::TournamentArgs, error::Result, error::VerbError, input, input::Input,
    plan::EvaluationPlan, plan::EvaluationsFrom, plan::Reach, runs::Finished, runs::JudgeChoice, runs::Plan,
    runs::Viewer, runs::panel, runs::report_folder::ReportSearch, runs::reporting::ReportTargets,
    runs::reporting::report, runs::shard,
};

#[derive(Debug, Clone, Args)]
pub struct AnalyzeArgs {
    /// PGN files, compressed or not, and folders of them, read as one tournament; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Report each file as its own event, and the engine's strength over all events.
    #[arg(long)]
    pub separately: bool,
    #[command(flatten)]
    pub console: ConsoleArgs,
    /// Hidden option of other verbs, refused here with a hint to `archive`.
    #[arg(long, hide = true, value_name = "GROUP")]
    pub by: Option<String>,
    #[command(flatten)]
    pub tournament: TournamentArgs,
    #[command(flatten)]
    pub shard: ShardArgs,
    #[command(flatten)]
    pub calibration: CalibrationArgs,
    #[command(flatten)]
    pub bootstrap: BootstrapArgs,
    #[command(flatten)]
    pub report: ReportArgs,
}

const PGN: &str = "--evals pgn does not work with several engines: a PGN file has the evaluations of one \
                   engine; leave out --evals or --engine";

const ANNOTATE: &str = "--annotate does not work with several engines: the annotated PGN has \
                        room for one evaluation per position; run one engine at a time";

const RECORDING: &str = "--engine FILE.pgn compares the evaluations in FILE.pgn with other engines: name another \
                         --engine too, or analyze FILE.pgn without --engine";

const SHARD: &str = "--shard does not work with several engines: run one engine at a time";

impl AnalyzeArgs {
    pub fn plan(&self) -> Result<Plan, String> {
        if let Some(by) = &self.by {
            return Err(format!(
                "--by is an option of the command archive: gainalyze archive FILE… --by {by}"
            ));
        }
        let TournamentArgs { source, method: MethodArgs { elo, .. }, .. } = &self.tournament;
        let judges: Vec<JudgeChoice> = source.engine.engines.iter().map(JudgeChoice::of).collect();
        let several = judges.len() > 1;
        match source.evals {
            _ if !several && judges.iter().any(|judge| judge.recording().is_some()) => {
                return Err(RECORDING.to_owned());
            }
            EvaluationsFrom::Pgn if several => return Err(PGN.to_owned()),
            _ if several && self.report.annotate.is_some() => return Err(ANNOTATE.to_owned()),
            _ if several && self.shard.shard.is_some() => return Err(SHARD.to_owned()),
            _ => {}
        }
        let method = self.tournament.method(self.bootstrap.bootstrap())?;
        self.report.check()?;
        Ok(Plan {
            files: self.pgn.clone(),
            separately: self.separately,
            reading: self.tournament.taken.plan(&method.filter.rounds, self.bootstrap.seed)?,
            judges,
            evaluations: self.shard.of(EvaluationPlan {
                calibrations: self.calibration.plan(),
                ..source.plan(&method, Reach::Search)
            }),
            method,
            elo: elo.clone(),
            report: self.report.clone(),
            verb: None,
        })
    }
}

pub fn run(args: &AnalyzeArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let plan = &args.plan()?;
    let clock = RunClock::start();
    plan.evaluations.check()?;
    let inputs = input::read(&plan.files, plan.separately, &plan.reading, viewer)?;
    analyze(inputs, plan, &clock, viewer)
}

pub fn analyze(
    inputs: Vec<Input>,
    plan: &Plan,
    clock: &RunClock,
    viewer: &mut dyn Viewer,
) -> Result<Finished> {
    input::check_counted(&inputs, &plan.method.filter)?;
    check_drawn(&inputs, &plan.report.shown.game)?;
    input::warn_of_bad_games(&inputs, viewer);
    if let Some(shard) = plan.evaluations.shard {
        return shard::run(inputs, &plan.evaluations, shard, viewer);
    }
    if plan.judges.len() > 1 {
        return panel::run(&inputs, plan, clock, viewer);
    }
    let like_recorded = plan.evaluations.like_recorded(&inputs, viewer);
    let like_recorded = like_recorded.map(|evaluations| Plan { evaluations, ..plan.clone() });
    let plan = like_recorded.as_ref().unwrap_or(plan);
    let search = ReportSearch::of(&inputs, &plan.evaluations)?;
    let targets = ReportTargets::prepare(&inputs, plan, search.as_ref())?;
    check_annotated(plan, &targets)?;
    Ok(report(inputs, &targets, plan, clock, viewer)?.finished)
}

/// Checks, before the long work, that the annotated games can be written.
fn check_annotated(plan: &Plan, targets: &ReportTargets) -> Result<()> {
    let Some(path) = &plan.report.annotate else { return Ok(()) };
    // The first report that has games will list the file. Before the run, that can be any of the reports.
    let mut checks = targets.each.iter().map(|target| target.folder.check_outside(path));
    let Some(first) = checks.next() else { return Ok(()) };
    Ok(first.or_else(|error| checks.find(Result::is_ok).unwrap_or(Err(error)))?)
}

/// Checks, before the long work, that the games to be drawn exist.
fn check_drawn(inputs: &[Input], wanted: &[usize]) -> Result<()> {
    // Separate reports number their games separately.
    let read = inputs.iter().map(|input| input.read).max().unwrap_or_default();
    let is_read = |number: usize| {
        inputs.iter().flat_map(|input| &input.games).any(|game| game.source.ordinal == number)
    };
    let is_bad = |number: usize| {
        inputs.iter().flat_map(|input| input.bad.first()).any(|bad| bad.source.ordinal == number)
    };
    let Some(&game) = wanted.iter().find(|&&number| !is_read(number)) else { return Ok(()) };
    let why = match (1..=read).contains(&game) {
        true if is_bad(game) => "it cannot be read".to_owned(),
        true => "the options leave it out".to_owned(),
        false => format!("the games are numbered from 1 to {read}"),
    };
    Err(VerbError::not_drawn(game, &why))
}
