//! Reads arbitrary bytes as games. The games must be the same after they are written and read again.

#![no_main]

use gainalyze::chess::pgn::{decode, parse_games, write_game};
use gainalyze::chess::Game;
use libfuzzer_sys::fuzz_target;

fn written<'a>(games: impl IntoIterator<Item = &'a Game>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for game in games {
        write_game(game, &mut bytes).expect("memory takes any text");
    }
    bytes
}

/// Asserts that tags with free text are equal. The other tags are derived from the game.
fn assert_same_tags(again: &Game, game: &Game) {
    for name in ["Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "TimeControl"] {
        if let Some(value) = game.tags.get(name) {
            let value = value.replace(char::is_control, " ");
            assert_eq!(again.tags.get(name).unwrap_or_default(), value.trim());
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let games: Vec<Game> = parse_games(&decode(bytes.to_vec()), "fuzz").into_iter().flatten().collect();
    let text = written(&games);
    let shown = String::from_utf8_lossy(&text);
    // All games are in one text, to check that none runs into the next.
    let again = parse_games(&decode(text.clone()), "fuzz");
    assert_eq!(again.len(), games.len(), "{shown}");
    for (again, game) in again.iter().zip(&games) {
        let Ok(again) = again else { panic!("{shown} is read as {again:?}") };
        assert_eq!((again.result, again.start_eval), (game.result, game.start_eval));
        assert_eq!((&again.start, again.mode), (&game.start, game.mode));
        assert_same_tags(again, game);
        let moves = |game: &Game| {
            let moves = game.moves.iter();
            moves.map(|m| (m.uci, m.eval, m.clock, m.elapsed)).collect::<Vec<_>>()
        };
        assert_eq!(moves(again), moves(game));
    }
    assert_eq!(String::from_utf8_lossy(&written(again.iter().flatten())), shown);
});
