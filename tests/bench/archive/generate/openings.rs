//! [`Opening`]: codes and names of the best known openings.

/// An opening as in the tags ECO and Opening.
#[derive(Clone, Copy)]
pub struct Opening {
    pub code: &'static str,
    pub name: &'static str,
}

/// First moves with the code and the name of the opening. A longer line follows the line that it extends.
const OPENINGS: [(&str, &str, &str); 32] = [
    ("", "A00", "Irregular Opening"),
    ("e4", "B00", "King's Pawn Game"),
    ("e4 c6", "B10", "Caro-Kann Defense"),
    ("e4 c6 d4 d5 e5", "B12", "Caro-Kann Defense: Advance Variation"),
    ("e4 c5", "B20", "Sicilian Defense"),
    ("e4 c5 Nf3", "B27", "Sicilian Defense"),
    ("e4 c5 Nf3 Nc6", "B30", "Sicilian Defense: Old Sicilian"),
    ("e4 c5 Nf3 Nc6 Bb5", "B30", "Sicilian Defense: Nyezhmetdinov-Rossolimo Attack"),
    ("e4 c5 Nf3 d6", "B50", "Sicilian Defense: Modern Variations"),
    ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90", "Sicilian Defense: Najdorf Variation"),
    ("e4 e6", "C00", "French Defense"),
    ("e4 e5", "C20", "King's Pawn Game"),
    ("e4 e5 Nf3 Nf6", "C42", "Russian Game"),
    ("e4 e5 Nf3 Nc6", "C44", "King's Knight Opening: Normal Variation"),
    ("e4 e5 Nf3 Nc6 d4", "C44", "Scotch Game"),
    ("e4 e5 Nf3 Nc6 Bc4", "C50", "Italian Game"),
    ("e4 e5 Nf3 Nc6 Bb5", "C60", "Ruy Lopez"),
    ("e4 e5 Nf3 Nc6 Bb5 Nf6", "C65", "Ruy Lopez: Berlin Defense"),
    ("e4 e5 Nf3 Nc6 Bb5 a6", "C70", "Ruy Lopez: Morphy Defense"),
    ("c4", "A10", "English Opening"),
    ("Nf3", "A04", "Zukertort Opening"),
    ("d4", "A40", "Queen's Pawn Game"),
    ("d4 Nf6", "A45", "Indian Defense"),
    ("d4 Nf6 c4 e6", "E00", "Indian Defense: East Indian Defense"),
    ("d4 Nf6 c4 e6 Nc3 Bb4", "E20", "Nimzo-Indian Defense"),
    ("d4 Nf6 c4 g6", "E60", "King's Indian Defense"),
    ("d4 Nf6 c4 g6 Nc3 d5", "D80", "Grünfeld Defense"),
    ("d4 d5", "D00", "Queen's Pawn Game"),
    ("d4 d5 c4", "D06", "Queen's Gambit"),
    ("d4 d5 c4 c6", "D10", "Slav Defense"),
    ("d4 d5 c4 dxc4", "D20", "Queen's Gambit Accepted"),
    ("d4 d5 c4 e6", "D30", "Queen's Gambit Declined"),
];

impl Opening {
    /// Returns the opening of a game with these moves.
    pub fn of(moves: &[String]) -> Opening {
        let begins = |start: &str| {
            let mut moves = moves.iter();
            start.split_whitespace().all(|san| moves.next().is_some_and(|played| played == san))
        };
        let known = OPENINGS.iter().rev().find(|(start, ..)| begins(start));
        known.map(|&(_, code, name)| Opening { code, name }).expect("a name for any other opening")
    }
}
