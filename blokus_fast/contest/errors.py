"""What can go wrong between a client and a contest server: `ContestError` and its kinds."""

from __future__ import annotations

__all__ = ["ConnectionBrokenError", "ContestError", "ProtocolError", "RefusedError"]


class ContestError(RuntimeError):
    """A game of the contest could not begin, or not go on; the message says why.

    Examples
    --------
    >>> from blokus_fast.contest import ContestError, ProtocolError
    >>> issubclass(ProtocolError, ContestError)
    True
    """


class ConnectionBrokenError(ContestError, ConnectionError):
    """The other side cannot be reached, or is gone before the game was over.

    Examples
    --------
    >>> from blokus_fast.contest import ConnectionBrokenError
    >>> issubclass(ConnectionBrokenError, OSError)
    True
    """


class ProtocolError(ContestError, ValueError):
    """What the other side sent is not the contest's protocol.

    Examples
    --------
    >>> from blokus_fast.contest import ProtocolError
    >>> from blokus_fast.contest.stream import ElementReader
    >>> try:
    ...     ElementReader().feed(b"<html>")
    ... except ProtocolError as error:
    ...     print(error)
    the stream begins with <html>, not with <protocol>
    """


class RefusedError(ContestError):
    """The server refuses what it was asked for, and says so.

    Examples
    --------
    >>> from blokus_fast.contest import RefusedError
    >>> str(RefusedError("the server says: unknown reservation"))
    'the server says: unknown reservation'
    """
