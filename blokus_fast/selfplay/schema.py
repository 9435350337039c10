"""The columns of a shard: what each is, and the table that games become.

Owns the schema and its version. Which file a table is in, and whether it is whole, is the matter
of `shards`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from blokus_fast._core import Board
from blokus_fast.learning.batch import BatchBoard
from blokus_fast.scoring import rewards
from blokus_fast.selfplay.packing import (
    hand_names,
    pack,
    placed_names,
    square_bytes,
    square_names,
)
from blokus_fast.selfplay.playing import Game
from blokus_fast.variants import Variant

__all__ = ["VERSION", "player_names", "schema", "table"]

VERSION: Final = 1
"""Version of the schema. What a release has written, later ones read."""


def player_names(variant: Variant, what: str) -> list[str]:
    """Return the names of the columns of a figure that every player has."""
    return [f"{what}_{player}" for player in range(variant.players)]


def schema(variant: Variant) -> pa.Schema:
    """Return the columns of a variant's shards, with their types.

    Parameters
    ----------
    variant : Variant
        The rules.

    Returns
    -------
    pyarrow.Schema
        The columns, as docs/selfplay.md explains them.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.selfplay.schema import schema
    >>> columns = schema(bf.variant("duo"))
    >>> columns.names[:4], columns.field("actions").type
    (['game', 'seed', 'ply', 'turn'], ListType(list<element: uint16 not null>))
    """
    small = variant._rules().n_actions <= 2**16
    action = pa.uint16() if small else pa.uint32()

    def lists(item: pa.DataType) -> pa.DataType:
        return pa.list_(pa.field("element", item, nullable=False))

    columns: list[tuple[str, pa.DataType, bool]] = [
        ("game", pa.uint32(), False),
        ("seed", pa.uint64(), False),
        ("ply", pa.uint16(), False),
        ("turn", pa.int8(), False),
        ("player", pa.int8(), False),
        *((name, pa.binary(square_bytes(variant)), False) for name in square_names(variant)),
        *((name, pa.uint64(), False) for name in hand_names(variant)),
        *((name, pa.uint16(), False) for name in placed_names(variant)),
        ("phase", pa.uint8(), False),
        ("round", pa.uint16(), False),
        ("finished", pa.uint8(), False),
        ("monomino_last", pa.uint8(), False),
        ("shared_player", pa.uint8(), False),
        ("random", pa.bool_(), False),
        ("move", action, False),
        ("best", action, True),
        ("actions", lists(action), False),
        ("visits", lists(pa.uint32()), False),
        ("simulations", pa.uint32(), False),
        ("solved", pa.bool_(), False),
        *((name, pa.float32(), True) for name in player_names(variant, "value")),
        *((name, pa.float32(), False) for name in player_names(variant, "outcome")),
        *((name, pa.int32(), False) for name in player_names(variant, "score")),
    ]
    return pa.schema([pa.field(name, kind, nullable=null) for name, kind, null in columns])


def table(variant: Variant, games: Sequence[Game]) -> pa.Table:
    """Make the table of some games: a row for each move.

    Parameters
    ----------
    variant : Variant
        The rules.
    games : sequence of Game
        The games, in the order in which they shall be there.

    Returns
    -------
    pyarrow.Table
        With the columns of `schema`.

    Examples
    --------
    >>> from blokus_fast.selfplay import Settings
    >>> from blokus_fast.selfplay.playing import GamePlayer
    >>> from blokus_fast.selfplay.schema import table
    >>> settings = Settings("duo", "greedy", seed=1)
    >>> game = GamePlayer(settings).play(0)
    >>> rows = table(settings.rules, [game])
    >>> rows["move"].to_pylist() == game.moves
    True
    """
    columns: dict[str, Any] = pack(_positions(variant, games))
    lengths = [len(game.moves) for game in games]
    found = [each for game in games for each in game.found]

    def of_games(value: Callable[[Game], Any], kind: type) -> npt.NDArray[Any]:
        return np.repeat(np.array([value(game) for game in games], kind), lengths, axis=0)

    columns["game"] = of_games(lambda game: game.number, np.uint32)
    columns["seed"] = of_games(lambda game: game.seed, np.uint64)
    scores = of_games(lambda game: game.scores, np.int32).reshape(-1, variant.players)
    outcomes = rewards(scores, "win", lowest_wins=variant.scoring_rule.lowest_wins)
    columns["random"] = np.concatenate(
        [np.arange(len(game.moves)) < game.n_random for game in games]
    )
    columns["move"] = np.array([move for game in games for move in game.moves])
    best = np.array([each.best for each in found])
    columns["best"] = pa.array(np.maximum(best, 0), mask=best < 0)
    columns["simulations"] = np.array([each.simulations for each in found])
    columns["solved"] = np.array([each.solved for each in found], np.bool_)
    unknown = np.array([each.value is None for each in found])
    none = np.zeros(variant.players, np.float32)
    values = np.array([none if each.value is None else each.value for each in found], np.float32)
    for player in range(variant.players):
        columns[f"value_{player}"] = pa.array(values[:, player].copy(), mask=unknown)
        columns[f"outcome_{player}"] = outcomes[:, player].astype(np.float32)
        columns[f"score_{player}"] = scores[:, player]
    kinds = schema(variant)
    columns["actions"] = _ragged((each.actions for each in found), kinds.field("actions").type)
    columns["visits"] = _ragged((each.visits for each in found), kinds.field("visits").type)
    arrays = [_array(columns[kind.name], kind.type) for kind in kinds]
    return pa.Table.from_arrays(arrays, schema=kinds)


def _positions(variant: Variant, games: Sequence[Game]) -> BatchBoard:
    """Return the positions before all moves of some games."""
    boards = BatchBoard(sum(len(game.moves) for game in games), variant)
    places = itertools.count()
    for game in games:
        board = Board(variant)
        for move in game.moves:
            boards[next(places)] = board
            board.push(move)
    return boards


def _ragged(parts: Iterable[npt.NDArray[Any] | None], kind: pa.DataType) -> pa.Array:
    """Make lists of arrays; None is an empty one."""
    arrays = [np.zeros(0, np.int32) if part is None else part for part in parts]
    offsets = np.concatenate([[0], np.cumsum([len(array) for array in arrays])])
    values = pa.array(np.concatenate(arrays)).cast(kind.value_type)
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), values, type=kind)


def _array(column: Any, kind: pa.DataType) -> pa.Array:
    """Make an array of its type; what does not fit in it is an error, and not cut off."""
    if isinstance(column, pa.Array):
        return column if column.type == kind else column.cast(kind)
    if pa.types.is_fixed_size_binary(kind):
        buffer = pa.py_buffer(np.ascontiguousarray(column))
        return pa.FixedSizeBinaryArray.from_buffers(kind, len(column), [None, buffer])
    return pa.array(np.ascontiguousarray(column)).cast(kind)
