"""From arguments to games on the contest's server: `run`, for scripts of one's own.

Owns the arguments, which are those of the official Python client and a few more, the log, and what
is tried again when a connection breaks. The command line of the package makes its options of the
same table.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from blokus_fast.bots import AnyBot
from blokus_fast.contest.client import HOST, PORT, Client, Report
from blokus_fast.contest.errors import ConnectionBrokenError, ContestError
from blokus_fast.contest.timing import LIMIT, MARGIN

__all__ = ["OPTIONS", "Option", "Settings", "logged", "outcome_text", "play_games", "run"]

LOG: Final = logging.getLogger("blokus_fast.contest")
# So often, with so many seconds between, a connection that broke is tried again.
_TRIES: Final = 3
_PAUSE: Final = 1.0


@dataclass(frozen=True, slots=True)
class Option:
    """An argument of the command.

    Parameters
    ----------
    names : tuple of str
        How it is written.
    kind : type
        str, int, float, or bool for one without a value.
    text : str
        What it does.
    default : object
        What holds without it.
    limits : tuple of int, optional
        The least and the greatest number. Default: any.

    Examples
    --------
    >>> from blokus_fast.contest.starting import OPTIONS
    >>> OPTIONS[0].names, OPTIONS[0].field
    (('-h', '--host'), 'host')
    """

    names: tuple[str, ...]
    kind: type
    text: str
    default: Any = None
    limits: tuple[int, int] | None = None

    def read(self, text: str) -> Any:
        """Read a value, as `argparse` wants it to be read.

        Examples
        --------
        >>> from blokus_fast.contest.starting import OPTIONS
        >>> OPTIONS[1].field, OPTIONS[1].read("13050")
        ('port', 13050)
        """
        try:
            value = self.kind(text)
        except ValueError:
            what = "whole number" if self.kind is int else "number"
            raise argparse.ArgumentTypeError(f"{text!r} is no {what}") from None
        if self.limits is not None and not self.limits[0] <= value <= self.limits[1]:
            raise argparse.ArgumentTypeError("{} is not in {}..{}".format(value, *self.limits))
        return value

    @property
    def field(self) -> str:
        """Name of what it sets in `Settings`."""
        return self.names[-1].lstrip("-").replace("-", "_")


OPTIONS: Final = (
    Option(("-h", "--host"), str, "The server's computer.", HOST),
    Option(("-p", "--port"), int, "The server's port.", PORT, (1, 65535)),
    Option(("-r", "--reservation"), str, "Code of a seat in a game that was prepared."),
    Option(("-R", "--room"), str, "Room to join, if there is no reservation."),
    Option(("-P", "--password"), str, "Become an administrator first, with this password."),
    Option(("-s", "--survive"), bool, "After a game join the next one, until you stop it.", False),
    Option(("--auto-reconnect",), bool, "Try again when the connection breaks.", False),
    Option(("-l", "--log"), bool, "Write a log file to the current folder as well.", False),
    Option(("-v", "--verbose"), bool, "Tell everything.", False),
    Option(("-L", "--log_level"), int, "Tell what is as important as this number: 10 to 50.", 20),
    Option(("--headless",), bool, "Taken for the official starter's sake; changes nothing.", False),
    Option(("--limit",), float, "Seconds that the server allows for a move.", LIMIT),
    Option(("--margin",), float, "Seconds of them that are left unused.", MARGIN),
    Option(("--name",), str, "What the bot is called in the log."),
)
"""The arguments: those of the official starter, time, and a name."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the arguments have said; the fields are those of `OPTIONS`.

    Examples
    --------
    >>> from blokus_fast.contest.starting import Settings
    >>> Settings.read(["--port", "13051", "-r", "abc"]).reservation
    'abc'
    """

    host: str = HOST
    port: int = PORT
    reservation: str | None = None
    room: str | None = None
    password: str | None = None
    survive: bool = False
    auto_reconnect: bool = False
    log: bool = False
    verbose: bool = False
    log_level: int = logging.INFO
    headless: bool = False
    limit: float = LIMIT
    margin: float = MARGIN
    name: str | None = None

    @classmethod
    def read(cls, arguments: Sequence[str] | None = None) -> Settings:
        """Read arguments; what is wrong ends the program with code 2.

        Parameters
        ----------
        arguments : sequence of str, optional
            Default: those of the process.

        Examples
        --------
        >>> from blokus_fast.contest.starting import Settings
        >>> Settings.read([]) == Settings()
        True
        """
        parser = argparse.ArgumentParser(
            add_help=False, description="Plays Blokus on the server of the Software Challenge."
        )
        parser.add_argument("--help", action="help", help="Show this, and end.")
        for option in OPTIONS:
            if option.kind is bool:
                parser.add_argument(*option.names, action="store_true", help=option.text)
                continue
            default = "" if option.default is None else f"  [default: {option.default}]"
            parser.add_argument(
                *option.names, type=option.read, default=option.default, help=option.text + default
            )
        return cls(**vars(parser.parse_args(arguments)))

    def client(self, bot: AnyBot, *, reservation: str | None) -> Client:
        """Make a client with them.

        Parameters
        ----------
        bot : Bot or ThinkingBot
            Who plays.
        reservation : str or None
            Code of its seat.

        Examples
        --------
        >>> from blokus_fast import bots
        >>> from blokus_fast.contest.starting import Settings
        >>> Settings(room="9").client(bots.make("random"), reservation=None).room
        '9'
        """
        return Client(
            bot, host=self.host, port=self.port, reservation=reservation, room=self.room,
            password=self.password, limit=self.limit, margin=self.margin, name=self.name,
        )  # fmt: skip


def run(bot: AnyBot | Callable[[], AnyBot], arguments: Sequence[str] | None = None) -> Report:
    """Let a bot play on the contest's server, as the arguments of the program say.

    They are those of the official Python client: ``--host``, ``--port``, ``--reservation`` and so
    on; ``--help`` lists them. The result is printed, the log goes to the standard error.

    Parameters
    ----------
    bot : Bot or ThinkingBot or callable
        Who plays, or what makes one; with ``--survive``, every game gets a new one then.
    arguments : sequence of str, optional
        Default: those of the process.

    Returns
    -------
    Report
        What became of the last game.

    Raises
    ------
    SystemExit
        With code 2 for arguments that are wrong, and 1 where no game could be played; the standard
        error says why.

    Examples
    --------
    >>> from blokus_fast import bots
    >>> from blokus_fast.contest import Server, run
    >>> with Server(port=0, games=1) as server:
    ...     other = server.invite(bots.make("random", seed=1))
    ...     arguments = ["--host", "127.0.0.1", "--port", str(server.port), "--log_level", "50"]
    ...     report = run(bots.make("greedy", seed=1), arguments)  # doctest: +ELLIPSIS
    won, ... to ...: ... has more points
    >>> report.has_won
    True
    """
    settings = Settings.read(arguments)
    makes = isinstance(bot, type) or not hasattr(bot, "choose")
    make = cast(Callable[[], AnyBot], bot if makes else lambda: bot)
    report = Report()
    try:
        with logged(settings):
            for report in play_games(make, settings):
                print(outcome_text(report), flush=True)
    except (ContestError, ValueError, TypeError) as error:
        print(f"Error: {error}", file=sys.stderr)
        raise SystemExit(1) from None
    return report


def play_games(make: Callable[[], AnyBot], settings: Settings) -> Iterator[Report]:
    """Play one game, or with `survive` one after the other, and yield what became of each.

    Parameters
    ----------
    make : callable
        Makes the bot for a game.
    settings : Settings
        How to play.

    Yields
    ------
    Report
        What became of a game.

    Raises
    ------
    ContestError
        No game could be played.

    Examples
    --------
    >>> from blokus_fast.bots import RandomBot
    >>> from blokus_fast.contest import ConnectionBrokenError
    >>> from blokus_fast.contest.starting import Settings, play_games
    >>> try:
    ...     next(play_games(RandomBot, Settings(host="127.0.0.1", port=1)))
    ... except ConnectionBrokenError as error:
    ...     print(str(error).partition(":")[0])
    no server at 127.0.0.1, port 1
    """
    reservation, tries = settings.reservation, 0
    while True:
        try:
            report = settings.client(make(), reservation=reservation).play()
        except ConnectionBrokenError as error:
            tries += 1
            if not settings.survive and not (settings.auto_reconnect and tries <= _TRIES):
                raise
            LOG.warning("%s; trying again", error)
            time.sleep(_PAUSE)
            continue
        yield report
        if not settings.survive:
            return
        # A reservation is for one game.
        reservation, tries = None, 0


def outcome_text(report: Report) -> str:
    """Say in a line what became of a game.

    Parameters
    ----------
    report : Report
        What became of it.

    Returns
    -------
    str
        The line.

    Examples
    --------
    >>> from blokus_fast.contest import Report, Result
    >>> from blokus_fast.contest.starting import outcome_text
    >>> result = Result("7", 1, True, "two has more points", ((0, 120), (2, 131)), ("one", "two"))
    >>> outcome_text(Report(team=1, result=result))
    'won, 131 to 120: two has more points'
    """
    result = report.result
    if result is None:
        return "the game has no result"
    word = "drawn" if result.winner is None else "won" if report.has_won else "lost"
    points = [parts[1] for parts in result.scores]
    if report.team is None or len(points) != 2:
        return f"over: {result.reason}"
    return f"{word}, {points[report.team]} to {points[1 - report.team]}: {result.reason}"


@contextlib.contextmanager
def logged(settings: Settings) -> Iterator[None]:
    """Send the log to the standard error, and to a file if that is wanted.

    Parameters
    ----------
    settings : Settings
        How much, and whether to a file.

    Examples
    --------
    >>> from blokus_fast.contest.starting import Settings, logged
    >>> with logged(Settings()):
    ...     pass
    """
    handlers: list[logging.Handler] = [logging.StreamHandler()]
    if settings.log:
        # A log is written as it comes: after a crash, what is there is what counts.
        name = time.strftime("blokus-fast-%Y%m%d-%H%M%S.log")
        handlers.append(logging.FileHandler(name, encoding="utf-8", delay=True))
    level = LOG.level
    LOG.setLevel(logging.DEBUG if settings.verbose else settings.log_level)
    for handler in handlers:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        LOG.addHandler(handler)
    try:
        yield
    finally:
        LOG.setLevel(level)
        for handler in handlers:
            LOG.removeHandler(handler)
            handler.close()
