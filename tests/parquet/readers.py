"""Checks that a reader of Parquet can filter, sort, subtract and group the tables of a report.

    readers.py pyarrow|duckdb|polars FOLDER

Each answer is compared with Python's answer from the same table as CSV.
"""

import csv
import json
import pathlib
import sys
from collections import defaultdict


class Arrow:
    """Reads with pyarrow, today's version or that of 2023."""

    def __init__(self, path):
        import pyarrow.compute as compute
        import pyarrow.parquet as parquet

        self.compute = compute
        self.table = parquet.read_table(path)
        self.path = path
        self.footer = parquet.read_metadata(path).metadata

    def types(self):
        return {field.name: str(field.type) for field in self.table.schema}

    def facts(self):
        return {key.decode(): value.decode() for key, value in self.footer.items()}

    def meaning(self, column):
        return self.table.schema.field(column).metadata[b"description"].decode()

    def count(self, column, value):
        return self.table.filter(self.compute.equal(self.table[column], value)).num_rows

    def sorted(self, column):
        return self.table.sort_by(column)[column].to_pylist()

    def differences(self, one, other):
        return self.compute.subtract(self.table[one], self.table[other]).to_pylist()

    def sums(self, by, of):
        grouped = self.table.group_by(by).aggregate([(of, "sum")]).to_pylist()
        return {row[by]: row[f"{of}_sum"] for row in grouped}


class Duck:
    """Reads with duckdb."""

    def __init__(self, path):
        import duckdb

        self.base = duckdb.connect()
        self.base.execute(f"create view t as select * from read_parquet('{path}')")
        self.path = path

    def rows(self, query, *values):
        return self.base.execute(query, values).fetchall()

    def types(self):
        return {row[0]: row[1] for row in self.rows("describe t")}

    def facts(self):
        found = self.rows(f"select key, value from parquet_kv_metadata('{self.path}')")
        return {key.decode(): value.decode() for key, value in found}

    def count(self, column, value):
        return self.rows(f'select count(*) from t where "{column}" = ?', value)[0][0]

    def sorted(self, column):
        return [row[0] for row in self.rows(f'select "{column}" from t order by "{column}" nulls last')]

    def differences(self, one, other):
        return [row[0] for row in self.rows(f'select "{one}" - "{other}" from t')]

    def sums(self, by, of):
        return dict(self.rows(f'select "{by}", sum("{of}") from t group by 1'))


class Polars:
    """Reads with polars."""

    def __init__(self, path):
        import polars

        self.pl = polars
        self.table = polars.read_parquet(path)

    def types(self):
        return {name: str(kind) for name, kind in self.table.schema.items()}

    def count(self, column, value):
        return self.table.filter(self.pl.col(column) == value).height

    def sorted(self, column):
        return self.table.sort(column, nulls_last=True)[column].to_list()

    def differences(self, one, other):
        return self.table.select(self.pl.col(one) - self.pl.col(other)).to_series().to_list()

    def sums(self, by, of):
        return dict(self.table.group_by(by).agg(self.pl.col(of).sum()).iter_rows())


READERS = {"pyarrow": Arrow, "duckdb": Duck, "polars": Polars}

# Prefixes of the names of unsigned types.
WITHOUT_SIGN = ("uint", "ubigint", "uinteger", "usmallint", "utinyint")


def value(text, kind):
    """Returns a cell of the CSV as the Parquet file has it. The apostrophe before formulas is only in the CSV."""
    if kind == "text":
        return text.removeprefix("'") if text else None
    read = {"flag": lambda: text == "true", "integer": lambda: int(text), "number": lambda: float(text)}
    return read[kind]() if text else None


def check(reader, folder, name):
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    table = reader(folder / f"{name}.parquet")
    for column, kind in table.types().items():
        assert not kind.lower().startswith(WITHOUT_SIGN), f"{name}.{column} is {kind}: differences below 0 overflow"
        assert "view" not in kind.lower(), f"{name}.{column} is {kind}: some readers do not support it"
    columns = [column for column in described(folder, name) if column["name"] in lines[0]]
    kinds = {column["name"]: column["type"] for column in columns}
    assert list(kinds) == list(table.types()) == list(lines[0]), f"{name}: {list(kinds)}"
    if hasattr(table, "facts"):
        facts = table.facts()
        assert json.loads(facts["gainalyze.columns"]) == columns, f"{name}: the dictionary in the file"
        missing = {"gainalyze.version", "gainalyze.row", "gainalyze.engine", "gainalyze.method"} - facts.keys()
        assert not missing, f"{name}: no {missing}"
        assert facts["gainalyze.table"] == name
    if hasattr(table, "meaning"):
        for column in columns:
            assert table.meaning(column["name"]) == column["meaning"], f"{name}.{column['name']}"
    cells = {column: [value(line[column], kinds[column]) for line in lines] for column in kinds}
    asked = 0
    for column, kind in kinds.items():
        known = [cell for cell in cells[column] if cell is not None]
        if kind in ("text", "integer") and known:
            wanted = known[len(known) // 2]
            assert table.count(column, wanted) == known.count(wanted), f"{name}.{column} = {wanted!r}"
            expected = sorted(known, key=lambda cell: cell.encode() if kind == "text" else cell)
            found = [cell for cell in table.sorted(column) if cell not in (None, "")]
            assert found == expected, f"{name} by {column}"
            asked += 2
    whole = [column for column, kind in kinds.items() if kind == "integer" and None not in cells[column]]
    for one, other in zip(whole, whole[1:]):
        expected = [a - b for a, b in zip(cells[one], cells[other])]
        assert table.differences(one, other) == expected, f"{name}: {one} − {other}"
        asked += 1
    for by in (column for column, kind in kinds.items() if kind == "text"):
        for of in whole[-1:]:
            expected = defaultdict(int)
            for group, cell in zip(cells[by], cells[of]):
                expected[group] += cell
            # Python's CSV reader does not distinguish empty and missing texts.
            found = {group or None: total for group, total in table.sums(by, of).items()}
            assert found == expected, f"{name}: sum of {of} by {by}"
            asked += 1
    return asked


def described(folder, name):
    """Returns the columns of a table from schema.json, the output of `gainalyze schema --json`."""
    tables = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
    return next(table["columns"] for table in tables if table["table"] == name)


def main(name, folder):
    reader, folder = READERS[name], pathlib.Path(folder)
    for table in sorted(path.stem for path in folder.glob("*.parquet")):
        print(f"{name}: {table}: {check(reader, folder, table)} answers equal those from the CSV")


if __name__ == "__main__":
    main(*sys.argv[1:])
