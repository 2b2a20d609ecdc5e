"""What the attacks have in common: runs of the program in folders of their own, and the line of counts."""

import argparse
import collections
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# No run of an attack lasts longer on a machine that has time; a busy one gets twenty times of what is usual.
PATIENCE = 120


def options(kind, text):
    """Reads the command line of an attack that is made so often as `--kind` says."""
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument(f"--{kind}", dest="times", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", required=True)
    return parser.parse_args()


class Attack:
    """A series of attacks: where they are made, what is drawn by lot, and what came of them."""

    def __init__(self, settings):
        self.program = str(pathlib.Path(settings.program).resolve())
        self.lots = random.Random(settings.seed)
        self.counts = collections.Counter()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gainalyze-attack-"))

    def fresh(self, name):
        """Returns an empty folder of that name."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def environment(self, folder, **more):
        """Returns what a run in `folder` finds around it: no cache but its own."""
        return {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "HOME": str(folder), "NO_COLOR": "1", **more}

    def run(self, folder, arguments, **more):
        """Runs the program to its end; `None` where it does not come to one."""
        try:
            return subprocess.run(
                [self.program, *map(str, arguments)], cwd=folder, env=self.environment(folder, **more),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            return None

    def judge(self, run, right, what):
        """Counts a run: `right` tells whether what it said is true, asked only where it ended well."""
        self.counts["tried"] += 1
        if run is None:
            outcome = "hung"
        elif run.returncode < 0 or run.returncode >= 100 and run.returncode != 130 or b"panicked at" in run.stderr:
            outcome = "panicked"
        elif run.returncode not in (0, 3):
            outcome = "refused"
        else:
            outcome = "survived" if right(run) else "wrong"
        self.counts[outcome] += 1
        if outcome in ("hung", "panicked", "wrong"):
            print(f"{outcome}: {what}", flush=True)

    def end(self):
        """Prints the counts and cleans up."""
        names = ["tried", "survived", "refused", "wrong", "hung", "panicked"]
        print(" ".join(f"{name} {self.counts[name]}" for name in names))
        shutil.rmtree(self.folder, ignore_errors=True)


def files(folder, but=()):
    """Returns the bytes of every file below a folder by its path, but those of these names."""
    folder = pathlib.Path(folder)
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in but and not any(part.startswith(".gainalyze-") for part in path.parts):
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found
