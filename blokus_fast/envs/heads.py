"""What actions have in common, as a matrix: for the last layer of a network."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from blokus_fast._core import Board
from blokus_fast.moves.conversions import moves_to_squares
from blokus_fast.moves.tables import PIECES, move_table
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["placement_matrix"]


def placement_matrix(variant: str | Variant) -> npt.NDArray[np.float32]:
    """Return which squares and which piece belong to each action.

    A network that gives a mark to every square and every piece, and multiplies them with this,
    has logits of all actions; what it learns of one placement holds for all that share squares or
    the piece. Its own last layer would have to learn thirty thousand numbers one by one.

    Parameters
    ----------
    variant : str or Variant
        The variant; not Draft, where actions are picks and colors, too.

    Returns
    -------
    ndarray of float32, shape (n_actions, size * size + 21)
        1 for each square that is covered, and for the piece; nothing for a pass.

    Raises
    ------
    ValueError
        The variant is a Draft.

    Examples
    --------
    >>> from blokus_fast.envs.heads import placement_matrix
    >>> matrix = placement_matrix("duo")
    >>> matrix.shape, matrix[0].nonzero()[0].tolist()
    ((13729, 217), [0, 196])
    """
    rule = find_variant(variant)
    if rule.draft:
        raise ValueError(f"actions of {rule.name} are not placements alone")
    size = rule.size
    pieces = move_table(size).info[:, 0]
    n_moves = len(pieces)
    matrix = np.zeros((Board(rule).n_actions, size * size + len(PIECES)), np.float32)
    squares = moves_to_squares(np.arange(n_moves), size)
    moves, places = np.nonzero(squares >= 0)
    matrix[moves, squares[moves, places]] = 1
    matrix[np.arange(n_moves), size * size + pieces] = 1
    return matrix
