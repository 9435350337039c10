"""A bot that is asked with a deadline, whatever it does: `Thinker`.

The bot thinks in a thread of its own. One that raises, returns nonsense, or does not come to an end
costs no game: a simple bot has chosen a move before. Knows nothing of messages.
"""

from __future__ import annotations

import logging
import operator
import queue
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from blokus_fast._core import Board
from blokus_fast.bots import AnyBot, Clock, CornerBot, Player, Timer
from blokus_fast.shown import call_text
from blokus_fast.variants import Variant
from blokus_fast.waiting import Flag

__all__ = ["Choice", "Thinker"]

LOG: Final = logging.getLogger("blokus_fast.contest")
# So many seconds before the deadline, a bot that can be stopped is stopped.
_STOP: Final = 0.04
# So many seconds are waited for that, where it takes longer than the move.
_STOPPING: Final = 0.25
# The least that a bot's clock is given.
_LEAST: Final = 0.001
# At the end, so many seconds are waited for a bot to close.
_CLOSING: Final = 1.0


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, and how it came about.

    Parameters
    ----------
    move : int
        Id of a legal move.
    seconds : float
        How long it took.
    problem : str or None
        Why it is not the bot's: then a simple bot has chosen it.

    Examples
    --------
    >>> from blokus_fast.contest.thinking import Choice
    >>> Choice(7, 0.5).problem is None
    True
    """

    move: int
    seconds: float
    problem: str | None = None


@dataclass(slots=True)
class _Task:
    """A question to the bot, and its answer."""

    board: Board | Variant
    deadline: float
    dropped: bool = False
    answer: Any = None
    error: str | None = None
    done: Flag = field(default_factory=Flag)


class Thinker:
    """Asks a bot for moves, and has one at the deadline in any case.

    Parameters
    ----------
    bot : Bot or ThinkingBot
        The bot. One with a method ``stop()`` is told shortly before the deadline, and then has
        time to return the best that it has found.
    now : callable
        Where the seconds come from.

    Raises
    ------
    TypeError
        It is no bot.

    Notes
    -----
    A bot that does not come to an end goes on in its thread, and is asked again when it is through.
    Native code that holds the interpreter's lock all the time stops everything, and nothing here
    can help that.

    Examples
    --------
    >>> import time
    >>> import blokus_fast as bf
    >>> from blokus_fast.contest.thinking import Thinker
    >>> class Broken:
    ...     def choose(self, board):
    ...         raise IndexError("no such thing")
    >>> board = bf.Board(bf.variants.software_challenge_2027("W"))
    >>> with Thinker(Broken()) as thinker:
    ...     choice = thinker.choose(board, time.monotonic() + 1)
    >>> choice.move in board.legal_moves, choice.problem
    (True, 'Broken failed: IndexError: no such thing')
    """

    def __init__(self, bot: AnyBot, *, now: Callable[[], float] = time.monotonic) -> None:
        self.player = Player(bot)
        self.trace = ""
        self._now = now
        self._simple = CornerBot(seed=0)
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._stopper: threading.Thread | None = None

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(self, self.player.bot)

    @property
    def name(self) -> str:
        """Name of the bot."""
        return self.player.name

    def choose(self, board: Board, deadline: float, latest: float | None = None) -> Choice:
        """Let the bot choose a move, and take another one if it does not.

        Parameters
        ----------
        board : Board
            The position; the game must not be over. The bot gets a copy.
        deadline : float
            When the bot is to be ready, by the clock `now`: its own clock ends then.
        latest : float, optional
            How long to wait for a bot that is late. Default: not at all.

        Returns
        -------
        Choice
            A legal move.
        """
        began = self._now()
        simple = self._simple.choose(board)
        if self._stopper is not None:
            # It was for the move before, and must not end this one.
            self._stopper.join(max(min(_STOPPING, (deadline - began) / 4), 0.0))
            self._stopper = None
        task = _Task(board.copy(), deadline)
        self._put(task)
        if not task.done.wait(max(deadline - _STOP - self._now(), 0.0)):
            self._stop()
            last = deadline if latest is None else max(latest, deadline)
            task.done.wait(max(last - self._now(), 0.0))
        problem = self._problem(board, task)
        move = simple if problem else operator.index(task.answer)
        return Choice(int(move), self._now() - began, problem)

    def begin(self, variant: Variant) -> None:
        """Let the bot get ready for a game, and do once what is slow only the first time.

        Parameters
        ----------
        variant : Variant
            The variant of the boards that come.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.bots import RandomBot
        >>> from blokus_fast.contest.thinking import Thinker
        >>> with Thinker(RandomBot()) as thinker:
        ...     thinker.begin(bf.variant("software-challenge-2027"))
        """
        self._put(_Task(variant, 0.0))
        self._simple.choose(Board(variant))

    def close(self) -> None:
        """End the thread, and what the bot has started, unless it still thinks.

        Examples
        --------
        >>> from blokus_fast.bots import RandomBot
        >>> from blokus_fast.contest.thinking import Thinker
        >>> Thinker(RandomBot()).close()
        """
        if self._thread is None:
            _quietly(self.player.close)
            return
        self._tasks.put(None)
        self._thread.join(_CLOSING)

    def __enter__(self) -> Thinker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _put(self, task: _Task) -> None:
        """Hand over a task. The thread begins with the first, so that none waits for nothing."""
        self._tasks.put(task)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="bot", daemon=True)
            self._thread.start()

    def _problem(self, board: Board, task: _Task) -> str | None:
        """Say why the bot's answer cannot be taken."""
        if not task.done.is_set():
            task.dropped = True
            return f"{self.name} has not answered in time"
        if task.error is not None:
            return f"{self.name} failed: {task.error}"
        try:
            legal = board.is_legal(operator.index(task.answer))
        except Exception:
            legal = False
        return None if legal else f"{self.name} chose {_shown(task.answer)}, no legal move"

    def _stop(self) -> None:
        """Tell a bot that can be told; in a thread, since that may not come to an end either."""
        stop = getattr(self.player.bot, "stop", None)
        if callable(stop):
            self._stopper = threading.Thread(
                target=_quietly, args=(stop,), name="stop", daemon=True
            )
            self._stopper.start()

    def _work(self) -> None:
        """Answer one question after the other; those that nobody waits for are left out."""
        while (task := self._tasks.get()) is not None:
            if task.dropped:
                continue
            try:
                if isinstance(task.board, Variant):
                    self.player.start(task.board)
                    continue
                left = max(task.deadline - self._now(), _LEAST)
                task.answer = self.player.choose(task.board, Timer(Clock.per_move(left)))
            except BaseException as error:
                task.error = f"{type(error).__name__}: {error}"[:500]
                self.trace = traceback.format_exc()
            task.done.set()
            del task
        _quietly(self.player.close)


def _shown(value: object) -> str:
    """Show what a bot has returned, which may be anything."""
    try:
        return repr(value)[:60]
    except Exception:
        return f"a {type(value).__name__}"


def _quietly(call: Callable[[], object]) -> None:
    try:
        call()
    except BaseException as error:
        LOG.debug("%s failed: %s", call, error)
