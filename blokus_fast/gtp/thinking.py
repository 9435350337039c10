"""The bot of a GTP session: its clocks, what its last search found, and its live report.

Knows the words of the commands about time and search, and not how commands come in.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any, Final, TextIO

from blokus_fast._core import Board
from blokus_fast.bots import AnyBot, Clock, Player, Timer
from blokus_fast.shown import call_text
from blokus_fast.variants import Variant
from blokus_fast.words import counted

__all__ = ["SIMULATIONS", "Thinker", "time_settings"]

SIMULATIONS: Final = "fixed_simulations"
"""The parameter of a search that may be set, as Pentobi calls it."""

# So many moves of the principal variation are shown.
_SHOWN: Final = 4


class Thinker:
    """Lets a bot choose, with a clock per player.

    Parameters
    ----------
    bot : Bot or ThinkingBot
        The bot.
    variant : Variant
        The variant of the game.
    clock : Clock, optional
        What a player has for a game, until a controller says something else. Default: no limit.
    log : text stream, optional
        Where the live report of a search goes. Default: nowhere.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.bots import RandomBot
    >>> from blokus_fast.gtp.thinking import Thinker
    >>> board = bf.Board("duo")
    >>> thinker = Thinker(RandomBot(1), board.variant)
    >>> thinker.choose(board) in board.legal_moves
    True
    """

    def __init__(
        self,
        bot: AnyBot,
        variant: Variant,
        *,
        clock: Clock | None = None,
        log: TextIO | None = None,
    ) -> None:
        self.player = Player(bot)
        self._clock = Clock() if clock is None else clock
        self._log = log
        self._board: Board | None = None
        self._simulations: int | None = None
        self._timers: dict[int, Timer] = {}
        self.start(variant)

    def __repr__(self) -> str:
        """Show the bot and the clock."""
        return call_text(self, self.player.bot, clock=self._clock)

    def start(self, variant: Variant) -> None:
        """Begin a game: the bot is told, and every clock is as it was set."""
        self.player.start(variant)
        self._board = None
        self._timers = {}

    def replace(self, bot: AnyBot, variant: Variant) -> None:
        """Take another bot for the game at hand; clocks and parameters stay."""
        player = Player(bot)
        player.start(variant)
        self.player.close()
        self.player, self._board = player, None
        if self._simulations is not None:
            player.bot.simulations = self._simulations  # type: ignore[union-attr]

    def close(self) -> None:
        """End what the bot has started."""
        self.player.close()

    def timer(self, player: int) -> Timer:
        """Return the timer of a player."""
        return self._timers.setdefault(player, Timer(self._clock))

    def choose(self, board: Board, *, timed: bool = True) -> int:
        """Let the bot choose a move for the color to move.

        Parameters
        ----------
        board : Board
            The position; the bot gets a copy.
        timed : bool
            Whether the time that it takes goes off the player's clock.

        Returns
        -------
        int
            What the bot says.
        """
        timer = self.timer(board.player)
        # The bot might play on what it is shown.
        self._board = board.copy()
        reports = self._log is not None and hasattr(self.player.bot, "on_progress")
        if reports:
            self.player.bot.on_progress = self._report  # type: ignore[union-attr]
        move = self.player.choose(board.copy(), timer if timed else Timer(timer.clock))
        if reports and self._last() is not None:
            self._report(self._last())
        return int(move)

    # What controllers say about time.

    def set_time(self, words: list[str]) -> None:
        """Set all clocks, as ``time_settings`` says it."""
        self._clock = time_settings(words)
        self._timers = {}

    def set_left(self, player: int, seconds: str, moves: str) -> None:
        """Set the clock of a player, as ``time_left`` says it."""
        timer = self.timer(player)
        timer.clock = timer.clock.within(_seconds(seconds), _moves(moves))

    # What the last search has found.

    def _last(self) -> Any:
        return getattr(self.player.bot, "last", None)

    def _found(self) -> Any:
        """Return the last search, if there was one in this game."""
        last = self._last()
        if last is None or self._board is None:
            raise ValueError(f"{self.player.name} has searched nothing")
        return last

    def value(self) -> str:
        """Write the value of the last search for its player, from 0 to 1."""
        last = self._found()
        value = float(last.value[last.player])
        if math.isnan(value):
            raise ValueError("the last search was none: there was one move")
        return f"{value:.4f}"

    def move_values(self) -> str:
        """Write the moves of the last search that were visited: most visits first, one a line.

        Where a score is not known, there is a ``-``.
        """
        last = self._found()
        assert self._board is not None
        lines = []
        for place, move in enumerate(last.moves.tolist()):
            if last.visits[place]:
                value, score = last.values[place][last.player], last.scores[place][last.player]
                expected = "-" if math.isnan(score) else f"{score:z.1f}"
                lines.append(
                    f"{self._board.move_text(move)} {last.visits[place]} {value:.4f} {expected} "
                    f"{last.priors[place]:.4f}"
                )
        return "\n".join(lines)

    def parameters(self) -> dict[str, str]:
        """Return the parameters of the bot that can be set, with their values."""
        if not hasattr(self.player.bot, "simulations"):
            return {}
        return {SIMULATIONS: str(self.player.bot.simulations or 0)}

    def set_parameter(self, key: str, value: str) -> None:
        """Set a parameter of the bot; 0 simulations are those that it would make by itself."""
        if key not in self.parameters():
            raise ValueError(f"unknown parameter {key[:60]!r}")
        number = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else -1
        if number < 0:
            raise ValueError(f"{key} is a whole number, not {value[:60]!r}")
        self._simulations = number or None
        self.player.bot.simulations = self._simulations  # type: ignore[union-attr]

    # The live report.

    def _report(self, result: Any) -> None:
        """Write one line about a search. Whatever happens to the log, the search goes on."""
        assert self._log is not None
        assert self._board is not None
        moves = " ".join(map(self._board.move_text, result.pv[:_SHOWN]))
        # OSError: nobody reads it any more. ValueError: it is closed.
        with contextlib.suppress(OSError, ValueError):
            self._log.write(
                f"move {self._board.ply + 1}: {counted(result.simulations, 'simulation', ',')}, "
                f"{result.seconds:.1f} s, value {float(result.value[result.player]):.3f}, "
                f"depth {result.depth}, {result.stopped}: {moves}\n"
            )
            self._log.flush()


def time_settings(words: list[str]) -> Clock:
    """Read the arguments of ``time_settings``: main time, period, moves in a period.

    Parameters
    ----------
    words : list of str
        The three arguments, in seconds and moves. A period without moves is no limit.

    Returns
    -------
    Clock
        The clock.

    Raises
    ------
    ValueError
        An argument is no such number.

    Examples
    --------
    >>> from blokus_fast.gtp.thinking import time_settings
    >>> time_settings(["60", "0", "0"]).limit, time_settings(["0", "10", "5"]).moves_left
    (60.0, 5)
    >>> time_settings(["0", "1", "0"]).is_limited
    False
    """
    main, period, moves = _seconds(words[0]), _seconds(words[1]), _moves(words[2])
    if not period:
        return Clock.game(main)
    return Clock.periods(main, period, moves) if moves else Clock()


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        number = float(text)
        # It sleeps no longer than a year.
        if 0 <= number <= 366 * 86400:
            return number
    raise ValueError(f"{text[:60]!r} is no number of seconds")


def _moves(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise ValueError(f"{text[:60]!r} is no number of moves")
