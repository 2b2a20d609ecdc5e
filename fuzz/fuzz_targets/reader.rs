//! Any bytes to games; the games written and read again are the same.

#![no_main]

use gainalyze::{
    game::Game,
    pgn::{decode, parse_games, write_game},
};
use libfuzzer_sys::fuzz_target;

fn written(game: &Game) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_game(game, &mut bytes).expect("memory takes any text");
    bytes
}

fuzz_target!(|bytes: &[u8]| {
    for game in parse_games(&decode(bytes.to_vec()), "fuzz").into_iter().flatten() {
        let text = written(&game);
        let again = parse_games(&decode(text.clone()), "fuzz");
        let [Ok(again)] = again.as_slice() else {
            panic!("{} is read as {again:?}", String::from_utf8_lossy(&text))
        };
        assert_eq!(again.result, game.result);
        assert_eq!(again.start_eval, game.start_eval);
        let moves = |game: &Game| {
            let moves = game.moves.iter();
            moves.map(|m| (m.uci, m.eval, m.clock, m.elapsed)).collect::<Vec<_>>()
        };
        assert_eq!(moves(again), moves(&game));
        assert_eq!(String::from_utf8_lossy(&written(again)), String::from_utf8_lossy(&text));
    }
});
