//! Owns Ferreira's Tables 5, 6 and 7, with the intervals that the paper lacks.

use crate::{
    report::{
        table::{
            Screen,
            layout::{Field, Layout},
        },
        words::{
            self,
            method::counted,
            numbers::{MISSING, NAME, bounded, listed, mark, with_margin},
        },
    },
    stats::{bootstrap::Bootstrap, estimate::Estimate},
    text::{cut, printable, rounded, width},
    tournament::{Average, BoundSide, EngineHistogram, Measured, PlayerResult, Tournament},
};

/// Table 5: how each player's gains fare against the engine's.
pub fn expected_scores(tournament: &Tournament, screen: Screen) -> String {
    let players: Vec<&PlayerResult> = tournament.players.iter().collect();
    let signs = |sign: fn(&PlayerResult) -> u64| {
        move |player: &PlayerResult| {
            if player.moves() > 0 { sign(player).to_string() } else { MISSING.to_owned() }
        }
    };
    let rank = |player: &PlayerResult| player.rank.map_or(MISSING.to_owned(), |rank| rank.to_string());
    let mut fields = vec![
        Field::number("", each(&players, rank)).dropped(5),
        names(&players),
        Field::number("Elo", each(&players, elo)),
        Field::number("Points", each(&players, |p| format!("{:.1}/{}", p.points(), p.games))).dropped(4),
        Field::number("Moves", each(&players, |p| p.moves().to_string())).dropped(3),
        Field::number("Gain\n> 0", each(&players, signs(|p| p.histogram.signs().positive))).dropped(2),
        Field::number("\n= 0", each(&players, signs(|p| p.histogram.signs().zero))).dropped(2),
        Field::number("\n< 0", each(&players, signs(|p| p.histogram.signs().negative))).dropped(2),
        Field::number("Expected\nscore", each(&players, expected_score)),
    ];
    fields.extend(intervals(&players, 3, |player| player.expected_score));
    if tournament.method.engine_histogram == EngineHistogram::Own {
        let against_zero = |player: &PlayerResult| with_margin(player.against_zero, 4);
        fields.push(Field::number("Against\n0 alone", each(&players, against_zero)).dropped(1));
    }
    fields.push(Field::number("Elo\ndifference", each(&players, difference)));
    fields.extend(intervals(&players, 0, |player| player.elo_difference));
    let title = "Table 5. Expected score of each player against the engine, and the difference in Elo";
    Layout { title, columns: fields, notes: words::tournament::notes(tournament) }.shown(screen)
}

/// Table 6: the engine's strength as seen from each rated player, and its mean.
pub fn engine_strength(tournament: &Tournament, engine: Estimate, screen: Screen) -> String {
    let players: Vec<&PlayerResult> =
        tournament.players.iter().filter(|p| p.engine_strength.is_some()).collect();
    let margin =
        engine.interval.map(|interval| format!(" ± {:.1}", interval.half_width())).unwrap_or_default();
    // The mean's margin hangs over to the right, so that the decimal points stay below each other.
    let space = " ".repeat(width(&margin));
    let last = |cells: Vec<String>, mean: String| cells.into_iter().chain([mean]).collect();
    let mean = |value: fn(Average) -> f64| tournament.average.map_or(String::new(), |a| rounded(value(a), 1));
    let strength = each(&players, |p| shown(p.engine_strength) + &space);
    let layout = Layout {
        title: "Table 6. Strength of the engine: the Elo of each player minus the difference",
        columns: vec![
            Field::names("Player", last(each(&players, |p| printable(&p.name)), "Mean".to_owned())),
            Field::number("Elo", last(each(&players, elo), mean(|a| a.elo))).dropped(1),
            Field::number("Elo\ndifference", last(each(&players, difference), mean(|a| a.elo_difference)))
                .dropped(2),
            Field::number("Engine\nstrength", last(strength, format!("{:.1}{margin}", engine.value))),
        ],
        notes: [engine_notes(tournament, engine), counted(&tournament.method)].concat(),
    };
    layout.shown(screen)
}

/// Table 7: what each player's moves are worth, rated or not.
pub fn performances(tournament: &Tournament, engine: Estimate, screen: Screen) -> String {
    let players: Vec<&PlayerResult> = tournament.players.iter().filter(|p| p.performance.is_some()).collect();
    let mut fields = vec![
        names(&players),
        Field::number("Engine\nstrength", each(&players, |_| format!("{:.1}", engine.value))).dropped(1),
        Field::number("Elo\ndifference", each(&players, difference)).dropped(2),
        Field::number("Performance", each(&players, |p| shown(p.performance))),
    ];
    let intervals = intervals(&players, 0, |player| player.performance);
    let notes = intervals.iter().map(|_| PERFORMANCE.to_owned()).collect();
    fields.extend(intervals);
    let layout = Layout {
        title: "Table 7. Performance of each player: the strength of the engine plus the difference",
        columns: fields,
        notes: [notes, counted(&tournament.method)].concat(),
    };
    layout.shown(screen)
}

const PERFORMANCE: &str = "The intervals hold the error of the player's difference and that of the engine's \
    strength, which all performances share.";

/// The column of an interval, where there is one; it rounds to `decimals`. Ends in Elo points are
/// behind `<` and `>` where they are bounds.
fn intervals(
    players: &[&PlayerResult],
    decimals: usize,
    of: fn(&PlayerResult) -> Option<Measured>,
) -> Option<Field> {
    let interval = |player: &PlayerResult| {
        let measured = of(player)?;
        Some((measured.intervals.cluster?, measured.open))
    };
    let shown = |player: &PlayerResult| {
        let Some((interval, [low_open, high_open])) = interval(player) else { return MISSING.to_owned() };
        let below = if low_open { mark(Some(BoundSide::Below)) } else { "" };
        let above = if high_open { mark(Some(BoundSide::Above)) } else { "" };
        let (low, high) = (rounded(interval.low, decimals), rounded(interval.high, decimals));
        format!("{below}{low} to {above}{high}")
    };
    let any = players.iter().any(|player| interval(player).is_some());
    any.then(|| Field::number("95 %\ninterval", each(players, shown)).dropped(1))
}

fn names(players: &[&PlayerResult]) -> Field {
    Field::names("Player", each(players, |player| printable(&player.name)))
}

pub fn each(players: &[&PlayerResult], cell: impl Fn(&PlayerResult) -> String) -> Vec<String> {
    players.iter().map(|player| cell(player)).collect()
}

fn elo(player: &PlayerResult) -> String {
    player.elo.map_or(MISSING.to_owned(), |elo| elo_points(elo.value))
}

/// Whole Elo points without decimals, a mean of tags with one.
fn elo_points(elo: f64) -> String {
    if elo.fract() == 0.0 { format!("{elo:.0}") } else { format!("{elo:.1}") }
}

fn expected_score(player: &PlayerResult) -> String {
    player.expected_score.map_or(MISSING.to_owned(), |score| format!("{:.6}", score.value))
}

fn difference(player: &PlayerResult) -> String {
    shown(player.elo_difference)
}

fn shown(points: Option<Measured>) -> String {
    points.map_or(MISSING.to_owned(), |points| bounded(points, 1))
}

/// What the mean of Table 6 is of.
fn engine_notes(tournament: &Tournament, engine: Estimate) -> Vec<String> {
    let interval = match engine.interval {
        Some(interval) => {
            format!(
                "Mean of {} players with its {:.0} % interval, from the spread of the players (Student's t on {}).",
                engine.observations,
                100.0 * interval.level,
                degrees(engine.observations - 1),
            )
        }
        None => "One rated player: a mean of one value has no interval.".to_owned(),
    };
    let unrated = tournament.players.iter().filter(|player| player.elo.is_none() && player.moves() > 0);
    let unrated = unrated.map(|player| cut(&printable(&player.name), NAME));
    std::iter::once(interval)
        .chain(sampling(tournament))
        .chain(listed("Left out, having no Elo: ", unrated, ", "))
        .collect()
}

fn degrees(freedom: usize) -> String {
    if freedom == 1 { "1 degree of freedom".to_owned() } else { format!("{freedom} degrees of freedom") }
}

/// The part of the engine's uncertainty that more games would remove.
fn sampling(tournament: &Tournament) -> Option<String> {
    let by_game = tournament.sampling.cluster?;
    let bootstrap = tournament.sampling.bootstrap.map_or(String::new(), |interval| {
        let Bootstrap { samples, seed } = tournament.method.bootstrap;
        format!(
            "; by {samples} samples of whole games (seed {seed}) from {} to {}",
            rounded(interval.low, 1),
            rounded(interval.high, 1)
        )
    });
    Some(format!(
        "Error of the differences alone, from the scatter of the games: ± {:.1}{bootstrap}.",
        by_game.half_width()
    ))
}
