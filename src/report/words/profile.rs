//! Sentences on a player's profile.

use super::{
    names::natural_name,
    numbers::{MISSING, SIGNIFICANT, p_equals, with_margin},
    peers,
    rating::{FOREIGN, rated, too_short},
};
use crate::base::text::{counted, cut, printable, rounded};
use crate::measure::{
    ControlGroup, Conversion, FEWEST_GAMES, PlayDivision, PlayGrouping, PlayTrend, Profile, ProfileRow,
    SpanKind, Statistic, WINNING_CHANCES,
};
use crate::numbers::Estimate;

const NAME: usize = 60;

/// Returns the headline, and a sentence with the numbers behind it.
pub fn sentences(profile: &Profile) -> Vec<String> {
    let finding = Finding::of(profile);
    [headline(profile, &finding)].into_iter().chain(support(profile, &finding)).collect()
}

/// Returns the headline, the sentence behind it, and sentences on won positions and on the rating of play.
#[cfg(feature = "program")]
pub fn brief(profile: &Profile) -> Vec<String> {
    let mut sentences = sentences(profile);
    let more = won_games(profile).into_iter().chain(won_difference(profile)).chain(rating(profile));
    let more = more.chain(profile.peers.as_ref().and_then(peers::sentence));
    let more: Vec<String> = more.filter(|sentence| !sentences.contains(sentence)).collect();
    sentences.extend(more);
    sentences
}

/// Returns the sentences behind [`sentences`]: on all moves, the rating, the tests and the trend.
pub fn details(profile: &Profile) -> Vec<String> {
    let mut sentences = vec![whole(profile)];
    sentences.extend(rating(profile));
    sentences.extend(profile.peers.as_ref().and_then(peers::sentence));
    sentences.extend(control(profile));
    sentences.extend(profile.trend.as_ref().and_then(trend));
    sentences.extend(profile.divisions.iter().filter_map(differing));
    sentences
}

/// The finding of the headline: a significant difference from the opponents in the same games.
enum Finding<'p> {
    Won(&'p Conversion),
    Group(PlayGrouping, &'p ProfileRow, &'p ControlGroup),
    All(&'p ControlGroup),
    Level,
    /// No opponent's move counts.
    Alone,
}

/// Number of tests of which a headline may report one: won positions, groups (Holm-adjusted) and all moves.
const TESTS: f64 = 3.0;

impl<'p> Finding<'p> {
    fn of(profile: &'p Profile) -> Finding<'p> {
        let is_certain = |p: Option<f64>| p.is_some_and(|p| p < SIGNIFICANT / TESTS);
        let groups = profile.divisions.iter().flat_map(|division| {
            division.rows.iter().filter_map(|row| Some((division.by, row, row.control.as_ref()?)))
        });
        let certain = groups.filter(|(_, _, found)| is_certain(found.p_holm));
        let size = |found: &ControlGroup| found.more.value.abs();
        let group = certain.max_by(|(_, _, a), (_, _, b)| size(a).total_cmp(&size(b)));
        let won = profile.conversion.as_ref().filter(|won| is_certain(won.p));
        let all = profile.whole.control.as_ref();
        won.map(Finding::Won)
            .or(group.map(|(by, row, found)| Finding::Group(by, row, found)))
            .or(all.map(|all| if is_certain(all.p) { Finding::All(all) } else { Finding::Level }))
            .unwrap_or(Finding::Alone)
    }
}

fn headline(profile: &Profile, finding: &Finding<'_>) -> String {
    let name = natural_name(&profile.player);
    let plays = |found: &ControlGroup| {
        let how = if found.more.value > 0.0 { "worse" } else { "better" };
        format!("{name} plays {how} than the opponents")
    };
    match finding {
        Finding::Won(Conversion { player, opponents, more, .. }) => {
            let [own, other] = [player, opponents].map(|side| format!("{} of {}", side.won, side.games()));
            match more.is_some_and(|more| more.value < 0.0) {
                true => format!("{name} won only {own} won positions, the opponents {other}."),
                false => format!("{name} won {own} won positions, the opponents only {other}."),
            }
        }
        Finding::Group(by, row, found) => format!("{} {}.", plays(found), within(*by, &row.group)),
        Finding::All(found) => format!("{}.", plays(found)),
        Finding::Level => format!("No certain difference between {name} and the opponents."),
        Finding::Alone => whole(profile),
    }
}

fn support(profile: &Profile, finding: &Finding<'_>) -> Option<String> {
    let lost = |row: &ProfileRow, found: &ControlGroup, within: &str, p: Option<f64>| {
        let more = if found.more.value > 0.0 { "more" } else { "fewer" };
        format!(
            "{} loses {} percentage points of winning chances per move{within}, {} {more} than the opponents in the same \
             games{}.",
            natural_name(&profile.player),
            rounded(row.measures.value_or_0(Statistic::WinLoss), 1),
            rounded(found.more.value.abs(), 1),
            p.map_or(String::new(), |p| format!(" ({})", p_equals(p))),
        )
    };
    match finding {
        Finding::Group(by, row, found) => {
            Some(lost(row, found, &format!(" {}", within(*by, &row.group)), found.p_holm))
        }
        Finding::All(found) => Some(lost(&profile.whole, found, "", found.p)),
        Finding::Won(_) | Finding::Level => won_games(profile).or_else(|| Some(whole(profile))),
        Finding::Alone => None,
    }
}

/// Returns a group with its preposition, as in `in bullet games`.
fn within(by: PlayGrouping, group: &str) -> String {
    let group = cut(&printable(group), NAME);
    match by {
        PlayGrouping::Year => format!("in {group}"),
        PlayGrouping::Event => format!("at {group}"),
        PlayGrouping::Speed => format!("in {group} games"),
        PlayGrouping::Color => format!("with {group}"),
        PlayGrouping::Phase => format!("in the {group}"),
        PlayGrouping::Clock => format!("with {group} left"),
        PlayGrouping::Position => {
            format!("in {} positions", group.split_once(" (").map_or(&*group, |(kind, _)| kind))
        }
        PlayGrouping::Opening => match group.split_once(": ") {
            Some((color, opening)) => format!("in the {opening} with {color}"),
            None => format!("in {group}"),
        },
    }
}

fn percent(share: Option<Estimate>) -> String {
    share.map_or(MISSING.to_owned(), |share| format!("{} %", rounded(100.0 * share.value, 0)))
}

/// Returns the results of games with a won position.
fn won_games(profile: &Profile) -> Option<String> {
    let Conversion { player, opponents, .. } = profile.conversion.as_ref()?;
    let name = natural_name(&profile.player);
    let chances = format!("winning chances of {} % or more", rounded(100.0 * WINNING_CHANCES, 0));
    let own = match player.games() {
        0 => format!("{name} never had {chances}"),
        games => format!(
            "In {}, {name} had {chances} and won {} of them ({})",
            counted(games, "game"),
            player.won,
            percent(player.share())
        ),
    };
    Some(match opponents.games() {
        0 => format!("{own}; the opponents never had them."),
        games => {
            format!("{own}; the opponents won {} of {games} ({}).", opponents.won, percent(opponents.share()))
        }
    })
}

/// Returns the difference between the shares of won positions that were won.
pub fn won_difference(profile: &Profile) -> Option<String> {
    let Conversion { more, p, .. } = profile.conversion.as_ref()?;
    let (Estimate { value, interval, .. }, p) = ((*more)?, (*p)?);
    let ends = interval.map(|ends| [ends.low, ends.high].map(|end| rounded(100.0 * end, 0)))?;
    let difference = format!(
        "{} percentage points (95 % interval {} to {}, {})",
        rounded(100.0 * value, 0),
        ends[0],
        ends[1],
        p_equals(p)
    );
    Some(match p < SIGNIFICANT {
        true => format!("The difference is {difference}."),
        false => format!("The difference, {difference}, may be due to chance."),
    })
}

/// Returns the rating of play in words. For a server's scale, names the scale, and the number of games on it
/// if the player has other games.
fn rating(profile: &Profile) -> Option<String> {
    let (rating, scale) = (profile.whole.rating.as_ref()?, profile.calibration.as_ref()?.scale);
    let on = match (scale.is_over_the_board(), profile.whole.games - rating.games.min(profile.whole.games)) {
        (true, _) => String::new(),
        (false, 0) => format!(" on {}", scale.title()),
        (false, _) => format!(" on {} (from {})", scale.title(), counted(rating.games as u64, "game")),
    };
    let by = if profile.calibration.as_ref()?.is_of_lichess() { ", by lichess's analysis" } else { "" };
    Some(format!("Rating of play{on}{by}: {}.", rated(rating)))
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

/// Returns the finding of the trend as a heading.
pub fn trend_heading(profile: &Profile) -> &'static str {
    match profile.trend.as_ref().and_then(|trend| trend.line) {
        Some(line) if line.p < SIGNIFICANT && line.slope.value < 0.0 => "The losses per move are falling",
        Some(line) if line.p < SIGNIFICANT => "The losses per move are rising",
        _ => "No certain change over time",
    }
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
        "Loss of win %: percentage points of winning chances lost per move. Difference: the player's loss minus the \
         opponents' loss in the same games, with its 95 % margin."
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
