"""The command `arena`: who is stronger."""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich import box
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from blokus_fast.arena.openings import read_openings
from blokus_fast.arena.page import write_page
from blokus_fast.arena.plots import need_matplotlib, ratings_plot
from blokus_fast.arena.ratings import difference_words, score_interval
from blokus_fast.arena.report import Report, new_tally
from blokus_fast.arena.running import names_for, run_settings
from blokus_fast.arena.sequential import SPRT
from blokus_fast.arena.settings import Settings
from blokus_fast.arena.storage import ArenaError, read_settings
from blokus_fast.bots.names import split
from blokus_fast.cli.columns import prefix
from blokus_fast.cli.common import (
    VARIANT,
    Seconds,
    check_bot,
    clock_options,
    console,
    executor_options,
    json_option,
    names_option,
    opening_option,
    read_clock,
    resolve,
    scoring_option,
    seed_option,
    start_option,
)
from blokus_fast.executors import ExecutorError
from blokus_fast.files import write_file
from blokus_fast.words import counted

__all__ = ["arena"]

# The summary and the pictures, beside the games.
_RESULTS = "results.json"
_PLOT = "ratings.svg"
# What fits on a screen of 80 columns; the page has all.
_MOST_CROSSED = 6
_MOST_FAULTS = 10


def _test(ctx: click.Context, param: click.Parameter, value: str | None) -> SPRT | None:
    """Read two differences in Elo, and perhaps the rate of errors."""
    if value is None:
        return None
    try:
        numbers = _numbers(value.split(","))
        if not 2 <= len(numbers) <= 3:
            raise ValueError("it is LOW,HIGH or LOW,HIGH,ERROR, such as 0,20 or 0,20,0.01")
        return SPRT(*numbers)
    except ValueError as error:
        raise click.BadParameter(f"{value!r}: {error}") from None


def _numbers(words: Sequence[str]) -> list[float]:
    """Read numbers; none at all if one word is none."""
    try:
        return [float(word) for word in words]
    except ValueError:
        return []


@click.command()
@click.argument("bots", nargs=-1)
@names_option
@click.option("--variant", "variant_name", type=VARIANT, default="classic", show_default=True)
@start_option
@opening_option
@scoring_option
@click.option("--games", type=click.IntRange(1), default=100, show_default=True)
@seed_option
@click.option(
    "--seats", metavar="LETTERS",
    help="Who sits together where there are more players than bots, such as ABBB.  "
    "[default: everybody as often]",
)  # fmt: skip
@click.option(
    "--random-plies", type=click.IntRange(0, 100),
    help="Plies of an opening that are drawn by chance.  [default: one a color]",
)  # fmt: skip
@click.option(
    "--positions", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File of openings to take in turn: a .blksgf file, or position texts, one a line.",
)  # fmt: skip
@clock_options
@click.option(
    "--margin", type=Seconds(0.001, 3600), default=0.1, show_default=True, metavar="SECONDS",
    help="What a move may take beyond the clock before the bot loses the game.",
)  # fmt: skip
@click.option(
    "--patience", type=Seconds(0.1, 1e6), default=600, show_default=True, metavar="SECONDS",
    help="After that a bot without a clock counts as hanging, and loses.",
)  # fmt: skip
@click.option(
    "--sprt", callback=_test, metavar="LOW,HIGH[,ERROR]",
    help="End as soon as a sequential test tells whether the first of two bots is stronger by "
    "HIGH Elo rather than by LOW.",
)  # fmt: skip
@click.option(
    "--output", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
    help="New folder for the games, each as it ends, with results, plot and page.",
)  # fmt: skip
@click.option(
    "--resume", is_flag=True,
    help="Go on with the run in that folder; what is not said again stays as it was.",
)  # fmt: skip
@click.option(
    "--replays", type=click.IntRange(0), default=200, show_default=True,
    help="So many games get a page of their own in the folder.",
)  # fmt: skip
@executor_options
@json_option
@click.pass_context
def arena(ctx: click.Context, /, **options: Any) -> None:
    """Let BOTS play each other, and measure who is stronger.

    Every opening is played from all seats, so that neither it nor the first move counts. A bot
    that raises an error, hangs, makes an illegal move or takes too much time loses the game.
    Ctrl-C ends the run and reports what was played.
    """
    resume, output, as_json = options["resume"], options["output"], options["as_json"]
    if resume and output is None:
        raise click.UsageError("--resume needs the --output of the run")
    try:
        settings = _settings(ctx, options)
        if output is not None:
            need_matplotlib()
        screen = _Screen(settings)
        with screen:
            report = run_settings(
                settings,
                output=output,
                resume=resume,
                executor=options["executor"],
                workers=options["workers"],
                on_begin=screen.begin,
                on_game=screen.add,
            )
        if output is not None:
            _keep(report, output, options["replays"])
    except (ArenaError, ExecutorError, ImportError) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        raise click.ClickException(f"cannot write{where}: {error.strerror or error}") from None
    if as_json:
        click.echo(json.dumps(report.to_json(), allow_nan=False))
    else:
        _show(report, output)
    if report.interrupted:
        # What a shell expects of a program that was interrupted.
        sys.exit(130)


def _settings(ctx: click.Context, options: dict[str, Any]) -> Settings:
    """Make settings of the options; of a run that is resumed, what was not said."""
    clock = read_clock(options["move_seconds"], options["clock"])
    bots = split(options["bots"])
    for name in bots:
        check_bot(name)
    there: Settings | None = None
    if options["resume"]:
        there = read_settings(options["output"])

    def said(*names: str) -> bool:
        default = (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)
        return any(ctx.get_parameter_source(name) not in default for name in names)

    def choose(name: str, value: Any, *names: str) -> Any:
        return (
            getattr(there, name) if there is not None and not said(*(names or (name,))) else value
        )

    rules_said = said("variant_name", "start", "opening", "scoring")
    if there is not None and not rules_said:
        rules = there.variant
    else:
        rules = resolve(
            options["variant_name"], options["start"], options["scoring"], options["opening"]
        )
    seed = options["seed"]
    if seed is None:
        seed = random.SystemRandom().getrandbits(32)
    try:
        positions = options["positions"]
        openings = () if positions is None else tuple(read_openings(positions, rules))
        settings = Settings.make(
            bots if bots or there is None else there.bots,
            rules,
            choose("games", options["games"]),
            seed=choose("seed", seed),
            seats=choose("seats", options["seats"]),
            random_plies=choose("random_plies", options["random_plies"]),
            openings=choose("openings", openings, "positions"),
            clock=choose("clock", clock, "clock", "move_seconds"),
            margin=choose("margin", options["margin"]),
            patience=choose("patience", options["patience"]),
            sprt=choose("sprt", options["sprt"]),
        )
        resumed = None if there is None else options["output"]
        names = names_for(settings.bots, resumed, options["names"])
        return replace(settings, names=tuple(names))
    except ValueError as error:
        raise click.UsageError(str(error)) from None


class _Screen:
    """Shows on the standard error how a run stands, if somebody looks."""

    # Of the time that passes, so much may go into intervals for the screen.
    _SHARE = 0.05

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tally = new_tally(settings)
        self.due = 0.0
        self.stack = ExitStack()
        out = console(stderr=True)
        self.progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=out,
            transient=True,
            disable=not out.is_terminal,
        )
        self.task = self.progress.add_task("starting", total=settings.games)

    def __enter__(self) -> None:
        self.stack.enter_context(self.progress)

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def begin(self, report: Report) -> None:
        """Take the games that are there already."""
        for result in report.games:
            self.tally.add(result)
        self.progress.update(self.task, completed=len(report.games))

    def add(self, result: dict[str, Any]) -> None:
        """Take a game that has ended."""
        self.tally.add(result)
        self.progress.advance(self.task)
        began = time.monotonic()
        if self.progress.disable or began < self.due:
            return
        self.progress.update(self.task, description=self._text())
        now = time.monotonic()
        self.due = now + max(0.25, (now - began) / self._SHARE)

    def _text(self) -> str:
        """Say who is ahead."""
        shares = [count.score / count.games if count.games else 0 for count in self.tally.counts]
        best = 0 if len(shares) == 2 else max(range(len(shares)), key=shares.__getitem__)
        low, high = score_interval(self.tally, best)
        text = f"{prefix(self.settings.labels[best], 32)} {100 * shares[best]:.1f} %"
        text += f" [{100 * low:.1f}, {100 * high:.1f}]"
        if self.tally.failures:
            text += f", faults: {len(self.tally.failures)}"
        return text


def _keep(report: Report, output: Path, replays: int) -> None:
    """Write results, plot and page into the folder."""
    write_file(
        output / _RESULTS, json.dumps(report.to_json(), indent=1, allow_nan=False).encode() + b"\n"
    )
    if report.games:
        write_file(output / _PLOT, ratings_plot(report))
        write_page(report, output, replays=replays)


def _show(report: Report, output: Path | None) -> None:
    """Print results and cross-table."""
    out = console()
    settings = report.settings
    if not report.games:
        out.print("no game was played to its end")
        return
    title = f"{settings.variant.name}, {counted(len(report.games), 'game')}, seed {settings.seed}"
    if settings.seats is not None:
        title += f", seats {settings.seats}"
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("bot", min_width=14, overflow="fold")
    for heading in ("rating", "W-D-L", "score", "margin", "CPU s/game"):
        table.add_column(heading, justify="right", no_wrap=True)
    for result in report.results:
        low, high = (100 * share for share in result.score_interval)
        share = 100 * result.score / result.games if result.games else 0
        table.add_row(
            Text(result.bot),
            f"{_elo(result.rating)}\n\\[{_elo(result.interval[0])}, {_elo(result.interval[1])}]",
            f"{result.wins}-{result.draws}-{result.losses}",
            f"{share:.1f} %\n\\[{low:.1f}, {high:.1f}]",
            "-" if result.mean_margin is None else f"{result.mean_margin:+z.1f}",
            "-" if result.cpu_seconds is None else f"{result.cpu_seconds:.2g}",
        )
    out.print(table)
    if 2 < len(settings.bots) <= _MOST_CROSSED:
        _show_cross(report)
    if report.pairs is not None:
        told = ", ".join(f"{points}: {count}" for points, count in report.pairs.items())
        text = f"pairs by points of {settings.labels[0]}: {told}"
        out.print(text, markup=False, soft_wrap=True)
    if report.difference is not None:
        text = difference_words(settings.labels[0], *report.difference)
        out.print(f"difference: {text}", markup=False, soft_wrap=True)
    test = report.sprt
    if test is not None and settings.sprt is not None:
        said = settings.sprt.words(test, settings.labels[0])
        bounds = f"log-likelihood ratio {test.llr:+z.2f} of {test.lower:.2f} to {test.upper:.2f}"
        out.print(f"sequential test: {said}; {bounds}", markup=False, soft_wrap=True)
    faults = Counter((fault["bot"], fault["text"]) for fault in report.tally.failures)
    for (bot, text), count in faults.most_common(_MOST_FAULTS):
        out.print(f"{bot} lost {counted(count, 'game')}: {text}", markup=False, soft_wrap=True)
    if rest := sum(count for _, count in faults.most_common()[_MOST_FAULTS:]):
        was = "was" if rest == 1 else "were"
        out.print(f"and {counted(rest, 'game')} {was} lost by other faults")
    for note in report.notes():
        out.print(note, markup=False, soft_wrap=True)
    if report.interrupted:
        out.print(f"interrupted after {len(report.games)} of {counted(settings.games, 'game')}")
    if output is not None and report.games:
        out.print(f"written to {output}: games, results, page", markup=False, soft_wrap=True)


def _elo(number: float) -> str:
    """Write a rating."""
    return f"{number:+z.0f}"


def _show_cross(report: Report) -> None:
    """Print who has got what against whom."""
    labels, ratings = report.settings.labels, report.ratings.ratings
    order = sorted(range(len(labels)), key=lambda bot: -ratings[bot])
    title = "row against column: score of games"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("")
    for place, _ in enumerate(order, start=1):
        table.add_column(str(place), justify="right")
    cross = report.cross_table()
    for place, bot in enumerate(order, start=1):
        cells = []
        for other in order:
            entry = cross[bot][other]
            cells.append("" if entry is None else f"{entry['score']:g}/{entry['games']}")
        table.add_row(Text(f"{place} {labels[bot]}"), *cells)
    console().print(table)
