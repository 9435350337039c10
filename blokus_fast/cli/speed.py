"""The commands `perft` and `bench`."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from typing import Any

import click
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

    Colors that cannot move are skipped and cost no depth; picks and passes count as moves.
    """
    if divide and depth == 0:
        raise click.UsageError("--divide needs a depth of 1 or more")
    variant = resolve(variant_name, start, opening=opening)
    board = Board(variant)
    began = time.perf_counter()
    parts: dict[str, int] = {}
    if divide:
        parts = {board.move_text(move): n for move, n in _core.divide(board, depth).items()}
        nodes = sum(parts.values())
    else:
        nodes = _core.perft(board, depth)
    seconds = time.perf_counter() - began
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
        click.echo(json.dumps(report))
        return
    for text, count in parts.items():
        click.echo(f"{text}: {count:,}")
    click.echo(f"{variant.name} ({variant.start}), depth {depth}: {nodes:,} move sequences")
    if seconds >= 0.1:
        click.echo(f"{seconds:.2f} s, {nodes / seconds:,.0f} sequences/s", err=True)


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
    best, counted = float("inf"), work()
    end = time.perf_counter() + seconds
    while True:
        began = time.perf_counter()
        counted = work()
        now = time.perf_counter()
        best = min(best, now - began)
        if now > end:
            return best, counted


def measure(variant_name: str, seconds: float) -> list[dict[str, Any]]:
    """Time the operations of the engine, called from Python."""
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
    rows = []
    for name, work, calls in cases:
        best, moves_seen = time_per_call(work, seconds)
        rows.append(
            {
                "operation": name,
                "microseconds": best / calls * 1e6,
                "per_second": calls / best,
                "moves_per_second": moves_seen / best if moves_seen else None,
            }
        )
    return rows


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

    The positions are of all phases of the game.
    """
    rows = measure(variant_name, seconds)
    kernel = _core.cpu_info()["kernel"]
    if as_json:
        click.echo(json.dumps({"variant": variant_name, "kernel": kernel, "results": rows}))
        return
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
