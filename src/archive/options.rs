//! Owns [`CountOptions`]: what is counted of an archive, and how.

use serde::{Deserialize, Serialize};

use super::group::Grouping;
use crate::{
    choice::{Headers, Refusal, Selection},
    text::fold_spaces,
    tournament::Method,
};

/// What every count of an archive depends on.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CountOptions {
    /// What the moves are divided by.
    pub by: Grouping,
    /// Clip, metric, bins, ties, curve and filter; recorded evaluations have no engine's own gains, and
    /// nothing is sampled.
    pub method: Method,
    /// Which games are counted.
    pub selection: Selection,
    /// Names, or parts of them, of the players whose moves count; none for all.
    pub players: Vec<String>,
    /// Whether every move is replayed.
    pub check_moves: bool,
    /// Whether the moves are wanted one by one, in words.
    pub keep_moves: bool,
}

impl CountOptions {
    /// Returns all moves of all games, copies once, by the paper's method.
    pub fn new(by: Grouping) -> CountOptions {
        CountOptions {
            by,
            method: Method::default(),
            selection: Selection::default(),
            players: Vec::new(),
            check_moves: false,
            keep_moves: false,
        }
    }

    /// Whether the position on the board decides which moves count.
    pub(super) fn needs_board(&self) -> bool {
        self.method.filter.skip_forced || !self.method.filter.phases.is_empty()
    }

    /// What speaks against a game with such tags: the choice, or that nobody whose moves count plays.
    pub(super) fn refusal(&self, headers: &Headers<'_>) -> Option<Refusal> {
        let counts = || [headers.white, headers.black].into_iter().any(|name| self.wants_player(name));
        self.selection.filter.refusal(headers).or_else(|| (!counts()).then_some(Refusal::Player))
    }

    /// Whether the moves of a player of that name count.
    pub(super) fn wants_player(&self, name: &str) -> bool {
        let plain = |text: &str| fold_spaces(text).to_lowercase();
        self.players.is_empty() || {
            let name = plain(name);
            self.players.iter().any(|part| name.contains(&plain(part)))
        }
    }

    /// Returns what the counts will say of themselves.
    pub fn identity(&self) -> CountKey {
        let CountOptions { by, method, selection, players, check_moves, .. } = self;
        let players = players.iter().map(|name| format!("moves of \"{name}\""));
        CountKey {
            by: *by,
            clip_cp: method.clip.cp(),
            metric: method.metric.name().to_owned(),
            bin: method.band.width().get(),
            tie: method.band.tie(),
            filters: method.filter.names().into_iter().chain(players).collect(),
            choices: selection.names(),
            keep_duplicates: selection.keep_duplicates,
            check_moves: *check_moves,
        }
    }
}

/// By what an archive was counted: what counts made apart must have in common to be added up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountKey {
    /// What the moves are divided by.
    #[serde(with = "text")]
    pub by: Grouping,
    /// Bound of evaluations in centipawns.
    pub clip_cp: i32,
    /// What a gain is counted in, as the command line has it.
    pub metric: String,
    /// Width of a bin in the metric's unit.
    pub bin: u32,
    /// Gains within this tie.
    pub tie: u32,
    /// Which moves count, in words.
    pub filters: Vec<String>,
    /// Which games are wanted, in words.
    pub choices: Vec<String>,
    /// Whether copies of a game count too.
    pub keep_duplicates: bool,
    /// Whether every move was replayed.
    pub check_moves: bool,
}

impl CountKey {
    /// Lists in what `other` differs: names, with both values.
    pub fn differences(&self, other: &CountKey) -> String {
        let fields = |identity: &CountKey| serde_json::to_value(identity).expect("words and numbers");
        let (ours, theirs) = (fields(self), fields(other));
        let ours = ours.as_object().into_iter().flatten();
        let differing = ours.filter(|(name, here)| theirs.get(name) != Some(here));
        let told = differing.map(|(name, here)| format!("{name} ({} there, {here} here)", theirs[name]));
        told.collect::<Vec<_>>().join(", ")
    }

    /// Writes it as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("words and numbers")
    }
}

/// A grouping as its name.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::Grouping;

    pub fn serialize<S: Serializer>(by: &Grouping, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(by)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Grouping, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
