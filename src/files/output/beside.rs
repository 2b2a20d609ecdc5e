//! Owns [`FileBeside`]: a file of a run that the user wants elsewhere than in its folder.
//!
//! The record of the folder lists it by size and digest, like the folder's own files, so that the same rule holds: what
//! no run has left, or somebody has changed since, is overwritten only by force.

use std::path::{Path, PathBuf};
use std::{fs::File, io::BufWriter};

use super::{
    file::FileError, file::check_writable, file::target, file::write_named_file, folder::Listed,
    folder::OutputFolder, folder::Overwrite, mark::FileMark, publication::Publication,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileBeside {
    pub(super) path: PathBuf,
    pub(super) mark: FileMark,
}

impl FileBeside {
    /// Writes the file at `path`, which appears under its name only when `content` is complete.
    pub fn write<E: From<FileError>>(
        path: &Path,
        content: impl FnOnce(&mut BufWriter<&mut File>) -> Result<(), E>,
    ) -> Result<FileBeside, E> {
        write_named_file(path, content)?;
        let read = |source| FileError::Read(path.to_owned(), source);
        Ok(FileBeside { path: path.to_owned(), mark: FileMark::of(path).map_err(read)? })
    }
}

impl OutputFolder {
    /// Checks that a run into this folder may write a file at `path`, which is elsewhere.
    pub fn check_beside(&self, path: &Path) -> Result<(), FileError> {
        check_writable(path)?;
        let is_ours = || Listed::read(self.path()).has_beside(&target(path));
        match path.exists() && self.overwrite() == Overwrite::Ours && !is_ours() {
            true => Err(FileError::ForeignBeside(path.to_owned(), self.path().to_owned())),
            false => Ok(()),
        }
    }
}

impl Publication<'_> {
    /// Lists a file that was written elsewhere in the record.
    pub fn list_beside(&self, file: &FileBeside) {
        let name = file.path.to_string_lossy().into_owned();
        self.beside.lock().expect("a lock that no panic has poisoned").insert(name, file.mark.clone());
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

    use super::*;
    use crate::files::{NoFacts, RunClock, RunKind};

    #[test]
    fn a_file_elsewhere_is_ours_until_a_byte_of_it_changes() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let (path, out) = (temp.path().join("games.pgn"), temp.path().join("out"));
        let run = |overwrite, text: &str, writes: bool| -> Result<(), FileError> {
            let folder = OutputFolder::claim(&out, RunKind::Report, overwrite, [])?;
            let publication = folder.publication()?;
            if writes {
                folder.check_beside(&path)?;
                let failed = |source| FileError::Write(path.clone(), source);
                let file = FileBeside::write(&path, |file| file.write_all(text.as_bytes()).map_err(failed))?;
                publication.list_beside(&file);
            }
            publication.finish(&RunClock::start().record(RunKind::Report, NoFacts::default())).map(|_| ())
        };
        run(Overwrite::Ours, "one", true).expect("nothing is there");
        run(Overwrite::Ours, "", false).expect("a run that writes nothing elsewhere");
        run(Overwrite::Ours, "two", true).expect("the first run's");
        fs::write(&path, "my own notes").expect("room");
        let refused = run(Overwrite::Ours, "three", true);
        assert!(matches!(refused, Err(FileError::ForeignBeside(..))), "{refused:?}");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "my own notes");
        run(Overwrite::Any, "four", true).expect("by force");
    }
}
