"""One connection between a client and a server: messages out, XML elements in.

Both sides use it. Owns the socket, the elements ``<protocol>`` that open and close the streams, and
what is told when the other side is gone.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
import threading
import time
from typing import Final, Protocol

from blokus_fast.contest.errors import ConnectionBrokenError
from blokus_fast.contest.stream import Element, ElementReader

__all__ = ["Connection", "Message", "connect"]

_CHUNK: Final = 1 << 16
# Who does not read for so long is gone.
_SENDING: Final = 2


class Message(Protocol):
    """Something that writes itself as XML."""

    def xml(self) -> str:
        """Write the message."""


class Connection:
    """A socket that speaks the contest's protocol.

    Parameters
    ----------
    sock : socket
        The socket; it belongs to the connection from now on.

    Attributes
    ----------
    received : float
        When something came last, by `time.monotonic`.

    Examples
    --------
    >>> import socket
    >>> from blokus_fast.contest.connection import Connection
    >>> from blokus_fast.contest.messages import Left
    >>> one, other = map(Connection, socket.socketpair())
    >>> one.send(Left("7"))
    >>> one.close()
    >>> other.receive(), other.receive()
    ([<left>], None)
    >>> other.close()
    """

    def __init__(self, sock: socket.socket) -> None:
        self.received = time.monotonic()
        self._socket = sock
        self._reader = ElementReader()
        self._opened = False
        self._closed = False
        self._sending = threading.Lock()
        sock.settimeout(None)
        with contextlib.suppress(OSError):
            # Messages are short, and each is waited for.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # Who waits for hours wants to know when the other computer is gone.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        # A timeout of the socket itself would also end what another thread waits for.
        late = struct.pack("ll", _SENDING, 0) if os.name == "posix" else 1000 * _SENDING
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, late)

    def __repr__(self) -> str:
        """Show whether it is open."""
        return f"<Connection: {'closed' if self._closed else 'open'}>"

    def send(self, *messages: Message) -> None:
        """Send messages, from any thread.

        Raises
        ------
        ConnectionBrokenError
            The other side is gone, or does not read.
        """
        text = "".join(message.xml() for message in messages)
        with self._sending:
            if not self._opened:
                text, self._opened = f"<protocol>{text}", True
            self._send(text)

    def _send(self, text: str) -> None:
        try:
            self._socket.sendall(text.encode())
        except BlockingIOError:
            raise ConnectionBrokenError(
                "nothing can be sent: the other side does not read"
            ) from None
        except (OSError, ValueError) as error:
            raise ConnectionBrokenError(f"nothing can be sent: {_told(error)}") from None

    def receive(self, *, seconds: float | None = None) -> list[Element] | None:
        """Wait for bytes, and return the messages that are complete with them.

        Parameters
        ----------
        seconds : float, optional
            How long to wait. Default: for ever.

        Returns
        -------
        list of Element or None
            Mostly one message or none; None when the other side has closed the connection in
            order, between two messages.

        Raises
        ------
        ConnectionBrokenError
            It is gone in the middle of a message, or there is an error on the way.
        ProtocolError
            What it sent is not the protocol.
        """
        if self._reader.ended:
            return None
        try:
            if seconds is not None and not select.select([self._socket], [], [], seconds)[0]:
                raise ConnectionBrokenError(f"nothing came for {seconds:g} s")
            data = self._socket.recv(_CHUNK)
        except ConnectionBrokenError:
            raise
        except (OSError, ValueError) as error:
            raise ConnectionBrokenError(f"the connection broke: {_told(error)}") from None
        self.received = time.monotonic()
        if data:
            found = self._reader.feed(data)
            return found if found or not self._reader.ended else None
        if self._reader.inside:
            raise ConnectionBrokenError("the connection ended in the middle of a message")
        return None

    def close(self) -> None:
        """Close the stream and the connection. A thread that waits in `receive` comes back."""
        with self._sending:
            if self._closed:
                return
            self._closed = True
            with contextlib.suppress(OSError):
                self._socket.sendall(b"</protocol>" if self._opened else b"<protocol></protocol>")
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()


def connect(host: str, port: int, *, seconds: float = 10.0) -> Connection:
    """Connect to a server.

    Parameters
    ----------
    host : str
        Name or address of its computer.
    port : int
        Its port.
    seconds : float
        How long to try.

    Returns
    -------
    Connection
        The connection.

    Raises
    ------
    ConnectionBrokenError
        There is no server.

    Examples
    --------
    >>> from blokus_fast.contest import ConnectionBrokenError
    >>> from blokus_fast.contest.connection import connect
    >>> try:
    ...     connect("127.0.0.1", 1)
    ... except ConnectionBrokenError as error:
    ...     print(str(error).partition(":")[0])
    no server at 127.0.0.1, port 1
    """
    try:
        sock = socket.create_connection((host, port), timeout=seconds)
    except (OSError, ValueError, OverflowError) as error:
        raise ConnectionBrokenError(f"no server at {host}, port {port}: {_told(error)}") from None
    return Connection(sock)


def _told(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
