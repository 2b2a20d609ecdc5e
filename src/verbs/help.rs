//! Owns the help: what of it fits on a screen, its examples, its measures, and what follows an error.

use std::{env, sync::LazyLock};

use clap::{Arg, Command};

use crate::engine::bench::{BENCH_DEPTH, BENCH_NODES};
use crate::verbs::error::{ErrorKind, VerbError};

pub const EXIT_CODES: &str = "Exit codes: 0 all went well, 1 something else failed, 2 bad input or usage, \
    3 an engine failed on some games or on all, 130 interrupted.";

/// What most people begin with.
pub const EXAMPLES: &str = "\
Examples:
  gainalyze rate games.pgn                         who played best, in half a minute
  gainalyze games.pgn --depth 20 --games-of Anand  all of one player's games, searched deeply
  gainalyze report reports/games --format parquet  the tables again, for pandas

";

/// Options of other groups, or of none, that the short help does not show.
const OF_LATER: [&str; 9] = [
    "separately",
    "quiet",
    "export",
    "opponent_options",
    "opponent_depths",
    "hash",
    "restart",
    "engine_timeout",
    "recorded",
];

/// The option of such a group that nobody should have to look for.
const OF_ALL: &str = "depth";

/// Groups of options that several verbs share, or few people need, which are in the long help alone.
const OF_LONG_HELP: [&str; 15] = [
    "Reading games",
    "Choosing games",
    "Evaluations",
    "Evaluations of a store",
    "Engine",
    "Store",
    "Method",
    "Filters",
    "Rating of play",
    "Report",
    "Learning",
    "Many machines",
    "Openings",
    "Ends of games",
    "Tables",
];

/// Hides of a command line what would not fit on a screen from its short help.
pub fn shortened(program: Command) -> Command {
    let shorter = |option: Arg| {
        let is_shared = option.get_help_heading().is_some_and(|group| OF_LONG_HELP.contains(&group));
        let id = option.get_id().as_str();
        let is_hidden = OF_LATER.contains(&id) || (is_shared && id != OF_ALL);
        option.hide_short_help(is_hidden)
    };
    // The usage, of which there is one line for verbs already, says where files stand.
    let without_files = |option: Arg| match option.is_positional() {
        true => option.hide_short_help(true),
        false => shorter(option),
    };
    program.mut_args(without_files).mut_subcommands(|verb| verb.mut_args(shorter))
}

/// How like a verb a word is at least, of 1, that may stand for it.
const NEARLY: f64 = 0.85;

/// Returns what follows an error beside its hint: examples, or the verb that was meant by a word that is none.
pub fn afterword(error: &VerbError, program: &Command) -> String {
    match error.kind() {
        ErrorKind::NoInput => format!("\n\n{}", EXAMPLES.trim_end()),
        // The first word may be a file or a verb.
        ErrorKind::NotFound(word) => nearest_verb(word, program)
            .map_or(String::new(), |verb| format!(", and no verb either: did you mean gainalyze {verb}?")),
        _ => String::new(),
    }
}

fn nearest_verb(word: &str, program: &Command) -> Option<String> {
    let likeness = |verb: &str| strsim::jaro_winkler(verb, word);
    let verbs = program.get_subcommands().map(|verb| verb.get_name().to_owned()).collect::<Vec<_>>();
    let nearest = verbs.into_iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(&nearest) >= NEARLY).then_some(nearest)
}

/// Formula and source of each measure, for the long help.
pub const MEASURES: &str = "\
Measures:
  gain            evaluation after a move minus before it, mover's view, both within ±clip
  expected score  P(X > Y) + ½·P(X = Y), X a gain of the player's, Y one of the engine's
                  (Ferreira 2013, Eqs. 7 and 8)
  Elo difference  200√2·Φ⁻¹(p) (Ferreira 2013, Eq. 2)
  score kept      mean over games of ½·Π min(1, W after / W before),
                  W = 1/(1 + e^(−0.00368208·cp)), the chance of winning as lichess has it
  centipawn loss  mean of max(0, −gain) as lichess has it: ±1000, from +15 before the first
                  move, without a move that mates
  loss of win %   mean of max(0, −gain of W), in percentage points
  loss by WDL     the same with the engine's own expected result, (win + draw/2)/1000
  first choice    share of moves that are the engine's best move
  accuracy        as lichess has it: win% = 100·W with cp within ±1000, +15 at the start;
                  move = 103.1668·e^(−0.04354·fall of win%) − 3.1669 + 1 within 0 to 100,
                  100 where win% did not fall; game = mean of the weighted and the harmonic
                  mean, a move's weight being the standard deviation, within 0.5 to 12, of
                  win% over clamp(n/10, 2, 8) plies; player = mean over games

";

/// The version with what it is made of: the engine within is known by the nodes of its bench.
pub static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let version = env!("CARGO_PKG_VERSION");
    let features = if cfg!(feature = "postgres") { "program, postgres" } else { "program" };
    let (system, processor) = (env::consts::OS, env::consts::ARCH);
    format!(
        "{version}\nengine within: gainalyze {version}, bench {BENCH_NODES} at depth {BENCH_DEPTH}\n\
         features: {features}\nsystem: {system}, {processor}"
    )
});
