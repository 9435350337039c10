"""Find positions near the end of games in which some moves are best and others lose.

Run: ``python training/find_positions.py OUTPUT.json --each 12``. Games of the search against
itself at a few simulations; every position with few moves is solved, and so is what each of its
moves leads to. Kinds:

- ``ending``: one move wins;
- ``block``: one move wins, and it covers a corner square of the opponent;
- ``bonus``: the monomino has to be kept for the end, for its five points.

tests/test_known_moves.py asks the search for their moves.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import blokus_fast as bf
from blokus_fast.search import MCTS, Solution, solve

# With all pieces nobody places them all; with these, on a board of eight rows, many do.
FEW = ("1", "2", "V3", "I3", "T4", "L4")
NODES = 40_000
# Points of Duo.
ALL_PLACED, MONOMINO_LAST = 15, 5


def small_variant() -> bf.Variant:
    """Return rules by which all pieces can be placed."""
    return bf.Variant("small", 8, ("a", "b"), (("c6",), ("f3",)), pieces=(FEW, FEW))


def played(variant: bf.Variant, seed: int) -> list[int]:
    """Return the moves of a game that the search plays after some moves of chance."""
    board, rng = bf.Board(variant), np.random.default_rng(seed)
    search = MCTS(variant, seed=seed)
    moves = []
    while not board.is_game_over:
        if board.ply < 6 - 4 * (board.size == 8):
            move = int(rng.choice(board.legal_ids()))
        else:
            move = int(search.search(board, simulations=40).move)
        moves.append(move)
        board.push(move)
    return moves


def judge(board: bf.Board) -> dict[str, Any] | None:
    """Return the moves that win, and of what kind they are; None: there is nothing to find."""
    legal = [int(move) for move in board.legal_ids()]
    if not 4 <= len(legal) <= 40:
        return None
    mine = board.player
    results: list[tuple[float, int, Solution]] = []
    for move in legal:
        after = board.copy()
        after.push(move)
        found = solve(after, nodes=NODES)
        if found is None:
            return None
        results.append((found.value[mine], move, found))
    most = max(value for value, _, _ in results)
    best = [move for value, move, _ in results if value == most]
    move = best[0]
    scores = next(found.scores for _, one, found in results if one == move)
    monomino = [one for one in legal if board.move(one).piece == "1"]
    kept = len(monomino) > 0 and not set(monomino) & set(best)
    features = bf.move_features(board, [move])
    kind = "ending"
    if most > 0 and kept and scores[mine] == ALL_PLACED + MONOMINO_LAST:
        kind = "bonus"
    elif len(best) > 1 or most < 1:
        return None
    elif int(np.sum(features.corners_taken)) > 0:
        kind = "block"
    return {"kind": kind, "best": best, "moves": len(legal)}


def main() -> None:
    """Read the arguments, play, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--each", type=int, default=12, help="positions of each kind")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found: list[dict[str, Any]] = []
    count: Counter[str] = Counter()
    seed = args.seed
    while min(count[kind] for kind in ("ending", "block", "bonus")) < args.each:
        small = count["bonus"] < args.each and seed % 2 == 1
        variant = small_variant() if small else bf.variant("duo")
        moves = played(variant, seed)
        board = bf.Board(variant)
        for ply, move in enumerate(moves):
            entry = judge(board) if ply > 2 * len(moves) // 3 else None
            if entry is not None and count[entry["kind"]] < args.each:
                count[entry["kind"]] += 1
                line = {"small": small, "line": moves[:ply]}
                found.append({**entry, **line})
                print(dict(count), flush=True)
                break
            board.push(move)
        seed += 1
    text = ",\n".join(json.dumps(entry) for entry in sorted(found, key=lambda e: e["kind"]))
    args.output.write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
