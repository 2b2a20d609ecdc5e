"""Checks that pyarrow reads the same values from an archive's Parquet files as the CSV files have.

    check.py PROGRAM GAMES.pgn
"""

import csv
import math
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter

import pyarrow.parquet as parquet


def rows_of_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def same(cell, value):
    """Returns whether a cell of the CSV equals a value of the Parquet file, to the decimals of the cell."""
    if value is None or cell == "":
        return value in (None, "") and cell == ""
    if isinstance(value, float):
        decimals = len(cell.partition(".")[2])
        return math.isclose(float(cell), value, rel_tol=0, abs_tol=0.5001 * 10.0**-decimals)
    return cell.removeprefix("'") == str(value)


def check_table(folder, name):
    expected = rows_of_csv(folder / f"{name}.csv")
    table = parquet.read_table(folder / f"{name}.parquet")
    found = table.to_pylist()
    assert table.column_names == list(expected[0]), f"{name}: columns {table.column_names}"
    assert len(found) == len(expected), f"{name}: {len(found)} rows, not {len(expected)}"
    for at, (ours, theirs) in enumerate(zip(expected, found)):
        for column in table.column_names:
            assert same(ours[column], theirs[column]), (
                f"{name}, row {at}, {column}: {ours[column]!r} in CSV, {theirs[column]!r} in Parquet"
            )
    return len(found)


def check_part(folder, part):
    """Checks that the counts of a part equal those of the histograms and those of the single moves. Returns their number."""
    rows = parquet.read_table(part).to_pylist()
    assert len({row["terms"] for row in rows}) == 1, "a part has one way of counting"
    gains = {(row["group"], row["key"]): row["value"] for row in rows if row["count"] == "gain"}
    bins = rows_of_csv(folder / "group-histograms.csv")
    assert gains == {(row["group"], int(row["gain"])): int(row["count"]) for row in bins}, "histograms"
    moves = rows_of_csv(folder / "archive-moves.csv")
    assert gains == Counter((row["group"], int(row["gain"])) for row in moves), "moves"
    return len(rows)


def main(program, games):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        part = folder / "part.parquet"
        subprocess.run(
            [program, "archive", games, "--by", "player", "--moves", "--format", "csv,parquet", "--plots", "none"]
            + ["--partial", part, "--output", folder, "--quiet"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        for table in ("groups", "group-histograms", "archive-moves"):
            print(f"{table}: {check_table(folder, table)} equal rows in CSV and Parquet")
        print(f"part: {check_part(folder, part)} counts equal those of the histograms and the moves")


if __name__ == "__main__":
    main(*sys.argv[1:])
