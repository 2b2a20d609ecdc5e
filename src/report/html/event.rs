//! The parts of the page about an event: games by round, best games and openings.

use std::collections::HashMap;

use shakmaty::Color;

use super::game::heading;
use crate::base::text::rounded;
use crate::measure::{
    AccurateGame, CrossGame, CrossRow, EventCrossTable, EventProfile, OpeningRow, QualityOfPlay, Quantity,
    Standing, Unit,
};
use crate::numbers::stats::estimate::mean_of;
use crate::report::pictures::Source;
use crate::report::plots::bar_table::points;
use crate::report::plots::{canvas::Drawing, slope, slope::SlopeRow};
use crate::report::table::{ColumnPart, Table, layout::Layout, page::PageTable};
use crate::report::tables::profile::profile_division;
use crate::report::words::{
    names::first_and_last, names::name, names::natural_name, numbers::MISSING, numbers::number,
    numbers::ordinal, rating,
};

pub struct EventView {
    pub profile: EventProfile,
    pub openings: Option<PageTable>,
    pub clock: Option<PageTable>,
}

/// Largest number of openings on the page. Rarer openings are only in the files.
const OPENINGS: usize = 30;

impl EventView {
    pub fn of(source: &Source<'_>) -> Option<EventView> {
        let profile = EventProfile::of(
            source.games,
            &source.findings.sample,
            &source.findings.analysis.tournament.method,
        );
        let openings = (!profile.openings.is_empty())
            .then(|| PageTable::of("openings-title", openings(&profile.openings)));
        let clock = profile.clock.as_ref().map(|clock| PageTable::of("clock-title", profile_division(clock)));
        let is_known =
            profile.cross.is_some() || openings.is_some() || clock.is_some() || !profile.best.is_empty();
        is_known.then_some(EventView { profile, openings, clock })
    }
}

pub fn accurate_game(source: &Source<'_>, found: &AccurateGame) -> (usize, String, String) {
    let (game, accuracy) = (source.games[found.game].game(), rounded(found.accuracy, 1));
    let says = match found.side {
        None => format!("both sides {accuracy} % or more"),
        Some(color) => format!("{} {accuracy} %", color.fold_wb("White", "Black")),
    };
    (game.source.ordinal, heading(source, game), says)
}

/// A cell of the cross table: a game of the row's player.
pub struct Cell {
    pub number: usize,
    pub result: &'static str,
    /// The color and the number of the opponent, in a table of rounds with many players.
    pub against: String,
    pub says: String,
    /// The shade, from 0 for an accuracy of [`SHADES`]`.0` or less to [`DARKEST`]; 0 if it is unknown.
    pub shade: u32,
}

/// The accuracies in percent of the lightest and of the darkest cell.
pub const SHADES: (u32, u32) = (85, 99);
const DARKEST: f64 = 7.0;

pub fn cell_of(source: &Source<'_>, cross: &EventCrossTable, game: &CrossGame) -> Cell {
    let result = ["0", "½", "1"][game.half_points.min(2) as usize];
    let opponent = cross.rows.get(game.opponent);
    let against = match is_open(cross) {
        false => String::new(),
        // A bye has no opponent, and so no number of a row.
        true => opponent
            .map_or("–".to_owned(), |_| format!("{}{}", game.color.fold_wb("w", "b"), game.opponent + 1)),
    };
    let color = game.color.fold_wb("White", "Black");
    let opponent = opponent.map_or(String::new(), |row| format!(" against {}", natural_name(&row.player)));
    let accuracy =
        game.accuracy.map_or(String::new(), |accuracy| format!(", accuracy {} %", rounded(accuracy, 0)));
    let (low, high) = (f64::from(SHADES.0), f64::from(SHADES.1));
    let share = game.accuracy.map_or(0.0, |accuracy| ((accuracy - low) / (high - low)).clamp(0.0, 1.0));
    Cell {
        number: source.games[game.game].game().source.ordinal,
        result,
        against,
        says: format!("{color}{opponent}{accuracy}"),
        shade: (DARKEST * share).round() as u32,
    }
}

/// Returns true for a table of rounds with so many players that most of them do not meet.
pub fn is_open(cross: &EventCrossTable) -> bool {
    !cross.rounds.is_empty() && cross.rows.len() > CLOSED
}

/// Largest number of players of a round robin.
const CLOSED: usize = 16;

pub fn names(cross: &EventCrossTable) -> Vec<(String, String)> {
    first_and_last(&cross.rows.iter().map(|row| row.player.as_str()).collect::<Vec<_>>())
}

/// The comparison of the players' places by points with their places by moves.
pub struct PointsAgainstMoves {
    pub heading: String,
    pub sentence: String,
    pub drawing: Drawing,
}

impl PointsAgainstMoves {
    /// `None` for an open tournament, and if a player has no rank.
    pub fn of(cross: &EventCrossTable, quality: &QualityOfPlay) -> Option<PointsAgainstMoves> {
        let count = cross.rows.len();
        if !(3..=CLOSED).contains(&count) || is_open(cross) {
            return None;
        }
        let ranked: Vec<&str> =
            quality.rows.iter().filter(|row| row.rank.is_some()).map(|row| row.player.as_str()).collect();
        let by_moves = |player: &str| ranked.iter().position(|known| *known == player);
        let rows: Vec<SlopeRow> = (0..)
            .zip(&cross.rows)
            .zip(names(cross))
            .map(|((place, row), (_, name))| {
                let places = [place, by_moves(&row.player)?];
                Some(SlopeRow { name, points: points(row.half_points), places })
            })
            .collect::<Option<_>>()?;
        // Players with equal points share a place.
        let place =
            |row: &CrossRow| cross.rows.iter().filter(|other| other.half_points > row.half_points).count();
        let shared = |row: &CrossRow| {
            cross.rows.iter().filter(|other| other.half_points == row.half_points).count() > 1
        };
        let far = |index: &usize| {
            let [by_points, by_moves] = [place(&cross.rows[*index]), rows[*index].places[1]];
            by_points.abs_diff(by_moves)
        };
        let most = (0..count).max_by_key(|index| (far(index), count - index))?;
        let (row, name) = (&cross.rows[most], &rows[most].name);
        let heading = match far(&most) {
            0 | 1 => "Points and moves agree".to_owned(),
            _ => format!("Points and moves disagree most about {name}"),
        };
        let sentence = format!(
            "{} is {}{} by points ({}) and {} by moves.",
            natural_name(&row.player),
            if shared(row) { "joint " } else { "" },
            ordinal(place(row) + 1),
            points(row.half_points),
            ordinal(rows[most].places[1] + 1)
        );
        Some(PointsAgainstMoves { heading, sentence, drawing: slope::draw(&rows) })
    }
}

/// A row of the standing of an open tournament, beside its games.
pub struct OpenRow {
    pub elo: String,
    /// Mean Elo of the rated opponents plus 800 times the score's distance from ½ in the games with them, which
    /// approximates FIDE's performance rating.
    pub performance: String,
    pub rating: String,
}

pub fn open_rows(cross: &EventCrossTable, standings: &[Standing<'_>]) -> Vec<OpenRow> {
    let known: HashMap<&str, &Standing<'_>> =
        standings.iter().map(|row| (row.result.name.as_str(), row)).collect();
    let elo = |player: &str| known.get(player)?.result.elo.map(|elo| elo.value);
    let performance = |row: &CrossRow| {
        let met = row.columns.iter().flatten().filter_map(|game| {
            Some((elo(&cross.rows.get(game.opponent)?.player)?, f64::from(game.half_points) / 2.0))
        });
        let (elos, scores): (Vec<f64>, Vec<f64>) = met.unzip();
        Some(mean_of(&elos)? + 800.0 * (mean_of(&scores)? - 0.5))
    };
    let open = |row: &CrossRow| OpenRow {
        elo: number(elo(&row.player), 0),
        performance: number(performance(row), 0),
        rating: known
            .get(row.player.as_str())
            .and_then(|row| row.rating())
            .map_or(MISSING.to_owned(), rating::brief),
    };
    cross.rows.iter().map(open).collect()
}

/// A game in a list: its number, the players, and what makes it remarkable.
pub struct RemarkableGame {
    pub number: usize,
    pub game: String,
    pub says: String,
}

const LISTED: usize = 5;

/// Returns the won games with the largest difference of the ratings in favor of the loser, and the most accurately
/// won games of at least 20 moves.
pub fn remarkable(
    source: &Source<'_>,
    cross: &EventCrossTable,
    standings: &[Standing<'_>],
) -> [Vec<RemarkableGame>; 2] {
    let elos: HashMap<&str, f64> =
        standings.iter().filter_map(|row| Some((row.result.name.as_str(), row.result.elo?.value))).collect();
    let won = cross.rows.iter().flat_map(|row| {
        let games = row.columns.iter().flatten().filter(|game| game.half_points == 2);
        games.filter_map(move |game| Some((row, cross.rows.get(game.opponent)?, game)))
    });
    let told = |winner: &CrossRow, loser: &CrossRow, game: &CrossGame, says: String| RemarkableGame {
        number: source.games[game.game].game().source.ordinal,
        game: format!("{} beat {}", natural_name(&winner.player), natural_name(&loser.player)),
        says,
    };
    let (mut upsets, mut best) = (Vec::new(), Vec::new());
    for (winner, loser, game) in won {
        if let (Some(own), Some(other)) = (elos.get(winner.player.as_str()), elos.get(loser.player.as_str()))
        {
            let says = format!("{} against {}", rounded(*own, 0), rounded(*other, 0));
            upsets.push((other - own, told(winner, loser, game, says)));
        }
        let is_long = source.games[game.game].game().moves.len() >= 40;
        if let Some(accuracy) = game.accuracy.filter(|_| is_long) {
            let says = format!("accuracy {} %", rounded(accuracy, 0));
            best.push((accuracy, told(winner, loser, game, says)));
        }
    }
    upsets.retain(|(difference, _)| *difference > 0.0);
    [upsets, best].map(|mut games| {
        games.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        games.into_iter().map(|(_, game)| game).take(LISTED).collect()
    })
}

fn openings(rows: &[OpeningRow]) -> Layout {
    let accuracy = |color: Color| move |row: &OpeningRow| row.accuracy[color.fold_wb(0, 1)];
    Table::shown(&rows[..rows.len().min(OPENINGS)])
        .display(ColumnPart::Names.under("Opening"), |row: &OpeningRow| name(&row.name))
        .display("Games", |row: &OpeningRow| row.games)
        .display_number(
            ColumnPart::Percent.under("White’s\npoints %"),
            Quantity::POINTS_SHARE,
            |row: &OpeningRow| row.white,
        )
        .display_number(
            ColumnPart::Value.under("Accuracy\nof White %").decimals(1),
            Unit::Percent,
            accuracy(Color::White),
        )
        .display_number(
            ColumnPart::Value.under("Accuracy\nof Black %").decimals(1),
            Unit::Percent,
            accuracy(Color::Black),
        )
        .layout("", Vec::new())
}
