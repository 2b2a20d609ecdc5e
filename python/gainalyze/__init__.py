"""Rates chess players by their moves, and returns the results as tables for pandas, polars, pyarrow and DuckDB.

    import gainalyze

    result = gainalyze.rate("tournament.pgn")
    print(result.headline)
    players = result.players.to_pandas()

Each function runs the program `gainalyze`, which is part of this package, so numbers and messages are those of the
command. Keyword arguments are the program's long options: `depth=12` is `--depth 12`, `min_elo=2200` is
`--min-elo 2200`. True sets an option that takes no value. None and False leave an option out. A list repeats the option
for each item, and a dictionary repeats it with `NAME=VALUE`: `elo={"Carlsen": 2870}`. `gainalyze rate --help` lists
the options of `rate`.

Notes and progress go to standard error, unless `quiet=True`. Other Python threads keep running during a search. Ctrl-C
ends a search as in a terminal: finished segments stay in the store, and the same call resumes the search.

An alternative was measured: an extension module by pyo3 that also replaces the program. The wheel would not be smaller:
module and program have 122.7 MB each (stripped development builds; 29.3 MB in the wheel). Every command would wait for
Python (0.05 s instead of 0.03 s). A crash, a lack of memory or any exit of the program would end the notebook. The only
gain would be that results need no files; reading the six tables of 56 games from files takes 0.06 s.
"""

from __future__ import annotations

from importlib.metadata import version as _version
from pathlib import Path as _Path

from ._program import Error, Games, Option, PathLike, run
from ._result import Column, Figure, Result, Table, made

__all__ = ["Column", "Error", "Figure", "Result", "Table", "analyze", "archive", "expect", "rate", "read"]
__version__ = _version("gainalyze")


def rate(pgn: Games, **options: Option) -> Result:
    """Rates the players of games by their moves alone, after a quick search.

    Ratings are in Elo points with 95 % intervals, and losses in centipawns. `Table.columns` has each column's unit.

    pgn: a PGN file, a folder of PGN files, the text of games, or a list of these. A text has at least two lines.
    options: those of `gainalyze rate`, such as `since=2024` or `engine="builtin"`.
    Raises `Error` with the program's message.
    """
    return made("rate", pgn, options)


def analyze(pgn: Games, **options: Option) -> Result:
    """Analyzes a tournament with your choice of engine, depth and method. Returns everything that `rate` returns.

    pgn: as for `rate`.
    options: those of `gainalyze analyze`, such as `depth=14` in plies, `nodes=100_000` or `split=["phase", "color"]`.
    Raises `Error` with the program's message.
    """
    return made("analyze", pgn, options)


def archive(paths: Games, by: Option, **options: Option) -> Result:
    """Counts the recorded evaluations of games by group, in archives of any size. Searches nothing.

    The main table of the result is `groups`, with gains and losses in centipawns and strengths in Elo points.

    paths: PGN files, compressed or not, and folders of PGN files.
    by: the groups, such as `"elo-band"`, `"player"` or `"speed,elo-band"`.
    options: those of `gainalyze archive`.
    Raises `Error` with the program's message.
    """
    return made("archive", paths, {"by": by, **options})


def expect(elo: float, **options: Option) -> str:
    """Returns what is usual at a rating, or how unusual a game is, as `gainalyze expect` prints it.

    elo: a rating in Elo points, on the scale of the option `scale`.
    options: those of `gainalyze expect`, such as `scale="lichess-rapid"`, `accuracy=97` in percent or `game_moves=38`.
    Raises `Error` with the program's message.
    """
    return run("expect", [], {"elo": elo, **options})


def read(folder: PathLike) -> Result:
    """Reads the result folder of an earlier run.

    If the folder has no Parquet tables or SVG pictures and you ask for them, `gainalyze report` makes the report again
    in a temporary folder, without an engine and with the same numbers.

    Raises `NotADirectoryError` if there is no such folder, and `Error` if a file has changed since the run wrote it.
    """
    path = _Path(folder)
    if not path.is_dir():
        raise NotADirectoryError(f"{path}: no such folder")
    run("report", [path], {"check": True, "quiet": True})
    return Result(path)
