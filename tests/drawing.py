"""Random numbers, draws and playouts as docs/random.md describes them, once more, in Python.

Nothing but the public board is used: what a position is and who comes next is its business.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

import blokus_fast as bf
from blokus_fast import _core

MASK = 2**64 - 1


def mix64(z: int) -> int:
    """Spread the bits of a word."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Rng:
    """The documented generator."""

    def __init__(self, seed: int, stream: int) -> None:
        golden = 0x9E3779B97F4A7C15
        gamma = mix64(stream * golden & MASK) | 1
        if stream == 0:
            gamma = golden
        elif (gamma ^ (gamma >> 1)).bit_count() < 24:
            gamma ^= 0xAAAAAAAAAAAAAAAA
        self.gamma = gamma
        self.state = mix64(seed) ^ mix64((stream + 0x632BE59BD9B4E019) & MASK)

    def next(self) -> int:
        """Return 64 bits."""
        self.state = (self.state + self.gamma) & MASK
        return mix64(self.state)

    def below(self, n: int) -> int:
        """Return a number below n, which has at most 32 bits."""
        while True:
            product = (self.next() >> 32) * n
            if product & 0xFFFFFFFF >= (2**32 - n) % n:
                return product >> 32

    def below64(self, n: int) -> int:
        """Return a number below n."""
        mask = (1 << (n - 1).bit_length()) - 1
        while True:
            drawn = self.next() & mask
            if drawn < n:
                return drawn


@cache
def pieces(size: int) -> list[int]:
    """Return the number of the piece of every placement."""
    found: list[int] = _core.placement_info(size)[:, 0].tolist()
    return found


def placements(board: bf.Board, color: int) -> list[int]:
    """Return what the side to move may place of a color, without the color in the ids."""
    ids: list[int] = board.legal_ids(color=color).tolist()
    if board.variant.draft:
        return [number - color * board.n_moves for number in ids]
    return [number for number in ids if number < board.n_moves]


def placeable(board: bf.Board, color: int) -> list[int]:
    """Return the numbers of the pieces in hand that the rules let a color lay now."""
    held = [piece for piece, count in enumerate(board.hand(color)) if count]
    first = board.variant.first_pieces
    if first and board.own_mask(color) == 0:
        held = [piece for piece in held if bf.PIECES[piece] in first]
    return held


def draw(
    board: bf.Board,
    color: int,
    rng: Rng,
    piece_weights: Sequence[int] | None = None,
    move_weights: npt.NDArray[np.uint32] | None = None,
) -> int:
    """Draw a placement of a color that has one, without the color in the id."""
    ids = placements(board, color)
    if piece_weights is not None:
        choices = placeable(board, color)
        while True:
            left = rng.below(sum(piece_weights[piece] for piece in choices))
            for piece in choices:
                if left < piece_weights[piece]:
                    break
                left -= piece_weights[piece]
            fitting = [number for number in ids if pieces(board.size)[number] == piece]
            if fitting:
                return fitting[rng.below(len(fitting))]
            choices.remove(piece)
    if move_weights is not None and move_weights[ids].any():
        left = rng.below64(int(move_weights[ids].sum(dtype=np.uint64)))
        for number in ids:
            if left < move_weights[number]:
                return number
            left -= int(move_weights[number])
    return ids[rng.below(len(ids))]


def draw_action(
    board: bf.Board,
    rng: Rng,
    piece_weights: Sequence[int] | None = None,
    move_weights: npt.NDArray[np.uint32] | None = None,
) -> int:
    """Draw an action of whoever is to move; the game must not be over."""
    ids = board.legal_ids().tolist()
    if board.is_drafting:
        return int(ids[rng.below(len(ids))])
    if board.variant.draft:
        at = rng.below(len(ids))
        color = ids[at] // board.n_moves
        return int(color * board.n_moves + draw(board, color, rng, piece_weights, move_weights))
    # A choice is drawn only where there is one.
    if ids[-1] == board.n_moves and rng.below(len(ids)) == len(ids) - 1:
        return board.n_moves
    return draw(board, board.turn, rng, piece_weights, move_weights)


def play_out(
    board: bf.Board,
    rng: Rng,
    piece_weights: Sequence[int] | None = None,
    move_weights: npt.NDArray[np.uint32] | None = None,
) -> bf.Board:
    """Return the end of a playout, pushed move by move."""
    board = board.copy()
    while not board.is_game_over:
        board.push(draw_action(board, rng, piece_weights, move_weights))
    return board
