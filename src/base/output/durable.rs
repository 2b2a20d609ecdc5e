//! Crash-safe order of writes: a file's bytes reach the disk before its name, and its name before anything
//! that relies on it.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, mpsc};
use std::{fs, fs::File, io, thread::JoinHandle};

use crate::base::work::start;

/// Waits until the whole file at `path` is on disk.
pub(super) fn sync(file: &File, path: &Path) -> io::Result<()> {
    file.sync_all()?;
    note(path, None);
    Ok(())
}

/// Syncs files while others are still being written. Syncing one file after the other would double the time
/// of a run on a busy disk.
#[derive(Debug)]
pub(super) struct BackgroundSync {
    paths: Sender<PathBuf>,
    workers: Vec<JoinHandle<io::Result<()>>>,
}

/// Number of files synced at a time: file systems combine concurrent syncs.
const AT_A_TIME: usize = 8;

impl BackgroundSync {
    pub fn begin() -> io::Result<BackgroundSync> {
        let (paths, received) = mpsc::channel();
        let received = Arc::new(Mutex::new(received));
        let worker = |_| {
            let received = received.clone();
            start("sync", move || sync_all(&received))
        };
        let workers = (0..AT_A_TIME).map(worker).collect::<io::Result<_>>()?;
        Ok(BackgroundSync { paths, workers })
    }

    pub fn add(&self, path: PathBuf) {
        // The receiver is gone only if every worker has failed, which `finish` reports.
        let _ = self.paths.send(path);
    }

    pub fn finish(self) -> io::Result<()> {
        drop(self.paths);
        let ends = self.workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| Err(lost())));
        ends.collect()
    }
}

fn lost() -> io::Error {
    io::Error::other("a thread that syncs files has ended")
}

fn sync_all(paths: &Mutex<Receiver<PathBuf>>) -> io::Result<()> {
    loop {
        let next = paths.lock().map_err(|_| lost())?.recv();
        let Ok(path) = next else { return Ok(()) };
        // Windows syncs only files that are open for writing.
        sync(&File::options().write(true).open(&path)?, &path)?;
    }
}

/// Returns the folder of a file; `.` for a bare file name.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the names in a folder. Does nothing on Windows, which cannot open folders; the Windows file system
/// keeps the order by itself.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    note(folder, None);
    Ok(())
}

/// Renames a synced file to `path`, replacing an existing file, and waits until the name is on disk.
pub(super) fn persist(from: &Path, path: &Path) -> io::Result<()> {
    rename_synced(from, path)?;
    sync_folder(folder_of(path))
}

/// Renames a synced file. The caller syncs the folder once for all files.
pub(super) fn rename_synced(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    note(from, Some(to));
    Ok(())
}

/// Does nothing. In tests, a function of the same name records each sync and rename, so that their order can
/// be checked.
#[cfg(not(test))]
fn note(_: &Path, _: Option<&Path>) {}

#[cfg(test)]
use tests::note;

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, io::Write, path::PathBuf, sync::Mutex, sync::PoisonError};

    use super::*;
    use crate::base::output::write_file;
    use crate::base::output::{FileError, NoFacts, OutputFolder, Overwrite, RunClock, RunKind};
    use crate::lab::{OpponentMemory, OpponentRecord};

    /// A path that was synced, or that was renamed to the second path.
    type Step = (PathBuf, Option<PathBuf>);

    static STEPS: Mutex<Vec<Step>> = Mutex::new(Vec::new());

    pub(super) fn note(path: &Path, name: Option<&Path>) {
        let mut steps = STEPS.lock().unwrap_or_else(PoisonError::into_inner);
        steps.push((path.to_owned(), name.map(Path::to_owned)));
    }

    fn steps_within(folder: &Path) -> Vec<Step> {
        let steps = STEPS.lock().unwrap_or_else(PoisonError::into_inner);
        steps.iter().filter(|(path, _)| path.starts_with(folder)).cloned().collect()
    }

    /// Replays the steps, and returns the names that are certainly on disk. Panics if a file was renamed
    /// before it was synced, or if the folder was not synced after a rename.
    fn on_disk(steps: &[Step]) -> BTreeSet<PathBuf> {
        let (mut synced, mut named, mut sure) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
        for (path, name) in steps {
            match name {
                Some(name) => {
                    assert!(synced.remove(path), "{} was given a name before it was synced", path.display());
                    named.push(name.clone());
                }
                None if path.is_dir() => {
                    sure.extend(named.extract_if(.., |name| name.parent() == Some(path)));
                }
                None => _ = synced.insert(path.clone()),
            }
        }
        assert_eq!(named, Vec::<PathBuf>::new(), "names that the disk may not have");
        sure
    }

    #[test]
    fn a_file_is_on_the_disk_before_it_has_its_name_and_its_name_before_the_caller_goes_on() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let path = temp.path().join("games.pgn");
        write_file::<FileError>(&path, |_| Ok(())).expect("room");
        assert_eq!(on_disk(&steps_within(temp.path())), [path].into());
    }

    #[test]
    fn the_memory_of_opponents_is_on_the_disk_before_it_has_its_name() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let path = temp.path().join("memory.json");
        let mut memory = OpponentMemory::open(&path).expect("nothing yet");
        memory.keep("Ann", OpponentRecord { moves: 20.0, lost: 60.0 }).expect("room");
        assert_eq!(on_disk(&steps_within(temp.path())), [path].into());
    }

    #[test]
    fn the_files_of_a_run_are_on_the_disk_before_they_have_their_names() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let out = temp.path().join("out");
        let folder = OutputFolder::claim(&out, RunKind::Report, Overwrite::Ours, []).expect("a folder");
        let publication = folder.publication().expect("room");
        for name in ["a", "b"] {
            publication.write(name, |file| file.write_all(b"bytes")).expect("room");
        }
        publication.finish(&RunClock::start().record(RunKind::Report, NoFacts::default())).expect("room");
        let sure = on_disk(&steps_within(&out));
        assert_eq!(sure, ["a", "b", "run.json"].map(|name| out.join(name)).into());
    }
}
