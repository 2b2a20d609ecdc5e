//! Any bytes to an archive's items: the quick reader agrees with the careful one and with that of the
//! other verbs, and no cut of the bytes makes a difference.

#![no_main]

use gainalyze::{
    archive::{Grouping, Item, Scale, Terms, read_block, read_block_with_care},
    pgn::{Block, Blocks, decode_part, parse_games},
};
use libfuzzer_sys::fuzz_target;

fn terms() -> Terms {
    // Not as written, which has the marks of check and mate that are due in one of the two only.
    Terms { check_moves: true, ..Terms::new(Grouping::Player) }
}

fn in_blocks(bytes: &[u8], size: usize, terms: &Terms, scale: &Scale) -> Vec<Item> {
    let mut blocks = Blocks::of_size(bytes, size);
    let blocks = std::iter::from_fn(|| blocks.next()).map(|block| match block.expect("memory") {
        Block::Games(bytes) => decode_part(bytes),
        Block::TooLarge(bytes) => panic!("{bytes} bytes are no large game"),
    });
    blocks.flat_map(|text| read_block(&text, false, terms, scale)).collect()
}

/// Of each game what is wrong with it.
fn faults(items: &[Item]) -> Vec<Option<String>> {
    let fault = |item: &Item| match item {
        Item::LeftOut(left_out) => left_out.bad.as_ref().map(|bad| bad.describe("")),
        Item::Entry(_) | Item::Refused(_) => None,
    };
    items.iter().map(fault).collect()
}

fuzz_target!(|input: &[u8]| {
    // Behind the text, so that a file of games is an input as it is.
    let [bytes @ .., torn, size] = input else { return };
    let (torn, size) = (torn % 2 == 1, usize::from(*size) + 1);
    let terms = terms();
    let scale = Scale::new(&terms);
    let text = decode_part(bytes.to_vec());
    let careful = read_block_with_care(&text, torn, &terms, &scale);
    assert_eq!(read_block(&text, torn, &terms, &scale), careful);
    let whole = read_block(&text, false, &terms, &scale);
    assert_eq!(in_blocks(bytes, size, &terms, &scale), whole);
    let games = parse_games(&text, "");
    let expected: Vec<_> = games.iter().map(|game| game.as_ref().err().map(|bad| bad.describe(""))).collect();
    assert_eq!(faults(&whole), expected);
});
