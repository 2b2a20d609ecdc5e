//! A game as a row of the list, with the graph of White's winning chances.

use shakmaty::{Color, Position};

use crate::base::text::{counted, rounded};
use crate::chess::{Clip, EvaluatedGame, Game, GameResult, Judgment, win_probability};
use crate::measure::MoveFacts;
use crate::report::{
    pictures::Source, words::names::name, words::names::natural_name, words::numbers::MISSING,
};

/// The tags that are above the list if all games have the same value.
pub(super) const TAGS: [&str; 3] = ["Event", "Date", "TimeControl"];

pub struct Row {
    pub number: usize,
    /// The round, or the number of the game if the games are not of one event with rounds.
    pub order: String,
    /// White and Black.
    pub sides: [Side; 2],
    pub result: String,
    pub date: String,
    pub details: String,
    /// The odds of unusually accurate play, one sentence for each side.
    pub unusual: Vec<String>,
    pub site: Option<String>,
    pub is_open: bool,
    pub plies: usize,
    /// See [`curve`].
    pub curve: String,
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

/// Returns White's winning chances as an SVG path with one unit a ply, 0 at the bottom of 100 units.
pub fn curve(evaluated: &EvaluatedGame, clip: Clip) -> String {
    let plies = evaluated.game().moves.len();
    let point = |ply| Some(format!("L{ply} {:.0}", 100.0 - chances_after(evaluated, ply, clip)?));
    format!("M0 100{}L{plies} 100z", (0..=plies).filter_map(point).collect::<String>())
}

/// Returns White's winning chances after `ply` half-moves, from 0 to 100.
pub fn chances_after(evaluated: &EvaluatedGame, ply: usize, clip: Clip) -> Option<f64> {
    Some(100.0 * win_probability::of_score(evaluated.evaluations().at(ply)?.score, clip))
}

impl Row {
    pub(super) fn of(source: &Source<'_>, place: usize, common: &[&str], has_rounds: bool) -> Row {
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
        let round = game.tags.round().filter(|_| has_rounds);
        Row {
            number: game.source.ordinal,
            order: round.map_or_else(|| game.source.ordinal.to_string(), |round| round.to_string()),
            sides: Color::ALL.map(|color| Side::of(source, place, color)),
            // The words for an unknown result are wider than the column.
            result: match game.result {
                GameResult::Unknown if !source.is_in_progress(game) => "*".to_owned(),
                _ => source.result(game),
            },
            date: tag(game, "Date").unwrap_or_default(),
            details: details(game, common),
            #[cfg(feature = "program")]
            unusual: Color::ALL.into_iter().filter_map(|color| unusual(source, game, color)).collect(),
            #[cfg(not(feature = "program"))]
            unusual: Vec::new(),
            site: site(game),
            is_open: source.is_one() || source.options.games.iter().eq([&game.source.ordinal]),
            plies,
            curve: curve(&source.games[place], clip),
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

/// Returns the accuracy of a side in a game, in percent.
pub fn accuracy(source: &Source<'_>, place: usize, color: Color) -> Option<f64> {
    let mut sides = source.findings.sample.appearances.iter();
    sides.find(|side| side.game as usize == place && side.color == color)?.accuracy
}

#[cfg(feature = "program")]
fn unusual(source: &Source<'_>, game: &Game, color: Color) -> Option<String> {
    let found = source.findings.quality.among_peers(game, color).filter(|found| found.odds.is_unusual())?;
    let player = natural_name(game.player(color));
    Some(format!(
        "{player}, {} %: {}.",
        rounded(found.accuracy, 1),
        crate::report::words::reference::odds(&found.odds)
    ))
}

/// Returns twice the number of the game's first move, plus one if it is Black's.
pub fn first(game: &Game) -> u32 {
    2 * game.start.fullmoves().get() + game.start.turn().fold_wb(0, 1)
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

pub(super) fn tag(game: &Game, key: &str) -> Option<String> {
    let value = match key {
        "Date" => {
            game.tags.get("Date").filter(|date| !date.starts_with('?')).or_else(|| game.tags.get("UTCDate"))
        }
        "TimeControl" => game.tags.time_control(),
        key => game.tags.get(key),
    };
    value.filter(|value| !value.starts_with('?') && *value != "-").map(name)
}

/// Returns the tags of a game that the list does not have above it, and the number of moves.
fn details(game: &Game, common: &[&str]) -> String {
    let opening = ["ECO", "Opening"].into_iter().filter_map(|key| tag(game, key)).collect::<Vec<_>>();
    [Some(format!("Game {}", game.source.ordinal)), tag(game, "Round").map(|round| format!("round {round}"))]
        .into_iter()
        .chain(TAGS.into_iter().filter(|key| !common.contains(key)).map(|key| tag(game, key)))
        .chain([(!opening.is_empty()).then(|| opening.join(" "))])
        .chain([Some(counted(game.moves.len().div_ceil(2) as u64, "move"))])
        .flatten()
        .collect::<Vec<_>>()
        .join(" · ")
}
