"""For the tests of the contest: games to send, and servers that follow a script."""

from __future__ import annotations

import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import blokus_fast as bf
from blokus_fast.contest import PlacedPiece, SkippedTurn, State, state_of
from blokus_fast.contest.following import said_action
from blokus_fast.contest.stream import Element, ElementReader
from blokus_fast.variants import software_challenge_2027

PENTOMINOES = bf.VARIANTS["software-challenge-2027"].first_pieces or ()


def element(text: str | bytes) -> Element:
    """Read one message."""
    data = text.encode() if isinstance(text, str) else text
    [found] = ElementReader().feed(b"<protocol>" + data)
    return found


def game(
    opening: str = "W", seed: int = 0, passing: float = 0.0
) -> Iterator[tuple[bf.Board, PlacedPiece | SkippedTurn | None]]:
    """Play a random game; yield every position, and the move that led to it."""
    rng = random.Random(seed)
    board = bf.Board(software_challenge_2027(opening))
    yield board, None
    while not board.is_game_over:
        ids = board.legal_ids()
        may_pass = ids[-1] == board.n_moves
        action = int(rng.choice(ids[: len(ids) - may_pass]))
        if may_pass and rng.random() < passing:
            action = board.n_moves
        said = said_action(board, action)
        board.push(action)
        yield board, said


def states(opening: str = "W", seed: int = 0, passing: float = 0.0) -> list[State]:
    """Return the states of a random game."""
    return [state_of(board, last_move=move) for board, move in game(opening, seed, passing)]


class Script:
    """A server's side of one connection, for tests to say what they like."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock
        self.socket.settimeout(20)
        self.reader = ElementReader()
        self.heard: list[Element] = []

    def say(self, *texts: Any) -> None:
        """Send texts, bytes or messages."""
        for text in texts:
            text = text if isinstance(text, str | bytes) else text.xml()
            self.socket.sendall(text.encode() if isinstance(text, str) else text)

    def hear(self) -> Element:
        """Wait for a message."""
        while not self.heard:
            data = self.socket.recv(1 << 16)
            assert data, "the client is gone"
            self.heard += self.reader.feed(data)
        return self.heard.pop(0)


@contextmanager
def scripted(script: Callable[[Script], None]) -> Iterator[int]:
    """Run a script for the one client that connects; yield the port. Its errors are raised."""
    errors: list[BaseException] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def run() -> None:
            try:
                with listening.accept()[0] as sock:
                    script(Script(sock))
            except BaseException as error:
                errors.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        thread.join(30)
    assert not thread.is_alive()
    if errors:
        raise errors[0]
