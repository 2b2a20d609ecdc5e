//! [`CalibrationBlock`]: moves of one event by players of similar rating, the unit of fitting and testing.

use std::collections::BTreeMap;

use super::{
    play::GamePlay, sample::CalibrationPlay, sample::CalibrationSample, scale::RatingScale, usual::is_log,
};
use crate::chess::{Date, Phase};
use crate::measure::tournament::statistics::Statistic;

#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationBlock {
    pub event: u32,
    pub elo: f64,
    pub total: GamePlay,
    /// The sums of each player's moves in each game.
    pub games: Vec<GamePlay>,
    pub accuracy: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
struct ScaledPlay {
    elo: f64,
    date: Option<Date>,
    play: GamePlay,
    accuracy: Option<f64>,
}

impl ScaledPlay {
    /// Returns a player's moves of `phase`, or of the whole game; `None` without a rating or without moves.
    fn of(play: &CalibrationPlay, scale: RatingScale, phase: Option<Phase>) -> Option<ScaledPlay> {
        let (elo, date, accuracy) = (play.rating(scale)?, play.date, play.accuracy);
        let play = play.of(phase);
        (play.moves() > 0).then_some(ScaledPlay { elo, date, play, accuracy })
    }
}

impl CalibrationBlock {
    /// Cuts the moves of `phase`, or of whole games, into blocks. Within an event, the players' games are
    /// sorted by rating, and a block ends as soon as it has `least` moves. A remainder with at least half as
    /// many moves as `least` becomes a block; a smaller remainder joins the last block of the event. An event
    /// with fewer than `least` moves is one block.
    pub fn cut(
        sample: &CalibrationSample,
        scale: RatingScale,
        phase: Option<Phase>,
        least: u64,
    ) -> Vec<CalibrationBlock> {
        (0..sample.events.len() as u32)
            .flat_map(|event| {
                let plays = sample.plays.iter().filter(|play| play.event == event);
                let rated = plays.filter_map(|play| ScaledPlay::of(play, scale, phase));
                let mut rated: Vec<ScaledPlay> = rated.collect();
                // Equal ratings keep the order of the games.
                rated.sort_by(|a, b| a.elo.total_cmp(&b.elo));
                pieces(&rated, least)
                    .into_iter()
                    .map(move |piece| CalibrationBlock::of(event, piece))
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// Returns one block for each rated player of each event.
    pub fn of_players(
        sample: &CalibrationSample,
        scale: RatingScale,
        phase: Option<Phase>,
    ) -> Vec<CalibrationBlock> {
        let players = plays_of_players(sample, scale, phase).into_iter();
        players.map(|(event, plays)| CalibrationBlock::of(event, &plays)).collect()
    }

    /// Cuts the consecutive games of each player of each event into blocks, each of which ends as soon as it has `least`
    /// moves. A remainder is treated as in [`CalibrationBlock::cut`].
    pub fn of_runs(
        sample: &CalibrationSample,
        scale: RatingScale,
        phase: Option<Phase>,
        least: u64,
    ) -> Vec<CalibrationBlock> {
        let players = plays_of_players(sample, scale, phase).into_iter();
        let blocks = players.flat_map(|(event, plays)| {
            let pieces = pieces(&plays, least).into_iter();
            pieces.map(|piece| CalibrationBlock::of(event, piece)).collect::<Vec<_>>()
        });
        blocks.collect()
    }

    /// Returns the value of a statistic as [`super::UsualPlay`] averages it; `None` if it is unknown, and for
    /// the logarithm of 0.
    pub fn usual(&self, statistic: Statistic) -> Option<f64> {
        let value = match statistic {
            Statistic::Accuracy => self.accuracy,
            _ => self.total.mean(statistic),
        };
        value
            .map(|value| if is_log(statistic) { value.ln() } else { value })
            .filter(|value| value.is_finite())
    }

    pub fn moves(&self) -> f64 {
        self.total.moves() as f64
    }

    pub fn joined(blocks: &[CalibrationBlock]) -> CalibrationBlock {
        let total: GamePlay = blocks.iter().map(|block| &block.total).sum();
        let moves = total.moves() as f64;
        let elo = blocks.iter().map(|block| block.elo * block.moves()).sum::<f64>() / moves;
        let accuracy = blocks.iter().map(|block| Some(block.accuracy? * block.moves())).sum::<Option<f64>>();
        CalibrationBlock {
            event: blocks.first().map_or(0, |block| block.event),
            elo,
            total,
            games: blocks.iter().flat_map(|block| block.games.iter().copied()).collect(),
            accuracy: accuracy.map(|sum| sum / moves),
        }
    }

    fn of(event: u32, rated: &[ScaledPlay]) -> CalibrationBlock {
        let games: Vec<GamePlay> = rated.iter().map(|one| one.play).collect();
        let total: GamePlay = games.iter().sum();
        let mean = |of: &dyn Fn(&ScaledPlay) -> Option<f64>| {
            let sum = rated.iter().map(|one| Some(of(one)? * one.play.moves() as f64)).sum::<Option<f64>>();
            sum.map(|sum| sum / total.moves() as f64)
        };
        let elo = mean(&|one| Some(one.elo)).unwrap_or_default();
        CalibrationBlock { event, elo, total, games, accuracy: mean(&|one| one.accuracy) }
    }
}

/// Returns the games of each rated player, in the order of their dates, with the event.
fn plays_of_players(
    sample: &CalibrationSample,
    scale: RatingScale,
    phase: Option<Phase>,
) -> Vec<(u32, Vec<ScaledPlay>)> {
    let mut players: BTreeMap<(u32, &str), Vec<ScaledPlay>> = BTreeMap::new();
    for play in &sample.plays {
        if let Some(one) = ScaledPlay::of(play, scale, phase) {
            players.entry((play.event, &play.player)).or_default().push(one);
        }
    }
    for plays in players.values_mut() {
        plays.sort_by_key(|play| play.date.map(|date| (date.year(), date.month(), date.day())));
    }
    players.into_iter().map(|((event, _), plays)| (event, plays)).collect()
}

/// Splits `rated` into consecutive pieces for [`CalibrationBlock::cut`].
fn pieces(rated: &[ScaledPlay], least: u64) -> Vec<&[ScaledPlay]> {
    let mut pieces = Vec::new();
    let (mut from, mut moves) = (0, 0);
    for (place, one) in rated.iter().enumerate() {
        moves += one.play.moves();
        if moves >= least {
            pieces.push(&rated[from..=place]);
            (from, moves) = (place + 1, 0);
        }
    }
    if moves > 0 {
        match pieces.last_mut() {
            Some(last) if 2 * moves < least => *last = &rated[from - last.len()..],
            _ => pieces.push(&rated[from..]),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rated(moves: &[u64]) -> Vec<ScaledPlay> {
        let one = |(place, &moves): (usize, &u64)| ScaledPlay {
            elo: 2000.0 + place as f64,
            date: None,
            play: GamePlay::from_sums(moves, [0.0; 5]),
            accuracy: Some(90.0),
        };
        moves.iter().enumerate().map(one).collect()
    }

    #[test]
    fn a_small_rest_goes_to_the_last_block() {
        let cut = |moves: &[u64]| -> Vec<usize> {
            pieces(&rated(moves), 100).into_iter().map(<[_]>::len).collect()
        };
        assert_eq!(cut(&[60, 50, 99, 1, 49]), [2, 3]);
        assert_eq!(cut(&[60, 50, 99, 1, 50]), [2, 2, 1]);
        assert_eq!(cut(&[30]), [1]);
        assert_eq!(cut(&[]), [0; 0]);
        // (60·2000 + 40·2001)/100.
        assert!((CalibrationBlock::of(0, &rated(&[60, 40])).elo - 2000.4).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn blocks_lose_no_move(moves in prop::collection::vec(1u64..90, 0..80), least in 1u64..500) {
            let all = rated(&moves);
            let blocks: Vec<CalibrationBlock> = pieces(&all, least).into_iter().map(|piece| CalibrationBlock::of(0, piece)).collect();
            prop_assert_eq!(blocks.iter().map(|block| block.total.moves()).sum::<u64>(), moves.iter().sum::<u64>());
            prop_assert!(blocks.len() < 2 || blocks.iter().all(|block| 2 * block.total.moves() >= least));
            prop_assert!(blocks.windows(2).all(|pair| pair[0].elo <= pair[1].elo));
        }
    }
}
