//! Limits of a `go`, and the time of its answer.

use std::time::Instant;

use shakmaty::{CastlingMode, Chess, fen::Fen};

use super::{Dialogue, FOOLS_MATE, KIWIPETE, STALEMATE, Search};
use crate::chess::SignedScore;
use crate::engine::chess_engine::{ChessEngine, Limits, Root};

fn searched(position: &str, go: &str) -> Search {
    let dialogue = Dialogue::begin();
    dialogue.send(position);
    let search = dialogue.search(go);
    assert!(dialogue.end().is_empty());
    search
}

#[test]
fn a_depth_is_searched_to_its_end_as_the_library_does() {
    let search = searched(KIWIPETE, "go depth 4");
    let depths: Vec<Option<u32>> = search.infos.iter().map(|info| info.depth).collect();
    assert_eq!(depths, [Some(1), Some(2), Some(3), Some(4)]);
    let fen: Fen = KIWIPETE.trim_start_matches("position fen ").parse().expect("a FEN");
    let chess: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
    let result = ChessEngine::new(16).search(&Root::new(chess), &Limits::depth(4), &mut ());
    let last = search.last();
    assert_eq!(last.score, Some(result.variations[0].score));
    assert_eq!((last.nodes, last.seldepth), (Some(result.nodes), Some(result.deepest_ply)));
    assert_eq!(last.hashfull, Some(result.table_permille));
    let moves: Vec<String> =
        result.variations[0].moves.iter().map(|m| m.to_uci(CastlingMode::Standard).to_string()).collect();
    assert_eq!(last.pv.iter().map(ToString::to_string).collect::<Vec<_>>(), moves);
    assert_eq!((search.best.as_ref(), search.ponder.as_ref()), (moves.first(), moves.get(1)));
}

#[test]
fn a_number_of_nodes_is_kept_and_the_last_line_has_it() {
    for nodes in [0, 1, 100, 3_000] {
        let search = searched(KIWIPETE, &format!("go nodes {nodes}"));
        assert_eq!(search.last().nodes, Some(nodes));
        assert_eq!(search.last().pv.first().map(ToString::to_string), search.best);
    }
}

#[test]
fn a_time_is_used_up_and_no_more() {
    let begun = Instant::now();
    searched(KIWIPETE, "go movetime 300");
    let took = begun.elapsed().as_millis();
    assert!((150..60_000).contains(&took), "{took} ms");
}

#[test]
fn a_clock_that_shows_almost_nothing_is_answered_at_once() {
    for go in [
        "go wtime 10 btime 10",
        "go wtime -5 btime 60000",
        "go wtime 1 btime 1 winc 1 binc 1 movestogo 1",
        "go btime 60000",
        "go movetime 0",
    ] {
        assert!(!searched(KIWIPETE, go).best().is_empty(), "{go}");
    }
}

#[test]
fn an_only_move_is_played_without_thinking() {
    // An hour on the clock allows minutes for a move in another position.
    let search = searched("position fen 7k/8/8/8/8/8/6q1/7K w - - 0 1", "go wtime 3600000 btime 3600000");
    assert_eq!((search.best(), search.last().depth), ("h1g2", Some(1)));
}

#[test]
fn an_endless_search_is_answered_after_a_stop_only() {
    for go in ["go infinite", "go", "go infinite depth 1 nodes 1 movetime 1", "go ponder"] {
        for position in [KIWIPETE, FOOLS_MATE, STALEMATE] {
            let dialogue = Dialogue::begin();
            dialogue.send(&format!("{position}\n{go}"));
            dialogue.until("info depth");
            // During the search the engine is ready and gives no best move.
            assert!(dialogue.ask("").iter().all(|line| !line.starts_with("bestmove")), "{go}");
            dialogue.send("stop");
            dialogue.until("bestmove");
            assert!(dialogue.end().is_empty(), "{go}");
        }
    }
}

#[test]
fn a_search_that_has_reached_its_depth_under_ponder_waits_for_the_hit() {
    for release in ["ponderhit", "stop"] {
        let dialogue = Dialogue::begin();
        dialogue.send(&format!("{FOOLS_MATE}\ngo ponder depth 2"));
        dialogue.until("info depth 2");
        assert!(dialogue.ask("").iter().all(|line| !line.starts_with("bestmove")));
        dialogue.send(release);
        assert_eq!(dialogue.until("bestmove").last().map(String::as_str), Some("bestmove d8h4"));
    }
}

#[test]
fn after_the_hit_the_clock_is_our_own() {
    let dialogue = Dialogue::begin();
    dialogue.send(&format!("{KIWIPETE}\ngo ponder wtime 500 btime 500"));
    dialogue.until("info depth 1");
    assert!(dialogue.ask("").iter().all(|line| !line.starts_with("bestmove")));
    dialogue.send("ponderhit");
    dialogue.until("bestmove");
}

#[test]
fn only_the_moves_asked_for_are_searched_and_illegal_ones_are_passed_over() {
    assert_eq!(searched(KIWIPETE, "go depth 2 searchmoves a2a3").best(), "a2a3");
    assert_eq!(searched(KIWIPETE, "go searchmoves h2h3 a2a4 depth 2").best(), "a2a4");
    let all = searched(KIWIPETE, "go depth 2").timeless();
    let dialogue = Dialogue::begin();
    dialogue.send(&format!("{KIWIPETE}\ngo depth 2 searchmoves e1e8"));
    assert!(dialogue.line().ends_with("none of searchmoves is legal here; searching all moves"));
    assert_eq!(Search::read(&dialogue.until("bestmove")).timeless(), all);
}

#[test]
fn a_mate_that_is_asked_for_ends_the_search() {
    let position = "position fen 6k1/8/8/8/8/8/1R6/R5K1 w - - 0 1";
    assert_eq!(searched(position, "go mate 2").last().score, Some(SignedScore::Mate(2)));
    // A deeper search would have followed, because there is no other limit.
    let search = searched(FOOLS_MATE, "go mate 5");
    assert_eq!((search.best(), search.last().score), ("d8h4", Some(SignedScore::Mate(1))));
}

#[test]
fn where_no_move_is_legal_there_is_none() {
    let search = searched(STALEMATE, "go depth 5");
    assert_eq!((search.best, search.infos[0].score), (None, Some(SignedScore::Cp(0))));
    let mated = format!("{FOOLS_MATE} d8h4");
    let search = searched(&mated, "go movetime 50");
    assert_eq!((search.best, search.infos[0].score), (None, Some(SignedScore::Mate(0))));
}

#[test]
fn equal_searches_tell_the_same() {
    let lines = |dialogue: &Dialogue| {
        dialogue.send(&format!("ucinewgame\n{KIWIPETE}"));
        dialogue.search("go nodes 5000").timeless()
    };
    let dialogue = Dialogue::begin();
    let first = lines(&dialogue);
    assert_eq!(lines(&dialogue), first);
    assert_eq!(lines(&Dialogue::begin()), first);
}
