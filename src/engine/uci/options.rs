//! Owns what an engine can be set to, and whether a value that a user asks for would fit.
//!
//! Read here rather than by vampirc-uci, which does not recognise options whose default is empty
//! or begins like the next key.

use std::{collections::BTreeMap, fmt, num::NonZeroU32, str::FromStr};

use super::line::ParseLineError;

/// An option as an engine announces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineOption {
    /// Its name; engines take any case of letters.
    pub name: String,
    /// What values it takes.
    pub kind: OptionKind,
}

/// The type of an option with its default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The value that it has unless it is set.
        default: bool,
    },
    /// A whole number within a range.
    Spin {
        /// The value that it has unless it is set.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The value that it has unless it is set.
        default: String,
        /// The values to choose from.
        values: Vec<String>,
    },
    /// An action without a value.
    Button,
    /// Any text.
    String {
        /// The value that it has unless it is set.
        default: String,
    },
}

/// What UCI prints for an empty text.
const EMPTY: &str = "<empty>";

/// The keys that end a value within an option line.
const KEYS: [&str; 5] = ["type", "default", "min", "max", "var"];

impl FromStr for EngineOption {
    type Err = ParseLineError;

    fn from_str(line: &str) -> Result<EngineOption, ParseLineError> {
        read_option(line).ok_or_else(|| ParseLineError(line.to_owned()))
    }
}

/// Returns the parts of `option name N… type T [default D…] [min A] [max B] [var V…]*`.
fn read_option(line: &str) -> Option<EngineOption> {
    let rest = line.trim().strip_prefix("option")?.trim_start().strip_prefix("name")?;
    let mut parts = OptionParts::default();
    let mut key = "name";
    let mut value: Vec<&str> = Vec::new();
    for token in rest.split_whitespace() {
        // `type` ends the name; the other keys have a meaning only after it.
        let is_key = KEYS.contains(&token) && (key != "name" || token == "type");
        if is_key {
            parts.set(key, &value);
            (key, value) = (token, Vec::new());
        } else {
            value.push(token);
        }
    }
    parts.set(key, &value);
    parts.into_option()
}

#[derive(Default)]
struct OptionParts {
    name: String,
    kind: String,
    default: Option<String>,
    min: Option<i64>,
    max: Option<i64>,
    values: Vec<String>,
}

impl OptionParts {
    fn set(&mut self, key: &str, value: &[&str]) {
        let value = value.join(" ");
        match key {
            "name" => self.name = value,
            "type" => self.kind = value,
            "default" => self.default = Some(value),
            "min" => self.min = value.parse().ok(),
            "max" => self.max = value.parse().ok(),
            _ => self.values.push(value),
        }
    }

    fn into_option(self) -> Option<EngineOption> {
        let default = self.default.unwrap_or_default();
        let kind = match self.kind.as_str() {
            "check" => OptionKind::Check { default: default == "true" },
            "spin" => OptionKind::Spin {
                default: default.parse().ok()?,
                min: self.min.unwrap_or(i64::MIN),
                max: self.max.unwrap_or(i64::MAX),
            },
            "combo" => OptionKind::Combo { default, values: self.values },
            "button" => OptionKind::Button,
            "string" => {
                OptionKind::String { default: if default == EMPTY { String::new() } else { default } }
            }
            _ => return None,
        };
        (!self.name.is_empty()).then_some(EngineOption { name: self.name, kind })
    }
}

impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, values } => {
                write!(f, "combo default {default}")?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } => {
                write!(f, "string default {}", if default.is_empty() { EMPTY } else { default })
            }
        }
    }
}

impl EngineOption {
    /// Returns a value that the option takes, as the engine wants it; none for a button.
    /// The error of another value says what the option takes.
    pub fn check(&self, value: Option<&str>) -> Result<Option<String>, SettingError> {
        let shape = |problem| SettingError::Shape { name: self.name.clone(), problem };
        let value = match (&self.kind, value) {
            (OptionKind::Button, None) => return Ok(None),
            (OptionKind::Button, Some(_)) => return Err(shape("is a button and takes no value")),
            (_, None) => return Err(shape("needs a value: write NAME=VALUE")),
            (_, Some(value)) => value,
        };
        let wrong = |expected: String| SettingError::Value {
            name: self.name.clone(),
            value: value.to_owned(),
            expected,
        };
        match &self.kind {
            OptionKind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                flag @ ("true" | "false") => Ok(Some(flag.to_owned())),
                _ => Err(wrong("it is true or false".to_owned())),
            },
            OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(Some(number.to_string())),
                _ => Err(wrong(format!("it is a whole number from {min} to {max}"))),
            },
            OptionKind::Combo { values, .. } => {
                let known = values.iter().find(|known| known.eq_ignore_ascii_case(value));
                let known = known.ok_or_else(|| wrong(format!("it is one of {}", values.join(", "))))?;
                Ok(Some(known.clone()))
            }
            OptionKind::String { .. } | OptionKind::Button => Ok(Some(value.to_owned())),
        }
    }
}

/// An option that a user asks for, `NAME=VALUE`, or `NAME` for a button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Name of the option.
    pub name: String,
    /// The value; `None` presses a button.
    pub value: Option<String>,
}

impl Setting {
    /// Returns the setting of `name` to `value`.
    pub fn new(name: &str, value: impl ToString) -> Setting {
        Setting { name: name.to_owned(), value: Some(value.to_string()) }
    }
}

/// A setting has no name, or holds a character that would end the UCI command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseSettingError {
    #[error("{0:?} names no option: write NAME=VALUE, as in Threads=1")]
    NoName(String),
    /// A line feed or another control character.
    #[error("{0:?} holds a control character, which no UCI command can carry")]
    Control(String),
}

impl FromStr for Setting {
    type Err = ParseSettingError;

    fn from_str(text: &str) -> Result<Setting, ParseSettingError> {
        if text.chars().any(char::is_control) {
            return Err(ParseSettingError::Control(text.to_owned()));
        }
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.trim().to_owned())),
            None => (text, None),
        };
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return Err(ParseSettingError::NoName(text.to_owned()));
        }
        Ok(Setting { name, value })
    }
}

/// A setting that the engine would not take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The engine announces no such option.
    #[error("the engine has no option {name:?}; it has {}", known.join(", "))]
    Unknown { name: String, known: Vec<String> },
    /// A value of the wrong type or out of range.
    #[error("engine option {name} cannot be {value:?}: {expected}")]
    Value { name: String, value: String, expected: String },
    /// A value for a button, or none for anything else.
    #[error("engine option {name} {problem}")]
    Shape { name: String, problem: &'static str },
    /// `UCI_Chess960`, which follows the game.
    #[error("engine option UCI_Chess960 is set by the game at hand, not by hand")]
    PerGame,
}

/// The option that tells the engine how castling is written.
pub const CHESS960: &str = "UCI_Chess960";

/// The option that tells the engine of how many best moves it is to tell.
pub const MULTI_PV: &str = "MultiPV";

/// The options of an engine with the values they have been given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OptionTable {
    options: Vec<EngineOption>,
    values: BTreeMap<String, String>,
}

impl OptionTable {
    /// Returns the options as announced, all at their defaults.
    pub fn new(options: Vec<EngineOption>) -> OptionTable {
        let values =
            options.iter().filter_map(|option| Some((option.name.clone(), default_of(&option.kind)?)));
        OptionTable { values: values.collect(), options }
    }

    /// Finds the option of that name, case-insensitive.
    pub fn get(&self, name: &str) -> Option<&EngineOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Returns whether the engine plays Chess960.
    pub fn has_chess960(&self) -> bool {
        self.get(CHESS960).is_some()
    }

    /// Threads that a search is set to; 1 where the engine does not say.
    pub fn threads(&self) -> i64 {
        self.number("Threads").unwrap_or(1)
    }

    /// Lines of a search that the engine is set to tell of.
    pub fn lines(&self) -> u32 {
        self.number(MULTI_PV).unwrap_or(1)
    }

    /// Lines of a search of which so many are asked for: where that is one, as many as the engine is set to, since a user
    /// may have set it to search more.
    pub fn lines_for(&self, asked: NonZeroU32) -> u32 {
        if asked == NonZeroU32::MIN { self.lines() } else { asked.get() }
    }

    /// Lines of a search that the engine can tell of; `None` where it has no say in it.
    pub fn most_lines(&self) -> Option<i64> {
        match self.get(MULTI_PV)?.kind {
            OptionKind::Spin { max, .. } => Some(max),
            _ => None,
        }
    }

    /// Returns the value of an option that is a number, or whatever `T` is written as; `None` where there is none.
    pub fn number<T: FromStr>(&self, name: &str) -> Option<T> {
        self.values.get(&self.get(name)?.name)?.parse().ok()
    }

    /// Returns the setting that comes nearest to one that the user has not asked for: a number within the
    /// engine's range; `None` where the engine has no such option, or one of another type.
    pub fn nearest(&self, setting: &Setting) -> Option<Setting> {
        let option = self.get(&setting.name)?;
        let value = setting.value.as_deref()?;
        let value = match option.kind {
            OptionKind::Spin { min, max, .. } => value.parse::<i64>().ok()?.max(min).min(max).to_string(),
            _ => option.check(Some(value)).ok()??,
        };
        Some(Setting { name: option.name.clone(), value: Some(value) })
    }

    /// Checks a user's setting and remembers it; what must be sent has the engine's spelling.
    pub fn set(&mut self, setting: &Setting) -> Result<Setting, SettingError> {
        if setting.name.eq_ignore_ascii_case(CHESS960) {
            return Err(SettingError::PerGame);
        }
        let option = self.get(&setting.name).ok_or_else(|| SettingError::Unknown {
            name: setting.name.clone(),
            known: self.options.iter().map(|option| option.name.clone()).collect(),
        })?;
        let checked = Setting { name: option.name.clone(), value: option.check(setting.value.as_deref())? };
        if let Some(value) = &checked.value {
            self.values.insert(checked.name.clone(), value.clone());
        }
        Ok(checked)
    }

    /// Returns the name and value of every option but buttons, in the order of names.
    pub fn values(&self) -> &BTreeMap<String, String> {
        &self.values
    }
}

fn default_of(kind: &OptionKind) -> Option<String> {
    match kind {
        OptionKind::Check { default } => Some(default.to_string()),
        OptionKind::Spin { default, .. } => Some(default.to_string()),
        OptionKind::Combo { default, .. } | OptionKind::String { default } => Some(default.clone()),
        OptionKind::Button => None,
    }
}

#[cfg(test)]
mod tests;
