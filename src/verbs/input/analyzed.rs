//! The sums for a calibration of lichess's evaluations, which are recorded in the games.

use std::{
    collections::BTreeMap, collections::HashSet, num::NonZeroU32, num::NonZeroUsize, ops::ControlFlow,
    path::PathBuf, thread,
};

use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64;

use crate::base::{digest::hex, text::shown_path, text::with_causes};
use crate::chess::{
    EvaluatedGame, Game, Limit, Order, Protocol, evaluated_game::LICHESS, evaluated_game::judge_of_game, pgn,
    pgn::GameBlock, pgn::GameReader, pgn::StreamContent, recorded_evaluations,
};
use crate::measure::{
    CalibratedEngine, CalibrationData, CalibrationEvent, CalibrationPlay, CalibrationSample, CentipawnScale,
    CountedMoves, RatingScale,
};
use crate::verbs::error::{Result, VerbError};

/// Largest change of a rating by a game. Larger changes are those of new players, whose ratings are provisional.
const MOST_CHANGE: i32 = 20;

/// Largest number of games of a year by which the scale of the evaluations is found.
const MOST_FOR_SCALE: usize = 200;

/// The share of the games that may be used for the scale is one of this number.
const FOR_SCALE: u64 = 8;

/// Of more games than this, only some players are used. More games would hardly make a better calibration.
const MOST_GAMES: u64 = 200_000;

/// The search of lichess's servers for Stockfish 15, by the source of fishnet; other versions search as long.
const NODES: u64 = 1_500_000;

/// Returns the sums of the games with evaluations by lichess in `files`, with the players dealt into `sets` sets.
pub fn sums(files: &[PathBuf], scale: RatingScale, sets: u64) -> Result<CalibrationData> {
    let mut by_year: BTreeMap<Option<u16>, Vec<EvaluatedGame>> = BTreeMap::new();
    let kept = |game: EvaluatedGame| identity(game.game()).is_multiple_of(FOR_SCALE).then_some(game);
    let mut counted = 0;
    each(files, scale, kept, |game| {
        counted += FOR_SCALE;
        let of_year = by_year.entry(game.game().tags.date().map(|date| date.year())).or_default();
        if of_year.len() < MOST_FOR_SCALE {
            of_year.push(game);
        }
    })?;
    let centipawns = CentipawnScale::of(by_year.values().flatten())
        .map_err(|unknown| VerbError::new(format!("no calibration: {unknown}")))?;
    let one_of = counted.div_ceil(MOST_GAMES).max(1);
    let mut sample = CalibrationSample { counted: CountedMoves::Undecided, ..CalibrationSample::default() };
    let mut digests = vec![Sha256::new(); sets as usize];
    sample.events = (1..=sets).map(|set| CalibrationEvent::named(format!("set {set}"))).collect();
    let (mut seen, mut number) = (HashSet::new(), 0);
    let plays = |game: EvaluatedGame| {
        let identity = identity(game.game());
        Some((identity, CalibrationPlay::of_games(&[centipawns.rescale(game)], sample.counted)))
    };
    each(files, scale, plays, |(identity, plays)| {
        if !seen.insert(identity) {
            return;
        }
        for play in plays {
            // The sums of many people's games are published without their names. Accuracies of different years are not
            // comparable, because lichess computes them from the evaluations as they are.
            let hash = xxh3_64(play.player.as_bytes());
            let play = CalibrationPlay { player: format!("{:08x}", hash >> 32), accuracy: None, ..play };
            if !(hash >> 16).is_multiple_of(one_of) {
                continue;
            }
            let event = (hash % sets) as usize;
            digests[event].update(format!("{} {identity:x}\n", play.player));
            sample.events[event].games += 1;
            sample.events[event].moves += play.all().moves();
            sample.plays.push(CalibrationPlay { event: event as u32, game: number, ..play });
        }
        number += 1;
    })?;
    for (event, digest) in sample.events.iter_mut().zip(digests) {
        event.digest = hex(&digest.finalize());
    }
    sample.plays.sort_by_key(|play| play.event);
    let engine = CalibratedEngine::named(LICHESS);
    let protocol =
        Protocol { limit: Limit::Nodes(NODES), order: Order::Forward, segment: 1, lines: NonZeroU32::MIN };
    Ok(CalibrationData { engine, protocol, sample })
}

/// Reads the games with evaluations by lichess, converts them by `convert` on several threads, and gives the
/// results to `take` in the order of the games.
fn each<T: Send>(
    files: &[PathBuf],
    scale: RatingScale,
    convert: impl Fn(EvaluatedGame) -> Option<T> + Sync,
    mut take: impl FnMut(T) + Send,
) -> Result<()> {
    let read = |block: GameBlock<'_>| {
        let GameBlock::Games { text, .. } = block else { return Vec::new() };
        let games = GameReader::new(text, "").flatten().filter(|game| is_taken(game, scale));
        let evaluated = games.filter_map(|game| {
            let evaluations = recorded_evaluations(&game, None).ok()?;
            convert(EvaluatedGame::new(game, evaluations))
        });
        evaluated.collect::<Vec<T>>()
    };
    let jobs = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let end = pgn::stream(files, None, jobs, read, |part| {
        let wrong =
            |why: String| ControlFlow::Break(VerbError::new(format!("{}: {why}", shown_path(part.file))));
        match part.content {
            StreamContent::Block(games) => games.into_iter().for_each(&mut take),
            StreamContent::Torn(error) => return wrong(with_causes(&error)),
            StreamContent::Failed(error) => return wrong(with_causes(&error)),
            StreamContent::End => {}
        }
        ControlFlow::Continue(())
    });
    match end {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// Returns whether a game has evaluations by lichess and two ratings on the scale that are not provisional.
fn is_taken(game: &Game, scale: RatingScale) -> bool {
    let is_settled = |tag: &str| {
        let change = game.tags.get(tag).and_then(|change| change.parse::<i32>().ok());
        change.is_none_or(|change| change.abs() <= MOST_CHANGE)
    };
    let is_person = |tag: &str| game.tags.get(tag) != Some("BOT");
    scale.takes(game)
        && ["WhiteRatingDiff", "BlackRatingDiff"].into_iter().all(is_settled)
        && ["WhiteTitle", "BlackTitle"].into_iter().all(is_person)
        && judge_of_game(game) == Some(LICHESS)
}

/// Returns a hash of the players, the date and the moves of a game.
fn identity(game: &Game) -> u64 {
    let moves = game.moves.iter().map(|played| played.uci.to_string()).collect::<Vec<_>>().join(" ");
    let tags =
        ["White", "Black", "UTCDate", "UTCTime", "Date"].map(|tag| game.tags.get(tag).unwrap_or_default());
    xxh3_64(format!("{} {moves}", tags.join("\n")).as_bytes())
}
