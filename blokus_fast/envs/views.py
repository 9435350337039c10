"""Planes of one game as any of its players sees them.

An `Observer` shows a game as it lies or as the mover sees it; environments also need it as
somebody else sees it, and after the end. Owns the order of the planes for that, and nothing else.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from blokus_fast._core import Board
from blokus_fast.learning.batch import BatchBoard
from blokus_fast.learning.observation import Observer
from blokus_fast.variants.definition import Variant

__all__ = ["Views"]

# Groups of planes in which there is a plane for each color.
_COLORED = ("own", "corner", "forbidden", "finished", "start")


class Views:
    """How the players of a variant see a game, as planes of uint8.

    The player on the move sees it as `Observer` shows it with the view ``mover``; the others see
    it as he would if their first color were to move, but for the planes that say who is to move.

    Parameters
    ----------
    variant : Variant
        The variant.

    Attributes
    ----------
    shape : tuple of int
        (planes, size, size).
    planes : tuple of str
        Name of every plane.

    Notes
    -----
    Belongs to one thread at a time.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.envs.views import Views
    >>> views, board = Views(bf.variant("duo")), bf.Board("duo")
    >>> board.push(board.parse_move("e10"))
    >>> views.of_player(board, 0)[:2].sum(axis=(1, 2)).tolist()
    [1, 0]
    >>> views.of_player(board, 1)[:2].sum(axis=(1, 2)).tolist()
    [0, 1]
    """

    def __init__(self, variant: Variant) -> None:
        self._mover = Observer(variant, view="mover")
        self._board = Observer(variant)
        self._places = [_places(self._board, player) for player in range(variant.players)]
        self._game = BatchBoard(1, variant)
        self.shape = self._mover.shape
        planes, *board = self.shape
        # Of one game, as the core fills it.
        self._flat = (1, planes, math.prod(board))
        self._room = np.empty(self._flat, np.uint8)
        self.planes = self._mover.planes

    def of_board(self, board: Board) -> npt.NDArray[np.uint8]:
        """Return the planes of the board as it lies.

        Parameters
        ----------
        board : Board
            The position.

        Returns
        -------
        ndarray of uint8, shape `shape`
            A new array.
        """
        self._game[0] = board
        planes: npt.NDArray[np.uint8] = self._board.observe(self._game)[0]
        return planes

    def of_player(self, board: Board, player: int) -> npt.NDArray[np.uint8]:
        """Return what a player sees.

        Parameters
        ----------
        board : Board
            The position.
        player : int
            The player.

        Returns
        -------
        ndarray of uint8, shape `shape`
            A new array.
        """
        self._game[0] = board
        if board.player == player:
            room = np.empty(self._flat, np.uint8)
            self._mover._fill(self._game, room)
            return room.reshape(self.shape)
        self._board._fill(self._game, self._room)
        seen: npt.NDArray[np.uint8] = self._room[0, self._places[player]].reshape(self.shape)
        return seen


def _places(observer: Observer, player: int) -> npt.NDArray[np.intp]:
    """Return for each plane that a player sees its number among the planes of the board."""
    variant = observer.variant
    order, n_colors = variant.order, variant.n_colors
    holders = [0]
    colors = list(order)
    if variant.draft:
        holders = [(player + step) % variant.players for step in range(variant.players)]
    else:
        base = next(i for i, color in enumerate(order) if variant.owners[color] == player)
        colors = [order[(base + step) % n_colors] for step in range(n_colors)]
    found = []
    for group, part in observer.groups.items():
        numbers = np.arange(part.start, part.stop)
        if group == "hand":
            numbers = numbers.reshape(len(holders), n_colors, -1)[holders][:, colors]
        elif group in _COLORED or (group == "monomino" and not variant.draft):
            numbers = numbers.reshape(n_colors, -1)[colors]
        elif group in ("monomino", "placed"):
            numbers = numbers.reshape(len(holders), -1)[holders]
        found.append(numbers.reshape(-1))
    return np.concatenate(found)
