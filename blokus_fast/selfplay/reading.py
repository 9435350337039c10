"""`read`: batches of positions from shards, for programs that learn.

Owns their order, and which symmetries they come under. What a file is, is the matter of `shards`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, Final, SupportsIndex

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from blokus_fast.checking import integer, integer_or_none
from blokus_fast.learning.symmetry import symmetries as find_symmetries
from blokus_fast.selfplay import shards
from blokus_fast.selfplay.packing import (
    NUMBERS,
    hand_names,
    placed_names,
    square_bytes,
    square_names,
)
from blokus_fast.selfplay.positions import Positions, concatenate
from blokus_fast.selfplay.schema import player_names
from blokus_fast.selfplay.shards import Description, ShardError
from blokus_fast.variants import Variant
from blokus_fast.waiting import one_ahead

__all__ = ["Reader", "load", "read"]

Source = str | PathLike[str] | Iterable[str | PathLike[str]]

_RANDOM: Final = "random"
_DRAFT: Final = 2  # the phase in which pieces are picked


class Reader:
    """Batches of positions, as often as they are asked for. Made by `read`.

    Parameters
    ----------
    found : list of Description
        The files.
    batch_size, seed, symmetries, mixed, searched
        As `read` takes them; the seed is its `shuffle`.

    Attributes
    ----------
    variant : Variant
        The rules.
    shards : list of Description
        The files.
    n_games, n_positions : int
        What is in them.

    Examples
    --------
    >>> import tempfile
    >>> from blokus_fast.selfplay import Settings, read, run
    >>> settings = Settings("duo", "random", games=2, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = run(settings, folder, workers=1)
    ...     reader = read(folder, 16)
    ...     again = [[len(batch) for batch in reader] for epoch in range(2)]
    >>> reader.n_games, again[0] == again[1], sum(again[0]) == reader.n_positions
    (2, True, True)
    """

    def __init__(
        self,
        found: list[Description],
        batch_size: int,
        seed: int | None,
        symmetries: str | int | None,
        mixed: int,
        searched: bool,
    ) -> None:
        self.shards = found
        self.variant = found[0].variant
        self.n_games = sum(each.n_games for each in found)
        self.n_positions = sum(each.n_positions for each in found)
        self._batch_size = batch_size
        self._seed = seed
        self._symmetries = symmetries
        self._mixed = mixed
        self._searched = searched

    def __repr__(self) -> str:
        """Return how many there are of what."""
        return (
            f"<Reader of {self.variant.name}: {self.n_positions} positions of {self.n_games} "
            f"games in {len(self.shards)} shards>"
        )

    def __iter__(self) -> Iterator[Positions]:
        """Yield the batches; all of them have the same size, but for the last one."""
        rng = None if self._seed is None else np.random.default_rng(self._seed)
        order = list(range(len(self.shards)))
        if rng is not None:
            order = rng.permutation(len(self.shards)).tolist()
        images = np.random.default_rng([self._seed or 0, 1])
        rest: list[Positions] = []
        for group in self._groups(order):
            if self._searched:
                group = group.take(~group.random)
            if rng is not None:
                group = group.take(rng.permutation(len(group)))
            waiting = sum(map(len, rest))
            begin = 0
            while waiting + len(group) - begin >= self._batch_size:
                end = begin + self._batch_size - waiting
                yield self._turned(concatenate([*rest, group.take(slice(begin, end))]), images)
                rest, waiting, begin = [], 0, end
            if begin < len(group):
                rest.append(group.take(slice(begin, len(group))))
        if rest:
            yield self._turned(concatenate(rest), images)

    def _groups(self, order: list[int]) -> Iterator[Positions]:
        """Yield shards, or some together where they are mixed; the next are read meanwhile."""
        size = 1 if self._seed is None else self._mixed
        parts = [order[i : i + size] for i in range(0, len(order), size)]

        def group(part: list[int]) -> Positions:
            return concatenate([load(self.shards[i].path) for i in part])

        yield from one_ahead(group, parts)

    def _turned(self, batch: Positions, rng: np.random.Generator) -> Positions:
        """Put a batch under the symmetries that were asked for."""
        if self._symmetries is None:
            return batch
        if self._symmetries == _RANDOM:
            which = rng.integers(len(find_symmetries(self.variant)), size=len(batch))
            # Picks have no images: colors come in a fixed order.
            which[batch._packed["phase"] == _DRAFT] = 0
            return batch.mapped(which)
        return batch.mapped(self._symmetries)


def read(
    source: Source,
    batch_size: SupportsIndex = 1024,
    *,
    shuffle: SupportsIndex | None = None,
    symmetries: str | SupportsIndex | None = None,
    searched: bool = False,
    mixed: SupportsIndex = 8,
) -> Reader:
    """Read shards in batches.

    Parameters
    ----------
    source : path, or iterable of paths
        Folders of runs, files, or both; all of one variant.
    batch_size : int
        Positions in a batch.
    shuffle : int, optional
        Seed of the order: shards come in an order by chance, and the positions of `mixed` shards
        at a time are mixed. Give every epoch another one. Default: in the order in which they
        were played.
    symmetries : {"random"} or int, optional
        ``"random"``: each position under a symmetry of its own, which follows from `shuffle`,
        picks in Draft excepted. A number: all under that one. Default: as they were played.
    searched : bool
        Whether to leave out positions whose move was drawn without asking the bot.
    mixed : int
        How many shards are in memory at a time to be mixed.

    Returns
    -------
    Reader
        Iterate over it to get `Positions`. A shard is read while the one before is at work.

    Raises
    ------
    ShardError
        There are no shards, one is damaged, or they are of several variants. What is damaged
        within a shard is found when its turn comes.
    OSError
        A file cannot be read.
    ValueError
        A number is out of range, or `symmetries` is an unknown word.

    Examples
    --------
    >>> import tempfile
    >>> from blokus_fast.selfplay import Settings, read, run
    >>> settings = Settings("duo", "mcts:sims=20", games=4, games_per_shard=2, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = run(settings, folder, workers=1)
    ...     reader = read(folder, 50, shuffle=1, symmetries="random")
    ...     sizes = [len(batch) for batch in reader]
    >>> reader.n_games, sum(sizes) == reader.n_positions, sizes[0]
    (4, True, 50)
    """
    size, together = integer(batch_size, "batch_size"), integer(mixed, "mixed")
    for name, number in (("batch_size", size), ("mixed", together)):
        if number < 1:
            raise ValueError(f"{name} must be 1 or more, not {number}")
    seed = integer_or_none(shuffle, "shuffle")
    if seed is not None and seed < 0:
        raise ValueError(f"shuffle must be 0 or more, not {seed}")
    found = [shards.describe(path) for path in _paths(source)]
    if not found:
        raise ShardError(f"no shards in {source}")
    variant = found[0].variant
    for each in found:
        if each.variant != variant:
            raise ShardError(
                f"{each.path} is of {each.variant.name}, with its rules, and {found[0].path} of "
                f"{variant.name}"
            )
    which: str | int | None
    if isinstance(symmetries, str):
        if symmetries != _RANDOM:
            raise ValueError(f"symmetries must be 'random' or a number, not {symmetries!r}")
        which = symmetries
    else:
        which = integer_or_none(symmetries, "symmetries")
        count = len(find_symmetries(variant))
        if which is not None and not 0 <= which < count:
            raise ValueError(f"symmetries of {variant.name} are 0..{count - 1}, not {which}")
    return Reader(found, size, seed, which, together, bool(searched))


def _paths(source: Source) -> list[Path]:
    """Return the files that are meant."""
    if isinstance(source, str | PathLike):
        place = Path(source)
        return shards.find_shards(place) if place.is_dir() else [place]
    return [path for each in source for path in _paths(each)]


def load(path: str | PathLike[str]) -> Positions:
    """Read a whole shard.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Positions
        What is in it, in the order in which it was played.

    Raises
    ------
    ShardError
        It is damaged, or no shard.
    OSError
        It cannot be read.
    """
    variant = shards.describe(path).variant
    places = [*square_names(variant), *hand_names(variant), *placed_names(variant), *NUMBERS]
    figures = [player_names(variant, what) for what in ("value", "outcome", "score")]
    names = [
        "game", "seed", "random", "move", "best", "actions", "visits", "simulations", "solved",
    ]  # fmt: skip
    rows = shards.read_table(path, [*names, *places, *(name for each in figures for name in each)])
    columns = {name: rows[name].combine_chunks() for name in rows.column_names}
    packed = {name: _numbers(columns[name], variant) for name in places}
    actions, visits = columns["actions"], columns["visits"]
    offsets = actions.offsets.to_numpy().astype(np.int64)
    if not np.array_equal(offsets, visits.offsets.to_numpy()):
        raise ShardError(f"{path}: moves and visits are not of the same number")
    values, outcomes, scores = (
        np.stack([_numbers(columns[name], variant) for name in each], axis=1) for each in figures
    )
    return Positions(
        variant=variant,
        games=_numbers(columns["game"], variant).astype(np.int64),
        seeds=_numbers(columns["seed"], variant),
        ply=packed["ply"].astype(np.int32),
        turn=packed["turn"].astype(np.int32),
        player=packed["player"].astype(np.int32),
        random=_numbers(columns["random"], variant),
        move=_numbers(columns["move"], variant).astype(np.int32),
        best=columns["best"].cast(pa.int32()).fill_null(-1).to_numpy(),
        actions=_within(actions, offsets).astype(np.int32),
        visits=_within(visits, offsets),
        offsets=offsets - offsets[0],
        simulations=_numbers(columns["simulations"], variant).astype(np.int32),
        solved=_numbers(columns["solved"], variant),
        values=values,
        outcomes=outcomes,
        scores=scores,
        _packed=packed,
    )


def _within(lists: pa.Array, offsets: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Return the items of lists, one after the other."""
    array: npt.NDArray[Any] = lists.values.to_numpy(zero_copy_only=False)
    return array[offsets[0] : offsets[-1]]


def _numbers(column: pa.Array, variant: Variant) -> npt.NDArray[Any]:
    """Return a column as an array: bytes as rows of them, and NaN where a number is not known."""
    if pa.types.is_fixed_size_binary(column.type):
        width = square_bytes(variant)
        _, data = column.buffers()
        first = column.offset * width
        count = len(column) * width
        return np.frombuffer(data, np.uint8, count, first).reshape(-1, width)
    array: npt.NDArray[Any] = column.to_numpy(zero_copy_only=False)
    return array
