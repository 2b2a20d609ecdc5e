//! [`Publication`]: the files of a run, which replace the files of earlier runs only when all of them are
//! complete.

use std::path::{Path, PathBuf};
use std::{collections::BTreeMap, fs, fs::File, io, io::BufWriter, sync::Arc, sync::Mutex};

use serde::Serialize;

use super::{
    durable, durable::BackgroundSync, file::FileError, file::StagedNamedFile, file::write_file,
    folder::Listed, folder::OutputFolder, folder::create_folder, mark::FileMark, mark::StagedFile,
    run::FileList, run::RunRecord, run::sealed, stage::Stage,
};

/// New files for a folder. [`Publication::finish`] moves them into the folder. If the publication is dropped
/// before that, the folder stays unchanged.
#[derive(Debug)]
pub struct Publication<'f> {
    folder: &'f OutputFolder,
    /// The folder of unfinished files. It is inside the destination, so that a rename moves the files.
    stage: Stage,
    written: Mutex<BTreeMap<String, FileMark>>,
    syncing: BackgroundSync,
    /// Facts written into each file whose format has metadata.
    facts: Vec<(String, String)>,
    outside: Mutex<Vec<OutsideFile>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Published {
    /// Paths of the written files. The last path is that of the record.
    pub written: Vec<PathBuf>,
    /// Names of the removed files. Earlier runs wrote these files, and this run did not write them again.
    pub removed: Vec<String>,
}

#[derive(Serialize)]
struct WrittenRecord<'a, F> {
    #[serde(flatten)]
    run: &'a RunRecord<F>,
    #[serde(flatten)]
    list: &'a FileList,
}

impl OutputFolder {
    /// Begins writing the files of a run. The folder's existing files stay unchanged until all new files are
    /// complete.
    pub fn publication(&self) -> Result<Publication<'_>, FileError> {
        // If the folder was removed meanwhile, it is made again, so that the results are not lost.
        create_folder(self.path())?;
        let failed = |source| FileError::NotWritable(self.path().to_owned(), source);
        let stage = Stage::new(self.path()).map_err(failed)?;
        let syncing = BackgroundSync::begin().map_err(failed)?;
        let (written, outside) = (Mutex::default(), Mutex::default());
        Ok(Publication { folder: self, stage, written, syncing, facts: Vec::new(), outside })
    }
}

impl Publication<'_> {
    /// Adds a fact: a name with a value. File formats with metadata store the facts.
    pub fn saying(mut self, name: &str, fact: String) -> Self {
        self.facts.push((name.to_owned(), fact));
        self
    }

    pub fn facts(&self) -> &[(String, String)] {
        &self.facts
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes the file `name` into a temporary folder. [`Publication::finish`] moves it into the folder of
    /// the run.
    pub fn write(
        &self,
        name: &str,
        content: impl FnOnce(&mut StagedFile) -> io::Result<()>,
    ) -> Result<(), FileError> {
        let failed = |source| FileError::Write(self.folder().join(name), source);
        self.try_write(name, |file| content(file).map_err(failed))
    }

    /// Writes the file `name` like [`Publication::write`]. The errors of `content` may have a type of their
    /// own.
    pub fn try_write<E: From<FileError>>(
        &self,
        name: &str,
        content: impl FnOnce(&mut StagedFile) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |source| FileError::Write(self.folder().join(name), source);
        let path = self.stage.path().join(name);
        let mut file = StagedFile::new(File::create(&path).map_err(failed)?);
        content(&mut file)?;
        let mark = file.finish().map_err(failed)?;
        self.syncing.add(path);
        self.written.lock().expect("a lock that no panic has poisoned").insert(name.to_owned(), mark);
        Ok(())
    }

    /// Adds a file outside the folder. [`Publication::finish`] lists it in the record and renames it into
    /// place with the files of the folder.
    pub fn add_outside(&self, file: OutsideFile) {
        self.outside.lock().expect("a lock that no panic has poisoned").push(file);
    }

    /// Writes the record of the `run`, renames the files into place, and removes stale files of earlier runs.
    ///
    /// Until all files are in place, the record lists the old and the new files, including files outside the
    /// folder. So a later run recognizes all files even if this process is killed before the end.
    pub fn finish<F: Serialize>(self, run: &RunRecord<F>) -> Result<Published, FileError> {
        let Publication { folder, stage, written, syncing, outside, .. } = self;
        let failed = |source| FileError::NotWritable(folder.path().to_owned(), source);
        syncing.finish().map_err(failed)?;
        let files = written.into_inner().expect("a lock that no panic has poisoned");
        // If two runs end at the same time, the second run waits here.
        let _one_at_a_time = File::open(folder.path()).and_then(|path| path.lock().map(|()| path)).ok();
        let listed = Listed::read(folder.path());
        folder.check(files.keys().cloned(), &listed)?;
        let (replaced, records) = listed.replaced_by(folder.kind());
        let mut known = listed.outside();
        let outside = outside.into_inner().expect("a lock that no panic has poisoned");
        let mut replaced_outside: Vec<FileMark> = listed.replaced_outside();
        for file in &outside {
            replaced_outside.extend(known.insert(file.name(), file.mark.clone()));
        }
        let mut list = FileList { files, replaced, outside: known, replaced_outside };
        write_record(folder, run, &list)?;
        outside.iter().try_for_each(OutsideFile::publish)?;
        for name in list.files.keys() {
            let path = folder.path().join(name);
            let moved = durable::rename_synced(&stage.path().join(name), &path);
            moved.map_err(|source| FileError::Write(path, source))?;
        }
        // Otherwise a power failure could keep the removals and lose the new files.
        durable::sync_folder(folder.path()).map_err(failed)?;
        let removed = remove_stale(folder, &list)?;
        for record in records.into_iter().filter(|record| *record != folder.kind().record()) {
            remove(folder.path().join(record))?;
        }
        let is_provisional = !list.replaced.is_empty() || !list.replaced_outside.is_empty();
        if is_provisional {
            list = FileList { replaced: BTreeMap::new(), replaced_outside: Vec::new(), ..list };
            write_record(folder, run, &list)?;
        }
        let names = list.files.into_keys().chain([folder.kind().record().to_owned()]);
        Ok(Published { written: names.map(|name| folder.path().join(name)).collect(), removed })
    }
}

fn write_record<F: Serialize>(
    folder: &OutputFolder,
    run: &RunRecord<F>,
    list: &FileList,
) -> Result<(), FileError> {
    let path = folder.path().join(folder.kind().record());
    write_file(&path, |file| {
        let failed = |source: io::Error| FileError::Write(path.clone(), source);
        let text = sealed(&WrittenRecord { run, list }).map_err(|error| failed(error.into()))?;
        io::Write::write_all(file, text.as_bytes()).map_err(failed)
    })
}

/// Removes files of earlier runs that this run did not write, unless they have changed. Returns the names of
/// the removed files.
fn remove_stale(folder: &OutputFolder, list: &FileList) -> Result<Vec<String>, FileError> {
    let mut removed = Vec::new();
    for (name, marks) in list.replaced.iter().filter(|(name, _)| !list.files.contains_key(*name)) {
        let path = folder.path().join(name);
        if marks.iter().any(|mark| mark.is_of(&path).unwrap_or(false)) {
            remove(path)?;
            removed.push(name.clone());
        }
    }
    Ok(removed)
}

/// Removes a file; a missing file is not an error.
fn remove(path: PathBuf) -> Result<(), FileError> {
    match fs::remove_file(&path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(FileError::Remove(path, source)),
        _ => Ok(()),
    }
}

/// A file that a run writes outside its folder. The record in the folder lists the file's size and digest. So
/// a foreign or changed file is overwritten only by force, as in the folder.
///
/// Several reports may list the same file. The first report that is published renames the file into place.
#[derive(Debug, Clone)]
pub struct OutsideFile {
    path: PathBuf,
    mark: FileMark,
    /// The complete file under its temporary name.
    staged: Arc<StagedNamedFile>,
}

impl OutsideFile {
    /// Writes the file under a temporary name. [`Publication::finish`] renames it.
    pub fn write(
        path: &Path,
        content: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
    ) -> Result<OutsideFile, FileError> {
        let staged = StagedNamedFile::write(path, content)?;
        let read = |source| FileError::Read(path.to_owned(), source);
        let mark = FileMark::of(&staged.path()).map_err(read)?;
        Ok(OutsideFile { path: path.to_owned(), mark, staged: Arc::new(staged) })
    }

    fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    fn publish(&self) -> Result<(), FileError> {
        // If the temporary file is gone, another report has already renamed it.
        if self.staged.path().exists() { self.staged.publish() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::base::output::{NoFacts, Overwrite, RunClock, RunKind};

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    /// Publishes `files`, all with the same `text`.
    fn publish(folder: &Path, files: &[&str], text: &str) -> Result<(), FileError> {
        let names = files.iter().map(|&name| name.to_owned());
        let folder = OutputFolder::claim(folder, RunKind::Report, Overwrite::Ours, names)?;
        let out = folder.publication()?;
        for name in files {
            out.write(name, |file| file.write_all(text.as_bytes()))?;
        }
        out.finish(&RunClock::start().record(RunKind::Report, NoFacts::default())).map(|_| ())
    }

    #[test]
    fn after_a_kill_between_two_files_old_and_new_ones_are_known_as_ours() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let record = || -> serde_json::Value {
            let text = fs::read_to_string(temp.path().join("run.json")).expect("a record");
            serde_json::from_str(&text).expect("JSON")
        };
        publish(temp.path(), &["a", "b", "c"], "old").expect("room");
        let old = record()["files"].clone();
        publish(temp.path(), &["a", "b"], "new").expect("room");
        assert_eq!(names(temp.path()), ["a", "b", "run.json"]);
        // Simulate a kill of the second run after it renamed `a` and before it removed anything.
        let marks = old
            .as_object()
            .expect("files")
            .iter()
            .map(|(name, mark)| (name.clone(), vec![mark.clone()].into()));
        let mut killed = record();
        killed.as_object_mut().expect("fields").remove("record_digest");
        killed["replaced"] = serde_json::Value::Object(marks.collect());
        fs::write(temp.path().join("run.json"), sealed(&killed).expect("JSON")).expect("room");
        for name in ["b", "c"] {
            fs::write(temp.path().join(name), "old").expect("room");
        }
        publish(temp.path(), &["a"], "newer").expect("all of it is ours");
        assert_eq!(names(temp.path()), ["a", "run.json"]);
        assert!(record().get("replaced").is_none());
    }

    #[test]
    fn what_is_not_finished_leaves_the_folder_as_it_was() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        publish(temp.path(), &["a"], "old").expect("room");
        let folder =
            OutputFolder::claim(temp.path(), RunKind::Report, Overwrite::Ours, []).expect("a folder");
        let out = folder.publication().expect("room");
        out.write("a", |file| file.write_all(b"half of the new")).expect("room");
        assert!(out.write("b", |_| Err(io::Error::other("no"))).is_err());
        drop(out);
        assert_eq!(names(temp.path()), ["a", "run.json"]);
        assert_eq!(fs::read_to_string(temp.path().join("a")).expect("a file"), "old");
    }

    #[test]
    fn a_file_that_came_meanwhile_is_not_overwritten() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let folder =
            OutputFolder::claim(temp.path(), RunKind::Report, Overwrite::Ours, []).expect("a folder");
        let out = folder.publication().expect("room");
        out.write("a", |file| file.write_all(b"ours")).expect("room");
        fs::write(temp.path().join("a"), "mine").expect("room");
        let finished = out.finish(&RunClock::start().record(RunKind::Report, NoFacts::default()));
        assert!(matches!(finished, Err(FileError::Foreign(..))), "{finished:?}");
        assert_eq!(fs::read_to_string(temp.path().join("a")).expect("a file"), "mine");
    }

    #[test]
    fn after_an_end_between_the_record_and_a_file_elsewhere_the_same_run_is_possible() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let (path, out) = (temp.path().join("games.pgn"), temp.path().join("out"));
        let run = |text: &str, before_the_end: &dyn Fn()| -> Result<(), FileError> {
            let folder = OutputFolder::claim(&out, RunKind::Report, Overwrite::Ours, [])?;
            folder.check_outside(&path)?;
            let publication = folder.publication()?;
            publication.add_outside(OutsideFile::write(&path, |file| file.write_all(text.as_bytes()))?);
            before_the_end();
            publication.finish(&RunClock::start().record(RunKind::Report, NoFacts::default())).map(|_| ())
        };
        run("one", &|| assert!(!path.exists(), "the record comes first")).expect("nothing is there");
        // The file cannot be renamed, because a folder has its name.
        let in_the_way = || {
            fs::remove_file(&path).expect("a file");
            fs::create_dir(&path).expect("room");
        };
        run("two", &in_the_way).expect_err("a folder is in the way");
        fs::remove_dir(&path).expect("a folder");
        for left in ["one", "two"] {
            fs::write(&path, left).expect("room");
            run("two", &|| {}).expect("the file of the run before, or that of this one");
            assert_eq!(fs::read_to_string(&path).expect("a file"), "two");
            run("one", &|| {}).expect("its own");
            run("two", &in_the_way).expect_err("a folder is in the way");
            fs::remove_dir(&path).expect("a folder");
        }
        run("two", &|| {}).expect("nothing is there");
        fs::write(&path, "one").expect("room");
        run("three", &|| {}).expect_err("only what was there before is ours");
    }

    #[test]
    fn a_file_elsewhere_is_ours_until_a_byte_of_it_changes() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let (path, out) = (temp.path().join("games.pgn"), temp.path().join("out"));
        let run = |overwrite, text: &str, writes: bool| -> Result<(), FileError> {
            let folder = OutputFolder::claim(&out, RunKind::Report, overwrite, [])?;
            let publication = folder.publication()?;
            if writes {
                folder.check_outside(&path)?;
                let file = OutsideFile::write(&path, |file| file.write_all(text.as_bytes()))?;
                publication.add_outside(file);
            }
            publication.finish(&RunClock::start().record(RunKind::Report, NoFacts::default())).map(|_| ())
        };
        run(Overwrite::Ours, "one", true).expect("nothing is there");
        run(Overwrite::Ours, "", false).expect("a run that writes nothing elsewhere");
        run(Overwrite::Ours, "two", true).expect("the first run's");
        fs::write(&path, "my own notes").expect("room");
        let refused = run(Overwrite::Ours, "three", true);
        assert!(matches!(refused, Err(FileError::ForeignNamed(..))), "{refused:?}");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "my own notes");
        run(Overwrite::Any, "four", true).expect("by force");
    }
}
