//! Repeated attempts to reach the server of a queue, with growing pauses and messages to the user.

use tokio::time::sleep;

use crate::base::text::{rounded, with_causes};
use crate::store::{queue::Queue, server::Pause, server::PostgresError};
use crate::verbs::{error::VerbError, observer::Observer};

/// Pauses between attempts at a request.
#[derive(Debug, Default)]
pub struct Retry(Pause);

impl Retry {
    /// Reconnects to an unreachable server after a pause that grows each time, and reports each attempt.
    /// `kept` is the number of results that wait to be stored. Returns any other error at once.
    pub async fn reconnect(
        &mut self,
        queue: &mut Queue,
        error: PostgresError,
        kept: usize,
        observer: &dyn Observer,
    ) -> Result<(), VerbError> {
        let mut error = error;
        loop {
            if !error.is_transient() {
                return Err(error.into());
            }
            let pause = self.0.lengthen();
            let kept = match kept {
                0 => String::new(),
                _ => format!("; results waiting to be stored: {kept}"),
            };
            observer.warn(&format!(
                "{}; trying again in {} s{kept}",
                with_causes(&error),
                rounded(pause.as_secs_f64(), 1)
            ));
            sleep(pause).await;
            match queue.reconnect().await {
                Ok(()) => return Ok(()),
                Err(again) => error = again,
            }
        }
    }
}

/// Repeats a request to a queue until the server answers. The request is an expression, evaluated at each
/// attempt.
macro_rules! retrying {
    ($queue:expr, $kept:expr, $observer:expr, $request:expr) => {{
        let mut retry = $crate::verbs::evaluations::retry::Retry::default();
        loop {
            match $request.await {
                Ok(answer) => break answer,
                Err(error) => retry.reconnect(&mut $queue, error, $kept, $observer).await?,
            }
        }
    }};
}
pub(crate) use retrying;
