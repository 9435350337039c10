"""A search that searches nothing: what `MCTSBot` and GTP are tested against, in no time.

It keeps to what `blokus_fast.search` promises, as far as they use it. `install` puts it in the
place of the real one.
"""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import blokus_fast as bf


@dataclass(frozen=True)
class SearchResult:
    variant: bf.Variant
    player: int
    turn: int
    move: int
    moves: Any
    visits: Any
    values: Any
    scores: Any
    priors: Any
    proven: Any
    pv: list[int]
    value: Any
    score: Any
    simulations: int
    reused: int
    seconds: float
    depth: int
    nodes: int
    memory: int
    full: bool
    stopped: str


class MCTS:
    """Remembers how it was made and asked; plays the last of the legal moves.

    With `wait` it does nothing for the seconds that it has, as a real search does something.
    """

    made: list[MCTS] = []  # noqa: RUF012
    wait = False

    def __init__(
        self,
        variant: Any = "classic",
        *,
        start: str | None = None,
        scoring: Any = None,
        threads: int = 1,
        memory: int = 256 * 2**20,
        seed: int | None = None,
        weights: Any = None,
        parameters: Any = None,
    ) -> None:
        self.variant = bf.variant(variant, start=start, scoring=scoring)
        self.threads, self.memory, self.seed = threads, memory, seed
        self.asked: list[dict[str, Any]] = []
        self.result: SearchResult | None = None
        self._stop = threading.Event()
        MCTS.made.append(self)

    def search(
        self,
        board: bf.Board,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        early_stop: bool = True,
        on_progress: Any = None,
        progress_every: float = 0.5,
        on_interrupt: str = "raise",
        moves: Any = None,
    ) -> SearchResult:
        if board.variant != self.variant:
            raise ValueError("a board of another variant")
        if board.is_game_over:
            raise ValueError("the game is over")
        if simulations is None and seconds is None:
            raise ValueError("simulations or seconds")
        assert simulations is None or (type(simulations) is int and simulations >= 1)
        assert seconds is None or seconds >= 0
        self.asked.append({"simulations": simulations, "seconds": seconds, "ply": board.ply})
        self._stop.clear()
        began = time.monotonic()
        stopped = "simulations" if simulations else "time"
        if on_progress is not None:
            on_progress(self._result(board, 1, 0.0, "running"))
        while self.wait and not self._stop.is_set():
            now = time.monotonic() - began
            if seconds is not None and now >= seconds:
                stopped = "time"
                break
            time.sleep(0.001)
        if self._stop.is_set():
            stopped = "stop"
        done = simulations or 100
        self.result = self._result(board, done, time.monotonic() - began, stopped)
        return self.result

    def _result(self, board: bf.Board, done: int, seconds: float, stopped: str) -> SearchResult:
        ids = board.legal_ids()[::-1]
        n, players = len(ids), board.n_players
        visits = np.zeros(n, np.int64)
        visits[0] = done - done // 4
        visits[1:2] = done // 4
        values = np.full((n, players), np.nan, np.float32)
        values[visits > 0] = (1 - 0.625) / max(players - 1, 1)
        values[visits > 0, board.player] = 0.625
        scores = np.where(np.isnan(values), np.nan, 10).astype(np.float32)
        return SearchResult(
            board.variant, board.player, board.turn, int(ids[0]), ids, visits, values, scores,
            np.full(n, 1 / n, np.float32), np.zeros(n, bool), [int(ids[0])],
            values[0], scores[0], done, 0, seconds, 3, n, 1000, False, stopped,
        )  # fmt: skip

    def stop(self) -> None:
        self._stop.set()

    def clear(self) -> None:
        self.result = None


def install(monkeypatch: pytest.MonkeyPatch) -> type[MCTS]:
    """Let it be `blokus_fast.search`, without a book, for the time of a test."""
    book = ModuleType("blokus_fast.search.book")
    book.default_book = lambda variant: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "blokus_fast.search.book", book)
    module = ModuleType("blokus_fast.search")
    module.MCTS, module.SearchResult = MCTS, SearchResult  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "blokus_fast.search", module)
    monkeypatch.setattr(MCTS, "made", [])
    monkeypatch.setattr(MCTS, "wait", False)
    return MCTS
