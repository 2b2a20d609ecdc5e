//! Sentences on a player's profile.

use super::{
    numbers::{SIGNIFICANT, p_equals, with_margin},
    peers,
    rating::{FOREIGN, rated, too_short},
};
use crate::base::text::{counted, cut, printable, rounded};
use crate::measure::{
    ControlGroup, FEWEST_GAMES, PlayDivision, PlayGrouping, PlayTrend, Profile, ProfileRow, SpanKind,
    Statistic,
};

const NAME: usize = 60;

pub fn sentences(profile: &Profile) -> Vec<String> {
    let mut sentences = vec![whole(profile)];
    sentences.extend(rating(profile));
    sentences.extend(profile.peers.as_ref().and_then(peers::sentence));
    sentences.extend(control(profile));
    sentences.extend(profile.trend.as_ref().and_then(trend));
    sentences.extend(profile.divisions.iter().filter_map(differing));
    sentences
}

/// Returns the rating of play in words. For a server's scale, names the scale, and the number of games on it
/// if the player has other games.
fn rating(profile: &Profile) -> Option<String> {
    let (rating, scale) = (profile.whole.rating.as_ref()?, profile.calibration.as_ref()?.scale);
    let on = match (scale.is_over_the_board(), profile.whole.games - rating.games.min(profile.whole.games)) {
        (true, _) => String::new(),
        (false, 0) => format!(" on {}", scale.title()),
        (false, _) => format!(
            " on {} (computed from the {} on this scale)",
            scale.title(),
            counted(rating.games as u64, "game")
        ),
    };
    Some(format!("Rating of play{on}: {}.", rated(rating)))
}

fn whole(profile: &Profile) -> String {
    let ProfileRow { games, moves, measures, points, .. } = &profile.whole;
    let scored = points.map_or(String::new(), |share| format!(", score {} %", rounded(100.0 * share, 1)));
    let chosen = measures
        .get(Statistic::FirstChoice)
        .map_or(String::new(), |share| format!(", {} % top moves", with_margin(share, 1)));
    let lost = measures.get(Statistic::WinLoss).map_or(String::new(), |loss| {
        format!(", {} percentage points of winning chances lost per move", with_margin(loss, 2))
    });
    format!(
        "{}: {} in {}{scored}{chosen}{lost}.",
        cut(&printable(&profile.player), NAME),
        counted(*moves, "move"),
        counted(*games as u64, "game"),
    )
}

/// Returns sentences that compare the player's losses with the opponents' losses in the same games. They name up
/// to [`GROUPS_NAMED`] groups in which the player loses significantly more, the largest difference first.
fn control(profile: &Profile) -> Vec<String> {
    let Some(whole) = profile.whole.control.as_ref() else { return Vec::new() };
    let surely = |control: &&ControlGroup| control.p_holm.is_some_and(|p| p < SIGNIFICANT);
    let rows = profile.divisions.iter().flat_map(|division| &division.rows);
    let rows = rows.filter_map(|row| Some((row, row.control.as_ref().filter(surely)?)));
    let mut worse: Vec<(&ProfileRow, &ControlGroup)> =
        rows.filter(|(_, found)| found.more.value > 0.0).collect();
    worse.sort_by(|(_, a), (_, b)| b.more.value.total_cmp(&a.more.value));
    let named: Vec<String> = worse
        .iter()
        .take(GROUPS_NAMED)
        .map(|(row, found)| {
            format!("{} ({} more)", cut(&printable(&row.group), NAME), rounded(found.more.value, 1))
        })
        .collect();
    let compared = format!(
        "The opponents in the same games lost {} percentage points of winning chances per move. The player's loss minus the \
         opponents' loss is {}{}.",
        rounded(whole.win_loss.value, 2),
        with_margin(whole.more, 2),
        whole.p.map_or(String::new(), |p| format!(" ({})", p_equals(p))),
    );
    let more = (!named.is_empty()).then(|| {
        format!(
            "In these groups, the player loses significantly more winning chances per move than the opponents (Holm-adjusted): \
             {}.",
            named.join(", ")
        )
    });
    [compared].into_iter().chain(more).collect()
}

/// The largest number of groups that a sentence names.
const GROUPS_NAMED: usize = 3;

fn trend(trend: &PlayTrend) -> Option<String> {
    let line = trend.line?;
    let (by, p) = (rounded(line.slope.value.abs(), 2), p_equals(line.p));
    let span = match trend.span {
        SpanKind::Year => "a year",
        SpanKind::Month => "a month",
        SpanKind::Games => "from one block of games to the next",
    };
    let change = match (line.p < SIGNIFICANT, line.slope.value < 0.0) {
        (true, true) => format!("falls by {by} percentage points of winning chances {span}"),
        (true, false) => format!("rises by {by} percentage points of winning chances {span}"),
        (false, _) => "does not change significantly over time".to_owned(),
    };
    Some(format!("The player's loss per move {change} ({p})."))
}

pub fn span_axis(span: SpanKind) -> &'static str {
    match span {
        SpanKind::Year => "Year",
        SpanKind::Month => "Month",
        SpanKind::Games => "Games in chronological order",
    }
}

fn differing(division: &PlayDivision) -> Option<String> {
    let p = division.p_holm.filter(|&p| p < SIGNIFICANT)?;
    let has_interval =
        |row: &&ProfileRow| row.measures.get(Statistic::WinLoss).is_some_and(|loss| loss.interval.is_some());
    let told = || division.rows.iter().filter(has_interval);
    let loss = |row: &&ProfileRow| row.measures.value_or_0(Statistic::WinLoss);
    let least = told().min_by(|a, b| loss(a).total_cmp(&loss(b)))?;
    let most = told().max_by(|a, b| loss(a).total_cmp(&loss(b)))?;
    let said =
        |row: &ProfileRow| format!("{} ({})", cut(&printable(&row.group), NAME), rounded(loss(&row), 2));
    Some(format!(
        "The player's loss per move differs significantly by {} ({}). It is smallest in {} and largest in {}.",
        headings(division.by)[0].to_lowercase(),
        p_equals(p),
        said(least),
        said(most)
    ))
}

/// Returns the heading of a grouping in tables, and the question that it answers on the page.
pub fn headings(by: PlayGrouping) -> [&'static str; 2] {
    match by {
        PlayGrouping::Year => ["Year", "Year by year"],
        PlayGrouping::Event => ["Event", "By event"],
        PlayGrouping::Speed => ["Speed", "Fast and slow games"],
        PlayGrouping::Color => ["Color", "White and Black"],
        PlayGrouping::Phase => ["Phase", "Opening, middlegame, endgame"],
        PlayGrouping::Opening => ["Opening", "By opening"],
        PlayGrouping::Clock => ["Time left", "By time left"],
        PlayGrouping::Position => ["Position", "Winning, level or losing"],
    }
}

pub fn notes(profile: &Profile) -> Vec<String> {
    let mut notes = vec![
        "Loss of win %: percentage points of winning chances lost per move. Lichess's curve converts evaluations to \
         winning chances. The 95 % intervals are computed from the scatter between games. Difference: the player's \
         loss minus the opponents' loss in the same games. Hard positions cost every player more than simple ones."
            .to_owned(),
    ];
    let rows = || profile.divisions.iter().flat_map(|division| &division.rows);
    if !profile.whole.has_too_few_games() && rows().any(ProfileRow::has_too_few_games) {
        notes.push(format!("Shares and losses are not shown for groups of fewer than {FEWEST_GAMES} games."));
    }
    if let (Some(calibration), Some(rating)) = (&profile.calibration, &profile.whole.rating) {
        let foreign = if rating.is_drawn_to_mean() { "" } else { FOREIGN };
        notes.push(format!(
            "Ratings of play are on {}. Evaluations: {}.{foreign}",
            calibration.scale.title(),
            calibration.kind()
        ));
        let of_groups = rows().filter_map(|row| row.rating.as_ref());
        notes.extend(too_short(std::iter::once(rating).chain(of_groups)));
    }
    notes
}
