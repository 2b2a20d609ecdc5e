//! The games of the page: their selection and their list.

use std::collections::BTreeSet;

use shakmaty::Color;

use super::game::{Row, TAGS, tag};
use crate::base::text::counted;
use crate::chess::EvaluatedGame;
use crate::measure::{Extremes, tournament::player_name};
use crate::report::{pictures::Source, words::names::name};

/// Largest number of games on one page, so that the page can be sent by mail.
const GAMES: usize = 100;

pub struct Choice<'a> {
    /// Indices of the chosen games, in ascending order.
    pub chosen: Vec<usize>,
    /// Number of all games of the players that are shown.
    of: usize,
    games: &'a [EvaluatedGame],
}

/// Chooses the games of the players that are shown. If there are more than [`GAMES`], the function chooses
/// all requested games and those in progress. Then it adds the games with the largest losses and gains, and
/// after them the first other games, until there are [`GAMES`].
pub fn choose<'a>(source: &Source<'a>) -> Choice<'a> {
    let shows = |game: &EvaluatedGame| {
        Color::ALL.iter().any(|&color| source.options.players.has(&player_name(game.game(), color)))
    };
    let all: Vec<usize> = (0..source.games.len()).filter(|&place| shows(&source.games[place])).collect();
    if all.len() <= GAMES {
        return Choice { of: all.len(), chosen: all, games: source.games };
    }
    let featured = |&&place: &&usize| {
        let game = source.games[place].game();
        source.is_in_progress(game) || source.options.games.contains(&game.source.ordinal)
    };
    let mut chosen: BTreeSet<usize> = all.iter().filter(featured).copied().collect();
    let turns = turns(source, GAMES);
    let more = turns.costly.iter().chain(&turns.gained).map(|turn| turn.game).chain(all.iter().copied());
    for place in more {
        if chosen.len() >= GAMES {
            break;
        }
        chosen.insert(place);
    }
    Choice { of: all.len(), chosen: chosen.into_iter().collect(), games: source.games }
}

/// Returns the `count` largest losses and gains of the shown players; for a profile, of its player only.
pub fn turns(source: &Source<'_>, count: usize) -> Extremes {
    let players = shown_players(source);
    let method = &source.findings.analysis.tournament.method;
    Extremes::of(&source.findings.sample, method, count, |facts| players[facts.player as usize])
}

/// Returns for each player of the sample whether the page shows the player's moves.
pub fn shown_players(source: &Source<'_>) -> Vec<bool> {
    source.findings.sample.players.iter().map(|player| is_shown(source, &player.name)).collect()
}

fn is_shown(source: &Source<'_>, player: &str) -> bool {
    source.options.players.has(player) && source.own().is_none_or(|own| own.player == player)
}

pub struct List {
    pub has_rounds: bool,
    pub has_dates: bool,
    /// The tags that all games have in common. Empty for a single game, whose row has them.
    pub common: Vec<String>,
    pub rows: Vec<Row>,
}

impl Choice<'_> {
    pub fn note(&self) -> Option<String> {
        (self.chosen.len() < self.of).then(|| {
            format!(
                "{} of {} are shown here: the requested games, then those with the largest gains and losses, \
                 then the first ones. The tables and files contain all games.",
                self.chosen.len(),
                counted(self.of as u64, "game")
            )
        })
    }

    pub fn players(&self) -> Vec<String> {
        let games = self.chosen.iter().map(|&place| self.games[place].game());
        let names: BTreeSet<String> =
            games.flat_map(|game| Color::ALL.map(|color| name(game.player(color)))).collect();
        names.into_iter().collect()
    }

    /// Returns the rows of the list. They are in order of the rounds if all games are of one event and have a round.
    pub fn list(&self, source: &Source<'_>) -> List {
        let game = |place: usize| self.games[place].game();
        let is_common = |key: &str| {
            let mut values = self.chosen.iter().map(|&place| tag(game(place), key));
            let first = values.next().flatten();
            first.is_some() && values.all(|value| value == first)
        };
        let common: Vec<&str> = TAGS.into_iter().filter(|key| is_common(key)).collect();
        let has_rounds =
            is_common("Event") && self.chosen.iter().all(|&place| game(place).tags.round().is_some());
        let mut places = self.chosen.clone();
        if has_rounds {
            places.sort_by_key(|&place| game(place).tags.round());
        }
        let above: &[&str] = if source.is_one() { &[] } else { &common };
        let row = |place| Row::of(source, place, above, has_rounds);
        let first = self.chosen.first().filter(|_| !source.is_one()).map(|&place| game(place));
        List {
            has_dates: !common.contains(&"Date")
                && self.chosen.iter().any(|&place| tag(game(place), "Date").is_some()),
            common: first
                .map_or_else(Vec::new, |first| common.iter().filter_map(|key| tag(first, key)).collect()),
            rows: places.into_iter().map(row).collect(),
            has_rounds,
        }
    }
}
