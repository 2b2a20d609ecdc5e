#!/usr/bin/env python3
"""Reduces the typefaces to the characters of pages and pictures: src/report/fonts/cut.py FOLDER.

FOLDER has the unpacked npm packages source-sans (3.52.0) and source-serif (4.5.1), and the typefaces of DejaVu 2.37
(https://dejavu-fonts.github.io). Needs `pip install fonttools brotli` (4.68 and 1.2 were used).
"""

import base64
import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

HERE = pathlib.Path(__file__).parent
LATIN = "U+0020-007E,U+00A0-017F,U+0218-021B"
GREEK = "U+0386,U+0388-038A,U+038C,U+038E-03A1,U+03A3-03CE"
CYRILLIC = "U+0400-045F,U+0490-0491"
QUOTES = "U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026,U+202F,U+2212"
SIGNS = (
    "U+02BC,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2030,U+2039,U+203A,U+20AC,U+2116,U+2122,"
    "U+2190-2193,U+2212,U+221A,U+221E,U+2248,U+2260,U+2264,U+2265,U+25B2,U+25BC"
)
MORE = "U+0460-052F,U+01A0-01A1,U+01AF-01B0,U+1EA0-1EF9"
# Letters that Source Sans lacks, for PNG: rare Latin and Cyrillic, combining marks, Armenian, Georgian, Hebrew, Arabic; the chess pieces.
OTHERS = "U+0020,U+0180-024F,U+0460-052F,U+0300-036F,U+0531-058F,U+10A0-10FF,U+0590-05FF,U+0600-06FF,U+2070-208E,U+2202-2265,U+1E00-1E9F,U+2654-265F,U+FB01,U+FB02,U+FFFD"


def cut(path, letters, features=(), name=None):
    """Returns the typeface with these letters, without hints, under another name if the licence asks for it."""
    options = subset.Options(
        hinting=False, layout_features=list(features), glyph_names=True, notdef_outline=True,
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14], drop_tables=[*subset.Options().drop_tables, "MATH", "FFTM", "gasp", "DSIG", "meta"],
    )
    face = TTFont(path)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=subset.parse_unicodes(letters))
    cutter.subset(face)
    if name:
        # "Source" is a reserved font name: a reduced typeface must have another one.
        style = face["name"].getDebugName(2)
        for number, text in [(1, name), (3, f"{name} {style}"), (4, f"{name} {style}"), (6, f"{name}-{style}".replace(" ", ""))]:
            face["name"].setName(text, number, 3, 1, 0x409)
        face["name"].names = [known for known in face["name"].names if known.platformID == 3 and known.nameID not in (16, 17)]
    return face


def save(face, target, flavor=None):
    face["post"].formatType = 3.0
    face.flavor = flavor
    face.save(target)


def page_face(path, letters, name, target):
    """Writes a typeface of pages, and returns it: WOFF2 as Base64, with the kerning of English letters only."""
    face = cut(path, letters, name=name)
    face["GPOS"] = cut(path, "U+0020-007E,U+2019", ["kern"])["GPOS"]
    save(face, HERE / "page.woff2", "woff2")
    woff = (HERE / "page.woff2").read_bytes()
    (HERE / "page.woff2").unlink()
    (HERE / target).write_text(base64.b64encode(woff).decode())
    print(target, len(woff))
    return face


folder = pathlib.Path(sys.argv[1])
serif, sans = (next(folder.glob(f"{name}*/package/TTF")) for name in ["source-serif", "source-sans"])
save(page_face(serif / "SourceSerif4-Semibold.ttf", ",".join([LATIN, GREEK, CYRILLIC, QUOTES]), "Gainalyze Serif", "serif.txt"), HERE / "serif.ttf")
for style, target in [("Regular", "sans"), ("Semibold", "sans-bold")]:
    source = sans / f"SourceSans3-{style}.ttf"
    page_face(source, ",".join([LATIN, GREEK, CYRILLIC, SIGNS]), "Gainalyze Sans", f"{target}.txt")
    # Pictures: with Vietnamese and more Cyrillic.
    face = cut(source, ",".join([LATIN, MORE, GREEK, CYRILLIC, SIGNS]), ["kern"], "Gainalyze Sans")
    save(face, HERE / f"{target}.ttf")
for style in ["DejaVuSans", "DejaVuSans-Bold"]:
    face = cut(folder / f"{style}.ttf", OTHERS, "kern mark mkmk ccmp locl init medi fina isol rlig".split())
    save(face, HERE / f"{style}.ttf")
