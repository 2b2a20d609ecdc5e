//! Part files are read back as written, or rejected.

use std::fs;

use polars::prelude::{DataFrame, NamedFrom, Series};
use polars_io::parquet::write::ParquetWriter;
use proptest::{prelude::*, sample::Index};

use super::*;
use crate::chess::Clip;
use crate::measure::{CountOptions, CountedFile, GameOutcome, Grouping, archive::read_block};

const GAMES: &str = include_str!("../../../../tests/suite/lichess.pgn");

fn options() -> CountOptions {
    CountOptions { quantiles: true, ..CountOptions::new(Grouping::Event) }
}

fn key() -> CountKey {
    options().identity()
}

/// Returns the counts of some games, and the file that has these games.
fn counted() -> (ArchiveCounts, Inputs) {
    let options = options();
    let table = crate::measure::archive::ClipTable::new(options.method.scale());
    let mut counts = ArchiveCounts::default();
    // The winner is rated lower.
    let games = GAMES.replace("[WhiteElo \"2872\"]", "[WhiteElo \"2472\"]\n[WhiteTitle \"GM\"]");
    for outcome in read_block(&games, false, &options, &table) {
        if let GameOutcome::Counted(game) = outcome {
            counts.add(&game);
        }
    }
    let mut inputs = Inputs::default();
    inputs.add(
        CountedFile { bytes: GAMES.len() as u64, digest: 1 << 99, name: "games, of May.pgn".to_owned() },
        1,
    );
    (counts, inputs)
}

/// Returns the bytes of a part file with these rows.
fn file(mut frame: DataFrame) -> Vec<u8> {
    let mut parquet = Vec::new();
    ParquetWriter::new(&mut parquet).finish(&mut frame).expect("memory");
    sealed(&parquet)
}

fn whole() -> DataFrame {
    let (counts, inputs) = counted();
    frame(&counts, &key(), &inputs).expect("small counts")
}

fn read_bytes(bytes: &[u8]) -> Result<Part, PartError> {
    let temp = tempfile::tempdir().expect("a temporary directory");
    let path = temp.path().join("part.parquet");
    fs::write(&path, bytes).expect("room");
    read(&path)
}

fn told(bytes: &[u8]) -> String {
    crate::base::text::with_causes(&read_bytes(bytes).expect_err("refused"))
}

#[test]
fn a_part_is_read_as_it_was_written() {
    let (tally, inputs) = counted();
    assert!(tally.groups.len() > 6 && tally.games.chosen > 1, "{tally:?}");
    let [titles, upsets] =
        [|group: &GroupCounts| group.titles.len(), |group: &GroupCounts| group.upsets.len()]
            .map(|count| tally.groups.values().map(count).sum::<usize>());
    assert_eq!((titles, upsets), (1, 1));
    assert_eq!(read_bytes(&file(whole())).expect("a part"), Part { identity: key(), inputs, tally });
}

#[test]
fn no_changed_bit_is_read() {
    let bytes = file(whole());
    for at in (0..bytes.len()).step_by(29) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        let error = read_bytes(&flipped).expect_err("refused");
        assert!(matches!(error, PartError::Changed(..) | PartError::Unsealed(..)), "byte {at}: {error}");
    }
    assert!(told(&bytes[..bytes.len() / 2]).contains("has no digest, so it is not a part file"));
    assert!(told(b"").contains("has no digest, so it is not a part file"));
}

#[test]
fn rows_that_are_doubled_exchanged_dropped_or_of_another_file_are_refused_though_they_are_sealed() {
    let whole = whole();
    let rows = whole.height();
    let doubled = whole.vstack(&whole).expect("the same columns");
    assert!(told(&file(doubled)).contains(&format!("row {} is out of order", rows + 1)));
    let exchanged = whole.slice(1, 1).vstack(&whole.slice(0, 1)).expect("the same columns");
    assert!(told(&file(exchanged)).contains("row 2 is out of order"));
    for row in 0..rows {
        let dropped =
            whole.slice(0, row).vstack(&whole.slice(row as i64 + 1, rows)).expect("the same columns");
        let cell = whole.column("count").expect("a column").get(row).expect("a cell").to_string();
        let count = cell.trim_matches('"');
        let is_told_by_others = ["games", "sides", "loss_cp", "gain", "scores.sum"].contains(&count)
            || [".clusters", ".count", ".count_squared"].iter().any(|end| count.ends_with(end));
        // A sum over several games may have any value; only the seal detects a change.
        if !is_told_by_others {
            continue;
        }
        let error = read_bytes(&file(dropped)).map(|_| ()).expect_err(count);
        assert!(matches!(error, PartError::Fault(..)), "{count}: {error}");
    }
    let other = CountKey { clip: Clip::new(500).expect("a clip"), ..key() };
    let (counts, inputs) = counted();
    let other = frame(&counts, &other, &inputs).expect("small counts");
    let mixed = whole.slice(0, 5).vstack(&other.slice(5, rows)).expect("the same columns");
    assert!(told(&file(mixed)).contains("rows with different counting options"));
}

// A substitute for fuzzing: the Parquet reader takes too long to build there.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn other_numbers_that_are_sealed_are_read_as_they_stand_or_refused(
        edits in proptest::collection::vec((any::<bool>(), any::<Index>(), any::<i64>(), 0..64_u32), 1..4),
    ) {
        let mut edited = whole();
        for (is_key, row, number, shift) in edits {
            let row = row.index(edited.height());
            edited = with_number(edited, if is_key { "key" } else { "value" }, row, number >> shift);
        }
        if let Ok(part) = read_bytes(&file(edited.clone())) {
            let again = frame(&part.tally, &part.identity, &part.inputs).expect("counts that were in a part");
            prop_assert!(again.equals_missing(&edited), "{again:?}\n{edited:?}");
        }
    }
}

#[test]
fn a_count_of_0_is_refused_wherever_it_stands_since_none_is_written() {
    for row in 0..whole().height() {
        let edited = with_number(whole(), "value", row, 0);
        assert!(matches!(read_bytes(&file(edited)), Err(PartError::Unknown(..))), "row {row}");
    }
}

/// Returns `frame` with `number` in one cell, at `column` and `row`.
fn with_number(mut frame: DataFrame, column: &str, row: usize, number: i64) -> DataFrame {
    let cells: Vec<Option<i64>> =
        frame.column(column).expect("a column").i64().expect("numbers").iter().collect();
    let changed = cells.into_iter().enumerate().map(|(at, cell)| if at == row { Some(number) } else { cell });
    let series = Series::new(column.into(), changed.collect::<Vec<_>>());
    frame.with_column(series.into()).expect("a column");
    frame
}

#[test]
fn numbers_that_no_archive_has_are_refused_though_they_are_sealed() {
    let counts: Vec<String> = whole()
        .column("count")
        .expect("a column")
        .str()
        .expect("texts")
        .iter()
        .flatten()
        .map(str::to_owned)
        .collect();
    for number in [i64::MIN, i64::MIN + 1, -1, 1 << 40, 1 << 60, (1 << 60) + 1, i64::MAX] {
        for row in (0..counts.len()).filter(|row| counts[*row] == "gain").step_by(17) {
            assert!(
                read_bytes(&file(with_number(whole(), "value", row, number))).is_err(),
                "{number} at {row}"
            );
            assert!(
                read_bytes(&file(with_number(whole(), "key", row, number))).is_err(),
                "{number} at {row}"
            );
        }
        let sums =
            (0..counts.len()).filter(|row| counts[*row].contains('.') && !counts[*row].starts_with("input"));
        // The sum of a few gains may have another value.
        for row in sums.filter(|row| number != -1 || !counts[*row].contains(".gains.sum")).step_by(3) {
            let error = read_bytes(&file(with_number(whole(), "value", row, number)));
            assert!(error.is_err(), "{number} as {}", counts[row]);
        }
    }
}

#[test]
fn parts_of_one_file_are_added_up_only_if_that_is_allowed() {
    let temp = tempfile::tempdir().expect("a temporary directory");
    let paths = ["a.parquet", "b.parquet"].map(|name| temp.path().join(name));
    paths.iter().for_each(|path| fs::write(path, file(whole())).expect("room"));
    let error = merge(&paths, false).expect_err("the same file").to_string();
    assert!(error.ends_with("a.parquet, so its games would count twice"), "{error}");
    assert!(error.contains("b.parquet: games, of May.pgn was also counted in "), "{error}");
    let twice = merge(&paths, true).expect("allowed").expect("parts");
    let (mut tally, inputs) = counted();
    let again = tally.clone();
    tally += &again;
    assert_eq!((&twice.tally, twice.inputs.iter().next().map(|(_, times)| times)), (&tally, Some(2)));
    assert!(merge(&[], false).expect("nothing").is_none());
    // The largest possible sums are not added up.
    let mut large = counted().0;
    large.without_gain = crate::measure::archive::LARGEST_COUNT;
    let bytes = file(frame(&large, &key(), &inputs).expect("64 bits"));
    paths.iter().for_each(|path| fs::write(path, &bytes).expect("room"));
    let error = crate::base::text::with_causes(&merge(&paths, true).expect_err("too large"));
    assert!(error.ends_with("a count above the largest possible count"), "{error}");
}

#[test]
fn a_sealed_file_that_is_no_parquet_of_ours_is_an_error() {
    for text in
        ["", "PAR1", "PAR1PAR1", "PAR1 nothing at all \x04\0\0\0PAR1", "PAR1 nothing at all \u{7f}\0\0\0PAR1"]
    {
        let error = read_bytes(&sealed(text.as_bytes())).expect_err("refused");
        let is_foreign = matches!(error, PartError::Foreign(..) | PartError::Unsealed(..));
        assert!(is_foreign, "{text}: {error}");
    }
    let mut other = whole();
    other.rename("key", "keys".into()).expect("a column");
    assert!(told(&file(other)).contains("key"));
    assert!(told(&file(whole().slice(0, 0))).contains("it has no row"));
}
