//! Reports: the tables, files and pictures of a run. This module formats and draws. It computes no number and
//! prints nothing.

pub(crate) mod archive;
pub(crate) mod board_game;
pub(crate) mod calibration;
pub(crate) mod deep;
pub mod experiment;
pub(crate) mod go_deep;
pub(crate) mod html;
pub(crate) mod learning;
pub mod manual;
pub mod pictures;
pub mod plots;
pub(crate) mod profile;
pub mod publish;
#[cfg(feature = "postgres")]
pub(crate) mod queue;
pub(crate) mod sensitivity;
pub(crate) mod several;
pub mod summary;
pub mod table;
pub mod tables;
pub(crate) mod text_board;
pub mod tournament;
pub(crate) mod words;

use std::path::PathBuf;

use askama::Template;
use thiserror::Error;

use self::{plots::canvas::PlotError, table::ExportError};
use crate::chess::text::{full_path, with_unbroken_percents};
use crate::files::FileError;

/// The reason why a report is incomplete.
#[derive(Debug, Error)]
pub enum ReportError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("cannot write {}", full_path(path))]
    Export { path: PathBuf, source: ExportError },
    #[error("cannot write JSON")]
    Json(#[from] serde_json::Error),
    #[error("cannot fill in the page's template")]
    Page(#[from] askama::Error),
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// Renders a page. A number and its percent sign always stay on one line.
fn rendered(page: &impl Template) -> Result<String, askama::Error> {
    Ok(with_unbroken_percents(&page.render()?))
}
