"""Checks that the engine plays by the rules. python-chess sets up the positions, keeps the clocks and checks the moves.

    play.py [--games N] [--kinds KIND,...] [--clock SECONDS+INCREMENT] [--nodes N] [--plies N]
            [--against COMMAND [--elo N]] -- PROGRAM ARGUMENT...

The engine plays itself or another engine. There are four kinds of games: by the clock, by the clock with pondering, by nodes,
and Chess960 by nodes. The kinds alternate after two games. The exit code is 1 if a move is illegal, an engine ends, or PROGRAM
runs out of time. If the other engine runs out of time, PROGRAM wins the game.
"""

import argparse
import random
import shlex
import sys
import time
from collections import Counter

import chess
import chess.engine

TIMED = ("clock", "ponder")
KINDS = (*TIMED, "nodes", "chess960")


def opening(kind, seed):
    """Returns a position after a few random moves, which depend only on the seed."""
    draw = random.Random(seed)
    while True:
        board = chess.Board.from_chess960_pos(draw.randrange(960)) if kind == "chess960" else chess.Board()
        for _ in range(6):
            board.push(draw.choice(list(board.legal_moves)))
            if not any(board.legal_moves):
                break
        else:
            return board


class Clocks:
    """The remaining seconds of both sides, and the least that the sides in `ours` ever had."""

    def __init__(self, base, increment, ours):
        self.left = {chess.WHITE: base, chess.BLACK: base}
        self.increment = increment
        self.ours = ours
        self.least = base

    def limit(self):
        return chess.engine.Limit(
            white_clock=self.left[chess.WHITE],
            black_clock=self.left[chess.BLACK],
            white_inc=self.increment,
            black_inc=self.increment,
        )

    def spend(self, side, seconds):
        """Subtracts the time of a move. Returns whether the move was in time."""
        self.left[side] -= seconds
        if side in self.ours:
            self.least = min(self.least, self.left[side])
        in_time = self.left[side] >= 0
        if in_time:
            self.left[side] += self.increment
        return in_time


def play(players, ours, kind, options, seed):
    """Plays one game. Returns its result, its number of plies, and the least time on our clocks."""
    board = opening(kind, seed)
    clocks = Clocks(*options.clock, ours)
    game = object()
    timed = kind in TIMED
    while not board.is_game_over(claim_draw=True) and board.ply() < (options.plies if timed else 1000):
        side = board.turn
        limit = clocks.limit() if timed else chess.engine.Limit(nodes=options.nodes)
        begun = time.monotonic()
        # python-chess raises an error for an illegal move.
        move = players[side].play(board, limit, game=game, ponder=kind == "ponder").move
        if move is None:
            raise chess.engine.EngineError(f"no move in {board.fen()}")
        if timed and not clocks.spend(side, time.monotonic() - begun):
            if side not in ours:
                return "won on time", board.ply(), clocks.least
            raise chess.engine.EngineError(f"out of time by {-clocks.left[side]:.3f} s in {board.fen()}")
        board.push(move)
    outcome = board.outcome(claim_draw=True)
    return outcome.result() if outcome else "cut short", board.ply(), clocks.least


def check_analysis(engine):
    """Checks a search with several lines, an endless search, a search of given moves, and a search for a mate."""
    board = chess.Board()
    lines = engine.analyse(board, chess.engine.Limit(nodes=2000), multipv=3)
    scores = [line["score"].relative for line in lines]
    assert len(lines) == 3 and scores == sorted(scores, reverse=True), lines
    assert len({line["pv"][0] for line in lines}) == 3, lines
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break
    only = [chess.Move.from_uci("h2h4")]
    assert engine.analyse(board, chess.engine.Limit(depth=3), root_moves=only)["pv"][0] == only[0]
    mate = chess.Board("6k1/8/8/8/8/8/1R6/R5K1 w - - 0 1")
    assert engine.analyse(mate, chess.engine.Limit(mate=2))["score"].relative == chess.engine.Mate(2)


def clock(text):
    base, _, increment = text.partition("+")
    return float(base), float(increment or 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=2 * len(KINDS))
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=KINDS)
    parser.add_argument("--clock", type=clock, default="2+0.2")
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--plies", type=int, default=1000, help="longest game by the clock")
    parser.add_argument("--against", type=shlex.split)
    parser.add_argument("--elo", type=int, help="UCI_Elo of the other engine")
    parser.add_argument("--hash", type=int, default=16)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    other = options.against or options.program
    with (
        chess.engine.SimpleEngine.popen_uci(options.program, timeout=60) as ours,
        chess.engine.SimpleEngine.popen_uci(other, timeout=60) as theirs,
    ):
        if "Hash" in ours.options:
            ours.configure({"Hash": options.hash})
        if options.elo:
            theirs.configure({"UCI_LimitStrength": True, "UCI_Elo": options.elo})
        # An engine without MultiPV only plays.
        if "MultiPV" in ours.options:
            check_analysis(ours)
        points, least, plies = Counter(), {}, 0
        for number in range(options.games):
            kind = options.kinds[number // 2 % len(options.kinds)]
            ours_is_white = number % 2 == 0
            players = {chess.WHITE: ours if ours_is_white else theirs, chess.BLACK: theirs if ours_is_white else ours}
            colors = [ours_is_white] if options.against else chess.COLORS
            try:
                result, length, left = play(players, colors, kind, options, seed=number // 2)
            except (chess.engine.EngineError, chess.engine.EngineTerminatedError) as error:
                print(f"game {number + 1}, {kind}: {error}")
                return 1
            score = {"1-0": "won", "0-1": "lost"} if ours_is_white else {"1-0": "lost", "0-1": "won"}
            points[score.get(result, "drawn" if result == "1/2-1/2" else result)] += 1
            least[kind] = min(least.get(kind, left), left)
            plies += length
        print(f"{ours.id['name']} against {theirs.id['name']}: {options.games} games, {plies} plies,", end=" ")
        print(", ".join(f"{count} {name}" for name, count in points.items()) + ";", end=" ")
        print("no illegal move, no forfeit", end="")
        print("".join(f"; least time left {left:.3f} s ({kind})" for kind, left in least.items() if kind in TIMED))
    return 0


if __name__ == "__main__":
    sys.exit(main())
