//! Options of an engine, and checks of the values that a user sets.
//!
//! vampirc-uci is not used here because it does not recognize an option whose default is empty or begins like
//! the next key.

use std::{collections::BTreeMap, fmt, num::NonZeroU32, str::FromStr};

use super::line::ParseLineError;

/// An option as announced by an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineOption {
    /// The option's name; engines ignore case.
    pub name: String,
    /// The option's type and range.
    pub kind: OptionKind,
}

/// The type of an option with its default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default value.
        default: bool,
    },
    /// A whole number within a range.
    Spin {
        /// The default value.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The default value.
        default: String,
        /// The possible values.
        values: Vec<String>,
    },
    /// An action without a value.
    Button,
    /// Any text.
    String {
        /// The default value.
        default: String,
    },
}

/// UCI's form of an empty text.
const EMPTY: &str = "<empty>";

/// The keys that end a value within an option line.
const KEYS: [&str; 5] = ["type", "default", "min", "max", "var"];

impl FromStr for EngineOption {
    type Err = ParseLineError;

    fn from_str(line: &str) -> Result<EngineOption, ParseLineError> {
        read_option(line).ok_or_else(|| ParseLineError(line.to_owned()))
    }
}

/// Parses `option name N… type T [default D…] [min A] [max B] [var V…]*`.
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
    /// Checks a value against the option's type and range. Returns it in the engine's form, or `None` for a
    /// button.
    pub fn check(&self, value: Option<&str>) -> Result<Option<String>, SettingError> {
        let shape = |problem| SettingError::Shape { name: self.name.clone(), problem };
        let value = match (&self.kind, value) {
            (OptionKind::Button, None) => return Ok(None),
            (OptionKind::Button, Some(_)) => return Err(shape("is a button and takes no value")),
            (_, None) => return Err(shape("needs a value; write NAME=VALUE")),
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
                _ => Err(wrong("it must be true or false".to_owned())),
            },
            OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(Some(number.to_string())),
                _ => Err(wrong(format!("it must be a whole number from {min} to {max}"))),
            },
            OptionKind::Combo { values, .. } => {
                let known = values.iter().find(|known| known.eq_ignore_ascii_case(value));
                let known = known.ok_or_else(|| wrong(format!("it must be one of {}", values.join(", "))))?;
                Ok(Some(known.clone()))
            }
            OptionKind::String { .. } | OptionKind::Button => Ok(Some(value.to_owned())),
        }
    }
}

/// A user's setting, `NAME=VALUE`, or `NAME` for a button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Name of the option.
    pub name: String,
    /// The value; `None` for an option of type `button`.
    pub value: Option<String>,
}

impl Setting {
    /// Returns the setting of `name` to `value`.
    pub fn new(name: &str, value: impl ToString) -> Setting {
        Setting { name: name.to_owned(), value: Some(value.to_string()) }
    }
}

/// A text that is not a setting: it names no option, or it contains a control character.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseSettingError {
    #[error("{0:?} names no option; write NAME=VALUE, as in Threads=1")]
    NoName(String),
    /// A line feed or another control character.
    #[error("{0:?} contains a control character, which UCI commands cannot contain")]
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

/// A setting that the engine does not accept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The engine has no such option.
    #[error("the engine has no option {name:?}; it has {}", known.join(", "))]
    Unknown { name: String, known: Vec<String> },
    /// A value of the wrong type or out of range.
    #[error("engine option {name} cannot be {value:?}: {expected}")]
    Value { name: String, value: String, expected: String },
    /// A value for a button, or no value for another option.
    #[error("engine option {name} {problem}")]
    Shape { name: String, problem: &'static str },
    /// `UCI_Chess960`, which is set for each game.
    #[error("engine option UCI_Chess960 depends on the game and cannot be set")]
    PerGame,
}

/// The option that turns on Chess960 and its notation of castling.
pub const CHESS960: &str = "UCI_Chess960";

/// The option that sets the number of lines.
pub const MULTI_PV: &str = "MultiPV";

/// The options of an engine with their current values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OptionTable {
    options: Vec<EngineOption>,
    values: BTreeMap<String, String>,
}

impl OptionTable {
    /// Returns the announced options, all at their defaults.
    pub fn new(options: Vec<EngineOption>) -> OptionTable {
        let values =
            options.iter().filter_map(|option| Some((option.name.clone(), default_of(&option.kind)?)));
        OptionTable { values: values.collect(), options }
    }

    /// Finds the option with this name, ignoring case.
    pub fn get(&self, name: &str) -> Option<&EngineOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Returns whether the engine plays Chess960.
    pub fn has_chess960(&self) -> bool {
        self.get(CHESS960).is_some()
    }

    /// Returns the number of search threads. It is 1 if the engine has no option `Threads`.
    pub fn threads(&self) -> i64 {
        self.number("Threads").unwrap_or(1)
    }

    /// Returns the number of lines that the option `MultiPV` sets. It is 1 without that option.
    pub fn lines(&self) -> u32 {
        self.number(MULTI_PV).unwrap_or(1)
    }

    /// Returns the number of lines to search if `asked` lines are needed. If only one line is needed, returns
    /// the user's setting, which may be larger than 1.
    pub fn lines_for(&self, asked: NonZeroU32) -> u32 {
        if asked == NonZeroU32::MIN { self.lines() } else { asked.get() }
    }

    /// Returns the largest number of lines that `MultiPV` allows; `None` if the engine has no such option
    /// with a range.
    pub fn most_lines(&self) -> Option<i64> {
        match self.get(MULTI_PV)?.kind {
            OptionKind::Spin { max, .. } => Some(max),
            _ => None,
        }
    }

    /// Returns the value of an option as `T`; `None` if it is missing or of another type.
    pub fn number<T: FromStr>(&self, name: &str) -> Option<T> {
        self.values.get(&self.get(name)?.name)?.parse().ok()
    }

    /// Returns `setting`, a default of this program, in a form that the engine accepts: a number outside the
    /// engine's range is moved into the range. Returns `None` if the engine has no such option, or if the
    /// option cannot have the value.
    pub fn nearest(&self, setting: &Setting) -> Option<Setting> {
        let option = self.get(&setting.name)?;
        let value = setting.value.as_deref()?;
        let value = match option.kind {
            OptionKind::Spin { min, max, .. } => value.parse::<i64>().ok()?.max(min).min(max).to_string(),
            _ => option.check(Some(value)).ok()??,
        };
        Some(Setting { name: option.name.clone(), value: Some(value) })
    }

    /// Checks a user's setting and stores it. Returns it in the engine's spelling.
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

    /// Returns the name and value of every option except buttons, in the order of names.
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
