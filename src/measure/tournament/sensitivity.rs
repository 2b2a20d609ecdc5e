//! Sensitivity of the players' scores, their order and the engine's strength to each choice of method.

use std::collections::BTreeMap;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use shakmaty::Color;

use super::{
    EngineHistogram, Method, MoveSample, Tournament, filter::Filter, statistics::Statistic,
    uncertainty::PlayerSamples,
};
use crate::chess::{Clip, Metric, Phase};
use crate::numbers::{
    Band, BinWidth, EloCurve, Estimate,
    stats::correlation::{both_known, kendall, spearman},
};

/// The results of a tournament by one method, the baseline, and by each method that differs from the baseline
/// in one choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensitivity {
    /// The players in the baseline's order of expected scores, best first; players without a score come last.
    pub players: Vec<String>,
    /// The expected score by the baseline method.
    pub base: SensitivityRow,
    /// The expected score by each of the `variants`.
    pub variants: Vec<SensitivityRow>,
    /// The score kept and the known measures, computed by the baseline method.
    pub statistics: Vec<SensitivityRow>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SensitivityRow {
    pub statistic: Statistic,
    pub method: Method,
    /// The differences of `method` from the baseline, by the names of the options; empty for the baseline.
    pub choice: String,
    /// The numbers in the order of [`Sensitivity::players`]; `None` for a player without moves, and if the
    /// number is unavailable.
    pub values: Vec<Option<f64>>,
    /// The spread over the players who have the number.
    pub spread: Option<Spread>,
    /// The index in `values` of the player whose number differs most from the same player's number in the
    /// baseline, with the change. `None` in the baseline, for statistics other than the expected score, and
    /// if no player has both numbers.
    pub largest_change: Option<(usize, f64)>,
    pub agreement: Agreement,
    /// The index in `values` of the best player; several indices if the best players have equal values.
    pub first: Vec<usize>,
    /// The counted moves and the engine's strength by the expected scores; `None` for other statistics.
    pub scored: Option<Scored>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub players: usize,
    pub mean: f64,
    pub lowest: f64,
    pub highest: f64,
}

/// Rank correlations between a row's order of the players and the baseline's order: 1 for equal orders, −1
/// for opposite orders. Better values come first, so losses count with reversed sign. `None` in the
/// baseline's own row, for fewer than two players, or if one order has only equal values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Agreement {
    pub spearman: Option<f64>,
    pub kendall: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// Number of counted moves of all players.
    pub moves: u64,
    /// Number of moves that count but have no gain in the method's metric.
    pub without_gain: u64,
    /// The engine's strength; `None` if no player with a move has an Elo, or if the ratings belong to several
    /// systems.
    pub engine: Option<Estimate>,
    pub engine_change: Option<f64>,
}

/// Numbers of skipped first moves: none, most of the opening theory, and all of the opening theory.
const SKIPPED: [u32; 3] = [0, 8, 12];

/// Bounds of an undecided game, in centipawns.
const UNDECIDED: [Option<u32>; 3] = [None, Some(200), Some(500)];

const CLIPS: [i32; 4] = [300, 500, 1000, 2000];

/// Bin widths in centipawns. The unit of winning chances is about ten times finer; so for winning chances,
/// widths above 1 are multiplied by ten.
const BINS: [u32; 4] = [1, 5, 10, 20];

/// Half-widths of tie bands, in centipawns. For winning chances, all of them are multiplied by ten.
const TIES: [u32; 5] = [0, 5, 10, 20, 50];

/// A tie band for winning chances, in hundredths of a percentage point.
const TIE_OF_CHANCES: u32 = 200;

/// Returns the methods that differ from `base` in one choice. Another metric has another unit; so a variant
/// with another metric has the narrowest bins and no tie band. Winning chances have a second variant, with a
/// tie band of two percentage points. The engine's own gains are a variant if `own_known`.
pub fn variants(base: &Method, own_known: bool) -> Vec<Method> {
    let mut variants: Vec<Method> = Vec::new();
    let mut add = |change: &dyn Fn(&mut Method)| {
        let mut method = base.clone();
        change(&mut method);
        if method != *base && !variants.contains(&method) {
            variants.push(method);
        }
    };
    SKIPPED.iter().for_each(|&skip| add(&|method| method.filter.skip_moves = skip));
    UNDECIDED.iter().for_each(|&most| add(&|method| method.filter.max_eval = most));
    [false, true].iter().for_each(|&skip| add(&|method| method.filter.skip_forced = skip));
    let colors = [None, Some(Color::White), Some(Color::Black)];
    colors.iter().for_each(|&color| add(&|method| method.filter.color = color));
    add(&|method| method.filter.phases.clear());
    Phase::ALL.iter().for_each(|&phase| add(&|method| method.filter.phases = vec![phase]));
    CLIPS.iter().for_each(|&cp| add(&|method| method.clip = Clip::new(cp).expect("an accepted bound")));
    let scale = if base.metric == Metric::Centipawns { 1 } else { 10 };
    let width = |bin: u32| BinWidth::new(if bin > 1 { scale * bin } else { 1 }).expect("a positive width");
    // Tie bands that are not a whole number of bins are left out.
    let bins = BINS.iter().map(|&bin| Band::new(width(bin), base.band.tie()));
    let ties = TIES.iter().map(|tie| Band::new(base.band.width(), scale * tie));
    bins.chain(ties).flatten().for_each(|band| add(&|method| method.band = band));
    [EloCurve::Normal, EloCurve::Logistic].iter().for_each(|&curve| add(&|method| method.curve = curve));
    for metric in Metric::ALL {
        if metric != base.metric {
            add(&|method| *method = in_unit_of(metric, 0, base));
        }
        if metric == Metric::WinProbability {
            add(&|method| *method = in_unit_of(metric, TIE_OF_CHANCES, base));
        }
    }
    add(&|method| method.engine_histogram = EngineHistogram::Delta);
    if own_known {
        add(&|method| method.engine_histogram = EngineHistogram::Own);
    }
    variants
}

/// Returns `base` with gains of this `metric` in the narrowest bins, and with the tie band `tie`.
pub(super) fn in_unit_of(metric: Metric, tie: u32, base: &Method) -> Method {
    Method { metric, band: Band::within(tie), ..base.clone() }
}

/// Returns the differences of `method` from `base`, by the names of the command line's options, as in `metric
/// win, tie 200`; empty if there is no difference.
pub fn choice(base: &Method, method: &Method) -> String {
    let mut choices = filter_choices(&base.filter, &method.filter);
    let mut add = |name: &str, differs: bool, value: String| {
        if differs {
            choices.push(format!("{name} {value}"));
        }
    };
    add("metric", method.metric != base.metric, method.metric.name().to_owned());
    add("clip", method.clip != base.clip, method.clip.cp().to_string());
    let (band, old) = (method.band, base.band);
    add("bin", band.width() != old.width(), band.width().to_string());
    add("tie", band.tie() != old.tie(), band.tie().to_string());
    let histogram = method.engine_histogram;
    add("engine-histogram", histogram != base.engine_histogram, histogram.name().to_owned());
    add("elo-curve", method.curve != base.curve, method.curve.name().to_owned());
    choices.join(", ")
}

fn filter_choices(base: &Filter, filter: &Filter) -> Vec<String> {
    let mut choices = Vec::new();
    let mut add = |name: &str, differs: bool, value: Option<String>| {
        if differs {
            choices.push(value.map_or(format!("no {name}"), |value| format!("{name} {value}")));
        }
    };
    add("skip-moves", filter.skip_moves != base.skip_moves, Some(filter.skip_moves.to_string()));
    add("max-eval", filter.max_eval != base.max_eval, filter.max_eval.map(|most| most.to_string()));
    let color = filter.color.map(|color| color.fold_wb("white", "black").to_owned());
    add("color", filter.color != base.color, color);
    let phases: Vec<String> = filter.phases.iter().map(Phase::to_string).collect();
    add("phase", filter.phases != base.phases, (!phases.is_empty()).then(|| phases.join("+")));
    if filter.skip_forced != base.skip_forced {
        choices.push(if filter.skip_forced { "skip-forced" } else { "no skip-forced" }.to_owned());
    }
    choices
}

impl Sensitivity {
    /// Returns a row for each choice of method, with the baseline's row first.
    pub fn choices(&self) -> impl Iterator<Item = &SensitivityRow> {
        [&self.base].into_iter().chain(&self.variants)
    }

    /// Computes the numbers by `base` and by its `variants`. `elo` overrides the ratings of the players named
    /// in it.
    pub fn of(sample: &MoveSample, elo: &BTreeMap<String, f64>, base: &Method) -> Sensitivity {
        let tournament = |method: &Method| {
            Tournament::of_sides(&PlayerSamples::new(sample, method, |_| true), sample, elo, method)
        };
        let tables = tournament(base);
        let players: Vec<String> = tables.players.iter().map(|player| player.name.clone()).collect();
        let places: Vec<usize> = players.iter().map(|player| sample.place(player)).collect();
        let base_row = SensitivityRow::base(&tables);
        let own_known = sample.moves.iter().all(|facts| facts.own.is_some());
        let rows = variants(base, own_known).into_par_iter();
        let rows = rows.map(|method| SensitivityRow::variant(&tournament(&method), &players, &base_row));
        let known = [Statistic::ScoreKept].into_iter().chain(Statistic::KNOWN);
        let statistics = known.map(|statistic| {
            let estimates = statistic.of(sample, base);
            let values = places.iter().map(|&place| estimates[place].map(|estimate| estimate.value));
            SensitivityRow::of(statistic, base.clone(), values.collect()).against(&base_row)
        });
        Sensitivity { variants: rows.collect(), statistics: statistics.collect(), base: base_row, players }
    }

    /// Returns whether the baseline lacks the engine's strength.
    pub fn lacks_engine_strength(&self) -> bool {
        self.base.scored.as_ref().is_some_and(|scored| scored.engine.is_none())
    }
}

impl SensitivityRow {
    fn of(statistic: Statistic, method: Method, values: Vec<Option<f64>>) -> SensitivityRow {
        SensitivityRow {
            spread: Spread::of(&values),
            first: first(statistic, &values),
            statistic,
            method,
            choice: String::new(),
            values,
            largest_change: None,
            agreement: Agreement::default(),
            scored: None,
        }
    }

    fn base(tables: &Tournament) -> SensitivityRow {
        let values = tables.players.iter().map(|player| player.expected_score.map(|score| score.value));
        let row = SensitivityRow::of(Statistic::ExpectedScore, tables.method.clone(), values.collect());
        SensitivityRow { scored: Some(Scored::of(tables)), ..row }
    }

    /// Returns the expected scores of a variant in the order of the baseline.
    fn variant(tables: &Tournament, players: &[String], base: &SensitivityRow) -> SensitivityRow {
        let scores: BTreeMap<&str, f64> = tables
            .players
            .iter()
            .filter_map(|player| Some((player.name.as_str(), player.expected_score?.value)))
            .collect();
        let values = players.iter().map(|player| scores.get(player.as_str()).copied()).collect();
        let row = SensitivityRow::of(Statistic::ExpectedScore, tables.method.clone(), values).against(base);
        let scored = Scored::of(tables);
        let base_engine = base.scored.and_then(|base| base.engine);
        let change = scored.engine.zip(base_engine).map(|(here, there)| here.value - there.value);
        SensitivityRow {
            choice: choice(&base.method, &tables.method),
            largest_change: largest_change(&row.values, &base.values),
            scored: Some(Scored { engine_change: change, ..scored }),
            ..row
        }
    }

    /// Adds the comparison with the order of `base`.
    fn against(self, base: &SensitivityRow) -> SensitivityRow {
        let merits: Vec<Option<f64>> =
            self.values.iter().map(|value| value.map(|value| self.statistic.merit(value))).collect();
        let (base, here) = both_known(&base.values, &merits);
        let agreement = Agreement { spearman: spearman(&base, &here), kendall: kendall(&base, &here) };
        SensitivityRow { agreement, ..self }
    }
}

impl Spread {
    fn of(values: &[Option<f64>]) -> Option<Spread> {
        let known: Vec<f64> = values.iter().flatten().copied().collect();
        let highest = known.iter().copied().reduce(f64::max)?;
        let lowest = known.iter().copied().reduce(f64::min)?;
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        Some(Spread { players: known.len(), mean, lowest, highest })
    }
}

impl Scored {
    fn of(tables: &Tournament) -> Scored {
        Scored {
            moves: tables.players.iter().map(|player| player.moves()).sum(),
            without_gain: tables.without_gain,
            engine: tables.engine_strength,
            engine_change: None,
        }
    }
}

fn first(statistic: Statistic, values: &[Option<f64>]) -> Vec<usize> {
    let merit = |value: &Option<f64>| value.map(|value| statistic.merit(value));
    let best = values.iter().filter_map(merit).reduce(f64::max);
    (0..values.len()).filter(|&place| best.is_some() && merit(&values[place]) == best).collect()
}

/// Returns the index of the value that differs most from the baseline's value, with the change; the first index
/// if several changes are equal.
fn largest_change(values: &[Option<f64>], base: &[Option<f64>]) -> Option<(usize, f64)> {
    let changes = values.iter().zip(base).enumerate();
    let changes = changes.filter_map(|(place, (here, there))| Some((place, (*here)? - (*there)?)));
    changes.reduce(|most, other| if other.1.abs() > most.1.abs() { other } else { most })
}

#[cfg(test)]
mod tests;
