//! The games of the page: their selection, and the row and the graph of each.

use std::collections::BTreeSet;

use shakmaty::{Color, Position};

use crate::base::text::{counted, rounded};
use crate::chess::{Clip, EvaluatedGame, Game, GameResult, Judgment, win_probability};
use crate::measure::{Extremes, MoveFacts, tournament::player_name};
use crate::report::{
    pictures::Source, words::names::name, words::names::natural_name, words::numbers::MISSING,
};

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
/// all requested games and those in progress. Then it adds the games with the largest losses and gains, and after them the first
/// other games, until there are [`GAMES`].
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
        let above: &[&str] = if is_one(source) { &[] } else { &common };
        let row = |place| Row::of(source, place, above, has_rounds);
        let first = self.chosen.first().filter(|_| !is_one(source)).map(|&place| game(place));
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

/// Returns true if the report is about a single game, which the page then shows first.
pub fn is_one(source: &Source<'_>) -> bool {
    source.games.len() == 1 && source.own().is_none()
}

/// Returns twice the number of the game's first move, plus one if it is Black's.
pub fn first(game: &Game) -> u32 {
    2 * game.start.fullmoves().get() + game.start.turn().fold_wb(0, 1)
}

/// The tags that are above the list if all games have the same value.
const TAGS: [&str; 3] = ["Event", "Date", "TimeControl"];

fn tag(game: &Game, key: &str) -> Option<String> {
    let value = match key {
        "Date" => {
            game.tags.get("Date").filter(|date| !date.starts_with('?')).or_else(|| game.tags.get("UTCDate"))
        }
        "TimeControl" => game.tags.time_control(),
        key => game.tags.get(key),
    };
    value.filter(|value| !value.starts_with('?') && *value != "-").map(name)
}

pub struct List {
    pub has_rounds: bool,
    pub has_dates: bool,
    /// The tags that all games have in common. Empty for a single game, whose row has them.
    pub common: Vec<String>,
    pub rows: Vec<Row>,
}

/// A game as a row of the list, with its graph.
pub struct Row {
    pub number: usize,
    /// The round, or the number of the game if the games are not of one event with rounds.
    pub order: String,
    /// White and Black.
    pub sides: [Side; 2],
    pub result: String,
    pub date: String,
    pub details: String,
    pub site: Option<String>,
    pub is_open: bool,
    pub plies: usize,
    /// White's winning chances as an SVG path with one unit a ply, 0 at the bottom of 100 units; `None` for a game without a
    /// move.
    pub curve: Option<String>,
    pub marks: Vec<Mark>,
    /// The numbers of some moves, with their place from the left in percent.
    pub ticks: Vec<(String, u32)>,
    /// The moves in SAN with their numbers and judgments.
    pub moves: String,
}

pub struct Side {
    pub name: String,
    pub natural: String,
    pub elo: Option<u32>,
    pub accuracy: String,
    pub blunders: usize,
}

/// A judged move in the graph, with its place in percent from the left and from the top.
pub struct Mark {
    pub symbol: &'static str,
    pub class: String,
    pub left: String,
    pub top: String,
}

/// Number of moves between two numbers below the graph.
const TICK: u32 = 10;

impl Row {
    fn of(source: &Source<'_>, place: usize, common: &[&str], has_rounds: bool) -> Row {
        let game = source.games[place].game();
        let facts = source.findings.sample.moves_of(place);
        let clip = source.findings.analysis.tournament.method.clip;
        let plies = facts.len();
        let left = |ply: usize| rounded(100.0 * ply as f64 / plies as f64, 1);
        let mark = |(ply, facts): (usize, &MoveFacts)| {
            let judgment = facts.verdict.judgment?;
            Some(Mark {
                symbol: judgment.symbol(),
                class: format!("{} {}", judgment.name(), facts.mover.fold_wb("low", "high")),
                left: left(ply),
                top: rounded(100.0 - 100.0 * win_probability::of_score(facts.after.score, clip), 0),
            })
        };
        let start = first(game);
        let last = (start + plies as u32) / 2;
        let numbers = (start / 2 + 1..=last).filter(|number| number % TICK == 0);
        Row {
            number: game.source.ordinal,
            order: game
                .tags
                .round()
                .filter(|_| has_rounds)
                .map_or_else(|| game.source.ordinal.to_string(), |round| round.to_string()),
            sides: Color::ALL.map(|color| Side::of(source, place, color)),
            // The words for an unknown result are wider than the column.
            result: match game.result {
                GameResult::Unknown if !source.is_in_progress(game) => "*".to_owned(),
                _ => source.result(game),
            },
            date: tag(game, "Date").unwrap_or_default(),
            details: details(game, common),
            site: site(game),
            is_open: is_one(source) || source.options.games.iter().eq([&game.source.ordinal]),
            plies,
            curve: (plies > 0).then(|| curve(&source.games[place], clip)),
            marks: (1..).zip(facts).filter_map(mark).collect(),
            ticks: numbers.map(|number| (left((2 * number - start) as usize), number)).collect(),
            moves: moves(game, facts),
        }
    }
}

impl Side {
    fn of(source: &Source<'_>, place: usize, color: Color) -> Side {
        let game = source.games[place].game();
        let facts = source.findings.sample.moves_of(place).iter();
        let is_blunder =
            |facts: &&MoveFacts| facts.mover == color && facts.verdict.judgment == Some(Judgment::Blunder);
        Side {
            name: name(game.player(color)),
            natural: natural_name(game.player(color)),
            elo: game.elo(color),
            accuracy: accuracy(source, place, color)
                .map_or(MISSING.to_owned(), |percent| format!("{} %", rounded(percent, 0))),
            blunders: facts.filter(is_blunder).count(),
        }
    }
}

/// Returns White's winning chances after `ply` half-moves, from 0 to 100.
pub fn chances_after(game: &EvaluatedGame, ply: usize, clip: Clip) -> Option<f64> {
    Some(100.0 * win_probability::of_score(game.evaluations().at(ply)?.score, clip))
}

/// Returns the area below White's winning chances as an SVG path, with one unit a ply and 0 at the bottom of 100 units.
pub fn curve(game: &EvaluatedGame, clip: Clip) -> String {
    let plies = game.game().moves.len();
    let point = |ply| Some(format!("L{ply} {:.0}", 100.0 - chances_after(game, ply, clip)?));
    format!("M0 100{}L{plies} 100z", (0..=plies).filter_map(point).collect::<String>())
}

/// Returns the accuracy of a side in a game, in percent.
pub fn accuracy(source: &Source<'_>, place: usize, color: Color) -> Option<f64> {
    let mut sides = source.findings.sample.appearances.iter();
    sides.find(|side| side.game as usize == place && side.color == color)?.accuracy
}

fn moves(game: &Game, facts: &[MoveFacts]) -> String {
    let written = (first(game)..).zip(game.moves.iter().zip(facts)).map(|(count, (played, facts))| {
        let symbol = facts.verdict.judgment.map_or("", Judgment::symbol);
        let number = match count % 2 {
            0 => format!("{}. ", count / 2),
            _ if count == first(game) => format!("{}… ", count / 2),
            _ => String::new(),
        };
        format!("{number}{}{symbol}", played.san)
    });
    written.collect::<Vec<_>>().join(" ")
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

pub fn heading(source: &Source<'_>, game: &Game) -> String {
    let [white, black] = Color::ALL.map(|color| name(game.player(color)));
    format!("{white} – {black}, {}", source.result(game))
}

/// Returns the tags of a game that the list does not have above it, and the number of moves.
fn details(game: &Game, common: &[&str]) -> String {
    let own = |key: &&str| !common.contains(key);
    let tags = TAGS.into_iter().filter(own).filter_map(|key| tag(game, key));
    let round = tag(game, "Round").map(|round| format!("round {round}"));
    let opening =
        [tag(game, "ECO"), tag(game, "Opening")].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let moves = counted(game.moves.len().div_ceil(2) as u64, "move");
    let rest = [Some(opening).filter(|opening| !opening.is_empty()), Some(moves)];
    let number = format!("Game {}", game.source.ordinal);
    std::iter::once(number)
        .chain(round)
        .chain(tags)
        .chain(rest.into_iter().flatten())
        .collect::<Vec<_>>()
        .join(" · ")
}
