"""Rates chess players by their moves, and gives the results as tables for pandas, polars, pyarrow and DuckDB.

    import gainalyze

    result = gainalyze.rate("tournament.pgn")
    print(result.headline)
    players = result.players.to_pandas()

Each function runs the program `gainalyze` that was installed with this package, so numbers and messages are those of
the command. Keyword arguments are the program's long options: `depth=12` is `--depth 12`, `min_elo=2200` is
`--min-elo 2200`. True stands for an option without a value. None and False leave an option out. A list repeats an
option, and a dictionary repeats it with `NAME=VALUE`: `elo={"Carlsen": 2870}`. `gainalyze rate --help` lists the
options of `rate`.

Notes and progress go to standard error, unless `quiet=True`. Other threads run during a search. Ctrl-C ends a search as
it does in a terminal: finished segments stay in the store, and the same call resumes.

The alternative was measured: an extension module by pyo3 that is also the program. The module has 122.7 MB and the
program too (stripped development builds; 29.3 MB of the wheel), so the wheel is no smaller. Every command would wait
for Python (0.05 s instead of 0.03 s). A crash or a lack of memory would end the notebook, and so would each exit of
the program. It would save the way through files: reading the six tables of 56 games takes 0.06 s.
"""

from __future__ import annotations

from importlib.metadata import version as _version
from pathlib import Path as _Path

from ._program import Error, Games, Option, PathLike
from ._result import Column, Figure, Result, Table, made

__all__ = ["Column", "Error", "Figure", "Result", "Table", "analyze", "archive", "rate", "read"]
__version__ = _version("gainalyze")


def rate(pgn: Games, **options: Option) -> Result:
    """Rates the players of games by their moves alone, after a quick search.

    Ratings are in Elo points with 95 % intervals, losses in centipawns; `Table.columns` has the unit of each column.

    pgn: a PGN file or a folder of them, the text of games, or a list of these. A text has at least two lines.
    options: those of `gainalyze rate`, such as `since=2024` or `engine="builtin"`.
    Raises `Error` with the program's message.
    """
    return made("rate", pgn, options)


def analyze(pgn: Games, **options: Option) -> Result:
    """Analyzes a tournament: all that `rate` gives, from a search with your engine, depth and method.

    pgn: as for `rate`.
    options: those of `gainalyze analyze`, such as `depth=14` in plies, `nodes=100_000` or `split=["phase", "color"]`.
    Raises `Error` with the program's message.
    """
    return made("analyze", pgn, options)


def archive(paths: Games, by: Option, **options: Option) -> Result:
    """Counts the recorded evaluations of games by group, in archives of any size. Searches nothing.

    Its main table is `groups`: gains and losses in centipawns, strengths in Elo points.

    paths: PGN files, packed or not, and folders of them.
    by: the groups, such as `"elo-band"`, `"player"` or `"speed,elo-band"`.
    options: those of `gainalyze archive`.
    Raises `Error` with the program's message.
    """
    return made("archive", paths, {"by": by, **options})


def read(folder: PathLike) -> Result:
    """Reads the folder of an earlier run.

    A report without tables in Parquet or pictures as SVG is made again by `gainalyze report` when you ask for them:
    elsewhere, without an engine, with the same numbers.

    Raises `NotADirectoryError` if there is no such folder.
    """
    path = _Path(folder)
    if not path.is_dir():
        raise NotADirectoryError(f"{path}: no such folder")
    return Result(path)
