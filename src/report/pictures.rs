//! Owns [`Pictures`]: what a report shows as pictures, each drawn once for all files that hold it.

use std::collections::BTreeSet;

use super::{
    ReportError,
    plots::{
        Caption,
        canvas::Drawing,
        field,
        gains::{Gains, Scale},
        game::{self, Heading},
        histogram, performance, scores,
    },
    publish::write_picture,
    tournament::ReportOptions,
};
use crate::chess::{Clip, EvaluatedGame};
use crate::files::{FileNames, Publication};
use crate::measure::{MoveSample, PlayerResult, Tournament};

/// The pictures of a field, and how those of its games are drawn.
pub struct Pictures<'a> {
    pub scores: Drawing,
    /// Elo against performance; `None` where nobody is rated.
    pub performance: Option<Drawing>,
    pub field: Drawing,
    /// The histogram of each player that is shown, under the name.
    pub histograms: Vec<(String, Drawing)>,
    sample: &'a MoveSample,
    caption: &'a Caption,
    clip: Clip,
}

pub(super) const EXPECTED_SCORE: &str = "expected-score";
pub(super) const ELO_PERFORMANCE: &str = "elo-performance";
pub(super) const HISTOGRAMS: &str = "histograms";

impl<'a> Pictures<'a> {
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

    /// Draws the picture of `game`, which is at `place` among the games of the sample.
    pub fn game(&self, place: usize, game: &EvaluatedGame) -> Drawing {
        let heading = Heading::of(game.game(), self.caption);
        let clocks: Vec<_> = game.game().moves.iter().map(|played| played.clock).collect();
        game::draw(self.sample.moves_of(place), &clocks, &heading, self.clip)
    }

    /// Writes them in each format wanted, with the games wanted.
    pub(super) fn write(
        &self,
        out: &Publication<'_>,
        games: &[EvaluatedGame],
        options: &ReportOptions,
    ) -> Result<(), ReportError> {
        let write = |name: &str, drawing: &Drawing| write_picture(out, name, drawing, &options.formats);
        write(EXPECTED_SCORE, &self.scores)?;
        self.performance.as_ref().map_or(Ok(()), |drawing| write(ELO_PERFORMANCE, drawing))?;
        write(HISTOGRAMS, &self.field)?;
        let mut files = FileNames::default();
        for (player, drawing) in &self.histograms {
            write(&histogram_name(&mut files, player), drawing)?;
        }
        for (place, game) in games.iter().enumerate() {
            let number = game.game().source.ordinal;
            if !options.formats.pictures.is_empty() && options.games.contains(&number) {
                write(&game_name(number), &self.game(place, game))?;
            }
        }
        Ok(())
    }
}

fn histogram_name(files: &mut FileNames, player: &str) -> String {
    format!("histogram-{}", files.file_name_for(player))
}

fn game_name(number: usize) -> String {
    format!("game-{number}")
}

/// Returns the names, without extension, that pictures of those `players` and `games` have.
pub(super) fn names<'p>(players: impl IntoIterator<Item = &'p str>, games: &BTreeSet<usize>) -> Vec<String> {
    let mut files = FileNames::default();
    let histograms = players.into_iter().map(|player| histogram_name(&mut files, player));
    histograms.chain(games.iter().map(|&number| game_name(number))).collect()
}
