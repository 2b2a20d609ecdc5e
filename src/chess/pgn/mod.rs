//! Careful reading and exact writing of chess games in PGN.
//!
//! A wrong game is worse than a skipped game. A flaw is repaired only if the moves leave no doubt
//! ([`crate::chess::Repair`]). Games are read in these steps:
//!
//! 1. The bytes are decompressed (`Unpacked`).
//! 2. They are cut into blocks of whole games ([`Blocks`]).
//! 3. Each block is decoded to text ([`decode_part`]), and the text is cut into games.
//! 4. The tokens of each game are found, including those that pgn-reader would skip.
//! 5. pgn-reader reads each game up to the first difference from these tokens. All tokens are checked,
//!    including the move numbers, and the moves are replayed ([`GameReader`]).
//!
//! A game that fails in a step becomes a [`BadGame`]. The other games are still read.
//!
//! For archives of millions of games, only recorded data matter. So [`FastGame`] reads games in the usual
//! form in one pass, without replaying them. Games in other forms are read in the steps above.
//!
//! [`write_game`] writes everything that [`parse_games`] keeps: tags, moves, glyphs, comments, variations,
//! evaluations and clocks.

mod bad;
mod blocks;
mod clock;
mod comment_facts;
mod comments;
mod decode;
mod fast;
mod file_fault;
mod letters;
mod player_evals;
mod read;
mod readings;
mod replay;
mod selected;
mod source;
mod split;
mod start;
mod stream;
mod tags;
mod tokens;
mod variation;
mod write;

pub(crate) use bad::MOST_TOKENS;
pub use bad::{BadGame, BadGameReason};
pub use blocks::{Block, Blocks, LARGEST_GAME};
pub use clock::hundredths;
pub(crate) use comment_facts::odd_evaluations;
pub(crate) use comments::CommentCommand;
pub use comments::{CommentPart, comment_parts};
pub use decode::{decode, decode_part};
pub use fast::{FastGame, FastMove};
pub use file_fault::FileCount;
pub(crate) use file_fault::{FileFault, TornFile};
pub use player_evals::is_player_eval;
pub(crate) use player_evals::player_eval;
pub use read::{GameReader, parse_games};
pub(crate) use selected::select;
pub(crate) use source::{ReadError, Unpacked, unpacked};
pub use source::{files, read_source};
pub(crate) use stream::BlockMark;
pub use stream::{GameBlock, StreamContent, StreamPart, stream};
pub use variation::variation;
pub use write::write_game;
#[cfg(feature = "program")]
pub(crate) use {
    selected::SelectedGames, selected::StrictFault, selected::read_selected, source::FoundFiles,
    source::is_called_games, write::noted_game,
};
