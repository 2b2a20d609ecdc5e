"""Runs the Python blocks of a document in the folder of a report. Each must print a row of a known player.

recipes.py DOCUMENT FOLDER
"""

import pathlib
import re
import subprocess
import sys

recipes = re.findall(r"```python\n(.*?)```", pathlib.Path(sys.argv[1]).read_text(), re.S)
assert len(recipes) >= 2, f"{len(recipes)} recipes"
for recipe in recipes:
    ran = subprocess.run([sys.executable, "-c", recipe], cwd=sys.argv[2], check=True, capture_output=True, text=True)
    assert "Carlsen, Magnus" in ran.stdout, ran.stdout
print(f"{len(recipes)} recipes of {sys.argv[1]}")
