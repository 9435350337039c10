"""What players see of a game: which arrays an observation has, and how they are filled.

An `Observer` shows positions as planes, from the mover's view. Environments also need them as
somebody else sees them, after the end, and in the shapes that learners take: few planes in a
dictionary, or one vector, with the mask or without. Owns these shapes, for all environments
alike, and knows none of their libraries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.learning.batch import BatchBoard
from blokus_fast.learning.observation import DTYPES, Observer
from blokus_fast.variants.definition import Variant

__all__ = ["CHANNELS", "DEFAULT_GROUPS", "FORMS", "MASKS", "Mask", "Parts", "Room", "Views"]

DEFAULT_GROUPS: Final = ("own", "corner", "forbidden", "start", "hand")
"""The groups of an observation unless it is told others."""

FORMS: Final = ("dict", "planes", "flat")
"""Names of the forms of an observation."""

CHANNELS: Final = ("first", "last")
"""Where the number of the plane stands among the indices."""

MASKS: Final = ("observation", "info", "none")
"""Where the mask is."""

Parts = dict[str, npt.NDArray[Any]]
"""The arrays of an observation by their names."""

Room = Callable[[str, tuple[int, ...], Any], npt.NDArray[Any]]
"""What makes arrays: name, shape, dtype."""

# Groups in which squares differ, and those in which there is a plane for each color.
_BY_SQUARE: Final = ("own", "corner", "forbidden", "playable", "start")
_COLORED: Final = ("own", "corner", "forbidden", "finished", "start")


def _new(name: str, shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
    return np.empty(shape, dtype)


class Mask(np.ndarray):
    """A mask of int8 that finds its ones quickly.

    ``np.flatnonzero`` looks at the bytes of an int8 array one by one, and at those of bools many
    at a time; for a mask of Classic that is seventy microseconds or four. Everything else is as
    with any array.

    Examples
    --------
    >>> import numpy as np
    >>> from blokus_fast.envs.views import Mask
    >>> mask = np.array([0, 1, 0, 1], np.int8).view(Mask)
    >>> np.flatnonzero(mask).tolist()
    [1, 3]
    """

    def nonzero(self) -> tuple[npt.NDArray[Any], ...]:
        """Return the indices of what is not zero, as every array does.

        Returns
        -------
        tuple of ndarray
            An array for each axis.
        """
        found: tuple[npt.NDArray[Any], ...] = (self.view(np.ndarray) != 0).nonzero()
        return found


class Views:
    """How the players of a variant see a game.

    The player on the move sees it as `Observer` shows it; the others see it as he would if their
    first color were to move, but for what says who is to move.

    Parameters
    ----------
    variant : Variant
        The variant.
    groups : sequence of str, optional
        Groups of planes, as docs/observations.md lists them. Default: `DEFAULT_GROUPS`.
    view : {"mover", "board", "rotated"}
        As for `Observer`. With ``rotated`` what is legal and what is chosen is turned, too: see
        `seen_mask` and `meant`.
    dtype : {"uint8", "float32", "bits"}
        As for `Observer`.
    form : {"dict", "planes", "flat"}
        ``dict``: the planes in which squares differ as ``observation``, and every other group as
        a vector of its own, by its name. ``planes``: all groups as planes. ``flat``: one vector,
        planes first, then the groups that are vectors.
    channels : {"first", "last"}
        Whether planes are (planes, size, size) or (size, size, planes).
    masks : {"observation", "info", "none"}, or bool
        Where the mask of legal actions is. True is the first, False the last of these.
    keys : dict of str to str, optional
        Other names: those that a trainer asks for.

    Attributes
    ----------
    layout : dict
        Shape and dtype of every array but the mask, by its name before `keys`.
    names : dict of str to tuple of str
        What stands at each place: names of planes, or of the numbers of a vector.
    bare : bool
        Whether an observation is one array and no dictionary.
    masks : str
        As given, True and False as names.

    Raises
    ------
    ValueError
        A name is unknown, or nothing is left to be seen.

    Notes
    -----
    Belongs to one thread at a time.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.envs.views import Views
    >>> views, board = Views(bf.variant("duo")), bf.Board("duo")
    >>> {name: shape for name, (shape, _) in views.layout.items()}
    {'observation': (8, 14, 14), 'hand': (42,)}
    >>> board.push(board.parse_move("e10"))
    >>> views.of_player(board, 0)["observation"][:2].sum(axis=(1, 2)).tolist()
    [1, 0]
    >>> views.of_player(board, 1)["observation"][:2].sum(axis=(1, 2)).tolist()
    [0, 1]
    >>> Views(bf.variant("duo"), form="flat").layout["observation"][0]
    (1610,)
    """

    def __init__(
        self,
        variant: Variant,
        *,
        groups: Sequence[str] | None = None,
        view: str = "mover",
        dtype: str = "uint8",
        form: str = "dict",
        channels: str = "first",
        masks: str | bool = "observation",
        keys: Mapping[str, str] | None = None,
    ) -> None:
        self.form = _one_of(form, FORMS, "form")
        self.channels = _one_of(channels, CHANNELS, "channels")
        if isinstance(masks, bool):
            masks = "observation" if masks else "none"
        self.masks = _one_of(masks, MASKS, "masks")
        if isinstance(groups, str):
            raise TypeError(f"groups is a sequence of names, not {groups!r}")
        chosen = list(DEFAULT_GROUPS if groups is None else groups)
        self.observer = Observer(variant, view=view, dtype=dtype, groups=chosen)
        if dtype == "bits" and (form == "flat" or channels == "last"):
            raise ValueError("dtype 'bits' packs squares: it needs channels first, and is not flat")
        flat = [group for group in chosen if form != "planes" and group not in _BY_SQUARE]
        options = {"view": view, "dtype": "float32" if dtype == "float32" else "uint8"}
        self._planes = Observer(
            variant, view=view, dtype=dtype, groups=[g for g in chosen if g not in flat]
        )
        self._numbers = Observer(variant, groups=flat, **options)
        self._lenses = [_Lens(self._planes), _Lens(self._numbers, 1)]
        self._vectors = list(self._numbers.groups.items())
        # Planes and one vector are what nearly all ask for, at every step of single games.
        self._default = (
            form == "dict"
            and channels == "first"
            and bool(self._planes.planes)
            and len(self._vectors) == 1
        )
        self._by_turn = self.observer._by_turn
        self._turned = bool(self._by_turn.any())
        self.layout: dict[str, tuple[tuple[int, ...], np.dtype[Any]]] = {}
        self.names: dict[str, tuple[str, ...]] = {}
        kind = self._planes._dtype
        if form == "flat":
            cells = len(self._planes.planes) * variant.size**2
            self.layout["observation"] = ((cells + len(self._numbers.planes),), kind)
            self.names["observation"] = (*self._planes.planes, *self._numbers.planes)
        else:
            if self._planes.planes:
                shape = self._planes.shape
                if channels == "last":
                    shape = (*shape[1:], shape[0])
                self.layout["observation"] = (shape, kind)
                self.names["observation"] = self._planes.planes
            for group, part in self._numbers.groups.items():
                self.layout[group] = ((part.stop - part.start,), self._numbers._dtype)
                self.names[group] = self._numbers.planes[part]
        if not any(shape != (0,) for shape, _ in self.layout.values()):
            raise ValueError(f"groups {chosen} leave nothing to be seen")
        self.in_observation = self.masks == "observation"
        self.bare = form != "dict" and not self.in_observation
        known = [*self.layout, "action_mask"]
        self._keys = dict(keys or {})
        if not set(self._keys) <= set(known):
            wrong = sorted(set(self._keys) - set(known))[0]
            raise ValueError(f"keys: there is no {wrong!r} to be renamed; there are {known}")
        self.keys = {name: self._keys.get(name, name) for name in known}
        if len(set(self.keys.values())) < len(known):
            raise ValueError(f"keys: two parts would have the same name: {self.keys}")

    def __repr__(self) -> str:
        """Show the variant, and what there is to be seen."""
        seen = ", ".join(self.layout)
        return f"<Views of {self.observer.variant.name}: {seen}, masks={self.masks!r}>"

    # -- observations --------------------------------------------------------------------------

    def pack(self, parts: Parts, mask: npt.NDArray[Any] | None = None) -> Any:
        """Make an observation of its parts.

        Parameters
        ----------
        parts : dict
            The arrays by their names.
        mask : ndarray, optional
            The mask; it is left out where it does not belong into the observation.

        Returns
        -------
        dict or ndarray
            The observation.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.envs.views import Views
        >>> views = Views(bf.variant("duo"), form="flat", keys={"observation": "observations"})
        >>> board = bf.Board("duo")
        >>> sorted(views.pack(views.of_player(board, 0), board.legal_mask()))
        ['action_mask', 'observations']
        """
        if self.bare:
            return parts["observation"]
        if self.in_observation and mask is not None:
            parts["action_mask"] = mask
        if not self._keys:
            return parts
        return {self.keys[name]: value for name, value in parts.items()}

    def of_board(self, board: Board) -> Parts:
        """Return what is there to be seen of the board as it lies, whoever looks.

        Parameters
        ----------
        board : Board
            The position.

        Returns
        -------
        dict
            New arrays, colors and players by number.
        """
        return self._filled(board, None)

    def of_player(self, board: Board, player: int) -> Parts:
        """Return what a player sees.

        Parameters
        ----------
        board : Board
            The position.
        player : int
            The player.

        Returns
        -------
        dict
            New arrays.
        """
        if self._default and board.player == player:
            planes, numbers = self._lenses
            cells = np.empty(planes.shape, planes.kind)
            planes.own(board, cells)
            vector = np.empty(numbers.length, numbers.kind)
            numbers.own(board, vector)
            return {"observation": cells, self._vectors[0][0]: vector}
        return self._filled(board, player)

    def _filled(self, board: Board, player: int | None) -> Parts:
        """Return what a player sees, or what there is to be seen of the board as it lies."""
        planes, numbers = self._lenses
        if self.form == "flat":
            whole = np.empty(self.layout["observation"][0], self._planes._dtype)
            planes.fill(board, player, whole[: planes.length])
            numbers.fill(board, player, whole[planes.length :])
            return {"observation": whole}
        parts: Parts = {}
        if planes.length:
            cells = np.empty(planes.shape, planes.kind)
            planes.fill(board, player, cells)
            if self.channels == "last":
                cells = np.ascontiguousarray(np.moveaxis(cells, 0, -1))
            parts["observation"] = cells
        if numbers.length:
            vector = np.empty(numbers.length, numbers.kind)
            numbers.fill(board, player, vector)
            for group, part in self._vectors:
                parts[group] = vector[part]
        return parts

    def of_batch(self, batch: BatchBoard, room: Room = _new) -> Parts:
        """Return what whoever is to move sees of each game.

        Parameters
        ----------
        batch : BatchBoard
            The games. One that is over is seen from the first color on.
        room : callable
            Makes the arrays, from a name, a shape and a dtype.

        Returns
        -------
        dict
            Arrays with a row for each game.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.envs.views import Views
        >>> parts = Views(bf.variant("classic")).of_batch(bf.BatchBoard(3, "classic"))
        >>> parts["observation"].shape, parts["hand"].shape
        ((3, 16, 20, 20), (3, 84))
        """
        n = len(batch)
        planes, numbers = self._lenses
        if self.form == "flat":
            shape, kind = self.layout["observation"]
            whole = room("observation", (n, *shape), kind)
            planes.of_batch(batch, whole[:, : planes.length])
            numbers.of_batch(batch, whole[:, planes.length :])
            return {"observation": whole}
        parts: Parts = {}
        if planes.length:
            kind = self._planes._dtype
            cells = room("planes", (n, *self._planes.shape), kind)
            planes.of_batch(batch, cells.reshape(n, -1))
            if self.channels == "last":
                moved = room("observation", (n, *self.layout["observation"][0]), kind)
                np.copyto(moved, np.moveaxis(cells, 1, -1))
                cells = moved
            parts["observation"] = cells
        if numbers.length:
            vectors = room("vectors", (n, numbers.length), self._numbers._dtype)
            numbers.of_batch(batch, vectors)
            for group, part in self._vectors:
                parts[group] = vectors[:, part]
        return parts

    # -- actions in a turned board -------------------------------------------------------------

    @property
    def turns(self) -> bool:
        """Whether the board may be turned, and actions with it."""
        return self._turned

    def which(self, turn: Any) -> Any:
        """Return the number of the symmetry with which the color to move sees the board.

        Parameters
        ----------
        turn : int or ndarray of int
            The color to move, -1 for nobody.

        Returns
        -------
        int or ndarray
            Its number in ``observer.symmetries``.
        """
        return self._by_turn[turn + 1]

    def seen_mask(self, mask: npt.NDArray[Any], turn: Any) -> npt.NDArray[Any]:
        """Return a mask, or one for each game, as whoever is to move sees it.

        Parameters
        ----------
        mask : ndarray
            What is legal on the board as it lies.
        turn : int or ndarray of int
            The color to move, of each game.

        Returns
        -------
        ndarray
            The same array where nothing is turned.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.envs.views import Views
        >>> views, board = Views(bf.variant("classic"), view="rotated"), bf.Board("classic")
        >>> board.push(board.parse_move("a20"))
        >>> seen = views.seen_mask(board.legal_mask(), board.turn).nonzero()[0]
        >>> seen[0], views.meant(int(seen[0]), board.turn) in board.legal_ids()
        (np.int64(0), True)
        """
        if not self._turned:
            return mask
        which = self.which(turn)
        if mask.ndim == 1:
            turned: npt.NDArray[Any] = self.observer.symmetries[int(which)].permute(mask)
            return turned
        return self.observer.symmetries.permute(mask, which)

    def seen_ids(self, ids: npt.NDArray[np.int32], turn: int) -> npt.NDArray[np.int32]:
        """Return ids as whoever is to move sees them, ascending.

        Parameters
        ----------
        ids : ndarray of int32
            Actions on the board as it lies.
        turn : int
            The color to move.

        Returns
        -------
        ndarray of int32
            The same array where nothing is turned.
        """
        if not self._turned:
            return ids
        seen: npt.NDArray[np.int32] = self.observer.symmetries[int(self.which(turn))].actions[ids]
        return np.sort(seen)

    def meant(self, action: Any, turn: int) -> Any:
        """Return the action on the board as it lies that is meant by one on a turned board.

        Parameters
        ----------
        action : int
            As whoever is to move sees it. What is no action is left as it is.
        turn : int
            The color to move.

        Returns
        -------
        int
            The action.
        """
        if not self._turned:
            return action
        sources = self.observer.symmetries[int(self.which(turn))]._sources
        try:
            inside = 0 <= action < len(sources)
        except TypeError:
            return action
        return int(sources[action]) if inside else action


def _one_of(value: Any, known: Sequence[str], what: str) -> str:
    if value not in known:
        raise ValueError(f"unknown {what} {str(value)[:60]!r}; valid: {', '.join(known)}")
    return str(value)


class _Lens:
    """The planes of an observer as rows of memory, of one board or many, for any player.

    With `cells` 1 a plane is one number, that of all its squares.
    """

    def __init__(self, observer: Observer, cells: int | None = None) -> None:
        size = observer.variant.size
        self._count = len(observer.planes)
        self.kind, self.shape = observer._dtype, observer.shape
        if cells is None:
            cells = observer.shape[1] if observer.dtype == "bits" else size * size
        self.length = self._count * cells
        self._width = cells * self.kind.itemsize
        self._mover = observer.view != "board"
        self._tables = observer._table, self._mover, observer._by_turn, observer._bits
        self._cells = DTYPES.index(observer.dtype)
        board = Observer(observer.variant, groups=list(observer.groups), dtype=observer.dtype)
        players = range(observer.variant.players)
        self._places = [_places(board, player) for player in players]
        bits, width = observer._bits, self._width
        straight = np.zeros_like(observer._by_turn)
        # What whoever is to move sees; called at every step.
        self.own = _core.Lens(*self._tables, self._cells, width).look
        self._lying = _core.Lens(board._table, False, straight, bits, self._cells, width)
        # What others see who are not on the move: turned to them, and colors by number.
        self._others = [
            _core.Lens(board._table, False, _turned(observer, player), bits, self._cells, width)
            for player in players
        ]
        self._scratch = np.empty((self._count, width), np.uint8)

    def fill(self, board: Board, player: int | None, out: npt.NDArray[Any]) -> None:
        """Fill an array with what a player sees, or with the board as it lies."""
        if player is None:
            self._lying.look(board, out)
        elif board.player == player or not self._mover:
            self.own(board, out)
        elif self._count:
            self._others[player].look(board, self._scratch)
            rows = out.reshape(-1).view(np.uint8).reshape(self._count, self._width)
            np.take(self._scratch, self._places[player], axis=0, out=rows)

    def of_batch(self, batch: BatchBoard, out: npt.NDArray[Any]) -> None:
        if self._count:
            memory = out.view(np.uint8).reshape(len(batch), self._count, self._width)
            batch._observe(*self._tables, self._cells, memory)


def _base(variant: Variant, player: int) -> int:
    """Return the place of a player's first color in the order of play, 0 where all share them."""
    owned = (i for i, color in enumerate(variant.order) if variant.owners[color] == player)
    return 0 if variant.draft else next(owned)


def _turned(observer: Observer, player: int) -> npt.NDArray[np.int64]:
    """Return the table of symmetries with which a player sees the board, whoever is to move."""
    color = observer.variant.order[_base(observer.variant, player)]
    return np.full_like(observer._by_turn, observer._by_turn[color + 1])


def _places(observer: Observer, player: int) -> npt.NDArray[np.intp]:
    """Return for each plane that a player sees its number among the planes of the board."""
    variant = observer.variant
    order, n_colors = variant.order, variant.n_colors
    holders = [0]
    colors = list(order)
    if variant.draft:
        holders = [(player + step) % variant.players for step in range(variant.players)]
    else:
        base = _base(variant, player)
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
    return np.concatenate(found) if found else np.empty(0, np.intp)
