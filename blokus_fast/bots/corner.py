"""`CornerBot`: squares, new corner squares, and those taken from others, weighted.

Looks one move ahead and no further; the figures are of `move_features`. The weights are simple ones
among those that won most against `greedy`: 67 % of 1,000 games of Duo, 70 % in two-player Classic.
"""

from __future__ import annotations

from random import Random
from typing import Final, SupportsIndex

import numpy as np
import numpy.typing as npt

from blokus_fast._core import Board
from blokus_fast.bots.budget import pieces_placed
from blokus_fast.bots.simple import _SIZES, _features_by_color, _largest, _legal_ids
from blokus_fast.checking import integer_or_none
from blokus_fast.moves.actions import PLACEMENT
from blokus_fast.shown import call_text

__all__ = ["CornerBot"]

# What a square placed and a new corner square are worth. Others were tried too: a price on corner
# squares that are used up or covered costs games.
_SQUARE: Final = 3.0
_CORNER: Final = 1.0
# A corner square taken from an opponent: nothing at first, this much when so many pieces lie.
_TAKEN: Final = 5.0
_TAKEN_FROM: Final = 8
# A square nearer to the center, at first; nothing any more after so many pieces.
_CENTER: Final = 0.25
_CENTER_UP_TO: Final = 5


class CornerBot:
    """Weighs squares, new corner squares and corner squares taken from opponents.

    What is taken counts the more the more pieces lie on the board; at the beginning, it is drawn to
    the center. Of the moves that are worth most it plays one by chance. In Draft it picks one of
    the largest pieces left.

    Parameters
    ----------
    seed : int, optional
        Seed of its random numbers. Default: by chance.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.bots import CornerBot
    >>> move = bf.Move(CornerBot(seed=1).choose(bf.Board("classic")))
    >>> len(move.squares)
    5
    """

    name = "corner"
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
        >>> from blokus_fast.bots import CornerBot
        >>> board = bf.Board("duo")
        >>> board.is_legal(CornerBot(seed=1).choose(board))
        True
        """
        ids = _legal_ids(board)
        kinds, _, pieces, _ = board.rules.decode_actions(ids).T
        if board.is_drafting:
            best = _largest(ids, _SIZES[pieces])
        else:
            # A color that has the turn can place, so it never has to give the turn up.
            moves = ids[kinds == PLACEMENT]
            values = _values(board, moves)
            best = moves[values == values.max()].tolist()
        return int(best[self._random.randrange(len(best))])


def _values(board: Board, moves: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """Return what placements are worth to the player to move."""
    pieces = pieces_placed(board) / board.n_colors
    taken = _TAKEN * min(pieces / _TAKEN_FROM, 1.0)
    center = _CENTER * max(1.0 - pieces / _CENTER_UP_TO, 0.0)
    # Opponents are those who own a color; what is taken from oneself costs nothing.
    owners = board.variant.owners
    others = np.array([owner not in (board.player, None) for owner in owners], np.float64)
    values = np.empty(len(moves), np.float64)
    for _, mine, features in _features_by_color(board, moves):
        values[mine] = (
            _SQUARE * features.squares
            + _CORNER * features.corners_gained
            + taken * (features.corners_taken @ others)
            - center * features.center_distance.astype(np.float64)
        )
    return values
