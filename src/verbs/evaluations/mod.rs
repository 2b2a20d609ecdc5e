//! The source of each game's evaluations: its file, or an engine with its store.

pub mod behavior;
mod engine_set;
#[cfg(feature = "postgres")]
pub mod queued;
mod remarks;
mod search;

use self::{
    remarks::check_recorded, remarks::is_unrecorded, remarks::recorded, remarks::report_sources,
    remarks::report_unusable, remarks::unrecorded_games, remarks::warn_of_unknown_forms, search::RatingTask,
};
use crate::base::text::{counted, printable};
use crate::chess::{EvaluatedGame, Game, Limit, Protocol, evaluated_game::JUDGE};
use crate::engine::EngineChoice;
use crate::measure::RatedPlay;
use crate::verbs::{
    error::VerbError, input, input::Input, input::evaluated::Evaluated, input::evaluated::InputGames,
    observer::Observer, plan::EvaluationPlan, plan::EvaluationsFrom, plan::Reach,
};

/// Largest number of games without recorded evaluations that are listed by name.
const TOLD: u64 = input::TOLD as u64;

/// Evaluates the games of all inputs. Takes recorded evaluations from the files, then evaluates the other
/// games in one search. If the plan takes only recorded evaluations, leaves out games without them.
pub fn evaluate(
    inputs: Vec<Input>,
    plan: &EvaluationPlan,
    observer: &mut dyn Observer,
) -> Result<Evaluated, VerbError> {
    let mut evaluated = Evaluated::of(Vec::new());
    let calibrations = plan.calibrations.load_for(inputs.iter().flat_map(|input| &input.games))?;
    let (mut searches, mut unrecorded) = (Vec::new(), 0);
    let mut places: Vec<GamePlace> = Vec::new();
    check_recorded(&inputs, plan)?;
    note_unplayed(&inputs, observer);
    report_unusable(&inputs, plan, observer);
    warn_of_unknown_forms(&inputs, plan, observer);
    for (index, input) in inputs.into_iter().enumerate() {
        let mut input_games = InputGames::of(&input);
        let told_at_once = plan.from == EvaluationsFrom::Pgn && is_unrecorded(&input);
        if told_at_once {
            observer.warn(&format!("{}: {}", printable(&input.name), unrecorded_games(&input.games)));
        }
        for game in input.games {
            match recorded(&game, plan) {
                Some(Ok(evaluations)) => {
                    let game = Box::new(EvaluatedGame::new(game, evaluations));
                    evaluated.recorded += game.evaluations().iter().count() as u64;
                    observer.complete(&game);
                    places.push((index, Some(game)));
                }
                Some(Err(gap)) if plan.from != EvaluationsFrom::Auto => {
                    unrecorded += u64::from(!told_at_once);
                    if unrecorded <= TOLD && !told_at_once {
                        observer.warn(&format!("left out: {}: {gap}", game.title()));
                    }
                    input_games.leave_out(&game, gap.to_string(), gap.kind());
                }
                None | Some(Err(_)) => {
                    searches.push(game);
                    places.push((index, None));
                }
            }
        }
        evaluated.inputs.push(input_games);
    }
    if unrecorded > TOLD {
        observer.warn(&format!("left out: {}, for similar reasons", counted(unrecorded - TOLD, "more game")));
    }
    let recorded = places.iter().filter_map(|(_, game)| game.as_deref().filter(|game| is_played(game)));
    report_sources(&recorded.collect::<Vec<_>>(), searches.len(), observer);
    let searched = match searches.is_empty() {
        true => Vec::new(),
        false => {
            let inputs = places.iter().map(|(input, _)| *input).collect();
            let games = all_games(&places, &searches);
            let rating = RatingTask { games, inputs, calibrations: &calibrations };
            search::run(searches, rating, plan, &mut evaluated, observer)?
        }
    };
    let mut searched = searched.into_iter();
    for (index, game) in places {
        let input_games = &mut evaluated.inputs[index];
        match game {
            Some(game) => {
                input_games.recorded += usize::from(is_played(&game));
                input_games.games.push(*game);
            }
            None => input_games.take(searched.next().expect("one outcome per searched game")),
        }
    }
    if evaluated.engine.is_none() {
        evaluated.rated =
            RatedPlay::of_recorded(evaluated.inputs.iter().map(|input| &input.games), &calibrations);
    }
    Ok(evaluated)
}

fn note_unplayed(inputs: &[Input], observer: &dyn Observer) {
    let games = inputs.iter().flat_map(|input| &input.games);
    let unplayed = games.filter(|game| game.moves.is_empty()).count() as u64;
    if unplayed > 0 {
        let games = counted(unplayed, "game");
        observer.note(&format!("{games} without moves, such as forfeits and byes: only the points count"));
    }
}

fn is_played(game: &EvaluatedGame) -> bool {
    !game.game().moves.is_empty()
}

/// A game's place in the order of the files: the number of its input, and the game. The game is `None` until
/// a search fills the place.
type GamePlace = (usize, Option<Box<EvaluatedGame>>);

/// Returns the games of all places in order. An empty place gets the next game of `searches`.
fn all_games(places: &[GamePlace], searches: &[Game]) -> Vec<Game> {
    let mut searches = searches.iter();
    let game = |(_, place): &GamePlace| match place {
        Some(recorded) => Some(recorded.game().clone()),
        None => searches.next().cloned(),
    };
    places.iter().filter_map(game).collect()
}

/// Returns whether an engine must evaluate the game: the plan does not use the evaluations in the game's
/// file, or they do not suffice and the plan permits an engine.
pub fn is_searched(game: &Game, plan: &EvaluationPlan) -> bool {
    match recorded(game, plan) {
        None => true,
        Some(found) => found.is_err() && plan.from == EvaluationsFrom::Auto,
    }
}

impl EvaluationPlan {
    /// Returns a plan that searches games without evaluations to the depth of the recorded evaluations,
    /// because gains at different depths are not comparable.
    ///
    /// `None` if the recorded depths differ or are unknown, if the user chose a limit or a source of
    /// evaluations, or if there is nothing to change. Also `None` for the built-in engine, because its depths
    /// are not comparable with another engine's.
    pub fn like_recorded(&self, inputs: &[Input], observer: &dyn Observer) -> Option<EvaluationPlan> {
        let is_free =
            self.is_usual_limit && self.from == EvaluationsFrom::Auto && self.reach == Reach::Search;
        let is_program = matches!(self.engine.choice, EngineChoice::Program(_));
        let games = || inputs.iter().flat_map(|input| &input.games);
        let is_recorded = |game: &&Game| !game.moves.is_empty() && !is_searched(game, self);
        let mut recorded = games().filter(is_recorded).map(recorded_depth);
        let depth = recorded.next().filter(|_| is_free && is_program)??;
        let is_one =
            recorded.all(|other| other == Some(depth)) && games().any(|game| is_searched(game, self));
        let limit = Limit::Depth(depth);
        if !is_one || limit == self.protocol.limit {
            return None;
        }
        observer.note(&format!(
            "games without evaluations are searched to depth {depth}, the depth of the recorded evaluations; \
             --depth N sets another"
        ));
        let protocol = Protocol { limit, ..self.protocol };
        Some(EvaluationPlan { protocol, is_usual_limit: false, ..self.clone() })
    }
}

/// Returns the depth of the recorded evaluations of a game. If they state no depth, returns the depth in the
/// tag `EvaluatedBy`. `None` if the depths differ or are unknown.
fn recorded_depth(game: &Game) -> Option<u32> {
    let mut depths = game.moves.iter().filter_map(|played| played.eval).map(|eval| eval.depth);
    let first = depths.next()?;
    let is_one = depths.all(|depth| depth == first);
    let tag = || {
        let limits = game.tags.get(JUDGE)?.split(", ").filter_map(|part| part.parse().ok());
        limits.last().and_then(|limit| if let Limit::Depth(depth) = limit { Some(depth) } else { None })
    };
    first.or_else(tag).filter(|_| is_one)
}
