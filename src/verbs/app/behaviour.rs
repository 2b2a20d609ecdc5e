//! Owns how a run knows whose evaluations are those of its engine: by how it behaves, which is found out once for each
//! program and kept in the store.

use std::path::{Path, PathBuf};
use std::{collections::BTreeSet, fs::File, io::Read, time::Duration};

use sha2::{Digest, Sha256};

use super::Observer;
use crate::chess::{input_file, text::counted, text::printable};
use crate::engine::{
    Behaviour, Engine, EngineCommand, uci::locate::is_node_script, uci::process::file_digest,
    uci::process::hex,
};
use crate::store::{EngineStamp, EvaluationStore, StoredBehaviour, UnusedEvaluations};
use crate::verbs::error::VerbError;

/// The files that an engine's behaviour follows from, by their digest; none where they do not tell.
pub struct ProgramFiles(Option<String>);

impl ProgramFiles {
    /// Reads the files of an engine that is running: its program and what its options name, as weights.
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

    pub fn known_behaviour(
        &self,
        engine: &EngineStamp,
        store: Option<&dyn EvaluationStore>,
    ) -> Result<Option<Behaviour>, VerbError> {
        let (Some(program), Some(store)) = (&self.0, store) else { return Ok(None) };
        let known = store.behaviour(engine, program)?;
        Ok(known.map(|StoredBehaviour { digest, micros }| Behaviour {
            digest,
            time_a_position: Duration::from_micros(micros),
        }))
    }

    pub fn keep_behaviour(
        &self,
        engine: &EngineStamp,
        behaviour: &Behaviour,
        store: Option<&mut (dyn EvaluationStore + 'static)>,
    ) -> Result<(), VerbError> {
        let (Some(program), Some(store)) = (&self.0, store) else { return Ok(()) };
        let micros = u64::try_from(behaviour.time_a_position.as_micros()).unwrap_or(u64::MAX >> 1);
        Ok(store.keep_behaviour(
            engine,
            program,
            &StoredBehaviour { digest: behaviour.digest.clone(), micros },
        )?)
    }

    /// Returns how the engine behaves: what the store knows, or what it finds in the fixed positions, which is kept.
    pub async fn behaviour(
        &self,
        stamp: &EngineStamp,
        engine: &mut Engine,
        store: Option<&mut (dyn EvaluationStore + 'static)>,
    ) -> Result<Behaviour, VerbError> {
        if let Some(known) = self.known_behaviour(stamp, store.as_deref())? {
            return Ok(known);
        }
        let behaviour = Behaviour::of(engine).await?;
        self.keep_behaviour(stamp, &behaviour, store)?;
        Ok(behaviour)
    }
}

/// Tells whether a program is a script: what it starts or loads may change, and its own file does not tell.
fn is_script(program: &Path) -> bool {
    let mut head = [0; 2];
    let begins_as_one = |mut file: File| file.read_exact(&mut head).is_ok() && head == *b"#!";
    is_node_script(program) || input_file::open(program).is_ok_and(begins_as_one)
}

/// Returns the digest of the file that an option names, where it does: as it stands, or beside the program.
fn option_file(value: &str, program: Option<&Path>) -> Option<String> {
    let beside = program.and_then(Path::parent).map(|folder| folder.join(value));
    let paths = [Some(PathBuf::from(value)), beside];
    let found = paths.into_iter().flatten().find(|path| !value.is_empty() && path.is_file());
    found.and_then(|path| file_digest(&path).ok())
}

/// Evaluations of a store that are not used, told once for each reason.
#[derive(Debug, Default)]
pub struct ToldUnused(BTreeSet<String>);

/// Damaged segments that are named one by one.
const TOLD: usize = 10;

impl ToldUnused {
    /// Tells what is not used, and why.
    pub fn tell(&mut self, unused: &UnusedEvaluations, engine_name: &str, observer: &dyn Observer) {
        for (digest, &positions) in &unused.other_builds {
            if self.0.insert(digest.clone()) {
                observer.warn(&format!(
                    "{} in the store by another build of {} (SHA-256 {digest:.12}…) that behaves differently, or nobody \
                     knows how: not used",
                    counted(positions, "position"),
                    printable(engine_name),
                ));
            }
        }
        for what in unused.damaged.iter().take(TOLD) {
            observer.warn(&format!("damaged in the store, and not used: {}", printable(what)));
        }
        if unused.damaged.len() > TOLD {
            observer.warn(&format!("and {} more", unused.damaged.len() - TOLD));
        }
    }
}
