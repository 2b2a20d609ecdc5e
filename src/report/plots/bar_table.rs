//! The ranking of pages and pictures: a table whose rows have the number that ranks each player as a dot on one axis.

use crate::base::text::rounded;
use crate::chess::Judgment;
use crate::measure::{BoundSide, GameResults, QualityBasis, QualityOfPlay, QualityRow, Standing, Statistic};
use crate::numbers::Estimate;
use crate::report::plots::{chart::Axis, chart::ends, chart::range};
use crate::report::words::{
    names::first_and_last, numbers::MISSING, numbers::minus, numbers::number_and_margin,
    numbers::with_margin, rating,
};

/// Number of rows that are shown at first. The reader may show all rows.
const SHOWN: usize = 15;

/// The largest distance to which an interval is drawn beyond all values, as a multiple of the range of the
/// values. A longer interval of a player with few games would leave no room for the others.
const REACH: f64 = 1.5;

/// A number that ranks a player, and its side if it is a bound.
pub type Number = Option<(Estimate, Option<BoundSide>)>;

pub struct BarTable {
    pub rows: Vec<BarRow>,
    /// The values at which lines are drawn: places on the axis in percent, and labels.
    pub lines: Vec<(String, String)>,
    /// The heading of the number that ranks the players.
    pub number: &'static str,
    pub has_elo: bool,
    pub has_intervals: bool,
    pub has_accuracy: bool,
    /// True if top moves are known and not the number that ranks the players.
    pub has_top_moves: bool,
    pub is_long: bool,
}

pub struct BarRow {
    pub rank: String,
    /// First names and surname.
    pub name: (String, String),
    pub bar: Option<Bar>,
    /// `above` or `below` for a bound, which is an arrow.
    pub bound: &'static str,
    /// The player's Elo as a place on the axis.
    pub elo_at: Option<String>,
    /// The number that ranks the player, and its margin.
    pub number: (String, String),
    pub elo: String,
    pub points: String,
    pub accuracy: String,
    pub top_moves: String,
    pub blunders: String,
}

/// The ends of an axis that bars of several rows share.
#[derive(Debug, Clone, Copy)]
pub struct BarAxis {
    pub low: f64,
    pub high: f64,
}

/// A value and its interval: places on the axis in percent.
pub struct Bar {
    pub low: String,
    pub width: String,
    pub at: String,
}

impl BarAxis {
    /// Returns an axis wide enough for all values; `None` if there is nothing to draw.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<BarAxis> {
        let (low, high) = range(values);
        (high > low).then_some(BarAxis { low, high })
    }

    /// Returns the ends in words, with about two digits of the axis's length.
    pub fn ends(self) -> [String; 2] {
        let decimals = match self.high - self.low {
            wide if wide >= 20.0 => 0,
            middle if middle >= 2.0 => 1,
            _ => 2,
        };
        [self.low, self.high].map(|end| minus(&rounded(end, decimals)))
    }

    fn share(self, value: f64) -> f64 {
        100.0 * ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    pub fn place(self, value: f64) -> String {
        format!("{:.1}%", self.share(value))
    }

    pub fn bar(self, value: f64, [low, high]: [f64; 2]) -> Bar {
        let width = format!("{:.1}%", self.share(high) - self.share(low));
        Bar { low: self.place(low), width, at: self.place(value) }
    }
}

impl BarTable {
    pub fn of(standings: &[Standing<'_>], quality: &QualityOfPlay) -> BarTable {
        let ranked: Vec<&Standing<'_>> = standings.iter().filter(|row| row.quality.is_some()).collect();
        let number = |row: &Standing<'_>| shown(row.quality?, quality);
        let numbers: Vec<_> = ranked.iter().map(|row| number(row)).collect();
        let known: Vec<Estimate> = numbers.iter().flatten().map(|(number, _)| *number).collect();
        let elo = |row: &Standing<'_>| row.result.elo.map(|elo| elo.value).filter(|_| quality.is_rated());
        let axis = axis(&known, ranked.iter().filter_map(|row| elo(row)));
        let bars = BarAxis { low: axis.ends.0, high: axis.ends.1 };
        let names: Vec<&str> = ranked.iter().map(|row| row.result.name.as_str()).collect();
        let of = |row: &Standing<'_>, statistic: Statistic| row.measures.get(statistic);
        let knows = |statistic| ranked.iter().any(|row| of(row, statistic).is_some());
        let by = quality.basis.statistic();
        let rows =
            ranked.iter().zip(first_and_last(&names)).zip(&numbers).map(|((row, name), number)| BarRow {
                rank: row
                    .quality
                    .and_then(|row| row.rank)
                    .map_or(MISSING.to_owned(), |rank| rank.to_string()),
                name,
                bar: number.map(|(number, _)| bars.bar(number.value, ends(&number))),
                bound: match number.and_then(|(_, bound)| bound) {
                    None => "",
                    Some(BoundSide::Above) => "above",
                    Some(BoundSide::Below) => "below",
                },
                elo_at: elo(row).map(|elo| bars.place(elo)),
                number: said(row, *number, by),
                elo: row.result.elo.map_or(String::new(), |elo| rounded(elo.value, 0)),
                // Nobody has points before the first result.
                points: match row.result.results {
                    GameResults { known: 0, .. } => MISSING.to_owned(),
                    results => points(results.half_points),
                },
                accuracy: share(of(row, Statistic::Accuracy), 1),
                top_moves: share(of(row, Statistic::FirstChoice), 0),
                blunders: row
                    .judgments
                    .map_or(String::new(), |counts| counts.of(Judgment::Blunder).to_string()),
            });
        BarTable {
            rows: rows.collect(),
            lines: axis.lines.iter().map(|(value, text)| (bars.place(*value), text.clone())).collect(),
            number: match quality.basis {
                QualityBasis::Rating { .. } => "Rating of play",
                QualityBasis::Statistics { by: Statistic::FirstChoice, .. } => "Top moves, %",
                QualityBasis::Statistics { .. } => "Loss of win, %",
            },
            has_elo: ranked.iter().any(|row| row.result.elo.is_some()),
            has_intervals: known.iter().any(|number| number.interval.is_some()),
            has_accuracy: knows(Statistic::Accuracy),
            has_top_moves: knows(Statistic::FirstChoice) && by != Some(Statistic::FirstChoice),
            is_long: ranked.len() > SHOWN + 3,
        }
    }
}

/// Returns the number that ranks the player, and its margin; a dash without a number.
fn said(row: &Standing<'_>, number: Number, by: Option<Statistic>) -> (String, String) {
    let text = match (by, number) {
        (None, _) => row.rating().map_or(MISSING.to_owned(), rating::brief),
        (Some(by), Some((number, _))) => with_margin(number, by.facts().decimals()),
        (Some(_), None) => MISSING.to_owned(),
    };
    number_and_margin(text)
}

fn share(estimate: Option<Estimate>, decimals: usize) -> String {
    estimate.map_or(String::new(), |estimate| rounded(estimate.value, decimals))
}

/// Returns points as tables write them: `8.5`, or `8` if they are whole.
pub fn points(half_points: u32) -> String {
    rounded(f64::from(half_points) / 2.0, usize::from(half_points % 2 == 1))
}

/// Returns the number that ranks the player, or its bound; `None` for a rating that is refused for other reasons.
pub fn shown(row: &QualityRow, quality: &QualityOfPlay) -> Number {
    let is_by_rating = quality.basis.statistic().is_none();
    let is_refused = is_by_rating && row.rating.as_ref().is_some_and(|rating| rating.refusal.is_some());
    let is_shown = |bound: Option<BoundSide>| bound.is_some() || !is_refused;
    let (number, bound) = row.ranked_by(&quality.basis).filter(|(_, bound)| is_shown(*bound))?;
    Some((Estimate { interval: number.interval.filter(|_| bound.is_none()), ..number }, bound))
}

/// Returns an axis of few lines, so that its numbers do not overlap.
pub fn axis(known: &[Estimate], elo: impl Iterator<Item = f64>) -> Axis {
    let (low, high) = range(known.iter().map(|number| number.value).chain(elo));
    let reach = REACH * (high - low).max(1.0);
    let all = known.iter().flat_map(ends).map(|end| end.clamp(low - reach, high + reach));
    let mut axis = Axis::with_room("", all.chain([low, high]), (4, 0.5), 0.0);
    let decimals = usize::from(axis.ends.1 - axis.ends.0 < 5.0);
    for (value, text) in &mut axis.lines {
        *text = rounded(*value, decimals).replace('-', "−");
    }
    axis
}
