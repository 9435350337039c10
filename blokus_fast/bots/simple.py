"""Bots without search: `RandomBot` and `GreedyBot`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from blokus_fast._core import Board
from blokus_fast.checking import expect, integer_or_none
from blokus_fast.learning.features import MoveFeatures, move_features
from blokus_fast.moves import PIECE_SIZES
from blokus_fast.moves.actions import PLACEMENT
from blokus_fast.shown import call_text

__all__ = ["GreedyBot", "RandomBot"]

_SIZES = np.array(PIECE_SIZES)


class RandomBot:
    """Plays any legal move, each as likely as the others.

    Parameters
    ----------
    seed : int, optional
        Seed of its random numbers. Default: by chance.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.bots import RandomBot
    >>> board = bf.Board("classic")
    >>> RandomBot(seed=1).choose(board) in board.legal_moves
    True
    """

    name = "random"
    seed: int | None = None

    def __init__(self, seed: SupportsIndex | None = None) -> None:
        self.seed = integer_or_none(seed, "seed")
        self._random = Random(self.seed)

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(self, seed=self.seed)

    def choose(self, board: Board) -> int:
        """Choose a move for the color to move.

        Parameters
        ----------
        board : Board
            The position; the game must not be over.

        Returns
        -------
        int
            Id of a legal move.

        Raises
        ------
        ValueError
            The game is over.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.bots import RandomBot
        >>> bf.Move(RandomBot(seed=1).choose(bf.Board("classic"))).size
        20
        """
        ids = _legal_ids(board)
        return int(ids[self._random.randrange(len(ids))])


class GreedyBot:
    """Plays the largest piece it can, where it gains the most corners.

    Among the moves of the most squares it takes those after which the color placed has the most
    corner squares, and one of them by chance. In Draft it picks one of the largest pieces left.

    Parameters
    ----------
    seed : int, optional
        Seed of its random numbers. Default: by chance.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.bots import GreedyBot
    >>> move = bf.Move(GreedyBot(seed=1).choose(bf.Board("classic")))
    >>> len(move.squares)
    5
    """

    name = "greedy"
    seed: int | None = None

    def __init__(self, seed: SupportsIndex | None = None) -> None:
        self.seed = integer_or_none(seed, "seed")
        self._random = Random(self.seed)

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(self, seed=self.seed)

    def choose(self, board: Board) -> int:
        """Choose a move for the color to move.

        Parameters
        ----------
        board : Board
            The position; the game must not be over.

        Returns
        -------
        int
            Id of a legal move.

        Raises
        ------
        ValueError
            The game is over.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.bots import GreedyBot
        >>> len(bf.Move(GreedyBot(seed=1).choose(bf.Board("classic"))).squares)
        5
        """
        ids = _legal_ids(board)
        kinds, _, pieces, _ = board.rules.decode_actions(ids).T
        if board.is_drafting:
            largest = _largest(ids, _SIZES[pieces])
            return largest[self._random.randrange(len(largest))]
        # A color that has the turn can place, so it never has to give the turn up.
        places = kinds == PLACEMENT
        moves = np.array(_largest(ids[places], _SIZES[pieces[places]]), np.int32)
        corners = _corners_after(board, moves)
        best = moves[corners == corners.max()]
        return int(best[self._random.randrange(len(best))])


def _legal_ids(board: Board) -> npt.NDArray[np.int32]:
    expect(board, Board, "board")
    ids = board.legal_ids()
    if not len(ids):
        raise ValueError("the game is over: there is nothing to choose")
    return ids


def _features_by_color(
    board: Board, moves: npt.NDArray[np.int32]
) -> Iterator[tuple[int, npt.NDArray[np.bool_], MoveFeatures]]:
    """Go over the colors of placements: the color, which of them are its, and their features."""
    _, colors, _, placements = board.rules.decode_actions(moves).T
    # In Draft, a move holds its color; elsewhere it is that of the color to move.
    colors = np.where(colors < 0, board.turn, colors)
    for color in np.unique(colors).tolist():
        mine = colors == color
        yield color, mine, move_features(board, placements[mine], color=color)


def _corners_after(board: Board, moves: npt.NDArray[np.int32]) -> npt.NDArray[np.intp]:
    """Return how many corner squares the color of each move has after it."""
    corners = np.empty(len(moves), np.intp)
    for color, mine, features in _features_by_color(board, moves):
        before = board.corner_mask(color).bit_count()
        corners[mine] = before + features.corners_gained - features.corners_lost
    return corners


def _largest(ids: npt.NDArray[np.int32], sizes: npt.NDArray[np.intp]) -> list[int]:
    """Return the ids whose pieces have the most squares."""
    largest: list[int] = ids[sizes == sizes.max()].tolist()
    return largest
