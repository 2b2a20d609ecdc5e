//! Owns [`Advice`]: what a user could ask for instead.

use std::time::Duration;

use crate::chess::{Limit, Protocol, Refusal};

/// What whoever asked for a run could ask for otherwise. The command line words each with its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// Naming files, or standard input.
    NameFiles,
    /// Reading on behind what cannot be read.
    ReadOn,
    /// More games than the first so many.
    TakeMoreGames,
    /// Copies of games too.
    KeepCopies,
    /// Taking recorded evaluations though their nodes are unknown.
    TakeUnknownNodes,
    /// Taking one peak at 0 for the engine's own gains.
    TakeDelta,
    /// An engine, where evaluations are not recorded.
    LetAnEngineSearch,
    /// Searching what recorded evaluations do not tell, or taking one peak at 0.
    SearchOrTakeDelta,
    /// Taking recorded or searched evaluations alone.
    TakeOneKind,
    /// A store, where there is none.
    KeepAStore,
    /// Searching with the same engine in this way, and its own moves too where `own_moves` says so.
    Search {
        /// How positions are put to it.
        protocol: Protocol,
        /// Whether the engine's own moves are wanted.
        own_moves: bool,
    },
    /// Searching less deeply.
    SearchLess {
        /// To where.
        limit: Limit,
        /// How long that takes, about.
        takes: Duration,
    },
    /// Searching what is not stored, all of it or by parts.
    AllowTheSearch,
    /// Calibrating the engine, or naming the file of a calibration of it.
    Calibrate,
    /// Naming the file of a calibration.
    NameACalibration,
    /// Letting an engine search as a calibration wants it.
    Rate,
    /// Searching the engine's own moves.
    SearchOwnMoves,
    /// A rating of at least one player.
    GiveElo,
    /// The strength of one depth, best of this one.
    GiveAnchor(u32),
    /// Naming a folder for the store, or none.
    NameAStore,
    /// Another store.
    ChooseAStore,
    /// Naming a store in PostgreSQL.
    NameAServer,
    /// Starting workers.
    StartWorkers,
    /// Naming an engine, where none is found.
    NameAnEngine,
    /// Another engine.
    ChooseAnEngine,
    /// A faster build of the same engine.
    NameAFasterBuild,
    /// More engine processes of one thread each.
    MoreProcesses,
    /// More games at a time, each with engines of one thread.
    MoreGamesAtATime,
    /// Openings, which make games differ.
    NameOpenings,
    /// Another engine, or other openings.
    ChooseOpenings,
    /// Other depths and pairs.
    ChoosePairs,
    /// Fewer games of each pair.
    PlayFewerGames,
    /// Choosing more games by what these were refused for.
    WidenChoice(Refusal),
    /// A player's whole name.
    WriteTheWholeName,
}
