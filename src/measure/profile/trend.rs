//! [`PlayTrend`]: the change of a player's losses of winning chances from the first game to the last.

use super::PlayerMoves;
use crate::chess::Date;
use crate::measure::tournament::statistics::Statistic;
use crate::numbers::{ClusteredMean, Estimate, Trend};

#[derive(Debug, Clone, PartialEq)]
pub struct PlayTrend {
    pub span: SpanKind,
    pub spans: Vec<Span>,
    /// The trend line through the spans; `None` if fewer than three spans have an interval.
    pub line: Option<Trend>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    Year,
    Month,
    /// Spans of about equal numbers of games, in the order of their dates. Games without a date come first,
    /// in the order of the files.
    Games,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// The year, the month, or the numbers of the games.
    pub name: String,
    /// The year, the number of months since year 0, or the number of the span.
    pub place: i32,
    pub win_loss: Estimate,
    /// The games that have a counted move.
    pub games: Vec<GamePoint>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GamePoint {
    /// The game's number among all games read.
    pub number: usize,
    /// The time of the game within its span, as a fraction from 0 to 1. It comes from the date if possible,
    /// otherwise from the order of the games.
    pub time: f64,
    pub win_loss: f64,
}

/// Smallest number of years, or of months, for a trend by year or by month. With fewer, games are divided
/// into spans of about equal numbers of games.
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
        let year = |game: &DatedGame| {
            let year = game.date?.year();
            Some((i32::from(year), year.to_string()))
        };
        let month = |game: &DatedGame| {
            let (date, month) = (game.date?, game.date?.month()?);
            Some((12 * i32::from(date.year()) + i32::from(month) - 1, format!("{}-{month:02}", date.year())))
        };
        let (span, spans) = [(SpanKind::Year, named(&games, year)), (SpanKind::Month, named(&games, month))]
            .into_iter()
            .find(|(_, spans)| spans.len() >= CALENDAR)
            .unwrap_or_else(|| (SpanKind::Games, by_number(&games)));
        let spans: Vec<Span> =
            spans.into_iter().filter_map(|(at, games)| Span::of(span, at, &games)).collect();
        let points = spans.iter().filter_map(|span| {
            let Estimate { value, interval, .. } = span.win_loss;
            Some((f64::from(span.place), value, interval?.standard_error))
        });
        let line = Trend::of(&points.collect::<Vec<_>>());
        (spans.len() > 1).then_some(PlayTrend { span, spans, line })
    }
}

/// Returns the player's games in the order of time, games without a date first. Games of one day, and games
/// without a date, keep the order of the files.
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

type SpanName = (i32, String);

/// Returns the games of each span, in their order. Games for which `name` returns `None` are left out.
fn named(
    games: &[DatedGame],
    name: impl Fn(&DatedGame) -> Option<SpanName>,
) -> Vec<(SpanName, Vec<&DatedGame>)> {
    let mut spans: Vec<(SpanName, Vec<&DatedGame>)> = Vec::new();
    for game in games {
        let Some(name) = name(game) else { continue };
        match spans.last_mut() {
            Some((last, games)) if *last == name => games.push(game),
            _ => spans.push((name, vec![game])),
        }
    }
    spans
}

/// Returns the games in spans of about equal size: at most [`MOST`] spans, each with at least [`GAMES`]
/// games. If there are fewer games, they form one span.
fn by_number(games: &[DatedGame]) -> Vec<(SpanName, Vec<&DatedGame>)> {
    let spans = (games.len() / GAMES).clamp(1, MOST);
    let span = |place: usize| {
        let (from, to) = (games.len() * place / spans, games.len() * (place + 1) / spans);
        ((place as i32, format!("{}–{to}", from + 1)), games[from..to].iter().collect())
    };
    (0..spans).map(span).collect()
}

impl SpanKind {
    /// Returns the position of a date within its span, as a fraction. In a year, a date without a day counts
    /// as the middle of its month. `None` if the month (in a year) or the day (in a month) is unknown, and
    /// for spans of games.
    fn time(self, date: Date) -> Option<f64> {
        let in_month = date.day().map(|day| (f64::from(day) - 0.5) / 31.0);
        match self {
            SpanKind::Year => Some((f64::from(date.month()?) - 1.0 + in_month.unwrap_or(0.5)) / 12.0),
            SpanKind::Month => in_month,
            SpanKind::Games => None,
        }
    }
}

impl Span {
    fn of(kind: SpanKind, (place, name): SpanName, games: &[&DatedGame]) -> Option<Span> {
        let points = games.iter().enumerate().filter_map(|(order, game)| {
            let by_order = (order as f64 + 0.5) / games.len() as f64;
            let time = game.date.and_then(|date| kind.time(date)).unwrap_or(by_order);
            Some(GamePoint { number: game.number, time, win_loss: game.loss.mean()? })
        });
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
        Some(Span { name, place, win_loss, games: points })
    }
}
