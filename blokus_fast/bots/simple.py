"""Bots without search: `RandomBot` and `GreedyBot`."""

from __future__ import annotations

from random import Random

import numpy as np

from blokus_fast._core import Board
from blokus_fast.moves import PIECE_SIZES, moves_to_placements

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

    def __init__(self, seed: int | None = None) -> None:
        self._random = Random(seed)

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

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.bots import RandomBot
        >>> bf.Move(RandomBot(seed=1).choose(bf.Board("classic"))).size
        20
        """
        ids = board.legal_ids()
        return int(ids[self._random.randrange(len(ids))])


class GreedyBot:
    """Plays the largest piece it can, where it gains the most corners.

    Among the moves of the most squares it takes those after which its color has the most
    corner squares, and one of them by chance.

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

    def __init__(self, seed: int | None = None) -> None:
        self._random = Random(seed)

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

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.bots import GreedyBot
        >>> len(bf.Move(GreedyBot(seed=1).choose(bf.Board("classic"))).squares)
        5
        """
        ids = board.legal_ids()
        # A color that has the turn can place, so it never has to give the turn up.
        ids = ids[ids < board.n_moves]
        sizes = _SIZES[moves_to_placements(ids, board.size)[:, 0]]
        trial = board.copy()
        color = board.turn
        best: list[int] = []
        most = -1
        for number in ids[sizes == sizes.max()].tolist():
            trial.push_unchecked(number)
            corners = trial.corner_mask(color).bit_count()
            trial.pop()
            if corners > most:
                best, most = [], corners
            if corners == most:
                best.append(number)
        return best[self._random.randrange(len(best))]
