//! Tests of the players behind the names in files: FIDE ids, accents, names that mean nobody, similar names, and
//! the names of openings.

use crate::program::{Bench, Run};

/// Returns a game with these tags, and evaluations of all positions.
fn game(tags: &[(&str, &str)], moves: usize) -> String {
    let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    let line = ["1. d4", "d5", "2. c4", "e6", "3. Nc3", "Nf6", "4. Bg5", "Be7"];
    let line: String = line[..moves].iter().map(|played| format!("{played} {{ [%eval 0.2] }} ")).collect();
    format!("{tags}\n{{ [%eval 0.1] }} {line}*\n\n")
}

/// Returns games of Black "Adler, Ines" with these players as White; a FIDE id may follow the name after `#`.
/// Each has another date and round, so none is a copy.
fn games_of(players: &[&str]) -> String {
    let games = (1..).zip(players).map(|(day, player)| {
        let (name, id) = player.split_once('#').unwrap_or((player, "0"));
        let date = format!("2024.03.{day:02}");
        game(
            &[
                ("Date", &date),
                ("Round", &day.to_string()),
                ("White", name),
                ("Black", "Adler, Ines"),
                ("WhiteFideId", id),
            ],
            8,
        )
    });
    games.collect()
}

/// Runs the main command with the recorded evaluations. Returns its messages, and the players with their numbers of games.
fn report(bench: &Bench) -> (String, Vec<[String; 2]>) {
    let args = ["games.pgn", "--evals", "pgn", "--plots", "none", "--output", "out", "--annotate", "out.pgn"];
    let run = bench.run(&[&args[..], &["--force"]].concat()).ended_with(0);
    let mut players: Vec<[String; 2]> = bench
        .table("out/players.csv", &["player", "games"])
        .into_iter()
        .map(|row| row.try_into().expect("two columns"))
        .collect();
    players.sort();
    (run.stderr, players)
}

/// Runs `player` with the recorded evaluations.
fn profile_of(bench: &Bench, name: &str) -> Run {
    let args = ["player", name, "games.pgn", "--evals", "pgn", "--output", "profile"];
    bench.run(&[&args[..], &["--force", "--plots", "none"]].concat())
}

const FIVE: [&str; 5] = [
    "Novak, Petra#900001",
    "Novak,P#900001",
    "Petra Novak#900001",
    "Novak, P.#900001",
    "NOVAK, PETRA#900001",
];

#[test]
fn names_with_one_fide_id_are_one_player_in_all_reports() {
    let bench = Bench::new(&games_of(&FIVE));
    let (told, players) = report(&bench);
    assert!(told.contains("5 names of FIDE id 900001 count as one player, Novak, Petra"), "{told}");
    assert_eq!(players, [["Adler, Ines", "5"], ["Novak, Petra", "5"]]);
    assert!(bench.text("out.pgn").contains("[White \"Novak,P\"]"), "the tags are kept");
    for name in ["Novak, Petra", "Novak,P", "petra"] {
        let args = [
            "player",
            name,
            "games.pgn",
            "--evals",
            "pgn",
            "--output",
            "profile",
            "--force",
            "--plots",
            "none",
        ];
        bench.run(&args).ended_with(0);
        assert_eq!(bench.table("profile/profile.csv", &["games"])[0], ["5"], "{name}");
    }
    bench.run(&["games.pgn", "--evals", "pgn", "--player", "Novak, P.", "--output", "one"]).ended_with(0);
    assert_eq!(bench.table("one/players.csv", &["player"]), [["Novak, Petra"]]);
}

#[test]
fn the_fide_ids_of_all_parts_of_an_archive_decide() {
    let games = games_of(&[&FIVE[..], &["Li, Wei#900003", "Li, Wei#900004", "Novak,P"]].concat());
    let bench = Bench::new(&games);
    let groups = |folder: &str| bench.table(&format!("{folder}/groups.csv"), &["group", "games"]);
    let expected = [
        ["Adler, Ines", "8"],
        ["Li, Wei (FIDE 900003)", "1"],
        ["Li, Wei (FIDE 900004)", "1"],
        ["NOVAK, PETRA", "6"],
    ];
    let run = bench.run(&["archive", "games.pgn", "--by", "player", "--output", "whole"]).ended_with(0);
    run.said(&[
        "5 names of FIDE id 900001 count as one player",
        "FIDE id 900003 is one of 2 players called Li, Wei",
    ]);
    assert_eq!(groups("whole"), expected, "of equally frequent names, the first in the alphabet");
    let at = games.match_indices("[Date").nth(3).expect("a game").0;
    for (name, part) in [("a", &games[..at]), ("b", &games[at..])] {
        let [file, counts] = [format!("{name}.pgn"), format!("{name}.parquet")];
        bench.write(&file, part.as_bytes());
        bench
            .run(&["archive", &file, "--by", "player", "--partial", &counts, "--output", name])
            .ended_with(0);
    }
    bench.run(&["merge", "a.parquet", "b.parquet", "--output", "merged"]).ended_with(0);
    assert_eq!(groups("merged"), expected);
}

#[test]
fn one_name_with_two_fide_ids_is_two_players() {
    let bench = Bench::new(&games_of(&["Li, Wei#900003", "Li, Wei#900004", "Li, Wei#900003"]));
    let (told, players) = report(&bench);
    assert!(told.contains("FIDE id 900003 is one of 2 players called Li, Wei"), "{told}");
    assert_eq!(
        players,
        [["Adler, Ines", "3"], ["Li, Wei (FIDE 900003)", "2"], ["Li, Wei (FIDE 900004)", "1"]]
    );
    let player = |name: &str| profile_of(&bench, name);
    player("Li, Wei").ended_with(2).said(&["ambiguous: Li, Wei (FIDE 900003); Li, Wei (FIDE 900004)"]);
    player("Li, Wei (FIDE 900004)").ended_with(0);
    assert_eq!(bench.table("profile/profile.csv", &["games"])[0], ["1"]);
    bench.write("aliases.txt", b"Li, Wei=Li, Wei (FIDE 900003)\nLi, Wei=Li, Wei (FIDE 900004)\n");
    let args = ["games.pgn", "--evals", "pgn", "--aliases", "aliases.txt", "--output", "joined"];
    bench.run(&args).ended_with(0);
    assert_eq!(bench.table("joined/players.csv", &["player"]).len(), 2, "aliases win over ids");
}

#[test]
fn names_are_found_without_their_accents_and_told_once() {
    let bench = Bench::new(&games_of(&[
        "Müller, Jörg",
        "Mu\u{308}ller, Jo\u{308}rg",
        "Šimon, Žofie",
        "Sørensen, Ulf",
    ]));
    let player = |name: &str| profile_of(&bench, name);
    for (name, games) in
        [("Simon", "1"), ("Mueller", "2"), ("muller", "2"), ("Jorg Muller", "2"), ("Soerensen", "1")]
    {
        player(name).ended_with(0);
        assert_eq!(bench.table("profile/profile.csv", &["games"])[0], [games], "{name}");
    }
    let unknown = player("Mulle").ended_with(2);
    assert!(unknown.stderr.contains("did you mean Müller, Jörg?"), "{}", unknown.stderr);
    let unknown = player("Kasparov").ended_with(2);
    assert!(
        unknown.stderr.contains("players: Adler, Ines; Müller, Jörg; Sørensen, Ulf; Šimon, Žofie"),
        "{}",
        unknown.stderr
    );
    let more = bench.text("games.pgn") + &games_of(&["Simon, Ana"]).replace(".03.", ".04.");
    bench.write("games.pgn", more.as_bytes());
    player("Simon").ended_with(0).said(&["Simon, Ana: see"]);
}

#[test]
fn a_name_that_means_nobody_is_no_player() {
    let bench = Bench::new(&games_of(&["NN", "N.N.", "nn", "?", "Anonymous", "Bye", "Brandt, Otto"]));
    let (told, players) = report(&bench);
    assert_eq!(players, [["Adler, Ines", "7"], ["Brandt, Otto", "1"]]);
    assert!(!told.contains("may be of one player"), "{told}");
    assert_eq!(bench.table("out/quality.csv", &["player"]).len(), 2);
    bench
        .run(&["player", "NN", "games.pgn", "--evals", "pgn"])
        .ended_with(2)
        .said(&["no player is called \"NN\""]);
    let nameless = Bench::new(&games_of(&["?", "?"]).replace("Adler, Ines", "?"));
    assert_eq!(report(&nameless).1, [["?", "4"]], "games without any name keep their row");
}

#[test]
fn similar_names_are_told_once_and_not_joined() {
    let bench =
        Bench::new(&games_of(&["Novak, P", "Novak, Petra", "Weber, A", "Weber, Anna", "Weber, Arno"]));
    let (told, players) = report(&bench);
    assert!(told.contains("names may be of one player; --aliases FILE joins them, with one of these per line: Novak, Petra=Novak, P\n"), "{told}");
    assert_eq!(players.len(), 6);
}

#[test]
fn an_opening_has_a_name_by_the_address_or_the_eco_code() {
    let tags = |eco: &'static str, date: &'static str| {
        [("Date", date), ("White", "adler_i"), ("Black", "brandt_o"), ("ECO", eco)]
    };
    let url = ("ECOUrl", "https://www.chess.com/openings/Ruy-Lopez-Opening-Morphy-Defense-3...a6-4.Ba4");
    let games = [
        game(&[&tags("C70", "2025.01.05")[..], &[url]].concat(), 8),
        game(&tags("B90", "2025.02.06"), 8),
        game(&tags("B20", "2025.03.07"), 8),
    ];
    let bench = Bench::new(&games.concat());
    let args = ["player", "adler", "games.pgn", "--evals", "pgn", "--by", "opening", "--output", "out"];
    bench.run(&[&args[..], &["--plots", "none"]].concat()).ended_with(0);
    let groups = bench.table("out/profile.csv", &["group", "games"]);
    assert_eq!(groups[1..], [["White: Sicilian Defense", "2"], ["White: Ruy Lopez Opening", "1"]]);
    report(&bench);
    let openings = bench.table("out/games.csv", &["opening"]);
    assert_eq!(openings, [["Ruy Lopez Opening: Morphy Defense"], [""], [""]]);
}
