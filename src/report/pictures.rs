//! [`Source`]: the data of a tournament's report, and its pictures.

use std::collections::BTreeSet;

use super::{
    plots::Caption, plots::canvas::Drawing, plots::gains::Gains, plots::gains::Scale, plots::game,
    plots::game::Heading, plots::histogram, plots::performance, plots::ranking::Ranking, plots::scores,
    publish::NamedDrawing, publish::ReportFormats,
};
use crate::chess::{EvaluatedGame, Game, GameResult};
use crate::files::{FileNames, SummaryFacts};
use crate::measure::{Findings, PairSummary, PlayerResult, PlayerSelection, Profile, quality::standings};

#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub findings: &'a Findings,
    /// The games, in the order of the findings' sample.
    pub games: &'a [EvaluatedGame],
    pub facts: &'a SummaryFacts,
    pub options: &'a ReportOptions,
}

impl<'a> Source<'a> {
    /// Returns the profile of the only player who takes part in all games; `None` for a tournament, or if
    /// only some players are shown.
    pub fn own(&self) -> Option<&'a Profile> {
        self.findings.own.as_ref().filter(|_| self.options.players == PlayerSelection::All)
    }

    /// Returns true if the report is about a single game, which the page then shows first.
    pub fn is_one(&self) -> bool {
        self.games.len() == 1 && self.own().is_none()
    }

    /// Returns true if the game is still being played: its result is unknown, and the page is rewritten during play.
    pub fn is_in_progress(&self, game: &Game) -> bool {
        self.options.reload.is_some() && game.result == GameResult::Unknown
    }

    /// Returns the result of a game in words.
    pub fn result(&self, game: &Game) -> String {
        if self.is_in_progress(game) { "in progress".to_owned() } else { game::result(game) }
    }

    pub fn in_progress(&self) -> usize {
        self.games.iter().filter(|evaluated| self.is_in_progress(evaluated.game())).count()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportOptions {
    pub formats: ReportFormats,
    /// The players that tables and pictures show. The numbers remain the numbers of the whole tournament.
    pub players: PlayerSelection,
    /// The games that are drawn move by move, by their numbers among all games read.
    pub games: BTreeSet<usize>,
    pub caption: Caption,
    pub name: String,
    pub command: Vec<String>,
    /// Number of seconds after which the page reloads itself. `None` for a page that is not rewritten
    /// regularly.
    pub reload: Option<u32>,
    /// True if the page contains the engine, for boards on which a reader moves.
    pub with_engine: bool,
}

pub(super) const RANKING: &str = "ranking";
pub(super) const CARD: &str = "card";
pub(super) const EXPECTED_SCORE: &str = "expected-score";
pub(super) const ELO_PERFORMANCE: &str = "elo-performance";
pub(super) const HISTOGRAMS: &str = "histograms";

pub(super) const HISTOGRAM: &str = "histogram-";

/// Draws the pictures of the players that are shown and whose names `wants` accepts, and of the games chosen for
/// files.
///
/// `event` and `finding` are the words of the ranking and its card.
pub(super) fn drawings(
    source: &Source<'_>,
    [event, finding]: [&str; 2],
    wants: impl Fn(&str) -> bool,
) -> Vec<NamedDrawing> {
    let Source { findings, games, options, .. } = *source;
    let Findings { sample, analysis, quality, .. } = findings;
    let (tournament, caption) = (&analysis.tournament, &options.caption);
    let players: Vec<&PlayerResult> = options.players.of(tournament);
    let quality = quality.narrowed(|player| options.players.has(player));
    let standings = standings(&quality, analysis, sample);
    let mut drawings: Vec<NamedDrawing> = Vec::new();
    let mut add = |name: &str, drawing: &dyn Fn() -> Option<Drawing>| {
        drawings.extend(wants(name).then(drawing).flatten().map(|drawing| (name.to_owned(), drawing)));
    };
    let ranking = || Ranking::of(&standings, &quality, caption);
    add(RANKING, &|| Some(ranking()?.picture(event)));
    add(CARD, &|| Some(ranking()?.card(event, finding)));
    add(EXPECTED_SCORE, &|| Some(scores::draw(&players, caption)));
    add(ELO_PERFORMANCE, &|| performance::draw(&players, caption));
    if wants(HISTOGRAMS) {
        let names: Vec<&str> = tournament.players.iter().map(|player| player.name.as_str()).collect();
        let mut gains = Gains::of_players(&names, sample, &tournament.method);
        // The scale fits the whole field, so that a picture does not depend on the other players shown.
        let (scale, mut files) = (Scale::of(&gains), FileNames::default());
        gains.retain(|gains| options.players.has(&gains.player));
        add(HISTOGRAMS, &|| Some(histogram::draw_field(&gains, scale, caption)));
        for gains in gains.iter().filter(|_| has_histograms(gains.len())) {
            let name = histogram_name(&mut files, &gains.player);
            add(&name, &|| Some(histogram::draw_field(std::slice::from_ref(gains), scale, caption)));
        }
    }
    for (place, game) in games.iter().enumerate() {
        let number = game.game().source.ordinal;
        if options.games.contains(&number) {
            add(&game_name(number), &|| Some(self::game(source, place)));
        }
    }
    drawings
}

fn game(source: &Source<'_>, place: usize) -> Drawing {
    let game = source.games[place].game();
    let heading = Heading::of(game, &source.result(game), &source.options.caption);
    let clocks: Vec<_> = game.moves.iter().map(|played| played.clock).collect();
    game::draw(
        source.findings.sample.moves_of(place),
        &clocks,
        &heading,
        source.findings.analysis.tournament.method.clip,
    )
}

/// Returns true if each player of a field of this size gets a picture. Thousands of pictures are of no use,
/// and take hours and gigabytes.
fn has_histograms(players: usize) -> bool {
    players <= PairSummary::FIELD
}

fn histogram_name(files: &mut FileNames, player: &str) -> String {
    format!("{HISTOGRAM}{}", files.file_name_for(player))
}

fn game_name(number: usize) -> String {
    format!("game-{number}")
}

/// Returns the names, without extension, of the pictures of the given `players` and `games`.
pub(super) fn names<'p>(players: impl IntoIterator<Item = &'p str>, games: &BTreeSet<usize>) -> Vec<String> {
    let mut files = FileNames::default();
    let players: Vec<&str> = players.into_iter().collect();
    let drawn: &[&str] = if has_histograms(players.len()) { &players } else { &[] };
    let histograms = drawn.iter().map(|player| histogram_name(&mut files, player));
    histograms.chain(games.iter().map(|&number| game_name(number))).collect()
}
