//! Words, comments and numbers of the movetext are recognized.

use super::*;

fn tokens(text: &str) -> Vec<Token<'_>> {
    Lexer::new(text, 0).collect()
}

fn mv<'a>(written: &'a str, san: &str) -> Token<'a> {
    let san = san.parse().expect("test move");
    Token::Move { written, mv: WrittenMove { san, by_squares: false } }
}

#[test]
fn numbers_moves_glyphs_and_results_are_told_apart() {
    assert_eq!(
        tokens("1.e4 e5! 2 . Nf3$14 (2. f4) 2... Nc6?! 1–0"),
        [
            Token::Number { written: "1.", number: 1, black: false },
            mv("e4", "e4"),
            mv("e5", "e5"),
            Token::Nag(1),
            Token::Number { written: "2 .", number: 2, black: false },
            mv("Nf3", "Nf3"),
            Token::Nag(14),
            Token::Open,
            Token::Number { written: "2.", number: 2, black: false },
            mv("f4", "f4"),
            Token::Close,
            Token::Number { written: "2...", number: 2, black: true },
            mv("Nc6", "Nc6"),
            Token::Nag(6),
            Token::Result { result: GameResult::WhiteWins, is_usual: false },
        ]
    );
}

#[test]
fn castling_and_promotion_have_several_spellings() {
    assert_eq!(tokens("0-0-0+ O–O"), [mv("0-0-0+", "O-O-O+"), mv("O–O", "O-O")]);
    assert_eq!(tokens("e8Q# dxe8N"), [mv("e8Q#", "e8=Q#"), mv("dxe8N", "dxe8=N")]);
}

#[test]
fn a_move_may_be_written_by_its_squares() {
    let squares = |written, san: &str| {
        let san = san.parse().expect("test move");
        Token::Move { written, mv: WrittenMove { san, by_squares: true } }
    };
    assert_eq!(tokens("d2d4 g8–f6"), [squares("d2d4", "d2d4"), squares("g8–f6", "g8f6")]);
    assert_eq!(tokens("e7e8q+ a2xb1=N"), [squares("e7e8q+", "e7e8=Q+"), squares("a2xb1=N", "a2xb1=N")]);
    assert_eq!(
        tokens("1.e1g1!? g1f3N"),
        [
            Token::Number { written: "1.", number: 1, black: false },
            squares("e1g1", "e1g1"),
            Token::Nag(5),
            squares("g1f3N", "g1f3"),
            Token::Nag(146),
        ]
    );
    assert_eq!(tokens("Ng1-f3 Ra1-d1#"), [mv("Ng1-f3", "Ng1f3"), mv("Ra1-d1#", "Ra1d1#")]);
}

#[test]
fn signs_after_a_move_become_glyphs_or_nothing() {
    assert_eq!(tokens("Nf3N +-"), [mv("Nf3N", "Nf3"), Token::Nag(146), Token::Nag(18)]);
    assert_eq!(tokens("Rd8+- ±"), [mv("Rd8+-", "Rd8"), Token::Nag(18), Token::Nag(16)]);
    assert_eq!(tokens("exd6e.p. exd6 e.p."), [mv("exd6e.p.", "exd6"), mv("exd6", "exd6")]);
    assert_eq!(tokens("Qh7 # ..."), [mv("Qh7", "Qh7")]);
    assert_eq!(tokens("$300 $"), [Token::Remark("$300"), Token::Unknown("$")]);
}

#[test]
fn what_is_no_move_is_unknown() {
    for word in [
        "Sf3",
        "♘f3",
        "e7_e5",
        "e7--e5",
        "e7-e9",
        "g1f3q",
        "N-f3",
        "Ng1-3",
        "Nf",
        "12x",
        "99999999999",
        "Q@f7",
        "e9",
        "}",
        "\u{0}",
    ] {
        assert_eq!(tokens(word), [Token::Unknown(word)]);
    }
    for word in ["--", "Z0", "0000", "@@@@", "--+"] {
        assert_eq!(tokens(word), [Token::Null(word)]);
    }
}

#[test]
fn comments_hide_what_they_hold_and_escaped_lines_are_no_tokens() {
    assert_eq!(tokens("{ a ; [%eval 0.1]\n\n(b }"), [Token::Comment(" a ; [%eval 0.1]\n\n(b ")]);
    assert_eq!(tokens("e4 ; a } b\n%e5\nd5"), [mv("e4", "e4"), Token::Comment(" a } b"), mv("d5", "d5")]);
}

#[test]
fn a_comment_ends_where_the_next_game_begins() {
    let text = "{ a [White \"x\"]\n[White \"y\"]\n\n[White \"z\"]";
    assert_eq!(tokens(text), [Token::Unterminated("{ a [White \"x\"]\n[White \"y\"]\n\n")]);
    assert_eq!(tokens("{a\n[Event \"x\"] }"), [Token::Unterminated("{a\n")]);
}
