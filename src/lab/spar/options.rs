//! [`SparOptions`]: the options that a user interface may set.

use std::time::Duration;

use shakmaty::CastlingMode;

use super::{player::SparSettings, skill::FixedSkill, skill::SkillFunction};
use crate::engine::{
    EngineOption, OptionKind, levels::Level, server::settings::LEVEL, server::settings::LIMIT_STRENGTH,
    server::settings::MOVE_OVERHEAD, server::settings::checked, server::settings::level_options,
    uci::options::CHESS960,
};

const SKILL: &str = "Skill";
const FIXED_DEPTH: &str = "FixedDepth";
const FIXED_BLUNDER: &str = "FixedBlunder";
const SEED: &str = "Seed";
const OPPONENT_ELO: &str = "OpponentElo";
const MAX_NODES: &str = "MaxNodes";
const OPPONENT: &str = "UCI_Opponent";

const SKILLS: [&str; 5] = ["even", "meant", "printed", "fixed", "random"];

#[derive(Debug, Clone, PartialEq)]
pub struct SparOptions {
    /// One of [`SKILLS`].
    skill: String,
    fixed: FixedSkill,
    is_limited: bool,
    level: Level,
    pub(super) settings: SparSettings,
    pub(super) opponent: String,
    pub(super) overhead: Duration,
    pub(super) mode: CastlingMode,
}

impl SparOptions {
    pub fn new(skill: SkillFunction, settings: SparSettings) -> SparOptions {
        let usual = FixedSkill { depth: 6, blunder: 0.1 };
        let (name, fixed, level) = match skill {
            SkillFunction::Fixed(fixed) => ("fixed".to_owned(), fixed, None),
            SkillFunction::Level(level) => ("even".to_owned(), usual, Some(level)),
            other => (other.to_string(), usual, None),
        };
        let (overhead, mode) = (Duration::from_millis(100), CastlingMode::Standard);
        let (skill, is_limited, level) = (name, level.is_some(), level.unwrap_or(Level::USUAL));
        SparOptions { skill, fixed, is_limited, level, settings, opponent: String::new(), overhead, mode }
    }

    pub fn skill(&self) -> SkillFunction {
        match self.is_limited {
            true => SkillFunction::Level(self.level),
            false => self.skill.parse().unwrap_or(SkillFunction::Fixed(self.fixed)),
        }
    }

    pub(super) fn list(&self) -> Vec<EngineOption> {
        let option = |name: &str, kind| EngineOption { name: name.to_owned(), kind };
        let spin = |default: u64, min, max| OptionKind::Spin {
            default: i64::try_from(default).unwrap_or(max).clamp(min, max),
            min,
            max,
        };
        let mut options = vec![
            option(
                SKILL,
                OptionKind::Combo { default: self.skill.clone(), values: SKILLS.map(str::to_owned).into() },
            ),
            option(FIXED_DEPTH, spin(self.fixed.depth.into(), 1, 100)),
            option(FIXED_BLUNDER, spin((self.fixed.blunder * 100.0).round() as u64, 0, 100)),
            option(SEED, spin(self.settings.seed, 0, i64::MAX)),
            option(OPPONENT_ELO, spin(self.settings.elo.round() as u64, 100, 4000)),
            option(MAX_NODES, spin(self.settings.nodes, 1000, 1_000_000_000)),
            // Announces that `go ponder` is supported.
            option("Ponder", OptionKind::Check { default: false }),
            option(MOVE_OVERHEAD, spin(self.overhead.as_millis() as u64, 0, 5000)),
            option(CHESS960, OptionKind::Check { default: self.mode.is_chess960() }),
            option(OPPONENT, OptionKind::String { default: self.opponent.clone() }),
        ];
        options.extend(level_options(self.is_limited, self.level));
        options
    }

    /// Sets an option. The error text names the valid options or values.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let (name, value) = checked(&self.list(), name, value)?;
        let number = || value.parse::<u64>().unwrap_or_default();
        match name.as_str() {
            SKILL => self.skill = value,
            FIXED_DEPTH => self.fixed.depth = u32::try_from(number()).unwrap_or(u32::MAX),
            FIXED_BLUNDER => self.fixed.blunder = number() as f64 / 100.0,
            SEED => self.settings.seed = number(),
            OPPONENT_ELO => self.settings.elo = number() as f64,
            MAX_NODES => self.settings.nodes = number(),
            MOVE_OVERHEAD => self.overhead = Duration::from_millis(number()),
            CHESS960 => self.mode = CastlingMode::from_chess960(value == "true"),
            LIMIT_STRENGTH => self.is_limited = value == "true",
            LEVEL => self.level = value.parse().unwrap_or(self.level),
            OPPONENT => self.opponent = opponent_name(&value),
            // The user interface decides whether to ponder.
            _ => {}
        }
        Ok(())
    }
}

/// Returns the name in UCI's `TITLE ELO human|computer NAME`; the whole text if it has another form.
fn opponent_name(value: &str) -> String {
    let words: Vec<&str> = value.split_whitespace().collect();
    match words.as_slice() {
        [_, _, "human" | "computer", name @ ..] if !name.is_empty() => name.join(" "),
        _ => words.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> SparOptions {
        SparOptions::new(SkillFunction::Even, SparSettings::default())
    }

    #[test]
    fn options_are_set_and_what_cannot_be_set_changes_nothing() {
        let mut options = options();
        for (name, value) in [("skill", "fixed"), ("FixedDepth", "9"), ("FixedBlunder", "25"), ("Seed", "7")]
        {
            assert_eq!(options.set(name, Some(value)), Ok(()), "{name}");
        }
        assert_eq!(options.skill().to_string(), "fixed:9:0.25");
        assert_eq!(options.settings.seed, 7);
        for (name, value) in [("UCI_LimitStrength", "true"), ("UCI_Elo", "1234")] {
            assert_eq!(options.set(name, Some(value)), Ok(()), "{name}");
        }
        assert_eq!(options.skill().to_string(), "level:1234");
        let before = options.clone();
        for (name, value) in [
            ("Skill", Some("odd")),
            ("FixedDepth", Some("0")),
            ("FixedBlunder", Some("101")),
            ("OpponentElo", Some("99")),
            ("MaxNodes", Some("1")),
            ("UCI_Elo", Some("700")),
            ("Seed", Some("-1")),
            ("Seed", None),
            ("Contempt", Some("1")),
        ] {
            assert!(options.set(name, value).expect_err("an error").starts_with("setoption: "), "{name}");
        }
        assert_eq!(options, before);
    }

    #[test]
    fn defaults_are_those_that_are_announced() {
        let mut same = options();
        for option in options().list() {
            let default = match option.kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::String { default } | OptionKind::Combo { default, .. } => default,
                OptionKind::Button => continue,
            };
            same.set(&option.name, Some(&default)).expect("its own default");
        }
        assert_eq!(same, options());
    }

    #[test]
    fn an_opponent_is_known_by_the_name_alone() {
        assert_eq!(opponent_name("GM 2800 human Gary Kasparov"), "Gary Kasparov");
        assert_eq!(opponent_name("none none computer Shredder"), "Shredder");
        assert_eq!(opponent_name(" Ann  Lee "), "Ann Lee");
        assert_eq!(opponent_name(""), "");
    }
}
