//! [`BuiltinCommand`]: identity, options and start of the built-in engine.

use std::io;

use sha2::{Digest, Sha256};

use super::{
    BuiltinEngine, NAME, bench::BENCH_DEPTH, bench::BENCH_NODES, bench::HASH, blocking::Blocking,
    read_weights,
};
use crate::base::digest::hex;
use crate::engine::chess_engine::EngineWeights;
use crate::engine::uci::options::{
    CHESS960, EngineOption, MULTI_PV, OptionKind, OptionTable, Setting, SettingError,
};
use crate::engine::uci::session::{EngineIdentity, Setup};

/// Largest size of the transposition table, in megabytes.
const MOST_HASH: i64 = 4096;

/// Largest number of lines (`MultiPV`). No position has more legal moves.
const MOST_LINES: i64 = 256;

/// The option for the table size.
pub const HASH_OPTION: &str = "Hash";

/// The option for the weights of the evaluation.
pub const WEIGHTS_OPTION: &str = "Weights";

/// Lists the built-in engine's options in UCI form.
pub fn options() -> Vec<EngineOption> {
    options_of(BENCH_NODES, &EngineWeights::default())
}

/// Returns the options and their values. Two of them identify the engine's evaluations: the bench nodes,
/// which cannot be changed, and the digest of the weights.
fn options_of(bench_nodes: u64, weights: &EngineWeights) -> Vec<EngineOption> {
    let option = |name: &str, kind| EngineOption { name: name.to_owned(), kind };
    let fixed = |value: String| OptionKind::Combo { default: value.clone(), values: vec![value] };
    vec![
        option(HASH_OPTION, OptionKind::Spin { default: HASH as i64, min: 1, max: MOST_HASH }),
        option(MULTI_PV, OptionKind::Spin { default: 1, min: 1, max: MOST_LINES }),
        option(CHESS960, OptionKind::Check { default: false }),
        option("Bench", fixed(format!("{bench_nodes} nodes at depth {BENCH_DEPTH}"))),
        option(WEIGHTS_OPTION, OptionKind::String { default: weights_digest(weights)[..16].to_owned() }),
    ]
}

/// Returns a digest of the weights with their names, and of the parameters of the chances: SHA-256 in
/// hexadecimal. Comments on the origin of the weights are not included.
pub fn weights_digest(weights: &EngineWeights) -> String {
    hex(&Sha256::digest(weights.without_provenance().to_string()))
}

/// Reads the file of weights that a setting names.
fn weights_of(setting: &Setting) -> Result<EngineWeights, SettingError> {
    let name = WEIGHTS_OPTION.to_owned();
    match &setting.value {
        None => Err(SettingError::Shape { name, problem: "needs a value; write NAME=VALUE" }),
        Some(path) => read_weights(path).map_err(|problem| {
            let expected = format!("it must name a file of weights: {problem}");
            SettingError::Value { name, value: path.clone(), expected }
        }),
    }
}

/// The built-in engine with its options, which can be started any number of times.
#[derive(Debug, Clone)]
pub struct BuiltinCommand {
    identity: EngineIdentity,
    megabytes: usize,
    weights: EngineWeights,
}

impl BuiltinCommand {
    /// Sets up the engine. If the option `Weights` names a file, reads it; the engine's identity then has the
    /// digest of the weights, not the name of the file.
    ///
    /// # Errors
    ///
    /// If a setting is not one of the engine's options, or its value is invalid.
    pub fn new(setup: &Setup) -> Result<BuiltinCommand, SettingError> {
        let (files, settings): (Vec<Setting>, Vec<Setting>) =
            setup.asked().into_iter().partition(|asked| asked.name.eq_ignore_ascii_case(WEIGHTS_OPTION));
        let weights = files.last().map_or_else(|| Ok(EngineWeights::default()), weights_of)?;
        let mut options = OptionTable::new(options_of(BENCH_NODES, &weights));
        for setting in settings {
            options.set(&setting)?;
        }
        let megabytes = options.number(HASH_OPTION).unwrap_or(HASH);
        Ok(BuiltinCommand { identity: EngineIdentity { name: NAME.to_owned(), options }, megabytes, weights })
    }

    /// Returns the engine's name and options.
    pub fn identity(&self) -> &EngineIdentity {
        &self.identity
    }

    /// Returns the digest of everything that determines the engine's evaluations: SHA-256 in hexadecimal.
    pub fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        hasher.update(format!("{NAME} {BENCH_NODES} {}", weights_digest(&self.weights)));
        hex(&hasher.finalize())
    }

    /// Starts an engine on its own thread with its own table; an error if the system has no thread left.
    pub fn start(&self) -> io::Result<Blocking<BuiltinEngine>> {
        Blocking::new(BuiltinEngine::with_weights(self.megabytes, self.weights.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::chess_engine::{Tapered, Weights, WeightsFile};

    fn set(settings: &[&str]) -> Result<BuiltinCommand, String> {
        let settings = settings.iter().map(|text| text.parse().expect("a setting")).collect();
        let setup = Setup { settings, ..Setup::default() };
        BuiltinCommand::new(&setup).map_err(|error| error.to_string())
    }

    #[test]
    fn its_table_has_the_megabytes_that_it_is_given() {
        assert_eq!(BuiltinCommand::new(&Setup::default()).expect("an engine").megabytes, 16);
        assert_eq!(set(&["hash=4"]).expect("an engine").megabytes, 4);
        let setup = Setup { hash: Some(8), ..Setup::default() };
        let engine = BuiltinCommand::new(&setup).expect("an engine");
        assert_eq!(engine.megabytes, 8);
        assert_eq!(engine.identity().options.values()["Hash"], "8");
    }

    #[test]
    fn an_option_that_it_has_not_is_an_error_that_names_those_it_has() {
        let error = set(&["Threads=4"]).expect_err("no such option");
        assert_eq!(
            error,
            "the engine has no option \"Threads\"; it has Hash, MultiPV, UCI_Chess960, Bench, Weights"
        );
        let error = set(&["Hash=0"]).expect_err("no table");
        assert!(error.ends_with("it must be a whole number from 1 to 4096"), "{error}");
        let error = set(&["Bench=1"]).expect_err("it says which search it is").to_string();
        assert!(error.starts_with("engine option Bench cannot be \"1\""), "{error}");
    }

    #[test]
    fn weights_of_a_file_are_known_by_what_they_are() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let weigh = |file: WeightsFile| {
            let path = folder.path().join("weights.txt");
            let file = WeightsFile { provenance: vec!["a test".to_owned()], ..file };
            std::fs::write(&path, file.to_string()).expect("a writable folder");
            set(&[&format!("Weights={}", path.display())]).expect("an engine")
        };
        let ours = BuiltinCommand::new(&Setup::default()).expect("an engine");
        let same = weigh(WeightsFile::default());
        assert_eq!((same.identity(), same.digest()), (ours.identity(), ours.digest()));
        let other = weigh(Weights::zero().into());
        assert_ne!(other.identity(), ours.identity());
        assert_ne!(other.digest(), ours.digest());
        let error = set(&["Weights=/no/such/file"]).expect_err("no file");
        assert!(
            error.starts_with("engine option Weights cannot be \"/no/such/file\": it must name"),
            "{error}"
        );
        assert!(set(&["Weights"]).expect_err("no value").contains("needs a value"));
    }

    #[test]
    fn evaluations_of_other_weights_or_another_search_are_none_of_its_own() {
        let table = |bench, weights: &WeightsFile| {
            OptionTable::new(options_of(bench, &weights.clone().into())).values().clone()
        };
        let ours = table(BENCH_NODES, &WeightsFile::default());
        assert_eq!(
            &ours,
            BuiltinCommand::new(&Setup::default()).expect("an engine").identity().options.values()
        );
        assert_ne!(table(BENCH_NODES + 1, &WeightsFile::default()), ours);
        let mut file = WeightsFile::default();
        let (term, weight) = file.weights.iter().last().expect("a term");
        file.weights.set(term, Tapered { endgame: weight.endgame + 1, ..weight });
        assert_ne!(table(BENCH_NODES, &file), ours);
        let mut file = WeightsFile::default();
        file.chances.half.middlegame += 1;
        assert_ne!(table(BENCH_NODES, &file), ours);
    }
}
