"""Positions whose best moves are known: endings, forced blocks, and when to place the monomino.

They were found by training/find_positions.py; that they are right is shown here by `solve`, which
the search is then asked to do without.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import blokus_fast as bf
from blokus_fast.search import MCTS, solve

KNOWN = json.loads((Path(__file__).parent / "data" / "known_moves.json").read_text())
KINDS = ("ending", "block", "bonus")
# With six pieces each, on a board of eight rows, all can be placed.
SMALL = bf.Variant(
    "small", 8, ("a", "b"), (("c6",), ("f3",)), pieces=(("1", "2", "V3", "I3", "T4", "L4"),) * 2
)


def board_of(known: dict[str, Any]) -> bf.Board:
    board = bf.Board(SMALL if known["small"] else "duo")
    for move in known["line"]:
        board.push(move)
    return board


def found(known: dict[str, Any], simulations: int = 2000, **changes: Any) -> bool:
    board = board_of(known)
    result = MCTS(board.variant, seed=1, **changes).search(board, simulations=simulations)
    return int(result.move) in known["best"]


def test_there_are_enough_of_each_kind() -> None:
    assert all(sum(known["kind"] == kind for known in KNOWN) >= 12 for kind in KINDS)


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["kind"])
def test_the_moves_are_the_best(known: dict[str, Any]) -> None:
    """Of all legal moves those that are named lead to the most, and no other one does."""
    board = board_of(known)
    legal = [int(move) for move in board.legal_ids()]
    assert len(legal) == known["moves"]
    values = {}
    for move in legal:
        after = board.copy()
        after.push(move)
        solution = solve(after)
        assert solution is not None
        values[move] = solution.value[board.player]
    most = max(values.values())
    assert [move for move, value in values.items() if value == most] == known["best"]
    pieces = {board.move(move).piece for move in known["best"]}
    if known["kind"] == "bonus":
        assert any(board.move(move).piece == "1" for move in legal)
        assert "1" not in pieces
    else:
        assert (most, len(known["best"])) == (1, 1)
    if known["kind"] == "block":
        assert bf.move_features(board, known["best"]).corners_taken.sum() > 0


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["kind"])
def test_the_search_finds_them(known: dict[str, Any]) -> None:
    assert found(known, simulations=4000)


@pytest.mark.parametrize("kind", KINDS)
def test_it_finds_nearly_all_without_exact_endings(kind: str) -> None:
    """By playouts, value function and tree alone; the prior alone finds two of three."""
    known = [known for known in KNOWN if known["kind"] == kind]
    hits = sum(found(each, solve_nodes=0) for each in known)
    assert hits >= 0.8 * len(known), f"{hits} of {len(known)}"
