//! Owns the files of an experiment of skill functions: its tables, pictures, page and summary in one folder.

use std::collections::BTreeSet;

use askama::Template;
use serde::Serialize;

use super::page::{ExperimentPage, page_tables};
use crate::chess::text::{counted, printable, rounded};
use crate::files::{Format, PictureFormat, Publication};
use crate::lab::experiment::sparring::{ELO, FEW_DRAWS, RANGE};
use crate::lab::{LossSizes, Opponent, SkillFinding, SkillMoves, Sparring, SparringMoves};
use crate::report::plots::experiment::{outcomes, sparring_moves};
use crate::report::tables::sparring::{finding_table, layouts, match_rows, match_table};
use crate::report::tables::sparring_moves::{loss_layout, loss_table, move_loss_table, move_rows};
use crate::report::{
    ReportError, html::provenance::command, picture_names, pictures::write_picture, plots::canvas::Drawing,
    summary::to_json, table::Screen, table::layout::Layout, table_names, write_bytes, write_table,
};

/// What is written of an experiment of skill functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparringOptions {
    /// Formats of the tables; none writes no tables.
    pub formats: BTreeSet<Format>,
    /// What pictures are written as; none draws none.
    pub plots: BTreeSet<PictureFormat>,
    /// Whether `report.html` is written.
    pub page: bool,
    /// What the tables that are given back are shown on.
    pub screen: Screen,
    /// The skill functions as names of files have them.
    pub skills: Vec<String>,
    /// Games against each opponent.
    pub games: u32,
    /// The command line, one element an argument.
    pub command: Vec<String>,
}

const TABLES: [&str; 4] = ["skills", "opponents", "losses", "losses-by-move"];
/// What is drawn of each skill function: how its games ended, the score of the board by turn, its losses, and these by move.
const PICTURES: [&str; 4] = ["games", "turns", "losses", "skill"];

/// The picture of the score of the board in the games of a fixed pair.
const UNEVEN: &str = "turns-of-a-fixed-pair";

const PAGE: &str = "report.html";
const SUMMARY: &str = "summary.json";

impl SparringOptions {
    /// Returns the names of the files that the report may have.
    pub fn file_names(&self) -> Vec<String> {
        let of_skill = |skill: &String| PICTURES.map(|kind| format!("{kind}-of-{skill}"));
        let of_all = self.skills.iter().flat_map(of_skill).chain([UNEVEN.to_owned()]);
        let pictures: Vec<String> = of_all.collect();
        let pictures: Vec<&str> = pictures.iter().map(String::as_str).collect();
        let names = table_names(&TABLES, &self.formats).chain(picture_names(&pictures, &self.plots));
        names.chain([SUMMARY.to_owned()]).chain(self.page.then(|| PAGE.to_owned())).collect()
    }
}

/// Writes the tables in each format, `summary.json`, the pictures of each skill function and the page, and gives back the tables as
/// text.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write(
    out: &Publication<'_>,
    (found, moves): (&Sparring, &SparringMoves),
    options: &SparringOptions,
) -> Result<String, ReportError> {
    let findings: Vec<(String, SkillFinding)> =
        found.skills.iter().map(|skill| (skill.name.clone(), found.finding(skill))).collect();
    write_table(out, &finding_table(&findings), &options.formats)?;
    write_table(out, &match_table(&match_rows(found)), &options.formats)?;
    write_table(out, &loss_table(&moves.skills), &options.formats)?;
    write_table(out, &move_loss_table(&move_rows(&moves.skills)), &options.formats)?;
    let losses = moves.skills.iter().map(|skill| (skill.name.as_str(), skill.losses.as_ref())).collect();
    let summary = SparringSummary { opponents: &found.opponents, skills: &findings, losses };
    write_bytes(out, SUMMARY, to_json(&summary)?.as_bytes())?;
    let drawings = drawings(found, moves, options);
    for (name, drawing) in &drawings {
        write_picture(out, name, drawing, &options.plots)?;
    }
    let layouts: Vec<Layout> = layouts(found, &findings).into_iter().chain(loss_layout(moves)).collect();
    let shown: Vec<String> = layouts.iter().map(|table| table.shown(options.screen)).collect();
    if options.page {
        let drawings = drawings.iter().map(|(_, drawing)| drawing).collect();
        write_bytes(out, PAGE, page(&findings, layouts, drawings, options)?.as_bytes())?;
    }
    Ok(format!("{}\n{}\n", shown.join("\n"), sentences(&findings).join("\n")))
}

/// Returns the pictures by their names: those of a fixed pair first, for the others are seen beside it.
fn drawings(found: &Sparring, moves: &SparringMoves, options: &SparringOptions) -> Vec<(String, Drawing)> {
    let caption = format!("{} an opponent", counted(options.games.into(), "game"));
    let judge = format!("by {}", printable(&moves.judge));
    let (fixed, adaptive): (Vec<_>, Vec<_>) = moves
        .courses
        .iter()
        .partition(|course| moves.skills.iter().all(|skill| skill.name != course.names[0]));
    let uneven = fixed.first().and_then(|course| sparring_moves::course(course, &judge));
    let mut drawings: Vec<(String, Drawing)> =
        uneven.into_iter().map(|drawing| (UNEVEN.to_owned(), drawing)).collect();
    for (skill, name) in found.skills.iter().zip(&options.skills) {
        let of_moves = moves.skills.iter().find(|other| other.name == skill.name);
        let course = adaptive.iter().find(|course| course.names[0] == skill.name);
        let drawn = [
            outcomes::draw(found, skill, &caption),
            course.and_then(|course| sparring_moves::course(course, &judge)),
            of_moves.and_then(|moves: &SkillMoves| sparring_moves::losses(moves, &judge)),
            of_moves.and_then(|moves| sparring_moves::by_move(moves, &judge)),
        ];
        let named = PICTURES.iter().zip(drawn);
        drawings.extend(named.filter_map(|(kind, drawing)| Some((format!("{kind}-of-{name}"), drawing?))));
    }
    drawings
}

fn page(
    findings: &[(String, SkillFinding)],
    layouts: Vec<Layout>,
    drawings: Vec<&Drawing>,
    options: &SparringOptions,
) -> Result<String, askama::Error> {
    ExperimentPage {
        subject: "how even games are",
        kind: "Skill functions against opponents of known strength",
        title: "An opponent that keeps the game even".to_owned(),
        sentences: sentences(findings),
        drawings,
        tables: page_tables(layouts),
        notes: Vec::new(),
        facts: vec![
            ("Games".to_owned(), counted(options.games.into(), "game") + " against each opponent"),
            ("Command".to_owned(), command(&options.command)),
            ("Version".to_owned(), concat!("gainalyze ", env!("CARGO_PKG_VERSION")).to_owned()),
        ],
        method: &METHOD,
    }
    .render()
}

/// What the numbers mean, and what not.
const METHOD: [(&str, &str); 5] = [
    (
        "Skill functions",
        "printed and meant are those of S. Kennedy, ChallengeMate: A Self-Adjusting Dynamic Difficulty Chess Computer, 2018, as it is printed and as its text means it; even is ours.",
    ),
    (
        "Elo",
        "of the opponents by their games among each other, the mean of the levels of UCI_Elo being that of their numbers. The levels are numbers of Stockfish's at its own time control, and their searches are cut short here, so that this is a scale of its own.",
    ),
    (
        "Homogeneity",
        "χ² of the wins and of the draws over opponents, with one degree of freedom less than there are opponents: a small p says that the outcome depends on the opponent.",
    ),
    (
        "Losses",
        "W before a move less W after it in percentage points, as far as that is above 0; W is lichess's curve. People's are those that even draws its own from: of rated players' games by Stockfish at depth 8, of the rating at which as much is lost on average. P is the cross-correlation of the two histograms of gains, as between players (Ferreira 2012).",
    ),
    (
        "Slope",
        "of the score on the opponent's Elo, by least squares, every score having the error that it would have if all were equal. The error of the Elo is left out.",
    ),
];

/// Says what the games come to.
fn sentences(findings: &[(String, SkillFinding)]) -> Vec<String> {
    let (low, high) = (rounded(*RANGE.start(), 0), rounded(*RANGE.end(), 0));
    let sentence = |(name, finding): &(String, SkillFinding)| {
        let extremes = finding.extremes.map_or_else(String::new, |[least, most]| {
            format!("; from {low} to {high} Elo between {} and {} %", percent(least), percent(most))
        });
        let slope = finding.slope_within.or(finding.slope).map_or_else(String::new, |trend| {
            let ends = trend.slope.interval.map_or_else(String::new, |ends| {
                format!(" ({} to {})", rounded(100.0 * ends.low, 1), rounded(100.0 * ends.high, 1))
            });
            let value = rounded(100.0 * trend.slope.value, 1);
            format!("; {value}{ends} points of it for {} Elo of the opponent", rounded(ELO, 0))
        });
        let draws = finding.draws_below.map_or_else(String::new, |share| {
            format!("; {} % drawn below {} Elo", percent(share), rounded(FEW_DRAWS, 0))
        });
        format!("{} scored {} %{extremes}{slope}{draws}.", printable(name), percent(finding.score))
    };
    findings.iter().map(sentence).collect()
}

fn percent(share: f64) -> String {
    rounded(100.0 * share, 1)
}

/// What `summary.json` holds.
#[derive(Serialize)]
struct SparringSummary<'a> {
    opponents: &'a [Opponent],
    skills: &'a [(String, SkillFinding)],
    losses: Vec<(&'a str, Option<&'a LossSizes>)>,
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::files::{NoFacts, OutputFolder, Overwrite, RunClock, RunKind};
    use crate::lab::{Course, MoveLoss, PairGames, SkillGames};
    use crate::numbers::Estimate;

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
        let options = SparringOptions {
            formats: [Format::Csv].into(),
            plots: [PictureFormat::Svg].into(),
            page: true,
            screen: Screen::default(),
            skills: vec!["even".to_owned(), "fixed-4-0.2".to_owned()],
            games: 10,
            command: Vec::new(),
        };
        let claimed = OutputFolder::claim(
            folder.path().join("out"),
            RunKind::Sparring,
            Overwrite::Ours,
            options.file_names(),
        );
        let claimed = claimed.expect("a folder");
        let out = claimed.publication().expect("a folder");
        let shown = write(&out, (&found(), &moves()), &options).expect("files");
        out.finish(&RunClock::start().record(RunKind::Sparring, NoFacts::default())).expect("files");
        for name in options.file_names() {
            assert!(claimed.path().join(&name).is_file(), "{name}");
        }
        // 5½ of ten at best from 900 to 2800, 4½ at worst; two of thirty drawn below 2200: <b>, low and middle.
        assert!(shown.contains("from 900 to 2800 Elo between 45.0 and 55.0 %"), "{shown}");
        assert!(
            shown.contains("even scored 62.5 %") && shown.contains("3.3 % drawn below 2200 Elo"),
            "{shown}"
        );
        let read = |name: &str| fs::read_to_string(claimed.path().join(name)).expect(name);
        assert_eq!(read("opponents.csv").lines().count(), 9, "four opponents of either");
        assert!(read("skills.csv").contains("fixed:4:0.2"));
        assert!(!read("report.html").contains("<b>,") && read("report.html").contains("&#60;b&#62;"));
        assert!(read("games-of-even.svg").contains("<svg"));
        assert!(read("turns-of-a-fixed-pair.svg").contains("as middle sees them, against low"));
        assert!(
            read("losses.csv").contains("even,3,5.6667,")
                && shown.contains("Sizes of losses beside people's")
        );
        assert_eq!(read("losses-by-move.csv").lines().count(), 39, "19 moves of either");
    }
}
