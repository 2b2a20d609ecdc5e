//! Owns the positions that weights are fitted to: quiet ones out of games that the engine plays with itself.

use std::{
    collections::HashSet,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use shakmaty::{Chess, Move, Position};

use super::labels::{fen, position};
use crate::{
    chess_engine::{Blend, ChessEngine, KeyedPosition, Limits, Root, Variation, Weights, WeightsFile},
    engine::within::weights_digest,
    score::SignedScore,
    stats::uniform::below,
    text::brief,
    work::Stop,
};

/// Which positions to make: the same plan gives the same positions on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionPlan {
    /// How many, all different.
    pub count: usize,
    /// From which random numbers.
    pub seed: u64,
    /// The nodes that the engine searches for a move.
    pub nodes: u64,
}

/// The material of a position is in one of so many bands of equal width, from the last pieces to all of them.
pub const PHASE_BANDS: usize = 5;

/// No band gives more than this many times its share of the positions.
const LARGEST_SHARE: f64 = 1.5;

/// Games played at once before their positions are sorted out.
const BATCH: u64 = 256;

/// One move in so many is random, for positions that good play alone does not reach.
const RANDOM_MOVE_IN: usize = 40;

/// One position in so many of a game is taken, since neighbours are alike.
const TAKEN_IN: usize = 2;

/// From so many centipawns on a game is nearly decided, and fewer of its positions are taken.
const LOPSIDED: i32 = 400;

/// One position in so many of those is taken.
const LOPSIDED_TAKEN_IN: usize = 6;

/// A game is long enough after so many plies.
const LONGEST: usize = 240;

/// An opening is fair if neither side is so many centipawns ahead; games from others are not played.
const UNFAIR: i32 = 200;

/// A game is decided when it is worth so many centipawns to one side.
const DECIDED: i32 = 1200;

/// A batch without anything new in the bands that still have room is the last after so many like it.
const BARREN_BATCHES: u32 = 20;

/// Why a file of positions cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}", path = path.display())]
pub struct PositionFileError {
    path: PathBuf,
    problem: String,
}

impl PositionPlan {
    /// Reads the positions that this plan made with an engine of these weights into a file; `None` if there is no such file
    /// yet.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is of another plan, or has a line that is no position.
    pub fn read(&self, path: &Path, weights: &Weights) -> Result<Option<Vec<Chess>>, PositionFileError> {
        let error = |problem: String| PositionFileError { path: path.to_owned(), problem };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(error(source.to_string())),
        };
        let mut lines = text.lines().enumerate();
        let heading = self.heading(weights);
        if lines.next().is_none_or(|(_, first)| first != heading) {
            return Err(error(format!("the first line is not {heading:?}: it is of another run")));
        }
        let parsed = lines.map(|(index, line)| {
            let problem = || format!("line {}: {:?} is not a position", index + 1, brief(line));
            position(line).ok_or_else(|| error(problem()))
        });
        parsed.collect::<Result<Vec<Chess>, _>>().map(Some)
    }

    /// Writes positions that [`PositionPlan::read`] reads.
    pub fn write(&self, positions: &[Chess], weights: &Weights) -> String {
        let lines = positions.iter().map(|chess| fen(chess) + "\n");
        std::iter::once(self.heading(weights) + "\n").chain(lines).collect()
    }

    fn heading(&self, weights: &Weights) -> String {
        let file = WeightsFile::from(weights.clone());
        format!("# {self}, weights {}", &weights_digest(&file)[..16])
    }

    /// Plays games with an engine of these weights until all positions are found, `stop` is requested, or games hardly lead to anything new. `progress` hears how
    /// many there are.
    pub fn make(&self, weights: &Weights, stop: &Stop, mut progress: impl FnMut(usize)) -> Vec<Chess> {
        let engine = || {
            let mut engine = ChessEngine::new(1);
            engine.set_weights(weights.clone().into());
            engine
        };
        let mut chosen = Chosen::of(self.count);
        let mut barren = 0;
        let mut first = 0;
        while !chosen.is_full() && barren < BARREN_BATCHES && !stop.is_requested() {
            let games: Vec<Vec<Chess>> = (first..first + BATCH)
                .into_par_iter()
                .map_init(engine, |engine, game| self.quiet_positions(engine, game))
                .collect();
            let before = chosen.positions.len();
            games.into_iter().flatten().for_each(|chess| chosen.offer(chess));
            barren = if chosen.positions.len() == before { barren + 1 } else { 0 };
            first += BATCH;
            progress(chosen.positions.len());
        }
        chosen.positions
    }

    /// Plays a game from an opening of random moves, and gives those of its positions in which nothing hangs in the air.
    fn quiet_positions(&self, engine: &mut ChessEngine, game: u64) -> Vec<Chess> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(game);
        engine.clear();
        let opening = 6 + below(&mut random, 5);
        let mut root = Root::new(Chess::default());
        let mut quiet = Vec::new();
        for ply in 0..LONGEST {
            let chess = root.position().chess();
            if chess.is_game_over() || chess.halfmoves() >= 100 {
                break;
            }
            let m = if ply < opening {
                random_move(chess, &mut random)
            } else {
                let found = engine.search(&root, &Limits::nodes(self.nodes), &mut ());
                let Some((best, value)) = found.variations.first().and_then(best_and_value) else { break };
                if value.abs() > if ply == opening { UNFAIR } else { DECIDED } {
                    break;
                }
                let taken_in = if value.abs() < LOPSIDED { TAKEN_IN } else { LOPSIDED_TAKEN_IN };
                if is_quiet(chess, best) && below(&mut random, taken_in) == 0 {
                    quiet.push(chess.clone());
                }
                let random_instead = below(&mut random, RANDOM_MOVE_IN) == 0;
                if random_instead { random_move(chess, &mut random) } else { best }
            };
            if root.play(m).is_err() {
                break;
            }
        }
        quiet
    }
}

impl fmt::Display for PositionPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PositionPlan { count, seed, nodes } = self;
        write!(f, "{count} positions of games at {nodes} nodes a move, seed {seed}")
    }
}

/// The positions taken so far, and how many more are wanted: in all, and at most of each band.
struct Chosen {
    wanted: usize,
    positions: Vec<Chess>,
    keys: HashSet<u64>,
    room: [usize; PHASE_BANDS],
}

impl Chosen {
    fn of(count: usize) -> Chosen {
        let room = [(LARGEST_SHARE * count as f64 / PHASE_BANDS as f64).ceil() as usize; PHASE_BANDS];
        Chosen { wanted: count, positions: Vec::new(), keys: HashSet::new(), room }
    }

    fn is_full(&self) -> bool {
        self.positions.len() >= self.wanted
    }

    /// Takes a position that is new, if its band has room.
    fn offer(&mut self, chess: Chess) {
        let room = &mut self.room[phase_band(&chess)];
        if self.positions.len() < self.wanted
            && *room > 0
            && self.keys.insert(KeyedPosition::new(chess.clone()).key())
        {
            *room -= 1;
            self.positions.push(chess);
        }
    }
}

/// Finds the band of a position's material, below [`PHASE_BANDS`].
pub fn phase_band(chess: &Chess) -> usize {
    let phase = Blend::of(chess.board()).phase.clamp(0, Blend::MIDDLEGAME);
    phase as usize * PHASE_BANDS / (Blend::MIDDLEGAME as usize + 1)
}

fn random_move(chess: &Chess, random: &mut ChaCha8Rng) -> Move {
    let moves = chess.legal_moves();
    moves[below(random, moves.len())]
}

fn best_and_value(line: &Variation) -> Option<(Move, i32)> {
    match line.score {
        SignedScore::Cp(value) => Some((*line.moves.first()?, value)),
        SignedScore::Mate(_) => None,
    }
}

/// Tells whether a position can be judged as it stands: nobody is in check, and nothing is taken next.
fn is_quiet(chess: &Chess, best: Move) -> bool {
    !chess.is_check() && !best.is_capture() && !best.is_promotion()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: PositionPlan = PositionPlan { count: 60, seed: 1, nodes: 10 };

    #[test]
    fn positions_are_quiet_and_distinct_and_no_phase_has_most_of_them() {
        let positions = PLAN.make(&Weights::material(), &Stop::default(), |_| {});
        assert_eq!(positions.len(), PLAN.count);
        let keys: HashSet<u64> =
            positions.iter().map(|chess| KeyedPosition::new(chess.clone()).key()).collect();
        assert_eq!(keys.len(), PLAN.count);
        assert!(positions.iter().all(|chess| !chess.is_check() && !chess.is_game_over()));
        for band in 0..PHASE_BANDS {
            let share = positions.iter().filter(|chess| phase_band(chess) == band).count();
            assert!(share <= PLAN.count * 3 / 10, "band {band}: {share}");
        }
    }

    #[test]
    fn the_same_plan_gives_the_same_positions_on_any_number_of_threads() {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| PLAN.make(&Weights::default(), &Stop::default(), |_| {}))
        };
        assert_eq!(on(1), on(3));
        assert_ne!(
            on(1),
            PositionPlan { seed: 2, ..PLAN }.make(&Weights::default(), &Stop::default(), |_| {})
        );
    }

    #[test]
    fn positions_are_read_back_if_they_are_of_the_same_plan() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("positions.fen");
        let plan = PositionPlan { count: 5, ..PLAN };
        let weights = Weights::material();
        assert_eq!(plan.read(&path, &weights).expect("no file"), None);
        let positions = plan.make(&weights, &Stop::default(), |_| {});
        fs::write(&path, plan.write(&positions, &weights)).expect("a file");
        assert_eq!(plan.read(&path, &weights).expect("positions"), Some(positions));
        let other = |plan: PositionPlan, weights: &Weights| {
            plan.read(&path, weights).expect_err("an error").to_string()
        };
        assert!(other(PLAN, &weights).contains("of another run"));
        assert!(other(plan, &Weights::zero()).contains("of another run"));
        let text = fs::read_to_string(&path).expect("the file");
        fs::write(&path, text + "8/8/8/8/8/8/8/8 w - - 0 1\n").expect("a file");
        assert!(other(plan, &weights).ends_with("line 7: \"8/8/8/8/8/8/8/8 w - - 0 1\" is not a position"));
    }

    #[test]
    fn a_stop_ends_the_games() {
        let stop = Stop::default();
        stop.request();
        assert!(PLAN.make(&Weights::default(), &stop, |_| {}).is_empty());
    }
}
