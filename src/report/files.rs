//! Owns the output directory: files that appear whole or not at all, under names that are safe.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use tempfile::NamedTempFile;
use thiserror::Error;

/// Why a file of the report is not there.
#[derive(Debug, Error)]
pub enum FileError {
    /// The directory's path leads to something else.
    #[error("{} is not a directory", path.display())]
    NotADirectory {
        /// The path asked for.
        path: PathBuf,
    },
    /// A file is wanted, and something else has its name: a directory, a device, a pipe.
    #[error("{} is not a file", path.display())]
    NotAFile {
        /// The path asked for.
        path: PathBuf,
    },
    /// The directory is missing and cannot be made.
    #[error("cannot create directory {}", path.display())]
    Create {
        /// The path asked for.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The directory is there but takes no file: permissions, a read-only or a full disk.
    #[error("cannot write into directory {}", path.display())]
    NotWritable {
        /// The path asked for.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file could not be written to its end; nothing stands under its name.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file of an earlier run could not be removed.
    #[error("cannot remove {}", path.display())]
    Remove {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

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

/// Checks that a file can be made at `path`, without making it.
pub fn check_writable(path: &Path) -> Result<(), FileError> {
    if path.exists() && !path.is_file() {
        return Err(FileError::NotAFile { path: path.to_owned() });
    }
    probe(folder_of(&target(path))).map_err(|source| FileError::Write { path: path.to_owned(), source })
}

/// Writes a file that appears under its name only when `content` is complete.
pub fn write_file<E: From<FileError>>(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<&mut File>) -> Result<(), E>,
) -> Result<(), E> {
    let failed = |source| FileError::Write { path: path.to_owned(), source };
    let path = target(path);
    let mut file = temporary(folder_of(&path)).map_err(failed)?;
    let mut writer = BufWriter::new(file.as_file_mut());
    content(&mut writer)?;
    writer.flush().map_err(failed)?;
    drop(writer);
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// What a symbolic link leads to, so that the link stays one.
fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
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

/// How the names of temporary files begin.
const TEMPORARY: &str = ".gainalyze-";

/// No file is written for as long as this.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// Writes a little and takes it away again.
fn probe(directory: &Path) -> io::Result<()> {
    let mut file = temporary(directory)?;
    file.write_all(b"probe")?;
    file.flush()?;
    file.close()
}

/// A temporary file that has the permissions of any other new file once it is renamed; tempfile's
/// own choice would leave a report that only its maker can read.
fn temporary(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory)
}

/// The longest slug in bytes: every file system takes it, with what is put around it.
const SLUG: usize = 60;

/// Names that Windows keeps for devices, whatever the extension.
const RESERVED: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// File names for players, or for others who have names: one of them has one name, two have two,
/// and a name of lower-case letters, digits and hyphens is safe on every system.
#[derive(Debug, Clone)]
pub struct FileNames {
    /// What they are, for a name without a letter that can be kept.
    kind: &'static str,
    of: BTreeMap<String, String>,
    taken: BTreeSet<String>,
    /// The number to try next for a slug.
    next: BTreeMap<String, u64>,
}

impl Default for FileNames {
    /// For players.
    fn default() -> FileNames {
        FileNames::for_each("player")
    }
}

impl FileNames {
    /// For whatever `kind` says, in lower-case letters.
    pub fn for_each(kind: &'static str) -> FileNames {
        FileNames { kind, of: BTreeMap::new(), taken: BTreeSet::new(), next: BTreeMap::new() }
    }

    /// The part of a file name, without extension, that stands for `player`: its readable letters,
    /// and `-2`, `-3` and so on behind what an earlier player has taken.
    pub fn file_name_for(&mut self, player: &str) -> String {
        if let Some(name) = self.of.get(player) {
            return name.clone();
        }
        let slug = slug(player, self.kind);
        let next = self.next.entry(slug.clone()).or_insert(1);
        let name = loop {
            let name = if *next == 1 { slug.clone() } else { format!("{slug}-{next}") };
            *next += 1;
            if !self.taken.contains(&name) {
                break name;
            }
        };
        self.taken.insert(name.clone());
        self.of.insert(player.to_owned(), name.clone());
        name
    }
}

/// Lower-case letters and digits of `name` with single hyphens for all between them; `kind` where
/// nothing is left.
fn slug(name: &str, kind: &str) -> String {
    let mut slug = String::new();
    for letters in name.chars().map(ascii) {
        if slug.len() + letters.len() > SLUG {
            break;
        }
        if letters != "-" || !(slug.is_empty() || slug.ends_with('-')) {
            slug.push_str(&letters);
        }
    }
    let slug = slug.trim_end_matches('-');
    match slug {
        "" => kind.to_owned(),
        slug if RESERVED.contains(&slug) => format!("{slug}-{kind}"),
        slug => slug.to_owned(),
    }
}

/// What stands for one letter: itself, its plain form where it is a common Latin one, or a hyphen.
fn ascii(letter: char) -> String {
    let plain = match letter {
        'a'..='z' | '0'..='9' => return letter.to_string(),
        'A'..='Z' => return letter.to_ascii_lowercase().to_string(),
        '\'' | '’' => "",
        'à'..='ã' | 'å' | 'À'..='Ã' | 'Å' | 'ā' | 'Ā' | 'ă' | 'Ă' | 'ą' | 'Ą' => "a",
        'ä' | 'Ä' | 'æ' | 'Æ' => "ae",
        'ç' | 'Ç' | 'ć' | 'Ć' | 'č' | 'Č' => "c",
        'ď' | 'Ď' | 'đ' | 'Đ' | 'ð' | 'Ð' => "d",
        'è'..='ë' | 'È'..='Ë' | 'ē' | 'Ē' | 'ė' | 'Ė' | 'ę' | 'Ę' | 'ě' | 'Ě' => "e",
        'ğ' | 'Ğ' | 'ģ' | 'Ģ' => "g",
        'ì'..='ï' | 'Ì'..='Ï' | 'ī' | 'Ī' | 'ı' | 'İ' => "i",
        'ł' | 'Ł' | 'ľ' | 'Ľ' | 'ļ' | 'Ļ' => "l",
        'ñ' | 'Ñ' | 'ń' | 'Ń' | 'ň' | 'Ň' | 'ņ' | 'Ņ' => "n",
        'ö' | 'Ö' | 'œ' | 'Œ' => "oe",
        'ò'..='õ' | 'Ò'..='Õ' | 'ø' | 'Ø' | 'ő' | 'Ő' | 'ō' | 'Ō' => "o",
        'ř' | 'Ř' => "r",
        'ś' | 'Ś' | 'š' | 'Š' | 'ş' | 'Ş' | 'ș' | 'Ș' => "s",
        'ß' => "ss",
        'ť' | 'Ť' | 'ţ' | 'Ţ' | 'ț' | 'Ț' => "t",
        'ü' | 'Ü' => "ue",
        'ù'..='û' | 'Ù'..='Û' | 'ū' | 'Ū' | 'ů' | 'Ů' | 'ű' | 'Ű' => "u",
        'ý' | 'ÿ' | 'Ý' => "y",
        'ź' | 'Ź' | 'ž' | 'Ž' | 'ż' | 'Ż' => "z",
        _ => "-",
    };
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(player: &str) -> String {
        FileNames::default().file_name_for(player)
    }

    #[test]
    fn a_players_name_becomes_a_readable_file_name() {
        assert_eq!(name("Carlsen, Magnus"), "carlsen-magnus");
        assert_eq!(name("Žižka, O'Brien Łukasz Jr."), "zizka-obrien-lukasz-jr");
        assert_eq!(name("Müller"), "mueller");
    }

    #[test]
    fn a_hostile_name_cannot_leave_the_directory() {
        assert_eq!(name("../../etc/passwd"), "etc-passwd");
        assert_eq!(name("C:\\Windows\\nul"), "c-windows-nul");
        assert_eq!(name("NUL"), "nul-player");
        assert_eq!(name("\u{202e}\u{1b}[31m..."), "31m");
        assert_eq!(name("李雷"), "player");
        assert_eq!(name(&"x".repeat(10_000)).len(), SLUG);
        assert_eq!(FileNames::for_each("engine").file_name_for("李雷"), "engine");
    }

    #[test]
    fn two_players_never_share_a_file_and_one_keeps_his() {
        let mut names = FileNames::default();
        assert_eq!(names.file_name_for("Li"), "li");
        assert_eq!(names.file_name_for("li-2"), "li-2");
        assert_eq!(names.file_name_for("LI"), "li-3");
        assert_eq!(names.file_name_for("Li"), "li");
    }

    proptest! {
        #[test]
        fn any_name_gives_a_plain_file_name(player in any::<String>()) {
            let name = name(&player);
            prop_assert!(!name.is_empty() && name.len() <= SLUG + 7);
            prop_assert!(name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-')));
            prop_assert!(!name.starts_with('-') && !name.ends_with('-'));
        }
    }

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
