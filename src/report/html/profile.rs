//! [`ProfileView`]: the content of a player's page.

use super::{game::site, key_moves::Moment};
use crate::base::text::{counted, rounded};
use crate::chess::{Clip, EvaluatedGame, Judgment};
use crate::measure::{
    CostlyMove, PlayGrouping, Profile, ProfileRow, Statistic, WINNING_CHANCES, WonPositions,
};
use crate::numbers::Estimate;
use crate::report::plots::{bar_table::Bar, bar_table::BarAxis, chart::ends};
use crate::report::words::{
    names::name as cut_name, names::natural_name, numbers::minus, numbers::number_and_margin,
    numbers::with_margin, profile as words, rating,
};

pub(crate) struct ProfileView<'a> {
    pub profile: &'a Profile,
    /// The main numbers: each with a number, its margin, a label and a note. Margin and note may be empty.
    pub numbers: Vec<[String; 4]>,
    /// The results of games with a won position, of the player and of the opponents.
    pub won: Vec<WonBar>,
    /// The ratings of play by year or, without them, the losses of each span of time.
    pub trend: Option<Trend>,
    /// The differences between the player's losses and the opponents'.
    pub differences: Option<Forest>,
    pub openings: Vec<OpeningLine>,
    pub training: Vec<Training>,
    /// True if each of `training` is a won position that one move threw away.
    pub are_thrown: bool,
    /// True if mistakes.pgn is beside the page.
    pub has_file: bool,
}

pub(crate) struct WonBar {
    pub label: String,
    pub said: String,
    /// The parts of the bar that are not empty: CSS class, number of games, and text.
    pub parts: Vec<(&'static str, u64, String)>,
}

pub(crate) struct Trend {
    pub heading: &'static str,
    pub note: &'static str,
    /// The headings of the column of names and of the column of numbers.
    pub heads: [&'static str; 2],
    pub forest: Forest,
}

/// Estimates with their intervals on one axis.
pub(crate) struct Forest {
    /// The place of 0 on the axis; `None` if 0 is not on it.
    pub zero: Option<String>,
    /// The ends of the axis.
    pub ends: [String; 2],
    pub groups: Vec<(&'static str, Vec<ForestRow>)>,
}

pub(crate) struct ForestRow {
    pub name: String,
    pub games: usize,
    pub text: String,
    /// True if the interval misses 0.
    pub misses: bool,
    pub bar: Bar,
}

/// A row of a [`Forest`] before its axis is known: its name, its number of games, and the estimate.
type Named = (String, usize, Estimate);

pub(crate) struct OpeningLine {
    pub name: String,
    pub games: usize,
    /// Share of points in percent.
    pub points: Option<String>,
    pub accuracy: String,
    pub more: String,
}

/// A position to train on.
pub(crate) struct Training {
    pub moment: Moment,
    pub opponent: String,
    /// The player's winning chances before and after the move, in percent.
    pub chances: [String; 2],
    /// The game's result for the player, as a sentence; empty if it is unknown.
    pub result: &'static str,
    pub site: Option<String>,
}

const BOARDS: usize = 3;

/// Largest numbers of openings in the forest and in the table of openings.
const OPENINGS: [usize; 2] = [6, 8];

/// Largest winning chances after a move that threw a won position away.
const THROWN: f64 = 0.5;

/// Rows whose interval is more than this many times as wide as the median are left out, unless it misses 0.
const WIDEST: f64 = 3.0;

impl<'a> ProfileView<'a> {
    pub fn of(profile: &'a Profile, games: &[EvaluatedGame], clip: Clip) -> ProfileView<'a> {
        let chosen = trained(profile);
        let training = chosen.iter().map(|costly| Training::of(&games[costly.turn.game], costly, clip));
        ProfileView {
            profile,
            numbers: numbers(&profile.whole),
            won: won(profile),
            trend: trend(profile),
            differences: differences(profile),
            openings: openings(profile),
            training: training.collect(),
            are_thrown: chosen.iter().all(|costly| is_thrown(costly)),
            has_file: false,
        }
    }

    /// Returns true if there is something to stand beside the differences.
    pub fn is_pair(&self) -> bool {
        self.differences.is_some() && (self.trend.is_some() || !self.won.is_empty())
    }

    pub fn games(&self) -> String {
        counted(self.profile.whole.games as u64, "game")
    }
}

fn numbers(whole: &ProfileRow) -> Vec<[String; 4]> {
    let of = |statistic| whole.measures.get(statistic).map(|found| found.value);
    let number = |value: String, label: &str| [value, String::new(), label.to_owned(), String::new()];
    let rated = whole.rating.as_ref().filter(|rating| !rating.is_too_short()).map(|rating| {
        let (value, margin) = number_and_margin(rating::brief(rating));
        let elo = whole
            .elo
            .map_or(String::new(), |elo| format!("ratings in the games: {} on average", rounded(elo, 0)));
        [value, margin, "rating of play".to_owned(), elo]
    });
    let percent =
        |statistic, label| of(statistic).map(|value| number(format!("{} %", rounded(value, 0)), label));
    let blunders = whole.judgments.of(Judgment::Blunder) as f64 / whole.games.max(1) as f64;
    rated
        .or_else(|| percent(Statistic::FirstChoice, "top moves"))
        .into_iter()
        .chain(percent(Statistic::Accuracy, "accuracy"))
        .chain([number(rounded(blunders, 1), "blunders a game")])
        .collect()
}

fn won(profile: &Profile) -> Vec<WonBar> {
    let Some(found) = &profile.conversion else { return Vec::new() };
    let name = natural_name(&profile.player);
    let bar = |(label, results): (&str, WonPositions)| {
        let WonPositions { won, drawn, lost } = results;
        let games = results.games();
        let part = |(class, count): (&'static str, u64)| {
            // A narrow part has room only for its number.
            let is_wide = 7 * count >= games;
            (class, count, if is_wide { format!("{count} {class}") } else { count.to_string() })
        };
        let parts = [("won", won), ("drawn", drawn), ("lost", lost)];
        WonBar {
            label: format!("{label}: {}", counted(games, "game")),
            said: format!("{label}: {won} won, {drawn} drawn, {lost} lost"),
            parts: parts.into_iter().filter(|(_, count)| *count > 0).map(part).collect(),
        }
    };
    [(&*name, found.player), ("Opponents", found.opponents)]
        .into_iter()
        .filter(|(_, results)| results.games() > 0)
        .map(bar)
        .collect()
}

fn trend(profile: &Profile) -> Option<Trend> {
    rating_by_year(profile).or_else(|| {
        let spans = profile.trend.as_ref()?.spans.iter();
        let rows = spans.map(|span| (span.name.clone(), span.games.len(), span.win_loss)).collect();
        Some(Trend {
            heading: words::trend_heading(profile),
            note: "Winning chances lost per move, in percentage points, with 95 % intervals. Lower is better.",
            heads: ["Span", "Lost"],
            forest: Forest::of(vec![("", rows)], false)?,
        })
    })
}

/// Returns the ratings of play by year; `None` for fewer than two years with a rating.
fn rating_by_year(profile: &Profile) -> Option<Trend> {
    let years = profile.divisions.iter().find(|division| division.by == PlayGrouping::Year)?;
    let rated = |row: &ProfileRow| Some((row.group.clone(), row.games, row.rating.as_ref()?.accepted()?));
    let rows: Vec<Named> = years.rows.iter().filter_map(rated).collect();
    let forest = (rows.len() > 1).then(|| Forest::of(vec![("", rows)], false))??;
    Some(Trend {
        heading: "Rating of play by year",
        note: "The rating of each year’s games, with 95 % intervals. Higher is better.",
        heads: ["Year", "Rating"],
        forest,
    })
}

fn differences(profile: &Profile) -> Option<Forest> {
    let is_shown = |by: PlayGrouping| !matches!(by, PlayGrouping::Year | PlayGrouping::Event);
    let row = |row: &ProfileRow| {
        let more = row.control.as_ref()?.more;
        more.interval.map(|_| (row.group.clone(), row.games, more))
    };
    let groups = profile.divisions.iter().filter(|division| is_shown(division.by)).map(|division| {
        let most = if division.by == PlayGrouping::Opening { OPENINGS[0] } else { usize::MAX };
        (words::headings(division.by)[0], division.rows.iter().filter_map(row).take(most).collect())
    });
    let all = ("", Vec::from_iter(row(&profile.whole)));
    Forest::of([all].into_iter().chain(groups).collect(), true)
}

impl Forest {
    /// Returns the rows on an axis for all of them; `None` without an interval. With `is_difference`, the axis
    /// includes 0, and the numbers have signs.
    pub fn of(mut groups: Vec<(&'static str, Vec<Named>)>, is_difference: bool) -> Option<Forest> {
        let intervals = groups.iter().flat_map(|(_, rows)| rows).filter_map(|row| row.2.interval);
        let mut widths: Vec<f64> = intervals.map(|ends| ends.half_width()).collect();
        widths.sort_by(f64::total_cmp);
        let widest = 2.0 * WIDEST * widths.get(widths.len() / 2)?;
        let misses = |[low, high]: [f64; 2]| is_difference && (low > 0.0 || high < 0.0);
        for (_, rows) in &mut groups {
            rows.retain(|row| ends(&row.2)[1] - ends(&row.2)[0] <= widest || misses(ends(&row.2)));
        }
        groups.retain(|(_, rows)| !rows.is_empty());
        let reach = groups.iter().flat_map(|(_, rows)| rows).flat_map(|row| ends(&row.2));
        let axis = BarAxis::of(reach.chain(is_difference.then_some(0.0)))?;
        let decimals = usize::from(axis.high - axis.low < if is_difference { 100.0 } else { 20.0 });
        let row = |(name, games, estimate): Named| ForestRow {
            name: cut_name(&name),
            games,
            text: if is_difference { signed(estimate, decimals) } else { with_margin(estimate, decimals) },
            misses: misses(ends(&estimate)),
            bar: axis.bar(estimate.value, ends(&estimate)),
        };
        let drawn =
            |(heading, rows): (&'static str, Vec<Named>)| (heading, rows.into_iter().map(row).collect());
        Some(Forest {
            zero: is_difference.then(|| axis.place(0.0)),
            ends: axis.ends(),
            groups: groups.into_iter().map(drawn).collect(),
        })
    }
}

/// Returns a difference with its sign and margin.
fn signed(more: Estimate, decimals: usize) -> String {
    let sign = if more.value >= 0.05 { "+" } else { "" };
    minus(&format!("{sign}{}", with_margin(more, decimals)))
}

fn openings(profile: &Profile) -> Vec<OpeningLine> {
    let division = profile.divisions.iter().find(|division| division.by == PlayGrouping::Opening);
    let rows = division.map_or(&[][..], |division| &division.rows).iter();
    let line = |row: &ProfileRow| OpeningLine {
        name: cut_name(&row.group),
        games: row.games,
        points: row.points.map(|share| rounded(100.0 * share, 0)),
        accuracy: row
            .measures
            .get(Statistic::Accuracy)
            .map_or(String::new(), |found| rounded(found.value, 0)),
        more: row.control.as_ref().map_or(String::new(), |control| signed(control.more, 1)),
    };
    rows.filter(|row| !row.has_too_few_games()).take(OPENINGS[1]).map(line).collect()
}

fn is_thrown(costly: &CostlyMove) -> bool {
    let [before, after] = costly.turn.chances;
    before >= WINNING_CHANCES && after <= THROWN
}

/// Returns the moves before which a player can train, at most one of a game: won positions thrown away come
/// first, then the costliest moves.
fn trained(profile: &Profile) -> Vec<&CostlyMove> {
    let mut moves: Vec<&CostlyMove> = profile.mistakes.iter().chain(&profile.costliest).collect();
    moves.sort_by_key(|costly| !is_thrown(costly));
    let mut chosen: Vec<&CostlyMove> = Vec::new();
    for costly in moves {
        if chosen.len() < BOARDS && chosen.iter().all(|known| known.turn.game != costly.turn.game) {
            chosen.push(costly);
        }
    }
    chosen
}

impl Training {
    fn of(evaluated: &EvaluatedGame, costly: &CostlyMove, clip: Clip) -> Training {
        let (game, mover) = (evaluated.game(), costly.facts.mover);
        Training {
            moment: Moment::of(evaluated, &costly.facts, &costly.turn, clip),
            opponent: natural_name(game.player(!mover)),
            chances: costly.turn.chances.map(|chance| rounded(100.0 * chance, 0)),
            result: match game.result.half_points(mover) {
                Some(2) => "The game was won.",
                Some(1) => "The game was drawn.",
                Some(_) => "The game was lost.",
                None => "",
            },
            site: site(game),
        }
    }
}
