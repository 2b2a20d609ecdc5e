//! Tests of the reports of a small tournament and of Ferreira's tournament, in every output format.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    path::{Path, PathBuf},
};

use gainalyze::base::output::{FileError, NoFacts, OutputFolder, Overwrite, RunClock, RunKind};
use gainalyze::chess::{
    Clip, EvaluatedGame, Evaluation, Game, GameResult, GameSource, PlayedMove, Repairs, Score, SignedScore,
    Tags,
};
use gainalyze::files::{EvaluationSource, Format, GamesRead, LeftOutGame, PictureFormat, SummaryFacts};
use gainalyze::measure::{
    Analysis, EloOrigin, Findings, GameResults, Method, MoveFacts, MoveSample, PlayerElo, PlayerRecord,
    PlayerResult, PlayerSelection, QualityOfPlay, RankedFrom, ScoreKept, Split, Tournament, standings,
};
use gainalyze::numbers::{BinWidth, Histogram};
use gainalyze::report::plots::gains::{Gains, Scale};
use gainalyze::report::plots::{Caption, game as game_plot, histogram, performance, scores};
use gainalyze::report::summary::Summary;
use gainalyze::report::table::{Screen, Table};
use gainalyze::report::{
    ReportError, pictures::ReportOptions, pictures::Source, plots::canvas::Drawing, publish::Extra,
    publish::ReportFormats, summary, tables, tournament as report,
};
use polars_io::{SerReader, parquet::read::ParquetReader};
use shakmaty::{CastlingMode, Chess, Color, Position, san::SanPlus};

/// Returns the game with that number, these tags, moves in SAN, and scores of its positions from White's
/// view. Mates are written as `#-3`.
fn game(
    ordinal: usize,
    tags: &[(&str, &str)],
    moves: &str,
    scores: &str,
    result: GameResult,
) -> EvaluatedGame {
    let mut position = Chess::default();
    let moves: Vec<PlayedMove> = moves
        .split_whitespace()
        .map(|san| {
            let san: SanPlus = san.parse().expect("san");
            let m = san.san.to_move(&position).expect("a legal move");
            let uci = m.to_uci(CastlingMode::Standard);
            position.play_unchecked(m);
            PlayedMove { san, uci, annotations: vec![], eval: None, clock: None, elapsed: None }
        })
        .collect();
    let evaluations: Vec<Evaluation> = scores.split_whitespace().zip(1..).map(evaluation).collect();
    let tags: Tags = tags.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let game = Game {
        source: GameSource { ordinal, ..GameSource::default() },
        tags,
        start: Chess::default(),
        mode: CastlingMode::Standard,
        moves,
        result,
        preamble: vec![],
        start_eval: None,
        book_plies: None,
        repairs: Repairs::default(),
    };
    EvaluatedGame::new(game, evaluations)
}

fn evaluation((score, number): (&str, u64)) -> Evaluation {
    let score = match score.strip_prefix('#') {
        Some(mate) => SignedScore::Mate(mate.parse().expect("moves to mate")),
        None => SignedScore::Cp(score.parse().expect("centipawns")),
    };
    Evaluation {
        depth: (number % 5 != 0).then_some(12),
        nodes: (number % 5 != 0).then_some(1000 * number),
        best: (number % 5 != 0).then(|| "e2e4".parse().expect("uci")),
        ..Evaluation::of_score(Score::from_white_view(score, Color::Black))
    }
}

/// Returns three games: a draw by agreement, a fool's mate, and a game of one move without Elo tags.
fn games() -> Vec<EvaluatedGame> {
    let rated = |white, black, round| {
        [("White", white), ("Black", black), ("Round", round), ("WhiteElo", "2872"), ("BlackElo", "2810")]
    };
    vec![
        game(1, &rated("Carlsen,  M", "Kramnik", "1"), "e4 e5 Nf3 Nc6", "20 35 30 30 25", GameResult::Draw),
        game(
            2,
            &rated("Carlsen, M", "Kramnik", "=1+1"),
            "f3 e5 g4 Qh4#",
            "20 -60 -60 #-1 #0",
            GameResult::BlackWins,
        ),
        game(3, &[("White", "Li \"Leo\""), ("Black", "?")], "d4", "18 18", GameResult::Unknown),
    ]
}

fn analysis(games: &[EvaluatedGame]) -> Analysis {
    Analysis::of(&MoveSample::of(games), &BTreeMap::new(), &Method::default(), &[Split::Color])
}

fn quality(games: &[EvaluatedGame]) -> QualityOfPlay {
    QualityOfPlay::of(
        (&MoveSample::of(games), games),
        Err(None),
        &BTreeMap::new(),
        &Method::default(),
        RankedFrom::default(),
    )
}

/// Returns an analysis of `tournament` alone, without the numbers that need single games.
fn of_counts(tournament: &Tournament) -> Analysis {
    let kept = ScoreKept { rows: vec![], engine_strength: None, homogeneity: None };
    let tournament = tournament.clone();
    Analysis { tournament, kept, statistics: vec![], homogeneity: vec![], splits: vec![] }
}

fn tournament(games: &[EvaluatedGame]) -> Tournament {
    analysis(games).tournament
}

fn text(format: Format, table: &Table) -> String {
    let mut bytes = Vec::new();
    table.write(format, &mut bytes).expect("a vector takes every byte");
    String::from_utf8(bytes).expect("utf-8")
}

fn facts() -> SummaryFacts {
    SummaryFacts {
        warning: None,
        evaluations: EvaluationSource::Recorded,
        games: GamesRead {
            unplayed: 0,
            read: 4,
            analysed: 3,
            left_out: vec![LeftOutGame {
                file: "games.pgn".to_owned(),
                game: 2,
                white: Some("Anand".to_owned()),
                black: None,
                ply: Some(5),
                written: Some("Qxh9".to_owned()),
                reason: "illegal move".to_owned(),
            }],
            left_out_by_reason: [("illegal move".to_owned(), 1)].into(),
            choice: None,
        },
        positions: 12,
        nodes: None,
    }
}

fn moves_of(games: &[EvaluatedGame], selection: &PlayerSelection) -> Table {
    tables::moves::moves(games, &MoveSample::of(games), &Method::default(), selection).next().expect("a part")
}

/// Writes the report of `games`, with the tables of `tournament`, into `folder`. Returns the paths of the
/// written files.
fn write(
    folder: &Path,
    tournament: &Tournament,
    games: &[EvaluatedGame],
    options: &ReportOptions,
) -> Result<Vec<PathBuf>, ReportError> {
    let players = tournament.players.iter().map(|player| player.name.as_str());
    let names = report::file_names(options, players);
    let folder = OutputFolder::claim(folder, RunKind::Report, Overwrite::Ours, names.iter().cloned())?;
    let out = folder.publication()?;
    let (analysis, quality, sample) = (of_counts(tournament), quality(games), MoveSample::of(games));
    let findings = &Findings { sample, analysis, quality, own: None, screening: None };
    report::write(&out, &Source { findings, games, facts: &facts(), options })?;
    let written = out.finish(&RunClock::start().record(RunKind::Report, NoFacts::default()))?.written;
    let is_foretold =
        |path: &PathBuf| names.iter().any(|name| path.ends_with(name)) || path.ends_with("run.json");
    assert!(written.iter().all(is_foretold), "{written:?} are not all of {names:?}");
    Ok(written)
}

/// Returns the table of the selected players, which uses no facts about them except the results of
/// `tournament`.
fn players_of(tournament: &Tournament, selection: &PlayerSelection) -> Table {
    let (analysis, quality) = (of_counts(tournament), quality(&[]));
    let mut standings = standings(&quality, &analysis, &MoveSample::default());
    standings.retain(|standing| selection.has(&standing.result.name));
    tables::players::players(&standings, &tournament.method)
}

#[test]
fn the_players_of_a_small_tournament_are_written_as_csv() {
    let frame = players_of(&tournament(&games()), &PlayerSelection::All);
    insta::assert_snapshot!(text(Format::Csv, &frame));
}

#[test]
fn the_moves_of_a_small_tournament_are_written_as_csv() {
    let frame = moves_of(&games(), &PlayerSelection::All);
    insta::assert_snapshot!(text(Format::Csv, &frame));
}

#[test]
fn the_games_of_a_small_tournament_are_written_as_csv() {
    let games = games();
    let mut method = Method::default();
    method.filter.skip_moves = 1;
    let frame = tables::games::games(&games, &MoveSample::of(&games), &method, &PlayerSelection::All);
    insta::assert_snapshot!(text(Format::Csv, &frame));
}

#[test]
fn the_histograms_of_a_small_tournament_are_written_as_json() {
    let frame = tables::players::histograms(&tournament(&games()), &PlayerSelection::All);
    insta::assert_snapshot!(text(Format::Json, &frame));
}

#[test]
fn the_tables_of_a_small_tournament_are_shown() {
    let (games, screen) = (games(), Screen::default());
    let (analysis, quality) = (analysis(&games), quality(&games));
    let standings = standings(&quality, &analysis, &MoveSample::of(&games));
    let summary = tables::ranking::summary(Some(&quality), &quality, standings, None, screen);
    insta::assert_snapshot!(tables::all(summary, &analysis, &quality, screen));
}

#[test]
fn the_summary_of_a_small_tournament_is_written() {
    let (analysis, quality, facts) = (of_counts(&tournament(&games())), quality(&games()), facts());
    let summary = Summary { analysis: &analysis, quality: &quality, facts: &facts };
    let json = summary::to_json(&summary).expect("plain data");
    insta::assert_snapshot!(json.replace(env!("CARGO_PKG_VERSION"), "0.0.0"));
}

#[test]
fn a_game_that_starts_with_black_to_move_keeps_its_move_numbers() {
    let fen: shakmaty::fen::Fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 40".parse().expect("fen");
    let start: Chess = fen.into_position(CastlingMode::Standard).expect("a legal position");
    let shown = game(1, &[("White", "A"), ("Black", "B")], "", "0", GameResult::Unknown);
    let moves = [("Kd7", "e8d7"), ("e4", "e2e4")].map(|(san, uci)| PlayedMove {
        san: san.parse().expect("san"),
        uci: uci.parse().expect("uci"),
        annotations: vec![],
        eval: None,
        clock: None,
        elapsed: None,
    });
    let game = Game { start, moves: moves.into(), ..shown.game().clone() };
    let evaluated = EvaluatedGame::new(game, vec![Evaluation::of_score(Score::DRAW); 3]);
    let frame = moves_of(&[evaluated], &PlayerSelection::All);
    let csv = text(Format::Csv, &frame);
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert!(rows[0].starts_with("1,,A,B,*,1,40,black,B,Kd7,e8d7,"), "{csv}");
    assert!(rows[1].starts_with("1,,A,B,*,2,41,white,A,e4,e2e4,"), "{csv}");
}

#[test]
fn a_frame_narrowed_to_one_player_has_only_that_players_rows() {
    let only = PlayerSelection::Only(["Kramnik".to_owned()].into());
    let games = games();
    let tournament = tournament(&games);
    assert_eq!(players_of(&tournament, &only).frame().expect("a frame").height(), 1);
    assert_eq!(moves_of(&games, &only).frame().expect("a frame").height(), 4);
    let csv = text(Format::Csv, &tables::players::histograms(&tournament, &only));
    assert!(csv.lines().skip(1).all(|line| line.starts_with("Kramnik,")), "{csv}");
}

#[test]
fn parquet_read_back_is_the_frame() {
    let temp = tempfile::tempdir().expect("a temporary directory");
    let frame = moves_of(&games(), &PlayerSelection::All);
    let path = temp.path().join("moves.parquet");
    frame.write(Format::Parquet, &mut File::create(&path).expect("a file")).expect("a writable file");
    let read = ParquetReader::new(File::open(&path).expect("the file")).finish().expect("parquet");
    assert!(read.equals_missing(&frame.frame().expect("a frame")));
}

fn results(half_points: u32) -> GameResults {
    GameResults { games: 14, unplayed: 0, known: 14, half_points }
}

/// Returns a player with `moves` gains. Against an engine whose gains are all 0, the player scores
/// `half_points` of `2·moves` half-points.
fn record(name: &str, elo: Option<PlayerElo>, moves: u64, half_points: u64) -> PlayerRecord {
    let positive = half_points / 2;
    let zero = half_points % 2;
    let negative = moves - positive - zero;
    let values = [(9, positive), (0, zero), (-9, negative)];
    let values = values.into_iter().flat_map(|(value, count)| (0..count).map(move |_| value));
    let histogram = Histogram::of(BinWidth::default(), values);
    PlayerRecord { name: name.to_owned(), elo, results: results(17), histogram }
}

fn tagged(value: f64) -> Option<PlayerElo> {
    Some(PlayerElo { value, origin: EloOrigin::Tag })
}

/// Returns the fields of a file in data/papers, without its header.
fn golden(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/papers").join(name);
    let rows = fs::read_to_string(path).expect("a golden file");
    rows.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// Returns the Candidates Tournament of 2013 from the counts behind Ferreira's Table 5. The paper does not
/// print how many gains are zero. So here all half-points come from nonzero gains, except an odd half-point.
fn candidates() -> Tournament {
    let printed = golden("ferreira_table5_candidates2013.csv");
    let counts = golden("ferreira_table5_exact_counts.csv");
    let records = printed.iter().zip(&counts).map(|(printed, counts)| {
        assert_eq!(printed[0], counts[0]);
        let points: f64 = printed[2].parse().expect("points");
        let elo = tagged(printed[1].parse().expect("an Elo"));
        let number = |text: &String| text.parse().expect("a count");
        let record = record(&printed[0], elo, number(&counts[1]), number(&counts[2]));
        PlayerRecord { results: results((2.0 * points) as u32), ..record }
    });
    Tournament::from_records(records, &Method::default())
}

/// Returns whether a line of `table` ends with these `cells`.
fn has_row(table: &str, cells: &[&str]) -> bool {
    let joined = cells.join(" ");
    table.lines().any(|line| line.split_whitespace().collect::<Vec<_>>().join(" ").ends_with(&joined))
}

#[test]
fn ferreiras_tables_5_6_and_7_are_printed_to_the_last_digit() {
    let tournament = candidates();
    let engine = tournament.engine_strength.expect("rated players");
    let five = tables::ferreira::expected_scores(&tournament, Screen::default());
    let six = tables::ferreira::engine_strength(&tournament, engine, Screen::default());
    let seven = tables::ferreira::performances(&tournament, engine, Screen::default());
    for (row, rank) in golden("ferreira_table5_candidates2013.csv").iter().zip(1..) {
        let points = format!("{}/14", row[2]);
        assert!(
            five.contains(&format!("{rank}  {} ", row[0])) && has_row(&five, &[&row[3], &row[4]]),
            "{five}"
        );
        assert!(five.lines().any(|line| line.contains(&row[0]) && line.contains(&points)), "{row:?}\n{five}");
    }
    for row in golden("ferreira_table6_engine_strength.csv") {
        let (name, margin) = if row[0] == "Average" { ("Mean", " ± 35.4") } else { (row[0].as_str(), "") };
        let strength = format!("{}{margin}", row[3]);
        assert!(has_row(&six, &[name, &row[1], &row[2], &strength]), "{row:?}\n{six}");
    }
    for row in golden("ferreira_table7_performance.csv") {
        assert!(has_row(&seven, &[&row[0], &row[1], &row[2], &row[3]]), "{row:?}\n{seven}");
    }
    assert!((engine.value - 2893.889975).abs() < 1e-6);
}

#[test]
fn the_candidates_tournament_is_shown() {
    insta::assert_snapshot!(tables::paper(&candidates(), Screen::default()));
}

#[test]
fn a_narrow_terminal_gets_tables_that_fit() {
    let tournament = candidates();
    for columns in [40, 60, 80, 100] {
        let shown = tables::paper(&tournament, Screen::of_columns(columns));
        let widest = shown.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(usize::from(columns)), "{columns} columns\n{shown}");
        assert!(shown.contains("0.370287"), "{shown}");
    }
}

/// Returns players for whom a report needs every kind of note.
fn odd_players() -> Tournament {
    let mean = PlayerElo { value: 2795.5, origin: EloOrigin::MeanOfTags { low: 2790, high: 2801 } };
    let given = PlayerElo { value: 2700.0, origin: EloOrigin::Given };
    let records = [
        record("All gains", tagged(2500.0), 20, 40),
        record("All losses", Some(given), 20, 0),
        record("Rising", Some(mean), 200, 150),
        record("Unrated", None, 50, 20),
        record("Absent", tagged(2600.0), 0, 0),
    ];
    Tournament::from_records(records, &Method::default())
}

#[test]
fn odd_players_are_explained_below_the_tables() {
    insta::assert_snapshot!(tables::paper(&odd_players(), Screen::of_columns(80)));
}

#[test]
fn without_any_elo_a_line_says_what_is_missing() {
    let tournament = Tournament::from_records([record("Li", None, 9, 6)], &Method::default());
    insta::assert_snapshot!(tables::paper(&tournament, Screen::of_columns(80)));
}

#[test]
fn a_single_rated_player_has_a_mean_without_an_interval() {
    let tournament = Tournament::from_records([record("Li", tagged(2500.0), 9, 6)], &Method::default());
    let shown = tables::paper(&tournament, Screen::default());
    assert!(shown.contains("no interval") && !shown.contains('±'), "{shown}");
}

const HOSTILE: [&str; 8] = [
    "../../etc/passwd",
    "=cmd()",
    "\u{1b}[31mred",
    "\u{202e}drawkcab\u{2066}",
    "a,\"b\"\r\nc",
    "李雷 محمد ไทย 🦀",
    "",
    "NUL",
];

#[test]
fn hostile_names_reach_neither_terminal_nor_spreadsheet_nor_disk() {
    let long = "x".repeat(10_000);
    let zalgo = "z\u{301}".repeat(3000);
    let names = HOSTILE.into_iter().chain([long.as_str(), zalgo.as_str()]);
    let tournament =
        Tournament::from_records(names.map(|name| record(name, tagged(2500.0), 40, 30)), &Method::default());
    let shown = tables::paper(&tournament, Screen::of_columns(80));
    let bad = |c: char| {
        (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!shown.contains(bad), "{shown:?}");
    assert!(shown.lines().all(|line| line.chars().count() < 200));
    let csv = text(Format::Csv, &players_of(&tournament, &PlayerSelection::All));
    assert!(csv.contains("\n,'=cmd(),") && csv.contains("\"a,\"\"b\"\"\r\nc\""), "{csv}");

    let temp = tempfile::tempdir().expect("a temporary directory");
    let folder = temp.path().join("out");
    let written = write(&folder, &tournament, &[], &everything()).expect("a report");
    assert!(written.iter().all(|path| path.parent() == Some(&folder) && path.is_file()));
    assert_eq!(written.iter().collect::<BTreeSet<_>>().len(), written.len());
    assert_eq!(fs::read_dir(temp.path()).expect("a directory").count(), 1);
}

fn everything() -> ReportOptions {
    let tables = BTreeSet::from(Format::ALL);
    let formats = ReportFormats { tables, extras: BTreeSet::from([Extra::All]), ..ReportFormats::default() };
    ReportOptions { formats, ..ReportOptions::default() }
}

#[test]
fn two_reports_of_the_same_games_are_the_same_bytes() {
    let games = games();
    let tournament = tournament(&games);
    let temp = tempfile::tempdir().expect("a temporary directory");
    let written = |name: &str| {
        let written = write(&temp.path().join(name), &tournament, &games, &everything());
        let mut written = written.expect("a report");
        assert!(written.pop().is_some_and(|record| record.ends_with("run.json")));
        written
    };
    let (first, second) = (written("first"), written("second"));
    assert_eq!(first.len(), 9 * 3 + 1 + 5 + 3);
    for (a, b) in first.iter().zip(&second) {
        assert_eq!(a.file_name(), b.file_name());
        assert_eq!(fs::read(a).expect("a file"), fs::read(b).expect("a file"), "{}", a.display());
    }
}

#[test]
fn pictures_of_players_who_are_gone_are_removed() {
    let temp = tempfile::tempdir().expect("a temporary directory");
    for name in ["histogram-anand.png", "notes.txt"] {
        fs::write(temp.path().join(name), "x").expect("a writable file");
    }
    let games = games();
    let written = |games: &[EvaluatedGame]| {
        write(temp.path(), &tournament(games), games, &everything()).expect("a report")
    };
    let left = |name: &str| temp.path().join(name).exists();
    written(&games);
    assert!(left("histogram-kramnik.png"));
    written(&games[2..]);
    assert!(!left("histogram-kramnik.png") && left("histogram-li-leo.png"));
    assert!(left("histogram-anand.png") && left("notes.txt"), "nobody knows whose they are");
}

#[test]
fn a_file_that_cannot_take_its_name_is_named_and_leaves_nothing_behind() {
    let temp = tempfile::tempdir().expect("a temporary directory");
    fs::create_dir(temp.path().join("players.csv")).expect("a directory");
    let error = write(temp.path(), &candidates(), &[], &ReportOptions::default());
    let error = error.expect_err("a directory is in the way");
    assert!(matches!(&error, ReportError::File(FileError::NotAFile(path)) if path.ends_with("players.csv")));
    assert_eq!(fs::read_dir(temp.path()).expect("a directory").count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_every_format() {
    let frame = players_of(&candidates(), &PlayerSelection::All);
    for format in Format::ALL {
        let mut full = File::options().write(true).open("/dev/full").expect("a device of linux");
        assert!(frame.write(format, &mut full).is_err(), "{format}");
    }
}

/// Returns the width and height in a PNG's header.
fn size(png: &[u8]) -> (u32, u32) {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    (number(16), number(20))
}

/// Returns the moves of the game with that index.
fn moves_at(games: &[EvaluatedGame], place: u32) -> Vec<MoveFacts> {
    MoveSample::of(games).moves.into_iter().filter(|facts| facts.game == place).collect()
}

/// Returns a picture of each kind: of the field, of its first player, and of the game with those moves.
fn pictures(tournament: &Tournament, gains: &[Gains], moves: &[MoveFacts], heading: &str) -> Vec<Drawing> {
    let caption = Caption { engine: "Stockfish 15.1, depth 20".to_owned(), ..Caption::default() };
    let (players, scale) = (tournament.players.iter().collect::<Vec<&PlayerResult>>(), Scale::of(gains));
    let heading = game_plot::Heading { title: heading.to_owned(), caption: heading.to_owned() };
    let mut pictures = vec![
        histogram::draw_field(gains, scale, &caption),
        scores::draw(&players, &caption),
        game_plot::draw(moves, &[], &heading, Clip::default()),
    ];
    pictures.extend(performance::draw(&players, &caption));
    pictures.extend(
        gains.first().map(|gains| histogram::draw_field(std::slice::from_ref(gains), scale, &caption)),
    );
    pictures
}

#[test]
fn any_number_of_players_and_moves_makes_pictures_of_sane_size() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(150);
    let scores: String = (0..601).map(|ply: i32| format!("{} ", ply * ply % 1999 - 999)).collect();
    let long = [game(1, &[], &shuffle, &scores, GameResult::Draw)];
    for (players, moves) in [(0, 0), (1, 0), (1, 1), (3, 1), (300, 40)] {
        let names: Vec<String> = (0..players).map(|number| format!("Player {number}")).collect();
        let gains: Vec<Gains> =
            names.iter().map(|name| Gains::of(name, (0..moves).map(|n| (n * n - 99, 1)))).collect();
        let record = |name: &String| record(name, tagged(2500.0), moves as u64, moves as u64);
        let tournament = Tournament::from_records(names.iter().map(record), &Method::default());
        let played = &moves_at(&long, 0)[..2 * players];
        for picture in pictures(&tournament, &gains, played, "A – B") {
            let (width, height) = size(&picture.png(1).expect("a picture"));
            assert!((200..=2800).contains(&width) && (200..=2800).contains(&height), "{width} × {height}");
            let svg = picture.svg();
            assert!(svg.contains(&format!(" width=\"{width}\" height=\"{height}\" ")), "{}", &svg[..300]);
        }
    }
}

#[test]
fn nobody_with_a_rating_is_no_picture_of_performances() {
    let rated = |elo| Tournament::from_records([record("Li", elo, 9, 6)], &Method::default());
    let draw = |tournament: &Tournament| performance::draw(&[&tournament.players[0]], &Caption::default());
    assert!(draw(&rated(None)).is_none() && draw(&rated(tagged(2500.0))).is_some());
    let odd = Tournament::from_records(
        [record("Li", None, 9, 6), record("All gains", tagged(2600.0), 9, 18)],
        &Method::default(),
    );
    let players: Vec<&PlayerResult> = odd.players.iter().collect();
    let svg = performance::draw(&players, &Caption::default()).expect("a picture").svg();
    assert!(
        svg.contains("A number after &gt; or &lt; is a bound. Left out: 1 player without Elo or moves."),
        "{svg}"
    );
}

#[test]
fn an_svg_is_well_formed_whatever_the_names_are() {
    let long = "x".repeat(10_000);
    let more = [
        "<script>alert(1)</script>",
        "\"/><!-- & ]]> -->",
        "\u{fffe}\u{ffff}\u{b}",
        "\u{200f}אבג\u{202e}",
        &long,
    ];
    for hostile in HOSTILE.into_iter().chain(more) {
        let records = ["other", hostile].map(|name| record(name, tagged(2500.0), 40, 30));
        let tournament = Tournament::from_records(records, &Method::default());
        let gains = [Gains::of(hostile, [-9, 0, 9].map(|gain| (gain, 1)))];
        for picture in pictures(&tournament, &gains, &moves_at(&games(), 1), hostile) {
            for svg in [picture.svg(), picture.inline_svg()] {
                let document =
                    roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
                let mut elements = document.descendants().filter(roxmltree::Node::is_element);
                let known = ["svg", "title", "rect", "line", "polyline", "polygon", "circle", "text"];
                assert!(elements.all(|element| known.contains(&element.tag_name().name())), "{svg}");
                assert!(!svg.contains("xxxxxxxxxx".repeat(17).as_str()), "{hostile}");
                assert!(!svg.contains(['\u{202e}', '\u{2066}', '\u{200f}', '\u{1b}']), "{hostile}");
            }
        }
    }
}

/// Returns the analysis of the small tournament, and the gains of its players in the same order.
fn small() -> (Analysis, Vec<Gains>) {
    let games = games();
    let analysis = analysis(&games);
    let names: Vec<&str> = analysis.tournament.players.iter().map(|player| player.name.as_str()).collect();
    let gains = Gains::of_players(&names, &MoveSample::of(&games), &Method::default());
    (analysis, gains)
}

#[test]
fn the_expected_scores_of_a_small_tournament_are_drawn() {
    let (analysis, _) = small();
    let players: Vec<&PlayerResult> = analysis.tournament.players.iter().collect();
    insta::assert_snapshot!(scores::draw(&players, &Caption::default()).svg());
}

#[test]
fn the_performances_of_a_small_tournament_are_drawn() {
    let (analysis, _) = small();
    let players: Vec<&PlayerResult> = analysis.tournament.players.iter().collect();
    let drawing = performance::draw(&players, &Caption::default()).expect("rated players");
    insta::assert_snapshot!(drawing.svg());
}

#[test]
fn the_histogram_of_a_small_tournaments_winner_is_drawn() {
    let (_, gains) = small();
    let caption = Caption { engine: "Fish".to_owned(), filters: 1 };
    insta::assert_snapshot!(histogram::draw_field(&gains[..1], Scale::of(&gains), &caption).svg());
}

#[test]
fn a_small_game_is_drawn() {
    let tags = [("White", "Carlsen, M"), ("Black", "<Kramnik>"), ("Round", "3.1")];
    let scores = "20 -60 -60 #-1 -1000";
    let games = [game(2, &tags, "f3 e5 g4 Qh4#", scores, GameResult::BlackWins)];
    let caption = Caption { engine: "Fish".to_owned(), filters: 1 };
    let heading = game_plot::Heading::of(games[0].game(), &game_plot::result(games[0].game()), &caption);
    insta::assert_snapshot!(
        game_plot::draw(&moves_at(&games, 0), &[], &heading, Clip::default()).inline_svg()
    );
}

#[test]
fn each_picture_is_written_in_each_format_and_replaced_by_those_of_the_next_report() {
    let temp = tempfile::tempdir().expect("a temporary directory");
    let games = games();
    let tournament = tournament(&games);
    let written = |plots: &[PictureFormat], numbers: &[usize]| {
        let pictures = plots.iter().copied().collect();
        let formats = ReportFormats { pictures, ..everything().formats };
        let options =
            ReportOptions { formats, games: numbers.iter().copied().collect(), ..ReportOptions::default() };
        write(temp.path(), &tournament, &games, &options).expect("a report");
        let files = fs::read_dir(temp.path()).expect("a directory").flatten();
        let names = files.filter_map(|file| file.file_name().into_string().ok());
        names.filter(|name| name.ends_with("png") || name.ends_with("svg")).collect::<BTreeSet<_>>()
    };
    let both = written(&PictureFormat::ALL, &[2, 3]);
    assert_eq!(both.len(), 2 * (5 + 3 + 2), "{both:?}");
    for name in
        ["elo-performance.svg", "expected-score.svg", "game-2.png", "game-3.svg", "histogram-kramnik.svg"]
    {
        assert!(both.contains(name), "{both:?}");
    }
    let svg = written(&[PictureFormat::Svg], &[3]);
    assert!(
        svg.len() == 9 && svg.iter().all(|name| name.ends_with(".svg") && name != "game-2.svg"),
        "{svg:?}"
    );
    fs::write(temp.path().join("game-plan.svg"), "x").expect("a writable file");
    assert_eq!(written(&[], &[]), BTreeSet::from(["game-plan.svg".to_owned()]));
}
