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

    Examples
    --------
    >>> import blokus_fast as bf
    >>> bf.set_up("classic", {0: ["b19"]})
    Traceback (most recent call last):
    ...
    blokus_fast.errors.InvalidPositionError: blue: no piece covers the start square a20
    """


class RecordError(ValueError):
    """A game record cannot be read.

    Parameters
    ----------
    message : str
        What is wrong.
    file : str or path, optional
        The file that was read.
    offset : int, optional
        Where in it, in characters from its beginning.

    Attributes
    ----------
    message, file, offset
        The parameters; `file` is text or None.

    Examples
    --------
    >>> from blokus_fast import RecordError
    >>> print(RecordError("a bracket is not closed", file="game.blksgf", offset=17))
    game.blksgf, offset 17: a bracket is not closed
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | PathLike[str] | None = None,
        offset: int | None = None,
    ) -> None:
        # The exception machinery pickles by `args`, so they hold all three.
        super().__init__(message, None if file is None else fspath(file), offset)
        self.message = message
        self.file = None if file is None else fspath(file)
        self.offset = offset

    def __str__(self) -> str:
        """Put the place before the message."""
        place = [self.file] if self.file is not None else []
        if self.offset is not None:
            place.append(f"offset {self.offset}")
        return f"{', '.join(place)}: {self.message}" if place else self.message

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with the keyword arguments."""
        return (_record_error, (self.message, self.file, self.offset))


def _record_error(message: str, file: str | None, offset: int | None) -> RecordError:
    """Rebuild a pickled `RecordError`."""
    return RecordError(message, file=file, offset=offset)
