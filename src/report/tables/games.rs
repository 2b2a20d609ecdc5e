//! The table of games: their tags, and the quality of each side's play.

use shakmaty::{ByColor, Chess, Color};

use crate::chess::{
    Date, EvaluatedGame, Game, JudgmentCounts, evaluated_game::judge_of_game, game::fen, pgn::hundredths,
};
use crate::measure::{
    Method, MoveSample, PlayerSelection, Statistic, StatisticFacts, Unit, tournament::player_name,
};
use crate::report::table::{Rows, Table};

struct GameRow<'a> {
    game: &'a Game,
    names: ByColor<String>,
    /// Each side's mean of every statistic in [`Statistic::OF_SIDES`], in that order.
    means: [ByColor<Option<f64>>; Statistic::OF_SIDES.len()],
    accuracy: ByColor<Option<f64>>,
    judgments: ByColor<JudgmentCounts>,
    left: ByColor<Option<f64>>,
}

pub fn games(
    games: &[EvaluatedGame],
    sample: &MoveSample,
    method: &Method,
    selection: &PlayerSelection,
) -> Table {
    let mut rows = Vec::new();
    for (index, evaluated) in games.iter().enumerate() {
        let game = evaluated.game();
        let names = ByColor::new_with(|color| player_name(game, color));
        if names.iter().any(|name| selection.has(name)) {
            let appearances = &sample.appearances[2 * index..2 * index + 2];
            rows.push(GameRow {
                game,
                names,
                means: Statistic::OF_SIDES.map(|statistic| statistic.of_game(sample, index, method)),
                accuracy: ByColor { white: appearances[0].accuracy, black: appearances[1].accuracy },
                judgments: sample.judgments_of(index, &method.filter),
                left: ByColor::new_with(|color| last_clock(game, color)),
            });
        }
    }
    game_table(&rows)
}

fn last_clock(game: &Game, color: Color) -> Option<f64> {
    let own = game.moves.iter().zip(game.movers()).filter(|(_, mover)| *mover == color);
    own.last()?.0.clock.map(|clock| f64::from(hundredths(clock)) / 100.0)
}

fn game_table(rows: &[GameRow<'_>]) -> Table {
    let table = Table::of("games", "One row per game, in the order of the files.", rows)
        .column("game", "", |row| row.game.source.ordinal)
        .means("Number of the game among all games read, as in the table of moves.")
        .tag("event", "Event", "Event")
        .tag("site", "Site", "Site")
        .day("date", "Date", "Date")
        .tag("round", "Round", "Round")
        .column("white", "Player with White.", |row| &row.names.white)
        .column("black", "Player with Black.", |row| &row.names.black);
    let table = by_side(table, |table, side| {
        let meaning = format!("Rating of {} by the game's tag, in Elo points.", side.name);
        table.column(side.key("elo"), meaning, move |row| row.game.elo(side.color).map(u64::from))
    });
    let start =
        |row: &GameRow<'_>| Some(fen(&row.game.start)).filter(|start| *start != fen(&Chess::default()));
    let table = by_side(table, |table, side| {
        let tag = side.color.fold_wb("WhiteTitle", "BlackTitle");
        table.tag(side.key("title"), tag, format!("Title of {}", side.name))
    })
    .column("result", "Result of the game.", |row| row.game.result.to_string())
    .column("plies", "Number of moves of both sides.", |row| row.game.moves.len())
    .column("start_fen", "Start position; empty for the usual one.", start)
    .tag("eco", "ECO", "Code of the opening")
    .tag("opening", "Opening", "Name of the opening")
    .column("book_plies", "", |row| row.game.book_plies)
    .means("Number of moves of both sides that are in the book; empty without `--openings-names`.")
    .tag("time_control", "TimeControl", "Time control")
    .tag("termination", "Termination", "Ending of the game")
    .day("utc_date", "UTCDate", "Date in universal time")
    .tag("utc_time", "UTCTime", "Start time in universal time");
    measures(table)
        .column("evaluated_by", "", |row| judge_of_game(row.game))
        .means("Source of the recorded evaluations; empty if unknown.")
        .table()
}

fn measures<'a, 'b>(table: Rows<'a, GameRow<'b>>) -> Rows<'a, GameRow<'b>> {
    let table = Statistic::OF_SIDES.into_iter().enumerate().fold(table, |table, (place, statistic)| {
        let StatisticFacts { key, quantity, meaning, .. } = *statistic.facts();
        by_side(table, |table, side| {
            let meaning = format!("{}: {meaning}", side.name);
            table.number(side.key(key), quantity, meaning, move |row| row.means[place][side.color])
        })
    });
    let table = by_side(table, |table, side| {
        let meaning = format!("{}'s accuracy over the whole game, as lichess defines it.", side.name);
        table.number(side.key("accuracy"), Unit::Percent, meaning, move |row| row.accuracy[side.color])
    });
    let table = by_side(table, |table, side| {
        table.judgments(&side.key(""), move |row| Some(row.judgments[side.color]))
    });
    by_side(table, |table, side| {
        let meaning = format!("{}'s clock after the last move; empty if unknown.", side.name);
        table.number(side.key("left_s"), Unit::Seconds, meaning, move |row| row.left[side.color])
    })
}

#[derive(Clone, Copy)]
struct SideColumns {
    color: Color,
    name: &'static str,
}

impl SideColumns {
    /// Returns the name of a column with the side before it, as in `white_elo`.
    fn key(self, what: &str) -> String {
        format!("{}_{what}", self.name.to_lowercase())
    }
}

fn by_side<R>(table: R, add: impl Fn(R, SideColumns) -> R) -> R {
    let sides = [
        SideColumns { color: Color::White, name: "White" },
        SideColumns { color: Color::Black, name: "Black" },
    ];
    sides.into_iter().fold(table, add)
}

impl<'a> Rows<'a, GameRow<'_>> {
    fn tag(self, key: impl Into<String>, tag: &'static str, what: impl Into<String>) -> Self {
        let meaning = format!("{} by the game's tag.", what.into());
        self.column(key.into(), meaning, move |row| row.game.tags.get(tag))
    }

    fn day(self, key: &'static str, tag: &'static str, what: &str) -> Self {
        let meaning = format!(
            "{what} by the game's tag, in the form of ISO 8601 and as precise as the tag: `2013-03-15`, `2013-03` or `2013`. A tag that is not a date is unchanged."
        );
        self.column(key, meaning, move |row| {
            let text = row.game.tags.get(tag)?;
            Some(Date::of_tag(text).map_or_else(|| text.to_owned(), Date::to_iso))
        })
    }
}
