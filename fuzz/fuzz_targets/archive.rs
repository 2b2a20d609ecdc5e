//! Reads arbitrary bytes as an archive. The archive's fast reader, its careful reader, and the reader of the
//! other commands must agree. The result must not depend on the size of the blocks.

#![no_main]

use gainalyze::chess::pgn::{decode_part, parse_games};
use gainalyze::chess::{Block, Blocks};
use gainalyze::measure::archive::{read_block, read_block_with_care};
use gainalyze::measure::{ClipTable, CountOptions, GameOutcome, Grouping};
use libfuzzer_sys::fuzz_target;

fn terms() -> CountOptions {
    // With this option, the fast reader replays every move, as the careful reader always does.
    let mut options = CountOptions::new(Grouping::Player);
    options.check_moves = true;
    options
}

fn in_blocks(bytes: &[u8], size: usize, terms: &CountOptions, scale: &ClipTable) -> Vec<GameOutcome> {
    let mut blocks = Blocks::of_size(bytes, size);
    let blocks = std::iter::from_fn(|| blocks.next()).map(|block| match block.expect("memory") {
        Block::Games(bytes) => decode_part(bytes, None),
        Block::TooLarge(bytes) => panic!("{bytes} bytes are no large game"),
    });
    blocks.flat_map(|text| read_block(&text, false, terms, scale)).collect()
}

/// Returns the fault of each unreadable game, and `None` for the other games.
fn faults(items: &[GameOutcome]) -> Vec<Option<String>> {
    let fault = |item: &GameOutcome| match item {
        GameOutcome::LeftOut(left_out) => left_out.bad.as_ref().map(|bad| bad.describe("")),
        GameOutcome::Counted(_) | GameOutcome::Copy | GameOutcome::Refused(_) => None,
    };
    items.iter().map(fault).collect()
}

/// Asserts that two lists are equal. A failure shows only the first pair of elements that differ.
fn assert_same<T: PartialEq + std::fmt::Debug>(what: &str, left: &[T], right: &[T]) {
    let parted = (0..left.len().max(right.len())).find(|&at| left.get(at) != right.get(at));
    if let Some(at) = parted {
        let (left, right) = (left.get(at), right.get(at));
        panic!("{what}: game {} is\n{left:?}\nand\n{right:?}", at + 1);
    }
}

fuzz_target!(|input: &[u8]| {
    // `torn` and `size` come after the text, so that a file of games is a valid input.
    let [bytes @ .., torn, size] = input else { return };
    let (torn, size) = (torn % 2 == 1, usize::from(*size) + 1);
    let terms = terms();
    let scale = ClipTable::new(terms.method.scale());
    let text = decode_part(bytes.to_vec(), None);
    let careful = read_block_with_care(&text, torn, &terms, &scale);
    assert_same("quick and careful", &read_block(&text, torn, &terms, &scale), &careful);
    let whole = read_block(&text, false, &terms, &scale);
    assert_same("in blocks and whole", &in_blocks(bytes, size, &terms, &scale), &whole);
    let games = parse_games(&text, "");
    let expected: Vec<_> = games.iter().map(|game| game.as_ref().err().map(|bad| bad.describe(""))).collect();
    assert_same("an archive and the other verbs", &faults(&whole), &expected);
});
