//! Owns the report of one game that was just played, by the engine and at the setting that ratings of play are calibrated for.

use std::collections::BTreeMap;

use super::{Viewer, rate, report_target::calibrated};
use crate::chess::Game;
use crate::measure::{Calibration, Method, MoveSample, QualityOfPlay, RankedFrom};
use crate::report::board_game::PlayedReport;
use crate::verbs::app::evaluations;
use crate::verbs::app::plan::{BoardGamePlan, EvaluationPlan, EvaluationsFrom};
use crate::verbs::error::{ErrorKind, VerbError};
use crate::verbs::{app::rated::CalibrationPlan, app::reading::Input};

/// Evaluates a game with moves and returns what is told of it.
///
/// # Errors
///
/// If no engine at hand can be used, or it fails.
pub(super) fn report(
    game: &Game,
    plan: &BoardGamePlan,
    viewer: &mut dyn Viewer,
) -> Result<String, VerbError> {
    let plan = evaluation(plan, viewer)?;
    let evaluated = evaluations::evaluate(vec![Input::of_game(game.clone())], &plan, viewer)?;
    let input = &evaluated.inputs[0];
    let [game] = input.games.as_slice() else { return Err(input.nothing_left()) };
    let sample = MoveSample::of(&input.games);
    let rated = calibrated(&evaluated.rated, 0);
    let quality = QualityOfPlay::of(
        (&sample, &input.games),
        rated,
        &BTreeMap::new(),
        &Method::default(),
        RankedFrom::default(),
    );
    let engine = evaluated.engine.as_ref().map_or("an engine", |engine| engine.name.as_str());
    let judge = format!("{engine}, {}", plan.protocol.brief());
    Ok(PlayedReport { game, sample: &sample, quality: &quality, judge: &judge }.shown(viewer.screen()))
}

/// Returns who evaluates: the engine of the game at the setting that it is calibrated for, where it has one.
fn evaluation(plan: &BoardGamePlan, viewer: &dyn Viewer) -> Result<EvaluationPlan, VerbError> {
    let from = EvaluationsFrom::Engine;
    let usual = EvaluationPlan { from, engine: plan.engine.clone(), ..EvaluationPlan::default() };
    let calibrations = usual.calibrations.load()?;
    match rate::choose(usual.engine.clone(), plan.is_engine_named, &calibrations, &usual.protocol, viewer) {
        Ok((engine, calibration)) => {
            let protocol = calibration.protocol();
            let calibrations = CalibrationPlan::Chosen(Box::new(calibration.clone()));
            Ok(EvaluationPlan { engine, protocol, calibrations, ..usual })
        }
        // An engine that was named and has no calibration evaluates all the same, as deep as the others do.
        Err(error) if *error.kind() == ErrorKind::NoRating => {
            let others = calibrations.first().map(Calibration::protocol);
            Ok(EvaluationPlan { protocol: others.unwrap_or(usual.protocol), ..usual })
        }
        Err(error) => Err(error),
    }
}
