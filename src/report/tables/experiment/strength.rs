//! Owns the tables of the fitted curves, of the three fits, and of the strength by depth.

use crate::{
    experiment::{ColumnFit, Experiment, Ratings},
    rating::fit::{FitError, NormalCurve},
    report::{
        table::layout::{Field, Layout},
        words::{
            experiment::{name, problem},
            numbers::MISSING,
        },
    },
    stats::estimate::Estimate,
    text::rounded,
};

/// A number of a fit, where there is one.
fn number(estimate: Option<Estimate>, decimals: usize) -> String {
    estimate.map_or(MISSING.to_owned(), |estimate| rounded(estimate.value, decimals))
}

/// The two ends of an interval.
fn ends(estimate: Option<Estimate>, decimals: usize) -> [String; 2] {
    match estimate.and_then(|estimate| estimate.interval) {
        Some(interval) => [interval.low, interval.high].map(|end| rounded(end, decimals)),
        None => [MISSING, MISSING].map(str::to_owned),
    }
}

fn margin(estimate: Option<Estimate>, decimals: usize) -> String {
    let interval = estimate.and_then(|estimate| estimate.interval);
    interval.map_or(MISSING.to_owned(), |interval| rounded(interval.half_width(), decimals))
}

/// Ferreira's Table 4, and beside it the fit that knows how many games a score is of.
pub fn fits(experiment: &Experiment) -> Layout {
    let fits = &experiment.fits;
    let label = |fit: &ColumnFit| match fit.side == fit.column.side {
        true => name(fit.column),
        false => format!("{}, by the {}", name(fit.column), crate::report::words::experiment::side(fit.side)),
    };
    let mut columns = vec![Field::text("Column", fits.iter().map(label).collect())];
    for (head, of, dropped) in [
        ("lsq\nσ", lsq as fn(&ColumnFit) -> Result<NormalCurve, FitError>, 0),
        ("probit\nσ", probit as fn(&ColumnFit) -> Result<NormalCurve, FitError>, 1),
    ] {
        let curves: Vec<Option<NormalCurve>> = fits.iter().map(|fit| of(fit).ok()).collect();
        let etas: Vec<Option<Estimate>> = curves.iter().map(|curve| curve.map(|c| c.elo_per_ply())).collect();
        let sigmas = || curves.iter().map(|curve| curve.map(|curve| curve.sigma));
        let end = |end: usize| etas.iter().map(|&eta| ends(eta, 1)[end].clone()).collect();
        let mus = curves.iter().map(|curve| number(curve.map(|curve| curve.mu), 2));
        columns.extend([
            Field::number(head, sigmas().map(|sigma| number(sigma, 3)).collect()).dropped(dropped),
            Field::number("\n±", sigmas().map(|sigma| margin(sigma, 3)).collect()).dropped(dropped),
            Field::number("\nη", etas.iter().map(|&eta| number(eta, 1)).collect()).dropped(dropped),
            Field::number("95 %\nfrom", end(0)).dropped(dropped),
            Field::number("\nto", end(1)).dropped(dropped),
            Field::number("\nμ", mus.collect()).dropped(dropped + 2),
        ]);
    }
    Layout {
        title: "Φ((d − μ)/σ) through the scores against each depth (Table 4)",
        columns,
        notes: notes(fits),
    }
}

fn notes(fits: &[ColumnFit]) -> Vec<String> {
    let mut curves = fits.iter().flat_map(|fit| [fit.lsq, fit.probit]).flatten();
    let mut notes = vec![FITS.to_owned()];
    notes.extend(curves.any(|curve| curve.elo_per_ply().interval.is_none()).then(|| WIDE.to_owned()));
    notes.extend(fits.iter().flat_map(why_not));
    notes
}

const WIDE: &str = "Where the interval of σ reaches 0, η has none: a ply may be worth any number of points.";

const FITS: &str = "η = 200√2/σ, Elo points a ply. lsq: least squares, every score counting the same, Student's t; probit: \
    maximum likelihood, by the number of games of each score. Intervals of 95 %.";

fn lsq(fit: &ColumnFit) -> Result<NormalCurve, FitError> {
    fit.lsq
}

fn probit(fit: &ColumnFit) -> Result<NormalCurve, FitError> {
    fit.probit
}

/// Why a column has no curve, once where both fits say the same.
fn why_not(fit: &ColumnFit) -> Vec<String> {
    let column = name(fit.column);
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

/// Elo points of each contender above the reference, by each fit.
pub fn three_fits(experiment: &Experiment) -> Layout {
    let contenders = experiment.table.contenders();
    let mut columns = vec![Field::text("Depth", contenders.iter().map(|&c| name(c)).collect())];
    for (ratings, dropped) in experiment.ratings_by_fit.iter().zip([0, 2, 1]) {
        let differences = differences(ratings, contenders.len());
        let values = differences.iter().map(|&difference| number(difference, 0)).collect();
        let margins = differences.iter().map(|&difference| margin(difference, 0)).collect();
        columns.push(Field::number(ratings.fit.name(), values).dropped(dropped));
        columns.push(Field::number("±", margins).dropped(dropped));
    }
    let reference = name(experiment.reference());
    let mut notes = vec![format!(
        "Elo points above depth {reference}, with 95 % margins. lsq and probit: plies from depth {reference} times η of its \
         column, as in the paper; pairwise: one rating for each depth from the games of all pairs, normal curve, by \
         maximum likelihood."
    )];
    let mut all =
        experiment.ratings_by_fit.iter().flat_map(|ratings| ratings.differences.iter().flatten().flatten());
    if all.any(|difference| difference.interval.is_none()) {
        notes.push("Where η has no interval (Table 4), neither have its differences.".to_owned());
    }
    notes.extend(experiment.ratings_by_fit.iter().filter_map(|ratings| problem(experiment, ratings)));
    Layout { title: "Elo points by depth, three fits", columns, notes }
}

fn differences(ratings: &Ratings, contenders: usize) -> Vec<Option<Estimate>> {
    ratings.differences.clone().unwrap_or_else(|_| vec![None; contenders])
}

/// Ferreira's Table 8; `None` without an anchor.
pub fn table_8(experiment: &Experiment) -> Option<Layout> {
    let anchor = experiment.anchor?;
    let contenders = experiment.table.contenders();
    let ratings = experiment.ratings();
    let differences = differences(ratings, contenders.len());
    let mut strengths = ratings.strengths(anchor.elo);
    strengths.resize(contenders.len(), None);
    let end = |end: usize| strengths.iter().map(|&strength| ends(strength, 0)[end].clone()).collect();
    let given = match anchor.elo.interval {
        Some(interval) => format!("{} ± {}", rounded(anchor.elo.value, 1), rounded(interval.half_width(), 1)),
        None => format!("{}, given without an interval", rounded(anchor.elo.value, 1)),
    };
    let note = format!(
        "Depth {} is at {given}; the others by the fit {}, the margins of both being added.",
        anchor.depth, ratings.fit
    );
    let others = experiment.ratings_by_fit.iter().filter(|ratings| ratings.differences.is_ok());
    let others: Vec<&str> = others.map(|ratings| ratings.fit.name()).collect();
    let empty = ratings.differences.as_ref().err().map(|_| match others.as_slice() {
        [] => "No fit says anything of these games.".to_owned(),
        fits => format!("This fit says nothing of these games; --fit {} does.", fits.join(" or ")),
    });
    Some(Layout {
        title: "Strength by depth (Table 8)",
        columns: vec![
            Field::text("Depth", contenders.iter().map(|&c| name(c)).collect()),
            Field::number("Elo\ndifference", differences.iter().map(|&d| number(d, 0)).collect()),
            Field::number("Strength", strengths.iter().map(|&strength| number(strength, 0)).collect()),
            Field::number("95 %\nfrom", end(0)),
            Field::number("\nto", end(1)),
        ],
        notes: std::iter::once(note).chain(empty).collect(),
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        experiment::{Choices, Experiment, RatingAnchor, testing},
        report::tables::{Screen, experiment::experiment},
        selfplay::{Contender, GameRecord, Side},
        stats::estimate::Estimate,
        text::width,
    };

    fn shown(games: &[GameRecord], anchor: Option<u32>, columns: u16) -> String {
        let elo = Estimate { value: 2500.0, observations: 1, interval: None };
        let anchor = anchor.map(|depth| RatingAnchor { depth, elo });
        let found = Experiment::of(games, &Choices { anchor, ..Choices::default() }).expect("games");
        experiment(&found, Screen::of_columns(columns))
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
        for words in
            ["opponent 3", "lsq: a curve takes three depths of the engine that met depth 2", "Table 8"]
        {
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
