//! Any bytes to an archive's items: the quick reader agrees with the careful one and with that of the
//! other verbs, and no cut of the bytes makes a difference.

#![no_main]

use gainalyze::chess::pgn::{decode_part, parse_games};
use gainalyze::chess::{Block, Blocks};
use gainalyze::measure::archive::{read_block, read_block_with_care};
use gainalyze::measure::{ClipTable, CountOptions, GameOutcome, Grouping};
use libfuzzer_sys::fuzz_target;

fn terms() -> CountOptions {
    // Not as written, which has the marks of check and mate that are due in one of the two only.
    let mut options = CountOptions::new(Grouping::Player);
    options.check_moves = true;
    options
}

fn in_blocks(bytes: &[u8], size: usize, terms: &CountOptions, scale: &ClipTable) -> Vec<GameOutcome> {
    let mut blocks = Blocks::of_size(bytes, size);
    let blocks = std::iter::from_fn(|| blocks.next()).map(|block| match block.expect("memory") {
        Block::Games(bytes) => decode_part(bytes),
        Block::TooLarge(bytes) => panic!("{bytes} bytes are no large game"),
    });
    blocks.flat_map(|text| read_block(&text, false, terms, scale)).collect()
}

/// Of each game what is wrong with it.
fn faults(items: &[GameOutcome]) -> Vec<Option<String>> {
    let fault = |item: &GameOutcome| match item {
        GameOutcome::LeftOut(left_out) => left_out.bad.as_ref().map(|bad| bad.describe("")),
        GameOutcome::Counted(_) | GameOutcome::Copy | GameOutcome::Refused(_) => None,
    };
    items.iter().map(fault).collect()
}

/// Shows of two lists that are not the same where they part, and not all of either.
fn assert_same<T: PartialEq + std::fmt::Debug>(what: &str, left: &[T], right: &[T]) {
    let parted = (0..left.len().max(right.len())).find(|&at| left.get(at) != right.get(at));
    if let Some(at) = parted {
        let (left, right) = (left.get(at), right.get(at));
        panic!("{what}: game {} is\n{left:?}\nand\n{right:?}", at + 1);
    }
}

fuzz_target!(|input: &[u8]| {
    // Behind the text, so that a file of games is an input as it is.
    let [bytes @ .., torn, size] = input else { return };
    let (torn, size) = (torn % 2 == 1, usize::from(*size) + 1);
    let terms = terms();
    let scale = ClipTable::new(terms.method.scale());
    let text = decode_part(bytes.to_vec());
    let careful = read_block_with_care(&text, torn, &terms, &scale);
    assert_same("quick and careful", &read_block(&text, torn, &terms, &scale), &careful);
    let whole = read_block(&text, false, &terms, &scale);
    assert_same("in blocks and whole", &in_blocks(bytes, size, &terms, &scale), &whole);
    let games = parse_games(&text, "");
    let expected: Vec<_> = games.iter().map(|game| game.as_ref().err().map(|bad| bad.describe(""))).collect();
    assert_same("an archive and the other verbs", &faults(&whole), &expected);
});
