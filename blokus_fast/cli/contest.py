"""The commands `contest` and `contest-server`: a bot in the Software Challenge, and its server."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable
from typing import Any, Final

import click

from blokus_fast import bots
from blokus_fast.bots import AnyBot
from blokus_fast.bots.names import SEARCH
from blokus_fast.cli.common import BOT_HELP, Seconds, check_bot, console
from blokus_fast.contest import ContestError, Result, Server
from blokus_fast.contest.client import PORT
from blokus_fast.contest.starting import (
    OPTIONS,
    Settings,
    logged,
    outcome_text,
    play_games,
)
from blokus_fast.contest.timing import LIMIT
from blokus_fast.variants import software_challenge_2027

__all__ = ["contest", "contest_server"]

_OPENINGS: Final = software_challenge_2027().first_pieces or ()


def _maker(name: str, seed: int | None) -> Callable[[], AnyBot]:
    """Check a bot's name, and return what makes it."""
    check_bot(name)
    return functools.partial(bots.make, name, seed=seed)


def _shared_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that scripts of one's own have too."""
    for option in reversed(OPTIONS):
        shown: dict[str, Any] = {"help": option.text, "default": option.default}
        if option.kind is bool:
            shown["is_flag"] = True
        else:
            kind = option.kind if option.limits is None else click.IntRange(*option.limits)
            shown |= {"type": kind, "show_default": option.default is not None}
        command = click.option(*option.names, option.field, **shown)(command)
    return command


@click.command(context_settings={"help_option_names": ["--help"]})
@click.option("--bot", default=SEARCH, show_default=True, help=f"The bot: {BOT_HELP} ")
@click.option("--seed", type=click.IntRange(0), help="Same seed, same moves.  [default: by chance]")
@_shared_options
def contest(bot: str, seed: int | None, **said: Any) -> None:
    """Let a bot play on the server of the Software Challenge Germany 2027.

    The arguments are those of the official Python client. The bot answers in time: if it fails, or
    takes too long, another move is sent in its place, and the log says so.
    """
    settings = Settings(**said)
    make = _maker(bot, seed)
    out = console()
    try:
        with logged(settings):
            for report in play_games(make, settings):
                out.print(outcome_text(report), markup=False, soft_wrap=True)
    except (ContestError, ValueError, RuntimeError) as error:
        raise click.ClickException(str(error)) from None


@click.command("contest-server")
@click.option(
    "-p", "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True,
    help="Port to listen on; 0 for any that is free.",
)  # fmt: skip
@click.option(
    "--bot",
    "opponents",
    multiple=True,
    metavar="BOT",
    help="A bot that takes a seat in every game; twice for two. "
    f"[default: both seats are for clients]  {BOT_HELP} ",
)
@click.option("--games", type=click.IntRange(1), help="End after so many.  [default: never]")
@click.option(
    "--opening", type=click.Choice(_OPENINGS, case_sensitive=False), metavar="PIECE",
    help=f"The piece that opens every color: {', '.join(_OPENINGS)}.  [default: drawn]",
)  # fmt: skip
@click.option(
    "--time", "soft", type=Seconds(0, 1e6, min_open=True), default=LIMIT, show_default=True,
    metavar="SECONDS", help="Time for a move: who answers later loses.",
)  # fmt: skip
@click.option(
    "--hard", type=Seconds(0, 1e6, min_open=True), default=10, show_default=True,
    metavar="SECONDS", help="How long a late answer is waited for.",
)  # fmt: skip
@click.option(
    "--reserve", is_flag=True, help="Hold the seats of a game back, and print their codes."
)
@click.option("--password", help="Makes a client an administrator.  [default: nothing does]")
@click.option(
    "--save",
    type=click.Path(writable=True),
    metavar="FILE|FOLDER/",
    help="Write the games, each when it is finished, to one .blksgf file, or to a folder with a "
    "file for each, as Pentobi needs them.",
)
@click.option(
    "--seed", type=click.IntRange(0), help="Seed of pieces and bots.  [default: by chance]"
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print a JSON object a game, nothing else; the port is told on the standard error.",
)
def contest_server(
    port: int,
    opponents: tuple[str, ...],
    games: int | None,
    opening: str | None,
    soft: float,
    hard: float,
    reserve: bool,
    password: str | None,
    save: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Play games of two clients as the server of the Software Challenge does, on this computer.

    Any client that speaks the contest's protocol may join: `blokus-fast contest`, the official
    ones, yours. Illegal moves and late answers lose at once. Ctrl-C ends it.
    """
    if len(opponents) > 2:
        raise click.UsageError(f"--bot stands there {len(opponents)} times: a game has two seats")
    makers = [_maker(name, seed) for name in opponents]
    out = console()

    def tell(result: Result) -> None:
        if as_json:
            click.echo(json.dumps(dataclasses.asdict(result), allow_nan=False))
        else:
            points = " to ".join(str(parts[1]) for parts in result.scores)
            out.print(
                f"room {result.room}: {points}, {result.reason}", markup=False, soft_wrap=True
            )

    def invite() -> None:
        for maker in makers:
            server.invite(maker())

    def next_game(result: Result) -> None:
        tell(result)
        if games is None or len(server.results) + 1 < games:
            invite()

    try:
        server = Server(
            port=port, games=games, opening=opening, soft=soft, hard=max(soft, hard),
            password=password, save=save, seed=seed, on_result=next_game,
        )  # fmt: skip
    except OSError as error:
        raise click.ClickException(
            f"{error.filename or f'port {port}'}: {error.strerror}"
        ) from None
    with server:
        try:
            # Who asks for any port that is free has to hear which it is.
            told = console(stderr=True) if as_json else out
            told.print(f"listening on {server.host}, port {server.port}", markup=False)
            if reserve:
                codes = server.prepare().reservations
                if as_json:
                    click.echo(json.dumps({"reservations": codes}, allow_nan=False))
                else:
                    out.print(f"reservations: {' '.join(codes)}", markup=False)
            invite()
            server.wait()
        except (ValueError, RuntimeError) as error:
            raise click.ClickException(str(error)) from None
        except KeyboardInterrupt:
            pass
