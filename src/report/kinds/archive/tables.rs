//! The tables of an archive: groups, their histograms, and moves by clock.

use super::events;
use crate::base::text::{counted, rounded};
use crate::measure::{
    ClockClass, ClockRow, CountKey, GroupRow, Grouping, Quantity, RankedFrom, Survey, Unit, group::UNKNOWN,
    peers::GamePart, peers::PlayMeasure, peers::UsualRow,
};
use crate::report::table::{ColumnPart, EndColumns, Table, head, layout::Layout};
use crate::report::tables::{columns::BIN_SHARE, columns::FILTER, peers};
use crate::report::words;
use crate::report::words::{numbers::MISSING, numbers::with_margin};

/// Largest number of rows in a terminal's table. Files have all rows.
const ROWS: usize = 60;

/// Returns the tables that the page and the terminal show.
pub fn layouts(survey: &Survey, identity: &CountKey) -> Vec<Layout> {
    if !survey.events.is_empty() {
        return events::layouts(survey);
    }
    let mut tables = vec![groups(survey, identity)];
    for class in ClockClass::ALL {
        let rows: Vec<&ClockRow> = survey.clocks.iter().filter(|row| row.class == class).collect();
        if !rows.is_empty() {
            tables.push(clocks(&rows).layout(CLOCKS[class as usize], Vec::new()));
        }
    }
    let whole = |row: &&UsualRow| row.part == GamePart::Whole && row.measure == PlayMeasure::Accuracy;
    let usual: Vec<&UsualRow> = survey.usual.iter().filter(whole).take(ROWS).collect();
    if !usual.is_empty() {
        let notes = vec![USUAL.to_owned()];
        tables.push(peers::usual_layout(
            &usual,
            (identity.by.title(), &|key| identity.by.label(key)),
            "Accuracy of single games",
            notes,
        ));
    }
    tables
}

/// The titles of the tables of each [`ClockClass`].
const CLOCKS: [&str; 2] = ["Gains by the time left after the move", "Gains by the time spent on the move"];

const USUAL: &str = "The columns are quantiles: 25 % of the games have at most the accuracy in the column \"25 %\". \
    The other measures, and each phase, are in the table group-quantiles.";

/// Returns the groups that page and terminal show: the first ones in their natural order or, without such an order, those with
/// the most moves, the best result first.
pub fn shown_groups(survey: &Survey, by: Grouping) -> Vec<&GroupRow> {
    let mut rows: Vec<&GroupRow> = survey.groups.iter().filter(|row| row.moves > 0).collect();
    if !by.has_order() {
        // An alphabetical list of thousands of players is of no use. Groups with the most moves are the most
        // informative.
        rows.sort_by(|a, b| b.moves.cmp(&a.moves).then_with(|| a.key.cmp(&b.key)));
    }
    rows.truncate(ROWS);
    if !by.has_order() {
        sort_by_result(&mut rows);
    }
    rows
}

fn groups(survey: &Survey, identity: &CountKey) -> Layout {
    let rows = shown_groups(survey, identity.by);
    let total = survey.groups.iter().filter(|row| row.moves > 0).count();
    let title = "Expected score by group against the engine";
    group_table(&rows, identity.by, &identity.filters).layout(title, notes(survey, identity, &rows, total))
}

/// Returns true if the groups are compared by ratings of play, and not by expected score.
fn is_by_rating(rows: &[&GroupRow]) -> bool {
    rows.iter().all(|row| row.rating.is_some())
}

/// Sorts the best result first. Groups with too few games for a rank come last, and so does the group with
/// the key [`UNKNOWN`].
fn sort_by_result(rows: &mut [&GroupRow]) {
    let is_by_rating = is_by_rating(rows);
    let games = |row: &&GroupRow| usize::try_from(row.games).unwrap_or(usize::MAX);
    let least = RankedFrom::default().games(rows.iter().map(games));
    let result = |row: &GroupRow| match (&row.rating, row.expected_score) {
        (Some(rating), _) if is_by_rating => rating.outright.unwrap_or(rating.shrunken).value,
        (_, score) => score.map_or(f64::NEG_INFINITY, |score| score.value),
    };
    let is_behind = |row: &&GroupRow| row.key == UNKNOWN || games(row) < least;
    rows.sort_by(|a, b| {
        let in_order = result(b).total_cmp(&result(a)).then_with(|| a.key.cmp(&b.key));
        is_behind(a).cmp(&is_behind(b)).then(in_order)
    });
}

pub fn group_table(rows: &[&GroupRow], by: Grouping, filters: &[String]) -> Table {
    let filters = filters.join("; ");
    let percent = |row: &GroupRow, count: u64| rounded(100.0 * count as f64 / row.moves as f64, 1);
    let signs = |row: &GroupRow| row.histogram.signs();
    let table = Table::of("groups", "One row per group, in the order of the groups.", rows)
        .column("by", "Division of the moves, as named in `--by`.", |_| by.to_string())
        .column("group", "The group; for a band of Elo points, its lower end.", |row| &row.key)
        .display(ColumnPart::Names.under(by.title()), |row| by.label(&row.key))
        .column("games", "Games with a counted move.", |row| row.games)
        .heading(head("Games").gives_way(3))
        .column("moves", "Moves with a counted gain.", |row| row.moves)
        .heading("Moves")
        .number("elo", Quantity::RATING, "Mean rating tag of the movers.", |row| row.elo)
        .heading(head("Elo").decimals(0).gives_way(1))
        .number("points_share", Quantity::POINTS_SHARE, "", |row| row.points)
        .means("Share of points in games with a known result.")
        .heading(ColumnPart::Percent.under("Score\n%"))
        .moves_by_sign(|row| signs(row))
        .display_text(head("Gain\n> 0 %").gives_way(5), |row| percent(row, signs(row).positive))
        .display_text(head("\n= 0 %").gives_way(5), |row| percent(row, signs(row).zero))
        .number("mean_gain", Unit::Gain, "Mean gain of a move.", |row| row.mean_gain)
        .number("loss_cp", Unit::Centipawns, "Mean of max(0, −gain) in centipawns.", |row| row.loss_cp)
        .expected_score(EndColumns::Named, |row| row.expected_score)
        .heading("Expected\nscore")
        .elo_difference(EndColumns::Named, |row| row.elo_difference)
        .heading(ColumnPart::Value.under("Elo\ndifference").decimals(0).gives_way(3))
        .score_kept(|row| row.score_kept)
        .heading(head("Score\nkept").gives_way(4))
        .display_number(head("Loss\ncp").gives_way(4), Unit::Centipawns, |row| row.loss_cp)
        .number("engine_strength", Unit::Elo, "", |row| row.engine_strength)
        .means("Strength of the engine as seen from this group: `elo` − `elo_difference`.")
        .heading(head("Engine\nstrength").decimals(0).gives_way(3))
        .number("performance", Unit::Elo, "", |row| row.performance)
        .means("Mean strength of the engine plus the group's `elo_difference`.");
    let table = if by == Grouping::Player {
        table.heading(head("Performance").decimals(0).gives_way(2))
    } else {
        table
    };
    let table = table
        .column("rated_moves", "", |row| row.rating.as_ref().map(|rating| rating.moves))
        .means(
            "Number of moves from which the rating of play is computed: all moves of the games with \
             evaluations of a calibrated kind.",
        )
        .rating_of_play(|row| row.rating.as_ref());
    let is_rated = rows.iter().any(|row| row.rating.is_some());
    let table = table.when(is_rated, |table| {
        table.said("Rating\nof play", |row| {
            row.rating.as_ref().map_or(MISSING.to_owned(), words::rating::brief)
        })
    });
    table.column("filter", FILTER, |_| filters.clone()).table()
}

pub fn group_histograms(survey: &Survey) -> Table {
    let mut rows: Vec<(&str, i64, u64, f64)> = Vec::new();
    for row in &survey.groups {
        let Some(distribution) = row.histogram.distribution() else { continue };
        let bins = row.histogram.bins();
        rows.extend(bins.map(|(center, count)| (row.key.as_str(), center, count, distribution.share(count))));
    }
    Table::of("group-histograms", "One row per group and bin that is not empty.", &rows)
        .column("group", "The group, as in the table of groups.", |row| row.0)
        .column("gain", "Center of the bin of gain, in the unit of the metric.", |row| row.1)
        .column("count", "Moves in the bin.", |row| row.2)
        .number("probability", Quantity::BIN_SHARE, BIN_SHARE, |row| row.3)
        .table()
}

pub fn clocks(rows: &[&ClockRow]) -> Table {
    Table::of("clocks", "One row per class of moves by the clock; written if games have clock times.", rows)
        .column("clock", "`left` for the time left to the mover after the move", |row| row.class.to_string())
        .means(", `spent` for the time spent on the move.")
        .display("Time", |row| row.label())
        .column("from_s", "Lower end of the class, in seconds.", |row| u64::from(row.from))
        .column("to_s", "", |row| row.to.map(u64::from))
        .means("Upper end of the class, in seconds; empty for the last class.")
        .column("games", "Games with a counted move of the class.", |row| row.games)
        .heading(head("Games").gives_way(2))
        .column("moves", "Counted moves of the class.", |row| row.moves)
        .heading(head("Moves").gives_way(1))
        .number("mean_gain", Unit::Gain, "Mean gain of a move.", |row| row.mean_gain)
        .heading("Mean\ngain")
        .expected_score(EndColumns::Named, |row| row.expected_score)
        .heading("Expected\nscore")
        .table()
}

fn notes(survey: &Survey, identity: &CountKey, shown: &[&GroupRow], groups: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if groups > ROWS {
        let groups = counted(groups as u64, "group");
        notes.push(match identity.by.has_order() {
            true => format!("The first {ROWS} of {groups} are shown; the files list all."),
            false => format!("The {ROWS} of {groups} with the most moves are shown; the files list all."),
        });
    }
    if !identity.by.has_order() && shown.len() > 1 {
        let result = if is_by_rating(shown) { "rating of play" } else { "expected score" };
        notes.push(format!("The groups are sorted by {result}; in the files, they are sorted by name."));
    }
    notes.push(
        "Expected scores are against an engine whose gains are all 0; ties count half. The 95 % intervals are computed \
         from the scatter between games. Engine strength is the group's Elo minus the group's Elo difference. If \
         engine strength rises with Elo, the groups differ less in their moves than in their ratings."
            .to_owned(),
    );
    if survey.has_several_systems {
        let why = words::tournament::SEVERAL_SYSTEMS;
        notes.push(format!("There is no mean strength of the engine: {why}."));
    }
    if let Some(engine) = survey.engine_strength {
        notes.push(format!(
            "Strength of the engine, mean over {}: {}.",
            counted(engine.observations as u64, "rated player"),
            with_margin(engine, 1)
        ));
    }
    if let Some(rating) = survey.groups.iter().find_map(|row| row.rating.as_ref()) {
        let of_server = survey.scales.iter().filter(|scale| !scale.is_over_the_board());
        let on: String = of_server.map(|scale| format!(", on {}", scale.title())).collect();
        notes.push(format!(
            "Rating of play: the rating of a player whose play equals the group's average{on}. Even with unlimited games, each \
             margin would stay at ± {}.",
            rounded(rating.lasting, 0)
        ));
    }
    match identity.filters.as_slice() {
        [] => {}
        filters => notes.push(format!("Filters: {}.", filters.join("; "))),
    }
    match identity.choices.as_slice() {
        [] => {}
        choices => notes.push(format!("Games: {}.", choices.join("; "))),
    }
    notes
}
