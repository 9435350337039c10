"""The command: play games against a GTP engine and say what came of it."""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.gtp import Engine, EngineError

from .match import VARIANTS, DisagreementError, Totals, play_game

__all__ = ["main"]

DESCRIPTION = """\
Play games against Pentobi, or another engine with its GTP commands, and compare everything: the
legal moves of every color in every position, every move that it plays, and the final scores.
Reports how many moves were compared, and how long both took. PROGRAM is a pentobi-gtp that you
have (Pentobi's source tree builds it on request); any program that knows set_game, all_legal,
play, genmove and final_score will do.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the games; return 0 if all was agreed on, else 1."""
    parser = argparse.ArgumentParser(
        prog="pentobi",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("program", help="the GTP engine")
    parser.add_argument("--games", type=int, default=2, help="per variant (%(default)s)")
    parser.add_argument(
        "--level", type=int, default=1, help="of its strength, 1 to 9 (%(default)s)"
    )
    parser.add_argument(
        "--variant", choices=VARIANTS, action="append", help="repeatable (default: all of them)"
    )
    parser.add_argument("--bot", choices=bots.BOTS, default="greedy", help="ours (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of both engines (%(default)s)")
    parser.add_argument(
        "--timeout", type=float, default=300.0, help="seconds for an answer (%(default)s)"
    )
    chosen = parser.parse_args(arguments)
    if chosen.games < 1:
        parser.error("--games must be at least 1")
    program = chosen.program
    if Path(program).exists():
        program = str(Path(program).resolve())
    options = [
        "--quiet", "--nobook", "--noresign", "--level", str(chosen.level),
        "--seed", str(chosen.seed),
    ]  # fmt: skip
    failed = False
    try:
        for variant in chosen.variant or VARIANTS:
            command, wait = [program, *options], chosen.timeout
            with Engine(command, timeout=wait, move_timeout=wait) as engine:
                name = f"{engine.name} {engine.version}"
                totals = Totals()
                try:
                    for number in range(chosen.games):
                        bot = bots.make(chosen.bot, seed=chosen.seed + number)
                        play_game(engine, variant, bot, number % 2 == 0, totals, number)
                except DisagreementError as error:
                    print(f"DISAGREEMENT: {error}", file=sys.stderr)
                    failed = True
                    continue
                _report(variant, chosen.bot, name, chosen.level, totals)
    except EngineError as error:
        print(f"pentobi: {error}", file=sys.stderr)
        return 1
    return 1 if failed else 0


def _report(variant: str, bot: str, name: str, level: int, totals: Totals) -> None:
    kernel = bf.cpu_info()["kernel"]
    print(f"{variant}: {bot} against {name}, level {level}")
    for result in totals.results:
        print(f"  {result}")
    print(f"  {bot} won {totals.ours_won:g} of {totals.games}")
    print(
        f"  the same {totals.moves:,} legal moves in {totals.positions:,} questions, "
        "and the same final scores"
    )
    for who, took in (
        (f"blokus-fast ({kernel})", totals.ours_listing),
        (f"{name}, with writing and reading of the text", totals.its_listing),
    ):
        print(
            f"  legal moves, {who}: {totals.moves / took:,.0f} moves/s, "
            f"{1e6 * took / totals.positions:,.1f} µs a list"
        )
    for who, times in ((bot, totals.ours_choosing), (name, totals.its_choosing)):
        if times:
            print(
                f"  a move of {who}: median {1e3 * statistics.median(times):,.2f} ms, "
                f"longest {1e3 * max(times):,.2f} ms"
            )
