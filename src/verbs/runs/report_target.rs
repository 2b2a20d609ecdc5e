//! One report: its folder, its contents, the judge of its games, and its files.

use std::{collections::BTreeMap, collections::BTreeSet, path::PathBuf, time::Duration};

use super::{Viewer, rated_file};
use crate::base::output::{OutputFolder, OutsideFile, RunKind, RunRecord, command_line};
use crate::base::text::{printable, shell_quoted, shown_path};
use crate::chess::{EvaluatedGame, Game, evaluated_game, evaluated_game::judge_of};
use crate::files::{
    EngineFacts, EvaluationSource, GamesRead, OwnMoves, ProtocolFacts, SearchFacts, Searches, SummaryFacts,
};
use crate::measure::{
    CalibratedGames, EventFinding, Findings, FindingsDesign, Method, PlayerSelection, Profile, calibrated,
    group::UNKNOWN, peers::Reference, players, quality::standings,
};
use crate::report::{
    self, ReportError, pictures::ReportOptions, pictures::Source, plots::Caption, publish::PAGE,
    table::Screen, tables, words,
};
use crate::store::SearchCounts;
use crate::verbs::{
    args::ReportArgs, args::TerminalTables, error::Result, input::evaluated::Evaluated,
    input::evaluated::InputGames, runs::Plan,
};

/// The folder of one report, and the players and ratings that the user named for it. Folder, players and
/// ratings are checked before the long work.
pub struct ReportTarget {
    pub name: String,
    pub folder: OutputFolder,
    pub players: PlayerSelection,
    /// Ratings that replace the ratings in the games' tags.
    pub elo: BTreeMap<String, f64>,
}

pub struct ReportInput<'a> {
    pub games: &'a [EvaluatedGame],
    pub facts: SummaryFacts,
    /// The command line that produced the numbers, one element per argument.
    pub command: Vec<String>,
    /// The games, evaluated at a calibration's search settings; or the reason, in words, why there are no
    /// ratings of play (`None` if none are wanted).
    pub rated: Result<CalibratedGames<'a>, Option<String>>,
    /// A file that the run has written outside of the folder.
    pub outside: Option<OutsideFile>,
}

impl ReportInput<'_> {
    pub fn of<'a>(place: usize, evaluated: &'a Evaluated, plan: &Plan) -> ReportInput<'a> {
        let input = &evaluated.inputs[place];
        let evaluations = || input.games.iter().flat_map(|game| game.evaluations().iter());
        let nodes = evaluations().filter_map(|evaluation| evaluation.nodes).fold(0, u64::saturating_add);
        let facts = SummaryFacts {
            evaluations: source(input, evaluated, plan),
            warning: None,
            games: GamesRead {
                read: input.read,
                analysed: input.games.len() as u64,
                unplayed: input.games.iter().filter(|game| game.game().moves.is_empty()).count() as u64,
                left_out: input.left_out.first().to_vec(),
                left_out_by_reason: input.left_out.kinds().clone(),
                choice: input.choice.clone(),
            },
            positions: evaluations().count() as u64,
            nodes: (nodes > 0).then_some(nodes),
        };
        let rated = calibrated(&evaluated.rated, place);
        ReportInput { games: &input.games, facts, command: command_line(), rated, outside: None }
    }
}

impl ReportTarget {
    /// Returns the report's page, or its folder if it has no page.
    pub fn page(&self, plan: &Plan) -> PathBuf {
        match plan.report.shown.no_html {
            true => self.folder.path().to_owned(),
            false => self.folder.path().join(PAGE),
        }
    }

    fn design(&self, plan: &Plan) -> FindingsDesign {
        FindingsDesign {
            method: plan.method.clone(),
            elo: self.elo.clone(),
            splits: plan.report.shown.split.iter().copied().collect(),
            ranked_from: plan.report.ranked_from(),
            screens: plan.report.shown.also.screen,
        }
    }

    /// Writes the files of a report with the record of its `run`. Returns the tables for the terminal, with
    /// sentences on them, and the finding on the event.
    pub fn publish(
        &self,
        input: ReportInput<'_>,
        run: impl FnOnce() -> RunRecord<SearchFacts>,
        plan: &Plan,
        viewer: &dyn Viewer,
    ) -> Result<(String, EventFinding)> {
        let ReportInput { games, mut facts, command, rated, outside } = input;
        let reference = plan.report.reference.plan().load_for(games.iter().map(EvaluatedGame::game))?;
        let kind = |game: &EvaluatedGame| judge_of_game(&facts.evaluations, game);
        let calibrated = rated.as_ref().ok().copied();
        let (findings, uncompared) = Findings::of(
            games,
            rated,
            reference.as_ref().map(|peers| (peers, &kind as _)),
            &self.design(plan),
        );
        note_uncompared(&uncompared, reference.as_ref(), viewer);
        let Findings { sample, analysis, quality, .. } = &findings;
        let (source, filters) = (&facts.evaluations, plan.method.filter.names());
        let options = ReportOptions {
            name: self.name.clone(),
            command,
            reload: plan.report.reload,
            caption: Caption { engine: words::judge::caption(source, games), filters: filters.len() },
            ..report_options(self.players.clone(), &plan.report)
        };
        let judge = match source {
            // The run searched only some of the games.
            EvaluationSource::Engine { recorded_games: 1.., .. } => None,
            source => words::judge::named(source, games),
        };
        let finding = EventFinding::of(&self.name, judge, games.len(), &analysis.tournament);
        facts.warning = words::method::judge_warning(&words::judge::named(source, games).unwrap_or_default());
        if analysis.tournament.players.iter().all(|player| player.moves() == 0) {
            viewer.warn(&nothing_counts(&plan.method));
        } else if analysis.tournament.engine_strength.is_none() && plan.report.terminal.tables.has_paper() {
            match words::tournament::without_strength(&analysis.tournament) {
                words::tournament::UNRATED => note_unrated(viewer),
                several => viewer.note(several),
            }
        }
        let out = self
            .folder
            .publication()?
            .saying("engine", options.caption.engine.clone())
            .saying("method", serde_json::to_string(&plan.method).map_err(ReportError::Json)?)
            .saying("filters", filters.join("; "));
        let source = Source { findings: &findings, games, facts: &facts, options: &options };
        report::tournament::write(&out, &source)?;
        note_profile(source.own(), plan, viewer);
        // If these are the games of the report, its own files already have them.
        if let Some(calibrated) = calibrated.filter(|calibrated| calibrated.games != games) {
            rated_file::write(&out, calibrated)?;
        }
        outside.into_iter().for_each(|file| out.add_outside(file));
        super::report_removed(&out.finish(&run())?, viewer);
        let shown = analysis.narrowed(|player| self.players.has(player));
        let ranked = quality.narrowed(|player| self.players.has(player));
        let screen = viewer.screen();
        let summary = || {
            let mut standings = standings(quality, analysis, sample);
            standings.retain(|standing| self.players.has(&standing.result.name));
            // With selected players only the table is shown, because sentences on the field would include the
            // others.
            let one = report::tournament::headline_of_one(&source);
            let field = (self.players == PlayerSelection::All && one.is_empty()).then_some(quality);
            one + &tables::ranking::summary(field, &ranked, standings, facts.warning.as_deref(), screen)
        };
        let tables = match plan.report.terminal.tables {
            TerminalTables::Summary => tables::with_splits(summary(), &shown, screen),
            TerminalTables::Paper => tables::paper(&shown.tournament, screen),
            TerminalTables::All => tables::all(summary(), &shown, &ranked, screen),
            TerminalTables::None => String::new(),
        };
        let tables = self.screened(&findings, viewer) + &tables;
        let tables = if plan.separately { under_heading(&self.name, &tables, screen) } else { tables };
        Ok((tables, finding))
    }

    /// Returns the screening for the terminal. Warns if it is refused.
    fn screened(&self, findings: &Findings, viewer: &dyn Viewer) -> String {
        match &findings.screening {
            Some(Ok(screening)) => {
                let rows = screening.rows_of(|player| self.players.has(player));
                tables::screening::shown(screening, &rows, viewer.screen()) + "\n"
            }
            Some(Err(refusal)) => {
                viewer.warn(&refusal.to_string());
                String::new()
            }
            None => String::new(),
        }
    }
}

/// Returns the origin of a report's evaluations, as the report's files describe it.
pub fn source(input_games: &InputGames, evaluated: &Evaluated, plan: &Plan) -> EvaluationSource {
    match evaluated.engine.as_ref().filter(|_| input_games.searched > 0) {
        None => EvaluationSource::Recorded,
        Some(engine) => EvaluationSource::Engine {
            engine: EngineFacts::of(&engine.name, &engine.digest, &engine.options, &evaluated.programs),
            protocol: ProtocolFacts::from(plan.evaluations.protocol),
            recorded_games: input_games.recorded,
        },
    }
}

/// Returns a game's engine and search settings as in [`evaluated_game::judge_of_game`]; `None` if only some games were searched.
pub fn judge_of_game(source: &EvaluationSource, game: &EvaluatedGame) -> Option<String> {
    match source {
        EvaluationSource::Engine { recorded_games: 1.., .. } => None,
        EvaluationSource::Engine { engine, protocol, .. } => Some(judge_of(&engine.name, &protocol.brief())),
        EvaluationSource::Recorded => {
            Some(evaluated_game::judge_of_game(game.game()).unwrap_or(UNKNOWN).to_owned())
        }
    }
}

/// Notes the command for the profile of a player who plays all games, except in a report that is rewritten.
fn note_profile(own: Option<&Profile>, plan: &Plan, viewer: &dyn Viewer) {
    let Some(own) = own.filter(|_| plan.report.reload.is_none() && !plan.files.is_empty()) else { return };
    let files = plan.files.iter().map(|path| shell_quoted(&shown_path(path)));
    let words = [shell_quoted(&own.player)].into_iter().chain(files);
    let said = words.collect::<Vec<_>>().join(" ");
    viewer.note(&format!("all games are by one player: for the profile, run gainalyze player {said}"));
}

/// Notes that no game is comparable with the `reference`, unless the `kinds` of the games' evaluations are unknown.
pub fn note_uncompared(kinds: &BTreeSet<String>, reference: Option<&Reference>, viewer: &dyn Viewer) {
    if let Some(reference) = reference.filter(|_| !kinds.is_empty()) {
        viewer.note(&words::reference::without(reference, kinds));
    }
}

pub fn search_facts(evaluated: &Evaluated, plan: &Plan) -> SearchFacts {
    let SearchCounts { stored, searched, nodes, busy, wall } = evaluated.counts;
    let own = evaluated.own_moves;
    let own_moves = OwnMoves { evaluated: own.stored + own.searched, searched: own.searched };
    let per_second = |amount: f64, time: Duration| amount / time.as_secs_f64();
    SearchFacts {
        searches: Searches { made: searched, from_store: stored, recorded: evaluated.recorded, own_moves },
        nodes_per_second: (searched > 0).then(|| per_second(nodes as f64, wall)),
        engine_busy_share: (searched > 0)
            .then(|| per_second(busy.as_secs_f64(), wall) / plan.evaluations.engine.jobs as f64),
    }
}

pub fn note_unrated(viewer: &dyn Viewer) {
    viewer.note(&format!("{}; set one with --elo \"Name=2700\"", words::tournament::UNRATED));
}

fn nothing_counts(method: &Method) -> String {
    match method.filter.names().as_slice() {
        [] => "no game has a move: the tables are empty".to_owned(),
        filters => format!("no move passes the filters, so the tables are empty: {}", filters.join("; ")),
    }
}

/// Claims the folder of a report of `games`, with its `players` and the options of `plan`.
pub fn claim<'g>(
    path: PathBuf,
    games: impl IntoIterator<Item = &'g Game>,
    players: &PlayerSelection,
    plan: &Plan,
) -> Result<OutputFolder> {
    let options = report_options(players.clone(), &plan.report);
    let players = players::names(games);
    let names = report::tournament::file_names(&options, players.iter().map(String::as_str));
    let names = names.into_iter().chain([rated_file::NAME.to_owned()]);
    Ok(plan.report.table.claim(path, RunKind::Report, names)?)
}

/// Returns those options of a report that do not depend on its games.
fn report_options(players: PlayerSelection, plan: &ReportArgs) -> ReportOptions {
    ReportOptions {
        formats: plan.formats(),
        players,
        games: plan.shown.game.iter().copied().collect(),
        with_engine: plan.shown.with_engine,
        ..ReportOptions::default()
    }
}

pub fn under_heading(heading: &str, tables: &str, screen: Screen) -> String {
    format!("{}\n\n{tables}\n", screen.bold(&printable(heading)))
}
