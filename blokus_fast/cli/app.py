"""The group of commands, and `info`."""

from __future__ import annotations

import contextlib
import json
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import click
import numpy as np

import blokus_fast
from blokus_fast._starting import INTERRUPTED, INTERRUPTED_CODE
from blokus_fast.cli.analyze import analyze
from blokus_fast.cli.arena import arena
from blokus_fast.cli.common import console
from blokus_fast.cli.contest import contest, contest_server
from blokus_fast.cli.gtp import gtp
from blokus_fast.cli.pictures import render, replay
from blokus_fast.cli.play import play
from blokus_fast.cli.selfplay import selfplay
from blokus_fast.cli.speed import bench, perft


def package_version() -> str:
    """Return the version of the installed package."""
    try:
        return version("blokus-fast")
    except PackageNotFoundError:
        return "unknown (not installed)"


def cpu_name() -> str:
    """Return the processor's name as the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


class _Commands(click.Group):
    """Commands that Ctrl-C ends with the exit code that a shell expects, whenever it comes.

    Those that have something to report then see to it themselves. click would say "Aborted!", and
    end with 1.
    """

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Read what the arguments of the group say."""
        with _interruptible():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Read the arguments of a command, and carry it out."""
        with _interruptible():
            return super().invoke(ctx)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        click.echo(INTERRUPTED, err=True)
        raise click.exceptions.Exit(INTERRUPTED_CODE) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_version(), prog_name="blokus-fast")
def cli() -> None:
    """Play Blokus, let bots play it, and measure the engine."""


cli.add_command(play)
cli.add_command(perft)
cli.add_command(bench)
cli.add_command(gtp)
cli.add_command(render)
cli.add_command(replay)
cli.add_command(analyze)
cli.add_command(arena)
cli.add_command(selfplay)
cli.add_command(contest)
cli.add_command(contest_server)


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def info(as_json: bool) -> None:
    """Show version, processor and the kernel in use."""
    facts: dict[str, Any] = {
        "version": package_version(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": np.__version__,
        "system": platform.platform(),
        "cpu": cpu_name(),
        **blokus_fast.cpu_info(),
        "variants": list(blokus_fast.VARIANTS),
    }
    if as_json:
        click.echo(json.dumps(facts, allow_nan=False))
        return
    out = console()
    for name, value in facts.items():
        text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        out.print(f"[bold]{name:10}[/bold] ", end="")
        out.print(text, markup=False, highlight=False, soft_wrap=True)
