//! Owns the options of `deep`.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Subcommand, ValueHint};
use shakmaty::Color;

use crate::engine::uci::engine_line::MAX_DEPTH;
use crate::lab::{DeepOptions, GrowthLimits, Widths};
use crate::verbs::app::plan::{DeepPlan, RootPlan};
use crate::verbs::args::{ConsoleArgs, OneEngineArgs, StoreArgs, TableArgs};

/// Centipawns below the best within which moves are gone into, unless asked otherwise.
pub(super) const DISTANCE: f64 = 20.0;

/// The deepest tree.
pub(super) const MOST_PLIES: i64 = 64;

/// Options of `deep`.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct DeepArgs {
    /// What is done with a store instead.
    #[command(subcommand)]
    pub action: Option<DeepAction>,
    /// The position: a FEN in quotes, or a PGN file [default: the usual start].
    #[arg(value_name = "FEN|PGN")]
    pub position: Option<String>,
    /// Which game of the PGN.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub game: u32,
    /// Half-moves of that game before the position [default: all].
    #[arg(long, value_name = "P")]
    pub ply: Option<usize>,
    /// Moves from the position on, as in "e4 e5 Nf3": the root is the position after them.
    #[arg(long, value_name = "MOVES", default_value = "")]
    pub moves: String,
    /// Search each move to this depth in plies.
    #[arg(long, value_name = "N", default_value_t = 18,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    pub depth: u32,
    /// Go into moves less than so many centipawns below the best; halved from ply to ply from the third move on. 0 follows
    /// the best move alone.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = DISTANCE, value_parser = distance)]
    pub distance: f64,
    /// Grow the tree to this depth in plies.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=MOST_PLIES))]
    pub plies: u32,
    /// The width of each ply from the root on, in place of the distance, as in 20,20,10,5; the last one is halved on.
    #[arg(long, value_name = "LIST", value_parser = Widths::parse)]
    pub widths: Option<Widths>,
    /// Other widths where Black is to move.
    #[arg(long, value_name = "LIST", value_parser = Widths::parse)]
    pub widths_black: Option<Widths>,
    /// Get the first K moves of a position by one search of K lines, whose scores are others.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub lines: u32,
    /// Begin no more searches after this time, as in 90s, 30m or 2h: the tree is that of the last depth settled.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// Make the tree of at most so many searches, those in the store included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub searches: Option<u64>,
    /// Most moves of tree.pgn.
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub pgn_moves: usize,
    /// What is told on standard error.
    #[command(flatten)]
    pub console: ConsoleArgs,
    /// Who searches.
    #[command(flatten)]
    pub engine: OneEngineArgs,
    /// Where searches are kept.
    #[command(flatten)]
    pub store: StoreArgs,
    /// Where files go.
    #[command(flatten)]
    pub table: TableArgs,
}

/// What can be done with stores of searches.
#[derive(Debug, Clone, Subcommand)]
pub enum DeepAction {
    /// List what a store knows of a position, without an engine.
    Show {
        /// The SQLite file, or postgres://USER@HOST/DATABASE.
        #[arg(value_hint = ValueHint::FilePath)]
        store: PathBuf,
        /// The position, in quotes; its clocks do not matter.
        fen: String,
    },
    /// Add the searches of one store to another.
    Merge {
        /// The SQLite file, or the server, that they are added to.
        #[arg(value_hint = ValueHint::FilePath)]
        into: PathBuf,
        /// The SQLite file, or the server, that they are read from.
        #[arg(value_hint = ValueHint::FilePath)]
        from: PathBuf,
    },
}

/// Reads a number of centipawns.
pub(super) fn distance(text: &str) -> Result<f64, String> {
    let distance = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    distance.ok_or_else(|| "it is a number of centipawns, 0 or more".to_owned())
}

fn time(text: &str) -> Result<Duration, String> {
    let (number, seconds) = match text.char_indices().last() {
        Some((end, 's')) => (&text[..end], 1),
        Some((end, 'm')) => (&text[..end], 60),
        Some((end, 'h')) => (&text[..end], 3600),
        _ => (text, 1),
    };
    let time = number.parse::<u32>().ok().filter(|&number| number > 0);
    time.map(|number| Duration::from_secs(u64::from(number) * seconds))
        .ok_or_else(|| "it is a whole number of seconds, minutes or hours, as in 90s, 30m or 2h".to_owned())
}

impl DeepArgs {
    /// Returns what is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<DeepPlan, String> {
        let widths = self.widths.clone().unwrap_or_else(|| Widths::of_distance(self.distance));
        let widths = match &self.widths_black {
            Some(black) => widths.with_side(Color::Black, black.clone()),
            None => widths,
        };
        Ok(DeepPlan {
            root: self.root(),
            depth: self.depth,
            options: DeepOptions { widths, lines: self.lines, cuts: true },
            limits: GrowthLimits { plies: self.plies as usize, searches: self.searches, time: self.time },
            pgn_moves: self.pgn_moves,
            engine: self.engine.plan(),
            store: self.store.plan(),
            tables: self.table.clone(),
        })
    }

    fn root(&self) -> RootPlan {
        let moves = self.moves.clone();
        match &self.position {
            None => RootPlan::Position { fen: None, moves },
            // No file has so many words, and a FEN has ranks.
            Some(text) if text.contains(' ') && text.matches('/').count() >= 7 => {
                RootPlan::Position { fen: Some(text.clone()), moves }
            }
            Some(path) => {
                RootPlan::Game { path: path.into(), game: self.game as usize, ply: self.ply, moves }
            }
        }
    }
}
