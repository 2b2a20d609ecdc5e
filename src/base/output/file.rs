//! Single output files, each of which appears under its name whole or not at all.

use std::{borrow::Cow, fs::File, io, io::BufWriter, io::Write, path::Path, path::PathBuf};

use thiserror::Error;

use super::{durable, durable::folder_of, run::RunKind, stage::Stage};
use crate::base::text::{first_named, full_path, printable};

/// The reason why a file or a folder cannot be written, read or removed. Each message names the path; the
/// system's error, if any, is the source.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("{} is not a directory", full_path(.0))]
    NotADirectory(PathBuf),
    /// The path is not a regular file but a directory, a device or a pipe.
    #[error("{} is not a file", full_path(.0))]
    NotAFile(PathBuf),
    #[error("cannot write {}: the folder {} is missing", full_path(.0), full_path(.1))]
    NoFolder(PathBuf, PathBuf),
    #[error("cannot create directory {}", full_path(.0))]
    Create(PathBuf, #[source] io::Error),
    /// The directory exists, but no file can be written in it: it is write-protected, or the disk is full or
    /// read-only.
    #[error("cannot write into directory {}", full_path(.0))]
    NotWritable(PathBuf, #[source] io::Error),
    /// The run would overwrite at least one file that no earlier run wrote, or that has changed since.
    #[error("{}: {} not written by an earlier run, or changed since", full_path(.0), files_are(.1))]
    Foreign(PathBuf, Vec<String>),
    #[error("{}: holds {} from an earlier run", full_path(.0), .1)]
    OtherKind(PathBuf, RunKind),
    /// An existing output file was not written by this program, or has changed since.
    #[error("{} already exists, but {} did not write it, or it has changed since", full_path(.0), .1)]
    ForeignNamed(PathBuf, Cow<'static, str>),
    /// An output file exists, and its format does not show whether this program wrote it.
    #[error("{} already exists", full_path(.0))]
    Taken(PathBuf),
    /// A file named by the user is one of the files of the run's folder.
    #[error("{} is a file of the results; name another file", full_path(.0))]
    OfResults(PathBuf),
    #[error("cannot read {}", full_path(.0))]
    Read(PathBuf, #[source] io::Error),
    /// A file could not be completed; nothing was written under its name.
    #[error("cannot write {}", full_path(.0))]
    Write(PathBuf, #[source] io::Error),
    #[error("cannot remove {}", full_path(.0))]
    Remove(PathBuf, #[source] io::Error),
}

impl FileError {
    /// Returns true if another path on the command line helps, false if the state of the disk must change.
    pub fn is_of_the_path(&self) -> bool {
        use FileError::{Create, NotWritable, Read, Remove, Write};
        match self {
            // The path of the folder is a file or a dangling link.
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

/// Checks that a file can be written at `path`, without writing it.
pub fn check_writable(path: &Path) -> Result<(), FileError> {
    if path.exists() && !path.is_file() {
        return Err(FileError::NotAFile(path.to_owned()));
    }
    let target = real(path);
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
    /// Allows any file if `force` is set, else only files of this program.
    pub fn forced(force: bool) -> Overwrite {
        if force { Overwrite::Any } else { Overwrite::Ours }
    }
}

/// An output file named by the user. An existing file is overwritten only if this program wrote it, or if the user forces
/// it. A link counts as its target.
#[derive(Debug, Clone, Copy)]
pub struct NamedFile<'a> {
    pub path: &'a Path,
    pub overwrite: Overwrite,
}

impl NamedFile<'_> {
    /// Checks that the file can be written and, unless any file may be overwritten, that it does not exist
    /// yet. This check is for formats that do not show which program wrote a file.
    pub fn check_absent(&self) -> Result<(), FileError> {
        self.check_kind(FileError::Taken, |_| false)
    }

    /// Checks that the file can be written. `is_ours` returns whether an existing file was written by
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
        let target = real(self.path);
        check_writable(self.path)?;
        match self.overwrite == Overwrite::Ours && target.exists() && !is_ours(&target) {
            true => Err(foreign(self.path.to_owned())),
            false => Ok(()),
        }
    }
}

/// Writes a file and syncs it. The file appears under its name only when it is complete, and replaces an
/// existing file or link.
pub fn write_file<E: From<FileError>>(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<&mut File>) -> Result<(), E>,
) -> Result<(), E> {
    Ok(StagedNamedFile::at(path.to_owned(), content)?.publish()?)
}

/// A complete file on disk, still under a temporary name.
#[derive(Debug)]
pub(super) struct StagedNamedFile {
    path: PathBuf,
    stage: Stage,
}

impl StagedNamedFile {
    /// Writes the new content of `path` to a temporary file, which [`StagedNamedFile::publish`] renames. If
    /// `path` is a link, the file will replace the link's target.
    pub fn write(
        path: &Path,
        content: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
    ) -> Result<StagedNamedFile, FileError> {
        let failed = |source| FileError::Write(path.to_owned(), source);
        StagedNamedFile::at(real(path), |file| content(file).map_err(failed))
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

    /// Returns the temporary path.
    pub fn path(&self) -> PathBuf {
        self.stage.path().join("file")
    }

    /// Renames the file to its final path.
    pub fn publish(&self) -> Result<(), FileError> {
        let failed = |source| FileError::Write(self.path.clone(), source);
        durable::persist(&self.path(), &self.path).map_err(failed)
    }
}

/// Writes a file like `write_file`. If `path` is a link, the link stays and its target is written.
pub fn write_named_file(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
) -> Result<(), FileError> {
    StagedNamedFile::write(path, content)?.publish()
}

/// Locks the folder of a file until the result is dropped; first waits for other programs that hold the lock.
/// So programs read, change and write the file one after the other. `None` if the system cannot lock folders.
pub fn hold_folder(path: &Path) -> Option<File> {
    let folder = File::open(folder_of(path)).ok()?;
    folder.lock().ok().map(|()| folder)
}

/// Returns the path with all links of its folder resolved, and the link of the file itself if its target exists, so that
/// writing keeps a link.
pub fn real(path: &Path) -> PathBuf {
    let in_folder = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

/// Makes and removes a temporary folder with a small file in `directory`.
pub(super) fn probe(directory: &Path) -> io::Result<()> {
    Stage::new(directory).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::output::stage::PREFIX;

    #[test]
    fn a_missing_folder_is_named_and_no_temporary_file_is() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let path = temp.path().join("none/games.pgn");
        let error = check_writable(&path).expect_err("no folder").to_string();
        assert!(error.ends_with("none is missing"), "{error}");
        let error = write_file::<FileError>(&path, |_| Ok(())).expect_err("no folder");
        let error = crate::base::text::with_causes(&error);
        assert!(error.contains("games.pgn: ") && !error.contains(PREFIX), "{error}");
        let error = check_writable(temp.path()).expect_err("a folder").to_string();
        assert!(error.ends_with("is not a file"), "{error}");
    }
}
