//! Owns the record of a run: by what command it was made, when, and how long it took.

/// Returns the command line of this process, one element an argument. An argument that is no UTF-8 has
/// `U+FFFD` in the place of what cannot be read.
pub fn command_line() -> Vec<String> {
    std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect()
}
