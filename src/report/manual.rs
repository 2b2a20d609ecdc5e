//! Owns `docs/files.md`: every file that a run writes, and every column of its tables, from the descriptions that the
//! tables themselves are made by.

use super::{
    archive::moves,
    table::Table,
    tables::{self, experiment::files},
};
use crate::{
    app::players::PlayerSelection,
    archive::{Grouping, Survey},
    gain::Metric,
    tournament::{EngineHistogram, Method, Tournament, kept::ScoreKept},
};

/// What a verb writes.
struct Verb {
    heading: &'static str,
    files: Vec<(&'static str, &'static str)>,
    tables: Vec<(&'static str, Table)>,
}

/// The page, in Markdown.
pub fn page() -> String {
    let verbs = [analysis(), archive(), several(), sensitivity(), self_play(), go_deep()];
    INTRODUCTION.to_owned() + &verbs.map(|verb| verb.page()).concat()
}

const INTRODUCTION: &str = "# Files and columns

<!-- Generated from the descriptions of the tables. To renew it: UPDATE_DOCS=1 cargo test --test suite files_and_columns -->

Each table is written in the formats that `--format` names: CSV (decimals fixed by what a number is, texts that a
spreadsheet would run behind an apostrophe), Parquet and JSON (numbers at full precision, what is not known null, empty
in CSV). Beside each column stand its unit and its meaning. Intervals are of 95 %, and a game is the unit of their
scatter unless it is said otherwise.
";

impl Verb {
    fn page(&self) -> String {
        let files = self.files.iter().map(|(name, says)| format!("- {name}: {says}\n"));
        let tables = self
            .tables
            .iter()
            .map(|(says, table)| format!("\n### `{}`\n\n{says}\n\n{}", table.name, table.manual()));
        format!("\n## {}\n\n{}{}", self.heading, files.collect::<String>(), tables.collect::<String>())
    }
}

const PICTURES: &str = "pictures as PNG, SVG or both (`--plots`)";

/// A tournament of nobody, by the options that have the most columns.
fn nobody() -> (Tournament, Method) {
    let method = Method { engine_histogram: EngineHistogram::Own, ..Method::default() };
    (Tournament::from_records([], &method), method)
}

fn analysis() -> Verb {
    let (tournament, method) = nobody();
    let all = PlayerSelection::All;
    let probabilities = Method { metric: Metric::Wdl, ..method.clone() };
    Verb {
        heading: "`gainalyze FILE…` and `gainalyze report`",
        files: vec![
            (
                "`summary.json`",
                "everything that follows from games, evaluations and options, at full precision",
            ),
            ("`run.json`", "how the run went: command line, time, searches; no two runs agree"),
            ("`report.html`", "the page with everything in it (unless `--no-html`)"),
            (
                "`expected-score`, `elo-performance`, `histograms`, `histogram-<player>`, `game-<number>`",
                PICTURES,
            ),
        ],
        tables: vec![
            (
                "One row a player, in order of expected score, those without a move last.",
                tables::players(&tournament, &all),
            ),
            (
                "One row a pair of players with moves, in the order of the players.",
                tables::pair_table(&tournament, &all),
            ),
            (
                "One row a player with moves, best first.",
                tables::score_kept_table(&ScoreKept::default(), &method, &all),
            ),
            ("One row a player and measure.", tables::statistics_table(&[], &method, &all)),
            (
                "One row a player and class of moves; written with `--split`.",
                tables::splits_table(&[], &method, &all),
            ),
            (
                "One row a player and bin that is not empty, from the lowest up.",
                tables::histograms(&tournament, &all),
            ),
            ("One row a game, in the order of the files.", tables::game_table(&[])),
            (
                "One row a move, in the order of the games. Scores are White's view, gains the mover's; chances are per mille.",
                tables::move_table(&[], true, &probabilities),
            ),
        ],
    }
}

fn archive() -> Verb {
    let survey = Survey { groups: Vec::new(), clocks: Vec::new(), engine_strength: None };
    Verb {
        heading: "`gainalyze archive` and `gainalyze merge`",
        files: vec![
            ("`archive.json`", "what the archive was, and what became of its games"),
            ("`groups`, `clocks-left`, `clocks-spent`", PICTURES),
            (
                "the file that `--partial` names",
                "the counts themselves as Parquet, for `gainalyze merge`: `terms` says how they \
                were made, `group` is null for the archive as a whole, and two parts of the same terms are merged by adding \
                up the values of rows with the same `group`, `count` and `key`",
            ),
        ],
        tables: vec![
            ("One row a group, in the order of the groups.", tables::group_table(&[], Grouping::Player, &[])),
            ("One row a group and bin that is not empty.", tables::group_histograms(&survey)),
            (
                "One row a class of moves by the clock; written where games tell the time.",
                tables::clocks(&[]),
            ),
            ("One row a move, in the order of the files; written with `--moves`.", moves::empty()),
        ],
    }
}

fn several() -> Verb {
    let (_, method) = nobody();
    Verb {
        heading: "Several engines (`--engine` more than once) and several files (`--separately`)",
        files: vec![
            ("`engines-summary.json`, `events-summary.json`", "the comparisons at full precision"),
            ("a folder for each engine, event or both", "with the files of `gainalyze FILE…`"),
        ],
        tables: vec![
            (
                "One row an engine and player, engine by engine in each one's own order of expected scores.",
                tables::engine_table(&[], true, &method),
            ),
            ("One row a pair of engines.", tables::correlation_table(&[], true, &method)),
            ("One row an event.", tables::event_file(&[], &method)),
        ],
    }
}

fn sensitivity() -> Verb {
    Verb {
        heading: "`gainalyze sensitivity`",
        files: Vec::new(),
        tables: vec![
            (
                "One row a choice of method, the base line first, then the score kept and each known measure by the base line.",
                tables::choice_table(&[], &[]),
            ),
            ("One row a choice of method and player.", tables::player_choice_table(&[])),
            (
                "One row a number that the players have in two runs; written with `--against`.",
                tables::repeatability_table(&[], 0),
            ),
        ],
    }
}

fn self_play() -> Verb {
    Verb {
        heading: "`gainalyze selfplay`",
        files: vec![
            ("`games.pgn`", "the games as they end; a run that was stopped goes on from it"),
            (
                "`results.csv`",
                "the games in the order of the schedule; as CSV whatever the format of the other tables",
            ),
            ("`summary.json`", "the tables at full precision, with what they come to"),
            ("`report.html`", "the page with everything in it (unless `--no-html`)"),
            ("pictures of strength by depth, of the fitted curves and of Δw", PICTURES),
        ],
        tables: vec![
            (
                "One row a game, in the order of the schedule; `results.csv` alone, whatever `--format` names.",
                results(),
            ),
            (
                "One row a contender with White and one with Black that met (Ferreira's Tables 1 and 2).",
                files::meetings("white-scores", ["white", "black"], &[]),
            ),
            (
                "One row a pair of contenders that met, whoever had White (Ferreira's Table 3).",
                files::meetings("scores", ["row", "column"], &[]),
            ),
            ("One row a column of scores and fit (Ferreira's Table 4).", files::fit_table(&[])),
            ("One row a contender and fit (Ferreira's Table 8).", files::strength_table(&[])),
            ("One row a match (Heinz's Tables 3 to 6).", files::match_table(&[])),
        ],
    }
}

/// What `selfplay::results` writes.
fn results() -> Table {
    let games: &[()] = &[];
    Table::of("results", games)
        .count("game", "Number of the game in the schedule, from 0.", |_| 0u32)
        .text("white", "Who has White: `engine` or `opponent`.", |_| "")
        .count("white_depth", "White's depth in plies.", |_| 0u32)
        .text("black", "Who has Black: `engine` or `opponent`.", |_| "")
        .count("black_depth", "Black's depth in plies.", |_| 0u32)
        .count("opening", "Number of the opening; empty where the game began at the start.", |_| None::<u32>)
        .text("result", "Result of the game.", |_| "")
        .text("ending", "How the game ended.", |_| "")
        .count("plies", "Moves of both sides.", |_| 0u32)
        .text("line", "Fingerprint of the moves, sixteen hexadecimal digits: games with the same one are the same move for move.", |_| "")
        .table()
}

fn go_deep() -> Verb {
    Verb {
        heading: "`gainalyze go-deep`",
        files: vec![("`go-deep-summary.json`", "the counts, and what they are of"), ("`go-deep`", PICTURES)],
        tables: vec![("One row an iteration.", tables::iterations(&[]))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_of_results_are_those_of_an_experiment_on_disk() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/selfplay-stockfish-15.1/results.csv");
        let text = std::fs::read_to_string(path).expect("the experiment of the repository");
        let header: Vec<&str> = text.lines().next().expect("a header").split(',').collect();
        let frame = results().frame().expect("a frame");
        assert_eq!(header, frame.columns().iter().map(|column| column.name().as_str()).collect::<Vec<_>>());
    }

    #[test]
    fn every_column_of_every_table_has_a_sentence_that_says_what_it_means() {
        let page = page();
        let columns: Vec<&str> =
            page.lines().filter(|line| line.starts_with("- `") && line.contains("): ")).collect();
        assert!(columns.len() > 150, "{} columns", columns.len());
        for column in columns {
            let (_, meaning) = column.split_once("): ").expect("a meaning");
            assert!(meaning.len() > 5 && meaning.ends_with('.'), "{column}");
        }
    }
}
