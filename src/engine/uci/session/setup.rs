//! Owns [`Setup`]: how an engine is to be set up, and who it turned out to be.

use std::time::Duration;

use crate::engine::uci::options::{OptionTable, Setting};

/// How an engine is to be set up.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setup {
    /// Megabytes of hash table asked for by the user; `None` for [`Setup::HASH`] where the engine
    /// has the option.
    pub hash: Option<u32>,
    /// The user's settings, in their order.
    pub settings: Vec<Setting>,
    /// How long an engine may take from one depth of a search to the next, and for each of its other answers.
    pub timeout: Duration,
    /// What it is for: some options depend on it.
    pub purpose: Purpose,
}

/// What an engine is started for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    /// Positions are evaluated.
    #[default]
    Analysis,
    /// Games are played.
    Play,
}

impl Purpose {
    /// Returns the options that an engine is given where it has them and the user does not set them.
    pub(super) fn settings(self) -> Vec<Setting> {
        let mut settings = vec![Setting::new("Threads", 1), Setting::new("Hash", Setup::HASH)];
        settings.extend(match self {
            Purpose::Analysis => ["UCI_AnalyseMode", "UCI_ShowWDL"].map(|name| Setting::new(name, true)),
            // Not UCI_AnalyseMode: it switches off contempt, which is part of how an engine plays.
            Purpose::Play => ["OwnBook", "Ponder"].map(|name| Setting::new(name, false)),
        });
        settings
    }
}

impl Setup {
    /// Megabytes of hash table unless asked otherwise.
    pub const HASH: u32 = 64;
    /// How long a search may take from one depth to the next unless asked otherwise.
    pub const TIMEOUT: Duration = Duration::from_secs(120);

    /// Returns what the user wants set, in its order.
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

/// Who an engine says it is, and how it has been set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineIdentity {
    /// Its `id name`.
    pub name: String,
    /// Its options with their values.
    pub options: OptionTable,
}
