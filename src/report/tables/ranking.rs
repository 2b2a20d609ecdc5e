//! The ranking by the quality of play: its file, its tables, and the quality by parts of play.

use super::columns::{RANK, RATING_OF_PLAY, REFUSED};
use crate::chess::Judgment;
use crate::measure::{
    LOSS_WEIGHT, PlayPart, PlayPartRow, PlayerSelection, QualityBasis, QualityOfPlay, QualityRow, Quantity,
    RatingOfPlay, Standing, Statistic, StatisticFacts, Unit, peers::GamePart, peers::PeerRank,
    peers::PlayMeasure,
};
use crate::report::{
    table::ColumnPart, table::EndColumns, table::Rows, table::Screen, table::Table, table::head,
    table::layout::Layout, table::layout::fitted, words::certainty, words::finding, words::method::filters,
    words::numbers::MISSING, words::numbers::with_margin, words::quality as words, words::rating,
};

pub fn quality_table(quality: &QualityOfPlay, selection: &PlayerSelection) -> Table {
    let rows: Vec<&QualityRow> = quality.rows.iter().filter(|row| selection.has(&row.player)).collect();
    described(&rows, quality, ColumnPart::Margin).table()
}

/// Describes the table. `measured` is the form in which readers see statistics and ratings.
fn described<'a>(
    rows: &'a [&'a QualityRow],
    quality: &QualityOfPlay,
    measured: ColumnPart,
) -> Rows<'a, &'a QualityRow> {
    let scale = match quality.basis {
        QualityBasis::Rating { scale, .. } => Some(scale.name()),
        QualityBasis::Statistics { .. } => None,
    };
    let is_rated = quality.is_rated();
    let row = "One row per player with moves, the best player first. The order is by rating of play; without ratings, by \
        top moves or, if these are unknown, by lost winning chances.";
    let table = Table::of("quality", row, rows)
        .column("rank", RANK, |row| row.rank)
        // A page's heading is a button that sorts, and must have a name.
        .heading(head(if matches!(measured, ColumnPart::Margin) { "" } else { "Rank" }).gives_way(5))
        .column("player", "Name in the games.", |row| &row.player)
        .heading(ColumnPart::Names.under("Player"))
        .number("elo", Quantity::RATING, "", |row| row.elo)
        .means(OWN_RATING)
        .when(is_rated, |table| table.heading(ColumnPart::Value.under("Elo").decimals(0).gives_way(1)))
        .column("games", "Games with a counted move.", |row| row.games)
        .heading(head("Games").gives_way(3))
        .column("moves", "Counted moves.", |row| row.moves)
        .heading(head("Moves").gives_way(2));
    let table = Statistic::RANKED.into_iter().fold(table, |table, statistic| {
        let is_shown = match statistic {
            Statistic::CentipawnLoss => is_rated,
            Statistic::WinLoss => !is_rated,
            _ => rows.iter().any(|row| row.measures.get(statistic).is_some()),
        };
        table
            .statistic(statistic, EndColumns::Named, move |row| row.measures.get(statistic))
            .when(is_shown, |table| table.heading(measured.clone().under(statistic.facts().heading)))
    });
    table
        .number("merit", Unit::PercentagePoints, "", |row| row.merit)
        .means(&format!("Top moves in percent minus {LOSS_WEIGHT} times `win_loss_percent`; not used for the rank."))
        .rating_of_play(|row| row.rating.as_ref())
        .when(is_rated, |table| match measured {
            ColumnPart::Margin => table.said("Rating\nof play", |row| brief(row.rating.as_ref(), "")),
            bar => table
                .heading(bar.under("Rating\nof play").decimals(0))
                .text_where_missing(|row| brief(row.rating.as_ref(), MISSING)),
        })
        .number_in("field_rating", Unit::Elo, EndColumns::WithoutError, FIELD_RATING, |row| {
            row.field.map(|field| field.rating)
        })
        .when(rows.iter().any(|row| row.field.is_some()), |table| {
            table.said(head(FIELD_ADJUSTED).gives_way(1), |row| field_adjusted(Some(*row)))
        })
        .column("scale", "Scale of the ratings; empty without a calibration.", |_| scale)
        .number("form", Unit::Elo, FORM, |row| row.form.map(|form| form.difference))
        .when(rows.iter().any(|row| row.form.is_some()), |table| {
            table.said(head("Above\nrating").gives_way(2), |row| {
                row.form.map_or(MISSING.to_owned(), words::form)
            })
        })
        .number("form_z", Unit::StandardErrors, "", |row| row.form.map(|form| form.z))
        .means("`form` divided by its standard error.")
        .number("form_p", Unit::Probability, "", |row| row.form.map(|form| form.p))
        .means("Two-sided p-value of `form`, under the hypothesis that the player plays as rated.")
        .number("form_p_holm", Unit::Probability, "", |row| row.form.map(|form| form.p_holm))
        .means("`form_p`, Holm-adjusted for the number of players.")
        .number("accuracy_above", Unit::Share, "", |row| better_than_peers(Some(*row)).map(|rank| rank.above))
        .means(ACCURATE)
        .when(rows.iter().any(|row| better_than_peers(Some(*row)).is_some()), |table| {
            table.said(head(BETTER_THAN_PEERS).gives_way(3), |row| among_peers(Some(*row)))
        })
        .column("accuracy_peers", "", |row| better_than_peers(Some(*row)).map(|rank| rank.peer_games))
        .means("Number of the other players' games. A game counts once for each of its players in this comparison.")
        .filter(&quality.method)
}

const OWN_RATING: &str = "The player's own rating on the scale of the ratings of play, averaged over games; empty if \
    unknown.";

const FIELD_RATING: &str = "Field-adjusted rating: the mean rating of the event's other players, plus a part of the \
    difference in play between the player and them. Empty for games of several events, or with fewer than four other \
    rated players.";

const FORM: &str = "Rating of play minus rating; positive if the play was better than the rating. If the event has \
    enough rated players, both are relative to the other players. If the rating of play is beyond the scale (see \
    `refused`), the difference is a bound. It is no evidence of cheating.";

const ACCURATE: &str = "Probability that a game of the player is more accurate than a game by another player of the \
    same rating and speed (`--reference`); 0.5 is usual.";

const BETTER_THAN_PEERS: &str = "Better than\npeers, %";

fn better_than_peers(row: Option<&QualityRow>) -> Option<&PeerRank> {
    row?.peers.as_ref()?.rank(PlayMeasure::Accuracy, GamePart::Whole)
}

fn among_peers(row: Option<&QualityRow>) -> String {
    better_than_peers(row).map_or(MISSING.to_owned(), crate::report::words::peers::brief)
}

const FIELD_ADJUSTED: &str = "Field-\nadjusted";

fn field_adjusted(row: Option<&QualityRow>) -> String {
    let rating = row.and_then(|row| Some(row.field?.rating));
    rating.map_or(MISSING.to_owned(), |rating| with_margin(rating, 0))
}

fn brief(rating: Option<&RatingOfPlay>, missing: &str) -> String {
    rating.map_or(missing.to_owned(), rating::brief)
}

impl<'a, R> Rows<'a, R> {
    /// Adds the rating of play, its lasting margin, the shrunken rating, and the reason for a missing rating.
    pub(in crate::report) fn rating_of_play(self, of: impl Fn(&'a R) -> Option<&'a RatingOfPlay>) -> Self {
        self.number("rating_lasting", Unit::Elo, "", |row| of(row).map(|rating| rating.lasting))
            .means("Margin of the rating of play that would remain with unlimited games.")
        .number_in(
            "rating_shrunken",
            Unit::Elo,
            EndColumns::WithoutError,
            "Rating of play shrunk toward the mean of the calibration's players; an uncertain rating is shrunk more. \
             If players of a server are rated by a calibration over the board, this is the rating from the moves \
             alone.",
            |row| of(row).map(|rating| rating.shrunken),
        )
        .column("refused", REFUSED, |row| Some(of(row)?.refusal.as_ref()?.to_string()))
        .number("rating_of_play", Unit::Elo, RATING_OF_PLAY, |row| of(row)?.accepted())
    }
}

pub fn quality(quality: &QualityOfPlay, screen: Screen) -> Option<String> {
    if quality.rows.is_empty() {
        return None;
    }
    let rows: Vec<&QualityRow> = quality.rows.iter().collect();
    let table = described(&rows, quality, ColumnPart::Margin);
    let notes = certainty::forms(quality).into_iter().chain(filters(&quality.method)).collect();
    Some(table.layout(words::title(quality), notes).shown(screen))
}

/// Returns the ranking during a search: a header and the first `rows` players that `keeps` accepts.
pub fn live_ranking(
    quality: &QualityOfPlay,
    keeps: impl Fn(&str) -> bool,
    rows: usize,
    screen: Screen,
) -> String {
    let players: Vec<&QualityRow> = quality.rows.iter().filter(|row| keeps(&row.player)).take(rows).collect();
    let table = Table::shown(&players)
        .display("", |row| row.rank)
        .display(ColumnPart::Names.under("player"), |row| &row.player)
        .when(quality.is_rated(), |table| {
            table.display_text("rating of play", |row| brief(row.rating.as_ref(), ""))
        });
    let table = (1..).zip(Statistic::LIVE).fold(table, |table, (gives_way, statistic)| {
        let is_known = statistic != Statistic::FirstChoice
            || players.iter().any(|row| row.measures.get(statistic).is_some());
        table.when(is_known, |table| {
            table.display_number(
                ColumnPart::Value.under(statistic.words().to_lowercase()).gives_way(gives_way),
                statistic.facts().quantity,
                move |row| row.measures.get(statistic),
            )
        })
    });
    table.display("moves", |row| row.moves).layout("", Vec::new()).lines(screen)
}

const ROWS: usize = 25;

/// Returns sentences on the best players of the `field` and on the meaning of their ratings. A table of the first
/// 25 of the `standings` follows, with notes. Players without moves are left out; if there are no others,
/// there is no table. `warning` is a note on the engine or its search.
pub fn summary(
    field: Option<&QualityOfPlay>,
    quality: &QualityOfPlay,
    mut standings: Vec<Standing<'_>>,
    warning: Option<&str>,
    screen: Screen,
) -> String {
    standings.retain(|standing| standing.quality.is_some());
    let sentences = field.map(finding::sentences).unwrap_or_default();
    let sentences: String = sentences.iter().map(|text| fitted(text, screen) + "\n").collect();
    let more = standings.len().saturating_sub(ROWS);
    let sure = field.map(certainty::how_sure).unwrap_or_default();
    let how_sure = (!sure.is_empty()).then(|| format!("How sure? {}", sure.join(" ")));
    let unusual =
        field.filter(|field| field.rows.iter().any(|row| row.form.is_some_and(|form| form.is_significant())));
    let notes =
        how_sure.into_iter().chain(unusual.and_then(certainty::forms)).chain(words::notes(quality, more > 0));
    let notes = notes.chain(warning.map(str::to_owned));
    let more = (more > 0).then(|| format!("{more} more players are in the files and on the page."));
    if standings.is_empty() {
        return sentences;
    }
    let shown = &standings[..standings.len().min(ROWS)];
    let table = standing_layout(shown, quality, more.into_iter().chain(notes).collect()).shown(screen);
    // The table's empty title is an empty line between the sentences and the table.
    sentences + &table
}

fn standing_layout(rows: &[Standing<'_>], quality: &QualityOfPlay, notes: Vec<String>) -> Layout {
    let table = Table::shown(rows)
        .display("", |row| row.quality?.rank)
        .display(ColumnPart::Names.under("Player"), |row| &row.result.name)
        .when(rows.iter().any(|row| row.result.elo.is_some()), |table| {
            table.elo().heading(head("Elo").decimals(0).gives_way(3))
        })
        .display_text("Points", |row| row.result.results.to_string());
    let table = match quality.is_rated() {
        true => table
            .display_text("Rating\nof play", |row| brief(row.rating(), MISSING))
            .when(rows.iter().any(|row| row.quality.is_some_and(|row| row.field.is_some())), |table| {
                table.display_text(head(FIELD_ADJUSTED).gives_way(1), |row| field_adjusted(row.quality))
            }),
        false => table.display_number(
            head(Statistic::WinLoss.facts().heading).gives_way(2),
            Unit::PercentagePoints,
            |row| row.quality?.measures.get(Statistic::WinLoss),
        ),
    };
    let ranked_by = quality.basis.statistic();
    let table = Statistic::SUMMARY.into_iter().fold(table, |table, (statistic, gives_way)| {
        let gives_way = if Some(statistic) == ranked_by { 0 } else { gives_way };
        let of = move |row: &Standing<'_>| row.measures.get(statistic);
        let is_known = statistic != Statistic::FirstChoice || rows.iter().any(|row| of(row).is_some());
        let StatisticFacts { heading, quantity, .. } = *statistic.facts();
        let heading = ColumnPart::Value.under(heading).gives_way(gives_way);
        table.when(is_known, |table| table.display_number(heading, quantity, of))
    });
    let table = table.when(rows.iter().any(|row| better_than_peers(row.quality).is_some()), |table| {
        table.display_text(head(BETTER_THAN_PEERS).gives_way(3), |row| among_peers(row.quality))
    });
    let table = Judgment::ALL.into_iter().fold(table, |table, judgment| {
        table.display(head(judgment.symbol()).gives_way(2), move |row| Some(row.judgments?.of(judgment)))
    });
    table.layout("", notes)
}

pub(in crate::report) fn ranking(quality: &QualityOfPlay) -> Layout {
    let rows: Vec<&QualityRow> = quality.rows.iter().collect();
    described(&rows, quality, ColumnPart::Bar).layout("", Vec::new())
}

pub fn quality_parts_table(quality: &QualityOfPlay, selection: &PlayerSelection) -> Table {
    let rows: Vec<&PlayPartRow> = quality.parts.iter().filter(|row| selection.has(&row.player)).collect();
    described_parts(&rows, quality).table()
}

fn described_parts<'a>(rows: &'a [&'a PlayPartRow], quality: &QualityOfPlay) -> Rows<'a, &'a PlayPartRow> {
    let row = "One row per player and part of the play: a color, a phase, an event (if there are several) or a game. A move counts if all of its measures are known.";
    let table = Table::of("quality-parts", row, rows)
        .column("part", "", |row| row.part.to_string())
        .means("Division of the moves: `color`, `phase`, `event`, `game`.")
        .column("class", "", |row| &row.class)
        .means("The color, the phase, the event, or the game by number and players.")
        .heading(ColumnPart::Names.under("Part"))
        .column("player", "Name in the games.", |row| &row.player)
        .heading(ColumnPart::Names.under("Player"))
        .column("games", "Games with a counted move.", |row| row.games)
        .heading("Games")
        .column("moves", "Counted moves.", |row| row.moves)
        .heading("Moves");
    let table = PlayPartRow::MEASURED.into_iter().fold(table, |table, statistic| {
        table
            .statistic(statistic, EndColumns::Named, move |row| row.measures.get(statistic))
            .heading(ColumnPart::Bar.under(statistic.facts().heading))
    });
    let table = table.rating_of_play(|row| row.rating.as_ref()).when(quality.is_rated(), |table| {
        table.said("Rating\nof play", |row| brief(row.rating.as_ref(), MISSING))
    });
    table.filter(&quality.method)
}

const PARTS_SHOWN: usize = 120;

/// Returns the table of parts without single games; `None` without rows, or with more than [`PARTS_SHOWN`].
pub(in crate::report) fn parts(quality: &QualityOfPlay) -> Option<Layout> {
    let rows: Vec<&PlayPartRow> = quality.parts.iter().filter(|row| row.part != PlayPart::Game).collect();
    (1..=PARTS_SHOWN).contains(&rows.len()).then(|| described_parts(&rows, quality).layout("", Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::text::width;
    use crate::chess::{EvaluatedGame, Evaluation, Score, pgn::parse_games};
    use crate::measure::{Method, MoveSample, RankedFrom};

    fn shown(rows: usize, columns: u16) -> String {
        let pgn = "[White \"李雷\"]\n[Black \"Anna\"]\n\n1. e4 e5 2. f4 *\n";
        let game = parse_games(pgn, "test").remove(0).expect("a legal game");
        let scores = [20, 20, 20, -30].map(|cp| Evaluation::of_score(Score::Cp(cp)));
        let sample = MoveSample::of(&[EvaluatedGame::new(game, scores.to_vec())]);
        let quality = QualityOfPlay::ranked(&sample, None, &[], &Method::default(), RankedFrom::default());
        live_ranking(&quality, |_| true, rows, Screen::of_columns(columns))
    }

    #[test]
    fn players_with_moves_are_ranked_in_columns_while_games_are_searched() {
        // W(20) − W(−30) = 0.51840 − 0.47241, over two moves.
        let lines = [
            "   player  loss of win %  moves",
            "1  Anna             0.00      1",
            "2  李雷             2.30      2",
        ];
        assert_eq!(shown(8, 80), lines.join("\n"));
        assert_eq!(shown(1, 80), lines[..2].join("\n"));
        assert_eq!(shown(0, 80), "");
    }

    #[test]
    fn no_line_of_the_live_ranking_is_wider_than_the_terminal() {
        assert!(shown(8, 12).lines().all(|line| width(line) <= 12));
    }
}
