//! Checks of an engine before its work: support of the chess variant, reproducible results, and searches
//! restricted to given moves.

use shakmaty::{CastlingMode, Chess, fen::Fen};

use crate::base::text::{printable, with_causes};
use crate::chess::{Evaluator, GameSoFar, Limit, Order, Protocol, Segment};
use crate::engine::{Engine, EngineIdentity, Purpose, uci::options::CHESS960};
use crate::verbs::{error::VerbError, observer::Observer};

/// Checks that each engine supports Chess960 if one of `modes` is Chess960. These are the modes of the games,
/// or of their openings.
pub fn check_variants<'e>(
    modes: impl IntoIterator<Item = CastlingMode>,
    engines: impl IntoIterator<Item = &'e EngineIdentity>,
    purpose: Purpose,
) -> Result<(), VerbError> {
    let lacks = |engine: &&EngineIdentity| !engine.options.has_chess960();
    let lacking = engines.into_iter().find(lacks);
    match lacking.filter(|_| modes.into_iter().any(CastlingMode::is_chess960)) {
        Some(EngineIdentity { name, .. }) => {
            let (what, hint) = match purpose {
                Purpose::Analysis => ("games", ": choose another engine with --engine"),
                Purpose::Play => ("openings", ": choose another engine or other openings"),
            };
            let told = format!("{name} has no option {CHESS960}, which some of the {what} need");
            Err(VerbError::new(told).with_hint(hint))
        }
        None => Ok(()),
    }
}

/// Warns of engines with several threads, whose searches differ from run to run.
pub fn warn_of_threads<'e>(
    engines: impl IntoIterator<Item = &'e EngineIdentity>,
    purpose: Purpose,
    observer: &dyn Observer,
) {
    if !engines.into_iter().any(|engine| engine.options.threads() > 1) {
        return;
    }
    observer.warn(match purpose {
        Purpose::Analysis => {
            "with Threads above 1, the engine's results are not reproducible; for speed, use --jobs, which \
             runs several engines with one thread each"
        }
        Purpose::Play => "with Threads above 1, the games are not reproducible; for speed, use --jobs",
    });
}

/// A position with a mate in one, and a move in it that loses the rook.
const MATE_IN_ONE: (&str, &str) = ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d7");

/// Checks that an engine searches only the requested moves, as a tree requires. The engine is asked to search
/// a move that cannot be best.
pub async fn check_searchmoves(engine: &mut Engine) -> Result<(), VerbError> {
    let (fen, bad) = MATE_IN_ONE;
    let Some(segment) = only_move(fen, bad) else { return Ok(()) };
    let found = engine.evaluate(&segment, &Protocol::new(Limit::Depth(2), Order::Forward, 1)).await;
    let name = printable(&engine.identity().name);
    found.map(|_| ()).map_err(|error| {
        VerbError::engine(format!(
            "{name} does not support UCI's searchmoves, which gainalyze deep needs: a search of only {bad} \
             in {fen} failed: {}",
            with_causes(&error)
        ))
    })
}

fn only_move(fen: &str, uci: &str) -> Option<Segment> {
    let position: Chess = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?;
    let segment = Segment::end_of(&GameSoFar::new(position, CastlingMode::Standard)).ok()?;
    segment.restricted_to(&[uci.parse().ok()?]).ok()
}
