//! Facts about engine, games and run in the summary of a report, written and read back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::chess::{BadGame, GameTally, Protocol, Refusal};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "origin", rename_all = "snake_case")]
pub enum EvaluationSource {
    /// An engine evaluated the positions, now or in an earlier run.
    Engine {
        engine: EngineFacts,
        protocol: ProtocolFacts,
        /// Number of games with evaluations from their files instead of this engine.
        recorded_games: usize,
    },
    /// The files contained the evaluations.
    Recorded,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EngineFacts {
    /// The engine's `id name`.
    pub name: String,
    /// SHA-256 of the engine's program file in hexadecimal, if known.
    pub digest: Option<String>,
    /// Digests of other builds with the same behavior, which evaluated the remaining positions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_digests: Vec<String>,
    pub options: BTreeMap<String, String>,
}

impl EngineFacts {
    /// Returns the facts of an engine whose evaluations come from `programs`, the SHA-256 digests of its
    /// builds. The present `digest` is first if `programs` contains it or is empty.
    #[cfg(feature = "program")]
    pub fn of(
        name: &str,
        digest: &str,
        options: &BTreeMap<String, String>,
        programs: &std::collections::BTreeSet<String>,
    ) -> EngineFacts {
        let is_used = programs.is_empty() || programs.contains(digest);
        let digest = if is_used { Some(digest) } else { programs.first().map(String::as_str) };
        EngineFacts {
            name: name.to_owned(),
            digest: digest.map(str::to_owned),
            other_digests: programs
                .iter()
                .filter(|program| Some(program.as_str()) != digest)
                .cloned()
                .collect(),
            options: options.clone(),
        }
    }

    pub fn digests(&self) -> String {
        let all: Vec<&str> = self.digest.iter().chain(&self.other_digests).map(String::as_str).collect();
        if all.is_empty() { "unknown".to_owned() } else { all.join(", ") }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolFacts {
    /// The search limit as in UCI's `go`: `depth 20`.
    pub limit: String,
    pub order: String,
    /// Number of positions that share one transposition table.
    pub segment: usize,
}

/// The facts of a summary that an analysis of the games cannot compute. They are read back with a report.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SummaryFacts {
    pub evaluations: EvaluationSource,
    /// Warning about an engine that may be weaker than the players.
    pub warning: Option<String>,
    pub games: GamesRead,
    /// Number of positions of the analyzed games that have an evaluation.
    pub positions: u64,
    /// Total nodes of these evaluations, from any source; `None` if unknown.
    pub nodes: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GamesRead {
    pub read: u64,
    /// Number of games in the tables.
    pub analysed: u64,
    /// Number of these games without moves, such as forfeits; missing if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unplayed: u64,
    /// Chosen games that could not be read or evaluated; at most the first hundred.
    pub left_out: Vec<LeftOutGame>,
    /// Number of games left out, by reason; missing if there are none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out_by_reason: BTreeMap<String, u64>,
    /// The selection of games; missing if no option selects games and there are no copies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<ChoiceFacts>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl GamesRead {
    /// Returns the number of chosen games that were left out. Files of earlier versions have no counts by
    /// reason, but list all these games.
    pub fn count_left_out(&self) -> u64 {
        self.left_out_by_reason.values().sum::<u64>().max(self.left_out.len() as u64)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceFacts {
    /// The conditions for choosing games, in words; empty if there are none.
    pub choices: Vec<String>,
    pub chosen: u64,
    /// Number of games not chosen, by the first condition that they fail.
    pub not_chosen: BTreeMap<Refusal, u64>,
    /// Number of copies that were left out, and of games joined with nearly equal games. A copy has the same
    /// players, date and moves as an earlier game.
    pub duplicates: u64,
}

impl ChoiceFacts {
    /// Returns the results of a selection by `choices`; `None` if no condition selects games and there are no
    /// copies.
    pub fn of(tally: &GameTally, choices: Vec<String>) -> Option<ChoiceFacts> {
        let GameTally { chosen, refused, duplicates } = tally;
        let silent = choices.is_empty() && refused.is_empty() && *duplicates == 0;
        (!silent).then(|| ChoiceFacts {
            choices,
            chosen: *chosen,
            not_chosen: refused.clone(),
            duplicates: *duplicates,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutGame {
    /// The file as named by the user.
    pub file: String,
    pub game: u64,
    pub white: Option<String>,
    pub black: Option<String>,
    /// The ply of the fault, 1 for the first move; `None` if the fault has no ply.
    pub ply: Option<usize>,
    /// The faulty text as written in the file; `None` if the fault has no text.
    pub written: Option<String>,
    pub reason: String,
}

impl From<&BadGame> for LeftOutGame {
    fn from(bad: &BadGame) -> LeftOutGame {
        LeftOutGame {
            file: bad.source.file.clone(),
            game: bad.source.number as u64,
            white: Some(bad.white.clone()),
            black: Some(bad.black.clone()),
            ply: bad.ply,
            written: bad.token.clone(),
            reason: bad.reason.to_string(),
        }
    }
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
