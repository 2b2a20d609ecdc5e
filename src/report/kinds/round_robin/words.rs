//! Sentences on a round robin of several entrants.

use crate::base::text::{counted, cut, printable, rounded};
use crate::lab::{RoundRobin, SequentialMatch};
use crate::numbers::{Estimate, FitError, GamePairs, SprtVerdict};
use crate::report::{kinds::experiment::words::forfeited, publish::Fact, words::numbers::with_margin};

const NAME: usize = 24;

pub fn name(found: &RoundRobin, place: usize) -> String {
    cut(&printable(found.name(place)), NAME)
}

pub fn sentences(found: &RoundRobin) -> Vec<String> {
    let tested = found.sequential.as_ref().map(|test| tested(found, test));
    leader(found).into_iter().chain(tested).collect()
}

/// Returns the facts that fastchess prints of a match of two entrants, in the view of the leader; empty for more
/// entrants.
pub fn facts(found: &RoundRobin) -> Vec<Fact> {
    let [first, second] = found.standing()[..] else { return Vec::new() };
    let (met, pairs) = (found.meeting(first, second), found.game_pairs(first, second));
    let percent = |share: f64| format!("{} %", rounded(100.0 * share, 1));
    let elo = found.difference(first, second).map(|elo| {
        let normalized = pairs.and_then(GamePairs::normalized_elo);
        let normalized = normalized.map(|elo| format!(", normalized {}", with_margin(elo, 1)));
        with_margin(elo, 1) + &normalized.unwrap_or_default()
    });
    let games = met.record().map(|record| {
        let (wins, draws, losses) = (met.wins, met.draws, met.losses);
        let points = format!("{} points ({})", rounded(record.points(), 1), percent(record.score()));
        format!("{}: {wins} won, {draws} drawn, {losses} lost; {points}", met.games())
    });
    let counts = pairs.map(|pairs| {
        let counts = pairs.counts().map(|count| count.to_string()).join(", ");
        format!("{}: {counts} with 0, ½, 1, 1½, 2 points", pairs.pairs())
    });
    let last = match &found.sequential {
        Some(test) => {
            let [low, high] = test.test().bounds().map(|bound| rounded(bound, 2));
            let ratio = rounded(test.log_likelihood_ratio(), 2);
            let after = counted(test.pairs().into(), "pair");
            ("LLR", Some(format!("{ratio} after {after}; bounds {low} (H0) and {high} (H1)")))
        }
        None => ("Draws", met.record().map(|record| percent(record.shares()[1]))),
    };
    let superiority = found.superiority(first, second).map(likelihood);
    let facts = [("Elo", elo), ("LOS", superiority), ("Games", games), ("Pairs", counts), last];
    facts.into_iter().filter_map(|(label, fact)| Some((label.to_owned(), fact?))).collect()
}

fn tested(found: &RoundRobin, tested: &SequentialMatch) -> String {
    let test = tested.test();
    let [first, second] = [0, 1].map(|place| name(found, place));
    let [h0, h1] = [("H0", test.elo0), ("H1", test.elo1)]
        .map(|(name, elo)| format!("{name} ({elo} {} Elo)", test.model));
    let verdict = match tested.verdict() {
        SprtVerdict::H0 => format!("accepts {h0} rather than {h1}"),
        SprtVerdict::H1 => format!("accepts {h1} rather than {h0}"),
        SprtVerdict::Open => format!("has not decided between {h0} and {h1}"),
    };
    format!("The sequential test {verdict} as the lead of {first} over {second}.")
}

/// Returns a sentence on the first entrant. For a match of two, [`facts`] has its numbers.
fn leader(found: &RoundRobin) -> Option<String> {
    let standing = found.standing();
    let (&first, &second) = (standing.first()?, standing.get(1)?);
    let [leader, follower] = [first, second].map(|place| name(found, place));
    let Some(ahead) = found.difference(first, second) else {
        let games = counted(found.total(first).games().into(), "game");
        let of_two = format!("{leader} won all of its {games} against {follower}.");
        return if standing.len() == 2 { Some(of_two) } else { unrated(found) };
    };
    let (lead, is_sure) = (with_margin(ahead, 0), ahead.interval.is_some_and(|ends| ends.low > 0.0));
    Some(match (is_sure, standing.len()) {
        (true, 2) => format!("{leader} is stronger than {follower}."),
        (true, _) => format!("{leader} is the strongest, {lead} Elo ahead of {follower}."),
        _ if rounded(ahead.value, 0) == "0" => format!("{leader} and {follower} are level."),
        _ => format!("Too close to call: {leader} is ahead of {follower}, but not significantly."),
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
    // The finding may already say that nobody is rated.
    let unrated = unrated(found).filter(|said| leader(found).as_ref() != Some(said));
    [unrated, repeated(found), without_intervals(found), forfeited(found.table.all())]
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
