//! Texts for a tree: moves with their numbers, and numbers of plies.

use shakmaty::{Chess, Position};

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
