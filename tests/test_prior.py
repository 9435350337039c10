"""The move prior: what each square is to a color, and that logits are the sums that they should be.

The plain Python here is a second opinion: sets of squares, no bits.
"""

from __future__ import annotations

import numpy as np
import pytest
from search_tools import played

import blokus_fast as bf
from blokus_fast import _core
from blokus_fast.search import Weights, default_weights

VARIANTS = ("duo", "classic", "classic-2p", "classic-3p", "junior", "software-challenge-2027")
STRIDE = 21


def finished(board: bf.Board) -> set[int]:
    """Return the colors that were found unable to move: a byte of the state."""
    flags = board._state_bytes()[407]
    return {color for color in range(board.n_colors) if flags >> color & 1}


def neighbors(square: int, size: int) -> list[int]:
    row, column = divmod(square, size)
    steps = ((-1, 0), (0, -1), (0, 1), (1, 0))
    return [
        (row + dr) * size + column + dc
        for dr, dc in steps
        if 0 <= row + dr < size and 0 <= column + dc < size
    ]


def distances(start: set[int], within: set[int], size: int) -> dict[int, int]:
    """Return how many steps each square is from the start, walking within some squares."""
    found = dict.fromkeys(start, 0)
    edge, steps = set(start), 0
    while edge:
        steps += 1
        edge = {n for s in edge for n in neighbors(s, size) if n in within and n not in found}
        found |= dict.fromkeys(edge, steps)
    return found


def expected_codes(board: bf.Board, color: int) -> dict[int, int]:
    """Return the code of every square of the board, as evaluation.h says."""
    size, owners = board.size, board.variant.owners
    squares = range(size * size)
    own = [set(board.own_squares(c)) for c in range(board.n_colors)]
    forbidden = [set(board.forbidden_squares(c)) for c in range(board.n_colors)]
    corners = [set(board.corner_squares(c)) for c in range(board.n_colors)]
    allowed = [set(squares) - f for f in forbidden]
    partner = {
        c
        for c in range(board.n_colors)
        if c != color and owners[c] is not None and owners[c] == owners[color]
    }
    opponents = set(range(board.n_colors)) - partner - {color}
    alive = set(range(board.n_colors)) - finished(board)
    theirs = set().union(*[allowed[c] for c in opponents & alive])
    points = set().union(*[corners[c] for c in opponents & alive])
    ring = distances(points, theirs, size)
    near = distances(corners[color], allowed[color], size)
    codes = {}
    for square in squares:
        if square in allowed[color]:
            code = min(ring[square], 5) if square in ring else 5 if square in theirs else 6
            code |= min(near.get(square, 3), 3) << 3
            if any(square in corners[c] for c in partner & alive):
                code |= 2 << 5
            elif any(square in allowed[c] for c in partner & alive):
                code |= 1 << 5
        elif square in own[color]:
            code = 7 | 2 << 3
        elif any(square in own[c] for c in partner):
            code = 7 | 3 << 3
        elif any(square in own[c] for c in opponents):
            code = 7 | 4 << 3
        else:
            code = 7 | 1 << 3
        codes[square] = code
    return codes


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("plies", [0, 1, 5, 14, 30, 60])
def test_codes_say_what_each_square_is(variant: str, plies: int, kernel: str) -> None:
    board = played(variant, plies, seed=plies)
    for color in range(board.n_colors):
        codes = _core._square_codes(board, color)
        for square, code in expected_codes(board, color).items():
            row, column = divmod(square, board.size)
            assert codes[STRIDE * row + column] == code, (color, square)
        # Outside the board there is nothing.
        outside = [b for b in range(512) if b % STRIDE >= board.size or b // STRIDE >= board.size]
        assert set(codes[outside]) == {7}


@pytest.mark.parametrize("variant", VARIANTS)
def test_logits_are_the_sums_of_their_terms(variant: str, kernel: str) -> None:
    rng = np.random.default_rng(5)
    numbers = rng.integers(-3000, 3000, _core.N_WEIGHTS).astype(np.int32)
    weights = _core.Weights(numbers)
    padded = np.append(numbers, 0)
    for plies in (0, 2, 9, 20, 40):
        board = played(variant, plies, seed=3)
        for color in range(board.n_colors):
            moves, logits = _core._logits(board, weights, color)
            listed, terms = _core._prior_terms(board, color)
            assert moves.tolist() == listed.tolist()
            assert logits.tolist() == padded[terms].sum(axis=1).tolist()


def test_counts_of_corners_are_those_of_the_features() -> None:
    """Corner squares gained, and taken from opponents, as `move_features` counts them."""
    board = played("duo", 12, seed=11)
    flat = default_weights(board.variant).arrays
    empty = {key: np.zeros_like(array) for key, array in flat.items()}
    for key, count in (("gained", 9), ("taken", 6)):
        counting = {**empty, key: np.tile(np.arange(count), (8, 1)).astype(np.int32)}
        _, logits = _core._logits(board, Weights(counting)._core, board.turn)
        features = bf.move_features(board)
        wanted = features.corners_gained
        if key == "taken":
            wanted = features.corners_taken.sum(axis=1)
        assert logits.tolist() == wanted.tolist()
