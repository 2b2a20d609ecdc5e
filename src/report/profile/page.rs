//! Owns the `report.html` of a player: trend, groups and dearest moves as one page that asks nothing of the network.

use askama::Template;

use super::ProfileFacts;
use crate::chess::EvaluatedGame;
use crate::measure::Profile;
use crate::report::{
    html::{board, key_moves::Moment, name, provenance::making, table::PageTable},
    plots::canvas::Drawing,
    tables::profile_division,
    words::profile as words,
};

#[derive(Template)]
#[template(path = "report/profile/page.html")]
struct ProfilePage<'a> {
    title: String,
    symbols: String,
    sentences: Vec<String>,
    trend: Option<&'a Drawing>,
    divisions: Vec<Division>,
    dearest: Vec<Moment>,
    mistakes: usize,
    notes: Vec<String>,
    facts: Vec<(String, String)>,
}

struct Division {
    question: &'static str,
    table: PageTable,
}

/// Moves that are shown on boards.
const SHOWN: usize = 10;

pub(super) fn page(
    profile: &Profile,
    games: &[EvaluatedGame],
    trend: Option<&Drawing>,
    facts: &ProfileFacts,
) -> Result<String, askama::Error> {
    let divisions = profile.divisions.iter().map(|division| Division {
        question: words::question(division.by),
        table: PageTable::of(format!("by-{}", division.by), profile_division(division)),
    });
    let moment = |dear: &crate::measure::profile::DearMove| {
        Moment::of(&games[dear.turn.game], &dear.facts, &dear.turn, facts.clip)
    };
    ProfilePage {
        title: name(&profile.player),
        symbols: board::symbols() + &board::coordinates(),
        sentences: words::sentences(profile),
        trend,
        divisions: divisions.collect(),
        dearest: profile.dearest.iter().take(SHOWN).map(moment).collect(),
        mistakes: profile.mistakes.len(),
        notes: words::notes(profile),
        facts: making(facts.making.clone(), &facts.command),
    }
    .render()
}
