//! Shortened names: the surname, if it distinguishes the players of a list.

use std::collections::HashMap;

/// Returns the surname and the rest of each name, as in `Carlsen` and `, Magnus`. The rest is empty and the
/// name whole if another player has the same surname, or if the name has no comma.
pub fn surnames<'n>(names: &[&'n str]) -> Vec<(&'n str, &'n str)> {
    let surname = |name: &'n str| name.split_once(',').map_or(name, |(surname, _)| surname);
    // Counted once, since a field may have thousands of players.
    let mut bearers: HashMap<&str, usize> = HashMap::new();
    names.iter().for_each(|name| *bearers.entry(surname(name)).or_default() += 1);
    let split = |name: &&'n str| match surname(name) {
        short if bearers[short] == 1 => name.split_at(short.len()),
        _ => (*name, ""),
    };
    names.iter().map(split).collect()
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
}
