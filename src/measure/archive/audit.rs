//! Consistency checks of an archive's counts. They find sums that no games can have.

use super::{
    clocks::ClockClass, counts::ArchiveCounts, counts::GroupCounts, entrants::split_entrant,
    options::CountKey,
};
use crate::chess::{Metric, game::HIGHEST_ELO};
use crate::measure::{group::Grouping, peers::GamePart, peers::PlayMeasure};
use crate::numbers::{ClusterSums, SumBounds};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct CountFault {
    place: String,
    problem: &'static str,
}

/// The largest count or sum accepted. Two such numbers can be added without overflow, and every archive has
/// far smaller numbers.
pub const LARGEST: u64 = 1 << 60;

const HALF_POINTS: SumBounds = SumBounds { low: 0, high: 2 };

/// Bounds of the score kept by a player in one game, in units of [`super::game_counts::KEPT_UNIT`]. The score
/// kept is at most ½, its value at the start of a game.
const KEPT: SumBounds = SumBounds { low: 0, high: 50_000 };

/// Checks counts made with the options `key`.
pub fn check(counts: &ArchiveCounts, key: &CountKey) -> Result<(), CountFault> {
    let gains = SumBounds { low: *key.gains().start(), high: *key.gains().end() };
    let games = counts.games.chosen;
    let (mut sides, mut entrants, mut moves) = (0u128, 0u128, 0u128);
    for (name, group) in &counts.groups {
        let fault = |problem| CountFault { place: format!("group {name:?}"), problem };
        check_group(group, key, gains).map_err(fault)?;
        if group.games > games {
            return Err(fault("more games than the archive has"));
        }
        match split_entrant(name) {
            Some(_) if key.by != Grouping::Event => {
                return Err(fault("a player of an event, which the options exclude"));
            }
            Some(_) => entrants += u128::from(group.sides),
            None => {
                (sides, moves) = (sides + u128::from(group.sides), moves + u128::from(group.scores.count))
            }
        }
    }
    let fault = |problem| CountFault { place: "the archive".to_owned(), problem };
    let all = [
        games,
        counts.games.duplicates,
        counts.without_gain,
        counts.odd_evals,
        counts.clocks_backwards,
        counts.broadcasts,
    ];
    let reasons = counts.games.refused.values().chain(counts.left_out.values()).copied();
    match () {
        () if all.into_iter().chain(reasons).any(|count| count > LARGEST) => Err(fault(TOO_LARGE)),
        () if counts.broadcasts > games => Err(fault("more broadcast games than games")),
        () if sides.max(entrants) > 2 * u128::from(games) => Err(fault("more than two players per game")),
        () => check_clocks(counts, gains, moves).map_err(fault),
    }
}

const TOO_LARGE: &str = "a count above the largest possible count";

fn check_group(group: &GroupCounts, key: &CountKey, gains: SumBounds) -> Result<(), &'static str> {
    let GroupCounts { games, sides, rated, elo, results, half_points, loss_cp, scores, kept, timed, .. } =
        group;
    let (mut moves, mut half, mut loss) = (0u128, 0u128, 0u128);
    for (gain, count) in group.gains.iter() {
        let (wide, times) = (i64::from(gain), u128::from(count));
        if !(gains.low..=gains.high).contains(&wide) || key.band.width().center(wide) != wide {
            return Err("a gain beyond the clip, or between the bins");
        }
        moves += times;
        half += times * u128::from(key.band.half_points(wide));
        loss += times * u128::from(gain.min(0).unsigned_abs());
    }
    let is_exact = key.metric == Metric::Centipawns && key.band.width().get() == 1;
    let most_lost = moves * 2 * u128::from(key.clip.cp().unsigned_abs());
    let plays = || group.plays.values();
    let within = |part: u64, whole: u64, times: u128| u128::from(part) <= u128::from(whole) * times;
    match () {
        () if [*games, *sides, *elo, *half_points, *loss_cp].iter().any(|count| *count > LARGEST) => {
            Err(TOO_LARGE)
        }
        () if [timed.moves, timed.blunders].iter().flatten().any(|count| *count > LARGEST) => Err(TOO_LARGE),
        () if timed.moves.iter().sum::<u64>() > scores.count
            || timed.moves.iter().zip(timed.blunders).any(|(moves, blunders)| blunders > *moves) =>
        {
            Err("more blunders than moves, or more moves with a clock than moves")
        }
        () if group.titles.values().map(|&games| u128::from(games)).sum::<u128>() > u128::from(*sides)
            || group.upsets.values().map(|&games| u128::from(games)).sum::<u128>() > u128::from(*results) =>
        {
            Err("more titles or upsets than games")
        }
        () if moves != u128::from(scores.count) => Err("the numbers of moves in the histogram and in the \
                                                        scores differ"),
        () if Ok(half) != u128::try_from(scores.sum) => Err("the half-points do not match the histogram"),
        () if scores.clusters != *games || kept.clusters != *games => {
            Err("sums over a different number of games")
        }
        () if games > sides || rated > sides || results > sides || kept.count > *sides => {
            Err("more games, ratings, results or scores kept than `sides` (players in games)")
        }
        () if group.systems.values().map(|&sides| u128::from(sides)).sum::<u128>() > u128::from(*rated) => {
            Err("more ratings by rating system than ratings")
        }
        () if !within(kept.count, *games, 2) => Err("more than two scores kept per game"),
        () if !within(*elo, *rated, HIGHEST_ELO.into()) || elo < rated => Err("impossible ratings"),
        () if !within(*half_points, *results, 2) => Err("more than two half-points per result"),
        () if u128::from(*loss_cp) > most_lost || is_exact && u128::from(*loss_cp) != loss => {
            Err("centipawns lost that do not match the histogram")
        }
        () if !group.usual.is_empty() && !key.quantiles => Err("counts of single games, which the options \
                                                                exclude"),
        () if usual_games(group).any(|games| games > u128::from(*sides)) => {
            Err("more measured games than `sides` (players in games)")
        }
        () if plays().any(|play| play.sides > *sides || play.sides > play.total.moves()) => {
            Err("more players with ratings of play than `sides`, or than moves")
        }
        () if !plays().all(|play| play.total.is_possible()) => {
            Err("moves that do not match their phases or years")
        }
        () if plays().any(|play| play.total.parts().any(|(_, value)| value.unsigned_abs() > LARGEST)) => {
            Err(TOO_LARGE)
        }
        () => check_sums(scores, HALF_POINTS).and_then(|()| check_sums(kept, KEPT)),
    }
}

/// Returns the number of games for each measure and part of a game, over all kinds of evaluations.
fn usual_games(group: &GroupCounts) -> impl Iterator<Item = u128> {
    let games = |measure, part| {
        let values = group.usual.values().flat_map(move |counts| counts.of(measure, part).iter());
        values.map(|(_, sides)| u128::from(sides)).sum()
    };
    PlayMeasure::ALL
        .into_iter()
        .flat_map(move |measure| GamePart::all().map(move |part| games(measure, part)))
}

fn check_clocks(counts: &ArchiveCounts, gains: SumBounds, moves: u128) -> Result<(), &'static str> {
    for class in ClockClass::ALL {
        let mut timed = 0u128;
        for both in counts.clocks.counts(class) {
            let [of_gains, of_scores] =
                [both.gains, both.scores].map(|sums| (sums.clusters, sums.count, sums.count_squared));
            if of_gains != of_scores || both.gains.clusters > counts.games.chosen {
                return Err("clock counts that contradict each other, or that have too many games");
            }
            check_sums(&both.gains, gains)?;
            check_sums(&both.scores, HALF_POINTS)?;
            timed += u128::from(both.gains.count);
        }
        if timed > moves {
            return Err("more moves with a clock time than moves");
        }
    }
    Ok(())
}

fn check_sums(sums: &ClusterSums, bounds: SumBounds) -> Result<(), &'static str> {
    match () {
        () if sums.parts().iter().any(|part| part.unsigned_abs() > u128::from(LARGEST)) => Err(TOO_LARGE),
        () if !sums.is_possible(bounds) => Err("sums that are impossible for values in their range"),
        () => Ok(()),
    }
}
