"""Time: `Clock` says what a player may use, `Timer` measures what he does.

Knows neither boards nor bots. How much of a clock a single move should have is in `budget`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

__all__ = ["Clock", "Timer"]


@dataclass(frozen=True, slots=True)
class Clock:
    """What time a player has, at the moment when he begins to think.

    Made by `per_move`, `game` or `periods`; without anything it is a clock without a limit.

    Parameters
    ----------
    move_seconds : float, optional
        Seconds for this move, whatever the others take. Excludes all of the following.
    remaining : float, optional
        Seconds that are left: of the game, or of the period if `moves_left` is there.
    increment : float
        Seconds that are added after every move.
    moves_left : int, optional
        Moves that `remaining` has to do for, with this one. None: all to the end of the game.
    period : float
        Seconds of the period that follows when `remaining` is used up, or when its moves are made.
    period_moves : int
        Moves that have to be made in such a period, 0 where there are no periods.

    Raises
    ------
    ValueError
        A number is negative or not finite, or two of them exclude each other.

    Examples
    --------
    >>> from blokus_fast.bots import Clock
    >>> Clock.game(60, increment=1).after(2.5).remaining
    58.5
    >>> Clock.game(60).limit, Clock.per_move(2).limit, Clock().limit
    (60.0, 2.0, None)
    """

    move_seconds: float | None = None
    remaining: float | None = None
    increment: float = 0.0
    moves_left: int | None = None
    period: float = 0.0
    period_moves: int = 0

    def __post_init__(self) -> None:
        """Check that all fits, and make floats of the seconds."""
        for name in ("move_seconds", "remaining", "increment", "period"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _seconds(value, name))
        if self.move_seconds is not None and (
            self.remaining is not None or self.increment or self.period_moves
        ):
            raise ValueError("a clock has seconds a move or seconds a game, not both")
        if self.remaining is None and (self.increment or self.period_moves):
            raise ValueError("increment and periods go with remaining seconds only")
        if self.increment and self.period_moves:
            raise ValueError("a clock has an increment or periods, not both")
        if self.period_moves < 0 or (self.moves_left is not None and self.moves_left < 1):
            raise ValueError("a period has at least one move")
        if self.moves_left is not None and not self.period_moves:
            raise ValueError("moves_left goes with periods only")

    @classmethod
    def per_move(cls, seconds: float) -> Self:
        """Return a clock with so many seconds for every move.

        Parameters
        ----------
        seconds : float
            For a move.

        Returns
        -------
        Clock
            The same before every move.

        Raises
        ------
        ValueError
            The number is no time.

        Examples
        --------
        >>> from blokus_fast.bots import Clock
        >>> Clock.per_move(0.5).after(0.4) == Clock.per_move(0.5)
        True
        """
        return cls(move_seconds=seconds)

    @classmethod
    def game(cls, seconds: float, increment: float = 0.0) -> Self:
        """Return a clock with seconds for a whole game, and more after every move.

        Parameters
        ----------
        seconds : float
            For the whole game.
        increment : float
            What is added after every move.

        Returns
        -------
        Clock
            At the beginning of the game.

        Raises
        ------
        ValueError
            A number is no time.

        Examples
        --------
        >>> from blokus_fast.bots import Clock
        >>> Clock.game(10, increment=2).after(4).after(1).remaining
        9.0
        """
        return cls(remaining=seconds, increment=increment)

    @classmethod
    def periods(cls, seconds: float, period: float, moves: int) -> Self:
        """Return a clock with main time, and then periods in which some moves must be made.

        GTP has it so, after Go: in a period that is not used up the next one begins as soon as
        its moves are made.

        Parameters
        ----------
        seconds : float
            Main time.
        period : float
            Seconds of a period.
        moves : int
            Moves that must be made in it.

        Returns
        -------
        Clock
            At the beginning of the game.

        Raises
        ------
        ValueError
            A number is no time, or no number of moves.

        Examples
        --------
        >>> from blokus_fast.bots import Clock
        >>> clock = Clock.periods(10, 30, 5).after(12)
        >>> clock.remaining, clock.moves_left
        (28.0, 4)
        >>> Clock.periods(0, 30, 5) == Clock.periods(10, 30, 5).within(30, 5)
        True
        """
        main = cls(remaining=seconds, period=period, period_moves=moves)
        return main if main.remaining else main.within(main.period, moves)

    def within(self, seconds: float, moves: int) -> Self:
        """Return this clock with so much left: of main time if `moves` is 0, else of a period.

        Parameters
        ----------
        seconds : float
            What is left.
        moves : int
            How many moves are to be made in it; 0 for main time.

        Returns
        -------
        Clock
            With the same periods.

        Raises
        ------
        ValueError
            A number is no time, or no number of moves.

        Examples
        --------
        >>> from blokus_fast.bots import Clock
        >>> clock = Clock.periods(60, 30, 5).within(12, 2)
        >>> clock.remaining, clock.moves_left, clock.after(5).after(5).remaining
        (12.0, 2, 30.0)
        """
        if not moves:
            return replace(self, move_seconds=None, remaining=seconds, moves_left=None)
        periods = (self.period, self.period_moves) if self.period_moves else (seconds, moves)
        return type(self)(None, seconds, 0.0, moves, *periods)

    @property
    def is_limited(self) -> bool:
        """Whether there is any limit."""
        return self.limit is not None

    @property
    def limit(self) -> float | None:
        """The seconds that this move may take and not one more; None: any number."""
        if self.remaining is None:
            return self.move_seconds
        if self.period_moves and self.moves_left is None:
            return self.remaining + self.period
        return self.remaining

    def allows(self, seconds: float) -> bool:
        """Tell whether a move may take so long.

        Parameters
        ----------
        seconds : float
            How long it takes.

        Returns
        -------
        bool
            True without a limit.

        Examples
        --------
        >>> from blokus_fast.bots import Clock
        >>> Clock.game(3).allows(3), Clock.game(3).allows(3.1)
        (True, False)
        """
        return self.limit is None or seconds <= self.limit

    def after(self, seconds: float) -> Self:
        """Return the clock after a move that has taken so long.

        Parameters
        ----------
        seconds : float
            What the move took. What is more than the clock allows counts as all of it.

        Returns
        -------
        Clock
            The clock for the player's next move.

        Examples
        --------
        >>> from blokus_fast.bots import Clock
        >>> Clock.game(3, increment=1).after(10).remaining
        1.0
        """
        seconds = _seconds(seconds, "seconds")
        if self.remaining is None:
            return self
        left, moves = self.remaining - seconds, self.moves_left
        if not self.period_moves:
            return replace(self, remaining=max(left, 0.0) + self.increment)
        if moves is None:
            if left > 0:
                return replace(self, remaining=left)
            # The move that goes beyond the main time is the first of a period.
            left, moves = self.period + left, self.period_moves
        if moves == 1:
            return replace(self, remaining=self.period, moves_left=self.period_moves)
        return replace(self, remaining=max(left, 0.0), moves_left=moves - 1)


def _seconds(value: float, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if isinstance(value, str | bytes) or not 0 <= number < math.inf:
        shown = repr(value)
        raise ValueError(f"{name} must be a number of seconds from 0, not {shown[:60]}")
    return number


class Timer:
    """A stopwatch with a player's clock: measures his moves, and knows if his time is over.

    Parameters
    ----------
    clock : Clock, optional
        What he begins with. Default: no limit.
    now : callable
        Where the seconds come from.

    Attributes
    ----------
    clock : Clock
        What he has for his next move.
    used : float
        Seconds of all moves.
    moves : int
        How many moves were measured.
    is_over : bool
        Whether a move has taken longer than the clock allowed.

    Examples
    --------
    >>> from blokus_fast.bots import Clock, Timer
    >>> seconds = iter([0.0, 2.0, 5.0, 14.0])
    >>> timer = Timer(Clock.game(10), now=lambda: next(seconds))
    >>> timer.start()
    >>> timer.stop(), timer.clock.remaining, timer.is_over
    (2.0, 8.0, False)
    >>> timer.start()
    >>> timer.stop(), timer.clock.remaining, timer.is_over
    (9.0, 0.0, True)
    """

    def __init__(
        self, clock: Clock | None = None, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.clock = Clock() if clock is None else clock
        self.used = 0.0
        self.moves = 0
        self.is_over = False
        self._now = now
        self._began: float | None = None

    def __repr__(self) -> str:
        """Show the clock, and what is used of it."""
        return f"<Timer of {self.clock!r}: {self.used:.3g} s used, {self.moves} moves>"

    @property
    def running(self) -> bool:
        """Whether a move is being measured."""
        return self._began is not None

    def start(self) -> None:
        """Begin to measure a move.

        Raises
        ------
        RuntimeError
            One is being measured.

        Examples
        --------
        >>> from blokus_fast.bots import Timer
        >>> timer = Timer()
        >>> timer.start()
        >>> timer.running, timer.stop() < 60, timer.running
        (True, True, False)
        """
        if self._began is not None:
            raise RuntimeError("the timer runs already")
        self._began = self._now()

    def stop(self) -> float:
        """End the move, and take its time off the clock.

        Returns
        -------
        float
            The seconds that it took.

        Raises
        ------
        RuntimeError
            None is being measured.

        Examples
        --------
        >>> from blokus_fast.bots import Timer
        >>> Timer().stop()
        Traceback (most recent call last):
        ...
        RuntimeError: the timer does not run
        """
        if self._began is None:
            raise RuntimeError("the timer does not run")
        # A clock of somebody's own may go backwards; no move takes less than no time.
        seconds = max(self._now() - self._began, 0.0)
        self._began = None
        self.used += seconds
        self.moves += 1
        self.is_over = self.is_over or not self.clock.allows(seconds)
        self.clock = self.clock.after(seconds)
        return seconds
