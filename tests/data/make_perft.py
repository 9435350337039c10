"""Write perft.csv: numbers of move sequences in the variants beyond Classic and Duo.

The slow twin counts them alone, so the engine has no part in them. Run it with ``python
tests/data/make_perft.py``, after a change in tests/perft_positions.py.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from perft_positions import POSITIONS  # noqa: E402
from step import twin_for, twin_perft  # noqa: E402


def main() -> None:
    """Count, and write the file anew."""
    rows = []
    for name, (variant, hands, depths) in POSITIONS.items():
        for depth in range(1, depths + 1):
            rows.append([name, depth, twin_perft(twin_for(variant, hands), depth)])
            print(*rows[-1], flush=True)
    with (FOLDER / "perft.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
