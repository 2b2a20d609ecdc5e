//! The report of one player: the profile as a table, over time as a picture, the mistakes to train on, and a page of all of it.

mod mistakes;
mod page;

use super::{
    ReportError,
    plots::{self, Caption},
    publish::{PAGE, Report, ReportFile, ReportFormats, ReportKind, publish, write_bytes, write_picture},
    tables,
};
use crate::chess::{Clip, EvaluatedGame};
use crate::files::{FileError, Publication};
use crate::measure::Profile;

pub static PROFILE: ReportKind = ReportKind {
    written_by: "`gainalyze player`",
    files: &[
        ReportFile::Page,
        ReportFile::Fixed(
            MISTAKES,
            "the position before each mistake and blunder as a game of its own: the move that was played, what it cost, \
            and the engine's line as a variation",
        ),
        ReportFile::Pictures(&[TREND]),
    ],
    tables: || vec![tables::profile_table(None)],
    results: None,
};

const TREND: &str = "trend";

const MISTAKES: &str = "mistakes.pgn";

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProfileFacts {
    pub caption: Caption,
    pub making: Vec<(String, String)>,
    pub command: Vec<String>,
    pub clip: Clip,
}

/// Writes the table `profile` in each format, the picture `trend` in each of its own, `mistakes.pgn` and the page.
pub fn write(
    out: &Publication<'_>,
    profile: &Profile,
    games: &[EvaluatedGame],
    facts: &ProfileFacts,
    formats: &ReportFormats,
) -> Result<(), ReportError> {
    let report = Report::new(&PROFILE, vec![tables::profile_table(Some(profile))], None::<&()>);
    publish(&report, out, formats)?;
    let trend = plots::trend::draw(profile, &facts.caption);
    trend.iter().try_for_each(|drawing| write_picture(out, TREND, drawing, formats))?;
    out.write(MISTAKES, |file| {
        let failed = |source| FileError::Write(out.folder().join(MISTAKES), source);
        mistakes::write(games, &profile.mistakes, file).map_err(|source| ReportError::from(failed(source)))
    })?;
    if formats.page {
        write_bytes(out, PAGE, page::page(profile, games, trend.as_ref(), facts)?.as_bytes())?;
    }
    Ok(())
}
