//! [`Restarting`]: an engine that is started when needed, and restarted after each error.

use super::{Engine, EngineCommand, EngineError};
use crate::chess::{Evaluator, Protocol, Segment, SegmentResult};
use crate::engine::uci::session::EngineIdentity;

/// An engine that is started when first needed, and restarted after each error.
#[derive(Debug)]
pub struct Restarting {
    command: EngineCommand,
    identity: EngineIdentity,
    engine: Option<Engine>,
}

impl Restarting {
    /// Wraps a running engine.
    pub fn with(command: EngineCommand, engine: Engine) -> Restarting {
        Restarting { command, identity: engine.identity().clone(), engine: Some(engine) }
    }

    /// Returns `jobs` engines, at least one: the `running` engines, and engines that start when needed.
    /// Started engines must have the `identity` under which the evaluations are stored.
    pub fn all(
        command: &EngineCommand,
        identity: &EngineIdentity,
        running: impl IntoIterator<Item = Engine>,
        jobs: usize,
    ) -> Vec<Restarting> {
        let one = |engine| Restarting { command: command.clone(), identity: identity.clone(), engine };
        let mut engines: Vec<Restarting> = running.into_iter().map(|engine| one(Some(engine))).collect();
        engines.resize_with(jobs.max(1), || one(None));
        engines
    }
}

impl Evaluator for Restarting {
    type Error = EngineError;

    fn is_out_of_service(error: &EngineError) -> bool {
        matches!(error, EngineError::OutOfService(_))
    }

    async fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
    ) -> Result<SegmentResult, EngineError> {
        // The engine is taken out, so that it is dropped and killed if it fails.
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => self
                .command
                .start_as(&self.identity)
                .await
                .map_err(|error| EngineError::OutOfService(Box::new(error)))?,
        };
        let result = engine.evaluate(segment, protocol).await?;
        self.engine = Some(engine);
        Ok(result)
    }
}
