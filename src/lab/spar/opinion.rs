//! [`OpinionSource`]: the engine that evaluates moves, and the built-in engine as its replacement.

use std::time::Duration;

use shakmaty::CastlingMode;
use tokio::time::{sleep, timeout};

use crate::base::text::with_causes;
use crate::chess::{Evaluation, Player, Ranker, RankingLimits, Segment};
use crate::engine::{Engine, EngineChoice, EngineCommand, EngineError, Setup};

/// Time limit for starting an engine, and for preparing it for a game. A person may be waiting.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Number of failures in a game after which an engine is not tried again until the next game.
const MOST_FAILURES: u32 = 3;

/// Search depth of the built-in engine as a replacement, in plies: small, because the move is late.
const DEPTH_OF_SUBSTITUTE: u32 = 8;

/// Interval between the checks of the time limit.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(5);

/// Waits until the engine's time limit is over, and for `grace` after it.
async fn too_late(limits: &RankingLimits, grace: Duration) {
    while !(limits.is_over)() {
        sleep(BETWEEN_QUESTIONS).await;
    }
    sleep(grace).await;
}

/// The engine that evaluates moves. After a failure the engine is restarted for the next move, up to a limit.
pub struct OpinionSource {
    command: EngineCommand,
    engine: Option<Engine>,
    /// The built-in engine, started when first needed.
    substitute: Option<Engine>,
    failures: u32,
    /// False if the engine failed in a search of given moves (`searchmoves`).
    can_check: bool,
    mode: CastlingMode,
    remarks: Vec<String>,
}

impl OpinionSource {
    pub fn new(command: EngineCommand) -> OpinionSource {
        let mode = CastlingMode::Standard;
        OpinionSource {
            command,
            engine: None,
            substitute: None,
            failures: 0,
            can_check: true,
            mode,
            remarks: Vec::new(),
        }
    }

    pub fn with(self, engine: Engine) -> OpinionSource {
        OpinionSource { engine: Some(engine), ..self }
    }

    pub fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    pub fn engine_name(&self) -> Option<&str> {
        self.engine.as_ref().map(|engine| engine.identity().name.as_str())
    }

    /// Starts the engine before a clock runs, unless it runs already or has failed too often.
    pub async fn prepare(&mut self) {
        if self.engine.is_none() && self.failures < MOST_FAILURES {
            match timeout(TIME_LIMIT, self.command.start()).await {
                Ok(Ok(engine)) => self.engine = Some(engine),
                Ok(Err(error)) => self.fail(&with_causes(&error)),
                Err(_) => self.fail("the engine did not start in time"),
            }
        }
    }

    /// Sets the rules of castling, for a game in which no engine may be needed.
    pub fn set_mode(&mut self, mode: CastlingMode) {
        self.mode = mode;
    }

    /// Prepares for another game. An engine that failed may be tried again.
    pub async fn new_game(&mut self, mode: CastlingMode) {
        self.mode = mode;
        self.failures = 0;
        self.prepare().await;
        if let Some(engine) = &mut self.engine {
            match timeout(TIME_LIMIT, engine.new_game(mode)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => self.fail(&with_causes(&error)),
                Err(_) => self.fail("the engine was not ready in time"),
            }
        }
        if let Some(substitute) = &mut self.substitute {
            // The built-in engine cannot fail here.
            let _ = substitute.new_game(mode).await;
        }
    }

    /// Ranks the moves of a position. The built-in engine ranks them if the engine does not answer within
    /// `grace` after its time is over. An error means that neither can answer.
    pub async fn rank(
        &mut self,
        segment: &Segment,
        limits: &RankingLimits,
        grace: Duration,
    ) -> Result<Evaluation, EngineError> {
        let asked = async {
            self.prepare().await;
            match &mut self.engine {
                Some(engine) => Some(engine.rank(segment, limits).await),
                None => None,
            }
        };
        let answer = tokio::select! {
            answer = asked => Some(answer),
            () = too_late(limits, grace) => None,
        };
        match answer {
            Some(Some(Ok(evaluation))) if evaluation.best.is_some() => return Ok(evaluation),
            Some(Some(Ok(_))) => self.fail("the engine named no move"),
            Some(Some(Err(error))) => self.fail(&with_causes(&error)),
            Some(None) => {}
            None => self.fail("the engine did not answer in time"),
        }
        let depth = limits.depth.min(DEPTH_OF_SUBSTITUTE);
        self.substitute().await?.rank(segment, &RankingLimits { depth, ..limits.clone() }).await
    }

    /// Returns whether [`OpinionSource::check`] can search.
    pub fn can_check(&self) -> bool {
        self.can_check || self.engine.is_none()
    }

    /// Searches a few moves of a position. `None` if the engine fails or does not answer in time; the engine
    /// is then restarted for the next search. Unlike in [`OpinionSource::rank`], this does not count as a
    /// failure, because some engines ignore `searchmoves`. An engine that gives a wrong answer gets no
    /// further checks. While the built-in engine replaces the engine, it also searches here.
    pub async fn check(
        &mut self,
        segment: &Segment,
        limits: &RankingLimits,
        grace: Duration,
    ) -> Option<Evaluation> {
        if !self.can_check() {
            return None;
        }
        let Some(engine) = &mut self.engine else {
            let limits = RankingLimits { depth: limits.depth.min(DEPTH_OF_SUBSTITUTE), ..limits.clone() };
            return self.substitute.as_mut()?.rank(segment, &limits).await.ok();
        };
        let answer = tokio::select! {
            answer = engine.rank(segment, limits) => Some(answer),
            () = too_late(limits, grace) => None,
        };
        match answer {
            Some(Ok(evaluation)) => return Some(evaluation),
            Some(Err(error)) => {
                self.can_check = false;
                self.remarks
                    .push(format!("{}; from now on, spar makes only small mistakes", with_causes(&error)));
            }
            None => {}
        }
        // The engine's state is unknown, so the engine is dropped. The next search starts it again.
        self.engine = None;
        None
    }

    async fn substitute(&mut self) -> Result<&mut Engine, EngineError> {
        let engine = match self.substitute.take() {
            Some(engine) => engine,
            None => {
                EngineCommand::new(&EngineChoice::Builtin { is_named: true }, &Setup::default())?
                    .start()
                    .await?
            }
        };
        Ok(self.substitute.insert(engine))
    }

    /// Drops the engine, which kills its process, and adds a remark on the `problem`.
    fn fail(&mut self, problem: &str) {
        self.engine = None;
        self.failures += 1;
        let rest = if self.failures < MOST_FAILURES { "" } else { " for the rest of the game" };
        self.remarks.push(format!("{problem}; the built-in engine answers instead{rest}"));
    }

    pub async fn quit(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.quit().await;
        }
    }
}
