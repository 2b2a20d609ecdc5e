"""`Result` and `Table`: the files of a run as tables, sentences, pictures and a page."""

from __future__ import annotations

import contextlib
import html
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ._program import Games, Option, program, run, several

if TYPE_CHECKING:
    import pandas

# Maximum number of rows of a ranking in a notebook.
SHOWN = 25


class Column(NamedTuple):
    """A column of a table: its type (`text`, `integer`, `number` or `flag`), its unit, and its meaning."""

    type: str
    unit: str
    meaning: str


class Figure(str):
    """A picture as SVG. Notebooks display it."""

    def _repr_svg_(self) -> str:
        return str(self)


class Table:
    """A table of a result. Any library that supports Arrow reads it without a copy.

        pandas.DataFrame.from_arrow(table)     # from pandas 3 on; earlier: table.to_pandas()
        polars.DataFrame(table)
        pyarrow.table(table)
        duckdb.sql("SELECT * FROM table")

    Numbers have full precision, and unknown values are null. `columns` has the units.
    """

    def __init__(self, path: Path, kept: object) -> None:
        self.path = path
        self.name = path.stem
        # A reference to the temporary folder, which is deleted without one.
        self._kept = kept

    @property
    def columns(self) -> dict[str, Column]:
        """All columns that a table of this name can have, by name, each with type, unit and meaning."""
        command = [program(), "schema", self.name, "--json"]
        described = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        columns = (column for table in described for column in table["columns"])
        return {column.pop("name"): Column(**column) for column in columns}

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """Returns the table as a DataFrame. The options go to `pandas.read_parquet`."""
        import pandas

        return pandas.read_parquet(self.path, **options)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return read_parquet(self.path).__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str | None:
        with contextlib.suppress(ImportError):
            return str(self.to_pandas().to_html(max_rows=10, max_cols=20, show_dimensions=True))
        return None

    def __repr__(self) -> str:
        return f"<gainalyze table {self.name!r}: {self.path}>"


class Result:
    """The result of a run. Its tables are attributes with the program's names, such as `players` or `moves`.
    Hyphens in names become underscores.

    A notebook shows the headline and the ranking. `print(result)` prints the program's output.
    """

    def __init__(self, folder: Path, printed: str = "", kept: object = None) -> None:
        self.folder = folder
        self._printed = printed
        self._kept = kept
        self._again: Result | None = None

    @property
    def headline(self) -> str:
        """The findings, one sentence per line, the most important first. Without a page: the program's output."""
        if not self._has("report.html"):
            return self._printed.strip()
        return "\n".join(html.unescape(sentence) for sentence in SENTENCE.findall(self.page()))

    @property
    def tables(self) -> dict[str, Table]:
        """The tables, by their names as attributes of the result."""
        source = self._with("parquet")
        return {path.stem.replace("-", "_"): Table(path, source._kept) for path in source._files("parquet")}

    @property
    def figures(self) -> list[str]:
        """The names of the pictures."""
        return [path.stem for path in self._with("svg")._files("svg")]

    def figure(self, name: str) -> Figure:
        """Returns a picture, such as `ranking`, as SVG."""
        if name not in self.figures:
            raise KeyError(f"no figure {name!r} in this result; its figures are {', '.join(self.figures) or 'none'}")
        return Figure((self._with("svg").folder / f"{name}.svg").read_text("utf-8"))

    def page(self) -> str:
        """Returns the report's page as HTML. The page needs no other files."""
        return (self.folder / "report.html").read_text("utf-8")

    def _has(self, name: str) -> bool:
        return (self.folder / name).is_file()

    def _files(self, kind: str) -> list[Path]:
        return sorted(self.folder.glob(f"*.{kind}"))

    def _with(self, kind: str) -> Result:
        """Returns a result with files of this kind: this one, or the same report made again in a temporary folder."""
        if self._kept or self._files(kind) or not self._has("summary.json"):
            return self
        if self._again is None:
            self._again = made("report", self.folder, {"quiet": True})
        return self._again

    def __getattr__(self, name: str) -> Table:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.tables[name]
        except KeyError:
            known = ", ".join(self.tables) or "none"
            raise AttributeError(f"no table {name!r} in this result; its tables in Parquet are {known}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.tables]

    def __repr__(self) -> str:
        return f"<gainalyze result: {self.folder}>"

    def __str__(self) -> str:
        return self._printed or self.headline

    def _repr_html_(self) -> str:
        if not self._has("report.html"):
            return f"<pre>{html.escape(str(self))}</pre>"
        page = self.page()
        sentences = "\n".join(f"<p>{sentence}</p>" for sentence in SENTENCE.findall(page))
        ranking = TABLE.search(page)
        return sentences + "\n" + (shortened(AXIS.sub("", ranking.group())) if ranking else "")


SENTENCE = re.compile(r'<(?:h1 class="finding[^"]*"|p class="sentence")>(.*?)</(?:h1|p)>')
TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
# The cells with bars, which need the page's style.
AXIS = re.compile(r'<td class="axis".*?</td>')


def shortened(table: str) -> str:
    """Returns an HTML table with at most `SHOWN` rows."""
    rows = table.split("</tr>")
    left = len(rows) - 2 - SHOWN
    if left <= 0:
        return table
    return "</tr>".join(rows[: SHOWN + 1]) + f"</tr></tbody></table><p>{left} more rows.</p>"


def made(verb: str, games: Games, options: Mapping[str, Option]) -> Result:
    """Runs a verb and returns its result. Without the option `output`, the files are in a temporary folder."""
    options = {"plots": "svg", **options}
    formats = options.get("format")
    options["format"] = [*several(formats), "parquet"] if formats else "parquet"
    output = options.get("output")
    if isinstance(output, (str, os.PathLike)):
        return Result(Path(output), run(verb, games, options))
    kept = tempfile.TemporaryDirectory(prefix="gainalyze-")
    return Result(Path(kept.name), run(verb, games, {**options, "output": kept.name}), kept)


def read_parquet(path: Path) -> Any:
    """Reads a table with pyarrow, polars or duckdb: a library that is already loaded, else one that is installed."""
    readers: dict[str, Callable[[Any], Any]] = {
        "pyarrow.parquet": lambda arrow: arrow.read_table(path),
        "polars": lambda polars: polars.read_parquet(path),
        # A new connection, because DuckDB's default connection may be inside a query on this table.
        "duckdb": lambda duckdb: duckdb.connect().read_parquet(str(path)),
    }
    for module in sorted(readers, key=lambda module: module not in sys.modules):
        with contextlib.suppress(ImportError):
            return readers[module](importlib.import_module(module))
    raise ImportError("tables need pyarrow, polars or duckdb: pip install pyarrow")
