//! The conclusions of an experiment in words: gain per ply, White's advantage, diminishing returns.

use crate::base::text::{counted, rounded};
use crate::lab::{Contender, Experiment, Fit, Match, PairGames, Ratings, Returns, ReturnsTest, Side};
use crate::numbers::rating::heinz::{Z_90, Z_95};
use crate::numbers::{FitError, Range, Trend, stats::estimate::LEVEL};
use crate::report::words::numbers::p_equals;

pub fn side(side: Side) -> &'static str {
    match side {
        Side::Engine => "engine",
        Side::Opponent => "opponent",
    }
}

pub fn match_name(m: &Match) -> String {
    match m.is_calibration() {
        true => format!("{0}W⇔{0}B", m.first),
        false => format!("{}⇔{}", m.first, m.second),
    }
}

/// Returns the findings on strength; [`verdict`] has those on diminishing returns.
pub fn sentences(experiment: &Experiment) -> Vec<String> {
    strongest(experiment).into_iter().flatten().chain(white(experiment)).collect()
}

fn strongest(experiment: &Experiment) -> Option<[String; 2]> {
    let ratings = experiment.ratings();
    let differences = ratings.differences.as_ref().ok()?;
    let contenders = experiment.table.contenders().iter().zip(differences);
    let of_engine = contenders.filter(|(contender, _)| contender.side == Side::Engine);
    let rated: Vec<(&Contender, f64)> =
        of_engine.filter_map(|(contender, difference)| Some((contender, (*difference)?.value))).collect();
    let (&(low, from), &(high, to)) = (rated.first()?, rated.last()?);
    let plies = high.depth.checked_sub(low.depth).filter(|&plies| plies > 0)?;
    // Only a difference from the reference has a margin.
    let margin = differences[experiment.table.place(*low)?]
        .and_then(|difference| difference.interval)
        .filter(|_| *high == experiment.reference())
        .map_or(String::new(), |interval| format!(" ± {}", rounded(interval.half_width(), 0)));
    let gained = rounded(to - from, 0);
    let each = rounded((to - from) / f64::from(plies), 0);
    Some([
        format!("From depth {low} to depth {high}, the engine gains {gained}{margin} Elo."),
        format!("This is {each} Elo per ply (fit: {}).", ratings.fit),
    ])
}

fn white(experiment: &Experiment) -> Option<String> {
    let (cell, score) = experiment.diagonal.all?;
    let scored = format!(
        "At equal depth White scores {} % in {}",
        rounded(100.0 * score.value, 1),
        counted(u64::from(cell.games()), "game")
    );
    let Some(interval) = score.interval else {
        return Some(format!("{scored}; there are too few distinct games for an interval."));
    };
    let worth = match (interval.low > 0.5, interval.high < 0.5) {
        (true, _) => "significantly more than half",
        (_, true) => "significantly less than half",
        _ => "not significantly different from half",
    };
    let [low, high] = [interval.low, interval.high].map(|end| rounded(100.0 * end, 1));
    Some(format!("{scored} (95 % interval {low} to {high} %). This is {worth}."))
}

/// Returns the evidence for diminishing returns, by Heinz's rule and by the trend.
pub fn verdict(experiment: &Experiment) -> Vec<String> {
    let rows = &experiment.rows;
    if rows.len() < 2 {
        return vec![
            "Diminishing returns cannot be tested with fewer than two matches of neighboring depths."
                .to_owned(),
        ];
    }
    let findings = experiment.verdict.findings.iter().map(|finding| found(finding, rows));
    findings.chain([trend(experiment.verdict.trend)]).collect()
}

fn found(finding: &ReturnsTest, rows: &[Match]) -> String {
    let ReturnsTest { percent, falling, rising, .. } = *finding;
    let apart = match falling + rising {
        1 => "in 1 pair of rows".to_owned(),
        pairs => format!("in {pairs} pairs of rows"),
    };
    let example = finding.widest.map_or(String::new(), |pair| format!(" {}", example(pair, rows, percent)));
    let (head, which) = match finding.returns(rows.len()) {
        Returns::Diminishing => ("diminishing returns", "the deeper row gains less".to_owned()),
        Returns::Growing => {
            ("growing returns, not diminishing ones,", "the deeper row gains more".to_owned())
        }
        Returns::Mixed => {
            let which = format!("the deeper row gains less in {falling} of these pairs and more in {rising}");
            ("neither diminishing nor growing returns", which)
        }
        Returns::Compatible | Returns::Unknown => {
            let common =
                finding.common.map_or(String::new(), |common| format!(" (any value from {})", ends(common)));
            return format!(
                "Heinz's rule shows no diminishing returns at {percent} % confidence: the same Δw fits all {} \
                 rows{common}.",
                rows.len()
            );
        }
    };
    format!(
        "Heinz's rule shows {head} at {percent} % confidence: {apart}, the intervals of Δw do not overlap, \
         and {which}.{example}"
    )
}

fn example([shallow, deep]: [usize; 2], rows: &[Match], percent: u32) -> String {
    let z = if percent == 90 { Z_90 } else { Z_95 };
    let row = |place: usize| {
        format!("{} (row {})", ends(rows[place].record.confident_difference(z)), match_name(&rows[place]))
    };
    format!("The intervals farthest apart are {} and {}.", row(shallow), row(deep))
}

fn ends(range: Range) -> String {
    format!("{} to {}", rounded(range.low, 3), rounded(range.high, 3))
}

fn trend(trend: Option<Trend>) -> String {
    let Some(Trend { slope, p, .. }) = trend else {
        return "A trend of Δw with depth cannot be tested, because fewer than three rows have a standard error."
            .to_owned();
    };
    let range = slope.interval.map_or(String::new(), |i| {
        format!(" (95 % interval {} to {})", rounded(i.low, 3), rounded(i.high, 3))
    });
    let what = match (p < 1.0 - LEVEL, slope.value < 0.0) {
        (true, true) => "falls with depth",
        (true, false) => "rises with depth",
        (false, _) => "does not change significantly with depth",
    };
    format!(
        "Over {} rows, Δw {what}: {} per ply{range}, {}. The standard errors of this test are computed from game pairs \
         where possible, and otherwise from wins, draws and losses.",
        slope.observations,
        rounded(slope.value, 3),
        p_equals(p)
    )
}

/// Returns the reason why a fit has no result for some or all depths; `None` if it has a result for all.
pub fn problem(experiment: &Experiment, ratings: &Ratings) -> Option<String> {
    let fit = ratings.fit;
    let reference = experiment.reference();
    match &ratings.differences {
        Err(FitError::NoFiniteRating(_)) => Some(format!(
            "{fit}: depth {reference} won or lost all of its games, so no depth can be compared with it."
        )),
        Err(FitError::TooFewDepths(depths)) if fit != Fit::Pairwise => Some(format!(
            "{fit}: a curve needs three depths of the {} with results against depth {reference}, but has only {depths}. \
             lsq counts depth {reference} itself, with a score of ½, and probit does not.",
            side(reference.side)
        )),
        Err(error) => Some(format!("{fit}: {error}.")),
        Ok(differences) => {
            let unrated = experiment.table.contenders().iter().zip(differences);
            let unrated: Vec<String> = unrated
                .filter(|(_, difference)| difference.is_none())
                .map(|(contender, _)| contender.to_string())
                .collect();
            let why = match fit {
                Fit::Pairwise => "each won all games against the rated depths, lost all or played none",
                _ => "the curve covers only depths of the other engine",
            };
            (!unrated.is_empty()).then(|| {
                format!("{fit}: these depths have no Elo points, because {why}: {}.", unrated.join(", "))
            })
        }
    }
}

pub fn notes(experiment: &Experiment) -> Vec<String> {
    let mut notes: Vec<String> = independence(experiment).into_iter().collect();
    notes.extend(forfeited(experiment.table.all()));
    if !experiment.certain.is_empty() {
        let names: Vec<String> = experiment.certain.iter().map(match_name).collect();
        notes.push(format!(
            "Left out of the test of diminishing returns, because a score of 0 or 100 % has no standard error: {}.",
            names.join(", ")
        ));
    }
    if !experiment.lopsided.is_empty() {
        let pairs: Vec<String> = experiment.lopsided.iter().map(|[a, b]| format!("{a}-{b}")).collect();
        notes.push(format!(
            "In these pairs, the two sides did not have White equally often, so the scores include a part of White's \
             advantage: {}.",
            pairs.join(", ")
        ));
    }
    if experiment.lacks_anchor() {
        notes.push(UNANCHORED.to_owned());
    }
    notes
}

const UNANCHORED: &str = "Strengths by depth (Table 8) need the known strength of one depth (--anchor).";

pub fn independence(experiment: &Experiment) -> Option<String> {
    let (all, own) = (experiment.table.all(), experiment.table.diagonal());
    let [games, different] = [all.games() - own.games(), all.different - own.different];
    (different < games).then(|| {
        format!(
            "Only {different} of {} between different depths are distinct. Repeated games are not independent, so the \
             intervals are too narrow and p is too small. Add openings to avoid repeated games.",
            counted(u64::from(games), "game")
        )
    })
}

pub fn forfeited(games: PairGames) -> Option<String> {
    (games.forfeits > 0).then(|| {
        format!(
            "Forfeited by an illegal move, a crash or a stall: {}. A forfeit counts as a loss.",
            counted(games.forfeits.into(), "game")
        )
    })
}
