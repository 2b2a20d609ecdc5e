//! [`PositionPlan`]: the choice of positions for a fit. All positions are different, and no phase of the game
//! has most of them.

use std::{collections::HashSet, fmt};

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use shakmaty::Chess;

use crate::training_game::quiet_positions;
use gainalyze::engine::Stop;
use gainalyze::engine::chess_engine::{Blend, ChessEngine, KeyedPosition, Weights, WeightsFile};

/// The settings for a choice of positions. With the same settings and weights, the positions are the same on
/// every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionPlan {
    /// Number of different positions.
    pub count: usize,
    /// Random seed.
    pub seed: u64,
    /// Nodes that the engine searches for each move.
    pub nodes: u64,
}

/// Number of bands of material. All bands have the same width.
pub const PHASE_BANDS: usize = 5;

/// Limit on the share of the positions that come from one band, as a multiple of 1 / [`PHASE_BANDS`].
const LARGEST_SHARE: f64 = 1.5;

/// Number of games that are played before positions are chosen from them.
const BATCH: u64 = 256;

/// After this many successive batches from which no position was chosen, no more games are played.
const BARREN_BATCHES: u32 = 20;

impl PositionPlan {
    /// Chooses positions from games of an engine with these weights. No more games are played when `count`
    /// positions are chosen, when `stop` is requested, or after [`BARREN_BATCHES`] batches from which no
    /// position was chosen. After each batch, `progress` receives the number of positions chosen so far.
    pub fn make(&self, weights: &Weights, stop: &Stop, mut progress: impl FnMut(usize)) -> Vec<Chess> {
        let engine = || {
            let mut engine = ChessEngine::new(1);
            engine.set_weights(WeightsFile::from(weights.clone()));
            engine
        };
        let mut chosen = ChosenPositions::of(self.count);
        let mut barren = 0;
        let mut first = 0;
        while !chosen.is_full() && barren < BARREN_BATCHES && !stop.is_requested() {
            let games: Vec<Vec<Chess>> = (first..first + BATCH)
                .into_par_iter()
                .map_init(engine, |engine, game| quiet_positions(self, engine, game))
                .collect();
            let before = chosen.positions.len();
            games.into_iter().flatten().for_each(|chess| chosen.offer(chess));
            barren = if chosen.positions.len() == before { barren + 1 } else { 0 };
            first += BATCH;
            progress(chosen.positions.len());
        }
        chosen.positions
    }
}

impl fmt::Display for PositionPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PositionPlan { count, seed, nodes } = self;
        write!(f, "{count} positions of games at {nodes} nodes a move, seed {seed}")
    }
}

/// The positions chosen so far, the number wanted in all, and the room left in each band.
struct ChosenPositions {
    wanted: usize,
    positions: Vec<Chess>,
    keys: HashSet<u64>,
    room: [usize; PHASE_BANDS],
}

impl ChosenPositions {
    fn of(count: usize) -> ChosenPositions {
        let room = [(LARGEST_SHARE * count as f64 / PHASE_BANDS as f64).ceil() as usize; PHASE_BANDS];
        ChosenPositions { wanted: count, positions: Vec::new(), keys: HashSet::new(), room }
    }

    fn is_full(&self) -> bool {
        self.positions.len() >= self.wanted
    }

    /// Adds the position if more positions are wanted, the position is new, and its band has room.
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

/// Returns the index of the position's band of material.
pub fn phase_band(chess: &Chess) -> usize {
    let phase = Blend::of(chess).phase.clamp(0, Blend::MIDDLEGAME);
    phase as usize * PHASE_BANDS / (Blend::MIDDLEGAME as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Position;

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
    fn a_stop_ends_the_games() {
        let stop = Stop::default();
        stop.request();
        assert!(PLAN.make(&Weights::default(), &stop, |_| {}).is_empty());
    }
}
