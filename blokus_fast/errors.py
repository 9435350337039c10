"""The exceptions of the package; every one is a `ValueError`.

Imports nothing of the package, since the native core imports this file.
An object that raised one of these is unchanged.
"""

from __future__ import annotations

from os import PathLike, fspath

__all__ = ["IllegalMoveError", "InvalidMoveError", "InvalidPositionError", "RecordError"]


class InvalidMoveError(ValueError):
    """A value cannot be a move at all: an id out of range, a text that is no piece.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> bf.Board("duo").parse_move("a1,a3")
    Traceback (most recent call last):
    ...
    blokus_fast.errors.InvalidMoveError: 'a1,a3' is not a piece
    """


class IllegalMoveError(ValueError):
    """A move is not allowed in this position; the message names the broken rule.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> game = bf.Game("classic")
    >>> try:
    ...     game.play("b19")
    ... except bf.IllegalMoveError as error:
    ...     print("refused")
    refused
    """


class InvalidPositionError(ValueError):
    """A position that was to be set up breaks a rule; the message says which and where.

    Attributes
    ----------
    reason : str or None
        The rule in one word: ``number``, ``square``, ``piece``, ``hand``, ``start``, ``opening``,
        ``connection``, ``placed``, ``last``, ``ply``, ``round``, ``finished``, ``turn``,
        ``stuck``, ``over``, ``draft`` or ``key``; None where not the position is wrong, but what
        was said of it.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> bf.set_up("classic", {0: ["b19"]})
    Traceback (most recent call last):
    ...
    blokus_fast.errors.InvalidPositionError: blue: no piece covers the start square a20
    >>> try:
    ...     bf.set_up("classic", {0: ["b19"]})
    ... except bf.InvalidPositionError as error:
    ...     print(error.reason)
    start
    """

    reason: str | None = None


class RecordError(ValueError):
    """A game record cannot be read.

    Parameters
    ----------
    message : str
        What is wrong.
    file : str or path, optional
        The file that was read.
    offset : int, optional
        Where in it, in bytes from its beginning.
    line, column : int, optional
        Where in it, both counted from 1.

    Attributes
    ----------
    message, file, offset, line, column
        The parameters; `file` is text or None.

    Examples
    --------
    >>> from blokus_fast import RecordError
    >>> print(RecordError("a bracket is not closed", file="game.blksgf", line=2, column=17))
    game.blksgf, line 2, column 17: a bracket is not closed
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | PathLike[str] | None = None,
        offset: int | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        # The exception machinery pickles by `args`, so they hold all of them.
        super().__init__(message, None if file is None else fspath(file), offset, line, column)
        self.message = message
        self.file = None if file is None else fspath(file)
        self.offset = offset
        self.line = line
        self.column = column

    def __str__(self) -> str:
        """Put the place before the message."""
        place = [self.file] if self.file is not None else []
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.column is not None:
            place.append(f"column {self.column}")
        if self.offset is not None and self.line is None:
            place.append(f"offset {self.offset}")
        return f"{', '.join(place)}: {self.message}" if place else self.message

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with the keyword arguments."""
        return (_record_error, self.args)


def _record_error(
    message: str,
    file: str | None = None,
    offset: int | None = None,
    line: int | None = None,
    column: int | None = None,
) -> RecordError:
    """Rebuild a pickled `RecordError`."""
    return RecordError(message, file=file, offset=offset, line=line, column=column)
