//! [`Files`]: the archives of the benchmark, made once and kept.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;

use crate::generate::{Archive, broadcasts::Broadcasts};

/// Maximum number of different score sheets in an archive.
const SHEETS: u64 = 4096;

/// Number of games in a month of broadcasts, a high estimate.
const MONTH: u64 = 80_000;

/// A file of games.
pub struct GameFile {
    pub path: PathBuf,
    /// Bytes of the text before packing.
    pub text: u64,
}

/// An archive, and its beginning in several sizes and formats.
pub struct Files {
    pub whole: GameFile,
    pub whole_zst: GameFile,
    /// The first tenth.
    pub part: GameFile,
    pub part_gz: GameFile,
    pub part_bz2: GameFile,
    /// The first fiftieth.
    pub little: GameFile,
    /// A month of broadcasts.
    pub month_zst: GameFile,
}

impl Files {
    /// Makes the archive of `seed`, in which a `share` of the games has evaluations, and files of its
    /// beginning. Files of an earlier run are reused if they begin with the same games.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn make(seed: u64, share: f64, megabytes: u64) -> io::Result<Files> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/archive");
        fs::create_dir_all(&folder)?;
        let archive = Archive::new(seed, share, SHEETS);
        let head = archive.games(64);
        let plain = |kilobytes: u64| {
            let path = folder.join(format!("seed-{seed}-share-{share}-{kilobytes}kB.pgn"));
            if !begins_with(&path, &head) {
                make_file(&path, |out| archive.write(1000 * kilobytes, out))?;
            }
            io::Result::Ok(GameFile { text: fs::metadata(&path)?.len(), path })
        };
        let [whole, part, little] = [1000, 100, 20].map(|share| plain(share * megabytes));
        let (whole, part, little) = (whole?, part?, little?);
        let games = megabytes * MONTH / 1000;
        let path = folder.join(format!("seed-{seed}-broadcasts-{games}.pgn"));
        if !path.exists() {
            make_file(&path, |out| Broadcasts::new(seed, SHEETS).write(games, out))?;
        }
        let month = GameFile { text: fs::metadata(&path)?.len(), path };
        Ok(Files {
            whole_zst: packed(&whole, "zst", |text, out| zstd::stream::copy_encode(text, out, 3))?,
            part_gz: packed(&part, "gz", |mut text, out| {
                let mut encoder = GzEncoder::new(out, flate2::Compression::default());
                io::copy(&mut text, &mut encoder)?;
                encoder.finish().map(drop)
            })?,
            part_bz2: packed(&part, "bz2", |mut text, out| {
                let mut encoder = BzEncoder::new(out, bzip2::Compression::best());
                io::copy(&mut text, &mut encoder)?;
                encoder.finish().map(drop)
            })?,
            month_zst: packed(&month, "zst", |text, out| zstd::stream::copy_encode(text, out, 19))?,
            whole,
            part,
            little,
        })
    }

    /// Returns the sizes of the files as text.
    pub fn describe(&self) -> String {
        let all = [
            &self.whole,
            &self.whole_zst,
            &self.part,
            &self.part_gz,
            &self.part_bz2,
            &self.little,
            &self.month_zst,
        ];
        let sizes = all.map(|file| {
            let kind = file.path.extension().unwrap_or_default().to_string_lossy();
            let bytes = fs::metadata(&file.path).map_or(0, |file| file.len());
            format!("{:.0} MB as {kind}", bytes as f64 / 1e6)
        });
        sizes.join(", ")
    }
}

/// Returns whether a file begins with `text`, the first games of the archive. A file that an earlier
/// generator made begins differently.
fn begins_with(path: &Path, text: &str) -> bool {
    let mut head = vec![0; text.len()];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok()) && head == text.as_bytes()
}

fn packed(
    plain: &GameFile,
    extension: &str,
    pack: impl Fn(File, &mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<GameFile> {
    let path = plain.path.with_extension(format!("pgn.{extension}"));
    let made = |path: &Path| fs::metadata(path)?.modified();
    if !made(&path).is_ok_and(|time| made(&plain.path).is_ok_and(|plain| plain < time)) {
        make_file(&path, |out| pack(File::open(&plain.path)?, out))?;
    }
    Ok(GameFile { path, text: plain.text })
}

/// Makes a file that appears under its name only when it is complete.
fn make_file<T>(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>) -> io::Result<()> {
    eprintln!("making {}", path.display());
    let unfinished = path.with_extension("unfinished");
    let mut out = BufWriter::new(File::create(&unfinished)?);
    write(&mut out)?;
    out.flush()?;
    fs::rename(unfinished, path)
}
