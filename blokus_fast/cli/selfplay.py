"""The command `selfplay`: a bot plays itself, and what it plays is written for learning."""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from blokus_fast.cli.common import (
    BOT_HELP,
    VARIANT,
    check_bot,
    console,
    executor_options,
    json_option,
    opening_option,
    resolve,
    scoring_option,
    seed_option,
    start_option,
)
from blokus_fast.words import counted

if TYPE_CHECKING:
    from blokus_fast.selfplay import Settings, Summary

__all__ = ["selfplay"]

_VARIANT: Final = "duo"


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--variant", "variant_name", type=VARIANT, help="Which rules.  [default: duo]")
@start_option
@opening_option
@scoring_option
@click.option(
    "--bot", type=str, metavar="NAME", help=f"Who plays: {BOT_HELP}  [default: mcts:sims=400]"
)
@click.option(
    "--simulations", type=click.IntRange(1), help="Simulations a move: short for mcts:sims=N."
)
@click.option("--games", type=click.IntRange(1), help="Number of games.  [default: 1000]")
@click.option("--games-per-shard", type=click.IntRange(1), help="Games in a file.  [default: 200]")
@seed_option
@click.option(
    "--random-plies", type=click.IntRange(0),
    help="Up to so many moves at the beginning are drawn from all legal ones.  [default: 2]",
)  # fmt: skip
@click.option(
    "--drawn-plies", type=click.IntRange(0),
    help="Plies up to which moves are drawn by their visits.  [default: 8]",
)  # fmt: skip
@click.option(
    "--temperature", type=float,
    help="Visits count to the power of 1 / temperature there.  [default: 1]",
)  # fmt: skip
@click.option(
    "--noise", type=float,
    help="Part of the priors at the root that is Dirichlet noise, 0 to 1.  [default: 0.25]",
)  # fmt: skip
@click.option(
    "--noise-alpha", type=float,
    help="Its concentration; below 0 it is divided by the number of moves.  [default: -10]",
)  # fmt: skip
@click.option(
    "--early-stop", is_flag=True, default=None,
    help="End a search when its best move is sure: quicker, with fewer visits.",
)  # fmt: skip
@click.option(
    "--weights", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File of weights for the search.  [default: those of the variant]",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with the run in FOLDER, with its settings.")
@executor_options
@json_option
def selfplay(
    folder: Path,
    resume: bool,
    executor: str,
    workers: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Let a bot play itself, and write positions, visits and results into FOLDER.

    Each shard, a Parquet file, is there as a whole or not at all, and depends on the settings and
    its number only. Ctrl-C ends the run; what was written stays, and --resume goes on. With
    --resume what is not said is as it was; more games may be asked for.
    """
    try:
        from blokus_fast import selfplay as package
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    # None of these has a default of its own: with --resume it is as it was.
    given = {name: value for name, value in options.items() if value is not None}
    watcher = _Watcher(console(stderr=True), quiet=as_json)
    failure = ""
    settings: Settings | None = None
    try:
        settings = _settings(folder, given, resume)
        with watcher:
            package.run(
                settings, folder, resume=resume, executor=executor, workers=workers,
                on_progress=watcher.update,
            )  # fmt: skip
    except KeyboardInterrupt:
        if watcher.last is None:
            raise
        watcher.interrupted = True
    except OSError as error:
        # Weights are read before; then there is only the run.
        what = f"cannot write the run in {folder}" if settings else error.filename or "selfplay"
        failure = f"{what}: {error.strerror or error}"
    except (ValueError, TypeError, ImportError, RuntimeError) as error:
        failure = str(error) or type(error).__name__
    if watcher.last is not None:
        _report(folder, watcher.last, watcher.interrupted, failure, as_json)
    if failure:
        raise click.ClickException(failure)
    if watcher.interrupted:
        # What a shell expects of a program that was interrupted.
        sys.exit(130)


def _settings(folder: Path, given: dict[str, Any], resume: bool) -> Settings:
    """Make settings of the options: with `resume` of those of the run, else of defaults."""
    from blokus_fast.search import load_weights
    from blokus_fast.selfplay import Settings
    from blokus_fast.selfplay.shards import load_run

    given = dict(given)
    simulations = given.pop("simulations", None)
    if simulations is not None:
        if "bot" in given:
            raise click.UsageError("--bot and --simulations exclude each other")
        given["bot"] = f"mcts:sims={simulations}"
    if "bot" in given:
        check_bot(given["bot"])
    if "weights" in given:
        given["weights"] = load_weights(given["weights"])
    rules = [given.pop(name, None) for name in ("variant_name", "start", "scoring", "opening")]
    before = load_run(folder) if resume else None
    if before is None or any(rule is not None for rule in rules):
        name = rules[0] or (before.rules.name if before else _VARIANT)
        given["variant"] = resolve(name, *rules[1:])
    if before is not None:
        return replace(before, **given)
    return Settings(**{"seed": random.SystemRandom().getrandbits(32), **given})


class _Watcher:
    """Shows how far a run is, on the standard error where somebody looks."""

    def __init__(self, out: Console, *, quiet: bool) -> None:
        self.last: Summary | None = None
        self.interrupted = False
        self._progress = Progress(
            TextColumn("games"),
            MofNCompleteColumn(),
            BarColumn(),
            TextColumn("{task.fields[positions]:,} positions, {task.fields[rate]:.1f} games/s"),
            TimeRemainingColumn(),
            console=out,
            transient=True,
            disable=quiet or not out.is_terminal,
        )
        self._task = self._progress.add_task("", total=None, positions=0, rate=0.0)

    def __enter__(self) -> _Watcher:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def update(self, summary: Summary) -> None:
        """Take note of a shard."""
        self.last = summary
        self._progress.update(
            self._task,
            total=summary.settings.games,
            completed=summary.n_games,
            positions=summary.n_positions,
            rate=summary.new_games / summary.seconds if summary.seconds else 0.0,
        )


def _report(folder: Path, summary: Summary, interrupted: bool, failure: str, as_json: bool) -> None:
    """Say what was played."""
    settings = summary.settings
    rate = summary.new_games / summary.seconds if summary.seconds else None
    if as_json:
        data = {
            "folder": str(folder),
            "settings": settings.to_json(),
            "complete": summary.is_complete,
            "interrupted": interrupted,
            "shards": summary.n_shards,
            "games": summary.n_games,
            "positions": summary.n_positions,
            "new_games": summary.new_games,
            "new_positions": summary.new_positions,
            "new_bytes": summary.bytes,
            "seconds": summary.seconds,
            "cpu_seconds": summary.cpu_seconds,
            "games_per_second": rate,
        }
        if failure:
            data["error"] = failure
        click.echo(json.dumps(data, allow_nan=False))
        return
    out = console()
    if interrupted:
        out.print("[bold]Stopped.[/bold] --resume goes on from here.")
    text = f"{summary.n_games:,} of {counted(settings.games, 'game', ',')}"
    positions = counted(summary.n_positions, "position", ",")
    shards = counted(summary.n_shards, "shard", ",")
    out.print(f"{text}, {positions} in {shards}", markup=False)
    if rate is not None:
        out.print(
            f"{counted(summary.new_games, 'game', ',')} now, {rate:.1f} a second", markup=False
        )
    out.print(f"[dim]seed {settings.seed}[/dim]")
