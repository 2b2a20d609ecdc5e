//! [`Pace`]: forecast of a search's time. The search's own engines are measured for about a second on some of
//! its positions.

use std::time::Duration;

use tokio::task::JoinSet;

use crate::chess::{Evaluator, Limit, Protocol, Segment};

/// Depth of the first measured searches, in plies. At smaller depths, an engine's initial work takes most of
/// the time.
const FIRST_DEPTH: u32 = 6;

/// Largest number of nodes of a measured search, for an engine with a node limit.
const FEWEST_NODES: u64 = 10_000;

const MEASURED: Duration = Duration::from_secs(1);

/// Number of measured segments per engine, and of measured positions per segment. More than one position is
/// measured, because only the first position of a segment has an empty hash table.
const SEGMENTS: usize = 4;
const POSITIONS: usize = 3;

/// Smallest number of positions for which a search is worth a forecast.
const FEWEST_POSITIONS: u64 = 64;

/// Shortest expected time that is reported.
const REPORTED_FROM: Duration = Duration::from_secs(10);

/// A search is measured only if it takes at least this time by a first, low estimate.
const MEASURED_FROM: Duration = Duration::from_secs(4);

/// Growth factor of the time per ply that the first estimate assumes: the smallest known factor.
const LEAST_GROWTH: f64 = 1.35;

/// Number of the deepest measured depths from which the growth is computed.
const LAST: usize = 5;

/// The part of a ply's measured growth that remains at greater depths. For Stockfish 15.1 each ply from 8 to
/// 13 multiplies the time by 1.64, from 13 to 20 by 1.38. For the built-in engine the factors are 2.3 from 6
/// to 10, and 1.6 from 10 to 14.
const DEEPER: f64 = 0.6;

/// Nodes per second of a fast engine.
const FAST: f64 = 2e6;

/// Conditions for suggesting a quicker limit: the shortest time of the search, the quicker search's largest
/// share of that time, and the quicker search's smallest depth in plies.
const CHOICE_FROM: Duration = Duration::from_secs(60);
const QUICKER: f64 = 0.1;
const LEAST_PLIES: u32 = 8;

/// The time of an engine per position, by depth or by nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Pace {
    /// Each measured depth, with its seconds per position.
    depths: Vec<(u32, f64)>,
    /// Seconds per node.
    node: Option<f64>,
}

/// A limit with which the search would end sooner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuickerChoice {
    pub limit: Limit,
    pub takes: Duration,
}

/// Returns whether a search of this many positions may be long enough to be worth measuring. The estimate
/// uses `probe`: the engine's time per position at depth 6.
pub fn is_worth_measuring(positions: u64, limit: Limit, probe: Duration, engines: usize) -> bool {
    let position = match limit {
        Limit::Depth(depth) => {
            probe.as_secs_f64() * LEAST_GROWTH.powf(f64::from(depth.saturating_sub(FIRST_DEPTH).min(200)))
        }
        Limit::Nodes(nodes) => nodes as f64 / FAST,
    };
    positions >= FEWEST_POSITIONS && taken(positions, position, engines) >= MEASURED_FROM
}

pub fn is_reported(takes: Duration) -> bool {
    takes >= REPORTED_FROM
}

impl Pace {
    /// Measures engines on a few positions of `missing`, for about a second and within the limit of
    /// `protocol`. Returns the pace and the engines. All engines search at the same time, as they will later,
    /// because engines that share a core or a cache are slower.
    pub async fn of<E: Evaluator + 'static>(
        engines: Vec<E>,
        missing: &[&Segment],
        protocol: &Protocol,
    ) -> Result<(Pace, Vec<E>), E::Error> {
        let mut measuring = Measuring { shares: shares(missing, engines.len()), engines };
        let mut pace = Pace { depths: Vec::new(), node: None };
        let mut spent = Duration::ZERO;
        match protocol.limit {
            Limit::Nodes(nodes) => {
                let limit = Limit::Nodes(nodes.min(FEWEST_NODES));
                let (seconds, _) = measuring.seconds(Protocol { limit, ..*protocol }).await?;
                pace.node = Some(seconds / nodes.clamp(1, FEWEST_NODES) as f64);
            }
            Limit::Depth(last) => {
                for depth in FIRST_DEPTH.min(last)..=last {
                    let limit = Limit::Depth(depth);
                    let (seconds, took) = measuring.seconds(Protocol { limit, ..*protocol }).await?;
                    pace.depths.push((depth, seconds));
                    spent += took;
                    // The next search takes longer than all searches so far.
                    if spent + took >= MEASURED {
                        break;
                    }
                }
            }
        }
        Ok((pace, measuring.engines))
    }

    /// Returns the seconds per position; `None` if this kind of limit was not measured, or for a depth below
    /// the measured depths.
    fn position(&self, limit: Limit) -> Option<f64> {
        match limit {
            Limit::Nodes(nodes) => Some(self.node? * nodes as f64),
            Limit::Depth(depth) => {
                if let Some((_, seconds)) = self.depths.iter().find(|(measured, _)| *measured == depth) {
                    return Some(*seconds);
                }
                let &(last, seconds) = self.depths.last()?;
                let plies = f64::from(depth) - f64::from(last);
                (plies > 0.0).then(|| seconds * self.growth().powf(plies))
            }
        }
    }

    /// Returns the growth factor of the time per ply beyond the measured depths, from a line through the
    /// logarithms of the last measured times. The factor is reduced, because an engine prunes more in deeper
    /// searches.
    fn growth(&self) -> f64 {
        let last = &self.depths[self.depths.len().saturating_sub(LAST)..];
        let points: Vec<(f64, f64)> =
            last.iter().map(|&(depth, seconds)| (f64::from(depth), seconds.max(1e-9).ln())).collect();
        let count = points.len() as f64;
        let (depths, times) = points.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
        let middle = (depths / count, times / count);
        let spread: f64 = points.iter().map(|at| (at.0 - middle.0).powi(2)).sum();
        let both: f64 = points.iter().map(|at| (at.0 - middle.0) * (at.1 - middle.1)).sum();
        if spread == 0.0 {
            return LEAST_GROWTH;
        }
        1.0 + DEEPER * ((both / spread).exp() - 1.0).clamp(0.5, 1.5)
    }

    /// Returns the time for this many positions, with this many engines at a time; `None` if the time per
    /// position is unknown.
    pub fn takes(&self, positions: u64, limit: Limit, engines: usize) -> Option<Duration> {
        Some(taken(positions, self.position(limit)?, engines))
    }

    /// Returns a limit with which the search takes at most a tenth of the time. Of several such depths,
    /// returns the deepest. `None` if the search is short, if no depth is quick enough, or if the time is
    /// unknown.
    pub fn quicker(&self, positions: u64, limit: Limit, engines: usize) -> Option<QuickerChoice> {
        let takes = taken(positions, self.position(limit)?, engines);
        if takes < CHOICE_FROM {
            return None;
        }
        let choice =
            |limit| Some(QuickerChoice { limit, takes: taken(positions, self.position(limit)?, engines) });
        match limit {
            Limit::Nodes(nodes) => choice(Limit::Nodes((nodes as f64 * QUICKER) as u64)),
            Limit::Depth(depth) => (LEAST_PLIES..depth)
                .rev()
                .filter_map(|depth| choice(Limit::Depth(depth)))
                .find(|choice| choice.takes <= takes.mul_f64(QUICKER)),
        }
    }
}

/// Returns the time for this many positions, at `position` seconds each.
fn taken(positions: u64, position: f64, engines: usize) -> Duration {
    let seconds = positions as f64 * position / engines.max(1) as f64;
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Engines to be measured, with the segments that each of them searches.
struct Measuring<E> {
    engines: Vec<E>,
    shares: Vec<Vec<Segment>>,
}

impl<E: Evaluator + 'static> Measuring<E> {
    /// Searches the shares with all engines. Returns the mean seconds per position, and the mean search time
    /// of an engine.
    async fn seconds(&mut self, protocol: Protocol) -> Result<(f64, Duration), E::Error> {
        let mut searching = JoinSet::new();
        for (mut engine, share) in self.engines.drain(..).zip(self.shares.clone()) {
            searching.spawn(async move {
                let (mut busy, mut positions) = (Duration::ZERO, 0);
                for segment in &share {
                    let found = engine.evaluate(segment, &protocol).await?;
                    busy += found.busy;
                    positions += found.evaluations.len();
                }
                Ok((engine, busy, positions))
            });
        }
        let (mut busy, mut positions) = (Duration::ZERO, 0);
        for searched in searching.join_all().await {
            let (engine, took, searched) = searched?;
            self.engines.push(engine);
            busy += took;
            positions += searched;
        }
        let engines = self.engines.len().max(1) as f64;
        Ok((busy.as_secs_f64() / positions.max(1) as f64, busy.div_f64(engines)))
    }
}

/// Returns for each engine the beginnings of some segments, evenly spaced among all segments.
fn shares(missing: &[&Segment], engines: usize) -> Vec<Vec<Segment>> {
    let chosen = (SEGMENTS * engines).min(missing.len());
    let place = |number: usize| (2 * number + 1) * missing.len() / (2 * chosen);
    let share = |engine: usize| (engine..chosen).step_by(engines).map(place);
    (0..engines).map(|engine| share(engine).map(|at| missing[at].beginning(POSITIONS)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::base::work::event_loop;
    use crate::chess::{Evaluation, Order, Score, SegmentResult, pgn::parse_games};

    /// An engine that takes a millisecond at depth 6 and twice as long for each further ply. With a node
    /// limit it takes a microsecond per node.
    #[derive(Default)]
    struct Doubling {
        asked: Vec<Limit>,
    }

    fn doubling(limit: Limit) -> Duration {
        match limit {
            Limit::Depth(depth) => Duration::from_micros(1000 << (depth - FIRST_DEPTH)),
            Limit::Nodes(nodes) => Duration::from_micros(nodes),
        }
    }

    impl Evaluator for Doubling {
        type Error = Infallible;

        async fn evaluate(
            &mut self,
            segment: &Segment,
            protocol: &Protocol,
        ) -> Result<SegmentResult, Infallible> {
            self.asked.push(protocol.limit);
            let plies = segment.searches().iter();
            let evaluations = plies.map(|&ply| (ply, Evaluation::of_score(Score::Cp(0)))).collect();
            let busy = doubling(protocol.limit) * segment.searches().len() as u32;
            Ok(SegmentResult { evaluations, iterations: Vec::new(), busy })
        }
    }

    fn measured(limit: Limit) -> (Pace, Vec<Limit>) {
        let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 \
                     10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 *";
        let game = parse_games(moves, "test").remove(0).expect("a game");
        let protocol = Protocol::new(limit, Order::default(), POSITIONS);
        let segments = Segment::cut(&game, &protocol);
        let missing: Vec<&Segment> = segments.iter().collect();
        let engines = vec![Doubling::default(), Doubling::default()];
        let work = async { Pace::of(engines, &missing, &protocol).await.expect("a scripted engine") };
        let (pace, mut engines) = event_loop().expect("an event loop").block_on(work);
        assert_eq!(engines.len(), 2, "both are given back");
        assert_eq!(engines[0].asked, engines[1].asked, "both do the same work");
        (pace, engines.remove(0).asked)
    }

    #[test]
    fn a_second_is_measured_and_the_rest_follows_from_how_it_grew() {
        let (pace, asked) = measured(Limit::Depth(20));
        let spent: Duration = asked.iter().map(|&limit| doubling(limit) * POSITIONS as u32).sum();
        assert!(spent > MEASURED / 2 && spent < 2 * MEASURED, "{spent:?}");
        // Depths up to 11 are measured. Each further ply takes 1.6 times as long, because each measured ply
        // doubled the time.
        assert_eq!(asked.last(), Some(&Limit::Depth(11)));
        let takes = pace.takes(4883, Limit::Depth(20), 2).expect("a long search");
        let expected = 4883.0 * 0.032 * 1.6_f64.powi(9) / 2.0;
        assert!((takes.as_secs_f64() / expected - 1.0).abs() < 1e-6, "{takes:?}");
        let quicker = pace.quicker(4883, Limit::Depth(20), 2).expect("a quicker one");
        // The fourth power of 1.6 is below ten, the fifth is above.
        assert_eq!(quicker.limit, Limit::Depth(15));
        assert!((quicker.takes.as_secs_f64() * 1.6_f64.powi(5) / expected - 1.0).abs() < 1e-6);
    }

    #[test]
    fn nodes_take_as_long_as_there_are_of_them() {
        let (pace, asked) = measured(Limit::Nodes(1_000_000));
        assert_eq!(asked, [Limit::Nodes(FEWEST_NODES); SEGMENTS]);
        assert_eq!(pace.takes(100, Limit::Nodes(1_000_000), 1), Some(Duration::from_secs(100)));
        let quicker = QuickerChoice { limit: Limit::Nodes(100_000), takes: Duration::from_secs(10) };
        assert_eq!(pace.quicker(100, Limit::Nodes(1_000_000), 1), Some(quicker));
        assert_eq!(pace.takes(100, Limit::Depth(10), 1), None, "a limit of another kind");
    }

    #[test]
    fn what_is_soon_over_is_neither_measured_nor_told() {
        let probe = Duration::from_millis(1);
        assert!(!is_worth_measuring(63, Limit::Depth(40), probe, 1));
        assert!(!is_worth_measuring(1000, Limit::Depth(6), probe, 1));
        assert!(is_worth_measuring(4883, Limit::Depth(20), probe, 2));
        assert!(is_worth_measuring(4883, Limit::Depth(u32::MAX), probe, 2));
        let (pace, asked) = measured(Limit::Depth(7));
        assert_eq!(asked.len(), 2 * SEGMENTS);
        assert!(!pace.takes(1000, Limit::Depth(7), 1).is_some_and(is_reported));
        assert_eq!(pace.quicker(25_000, Limit::Depth(7), 1), None, "50 seconds are soon over");
    }
}
