//! Start position of a game, from its tags.

use shakmaty::{CastlingMode, Chess, FromSetup, PositionError, fen::Fen};

use super::bad::BadGameReason;
use crate::chess::{game::Tags, repair::Repair, repair::Repairs};

/// Returns the start position and castling rules given by the tags `Variant`, `SetUp` and `FEN`, and the repairs
/// of the position.
///
/// The rules are those of Chess960 if `Variant` says so, or if the castling rights of the FEN do not exist in
/// standard chess.
pub(super) fn start_position(tags: &Tags) -> Result<(Chess, CastlingMode, Repairs), BadGameReason> {
    let chess960 = is_chess960(tags.get("Variant").unwrap_or_default())?;
    let fen = match tags.get("FEN") {
        Some(fen) => fen.parse::<Fen>().map_err(|error| BadGameReason::Fen(error.to_string()))?,
        None if tags.get("SetUp") == Some("1") => return Err(BadGameReason::MissingFen),
        None => Fen::default(),
    };
    let setup = fen.into_setup();
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::detect(&setup) };
    let mut repairs = Repairs::default();
    // An en-passant square without its pawn is common and does not affect the moves.
    let start = match Chess::from_setup(setup, mode).or_else(PositionError::ignore_invalid_ep_square) {
        Err(error) => {
            repairs.add(Repair::CastlingRights);
            error.ignore_invalid_castling_rights()
        }
        sound => sound,
    };
    Ok((start.map_err(|error| BadGameReason::Fen(error.to_string()))?, mode, repairs))
}

/// Returns true for a name of Chess960 and false for a name of standard chess. Other variants are an error.
fn is_chess960(variant: &str) -> Result<bool, BadGameReason> {
    let letters = variant.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    match letters.collect::<String>().as_str() {
        "" | "standard" | "standardchess" | "chess" | "normal" | "regular" | "orthodox" | "classical"
        | "classic" | "rapid" | "blitz" | "bullet" | "fromposition" => Ok(false),
        "frc" | "wildfr" | "freestyle" | "freestylechess" => Ok(true),
        name if ["960", "9lx", "fischer"].iter().any(|part| name.contains(part)) => Ok(true),
        _ => Err(BadGameReason::Variant(variant.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(tags: &[(&str, &str)]) -> Result<CastlingMode, BadGameReason> {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        start_position(&tags.iter().map(owned).collect()).map(|(_, mode, _)| mode)
    }

    #[test]
    fn a_position_of_standard_chess_castles_by_its_rules() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17";
        assert_eq!(start(&[("FEN", fen)]), Ok(CastlingMode::Standard));
        assert_eq!(start(&[("FEN", fen), ("Variant", "From Position")]), Ok(CastlingMode::Standard));
        assert_eq!(start(&[("FEN", fen), ("Variant", "Fischer Random")]), Ok(CastlingMode::Chess960));
    }

    #[test]
    fn castling_rights_unknown_to_standard_chess_mean_chess960() {
        let fen = "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - 0 1";
        assert_eq!(start(&[("FEN", fen)]), Ok(CastlingMode::Chess960));
        assert_eq!(start(&[("FEN", &fen.replace("GBgb", "KQkq"))]), Ok(CastlingMode::Chess960));
    }

    #[test]
    fn other_games_than_chess_are_refused() {
        assert_eq!(start(&[("Variant", "Crazyhouse")]), Err(BadGameReason::Variant("Crazyhouse".to_owned())));
        assert_eq!(start(&[("SetUp", "1")]), Err(BadGameReason::MissingFen));
        assert!(matches!(start(&[("FEN", "8/8/8/8/8/8/8/8 w - - 0 1")]), Err(BadGameReason::Fen(_))));
        assert!(matches!(start(&[("FEN", "nonsense")]), Err(BadGameReason::Fen(_))));
    }
}
