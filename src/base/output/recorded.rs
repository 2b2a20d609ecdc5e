//! [`RecordedFolder`]: a run's folder, with its files checked against the record before they are read.

use std::{fs::File, io, path::Path, path::PathBuf};

use thiserror::Error;

use super::{folder::Listed, run::RunKind};
use crate::base::text::full_path;

#[derive(Debug, Error)]
pub enum RecordedFileError {
    #[error("{}: has changed since its run wrote it", full_path(.0))]
    Changed(PathBuf),
    /// A run was replacing another run's files and did not finish.
    #[error("{}: a run that was replacing these files did not finish, so they come from two runs", full_path(.0))]
    OfTwoRuns(PathBuf),
    #[error("{}: not written by the run that made this folder", full_path(.0))]
    NotListed(PathBuf),
    #[error("{}: cannot be read", full_path(.0))]
    Read(PathBuf, #[source] io::Error),
}

/// A run's folder, locked against other runs while its files are read.
#[derive(Debug)]
pub struct RecordedFolder {
    path: PathBuf,
    listed: Listed,
    /// `None` if the system cannot lock folders.
    _lock: Option<File>,
}

impl RecordedFolder {
    pub fn open(path: &Path) -> Result<RecordedFolder, RecordedFileError> {
        let lock = File::open(path).and_then(|folder| folder.lock_shared().map(|()| folder)).ok();
        if let Some(record) = Listed::broken(path) {
            return Err(RecordedFileError::Changed(record));
        }
        Ok(RecordedFolder { path: path.to_owned(), listed: Listed::read(path), _lock: lock })
    }

    pub fn lists(&self, name: &str) -> bool {
        self.listed.lists().any(|list| list.files.contains_key(name))
    }

    /// Returns the kind of the folder's run if no run of this `kind` may write into the folder.
    pub fn of_another_kind(&self, kind: RunKind) -> Option<RunKind> {
        self.listed.of_another_kind(kind)
    }

    /// Checks all files that a record lists and that are still there.
    pub fn check_all(&self) -> Result<(), RecordedFileError> {
        self.names().filter(|name| self.path.join(name).exists()).try_for_each(|name| self.check(name))
    }

    /// Returns the names of the files that the folder's records list.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.listed.lists().flat_map(|list| list.files.keys().map(String::as_str))
    }

    /// Checks that a record lists the file `name`, and that the file is unchanged since the run wrote it.
    /// Without a record, every file passes.
    pub fn check(&self, name: &str) -> Result<(), RecordedFileError> {
        let path = self.path.join(name);
        let (mut known, mut halfway) = (false, false);
        for list in self.listed.lists() {
            for (new, mark) in list.marks(name) {
                match mark.is_of(&path) {
                    Ok(true) if new => return Ok(()),
                    Ok(is_of) => (known, halfway) = (true, halfway || is_of),
                    Err(source) => return Err(RecordedFileError::Read(path, source)),
                }
            }
        }
        match (known, halfway) {
            (_, true) => Err(RecordedFileError::OfTwoRuns(self.path.clone())),
            (true, false) => Err(RecordedFileError::Changed(path)),
            (false, _) if self.listed.lists().next().is_some() => Err(RecordedFileError::NotListed(path)),
            (false, _) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

    use super::*;
    use crate::base::output::{NoFacts, OutputFolder, Overwrite, RunClock, RunKind};

    fn publish(folder: &Path, files: &[&str], text: &str) {
        let folder = OutputFolder::claim(folder, RunKind::Report, Overwrite::Ours, []).expect("a folder");
        let out = folder.publication().expect("room");
        for name in files {
            out.write(name, |file| file.write_all(text.as_bytes())).expect("room");
        }
        out.finish(&RunClock::start().record(RunKind::Report, NoFacts::default())).expect("room");
    }

    #[test]
    fn a_file_is_read_as_its_run_has_written_it_and_not_otherwise() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let check = |name: &str| RecordedFolder::open(temp.path()).and_then(|folder| folder.check(name));
        fs::write(temp.path().join("a"), "mine").expect("room");
        check("a").expect("no record, nothing to check by");
        fs::remove_file(temp.path().join("a")).expect("a file");
        publish(temp.path(), &["a", "b"], "one");
        check("a").expect("as written");
        fs::write(temp.path().join("b"), "One").expect("room");
        assert!(matches!(check("b"), Err(RecordedFileError::Changed(_))));
        fs::write(temp.path().join("c"), "one").expect("room");
        assert!(matches!(check("c"), Err(RecordedFileError::NotListed(_))));
        fs::remove_file(temp.path().join("b")).expect("a file");
        assert!(matches!(check("b"), Err(RecordedFileError::Read(..))));
    }

    #[test]
    fn a_byte_of_the_record_that_changes_is_told() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        publish(temp.path(), &["a"], "one");
        let path = temp.path().join("run.json");
        let text = fs::read(&path).expect("a record");
        for at in 0..text.len() {
            let mut flipped = text.clone();
            flipped[at] ^= 1;
            fs::write(&path, &flipped).expect("room");
            let told = RecordedFolder::open(temp.path()).and_then(|folder| folder.check("a"));
            assert!(told.is_err(), "byte {at}: {}", String::from_utf8_lossy(&flipped));
        }
        let unsealed = String::from_utf8_lossy(&text)
            .lines()
            .filter(|line| !line.contains("digest"))
            .collect::<String>();
        fs::write(&path, unsealed.replace(",}", "}")).expect("room");
        assert!(RecordedFolder::open(temp.path()).and_then(|folder| folder.check("a")).is_err());
    }
}
