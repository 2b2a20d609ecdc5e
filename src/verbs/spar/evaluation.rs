//! The experiment that measures how even the games of skill functions are: matches in separate folders, and
//! their results.

use std::{path::PathBuf, time::Duration};

use super::{SparArgs, review};
use crate::base::output::{NoFacts, RunClock, RunKind, command_line};
use crate::base::text::full_path;
use crate::chess::Limit;
use crate::engine::{EngineChoice, Setting, Setup, choice::BUILTIN};
use crate::lab::{
    Adjudication, DrawRule, EntrantAnchor, FixedSkill, Meetings, MoveMethod, NamedRecords, ResignRule,
    Restart, SkillFunction, SparSettings, Sparring, selfplay::results,
};
use crate::report::writing::publish;
use crate::report::{kinds::sparring::SPARRING, kinds::sparring::SparringFacts, kinds::sparring::report};
use crate::verbs::{
    args::TerminalTables, error::Result, input, plan::RunShare, runs, runs::Finished, runs::RunEnding,
    runs::Viewer, selfplay::args::EntrantsPlan, selfplay::args::OpeningArgs, selfplay::args::PlayingPlan,
    selfplay::entrant::EntrantPlan, selfplay::round_robin,
};

/// The engines' timeout in games without a person who waits.
const ENGINE_TIMEOUT: Duration = Duration::from_secs(60);

const RANDOM_PLIES: u32 = 4;

/// Node limit per search of the opponents that move at random or choose between two moves.
const NODES_OF_FIXED: u64 = 10_000;

/// Levels of `UCI_Elo`, each with the limit of a search.
const LEVELS: [(u32, Limit); 4] =
    [(1350, Limit::Depth(1)), (1600, Limit::Depth(3)), (1850, Limit::Depth(5)), (2100, Limit::Depth(8))];

/// Moves of each side after which a game is drawn, because a random player does not mate.
const MOST_MOVES: u32 = 150;

/// The folder of the games between the opponents, within the folder of the run.
const STRENGTHS: &str = "strengths";

impl SparArgs {
    /// Returns the settings with a seed that does not change between runs, so that a stopped run resumes.
    fn fixed_settings(&self) -> SparSettings {
        self.settings(|| SparSettings::default().seed)
    }

    fn opponents(&self) -> Vec<EntrantPlan> {
        let engine = || self.program();
        let fixed = |depth, blunder| {
            let skill = SkillFunction::Fixed(FixedSkill { depth, blunder });
            self.spar(&skill.to_string(), skill, Limit::Nodes(NODES_OF_FIXED))
        };
        let builtin = |depth| self.plain(&format!("builtin {depth}"), BUILTIN.into(), Limit::Depth(depth));
        let full = |depth| self.plain(&format!("engine {depth}"), engine(), Limit::Depth(depth));
        let random = self.spar("random", SkillFunction::Random, Limit::Nodes(NODES_OF_FIXED));
        let levels = LEVELS.map(|(elo, limit)| {
            let settings = vec![Setting::new("UCI_LimitStrength", true), Setting::new("UCI_Elo", elo)];
            self.plain(&level(elo), engine(), limit).with_settings(settings)
        });
        let others =
            [random, fixed(1, 0.9), fixed(2, 0.5), fixed(4, 0.2), builtin(2), builtin(5), full(6), full(9)];
        others.into_iter().chain(levels).collect()
    }

    /// Returns the round robin that determines the opponents' strengths.
    fn strengths(&self, folder: PathBuf) -> EntrantsPlan {
        let plan =
            self.matches(self.opponents(), Meetings::RoundRobin, self.evaluation.strength_games, folder);
        EntrantsPlan { anchors: anchors(), ..plan }
    }

    fn gauntlet(&self, skill: SkillFunction, folder: PathBuf) -> EntrantsPlan {
        let name = skill.to_string();
        let first = self.spar(&name, skill, Limit::Nodes(self.max_nodes));
        let entrants = std::iter::once(first).chain(self.opponents()).collect();
        self.matches(entrants, Meetings::Gauntlet, self.evaluation.games, folder)
    }

    fn matches(
        &self,
        entrants: Vec<EntrantPlan>,
        meetings: Meetings,
        games: u32,
        folder: PathBuf,
    ) -> EntrantsPlan {
        let mut results = self.evaluation.results.clone();
        results.table.output = Some(folder);
        EntrantsPlan {
            entrants,
            meetings,
            sprt: None,
            playing: PlayingPlan {
                games,
                jobs: self.engine.plan().jobs,
                restart: Restart::Never,
                openings: OpeningArgs {
                    openings: None,
                    opening_plies: None,
                    random_plies: Some(RANDOM_PLIES),
                    seed: self.fixed_settings().seed,
                },
                // A game ends as decided when the scores of both players agree on it.
                adjudication: Adjudication {
                    draw: Some(DrawRule::default()),
                    resign: Some(ResignRule::default()),
                    max_moves: Some(MOST_MOVES),
                },
                share: RunShare::All,
            },
            anchors: Vec::new(),
            results,
            tables: TerminalTables::None,
        }
    }

    fn program(&self) -> PathBuf {
        match self.engine.plan().choice {
            EngineChoice::Program(path) => path,
            EngineChoice::Builtin { .. } => BUILTIN.into(),
        }
    }

    fn spar(&self, name: &str, skill: SkillFunction, limit: Limit) -> EntrantPlan {
        let engine = if skill == SkillFunction::Random { BUILTIN.into() } else { self.program() };
        self.entrant(name, MoveMethod::Spar(skill, self.fixed_settings()), engine, limit)
    }

    fn plain(&self, name: &str, engine: PathBuf, limit: Limit) -> EntrantPlan {
        self.entrant(name, MoveMethod::Search, engine, limit)
    }

    fn entrant(&self, name: &str, way: MoveMethod, engine: PathBuf, limit: Limit) -> EntrantPlan {
        let Setup { hash, timeout, .. } = self.engine.plan().setup;
        EntrantPlan::new(name, way, engine, Some(limit.into())).set_up(hash, timeout.min(ENGINE_TIMEOUT))
    }

    fn check(&self) -> Result<(), String> {
        let double = (1..self.skill.len()).find(|&place| self.skill[..place].contains(&self.skill[place]));
        if let Some(place) = double {
            return Err(format!("--skill: {} is given twice", self.skill[place]));
        }
        self.evaluation.results.pictures.check()
    }
}

/// Returns the opponents of known Elo. All ratings are shifted so that the mean of these opponents equals the
/// mean of their known values.
fn anchors() -> Vec<EntrantAnchor> {
    LEVELS.map(|(elo, _)| EntrantAnchor { name: level(elo), elo: elo.into() }).into()
}

fn level(elo: u32) -> String {
    format!("level {elo}")
}

pub fn run(args: &SparArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    args.check()?;
    let clock = RunClock::start();
    let results = &args.evaluation.results;
    let (facts, formats) = (facts(args), results.formats());
    let folder = results.table.folder(|| PathBuf::from(input::REPORTS).join("spar"));
    let folder =
        results.table.claim(folder, RunKind::Sparring, SPARRING.file_names(&formats, facts.pictures()))?;
    let within = |name: &str| folder.path().join(name);
    let mut strengths = None;
    let (mut skills, mut folders) = (Vec::new(), Vec::new());
    for skill in &args.skill {
        let name = skill.to_string();
        let own = within(&name.replace(':', "-"));
        match played(&args.gauntlet(*skill, own.clone()), viewer)? {
            Ok(games) => {
                folders.push((name.clone(), own));
                skills.push((name, games));
            }
            Err(finished) => return Ok(finished),
        }
        // The games between the opponents come after the games of the first skill function, so that the user
        // sees its results first.
        if strengths.is_none() {
            match played(&args.strengths(within(STRENGTHS)), viewer)? {
                Ok(games) => strengths = Some(games),
                Err(finished) => return Ok(finished),
            }
        }
    }
    let found = Sparring::of(&strengths.unwrap_or_default(), &anchors(), &skills)?;
    let Some(moves) = review::judge(&folders, &within(STRENGTHS), args.engine.plan(), viewer)? else {
        return Ok(Finished::new(String::new(), RunEnding::Interrupted));
    };
    let out = folder.publication()?;
    let report = report(&found, &moves, &facts);
    publish(&report, &out, &formats)?;
    runs::report_removed(&out.finish(&clock.record(RunKind::Sparring, NoFacts::default()))?, viewer);
    viewer.note(&format!("see {}", full_path(folder.path())));
    Ok(Finished::complete(report.text(viewer.screen())))
}

/// Plays the matches of `plan` and returns all their games. If the user interrupts or a match fails, returns
/// the finished run instead.
fn played(plan: &EntrantsPlan, viewer: &mut dyn Viewer) -> Result<Result<NamedRecords, Finished>> {
    let finished = round_robin::run(plan, viewer)?;
    // A forfeited game counts as a game; a missing game does not.
    let is_whole = finished.failure.is_none() && finished.ending != RunEnding::Interrupted;
    match plan.results.table.output.as_ref().filter(|_| is_whole) {
        Some(folder) => {
            let mut found = NamedRecords::default();
            round_robin::read(&folder.join(results::FILE), &mut found)?;
            Ok(Ok(found))
        }
        None => Ok(Err(Finished { tables: String::new(), ..finished })),
    }
}

fn facts(args: &SparArgs) -> SparringFacts {
    SparringFacts {
        skills: args.skill.iter().map(|skill| skill.to_string().replace(':', "-")).collect(),
        games: args.evaluation.games,
        command: command_line(),
    }
}
