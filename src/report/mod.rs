//! Reports: the tables, files and pictures of a run. This module formats and draws. It computes no number and
//! prints nothing.

#[cfg(feature = "program")]
pub(crate) mod archive;
#[cfg(feature = "program")]
pub(crate) mod board_game;
#[cfg(feature = "program")]
pub(crate) mod calibration;
#[cfg(feature = "program")]
pub(crate) mod deep;
#[cfg(feature = "program")]
pub mod experiment;
#[cfg(feature = "program")]
pub(crate) mod go_deep;
pub(crate) mod html;
pub mod in_browser;
#[cfg(feature = "program")]
pub(crate) mod learning;
#[cfg(feature = "program")]
pub mod manual;
pub mod pictures;
pub mod plots;
#[cfg(feature = "program")]
pub(crate) mod profile;
pub mod publish;
#[cfg(all(feature = "program", feature = "postgres"))]
pub(crate) mod queue;
#[cfg(feature = "program")]
pub(crate) mod sensitivity;
#[cfg(feature = "program")]
pub(crate) mod several;
pub mod summary;
pub mod table;
pub mod tables;
#[cfg(feature = "program")]
pub(crate) mod text_board;
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
