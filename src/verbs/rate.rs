//! The verb `rate`: a tournament report with ratings of play. The games are evaluated at the search settings
//! of a calibration.

use std::{cmp::Ordering, path::PathBuf};

use clap::{Args, ValueHint};

use crate::base::{output::RunClock, text::printable};
use crate::engine::{EngineChoice, Setup};
use crate::measure::{Calibration, GivenElo, Method};
use crate::numbers::Bootstrap;
use crate::verbs::{
    analyze, args::AlsoArgs, args::CalibrationArgs, args::ConsoleArgs, args::GamesArgs, args::OneEngineArgs,
    args::ReferenceArgs, args::ReportArgs, args::ResultArgs, args::ShardArgs, args::ShownArgs,
    args::StoreArgs, args::TerminalArgs, error::ErrorKind, error::Result, error::VerbError, input,
    plan::EnginePlan, plan::EvaluationPlan, plan::EvaluationsFrom, plan::rating,
    plan::rating::CalibrationPlan, runs::Finished, runs::Plan, runs::Viewer,
};

#[derive(Debug, Clone, Args)]
pub struct RateArgs {
    /// PGN files, compressed or not, and folders of them, read as one tournament; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Random seed of --sample.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    pub seed: u64,
    #[command(flatten)]
    pub console: ConsoleArgs,
    #[command(flatten)]
    pub taken: GamesArgs,
    #[command(flatten)]
    pub calibration: CalibrationArgs,
    #[command(flatten)]
    pub engine: OneEngineArgs,
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    pub shard: ShardArgs,
    /// Elo of a player, instead of the PGN's tags; repeatable.
    #[arg(long, value_name = "NAME=ELO", help_heading = "Rating of play")]
    pub elo: Vec<GivenElo>,
    #[command(flatten)]
    pub reference: ReferenceArgs,
    #[command(flatten)]
    pub results: ResultArgs,
    #[command(flatten)]
    pub also: AlsoArgs,
    #[command(flatten)]
    pub terminal: TerminalArgs,
}

impl RateArgs {
    pub fn plan(&self) -> Result<Plan, String> {
        let reading = self.taken.plan(&[], self.seed)?;
        let evaluations = self.shard.of(EvaluationPlan {
            from: EvaluationsFrom::Engine,
            engine: self.engine.plan(),
            store: self.store.plan(),
            calibrations: self.calibration.plan(),
            ..EvaluationPlan::default()
        });
        let report = self.results.report();
        let report = ReportArgs {
            shown: ShownArgs { also: self.also.clone(), ..report.shown },
            reference: self.reference.clone(),
            terminal: self.terminal.clone(),
            ..report
        };
        report.check()?;
        Ok(Plan {
            files: self.pgn.clone(),
            reading,
            evaluations,
            method: Method::default(),
            elo: self.elo.clone(),
            report,
            verb: Some("rate"),
            ..Plan::default()
        })
    }
}

pub fn run(args: &RateArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let clock = RunClock::start();
    let mut plan = args.plan()?;
    let is_engine_named = args.engine.engine.is_some();
    let inputs = input::read(&plan.files, plan.separately, &plan.reading, viewer)?;
    let calibrations =
        plan.evaluations.calibrations.load_for(inputs.iter().flat_map(|input| &input.games))?;
    let is_recorded = rating::is_recorded(inputs.iter().flat_map(|input| &input.games), &calibrations);
    if is_recorded && !is_engine_named {
        plan.evaluations.from = EvaluationsFrom::Pgn;
    } else {
        plan.evaluations = calibrated(plan.evaluations, is_engine_named, &calibrations, viewer)?;
    }
    analyze::analyze(inputs, &plan, &clock, viewer)
}

/// Returns `plan` at the search settings of its engine's calibration. If the user has not named the engine, the
/// best calibrated engine of this machine searches: an engine with a calibration on the first scale of
/// `calibrations`, and among these the one with the smallest error. Fails if no engine has a calibration.
pub(super) fn calibrated(
    plan: EvaluationPlan,
    is_named: bool,
    calibrations: &[Calibration],
    viewer: &dyn Viewer,
) -> Result<EvaluationPlan> {
    let by = |engine: EnginePlan, calibration: &Calibration| EvaluationPlan {
        engine,
        protocol: calibration.protocol,
        calibrations: CalibrationPlan::Chosen(Box::new(calibration.clone())),
        ..plan.clone()
    };
    let own = plan.engine.calibration(calibrations, &plan.protocol)?;
    // Options are meant for the default engine, so no other engine takes its place.
    let is_fixed = is_named || plan.engine.setup != Setup::default();
    let available =
        || EngineChoice::available().into_iter().chain([EngineChoice::Builtin { is_named: true }]);
    let others: Vec<EngineChoice> = if is_fixed { Vec::new() } else { available().collect() };
    let mut found: Vec<(EnginePlan, &Calibration)> = Vec::new();
    found.extend(own.as_ref().ok().map(|calibration| (plan.engine.clone(), *calibration)));
    for choice in others.into_iter().filter(|choice| *choice != plan.engine.choice) {
        let engine = EnginePlan { choice, label: None, setup: Setup::default(), jobs: plan.engine.jobs };
        // An engine that cannot be used is none to choose from.
        if let Ok(Ok(calibration)) = engine.calibration(calibrations, &plan.protocol) {
            found.push((engine, calibration));
        }
    }
    let scale =
        |calibration: &Calibration| calibrations.iter().position(|one| one.scale == calibration.scale);
    let worth = |calibration: &Calibration| (scale(calibration), calibration.error());
    let best =
        found.into_iter().min_by(|(_, a), (_, b)| worth(a).partial_cmp(&worth(b)).unwrap_or(Ordering::Equal));
    let Some((engine, calibration)) = best else {
        let (why, hint) = own.err().map(|none| (none.in_full(), none.hint())).unwrap_or_default();
        return Err(VerbError::new(format!("no rating of play: {why}"))
            .with_hint(hint)
            .of_kind(ErrorKind::NoRating));
    };
    let better = printable(&calibration.engine.name);
    match own {
        Ok(own) if own == calibration => {}
        Ok(own) => {
            let why =
                format!("its ratings have smaller errors than those by {}", printable(&own.engine.name));
            viewer.note(&format!("{better} searches the games, because {why}"));
        }
        Err(none) => {
            viewer.note(&format!("{better} searches the games, because {}{}", none.in_full(), none.hint()));
        }
    }
    Ok(by(engine, calibration))
}
