//! [`Setup`]: options and time limits of an engine, and its identity after the start.

use std::time::Duration;

use crate::engine::uci::options::{OptionTable, Setting};

/// The options and time limits of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setup {
    /// Transposition table size in megabytes, set by the user; `None` for [`Setup::HASH`] if the engine has
    /// the option.
    pub hash: Option<u32>,
    /// The user's settings, in order.
    pub settings: Vec<Setting>,
    /// Time limit from one depth of a search to the next, and for each other answer.
    pub timeout: Duration,
    /// The purpose of the engine, on which some defaults depend.
    pub purpose: Purpose,
}

/// The purpose of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    /// Evaluates positions.
    #[default]
    Analysis,
    /// Plays games.
    Play,
}

impl Purpose {
    /// Returns the default options for this purpose. A default applies if the engine has the option and the
    /// user does not set it.
    pub(super) fn settings(self) -> Vec<Setting> {
        let mut settings = vec![Setting::new("Threads", 1), Setting::new("Hash", Setup::HASH)];
        settings.extend(match self {
            Purpose::Analysis => ["UCI_AnalyseMode", "UCI_ShowWDL"].map(|name| Setting::new(name, true)),
            // Not UCI_AnalyseMode: it turns off contempt, which is part of an engine's play.
            Purpose::Play => ["OwnBook", "Ponder"].map(|name| Setting::new(name, false)),
        });
        settings
    }
}

impl Setup {
    /// Default size of the transposition table in megabytes.
    pub const HASH: u32 = 64;
    /// Default time limit from one depth to the next, and for each other answer.
    pub const TIMEOUT: Duration = Duration::from_secs(120);

    /// Returns the user's settings, in order, after the setting for `hash`.
    pub fn asked(&self) -> Vec<Setting> {
        let hash = self.hash.map(|hash| Setting::new("Hash", hash));
        hash.into_iter().chain(self.settings.clone()).collect()
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { hash: None, settings: Vec::new(), timeout: Setup::TIMEOUT, purpose: Purpose::Analysis }
    }
}

/// An engine's name and its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineIdentity {
    /// The engine's `id name`.
    pub name: String,
    /// The engine's options with their values.
    pub options: OptionTable,
}
