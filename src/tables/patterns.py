"""Write bf_patterns.h: the squares around every orientation, as straight-line code.

Owns the code that adds up what a placement covers, is beside and touches at a corner: the move
prior of the search (src/search/wide_prior.h).

Run by CMake at build time: ``python patterns.py OUTPUT_HEADER``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from polyominoes import ORIENTATIONS, Cell, Orientation

from tables import STRIDE


def bit(cell: Cell) -> int:
    """Return how many bits of the frame a cell is from the anchor."""
    return STRIDE * cell[0] + cell[1]


def terms(name: str, cells: Iterable[Cell]) -> str:
    """Return a sum of macro calls, one a cell."""
    return " ".join(f"{name}({bit(cell)})" for cell in cells)


def pattern(number: int, o: Orientation) -> str:
    """Return the macro call for one orientation."""
    parts = (terms("BF_ON", o.cells), terms("BF_BY", o.edges), terms("BF_AT", o.corners))
    return f"BF_PATTERN({number}, {' '.join(parts)})"


TEMPLATE = """\
/* Written by src/tables/patterns.py at build time. Do not edit.
 *
 * BF_PATTERN(o, terms) for each orientation, where the terms, with nothing between them, are
 * BF_ON(n), BF_BY(n) and BF_AT(n) for each square that it covers, that is beside it, and that
 * touches it at a corner only, n being bits of the frame from the anchor.
 */
{patterns}
"""


def main(output: str) -> None:
    """Write the header."""
    text = TEMPLATE.format(patterns="\n".join(pattern(n, o) for n, o in enumerate(ORIENTATIONS)))
    Path(output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
