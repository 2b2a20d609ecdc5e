//! Evaluations recorded in a game's file, and the reasons why they may not suffice.

use crate::base::text::brief;
use crate::chess::{Evaluation, Evaluations, Game, Score, game::legal_uci, pgn};

/// Returns the reason why evaluations in comments like `example` are not used.
pub fn own_engines(example: &str) -> String {
    format!(
        "evaluations by the players' own engines (as in {{{}}}), but gains need the evaluations of one engine",
        brief(example)
    )
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Gap {
    #[error("no position of the game has a recorded evaluation")]
    Unrecorded,
    #[error("the position after ply {ply} has no recorded evaluation")]
    Missing { ply: usize },
    #[error("the game has only evaluations in an unknown form, such as {}", brief(example))]
    UnknownForm { example: String },
    #[error("the game has only {}", own_engines(example))]
    OwnEngines { example: String },
    #[error(
        "the evaluation recorded after ply {ply} has {}; depth {asked} or more is required",
        depth.map_or("no depth".to_owned(), |depth| format!("depth {depth}"))
    )]
    Shallow { ply: usize, depth: Option<u32>, asked: u32 },
}

impl Gap {
    pub fn kind(&self) -> &'static str {
        match self {
            Gap::Unrecorded => "without evaluations",
            Gap::Missing { .. } => "some positions without an evaluation",
            Gap::UnknownForm { .. } => "evaluations in an unknown form",
            Gap::OwnEngines { .. } => "evaluations of the players' own engines",
            Gap::Shallow { .. } => "evaluations not deep enough",
        }
    }
}

/// Returns the evaluations recorded in the game's file, or the reason why they do not suffice.
///
/// Every position with legal moves needs an evaluation; only the start position of a game with moves may lack
/// it. A game without moves needs no evaluation. If `depth` is given, every evaluation needs at least this
/// depth. A recorded best move that is illegal is ignored.
pub fn recorded_evaluations(game: &Game, depth: Option<u32>) -> Result<Evaluations, Gap> {
    let told = told(game, depth);
    let told = told.or_else(|gap| match game.moves.is_empty() {
        true => Ok(Evaluations::new(None, Vec::new())),
        false => Err(gap),
    });
    told.map_err(|gap| match (&gap, pgn::odd_evaluations(game).next(), pgn::player_eval(game)) {
        (Gap::Unrecorded, Some(example), _) => Gap::UnknownForm { example: example.to_owned() },
        (Gap::Unrecorded | Gap::Missing { .. }, _, Some(example)) => {
            Gap::OwnEngines { example: example.to_owned() }
        }
        _ => gap,
    })
}

fn told(game: &Game, depth: Option<u32>) -> Result<Evaluations, Gap> {
    let positions = game.positions().enumerate();
    let mut evaluations = positions.map(|(ply, position)| {
        if let Some(terminal) = Evaluation::terminal(&position) {
            return Ok(terminal);
        }
        let recorded = game.recorded_eval(ply).ok_or(Gap::Missing { ply })?;
        let score = Score::of_comment(recorded.score).ok_or(Gap::Missing { ply })?;
        if let Some(asked) = depth.filter(|asked| recorded.depth.is_none_or(|depth| depth < *asked)) {
            return Err(Gap::Shallow { ply, depth: recorded.depth, asked });
        }
        let best = recorded.best.and_then(|best| legal_uci(best, &position, game.mode));
        Ok(Evaluation { depth: recorded.depth, wdl: recorded.wdl, best, ..Evaluation::of_score(score) })
    });
    match evaluations.next().expect("a start position") {
        Err(Gap::Missing { .. }) if !game.moves.iter().any(|played| played.eval.is_some()) => {
            Err(Gap::Unrecorded)
        }
        Err(Gap::Missing { .. }) => Ok(Evaluations::new(None, evaluations.collect::<Result<_, _>>()?)),
        start => Ok(Evaluations::new(Some(start?), evaluations.collect::<Result<_, _>>()?)),
    }
}

#[cfg(test)]
mod tests;
