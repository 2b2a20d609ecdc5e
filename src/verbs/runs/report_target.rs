//! Owns one report: where it is made, what of, and its files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::{Viewer, origin::judge, origin::one_judge, origin::source, origin::the_judge, rated_file};
use crate::chess::{EvaluatedGame, Game, text::printable};
use crate::files::{
    EvaluationSource, FileBeside, GamesRead, OutputFolder, RunKind, RunRecord, SearchFacts,
    output::command_line,
};
use crate::measure::{
    Analysis, CalibratedGames, EventFinding, Method, MoveSample, PlayerSelection, QualityOfPlay, Split,
    players, quality::standings,
};
use crate::report::{
    self, ReportError, plots::Caption, publish::PAGE, summary::SummaryFacts, table::Screen, tables,
    tournament::PageFacts, tournament::ReportOptions, words,
};
use crate::verbs::{
    app::evaluated::Evaluated, app::plan::Plan, app::rated::NoRating, app::rated::RatedPlay,
    args::ReportArgs, args::TerminalTables, error::VerbError,
};

/// Where one report is made: its folder and the names that the user gave for it, checked before
/// the long work.
pub struct ReportTarget {
    pub name: String,
    folder: OutputFolder,
    players: PlayerSelection,
    elo: BTreeMap<String, f64>,
}

/// What a report is made of.
pub struct ReportInput<'a> {
    pub games: &'a [EvaluatedGame],
    /// Who evaluated them.
    pub source: EvaluationSource,
    /// What became of all games that were read.
    pub facts: GamesRead,
    /// Positions of the games that have an evaluation.
    pub positions: u64,
    /// Nodes of their evaluations, where they are known.
    pub nodes: Option<u64>,
    /// The command line behind the numbers, one element an argument.
    pub command: Vec<String>,
    /// The games as a calibration asks for them, or in words why there are no ratings of play.
    pub rated: Result<CalibratedGames<'a>, Option<String>>,
    /// What the run has written outside of the folder.
    pub beside: Option<FileBeside>,
}

impl ReportInput<'_> {
    /// Returns the one at `place` among the inputs.
    pub fn of<'a>(place: usize, evaluated: &'a Evaluated, plan: &Plan) -> ReportInput<'a> {
        let input_games = &evaluated.inputs[place];
        let evaluations = input_games.games.iter().flat_map(|game| game.evaluations().iter());
        let nodes = evaluations.filter_map(|evaluation| evaluation.nodes).fold(0, u64::saturating_add);
        ReportInput {
            games: &input_games.games,
            source: source(input_games, evaluated, plan),
            facts: GamesRead {
                read: input_games.read,
                analysed: input_games.games.len() as u64,
                left_out: input_games.left_out.first().to_vec(),
                left_out_by_reason: input_games.left_out.kinds().clone(),
                choice: input_games.choice.clone(),
            },
            positions: input_games.games.iter().map(|game| game.evaluations().iter().count() as u64).sum(),
            nodes: (nodes > 0).then_some(nodes),
            command: command_line(),
            rated: calibrated(&evaluated.rated, place),
            beside: None,
        }
    }
}

impl ReportTarget {
    /// Returns a target that writes into `folder`, where `elo` overrides the tags of the games.
    pub fn new(
        name: String,
        folder: OutputFolder,
        players: PlayerSelection,
        elo: BTreeMap<String, f64>,
    ) -> ReportTarget {
        ReportTarget { name, folder, players, elo }
    }

    /// Returns where its files are written.
    pub fn folder(&self) -> &OutputFolder {
        &self.folder
    }

    /// Returns the players that the user wants to see.
    pub fn players(&self) -> &PlayerSelection {
        &self.players
    }

    /// Returns its page, or its folder where it has no page.
    pub fn page(&self, plan: &Plan) -> PathBuf {
        match plan.report.shown.no_html {
            true => self.folder.path().to_owned(),
            false => self.folder.path().join(PAGE),
        }
    }

    /// Writes the files of a report with the record of the `run` that ends with it, and gives back its tables as
    /// the terminal shows them, with what they say.
    pub fn publish(
        &self,
        input: ReportInput<'_>,
        run: impl FnOnce() -> RunRecord<SearchFacts>,
        plan: &Plan,
        viewer: &dyn Viewer,
    ) -> Result<(String, EventFinding), VerbError> {
        let (games, beside) = (input.games, input.beside.clone());
        let sample = MoveSample::of(games);
        let splits: BTreeSet<Split> = plan.report.shown.split.iter().copied().collect();
        let splits: Vec<Split> = splits.into_iter().collect();
        let analysis = Analysis::of(&sample, &self.elo, &plan.method, &splits);
        let page =
            PageFacts { name: self.name.clone(), command: input.command.clone(), reload: plan.report.reload };
        let options = ReportOptions {
            page,
            caption: Caption {
                engine: judge(&input.source, games),
                filters: plan.method.filter.names().len(),
            },
            ..report_options(self.players.clone(), &plan.report)
        };
        let finding =
            EventFinding::of(&self.name, one_judge(&input.source, games), games.len(), &analysis.tournament);
        let ReportInput { source, facts, positions, nodes, rated, .. } = input;
        let calibrated = rated.as_ref().ok().copied();
        let ranked_from = plan.report.ranked_from();
        let quality = QualityOfPlay::of((&sample, games), rated, &self.elo, &plan.method, ranked_from);
        let warning = words::method::judge_warning(&the_judge(&source, games).unwrap_or_default());
        let facts = SummaryFacts { evaluations: source, warning, games: facts, positions, nodes };
        if analysis.tournament.players.iter().all(|player| player.moves() == 0) {
            viewer.warn(&nothing_counts(&plan.method));
        } else if analysis.tournament.engine_strength.is_none() && plan.report.terminal.tables.has_paper() {
            match words::tournament::without_strength(&analysis.tournament) {
                words::tournament::UNRATED => {
                    say_unrated(viewer);
                }
                several => viewer.note(several),
            }
        }
        let shown = analysis.narrowed(|player| options.players.has(player));
        let out = self
            .folder
            .publication()?
            .saying("engine", options.caption.engine.clone())
            .saying("method", serde_json::to_string(&plan.method).map_err(ReportError::Json)?)
            .saying("filters", plan.method.filter.names().join("; "));
        report::tournament::write(&out, (&analysis, &quality), &sample, games, &options, &facts)?;
        // Where they are the games of the report, the report has them already.
        if let Some(calibrated) = calibrated.filter(|calibrated| calibrated.games != games) {
            rated_file::write(&out, calibrated)?;
        }
        beside.iter().for_each(|file| out.list_beside(file));
        super::say_removed(&out.finish(&run())?, viewer);
        let ranked = quality.narrowed(|player| options.players.has(player));
        let screen = viewer.screen();
        let summary = || {
            let mut standings = standings(&quality, &analysis, &sample);
            standings.retain(|standing| options.players.has(&standing.quality.player));
            // Of chosen players the table alone: what is said of the field is about the others too.
            let field = (options.players == PlayerSelection::All).then_some(&quality);
            tables::summary(field, &ranked, &standings, facts.warning.as_deref(), screen)
        };
        let tables = match plan.report.terminal.tables {
            TerminalTables::Summary => tables::with_splits(summary(), &shown, screen),
            TerminalTables::Paper => tables::paper(&shown.tournament, screen),
            TerminalTables::All => tables::all(summary(), &shown, &ranked, screen),
            TerminalTables::None => String::new(),
        };
        Ok(if plan.separately {
            (under_heading(&self.name, &tables, viewer.screen()), finding)
        } else {
            (tables, finding)
        })
    }
}

/// Returns the games of the input at `place` as a calibration asks for them, or in words why there are none.
pub fn calibrated(
    rated: &Result<RatedPlay, NoRating>,
    place: usize,
) -> Result<CalibratedGames<'_>, Option<String>> {
    match rated {
        Ok(RatedPlay { calibration, inputs }) => {
            Ok(CalibratedGames { games: inputs.get(place).map_or(&[], Vec::as_slice), calibration })
        }
        Err(NoRating::NotWanted) => Err(None),
        Err(reason) => Err(Some(reason.to_string())),
    }
}

/// Tells why the tables are empty.
/// Says that no player is rated, which nothing follows without.
pub fn say_unrated(viewer: &dyn Viewer) {
    viewer.note(&format!("{} (--elo \"Name=2700\" gives one)", words::tournament::UNRATED));
}

fn nothing_counts(method: &Method) -> String {
    match method.filter.names().as_slice() {
        [] => "no game has a move: the tables are empty".to_owned(),
        filters => format!("no move counts, so the tables are empty: {}", filters.join("; ")),
    }
}

/// Claims the folder of a report of `games`, with its `players` and the options of `plan`.
pub fn claim<'g>(
    path: PathBuf,
    games: impl IntoIterator<Item = &'g Game>,
    players: &PlayerSelection,
    plan: &Plan,
) -> Result<OutputFolder, VerbError> {
    let options = report_options(players.clone(), &plan.report);
    let players = players::names(games);
    let names = report::tournament::file_names(&options, players.iter().map(String::as_str));
    let names = names.into_iter().chain([rated_file::NAME.to_owned()]);
    Ok(plan.report.table.claim(path, RunKind::Report, names)?)
}

/// Returns all that a report shows but for what its games tell.
fn report_options(players: PlayerSelection, plan: &ReportArgs) -> ReportOptions {
    ReportOptions {
        formats: plan.formats(),
        players,
        games: plan.shown.game.iter().copied().collect(),
        ..ReportOptions::default()
    }
}

/// Returns the tables of one of several reports.
pub fn under_heading(heading: &str, tables: &str, screen: Screen) -> String {
    format!("{}\n\n{tables}\n", screen.bold(&printable(heading)))
}
