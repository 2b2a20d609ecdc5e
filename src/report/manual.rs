//! Owns `docs/files.md` and `gainalyze schema`: every file that a run writes, and every column of its tables, from the
//! descriptions that the tables themselves are made by.

use serde::Serialize;

use super::{
    archive::moves,
    table::{
        ColumnDescription, Rows, Screen, Table, TableDescription,
        layout::{fitted, title},
    },
    tables::{self, PlayerFigures, experiment::files},
};
use crate::chess::Metric;
use crate::lab::Learned;
use crate::measure::{
    EngineHistogram, Grouping, Method, MoveSample, PlayerSelection, QualityOfPlay, RankedFrom, ScoreKept,
    Survey, Tournament,
};

/// What a verb writes.
struct WritingVerb {
    heading: &'static str,
    files: Vec<(&'static str, &'static str)>,
    tables: Vec<Table>,
}

/// Returns the page, in Markdown.
pub fn page() -> String {
    INTRODUCTION.to_owned() + &verbs().map(|verb| verb.page()).concat()
}

/// What is said of a table, and who writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// By which commands it is written, in Markdown.
    written_by: &'static str,
    /// The table with its columns.
    #[serde(flatten)]
    pub description: TableDescription,
}

/// Returns what is said of every table, with all columns that it may have.
pub fn schema() -> Vec<Entry> {
    let entries = |verb: WritingVerb| {
        let written_by = verb.heading;
        let tables = verb.tables.into_iter();
        tables.map(move |table| Entry { written_by, description: table.description() }).collect::<Vec<_>>()
    };
    verbs().into_iter().flat_map(entries).collect()
}

/// Returns these entries as text, for people.
pub fn listing<'a>(entries: impl IntoIterator<Item = &'a Entry>, screen: Screen) -> String {
    let columns = |columns: &[ColumnDescription]| {
        let line = |column: &ColumnDescription| {
            let ColumnDescription { name, unit, meaning, .. } = column;
            fitted(&format!("- {name} ({unit}): {meaning}"), screen) + "\n"
        };
        columns.iter().map(line).collect::<String>()
    };
    let told = |Entry { description, .. }: &Entry| {
        let TableDescription { table, row, columns: listed } = description;
        format!("{}\n{}", title(&format!("{table}: {row}"), screen), columns(listed))
    };
    entries.into_iter().map(told).collect::<Vec<_>>().join("\n")
}

/// Returns what each verb writes.
fn verbs() -> [WritingVerb; 11] {
    [
        analysis(),
        player(),
        archive(),
        several(),
        sensitivity(),
        self_play(),
        entrants(),
        sparring(),
        deep(),
        go_deep(),
        learning(),
    ]
}

const INTRODUCTION: &str = "# Files and columns

<!-- Generated from the descriptions of the tables. To renew it: UPDATE_DOCS=1 cargo test --test suite files_and_columns -->

Each table is written in the formats that `--format` names: CSV (decimals fixed by what a number is, texts that a
spreadsheet would run behind an apostrophe), Parquet and JSON (numbers at full precision, what is not known null, empty
in CSV). Beside each column stand its unit and its meaning. Intervals are of 95 %, and a game is the unit of their
scatter unless it is said otherwise. `gainalyze schema players` prints the part of a table, `gainalyze schema --json` all of
this for programs.

A Parquet file has texts, flags, whole numbers with a sign and floating-point numbers, which pandas, DuckDB, polars and
Arrow of the last years filter and sort. It says of itself, in its key-value metadata: `gainalyze.version`,
`gainalyze.table`, `gainalyze.row` (what a row is), `gainalyze.columns` (name, type, unit and meaning of each, as JSON),
and where the run has them `gainalyze.engine`, `gainalyze.method` and `gainalyze.filters`. The meaning of a column is the
`description` of its field too.
";

impl WritingVerb {
    fn page(&self) -> String {
        let files = self.files.iter().map(|(name, says)| format!("- {name}: {says}\n"));
        let tables: String = self.tables.iter().map(Table::manual).collect();
        format!("\n## {}\n\n{}{}", self.heading, files.collect::<String>(), tables)
    }
}

const PICTURES: &str = "pictures as PNG, SVG or both (`--plots`)";

/// Returns a tournament of nobody, by the options that have the most columns.
fn nobody() -> (Tournament, Method) {
    let method = Method { engine_histogram: EngineHistogram::Own, ..Method::default() };
    (Tournament::from_records([], &method), method)
}

fn analysis() -> WritingVerb {
    let (tournament, method) = nobody();
    let all = PlayerSelection::All;
    let unrated = QualityOfPlay::ranked(&MoveSample::default(), None, &[], &method, RankedFrom::default());
    let probabilities = Method { metric: Metric::Wdl, ..method.clone() };
    WritingVerb {
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
            tables::quality_table(&unrated, &all),
            tables::quality_parts_table(&unrated, &all),
            tables::players(&tournament, &PlayerFigures::default(), &all),
            tables::pair_table(&tournament, &all),
            tables::score_kept_table(&ScoreKept::default(), &method, &all),
            tables::statistics_table(&[], &method, &all),
            tables::splits_table(&[], &method, &all),
            tables::histograms(&tournament, &all),
            tables::game_table(&[]),
            tables::move_table(&[], true, &probabilities),
        ],
    }
}

fn player() -> WritingVerb {
    WritingVerb {
        heading: "`gainalyze player`",
        files: vec![
            ("`report.html`", "the page with everything in it (unless `--no-html`)"),
            (
                "`mistakes.pgn`",
                "the position before each mistake and blunder as a game of its own: the move that was played, what it cost, \
                and the engine's line as a variation",
            ),
            ("`trend`", PICTURES),
        ],
        tables: vec![tables::empty_profile_table()],
    }
}

fn archive() -> WritingVerb {
    let survey = Survey { groups: Vec::new(), clocks: Vec::new(), engine_strength: None };
    WritingVerb {
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
            tables::group_table(&[], Grouping::Player, &[]),
            tables::group_histograms(&survey),
            tables::clocks(&[]),
            moves::empty(),
        ],
    }
}

fn several() -> WritingVerb {
    let (_, method) = nobody();
    WritingVerb {
        heading: "Several engines (`--engine` more than once) and several files (`--separately`)",
        files: vec![
            ("`engines-summary.json`, `events-summary.json`", "the comparisons at full precision"),
            ("a folder for each engine, event or both", "with the files of `gainalyze FILE…`"),
        ],
        tables: vec![
            tables::engine_table(&[], true, &method),
            tables::correlation_table(&[], true, &method),
            tables::event_file(&[], &method),
        ],
    }
}

fn sensitivity() -> WritingVerb {
    let (_, method) = nobody();
    WritingVerb {
        heading: "`gainalyze sensitivity`",
        files: Vec::new(),
        tables: vec![
            tables::choice_table(&[], &[]),
            tables::player_choice_table(&[]),
            tables::repeatability_table(&[], 0),
            tables::judge_table(&[], &method),
            tables::blunder_table(&[], &method),
        ],
    }
}

fn self_play() -> WritingVerb {
    WritingVerb {
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
            results(),
            files::white_table(&[]),
            files::score_table(&[]),
            files::fit_table(&[]),
            files::strength_table(&[]),
            files::match_table(&[]),
        ],
    }
}

fn entrants() -> WritingVerb {
    WritingVerb {
        heading: "`gainalyze selfplay --entrant` and `--recorded`",
        files: vec![
            ("`games.pgn`", "the games as they end; a run that was stopped goes on from it"),
            ("`results.csv`", "the games that count in the order of the schedule; what `--recorded` reads"),
            ("`summary.json`", "the ratings at full precision, the sequential test, and what they come to"),
            ("`report.html`", "the page with everything in it (unless `--no-html`)"),
            ("`elo-by-entrant`", PICTURES),
        ],
        tables: vec![entrant_results(), tables::entrant_table(&[]), tables::meeting_table(&[])],
    }
}

fn sparring() -> WritingVerb {
    WritingVerb {
        heading: "`gainalyze spar --evaluate`",
        files: vec![
            (
                "`strengths/`, `even/` and others",
                "the games among the opponents and those of each skill function, each as `selfplay --entrant` leaves them",
            ),
            ("`summary.json`", "the tables at full precision"),
            ("`report.html`", "the page with everything in it (unless `--no-html`)"),
            (
                "`games-of-even` and others: how games ended, `turns-`, `losses-` and `skill-of-even`, `turns-of-a-fixed-pair`",
                PICTURES,
            ),
        ],
        tables: vec![
            tables::sparring::finding_table(&[]),
            tables::sparring::match_table(&[]),
            tables::sparring_moves::loss_table(&[]),
            tables::sparring_moves::move_loss_table(&[]),
        ],
    }
}

/// Returns what `selfplay::entrant_results` writes.
fn entrant_results() -> Table {
    let row = "One row a game, in the order of the schedule; `results.csv` alone, whatever `--format` names.";
    let table = Table::of("results", row, NO_GAMES)
        .column("game", "Number of the game in the schedule, from 0.", |_| 0u32)
        .column("white", "The entrant who has White.", |_| "")
        .column("black", "The entrant who has Black.", |_| "");
    rest_of_results(table)
}

const NO_GAMES: &[()] = &[];

/// Adds what is told of every game.
fn rest_of_results<'a>(table: Rows<'a, ()>) -> Table {
    table
        .column("opening", "Number of the opening; empty where the game began at the start.", |_| None::<u32>)
        .column("result", "Result of the game.", |_| "")
        .column("ending", "How the game ended.", |_| "")
        .column("plies", "Moves of both sides.", |_| 0u32)
        .column("line", "Fingerprint of the moves, sixteen hexadecimal digits: games with the same one are the same move for move.", |_| "")
        .table()
}

/// Returns what `selfplay::results` writes.
fn results() -> Table {
    let row = "One row a game, in the order of the schedule; `results.csv` alone, whatever `--format` names.";
    let table = Table::of("results", row, NO_GAMES)
        .column("game", "Number of the game in the schedule, from 0.", |_| 0u32)
        .column("white", "Who has White: `engine` or `opponent`.", |_| "")
        .column("white_depth", "White's depth in plies.", |_| 0u32)
        .column("black", "Who has Black: `engine` or `opponent`.", |_| "")
        .column("black_depth", "Black's depth in plies.", |_| 0u32);
    rest_of_results(table)
}

fn deep() -> WritingVerb {
    let files = vec![
        (
            "`tree.json`",
            "the whole tree with what it is of: positions, moves, scores, bounds, and what each depth said",
        ),
        ("`tree.pgn`", "the tree as a game with variations, the main line first"),
        ("`tree.svg`", "the values of the root's moves by depth"),
        ("`tree.html`", "the tree to fold and walk, with a board"),
    ];
    WritingVerb { heading: "`gainalyze deep`", files, tables: vec![tables::deep_tree(&[])] }
}

fn go_deep() -> WritingVerb {
    WritingVerb {
        heading: "`gainalyze go-deep`",
        files: vec![("`go-deep-summary.json`", "the counts, and what they are of"), ("`go-deep`", PICTURES)],
        tables: vec![tables::iterations(&[])],
    }
}

fn learning() -> WritingVerb {
    WritingVerb {
        heading: "`gainalyze learn`",
        files: vec![
            (
                "`weights-<band>-<objective>.txt`",
                "weights of the linear evaluation, with what they were learned from; `all` is of all bands together",
            ),
            ("`learning.json`", "what was learned from what, with the verdict in words, at full precision"),
            ("`report.html`", "the page with everything in it (unless `--no-html`)"),
            ("`values-<objective>`, `squares-<objective>`", PICTURES),
        ],
        tables: vec![
            tables::learning_data(&[]),
            tables::learning_models(&[]),
            tables::learning_predictions(&[]),
            tables::cross_training(&[]),
            tables::learned_weights(&Learned::default()),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Unit;

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

    #[test]
    fn a_number_is_in_the_unit_of_its_row_only_where_the_row_names_one() {
        let names_it = |column: &ColumnDescription| {
            column.r#type == "text" && column.meaning.contains("its name ends with its unit")
        };
        for Entry { description: TableDescription { table, columns, .. }, .. } in schema() {
            let is_of_row = |column: &ColumnDescription| column.unit == Unit::Row.name();
            let is_named = columns.iter().any(names_it);
            let of_row: Vec<&String> =
                columns.iter().filter(|column| is_of_row(column)).map(|column| &column.name).collect();
            assert!(of_row.is_empty() || is_named, "{table}: the unit of {of_row:?} is nowhere");
            let by_objective = columns.iter().any(|column| column.unit == Unit::Objective.name());
            let has_objective = columns.iter().any(|column| column.name == "objective");
            assert!(has_objective || !by_objective, "{table} names no objective");
        }
    }

    #[test]
    fn units_are_what_the_numbers_are() {
        let schema = schema();
        let unit = |table: &str, column: &str| {
            let entry = schema.iter().find(|entry| entry.description.table == table).expect("a table");
            let mut columns = entry.description.columns.iter();
            columns.find(|known| known.name == column).expect("a column").unit
        };
        for (table, column, expected) in [
            ("learning-models", "duality_gap", Unit::Excess),
            ("learning-predictions", "log_loss", Unit::Nats),
            ("learning-cross-training", "pairwise", Unit::ShareDifference),
            ("learning-cross-training", "log_loss_se", Unit::Nats),
            ("go-deep", "rate_changed", Unit::Share),
            ("heinz", "delta_w_low_90", Unit::ScoreDifference),
            ("skills", "slope", Unit::ScoreSlope),
            ("skills", "wins_sd", Unit::Games),
            ("quality", "win_loss_percent", Unit::PercentagePoints),
            ("quality", "merit", Unit::PercentagePoints),
            ("engines", "se", Unit::Score),
            ("events", "low", Unit::Elo),
            ("statistics", "value", Unit::Row),
            ("players", "first", Unit::Share),
        ] {
            assert_eq!(unit(table, column), expected.name(), "{table}: {column}");
        }
    }
}
