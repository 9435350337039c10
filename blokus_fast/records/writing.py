"""Records to text and to files: compact, and in one way only.

The order of properties is fixed, so that what is read and written again stays the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from typing import BinaryIO

from blokus_fast.records.dialect import POSITION, Dialect, dialect, game_properties
from blokus_fast.records.node import Node
from blokus_fast.records.setups import SetUp
from blokus_fast.records.sgf import tree_text, value_text
from blokus_fast.records.tree import Record

__all__ = ["record_text", "write"]

_NAME = re.compile(r"[A-Z]+|[A-Z]*[0-9]+[A-Z0-9]*")


def record_text(record: Record) -> str:
    """Write a record.

    Parameters
    ----------
    record : Record
        The record.

    Returns
    -------
    str
        One game, without a line end behind it.

    Raises
    ------
    ValueError
        The name of a property is no name, or one that the record itself writes.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.records.writing import record_text
    >>> record_text(bf.Record("classic-2p", names=["Ann", "player 2"]))
    '(;GM[Blokus Two-Player]CA[UTF-8]PB[Ann])'
    """
    ids = dialect(record.variant)

    def node_text(node: Node) -> str:
        return "".join(
            name + "".join(map(value_text, values)) for name, values in _properties(node, ids)
        )

    return tree_text(record.root, node_text)


def write(records: Record | Iterable[Record], target: str | PathLike[str] | BinaryIO) -> None:
    """Write records to a file, in UTF-8, each on a line of its own.

    Parameters
    ----------
    records : Record or iterable of Record
        What to write.
    target : str, path or binary file
        Where to. A file that exists is replaced; an open one is written on, and stays open.

    Raises
    ------
    ValueError
        A record cannot be written; see `record_text`.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import io
    >>> import blokus_fast as bf
    >>> file = io.BytesIO()
    >>> bf.records.write([bf.Record("duo", start="assigned"), bf.Record("junior")], file)
    >>> print(file.getvalue().decode())
    (;GM[Blokus Duo]CA[UTF-8])
    (;GM[Blokus Junior]CA[UTF-8])
    <BLANKLINE>
    """
    if isinstance(records, Record):
        # Before the file is opened, so that an error leaves an old one alone.
        records = [records]
        lines = iter([_line(records[0])])
    else:
        lines = map(_line, records)
    if isinstance(target, str | PathLike):
        with open(fspath(target), "wb") as file:
            file.writelines(lines)
    else:
        target.writelines(lines)


def _line(record: Record) -> bytes:
    # Halves of surrogate pairs have no place in UTF-8.
    text = record_text(record) + "\n"
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _properties(node: Node, ids: Dialect) -> Iterator[tuple[str, list[str]]]:
    """Yield the properties of a node in the order in which they are written."""
    record = node.record
    reserved = ids.reserved
    if node.parent is None:
        reserved = reserved | ids.reserved_in_root
        game, *rest = game_properties(record.variant)
        for name, value in (game, ("CA", "UTF-8"), *rest):
            yield name, [value]
        for player, (name, value) in enumerate(zip(ids.players, record.names, strict=True)):
            # An empty value is read as no name at all, so none is written.
            if value and value != f"player {player + 1}":
                yield name, [value]
    if node.setup is not None:
        yield from _set_up(node.setup, ids, record.variant.size)
    if node._action >= 0:
        name, value = ids.write(node._action, node._color)
        yield name, [value]
    for name, values in node.properties.items():
        if name in reserved:
            raise ValueError(f"the property {name} is not to be set by hand")
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"{name!r} is no name of a property: capitals and digits")
        if isinstance(values, str) or not all(isinstance(value, str) for value in values):
            raise TypeError(f"the values of the property {name} must be a list of texts")
        if values:
            yield name, values
    if node.comment:
        yield "C", [node.comment]


def _set_up(setup: SetUp, ids: Dialect, size: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the properties of a set-up."""
    if setup.removed:
        yield "AE", [move.text for move in setup.removed]
    for color, name in enumerate(ids.ids):
        pieces = [move.text for move in setup.pieces if move.color == color]
        if pieces:
            yield "A" + name, pieces
    if setup.turn is not None:
        yield "PL", [ids.ids[setup.turn]]
    if setup.position is not None:
        yield POSITION, [setup.position]
