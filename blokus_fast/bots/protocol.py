"""What a bot is: `Bot` and `ThinkingBot`, and `Player`, who drives either.

Everything in the package that lets bots move does it through `Player`; nothing else asks what a
bot offers.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Protocol, Self

from blokus_fast._core import Board
from blokus_fast.bots.clock import Clock, Timer
from blokus_fast.shown import call_text
from blokus_fast.variants import Variant

__all__ = ["AnyBot", "Bot", "Player", "ThinkingBot"]


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
        """Name of the bot. One that has none goes by that of its class."""

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


class ThinkingBot(Protocol):
    """What a bot offers that thinks in time. `start` and `close` may be left out.

    It is one by its method `choose`, which has a parameter `clock`.

    Examples
    --------
    >>> import time
    >>> import blokus_fast as bf
    >>> from blokus_fast.bots import Clock, Player, Timer, seconds_for
    >>> class Hesitant:
    ...     name = "hesitant"
    ...     def choose(self, board, clock):
    ...         time.sleep(seconds_for(clock, board) or 0)
    ...         return int(board.legal_ids()[0])
    >>> timer = Timer(Clock.game(0.2))
    >>> Player(Hesitant()).choose(bf.Board("duo"), timer) >= 0, timer.is_over
    (True, False)
    """

    @property
    def name(self) -> str:
        """Name of the bot. One that has none goes by that of its class."""

    def start(self, variant: Variant) -> None:
        """Get ready for a new game.

        Parameters
        ----------
        variant : Variant
            The variant of the boards that come.
        """

    def choose(self, board: Board, clock: Clock) -> int:
        """Choose a move for the color to move.

        Parameters
        ----------
        board : Board
            The position; the game must not be over. It is left as it is.
        clock : Clock
            The time that the player has left. It runs from the moment of the call.

        Returns
        -------
        int
            Id of a legal move.
        """

    def close(self) -> None:
        """Give back what the bot holds; it is not asked any more."""


AnyBot = Bot | ThinkingBot
"""A bot of either kind."""

_POSITIONAL: Final = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


class Player:
    """Drives a bot, whichever protocol it fulfils. It is a `Bot` itself.

    Parameters
    ----------
    bot : Bot or ThinkingBot
        The bot. What it offers is found out here, once.

    Attributes
    ----------
    bot : Bot or ThinkingBot
        The bot.
    name : str
        Its name.
    takes_clock : bool
        Whether it thinks in time.

    Raises
    ------
    TypeError
        It has no method `choose` that can be called with a board, or a board and a clock.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast import bots
    >>> with bots.Player(bots.make("greedy", seed=1)) as player:
    ...     player.start(bf.variant("duo"))
    ...     player.name, player.takes_clock, player.choose(bf.Board("duo")) >= 0
    ('greedy', False, True)
    """

    def __init__(self, bot: AnyBot) -> None:
        self.bot = bot
        self.name = str(getattr(bot, "name", type(bot).__name__))
        self._choose: Callable[..., Any] | None = getattr(bot, "choose", None)
        if isinstance(bot, type) or not callable(self._choose):
            raise TypeError(f"a bot has a method choose(board), which {bot!r} has not")
        self._keyword = False
        self.takes_clock = self._find_clock()
        self._variant: Variant | None = None

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(self, self.bot)

    def _find_clock(self) -> bool:
        """Tell whether `choose` has a parameter for the clock; no other may be needed."""
        assert self._choose is not None
        try:
            parameters = list(inspect.signature(self._choose).parameters.values())
        except (TypeError, ValueError):
            # Compiled functions need not tell. They may be plain bots.
            return False
        found = next((one for one in parameters if one.name == "clock"), None)
        self._keyword = found is not None and found.kind not in _POSITIONAL
        board = next((one for one in parameters if one.kind in _POSITIONAL), None)
        needed = [
            one.name
            for one in parameters
            if one.default is one.empty
            and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
            and one not in (board, found)
        ]
        many = any(one.kind is one.VAR_POSITIONAL for one in parameters)
        if needed or (not many and (board is None or board is found)):
            raise TypeError(
                f"choose of the bot {self.name} takes a board and, if it thinks in time, a clock"
                + (f", not {', '.join(needed)}" if needed else "")
            )
        # In any place but the second it has to be named.
        self._keyword = self._keyword or parameters[1:2] != [found]
        return found is not None

    def start(self, variant: Variant) -> None:
        """Tell the bot that a game begins, if it wants to know.

        Parameters
        ----------
        variant : Variant
            The variant of the boards that come.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.bots import Player, RandomBot
        >>> Player(RandomBot()).start(bf.variant("duo"))
        """
        self._variant = None
        start = getattr(self.bot, "start", None)
        if start is not None:
            start(variant)
        self._variant = variant

    def choose(self, board: Board, timer: Timer | None = None) -> int:
        """Let the bot choose a move.

        Parameters
        ----------
        board : Board
            The position; the game must not be over. A bot that was not started for a game of
            this variant is started first.
        timer : Timer, optional
            Gives the bot its clock, and measures the move. Default: no limit.

        Returns
        -------
        int
            What the bot returns: id of a legal move.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.bots import Player, RandomBot, Timer
        >>> timer, board = Timer(), bf.Board("duo")
        >>> Player(RandomBot()).choose(board, timer) in board.legal_moves, timer.moves
        (True, 1)
        """
        assert self._choose is not None
        if self._variant != board.variant:
            self.start(board.variant)
        clock = Clock() if timer is None else timer.clock
        if timer is not None:
            timer.start()
        try:
            if not self.takes_clock:
                move = self._choose(board)
            elif self._keyword:
                move = self._choose(board, clock=clock)
            else:
                move = self._choose(board, clock)
        finally:
            if timer is not None:
                timer.stop()
        return move  # type: ignore[no-any-return]

    def close(self) -> None:
        """Let the bot end what it has started, where it wants to.

        Examples
        --------
        >>> from blokus_fast.bots import Player, RandomBot
        >>> Player(RandomBot()).close()
        """
        close = getattr(self.bot, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
