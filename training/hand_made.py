"""Write the weights that learning starts from: large pieces, corners, closeness.

Run: ``python training/hand_made.py OUTPUT.json``.
"""

from __future__ import annotations

import sys

import numpy as np

from blokus_fast.moves import PIECE_SIZES
from blokus_fast.search import Weights

ONE = 1024  # a nat
PHASES = 8


def main(path: str) -> None:
    """Write the file."""
    square = np.zeros((PHASES, 3, 128), np.int64)
    for code in range(128):
        ring = code & 7
        if ring < 5:
            # Near where an opponent may connect, or in his way.
            square[:, 0, code] = ONE * (5 - ring) // 16
    arrays = {
        "piece": np.tile(np.array([ONE * 3 * size // 4 for size in PIECE_SIZES]), (PHASES, 1)),
        "square": square,
        "gained": np.tile(ONE * np.arange(9) // 4, (PHASES, 1)),
        "taken": np.tile(ONE * np.arange(6) // 3, (PHASES, 1)),
        "pass": np.array([-4 * ONE]),
    }
    Weights(arrays, "hand-made", "training/hand_made.py").save(path)


if __name__ == "__main__":
    main(sys.argv[1])
