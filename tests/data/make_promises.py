"""Write promises.json: what stays the same from release to release, as this release has it.

Run it only to add what is new; what is there stays as it is (the script refuses to change it).
tests/test_promises.py holds the engine against the file.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from pathlib import Path
from typing import Any

import blokus_fast as bf
from blokus_fast import native

FILE = Path(__file__).with_name("promises.json")
SIZES = (20, 14, 9, 5)
PLIES = (0, 7, 30)


def move_ids() -> dict[str, Any]:
    """Return, for some sizes of the board, how many placements there are and what each covers."""
    found = {}
    for size in SIZES:
        variant = bf.Variant("ids", size, ["one"], [[f"a{size}"]])
        n_moves = bf.Board(variant).n_moves
        texts = "\n".join(bf.Move(number, size).text for number in range(n_moves))
        found[str(size)] = [n_moves, hashlib.sha256(texts.encode()).hexdigest()]
    return found


def random_game(name: str) -> bf.Game:
    """Play a game of random moves, the same ones everywhere."""
    game, rng = bf.Game(name, names=None), random.Random(name)
    while not game.is_over:
        ids = game.board.legal_ids()
        game.play(int(ids[rng.randrange(len(ids))]))
    return game


def positions() -> dict[str, Any]:
    """Return positions of every variant: moves that lead there, text, key, moves, scores."""
    found = {}
    for name in bf.VARIANTS:
        moves = [entry.id for entry in random_game(name).moves]
        board = bf.Board(name)
        for ply, move in enumerate([*moves, None]):
            if ply in PLIES or move is None:
                found[f"{name} {ply}"] = {
                    "moves": moves[:ply],
                    "text": bf.position_text(board),
                    "key": f"{board.key():016x}",
                    "legal": board.count_legal(),
                    "scores": list(board.player_scores()),
                }
            if move is not None:
                board.push(move)
    return found


def playouts() -> dict[str, Any]:
    """Return what seeds make of games."""
    return {
        f"{name} {weights}": bf.playouts(
            bf.Board(name), 3, seed=2027, piece_weights=weights
        ).tolist()
        for name in bf.VARIANTS
        for weights in (None, "size")
        if weights is None or not bf.variant(name).draft
    }


def records() -> dict[str, str]:
    """Return a whole game of every variant as we write it."""
    return {name: str(bf.Record.from_game(random_game(name))) for name in bf.VARIANTS}


def interface() -> dict[str, Any]:
    """Return the functions of the table in C, in their order, and the sizes of what they take."""
    header = (Path(bf.get_include()) / "blokus_fast.h").read_text(encoding="utf-8")
    table = header[header.index("typedef struct bf_api {") : header.index("} bf_api;")]
    names = re.findall(r"\(\*(\w+)\)\(", table)
    sizes = {"state": native.STATE_SIZE, "undo": native.UNDO_SIZE}
    return {"functions": names, "sizes": {str(native.ABI_VERSION): sizes}}


def names() -> dict[str, list[str]]:
    """Return the names of variants and rules."""
    return {"variants": list(bf.VARIANTS), "scoring": list(bf.SCORING_RULES)}


def columns() -> dict[str, Any]:
    """Return the columns of a shard of self-play: name, type, whether it may be empty."""
    from blokus_fast.selfplay import schema

    return {
        f"{name}, version {schema.VERSION}": [
            [field.name, str(field.type), field.nullable] for field in schema.schema(variant)
        ]
        for name, variant in bf.VARIANTS.items()
    }


PARTS = (move_ids, positions, playouts, records, interface, names, columns)


def main() -> None:
    """Add what is missing; change nothing."""
    old = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for part in PARTS:
        known = old.setdefault(part.__name__, {})
        for key, value in part().items():
            if known.setdefault(key, value) != value:
                raise SystemExit(f"{part.__name__}, {key}: not what was promised")
    FILE.write_text(json.dumps(old, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
