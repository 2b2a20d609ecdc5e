//! The games of the page: their selection, and each game with its graph.

use std::collections::BTreeSet;

use shakmaty::Color;

use crate::base::text::{counted, rounded};
use crate::chess::{EvaluatedGame, Game};
use crate::measure::{Extremes, tournament::player_name};
use crate::report::pictures;
use crate::report::pictures::Source;
use crate::report::plots::{canvas::Drawing, game::result};
use crate::report::words::{names::name, numbers::MISSING};

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
/// all requested games. Then it adds the games with the largest losses and gains, and after them the first
/// other games, until there are [`GAMES`].
pub fn choose<'a>(source: &Source<'a>) -> Choice<'a> {
    let shows = |game: &EvaluatedGame| {
        Color::ALL.iter().any(|&color| source.options.players.has(&player_name(game.game(), color)))
    };
    let all: Vec<usize> = (0..source.games.len()).filter(|&place| shows(&source.games[place])).collect();
    if all.len() <= GAMES {
        return Choice { of: all.len(), chosen: all, games: source.games };
    }
    let featured =
        |&&place: &&usize| source.options.games.contains(&source.games[place].game().source.ordinal);
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

    pub fn views(&self, source: &Source<'_>) -> impl Iterator<Item = (&Game, String, Drawing)> {
        let view = |&place: &usize| {
            (self.games[place].game(), details(source, place), pictures::game(source, place))
        };
        self.chosen.iter().map(view)
    }
}

/// Returns the tag `Site` if it is an address that begins with `https://`. Only a click on the page opens it.
pub fn site(game: &Game) -> Option<String> {
    let is_address = |site: &&str| {
        site.strip_prefix("https://").is_some_and(|rest| {
            !rest.is_empty()
                && rest.chars().all(|letter| letter.is_ascii_graphic() && !"\"'<>`\\".contains(letter))
        })
    };
    game.tags.get("Site").filter(is_address).map(str::to_owned)
}

pub fn heading(game: &Game) -> String {
    let [white, black] = Color::ALL.map(|color| name(game.player(color)));
    let result = result(game);
    format!("{white} – {black}, {result}")
}

fn details(source: &Source<'_>, place: usize) -> String {
    let game = source.games[place].game();
    let known = |value: Option<&str>| value.filter(|value| !value.starts_with('?')).map(name);
    let tag = |key: &str| known(game.tags.get(key));
    let round = tag("Round").filter(|round| round != "-").map(|round| format!("round {round}"));
    let accuracy = |color: Color| {
        let side = source
            .findings
            .sample
            .appearances
            .iter()
            .find(|side| side.game as usize == place && side.color == color);
        side.and_then(|side| side.accuracy)
            .map_or(MISSING.to_owned(), |percent| format!("{} %", rounded(percent, 1)))
    };
    let accuracies = format!("accuracy {} and {}", accuracy(Color::White), accuracy(Color::Black));
    let moves = counted(game.moves.len().div_ceil(2) as u64, "move");
    let opening = [tag("ECO"), tag("Opening")].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let opening = (!opening.is_empty()).then_some(opening);
    let date = tag("Date").or_else(|| tag("UTCDate"));
    let control = known(game.tags.time_control()).filter(|control| control != "-");
    let parts = [round, tag("Event"), date, control, opening, Some(moves), Some(accuracies)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
