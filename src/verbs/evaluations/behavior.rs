//! The behavior of an engine, by which its stored evaluations are identified. It is measured once for each
//! program and kept in the store.

use std::{collections::BTreeSet, fs::File, io::Read, path::Path, path::PathBuf, time::Duration};

use sha2::{Digest, Sha256};

use crate::base::{digest::file_digest, digest::hex, input_file, text::counted, text::printable};
use crate::engine::{Behavior, Engine, EngineCommand, uci::locate::is_node_script};
use crate::store::{EngineStamp, EvaluationStore, StoredBehavior, UnusedEvaluations};
use crate::verbs::{error::VerbError, observer::Observer};

/// The digest of the files that determine an engine's behavior; `None` for a script.
pub struct ProgramFiles(Option<String>);

impl ProgramFiles {
    /// Reads the files of a running engine: its program, and files named by its options, such as weights.
    pub fn of(command: &EngineCommand, engine: &EngineStamp) -> ProgramFiles {
        if command.program().is_some_and(is_script) {
            return ProgramFiles(None);
        }
        let mut hasher = Sha256::new();
        hasher.update(&engine.digest);
        for (name, value) in &engine.options {
            if let Some(digest) = option_file(value, command.program()) {
                hasher.update(format!("\0{name}\0{digest}"));
            }
        }
        ProgramFiles(Some(hex(&hasher.finalize())))
    }

    pub fn known_behavior(
        &self,
        engine: &EngineStamp,
        store: Option<&dyn EvaluationStore>,
    ) -> Result<Option<Behavior>, VerbError> {
        let (Some(program), Some(store)) = (&self.0, store) else { return Ok(None) };
        let known = store.behavior(engine, program)?;
        Ok(known.map(|StoredBehavior { digest, micros }| Behavior {
            digest,
            time_a_position: Duration::from_micros(micros),
        }))
    }

    pub fn keep_behavior(
        &self,
        engine: &EngineStamp,
        behavior: &Behavior,
        store: Option<&mut (dyn EvaluationStore + 'static)>,
    ) -> Result<(), VerbError> {
        let (Some(program), Some(store)) = (&self.0, store) else { return Ok(()) };
        let micros = u64::try_from(behavior.time_a_position.as_micros()).unwrap_or(u64::MAX >> 1);
        Ok(store.keep_behavior(
            engine,
            program,
            &StoredBehavior { digest: behavior.digest.clone(), micros },
        )?)
    }

    /// Returns the engine's behavior from the store. If it is not stored, measures it in fixed positions, and
    /// stores it if there is a store.
    pub async fn behavior(
        &self,
        stamp: &EngineStamp,
        engine: &mut Engine,
        store: Option<&mut (dyn EvaluationStore + 'static)>,
    ) -> Result<Behavior, VerbError> {
        if let Some(known) = self.known_behavior(stamp, store.as_deref())? {
            return Ok(known);
        }
        let behavior = Behavior::of(engine).await?;
        self.keep_behavior(stamp, &behavior, store)?;
        Ok(behavior)
    }
}

/// Returns whether a program is a script. Programs and files that a script uses can change while the script
/// stays the same.
fn is_script(program: &Path) -> bool {
    let begins_as_one = |mut file: File| {
        let mut head = [0; 2];
        file.read_exact(&mut head).is_ok() && head == *b"#!"
    };
    is_node_script(program) || input_file::open(program).is_ok_and(begins_as_one)
}

/// Returns the digest of the file that the `value` of an option names, if there is one: at this path, or next
/// to the program.
fn option_file(value: &str, program: Option<&Path>) -> Option<String> {
    let in_its_folder = program.and_then(Path::parent).map(|folder| folder.join(value));
    let paths = [Some(PathBuf::from(value)), in_its_folder];
    let found = paths.into_iter().flatten().find(|path| !value.is_empty() && path.is_file());
    found.and_then(|path| file_digest(&path).ok())
}

/// The builds whose unused evaluations were already reported. Each build is reported once.
#[derive(Debug, Default)]
pub struct ReportedUnused(BTreeSet<String>);

/// Largest number of damaged segments that are reported by name.
const MOST_NAMED: usize = 10;

impl ReportedUnused {
    pub fn report(&mut self, unused: &UnusedEvaluations, engine_name: &str, observer: &dyn Observer) {
        for (digest, &positions) in &unused.other_builds {
            if self.0.insert(digest.clone()) {
                observer.warn(&format!(
                    "not used: stored evaluations of {} by another build of {} (SHA-256 {digest:.12}…); the \
                     behavior of that build differs or is unknown",
                    counted(positions, "position"),
                    printable(engine_name),
                ));
            }
        }
        for what in unused.damaged.iter().take(MOST_NAMED) {
            observer.warn(&format!("damaged in the store, so not used: {}", printable(what)));
        }
        if unused.damaged.len() > MOST_NAMED {
            observer.warn(&format!(
                "damaged in the store, so not used: {}",
                counted((unused.damaged.len() - MOST_NAMED) as u64, "more segment")
            ));
        }
    }
}
