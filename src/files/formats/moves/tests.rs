//! Tables of moves are read back as written, or rejected with the place of the fault.

use std::fs;

use super::*;

const HEADER: &str = "game,round,white,black,result,ply,move_number,color,player,san,uci,fen,before_cp,\
    before_mate,after_cp,after_mate,gain_cp,best_uci,depth,nodes\n";

/// A fool's mate in a report without the engine's chances.
const MATE: &str = "2,1,'=Ann,\"Ben, B\",0-1,1,1,white,'=Ann,f3,f2f3,start,20,,-60,,-80,e2e4,9,100\n\
    2,1,'=Ann,\"Ben, B\",0-1,2,1,black,\"Ben, B\",e5,e7e5,x,-60,,-61,,1,e7e5,9,100\n\
    2,1,'=Ann,\"Ben, B\",0-1,3,2,white,'=Ann,g4,g2g4,x,-61,,,-1,-939,d2d4,9,100\n\
    2,1,'=Ann,\"Ben, B\",0-1,4,2,black,\"Ben, B\",Qh4#,d8h4,x,,-1,,0,0,d8h4,9,100\n";

fn read(name: &str, text: &str) -> Result<Vec<RecordedGame>, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join(name), text).expect("a writable folder");
    games(folder.path()).map_err(|error| error.to_string())
}

fn refused(text: &str) -> String {
    read("moves.csv", text).expect_err("refused")
}

#[test]
fn an_older_report_gives_its_evaluations_back() {
    let games = read("moves.csv", &[HEADER, MATE].concat()).expect("a table of moves");
    let [game] = games.as_slice() else { panic!("one game") };
    assert_eq!((game.number, game.start.as_str()), (2, "start"));
    assert_eq!((game.players.white.as_str(), game.players.black.as_str()), ("=Ann", "Ben, B"));
    assert_eq!(game.moves, ["f2f3", "e7e5", "g2g4", "d8h4"]);
    let scores: Vec<String> = game.evaluations.iter().map(|e| e.score.to_string()).collect();
    assert_eq!(scores, ["+0.20", "-0.60", "-0.61", "#-1", "#0"]);
    let at = |ply| game.evaluations.at(ply).expect("known");
    assert_eq!(at(4).score, Score::checkmate(Color::White));
    let best = at(2).best.as_ref().map(ToString::to_string);
    assert_eq!((best.as_deref(), at(2).depth), (Some("d2d4"), Some(9)));
    assert_eq!((at(2).wdl, at(4).depth), (None, None));
}

#[test]
fn rows_of_one_player_alone_are_told_from_a_whole_game() {
    let rows: Vec<&str> = MATE.lines().collect();
    let of = |rows: &[&str]| refused(&[HEADER, &rows.join("\n"), "\n"].concat());
    assert!(of(&[rows[0], rows[2]]).ends_with("game 2 has no row for ply 2"));
    assert!(of(&[rows[1], rows[3]]).contains("game 2 has no row for ply 1"));
    assert!(of(&[rows[0], rows[1], rows[1]]).contains("game 2 has no row for ply 3"));
}

#[test]
fn what_is_no_table_of_moves_is_refused_with_the_place() {
    let error = refused(&[HEADER, &MATE.replacen(",20,", ",2O,", 1)].concat());
    assert!(error.ends_with("row 1: before_cp is \"2O\", expected a whole number"), "{error}");
    let error = refused(&[HEADER, &MATE.replacen(",20,", ",,", 1)].concat());
    assert!(error.contains("row 1: before_cp is empty, expected centipawns here"), "{error}");
    let error = refused(&[HEADER, &MATE.replacen("white,", "green,", 1)].concat());
    assert!(error.ends_with("color is \"green\", expected white or black"), "{error}");
    let smallest = MATE.replacen(",,-1,-939", ",,-2147483648,-939", 1);
    assert!(refused(&[HEADER, &smallest].concat()).contains("row 3: after_cp"));
    assert!(refused("player,elo\nAnn,2000\n").contains("has no column \"game\""));
    let error = refused("");
    assert!(error.contains("not a readable table"), "{error}");
    let error = read("moves.parquet", "no parquet").expect_err("refused");
    assert!(error.ends_with("moves.parquet: not a readable table"), "{error}");
    assert!(read("moves.json", "{").expect_err("refused").contains("moves.json"));
    assert!(read("players.csv", HEADER).expect_err("refused").contains("not the folder of a report"));
    assert_eq!(read("moves.csv", HEADER).expect("an empty table"), []);
}
