//! [`PlayTrend`]: the change of a player's losses from the first game to the last.

use super::PlayerMoves;
use crate::chess::Date;
use crate::measure::tournament::statistics::Statistic;
use crate::numbers::{ClusteredMean, Estimate, Trend, stats::estimate::LEVEL};

#[derive(Debug, Clone, PartialEq)]
pub struct PlayTrend {
    pub span: SpanKind,
    pub spans: Vec<Span>,
    /// The line through the spans; `None` for fewer than three with an interval.
    pub line: Option<Trend>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    Year,
    Month,
    /// Equal numbers of games, in the order of their dates, else of the files.
    Games,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// The year, the month, or the numbers of the games in the order of time.
    pub name: String,
    pub win_loss: Estimate,
    /// Each game with a move that counts.
    pub games: Vec<GamePoint>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GamePoint {
    /// Its number among all games read.
    pub number: usize,
    pub win_loss: f64,
}

/// Smallest number of years or months for which they are used instead of game numbers.
const CALENDAR: usize = 3;

/// Smallest number of games in a span of games.
const GAMES: usize = 5;

const MOST: usize = 8;

struct DatedGame {
    date: Option<Date>,
    place: u32,
    number: usize,
    loss: ClusteredMean,
}

impl PlayTrend {
    /// Returns the trend; `None` for fewer than two spans.
    pub(super) fn of(own: &PlayerMoves<'_>) -> Option<PlayTrend> {
        let games = dated(own);
        let year = |game: &DatedGame| Some(game.date?.year().to_string());
        let month = |game: &DatedGame| {
            let date = game.date?;
            Some(format!("{}-{:02}", date.year(), date.month()?))
        };
        let (span, spans) = [(SpanKind::Year, named(&games, year)), (SpanKind::Month, named(&games, month))]
            .into_iter()
            .find(|(_, spans)| spans.len() >= CALENDAR)
            .unwrap_or_else(|| (SpanKind::Games, by_number(&games)));
        let spans: Vec<Span> = spans.into_iter().filter_map(|(name, games)| Span::of(name, games)).collect();
        let points = (0u32..).zip(&spans).filter_map(|(place, span)| {
            let Estimate { value, interval, .. } = span.win_loss;
            Some((f64::from(place), value, interval?.standard_error))
        });
        let line = Trend::of(&points.collect::<Vec<_>>(), LEVEL);
        (spans.len() > 1).then_some(PlayTrend { span, spans, line })
    }
}

/// Returns the player's games in the order of time. Games of one day, and those without a date, are in the
/// order of the files.
fn dated(own: &PlayerMoves<'_>) -> Vec<DatedGame> {
    let mut games: Vec<DatedGame> = Vec::new();
    for (_, facts) in own.moves() {
        let Some(loss) = Statistic::WinLoss.of_move(facts, own.method) else { continue };
        if games.last().is_none_or(|game| game.place != facts.game) {
            let game = own.games[facts.game as usize].game();
            games.push(DatedGame {
                date: game.tags.date(),
                place: facts.game,
                number: game.source.ordinal,
                loss: ClusteredMean::default(),
            });
        }
        games.iter_mut().last().into_iter().for_each(|game| game.loss.add(facts.game, loss));
    }
    games.sort_by_key(|game| game.date.map(|date| (date.year(), date.month(), date.day())));
    games
}

/// Returns the games by their `name`, in order; those without one are left out.
fn named(games: &[DatedGame], name: impl Fn(&DatedGame) -> Option<String>) -> Vec<(String, Vec<&DatedGame>)> {
    let mut spans: Vec<(String, Vec<&DatedGame>)> = Vec::new();
    for game in games {
        let Some(name) = name(game) else { continue };
        match spans.last_mut() {
            Some((last, games)) if *last == name => games.push(game),
            _ => spans.push((name, vec![game])),
        }
    }
    spans
}

/// Returns the games in spans of about equal size.
fn by_number(games: &[DatedGame]) -> Vec<(String, Vec<&DatedGame>)> {
    let spans = (games.len() / GAMES).clamp(1, MOST);
    let span = |place: usize| {
        let (from, to) = (games.len() * place / spans, games.len() * (place + 1) / spans);
        (format!("{}–{to}", from + 1), games[from..to].iter().collect())
    };
    (0..spans).map(span).collect()
}

impl Span {
    fn of(name: String, games: Vec<&DatedGame>) -> Option<Span> {
        let points = games
            .iter()
            .filter_map(|game| Some(GamePoint { number: game.number, win_loss: game.loss.mean()? }));
        let points = points.collect();
        // Games are clusters, whose order does not affect a mean.
        let mut totals: Vec<(u32, usize, f64)> = games
            .iter()
            .filter_map(|game| {
                let count = game.loss.count();
                Some((game.place, count as usize, count * game.loss.mean()?))
            })
            .collect();
        totals.sort_unstable_by_key(|&(place, ..)| place);
        let estimate = totals.into_iter().collect::<ClusteredMean>().estimate()?;
        let win_loss = Statistic::WinLoss.bounded(estimate);
        Some(Span { name, win_loss, games: points })
    }
}
