//! The habits in the opening of players at a level, and of people with that rating.

use gainalyze::chess::{Game, GameSoFar};
use gainalyze::engine::levels::{Level, LevelPlayer};
use gainalyze::numbers::stats::bootstrap::share;
use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};
use shakmaty::{CastlingMode, Chess, Color, Move};

/// Number of counted moves of each side.
const MOVES: usize = 15;

/// Largest difference between a person's rating and the level.
const NEAR: u32 = 100;

#[derive(Default)]
struct Habits {
    sides: u32,
    castled: u32,
    moves: u32,
    /// Moves with the piece that moved last.
    repeated: u32,
    captures: u32,
}

impl Habits {
    /// Counts the first moves of one side, if it made at least [`MOVES`] moves.
    fn count(&mut self, moves: &[Move], side: Color) {
        let own: Vec<&Move> = moves.iter().skip(side.fold_wb(0, 1)).step_by(2).take(MOVES).collect();
        if own.len() < MOVES {
            return;
        }
        self.sides += 1;
        self.castled += u32::from(own.iter().any(|m| m.is_castle()));
        self.moves += own.len() as u32;
        self.captures += own.iter().filter(|m| m.is_capture()).count() as u32;
        let pairs =
            own.windows(2).filter(|pair| !pair[0].is_castle() && pair[1].from() == Some(pair[0].to()));
        self.repeated += pairs.count() as u32;
    }

    fn line(&self, name: &str) -> String {
        let percent = |count: u32, of: u32| {
            let (share, of) = (f64::from(count) / f64::from(of.max(1)), f64::from(of.max(1)));
            format!("{:5.1} ± {:.1} %", 100.0 * share, 196.0 * (share * (1.0 - share) / of).sqrt())
        };
        format!(
            "{name:8} {:5} sides  castled {}  same piece again {}  captures {}",
            self.sides,
            percent(self.castled, self.sides),
            percent(self.repeated, self.moves),
            percent(self.captures, self.moves)
        )
    }
}

/// Plays the first moves of `count` games between players of `level`, and prints their habits and those of
/// the people in `games`.
pub fn report(level: Level, count: u64, games: &[Game]) {
    let (mut drawn, mut people) = (Habits::default(), Habits::default());
    let mut player = LevelPlayer::default();
    for number in 0..count {
        let mut random = ChaCha8Rng::seed_from_u64(number);
        let mut game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        let mut moves = Vec::new();
        while moves.len() < 2 * MOVES {
            let lot = share(random.next_u64());
            let Some(choice) = player.choose(&game, level, &[], lot) else { break };
            game.push(choice.chosen.to_uci(game.mode()));
            moves.push(choice.chosen);
        }
        Color::ALL.iter().for_each(|&side| drawn.count(&moves, side));
    }
    for game in games {
        let moves: Vec<Move> = game
            .positions()
            .zip(&game.moves)
            .filter_map(|(at, played)| played.uci.to_move(&at).ok())
            .collect();
        for side in Color::ALL {
            if game.elo(side).is_some_and(|elo| elo.abs_diff(level.elo()) <= NEAR) {
                people.count(&moves, side);
            }
        }
    }
    println!("{}\n{}", drawn.line(&format!("level {}", level.elo())), people.line("people"));
}
