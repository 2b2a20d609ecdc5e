//! Results of blocks arrive in the order of the files, for any number of workers.

use super::*;
use crate::chess::pgn::GameReader;

/// Reads the files, and returns one line of text for each part.
fn told(files: &[PathBuf], jobs: NonZeroUsize) -> Vec<String> {
    let mut told = Vec::new();
    let read = |block: GameBlock<'_>| match block {
        GameBlock::Games { text, torn } => {
            format!("{} games, torn: {torn}", GameReader::new(text, "").count())
        }
        GameBlock::TooLarge => "too large".to_owned(),
    };
    let flow: ControlFlow<()> = stream(files, None, jobs, read, |part| {
        let content = match part.content {
            StreamContent::Block(block) => block,
            StreamContent::Torn(_) => "torn".to_owned(),
            StreamContent::Failed(error) => error.to_string(),
            StreamContent::End => "end".to_owned(),
        };
        told.push(format!("{}: {content}", part.index));
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    told
}

#[test]
fn what_is_handed_on_is_in_the_order_of_the_files_whatever_the_workers() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| folder.path().join(name);
    let games = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(30_000);
    let packed = zstd::encode_all(games.as_bytes(), 1).expect("memory");
    std::fs::write(at("a.pgn"), &games).expect("temporary folder");
    std::fs::write(at("b.pgn"), "").expect("temporary folder");
    std::fs::write(at("c.pgn.zst"), &packed[..packed.len() - 5]).expect("temporary folder");
    let files = ["a.pgn", "b.pgn", "none.pgn", "c.pgn.zst", "a.pgn"].map(at);
    let alone = told(&files, NonZeroUsize::MIN);
    assert_eq!(
        (1..5)
            .filter_map(NonZeroUsize::new)
            .map(|jobs| told(&files, jobs))
            .filter(|told| *told == alone)
            .count(),
        4
    );
    let last = |index: usize| alone.iter().rfind(|part| part.starts_with(&index.to_string())).cloned();
    assert_eq!(
        (0..5).map(last).collect::<Vec<_>>(),
        [0, 1, 2, 3, 4].map(|index| Some(format!("{index}: end")))
    );
    assert_eq!(alone.iter().filter(|part| part.starts_with('1')).count(), 1, "nothing is in an empty file");
    assert!(alone.iter().any(|part| part.starts_with("2: ") && part.ends_with("none.pgn: no such file")));
    let torn: Vec<&String> = alone.iter().filter(|part| part.starts_with('3')).collect();
    assert!(torn.len() < 3 || torn[torn.len() - 3].ends_with("torn: true"), "{torn:?}");
    assert_eq!(torn[torn.len() - 2], "3: torn");
}

#[test]
fn a_sink_that_has_enough_gets_no_more() {
    let files = vec![PathBuf::from("data/london-chess-classic-2011.pgn"); 50];
    let mut parts = 0;
    let flow = stream(
        &files,
        None,
        NonZeroUsize::MIN.saturating_add(2),
        |_| (),
        |part| {
            parts += 1;
            if part.index == 2 { ControlFlow::Break(part.index) } else { ControlFlow::Continue(()) }
        },
    );
    assert_eq!((flow, parts), (ControlFlow::Break(2), 5));
}
