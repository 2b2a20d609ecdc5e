"""Runs the program of this package, and handles its options, messages, exit codes, and Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import IO, Union

PathLike = Union[str, "os.PathLike[str]"]
# A PGN file, a folder, a text of games, or several of these.
Games = Union[PathLike, Iterable[PathLike]]
Value = Union[str, int, float, "os.PathLike[str]"]
# The value of an option of the program.
Option = Union[Value, None, Iterable[Value], Mapping[str, Value]]

# Seconds for a program that was also interrupted to report the interruption or to end.
MOMENT = 1.0


class Error(Exception):
    """A failure of the program, with its message.

    `exit_code` is 1 for system errors, 2 for errors in options and files, and 3 for a failed engine.
    """

    def __init__(self, message: str, exit_code: int) -> None:
        # With both arguments, pickle restores the error unchanged from another process.
        super().__init__(message, exit_code)
        self.exit_code = exit_code

    def __str__(self) -> str:
        return str(self.args[0])


def program() -> str:
    """Returns the path of the program."""
    name = "gainalyze.exe" if os.name == "nt" else "gainalyze"
    listed = [Path(str(file.locate())) for file in metadata.files("gainalyze") or [] if file.name == name]
    # `pip install --target` moves programs, but does not change the list of files.
    moved = Path(__file__).resolve().parents[1] / "bin" / name
    for path in [*listed, moved]:
        if path.is_file():
            return str(path)
    raise FileNotFoundError(f"{name}: missing from this installation of gainalyze; install the wheel again")


def option_words(options: Mapping[str, Option]) -> Iterator[str]:
    """Yields the options as arguments of a command line."""
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            yield option
        elif isinstance(value, Mapping):
            yield from (f"{option}={key}={item}" for key, item in value.items())
        else:
            yield from (f"{option}={item}" for item in several(value))


def several(value: Value | Iterable[Value]) -> Iterable[Value]:
    """Returns the values of an option, also if it has only one."""
    return [value] if isinstance(value, (str, int, float, os.PathLike)) else value


def run(verb: str, games: Games, options: Mapping[str, Option]) -> str:
    """Runs a verb on games, and returns its standard output.

    Raises `Error`, or `KeyboardInterrupt` if the program was interrupted. Warns if the engine failed on some games.
    """
    items = [os.fspath(item) for item in ([games] if isinstance(games, (str, os.PathLike)) else games)]
    texts = [item for item in items if "\n" in item]
    paths = [item for item in items if "\n" not in item] + ["-"] * bool(texts)
    command = [program(), verb, *option_words(options), "--", *paths]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        file.write("\n\n".join(texts))
        file.seek(0)
        output, said, code = finished(command, file)
    message = error_message(said)
    if code == 130:
        raise KeyboardInterrupt
    if code == 3 and (output or not message):
        told = message or "the engine failed on some games; the tables have the other games"
        warnings.warn(told, RuntimeWarning, stacklevel=4)
    elif code != 0:
        raise Error(message or f"gainalyze ended with exit code {code}", code)
    return output


def finished(command: list[str], input_file: IO[str]) -> tuple[str, list[str], int]:
    """Runs a command to its end. Returns its standard output, its lines of standard error, and its exit code."""
    said: list[str] = []
    process = subprocess.Popen(
        command, stdin=input_file, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace"
    )
    assert process.stdout and process.stderr
    listener = threading.Thread(target=listen, args=(process.stderr, said), daemon=True)
    listener.start()
    try:
        output = process.stdout.read()
    except BaseException:
        stop(process, said)
        raise
    finally:
        process.stdout.close()
        process.wait()
        listener.join()
        process.stderr.close()
    return output, said, process.returncode


def listen(lines: IO[str], said: list[str]) -> None:
    """Prints notes and progress at once, and collects all lines in `said`. Errors are not printed, but raised later."""
    for line in lines:
        said.append(line)
        # Reading continues if printing fails: the program would wait for its reader.
        with contextlib.suppress(Exception):
            if not error_message(said):
                print(line, end="", file=sys.stderr, flush=True)


def error_message(said: list[str]) -> str:
    """Returns the message of the error that ended the program; empty if there was none."""
    head = "error: "
    first = next((place for place, line in enumerate(said) if line.startswith(head)), len(said))
    return "".join(said[first:])[len(head) :].strip()


def stop(process: subprocess.Popen[str], said: list[str]) -> None:
    """Stops the program as Ctrl-C does, so that its store keeps every finished segment.

    Ctrl-C in a terminal or a notebook also reaches the program. A second signal would stop the program at once, so it
    is sent only if the program has not reported the first.
    """
    try:
        process.wait(MOMENT)
    except subprocess.TimeoutExpired:
        if not any(line.startswith("stopping: ") for line in said):
            process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        process.wait()
