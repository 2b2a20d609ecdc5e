//! Owns single files: each appears under its name whole or not at all.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::{borrow::Cow, fs::File, io};

use thiserror::Error;

use super::{durable, durable::folder_of, run::RunKind, stage::Stage};
use crate::chess::text::{first_named, full_path, printable};

/// Why a file or a folder cannot be written. Each has its path first, and what the system says last.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("{} is not a directory", full_path(.0))]
    NotADirectory(PathBuf),
    /// A file is wanted, and something else has its name: a directory, a device, a pipe.
    #[error("{} is not a file", full_path(.0))]
    NotAFile(PathBuf),
    #[error("cannot write {}: there is no folder {}", full_path(.0), full_path(.1))]
    NoFolder(PathBuf, PathBuf),
    #[error("cannot create directory {}", full_path(.0))]
    Create(PathBuf, #[source] io::Error),
    /// The directory is there but takes no file: permissions, a read-only or a full disk.
    #[error("cannot write into directory {}", full_path(.0))]
    NotWritable(PathBuf, #[source] io::Error),
    /// The folder has files, one at least, that no run of ours has left, or that have changed since.
    #[error("{}: {} not written by an earlier run, or changed since", full_path(.0), files_are(.1))]
    Foreign(PathBuf, Vec<String>),
    #[error("{}: holds {} of an earlier run", full_path(.0), .1)]
    OtherKind(PathBuf, RunKind),
    /// A file that the user named for writing is one that this program has not written, or that has changed since.
    #[error("{} is there already, and was not written by {}, or changed since", full_path(.0), .1)]
    ForeignNamed(PathBuf, Cow<'static, str>),
    /// A file that the user named for writing is there, and nothing in it would tell whether it is one of ours.
    #[error("{} is there already", full_path(.0))]
    Taken(PathBuf),
    /// A file that the user named for writing is read too.
    #[error("{} is one of the files that are read", full_path(.0))]
    Input(PathBuf),
    #[error("cannot read {}", full_path(.0))]
    Read(PathBuf, #[source] io::Error),
    /// A file could not be written to its end; nothing stands under its name.
    #[error("cannot write {}", full_path(.0))]
    Write(PathBuf, #[source] io::Error),
    #[error("cannot remove {}", full_path(.0))]
    Remove(PathBuf, #[source] io::Error),
}

impl FileError {
    /// Tells whether another path on the command line mends it, rather than another state of the disk.
    pub fn is_of_the_path(&self) -> bool {
        use FileError::{Create, NotWritable, Read, Remove, Write};
        match self {
            // A file, or a link to nothing, stands where a folder would.
            Create(_, source) => {
                matches!(source.kind(), io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists)
            }
            other => !matches!(other, NotWritable(..) | Read(..) | Write(..) | Remove(..)),
        }
    }
}

fn files_are(files: &[String]) -> String {
    let named = first_named(files.iter().map(|name| printable(name)), ", ");
    format!("{named} {}", if files.len() == 1 { "was" } else { "were" })
}

/// Checks that a file can be made at `path`, without making it.
pub fn check_writable(path: &Path) -> Result<(), FileError> {
    if path.exists() && !path.is_file() {
        return Err(FileError::NotAFile(path.to_owned()));
    }
    let target = target(path);
    let folder = folder_of(&target);
    if !folder.is_dir() {
        return Err(FileError::NoFolder(path.to_owned(), folder.to_owned()));
    }
    probe(folder).map_err(|source| FileError::Write(path.to_owned(), source))
}

/// The files that may be overwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overwrite {
    #[default]
    Ours,
    Any,
}

impl Overwrite {
    /// Allows any file where the user has forced it, else only ours.
    pub fn forced(force: bool) -> Overwrite {
        if force { Overwrite::Any } else { Overwrite::Ours }
    }
}

/// A file that the user has named for writing. One that is read as well is never written, and one that is there only if it
/// is ours, or the user forces it. A link stands for what it leads to.
#[derive(Debug, Clone, Copy)]
pub struct NamedFile<'a> {
    pub path: &'a Path,
    pub overwrite: Overwrite,
    /// The files and folders that are read.
    pub inputs: &'a [PathBuf],
}

impl NamedFile<'_> {
    /// Checks that the file can be written and is not there: for files that do not tell whose they are.
    pub fn check_absent(&self) -> Result<(), FileError> {
        self.check_kind(FileError::Taken, |_| false)
    }

    /// Checks that the file can be written, where `is_ours` tells whether one that is there is of a kind of ours, named by
    /// `writer`.
    pub fn check(
        &self,
        writer: impl Into<Cow<'static, str>>,
        is_ours: impl FnOnce(&Path) -> bool,
    ) -> Result<(), FileError> {
        self.check_kind(|path| FileError::ForeignNamed(path, writer.into()), is_ours)
    }

    fn check_kind(
        &self,
        foreign: impl FnOnce(PathBuf) -> FileError,
        is_ours: impl FnOnce(&Path) -> bool,
    ) -> Result<(), FileError> {
        let target = target(self.path);
        let is_read = |input: &PathBuf| input.canonicalize().is_ok_and(|input| input == target);
        if target.exists() && self.inputs.iter().any(is_read) {
            return Err(FileError::Input(self.path.to_owned()));
        }
        check_writable(self.path)?;
        match self.overwrite == Overwrite::Ours && target.exists() && !is_ours(&target) {
            true => Err(foreign(self.path.to_owned())),
            false => Ok(()),
        }
    }
}

/// Writes a file that appears under its name only when `content` is complete, in the place of whatever file or link has
/// that name, and is on the disk when this returns.
pub fn write_file<E: From<FileError>>(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<&mut File>) -> Result<(), E>,
) -> Result<(), E> {
    Ok(StagedNamedFile::at(path.to_owned(), content)?.publish()?)
}

/// A file that is complete and on the disk, and not yet under its name.
#[derive(Debug)]
pub(super) struct StagedNamedFile {
    path: PathBuf,
    stage: Stage,
}

impl StagedNamedFile {
    /// Writes what will take the place of the file at `path`, or of that which a link there leads to.
    pub fn write(
        path: &Path,
        content: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
    ) -> Result<StagedNamedFile, FileError> {
        let failed = |source| FileError::Write(path.to_owned(), source);
        StagedNamedFile::at(target(path), |file| content(file).map_err(failed))
    }

    fn at<E: From<FileError>>(
        path: PathBuf,
        content: impl FnOnce(&mut BufWriter<&mut File>) -> Result<(), E>,
    ) -> Result<StagedNamedFile, E> {
        let failed = |source| FileError::Write(path.clone(), source);
        let stage = Stage::new(folder_of(&path)).map_err(failed)?;
        let staged = StagedNamedFile { path: path.clone(), stage };
        let mut file = File::create_new(staged.path()).map_err(failed)?;
        let mut writer = BufWriter::new(&mut file);
        content(&mut writer)?;
        writer.flush().map_err(failed)?;
        drop(writer);
        durable::sync(&file, &staged.path()).map_err(failed)?;
        Ok(staged)
    }

    /// Returns where it is until it has its name.
    pub fn path(&self) -> PathBuf {
        self.stage.path().join("file")
    }

    /// Gives it its name.
    pub fn publish(&self) -> Result<(), FileError> {
        let failed = |source| FileError::Write(self.path.clone(), source);
        durable::persist(&self.path(), &self.path).map_err(failed)
    }
}

/// Does the same for a file that the user has named: a link stays one, and what it leads to is written.
pub fn write_named_file(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
) -> Result<(), FileError> {
    StagedNamedFile::write(path, content)?.publish()
}

/// Returns what a symbolic link leads to, so that the link stays one.
pub(super) fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Writes a little into `directory` and takes it away again.
pub(super) fn probe(directory: &Path) -> io::Result<()> {
    Stage::new(directory).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::output::stage::PREFIX;

    #[test]
    fn a_missing_folder_is_named_and_no_temporary_file_is() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let path = temp.path().join("none/games.pgn");
        let error = check_writable(&path).expect_err("no folder").to_string();
        assert!(error.ends_with("none"), "{error}");
        let error = write_file::<FileError>(&path, |_| Ok(())).expect_err("no folder");
        let error = crate::chess::text::with_causes(&error);
        assert!(error.contains("games.pgn: ") && !error.contains(PREFIX), "{error}");
        let error = check_writable(temp.path()).expect_err("a folder").to_string();
        assert!(error.ends_with("is not a file"), "{error}");
    }
}
