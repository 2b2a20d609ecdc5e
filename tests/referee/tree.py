"""Whether the tree of a deep analysis as PGN is the one of its JSON file, as python-chess reads both.

    tree.py FOLDER

Ends with 1 if python-chess finds a mistake in FOLDER/tree.pgn, or if a move of it is illegal or not in FOLDER/tree.json,
if its evaluation or its comment does not give the scores it has there, or if the main line is another one.
"""

import json
import pathlib
import re
import sys

import chess
import chess.engine
import chess.pgn

# Both scores, as in "idea +0.21, alpha ≥#3".
SCORES = re.compile(r"\bidea\s(\S+),\salpha\s(\S+)$")


def key(board, move):
    """A position without its clocks, which differ with the way that leads there, and a move in it."""
    return board.epd(), board.uci(move)


def score_of(entry):
    """A score of the JSON file, White's view."""
    return chess.engine.Cp(entry["cp"]) if "cp" in entry else chess.engine.Mate(entry["mate"])


def said(entry):
    """A score as comments write it."""
    score, mark = score_of(entry), {"exact": "", "at least": "≥", "at most": "≤"}[entry["bound"]]
    return mark + (f"#{score.mate()}" if score.is_mate() else f"{score.score() / 100:+.2f}")


def scores_of(tree):
    """What the JSON file has for each move: idea score, alpha score."""
    found = {}
    for node in tree["nodes"]:
        board = chess.Board(node["fen"])
        for move in node["moves"]:
            found[key(board, chess.Move.from_uci(move["uci"]))] = (move["idea"], move["alpha"])
    return found


def check(folder):
    """Checks every move of the game and its variations; returns how many there are."""
    tree = json.loads((folder / "tree.json").read_text(encoding="utf-8"))
    with open(folder / "tree.pgn", encoding="utf-8") as pgn:
        game, second = chess.pgn.read_game(pgn), chess.pgn.read_game(pgn)
    assert second is None, "one game"
    # An illegal move is one of them.
    assert not game.errors, game.errors
    assert game.board().fen() == tree["fen"], "the root"
    scores, count, left = scores_of(tree), 0, list(game.variations)
    while left:
        node = left.pop()
        left.extend(node.variations)
        idea, alpha = scores[key(node.parent.board(), node.move)]
        assert node.eval() is not None and node.eval().white() == score_of(alpha), f"{node}: {node.comment}"
        comment = SCORES.search(node.comment.strip())
        assert comment and comment.groups() == (said(idea), said(alpha)), f"{node}: {node.comment}"
        count += 1
    line = [node.san() for node in game.mainline()]
    assert line == tree["depths"][-1]["line"][: len(line)] and line, f"the main line {line}"
    return count


def main(name):
    count = check(pathlib.Path(name))
    assert count > 1, "a tree has more than one move"
    print(f"{name}: {count} moves as python-chess reads them, with the scores of tree.json")


if __name__ == "__main__":
    main(*sys.argv[1:])
