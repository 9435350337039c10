"""Bots: programs that choose a move.

A bot sees a `Board` and returns a move id. `make` builds one by name.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from types import MappingProxyType
from typing import Final, Protocol, SupportsIndex

from blokus_fast._core import Board
from blokus_fast.bots.budget import seconds_for
from blokus_fast.bots.clock import Clock, Timer
from blokus_fast.bots.simple import GreedyBot, RandomBot

__all__ = [
    "BOTS",
    "GTP",
    "Bot",
    "Clock",
    "GreedyBot",
    "RandomBot",
    "Timer",
    "make",
    "seconds_for",
]


class Bot(Protocol):
    """What a bot has to offer; any object that has it will do.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> class First:
    ...     name = "first"
    ...     def choose(self, board):
    ...         return int(board.legal_ids()[0])
    >>> game = bf.Game("duo")
    >>> game.play(First().choose(game.board)).text
    'e10'
    """

    @property
    def name(self) -> str:
        """Name of the bot."""

    def choose(self, board: Board) -> int:
        """Choose a move for the color to move.

        Parameters
        ----------
        board : Board
            The position; the game must not be over. It is left as it is.

        Returns
        -------
        int
            Id of a legal move.
        """


BOTS: Mapping[str, Callable[[int | None], Bot]] = MappingProxyType(
    {"random": RandomBot, "greedy": GreedyBot}
)
"""What makes a bot out of a seed, by the bot's name (read-only)."""

GTP: Final = "gtp:"
"""What a bot's name begins with if it is the command of a GTP engine."""


def make(name: str | Sequence[str | PathLike[str]], *, seed: SupportsIndex | None = None) -> Bot:
    """Make a bot.

    Parameters
    ----------
    name : str or sequence of str or path
        A name out of `BOTS`, or ``gtp:`` and the command of a GTP engine; see
        `blokus_fast.gtp.EngineBot`. A sequence is the program of an engine and its arguments.
    seed : int, optional
        Seed of its random numbers; with the same seed it plays the same. Default: by chance.

    Returns
    -------
    Bot
        The bot.

    Raises
    ------
    ValueError
        There is no bot of that name; the message lists the names. Or a quote in a command is
        not closed.
    EngineError
        The GTP engine cannot be started, or does not answer.

    Examples
    --------
    >>> from blokus_fast import bots
    >>> bots.make("greedy", seed=1).name
    'greedy'
    >>> bots.make("deep-blue")
    Traceback (most recent call last):
    ...
    ValueError: unknown bot 'deep-blue'; valid: random, greedy, gtp:COMMAND
    """
    number = None if seed is None else operator.index(seed)
    if isinstance(name, str) and name in BOTS:
        return BOTS[name](number)
    if isinstance(name, str) and not name.startswith(GTP):
        raise ValueError(f"unknown bot {name!r}; valid: {', '.join(BOTS)}, {GTP}COMMAND")
    if not isinstance(name, str | Sequence):
        raise TypeError(f"a bot has a name or a command, not {name!r}")
    from blokus_fast.gtp.bot import EngineBot

    command = name.removeprefix(GTP).strip() if isinstance(name, str) else name
    if not command:
        raise ValueError(f"there is no command behind {GTP}")
    return EngineBot(command, seed=number)
