"""Write hashes.csv: the keys of fixed positions, so that they can never change unnoticed.

Run it only to add lines; a line that is there stays as it is (the script refuses to change one).
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

import blokus_fast as bf

FILE = Path(__file__).with_name("hashes.csv")
GAMES = [
    ("classic", "assigned"),
    ("classic", "any"),
    ("classic-2p", "assigned"),
    ("classic-3p", "assigned"),
    ("duo", "any"),
    ("duo", "assigned"),
    ("junior", "assigned"),
    ("draft", "assigned"),
    ("draft-3p", "any"),
    ("draft-2p", "assigned"),
    ("software-challenge-2027", "border"),
]
PLIES = (0, 1, 2, 5, 11, 23, 40, 100)


def lines() -> list[list[str]]:
    """Return variant, start rule, moves (ids, joined with blanks) and key in hexadecimal."""
    found = []
    for variant, start in GAMES:
        if variant not in bf.VARIANTS:
            continue
        rng = random.Random(f"{variant} {start}")
        board = bf.Board(variant, start=start)
        while True:
            if board.ply in PLIES or board.is_game_over:
                moves = " ".join(map(str, board.move_stack))
                found.append([variant, start, moves, f"{board.key():016x}"])
            if board.is_game_over:
                break
            # Not rng.choice: what it draws may differ between versions of Python.
            ids = board.legal_ids()
            board.push(int(ids[int(rng.random() * len(ids))]))
    return found


def main() -> None:
    """Add to the file what it does not hold yet."""
    known = csv.reader(FILE.read_text(encoding="ascii").splitlines()) if FILE.exists() else []
    keys = {tuple(line[:3]): line[3] for line in known}
    for line in lines():
        if keys.setdefault(tuple(line[:3]), line[3]) != line[3]:
            raise SystemExit(f"the key of {line[:3]} has changed: {line[3]}")
    rows = [[*place, key] for place, key in keys.items()]
    with FILE.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
