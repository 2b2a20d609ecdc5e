//! Evaluation of finished games: of a game in the terminal, and of the games of skill functions.

use std::path::Path;

use super::SparArgs;
use crate::chess::{EvaluatedGame, Game, Limit, Order, Protocol, evaluated_game::judge_of};
use crate::lab::{Course, SkillMoves, SparringMoves, selfplay::game_log};
use crate::measure::MoveSample;
use crate::report::board_game::PlayedReport;
use crate::verbs::{
    args::OneEngineArgs, error::ErrorKind, error::Result, evaluations, input, input::Input,
    input::evaluated::Evaluated, plan::EnginePlan, plan::EvaluationPlan, plan::EvaluationsFrom,
    plan::ReadingPlan, plan::rating::CalibrationPlan, rate, runs::Viewer,
};

/// Evaluates a game with moves and returns the summary.
pub(super) fn report(game: &Game, args: &SparArgs, viewer: &mut dyn Viewer) -> Result<String> {
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
fn evaluation(engine: &OneEngineArgs, viewer: &dyn Viewer) -> Result<EvaluationPlan> {
    let from = EvaluationsFrom::Engine;
    let usual = EvaluationPlan { from, engine: engine.plan(), ..EvaluationPlan::default() };
    let calibrations = usual.calibrations.load_for(std::iter::empty())?;
    match rate::calibrated(usual.clone(), engine.engine.is_some(), &calibrations, viewer) {
        // A named engine without calibration evaluates too, to the depth of the calibrated engines.
        Err(error) if *error.kind() == ErrorKind::NoRating => {
            let others = calibrations.first().map(|calibration| calibration.protocol);
            Ok(EvaluationPlan { protocol: others.unwrap_or(usual.protocol), ..usual })
        }
        other => other,
    }
}

/// Search depth in plies. It must equal the depth in the table of people's losses.
const DEPTH: u32 = 8;

/// Two opponents of unequal strength, the stronger first. Their games are compared with the games of a skill
/// function against the weaker opponent.
const UNEVEN_PAIR: [&str; 2] = ["fixed:4:0.2", "fixed:1:0.9"];

/// Evaluates the games of the `skills` (each with its name and folder), and the games of the [`UNEVEN_PAIR`]
/// in the folder `strengths`. Returns `None` if the user interrupts the evaluation.
pub(super) fn judge(
    skills: &[(String, impl AsRef<Path>)],
    strengths: &Path,
    engine: EnginePlan,
    viewer: &mut dyn Viewer,
) -> Result<Option<SparringMoves>> {
    let mut inputs = Vec::new();
    for (_, folder) in skills {
        inputs.push(games_in(folder.as_ref(), viewer)?);
    }
    let mut fixed = games_in(strengths, viewer)?;
    fixed.games.retain(|game| {
        UNEVEN_PAIR.iter().all(|name| [game.tags.get("White"), game.tags.get("Black")].contains(&Some(*name)))
    });
    inputs.push(fixed);
    let protocol = Protocol::new(Limit::Depth(DEPTH), Order::default(), Protocol::SEGMENT);
    let evaluation = EvaluationPlan {
        from: EvaluationsFrom::Engine,
        engine,
        protocol,
        calibrations: CalibrationPlan::Nowhere,
        ..EvaluationPlan::default()
    };
    let evaluated = evaluations::evaluate(inputs, &evaluation, viewer)?;
    if evaluated.interrupted {
        return Ok(None);
    }
    let engine = evaluated.engine.as_ref().map_or("an engine", |engine| engine.name.as_str());
    Ok(Some(found(
        skills.iter().map(|(name, _)| name.as_str()),
        judge_of(engine, &protocol.brief()),
        &evaluated,
    )))
}

fn games_in(folder: &Path, viewer: &dyn Viewer) -> Result<Input> {
    // Two games may have the same moves. Both count.
    let everything = ReadingPlan::default().everything();
    let mut inputs = input::read(&[folder.join(game_log::FILE)], false, &everything, viewer)?;
    Ok(inputs.remove(0))
}

fn found<'a>(names: impl Iterator<Item = &'a str>, judge: String, evaluated: &Evaluated) -> SparringMoves {
    let games = |place: usize| -> &[EvaluatedGame] {
        evaluated.inputs.get(place).map_or(&[], |input| input.games.as_slice())
    };
    let names: Vec<&str> = names.collect();
    let [strong, weak] = UNEVEN_PAIR;
    let fixed = Course::of([strong, weak], games(names.len()));
    let adaptive = names.iter().enumerate().map(|(place, name)| Course::of([name, weak], games(place)));
    SparringMoves {
        judge,
        skills: names.iter().enumerate().map(|(place, name)| SkillMoves::of(name, games(place))).collect(),
        courses: std::iter::once(fixed).chain(adaptive).collect(),
    }
}
