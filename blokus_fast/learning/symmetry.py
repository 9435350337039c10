"""Symmetries of a variant: turns and reflections of the board after which its rules are the same.

Found from the variant's data by trying the eight symmetries of the square with every permutation
of the colors. Owns the search and the permutations; positions are mapped in the engine
(src/engine/symmetry.c).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from itertools import permutations
from typing import Any, SupportsIndex, TypeVar, overload

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.learning.arrays import output
from blokus_fast.learning.batch import BatchBoard
from blokus_fast.moves.tables import move_table, square_keys
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["Symmetries", "Symmetry", "symmetries"]

_Games = TypeVar("_Games", Board, BatchBoard)

# Name, and whether rows and columns change places first, then rows, then columns are reversed.
_SQUARE = (
    ("identity", False, False, False),
    ("rotate 90", True, False, True),
    ("rotate 180", False, True, True),
    ("rotate 270", True, True, False),
    ("transpose", True, False, False),
    ("antitranspose", True, True, True),
    ("mirror columns", False, False, True),
    ("mirror rows", False, True, False),
)


class Symmetry:
    """One symmetry of a variant. Made by `symmetries`.

    Parameters
    ----------
    variant : Variant
        Whose symmetry it is.
    name : str
        What it does to the board.
    squares : ndarray of intp, shape (size * size,)
        Where each square goes.
    colors : tuple of int
        What each color becomes.
    players : tuple of int
        What each player becomes.

    Attributes
    ----------
    name : str
        What it does to the board: ``identity``, ``rotate 90`` (clockwise), ``rotate 180``,
        ``rotate 270``, ``transpose`` (about the diagonal from the top left), ``antitranspose``,
        ``mirror columns`` (left and right), ``mirror rows`` (top and bottom).
    variant : Variant
        Whose symmetry it is.
    squares : ndarray of intp, shape (size * size,)
        Where each square goes.
    colors, players : tuple of int
        What each color, and each player, becomes.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> turn = bf.symmetries("classic")[1]
    >>> turn.name, turn.colors, turn.apply(bf.Board("classic")).turn
    ('rotate 90', (1, 2, 3, 0), 1)
    """

    def __init__(
        self,
        variant: Variant,
        name: str,
        squares: npt.NDArray[np.intp],
        colors: tuple[int, ...],
        players: tuple[int, ...],
    ) -> None:
        self.variant = variant
        self.name = name
        self.squares = squares
        self.colors = colors
        self.players = players

    def __repr__(self) -> str:
        return f"<Symmetry {self.name}, colors {self.colors} of {self.variant.name}>"

    @cached_property
    def moves(self) -> npt.NDArray[np.int32]:
        """The id that each placement gets, int32 (n_moves,)."""
        return _moves(self.variant.size, self.name)

    @cached_property
    def actions(self) -> npt.NDArray[np.int32]:
        """The id that each action gets, int32 (n_actions,); the same as `moves` but in Draft."""
        rules = self.variant._rules()
        if rules.n_actions == len(self.moves):
            return self.moves
        parts = rules.decode_actions(np.arange(rules.n_actions, dtype=np.int32))
        _, color, _, move = parts.T
        color[:] = np.where(color >= 0, np.array(self.colors, np.int32)[color], color)
        move[:] = np.where(move >= 0, self.moves[move], move)
        return rules.encode_actions(parts)

    @cached_property
    def _sources(self) -> npt.NDArray[np.intp]:
        """The action that comes to each id."""
        return np.argsort(self.actions)

    @property
    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one."""
        group = symmetries(self.variant)
        return group[group.index_of(self, undone=True)]

    def apply(self, games: _Games) -> _Games:
        """Return the image of a position, or of every game of a batch.

        Parameters
        ----------
        games : Board or BatchBoard
            Not changed.

        Returns
        -------
        Board or BatchBoard
            The same kind; a board has no moves to take back.

        Raises
        ------
        ValueError
            It is another variant's game, or in the draft phase of Draft and colors change
            places, which have a fixed order there.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("classic")
        >>> board.push(board.parse_move("a20,b20"))
        >>> turned = bf.symmetries("classic")[1].apply(board)
        >>> turned.own_squares(1).tolist(), turned.turn
        ([19, 39], 2)
        """
        group = symmetries(self.variant)
        which = group.index_of(self)
        if isinstance(games, Board):
            if games.variant != self.variant:
                raise ValueError(f"a board of {games.variant.name}, not of {self.variant.name}")
            batch = BatchBoard(1, self.variant)
            batch[0] = games
            return group.apply(batch, which)[0]
        return group.apply(games, which)

    def permute(
        self, values: npt.ArrayLike, out: npt.NDArray[Any] | None = None
    ) -> npt.NDArray[Any]:
        """Move masks or policies along: ``result[..., actions[j]] = values[..., j]``.

        Parameters
        ----------
        values : array_like, shape (..., n_actions)
            Any dtype.
        out : ndarray, optional
            Array of the same shape and dtype to fill and return.

        Returns
        -------
        ndarray, shape (..., n_actions)
            The values of the image.

        Raises
        ------
        ValueError
            A shape does not fit.
        TypeError
            `out` has another dtype.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("classic")
        >>> turn = bf.symmetries("classic")[1]
        >>> mask = turn.permute(board.legal_mask())
        >>> bool((mask == turn.apply(board).legal_mask()).all())
        True
        """
        array = np.asarray(values)
        if array.ndim == 0 or array.shape[-1] != len(self.actions):
            raise ValueError(f"values must have shape (..., {len(self.actions)})")
        result = output(out, array.shape, (array.dtype,), "out")
        result[...] = array[..., self._sources]
        return result

    def map_actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int32]:
        """Return the ids that actions get; -1 stays -1.

        Parameters
        ----------
        actions : array_like of int
            Ids of actions.

        Returns
        -------
        ndarray of int32
            Of the same shape.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.symmetries("classic")[1].map_actions([0, -1]).tolist()
        [19, -1]
        """
        return _mapped(self.actions, np.asarray(actions))


def _mapped(actions: npt.NDArray[np.int32], ids: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    if ids.dtype.kind not in "iu" and ids.size:
        raise TypeError(f"actions must be integers, not {ids.dtype}")
    n = actions.shape[-1]
    if ids.size and not (ids.min() >= -1 and ids.max() < n):
        raise ValueError(f"actions from {ids.min()} to {ids.max()}: they must be in -1..{n - 1}")
    ids = ids.astype(np.intp)
    image = np.array(actions[ids], np.int32)
    image[ids < 0] = -1
    return image


class Symmetries(Sequence[Symmetry]):
    """All symmetries of a variant, the identity first. Made by `symmetries`.

    Parameters
    ----------
    variant : Variant
        Whose symmetries they are.
    found : tuple of Symmetry
        They themselves.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> bf.symmetries("classic")
    <4 symmetries of classic>
    >>> bf.symmetries("classic")[1].name
    'rotate 90'
    """

    def __init__(self, variant: Variant, found: tuple[Symmetry, ...]) -> None:
        self.variant = variant
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, index: int) -> Symmetry: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Symmetry, ...]: ...
    def __getitem__(self, index: int | slice) -> Symmetry | tuple[Symmetry, ...]:
        """Return one symmetry, or a tuple of some."""
        return self._found[index]

    def __repr__(self) -> str:
        return f"<{len(self)} symmetries of {self.variant.name}>"

    @cached_property
    def _by_key(self) -> dict[tuple[Any, ...], int]:
        return {(each.squares.tobytes(), each.colors): i for i, each in enumerate(self._found)}

    def index_of(self, symmetry: Symmetry, *, undone: bool = False) -> int:
        """Return the place of a symmetry, or of the one that undoes it.

        Parameters
        ----------
        symmetry : Symmetry
            One of these.
        undone : bool
            Ask for its inverse.

        Returns
        -------
        int
            Its place in the sequence.

        Raises
        ------
        ValueError
            It is a symmetry of another variant.
        TypeError
            `symmetry` is no Symmetry.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> turns = bf.symmetries("classic")
        >>> turns.index_of(turns[1]), turns.index_of(turns[1], undone=True)
        (1, 3)
        """
        if not isinstance(symmetry, Symmetry):
            raise TypeError(f"a Symmetry is needed, not {type(symmetry).__name__}")
        squares, colors = symmetry.squares, symmetry.colors
        if undone:
            squares = np.argsort(squares)
            colors = tuple(colors.index(color) for color in range(len(colors)))
        found = self._by_key.get((squares.tobytes(), colors))
        if found is None:
            raise ValueError(f"{symmetry!r} is no symmetry of {self.variant.name}")
        return found

    @cached_property
    def _inverses(self) -> npt.NDArray[np.intp]:
        return np.array([self.index_of(each, undone=True) for each in self._found], np.intp)

    def inverse(self, which: SupportsIndex | npt.ArrayLike) -> Any:
        """Return the number of the symmetry that undoes one, or an array of them.

        Parameters
        ----------
        which : int or array_like of int
            Numbers of symmetries.

        Returns
        -------
        int or ndarray of intp
            Numbers of their inverses.

        Raises
        ------
        ValueError
            A number is out of range.
        TypeError
            `which` is no integers.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.symmetries("classic").inverse([0, 1, 2, 3]).tolist()
        [0, 3, 2, 1]
        """
        array = np.asarray(which)
        if array.dtype.kind not in "iu" and array.size:
            raise TypeError(f"which must be integers, not {array.dtype}")
        if array.size and not (array.min() >= 0 and array.max() < len(self)):
            raise ValueError(f"which must be in 0..{len(self) - 1}")
        return self._inverses[array.astype(np.intp)]

    def _which(self, which: SupportsIndex | npt.ArrayLike, n: int) -> npt.NDArray[np.int64]:
        array = np.asarray(which)
        if array.dtype.kind not in "iu" and array.size:
            raise TypeError(f"which must be integers, not {array.dtype}")
        if array.ndim == 0:
            array = np.full(n, array, np.int64)
        if array.shape != (n,):
            raise ValueError(f"which must have shape ({n},), not {array.shape}")
        if n and not (array.min() >= 0 and array.max() < len(self)):
            raise ValueError(f"which must be in 0..{len(self) - 1}")
        # A copy: the core reads it without the GIL, and relies on what was just checked.
        return np.array(array, np.int64)

    @cached_property
    def _tables(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
        moves = np.array([each.moves for each in self._found], np.int32)
        colors, players = np.zeros((2, len(self), 4), np.int8)
        for i, each in enumerate(self._found):
            colors[i, : len(each.colors)] = each.colors
            players[i, : len(each.players)] = each.players
        return moves, colors, players

    def apply(self, games: BatchBoard, which: SupportsIndex | npt.ArrayLike) -> BatchBoard:
        """Return the image of every game of a batch, each under a symmetry of its own.

        Parameters
        ----------
        games : BatchBoard
            Not changed.
        which : int or array_like of int, shape (n,)
            The number of the symmetry for each game.

        Returns
        -------
        BatchBoard
            As many games.

        Raises
        ------
        ValueError
            As for `Symmetry.apply`; or a number is out of range.
        TypeError
            `games` is no batch, or `which` no integers.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> batch = bf.BatchBoard(4, "classic")
        >>> bf.symmetries("classic").apply(batch, [0, 1, 2, 3]).turn.tolist()
        [0, 1, 2, 3]
        """
        if not isinstance(games, BatchBoard):
            raise TypeError(f"games must be a BatchBoard, not {type(games).__name__}")
        if games.variant != self.variant:
            raise ValueError(f"games of {games.variant.name}, not of {self.variant.name}")
        out = games.copy()
        wrong = _core._map_states(games, out, *self._tables, self._which(which, len(games)))
        if wrong >= 0:
            raise ValueError(
                f"game {wrong} has no image: the order of the colors is fixed in the draft phase"
            )
        return out

    def permute(
        self,
        values: npt.ArrayLike,
        which: SupportsIndex | npt.ArrayLike,
        out: npt.NDArray[Any] | None = None,
    ) -> npt.NDArray[Any]:
        """Move masks or policies along, each row by a symmetry of its own.

        Parameters
        ----------
        values : array_like, shape (n, n_actions)
            Any dtype.
        which : int or array_like of int, shape (n,)
            The number of the symmetry for each row.
        out : ndarray, optional
            Another array of the same shape and dtype to fill and return.

        Returns
        -------
        ndarray, shape (n, n_actions)
            ``result[i, actions[j]] = values[i, j]``.

        Raises
        ------
        ValueError
            A shape does not fit, or a number is out of range.
        TypeError
            `out` has another dtype, or `which` is no integers.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> group, batch = bf.symmetries("duo"), bf.BatchBoard(2, "duo")
        >>> mask = group.permute(batch.legal_mask(), [0, 1])
        >>> bool((mask == group.apply(batch, [0, 1]).legal_mask()).all())
        True
        """
        array = np.asarray(values)
        n_actions = len(self._found[0].actions)
        if array.ndim != 2 or array.shape[1] != n_actions:
            raise ValueError(f"values must have shape (n, {n_actions}), not {array.shape}")
        chosen = self._which(which, len(array))
        result = output(out, array.shape, (array.dtype,), "out")
        if np.may_share_memory(result, array):
            array = array.copy()
        for number in np.unique(chosen).tolist():
            rows = np.flatnonzero(chosen == number)
            result[rows] = array[rows[:, None], self._found[number]._sources]
        return result

    def map_actions(
        self, actions: npt.ArrayLike, which: SupportsIndex | npt.ArrayLike
    ) -> npt.NDArray[np.int32]:
        """Return the ids that actions get, each by a symmetry of its own; -1 stays -1.

        Parameters
        ----------
        actions : array_like of int, shape (n,)
            Ids of actions.
        which : int or array_like of int, shape (n,)
            The number of the symmetry for each.

        Returns
        -------
        ndarray of int32, shape (n,)
            The ids.

        Raises
        ------
        ValueError
            An id or a number is out of range, or the lengths differ.
        TypeError
            An argument is no integers.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.symmetries("classic").map_actions([0, 0, -1], [1, 2, 3]).tolist()
        [19, 399, -1]
        """
        array = np.asarray(actions)
        if array.ndim != 1:
            raise ValueError(f"actions must have shape (n,), not {array.shape}")
        chosen = self._which(which, len(array))
        result = np.empty(len(array), np.int32)
        for number in np.unique(chosen).tolist():
            rows = chosen == number
            result[rows] = self._found[number].map_actions(array[rows])
        return result


@cache
def _squares(size: int, name: str) -> npt.NDArray[np.intp]:
    """Return where a symmetry of the square takes each of its squares."""
    _, swap, reverse_rows, reverse_columns = next(each for each in _SQUARE if each[0] == name)
    row, column = np.divmod(np.arange(size * size), size)
    if swap:
        row, column = column, row
    if reverse_rows:
        row = size - 1 - row
    if reverse_columns:
        column = size - 1 - column
    return row * size + column


@cache
def _moves(size: int, name: str) -> npt.NDArray[np.int32]:
    """Return the id that each placement gets."""
    table = move_table(size)
    # Square -1 stands for none.
    to = np.append(_squares(size, name), -1)
    keys = square_keys(to[table.squares])
    places = np.searchsorted(table.keys, keys, sorter=table.key_order)
    moves: npt.NDArray[np.int32] = table.key_order[places].astype(np.int32)
    moves.flags.writeable = False
    return moves


def _players(variant: Variant, colors: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return what players become when colors do; None if the owners do not fit."""
    players = list(range(variant.players))
    if variant.draft:
        return tuple(players)
    for color, image in enumerate(colors):
        old, new = variant.owners[color], variant.owners[image]
        if (old is None) != (new is None):
            return None
        if old is not None and new is not None:
            players[old] = new
    for color, image in enumerate(colors):
        old = variant.owners[color]
        if old is not None and players[old] != variant.owners[image]:
            return None
    if sorted(players) != list(range(variant.players)):
        return None
    steps = {(new - old) % variant.players for old, new in enumerate(players)}
    # The players take turns with a shared color.
    return None if None in variant.owners and len(steps) > 1 else tuple(players)


def _keeps_order(variant: Variant, colors: tuple[int, ...]) -> bool:
    """Say whether play goes on in the same order with colors renamed."""
    if variant.draft:
        return True  # the players take turns, whatever the colors
    order = variant.order
    images = [order.index(colors[color]) for color in order]
    shifted = [(place + images[0]) % len(order) for place in range(len(order))]
    # With a last round it matters which color begins a round.
    return images == shifted and not (variant.max_rounds and images[0])


# An own variant's tables are megabytes in Draft: the last few are kept, not all.
@lru_cache(maxsize=16)
def _find(variant: Variant) -> Symmetries:
    size, opening, hands = variant.size, variant.opening_squares, variant.hands
    in_play = {s for s in range(size * size) if variant.is_playable(*divmod(s, size))}
    found = []
    for name, *_ in _SQUARE:
        squares = _squares(size, name)
        if {int(squares[square]) for square in in_play} != in_play:
            continue
        turned = [{int(squares[square]) for square in each} for each in opening]
        for colors in permutations(range(variant.n_colors)):
            players = _players(variant, colors)
            if players is None or not _keeps_order(variant, colors):
                continue
            if all(
                turned[color] == set(opening[image]) and hands[color] == hands[image]
                for color, image in enumerate(colors)
            ):
                found.append(Symmetry(variant, name, squares, colors, players))
    return Symmetries(variant, tuple(found))


def symmetries(
    variant: str | Variant = "classic", *, start: str | None = None, scoring: str | None = None
) -> Symmetries:
    """Find the symmetries of a variant.

    Parameters
    ----------
    variant : str or Variant
        Name of a variant, or one of the user's own.
    start : {"assigned", "any", "border"}, optional
        Start rule, if not the variant's own.
    scoring : str, optional
        Scoring rule, if not the variant's own.

    Returns
    -------
    Symmetries
        All of them, the identity first.

    Notes
    -----
    A symmetry takes the board to itself, renames colors, and players with them, and leaves the
    rules as they are: squares in play, opening squares, pieces, owners, and the order of play up
    to who begins (if there is a last round, the beginner too). So it takes positions to positions,
    legal moves to legal moves, and the position after a move to that after its image. In Draft
    this is so from the play phase on.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> [(each.name, each.colors) for each in bf.symmetries("duo", start="assigned")]
    [('identity', (0, 1)), ('rotate 180', (1, 0)), ('transpose', (0, 1)), ('antitranspose', (1, 0))]
    >>> [len(bf.symmetries(name)) for name in ("classic", "classic-3p", "duo", "draft")]
    [4, 1, 8, 8]
    """
    return _find(find_variant(variant, start=start, scoring=scoring))
