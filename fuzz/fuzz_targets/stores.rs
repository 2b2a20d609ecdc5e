//! Makes arbitrary edits in the file of a store. For each segment, the store must return the original
//! evaluations or none.

#![no_main]

use std::{fs, path::PathBuf, sync::LazyLock};

use gainalyze::chess::{Evaluation, Limit, Order, PlyEvaluation, Protocol, Score, Segment, pgn::parse_games};
use gainalyze::store::{EngineStamp, EvaluationStore, Origin, Recall, SqliteStore};
use libfuzzer_sys::fuzz_target;

/// The bytes of a store's file, and the segments with their evaluations in it.
struct Stored {
    bytes: Vec<u8>,
    segments: Vec<(Segment, Vec<PlyEvaluation>)>,
}

static STORED: LazyLock<Stored> = LazyLock::new(|| {
    let path = file("whole");
    let mut store = SqliteStore::open(&path).expect("a store");
    let games = parse_games("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *", "fuzz");
    let game = games.into_iter().flatten().next().expect("a game");
    let evaluated = |segment: Segment| {
        let found = |&ply: &usize| (ply, Evaluation::of_score(Score::Cp(ply as i32 * 7 - 20)));
        let evaluations: Vec<PlyEvaluation> = segment.searches().iter().map(found).collect();
        (segment, evaluations)
    };
    let segments: Vec<_> = Segment::cut(&game, &protocol()).into_iter().map(evaluated).collect();
    for (segment, evaluations) in &segments {
        store.put(&origin(), segment, evaluations).expect("room for it");
    }
    drop(store);
    Stored { bytes: fs::read(&path).expect("a file"), segments }
});

/// Returns the path of a temporary file of this process. Removes the store there, if there is one.
fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("gainalyze-fuzz-{}-{name}.sqlite", std::process::id()));
    for beside in ["", "-wal", "-shm", "-journal"] {
        let _ = fs::remove_file(format!("{}{beside}", path.display()));
    }
    path
}

fn protocol() -> Protocol {
    Protocol::new(Limit::Depth(9), Order::Forward, 4)
}

fn origin() -> Origin {
    let (name, digest) = ("Engine 1".to_owned(), "ab".to_owned());
    let engine = EngineStamp { name, options: [].into(), digest, behavior: Some("b1".to_owned()) };
    Origin { engine, protocol: protocol() }
}

fuzz_target!(|edits: &[u8]| {
    let mut bytes = STORED.bytes.clone();
    for edit in edits.chunks_exact(4) {
        let place = u32::from_le_bytes([edit[0], edit[1], edit[2], 0]) as usize % bytes.len();
        bytes[place] = edit[3];
    }
    let path = file("edited");
    fs::write(&path, &bytes).expect("room for it");
    let Ok(store) = SqliteStore::open_to_read(&path) else { return };
    for (segment, evaluations) in &STORED.segments {
        if let Ok(Recall::Known(known)) = store.get(&origin(), segment) {
            assert_eq!(&known.evaluations, evaluations);
        }
    }
});
