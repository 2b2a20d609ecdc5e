//! Writes the files of reports. No other module writes them.

use std::{io::Write, path::PathBuf};

use thiserror::Error;

use super::{
    plots::png::PlotError, publish::PAGE, publish::Report, publish::ReportFormats, table::ExportError,
    table::TablePart, table::write_parts,
};
use crate::base::{output::FileError, output::Publication, text::full_path};
use crate::files::Format;

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

pub fn publish(report: &Report, out: &Publication<'_>, formats: &ReportFormats) -> Result<(), ReportError> {
    for table in &report.tables {
        let parts = || [Ok::<_, ExportError>(table.clone())];
        formats.tables.iter().try_for_each(|&format| write_table(out, table.name, parts(), format))?;
    }
    for (name, drawing) in &report.drawings {
        for format in &formats.pictures {
            write_bytes(out, &format!("{name}.{format}"), &format.encode(drawing, formats.scale)?)?;
        }
    }
    report.files.iter().try_for_each(|(name, bytes)| write_bytes(out, name, bytes))?;
    match report.page {
        Some(page) => write_page(out, formats, || page(report)),
        None => Ok(()),
    }
}

pub(super) fn write_page(
    out: &Publication<'_>,
    formats: &ReportFormats,
    page: impl FnOnce() -> Result<String, askama::Error>,
) -> Result<(), ReportError> {
    if formats.page { write_bytes(out, PAGE, page()?.as_bytes()) } else { Ok(()) }
}

pub(super) fn write_table(
    out: &Publication<'_>,
    name: &str,
    parts: impl IntoIterator<Item = TablePart>,
    format: Format,
) -> Result<(), ReportError> {
    let name = format!("{name}.{format}");
    let failed = |source| ReportError::Export { path: out.folder().join(&name), source };
    out.try_write(&name, |file| write_parts(format, out.facts(), parts, file).map_err(failed))
}

pub(super) fn write_bytes(out: &Publication<'_>, name: &str, bytes: &[u8]) -> Result<(), ReportError> {
    Ok(out.write(name, |file| file.write_all(bytes))?)
}
