//! The verb `selfplay`: games of an engine against itself at fixed depths, or between entrants, and their
//! results.

pub mod args;
mod design;
pub mod entrant;
mod experiment;
mod games;
pub mod round_robin;

use std::path::PathBuf;

use chrono::Utc;

use self::{
    args::Depths, args::EntrantArgs, args::SelfplayArgs, design::Designed, games::GamesSession,
    games::PlayedGames, games::claim, games::ending,
};
use crate::base::{output::command_line, output::now, text::full_path};
use crate::files::FileNames;
use crate::lab::{ExperimentConfig, GameHeader, RunningScores, experiment::by_pair, selfplay::results};
use crate::report::{kinds::experiment::EXPERIMENT, kinds::experiment::Facts, kinds::experiment::tables};
use crate::verbs::{args::TerminalTables, error::Result, input, runs, runs::Finished, runs::Viewer};

pub fn run(args: &SelfplayArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    args.report.pictures.check()?;
    let EntrantArgs { entrants, recorded, sprt, .. } = &args.entrants;
    match &args.depths {
        Some(depths) => play_depths(args, depths, viewer),
        None if entrants.is_empty() => {
            let anchors = args.experiment.entrant_anchors()?;
            round_robin::rate_recorded(recorded, &anchors, *sprt, (&args.report, args.tables), viewer)
        }
        None => round_robin::run(&args.entrants()?, viewer),
    }
}

fn play_depths(args: &SelfplayArgs, depths: &Depths, viewer: &mut dyn Viewer) -> Result<Finished> {
    let (choices, plan) = (args.experiment.choices()?, args.playing());
    let Designed { design, openings, players } = design::design(args, &depths.0, &plan, viewer)?;
    let wanted = experiment::wanted(choices, &design.engine.name, viewer)?;
    wanted.choices.check(&design.contenders())?;
    let (facts, formats) = (facts(&design), args.report.formats());
    let results = &args.report.table;
    let folder = results.folder(|| default_folder(&design));
    let folder = claim(folder, EXPERIMENT.file_names(&formats, []), &design, &plan, results)?;
    let terms = (&design.terms, openings.as_slice());
    let session = GamesSession::of(folder, header(&design), &design.pairs, terms, &plan);
    let found = session.open(viewer)?;
    let against =
        design.opponent.as_ref().map_or(String::new(), |opponent| format!(" against {}", opponent.name));
    let who = format!("{}{against}", design.engine.name);
    viewer.note(&session.described(&who, design.pairs.len(), "", found.1.len()));
    let missing = session.missing(&found.1);
    let mut scores: RunningScores = found.1.iter().collect();
    let played = session.play(&players, found, &missing, &mut scores, viewer);
    let out = session.folder.publication()?;
    out.write(results::FILE, |file| results::write(&played.records, file))?;
    // In a part of the games, the pairs would have unequal numbers, and the results would mislead.
    let is_complete = played.records.len() == session.scheduled_games.len();
    let report = is_complete.then(|| {
        let files = (&out, &formats);
        experiment::report(&played.records, &wanted, files, facts, args.tables, viewer)
    });
    runs::report_removed(&out.finish(&played.record(&session.folder))?, viewer);
    let PlayedGames { records, effort, .. } = played;
    effort?;
    let (report, failure) = match report.transpose() {
        Ok(report) => (report.map(|report| report + "\n"), None),
        Err(error) => (None, Some(error)),
    };
    let tables = match args.tables {
        TerminalTables::None => String::new(),
        _ => report.unwrap_or_default() + &tables::matches(&by_pair(&records), viewer.screen()),
    };
    viewer.note(&format!("games and results are in {}", full_path(session.folder.path())));
    Ok(Finished { tables, ending: ending(&records, session.wanted(), viewer), failure, report: None })
}

fn header(design: &ExperimentConfig) -> GameHeader {
    let opponent = design.opponent.as_ref().map(|opponent| opponent.name.as_str());
    GameHeader {
        adjudication: design.terms.adjudication.to_string(),
        date: now::<Utc>().format("%Y.%m.%d").to_string(),
        ..GameHeader::of_depths(&design.engine.name, opponent, design.contenders().into_iter().flatten())
    }
}

/// Returns the facts for the report that follow from the design, and the command line.
fn facts(design: &ExperimentConfig) -> Facts {
    let depths = || design.contenders().into_iter().flatten().map(|contender| contender.depth);
    let (least, most) = (depths().min().unwrap_or_default(), depths().max().unwrap_or_default());
    Facts {
        title: format!("{}, depths {least} to {most}", design.engine.name),
        engine: design.engine.name.clone(),
        opponent: design.opponent.as_ref().map(|opponent| opponent.name.clone()),
        anchor: None,
        conditions: design.conditions(),
        command: command_line(),
    }
}

fn default_folder(design: &ExperimentConfig) -> PathBuf {
    let mut names = FileNames::for_each("engine");
    let mut name = format!("selfplay-{}", names.file_name_for(&design.engine.name));
    if let Some(opponent) = &design.opponent {
        name += &format!("-{}", FileNames::for_each("opponent").file_name_for(&opponent.name));
    }
    PathBuf::from(input::REPORTS).join(name)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::verbs::{Cli, Verb};

    fn parse(args: &[&str]) -> Result<SelfplayArgs, String> {
        let args = [&["gainalyze", "selfplay"], args].concat();
        match Cli::try_parse_from(args).map(|cli| cli.verb) {
            Ok(Some(Verb::Selfplay(args))) => Ok(*args),
            Ok(_) => panic!("the verb is selfplay"),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn depths_or_entrants_are_needed() {
        assert!(parse(&[]).expect_err("no depths").contains("--depths"));
    }

    #[test]
    fn a_rule_is_on_with_its_usual_numbers_or_with_others() {
        let rules = |args: &[&str]| {
            let args = [&["--depths", "1,2"], args].concat();
            parse(&args).map(|args| args.rules.adjudication().to_string())
        };
        assert_eq!(rules(&[]).as_deref(), Ok(""));
        let both = rules(&["--adjudicate-draw", "--adjudicate-resign=cp=900"]);
        assert_eq!(both.as_deref(), Ok("draw from=40,moves=8,cp=10; resign moves=4,cp=900"));
        assert_eq!(rules(&["--max-moves", "150"]).as_deref(), Ok("max-moves 150"));
        assert!(rules(&["--adjudicate-draw=speed=9"]).is_err());
    }

    #[test]
    fn an_opponent_is_another_engine_other_options_or_other_depths() {
        let opponent = |args: &[&str]| {
            let args = parse(&[&["--depths", "1,2"], args].concat()).expect("options");
            args.engines.opponent().is_some()
        };
        assert!(!opponent(&["--engine", "a"]));
        for args in [["--opponent", "b"], ["--opponent-option", "Hash=1"], ["--opponent-depths", "5"]] {
            assert!(opponent(&args));
        }
        assert!(parse(&["--depths", "1", "--openings", "a", "--random-plies", "4"]).is_err());
    }
}
