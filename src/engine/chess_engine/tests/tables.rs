//! The table keeps its entries until it is cleared, and a wrong move from it is never played.

use shakmaty::Position;

use super::{KIWIPETE, START, chess, keyed};
use crate::engine::chess_engine::table::{Finding, TranspositionTable, ValueBound};
use crate::engine::chess_engine::{ChessEngine, Limits, Root};
use crate::engine::{chess_engine::packed_move::PackedMove, chess_engine::value::mated_in};

fn finding(value: i32, depth: i32, bound: ValueBound) -> Finding {
    Finding { best: PackedMove::from_bits(0x0a53), value, evaluation: Some(-31), depth, bound, pv: true }
}

#[test]
fn what_is_kept_is_found_and_a_cleared_table_has_nothing() {
    let mut table = TranspositionTable::with_slots(1 << 10);
    let kept = finding(-77, 9, ValueBound::Lower);
    table.keep(0x1234_5678_9abc_def0, 3, kept);
    assert_eq!(table.find(0x1234_5678_9abc_def0, 3), Some(kept));
    assert_eq!(table.find(0x1234_5678_9abc_def1, 3), None);
    let apart = Finding { pv: false, ..kept };
    table.keep(0x1234_5678_9abc_def1, 3, apart);
    assert_eq!(table.find(0x1234_5678_9abc_def1, 3), Some(apart));
    table.clear();
    assert_eq!(table.find(0x1234_5678_9abc_def0, 3), None);
}

#[test]
fn searches_that_age_the_table_leave_what_an_entry_says() {
    let mut table = TranspositionTable::with_slots(16);
    for (key, pv) in (1..100).flat_map(|key| [(key, false), (key, true)]) {
        let kept = Finding { pv, ..finding(5, 7, ValueBound::Upper) };
        table.keep(key, 0, kept);
        table.age();
        assert_eq!(table.find(key, 0), Some(kept));
    }
}

#[test]
fn a_table_cleared_more_often_than_its_epochs_last_has_nothing_old_in_it() {
    let mut table = TranspositionTable::with_slots(16);
    table.keep(99, 0, finding(1, 1, ValueBound::Exact));
    for _ in 0..=u16::MAX {
        table.clear();
        assert_eq!(table.find(99, 0), None);
    }
}

#[test]
fn a_mate_is_as_far_from_its_position_wherever_that_is_met() {
    let mut table = TranspositionTable::with_slots(16);
    table.keep(7, 4, finding(-mated_in(6), 5, ValueBound::Exact));
    assert_eq!(table.find(7, 10).map(|found| found.value), Some(-mated_in(12)));
    table.keep(7, 4, finding(mated_in(9), 5, ValueBound::Exact));
    assert_eq!(table.find(7, 0).map(|found| found.value), Some(mated_in(5)));
}

#[test]
fn a_full_bucket_gives_up_its_shallowest_finding_and_older_ones_first() {
    let mut table = TranspositionTable::with_slots(4);
    for (key, depth) in [(1, 9), (2, 3), (3, 7), (4, 8)] {
        table.keep(key, 0, finding(0, depth, ValueBound::Exact));
    }
    table.keep(5, 0, finding(0, 1, ValueBound::Exact));
    assert_eq!([1, 2, 3, 4, 5].map(|key| table.find(key, 0).is_some()), [true, false, true, true, true]);
    table.age();
    table.keep(6, 0, finding(0, 1, ValueBound::Exact));
    table.keep(7, 0, finding(0, 1, ValueBound::Exact));
    assert_eq!(
        [1, 3, 4, 5, 6, 7].map(|key| table.find(key, 0).is_some()),
        [true, false, true, false, true, true]
    );
}

#[test]
fn a_table_of_sixteen_entries_is_enough_to_search_with() {
    for start in [START, KIWIPETE] {
        let mut engine = ChessEngine::with_table(TranspositionTable::with_slots(16));
        let result = engine.search(&Root::new(chess(start)), &Limits::depth(5), &mut ());
        let mut position = chess(start);
        for &m in &result.variations[0].moves {
            position = position.play(m).expect("a legal move");
        }
        assert_eq!(result.depth, 5);
    }
}

#[test]
fn moves_that_other_positions_left_in_the_table_are_not_played() {
    let root = Root::new(chess(KIWIPETE));
    for bits in (0..=u16::MAX).step_by(257) {
        let mut engine = ChessEngine::with_table(TranspositionTable::with_slots(1 << 10));
        let wrong = Finding { best: PackedMove::from_bits(bits), ..finding(40, 1, ValueBound::Exact) };
        engine.memory.table.keep(keyed(KIWIPETE).key(), 0, wrong);
        for m in root.position().chess().legal_moves() {
            engine.memory.table.keep(root.position().play(m).key(), 1, wrong);
        }
        let result = engine.search(&root, &Limits::depth(2), &mut ());
        let legal = root.position().chess().legal_moves();
        assert!(result.variations[0].moves.first().is_some_and(|m| legal.contains(m)));
    }
}
