//! Sentences on a round robin of several entrants.

use crate::base::text::{counted, cut, printable, rounded};
use crate::lab::{RoundRobin, SequentialMatch};
use crate::numbers::{Estimate, FitError, SprtVerdict};
use crate::report::{kinds::experiment::words::forfeited, words::numbers::with_margin};

const NAME: usize = 24;

pub fn name(found: &RoundRobin, place: usize) -> String {
    cut(&printable(found.name(place)), NAME)
}

pub fn sentences(found: &RoundRobin) -> Vec<String> {
    let tested = found.sequential.as_ref().map(|test| tested(found, test));
    tested.into_iter().chain(strongest(found)).collect()
}

fn tested(found: &RoundRobin, tested: &SequentialMatch) -> String {
    let [low, high] = tested.test().bounds().map(|bound| rounded(bound, 2));
    let (test, pairs) = (tested.test(), counted(tested.pairs().into(), "pair"));
    let [first, second] = [0, 1].map(|place| name(found, place));
    let ratio = rounded(tested.log_likelihood_ratio(), 2);
    let [h0, h1] = [("H0", test.elo0), ("H1", test.elo1)]
        .map(|(name, elo)| format!("{name} ({elo} {} Elo)", test.model));
    let verdict = match tested.verdict() {
        SprtVerdict::H0 => format!("accepts {h0} rather than {h1}"),
        SprtVerdict::H1 => format!("accepts {h1} rather than {h0}"),
        SprtVerdict::Open => format!("has not decided between {h0} and {h1}"),
    };
    format!(
        "The sequential test {verdict} as the lead of {first} over {second}, after {pairs} of games: log-likelihood \
         ratio {ratio}, bounds {low} and {high}."
    )
}

fn strongest(found: &RoundRobin) -> Vec<String> {
    let said = leader(found).map(|leader| [Some(leader), widest(found)]);
    said.into_iter().flatten().flatten().collect()
}

/// Returns a sentence on the difference between the first and the last of more than two entrants.
fn widest(found: &RoundRobin) -> Option<String> {
    let standing = found.standing();
    let whole = found.difference(*standing.first()?, *standing.last()?).filter(|_| standing.len() > 2)?;
    Some(format!("First and last place are {} Elo apart.", with_margin(whole, 0)))
}

fn leader(found: &RoundRobin) -> Option<String> {
    let standing = found.standing();
    let (&first, &second) = (standing.first()?, standing.get(1)?);
    let ahead = found.difference(first, second)?;
    let sure = found
        .superiority(first, second)
        .map(|chance| format!("likelihood of superiority {}", likelihood(chance)));
    let (place, doubt) = match ahead.interval {
        Some(interval) if interval.low > 0.0 && standing.len() == 2 => ("is the stronger", None),
        Some(interval) if interval.low > 0.0 => ("is the strongest", None),
        _ => ("is first", Some("not significant".to_owned())),
    };
    let bracketed = |parts: Vec<String>| match parts.is_empty() {
        true => String::new(),
        false => format!(" ({})", parts.join(", ")),
    };
    let [leader, follower, lead] = [name(found, first), name(found, second), with_margin(ahead, 0)];
    Some(match rounded(ahead.value, 0).as_str() {
        "0" => {
            let sure = bracketed(sure.into_iter().collect());
            format!("{leader} and {follower} are level, {lead} Elo apart{sure}.")
        }
        _ => {
            let sure = bracketed(doubt.into_iter().chain(sure).collect());
            format!("{leader} {place}, {lead} Elo ahead of {follower}{sure}.")
        }
    })
}

/// Returns `above 99.9 %` instead of 100 %, because no number of games gives certainty.
fn likelihood(chance: f64) -> String {
    match rounded(100.0 * chance, 1).as_str() {
        "100.0" => "above 99.9 %".to_owned(),
        percent => format!("{percent} %"),
    }
}

pub fn notes(found: &RoundRobin) -> Vec<String> {
    [unrated(found), repeated(found), without_intervals(found), forfeited(found.table.all())]
        .into_iter()
        .flatten()
        .collect()
}

const NOBODY_RATED: &str =
    "No ratings: in every pairing one entrant won all games, so no finite difference fits.";

fn unrated(found: &RoundRobin) -> Option<String> {
    match &found.ratings {
        Err(FitError::NoFiniteRating(_)) => return Some(NOBODY_RATED.to_owned()),
        Err(error) => return Some(format!("No ratings: {error}.")),
        Ok(_) => {}
    }
    let unrated = (0..found.entrants()).filter(|&place| !found.is_rated(place));
    let names: Vec<String> = unrated.map(|place| name(found, place)).collect();
    (!names.is_empty()).then(|| {
        format!(
            "No finite rating fits {}: against the rated entrants, each won all games, lost all games or played none.",
            names.join(", ")
        )
    })
}

fn repeated(found: &RoundRobin) -> Option<String> {
    let all = found.table.all();
    (all.different < all.games()).then(|| {
        format!(
            "Only {} of {} are distinct. Identical pairs of games count once for the intervals, but each time for the scores. \
             More openings give more distinct games.",
            all.different,
            counted(all.games().into(), "game")
        )
    })
}

fn without_intervals(found: &RoundRobin) -> Option<String> {
    let elos: Vec<Estimate> = (0..found.entrants()).filter_map(|place| found.elo(place)).collect();
    let is_bare = !elos.is_empty() && elos.iter().all(|elo| elo.interval.is_none());
    is_bare.then(|| {
        "No rating has an interval: there are too few distinct pairs of games, or all pairs have the same result."
            .to_owned()
    })
}
