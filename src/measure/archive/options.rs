//! Owns [`CountOptions`]: what is counted of an archive, and how.

use super::{count_key::CountKey, group::Grouping};
use crate::chess::{Headers, NameMatcher, Refusal, Selection};
use crate::measure::tournament::Method;

/// What every count of an archive depends on.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CountOptions {
    /// Division of the moves.
    pub by: Grouping,
    /// Clip, metric, bins, ties, curve and filter; recorded evaluations have no engine's own gains, and
    /// nothing is sampled.
    pub method: Method,
    /// Which games are counted.
    pub selection: Selection,
    /// The players whose moves count; none for all.
    pub players: Vec<NameMatcher>,
    /// The kinds of recorded evaluations, as [`crate::chess::evaluated_game::JUDGE`] names them, whose first choices and losses are
    /// added up for ratings of play.
    pub rated_kinds: Vec<String>,
    /// Whether every move is replayed.
    pub check_moves: bool,
    /// Whether what single games come to is counted too.
    pub quantiles: bool,
    /// Whether the moves are wanted one by one, in words.
    pub keep_moves: bool,
}

impl CountOptions {
    /// Returns options for all moves of all games, copies once, by the paper's method.
    pub fn new(by: Grouping) -> CountOptions {
        CountOptions {
            by,
            method: Method::default(),
            selection: Selection::default(),
            players: Vec::new(),
            rated_kinds: Vec::new(),
            check_moves: false,
            quantiles: false,
            keep_moves: false,
        }
    }

    /// Returns whether the position on the board decides which moves count.
    pub(super) fn needs_board(&self) -> bool {
        self.quantiles || self.method.filter.skip_forced || !self.method.filter.phases.is_empty()
    }

    /// Returns what speaks against a game with such tags: the choice, or that nobody whose moves count plays.
    pub(super) fn refusal(&self, headers: &Headers<'_>) -> Option<Refusal> {
        let counts = || [headers.white, headers.black].into_iter().any(|name| self.wants_player(name));
        self.selection.filter.refusal(headers).or_else(|| (!counts()).then_some(Refusal::Player))
    }

    /// Returns the kind of a game's evaluations, where they are of one that is rated.
    pub(super) fn rated_kind(&self, judge: Option<&str>) -> Option<&str> {
        let judge = judge?;
        self.rated_kinds.iter().map(String::as_str).find(|kind| *kind == judge)
    }

    /// Returns whether the moves of a player of that name count.
    pub(super) fn wants_player(&self, name: &str) -> bool {
        self.players.is_empty() || self.players.iter().any(|player| player.fits(name))
    }

    /// Returns what the counts will say of themselves.
    pub fn identity(&self) -> CountKey {
        let CountOptions { by, method, selection, players, rated_kinds, check_moves, quantiles, .. } = self;
        let players = players.iter().map(|name| format!("moves of \"{name}\""));
        CountKey {
            by: *by,
            clip: method.clip,
            metric: method.metric,
            band: method.band,
            filters: method.filter.names().into_iter().chain(players).collect(),
            choices: selection.names(),
            keep_duplicates: selection.keep_duplicates,
            check_moves: *check_moves,
            quantiles: *quantiles,
            rated_kinds: rated_kinds.clone(),
        }
    }
}
