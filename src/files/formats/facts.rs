//! Owns what the summaries of runs say of engine, games and the run itself: written with a report, and read
//! back from it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::chess::{Protocol, Refusal};
use crate::store::EngineStamp;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "origin", rename_all = "snake_case")]
pub enum EvaluationSource {
    /// An engine was asked, now or in an earlier run.
    Engine {
        engine: EngineFacts,
        protocol: ProtocolFacts,
        /// Games whose evaluations are those of their file all the same.
        recorded_games: usize,
    },
    /// The files brought their evaluations along.
    Recorded,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EngineFacts {
    /// Its `id name`.
    pub name: String,
    /// SHA-256 of its program file in hexadecimal, where it is known.
    pub digest: Option<String>,
    /// Those of other builds that behave the same, and have evaluated the rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_digests: Vec<String>,
    pub options: BTreeMap<String, String>,
}

impl EngineFacts {
    /// Returns the facts of an engine of which the builds in `programs`, by the SHA-256 of each, gave the evaluations; where
    /// it is among them, its own comes first.
    pub fn of(engine: &EngineStamp, programs: &BTreeSet<String>) -> EngineFacts {
        let is_used = programs.is_empty() || programs.contains(&engine.digest);
        let digest = if is_used { Some(&engine.digest) } else { programs.first() };
        EngineFacts {
            name: engine.name.clone(),
            digest: digest.cloned(),
            other_digests: programs.iter().filter(|program| Some(*program) != digest).cloned().collect(),
            options: engine.options.clone(),
        }
    }

    pub fn digests(&self) -> String {
        let all: Vec<&str> = self.digest.iter().chain(&self.other_digests).map(String::as_str).collect();
        if all.is_empty() { "not known".to_owned() } else { all.join(", ") }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolFacts {
    /// As in UCI's `go`: `depth 20`.
    pub limit: String,
    pub order: String,
    /// Positions that shared one hash table.
    pub segment: usize,
}

/// What a summary tells that does not follow from an analysis, and is read back with a report.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SummaryFacts {
    pub evaluations: EvaluationSource,
    /// What is to be known of a judge that may be weaker than the players.
    pub warning: Option<String>,
    pub games: GamesRead,
    /// Positions of the games analysed that have an evaluation.
    pub positions: u64,
    /// Nodes of the evaluations of these positions, however they came; `None` when nobody counted them.
    pub nodes: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GamesRead {
    pub read: u64,
    /// Games that the tables count.
    pub analysed: u64,
    /// Games that were wanted, and could not be read or evaluated; of many the first hundred.
    pub left_out: Vec<LeftOutGame>,
    /// How many there are in all, by reason; missing where there is none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out_by_reason: BTreeMap<String, u64>,
    /// Which games were wanted; missing where all were, and none was there twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<ChoiceFacts>,
}

impl GamesRead {
    /// Counts the games that were wanted and left out. Files of earlier versions list all of them.
    pub fn count_left_out(&self) -> u64 {
        self.left_out_by_reason.values().sum::<u64>().max(self.left_out.len() as u64)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceFacts {
    /// What was asked of them, in words; empty where nothing was.
    pub choices: Vec<String>,
    pub chosen: u64,
    /// The others, by the first thing that speaks against them.
    pub not_chosen: BTreeMap<Refusal, u64>,
    /// Copies of other games, with the same players, date and moves, which were counted once.
    pub duplicates: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutGame {
    /// The file as the user named it.
    pub file: String,
    pub game: u64,
    pub white: Option<String>,
    pub black: Option<String>,
    /// The ply at fault, 1 being the first move, where there is one.
    pub ply: Option<usize>,
    /// The text at fault as written in the file, where there is one.
    pub written: Option<String>,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SearchFacts {
    pub searches: Searches,
    /// Nodes searched per second of wall time; null when nothing was searched.
    pub nodes_per_second: Option<f64>,
    /// Share of the engines' time spent searching, between 0 and 1; null without engines.
    pub engine_busy_share: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Searches {
    /// Searched in this run.
    pub made: u64,
    pub from_store: u64,
    pub recorded: u64,
    /// Those of `made` and `from_store` that the engine's own histogram needs beside the positions
    /// of the games.
    pub own_moves: OwnMoves,
}

/// Positions after the engine's own best moves that the games do not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OwnMoves {
    /// Searched in this run or found in the store.
    pub evaluated: u64,
    pub searched: u64,
}

impl ProtocolFacts {
    pub fn brief(&self) -> String {
        Protocol::brief_of(&self.limit, &self.order, self.segment)
    }
}

impl From<Protocol> for ProtocolFacts {
    fn from(protocol: Protocol) -> ProtocolFacts {
        let Protocol { limit, order, segment, .. } = protocol;
        ProtocolFacts { limit: limit.to_string(), order: order.to_string(), segment }
    }
}
