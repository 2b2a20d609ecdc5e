"""Checks that other programs read the PGN file of a deep analysis as the same tree as its JSON file.

    tree.py FOLDER

The exit code is 1 if one of these checks fails:

- python-chess reads FOLDER/tree.pgn without errors. Every move is in FOLDER/summary.json, with the same scores in its evaluation
  and comment. The main line is the same, the engine's line after it included.
- pgn-extract accepts the file. Its output passes the first check and has the same number of moves.
- The file has the grammar of lichess's importer.
"""

import io
import json
import pathlib
import re
import shutil
import subprocess
import sys

import chess
import chess.engine
import chess.pgn

# Both scores, as in "idea +0.21, alpha ≥#3".
SCORES = re.compile(r"\bidea\s(\S+),\salpha\s([^\s}]+)")


def key(board, move):
    """Returns a position and a move in it. The position has no move counters, because they depend on the path to it."""
    return board.epd(), board.uci(move)


def score_of(entry):
    """Returns a score of the JSON file, from White's view."""
    return chess.engine.Cp(entry["cp"]) if "cp" in entry else chess.engine.Mate(entry["mate"])


def said(entry):
    """Returns a score in the notation of the comments."""
    score, mark = score_of(entry), {"exact": "", "at least": "≥", "at most": "≤"}[entry["bound"]]
    return mark + (f"#{score.mate()}" if score.is_mate() else f"{score.score() / 100:+.2f}")


def scores_of(tree):
    """Returns the idea score and the alpha score of each move in the JSON file."""
    found = {}
    for node in tree["nodes"]:
        board = chess.Board(node["fen"])
        for move in node["moves"]:
            found[key(board, chess.Move.from_uci(move["uci"]))] = (move["idea"], move["alpha"])
    return found


def check(tree, text):
    """Checks every move of the game and its variations. Returns their number."""
    pgn = io.StringIO(text)
    game, second = chess.pgn.read_game(pgn), chess.pgn.read_game(pgn)
    assert second is None, "more than one game"
    # Illegal moves are among the errors.
    assert not game.errors, game.errors
    assert game.board().fen() == tree["fen"], "the root"
    scores, count, left = scores_of(tree), 0, list(game.variations)
    # A tree of version 0.1.0 has no line of the engine, and always both scores.
    line, engine = tree["depths"][-1]["line"], tree["depths"][-1].get("engine_line")
    is_old, engine = engine is None, engine or []
    while left:
        node = left.pop()
        left.extend(node.variations)
        count += 1
        if "engine's line" in node.comment:
            # The rest of the main line is the engine's.
            rest = [node.san()] + [after.san() for after in node.mainline()]
            assert rest == engine and node.is_main_variation(), rest
            count += len(rest) - 1
            left = [other for other in left if other not in node.variations]
            continue
        idea, alpha = scores[key(node.parent.board(), node.move)]
        assert node.eval() is not None and node.eval().white() == score_of(alpha), f"{node}: {node.comment}"
        comment = SCORES.search(node.comment.strip())
        is_one = not is_old and idea == alpha and alpha["bound"] == "exact"
        expected = None if is_one else (said(idea), said(alpha))
        assert (comment and comment.groups()) == expected, f"{node}: {node.comment}"
    main = [node.san() for node in game.mainline()]
    assert main == (line + engine)[: len(main)] and main, f"the main line {main}"
    return count


def extracted(path):
    """Returns the output of pgn-extract for a file."""
    # Debian installs it in /usr/games.
    program = shutil.which("pgn-extract") or "/usr/games/pgn-extract"
    run = subprocess.run([program, "--linelength", "100", path], capture_output=True, text=True, encoding="utf-8", check=False)
    # If it leaves something out, it says so and still exits with 0.
    assert run.returncode == 0 and "1 game matched out of 1." in run.stderr, run.stderr
    mistakes = [line for line in run.stderr.splitlines() if "File " in line or "rror" in line]
    assert not mistakes, mistakes
    return run.stdout


# The tokens of scalachess's Parser.scala, with which lichess imports games and studies. Names of tags have only letters. A move
# number is not followed by a hyphen or a slash. A comment ends at the first closing brace.
TAG = re.compile(r'\[[A-Za-z]+[ \t]+"(?:\\["\\]|[^"])*"\]\s*')
NUMBER = re.compile(r"[1-9][0-9]*(?![\u2011\u2013\-/\u00bd])[.\s]*")
COMMENT = re.compile(r"\{[^}]*\}\s*")
CASTLING = r"O-O-O|O-O"
PIECE = r"[KQRBN][a-h]?[1-8]?x?[a-h][1-8]"
PAWN = r"[a-h]?[1-8]?x?[a-h][1-8](?:=?[QRBN])?"
MOVE = re.compile(rf"(?:{CASTLING}|{PIECE}|{PAWN})(?:#|\+\+)?\+?\s*(?:\$[0-9]+\s*)*")
RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2|\*)\s*")


class Importer:
    """Reads a game as the importer does: a move number with comments, a move, its comments, its variations, more comments."""

    def __init__(self, text):
        self.text, self.at, self.moves = text, 0, 0

    def skip(self, *tokens):
        """Skips any number of these tokens. Returns their number."""
        count = 0
        while match := next(filter(None, (token.match(self.text, self.at) for token in tokens)), None):
            self.at, count = match.end(), count + 1
        return count

    def line(self):
        """Reads moves to the end of a game or a variation."""
        while True:
            self.skip(NUMBER, COMMENT)
            match = MOVE.match(self.text, self.at)
            if not match:
                return
            self.at, self.moves = match.end(), self.moves + 1
            self.skip(COMMENT)
            while self.text[self.at : self.at + 1] == "(":
                self.at += 1
                self.line()
                assert self.text[self.at : self.at + 1] == ")", self.text[self.at :][:80]
                self.at += 1
                self.at += len(self.text[self.at :]) - len(self.text[self.at :].lstrip())
            self.skip(COMMENT)

    def game(self):
        """Reads a game to the end of the text. Returns its number of moves, those of variations included."""
        self.skip(TAG)
        self.line()
        results = self.skip(RESULT)
        assert (results, self.text[self.at :]) == (1, ""), f"not read by lichess: {self.text[self.at :][:80]!r}"
        return self.moves


def main(name):
    folder = pathlib.Path(name)
    tree = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    text = (folder / "tree.pgn").read_text(encoding="utf-8")
    count = check(tree, text)
    assert count > 1, "a tree has more than one move"
    again = check(tree, extracted(folder / "tree.pgn"))
    assert again == count, f"pgn-extract keeps {again} of {count} moves"
    imported = Importer(text).game()
    assert imported == count, f"lichess's importer reads {imported} of {count} moves"
    print(f"{name}: {count} moves have the scores of summary.json in python-chess and pgn-extract, and lichess's grammar")


if __name__ == "__main__":
    main(*sys.argv[1:])
