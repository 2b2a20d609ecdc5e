//! Owns [`Pictures`]: what a report shows as pictures, each drawn once for all files that hold it.

use std::{collections::BTreeSet, path::PathBuf};

use super::{
    ReportError, ReportOptions,
    plots::{
        Caption,
        canvas::Drawing,
        field,
        format::PictureFormat,
        gains::{Gains, Scale},
        game::{self, Heading},
        histogram, performance, scores,
    },
    write_bytes,
};
use crate::{
    evaluated_game::EvaluatedGame,
    output::{FileNames, OutputDir},
    score::Clip,
    tournament::{MoveSample, PlayerResult, Tournament},
};

/// The pictures of a field, and how those of its games are drawn.
pub struct Pictures<'a> {
    /// Expected scores.
    pub scores: Drawing,
    /// Elo against performance; `None` where nobody is rated.
    pub performance: Option<Drawing>,
    /// The histograms side by side.
    pub field: Drawing,
    /// The histogram of each player that is shown, under the name.
    pub histograms: Vec<(String, Drawing)>,
    sample: &'a MoveSample,
    caption: &'a Caption,
    clip: Clip,
}

/// The names of pictures, without extension.
const EXPECTED_SCORE: &str = "expected-score";
const ELO_PERFORMANCE: &str = "elo-performance";
const HISTOGRAMS: &str = "histograms";

/// How the names of a player's and of a game's picture begin.
const HISTOGRAM: &str = "histogram-";
const GAME: &str = "game-";

impl<'a> Pictures<'a> {
    /// Those of the players that are shown.
    pub fn of(tournament: &Tournament, sample: &'a MoveSample, options: &'a ReportOptions) -> Pictures<'a> {
        let names: Vec<&str> = tournament.players.iter().map(|player| player.name.as_str()).collect();
        let mut gains = Gains::of_players(&names, sample, &tournament.method);
        // The scale is the whole field's, so that a picture is the same whoever else is shown.
        let (scale, caption) = (Scale::of(&gains), &options.caption);
        gains.retain(|gains| options.players.has(&gains.player));
        let players: Vec<&PlayerResult> = options.players.of(tournament);
        let histogram = |gains: &Gains| (gains.player.clone(), histogram::draw(gains, scale, caption));
        Pictures {
            scores: scores::draw(&players, caption),
            performance: performance::draw(&players, caption),
            field: field::draw(&gains, scale, caption),
            histograms: gains.iter().map(histogram).collect(),
            sample,
            caption,
            clip: tournament.method.clip,
        }
    }

    /// The picture of `game`, which is at `place` among the games of the sample.
    pub fn game(&self, place: usize, game: &EvaluatedGame) -> Drawing {
        let heading = Heading::of(game.game(), self.caption);
        game::draw(self.sample.moves_of(place), &heading, self.clip)
    }

    /// Writes them into `dir` in each format wanted, with the games wanted.
    pub(super) fn write(
        &self,
        dir: &OutputDir,
        games: &[EvaluatedGame],
        options: &ReportOptions,
    ) -> Result<Vec<PathBuf>, ReportError> {
        if options.plots.is_empty() {
            return Ok(Vec::new());
        }
        let write = |name: &str, drawing: &Drawing| write_picture(dir, name, drawing, &options.plots);
        let mut written = write(EXPECTED_SCORE, &self.scores)?;
        if let Some(drawing) = &self.performance {
            written.extend(write(ELO_PERFORMANCE, drawing)?);
        }
        written.extend(write(HISTOGRAMS, &self.field)?);
        let mut files = FileNames::default();
        for (player, drawing) in &self.histograms {
            written.extend(write(&format!("{HISTOGRAM}{}", files.file_name_for(player)), drawing)?);
        }
        for (place, game) in games.iter().enumerate() {
            let number = game.game().source.ordinal;
            if options.games.contains(&number) {
                written.extend(write(&format!("{GAME}{number}"), &self.game(place, game))?);
            }
        }
        Ok(written)
    }
}

/// One picture in each format.
pub(super) fn write_picture(
    dir: &OutputDir,
    name: &str,
    drawing: &Drawing,
    formats: &BTreeSet<PictureFormat>,
) -> Result<Vec<PathBuf>, ReportError> {
    let write =
        |format: &PictureFormat| write_bytes(dir, &format!("{name}.{format}"), &format.encode(drawing)?);
    formats.iter().map(write).collect()
}

/// Whether `name` is one that a picture may have.
pub(super) fn is_picture(name: &str) -> bool {
    let stem = |format: &PictureFormat| name.strip_suffix(format.extension())?.strip_suffix('.');
    let letter = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    let is = |rest: Option<&str>, letter: &dyn Fn(u8) -> bool| {
        rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(letter))
    };
    PictureFormat::ALL.iter().find_map(stem).is_some_and(|stem| {
        [EXPECTED_SCORE, ELO_PERFORMANCE, HISTOGRAMS].contains(&stem)
            || is(stem.strip_prefix(HISTOGRAM), &letter)
            || is(stem.strip_prefix(GAME), &|byte| byte.is_ascii_digit())
    })
}
