//! [`near_copies`]: finds games that are in the files several times with small differences, such as missing
//! moves.

use std::{
    cmp::Reverse, collections::BTreeMap, collections::BTreeSet, collections::HashMap, collections::HashSet,
};

use shakmaty::{Color, uci::UciMove};

use super::{Fingerprint, is_nobody, name_matcher::words};
use crate::base::text::folded_name;
use crate::chess::game::{Game, GameResult, Tags, read_fide_id};

/// Least number of common plies by which two records count as one game, if their players, their events and,
/// if known, their dates agree.
const OF_EVENT: usize = 8;
/// Least number of common plies by which two records count as one game, if fewer of their tags agree.
const OF_OTHERS: usize = 30;

/// Largest number of days between the dates that two files give for a game.
const DAYS: u32 = 2;

/// Returns the indices of the games to leave out. Two records are of one game if one record begins with all
/// moves of the other, and if no player, event, round or date contradicts this. The fewer of these tags
/// agree, the more common moves are required. Of the records of a game, a finished record is kept before an
/// unfinished one. After that, the number of moves decides, and then evaluations and details. The choice does
/// not depend on the order of the games.
pub fn near_copies(games: &[Game]) -> Vec<usize> {
    let partners = partners(games);
    let mut ranked: Vec<usize> = partners.keys().copied().collect();
    ranked.sort_by_cached_key(|&place| {
        let game = &games[place];
        let evaluations = game.moves.iter().filter(|played| played.eval.is_some()).count();
        let date = game.tags.date().filter(|date| date.day().is_some());
        let of_date =
            partners[&place].iter().filter(|other| date.is_some() && games[**other].tags.date() == date);
        let names = Color::ALL.map(|color| game.player(color).len());
        let details =
            (evaluations, date.is_some(), of_date.count(), names[0] + names[1], game.tags.iter().count());
        Reverse((game.result != GameResult::Unknown, game.moves.len(), details, Fingerprint::of(game)))
    });
    let mut kept = HashSet::new();
    ranked.retain(|place| {
        let is_copy = partners[place].iter().any(|partner| kept.contains(partner));
        is_copy || !kept.insert(*place)
    });
    ranked.sort_unstable();
    ranked
}

/// Returns, for each game that has near copies, the indices of these copies. Candidates are found by digests
/// of the moves and by White's name, so the time is linear in the number of moves, even if many short games
/// have the same moves.
fn partners(games: &[Game]) -> BTreeMap<usize, Vec<usize>> {
    let mut ends: HashMap<u64, HashMap<String, Vec<usize>>> = HashMap::new();
    for (place, game) in games.iter().enumerate() {
        let Some(end) = digests(game).skip(OF_EVENT - 1).last() else { continue };
        let of_end = ends.entry(end).or_default();
        keys(game, game.moves.len()).into_iter().for_each(|key| of_end.entry(key).or_default().push(place));
    }
    let mut partners: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (long, game) in games.iter().enumerate() {
        for (plies, digest) in (1..).zip(digests(game)).skip(OF_EVENT - 1) {
            let is_whole = plies == game.moves.len();
            let Some(of_end) = ends.get(&digest) else { continue };
            let keys = keys(game, usize::MAX).into_iter();
            let shorter: BTreeSet<usize> =
                keys.filter_map(|key| of_end.get(&key)).flatten().copied().collect();
            let shorter = shorter.into_iter().filter(|&short| !is_whole || short < long);
            for short in shorter.filter(|&short| is_one_game(&games[short], game)) {
                partners.entry(short).or_default().push(long);
                partners.entry(long).or_default().push(short);
            }
        }
    }
    partners
}

/// Returns texts about White. Two records of one game, the shorter of which has `plies`, have one in common:
/// the FIDE id, the name or, with many plies, a word of the name.
fn keys(game: &Game, plies: usize) -> BTreeSet<String> {
    let name = folded_name(game.player(Color::White)).to_lowercase();
    let id = game.tags.get("WhiteFideId").and_then(read_fide_id).map(|id| id.to_string());
    let by_words = words(&name).filter(|_| plies >= OF_OTHERS).map(str::to_owned);
    let mut keys: BTreeSet<String> = by_words.chain(id).collect();
    keys.extend((!is_nobody(&name)).then_some(name));
    keys
}

/// Returns, for each move, a digest of all moves up to and including this move.
fn digests(game: &Game) -> impl Iterator<Item = u64> {
    game.moves.iter().scan(1_u64, |digest, played| {
        let UciMove::Normal { from, to, .. } = played.uci else { return Some(*digest) };
        let code = 64 * u64::from(from) + u64::from(to);
        *digest = (*digest ^ code).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
        Some(*digest)
    })
}

/// Returns whether two records are of one game. `short` has at most as many moves as `long`.
fn is_one_game(short: &Game, long: &Game) -> bool {
    let (a, b) = (&short.tags, &long.tags);
    let [Some(white), Some(black)] = Color::ALL.map(|color| have_one_player(a, b, color)) else {
        return false;
    };
    let both = |name: &str| a.get(name).zip(b.get(name));
    // `1` may be the round `1.2`.
    let is_one_round = |(one, other): (&str, &str)| one.split('.').zip(other.split('.')).all(|(a, b)| a == b);
    let round = both("Round").filter(|&(one, other)| one != "-" && other != "-").map(is_one_round);
    let are_finished = ![short.result, long.result].contains(&GameResult::Unknown);
    // Games on a server have addresses of their own.
    let have_addresses = |name: &&str| {
        both(name)
            .is_some_and(|(one, other)| one != other && [one, other].iter().all(|tag| tag.contains("://")))
    };
    if round == Some(false)
        || round.is_none() && are_finished && short.result != long.result
        || ["Site", "Link", "GameURL"].iter().any(have_addresses)
    {
        return false;
    }
    let event = |tags: &Tags| tags.get("Event").map(folded_name);
    // "Rated Blitz game" names a kind of game, not an event.
    let is_known = a.event().is_some();
    let is_event = event(a) == event(b) && is_known == event(a).is_some();
    let days = a.date().zip(b.date()).and_then(|(one, other)| {
        let is_other = one.is_after(other) || other.is_after(one);
        one.days_apart(other).or(is_other.then_some(u32::MAX))
    });
    let least = match (white && black, is_event, days) {
        (true, true, Some(..=DAYS)) => OF_EVENT,
        (true, true, None) if is_known => OF_EVENT,
        (true, true, Some(_)) | (false, true, None | Some(..=DAYS)) if is_known && round.is_some() => {
            OF_OTHERS
        }
        (true, _, Some(..=DAYS)) | (true, true, None) => OF_OTHERS,
        _ => return false,
    };
    short.moves.len() >= least
        && (&short.start, short.mode) == (&long.start, long.mode)
        && short.moves.iter().zip(&long.moves).all(|(one, other)| one.uci == other.uci)
}

/// Compares the players of `color`. Returns true for the same FIDE id or, without ids, for the same name.
/// Returns false if the names have a common word, such as the family name, so they may be two spellings.
/// Returns `None` if the players are different or unknown.
fn have_one_player(a: &Tags, b: &Tags, color: Color) -> Option<bool> {
    let id = |tags: &Tags| tags.get(color.fold_wb("WhiteFideId", "BlackFideId")).and_then(read_fide_id);
    if let Some((one, other)) = id(a).zip(id(b)) {
        return (one == other).then_some(true);
    }
    let [one, other] = [a, b].map(|tags| folded_name(tags.player(color)).to_lowercase());
    let is_common = |word: &str| word.chars().count() > 1 && words(&other).any(|other| other == word);
    match one == other {
        true => (!is_nobody(&one)).then_some(true),
        false => words(&one).any(is_common).then_some(false),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::pgn::parse_games;

    /// A game of 42 plies.
    const MOVES: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 \
                         Re8 Nf1 Bf8 Ng3 g6 a4 c5 d5 c4 Bg5 h6 Be3 Nc5 Qd2 h5 Bg5 Be7 Ra3 Nfd7";

    /// Returns a game of the first `plies` of [`MOVES`]. `tags` replace the usual tags, as in `Round 2|Date
    /// ?`. They may include `Result`.
    fn pgn(tags: &str, plies: usize) -> String {
        let usual = ["Event Open", "Date 2024.03.01", "Round 1", "White Adler, Ines", "Black Brandt, Otto"];
        let tags: Vec<(&str, &str)> = tags.split('|').filter_map(|tag| tag.split_once(' ')).collect();
        let usual = usual.iter().filter_map(|tag| tag.split_once(' '));
        let usual = usual.filter(|(name, _)| !tags.iter().any(|(other, _)| other == name));
        let pairs = usual.chain(tags.iter().copied()).map(|(name, value)| format!("[{name} \"{value}\"]\n"));
        let moves: Vec<&str> = MOVES.split_whitespace().take(plies).collect();
        let result = tags.iter().find(|(name, _)| *name == "Result").map_or("1-0", |(_, result)| result);
        format!("{}\n{} {result}\n\n", pairs.collect::<String>(), moves.join(" "))
    }

    fn games(pgns: &[String]) -> Vec<Game> {
        let games = parse_games(&pgns.concat(), "test").into_iter();
        games.map(|game| game.expect("a game")).collect()
    }

    #[test]
    fn two_games_are_one_by_players_event_round_date_and_common_moves() {
        for (one, plies, other, all, is_one) in [
            // Parts of a game, as in two snapshots of a file or with a move more.
            ("Result *", 20, "", 42, true),
            ("Result *", 41, "Result *", 42, true),
            ("", 41, "", 42, true),
            ("", 8, "", 42, true),
            ("", 7, "", 42, false),
            ("Result 1/2-1/2", 41, "", 42, true),
            // Dates.
            ("Date 2024.02.29", 41, "", 42, true),
            ("Date 2024.03.03|Round ?", 10, "", 42, true),
            ("Date 2024.03.04|Round ?", 42, "", 42, false),
            ("Date 2024.05.01", 30, "", 42, true),
            ("Date 2024.05.01", 29, "", 42, false),
            ("Date 2023.??.??|Round ?", 42, "Round ?", 42, false),
            ("Date 2024.05.01|Event A", 42, "Event B", 42, false),
            ("Date 2024.??.??", 42, "", 42, true),
            ("Date ????.??.??|Round ?", 10, "", 42, true),
            // Events: a name that is spelled otherwise, none, and kinds of games.
            ("Event 1st Open", 29, "", 42, false),
            ("Event 1st Open", 30, "", 42, true),
            ("Event ?", 12, "Event ?", 42, true),
            ("Event ?|Date ?", 29, "Event ?|Date ?", 42, false),
            ("Event Live Chess", 29, "Event Live Chess", 42, false),
            // Rounds: two games of one day, and parts of a round.
            ("Round 1|Result 1/2-1/2", 20, "Round 2|Result 1/2-1/2", 42, false),
            ("Round 1|Result *", 20, "Round 2", 42, false),
            ("Round 1.1", 42, "Round 1.2|Date 2024.03.02", 42, false),
            ("Round 1.1", 41, "Round 1", 42, true),
            ("Round ?|Result 1/2-1/2", 20, "Round ?", 42, false),
            ("Round ?|Result *", 20, "Round ?", 42, true),
            ("Round -", 20, "Round 3", 42, true),
            // Players.
            ("White Adler,I|Black Brandt,O", 42, "", 42, true),
            ("White Ines Adler", 30, "", 42, true),
            ("White ADLER, INES", 20, "", 42, true),
            ("White Adler,I", 29, "", 42, false),
            ("White Adler,I|Round ?", 42, "Round ?", 42, false),
            ("White Klein, Eva", 42, "", 42, false),
            ("White ?", 42, "White ?", 41, false),
            ("White NN", 42, "White NN", 41, false),
            ("White Klein, Eva|WhiteFideId 12", 20, "WhiteFideId 12", 42, true),
            ("WhiteFideId 13", 20, "WhiteFideId 12", 42, false),
            ("White Klein, Eva|WhiteFideId 0", 42, "WhiteFideId 0", 42, false),
            // Addresses of games on servers.
            ("Site https://lichess.org/aaaaaaaa", 41, "Site https://lichess.org/bbbbbbbb", 42, false),
            ("Site https://lichess.org/aaaaaaaa", 41, "Site https://lichess.org/aaaaaaaa", 42, true),
            (
                "Link https://www.chess.com/game/live/1",
                41,
                "Link https://www.chess.com/game/live/2",
                42,
                false,
            ),
        ] {
            let games = games(&[pgn(one, plies), pgn(other, all)]);
            assert_eq!(near_copies(&games).len(), usize::from(is_one), "{one} and {other}");
        }
    }

    #[test]
    fn short_games_of_many_players_with_the_same_moves_are_few_candidates() {
        let pgns: Vec<String> =
            (0..500).map(|n| pgn(&format!("White Player {n}|Black Player {n}b"), 12)).collect();
        let games = games(&pgns);
        let of_white: HashMap<String, usize> =
            games.iter().flat_map(|game| keys(game, 12)).fold(HashMap::new(), |mut counts, key| {
                *counts.entry(key).or_default() += 1;
                counts
            });
        assert_eq!(of_white.values().max(), Some(&1));
        assert_eq!(near_copies(&games), [0; 0]);
    }

    #[test]
    fn the_finished_or_longer_game_is_kept() {
        let kept = |one: (&str, usize), other: (&str, usize)| {
            near_copies(&games(&[pgn(one.0, one.1), pgn(other.0, other.1)])) == [1]
        };
        assert!(kept(("", 41), ("Result *", 42)) && !kept(("Result *", 41), ("", 42)));
        assert!(!kept(("", 40), ("", 41)) && kept(("", 42), ("Date ?", 42)));
        assert!(kept(("", 42), ("White Adler,I|Black Brandt,O", 42)));
        // The date of most files.
        let three = ["Date 2024.03.02", "Date 2024.03.01", "White Adler,I"].map(|tags| pgn(tags, 42));
        assert_eq!(near_copies(&games(&three)), [0, 2]);
    }

    #[test]
    fn other_first_moves_or_another_start_are_another_game() {
        let other = pgn("", 42).replace("Nfd7 1-0", "Nh7 1-0");
        assert_eq!(near_copies(&games(&[pgn("", 42), other.clone()])), [0; 0]);
        // Both begin with the third game, which counts with one of them.
        assert_eq!(near_copies(&games(&[pgn("", 42), other, pgn("Result *", 20)])), [2]);
        let fen = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1\"]\n";
        let without = format!("{fen}{}", pgn("", 41));
        assert_eq!(near_copies(&games(&[without.clone(), pgn("", 42)])), [0; 0]);
        assert_eq!(near_copies(&games(&[without, format!("{fen}{}", pgn("", 42))])), [0]);
    }

    proptest! {
        #[test]
        fn the_order_of_the_games_makes_no_difference(
            games in prop::collection::vec((0usize..6, 6usize..43), 0..9).prop_shuffle()
        ) {
            let tags = ["", "Result *", "Date 2024.03.02", "Date ?", "White Adler,I", "Round 2"];
            let pgns: Vec<String> = games.iter().map(|&(place, plies)| pgn(tags[place], plies)).collect();
            let kept = |pgns: &[String]| {
                let left_out = near_copies(&self::games(pgns));
                let kept = (0..pgns.len()).filter(|place| !left_out.contains(place));
                let mut kept: Vec<String> = kept.map(|place| pgns[place].clone()).collect();
                kept.sort();
                kept
            };
            let reversed: Vec<String> = pgns.iter().rev().cloned().collect();
            prop_assert_eq!(kept(&pgns), kept(&reversed));
        }
    }
}
