"""Counts the outcomes of attacks, prints the counts in one line and returns the exit code."""

import argparse
import collections
import os
import pathlib
import resource
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Memory limit in bytes. Every sound run needs less.
MEMORY = 4 << 30

KINDS = ["survived", "refused", "wrong", "hung", "panicked"]


class Outcomes:
    """Counts of outcomes, and descriptions of the first attacks that went wrong."""

    def __init__(self):
        self.counts = collections.Counter()
        self.faults = []

    def add(self, kind, what):
        self.counts[kind] += 1
        if kind not in ("survived", "refused") and len(self.faults) < 20:
            self.faults.append(f"{kind}: {what}")

    def tell(self):
        """Prints the faults and then the line of counts. Returns the exit code."""
        for fault in self.faults:
            print(fault)
        tried = sum(self.counts.values())
        print("tried", tried, *(f"{kind} {self.counts[kind]}" for kind in KINDS))
        return int(bool(self.faults) or tried == 0)


def arguments(about, *numbers):
    """Reads the options --program, --seed, and one for each of `numbers`, which are pairs of name and default."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/gainalyze")
    parser.add_argument("--seed", type=int, default=1)
    for name, usual in numbers:
        parser.add_argument(f"--{name}", type=int, default=usual)
    given = parser.parse_args()
    given.program = given.program.resolve()
    return given


def bound():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def alone(folder, **more):
    """Returns the environment of a run in a folder, which has its own cache and settings."""
    return {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "HOME": str(folder), **more}


def run(program, *args, timeout=60, cwd=None, env=None):
    """Runs the program in bounded memory. Returns its exit code (None after a timeout) and its standard error."""
    command = [program, *map(str, args)]
    try:
        done = subprocess.run(
            command, cwd=cwd, env=env, timeout=timeout, preexec_fn=bound, capture_output=True, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stderr.decode(errors="replace")


def kind_of_end(code, said):
    """Returns the kind of outcome of a run that did not succeed."""
    if code is None:
        return "hung"
    return "refused" if code in (1, 2, 3) and said.startswith("error: ") and "panicked" not in said else "panicked"


def games(count, first=0, order=""):
    """Returns games of the Candidates tournament with evaluations; with order="-backward", those of a backward search."""
    text = (ROOT / f"data/candidates-2013-stockfish-15.1-depth-20{order}.pgn").read_text()
    starts = [at for at in range(len(text)) if text.startswith("[Event ", at)] + [len(text)]
    return text[starts[first] : starts[first + count]]
