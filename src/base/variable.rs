//! Environment variables with numbers.

use std::env;

/// The error of an environment variable whose value cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the environment variable {name} is {value:?}, but it must be {accepted}")]
pub struct VariableError {
    /// The variable.
    pub name: &'static str,
    /// The value. Variables with secrets have no such error.
    pub value: String,
    /// The accepted values, in words.
    pub accepted: String,
}

/// Returns the number in a variable; `None` if the variable is missing or empty. `things` says in the plural
/// what the number counts, such as `threads`.
pub fn number(name: &'static str, things: &str) -> Result<Option<u32>, VariableError> {
    let value = env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(None) };
    match value.trim().parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => {
            Err(VariableError { name, value, accepted: format!("a number of {things} up to {}", u32::MAX) })
        }
    }
}
