//! Owns the picture of how the games against each opponent ended: Kennedy's Figure 4, with the opponents by strength.

use crate::chess::text::{cut, printable, rounded};
use crate::lab::{SkillGames, Sparring};
use crate::report::plots::chart::{Axis, Chart};
use crate::report::{plots::canvas::Drawing, plots::style::Ink};

/// Opponents whose names stay legible below one picture.
const MOST: usize = 16;

/// Half the width of a bar, in parts of the room of an opponent.
const HALF: f64 = 0.36;

/// Draws wins, draws and losses of a skill function one above the other, the weakest opponent first; `None` of more than have room.
pub fn draw(found: &Sparring, skill: &SkillGames, caption: &str) -> Option<Drawing> {
    let opponents = found.opponents.len();
    if opponents == 0 || opponents > MOST {
        return None;
    }
    let most = skill.games.iter().map(|games| games.games()).max().unwrap_or_default().max(1);
    let name = |(place, opponent): (u32, &crate::lab::experiment::sparring::Opponent)| {
        let name = cut(&printable(&opponent.name), (96 / opponents).clamp(5, 24));
        (f64::from(place), name)
    };
    let chart = Chart {
        title: "How did the games end?",
        subtitle: format!("Skill function {}: games won, drawn and lost", printable(&skill.name)),
        caption: caption.to_owned(),
        x: Axis::of_lines(
            "Opponent, the weakest first",
            (0.5, opponents as f64 + 0.5),
            (1..).zip(&found.opponents).map(name).collect(),
        ),
        y: Axis::around("Games", [0.0, f64::from(most)], 10),
        legend: [(Ink::Gain, "won"), (Ink::Zero, "drawn"), (Ink::Loss, "lost")]
            .map(|(ink, word)| (ink, word.to_owned()))
            .into(),
        notes: vec![format!("Elo by the games among them: {}.", elos(found))],
    };
    Some(chart.drawn(|canvas, plane| {
        for (place, games) in (1..).zip(&skill.games) {
            let columns = [f64::from(place) - HALF, f64::from(place) + HALF].map(|x| plane.column(x));
            let mut from = 0;
            for (count, ink) in [(games.wins, Ink::Gain), (games.draws, Ink::Zero), (games.losses, Ink::Loss)]
            {
                let to = from + count;
                if count > 0 {
                    let rows = [to, from].map(|games| plane.row(games.into()));
                    canvas.rectangle((columns[0], rows[0]), (columns[1], rows[1]), ink);
                }
                from = to;
            }
        }
    }))
}

fn elos(found: &Sparring) -> String {
    let elo = |opponent: &crate::lab::experiment::sparring::Opponent| {
        opponent.rating().map_or_else(|| "–".to_owned(), |elo| rounded(elo, 0))
    };
    found.opponents.iter().map(elo).collect::<Vec<_>>().join(", ")
}
