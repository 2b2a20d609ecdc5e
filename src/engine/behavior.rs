//! [`Behavior`]: a digest of an engine's searches in fixed positions, independent of its name.

use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::base::digest::hex;
use crate::chess::{Evaluator, Game, Limit, Order, Protocol, Segment, pgn::parse_games};

/// The fixed positions, as games in PGN: an opening, a middlegame and an endgame.
const POSITIONS: &str = r#"
1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 *

[FEN "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10"]

10. Re1 b6 11. a3 Bb7 *

[FEN "8/5pk1/R5p1/7p/1r5P/5KP1/5P2/8 w - - 0 40"]

40. Ra7 Rb3+ 41. Kg2 *
"#;

/// Search depth in plies. It is deep enough to distinguish the searches and evaluations of two versions, and
/// takes a fraction of a second.
const DEPTH: u32 = 6;

/// An engine's results in the fixed positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behavior {
    /// SHA-256, in hexadecimal, of scores, nodes and best moves at fixed depth. Builds of one version with
    /// equal options have equal digests. Another version, or an option that affects the search or the
    /// evaluation, nearly always gives another digest.
    pub digest: String,
    /// Mean search time per position in the fastest game. The first game is slower, because it fills caches
    /// (and compiles the engine, if it runs under Node).
    pub time_a_position: Duration,
}

impl Behavior {
    /// Searches the fixed positions with an engine. The positions of each game are searched in order, with
    /// one transposition table.
    pub async fn of<E: Evaluator>(engine: &mut E) -> Result<Behavior, E::Error> {
        let protocol = Protocol::new(Limit::Depth(DEPTH), Order::Forward, Protocol::SEGMENT);
        let (mut hasher, mut quickest) = (Sha256::new(), Duration::MAX);
        for segment in fixed_games().iter().flat_map(|game| Segment::cut(game, &protocol)) {
            let found = engine.evaluate(&segment, &protocol).await?;
            quickest =
                quickest.min(found.busy / u32::try_from(found.evaluations.len().max(1)).unwrap_or(u32::MAX));
            for (ply, evaluation) in found.evaluations {
                let nodes = evaluation.nodes.map_or_else(|| "-".to_owned(), |nodes| nodes.to_string());
                let best = evaluation.best.map_or_else(|| "-".to_owned(), |best| best.to_string());
                hasher.update(format!("{ply} {} {nodes} {best}\n", evaluation.score));
            }
        }
        Ok(Behavior { digest: hex(&hasher.finalize()), time_a_position: quickest })
    }
}

fn fixed_games() -> Vec<Game> {
    let games: Result<Vec<Game>, _> = parse_games(POSITIONS, "behaviour").into_iter().collect();
    games.expect("games that a test reads")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::base::work::event_loop;
    use crate::engine::chess_engine::{Weights, WeightsFile};
    use crate::engine::{
        Engine, EngineChoice, EngineCommand, builtin::BuiltinCommand, builtin::BuiltinEngine,
        builtin::blocking::Blocking, uci::locate::installed_stockfishes, uci::session::Setup,
    };

    fn of_builtin(weights: Option<WeightsFile>) -> String {
        let engine = match weights {
            Some(weights) => BuiltinEngine::with_weights(4, weights),
            None => BuiltinEngine::new(4),
        };
        let identity = BuiltinCommand::new(&Setup::default()).expect("the usual settings").identity().clone();
        let mut engine = Engine::Builtin { identity, thread: Blocking::new(engine).expect("a thread") };
        let work = async { Behavior::of(&mut engine).await.expect("a search").digest };
        event_loop().expect("an event loop").block_on(work)
    }

    fn of_program(path: &Path, options: &[&str]) -> (String, String) {
        let settings = options.iter().map(|text| text.parse().expect("a setting")).collect();
        let setup = Setup { settings, ..Setup::default() };
        let command = EngineCommand::new(&EngineChoice::Program(path.to_owned()), &setup).expect("a command");
        let work = async {
            let mut engine = command.start().await.expect("an engine");
            let found = Behavior::of(&mut engine).await.expect("a search");
            let name = engine.identity().name.clone();
            engine.quit().await;
            (name, found.digest)
        };
        event_loop().expect("an event loop").block_on(work)
    }

    #[test]
    fn the_positions_are_of_three_legal_games() {
        let lengths: Vec<usize> = fixed_games().iter().map(|game| game.moves.len()).collect();
        assert_eq!(lengths, [6, 4, 3]);
    }

    #[test]
    fn an_engine_behaves_as_it_did_and_with_other_weights_otherwise() {
        let ours = of_builtin(None);
        assert_eq!(ours.len(), 64);
        assert_eq!(ours, of_builtin(None));
        assert_ne!(ours, of_builtin(Some(Weights::zero().into())));
    }

    #[test]
    fn stockfish_is_known_by_its_behavior_and_behaves_otherwise_with_other_options() {
        let Some(path) = installed_stockfishes().into_iter().next() else { return };
        let (name, usual) = of_program(&path, &[]);
        assert_eq!(of_program(&path, &["Hash=32"]).1, usual);
        assert_ne!(of_program(&path, &["Use NNUE=false"]).1, usual);
        assert_ne!(of_program(&path, &["Skill Level=3"]).1, usual);
        if name == "Stockfish 15.1" {
            let known = "c03b9f0c109463d02c20145c6788dfd6c1ea5f9fb44c76508bee5f2c4b71ed65";
            assert_eq!(usual, known);
        }
    }
}
