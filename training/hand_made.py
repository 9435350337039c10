"""Write the weights that learning starts from: large pieces, corners, closeness.

Run: ``python training/hand_made.py OUTPUT.json``. With ``--reverse``, small pieces and few corners,
for rules where the lowest score wins.
"""

from __future__ import annotations

import sys

import numpy as np

from blokus_fast.moves import PIECE_SIZES
from blokus_fast.search import Weights

ONE = 1024  # a nat
PHASES = 8


def main(path: str, sign: int) -> None:
    """Write the file; a sign of -1 turns everything around."""
    square = np.zeros((PHASES, 3, 128), np.int64)
    for code in range(128):
        ring = code & 7
        if ring < 5:
            # Near where an opponent may connect, or in his way.
            square[:, 0, code] = sign * ONE * (5 - ring) // 16
    arrays = {
        "piece": np.tile(
            np.array([sign * ONE * 3 * size // 4 for size in PIECE_SIZES]), (PHASES, 1)
        ),
        "square": square,
        "gained": np.tile(sign * ONE * np.arange(9) // 4, (PHASES, 1)),
        "taken": np.tile(sign * ONE * np.arange(6) // 3, (PHASES, 1)),
        "pass": np.array([-4 * ONE]),
    }
    name = "hand-made" if sign > 0 else "reverse"
    Weights(arrays, name, "training/hand_made.py").save(path)


if __name__ == "__main__":
    main(sys.argv[1], -1 if "--reverse" in sys.argv[2:] else 1)
