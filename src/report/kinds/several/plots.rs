//! The picture of a panel: the panel's mean for each player, and next to it the values of the single judges.

use crate::base::text::counted;
use crate::measure::{Panel, PanelPlayer};
use crate::numbers::Estimate;
use crate::report::plots::{
    canvas::Drawing, chart::Axis, chart::Chart, chart::Look, chart::NAMES, chart::dot, chart::ends,
    chart::names, label, style::Ink,
};

/// Draws the first players in the panel's order; `None` if fewer than two players have a mean.
pub fn draw(panel: &Panel) -> Option<Drawing> {
    let placed = panel.players.iter().filter_map(|player| Some((player, player.panel_difference?)));
    let all: Vec<(&PanelPlayer, Estimate)> = placed.collect();
    let shown = &all[..all.len().min(NAMES)];
    if shown.len() < 2 {
        return None;
    }
    let by_judge = || shown.iter().flat_map(|(player, _)| player.deviations.iter().flatten().copied());
    let judges = counted(panel.judges.len() as u64, "judge");
    let players = match shown.len() == all.len() {
        true => counted(all.len() as u64, "player"),
        false => format!("the first {} of {} players", shown.len(), all.len()),
    };
    let chart = Chart {
        title: "Who played best by the panel?",
        subtitle: "Elo points above the field's mean, by the moves alone",
        caption: &format!("{judges}, {}, {players}", counted(panel.games as u64, "game")),
        x: names("Player", shown.iter().map(|(player, _)| label(&player.name))),
        y: Axis::around("Elo points", shown.iter().flat_map(|(_, mean)| ends(mean)).chain(by_judge()), 10),
        legend: &[(Ink::Gain, "mean of the panel"), (Ink::Zero, "one judge")],
        notes: "Bars: 95 % intervals that hold for other games and other judges.",
    };
    let places = || (1..).map(f64::from).zip(shown);
    Some(chart.drawn(|plot| {
        for judge in 0..panel.judges.len() {
            // The judges are next to the mean, in their order.
            let look = Look { aside: 10 + 7 * judge as i32, ..Look::of(Ink::Zero, 3) };
            plot.dots(
                look,
                places().filter_map(|(x, (player, _))| Some((x, player.deviations[judge]?, None))),
            );
        }
        plot.dots(Look::of(Ink::Gain, 5), places().map(|(x, (_, mean))| dot(x, mean)));
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::PlayerFinding;

    /// Returns a panel with two values for each of the given number of players.
    fn panel(players: usize) -> Panel {
        let player = |number: usize| {
            let difference = Estimate { value: -3.0 * number as f64, observations: 9, interval: None };
            PanelPlayer {
                name: format!("Player {number}"),
                rank: Some(number + 1),
                panel_difference: Some(difference),
                performance: None,
                by_judge: vec![Some(PlayerFinding::default()); 2],
                deviations: vec![Some(difference.value + 5.0), Some(difference.value - 5.0)],
            }
        };
        let players = (0..players).map(player).collect();
        Panel { judges: Vec::new(), games: 9, players, correlations: Vec::new(), reliability: None }
    }

    #[test]
    fn a_picture_has_as_many_names_as_stay_legible_and_says_how_many_more_there_are() {
        assert!(draw(&panel(1)).is_none());
        let texts = |players| {
            let drawing = draw(&panel(players)).expect("players");
            drawing.texts().iter().map(|(text, _)| text.clone()).collect::<Vec<_>>().join("\n")
        };
        assert!(texts(3).contains("Player 2") && texts(3).contains("3 players"));
        assert!(texts(40).contains("the first 16 of 40 players") && !texts(40).contains("Player 16"));
    }
}
