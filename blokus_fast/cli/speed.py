"""The commands `perft` and `bench`."""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import click
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.cli.common import (
    VARIANT,
    Seconds,
    console,
    json_option,
    opening_option,
    resolve,
    start_option,
)
from blokus_fast.learning.playouts import playouts
from blokus_fast.words import counted

# Fewer moves than that are counted before anybody could read how far it is.
_LONG: Final = 3


@click.command()
@click.argument("variant_name", metavar="VARIANT", type=VARIANT)
@click.argument("depth", type=click.IntRange(0, 512))
@start_option
@opening_option
@click.option("--divide", is_flag=True, help="Count for each first move.")
@json_option
def perft(
    variant_name: str,
    depth: int,
    start: str | None,
    opening: str | None,
    divide: bool,
    as_json: bool,
) -> None:
    """Count the sequences of DEPTH moves from the beginning of a game.

    Colors that cannot move are skipped and cost no depth; picks and passes count as moves. Ctrl-C
    ends it, and says how far it was.
    """
    if divide and depth == 0:
        raise click.UsageError("--divide needs a depth of 1 or more")
    variant = resolve(variant_name, start, opening=opening)
    board = Board(variant)
    began = time.perf_counter()
    counting = _Counting(board, depth)
    try:
        counting.run()
    except KeyboardInterrupt:
        click.echo(counting.so_far(), err=True)
        # What a shell expects of a program that was interrupted.
        sys.exit(130)
    seconds = time.perf_counter() - began
    nodes = sum(counting.parts.values())
    parts = {board.move_text(move): n for move, n in counting.parts.items()} if divide else {}
    if as_json:
        report: dict[str, Any] = {
            "variant": variant.name,
            "start": variant.start,
            "depth": depth,
            "nodes": nodes,
            "seconds": seconds,
        }
        if divide:
            report["divide"] = parts
        click.echo(json.dumps(report, allow_nan=False))
        return
    for text, count in parts.items():
        click.echo(f"{text}: {count:,}")
    sequences = counted(nodes, "move sequence", ",")
    click.echo(f"{variant.name} ({variant.start}), depth {depth}: {sequences}")
    if seconds >= 0.1:
        click.echo(f"{seconds:.2f} s, {nodes / seconds:,.0f} sequences/s", err=True)


class _Counting:
    """Counts sequences after one first move after the other, and shows how far it is."""

    def __init__(self, board: Board, depth: int) -> None:
        self.board = board
        self.depth = depth
        self.moves = board.legal_ids().tolist() if depth else []
        self.parts: dict[int, int] = {}
        self.begun = 0

    def run(self) -> None:
        """Count them all."""
        if not self.depth:
            self.parts = {0: _core.perft(self.board, 0)}
            return
        out = console(stderr=True)
        progress = Progress(
            TextColumn("first move"),
            MofNCompleteColumn(),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            TextColumn("[dim]Ctrl-C ends it[/dim]"),
            console=out,
            transient=True,
            disable=not out.is_terminal or self.depth < _LONG,
        )
        task = progress.add_task("", total=len(self.moves))
        with progress:
            for move in self.moves:
                self.begun = 0
                child = self.board.copy()
                child.push(move)
                self.parts[move] = self._count(child, progress, task)

    def _count(self, child: Board, progress: Progress, task: TaskID) -> int:
        """Count what is behind a first move; where that is long, behind a second one each."""
        moves = child.legal_ids().tolist()
        if self.depth <= _LONG or not moves:
            count = int(_core.perft(child, self.depth - 1))
            progress.advance(task)
            return count
        for move in moves:
            child.push(move)
            self.begun += _core.perft(child, self.depth - 2)
            child.pop()
            progress.advance(task, 1 / len(moves))
        return self.begun

    def so_far(self) -> str:
        """Say how far it was."""
        count = sum(self.parts.values()) + self.begun
        done = f"{len(self.parts)} of {counted(len(self.moves), 'first move')} done"
        return f"interrupted: {counted(count, 'move sequence', ',')} counted, {done}"


def positions(variant_name: str, games: int = 8) -> list[Board]:
    """Return positions over all phases of random games; always the same ones."""
    rng = random.Random(1)
    found = []
    for _ in range(games):
        board = Board(variant_name)
        while not board.is_game_over:
            if board.ply % 4 == 0:
                found.append(board.copy())
            ids = board.legal_ids()
            board.push_unchecked(int(ids[rng.randrange(len(ids))]))
    return found


def time_per_call(work: Callable[[], int], seconds: float) -> tuple[float, int]:
    """Run some work for a while; return the time of its fastest run, and what it counted."""
    best, result = float("inf"), work()
    end = time.perf_counter() + seconds
    while True:
        began = time.perf_counter()
        result = work()
        now = time.perf_counter()
        best = min(best, now - began)
        if now > end:
            return best, result


def measure(
    variant_name: str, seconds: float, tell: Callable[[str, int, int], object]
) -> Iterator[dict[str, Any]]:
    """Time the operations of the engine, called from Python; tell which, of how many, is next."""
    boards = positions(variant_name)
    moves = [int(board.legal_ids()[0]) for board in boards]

    def list_moves() -> int:
        return sum(len(board.legal_ids()) for board in boards)

    def count() -> int:
        return sum(board.count_legal() for board in boards)

    def mask() -> int:
        for board in boards:
            board.legal_mask()
        return len(boards)

    def push_pop() -> int:
        for board, move in zip(boards, moves, strict=True):
            board.push(move)
            board.pop()
        return len(boards)

    def copy() -> int:
        for board in boards:
            board.copy()
        return len(boards)

    def playout() -> int:
        rng = random.Random(2)
        board = Board(variant_name)
        while not board.is_game_over:
            ids = board.legal_ids()
            board.push_unchecked(int(ids[rng.randrange(len(ids))]))
        return int(board.ply)

    def native() -> int:
        playouts(start, 100, seed=2)
        return 0  # the moves are not counted

    start = Board(variant_name)
    cases: list[tuple[str, Callable[[], int], int]] = [
        ("legal list", list_moves, len(boards)),
        ("count", count, len(boards)),
        ("mask", mask, len(boards)),
        ("push + pop", push_pop, len(boards)),
        ("copy", copy, len(boards)),
        ("random game from Python", playout, 1),
        ("native playout", native, 100),
    ]
    for number, (name, work, calls) in enumerate(cases):
        tell(name, number, len(cases))
        best, moves_seen = time_per_call(work, seconds)
        yield {
            "operation": name,
            "microseconds": best / calls * 1e6,
            "per_second": calls / best,
            "moves_per_second": moves_seen / best if moves_seen else None,
        }


@click.command()
@click.option("--variant", "variant_name", type=VARIANT, default="classic", show_default=True)
@click.option(
    "--seconds",
    type=Seconds(0, 60),
    default=0.5,
    show_default=True,
    help="Time for each operation.",
)
@json_option
def bench(variant_name: str, seconds: float, as_json: bool) -> None:
    """Measure the engine on this computer.

    The positions are of all phases of the game. Ctrl-C ends it, and shows what was measured.
    """
    rows, interrupted = _measured(variant_name, seconds)
    kernel = _core.cpu_info()["kernel"]
    if as_json:
        report = {"variant": variant_name, "kernel": kernel, "results": rows}
        click.echo(json.dumps({**report, "interrupted": interrupted}, allow_nan=False))
    else:
        _show(variant_name, kernel, rows)
    if interrupted:
        if not as_json:
            click.echo("interrupted", err=True)
        sys.exit(130)


def _measured(variant_name: str, seconds: float) -> tuple[list[dict[str, Any]], bool]:
    """Measure, and show how far it is; say whether it was interrupted."""
    out = console(stderr=True)
    rows: list[dict[str, Any]] = []
    # Nothing is drawn while an operation is measured.
    progress = Progress(
        MofNCompleteColumn(),
        BarColumn(),
        TextColumn("{task.description}"),
        console=out,
        transient=True,
        auto_refresh=False,
        disable=not out.is_terminal,
    )
    task = progress.add_task("positions", total=None)

    def tell(name: str, number: int, total: int) -> None:
        progress.update(task, description=name, completed=number, total=total, refresh=True)

    try:
        with progress:
            for row in measure(variant_name, seconds, tell):
                rows.append(row)
    except KeyboardInterrupt:
        return rows, True
    return rows, False


def _show(variant_name: str, kernel: str, rows: list[dict[str, Any]]) -> None:
    """Print what was measured."""
    table = Table(title=f"{variant_name}, kernel {kernel}", title_justify="left")
    table.add_column("operation")
    for heading in ("microseconds", "times a second", "moves a second"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(
            row["operation"],
            f"{row['microseconds']:,.3f}",
            f"{row['per_second']:,.0f}",
            f"{row['moves_per_second']:,.0f}" if row["moves_per_second"] else "",
        )
    console().print(table)
    click.echo("Called from Python one position at a time: the calls themselves are included.")
