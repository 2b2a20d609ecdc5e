//! Owns what is done while the server of a queue is away: pauses that grow, and are told.

use tokio::time::sleep;

use super::Observer;
use crate::chess::text::{counted, rounded, with_causes};
use crate::store::{queue::Queue, server::Pause, server::PostgresError};
use crate::verbs::error::VerbError;

/// Pauses between tries of one request.
#[derive(Debug, Default)]
pub struct ServerPatience(Pause);

impl ServerPatience {
    /// Waits for a server that is away, longer each time, and connects again. `kept` results wait to be stored meanwhile.
    pub async fn bear(
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
                _ => format!("; {} kept until then", counted(kept as u64, "result")),
            };
            observer.warn(&format!(
                "{}: tried again in {} s{kept}",
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

/// Makes a request of a queue until the server has answered it. The request is an expression that is evaluated for each try.
macro_rules! patiently {
    ($queue:expr, $kept:expr, $observer:expr, $request:expr) => {{
        let mut patience = $crate::verbs::app::patience::ServerPatience::default();
        loop {
            match $request.await {
                Ok(answer) => break answer,
                Err(error) => patience.bear(&mut $queue, error, $kept, $observer).await?,
            }
        }
    }};
}
pub(crate) use patiently;
