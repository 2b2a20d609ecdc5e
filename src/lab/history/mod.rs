//! [`History`]: the study of quality of play and the year, as reports/published/history/PLAN.md plans it.

mod cells;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use self::cells::{
    ALL, LATER, Selection, TAGS, band, jackknife, level, line, mean_over, phases, place, shuffled_p, slope,
    trend, values,
};
pub use self::cells::{Cell, Change, D, L, PERIODS, R, T, W, span};
use crate::chess::Phase;
use crate::measure::calibration::GamePlay;
use crate::measure::{CalibrationData, CalibrationDesign, CalibrationSample, RatingScale};
use crate::numbers::{Estimate, stats::multiple::holm};

/// The results. Engines are in the order of the data, the main engine first.
#[derive(Debug)]
pub struct History {
    /// The answers to [`QUESTIONS`].
    pub answers: Vec<Answer>,
    /// For each of the first ten questions, its cells by each of the first two engines.
    pub divisions: Vec<[Vec<Cell>; 2]>,
    /// E over the events up to 2011, and the slope of [`R`] per decade.
    pub regan: Change,
    pub without_year: Change,
    /// The title matches: all moves, and without openings.
    pub matches: [Vec<Cell>; 2],
    /// The slopes of T and L per decade in the title matches, then without openings. Their p-values are those of
    /// shuffled years, adjusted by Holm's method.
    pub trends: Vec<Change>,
}

#[derive(Debug)]
pub struct Answer {
    /// The estimate by each engine.
    pub changes: Vec<Change>,
    pub players: usize,
    /// p of the main question by shuffled years; p of a secondary question by Holm's method.
    pub adjusted: Option<f64>,
    /// The estimates under the conditions of the plan, by their names; T and L alone are the first two.
    pub conditions: Vec<(String, f64)>,
    /// The reasons why the answer is not robust.
    pub failed: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figure {
    /// E, the change per decade at equal rating.
    Change,
    /// The change of slope in 2014.
    Bend,
    /// D after the reform minus D from 2020 to the reform.
    Step,
    /// The change of the mean loss per decade at equal rating, in percent.
    Loss,
}

/// A question of the plan: its name, its figure, the selections whose figures are added with their signs, the
/// coefficients of its fit, and if it is one of the secondary tests.
pub type Question = (&'static str, Figure, &'static [(f64, Selection)], usize, bool);

/// The main question and the same without openings, the secondary questions, and two for Voigt's article.
pub static QUESTIONS: [Question; 16] = [
    ("all moves", Figure::Change, &[(1.0, ALL)], 3, false),
    ("without openings", Figure::Change, &[(1.0, LATER)], 3, false),
    ("rated below 2000", Figure::Change, &[(1.0, band(0.0, 2000.0, ALL))], 3, true),
    ("rated 2000 to 2199", Figure::Change, &[(1.0, band(2000.0, 2200.0, ALL))], 3, true),
    ("rated 2200 to 2399", Figure::Change, &[(1.0, band(2200.0, 2400.0, ALL))], 3, true),
    ("rated 2400 to 2599", Figure::Change, &[(1.0, band(2400.0, 2600.0, ALL))], 3, true),
    ("rated 2600 and more", Figure::Change, &[(1.0, band(2600.0, 9999.0, ALL))], 3, true),
    ("openings", Figure::Change, &[(1.0, phases(&[Phase::Opening]))], 3, true),
    ("middlegames", Figure::Change, &[(1.0, phases(&[Phase::Middlegame]))], 3, true),
    ("endgames", Figure::Change, &[(1.0, phases(&[Phase::Endgame]))], 3, true),
    ("openings minus endgames", Figure::Change, &DIFFERENCES[0], 3, true),
    ("below 2200 minus from 2400", Figure::Change, &DIFFERENCES[1], 6, true),
    ("slope after 2014 minus before", Figure::Bend, &[(1.0, ALL)], 4, true),
    ("step at the reform of 2024", Figure::Step, &[(1.0, band(0.0, 2000.0, TAGS))], 2, true),
    ("loss, 2551 to 2650", Figure::Loss, &[(1.0, band(2551.0, 2651.0, TAGS))], 3, false),
    ("the same without openings", Figure::Loss, &[(1.0, VOIGT_LATER)], 3, false),
];
const VOIGT_LATER: Selection = Selection { phases: LATER.phases, ..band(2551.0, 2651.0, TAGS) };
const DIFFERENCES: [[(f64, Selection); 2]; 2] = [
    [(1.0, phases(&[Phase::Opening])), (-1.0, phases(&[Phase::Endgame]))],
    [(1.0, band(0.0, 2200.0, ALL)), (-1.0, band(2400.0, 9999.0, ALL))],
];

/// Number of questions with [`History::divisions`].
const DIVIDED: usize = 10;
pub const SIGNIFICANT: f64 = 0.05;

const SOURCES: &str = include_str!("../../../data/history/sources.csv");
const TITLE_SUMS: &str = include_str!("../../../data/history/title-sums.csv");

/// A row of data/history/title-sums.csv: sums over the moves of a player in a phase of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct MatchSums {
    event: String,
    player: String,
    phase: String,
    moves: u64,
    top_moves: u64,
    win_loss_percent: f64,
    evaluation_loss_cp: u64,
}

impl History {
    /// Answers the questions by the sums of two or more engines. `None` if they are not those of the study, so
    /// that a figure is undefined.
    pub fn of(data: &[CalibrationData]) -> Option<History> {
        let samples: Vec<&CalibrationSample> = data.iter().map(|data| &data.sample).collect();
        let rows = csv::Reader::from_reader(SOURCES.as_bytes()).into_deserialize();
        let sources: BTreeMap<String, u32> = rows.collect::<Result<_, _>>().ok()?;
        let answers = QUESTIONS.iter().map(|question| Answer::of(question, &samples, &sources));
        let mut answers: Vec<Answer> = answers.collect::<Option<_>>()?;
        let asked = Asked::of(&QUESTIONS[0], samples[0], |all| all);
        let (cells, e) = (&asked.terms[0].1, answers[0].changes[0].estimate.value);
        answers[0].adjusted = Some(shuffled_p(cells, e, |cells| {
            mean_over(&[T, L], |at| line(cells, at, None).map(|line| 100.0 * line[2] / line[1]))
        }));
        let secondary: Vec<usize> = (0..QUESTIONS.len()).filter(|&at| QUESTIONS[at].4).collect();
        let adjusted = holm(&secondary.iter().map(|&at| answers[at].changes[0].p).collect::<Vec<_>>());
        secondary.into_iter().zip(adjusted).for_each(|(at, p)| answers[at].adjusted = Some(p));
        for answer in &mut answers {
            if answer.adjusted.unwrap_or(answer.changes[0].p) >= SIGNIFICANT {
                answer.failed.insert(0, "not significant".to_owned());
            }
        }
        let divided = |question| [0, 1].map(|at| Asked::of(question, samples[at], |all| all).divided());
        let mut divisions: Vec<_> = QUESTIONS.iter().take(DIVIDED).map(divided).collect();
        let unaware = CalibrationDesign { drift_from: None, ..CalibrationDesign::default() };
        let rated = unaware.calibrate(&data[0]).ok()?.validation.swap_remove(0).events;
        for (cell, row) in divisions[0][0].iter_mut().zip(rated) {
            cell.values[R] = row.predicted - row.elo;
        }
        let rows = csv::Reader::from_reader(TITLE_SUMS.as_bytes()).into_deserialize();
        let rows: Vec<MatchSums> = rows.collect::<Result<_, _>>().ok()?;
        let [all, later] = [ALL, LATER].map(|selection| matches(&rows, &selection, samples[0]));
        let matches = [all?, later?];
        Some(History {
            regan: asked.change(|cell| cell.year < 2012.0)?,
            without_year: trend(&divisions[0][0], R)?,
            trends: trends(&matches)?,
            answers,
            divisions,
            matches,
        })
    }
}

/// Returns the title matches by year. The usual means of `sample` adjust the statistics.
fn matches(rows: &[MatchSums], of: &Selection, sample: &CalibrationSample) -> Option<Vec<Cell>> {
    let mut events: BTreeMap<&str, (BTreeSet<&str>, GamePlay)> = BTreeMap::new();
    for row in rows {
        let phase: Phase = row.phase.parse().ok()?;
        if !of.phases.contains(&phase) {
            continue;
        }
        let (players, total) = events.entry(&row.event).or_default();
        players.insert(&row.player);
        let sums =
            [100.0 * row.top_moves as f64, row.win_loss_percent, row.evaluation_loss_cp as f64, 0.0, 0.0];
        *total += GamePlay::from_sums(row.moves, sums).in_phase(phase);
    }
    let usual = of.usual(sample)?;
    let cell = |(name, (players, total)): (&str, (BTreeSet<&str>, GamePlay))| {
        let year = name.split(' ').find_map(|word| word.parse().ok())?;
        let (name, players, values) = (name.to_owned(), players.len(), values(&usual, &total)?);
        Some(Cell { name, rating: f64::NAN, year, is_new: false, players, values })
    };
    let mut cells: Vec<Cell> = events.into_iter().map(cell).collect::<Option<_>>()?;
    cells.sort_by(|one, other| one.year.total_cmp(&other.year));
    Some(cells)
}

/// Returns the trends of the matches that are not FIDE's own ones of 1993 to 1998.
fn trends(matches: &[Vec<Cell>; 2]) -> Option<Vec<Change>> {
    let of_matches = |(cells, at): (&Vec<Cell>, usize)| {
        let tested: Vec<Cell> = cells.iter().filter(|cell| !cell.is_aside()).cloned().collect();
        let change = trend(&tested, at)?;
        Some(Change { p: shuffled_p(&tested, change.estimate.value, |cells| slope(cells, at)), ..change })
    };
    let pairs = matches.iter().flat_map(|cells| [(cells, T), (cells, L)]);
    let changes: Vec<Change> = pairs.map(of_matches).collect::<Option<_>>()?;
    let adjusted = holm(&changes.iter().map(|change| change.p).collect::<Vec<_>>());
    Some(changes.into_iter().zip(adjusted).map(|(change, p)| Change { p, ..change }).collect())
}

/// A question with its cells by one engine. Each term has its sign, its cells, and the cells of all ratings
/// that convert a statistic into Elo points.
struct Asked {
    figure: Figure,
    lost: usize,
    terms: Vec<(f64, Vec<Cell>, Vec<Cell>)>,
}

impl Asked {
    /// Makes the cells of a question's selections, each changed by `other`.
    fn of(question: &Question, sample: &CalibrationSample, other: impl Fn(Selection) -> Selection) -> Asked {
        let &(_, figure, terms, lost, _) = question;
        let term = |&(sign, selection): &(f64, Selection)| {
            let (selection, is_step) = (other(selection), figure == Figure::Step);
            let scale = if is_step { RatingScale::Fide2024 } else { selection.scale };
            let mut cells = selection.cells(sample);
            cells.retain(|cell| !is_step || cell.year >= 2020.0);
            (sign, cells, Selection { ratings: ALL.ratings, scale, ..selection }.cells(sample))
        };
        Asked { figure, lost, terms: terms.iter().map(term).collect() }
    }

    fn usual(&self) -> Option<f64> {
        self.value(&[T, L], false, &|_| true)
    }

    fn value(&self, of: &[usize], is_squared: bool, keeps: &dyn Fn(&Cell) -> bool) -> Option<f64> {
        let square: Option<fn(&Cell) -> f64> = is_squared.then_some(|cell| place(cell)[0].powi(2));
        let term = |(sign, cells, base): &(f64, Vec<Cell>, Vec<Cell>)| {
            let [cells, base] =
                [cells, base].map(|all| all.iter().filter(|cell| keeps(cell)).collect::<Vec<_>>());
            let after = |is_new: bool, at: usize| {
                let chosen = cells.iter().filter(|cell| cell.is_new == is_new);
                let levels: Vec<f64> = chosen.map(|cell| level(cell, &base, at)).collect::<Option<_>>()?;
                Some(Estimate::mean(&levels)?.value)
            };
            let figure = |at: usize| match self.figure {
                Figure::Change => Some(100.0 * line(&cells, at, square)?[2] / line(&base, at, square)?[1]),
                Figure::Loss => Some(100.0 * line(&cells, L, square)?[2].exp_m1()),
                Figure::Bend => {
                    let line = line(&cells, at, Some(|cell| (cell.year - 2014.0).max(0.0) / 10.0))?;
                    Some(100.0 * line[3] / line[1])
                }
                Figure::Step => Some(after(true, at)? - after(false, at)?),
            };
            Some(sign * mean_over(of, figure)?)
        };
        Some(self.terms.iter().map(term).collect::<Option<Vec<_>>>()?.iter().sum())
    }

    /// Estimates from the events that `keeps` accepts.
    fn change(&self, keeps: impl Fn(&Cell) -> bool) -> Option<Change> {
        let cells = self.terms.iter().flat_map(|(_, cells, _)| cells).filter(|cell| keeps(cell));
        let names: BTreeSet<&str> = cells.map(|cell| &*cell.name).collect();
        let of =
            |left: Option<&str>| self.value(&[T, L], false, &|cell| Some(&*cell.name) != left && keeps(cell));
        jackknife(&names.into_iter().collect::<Vec<_>>(), self.lost, of)
    }

    /// Returns the cells of the first term with their [`D`].
    fn divided(mut self) -> Vec<Cell> {
        let (_, mut cells, base) = self.terms.swap_remove(0);
        let base: Vec<&Cell> = base.iter().collect();
        for cell in &mut cells {
            cell.values[D] = mean_over(&[T, L], |at| level(cell, &base, at)).unwrap_or(f64::NAN);
        }
        cells
    }
}

impl Answer {
    fn of(
        question: &Question,
        samples: &[&CalibrationSample],
        sources: &BTreeMap<String, u32>,
    ) -> Option<Answer> {
        let by_engine = samples.iter().map(|sample| Asked::of(question, sample, |all| all));
        let asked: Vec<Asked> = by_engine.collect();
        let changes: Vec<Change> = asked.iter().map(|asked| asked.change(|_| true)).collect::<Option<_>>()?;
        let (main, e) = (&asked[0], changes[0].estimate.value);
        let alone = |at| main.value(&[at], false, &|_| true);
        let mut found = vec![("T alone".to_owned(), alone(T)), ("L alone".to_owned(), alone(L))];
        found.extend(changes[0].without.map(|value| ("one event left out".to_owned(), Some(value))));
        let mut leave = |name: &str, is_left: &dyn Fn(&Cell) -> bool| {
            found.push((name.to_owned(), main.value(&[T, L], false, &|cell| !is_left(cell))));
        };
        leave("without events before 2000", &|cell| cell.year < 2000.0);
        leave("without events from 2025", &|cell| cell.year >= 2025.0);
        let ages = ["u16", "youth", "senior"];
        leave("without events by age", &|cell| ages.iter().any(|age| cell.name.contains(age)));
        leave("without mixed sets", &|cell| cell.name.starts_with("mixed-"));
        for source in sources.values().collect::<BTreeSet<_>>() {
            leave(&format!("without source {source}"), &|cell| sources.get(&cell.name) == Some(source));
        }
        let other = |change: &dyn Fn(Selection) -> Selection| Asked::of(question, samples[0], change).usual();
        if question.2.iter().all(|(_, selection)| selection.phases == Phase::ALL) {
            let later = other(&|selection| Selection { phases: LATER.phases, ..selection });
            found.push(("without openings".to_owned(), later));
        }
        let tags = other(&|selection| Selection { scale: RatingScale::Fide, ..selection });
        found.push(("ratings as in the tags".to_owned(), tags));
        let squared = main.value(&[T, L], true, &|_| true);
        found.push(("squared rating".to_owned(), squared));
        let conditions: Vec<(String, f64)> =
            found.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        let opposed = conditions.iter().filter(|(_, value)| value * e <= 0.0);
        let mut failed: Vec<String> = opposed.map(|(name, _)| format!("other sign: {name}")).collect();
        failed.dedup();
        if changes[1].p >= SIGNIFICANT || changes[1].estimate.value * e <= 0.0 {
            failed.insert(0, "second engine".to_owned());
        }
        // The terms of two phases have the same players.
        let terms = if question.2[0].1.ratings == ALL.ratings { 1 } else { main.terms.len() };
        let cells = main.terms.iter().take(terms).flat_map(|(_, cells, _)| cells);
        let players = cells.map(|cell| cell.players).sum();
        Some(Answer { changes, players, adjusted: None, conditions, failed })
    }
}

#[cfg(test)]
pub(crate) mod tests;
