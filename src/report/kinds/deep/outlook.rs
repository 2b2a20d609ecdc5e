//! A tree's outlook in words (lead, noise, changes of the best move, the next step), and its lines and depths.

use serde::Serialize;
use shakmaty::{Chess, Position, uci::UciMove};

use crate::base::text::counted;
use crate::chess::game::in_san;
use crate::lab::{DeepTree, NextStep, Outlook};

#[derive(Debug, Clone, Serialize)]
pub struct OutlookFacts {
    /// For each tree, the best root move's lead in centipawns of alpha score; `None` if unknown or with a mate.
    pub leads_cp: Vec<Option<i32>>,
    /// Median change of the root moves' idea scores since the previous depth, in centipawns.
    pub noise_cp: Option<f64>,
    /// Root moves whose alpha scores are at most `noise_cp` below the best move's score.
    pub within_noise: Vec<String>,
    /// Number of positions with two or more candidates in each of the last two trees.
    pub compared: u64,
    /// Number of these positions in which the best move differs between the two trees.
    pub turned: u64,
    /// Options that continue the analysis where it is most useful.
    pub next: Vec<String>,
    #[serde(skip)]
    sentences: Vec<String>,
}

impl OutlookFacts {
    pub fn of(trees: &[DeepTree], root: &Chess) -> Option<OutlookFacts> {
        let (outlook, last) = (Outlook::of(trees)?, trees.last()?);
        let san = |uci: UciMove| in_san(root, &[uci]).join(" ");
        Some(OutlookFacts {
            sentences: sentences(&outlook, trees, last, root),
            within_noise: outlook.within_noise.iter().map(|&uci| san(uci)).collect(),
            compared: outlook.turned.0,
            turned: outlook.turned.1,
            next: match &outlook.next {
                NextStep::Deepen(plies) => vec!["--plies".to_owned(), plies.to_string()],
                NextStep::Focus(moves, plies) => {
                    let focus = moves.iter().flat_map(|&uci| ["--focus".to_owned(), san(uci)]);
                    focus.chain(["--focus-plies".to_owned(), plies.to_string()]).collect()
                }
            },
            leads_cp: outlook.leads,
            noise_cp: outlook.noise,
        })
    }

    /// Returns the lead of the best root move over the second at the last depth, in pawns; `None` if unknown.
    pub fn lead(&self) -> Option<String> {
        self.leads_cp.last().copied().flatten().map(|lead| pawns(f64::from(lead)))
    }

    pub fn sentences(&self) -> &[String] {
        &self.sentences
    }

    pub fn reason(&self) -> &'static str {
        match self.within_noise.is_empty() {
            true => "No other move is known to be close, so one more ply helps most",
            false => "The best moves are too close, so a deeper search of these moves helps most",
        }
    }
}

fn sentences(outlook: &Outlook, trees: &[DeepTree], last: &DeepTree, root: &Chess) -> Vec<String> {
    let named = |uci: UciMove| numbered(root, 0, &in_san(root, &[uci]));
    let ranking = last.root().ranking();
    let best: Vec<String> =
        ranking.iter().take(2).map(|&place| named(last.root().moves[place].uci)).collect();
    let mut sentences = Vec::new();
    if let (Some(Some(lead)), [best, second]) = (outlook.leads.last(), &best[..]) {
        let depths = trees.iter().zip(&outlook.leads).rev().skip(1).take(3);
        let earlier: Vec<String> = depths
            .filter_map(|(tree, lead)| {
                let depth = depth_of(tree.depth, tree.focus_plies);
                Some(format!("{} at {depth}", pawns(f64::from((*lead)?))))
            })
            .collect();
        let earlier = match earlier.is_empty() {
            true => String::new(),
            false => format!(" ({})", earlier.join("; ")),
        };
        sentences.push(format!("{best} leads {second} by {} pawns{earlier}.", pawns(f64::from(*lead))));
    }
    let path = last.main_path(0);
    sentences.push(format!(
        "The value of {} comes from the end of the main line, after {}.",
        best.first().map_or("the best move", String::as_str),
        counted_plies(path.len())
    ));
    if let Some(noise) = outlook.noise {
        let near: Vec<String> = outlook.within_noise.iter().map(|&uci| named(uci)).collect();
        let near = if near.is_empty() { "no other move".to_owned() } else { near.join(", ") };
        sentences.push(format!(
            "Between the last two trees, the median change of the moves' scores was {} pawns. Moves within \
             this distance of the best move: {near}.",
            pawns(noise)
        ));
    }
    if let (all @ 1.., turned) = outlook.turned {
        let all = counted(all, "position");
        sentences.push(format!(
            "Of {all} with two or more candidates, {turned} changed their best move between the last two trees."
        ));
    }
    sentences
}

fn pawns(centipawns: f64) -> String {
    format!("{:.2}", centipawns / 100.0)
}

/// Returns moves with their numbers, the first of them `plies` plies after the root.
pub fn numbered(root: &Chess, plies: usize, line: &[String]) -> String {
    let first = 2 * (root.fullmoves().get() as usize - 1) + root.turn().fold_wb(0, 1) + plies;
    let word = |(at, san): (usize, &String)| {
        let ply = first + at;
        match ply % 2 {
            0 => format!("{}. {san}", ply / 2 + 1),
            _ if at == 0 => format!("{}... {san}", ply / 2 + 1),
            _ => san.clone(),
        }
    };
    line.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

pub fn counted_plies(plies: usize) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

/// Returns a depth of a tree, such as `depth 4, 6 plies after focused lines`.
pub fn depth_of(plies: usize, focus_plies: usize) -> String {
    match focus_plies {
        0 => format!("depth {plies}"),
        focus => format!("depth {plies}, {} after focused lines", counted_plies(focus)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_numbered_from_the_root_on() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        let start = Chess::default();
        assert_eq!(numbered(&start, 0, &words("e4 e5 Nf3")), "1. e4 e5 2. Nf3");
        assert_eq!(numbered(&start, 3, &words("Nc6 Bb5")), "2... Nc6 3. Bb5");
        assert_eq!([1, 2].map(counted_plies), ["1 ply", "2 plies"]);
        assert_eq!(depth_of(4, 0), "depth 4");
        assert_eq!(depth_of(4, 6), "depth 4, 6 plies after focused lines");
    }
}
