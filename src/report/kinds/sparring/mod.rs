//! The report of an experiment with skill functions: its tables, pictures, page and summary.

mod plots;
mod tables;

use self::tables::{finding_table, layouts, loss_layout, loss_table, move_loss_table, opponents};
use crate::base::text::{counted, printable, rounded};
use crate::lab::{
    SkillFinding, SkillMoves, Sparring, SparringMoves, experiment::sparring::ELO,
    experiment::sparring::FEW_DRAWS, experiment::sparring::RANGE,
};
use crate::report::{
    html::provenance::making, kinds::Page, publish::NamedDrawing, publish::Report, publish::ReportFile,
    publish::ReportKind, rendered, summary::object,
};

pub static SPARRING: ReportKind = ReportKind {
    written_by: "`gainalyze spar --evaluate`",
    files: &[ReportFile::Summary("summary.json"), ReportFile::Page, ReportFile::Pictures(&[UNEVEN])],
    tables: || vec![finding_table(&[]), opponents(None), loss_table(&[]), move_loss_table(&[])],
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparringFacts {
    /// The names of the skill functions in file names.
    pub skills: Vec<String>,
    pub games: u32,
    pub command: Vec<String>,
}

const OF_SKILL: [&str; 4] = ["games", "turns", "losses", "skill"];

const UNEVEN: &str = "turns-of-a-fixed-pair";

fn of_skill(kind: &str, skill: &str) -> String {
    format!("{kind}-of-{skill}")
}

impl SparringFacts {
    pub fn pictures(&self) -> impl Iterator<Item = String> {
        self.skills.iter().flat_map(|skill| OF_SKILL.map(|kind| of_skill(kind, skill)))
    }
}

pub fn report(found: &Sparring, moves: &SparringMoves, facts: &SparringFacts) -> Report {
    let findings: Vec<(String, SkillFinding)> =
        found.skills.iter().map(|skill| (skill.name.clone(), found.finding(skill))).collect();
    let tables = vec![
        finding_table(&findings),
        opponents(Some(found)),
        loss_table(&moves.skills),
        move_loss_table(&moves.skills),
    ];
    let games = counted(facts.games.into(), "game") + " against each opponent";
    Report {
        title: "An opponent that keeps the game even".to_owned(),
        sentences: sentences(&findings),
        facts: making(vec![("Games".to_owned(), games)], &facts.command),
        shown: layouts(found, &findings).into_iter().chain(loss_layout(moves)).collect(),
        drawings: drawings(found, moves, facts),
        page: Some(|report| rendered(&Page::Sparring { report })),
        tables,
        ..Report::default()
    }
    .with_summary(&SPARRING, &SparringSummary { found, findings: &findings, moves })
}

object! {
    struct SparringSummary<'a> {
        found: &'a Sparring, findings: &'a [(String, SkillFinding)], moves: &'a SparringMoves
    } =>
    "opponents": found.opponents,
    "skills": findings,
    "losses": moves.skills.iter().map(|skill| (&skill.name, &skill.losses)).collect::<Vec<_>>(),
}

/// Returns all pictures: first the results of each skill function, then those of the moves. Of these, the first
/// shows two opponents of fixed strength, for comparison.
fn drawings(found: &Sparring, moves: &SparringMoves, facts: &SparringFacts) -> Vec<NamedDrawing> {
    let caption = format!("{} an opponent", counted(facts.games.into(), "game"));
    let judge = format!("by {}", printable(&moves.judge));
    let (fixed, adaptive): (Vec<_>, Vec<_>) = moves
        .courses
        .iter()
        .partition(|course| moves.skills.iter().all(|skill| skill.name != course.names[0]));
    let uneven = fixed.first().and_then(|course| plots::course(course, &judge));
    let mut drawings: Vec<NamedDrawing> = Vec::new();
    for (skill, name) in found.skills.iter().zip(&facts.skills) {
        let of_moves = moves.skills.iter().find(|other| other.name == skill.name);
        let course = adaptive.iter().find(|course| course.names[0] == skill.name);
        let drawn = [
            plots::outcomes(found, skill, &caption),
            course.and_then(|course| plots::course(course, &judge)),
            of_moves.and_then(|moves: &SkillMoves| plots::losses(moves, &judge)),
            of_moves.and_then(|moves| plots::by_move(moves, &judge)),
        ];
        let named = OF_SKILL.iter().zip(drawn);
        drawings.extend(named.filter_map(|(kind, drawing)| Some((of_skill(kind, name), drawing?))));
    }
    drawings.extend(uneven.map(|drawing| (UNEVEN.to_owned(), drawing)));
    drawings.sort_by_key(|(name, _)| !name.starts_with(OF_SKILL[0]));
    drawings
}

fn sentences(findings: &[(String, SkillFinding)]) -> Vec<String> {
    let (low, high) = (rounded(*RANGE.start(), 0), rounded(*RANGE.end(), 0));
    let sentence = |(name, finding): &(String, SkillFinding)| {
        let slope = finding.slope_within.or(finding.slope).map_or_else(String::new, |trend| {
            let ends = trend.slope.interval.map_or_else(String::new, |ends| {
                format!(" ({} to {})", rounded(100.0 * ends.low, 1), rounded(100.0 * ends.high, 1))
            });
            let value = rounded(100.0 * trend.slope.value, 1);
            format!(
                " If the opponent is {} Elo points stronger, the score changes by {value} percentage points{ends}.",
                rounded(ELO, 0)
            )
        });
        let draws = finding.draws_below.map_or_else(String::new, |share| {
            format!(
                " Against opponents below {} Elo, {} % of the games were drawn.",
                rounded(FEW_DRAWS, 0),
                percent(share)
            )
        });
        let name = printable(name);
        let scored = match finding.extremes {
            Some([least, most]) => format!(
                "{name} scored between {} and {} % against opponents of {low} to {high} Elo.",
                percent(least),
                percent(most)
            ),
            None => format!("{name} scored {} %.", percent(finding.score)),
        };
        [scored, format!("Over all opponents, {name} scored {} %.{slope}{draws}", percent(finding.score))]
    };
    findings.iter().flat_map(sentence).collect()
}

fn percent(share: f64) -> String {
    rounded(100.0 * share, 1)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::base::output::{NoFacts, OutputFolder, Overwrite, RunClock, RunKind};
    use crate::files::PictureFormat;
    use crate::lab::{Course, LossSizes, MoveLoss, Opponent, PairGames, SkillGames};
    use crate::numbers::Estimate;
    use crate::report::{publish::ReportFormats, table::Screen, writing::publish};

    fn found() -> Sparring {
        let opponent = |(name, elo): (&str, Option<f64>)| Opponent {
            name: name.to_owned(),
            elo: elo.map(|value| Estimate { value, observations: 10, interval: None }),
            scored: elo.map_or(0.0, |_| 0.5),
        };
        let games = |[wins, draws, losses]: [u32; 3]| PairGames {
            wins,
            draws,
            losses,
            different: wins + draws + losses,
            plies: 80 * u64::from(wins + draws + losses),
            ..PairGames::default()
        };
        let of = |name: &str, each: [[u32; 3]; 4]| SkillGames {
            name: name.to_owned(),
            games: each.map(games).into(),
        };
        let opponents =
            [("<b>", None), ("low", Some(1000.0)), ("middle", Some(1500.0)), ("top", Some(2500.0))];
        Sparring {
            opponents: opponents.map(opponent).into(),
            skills: vec![
                of("even", [[10, 0, 0], [5, 1, 4], [5, 0, 5], [4, 1, 5]]),
                of("fixed:4:0.2", [[10, 0, 0], [9, 1, 0], [5, 0, 5], [0, 1, 9]]),
            ],
        }
    }

    fn moves() -> SparringMoves {
        let skill = |name: &str| SkillMoves {
            name: name.to_owned(),
            losses: LossSizes::of(&[0.0, 3.0, 14.0]),
            by_move: (1..20).map(|number| MoveLoss { number, own: (3, 2.0), opponents: (3, 4.0) }).collect(),
        };
        let course = |first: &str, second: &str| Course {
            names: [first, second].map(str::to_owned),
            games: vec![vec![0, 50, 100], vec![0, -50]],
        };
        SparringMoves {
            judge: "Fish 1, depth 8".to_owned(),
            skills: ["even", "fixed:4:0.2"].map(skill).into(),
            courses: vec![course("middle", "low"), course("even", "low"), course("fixed:4:0.2", "low")],
        }
    }

    #[test]
    fn all_files_are_written_and_say_how_even_the_games_were() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let skills = vec!["even".to_owned(), "fixed-4-0.2".to_owned()];
        let facts = SparringFacts { skills, games: 10, command: Vec::new() };
        let formats =
            ReportFormats { pictures: [PictureFormat::Svg].into(), page: true, ..ReportFormats::default() };
        let names = SPARRING.file_names(&formats, facts.pictures());
        let claimed =
            OutputFolder::claim(folder.path().join("out"), RunKind::Sparring, Overwrite::Ours, names.clone());
        let claimed = claimed.expect("a folder");
        let out = claimed.publication().expect("a folder");
        let report = report(&found(), &moves(), &facts);
        publish(&report, &out, &formats).expect("files");
        let shown = report.text(Screen::default());
        let said: Vec<&str> = shown.lines().take_while(|line| !line.is_empty()).collect();
        assert!(said.len() > 2 && said.iter().all(|line| line.chars().count() <= 100), "{shown}");
        let shown = shown.replace('\n', " ");
        out.finish(&RunClock::start().record(RunKind::Sparring, NoFacts::default())).expect("files");
        for name in names {
            assert!(claimed.path().join(&name).is_file(), "{name}");
        }
        // 5½ of ten at best from 900 to 2800, 4½ at worst. Two of thirty are drawn below 2200. The middle
        // opponent is <b>.
        let first = "Findings even scored between 45.0 and 55.0 % against opponents of 900 to 2800 Elo.";
        assert!(shown.starts_with(first), "{shown}");
        assert!(
            shown.contains("even scored 62.5 %")
                && shown.contains("Against opponents below 2200 Elo, 3.3 % of the games were drawn."),
            "{shown}"
        );
        let read = |name: &str| fs::read_to_string(claimed.path().join(name)).expect(name);
        assert_eq!(read("opponents.csv").lines().count(), 9, "four opponents of either");
        assert!(read("skills.csv").contains("fixed:4:0.2"));
        assert!(!read("report.html").contains("<b>,") && read("report.html").contains("&#60;b&#62;"));
        assert!(read("games-of-even.svg").contains("<svg"));
        assert!(read("turns-of-a-fixed-pair.svg").contains("in the view of middle, against low"));
        assert!(
            read("losses.csv").contains("even,3,5.6667,")
                && shown.contains("Sizes of losses next to people's")
        );
        assert_eq!(read("losses-by-move.csv").lines().count(), 39, "19 moves of either");
    }
}
