//! Chess games in PGN: strict reading and exact writing.
//!
//! A game read wrongly is worse than a skipped one, so reading has five steps. The bytes are unpacked
//! (`Unpacked`) and cut into blocks of whole games ([`Blocks`]). They become text ([`decode_part`]), and the
//! text is cut into games. The tokens of each main line are checked, including move numbers. Finally
//! pgn-reader reads the game and its moves are replayed ([`GameReader`]). A game that fails is a [`BadGame`],
//! and the games around it are still read.
//!
//! For archives of millions of games, where only recorded data matter, [`FastGame`] reads games in the usual
//! form in one pass without replaying them. Other games are read as above.
//!
//! [`write_game`] writes what [`parse_games`] keeps: tags, moves, glyphs, comments, variations and
//! evaluations.

mod bad;
mod blocks;
mod clock;
mod comment_facts;
mod comments;
mod decode;
mod fast;
mod file_fault;
mod mainline;
mod player_evals;
mod read;
mod replay;
#[cfg(feature = "program")]
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
#[cfg(feature = "program")]
pub(crate) use selected::{SelectedGames, StrictFault, read_selected};
pub(crate) use source::Unpacked;
#[cfg(feature = "program")]
pub(crate) use source::{FoundFiles, ReadError, is_called_games};
pub use source::{files, read_source};
pub(crate) use stream::BlockMark;
pub use stream::{GameBlock, StreamContent, StreamPart, stream};
pub use variation::variation;
#[cfg(feature = "program")]
pub(crate) use write::noted_game;
pub use write::write_game;
