//! [`PeerRank`]: comparison of a player's games with the games of players of the same rating and speed.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::{ByColor, Color, Position};

use super::{GameOdds, GamePart, MeasuredMove, PlayMeasure, Reference, SidePlay};
use crate::chess::{ClockHands, EvaluatedGame, Phase, evaluated_game::LICHESS, pgn::hundredths};
use crate::measure::calibration::CalibratedGames;
use crate::measure::group::{SpeedAndElo, UNKNOWN};
use crate::measure::tournament::sample::player_name;
use crate::numbers::{Estimate, Interval, ValueCounts, stats::estimate::mean_of};

/// One player of a game, with the group with which the game is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct PeerSide {
    /// The number of the game among all games read.
    pub ordinal: usize,
    pub color: Color,
    pub opponent: String,
    pub group: SpeedAndElo,
    /// The kind of the game's evaluations: engine and protocol.
    pub kind: String,
    pub play: SidePlay,
}

/// A player's rank among players of the same rating and speed, by one measure.
#[derive(Debug, Clone, PartialEq)]
pub struct PeerRank {
    pub measure: PlayMeasure,
    pub part: GamePart,
    /// Mean of the measure over the games, in the measure's unit.
    pub value: f64,
    /// The probability that a game of the player has a better value than a game of a peer. For time, a longer
    /// time counts as better. 0.5 is average. Each game is compared with games of its own rating and speed; a
    /// tie counts as half (Mann and Whitney 1947).
    pub above: Estimate,
    pub games: usize,
    /// The groups with which the games are compared.
    pub groups: Vec<SpeedAndElo>,
    /// Number of games in these groups, each counted once per player.
    pub peer_games: u64,
}

/// A game of a player, with the number of games of peers that are at least as accurate.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedGame {
    /// The number of the game among all games read.
    pub ordinal: usize,
    pub color: Color,
    pub opponent: String,
    /// The player's accuracy, in percent.
    pub accuracy: f64,
    pub odds: GameOdds,
}

impl RankedGame {
    fn of(side: &PeerSide, reference: &Reference) -> Option<RankedGame> {
        let tenths = side.play.of(PlayMeasure::Accuracy, GamePart::Whole)?;
        let value = (PlayMeasure::Accuracy, tenths);
        Some(RankedGame {
            ordinal: side.ordinal,
            color: side.color,
            opponent: side.opponent.clone(),
            accuracy: PlayMeasure::STEP * f64::from(tenths),
            odds: reference.odds(&side.group, &side.kind, value, side.play.length()?)?,
        })
    }
}

/// A player's ranks by every measure, for every part of a game that can be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct PeerStanding {
    /// The ranks by measure, and within a measure by part; at least one.
    pub ranks: Vec<PeerRank>,
    /// The games that can be compared by their length, the most unusual first.
    pub games: Vec<RankedGame>,
    pub width: u32,
    /// True if games without a time control are over-the-board games.
    pub is_over_the_board: bool,
    /// The kinds of evaluations: engine and protocol.
    pub kinds: BTreeSet<String>,
}

impl PeerStanding {
    /// Compares these sides with the reference; `None` if nothing is comparable.
    pub fn of(sides: &[PeerSide], reference: &Reference) -> Option<PeerStanding> {
        let ranks = ranks(sides, reference);
        let mut games: Vec<RankedGame> =
            sides.iter().filter_map(|side| RankedGame::of(side, reference)).collect();
        games.sort_by(|a, b| a.odds.share().value.total_cmp(&b.odds.share().value));
        (!ranks.is_empty()).then(|| PeerStanding {
            ranks,
            games,
            width: reference.width(),
            is_over_the_board: reference.is_over_the_board(),
            kinds: sides.iter().map(|side| side.kind.clone()).collect(),
        })
    }

    /// Returns the player's game with this number and color.
    pub fn game(&self, ordinal: usize, color: Color) -> Option<&RankedGame> {
        self.games.iter().find(|game| (game.ordinal, game.color) == (ordinal, color))
    }

    pub fn rank(&self, measure: PlayMeasure, part: GamePart) -> Option<&PeerRank> {
        self.ranks.iter().find(|rank| (rank.measure, rank.part) == (measure, part))
    }
}

/// The games of peers, and a function that returns the kind of a game's evaluations.
pub type PeerGames<'a> = (&'a Reference, &'a dyn Fn(&EvaluatedGame) -> Option<String>);

/// Compares each player's `games` with the games of `peers`. If no game is comparable, compares the games
/// `rated`. If none of them is comparable either, also returns the kinds of all known evaluations.
pub fn standings(
    games: &[EvaluatedGame],
    rated: Option<CalibratedGames<'_>>,
    peers: Option<PeerGames<'_>>,
) -> (BTreeMap<String, PeerStanding>, BTreeSet<String>) {
    let Some((reference, kind)) = peers else { return Default::default() };
    // Only a rating by lichess's evaluations knows their scale.
    let by_lichess = rated.filter(|rated| rated.calibration.is_of_lichess());
    let games = by_lichess.map_or(games, |rated| rated.games);
    let kind = |game: &EvaluatedGame| kind(game).filter(|kind| by_lichess.is_some() || kind != LICHESS);
    let mut found = comparable(games, reference, kind);
    if let Some(rated) = rated.filter(|_| found.is_empty()) {
        found = comparable(rated.games, reference, |_| Some(rated.calibration.kind()));
    }
    // Evaluations by an unknown engine cannot be compared, and the user cannot change that.
    let known = games.iter().filter_map(kind).filter(|kind| kind != UNKNOWN);
    let known = known.chain(rated.map(|rated| rated.calibration.kind()));
    let kinds = if found.is_empty() { known.collect() } else { BTreeSet::new() };
    (found, kinds)
}

/// Compares each player's games with the `reference`. Players without a comparable game are left out.
fn comparable(
    games: &[EvaluatedGame],
    reference: &Reference,
    kind: impl Fn(&EvaluatedGame) -> Option<String>,
) -> BTreeMap<String, PeerStanding> {
    let mut sides: BTreeMap<String, Vec<PeerSide>> = BTreeMap::new();
    for evaluated in games {
        let Some(kind) = kind(evaluated) else { continue };
        let game = evaluated.game();
        let speed = game.tags.time_class();
        let is_of_server = game.tags.rating_system().is_of_server();
        let group = |color| {
            let group = reference.group(speed, game.elo(color)?, is_of_server)?;
            reference.counts(&group, &kind).map(|_| group)
        };
        let groups = ByColor::new_with(group);
        if groups.iter().all(Option::is_none) {
            continue;
        }
        for ((color, group), play) in
            Color::ALL.into_iter().zip(groups).zip(SidePlay::of_game(&measured(evaluated)))
        {
            let Some(group) = group else { continue };
            let [name, opponent] = [color, !color].map(|color| player_name(game, color));
            let ordinal = game.source.ordinal;
            let side = PeerSide { ordinal, color, opponent, group, kind: kind.clone(), play };
            sides.entry(name).or_default().push(side);
        }
    }
    let standing =
        |(name, sides): (String, Vec<PeerSide>)| Some((name, PeerStanding::of(&sides, reference)?));
    sides.into_iter().filter_map(standing).collect()
}

fn measured(evaluated: &EvaluatedGame) -> Vec<MeasuredMove> {
    let (game, evaluations) = (evaluated.game(), evaluated.evaluations());
    let mut hands = ClockHands::of(game.tags.time_control());
    let mut backwards = 0;
    let moves = game.positions().zip(&game.moves).enumerate().map(|(ply, (position, played))| {
        let mover = position.turn();
        let by_clock = hands.spent(mover, played.clock.map(hundredths), &mut backwards);
        let best = evaluations.at(ply).and_then(|before| before.best);
        MeasuredMove {
            mover,
            after: evaluations.after_moves()[ply].score.times(evaluated.factor()),
            phase: Phase::of(&position),
            is_choice: best.map(|best| best == played.uci),
            spent: played.elapsed.map(hundredths).or(by_clock),
        }
    });
    moves.collect()
}

fn ranks(sides: &[PeerSide], reference: &Reference) -> Vec<PeerRank> {
    let all = PlayMeasure::ALL.into_iter().flat_map(|measure| GamePart::SHOWN.map(|part| (measure, part)));
    all.filter_map(|(measure, part)| rank(sides, reference, measure, part)).collect()
}

fn rank(sides: &[PeerSide], reference: &Reference, measure: PlayMeasure, part: GamePart) -> Option<PeerRank> {
    let mut own: BTreeMap<(SpeedAndElo, &str), Vec<i32>> = BTreeMap::new();
    for side in sides {
        let Some(tenths) = side.play.of(measure, part) else { continue };
        own.entry((side.group, &side.kind)).or_default().push(tenths as i32);
    }
    let compared: Vec<(SpeedAndElo, Vec<i32>, &ValueCounts)> = own
        .into_iter()
        .filter_map(|((group, kind), values)| {
            let peers = reference.counts(&group, kind)?.of(measure, part);
            peers.iter().next().is_some().then_some((group, values, peers))
        })
        .collect();
    let games: usize = compared.iter().map(|(_, values, _)| values.len()).sum();
    let mut shares = Vec::with_capacity(games);
    let (mut variance, mut peer_games) = (0.0, 0);
    for (_, values, peers) in &compared {
        let count = peers.total();
        let peers = || peers.iter().map(|(value, sides)| (value, sides as f64));
        let better = |own: i32, other: i32| match measure.is_loss() {
            true => above(other, own),
            false => above(own, other),
        };
        let from = shares.len();
        shares.extend(values.iter().map(|&own| {
            peers().map(|(other, sides)| sides * better(own, other)).sum::<f64>() / count as f64
        }));
        let mean = mean_of(&shares[from..])?;
        // The variation of the mean if the same peers had played other games: the second term of a two-sample
        // U statistic.
        let scatter = |(other, sides): (i32, f64)| {
            let below = values.iter().map(|&own| better(own, other)).sum::<f64>() / values.len() as f64;
            sides * (below - mean).powi(2)
        };
        variance += (values.len() as f64 / games as f64).powi(2) * peers().map(scatter).sum::<f64>()
            / (count as f64).powi(2);
        peer_games += count;
    }
    let share = mean_of(&shares)?;
    let value = mean_of(
        &compared.iter().flat_map(|(_, values, _)| values).map(|&v| f64::from(v)).collect::<Vec<_>>(),
    )?;
    if games > 1 {
        let squares: f64 = shares.iter().map(|own| (own - share).powi(2)).sum();
        variance += squares / ((games - 1) * games) as f64;
    }
    let interval = match games {
        // For a single game, the interval depends only on the number of peers' games.
        1 => Some(Interval::normal(share, variance.sqrt())),
        _ => Interval::clustered(share, variance.sqrt(), games),
    };
    let above = Estimate {
        value: share,
        observations: games,
        interval: interval.map(|interval| interval.within(0.0, 1.0)),
    };
    let groups = compared.iter().map(|(group, ..)| *group).collect();
    Some(PeerRank { measure, part, value: PlayMeasure::STEP * value, above, games, groups, peer_games })
}

/// Returns 1 if `one` is greater than `other`, 0 if it is less, and ½ if they are equal.
fn above(one: i32, other: i32) -> f64 {
    f64::from(1 + one.cmp(&other) as i8) / 2.0
}

#[cfg(test)]
mod tests;
