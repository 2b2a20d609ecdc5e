//! [`CountOptions`]: the options for counting an archive.

use super::count_key::CountKey;
use crate::chess::{Headers, NameMatcher, Refusal, Selection};
use crate::measure::group::Grouping;
use crate::measure::tournament::Method;

/// The options on which every count of an archive depends.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CountOptions {
    /// The grouping of moves.
    pub by: Grouping,
    /// Clip, metric, bins, ties, curve and filter. The other settings of the method are not used: archives
    /// have no gains of the engine's own moves and no bootstrap.
    pub method: Method,
    /// The games to count.
    pub selection: Selection,
    /// The players whose moves are counted; empty for all.
    pub players: Vec<NameMatcher>,
    /// The kinds of recorded evaluations, as named by the tag [`crate::chess::evaluated_game::JUDGE`], that
    /// are summed for ratings of play.
    pub rated_kinds: Vec<String>,
    /// True to replay every move.
    pub check_moves: bool,
    /// True to also count statistics of single games.
    pub quantiles: bool,
    /// True to keep single moves.
    pub keep_moves: bool,
}

impl CountOptions {
    /// Returns options for counting all moves of all games, with copies counted once, by the paper's method.
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

    /// Returns whether counting needs the positions on the board.
    pub(super) fn needs_board(&self) -> bool {
        self.quantiles || self.method.filter.skip_forced || !self.method.filter.phases.is_empty()
    }

    /// Returns the first condition that a game with these tags does not meet. One condition is that the game
    /// has a player whose moves are wanted.
    pub(super) fn refusal(&self, headers: &Headers<'_>) -> Option<Refusal> {
        let counts = || [headers.white, headers.black].into_iter().any(|name| self.wants_player(name));
        self.selection.filter.refusal(headers).or_else(|| (!counts()).then_some(Refusal::Player))
    }

    /// Returns the kind of evaluations that `judge` names, if ratings of play are summed for this kind.
    pub(super) fn rated_kind(&self, judge: Option<&str>) -> Option<&str> {
        let judge = judge?;
        self.rated_kinds.iter().map(String::as_str).find(|kind| *kind == judge)
    }

    /// Returns whether the moves of a player of that name are wanted.
    pub(super) fn wants_player(&self, name: &str) -> bool {
        self.players.is_empty() || self.players.iter().any(|player| player.fits(name))
    }

    /// Returns the key that identifies these options.
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
