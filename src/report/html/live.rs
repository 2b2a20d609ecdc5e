//! The boards of the games that are in progress.

use shakmaty::{Color, Position};

use super::{board, game::chances_after, games::Choice, key_moves};
use crate::base::text::rounded;
use crate::report::{
    pictures::Source, plots::game::clock_text, words::names::name, words::names::natural_name,
};

/// A game in progress: the position after its last move.
pub struct LiveGame {
    pub number: usize,
    pub round: String,
    /// Black and White, as they sit on both sides of the board.
    pub seats: [Seat; 2],
    pub board: String,
    /// White's winning chances in percent; empty if they are unknown.
    pub chances: String,
    /// The last move with its judgment, and the class of the judgment.
    pub last: (String, &'static str),
    /// The ply of the last move.
    pub ply: usize,
}

pub struct Seat {
    pub name: String,
    pub elo: Option<u32>,
    /// The time left on the clock; empty if it is not recorded.
    pub clock: String,
    pub is_to_move: bool,
}

/// Returns the games in progress among those that the page shows.
pub fn of(source: &Source<'_>, games: &Choice<'_>) -> Vec<LiveGame> {
    let open = games.chosen.iter().filter(|&&place| source.is_in_progress(source.games[place].game()));
    open.filter_map(|&place| LiveGame::of(source, place)).collect()
}

impl LiveGame {
    /// `None` for a game without a move.
    fn of(source: &Source<'_>, place: usize) -> Option<LiveGame> {
        let evaluated = &source.games[place];
        let game = evaluated.game();
        let ply = game.moves.len().checked_sub(1)?;
        let (mut positions, played) = (game.positions().skip(ply), &game.moves[ply]);
        let (before, now) = (positions.next()?, positions.next()?);
        let judgment =
            source.findings.sample.moves_of(place).get(ply).and_then(|facts| facts.verdict.judgment);
        let written = key_moves::numbered(&before, &played.san.to_string());
        let arrow: Vec<board::Arrow> = key_moves::arrow(played.uci, "last").into_iter().collect();
        let seat = |color: Color| {
            let own = game.movers().zip(&game.moves).filter(|(mover, _)| *mover == color);
            Seat {
                name: natural_name(game.player(color)),
                elo: game.elo(color),
                clock: own
                    .filter_map(|(_, played)| played.clock)
                    .last()
                    .map_or(String::new(), |clock| clock_text(clock.as_secs_f64())),
                is_to_move: now.turn() == color,
            }
        };
        let clip = source.findings.analysis.tournament.method.clip;
        Some(LiveGame {
            number: game.source.ordinal,
            round: game.tags.get("Round").map_or(String::new(), |round| format!("Round {} · ", name(round))),
            seats: [Color::Black, Color::White].map(seat),
            board: board::board(now.board(), &arrow, &format!("Position after {written}")),
            chances: chances_after(evaluated, ply + 1, clip)
                .map_or(String::new(), |percent| rounded(percent, 0)),
            last: judgment.map_or((written.clone(), ""), |found| (written + found.symbol(), found.name())),
            ply,
        })
    }
}
