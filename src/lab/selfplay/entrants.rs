//! Owns [`Entrants`]: those who meet each other, each with an engine, a limit and a way to come to its moves.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{contestants::KnownEngine, schedule::Matchup};
use crate::chess::Limit;
use crate::engine::EngineChoice;
use crate::lab::{deep::TreeSettings, spar::SkillFunction, spar::SparSettings};

/// An entrant's place among all of them, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntrantNumber(pub u32);

impl EntrantNumber {
    pub fn place(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for EntrantNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Debug, Clone)]
pub struct Entrant {
    /// As files and tables name it.
    pub name: String,
    pub engine: KnownEngine,
    pub limit: Limit,
    pub way: MoverWay,
}

impl Entrant {
    /// Returns what it may spend on a move in words: `depth 8`.
    pub fn effort(&self) -> String {
        match &self.way {
            MoverWay::Search => self.limit.to_string(),
            MoverWay::Tree(settings) => format!("{} a search, {settings}", self.limit),
            MoverWay::Spar(skill, settings) => format!("{} a search, skill {skill}, {settings}", self.limit),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum MoverWay {
    /// The engine plays what it finds by one search.
    #[default]
    Search,
    /// The best move of a tree of searches.
    Tree(TreeSettings),
    /// As well as a skill function wants it.
    Spar(SkillFunction, SparSettings),
}

impl MoverWay {
    /// Returns what a search may take unless asked otherwise.
    pub fn usual_limit(&self, choice: &EngineChoice) -> Limit {
        match self {
            MoverWay::Search | MoverWay::Tree(_) => choice.usual_limit(),
            MoverWay::Spar(_, settings) => Limit::Nodes(settings.nodes),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Entrants(pub Vec<Entrant>);

impl Entrants {
    pub fn get(&self, number: u32) -> &Entrant {
        &self.0[number as usize]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Meetings {
    #[default]
    RoundRobin,
    /// The first one everybody else.
    Gauntlet,
}

impl Meetings {
    pub fn pairs(self, entrants: u32) -> Vec<Matchup<EntrantNumber>> {
        let firsts = match self {
            Meetings::RoundRobin => 0..entrants,
            Meetings::Gauntlet => 0..entrants.min(1),
        };
        let pair = |first, second| Matchup { first: EntrantNumber(first), second: EntrantNumber(second) };
        firsts.flat_map(|first| (first + 1..entrants).map(move |second| pair(first, second))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(meetings: Meetings, entrants: u32) -> Vec<(u32, u32)> {
        meetings.pairs(entrants).iter().map(|pair| (pair.first.0, pair.second.0)).collect()
    }

    #[test]
    fn everybody_meets_everybody_else_once_or_the_first_all_others() {
        assert_eq!(pairs(Meetings::RoundRobin, 4), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        assert_eq!(pairs(Meetings::Gauntlet, 4), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(pairs(Meetings::RoundRobin, 1), []);
        assert_eq!(pairs(Meetings::Gauntlet, 0), []);
    }
}
