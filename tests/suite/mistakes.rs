//! Mistakes of users. Each answer names the mistake and the right command.

use crate::program::{Bench, GAMES};

const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";

#[test]
fn a_mistyped_command_line_is_answered_with_what_to_type() {
    let bench = Bench::of_games();
    let answers: [(&[&str], &[&str]); 51] = [
        (
            &["rate", "games.pgn", "--depth", "12"],
            &[
                "'gainalyze rate' has no option '--depth'",
                "for another depth, write gainalyze games.pgn --depth N",
                "Usage: gainalyze rate [OPTIONS]",
            ],
        ),
        (
            &["games.pgn", "--depths", "1-2"],
            &["'gainalyze' has no option '--depths'", "commands that have --depths: selfplay"],
        ),
        (
            &["selfplay", "--depth", "5-7"],
            &["has no option '--depth'; did you mean '--depths'?", "Usage: gainalyze selfplay"],
        ),
        (
            &["spar", "--play", "--elo", "1500"],
            &["'gainalyze spar' has no option '--elo'; did you mean '--level'?", "Usage: gainalyze spar"],
        ),
        (
            &["rate", "games.pgn", "--separatly"],
            &["'gainalyze rate' has no option '--separatly'; commands that have --separately: analyze"],
        ),
        (&["games.pgn", "--separatly"], &["has no option '--separatly'; did you mean '--separately'?"]),
        (
            &["store", "stats", "x.sqlite", "--dephts"],
            &["'gainalyze store stats' has no option '--dephts'", "Usage: gainalyze store stats"],
        ),
        (&["selfplays", "--depths", "1-2"], &["no command 'selfplays': did you mean 'gainalyze selfplay'?"]),
        (
            &["games.pgn", "--enginee", "x"],
            &["'gainalyze' has no option '--enginee'; did you mean '--engine'?"],
        ),
        (&["games.pgn", "-v"], &["'gainalyze' has no option '-v'; gainalyze --help lists its options"]),
        (
            &["games.pgn", "--depth", "0"],
            &["invalid value '0' for '--depth <N>': write a whole number from 1 to 245"],
        ),
        (
            &["games.pgn", "--depth", "-5"],
            &["invalid value '-5' for '--depth <N>': write a whole number from 1 to 245"],
        ),
        (
            &["go-deep", "games.pgn", "--depth", "-5"],
            &["write a whole number from 2 to 245", "Usage: gainalyze go-deep"],
        ),
        (
            &["deep", "--distance", "-5"],
            &["'--distance <CENTIPAWNS>': write a number of centipawns, 0 or more"],
        ),
        (&["games.pgn", "--nodes", "0"], &["for '--nodes <N>': write a whole number, 1 or more"]),
        (&["games.pgn", "--min-elo", "high"], &["for '--min-elo <ELO>': write a whole number"]),
        (
            &["deep", "not a fen"],
            &["not a fen: no such file: name a PGN file, or write a whole FEN in quotes"],
        ),
        (&["deep", "e4"], &["e4: no such file", "or moves after --moves"]),
        (
            &["deep", "e4", "e5", "Nf3"],
            &["moves follow --moves, as in gainalyze deep --moves \"e4 e5 Nf3\"", "Usage: gainalyze deep"],
        ),
        (&[FEN], &["no such file; to analyze a position, write gainalyze deep \"FEN\""]),
        (
            &["rate", FEN.split_once(' ').expect("a FEN").0, "w"],
            &["to analyze a position, write gainalyze deep"],
        ),
        (
            &["deep", "https://example.org/a/b/c/d/e/f/g/h"],
            &["this is an address; download it first", "| gainalyze -"],
        ),
        (&["https://example.org/games.pgn"], &["this is an address; download it first", "| gainalyze -"]),
        (
            &["https://lichess.org/@/anna"],
            &["curl -sL 'https://lichess.org/api/games/user/anna?", "| gainalyze player anna -"],
        ),
        (
            &["https://lichess.org/study/abcdefgh"],
            &["'https://lichess.org/api/study/abcdefgh.pgn' | gainalyze -"],
        ),
        (
            &["https://lichess.org/broadcast/a-tournament/round-1/abcdefgh"],
            &["'https://lichess.org/api/broadcast/round/abcdefgh.pgn' | gainalyze -"],
        ),
        (
            &["https://www.chess.com/member/anna"],
            &["'https://api.chess.com/pub/player/anna/games/", "/pgn' | gainalyze player anna -"],
        ),
        (
            &["https://lichess.org/abcdefgh/black"],
            &["'https://lichess.org/game/export/abcdefgh?evals=true&clocks=true' | gainalyze -"],
        ),
        (
            &["https://www.chess.com/game/live/123"],
            &[
                "chess.com has no address for the PGN of one game",
                "choose Share, PGN, Download, and name the file",
                "'https://api.chess.com/pub/player/NAME/games/",
            ],
        ),
        (
            &["player", "https://lichess.org/@/anna"],
            &["'https://lichess.org/api/games/user/anna?", "| gainalyze player anna -"],
        ),
        (
            &["player", "https://www.chess.com/member/anna"],
            &[
                "not a player's name: ",
                "'https://api.chess.com/pub/player/anna/games/",
                "| gainalyze player anna -",
            ],
        ),
        (
            &["player", "https://lichess.org/abcdefghijkl"],
            &["'https://lichess.org/game/export/abcdefgh?evals=true&clocks=true' | gainalyze -"],
        ),
        (
            &["expect", "2000"],
            &["no file or name here: '2000'; did you mean --elo 2000?", "Usage: gainalyze expect"],
        ),
        (
            &["compare", "a.pgn", "b.pgn"],
            &["compare: no such file, and no command has this name; gainalyze -h"],
        ),
        (&["install", "stockfish"], &["install: no such file, and no command has this name"]),
        (&["lichess", "anna"], &["lichess: no such file, and no command has this name"]),
        (&["rate", "game.pgn"], &["game.pgn: no such file; did you mean games.pgn?"]),
        (&["rate", "./game.pgn"], &["./game.pgn: no such file; did you mean ./games.pgn?"]),
        (
            &["rate", "games.pgn", "--time-control", "5+3"],
            &["no game fits", "by --time-control (with \"no tag TimeControl\")"],
        ),
        (
            &["games.pgn", "--output", "games.pgn/reports"],
            &["cannot create directory games.pgn/reports", ": name another folder with --output"],
        ),
        (
            &["spar", "--log", "nowhere/spar.log"],
            &["--log nowhere/spar.log cannot be written: No such file or directory"],
        ),
        (&["player", "games.pgn", "Anna"], &["games.pgn is a file, but Anna is not: the player comes first"]),
        (
            &["games.pgn", "--evals", "engine", "--engine", "stokfish"],
            &["stokfish", "no program of this name is on PATH or in this folder; install the engine"],
        ),
        (
            &["expect", "--elo", "1000"],
            &[
                "for the rating 1000 on the scale fide-2024: the calibrations cover",
                "1410 to 2872 on fide-2024",
                "choose another --elo or --scale",
            ],
        ),
        (
            &["games.pgn", "--hash", "-5"],
            &["invalid value '-5' for '--hash <MB>': write a whole number, 1 or more"],
        ),
        (&["spar", "--evaluate", "me"], &["'gainalyze spar' takes no file or name here: 'me'"]),
        (
            &["games.pgn", "--calibration", "nowhere"],
            &[
                "calibration nowhere: No such file or directory",
                "built-in calibration: stockfish-15.1-depth-10",
            ],
        ),
        (
            &["games.pgn", "--games-of", "Alphas"],
            &["games.pgn: no player is called \"Alphas\"; did you mean Alpha, Anna?"],
        ),
        (&["selfplay", "--depths", "8-6"], &["depth 8 comes after depth 6: write 6-8"]),
        (&["games.pgn", "--since", "yesterday"], &["write a year, a month or a day"]),
        (&["games.pgn", "--aliases", "none.txt"], &["--aliases none.txt: No such file or directory"]),
    ];
    for (args, said) in answers {
        let run = bench.run(args).ended_with(2).said(said);
        for rust in ["os error", "..=", "invalid digit", "to pass '", "a similar argument"] {
            assert!(!run.stderr.contains(rust), "{args:?}: {}", run.stderr);
        }
    }
}

#[test]
fn games_from_another_program_are_searched_for_similar_names_too() {
    let bench = Bench::of_games();
    let run = bench.run_with_input(&["player", "Berta", "-"], GAMES).ended_with(2);
    run.said(&["standard input: no player is called \"Berta\"; did you mean Beta, Bert?"]);
    let run = bench.run_with_input(&["-"], "1. e4 e5 2. Qxh7 1-0\n").ended_with(2);
    run.said(&["no game of standard input can be read; the first problem is standard input, game 1"]);
}

#[test]
fn the_programs_own_engine_as_another_one_is_named_as_what_it_is() {
    let bench = Bench::of_games();
    bench.write("own.sh", format!("#!/bin/sh\nexec {} engine\n", env!("CARGO_BIN_EXE_gainalyze")).as_bytes());
    bench
        .run_in_shell("chmod +x own.sh;", "rate games.pgn --engine ./own.sh", "")
        .ended_with(2)
        .said(&["to use the built-in engine with its calibration, give --engine builtin"]);
}

#[test]
fn a_board_without_a_side_to_move_is_a_position() {
    let bench = Bench::of_games();
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let deep = |fen: &str| {
        bench.run(&[
            "deep",
            fen,
            "--engine",
            "builtin",
            "--depth",
            "2",
            "--plies",
            "1",
            "--no-store",
            "--force",
        ])
    };
    deep(board).ended_with(0);
    deep(&format!("{board}/8 w - - 0 1")).ended_with(2).said(&["is not a position: "]);
}
