//! [`ArchiveCounts`]: the counts of an archive. All are whole numbers, so the counts of parts can be added.

use std::{collections::BTreeMap, collections::BTreeSet, collections::HashMap, ops::AddAssign};

use super::{
    clocks::Clocks, entrants::TimedBlunders, entrants::Upset, entrants::before_player, facts::LeftOutReason,
    game_counts::GameCounts, game_counts::SideCounts,
};
use crate::chess::{Aliases, People, RatingSystem, choice, is_nobody, without_id};
use crate::measure::{calibration::GamePlay, group::Grouping, group::UNKNOWN, peers::PlayCounts};
use crate::numbers::{ClusterSums, ValueCounts};

/// The counts of an archive.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ArchiveCounts {
    /// Numbers of counted games (`chosen`), of games refused by the selection, and of copies. The games in
    /// `left_out` are not included.
    pub games: choice::GameTally,
    /// Number of games that were selected but could not be counted, by reason.
    pub left_out: BTreeMap<LeftOutReason, u64>,
    /// Number of first moves without a gain, because the position before them has no evaluation.
    pub without_gain: u64,
    /// Number of malformed `[%eval]` commands.
    pub odd_evals: u64,
    /// Number of moves after which a clock showed more time than possible.
    pub clocks_backwards: u64,
    /// Number of counted games that were relayed on lichess.
    pub broadcasts: u64,
    /// The counts of each group, by the group's name.
    pub groups: HashMap<String, GroupCounts>,
    /// Counts of moves by the time left and by the time spent.
    pub clocks: Clocks,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct GroupCounts {
    /// Number of games in which a player of the group has a counted move.
    pub games: u64,
    pub sides: u64,
    /// Number of `sides` with a rating. A side is one player in one game.
    pub rated: u64,
    /// Number of `sides` with a rating, by rating system.
    pub systems: BTreeMap<RatingSystem, u64>,
    pub elo: u64,
    pub results: u64,
    pub half_points: u64,
    pub gains: ValueCounts,
    /// The sum of max(0, −gain), in centipawns even with another metric.
    pub loss_cp: u64,
    /// The moves' half-points (2 for a gain above the tie band, 1 for a gain within it, 0 for a gain below it),
    /// summed by game.
    pub scores: ClusterSums,
    /// The players' score kept (see [`crate::measure::tournament::kept`]), in units of
    /// [`super::game_counts::KEPT_UNIT`], summed by game.
    pub kept: ClusterSums,
    pub plays: BTreeMap<String, GroupPlay>,
    /// Statistics of single games by kind of evaluations, if counted. The kind is
    /// [`crate::measure::group::UNKNOWN`] if no tag names it.
    pub usual: BTreeMap<String, PlayCounts>,
    /// Blunders by the time left, for events and their players.
    pub timed: TimedBlunders,
    /// For a player of an event: the number of games by the title in the tags.
    pub titles: BTreeMap<String, u64>,
    /// For an event: the number of games with this upset.
    pub upsets: BTreeMap<Upset, u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GroupPlay {
    pub sides: u64,
    pub total: GamePlay,
}

impl AddAssign for GroupPlay {
    fn add_assign(&mut self, more: GroupPlay) {
        self.sides += more.sides;
        self.total += more.total;
    }
}

impl ArchiveCounts {
    /// Counts a game that is not a copy.
    pub fn add(&mut self, entry: &GameCounts) {
        self.games.chosen += 1;
        self.without_gain += entry.without_gain;
        self.odd_evals += entry.odd_evals;
        self.clocks_backwards += entry.clocks_backwards;
        self.broadcasts += u64::from(entry.is_broadcast);
        self.clocks.add(&entry.clocks);
        for (side, entrant) in
            entry.sides.iter().flatten().filter_map(|side| Some((side, side.entrant.as_ref()?)))
        {
            let counts = self.group(&entrant.group);
            counts.add_game(&[side]);
            let title = entrant.title.as_ref();
            title.into_iter().for_each(|title| *counts.titles.entry(title.to_string()).or_default() += 1);
        }
        if let Some((event, upset)) = entry.upset() {
            *self.group(event).upsets.entry(upset).or_default() += 1;
        }
        match (&entry.sides.white, &entry.sides.black) {
            // The moves of one game are one cluster, even if both players belong to the group.
            (Some(white), Some(black)) if white.group == black.group => {
                self.group(&white.group).add_game(&[white, black]);
            }
            (white, black) => {
                for side in [white, black].into_iter().flatten() {
                    self.group(&side.group).add_game(&[side]);
                }
            }
        }
    }

    /// Counts a game that is left out.
    pub fn leave_out(&mut self, reason: LeftOutReason) {
        *self.left_out.entry(reason).or_default() += 1;
    }

    /// Returns the number of games read.
    pub fn read(&self) -> u64 {
        self.games.games() + self.left_out.values().sum::<u64>()
    }

    /// Joins the groups of players with the same FIDE id, which is the end of a group's name; see `People`. Placeholder names
    /// become `?`. The groups are by player, or by event with the players of each event. Returns a sentence about each id that
    /// changes a name.
    pub fn join_players(&mut self, by: Grouping, aliases: &Aliases) -> Vec<String> {
        let groups: BTreeMap<String, GroupCounts> = std::mem::take(&mut self.groups).into_iter().collect();
        let mut people = People::default();
        for (key, counts) in &groups {
            let Some((name, Some(id))) = before_player(key, by).map(|(_, player)| without_id(player)) else {
                continue;
            };
            people.add(id, name, counts.games);
        }
        let names = people.main_names(aliases);
        let mut changed: BTreeSet<u32> = BTreeSet::new();
        let mut main_name = |player: &str| {
            let (name, id) = without_id(player);
            let known = names.of(name, id);
            changed.extend(known.filter(|(_, main)| *main != name).map(|(id, _)| id));
            let unknown = if is_nobody(name) { UNKNOWN } else { name };
            known.map_or(unknown, |(_, main)| main).to_owned()
        };
        for (key, mut counts) in groups {
            // Two spellings of the players may have the same upset.
            for (Upset { difference, winner, loser }, games) in std::mem::take(&mut counts.upsets) {
                let upset = Upset { difference, winner: main_name(&winner), loser: main_name(&loser) };
                *counts.upsets.entry(upset).or_default() += games;
            }
            let joined =
                before_player(&key, by).map(|(before, player)| format!("{before}{}", main_name(player)));
            *self.group(joined.as_ref().unwrap_or(&key)) += &counts;
        }
        changed.into_iter().map(|id| names.told(id)).collect()
    }

    fn group(&mut self, name: &str) -> &mut GroupCounts {
        if !self.groups.contains_key(name) {
            self.groups.insert(name.to_owned(), GroupCounts::default());
        }
        self.groups.get_mut(name).expect("a group that is there")
    }
}

impl GroupCounts {
    fn add_game(&mut self, sides: &[&SideCounts]) {
        let (mut moves, mut score) = (0, 0);
        let (mut players, mut kept) = (0, 0);
        for side in sides {
            side.gains.iter().for_each(|&gain| self.gains.add(gain, 1));
            self.loss_cp += side.loss_cp;
            side.entrant.iter().for_each(|entrant| self.timed += entrant.timed);
            moves += side.gains.len() as u64;
            score += i64::from(side.score);
            self.sides += 1;
            self.rated += u64::from(side.elo.is_some());
            if side.elo.is_some() {
                *self.systems.entry(side.system).or_default() += 1;
            }
            self.elo += u64::from(side.elo.unwrap_or_default());
            self.results += u64::from(side.half_points.is_some());
            self.half_points += u64::from(side.half_points.unwrap_or_default());
            players += u64::from(side.kept.is_some());
            kept += i64::from(side.kept.unwrap_or_default());
            if let Some((kind, play)) = side.play.as_ref().filter(|(_, play)| play.moves() > 0) {
                *self.play(kind) += GroupPlay { sides: 1, total: *play };
            }
            if let Some((kind, play)) = &side.usual {
                self.usual(kind).add_side(play);
            }
        }
        self.games += u64::from(moves > 0);
        self.scores.add(moves, score);
        self.kept.add(players, kept);
    }

    /// Returns the sums for a rating of play from evaluations of this `kind`.
    pub fn play(&mut self, kind: &str) -> &mut GroupPlay {
        self.plays.entry(kind.to_owned()).or_default()
    }

    /// Returns the counts for statistics of single games from evaluations of this `kind`.
    pub fn usual(&mut self, kind: &str) -> &mut PlayCounts {
        self.usual.entry(kind.to_owned()).or_default()
    }
}

impl AddAssign<&ArchiveCounts> for ArchiveCounts {
    fn add_assign(&mut self, more: &ArchiveCounts) {
        self.games += more.games.clone();
        for (&reason, games) in &more.left_out {
            *self.left_out.entry(reason).or_default() += games;
        }
        self.without_gain += more.without_gain;
        self.odd_evals += more.odd_evals;
        self.clocks_backwards += more.clocks_backwards;
        self.broadcasts += more.broadcasts;
        for (name, counts) in &more.groups {
            *self.group(name) += counts;
        }
        self.clocks += &more.clocks;
    }
}

impl AddAssign<&GroupCounts> for GroupCounts {
    fn add_assign(&mut self, more: &GroupCounts) {
        self.games += more.games;
        self.sides += more.sides;
        self.rated += more.rated;
        for (&system, sides) in &more.systems {
            *self.systems.entry(system).or_default() += sides;
        }
        self.elo += more.elo;
        self.results += more.results;
        self.half_points += more.half_points;
        more.gains.iter().for_each(|(gain, count)| self.gains.add(gain, count));
        self.loss_cp += more.loss_cp;
        self.scores += more.scores;
        self.kept += more.kept;
        for (kind, &play) in &more.plays {
            *self.play(kind) += play;
        }
        for (kind, counts) in &more.usual {
            *self.usual(kind) += counts;
        }
        self.timed += more.timed;
        more.titles.iter().for_each(|(title, games)| *self.titles.entry(title.clone()).or_default() += games);
        more.upsets.iter().for_each(|(upset, games)| *self.upsets.entry(upset.clone()).or_default() += games);
    }
}
