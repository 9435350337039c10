"""The command `gtp`: a bot as an engine for other programs."""

from __future__ import annotations

import sys

import click

from blokus_fast.bots.titles import check_titles
from blokus_fast.cli.common import BOT_HELP, VARIANT, check_bot, clock_options, read_clock
from blokus_fast.gtp.engine import Session, serve

__all__ = ["gtp"]


@click.command()
@click.option("--bot", default="greedy", show_default=True, help=f"The bot: {BOT_HELP} ")
@click.option(
    "--name", metavar="NAME", help="What the engine says it is called.  [default: the bot's name]"
)
@click.option("--variant", "variant_name", type=VARIANT, default="classic", show_default=True)
@click.option("--seed", type=click.IntRange(0), help="Same seed, same moves.  [default: by chance]")
@clock_options
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Report on the standard error how a search stands, about twice a second.",
)
def gtp(
    bot: str,
    name: str | None,
    variant_name: str,
    seed: int | None,
    move_seconds: float | None,
    clock: str | None,
    verbose: bool,
) -> None:
    """Let a bot answer GTP commands.

    They are read from the standard input, and answered as Pentobi's engine does: any controller
    for Pentobi can play against it. The variant may be changed by set_game, the time by
    time_settings.
    """
    check_bot(bot)
    if sys.stdin is None or sys.stdout is None:
        which = "input" if sys.stdin is None else "output"
        raise click.ClickException(f"there is no standard {which}")
    log = sys.stderr if verbose else None
    try:
        session = Session(
            bot, variant_name, seed=seed, clock=read_clock(move_seconds, clock), log=log,
            name=None if name is None else check_titles([name], [bot])[0],
        )  # fmt: skip
    except (ValueError, RuntimeError, ImportError) as error:
        raise click.UsageError(str(error)) from None
    serve(session, sys.stdin.buffer, sys.stdout.buffer)
