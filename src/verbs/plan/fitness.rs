//! Checks of an engine before its work: support of the chess variant, reproducible results, scores as UCI
//! requires them, and searches restricted to given moves.

use std::ops::RangeInclusive;

use shakmaty::{CastlingMode, Chess, Color, fen::Fen};

use crate::base::text::{printable, with_causes};
use crate::chess::{Evaluator, GameSoFar, Limit, Order, Protocol, Segment, SignedScore};
use crate::engine::{Engine, EngineCommand, EngineIdentity, Purpose, uci::options::CHESS960};
use crate::verbs::{error::Result, error::VerbError, observer::Observer};

/// Checks that each engine supports Chess960 if one of `modes` is Chess960. `modes` has the modes of the
/// games, or of their openings.
pub fn check_variants<'e>(
    modes: impl IntoIterator<Item = CastlingMode>,
    engines: impl IntoIterator<Item = &'e EngineIdentity>,
    purpose: Purpose,
) -> Result<()> {
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

/// The start position without White's queen. It is quiet, so a search of depth 1 is enough, and no mate is near.
const QUEEN_AHEAD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1";

/// The accepted scores in centipawns of Black in [`QUEEN_AHEAD`]. Engines usually report 500 to 3000, those that
/// compute centipawns from winning chances up to 13,000.
const PLAUSIBLE: RangeInclusive<i32> = 50..=20_000;

/// Checks the view and the unit of an engine's scores. An engine that fails in the search of this check is
/// started again, because its work may succeed.
pub async fn with_checked_scores(mut engine: Engine, command: &EngineCommand) -> Result<Engine> {
    let Some(segment) = position(QUEEN_AHEAD).and_then(|game| Segment::end_of(&game).ok()) else {
        return Ok(engine);
    };
    let Ok(found) = engine.evaluate(&segment, &Protocol::new(Limit::Depth(1), Order::Forward, 1)).await
    else {
        return Ok(command.start().await?);
    };
    let score = found.evaluations.first().map(|(_, evaluation)| evaluation.score.seen_by(Color::Black));
    let Some((score, fault)) = score.and_then(|score| Some((score, score_fault(score)?))) else {
        return Ok(engine);
    };
    let name = printable(&engine.identity().name);
    let (least, most) = PLAUSIBLE.into_inner();
    let told = format!(
        "{name} cannot be used, because its scores seem to be {fault}. With Black to move and without White's queen, the \
         start position should have a score from cp {least} to cp {most} or a mate, but the engine reports {score}"
    );
    Err(VerbError::engine(told)
        .with_hint("; choose another engine or version, or the option of the engine that changes its scores"))
}

/// Returns the fault of the score of the side to move, which is a queen ahead; `None` for a plausible score.
fn score_fault(score: SignedScore) -> Option<&'static str> {
    match score {
        SignedScore::Cp(cp) if PLAUSIBLE.contains(&cp) => None,
        SignedScore::Mate(moves) if moves > 0 => None,
        SignedScore::Cp(cp) if cp.abs() < *PLAUSIBLE.start() => {
            Some("a hundred times smaller than centipawns")
        }
        SignedScore::Cp(cp) if cp > 0 => Some("a hundred times larger than centipawns"),
        SignedScore::Cp(_) | SignedScore::Mate(_) => {
            Some("from White's side instead of from the side to move, as UCI requires")
        }
    }
}

/// A position with a mate in one, and a move in it that loses the rook.
const MATE_IN_ONE: (&str, &str) = ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d7");

/// Checks that an engine searches only the requested moves, as a tree requires. The engine is asked to search
/// a move that cannot be best.
pub async fn check_searchmoves(engine: &mut Engine) -> Result<()> {
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

fn position(fen: &str) -> Option<GameSoFar> {
    let position: Chess = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?;
    Some(GameSoFar::new(position, CastlingMode::Standard))
}

fn only_move(fen: &str, uci: &str) -> Option<Segment> {
    let segment = Segment::end_of(&position(fen)?).ok()?;
    segment.restricted_to(&[uci.parse().ok()?]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::work::event_loop;
    use crate::engine::{EngineChoice, Setup, uci::locate::installed_stockfishes};

    #[test]
    fn the_score_of_a_queen_ahead_tells_its_view_and_its_unit() {
        let fault = |score| score_fault(score).unwrap_or("right");
        // Robust to the engine: a material count, Stockfish 15.1, winning chances, mates.
        for cp in [300, 716, 900, 1300, 2500, 12_780] {
            assert_eq!(fault(SignedScore::Cp(cp)), "right", "{cp}");
            assert!(fault(SignedScore::Cp(-cp)).starts_with("from White's side"), "{cp}");
        }
        for cp in [300, 716, 2500] {
            assert!(fault(SignedScore::Cp(100 * cp)).contains("larger"), "{cp}");
            assert!(fault(SignedScore::Cp(-100 * cp)).starts_with("from White's side"), "{cp}");
            for small in [cp / 100, -cp / 100] {
                assert!(fault(SignedScore::Cp(small)).contains("smaller"), "{cp}");
            }
        }
        assert_eq!(fault(SignedScore::Mate(9)), "right");
        assert!(fault(SignedScore::Mate(-9)).starts_with("from White's side"));
    }

    #[test]
    fn the_builtin_engine_and_stockfish_have_right_scores() {
        let programs = installed_stockfishes().into_iter().map(EngineChoice::Program);
        for choice in [EngineChoice::Builtin { is_named: true }].into_iter().chain(programs) {
            let command = EngineCommand::new(&choice, &Setup::default()).expect("a command");
            let work = async {
                let engine = command.start().await.expect("an engine");
                with_checked_scores(engine, &command).await.expect("right scores").quit().await;
            };
            event_loop().expect("an event loop").block_on(work);
        }
    }
}
