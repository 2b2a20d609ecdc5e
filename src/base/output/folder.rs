//! [`OutputFolder`]: the folder in which a run publishes its files, with the rule for existing files.
//!
//! One rule holds for every verb. A record ([`RunRecord`](super::RunRecord)) lists the files of its run with
//! size and digest. A file that is in no record, or that has changed since, is foreign. A run never removes a
//! foreign file, and overwrites it only if the user forces it. The run checks this before the long work.
//!
//! A run replaces the files of earlier runs of the same kind, and removes their files that it does not write
//! again. It replaces the files of another kind of run, which may have taken hours, only if the user forces
//! it. A report and its sensitivity study can share a folder; each has its own record. Game files of an
//! experiment are in no record, because later runs append games to them. They belong to `experiment.json`.

use std::{collections::BTreeMap, fs, path::Path, path::PathBuf};

use serde::Deserialize;

use crate::base::input_file;

use super::{
    file::FileError, file::NamedFile, file::Overwrite, file::probe, file::real, mark::FileMark,
    run::FileList, run::RunKind, run::is_unbroken,
};
use crate::base::text::full_path;

/// A folder that existed and was writable when this value was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFolder {
    path: PathBuf,
    kind: RunKind,
    overwrite: Overwrite,
    /// The names of the files that the run may write.
    names: Vec<String>,
    /// The folders that were made for this run, the deepest first.
    made: Vec<PathBuf>,
}

impl Drop for OutputFolder {
    /// Removes the folders that were made for the run and are still empty, as after a failure.
    fn drop(&mut self) {
        let is_removed = |path: &PathBuf| fs::remove_dir(path).is_ok();
        let _ = self.made.iter().take_while(|path| is_removed(path)).count();
    }
}

impl OutputFolder {
    /// Prepares the folder at `path` for a run of this `kind`, which may write files of these `names`.
    /// Missing folders are created. A test file is written and removed again, so that an unwritable folder is
    /// found before hours of search.
    pub fn claim(
        path: impl Into<PathBuf>,
        kind: RunKind,
        overwrite: Overwrite,
        names: impl IntoIterator<Item = String>,
    ) -> Result<OutputFolder, FileError> {
        let path = path.into();
        let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let made = path.ancestors().take_while(missing).map(Path::to_owned).collect();
        create_folder(&path)?;
        let names = names.into_iter().collect();
        let folder = OutputFolder { path, kind, overwrite, names, made };
        folder.check(folder.names.iter().cloned(), &Listed::read(&folder.path))?;
        Ok(folder)
    }

    /// Checks that the run may write files of these `names`, given the existing records.
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

    /// Checks that a run into this folder may write a file at `path`, which is none of the folder's own.
    pub fn check_outside(&self, path: &Path) -> Result<(), FileError> {
        let real = real(path);
        let own = self.names.iter().map(String::as_str).chain(RunKind::RECORDS);
        if own.into_iter().any(|name| real == self::real(&self.path.join(name))) {
            return Err(FileError::OfResults(path.to_owned()));
        }
        let writer = format!("an earlier run into {}", full_path(&self.path));
        let is_listed = |path: &Path| Listed::read(&self.path).has_outside(path);
        NamedFile { path, overwrite: self.overwrite }.check(writer, is_listed)
    }

    pub fn kind(&self) -> RunKind {
        self.kind
    }
}

/// Creates the folder at `path` with its parents, and checks that it is writable.
pub fn create_folder(path: &Path) -> Result<(), FileError> {
    if path.exists() && !path.is_dir() {
        return Err(FileError::NotADirectory(path.to_owned()));
    }
    fs::create_dir_all(path).map_err(|source| FileError::Create(path.to_owned(), source))?;
    probe(path).map_err(|source| FileError::NotWritable(path.to_owned(), source))
}

/// The contents of the records in a folder.
#[derive(Debug, Default)]
pub(super) struct Listed {
    records: BTreeMap<&'static str, RecordHead>,
}

/// The part of a record that later runs read.
#[derive(Debug, Deserialize)]
struct RecordHead {
    kind: RunKind,
    #[serde(flatten)]
    list: FileList,
}

impl Listed {
    /// Reads the records in `folder`. An invalid record counts as missing.
    pub fn read(folder: &Path) -> Listed {
        let read = |name: &'static str| {
            let path = folder.join(name);
            let is_file = path.symlink_metadata().is_ok_and(|data| data.is_file());
            let text = is_file.then(|| fs::read(path).ok()).flatten().filter(|text| is_unbroken(text))?;
            let mut record: RecordHead = serde_json::from_slice(&text).ok()?;
            // Names that lead outside the folder are ignored, whatever wrote them.
            record.list.files.retain(|name, _| is_plain(name));
            record.list.replaced.retain(|name, _| is_plain(name));
            Some((name, record))
        };
        Listed { records: RunKind::RECORDS.into_iter().filter_map(read).collect() }
    }

    /// Returns the path of a record in `folder` that has changed since its run wrote it, if any.
    pub fn broken(folder: &Path) -> Option<PathBuf> {
        let mut paths = RunKind::RECORDS.into_iter().map(|name| folder.join(name));
        paths.find(|path| input_file::read(path, input_file::SETTINGS).is_ok_and(|text| !is_unbroken(&text)))
    }

    pub fn lists(&self) -> impl Iterator<Item = &FileList> {
        self.records.values().map(|record| &record.list)
    }

    /// Returns the kind of an earlier run that a run of `kind` may neither replace nor share the folder with;
    /// `None` if there is no such run.
    pub fn of_another_kind(&self, kind: RunKind) -> Option<RunKind> {
        let mut kinds = self.records.values().map(|record| record.kind);
        kinds.find(|&other| !kind.replaces(other) && !kind.may_share_folder(other))
    }

    /// Returns whether `name` is a valid record, or a file in `folder` that is unchanged since a run wrote
    /// it.
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

    /// Returns whether the file at `path`, outside the folder, has the size and digest of a file that a run
    /// wrote outside the folder.
    pub fn has_outside(&self, path: &Path) -> bool {
        let mut marks = self.lists().flat_map(|list| list.outside.values().chain(&list.replaced_outside));
        marks.any(|mark| mark.is_of(path).unwrap_or(false))
    }

    /// Returns the files that runs wrote outside the folder, by path.
    pub fn outside(&self) -> BTreeMap<String, FileMark> {
        self.records.values().flat_map(|record| record.list.outside.clone()).collect()
    }

    /// Returns the marks of outside files that a killed run was about to replace.
    pub fn replaced_outside(&self) -> Vec<FileMark> {
        self.lists().flat_map(|list| list.replaced_outside.clone()).collect()
    }

    /// Returns the files and the records that a run of this `kind` replaces: those of all runs that cannot
    /// share the folder with it. Each file comes with its marks.
    pub fn replaced_by(&self, kind: RunKind) -> (BTreeMap<String, Vec<FileMark>>, Vec<&'static str>) {
        let (mut files, mut records) = (BTreeMap::<String, Vec<FileMark>>::new(), Vec::new());
        for (&name, record) in self.records.iter().filter(|(_, record)| !kind.may_share_folder(record.kind)) {
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

/// Returns whether `name` is a file name without a folder, and not the name of a record. Colons and
/// backslashes are rejected on every system.
fn is_plain(name: &str) -> bool {
    let path = Path::new(name);
    path.file_name().is_some_and(|last| last == path.as_os_str())
        && !name.contains(['/', '\\', ':', '\0'])
        && !RunKind::RECORDS.contains(&name)
}
