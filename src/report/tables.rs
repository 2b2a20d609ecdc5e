//! Owns the tables as a terminal shows them: Ferreira's Tables 5, 6 and 7.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use crate::{
    stats::estimate::Estimate,
    text::{cut, printable, rounded, width, wrapped},
    tournament::{Average, EloOrigin, Player, PlayerElo, Tournament},
};

/// The three tables with their notes, at most `columns` wide where that can be.
pub fn all(tournament: &Tournament, columns: Option<u16>) -> String {
    let mut parts = vec![expected_scores(tournament, columns)];
    match tournament.engine_strength {
        Some(engine) => {
            parts.push(engine_strength(tournament, engine, columns));
            parts.push(performances(tournament, engine, columns));
        }
        None => parts.push(note(WITHOUT_ELO, columns) + "\n"),
    }
    parts.join("\n")
}

const WITHOUT_ELO: &str = "Tables 6 and 7 (strength of the engine, performance of the players) are missing: \
    no player with a move has an Elo, neither by a tag of the games nor by an option. \
    Give one with --elo \"Name=2700\".";

/// Table 5: how each player's gains fare against the engine's.
pub fn expected_scores(tournament: &Tournament, columns: Option<u16>) -> String {
    let players: Vec<&Player> = tournament.players.iter().collect();
    let signs = |sign: fn(&Player) -> u64| {
        move |player: &Player| if player.moves() > 0 { sign(player).to_string() } else { MISSING.to_owned() }
    };
    let rank = |player: &Player| player.rank.map_or(MISSING.to_owned(), |rank| rank.to_string());
    let layout = Layout {
        title: "Table 5. Expected score of each player against the engine, and the difference in Elo",
        columns: vec![
            Field::number("", each(&players, rank)).dropped(5),
            Field::names(&players),
            Field::number("Elo", each(&players, elo)),
            Field::number("Points", each(&players, |p| format!("{:.1}/{}", p.points(), p.games))).dropped(4),
            Field::number("Moves", each(&players, |p| p.moves().to_string())).dropped(3),
            Field::number("Gain\n> 0", each(&players, signs(|p| p.histogram.signs().positive))).dropped(2),
            Field::number("\n= 0", each(&players, signs(|p| p.histogram.signs().zero))).dropped(2),
            Field::number("\n< 0", each(&players, signs(|p| p.histogram.signs().negative))).dropped(2),
            Field::number("Expected\nscore", each(&players, expected_score)),
            Field::number("Elo\ndifference", each(&players, difference)),
        ],
        notes: notes(tournament),
    };
    layout.shown(columns)
}

/// Table 6: the engine's strength as seen from each rated player, and its mean.
pub fn engine_strength(tournament: &Tournament, engine: Estimate, columns: Option<u16>) -> String {
    let players: Vec<&Player> = tournament.players.iter().filter(|p| p.engine_strength.is_some()).collect();
    let margin =
        engine.interval.map(|interval| format!(" ± {:.1}", interval.half_width())).unwrap_or_default();
    // The mean's margin hangs over to the right, so that the decimal points stay below each other.
    let space = " ".repeat(width(&margin));
    let last = |cells: Vec<String>, mean: String| cells.into_iter().chain([mean]).collect();
    let names = last(each(&players, |p| printable(&p.name)), "Mean".to_owned());
    let mean = |value: fn(Average) -> f64| tournament.average.map_or(String::new(), |a| rounded(value(a), 1));
    let strength = each(&players, |p| opposite(p, p.engine_strength) + &space);
    let layout = Layout {
        title: "Table 6. Strength of the engine: the Elo of each player minus the difference",
        columns: vec![
            Field { names: true, ..Field::text("Player", names) },
            Field::number("Elo", last(each(&players, elo), mean(|a| a.elo))).dropped(1),
            Field::number("Elo\ndifference", last(each(&players, difference), mean(|a| a.elo_difference)))
                .dropped(2),
            Field::number("Engine\nstrength", last(strength, format!("{:.1}{margin}", engine.value))),
        ],
        notes: engine_notes(tournament, engine),
    };
    layout.shown(columns)
}

/// Table 7: what each player's moves are worth, rated or not.
pub fn performances(tournament: &Tournament, engine: Estimate, columns: Option<u16>) -> String {
    let players: Vec<&Player> = tournament.players.iter().filter(|p| p.performance.is_some()).collect();
    let layout = Layout {
        title: "Table 7. Performance of each player: the strength of the engine plus the difference",
        columns: vec![
            Field::names(&players),
            Field::number("Engine\nstrength", each(&players, |_| format!("{:.1}", engine.value))).dropped(1),
            Field::number("Elo\ndifference", each(&players, difference)).dropped(2),
            Field::number("Performance", each(&players, |p| bounded(p, p.performance))),
        ],
        notes: vec![],
    };
    layout.shown(columns)
}

/// What stands in the cell of a value that is not known.
const MISSING: &str = "–";

fn each(players: &[&Player], cell: impl Fn(&Player) -> String) -> Vec<String> {
    players.iter().map(|player| cell(player)).collect()
}

fn elo(player: &Player) -> String {
    player.elo.map_or(MISSING.to_owned(), |elo| elo_points(elo.value))
}

/// Whole Elo points without decimals, a mean of tags with one.
fn elo_points(elo: f64) -> String {
    if elo.fract() == 0.0 { format!("{elo:.0}") } else { format!("{elo:.1}") }
}

fn expected_score(player: &Player) -> String {
    player.expected_score.map_or(MISSING.to_owned(), |score| format!("{:.6}", score.value()))
}

fn difference(player: &Player) -> String {
    bounded(player, player.elo_difference.map(|difference| difference.value))
}

/// A value that grows with the difference: behind `>` or `<` where the difference is unbounded.
fn bounded(player: &Player, value: Option<f64>) -> String {
    marked(player, value, ["> ", "< "])
}

/// A value that falls as the difference grows.
fn opposite(player: &Player, value: Option<f64>) -> String {
    marked(player, value, ["< ", "> "])
}

fn marked(player: &Player, value: Option<f64>, [above, below]: [&str; 2]) -> String {
    let Some(value) = value else { return MISSING.to_owned() };
    let mark = match player.elo_difference {
        Some(difference) if difference.unbounded && difference.value > 0.0 => above,
        Some(difference) if difference.unbounded => below,
        _ => "",
    };
    format!("{mark}{}", rounded(value, 1))
}

/// Where ratings come from and what the marks mean, for the players it concerns.
pub fn notes(tournament: &Tournament) -> Vec<String> {
    let players = &tournament.players;
    let named = |player: &Player| cut(&printable(&player.name), NAME);
    let tags = players.iter().filter_map(|player| match player.elo?.origin {
        EloOrigin::MeanOfTags { low, high } => Some(format!("{} ({low} to {high})", named(player))),
        _ => None,
    });
    let given = players.iter().filter(|player| player.elo.is_some_and(is_given)).map(named);
    let bin = i64::from(tournament.method.bin.get());
    let half = (bin - 1) / 2;
    let bins = (half > 0).then(|| {
        format!("Bins of {bin} centipawns: a gain from -{half} to +{half} counts as 0, and as a tie with the engine.")
    });
    let unbounded = players.iter().any(|p| p.elo_difference.is_some_and(|difference| difference.unbounded));
    let unmoved = players.iter().filter(|player| player.moves() == 0).map(named);
    [
        listed("Mean of the Elo tags of the games, which differ: ", tags),
        listed("Elo given by option: ", given),
        unbounded.then(|| UNBOUNDED.to_owned()),
        listed("No move to count: ", unmoved),
        bins,
    ]
    .into_iter()
    .flatten()
    .collect()
}

const UNBOUNDED: &str = "An expected score of 0 or 1 has no finite difference: behind > or < stands the \
    difference after half a move has been added to each side.";

fn is_given(elo: PlayerElo) -> bool {
    elo.origin == EloOrigin::Given
}

/// `head` and the `items` behind it; nothing where there are none.
fn listed(head: &str, items: impl Iterator<Item = String>) -> Option<String> {
    let items: Vec<_> = items.collect();
    (!items.is_empty()).then(|| format!("{head}{}.", items.join(", ")))
}

/// What the mean of Table 6 is of.
fn engine_notes(tournament: &Tournament, engine: Estimate) -> Vec<String> {
    let interval = match engine.interval {
        Some(interval) => {
            format!(
                "Mean of {} players with its {:.0} % interval.",
                engine.observations,
                100.0 * interval.level
            )
        }
        None => "One rated player: a mean of one value has no interval.".to_owned(),
    };
    let unrated = tournament.players.iter().filter(|player| player.elo.is_none() && player.moves() > 0);
    let unrated = unrated.map(|player| cut(&printable(&player.name), NAME));
    std::iter::once(interval).chain(listed("Left out, having no Elo: ", unrated)).collect()
}

/// A table before it is laid out.
struct Layout {
    title: &'static str,
    columns: Vec<Field>,
    notes: Vec<String>,
}

/// One column.
struct Field {
    header: &'static str,
    cells: Vec<String>,
    alignment: CellAlignment,
    /// Whether it holds names, which may be cut.
    names: bool,
    /// When it gives way to a narrow terminal: the highest first, 0 never.
    dropped: u8,
}

impl Field {
    fn text(header: &'static str, cells: Vec<String>) -> Field {
        Field { header, cells, alignment: CellAlignment::Left, names: false, dropped: 0 }
    }

    fn number(header: &'static str, cells: Vec<String>) -> Field {
        Field { alignment: CellAlignment::Right, ..Field::text(header, cells) }
    }

    fn names(players: &[&Player]) -> Field {
        Field { names: true, ..Field::text("Player", each(players, |player| printable(&player.name))) }
    }

    fn dropped(self, dropped: u8) -> Field {
        Field { dropped, ..self }
    }

    fn cells(&self, name: usize) -> Vec<String> {
        self.cells.iter().map(|cell| if self.names { cut(cell, name) } else { cell.clone() }).collect()
    }
}

/// Columns of a terminal that a name may take where there is room.
const NAME: usize = 32;

/// How a table gives way, step by step: columns of a name, and the columns kept by their order of
/// dropping.
const STEPS: [(usize, u8); 9] =
    [(NAME, 5), (24, 5), (16, 5), (16, 4), (16, 3), (16, 2), (16, 1), (12, 0), (6, 0)];

impl Layout {
    /// Title, table and notes, each with its line end.
    fn shown(&self, columns: Option<u16>) -> String {
        let fits = |table: &String| {
            let widest = table.lines().map(width).max().unwrap_or_default();
            columns.is_none_or(|columns| widest <= usize::from(columns))
        };
        let (table, dropped) = STEPS
            .iter()
            .map(|&(name, kept)| (self.table(name, kept), kept))
            .find(|(table, _)| fits(table))
            .unwrap_or_else(|| (self.table(STEPS[STEPS.len() - 1].0, 0), 0));
        let mut lines = vec![note(self.title, columns), table];
        lines.extend(self.notes.iter().map(|text| note(text, columns)));
        if self.columns.iter().any(|column| column.dropped > dropped) {
            lines.push(note("Some columns are left out on so narrow a terminal.", columns));
        }
        lines.join("\n") + "\n"
    }

    fn table(&self, name: usize, kept: u8) -> String {
        let columns: Vec<&Field> = self.columns.iter().filter(|column| column.dropped <= kept).collect();
        let cells: Vec<Vec<String>> = columns.iter().map(|column| column.cells(name)).collect();
        let mut table = Table::new();
        table.load_style(STYLE).set_header(columns.iter().map(|column| column.header));
        for row in 0..cells.first().map_or(0, Vec::len) {
            table.add_row(cells.iter().map(|column| &column[row]));
        }
        for (index, (column, field)) in table.column_iter_mut().zip(&columns).enumerate() {
            column.set_cell_alignment(field.alignment);
            column.set_padding((0, u16::from(index + 1 < columns.len())));
        }
        table.trim_fmt()
    }
}

/// One line below the header, nothing else: numbers in columns need no fence.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Lines of a note, no wider than the terminal.
fn note(text: &str, columns: Option<u16>) -> String {
    wrapped(text, columns.map_or(100, usize::from).clamp(20, 100))
}
