//! The tables of weights learned from players' moves, and of the prediction of moves by these weights.

use super::words::{best, of_all, predictor};
use crate::engine::chess_engine::Feature;
use crate::lab::learning::{CalibrationBin, PositionSlice, PredictedPosition};
use crate::lab::{CrossTraining, Learned, Model, Predicted, Predictor, Target};
use crate::measure::{Decimals, Quantity, Unit};
use crate::numbers::Estimate;

use crate::report::table::{ColumnPart, Rows, Table, head, layout::Layout};

#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct BandFacts {
    pub elo: u32,
    pub tolerance: u32,
    pub training_games: usize,
    pub training_positions: usize,
    pub test_games: usize,
    pub test_positions: usize,
}

/// Returns Table 2 of Paulsen and Fürnkranz 2010.
pub fn learning_data(bands: &[BandFacts]) -> Table {
    Table::of("learning-data", "One row per band.", bands)
        .column("band", "Middle of the band's ratings.", |band| band.elo)
        .heading("Band")
        .column("tolerance", "Largest distance of a rating from the middle.", |band| band.tolerance)
        .heading("±")
        .column("games", "Training games.", |band| band.training_games)
        .heading("Games")
        .column("positions", "Training positions.", |band| band.training_positions)
        .heading("Positions")
        .column("test_games", "", |band| band.test_games)
        .means("Games for testing: those held out, or all games with `--test-only`.")
        .heading("Test:\ngames")
        .column("test_positions", "Test positions.", |band| band.test_positions)
        .heading("\npositions")
        .table()
}

pub fn learning_models(models: &[Model]) -> Table {
    Table::of("learning-models", "One row for the weights of each band, and of all bands together, by each objective.", models)
        .column("objective", "The objective of training.", |model| model.key.objective.to_string())
        .heading("Objective")
        .column("trained_on", "Band of the training games.", |model| model.key.target.to_string())
        .heading("Band")
        .column("games", "Training games.", |model| model.counts[0])
        .heading("Games")
        .column("positions", "Training positions.", |model| model.counts[1])
        .heading("Positions")
        .column("pairs", "Pairs of a played move and another legal move.", |model| model.counts[2])
        .heading("Pairs")
        .number("c", Unit::Objective, "The constant C: the factor of the losses in the objective.", |model| model.c)
        .display("C", |model| model.c.to_string())
        .column("passes", "Passes over all pairs.", |model| model.fit.passes)
        .heading("Passes")
        .number("distance", Unit::Objective.with(Decimals::Of(4, 2)), "Distance of training from the optimum. SVM: the largest projected gradient. Logit: the length of the gradient, divided by the length of the weights.", |model| model.fit.violation)
        .heading(head("Distance").decimals(4))
        .number("duality_gap", Unit::Excess.with(Decimals::Of(6, 4)), "Upper bound of the objective's relative distance from its minimum; only for the SVM.", |model| model.fit.duality_gap)
        .heading(head("Duality\ngap").decimals(5))
        .number("leave_one_out_error", Unit::Share, "Upper bound of the share of pairs that weights trained without the pair get wrong (ξα-estimate with ρ = 1); only for the SVM.", |model| model.fit.leave_one_out)
        .heading(head("ξα\nerror").decimals(3))
        .column("converged", "True if the distance is below the tolerance.", |model| model.fit.converged)
        .column("round", "The round of training.", |model| model.round)
        .table()
}

/// Returns Table 3 of Paulsen and Fürnkranz 2010, with additions.
pub fn learning_predictions(rows: &[Predicted]) -> Table {
    let table = Table::of("learning-predictions", "One row per predictor and band of tested games, and per predictor for all bands together.", rows)
        .column("predictor", "The predictor of moves: chance, material alone, the weights that come with the program, the built-in engine's evaluation by terms, learned weights by their objective, or given weights by the path of their file.", |row| kind(&row.predictor))
        .column("trained_on", TRAINED_ON, |row| trained_on(&row.predictor))
        .display("Weights", |row| predictor(&row.predictor))
        .column("band", "Band of the predicted moves.", |row| row.band.to_string())
        .heading("Moves of");
    accuracy(table)
}

pub fn learning_slices(rows: &[Predicted]) -> Table {
    let table = Table::of("learning-slices", "One row per predictor and slice of the tested positions of all bands together. If there are several bands, weights learned from only one of them have no rows.", rows)
        .column("predictor", PREDICTOR, |row| kind(&row.predictor))
        .column("trained_on", TRAINED_ON, |row| trained_on(&row.predictor))
        .column("by", format!("`phase`; `clock`: {TIME_LEFT}; `moves`: number of legal moves."), |row| row.slice.map(|slice| slice.kind.name()))
        .heading("By")
        .column("slice", "A phase, a range of time left, or a range of numbers of legal moves.", |row| row.slice.map(PositionSlice::name))
        .heading("Slice");
    accuracy(table)
}

const PREDICTOR: &str = "The predictor of moves, as in `learning-predictions`.";

const TRAINED_ON: &str = "Band from which the weights were learned; empty for other predictors.";

const TIME_LEFT: &str = "time left before the move, as recorded after the player's previous move";

fn accuracy(rows: Rows<'_, Predicted>) -> Table {
    let share = "The share of";
    rows.column("games", "Tested games.", |row| row.games)
        .column("positions", "Tested positions.", |row| row.positions)
        .heading(head("Positions").gives_way(2))
        .column("pairs", "Pairs of a played move and another legal move.", |row| row.pairs)
        .number("pairwise", Unit::Share, "", |row| row.prediction.pairwise)
        .means(&format!("{share} pairs in which the move played is worth more; ties count half."))
        .heading(ColumnPart::Margin.under("Pairs\nright").decimals(3))
        .number("first_choice", Unit::Share, "", |row| row.prediction.first_choice)
        .means(&format!(
            "{share} positions in which the move played is worth most; a tie of n best moves counts 1/n."
        ))
        .heading(ColumnPart::Margin.under("First\nchoice").decimals(3))
        .number("reciprocal_rank", Unit::Share, "", |row| row.prediction.reciprocal_rank)
        .means("Mean of 1/rank of the move played; moves of equal value share their ranks.")
        .heading(ColumnPart::Margin.under("1/rank").decimals(3).gives_way(1))
        .number("log_loss", Unit::Nats.with(Decimals::Of(4, 4)), "", |row| row.prediction.log_loss)
        .means(
            "Mean of −log of the probability of the move played. A scale converts values to probabilities. \
             It is fitted to the band's training games, or with `--test-only` to the other half of its \
             games.",
        )
        .heading(ColumnPart::Margin.under("Log-loss").decimals(3))
        .table()
}

pub fn learning_calibration(rows: &[CalibrationBin]) -> Table {
    Table::of("learning-calibration", "One row per predictor and bin of probability, for the legal moves in the tested positions of all bands together. The predictors are those of `learning-slices`.", rows)
        .column("predictor", PREDICTOR, |row| kind(&row.predictor))
        .column("trained_on", TRAINED_ON, |row| trained_on(&row.predictor))
        .number("from", Unit::Share, "Lower end of the bin.", |row| row.from)
        .heading(head("From").decimals(2))
        .number("to", Unit::Share, "Upper end of the bin.", CalibrationBin::to)
        .heading(head("To").decimals(2))
        .column("moves", "Legal moves with a probability in the bin.", |row| row.moves)
        .heading("Moves")
        .number("probability", Quantity::BIN_SHARE, "Mean probability of these moves.", |row| row.probability)
        .heading(head("Mean\nprobability").decimals(4))
        .number("played", Quantity::BIN_SHARE, "Share of these moves that were played. It equals the mean probability if the predictor is calibrated.", |row| row.played)
        .heading(ColumnPart::Margin.under("Played").decimals(4))
        .table()
}

pub(in crate::report) const CHOICES: &str = "learning-choices";

pub struct ChoiceRow<'a> {
    pub predictor: &'a Predictor,
    pub position: &'a PredictedPosition,
    /// The place of the move in the position's moves; the move at 0 was played.
    pub place: usize,
}

pub fn learning_choices(rows: &[ChoiceRow<'_>]) -> Table {
    Table::of(CHOICES, "One row per predictor, tested position and legal move; written with `--choices`. The predictors are the given weights, or the learned weights of `learning-slices`.", rows)
        .column("predictor", PREDICTOR, |row| kind(row.predictor))
        .column("trained_on", TRAINED_ON, |row| trained_on(row.predictor))
        .column("game", "Number of the game among all games read, from 1.", |row| row.position.facts.ordinal)
        .column("ply", "Number of the half-move, from 1.", |row| u64::from(row.position.facts.ply))
        .column("elo", "Rating of the mover in Elo points; empty if unknown.", |row| row.position.facts.elo)
        .number("clock_seconds", Unit::Seconds, format!("The {TIME_LEFT}; empty if unknown."), |row| {
            row.position.facts.left.map(|left| left.as_secs_f64())
        })
        .column("move", "The move in UCI notation.", |row| row.position.moves[row.place].0.to_string())
        .number("probability", Unit::Share.with(Decimals::All), "The probability of the move.", |row| row.position.moves[row.place].1)
        .column("played", "True if the move was played.", |row| row.place == 0)
        .table()
}

fn kind(predictor: &Predictor) -> String {
    match predictor {
        Predictor::Learned(objective, _) => objective.to_string(),
        other => crate::report::kinds::learning::words::predictor(other),
    }
}

fn trained_on(predictor: &Predictor) -> Option<String> {
    match predictor {
        Predictor::Learned(_, target) => Some(target.to_string()),
        _ => None,
    }
}

pub fn cross_training(rows: &[CrossTraining]) -> Table {
    Table::of(
        "learning-cross-training",
        "One row per pair of bands: the weights of both, compared on the held-out games of the first band.",
        rows,
    )
    .column("objective", "Objective by which both weights were trained.", |row| row.objective.to_string())
    .heading("Objective")
    .column("band", "Band of the predicted moves; `all` is the mean over bands, with equal weights.", |row| {
        row.band.to_string()
    })
    .heading("Moves of")
    .column("other", "", |row| row.other.map(|other| other.to_string()))
    .means("Band of the other weights; empty for the mean over all other bands.")
    .display("Against\nweights of", |row| {
        row.other.map_or("the others".to_owned(), |other| other.to_string())
    })
    .number("pairwise", Unit::ShareDifference, "", |row| row.pairwise)
    .means(
        "Share of pairs predicted right by the band's own weights minus the share by the other weights; the \
         interval is by game.",
    )
    .heading(ColumnPart::Margin.under("Pairs\nright").decimals(4))
    .number(
        "first_choice",
        Unit::ShareDifference,
        "Share of positions in which the move played is worth most, by the own weights minus by the other weights.",
        |row| row.first_choice,
    )
    .heading(ColumnPart::Margin.under("First\nchoice").decimals(4))
    .number("log_loss", Unit::Nats.with(Decimals::Of(6, 4)), "", |row| row.log_loss)
    .means(
        "Log-loss by the other weights minus log-loss by the band's own weights; above 0 if the own weights \
         are better.",
    )
    .heading(ColumnPart::Margin.under("Log-loss\nsaved").decimals(4))
    .table()
}

struct WeightRow {
    objective: String,
    target: Target,
    feature: Feature,
    raw: f64,
    centipawns: Option<Estimate>,
    pairs: Option<u64>,
}

pub fn learned_weights(learned: &Learned) -> Table {
    let rows: Vec<WeightRow> = learned.models.iter().flat_map(|model| weight_rows(learned, model)).collect();
    Table::of("learning-weights", "One row for each feature of each model.", &rows)
        .column("objective", "The objective of training.", |row| row.objective.as_str())
        .column("trained_on", "Band of the training games.", |row| row.target.to_string())
        .column("feature", "The feature, by its name in files of weights.", |row| row.feature.to_string())
        .number("raw", Unit::Objective, "The learned weight.", |row| row.raw)
        .number("centipawns", Unit::Centipawns, "", |row| row.centipawns)
        .means(
            "The weight relative to a pawn of 100; empty if a pawn's weight is not above 0. The intervals \
             are from samples of whole games. Only single bands have intervals.",
        )
        .column("pairs", "", |row| row.pairs)
        .means("Training pairs that differ in the feature; empty for all bands together.")
        .table()
}

fn weight_rows<'a>(learned: &'a Learned, model: &'a Model) -> impl Iterator<Item = WeightRow> + 'a {
    let weights = learned.centipawns(model);
    let place = learned.band_place(model.key.target);
    Feature::all().map(move |feature| {
        let at = feature.index();
        WeightRow {
            objective: model.key.objective.to_string(),
            target: model.key.target,
            feature,
            raw: model.fit.weights[at],
            centipawns: weights.as_ref().map(|weights| weights[at]),
            pairs: place.map(|place| learned.counts[place][at]),
        }
    })
}

struct ByBand {
    feature: Feature,
    weights: Vec<Option<Estimate>>,
}

fn values(learned: &Learned, objective: usize, objectives: &[String]) -> Option<Layout> {
    let name = objectives.get(objective)?;
    let models: Vec<&Model> =
        learned.models.iter().filter(|model| model.key.objective.to_string() == *name).collect();
    let columns: Vec<Vec<WeightRow>> =
        models.iter().map(|model| weight_rows(learned, model).collect()).collect();
    let row = |feature: Feature| ByBand {
        feature,
        weights: columns.iter().map(|column| column[feature.index()].centipawns).collect(),
    };
    let rows: Vec<ByBand> = Feature::all().take(Feature::FIRST_SQUARE).map(row).collect();
    let mut table = Table::shown(&rows).display("Feature", |row| row.feature.to_string());
    for (place, model) in models.iter().enumerate() {
        table = table.display_number(
            ColumnPart::Margin.under(model.key.target.to_string()).decimals(0),
            Unit::Centipawns,
            move |row| row.weights[place],
        );
    }
    let note = match learned.intervals.is_empty() {
        true => format!("By {name}."),
        false => {
            format!("Objective: {name}. 95 % intervals by samples of whole games, only for single bands.")
        }
    };
    Some(table.layout("Value of each feature by band, in centipawns (pawn = 100)", vec![note]))
}

pub(in crate::report) fn learning_layouts(
    learned: &Learned,
    bands: &[BandFacts],
    positions: &str,
) -> Vec<Layout> {
    let mut objectives: Vec<String> =
        learned.models.iter().map(|model| model.key.objective.to_string()).collect();
    objectives.dedup();
    let mut layouts =
        vec![data_layout(bands, positions), predictions_layout(learned.predictions.iter().cloned())];
    layouts.extend(slices_layout(learned));
    if !learned.cross_training.is_empty() {
        layouts.push(learning_cross_layout(learned));
    }
    layouts.extend((0..objectives.len()).filter_map(|objective| values(learned, objective, &objectives)));
    if !learned.models.is_empty() {
        layouts.push(learning_models(&learned.models).layout("How training ended", Vec::new()));
    }
    layouts
}

pub(in crate::report) fn brief_learning_layouts(
    learned: &Learned,
    bands: &[BandFacts],
    positions: &str,
) -> Vec<Layout> {
    vec![data_layout(bands, positions), predictions_layout(of_all(learned).cloned())]
}

fn data_layout(bands: &[BandFacts], positions: &str) -> Layout {
    let read = format!("Positions {positions}.");
    learning_data(bands).layout("Training and test games", vec![read])
}

fn predictions_layout(rows: impl Iterator<Item = Predicted>) -> Layout {
    let note = "95 % intervals from the scatter between games. All predictors are tested on the same quiet positions.";
    learning_predictions(&rows.collect::<Vec<_>>())
        .layout("Prediction of the moves of tested games", vec![note.to_owned()])
}

fn slices_layout(learned: &Learned) -> Vec<Layout> {
    let Some(best) = best(learned).map(|row| &row.predictor) else { return Vec::new() };
    let slices: Vec<Predicted> =
        learned.slices.iter().filter(|row| row.predictor == *best).cloned().collect();
    let bins: Vec<CalibrationBin> =
        learned.calibration.iter().filter(|row| row.predictor == *best).cloned().collect();
    let name = predictor(best);
    vec![
        learning_slices(&slices).layout(
            "Prediction by phase, time left and number of legal moves",
            vec![format!(
                "Predictor: {name}. The time left is the time before the move. Without a clock time, a position is in no row of time left."
            )],
        ),
        learning_calibration(&bins).layout(
            "Probabilities of legal moves, and the share that was played",
            vec![format!("Predictor: {name}. 95 % intervals from the scatter between games.")],
        ),
    ]
}

fn learning_cross_layout(learned: &Learned) -> Layout {
    cross_training(&learned.cross_training).layout(
        "A band's own weights against other bands' weights (above 0: the own weights are better)",
        vec![
            "Differences on the same held-out games, with 95 % intervals by game. Weights from more training games \
             predict every band better; this advantage cancels in the mean over all bands, where each band counts the \
             same."
                .to_owned(),
        ],
    )
}
