"""What the arena costs: its time beside that of bots that think, of bots that do not, and what
more workers gain.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from blokus_fast import Board
from blokus_fast.arena import Report, run

__all__ = ["Thinker", "main"]

DESCRIPTION: Final = """\
Measure the arena in Duo, games written to a folder. Overhead: how much longer a run of one worker
takes than its bots, each of which takes 10 ms for a move. Speed: the time of 1,000 games of random
bots with two workers, from nothing to the report. Gain: how much faster two workers are than one.
By the clock, so that it tells something on a quiet machine only; medians of the rounds.
"""

MOVE_SECONDS: Final = 0.01
BOT: Final = "arena_costs.command:Thinker"


class Thinker:
    """Thinks for a while, then plays the first legal move."""

    name = "thinker"

    def choose(self, board: Board) -> int:
        """Use the processor, and choose."""
        end = time.perf_counter() + MOVE_SECONDS
        while time.perf_counter() < end:
            pass
        return int(board.legal_ids()[0])


def timed(bot: str, games: int, workers: int) -> tuple[float, float, Report]:
    """Return how long the games took from the first to the last, and with all around them."""
    ends: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        report = run(
            [bot, bot], "duo", games, seed=1, workers=workers, output=Path(folder, "run"),
            on_game=lambda _: ends.append(time.perf_counter()),
        )  # fmt: skip
        _ = report.results
        return ends[-1] - ends[0], time.perf_counter() - begin, report


def measure(games: int) -> dict[str, float]:
    """Measure once."""
    one, _, report = timed(BOT, games, 1)
    # The clock starts when the first game has ended.
    thought = sum(sum(game["seconds"]) for game in report.games[1:])
    two, _, _ = timed(BOT, games, 2)
    _, random_games, _ = timed("random", 1000, 2)
    return {"overhead": one / thought - 1, "random": random_games, "gain": one / two}


def main(argv: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=DESCRIPTION)
    parser.add_argument("--games", type=int, default=60, help="with bots that think")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    rounds: list[dict[str, float]] = []
    for number in range(args.rounds):
        rounds.append(measure(args.games))
        print(f"round {number + 1} of {args.rounds}: {rounds[-1]}", file=sys.stderr)
    result: dict[str, Any] = {
        name: statistics.median(one[name] for one in rounds) for name in rounds[0]
    }
    if args.json:
        print(json.dumps(result))
        return 0
    print(f"overhead at 10 ms a move  {100 * result['overhead']:.2f} %")
    print(f"1,000 random games        {result['random']:.2f} s")
    print(f"two workers beside one    {result['gain']:.2f} x")
    return 0
