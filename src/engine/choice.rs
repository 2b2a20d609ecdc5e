//! [`EngineChoice`]: the engine selected by the user or by default.

use std::{env, ffi::OsStr, path::Path, path::PathBuf};

use crate::chess::Limit;
use crate::engine::uci::locate::{installed_stockfishes, look_up};

/// The environment variable that selects an engine.
pub const VARIABLE: &str = "GAINALYZE_ENGINE";

/// The name of the built-in engine. A program named `builtin` is selected with `./builtin`.
pub const BUILTIN: &str = "builtin";

/// The selected engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineChoice {
    /// A program that speaks UCI.
    Program(PathBuf),
    /// The built-in engine.
    Builtin {
        /// True if the user selected it. Otherwise it is used because no other engine is selected or
        /// installed.
        is_named: bool,
    },
}

impl EngineChoice {
    /// The default limit of a search. A depth, unlike a time, is the same limit on every machine. The shipped
    /// calibrations with the smallest errors use this limit, so one search is enough for tables and ratings.
    pub const USUAL_LIMIT: Limit = Limit::Depth(10);

    /// Returns the engine with this name: `builtin`, a program on PATH or in a usual install location, or a
    /// path.
    pub fn named(name: &OsStr) -> EngineChoice {
        match name == BUILTIN {
            true => EngineChoice::Builtin { is_named: true },
            false => EngineChoice::Program(look_up(Path::new(name))),
        }
    }

    /// Returns the default engine, the first of [`EngineChoice::available`].
    pub fn usual() -> EngineChoice {
        EngineChoice::available().swap_remove(0)
    }

    /// Returns the engines to choose from if the user names none: the engine in `GAINALYZE_ENGINE` alone, or
    /// the installed Stockfishes and then the built-in engine.
    pub fn available() -> Vec<EngineChoice> {
        let variable = env::var_os(VARIABLE).filter(|name| !name.is_empty());
        EngineChoice::unnamed(variable.as_deref(), installed_stockfishes)
    }

    fn unnamed(variable: Option<&OsStr>, installed: impl FnOnce() -> Vec<PathBuf>) -> Vec<EngineChoice> {
        if let Some(name) = variable {
            return vec![EngineChoice::named(name)];
        }
        let builtin = EngineChoice::Builtin { is_named: false };
        installed().into_iter().map(EngineChoice::Program).chain([builtin]).collect()
    }
}

impl Default for EngineChoice {
    /// Returns [`EngineChoice::usual`].
    fn default() -> EngineChoice {
        EngineChoice::usual()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_is_the_engine_within_and_a_path_with_it_is_a_program() {
        assert_eq!(EngineChoice::named(OsStr::new("builtin")), EngineChoice::Builtin { is_named: true });
        let program = EngineChoice::Program(PathBuf::from("./builtin"));
        assert_eq!(EngineChoice::named(OsStr::new("./builtin")), program);
    }

    #[test]
    fn who_names_nothing_gets_what_is_installed_and_else_the_engine_within() {
        let stockfish = PathBuf::from("/usr/games/stockfish");
        let builtin = EngineChoice::Builtin { is_named: false };
        let installed = EngineChoice::unnamed(None, || vec![stockfish.clone()]);
        assert_eq!(installed, [EngineChoice::Program(stockfish.clone()), builtin.clone()]);
        assert_eq!(EngineChoice::unnamed(None, Vec::new), [builtin]);
        let missing = EngineChoice::unnamed(Some(OsStr::new("/no/such/engine")), || vec![stockfish]);
        assert_eq!(missing, [EngineChoice::Program(PathBuf::from("/no/such/engine"))], "named, so wanted");
        let word = EngineChoice::unnamed(Some(OsStr::new("builtin")), Vec::new);
        assert_eq!(word, [EngineChoice::Builtin { is_named: true }]);
    }
}
