//! Reports: the tables, files and pictures of a run. This module computes no number and prints nothing.

#[cfg(feature = "program")]
pub(crate) mod board_game;
pub(crate) mod html;
pub mod in_browser;
#[cfg(feature = "program")]
pub mod kinds;
pub mod pictures;
pub mod plots;
pub mod publish;
pub mod summary;
pub mod table;
pub mod tables;
pub mod tournament;
pub(crate) mod words;
#[cfg(feature = "program")]
pub mod writing;

use askama::Template;

#[cfg(feature = "program")]
pub use self::writing::ReportError;
use crate::base::text::with_unbroken_percents;

/// Renders a page. A number and its percent sign always stay on one line.
fn rendered(page: &impl Template) -> Result<String, askama::Error> {
    Ok(with_unbroken_percents(&page.render()?))
}
