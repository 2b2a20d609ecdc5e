//! Owns the names of players as people write them.

use crate::chess::text::{cut, printable};

const NAME: usize = 60;

/// Returns the name of a player as a sentence has it: "Carlsen, Magnus" is Magnus Carlsen.
///
/// A name with several commas stays, and so does one with digits behind its comma, as engines and teams have.
pub fn spoken(player: &str) -> String {
    let turned = player.split_once(',').map(|(last, first)| (last.trim(), first.trim()));
    let is_name = |part: &str| !part.is_empty() && !part.contains(|c: char| c == ',' || c.is_ascii_digit());
    let spoken = match turned {
        Some((last, first)) if is_name(last) && is_name(first) => format!("{first} {last}"),
        _ => player.to_owned(),
    };
    cut(&printable(&spoken), NAME)
}

/// Returns the first `most` of the names with commas, and how many more there are.
pub fn spoken_list(players: &[String], most: usize) -> String {
    let named: Vec<String> = players.iter().take(most).map(|name| spoken(name)).collect();
    match (named.as_slice(), players.len().saturating_sub(named.len())) {
        ([], _) => String::new(),
        (named, more @ 1..) => format!("{} and {more} more", named.join(", ")),
        ([only], 0) => only.clone(),
        ([head @ .., last], 0) => format!("{} and {last}", head.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_name_behind_a_comma_comes_first() {
        let cases = [
            ("Carlsen, Magnus", "Magnus Carlsen"),
            ("Carlsen,M", "M Carlsen"),
            ("Vachier-Lagrave, Maxime", "Maxime Vachier-Lagrave"),
            ("DrNykterstein", "DrNykterstein"),
            ("Stockfish 15, 64-bit", "Stockfish 15, 64-bit"),
            ("King, Jr, Martin", "King, Jr, Martin"),
            ("Anand,", "Anand,"),
            ("李雷", "李雷"),
        ];
        assert_eq!(cases.map(|(written, _)| spoken(written)), cases.map(|(_, said)| said));
    }

    #[test]
    fn a_list_ends_with_how_many_more_there_are() {
        let names = ["A, B", "C", "D"].map(str::to_owned);
        assert_eq!(spoken_list(&names, 3), "B A, C and D");
        assert_eq!(spoken_list(&names, 2), "B A, C and 1 more");
        assert_eq!([spoken_list(&names[..1], 2), spoken_list(&[], 2)], ["B A".to_owned(), String::new()]);
    }
}
