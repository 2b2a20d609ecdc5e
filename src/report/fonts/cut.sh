#!/usr/bin/env bash
# Reduces DejaVu Sans to the characters of the pictures: src/report/fonts/cut.sh FOLDER. FOLDER has the typefaces of DejaVu 2.37
# (https://dejavu-fonts.github.io). Needs pyftsubset (`pip install fonttools`; version 4.68 was used).
set -euo pipefail
letters=(
    U+0020-007E,U+00A0-024F,U+1E00-1EFF # Latin, for Vietnamese too
    U+0300-036F                         # combining marks
    U+0370-03FF,U+0400-052F             # Greek, Cyrillic
    U+0531-058F,U+10A0-10FF             # Armenian, Georgian
    U+0590-05FF,U+0600-06FF             # Hebrew, Arabic
    U+2000-206F,U+2070-208E             # punctuation, superscript and subscript digits
    U+20AC,U+20BD,U+2116,U+2122         # € ₽ № ™
    U+2190-2193,U+2202-2265             # arrows, mathematical signs
    U+2654-265F                         # chess pieces
    U+FB01,U+FB02,U+FFFD                # ligatures, the replacement character
)
for face in DejaVuSans DejaVuSans-Bold; do
    # Keeps outlines, widths, and the layout tables for kerning, ligatures and marks. Pictures are drawn without hints.
    pyftsubset "$1/$face.ttf" --output-file="$(dirname "$0")/$face.ttf" \
        --unicodes="$(IFS=,; echo "${letters[*]}")" --no-hinting --layout-features=kern,mark,mkmk,ccmp,locl,init,medi,fina,isol,rlig \
        --drop-tables+=MATH,FFTM,gasp --no-glyph-names --notdef-outline --name-IDs=0,1,2,3,4,5,6,14
done
