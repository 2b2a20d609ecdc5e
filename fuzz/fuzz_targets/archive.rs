//! Any bytes to an archive's items: the quick reader agrees with the careful one, and no cut of the
//! bytes makes a difference.

#![no_main]

use gainalyze::{
    archive::{Grouping, Item, Scale, Terms, read_block, read_block_with_care},
    choice::{Aliases, Choice},
    pgn::{Block, Blocks, decode_part},
    tournament::Method,
};
use libfuzzer_sys::fuzz_target;

fn terms() -> Terms {
    Terms {
        by: Grouping::Player,
        method: Method::default(),
        choice: Choice::default(),
        aliases: Aliases::default(),
        players: Vec::new(),
        max_games: None,
        keep_duplicates: false,
        check_moves: true,
        // As written by the one, with the marks of check and mate that are due by the other.
        keep_moves: false,
    }
}

fn in_blocks(bytes: &[u8], size: usize, terms: &Terms, scale: &Scale) -> Vec<Item> {
    let mut blocks = Blocks::of_size(bytes, size);
    let blocks = std::iter::from_fn(|| blocks.next()).map(|block| match block.expect("memory") {
        Block::Games(bytes) => decode_part(bytes),
        Block::TooLarge(bytes) => panic!("{bytes} bytes are no large game"),
    });
    blocks.flat_map(|text| read_block(&text, false, terms, scale)).collect()
}

fuzz_target!(|input: (bool, u8, &[u8])| {
    let (torn, size, bytes) = input;
    let terms = terms();
    let scale = Scale::new(&terms);
    let text = decode_part(bytes.to_vec());
    let careful = read_block_with_care(&text, torn, &terms, &scale);
    assert_eq!(read_block(&text, torn, &terms, &scale), careful);
    let whole = read_block(&text, false, &terms, &scale);
    assert_eq!(in_blocks(bytes, usize::from(size) + 1, &terms, &scale), whole);
});
