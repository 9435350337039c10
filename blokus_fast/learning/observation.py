"""Observations: positions as planes of zeros and ones for networks, and back.

Owns the list of planes, their names and order, and the way back; the planes are filled in the
engine (src/engine/wide_observe.h). docs/observations.md describes them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.checking import expect
from blokus_fast.errors import InvalidPositionError
from blokus_fast.learning.arrays import output
from blokus_fast.learning.batch import BatchBoard
from blokus_fast.learning.symmetry import Symmetries, symmetries
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["VIEWS", "Observer"]

VIEWS: Final = ("board", "mover", "rotated")
"""Names of the views."""

DTYPES: Final = ("uint8", "float32", "bits")
"""Names of the forms."""

# The kinds of planes, as the core numbers them.
_KINDS: Final = (
    "own",
    "corner",
    "forbidden",
    "playable",
    "start",
    "hand",
    "turn",
    "player",
    "finished",
    "monomino",
    "drafting",
    "over",
    "shared",
    "round",
    "ply",
    "placed",
)
_STRIDE: Final = 21  # of the core's boards
_PIECES: Final = 21
_PLAY, _DRAFT = 1, 2

_Plane = tuple[str, tuple[int, int, int]]


def _groups(variant: Variant, view: str) -> Iterator[tuple[str, list[_Plane]]]:
    """Yield the groups of planes: name, and the name and parameters of each plane."""
    n_colors, n_players, draft = variant.n_colors, variant.players, variant.draft
    colors = list(variant.color_names)
    players = [f"player {number}" for number in range(n_players)]
    holders = players if draft else [""]
    seen = colors
    if view != "board" and draft:
        seen = [colors[color] for color in variant.order]
        holders = [_from_mover(k) for k in range(n_players)]
    elif view != "board":
        seen = [_from_mover(k) for k in range(n_colors)]
    for name in ("own", "corner", "forbidden"):
        yield name, [(color, (k, 0, 0)) for k, color in enumerate(seen)]
    most = max(count for hand in variant.hands for count in hand)
    yield (
        "hand",
        [
            (
                " ".join(filter(None, (holder, color, piece, f"x{level}" if level > 1 else ""))),
                (h, k, number << 3 | level),
            )
            for h, holder in enumerate(holders)
            for k, color in enumerate(seen)
            for level in range(1, most + 1)
            for number, piece in enumerate(_core.PIECE_NAMES)
        ],
    )
    yield "turn", [(color, (k, 0, 0)) for k, color in enumerate(colors)]
    yield "player", [(player, (k, 0, 0)) for k, player in enumerate(players)]
    if not draft:
        yield "finished", [(color, (k, 0, 0)) for k, color in enumerate(seen)]
    whose = holders if draft else seen
    yield "monomino", [(name, (k, 0, 0)) for k, name in enumerate(whose)]
    if draft:
        yield "drafting", [("", (0, 0, 0))]
    yield "over", [("", (0, 0, 0))]
    if None in variant.owners and not draft:
        yield "shared", [(player, (k, 0, 0)) for k, player in enumerate(players)]
    if variant.max_rounds:
        yield "round", [(f"bit {k}", (k, 0, 0)) for k in range(variant.max_rounds.bit_length())]
    if draft or variant.voluntary_pass:
        yield "ply", [(f"bit {k}", (k, 0, 0)) for k in range(_most_plies(variant).bit_length())]
    if draft:
        bits = sum(variant.set_squares).bit_length()
        yield (
            "placed",
            [
                (f"{holder} bit {bit}", (h, bit, 0))
                for h, holder in enumerate(holders)
                for bit in range(bits)
            ],
        )
    yield "playable", [("", (0, 0, 0))]
    yield "start", [(color, (k, 0, 0)) for k, color in enumerate(seen)]


def _from_mover(place: int) -> str:
    return "mover" if place == 0 else f"mover+{place}"


def _most_plies(variant: Variant) -> int:
    if variant.draft:
        return 2 * sum(map(sum, variant.hands))
    return variant.n_colors * variant.max_rounds or 2**16 - 1


class Observer:
    """How positions of a variant become planes for a network.

    Parameters
    ----------
    variant : str or Variant
        Name of a variant, or one of the user's own.
    view : {"board", "mover", "rotated"}
        ``board``: colors in the order of their numbers. ``mover``: colors in the order of play
        from the color to move on; in Draft, players from the player to move on. ``rotated``: as
        ``mover``, and the board is turned by a symmetry of the variant that makes the color to
        move the first one, if there is any.
    dtype : {"uint8", "float32", "bits"}
        Numbers 0 and 1, or eight squares a byte (uint8, the first square in the lowest bit).
    groups : sequence of str, optional
        Groups of planes to take, in this order. Default: all that the variant has.
    start : {"assigned", "any", "border"}, optional
        Start rule, if not the variant's own.
    scoring : str, optional
        Scoring rule, if not the variant's own.

    Attributes
    ----------
    variant : Variant
        The variant.
    view, dtype : str
        As given.
    groups : dict of str to slice
        Which planes belong to each group.
    planes : tuple of str
        The name of every plane: its group, and what sets it apart from the others there.
    shape : tuple of int
        Shape of one observation: (planes, size, size), or (planes, bytes) for bits.

    Raises
    ------
    ValueError
        A name is unknown.

    Notes
    -----
    docs/observations.md describes the planes.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> observer = bf.Observer("duo", view="mover", groups=["own", "corner", "turn"])
    >>> observer.shape, observer.planes[:3]
    ((6, 14, 14), ('own mover', 'own mover+1', 'corner mover'))
    >>> planes = observer.observe(bf.Board("duo"))
    >>> planes.sum(axis=(1, 2)).tolist()
    [0, 0, 2, 2, 196, 0]
    """

    def __init__(
        self,
        variant: str | Variant = "classic",
        *,
        view: str = "board",
        dtype: str = "uint8",
        groups: Sequence[str] | None = None,
        start: str | None = None,
        scoring: str | None = None,
    ) -> None:
        self.variant = find_variant(variant, start=start, scoring=scoring)
        if view not in VIEWS:
            raise ValueError(f"unknown view {view!r}; valid: {', '.join(VIEWS)}")
        if dtype not in DTYPES:
            raise ValueError(f"unknown dtype {dtype!r}; valid: {', '.join(DTYPES)}")
        self.view = view
        self.dtype = dtype
        known = dict(_groups(self.variant, view))
        chosen = list(known) if groups is None else list(groups)
        names: list[str] = []
        table: list[tuple[int, int, int, int]] = []
        self.groups: dict[str, slice] = {}
        for group in chosen:
            if group not in known or group in self.groups:
                problem = "twice" if group in self.groups else "unknown"
                raise ValueError(f"group {group!r} is {problem}; valid: {', '.join(known)}")
            first = len(names)
            for name, parameters in known[group]:
                names.append(f"{group} {name}".rstrip())
                table.append((_KINDS.index(group), *parameters))
            self.groups[group] = slice(first, len(names))
        self.planes = tuple(names)
        self._known = known
        self._table = np.array(table, np.uint8).reshape(-1, 4)
        size = self.variant.size
        plane = ((size * size + 7) // 8,) if dtype == "bits" else (size, size)
        self.shape: tuple[int, ...] = (len(names), *plane)
        self._dtype = np.dtype(np.float32 if dtype == "float32" else np.uint8)

    def __repr__(self) -> str:
        return f"<Observer of {self.variant.name}, view {self.view}, {self.dtype} {self.shape}>"

    @property
    def symmetries(self) -> Symmetries:
        """The symmetries of the variant, which `which` refers to."""
        return symmetries(self.variant)

    @cached_property
    def _rules(self) -> _core.Rules:
        return self.variant._rules()

    @cached_property
    def _by_turn(self) -> npt.NDArray[np.int64]:
        """The number of the symmetry that is applied, by turn + 1."""
        variant = self.variant
        by_turn = np.zeros(variant.n_colors + 1, np.int64)
        if self.view != "rotated" or variant.draft:
            return by_turn
        first = variant.order[0]
        for turn in range(variant.n_colors):
            fitting = [
                # His own start square goes to that of the first color, if that can be.
                (
                    {int(each.squares[square]) for square in variant.start_indices[turn]}
                    != set(variant.start_indices[first]),
                    number,
                )
                for number, each in enumerate(self.symmetries)
                if each.colors[turn] == first
            ]
            by_turn[turn + 1] = min(fitting)[1] if fitting else 0
        return by_turn

    @cached_property
    def _bits(self) -> npt.NDArray[np.int16]:
        """Where each symmetry takes each bit of the core's boards."""
        size = self.variant.size
        rows, columns = np.divmod(np.arange(size * size), size)
        bits = np.zeros((len(self.symmetries), 512), np.int16)
        for number, each in enumerate(self.symmetries):
            to_rows, to_columns = np.divmod(each.squares, size)
            bits[number, _STRIDE * rows + columns] = _STRIDE * to_rows + to_columns
        return bits

    def which(self, batch: BatchBoard) -> npt.NDArray[np.intp]:
        """Return which symmetry the view applies to each game of a batch.

        Parameters
        ----------
        batch : BatchBoard
            The games.

        Returns
        -------
        ndarray of intp, shape (n,)
            Numbers in `symmetries`; all 0 unless the view is ``rotated``. A mask of the view is
            ``observer.symmetries.permute(mask, which)``; the action that a network chose there is
            ``observer.symmetries.map_actions(chosen, observer.symmetries.inverse(which))``.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> batch = bf.BatchBoard(1, "classic")
        >>> batch.step(batch.sample_actions(1))
        >>> observer = bf.Observer("classic", view="rotated")
        >>> observer.symmetries[observer.which(batch)[0]].name
        'rotate 270'
        """
        expect(batch, BatchBoard, "batch")
        return self._by_turn[batch.turn + 1].astype(np.intp)

    def observe(
        self, games: BatchBoard | Board, out: npt.NDArray[Any] | None = None
    ) -> npt.NDArray[Any]:
        r"""Return the planes of a position, or of every game of a batch.

        Parameters
        ----------
        games : BatchBoard or Board
            Games of the variant.
        out : ndarray, optional
            Array to fill and return.

        Returns
        -------
        ndarray, shape (n, \*shape), or shape for a board
            A new array, or `out`.

        Raises
        ------
        ValueError
            Another variant's games, or `out` does not fit.

        Examples
        --------
        >>> import blokus_fast as bf, numpy as np
        >>> observer = bf.Observer("duo", dtype="float32")
        >>> out = np.empty((8, *observer.shape), np.float32)
        >>> observer.observe(bf.BatchBoard(8, "duo"), out) is out
        True
        """
        expect(games, (Board, BatchBoard), "games")
        if games.rules is not self._rules and games.variant != self.variant:
            raise ValueError(f"games of {games.variant.name}, not of {self.variant.name}")
        shape = self.shape if isinstance(games, Board) else (len(games), *self.shape)
        array = output(out, shape, (self._dtype,), "out")
        # In bytes, a plane a row.
        per_plane = math.prod(self.shape[1:])
        memory = array.reshape(*shape[: -len(self.shape)], len(self.planes), per_plane)
        memory = memory.view(np.uint8)
        if isinstance(games, Board):
            tables = self._table, self.view != "board", self._by_turn, self._bits
            _core._observe_board(games, *tables, DTYPES.index(self.dtype), memory)
        else:
            self._fill(games, memory)
        return array

    def _fill(self, batch: BatchBoard, memory: npt.NDArray[np.uint8]) -> None:
        """Fill memory, uint8 (n, planes, bytes of a plane); for callers who know that it fits."""
        mover, cells = self.view != "board", DTYPES.index(self.dtype)
        batch._observe(self._table, mover, self._by_turn, self._bits, cells, memory)

    # -- and back ------------------------------------------------------------------------------

    def decode(self, planes: npt.NDArray[Any]) -> BatchBoard:
        r"""Return the positions that planes show.

        Parameters
        ----------
        planes : ndarray, shape (n, \*shape) or shape
            What `observe` returned. All groups must be there but ``corner``, ``forbidden``,
            ``playable`` and ``start``, which follow from the others.

        Returns
        -------
        BatchBoard
            Games equal to those that were observed.

        Raises
        ------
        InvalidPositionError
            The planes show no position.
        ValueError, TypeError
            The array is not of the right shape or dtype, or a group is missing.

        Notes
        -----
        Where the number of actions taken is not among the planes, it is taken to be the number
        of pieces on the board.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> batch = bf.BatchBoard(4, "duo")
        >>> batch.step(batch.sample_actions(1))
        >>> observer = bf.Observer("duo", view="rotated", dtype="bits")
        >>> observer.decode(observer.observe(batch)) == batch
        True
        """
        missing = set(self._known) - set(self.groups) - {"corner", "forbidden", "playable", "start"}
        if missing:
            raise ValueError(f"groups are missing: {', '.join(sorted(missing))}")
        cells = self._cells(planes)
        flags = cells[:, :, 0]
        for group, part in self.groups.items():
            if group not in ("own", "corner", "forbidden", "playable", "start") and (
                (cells[:, part] != flags[:, part, None]).any()
            ):
                raise InvalidPositionError(f"planes of the group {group} are not all the same")
        variant, n = self.variant, len(cells)
        turn, player = self._one_of(flags, "turn"), self._one_of(flags, "player")
        numbers = np.zeros((n, 12), np.int32)
        numbers[:, 0], numbers[:, 1] = turn, player
        over = flags[:, self.groups["over"]][:, 0]
        numbers[:, 2] = np.where(over, 0, _PLAY)
        if variant.draft:
            numbers[flags[:, self.groups["drafting"]][:, 0] & ~over, 2] = _DRAFT
        numbers[:, 3] = self._number(flags, "ply") if "ply" in self.groups else -1
        if "round" in self.groups:
            numbers[:, 4] = self._number(flags, "round")
        if "shared" in self.groups:
            numbers[:, 7] = self._one_of(flags, "shared")
        colors, players = self._seen(turn, player)
        games = np.arange(n)[:, None]
        for group, column, whose in (
            ("finished", 5, colors),
            ("monomino", 6, players if variant.draft else colors),
        ):
            if group in self.groups:
                numbers[:, column] = (flags[:, self.groups[group]] << whose).sum(axis=1)
        own = np.zeros((n, 4, len(cells[0, 0]) if n else variant.size**2), np.bool_)
        own[games, colors] = self._turned_back(cells[:, self.groups["own"]], turn)
        if variant.draft:
            placed = flags[:, self.groups["placed"]].reshape(n, variant.players, -1)
            numbers[games, 8 + players] = (placed << np.arange(placed.shape[2])).sum(axis=2)
        else:
            numbers[:, 8:] = own.sum(axis=2)
        batch = BatchBoard._from_numbers(
            variant, self._frame(own), self._hand_words(flags, colors, players), numbers
        )
        # What follows from the rest may have been there as well, and wrong.
        wrong = np.flatnonzero((self._cells(self.observe(batch)) != cells).any(axis=(1, 2)))
        if len(wrong):
            raise InvalidPositionError(f"game {wrong[0]}: planes that do not fit together")
        return batch

    def _cells(self, planes: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Return planes as bool, shape (n, planes, squares)."""
        array = np.asarray(planes)
        if array.dtype != self._dtype:
            raise TypeError(f"planes must have dtype {self._dtype}, not {array.dtype}")
        if array.shape == self.shape:
            array = array[None]
        if array.shape[1:] != self.shape or array.ndim != len(self.shape) + 1:
            raise ValueError(f"planes must have shape (n, *{self.shape}), not {array.shape}")
        squares = self.variant.size**2
        if self.dtype == "bits":
            return np.unpackbits(array, axis=2, count=squares, bitorder="little").view(np.bool_)
        array = array.reshape(len(array), len(self.planes), squares)
        if ((array != 0) & (array != 1)).any():
            raise InvalidPositionError("planes must hold nothing but 0 and 1")
        cells: npt.NDArray[np.bool_] = array != 0
        return cells

    def _one_of(self, flags: npt.NDArray[np.bool_], group: str) -> npt.NDArray[np.intp]:
        """Return which plane of a group is set in each game, -1 for none."""
        part = flags[:, self.groups[group]]
        if (part.sum(axis=1) > 1).any():
            raise InvalidPositionError(f"several planes of the group {group} are set")
        return np.where(part.any(axis=1), part.argmax(axis=1), -1)

    def _number(self, flags: npt.NDArray[np.bool_], group: str) -> npt.NDArray[Any]:
        part = flags[:, self.groups[group]]
        number: npt.NDArray[Any] = (part << np.arange(part.shape[1])).sum(axis=1)
        return number

    def _seen(
        self, turn: npt.NDArray[np.intp], player: npt.NDArray[np.intp]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return the color and the player at each place of the view, shapes (n, K) and (n, P)."""
        variant, n = self.variant, len(turn)
        colors = np.tile(np.arange(variant.n_colors), (n, 1))
        players = np.tile(np.arange(variant.players), (n, 1))
        if self.view == "board":
            return colors, players
        order = np.array(variant.order)
        if variant.draft:
            return order[colors], (players + np.maximum(player, 0)[:, None]) % variant.players
        base = np.where(turn >= 0, np.argsort(order)[turn], 0)
        return order[(colors + base[:, None]) % variant.n_colors], players

    def _turned_back(
        self, own: npt.NDArray[np.bool_], turn: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.bool_]:
        which = self._by_turn[turn + 1]
        squares = np.array([each.squares for each in self.symmetries])
        back: npt.NDArray[np.bool_] = np.take_along_axis(own, squares[which][:, None, :], axis=2)
        return back

    def _frame(self, own: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
        """Return squares as the core keeps them, uint64 (n, 4, 8)."""
        size = self.variant.size
        rows, columns = np.divmod(np.arange(size * size), size)
        bits = np.zeros((len(own), 4, 512), np.bool_)
        bits[:, :, _STRIDE * rows + columns] = own
        return np.packbits(bits, axis=2, bitorder="little").view("<u8").astype(np.uint64)

    def _hand_words(
        self,
        flags: npt.NDArray[np.bool_],
        colors: npt.NDArray[np.intp],
        players: npt.NDArray[np.intp],
    ) -> npt.NDArray[np.uint64]:
        """Return hands as the core keeps them, uint64 (n, 4, 4)."""
        variant, n = self.variant, len(flags)
        holders = variant.players if variant.draft else 1
        part = flags[:, self.groups["hand"]]
        most = part.shape[1] // (holders * variant.n_colors * _PIECES)
        levels = part.reshape(n, holders, variant.n_colors, most, _PIECES)
        counts = levels.sum(axis=3).astype(np.uint64)
        places = np.arange(_PIECES, dtype=np.uint64)
        words = np.zeros((n, holders, variant.n_colors), np.uint64)
        for plane in range(3):
            bit = counts >> np.uint64(plane) & np.uint64(1)
            words |= (bit << (places + np.uint64(_PIECES * plane))).sum(axis=3, dtype=np.uint64)
        hands = np.zeros((n, 4, 4), np.uint64)
        games = np.arange(n)[:, None, None]
        whose = players[:, :, None] if variant.draft else np.zeros((1, 1, 1), np.intp)
        hands[games, whose, colors[:, None, :]] = words
        return hands
