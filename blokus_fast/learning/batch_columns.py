"""What all batches have: columns of numbers, one a game.

Owns the properties and results of `BatchBoard` that only look at the games, and how seeds and
weights are checked.
"""

from __future__ import annotations

from typing import Any, Final, SupportsIndex

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast.learning.arrays import output
from blokus_fast.learning.playouts import _move_weights, _number, _piece_weights
from blokus_fast.scoring import check_reward, rewards

__all__ = ["FLAGS", "INT32", "Games", "Seeds", "Weights"]

INT32: Final = (np.dtype(np.int32),)
FLAGS: Final = (np.dtype(np.bool_), np.dtype(np.int8), np.dtype(np.uint8))

Seeds = SupportsIndex | npt.NDArray[np.uint64]
Weights = str | npt.ArrayLike | None


class Games(_core.Batch):
    """The games of a batch, to look at."""

    # -- whose turn ----------------------------------------------------------------------------

    @property
    def turn(self) -> npt.NDArray[np.int32]:
        """Color to move in each game, ndarray of int32, shape (n,).

        -1 where it is over, and in the second phase of Draft. A new array every time, as with the
        others.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> batch = bf.BatchBoard(2, "duo")
        >>> batch.step([-1, batch[1].parse_move("e10")])
        >>> batch.turn.tolist()
        [0, 1]
        """
        return self._filled(0, None, "turn")

    @property
    def player(self) -> npt.NDArray[np.int32]:
        """Player to move in each game, ndarray of int32, shape (n,); -1 where it is over.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> batch = bf.BatchBoard(2, "duo")
        >>> batch.step([-1, batch[1].parse_move("e10")])
        >>> batch.player.tolist()
        [0, 1]
        """
        return self._filled(1, None, "player")

    @property
    def ply(self) -> npt.NDArray[np.int32]:
        """Number of actions taken in each game, ndarray of int32, shape (n,).

        Examples
        --------
        >>> import blokus_fast as bf
        >>> batch = bf.BatchBoard(2, "duo")
        >>> batch.step([-1, batch[1].parse_move("e10")])
        >>> batch.ply.tolist()
        [0, 1]
        """
        return self._filled(2, None, "ply")

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Which games are over, ndarray of bool, shape (n,).

        Examples
        --------
        >>> import blokus_fast as bf
        >>> batch = bf.BatchBoard(2, "duo")
        >>> while not batch.done.all():
        ...     batch.step(batch.sample_actions(1))
        >>> batch.player.tolist()
        [-1, -1]
        """
        out = np.empty(len(self), np.bool_)
        self._done(out.view(np.uint8))
        return out

    def _filled(self, which: int, out: Any, name: str) -> npt.NDArray[np.int32]:
        array = output(out, (len(self),), INT32, name)
        self._column(which, array)
        return array

    def status(
        self,
        *,
        turn: npt.NDArray[np.int32] | None = None,
        player: npt.NDArray[np.int32] | None = None,
        ply: npt.NDArray[np.int32] | None = None,
        done: npt.NDArray[Any] | None = None,
    ) -> None:
        """Fill the caller's arrays with what the properties of the same names return.

        Parameters
        ----------
        turn, player, ply : ndarray of int32, shape (n,), optional
            Arrays to fill.
        done : ndarray of bool, uint8 or int8, shape (n,), optional
            Array to fill.

        Raises
        ------
        ValueError, TypeError
            An array does not fit; none is filled.

        Examples
        --------
        >>> import blokus_fast as bf, numpy as np
        >>> turn = np.empty(2, np.int32)
        >>> bf.BatchBoard(2, "duo").status(turn=turn)
        >>> turn.tolist()
        [0, 0]
        """
        shape = (len(self),)
        columns = (("turn", turn), ("player", player), ("ply", ply))
        for name, array in columns:
            if array is not None:
                output(array, shape, INT32, name)
        if done is not None:
            self._done(output(done, shape, FLAGS, "done").view(np.uint8))
        for which, (name, array) in enumerate(columns):
            if array is not None:
                self._filled(which, array, name)

    # -- results -------------------------------------------------------------------------------

    def scores(self, out: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.int32]:
        """Return the scores of the players.

        Parameters
        ----------
        out : ndarray, optional
            Array to fill and return.

        Returns
        -------
        ndarray of int32, shape (n, n_players)
            Scores by the variant's scoring rule, in games that go on too.

        Raises
        ------
        ValueError, TypeError
            `out` does not fit; nothing is written.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.BatchBoard(2, "duo").scores().tolist()
        [[-89, -89], [-89, -89]]
        """
        array = output(out, (len(self), self.n_players), INT32, "out")
        self._scores(array)
        return array

    def rewards(
        self, kind: str = "score", out: npt.NDArray[np.float32] | None = None
    ) -> npt.NDArray[np.float32]:
        """Return what the players get for their games, 0 while a game goes on.

        Parameters
        ----------
        kind : {"score", "win", "rank"}
            As in `scoring.rewards`: the score itself, negated by a scoring rule where the lowest
            wins; the share of the win; or how many of the others a player beat less how many
            beat him, from 1 to -1. ``"share"`` is the old name of ``"win"``, and means the same.
        out : ndarray, optional
            Array to fill and return.

        Returns
        -------
        ndarray of float32, shape (n, n_players)
            Higher is better.

        Raises
        ------
        ValueError
            The kind is unknown, or `out` does not fit.
        TypeError
            `out` is no array, or `kind` no str.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> batch = bf.BatchBoard(1, "duo")
        >>> while not batch.done.all():
        ...     batch.step(batch.sample_actions(5))
        >>> batch.scores().tolist(), batch.rewards("win").tolist()
        ([[-33, -34]], [[1.0, 0.0]])
        """
        kind = "win" if kind == "share" else check_reward(kind)
        array = output(out, (len(self), self.n_players), (np.dtype(np.float32),), "out")
        lowest_wins = self.variant.scoring_rule.lowest_wins
        array[:] = rewards(self.scores(), kind, lowest_wins=lowest_wins)
        array[~self.done] = 0
        return array

    def keys(self, out: npt.NDArray[np.uint64] | None = None) -> npt.NDArray[np.uint64]:
        """Return the hash of each position, as `Board.key` does.

        Parameters
        ----------
        out : ndarray, optional
            Array to fill and return.

        Returns
        -------
        ndarray of uint64, shape (n,)
            A key a game.

        Raises
        ------
        ValueError, TypeError
            `out` does not fit; nothing is written.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> int(bf.BatchBoard(1, "duo").keys()[0]) == bf.Board("duo").key()
        True
        """
        array = output(out, (len(self),), (np.dtype(np.uint64),), "out")
        self._keys(array)
        return array

    def hands(self, out: npt.NDArray[np.uint8] | None = None) -> npt.NDArray[np.uint8]:
        """Return how many of each piece are in hand.

        Parameters
        ----------
        out : ndarray, optional
            Array to fill and return.

        Returns
        -------
        ndarray of uint8, shape (n, holders, n_colors, 21)
            There is one holder, but in Draft every player is one.

        Raises
        ------
        ValueError, TypeError
            `out` does not fit; nothing is written.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.BatchBoard(2, "duo").hands().shape
        (2, 1, 2, 21)
        """
        holders = self.n_players if self.variant.draft else 1
        shape = (len(self), holders, self.n_colors, len(_core.PIECE_NAMES))
        array = output(out, shape, (np.dtype(np.uint8),), "out")
        self._hands(array)
        return array

    # -- arguments -----------------------------------------------------------------------------

    def _seeds(self, seeds: Seeds) -> tuple[int, npt.NDArray[np.uint64] | None]:
        if not isinstance(seeds, np.ndarray) or seeds.ndim == 0:
            return _number("seed", seeds, 0, 2**64 - 1), None
        if seeds.dtype != np.uint64:
            raise TypeError(f"seeds must be an int or an array of uint64, not of {seeds.dtype}")
        if seeds.shape != (len(self),):
            raise ValueError(f"seeds must have shape ({len(self)},), not {seeds.shape}")
        return 0, np.ascontiguousarray(seeds)

    def _weights(
        self, weights: Weights
    ) -> tuple[npt.NDArray[np.uint32] | None, npt.NDArray[np.uint32] | None]:
        if weights is None:
            return None, None
        if isinstance(weights, str):
            return _piece_weights(weights), None
        array = np.asarray(weights)
        if array.shape == (len(_core.PIECE_SIZES),):
            return _piece_weights(array), None
        if array.shape == (self.n_moves,):
            return None, _move_weights(array, self.n_moves)
        raise ValueError(
            f"weights must be 'size', {len(_core.PIECE_SIZES)} integers, one for each piece, or "
            f"{self.n_moves}, one for each move; not of shape {array.shape}"
        )
