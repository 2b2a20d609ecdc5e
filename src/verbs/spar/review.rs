//! The review of a game in the terminal after its end.

use super::SparArgs;
use crate::chess::{Game, evaluated_game::judge_of};
use crate::measure::MoveSample;
use crate::report::board_game::PlayedReport;
use crate::verbs::{
    args::OneEngineArgs, error::ErrorKind, error::VerbError, evaluations, input::Input, plan::EvaluationPlan,
    plan::EvaluationsFrom, plan::rating::CalibrationPlan, rate, runs::Viewer,
};

/// Evaluates a game with moves and returns the summary.
pub(super) fn report(game: &Game, args: &SparArgs, viewer: &mut dyn Viewer) -> Result<String, VerbError> {
    let plan = evaluation(&args.engine, viewer)?;
    let evaluated =
        evaluations::evaluate(vec![Input::of_games(game.title(), vec![game.clone()])], &plan, viewer)?;
    let input = &evaluated.inputs[0];
    let [game] = input.games.as_slice() else { return Err(input.nothing_left()) };
    let sample = MoveSample::of(&input.games);
    let engine = evaluated.engine.as_ref().map_or("an engine", |engine| engine.name.as_str());
    let judge = judge_of(engine, &plan.protocol.brief());
    Ok(PlayedReport { game, sample: &sample, judge: &judge }.shown(viewer.screen()))
}

/// Returns the plan of evaluation: the engine of the game, at the search settings of its calibration. An
/// engine without a calibration is replaced by the built-in engine, unless the user named the engine.
fn evaluation(engine: &OneEngineArgs, viewer: &dyn Viewer) -> Result<EvaluationPlan, VerbError> {
    let from = EvaluationsFrom::Engine;
    let usual = EvaluationPlan { from, engine: engine.plan(), ..EvaluationPlan::default() };
    let calibrations = usual.calibrations.load_for(std::iter::empty())?;
    match rate::choose(usual.engine.clone(), engine.engine.is_some(), &calibrations, &usual.protocol, viewer)
    {
        Ok((engine, calibration)) => {
            let protocol = calibration.protocol;
            let calibrations = CalibrationPlan::Chosen(Box::new(calibration.clone()));
            Ok(EvaluationPlan { engine, protocol, calibrations, ..usual })
        }
        // A named engine without calibration evaluates too, to the depth of the calibrated engines.
        Err(error) if *error.kind() == ErrorKind::NoRating => {
            let others = calibrations.first().map(|calibration| calibration.protocol);
            Ok(EvaluationPlan { protocol: others.unwrap_or(usual.protocol), ..usual })
        }
        Err(error) => Err(error),
    }
}
