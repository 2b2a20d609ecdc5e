//! Games of several entrants: in a round robin or gauntlet, or games of earlier runs rated together.

use std::{path::Path, path::PathBuf};

use chrono::Utc;

use super::args::EntrantsPlan;
use crate::base::input_file;
use crate::base::output::{RunClock, RunKind, command_line, now};
use crate::base::text::{brief, counted, first_named, full_path, shown_path, with_causes};
use crate::files::FileNames;
use crate::lab::{
    EntrantAnchor, EntrantConfig, EntrantNumber, EntrantsConfig, GameHeader, GameRecord, NamedRecords,
    RoundRobin, SequentialMatch, experiment::round_robin::check_anchors, selfplay::config, selfplay::results,
};
use crate::numbers::Sprt;
use crate::report::{
    kinds::round_robin::ROUND_ROBIN, kinds::round_robin::RoundRobinFacts, kinds::round_robin::report,
    kinds::round_robin::tables::EntrantFacts, writing::publish,
};
use crate::verbs::{
    args::ResultArgs, args::TerminalTables, error::Result, error::VerbError, input, runs, runs::Finished,
    runs::Viewer, selfplay::design, selfplay::design::Designed, selfplay::games::EntrantScores,
    selfplay::games::GamesSession, selfplay::games::PlayedGames, selfplay::games::claim,
    selfplay::games::ending,
};

/// Plays or resumes the games of `plan`. Rates the entrants if all games are finished, or if the sequential
/// test has decided.
pub fn run(plan: &EntrantsPlan, viewer: &mut dyn Viewer) -> Result<Finished> {
    let Designed { design, openings, players } = design::design_entrants(plan, viewer)?;
    let names: Vec<String> = design.entrants.iter().map(|entrant| entrant.name.clone()).collect();
    check_anchors(&names, &plan.anchors)?;
    let (facts, formats) = (with_design(facts(&names, design.sprt), &design), plan.results.formats());
    let results = &plan.results.table;
    let folder = results.folder(|| default_folder(&facts.title));
    let folder = claim(folder, ROUND_ROBIN.file_names(&formats, []), &design, &plan.playing, results)?;
    let terms = (&design.terms, openings.as_slice());
    let session = GamesSession::of(folder, header(&design), &design.pairs, terms, &plan.playing);
    let found = session.open(viewer)?;
    let test = design
        .sprt
        .map_or(String::new(), |test| format!("; the sequential test {test} may end the match earlier"));
    let who = counted(names.len() as u64, "entrant");
    viewer.note(&session.described(&who, design.pairs.len(), &test, found.1.len()));
    let mut scores = scores(&design, &names, &found.1);
    let missing = if scores.decided_after().is_some() { Vec::new() } else { session.missing(&found.1) };
    let played = session.play(&players, found, &missing, &mut scores, viewer);
    let wanted = scores.decided_after().map_or(session.scheduled_games.len(), |games| games as usize);
    let out = session.folder.publication()?;
    let counting = counting(&played.records, wanted);
    out.write(results::FILE, |file| results::write_entrants(counting, &names, file))?;
    let is_complete = counting.len() == wanted;
    let told = is_complete.then(|| {
        let found = RoundRobin::of(names.clone(), counting, &plan.anchors, scores.test.clone())?;
        let report = report(&found, &facts);
        publish(&report, &out, &formats)?;
        Ok::<String, VerbError>(plan.tables.text(&report, viewer.screen()))
    });
    runs::report_removed(&out.finish(&played.record(&session.folder))?, viewer);
    let wanted = if scores.decided_after().is_some() { wanted } else { session.wanted() };
    let ending = ending(counting, wanted, viewer);
    let PlayedGames { effort, .. } = played;
    effort?;
    viewer.note(&format!("games and results are in {}", full_path(session.folder.path())));
    let (tables, failure) = match told.transpose() {
        Ok(tables) => (tables.unwrap_or_default(), None),
        Err(error) => (String::new(), Some(error)),
    };
    Ok(Finished { tables, ending, failure, report: None })
}

pub fn rate_recorded(
    files: &[PathBuf],
    anchors: &[EntrantAnchor],
    sprt: Option<Sprt>,
    (results, tables): (&ResultArgs, TerminalTables),
    viewer: &mut dyn Viewer,
) -> Result<Finished> {
    let clock = RunClock::start();
    let mut recorded = NamedRecords::default();
    files.iter().try_for_each(|path| read(path, &mut recorded))?;
    let NamedRecords { names, records, copies } = recorded;
    if copies > 0 {
        viewer.note(&format!(
            "{} of a later file {} in an earlier one (same players, moves and result): counted once",
            counted(copies.into(), "game"),
            if copies == 1 { "is also" } else { "are also" },
        ));
    }
    design::check_sprt(sprt, names.len())?;
    let test = sprt.map(|test| SequentialMatch::of_recorded(test, &records));
    let found = RoundRobin::of(names.clone(), &records, anchors, test)?;
    let (mut facts, formats) = (facts(&names, sprt), results.formats());
    if let Some(design) = design_beside(files, &names) {
        facts = with_design(facts, &design);
    }
    let shown = files.iter().map(|path| shown_path(path));
    facts.conditions.insert("Recorded in".to_owned(), first_named(shown, ", "));
    let folder = results.table.folder(|| recorded_folder(files));
    if folder.join(config::FILE).exists() {
        return Err(VerbError::new(format!(
            "{} holds played games: name another folder with --output",
            shown_path(&folder)
        )));
    }
    let folder = results.table.claim(folder, RunKind::Selfplay, ROUND_ROBIN.file_names(&formats, []))?;
    let out = folder.publication()?;
    let report = report(&found, &facts);
    publish(&report, &out, &formats)?;
    runs::report_removed(&out.finish(&clock.record(RunKind::Selfplay, ()))?, viewer);
    viewer.note(&format!(
        "{} of {}: results are in {}",
        counted(records.len() as u64, "game"),
        counted(names.len() as u64, "entrant"),
        full_path(folder.path())
    ));
    Ok(Finished::complete(tables.text(&report, viewer.screen())))
}

/// Reads the games of a file of results, and adds them to the games already read.
pub fn read(path: &Path, recorded: &mut NamedRecords) -> Result<()> {
    let wrong = |what: &str, error: &dyn std::error::Error| {
        VerbError::new(format!("{}: {what}: {}", shown_path(path), with_causes(error)))
    };
    let text = input_file::read_text(path, input_file::TABLE);
    let text = text.map_err(|error| wrong("cannot be read", &error))?;
    recorded.read(&text).map_err(|error| wrong("not the results.csv of a round robin", &error))
}

/// Returns the design next to the only file of results, with its entrants in the order of `names`; `None` if
/// there is no design of these entrants.
fn design_beside(files: &[PathBuf], names: &[String]) -> Option<EntrantsConfig> {
    let [file] = files else { return None };
    let text = input_file::read_text(&file.with_file_name(config::FILE), input_file::SETTINGS).ok()?;
    let mut design: EntrantsConfig = serde_json::from_str(&text).ok()?;
    design.entrants.sort_by_key(|entrant| names.iter().position(|name| *name == entrant.name));
    design.entrants.iter().map(|entrant| &entrant.name).eq(names).then_some(design)
}

fn recorded_folder(files: &[PathBuf]) -> PathBuf {
    let stem = files.first().and_then(|path| path.file_stem()).map(|stem| stem.to_string_lossy());
    let name = FileNames::for_each("results").file_name_for(&stem.unwrap_or_default());
    PathBuf::from(input::REPORTS).join(format!("selfplay-{name}-rated"))
}

/// Returns the records of the schedule's first `wanted` games. Only these games count. `records` are in the
/// order of the schedule.
fn counting(records: &[GameRecord<EntrantNumber>], wanted: usize) -> &[GameRecord<EntrantNumber>] {
    &records[..records.partition_point(|record| (record.game as usize) < wanted)]
}

fn scores(design: &EntrantsConfig, names: &[String], records: &[GameRecord<EntrantNumber>]) -> EntrantScores {
    let mut test = design.sprt.map(SequentialMatch::new);
    test.iter_mut().for_each(|test| records.iter().for_each(|record| test.add(record)));
    EntrantScores { scores: records.iter().collect(), test, names: names.to_vec() }
}

fn header(design: &EntrantsConfig) -> GameHeader<EntrantNumber> {
    let names = design.entrants.iter().map(|entrant| entrant.name.clone());
    GameHeader {
        event: "Games of several entrants",
        players: (0..).map(EntrantNumber).zip(names).collect(),
        adjudication: design.terms.adjudication.to_string(),
        date: now::<Utc>().format("%Y.%m.%d").to_string(),
    }
}

fn facts(names: &[String], sprt: Option<Sprt>) -> RoundRobinFacts {
    RoundRobinFacts {
        title: first_named(names.iter().map(|name| brief(name)), ", "),
        entrants: vec![EntrantFacts::default(); names.len()],
        conditions: sprt.map(|test| ("Sequential test".to_owned(), test.to_string())).into_iter().collect(),
        command: command_line(),
    }
}

/// Returns `facts` with the engines and limits of the design's entrants, and with the conditions of the
/// games.
fn with_design(facts: RoundRobinFacts, design: &EntrantsConfig) -> RoundRobinFacts {
    let known = |entrant: &EntrantConfig| EntrantFacts {
        engine: Some(entrant.engine.name.clone()),
        limit: Some(entrant.limit.clone()),
    };
    let mut conditions = design.terms.conditions();
    conditions.extend(facts.conditions);
    RoundRobinFacts { entrants: design.entrants.iter().map(known).collect(), conditions, ..facts }
}

fn default_folder(title: &str) -> PathBuf {
    let name = FileNames::for_each("entrants").file_name_for(title);
    PathBuf::from(input::REPORTS).join(format!("selfplay-{name}"))
}
