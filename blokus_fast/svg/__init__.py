"""Pictures as SVG: boards, moves, pieces and hands, as text.

What is where:

- `pictures`: the public functions, which say what is drawn
- `drawing`: how its parts look; `outlines`: the lines around squares; `palettes`: the colors
- `png`: pictures as PNG, with the extra ``png``

Importing the package imports none of this: a notebook that asks for a picture does.
"""

from __future__ import annotations

from blokus_fast.svg.pictures import board, hand, move, piece

__all__ = ["board", "hand", "move", "piece"]
