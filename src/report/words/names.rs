//! Players' names in sentences and pictures.

use std::collections::HashMap;

use crate::base::text::{cut, printable};

/// Largest width of a name on a page, in columns: real names fit, and no name fills the page.
pub const NAME: usize = 60;

pub fn name(text: &str) -> String {
    cut(&printable(text), NAME)
}

/// Returns a player's name as a journalist writes it, with the first name first and a period after each initial:
/// "Carlsen, Magnus" is Magnus Carlsen, and "So,W" and "So W" are W. So.
///
/// A name without exactly one comma keeps its order, except a surname with one initial after it. A name with a
/// digit stays as it is, because engines and teams have such names.
pub fn natural_name(player: &str) -> String {
    let is_initial = |word: &str| word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let initial_last = player.split_once(' ').filter(|(_, rest)| is_initial(rest));
    let turned = player.split_once(',').or(initial_last).map(|(last, first)| (last.trim(), first.trim()));
    let is_name = |part: &str| !part.is_empty() && !part.contains(|c: char| c == ',' || c.is_ascii_digit());
    let natural_name = match turned {
        Some((last, first)) if is_name(last) && is_name(first) => format!("{first} {last}"),
        _ => player.to_owned(),
    };
    if !is_name(&natural_name) || !natural_name.contains(' ') {
        return name(&natural_name);
    }
    let dotted =
        natural_name.split(' ').map(|word| format!("{word}{}", if is_initial(word) { "." } else { "" }));
    name(&dotted.collect::<Vec<_>>().join(" "))
}

/// Returns a list of the first `most` names, followed by the number of the other players.
pub fn natural_list(players: &[String], most: usize) -> String {
    let named: Vec<String> = players.iter().take(most).map(|name| natural_name(name)).collect();
    match (named.as_slice(), players.len().saturating_sub(named.len())) {
        ([], _) => String::new(),
        (named, more @ 1..) => format!("{} and {more} more", named.join(", ")),
        ([only], 0) => only.clone(),
        ([head @ .., last], 0) => format!("{} and {last}", head.join(", ")),
    }
}

/// Splits `Carlsen, Magnus` after the surname, unless another player has the same surname.
pub fn surnames<'n>(names: &[&'n str]) -> Vec<(&'n str, &'n str)> {
    let surname = |name: &'n str| name.split_once(',').map_or(name, |(surname, _)| surname);
    // Surnames are counted once, because a field may have thousands of players.
    let mut bearers: HashMap<&str, usize> = HashMap::new();
    names.iter().for_each(|name| *bearers.entry(surname(name)).or_default() += 1);
    let split = |name: &&'n str| match surname(name) {
        short if bearers[short] == 1 => name.split_at(short.len()),
        _ => (*name, ""),
    };
    names.iter().map(split).collect()
}

/// Returns each name as a journalist writes it, as first names and surname. The first names are empty if they are
/// unknown, or if two players have the same surname.
pub fn first_and_last(names: &[&str]) -> Vec<(String, String)> {
    let split = |(player, (surname, _)): (&&str, (&str, &str))| {
        let natural = natural_name(player);
        match natural.strip_suffix(surname) {
            Some(first) if !first.is_empty() => (first.to_owned(), surname.to_owned()),
            _ => (String::new(), natural),
        }
    };
    names.iter().zip(surnames(names)).map(split).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surname_is_enough_where_nobody_else_has_it() {
        let names = ["Carlsen, Magnus", "Polgar, Judit", "Polgar, Sofia", "rook77"];
        let short = [("Carlsen", ", Magnus"), ("Polgar, Judit", ""), ("Polgar, Sofia", ""), ("rook77", "")];
        assert_eq!(surnames(&names), short);
    }

    #[test]
    fn a_name_is_first_names_and_surname_as_a_journalist_writes_it() {
        let names = ["Carlsen, Magnus", "Polgar, Judit", "Polgar, Sofia", "rook77"];
        let split = [("Magnus ", "Carlsen"), ("", "Judit Polgar"), ("", "Sofia Polgar"), ("", "rook77")];
        let split = split.map(|(first, last)| (first.to_owned(), last.to_owned()));
        assert_eq!(first_and_last(&names), split);
    }

    #[test]
    fn a_first_name_behind_a_comma_comes_first() {
        let cases = [
            ("Carlsen, Magnus", "Magnus Carlsen"),
            ("Carlsen,M", "M. Carlsen"),
            ("W So", "W. So"),
            ("Gukesh D", "D. Gukesh"),
            ("Kasparov, G K", "G. K. Kasparov"),
            ("Anand, V.", "V. Anand"),
            ("Team A 2", "Team A 2"),
            ("Vachier-Lagrave, Maxime", "Maxime Vachier-Lagrave"),
            ("DrNykterstein", "DrNykterstein"),
            ("Stockfish 15, 64-bit", "Stockfish 15, 64-bit"),
            ("King, Jr, Martin", "King, Jr, Martin"),
            ("Anand,", "Anand,"),
            ("李雷", "李雷"),
        ];
        assert_eq!(cases.map(|(written, _)| natural_name(written)), cases.map(|(_, said)| said));
    }

    #[test]
    fn a_list_ends_with_how_many_more_there_are() {
        let names = ["A, B", "C", "D"].map(str::to_owned);
        assert_eq!(natural_list(&names, 3), "B. A., C and D");
        assert_eq!(natural_list(&names, 2), "B. A., C and 1 more");
        assert_eq!([natural_list(&names[..1], 2), natural_list(&[], 2)], ["B. A.".to_owned(), String::new()]);
    }
}
