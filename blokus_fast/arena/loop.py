"""The loop of a game: asks bots and people for moves until it is over.

The one place where bots are made for games and make their moves. What a bot does wrong is a
`BotError`, which says who, and what kind of wrong it is; what becomes of the game then
is for others to say.
"""

from __future__ import annotations

import contextlib
import operator
import os
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from blokus_fast.bots import Player, Timer, make
from blokus_fast.checking import called_back
from blokus_fast.game import Game
from blokus_fast.moves import Move
from blokus_fast.variants import Variant

__all__ = ["KINDS", "BotError", "make_player", "play_game", "start_player"]

KINDS: Final = ("error", "illegal", "time", "hang", "crash")
"""What a bot can do wrong: raise an error, return what is no legal move, take longer than it may,
give no answer at all, end its process."""

_LONGEST: Final = 300
_HERE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

Person = Callable[[Game], Move | None]


class BotError(RuntimeError):
    """A bot has done something wrong.

    Parameters
    ----------
    player : int
        The player whose bot it is.
    name : str
        The bot's name.
    kind : str
        One of `KINDS`.
    text : str
        What it has done.

    Examples
    --------
    >>> from blokus_fast.arena import BotError
    >>> print(BotError(1, "mine", "illegal", "42 is not a legal move"))
    the bot mine: 42 is not a legal move
    """

    def __init__(self, player: int, name: str, kind: str, text: str) -> None:
        text = plain_text(text)
        super().__init__(player, name, kind, text)
        self.player = player
        self.name = name
        self.kind = kind
        self.text = text

    def __str__(self) -> str:
        """Say who it was, and what he did."""
        return f"the bot {self.name}: {self.text}"


def make_player(name: str, seed: int, label: str, player: int) -> Player:
    """Make a bot by its name, and call it by its label.

    Raises
    ------
    BotError
        It cannot be made.
    """
    with _told(player, label, "cannot be made"):
        bot = Player(make(name, seed=seed))
    bot.name = label
    return bot


def start_player(bot: Player, variant: Variant, player: int) -> None:
    """Tell a bot that a game begins.

    Raises
    ------
    BotError
        It raises an error.
    """
    with _told(player, bot.name, "cannot be started"):
        bot.start(variant)


def plain_text(text: str) -> str:
    """Make a short text of what somebody else has to say: one line, nothing but signs.

    Examples
    --------
    >>> from blokus_fast.arena.loop import plain_text
    >>> plain_text("no" + chr(27) + "[2J hope")
    'no?[2J hope'
    """
    line = " ".join(text[: 4 * _LONGEST].split())
    line = "".join(sign if sign.isprintable() else "?" for sign in line)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


def error_text(error: BaseException) -> str:
    """Say what an error says, even one that cannot say it."""
    try:
        return str(error)
    except Exception:
        return "an error that cannot be shown"


def error_words(error: BaseException) -> str:
    """Say of what kind an error is, and what it says."""
    return f"{type(error).__name__}: {error_text(error)}".removesuffix(": ")


@contextlib.contextmanager
def _told(player: int, name: str, what: str) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        text = error_text(error) or type(error).__name__
        raise BotError(player, name, _kind(error), f"{what}: {text}") from error


def play_game(
    game: Game,
    bots: Mapping[int, Player],
    timers: Mapping[int, Timer],
    *,
    person: Person | None = None,
    margin: float | None = None,
    before_move: Callable[[int], object] | None = None,
    after_move: Callable[[Move, int], object] | None = None,
) -> None:
    """Play a game to its end, from where it stands.

    Bots are given copies of the board: whatever they do to them, the game goes its way.

    Parameters
    ----------
    game : Game
        The game.
    bots : mapping of int to Player
        The bots, by player.
    timers : mapping of int to Timer
        What measures their moves, by player.
    person : callable, optional
        Is asked for the moves of all others, and plays them; or returns None when it changed the
        game in another way, such as by taking moves back.
    margin : float, optional
        Seconds that a move may take beyond a bot's clock; more is a `BotError`. Default: bots
        that overstep their time play on, and their timers tell.
    before_move : callable, optional
        Is told the player whose bot is asked next.
    after_move : callable, optional
        Is told the move and the player who made it.

    Raises
    ------
    BotError
        A bot raises an error, returns what is no legal move, or takes too much time. The game is
        as it was before that move.
    TypeError
        Something that is to be told cannot be called.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast import bots
    >>> from blokus_fast.arena import play_game
    >>> players = {p: bots.Player(bots.make("greedy", seed=p)) for p in range(2)}
    >>> game, timers = bf.Game("duo"), {p: bots.Timer() for p in range(2)}
    >>> play_game(game, players, timers)
    >>> game.is_over, timers[0].moves > 5
    (True, True)
    """
    told = {"person": person, "before_move": before_move, "after_move": after_move}
    for name, call in told.items():
        called_back(call, name)
    while not game.is_over:
        player = game.board.player
        bot = bots.get(player)
        if bot is None:
            assert person is not None
            move = person(game)
        else:
            if before_move is not None:
                before_move(player)
            move = _ask(game, bot, player, timers[player], margin)
        if move is not None and after_move is not None:
            after_move(move, player)


def _ask(game: Game, bot: Player, player: int, timer: Timer, margin: float | None) -> Move:
    """Let a bot choose, and make its move."""
    clock = timer.clock
    used = timer.used
    try:
        chosen = bot.choose(game.board.copy(), timer)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        text = error_words(error) + _where(error)
        raise BotError(player, bot.name, _kind(error), text) from error
    taken = timer.used - used
    if margin is not None and clock.limit is not None and taken > clock.limit + margin:
        text = f"took {taken:.2f} s for a move, and had {clock.limit:.2f} s"
        raise BotError(player, bot.name, "time", text)
    try:
        number = operator.index(chosen)
    except Exception:
        text = f"chose {_shown(chosen)}, which is no move"
        raise BotError(player, bot.name, "illegal", text) from None
    try:
        return game.play(number)
    except ValueError as error:
        text = f"chose move {_shown(number)}: {error_text(error)}"
        raise BotError(player, bot.name, "illegal", text) from None


def _where(error: BaseException) -> str:
    """Say in which line of the bot's an error was raised; nothing where it has none."""
    *_, last = traceback.extract_tb(error.__traceback__) or [None]
    if last is None or os.path.dirname(last.filename).startswith(_HERE):
        return ""
    return f" ({os.path.basename(last.filename)}, line {last.lineno})"


def _shown(value: object) -> str:
    try:
        return f"{value!r:.80}"
    except Exception:
        return f"a {type(value).__name__} that cannot be shown"


def _kind(error: BaseException) -> str:
    """Tell which of `KINDS` an error is that a bot has raised; engines have some of their own."""
    from blokus_fast.gtp.errors import EngineDiedError, EngineMoveError, EngineTimeoutError

    if isinstance(error, EngineTimeoutError):
        return "hang"
    if isinstance(error, EngineDiedError):
        return "crash"
    return "illegal" if isinstance(error, EngineMoveError) else "error"
