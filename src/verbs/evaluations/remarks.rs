//! Messages on recorded evaluations: the games that use them, and the reasons why other games do not.

use crate::base::text::{brief, counted, printable};
use crate::chess::{
    EvaluatedGame, Evaluations, Game, Gap, Limit, evaluated_game::recorded_judge, own_engines, pgn,
    recorded_evaluations,
};
use crate::verbs::{
    error::VerbError, input::Input, observer::Observer, plan::EvaluationPlan, plan::EvaluationsFrom,
    plan::Reach,
};

impl Reach {
    /// Returns the participle for games whose recorded evaluations are not used: "3 games are searched".
    fn verb(self) -> &'static str {
        match self {
            Reach::Search => "searched",
            Reach::Stored | Reach::StoredWithChoices => "looked up in the store",
        }
    }
}

impl EvaluationPlan {
    /// Fails if the options need evaluations of the engine's own moves, but the plan takes only recorded
    /// evaluations.
    pub fn check(&self) -> Result<(), VerbError> {
        match MissingData::of(self) {
            Some(MissingData::OwnMoves) if self.from == EvaluationsFrom::Pgn => {
                let error = VerbError::new(NO_OWN_MOVES);
                Err(error.with_hint(
                    ", which --engine-histogram self needs: search with --evals engine, or choose \
                     --engine-histogram delta",
                ))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the evaluations recorded in the game's file, or the reason why they do not suffice. `None` if the
/// plan takes only the engine's evaluations, or if it may take either and the options need more data. A game
/// without moves needs no evaluations.
pub(super) fn recorded(game: &Game, plan: &EvaluationPlan) -> Option<Result<Evaluations, Gap>> {
    match plan.from {
        _ if game.moves.is_empty() => Some(recorded_evaluations(game, None)),
        EvaluationsFrom::Engine => None,
        EvaluationsFrom::Auto if MissingData::of(plan).is_some() => None,
        EvaluationsFrom::Auto | EvaluationsFrom::Pgn => Some(recorded_evaluations(game, plan.least_depth)),
    }
}

/// Data that the options need and recorded evaluations lack.
enum MissingData {
    OwnMoves,
    Nodes,
}

impl MissingData {
    fn of(plan: &EvaluationPlan) -> Option<MissingData> {
        match plan.protocol.limit {
            _ if plan.own_moves => Some(MissingData::OwnMoves),
            Limit::Nodes(_) => Some(MissingData::Nodes),
            Limit::Depth(_) => None,
        }
    }

    /// Returns the remark on the missing data, and the option with which recorded evaluations can be used.
    fn remark(&self) -> &'static str {
        match self {
            MissingData::OwnMoves => {
                "--engine-histogram self needs evaluations of the engine's own moves; --engine-histogram delta uses \
                 the comments"
            }
            MissingData::Nodes => {
                "--nodes needs evaluations with a known number of nodes, which the comments do not state; --evals pgn \
                 uses the comments nevertheless"
            }
        }
    }
}

const NO_OWN_MOVES: &str = "[%eval] comments have no evaluations of the engine's own moves";

/// Fails if the plan takes only recorded evaluations, and no game has any.
pub(super) fn check_recorded(inputs: &[Input], plan: &EvaluationPlan) -> Result<(), VerbError> {
    if plan.from != EvaluationsFrom::Pgn || !inputs.iter().all(is_unrecorded) {
        return Ok(());
    }
    let games: Vec<&Game> = inputs.iter().flat_map(|input| &input.games).collect();
    Err(VerbError::new(unrecorded_games(games))
        .with_hint(": leave out --evals pgn to search the games with an engine"))
}

/// Returns true if the input has games with moves, but none of them has an `[%eval]` comment.
pub(super) fn is_unrecorded(input: &Input) -> bool {
    let is_none = |game: &Game| {
        game.moves.iter().all(|played| played.eval.is_none()) && recorded_evaluations(game, None).is_err()
    };
    let mut played = input.games.iter().filter(|game| !game.moves.is_empty()).peekable();
    played.peek().is_some() && played.all(is_none)
}

/// Returns a sentence on games without any recorded evaluation.
pub(super) fn unrecorded_games<'a>(games: impl IntoIterator<Item = &'a Game>) -> String {
    let games: Vec<&Game> = games.into_iter().collect();
    let none = match games.len() as u64 {
        1 => "the game has no [%eval] comment".to_owned(),
        several => format!("none of {} has an [%eval] comment", counted(several, "game")),
    };
    let odd = games.iter().find_map(|game| pgn::odd_evaluations(game).next());
    match (odd, games.iter().find_map(|game| pgn::player_eval(game))) {
        (Some(example), _) => format!("{none} in a known form, only in forms such as {}", brief(example)),
        (None, Some(example)) => format!("{none}; there are only {}", own_engines(example)),
        (None, None) => none,
    }
}

/// Reports the recorded evaluations that are not used, with the reasons, before a search that may take hours.
pub(super) fn report_unusable(inputs: &[Input], plan: &EvaluationPlan, observer: &dyn Observer) {
    if plan.from != EvaluationsFrom::Auto {
        return;
    }
    let games = || inputs.iter().flat_map(|input| &input.games);
    note_unused_own_evaluations(games(), plan.reach, observer);
    let annotated = games().filter(|game| game.moves.iter().any(|played| played.eval.is_some()));
    if let Some(untold) = MissingData::of(plan) {
        let count = annotated.count() as u64;
        if count > 0 {
            observer.note(&despite_comments(count, plan.reach, untold.remark()));
        }
        return;
    }
    let mut gaps = annotated.filter_map(|game| Some((game, recorded(game, plan)?.err()?)));
    if let Some((game, gap)) = gaps.next() {
        let why = format!(
            "the comments are incomplete or not deep enough; the first such game is {}: {gap}",
            game.title()
        );
        observer.note(&despite_comments(gaps.count() as u64 + 1, plan.reach, &why));
    }
}

fn despite_comments(games: u64, reach: Reach, why: &str) -> String {
    let are = if games == 1 { "is" } else { "are" };
    format!("{} {are} {} despite [%eval] comments: {why}", counted(games, "game"), reach.verb())
}

/// Notes that the playing engines' own evaluations, which look like recorded evaluations, are not used.
fn note_unused_own_evaluations<'a>(
    games: impl Iterator<Item = &'a Game>,
    reach: Reach,
    observer: &dyn Observer,
) {
    let mut own = games
        .filter(|game| game.moves.iter().all(|played| played.eval.is_none()))
        .filter_map(pgn::player_eval);
    if let Some(example) = own.next() {
        let games = own.count() as u64 + 1;
        observer.note(&format!(
            "{} {} only {}; {} {} instead",
            counted(games, "game"),
            if games == 1 { "has" } else { "have" },
            own_engines(example),
            if games == 1 { "it is" } else { "they are" },
            reach.verb()
        ));
    }
}

/// Warns of evaluations in an unknown form. They remain text in the comments, so positions may lack an
/// evaluation.
pub(super) fn warn_of_unknown_forms(inputs: &[Input], plan: &EvaluationPlan, observer: &dyn Observer) {
    if plan.from == EvaluationsFrom::Engine {
        return;
    }
    let games = inputs.iter().flat_map(|input| &input.games);
    let mut odd = games.flat_map(|game| pgn::odd_evaluations(game).map(move |text| (game, text)));
    if let Some((game, text)) = odd.next() {
        let more = odd.count() as u64;
        observer.warn(&format!(
            "{} in an unknown form {} not used; the first is in {}: {}",
            counted(more + 1, "evaluation"),
            if more == 0 { "is" } else { "are" },
            game.title(),
            brief(text)
        ));
    }
}

pub(super) fn report_sources(recorded: &[&EvaluatedGame], searched: usize, observer: &dyn Observer) {
    match (recorded.len(), searched) {
        (0, _) => {}
        (games, 0) => {
            let judge = recorded_judge(recorded.iter().copied());
            observer.note(&format!(
                "evaluations of {} come from [%eval] comments{}",
                counted(games as u64, "game"),
                judge.map_or_else(String::new, |judge| format!(" by {}", printable(judge)))
            ));
        }
        _ => observer.warn(&format!(
            "{} with evaluations recorded in the PGN, {} with evaluations by the engine: the gains may not be \
             comparable; to use one kind only, choose --evals engine or --evals pgn",
            counted(recorded.len() as u64, "game"),
            counted(searched as u64, "game"),
        )),
    }
}
