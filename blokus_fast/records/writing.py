"""Records to text and to files: compact, and in one way only.

The order of properties is fixed, so that what is read and written again stays the same.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from io import TextIOBase
from os import PathLike
from typing import BinaryIO, TextIO

from blokus_fast.checking import iterated
from blokus_fast.files import write_file
from blokus_fast.records.dialect import POSITION, Dialect, dialect, game_properties
from blokus_fast.records.node import Node
from blokus_fast.records.properties import check_property
from blokus_fast.records.setups import SetUp
from blokus_fast.records.sgf import tree_text, value_text
from blokus_fast.records.tree import Record

__all__ = ["record_line", "record_text", "write"]


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


def write(
    records: Record | Iterable[Record],
    target: str | PathLike[str] | BinaryIO | TextIO,
) -> None:
    """Write records to a file, in UTF-8, each on a line of its own.

    Parameters
    ----------
    records : Record or iterable of Record
        What to write. It may be read from the same file.
    target : str, path or open file
        Where to. A file that exists is replaced when all is written, and left alone where
        something goes wrong. An open file, binary or text, is written on, and stays open.

    Raises
    ------
    ValueError
        A record cannot be written, see `record_text`; or a text file has another encoding than
        UTF-8, and no place in it for what is to be written.
    OSError
        The file cannot be written.
    TypeError
        Something is no record, or `target` neither a path nor an open file.

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
    given = [records] if isinstance(records, Record) else records
    lines = map(record_line, iterated(given, "what is written must be a Record or several"))
    if isinstance(target, str | PathLike):
        write_file(target, lines)
    elif isinstance(target, TextIOBase) or hasattr(target, "encoding"):
        encoding = getattr(target, "encoding", None)
        for line in lines:
            target.write(_fitting(line, encoding))  # type: ignore[call-overload]
    elif hasattr(target, "write"):
        for line in lines:
            target.write(line)
    else:
        raise TypeError(f"records are written to a path or an open file, not to {target!r}")


def record_line(record: Record) -> bytes:
    """Return the line of a record in a file."""
    if not isinstance(record, Record):
        raise TypeError(f"what is written must be a Record, not {type(record).__name__}")
    # Halves of surrogate pairs have no place in UTF-8.
    text = record_text(record) + "\n"
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _fitting(line: bytes, encoding: str | None) -> str:
    """Return a line for a text file; what says that it is UTF-8 must become that."""
    text = line.decode()
    try:
        if encoding is None or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig"):
            return text
        if text.encode(encoding) == line:
            return text
    except (LookupError, UnicodeEncodeError):
        pass
    raise ValueError(f"records are UTF-8, but the file was opened as {encoding}")


def _properties(node: Node, ids: Dialect) -> Iterator[tuple[str, list[str]]]:
    """Yield the properties of a node in the order in which they are written."""
    record = node.record
    in_root = node.parent is None
    if in_root:
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
    for name, values in node.raw.items():
        # Checked when it was set, but a list can be changed since.
        check_property(name, values, ids, in_root=in_root)
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
