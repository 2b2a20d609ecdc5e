//! The report of one player: the profile, the losses over time, and the mistakes for training.

mod mistakes;
pub mod tables;

use askama::Template;

use self::tables::{conversion_table, profile_table};
use crate::base::output::Publication;
use crate::chess::{Clip, EvaluatedGame};
use crate::measure::{CostlyMove, Profile};
use crate::report::{
    ReportError, html::key_moves::Moment, html::profile::ProfileView, html::provenance::making, plots,
    plots::Caption, publish::Fact, publish::Report, publish::ReportFile, publish::ReportFormats,
    publish::ReportKind, rendered, table::page::PageTable, tables::peers, words::names::name,
    words::profile as words, writing::publish, writing::write_page,
};

pub static PROFILE: ReportKind = ReportKind {
    written_by: "`gainalyze player`",
    files: &[ReportFile::Page, ReportFile::Fixed(MISTAKES), ReportFile::Pictures(&["trend"])],
    tables: || {
        vec![profile_table(None), conversion_table(None), peers::standing_table(None), peers::odds_table(&[])]
    },
};

const MISTAKES: &str = "mistakes.pgn";

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProfileFacts {
    pub caption: Caption,
    pub making: Vec<Fact>,
    pub command: Vec<String>,
    pub clip: Clip,
}

#[derive(Template)]
#[template(path = "report/kinds/profile/page.html")]
struct ProfilePage<'a> {
    report: &'a Report,
    profile: &'a Profile,
    view: ProfileView<'a>,
    costliest: Vec<Moment>,
}

const SHOWN: usize = 10;

pub fn write(
    out: &Publication<'_>,
    profile: &Profile,
    games: &[EvaluatedGame],
    facts: &ProfileFacts,
    formats: &ReportFormats,
) -> Result<(), ReportError> {
    let report = Report {
        title: name(&profile.player),
        sentences: words::sentences(profile),
        notes: words::notes(profile),
        facts: making(facts.making.clone(), &facts.command),
        drawings: PROFILE.named([plots::trend::draw(profile, &facts.caption)]),
        files: vec![(MISTAKES, mistakes::pgn(games, &profile.mistakes))],
        tables: [profile_table(Some(profile)), conversion_table(profile.conversion.as_ref())]
            .into_iter()
            .chain(profile.peers.iter().flat_map(|found| {
                let games = peers::ranked_games(&profile.player, Some(found));
                [peers::standing_table(Some(found)), peers::odds_table(&games)]
            }))
            .collect(),
        ..Report::default()
    };
    publish(&report, out, formats)?;
    let moment =
        |costly: &CostlyMove| Moment::of(&games[costly.turn.game], &costly.facts, &costly.turn, facts.clip);
    let costliest = || profile.costliest.iter().take(SHOWN).map(moment).collect();
    write_page(out, formats, || {
        let view = ProfileView { has_file: true, ..ProfileView::of(profile, games, facts.clip) };
        rendered(&ProfilePage { report: &report, profile, view, costliest: costliest() })
    })
}

fn among_peers(profile: &Profile) -> Option<PageTable> {
    let layout = profile.peers.as_ref().map(peers::standing_layout)?;
    Some(PageTable::of("peers-title", layout))
}

fn unusual(profile: &Profile) -> Option<PageTable> {
    let layout = profile.peers.as_ref().and_then(peers::unusual_layout)?;
    Some(PageTable::of("unusual-title", layout))
}

fn peer_notes(profile: &Profile) -> Vec<String> {
    profile.peers.as_ref().map_or_else(Vec::new, crate::report::words::reference::notes)
}
