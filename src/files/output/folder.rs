//! Owns [`OutputFolder`]: the folder that a run publishes its files in, and which files in it are ours.
//!
//! One rule for every verb. A record ([`RunRecord`](super::RunRecord)) lists the files of its run with size and
//! digest. A file that no record lists, or that has changed since, is not ours: it is never removed, and never
//! overwritten unless the user forces it, and that is found out before the long work. What is ours is replaced
//! by the next run of the same kind: its files take the place of all that the records list, and what it does not
//! write is removed as stale. What a run of another kind has left may have taken hours, and is replaced only
//! where the user forces it. Only a report and a study of its sensitivity stand beside each other, each with a
//! record of its own, and the games of an engine against itself are listed by none: they are added to, and go
//! with `experiment.json`.

use std::path::{Path, PathBuf};
use std::{collections::BTreeMap, fs};

use serde::Deserialize;

use crate::chess::input_file;

use super::{
    file::FileError, file::NamedFile, file::Overwrite, file::probe, mark::FileMark, run::FileList,
    run::RunKind, run::is_unbroken,
};
use crate::chess::text::full_path;

/// A folder that existed and could be written to when this value was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFolder {
    path: PathBuf,
    kind: RunKind,
    overwrite: Overwrite,
}

impl OutputFolder {
    /// Makes the folder at `path` ready for a run of that `kind`, which may write files of these `names`, with its
    /// parents where it is missing. A file is written and removed again, so that a folder that takes none is
    /// known before hours of search.
    pub fn claim(
        path: impl Into<PathBuf>,
        kind: RunKind,
        overwrite: Overwrite,
        names: impl IntoIterator<Item = String>,
    ) -> Result<OutputFolder, FileError> {
        let path = path.into();
        create_folder(&path)?;
        let folder = OutputFolder { path, kind, overwrite };
        folder.check(names, &Listed::read(&folder.path))?;
        Ok(folder)
    }

    /// Checks that the run may write files of these `names`, where the records list what they list.
    pub(super) fn check(
        &self,
        names: impl IntoIterator<Item = String>,
        listed: &Listed,
    ) -> Result<(), FileError> {
        if let Some(kind) = listed.of_another_kind(self.kind).filter(|_| self.overwrite == Overwrite::Ours) {
            return Err(FileError::OtherKind(self.path.clone(), kind));
        }
        let mut foreign = Vec::new();
        for name in names.into_iter().chain([self.kind.record().to_owned()]) {
            let path = self.path.join(&name);
            match path.symlink_metadata() {
                Ok(data) if data.is_dir() => return Err(FileError::NotAFile(path)),
                Ok(_) if self.overwrite == Overwrite::Ours && !listed.is_ours(&self.path, &name)? => {
                    foreign.push(name);
                }
                _ => {}
            }
        }
        match foreign.is_empty() {
            true => Ok(()),
            false => Err(FileError::Foreign(self.path.clone(), foreign)),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that a run into this folder, which reads `inputs`, may write a file at `path`, which is elsewhere.
    pub fn check_beside(&self, path: &Path, inputs: &[PathBuf]) -> Result<(), FileError> {
        let writer = format!("an earlier run into {}", full_path(&self.path));
        let is_listed = |path: &Path| Listed::read(&self.path).has_beside(path);
        NamedFile { path, overwrite: self.overwrite, inputs }.check(writer, is_listed)
    }

    pub fn kind(&self) -> RunKind {
        self.kind
    }
}

/// Makes the folder at `path` with its parents, and finds out that it takes files.
pub fn create_folder(path: &Path) -> Result<(), FileError> {
    if path.exists() && !path.is_dir() {
        return Err(FileError::NotADirectory(path.to_owned()));
    }
    fs::create_dir_all(path).map_err(|source| FileError::Create(path.to_owned(), source))?;
    probe(path).map_err(|source| FileError::NotWritable(path.to_owned(), source))
}

/// What the records in a folder list.
#[derive(Debug, Default)]
pub(super) struct Listed {
    records: BTreeMap<&'static str, RecordHead>,
}

/// The part of a record that is read back.
#[derive(Debug, Deserialize)]
struct RecordHead {
    kind: RunKind,
    #[serde(flatten)]
    list: FileList,
}

impl Listed {
    /// Reads the records in `folder`; what is no record of ours lists nothing.
    pub fn read(folder: &Path) -> Listed {
        let read = |name: &'static str| {
            let path = folder.join(name);
            let is_file = path.symlink_metadata().is_ok_and(|data| data.is_file());
            let text = is_file.then(|| fs::read(path).ok()).flatten().filter(|text| is_unbroken(text))?;
            let mut record: RecordHead = serde_json::from_slice(&text).ok()?;
            // Whoever wrote it, nothing outside of the folder is meant.
            record.list.files.retain(|name, _| is_plain(name));
            record.list.replaced.retain(|name, _| is_plain(name));
            Some((name, record))
        };
        Listed { records: RunKind::RECORDS.into_iter().filter_map(read).collect() }
    }

    /// Returns the path of a record in `folder` that has changed since its run wrote it, if there is one.
    pub fn broken(folder: &Path) -> Option<PathBuf> {
        let mut paths = RunKind::RECORDS.into_iter().map(|name| folder.join(name));
        paths.find(|path| input_file::read(path, input_file::SETTINGS).is_ok_and(|text| !is_unbroken(&text)))
    }

    pub fn lists(&self) -> impl Iterator<Item = &FileList> {
        self.records.values().map(|record| &record.list)
    }

    /// Returns what is there that a run of that `kind` neither replaces nor stands beside.
    pub fn of_another_kind(&self, kind: RunKind) -> Option<RunKind> {
        let mut kinds = self.records.values().map(|record| record.kind);
        kinds.find(|&other| !kind.replaces(other) && !kind.stands_beside(other))
    }

    /// Tells whether the file of that name in `folder` is as a run of ours has left it.
    pub fn is_ours(&self, folder: &Path, name: &str) -> Result<bool, FileError> {
        if self.records.contains_key(name) {
            return Ok(true);
        }
        let path = folder.join(name);
        for (_, mark) in self.lists().flat_map(|list| list.marks(name)) {
            match mark.is_of(&path) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(source) => return Err(FileError::Read(path, source)),
            }
        }
        Ok(false)
    }

    /// Tells whether the file at `path` is as a run has left it outside of the folder.
    pub fn has_beside(&self, path: &Path) -> bool {
        let mut marks = self.lists().flat_map(|list| list.beside.values().chain(&list.replaced_beside));
        marks.any(|mark| mark.is_of(path).unwrap_or(false))
    }

    /// Returns what runs have left outside of the folder, by path.
    pub fn beside(&self) -> BTreeMap<String, FileMark> {
        self.records.values().flat_map(|record| record.list.beside.clone()).collect()
    }

    /// Returns what was outside of the folder before a run that was killed while its files took their names.
    pub fn replaced_beside(&self) -> Vec<FileMark> {
        self.lists().flat_map(|list| list.replaced_beside.clone()).collect()
    }

    /// Returns what a run of that `kind` replaces: the files of every record that it does not stand beside, with
    /// their marks, and the records themselves.
    pub fn replaced_by(&self, kind: RunKind) -> (BTreeMap<String, Vec<FileMark>>, Vec<&'static str>) {
        let (mut files, mut records) = (BTreeMap::<String, Vec<FileMark>>::new(), Vec::new());
        for (&name, record) in self.records.iter().filter(|(_, record)| !kind.stands_beside(record.kind)) {
            for file in record.list.files.keys().chain(record.list.replaced.keys()) {
                let marks = files.entry(file.clone()).or_default();
                for (_, mark) in record.list.marks(file) {
                    if !marks.contains(mark) {
                        marks.push(mark.clone());
                    }
                }
            }
            records.push(name);
        }
        (files, records)
    }
}

/// Tells whether `name` is that of a file in the folder itself, and of no record.
fn is_plain(name: &str) -> bool {
    let path = Path::new(name);
    path.file_name().is_some_and(|last| last == path.as_os_str())
        && !name.contains(['/', '\\', ':', '\0'])
        && !RunKind::RECORDS.contains(&name)
}
