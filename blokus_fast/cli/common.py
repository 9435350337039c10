"""What several commands share: types of arguments, and where to print."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from typing import Any, Final

import click
from rich.console import Console

from blokus_fast.bots import LEVELS, Clock, names
from blokus_fast.moves import PIECES
from blokus_fast.scoring import SCORING_RULES
from blokus_fast.variants import START_RULES, VARIANTS, Variant, variant


def console(*, stderr: bool = False) -> Console:
    """Return a console on the standard output as it is now.

    It makes pictures of no words between colons. What somebody else has named is printed as a
    `Text` or with ``markup=False``, so that brackets in it mean nothing.
    """
    return Console(stderr=stderr, highlight=False, emoji=False)


class Seconds(click.FloatRange):
    """A number of seconds: in a range, which not-a-number is in none of."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the number."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number of seconds", param, ctx)
        return number


VARIANT = click.Choice(list(VARIANTS))
START = click.Choice(START_RULES)
SCORING = click.Choice(list(SCORING_RULES))

Command = Callable[..., Any]

BOT_HELP: Final = (
    f"{', '.join(names.BOTS)}; {names.SEARCH} for a search as long as the clock allows, "
    f"mcts:{min(LEVELS)} to mcts:{max(LEVELS)}, or one with options such as mcts:time=1.0 or "
    "mcts:sims=5000,threads=2; gtp:COMMAND for a GTP engine, such as "
    '"gtp:pentobi-gtp --nobook --level 1"; MODULE:CLASS for a class of your own; and what '
    "installed packages add."
)
"""What a bot may be, for the help texts."""


def start_option(command: Command) -> Command:
    """Add the option ``--start``."""
    text = "Start rule, instead of the variant's own."
    return click.option("--start", type=START, help=text)(command)


def opening_option(command: Command) -> Command:
    """Add the option ``--opening``."""
    text = "Piece that every color has to begin with.  [default: as the variant has it]"
    kind = click.Choice(PIECES, case_sensitive=False)
    return click.option("--opening", type=kind, metavar="PIECE", help=text)(command)


def scoring_option(command: Command) -> Command:
    """Add the option ``--scoring``."""
    text = "Scoring rule, instead of the variant's own."
    return click.option("--scoring", type=SCORING, help=text)(command)


def seed_option(command: Command) -> Command:
    """Add the option ``--seed``."""
    text = "Same seed, same games.  [default: by chance]"
    return click.option("--seed", type=click.IntRange(0), help=text)(command)


def names_option(command: Command) -> Command:
    """Add the option ``--name``."""
    text = (
        "What to call a bot; again for the next one, in their order.  [default: what an engine "
        "says, else what stands in the list]"
    )
    return click.option("--name", "names", multiple=True, metavar="NAME", help=text)(command)


def json_option(command: Command) -> Command:
    """Add the option ``--json``."""
    text = "Print one JSON object and nothing else."
    return click.option("--json", "as_json", is_flag=True, help=text)(command)


def executor_options(command: Command) -> Command:
    """Add the options ``--executor`` and ``--workers``."""
    command = click.option(
        "--workers", type=click.IntRange(1, 1024), metavar="N",
        help="How many at the same time.  [default: one a processor]",
    )(command)  # fmt: skip
    return click.option(
        "--executor", default="processes", show_default=True, metavar="processes|dask|ADDRESS",
        help="Where to work: processes of this computer, a Dask cluster of its own, or the one "
        "whose scheduler has that address.",
    )(command)  # fmt: skip


def clock_options(command: Command) -> Command:
    """Add the options ``--time`` and ``--clock``; `read_clock` makes a clock of them."""
    command = click.option(
        "--clock", metavar="SECONDS[+INCREMENT]",
        help="Time that a bot has for a game, and what is added after every move.",
    )(command)  # fmt: skip
    return click.option(
        "--time", "move_seconds", metavar="SECONDS", type=Seconds(0, 1e6),
        help="Time that a bot has for a move.  [default: no limit]",
    )(command)  # fmt: skip


def read_clock(move_seconds: float | None, clock: str | None) -> Clock | None:
    """Make a clock of the two options, which exclude each other."""
    if move_seconds is not None and clock is not None:
        raise click.UsageError("--time and --clock exclude each other")
    if move_seconds is not None:
        return Clock.per_move(move_seconds)
    if clock is None:
        return None
    game, _, increment = clock.partition("+")
    try:
        return Clock.game(float(game), float(increment or 0))
    except ValueError:
        raise click.UsageError(
            f"--clock is SECONDS or SECONDS+INCREMENT, such as 60+1, not {clock!r}"
        ) from None


def check_bot(name: str, *others: str) -> None:
    """Check that a name is that of a bot or one of some others.

    Classes may be in the folder where the program was started.
    """
    if name in others:
        return
    is_class = ":" in name and not name.startswith((names.GTP, names.MCTS))
    if is_class and not {os.getcwd(), ""} & set(sys.path):
        # Behind everything else: it must not get in the way of what is installed.
        sys.path.append(os.getcwd())
    try:
        names.check(name)
    except ValueError as error:
        more = "".join(f", {other}" for other in others) if "; valid: " in str(error) else ""
        raise click.UsageError(f"{error}{more}") from None


def resolve(
    name: str, start: str | None, scoring: str | None = None, opening: str | None = None
) -> Variant:
    """Find the variant; what does not fit is a usage error."""
    try:
        found = variant(name, start=start, scoring=scoring)
        return found if opening is None else found.with_first_pieces([opening])
    except ValueError as error:
        raise click.UsageError(str(error)) from None
