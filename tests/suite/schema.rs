//! Tests of the verb `schema`: its description of the tables agrees with their files.

use std::{collections::BTreeMap, fs::File};

use polars_io::{SerReader, parquet::read::ParquetReader};
use serde_json::Value;

use crate::program::Bench;

/// Returns the names of a table's columns.
fn columns(entry: &Value) -> Vec<&str> {
    entry["columns"]
        .as_array()
        .expect("columns")
        .iter()
        .filter_map(|column| column["name"].as_str())
        .collect()
}

#[test]
fn the_dictionary_has_every_column_of_every_file_and_the_files_have_the_dictionary() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--depth", "6", "--format", "csv,parquet", "--plots", "none"]).ended_with(0);
    let dictionary: Value = serde_json::from_str(&bench.run(&["schema", "--json"]).ended_with(0).stdout)
        .expect("the dictionary as JSON");
    let tables = dictionary.as_array().expect("tables");
    let mut checked = 0;
    for name in bench.files("reports/games").keys().filter_map(|name| name.strip_suffix(".csv")) {
        let entry = tables.iter().find(|entry| entry["table"] == name).expect("an entry");
        let known = columns(entry);
        let csv = bench.text(&format!("reports/games/{name}.csv"));
        let header: Vec<&str> = csv.lines().next().expect("a header").split(',').collect();
        assert!(header.iter().all(|column| known.contains(column)), "{name}: {header:?} of {known:?}");
        let file = File::open(bench.path(&format!("reports/games/{name}.parquet"))).expect("a file");
        let mut reader = ParquetReader::new(file);
        let facts = reader.get_metadata().expect("metadata").key_value_metadata().clone().expect("facts");
        let facts: BTreeMap<String, String> =
            facts.into_iter().filter_map(|fact| Some((fact.key, fact.value?))).collect();
        let own: Value = serde_json::from_str(&facts["gainalyze.columns"]).expect("JSON");
        let described = own.as_array().expect("columns").iter();
        let described: Vec<&Value> = described.map(|column| &column["name"]).collect();
        assert_eq!(described, header, "{name}");
        assert_eq!(facts["gainalyze.version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(facts["gainalyze.row"], entry["row"]);
        assert!(facts["gainalyze.method"].contains("\"clip_cp\":1000"), "{}", facts["gainalyze.method"]);
        assert!(facts["gainalyze.engine"].contains("depth 6"), "{}", facts["gainalyze.engine"]);
        checked += header.len();
    }
    assert!(checked > 80, "{checked} columns");
}

#[test]
fn whole_numbers_have_a_sign_so_that_differences_may_be_below_0() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--depth", "6", "--format", "parquet", "--plots", "none"]).ended_with(0);
    for name in bench.files("reports/games").keys().filter(|name| name.ends_with(".parquet")) {
        let file = File::open(bench.path(&format!("reports/games/{name}"))).expect("a file");
        let mut reader = ParquetReader::new(file);
        for field in reader.schema().expect("a schema").iter_values() {
            let kind = format!("{:?}", field.dtype);
            // The library reads every type of text as its own type. `tests/parquet` checks the type in the
            // file.
            let known = ["Int64", "Int32", "Float64", "Boolean", "Utf8View"];
            assert!(known.contains(&kind.as_str()), "{name}, {}: {kind}", field.name);
        }
    }
}

#[test]
fn one_table_is_told_to_people_and_one_that_there_is_not_is_refused_with_those_that_there_are() {
    let bench = Bench::of_games();
    let told = bench.run(&["schema", "pairs", "histograms"]).ended_with(0).stdout;
    assert!(told.starts_with("pairs: One row per pair of players"), "{told}");
    assert!(told.contains("\n- z (standard errors): ") && told.contains("\n\nhistograms: "), "{told}");
    bench.run(&["schema", "players", "movs"]).ended_with(2).said(&["movs", "moves"]);
}

#[test]
fn a_column_that_two_tables_of_players_have_is_one_number() {
    let bench = Bench::of_games();
    bench
        .run(&["games.pgn", "--depth", "6", "--format", "json", "--also", "all", "--plots", "none"])
        .ended_with(0);
    let mut known: BTreeMap<(String, String), Value> = BTreeMap::new();
    let mut compared = 0;
    for table in ["quality", "players", "score-kept"] {
        let rows: Value =
            serde_json::from_str(&bench.text(&format!("reports/games/{table}.json"))).expect("JSON");
        for row in rows.as_array().expect("rows") {
            let player = row["player"].as_str().expect("a name").to_owned();
            for (column, value) in row.as_object().expect("columns") {
                if let Some(earlier) = known.insert((player.clone(), column.clone()), value.clone()) {
                    compared += 1;
                    assert_eq!(&earlier, value, "{table}: {column} of {player}");
                }
            }
        }
    }
    assert!(compared > 20, "{compared} numbers");
}
