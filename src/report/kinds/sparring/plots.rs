//! The pictures of the games of skill functions: results, evaluations and losses.

use plotters::style::Color;

use crate::base::text::{counted, printable, rounded};
use crate::lab::{Course, MoveLoss, Opponent, SkillGames, SkillMoves, Sparring};
use crate::numbers::{Histogram, MatchRecord};
use crate::report::plots::{
    canvas::Drawing, chart::Axis, chart::Chart, chart::Look, chart::ends, rows, rows::SHOWN, style::Ink,
    style::UNIT,
};

const HALF: f64 = 0.36;

/// Draws the score of a skill function against each opponent, the weakest first, over its wins, draws and losses.
/// `None` without opponents. This is Kennedy's Figure 4 with the opponents in the order of their strength.
pub fn outcomes(found: &Sparring, skill: &SkillGames, caption: &str) -> Option<Drawing> {
    let shown = &found.opponents[..found.opponents.len().min(SHOWN)];
    shown.first()?;
    let name = |opponent: &Opponent| {
        let elo = opponent.rating().map_or(String::new(), |elo| format!(" ({})", rounded(elo, 0)));
        printable(&opponent.name) + &elo
    };
    let names: Vec<String> = shown.iter().map(name).collect();
    let chart = Chart {
        title: &format!("{}: how even are the games?", printable(&skill.name)),
        subtitle: "Percent of the points against each opponent (Elo in brackets), with 95 % intervals",
        caption,
        x: Axis::stepped("", (0.0, 100.0), 25.0, 0),
        legend: &[(Ink::Gain, "won"), (Ink::Zero, "drawn"), (Ink::Grid, "lost"), (Ink::Ink, "points")],
        notes: "A draw is half a point. Elo: by the games among the opponents.",
        ..Chart::default()
    };
    Some(rows::draw(names.iter().map(String::as_str), &chart, |plot, place, row| {
        let mut from = 0.0;
        let shares = skill.games[place].record().map(MatchRecord::shares).into_iter().flatten();
        for (share, ink) in shares.zip([Ink::Gain, Ink::Zero, Ink::Grid]) {
            plot.bar((from, from + 100.0 * share), (row + HALF, row - HALF), ink);
            from += 100.0 * share;
        }
        if let Some(score) = skill.score(place) {
            let [low, high] = ends(&score).map(|end| 100.0 * end);
            for (ink, half, radius) in [(Ink::Paper, 0.09, 7), (Ink::Ink, 0.04, 5)] {
                plot.bar((low, high), (row + half, row - half), ink);
                plot.dots(Look::of(ink, radius), [(100.0 * score.value, row, None)]);
            }
        }
    }))
}

/// Draws the evaluations after each move in all games of two players, with their mean (Kennedy's Figures 2
/// and 3). `None` unless some game has two evaluations or more.
pub fn course(course: &Course, caption: &str) -> Option<Drawing> {
    let turns = course.games.iter().map(Vec::len).max().filter(|&turns| turns > 1)?;
    let [first, second] = [0, 1].map(|side| printable(&course.names[side]));
    let chart = Chart {
        title: "How does the evaluation change during the games?",
        subtitle: &format!("Centipawns after each move in the view of {first}, against {second}"),
        caption: &format!("{}, {caption}", counted(course.games.len() as u64, "game")),
        x: Axis::around("Move", [0.0, turns as f64], 16),
        y: Axis::stepped("Centipawns", (-1000.0, 1000.0), 250.0, 0),
        legend: &[(Ink::Zero, "each game"), (Ink::Gain, "mean of games in progress")],
        notes: "Evaluations are clamped to ±1000. A mate counts as ±1000.",
    };
    Some(chart.drawn(|plot| {
        let at = |(turn, score): (usize, f64)| (turn as f64 + 1.0, score);
        for game in course.games.iter().filter(|game| game.len() > 1) {
            plot.path(game.iter().map(|&score| f64::from(score)).enumerate().map(at), Ink::Zero.stroke());
        }
        // The mean's line is twice as wide, so that it is visible among the games.
        let mean = course.means().into_iter().enumerate().map(at);
        plot.path(mean, Ink::Gain.rgb().stroke_width(2 * UNIT.unsigned_abs()));
    }))
}

/// Lower ends of the classes of losses, in percentage points. The last class has no upper end.
const CLASSES: [u32; 8] = [0, 2, 5, 10, 15, 20, 30, 40];

pub fn losses(skill: &SkillMoves, caption: &str) -> Option<Drawing> {
    let found = skill.losses.as_ref()?;
    let shares = [&found.gains[0], &found.gains[1]].map(shares);
    let label = |(place, from): (usize, &u32)| {
        let text = CLASSES.get(place + 1).map_or(format!("{from}+"), |to| format!("{from}–{to}"));
        (place as f64 + 1.0, text)
    };
    let chart = Chart {
        title: "Are the losses like people's losses?",
        subtitle: &format!(
            "Losses per move of {}, and of people of {} Elo with the same average loss",
            printable(&skill.name),
            rounded(found.elo, 0)
        ),
        caption: &format!("{}, {caption}", counted(found.moves, "move")),
        x: Axis::of_lines(
            "Percentage points of the expected score lost",
            (0.5, CLASSES.len() as f64 + 0.5),
            CLASSES.iter().enumerate().map(label).collect(),
        ),
        y: Axis::around("Percent of the moves", shares.iter().flatten().copied().chain([0.0]), 10),
        legend: &[(Ink::Gain, &printable(&skill.name)), (Ink::Zero, "people")],
        notes: &format!(
            "Chance that a move of the skill function loses less than a person's move: {}.",
            rounded(found.exceeds, 3)
        ),
    };
    Some(chart.drawn(|plot| {
        for ((ink, aside), shares) in [(Ink::Gain, -HALF), (Ink::Zero, 0.0)].into_iter().zip(shares) {
            for (place, share) in (1..).zip(shares) {
                let x = f64::from(place) + aside;
                plot.bar((x, x + HALF), (0.0, share), ink);
            }
        }
    }))
}

fn shares(gains: &Histogram) -> [f64; CLASSES.len()] {
    let mut shares = [0.0; CLASSES.len()];
    for (gain, count) in gains.bins() {
        // Gains are in tenths of a percentage point.
        let class = CLASSES.partition_point(|&from| i64::from(from) * 10 <= -gain).max(1) - 1;
        shares[class] += 100.0 * count as f64 / gains.total().max(1) as f64;
    }
    shares
}

const TOGETHER: usize = 5;

pub fn by_move(skill: &SkillMoves, caption: &str) -> Option<Drawing> {
    let own = means(&skill.by_move, |found| found.own);
    let sides = [(Ink::Gain, own), (Ink::Ink, means(&skill.by_move, |found| found.opponents))];
    if sides.iter().any(|(_, points)| points.len() < 2) {
        return None;
    }
    let points = || sides.iter().flat_map(|(_, points)| points);
    let last = points().map(|point| point.0).fold(0.0, f64::max);
    let chart = Chart {
        title: "How well does the skill function play, move by move?",
        subtitle: &format!(
            "Percentage points of the expected score lost per move by {} and by the opponents",
            printable(&skill.name)
        ),
        caption,
        x: Axis::around("Move", [0.0, last], 16),
        y: Axis::around("Percentage points lost", points().map(|point| point.1).chain([0.0]), 10),
        legend: &[(Ink::Gain, &printable(&skill.name)), (Ink::Ink, "opponents")],
        notes: &format!("Means over {TOGETHER} move numbers, of moves with an expected score of 10 to 90 %."),
    };
    Some(chart.drawn(|plot| {
        for (ink, points) in &sides {
            plot.dots(Look::of(*ink, 3), points.iter().map(|&(x, y)| (x, y, None)));
            plot.path(points.iter().copied(), ink.stroke());
        }
    }))
}

fn means(by_move: &[MoveLoss], side: impl Fn(&MoveLoss) -> (u32, f64)) -> Vec<(f64, f64)> {
    let of = |together: &[MoveLoss]| {
        let found: Vec<(u32, f64)> = together.iter().map(&side).collect();
        let moves: u32 = found.iter().map(|(moves, _)| moves).sum();
        let sum: f64 = found.iter().map(|&(moves, mean)| f64::from(moves) * mean).sum();
        let middle = f64::from(together[0].number + together[together.len() - 1].number) / 2.0;
        (moves > 0).then(|| (middle, sum / f64::from(moves)))
    };
    by_move.chunks(TOGETHER).filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::LossSizes;
    use crate::numbers::BinWidth;

    #[test]
    fn every_gain_is_in_the_class_of_its_loss() {
        let gains = Histogram::of(BinWidth::default(), [0, 5, -19, -20, -99, -100, -399, -400, -900, -1000]);
        assert_eq!(shares(&gains), [30.0, 10.0, 10.0, 10.0, 0.0, 0.0, 10.0, 30.0]);
    }

    #[test]
    fn pictures_have_names_and_numbers_and_without_games_there_are_none() {
        let found = |number| MoveLoss { number, own: (2, 4.0), opponents: (1, 3.0) };
        let skill = SkillMoves {
            name: "fixed:<1>".to_owned(),
            losses: LossSizes::of(&[0.0, 1.0, 12.0]),
            by_move: (1..=12).map(found).collect(),
        };
        let games = vec![vec![10, -20, 400], vec![0, 900]];
        let two = Course { names: ["a".to_owned(), "b".to_owned()], games };
        let drawings = [course(&two, "x"), losses(&skill, "x"), by_move(&skill, "x")]
            .map(|drawing| drawing.expect("a picture").svg());
        assert!(drawings[0].contains("in the view of a, against b") && drawings[0].contains("2 games"));
        assert!(drawings[1].contains("fixed:&lt;1&gt;") && drawings[1].contains("40+"), "{}", drawings[1]);
        assert!(drawings[2].contains("opponents"));
        assert_eq!(means(&skill.by_move, |found| found.own), [(3.0, 4.0), (8.0, 4.0), (11.5, 4.0)]);
        let none = SkillMoves { losses: None, by_move: Vec::new(), ..skill };
        let empty = Course { games: Vec::new(), ..two };
        assert!(course(&empty, "").is_none() && losses(&none, "").is_none() && by_move(&none, "").is_none());
    }
}
