//! [`Stage`]: a folder of unfinished files inside their destination, and the removal of stages left by killed
//! runs.
//!
//! A stage has a special name and a marker file, which its run keeps locked. The next run in the same folder
//! removes unlocked stages. Other folders with such a name stay unless they are empty.

use std::{fs, fs::File, io, io::Write, path::Path, time::Duration};

use tempfile::TempDir;

/// Prefix of the names of stages.
pub(super) const PREFIX: &str = ".gainalyze-unfinished-";

/// Name of a stage's marker file, which is locked while the stage is in use.
const MARKER: &str = "gainalyze.lock";

const MARK: &[u8] =
    b"gainalyze is writing files here. A folder like this that no process holds is removed by the next run.\n";

/// Maximum number of attempts to make a stage. Before a new stage is locked, another run may remove it as
/// abandoned.
const TRIES: usize = 8;

/// Age at which a stage counts as abandoned if the system cannot lock files. No file takes so long to write.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder of unfinished files, removed with its contents when dropped.
#[derive(Debug)]
pub(super) struct Stage {
    /// The lock, held while the folder is in use. `None` if the system cannot lock files.
    _lock: Option<File>,
    folder: TempDir,
}

impl Stage {
    /// Makes a stage in `folder`, after removing the stages that killed runs left there.
    pub fn new(folder: &Path) -> io::Result<Stage> {
        remove_abandoned(folder);
        let mut last = Stage::make(folder);
        for _ in 1..TRIES {
            match &last {
                // Another run removed the stage before it was locked.
                Err(error) if error.kind() == io::ErrorKind::NotFound && folder.is_dir() => {
                    last = Stage::make(folder);
                }
                _ => break,
            }
        }
        last
    }

    fn make(folder: &Path) -> io::Result<Stage> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(folder).map_err(without_path)?;
        let marker = folder.path().join(MARKER);
        let mut file = File::create_new(&marker)?;
        let locked = file.lock().is_ok();
        file.write_all(MARK)?;
        marker.symlink_metadata()?;
        Ok(Stage { _lock: locked.then_some(file), folder })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the stages in `folder` that killed runs left. They do no harm, so errors are ignored.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && entry.file_name().to_string_lossy().starts_with(PREFIX) {
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

/// Removes the stage at `path` unless it is in use; an empty folder is removed too. Any other folder stays.
fn remove_if_abandoned(path: &Path) -> io::Result<()> {
    let marker = path.join(MARKER);
    match marker.symlink_metadata() {
        // The run was killed before it wrote a marker. Remove the folder only if it is empty.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return fs::remove_dir(path),
        Ok(data) if data.is_file() && data.len() <= MARK.len() as u64 => {}
        _ => return Ok(()),
    }
    let file = File::open(&marker)?;
    let is_free = match file.try_lock() {
        Ok(()) => true,
        Err(fs::TryLockError::WouldBlock) => false,
        Err(fs::TryLockError::Error(_)) => is_old(&file)?,
    };
    // A killed run may have written only a part of the marker, or nothing.
    if is_free && MARK.starts_with(&fs::read(&marker)?) { fs::remove_dir_all(path) } else { Ok(()) }
}

fn is_old(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.modified()?.elapsed().is_ok_and(|age| age > ABANDONED))
}

/// Removes the temporary path at the end of an error message from tempfile. The path is of no use to the
/// user.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.rsplit_once(" at path ") {
        Some((words, _)) => io::Error::new(error.kind(), words),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, path::PathBuf};

    use super::*;

    fn names(folder: &Path) -> BTreeSet<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    /// Makes a stage in `folder` as a killed run leaves it, with the text `marker` in its marker file.
    fn abandoned(folder: &Path, marker: &[u8]) -> PathBuf {
        let left = folder.join(format!("{PREFIX}abc123"));
        fs::create_dir(&left).expect("room");
        fs::write(left.join(MARKER), marker).expect("room");
        fs::write(left.join("moves.csv"), "half").expect("room");
        left
    }

    #[test]
    fn what_a_killed_run_was_writing_is_removed_at_once_and_what_is_being_written_is_not() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        for marker in [MARK, &MARK[..5], b""] {
            let left = abandoned(temp.path(), marker);
            let stage = Stage::new(temp.path()).expect("room");
            assert!(!left.exists() && stage.path().is_dir());
            let another = Stage::new(temp.path()).expect("room");
            assert!(stage.path().is_dir() && another.path().is_dir(), "somebody holds it");
        }
        let empty = temp.path().join(format!("{PREFIX}empty0"));
        fs::create_dir(&empty).expect("room");
        drop(Stage::new(temp.path()).expect("room"));
        assert!(names(temp.path()).is_empty(), "{:?}", names(temp.path()));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_called_like_a_stage_and_is_none_stays() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let at = |name: &str| temp.path().join(format!("{PREFIX}{name}"));
        fs::write(at("file01"), "mine").expect("room");
        fs::create_dir(at("folder")).expect("room");
        fs::write(at("folder").join("mine.txt"), "mine").expect("room");
        fs::create_dir(at("marker")).expect("room");
        fs::write(at("marker").join(MARKER), "mine").expect("room");
        let elsewhere = tempfile::tempdir().expect("a temporary directory");
        let linked = abandoned(elsewhere.path(), MARK);
        std::os::unix::fs::symlink(&linked, at("linked")).expect("a link");
        let before = names(temp.path());
        drop(Stage::new(temp.path()).expect("room"));
        assert_eq!(names(temp.path()), before);
        assert!(at("folder").join("mine.txt").exists() && at("marker").join(MARKER).exists());
        assert!(linked.join("moves.csv").exists());
    }

    #[test]
    fn many_runs_that_begin_at_once_each_have_a_stage_of_their_own() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let stage = Stage::new(temp.path()).expect("room");
                        fs::write(stage.path().join("a"), "a").expect("a stage");
                        assert!(stage.path().join("a").exists());
                    }
                });
            }
        });
        assert!(names(temp.path()).is_empty());
    }
}
