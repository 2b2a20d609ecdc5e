//! Options that a user interface may set.

use std::time::Duration;

use shakmaty::CastlingMode;

use crate::base::text::{brief, first_named};
use crate::engine::builtin;
use crate::engine::builtin::{HASH, HASH_OPTION, WEIGHTS_OPTION};
use crate::engine::levels::Level;
use crate::engine::uci::options::{CHESS960, EngineOption, MULTI_PV, OptionKind};

const CLEAR_HASH: &str = "Clear Hash";
pub(crate) const MOVE_OVERHEAD: &str = "Move Overhead";
const SHOW_WDL: &str = "UCI_ShowWDL";
pub(crate) const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
pub(crate) const LEVEL: &str = "UCI_Elo";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Settings {
    /// Size of the transposition table in megabytes.
    pub(super) hash: usize,
    /// Number of lines reported.
    pub(super) multi_pv: usize,
    pub(super) mode: CastlingMode,
    /// Delay from the engine's move until its clock stops.
    pub(super) overhead: Duration,
    /// True if win, draw and loss chances are reported with scores.
    pub(super) shows_chances: bool,
    /// True if the engine plays at its level instead of at full strength.
    pub(super) is_limited: bool,
    pub(super) level: Level,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EngineChange {
    Table,
    Clear,
    /// Use the weights with this name: a file, or `handmade`. An empty name means the default weights.
    Weights(String),
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash: HASH,
            multi_pv: 1,
            mode: CastlingMode::Standard,
            overhead: Duration::from_millis(10),
            shows_chances: false,
            is_limited: false,
            level: Level::USUAL,
        }
    }
}

impl Settings {
    /// Lists the options of the built-in engine and of a dialogue, with their defaults.
    pub(super) fn options() -> Vec<EngineOption> {
        let option = |name: &str, kind| EngineOption { name: name.to_owned(), kind };
        let spin = |default, min, max| OptionKind::Spin { default, min, max };
        let mut options = builtin::options();
        // Weights can be changed in a dialogue.
        options.retain(|option| option.name != WEIGHTS_OPTION);
        options.extend([
            option(WEIGHTS_OPTION, OptionKind::String { default: String::new() }),
            option(CLEAR_HASH, OptionKind::Button),
            // Options that user interfaces expect. There is one thread.
            option("Threads", spin(1, 1, 1)),
            // Announces that `go ponder` is supported; the user interface decides whether to ponder.
            option("Ponder", OptionKind::Check { default: false }),
            option(MOVE_OVERHEAD, spin(10, 0, 5000)),
            option(SHOW_WDL, OptionKind::Check { default: false }),
        ]);
        options.extend(level_options(false, Level::USUAL));
        options
    }

    /// Sets an option. Returns the change to the engine that the option requires, if any. The error text
    /// explains the fault.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<EngineChange>, String> {
        let (name, value) = checked(&Settings::options(), name, value)?;
        Ok(self.take(&name, &value))
    }

    /// Stores a checked value, or returns the change to the engine that it requires.
    fn take(&mut self, name: &str, value: &str) -> Option<EngineChange> {
        let number = || value.parse::<u32>().unwrap_or_default();
        match name {
            HASH_OPTION => {
                self.hash = number() as usize;
                return Some(EngineChange::Table);
            }
            CLEAR_HASH => return Some(EngineChange::Clear),
            WEIGHTS_OPTION => return Some(EngineChange::Weights(value.to_owned())),
            MULTI_PV => self.multi_pv = number() as usize,
            MOVE_OVERHEAD => self.overhead = Duration::from_millis(number().into()),
            LIMIT_STRENGTH => self.is_limited = value == "true",
            LEVEL => self.level = value.parse().unwrap_or(self.level),
            SHOW_WDL => self.shows_chances = value == "true",
            CHESS960 => self.mode = CastlingMode::from_chess960(value == "true"),
            // Threads, Ponder and the bench number need no action.
            _ => {}
        }
        None
    }
}

/// Returns the options of the level, with their defaults.
pub(crate) fn level_options(is_limited: bool, level: Level) -> [EngineOption; 2] {
    let option = |name: &str, kind| EngineOption { name: name.to_owned(), kind };
    let (min, max) = (i64::from(*Level::RANGE.start()), i64::from(*Level::RANGE.end()));
    [
        option(LIMIT_STRENGTH, OptionKind::Check { default: is_limited }),
        option(LEVEL, OptionKind::Spin { default: level.elo().into(), min, max }),
    ]
}

/// Returns an option's canonical name and value. The error text explains the fault.
pub(crate) fn checked(
    options: &[EngineOption],
    name: &str,
    value: Option<&str>,
) -> Result<(String, String), String> {
    let Some(option) = options.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
        let known = first_named(options.iter().map(|option| &option.name), ", ");
        return Err(format!("setoption: there is no option {:?}; the options are {known}", brief(name)));
    };
    if value.is_none() && option.kind != OptionKind::Button {
        let name = &option.name;
        return Err(format!("setoption: {name} has no value; write setoption name {name} value VALUE"));
    }
    let value = option.check(value.map(str::trim)).map_err(|error| format!("setoption: {error}"))?;
    Ok((option.name.clone(), value.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_that_are_announced() {
        let mut settings = Settings::default();
        for option in Settings::options() {
            let default = match option.kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::String { default } | OptionKind::Combo { default, .. } => default,
                OptionKind::Button => continue,
            };
            let change = settings.set(&option.name, Some(&default)).expect("its own default");
            let is_own = |change: &EngineChange| {
                *change == EngineChange::Table || *change == EngineChange::Weights(String::new())
            };
            assert!(change.as_ref().is_none_or(is_own), "{}", option.name);
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn options_are_set_in_any_case_of_letters() {
        let mut settings = Settings::default();
        assert_eq!(settings.set("multipv", Some("3")), Ok(None));
        assert_eq!(settings.set("UCI_CHESS960", Some("True")), Ok(None));
        assert_eq!(settings.set("move overhead", Some(" 250 ")), Ok(None));
        assert_eq!((settings.multi_pv, settings.mode), (3, CastlingMode::Chess960));
        assert_eq!(settings.overhead, Duration::from_millis(250));
        assert_eq!(settings.set("hash", Some("64")), Ok(Some(EngineChange::Table)));
        assert_eq!(settings.hash, 64);
        assert_eq!(settings.set("clear hash", None), Ok(Some(EngineChange::Clear)));
    }

    #[test]
    fn what_cannot_be_set_is_said_and_changes_nothing() {
        let mut settings = Settings::default();
        let mut error = |name, value| settings.set(name, value).expect_err("an error");
        assert_eq!(
            error("Contempt", Some("5")),
            "setoption: there is no option \"Contempt\"; the options are Hash, MultiPV, \
             UCI_Chess960, Bench, Weights, Clear Hash, Threads, Ponder, Move Overhead, UCI_ShowWDL, \
             UCI_LimitStrength, UCI_Elo"
        );
        assert!(error("Hash", Some("0")).ends_with("it must be a whole number from 1 to 4096"));
        assert!(error("Hash", Some("99999999999999999999")).contains("cannot be"));
        assert!(error("Threads", Some("2")).contains("from 1 to 1"));
        assert!(error("MultiPV", None).ends_with("write setoption name MultiPV value VALUE"));
        assert!(error("UCI_Chess960", Some("yes")).ends_with("it must be true or false"));
        assert!(error("Clear Hash", Some("1")).contains("takes no value"));
        assert_eq!(settings, Settings::default());
    }
}
