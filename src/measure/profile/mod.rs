//! [`Profile`]: one player's play as a whole, by group, over time, and in the most costly moves.
//!
//! Numbers are means over the player's own moves, with intervals clustered by game.

mod conversion;
mod decisive;
mod event;
mod grouping;
mod tally;
mod trend;

use std::collections::BTreeMap;

use shakmaty::Color;

pub use self::conversion::{Conversion, WINNING_CHANCES, WonPositions};
pub(crate) use self::decisive::{DecisiveMove, Lead, decisive_moves};
pub(crate) use self::event::{AccurateGame, CrossGame, CrossRow, EventCrossTable, EventProfile, OpeningRow};
pub use self::tally::ControlGroup;
pub(crate) use self::trend::{Span, SpanKind};
use self::{grouping::BOOK, tally::Tally};
pub use self::{grouping::PlayGroup, grouping::PlayGrouping, trend::PlayTrend};
use crate::chess::{EvaluatedGame, GameAccuracy, Judgment, JudgmentCounts, MoveChances, Phase};
use crate::measure::{
    calibration::CalibratedGames, calibration::Calibration, calibration::GamePlay, calibration::RatingOfPlay,
    peers::PeerStanding, tournament::Method, tournament::MoveSample, tournament::extremes::Extremes,
    tournament::extremes::Turn, tournament::facts::MoveFacts, tournament::measures::Measures,
    tournament::player_name, tournament::statistics::FEWEST_GAMES, tournament::statistics::Statistic,
};
use crate::numbers::{Welch, stats::multiple::holm};

#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pub player: String,
    pub whole: ProfileRow,
    /// The groups by each requested grouping. Groupings with fewer than two groups are left out.
    pub divisions: Vec<PlayDivision>,
    /// The results of games with a won position; `None` if there are none.
    pub conversion: Option<Conversion>,
    /// The trend from the first game to the last; `None` for fewer than two spans.
    pub trend: Option<PlayTrend>,
    /// The most costly moves, the worst first. The engine's best moves are left out.
    pub costliest: Vec<CostlyMove>,
    /// The mistakes and blunders, the worst first.
    pub mistakes: Vec<CostlyMove>,
    pub calibration: Option<Calibration>,
    /// The comparison with players of the same rating, if requested and possible.
    pub peers: Option<PeerStanding>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CostlyMove {
    pub turn: Turn,
    pub facts: MoveFacts,
}

impl CostlyMove {
    fn is_mistake(&self) -> bool {
        self.facts.verdict.judgment >= Some(Judgment::Mistake)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct PlayDivision {
    pub by: PlayGrouping,
    /// The groups in their natural order, such as the order of years; openings are ordered by number of
    /// games, the most frequent first.
    pub rows: Vec<ProfileRow>,
    pub homogeneity: Option<Welch>,
    /// The p-value of `homogeneity`, adjusted for the number of groupings (Holm 1979).
    pub p_holm: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ProfileRow {
    pub group: String,
    pub games: usize,
    pub moves: u64,
    /// Share of points in games with a known result, for groups of whole games.
    pub points: Option<f64>,
    /// Mean of the player's rating tags, for groups of whole games.
    pub elo: Option<f64>,
    pub opponents: Option<f64>,
    /// The statistics of the ranking, [`Statistic::RANKED`], and the accuracy.
    pub measures: Measures,
    pub judgments: JudgmentCounts,
    /// The rating of play, for groups of whole games and for phases, if a calibration fits.
    pub rating: Option<RatingOfPlay>,
    /// The comparison with the opponents' moves in the same games. `None` if no opponent's move belongs to
    /// the group, or if the group has too few games.
    pub control: Option<ControlGroup>,
}

impl ProfileRow {
    /// Returns whether the group has fewer than [`FEWEST_GAMES`] games. If the whole profile has at least
    /// that many games, such a group has neither `measures` nor `control`.
    pub fn has_too_few_games(&self) -> bool {
        self.games < FEWEST_GAMES
    }
}

impl Profile {
    /// Number of most costly moves on a page.
    const DEAREST: usize = 10;

    /// Returns the profile of `player` in `games` by these `groupings`. Ratings come from `rated`, if a
    /// calibration fits.
    ///
    /// # Panics
    ///
    /// If no player has that name.
    pub fn of(
        games: &[EvaluatedGame],
        player: &str,
        rated: Option<CalibratedGames<'_>>,
        groupings: &[PlayGrouping],
        method: &Method,
    ) -> Profile {
        let own = PlayerMoves::of(games, player, method);
        // Games on another scale are not rated.
        let plays =
            |game: &EvaluatedGame| Color::ALL.iter().any(|color| player_name(game.game(), *color) == player);
        let rated = rated.filter(|rated| rated.games.iter().any(plays));
        let rated = rated.map(|rated| (rated, PlayerMoves::of(rated.games, player, method)));
        let rate = |by: Option<PlayGrouping>| -> BTreeMap<PlayGroup, RatingOfPlay> {
            rated.as_ref().map_or_else(BTreeMap::new, |(rated, own)| own.ratings(by, rated.calibration))
        };
        let whole = own.tallies(None).remove(&PlayGroup::default()).unwrap_or_default();
        let mut control = own.controls(None);
        let rating = rate(None).remove(&PlayGroup::default());
        Profile {
            player: player.to_owned(),
            whole: ProfileRow {
                control: control.remove(&PlayGroup::default()).and_then(|other| whole.compared_with(&other)),
                ..whole.row("all moves".to_owned(), rating)
            },
            divisions: adjusted(groupings.iter().filter_map(|&by| own.division(by, &rate(Some(by))))),
            conversion: own.player.and_then(|player| Conversion::of(games, &own.sample, player)),
            trend: PlayTrend::of(&own),
            mistakes: own.costliest(usize::MAX).into_iter().filter(CostlyMove::is_mistake).collect(),
            costliest: own.costliest(Profile::DEAREST),
            calibration: rated.map(|(rated, _)| rated.calibration.clone()),
            peers: None,
        }
    }
}

/// Smallest number of games in a collection that has an owner.
const OWN: usize = 5;

/// Returns the owner of a collection of at least [`OWN`] games: the only player who takes part in all of
/// them. `None` if there is no such player.
pub(crate) fn owner<'s>(games: &[EvaluatedGame], sample: &'s MoveSample) -> Option<&'s str> {
    let mut counts = vec![0; sample.players.len()];
    sample.appearances.iter().for_each(|side| counts[side.player as usize] += 1);
    let mut all = sample
        .players
        .iter()
        .zip(counts)
        .filter(|(player, count)| !player.is_nobody && *count == games.len());
    let (player, _) = all.next().filter(|_| games.len() >= OWN)?;
    all.next().is_none().then_some(player.name.as_str())
}

fn adjusted(divisions: impl Iterator<Item = PlayDivision>) -> Vec<PlayDivision> {
    let mut divisions: Vec<PlayDivision> = divisions.collect();
    let tests = divisions.iter().filter_map(|division| division.homogeneity.map(|test| test.p));
    let mut p = holm(&tests.collect::<Vec<_>>()).into_iter();
    for division in divisions.iter_mut().filter(|division| division.homogeneity.is_some()) {
        division.p_holm = p.next();
    }
    let controls = divisions.iter_mut().flat_map(|division| &mut division.rows);
    let mut controls: Vec<&mut ControlGroup> =
        controls.filter_map(|row| row.control.as_mut().filter(|control| control.p.is_some())).collect();
    let p = holm(&controls.iter().filter_map(|control| control.p).collect::<Vec<_>>());
    controls.iter_mut().zip(p).for_each(|(control, p)| control.p_holm = Some(p));
    divisions
}

struct PlayerMoves<'a> {
    games: &'a [EvaluatedGame],
    sample: MoveSample,
    /// The player whose moves count; `None` for all players.
    player: Option<u32>,
    method: &'a Method,
}

impl<'a> PlayerMoves<'a> {
    fn of(games: &'a [EvaluatedGame], player: &str, method: &'a Method) -> PlayerMoves<'a> {
        let sample = MoveSample::of(games);
        let player = Some(sample.place(player) as u32);
        PlayerMoves { games, sample, player, method }
    }

    /// Iterates over the moves that count, each with its ply, game by game.
    fn moves(&self) -> impl Iterator<Item = (usize, &MoveFacts)> {
        let games = self.sample.moves.chunk_by(|a, b| a.game == b.game);
        let moves = games.flat_map(|game| game.iter().enumerate());
        moves.filter(|(_, facts)| self.is_own(facts) && self.method.keeps(facts))
    }

    fn is_own(&self, facts: &MoveFacts) -> bool {
        self.player.is_none_or(|player| facts.player == player)
    }

    /// Iterates over the counted moves that have a group, each with its group.
    fn grouped(&self, by: Option<PlayGrouping>) -> impl Iterator<Item = (PlayGroup, &MoveFacts)> {
        self.moves().filter_map(move |(ply, facts)| {
            let game = self.games[facts.game as usize].game();
            let group = by.map_or(Some(PlayGroup::default()), |by| by.group(game, ply, facts));
            Some((group?, facts))
        })
    }

    /// Counts the opponents' moves in each of the player's groups. If a group consists of whole games, the
    /// opponents' moves in these games count; otherwise the opponents' moves that belong to the group count.
    fn controls(&self, by: Option<PlayGrouping>) -> BTreeMap<PlayGroup, Tally> {
        let mut tallies: BTreeMap<PlayGroup, Tally> = BTreeMap::new();
        if self.player.is_none() {
            return tallies;
        }
        let games = self.sample.moves.chunk_by(|a, b| a.game == b.game);
        let moves = games.flat_map(|game| game.iter().enumerate());
        for (ply, facts) in moves.filter(|(_, facts)| !self.is_own(facts) && self.method.keeps(facts)) {
            let game = self.games[facts.game as usize].game();
            let side = match by.is_none_or(PlayGrouping::is_of_games) {
                true => MoveFacts { mover: !facts.mover, ..*facts },
                false => *facts,
            };
            let group = by.map_or(Some(PlayGroup::default()), |by| by.group(game, ply, &side));
            group.into_iter().for_each(|group| tallies.entry(group).or_default().add(facts, self.method));
        }
        tallies
    }

    /// Counts the moves by group. Without a grouping, all moves are one group.
    fn tallies(&self, by: Option<PlayGrouping>) -> BTreeMap<PlayGroup, Tally> {
        let mut tallies: BTreeMap<PlayGroup, Tally> = BTreeMap::new();
        for (group, facts) in self.grouped(by) {
            tallies.entry(group).or_default().add(facts, self.method);
        }
        if let Some(player) = self.player.filter(|_| by.is_none_or(PlayGrouping::is_of_games)) {
            tallies.values_mut().for_each(|tally| tally.add_games(&self.sample, self.games, player));
        }
        if by == Some(PlayGrouping::Phase) {
            self.add_phases(&mut tallies);
        }
        tallies
    }

    /// Adds the accuracy of each phase of each game, ignoring the filters of moves.
    fn add_phases(&self, tallies: &mut BTreeMap<PlayGroup, Tally>) {
        for moves in self.sample.moves.chunk_by(|a, b| a.game == b.game) {
            let chances = MoveChances::of_game(moves.iter().map(|facts| (facts.mover, facts.after.score)));
            let game = self.games[moves[0].game as usize].game();
            let groups: Vec<Option<PlayGroup>> = moves
                .iter()
                .enumerate()
                .map(|(ply, facts)| PlayGrouping::Phase.group(game, ply, facts))
                .collect();
            for (ply, own) in moves.iter().enumerate().filter(|(_, facts)| self.is_own(facts)) {
                let group = &groups[ply];
                let earlier = groups[..ply].iter().zip(moves);
                let is_first = !earlier.clone().any(|(other, facts)| other == group && self.is_own(facts));
                let group = group.as_ref().filter(|_| is_first);
                let Some(tally) = group.and_then(|group| tallies.get_mut(group)) else { continue };
                let of_phase = groups.iter().zip(&chances).filter(|(other, _)| other.as_ref() == group);
                let of_phase: Vec<MoveChances> = of_phase.filter_map(|(_, chances)| *chances).collect();
                tally.add_accuracy(own.game, GameAccuracy::of_moves(&of_phase).for_color(own.mover));
            }
        }
    }

    /// Returns the ratings of the groups, if the groups are of whole games or are phases; other groups have no
    /// ratings. If there are book moves, neither the book nor the opening is rated.
    fn ratings(
        &self,
        by: Option<PlayGrouping>,
        calibration: &Calibration,
    ) -> BTreeMap<PlayGroup, RatingOfPlay> {
        if by.is_some_and(|by| !by.is_of_games() && by != PlayGrouping::Phase) {
            return BTreeMap::new();
        }
        let mut moves: BTreeMap<PlayGroup, Vec<&MoveFacts>> = BTreeMap::new();
        self.grouped(by).for_each(|(group, facts)| moves.entry(group).or_default().push(facts));
        // The calibration's opening includes the book.
        if by == Some(PlayGrouping::Phase) && moves.keys().any(|group| group.name == BOOK) {
            moves.retain(|_, moves| moves.first().is_some_and(|facts| facts.phase != Phase::Opening));
        }
        let rate = |(group, moves): (PlayGroup, Vec<&MoveFacts>)| {
            let games = moves.chunk_by(|a, b| a.game == b.game);
            let plays = games.map(|game| GamePlay::of_moves(game.iter().copied(), calibration.filter));
            let plays: Vec<GamePlay> = plays.filter(|play| play.moves() > 0).collect();
            let phase = moves.first().map(|facts| facts.phase).filter(|_| by == Some(PlayGrouping::Phase));
            (group, calibration.rate_of(&self.sample, phase, &plays))
        };
        moves.into_iter().map(rate).collect()
    }

    /// Returns the groups of a grouping with their ratings. `None` for fewer than two groups, because a
    /// single group is the whole.
    fn division(
        &self,
        by: PlayGrouping,
        ratings: &BTreeMap<PlayGroup, RatingOfPlay>,
    ) -> Option<PlayDivision> {
        let (tallies, controls) = (self.tallies(Some(by)), self.controls(Some(by)));
        let row = |(group, tally): (&PlayGroup, &Tally)| ProfileRow {
            control: controls.get(group).and_then(|other| tally.compared_with(other)),
            ..tally.row(group.name.clone(), ratings.get(group).cloned())
        };
        let mut rows: Vec<ProfileRow> = tallies.iter().map(row).collect();
        if by == PlayGrouping::Opening {
            rows.sort_by_key(|row| std::cmp::Reverse(row.games));
        }
        let homogeneity = Welch::of(rows.iter().filter_map(|row| row.measures.get(Statistic::WinLoss)));
        if self.games.len() >= FEWEST_GAMES {
            rows.iter_mut()
                .filter(|row| row.has_too_few_games())
                .for_each(|row| (row.measures, row.control) = (Measures::default(), None));
        }
        (rows.len() > 1).then_some(PlayDivision { by, rows, homogeneity, p_holm: None })
    }

    /// Returns up to `count` moves that cost the player the most winning chances, the worst first.
    fn costliest(&self, count: usize) -> Vec<CostlyMove> {
        let turns =
            Extremes::of(&self.sample, self.method, count, |facts| self.is_own(facts)).costly.into_iter();
        turns.map(|turn| CostlyMove { turn, facts: self.sample.moves_of(turn.game)[turn.ply] }).collect()
    }
}

#[cfg(test)]
mod tests;
