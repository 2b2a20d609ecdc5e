//! The tables of the fitted curves, of the three fits, and of the strength by depth.

use crate::base::text::rounded;
use crate::lab::{ColumnFit, Contender, Experiment};
use crate::measure::Unit;
use crate::numbers::{FitError, NormalCurve};
use crate::report::kinds::experiment::words::{problem, side};

use crate::report::table::{ColumnPart, Rows, Table, layout::Layout};

/// Returns Ferreira's Table 4 (curves fitted by least squares), with the curves by maximum likelihood.
pub fn fits(experiment: &Experiment) -> Layout {
    let fits = &experiment.fits;
    let label = |fit: &ColumnFit| match fit.side == fit.column.side {
        true => fit.column.to_string(),
        false => format!("{}, by the {}", fit.column, side(fit.side)),
    };
    let table = Table::shown(fits).display("Column", label);
    let table = curve(table, "lsq\nσ", 0, |fit| fit.lsq);
    let table = curve(table, "probit\nσ", 1, |fit| fit.probit);
    table.layout("Curves Φ((d − μ)/σ) fitted to the scores against each depth (Table 4)", notes(fits))
}

/// Adds σ, η (Elo points per ply) and μ of the curve that `of` returns for each row.
fn curve<'a>(
    table: Rows<'a, ColumnFit>,
    heading: &'static str,
    gives_way: u8,
    of: fn(&ColumnFit) -> Result<NormalCurve, FitError>,
) -> Rows<'a, ColumnFit> {
    table
        .display_number(ColumnPart::Value.under(heading).gives_way(gives_way), Unit::Plies, move |fit| {
            of(fit).ok().map(|curve| curve.sigma)
        })
        .heading(ColumnPart::HalfWidth.under("\n±").gives_way(gives_way))
        .display_number(ColumnPart::Value.under("\nη").gives_way(gives_way), Unit::EloAPly, move |fit| {
            of(fit).ok().map(|curve| curve.elo_per_ply())
        })
        .heading(ColumnPart::Low.under("95 %\nfrom").gives_way(gives_way))
        .heading(ColumnPart::High.under("\nto").gives_way(gives_way))
        .display_number(
            ColumnPart::Value.under("\nμ").decimals(2).gives_way(gives_way + 2),
            Unit::Plies,
            move |fit| of(fit).ok().map(|curve| curve.mu),
        )
}

fn notes(fits: &[ColumnFit]) -> Vec<String> {
    let mut curves = fits.iter().flat_map(|fit| [fit.lsq, fit.probit]).flatten();
    let mut notes = vec![FITS.to_owned()];
    notes.extend(curves.any(|curve| curve.elo_per_ply().interval.is_none()).then(|| WIDE.to_owned()));
    notes.extend(fits.iter().flat_map(why_not));
    notes
}

const WIDE: &str =
    "If the interval of σ reaches 0, η has no interval: a ply may be worth any number of Elo points.";

const FITS: &str = "η = 200√2/σ: Elo points per ply. lsq: least squares, all scores with equal weights, intervals by \
    Student's t. probit: maximum likelihood, each score weighted by its number of games. All intervals are 95 %.";

/// Returns the reasons why a column lacks curves. A reason that both fits share is given once.
fn why_not(fit: &ColumnFit) -> Vec<String> {
    let column = fit.column;
    match (fit.lsq.err(), fit.probit.err()) {
        (Some(one), Some(other)) if one == other => vec![format!("Column {column} has no curve: {one}.")],
        (one, other) => {
            let said = [("lsq", one), ("probit", other)].into_iter();
            said.filter_map(|(fit, error)| {
                Some(format!("Column {column} has no curve by {fit}: {}.", error?))
            })
            .collect()
        }
    }
}

type Placed = (usize, Contender);

fn placed(experiment: &Experiment) -> Vec<Placed> {
    (0..).zip(experiment.table.contenders().iter().copied()).collect()
}

/// Returns the Elo points of each contender above the reference, one column for each fit.
pub fn three_fits(experiment: &Experiment) -> Layout {
    let rows = placed(experiment);
    let mut table = Table::shown(&rows).display("Depth", |(_, contender)| contender.to_string());
    for (ratings, gives_way) in experiment.ratings_by_fit.iter().zip([1, 2, 0]) {
        table = table
            .display_number(
                ColumnPart::Value.under(ratings.fit.name()).decimals(0).gives_way(gives_way),
                Unit::Elo,
                |&(place, _)| ratings.difference(place),
            )
            .heading(ColumnPart::HalfWidth.under("±").decimals(0).gives_way(gives_way));
    }
    let reference = experiment.reference();
    let mut notes = vec![format!(
        "Elo points above depth {reference}, with 95 % margins. lsq and probit: the number of plies from depth \
         {reference}, times η of the column of depth {reference} (Table 4), as in the paper. pairwise: \
         maximum-likelihood ratings of the depths from the games of all pairs, by the normal curve."
    )];
    let mut all =
        experiment.ratings_by_fit.iter().flat_map(|ratings| ratings.differences.iter().flatten().flatten());
    if all.any(|difference| difference.interval.is_none()) {
        notes.push(
            "If η has no interval (Table 4), the differences by the same fit have no interval.".to_owned(),
        );
    }
    notes.extend(experiment.ratings_by_fit.iter().filter_map(|ratings| problem(experiment, ratings)));
    table.layout("Elo points by depth, three fits", notes)
}

/// Returns Ferreira's Table 8 (strength by depth); `None` without an anchor.
pub fn table_8(experiment: &Experiment) -> Option<Layout> {
    let anchor = experiment.anchor?;
    let ratings = experiment.ratings();
    let strengths = ratings.strengths(anchor.elo);
    let given = match anchor.elo.interval {
        Some(interval) => format!("{} ± {}", rounded(anchor.elo.value, 1), rounded(interval.half_width(), 1)),
        None => format!("{} (without an interval)", rounded(anchor.elo.value, 1)),
    };
    let note = format!(
        "Depth {} has the given strength {given}. The other strengths are computed by the fit {}; their margins are \
         the margin of the difference plus the margin of the given strength.",
        anchor.depth, ratings.fit
    );
    let others = experiment.ratings_by_fit.iter().filter(|ratings| ratings.differences.is_ok());
    let others: Vec<&str> = others.map(|ratings| ratings.fit.name()).collect();
    let empty = ratings.differences.as_ref().err().map(|_| match others.as_slice() {
        [] => "No fit has a result for these games.".to_owned(),
        fits => format!("This fit has no result for these games; {} has.", fits.join(" or ")),
    });
    let rows = placed(experiment);
    let table = Table::shown(&rows)
        .display("Depth", |(_, contender)| contender.to_string())
        .display_number(ColumnPart::Value.under("Elo\ndifference").decimals(0), Unit::Elo, |&(place, _)| {
            ratings.difference(place)
        })
        .display_number(ColumnPart::Value.under("Strength").decimals(0), Unit::Elo, |&(place, _)| {
            strengths.get(place).copied().flatten()
        })
        .heading(ColumnPart::Low.under("95 %\nfrom").decimals(0))
        .heading(ColumnPart::High.under("\nto").decimals(0));
    Some(table.layout("Strength by depth (Table 8)", std::iter::once(note).chain(empty).collect()))
}

#[cfg(test)]
mod tests {
    use crate::base::text::width;
    use crate::lab::{Choices, Contender, Experiment, GameRecord, RatingAnchor, Side, experiment::testing};
    use crate::numbers::Estimate;
    use crate::report::{
        kinds::experiment::tables::layouts, kinds::experiment::tables::notes,
        kinds::experiment::tables::sentences, publish::Report, table::Screen,
    };

    fn shown(games: &[GameRecord], anchor: Option<u32>, columns: u16) -> String {
        let elo = Estimate { value: 2500.0, observations: 1, interval: None };
        let anchor = anchor.map(|depth| RatingAnchor { depth, elo });
        let found = Experiment::of(games, &Choices { anchor, ..Choices::default() }).expect("games");
        let said = [sentences(&found), notes(&found)].concat();
        Report { sentences: said, shown: layouts(&found), ..Report::default() }
            .text(Screen::of_columns(columns))
    }

    #[test]
    fn two_engines_are_rated_by_all_pairs_and_the_curves_say_why_they_say_nothing() {
        // The deeper side of each game plays for the opponent.
        let mut games = testing::series(&[(60, 20, 20), (55, 20, 25), (50, 30, 20), (50, 30, 20)]);
        for game in &mut games {
            let deeper = if game.white.depth > game.black.depth { &mut game.white } else { &mut game.black };
            *deeper = Contender { side: Side::Opponent, ..*deeper };
        }
        let text = shown(&games, Some(2), 120);
        for words in ["opponent 3", "lsq: a curve needs three depths of the ", "Table 8"] {
            assert!(text.contains(words), "{words} is not in {text}");
        }
    }

    #[test]
    fn no_table_is_wider_than_a_usual_terminal() {
        for anchor in [None, Some(20)] {
            let text = shown(&testing::ferreira_games(), anchor, 80);
            assert!(text.lines().all(|line| width(line) <= 80), "{text}");
        }
    }
}
