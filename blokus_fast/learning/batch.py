"""`BatchBoard`: many games side by side, for programs that learn.

Owns the arguments; the loops over games are in the native core (src/core/loops.pxi), and what only
looks at the games is in `batch_columns`.
"""

from __future__ import annotations

import operator
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.errors import IllegalMoveError, InvalidMoveError, InvalidPositionError
from blokus_fast.learning.arrays import numbers_of, output
from blokus_fast.learning.batch_columns import FLAGS, INT32, Games, Seeds, Weights
from blokus_fast.learning.playouts import _number
from blokus_fast.moves import Move
from blokus_fast.moves.actions import resolve
from blokus_fast.variants import Variant

if TYPE_CHECKING:
    from blokus_fast.learning.observation import Observer

__all__ = ["BatchBoard"]


# Masks of that many bytes are written past the caches, which could not hold them.
_STREAMED: Final = 2**24
_NAMED: Final = 10


class BatchBoard(Games):
    """Games of one variant, side by side in one piece of memory.

    Parameters
    ----------
    n : int
        Number of games, 0 or more.
    variant : str or Variant
        Name of a variant, or one of the user's own.
    start : {'assigned', 'any', 'border'}, optional
        Start rule, if not the variant's own.
    scoring : str, optional
        Scoring rule, if not the variant's own.
    threads : int
        Number of plain threads that share the work of a call, also settable as an attribute.
        Results do not depend on it.

    Attributes
    ----------
    rules : Rules
        The variant as the core has it: what ids of actions stand for, see docs/api.md.

    Raises
    ------
    ValueError
        If a name is unknown, or a number is out of range.
    MemoryError
        If there is no room for `n` games.

    Notes
    -----
    Every array that a method returns can be the caller's: pass it as ``out``. It must be a
    writable, C-contiguous array of exactly the shape and the dtype that the method would return,
    and is returned. No method makes a Python object or allocates memory per game. What a method
    does to a game is, bit for bit, what a `Board` does. A batch belongs to one thread at a time: a
    call from another one, or from a signal handler in the middle of a call, raises RuntimeError.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> batch = bf.BatchBoard(3, "duo")
    >>> batch.count_legal().tolist()
    [828, 828, 828]
    >>> batch.step(batch.sample_actions(1))
    >>> batch.ply.tolist()
    [1, 1, 1]
    """

    __hash__ = None  # type: ignore[assignment]

    # -- the generator -------------------------------------------------------------------------

    def count_legal(self, out: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.int32]:
        """Return the number of legal actions of each game.

        Parameters
        ----------
        out : ndarray, optional
            Array to fill and return.

        Returns
        -------
        ndarray of int32, shape (n,)
            0 where the game is over.

        Raises
        ------
        ValueError, TypeError
            `out` does not fit; nothing is written.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.BatchBoard(2, "classic").count_legal().tolist()
        [58, 58]
        """
        array = output(out, (len(self),), INT32, "out")
        self._count(array)
        return array

    def legal_mask(self, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Return which actions are legal.

        Parameters
        ----------
        out : ndarray of bool, uint8 or int8, optional
            Array to fill and return.

        Returns
        -------
        ndarray of bool, shape (n, n_actions)
            A row a game; all False where it is over.

        Raises
        ------
        ValueError, TypeError
            `out` does not fit; nothing is written.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.BatchBoard(2, "duo").legal_mask().sum(axis=1).tolist()
        [828, 828]
        """
        array: npt.NDArray[Any] = output(out, (len(self), self.n_actions), FLAGS, "out")
        self._mask(array.view(np.uint8), array.nbytes >= _STREAMED)
        return array

    def legal_ids(
        self,
        out: npt.NDArray[np.int32] | None = None,
        offsets: npt.NDArray[np.int64] | None = None,
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Return the legal actions of all games, one after the other, and where each begins.

        Parameters
        ----------
        out : ndarray of int32, shape (room,), optional
            Array whose beginning is filled.
        offsets : ndarray of int64, shape (n + 1,), optional
            Array to fill and return.

        Returns
        -------
        ids : ndarray of int32, shape (m,)
            Ascending within a game; with `out`, its first m items.
        offsets : ndarray of int64, shape (n + 1,)
            Game i has ``ids[offsets[i]:offsets[i + 1]]``.

        Raises
        ------
        ValueError
            `out` has no room for all ids; the message says how much is needed, and neither array
            is changed.
        ValueError, TypeError
            An array does not fit; nothing is written.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> ids, offsets = bf.BatchBoard(2, "duo").legal_ids()
        >>> len(ids), offsets.tolist()
        (1656, [0, 828, 1656])
        """
        n = len(self)
        ends = output(offsets, (n + 1,), (np.dtype(np.int64),), "offsets")
        if out is not None:
            output(out, (None,), INT32, "out")
        total = self._list()
        if out is None:
            ids = np.empty(total, np.int32)
        elif len(out) < total:
            raise ValueError(f"out has room for {len(out)} ids, {total} are needed")
        else:
            ids = out[:total]
        self._store(ids, ends)
        return ids, ends

    def sample_actions(
        self,
        seeds: Seeds,
        weights: Weights = None,
        out: npt.NDArray[np.int32] | None = None,
    ) -> npt.NDArray[np.int32]:
        """Draw a legal action of each game.

        Parameters
        ----------
        seeds : int or ndarray of uint64, shape (n,)
            With an int, 0 to 2**64 - 1, game i at ply p draws from stream i of a seed that the
            int and p make. With an array it draws from stream 0 of one that ``seeds[i]`` and p
            make. So the same seeds serve for whole games.
        weights : "size" or array_like of int, optional
            21 weights to draw a piece first, ``"size"`` for the pieces' numbers of squares, or
            `n_moves` weights of the placements; as in `playouts`. Default: uniform.
        out : ndarray, optional
            Array to fill and return.

        Returns
        -------
        ndarray of int32, shape (n,)
            -1 where the game is over.

        Raises
        ------
        ValueError
            A seed or a weight is out of range, or an array has another shape.
        TypeError
            An argument is of another type or dtype.

        Notes
        -----
        A game's draw does not depend on the other games, the threads, the kernel or the
        platform; docs/random.md says how it is made.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.BatchBoard(3, "duo").sample_actions(1).tolist()
        [4037, 11406, 13116]
        """
        array = output(out, (len(self),), INT32, "out")
        seed, each = self._seeds(seeds)
        pieces, moves = self._weights(weights)
        self._draw(seed, each, pieces, moves, array)
        return array

    def observe(
        self, out: npt.NDArray[Any] | None = None, observer: Observer | None = None
    ) -> npt.NDArray[Any]:
        """Return the positions as planes for a network.

        Parameters
        ----------
        out : ndarray, optional
            Array to fill and return.
        observer : Observer, optional
            Which planes, and how. Default: ``Observer(batch.variant)``.

        Returns
        -------
        ndarray, shape ``(n, *observer.shape)``
            See `Observer` and docs/observations.md.

        Raises
        ------
        ValueError
            The observer is one of another variant, or `out` does not fit.
        TypeError
            `observer` is no Observer, or `out` of another dtype.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.BatchBoard(2, "duo").observe().shape
        (2, 60, 14, 14)
        """
        if observer is None:
            from blokus_fast.learning.observation import Observer

            observer = Observer(self.variant)
        if not hasattr(observer, "observe"):
            raise TypeError(f"observer must be an Observer, not {type(observer).__name__}")
        return observer.observe(self, out)

    # -- moving --------------------------------------------------------------------------------

    def step(self, actions: npt.ArrayLike, /) -> None:
        """Take an action in each game.

        Parameters
        ----------
        actions : array_like of int or Move, shape (n,)
            Ids, or moves for the games at their places; -1 leaves a game as it is, and is all
            that a game takes that is over.

        Raises
        ------
        IllegalMoveError
            Some actions are not allowed. The message names the games, and nothing is done.
        InvalidMoveError
            A number cannot be an id; nothing is done.
        ValueError, TypeError
            The actions are not n integers.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> batch = bf.BatchBoard(2, "duo")
        >>> batch.step([0, -1])
        Traceback (most recent call last):
        ...
        blokus_fast.errors.IllegalMoveError: illegal action in games [0]; game 0, action 0: ...
        >>> batch.step([int(batch.legal_ids()[0][0]), -1])
        >>> batch.ply.tolist()
        [1, 0]
        """
        chosen = self._actions(actions)
        first = self._step(chosen)
        if first >= 0:
            # The array may be the caller's, and no longer what it was.
            wrong = self._illegal(chosen) or [first]
            more = f" and {len(wrong) - _NAMED} more" if len(wrong) > _NAMED else ""
            i = wrong[0]
            raise IllegalMoveError(
                f"illegal action in games {wrong[:_NAMED]}{more}; game {i}, action {chosen[i]}: "
                f"{self[i].why_illegal(int(chosen[i]))}"
            )

    def _actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int32]:
        """Return actions as a contiguous int32 array; only integers are taken."""
        array = np.asarray(actions)
        if array.dtype == object and array.shape == (len(self),):
            array = np.array(
                [
                    resolve(self[i], action) if isinstance(action, Move) else action
                    for i, action in enumerate(array.tolist())
                ]
            )
        if array.dtype.kind not in "iu" and array.size:
            raise TypeError(f"actions must be integers or moves, not {array.dtype}")
        if array.shape != (len(self),):
            raise ValueError(f"actions must have shape ({len(self)},), not {array.shape}")
        if (
            array.dtype != np.int32
            and array.size
            and not (array.min() >= -1 and array.max() <= 0x7FFFFFFF)
        ):
            raise InvalidMoveError(
                f"actions from {array.min()} to {array.max()} are out of range: "
                f"-1..{self.n_actions - 1}"
            )
        return np.ascontiguousarray(array, dtype=np.int32)

    def playouts(
        self,
        n: SupportsIndex,
        seeds: Seeds = 0,
        weights: Weights = None,
        out: npt.NDArray[np.int32] | None = None,
    ) -> npt.NDArray[np.int32]:
        """Play every game to its end by chance, `n` times, and return the scores.

        Parameters
        ----------
        n : int
            Number of playouts from each game.
        seeds : int or ndarray of uint64, shape (games,)
            With an int, playout j of game i draws from stream ``i * n + j`` of that seed; with
            an array it draws from stream j of ``seeds[i]``, as the function `playouts` does with
            that seed.
        weights : "size" or array_like of int, optional
            As in `sample_actions`.
        out : ndarray, optional
            Array to fill and return.

        Returns
        -------
        ndarray of int32, shape (games, n, n_players)
            Scores; the batch is not changed.

        Raises
        ------
        ValueError
            A number is out of range, or an array has another shape.
        TypeError
            An argument is of another type or dtype.
        KeyboardInterrupt
            On Ctrl-C, soon; what was played is lost.

        Examples
        --------
        >>> import blokus_fast as bf, numpy as np
        >>> batch = bf.BatchBoard(2, "duo")
        >>> scores = batch.playouts(10, seeds=np.array([3, 4], np.uint64))
        >>> scores.shape, bool((scores[1] == bf.playouts(batch[1], 10, seed=4)).all())
        ((2, 10, 2), True)
        """
        each = _number("n", n, 0, 2**40)
        array = output(out, (len(self), each, self.n_players), INT32, "out")
        rows = array.reshape(-1, self.n_players)
        seed, own = self._seeds(seeds)
        pieces, moves = self._weights(weights)
        self._play_out(each, seed, own, pieces, moves, rows)
        return array

    # -- games in and out ----------------------------------------------------------------------

    def reset(self, where: npt.ArrayLike | None = None) -> None:
        """Begin games again.

        Parameters
        ----------
        where : array_like of bool, shape (n,), or of int, optional
            Which games, or their numbers. Default: all.

        Raises
        ------
        IndexError
            There is no such game; nothing is done.
        ValueError, TypeError
            `where` is neither n bools nor integers.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> batch = bf.BatchBoard(3, "duo")
        >>> batch.step(batch.sample_actions(1))
        >>> batch.reset([True, False, True])
        >>> batch.ply.tolist()
        [0, 1, 0]
        """
        self._reset(numbers_of(where, len(self), "where"))

    def copy_from(
        self,
        other: BatchBoard | Board,
        where: npt.ArrayLike | None = None,
        index: npt.ArrayLike | None = None,
    ) -> None:
        """Put copies of other games in the place of games.

        Parameters
        ----------
        other : BatchBoard or Board
            Where to copy from; it may be this batch. A board goes to all places.
        where : array_like of bool, shape (n,), or of int, optional
            Which games are overwritten. Default: all.
        index : array_like of int, optional
            For each of them, in ascending order or the order of the numbers in `where`, the
            number of the game to copy. Default: the same number.

        Raises
        ------
        ValueError
            The rules differ, or the lengths do; nothing is done.
        IndexError
            There is no such game; nothing is done.
        TypeError
            `other` is neither a batch nor a board, or numbers of games are no integers.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> batch, other = bf.BatchBoard(3, "duo"), bf.BatchBoard(1, "duo")
        >>> other.step(other.sample_actions(1))
        >>> batch.copy_from(other, where=[0, 2], index=[0, 0])
        >>> batch.ply.tolist()
        [1, 0, 1]
        """
        games = numbers_of(where, len(self), "where")
        if isinstance(other, Board):
            if index is not None:
                raise ValueError("index goes with a batch, not with a board")
            self._copy_board(other, games)
            return
        if not isinstance(other, _core.Batch):
            raise TypeError(f"other must be a BatchBoard or a Board, not {type(other).__name__}")
        if index is None:
            sources = numbers_of(games, len(other), "games of the other batch")
        else:
            sources = numbers_of(index, len(other), "index")
        if sources.shape != games.shape:
            raise ValueError(f"{len(sources)} games to copy to {len(games)} places")
        self._copy_from(other.copy() if other is self else other, games, sources)

    def take(self, index: npt.ArrayLike) -> Self:
        """Return a new batch with copies of some games.

        Parameters
        ----------
        index : array_like of int, or of bool, shape (n,)
            Numbers of the games, in any order and as often as wanted.

        Returns
        -------
        BatchBoard
            As many games as there are numbers.

        Raises
        ------
        IndexError
            There is no such game.
        ValueError, TypeError
            `index` is neither integers nor n bools.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> len(bf.BatchBoard(2, "duo").take([0, 0, 1, 1, 1]))
        5
        """
        games = numbers_of(index, len(self), "index")
        new = type(self)(len(games), self.rules, threads=self.threads)  # type: ignore[arg-type]
        new._copy_from(self, np.arange(len(games), dtype=np.int64), games)
        return new

    def copy(self) -> Self:
        """Return an independent copy.

        Returns
        -------
        BatchBoard
            The same games.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> len(bf.BatchBoard(2, "duo").copy())
        2
        """
        new = self.take(np.arange(len(self)))
        vars(new).update(vars(self))
        return new

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        new = self.take(np.arange(len(self)))
        memo[id(self)] = new
        vars(new).update(deepcopy(vars(self), memo))
        return new

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BatchBoard):
            return NotImplemented
        if self is other:
            return True
        if len(self) != len(other) or self.variant != other.variant:
            return False
        equal = np.empty(len(self), np.uint8)
        _core._equal(self, other, equal)
        return bool(equal.all())

    def __repr__(self) -> str:
        return f"<BatchBoard of {len(self)} games of {self.variant.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        n = len(self)
        own, hands = np.empty((n, 4, 8), np.uint64), np.empty((n, 4, 4), np.uint64)
        numbers = np.empty((n, 12), np.int32)
        _core._export(self, own, hands, numbers)
        values = (_FORMAT, self.variant, self.threads, own, hands, numbers)
        if type(self) is BatchBoard:
            return _restore, values
        return _restore, (*values, type(self)), vars(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)

    @classmethod
    def _from_numbers(
        cls,
        variant: Variant,
        own: npt.NDArray[np.uint64],
        hands: npt.NDArray[np.uint64],
        numbers: npt.NDArray[np.int32],
    ) -> Self:
        """Make a batch of what `_core._export` has written; everything is checked."""
        n = len(numbers)
        if (own.shape, hands.shape, numbers.shape) != ((n, 4, 8), (n, 4, 4), (n, 12)):
            raise InvalidPositionError("arrays of positions of other shapes")
        batch = cls(n, variant)
        _core._import(batch, own, hands, numbers)
        return batch


_FORMAT: Final = 1


def _restore(
    version: int,
    variant: Variant,
    threads: int,
    own: npt.NDArray[np.uint64],
    hands: npt.NDArray[np.uint64],
    numbers: npt.NDArray[np.int32],
    cls: type[BatchBoard] = BatchBoard,
) -> BatchBoard:
    """Rebuild a pickled batch."""
    if operator.index(version) != _FORMAT:
        raise ValueError(f"a batch pickled in format {version}; this release reads {_FORMAT}")
    batch = cls._from_numbers(variant, own, hands, numbers)
    batch.threads = threads
    return batch
