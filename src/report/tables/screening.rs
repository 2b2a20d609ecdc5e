//! The screening of an event: the table of its players, and the sentences that come first.

use crate::base::text::{counted, rounded};
use crate::measure::{SHARES, ScreenedPlayer, Screening, Unit};
use crate::report::table::{Screen, Table, head, layout::Layout, layout::fitted};
use crate::report::words::names::name;

/// Number of players on the terminal and the page.
const SHOWN: usize = 10;

/// Players who use an engine, per honest player, in the example of the base rate.
const BASE_RATE: f64 = 1.0 / 5000.0;

pub fn table(rows: &[ScreenedPlayer]) -> Table {
    Table::of("screening", "One row per screened player, the largest z first; written with `--screen`.", rows)
        .column("player", "Player.", |row| &row.player)
        .number("elo", Unit::Elo, "Rating on the calibration's scale.", |row| Some(row.elo))
        .column("games", "Games with a counted move.", |row| row.games)
        .column("moves", "Counted moves.", |row| row.moves)
        .column("moves_from_12", "Counted moves from the 12th on, on which the lead is based.", |row| {
            row.lead.moves
        })
        .number("lead", Unit::Elo, "Play above the rating, relative to the other players.", |row| {
            Some(row.lead.lead)
        })
        .number("lead_se", Unit::Elo, "Standard deviation of honest players' leads.", |row| {
            Some(row.lead.standard_error)
        })
        .number("z", Unit::StandardErrors, "`lead` / `lead_se`.", |row| Some(row.lead.z()))
        .number("p", Unit::Share, "Share of honest players with at least this z.", |row| Some(row.p))
        .column(
            "p_is_counted",
            "False if no honest player had such a z, so that `p` is an upper bound.",
            |row| row.is_counted,
        )
        .number("p_holm", Unit::Share, "`p`, adjusted for the number of players (Holm).", |row| {
            Some(row.holm)
        })
        .table()
}

/// Returns the sentences, and the table of `rows`, for the terminal.
pub fn shown(screening: &Screening, rows: &[ScreenedPlayer], screen: Screen) -> String {
    let sentences = sentences(screening).map(|sentence| fitted(&sentence, screen));
    let table = Layout { title: "", ..layout(screening, rows) }.shown(screen);
    format!("{}\n{}\n{}", screen.bold(TITLE), sentences.join("\n"), table.trim_start_matches('\n'))
}

/// Returns the table of the first of `rows` for people. The file has all.
pub(in crate::report) fn layout(screening: &Screening, rows: &[ScreenedPlayer]) -> Layout {
    let share = |value: f64, is_counted: bool| match is_counted {
        true => rounded(value, if value < 0.01 { 4 } else { 2 }),
        false => format!("< {}", rounded(value, 4)),
    };
    Table::shown(&rows[..rows.len().min(SHOWN)])
        .label("Player", |row| name(&row.player))
        .display_text("Elo", |row| rounded(row.elo, 0))
        .display_text("Games", |row| row.games.to_string())
        .display_text("Moves", |row| row.moves.to_string())
        .display_text("Lead,\nElo", |row| {
            format!("{} ± {}", rounded(row.lead.lead, 0), rounded(row.lead.standard_error, 0))
        })
        .display_text("z", |row| rounded(row.lead.z(), 2))
        .display_text("p", |row| share(row.p, row.is_counted))
        .display_text(head("p of the\nfield"), |row| share(row.holm, row.is_counted))
        .layout(TITLE, vec![note(screening)])
}

const TITLE: &str = "Play above the rating, relative to the other players: a reason to look, not a verdict";

/// Returns the false alarms that are expected, what would have been seen, and the base rate.
pub fn sentences(screening: &Screening) -> [String; 3] {
    let players = screening.rows.len() as f64;
    let alarms = Screening::LEVELS.map(|level| format!("{} below p = {level}", rounded(level * players, 1)));
    let percent = |share: f64| rounded(100.0 * share, 0);
    let seen = |level: usize| {
        let shares = (0..SHARES.len()).map(|share| percent(screening.power(share, level)));
        shares.collect::<Vec<_>>().join(", ")
    };
    let [.., level] = Screening::LEVELS;
    let wrong = level / (screening.power(SHARES.len() - 1, 2) * BASE_RATE);
    [
        format!(
            "An honest field of {} is expected to have {}. In {}{} % of such fields, somebody has a p as \
             small as the smallest one here.",
            counted(screening.rows.len() as u64, "player"),
            alarms.join(", "),
            if screening.rows[0].is_counted { "about " } else { "at most " },
            percent(screening.chance_of_highest())
        ),
        format!(
            "Of players like these who take {} % of their moves from an engine, {} % have a p below 0.01, and {} % below 0.001.",
            SHARES.map(percent).join(", "),
            seen(1),
            seen(2)
        ),
        format!(
            "If one player in 5000 takes all moves from an engine and nobody else takes any, one of {} players with p below \
             0.001 is such a player.",
            rounded(wrong + 1.0, 0)
        ),
    ]
}

/// Returns the meaning of the columns.
fn note(screening: &Screening) -> String {
    let left_out = match screening.left_out {
        0 => String::new(),
        count => format!("Not screened: {}. ", counted(count as u64, "player")),
    };
    format!(
        "p: share of {} honest players in other events whose z was as high; \"<\": none was. p of the field: adjusted for \
         {} players (Holm). Lead: with its standard deviation among honest players. {}What to do next: \
         docs/screening.md.",
        screening.honest,
        screening.rows.len(),
        left_out
    )
}
