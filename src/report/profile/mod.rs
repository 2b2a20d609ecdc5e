//! The report of one player: the profile as a table, over time as a picture, the mistakes to train on, and a page of all of it.

mod mistakes;
mod page;

use std::collections::BTreeSet;

use super::{
    ReportError, picture_names,
    pictures::write_picture,
    plots::{self, Caption},
    table_names, tables, write_bytes, write_table,
};
use crate::chess::{Clip, EvaluatedGame};
use crate::files::{FileError, Format, PictureFormat, Publication};
use crate::measure::Profile;

/// What is written of a player, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileOptions {
    /// File formats of the table.
    pub formats: BTreeSet<Format>,
    /// File formats of the picture; none for no picture.
    pub plots: BTreeSet<PictureFormat>,
    /// Whether there is a page.
    pub page: bool,
}

/// What a profile tells beside its numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProfileFacts {
    /// What stands below the titles of pictures.
    pub caption: Caption,
    /// How it was made: lines with their labels.
    pub making: Vec<(String, String)>,
    /// The command line, one element an argument.
    pub command: Vec<String>,
    /// Bound of evaluations.
    pub clip: Clip,
}

/// The name of the table.
const TABLES: [&str; 1] = ["profile"];

/// The name of the picture.
const PICTURES: [&str; 1] = ["trend"];

/// The positions to train on.
const MISTAKES: &str = "mistakes.pgn";

/// The page.
const PAGE: &str = "report.html";

impl ProfileOptions {
    /// Returns the names of the files that a player's report may have.
    pub fn file_names(&self) -> Vec<String> {
        let names = table_names(&TABLES, &self.formats).chain(picture_names(&PICTURES, &self.plots));
        let page = self.page.then(|| PAGE.to_owned());
        names.chain([MISTAKES.to_owned()]).chain(page).collect()
    }
}

/// Writes the table `profile` in each format, the picture `trend` in each of its own, `mistakes.pgn` and the page.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write(
    out: &Publication<'_>,
    profile: &Profile,
    games: &[EvaluatedGame],
    options: &ProfileOptions,
    facts: &ProfileFacts,
) -> Result<(), ReportError> {
    write_table(out, &tables::profile_table(profile), &options.formats)?;
    let trend = plots::trend::draw(profile, &facts.caption);
    if let Some(drawing) = &trend {
        write_picture(out, PICTURES[0], drawing, &options.plots)?;
    }
    out.write(MISTAKES, |file| {
        let failed = |source| FileError::Write { path: out.folder().join(MISTAKES), source };
        mistakes::write(games, &profile.mistakes, file).map_err(|source| ReportError::from(failed(source)))
    })?;
    if options.page {
        write_bytes(out, PAGE, page::page(profile, games, trend.as_ref(), facts)?.as_bytes())?;
    }
    Ok(())
}
