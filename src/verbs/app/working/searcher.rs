//! Owns one engine of a worker: it asks the desk for a segment, searches it, and hands in what came of it.

use tokio::sync::{mpsc, oneshot};

use crate::chess::{Evaluator, SegmentResult};
use crate::engine::Stop;
use crate::store::evaluate::{PAUSE, pool};
use crate::store::queue::QueuedSegment;

/// What an engine tells and asks the desk.
pub enum DeskMessage {
    /// It has nothing to do; where the answer is dropped it ends.
    Next(oneshot::Sender<QueuedSegment>),
    /// It has searched a segment.
    Found(Box<QueuedSegment>, SegmentResult),
    /// A try failed, and the engine is started again.
    Retried(u32, String),
    /// It has failed on a segment for good.
    Failed(Box<QueuedSegment>, String),
    /// It cannot be started, and ends.
    Retired(Box<QueuedSegment>, String),
}

/// Searches one segment after the other until the desk has none for it.
pub async fn search<E: Evaluator>(mut evaluator: E, desk: mpsc::Sender<DeskMessage>, stop: Stop) {
    loop {
        let (give, given) = oneshot::channel();
        if desk.send(DeskMessage::Next(give)).await.is_err() {
            return;
        }
        let Ok(task) = given.await else { return };
        let retried = |attempt, error| {
            let desk = desk.clone();
            // The desk listens until its engines are gone.
            async move { _ = desk.send(DeskMessage::Retried(attempt, error)).await }
        };
        let found = pool::attempt(&mut evaluator, &task.segment, &task.protocol, PAUSE, &stop, retried).await;
        let (request, goes_on) = match found {
            Ok(result) => (DeskMessage::Found(Box::new(task), result), true),
            Err(pool::Failure { error, out_of_service: true }) => {
                (DeskMessage::Retired(Box::new(task), error), false)
            }
            Err(pool::Failure { error, .. }) => (DeskMessage::Failed(Box::new(task), error), true),
        };
        if desk.send(request).await.is_err() || !goes_on {
            return;
        }
    }
}
