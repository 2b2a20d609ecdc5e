//! Owns the output directory: a folder that takes files, and gives up those that are stale.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::BufWriter,
    path::{Path, PathBuf},
    time::Duration,
};

use super::file::{FileError, TEMPORARY, probe, write_file};

/// A directory that existed and could be written to when this value was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputDir {
    path: PathBuf,
}

impl OutputDir {
    /// The directory at `path`, made with its parents where it is missing. A file is written and
    /// removed again, so that a directory that takes none is known before hours of search.
    pub fn create(path: impl Into<PathBuf>) -> Result<OutputDir, FileError> {
        let path = path.into();
        if path.exists() && !path.is_dir() {
            return Err(FileError::NotADirectory { path });
        }
        if let Err(source) = fs::create_dir_all(&path) {
            return Err(FileError::Create { path, source });
        }
        if let Err(source) = probe(&path) {
            return Err(FileError::NotWritable { path, source });
        }
        remove_abandoned(&path);
        Ok(OutputDir { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file `name` and returns its path. `content` writes to a temporary file beside
    /// it, which takes its name once all is there: whoever looks sees the old file or the whole
    /// new one, and after an error still the old one.
    pub fn write<E: From<FileError>>(
        &self,
        name: &str,
        content: impl FnOnce(&mut BufWriter<&mut File>) -> Result<(), E>,
    ) -> Result<PathBuf, E> {
        let path = self.path.join(name);
        write_file(&path, content)?;
        Ok(path)
    }

    /// Whether an earlier run has left its report here: a `summary.json` with what ours have.
    pub fn holds_report(&self) -> bool {
        self.holds("summary.json", &["version", "evaluations", "engine_strength", "players"])
    }

    /// Whether there is a file `name`, a JSON object that has the `keys`.
    pub fn holds(&self, name: &str, keys: &[&str]) -> bool {
        let text = fs::read_to_string(self.path.join(name)).unwrap_or_default();
        let summary: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        keys.iter().all(|key| summary.get(key).is_some())
    }

    /// Whether a file of such a name is here.
    pub fn has_file(&self, wanted: impl Fn(&str) -> bool) -> bool {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).any(|name| wanted(&name))
    }

    /// Removes the regular files that `ours` knows by their name, except those in `keep`.
    pub fn remove_stale(
        &self,
        keep: &BTreeSet<String>,
        ours: impl Fn(&str) -> bool,
    ) -> Result<(), FileError> {
        let unreadable = |source| FileError::NotWritable { path: self.path.clone(), source };
        for entry in fs::read_dir(&self.path).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name();
            let stale = name.to_str().is_some_and(|name| ours(name) && !keep.contains(name));
            if stale && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                let path = entry.path();
                fs::remove_file(&path).map_err(|source| FileError::Remove { path, source })?;
            }
        }
        Ok(())
    }
}

/// Removes temporary files that a killed run has left, once nobody can be writing them any more.
/// They harm nobody, so neither does a failure.
fn remove_abandoned(directory: &Path) {
    let old = |entry: &fs::DirEntry| {
        let age = entry.metadata().and_then(|data| data.modified()).map(|time| time.elapsed());
        let ours = entry.file_name().to_string_lossy().starts_with(TEMPORARY);
        ours && matches!(age, Ok(Ok(age)) if age > ABANDONED)
    };
    for entry in fs::read_dir(directory).into_iter().flatten().flatten().filter(old) {
        let _ = fs::remove_file(entry.path());
    }
}

/// No file is written for as long as this.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn written(dir: &OutputDir, name: &str, text: &str) -> Result<PathBuf, FileError> {
        dir.write(name, |file| {
            file.write_all(text.as_bytes()).map_err(|source| FileError::Write { path: name.into(), source })
        })
    }

    #[test]
    fn a_failed_file_leaves_the_old_one_and_nothing_beside_it() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let dir = OutputDir::create(temp.path().join("a/b")).expect("a writable directory");
        written(&dir, "kept", "old").expect("a writable file");
        let failed = dir.write("kept", |file| {
            file.write_all(b"half of the new").expect("a temporary file");
            Err(FileError::NotADirectory { path: "x".into() })
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_to_string(dir.path().join("kept")).expect("the old file"), "old");
        assert_eq!(fs::read_dir(dir.path()).expect("a directory").count(), 1);
    }

    #[test]
    fn a_path_that_is_a_file_is_refused_by_name() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let file = temp.path().join("file");
        fs::write(&file, "").expect("a writable file");
        let error = OutputDir::create(&file).expect_err("not a directory").to_string();
        assert!(error.ends_with("file is not a directory"), "{error}");
        let error = OutputDir::create(file.join("below")).expect_err("not a directory").to_string();
        assert!(error.starts_with("cannot create directory"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_written_file_is_readable_like_any_other() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().expect("a temporary directory");
        let dir = OutputDir::create(temp.path()).expect("a writable directory");
        let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
        fs::write(temp.path().join("usual"), "").expect("a writable file");
        let ours = written(&dir, "ours", "x").expect("a writable file");
        assert_eq!(mode(&ours), mode(&temp.path().join("usual")));
    }

    #[test]
    fn only_our_own_stale_files_are_removed() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let dir = OutputDir::create(temp.path()).expect("a writable directory");
        for name in ["histogram-old.png", "histogram-new.png", "holiday.png"] {
            written(&dir, name, "").expect("a writable file");
        }
        let keep = BTreeSet::from(["histogram-new.png".to_owned()]);
        dir.remove_stale(&keep, |name| name.starts_with("histogram-")).expect("removable files");
        let mut left: Vec<_> =
            fs::read_dir(dir.path()).expect("a directory").flatten().map(|e| e.file_name()).collect();
        left.sort();
        assert_eq!(left, ["histogram-new.png", "holiday.png"]);
    }
}
