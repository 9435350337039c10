"""How long a move may take so that its answer arrives in time: `MoveTime`.

Owns the margin, and what the connection costs. Knows nothing of bots and messages.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from blokus_fast.bots.budget import LAG
from blokus_fast.checking import positive
from blokus_fast.shown import call_text

__all__ = ["LIMIT", "MARGIN", "MoveTime"]

LIMIT: Final = 2.0
"""Seconds after which an answer loses the game."""

MARGIN: Final = 0.15
"""Seconds that are left unused: other programs run beside this one, and none is ever punctual."""

# So many answers are remembered: half a game, since a machine that was late will be so again. No
# more than this part of the limit is taken for the way, and for being late.
_REMEMBERED: Final = 24
_MOST: Final = 0.25
# Bots are to be ready so many seconds before the deadline.
_EARLY: Final = LAG
# How late answers are taken to be before the first have been sent.
_LATE: Final = 0.1


class MoveTime:
    """Tells until when an answer has to be sent.

    Two things are taken off the limit beside the margin, each the longest of the last few moves:

    - the way: what lies between an answer and the server's next message, which is the way to the
      server and back, and what the server does meanwhile;
    - how late answers were that used up their time. On a machine that has other things to do, no
      thread runs the moment it should.

    Parameters
    ----------
    limit : float
        Seconds that the server allows.
    margin : float
        Seconds of it that are left unused.
    now : callable
        Where the seconds come from.

    Raises
    ------
    ValueError
        A number is not positive, or the margin is half of the limit or more.

    Examples
    --------
    >>> from blokus_fast.contest.timing import MoveTime
    >>> times = MoveTime(2.0, margin=0.2)
    >>> round(times.deadline(100.0), 3), times.late
    (101.7, 0.1)
    >>> times.answered(101.0)
    >>> times.heard(101.1)
    >>> round(times.way, 3), round(times.deadline(102.0), 3)
    (0.1, 103.6)
    """

    def __init__(
        self,
        limit: float = LIMIT,
        *,
        margin: float = MARGIN,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limit = positive(limit, "limit")
        self.margin = positive(margin, "margin")
        if self.margin >= self.limit / 2:
            raise ValueError(
                f"margin must be less than half of the limit of {self.limit:g} s, not {margin:g}"
            )
        self.now = now
        self._ways: deque[float] = deque(maxlen=_REMEMBERED)
        self._lates: deque[float] = deque([_LATE], maxlen=_REMEMBERED)
        self._deadline: float | None = None
        self._answered: float | None = None

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(self, self.limit, margin=self.margin)

    @property
    def way(self) -> float:
        """Seconds that the connection is believed to take, at most a quarter of the limit."""
        return min(max(self._ways, default=0.0), _MOST * self.limit)

    @property
    def late(self) -> float:
        """Seconds that answers are believed to be late, at most a quarter of the limit."""
        return min(max(self._lates), _MOST * self.limit)

    def deadline(self, received: float) -> float:
        """Return the moment at which the bot is to be ready with its answer.

        Parameters
        ----------
        received : float
            When the request came.

        Returns
        -------
        float
            The moment, by the same clock.

        Examples
        --------
        >>> from blokus_fast.contest.timing import MoveTime
        >>> MoveTime(1.0, margin=0.25).deadline(7.0)
        7.65
        """
        self._deadline = received + self.limit - self.margin - self.way - self.late
        return self._deadline

    def latest(self, received: float) -> float:
        """Return the moment until which to wait for a bot that is late.

        Half of the margin is left then, or what answers were late, since this one will be too.

        Parameters
        ----------
        received : float
            When the request came.

        Returns
        -------
        float
            The moment, by the same clock.

        Examples
        --------
        >>> from blokus_fast.contest.timing import MoveTime
        >>> MoveTime(1.0, margin=0.25).latest(7.0)
        7.875
        """
        return received + self.limit - self.way - max(self.margin / 2, self.late)

    def connected(self, seconds: float) -> None:
        """Note how long it took to connect: the first that is known of the way.

        Examples
        --------
        >>> from blokus_fast.contest.timing import MoveTime
        >>> times = MoveTime()
        >>> times.connected(0.03)
        >>> times.way
        0.03
        """
        self._ways.append(max(seconds, 0.0))

    def answered(self, moment: float) -> None:
        """Note when an answer was sent.

        Examples
        --------
        >>> from blokus_fast.contest.timing import MoveTime
        >>> times = MoveTime(2.0, margin=0.2)
        >>> times.answered(times.deadline(100.0) + 0.2)
        >>> round(times.late, 3)
        0.25
        """
        self._answered = moment
        if self._deadline is not None:
            # One that did not use its time says nothing, but old ones are forgotten all the same.
            self._lates.append(max(moment - self._deadline + _EARLY, 0.0))
            self._deadline = None

    def heard(self, moment: float) -> None:
        """Note when something came; only the first after an answer counts.

        Examples
        --------
        >>> from blokus_fast.contest.timing import MoveTime
        >>> times = MoveTime()
        >>> times.heard(5.0)
        >>> times.way
        0.0
        """
        if self._answered is not None:
            self._ways.append(max(moment - self._answered, 0.0))
            self._answered = None
