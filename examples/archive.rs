//! Reads the games of an archive, and counts them by bands of Elo: `cargo run --example archive [FILE]...`.

use std::{num::NonZeroUsize, ops::ControlFlow, path::PathBuf};

use gainalyze::measure::{
    ArchiveCounts, ArchiveEvent, CountOptions, GameOutcome, Grouping, Survey, archive::read_archive,
};
use gainalyze::numbers::EloCurve;

fn main() {
    let mut files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if files.is_empty() {
        files.push("data/candidates-2013-stockfish-15.1-depth-20.pgn".into());
    }
    let options = CountOptions::new(Grouping::EloBand(50));
    let mut counts = ArchiveCounts::default();
    let jobs = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let _: ControlFlow<()> = read_archive(&files, &options, jobs, |event| {
        match event {
            ArchiveEvent::Game { item: GameOutcome::Counted(game), .. } => counts.add(game),
            ArchiveEvent::Useless(fault) => eprintln!("passed over: {fault}"),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    for group in Survey::of(&counts, &options.identity(), EloCurve::Normal, &[]).groups {
        let score = group.expected_score.map_or(f64::NAN, |score| score.value);
        println!("from {:5} {:6} games {:7} moves {score:.4}", group.key, group.games, group.moves);
    }
}
