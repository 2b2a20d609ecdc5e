"""Tests the library of the wheel: the numbers of the command, readers of tables, threads, Ctrl-C, errors and a notebook."""

import contextlib
import csv
import gc
import json
import os
import pickle
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import pytest

import gainalyze

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "data/candidates-2013-stockfish-15.1-depth-10.pgn"
UNSEARCHED = ROOT / "data/candidates-2013.pgn"
ENGINE = ROOT / "tests/suite/scripted-engine.sh"
FEW = {"max_games": 12, "bootstrap": 100, "quiet": True}


def first_games():
    """Returns the texts of the first twelve games."""
    games = GAMES.read_text("utf-8").split("\n\n[Event ")
    return [games[0], *("[Event " + game for game in games[1:12])]


@pytest.fixture(scope="module")
def result():
    return gainalyze.analyze(GAMES, **FEW)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Returns the result folder of the command, with tables as CSV and JSON."""
    folder = tmp_path_factory.mktemp("command") / "report"
    options = ["--max-games", "12", "--bootstrap", "100", "--quiet", "--format", "csv,json", "--output", folder]
    command = ["gainalyze", GAMES, *options]
    folder.with_suffix(".txt").write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
    return folder


def test_numbers_are_those_of_the_command_to_the_digit(result, folder):
    names = {path.stem.replace("-", "_"): path for path in folder.glob("*.json")}
    del names["summary"], names["run"]
    assert set(result.tables) == set(names)
    for name, path in names.items():
        rows = pyarrow.table(result.tables[name]).to_pylist()
        assert rows == json.loads(path.read_text("utf-8")), name
        with open(path.with_suffix(".csv"), encoding="utf-8", newline="") as file:
            assert list(rows[0]) == next(csv.reader(file)), name


def test_words_are_those_of_the_command(result, folder):
    assert str(result) == folder.with_suffix(".txt").read_text("utf-8")
    first = result.headline.splitlines()[0]
    assert first.startswith("No player stood out")
    assert str(result).replace("\n", " ").startswith(first)


def test_four_readers_take_a_table_without_another_file(result):
    moves = result.moves
    count = pyarrow.table(moves).num_rows
    assert count > 200
    assert polars.DataFrame(moves).height == count
    assert duckdb.sql("SELECT count(*) FROM moves").fetchall() == [(count,)]
    frame = moves.to_pandas()
    assert len(frame) == count
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert pandas.DataFrame.from_arrow(moves).equals(frame)
    losses = frame.groupby("player")["centipawn_loss"].mean()
    mean = polars.DataFrame(moves).group_by("player").agg(polars.col("centipawn_loss").mean())
    assert dict(mean.iter_rows()) == pytest.approx(losses.to_dict(), rel=1e-14)


@pytest.mark.parametrize("reader", ["pyarrow", "polars", *["duckdb"] * (duckdb.__version__ >= "2")])
def test_any_reader_alone_reads_a_table(result, reader):
    blocked = {"pyarrow", "polars", "duckdb"} - {reader}
    take = {
        "pyarrow": "len(pyarrow.table(table))",
        "polars": "polars.DataFrame(table).height",
        "duckdb": "duckdb.sql('SELECT count(*) FROM table_').fetchall()[0][0]",
    }
    code = f"""
import sys
sys.modules.update(dict.fromkeys({blocked!r}))
import gainalyze, {reader}
table = table_ = gainalyze.read({str(result.folder)!r}).players
print({take[reader]})
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.stdout.strip() == str(pyarrow.table(result.players).num_rows), told.stderr


def test_without_a_reader_the_error_names_them(result):
    code = f"""
import sys
sys.modules.update(dict.fromkeys(["pyarrow", "polars", "duckdb"]))
import gainalyze
gainalyze.read({str(result.folder)!r}).players.__arrow_c_stream__()
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install pyarrow" in told.stderr.splitlines()[-1]


def test_columns_have_units(result):
    columns = result.players.columns
    assert columns["elo"].unit == "Elo points" and columns["elo"].type == "number"
    assert set(pyarrow.table(result.players).column_names) <= set(columns)
    assert result.moves.columns["left_s"].unit == "seconds"


def test_a_notebook_gets_the_headline_the_ranking_pictures_and_the_page(result):
    shown = result._repr_html_()
    assert "<p>" + result.headline.splitlines()[0] in shown
    assert shown.count("<tr>") == 1 + pyarrow.table(result.players).num_rows
    assert result.page().startswith("<!doctype html>")
    assert "<svg" in result.figure("ranking") and "ranking" in result.figures
    assert result.players._repr_html_().count("<tr") == 1 + pyarrow.table(result.players).num_rows
    with pytest.raises(KeyError, match="its figures are card, ranking"):
        result.figure("rankings")
    with pytest.raises(AttributeError, match="its tables in Parquet are games, moves, odds, players"):
        result.pairs


def test_a_folder_of_the_command_is_read(result, folder):
    before = sorted(folder.iterdir())
    read = gainalyze.read(folder)
    assert read.headline == result.headline
    assert pyarrow.table(read.quality).equals(pyarrow.table(result.quality))
    assert read.figure("ranking") == result.figure("ranking")
    assert sorted(folder.iterdir()) == before, "the folder is unchanged"
    with pytest.raises(NotADirectoryError):
        gainalyze.read(folder / "nothing")


def test_an_output_remains_and_another_folder_ends_with_its_last_table(tmp_path):
    lasting = gainalyze.analyze(GAMES, output=tmp_path / "report", format="csv", no_html=True, **FEW)
    assert lasting.folder == tmp_path / "report" and (tmp_path / "report" / "players.csv").exists()
    assert pyarrow.table(lasting.players).num_rows == 8
    assert lasting.headline.startswith("No player stood out: ") and "<pre>" in lasting._repr_html_()
    players = gainalyze.analyze(GAMES, **FEW).players
    gc.collect()
    path = players.path
    assert pyarrow.table(players).num_rows == 8
    del players
    gc.collect()
    assert not path.parent.exists()


def test_games_are_files_or_texts(result, tmp_path):
    texts = first_games()
    told = gainalyze.analyze(texts, bootstrap=100, quiet=True)
    assert pyarrow.table(told.players).equals(pyarrow.table(result.players))
    (tmp_path / "-x.pgn").write_text("\n\n".join(texts), "utf-8")
    command = "import gainalyze; print(gainalyze.analyze('-x.pgn', bootstrap=100, quiet=True).headline)"
    told = subprocess.run([sys.executable, "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert told.stdout.strip() == result.headline, told.stderr


def test_a_game_is_as_unusual_as_the_command_says():
    said = gainalyze.expect(1700, scale="lichess-rapid", accuracy=97, game_moves=38)
    words = ["--elo", "1700", "--scale", "lichess-rapid", "--accuracy", "97", "--game-moves", "38"]
    assert said == subprocess.run(["gainalyze", "expect", *words], check=True, capture_output=True, text=True).stdout
    assert said.startswith("1 in ")
    with pytest.raises(gainalyze.Error, match="percentage"):
        gainalyze.expect(1700, accuracy=170)


def test_an_archive_is_counted_by_group():
    result = gainalyze.archive(GAMES, by="elo-band", quiet=True)
    groups = result.groups.to_pandas()
    assert groups["games"].sum() > 56 and "2800–2899" in str(result)
    assert result.figures == ["groups"]


def test_games_that_lichess_has_analyzed_are_rated_without_an_engine(monkeypatch):
    monkeypatch.setenv("GAINALYZE_ENGINE", "/no/such/engine")
    result = gainalyze.analyze(ROOT / "tests/lichess/rapid.pgn.zst", bootstrap=100, quiet=True)
    first = result.players.to_pandas().iloc[0]
    assert first["player"] == "uef93800157" and 1900 < first["rating_of_play"] < 2700
    assert "evaluated by lichess's analysis" in str(result).replace("\n", " ")


def test_options_are_those_of_the_program(capfd):
    plain = gainalyze.analyze(GAMES, **FEW).players.to_pandas().set_index("player")["elo"]
    player = plain.index[0]
    named = gainalyze.analyze(GAMES, elo={player: 2000}, split=["phase", "color"], depth=None, strict=False, **FEW)
    assert named.players.to_pandas().set_index("player")["elo"][player] == 2000
    assert set(named.splits.to_pandas()["split"]) == {"phase", "color"}
    assert capfd.readouterr().err == ""


def test_notes_go_to_standard_error_and_errors_into_the_exception(capsys):
    gainalyze.analyze(GAMES, max_games=4)
    assert "4 of 4 games" in capsys.readouterr().err
    with pytest.raises(gainalyze.Error, match=r"nowhere\.pgn: no such file") as caught:
        gainalyze.rate("nowhere.pgn")
    assert caught.value.exit_code == 2
    with pytest.raises(gainalyze.Error, match="'gainalyze rate' has no option '--dept'; commands that have --depth: "):
        gainalyze.rate(GAMES, dept=12)
    assert capsys.readouterr().err == ""


def test_games_that_the_engine_fails_on_are_a_warning(tmp_path, monkeypatch):
    games = '[White "A"]\n[Black "B"]\n\n1. e4 e5 *\n\n[White "C"]\n[Black "D"]\n\n1. d4 d5 *\n'
    options = {"engine": ENGINE, "no_store": True, "calibration": "none", "quiet": True}
    monkeypatch.setenv("SCRIPT_FILE", str(tmp_path / "fault"))
    monkeypatch.setenv("SCRIPT", "crash-on=d2d4")
    with pytest.warns(RuntimeWarning, match="the engine failed on some games") as warned:
        result = gainalyze.analyze(games, **options)
    # A result of an earlier test may be collected meanwhile, which Python warns of too.
    [failed] = [warning for warning in warned if warning.category is RuntimeWarning]
    assert failed.filename == __file__
    assert pyarrow.table(result.games)["white"].to_pylist() == ["A"]
    monkeypatch.setenv("SCRIPT", "crash")
    with pytest.raises(gainalyze.Error, match="no game could be evaluated") as caught:
        gainalyze.analyze(games, **options)
    assert caught.value.exit_code == 3
    assert repr(pickle.loads(pickle.dumps(caught.value))) == repr(caught.value)


@pytest.mark.parametrize("page", ["docs/start.md"])
def test_examples_of_the_documents_run(page, tmp_path):
    (tmp_path / "tournament.pgn").write_text("\n\n".join(first_games()), "utf-8")
    examples = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    assert examples
    for example in examples:
        told = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True)
        assert "Carlsen, Magnus" in told.stdout, told.stderr


def test_two_threads_run_side_by_side_and_python_runs_on():
    ticks = 0

    def tick():
        nonlocal ticks
        ticks += 1

    with ThreadPoolExecutor(2) as threads:
        runs = [threads.submit(gainalyze.analyze, GAMES, max_games=count, quiet=True) for count in (3, 4)]
        while not all(run.done() for run in runs):
            tick()
            time.sleep(0.01)
    games = [pyarrow.table(run.result().games).num_rows for run in runs]
    assert games == [3, 4] and ticks > 10


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("whom", ["the group, as a terminal does", "Python alone"])
def test_ctrl_c_stops_the_search_and_keeps_the_store(tmp_path, whom):
    store = tmp_path / "store.sqlite"
    search = f"""
import gainalyze
gainalyze.analyze({str(UNSEARCHED)!r}, engine="builtin", store={str(store)!r}, depth=4, jobs=1, calibration="none")
"""
    process = subprocess.Popen(
        [sys.executable, "-c", search], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    watchdog = threading.Timer(300, process.kill)
    watchdog.start()
    while process.poll() is None and stored(store) < 16:
        time.sleep(0.1)
    begun = time.monotonic()
    (os.kill if whom == "Python alone" else os.killpg)(process.pid, signal.SIGINT)
    said = process.communicate()[1]
    watchdog.cancel()
    assert said.splitlines()[-1] == "KeyboardInterrupt" and "stopping: " in said, said
    assert "stop at once" in said and time.monotonic() - begun < 40
    assert stored(store) >= 16
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def stored(store):
    """Returns the number of evaluations in a store."""
    with contextlib.suppress(sqlite3.OperationalError), contextlib.closing(sqlite3.connect(store)) as connection:
        return connection.execute("SELECT count(*) FROM evaluations").fetchone()[0]
    return 0


def test_a_notebook_runs_to_its_end(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    cells = [
        "import gainalyze",
        f"result = gainalyze.analyze({str(GAMES)!r}, max_games=12)\nresult",
        "result.players",
        "result.figure('ranking')",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(notebook, tmp_path / "in.ipynb")
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "out.ipynb", "in.ipynb"],
        cwd=tmp_path,
        check=True,
    )
    shown = [
        {kind for output in cell.outputs for kind in output.get("data", [])}
        for cell in nbformat.read(tmp_path / "out.ipynb", 4).cells
    ]
    assert [("text/html" in kinds, "image/svg+xml" in kinds) for kinds in shown] == [
        (False, False),
        (True, False),
        (True, False),
        (False, True),
    ]
