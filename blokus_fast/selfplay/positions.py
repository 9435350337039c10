"""`Positions`: what was read from shards, as arrays, under symmetries too.

Owns what a program that learns sees of a position. Knows nothing of files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from blokus_fast.learning.batch import BatchBoard
from blokus_fast.learning.symmetry import symmetries
from blokus_fast.selfplay.packing import unpack
from blokus_fast.variants import Variant

__all__ = ["Positions"]


@dataclass(frozen=True, eq=False, repr=False)
class Positions:
    """Positions of games that were played, a row each.

    Attributes
    ----------
    variant : Variant
        The rules.
    games, seeds : ndarray of int64 and uint64, shape (n,)
        Number of the game in its run, and its seed, which tells games of several runs apart.
    ply, turn, player : ndarray of int32, shape (n,)
        As those of a board.
    random : ndarray of bool, shape (n,)
        Whether the move was drawn from all legal ones, without asking the bot: then there is
        nothing to learn from it, though there is from the outcome.
    move : ndarray of int32, shape (n,)
        The move that was made.
    best : ndarray of int32, shape (n,)
        The move that the bot thought the best; -1 where it was not asked.
    actions, visits : ndarray of int32 and uint32, shape (offsets[-1],)
        The moves that the search has visited, one position after the other, and how often. None
        where no search was.
    offsets : ndarray of int64, shape (n + 1,)
        Where each position's begin.
    simulations : ndarray of int32, shape (n,)
        How many were made; visits from before are not in it.
    solved : ndarray of bool, shape (n,)
        Whether best play was known.
    values : ndarray of float32, shape (n, n_players)
        What the search expected for each player, a share of the win; NaN where no search was.
    outcomes : ndarray of float32, shape (n, n_players)
        How the game ended: shares of the win.
    scores : ndarray of int32, shape (n, n_players)
        Its final scores.

    Examples
    --------
    >>> import tempfile
    >>> from blokus_fast.selfplay import Settings, read, run
    >>> settings = Settings("duo", "mcts:sims=20", games=2, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = run(settings, folder, workers=1)
    ...     positions = next(iter(read(folder, 1000)))
    >>> positions.outcomes.shape == positions.values.shape == (len(positions), 2)
    True
    """

    variant: Variant
    games: npt.NDArray[np.int64]
    seeds: npt.NDArray[np.uint64]
    ply: npt.NDArray[np.int32]
    turn: npt.NDArray[np.int32]
    player: npt.NDArray[np.int32]
    random: npt.NDArray[np.bool_]
    move: npt.NDArray[np.int32]
    best: npt.NDArray[np.int32]
    actions: npt.NDArray[np.int32]
    visits: npt.NDArray[np.uint32]
    offsets: npt.NDArray[np.int64]
    simulations: npt.NDArray[np.int32]
    solved: npt.NDArray[np.bool_]
    values: npt.NDArray[np.float32]
    outcomes: npt.NDArray[np.float32]
    scores: npt.NDArray[np.int32]
    # The columns that `packing.unpack` takes, and the symmetry that each position is under.
    _packed: Mapping[str, npt.NDArray[Any]]
    _which: npt.NDArray[np.int64] | None = None

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.games)

    def __repr__(self) -> str:
        """Return how many there are of what."""
        return f"<Positions: {len(self)} of {self.variant.name}>"

    @cached_property
    def boards(self) -> BatchBoard:
        """The positions themselves, made when they are asked for, and checked.

        Raises
        ------
        InvalidPositionError
            One is no position: then somebody else has made the file.
        """
        boards = unpack(self.variant, self._packed)
        return (
            boards if self._which is None else symmetries(self.variant).apply(boards, self._which)
        )

    @property
    def policy(self) -> npt.NDArray[np.float32]:
        """The part of its position's visits that each of `actions` got."""
        totals = np.add.reduceat(
            np.append(self.visits, 0).astype(np.float64), self.offsets[:-1]
        ).astype(np.float32)
        return (self.visits / np.repeat(totals, np.diff(self.offsets))).astype(np.float32)

    def dense_policy(self) -> npt.NDArray[np.float32]:
        """Return what to teach a network, with a column for every action.

        Returns
        -------
        ndarray of float32, shape (n, n_actions)
            `policy`; where there were no visits, 1 for the best move; zeros for random moves.
        """
        dense = np.zeros((len(self), self.variant._rules().n_actions), np.float32)
        lengths = np.diff(self.offsets)
        dense[np.repeat(np.arange(len(self)), lengths), self.actions] = self.policy
        rows = np.flatnonzero((lengths == 0) & (self.best >= 0))
        dense[rows, self.best[rows]] = 1
        return dense

    def take(self, rows: npt.ArrayLike | slice) -> Positions:
        """Return some of the positions.

        Parameters
        ----------
        rows : array_like of int or of bool, or slice
            Which ones, in any order, and as often as wanted; a slice goes forward by ones.

        Returns
        -------
        Positions
            Of a slice, views of the same arrays.

        Raises
        ------
        ValueError
            A slice has another step than 1.
        IndexError
            There is no such position.

        Examples
        --------
        >>> import tempfile
        >>> from blokus_fast.selfplay import Settings, read, run
        >>> settings = Settings("duo", "mcts:sims=20", games=2, seed=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = run(settings, folder, workers=1)
        ...     positions = next(iter(read(folder, 1000)))
        >>> late = positions.take(positions.ply >= 20)
        >>> len(late) < len(positions), bool((late.boards.ply == late.ply).all())
        (True, True)
        """
        index: Any
        if isinstance(rows, slice):
            start, stop, step = rows.indices(len(self))
            if step != 1:
                raise ValueError(f"a slice of positions has a step of 1, not {step}")
            stop = max(start, stop)
            index = slice(start, stop)
            first, last = self.offsets[start], self.offsets[stop]
            places: Any = slice(first, last)
            offsets = self.offsets[start : stop + 1] - first
        else:
            chosen = np.asarray(rows)
            # An empty list has numbers of no kind.
            index = np.arange(len(self))[chosen if chosen.size else chosen.astype(np.intp)]
            lengths = np.diff(self.offsets)[index]
            offsets = np.concatenate([[0], np.cumsum(lengths)])
            places = np.arange(offsets[-1]) + np.repeat(
                self.offsets[:-1][index] - offsets[:-1], lengths
            )
        changed = {name: getattr(self, name)[index] for name in _ROWS}
        return replace(
            self,
            **changed,
            actions=self.actions[places],
            visits=self.visits[places],
            offsets=offsets,
            _packed={name: column[index] for name, column in self._packed.items()},
            _which=None if self._which is None else self._which[index],
        )

    def mapped(self, which: npt.ArrayLike) -> Positions:
        """Return the same positions under symmetries of the variant, moves and players with them.

        Parameters
        ----------
        which : int or array_like of int, shape (n,)
            Numbers of symmetries in `blokus_fast.symmetries`, one or one a position.

        Returns
        -------
        Positions
            The images. Of each the moves stand where those of the position did, so they do not
            ascend.

        Raises
        ------
        ValueError
            A number is out of its range; or the positions are images already.

        Examples
        --------
        >>> import tempfile
        >>> from blokus_fast.selfplay import Settings, read, run
        >>> settings = Settings("duo", "mcts:sims=20", games=1, seed=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = run(settings, folder, workers=1)
        ...     image = next(iter(read(folder, 1000))).mapped(3)
        >>> bool(image.boards.legal_mask()[range(len(image)), image.move].all())
        True
        """
        if self._which is not None:
            raise ValueError("these positions are images already: map those that were read")
        group = symmetries(self.variant)
        numbers = group._which(np.asarray(which), len(self))
        each = np.repeat(numbers, np.diff(self.offsets))
        _, colors, players = group._tables
        # Nobody (-1) stays nobody.
        turn = np.where(self.turn >= 0, colors[numbers, self.turn], self.turn)
        player = np.where(self.player >= 0, players[numbers, self.player], self.player)
        return replace(
            self,
            turn=turn.astype(np.int32),
            player=player.astype(np.int32),
            move=group.map_actions(self.move, numbers),
            best=group.map_actions(self.best, numbers),
            actions=group.map_actions(self.actions, each),
            values=_moved(self.values, players[numbers]),
            outcomes=_moved(self.outcomes, players[numbers]),
            scores=_moved(self.scores, players[numbers]),
            _which=numbers,
        )


_RAGGED = ("actions", "visits", "offsets")
_ROWS = tuple(
    field.name
    for field in fields(Positions)
    if field.name not in ("variant", "_packed", "_which", *_RAGGED)
)


def _moved(figures: npt.NDArray[Any], players: npt.NDArray[np.int8]) -> npt.NDArray[Any]:
    """Give each player's figure to the player that he becomes."""
    result = np.empty_like(figures)
    rows = np.arange(len(figures))[:, None]
    result[rows, players[:, : figures.shape[1]]] = figures
    return result


def concatenate(parts: Sequence[Positions]) -> Positions:
    """Put positions of one variant, none of them images, one after the other."""
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0, *(part.offsets[-1] for part in parts)])
    offsets = [part.offsets[1:] + start for part, start in zip(parts, starts, strict=False)]
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in (*_ROWS, "actions", "visits")
    }
    packed = {
        name: np.concatenate([part._packed[name] for part in parts]) for name in parts[0]._packed
    }
    return replace(
        parts[0],
        **joined,
        offsets=np.concatenate([np.zeros(1, np.int64), *offsets]),
        _packed=packed,
    )
