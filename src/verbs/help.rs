//! The help: groups of commands, the short help of each command, its examples, and the measures.

use std::{env, sync::LazyLock};

use clap::{Arg, Command};

use crate::engine::builtin::bench::{BENCH_DEPTH, BENCH_NODES};

pub const EXIT_CODES: &str = "Exit codes: 0 success, 1 other failure, 2 bad input or usage, \
    3 the engine failed on some games or on all, 130 interrupted.";

/// The first commands for a new user.
pub const EXAMPLES: &str = "\
Examples:
  gainalyze rate games.pgn                         who played best, and how sure that is
  gainalyze games.pgn --depth 20 --games-of Anand  all of one player's games, searched deeply
  gainalyze report reports/games --format parquet  the same tables as Parquet, for pandas

";

pub const GROUPS: [(&str, &[&str]); 6] = [
    ("Measure", &["rate", "analyze", "watch", "archive", "merge", "expect"]),
    ("One player", &["player"]),
    ("Play", &["spar", "engine"]),
    ("Experiments", &["selfplay", "deep", "go-deep", "learn", "calibrate", "sensitivity", "reproduce"]),
    ("Many machines", &["work", "status"]),
    ("Files", &["report", "page", "store", "schema", "completions", "man"]),
];

/// Number of groups, counted from the first, whose commands the short help explains. The commands of the
/// other groups are only named.
const EXPLAINED: usize = 3;

/// The short help of a command: its name, the important options separated by spaces (empty for all of them), and
/// examples.
pub type Brief = (&'static str, &'static str, &'static str);

pub const BRIEFS: [Brief; 22] = [
    (
        "analyze",
        "engines depth games_of since event jobs output format annotate quiet",
        "  gainalyze games.pgn --depth 16          search every position to depth 16
  gainalyze games.pgn --tables paper      also print the paper's tables
",
    ),
    (
        "rate",
        "engine jobs games_of since event elo tables output format quiet",
        "  gainalyze rate games.pgn                who played best, and how sure that is
  gainalyze rate games.pgn --since 2024   only games since 2024
",
    ),
    (
        "player",
        "by engines depth since time_control color phase reference output format",
        "  gainalyze player Carlsen games.pgn              one player's games in a file
  gainalyze player Carlsen games/ --by opening    by opening, from a folder of files
",
    ),
    (
        "watch",
        "interval until_done engines depth jobs games_of event output tables quiet",
        "  gainalyze watch broadcast.pgn --depth 16    update the page after each move
  gainalyze watch round-5/ --until-done       stop when the round is over
",
    ),
    (
        "archive",
        "by player since time_control min_elo quantiles partial output format jobs",
        "  gainalyze archive lichess_db_standard_rated_2024-01.pgn.zst --by elo-band
  gainalyze archive games/ --by player --format parquet
",
    ),
    (
        "merge",
        "",
        "  gainalyze merge january.parquet february.parquet
  gainalyze merge parts/*.parquet --partial year.parquet
",
    ),
    (
        "sensitivity",
        "against engines depth evals games_of store output format quiet export",
        "  gainalyze sensitivity games.pgn --depth 20
  gainalyze sensitivity games.pgn --against reports/other-run
",
    ),
    (
        "report",
        "depth engine_name tables player game split output format plots force",
        "  gainalyze report reports/games --format parquet
  gainalyze report evaluations.sqlite games.pgn --depth 20
",
    ),
    (
        "selfplay",
        "depths games entrants sprt engine openings random_plies seed jobs output",
        "  gainalyze selfplay --depths 1-6 --games 100 --random-plies 8
  gainalyze selfplay --entrant new=./new@8 --entrant old=./old@8 --openings book.epd --sprt
",
    ),
    (
        "learn",
        "band tolerance every objective test_only weights max_games jobs output format",
        "  gainalyze learn lichess_db_standard_rated_2017-04.pgn.zst
                                        four bands of 50 points, as in the paper
  gainalyze learn data/learning/lichess-2021.pgn.zst --tolerance 100 --every 1
                                        few games: broad bands, and every position
  gainalyze learn --test-only other.pgn --band 1200 --weights weights-1200-logit.txt
                                        a test of weights on other games
",
    ),
    (
        "engine",
        "",
        "  gainalyze engine                     UCI engine; a chess program starts it by this command
  gainalyze engine bench               nodes, time and nodes per second on this machine
  printf 'position startpos moves e2e4\\neval\\n' | gainalyze engine
                                       the evaluation of a position, term by term
  gainalyze engine --weights handmade  an evaluation that is linear in 332 features
",
    ),
    (
        "spar",
        "play side name pgn time start level skill engine memory",
        "  gainalyze spar --play                 play in the terminal; type help for the commands
  gainalyze spar                        UCI engine; a chess program starts it by this command
  gainalyze spar --evaluate --skill printed,meant,even --games 30
                                        measure how even games with twelve opponents are
",
    ),
    (
        "work",
        "engine jobs hash engine_options until_empty lease quiet",
        "  gainalyze work postgres://anna@db/games
  gainalyze work postgres://anna@db/games --until-empty --jobs 8
",
    ),
    (
        "status",
        "watch json page retry cancel quiet",
        "  gainalyze status postgres://anna@db/games
  gainalyze status postgres://anna@db/games --watch --page queue.html
",
    ),
    (
        "store",
        "",
        "  gainalyze store stats evaluations.sqlite
  gainalyze store merge all.sqlite part-1.sqlite part-2.sqlite
",
    ),
    (
        "schema",
        "",
        "  gainalyze schema players
  gainalyze schema moves games --json
",
    ),
    (
        "completions",
        "",
        "  gainalyze completions bash > ~/.local/share/bash-completion/completions/gainalyze
  gainalyze completions zsh > ~/.zfunc/_gainalyze
",
    ),
    (
        "man",
        "",
        "  gainalyze man | man -l -
  gainalyze man --output ~/.local/share/man/man1
",
    ),
    (
        "deep",
        "depth distance plies time moves ply focus engine output store",
        "  gainalyze deep \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\" --time 30m
  gainalyze deep game.pgn --ply 40 --depth 20 --focus \"Rc8 Rd1\" --confirm-depth 26
",
    ),
    (
        "go-deep",
        "depth skip_moves every engine jobs output format plots quiet",
        "  gainalyze go-deep games.pgn --depth 14
  gainalyze go-deep games.pgn --depth 18 --skip-moves 8 --every 10
",
    ),
    (
        "expect",
        "",
        "  gainalyze expect --elo 2000
  gainalyze expect --elo 2500 --moves 160 --year 2013
",
    ),
    (
        "calibrate",
        "engines depth scale statistics sums keep_sums plots output store jobs",
        "  gainalyze calibrate data/calibration/*.pgn.zst --engine stockfish --depth 10
  gainalyze calibrate --sums sums.csv.zst --direction regression
",
    ),
];

/// Adds the groups of commands to the program's help, and examples to each command's help. Hides the less
/// important options from the short help.
pub fn completed(program: Command) -> Command {
    let (short, long) = (groups(&program, EXPLAINED), groups(&program, GROUPS.len()));
    let program = program.before_help(short).before_long_help(long).help_template(
        "{about-with-newline}\n{usage-heading} gainalyze [OPTIONS] [PGN]...\n       gainalyze <COMMAND>\n\n\
         {before-help}Options:\n{options}{after-help}",
    );
    let program = program.mut_subcommands(|verb| match brief(verb.get_name()) {
        Some((_, options, examples)) => {
            let examples = format!("Examples:\n{examples}");
            verb.mut_args(|option| shown_in_brief(option, options)).after_help(examples)
        }
        None => verb,
    });
    let (_, options, _) = brief("analyze").expect("the default command has a short help");
    // The usage line shows where the files go.
    program.mut_args(|option| match option.is_positional() {
        true => option.hide_short_help(true),
        false => shown_in_brief(option, options),
    })
}

fn brief(verb: &str) -> Option<&'static Brief> {
    BRIEFS.iter().find(|(name, ..)| *name == verb)
}

/// Hides `option` from the short help, unless it is positional, `options` lists it, or `options` is empty.
fn shown_in_brief(option: Arg, options: &str) -> Arg {
    let is_named = options.split_whitespace().any(|name| name == option.get_id());
    let is_shown = options.is_empty() || option.is_positional() || is_named;
    // A negative number is checked as the option's value, like any other number.
    let takes_value = option.get_action().takes_values();
    option.hide_short_help(!is_shown).allow_negative_numbers(takes_value)
}

/// Returns the list of commands by group. The first `explained` groups show each command with its one-line
/// help; the other groups show only names.
fn groups(program: &Command, explained: usize) -> String {
    let about = |name: &str| {
        let about = program.find_subcommand(name)?.get_about()?;
        Some(format!("  {name:<11}  {about}\n"))
    };
    let group = |(place, (title, names)): (usize, &(&str, &[&str]))| match place < explained {
        true => format!("{title}:\n{}", names.iter().filter_map(|name| about(name)).collect::<String>()),
        false => format!("{title}: {}\n", names.join(", ")),
    };
    GROUPS.iter().enumerate().map(group).collect()
}

/// Formula and source of each measure, for the long help.
pub const MEASURES: &str = "\
Measures:
  gain            evaluation after a move minus before it, mover's view, both within ±clip
  paper score     P(X > Y) + ½·P(X = Y), X a gain of the player, Y a gain of the engine
                  (expected score, Ferreira 2013, Eqs. 7 and 8)
  Elo difference  200√2·Φ⁻¹(p) (Ferreira 2013, Eq. 2)
  score kept      mean over games of ½·Π min(1, W after / W before),
                  W = 1/(1 + e^(−0.00368208·cp)), the chance of winning on lichess
  centipawn loss  mean of max(0, −gain) by lichess's rules: scores within ±1000, +15 before
                  the first move, mating moves left out
  loss of win %   mean of max(0, −gain of W), in percentage points
  loss by WDL     mean loss of the expected result, (win + draw/2)/1000 from the chances
                  that the engine reports, in percentage points
  top moves       share of moves that the engine also prefers
  accuracy        by lichess's rules: win% = 100·W with cp within ±1000, +15 at the start;
                  move = 103.1668·e^(−0.04354·fall of win%) − 3.1669 + 1 within 0 to 100,
                  100 where win% did not fall; game = mean of the weighted and the harmonic
                  mean, a move's weight being the standard deviation, within 0.5 to 12, of
                  win% over clamp(n/10, 2, 8) plies; player = mean over games

";

/// The text of the version, with features, system and processor. The node count of the bench identifies the
/// behavior of the built-in engine.
pub static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let version = env!("CARGO_PKG_VERSION");
    let features = if cfg!(feature = "postgres") { "program, postgres" } else { "program" };
    let (system, processor) = (env::consts::OS, env::consts::ARCH);
    format!(
        "{version}\nbuilt-in engine: gainalyze {version}, bench {BENCH_NODES} at depth {BENCH_DEPTH}\n\
         features: {features}\nsystem: {system}, {processor}"
    )
});
