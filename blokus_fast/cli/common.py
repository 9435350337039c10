"""What several commands share: types of arguments, and where to print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from rich.console import Console

from blokus_fast.moves import PIECES
from blokus_fast.scoring import SCORING_RULES
from blokus_fast.variants import START_RULES, VARIANTS, Variant, variant


def console(*, stderr: bool = False) -> Console:
    """Return a console on the standard output as it is now.

    It makes pictures of no words between colons. What somebody else has named is printed as a
    `Text` or with ``markup=False``, so that brackets in it mean nothing.
    """
    return Console(stderr=stderr, highlight=False, emoji=False)


VARIANT = click.Choice(list(VARIANTS))
START = click.Choice(START_RULES)
SCORING = click.Choice(list(SCORING_RULES))

Command = Callable[..., Any]


def start_option(command: Command) -> Command:
    """Add the option ``--start``."""
    text = "Start rule, instead of the variant's own."
    return click.option("--start", type=START, help=text)(command)


def opening_option(command: Command) -> Command:
    """Add the option ``--opening``."""
    text = "Piece that every color has to begin with.  [default: as the variant has it]"
    kind = click.Choice(PIECES, case_sensitive=False)
    return click.option("--opening", type=kind, metavar="PIECE", help=text)(command)


def json_option(command: Command) -> Command:
    """Add the option ``--json``."""
    text = "Print one JSON object and nothing else."
    return click.option("--json", "as_json", is_flag=True, help=text)(command)


def resolve(
    name: str, start: str | None, scoring: str | None = None, opening: str | None = None
) -> Variant:
    """Find the variant; what does not fit is a usage error."""
    try:
        found = variant(name, start=start, scoring=scoring)
        return found if opening is None else found.with_first_pieces([opening])
    except ValueError as error:
        raise click.UsageError(str(error)) from None
