//! Owns the run that rates players by their play: the report of a tournament at the setting of a calibration.

use super::{Finished, Viewer, tournament};
use crate::chess::{Protocol, text::printable};
use crate::engine::{EngineChoice, Setup, within};
use crate::files::RunClock;
use crate::measure::Calibration;
use crate::verbs::app::plan::{EnginePlan, EvaluationPlan, EvaluationsFrom, RatingPlan};
use crate::verbs::app::rated::{CalibrationPlan, NoRating};
use crate::verbs::app::{rated, reading};
use crate::verbs::error::{ErrorKind, VerbError};

/// Rates the players of the games that `plan` names.
///
/// # Errors
///
/// If no engine at hand has a calibration, the games cannot be read or evaluated, or a file cannot be written.
pub fn run(plan: &RatingPlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let clock = RunClock::start();
    let RatingPlan { mut plan, is_engine_named } = plan.clone();
    let calibrations = plan.evaluations.calibrations.load()?;
    let inputs = reading::read(&plan.files, plan.separately, &plan.reading, viewer)?;
    let is_recorded = rated::is_recorded(inputs.iter().flat_map(|input| &input.games), &calibrations);
    if is_recorded && !is_engine_named {
        plan.evaluations.from = EvaluationsFrom::Pgn;
    } else {
        let engine = plan.evaluations.engine.clone();
        let (engine, calibration) =
            choose(engine, is_engine_named, &calibrations, &plan.evaluations.protocol, viewer)?;
        let (protocol, calibrations) =
            (calibration.protocol(), CalibrationPlan::Chosen(Box::new(calibration.clone())));
        plan.evaluations = EvaluationPlan { engine, protocol, calibrations, ..plan.evaluations };
    }
    tournament::analyse(inputs, &plan, &clock, viewer)
}

/// Returns the engine that searches, and its calibration. Where the one at hand has none and nobody has named it, that is
/// the engine within.
pub(super) fn choose<'c>(
    engine: EnginePlan,
    is_named: bool,
    calibrations: &'c [Calibration],
    protocol: &Protocol,
    viewer: &dyn Viewer,
) -> Result<(EnginePlan, &'c Calibration), VerbError> {
    let none = match engine.calibration(calibrations, protocol)? {
        Ok(calibration) => return Ok((engine, calibration)),
        Err(none) => none,
    };
    let within = EnginePlan {
        choice: EngineChoice::Within { is_named: true },
        setup: Setup::default(),
        jobs: engine.jobs,
    };
    match within.calibration(calibrations, protocol)? {
        Ok(calibration) if !is_named => {
            say_who(&none, viewer);
            Ok((within, calibration))
        }
        _ => Err(VerbError::new(format!("no rating of play: {}", none.in_full()))
            .with_hint(none.hint())
            .of_kind(ErrorKind::NoRating)),
    }
}

/// Says that the engine within works since the other cannot.
fn say_who(none: &NoRating, viewer: &dyn Viewer) {
    viewer.note(&format!("{} searches, since {}{}", printable(within::NAME), none.in_full(), none.hint()));
}
