//! `rating.pgn`: the games of a report, evaluated at a calibration's search settings. With this file, the
//! report can be rewritten without an engine.

use std::path::Path;

use super::Viewer;
use crate::base::{output::FileError, output::Publication, text::with_causes};
use crate::chess::{EvaluatedGame, Game, evaluated_game::judge_of, pgn, recorded_evaluations};
use crate::files::EvaluationSource;
use crate::measure::{CalibratedGames, NoRating, RatedPlay};
use crate::verbs::runs::Plan;

pub const NAME: &str = "rating.pgn";

pub fn write(out: &Publication<'_>, rated: CalibratedGames<'_>) -> Result<(), FileError> {
    let judge = rated.calibration.kind();
    out.write(NAME, |file| {
        rated
            .games
            .iter()
            .map(|game| game.annotated(Some(&judge)))
            .try_for_each(|game| pgn::write_game(&game, &mut *file))
    })
}

/// Returns the games of a report, evaluated at a calibration's search settings. The games come from
/// `rating.pgn` in the report's folder. Without this file, the report's own games are returned, if their
/// evaluations are of a calibrated kind.
pub fn read(
    folder: &Path,
    games: &Vec<EvaluatedGame>,
    source: &EvaluationSource,
    plan: &Plan,
    viewer: &dyn Viewer,
) -> Result<RatedPlay, NoRating> {
    let calibrations =
        plan.evaluations.calibrations.load_for(games.iter().map(EvaluatedGame::game)).unwrap_or_else(
            |error| {
                viewer.warn(&format!("no rating of play: {}", with_causes(&error)));
                Vec::new()
            },
        );
    let path = folder.join(NAME);
    if path.exists() {
        let games = evaluated(&path, games);
        return RatedPlay::of_recorded([&games].into_iter(), &calibrations);
    }
    match source {
        EvaluationSource::Engine { engine, protocol, recorded_games: 0 } => {
            let judge = judge_of(&engine.name, &protocol.brief());
            RatedPlay::of_kind(Some(&judge), [games].into_iter(), &calibrations)
        }
        _ => RatedPlay::of_recorded([games].into_iter(), &calibrations),
    }
}

/// Returns the evaluated games of the file at `path` that are also in the report; empty if the file cannot be
/// read. The file must have them in the report's order.
fn evaluated(path: &Path, games: &[EvaluatedGame]) -> Vec<EvaluatedGame> {
    let Ok(text) = pgn::read_source(path) else { return Vec::new() };
    let mut of_report = games.iter().map(EvaluatedGame::game);
    let read = pgn::parse_games(&text, &path.to_string_lossy()).into_iter().filter_map(Result::ok);
    let evaluated = read.filter_map(|game| {
        let evaluations = recorded_evaluations(&game, None).ok()?;
        let place = of_report.find(|known| is_same(known, &game))?;
        let game = Game { source: place.source.clone(), ..game };
        Some(EvaluatedGame::new(game, evaluations))
    });
    evaluated.collect()
}

fn is_same(one: &Game, other: &Game) -> bool {
    // The names may differ, because the report has main names.
    let facts = |game: &Game| (game.tags.round(), shakmaty::Color::ALL.map(|color| game.elo(color)));
    facts(one) == facts(other)
        && one.moves.iter().map(|played| played.uci).eq(other.moves.iter().map(|played| played.uci))
}
