//! Owns what the plan of an engine tells before any search: how one is started, who it is, and by what it is rated.

use crate::chess::Protocol;
use crate::engine::{Behaviour, Engine, EngineChoice, EngineCommand, EngineIdentity, Purpose, within};
use crate::measure::Calibration;
use crate::store::EngineStamp;
use crate::verbs::{
    app::Observer, app::event_loop, app::fitness, app::plan::EnginePlan, app::rated, app::rated::NoRating,
    error::VerbError,
};

impl EnginePlan {
    /// Returns what starts one engine of the plan.
    pub fn command(&self) -> Result<EngineCommand, VerbError> {
        Ok(EngineCommand::new(&self.choice, &self.setup)?)
    }

    /// Starts the first engine of a run, and tells who it is.
    pub async fn start(
        &self,
        command: &EngineCommand,
        observer: &dyn Observer,
    ) -> Result<(Engine, EngineStamp), VerbError> {
        let engine = command.start().await?;
        self.say_who(observer);
        let EngineIdentity { name, options } = engine.identity();
        fitness::warn_of_threads([engine.identity()], Purpose::Analysis, observer);
        let (name, options) = (name.clone(), options.values().clone());
        let stamp = EngineStamp { name, options, digest: command.digest()?, behaviour: None };
        Ok((engine, stamp))
    }

    /// Starts the engine and ends it again, to know before any search who it is and that it takes its options.
    pub fn identify(&self) -> Result<EngineIdentity, VerbError> {
        let command = self.command()?;
        event_loop()?.block_on(async {
            let engine = command.start().await?;
            let identity = engine.identity().clone();
            engine.quit().await;
            Ok(identity)
        })
    }

    /// Starts the engine and ends it again, to find its calibration by how it behaves.
    pub fn calibration<'c>(
        &self,
        calibrations: &'c [Calibration],
        protocol: &Protocol,
    ) -> Result<Result<&'c Calibration, NoRating>, VerbError> {
        let command = self.command()?;
        event_loop()?.block_on(async {
            let mut engine = command.start().await?;
            let behaviour = Behaviour::of(&mut engine).await?;
            let EngineIdentity { name, options } = engine.identity().clone();
            engine.quit().await;
            let found = rated::of_engine(calibrations, &behaviour, options.values(), protocol);
            Ok(found.ok_or_else(|| {
                NoRating::of_engine(&name, protocol, Some(&behaviour), calibrations, self.jobs)
            }))
        })
    }

    /// Says so where the engine within works for lack of another.
    pub fn say_who(&self, observer: &dyn Observer) {
        if self.choice == (EngineChoice::Within { is_named: false }) {
            observer.note(&format!(
                "no engine is named or installed: {} ({}) is used; a stronger one comes with `sudo apt-get install \
                 stockfish` (Debian, Ubuntu), `brew install stockfish` (macOS) or `choco install stockfish` (Windows), or with --engine PATH",
                within::NAME,
                within::STRENGTH,
            ));
        }
    }
}
