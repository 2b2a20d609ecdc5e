//! Readings of tags in an unusual form: dates, and time controls in minutes.

use super::{comment_facts::CommentFacts, hundredths, tokens::Token};
use crate::chess::{
    date::Date,
    game::Tags,
    rating_system::{RatingSystem, is_of_fide},
    repair::{Repair, Repairs},
    time_control::in_seconds,
};

const DATES: [&str; 3] = ["Date", "UTCDate", "EventDate"];
const CONTROL: &str = "TimeControl";

/// Adds readings to the tags of the game with these tokens, and returns the kinds of the readings.
pub(super) fn add_readings(tags: &mut Tags, tokens: &[Token<'_>]) -> Repairs {
    let mut repairs = Repairs::default();
    let alone =
        |text| Date::reading(text, &[]).map_or_else(|| Date::of_tag(text), |(tag, _)| Date::of_tag(&tag));
    let dates: Vec<Date> = DATES.iter().filter_map(|name| alone(tags.get(name)?)).collect();
    for name in DATES {
        if let Some((reading, repair)) = tags.get(name).and_then(|text| Date::reading(text, &dates)) {
            tags.read_as(name, reading);
            repairs.add(repair);
        }
    }
    let tag = |name: &'static str| tags.get(name);
    if let Some(reading) =
        tag(CONTROL).and_then(|text| in_seconds(text, || (first_clock(tokens), is_at_board(tag))))
    {
        tags.read_as(CONTROL, reading);
        repairs.add(Repair::Minutes);
    }
    repairs
}

/// Returns whether [`add_readings`] would add a reading. `clock` returns the larger of the clocks after the
/// first two moves, in seconds.
pub(super) fn needs_reading<'a>(
    tags: &[(&'a str, &'a str)],
    tag: impl Fn(&str) -> Option<&'a str>,
    clock: impl Fn() -> Option<u32>,
) -> bool {
    let is_date = |name: &str| DATES.iter().any(|date| name.eq_ignore_ascii_case(date));
    tags.iter().any(|(name, value)| match name.len() {
        4 | 7 | 9 => is_date(name) && Date::reading(value, &[]).is_some(),
        11 => {
            name.eq_ignore_ascii_case(CONTROL) && in_seconds(value, || (clock(), is_at_board(&tag))).is_some()
        }
        _ => false,
    })
}

/// Returns true for a game over the board, and false for a game on a server; `None` if the tags do not show
/// it.
fn is_at_board<'a>(tag: impl Fn(&'static str) -> Option<&'a str>) -> Option<bool> {
    let site = tag("Site").unwrap_or_default();
    let is_of_fide = || is_of_fide(&tag);
    let is_address = site.strip_prefix("https://lichess.org/").is_some_and(|id| !id.contains('/'));
    if is_address && !is_of_fide() || RatingSystem::of_tags(&tag).0.is_of_server() {
        return Some(false);
    }
    let is_place = !site.is_empty() && !site.contains("://");
    // Engines and accounts on servers have no family name before a comma.
    let are_people = is_place && tag("White").is_some_and(|name| name.contains(','));
    (are_people || is_of_fide()).then_some(true)
}

/// Returns the larger of the clocks after the first two moves, in seconds.
fn first_clock(tokens: &[Token<'_>]) -> Option<u32> {
    let mut clocks = Vec::new();
    for token in tokens {
        match (token, clocks.as_mut_slice()) {
            (Token::Move { .. }, [_, _]) => break,
            (Token::Move { .. }, _) => clocks.push(None),
            (Token::Comment(text), [.., clock]) => {
                *clock = CommentFacts::behind_a_move(text).clock.or(*clock)
            }
            _ => {}
        }
    }
    clocks.into_iter().flatten().max().map(|left| hundredths(left) / 100)
}
