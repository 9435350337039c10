"""The command `gtp`: a bot as an engine for other programs."""

from __future__ import annotations

import sys

import click

from blokus_fast.cli.common import VARIANT
from blokus_fast.gtp.engine import Session, serve

__all__ = ["gtp"]


@click.command()
@click.option("--bot", default="greedy", show_default=True, help="Name of the bot.")
@click.option("--variant", "variant_name", type=VARIANT, default="classic", show_default=True)
@click.option("--seed", type=click.IntRange(0), help="Same seed, same moves.  [default: by chance]")
def gtp(bot: str, variant_name: str, seed: int | None) -> None:
    """Let a bot answer GTP commands.

    They are read from the standard input, and answered as Pentobi's engine does: any controller
    for Pentobi can play against it. The variant may be changed by set_game.
    """
    try:
        session = Session(bot, variant_name, seed=seed)
    except (ValueError, RuntimeError) as error:
        raise click.UsageError(str(error)) from None
    serve(session, sys.stdin.buffer, sys.stdout.buffer)
