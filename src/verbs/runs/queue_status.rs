//! Owns the run that tells how a queue is, once or again and again, and what it does about runs and segments of it.

use std::{
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{Finished, RunEnding, Viewer};
use crate::chess::text::{counted, full_path};
use crate::files::FileError;
use crate::files::output::{check_writable, write_named_file};
use crate::report::{ReportError, queue as shown, summary};
use crate::store::{queue::Queue, server::ServerAccess};
use crate::verbs::app::event_loop;
use crate::verbs::app::plan::StorePlan;
use crate::verbs::error::VerbError;

/// What is to be told of a queue, or done with it.
#[derive(Debug, Clone, PartialEq)]
pub struct StatusPlan {
    /// Whose queue.
    pub store: StorePlan,
    /// What is done before it is told.
    pub action: Option<QueueAction>,
    /// Whether it is told as JSON.
    pub is_json: bool,
    /// A page that is written besides.
    pub page: Option<PathBuf>,
    /// How often it is told again; once where that is nothing.
    pub every: Option<Duration>,
}

/// What is done with a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueAction {
    /// Segments that were set aside wait again: of a run, or of all.
    Retry(Option<i64>),
    /// A run is taken out.
    Cancel(i64),
}

/// Tells how a queue is. `show` hears it where it is told several times.
///
/// # Errors
///
/// If the queue cannot be used, there is no such run, or the page cannot be written.
pub fn run(
    plan: &StatusPlan,
    show: &mut dyn FnMut(&str),
    viewer: &mut dyn Viewer,
) -> Result<Finished, VerbError> {
    plan.page.iter().try_for_each(|path| check_writable(path))?;
    event_loop()?.block_on(async {
        let access = if plan.action.is_some() { ServerAccess::Work } else { ServerAccess::Read };
        let mut queue = Queue::connect(&plan.store.server()?, access).await?;
        if let Some(action) = plan.action {
            act(&mut queue, action, viewer).await?;
        }
        if let Some(page) = &plan.page {
            viewer.note(&format!("the queue as a page: {}", full_path(page)));
        }
        loop {
            let state = queue.state().await?;
            if let Some(page) = &plan.page {
                write_page(page, &shown::page(&queue.describe(), &state).map_err(ReportError::from)?)?;
            }
            let told = if plan.is_json {
                summary::to_json(&state).map_err(ReportError::from)?
            } else {
                shown::shown(&state, viewer.screen())
            };
            let Some(every) = plan.every else { return Ok(Finished::new(told, RunEnding::Complete)) };
            show(&told);
            tokio::time::sleep(every).await;
        }
    })
}

async fn act(queue: &mut Queue, action: QueueAction, viewer: &dyn Viewer) -> Result<(), VerbError> {
    match action {
        QueueAction::Retry(run) => {
            let segments = queue.retry(run).await?;
            viewer.note(&format!("{} wait again", counted(segments, "segment")));
        }
        QueueAction::Cancel(run) => {
            let segments = queue.cancel(run).await?;
            let none = || VerbError::new(format!("{}: it has no run {run}", queue.describe()));
            let segments = segments.ok_or_else(none)?;
            viewer.note(&format!(
                "run {run} is taken out with {}; what is stored stays",
                counted(segments, "segment")
            ));
        }
    }
    Ok(())
}

fn write_page(path: &Path, page: &str) -> Result<(), VerbError> {
    let failed = |source| FileError::Write { path: path.to_owned(), source };
    Ok(write_named_file::<FileError>(path, |file| file.write_all(page.as_bytes()).map_err(failed))?)
}
